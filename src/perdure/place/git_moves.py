"""Was there a ledger in a commit that was made or checked out here since the last look? (SPEC 3.5, docs/adr/0043)

`git_index` says what git tracks now. A ledger may have been committed, replaced by a pull and taken out of git again
before any command of Perdure's ran. Git writes a line into its log of HEAD for each commit, pull, checkout and reset,
so its length says cheaply whether anything happened. Only then git is asked about the commits in the new lines.

    before = position(root)
    if brought_since(root, before): ...
"""

from __future__ import annotations

import os
from itertools import pairwise

from perdure.files import listing
from perdure.place import git_index, repository
from perdure.place.project import folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_NO_REPOSITORY = "- 0 -"
_MOST_COMMITS = 2000
_DELETED = "0" * 40


def position(root: str) -> tuple[str, ...]:
    """Where HEAD is now, for each repository around this folder: the path to its work tree, the length of its log of
    HEAD, and the commit. Never empty."""
    found = [f"{os.path.relpath(tree, root)} {_length(log)} {_commit(tree, log)}" for tree, log in _logs(root)]
    return tuple(found) or (_NO_REPOSITORY,)


def brought_since(root: str, before: Collection[str], *, compared: str = "") -> bool:
    """Whether HEAD has since been at a commit that brought a ledger, a log beside it or a transaction file: one that
    its parents do not have. `compared`: what git tracks now and was compared already, as `git_index.replaceable` says
    it."""
    return any(
        blob != _DELETED and blob not in compared
        for tree, log in _logs(root)
        for blob in _blobs(root, tree, log, before=before)
    )


def _logs(root: str) -> Iterator[tuple[str, str]]:
    """The work tree of every repository around this folder, and its log of HEAD."""
    for tree in repository.upward(root):
        git_folder = repository.git_folder_of(tree)
        if git_folder:
            yield tree, os.path.join(git_folder, "logs", "HEAD")


def _length(log: str) -> int:
    try:
        return os.stat(log).st_size
    except OSError:
        return 0


def _commit(tree: str, log: str) -> str:
    """The commit that HEAD is at; `-` if there is none. Git is asked only if it has commits and keeps no log."""
    lines = _lines_after(log, max(0, _length(log) - 8192))
    if lines:
        return _new_commit(lines[-1]) or "-"
    if _is_new(os.path.dirname(os.path.dirname(log))):
        return "-"
    return repository.git(tree, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").strip() or "-"


def _is_new(git_folder: str) -> bool:
    """Whether it is a repository in which nothing was committed yet."""
    has_more = any(os.path.exists(os.path.join(git_folder, name)) for name in ("packed-refs", "reftable", "commondir"))
    return not has_more and not listing(os.path.join(git_folder, "refs", "heads"))


def _lines_after(log: str, offset: int) -> list[str]:
    try:
        with open(log, "rb") as file:
            file.seek(offset)
            return file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _new_commit(line: str) -> str:
    """The commit that HEAD was moved to, according to this line of the log."""
    words = line.split(" ", 2)
    return words[1] if len(words) > 1 and repository.is_hash(words[1]) else ""


def _blobs(root: str, tree: str, log: str, *, before: Collection[str]) -> Iterator[str]:
    """The content, by its hash, that the commits since then gave to files that only this home may write."""
    way = os.path.relpath(tree, root)
    seen = next((each.split(" ") for each in before if each.startswith(f"{way} ")), [way, "0", "-"])
    length, commit = int(seen[1]), seen[2]
    is_longer = _length(log) >= length
    moves = [_new_commit(line) for line in _lines_after(log, length if is_longer else 0)]
    commits = [*dict.fromkeys(each for each in (*moves, _commit(tree, log)) if repository.is_hash(each))]
    if not commits or commits == [commit]:
        return
    known = [f"^{commit}"] if repository.is_hash(commit) else []
    folder = os.path.relpath(os.path.realpath(folder_of(root)), tree)
    flags = ("--ignore-missing", "--full-history", "-m", "--no-renames", "--raw", "--no-abbrev", "-z", "--format=")
    said = repository.git(tree, "log", *flags, *commits[-_MOST_COMMITS:], *known, "--", f":(icase,literal){folder}")
    words = said.replace("\n", "").split("\0")
    for change, name in pairwise(words):
        if change.startswith(":") and git_index.is_replaceable(name):
            yield change.split(" ")[3]
