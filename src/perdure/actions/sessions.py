"""Sessions: which one an event belongs to, how one starts and ends, and which ones came before it (SPEC 1, 3.4).

A session is the time of one context. It has a parent: the session that it continues. A session and those that it
continues, through every project that they were in, are its lineage.

    ensure_session(desk).session_id            the session to record under; a new one if there is none
    [each.id for each in lineage(desk, session)]
"""

from __future__ import annotations

from perdure.actions import lookup
from perdure.actions.advice import as_typed
from perdure.actions.newest import newest_document
from perdure.actions.record import Fact, record
from perdure.actions.wiring import open_desk_at
from perdure.errors import BadInput, PerdureError, Refused
from perdure.lifecycle.phases import CLEANUP
from perdure.model import payload as p
from perdure.model.ids import InstanceId, SessionId, is_token, new_id, short
from perdure.model.state import FOLLOWED, Instance, Session, body_as, is_continuing
from perdure.model.value import value
from perdure.place import project
from perdure.place.liveness import Holder, is_living
from perdure.place.process import ProcessRef
from perdure.place.seat import bind, is_only_named, nobody

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.state import Document, Process

LISTED_BY = "perdure session list"
RECENT_LINEAGE = 40
"""How many sessions of a lineage are read if not all of them matter."""
WHOLE_LINEAGE = 2000
"""More sessions than a lineage has."""
SOURCES = ("startup", "resume", "clear", "compact", "fork", "terminal", "implicit", "switch")


@value
class SessionSeat:
    """The session in which something is done, and the facts that must be recorded with it if it is new here."""

    session_id: SessionId
    facts: tuple[Fact, ...]


def ensure_session(desk: Desk) -> SessionSeat:
    """The session of this desk: the one that is named, the instance's current one, or a new one. So work from a
    terminal needs no `session start` first. A session that has ended elsewhere, whose end was not recorded here because
    the client was killed first, is ended here too."""
    facts = _instance_facts(desk)
    named, bound = desk.place.session_id, desk.place.binding
    if named and (bound is None or bound.session_id != named):
        return SessionSeat(_to_act_in(desk, named), tuple(facts))
    if named and bound and not _is_known(desk, named):  # it began in another project and continues here
        return SessionSeat(named, (*facts, _arrived(desk, named, bound.project_path)))
    for session in _not_ended_here(desk, named, current(desk)):
        if not has_ended_elsewhere(desk, session):
            return SessionSeat(session.id, tuple(facts))
        facts.append(Fact("session.ended", p.SessionEnded("exit"), session.id, instance_id=session.instance_id))
    session_id = SessionId(new_id())
    return SessionSeat(session_id, (*facts, _started(desk, session_id, "implicit", parent=latest_of(desk))))


def _not_ended_here(desk: Desk, *session_ids: str | None) -> list[Session]:
    """Those of the sessions that the ledger here knows and has no end of."""
    found = [desk.ledger.document("session", each) for each in dict.fromkeys(session_ids) if each]
    return [each.body for each in found if each and each.live and isinstance(each.body, Session)]


def _to_act_in(desk: Desk, typed: str) -> SessionId:
    """The session that is named. An agent may not act in, or end, a session of another instance that may be alive."""
    found = lookup.document(desk.ledger, "session", typed, listed_by=as_typed(desk, LISTED_BY))
    instance_id = _instance_of(found)
    if not desk.is_agent or not found.live or instance_id in (None, desk.seat.instance_id, nobody(desk.identity.id)):
        return SessionId(found.id)
    holder = holder_of(desk.ledger.document("instance", instance_id)) if instance_id else Holder()
    if is_living(holder, desk.around, desk.root) is not False:
        raise Refused(
            "for_people",
            f"Session {short(found.id)} belongs to another pane, which may be at work. An agent may not act in it "
            "or end it. Nothing was written.",
            hint="Leave the id out: the command is then about your own session. That pane ends the other one itself.",
            details={"session_id": found.id, "instance_id": instance_id},
        )
    return SessionId(found.id)


