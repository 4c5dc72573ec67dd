"""The auditor over a record in memory: each check by what makes it fail, and that it can only read."""

from __future__ import annotations

from typing import Any

import pytest

from perdure.errors import Damaged
from perdure.ledger.memory import MemoryLedger
from perdure.model import payload as p
from perdure.model.event import Event, Ref
from perdure.model.value import replace
from perdure.proof import merkle
from perdure.proof.chain import event_hash
from perdure.proof.fsck import BLOCK, AuditReport, Claim, KnownElsewhere, LastOutside, NamedLedger, Record, audit
from tests.contract.making import NEXT, OTHER, OWN, chain, draft, goal, gone, merged, notes, opened, redaction
from tests.contract.stores import ORIGIN


@pytest.fixture
def ledger() -> MemoryLedger:
    made = MemoryLedger(OWN, ORIGIN)
    made.append([opened(), goal(1)])
    made.append([draft() for _ in range(300)])
    return made


def claim(ledger: MemoryLedger, size: int, chain: str = OWN, binds: bool = True) -> Claim:
    root = merkle.root(size, lambda *which: ledger.node(chain, *which))
    return Claim(
        ledger_id=chain, size=size, root=root, time=f"2026-01-01T00:00:{size % 60:02}.000Z", where="a test", binds=binds
    )


def told(ledger: Record, *claims: Claim, **options: Any) -> list[tuple[int, int | None]]:
    return [(finding.check, finding.seq) for finding in report(ledger, *claims, **options).findings]


def report(ledger: Record, *claims: Claim, **options: Any) -> AuditReport:
    return audit(ledger, KnownElsewhere(claims, **options), ("prompt.given",))


def put(ledger: MemoryLedger, seq: int, **changes: Any) -> Event:
    chain = ledger._chains[OWN]
    chain[seq - 1] = replace(chain[seq - 1], **changes)
    return chain[seq - 1]


def test_a_whole_record_has_nothing_to_find(ledger: MemoryLedger) -> None:
    claims = [claim(ledger, size) for size in (1, 2, 255, 256, 257, 302)]
    whole = report(ledger, *claims)
    assert (whole.findings, whole.events, whole.ledgers, len(whole.held)) == ((), 302, 1, 6)


def test_an_empty_record_is_whole() -> None:
    assert report(MemoryLedger(OWN, ORIGIN)).findings == ()


def test_several_chains_are_each_held_against_their_heads(ledger: MemoryLedger) -> None:
    ledger.merge(notes(OTHER, 600), merged())
    assert told(ledger, claim(ledger, 10), claim(ledger, 599, OTHER)) == []
    false = replace(claim(ledger, 599, OTHER), size=598)
    assert [f.ledger_id for f in report(ledger, claim(ledger, 10), false).findings] == [OTHER]


@pytest.mark.parametrize(
    "changes",
    [
        {"payload": {"text": "another"}},
        {"actor": "somebody"},
        {"session_id": "s"},
        {"kind": "note.failed"},
        {"ts": "2020-01-01T00:00:00.000Z"},
        {"id": "00000000-0000-4000-8000-00000000000f"},
        {"schema": 2},
        {"schema": None},
        {"actor": b"\xff"},
        {"hash": "f" * 64},
        {"hash": "not a hash"},
        {"clock": "x"},
    ],
    ids=str,
)
def test_check_1_a_changed_event_is_found_at_its_place(ledger: MemoryLedger, changes: dict[str, Any]) -> None:
    put(ledger, 200, **changes)
    found = [each for each in told(ledger, claim_of_before()) if each[0] == 1]
    assert found[0] == (1, 200)
    assert set(found) <= {(1, 200), (1, 201)}


def claim_of_before() -> Claim:
    return Claim(
        ledger_id="99999999-9999-4999-8999-999999999999",
        size=1,
        root=b"",
        time="",
        where="of another ledger",
        binds=False,
    )


def test_check_1_a_missing_event_is_found(ledger: MemoryLedger) -> None:
    del ledger._chains[OWN][99]
    assert told(ledger)[0] == (1, 101)


