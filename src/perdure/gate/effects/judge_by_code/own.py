"""Judges calls of perdure itself (SPEC 5.5).

The tables say what an agent may do with each command; only this module reads them. A command that is in none of them
changes things: it runs only while a transaction is open. The other names of a command, such as `preflight-submit`, are
listed too.
"""

from __future__ import annotations

from perdure.gate.effects.finding import FORBIDDEN, PRAXIC, TRANSITION
from perdure.gate.shell.words import UNKNOWN, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card
    from perdure.gate.shell.words import Field


READS = frozenset(
    """status log search story where calibration recover doctor demo completion gate export transcript
    compaction state""".split()
)
"""Commands that only read the record. An agent may run them at any time; files that they write are judged as writes."""
MOVES = frozenset(
    """preflight check postflight decide fork claim checkpoint note finding undo goal task pointer heal preflight-submit
    check-submit postflight-submit transaction-status session-create project-switch goals-create""".split()
)
"""Commands that record something, or move the work along. An agent may run them at any time."""
VERBS = {
    "session": frozenset(["start", "end", "list", "show"]),
    "project": frozenset(["list", "show", "switch"]),
    "transaction": frozenset(["status", "list", "show", "adopt", "close"]),
    "config": frozenset(["show"]),
    "notes": frozenset(["show", "diff", "write"]),
    "handoff": frozenset(["write", "show", "list", "verify"]),
    "contract": frozenset(["set", "show"]),
    "audit": frozenset("start think finalize root prove verify verify-chain verify-proof heads".split()),
}
"""For commands whose verbs are not all alike: the verbs that an agent may run at any time."""
FOR_PEOPLE = {
    "uninstall": "takes the guard away",
    "pause": "switches the gate off for a while",
    "import": "adds another machine's record",
    "redact": "erases what was recorded",
    "transaction-close": "closes what another holds",
    "hook": "speaks for the client and for the person",
}
"""Commands that only people may run → what the command does. The denial says: "it …, which only a person may do"."""
VERBS_FOR_PEOPLE = {
    ("config", "set"): "changes the guard's settings",
    ("config", "unset"): "changes the guard's settings",
    ("transaction", "override"): "opens the gate by hand",
    ("project", "forget"): "gives up what may still be open in a project",
    ("audit", "key"): "changes the keys that sign the record",
    ("audit", "acknowledge"): "accepts that the record was put back",
    ("contract", "clear"): "takes back what was promised",
    ("notes", "take"): "puts a file's words into the record as the person's",
    ("transcript", "adopt"): "puts a file's words into the record as the person's",
}
"""The same for single verbs of a command."""
FLAGS_FOR_PEOPLE = {
    "--orphaned": "closes what another holds",
    "--imported": "closes what another holds",
    "--purge": "erases the record",
    "--allow": "widens what the client lets run",
    "--restore": "brings the record of another repository in",
    "--keep": "decides which copy of the record is true",
}
"""The same for flags, with each command in `_HAVE_FLAGS_FOR_PEOPLE`."""
_HAVE_FLAGS_FOR_PEOPLE = ("transaction", "init", "uninstall", "heal")
"""Commands that have one of `FLAGS_FOR_PEOPLE`. In other commands such a word is not a flag."""
FLAGS_OF_ANOTHER = ("--instance", "--client-pid", "--client-session-id")
"""These flags choose the instance that a command acts for. An agent always acts for its client's own instance, so it
needs none of them (`place/own_instance.py`)."""
OPENING: frozenset[str | tuple[str, str]] = frozenset(
    (
        *("preflight", "postflight", "preflight-submit", "postflight-submit", "project-switch", "session-create"),
        *(("transaction", "adopt"), ("transaction", "close"), ("project", "switch")),
        *(("session", "start"), ("session", "end")),
    )
)
"""Commands and verbs that open, close or move a transaction, or the instance itself. A subagent may not run them, and
no shell command may both run one and change things (`gate/policy.py`)."""
ONLY_LOOK = READS - {"transcript"} | {"transaction-status"}
"""Commands that may name another instance with `FLAGS_OF_ANOTHER`, because they record nothing. `transcript` is not
among them: it has a verb that does."""
VERBS_THAT_LOOK = {
    "session": frozenset(["list", "show"]),
    "project": frozenset(["list", "show"]),
    "transaction": frozenset(["status", "list", "show"]),
    "config": frozenset(["show"]),
    "audit": frozenset("root prove verify verify-chain verify-proof heads".split()),
    "goal": frozenset(["list"]),
    "task": frozenset("list show ready diff".split()),
    "claim": frozenset(["list", "check"]),
    "fork": frozenset(["list"]),
    "handoff": frozenset(["list", "show", "verify"]),
    "contract": frozenset(["show"]),
    "pointer": frozenset(["list"]),
}
"""The same for verbs. Two of them record something, but not for another instance: `claim check` then only shows what it
finds, and `audit heads --sign` is refused (`place/own_instance.py`)."""
PLACE_FLAGS = ("--project-path", "--instance", "--session-id")
"""Flags that take a value and may stand before the verb. The word after one of them is not the verb."""
RISKY = (("transaction", "close"), ("calibration", ""), ("heal", ""), ("export", ""))
"""Commands, with their verb, that an agent may run, but not with every flag. A word that is not known before it
runs, such as `$x`, may be such a flag; with such a word the command counts as a change."""
WRITING_FLAGS = ("--svg", "--png", "--output", "--plugin")
"""Flags whose value is a file that the command writes."""


