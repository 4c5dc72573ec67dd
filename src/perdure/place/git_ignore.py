"""`.perdure/.gitignore`: keeps git away from files that only this home may write (SPEC 3.5).

A clone may bring a `.gitignore` of its own that ignores nothing. So git is asked what it would add, unless the file is
exactly as we write it. Lines that a person added stay.

    for name in not_ignored(root): ...      what the next `git add` would take
    if write(root): ...                     True where the file was not right
"""

from __future__ import annotations

import os

from perdure.files import listing, read_text, write_whole
from perdure.place import repository
from perdure.place.project import FOLDER, folder_of

TEXT = """\
# Perdure keeps itself out of git, but for what may be shared. To track more, add lines such as !NOTES.md
*
!.gitignore
!project.toml
!config.toml
"""
EXPORTED = ("!export/", "!export/*/", "!export/*/[0-9]*-[0-9]*[0-9].jsonl")
"""Lines that let git see the tracked export: its segments, and nothing else that is in the folder."""
_TOO_WIDE = "!export/**"
"""What an earlier version wrote in their place. It let git see what `heal` set aside there."""
PRIVATE = ("ledger.db", "active_transaction", "own_ledger", "bindings/", "damaged", "unhealed", "erasing", "erased")
"""The beginnings of the names of files that only this home may write."""
_SAMPLES = (
    "ledger.db",
    "ledger.db-any",
    "ledger.db.damaged-2026",
    "active_transaction.json",
    "active_transaction_pts-1.json",
    "own_ledger",
    "bindings/x.json",
    "damaged",
    "unhealed",
    "erasing",
    "erased",
    "export/any",
    "export/00000000-0000-4000-8000-000000000000/1-2.jsonl.odd-2026",
)


def path_of(root: str) -> str:
    return os.path.join(folder_of(root), ".gitignore")


def not_ignored(root: str) -> list[str]:
    """Paths, relative to the root, of private files that git would add; none if there is no git."""
    path = path_of(root)
    is_file = os.path.isfile(path) and not os.path.islink(path)
    if is_file and read_text(path) == TEXT:
        return []
    if not repository.git(root, "rev-parse", "--git-dir"):
        return []
    names = [f"{FOLDER}/{name}" for name in (*_SAMPLES, *_present(root))]
    if os.path.lexists(path) and not is_file:  # git does not follow a link here, and would block at a pipe
        return names
    ignored = repository.git(root, "check-ignore", "--no-index", "--", *names).splitlines()
    return [name for name in names if name not in ignored]


def _present(root: str) -> list[str]:
    """Private files that exist: a line in the file may name one of them in full and let it in."""
    return [name for name in listing(folder_of(root)) if name.startswith(PRIVATE) and name not in _SAMPLES]


def warning(root: str) -> str:
    names = not_ignored(root)
    if not names:
        return ""
    return f"git does not ignore {names[0]}: the next git add -A would take it. perdure heal mends {FOLDER}/.gitignore"


def write(root: str) -> bool:
    """Writes the file if it is missing or lets private files in; returns whether it did. Lines of others come after
    ours, or before ours if git would still add a private file."""
    path = path_of(root)
    text = None if os.path.islink(path) else read_text(path)
    if text is not None and not not_ignored(root):
        return False
    _write(root, text or "", with_export=any(line in (*EXPORTED, _TOO_WIDE) for line in (text or "").splitlines()))
    return True


def let_export_in(root: str) -> None:
    """Lets git see the tracked export."""
    text = read_text(path_of(root)) or TEXT
    lines = text.splitlines()
    if _TOO_WIDE in lines or not {*EXPORTED} <= {*lines}:
        _write(root, text, with_export=True)


def _write(root: str, text: str, *, with_export: bool) -> None:
    """`text` is what the file has now."""
    own = TEXT + "".join(f"{line}\n" for line in EXPORTED if with_export)
    replaced = (*TEXT.splitlines(), *EXPORTED, _TOO_WIDE)
    others = "".join(f"{line}\n" for line in text.splitlines() if line.strip() and line not in replaced)
    write_whole(path_of(root), own + others, mode=0o644)
    if others and not_ignored(root):
        write_whole(path_of(root), others + own, mode=0o644)