def test_check_1_an_event_that_was_sealed_anew_breaks_the_next_link(ledger: MemoryLedger) -> None:
    changed = put(ledger, 200, actor="somebody")
    put(ledger, 200, hash=event_hash(changed))
    assert told(ledger) == [(1, 201)]


def test_check_2_a_payload_may_only_be_gone_where_that_is_said(ledger: MemoryLedger) -> None:
    put(ledger, 50, payload=None, absent="redacted")
    assert told(ledger) == [(2, 50)]
    ledger.erase(Ref(OWN, 50), redaction(ledger._chains[OWN][49]))
    assert told(ledger) == []


def test_check_2_what_is_withheld_must_be_of_a_kind_that_is(ledger: MemoryLedger) -> None:
    put(ledger, 50, payload=None, absent="withheld")
    assert told(ledger) == [(2, 50)]
    from_elsewhere = chain(OTHER, [draft("prompt.given", p.PromptGiven("hello"))])
    ledger.merge([gone(event, "withheld") for event in from_elsewhere], merged())
    assert told(ledger) == [(2, 50)]
    assert report(ledger).withheld == (Ref(OTHER, 1),)


def test_check_2_nothing_is_withheld_from_the_chain_a_store_writes_to(ledger: MemoryLedger) -> None:
    (event,) = ledger.append([draft("prompt.given", p.PromptGiven("hello"))]).events
    put(ledger, event.seq, payload=None, absent="withheld")
    assert told(ledger) == [(2, event.seq)]


class Lying:
    """A record that says something else than it has, in one respect."""

    def __init__(self, ledger: MemoryLedger, **lies: Any) -> None:
        self._ledger = ledger
        self._lies = lies

    def __getattr__(self, verb: str) -> Any:
        return self._lies.get(verb) or getattr(self._ledger, verb)


def test_check_3_a_stored_node_must_be_that_of_the_events(ledger: MemoryLedger) -> None:
    right = {(8, 0): ledger.node(OWN, 8, 0)}
    assert told(Lying(ledger, subtrees=lambda _: dict(right))) == []
    assert told(Lying(ledger, subtrees=lambda _: {(8, 0): bytes(32)})) == [(3, None)]
    assert told(Lying(ledger, subtrees=lambda _: {**right, (8, 1): bytes(32)})) == [(3, None)]


def test_check_4_a_head_that_does_not_hold_says_since_when(ledger: MemoryLedger) -> None:
    good, false = claim(ledger, 100), replace(claim(ledger, 280), root=bytes(32))
    later = replace(claim(ledger, 300), root=bytes(32))
    (finding,) = report(ledger, good, false, later).findings
    assert (finding.check, finding.since) == (4, good)
    assert finding.what.startswith("the first 280 events do not match what was signed")
    assert finding.what.endswith("; also 1 later head")


def test_check_4_a_cut_tail_is_found(ledger: MemoryLedger) -> None:
    heads = [claim(ledger, 100), claim(ledger, 290)]
    del ledger._chains[OWN][280:]
    (finding,) = report(ledger, *heads).findings
    assert (finding.check, finding.seq, finding.since) == (4, 281, heads[0])
    assert finding.what.startswith("10 events missing at the end")


def test_check_4_of_a_head_that_does_not_bind_more_may_be_elsewhere(ledger: MemoryLedger) -> None:
    beyond = replace(claim(ledger, 290), size=1000, binds=False)
    assert told(ledger, beyond) == []
    assert told(ledger, replace(beyond, binds=True)) == [(4, 303)]


def test_check_4_a_ledger_that_is_gone_is_found(ledger: MemoryLedger) -> None:
    of_another = replace(claim(ledger, 290), ledger_id=OTHER)
    assert [f.ledger_id for f in report(ledger, of_another).findings] == [OTHER]
    assert told(ledger, replace(of_another, binds=False)) == []


def test_check_5_a_wrong_index_is_found(ledger: MemoryLedger) -> None:
    assert told(Lying(ledger, misindexed=lambda: [(OWN, 7)])) == [(5, 7)]


def test_check_5_words_that_are_not_those_of_the_events_are_found(ledger: MemoryLedger) -> None:
    (finding,) = report(Lying(ledger, index_faults=lambda: ["a word more"])).findings
    assert (finding.check, finding.what) == (5, "a word more")


