"""The file of a SQLite ledger: how it is made and opened, and what the driver's errors become (SPEC 2.3).

A file that SQLite would wait for or misread is refused before it is opened: a pipe, a link, the log of another
database, tables that Perdure did not make.

    db, file_id = connect(path, writable=True, unchecked=False)
"""

from __future__ import annotations

import errno
import os
import sys
from stat import S_ISREG

from perdure.errors import Damaged, PerdureError, Trouble
from perdure.files import way_in
from perdure.ledger import schema
from perdure.ledger.filesystem import is_network
from perdure.ledger.header import has_no_room, is_read_only
from perdure.ledger.schema import STORE_VERSION
from perdure.ledger.sqlite_module import sqlite3
from perdure.ledger.stray_logs import strays_beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.ledger.port import Origin
    from perdure.model.ids import LedgerId

BUSY_SECONDS = 10.0
"""How long a writer waits for the lock."""
LOGS: tuple[str, ...] = ("-wal", "-shm", "-journal")
WITH_EVENTS: tuple[str, ...] = ("-wal",)
BESIDE: tuple[str, ...] = (*LOGS, "-queue")
"""Files that stand beside the store, named as it is with one of these after it (`port.Store`)."""
_PLAIN = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 1"


def create_file(path: str, origin: Origin, *, chain: int, ledger_id: LedgerId) -> None:
    """A new store with one empty chain. It appears whole or not at all; if somebody else was first, theirs stays."""
    folder = os.path.dirname(path)
    half_made = os.path.join(folder, f".ledger-{os.getpid()}-{ledger_id[:8]}.db")
    try:
        os.close(os.open(half_made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(half_made, isolation_level=None)
        connection.executescript(schema.SCRIPT)
        connection.execute("INSERT INTO chains VALUES (?, ?)", (chain, ledger_id))
        connection.execute("INSERT INTO origin VALUES (?, ?)", (origin.root, origin.machine))
        if not is_network(folder):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        os.link(half_made, path)  # fails if somebody else was first; their store is then the one
    except FileExistsError:
        pass
    except (OSError, sqlite3.Error) as error:
        raise translated(error, path) from error
    finally:
        for leftover in (half_made, *(half_made + suffix for suffix in BESIDE)):
            if os.path.exists(leftover):
                os.unlink(leftover)


def connect(path: str, writable: bool, unchecked: bool) -> tuple[sqlite3.Connection, tuple[int, int]]:
    """A connection, and which file it is to."""
    if os.path.lexists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise Damaged("ledger_damaged", f"{path} is not a file.", hint="perdure heal")
    _refuse_odd_beside(path)
    before = os.stat(path)
    if writable:
        _open_logs_again(path, before)
        db = opened(path, "rw")
    else:
        db = _connect_reader(path)
    try:
        if unchecked:
            _prepare_for_examining(db, path)
        else:
            _prepare(db, path, writable)
        if not os.path.samestat(before, os.stat(path)):
            raise file_replaced(path)
    except BaseException:
        db.close()
        raise
    return db, (before.st_dev, before.st_ino)


def _open_logs_again(path: str, store: os.stat_result) -> None:
    """SQLite gives the files beside a store the mode that the store has at that moment. If it could only be read then,
    they would keep everybody from writing for good, though the store itself can be written again."""
    for suffix in LOGS:
        try:
            found = os.lstat(path + suffix)
            if S_ISREG(found.st_mode) and store.st_mode & ~found.st_mode & 0o600 and found.st_uid == os.geteuid():
                os.chmod(path + suffix, store.st_mode & 0o777)
        except OSError:
            continue  # nothing there, or the disk is read-only: the next statement says so


def _refuse_odd_beside(path: str) -> None:
    """SQLite would wait for a pipe for ever, and of a folder or a link it says things that mislead."""
    for suffix in BESIDE:
        try:
            is_file = S_ISREG(os.lstat(path + suffix).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not is_file and suffix != "-queue":  # without its queue a store is still sound
            raise Damaged("ledger_damaged", f"{path}{suffix} is not a file.", hint="perdure heal sets it aside.")
    for stray in strays_beside(path, opened):
        message = f"{stray} is a log that this ledger did not write. SQLite would copy it into the ledger."
        raise Damaged("ledger_damaged", message, hint="perdure heal sets it aside.")


def _prepare(db: sqlite3.Connection, path: str, writable: bool) -> None:
    _refuse_newer_store(db, path)
    refuse_foreign_schema(db, path)
    if not writable:
        return
    if is_network(os.path.dirname(path)):
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA synchronous = EXTRA")
    else:
        db.execute("PRAGMA synchronous = FULL")
    if sys.platform == "darwin":  # there, fsync alone does not reach the disk
        db.execute("PRAGMA fullfsync = ON")
        db.execute("PRAGMA checkpoint_fullfsync = ON")


def _refuse_newer_store(db: sqlite3.Connection, path: str) -> None:
    if not schema.is_newer(db):
        return
    raise Trouble(
        "newer_store",
        f"{path} says that a newer Perdure wrote it (store version {schema.version_of(db)}, this one reads "
        f"{STORE_VERSION}), and its tables are not those of this one.",
        hint="Upgrade Perdure. If no newer one was ever used here, the file was altered: a person renames it to "
        f"{os.path.basename(path)}.newer, and perdure heal then restores the ledger from its backup.",
    )


def refuse_foreign_schema(db: sqlite3.Connection, path: str) -> None:
    wrong = schema.differences(db)
    if wrong:
        message = f"The schema of {path} is not the one that Perdure made: {'; '.join(wrong[:3])}."
        raise Damaged("ledger_damaged", message, hint="perdure heal makes it again from the events.")


def _prepare_for_examining(db: sqlite3.Connection, path: str) -> None:
    """What of the schema can be read is used, whatever the rest says. Only where the events themselves are not plain
    table, nothing is: a view could answer with anything, or never."""
    _pass_over_malformed(db)
    _refuse_newer_store(db, path)
    plain = {name for (name,) in db.execute(_PLAIN)}
    if not plain >= {"chains", "events", "origin"}:
        raise Damaged("ledger_damaged", f"{path} has no table of events.", hint="perdure heal")


def opened(path: str, mode: str, *, tolerant: bool = False) -> sqlite3.Connection:
    """`mode` is SQLite's: ro or rw. A tolerant connection goes on after rows of the schema that cannot be read."""
    uri = f"file:{_quoted(path)}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    if tolerant:
        _pass_over_malformed(db)
    return db


def _pass_over_malformed(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA writable_schema = ON")  # of this connection alone: a malformed row is then no reason to stop
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        return  # the next statement finds what could be read


def schema_version(db: sqlite3.Connection) -> int:
    """SQLite's number for the schema. It grows with every change, so that others with the file open notice."""
    found: int = db.execute("PRAGMA schema_version").fetchone()[0]
    return found


def _connect_reader(path: str) -> sqlite3.Connection:
    """On a read-only or full disk SQLite cannot make the files a WAL reader needs; a store at rest can be read
    without them while nobody can write."""
    db = opened(path, "ro")
    try:
        db.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        db.close()
        at_rest = not os.path.exists(path + "-wal") or os.path.getsize(path + "-wal") == 0
        nobody_can_write = not os.access(os.path.dirname(path), os.W_OK) or has_no_room(os.path.dirname(path))
        if not nobody_can_write or not at_rest:
            raise
        db = opened(path, "ro&immutable=1")
    return db


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def translated(error: BaseException, path: str) -> PerdureError:
    """The one place where the driver's and the system's words become ours."""
    if isinstance(error, OSError):
        return _TROUBLES.get(error.errno or 0, _unknown)(path, str(error))
    code = getattr(error, "sqlite_errorcode", 0)
    if isinstance(error, UnicodeError):  # SQLite quotes the damaged bytes in its message
        return _damaged(path, "it holds bytes that are not text")
    if code == sqlite3.SQLITE_READONLY_ROLLBACK and os.access(os.path.dirname(path), os.W_OK):
        return _broken_off(path)
    if _tells_of_damage(error, code & 0xFF):
        return _damaged(path, str(error))
    return _trouble_with_disk(error, code & 0xFF, path)


def _tells_of_damage(error: BaseException, code: int) -> bool:
    if code in _SIGNS_OF_DAMAGE or isinstance(error, sqlite3.InterfaceError):
        return True
    is_foreign = code == sqlite3.SQLITE_ERROR and "no such module" not in str(error)  # our own statements are right
    return is_foreign or "decode to UTF-8" in str(error)


def _trouble_with_disk(error: BaseException, code: int, path: str) -> Trouble:
    folder = os.path.dirname(path)
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):  # a file beside the ledger could not be made or grown
        if has_no_room(folder):
            return _full(path, str(error))
        if is_read_only(folder):
            return read_only(path, str(error))
    return _SQLITE_TROUBLES.get(code, _unknown)(path, str(error))


def _damaged(path: str, why: str) -> Damaged:
    hint = "perdure heal sets it aside and recovers what verifies, from it and from its backup."
    return Damaged("ledger_damaged", f"The ledger {path} is damaged: {why}.", hint=hint)


def _broken_off(path: str) -> Damaged:
    """Only where the store keeps a rollback journal, and only for those who read: a writer undoes the change first."""
    message = f"A process died while it wrote to {path}, and its change is not undone yet."
    return Damaged("ledger_damaged", message, hint="perdure heal undoes it.")


def _full(path: str, _why: str) -> Trouble:
    return Trouble("disk_full", f"The disk of {path} is full. Nothing was written.", hint="Free some space.")


def read_only(path: str, _why: str) -> Trouble:
    if is_read_only(os.path.dirname(path)):
        message = f"{path} is on a read-only disk. Nothing was written."
        return Trouble("read_only", message, hint="Mount it writable, then try again.")
    message = f"This user may not write {path}. Nothing was written."
    return Trouble("read_only", message, hint=way_in(path))


def _busy(path: str, _why: str) -> Trouble:
    message = f"{path} was locked by other writers for {BUSY_SECONDS:.0f} s. Nothing was written."
    return Trouble("ledger_busy", message, hint="Try again; if it happens again, look for a stopped perdure process.")


def _unopenable(path: str, _why: str) -> Trouble:
    if not os.path.exists(path):
        return Trouble("no_ledger", f"There is no ledger at {path}.", hint="perdure heal restores it from its backup.")
    return Trouble("not_permitted", f"{path} cannot be opened by this user.", hint=way_in(path))


def file_replaced(path: str) -> Trouble:
    message = f"{path} was replaced by another file while it was in use. Nothing was written."
    return Trouble("ledger_replaced", message, hint="Try again: the ledger that stands there now is then used.")


def _unknown(path: str, why: str) -> Trouble:
    return Trouble("disk_failed", f"{path}: {why}.", hint="Check the disk; perdure heal --check looks at the ledger.")


_SIGNS_OF_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT)
"""What we write breaks no constraint of ours."""
_SQLITE_TROUBLES = {
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_READONLY: read_only,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_CANTOPEN: _unopenable,
    sqlite3.SQLITE_PERM: _unopenable,
}
_TROUBLES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), _full),
    errno.EROFS: read_only,
    **dict.fromkeys((errno.EPERM, errno.EACCES, errno.ENOENT, errno.ENOTDIR), _unopenable),
}
