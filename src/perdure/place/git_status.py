"""What git says of a work tree: branch, last commit and whether it was pushed, what is not committed."""

from __future__ import annotations

from perdure.model.value import value
from perdure.place.repository import PATIENCE, answer


@value
class GitStatus:
    branch: str | None
    """None if no branch is checked out."""
    hash: str
    subject: str
    pushed: bool | None
    """None if the branch follows none elsewhere."""
    uncommitted: tuple[str, ...]
    """Paths from the repository's root."""


def status(folder: str) -> GitStatus | None:
    """None if there is no commit, or git does not answer in time. It takes no lock and writes nothing."""
    flags = ("--porcelain=v2", "--branch", "-z", "--no-renames")
    said = answer(folder, "--no-optional-locks", "status", *flags, seconds=PATIENCE)
    last = answer(folder, "log", "-1", "--format=%h%x00%s", seconds=PATIENCE) if said else None
    if not said or not last:
        return None
    lines = said.split("\0")
    told = {name: rest for line in lines if line[:2] == "# " for name, _, rest in (line[2:].partition(" "),)}
    hash, _, subject = last.rstrip("\n").partition("\0")
    branch, ahead = told.get("branch.head"), told.get("branch.ab")
    return GitStatus(
        branch=branch if branch != "(detached)" else None,
        hash=hash,
        subject=subject,
        pushed=ahead.startswith("+0 ") if ahead else None,
        uncommitted=tuple(path for line in lines if (path := _path(line))),
    )


def _path(line: str) -> str:
    """The path of a changed, unmerged or untracked file: the fields before it have no spaces."""
    fields = {"1": 8, "u": 10, "?": 1}.get(line[:1], 0)
    return line.split(" ", fields)[fields] if fields and line.count(" ") >= fields else ""
