"""What a command's output says: whether it went wrong, and the lines that tell what. In any language a build speaks."""

from __future__ import annotations

import re
from itertools import zip_longest

from perdure.recovery import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FAILED = re.compile(
    r"""(?m)^(?: FAILED\b | FAIL\b | ---[ ]FAIL | E[ ][ ][ ] | Traceback[ ]\(most[ ]recent | npm[ ](?:ERR!|error)
             | error(?:\[E\d+\])?: | fatal: | panic: | thread[ ]'.*panicked | g?make(?:\[\d+\])?:[ ]\*\*\*
             | \[ERROR\][ ]
             | FAILURE:[ ] )
        | \b[1-9]\d*[ ](?:failed|failing|errors?|failures?)\b | \berror[ ]TS\d+ | \bAssertionError\b
        | \b[A-Z]\w*(?:Error|Exception):[ ] | \bTests?[ ]failed\b
        | ^[ ]*[✗✕✘✖×][ ] | \bcommand[ ]not[ ]found\b | \bNo[ ]such[ ]file[ ]or[ ]directory\b | \bSegmentation[ ]fault\b
        | ^\S+\.go:\d+:\d+:[ ] | ^\S+\.\w{1,5}:\d+(?::\d+)?:[ ](?:fatal[ ])?error\b
        | BUILD[ ]FAIL(?:ED|URE) | Build[ ]failed | ERROR[ ]task[ ]failed""",
    re.X | re.M,
)
_SIGNS = (
    *("rror", "ERR", "ail", "FAIL", "E   ", "Traceback", "fatal:", "panic", "***", "Exception:", "not found"),
    *("No such", "Segmentation", ".go:", "✗", "✕", "✘", "✖", "×"),
)
"""One of these stands in whatever `_FAILED` finds: most output has none, and looking for them takes no time."""
_NAMED = re.compile(
    r"""^(?: FAILED[ ] | ERROR[ ]\S+(?:::|\.py\b) | \s*---[ ]FAIL: | \s*[✗✕✘✖×]\s | \s*●[ ]
        | test[ ]\S+[ ]\.\.\.[ ]FAILED
           | FAIL:?[ ]+\S+\.(?:[cm]?[jt]sx?|py|rb|php)\b | FAIL:[ ] | \s*\d+\)[ ]\S | ERROR:[ ]\w+[ ]\( )""",
    re.X,
)
"""Lines that name what failed."""
_SAYS = re.compile(
    r"""^E[ ][ ][ ] | ^ERROR[ ] | \b[A-Z]\w*(?:Error|Exception)\b(?::|[ ]\[|$) | \b[Ee]rror(?:\[E\d+\])?:[ ]
        | \berror[ ]TS\d+ | ^[A-Z]{1,5}\d{2,5}[ ]
        | ^\s*(?:\[[\w:.-]+\]\s+)?\S*[\w)\]]\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:[ ]*\S | ^fatal:[ ] | ^panic:[ ]
        | panicked[ ]at | ^npm[ ](?:ERR!|error)[ ] | command[ ]not[ ]found | No[ ]such[ ]file[ ]or[ ]directory
        | \bCONFLICT[ ]\(
        | ^\s*-->[ ] | ^\[ERROR\][ ] | undefined[ ]reference | ^!?\s*\[(?:remote[ ])?rejected\] | ^Caused[ ]by:
        | ^\*\*[ ]\(
        | ^\s*\d+:\d+\s+(?:error|warning)\s | \bERROR:[ ] | failed[ ]to[ ]\w+ | ^\(eval\): | ^(?:zsh|bash|sh|fish):[ ]
        | [Pp]ermission[ ]denied | \bcannot[ ]\w+ | ^\s*Error(?:[ ]Trace)?:\s | not[ ]found$
        | ^\s*(?:Expected|Received|expected|actual|want|got)\b.*:""",
    re.X,
)
"""Lines that say what went wrong."""
_COUNTS = re.compile(
    r"""\b[1-9]\d*[ ](?:failed|errors?|failures?)\b | ^g?make(?:\[\d+\])?:[ ]\*\*\* | BUILD[ ]FAIL | ^FAIL\b
        | ERROR[ ]task[ ]failed | ^Automatic[ ]merge[ ]failed | ^Found[ ]\d+""",
    re.X,
)
_EMPTY = re.compile(
    r"^[\W_]*$|^FAIL$|^(?:Error: )?Exit code \d+$|^[\w ]*exit status \d+$|^\s*at .+:\d+:\d+\)?$|:\d+: in \S+$"
)
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
_NOT_RUN = re.compile(
    r"""\A\s*+(?:<tool_use_error>)?(?: Cancelled:[ ]parallel | Sibling[ ]tool[ ]call[ ]errored
        | \[Request[ ]interrupted | InputValidationError | Error:[ ]Invalid[ ]tool )""",
    re.X,
)
"""The call was never made; what was forbidden, on the other hand, is worth knowing."""
_PASSES = re.compile(r"\b[1-9]\d*+ pass(?:ed|ing|es)?\b")
_NONE_FAILED = re.compile(r"\b0 (?:failed|failing|failures?)\b")
_MOST_LINES = 600
_MOST_LAST = 50
_MOST_TESTS = 6
_LONGEST_LINE = 2000


