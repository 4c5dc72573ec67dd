"""`.perdure/.gitignore`: keeps git away from files that only this home may write (SPEC 3.5).

It ignores itself and the TOML files too: what git shows as new, `git stash -u` and `git clean -fd` take away
(docs/adr/0047). Who wants to commit one of them uses `git add -f`.

A clone may bring a `.gitignore` of its own that ignores nothing. So git is asked what it would add, unless the file is
exactly as we write it. Lines that a person added stay.

    for name in not_ignored(root): ...      what the next `git add` would take
    for name in not_kept(root): ...         what the next `git stash -u` would take away
    if write(root): ...                     True where the file was not right
"""

from __future__ import annotations

import os

from perdure.files import listing, read_text, write_whole
from perdure.place import repository
from perdure.place.project import FOLDER, folder_of

TEXT = """\
# Perdure keeps itself out of git. To commit a file all the same: git add -f FILE, or a line here such as !NOTES.md
*
"""
_EARLIER = (
    "# Perdure keeps itself out of git, but for what may be shared. To track more, add lines such as !NOTES.md",
    "!.gitignore",
    "!project.toml",
    "!config.toml",
)
"""What an earlier version wrote and this one does not. Without the first of these lines, the others are a person's."""
EXPORTED = ("!export/", "!export/*/", "!export/*/[0-9]*-[0-9]*[0-9].jsonl")
"""Lines that let git see the tracked export: its segments, and nothing else that is in the folder."""
_TOO_WIDE = "!export/**"
"""What an earlier version wrote in their place. It let git see what `heal` set aside there."""
PRIVATE = ("ledger.db", "active_transaction", "own_ledger", "bindings/", "damaged", "unhealed", "erasing", "erased")
"""The beginnings of the names of files that only this home may write."""
_SHARED = (".gitignore", "project.toml", "config.toml")
"""Files that a person may commit."""
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


def not_kept(root: str) -> list[str]:
    """Paths, relative to the root, of files that git neither tracks nor ignores, although no line of a person's lets
    them in."""
    text = read_text(path_of(root))
    names = [f"{FOLDER}/{name}" for name in _SHARED if os.path.lexists(os.path.join(folder_of(root), name))]
    tracked = repository.answer(root, "ls-files", "-z", "--", *names) if names and text != TEXT else None
    if tracked is None:
        return []
    said = repository.git(root, "check-ignore", "--no-index", "-v", "-n", "--", *names)
    decided_by = dict(map(_path_and_pattern, said.splitlines()))
    ours = _written_earlier(text or "")
    new = [name for name in names if name not in tracked.split("\0")]
    return [name for name in new if decided_by.get(name, "") in ("", *ours)]


def _path_and_pattern(line: str) -> tuple[str, str]:
    """From what git says of a path: file, line and pattern that decide about it, or nothing, and the path."""
    decided, _, path = line.rpartition("\t")
    return path, decided.split(":", 2)[-1]


def _written_earlier(text: str) -> tuple[str, ...]:
    return _EARLIER if _EARLIER[0] in text.splitlines() else ()


def warning(root: str) -> str:
    names = not_ignored(root)
    if not names:
        return ""
    return f"git does not ignore {names[0]}: the next git add -A would take it. perdure heal mends {FOLDER}/.gitignore"


def warning_not_kept(root: str) -> str:
    names = not_kept(root)
    if not names:
        return ""
    what = f"git does not ignore {names[0]}: git stash -u or git clean -fd would take it away, and the gate would deny"
    return f"{what}. perdure heal mends {FOLDER}/.gitignore"


def write(root: str) -> bool:
    """Writes the file if it is missing or does not ignore what it should; returns whether it did. Lines of others come
    after ours, or before ours if that is still so."""
    path = path_of(root)
    text = None if os.path.islink(path) else read_text(path)
    if text is not None and not _lets_in(root):
        return False
    _write(root, text or "", with_export=any(line in (*EXPORTED, _TOO_WIDE) for line in (text or "").splitlines()))
    return True


def _lets_in(root: str) -> bool:
    return bool(not_ignored(root) or not_kept(root))


def let_export_in(root: str) -> None:
    """Lets git see the tracked export."""
    text = read_text(path_of(root)) or TEXT
    lines = text.splitlines()
    if _TOO_WIDE in lines or not {*EXPORTED} <= {*lines}:
        _write(root, text, with_export=True)


def _write(root: str, text: str, *, with_export: bool) -> None:
    """`text` is what the file has now."""
    own = TEXT + "".join(f"{line}\n" for line in EXPORTED if with_export)
    replaced = (*TEXT.splitlines(), *_written_earlier(text), *EXPORTED, _TOO_WIDE)
    others = "".join(f"{line}\n" for line in text.splitlines() if line.strip() and line not in replaced)
    write_whole(path_of(root), own + others, mode=0o644)
    if others and _lets_in(root):
        write_whole(path_of(root), others + own, mode=0o644)
