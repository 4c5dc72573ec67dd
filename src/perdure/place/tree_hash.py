"""The hash of a work tree: evidence is bound to it (SPEC 10.6).

It covers every file that git tracks, or would track because it does not ignore it: path, kind, whether it can be run,
and content as it is on the disk. So the same content has the same hash whatever is staged, committed or marked in the
index, and a change that is taken back gives the earlier hash. What Perdure and beads keep (`.perdure`, `.beads`) is
left out, and so are untracked caches that test programs write (`CACHES`). A folder without git is read whole, but for
`.git` and the folders of `CACHES` and `INSTALLED`.

git is asked only for the names; nothing is written into the repository. Digests of files are kept in the home, by size,
times and inode, so that a second look reads only what changed.

    found = tree_of("/repo", home)      None if it cannot be read
    found.hash, found.newest            when a file last changed, in nanoseconds since the epoch
"""

from __future__ import annotations

import os
import stat
import time

from perdure.errors import PerdureError
from perdure.files import make_folder, write_pieces
from perdure.model.digest import sha256
from perdure.model.value import value
from perdure.place import repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEFT_OUT = (".perdure", ".beads")
CACHES = frozenset("__pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage".split())
INSTALLED = frozenset(".git node_modules .venv venv .tox .nox target".split())
MOST_FILES = 500_000
_DEEPEST = 8
"""Repositories within repositories."""
_RACY = 2_000_000_000
"""Nanoseconds. A file that changed so shortly before it was read may change again without a new time."""
_PIECE = 1 << 20
_SECONDS = 60.0


@value
class Tree:
    hash: str
    files: int
    newest: int
    """When the file that changed last did so, in nanoseconds; for a tracked file that is gone, when its folder did."""
    newest_path: str


def tree_of(folder: str, home: str, *, without: Sequence[str] = ()) -> Tree | None:
    """`without`: paths, from the folder, that do not count."""
    reading = _Reading(home, frozenset(without))
    try:
        found = reading.tree(os.path.realpath(folder), 0)
    except OSError:
        return None
    if not found:
        return None
    return Tree(hash=found, files=reading.files, newest=reading.newest, newest_path=reading.newest_path)


class _Reading:
    def __init__(self, home: str, without: frozenset[str]) -> None:
        self.home, self.without = home, without
        self.files = self.newest = 0
        self.newest_path = ""

    def tree(self, folder: str, depth: int) -> str:
        """The hash; empty if the names cannot be listed."""
        listed = _listed(folder)
        if listed is None or len(listed) > MOST_FILES or depth > _DEEPEST:
            return ""
        all_of_it = sha256()
        with _Digests(self.home, folder) as digests:
            for path in listed:
                if depth or path not in self.without:
                    all_of_it.update(self._entry(folder, path, digests, depth=depth))
        return all_of_it.hexdigest()

    def _entry(self, folder: str, path: str, digests: _Digests, *, depth: int) -> bytes:
        whole = os.path.join(folder, path)
        try:
            found = os.lstat(whole)
        except (FileNotFoundError, NotADirectoryError):
            self._gone(folder, path)
            return b""
        kind = _kind(found.st_mode)
        if kind == "tree":
            inside = self.tree(whole, depth + 1) if os.path.lexists(os.path.join(whole, ".git")) else ""
            return _line("160000", inside or "empty", path)
        if not kind:
            return b""
        self.files += 1
        self._changed(found.st_ctime_ns, path)
        if kind == "120000":
            target = os.fsencode(os.readlink(whole))
            return _line(kind, sha256(target).hexdigest(), path)
        return _line(kind, digests.of(path, whole, found), path)

    def _gone(self, folder: str, path: str) -> None:
        above = os.path.dirname(os.path.join(folder, path))
        while len(above) > len(folder) and not os.path.isdir(above):
            above = os.path.dirname(above)
        self._changed(os.stat(above).st_mtime_ns, path)

    def _changed(self, when: int, path: str) -> None:
        if when > self.newest:
            self.newest, self.newest_path = when, path


def _line(kind: str, digest: str, path: str) -> bytes:
    return f"{kind} {digest} {path}\0".encode("utf-8", "surrogateescape")


def _kind(mode: int) -> str:
    """As git has it; empty for what git does not keep, such as a pipe."""
    if stat.S_ISLNK(mode):
        return "120000"
    if stat.S_ISDIR(mode):
        return "tree"
    if not stat.S_ISREG(mode):
        return ""
    return "100755" if mode & 0o100 else "100644"


def _listed(folder: str) -> list[str] | None:
    """The paths that count, sorted."""
    if not repository.enclosing(folder):
        return sorted(_walked(folder))
    said = repository.answer(
        folder, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", seconds=_SECONDS
    )
    if said is None:
        return None
    return sorted({line[2:].rstrip("/") for line in said.split("\0") if line and _counts(line)})


def _counts(line: str) -> bool:
    """Whether a path counts; before it stands a letter, `?` for one that git does not track."""
    parts = line[2:].split("/")
    if parts[0] in LEFT_OUT:
        return False
    return not line.startswith("?") or CACHES.isdisjoint(parts)


def _walked(folder: str) -> Iterator[str]:
    left_out = {*LEFT_OUT, *CACHES, *INSTALLED}
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in left_out]
        for name in [*names, *(each for each in folders if os.path.islink(os.path.join(above, each)))]:
            if name not in left_out:
                yield os.path.relpath(os.path.join(above, name), folder)


class _Digests:
    """The digests of one folder's files, from the last look and from this one. Both are in the order of the paths, so
    neither needs to be in memory."""

    def __init__(self, home: str, folder: str) -> None:
        name = sha256(os.fsencode(folder)).hexdigest()[:32]
        self._path = os.path.join(home, "trees", name)
        self._kept: list[str] = []
        self._began = time.time_ns()
        self._is_new = False

    def __enter__(self) -> _Digests:
        self._lines = self._before()
        self._next = next(self._lines, None)
        return self

    def __exit__(self, *_given: object) -> None:
        if not self._is_new and self._next is None:
            return
        try:
            make_folder(os.path.dirname(self._path))
            write_pieces(self._path, self._kept)
        except (OSError, PerdureError):
            return  # a home that cannot be written costs time, nothing else

    def _before(self) -> Iterator[tuple[str, str, str]]:
        try:
            with open(self._path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                for line in file:
                    parts = line.rstrip("\n").split("\t", 2)
                    if len(parts) == 3:
                        yield parts[2], parts[0], parts[1]
        except (OSError, ValueError):
            return

    def of(self, path: str, whole: str, found: os.stat_result) -> str:
        key = f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_ino}:{found.st_dev}"
        while self._next is not None and self._next[0] < path:
            self._next, self._is_new = next(self._lines, None), True
        digest = ""
        if self._next is not None and self._next[0] == path:
            digest = self._next[2] if self._next[1] == key else ""
            self._next = next(self._lines, None)
        if not digest:
            self._is_new = True
            digest = _digest(whole)
        if found.st_ctime_ns < self._began - _RACY and "\n" not in path:
            self._kept.append(f"{key}\t{digest}\t{path}\n")
        return digest


def _digest(path: str) -> str:
    """The digest of the content; a file that may not be read counts by its name alone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return "unreadable"
    content = sha256()
    with open(descriptor, "rb") as file:
        while piece := file.read(_PIECE):
            content.update(piece)
    return content.hexdigest()
