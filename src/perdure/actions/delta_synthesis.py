"""Delta synthesis: after so many tokens, what was written down is flushed and counted, and the agent is reminded of
what only it can write (SPEC 9.3).

It runs at a prompt and at the end of a turn, never before a tool. The figures are those of `context_window.py`; without
figures, or with a mere estimate, nothing happens. A synthesis is a `delta.synced`, or a passed checkpoint: tokens are
counted from the last one of the session. If there are fewer now, the context was compacted: they count from none.

    at_prompt(desk, session, use)       # the reminder, once in a session
    at_stop(desk, transcript)           # records, and says nothing
"""

from __future__ import annotations

from perdure.actions import context_window, derived_views, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.record import record
from perdure.ledger.port import WrittenBy
from perdure.lifecycle.context_use import HookText
from perdure.model import payload as p
from perdure.model.state import Session, body_as
from perdure.views import task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.lifecycle.context_use import ContextUse
    from perdure.model.event import Event

SYNTHESES = ("delta.synced", "checkpoint.passed")
REMINDED = "synthesis.reminded"
LATEST = 50
"""How many of the latest syntheses of the session are searched for one with a size."""
MOST_COUNTED = 500
_NOTES = tuple(f"note.{kind}" for kind in p.NOTE_KINDS)
_TASKS = ("task.created", "task.updated", "task.closed")


def at_prompt(desk: Desk, session_id: str, use: ContextUse | None, *, may_remind: bool = True) -> HookText | None:
    """Synchronises if that is due. Returns the reminder, if the session has had a synthesis and no reminder yet, and if
    there is room for it."""
    if use is None or use.is_estimate:
        return None
    last = _last_synthesis(desk, session_id)
    synced = _sync(desk, session_id, use, last=last)
    is_due = synced or (last is not None and last.kind == "delta.synced")
    session = body_as(desk.ledger.document("session", session_id), Session)
    if not is_due or not may_remind or session is None or REMINDED in session.told:
        return None
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact(REMINDED, p.SynthesisReminded(use.tokens))])
    return _reminder(desk, use)


def at_stop(desk: Desk, transcript: str) -> None:
    use, session_id = context_window.use_of(desk.resolved, transcript), sessions.current(desk)
    if use is None or use.is_estimate or session_id is None or use.tokens < desk.number("checkpoint.yellow"):
        return
    _sync(desk, session_id, use, last=_last_synthesis(desk, session_id))


def _last_synthesis(desk: Desk, session_id: str) -> Event | None:
    """A checkpoint counts only if it knew how full the context was."""
    found = desk.latest_by(WrittenBy((session_id,)), SYNTHESES, LATEST)
    return next((event for event in found if _tokens_at(event) is not None), None)


def _tokens_at(event: Event) -> int | None:
    said = p.read(event, p.DeltaSynced) or p.read(event, p.CheckpointRun)
    return said.context_tokens if said else None


def _sync(desk: Desk, session_id: str, use: ContextUse, *, last: Event | None) -> bool:
    before = (_tokens_at(last) if last else None) or 0
    tokens = use.tokens - before if use.tokens >= before else use.tokens
    if tokens < desk.number("checkpoint.yellow"):
        return False
    is_written = _flushed(desk)
    synced = p.DeltaSynced(
        tokens=tokens,
        decisions_persisted=_count(desk, session_id, ["decision.made"], since=last),
        bead_updated=is_written or _count(desk, session_id, _TASKS, since=last) > 0,
        notes_updated=_count(desk, session_id, _NOTES, since=last) > 0,
        context_tokens=use.tokens,
    )
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact("delta.synced", synced)])
    derived_views.write_all(desk, quickly=True)
    desk.back_up()
    return True


def _flushed(desk: Desk) -> bool:
    """Writes the task file of beads, if there is one. Returns whether it was written."""
    if not task_file.is_there(desk.root):
        return False
    from perdure.actions import task_sync  # only projects that use beads pay for it

    return any(each.startswith("Changed:") for each in task_sync.at_session_end(desk))


def _count(desk: Desk, session_id: str, kinds: Sequence[str], *, since: Event | None) -> int:
    found = desk.latest_by(WrittenBy((session_id,)), kinds, MOST_COUNTED)
    return sum(since is None or event.clock > since.clock for event in found)


def _reminder(desk: Desk, use: ContextUse) -> HookText:
    decide = as_typed(desk, "perdure decide '…' --because '…'")
    step = as_typed(desk, "perdure note next '…'")
    return HookText(
        f"Perdure: the context holds {use.tokens_in_words}. Everything that was recorded is safe. Write down now what "
        f"only you know: decisions ({decide}) and next steps ({step}).",
        short="Perdure: write down what only you know: decisions and next steps.",
    )
