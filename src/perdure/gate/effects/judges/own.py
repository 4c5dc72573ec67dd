"""Perdure itself (SPEC 5.5)."""

from __future__ import annotations

from perdure.gate.effects.finding import FORBIDDEN, TRANSITION
from perdure.gate.shell.words import UNKNOWN, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import Call
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
    "audit": frozenset("start think finalize root prove verify verify-proof heads".split()),
}
FOR_PEOPLE = {
    "uninstall": "takes the guard away",
    "import": "adds another machine's record",
    "redact": "erases what was recorded",
    "transaction-close": "closes what another holds",
    "keys": "changes the keys that sign the record",
}
VERBS_FOR_PEOPLE = {
    ("config", "set"): "changes the guard's settings",
    ("config", "unset"): "changes the guard's settings",
    ("transaction", "override"): "opens the gate by hand",
    ("audit", "keys"): "changes the keys that sign the record",
}
FLAGS_FOR_PEOPLE = {
    "--orphaned": "closes what another holds",
    "--override": "opens the gate by hand",
    "--purge": "erases the record",
}
OPENING: frozenset[str | tuple[str, str]] = frozenset(
    (
        *("preflight", "postflight", "preflight-submit", "postflight-submit", "project-switch", "session-create"),
        *(("transaction", "adopt"), ("transaction", "close"), ("project", "switch")),
        *(("session", "start"), ("session", "end")),
    )
)
"""They open, close or move a transaction, or the instance itself."""
WRITING_FLAGS = ("--svg", "--png", "--output", "--plugin")


def perdure(call: Call, name: str, card: Card, args: list[Field]) -> None:
    """SPEC 5.5: the way out is never blocked; what disarms the guard or rewrites the record is for people."""
    words = [field.text for field in args]
    if call.context.given or set(call.context.wrappers) - {"timeout"} or call.walk.depth:
        call.praxic("perdure with variables set for it, or run by another program, is not taken for perdure itself")
    elif not words or words in (["--help"], ["--version"], ["-h"]):
        call.found(TRANSITION, "perdure tells about itself")
    elif words[0] is None:
        call.praxic("which command of perdure this is is not known before it runs")
    else:
        _perdure_command(call, words[0], args[1:])


def _perdure_command(call: Call, word: str, rest: list[Field]) -> None:
    verb = rest[0].text if rest else ""
    people = FOR_PEOPLE.get(word) or VERBS_FOR_PEOPLE.get((word, verb or ""))
    flags = [(field.text or field.prefix).partition("=")[0] for field in rest]
    people = people or next((FLAGS_FOR_PEOPLE[flag] for flag in flags if flag in FLAGS_FOR_PEOPLE), "")
    if people:
        call.found(FORBIDDEN, f"perdure {word}: it {people}, and that is for people")
    elif word in VERBS and verb not in VERBS[word]:
        call.praxic(f"`perdure {word} {verb or '…'}` is not one that moves the work along or only looks")
    elif word in VERBS or word in READS or word in MOVES:
        _perdure_words(call, word, rest, flags)
    else:
        call.praxic(f"`perdure {word}` is not one that moves the work along or only looks")


def _perdure_words(call: Call, word: str, rest: list[Field], flags: list[str]) -> None:
    risky = word in ("transaction", "calibration", "init", "audit")
    if risky and any(field.text is None and field.may_be_option for field in rest):
        call.praxic(f"perdure {word}: a word that is not known before it runs may be an option for people")
        return
    for place, flag in enumerate(flags):
        if flag in WRITING_FLAGS:
            attached = (rest[place].text or "").partition("=")[2]
            target = known(attached) if attached else rest[place + 1] if place + 1 < len(rest) else UNKNOWN
            call.write(target, f"perdure {word} {flag} writes it")
    verb = (rest[0].text or "") if word in VERBS and rest else ""
    opens = word in OPENING or (word, verb) in OPENING
    call.found(TRANSITION, f"perdure {word} {verb}".strip() + ": Perdure's own, never blocked", opens=opens)
