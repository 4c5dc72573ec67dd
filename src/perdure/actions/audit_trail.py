"""The audit trail: audit sessions, thought records chained by task, and the root that seals a session (SPEC 14.1 to
14.5).

    started = start(desk, "make the parser faster")
    think(desk, "plan", "task-1", agent_id="claude", content="measure first", session_id=started.session_id)
    finalize(desk, started.session_id).root

Invariants: a record is one event, so its id and timestamp are the event's, and its hash covers what is stored. If
several agents think on one task at once, each record links to the one before it. No record comes after the root of its
session.
"""

from __future__ import annotations

from shlex import quote

from perdure.actions import lookup
from perdure.actions.attribution import current_attribution
from perdure.actions.record import Fact, expect_unchanged, new_event_id, record, refuse_credential
from perdure.errors import BadInput, Conflict, Refused
from perdure.ledger.port import ALL_EVENTS, Expect
from perdure.model import payload as p
from perdure.model.event import GENESIS, Ref
from perdure.model.ids import LedgerId, SessionId, TaskId, new_id, opaque_of, short, shown
from perdure.model.ownership import erasure_in_force
from perdure.model.state import AuditSession, NthRecord, Trail, body_as, nth
from perdure.model.value import replace, value
from perdure.proof.canonical import storable
from perdure.proof.chain import LARGEST_PAYLOAD
from perdure.proof.merkle import Frontier, leaf
from perdure.proof.thought_hash import TYPES, Link, TaskChain, Verifying, lone_in, paired, record_hash, with_lone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.attribution import Attribution
    from perdure.actions.record import Finish
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event, Payload
    from perdure.model.ids import EventId
    from perdure.model.json import Json
    from perdure.model.moment import Stamp

_FIRST_WINDOW = 256
"""Thought records of all tasks that `latest` reads first; it reads more where these do not hold enough."""


@value
class Started:
    session_id: str
    intent: str
    task_id: str | None
    started_at: Stamp


@value
class ThoughtRecord:
    """Seed 003 §6: the eight fields of the chain, and the audit session if there is one."""

    id: str
    type: str
    task_id: str
    agent_id: str
    content: str
    timestamp: Stamp
    prev_hash: str
    hash: str
    session_id: str | None
    other_ledger: str | None = None
    """The other machine's ledger that it came from."""


@value
class Finalized:
    session_id: str
    root: str
    record_count: int
    finalized_at: Stamp
    other_ledger: str | None = None
    """The other machine's ledger that sealed the session."""
    warning: str = ""
    """Why the ledger's tree head could not be signed as well."""


@value
class ChainReport:
    record_count: int
    broken_count: int
    redacted_count: int
    first_broken_at: str | None
    by_task: tuple[TaskChain, ...]

    @property
    def valid(self) -> bool:
        return self.broken_count == 0


# -- what callers give -----------------------------------------------------------------------------------------------


def _text(given: object, name: str) -> str:
    if not isinstance(given, str) or not given:
        raise BadInput("bad_field", f"{name}: must be a non-empty string.", details={"field": name})
    if len(given) > LARGEST_PAYLOAD:  # before the masking rules read it
        raise BadInput(
            "too_large",
            f"{name}: larger than the {LARGEST_PAYLOAD // 1024} KiB that one event may hold. Nothing was written.",
            hint="Keep the text in a file and record its path.",
        )
    return given


def _id(given: object, name: str) -> str:
    return opaque_of(refuse_credential(_text(given, name), name), name)


def _maybe_id(given: object, name: str) -> str | None:
    return None if given is None else _id(given, name)


def _task(desk: Desk, given: object) -> str:
    """The task's whole id. A task of ours may be named by the beginning of its id, as everywhere; the id of any other
    task is taken as it is."""
    return lookup.task(desk.ledger, _id(given, "task_id"))


# -- audit sessions --------------------------------------------------------------------------------------------------


