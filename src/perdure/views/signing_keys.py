"""The key that signs tree heads: `keys/signing.key` in Perdure's home, outside every project, readable by its owner
only.

`keys/signers` lists every key that ever signed here, one per line with the time it was made, so that heads signed
before a rotation still verify. A key is listed before it signs. If the file was lost, the current key still counts as
known and is listed again.
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Trouble
from perdure.files import FolderLock, make_folder, read_text, write_whole
from perdure.model.value import value
from perdure.proof.signed_note import PublicKey, public_key, read_vkey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.moment import Stamp
    from perdure.proof.signed_note import Sign

_SEED = 32
_NEW_KEY = "perdure audit key rotate makes a new one; what the old one signed still verifies."


@value
class Signer:
    key: PublicKey
    sign: Sign


@value
class KnownSigner:
    """A key that signed, or still signs, here."""

    key: PublicKey
    since: str


def known(home: str) -> list[KnownSigner]:
    """The keys, oldest first. A line that is not a key is skipped: that can only reduce trust."""
    found = [each for each in _listed(home) if each]
    signs = _public(home)
    return found if signs is None or any(each.key == signs for each in found) else [*found, KnownSigner(signs, "")]


def fault(home: str) -> Trouble | None:
    """Why nothing can be signed with the key that is there; its hint says what a person does. A key that is not there
    is made when something is signed."""
    try:
        _current(home)
    except Trouble as error:
        return Trouble("bad_signing_key", error.message, hint=_NEW_KEY)
    return None


def _public(home: str) -> PublicKey | None:
    try:
        found = _current(home)
    except Trouble:  # the command that signs reports it
        return None
    return found.key if found else None


def _current(home: str) -> Signer | None:
    """Each key is listed before it signs, so one that the list lacks was put there by somebody else. Where the list is
    lost or damaged, nobody can tell. The key is read first: a rotation lists the new key before it writes it."""
    seed = _seed(home)
    if seed is None:
        return None
    found, listed = _signer(seed), _listed(home)
    if listed and None not in listed and found.key not in [each.key for each in listed if each]:
        message = f"{_private(home)} has a key that this home did not make: {_signers(home)} does not list it."
        raise Trouble("bad_signing_key", message, hint=_NEW_KEY)
    return found


def _listed(home: str) -> list[KnownSigner | None]:
    """None for a line that is not a key."""
    return [_read_line(line) for line in (read_text(_signers(home)) or "").splitlines()]


def _read_line(line: str) -> KnownSigner | None:
    vkey, _, since = line.partition(" ")
    try:
        return KnownSigner(read_vkey(vkey), since)
    except BadInput:
        return None


def signer(home: str, now: Stamp) -> Signer:
    """The current key, made on first use."""
    found = _current(home)
    if found is None:
        make_folder(_folder(home))
        with FolderLock(_folder(home)):
            found = _current(home) or _signer(_made(home, now))
    if found.key.vkey not in (read_text(_signers(home)) or ""):
        with FolderLock(_folder(home)):
            _name(home, found.key, now)
    return found


def rotate(home: str, now: Stamp) -> Signer:
    """Makes a new key, which signs from now on. The old one is deleted; what it signed still verifies."""
    make_folder(_folder(home))
    with FolderLock(_folder(home)):
        return _signer(_made(home, now))


def _made(home: str, now: Stamp) -> bytes:
    seed = os.urandom(_SEED)
    _name(home, _signer(seed).key, now)
    write_whole(_private(home), seed.hex() + "\n", durable=True)
    return seed


def _name(home: str, key: PublicKey, now: Stamp) -> None:
    names = read_text(_signers(home)) or ""
    end = "" if names.endswith("\n") or not names else "\n"
    write_whole(_signers(home), f"{names}{end}{key.vkey} {now}\n", durable=True)


def _seed(home: str) -> bytes | None:
    text = (read_text(_private(home)) or "").strip()
    if not text:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != _SEED:
        raise Trouble(
            "bad_signing_key",
            f"{_private(home)} is not a signing key.",
            hint=_NEW_KEY,
        )
    return seed


def _signer(seed: bytes) -> Signer:
    # Imported only when something is signed: it costs about 15 ms.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(seed)
    return Signer(public_key(private.public_key().public_bytes_raw()), private.sign)


def _folder(home: str) -> str:
    return os.path.join(home, "keys")


def _private(home: str) -> str:
    return os.path.join(_folder(home), "signing.key")


def _signers(home: str) -> str:
    return os.path.join(_folder(home), "signers")
