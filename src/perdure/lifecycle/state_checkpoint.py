"""A state checkpoint as JSON: what is saved of a session's state, and how it is read again (SPEC 10.3). Pure.

It lies in the project, where anybody may have put it. So its header and each of its fields have a seal that only this
home can make. A file with another seal, or of a version that is not known, is refused as a whole; a field with another
seal or with a value that it cannot have is left out, and the others count. An older version is read with its own seals
and then migrated.

    text = written(header, state, seal)
    read(parsed, seal)          StateCheckpoint(header, state, left_out), or raises UnusableCheckpoint
"""

from __future__ import annotations

from perdure.lifecycle.state_fields import FIELDS, NEVER, SAVED, capped
from perdure.model.ids import is_uuid
from perdure.model.json import compact_bytes
from perdure.model.value import fields, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from perdure.lifecycle.state_fields import State
    from perdure.model.json import Json

    Seal: TypeAlias = Callable[[bytes], str]

SCHEMA_VERSION = 2
_MOST_LINEAGE = 20


class UnusableCheckpoint(ValueError):
    """Why a checkpoint is not read at all."""


@value
class Header:
    project_id: str
    project_path: str
    branch: str | None
    session_id: str
    lineage: tuple[str, ...]
    """The session and those that it continues, the newest first."""
    saved_at: int
    """Milliseconds since the epoch."""
    boundary: str
    """What it was saved at: a compaction, the end of a turn or of the session."""
    seq: int
    """The number of the ledger's last event then."""
    redacted: str
    """The last redaction that it takes into account; empty if there was none."""


@value
class StateCheckpoint:
    header: Header
    state: dict[str, Json]
    left_out: tuple[tuple[str, str], ...] = ()
    """Fields that were not read, each with the reason."""
    version: int = SCHEMA_VERSION
    """The version in which it was saved."""


def written(header: Header, state: State, seal: Seal) -> dict[str, Json]:
    head = _as_json(header)
    of_header = seal(compact_bytes([SCHEMA_VERSION, head]))
    found: dict[str, Json] = {}
    for field in SAVED:
        content = capped(field, state.get(field.name))
        if content is not None and field.accepts(content):
            sealed = seal(compact_bytes([of_header, field.name, content]))
            found[field.name] = {"value": content, "seal": sealed}
    return {"schema_version": SCHEMA_VERSION, "header": head, "seal": of_header, "fields": found}


def _as_json(header: Header) -> dict[str, Json]:
    return {**header.__dict__, "lineage": list(header.lineage)}


def read(raw: dict[str, Json] | None, seal: Seal) -> StateCheckpoint:
    if raw is None:
        raise UnusableCheckpoint("it is damaged or cut off")
    version = raw.get("schema_version")
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        named = version if type(version) is int else "none"
        raise UnusableCheckpoint(f"its schema version is {named}, and this program knows 1 to {SCHEMA_VERSION}")
    head, given, of_header = raw.get("header"), raw.get("fields"), raw.get("seal")
    if not isinstance(head, dict) or not isinstance(given, dict) or not isinstance(of_header, str):
        raise UnusableCheckpoint("it is damaged or cut off")
    if of_header != _sealed(seal, [version, head]):
        raise UnusableCheckpoint("this home did not write it, or it was changed")
    left_out: dict[str, str] = {}
    found = _unsealed(given, of_header, seal, left_out=left_out)
    for step in range(version, SCHEMA_VERSION):
        found = MIGRATIONS[step](found)
    state = {name: content for name, content in found.items() if not _fault(name, content, left_out)}
    return StateCheckpoint(_header(head), state, tuple(left_out.items()), version=version)


def _sealed(seal: Seal, content: Json) -> str:
    try:
        return seal(compact_bytes(content))
    except (ValueError, RecursionError):  # half a pair of surrogates, or too deep
        return ""


def _unsealed(given: dict[str, Json], of_header: str, seal: Seal, *, left_out: dict[str, str]) -> dict[str, Json]:
    """The values of those fields that this home wrote."""
    found: dict[str, Json] = {}
    for name, each in given.items():
        entry = each if isinstance(each, dict) else {}
        of_field = entry.get("seal")
        if "value" in entry and of_field and of_field == _sealed(seal, [of_header, name, entry["value"]]):
            found[name] = entry["value"]
        else:
            left_out[name[:60]] = "it was changed or cut off"
    return found


def _fault(name: str, content: Json, left_out: dict[str, str]) -> bool:
    field = FIELDS.get(name)
    why = ""
    if field is None:
        why = "there is no such field"
    elif field.restore == NEVER:
        why = "it is never restored"
    elif not field.accepts(content):
        why = "it has a value that it cannot have"
    if why:
        left_out[name[:60]] = why
    return bool(why)


_OF_HEADER: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("project_id", "project_path", "boundary", "redacted"), lambda found: isinstance(found, str)),
    **dict.fromkeys(("saved_at", "seq"), lambda found: type(found) is int),
    "branch": lambda found: found is None or isinstance(found, str),
    "session_id": lambda found: isinstance(found, str) and is_uuid(found),
    "lineage": lambda found: (
        isinstance(found, list)
        and len(found) <= _MOST_LINEAGE
        and all(isinstance(each, str) and is_uuid(each) for each in found)
    ),
}
"""What each part of a header must be."""


def _header(head: dict[str, Any]) -> Header:
    """A header that this home sealed may still be one of another program's version."""
    if head.keys() != set(fields(Header)) or not all(_OF_HEADER[name](each) for name, each in head.items()):
        raise UnusableCheckpoint("its header is damaged")
    return Header(**{**head, "lineage": tuple(head["lineage"])})


# -- older versions ----------------------------------------------------------------------------------------------------


def _from_seed_names(found: dict[str, Json]) -> dict[str, Json]:
    """Version 1 has the names of seed 004: `ralph_mode`, and a field for each of two integrations."""
    kept = {name: content for name, content in found.items() if name not in _SEED_NAMES}
    if "ralph_mode" in found:
        kept["evidence_mode"] = found["ralph_mode"]
    pointers: list[Json] = []
    project, continuation = found.get("serena_project"), found.get("pal_continuation_id")
    if found.get("serena_activated") is not False and isinstance(project, str) and project:
        pointers.append({"name": "serena", "value": project, "command": f"activate_project {project}"})
    if isinstance(continuation, str) and continuation:
        command = f"continuation_id {continuation}"
        pointers.append({"name": "pal", "value": continuation, "command": command})
    if pointers:
        kept["external_pointers"] = pointers
    return kept


_SEED_NAMES = ("ralph_mode", "serena_activated", "serena_project", "pal_continuation_id")
MIGRATIONS: dict[int, Callable[[dict[str, Json]], dict[str, Json]]] = {1: _from_seed_names}
"""A version → what makes the fields of the next one of it."""