def start(desk: Desk, intent: str, task_id: str | None = None, *, session_id: str | None = None) -> Started:
    intent = _text(intent, "intent")
    task = None if task_id is None else _task(desk, task_id)
    audit = _maybe_id(session_id, "session_id") or new_id()
    attribution = current_attribution(desk)
    fact = _fact(attribution, "audit.started", p.AuditStarted(intent), audit=audit, task=task)
    absent = Expect("audit_session", audit, None)
    expected = absent if _own_session(desk, audit) else expect_unchanged(desk, "audit_session", audit)
    try:
        event = record(desk, [*attribution.before, fact], [expected]).events[-1]
    except Conflict:
        raise Refused(
            "ERR_SESSION_EXISTS",
            f"The audit session {shown(audit)} exists already. Nothing was written.",
            hint="Continue in it, or leave the id out to get a new one.",
            details={"session_id": audit},
        ) from None
    said = p.read(event, p.AuditStarted)
    assert said is not None
    return Started(session_id=audit, intent=said.intent, task_id=task, started_at=event.ts)


def _fact(
    attribution: Attribution,
    kind: str,
    payload: object,
    *,
    audit: str | None,
    task: str | None = None,
    id: EventId | None = None,
    finish: Finish | None = None,
) -> Fact:
    """The event's `session_id` is the audit session, so that it is still known when the payload is erased."""
    transaction = attribution.transaction.id if attribution.transaction else None
    session = SessionId(audit) if audit is not None else None
    task_id = TaskId(task) if task is not None else None
    return Fact(
        kind=kind,
        payload=payload,
        session_id=session,
        transaction_id=transaction,
        instance_id=attribution.instance_id,
        task_id=task_id,
        id=id,
        finish=finish,
    )


# -- thought records -------------------------------------------------------------------------------------------------


def think(
    desk: Desk, type: str, task_id: str, *, agent_id: str, content: str, session_id: str | None = None
) -> ThoughtRecord:
    if type not in TYPES:
        raise BadInput("bad_field", f"type: must be one of {', '.join(TYPES)}.", details={"field": "type"})
    task, agent = _task(desk, task_id), _id(agent_id, "agent_id")
    words, audit = _Content(_text(content, "content")), _maybe_id(session_id, "session_id")
    while True:
        expected = [expect_unchanged(desk, "trail", task)]
        if audit is not None:
            expected.append(expect_unchanged(desk, "audit_session", audit))
            _refuse_if_finalized(desk, audit)
        before = _predecessor(desk, task)
        attribution = current_attribution(desk)
        thought = p.ThoughtRecorded(
            type=type,
            agent_id=agent,
            content=words.text,
            prev_hash=before.hash,
            hash="",
            follows=before.elsewhere,
            working_session=attribution.session_id,
        )
        fact = _fact(
            attribution,
            "thought.recorded",
            thought,
            audit=audit,
            task=task,
            id=new_event_id(),
            finish=_adding_hash(words, task),
        )
        try:
            event = record(desk, [*attribution.before, fact], expected).events[-1]
        except Conflict:
            continue  # another record came first: ours follows it. This ends when nobody else writes to the task
        return _record_of(event)


def _refuse_if_finalized(desk: Desk, audit: str) -> None:
    found = _own_session(desk, audit)
    if found and found.root is not None:
        raise Refused(
            "ERR_SESSION_FINALIZED",
            f"The audit session {shown(audit)} is sealed and takes no more records. Nothing was written.",
            hint="Start another session, or record the thought without one.",
            details={"session_id": audit, "root": found.root},
        )


class _Content:
    """A record's content, before it is stored. Surrogates that make a pair become one character. Lone ones stay in
    `text`: `record` replaces them, since they cannot be stored, and `_adding_hash` stores them beside the text, in the
    payload's field `lone`. If there are any, credentials are masked here already, because masking after that would move
    their positions; `masked` counts how many."""

    def __init__(self, given: str) -> None:
        self.text, self.masked = paired(given), 0
        if lone_in(self.text):
            from perdure.masking import mask_text

            self.text, self.masked = mask_text(self.text)

    def lone_surrogates_in(self, stored: str) -> tuple[str, ...]:
        alike = storable({"content": self.text})[0]["content"] == stored
        return lone_in(self.text) if alike else ()


