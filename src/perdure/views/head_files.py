"""Signed tree heads, kept outside the project: `heads/<project_id>/` in Perdure's home (SPEC 14.6).

`<ledger_id>.jsonl` has one head per line, in the order of signing, and is only appended to. `acknowledged.jsonl` says
which heads a person has accepted as no longer true, and why: a ledger was put back or lost on purpose. Each of its
lines is signed, and an event in the ledger says the same. An acknowledgement counts only if both agree, so that neither
access to the home nor access to the project is enough to forge one.

An export has heads as separate lines after the events: `to_line`, `from_line`.
"""

from __future__ import annotations

import fcntl
import os

from perdure.errors import BadInput
from perdure.files import listing, make_folder, open_to_read, trouble, write_pieces
from perdure.model.digest import sha256
from perdure.model.ids import is_uuid
from perdure.model.json import compact, parse
from perdure.model.value import value
from perdure.proof import signed_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, BinaryIO

    from perdure.model.json import Json
    from perdure.proof.signed_note import PublicKey, Signed

_ACKNOWLEDGED = "acknowledged.jsonl"
_LONGEST_LINE = 16 << 20
"""Bytes. What is longer is read in pieces, none of which is a line of ours: a damaged file may be huge."""
_TAIL = 16 * 1024
"""Bytes that are read from the end, to find the last head."""


@value
class KeptHead:
    """A head, and why it was signed."""

    note: str
    why: str
    signed: Signed


@value
class Acknowledged:
    """The heads of a ledger that need not match any more, named by the digests of their notes; the last one that does
    match covers `above` events. Each is named, so that no head that is signed later is excused, whatever the clock
    says."""

    ledger_id: str
    above: int
    at: str
    because: str
    heads: tuple[str, ...]
    signature: str = ""

    @property
    def text(self) -> str:
        """The text that is signed, and that the digest in the ledger covers."""
        return "\n".join(("acknowledged", self.ledger_id, str(self.above), self.at, self.because, *self.heads))

    @property
    def digest(self) -> str:
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def digest(signed: Signed) -> str:
    """Identifies a head everywhere: a digest over every byte of its note."""
    return sha256(signed_note.written(signed).encode()).hexdigest()


def folder_for(home: str, project_id: str) -> str:
    return os.path.join(home, "heads", project_id)


def keep(folder: str, ledger_id: str, note: str, *, why: str) -> None:
    """Stores the head; it survives a power cut once this returns."""
    _append(os.path.join(folder, f"{ledger_id}.jsonl"), {"note": note, "why": why})


def kept(folder: str, ledger_id: str) -> list[KeptHead]:
    lines = _lines(os.path.join(folder, f"{ledger_id}.jsonl"))
    return [head for fields in lines if (head := _head(fields, ledger_id))]


