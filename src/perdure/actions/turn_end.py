"""The end of a turn: what is not written down is said once, and a contract's evidence is asked for (SPEC 10.6).

Only a turn that changed something is blocked, and only while the contract that counts here lacks evidence for the files
as they are. A turn changed something if this instance edited or created a file in it, or ran a command that changes
things and the files are not those of the last end of a turn. It is blocked at most so often as the contract's mode
allows; then it ends. A turn lasts from one prompt of the person to the next, whatever kept it from ending. What cannot
be decided blocks nothing.

    judge(resolved)         End(held="…") or End(told="…")
"""

from __future__ import annotations

from perdure.actions import contracts, lineage_grounding, notes, observing, sessions, tasks
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution, own_open_transaction
from perdure.actions.record import record
from perdure.actions.wiring import open_desk_at
from perdure.actions.writers import Writers
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.state import Session, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.contracts import ContractView, Standing
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

TOLD = "closing.told"
_DID = ("prompt.given", "edit.made", "file.created", "command.run", "contract.waived", "stop.judged")
_LATEST = 3000
"""So many of the latest events are searched for what this turn did."""
_MOST_WORDS = 1500
_MOST_NOTES = 50


@value
class End:
    held: str = ""
    """Why the turn may not end yet; empty if it may."""
    told: str = ""
    """What the person is told."""


def judge(resolved: ResolvedRequest) -> End:
    with open_desk_at(resolved) as desk:
        told = _closing(desk)
        contract = contracts.current(desk)
        if contract is None or contract.mode == contracts.OFF:
            return End(told=told)
        end = _judge_contract(desk, contract)
    return End(end.held, "\n".join(filter(None, (told, end.told))))


def _judge_contract(desk: Desk, contract: ContractView) -> End:
    observing.taken_in(desk)
    turn = _turn(desk)
    if not turn.edited and not turn.may_have_changed:
        return End()
    stands = contracts.standing(desk, contract)
    if stands.tree is None or not (turn.edited or turn.blocks or stands.tree != contract.state.tree):
        return End()
    outcome = _outcome(contract, stands, turn)
    _record(desk, contract, stands, outcome=outcome)
    if outcome == "blocked":
        return End(held=_held_words(desk, contract, stands))
    if outcome in ("told", "let go"):
        return End(told=f"Perdure: {_goal(contract)} {_missing(contract, stands)}")
    return End()


def _outcome(contract: ContractView, stands: Standing, turn: _Turn) -> str:
    if stands.judged.is_met:
        return "met"
    if turn.waived:
        return "waived"
    if contract.mode == contracts.LOOSE:
        return "told"
    return "let go" if turn.blocks >= contracts.MOST_BLOCKS[contract.mode] else "blocked"


def _goal(contract: ContractView) -> str:
    return f"The contract “{' '.join(contract.goal.split())[:200]}” is not met:"


def _missing(contract: ContractView, stands: Standing) -> str:
    return contracts.missing_words(contract, stands) + "."


def _held_words(desk: Desk, contract: ContractView, stands: Standing) -> str:
    """What is missing and how to show it. It names no way around: only a person has one."""
    run, show = as_typed(desk, "perdure run -- COMMAND"), as_typed(desk, "perdure contract show")
    why = f" What ran does not count: {'; '.join(stands.why)}." if stands.why else ""
    return (
        f"Perdure: {_goal(contract)} {_missing(contract, stands)}{why} Run what is missing on the whole project, as a "
        f"command of its own or with {run}. {show} says more. If it cannot be shown, say to the person what is missing "
        "and why."
    )[:_MOST_WORDS]


def _record(desk: Desk, contract: ContractView, stands: Standing, *, outcome: str) -> None:
    attribution = current_attribution(desk)
    said = p.StopJudged(
        contract=contract.owner,
        outcome=outcome,
        missing=stands.judged.missing,
        confidence=stands.judged.confidence,
        tree=stands.tree,
    )
    record(desk, [*attribution.before, attribution.fact("stop.judged", said)])


@value
class _Turn:
    """What this instance did since the person's last prompt."""

    edited: bool
    may_have_changed: bool
    """A command ran that changes things, or may."""
    blocks: int
    """How often the end was blocked."""
    waived: bool
    """The person waived the evidence with that prompt."""


def _turn(desk: Desk) -> _Turn:
    did: list[Event] = []
    for event in desk.latest_here(_DID, _LATEST):
        if event.instance_id != desk.seat.instance_id:
            continue
        if event.kind == "prompt.given":
            break
        did.append(event)
    judged = [said for event in did if (said := p.read(event, p.StopJudged))]
    kinds = {event.kind for event in did}
    return _Turn(
        edited=not kinds.isdisjoint(("edit.made", "file.created")),
        may_have_changed=any(map(_may_change, did)),
        blocks=sum(said.outcome == "blocked" for said in judged),
        waived="contract.waived" in kinds,
    )


def _may_change(event: Event) -> bool:
    ran = p.read(event, p.CommandRun)
    return ran is not None and ran.effect not in ("noetic", "transition", "forbidden")


# -- the close protocol ------------------------------------------------------------------------------------------------


def _closing(desk: Desk) -> str:
    """What is not written down yet, once in a session. It is said to the person; nothing waits for it."""
    session_id = sessions.current(desk)
    session = body_as(desk.ledger.document("session", session_id), Session) if session_id else None
    if session is None or TOLD in session.told:
        return ""
    lacking = _lacking(desk, session)
    if not lacking:
        return ""
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact(TOLD, p.ClosingTold(tuple(lacking)))])
    return f"Perdure: before this session ends: {'; '.join(lacking)}."


def _lacking(desk: Desk, session: Session) -> list[str]:
    transaction = own_open_transaction(desk)
    if transaction is None:
        return []
    lacking = [f"transaction {short(transaction.id)} is open"]
    ratio = lineage_grounding.as_recorded(desk).ratio
    if ratio.total > ratio.grounded:
        lacking.append(f"{ratio.total - ratio.grounded} of {ratio.total} claims and decisions have no evidence")
    task = tasks.own_active(desk)
    has_next = bool(task and task.next_steps) or any(
        each.kind == "next" for each in notes.open_by(desk, Writers(desk, session), _MOST_NOTES)
    )
    return lacking if has_next else [*lacking, "no next step is written down"]