def _adding_hash(words: _Content, task: str) -> Finish:
    def finish(payload: Payload, event_id: EventId, ts: Stamp) -> Payload:
        stored, type_, prev = payload["content"], payload["type"], payload["prev_hash"]
        assert isinstance(stored, str)
        assert isinstance(type_, str)
        assert isinstance(prev, str)
        lone_surrogates = words.lone_surrogates_in(stored)
        hashed = {
            **payload,
            "hash": record_hash(
                event_id, type_, task, content=with_lone(stored, lone_surrogates), timestamp=ts, prev_hash=prev
            ),
        }
        if lone_surrogates:
            hashed["lone"] = list(lone_surrogates)
        masked = payload.get("$masked", 0)
        if words.masked and isinstance(masked, int):
            hashed["$masked"] = masked + words.masked
        return hashed

    return finish


@value
class _Predecessor:
    """The record that the next one of a task links to. `elsewhere` is its position if it is in another ledger than
    ours."""

    hash: str
    elsewhere: tuple[int, str] | None = None


def _predecessor(desk: Desk, task: str) -> _Predecessor:
    found = desk.ledger.document("trail", task)
    ends = found.body.ends if found and isinstance(found.body, Trail) else ()
    own = desk.ledger.head().ledger_id
    for ledger_id, _, hash_ in ends:
        if ledger_id == own:
            return _Predecessor(hash_ or GENESIS)
    if not ends or ends[-1][2] is None:
        return _Predecessor(GENESIS)
    ledger_id, seq, hash_ = ends[-1]
    return _Predecessor(hash_ or GENESIS, (seq, ledger_id))


def _record_of(event: Event) -> ThoughtRecord:
    said = p.read(event, p.ThoughtRecorded)
    assert said is not None
    assert event.task_id is not None
    content = with_lone(said.content, said.lone)
    return ThoughtRecord(
        id=event.id,
        type=said.type,
        task_id=event.task_id,
        agent_id=said.agent_id,
        content=content,
        timestamp=event.ts,
        prev_hash=said.prev_hash,
        hash=said.hash,
        session_id=event.session_id,
    )


def latest(desk: Desk, task_id: str, limit: int) -> list[ThoughtRecord]:
    """The newest records of one task, newest first. Erased ones are left out."""
    trail = body_as(desk.ledger.document("trail", task_id), Trail)
    window = _FIRST_WINDOW
    while trail:
        events = desk.ledger.latest(["thought.recorded"], window)
        of_task = [event for event in events if event.task_id == task_id]
        readable = [event for event in of_task if event.payload is not None]
        has_all = len(of_task) >= trail.thoughts or len(events) < window
        if has_all or len(readable) >= limit:
            return [replace(_record_of(e), other_ledger=desk.other_ledger(e)) for e in readable[:limit]]
        window *= 8
    return []


# -- the root of a session -------------------------------------------------------------------------------------------


def finalize(desk: Desk, session_id: str) -> Finalized:
    audit = _id(session_id, "session_id")
    while True:
        expected = expect_unchanged(desk, "audit_session", audit)
        found = _own_session(desk, audit)
        if found is None:
            raise _no_session(audit)
        _refuse_if_sealed_or_empty(desk, audit, found)
        tree, covers = Frontier(), dict[str, int]()
        for event in records_of_session(desk, audit):
            tree.append(leaf(bytes.fromhex(event.hash)))
            covers[event.ledger_id] = event.seq
        sealed = p.AuditFinalized(
            tree.root().hex(), tree.size, tuple({"ledger_id": ledger, "seq": seq} for ledger, seq in covers.items())
        )
        attribution = current_attribution(desk)
        try:
            record(desk, [*attribution.before, _fact(attribution, "audit.finalized", sealed, audit=audit)], [expected])
        except Conflict:
            continue  # another record was added, or somebody else finalized the session, which is then refused above
        return replace(root(desk, audit), warning=_sign_head(desk))


