"""Finds the one thing that a typed id names: unique prefixes of at least 4 characters (SPEC 17.7)."""

from __future__ import annotations

import os
from itertools import takewhile

from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError, Refused
from perdure.ledger.header import FILE
from perdure.model.ids import SHORT, prefix_of
from perdure.model.ownership import is_own
from perdure.model.value import value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from perdure.actions.request import ResolvedRequest
    from perdure.ledger.port import Ledger
    from perdure.model.event import Event
    from perdure.model.moment import Moment
    from perdure.model.state import Document

    T = TypeVar("T")

_WHOLE = 36
"""Characters of a whole id."""
_FEW = 2
"""Ids that are named if several begin alike."""
ROUNDED = 2000
"""Milliseconds by which the time of a file may be earlier than what was written to it: the coarsest of file systems."""


def document(ledger: Ledger, kind: str, typed: str, *, listed_by: str) -> Document:
    prefix = prefix_of(typed, f"The {kind} id")
    found = [(each.id, each) for each in ledger.find_documents(kind, prefix)]
    return _one(found, kind, prefix, listed_by=listed_by)


def task(ledger: Ledger, named: str) -> str:
    """The whole id of a task that is named by its id, or by the first 8 or more characters of its id: fewer may be the
    name of another tool's task, such as 1234. If the ledger has no such task, the name is returned as it is."""
    if ledger.document("task", named) or not SHORT <= len(named) <= _WHOLE:
        return named
    found = ledger.find_documents("task", named.lower())
    candidates = [(each.id, each) for each in found]
    return _one(candidates, "task", named.lower(), listed_by="perdure task list").id if found else named


def event(ledger: Ledger, what: str, typed: str, *, listed_by: str, kinds: Sequence[str] = ()) -> Event:
    prefix = prefix_of(typed, f"The {what} id")
    found = ledger.find(prefix, kinds)
    if len(found) > 1 and len({each.id for each in found}) == 1:  # another machine's event has the same id
        own = ledger.own()
        found = [each for each in found if is_own(each, own)] or found
    return _one([(each.id, each) for each in found], what, prefix, listed_by=listed_by)


def _one(found: Sequence[tuple[str, T]], what: str, prefix: str, *, listed_by: str) -> T:
    if len(found) == 1:
        return found[0][1]
    if not found:
        raise Refused(f"no_such_{what}", f"There is no {what} {prefix} here.", hint=f"{listed_by} lists them.")
    raise Refused(
        "ambiguous_id",
        f"{prefix} matches more than one {what} id: {_told_apart([id for id, _ in found])}.",
        hint=f"Give more characters; {listed_by} lists them.",
    )


def _told_apart(ids: Sequence[str]) -> str:
    """As many characters of each as tell them apart, but not fewer than are shown elsewhere. The ledger looks for no
    more than three."""
    alike = list(takewhile(lambda characters: len(set(characters)) == 1, zip(*ids, strict=False)))
    named = [id[: max(SHORT, len(alike) + 1)] for id in ids[:_FEW]]
    return ", ".join(named) + (", …" if len(ids) > _FEW else "")


# -- in every registered project -----------------------------------------------------------------------------------


@value
class Matches:
    """Documents of several projects whose ids begin with what was typed."""

    matches: tuple[tuple[str, Document], ...]
    """The root of the project, and the document; the current project first."""
    unreadable: tuple[str, ...]
    """Projects that could not be searched, and why."""

    def nowhere(self, prefix: str, what: str, *, hint: str) -> Refused:
        """The error for an id that no project has."""
        readable = " that can be read" if self.unreadable else ""
        return Refused(
            f"no_such_{what}",
            f"No registered project{readable} has a {what} {prefix}.",
            hint=hint,
            details={"unreadable": list(self.unreadable)} if self.unreadable else {},
        )

    def ambiguous(self, prefix: str, what: str, candidates: Sequence[tuple[str, str]]) -> Refused:
        """The error for a prefix that several ids have."""
        named = "; ".join(f"{id} in {root}" for root, id in candidates)
        return Refused(
            "ambiguous_id",
            f"{prefix} matches more than one {what} id: {named}. Nothing was written.",
            hint="Give more characters, or the project with --project-path.",
            details={"projects": [root for root, _ in candidates]},
        )


def anywhere(resolved: ResolvedRequest, kind: str, prefix: str, *, since: Moment | None = None) -> Matches:
    """Looks for the prefix in every registered project; `since`: only where the ledger's file was written after that
    time, by the clock of the machine."""
    matches: list[tuple[str, Document]] = []
    unreadable: list[str] = []
    for root in _roots(resolved):
        if since is not None and not _is_written_since(root, since):
            continue
        try:
            with open_desk_at(resolved, root, writable=False) as desk:
                matches += [(root, document) for document in desk.ledger.find_documents(kind, prefix)]
        except PerdureError as error:  # an unreadable project must not stop the search in others
            unreadable.append(f"{root}: {error.message}")
    return Matches(tuple(matches), tuple(unreadable))


def _roots(resolved: ResolvedRequest) -> Iterator[str]:
    seen = set()
    for root in (resolved.place.project_path, *(entry.path for entry in resolved.registry.entries())):
        if root and root not in seen and project.is_project(root):
            seen.add(root)
            yield root


def _is_written_since(root: str, moment: Moment) -> bool:
    """Whether the ledger, or a file that its store keeps beside it, was written since then. True also if that cannot be
    told. File systems round times, so a little earlier counts too."""
    try:
        with os.scandir(project.folder_of(root)) as files:
            times = [each.stat().st_mtime for each in files if each.name.startswith(FILE)]
    except OSError:
        return True
    return not times or max(times) * 1000 >= moment - ROUNDED
