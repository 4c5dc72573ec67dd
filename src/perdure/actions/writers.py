"""Who wrote an event: this session or one that it continues, this instance, somebody who is not at work any more,
another instance that is at work now, or another machine (SPEC 12.1).

In a brief, what another pane notes about its own work must not look like this pane's. What somebody left who is gone
is there to be continued.

    writers = Writers(desk, session)
    writers.of(event)                                 LINEAGE, INSTANCE, GONE, OTHER or MACHINE
    writers.own_first(read, 1, ["note.next"])   this lineage's last one, whatever others wrote since
    writers.own(["decision.made"])              all of this lineage and instance, the newest first
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from perdure.actions import holdings, sessions
from perdure.actions.attribution import own_open_transaction
from perdure.actions.newest import newest_first
from perdure.ledger.port import WrittenBy
from perdure.model.event import in_order
from perdure.model.moment import moment_of
from perdure.model.state import Holding, Instance, Transaction, body_as
from perdure.place.liveness import is_living
from perdure.place.seat import nobody

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.moment import Moment
    from perdure.model.state import Session

LINEAGE = "of this session or one that it continues"
INSTANCE = "of this pane"
GONE = "of somebody who is not at work now"
OTHER = "of another pane, which is at work now"
MACHINE = "of another machine"
ORDER = (LINEAGE, INSTANCE, GONE, OTHER, MACHINE)
"""The order in which a brief shows what they wrote."""
OWN = (LINEAGE, INSTANCE)

FIRST_EVENTS = 50
"""How many of the latest events are read first."""
MOST_EVENTS = 500
"""How many are read if others wrote most of the first ones."""
FARTHEST = 2000
"""So many of one's own events of some kinds are read at most."""


class Writers:
    def __init__(self, desk: Desk, session: Session | None, longest: int = sessions.RECENT_LINEAGE) -> None:
        """`longest`: how many sessions of the lineage are known."""
        self._desk = desk
        self._continued = dict(_continued(desk, session, longest))
        held = own_open_transaction(desk)
        self._held = held.id if held else None
        self._at_work: dict[str, bool] = {}

    def of(self, event: Event) -> str:
        """What was written in the transaction that this instance holds counts as its lineage's, since it may have
        adopted the transaction."""
        if self._desk.other_ledger(event):
            return MACHINE
        is_own = event.instance_id == self._desk.seat.instance_id
        if self._held is not None and event.transaction_id == self._held:
            return LINEAGE
        if event.session_id in self._continued and (is_own or not self._after_the_fork(event)):
            return LINEAGE
        if is_own:
            return INSTANCE
        return OTHER if self.is_at_work(event.instance_id) else GONE

    def is_of_lineage(self, event: Event) -> bool:
        """Whether a session of the lineage wrote it. What somebody else wrote in a transaction that was adopted since
        is not the lineage's own."""
        return event.session_id in self._continued and self.of(event) == LINEAGE

    @property
    def own_writers(self) -> WrittenBy:
        """Who writes what is of this lineage and instance."""
        return WrittenBy(tuple(self._continued), self._desk.seat.instance_id, self._held)

    def own_first(
        self,
        latest: Callable[[int], list[Event]],
        limit: int,
        kinds: Sequence[str],
        *,
        stands: Callable[[Event], bool] = lambda _: True,
    ) -> list[Event]:
        """The first `limit` events that still stand, in the order of `ORDER`; of equals the newest first. `latest`
        reads so many of these kinds, the newest first."""
        found: list[Event] = []
        for most in (FIRST_EVENTS, MOST_EVENTS):
            read = latest(most)
            found = self._in_order(filter(stands, read), limit)
            if len(read) < most or (len(found) == limit and self.of(found[-1]) in OWN):
                return found
        own = filter(stands, islice(self.own(kinds), MOST_EVENTS))
        every = {event.id: event for event in (*own, *found)}
        return self._in_order(sorted(every.values(), key=in_order, reverse=True), limit)

    def _in_order(self, events: Iterable[Event], limit: int) -> list[Event]:
        return sorted(events, key=lambda event: ORDER.index(self.of(event)))[:limit]

    def own(self, kinds: Sequence[str]) -> Iterator[Event]:
        """The events of this lineage and instance, the newest first, however much others wrote since. Who stops early
        reads few."""
        latest = partial(self._desk.latest_by, self.own_writers)
        seen: set[str] = set()
        for event in newest_first(latest, kinds, FARTHEST):
            if self.of(event) in OWN and event.id not in seen:
                seen.add(event.id)
                yield event

    def is_at_work(self, instance_id: str | None) -> bool:
        """Whether another instance works here now: it holds a transaction, or it runs and its session has not ended.
        It is not assumed of an instance that left nothing open and may or may not still run."""
        if instance_id is None or instance_id in (self._desk.seat.instance_id, nobody(self._desk.identity.id)):
            return False
        if instance_id not in self._at_work:
            self._at_work[instance_id] = self._works(instance_id)
        return self._at_work[instance_id]

    def _works(self, instance_id: str) -> bool:
        ledger = self._desk.ledger
        holding = body_as(ledger.document("holding", instance_id), Holding)
        transaction = body_as(ledger.document("transaction", holding.transaction_id), Transaction) if holding else None
        if transaction:
            held = holdings.held(self._desk, transaction)
            return bool(held.alive) or not held.orphaned
        found = ledger.document("instance", instance_id)
        instance = body_as(found, Instance)
        session = ledger.document("session", instance.session_id) if instance and instance.session_id else None
        is_running = is_living(sessions.holder_of(found), self._desk.around, self._desk.root)
        return bool(is_running and session and session.live)

    def _after_the_fork(self, event: Event) -> bool:
        """Whether another instance wrote it, at work now, in a session that ours continues, after ours had begun: it
        was a fork then, and each goes its own way."""
        until = self._continued.get(event.session_id or "")
        return until is not None and moment_of(event.ts) > until and self.is_at_work(event.instance_id)


def _continued(desk: Desk, session: Session | None, longest: int) -> Iterator[tuple[str, Moment | None]]:
    """The sessions of the lineage, each with the moment when the next one began."""
    next_began: Moment | None = None
    for each in sessions.lineage(desk, session, longest):
        yield each.id, next_began
        next_began = each.started_at
