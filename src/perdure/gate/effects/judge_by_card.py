"""Judges the call of a program by its card. The cards are in `gate/programs/`; those of a family are loaded when one of
them is first needed. What a card cannot express is code in `judge_by_code/`.

    judge_program(call)   adds its findings to the walk
    is_known("sed")       True
"""

from __future__ import annotations

from perdure.gate.effects import judge_by_code, targets
from perdure.gate.effects.cards import BadCard, match, read_card, roles_of, surely_changes
from perdure.gate.effects.finding import FORBIDDEN
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card, Form, Match
    from perdure.gate.shell.words import Field

FAMILIES = (
    "text",
    "files",
    "git",
    "running",
    "languages",
    "packages",
    "building",
    "system",
    "network",
    "forges",
    "services",
)
"""The modules of cards, in the order in which they are searched: the most frequent programs come first."""
SYSTEM_FOLDERS = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/")
HELP = ("--help", "--version")
TEACH = "if it only reads, a person can name it: perdure config set gate.readers 'NAME, …'"

_cards: dict[str, Card] = {}


def card_text(name: str) -> str | None:
    for family in FAMILIES:
        found: str | None = __import__(f"perdure.gate.programs.{family}", fromlist=("",)).PROGRAMS.get(name)
        if found is not None:
            return found
    return None


def find_card(name: str) -> Card | None:
    """The card of a program (`git`) or of a program with its sub-command (`git log`)."""
    if name not in _cards:
        text = card_text(name)
        if text is None:
            return None
        card = read_card(text)
        if card.same_as:
            other = find_card(card.same_as)
            if other is None:
                raise BadCard(f"{name}: there is no card for {card.same_as}")
            card = other
        _cards[name] = card if card.name else replace(card, name=name)
    return _cards[name]


def is_known(name: str) -> bool:
    return card_text(name) is not None


def _as_a_module(args: list[Field]) -> list[Field] | None:
    """The words after `-m perdure`, which an interpreter may be given; None where they are not there."""
    for place, field in enumerate(args[:-1]):
        if field.text == "-m" and args[place + 1].text == "perdure":
            return args[place + 2 :]
    return None


def judge_program(call: ProgramCall) -> None:
    name = program_name(call)
    if name is None:
        _judge_path(call)
        return
    call.name = name
    if _is_taught(call):
        call.looked("a person has said that it only reads")
        return
    card = find_card(name)
    if card is None:
        call.praxic(f"`{name}` is not a program that Perdure knows; {TEACH}")
        return
    judge_card(call, card.name, card, args=call.args)


def _judge_path(call: ProgramCall) -> None:
    """A program that is called by a path could be anything. If it looks like perdure, the commands that only people may
    run are still forbidden."""
    words = call.args if call.name.endswith("/perdure") else _as_a_module(call.args)
    if words is None:
        call.praxic(f"`{call.name}` is called by its path, so it could be any program")
        return
    from perdure.gate.effects.judge_by_code import own

    own.perdure(call, call.name, None, args=words)


def program_name(call: ProgramCall) -> str | None:
    """The program's name; None where it is called by a path that is neither a system folder nor our own program."""
    if "/" not in call.name:
        return call.name
    if call.walk.world.program and call.name == call.walk.world.program:
        return "perdure"
    for folder in SYSTEM_FOLDERS:
        base = call.name.removeprefix(folder)
        if base != call.name and base and "/" not in base:
            return base if base != "perdure" else None
    return None


def _is_taught(call: ProgramCall) -> bool:
    """Whether a person has declared that it only reads. Programs that have a card are judged by the card instead."""
    for reader in call.walk.world.readers:
        words = reader.split()
        named = bool(words) and [call.name, *call.texts[: len(words) - 1]] == words
        if named and find_card(" ".join(words)) is None:
            return True
    return False


