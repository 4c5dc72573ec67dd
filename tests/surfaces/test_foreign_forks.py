"""What another machine wrote about forks neither settles, words nor pushes out a fork of this ledger (SPEC 7.4,
20.5)."""

from __future__ import annotations

from typing import Any

from perdure.actions import forks
from perdure.actions.fork_check import MOST_KEYS
from perdure.model.event import Draft
from tests.conftest import Cli
from tests.contract.making import draft
from tests.surfaces.test_foreign_events import take_in
from tests.surfaces.test_foreign_words import EVIL, evil_payload
from tests.surfaces.test_importing import pane

__all__ = ["pane"]

STATED = "The database is settled.\n\ndatabase = mysql\n"


def decided(key: str, content: str) -> Draft:
    return draft("decision.made", {"decision": f"use {content}", "key": key, "value": content})


def stated(pane: Cli) -> dict[str, Any]:
    done = pane("fork", "check", "-", "--json", input=STATED)
    assert done.code in (0, 1), done
    found: dict[str, Any] = done.json
    return found


def our_decision(pane: Cli) -> str:
    made = pane.ok("decide", "use postgres", "--key", "database", "--value", "postgres")
    return str(made["decision_id"])


def test_a_resolution_of_another_machine_does_not_settle_what_a_text_states_here(pane: Cli) -> None:
    our_decision(pane)
    (fork,) = stated(pane)["forks"]
    take_in(pane, [draft("fork.resolved", evil_payload("fork.resolved", {"fork_id": fork["fork_id"]}))])
    found = stated(pane)
    assert (found["stated"], found["settled"]) == (1, 0)
    pane.ok("fork", "resolve", fork["fork_id"], "--keep", "ledger", "--because", "measured")
    found = stated(pane)
    assert (found["stated"], found["settled"]) == (0, 1)


def test_a_fork_that_another_machine_recorded_is_not_shown_for_what_a_text_states_here(pane: Cli) -> None:
    ours = our_decision(pane)
    (fork,) = stated(pane)["forks"]
    sides = [
        {"side": "ledger", "decision_id": ours, "value": EVIL},
        {"side": "context", "value": EVIL, "source": EVIL, "line": 1, "text": EVIL},
    ]
    said = {"about": "context", "field": EVIL, "sides": sides, "fork_id": fork["fork_id"]}
    take_in(pane, [draft("fork.detected", said)])
    found = stated(pane)
    assert found["stated"] == 1
    assert EVIL not in str(found)


def test_an_import_does_not_push_our_keys_out_of_what_a_text_is_compared_with(pane: Cli) -> None:
    our_decision(pane)
    assert stated(pane)["stated"] == 1
    take_in(pane, [decided(f"key-{each}", "x") for each in range(MOST_KEYS + 10)])
    assert stated(pane)["stated"] == 1


def test_an_import_does_not_push_our_forks_out_of_the_list(pane: Cli) -> None:
    our_decision(pane)
    pane.ok("decide", "use sqlite", "--key", "database", "--value", "sqlite")
    stated(pane)
    ours = {each["fork_id"] for each in pane.ok("fork", "list")}
    many = forks.MOST_READ + 10
    take_in(pane, [decided(f"key-{each}", content) for each in range(many) for content in ("x", "y")])
    pane("fork", "check")
    pane("fork", "check")
    listed = pane.ok("fork", "list")
    assert len(ours) == 2
    assert ours <= {each["fork_id"] for each in listed}
    assert len(listed) > forks.MOST_READ
