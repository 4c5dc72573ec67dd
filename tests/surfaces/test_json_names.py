"""The same thing has the same name in the JSON of every command (docs/adr/0147).

Every command is run once. What its answer says about a thing is found by its value: each text that is the id of a
session, the project's path and so on must stand under a name of that thing.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import Cli
from tests.surfaces.test_commands import live

NAMES = {
    "project_path": {"project_path", "transaction_project_path"},
    "project": {"project"},
    "project_id": {"project_id"},
    "ledger_id": {"ledger_id"},
    "instance_id": {"instance_id"},
    "session_id": {
        *("session_id", "session_ids", "parent_id", "lineage", "postflight_session_id"),
        *("preflight_session", "sessions_touched"),  # SPEC 4.6
    },
    "transaction_id": {"transaction_id", "transaction_ids", "active_transaction_id", "open_transactions", "belongs_to"},
    "task_id": {"task_id", "blocked_by", "waits_for"},
    "goal_id": {"goal_id"},
    "decision_id": {"decision_id", "supersedes", "superseded_by", "superseded"},
    "note_id": {"note_id"},
    "claim_id": {"claim_id"},
    "handoff_id": {"handoff_id"},
}
"""Thing → its name, and the names of its parts in something else, such as the session that a session continues."""
OF_ANY_EVENT = {"event_id", "change_id"}
"""Where events of many kinds stand in one list."""
QUOTED = {"source", "text", "value"}
"""Not ids: words that a person or an agent gave, or sentences about the record."""
MADE_BY = {
    "goal.created": "goal_id",
    "decision.made": "decision_id",
    "claim.made": "claim_id",
    "handoff.written": "handoff_id",
    **{f"note.{kind}": "note_id" for kind in ("question", "reasoning", "finding")},
}
"""The event's id is that of the thing."""
WITH_ID = {
    "task": "SPEC 7.1: a task's id is `id`; `task_id` stands beside it",
    "claim check": "SPEC 8.1; `claim_id` stands beside it",
    "audit think": "SPEC 14.2: a thought, of exactly these fields",
    "audit prove": "the event as it stands in the ledger",
    "audit verify-proof": "the event as it stands in the ledger",
}
"""Commands whose objects have a plain `id`."""
BY_CONTRACT_ALONE = {"audit think", "audit prove", "audit verify-proof"}


def objects(given: Any) -> Iterator[dict[str, Any]]:
    if isinstance(given, dict):
        yield given
    for each in given.values() if isinstance(given, dict) else given if isinstance(given, list) else ():
        yield from objects(each)


def texts(given: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(given, dict):
        for name, each in given.items():
            yield from texts(each, name)
    elif isinstance(given, list):
        for each in given:
            yield from texts(each, key)
    elif isinstance(given, str):
        yield key, given


def known(cli: Cli) -> dict[str, set[str]]:
    """Thing → its values in this project, by what the ledger says."""
    found: dict[str, set[str]] = defaultdict(set)
    for event in map(json.loads, cli("export").out.splitlines()[1:]):
        for name in ("session_id", "transaction_id", "instance_id", "task_id", "project_id", "ledger_id"):
            if event.get(name):
                found[name].add(event[name])
        if event["kind"] in MADE_BY:
            found[MADE_BY[event["kind"]]].add(event["id"])
    found["project_path"].add(str(cli.cwd))
    found["project"].add(cli.cwd.name)
    return found


def command_of(line: str) -> str:
    return next((each for each in WITH_ID if line.startswith(each)), line)


def test_every_command_calls_the_same_thing_by_the_same_name(cli: Cli, tmp_path: Path) -> None:
    answers = {line: done.json for line, done in live(cli, tmp_path, "--json").items() if not line.startswith("export")}
    cli.ok("init")
    answers["status --all"] = cli.ok("status", "--all")
    answers["where"] = cli.ok("where")
    things = known(cli)
    assert set(NAMES) == set(things)
    odd, seen = set(), set()
    for line, answer in answers.items():
        of_events = OF_ANY_EVENT | ({"id"} if command_of(line) in WITH_ID else set())
        for key, value in texts(answer):
            for thing, values in things.items():
                if value not in values:
                    continue
                seen.add(thing)
                if key not in NAMES[thing] | of_events | QUOTED:
                    odd.add((line, thing, key))
    assert odd == set()
    assert seen == set(NAMES), "each is in some answer"
    _has_the_usual_name_beside_a_plain_id(answers)


def _has_the_usual_name_beside_a_plain_id(answers: dict[str, Any]) -> None:
    plain = set()
    for line, answer in answers.items():
        for each in objects(answer):
            if "id" in each and command_of(line) not in BY_CONTRACT_ALONE:
                plain.add(command_of(line))
                assert each["id"] in (each.get("task_id"), each.get("claim_id")), (line, each)
    assert plain == set(WITH_ID) - BY_CONTRACT_ALONE


TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
OTHER_TIMES = {
    "timestamp": "SPEC 14.2: a thought, of exactly these fields",
    "since": "audit key: from when on it signs",
}


OF_ANY_TYPE = {"value", "default"}
"""Of a setting."""


def test_a_name_is_not_a_count_here_and_a_list_there_and_a_time_is_ts_or_at(cli: Cli, tmp_path: Path) -> None:
    answers = {line: done for line, done in live(cli, tmp_path, "--json").items() if not line.startswith("export")}
    kinds: dict[str, set[type]] = defaultdict(set)
    for given in (each for done in answers.values() for each in objects(done.json)):
        for name, each in given.items():
            kinds[name].add(type(each))
    assert {name for name, found in kinds.items() if {int, list} <= found} == OF_ANY_TYPE
    times = {name for done in answers.values() for name, text in texts(done.json) if TIMES.fullmatch(text)}
    assert {name for name in times if name != "ts" and not name.endswith("_at")} == set(OTHER_TIMES)


def test_a_file_that_export_wrote_is_a_path(cli: Cli, tmp_path: Path) -> None:
    written = cli.ok("export", str(tmp_path / "ledger.jsonl"))
    assert written["path"] == str(tmp_path / "ledger.jsonl")
