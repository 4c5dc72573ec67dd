"""Which new files have most lines of a file that is gone? (SPEC 8.2)

git calls a file renamed while half of the larger one is the same. A short file that gets a new name and a long licence
above its lines is none, for git. It is one if nearly all of its lines stand in a file that was not there before.

    found(folder, OldFile("main.go", commit, blob), read=tree.content)      # ["cmd/server.go"]

- Lines are compared without white space around them. Those with fewer than four letters or digits do not count, and a
  file with fewer than three others is not recognised.
- The old text is git's: by the blob id, which is still there after a commit was amended or squashed, or by the commit.
- Three or four processes for a file; asked only where git knows no rename.
"""

from __future__ import annotations

import os

from perdure.grounding.file_kinds import text_within
from perdure.model.value import value
from perdure.place import repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.grounding.file_kinds import NotText

_MOST_PART = 0.8
_FEWEST_LINES = 3
_FEWEST_CHARACTERS = 4
_MOST_READ = 2000
"""Files. Where more are new, nobody can tell quickly."""


@value
class OldFile:
    path: str
    """From the project's root."""
    commit: str | None
    blob: str | None
    """Where its text is; one of them is enough."""


def found(
    folder: str,
    old: OldFile,
    *,
    read: Callable[[str], bytes | NotText | None],
    below: str = "",
    most: int = _MOST_READ,
    seconds: float = 20.0,
) -> list[str]:
    """The files from the project's root, the likeliest first. `below`: the submodule that the old file was in; `most`:
    if more files are new, none is read."""
    repository_folder = os.path.join(folder, below)
    inside = os.path.relpath(old.path, below) if below else old.path
    lines = _lines(_old_text(repository_folder, inside, old, seconds=seconds))
    if len(lines) < _FEWEST_LINES:
        return []
    new = [os.path.join(below, name) for name in _new_files(repository_folder, inside, old.commit, seconds=seconds)]
    if len(new) > min(most, _MOST_READ):
        return []
    shares = {path: _share(lines, read(path)) for path in new}
    return sorted((path for path in new if shares[path] >= _MOST_PART), key=lambda path: -shares[path])


def _share(lines: frozenset[str], content: bytes | NotText | None) -> float:
    """How much of the lines the content has."""
    text = text_within(content) if isinstance(content, bytes) else ""
    return len(lines & _lines(text)) / len(lines)


def _old_text(folder: str, path: str, old: OldFile, *, seconds: float) -> str:
    names = [old.blob] if old.blob and repository.is_hash(old.blob) else []
    names += [f"{old.commit}:./{path}"] if old.commit and repository.is_hash(old.commit) else []
    texts = (repository.answer(folder, "cat-file", "blob", name, seconds=seconds) for name in names)
    return next(filter(None, texts), "")


def _new_files(folder: str, path: str, commit: str | None, *, seconds: float) -> list[str]:
    """Files of the same ending, tracked or not, that the commit did not have; if it is not there any more, all of
    them."""
    now = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    then = ("ls-tree", "-r", "-z", "--name-only", commit) if commit and repository.is_hash(commit) else None
    before = _names(repository.git(folder, *then, seconds=seconds)) if then else set()
    ending = os.path.splitext(path)[1]
    names = _names(repository.git(folder, *now, seconds=seconds)) - before
    return sorted(name for name in names if os.path.splitext(name)[1] == ending)


def _names(said: str) -> set[str]:
    return set(said.split("\0")) - {""}


def _lines(text: str) -> frozenset[str]:
    stripped = (" ".join(line.split()) for line in text.split("\n"))
    return frozenset(line for line in stripped if sum(map(str.isalnum, line)) >= _FEWEST_CHARACTERS)
