"""The end of a turn: what is not written down is said once, a contract's evidence is asked for (SPEC 10.6), and what
else is due then is done, at one desk.

Only a turn that changed something is blocked, and only while the contract that counts here lacks evidence for the files
as they are. A turn changed something if this instance edited or created a file in it, or ran a command that changes
things and the files are not those of the last end of a turn. It is blocked at most so often as the contract's mode
allows; then it ends. A turn lasts from one prompt of the person to the next, whatever kept it from ending. What cannot
be decided blocks nothing.

    end_turn(resolved, transcript)      End(held="…") or End(told="…")
"""

from __future__ import annotations

import os
from functools import partial

from perdure.actions import boundaries, closing, contracts, delta_synthesis, observing
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.newest import newest_first
from perdure.actions.record import record
from perdure.actions.wiring import open_desk_at
from perdure.ledger.port import WrittenBy
from perdure.model import payload as p
from perdure.model.ids import is_token
from perdure.model.value import value
from perdure.place.home import given_back_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.actions.contracts import ContractView, Standing
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

_EDITED = ("edit.made", "file.created")
_WORKED = (*_EDITED, "transaction.opened", "transaction.checked", "decision.made", "claim.made")
_LATEST = 3000
"""How many of the latest events of a kind are searched for one of this turn."""
_MOST_WORDS = 1500


@value
class End:
    held: str = ""
    """Why the turn may not end yet; empty if it may."""
    told: str = ""
    """What the person is told."""


def end_turn(resolved: ResolvedRequest, transcript: str) -> End:
    """`transcript`: the path of the client's transcript."""
    with open_desk_at(resolved) as desk:
        end = _judged(desk)
        if not end.held:
            delta_synthesis.at_stop(desk, transcript)
            _look_for_what_was_given(desk, transcript)
            boundaries.at_stop(desk)
    return end


def _look_for_what_was_given(desk: Desk, transcript: str) -> None:
    """After a compaction: whether what it lost arrived (SPEC 11.3)."""
    session = desk.resolved.request.stated_client.client_session_id
    if not session or not is_token(session) or not os.path.exists(given_back_path(desk.resolved.home, session)):
        return
    from perdure.actions import give_back  # not light, and rarely needed

    give_back.check_arrival(desk, transcript)


def _judged(desk: Desk) -> End:
    told = closing.at_turn_end(desk, lambda: _Turn(desk).has_worked)
    contract = contracts.current(desk)
    if contract is None or contract.mode == contracts.OFF:
        return End(told=told)
    end = _judge_contract(desk, contract)
    return End(end.held, "\n".join(filter(None, (told, end.told))))


def _judge_contract(desk: Desk, contract: ContractView) -> End:
    observing.taken_in(desk)
    turn = _Turn(desk)
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
        f"command of its own or with {run}. {show} says more. If it cannot be shown, tell the person what is missing "
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


class _Turn:
    """What this instance did since the person's last prompt. Each question reads only what it needs, the newest first,
    so that a turn of ten thousand calls costs no more than one of ten."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        prompt = next(self._own(("prompt.given",), 0), None)
        self.began = prompt.clock if prompt else 0

    @property
    def edited(self) -> bool:
        return any(True for _ in self._own(_EDITED, self.began))

    @property
    def may_have_changed(self) -> bool:
        """A command ran that changes things, or may."""
        return any(map(_may_change, self._own(("command.run",), self.began)))

    @property
    def has_worked(self) -> bool:
        """Something was done that may have to be written down; otherwise it was mere talk."""
        return any(True for _ in self._own(_WORKED, self.began)) or self.may_have_changed

    @property
    def blocks(self) -> int:
        """How often the end was blocked."""
        judged = (p.read(event, p.StopJudged) for event in self._own(("stop.judged",), self.began))
        return sum(said is not None and said.outcome == "blocked" for said in judged)

    @property
    def waived(self) -> bool:
        """The person waived the evidence with that prompt."""
        return any(True for _ in self._own(("contract.waived",), self.began))

    def _own(self, kinds: Sequence[str], since: int) -> Iterator[Event]:
        """Those of this instance after that clock, the newest first."""
        by = WrittenBy(instance_id=self.desk.seat.instance_id)
        for event in newest_first(partial(self.desk.latest_by, by), kinds, _LATEST):
            if event.clock <= since:
                return
            yield event


def _may_change(event: Event) -> bool:
    ran = p.read(event, p.CommandRun)
    return ran is not None and ran.effect not in ("noetic", "transition", "forbidden")
