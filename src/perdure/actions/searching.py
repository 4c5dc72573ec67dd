"""Search for a person: what was said, and what was run, touched, denied and what failed (SPEC 17.6).

    search(desk, "pytest cart")      # groups of hits, the best first

The ledger's two indexes choose and rank (`mentioning`); this module only sorts the hits into groups and puts the same
command, or the same file, on one line.
"""

from __future__ import annotations

from perdure.actions.log_entries import describe, happened_at, has_failed
from perdure.errors import BadInput
from perdure.model.terms import asked_terms
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

SAID, COMMANDS, FILES, ERRORS, DENIED = "said", "commands", "files", "errors", "denied"
GROUPS = (SAID, ERRORS, COMMANDS, FILES, DENIED)
_GROUP_OF = {"command": COMMANDS, "test": COMMANDS, "edit": FILES, "read": FILES, "failure": ERRORS, "denial": DENIED}
DEFAULT_LIMIT = 10
_MOST_SEEN = 10
"""Events for each line that is wanted: one command is run again and again."""


@value
class SearchHit:
    """A line of the answer: the newest of the events that say the same."""

    group: str
    kind: str
    ts: str
    text: str
    event_id: str
    session_id: str | None
    transaction_id: str | None
    count: int = 1


def search(desk: Desk, query: str, *, groups: tuple[str, ...] = GROUPS, limit: int = DEFAULT_LIMIT) -> list[SearchHit]:
    """At most so many of each group, the groups in the order of `GROUPS`, within each the best first."""
    terms = asked_terms(query)
    if not terms:
        raise BadInput("no_query", "The query has no words.", hint="perdure search pytest cart")
    events: list[Event] = []
    if SAID in groups:
        events += desk.ledger.mentioning(terms, limit).events
    if set(groups) - {SAID}:
        events += desk.ledger.mentioning(terms, limit * _MOST_SEEN, seen=True).events
    found: dict[tuple[str, str], SearchHit] = {}
    for event in filter(desk.counts, events):
        hit = _hit(desk, event)
        before = found.get((hit.group, hit.text))
        found[hit.group, hit.text] = hit if before is None else _merged(before, hit)
    return [hit for group in GROUPS if group in groups for hit in _first(found.values(), group, limit)]


def _first(hits: Iterable[SearchHit], group: str, limit: int) -> list[SearchHit]:
    return [hit for hit in hits if hit.group == group][:limit]


def _hit(desk: Desk, event: Event) -> SearchHit:
    kind, text = describe(desk, event)
    group = _GROUP_OF.get(kind, SAID)
    error = str((event.payload or {}).get("error") or "").strip() if event.kind == "command.run" else ""
    if group == COMMANDS and has_failed(event):
        group, text = ERRORS, f"{text} ({error})" if error else text
    return SearchHit(
        group=group,
        kind=kind,
        ts=happened_at(event),
        text=text,
        event_id=event.id,
        session_id=event.session_id,
        transaction_id=event.transaction_id,
    )


def _merged(one: SearchHit, other: SearchHit) -> SearchHit:
    newer = other if other.ts > one.ts else one
    return replace(newer, count=one.count + other.count)
