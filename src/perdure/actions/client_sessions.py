"""Start of a client's session: binds the place, continues the lineage, heals views, and tells the agent the state of
the work (SPEC 6.2, SessionStart). Its end is in `client_session_end.py`."""

from __future__ import annotations

from contextlib import suppress

from perdure.actions import (
    context_window,
    derived_views,
    fork_check,
    handoffs,
    lost_record,
    phase_file,
    recovering,
    session_state,
    sessions,
    transaction_lookup,
    transactions,
    unsynthesised,
)
from perdure.actions.early_prompts import record_early_goal
from perdure.actions.newest import newest_document
from perdure.actions.record import Fact, record
from perdure.actions.view_healing import mend_views, put_away_bindings
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError
from perdure.lifecycle.phases import at_start
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.state import Session, body_as
from perdure.model.value import value
from perdure.place import project, rights, same_repository
from perdure.place.liveness import others_in_same_client_session
from perdure.place.refusals import required_project
from perdure.place.seat import bind, take_seat
from perdure.views import task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.actions.holdings import Held
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.context_use import ContextUse
    from perdure.model.event import Event
    from perdure.model.state import Document


@value
class Arrival:
    session: Session
    text: str


def start_client_session(
    resolved: ResolvedRequest,
    source: str,
    forked_from: str | None = None,
    *,
    transcript: str = "",
    use: ContextUse | None = None,
    notices: Callable[[], list[str]] = list,
) -> Arrival:
    """`forked_from`: the client's id of the session that this one was forked from, if its transcript says so.
    `transcript`: the path of the client's transcript. `use`: how full the context is. `notices`: what the brief must
    say first; asked once the record is there."""

    def arrive(restored: list[str]) -> Arrival:
        before = [*notices(), *restored]
        return _arrive(resolved, source, forked_from, before=before, transcript=transcript, use=use)

    try:
        return lost_record.with_record(resolved, arrive)
    except PerdureError:
        with suppress(PerdureError):  # if this fails as well, the first error is reported
            _stay(resolved)
        raise


def _stay(resolved: ResolvedRequest) -> None:
    """Binds the place although the session could not be recorded, so that the folder in which the client started still
    counts and not one that it goes to later. A session that is resumed stays with its project although that is gone:
    commands then find it, as the gate does."""
    root, before = resolved.place.project_path, resolved.place.binding
    if before and root == before.project_path and not resolved.place.project_is_there:
        project_id = before.project_id
    else:
        root = required_project(resolved.place)
        project_id = project.identity(root).id
    bind(
        take_seat(resolved.place, resolved.around, project_id),
        root,
        project_id,
        session=resolved.place.session_id,
        around=resolved.around,
    )


def context_use_at_start(
    resolved: ResolvedRequest, source: str, told: ContextUse | None, *, transcript: str
) -> ContextUse | None:
    """How full the context is when a session starts; `told` is what the client says itself. After a compaction the
    earlier figures do not count, and a cleared or new context is empty."""
    session = resolved.request.stated_client.client_session_id
    if source == "compact" and session:
        context_window.forget(resolved.home, session)
    return told or (context_window.use_of(resolved, transcript) if source in ("resume", "fork") else None)