def current(desk: Desk) -> SessionId | None:
    """The session of the instance that has not ended."""
    found = desk.ledger.document("instance", desk.seat.instance_id)
    latest = found.body.session_id if found and isinstance(found.body, Instance) else None
    session = desk.ledger.document("session", latest) if latest else None
    return SessionId(session.id) if session and session.live else None


def under_way(desk: Desk) -> Session | None:
    """The session in which a command here would act, if it has not ended, here or in the project that it came from."""
    named, ours = desk.place.session_id, current(desk)
    found = [
        *(desk.ledger.find_documents("session", named) if named else []),
        *(desk.ledger.find_documents("session", ours) if ours else []),
    ]
    bodies = (each.body for each in found if each.live and isinstance(each.body, Session))
    return next((each for each in bodies if not has_ended_elsewhere(desk, each)), None)


def lineage(desk: Desk, session: Session | None, longest: int = RECENT_LINEAGE) -> Iterator[Session]:
    """The session and those before it, newest first."""
    for _ in range(longest):
        if session is None:
            return
        yield session
        found = desk.ledger.document("session", session.parent_id) if session.parent_id else None
        session = body_as(found, Session)


def across_projects(
    desk: Desk, session: Session | None, *, unread: list[str] | None = None
) -> Iterator[tuple[Desk, Session]]:
    """The session and those that it continues, in every project that they were in, each with a desk in that project.
    Those in the desk's own project come first. A project that cannot be read, or that is gone, is left out; at the end
    its last known path is added to `unread`, unless the session that began there was found elsewhere, or a person gave
    the project up (`perdure project forget`)."""
    seen: dict[tuple[str, str], Session] = {}
    left: list[tuple[str, SessionId]] = []
    not_there: list[tuple[str, SessionId]] = []
    yield from _within(desk, session, seen, left=left)
    while left:
        root, session_id = left.pop(0)
        try:
            for there, found in _recorded_in(desk, root, session_id):
                yield from _within(there, found, seen, left=left)
        except PerdureError:
            not_there.append((root, session_id))
            continue
        if (root, session_id) not in seen:
            not_there.append((root, session_id))
    if unread is not None:
        begun = {each.id for each in seen.values() if each.source != "switch"}
        missing = [desk.resolved.registry.last_of(root) for root, session_id in not_there if session_id not in begun]
        unread += dict.fromkeys(each.path for each in missing if each and each.path not in unread)


def _within(
    desk: Desk, session: Session | None, seen: dict[tuple[str, str], Session], *, left: list[tuple[str, SessionId]]
) -> Iterator[tuple[Desk, Session]]:
    """The part of a lineage that is recorded in one project. Adds to `left` the projects that it came from."""
    for each in of_one_goal(lineage(desk, session, WHOLE_LINEAGE)):
        if (desk.root, each.id) in seen:
            return
        seen[desk.root, each.id] = each
        if each.source == "switch" and each.project_path != desk.root:
            left.append((each.project_path, each.id))
        yield desk, each


def of_one_goal(newest_first: Iterable[Session]) -> Iterator[Session]:
    """The sessions up to the one with which the work began anew: that one has a parent too, but not its goal."""
    later: Session | None = None
    for each in newest_first:
        was_open = each.ended_at is None or each.end_reason == FOLLOWED
        if later and not was_open and not is_continuing(later, each):
            return
        yield each
        later = each


def _recorded_in(desk: Desk, root: str, session_id: SessionId) -> Iterator[tuple[Desk, Session]]:
    """The session as the project at this root has it. If that is gone, or another project is there, it may have been
    moved: then every registered project is asked."""
    if project.is_project(root):
        with open_desk_at(desk.resolved, root, writable=False) as there:
            found = body_as(there.ledger.document("session", session_id), Session)
            if found:
                yield there, found
                return
    for other, document in lookup.anywhere(desk.resolved, "session", session_id).matches:
        with open_desk_at(desk.resolved, other, writable=False) as there:
            if isinstance(document.body, Session):
                yield there, document.body


