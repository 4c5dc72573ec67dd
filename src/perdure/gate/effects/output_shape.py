"""What shape a command's output has: `$(wc -l < f)` is a number, `$(pwd)` a path, `$(mktemp)` new in scratch.

Only the last command of the last pipeline prints into a substitution, where it is the only one that does. What is not
known is anything at all.
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import NAME
from perdure.gate.shell.scope import is_digits
from perdure.gate.shell.syntax import literal
from perdure.gate.shell.words import (
    ANY,
    HASH,
    HASHES,
    INTEGER,
    INTEGERS,
    OUTPUT,
    PATH,
    SCRATCH,
    SHAPES,
    WORD,
    Field,
    has_glob,
    known,
    may_brace,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.analysis import Walk
    from perdure.gate.shell.syntax import Command, Word
    from perdure.gate.shell.words import Hole

SILENT = (["set", "-e"], ["set", "-eu"], ["set", "-u"], ["set", "-x"])
KEEP = frozenset(("head", "tail", "sort", "uniq", "xargs", "tac"))
"""They print some of the lines they read, unchanged, where they have no options but a count."""
ONLY_DIGITS = (["tr", "-cd", "0-9"], ["tr", "-dc", "0-9"])
NO_BLANKS = (["tr", "-d", " "], ["tr", "-d", "[:space:]"], ["tr", "-d", "\n"])
COUNTING = ("-c", "--count", "-ic", "-ci", "-cv", "-vc", "-cE", "-cF", "-Ec", "-Fc", "-cw", "-wc")
FIRST_BY_COLON = (
    *(["cut", "-d:", "-f1"], ["cut", "-d", ":", "-f1"], ["cut", "-d", ":", "-f", "1"], ["cut", "-f1", "-d:"]),
    *(["cut", "-f", "1", "-d", ":"], ["awk", "-F:", "{print $1}"]),
)
BEGINS_WITH_NUMBERS = (
    ["wc", "-l"],
    ["wc", "-c"],
    ["wc", "-w"],
    ["du", "-sk"],
    ["du", "-sm"],
    ["du", "-k"],
    ["du", "-sb"],
)
REVISION = NAME | frozenset("./@{}~^-")


def shape_of(body: s.List, walk: Walk) -> Hole:
    printing = [step for step in body.steps if not _is_silent(step)]
    if len(printing) != 1 or walk.functions:
        return OUTPUT
    return _of_pipeline(printing[0].pipeline.commands, walk)


def fed(before: tuple[Command, ...], command: Command, walk: Walk) -> list[Field] | None:
    """The words that xargs at the end of a pipeline reads, where their shape is known."""
    if not before or not isinstance(command, s.Simple) or not command.words or literal(command.words[0]) != "xargs":
        return None
    if walk.functions or any(redirect.operator.startswith("<") for redirect in command.redirects):
        return None
    shape = _of_pipeline(before, walk)
    if shape in (INTEGER, HASH, INTEGERS, HASHES):
        return [Field((shape,), splits=True)]
    words = _words(before[-1]) if len(before) == 1 else []
    prints = [word for word in words if word and word.startswith(("-print", "-fprint", "-ls", "-exec", "-ok"))]
    if words[:1] == ["find"] and prints == ["-print0"] and _begins_plainly(words[1:]):
        return [Field(("./", ANY)), Field(("./", ANY))]
    return None


def _begins_plainly(words: list[str | None]) -> bool:
    """Whether find's starting points are known and none begins with a dash."""
    starts = []
    for word in words:
        if word is None:
            return False
        if word.startswith(("-", "(", "!")):
            break
        starts.append(word)
    return bool(starts)


def _is_silent(step: s.Step) -> bool:
    """A plain `cd`, plain assignments, or options of the shell: nothing that prints, and nothing that can."""
    commands = step.pipeline.commands
    first = commands[0]
    if len(commands) != 1 or not isinstance(first, s.Simple) or first.redirects:
        return False
    words = [literal(word) for word in first.words]
    plain = all(
        literal(assignment.content) is not None and assignment.array is None for assignment in first.assignments
    )
    if not plain or None in words:
        return False
    return not words or (words[0] == "cd" and len(words) == 2 and words[1] != "-") or words in SILENT


