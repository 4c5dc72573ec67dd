"""`.perdure/damaged`: the mark that the ledger is damaged. A command that finds the damage writes it. The gate, which
does not open the ledger, then denies until `perdure heal` has repaired it.

`.perdure/unhealed`: what `perdure heal` found and could not repair. `status` shows it first. The gate stays open: the
record goes on, and only a person can end this (docs/adr/0037)."""

from __future__ import annotations

import os

from perdure.files import read_text, remove, write_whole

NAME, UNHEALED = "damaged", "unhealed"
_LONGEST = 300


def mark(project_folder: str, what: str) -> None:
    _write(project_folder, NAME, what)


def marked(project_folder: str) -> str:
    return (read_text(os.path.join(project_folder, NAME)) or "").strip()


def clear(project_folder: str) -> None:
    remove(os.path.join(project_folder, NAME))


def keep_unhealed(project_folder: str, what: str) -> None:
    """Empty where all is whole."""
    if what:
        _write(project_folder, UNHEALED, what)
    else:
        remove(os.path.join(project_folder, UNHEALED))


def unhealed(project_folder: str) -> str:
    return (read_text(os.path.join(project_folder, UNHEALED)) or "").strip()


def _write(project_folder: str, name: str, what: str) -> None:
    write_whole(os.path.join(project_folder, name), what.splitlines()[0][:_LONGEST] + "\n")