def lineage_of_place(desk: Desk, *, unread: list[str] | None = None) -> Iterator[tuple[Desk, Session]]:
    """The lineage that is under way at this place, in every project that it was in; for `unread` see
    `across_projects`. If the desk's project is only named, the session may not be recorded in it."""
    session = under_way(desk)
    if session:
        yield from across_projects(desk, session, unread=unread)
        return
    bound = desk.place.binding
    if bound is None or bound.session_id is None or bound.session_id != desk.place.session_id:
        return
    try:
        for there, found in _recorded_in(desk, bound.project_path, bound.session_id):
            if found.ended_at is None:
                yield from across_projects(there, found, unread=unread)
    except PerdureError:
        return  # whoever works in that project is told


def has_ended_elsewhere(desk: Desk, session: Session) -> bool:
    """Whether a session that is recorded here has ended in the project that it came from, or in the one that its
    instance works on, with every session that continues it. The project here is not told of that if it was only named,
    or if the client was killed before it could be told."""
    bound = desk.place.binding
    roots = [session.project_path] if session.source == "switch" else []
    if bound and bound.session_id == session.id:
        roots.append(bound.project_path)
    return any(_has_ended_in(desk, root, session.id) for root in dict.fromkeys(roots) if root != desk.root)


def _has_ended_in(desk: Desk, root: str, session_id: SessionId) -> bool:
    """Every command that acts in the session asks this: so only that project is opened, where it was or is now."""
    known = None if project.is_project(root) else desk.resolved.registry.last_of(root)
    now_at = known.path if known else root
    if now_at == desk.root or not project.is_project(now_at):
        return False
    try:
        with open_desk_at(desk.resolved, now_at, writable=False) as there:
            found = body_as(there.ledger.document("session", session_id), Session)
            if found is None:
                return False
            instance = body_as(there.ledger.document("instance", found.instance_id or ""), Instance)
            latest = there.ledger.document("session", instance.session_id or "") if instance else None
            going_on = across_projects(there, body_as(latest, Session))
            return all(each.id != found.id for _, each in going_on)
    except PerdureError:
        return False  # whoever works in that project is told


def latest_of(desk: Desk) -> SessionId | None:
    """The last session of this instance, ended or not: the parent of the next."""
    ours = current(desk)
    if ours:
        return ours
    if desk.ledger.document("instance", desk.seat.instance_id) is None:
        return None  # it is new here, so nobody looks through all sessions
    last = newest_document(desk.ledger, "session", lambda found: _instance_of(found) == desk.seat.instance_id)
    return SessionId(last.id) if last else None


def _arrived(desk: Desk, session_id: SessionId, begun_in: str) -> Fact:
    """The fact that a session of another project continues here. If a session that it continues was here before, that
    one is its parent: so the lineage has its goal here again."""
    before = None
    try:
        for there, session in _recorded_in(desk, begun_in, session_id):
            known = (each.id for _, each in across_projects(there, session) if _is_known(desk, each.id))
            before = before or next(known, None)
    except PerdureError:
        before = None  # it continues here all the same
    return _started(desk, session_id, "switch", parent=before, begun_in=begun_in)


def _is_known(desk: Desk, session_id: SessionId) -> bool:
    return desk.ledger.document("session", session_id) is not None


def _started(
    desk: Desk, session_id: SessionId, source: str, *, parent: SessionId | None, begun_in: str | None = None
) -> Fact:
    seat = desk.seat
    started = p.SessionStarted(
        source=source,
        project_path=begun_in or desk.root,
        parent_id=parent,
        client=seat.client,
        client_session_id=seat.client_session_id,
    )
    return Fact("session.started", started, session_id, instance_id=seat.instance_id)


