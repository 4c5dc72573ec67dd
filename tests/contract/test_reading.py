"""Reading: by place, by kind, by the beginning of an id; newest first; never more than asked for."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from perdure.ledger.port import Ledger, WrittenBy
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref
from perdure.model.ownership import is_own
from perdure.model.state import Project
from perdure.model.terms import terms_of

from .making import (
    NEXT,
    OTHER,
    OWN,
    PROJECT,
    THIRD,
    T,
    assert_sound,
    chain,
    documents_in,
    done,
    draft,
    goal,
    id_of,
    merged,
    notes,
    opened,
    redaction,
)


def test_one_chain_from_a_place_on(ledger: Ledger) -> None:
    own = ledger.append([draft() for _ in range(5)]).events
    ledger.merge(notes(OTHER, 3), merged())
    assert list(ledger.events(OWN, 2))[:3] == [*own[2:]]
    assert [event.seq for event in ledger.events(OTHER, 1)] == [2, 3]
    assert list(ledger.events(OTHER, 3)) == []
    assert list(ledger.events(OTHER, 99)) == []
    assert list(ledger.events(NEXT)) == []


def test_one_event_by_its_place(ledger: Ledger) -> None:
    (event,) = ledger.append([draft()]).events
    assert ledger.event(Ref(OWN, 1)) == event
    for nowhere in (Ref(OWN, 0), Ref(OWN, 2), Ref(OWN, -1), Ref(OTHER, 1), Ref("", 1), Ref(OWN, 2**40 + 1)):
        assert ledger.event(nowhere) is None


def test_a_long_chain_is_read_whole_and_in_order(ledger: Ledger) -> None:
    for _ in range(7):
        ledger.append([draft() for _ in range(100)])
    ledger.append([draft()])
    assert [event.seq for event in ledger.events(OWN)] == list(range(1, 702))
    assert [event.seq for event in ledger.events()] == list(range(1, 702))
    assert [event.seq for event in ledger.events(OWN, 500)] == list(range(501, 702))


# -- by words --------------------------------------------------------------------------------------------------------


def said(*texts: str) -> list[Draft]:
    return [draft(payload=p.Note(text)) for text in texts]


def found_by(ledger: Ledger, query: str, limit: int = 10) -> list[str]:
    return [str((event.payload or {})["text"]) for event in ledger.mentioning(terms_of(query), limit).events]


def test_events_are_found_by_their_words_whatever_their_form(ledger: Ledger) -> None:
    ledger.append(said("Cached headers are parsed twice", "nothing of the kind", "use parseHeader()", "Über Größe"))
    assert found_by(ledger, "caching") == ["Cached headers are parsed twice"]
    assert found_by(ledger, "parse header") == ["use parseHeader()", "Cached headers are parsed twice"]
    assert found_by(ledger, "grosse") == found_by(ledger, "uber") == ["Über Größe"]
    assert found_by(ledger, "absent") == []
    assert found_by(ledger, "") == []


def test_what_hooks_saw_is_found_apart_from_what_was_said(ledger: Ledger) -> None:
    failed = {"command": "pytest tests/cart", "outcome": "failed", "error": "AssertionError: 3 != 4"}
    ledger.append(
        [draft("command.run", failed), draft("edit.made", {"path": "src/cart.py"}), *said("the cart is slow")]
    )
    assert found_by(ledger, "cart") == ["the cart is slow"]
    for query, kinds in {
        "cart": {"command.run", "edit.made"},
        "assertion error": {"command.run"},
        "slow": set(),
    }.items():
        assert {each.kind for each in ledger.mentioning(terms_of(query), 10, seen=True).events} == kinds


def test_words_that_are_written_without_spaces_are_found(ledger: Ledger) -> None:
    ledger.append(said("我们使用SQLite缓存", "キャッシュを使う", "캐시를 사용한다"))
    assert found_by(ledger, "缓存") == ["我们使用SQLite缓存"]
    assert found_by(ledger, "sqlite") == ["我们使用SQLite缓存"]
    assert found_by(ledger, "キャッシュ") == ["キャッシュを使う"]
    assert found_by(ledger, "캐시") == ["캐시를 사용한다"]


def test_rarer_words_and_more_of_them_come_first_and_the_newer_of_equals(ledger: Ledger) -> None:
    ledger.append(said("the cache", "the cache of pages", "the cache of tiles", "the pages", "the tiles", "the rest"))
    assert found_by(ledger, "the cache of tiles", 3) == ["the cache of tiles", "the cache of pages", "the tiles"]
    assert found_by(ledger, "the", 2) == ["the rest", "the tiles"]


def test_words_in_a_query_are_not_a_language(ledger: Ledger) -> None:
    ledger.append(said('NEAR("a" b) OR text:c*', "AND", "x"))
    for hostile in ('"', "a AND", "NOT x", "x*", "text : x", "(", "^x", "-x", "\0", "'; DROP TABLE events; --"):
        found_by(ledger, hostile)
    assert found_by(ledger, "NOT x") == ["x"]


def test_what_is_erased_is_not_found_by_its_words(ledger: Ledger, connect: Callable[[], Ledger]) -> None:
    events = ledger.append(said(*("plain words" for _ in range(400)), "the secret word")).events
    assert found_by(ledger, "secret") == ["the secret word"]
    ledger.erase(Ref(OWN, events[-1].seq), redaction(events[-1]))
    assert found_by(connect(), "secret") == []
    assert found_by(connect(), "plain", 1) == ["plain words"]


def test_what_was_taken_in_from_elsewhere_is_found_too(ledger: Ledger) -> None:
    ledger.append(said("ours about tiles"))
    ledger.merge(chain(OTHER, said("theirs about tiles"), clock=50), merged())
    assert found_by(ledger, "tiles") == ["theirs about tiles", "ours about tiles"]


# -- the newest of a kind --------------------------------------------------------------------------------------------


def newest(ledger: Ledger, kinds: list[str], limit: int) -> list[Event]:
    """By going through everything."""
    return [event for event in reversed(list(ledger.events())) if event.kind in kinds][:limit]


@pytest.mark.parametrize("length", [0, 1, 5, 255, 256, 257, 600])
def test_the_newest_of_some_kinds_newest_first(ledger: Ledger, length: int) -> None:
    kinds = ["note.finding", "file.read", "unheard.of"]
    if length:
        ledger.append([draft(kinds[n % 3], {"n": n}) for n in range(length)])
    for wanted in ([kinds[0]], kinds[1:], kinds, ["never.seen"], []):
        for limit in (0, 1, 2, 3, 100, 1000):
            assert ledger.latest(wanted, limit) == newest(ledger, wanted, limit)


def test_the_newest_are_found_in_every_chain(ledger: Ledger) -> None:
    for n in range(20):
        ledger.append([draft("decision.made", p.DecisionMade(str(n)))])
    ledger.merge(chain(OTHER, [draft("decision.made", p.DecisionMade(f"o{n}")) for n in range(300)]), merged())
    ledger.merge(chain(THIRD, [draft("decision.made", p.DecisionMade("t"))], clock=9000), merged())
    ledger.append([draft("decision.made", p.DecisionMade("last"))])
    for limit in (1, 2, 3, 25, 290, 400):
        assert ledger.latest(["decision.made"], limit) == newest(ledger, ["decision.made"], limit)
    for own in ({}, ledger.own(), {OTHER: 290}, {**ledger.own(), THIRD: 1}):
        of_these = [event for event in newest(ledger, ["decision.made"], 400) if is_own(event, own)]
        for limit in (0, 1, 21, 290, 400):
            assert ledger.latest(["decision.made"], limit, own) == of_these[:limit]


@pytest.mark.parametrize("length", [0, 5, 256, 700])
def test_the_newest_that_some_wrote_however_much_others_wrote_since(ledger: Ledger, length: int) -> None:
    session, instance, transaction = (str(UUID(int=n)) for n in (1, 2, 3))
    own = {"session_id": session}, {"instance_id": instance}, {"transaction_id": transaction}, {"session_id": OTHER}
    ledger.append([draft(kind, **each) for each in own for kind in ("note.finding", "file.read")])
    if length:
        ledger.append([draft("note.finding", session_id=THIRD, instance_id=THIRD) for _ in range(length)])
    ledger.merge(chain(OTHER, [draft("note.finding", session_id=session)] * 3), merged())
    for by in (
        WrittenBy(),
        WrittenBy((session,)),
        WrittenBy((OTHER, session), instance),
        WrittenBy(instance_id=instance, transaction_id=transaction),
        WrittenBy((THIRD,)),
    ):
        for kinds in (["note.finding"], ["note.finding", "file.read"]):
            theirs = [event for event in newest(ledger, kinds, 2000) if by.wrote(event)]
            here = [event for event in theirs if is_own(event, ledger.own())]
            for limit in (0, 1, 2, 5, 1000):
                assert ledger.latest(kinds, limit, by=by) == theirs[:limit]
                assert ledger.latest(kinds, limit, ledger.own(), by=by) == here[:limit]


@pytest.mark.parametrize("length", [3, 256, 300])
def test_where_clocks_are_equal_the_ledger_id_decides(ledger: Ledger, length: int) -> None:
    """Machines that never met count alike; their merged events still have one order (SPEC 2.2)."""
    ledger.append([draft() for _ in range(length)])
    ids = [OTHER, THIRD, NEXT, "55555555-5555-4555-8555-555555555555"]
    ledger.merge([event for name in ids for event in notes(name, length)], merged())
    ledger.append([draft("file.read", p.FileRead("x"))])
    for limit in range(1, 12):
        assert ledger.latest(["note.finding"], limit) == newest(ledger, ["note.finding"], limit)
    assert ledger.latest(["note.finding"], 5 * length) == newest(ledger, ["note.finding"], 5 * length)


# -- by texts that they repeat ---------------------------------------------------------------------------------------


def repeating(ledger: Ledger, *texts: str, limit: int = 10) -> list[str]:
    return [str((event.payload or {})["text"]) for event in ledger.repeating(texts, limit)]


def test_events_that_repeat_a_text_or_a_part_of_it_are_found_newest_first(ledger: Ledger) -> None:
    asked = 'ask "Lindqvist"\nabout the Größe'
    ledger.append(said(f"then {asked}.", "about the Größe", "Lindqvist", "about", "nothing of it"))
    assert repeating(ledger, asked) == ["about the Größe", f"then {asked}."], "one word alone is no repetition"
    assert repeating(ledger, "Lindqvist") == ["Lindqvist", f"then {asked}."]
    assert repeating(ledger, asked, "nothing of it", limit=2) == ["nothing of it", "about the Größe"]
    assert repeating(ledger, *(f"unheard of {n}" for n in range(150)), "Lindqvist", limit=1) == ["Lindqvist"]
    assert repeating(ledger) == []


def test_an_event_of_another_ledger_repeats_a_text_too_and_an_erased_one_does_not(ledger: Ledger) -> None:
    events = chain(OTHER, said("ask Lindqvist", "ask Lindqvist again"))
    ledger.merge(events, merged())
    ledger.append(said("Lindqvist knows"))
    ledger.erase(Ref(OTHER, 1), redaction(events[0]))
    assert repeating(ledger, "Lindqvist") == ["Lindqvist knows", "ask Lindqvist again"]


def test_texts_in_lists_and_in_deeper_places_are_looked_through(ledger: Ledger) -> None:
    ledger.append([draft("claim.absent", {"queries": ["ask Lindqvist"]}), draft("x.y", {"a": [{"b": "Lindqvist!"}]})])
    assert [event.kind for event in ledger.repeating(["Lindqvist"], 5)] == ["x.y", "claim.absent"]


# -- by the beginning of an id ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [0, 250, 300], ids=["short", "at a block's end", "long"])
def test_events_by_the_beginning_of_their_id(ledger: Ledger, before: int) -> None:
    ledger.append([draft(id=f"99999999-0000-4000-8000-{n:012}") for n in range(before)] or [draft()])
    ids = ["abcdef00-0000-4000-8000-000000000001", "abcdef00-0000-4000-8000-000000000002",
           "abcdef01-0000-4000-8000-000000000003", "abcdef01-0000-4000-8000-000000000004"]  # fmt: skip
    kinds = ["note.finding", "file.read", "note.finding", "note.finding"]
    events = ledger.append([draft(kind, {}, id=id_) for kind, id_ in zip(kinds, ids, strict=True)]).events
    assert ledger.find(ids[0]) == [events[0]]
    assert ledger.find("abcdef00") == [*events[:2]]
    assert ledger.find("abcdef00", ["file.read"]) == [events[1]]
    assert ledger.find("abcdef00", ["file.read", "note.finding"]) == [*events[:2]]
    assert ledger.find("abcdef", ["note.finding"]) == [events[0], events[2], events[3]]
    assert len(ledger.find("abcdef")) == 3, "enough to tell one from several"
    assert ledger.find("abcdef02") == []
    assert ledger.find(ids[0], ["goal.created"]) == []
    assert dict(ledger.ids()) == {event.id: Ref(event.ledger_id, event.seq) for event in ledger.events()}
    for not_a_pattern in ("abcdef0%", "abcdef0_", "abcdef0*", "ABCDEF00", "%"):
        assert ledger.find(not_a_pattern) == []


def test_documents_by_the_beginning_of_their_id(ledger: Ledger) -> None:
    ledger.append([goal(n) for n in (1, 2, 3, 11, 12)])
    assert [d.id for d in ledger.find_documents("goal", id_of(2))] == [id_of(2)]
    assert [d.id for d in ledger.find_documents("goal", id_of(11)[:-1])] == [id_of(11), id_of(12)]
    assert len(ledger.find_documents("goal", id_of(1)[:8])) == 3
    assert ledger.find_documents("note", id_of(1)) == []
    for not_a_pattern in (id_of(1)[:-1] + "%", id_of(1)[:-1] + "_", "%", "_" * 36):
        assert ledger.find_documents("goal", not_a_pattern) == []


# -- documents -------------------------------------------------------------------------------------------------------


def test_documents_come_newest_change_first(ledger: Ledger) -> None:
    for n in range(4):
        ledger.append([goal(n)])
    ledger.append([done(1)])
    ledger.append([done(0)])
    order = [id_of(0), id_of(1), id_of(3), id_of(2)]
    assert [d.id for d in ledger.documents("goal")] == order
    assert [d.id for d in ledger.documents("goal", limit=2)] == order[:2]
    assert [d.id for d in ledger.documents("goal", limit=99)] == order
    assert ledger.documents("goal", limit=0) == []
    assert [d.id for d in ledger.documents("goal", live=True)] == order[2:]
    assert [d.id for d in ledger.documents("goal", live=False)] == order[:2]
    assert [d.id for d in ledger.documents("goal", live=True, limit=1)] == order[2:3]
    assert ledger.documents("session") == []


def test_documents_that_one_event_changed_come_in_order_of_their_id(ledger: Ledger) -> None:
    started = draft("session.started", p.SessionStarted("terminal", "/p"), session_id=T, instance_id=OWN)
    ledger.append([started])
    again = draft("session.started", p.SessionStarted("clear", "/p", T), session_id=id_of(1), instance_id=OWN)
    ledger.append([again])
    assert [d.id for d in ledger.documents("session")] == [id_of(1), T]
    assert {d.clock for d in ledger.documents("session")} == {2}


def test_one_document_by_kind_and_id(ledger: Ledger) -> None:
    ledger.append([draft("project.created", p.ProjectCreated("shop", "/p")), opened()])
    found = ledger.document("project", "this")
    assert found is not None
    assert found.body == Project(PROJECT, "/p", "shop")
    assert (found.kind, found.id, found.live, found.clock) == ("project", "this", True, 1)
    assert ledger.document("project", "that") is None
    assert ledger.document("transaction", "this") is None


# -- what this version does not know ---------------------------------------------------------------------------------


def test_an_unknown_kind_is_kept_verified_and_skipped(ledger: Ledger) -> None:
    ledger.append([draft("task.created", {"title": "x", "deep": [1, {"a": None}]}, schema=4)])
    ledger.merge(chain(OTHER, [draft("hologram.shown", {"n": 1})]), merged())
    kinds = [event.kind for event in ledger.events()]
    assert sorted(kinds) == ["hologram.shown", "ledger.merged", "task.created"]
    assert documents_in(ledger) == {}
    assert ledger.latest(["task.created"], 1)[0].payload == {"title": "x", "deep": [1, {"a": None}]}
    assert_sound(ledger)


def test_a_newer_version_of_a_kind_is_kept_and_skipped(ledger: Ledger) -> None:
    ledger.append([draft("project.created", p.ProjectCreated("shop", "/p"), schema=2)])
    assert documents_in(ledger) == {}
    assert_sound(ledger)


def test_an_old_version_is_upcast_when_it_is_folded_and_never_rewritten(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = ledger.append([draft("project.created", {"title": "shop", "folder": "/p"}, schema=1)]).events
    monkeypatch.setitem(p.KINDS, "project.created", (p.ProjectCreated, 2))
    monkeypatch.setitem(p.UPCASTS, ("project.created", 1), lambda was: {"name": was["title"], "path": was["folder"]})
    ledger.rebuild()
    found = ledger.document("project", "this")
    assert found is not None
    assert found.body == Project(PROJECT, "/p", "shop")
    ledger.append([draft("project.created", p.ProjectCreated("shop 2", "/p"), schema=2)])
    found = ledger.document("project", "this")
    assert found is not None
    assert found.body == Project(PROJECT, "/p", "shop 2")
    assert next(ledger.events()) == old
    assert_sound(ledger)
