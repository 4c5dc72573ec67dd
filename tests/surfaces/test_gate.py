"""perdure gate explain, as a person and a program use it; and what the gate says here and now (SPEC 5.1, 5.2, 5.7)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import gating
from perdure.actions.request import Request
from perdure.model.moment import Moment
from perdure.model.value import replace

from ..conftest import Cli, assessment, git, new_repository

PERSON = {"PERDURE_INSTANCE": "pane-1"}
OTHER = {"PERDURE_INSTANCE": "pane-2"}


def explained(cli: Cli, command: str, **variables: str) -> dict[str, Any]:
    found: dict[str, Any] = cli.ok("gate", "explain", command, **variables)
    return found


def test_a_command_is_explained_part_by_part(cli: Cli) -> None:
    found = explained(cli, "cd src && sort -o b a | tee /tmp/x; rm c")
    assert found["effect"] == "praxic"
    assert found["parts"][0]["part"] == "cd src"
    assert found["writes"][0].endswith("/shop/src/b")
    assert found["verdict"] == "deny"
    assert found["clears"].startswith("perdure preflight")


def test_a_person_reads_it(cli: Cli) -> None:
    shown = cli("gate", "explain", "ls && rm -rf build", NO_COLOR="1").out
    assert shown.startswith("changes things: writes to ")
    assert "\n  only reads      ls" in shown
    assert "\n  changes things  rm -rf build" in shown
    assert "praxic" not in shown
    assert "noetic" not in shown
    assert "needs      a CHECK that says proceed: it " in shown
    assert "to clear   perdure preflight" in shown


def test_an_unknown_program_is_let_through_by_the_command_that_its_reason_names(cli: Cli) -> None:
    found = explained(cli, "mytool list a")
    assert "perdure config set gate.readers 'NAME, …'" in found["reason"]
    cli.ok("config", "set", "gate.readers", "othertool, mytool list")
    assert explained(cli, "mytool list a")["effect"] == "noetic"


def test_a_tool_call_from_the_client_is_taken_as_it_comes(cli: Cli) -> None:
    lines = [
        '"git status"',
        json.dumps({"tool_name": "Bash", "tool_input": {"command": "touch a"}, "session_id": "x"}),
        json.dumps({"tool_name": "Edit", "tool_input": {"file_path": "a.py"}}),
        json.dumps({"tool_name": "Read", "tool_input": {"file_path": "a.py"}}),
        json.dumps({"tool_name": "Bash", "tool_input": {"command": "perdure preflight --know 1"}, "agent_id": "sub"}),
        "not json",
        "[1]",
        "7",
        '{"tool_name": "Bash"}',
        '{"tool_name": "Bash", "tool_input": "ls"}',
        "",
        "\x80",
        json.dumps("x" * 200_000),
        '"ls"',
    ]
    done = cli("gate", "explain", "--json", "--stdin", input="\n".join(lines).encode("latin-1") + b"\n")
    answers = [json.loads(line) for line in done.out.splitlines()]
    expected = ["noetic", "praxic", "praxic", "noetic", "transition", *["praxic"] * 8, "noetic"]
    assert [answer["effect"] for answer in answers] == expected
    assert all(answer["reason"] for answer in answers)
    assert "cannot be read" in answers[5]["reason"]
    assert answers[4]["verdict"] == "deny", "a subagent opens nothing"
    assert done.code == 0


def test_answers_come_line_by_line_while_the_pipe_stays_open(cli: Cli) -> None:
    with subprocess.Popen(
        cli.command("gate", "explain", "--json", "--stdin"),
        cwd=cli.cwd,
        env=cli.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        for command, effect in (("ls", "noetic"), ("rm a", "praxic"), ("perdure status", "transition")):
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["effect"] == effect
        process.stdin.close()
        assert process.wait(10) == 0


def test_cwd_says_where_it_would_run(cli: Cli, tmp_path: Path) -> None:
    (cli.cwd / "src").mkdir()
    found = cli.ok("gate", "explain", "touch a", "--cwd", str(cli.cwd / "src"))
    assert found["writes"] == [str(cli.cwd / "src" / "a")]
    assert cli("gate", "explain", "ls", "--cwd", str(tmp_path / "nowhere"), "--json").error["code"] == "bad_path"


@pytest.mark.parametrize("arguments", [("explain",), ("explain", "ls", "--stdin"), ("explain", "a", "b"), ()])
def test_wrong_words_are_named(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli("gate", *arguments).code == 2


def test_the_verdict_follows_the_transaction(cli: Cli) -> None:
    assert explained(cli, "touch a", **PERSON)["verdict"] == "deny"
    cli.ok("preflight", "-", input=assessment(), **PERSON)
    assert explained(cli, "touch a", **PERSON)["verdict"] == "pass"
    assert explained(cli, "touch a", **OTHER)["verdict"] == "deny", "another instance's transaction is not one's own"
    assert explained(cli, "git push --force", **PERSON)["clears"].startswith("perdure check")
    cli.ok("postflight", "-", input=assessment(), **PERSON)
    assert explained(cli, "touch a", **PERSON)["verdict"] == "deny"


def test_an_assessment_that_does_not_pass_does_not_open_the_gate(cli: Cli) -> None:
    cli.ok("preflight", "-", input=assessment(know=0.2), **PERSON)
    found = explained(cli, "touch a", **PERSON)
    assert found["verdict"] == "deny"
    assert found["clears"].startswith("perdure check")


def test_a_place_that_cannot_be_told_needs_a_preflight(cli: Cli) -> None:
    cli.ok("preflight", "-", input=assessment(), **PERSON)
    assert cli.ok("gate", "explain", "touch a", PERDURE_INSTANCE="nobody-knows")["verdict"] == "deny"


def test_the_project_is_that_of_the_path_written(cli: Cli, tmp_path: Path) -> None:
    other = new_repository(tmp_path / "other", cli.environment)
    cli.ok("init", cwd=other)
    cli.ok("preflight", "-", input=assessment(), **PERSON)
    assert explained(cli, "touch a", **PERSON)["verdict"] == "pass"
    assert explained(cli, f"touch {other}/a", **PERSON)["verdict"] == "deny"


def test_a_linked_worktree_is_inside(cli: Cli, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(cli.cwd, cli.environment, "worktree", "add", "-q", str(tree))
    assert cli.ok("gate", "explain", "touch a", cwd=tree, **PERSON)["verdict"] == "deny"


def test_outside_any_project_the_gate_is_silent(cli: Cli, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    found = cli.ok("gate", "explain", "rm -rf x", cwd=outside)
    assert (found["effect"], found["verdict"], found["project_path"]) == ("praxic", "pass", None)


def test_modes(cli: Cli) -> None:
    assert explained(cli, "touch a", PERDURE_GATE_MODE="off")["verdict"] == "pass"
    found = explained(cli, "touch a", PERDURE_GATE_MODE="observe")
    assert (found["verdict"], bool(found["denied_because"])) == ("pass", True)
    assert cli("gate", "explain", "ls", PERDURE_GATE_MODE="maybe").code == 2


def test_a_person_teaches_a_program(cli: Cli) -> None:
    assert explained(cli, "mytool list --all")["effect"] == "praxic"
    assert "gate" in explained(cli, "mytool list")["reason"]
    cli.ok("config", "set", "gate.readers", "mytool list, othertool")
    assert explained(cli, "mytool list --all | othertool")["effect"] == "noetic"
    assert explained(cli, "mytool remove x")["effect"] == "praxic"


def test_scratch_can_be_set(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    cli.ok("config", "set", "gate.scratch", "/srv/perdure-bench")
    assert explained(cli, "touch /srv/perdure-bench/a")["effect"] == "noetic"


def request(cli: Cli, **variables: str) -> Request:
    return Request(str(cli.cwd), {**cli.environment, **variables})


def test_observe_puts_on_record_what_it_would_have_denied(cli: Cli) -> None:
    call = gating.ToolCall("Bash", {"command": "touch a"})
    assert not gating.guard(request(cli, PERDURE_GATE_MODE="observe", **PERSON), call).denies
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    observed = [event["payload"] for event in events if event.get("kind") == "gate.observed"]
    assert [each["part"] for each in observed] == ["touch a"]
    gating.guard(request(cli, PERDURE_GATE_MODE="observe", **PERSON), gating.ToolCall("Bash", {"command": "ls"}))
    assert cli("export").out.count("gate.observed") == 1


def test_an_observation_that_an_unforeseen_error_keeps_from_the_record_denies_nothing(cli: Cli) -> None:
    def broken_clock() -> Moment:
        raise RuntimeError("the clock is broken")

    asked = replace(request(cli, PERDURE_GATE_MODE="observe", **PERSON), now=broken_clock)
    judged = gating.guard(asked, gating.ToolCall("Bash", {"command": "touch a"}))
    assert judged.verdict.denied
    assert not judged.denies
    assert judged.unrecorded == "RuntimeError: the clock is broken"


class TestFailures:
    """Each internal fault is a deny that says it is a failure (SPEC 5.6)."""

    def denied(self, cli: Cli, command: str = "touch a") -> str:
        judged = gating.judge_request(request(cli, **PERSON), gating.ToolCall("Bash", {"command": command}))
        assert judged.denies
        assert judged.analysis.effect != "noetic"
        return judged.verdict.reason

    @pytest.fixture(autouse=True)
    def _open(self, cli: Cli) -> None:
        cli.ok("preflight", "-", input=assessment(), **PERSON)
        judged = gating.judge_request(request(cli, **PERSON), gating.ToolCall("Bash", {"command": "touch a"}))
        assert not judged.verdict.denied, "before the fault it passes"

    def view(self, cli: Cli) -> Path:
        return next((cli.cwd / ".perdure").glob("active_transaction*.json"))

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"status": "open"}', "\0" * 100, "{}" * 50000])
    def test_a_garbled_view(self, cli: Cli, content: str) -> None:
        self.view(cli).write_text(content)
        assert "failure of the guard" in self.denied(cli)

    def test_a_view_that_somebody_edited(self, cli: Cli) -> None:
        view = self.view(cli)
        view.write_text(view.read_text().replace('"status":"open"', '"status":"open" '))
        fields = json.loads(view.read_text())
        fields["gate"]["checked"] = True
        view.write_text(json.dumps(fields))
        assert "failure of the guard" in self.denied(cli)

    def test_a_view_that_cannot_be_read(self, cli: Cli) -> None:
        view = self.view(cli)
        view.unlink()
        view.mkdir()
        assert "fail" in self.denied(cli)

    def test_a_key_that_is_gone(self, cli: Cli) -> None:
        (Path(cli.environment["PERDURE_HOME"]) / "keys" / "view.key").unlink()
        assert "failure of the guard" in self.denied(cli)

    def test_a_parser_that_is_missing(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "perdure.gate.tools", None)
        assert "failure of the guard" in self.denied(cli, "ls | head")

    def test_a_parser_that_runs_out_of_memory(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        def out_of_memory(_text: str) -> None:
            raise MemoryError

        monkeypatch.setattr("perdure.gate.shell.parse.parse", out_of_memory)
        assert "MemoryError" in self.denied(cli, "ls | head")

    def test_a_table_that_cannot_be_read(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("perdure.gate.effects.judge_by_card.FAMILIES", ("text", "never_written"))
        assert "ModuleNotFoundError" in self.denied(cli, "frobnicate")

    def test_a_card_that_is_none(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("perdure.gate.effects.judge_by_card._cards", {})
        monkeypatch.setattr("perdure.gate.effects.judge_by_card.card_text", lambda _name: "any\nwhat is this")
        assert "BadCard" in self.denied(cli, "ls")

    def test_a_setting_that_is_wrong(self, cli: Cli) -> None:
        Path(cli.environment["PERDURE_HOME"], "config.toml").write_text("[gate\n")
        assert "config.toml" in self.denied(cli)

    def test_a_record_that_vanished_under_a_live_binding(self, cli: Cli) -> None:
        os.rename(cli.cwd / ".perdure", cli.cwd / "elsewhere")
        judged = gating.judge_request(request(cli, **PERSON), gating.ToolCall("Bash", {"command": "touch a"}))
        assert judged.denies
        assert judged.verdict.clears == "perdure heal"
