"""What shape a substitution's output has: `$(wc -l < f)` is a number, `$(pwd)` a path, `$(mktemp)` new in scratch.

Only the last command of the last pipeline prints into it, where it is the only one that does. What is not known is
anything at all.
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.parse import literal
from perdure.gate.shell.words import ANY, INTEGER, PATH, SCRATCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.analysis import Walk
    from perdure.gate.shell.words import Hole

SILENT = frozenset(["cd", "set", "shopt", "true", ":", "read", "test", "[", "export", "declare", "local", "unset"])
KEEPS_NUMBERS = (["tr", "-d", " "], ["tr", "-d", "[:space:]"], ["tr", "-d", "\n"], ["xargs"], ["tr", "-cd", "0-9"])
KEEPS_NUMBERS_OUT = (["tr", "-cd", "0-9"], ["tr", "-dc", "0-9"])


def shape_of(body: s.List, walk: Walk) -> Hole:
    printing = [step for step in body.steps if not _is_silent(step)]
    if len(printing) != 1 or walk.functions:
        return ANY
    commands = printing[0].pipeline.commands
    last = commands[-1]
    if not isinstance(last, s.Simple):
        return ANY
    words = [literal(word) for word in last.words]
    if words in KEEPS_NUMBERS_OUT:
        return INTEGER
    if words in KEEPS_NUMBERS and len(commands) > 1:
        return shape_of(s.List((s.Step("", s.Pipeline(commands[:-1])),)), walk)
    if not words or words[0] is None:
        return ANY
    return _shape(words, piped=len(commands) > 1 or any(r.operator.startswith("<") for r in last.redirects), walk=walk)


def _is_silent(step: s.Step) -> bool:
    commands = step.pipeline.commands
    first = commands[0]
    if len(commands) != 1 or not isinstance(first, s.Simple):
        return False
    return not first.words or literal(first.words[0]) in SILENT


def _shape(words: list[str | None], piped: bool, walk: Walk) -> Hole:
    """By the program's card; a few whose output depends on whether they are given files are here."""
    name, rest = words[0] or "", words[1:]
    options = [word for word in rest if word is None or word.startswith("-")]
    operands = len(rest) - len(options)
    if name == "wc":
        return INTEGER if piped and operands == 0 and options in (["-l"], ["-c"], ["-w"], ["-m"]) else ANY
    if name in ("grep", "egrep", "rg"):
        counts = any(option in COUNTING for option in options)
        return INTEGER if counts and piped and operands == 1 else ANY
    if name == "date":
        return INTEGER if rest and rest[-1] in ("+%s", "+%Y", "+%s%N", "+%m", "+%d", "+%H") else ANY
    if name == "stat":
        return INTEGER if rest[:2] in (["-c", "%s"], ["-c", "%Y"], ["-c%s"], ["-f", "%z"]) and len(rest) <= 3 else ANY
    if name == "pwd":
        return PATH
    if name == "mktemp" and any(word is None or word.startswith("/") for word in rest):
        return SCRATCH if _is_template_in_scratch(rest, walk) else ANY
    return _by_card(name, rest)


COUNTING = ("-c", "--count", "-ic", "-ci", "-cv", "-vc", "-cE", "-cF", "-Ec", "-Fc")


def _by_card(name: str, rest: list[str | None]) -> Hole:
    from perdure.gate.effects import programs
    from perdure.gate.effects.cards import match
    from perdure.gate.shell.words import SHAPES, Field, known

    while rest and programs.find_card(f"{name} {rest[0]}"):
        name, rest = f"{name} {rest[0]}", rest[1:]
    card = programs.find_card(name)
    fields = [known(word) if word is not None else Field((ANY,)) for word in rest]
    for form in card.forms if card else ():
        if not match(form, fields).trouble:
            return SHAPES.get(form.prints, ANY)
    return ANY


def _is_template_in_scratch(rest: list[str | None], walk: Walk) -> bool:
    """`mktemp [-d] [-q] /tmp/name.XXXXXX`"""
    from perdure.gate.effects import targets

    templates = [word for word in rest if word not in ("-d", "-q", "--directory", "--quiet")]
    if len(templates) != 1 or templates[0] is None or not templates[0].startswith("/"):
        return False
    return targets.place_of(templates[0], None, walk.world)[0] == targets.SCRATCH