def last(folder: str, ledger_id: str) -> KeptHead | None:
    """Read from the end, because every signing asks for it."""
    path = os.path.join(folder, f"{ledger_id}.jsonl")
    try:
        with open_to_read(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            lines = file.read(_TAIL).decode("utf-8", "replace").split("\n")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise trouble(error, path) from error
    return next((head for line in reversed(lines) if (head := _head(_fields(line), ledger_id))), None)


def _head(fields: dict[str, Any], ledger_id: str) -> KeptHead | None:
    """A line that is not a head is skipped: it was cut, or it can at most hide a proof."""
    try:
        signed = signed_note.read(str(fields.get("note")))
    except BadInput:
        return None
    text, why = (str(fields.get(name, "")) for name in ("note", "why"))
    return KeptHead(text, why, signed) if signed.tree_head.ledger_id == ledger_id else None


EXPORTED = "signed_head"
"""`kind` of a line that is a head, not an event."""


@value
class Exported:
    """A head from an export, and the key that signed it. The reader must find out whose key that is."""

    signed: Signed
    key: PublicKey


def to_line(head: KeptHead, key: PublicKey) -> str:
    return compact({"kind": EXPORTED, "payload": {"note": head.note, "key": key.vkey}}) + "\n"


def is_head_line(line: bytes) -> bool:
    return b'"signed_head"' in line[:40]


def from_line(line: bytes, where: str) -> Exported:
    said = _fields(line.decode("utf-8", "replace")).get("payload")
    try:
        if not isinstance(said, dict) or said.keys() != {"note", "key"}:
            raise BadInput("bad_note", "A line with a signed head has a payload with a note and a key.")
        found = Exported(signed_note.read(str(said["note"])), signed_note.read_vkey(str(said["key"])))
    except BadInput as error:
        raise BadInput("bad_event", f"{where}: {error.message}") from error
    if not is_uuid(found.signed.tree_head.ledger_id):
        raise BadInput("bad_event", f"{where}: the signed head names no ledger.")
    return found


def ledgers_in(folder: str) -> list[str]:
    names = (name.removesuffix(".jsonl") for name in listing(folder) if name.endswith(".jsonl"))
    return [name for name in names if is_uuid(name)]


def projects_in(home: str) -> list[str]:
    return [name for name in listing(os.path.join(home, "heads")) if is_uuid(name)]


def acknowledge(folder: str, said: Acknowledged) -> None:
    _append(os.path.join(folder, _ACKNOWLEDGED), {**said.__dict__, "heads": list(said.heads)})


def acknowledged(folder: str) -> list[Acknowledged]:
    lines = _lines(os.path.join(folder, _ACKNOWLEDGED))
    return [said for fields in lines if (said := _acknowledgement(fields))]


def _acknowledgement(fields: dict[str, Any]) -> Acknowledged | None:
    try:
        texts = {name: str(fields[name]) for name in ("ledger_id", "at", "because")}
        texts["signature"] = str(fields.get("signature", ""))
        return Acknowledged(above=int(fields["above"]), heads=tuple(map(str, fields["heads"])), **texts)
    except (KeyError, TypeError, ValueError):
        return None


def damage_in(folder: str, keys: Sequence[PublicKey]) -> Callable[[Signed], bool]:
    """Says of a head in this folder whether it is a damaged copy of one: it bears the name of one of these keys, which
    did not sign it; or it says the same as another head there that one of them signed. It proves nothing. A head that
    only bears the name of a key that is not known may have been signed by one that was lost."""
    heads = (head.signed for ledger_id in ledgers_in(folder) for head in kept(folder, ledger_id))
    texts = {head.text for head in heads if signed_note.signer(head, keys)}

    def is_damaged(head: Signed) -> bool:
        return not signed_note.signer(head, keys) and (signed_note.is_damaged(head, keys) or head.text in texts)

    return is_damaged


def damaged(folder: str, keys: Sequence[PublicKey] = ()) -> list[str]:
    """The files in which a line is neither a head nor an acknowledgement, or is a damaged head. A last line that a
    crash cut does not count."""
    names = (*(f"{i}.jsonl" for i in ledgers_in(folder)), _ACKNOWLEDGED)
    is_damaged = damage_in(folder, keys)

    def has_damage(path: str) -> bool:
        return any(not (_is_cut(line) or _is_ours(path, line, is_damaged)) for line in _raw(path))

    return [path for name in names if has_damage(path := os.path.join(folder, name))]


def drop_damaged(path: str, aside: str, keys: Sequence[PublicKey] = ()) -> None:
    """The file as it was stays under another name."""
    is_damaged = damage_in(os.path.dirname(path), keys)
    try:
        os.link(path, aside)
    except OSError as error:
        raise trouble(error, path) from error
    ours = (line.decode() for line in _raw(path) if line.endswith(b"\n") and _is_ours(path, line, is_damaged))
    write_pieces(path, ours, mode=0o600)


def _is_cut(line: bytes) -> bool:
    """Whether a crash cut the line. What is longer than a head and hardly an acknowledgement was put there."""
    return not line.endswith(b"\n") and len(line) < _TAIL


def _is_ours(path: str, line: bytes, is_damaged: Callable[[Signed], bool]) -> bool:
    name, fields = os.path.basename(path), _fields(line.decode("utf-8", "replace"))
    if name == _ACKNOWLEDGED:
        return _acknowledgement(fields) is not None
    head = _head(fields, name.removesuffix(".jsonl"))
    return head is not None and not is_damaged(head.signed)


def _append(path: str, fields: dict[str, Json]) -> None:
    make_folder(os.path.dirname(path))
    try:
        with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _cut_torn_line(file)
            file.write(compact(fields).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise trouble(error, path) from error


def _cut_torn_line(file: BinaryIO) -> None:
    """Removes what a crash left of a last line: completed, it would be a line that cannot be read. What is too long to
    be that is ended, so that what is appended is a line of its own."""
    end = file.seek(0, os.SEEK_END)
    start = max(0, end - _TAIL)
    file.seek(start)
    tail = file.read()
    if tail and not tail.endswith(b"\n") and (b"\n" in tail or start == 0):
        file.truncate(start + tail.rfind(b"\n") + 1)
    file.seek(0, os.SEEK_END)
    if tail and not tail.endswith(b"\n") and b"\n" not in tail and start > 0:
        file.write(b"\n")


def _lines(path: str) -> Iterator[dict[str, Any]]:
    return (_fields(line.decode("utf-8", "replace")) for line in _raw(path))


def _raw(path: str) -> Iterator[bytes]:
    try:
        with open_to_read(path) as file:
            while line := file.readline(_LONGEST_LINE):
                yield line
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise trouble(error, path) from error


def _fields(line: str) -> dict[str, Any]:
    try:
        fields = parse(line)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}