def _instance_facts(desk: Desk) -> list[Fact]:
    """The instance and its processes, if the ledger does not have them in this form yet."""
    seat = desk.seat
    bound = (
        p.InstanceBound()
        if not seat.is_bindable
        else p.InstanceBound(
            boot_id=seat.boot_id,
            client=seat.client,
            client_session_id=seat.client_session_id,
            client_process=_pair(seat.client_process),
            shell=_pair(seat.shell),
            process=_pair(seat.process),
            tmux=seat.tmux_key,
            tty=seat.tty_key,
        )
    )
    found = desk.ledger.document("instance", seat.instance_id)
    if (
        found
        and isinstance(found.body, Instance)
        and all(getattr(found.body, name) == content for name, content in bound.__dict__.items())
    ):
        return []
    return [Fact("instance.bound", bound, instance_id=seat.instance_id)]


def _pair(ref: ProcessRef | None) -> Process | None:
    return (ref.pid, ref.started) if ref else None


def holder_of(document: Document | None) -> Holder:
    """What the ledger knows about the processes of an instance; `place` decides whether it is alive."""
    if document is None or not isinstance(document.body, Instance):
        return Holder()
    instance = document.body
    pairs = (instance.client_process, instance.shell, instance.process)
    client, shell, process = (ProcessRef(*pair) if pair else None for pair in pairs)
    return Holder(
        instance_id=instance.id,
        boot_id=instance.boot_id,
        client=client,
        shell=shell,
        process=process,
        tty_key=instance.tty,
        tmux_key=instance.tmux,
    )


def start(desk: Desk, source: str = "terminal", parent: str | None = None, *, phase: str | None = None) -> Session:
    """`phase`: the first phase of a session that a client's hooks drive (SPEC 10.1)."""
    if source not in SOURCES:
        raise BadInput("bad_source", f"--source must be one of {', '.join(SOURCES)}.")
    session_id, came = SessionId(new_id()), _resumed_from_elsewhere(desk) if source == "resume" else None
    if came:
        before: SessionId | None = came.session_id
    elif parent is not None:
        before = SessionId(lookup.document(desk.ledger, "session", parent, listed_by=as_typed(desk, LISTED_BY)).id)
    else:
        before = latest_of(desk)
    bind_here(desk, session_id)
    facts = [*_instance_facts(desk), *([came] if came else []), _started(desk, session_id, source, parent=before)]
    if phase:
        entered = p.PhaseEntered(phase)
        facts.append(Fact("phase.entered", entered, session_id, instance_id=desk.seat.instance_id))
    record(desk, facts)
    return show(desk, session_id)


def _resumed_from_elsewhere(desk: Desk) -> Fact | None:
    """The client session that is resumed here was last in another project, in a session that is not known here."""
    bound, asked = desk.place.binding, desk.resolved.request.stated_client.client_session_id
    if bound is None or asked is None or bound.client_session_id != asked or bound.session_id is None:
        return None
    if bound.project_path == desk.root or _is_known(desk, bound.session_id):
        return None
    return _arrived(desk, bound.session_id, bound.project_path)


def bind_here(desk: Desk, session_id: SessionId) -> None:
    """Binds this instance to this project, unless the project was only named."""
    if not is_only_named(desk.place, desk.root):
        bind(desk.seat, desk.root, desk.identity.id, session=session_id, around=desk.around)


def doubled_words(instance_id: str, pid: int) -> str:
    return (
        f"Perdure: another process ({pid}) has the same client session id. It counts as another pane "
        f"({short(instance_id)}): each has its own transaction, and neither can use or close the other's."
    )


def end(desk: Desk, typed: str | None, reason: str) -> Session:
    if not is_token(reason):
        raise BadInput("bad_reason", "--reason must be one word, such as exit, clear or logout.")
    session_id = _to_act_in(desk, typed) if typed is not None else current(desk)
    if session_id is None:
        raise Refused("no_session", "This pane has no session to end.", hint="perdure session start starts one.")
    found = desk.ledger.document("session", session_id)
    if found is None or not found.live:
        raise Refused("session_ended", f"Session {session_id[:8]} has ended already.", hint=as_typed(desk, LISTED_BY))
    ended = Fact("session.ended", p.SessionEnded(reason), session_id, instance_id=_instance_of(found))
    _record_with_handoff(desk, body_as(found, Session), ended)
    _end_elsewhere(desk, body_as(found, Session), reason)
    _sign_head(desk)
    from perdure.actions import segments  # `status` needs only the views of sessions

    segments.keep_tracked(desk)
    _write_views(desk)
    _end_where_named(desk, body_as(found, Session), reason)
    return show(desk, session_id)


