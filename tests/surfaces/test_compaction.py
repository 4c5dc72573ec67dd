"""A compaction, as the hooks see it: what the summariser is told, what its summary lost, what comes back (SPEC 11)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Cli
from .test_hooks import FLAGS, Hooks, events

GOAL = "make prices whole cents. Never round a price silently."
RULE, DECISION, STEP = "Never round a price silently.", "keep cents in an integer column", "add tests for the invoice"
MARK = "[PHASE: POST_COMPACT]"


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    """A session with a goal, a rule, an open transaction, a decision and a next step."""
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt=GOAL)
    cli.ok("preflight", *FLAGS)
    cli.ok("decide", DECISION, "--because", "floats lose one", "--key", "price.type", "--value", "integer")
    cli.ok("note", "next", STEP)
    return hooks


def transaction(hooks: Hooks) -> str:
    (opened,) = events(hooks.cli, "transaction.opened")
    return str(opened["transaction_id"])


def complete(hooks: Hooks) -> str:
    return (
        f"1. Request: {GOAL}\n\nRules:\n- {RULE}\n\nOpen transaction: {transaction(hooks)[:8]}\n"
        f"Decision: {DECISION} (price.type: integer).\n\n7. Pending Tasks:\n- {STEP}"
    )


def stopped(hooks: Hooks, summary: str) -> None:
    """The client's summariser ends."""
    message = f"<analysis>I think.</analysis>\n<summary>\n{summary}\n</summary>"
    done = hooks("SubagentStop", agent_id="a0000000000000001", agent_type="", last_assistant_message=message)
    assert (done.code, done.out) == (0, ""), done


def compact(hooks: Hooks, summary: str) -> str:
    """A whole compaction; what the agent is told at the session start after it."""
    hooks("PreCompact", trigger="auto", custom_instructions=None)
    stopped(hooks, summary)
    return hooks.told("SessionStart", source="compact")


def outcomes(hooks: Hooks) -> dict[str, str]:
    audited = events(hooks.cli, "compaction.audited")[-1]
    return {found["kind"]: found["outcome"] for found in audited["payload"]["findings"]}


# -- before ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trigger", ["manual", "auto"])
def test_the_summariser_is_told_what_must_survive_word_for_word(hooks: Hooks, trigger: str) -> None:
    done = hooks("PreCompact", trigger=trigger, custom_instructions="")
    assert done.code == 0, done
    assert len(done.out) <= 1500
    for fact in ("make prices whole cents", RULE, transaction(hooks)[:8], DECISION, "integer", STEP):
        assert fact in done.out
    assert "May be shortened: tool results, thinking." in done.out
    (begun,) = events(hooks.cli, "compaction.begun")
    assert begun["payload"]["trigger"] == trigger
    assert RULE not in json.dumps(begun), "the words stay in the events that have them"


def test_the_table_of_what_is_preserved_is_a_setting(hooks: Hooks) -> None:
    person = hooks.cli.of_a_person()
    person.ok("config", "set", "compaction.decision_log", "compacted")
    person.ok("config", "set", "compaction.thinking", "preserved")
    told = hooks("PreCompact", trigger="auto").out
    assert DECISION not in told
    assert "Keep in detail: thinking." in told
    assert "decision" not in {fact["kind"] for fact in events(hooks.cli, "compaction.begun")[0]["payload"]["facts"]}


def test_a_repository_cannot_switch_the_audit_of_the_persons_rules_off(hooks: Hooks) -> None:
    config = hooks.cli.cwd / ".perdure" / "config.toml"
    config.write_text('[compaction]\nsession_continuity = "compacted"\n')
    assert RULE in hooks("PreCompact", trigger="auto").out


