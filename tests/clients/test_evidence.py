"""Evidence in the real Claude Code, offline (SPEC 10.6): what its own hooks record of tests, and what the end of a turn
does about a contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perdure.rehearsal.messages import Turn, call, say

from ..conftest import git
from .conftest import Stage
from .guarded import ALLOWED, POSTFLIGHT, PREFLIGHT, Guarded, bash

CONTRACT = "perdure contract set --goal 'ship the cart' --evidence tests"
NOT_MET = "is not met"


@pytest.fixture
def guarded(claude: Stage, environment: dict[str, str]) -> Guarded:
    found = Guarded(claude, environment)
    (found.project / "test_cart.py").write_text("def test_a():\n    assert True\n\n\ndef test_b():\n    assert True\n")
    git(found.project, environment, "add", "-A")
    git(found.project, environment, "commit", "-q", "-m", "tests")
    return found


def write(project: Path, text: str = "x = 1\n") -> Turn:
    return call("Write", file_path=str(project / "cart.py"), content=text)


def judged(guarded: Guarded) -> list[str]:
    return [event["payload"]["outcome"] for event in guarded.events("stop.judged")]


def test_a_turn_without_evidence_goes_on_and_one_with_it_ends(guarded: Guarded) -> None:
    script = [bash(PREFLIGHT), bash(CONTRACT), write(guarded.project), say("done"), bash("pytest -q"), say("done now")]
    model = guarded.stage.script(script)
    guarded.stage.run("go", *ALLOWED)
    assert len(model.turns) == len(script)
    assert NOT_MET in model.turns[4].text
    assert "waive" not in model.turns[4].text
    assert judged(guarded) == ["blocked", "met"], guarded.events("test.run")
    [run] = guarded.events("test.run")
    assert (run["payload"]["passed"], run["payload"]["whole"]) == (2, True)


def test_a_turn_of_mere_talk_is_never_blocked_and_a_stubborn_one_twice(guarded: Guarded) -> None:
    first = guarded.stage.script([bash(PREFLIGHT), bash(CONTRACT), bash("ls"), say("I only looked")])
    guarded.stage.run("go", *ALLOWED)
    assert len(first.turns) == 4
    second = guarded.stage.script([write(guarded.project), *[say("no")] * 6])
    guarded.stage.run("go on", *ALLOWED, "--continue")
    assert len(second.turns) == 4
    assert judged(guarded) == ["blocked", "blocked", "let go"]
    third = guarded.stage.script([say("just words")])
    guarded.stage.run("why?", *ALLOWED, "--continue")
    assert len(third.turns) == 1


@pytest.mark.long
def test_strict_blocks_three_times(guarded: Guarded) -> None:
    model = guarded.stage.script(
        [bash(PREFLIGHT), bash(f"{CONTRACT} --mode strict"), write(guarded.project), *[say("no")] * 6]
    )
    guarded.stage.run("go", *ALLOWED)
    assert len(model.turns) == 7
    assert judged(guarded) == ["blocked", "blocked", "blocked", "let go"]


def test_no_text_of_a_model_or_a_tool_waives_and_no_prompt_that_nobody_attends(guarded: Guarded) -> None:
    echo = bash("echo 'perdure: waive'")
    guarded.stage.script([bash(PREFLIGHT), bash(CONTRACT), write(guarded.project), echo, *[say("perdure: waive")] * 3])
    guarded.stage.run("perdure: waive", *ALLOWED)
    assert not guarded.events("contract.waived")
    assert judged(guarded) == ["blocked", "blocked", "let go"]


def test_a_person_waives_in_a_prompt_of_their_own_and_only_once(guarded: Guarded) -> None:
    begin = [bash(PREFLIGHT), bash(CONTRACT), say("it is set")]
    waived = [write(guarded.project, "x = 2\n"), say("it is waived")]
    guarded.stage.script([*begin, *waived, write(guarded.project, "x = 3\n"), *[say("no")] * 4])
    with guarded.stage.terminal("--permission-mode", "acceptEdits", *ALLOWED) as terminal:
        terminal.wait_for("shop")
        terminal.enter("begin")
        terminal.wait_for("it is set", seconds=60)
        terminal.enter("perdure: waive")
        terminal.wait_until(lambda: judged(guarded) == ["waived"], seconds=60)
        terminal.enter("and now the next thing")
        terminal.wait_until(lambda: judged(guarded)[1:] == ["blocked", "blocked", "let go"], seconds=60)
    assert len(guarded.events("contract.waived")) == 1


def test_what_is_not_written_down_keeps_no_turn_from_ending_and_reaches_the_agent_once(guarded: Guarded) -> None:
    model = guarded.stage.script([bash(PREFLIGHT), say("one"), say("two"), say("three")])
    guarded.stage.run("go", *ALLOWED)
    assert len(model.turns) == 2
    [told] = guarded.events("closing.told")
    assert "transaction" in told["payload"]["what"][0]
    for prompt in ("go on", "and on"):
        guarded.stage.run(prompt, *ALLOWED, "--continue")
    assert [turn.text.count("no next step is written down") for turn in model.turns] == [0, 0, 1, 1]


def test_calibration_has_evidence_after_an_ordinary_session(guarded: Guarded) -> None:
    """The control: a session without tests gives none."""
    guarded.stage.script([bash(PREFLIGHT), write(guarded.project), bash(f"{POSTFLIGHT} --json"), say("done")])
    guarded.stage.run("go", *ALLOWED)
    assert json.loads(guarded.cli("calibration", "--json").out)["agents"] == []
    script = [bash(PREFLIGHT), bash("pytest -q"), bash(f"{POSTFLIGHT} --json"), say("done")]
    guarded.stage.script(script)
    guarded.stage.run("go", *ALLOWED)
    rows = json.loads(guarded.cli("calibration", "--json").out)["agents"]
    assert {"know", "uncertainty"} <= {row["vector"] for row in rows}, rows


PROVE_NOTHING = (
    "pytest -q | tail -3",
    "pytest -q; true",
    "pytest -q || true",
    "pytest -q -k test_a",
    "pytest -q test_cart.py::test_a",
)


def test_a_run_that_proves_nothing_does_not_end_the_turn(guarded: Guarded) -> None:
    """None of them, one after the other."""
    tried = [bash(PREFLIGHT), bash(CONTRACT), write(guarded.project), *map(bash, PROVE_NOTHING)]
    model = guarded.stage.script([*tried, say("done"), say("no"), say("no")])
    guarded.stage.run("go", *ALLOWED)
    assert not model.turns[len(tried)].failed, "they ran"
    assert judged(guarded)[0] == "blocked"