def judge_card(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    if _asks_for_help(call, card, args):
        _believes(call, name, card, form=card.forms[0])
        call.noetic(f"{name} prints its help or version")
    elif "subcommands" in card.words:
        _judge_subcommand(call, name, card, args=args)
    elif card.verdict[0]:
        kind, why = card.verdict
        weighty = why if kind == "weighty" else _weight(card, args)
        weighty = weighty or _weighed(card, args)
        record_in_reach(call, args)
        call.praxic(f"{name}: {why}", weighty, sure=surely_changes(why))
    elif "any" in card.words and not card.forms[0].code:
        _believes(call, name, card, form=card.forms[0])
        _only_looks(call, name, card.forms[0])
    else:
        _judge_forms(call, name, card, args=args)


def _weighed(card: Card, args: list[Field]) -> str:
    """Why a praxic call destroys or publishes, for programs where only code can tell that from the words; else ''."""
    form = card.forms[0]
    weigher = judge_by_code.weigher_named(form.code)
    return weigher(match(form, args)) if weigher else ""


def _asks_for_help(call: ProgramCall, card: Card, args: list[Field]) -> bool:
    """Whether the only word asks for help. After a sub-command `--version` does not count: some act all the same."""
    asked = HELP if " " not in card.name else HELP[:1]
    deaf = "deaf" in card.words or call.deaf
    return len(args) == 1 and args[0].text is not None and not deaf and args[0].text in (*asked, *card.help)


def _weight(card: Card, args: list[Field]) -> str:
    """Why the options make the call weighty: a card that is praxic as a whole may list such options."""
    return match(card.forms[0], args).weighty if card.forms[0].options else ""


def record_in_reach(call: ProgramCall, args: list[Field]) -> None:
    """Forbid a praxic program that is given a path in Perdure's record: it would write there (SPEC 5.3)."""
    if any(targets.is_record(folder, call.walk.world) for folder in call.here.folders or ()):
        call.found(FORBIDDEN, f"{call.name} would run within Perdure's own record")
        return
    for field in args:
        named = _record_in(call, field)
        if named:
            call.found(FORBIDDEN, f"{call.name} is given a path in Perdure's own record, {named}")
            return


def _record_in(call: ProgramCall, field: Field) -> str:
    """The part of a word that is a path into the record; '' where there is none."""
    if field.text is None and any(isinstance(s, str) and targets.names_record(s) for s in field.segments):
        return field.shown()
    text = field.text if field.text is not None else field.prefix
    return next((piece for piece in (text, text.partition("=")[2]) if _is_record_path(call, piece)), "")


def _is_record_path(call: ProgramCall, text: str) -> bool:
    is_path = "/" in text or text == targets.FOLDER
    if not is_path or text.startswith("-") or " " in text:
        return False
    return targets.place_of(text, call.here.folders, call.walk.world)[0] == targets.RECORD


def _judge_subcommand(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """A program such as git: its options, then the name of the sub-command, which has a card of its own."""
    form = card.forms[0]
    found = match(form, args)
    if found.trouble:
        record_in_reach(call, args)
        call.praxic(f"{name}: {found.trouble}", found.weighty, sure=found.is_sure)
        return
    for field, why in found.writes:
        call.write(field, f"{name}: {why}")
    if not found.operands:
        _without_subcommand(call, name, form, found=found)
        return
    judge = judge_by_code.judge_named(form.code)
    if judge:
        judge(call, name, card, args=args)
        return
    below = _card_below(name, found)
    if below is None:
        record_in_reach(call, args)
        shown = found.operands[0].shown()
        call.praxic(f"`{name} {shown}` is not a command of {name} that is known to only read; {TEACH}")
        return
    call.deaf = call.deaf or "deaf" in card.words
    rest = found.operands[1:]
    _obeys(call, name, form, args=args)
    if not call.deaf and _asks_for_subcommand_help(card, rest):
        call.noetic(f"{name} {found.operands[0].text} prints its help")
        return
    if name == "git":
        trouble = _why_set_for_git(call, form, found)
        if trouble:
            call.praxic(f"git: {trouble}")
            return
        _moved_by_git(call, found)
    judge_card(call, below.name, below, args=rest)


def _why_set_for_git(call: ProgramCall, form: Form, found: Match) -> str:
    """Why a setting of `git -c` is not harmless. The code that knows them is loaded only where there is one."""
    check = judge_by_code.check_named(form.code) if found.has("-c") else None
    return check(call, found) if check else ""


def _card_below(name: str, found: Match) -> Card | None:
    """The card of the sub-command that the first operand names."""
    word = found.operands[0].text if found.operands else None
    return None if word is None else find_card(f"{name} {word}")


def _asks_for_subcommand_help(card: Card, rest: list[Field]) -> bool:
    if len(rest) != 1:
        return False
    return rest[0].text == "--help" or (rest[0].text == "-h" and "-h" in card.help)


def _without_subcommand(call: ProgramCall, name: str, form: Form, *, found: Match) -> None:
    check = judge_by_code.check_named(form.code)
    trouble = check(call, found) if check else ""
    if "alone" in form.words and not trouble:
        _only_looks(call, f"{name} alone", form)
    else:
        call.praxic(f"{name}: {trouble or 'without a sub-command it is not known to only read'}")


def _judge_forms(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """The first form that accepts the words decides; a card's judge then looks at what they mean."""
    matches = [(form, match(form, args)) for form in card.forms]
    for form, found in matches:
        if found.trouble:
            continue
        if "subcommands" not in form.words:
            _accepted(call, name, card, form=form, found=found, args=args)
            return
        below = _card_below(name, found)
        if below is not None:
            _believes(call, name, card, form=form)
            if name == "python":
                _python().module_in_folder(call, found)
            judge_card(call, below.name, below, args=found.operands[1:])
            return
    refuse(call, name, card, matches=matches, args=args)


def _python() -> ModuleType:
    from perdure.gate.effects.judge_by_code import python

    return python


def refuse(call: ProgramCall, name: str, card: Card, *, matches: list[tuple[Form, Match]], args: list[Field]) -> None:
    """No form of the card accepts the words."""
    _, found = _telling(matches)
    weighty = next((m.weighty for _, m in matches if m.weighty), "") or _removes_folders(card, args)
    record_in_reach(call, args)
    trouble = found.trouble or "what it does with these words is not known"
    call.praxic(f"{name}: {trouble}", weighty, sure=found.is_sure)


def _removes_folders(card: Card, args: list[Field]) -> str:
    """Why `rm -rf $x` is weighty: it removes whole folders, even if it is not known which."""
    recursive = any((f.text or "").startswith("-") and not {"r", "R"}.isdisjoint(f.text or "") for f in args)
    return "removes whole folders" if card.forms[0].code == "remove" and recursive else ""


def _accepted(call: ProgramCall, name: str, card: Card, *, form: Form, found: Match, args: list[Field]) -> None:
    for field, why in found.writes:
        if field.text == "-" and "dash" in form.words:
            call.looked(f"{name} prints what it makes")
        else:
            call.write(field, f"{name}: {why or 'it is written'}")
    _dashed_names(call, name, found)
    _believes(call, name, card, form=form)
    judge = judge_by_code.judge_named(form.code)
    if judge:
        judge(call, name, card, args=args)
        return
    check = judge_by_code.check_named(form.code)
    trouble = check(call, found) if check else ""
    if trouble:
        record_in_reach(call, args)
        call.praxic(f"{name}: {trouble}")
    else:
        _operands(call, name, form, found=found)


def _telling(matches: list[tuple[Form, Match]]) -> tuple[Form, Match]:
    """The form whose reason is shown when all forms refuse: preferably one that says what the program changes."""
    return next(((form, found) for form, found in matches if form.verdict[0]), matches[0])


def _dashed_names(call: ProgramCall, name: str, found: Match) -> None:
    """A glob may expand to a file name that is an option, so ask whether the folder has such a name."""
    if not found.leading_globs:
        return
    if call.walk.dashes(call.here):
        call.praxic(f"{name}: a glob here finds names that begin with `-`, which are options")
    reason = f"{name}: a glob may find what the same command writes, with a name that is an option"
    call.walk.shared.assumed_harmless.append((reason, call.part))


def _moved_by_git(call: ProgramCall, found: Match) -> None:
    """`git -C FOLDER` works as if that were the working folder."""
    call.here = call.here.copy()
    for field in found.values_of("-C"):
        call.here.go(field, physical=True)
        call.here.folders = call.here.pop_moved()


def _believes(call: ProgramCall, name: str, card: Card, *, form: Form) -> None:
    """A program that obeys the configuration in its folder is praxic in scratch, where anybody can write one."""
    folders = call.here.folders
    _obeys(call, name, form, args=call.args)
    if "configured" not in form.words and "configured" not in card.words:
        return
    if name.partition(" ")[0] == "python" and _python().is_isolated(call):
        return
    if folders is None:
        if call.here.may_be_public:
            call.praxic(f"{name} follows the configuration in its folder, and that folder is not known")
        return
    world = call.walk.world
    if any(targets.is_scratch(world.disk.real(folder).rstrip("/") + "/.", world) for folder in folders):
        reason = f"{name} follows the configuration in its folder, and that folder is scratch"
        if any(world.disk.is_folder(folder) for folder in folders):
            call.praxic(reason)
        call.walk.shared.assumed_harmless.append((reason, call.part))


def _obeys(call: ProgramCall, name: str, form: Form, *, args: list[Field]) -> None:
    """A file that comes with a repository is not the person's: a program that obeys it may do what the file says."""
    if not form.obeys or any(field.text in form.overrides for field in args):
        return
    folders = _folders_above(call)
    for names, words in form.obeys:
        seen = _obeyed(call, names, folders, words=words)
        if seen:
            cure = f"; with {form.overrides[0]} it does not" if form.overrides else ""
            call.praxic(f"{name} follows {' or '.join(names)} here, where {seen}{cure}")
            return


def _obeyed(call: ProgramCall, names: tuple[str, ...], folders: tuple[str, ...], *, words: tuple[str, ...]) -> str:
    """What is there that the program obeys, in words; '' where nothing is."""
    disk = call.walk.world.disk
    text = disk.text_of(names, folders).lower()
    if not words:
        found = text or any(disk.is_folder(f"{folder}/{name}") for folder in folders for name in names)
        return "code or options may stand" if found else ""
    bare = "".join(character for character in text if character not in " \t\"'")
    return next((f"`{word}` stands" for word in words if word in bare), "")


def _folders_above(call: ProgramCall) -> tuple[str, ...]:
    """The folders that it may run in and those above them, up to the work's own; and any above that one that are
    scratch, where anybody can write."""
    world = call.walk.world
    found: dict[str, None] = {}
    for folder in call.here.folders or (world.cwd, world.base):
        while True:
            if targets.is_below(folder, world.base) or targets.is_scratch(folder.rstrip("/") + "/.", world):
                found[folder] = None
            above = folder.rpartition("/")[0] or "/"
            if above == folder:
                break
            folder = above
    return tuple(found)


def _operands(call: ProgramCall, name: str, form: Form, *, found: Match) -> None:
    """Judge the operands, each by the role that the card gives to its place."""
    roles = roles_of(form.operands, len(found.operands)) or []
    if "command" in roles:
        _wrapped(call, name, found, roles=roles)
        return
    written = 0
    for role, field in zip(roles, found.operands, strict=True):
        if role == "plus" and not (field.text or field.prefix).startswith("+"):
            call.praxic(f"{name}: `{field.shown()}` would set it")
            return
        if role == "written":
            written += 1
            call.write(field, f"{name} creates or changes it")
    if not written and not found.writes:
        _only_looks(call, name, form)


def _only_looks(call: ProgramCall, name: str, form: Form) -> None:
    """The program only reads; an `idle` one shows nothing of the work."""
    if "idle" in form.words:
        call.noetic(f"{name} only reads")
    else:
        call.looked(f"{name} only reads")


def _wrapped(call: ProgramCall, name: str, found: Match, *, roles: list[str]) -> None:
    """A program that runs the command in its operands, such as `timeout 5 ls`."""
    start = roles.index("command")
    if start >= len(found.operands):
        call.noetic(f"{name} runs nothing")
    elif any(field.text is None and (field.splits or field.vanishes) for field in found.operands[:start]):
        call.praxic(f"{name}: which command it runs is not known before it runs")
    else:
        call.run(found.operands[start:])