def test_outside_a_project_nothing_is_told(hooks: Hooks, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    home = {"PERDURE_HOME": str(tmp_path / "other home")}
    done = hooks("PreCompact", trigger="auto", cwd=str(tmp_path / "elsewhere"), env=home)
    assert (done.code, done.out) == (0, "")


# -- the audit, and what comes back ----------------------------------------------------------------------------------


def test_a_summary_that_keeps_everything_gets_only_the_marker_line(hooks: Hooks) -> None:
    told = compact(hooks, complete(hooks))
    assert set(outcomes(hooks).values()) == {"kept"}
    assert told.startswith(MARK)
    assert told.count("\n") == 0, told
    assert events(hooks.cli, "compaction.given") == []


def test_what_was_lost_comes_back_and_what_was_kept_does_not(hooks: Hooks) -> None:
    told = compact(
        hooks, f"The decision: {DECISION}, price.type is integer.\nTransaction {transaction(hooks)} is open."
    )
    found = outcomes(hooks)
    assert (found["decision"], found["transaction"]) == ("kept", "kept")
    assert (found["constraint"], found["next step"], found["goal"]) == ("lost", "lost", "lost")
    assert MARK in told.split("\n")[0]
    assert RULE in told
    assert STEP in told
    assert DECISION not in told
    assert "Continuing transaction" not in told


CRITERION = "an invoice of zero is refused"


def under_contract(hooks: Hooks) -> None:
    words = ("--goal", "ship whole cents", "--criterion", CRITERION, "--evidence", "tests,lint")
    hooks.cli.ok("contract", "set", *words)


def test_a_contract_that_the_summary_lost_comes_back_with_its_criteria(hooks: Hooks) -> None:
    under_contract(hooks)
    assert "Contract: ship whole cents (evidence: tests, lint)" in hooks("PreCompact", trigger="auto").out
    stopped(hooks, complete(hooks))
    told = hooks.told("SessionStart", source="compact")
    assert f"Contract:\n- ship whole cents (evidence: tests, lint)\n- {CRITERION}" in told
    assert RULE not in told, "the summary has it"
    shown = hooks.cli.ok("compaction", "show", "--json")
    assert "ship whole cents" in json.dumps(shown)


def test_a_contract_that_the_summary_keeps_is_not_given_back(hooks: Hooks) -> None:
    under_contract(hooks)
    told = compact(hooks, f"{complete(hooks)}\n\nContract: ship whole cents, evidence: tests and lint. {CRITERION}.")
    assert outcomes(hooks)["contract"] == "kept"
    assert told.count("\n") == 0, told


def test_a_contract_that_asks_for_other_evidence_in_the_summary_is_altered(hooks: Hooks) -> None:
    under_contract(hooks)
    told = compact(hooks, f"{complete(hooks)}\n\nContract: ship whole cents, evidence: a build. {CRITERION}.")
    assert "tests, lint" in told


def test_what_was_altered_comes_first_with_what_the_summary_says(hooks: Hooks) -> None:
    told = compact(hooks, complete(hooks).replace(RULE, "Round a price silently.").replace("never", "always"))
    lines = told.split("\n")
    assert outcomes(hooks)["constraint"] == "altered"
    wrong = next(at for at, line in enumerate(lines) if "The summary is wrong here" in line)
    assert RULE in lines[wrong]
    assert "Round a price silently" in told
    (audited,) = events(hooks.cli, "compaction.audited")
    (altered,) = [each for each in audited["payload"]["findings"] if each["outcome"] == "altered"]
    assert altered["passage"]


def test_without_an_audit_the_whole_brief_comes_and_nothing_comes_twice(hooks: Hooks) -> None:
    """The client did not tell its summary before the session start."""
    told = hooks.told("SessionStart", source="compact")
    for fact in (RULE, DECISION, STEP, "Continuing transaction"):
        assert fact in told
    hooks("PostCompact", trigger="auto", compact_summary="<summary>Nothing.</summary>")
    (audited,) = events(hooks.cli, "compaction.audited")
    assert audited["payload"]["heard"] == "after"
    said = hooks.told("UserPromptSubmit", prompt="go on with it now please")
    for fact in (RULE, DECISION, STEP):
        assert fact not in said


def pending(hooks: Hooks) -> None:
    """Facts that were recorded after the brief, and that the summary lost."""
    hooks("SessionStart", source="compact")
    hooks.cli.ok("note", "next", "write the release notes for the importer")
    hooks("PostCompact", trigger="auto", compact_summary="<summary>Nothing.</summary>")


def test_what_could_not_be_given_at_the_start_comes_with_the_next_prompt_once(hooks: Hooks) -> None:
    pending(hooks)
    first = hooks.told("UserPromptSubmit", prompt="go on with it now please")
    assert "write the release notes for the importer" in first
    assert STEP not in first, "the brief had it"
    assert hooks.told("UserPromptSubmit", prompt="and then the next thing too") == ""
    given = events(hooks.cli, "compaction.given")[-1]["payload"]
    assert given["given_with"] == "prompt"
    assert [fact["kind"] for fact in given["facts"]] == ["next step"]


def test_or_with_the_next_tool_call_but_not_a_subagents(hooks: Hooks) -> None:
    pending(hooks)
    of_subagent = hooks("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, agent_id="a1")
    assert of_subagent.out == ""
    told = hooks.told("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    assert "write the release notes for the importer" in told
    assert hooks("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}).out == ""


def test_a_denial_stays_a_denial_and_what_is_missing_waits(hooks: Hooks) -> None:
    pending(hooks)
    hooks.cli.ok("postflight", *FLAGS)
    assert "denied" in hooks.bash("touch b")
    assert "write the release notes" in hooks.told("UserPromptSubmit", prompt="go on with it now please")


def test_after_the_summarisers_audit_post_compact_adds_nothing(hooks: Hooks) -> None:
    compact(hooks, "Nothing.")
    hooks("PostCompact", trigger="auto", compact_summary="<analysis>x</analysis>\n<summary>\nNothing.\n</summary>")
    assert len(events(hooks.cli, "compaction.audited")) == 1
    assert hooks.told("UserPromptSubmit", prompt="go on with it now please") == ""


def test_a_second_compaction_is_audited_anew(hooks: Hooks) -> None:
    assert STEP in compact(hooks, "Nothing.")
    assert STEP in compact(hooks, "Still nothing.")
    told = compact(hooks, complete(hooks))
    assert told.count("\n") == 0
    assert len(events(hooks.cli, "compaction.audited")) == 3


def test_a_decision_that_was_superseded_since_is_not_given_back(hooks: Hooks) -> None:
    hooks("PreCompact", trigger="auto")
    stopped(hooks, "Nothing.")
    (made,) = events(hooks.cli, "decision.made")
    hooks.cli.ok("decide", "keep mills", "--because", "cents are too coarse", "--supersedes", made["id"][:8])
    told = hooks.told("SessionStart", source="compact")
    assert DECISION not in told


def test_an_audit_never_gets_into_the_export_that_git_tracks(hooks: Hooks) -> None:
    hooks.cli.of_a_person().ok("config", "set", "export.tracked", "true")
    compact(hooks, complete(hooks).replace(RULE, "Round a price silently."))
    assert outcomes(hooks)["constraint"] == "altered"
    hooks.cli.ok("postflight", *FLAGS)
    written = "".join(path.read_text() for path in (hooks.cli.cwd / ".perdure" / "export").rglob("*") if path.is_file())
    assert "compaction.audited" in written
    assert "Round a price silently" not in written


# -- did it arrive? --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arrives", [True, False])
def test_it_is_checked_that_it_arrived(hooks: Hooks, tmp_path: Path, arrives: bool) -> None:
    told = compact(hooks, "Nothing.")
    transcript = tmp_path / "transcript.jsonl"
    entry = {"type": "attachment", "content": told if arrives else "something else"}
    transcript.write_text(json.dumps(entry) + "\n")
    hooks("Stop", transcript_path=str(transcript))
    (arrived,) = events(hooks.cli, "compaction.arrived")
    assert arrived["payload"]["arrived"] is arrives
    hooks("Stop", transcript_path=str(transcript))
    assert len(events(hooks.cli, "compaction.arrived")) == 1


def test_nothing_is_left_in_the_home(hooks: Hooks, tmp_path: Path) -> None:
    compact(hooks, "Nothing.")
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("{}\n")
    hooks("Stop", transcript_path=str(transcript))
    folder = Path(hooks.cli.environment["PERDURE_HOME"]) / "give_back"
    assert not folder.exists() or os.listdir(folder) == []


def test_a_session_id_that_is_not_a_name_reaches_no_path(hooks: Hooks) -> None:
    outside = Path(hooks.cli.environment["PERDURE_HOME"]) / "x"
    hooks("PostCompact", session="../x", compact_summary="<summary>Nothing.</summary>")
    hooks("PreToolUse", session="../x", tool_name="Bash", tool_input={"command": "ls"})
    assert not outside.exists()


# -- the command -----------------------------------------------------------------------------------------------------


def shown(hooks: Hooks) -> Any:
    return hooks.cli.ok("compaction", "show", "--json")


def test_show_says_what_was_kept_altered_and_lost(hooks: Hooks) -> None:
    assert hooks.cli("compaction", "show").code == 1
    compact(hooks, f"Decision: {DECISION} (integer).")
    found = shown(hooks)
    assert found["counts"]["kept"] == 1
    by_kind = {fact["kind"]: fact for fact in found["facts"]}
    assert by_kind["constraint"]["outcome"] == "lost"
    assert by_kind["constraint"]["text"] == RULE
    assert by_kind["constraint"]["given_back"] is True
    assert by_kind["decision"]["given_back"] is False
    assert found["given_with"] == ["session start"]
    text = hooks.cli("compaction", "show").out
    assert "lost" in text
    assert RULE in text


def ran(hooks: Hooks, command: str, error: str = "") -> None:
    if error:
        hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": command}, error=error)
    else:
        hooks("PostToolUse", tool_name="Bash", tool_input={"command": command}, tool_response={"stdout": ""})


def edited(hooks: Hooks, path: Path | str, tool: str = "Edit") -> None:
    hooks("PostToolUse", tool_name=tool, tool_input={"file_path": str(hooks.cli.cwd / path)}, tool_response={})


def test_show_has_the_words_of_every_error_and_file_also_when_the_error_is_settled(hooks: Hooks) -> None:
    """The event that has a fact's words is the one that the record names: of a file, the one that changed it."""
    failed = "Exit code 1\nFAILED tests/test_a.py::test_x - assert 1 == 2\nsrc/blamed.py:3: AssertionError"
    edited(hooks, "src/blamed.py")
    ran(hooks, "pytest -q tests/test_a.py", failed)
    edited(hooks, "src/read_again.py")
    edited(hooks, "src/read_again.py", "Read")
    edited(hooks, "src/edited_then_not.py")
    not_made = {"file_path": str(hooks.cli.cwd / "src/edited_then_not.py")}
    hooks("PostToolUseFailure", tool_name="Edit", tool_input=not_made, error="String to replace not found in file.")
    edited(hooks, "src/before.py")
    ran(hooks, "git mv src/before.py src/after.py")
    ran(hooks, "sed -i s/a/b/ src/by_command.py")
    hooks("UserPromptSubmit", prompt="look at src/blamed.py again and do not touch the schema")
    compact(hooks, "Nothing.")
    facts = shown(hooks)["facts"]
    assert [fact for fact in facts if fact["text"] is None] == []
    files = {fact["text"] for fact in facts if fact["kind"] == "file"}
    expected = {"blamed", "read_again", "edited_then_not", "after", "by_command"}
    assert files == {f"src/{name}.py" for name in expected}
    errors = [fact["text"] for fact in facts if fact["kind"] == "error"]
    assert len(errors) == 2
    assert any(each.startswith("pytest -q tests/test_a.py: ") for each in errors)
    ran(hooks, "pytest -q tests/test_a.py")
    assert shown(hooks)["facts"] == facts, "what an audit found stays what it was"


def test_a_command_that_checks_the_work_comes_back_unless_the_summary_names_it(hooks: Hooks) -> None:
    """After a compaction the agent checks its work again, and must know with which command."""
    for command in ("pnpm --filter web test -- --run", "pnpm build", "git status", "pnpm build --watch=false"):
        ran(hooks, command)
    told = compact(hooks, f"{complete(hooks)}\n\nAfterwards `pnpm run build` passed.")
    assert "Commands that check the work: pnpm --filter web test -- --run" in told
    assert "pnpm build" not in told, "the summary says how to build"
    assert "git status" not in told


@pytest.mark.parametrize("said", ["We ran `pnpm test:e2e`", "We ran pnpm install. Then we wrote a test", "latest pnpm"])
def test_a_command_is_not_kept_by_words_that_name_another(hooks: Hooks, said: str) -> None:
    ran(hooks, "pnpm test")
    assert "Commands that check the work: pnpm test" in compact(hooks, f"{complete(hooks)}\n\n{said}.")


def test_a_summary_that_names_every_check_gets_only_the_marker_line(hooks: Hooks) -> None:
    for command in ("source venv/bin/activate && pytest tests/ -q", "npx tsc --noEmit", "cargo test -p core"):
        ran(hooks, command)
    told = compact(hooks, f"{complete(hooks)}\n\nChecks: pytest, `npx tsc --noEmit` and cargo test pass.")
    assert told.count("\n") == 0, told
    assert told.startswith(MARK)


def test_at_most_two_commands_come_back_and_none_that_was_made_for_one_use(hooks: Hooks) -> None:
    once = "cargo test -- " + " ".join(f"--skip case_number_{each}" for each in range(20))
    for command in (once, "pytest -q", "ruff check .", "mypy src"):
        ran(hooks, command)
    compact(hooks, "Nothing.")
    told = [fact["text"] for fact in shown(hooks)["facts"] if fact["kind"] == "command"]
    assert len(told) == 2
    assert once not in told


def test_the_words_of_a_command_are_those_of_the_event_that_ran_it(hooks: Hooks) -> None:
    """Also if that event ran the same check in several ways."""
    ran(hooks, "pytest -q tests/a && pytest tests/b")
    compact(hooks, "Nothing.")
    assert [fact["text"] for fact in shown(hooks)["facts"] if fact["kind"] == "command"] != []
    assert None not in [fact["text"] for fact in shown(hooks)["facts"]]


@pytest.mark.parametrize("folder", ["", "cd {}/web && "])
def test_a_check_that_fails_comes_back_once_with_its_error(hooks: Hooks, folder: str) -> None:
    """Named alone as well, a command that cannot work would look like the one to use."""
    (hooks.cli.cwd / "web").mkdir()
    folder = folder.format(hooks.cli.cwd)
    ran(hooks, f"{folder}pnpm test --grep invoice")
    ran(hooks, "pnpm test --grep invoice", "Exit code 1\nError: No tests found.")
    ran(hooks, f"{folder}pnpm test --grep invoice", "Exit code 1\nError: No tests found.")
    told = compact(hooks, complete(hooks))
    assert told.count("pnpm test --grep invoice") == 1, told
    assert "Unresolved errors: " in told
    assert hooks.told("UserPromptSubmit", prompt="go on").count("pnpm test") == 0


def test_a_file_outside_the_project_is_not_a_fact(hooks: Hooks, tmp_path: Path) -> None:
    edited(hooks, "src/inside.py")
    edited(hooks, tmp_path / "elsewhere" / "notes.py")
    ran(hooks, "sed -i s/a/b/ ~/.bashrc.sh && sed -i s/a/b/ /etc/hosts.conf && sed -i s/a/b/ ../beside.py")
    compact(hooks, "Nothing.")
    assert [fact["text"] for fact in shown(hooks)["facts"] if fact["kind"] == "file"] == ["src/inside.py"]


def test_what_was_erased_is_shown_by_no_audit(hooks: Hooks) -> None:
    compact(hooks, "Nothing.")
    (step,) = events(hooks.cli, "note.next")
    hooks.cli.of_a_person().ok("redact", step["id"], "--because", "private")
    assert STEP not in json.dumps(shown(hooks))
    assert STEP not in hooks.cli("export").out


def test_what_was_erased_before_it_was_given_back_is_not_given_and_not_kept_in_the_home(hooks: Hooks) -> None:
    hooks("PreCompact", trigger="auto", custom_instructions=None)
    hooks("PostCompact", trigger="auto", compact_summary="<summary>Nothing.</summary>")
    home = Path(hooks.cli.environment["PERDURE_HOME"])
    kept = [path.read_text() for path in (home / "give_back").iterdir()]
    assert len(kept) == 1
    assert STEP not in kept[0], "the file names what is to be given, without its words"
    (step,) = events(hooks.cli, "note.next")
    hooks.cli.of_a_person().ok("redact", step["id"], "--because", "private")
    told = hooks.told("UserPromptSubmit", prompt="go on")
    assert STEP not in told
    assert DECISION in told
    (made,) = events(hooks.cli, "decision.made")
    hooks.cli.of_a_person().ok("redact", made["id"], "--because", "private")
    assert [path for path in home.rglob("*") if path.is_file() and DECISION.encode() in path.read_bytes()] == []


def test_preview_says_what_is_on_record_and_what_is_only_in_the_context(hooks: Hooks, cli: Cli) -> None:
    found = cli.ok("compaction", "preview", "--json")
    assert {fact["kind"] for fact in found["on_record"]} >= {"goal", "constraint", "decision", "next step"}
    assert found["only_in_context"] == []
    assert len(found["summariser_text"]) <= 1500
    (step,) = events(cli, "note.next")
    cli.ok("note", "close", step["id"][:8])
    edited = {"file_path": str(cli.cwd / "readme.txt")}
    hooks("PostToolUse", tool_name="Edit", tool_input=edited, tool_response={})
    lacking = cli.ok("compaction", "preview", "--json")["only_in_context"]
    assert any("perdure note next" in each for each in lacking)
    assert any("perdure decide" in each for each in lacking)


def test_an_agent_may_look_at_any_time(hooks: Hooks) -> None:
    hooks.cli.ok("postflight", *FLAGS)
    assert hooks.bash("perdure compaction preview") == ""


def test_an_audit_that_comes_after_the_session_start_gives_nothing_twice(hooks: Hooks) -> None:
    """The client waits for neither hook, so the summariser's stop may be recorded last."""
    hooks("PreCompact", trigger="auto")
    told = hooks.told("SessionStart", source="compact")
    assert STEP in told
    stopped(hooks, "Nothing.")
    hooks("PostCompact", trigger="auto", compact_summary="<summary>\nNothing.\n</summary>")
    assert len(events(hooks.cli, "compaction.audited")) == 1
    assert hooks.told("UserPromptSubmit", prompt="go on with it now please") == ""


def test_a_compaction_of_a_subagents_context_is_none_of_the_session(hooks: Hooks) -> None:
    before = len(hooks.cli("export").out.splitlines())
    of = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert hooks("PreCompact", trigger="auto", **of).out == ""
    stopped(hooks, "I counted three files.")
    assert hooks("SessionStart", source="compact", **of).out == ""
    assert hooks("PostCompact", trigger="auto", compact_summary="<summary>\nThree.\n</summary>", **of).out == ""
    assert len(hooks.cli("export").out.splitlines()) == before


def test_what_another_pane_that_is_at_work_decided_or_tried_was_not_in_this_context(
    hooks: Hooks, environment: dict[str, str]
) -> None:
    other = Cli(hooks.cli.cwd, {**environment, "PERDURE_INSTANCE": "another-pane"}).of_a_person()
    other.ok("preflight", *FLAGS)
    other.ok("decide", "rates come from the bank", "--because", "they are official")
    other.ok("note", "failed", "scraping the page of the bank: it blocks us")
    told = compact(hooks, "Nothing.")
    assert DECISION in told
    assert "rates come from the bank" not in told
    assert "scraping" not in told


def test_what_another_agent_without_a_type_says_is_not_a_summary(hooks: Hooks) -> None:
    stopped(hooks, "A title for this session")
    assert events(hooks.cli, "compaction.audited") == []
