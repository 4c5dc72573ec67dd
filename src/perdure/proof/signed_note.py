"""Signed tree heads: a C2SP checkpoint (tlog-checkpoint) in a C2SP signed note (signed-note), signed with Ed25519.

    perdure/1c9d…           the origin: which ledger
    1337                    how many events
    CsUYap…=                the root of the RFC 9162 tree over them, base64
    time 2026-01-01T…Z      extension lines: when,
    place 5d41402abc4b2a76  and a hash of the machine and folder
                            (an empty line)
    — perdure/3f2a… q83v…   the signature, by the key of that name

A key's id is the first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key); written out, a public key is
`name+id+base64(0x01 ‖ public key)` (a "vkey"). Only what is written exactly so is read: a note is what its parts give
when they are written again, so no byte of it can be changed unseen.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64  # `base64` costs every process a millisecond

from perdure.errors import BadInput
from perdure.model.digest import sha256
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Sign: TypeAlias = Callable[[bytes], bytes]

ORIGIN = "perdure/"
_ED25519 = b"\x01"
_DASH = "— "
_LONGEST = 64 * 1024
_MOST_SIGNATURES = 16


@value
class PublicKey:
    name: str
    raw: bytes

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.raw).digest()[:4]

    @property
    def vkey(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_base64(_ED25519 + self.raw)}"


@value
class TreeHead:
    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def ledger_id(self) -> str:
        return self.origin.removeprefix(ORIGIN)

    @property
    def time(self) -> str:
        """What the signer's clock said; the signature vouches that it said so, not that it was right."""
        return self._extension("time ")

    @property
    def place(self) -> str:
        """Which machine and folder the ledger stood in, as a hash."""
        return self._extension("place ")

    def _extension(self, name: str) -> str:
        return next((line.removeprefix(name) for line in self.extensions if line.startswith(name)), "")


@value
class Signed:
    """A note that was read: what it says, and the signatures under it, by key name and id."""

    tree_head: TreeHead
    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]


def public_key(raw: bytes) -> PublicKey:
    """A key is named after itself: one key signs many ledgers, and a restored ledger has a new id."""
    return PublicKey(ORIGIN + sha256(raw).hexdigest()[:16], raw)


def read_vkey(text: str) -> PublicKey:
    name, _, rest = text.strip().partition("+")
    id_, _, coded = rest.partition("+")
    raw = _bytes_of(coded)
    key = PublicKey(name, raw[1:])
    if not _is_name(name) or len(raw) != 33 or raw[:1] != _ED25519 or key.id.hex() != id_:
        raise BadInput(
            "bad_key",
            "That is not an Ed25519 verifier key.",
            hint="It looks like perdure/3f2a91c47b1e4c55+0a1b2c3d+AQ…; perdure audit key show prints it.",
        )
    return key


def tree_head_of(ledger_id: str, size: int, root: bytes, *, time: str, place: str) -> TreeHead:
    return TreeHead(origin=ORIGIN + ledger_id, size=size, root=root, extensions=(f"time {time}", f"place {place}"))


def place_of(machine: str, root: str) -> str:
    return sha256(f"{machine}\0{root}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def body_of(tree_head: TreeHead) -> str:
    lines = (tree_head.origin, str(tree_head.size), _base64(tree_head.root), *tree_head.extensions)
    return "".join(f"{line}\n" for line in lines)


def signed(tree_head: TreeHead, key: PublicKey, sign: Sign) -> str:
    text = body_of(tree_head)
    return f"{text}\n{signature_of(text, key, sign)}\n"


def signature_of(text: str, key: PublicKey, sign: Sign) -> str:
    """The signature of any text, as it stands under a note."""
    return f"{_DASH}{key.name} {_base64(key.id + sign(text.encode()))}"


def is_signed(text: str, signature: str, keys: Iterable[PublicKey]) -> bool:
    """Did one of these keys sign this text so?"""
    try:
        name, id_, raw = _signature(signature)
    except BadInput:
        return False
    return any((name, id_) == (key.name, key.id) and _verifies(key, raw, text.encode()) for key in keys)


def written(note: Signed) -> str:
    lines = (f"{_DASH}{name} {_base64(id_ + signature)}\n" for name, id_, signature in note.signatures)
    return f"{note.text}\n{''.join(lines)}"


def read(note: str) -> Signed:
    text, empty, below = note.rpartition("\n\n")
    lines = below.removesuffix("\n").split("\n")
    if len(note) > _LONGEST or not empty or not below.endswith("\n") or len(lines) > _MOST_SIGNATURES:
        raise _malformed("it is not text, an empty line, and signatures")
    return Signed(_tree_head(text + "\n"), text + "\n", tuple(map(_signature, lines)))


def read_if_valid(note: str) -> Signed | None:
    try:
        return read(note)
    except BadInput:
        return None


def _tree_head(text: str) -> TreeHead:
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 3 or not all(lines) or not lines[1].isascii() or not lines[1].isdecimal() or len(lines[1]) > 18:
        raise _malformed("a tree head is an origin, a size and a root, each on a line")
    found = TreeHead(origin=lines[0], size=int(lines[1]), root=_bytes_of(lines[2]), extensions=tuple(lines[3:]))
    if body_of(found) != text or len(found.root) != 32 or any(c < " " for line in lines for c in line):
        raise _malformed("its size or root is not written as a tree head writes it")
    return found


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _, coded = line.removeprefix(_DASH).partition(" ")
    raw = _bytes_of(coded)
    if not line.startswith(_DASH) or not _is_name(name) or len(raw) < 5:
        raise _malformed("a signature is a dash, a name, and base64")
    return name, raw[:4], raw[4:]


def signer(note: Signed, keys: Iterable[PublicKey]) -> PublicKey | None:
    """Which of these keys signed it: None where none did, or where a signature by one of them is false."""
    found = None
    for key in keys:
        for name, id_, signature in note.signatures:
            if (name, id_) == (key.name, key.id):
                if not _verifies(key, signature, note.text.encode()):
                    return None
                found = found or key
    return found


def is_damaged(note: Signed, keys: Iterable[PublicKey]) -> bool:
    """Whether it bears the name of one of these keys, and that key did not sign it."""
    keys = [*keys]
    names = {(key.name, key.id) for key in keys}
    return signer(note, keys) is None and any((name, id_) in names for name, id_, _ in note.signatures)


_MOST_ANSWERS = 1024
_answers: dict[tuple[PublicKey, bytes, bytes], bool] = {}


def _verifies(key: PublicKey, signature: bytes, message: bytes) -> bool:
    """The last answers are kept: an audit asks about each head several times, and the answer never changes."""
    asked = (key, signature, message)
    if asked not in _answers:
        if len(_answers) >= _MOST_ANSWERS:
            _answers.clear()
        _answers[asked] = _verified(key, signature, message)
    return _answers[asked]


def _verified(key: PublicKey, signature: bytes, message: bytes) -> bool:
    # Loaded where a signature is looked at: it costs tens of milliseconds.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_name(name: str) -> bool:
    return bool(name) and name.isprintable() and not any(c.isspace() or c == "+" for c in name)


def _base64(raw: bytes) -> str:
    return b2a_base64(raw, newline=False).decode()


def _bytes_of(coded: str) -> bytes:
    """Nothing where it is not base64 exactly as it is written: of its last character, some bits mean nothing."""
    try:
        raw = a2b_base64(coded, strict_mode=True)
    except ValueError:
        return b""
    return raw if _base64(raw) == coded else b""


def _malformed(why: str) -> BadInput:
    return BadInput("bad_note", f"That is not a signed tree head: {why}.")
