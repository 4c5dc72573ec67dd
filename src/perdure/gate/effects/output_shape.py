"""Finds out what shape a command's output has: `$(wc -l < f)` is a number, `$(pwd)` a path, `$(mktemp)` a new file.

It matters because a word that is not known before the command runs may be anything: an option, or a path outside the
work. `kill $(cat pid)` must be judged so; `head -n $(wc -l < f) g` need not, since a number is neither. Without this
module the gate would deny many commands that only read.

The shape is known only where a single pipeline of a substitution prints, and by the commands of that pipeline. In all
other cases the output may be anything.
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import NAME, PLAIN
from perdure.gate.shell.scope import commands_of, is_digits
from perdure.gate.shell.syntax import literal
from perdure.gate.shell.words import (
    ANY,
    EACH,
    FOUND,
    HASH,
    HASHES,
    INTEGER,
    INTEGERS,
    LOCATION,
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
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.analysis import Walk
    from perdure.gate.shell.syntax import Command, Word
    from perdure.gate.shell.words import Hole

SILENT = (["set", "-e"], ["set", "-eu"], ["set", "-u"], ["set", "-x"])
"""Commands that print nothing on standard output, so that another one beside them has the output for itself."""
KEEP = frozenset(("head", "tail", "sort", "uniq", "xargs", "tac"))
"""With no options but a count, these print some of the lines they read, unchanged."""
ONLY_DIGITS = (["tr", "-cd", "0-9"], ["tr", "-dc", "0-9"])
"""They leave nothing but digits of what they read: a number, whatever it was."""
NO_BLANKS = (["tr", "-d", " "], ["tr", "-d", "[:space:]"], ["tr", "-d", "\n"])
"""They take out blanks: the shape of what they read stays."""
COUNTING = ("-c", "--count", "-ic", "-ci", "-cv", "-vc", "-cE", "-cF", "-Ec", "-Fc", "-cw", "-wc")
"""Options of grep with which it prints how many lines match, and nothing else."""
FIRST_BY_COLON = (
    *(["cut", "-d:", "-f1"], ["cut", "-d", ":", "-f1"], ["cut", "-d", ":", "-f", "1"], ["cut", "-f1", "-d:"]),
    *(["cut", "-f", "1", "-d", ":"], ["awk", "-F:", "{print $1}"]),
)
"""They print what is before the first colon: the line numbers of `grep -n`."""
BEGINS_WITH_NUMBERS = (["wc", "-l"], ["wc", "-c"], ["wc", "-w"], ["du", "-sk"], ["du", "-sm"], ["du", "-sb"])
"""Each line that they print begins with a number, and a name follows: one that the command gives, and not one that they
find, since a name may have a line end."""
NUMBER_ACTIONS = ("{print NR}", "{print NR; exit}", "{print NR;exit}", "{ print NR; exit }")
"""What an awk program does with a line that matches, if it prints only the line's number."""
NUMBER_FORMATS = ("+%s", "+%Y", "+%s%N", "+%m", "+%d", "+%H")
"""Formats with which `date` prints only digits."""
STAT_NUMBERS = (["-c", "%s"], ["-c", "%Y"], ["-c%s"])
"""Options with which `stat` prints only digits: the size, or the time of the last change."""
REVISION = NAME | frozenset("./@{}~^-")
"""The characters of a git revision, such as `HEAD~2` or `main@{1}`."""


def shape_of(body: s.List, walk: Walk) -> Hole:
    printing = [step for step in body.steps if not _is_silent(step)]
    if len(printing) != 1 or walk.functions:
        return OUTPUT
    return _of_pipeline(printing[0].pipeline.commands, walk)


def piped_words(before: tuple[Command, ...], command: Command, walk: Walk) -> list[Field] | None:
    """The words that `command`, an xargs, reads from the commands before it; None where their shape is not known."""
    if not before or not isinstance(command, s.Simple) or _words(command)[:1] != ["xargs"]:
        return None
    if walk.functions or _reads_file(command):
        return None
    shape = _of_pipeline(before, walk)
    if shape in (INTEGER, HASH, INTEGERS, HASHES):
        return [Field((shape,), splits=True)]
    if len(before) == 1 and _finds_paths(_words(before[0])):
        return [Field(("./", ANY)), Field(("./", ANY))]
    return None


