"""The stage itself, without Perdure: what the real client does with a hook, and that the scripted model can show it.

These are the controls. When one fails, the client has changed, and what stands on it must be looked at again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.model.value import value
from perdure.rehearsal.claude_code import Played
from perdure.rehearsal.messages import MAIN, ScriptedCall, ScriptedModel, Turn, call, say

from .conftest import OLDEST, PINNED, Stage, hook, recorded, recording, stage_for_several

TOUCH = [call("Bash", command="touch here"), say("done")]
ALLOWED = ("--allowedTools", "Bash")
DENY = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not without a plan"}


def test_it_is_the_version_it_should_be(both_claudes: Stage) -> None:
    assert both_claudes.client.version() == both_claudes.version


# -- one session, in which hooks deny, fail, are missing and are not asked ------------------------------------------

JUDGES = """case $(cat) in *denied*) cat answer.json;; *failing*) echo broken >&2; exit 1;; esac"""
LOOKS_AT = "^(?!(?:Read|Glob|Grep)$)"
ONE_OF_EACH = {
    "read": ("Read", {"file_path": "PROJECT/readme.txt"}),
    "allowed": ("Bash", {"command": "touch allowed"}),
    "unnamed": ("Bash", {"command": "touch unnamed"}),
    "denied": ("Bash", {"command": "touch denied"}),
    "failing": ("Bash", {"command": "touch failing"}),
    "missing": ("Write", {"file_path": "PROJECT/missing", "content": "x"}),
}
RULES = ("--allowedTools", *(f"Bash(touch {name})" for name in ("allowed", "denied", "failing")), "Write", "Read")


@value
class Hooked:
    stage: Stage
    model: ScriptedModel
    played: Played
    log: Path

    def made(self, name: str) -> bool:
        return (self.stage.project / name).exists()


@pytest.fixture(scope="module", params=[PINNED, OLDEST])
def hooked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooked]:
    with stage_for_several(request.param, tmp_path_factory) as (stage, _):
        log = stage.home / "log"
        (stage.project / "answer.json").write_text(json.dumps({"hookSpecificOutput": DENY}))
        missing = hook("/nowhere/python", "-I", onFailure="block", matcher="Write")
        watching = {**recording(log, "PreToolUse")["PreToolUse"][0], "matcher": LOOKS_AT}
        stage.settings({"hooks": {"PreToolUse": [hook(JUDGES, matcher="Bash"), missing, watching]}})
        calls = [
            ScriptedCall(tool, {name: text.replace("PROJECT", str(stage.project)) for name, text in given.items()}, id)
            for id, (tool, given) in ONE_OF_EACH.items()
        ]
        model = stage.script([*(Turn(calls=(each,)) for each in calls), say("done")])
        yield Hooked(stage, model, stage.run("go", *RULES), log)


def test_what_a_permission_rule_allows_happens_and_its_result_reaches_the_model(hooked: Hooked) -> None:
    assert (hooked.played.code, hooked.played.result, hooked.played.unread) == (0, "done", ())
    assert hooked.made("allowed")
    assert list(hooked.model.turns[1].results) == ["read"]
    assert list(hooked.model.turns[-1].results) == list(ONE_OF_EACH)
    assert "go" in hooked.model.turns[0].first_prompt
    assert hooked.model.finished()
    assert hooked.model.troubles == [], "nothing wanted to leave the machine"


def test_what_no_rule_allows_does_not_happen(hooked: Hooked) -> None:
    assert not hooked.made("unnamed")
    assert "unnamed" in hooked.model.turns[-1].failed
    assert "allowed" not in hooked.model.turns[-1].failed


def outcomes(hooked: Hooked, at: str) -> list[tuple[int | None, str, str]]:
    """Of the hook that judges, for this call."""
    runs = [run for run in hooked.played.hooks("PreToolUse") if run.name == "PreToolUse:Bash"]
    asked = [id for id, (tool, _) in ONE_OF_EACH.items() if tool == "Bash"]
    first = asked.index(at) * len(runs) // len(asked)
    return [(run.code, run.outcome, run.err) for run in runs[first : first + len(runs) // len(asked)]]


def test_a_hook_that_denies_is_obeyed_and_the_model_reads_why(hooked: Hooked) -> None:
    assert not hooked.made("denied")
    assert hooked.model.turns[-1].results["denied"].endswith("not without a plan")
    assert outcomes(hooked, "denied") == [(0, "success", "")] * 2


def test_a_hook_that_fails_lets_the_tool_run(hooked: Hooked) -> None:
    assert hooked.made("failing")
    assert sorted(outcomes(hooked, "failing")) == [(0, "success", ""), (1, "error", "broken\n")]


def test_on_failure_block_is_obeyed_by_the_pinned_version_and_ignored_by_the_oldest(hooked: Hooked) -> None:
    if ".".join(map(str, hooked.stage.version)) == PINNED:
        assert not hooked.made("missing")
        assert 'blocking because onFailure is "block"' in hooked.model.turns[-1].results["missing"]
    else:
        assert hooked.made("missing")


def test_a_matcher_can_leave_out_what_only_looks(hooked: Hooked) -> None:
    asked = [tool for tool, _ in ONE_OF_EACH.values()]
    assert [given["tool_name"] for given in recorded(hooked.log)] == [tool for tool in asked if tool != "Read"]
    assert "shop" in hooked.model.turns[-1].results["read"], "it was read"


# -- what needs a session of its own -------------------------------------------------------------------------------


def test_hooks_are_switched_off_by_one_setting(any_claude: Stage) -> None:
    any_claude.settings({"hooks": {"PreToolUse": [hook("exit 2")]}, "disableAllHooks": True})
    any_claude.script(TOUCH)
    assert any_claude.run("go", *ALLOWED).hooks() == []
    assert (any_claude.project / "here").exists()


def test_automatic_compaction_is_triggered_by_what_the_model_says_it_read(any_claude: Stage, tmp_path: Path) -> None:
    log = tmp_path / "log"
    any_claude.settings({"hooks": recording(log, "PreCompact", "SubagentStop", "SessionStart", "PostCompact")})
    full = Turn(calls=(ScriptedCall("Bash", {"command": "echo two"}),), input_tokens=190_000)
    model = any_claude.script([call("Bash", command="echo one"), full, say("done")])
    played = any_claude.run("the first words", *ALLOWED, CLAUDE_CODE_AUTO_COMPACT_WINDOW="100000")
    assert played.result == "done"
    assert len(model.summaries) == 1
    assert "the first words" in model.turns[1].text
    assert "the first words" not in model.turns[2].text
    assert "A fixed summary." in model.turns[2].text
    order = [(given["hook_event_name"], given.get("source", given.get("trigger"))) for given in recorded(log)]
    assert order == [
        ("SessionStart", "startup"),
        ("PreCompact", "auto"),
        ("SubagentStop", None),
        ("SessionStart", "compact"),
        ("PostCompact", "auto"),
    ]


def test_a_subagent_plays_a_script_of_its_own(any_claude: Stage, tmp_path: Path) -> None:
    log = tmp_path / "log"
    any_claude.settings({"hooks": recording(log, "PreToolUse")})
    start = call("Agent", description="x", prompt="count the files", subagent_type="general-purpose")
    model = any_claude.script({MAIN: [start, say("done")], "count the files": [*TOUCH[:1], say("there are two")]})
    any_claude.run("go", "--allowedTools", "Bash,Agent")
    assert (any_claude.project / "here").exists()
    assert [(given["tool_name"], "agent_id" in given) for given in recorded(log)] == [("Agent", False), ("Bash", True)]
    assert "there are two" in model.of(MAIN)[-1].text


def test_a_session_is_resumed_while_its_first_process_still_runs(any_claude: Stage) -> None:
    late = threading.Event()
    second = {MAIN: [say("first", held=late)], "second": [say("second")]}
    model = any_claude.script(second, choose=lambda request: "second" if "go on" in request.text else MAIN)
    session = "11111111-2222-4333-8444-555555555555"
    with any_claude.start("go", "--session-id", session) as running:
        assert model.wait_until(lambda model: bool(model.of(MAIN)))
        resumed = any_claude.run("go on", "--resume", session)
        late.set()
        first = running.finish()
    assert (resumed.session, resumed.result) == (session, "second")
    assert (first.session, first.result) == (session, "first")


def test_what_wants_to_leave_the_machine_is_stopped_and_named(claude: Stage) -> None:
    model = claude.script([call("WebFetch", url="https://example.org/", prompt="x"), say("done")])
    claude.run("go", "--allowedTools", "WebFetch")
    assert model.turns[1].failed == {"toolu_1_0"}
    assert model.troubles
    assert all("nothing leaves this machine" in trouble for trouble in model.troubles)


def test_the_status_line_runs_in_a_terminal_and_clear_begins_a_session_in_the_same_process(
    any_claude: Stage, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    watched = recording(log, "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
    any_claude.settings({"statusLine": {"type": "command", "command": "echo all-$((6*7))-well"}, "hooks": watched})
    model = any_claude.script([say("answered")])

    def last() -> str:
        return str(recorded(log)[-1]["hook_event_name"]) if recorded(log) else ""

    with any_claude.terminal() as terminal:
        terminal.wait_for("all-42-well")
        terminal.enter("please")
        terminal.wait_until(lambda: last() == "Stop")
        terminal.enter("/clear")
        terminal.wait_until(lambda: last() == "SessionStart")
        terminal.enter("/exit")
        assert terminal.end() == 0
    first, said, stopped, ended, cleared, over = recorded(log)
    assert said["prompt"] == "please"
    assert (first["session_id"], "clear") == (ended["session_id"], ended["reason"]) == (stopped["session_id"], "clear")
    assert cleared["source"] == "clear"
    assert cleared["session_id"] == over["session_id"] != first["session_id"]
    assert model.troubles == [], "nothing wanted to leave the machine"
