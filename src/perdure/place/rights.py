"""Who else may write the files that Perdure relies on, or read its keys? Session start, `status`, `doctor` and `init`
check that; the gate has no time for it.

An open file is reported, not refused: a file system without rights (a Windows disk under WSL, some mounts) shows every
file as open, and that cannot be changed.

    exposed("/home/ana/.perdure", None) == [Exposed("/home/ana/.perdure/keys/signing.key", 0o666, 0o600)]
"""

from __future__ import annotations

import os
from stat import S_IMODE

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OTHERS_WRITE, _OTHERS = 0o022, 0o077
_IN_HOME = ("", "keys", "bindings", "projects", "settings", "heads", "backups", "serve", "config.toml", "keys/signers")
_SECRET_IN_HOME = ("keys/signing.key", "keys/view.key", "serve/token")
_IN_PROJECT = ("", "ledger.db", "bindings")
_SECRET_IN_PROJECT = ("view.key",)


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


def exposed(home: str, project_folder: str | None) -> list[Exposed]:
    return [found for path, forbidden in _relied_on(home, project_folder) if (found := _look(path, forbidden))]


def tighten(home: str, project_folder: str | None) -> list[str]:
    """Removes other users' rights if the file system allows it; returns what was open and what still is."""
    return [_tightened(each) for each in exposed(home, project_folder)]


def _relied_on(home: str, project_folder: str | None) -> Iterator[tuple[str, int]]:
    for name in _IN_HOME:
        yield os.path.join(home, name).rstrip("/"), _OTHERS_WRITE
    for name in _SECRET_IN_HOME:
        yield os.path.join(home, name), _OTHERS
    if not project_folder:
        return
    for name in _IN_PROJECT:
        yield os.path.join(project_folder, name).rstrip("/"), _OTHERS_WRITE
    for name in _SECRET_IN_PROJECT:
        yield os.path.join(project_folder, name), _OTHERS


def _look(path: str, forbidden: int) -> Exposed | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    mode = S_IMODE(found.st_mode)
    return Exposed(path, mode, mode & ~forbidden) if mode & forbidden and found.st_uid == os.getuid() else None


def _tightened(each: Exposed) -> str:
    try:
        os.chmod(each.path, each.wanted)
        is_closed = S_IMODE(os.stat(each.path).st_mode) == each.wanted
    except OSError:
        is_closed = False
    if not is_closed:
        return f"{each}, and its disk does not let that be changed. PERDURE_HOME can name a folder on another disk."
    advice = (
        " Others may know it: perdure audit key rotate makes a new one." if each.path.endswith("signing.key") else ""
    )
    return f"{each.path} was open to other users (mode {each.mode:04o}); now it is not ({each.wanted:04o}).{advice}"


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)