def read_by_loop(before: tuple[Command, ...], command: Command, walk: Walk) -> tuple[str, Hole] | None:
    """The variable that `… | while read x; do …` sets, and what each line that it reads is; None where that is not
    known, or where another part of the command sets the variable or reads lines too."""
    if not before or not isinstance(command, s.While) or walk.functions:
        return None
    name = _read_alone(command)
    if name is None or not walk.scope.is_set_once(name):
        return None
    shape = EACH.get(_of_pipeline(before, walk))
    return (name, shape) if shape is not None else None


def _read_alone(loop: s.While) -> str | None:
    """The variable of `while read x`, where nothing else in the loop reads lines into variables; else None."""
    reading = [node for node in commands_of(loop) if isinstance(node, s.Simple) and "read" in _words(node)]
    condition = loop.condition.steps[0].pipeline.commands
    if len(reading) != 1 or condition != (reading[0],) or len(loop.condition.steps) != 1:
        return None
    words = [word for word in _words(reading[0]) if word != "-r"]
    redirected = loop.redirects or reading[0].redirects or reading[0].assignments
    return words[1] if len(words) == 2 and words[0] == "read" and not redirected else None


def _finds_paths(words: list[str | None]) -> bool:
    """Whether it is `find FOLDER -print0`, whose paths begin with the folder and so not with a dash."""
    prints = [word for word in words if word and word.startswith(("-print", "-fprint", "-ls", "-exec", "-ok"))]
    return words[:1] == ["find"] and prints == ["-print0"] and _begins_plainly(words[1:])


def _reads_file(command: s.Simple) -> bool:
    return any(redirect.operator.startswith("<") for redirect in command.redirects)


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


def _kept(before: Hole, words: list[str | None]) -> Hole:
    """The shape of some of the lines. A name that find prints may have a line end, so only its first line is known."""
    return OUTPUT if before == FOUND and words[0] != "head" else before


def _finds_lines(given: _Given) -> Hole:
    """What find prints begins with the folder that it was given."""
    lists = not any((word or "-print").startswith(_PRINTING) for word in given.words)
    return FOUND if lists and _begins_plainly(given.words) else OUTPUT


_PRINTING = ("-print", "-fprint", "-ls", "-fls", "-exec", "-ok", "-files0-from")


def _is_silent(step: s.JoinedPipeline) -> bool:
    """Whether it certainly prints nothing: a plain `cd`, plain assignments, or options of the shell."""
    commands = step.pipeline.commands
    first = commands[0]
    if len(commands) != 1 or not isinstance(first, s.Simple) or first.redirects:
        return False
    if not all(_is_plain_assignment(assignment) for assignment in first.assignments):
        return False
    words = [literal(word) for word in first.words]
    return not words or _is_silent_cd(words) or words in SILENT


def _is_silent_cd(words: list[str | None]) -> bool:
    """`cd FOLDER`; `cd -` prints the folder."""
    return len(words) == 2 and words[0] == "cd" and words[1] not in (None, "-")


def _is_plain_assignment(assignment: s.Assignment) -> bool:
    return literal(assignment.content) is not None and assignment.array is None


def _words(command: Command) -> list[str | None]:
    """Each word's text; None where it is not known, or where a glob or brace may make several words of it."""
    if not isinstance(command, s.Simple):
        return []
    return [None if _may_grow(word) else literal(word) for word in command.words]


def _known_words(command: Command, walk: Walk) -> list[str | None]:
    """The same, with the values of variables where they are known."""
    words = _words(command)
    if not isinstance(command, s.Simple):
        return words
    return [_of_variable(word, walk) if text is None else text for text, word in zip(words, command.words, strict=True)]


