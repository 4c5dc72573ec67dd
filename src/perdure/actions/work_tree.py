"""Reads the project's files for whoever checks what was said about them (SPEC 8.2): text, blob id, commit, renames.

    with WorkTree(folder_of(desk)) as tree:
        tree.file("src/cart.py")                    a SourceFile, or None if there is no such file
        tree.renamed("src/cart.py", commit, blob)   the files that it may have become since

Every file is read once, and git is asked once for all renames: name the commits first, with `expect_renames`.

- A link that leads out of the project is not followed, and only regular files are read, but none that repeats what was
  said. `refusals` says which paths were not read, and why.
- Renames are git's own, from the commit to HEAD and from there to the index; where these show none, or one with other
  content, step by step through the history. git is not asked about the work tree: then it might run programs that the
  repository's settings name. A file that git does not track yet counts as renamed if it has the same bytes, or the same
  name in another folder.
- A file in a submodule is followed in the submodule. What nobody calls a rename is one if a new file has most lines
  of the old one, as after a rename with a licence above: `containing_files.py`.
- A blob id is git's hash of the bytes as they are on the disk; git's own differs where it converts line ends.
"""

from __future__ import annotations

import os
from functools import cached_property

from perdure.actions import symbol_process
from perdure.actions.containing_files import ContainingFiles, OldFile
from perdure.actions.rename_steps import PATIENCE, RENAMES, Rename, followed, pairs
from perdure.actions.symbol_process import SymbolProcess
from perdure.files import open_to_read
from perdure.grounding.file_kinds import NotText, text_of_bytes
from perdure.grounding.verdict import SourceFile
from perdure.model.digest import sha1, sha256
from perdure.model.value import value
from perdure.place import repository
from perdure.views import record_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType


LARGEST = 16 << 20
"""Bytes. Larger files are not read: they are data."""
SHORTER = 10
"""How many times shorter is the wait for a git that was waited for in vain before."""
MOST_COMMITS = 2000
"""How many commits renames are looked up from at once."""
MOST_UNTRACKED = 5000
MOST_BY_LINES = 50
"""How many files that are gone are looked for by their lines."""
FROM_RECORD = NotText("It only shows what was said, or what git keeps.")


@value
class ReadFile:
    source: SourceFile
    blob: str
    """Empty if the bytes were not read."""