def _sign_head(desk: Desk) -> str:
    from perdure.actions.signing import sign_or_warn  # imports Ed25519, which recording a thought does not need

    return sign_or_warn(desk, "finalize").warning


def _existing_session(desk: Desk, audit: str) -> AuditSession:
    found = body_as(desk.ledger.document("audit_session", audit), AuditSession)
    if found is None:
        raise _no_session(audit)
    return found


def _own_session(desk: Desk, audit: str) -> AuditSession | None:
    """The audit session, if it was held here. One of another machine with the same id is not this one: an import must
    not keep anybody here from an id. Ours takes its place."""
    found = body_as(desk.ledger.document("audit_session", audit), AuditSession)
    return found if found and found.elsewhere is None else None


def _no_session(audit: str) -> Refused:
    return Refused(
        "ERR_SESSION_NOT_FOUND",
        f"There is no audit session {shown(audit)} here, and no record bound to it.",
        hint="perdure audit start --intent '…' starts one.",
        details={"session_id": audit},
    )


def _refuse_if_sealed_or_empty(desk: Desk, audit: str, found: AuditSession) -> None:
    if found.root is not None:
        before = root(desk, audit)
        details: dict[str, Json] = {
            "session_id": audit,
            "root": before.root,
            "record_count": before.record_count,
            "finalized_at": before.finalized_at,
        }
        raise Refused(
            "ERR_ALREADY_FINALIZED",
            f"The audit session {shown(audit)} is sealed already, with the root {before.root}.",
            hint="perdure audit root shows it.",
            details=details,
        )
    if not found.records:
        raise Refused(
            "ERR_NO_RECORDS",
            f"The audit session {shown(audit)} has no record yet.",
            hint="perdure audit think --session …",
            details={"session_id": audit},
        )


def root(desk: Desk, session_id: str) -> Finalized:
    audit = _id(session_id, "session_id")
    found = _existing_session(desk, audit)
    sealed = _finalized_with(desk, found)
    if sealed is None:
        raise Refused(
            "ERR_NOT_FINALIZED",
            f"The audit session {shown(audit)} has no root yet.",
            hint="perdure audit finalize seals it.",
            details={"session_id": audit, "record_count": found.records},
        )
    event, said = sealed
    if found.elsewhere is not None:
        _refuse_untrue_root(desk, event, said)
    return Finalized(
        session_id=audit,
        root=said.root,
        record_count=said.record_count,
        finalized_at=event.ts,
        other_ledger=desk.other_ledger(event),
    )


def _refuse_untrue_root(desk: Desk, event: Event, said: p.AuditFinalized) -> None:
    """What another machine says is the root must be the root of the records that came with it."""
    audit = event.session_id or ""
    tree = _tree_of(records_of_session(desk, audit))
    if (tree.root().hex(), tree.size) != (said.root, said.record_count):
        raise Refused(
            "ERR_ROOT_UNTRUE",
            f"The root that ledger {short(event.ledger_id)}, of another machine, states for the audit session "
            f"{shown(audit)} is not the root of the records that came with it.",
            hint=f"Do not rely on it. Here the id is free: perdure audit start --session {quote(audit)} --intent '…'",
            details={"session_id": audit, "ledger_id": event.ledger_id, "record_count": tree.size},
        )


def _tree_of(records: Iterable[Event]) -> Frontier:
    tree = Frontier()
    for event in records:
        tree.append(leaf(bytes.fromhex(event.hash)))
    return tree


def finalizing_event(desk: Desk, session_id: str) -> Event:
    """The event that sealed the session with its root."""
    root(desk, session_id)
    sealed = _finalized_with(desk, _existing_session(desk, session_id))
    assert sealed is not None
    return sealed[0]


def _finalized_with(desk: Desk, audit: AuditSession) -> tuple[Event, p.AuditFinalized] | None:
    if audit.finalized is None:
        return None
    ledger_id, seq = audit.finalized
    event = desk.ledger.event(Ref(LedgerId(ledger_id), seq))
    said = p.read(event, p.AuditFinalized) if event else None
    return (event, said) if event and said else None


