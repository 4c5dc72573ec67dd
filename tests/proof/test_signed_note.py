"""Signed notes: what others write is read, what we write is what the format says, and no byte can be changed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.proof import signed_note

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = signed_note.public_key(PRIVATE.public_key().public_bytes_raw())
LEDGER = "1c9d0000-0000-4000-8000-000000000000"
ROOT = sha256(b"root").digest()
HEAD = signed_note.tree_head_of(LEDGER, 1337, ROOT, time="2026-01-01T00:00:00.000Z", place="5d41402abc4b2a76")
NOTE = signed_note.signed(HEAD, KEY, PRIVATE.sign)

GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""A key and a note that are in public documentation of the format."""


def test_a_head_is_written_as_the_format_says() -> None:
    text, empty, signature = NOTE.rpartition("\n\n")
    assert text.split("\n") == [
        f"perdure/{LEDGER}",
        "1337",
        b64encode(ROOT).decode(),
        "time 2026-01-01T00:00:00.000Z",
        "place 5d41402abc4b2a76",
    ]
    dash, name, coded = signature.removesuffix("\n").split(" ")
    assert (dash, name, empty) == ("—", KEY.name, "\n\n")
    raw = b64decode(coded)
    assert raw[:4] == sha256(KEY.name.encode() + b"\n\x01" + KEY.raw).digest()[:4]
    PRIVATE.public_key().verify(raw[4:], f"{text}\n".encode())


def test_a_key_is_written_as_the_format_says() -> None:
    name, id_, coded = KEY.vkey.split("+", 2)
    assert (name, id_, b64decode(coded)) == (KEY.name, KEY.id.hex(), b"\x01" + KEY.raw)
    assert signed_note.read_vkey(KEY.vkey) == KEY


def test_a_key_and_a_signature_of_another_implementation_verify() -> None:
    key = signed_note.read_vkey(GO_VKEY)
    text, _, below = GO_NOTE.rpartition("\n\n")
    signature = b64decode(below.split(" ")[2])
    assert signature[:4] == key.id
    assert (
        signed_note.signer(signed_note.Signed(HEAD, f"{text}\n", ((key.name, signature[:4], signature[4:]),)), [key])
        == key
    )


def test_what_was_written_is_read_back() -> None:
    found = signed_note.read(NOTE)
    assert found.tree_head == HEAD
    assert (found.tree_head.ledger_id, found.tree_head.time) == (LEDGER, "2026-01-01T00:00:00.000Z")
    assert signed_note.written(found) == NOTE
    assert signed_note.signer(found, [KEY]) == KEY


@given(st.integers(0, len(NOTE.encode()) - 1), st.integers(0, 7))
def test_one_flipped_bit_is_refused(where: int, bit: int) -> None:
    raw = bytearray(NOTE.encode())
    raw[where] ^= 1 << bit
    try:
        found = signed_note.read(raw.decode())
    except (UnicodeDecodeError, BadInput):
        return
    assert signed_note.signer(found, [KEY]) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        NOTE.removesuffix("\n"),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("1337", "01337"),
        NOTE.replace("1337", "+1337"),
        NOTE.replace("1337", "١٣٣٧"),
        NOTE.replace("1337", "9" * 30),
        NOTE.replace("— ", "- "),
        NOTE.replace("time 2026", "\n\n2026"),
        NOTE + "— another\n",
        NOTE + "\n",
        "x" * 100_000 + NOTE,
        NOTE.replace("place", "pl\x01ace"),
    ],
)
def test_what_is_not_written_so_is_not_read(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        signed_note.read(text)
    assert refused.value.code == "bad_note"


def test_base64_with_stray_bits_is_not_read() -> None:
    """The last character before the padding carries bits that decoding drops."""
    coded = b64encode(ROOT).decode()
    stray = coded[:-2] + chr(ord(coded[-2]) + 1) + "="
    assert b64decode(stray) == ROOT
    with pytest.raises(BadInput):
        signed_note.read(NOTE.replace(coded, stray))


def test_signatures_of_others_are_passed_over_and_a_false_one_of_ours_refuses() -> None:
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    other = signed_note.public_key(stranger.public_key().public_bytes_raw())
    theirs = signed_note.signed(HEAD, other, stranger.sign).splitlines()[-1]
    both = signed_note.read(f"{NOTE}{theirs}\n")
    assert signed_note.signer(both, [KEY]) == KEY
    assert signed_note.signer(both, [other]) == other
    false = signed_note.signed(HEAD, KEY, stranger.sign).splitlines()[-1]
    assert signed_note.signer(signed_note.read(f"{NOTE}{false}\n"), [KEY]) is None
    assert signed_note.signer(both, []) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        KEY.vkey[:-4],
        KEY.vkey.replace(KEY.id.hex(), "00000000"),
        KEY.vkey.replace("perdure/", "perdure+"),
        KEY.vkey.replace("perdure/", "per dure/"),
        KEY.vkey.replace("+AQ", "+Ag"),
        "x+y+z",
    ],
)
def test_what_is_not_a_key_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        signed_note.read_vkey(text)
    assert refused.value.code == "bad_key"
