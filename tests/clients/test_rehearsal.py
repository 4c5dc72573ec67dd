"""The stage itself, without Perdure: what the real client does with a hook, and that the scripted model can show it.

These are the controls. When one fails, the client has changed, and what stands on it must be looked at again.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path

from perdure.rehearsal.messages import MAIN, ScriptedCall, Turn, call, say

from .conftest import PINNED, Stage, hook, recorded, recording

TOUCH = [call("Bash", command="touch here"), say("done")]
ALLOWED = ("--allowedTools", "Bash")
DENY = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not without a plan"}


def test_it_is_the_version_it_should_be(both_claudes: Stage) -> None:
    assert both_claudes.client.version() == both_claudes.version


def test_what_a_permission_rule_allows_happens_and_its_result_reaches_the_model(both_claudes: Stage) -> None:
    model = both_claudes.script(TOUCH)
    played = both_claudes.run("go", *ALLOWED)
    assert (played.code, played.result, played.unread) == (0, "done", ())
    assert (both_claudes.project / "here").exists()
    assert list(model.turns[1].results) == ["toolu_1_0"]
    assert "go" in model.turns[0].first_prompt
    assert model.finished()
    assert model.troubles == [], "nothing wanted to leave the machine"


def test_what_no_rule_allows_does_not_happen(both_claudes: Stage) -> None:
    model = both_claudes.script(TOUCH)
    both_claudes.run("go")
    assert not (both_claudes.project / "here").exists()
    assert model.turns[1].failed == {"toolu_1_0"}


def test_a_hook_that_denies_is_obeyed_and_the_model_reads_why(both_claudes: Stage, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"hookSpecificOutput": DENY}))
    both_claudes.settings({"hooks": {"PreToolUse": [hook("/bin/cat", str(answer))]}})
    model = both_claudes.script(TOUCH)
    played = both_claudes.run("go", *ALLOWED)
    assert not (both_claudes.project / "here").exists()
    assert model.turns[1].results["toolu_1_0"].endswith("not without a plan")
    assert [(run.code, run.outcome) for run in played.hooks("PreToolUse")] == [(0, "success")]


def test_a_hook_that_fails_lets_the_tool_run(both_claudes: Stage) -> None:
    both_claudes.settings({"hooks": {"PreToolUse": [hook("echo broken >&2; exit 1")]}})
    both_claudes.script(TOUCH)
    played = both_claudes.run("go", *ALLOWED)
    assert (both_claudes.project / "here").exists()
    assert [(run.code, run.outcome, run.err) for run in played.hooks()] == [(1, "error", "broken\n")]


def test_on_failure_block_is_obeyed_by_the_pinned_version_and_ignored_by_the_oldest(both_claudes: Stage) -> None:
    both_claudes.settings({"hooks": {"PreToolUse": [hook("/nowhere/python", "-I", onFailure="block")]}})
    model = both_claudes.script(TOUCH)
    both_claudes.run("go", *ALLOWED)
    if ".".join(map(str, both_claudes.version)) == PINNED:
        assert not (both_claudes.project / "here").exists()
        assert 'blocking because onFailure is "block"' in model.turns[1].results["toolu_1_0"]
    else:
        assert (both_claudes.project / "here").exists()


def test_a_matcher_can_leave_out_what_only_looks(both_claudes: Stage, tmp_path: Path) -> None:
    log = tmp_path / "log"
    entry = recording(log, "PreToolUse")["PreToolUse"][0]
    both_claudes.settings({"hooks": {"PreToolUse": [{**entry, "matcher": "^(?!(?:Read|Glob|Grep)$)"}]}})
    both_claudes.script([call("Read", file_path=str(both_claudes.project / "readme.txt")), *TOUCH])
    both_claudes.run("go", *ALLOWED)
    assert [given["tool_name"] for given in recorded(log)] == ["Bash"]


def test_hooks_are_switched_off_by_one_setting(both_claudes: Stage) -> None:
    both_claudes.settings({"hooks": {"PreToolUse": [hook("exit 2")]}, "disableAllHooks": True})
    both_claudes.script(TOUCH)
    assert both_claudes.run("go", *ALLOWED).hooks() == []
    assert (both_claudes.project / "here").exists()


def test_automatic_compaction_is_triggered_by_what_the_model_says_it_read(both_claudes: Stage, tmp_path: Path) -> None:
    log = tmp_path / "log"
    both_claudes.settings({"hooks": recording(log, "PreCompact", "SubagentStop", "SessionStart", "PostCompact")})
    full = Turn(calls=(ScriptedCall("Bash", {"command": "echo two"}),), input_tokens=190_000)
    model = both_claudes.script([call("Bash", command="echo one"), full, say("done")])
    played = both_claudes.run("the first words", *ALLOWED, CLAUDE_CODE_AUTO_COMPACT_WINDOW="100000")
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


def test_a_subagent_plays_a_script_of_its_own(both_claudes: Stage, tmp_path: Path) -> None:
    log = tmp_path / "log"
    both_claudes.settings({"hooks": recording(log, "PreToolUse")})
    start = call("Agent", description="x", prompt="count the files", subagent_type="general-purpose")
    model = both_claudes.script({MAIN: [start, say("done")], "count the files": [*TOUCH[:1], say("there are two")]})
    both_claudes.run("go", "--allowedTools", "Bash,Agent")
    assert (both_claudes.project / "here").exists()
    assert [(given["tool_name"], "agent_id" in given) for given in recorded(log)] == [("Agent", False), ("Bash", True)]
    assert "there are two" in model.of(MAIN)[-1].text


def test_a_session_is_resumed_while_its_first_process_still_runs(both_claudes: Stage) -> None:
    late = threading.Event()
    second = {MAIN: [say("first", held=late)], "second": [say("second")]}
    model = both_claudes.script(second, choose=lambda request: "second" if "go on" in request.text else MAIN)
    session = "11111111-2222-4333-8444-555555555555"
    with both_claudes.start("go", "--session-id", session) as running:
        assert model.wait_until(lambda model: bool(model.of(MAIN)))
        resumed = both_claudes.run("go on", "--resume", session)
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
    both_claudes: Stage, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    watched = recording(log, "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
    both_claudes.settings({"statusLine": {"type": "command", "command": "echo all-$((6*7))-well"}, "hooks": watched})
    model = both_claudes.script([say("answered")])

    def last() -> str:
        return str(recorded(log)[-1]["hook_event_name"]) if recorded(log) else ""

    with both_claudes.terminal() as terminal:
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