def records_of_session(desk: Desk, session_id: str) -> Iterator[Event]:
    """The records of an audit session in order: the leaves of its tree. Of a finalized session, only those under its
    root, even if a merge has brought more since."""
    audit = _existing_session(desk, session_id)
    sealed = _finalized_with(desk, audit)
    covered = {each["ledger_id"]: each["seq"] for each in sealed[1].covers} if sealed else None
    for number in range(1, audit.records + 1):
        found = desk.ledger.document("bound", nth(number, session_id))
        assert found is not None
        assert isinstance(found.body, NthRecord)
        place = found.body
        last = covered.get(place.ledger_id, 0) if covered is not None else place.seq
        if isinstance(last, int) and place.seq <= last:
            event = desk.ledger.event(Ref(LedgerId(place.ledger_id), place.seq))
            assert event is not None
            yield event


# -- verification ----------------------------------------------------------------------------------------------------


def verify(desk: Desk, task_id: str | None = None, progress: Callable[[int], None] | None = None) -> ChainReport:
    """Checks the hash and link of every record, of one task or of all, whatever session it is bound to (SPEC 14.4)."""
    task = None if task_id is None else _task(desk, task_id)
    verifying, reading = Verifying(), _Reading(desk)
    for count, event in enumerate(desk.ledger.events(), 1):
        is_record = event.kind == "thought.recorded" and event.task_id is not None
        if is_record and task in (None, event.task_id):
            verifying.take(reading.link(event))
        if progress and count % 2000 == 0:
            progress(count)
    return _report(verifying)


def _report(verifying: Verifying) -> ChainReport:
    tasks = tuple(verifying.tasks.values())
    return ChainReport(
        record_count=sum(each.record_count for each in tasks),
        broken_count=sum(each.broken_count for each in tasks),
        redacted_count=sum(each.redacted_count for each in tasks),
        first_broken_at=verifying.first_broken_at,
        by_task=tasks,
    )


class _Reading:
    """Reads records as links of their chains; for an erased one, what its tombstone kept."""

    def __init__(self, desk: Desk) -> None:
        self._ledger = desk.ledger
        own = desk.ledger.own()
        redactions = (e for e in desk.ledger.latest(["payload.redacted"], ALL_EVENTS) if erasure_in_force(e, own))
        told = (p.read(event, p.PayloadRedacted) for event in redactions)
        self._tombstones = {(said.ledger_id, said.seq): said for said in told if said}

    def link(self, event: Event) -> Link:
        assert event.task_id is not None
        said = p.read(event, p.ThoughtRecorded)
        if said is None:
            prev_hash, hash_ = self._hashes_kept(event)
            return Link(
                ledger_id=event.ledger_id,
                task_id=event.task_id,
                id=event.id,
                computed_hash=None,
                prev_hash=prev_hash,
                hash=hash_,
            )
        content = with_lone(said.content, said.lone)
        own = record_hash(
            event.id, said.type, event.task_id, content=content, timestamp=event.ts, prev_hash=said.prev_hash
        )
        follows = self._hash_at(said.follows, event) if said.follows else None
        return Link(
            ledger_id=event.ledger_id,
            task_id=event.task_id,
            id=event.id,
            computed_hash=own,
            prev_hash=said.prev_hash,
            hash=said.hash,
            follows=follows,
        )

    def _hashes_kept(self, event: Event) -> tuple[str | None, str | None]:
        """`prev_hash` and `hash` of an erased record, from the redaction that erased it; None where it has none."""
        tombstone = self._tombstones.get((event.ledger_id, event.seq)) if event.absent == "redacted" else None
        return (tombstone.prev_hash, tombstone.hash) if tombstone else (None, None)

    def _hash_at(self, place: tuple[int, str], by: Event) -> str | None:
        seq, ledger_id = place
        event = self._ledger.event(Ref(LedgerId(ledger_id), seq))
        if event is None or event.kind != "thought.recorded" or event.task_id != by.task_id:
            return None
        said = p.read(event, p.ThoughtRecorded)
        return said.hash if said else self._hashes_kept(event)[1]
