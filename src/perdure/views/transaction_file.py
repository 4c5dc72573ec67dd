"""`.perdure/active_transaction_<suffix>.json`: tells the gate about a transaction without the ledger (SPEC 4.1).

Opening a transaction writes the file last, closing writes it first: a crash in between leaves a file that denies. The
text depends only on the transaction, so the same state gives the same bytes.
"""

from __future__ import annotations

import os

from perdure.files import ReservedSpace, listing, read_json, read_text, remove, trouble, unfinished, write_whole
from perdure.model.digest import blake2b
from perdure.model.json import compact, compact_bytes
from perdure.model.moment import epoch_seconds
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.model.state import Transaction

PREFIX = "active_transaction"
RESERVED_BYTES = 8192
START = 75
"""The confidence of a file from before it was kept there (`model/confidence.py`, which the gate need not load)."""
KEPT_CLOSED = 20
"""How many files of closed transactions are kept, newest first. Nobody reads older ones."""


def name_for(suffix: str) -> str:
    return f"{PREFIX}_{suffix}.json" if suffix else f"{PREFIX}.json"


def path_for(project_folder: str, suffix: str) -> str:
    return os.path.join(project_folder, name_for(suffix))


def render(transaction: Transaction, key: bytes) -> str:
    fields: dict[str, Json] = {
        "transaction_id": transaction.id,
        "project_path": transaction.project_path,
        "instance_id": transaction.instance_id,
        "session_id": transaction.sessions[-1],
        "preflight_session_id": transaction.preflight_session_id,
        "preflight_timestamp": epoch_seconds(transaction.opened_at),
        "status": transaction.status,
        "sessions": list(transaction.sessions),
        "updated_at": epoch_seconds(transaction.updated_at),
        "postflight_timestamp": None if transaction.closed_at is None else epoch_seconds(transaction.closed_at),
        "postflight_session_id": transaction.postflight_session_id,
        "preflight_vectors": dict(transaction.preflight_vectors),
        "gate": {
            "passes": transaction.passes,
            "decision": transaction.decision,
            "checked": transaction.checked,
            "overridden": transaction.overridden,
            "vectors": dict(transaction.vectors),
            "correction": dict(transaction.correction),
            "confidence": transaction.confidence,
            "freshly_checked": transaction.is_freshly_checked,
        },
        "seq": transaction.seq,
    }
    fields["digest"] = digest(fields, key)
    return compact(fields) + "\n"


def digest(fields: dict[str, Json], key: bytes) -> str:
    """A keyed digest over all other fields of the file."""
    covered = {name: content for name, content in fields.items() if name != "digest"}
    return blake2b(compact_bytes(covered), key=key, digest_size=32).hexdigest()


def write(project_folder: str, transaction: Transaction, key: bytes) -> None:
    """What closing writes must survive a power cut, because the ledger may say closed already."""
    path = _clear_path(project_folder, transaction.suffix)
    write_whole(path, render(transaction, key), durable=transaction.status == "closed")


def reserve(project_folder: str) -> ReservedSpace:
    """Reserves disk space before the ledger is written, so that the transaction's file surely fits."""
    return ReservedSpace(project_folder, RESERVED_BYTES)


def write_into(reserved: ReservedSpace, project_folder: str, transaction: Transaction, *, key: bytes) -> None:
    reserved.write_to(_clear_path(project_folder, transaction.suffix), render(transaction, key))


def is_current(project_folder: str, transaction: Transaction, key: bytes) -> bool:
    return read_text(path_for(project_folder, transaction.suffix)) == render(transaction, key)


@value
class TransactionFile:
    """What a transaction's file tells the gate."""

    transaction_id: str
    instance_id: str
    project_path: str
    is_open: bool
    passes: bool
    proceeds: bool
    """The latest CHECK of this transaction said proceed, or a person overrode it."""
    opened_at: float
    confidence: int
    freshly_checked: bool
    """A CHECK said proceed, and confidence has not fallen since."""


def read(project_folder: str, suffix: str, key: bytes | None) -> TransactionFile | None:
    """The content of the file, if we wrote it and nobody changed it; otherwise None."""
    fields = read_json(path_for(project_folder, suffix))
    if fields is None or key is None or fields.get("digest") != digest(fields, key):
        return None
    gate, opened_at = fields.get("gate"), fields.get("preflight_timestamp")
    if not isinstance(gate, dict) or not isinstance(opened_at, int | float):
        return None
    confidence = gate.get("confidence")
    return TransactionFile(
        transaction_id=str(fields.get("transaction_id")),
        instance_id=str(fields.get("instance_id")),
        project_path=str(fields.get("project_path")),
        is_open=fields.get("status") == "open",
        passes=gate.get("passes") is True,
        proceeds=(gate.get("checked") is True and gate.get("decision") == "proceed") or gate.get("overridden") is True,
        opened_at=float(opened_at),
        confidence=confidence if isinstance(confidence, int) else START,
        freshly_checked=gate.get("freshly_checked") is True,
    )


def has_open(project_folder: str, instance_id: str, key: bytes | None) -> bool:
    """Whether a file that we wrote says that this instance has an open transaction."""
    found = (read(project_folder, suffix, key) for suffix in suffixes_on_disk(project_folder))
    return any(shown is not None and shown.is_open and shown.instance_id == instance_id for shown in found)


def take_away(project_folder: str, suffix: str) -> None:
    remove(_clear_path(project_folder, suffix))


def _clear_path(project_folder: str, suffix: str) -> str:
    """Renames a folder that stands where the file belongs: it is not ours and may hold somebody's files. Returns the
    file's path."""
    path = path_for(project_folder, suffix)
    if os.path.isdir(path) and not os.path.islink(path):
        aside = os.path.join(project_folder, f"set-aside-{name_for(suffix)}")
        try:
            os.rename(path, unfinished(aside).removesuffix(".tmp"))
        except OSError as error:
            raise trouble(error, path) from error
    return path


def suffixes_on_disk(project_folder: str) -> list[str]:
    names = [name for name in listing(project_folder) if name.startswith(PREFIX) and name.endswith(".json")]
    return [name.removeprefix(PREFIX).removesuffix(".json").removeprefix("_") for name in names]
