"""A proof as one JSON object that verifies with no ledger and no network (SPEC 14.6; docs/proof-format.md).

Three kinds. `inclusion`: this event stands at this place in the ledger, under a signed head. `session`: this event is
one of the records an audit session was sealed with, and the sealing event is in the ledger. `consistency`: a ledger
of so many events is the beginning of the ledger under a signed head. Checks, by number, at each step below:

    1  the file is RFC 8785 canonical JSON and a newline, byte for byte, with every field of its kind and no other
    2  the event's payload and fields are what its hash covers
    3  the path leads from the leaf, at its index, to the root
    4  the signed head is over that ledger, that many events and that root
    5  the head is signed by the key in the file, and that is one the reader trusts
"""

from __future__ import annotations

from json import loads

from perdure.errors import BadInput, Refused
from perdure.model.event import HASHED
from perdure.model.value import value
from perdure.proof import merkle, signed_note
from perdure.proof.canonical import canonical
from perdure.proof.chain import envelope, payload_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.proof.signed_note import PublicKey, Signed

    Object: TypeAlias = dict[str, Any]

FORMAT = "perdure-proof-1"
LARGEST = 8 << 20
_TREE = ("tree_size", "path", "root")
_HEAD = ("signed_head", "key_id", "key")
_FIELDS = {
    "inclusion": ("format", "kind", "event", "leaf_index", *_TREE, *_HEAD),
    "session": ("format", "kind", "session_id", "event", "leaf_index", *_TREE, "sealed"),
    "consistency": ("format", "kind", "ledger_id", "since", *_TREE, *_HEAD),
}


@value
class Proved:
    """What was proved. `key` signed it; `trusted` says whether the reader knows that key."""

    kind: str
    head: Signed
    key: PublicKey
    trusted: bool
    event: Object | None = None
    index: int = 0
    since: int = 0
    session_id: str | None = None


# -- making ----------------------------------------------------------------------------------------------------------


def inclusion(event: Event, size: int, path: Sequence[bytes], *, root: bytes, head: str, key: PublicKey) -> Object:
    return {
        "format": FORMAT,
        "kind": "inclusion",
        "event": _event(event),
        "leaf_index": event.seq - 1,
        **_tree(size, path, root),
        **_under(head, key),
    }


def session(
    session_id: str, event: Event, index: int, *, size: int, path: Sequence[bytes], root: bytes, sealed: Object
) -> Object:
    return {
        "format": FORMAT,
        "kind": "session",
        "session_id": session_id,
        "event": _event(event),
        "leaf_index": index,
        **_tree(size, path, root),
        "sealed": sealed,
    }


def consistency(
    ledger_id: str,
    old: int,
    old_root: bytes,
    *,
    size: int,
    path: Sequence[bytes],
    root: bytes,
    head: str,
    key: PublicKey,
) -> Object:
    return {
        "format": FORMAT,
        "kind": "consistency",
        "ledger_id": ledger_id,
        "since": {"tree_size": old, "root": old_root.hex()},
        **_tree(size, path, root),
        **_under(head, key),
    }


def _tree(size: int, path: Sequence[bytes], root: bytes) -> Object:
    return {"tree_size": size, "path": [part.hex() for part in path], "root": root.hex()}


def _under(head: str, key: PublicKey) -> Object:
    return {"signed_head": head, "key_id": key.id.hex(), "key": key.vkey}


def _event(event: Event) -> dict[str, Json]:
    """What the hash covers, the hash, and the payload where there is one: why one is absent is not covered."""
    fields: dict[str, Json] = {name: event.__dict__[name] for name in HASHED if event.__dict__[name] is not None}
    fields["hash"] = event.hash
    if event.payload is not None:
        fields["payload"] = event.payload
    return fields


def written(proof: Object) -> str:
    """The one text of this proof. Were there two, each could be shown as "the" proof."""
    return canonical(proof).decode() + "\n"


# -- verifying -------------------------------------------------------------------------------------------------------


def verify(text: str, trusted: Sequence[PublicKey]) -> Proved:
    proof = _read(text)
    try:
        return _verified(proof, trusted)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _refused(f"a field of it is not what it should be ({type(error).__name__})") from error
    except BadInput as error:
        raise _refused(error.message) from error


def _read(text: str) -> Object:
    """Check 1."""
    try:
        proof = loads(text, parse_int=_safe, parse_constant=_no_number) if len(text) <= LARGEST else None
    except (RecursionError, ValueError):
        proof = None
    if not isinstance(proof, dict) or proof.get("format") != FORMAT or proof.get("kind") not in tuple(_FIELDS):
        raise BadInput(
            "bad_proof", f"That is not a proof of the format {FORMAT}.", hint="perdure audit prove writes one."
        )
    try:
        is_exact = text == written(proof)
    except (RecursionError, ValueError):  # half a character, or a number without end
        is_exact = False
    if not is_exact:
        raise _refused("the file is not as it was written: something in it was changed, moved or added")
    return proof


def _safe(digits: str) -> int:
    """RFC 8785 has no integers that a double cannot tell apart."""
    number = int(digits)
    if abs(number) >= 1 << 53:
        raise ValueError(digits)
    return number


