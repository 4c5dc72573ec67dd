"""Reads a command's output: whether it says that something failed, and the lines that say what.

It knows the output of the common test runners, compilers and build tools of many programming languages.
"""

from __future__ import annotations

import re
from itertools import chain, zip_longest

from perdure.gate.policy import is_denial
from perdure.model.pattern import compiled_later
from perdure.recovery import names
from perdure.recovery.checks import UNKNOWN, Test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FAILED = compiled_later(
    r"""(?m)^(?: FAILED\b | FAIL\b | ---[ ]FAIL | E[ ][ ][ ] | Traceback[ ]\(most[ ]recent | npm[ ](?:ERR!|error)
             | error(?:\[E\d+\])?: | fatal: | panic: | thread[ ]'.*panicked | g?make(?:\[\d+\])?:[ ]\*\*\*
             | \[ERROR\][ ]
             | FAILURE:[ ] )
        | \b[1-9]\d*[ ](?:failed|failing|errors?|failures?)\b | \berror[ ]TS\d+ | \bAssertionError\b
        | \b[A-Z]\w*(?:Error|Exception):[ ] | \bTests?[ ]failed\b
        | ^[ ]*[✗✕✘✖×][ ] | \bcommand[ ]not[ ]found\b | \bNo[ ]such[ ]file[ ]or[ ]directory\b | \bSegmentation[ ]fault\b
        | ^\S+\.go:\d+:\d+:[ ] | ^\S+\.\w{1,5}:\d+(?::\d+)?:[ ](?:fatal[ ])?error\b
        | BUILD[ ]FAIL(?:ED|URE) | Build[ ]failed | ERROR[ ]task[ ]failed
        | ^=++[ ]FAILURES[ ]=+ | ^[.sx]*+F[.sxFE]*+(?:[ ]+\[|$) | ^[ ]*+\d++:\d++[ ]++error[ ]
        | ^[\w./-]++:\d++:\d++:[ ][A-Z]++\d++[ ]""",
    re.X | re.M,
)
_PLAINLY = compiled_later(
    r"""^(?: CONFLICT[ ]\( | [ ]*+![ ]\[(?:remote[ ])?rejected\] | Traceback[ ]\(most[ ]recent | fatal:[ ] | error:[ ]
        | ERROR:[ ] | npm[ ](?:ERR!|error)[ ] | [│╷]?[ ]*+Error:[ ] | Error[ ]from[ ]server
        | \w[\w.]*(?:Error|Exception):[ ] | \S.*:[ ]command[ ]not[ ]found$ )""",
    re.X | re.M,
)
"""Says that any program failed, also one that is not a check."""
_RAN_NONE = compiled_later(
    r"[Nn]o tests? (?:to run|ran|found|were found|matches)|collected 0 items|\b0 (?:selected|passing|examples)\b"
    r"|Nothing to be done|is up to date|[Cc]ommand running in background|\b0 passed\b"
)
_EXIT = compiled_later(r"(?i)\bexit(?:[ _]?(?:code|status))?\s*[:=]\s*(\d+)")
_RAN_SOME = compiled_later(r"(?m)^ok\s+\S+(?!.*\[no tests)[^\[\n]*$|\b[1-9]\d* pass")
_SIGNS = (
    *(
        "rror",
        "ERR",
        "ail",
        "FAIL",
        "E   ",
        "Traceback",
        "fatal:",
        "panic",
        "***",
        "Exception:",
        "not found",
        ":1",
        "F.",
    ),
    *("No such", "Segmentation", ".go:", "✗", "✕", "✘", "✖", "×"),
)
"""Whatever `_FAILED` finds contains one of these. Most output has none of them, and searching for them is fast."""
_NAMED = compiled_later(
    r"""^(?: FAILED[ ] | ERROR[ ]\S+(?:::|\.py\b) | \s*---[ ]FAIL: | \s*[✗✕✘✖×]\s(?!\d+[ ]problem)
        | \s*●[ ]
        | test[ ]\S+[ ]\.\.\.[ ]FAILED
           | FAIL:?[ ]+\S+\.(?:[cm]?[jt]sx?|py|rb|php)\b | FAIL:[ ]
           | [^\t]+\tfail\t | \s*\d+\)[ ]\S | ERROR:[ ]\w+[ ]\(
           | \d\d:\d\d[ ]\+\d+(?:[ ]~\d+)?[ ]-\d+:[ ].+\[E\]$ | \s+Failed[ ]\S+\.\S+[ ]\[
           | [\w:]+\#test_\w+[ ]\[\S+:\d+\] | Diff[ ]in[ ]\S+:\d+ )""",
    re.X,
)
"""Lines that name what failed."""
_SAYS = compiled_later(
    r"""^\s*error[ ]+[-•][ ] | ^error[ ][A-Z] | ^[eE]:[ ] | ^vet:[ ] | ^curl:[ ]\(\d+\) | ^lua[\w.]*:[ ]
        | ^Undefined[ ]symbols[ ]for | ^Execution[ ]failed[ ]for | ^\s*ERR_\w+ | ^--[ ][A-Z][A-Z ]+[ ]-{3}
        | ^(?:unformatted|error|warning):?[ ].*would[ ]be[ ]re | ^(?:Would|would)[ ]reformat:?[ ]
        | ^(?:>[ ])?Could[ ]not[ ]\w+ | ^Your[ ]requirements[ ]could[ ]not | \bSC\d{4}[ ]\(
        | [ ]is[ ]not[ ]recognized[ ]as[ ] | ^\s*\d+:\d+\s+error\s
        | ^E[ ][ ][ ] | ^ERROR[ ] | \b[A-Z]\w*(?:Error|Exception)\b(?::|[ ]\[|$) | \b[Ee]rror(?:\[E\d+\])?:[ ]
        | \berror[ ]TS\d+ | ^[A-Z]{1,5}\d{2,5}[ ]
        | ^\s*(?:\[[\w:.-]+\]\s+)?\S*[\w)\]]\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:[ ]*\S | ^fatal:[ ] | ^panic:[ ]
        | panicked[ ]at | ^npm[ ](?:ERR!|error)[ ] | command[ ]not[ ]found | No[ ]such[ ]file[ ]or[ ]directory
        | \bCONFLICT[ ]\(
        | ^\s*-->[ ] | ^\[ERROR\][ ] | undefined[ ]reference | ^\s*(?:!\s*)?\[(?:remote[ ])?rejected\] | ^Caused[ ]by:
        | ^\*\*[ ]\(
        | ^\s*\d+:\d+\s+(?:error|warning)\s | \bERROR:[ ] | failed[ ]to[ ]\w+ | ^\(eval\): | ^(?:zsh|bash|sh|fish):[ ]
        | [Pp]ermission[ ]denied | \b[Cc]annot[ ]\w+ | ^\s*Error(?:[ ]Trace)?:\s | not[ ]found$
        | ^\s*(?:Expected|Received|expected|actual|want|got)\b.*:""",
    re.X,
)
"""Lines that say what went wrong."""
_LESS_THAN_AN_ERROR = compiled_later(
    r"""^\s*(?: (?:info|warning|warn|hint|help|note|style)\b(?:\[[^\]]*\])?\s*[-:•] | (?:warning|WARN)[ ]
        | w:[ ]
        | (?:\S*\d\d:\d\d:\d\d\S*\s+)?\[?(?:OK|INFO|WARN(?:ING)?|PASS|DEBUG|TRACE)(?:\]|[ ])
        | \w*Warning:\s | ={3} )
      | \(\d+,[ ]?\d+\):?[ ](?:warning|Warning|Hint) | \d\d:\d\d:\d\d\S*\s+\[?(?:INFO|DEBUG|TRACE)\b
      | :\d+(?::\d+)?:\s(?:warning|note|info|remark):\s | \.py:\d+:\s\w*Warning:\s | ^\s*\d+:\d+\s+warning\s""",
    re.X,
)
"""A line that says by itself that it is not an error: such lines are used only where nothing more severe was
printed."""
_WARNS = compiled_later(r"(?i)\A\W*warn(?:ing)?\b")
_GOES_ON_BELOW = compiled_later(r"\Aerror: .*\bfollowing\b.*:\Z")
"""An error whose subject stands in the next line."""
_PLACE_BELOW = compiled_later(r"\A\s*-->\s+(\S+:\d+(?::\d+)?)\Z")
"""Under what is wrong: where it is."""
_PANICKED = compiled_later(r"panicked at \S+:\d+:\d+:$")
"""Above what is wrong: where it is."""
_LOADING = compiled_later(r"\A\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: loading \S+\s*")
"""Before an error on the same line: what a test runner has just begun."""
_USAGE = compiled_later(r"\A\s*[Uu]sage:")
_SAYS_NOTHING = compiled_later(
    r"""\A\s*(?: -{1,2}[A-Za-z][\w-]*(?:,[ ]-{1,2}[\w-]+)?(?:[ =]<?[\w.-]+>?)?\s{2,}\S | [Uu]sage: | (?:Flags|Options):
        | \{".*\}\s*\Z | (?:[-+]\s*)?//[/!]?[ ] | stack[ ]traceback: | ●[ ]Test[ ]suite[ ]failed[ ]to[ ]run\Z
        | \#[ ]\S+\Z | %[ ]Total )""",
    re.X,
)
"""A flag in a help text, an object in JSON, a heading: such a line never says what went wrong."""
_SAYS_IT_PASSED = compiled_later(r"\sPASSED\b|\.\.\. ok$|^\s*(?:[✓✔√]|--- PASS:|PASS\b|ok\s)")
_COUNTS = compiled_later(
    r"""\b[1-9]\d*[ ](?:failed|errors?|failures?)\b | ^g?make(?:\[\d+\])?:[ ]\*\*\* | BUILD[ ]FAIL | ^FAIL\b
        | ERROR[ ]task[ ]failed | ^Automatic[ ]merge[ ]failed | ^Found[ ]\d+""",
    re.X,
)
_EMPTY = compiled_later(
    r"^[\W_]*$|^[\d\s:.,%/-]+$|^FAIL$"
    r"|^(?:Error: )?Exit code \d+$|^[\w ]*exit status \d+$|^\s*at .+:\d+:\d+\)?$|^\S+:\d+: in \S+$"
)
_TEST_NAME = compiled_later(r"\A\s*+--- FAIL: (\S++)|\Atest (\S++) \.\.\. FAILED|\A(?:FAILED|ERROR) [^\s:]++::(\S++)")
_COUNTED = compiled_later(r"\b(\d{1,6}) (?:tests? )?(?:failed|failing|failures?)\b")
_PACKAGE = compiled_later(r"FAIL\t(\S+)")
_FAILED_IN = compiled_later(r"(?:FAILED|ERROR|FAIL):?[ ]+([\w./@+-]+\.\w+)")
_TOOL = compiled_later(
    r"""\A( (?:[\w.~-]++/)*+ (?:pytest|ruff|mypy|pyright|go|cargo|npx|jest|vitest|eslint|tsc|python[\d.]*+[ ]-m)
        (?:[ ][\w./:=*-]++)*+ (?:[ ]*+(?:\|\|?|;|&)[^\n]*+)? )\Z""",
    re.X,
)
_ECHO = compiled_later(r"\A(?:(?:\[[\w:.-]+\]\s+|nox |[\w.-]+: \w+\[\d+\])?[$>+]|task: \[[\w:.-]+\])\s+(\S.*)")
_COLOUR = compiled_later(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
_NOT_RUN = compiled_later(
    r"""\A\s*+(?:<tool_use_error>)?(?:Exit[ ]code[ ]\d+\s*+)?(?:
          Cancelled:[ ]parallel | Sibling[ ]tool[ ]call[ ]errored | Blocked:
        | This[ ]session[ ]is[ ]isolated[ ]in[ ]the[ ]worktree | MCP[ ]error[ ]-32602:[ ]Input[ ]validation
        | \[Request[ ]interrupted | InputValidationError | Error:[ ]Invalid[ ]tool
        | \w+[ ]requested[ ]permissions[ ]to | This[ ]command[ ]requires[ ]approval
        | This[ ]Bash[ ]command[ ]contains[ ]multiple[ ]operations\.[ ]The[ ]following[ ]part
        | Permission[ ]to[ ]use[ ].{1,500}?[ ]has[ ]been[ ]denied | Permission[ ]for[ ]this[ ]action[ ]was[ ]denied
        | File[ ]is[ ]in[ ]a[ ]directory[ ]that[ ]is[ ]denied
        | The[ ]user[ ]doesn't[ ]want[ ]to[ ](?:proceed|take)[ ]
        | (?:Error:[ ])?(?:Pre\w{1,30}:\S{1,200}[ ](?:hook[ ]error|blocked)\b | Hook[ ]Pre\w{1,30}:\S{1,200}[ ]denied
            | Operation[ ]stopped[ ]by[ ]hook
            | \{"\w{1,40}":[ ]?\{.{0,300}?"\w{1,30}Decision":[ ]?"deny") )""",
    re.X | re.S,
)
"""The call was never made, so it says nothing about the work: a person, a rule or a hook of any program refused it."""
_DENIED = compiled_later(
    r"\A\s*+(Permission (?:for this action was denied|to use .{1,100}? has been denied)[^.\n]{0,100}"
    r"(?:\. Reason: [^.\n]{1,160})?)"
)
"""A client's own rule or classifier denied the call."""
_CLIENTS_ORDER = compiled_later(r"\A\s*+(?:<tool_use_error>)?File has (?:not been read yet|been modified since read)")
"""The client refuses a change only because the file must be read first."""
_REPORTS_WELL = compiled_later(
    r"""(?i)\b[1-9]\d*+[ ](?:tests?[ ])?(?:pass(?:ed|ing|es)?|ok|succeeded)\b | [✓✔√] | \bsucce(?:ss|eded|ssful)
        | \b(?:ok|pass(?:ed)?|finished|done|completed?|compiled|clean|unchanged)\b | \bbuilt[ ]in\b | \bup[ ]to[ ]date\b
        | \b(?:0|no)[ ](?:errors?|issues?|problems?|failed|failures?|warnings?)\b | \(Static\)""",
    re.X,
)
_STOPPED = compiled_later(r"\A\s*+(?:Error: )?Exit code (?:124|130|137|143)\b")
_PASSES = compiled_later(r"\b[1-9]\d*+ pass(?:ed|ing|es)?\b")
_NONE_FAILED = compiled_later(r"\b0 (?:failed|failing|failures?)\b")
_NONE_LEFT = compiled_later(r"\b0 remaining\b|\(0 errors\b")
_CONFLICT = compiled_later(r"(?m)^CONFLICT \(|^error: could not apply|: needs merge$")
_MISWRITTEN = compiled_later(
    r"""^(?:\(eval\)|(?:[/\w]*/)?(?:ba|z|da)?sh):(?:[ ]-c:)?(?:[ ]line)?[ ]?\d*:[ ].*(?:parse[ ]error|syntax[ ]error
        |read-only[ ]variable|no[ ]matches[ ]found|bad[ ]substitution|unexpected[ ]EOF|unmatched
        |event[ ]not[ ]found)""",
    re.X | re.M,
)
_LACKING = compiled_later(r"(?m): command not found$|^zsh: command not found: ")
_LOST = compiled_later(r"\bcd: .*(?:[Nn]o such file|[Nn]ot a directory)")
_COMPLAINS = compiled_later(r"(?m)\tfail\t|: (?:Is a directory|Not a directory|cannot |[Pp]ermission denied)|^\S+: ")
_MOST_LINES = 600
_MOST_LAST = 50
_MOST_TESTS = 50
"""Failed tests that are read from one output."""
_MOST_ECHOED = 20
"""Commands that an output shows before it runs them."""
_LONGEST_LINE = 2000


def was_not_run(output: str) -> bool:
    return is_denial(output) or bool(_NOT_RUN.match(output))


def denial(output: str) -> str:
    """What the client says if its own rules denied the call; empty if they did not."""
    found = _DENIED.match(output)
    return " ".join(found[1].split()) if found else ""


def wants_it_read_first(output: str) -> bool:
    return bool(_CLIENTS_ORDER.match(output))


def made_a_file(output: str) -> bool:
    """Whether a client says that the file was not there before."""
    return output.startswith("File created successfully")


def says_it_failed(output: str) -> bool:
    if not any(sign in output for sign in _SIGNS):
        return False
    plain = _COLOUR.sub("", output)
    return bool(_FAILED.search(plain)) and bool(_FAILED.search(_without_passes(plain)))


def _without_passes(output: str) -> str:
    """The output without lines that say that all is well: so many passed and none failed, or no error is left."""
    lines = (line for line in output.split("\n") if not _is_good(line))
    return "\n".join(lines)


def _is_good(line: str) -> bool:
    return bool(_NONE_LEFT.search(line)) or bool(_PASSES.search(line) and _NONE_FAILED.search(line))


def plainly_failed(output: str) -> bool:
    """Whether any program, check or not, failed, judged by what it printed last."""
    return bool(_PLAINLY.search("\n".join(_COLOUR.sub("", output).splitlines()[-_MOST_LAST:])))


def was_stopped(output: str) -> bool:
    """Whether the program was ended from outside: by `timeout`, by a signal, or by the person."""
    return bool(_STOPPED.match(output))


def reports_well(output: str) -> bool:
    """Whether a check says that it passed. Many say so by saying nothing."""
    return not output.strip() or bool(_REPORTS_WELL.search(output))


def ended_badly(output: str) -> bool:
    """Whether a command that was made to print an exit code printed one other than 0."""
    found = _EXIT.findall(output[-_LONGEST_LINE:])
    return bool(found) and found[-1] != "0"


def is_a_number(output: str) -> bool:
    """Whether the output is only a count, such as `wc -l` prints; a count of 0 says something."""
    said = output.strip()
    return said.isdecimal() and said != "0"


def ran_nothing(output: str) -> bool:
    """Whether no test was run, so that none passed."""
    return bool(_RAN_NONE.search(output)) and not _RAN_SOME.search(output)


def complains(output: str) -> bool:
    """Whether the output of a command that only looks, and failed, says more than that it found nothing."""
    return bool(_COMPLAINS.search(output)) or says_it_failed(output)


def got_nowhere(output: str) -> bool:
    """Whether the command's first `cd` failed because the folder does not exist."""
    return bool(_LOST.search(output[:_LONGEST_LINE]))


def lacks_a_program(output: str) -> bool:
    """Whether a shell did not find a program: another one is taken the next time."""
    return bool(_LACKING.search(output[:_LONGEST_LINE]))


def was_miswritten(output: str) -> bool:
    """Whether a shell refused the command itself: it is written differently the next time."""
    return bool(_MISWRITTEN.search(output[:_LONGEST_LINE]))


def is_conflict(output: str) -> bool:
    return bool(_CONFLICT.search(output))


def failed_tests(output: str) -> tuple[Test, ...]:
    """The tests that the output names as failed; UNKNOWN behind them if it counts more than it names."""
    named = _named_tests(output)
    if named and _number_of_failures(output) > len(named):
        return (*named, UNKNOWN)
    return named


def _named_tests(output: str) -> tuple[Test, ...]:
    found: list[Test] = []
    waiting: list[str] = []
    """Names whose package stands in a later line."""
    for line in _COLOUR.sub("", output).splitlines()[-_MOST_LINES:]:
        package = _PACKAGE.match(line)
        if package:
            found += [Test(package[1], name) for name in waiting or [""]]
            waiting = []
        elif _NAMED.match(line):
            place, name = _place_and_name(line[:_LONGEST_LINE])
            if place:
                found.append(Test(place, name))
            elif name:
                waiting.append(name)
        if len(found) + len(waiting) >= _MOST_TESTS:
            break
    return tuple(dict.fromkeys([*found, *(Test("", name) for name in waiting)]))


def _place_and_name(line: str) -> tuple[str, str]:
    """The place and the name of the test in a line; each empty if the line does not have it."""
    place, names_told = _FAILED_IN.match(line), _test_names(line)
    return place[1] if place else "", names_told[-1] if names_told else ""


def _number_of_failures(output: str) -> int:
    return max((int(number) for number in _COUNTED.findall(output[-_LONGEST_LINE:])), default=0)


def _test_names(line: str) -> list[str]:
    told = _TEST_NAME.match(line)
    return [told[1] or told[2] or told[3]] if told else names.tests(line)


def echoed(output: str) -> list[str]:
    """Commands that a task prints before it runs them: `make` prints each one, other programs put a sign before it."""
    lines = _COLOUR.sub("", output).splitlines()[:_MOST_LINES]
    found = [_ECHO.match(line) or _TOOL.match(line) for line in lines]
    return list(dict.fromkeys(each[1] for each in found if each))[:_MOST_ECHOED]


def telling_lines(output: str, most: int = 10) -> list[str]:
    """Lines that name what failed and lines that say why, alternating, each once. Lines that only count failures are
    used where the others are missing."""
    last = [_LOADING.sub("", line) for line in _COLOUR.sub("", output).splitlines()[-_MOST_LINES:]]
    lines = [line for line in map(_cut, last) if not _EMPTY.match(line)]
    lines = _most_severe(_with_places(_without_help(lines)))
    named = _once((line for line in lines if _NAMED.match(line)), most)
    said = _once((line for line in lines if not _NAMED.match(line) and _SAYS.search(line)), most)
    by_turns = list(filter(None, chain.from_iterable(zip_longest(named, said, fillvalue=""))))
    if not by_turns:
        warned = [line for line in lines if _WARNS.match(line)]
        return _counted(lines, 2) or _once((warned or lines)[-_MOST_LAST:], _MOST_LAST)[-2:]
    by_turns.sort(key=lambda line: bool(_PLACE_BELOW.match(line)))
    if not named:
        by_turns[2:2] = [line for line in _counted(lines, 1) if line not in by_turns]
    return by_turns[:most]


def _without_help(lines: list[str]) -> list[str]:
    """The lines that may say something. Where a program explains its usage, what it says before that is the error."""
    usage = next((at for at, line in enumerate(lines) if _USAGE.match(line)), 0)
    after = [line for line in lines[usage:] if _NAMED.match(line) or _SAYS.search(line)] if usage else lines
    told = [*lines[:usage], *after]
    return [line for line in told if not _SAYS_NOTHING.match(line) and not _SAYS_IT_PASSED.search(line)]


def _with_places(lines: list[str]) -> list[str]:
    """The lines; a place that stands alone under what is wrong is put behind it."""
    joined: list[str] = []
    for line in lines:
        place = _PLACE_BELOW.match(line)
        if joined and (_PANICKED.search(joined[-1]) or _GOES_ON_BELOW.match(joined[-1])):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        elif place and joined and _takes_a_place(joined[-1]):
            joined[-1] = f"{joined[-1].rstrip()} ({place[1]})"
        else:
            joined.append(line)
    return joined


def _takes_a_place(line: str) -> bool:
    is_one = _SAYS.search(line) or _LESS_THAN_AN_ERROR.search(line)
    return bool(is_one) and not _PLACE_BELOW.match(line)


def _most_severe(lines: list[str]) -> list[str]:
    """The lines without those that are less than an error, if the others tell of one."""
    severe = [line for line in lines if not _LESS_THAN_AN_ERROR.search(line)]
    return severe if any(_NAMED.match(line) or _SAYS.search(line) for line in severe) else lines


def _counted(lines: list[str], most: int) -> list[str]:
    """The last lines that only count failures."""
    return _once((line for line in reversed(lines) if _COUNTS.search(line)), most)[::-1]


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE].rpartition(" ")[0]


def _once(lines: Iterable[str], most: int) -> list[str]:
    """Each line once, at most so many."""
    found: dict[str, None] = {}
    for line in lines:
        found[" ".join(line.split())] = None
        if len(found) == most:
            break
    return list(found)
