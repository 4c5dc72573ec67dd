"""Who else may write the files that Perdure relies on, or read its keys and the record? Session start, `status`,
`doctor`, `audit verify`, `init` and `heal` check that; the gate has no time for it. Git gives every file that it puts
back the usual mode: after `git stash -a` and `git stash pop` others may read the ledger.

An open file is reported, not refused: a file system without rights (a Windows disk under WSL, some mounts) shows every
file as open, and that cannot be changed.

    exposed("/home/ana/.perdure", None) == [Exposed("/home/ana/.perdure/keys/signing.key", 0o666, 0o600)]
"""

from __future__ import annotations

import os
from stat import S_IMODE, S_ISDIR

from perdure.files import listing
from perdure.model.value import value
from perdure.place.git_ignore import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OTHERS_WRITE, _OTHERS = 0o022, 0o077
_OURS, _OURS_FOLDER = 0o600, 0o700
"""What we need ourselves: closing a file that only reads for others must not leave one that we cannot write."""
_IN_HOME = ("", "keys", "bindings", "projects", "settings", "heads", "backups", "serve", "config.toml", "keys/signers")
_SECRET_IN_HOME = ("keys/signing.key", "keys/view.key", "serve/token")
_SECRET_IN_PROJECT = (*PRIVATE, "view.key", "held/")
"""The beginnings of the names of what only we may read in a project's folder."""


@value
class Exposed:
    path: str
    mode: int
    wanted: int

    @property
    def fix(self) -> str:
        return f"chmod {self.wanted:o} {_quoted(self.path)}"

    def __str__(self) -> str:
        what = "written" if self.mode & _OTHERS_WRITE else "read"
        return f"{self.path} can be {what} by other users (mode {self.mode:04o})"


def make_private(folder: str) -> None:
    """For a folder that git made with the usual rights, before the record is begun in it."""
    try:
        os.chmod(folder, 0o700)
    except OSError:
        return  # `status` says so


def exposed(home: str, project_folder: str | None) -> list[Exposed]:
    return [found for path, forbidden in _relied_on(home, project_folder) if (found := _look(path, forbidden))]


def tighten(home: str, project_folder: str | None) -> list[str]:
    """Removes other users' rights if the file system allows it; returns what was open and what still is."""
    return [_was_open(each) if _close(each) else _stays_open(each) for each in exposed(home, project_folder)]


def close(home: str, project_folder: str) -> list[str]:
    """The same for `heal`, which returns only what it has changed."""
    return [_was_open(each) for each in exposed(home, project_folder) if _close(each)]


def _relied_on(home: str, project_folder: str | None) -> Iterator[tuple[str, int]]:
    for name in _IN_HOME:
        yield os.path.join(home, name).rstrip("/"), _OTHERS_WRITE
    for name in _SECRET_IN_HOME:
        yield os.path.join(home, name), _OTHERS
    if not project_folder:
        return
    names = [name for name in listing(project_folder) if f"{name}/".startswith(_SECRET_IN_PROJECT)]
    inside = [os.path.join(project_folder, name) for name in names if not _is_beside_store(name, names)]
    for path in (project_folder, *inside):
        if not os.path.islink(path):  # a repository can bring links, and what they lead to is not ours to change
            yield path, _OTHERS


def _is_beside_store(name: str, names: list[str]) -> bool:
    """Whether a store keeps this file beside itself while it is open. It has the mode of the store, or no content."""
    store, _, what = name.rpartition("-")
    return what.isalpha() and store in names


def _look(path: str, forbidden: int) -> Exposed | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    mode = S_IMODE(found.st_mode)
    if not mode & forbidden or found.st_uid != os.getuid():
        return None
    return Exposed(path, mode, mode & ~forbidden | (_OURS_FOLDER if S_ISDIR(found.st_mode) else _OURS))


def _close(each: Exposed) -> bool:
    try:
        os.chmod(each.path, each.wanted)
        return S_IMODE(os.stat(each.path).st_mode) == each.wanted
    except OSError:
        return False


def _was_open(each: Exposed) -> str:
    advice = (
        " Others may know it: perdure audit key rotate makes a new one." if each.path.endswith("signing.key") else ""
    )
    return f"{each.path} was open to other users (mode {each.mode:04o}); now it is not ({each.wanted:04o}).{advice}"


def _stays_open(each: Exposed) -> str:
    return f"{each}, and its disk does not let that be changed. PERDURE_HOME can name a folder on another disk."


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)