def _of_variable(word: Word, walk: Walk) -> str | None:
    """The text of a word such as `"$f"`; one of several if all of them are plain names."""
    if _may_grow(word) or not all(isinstance(part, s.Var | s.Text) for part in word):
        return None
    found: list[str] = []
    for alternative in walk.scope.expand(word):
        if len(alternative) != 1 or alternative[0].text is None:
            return None
        found.append(alternative[0].text)
    if len(set(found)) == 1:
        return found[0]
    return found[0] if found and all(_is_plain_name(each) for each in found) else None


def _may_grow(word: Word) -> bool:
    bare = "".join(part.text for part in word if isinstance(part, s.Text) and not part.quoted)
    return has_glob(bare) or may_brace(word)


def _of_pipeline(commands: tuple[Command, ...], walk: Walk) -> Hole:
    """The shape after the last command, found from left to right: each reads what the one before it prints."""
    found: Hole = OUTPUT
    source: list[str | None] = []
    for place, command in enumerate(commands):
        words = _known_words(command, walk)
        if not isinstance(command, s.Simple) or not _prints_itself(command, words):
            return OUTPUT
        redirected = _reads_file(command)
        if redirected and place:
            found, source = OUTPUT, []
        reads = place > 0 or redirected
        found = _next(found, words, source, reads=reads, walk=walk)
        if not place or not _keeps(words):
            source = words
    return found


def _prints_itself(command: s.Simple, words: list[str | None]) -> bool:
    """Whether its name is known, and its standard output is what it prints and nothing else."""
    if not words or words[0] is None:
        return False
    return not any(_is_output(redirect) for redirect in command.redirects)


def _keeps(words: list[str | None]) -> bool:
    """Whether it prints lines that it reads, and none of its words is a file: `head -3`, `sort -rn`, `uniq`."""
    rest = words[1:]
    if rest[:1] == ["-n"] and words[0] in ("head", "tail"):
        return len(rest) == 2 and is_digits(rest[1] or "x")
    return words[0] in KEEP and all(_is_count(word) for word in rest)


def _is_output(redirect: s.Redirect) -> bool:
    """Whether it changes what arrives on standard output, as `2>&1` and `> f` do and `2>/dev/null` does not."""
    if redirect.operator.startswith("<") and redirect.operator != "<&":
        return False
    quiet = redirect.descriptor == "2" and literal(redirect.target) == "/dev/null"
    return not quiet


def _next(before: Hole, words: list[str | None], previous: list[str | None], *, reads: bool, walk: Walk) -> Hole:
    """The shape of what this command prints. `before` is the shape of its input, which the command `previous` made."""
    if words in ONLY_DIGITS:
        return INTEGER
    if words in NO_BLANKS or (reads and _keeps(words)):
        return _kept(before, words)
    if words in FIRST_BY_COLON:
        return INTEGERS if _numbers_lines(previous) else OUTPUT
    if words in (["awk", "{print $1}"], ["cut", "-f1"]):
        return INTEGERS if _begins_with_number(previous, words) else OUTPUT
    if _prints_line_numbers(words):
        return INTEGERS
    return _shape(words, reads, walk)


def _begins_with_number(printing: list[str | None], reading: list[str | None]) -> bool:
    """Whether the first column is a number. `wc` puts blanks around it, which only awk skips; `du` puts a tab after it,
    at which cut splits too."""
    named = all(_is_plain_name(word) for word in printing[2:])
    return printing[:2] in BEGINS_WITH_NUMBERS and named and (reading[0] == "awk" or printing[0] == "du")


def _is_plain_name(word: str | None) -> bool:
    """Whether it is a file's name that is one word, and no option."""
    return word is not None and word.split() == [word] and not word.startswith("-")


def _prints_line_numbers(words: list[str | None]) -> bool:
    """`awk '/pattern/ {print NR}'`, with a file or without."""
    program = words[1] if words[0] == "awk" and len(words) in (2, 3) else None
    if program is None or not program.startswith("/") or not program.endswith(NUMBER_ACTIONS):
        return False
    return program.count("{") == 1 and not {";", "\n", "}"} & set(program.partition("{")[0])


def _is_count(word: str | None) -> bool:
    return word in ("-r", "-u", "-rn", "-nr") or ((word or "").startswith("-") and is_digits((word or "").lstrip("-n")))


