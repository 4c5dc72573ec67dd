"""`.perdure/written_views.json`: what was last written to NOTES.md, to the trajectory and to handoffs (SPEC 16.1).

Both views may be behind the ledger, and others may write NOTES.md too. This file tells "behind" from "damaged", and
what a person added from what Perdure wrote. It holds digests, sizes and ids, and no words: a redaction need not reach
it. Its seal is keyed as the transaction files are, so that nobody else can say what was written; then nobody need
compare a long trajectory with the ledger line by line.

    marks = read(folder, key)
    write(folder, key, notes=mark)        the other mark stays as it is; hold `FolderLock(folder)`
"""

from __future__ import annotations

import os

from perdure.files import read_json, write_whole
from perdure.model.digest import blake2b, sha256
from perdure.model.json import compact, compact_bytes
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from perdure.model.json import Json

NAME = "written_views.json"


@value
class NotesMark:
    path: str
    """From the project's root: one of `notes_file.PLACES`."""
    digest: str
    """The digest of the whole file."""
    lines: tuple[tuple[str, str], ...]
    """For each line that Perdure wrote: its digest, and the id of the entry that it belongs to, or an empty text."""
    at: str
    """When it was last written without edits of others in it."""
    redacted: str
    """The last redaction that the file takes into account."""


@value
class TrajectoryMark:
    chains: dict[str, int]
    """How far each of the ledger's own chains was written."""
    files: dict[str, tuple[int, str]]
    """The size of each file, and its SHA-256."""
    ratios: dict[str, tuple[int, int]]
    """For sessions that have not ended: what the last checkpoint counted, grounded and in all."""
    redacted: str
    format: int
    """`trajectory_lines.FORMAT` when they were written."""


@value
class Marks:
    notes: NotesMark | None = None
    trajectory: TrajectoryMark | None = None
    handoffs: str | None = None
    """The last redaction that the handoff files take into account; None if they were never looked at."""


def digest_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def read(folder: str, key: bytes | None) -> Marks:
    """A mark that cannot be read, or that this home did not write, counts as none."""
    found = read_json(os.path.join(folder, NAME)) or {}
    if key is None or found.get("seal") != _seal(found, key):
        return Marks()
    handoffs = found.get("handoffs")
    return Marks(
        _notes(found.get("notes")),
        _trajectory(found.get("trajectory")),
        handoffs if isinstance(handoffs, str) else None,
    )


def write(
    folder: str,
    key: bytes,
    *,
    notes: NotesMark | None = None,
    trajectory: TrajectoryMark | None = None,
    handoffs: str | None = None,
) -> None:
    marks = read(folder, key)
    marks = replace(
        marks,
        notes=notes or marks.notes,
        trajectory=trajectory or marks.trajectory,
        handoffs=marks.handoffs if handoffs is None else handoffs,
    )
    fields: dict[str, Json] = {}
    if marks.notes:
        fields["notes"] = {**marks.notes.__dict__, "lines": [list(each) for each in marks.notes.lines]}
    if marks.trajectory:
        ratios: Json = {name: list(each) for name, each in marks.trajectory.ratios.items()}
        files: Json = {name: list(each) for name, each in marks.trajectory.files.items()}
        fields["trajectory"] = {**marks.trajectory.__dict__, "ratios": ratios, "files": files}
    if marks.handoffs is not None:
        fields["handoffs"] = marks.handoffs
    fields["seal"] = _seal(fields, key)
    write_whole(os.path.join(folder, NAME), compact(fields) + "\n")


def _seal(fields: Mapping[str, Json], key: bytes) -> str:
    covered = {name: fields[name] for name in ("notes", "trajectory", "handoffs") if name in fields}
    return blake2b(compact_bytes(covered), key=key, digest_size=32).hexdigest()


def _notes(raw: Any) -> NotesMark | None:
    try:
        lines = tuple((str(digest), str(entry)) for digest, entry in raw["lines"])
        texts = {name: raw[name] for name in ("path", "digest", "at", "redacted")}
    except (TypeError, ValueError, LookupError):
        return None
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    return NotesMark(lines=lines, **texts)


def _trajectory(raw: Any) -> TrajectoryMark | None:
    try:
        return TrajectoryMark(
            chains={str(name): int(seq) for name, seq in raw["chains"].items()},
            files={str(name): (int(size), str(digest)) for name, (size, digest) in raw["files"].items()},
            ratios={str(name): (int(grounded), int(total)) for name, (grounded, total) in raw["ratios"].items()},
            redacted=str(raw["redacted"]),
            format=int(raw["format"]),
        )
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
