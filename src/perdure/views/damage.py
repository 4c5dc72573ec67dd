"""`.perdure/damaged`: the mark that the ledger is damaged. A command that finds the damage writes it. The gate, which
does not open the ledger, then denies until `perdure heal` has repaired it."""

from __future__ import annotations

import os

from perdure.files import read_text, remove, write_whole

NAME = "damaged"


def mark(project_folder: str, what: str) -> None:
    write_whole(os.path.join(project_folder, NAME), what.splitlines()[0][:300] + "\n")


def marked(project_folder: str) -> str:
    return (read_text(os.path.join(project_folder, NAME)) or "").strip()


def clear(project_folder: str) -> None:
    remove(os.path.join(project_folder, NAME))
