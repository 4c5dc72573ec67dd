"""Which new files have most lines of a file that is gone? (SPEC 8.2)

git calls a file renamed while half of the larger one is the same. A short file that gets a new name and a long licence
above its lines is not one, for git. It is one if nearly all of its lines stand in a file that was not there before.

    look = ContainingFiles(folder, read=tree.content)
    look.expect([OldFile("main.go", commit, blob), …])
    look.of(OldFile("main.go", commit, blob))                     # ["cmd/server.go"]

- Lines are compared without white space around them. Those with fewer than four letters or digits do not count, and a
  file with fewer than three others is not recognised.
- The old text is git's: by the blob id, which is still there after a commit was amended or squashed, or by the commit.
- However many files are gone, one process lists what is there now, one for each commit what was there then, and a few
  give the old texts; each new file is read once. Asked only where git knows no rename.
"""

from __future__ import annotations

import os
from itertools import islice

from perdure.grounding.file_kinds import text_within
from perdure.model.value import value
from perdure.place import repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.grounding.file_kinds import NotText

_MOST_PART = 0.8
_FEWEST_LINES = 3
_FEWEST_CHARACTERS = 4
_MOST_READ = 2000
"""Files. With more new ones the comparison would take too long."""
_MOST_TEXTS = 10
"""Old texts that are asked for at once; a file that was cited may have 16 MiB."""


@value
class OldFile:
    path: str
    """From the project's root."""
    commit: str | None
    blob: str | None
    """Where its text is; one of them is enough."""
    below: str = ""
    """The submodule that it was in."""

    @property
    def inside(self) -> str:
        return os.path.relpath(self.path, self.below) if self.below else self.path


class ContainingFiles:
    def __init__(
        self,
        folder: str,
        *,
        read: Callable[[str], bytes | NotText | None],
        most: int = _MOST_READ,
        seconds: float = 20.0,
    ) -> None:
        """`most`: if more files are new, none is read."""
        self._folder, self._read = folder, read
        self._most, self._seconds = min(most, _MOST_READ), seconds
        self._expected: dict[OldFile, None] = {}
        self._old_lines: dict[OldFile, frozenset[str]] = {}
        self._new_lines: dict[str, frozenset[str]] = {}
        self._names: dict[tuple[str, str], set[str]] = {}

    def expect(self, files: Iterable[OldFile]) -> None:
        """Names files that `of` may be asked about, so that git is asked for several at once."""
        self._expected.update(dict.fromkeys(files))

    def of(self, old: OldFile) -> list[str]:
        """The files from the project's root, the likeliest first."""
        lines = self._lines_of_old(old)
        if len(lines) < _FEWEST_LINES:
            return []
        new = [os.path.join(old.below, name) for name in self._new_files(old)]
        if len(new) > self._most:
            return []
        shares = {path: len(lines & self._lines_of_new(path)) / len(lines) for path in new}
        return sorted((path for path in new if shares[path] >= _MOST_PART), key=lambda path: -shares[path])

    def _lines_of_new(self, path: str) -> frozenset[str]:
        if path not in self._new_lines:
            content = self._read(path)
            self._new_lines[path] = _lines(text_within(content) if isinstance(content, bytes) else "")
        return self._new_lines[path]

    def _new_files(self, old: OldFile) -> list[str]:
        """Files of the same ending, tracked or not, that the commit did not have; if it is not there any more, all of
        them."""
        now = self._listed(old.below, ("ls-files", "-z", "--cached", "--others", "--exclude-standard"))
        is_known = old.commit and repository.is_hash(old.commit)
        then = self._listed(old.below, ("ls-tree", "-r", "-z", "--name-only", str(old.commit))) if is_known else set()
        ending = os.path.splitext(old.inside)[1]
        return sorted(name for name in now - then if os.path.splitext(name)[1] == ending)

    def _listed(self, below: str, question: tuple[str, ...]) -> set[str]:
        if (below, question[-1]) not in self._names:
            said = repository.git(os.path.join(self._folder, below), *question, seconds=self._seconds)
            self._names[below, question[-1]] = set(said.split("\0")) - {""}
        return self._names[below, question[-1]]

    def _lines_of_old(self, old: OldFile) -> frozenset[str]:
        if old not in self._old_lines:
            others = (each for each in self._expected if each.below == old.below and each not in self._old_lines)
            asked = list(dict.fromkeys([old, *islice(others, _MOST_TEXTS - 1)]))
            texts = _old_texts(os.path.join(self._folder, old.below), asked, seconds=self._seconds)
            self._old_lines.update((each, _lines(text)) for each, text in zip(asked, texts, strict=True))
        return self._old_lines[old]


def _old_texts(folder: str, files: Sequence[OldFile], *, seconds: float) -> list[str]:
    names = [_names_in_git(each) for each in files]
    asked = "".join(f"{name}\n" for each in names for name in each)
    said = repository.answer_in_bytes(folder, "cat-file", "--batch", given=asked, seconds=seconds) or b""
    contents = _contents(said)
    return [next(filter(None, [text_within(next(contents, b"")) for _ in each]), "") for each in names]


def _names_in_git(old: OldFile) -> list[str]:
    found = [old.blob] if old.blob and repository.is_hash(old.blob) else []
    is_in_commit = old.commit and repository.is_hash(old.commit) and not old.below and "\n" not in old.path
    return [*found, f"{old.commit}:./{old.path}"] if is_in_commit else found


def _contents(said: bytes) -> Iterator[bytes]:
    """What `git cat-file --batch` prints: for each object a line with its size and its content, or that it is
    missing."""
    at = 0
    while at < len(said):
        end = said.find(b"\n", at)
        *_, last = said[at : end if end >= 0 else None].split(b" ")
        at = end + 1 if end >= 0 else len(said)
        if last.isdigit():
            yield said[at : at + int(last)]
            at += int(last) + 1
        else:
            yield b""


def _lines(text: str) -> frozenset[str]:
    stripped = (" ".join(line.split()) for line in text.split("\n"))
    return frozenset(line for line in stripped if sum(map(str.isalnum, line)) >= _FEWEST_CHARACTERS)