def perdure(call: ProgramCall, name: str, card: Card | None, *, args: list[Field]) -> None:
    """The commands that clear a denial are never blocked. Those that disarm the guard or rewrite the record are for
    people, however they are called. Only the real perdure, called plainly, moves the work along (SPEC 5.5)."""
    while len(args) > 1 and args[0].text == "--json":
        args = args[1:]
    word = args[0].text if args else ""
    asks = not args or _asks_about_itself(args)
    people = "" if asks or word is None else _for_people(word, args[1:])
    if people:
        call.found(FORBIDDEN, f"perdure {word}: it {people}, which only a person may do")
    elif not _is_called_plainly(call):
        reason = "perdure with variables set for it, or run in another way, is not taken for perdure itself"
        call.found(PRAXIC, reason, opens=_opens(word or "", args[1:]))
    elif asks:
        call.found(TRANSITION, "perdure tells about itself")
    elif word is None:
        call.praxic("which command of perdure it is cannot be known before it runs", sure=True)
    else:
        _perdure_command(call, word, args[1:])


def _asks_about_itself(args: list[Field]) -> bool:
    """Whether these words, of which there is at least one, ask for help or the version. After `--` stands what another
    program is given, and a word that is not known may be `--`."""
    if args[0].text in ("help", "--help", "-h", "version", "--version", "-V"):
        return True
    return args[-1].text == "--help" and not any(arg.text in (None, "--") for arg in args)


def _is_called_plainly(call: ProgramCall) -> bool:
    """Whether it is called by its own name, without variables set for it, and through no program but timeout."""
    wrapped = set(call.context.wrappers) - {"timeout"}
    return call.name == "perdure" and not (call.context.given or wrapped or call.walk.depth)


def _first_word(rest: list[Field]) -> str:
    """The first word that is neither a flag nor the value of a flag that may precede the verb."""
    before = ""
    for field in rest:
        text = field.text or field.prefix
        if not text.startswith("-") and before not in PLACE_FLAGS:
            return field.text or ""
        before = text
    return ""


def _for_people(word: str, rest: list[Field]) -> str:
    """What the command does that only people may do; '' where it does nothing of the kind."""
    verb = _first_word(rest)
    people = FOR_PEOPLE.get(word) or VERBS_FOR_PEOPLE.get((word, verb), "")
    if people:
        return people
    flags = _flags(rest)
    if word in _HAVE_FLAGS_FOR_PEOPLE:
        for flag, why in FLAGS_FOR_PEOPLE.items():
            if flag in flags:
                return why
    if not _only_looks(word, verb) and not flags.isdisjoint(FLAGS_OF_ANOTHER):
        return "acts as another pane"
    return ""


def _only_looks(word: str, verb: str) -> bool:
    return word in ONLY_LOOK or verb in VERBS_THAT_LOOK.get(word, ())


def _flags(rest: list[Field]) -> set[str]:
    """The flags among the words, without their values. Nothing after `--` is a flag."""
    words = [field.text or field.prefix for field in rest]
    end = words.index("--") if "--" in words else len(words)
    return {word.partition("=")[0] for word in words[:end]}


