"""The seal of a chain's backup, `<ledger_id>.seal` beside it: proves that this home backed up this event (SPEC 16.3).

It is a keyed digest over the position and hash of the last event that was backed up. That hash covers every event
before it, so one seal is enough for the chain up to there. `heal` and `audit verify` trust it like a signed head.
Nobody else can write a valid one, because they do not have the key.
"""

from __future__ import annotations

import os

from perdure.files import read_json, write_whole
from perdure.model.digest import blake2b, sha256
from perdure.model.ids import is_hash
from perdure.model.json import compact
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.event import Head
    from perdure.model.ids import LedgerId


@value
class Seal:
    seq: int
    hash: str


def write(folder: str, head: Head, key: bytes) -> None:
    """A seal over more events than there are now stays: it proves that events are missing, and which ones."""
    before = read(folder, head.ledger_id, key)
    if before and (before.seq > head.seq or before == Seal(head.seq, head.hash)):
        return
    fields = {"seq": head.seq, "hash": str(head.hash), "digest": _digest(head.ledger_id, head.seq, head.hash, key=key)}
    write_whole(_path(folder, head.ledger_id), compact(fields) + "\n")


def read(folder: str, ledger_id: LedgerId, key: bytes | None) -> Seal | None:
    """None if there is no seal, or if this home did not write it."""
    fields = read_json(_path(folder, ledger_id))
    if fields is None or key is None:
        return None
    seq, hash_ = fields.get("seq"), fields.get("hash")
    if type(seq) is not int or not isinstance(hash_, str) or not is_hash(hash_):
        return None
    return Seal(seq, hash_) if fields.get("digest") == _digest(ledger_id, seq, hash_, key=key) else None


def digest_of(ledger_id: LedgerId, seal: Seal) -> str:
    """The name under which a person acknowledges that what this seal names is lost."""
    return sha256(f"seal {ledger_id} {seal.seq} {seal.hash}".encode()).hexdigest()


def _path(folder: str, ledger_id: LedgerId) -> str:
    return os.path.join(folder, f"{ledger_id}.seal")


def _digest(ledger_id: LedgerId, seq: int, hash_: str, *, key: bytes) -> str:
    return blake2b(f"backup {ledger_id} {seq} {hash_}".encode(), key=key, digest_size=32).hexdigest()