def _words(command: Command) -> list[str | None]:
    """Each word's text; None where it is not known, or where a glob or a brace may make several of it."""
    if not isinstance(command, s.Simple):
        return []
    return [None if _may_grow(word) else literal(word) for word in command.words]


def _may_grow(word: Word) -> bool:
    bare = "".join(part.text for part in word if isinstance(part, s.Text) and not part.quoted)
    return has_glob(bare) or may_brace(word)


def _of_pipeline(commands: tuple[Command, ...], walk: Walk) -> Hole:
    """From left to right: what one prints is what the next one reads."""
    found: Hole = OUTPUT
    source: list[str | None] = []
    for place, command in enumerate(commands):
        words = _words(command)
        if not words or words[0] is None or not isinstance(command, s.Simple):
            return OUTPUT
        if any(
            redirect.operator not in ("<", "<<<", "<<", "<<-") and _is_output(redirect)
            for redirect in command.redirects
        ):
            return OUTPUT
        redirected = any(redirect.operator.startswith("<") for redirect in command.redirects)
        if redirected and place:
            found, source = OUTPUT, []
        reads = place > 0 or redirected
        found = _next(found, words, source, reads=reads, walk=walk)
        source = source if place and _keeps(words) else words
    return found


def _keeps(words: list[str | None]) -> bool:
    """`head -3`, `head -n 3`, `sort -rn`, `uniq`: no word of theirs is a file."""
    rest = words[1:]
    if rest[:1] == ["-n"] and words[0] in ("head", "tail"):
        return len(rest) == 2 and is_digits(rest[1] or "x")
    return words[0] in KEEP and all(_is_count(word) for word in rest)


def _is_output(redirect: s.Redirect) -> bool:
    """Whether it changes what stands on standard output (`2>&1`, `> f`), rather than standard error alone."""
    if redirect.operator.startswith("<") and redirect.operator != "<&":
        return False
    quiet = redirect.descriptor == "2" and literal(redirect.target) == "/dev/null"
    return not quiet


def _next(before: Hole, words: list[str | None], previous: list[str | None], *, reads: bool, walk: Walk) -> Hole:
    if words in ONLY_DIGITS:
        return INTEGER
    if words in NO_BLANKS or (reads and _keeps(words)):
        return before
    if words in FIRST_BY_COLON:
        return INTEGERS if _numbers_lines(previous) else OUTPUT
    if words in (["awk", "{print $1}"], ["cut", "-f1"]):
        counted = previous[:2] in BEGINS_WITH_NUMBERS and (words[0] == "awk" or previous[0] == "du")
        return INTEGERS if counted else OUTPUT
    if words[0] == "awk" and len(words) in (2, 3) and _prints_line_number(words[1]):
        return INTEGERS
    return _shape(words[0] or "", words[1:], reads, walk=walk)


def _prints_line_number(program: str | None) -> bool:
    ends = ("{print NR}", "{print NR; exit}", "{print NR;exit}", "{ print NR; exit }")
    if program is None or not program.startswith("/") or not program.endswith(ends) or program.count("{") != 1:
        return False
    return not {";", "\n", "}"} & set(program.partition("{")[0])


def _is_count(word: str | None) -> bool:
    return word in ("-r", "-u", "-rn", "-nr") or ((word or "").startswith("-") and is_digits((word or "").lstrip("-n")))


def _numbers_lines(words: list[str | None]) -> bool:
    """`grep -n PATTERN FILE`, whose lines begin with their number."""
    options = [word for word in words[1:] if word and word.startswith("-")]
    plain = words[:1] == ["grep"] and options in (["-n"], ["-in"], ["-ni"], ["-nE"], ["-En"], ["-nF"], ["-Fn"], ["-nw"])
    return plain and len(words) - 1 - len(options) in (1, 2) and words[-1] is not None


