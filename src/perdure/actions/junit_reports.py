"""JUnit XML that a command writes: one file, or a folder with one for each class of tests, as Gradle, Maven and .NET
write them (SPEC 10.6). Only what this run wrote is its report.

    reports = JunitReports("build/test-results")        before the run
    reports.read()                                      after it: the report, or None, and what to say
"""

from __future__ import annotations

import os

from perdure.files import open_to_read
from perdure.lifecycle import junit
from perdure.lifecycle.report import Report, added

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 5000
"""Files of a folder that are read. With more, there is no report."""


class JunitReports:
    def __init__(self, path: str | None) -> None:
        self.path = path
        self._before = {file: _identity(file) for file in self._files()}

    def _files(self) -> list[str]:
        """Those that are there now."""
        if self.path is None:
            return []
        if not os.path.isdir(self.path):
            return [self.path]
        found: list[str] = []
        for folder, _, names in os.walk(self.path):
            found += [os.path.join(folder, name) for name in names if name.endswith(".xml")]
            if len(found) > MOST:
                break
        return sorted(found)

    def inside(self, root: str) -> tuple[str, ...]:
        """The files' paths from the work tree's folder, if they lie there: the command writes them, so they may
        change."""
        real = os.path.realpath(root)
        paths = (os.path.relpath(os.path.realpath(file), real) for file in {*self._before, *self._files()})
        return tuple(sorted(path for path in paths if not path.startswith("..")))

    def read(self) -> tuple[Report | None, tuple[str, ...]]:
        """A file from before the run says nothing about it. In a folder, such a file is of tests that did not run
        now."""
        files = self._files()
        if self.path is None:
            return None, ()
        if len(files) > MOST:
            return None, (f"{self.path} has more than {MOST:,} files.",)
        written = [file for file in files if _identity(file) is None or _identity(file) != self._before.get(file)]
        if not written:
            return None, (f"{self.path} was not written by this run.",)
        read = [_read(file) for file in written]
        wrong = tuple(each for each in read if isinstance(each, str))
        if wrong:
            return None, wrong[:3]
        return added([*(each for each in read if isinstance(each, Report)), *_older(len(files) - len(written))]), ()


def _older(count: int) -> Sequence[Report]:
    return [Report(left_out=count)] if count else []


def _read(path: str) -> Report | str:
    """The report, or what is wrong."""
    try:
        with open_to_read(path) as file:
            report = junit.junit(file.read(junit.LARGEST + 1))
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."
    return report or f"{path} is not a JUnit report that can be read."


def _identity(path: str) -> tuple[int, ...] | None:
    """What changes if a file is written, even at once after it was written before; None if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_ctime_ns, found.st_mtime_ns, found.st_size)
