"""The ledger going out and coming in: export, import, tracked segments, and erasing a payload (SPEC 2.2, 16.4)."""

from __future__ import annotations

from perdure.actions import backup, healing, lookup, segments
from perdure.actions.record import cleaned
from perdure.actions.wiring import draft, register
from perdure.errors import BadInput, Refused
from perdure.ledger.merging import erasure_in
from perdure.model import payload as p
from perdure.model.event import Event, Ref
from perdure.model.ids import LedgerId, short
from perdure.model.jsonl import from_line, to_line
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Payload
    from perdure.model.json import Json

_LONGEST_LINE = 8 << 20
_UNERASABLE = ("ledger.opened", "ledger.merged", "payload.redacted", "audit.finalized")


def export(desk: Desk, write: Callable[[str], object], progress: Callable[[int], None]) -> int:
    """Every event of every chain in the store, in their one order, a line each."""
    count = 0
    for event in desk.ledger.events():
        write(to_line(event))
        count += 1
        if count % 2000 == 0:
            progress(count)
    return count


@value
class Imported:
    read: int
    ledgers: tuple[dict[str, Json], ...]


def take_in(desk: Desk, lines: Iterable[bytes], progress: Callable[[int], None]) -> Imported:
    """Verifies every link first and takes all or nothing; chains of several ledgers stand side by side."""
    before = {head.ledger_id: head.seq for head in desk.ledger.heads()}
    coming = _Coming(desk, lines, progress)
    desk.ledger.merge(coming.events(), draft(desk, "ledger.merged", coming.payload))
    if coming.erased:
        _erase_copies(desk, coming.erased)
    healing.mend_views(desk)
    register(desk)
    desk.wrote()
    own = desk.ledger.head().ledger_id
    taken: tuple[dict[str, Json], ...] = tuple(
        {"ledger_id": str(head.ledger_id), "events": head.seq, "new": head.seq - before.get(head.ledger_id, 0)}
        for head in desk.ledger.heads()
        if head.ledger_id != own
    )
    return Imported(coming.count, taken)


class _Coming:
    """The lines of an import, read once; when they have passed, `payload` says which chains they were of."""

    def __init__(self, desk: Desk, lines: Iterable[bytes], progress: Callable[[int], None]) -> None:
        self.count = 0
        self.erased: list[Ref] = []
        self.payload: Payload = {}
        self._project = desk.who.id
        self._lines = lines
        self._progress = progress

    def events(self) -> Iterator[Event]:
        last: dict[LedgerId, Event] = {}
        for number, line in enumerate(self._lines, 1):
            if line.strip():
                event = self._event(line, f"line {number}")
                last[event.ledger_id] = event
                self.erased += [ref for ref in (erasure_in(event),) if ref]
                yield event
        if not last:
            raise BadInput("empty_input", "There is not one event to import.", hint="perdure export writes them.")
        chains: tuple[dict[str, Json], ...] = tuple(
            {"ledger_id": str(event.ledger_id), "seq": event.seq, "hash": str(event.hash)} for event in last.values()
        )
        self.payload.update(p.write(p.LedgerMerged(chains)))

    def _event(self, line: bytes, where: str) -> Event:
        if len(line) > _LONGEST_LINE:
            raise BadInput("bad_event", f"{where}: longer than any event.")
        event = from_line(line, where)
        if event.project_id != self._project:
            raise Refused(
                "other_project",
                f"{where}: belongs to project {event.project_id[:8]}, this one is {self._project[:8]}.",
                hint="Import it there; or, if they are the same work, give both the same id in .perdure/project.toml.",
            )
        self.count += 1
        if self.count % 2000 == 0:
            self._progress(self.count)
        return event


@value
class Erased:
    event_id: str
    kind: str
    seq: int


def redact(desk: Desk, typed: str, because: str) -> Erased:
    """Erases a payload here and in the backup; the tombstone keeps its hashes, so chain and proofs stay whole."""
    if not because.strip():
        raise BadInput("no_reason", "A redaction needs a reason.", hint="--because 'held a customer's name'")
    event = lookup.event(desk.ledger, "event", typed, "perdure export")
    if event.kind in _UNERASABLE:
        raise Refused("not_erasable", f"A {event.kind} holds nothing but structure and is not erased.")
    if event.absent == "redacted":
        raise Refused("already_redacted", f"The payload of {short(event.id)} is erased already.")
    thought = p.read(event, p.ThoughtRecorded)
    kept = (thought.prev_hash, thought.hash) if thought else (None, None)
    said = p.PayloadRedacted(event.ledger_id, event.seq, event.id, because, *kept)
    tombstone = draft(desk, "payload.redacted", cleaned(p.write(said)))
    if thought:  # whose chain it stays a link of
        tombstone = replace(tombstone, task_id=event.task_id)
    desk.ledger.erase(Ref(event.ledger_id, event.seq), tombstone)
    _erase_copies(desk, [Ref(event.ledger_id, event.seq)])
    healing.mend_views(desk)
    return Erased(event.id, event.kind, event.seq)


def _erase_copies(desk: Desk, erased: list[Ref]) -> None:
    """What the ledger no longer holds, its backup and its tracked segments must not hold either."""
    backup.rewrite(desk.ledger, desk.backup_folder, erased, desk.key)
    for ref in erased:
        segments.erase_in(desk, ref)