def _no_number(name: str) -> None:
    raise ValueError(name)


def _verified(proof: Object, trusted: Sequence[PublicKey]) -> Proved:
    if set(proof) != set(_FIELDS[proof["kind"]]) or proof["format"] != FORMAT:  # check 1, also of what stands inside
        raise _refused("its fields are not exactly those of its kind")
    return {"inclusion": _inclusion, "session": _session, "consistency": _consistency}[proof["kind"]](proof, trusted)


def _inclusion(proof: Object, trusted: Sequence[PublicKey]) -> Proved:
    event, index = proof["event"], proof["leaf_index"]
    hashed = _hash_of(event)
    if event["seq"] != index + 1:
        raise _refused("the event's place in the ledger is not that of its leaf")
    _lead_to_root(proof, hashed)
    head, key = _head(proof, event["ledger_id"])
    return Proved(kind="inclusion", head=head, key=key, trusted=key in trusted, event=event, index=index)


def _session(proof: Object, trusted: Sequence[PublicKey]) -> Proved:
    _lead_to_root(proof, _hash_of(proof["event"]))
    sealed = proof["sealed"]
    if sealed["kind"] != "inclusion":
        raise _refused("what sealed the session is not proved to be in the ledger")
    under = _verified(sealed, trusted)
    sealing = sealed["event"]
    said = sealing.get("payload", {})
    if (
        sealing["kind"] != "audit.finalized"
        or sealing.get("session_id") != proof["session_id"]
        or (said.get("root"), said.get("record_count")) != (proof["root"], proof["tree_size"])
    ):
        raise _refused("the session was not sealed with this root")
    return Proved(
        kind="session",
        head=under.head,
        key=under.key,
        trusted=under.trusted,
        event=proof["event"],
        index=proof["leaf_index"],
        since=0,
        session_id=proof["session_id"],
    )


def _consistency(proof: Object, trusted: Sequence[PublicKey]) -> Proved:
    since = proof["since"]
    if set(since) != {"tree_size", "root"}:
        raise _refused("its fields are not exactly those of its kind")
    old, size = _whole(since["tree_size"]), _whole(proof["tree_size"])
    old_root, root = _bytes(since["root"]), _bytes(proof["root"])
    path = [_bytes(part) for part in proof["path"]]
    if not merkle.verify_consistency(old, size, old_root, root=root, path=path):  # check 3
        raise _refused("the path does not lead from the old root to the new one")
    head, key = _head(proof, proof["ledger_id"])
    return Proved(kind="consistency", head=head, key=key, trusted=key in trusted, since=old)


def _hash_of(event: Object) -> bytes:
    """Check 2."""
    names = [name for name in HASHED if name in event]
    if set(event) - {"payload"} != {*names, "hash"}:
        raise _refused("its fields are not exactly those of an event")
    if any(type(event[name]) is not (int if name in ("clock", "schema", "seq") else str) for name in names):
        raise _refused("a field of the event is not of its type")
    if "payload" in event and payload_hash(canonical(event["payload"])) != event["payload_hash"]:
        raise _refused("the payload is not what was hashed")
    hashed = payload_hash(envelope(dict.fromkeys(HASHED) | event).encode())
    if hashed != event["hash"]:
        raise _refused("the event's fields are not what was hashed")
    return bytes.fromhex(hashed)


def _lead_to_root(proof: Object, hashed: bytes) -> None:
    """Check 3."""
    path = [_bytes(part) for part in proof["path"]]
    index, size = _whole(proof["leaf_index"]), _whole(proof["tree_size"])
    if not merkle.verify_inclusion(merkle.leaf(hashed), index, size, path=path, root=_bytes(proof["root"])):
        raise _refused("the path does not lead from the event to the root")


def _head(proof: Object, ledger_id: str) -> tuple[Signed, PublicKey]:
    """Checks 4 and 5; whether the key is trusted is for the caller to judge."""
    head, key = signed_note.read(proof["signed_head"]), signed_note.read_vkey(proof["key"])
    said = head.tree_head
    if (said.origin, said.size, said.root) != (
        signed_note.ORIGIN + ledger_id,
        proof["tree_size"],
        _bytes(proof["root"]),
    ):
        raise _refused("the signed head covers something else")
    if key.id.hex() != proof["key_id"] or key.vkey != proof["key"] or len(head.signatures) != 1:
        raise _refused("the key in it is not the one that signed")
    if signed_note.signer(head, [key]) is None:
        raise _refused("the signature does not hold")
    return head, key


def _bytes(text: str) -> bytes:
    raw = bytes.fromhex(text)
    if raw.hex() != text or len(raw) != merkle.LENGTH:
        raise _refused("a hash in it is not 64 hexadecimal digits")
    return raw


def _whole(number: int) -> int:
    if type(number) is not int:
        raise TypeError
    return number


def _refused(why: str) -> Refused:
    return Refused("proof_refused", f"The proof does not hold: {why}.", hint="Ask whoever gave it to you for it again.")