def _numbers_lines(words: list[str | None]) -> bool:
    """Whether it is `grep -n PATTERN FILE`, which prints the number at the start of each line."""
    options = [word for word in words[1:] if word and word.startswith("-")]
    plain = words[:1] == ["grep"] and options in (["-n"], ["-in"], ["-ni"], ["-nE"], ["-En"], ["-nF"], ["-Fn"], ["-nw"])
    operands = [word for word in words[1:] if word not in options]
    return plain and len(operands) in (1, 2) and all(_is_plain_name(word) for word in operands[1:])


@value
class _Given:
    """What a program is given: its words (None for unknown ones), and whether it reads another program's output."""

    words: list[str | None]
    reads: bool
    walk: Walk

    @property
    def options(self) -> list[str | None]:
        """The words that are or may be options."""
        return [word for word in self.words if word is None or word.startswith("-")]

    @property
    def operands(self) -> list[str]:
        return [word for word in self.words if word is not None and not word.startswith("-")]


def _shape(words: list[str | None], reads: bool, walk: Walk) -> Hole:
    """The shape that the program's card gives; `BY_WORDS` has the programs for which it depends on their words."""
    name, rest = words[0] or "", words[1:]
    if name in BY_WORDS:
        return BY_WORDS[name](_Given(rest, reads, walk))
    return _by_card(name, rest)


def _wc(given: _Given) -> Hole:
    counts_one_thing = given.options in (["-l"], ["-c"], ["-w"], ["-m"])
    return INTEGER if given.reads and not given.operands and counts_one_thing else OUTPUT


def _counts_matches(given: _Given) -> bool:
    options = given.options
    return len(options) == 1 and options[0] in COUNTING


def _grep(given: _Given) -> Hole:
    """With two or more files it would also print their names."""
    return INTEGER if _counts_matches(given) and 1 <= len(given.operands) <= 2 else OUTPUT


def _rg(given: _Given) -> Hole:
    """Without a file or input it would search the folder and also print names."""
    return INTEGER if _counts_matches(given) and given.reads and len(given.operands) == 1 else OUTPUT


def _seq(given: _Given) -> Hole:
    numbers = bool(given.words) and all(word is not None and _is_integer(word) for word in given.words)
    return INTEGERS if numbers and not given.options else OUTPUT


def _date(given: _Given) -> Hole:
    return INTEGER if given.words and given.words[-1] in NUMBER_FORMATS else OUTPUT


def _stat(given: _Given) -> Hole:
    """`stat -c %s FILE`, for one file."""
    words = given.words
    is_number = words[:2] in STAT_NUMBERS or words[:1] in STAT_NUMBERS
    return INTEGER if is_number and len(given.options) == 1 and len(words) <= 3 else OUTPUT


def _pwd(_given: _Given) -> Hole:
    return PATH


def _which(given: _Given) -> Hole:
    """A program that `PATH` finds is where the person put it."""
    if len(given.words) != 1 or len(given.operands) != 1:
        return OUTPUT
    return LOCATION if PLAIN.issuperset(given.operands[0]) and "/" not in given.operands[0] else PATH


def _command(given: _Given) -> Hole:
    return _which(_Given(given.words[1:], given.reads, given.walk)) if given.words[:1] == ["-v"] else OUTPUT


def _mktemp(given: _Given) -> Hole:
    """A template with a folder is in scratch only if the folder is; without one, the card decides."""
    if any(word is None or word.split() != [word] for word in given.words):
        return OUTPUT
    if any(word.startswith("/") for word in given.words if word is not None):
        return SCRATCH if _is_template_in_scratch(given.words, given.walk) else OUTPUT
    if any(word is None or word == "" or "/" in word for word in given.words):
        return OUTPUT
    return _by_card("mktemp", given.words)


def _is_integer(text: str) -> bool:
    return text.lstrip("-").isdigit() and text.isascii()


def _git(given: _Given) -> Hole:
    if given.words in PRINTS_BRANCH:
        return WORD
    verb, words = given.words[:1], given.words[1:]
    if verb == ["rev-parse"] and len(words) == 1 and _is_revision(words[0] or "-"):
        return HASH
    if (verb == ["rev-list"] and _lists_commits(words)) or (verb == ["log"] and _logs_hashes(words)):
        return HASHES
    return _by_card("git", given.words)


