"""What a person may type next where an id is wanted: for the completion of a shell (SPEC 17.7).

Invariant: nothing is written, and only what this home's own record has is offered, in characters that no shell and no
terminal obeys: a repository may be anybody's.
"""

from __future__ import annotations

import os

from perdure.ledger.header import FILE, ids_offered
from perdure.model.ids import is_token, is_uuid, short
from perdure.place import project
from perdure.place.home import home_folder
from perdure.place.registry import Registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.place.registry import Entry

_NOTES = ("reasoning", "finding", "question", "blocker", "next", "constraint", "failed", "scenario")
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "goal": (("goal.created",), ("goal",)),
    "task": (("task.created",), ("task",)),
    "transaction": ((), ("transaction",)),
    "session": ((), ("session",)),
    "fork": ((), ("fork",)),
    "note": (tuple(f"note.{kind}" for kind in _NOTES), ("note",)),
    "decision": (("decision.made",), ()),
    "change": ((*(f"note.{kind}" for kind in _NOTES), "decision.made", "goal.created", "task.created"), ()),
    "claim": (("claim.made", "claim.absent"), ()),
}
"""For each kind of id: the events that say what it is about, and the documents that have it."""
_LONGEST = 50


def ids(environment: Mapping[str, str], cwd: str, kind: str) -> list[tuple[str, str]]:
    """Each id as it is shown elsewhere, and a few words about it; the newest first."""
    registry = Registry(home_folder(environment))
    if kind == "project":
        return _projects(registry)
    here = _entry_of(registry, cwd)
    if here is None or kind not in _KINDS:
        return []
    path = os.path.join(project.folder_of(here.path), FILE)
    events, documents = _KINDS[kind]
    found = ids_offered(path, events, documents, ours=here.ledgers)
    return [(short(id) if is_uuid(id) else id, _words(text)) for id, text in found if is_token(id)]


def _entry_of(registry: Registry, cwd: str) -> Entry | None:
    root = registry.owner_of(cwd)
    return registry.at(root) if root and project.is_project(root) else None


def _projects(registry: Registry) -> list[tuple[str, str]]:
    """By name where it is a plain word and the only one; else by id."""
    entries = registry.entries()
    names = [entry.name for entry in entries]
    return [
        (
            entry.name if is_token(entry.name) and names.count(entry.name) == 1 else short(entry.project_id),
            _words(entry.path),
        )
        for entry in entries
        if is_uuid(entry.project_id)
    ]


def _words(text: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * _LONGEST]).split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
