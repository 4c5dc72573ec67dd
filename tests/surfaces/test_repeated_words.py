"""`redact` erases a prompt with the goal that it set, and names every event that still has the erased words (SPEC 2.2,
16.4)."""

from __future__ import annotations

import json
import shlex
from typing import Any

from tests.conftest import Cli
from tests.surfaces.test_claims import prompt, shop
from tests.surfaces.test_transfer import laptop, lines_of

__all__ = ["laptop", "shop"]

SAID = "please never tell Lindqvist about the second ledger"


def events(cli: Cli, *kinds: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines_of(cli)]
    return [event for event in found if event["kind"] in kinds]


def holding(cli: Cli, text: str) -> list[str]:
    return [event["kind"] for event in map(json.loads, lines_of(cli)) if text in json.dumps(event.get("payload"))]


def follow(cli: Cli, command: str) -> None:
    words = shlex.split(command)
    assert words[0] == "perdure"
    cli.ok(*words[1:])


def test_a_prompt_is_erased_together_with_the_goal_that_it_set(shop: Cli) -> None:
    prompt(shop, SAID, "left")
    (given,), (goal,) = events(shop, "prompt.given"), events(shop, "goal.prompted")
    done = shop.ok("redact", given["id"], "--because", "private")
    assert done["erased_with_it"] == [{"event_id": goal["id"], "kind": "goal.prompted", "seq": goal["seq"]}]
    assert done["repeated_in"] == []
    assert holding(shop, "Lindqvist") == []
    assert [each["payload"]["seq"] for each in events(shop, "payload.redacted")] == [goal["seq"], given["seq"]]
    assert "Lindqvist" not in shop("recover").out
    assert shop("audit", "verify").code == 0
    assert shop("heal", "--check").code == 0


def test_a_goal_is_erased_together_with_the_long_prompt_that_set_it(shop: Cli) -> None:
    prompt(shop, f"{SAID}\n\n" + "word " * 100, "left")
    (goal,) = events(shop, "goal.prompted")
    said = shop("redact", goal["id"], "--because", "private").out
    assert "The payloads of goal.prompted" in said
    assert "which had the same words, are erased" in said
    assert holding(shop, "Lindqvist") == []


def test_what_only_names_the_place_or_the_prompt_is_not_called_a_repetition(shop: Cli) -> None:
    """Who follows the printed commands must not erase the project and its sessions."""
    prompt(shop, SAID, "left")
    flags = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the second ledger")
    shop.ok("preflight", *flags, PERDURE_INSTANCE="left")
    shop.ok("handoff", "write", PERDURE_INSTANCE="left")
    shop.ok("postflight", *flags[:4], PERDURE_INSTANCE="left")
    (opened,), (given,) = events(shop, "transaction.opened"), events(shop, "prompt.given")
    assert opened["payload"]["project_path"] == str(shop.cwd)
    for erased in (opened, given):
        assert shop.ok("redact", erased["id"], "--because", "private")["repeated_in"] == []


def test_a_later_prompt_and_the_goal_of_an_earlier_one_are_not_taken_for_one(shop: Cli) -> None:
    prompt(shop, "mend the cart first", "left")
    prompt(shop, SAID, "left")
    _, given = events(shop, "prompt.given")
    assert shop.ok("redact", given["id"], "--because", "private")["erased_with_it"] == []
    assert holding(shop, "mend the cart first") == ["prompt.given", "goal.prompted"]


def test_a_claim_that_quotes_an_erased_prompt_is_named_with_the_command_that_erases_it(shop: Cli) -> None:
    prompt(shop, SAID, "left")
    quote = "never tell  Lindqvist about"
    assert shop("claim", "add", "he must not know", "--user-said", quote, PERDURE_INSTANCE="left").code == 0
    (given,), (claim,) = events(shop, "prompt.given"), events(shop, "claim.made")
    done = shop.ok("redact", given["id"], "--because", "it's private")
    (found,) = done["repeated_in"]
    assert (found["event_id"], found["kind"], found["seq"]) == (claim["id"], "claim.made", claim["seq"])
    follow(shop, found["command"])
    assert holding(shop, "Lindqvist") == []


def test_a_decision_that_settled_a_fork_is_named_when_the_one_that_it_copied_is_erased(shop: Cli) -> None:
    first = shop.ok("decide", "ask Lindqvist first", "--key", "who", "--value", "Lindqvist Ltd")["decision_id"]
    shop.ok("decide", "ask nobody", "--key", "who", "--value", "nobody at all")
    (fork,) = shop("fork", "list", "--json").json
    shop.ok("fork", "resolve", fork["fork_id"], "--keep", "1", "--because", "he wrote the second ledger")
    done = shop("redact", first, "--because", "a name").out
    assert "still holds erased words" in done
    commands = [line.partition(": ")[2] for line in done.splitlines() if "perdure redact" in line]
    assert len(commands) == 1
    settled = shop.ok(*shlex.split(commands[0])[1:])
    assert [each["kind"] for each in settled["repeated_in"]] == ["fork.resolved"], "it has the reason"
    follow(shop, settled["repeated_in"][0]["command"])
    assert holding(shop, "Lindqvist") == holding(shop, "he wrote the second") == []


def test_a_reason_that_repeats_the_erased_words_is_refused(shop: Cli) -> None:
    note = shop.ok("note", "finding", "Lindqvist")["note_id"]
    refused = shop("redact", note, "--because", "names Lindqvist", "--json")
    assert (refused.code, refused.error["code"]) == (2, "reason_repeats")
    assert holding(shop, "Lindqvist") == ["note.finding"]


def test_an_event_that_can_never_be_erased_is_named_without_a_command(shop: Cli) -> None:
    other = shop.ok("note", "finding", "some other words")["note_id"]
    shop.ok("redact", other, "--because", "Lindqvist asked for it")
    note = shop.ok("note", "finding", "Lindqvist")["note_id"]
    (found,) = shop.ok("redact", note, "--because", "a name")["repeated_in"]
    assert (found["kind"], found["command"]) == ("payload.redacted", None)


def test_ids_and_the_words_of_fixed_lists_are_not_repetition(shop: Cli) -> None:
    for claim in ("the first one is here", "another one is there"):
        shop.ok(
            "claim", "add", claim, "--cite", "${PROJECT_ROOT}/src/cart.py:3", "--quote", "total_cents = price * count"
        )
    one, _ = events(shop, "claim.made")
    done = shop.ok("redact", one["id"], "--because", "x")
    assert {each["kind"] for each in done["repeated_in"]} == {"claim.made"}, "they cite the same line"
    note = shop.ok("note", "finding", "verified")["note_id"]
    assert shop.ok("redact", note, "--because", "x")["repeated_in"] != [], "but what somebody wrote is looked for"


def test_an_import_that_erases_a_payload_names_what_here_still_has_its_words(shop: Cli, laptop: Cli) -> None:
    decision = laptop.ok("decide", "ask Lindqvist first")["decision_id"]
    shop.ok("import", "-", "--yes", input="\n".join(lines_of(laptop)))
    note = shop.ok("note", "finding", "they say: ask Lindqvist first")["note_id"]
    laptop.ok("redact", decision, "--because", "a name")
    done = shop.ok("import", "-", "--yes", input="\n".join(lines_of(laptop)))
    assert [each["event_id"] for each in done["repeated_in"]] == [note]
    follow(shop, done["repeated_in"][0]["command"])
    assert holding(shop, "Lindqvist") == []
