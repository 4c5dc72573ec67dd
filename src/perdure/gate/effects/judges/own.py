"""Perdure itself (SPEC 5.5)."""

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
    """status where calibration recover doctor demo completion gate export transcript compaction fork blame""".split()
)
MOVES = frozenset(
    """preflight check postflight decide note finding goal claim task checkpoint handoff heal preflight-submit
    check-submit postflight-submit transaction-status session-create project-switch goals-create""".split()
)
VERBS = {
    "session": frozenset(["start", "end", "list", "show"]),
    "project": frozenset(["list", "show", "switch"]),
    "transaction": frozenset(["status", "list", "show", "adopt", "close"]),
    "config": frozenset(["show"]),
    "contract": frozenset(["set", "show"]),
    "audit": frozenset("start think finalize root prove verify verify-chain verify-proof heads".split()),
}
FOR_PEOPLE = {
    "uninstall": "takes the guard away",
    "import": "adds another machine's record",
    "redact": "erases what was recorded",
    "transaction-close": "closes what another holds",
    "keys": "changes the keys that sign the record",
    "hook": "speaks for the client and for the person",
}
VERBS_FOR_PEOPLE = {
    ("config", "set"): "changes the guard's settings",
    ("config", "unset"): "changes the guard's settings",
    ("transaction", "override"): "opens the gate by hand",
    ("project", "forget"): "gives up what may still be open in a project",
    ("audit", "key"): "changes the keys that sign the record",
    ("audit", "acknowledge"): "accepts that the record was put back",
    ("transcript", "adopt"): "puts a file's words into the record as the person's",
}
FLAGS_FOR_PEOPLE = {
    "--orphaned": "closes what another holds",
    "--override": "opens the gate by hand",
    "--purge": "erases the record",
    "--allow": "widens what the client lets run",
    "--restore": "brings the record of another repository in",
    "--keep": "decides which copy of the record is true",
}
FLAGS_OF_ANOTHER = ("--instance", "--client-pid", "--client-session-id")
"""They say as whom a command acts. An agent acts as its client's own instance, and needs none of them
(`place/own_instance.py`)."""
OPENING: frozenset[str | tuple[str, str]] = frozenset(
    (
        *("preflight", "postflight", "preflight-submit", "postflight-submit", "project-switch", "session-create"),
        *(("transaction", "adopt"), ("transaction", "close"), ("project", "switch")),
        *(("session", "start"), ("session", "end")),
    )
)
"""They open, close or move a transaction, or the instance itself."""
_HAVE_FLAGS_FOR_PEOPLE = ("transaction", "preflight", "check", "postflight", "init", "uninstall", "heal")
ONLY_LOOK = READS - {"transcript"} | {"transaction-status"}
VERBS_THAT_LOOK = frozenset("list show status ready root prove verify verify-chain verify-proof heads".split())
PLACE_FLAGS = ("--project-path", "--instance", "--session-id")
RISKY = (("transaction", "close"), ("calibration", ""), ("heal", ""))
WRITING_FLAGS = ("--svg", "--png", "--output", "--plugin")


def perdure(call: ProgramCall, name: str, card: Card | None, *, args: list[Field]) -> None:
    """SPEC 5.5: the way out is never blocked; what disarms the guard or rewrites the record is for people, however it
    is called. Only the real perdure, called plainly, moves the work along."""
    while len(args) > 1 and args[0].text == "--json":
        args = args[1:]
    word = args[0].text if args else ""
    asks = _asks_about_itself(args)
    people = "" if asks or word is None else _for_people(word, args[1:])
    if people:
        call.found(FORBIDDEN, f"perdure {word}: it {people}, and that is for people")
    elif not _is_called_plainly(call):
        reason = "perdure with variables set for it, or run in another way, is not taken for perdure itself"
        call.found(PRAXIC, reason, opens=_opens(word or "", args[1:]))
    elif not args or asks:
        call.found(TRANSITION, "perdure tells about itself")
    elif word is None:
        call.praxic("which command of perdure it is cannot be known before it runs")
    else:
        _perdure_command(call, word, args[1:])


def _asks_about_itself(args: list[Field]) -> bool:
    if len(args) == 1:
        return args[0].text in ("--help", "--version", "-h")
    return bool(args) and args[-1].text == "--help"


def _is_called_plainly(call: ProgramCall) -> bool:
    """By its own name, with no variables set for it, and by no program but timeout."""
    wrapped = set(call.context.wrappers) - {"timeout"}
    return call.name == "perdure" and not (call.context.given or wrapped or call.walk.depth)


def _first_word(rest: list[Field]) -> str:
    """The first that is neither a flag nor the value of one that may stand before a verb."""
    before = ""
    for field in rest:
        text = field.text or field.prefix
        if not text.startswith("-") and before not in PLACE_FLAGS:
            return field.text or ""
        before = text
    return ""


def _for_people(word: str, rest: list[Field]) -> str:
    verb = _first_word(rest)
    people = FOR_PEOPLE.get(word) or VERBS_FOR_PEOPLE.get((word, verb), "")
    flags = _flags(rest)
    mine = FLAGS_FOR_PEOPLE if word in _HAVE_FLAGS_FOR_PEOPLE else {}
    people = people or next((why for flag, why in mine.items() if flag in flags), "")
    looks = word in ONLY_LOOK or (word in (*VERBS, "goal", "task") and verb in VERBS_THAT_LOOK)
    if not people and not looks and not flags.isdisjoint(FLAGS_OF_ANOTHER):
        return "acts as another instance"
    return people


def _flags(rest: list[Field]) -> set[str]:
    """After `--` nothing is a flag."""
    words = [field.text or field.prefix for field in rest]
    end = words.index("--") if "--" in words else len(words)
    return {word.partition("=")[0] for word in words[:end]}


def _verb(word: str, rest: list[Field]) -> str:
    return _first_word(rest) if word in VERBS else ""


def _opens(word: str, rest: list[Field]) -> bool:
    return word in OPENING or (word, _verb(word, rest)) in OPENING


def _perdure_command(call: ProgramCall, word: str, rest: list[Field]) -> None:
    verb = _verb(word, rest)
    if word in VERBS and verb not in VERBS[word]:
        call.praxic(f"`perdure {word} {verb or '…'}` is not one that moves the work along or only reads")
    elif word in VERBS or word in READS or word in MOVES:
        _perdure_words(call, word, verb, rest=rest)
    else:
        call.praxic(f"`perdure {word}` is not one that moves the work along or only reads")


def _perdure_words(call: ProgramCall, word: str, verb: str, *, rest: list[Field]) -> None:
    if (word, verb) in RISKY and any(field.text is None and field.may_be_option for field in rest):
        call.praxic(f"perdure {word}: a word that is not known before it runs may be an option for people")
        return
    for field, flag in _written_by_flags(rest):
        call.write(field, f"perdure {word} {flag} writes it")
    if word == "export":
        for field in rest:
            if field.text is None or (field.text != "-" and not field.text.startswith("--")):
                call.write(field, "perdure export writes it")
    said = f"perdure {word} {verb}".strip() + ": Perdure's own, never blocked"
    call.found(TRANSITION, said, opens=_opens(word, rest))


def _written_by_flags(rest: list[Field]) -> Iterator[tuple[Field, str]]:
    """`--svg FILE` or `--svg=FILE`: the file, and the flag that names it."""
    for place, field in enumerate(rest):
        flag, _, attached = (field.text or field.prefix).partition("=")
        if flag in WRITING_FLAGS:
            following = rest[place + 1] if place + 1 < len(rest) else UNKNOWN
            yield known(attached) if attached else following, flag
