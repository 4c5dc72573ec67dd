"""From what a person or agent typed to the one thing it names: unique prefixes of at least 8 characters (SPEC 1)."""

from __future__ import annotations

from perdure.errors import Refused
from perdure.model.ids import SHORT, prefix_of
from perdure.model.ownership import is_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from perdure.ledger.port import Ledger
    from perdure.model.event import Event
    from perdure.model.state import Document

    T = TypeVar("T")

_WHOLE = 36


def document(ledger: Ledger, kind: str, typed: str, listed_by: str) -> Document:
    prefix = prefix_of(typed, f"The {kind} id")
    return _one(ledger.find_documents(kind, prefix), kind, prefix, listed_by)


def task(ledger: Ledger, named: str) -> str:
    """The whole id of the task that this is the id, or the beginning of the id, of. A task that is not here, such as
    one of another tool's, keeps the name it was given."""
    if ledger.document("task", named) or not SHORT <= len(named) <= _WHOLE:
        return named
    found = ledger.find_documents("task", named.lower())
    return _one(found, "task", named.lower(), "perdure task list").id if found else named


def event(ledger: Ledger, what: str, typed: str, listed_by: str, kinds: Sequence[str] = ()) -> Event:
    prefix = prefix_of(typed, f"The {what} id")
    found = ledger.find(prefix, kinds)
    if len(found) > 1 and len({each.id for each in found}) == 1:  # another machine's event has the id of ours
        own = ledger.own()
        found = [each for each in found if is_own(each, own)] or found
    return _one(found, what, prefix, listed_by)


def _one(found: Sequence[T], what: str, prefix: str, listed_by: str) -> T:
    if len(found) == 1:
        return found[0]
    if not found:
        raise Refused(f"no_such_{what}", f"There is no {what} {prefix} here.", hint=f"{listed_by} lists them.")
    raise Refused(
        "ambiguous_id",
        f"{prefix} is the beginning of more than one {what} id.",
        hint=f"Give more characters; {listed_by} lists them.",
    )