def was_not_run(output: str) -> bool:
    return bool(_NOT_RUN.match(output))


def says_it_failed(output: str) -> bool:
    if not any(sign in output for sign in _SIGNS):
        return False
    plain = _COLOUR.sub("", output)
    return bool(_FAILED.search(plain)) and bool(_FAILED.search(_without_passes(plain)))


def _without_passes(output: str) -> str:
    """Whatever else a line counts that says how many passed and that none failed."""
    lines = (line for line in output.split("\n") if not (_PASSES.search(line) and _NONE_FAILED.search(line)))
    return "\n".join(lines)


def is_conflict(output: str) -> bool:
    return "CONFLICT (" in output


def failed_tests(output: str) -> tuple[str, ...]:
    """By their names; none where there are more than anyone runs one by one, for some may not be told at all."""
    plain = _COLOUR.sub("", output)
    lines = (line for line in plain.splitlines()[-_MOST_LINES:] if _NAMED.match(line))
    found = _once((name for line in lines for name in names.tests(line[:_LONGEST_LINE])[-1:]), _MOST_TESTS)
    return tuple(found) if len(found) < _MOST_TESTS else ()


def telling_lines(output: str, most: int = 10) -> list[str]:
    """What failed and what it says, by turns, each once; lines that only count come where no others are."""
    last = _COLOUR.sub("", output).splitlines()[-_MOST_LINES:]
    lines = [line for line in (_cut(line) for line in last) if not _EMPTY.match(line)]
    named = _once((line for line in lines if _NAMED.match(line)), most)
    said = _once((line for line in lines if not _NAMED.match(line) and _SAYS.search(line)), most)
    told = [line for pair in zip_longest(named, said, fillvalue="") for line in pair if line]
    if not told:
        return _counted(lines, 2) or _once(lines[-_MOST_LAST:], _MOST_LAST)[-2:]
    last = [line for line in _counted(lines, 1) if line not in told] if not named else []
    return [*told[:2], *last, *told[2:]][:most]


def _counted(lines: list[str], most: int) -> list[str]:
    """The last of those that only count."""
    return _once((line for line in reversed(lines) if _COUNTS.search(line)), most)[::-1]


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE].rpartition(" ")[0]


def _once(lines: Iterable[str], most: int) -> list[str]:
    """Each once, and no more of them than so many."""
    found: dict[str, None] = {}
    for line in lines:
        found[" ".join(line.split())] = None
        if len(found) == most:
            break
    return list(found)