def _verb(word: str, rest: list[Field]) -> str:
    return _first_word(rest) if word in VERBS else ""


def _opens(word: str, rest: list[Field]) -> bool:
    return word in OPENING or (word, _verb(word, rest)) in OPENING


def _run_by_perdure(call: ProgramCall, rest: list[Field]) -> None:
    """`perdure run … -- COMMAND` has the effect of the command that it runs, and never moves the work along. Its own
    flags read files. A word before `--` that is not known before it runs may itself be the `--`."""
    words = [field.text for field in rest]
    end = words.index("--") if "--" in words else len(words)
    if None in words[:end] or end + 1 >= len(words):
        call.praxic("which command `perdure run` runs cannot be known before it runs", sure=True)
    else:
        call.run(rest[end + 1 :])


def _read_only(call: ProgramCall, rest: list[Field]) -> None:
    """`perdure readonly -- COMMAND`: the kernel holds whatever the command is, but not what a service does that it
    reaches over the network."""
    words = [field.text for field in rest]
    end = words.index("--") if "--" in words else len(words)
    if None in words[:end] or "--network" in words[:end]:
        call.praxic("perdure readonly: with a network, a service can be asked to change something", sure=True)
    else:
        call.looked("perdure readonly: the kernel refuses whatever it would change")


def _perdure_command(call: ProgramCall, word: str, rest: list[Field]) -> None:
    verb = _verb(word, rest)
    if word == "readonly":
        _read_only(call, rest)
        return
    if word == "run":
        _run_by_perdure(call, rest)
        return
    if word in VERBS and verb not in VERBS[word]:
        call.praxic(f"`perdure {word} {verb or '…'}` is not one that moves the work along or only reads", sure=True)
    elif word == "export" and any(flag.startswith("--t") for flag in _flags(rest)):
        call.praxic("perdure export --tracked writes a file into the work tree, for git to track", sure=True)
    elif word in VERBS or word in READS or word in MOVES:
        _perdure_words(call, word, verb, rest=rest)
    else:
        call.praxic(f"`perdure {word}` is not one that moves the work along or only reads", sure=True)


def _perdure_words(call: ProgramCall, word: str, verb: str, *, rest: list[Field]) -> None:
    """A command of perdure that is allowed: which files it writes, and whether it opens or closes a transaction."""
    if (word, verb) in RISKY and any(field.text is None and field.may_be_option for field in rest):
        call.praxic(
            f"perdure {word}: a word that is not known before it runs may be an option that writes, or one for people",
            sure=True,
        )
        return
    for field, flag in _written_by_flags(rest):
        call.write(field, f"perdure {word} {flag} writes it")
    if word == "export":
        for field in rest:
            if not _is_flag_or_dash(field):
                call.write(field, "perdure export writes it")
    if word == "task":
        for field in _task_files(rest):
            call.write(field, "perdure task export writes it")
    said = f"perdure {word} {verb}".strip() + ": Perdure's own, never blocked"
    call.found(TRANSITION, said, opens=_opens(word, rest))


def _task_files(rest: list[Field]) -> list[Field]:
    """The file that `task export FILE` writes. Without one it writes the project's task file, which others also keep
    their tasks in, and nothing but tasks."""
    words: list[Field] = []
    before = ""
    for field in rest:
        text = field.text or field.prefix
        if before == "--" or (not text.startswith("-") and before not in PLACE_FLAGS):
            words.append(field)
        before = text if before != "--" else before
    may_export = bool(words) and words[0].text in ("export", None)
    return words[1:] if may_export else []


def _is_flag_or_dash(field: Field) -> bool:
    return field.text is not None and (field.text == "-" or field.text.startswith("--"))


def _written_by_flags(rest: list[Field]) -> Iterator[tuple[Field, str]]:
    """The files of `--svg FILE` and `--svg=FILE`, each with its flag."""
    for place, field in enumerate(rest):
        flag, _, attached = (field.text or field.prefix).partition("=")
        if flag in WRITING_FLAGS:
            following = rest[place + 1] if place + 1 < len(rest) else UNKNOWN
            yield known(attached) if attached else following, flag
