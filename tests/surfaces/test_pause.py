"""`perdure pause`: a person opens the gate for a while; it ends by itself and is on the record (SPEC 5.1)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from perdure.actions.pausing import SHORTEST, pause
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model.moment import Moment, now, stamp

from ..conftest import Cli, new_repository
from .test_hooks import SESSION, Hooks, events, hooks

__all__ = ["hooks"]


@pytest.fixture
def person(hooks: Hooks) -> Cli:
    hooks("SessionStart", source="startup")
    return hooks.cli.of_a_person()


def home_of(cli: Cli) -> Path:
    return Path(cli.environment["PERDURE_HOME"])


def pause_files(cli: Cli) -> list[Path]:
    folder = home_of(cli) / "paused"
    return list(folder.iterdir()) if folder.is_dir() else []


def test_while_it_is_paused_the_gate_denies_nothing_and_then_again(hooks: Hooks, person: Cli) -> None:
    assert hooks.bash("touch b")
    said = person.ok("pause", "10m", "--because", "a rename by hand")
    assert said["paused"] is True
    assert hooks.bash("touch b") == ""
    assert not hooks("PreToolUse", tool_name="Write", tool_input={"file_path": "a.txt", "content": "x"}).out
    assert person.ok("pause")["pause_id"] == said["pause_id"]
    assert person.ok("pause", "--end") == {"paused": False, "pause_id": said["pause_id"]}
    assert hooks.bash("touch b")
    assert person.ok("pause") == {"paused": False}


def test_what_is_for_people_stays_denied_while_it_is_paused(hooks: Hooks, person: Cli) -> None:
    person.ok("pause", "10m")
    for command in (
        "perdure pause 20m",
        "perdure config set gate.mode off",
        "rm -rf .perdure",
        "echo x > ~/.perdure/a",
    ):
        assert hooks.bash(command), command


def test_a_pause_is_of_one_project_alone(hooks: Hooks, person: Cli, tmp_path: Path) -> None:
    other = new_repository(tmp_path / "other", hooks.cli.environment)
    person.ok("init", cwd=other)
    person.ok("pause", "10m")
    assert hooks.bash("touch b") == ""
    assert hooks.bash(f"touch {other}/b")
    person.ok("pause", "10m", cwd=other)
    assert hooks.bash(f"touch {other}/b") == ""


def test_the_pause_and_its_end_are_on_the_record(hooks: Hooks, person: Cli) -> None:
    begun = person.ok("pause", "10m", "--because", "a rename by hand")
    person.ok("pause", "--end")
    [paused], [resumed] = events(hooks.cli, "gate.paused"), events(hooks.cli, "gate.resumed")
    assert paused["id"] == begun["pause_id"]
    assert paused["payload"] == {"until": begun["until"], "seconds": 600, "because": "a rename by hand"}
    assert (resumed["payload"]["pause"], resumed["payload"]["by"]) == (begun["pause_id"], "person")
    assert pause_files(hooks.cli) == []
    log = person("log").out
    assert "paused for 10 min: a rename by hand" in log
    assert "in force again: the person ended the pause" in log


def test_a_pause_that_ended_by_itself_is_recorded_by_the_next_one(hooks: Hooks, person: Cli) -> None:
    began = Moment(now() - SHORTEST + 4_000)  # the shortest pause is ten seconds: nobody waits for all of them
    with open_desk(Request(str(person.cwd), person.environment, now=lambda: began)) as desk:
        begun = pause(desk, SHORTEST, because="")
    assert hooks.bash("touch b") == ""
    deadline = time.monotonic() + 30
    while not hooks.bash("touch b"):
        assert time.monotonic() < deadline, "it does not end"
        time.sleep(0.1)
    assert events(hooks.cli, "gate.resumed") == []
    person.ok("note", "finding", "later")
    person.ok("note", "finding", "later still")
    [resumed] = events(hooks.cli, "gate.resumed")
    assert (resumed["payload"]["by"], resumed["payload"]["at"]) == ("time", stamp(begun.until))
    assert pause_files(hooks.cli) == []


def test_two_pauses_at_once_leave_one_and_both_are_recorded(hooks: Hooks, person: Cli) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: person.ok("pause", "10m"), range(4)))
    assert len(pause_files(hooks.cli)) == 1
    begun = {event["id"] for event in events(hooks.cli, "gate.paused")}
    assert begun == {each["pause_id"] for each in made}
    ended = [event["payload"]["pause"] for event in events(hooks.cli, "gate.resumed")]
    assert begun - set(ended) == {person.ok("pause")["pause_id"]}
    assert len(ended) == 3


def test_a_pause_that_was_killed_leaves_nothing_open_that_is_not_recorded(hooks: Hooks, person: Cli) -> None:
    for delay in (0.05, 0.15, 0.2, 0.25, 0.3, 0.4):
        process = subprocess.Popen(
            person.command("pause", "10m"),
            cwd=person.cwd,
            env=person.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        shown = person.ok("pause")
        if shown["paused"]:
            assert shown["pause_id"] in {event["id"] for event in events(hooks.cli, "gate.paused")}
    person.ok("pause", "10m")
    person.ok("pause", "--end")
    assert hooks.bash("touch b")


def test_status_and_the_status_line_say_that_it_is_paused_and_until_when(hooks: Hooks, person: Cli) -> None:
    until = person.ok("pause", "10m", "--because", "a rename by hand")["until"]
    warnings = person.ok("status")["warnings"]
    assert "a rename by hand" in warnings[0]
    assert "The gate is paused until " in warnings[0]
    shown = time.strftime("%H:%M", time.localtime(time.time() + 600))
    line = hooks("statusLine").out
    assert "gate paused until " in line
    assert until[14:16] in line
    assert shown[:2] in line
    started = hooks("SessionStart", source="startup").out
    assert "The gate is paused until" in started


def test_an_agent_cannot_pause_the_gate(hooks: Hooks) -> None:
    refused = hooks.cli("pause", "10m", "--json", CLAUDECODE="1")
    assert (refused.code, refused.json["error"]["code"]) == (1, "for_people")
    refused = hooks.cli("pause", "10m", "--json", PERDURE_CLIENT_SESSION=SESSION)
    assert (refused.code, refused.json["error"]["code"]) == (1, "for_people")
    assert pause_files(hooks.cli) == []
    assert events(hooks.cli, "gate.paused") == []


@pytest.mark.parametrize("given", ["10", "m", "10x", "-5m", "0m", "9s", "25h", "1h-30m", "٣m", "99999999999h", "5m 3"])
def test_a_length_that_is_none_or_too_long_is_refused(person: Cli, given: str) -> None:
    refused = person("pause", "--json", "--", given)
    assert (refused.code, refused.json["error"]["code"]) == (2, "bad_duration"), refused


def test_where_the_gate_is_off_there_is_nothing_to_pause(person: Cli) -> None:
    person.ok("config", "set", "gate.mode", "off")
    refused = person("pause", "10m", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "gate_off")
    assert person("pause", "--end", "--json").json["error"]["code"] == "not_paused"


def test_a_copied_project_is_not_paused(hooks: Hooks, person: Cli, tmp_path: Path) -> None:
    person.ok("pause", "10m")
    copied = tmp_path / "copied"
    shutil.copytree(hooks.cli.cwd, copied, symlinks=True)
    assert hooks.bash(f"touch {copied}/b")


def test_a_pause_that_was_put_back_or_forged_opens_nothing(hooks: Hooks, person: Cli) -> None:
    person.ok("pause", "1h")
    [file] = pause_files(person)
    content = file.read_text()
    person.ok("pause", "--end")
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    assert hooks.bash("touch b")
    forged = {**json.loads(content), "from_boot": 10**15, "until_boot": 10**16}
    file.write_text(json.dumps(forged))
    assert hooks.bash("touch b")
    os.unlink(file)
    file.mkdir()
    assert hooks.bash("touch b")
