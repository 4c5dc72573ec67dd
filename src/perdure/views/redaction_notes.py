"""Which payloads were redacted in a folder: `~/.perdure/heads/redacted/<folder>` (SPEC 16.3, docs/adr/0049).

A redaction is also noted beside the backup and in the project, but an older copy of both may be put back. This note is
in a third place, with the heads. It names its folder, since a clone or a copy has the same chain and is a record of its
own: what was redacted in one folder is not redacted in the other.

    folder's name         one line
    ledger id, number     one line for each event
    digest                keyed as the views are (`views/key.py`)
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import listing, make_folder, read_text, remove, write_whole
from perdure.model.digest import blake2b, sha256
from perdure.model.event import Ref
from perdure.model.ids import LedgerId
from perdure.views.own_ledgers import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def folder_in(home: str) -> str:
    return os.path.join(home, "heads", "redacted")


def noted(home: str, project_folder: str, key: bytes | None) -> set[Ref]:
    """Nothing if the digest is not ours."""
    name, refs = _read(path_of(home, project_folder), key)
    return refs if name == name_of(project_folder) else set()


def noted_elsewhere(home: str, project_folder: str, key: bytes | None) -> set[Ref]:
    """What was redacted in other folders."""
    paths = (os.path.join(folder_in(home), name) for name in listing(folder_in(home)))
    found = (_read(path, key) for path in paths)
    return {ref for name, refs in found if name != name_of(project_folder) for ref in refs}


def write(home: str, project_folder: str, refs: set[Ref], *, key: bytes) -> None:
    path = path_of(home, project_folder)
    if not refs:
        remove(path)
        return
    make_folder(folder_in(home))
    text = f"{name_of(project_folder)}\n{refs_as_lines(refs)}"
    write_whole(path, f"{text}{digest(text, key)}\n")


def follow(home: str, old: str, new: str, *, key: bytes) -> None:
    """After a project was moved: its notes belong to the new folder."""
    moved = noted(home, old, key)
    try:
        if moved:
            write(home, new, noted(home, new, key) | moved, key=key)
            remove(path_of(home, old))
    except Trouble:
        return  # the home cannot be written: the note in the project moved with it


def refs_as_lines(refs: Iterable[Ref]) -> str:
    return "".join(f"{ref.ledger_id} {ref.seq}\n" for ref in sorted(refs, key=lambda ref: (ref.ledger_id, ref.seq)))


def refs_in(lines: Iterable[str]) -> set[Ref]:
    found = (line.split() for line in lines)
    return {Ref(LedgerId(ledger_id), int(seq)) for ledger_id, seq in found}


def digest(text: str, key: bytes) -> str:
    return blake2b(text.encode("utf-8", "surrogateescape"), key=key, digest_size=32).hexdigest()


def _read(path: str, key: bytes | None) -> tuple[str, set[Ref]]:
    try:
        text, _, said = (read_text(path) or "").rstrip("\n").rpartition("\n")
    except Trouble:
        return "", set()
    if not text or key is None or said != digest(f"{text}\n", key):
        return "", set()
    name, *lines = text.splitlines()
    return name, refs_in(lines)


def path_of(home: str, project_folder: str) -> str:
    name = name_of(project_folder).encode("utf-8", "surrogateescape")
    return os.path.join(folder_in(home), sha256(name).hexdigest())
