"""Git, as far as a place needs it: where a work tree ends, and which repository a linked work tree belongs to.

Most answers are read from git's own files, because a hook cannot wait for a process. Only functions that no hook of the
gate calls run git (`first_commit`, `landmarks`, `has_any`, `commits`), with git's variables cleared so that it answers
for this folder.
"""

from __future__ import annotations

import os

from perdure.files import listing
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SAFE = tuple(
    word
    for setting in (
        "log.showSignature=false",
        "core.fsmonitor=false",
        f"core.hooksPath={os.devnull}",
        "core.pager=cat",
        "gpg.program=false",
        "gpg.ssh.program=false",
        "gpg.x509.program=false",
        "core.alternateRefsCommand=false",
    )
    for word in ("-c", setting)
)
"""A repository's settings can name programs. They must not run just because we ask git something."""


PATIENCE = 2.0
"""The most seconds that a session's start waits for the history; then it continues without it."""


_MOST_LANDMARKS = 100
_RENAMED = "\tBranch: renamed refs/heads/"
_LONGEST_LOG = 1 << 18


@value
class Repository:
    """`main` is where `.perdure` belongs: the main work tree, or a bare repository itself."""

    work_tree: str
    common: str
    main: str


def enclosing(folder: str) -> Repository | None:
    for here in upward(folder):
        dot_git = os.path.join(here, ".git")
        if os.path.isdir(dot_git):
            return Repository(here, dot_git, here)
        if os.path.isfile(dot_git):
            return _linked(here, dot_git)
        if _is_bare(here):
            return Repository(here, here, here)
    return None


def _is_bare(folder: str) -> bool:
    is_repository = os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects"))
    return is_repository and os.path.basename(folder) != ".git" and _core(folder, "bare") == "true"


def upward(folder: str) -> list[str]:
    here = os.path.realpath(folder)
    found = [here]
    while os.path.dirname(here) != here:
        here = os.path.dirname(here)
        found.append(here)
    return found


def _linked(work_tree: str, dot_git: str) -> Repository | None:
    """For a `.git` that is a file: a linked work tree, whose git folder names the common one; or a submodule or a
    folder that keeps its repository elsewhere, whose git folder does not."""
    pointed = _one_line(dot_git)
    if pointed is None or not pointed.startswith("gitdir:"):
        return None
    git_folder = os.path.realpath(os.path.join(work_tree, pointed[7:].strip()))
    common = _one_line(os.path.join(git_folder, "commondir"))
    if common is None:
        main = git_folder if _is_bare(git_folder) else work_tree
        return Repository(work_tree, git_folder, main) if os.path.isdir(git_folder) else None
    common = os.path.realpath(os.path.join(git_folder, common))
    return Repository(work_tree, common, _main(common))


def main_named_by(folder: str) -> str | None:
    """The main work tree that the linked work tree around `folder` names in its `.git` file. It need not exist."""
    for here in upward(folder):
        pointed = _one_line(os.path.join(here, ".git")) or ""
        if pointed.startswith("gitdir:"):
            worktrees = os.path.dirname(os.path.realpath(os.path.join(here, pointed[7:].strip())))
            return _main(os.path.dirname(worktrees)) if os.path.basename(worktrees) == "worktrees" else None
    return None


def lists_work_tree(common: str, folder: str) -> bool:
    """Whether `folder` is in a linked work tree that the repository with this git folder lists."""
    worktrees, inside = os.path.join(common, "worktrees"), upward(folder)
    for name in listing(worktrees):
        dot_git = _one_line(os.path.join(worktrees, name, "gitdir"))
        if dot_git and os.path.dirname(os.path.realpath(os.path.join(worktrees, name, dot_git))) in inside:
            return True
    return False


def _main(common: str) -> str:
    """The main work tree. A submodule's git folder is inside that of its superproject, and says where its work tree
    is."""
    if os.path.basename(common) == ".git":
        return os.path.dirname(common)
    return os.path.realpath(os.path.join(common, _core(common, "worktree") or ""))


def _core(git_folder: str, key: str) -> str | None:
    """One setting of `[core]`, in the form in which git writes it."""
    for name in ("config.worktree", "config"):
        section = ""
        for line in _lines(os.path.join(git_folder, name)):
            if line.startswith("["):
                section = line.lower()
            elif section == "[core]" and line.partition("=")[0].strip().lower() == key:
                return line.partition("=")[2].strip().strip('"')
    return None


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return [line.strip() for line in file.read(1 << 16).splitlines()]
    except OSError:
        return []


