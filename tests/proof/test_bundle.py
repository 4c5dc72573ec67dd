"""Proofs as files: what holds is proved, and one changed byte anywhere is refused."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from perdure.errors import BadInput, PerdureError, Refused
from perdure.ledger.memory import MemoryLedger
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.value import replace
from perdure.proof import bundle, merkle, signed_note
from tests.contract.making import OWN, draft, redaction
from tests.contract.stores import ORIGIN
from tests.effort import for_each

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = signed_note.public_key(PRIVATE.public_key().public_bytes_raw())
AUDIT = "audit-1"


@pytest.fixture
def ledger() -> MemoryLedger:
    made = MemoryLedger(OWN, ORIGIN)
    made.append([draft(payload=p.Note(f"Grüße {n}, ein \u2028 und 0.1"), session_id=AUDIT) for n in range(20)])
    return made


def head(ledger: MemoryLedger, size: int) -> tuple[bytes, str]:
    root = merkle.root(size, lambda *which: ledger.node(OWN, *which))
    said = signed_note.tree_head_of(OWN, size, root, time="2026-01-01T00:00:00.000Z", place="5d41402abc4b2a76")
    return root, signed_note.signed(said, KEY, PRIVATE.sign)


def inclusion(ledger: MemoryLedger, seq: int) -> dict[str, Any]:
    size = ledger.head().seq
    root, signed = head(ledger, size)
    event = ledger.event(Ref(OWN, seq))
    assert event is not None
    path = merkle.inclusion(seq - 1, size, lambda *which: ledger.node(OWN, *which))
    return bundle.inclusion(event, size, path, root=root, head=signed, key=KEY)


def consistency(ledger: MemoryLedger, old: int) -> dict[str, Any]:
    size = ledger.head().seq
    root, signed = head(ledger, size)

    def at(level: int, index: int) -> bytes:
        return ledger.node(OWN, level, index)

    path = merkle.consistency(old, size, at)
    return bundle.consistency(OWN, old, merkle.root(old, at), size=size, path=path, root=root, head=signed, key=KEY)


def session(ledger: MemoryLedger, index: int) -> dict[str, Any]:
    records = list(ledger.events(OWN))[:9]
    at = merkle.over([merkle.leaf(bytes.fromhex(event.hash)) for event in records])
    root = merkle.root(len(records), at)
    sealing = draft("audit.finalized", p.AuditFinalized(root.hex(), len(records), ()), session_id=AUDIT)
    (sealed,) = ledger.append([sealing]).events
    path = merkle.inclusion(index, len(records), at)
    return bundle.session(
        AUDIT, records[index], index, size=len(records), path=path, root=root, sealed=inclusion(ledger, sealed.seq)
    )


KINDS = {"inclusion": lambda ledger: inclusion(ledger, 7), "consistency": lambda ledger: consistency(ledger, 13)}
KINDS["session"] = lambda ledger: session(ledger, 4)


def test_an_event_is_proved_to_be_in_the_ledger(ledger: MemoryLedger) -> None:
    proved = bundle.verify(bundle.written(inclusion(ledger, 7)), [KEY])
    assert (proved.kind, proved.index, proved.trusted, proved.key) == ("inclusion", 6, True, KEY)
    assert proved.event is not None
    assert proved.event["payload"]["text"].startswith("Grüße 6")


def test_a_ledger_is_proved_to_have_only_grown(ledger: MemoryLedger) -> None:
    proved = bundle.verify(bundle.written(consistency(ledger, 13)), [KEY])
    assert (proved.since, proved.head.tree_head.size, proved.event) == (13, 20, None)


def test_a_record_is_proved_to_be_in_a_sealed_session(ledger: MemoryLedger) -> None:
    proved = bundle.verify(bundle.written(session(ledger, 4)), [KEY])
    assert (proved.session_id, proved.index, proved.head.tree_head.size) == (AUDIT, 4, 21)


def test_a_redacted_event_is_proved_without_its_payload(ledger: MemoryLedger) -> None:
    before = bundle.written(inclusion(ledger, 7))
    event = ledger.event(Ref(OWN, 7))
    assert event is not None
    ledger.erase(Ref(OWN, 7), redaction(event))
    assert bundle.verify(before, [KEY]).trusted
    after = inclusion(ledger, 7)
    assert "payload" not in after["event"]
    assert bundle.verify(bundle.written(after), [KEY]).trusted


def test_a_signer_who_is_not_known_is_told_from_one_who_is(ledger: MemoryLedger) -> None:
    assert not bundle.verify(bundle.written(inclusion(ledger, 7)), []).trusted


@pytest.mark.parametrize("kind", KINDS)
def test_one_changed_byte_anywhere_is_refused(ledger: MemoryLedger, kind: str) -> None:
    raw = bundle.written(KINDS[kind](ledger)).encode()
    assert bundle.verify(raw.decode(), [KEY]).trusted
    chance = random.Random(kind)
    accepted = []
    for where in range(len(raw)):
        changed = bytearray(raw)
        changed[where] ^= 1 << chance.randrange(8)
        try:
            if bundle.verify(changed.decode(), [KEY]).trusted:
                accepted.append(where)
        except (PerdureError, UnicodeDecodeError):
            continue
    assert accepted == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_space_a_field_or_a_line_more_or_less_is_refused(ledger: MemoryLedger, kind: str) -> None:
    proof = KINDS[kind](ledger)
    text = bundle.written(proof)
    less = {name: content for name, content in proof.items() if name != "root"}
    for other in (
        text + "\n",
        text.rstrip("\n"),
        text.replace(",", ", ", 1),
        json.dumps(proof, ensure_ascii=False) + "\n",
        json.dumps(proof, ensure_ascii=False, indent=2) + "\n",
        text.replace("\n", "\r\n"),
        bundle.written({**proof, "note": "trust me"}),
        bundle.written(less),
        json.dumps(dict(sorted(proof.items(), reverse=True)), separators=(",", ":"), ensure_ascii=False) + "\n",
        re.sub(r'"tree_size":(\d+)', r'"tree_size":\1.0', text),
        bundle.written({**proof, "tree_size": True}),
    ):
        with pytest.raises(Refused) as refused:
            bundle.verify(other, [KEY])
        assert refused.value.code == "proof_refused"


def test_the_order_in_which_a_proof_was_made_does_not_show(ledger: MemoryLedger) -> None:
    proof = inclusion(ledger, 7)
    assert bundle.written(dict(reversed(proof.items()))) == bundle.written(proof)


MIXED = {
    "b": [],
    "a": {},
    "n": 1,
    "f": 0.5,
    "e": 1e-7,
    "t": '\u20ac \u00e9 / \u2028 \x7f \n "',
    "z": [1, {"y": 0, "x": -1}],
}
SAME_BY_HASH = {
    "the payload's fields in another order": lambda t: t.replace('"a":{},"b":[]', '"b":[],"a":{}'),
    "an integer as a float": lambda t: t.replace('"n":1', '"n":1.0'),
    "an integer with an exponent": lambda t: t.replace('"n":1', '"n":1e0'),
    "a float with another exponent": lambda t: t.replace('"e":1e-7', '"e":1E-7'),
    "a float written out": lambda t: t.replace('"e":1e-7', '"e":0.0000001'),
    "a float with a zero more": lambda t: t.replace('"f":0.5', '"f":0.50'),
    "a minus before zero": lambda t: t.replace('"y":0', '"y":-0'),
    "an escape that need not be": lambda t: t.replace("\u00e9", "\\u00e9"),
    "a slash that is escaped": lambda t: t.replace(" / ", " \\/ "),
    "another escape of a newline": lambda t: t.replace("\\n", "\\u000a"),
    "capitals in an escape": lambda t: t.replace("\u20ac", "\\u20AC"),
    "a field twice": lambda t: t.replace('"n":1', '"n":2,"n":1'),
    "a space in an empty list": lambda t: t.replace('"b":[]', '"b":[ ]'),
    "a byte order mark": lambda t: "\ufeff" + t,
    "a zero before an integer": lambda t: t.replace('"n":1', '"n":01'),
    "something behind it": lambda t: t + " ",
    "a second value": lambda t: t + "{}\n",
}


@for_each("change", SAME_BY_HASH)
def test_another_file_with_the_same_content_is_not_the_proof(change: str) -> None:
    ledger = MemoryLedger(OWN, ORIGIN)
    ledger.append([replace(draft(), payload=MIXED)])
    text = bundle.written(inclusion(ledger, 1))
    assert bundle.verify(text, [KEY]).trusted
    other = SAME_BY_HASH[change](text)
    assert other != text
    with pytest.raises(PerdureError):
        bundle.verify(other, [KEY])


@pytest.mark.parametrize("number", ["9007199254740993", "1e400", "NaN", "-Infinity", "9" * 5000, '"\\ud800"'])
def test_what_canonical_json_cannot_carry_is_refused(ledger: MemoryLedger, number: str) -> None:
    text = bundle.written(inclusion(ledger, 7))
    with pytest.raises(PerdureError) as refused:
        bundle.verify(text.replace('"leaf_index":6', f'"leaf_index":{number}'), [KEY])
    assert refused.value.code in ("bad_proof", "proof_refused")


def test_a_head_over_another_ledger_is_refused(ledger: MemoryLedger) -> None:
    proof = inclusion(ledger, 7)
    said = signed_note.read(proof["signed_head"]).tree_head
    elsewhere = signed_note.tree_head_of(OWN.replace("1", "2"), said.size, said.root, time=said.time, place=said.place)
    proof["signed_head"] = signed_note.signed(elsewhere, KEY, PRIVATE.sign)
    with pytest.raises(Refused, match="covers something else"):
        bundle.verify(bundle.written(proof), [KEY])


def test_a_session_is_not_proved_by_the_sealing_of_another(ledger: MemoryLedger) -> None:
    proof = session(ledger, 4)
    for false in ({"session_id": "audit-2"}, {"sealed": inclusion(ledger, 3)}, {"sealed": consistency(ledger, 3)}):
        with pytest.raises(Refused):
            bundle.verify(bundle.written({**proof, **false}), [KEY])


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "{", '{"format": "perdure-proof-2"}', "[" * 10_000, "NaN"])
def test_what_is_not_a_proof_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        bundle.verify(text, [KEY])
    assert refused.value.code == "bad_proof"