class WorkTree:
    def __init__(
        self,
        folder: str,
        *,
        largest: int = LARGEST,
        most_untracked: int = MOST_UNTRACKED,
        git_seconds: float = PATIENCE,
        symbol_seconds: float = symbol_process.PATIENCE,
    ) -> None:
        """The limits are for whoever cannot wait long: larger files are not read, more untracked files are not compared
        with a file that is gone, git is not waited for longer, nor are the symbols of one file. With less time for
        git, no file that is gone is looked for by its lines."""
        self.folder = folder
        self._largest, self._most_untracked, self._git_seconds = largest, most_untracked, git_seconds
        self.refusals: dict[str, str] = {}
        """Paths that were not read although something is there, and why."""
        self._unheard = repository.GitFailures.count
        self._real = os.path.realpath(folder)
        self._files: dict[str, ReadFile | None] = {}
        self._stamps: dict[str, object] = {}
        self._symbols = SymbolProcess(symbol_seconds)
        self._commits: set[str] = set()
        self._renames: dict[str, dict[str, Rename]] | None = None
        self._gone: set[str] = set()
        self._followed: dict[str, str] | None = None
        self._by_lines = ContainingFiles(folder, read=self.content, most=most_untracked, seconds=git_seconds)
        self._containing: dict[tuple[str, str | None], list[str]] = {}

    def __enter__(self) -> WorkTree:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._symbols.end()

    @property
    def _patience(self) -> float:
        """A git that was waited for in vain once is not waited for as long again."""
        return self._git_seconds / SHORTER if self.is_git_unheard else self._git_seconds

    @property
    def is_git_unheard(self) -> bool:
        """Whether git could not be started, took too long or was killed: then a file that is gone may be renamed."""
        return repository.GitFailures.count > self._unheard

    # -- files --

    def file(self, path: str) -> SourceFile | None:
        """`path` is from the project's root, as in a citation."""
        found = self._read(path)
        return found.source if found else None

    def look_again(self, path: str) -> None:
        """Forgets what was read of this file, if it was written since. For whoever waits between two questions."""
        if path in self._files and self._stamps[path] != self._stamp(path):
            del self._files[path]
            self.__dict__.pop("commit", None)

    def blob(self, path: str) -> str | None:
        """None if the file is not there or was not read."""
        found = self._read(path)
        return found.blob or None if found else None

    @cached_property
    def commit(self) -> str | None:
        """The commit that is checked out; None without git, or before the first commit."""
        said = repository.git(self.folder, "rev-parse", "--verify", "--quiet", "HEAD").strip()
        return said if repository.is_hash(said) else None

    def tracked(self, below: str = "") -> list[str] | None:
        """The files that git tracks, from the project's root, but for those that repeat what was said; None without
        git."""
        words = ("--", f":(literal){below}") if below else ()
        said = repository.answer(self.folder, "ls-files", "-z", *words, seconds=self._patience)
        if said is None:
            return None
        return sorted(path for path in set(said.split("\0")) - {""} if not record_files.is_kept(path))

    def content(self, path: str) -> bytes | NotText | None:
        """The file's bytes; None if there is no such file, or a folder in its place."""
        real = os.path.realpath(os.path.join(self._real, path))
        inside = self._real.rstrip(os.sep) + os.sep
        if not real.startswith(inside):
            return NotText("The path leads out of the project by a link.")
        if record_files.is_kept(real.removeprefix(inside)):
            return FROM_RECORD
        try:
            with open_to_read(real) as file:
                content = file.read(self._largest + 1)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            return NotText(f"The file cannot be read: {getattr(error, 'strerror', None) or error}.")
        if len(content) > self._largest:
            return NotText(f"The file is larger than {self._largest >> 20} MiB.")
        return FROM_RECORD if record_files.is_notes(content) else content

    def _read(self, path: str) -> ReadFile | None:
        if path not in self._files:
            self._stamps[path] = self._stamp(path)
            self._files[path] = self._opened(path)
        return self._files[path]

    def _stamp(self, path: str) -> object:
        try:
            found = os.stat(os.path.join(self._real, path))
        except (OSError, ValueError):
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _opened(self, path: str) -> ReadFile | None:
        content = self.content(path)
        if content is None:
            return None
        if isinstance(content, NotText):
            self.refusals[path] = content.reason
            return ReadFile(SourceFile(path, content), "")
        return ReadFile(SourceFile(path, text_of_bytes(content), self._symbols.parse), self._blob_of(content))

    def _blob_of(self, content: bytes) -> str:
        """With the hash that this repository uses."""
        new = sha256 if self.commit and len(self.commit) == 64 else sha1
        return new(b"blob %d\0" % len(content) + content).hexdigest()

    # -- renames --

    def expect_renames(self, files: Iterable[OldFile]) -> None:
        """Names the files for which `renamed` will be asked."""
        listed = list(dict.fromkeys(files))
        self._commits.update(each.commit for each in listed if each.commit and repository.is_hash(each.commit))
        self._gone.update(each.path for each in listed)
        self._by_lines.expect(map(self._in_its_repository, listed[:MOST_BY_LINES]))
        self._renames = self._followed = None

    def renamed(self, path: str, commit: str | None, blob: str | None) -> list[SourceFile]:
        """What the file of this commit may have become, if it is gone: the likeliest first."""
        if self._read(path):
            return []
        by_git = self._renamed_by_git(path, commit)
        names = [*by_git, *self._untracked_like([path, *by_git], blob)]
        names += [] if by_git else self._with_its_lines(path, commit, blob)
        found = (self.file(name) for name in dict.fromkeys(names))
        return [each for each in found if each]

    def _renamed_by_git(self, path: str, commit: str | None) -> list[str]:
        if not commit or not self.commit:
            return []
        if commit not in self._commits:
            self.expect_renames([OldFile(path, commit, None)])
        if self._renames is None:
            self._renames = self._asked_renames()
        renamed = self._renames.get(commit, {}).get(path)
        at_head = renamed.to if renamed else path
        staged = self._renames.get("", {}).get(at_head)
        names = [each.to for each in (staged, renamed) if each]
        is_sure = renamed.is_whole if renamed else staged is not None
        return names if is_sure else [*self._renamed_by_steps(path), *names]

    def _with_its_lines(self, path: str, commit: str | None, blob: str | None) -> list[str]:
        """New files that have most lines of the old one. For a file in a submodule, those of the submodule."""
        is_too_long = self._git_seconds < PATIENCE or len(self._containing) >= MOST_BY_LINES
        if (path, blob) not in self._containing and is_too_long:
            return []
        if (path, blob) not in self._containing:
            self._containing[path, blob] = self._by_lines.of(self._in_its_repository(OldFile(path, commit, blob)))
        return self._containing[path, blob]

    def _in_its_repository(self, old: OldFile) -> OldFile:
        """A commit of ours says nothing about a file of a submodule."""
        inner = repository.enclosing(os.path.dirname(os.path.join(self._real, old.path)))
        below = os.path.relpath(inner.work_tree, self._real) if inner else "."
        return old if below.startswith(".") else OldFile(old.path, None, old.blob, below=below)

    def _renamed_by_steps(self, path: str) -> list[str]:
        """Not asked if the two ends of the history show a file of the same bytes, because it costs several
        processes."""
        if self._followed is None or path not in self._gone:
            self._gone.add(path)
            self._followed = followed(
                self.folder, self._gone, since=self._commits, is_there=self._is_there, seconds=self._patience
            )
        return [self._followed[path]] if path in self._followed else []

    def _is_there(self, path: str) -> bool:
        return self._read(path) is not None

    def _asked_renames(self) -> dict[str, dict[str, Rename]]:
        """For each commit, the old name → the name at HEAD; under "", the name at HEAD → the name in the index."""
        asked = sorted(self._commits)[:MOST_COMMITS]
        lines = "".join(f"{commit} {self.commit}\n" for commit in asked if commit != self.commit)
        # Each line makes HEAD the parent of the old commit, and -R swaps the old and the new names.
        said = repository.answer(
            self.folder, "diff-tree", "--stdin", "-R", *RENAMES, given=lines, seconds=self._patience
        )
        staged = repository.git(
            self.folder, "diff-index", "--cached", *RENAMES, self.commit or "HEAD", seconds=self._patience
        )
        return {**pairs(said or ""), **pairs(staged)}

    def _untracked_like(self, paths: Sequence[str], blob: str | None) -> list[str]:
        """Files that git does not know yet, with the same bytes or the same name as one of these had."""
        names = {os.path.basename(path) for path in paths}
        blobs = {blob, *map(self._index.get, paths)} - {None}
        same_bytes = [each for each in self._untracked if self.blob(each) in blobs]
        return [*same_bytes, *(each for each in self._untracked if os.path.basename(each) in names)]

    @cached_property
    def _index(self) -> dict[str, str]:
        """Each tracked file's blob id."""
        said = repository.git(self.folder, "ls-files", "-z", "--stage", seconds=self._patience)
        entries = (entry.partition("\t") for entry in said.split("\0") if "\t" in entry)
        return {path: facts.split()[1] for facts, _, path in entries}

    @cached_property
    def _untracked(self) -> list[str]:
        said = repository.git(self.folder, "ls-files", "-z", "--others", "--exclude-standard", seconds=self._patience)
        found = sorted(set(said.split("\0")) - {""})
        return found if len(found) <= self._most_untracked else []
