"""Transitions while others write: every one is judged on what the ledger says at that moment (SPEC 4.2, 4.4)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import attribution, projects, transaction_lookup, transactions
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import Desk, open_desk
from perdure.errors import Conflict, PerdureError, Refused, Trouble
from perdure.ledger.port import Ledger
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.place.resolve import Explicit

GOOD = SelfAssessment({"know": 0.8, "uncertainty": 0.2}, "because")
BAD = SelfAssessment({"know": 0.1, "uncertainty": 0.9}, "because")


class Interleaved:
    """A ledger in front of which something happens just before each of the first appends."""

    def __init__(self, ledger: Ledger, *before_append: Callable[[], object]) -> None:
        self._ledger = ledger
        self._before = list(before_append)

    def append(self, *given: Any) -> Any:
        if self._before:
            self._before.pop(0)()
        return self._ledger.append(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)


class Shop:
    def __init__(self, base: Path) -> None:
        self.root = base / "shop"
        self.environment = {"HOME": str(base / "person"), "PERDURE_HOME": str(base / "home")}
        self.root.mkdir()
        projects.init(self.request("left"), str(self.root), "shop")

    def request(self, instance: str, root: Path | None = None) -> Request:
        return Request(str(root or self.root), self.environment, Explicit(instance=instance), actor=USER)

    @contextmanager
    def desk(self, instance: str, *before_append: Callable[[], object]) -> Iterator[Desk]:
        with open_desk(self.request(instance)) as desk:
            if before_append:
                desk.ledger = Interleaved(desk.ledger, *before_append)  # type: ignore[assignment]
            yield desk

    def preflight(self, instance: str = "left", given: SelfAssessment = GOOD) -> str:
        with self.desk(instance) as desk:
            return transactions.preflight(desk, given).transaction.id

    def postflight(self, instance: str = "left", named: str | None = None) -> None:
        transactions.postflight(self.request(instance), GOOD, named)

    def learn(self) -> None:
        with self.desk("left") as desk:
            attribution.record_event(desk, "file.read", p.FileRead("a.py"))

    def kinds(self) -> list[str]:
        with self.desk("reader") as desk:
            return [event.kind for event in desk.ledger.events()]

    def shown(self) -> list[tuple[str, bool]]:
        files = sorted((self.root / ".perdure").glob("active_transaction*.json"))
        found = [json.loads(file.read_text()) for file in files]
        return [(each["status"], each["gate"]["passes"]) for each in found]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def refused(code: str, work: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        work()
    assert caught.value.code == code
    return caught.value


def test_of_two_postflights_at_once_one_closes_and_the_other_is_told(shop: Shop) -> None:
    shop.preflight()
    with shop.desk("left", shop.postflight) as desk:
        refused("transaction_closed", lambda: transactions.close_here(desk, GOOD))
    assert shop.kinds().count("transaction.closed") == 1
    assert shop.shown() == [("closed", True)]


def test_what_is_seen_while_it_is_closed_does_not_keep_it_open(shop: Shop) -> None:
    """Hooks record what they see while POSTFLIGHT runs; it is taken in, and counts."""
    shop.preflight()

    def tests_fail() -> None:
        with shop.desk("left") as hook:
            attribution.record_event(hook, "test.run", p.TestRun("pytest", 1, 1))

    with shop.desk("left", shop.learn, tests_fail) as desk:
        closed = transactions.close_here(desk, GOOD)
    assert closed.transaction.status == "closed"
    assert closed.calibration["know"].evidence == 0
    assert shop.kinds().count("transaction.closed") == 1
    assert shop.shown() == [("closed", True)]


def test_what_is_learned_while_it_is_checked_counts(shop: Shop) -> None:
    shop.preflight(given=BAD)
    with shop.desk("left", shop.learn) as desk:
        assert transactions.check(desk, GOOD).assessment.decision == "proceed"
    assert shop.kinds().count("transaction.checked") == 1


def test_a_check_of_what_is_closed_at_the_same_moment_is_refused(shop: Shop) -> None:
    shop.preflight()
    with shop.desk("left", shop.postflight) as desk:
        refused("no_open_transaction", lambda: transactions.check(desk, GOOD))
    assert "transaction.checked" not in shop.kinds()


def test_an_override_of_what_is_closed_at_the_same_moment_is_refused(shop: Shop) -> None:
    opened = shop.preflight(given=BAD)
    with shop.desk("person", shop.postflight) as desk:
        refused("transaction_closed", lambda: transactions.override(desk, opened, "go on"))
    assert "transaction.overridden" not in shop.kinds()
    assert shop.shown() == [("closed", False)]


def test_an_override_while_others_write_is_made(shop: Shop) -> None:
    opened = shop.preflight(given=BAD)
    with shop.desk("person", shop.learn) as desk:
        assert transactions.override(desk, opened, "go on").transaction.passes
    assert shop.shown() == [("open", True)]


def test_an_adoption_of_what_is_closed_at_the_same_moment_is_refused(shop: Shop) -> None:
    opened = shop.preflight()
    with shop.desk("right", shop.postflight) as desk:
        refused("transaction_closed", lambda: transactions.adopt(desk, opened))
    assert "transaction.adopted" not in shop.kinds()
    assert shop.shown() == [("closed", True)]


def test_an_adoption_while_its_holder_writes_is_made(shop: Shop) -> None:
    opened = shop.preflight()
    with shop.desk("right", shop.learn) as desk:
        assert transactions.adopt(desk, opened).mine
    assert shop.shown() == [("open", True)]


def test_of_two_adoptions_at_once_one_is_made(shop: Shop) -> None:
    opened = shop.preflight()

    def other_adopts() -> None:
        with shop.desk("third") as other:
            transactions.adopt(other, opened)

    with shop.desk("right", other_adopts) as desk, pytest.raises(Conflict):
        transactions.adopt(desk, opened)
    with shop.desk("third") as third:
        assert attribution.own_open_transaction(third) is not None
    assert shop.kinds().count("transaction.adopted") == 1
    assert shop.shown() == [("open", True)]


def test_an_orphan_that_is_touched_while_it_is_put_away_is_left(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.preflight()
    monkeypatch.setitem(shop.environment, "PERDURE_TRANSACTION_ORPHAN_HOURS", "1")
    with open_desk(shop.request("left")) as desk:
        (held,) = transaction_lookup.all_open(desk)
    later = held.transaction.updated_at + 2 * 3_600_000
    request = Request(str(shop.root), shop.environment, Explicit(instance="right"), actor="bob", now=lambda: later)
    with open_desk(request) as desk:
        desk.ledger = Interleaved(desk.ledger, shop.learn)  # type: ignore[assignment]
        assert transactions.close_orphans(desk) == []
    assert "transaction.closed" not in shop.kinds()
    assert shop.shown() == [("open", True)]


# -- the file before the ledger ----------------------------------------------------------------------------------------


class Died(BaseException):
    """As if the process had ended here."""


def die() -> None:
    raise Died


SHUTTING: dict[str, Callable[[Desk, str], object]] = {
    "postflight": lambda desk, _: transactions.close_here(desk, GOOD),
    "a check that fails": lambda desk, _: transactions.check(desk, BAD),
}


@pytest.mark.parametrize("how", sorted(SHUTTING))
def test_a_death_before_what_shuts_the_gate_is_on_record_leaves_a_file_that_denies(shop: Shop, how: str) -> None:
    opened = shop.preflight()
    with shop.desk("left", die) as desk, pytest.raises(Died):
        SHUTTING[how](desk, opened)
    (shown,) = shop.shown()
    assert shown != ("open", True)


def test_a_death_before_an_adoption_is_on_record_leaves_no_file(shop: Shop) -> None:
    opened = shop.preflight()
    with shop.desk("right", die) as desk, pytest.raises(Died):
        transactions.adopt(desk, opened)
    assert shop.shown() == []


def fail() -> None:
    raise Trouble("disk_full", "No room.")


SHUTTING["adoption"] = lambda desk, opened: transactions.adopt(desk, opened)


@pytest.mark.parametrize("how", sorted(SHUTTING))
def test_where_it_could_not_be_recorded_the_file_shows_the_ledger_again(shop: Shop, how: str) -> None:
    opened = shop.preflight()
    before = shop.kinds()
    with shop.desk("right" if how == "adoption" else "left", fail) as desk, pytest.raises(Trouble):
        SHUTTING[how](desk, opened)
    assert shop.kinds() == before
    assert shop.shown() == [("open", True)]


def test_a_transition_leaves_nothing_half_made_behind(shop: Shop) -> None:
    for _ in range(2):
        opened = shop.preflight()
        shop.learn()
        with shop.desk("left") as desk:
            transactions.check(desk, GOOD)
        with shop.desk("right") as desk:
            transactions.adopt(desk, opened)
        shop.postflight("right")
        with pytest.raises(PerdureError):
            shop.postflight("right")
    left = [name for name in os.listdir(shop.root / ".perdure") if "tmp" in name or "room" in name]
    assert left == []


# -- one project's trouble is not another's ----------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [b"this is no database", None], ids=["damaged", "gone"])
def test_a_transaction_is_found_by_its_id_though_another_projects_ledger_is_in_trouble(
    shop: Shop, tmp_path: Path, damage: bytes | None
) -> None:
    opened = shop.preflight()
    for name in ("aaa", "bbb", "ccc"):
        (tmp_path / name).mkdir()
        projects.init(shop.request("left", tmp_path / name), str(tmp_path / name), name)
        ledger = tmp_path / name / ".perdure" / "ledger.db"
        for part in ledger.parent.glob("ledger.db*"):
            part.unlink()
        if damage is not None:
            ledger.write_bytes(damage)
    transactions.postflight(shop.request("left", tmp_path / "aaa"), GOOD, opened)
    assert shop.shown() == [("closed", True)]
    error = refused(
        "no_such_transaction", lambda: transactions.postflight(shop.request("left"), GOOD, "0" * 8 + opened[8:])
    )
    assert len(error.details["unreadable"]) == 3  # type: ignore[arg-type]
