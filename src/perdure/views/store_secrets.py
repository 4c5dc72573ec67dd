"""Which file is the ledger of a project (SPEC 3.5, docs/adr/0038).

A ledger has a random secret in its file, and nowhere else. `~/.perdure/stores/<folder>` has the digest of the secret of
the file that this home wrote in that folder. So a file that git, an archive or somebody else put there is told from our
own, although it has the same chain, the same folder and the same machine in it: an export says all of those.

    folder's name         one line
    digest                of the secret; none while the file is in doubt, two while a new file takes the old one's place
    retired digest        of a secret that it had before
    tracked digest        what git tracked when the file was last proved
    git position          where HEAD was at the last look, a line for each repository around the folder

A mark in the project says the same, for a shell that cannot see the home, and for a home that was put back from an
older copy. Its key is derived from facts that no repository can know.
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import FolderLock, make_folder, read_text, write_whole
from perdure.model.digest import blake2b, sha256
from perdure.model.value import replace, value
from perdure.views.key import can_be_written, derived_key
from perdure.views.own_ledgers import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "stores"
MARK = "own_ledger_file"
_RETIRED = "retired "
_TRACKED = "tracked "
_GIT = "git "


@value
class KnownStore:
    """What the home knows of the file in one folder."""

    digests: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    tracked: str = ""
    looked: tuple[str, ...] = ()
    """As `place/git_moves.py` says it. Empty if nobody has looked yet."""

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.retired, *self.digests)


def new_secret() -> str:
    return os.urandom(32).hex()


def digest(text: str) -> str:
    return sha256(f"perdure store {text}".encode("utf-8", "surrogateescape")).hexdigest()


def known(home: str, project_folder: str) -> KnownStore | None:
    """None if no secret is entered for this folder: nobody wrote there, or the entry was lost."""
    return _read(_path(home, project_folder))


def is_own(home: str, project_folder: str, secret: str) -> bool | None:
    """Whether the file with this secret is the one that this home wrote in this folder; None if nothing says so."""
    entered = known(home, project_folder)
    if entered is None:
        return None if can_be_written(home) else is_marked(project_folder, secret)
    if digest(secret) in entered.digests:
        return True
    is_later = bool(entered.digests) and digest(secret) not in entered.retired  # than what an older home knows
    return is_later and is_marked(project_folder, secret) is True


def is_marked(project_folder: str, secret: str) -> bool | None:
    """Whether the mark in this folder names the file with this secret; None if there is no mark."""
    marked = (read_text(os.path.join(project_folder, MARK)) or "").strip()
    return marked == _mark(project_folder, digest(secret)) if marked else None


def expect(home: str, project_folder: str, secret: str) -> None:
    """From now on a file with this secret is the ledger there too."""
    own = digest(secret)
    if own not in (known(home, project_folder) or KnownStore()).digests:
        _write_mark(project_folder, own)
        _change(
            home, project_folder, lambda before: replace(before, digests=tuple(dict.fromkeys([*before.digests, own])))
        )


def mark_again(project_folder: str, secret: str) -> None:
    """Writes the mark of a file that is proved, if the mark was lost: it counts where the home loses its entry."""
    if not is_marked(project_folder, secret):
        _write_mark(project_folder, digest(secret))


def settle(home: str, project_folder: str, secret: str, *, tracked: str, looked: tuple[str, ...]) -> None:
    """From now on only the file with this secret is the ledger there, whatever git tracks at present and wherever its
    HEAD has been."""
    own = digest(secret)

    def settled(before: KnownStore) -> KnownStore:
        retired = tuple(each for each in before.every if each != own)
        return KnownStore(digests=(own,), retired=retired, tracked=digest(tracked) if tracked else "", looked=looked)

    _change(home, project_folder, settled)
    mark_again(project_folder, secret)


def doubt(home: str, project_folder: str) -> None:
    """From now on no file is believed to be the ledger there, until `perdure heal` has proved one."""
    _change(home, project_folder, lambda before: KnownStore(retired=before.every, looked=before.looked))


def note_look(home: str, project_folder: str, looked: tuple[str, ...]) -> None:
    """Up to here git had nothing that was not compared."""
    before = known(home, project_folder)
    if before is not None and before.looked != looked:
        _change(home, project_folder, lambda now: replace(now, looked=looked))


def _change(home: str, project_folder: str, change: Callable[[KnownStore], KnownStore]) -> None:
    """Under a lock: of two that begin a ledger at once, neither may drop what the other entered."""
    folder = os.path.join(home, FOLDER)
    try:
        make_folder(folder)
        with FolderLock(folder):
            before = known(home, project_folder)
            wanted = change(before or KnownStore())
            if wanted != before:
                _write(home, project_folder, wanted)
    except Trouble:
        return  # the home cannot be written: what it knew before still counts


def _path(home: str, project_folder: str) -> str:
    return os.path.join(home, FOLDER, sha256(name_of(project_folder).encode("utf-8", "surrogateescape")).hexdigest())


def _read(path: str) -> KnownStore | None:
    try:
        text = read_text(path)
    except Trouble:
        return None
    if not text:
        return None
    lines = text.splitlines()[1:]
    tracked = [line.removeprefix(_TRACKED) for line in lines if line.startswith(_TRACKED)]
    return KnownStore(
        digests=tuple(line for line in lines if " " not in line),
        retired=tuple(line.removeprefix(_RETIRED) for line in lines if line.startswith(_RETIRED)),
        tracked=tracked[0] if tracked else "",
        looked=tuple(line.removeprefix(_GIT) for line in lines if line.startswith(_GIT)),
    )


def _write(home: str, project_folder: str, store: KnownStore) -> None:
    tracked = [_TRACKED + store.tracked] if store.tracked else []
    lines = [name_of(project_folder), *store.digests, *(_RETIRED + each for each in store.retired), *tracked]
    lines += [_GIT + each for each in store.looked]
    write_whole(_path(home, project_folder), "".join(f"{line}\n" for line in lines))


def _write_mark(project_folder: str, own: str) -> None:
    try:
        write_whole(os.path.join(project_folder, MARK), _mark(project_folder, own) + "\n")
    except Trouble:
        return  # what the home knows is enough


def _mark(project_folder: str, own: str) -> str:
    return blake2b(f"ledger file {own}".encode(), key=derived_key(project_folder), digest_size=32).hexdigest()