def _lists_commits(words: list[str | None]) -> bool:
    return words[:1] != ["--count"] and all(_limits(word) for word in words)


def _logs_hashes(words: list[str | None]) -> bool:
    formats = [word for word in words if word in HASH_FORMATS]
    return bool(formats) and all(_limits(word) for word in words if word not in formats)


def _processes(given: _Given) -> Hole:
    """`pgrep -f NAME`, `pidof NAME`: numbers, unless an option asks for more."""
    return INTEGERS if all(option in PROCESS_OPTIONS for option in given.options) else OUTPUT


PROCESS_OPTIONS = ("-f", "-x", "-n", "-o", "-i", "-fn", "-fx", "-xf", "-nf", "-of", "-s")


def _lsof(given: _Given) -> Hole:
    """`lsof -t` prints numbers of processes."""
    options = [option or "-F" for option in given.options]
    terse = any(option.startswith("-t") for option in options) and not any("F" in option for option in options)
    return INTEGERS if terse and None not in given.words else OUTPUT


def _go(given: _Given) -> Hole:
    """`go list -f '{{.Dir}}' PACKAGE` prints the package's folder."""
    words = [word for word in given.words if word != "-m"]
    names = words[3:]
    lists = words[:3] == ["list", "-f", "{{.Dir}}"] and len(names) <= 1
    return PATH if lists and all(_is_plain_name(name) and "..." not in (name or "") for name in names) else OUTPUT


def _gh(given: _Given) -> Hole:
    """`gh run list --json databaseId --jq '.[0].databaseId'` prints a number, or `null`."""
    words = given.words
    if words[:1] not in (["run"], ["pr"], ["issue"]) or words[1:2] not in (["list"], ["view"]):
        return OUTPUT
    filters = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("--jq", "-q")]
    others = any(word is None or word.startswith(("--jq=", "-q=", "--template", "-t")) for word in words)
    return HASHES if len(filters) == 1 and filters[0] in NUMBER_FILTERS and not others else OUTPUT


NUMBER_FILTERS = tuple(
    f"{start}{field}" for start in (".[0].", ".[].", ".") for field in ("databaseId", "number", "runNumber")
)
"""Filters of gh that give numbers."""


def _kubectl(given: _Given) -> Hole:
    """`kubectl get pods -o name` prints the kind of each object and its name, in letters, digits and `-./`."""
    words = given.words
    formats = [word for word in words if word is None or word.startswith(("-o", "--output", "--template"))]
    names = formats in (["-o"], ["-oname"], ["-o=name"], ["--output=name"])
    return HASHES if words[:1] == ["get"] and names and (formats != ["-o"] or _follows(words, "-o", "name")) else OUTPUT


def _follows(words: list[str | None], option: str, value: str) -> bool:
    return words[words.index(option) + 1 :][:1] == [value]


BY_WORDS: dict[str, Callable[[_Given], Hole]] = {
    "wc": _wc,
    "grep": _grep,
    "egrep": _grep,
    "rg": _rg,
    "seq": _seq,
    "date": _date,
    "stat": _stat,
    "pwd": _pwd,
    "which": _which,
    "command": _command,
    "mktemp": _mktemp,
    "git": _git,
    "find": _finds_lines,
    "pgrep": _processes,
    "pidof": _processes,
    "lsof": _lsof,
    "go": _go,
    "gh": _gh,
    "kubectl": _kubectl,
}
"""Programs whose output depends on their words in ways that a card cannot express."""
PRINTS_BRANCH = (
    ["branch", "--show-current"],
    ["rev-parse", "--abbrev-ref", "HEAD"],
    ["symbolic-ref", "--short", "HEAD"],
)
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
    from perdure.gate.effects import judge_by_card
    from perdure.gate.effects.cards import match

    while rest and judge_by_card.find_card(f"{name} {rest[0]}"):
        name, rest = f"{name} {rest[0]}", rest[1:]
    card = judge_by_card.find_card(name)
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