def test_check_10_a_store_that_is_not_sound_is_found(ledger: MemoryLedger) -> None:
    (finding,) = report(Lying(ledger, structural_faults=lambda: ["a page is torn"])).findings
    assert (finding.check, finding.what) == (10, "a page is torn")


def test_check_6_a_document_that_is_not_the_fold_is_found(ledger: MemoryLedger) -> None:
    before = dict(ledger._documents)
    key = next(key for key in before if key[0] == "goal")
    ledger._documents[key] = replace(before[key], live=False)
    assert told(ledger) == [(6, None)]
    ledger._documents = {k: d for k, d in before.items() if k != key}
    assert told(ledger) == [(6, None)]
    ledger._documents = {**before, ("goal", "made up"): replace(before[key], id="made up")}
    assert told(ledger) == [(6, None)]


def test_check_7_what_the_backup_has_must_be_here(ledger: MemoryLedger) -> None:
    last = ledger._chains[OWN][-1]
    backed_up = LastOutside(ledger_id=OWN, seq=last.seq, hash=last.hash, event_id=last.id, time=last.ts)
    assert told(ledger, backups=[backed_up]) == []
    assert told(ledger, backups=[replace(backed_up, hash="f" * 64)]) == [(7, 302)]
    assert told(ledger, backups=[replace(backed_up, seq=400)]) == [(7, 303)]


def test_check_7_of_a_chain_that_others_write_to_a_backup_may_have_more(ledger: MemoryLedger) -> None:
    last = ledger._chains[OWN][-1]
    theirs = LastOutside(ledger_id=OWN, seq=last.seq + 9, hash="f" * 64, event_id=last.id, time=last.ts, binds=False)
    assert told(ledger, backups=[theirs]) == []
    assert told(ledger, backups=[replace(theirs, seq=last.seq)]) == [(7, last.seq)]


def test_check_8_what_the_ledger_says_of_other_chains_must_be_so(ledger: MemoryLedger) -> None:
    ledger.merge(notes(OTHER, 300), merged())
    there = ledger._chains[OTHER][269]
    bound = NamedLedger(ledger_id=OTHER, seq=there.seq, hash=there.hash, where="event 303 (ledger.merged)")
    assert told(ledger, bound=[bound, replace(bound, hash="")]) == []
    assert told(ledger, bound=[replace(bound, hash="f" * 64)]) == [(8, 270)]
    assert told(ledger, bound=[replace(bound, seq=301)]) == [(8, 301)]
    assert told(ledger, bound=[replace(bound, ledger_id=NEXT)]) == [(8, None)]
    assert report(ledger, bound=[replace(bound, seq=301)]).failed == (replace(bound, seq=301),)


def test_whether_none_was_signed_before_or_none_holds_is_told(ledger: MemoryLedger) -> None:
    put(ledger, 200, actor="somebody")
    assert report(ledger, claim(ledger, 250)).findings[0].lacks == "no head was signed before it"
    false = replace(claim(ledger, 100), root=bytes(32))
    assert report(ledger, false).findings[0].lacks == "none of the heads signed before it holds"


def test_a_record_that_cannot_be_read_on_is_told_as_far_as_it_was(ledger: MemoryLedger) -> None:
    def torn(ledger_id: str) -> Any:
        yield next(ledger.rows(ledger_id))
        raise Damaged("ledger_damaged", "a page is torn")

    (finding,) = report(Lying(ledger, rows=torn), claim(ledger, 100)).findings
    assert (finding.check, finding.seq) == (1, BLOCK + 1)
    assert "a page is torn" in finding.what
    assert finding.since == claim(ledger, 100)


def test_many_findings_are_told_in_few_lines(ledger: MemoryLedger) -> None:
    for seq in range(10, 200):
        put(ledger, seq, actor="somebody")
    found = report(ledger).findings
    assert len(found) < 15
    assert found[-1].what == "and 180 more like these"


def test_the_auditor_has_no_verb_that_writes() -> None:
    verbs = {name for name in vars(Record) if not name.startswith("_")}
    faults = {"misindexed", "index_faults", "structural_faults"}
    assert verbs == {"heads", "own", "rows", "subtrees", "documents", "event"} | faults
