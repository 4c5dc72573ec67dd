"""Phases, budgets, state and its revival, as hooks and commands meet them (SPEC 10.1 to 10.5, 10.8)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import gathering, pointers, projects, recovering, session_state, sessions
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model.payload import PointerSet
from perdure.recovery.tokens import count

from ..conftest import Cli, git, new_repository
from .test_hooks import FLAGS, Hooks, events, window

GOAL = "make prices whole cents. Never round a price silently."
RULE = "Never round a price silently."
POINTER = ("serena", "shop", "--command", "serena activate shop")


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


@pytest.fixture
def working(cli: Cli) -> Hooks:
    """A session with a goal, a pointer, an edited file, a command and an open transaction."""
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    cli.ok("preflight", *FLAGS)
    cli.ok("pointer", "set", *POINTER)
    edited(hooks, "src/price.py")
    return hooks


def edited(hooks: Hooks, path: str, **given: Any) -> None:
    named = {"file_path": str(hooks.cli.cwd / path)}
    hooks("PostToolUse", tool_name="Edit", tool_input=named, tool_response={}, **given)


def phases(cli: Cli) -> list[str]:
    return [event["payload"]["phase"] for event in events(cli, "phase.entered")]


def checkpoints(cli: Cli) -> list[Path]:
    folder = cli.cwd / ".perdure" / "state"
    return sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns) if folder.exists() else []


def resumed(hooks: Hooks, **given: Any) -> str:
    return hooks.told("SessionStart", source="resume", **given)


# -- phases ----------------------------------------------------------------------------------------------------------


def test_each_phase_is_an_event_and_one_that_goes_on_is_not_recorded_again(working: Hooks) -> None:
    for name in "abc":
        edited(working, name)
    working("UserPromptSubmit", prompt="go on")
    working("PreCompact", trigger="auto", custom_instructions=None)
    working("SessionStart", source="compact")
    edited(working, "d")
    working("Stop", stop_hook_active=False)
    working("Stop", stop_hook_active=False)
    working("SessionEnd", reason="other")
    resumed(working)
    assert phases(working.cli) == [
        *("SESSION_START", "SESSION_RUNNING", "PRE_COMPACT", "POST_COMPACT", "SESSION_RUNNING"),
        *("SESSION_STOP", "SESSION_CLEANUP", "SESSION_REVIVAL"),
    ]


def test_a_session_after_a_crash_is_a_revival_and_work_from_a_terminal_has_no_phase(working: Hooks) -> None:
    text = working.told("SessionStart", session="another-client-session", source="startup")
    assert text.startswith("[PHASE: SESSION_REVIVAL]\n")
    person = working.cli.of_a_person()
    person.ok("note", "finding", "x")
    assert phases(working.cli)[-1] == "SESSION_REVIVAL"


def test_the_status_line_shows_the_phase(working: Hooks) -> None:
    def line() -> str:
        return working("statusLine", context_window=window(None)).out

    assert line().endswith(" · SESSION_RUNNING")
    working("Stop", stop_hook_active=False)
    assert line().endswith(" · SESSION_STOP")
    working("SessionEnd", reason="other")
    assert "SESSION" not in line()


def test_every_text_for_the_agent_begins_with_its_marker_line(hooks: Hooks) -> None:
    assert hooks.told("SessionStart", source="startup").startswith("[PHASE: SESSION_START]\n")
    hooks("statusLine", context_window=window(88))
    assert hooks.told("UserPromptSubmit", prompt=GOAL).startswith("[PHASE: SESSION_RUNNING]\n")
    assert hooks("PreCompact", trigger="auto", custom_instructions=None).out.startswith("[PHASE: PRE_COMPACT]\n")
    assert hooks.told("SessionStart", source="compact").startswith("[PHASE: POST_COMPACT]")
    assert hooks.told("UserPromptSubmit", prompt="more") == "", "no text, no marker"
    hooks.cli.ok("preflight", *FLAGS)
    hooks.cli.ok("contract", "set", "--goal", "whole cents", "--evidence", "tests")
    edited(hooks, "src/price.py")
    held = hooks("Stop", stop_hook_active=False).json
    assert held["reason"].startswith("[PHASE: SESSION_STOP]\n")


# -- budgets ---------------------------------------------------------------------------------------------------------


def transcript(tmp_path: Path, *tokens: int | str) -> str:
    """Answers with so many tokens each; a text is a compaction."""
    lines: list[dict[str, Any]] = [
        {"type": "system", "subtype": "compact_boundary"}
        if isinstance(each, str)
        else {"type": "assistant", "message": {"usage": {"input_tokens": each}}}
        for each in tokens
    ]
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def said(text: str) -> str:
    """Without the marker line."""
    return text.partition("\n")[2]


def test_a_brief_is_level_1_once_the_context_is_70_percent_full(working: Hooks) -> None:
    working("SessionEnd", reason="other")
    whole = resumed(working, context_tokens=90_000)
    assert "Files, needed first in front:" in whole
    assert count(whole) <= recovering.BRIEF_BUDGET
    working("SessionEnd", reason="other")
    short = resumed(working, context_tokens=130_000)
    assert "Goal: make prices whole cents" in short
    assert "Files" not in short
    assert count(short) <= 100


def test_hook_texts_shrink_and_denials_stay_whole(hooks: Hooks, tmp_path: Path) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="first")
    hooks("statusLine", context_window=window(75))
    reminder = hooks.told("UserPromptSubmit", prompt="second")
    assert 0 < len(said(reminder)) <= 200
    whole = hooks.bash("touch b")
    hooks("statusLine", context_window=window(95))
    assert 0 < len(said(hooks.told("UserPromptSubmit", prompt="third"))) <= 100
    assert hooks.bash("touch b") == whole
    assert len(whole) > 100


def test_without_a_status_line_the_transcript_says_it_and_figures_before_a_compaction_do_not_count(
    hooks: Hooks, tmp_path: Path
) -> None:
    hooks("SessionStart", source="startup")
    before = transcript(tmp_path, 160_000, "compacted")
    assert hooks.told("UserPromptSubmit", prompt="first", transcript_path=before) == ""
    full = transcript(tmp_path, 160_000, "compacted", 151_000)
    told = hooks.told("UserPromptSubmit", prompt="second", transcript_path=full)
    assert "the context holds 151,000 tokens" in told
    assert "perdure handoff write" in told
    assert len(said(told)) <= 100
    (exhausted,) = events(hooks.cli, "context.exhausted")
    assert exhausted["payload"]["tokens"] == 151_000


def test_a_full_context_is_told_once_in_a_long_turn_and_again_after_a_compaction(hooks: Hooks, tmp_path: Path) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    full = transcript(tmp_path, 151_000)

    def next_call(**given: Any) -> str:
        done = hooks("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, **given)
        return str(done.json["hookSpecificOutput"]["additionalContext"]) if done.out else ""

    edited(hooks, "a", transcript_path=full)
    edited(hooks, "b", transcript_path=full)
    assert next_call(agent_id="a1", agent_type="x") == "", "a subagent has a context of its own"
    assert next_call().startswith("[PHASE: SESSION_RUNNING]\nPerdure: the context holds 151,000 tokens")
    edited(hooks, "c", transcript_path=full)
    assert next_call() == ""
    assert hooks.told("UserPromptSubmit", prompt="more", transcript_path=full) == ""
    hooks("SessionStart", source="compact")
    edited(hooks, "d", transcript_path=full)
    assert "151,000" in next_call()
    assert len(events(hooks.cli, "context.exhausted")) == 2


# -- state and revival -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boundary", ["PreCompact", "Stop", "SessionEnd"])
def test_the_state_is_saved_at_every_end_of_a_context(working: Hooks, boundary: str) -> None:
    working(boundary, trigger="auto", custom_instructions=None, stop_hook_active=False, reason="other")
    (path,) = checkpoints(working.cli)
    saved = json.loads(path.read_text())
    assert saved["schema_version"] == 2
    assert path.stat().st_mode & 0o077 == 0
    fields = {name: entry["value"] for name, entry in saved["fields"].items()}
    assert fields["original_goal"] == GOAL
    assert fields["constraints"] == [RULE]
    assert fields["files_edited"] == ["src/price.py"]
    assert fields["external_pointers"] == [{"name": "serena", "value": "shop", "command": "serena activate shop"}]
    assert "edit_history" not in fields


def test_state_show_has_every_field_and_what_is_saved(working: Hooks) -> None:
    working.cli.ok("contract", "set", "--goal", "whole cents", "--evidence", "tests", "--mode", "strict")
    working("PreCompact", trigger="auto", custom_instructions=None)
    shown = working.cli.ok("state", "show")
    assert (shown["fault"], shown["left_out"], shown["branch"]) == (None, {}, "main")
    assert shown["fields"]["task_contract"]["goal"] == "whole cents"
    assert shown["fields"]["evidence_mode"] == "strict"
    assert shown["fields"]["turn_count"] == 1
    assert {row["name"] for row in working.cli.ok("state", "fields")} >= set(shown["fields"])


def test_a_pointer_comes_back_with_its_command_until_it_is_removed(working: Hooks) -> None:
    cli = working.cli
    working("PreCompact", trigger="auto", custom_instructions=None)
    assert "To reactivate: serena (shop): serena activate shop" in working.told("SessionStart", source="compact")
    working("SessionEnd", reason="other")
    assert "serena activate shop" in resumed(working)
    assert "serena activate shop" in cli("recover").out
    cli.ok("pointer", "set", "serena", "shop", "--command", "serena on")
    assert cli.ok("pointer", "list") == [{"name": "serena", "value": "shop", "command": "serena on"}]
    cli.ok("pointer", "remove", "serena")
    assert cli.ok("pointer", "list") == []
    working("SessionEnd", reason="other")
    assert "serena" not in resumed(working)


def test_a_pointer_that_is_none_is_refused(cli: Cli) -> None:
    assert cli("pointer", "set", "a b", "x", "--command", "y", "--json").error["code"] == "bad_pointer"
    assert cli("pointer", "set", "a", "x", "--command", "", "--json").error["code"] == "bad_pointer"
    assert cli("pointer", "remove", "a", "--json").error["code"] == "no_pointer"
    for number in range(20):
        cli.ok("pointer", "set", f"p{number}", "x", "--command", "y")
    cli.ok("pointer", "set", "p0", "x", "--command", "z")
    assert cli("pointer", "set", "p20", "x", "--command", "y", "--json").error["code"] == "too_many_pointers"


def test_a_new_conversation_and_another_pane_take_over_nothing(working: Hooks, tmp_path: Path) -> None:
    other = working.cli.of_a_person()
    assert other.ok("pointer", "list") == []
    working.cli.ok("postflight", *FLAGS)
    working("SessionEnd", reason="other")
    text = working.told("SessionStart", session="new", source="startup")
    assert "serena" not in text
    assert events(working.cli, "state.restored") == []


def test_state_of_another_branch_is_not_given_and_the_goal_is_marked(
    working: Hooks, environment: dict[str, str]
) -> None:
    working("SessionEnd", reason="other")
    git(working.cli.cwd, environment, "switch", "-qc", "billing")
    text = resumed(working)
    assert "was on branch main; this is billing: its state is not given" in text
    assert "(doubtful: it was worked on in branch main)" in text
    for of_main in ("serena", "src/price.py"):
        assert of_main not in text
    (restored,) = events(working.cli, "state.restored")
    assert restored["payload"]["outcome"] == "other branch"


def test_a_branch_that_the_agent_itself_went_to_is_not_another_branch(
    working: Hooks, environment: dict[str, str]
) -> None:
    working("Stop", stop_hook_active=False)
    switch = "git switch -qc cents"
    git(working.cli.cwd, environment, *switch.split()[1:])
    working("PostToolUse", tool_name="Bash", tool_input={"command": switch}, tool_response={"stdout": "", "stderr": ""})
    text = working.told("SessionStart", session="after-a-crash", source="startup")
    assert text.startswith("[PHASE: SESSION_REVIVAL]\n")
    assert "serena activate shop" in text
    assert "doubtful" not in text


def test_commits_on_a_detached_head_are_not_another_branch(working: Hooks, environment: dict[str, str]) -> None:
    git(working.cli.cwd, environment, "switch", "-q", "--detach")
    working("SessionEnd", reason="other")
    git(working.cli.cwd, environment, "commit", "-qm", "more", "--allow-empty")
    text = resumed(working)
    assert "serena activate shop" in text
    assert "doubtful" not in text


def test_another_commit_on_a_detached_head_is_another_branch(working: Hooks, environment: dict[str, str]) -> None:
    git(working.cli.cwd, environment, "commit", "-qm", "more", "--allow-empty")
    git(working.cli.cwd, environment, "switch", "-q", "--detach")
    working("SessionEnd", reason="other")
    git(working.cli.cwd, environment, "switch", "-q", "--detach", "HEAD~1")
    assert "its state is not given" in resumed(working)


def test_a_branch_that_is_being_rebased_is_not_another_branch(working: Hooks, environment: dict[str, str]) -> None:
    git(working.cli.cwd, environment, "commit", "-qm", "more", "--allow-empty")
    working("SessionEnd", reason="other")
    stop_at_each = {**environment, "GIT_SEQUENCE_EDITOR": "sed -i s/^pick/edit/"}
    git(working.cli.cwd, stop_at_each, "rebase", "-q", "-i", "HEAD~1")
    assert "serena activate shop" in resumed(working)


@pytest.mark.parametrize("is_made_again", [False, True])
def test_a_branch_that_was_renamed_is_no_other_branch_unless_there_is_a_new_one_of_the_old_name(
    working: Hooks, environment: dict[str, str], is_made_again: bool
) -> None:
    working("SessionEnd", reason="other")
    git(working.cli.cwd, environment, "branch", "-m", "main", "cents")
    git(working.cli.cwd, environment, "branch", "-m", "cents", "whole/cents")
    if is_made_again:
        git(working.cli.cwd, environment, "branch", "main")
    text = resumed(working)
    assert ("serena activate shop" in text) != is_made_again
    assert ("doubtful" in text) == is_made_again


def test_state_of_another_project_is_not_given(working: Hooks, environment: dict[str, str], tmp_path: Path) -> None:
    """Although this home sealed it."""
    working("SessionEnd", reason="other")
    other = new_repository(tmp_path / "other", environment)
    projects.init(Request(str(other), environment), None, None)
    with open_desk(Request(str(other), {**environment, "PERDURE_INSTANCE": "there"})) as desk:
        sessions.start(desk)
        pointers.add(desk, PointerSet("ledger", "of another shop", "activate another shop"))
        session_state.save(desk, sessions.under_way(desk), "stop")
    (theirs,), (ours,) = checkpoints(Cli(other, environment)), checkpoints(working.cli)
    shutil.copy(theirs, ours)
    text = resumed(working)
    assert "is not used: it is of another session" in text
    assert "another shop" not in text


def test_a_goal_that_nothing_in_the_work_speaks_of_is_marked_doubtful(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    edited(hooks, "src/login.py")
    hooks("SessionEnd", reason="other")
    text = resumed(hooks)
    assert f"Goal: {GOAL} (doubtful: nothing in branch, tasks or recent files speaks of it)" in text
    edited(hooks, "src/price.py")
    hooks("SessionEnd", reason="other")
    assert "doubtful" not in resumed(hooks)


HARM: dict[str, tuple[str, str]] = {
    "cut off": ("", "it is damaged or cut off"),
    "of the future": ('"schema_version":9', "its schema version is 9, and this program knows 1 to 2"),
    "changed": ('"branch":"mine"', "this home did not write it, or it was changed"),
}


@pytest.mark.parametrize("harm", HARM)
def test_a_checkpoint_that_cannot_be_used_is_refused_whole_and_the_ledger_counts(working: Hooks, harm: str) -> None:
    working("SessionEnd", reason="other")
    (path,) = checkpoints(working.cli)
    text, (put, why) = path.read_text(), HARM[harm]
    name = put.partition(":")[0]
    old = next((each for each in ('"schema_version":2', '"branch":"main"') if each.startswith(name)), "") if put else ""
    path.write_text(text.replace(old, put) if put else text[: len(text) // 2])
    told = resumed(working)
    assert f"is not used: {why}. The ledger has what counts." in told
    for kept in (RULE, "serena activate shop", "src/price.py"):
        assert kept in told
    assert [each["payload"]["outcome"] for each in events(working.cli, "state.restored")] == ["refused"]


def test_a_damaged_field_is_reported_and_a_stranger_adds_nothing(working: Hooks) -> None:
    working("SessionEnd", reason="other")
    (path,) = checkpoints(working.cli)
    saved = json.loads(path.read_text())
    saved["fields"]["files_edited"]["value"] = ["evil.py"]
    saved["fields"]["external_pointers"] = {"value": [{"name": "x", "value": "y", "command": "curl evil"}], "seal": "0"}
    path.write_text(json.dumps(saved))
    told = resumed(working)
    assert "was read without: external_pointers (it was changed or cut off); files_edited" in told
    assert "evil" not in told
    assert "serena activate shop" in told
    (restored,) = events(working.cli, "state.restored")
    assert restored["payload"]["left_out"] == ["external_pointers", "files_edited"]


def test_a_link_in_place_of_the_folder_is_not_followed(working: Hooks, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    os.symlink(away, working.cli.cwd / ".perdure" / "state")
    working("Stop", stop_hook_active=False)
    assert list(away.iterdir()) == []


def test_a_redaction_removes_what_was_saved_before_it(working: Hooks) -> None:
    working("Stop", stop_hook_active=False)
    (prompt,) = events(working.cli, "prompt.given")
    assert RULE in checkpoints(working.cli)[0].read_text()
    working.cli.of_a_person().ok("redact", prompt["id"], "--because", "held a name")
    assert checkpoints(working.cli) == []


def test_what_a_long_lineage_changed_first_is_still_known(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what is read of the ledger, the checkpoint has it; tier 2 only for an hour."""
    hooks = Hooks(Cli(cli.cwd, {**cli.environment, "PERDURE_INSTANCE": "one"}))
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    edited(hooks, "src/first_price.py")
    hooks("Stop", stop_hook_active=False)
    for number in range(4):
        edited(hooks, f"src/later{number}.py")
    monkeypatch.setattr(gathering, "MOST_SEEN", 3)
    with open_desk(Request(str(cli.cwd), hooks.cli.environment)) as desk:
        session = sessions.under_way(desk)
        assert session
        assert "src/first_price.py" not in session_state.state_of(desk, session).fields["files_edited"]  # type: ignore[operator]
        session_state.save(desk, session, "stop")
    saved = json.loads(checkpoints(cli)[-1].read_text())["fields"]["files_edited"]["value"]
    assert saved == ["src/later3.py", "src/later2.py", "src/later1.py", "src/first_price.py"]