def _one_line(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(4096).rstrip("\n")
    except OSError:
        return None


def git_folder_of(work_tree: str) -> str | None:
    """Where git keeps the index and HEAD of this work tree; None if it is not one."""
    dot_git = os.path.join(work_tree, ".git")
    if os.path.isfile(dot_git):
        pointed = _one_line(dot_git) or ""
        return os.path.join(work_tree, pointed[7:].strip()) if pointed.startswith("gitdir:") else None
    return dot_git if os.path.isdir(dot_git) else None


def branch(common: str, work_tree: str) -> str | None:
    """The branch that is checked out or being rebased, or else the first digits of the commit."""
    git_folder = git_folder_of(work_tree) or common
    head = _one_line(os.path.join(git_folder, "HEAD")) or _one_line(os.path.join(common, "HEAD"))
    if head is None:
        return None
    return _branch_named(head) or _rebased(git_folder) or head[:8]


def _branch_named(line: str) -> str | None:
    return line.removeprefix("ref:").strip().removeprefix("refs/heads/") if line.startswith("ref:") else None


def _rebased(git_folder: str) -> str | None:
    """While git rebases a branch, HEAD is detached, and these files have the name."""
    for kind in ("rebase-merge", "rebase-apply"):
        name = _one_line(os.path.join(git_folder, kind, "head-name")) or ""
        if name.startswith("refs/heads/"):
            return name.removeprefix("refs/heads/")
    return None


def is_after(folder: str, earlier: str, now: str) -> bool:
    """Whether both are what `branch` says of a detached HEAD, and the commit comes from the earlier one."""
    are_commits = all(len(each) == 8 and set(each) <= set("0123456789abcdef") for each in (earlier, now))
    return are_commits and answer(folder, "merge-base", "--is-ancestor", earlier, now, seconds=PATIENCE) is not None


def was_renamed(found: Repository, before: str, now: str) -> bool:
    """Whether the branch had the other name before, as far as git's own log of it says. If there is a branch of that
    name again, it is another one."""
    if may_have_reference(found.work_tree, f"refs/heads/{before}"):
        return False
    names = {now}
    for line in reversed(_last_lines(os.path.join(found.common, "logs", "refs", "heads", now))):
        old, _, new = line.partition(_RENAMED)[2].partition(" to refs/heads/")
        if new in names:
            names.add(old)
    return before in names


def _last_lines(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LONGEST_LOG))
            return file.read(_LONGEST_LOG).decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []


def first_commit(folder: str) -> str | None:
    """The root commit that all clones share; the smallest if there are several; None in an empty or shallow
    repository."""
    here = enclosing(folder)
    if here is None or os.path.exists(_shallow(here)):
        return None
    return min(git(folder, "rev-list", "--max-parents=0", "HEAD").split(), default=None)


def root_commits(folder: str) -> tuple[str, ...]:
    """The root commits of every branch and tag. In a shallow clone, the commits where history was cut off are not
    roots."""
    found = git(folder, "rev-list", "--max-parents=0", "--branches", "--remotes", "--tags").split()
    here = enclosing(folder)
    cut = _lines(_shallow(here)) if found and here else []
    return tuple(sorted(set(found) - set(cut)))


def _shallow(found: Repository) -> str:
    """The file in which git lists where the history of a shallow clone was cut off. Only such a clone has it."""
    return os.path.join(found.common, "shallow")


def landmarks(folder: str) -> tuple[str, ...]:
    """Commits by which the repository can be recognised: its roots, and the one that is checked out."""
    roots = root_commits(folder)[:_MOST_LANDMARKS]
    latest = git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").split()
    return tuple(dict.fromkeys((*roots, *latest)))


def has_any(folder: str, commits: Iterable[str]) -> bool:
    """Whether the repository has one of these commits."""
    named = [each for each in dict.fromkeys(commits) if is_hash(each)]
    return bool(named and git(folder, "rev-list", "--no-walk", "--ignore-missing", *named[: 2 * _MOST_LANDMARKS]))


def may_have_reference(folder: str, name: str) -> bool:
    """False only if git's own files show that there is no such reference. Then git need not be asked."""
    here = enclosing(folder)
    if here is None or os.path.exists(os.path.join(here.common, "reftable")):
        return True
    try:
        with open(os.path.join(here.common, "packed-refs"), "rb") as file:
            packed = file.read()
    except FileNotFoundError:
        packed = b""
    except OSError:
        return True
    return name.encode() in packed or os.path.lexists(os.path.join(here.common, name))


def is_hash(text: str) -> bool:
    return len(text) >= 40 and set(text) <= set("0123456789abcdef")


def commits(folder: str, limit: int) -> list[frozenset[str]]:
    """The paths that each of the latest commits changed, relative to the repository's root."""
    flags = ("--name-only", "--no-renames", "--no-ext-diff", "-z", "--format=%x01")
    said = git(folder, "log", f"-{limit}", *flags, seconds=PATIENCE)
    return [frozenset(path.strip("\n") for path in one.split("\0") if path.strip("\n")) for one in said.split("\1")[1:]]


def git(folder: str, *arguments: str, seconds: float = 60) -> str:
    """What git prints, or nothing if it fails."""
    return answer(folder, *arguments, seconds=seconds) or ""


class GitFailures:
    """How often in this process git could not be started, took too long or was killed: then "no answer" is not a
    "no"."""

    count = 0


def answer(folder: str, *arguments: str, seconds: float = 60, given: str = "") -> str | None:
    """What git prints; None if it fails. It runs no program that the repository's settings name. `given` is what it
    reads from its standard input."""
    said = answer_in_bytes(folder, *arguments, seconds=seconds, given=given)
    return None if said is None else said.decode("utf-8", "surrogateescape")


def answer_in_bytes(folder: str, *arguments: str, seconds: float = 60, given: str = "") -> bytes | None:
    import subprocess

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *SAFE, "-C", folder, *arguments],
            capture_output=True,
            env=environment,
            input=given.encode("utf-8", "surrogateescape"),
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        GitFailures.count += 1
        return None
    GitFailures.count += done.returncode < 0
    return done.stdout if done.returncode == 0 else None