def _record_with_handoff(desk: Desk, session: Session | None, ended: Fact) -> None:
    """In one commit: a client that ends may kill this process at any moment. The files come after it; the next start
    writes those that are missing."""
    from perdure.actions import handoffs  # needs what uses sessions

    left, trouble = handoffs.facts_at_end(desk, session)
    if session and session.phase:
        left.append(Fact("phase.entered", p.PhaseEntered(CLEANUP), session.id, instance_id=session.instance_id))
    events = record(desk, [*left, ended]).events
    try:
        handoffs.write_files(desk, events)
    except PerdureError as error:
        trouble = f"The files of the handoff were not written: {error.message}"
    if trouble:
        desk.resolved.request.tell(trouble)


def _end_elsewhere(desk: Desk, session: Session | None, reason: str) -> None:
    """Ends the lineage in the projects that it came from too: there the latest session of it that they know has not
    ended. What cannot be written there stays as it is, and the session here has ended all the same."""
    unended = [
        (there.root, each)
        for there, each in across_projects(desk, session)
        if there.root != desk.root and each.ended_at is None and session and each.instance_id == session.instance_id
    ]
    for root, each in unended:
        try:
            with open_desk_at(desk.resolved, root) as there:
                record(there, [Fact("session.ended", p.SessionEnded(reason), each.id, instance_id=each.instance_id)])
        except PerdureError:
            continue


def _end_where_named(desk: Desk, session: Session | None, reason: str) -> None:
    """Ends the session in the projects that it only named (`--project-path`): no record here says which these were, so
    those are asked whose ledger was written since the session started. It comes last; if the client does not wait for
    it, `ensure_session` ends the session there."""
    if session is None:
        return
    for root, found in lookup.anywhere(desk.resolved, "session", session.id, since=session.started_at).matches:
        named = body_as(found, Session)
        if root == desk.root or not found.live or named is None or named.source != "switch":
            continue
        try:
            with open_desk_at(desk.resolved, root) as there:
                record(there, [Fact("session.ended", p.SessionEnded(reason), named.id, instance_id=named.instance_id)])
        except PerdureError:
            continue


def _sign_head(desk: Desk) -> None:
    """Signs a head. If that fails, the session has still ended; the next head, and `audit verify`, report it."""
    from perdure.actions.signing import sign_or_warn  # imports Ed25519, which no other hook needs

    sign_or_warn(desk, "session end")


def _write_views(desk: Desk) -> None:
    """NOTES.md and the trajectory, with the handoff that this session is. They come last: the client may not wait."""
    from perdure.actions import derived_views  # needs what uses sessions

    for told in derived_views.write_all(desk, quickly=True):
        desk.resolved.request.tell(told)


def _instance_of(found: Document) -> InstanceId | None:
    return found.body.instance_id if isinstance(found.body, Session) else None


def show(desk: Desk, typed: str | None) -> Session:
    named = typed if typed is not None else desk.place.session_id or current(desk)
    if named is None:
        raise Refused("no_session", "This pane has no session.", hint="perdure session start starts one.")
    found = lookup.document(desk.ledger, "session", named, listed_by=as_typed(desk, LISTED_BY)).body
    assert isinstance(found, Session)
    return found


def listed(desk: Desk, limit: int) -> list[Session]:
    found = [d.body for d in desk.ledger.documents("session", limit=limit) if isinstance(d.body, Session)]
    return sorted(found, key=lambda session: session.started_at, reverse=True)
