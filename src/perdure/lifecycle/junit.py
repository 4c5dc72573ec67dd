"""Reads a JUnit XML report (SPEC 10.6).

The test cases are counted, not the totals that the file claims. A file with a document type is refused: its entities
could expand to any size, or read other files. A file that is cut off is not a report.
"""

from __future__ import annotations

from perdure.lifecycle.report import Report
from perdure.model.value import replace

LARGEST = 64 << 20
_DEEPEST = 100
_BAD = {"failure": "failed", "error": "errors", "skipped": "skipped"}


class _Refused(Exception):
    """The file is not one that is read."""


class _Reading:
    def __init__(self) -> None:
        self.report = Report()
        self.depth = 0
        self.outcome = ""
        self.in_case = False

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST or (self.depth == 1 and name not in ("testsuites", "testsuite")):
            raise _Refused
        if name == "testcase":
            self.in_case, self.outcome = True, "passed"
        elif name in _BAD and self.in_case:
            self.outcome = _BAD[name]
        elif name in ("failure", "error"):  # of a whole suite
            self.report = replace(self.report, errors=self.report.errors + 1)

    def end(self, name: str) -> None:
        self.depth -= 1
        if name == "testcase" and self.in_case:
            self.report = replace(self.report, **{self.outcome: getattr(self.report, self.outcome) + 1})
            self.in_case = False


def _refuse(*_given: object) -> None:
    raise _Refused


def junit(content: bytes) -> Report | None:
    from xml.parsers import expat  # only who has such a file needs it

    if len(content) > LARGEST:
        return None
    reading = _Reading()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, _Refused, ValueError):
        return None
    return reading.report if reading.report.total else None
