"""Judges programs that run other programs: env, xargs, find, shells."""

from __future__ import annotations

import re

from perdure.gate.effects.cards import match, tail_of
from perdure.gate.effects.finding import FORBIDDEN
from perdure.gate.effects.judge_by_code import matched
from perdure.gate.effects.targets import names_record
from perdure.gate.effects.variables import is_harmless_value, set_in_the_shell
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import DECLARERS, NotUnderstood
from perdure.gate.shell.scope import commands_of, is_name, parts_of, words_of
from perdure.gate.shell.syntax import literal
from perdure.gate.shell.words import ANY, ENVIRONMENT, OUTPUT, UNKNOWN, Field, may_brace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card, Match
    from perdure.gate.shell.scope import Node
    from perdure.gate.shell.syntax import Part, Word
    from perdure.gate.shell.words import Segment


def env(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    found = matched(card, args)
    for field in found.values_of("-u", "--unset"):
        why = set_in_the_shell(field.text) if field.text else "which variable is taken away is not known"
        if why:
            call.praxic(why)
    if found.has("-C", "--chdir"):
        call.here = call.here.copy()
        call.here.set_unknown()
    given, command = _variables_and_command(found.operands)
    for variable, content in given.items():
        why = call.walk.why_not_given(variable) if is_name(variable) else f"`{variable}` is not a plain name"
        why = "" if is_harmless_value(variable, content.text) else why
        if why:
            call.praxic(why)
    if command:
        call.run(command, tuple(given))
    else:
        call.noetic("prints the environment")


def _variables_and_command(operands: list[Field]) -> tuple[dict[str, Field], list[Field]]:
    """The variables of `A=1 B=2 command …`, and the command."""
    names: dict[str, Field] = {}
    for place, field in enumerate(operands):
        name, equals, _ = (field.text or field.prefix).partition("=")
        if not equals:
            return names, operands[place:]
        names[name] = tail_of(field, len(name) + 1)
    return names, []


def xargs(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """xargs adds the words that it reads, which are mostly unknown, at the end of the command or where `-I` says."""
    call.walk.piped = False  # the command it runs reads the files that the words name, not the pipe
    found = matched(card, args)
    replacing = [content for name, content in found.options if name in ("-I", "-i", "--replace")]
    marks = [field.text if field is not None else "{}" for field in replacing]
    if len(marks) > 1:
        call.praxic("which of several options of xargs counts is not the same everywhere")
    elif not found.operands:
        call.noetic("prints what it reads")
    elif not marks:
        call.run([*found.operands, *_read_words(call, found)])
    elif marks[-1]:
        line = _read_words(call, found)[0]
        call.run([replaced(field, marks[-1], line) for field in found.operands])
        if found.has("-n", "--max-args", "-L", "-l", "--max-lines"):  # if this comes after `-I`, xargs appends words
            call.run([*found.operands, Field((OUTPUT,), splits=True, vanishes=True)])
    else:
        call.praxic("what xargs replaces is not known before it runs")


def _read_words(call: ProgramCall, found: Match) -> list[Field]:
    """The words that xargs reads. Paths stay whole only with `-0`; hashes and numbers contain no blanks anyway."""
    words, call.walk.piped_words = call.walk.piped_words, None
    if words and not found.has("-a", "--arg-file") and (not words[0].prefix or found.has("-0", "--null")):
        return words
    return [Field((OUTPUT,))] if found.has("-I", "-i", "--replace") else [Field((OUTPUT,), splits=True, vanishes=True)]


def replaced(field: Field, mark: str, by: Field) -> Field:
    """The field with every `mark` in it replaced by the other field."""
    text = field.text
    if text is None:
        return Field((*field.segments, ANY), field.splits) if mark in field.shown() else field
    if mark not in text:
        return field
    segments: list[Segment] = []
    for place, piece in enumerate(text.split(mark)):
        segments += [*(by.segments if place else ()), *([piece] if piece else [])]
    return Field(tuple(segments), by.splits)


FIND_FIRST = ("-H", "-L", "-P", "-E", "-X", "-x", "-d", "-s", "-O0", "-O1", "-O2", "-O3")
FIND_PLAIN = frozenset(
    """-print -print0 -ls -prune -quit -depth -d -empty -executable -readable -writable -false -true -nouser -nogroup
    -mount -xdev -daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -a -and -o -or
    -not ! ( ) , -X -x -s -E""".split()
)
FIND_VALUED = frozenset(
    """-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime
    -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -maxdepth
    -mindepth -regextype -fstype -used -context -printf -files0-from -Bmin -Btime -Bnewer -flags""".split()
)
FIND_WRITING = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}


def find(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    at = 0
    while at < len(args) and args[at].text in FIND_FIRST:
        at += 1
    while at < len(args) and not (args[at].text or args[at].prefix).startswith(("-", "(", "!")):
        field = args[at]
        if field.text is None and field.may_be_option and not _has_slash(field):
            call.praxic(
                f"find: `{field.shown()}` is not known before it runs and may be an action such as -delete; with `/` "
                "after it, in quotes, it is a folder"
            )
            return
        if field.begins_with_glob:
            _glob_of_options(call, name)
        at += 1
    _find_expression(call, args, at)


def _has_slash(field: Field) -> bool:
    """Whether it is one word with a slash in it: no test or action of find has one, and find refuses others."""
    return not field.splits and any(isinstance(segment, str) and "/" in segment for segment in field.segments)


def _glob_of_options(call: ProgramCall, name: str) -> None:
    if call.walk.dashes(call.here):
        call.praxic(f"{name}: a glob here finds names that begin with `-`, which are options")
    call.walk.shared.assumed_harmless.append((f"{name}: a glob may find what the same command writes", call.part))


def _find_expression(call: ProgramCall, args: list[Field], at: int) -> None:
    """Judge find's tests and actions, from the word at `at` on."""
    looked = True
    while at < len(args):
        text = args[at].text
        at += 1
        if text is None:
            call.praxic(f"find: `{args[at - 1].shown()}` is not known before it runs and may be an action")
            return
        if text in FIND_PLAIN:
            continue
        if _takes_value(text):
            if at < len(args) and _may_become_several(args[at]) and not _finds_no_action(args, at):
                call.praxic(f"find: `{args[at].shown()}` may become several words, and one of them an action")
                return
            at += 1
        elif text in FIND_WRITING or text in ("-exec", "-execdir"):
            looked = False
            at = _find_action(call, args, at)
        else:
            _find_other(call, text, args)
            return
    if looked:
        call.looked("find only reads")


def _takes_value(text: str) -> bool:
    """Whether it is a test with one value. `-newerXY FILE` is one for several letters X and Y."""
    return text in FIND_VALUED or (text.startswith("-newer") and len(text) == 8)


def _find_action(call: ProgramCall, args: list[Field], at: int) -> int:
    """Judge the action whose words begin at `at`; returns where they end."""
    text = args[at - 1].text or ""
    if text not in FIND_WRITING:
        return _find_exec(call, args, at)
    call.write(args[at] if at < len(args) else UNKNOWN, f"find {text} writes it")
    return at + FIND_WRITING[text]


def _finds_no_action(args: list[Field], at: int) -> bool:
    """Whether it is a glob such as `*.c`, so that no name that it finds can be a word of find's own: find then refuses
    the second name, before it looks at anything. If it finds none, and the shell leaves it out, a value that follows
    could become an action."""
    others = args[at + 1 :]
    are_plain = all(_is_glob_of_names(each) if each.text is None else each.text not in _FIND_ACTIONS for each in others)
    return are_plain and _is_glob_of_names(args[at])


def _is_glob_of_names(field: Field) -> bool:
    end = field.segments[-1]
    return len(field.segments) == 2 and field.begins_with_glob and isinstance(end, str) and end.startswith(".")


_FIND_ACTIONS = frozenset(("-delete", "-exec", "-execdir", "-ok", "-okdir", *FIND_WRITING))


def _may_become_several(field: Field) -> bool:
    return field.text is None and (field.vanishes or (field.splits and not field.prefix))


def _find_other(call: ProgramCall, text: str, args: list[Field]) -> None:
    if text == "-delete" and names_record(_found_path(args, False).prefix):
        call.found(FORBIDDEN, "find -delete would remove Perdure's own record")
    elif text == "-delete":
        call.praxic("find -delete removes what it finds", "removes what it finds")
    elif text in ("-ok", "-okdir"):
        call.praxic(f"find {text} asks and runs a command")
    else:
        call.praxic(f"find: `{text}` is not known to only read")


def _found_path(args: list[Field], several: bool, elsewhere: bool = False) -> Field:
    """What `{}` becomes: a path that begins with the starting point. With `-execdir` (`elsewhere`) BSD's find gives the
    bare name, which may begin with a dash."""
    if elsewhere:
        return Field((ANY,), splits=several)
    starts = _starting_points(args)
    listed = any(field.text == "-files0-from" for field in args)
    if listed or not all(_begins_plainly(start) for start in starts):
        return Field((ANY,), splits=several)
    begins = f"{starts[0].rstrip('/')}/" if len(starts) == 1 and starts[0] else "./"
    return Field((begins, ANY), splits=several)


def _starting_points(args: list[Field]) -> list[str]:
    """The words before find's tests, as far as they are known."""
    starts = []
    for field in args:
        start = field.text if field.text is not None else field.prefix
        if start.startswith(("-", "(", "!")):
            break
        starts.append(start)
    return starts


def _begins_plainly(start: str) -> bool:
    return start[:1] in ("", ".", "/", "_") or start[:1].isalnum()


def _ends_exec(field: Field, argv: list[Field]) -> bool:
    """Whether the word ends the command of `-exec`: `;` does anywhere, `+` only after `{}`."""
    return field.text == ";" or (field.text == "+" and bool(argv) and argv[-1].first_hole is not None)


def _is_unknown(field: Field) -> bool:
    return field.text is None and not field.prefix


def _find_exec(call: ProgramCall, args: list[Field], at: int) -> int:
    """Judge the command up to `;` or `+`; returns the place after it."""
    argv: list[Field] = []
    elsewhere = args[at - 1].text == "-execdir"
    while at < len(args) and not _ends_exec(args[at], argv):
        if _is_unknown(args[at]):
            call.praxic("find -exec with a word that is not known before it runs")
            return len(args)
        several = at + 1 < len(args) and args[at + 1].text == "+"
        argv.append(replaced(args[at], "{}", _found_path(args, several and args[at].text == "{}", elsewhere)))
        at += 1
    if at >= len(args):
        call.praxic("find -exec without its end")
    elif any(field.splits and _is_unknown(field) for field in argv):
        call.praxic("find -exec with words that are not known before it runs")
    elif elsewhere:
        _run_elsewhere(call, argv)
    else:
        call.run(argv)
    return at + 1


def _run_elsewhere(call: ProgramCall, argv: list[Field]) -> None:
    """`-execdir` runs the command in the folder of each file that is found: which folders those are is not known."""
    here, call.here = call.here, call.here.copy()
    call.here.set_unknown()
    call.run(argv)
    call.here = here


NOT_BASH = ("sh", "dash", "ash", "ksh", "busybox")
BASH_ONLY = (
    "&>",
    "((",
    "$'",
    "[[",
    "<(",
    ">(",
    "<<<",
    "|&",
    "=(",
    "function ",
    "{1..",
    "$UID",
    "$RANDOM",
    "$EUID",
    "$SECONDS",
)
SHELL_LETTERS = frozenset("ceuxlvn")
SHELL_WORDS = ("--norc", "--noprofile", "--posix", "--login", "--no-rcs", "-f")
SHELL_SETTINGS = ("pipefail", "errexit", "nounset", "xtrace")


def shell(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`bash -c 'text'` is judged by its text, and `bash -n file` only reads. Anything else runs unknown commands."""
    rest = list(args)
    letters, why = _shell_options(name, rest)
    if why:
        call.praxic(why)
    elif "c" in letters:
        _shell_text(call, name, rest)
    elif "n" in letters and rest and not rest[0].may_be_option:
        call.looked(f"{name} -n reads the script and does not run it")
    else:
        call.praxic(f"{name} {'runs a script' if rest else 'runs what stands on its standard input'}")


def _shell_options(name: str, rest: list[Field]) -> tuple[str, str]:
    """Take the options off the words. Returns their letters, and why one of them is not known to be harmless."""
    letters = ""
    while rest and _is_shell_option(text := rest[0].text or ""):
        del rest[0]
        if text in SHELL_WORDS:
            continue
        if text.startswith("+"):
            return letters, f"{name} {text} takes an option back"
        cluster = text[1:]
        if cluster.endswith("o"):
            cluster = cluster[:-1]
            if not _takes_harmless_setting(rest):
                return letters, f"{name} -o with an option that is not known to be harmless"
        if not SHELL_LETTERS.issuperset(cluster):
            return letters, f"{name} {text} runs commands in a way that is not known"
        letters += cluster
    if rest and rest[0].text == "--":
        del rest[0]
    return letters, ""


def _takes_harmless_setting(rest: list[Field]) -> bool:
    """Take the setting after `-o` off the words; whether it is known to be harmless."""
    return bool(rest) and rest.pop(0).text in SHELL_SETTINGS


def _is_shell_option(text: str) -> bool:
    return text.startswith(("-", "+")) and text not in ("-", "--")


def _shell_text(call: ProgramCall, name: str, rest: list[Field]) -> None:
    text = rest[0].text if rest else None
    if text is None:
        call.praxic(f"{name} -c runs text that is not known before it runs")
    elif call.name in NOT_BASH and _is_of_bash(text):
        call.praxic(f"{call.name} may be a shell that reads this in another way than bash")
    else:
        call.walk.nested(text, call.here, call.part, given=call.context.given)


POSIX_OPERATORS = frozenset(("", ":-", "-", ":=", "=", ":?", "?", ":+", "+", "#", "##", "%", "%%", "length"))


def _is_of_bash(text: str) -> bool:
    """Whether a plain POSIX shell may read this text in another way: it runs `x+=./tool` as a program's path."""
    if any(sign in text.replace("$((", "") for sign in BASH_ONLY):
        return True
    from perdure.gate.shell.parse import parse

    try:
        tree = parse(text)
    except NotUnderstood:
        return True
    return any(_node_is_of_bash(node) for node in commands_of(tree))


def _node_is_of_bash(node: Node) -> bool:
    if isinstance(node, s.Condition | s.ArithmeticCommand | s.ArithmeticFor):
        return True
    if isinstance(node, s.Simple) and _sets_as_bash_does(node):
        return True
    return any(may_brace(word) or any(_part_is_of_bash(part) for part in parts_of(word)) for word in words_of(node))


def _sets_as_bash_does(node: s.Simple) -> bool:
    if node.declared or any(a.append or a.subscript is not None or a.array is not None for a in node.assignments):
        return True
    declares = bool(node.words) and literal(node.words[0]) in DECLARERS
    return declares and not all(_is_quoted(word) for word in node.words)


def _is_quoted(word: Word) -> bool:
    """Whether it is text, or all that is not known in it is quoted: dash splits the others even after `export`."""
    return all(isinstance(part, s.Text) or getattr(part, "quoted", False) for part in word)


def _part_is_of_bash(part: Part) -> bool:
    if isinstance(part, s.Var):
        return part.subscript is not None or bool(part.offsets) or part.operator not in POSIX_OPERATORS
    return isinstance(part, s.ProcessSubstitution)


FD_RUNS = ("-x", "--exec", "-X", "--exec-batch")
FD_MARKS = ("{/.}", "{//}", "{/}", "{.}", "{}")


def fd(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`fd … -x COMMAND` runs the command on each file. Older versions give names without `./`: they may be options."""
    at = next((place for place, field in enumerate(args) if field.text in FD_RUNS), len(args))
    head, command = match(card.forms[0], args[:at]), args[at + 1 :]
    if head.trouble or head.leading_globs or not command or any(field.text == ";" for field in command):
        call.praxic(f"fd: {head.trouble or 'which program it runs is not known'}")
        return
    found = Field((ANY,), splits=args[at].text in ("-X", "--exec-batch"))
    made = [_with_found(field, found) for field in command]
    marked = made != command
    call.run(made if marked else [*command, found])


def _with_found(field: Field, found: Field) -> Field:
    for mark in FD_MARKS:
        if field.text is not None and mark in field.text:
            return found if field.text == mark else Field((ANY,), splits=found.splits)
    return field


def container(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`docker exec CONTAINER COMMAND…` and its like: the command is judged as it would run there."""
    from perdure.gate.effects import elsewhere

    found = matched(card, args)
    why = found.trouble
    if not why and (not _is_one_word(found.operands[:1]) or not _stands_after_dashes(found, args, name)):
        why = "in which container it runs is not known"
    why = why or elsewhere.why_words_change(call, found.operands[1:])
    if why:
        call.praxic(f"{name}: runs a program in a container: {why}")
    else:
        call.looked(f"{name}: what it runs there only reads")


def _stands_after_dashes(found: Match, args: list[Field], name: str) -> bool:
    """Whether the command stands after `--`, as kubectl demands, and only the pod before it."""
    if name.startswith("docker"):
        return True
    at = next((place for place, field in enumerate(args) if field.text == "--"), len(args))
    return found.ended and not found.dashed_value and len(args) - at == len(found.operands)


def _is_one_word(fields: list[Field]) -> bool:
    """Whether it is exactly one word, and no option."""
    return len(fields) == 1 and not (fields[0].splits or fields[0].vanishes or fields[0].may_be_option)


REMOTE_SETTINGS = (
    *("connecttimeout=", "batchmode=", "serveraliveinterval=", "serveralivecountmax=", "loglevel=", "identitiesonly="),
    *("connectionattempts=", "passwordauthentication=", "pubkeyauthentication=", "stricthostkeychecking=yes"),
)
"""Options after `ssh -o` that run and write nothing. Without strict checking ssh adds keys of hosts to a file."""


def ssh(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`ssh HOST COMMAND`: the other machine's shell gets the words, joined by blanks."""
    found = matched(card, args)
    if found.trouble:
        call.praxic(f"ssh: {found.trouble}")
        return
    if found.has("-Q"):
        call.noetic("ssh lists what it supports")
        return
    settings = [(field.text or "").lower() for field in found.values_of("-o")]
    text = _joined(found.operands[1:])
    if any(not setting.startswith(REMOTE_SETTINGS) or setting.split() != [setting] for setting in settings):
        why = "an option after -o may run a program or write a file"
    elif not _is_one_word(found.operands[:1]):
        why = "on which machine it runs is not known"
    elif not _are_plain_places((*found.operands[:1], *found.values_of("-J", "-l", "-p"))):
        why = "a shell of this machine may run a part of the machine's or the person's name"
    elif _is_fed(call):
        why = "sends what it reads to another machine"
    else:
        why = _why_remote_text_changes(call, text)
    if why:
        call.praxic(f"ssh: runs a shell or a command on another machine: {why}")
    else:
        call.looked("ssh: what it runs there only reads")


PLACE = re.compile(r"(?:ssh://)?[A-Za-z0-9_.:@\[][A-Za-z0-9_.:@%,/\[\]-]*")
"""How machines, persons and ports are named without anything that a shell would read."""


def _are_plain_places(fields: tuple[Field, ...]) -> bool:
    return all(map(_is_plain_place, fields))


def _is_plain_place(field: Field) -> bool:
    """Whether ssh can write it into the command of `-J` or of a ProxyCommand, which a shell here runs."""
    text = "".join(part if isinstance(part, str) else "x" for part in field.segments)
    persons = all(isinstance(part, str) or part == ENVIRONMENT for part in field.segments)
    return persons and bool(PLACE.fullmatch(text)) and "@-" not in text


def _joined(words: list[Field]) -> str:
    """The words with blanks between them; '' where one is not known before it runs."""
    texts = [field.text for field in words if not (field.splits or field.vanishes)]
    known = [text for text in texts if text is not None]
    return " ".join(known) if len(known) == len(words) else ""


def _why_remote_text_changes(call: ProgramCall, text: str) -> str:
    from perdure.gate.effects import elsewhere

    if not text:
        return "what it runs there is not known before it runs"
    if "\\'" in text or _is_of_bash(text):
        return "another shell than bash may read its command in another way"
    return elsewhere.why_text_changes(call, text)


def remote_shell(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`adb shell COMMAND`, whose words the device's shell gets, joined by blanks."""
    found = matched(card, args)
    why = found.trouble or _why_remote_text_changes(call, _joined(found.operands))
    if why:
        call.praxic(f"{name}: {why}")
    else:
        call.looked(f"{name}: what it runs there only reads")


def _is_fed(call: ProgramCall) -> bool:
    """Whether ssh may have something to read on its standard input, which it sends to the other machine."""
    walk = call.walk
    if walk.depth or walk.functions:
        return True
    for node in commands_of(walk.tree):
        reads = any(redirect.operator.startswith("<") for redirect in getattr(node, "redirects", ()))
        behind = node.commands[1:] if isinstance(node, s.Pipeline) else ()
        if reads and (_calls(node, "ssh") or _calls(node, "exec")):
            return True
        if any(_calls(command, "ssh") for command in behind):
            return True
    return False


def _calls(node: Node, name: str) -> bool:
    """Whether a word of a command in it is, or may be, the name of this program."""
    calls = (each for each in commands_of(node) if isinstance(each, s.Simple))
    return any((literal(word) or name).endswith(name) for each in calls for word in each.words)