def _arrive(
    resolved: ResolvedRequest,
    source: str,
    forked_from: str | None,
    *,
    before: list[str],
    transcript: str,
    use: ContextUse | None,
) -> Arrival:
    with open_desk_at(resolved) as desk:
        put_away_bindings(resolved)
        mended = mend_views(desk)
        if mended:
            record(desk, [Fact("ledger.healed", p.LedgerHealed(tuple(mended)))])
        closed = transactions.close_orphans(desk) if desk.setting("transaction.orphans") == "close" else []
        if source == "startup":
            _end_crashed_session(desk)
        audited = _audit_of_the_summary(desk) if source == "compact" else None
        phase = at_start(source, is_continuing=sessions.current(desk) is not None)
        session = sessions.start(desk, source, _parent(desk, source, forked_from), phase=phase)
        phase_file.show(resolved, phase)
        desk.claims_changed = True  # of this lineage, which may be another one than before in this place
        record_early_goal(desk)
        same_repository.keep(
            desk.backup_folder,
            desk.root,
            desk.identity.name,
            ledgers=(h.ledger_id for h in desk.ledger.heads()),
            again=False,
        )
        tightened = rights.tighten(resolved.home, desk.folder)
        unwritten = unsynthesised.at_start(desk) if source == "clear" else []
        stated = fork_check.at_session_start(desk, session, transcript)
        urgent = (*before, *stated, *_doubled(desk, session))
        said = (*desk.notices, *_mended(mended), *tightened, *_closed(closed), *unwritten, *_tasks_at_start(desk))
        revival = session_state.revive(desk, session) if source != "compact" else session_state.Revival()
        said = (*said, *revival.notices, *handoffs.offered(desk, session))
        notices = recovering.Notices(urgent, (*said, *derived_views.waiting(desk)))
        if source == "compact":
            from perdure.actions import give_back  # as below

            return Arrival(session, give_back.at_session_start(desk, session, notices, audited=audited))
        return Arrival(session, recovering.at_start(desk, session, notices, use=use, revival=revival))


def _audit_of_the_summary(desk: Desk) -> Event | None:
    from perdure.actions import compaction  # not light, and most sessions start with no summary in them

    return compaction.awaited(desk, sessions.current(desk))


def _end_crashed_session(desk: Desk) -> None:
    """A client starts although the session of the one before has no end: that client crashed. If the work of that
    session was closed, its lineage ends here, so that its goal is not taken for that of the new conversation. If it was
    not, the new session continues it, unless that session came from another project and ended there."""
    before = desk.ledger.document("session", sessions.current(desk) or "")
    session = body_as(before, Session)
    if session is None or session.client_session_id in (None, desk.resolved.request.stated_client.client_session_id):
        return
    is_ended_there = sessions.has_ended_elsewhere(desk, session)
    if is_ended_there or transaction_lookup.is_work_closed(desk, session):
        ended = p.SessionEnded("exit" if is_ended_there else "crash")
        record(desk, [Fact("session.ended", ended, session.id, instance_id=session.instance_id)])


def _tasks_at_start(desk: Desk) -> list[str]:
    if not task_file.is_there(desk.root):
        return []
    from perdure.actions import task_sync  # only projects that use beads pay for it

    return task_sync.at_session_start(desk)


def _parent(desk: Desk, source: str, forked_from: str | None) -> str | None:
    """The session that this one continues; None means the instance's latest."""
    sought = None
    if source == "fork":
        sought = forked_from
    elif source == "resume":
        sought = desk.resolved.request.stated_client.client_session_id
    if sought is None:
        return None
    found = newest_document(desk.ledger, "session", lambda each: _client_session_of(each) == sought)
    return found.id if found else None


def _client_session_of(found: Document) -> str | None:
    return found.body.client_session_id if isinstance(found.body, Session) else None


def _mended(mended: list[str]) -> list[str]:
    return [f"Repaired at the start of this session: {', '.join(mended)}."] if mended else []


def _closed(closed: list[Held]) -> list[str]:
    return [f"Closed without an assessment, because its pane is gone: {short(each.transaction.id)}" for each in closed]


def _doubled(desk: Desk, session: Session) -> list[str]:
    """Two processes have the same client session id, and both are told (SPEC 3.7): this one now, the other with its
    next prompt."""
    words = []
    ours = desk.resolved.request.stated_client.client_session_id
    for other in others_in_same_client_session(desk.around, desk.seat.instance_id, desk.root):
        met = p.SessionDoubled(ours or "", other.instance_id)
        record(
            desk,
            [
                Fact(
                    kind="session.doubled",
                    payload=met,
                    session_id=session.id,
                    transaction_id=None,
                    instance_id=desk.seat.instance_id,
                )
            ],
        )
        words.append(sessions.doubled_words(other.instance_id, other.pid))
    return words