def _shape(name: str, rest: list[str | None], reads: bool, *, walk: Walk) -> Hole:
    """By the program's card; a few whose output depends on what they are given are here."""
    options = [word for word in rest if word is None or word.startswith("-")]
    operands = [word for word in rest if word is not None and not word.startswith("-")]
    if name == "wc":
        return INTEGER if reads and not operands and options in (["-l"], ["-c"], ["-w"], ["-m"]) else OUTPUT
    if name in ("grep", "egrep", "rg"):
        counts = any(option in COUNTING for option in options) and None not in rest
        whole = (len(operands) == 1 and reads) if name == "rg" else 1 <= len(operands) <= 2
        return INTEGER if counts and len(options) == 1 and whole else OUTPUT
    if name == "seq":
        return INTEGERS if operands and len(operands) == len(rest) and all(_is_integer(o) for o in operands) else OUTPUT
    if name == "date":
        return INTEGER if rest and rest[-1] in ("+%s", "+%Y", "+%s%N", "+%m", "+%d", "+%H") else OUTPUT
    if name == "stat":
        sizes = (["-c", "%s"], ["-c", "%Y"], ["-c%s"])
        plain = (rest[:2] in sizes or rest[:1] in sizes) and len(options) == 1 and len(rest) <= 3 and None not in rest
        return INTEGER if plain else OUTPUT
    if name == "pwd":
        return PATH
    if name == "which":
        return PATH if len(rest) == 1 and len(operands) == 1 else OUTPUT
    if name == "mktemp" and any(word is None or word.startswith("/") for word in rest):
        return SCRATCH if _is_template_in_scratch(rest, walk) else OUTPUT
    if name == "mktemp" and any("/" in (word or "/") for word in rest):
        return OUTPUT
    if name == "git":
        return _git(rest)
    return _by_card(name, rest)


def _is_integer(text: str) -> bool:
    return text.lstrip("-").isdigit() and text.isascii()


def _git(rest: list[str | None]) -> Hole:
    verb, words = rest[0] if rest else None, rest[1:]
    if rest in (
        ["branch", "--show-current"],
        ["rev-parse", "--abbrev-ref", "HEAD"],
        ["symbolic-ref", "--short", "HEAD"],
    ):
        return WORD
    if verb == "rev-parse" and len(words) == 1 and words[0] and _is_revision(words[0]):
        return HASH
    if verb == "rev-list" and words[:1] != ["--count"] and all(_limits(word) for word in words):
        return HASHES
    if verb == "log" and all(_limits(word) or word in HASH_FORMATS for word in words):
        return HASHES if any(word in HASH_FORMATS for word in words) else OUTPUT
    return _by_card("git", rest)


HASH_FORMATS = ("--format=%H", "--format=%h", "--pretty=%H", "--pretty=%h", "--pretty=format:%H", "--pretty=format:%h")
LIMITS = ("-n", "--all", "--reverse", "--no-merges", "--merges", "--first-parent", "--")
VALUED_LIMITS = (
    "--max-count=",
    "--since=",
    "--until=",
    "--before=",
    "--after=",
    "--max-parents=",
    "--skip=",
    "--author=",
)


def _is_revision(word: str) -> bool:
    return not word.startswith("-") and REVISION.issuperset(word)


def _limits(word: str | None) -> bool:
    if word is None:
        return False
    return word in LIMITS or word.startswith(VALUED_LIMITS) or word.lstrip("-n").isdigit() or _is_revision(word)


def _by_card(name: str, rest: list[str | None]) -> Hole:
    from perdure.gate.effects import programs
    from perdure.gate.effects.cards import match

    while rest and programs.find_card(f"{name} {rest[0]}"):
        name, rest = f"{name} {rest[0]}", rest[1:]
    card = programs.find_card(name)
    fields = [known(word) if word is not None else Field((ANY,)) for word in rest]
    for form in card.forms if card else ():
        if not match(form, fields).trouble:
            return SHAPES.get(form.prints, OUTPUT)
    return OUTPUT


def _is_template_in_scratch(rest: list[str | None], walk: Walk) -> bool:
    """`mktemp [-d] [-q] /tmp/name.XXXXXX`"""
    from perdure.gate.effects import targets

    templates = [word for word in rest if word not in ("-d", "-q", "--directory", "--quiet")]
    if len(templates) != 1 or templates[0] is None or not templates[0].startswith("/"):
        return False
    folder = templates[0].rpartition("/")[0]
    if not walk.world.disk.is_folder(folder) or "XXX" not in templates[0] or templates[0].split() != templates:
        return False
    return targets.place_of(templates[0], None, walk.world)[0] == targets.SCRATCH
