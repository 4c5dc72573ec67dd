"""Hooks as a client runs them: a process of their own, JSON in, JSON out (SPEC 6.2, 6.3). The real client is in
tests/clients."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from perdure.actions import lost_record
from perdure.clients import port
from perdure.clients.claude_code import EVENTS, TOOLS
from perdure.install import claude_code

from .. import preloaded
from ..conftest import Cli, Result, new_repository
from ..data import CLAUDE

SOURCE = Path(__file__).parents[2] / "src"
SESSION = "b3d7cc0e-b758-4183-bd32-9004b19feb73"
FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
LOW = ("--know", "0.3", "--uncertainty", "0.8", "--because", "have not looked yet")


PROGRAM = "/opt/perdure/bin/perdure"


class Hooks:
    """The hook program as the installer registers it: the bare interpreter, and one line that finds the package. Hooks
    and commands are started by one process, as a client starts both: by the server of `preloaded`, or, where a test
    sets `Cli.is_forked` to False, by the tests' own process."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        paths = [str(SOURCE), *(path for path in sys.path if path.endswith("site-packages"))]
        self.code = f"import sys; sys.path += {paths!r}; from perdure.surfaces.hooks import run; "
        self.code += f"run(sys.argv[1:], {PROGRAM!r})"

    def raw(self, event: str, given: bytes, *words: str, **variables: str) -> Result:
        folder, env = self.cli.cwd, {**self.cli.environment, **variables}
        if Cli.is_forked and preloaded.is_possible(env):
            done = preloaded.run([event, *words], cwd=folder, env=env, input=given, timeout=60, hook_of=PROGRAM)
        else:
            command = [os.path.realpath(sys.executable), "-I", "-S", "-c", self.code, event, *words]
            done = subprocess.run(
                command, input=given, cwd=folder, env=env, capture_output=True, timeout=60, check=False
            )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def __call__(self, event: str, session: str = SESSION, env: dict[str, str] | None = None, **given: Any) -> Result:
        content = {"session_id": session, "cwd": str(self.cli.cwd), "hook_event_name": event, **given}
        return self.raw(event, json.dumps(content).encode(), **(env or {}))

    def told(self, event: str, **given: Any) -> str:
        """What the model is told."""
        done = self(event, **given)
        assert (done.code, done.err) == (0, ""), done
        return done.json["hookSpecificOutput"]["additionalContext"] if done.out else ""

    def denial(self, tool: str, **given: Any) -> str:
        """Why it was denied, or nothing."""
        done = self("PreToolUse", tool_name=tool, **given)
        assert (done.code, done.err) == (0, ""), done
        if not done.out:
            return ""
        said = done.json["hookSpecificOutput"]
        assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")
        reason: str = said["permissionDecisionReason"]
        return reason

    def bash(self, command: str, **given: Any) -> str:
        return self.denial("Bash", tool_input={"command": command}, **given)


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


def events(cli: Cli, *kinds: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in cli("export").out.splitlines()]
    return [event for event in found if event["kind"] in kinds]


# -- the guard -----------------------------------------------------------------------------------------------------


def test_a_write_is_denied_with_what_was_seen_and_the_command_that_clears_it(hooks: Hooks) -> None:
    reason = hooks.bash("touch b")
    assert "touch creates or changes it" in reason
    assert "To clear it: perdure preflight --know" in reason
    assert hooks.denial("Edit", tool_input={"file_path": str(hooks.cli.cwd / "readme.txt")})


def test_a_pass_says_nothing_so_that_the_persons_own_rules_decide(hooks: Hooks) -> None:
    assert hooks.bash("ls | head -3") == ""
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""
    hooks.cli.ok("postflight", *FLAGS)
    assert "You have no open transaction" in hooks.bash("touch b")


def test_a_subagent_works_under_the_transaction_and_neither_opens_nor_closes_one(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    assert "subagent" in hooks.bash("perdure preflight --know 0.9 --uncertainty 0.1", agent_id="a1", agent_type="x")
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b", agent_id="a1", agent_type="x") == ""
    assert "subagent" in hooks.bash("perdure postflight --know 1 --uncertainty 0", agent_id="a1", agent_type="x")


def test_outside_a_project_every_hook_is_silent(hooks: Hooks, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    assert hooks.bash("touch b", cwd=str(away)) == ""
    for event in EVENTS:
        done = hooks(event, cwd=str(away), prompt="hi", tool_name="Read", tool_input={"file_path": "/x"}, agent_id="a")
        assert (done.code, done.out, done.err) == (0, "", ""), event


BAD_INPUT = {
    "nothing": b"",
    "not JSON": b"{",
    "not an object": b"[1]",
    "not UTF-8": b'{"a": "\xff"}',
    "too deep": b"[" * 100_000,
    "NaN": b'{"a": NaN}',
    "a bad session id": b'{"session_id": "../etc", "tool_name": "Bash", "tool_input": {"command": "ls"}, '
    b'"agent_id": "a", "agent_type": "b", "prompt": "x"}',
}


@pytest.mark.parametrize("given", BAD_INPUT.values(), ids=list(BAD_INPUT))
def test_a_guard_that_cannot_read_its_input_denies_and_says_that_it_failed(hooks: Hooks, given: bytes) -> None:
    done = hooks.raw("PreToolUse", given)
    assert done.code == 0
    reason = done.json["hookSpecificOutput"]["permissionDecisionReason"]
    assert "This is a failure of the guard, not a judgement" in reason
    assert "perdure heal" not in reason, "which cannot mend what the client sends"


@pytest.mark.parametrize("given", BAD_INPUT.values(), ids=list(BAD_INPUT))
def test_a_person_can_switch_off_a_guard_that_cannot_read_its_input(hooks: Hooks, given: bytes) -> None:
    hooks.cli.environment["PERDURE_GATE_MODE"] = "off"
    done = hooks.raw("PreToolUse", given)
    assert (done.code, done.out) == (0, "")


@pytest.mark.parametrize("given", BAD_INPUT.values(), ids=list(BAD_INPUT))
@pytest.mark.parametrize("event", [event for event in EVENTS if event != "PreToolUse"])
def test_another_hook_that_cannot_read_its_input_says_so_and_exits_1_never_2(
    hooks: Hooks, event: str, given: bytes
) -> None:
    done = hooks.raw(event, given)
    if event == "statusLine":
        assert done.code in (0, 1)
        return
    assert (done.code, done.out) == (1, ""), done
    assert done.err.startswith(f"perdure: the {event} hook failed: ")
    assert "Traceback" not in done.err


def test_an_event_that_nobody_knows_is_said_to_be_unknown(hooks: Hooks) -> None:
    done = hooks("Nonsense")
    assert done.code == 1
    assert "There is no hook for 'Nonsense'" in done.err


NEVER_2 = {
    "an unknown event": ("Nope",),
    "no event": (),
    "an unknown flag": ("SessionStart", "--bogus"),
    "an unknown flag first": ("--bogus", "SessionStart"),
    "too many words": ("SessionStart", "a", "b", "c"),
    "a dash": ("SessionStart", "-"),
    "JSON asked for": ("Nope", "--json"),
    "an empty event": ("",),
}


@pytest.mark.parametrize("words", NEVER_2.values(), ids=list(NEVER_2))
def test_the_command_for_hooks_exits_0_or_1_never_2_whatever_its_words(cli: Cli, words: tuple[str, ...]) -> None:
    """Exit 2 would be a verdict of the client's (SPEC 6.3)."""
    for given in ("", "{", "[1]", json.dumps({"session_id": SESSION, "cwd": str(cli.cwd)})):
        done = cli("hook", *words, input=given)
        assert done.code in (0, 1), done
        assert "Traceback" not in done.err


BAD_SURROUNDINGS = {
    "a relative home": {"PERDURE_HOME": "not/absolute"},
    "a home that is a device": {"PERDURE_HOME": "/dev/null/x"},
    "no home at all": {"PERDURE_HOME": "", "HOME": ""},
    "an unknown mode": {"PERDURE_GATE_MODE": "nonsense"},
    "an instance that is none": {"PERDURE_INSTANCE": "../../etc"},
    "a project that is none": {"PERDURE_PROJECT": "/no/such/folder"},
    "a strange pid": {"CLAUDE_PID": "-1"},
}


@pytest.mark.parametrize("variables", BAD_SURROUNDINGS.values(), ids=list(BAD_SURROUNDINGS))
def test_the_command_for_hooks_exits_0_or_1_never_2_whatever_its_environment(
    cli: Cli, variables: dict[str, str]
) -> None:
    for event in EVENTS:
        given = {"session_id": SESSION, "cwd": str(cli.cwd), "tool_name": "Bash", "tool_input": {"command": "touch b"}}
        done = cli("hook", event, input=json.dumps({**given, "prompt": "hi"}), **variables)
        assert done.code in (0, 1), (event, done)
        assert "Traceback" not in done.err
        if event == "PreToolUse":
            assert "deny" in done.out, done


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "</no/such/file"])
@pytest.mark.parametrize("way", ["command", "program"])
def test_a_hook_with_closed_streams_exits_0_or_1_never_2(hooks: Hooks, closed: str, way: str) -> None:
    """Both ways end in the same function: the guard is asked in both, each other event in one of them."""
    words = {
        "command": hooks.cli.command("hook"),
        "program": [os.path.realpath(sys.executable), "-I", "-S", "-c", hooks.code],
    }
    others = {"command": ("UserPromptSubmit", "Nope"), "program": ("SessionStart", "statusLine")}
    for event in ("PreToolUse", *others[way]):
        line = f'"$@" {event} {closed}'
        done = subprocess.run(
            ["bash", "-c", line, "bash", *words[way]],
            input=b'{"tool_name": "Bash", "tool_input": {"command": "touch b"}}',
            cwd=hooks.cli.cwd,
            env=hooks.cli.environment,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode in (0, 1), (event, done)
        if event == "PreToolUse" and ">" in closed and "2>" not in closed.split()[0]:
            assert done.returncode == 1, "a verdict that cannot be given is a failure, not a pass"


def test_fields_of_any_type_do_no_harm(hooks: Hooks) -> None:
    for wrong in (None, 7, [], {}, "x", True):
        given = dict.fromkeys(("tool_input", "agent_id", "cwd", "transcript_path", "source", "reason", "prompt"), wrong)
        for event in EVENTS:
            content = {"session_id": SESSION, "tool_name": "Bash", "tool_response": wrong, "error": wrong, **given}
            done = hooks.raw(event, json.dumps(content).encode())
            assert done.code in (0, 1), (event, wrong, done)
            assert "Traceback" not in done.err, (event, wrong, done)
            if event == "PreToolUse":
                assert "deny" in done.out, (wrong, done)


def test_observe_mode_records_and_passes_even_where_it_cannot_record(hooks: Hooks) -> None:
    env = {"PERDURE_GATE_MODE": "observe"}
    done = hooks("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, env=env)
    assert (done.code, done.out) == (0, "")
    assert events(hooks.cli, "gate.observed")
    (hooks.cli.cwd / ".perdure" / "ledger.db").write_bytes(b"garbage" * 1000)
    done = hooks("PreToolUse", tool_name="Bash", tool_input={"command": "touch b"}, env=env)
    assert (done.code, done.out) == (0, "")
    assert "could not be recorded" in done.err


# -- what is broken denies -----------------------------------------------------------------------------------------


def test_a_ledger_that_is_gone_or_garbage_denies_though_the_view_says_open(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    ledger = hooks.cli.cwd / ".perdure" / "ledger.db"
    whole = ledger.read_bytes()
    for broken in (b"", b"garbage" * 1000):
        ledger.write_bytes(broken)
        assert "To clear it: perdure heal" in hooks.bash("touch b")
    ledger.unlink()
    assert "To clear it: perdure heal" in hooks.bash("touch b")
    ledger.write_bytes(whole)
    assert hooks.bash("touch b") == ""


def test_whoever_meets_a_damaged_ledger_shuts_the_gate_until_it_is_healed(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    ledger = hooks.cli.cwd / ".perdure" / "ledger.db"
    content = bytearray(ledger.read_bytes())
    content[100:] = b"\xaa" * (len(content) - 100)  # the header stands: the gate alone cannot see it
    ledger.write_bytes(bytes(content))
    for extra in ("-wal", "-shm"):
        Path(f"{ledger}{extra}").unlink(missing_ok=True)
    assert hooks.bash("touch b") == ""
    hooks("PostToolUse", tool_name="Read", tool_input={"file_path": "/x"}, tool_response={})
    assert "To clear it: perdure heal" in hooks.bash("touch b")
    assert "The record was damaged and was healed" in hooks.told("SessionStart", source="resume")
    assert not (hooks.cli.cwd / ".perdure" / "damaged").exists()
    assert hooks.bash("touch b") == "", "the transaction came back with the ledger"


def test_a_view_that_is_not_ours_denies(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    view = next((hooks.cli.cwd / ".perdure").glob("active_transaction*.json"))
    for broken in (b"{", b"\xff\xfe", view.read_bytes()[:-2] + b',"x":1}'):
        view.write_bytes(broken)
        assert "perdure heal" in hooks.bash("touch b")
    view.unlink()
    view.mkdir()
    assert hooks.bash("touch b")


def test_an_old_view_put_back_does_not_stay(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    view = next((hooks.cli.cwd / ".perdure").glob("active_transaction*.json"))
    was = view.read_bytes()
    hooks.cli.ok("postflight", *FLAGS)
    view.write_bytes(was)
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "cp old new"}, tool_response={})
    assert "You have no open transaction" in hooks.bash("touch b")


# -- a session ------------------------------------------------------------------------------------------------------


def test_a_session_writes_a_deleted_program_for_shells_again(hooks: Hooks) -> None:
    """Without it the client runs no command at all: `rm -rf ~/.perdure` must not lock the agent out."""
    home = Path(hooks.cli.environment["PERDURE_HOME"])
    path = home / "shell" / "claude-code"
    start = {"source": "startup", "env": {"CLAUDE_CODE_SHELL_PREFIX": str(path)}}
    shutil.rmtree(home)
    told = hooks.told("SessionStart", **start)
    assert f"{path} was missing and was written again" in told
    assert os.access(path, os.X_OK)
    assert "from perdure.surfaces.shell_prefix import run_script" in path.read_text()
    assert PROGRAM in path.read_text(), "a hook runs in the bare interpreter"
    ran = subprocess.run(
        [path, "cd . && eval 'ls' < /dev/null && pwd -P >| claude-1-cwd"],
        cwd=hooks.cli.cwd,
        env={**hooks.cli.environment, **start["env"], "AI_AGENT": "claude-code_agent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No such file" not in ran.stderr
    path.write_text("#!/bin/sh\n")
    assert "written again" not in hooks.told("SessionStart", **start), "what is there is not touched"
    assert path.read_text() == "#!/bin/sh\n"


@pytest.mark.parametrize("named", ["", "/usr/bin/mine"])
def test_a_session_writes_no_program_that_the_client_does_not_use(hooks: Hooks, named: str) -> None:
    hooks.told("SessionStart", source="startup", env={"CLAUDE_CODE_SHELL_PREFIX": named})
    assert not (Path(hooks.cli.environment["PERDURE_HOME"]) / "shell").exists()


def test_a_session_says_that_the_program_for_shells_cannot_be_written(hooks: Hooks) -> None:
    home = Path(hooks.cli.environment["PERDURE_HOME"])
    (home / "shell").write_text("no folder")
    start = {"source": "startup", "env": {"CLAUDE_CODE_SHELL_PREFIX": str(home / "shell" / "claude-code")}}
    told = hooks.told("SessionStart", **start)
    assert "no shell command can run here" in told
    assert "CLAUDE_CODE_SHELL_PREFIX" in told


def test_a_session_begins_with_what_the_ledger_holds(hooks: Hooks) -> None:
    assert "No transaction is open. Before you change anything: perdure preflight" in hooks.told(
        "SessionStart", source="startup"
    )
    hooks("UserPromptSubmit", prompt="prices as whole cents,\nplease")
    hooks.cli.ok("preflight", *FLAGS)
    hooks.cli.ok("decide", "keep prices as cents", "--because", "floats lose one")
    hooks.cli.ok("note", "next", "add the rounding test")
    hooks.cli.ok("note", "question", "may the API change?")
    told = hooks.told("SessionStart", source="compact")
    transaction = hooks.cli.ok("transaction", "status")["transaction_id"]
    assert f"Continuing transaction {transaction[:8]} from project {hooks.cli.cwd}" in told
    assert "The context was compacted" in told
    for words in (
        "Goal: prices as whole cents, please",
        "keep prices as cents — because floats lose one",
        "Next: add the rounding test",
        "Open questions: may the API change?",
    ):
        assert words in told, told


def test_sessions_form_a_lineage(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("SessionStart", source="compact")
    hooks("SessionStart", session="after-clear", source="clear")
    started = events(hooks.cli, "session.started")
    assert [event["payload"]["source"] for event in started] == ["startup", "compact", "clear"]
    assert [event["payload"].get("parent_id") for event in started] == [None, *(e["session_id"] for e in started[:2])]
    assert len({event["instance_id"] for event in started}) == 1, "one process, one instance"
    assert hooks("SessionEnd", session="after-clear", reason="prompt_input_exit").code == 0
    assert events(hooks.cli, "session.ended")[0]["payload"] == {"reason": "exit"}


def test_a_fork_goes_on_from_the_session_its_transcript_names(hooks: Hooks, tmp_path: Path) -> None:
    hooks("SessionStart", session="first", source="startup")
    hooks("SessionStart", session="second", source="clear")
    transcript = tmp_path / "fork.jsonl"
    transcript.write_text('{"type":"mode"}\nbroken\n{"sessionId":"first","type":"user"}\n')
    hooks("SessionStart", session="third", source="fork", transcript_path=str(transcript))
    started = events(hooks.cli, "session.started")
    assert started[2]["payload"]["parent_id"] == started[0]["session_id"]


def test_a_view_that_was_lost_is_healed_and_said_to_be(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    next((hooks.cli.cwd / ".perdure").glob("active_transaction*.json")).unlink()
    assert "Repaired at the start of this session" in hooks.told("SessionStart", source="resume")
    assert hooks.bash("touch b") == ""


def test_the_clients_shell_is_given_its_session_and_where_perdure_is(hooks: Hooks, tmp_path: Path) -> None:
    exports = tmp_path / "env.sh"
    hooks("SessionStart", source="startup", env={"CLAUDE_ENV_FILE": str(exports), "PATH": "/usr/bin:/bin"})
    shown = subprocess.run(
        ["sh", "-c", '. "$1"; echo "$PERDURE_CLIENT_SESSION $PATH"', "sh", str(exports)],
        env={"PATH": "/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown == f"{SESSION} /bin:/opt/perdure/bin\n"


def test_nothing_in_a_session_id_is_run_by_the_clients_shell(hooks: Hooks, tmp_path: Path) -> None:
    exports = tmp_path / "env.sh"
    hooks("SessionStart", session="$(touch pwned)", source="startup", env={"CLAUDE_ENV_FILE": str(exports)})
    assert not exports.exists()


def _lose(project: Path, what: str) -> None:
    if what == "the folder":
        (project / ".perdure").rename(project.parent / "lost")
    else:
        for part in (project / ".perdure").glob("ledger.db*"):
            part.unlink()


LOSSES = ["the folder", "the ledger"]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_session_that_starts_without_its_ledger_gets_it_back_from_the_backup(hooks: Hooks, loss: str) -> None:
    hooks("SessionStart", source="startup")
    hooks.told("UserPromptSubmit", prompt="mend the cart")
    opened = hooks.cli.ok("preflight", *FLAGS)["transaction_id"]
    hooks.cli.ok("decide", "use WAL", "--because", "readers never wait")
    _lose(hooks.cli.cwd, loss)
    told = hooks.told("SessionStart", source="compact")
    assert "The record was missing and was brought back from its backup" in told
    assert f"Continuing transaction {opened[:8]}" in told
    assert "use WAL" in told
    assert hooks.bash("touch b") == "", "the transaction is open again"
    assert hooks.cli("heal", "--check").code == 0
    assert hooks.cli("audit", "verify").code == 0
    assert len(events(hooks.cli, "ledger.healed")) == 1


@pytest.mark.parametrize("loss", LOSSES)
def test_a_prompt_given_while_the_ledger_is_gone_is_kept(hooks: Hooks, loss: str) -> None:
    hooks("SessionStart", source="startup")
    hooks.told("UserPromptSubmit", prompt="mend the cart")
    _lose(hooks.cli.cwd, loss)
    assert "brought back from its backup" in hooks.told("UserPromptSubmit", prompt="and never touch prices.py")
    said = [event["payload"]["text"] for event in events(hooks.cli, "prompt.given")]
    assert said == ["mend the cart", "and never touch prices.py"]
    assert hooks.cli("heal", "--check").code == 0


def test_git_clean_costs_no_prompt(hooks: Hooks, environment: dict[str, str]) -> None:
    hooks("SessionStart", source="startup")
    hooks.told("UserPromptSubmit", prompt="mend the cart")
    subprocess.run(["git", "clean", "-fdxq"], cwd=hooks.cli.cwd, env=environment, check=True)
    assert not (hooks.cli.cwd / ".perdure").exists()
    hooks.told("UserPromptSubmit", prompt="go on")
    assert len(events(hooks.cli, "prompt.given")) == 2


def test_two_hooks_that_meet_a_lost_ledger_at_once_bring_it_back_once(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("decide", "use WAL", "--because", "readers never wait")
    _lose(hooks.cli.cwd, "the folder")
    with ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda n: hooks("UserPromptSubmit", prompt=f"prompt {n}"), range(4)))
    assert [each.code for each in done] == [0] * 4, done
    said = sorted(event["payload"]["text"] for event in events(hooks.cli, "prompt.given"))
    assert said == [f"prompt {n}" for n in range(4)]
    assert len(events(hooks.cli, "ledger.opened")) == 2, "one for the first, one for what was brought back"
    assert hooks.cli("heal", "--check").code == 0


def test_where_there_is_no_backup_of_a_lost_ledger_that_is_said_and_the_session_goes_on(
    hooks: Hooks, environment: dict[str, str]
) -> None:
    hooks("SessionStart", source="startup")
    _lose(hooks.cli.cwd, "the ledger")
    shutil.rmtree(Path(environment["PERDURE_HOME"]) / "backups")
    assert "Lost: the ledger" in hooks.told("SessionStart", source="compact")
    hooks.told("UserPromptSubmit", prompt="never touch prices.py")
    assert [event["payload"]["text"] for event in events(hooks.cli, "prompt.given")] == ["never touch prices.py"]


def test_where_there_is_no_backup_of_a_lost_folder_nothing_is_made_up_and_the_person_is_told(
    hooks: Hooks, environment: dict[str, str]
) -> None:
    """Nothing says any more that a project was meant to be here: that is for a person to decide."""
    hooks("SessionStart", source="startup")
    _lose(hooks.cli.cwd, "the folder")
    shutil.rmtree(Path(environment["PERDURE_HOME"]) / "backups")
    assert "perdure heal" in hooks.told("SessionStart", source="compact")
    done = hooks("UserPromptSubmit", prompt="never touch prices.py")
    assert done.code == 0
    for said in (done.json["systemMessage"], done.json["hookSpecificOutput"]["additionalContext"]):
        assert "not recorded" in said
        assert "perdure heal" in said
    assert not (hooks.cli.cwd / ".perdure" / "ledger.db").exists()
    assert hooks.bash("touch b")
    assert "perdure heal" in hooks.cli("preflight", *FLAGS).err
    assert hooks.cli("heal").code == 0
    hooks.told("UserPromptSubmit", prompt="again")
    assert [event["payload"]["text"] for event in events(hooks.cli, "prompt.given")] == ["again"]


def test_a_prompt_that_a_damaged_ledger_cannot_take_is_not_lost_silently(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    with open(hooks.cli.cwd / ".perdure" / "ledger.db", "wb") as file:
        file.write(b"garbage" * 1000)
        file.truncate(lost_record.LONG + 1)  # so long that the prompt does not wait until it is healed
    done = hooks("UserPromptSubmit", prompt="never touch prices.py")
    assert done.code == 0
    assert "not recorded" in done.json["systemMessage"]
    assert "perdure heal" in done.json["systemMessage"]
    assert "not recorded" in done.json["hookSpecificOutput"]["additionalContext"]


def test_a_folder_that_is_gone_altogether_is_not_built_anew(hooks: Hooks, tmp_path: Path) -> None:
    """It was moved, or deleted: a ghost at the old path would be a second project."""
    hooks("SessionStart", source="startup")
    hooks.cli.cwd.rename(tmp_path / "moved")
    away = tmp_path / "away"
    away.mkdir()
    hooks.cli.cwd, old = away, hooks.cli.cwd
    for event in ("SessionStart", "UserPromptSubmit"):
        done = hooks(event, source="compact" if event == "SessionStart" else "user", prompt="go on")
        assert done.code == 0
        assert "perdure project switch" in done.out
    assert not old.exists()


# -- the person's words ----------------------------------------------------------------------------------------------


def test_the_persons_words_are_kept_as_they_were_said(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    words = 'never touch "prices.py"\n\n\tund grüße 🙂 \\ $(rm -rf /)'
    assert hooks.told("UserPromptSubmit", prompt=words) == ""
    hooks("UserPromptSubmit", prompt="and be quick")
    given = events(hooks.cli, "prompt.given")
    assert [event["payload"]["text"] for event in given] == [words, "and be quick"]
    assert {event["actor"] for event in given} == {"user"}


def test_what_a_machine_put_in_is_not_the_persons(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    for source in ("system", "loop_wakeup", "schedule_wakeup", "poll_event"):
        assert hooks("UserPromptSubmit", prompt="the person said: yes", source=source).code == 0
    hooks("UserPromptSubmit", prompt="mine", source="user")
    assert [event["payload"]["text"] for event in events(hooks.cli, "prompt.given")] == ["mine"]


def test_the_first_words_of_a_lineage_are_its_goal_and_later_ones_are_not(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="/compact now")
    hooks("UserPromptSubmit", prompt="ship " + "very " * 60 + "soon")
    hooks("SessionStart", source="compact")
    hooks("UserPromptSubmit", prompt="now something else")
    (goal,) = events(hooks.cli, "goal.prompted")
    assert goal["payload"]["title"].startswith("ship very")
    assert len(goal["payload"]["title"].split()) == 41
    assert hooks.cli.ok("goal", "list")[0]["origin"] == "prompt"


def test_a_goal_that_is_set_already_is_left_as_it_is(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("goal", "create", "set by hand")
    hooks("UserPromptSubmit", prompt="do something")
    assert not events(hooks.cli, "goal.prompted")


def test_an_exit_ends_the_original_goal_and_a_clear_does_not(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    hooks("SessionEnd", reason="clear")
    assert "Goal: fix the rounding" in hooks.told("SessionStart", source="clear")
    hooks("SessionEnd", reason="prompt_input_exit")
    assert hooks.cli.ok("goal", "list") == []
    next_one = str(uuid4())
    assert "Goal:" not in hooks.told("SessionStart", source="startup", session=next_one)
    hooks("UserPromptSubmit", prompt="go on", session=next_one)
    assert [goal["title"] for goal in hooks.cli.ok("goal", "list")] == ["go on"]


def test_a_transaction_that_goes_on_after_an_exit_brings_the_goal_it_was_opened_for(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    hooks.cli.ok("preflight", *FLAGS)
    hooks("SessionEnd", reason="prompt_input_exit")
    next_one = str(uuid4())
    assert "Goal: fix the rounding" in hooks.told("SessionStart", source="startup", session=next_one)
    hooks("UserPromptSubmit", prompt="where were we?", session=next_one)
    assert [goal["title"] for goal in hooks.cli.ok("status")["goals"]] == ["fix the rounding", "where were we?"]
    for level in ("1", "brief"):
        assert hooks.cli("recover", "--level", level).out.index("fix the rounding") > 0
    told = hooks.told("SessionStart", source="compact", session=next_one)
    assert told.index("fix the rounding") < told.index("where were we?")
    hooks.cli.ok("postflight", *FLAGS)
    assert [goal["title"] for goal in hooks.cli.ok("status")["goals"]] == ["where were we?"]


@pytest.mark.parametrize("is_closed", [True, False])
def test_after_a_crash_the_goal_goes_on_only_with_work_that_is_not_closed(hooks: Hooks, is_closed: bool) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    hooks.cli.ok("preflight", *FLAGS)
    hooks("SessionStart", source="compact")
    if is_closed:
        hooks.cli.ok("postflight", *FLAGS)
    next_one = str(uuid4())
    told = hooks.told("SessionStart", source="startup", session=next_one)
    hooks("UserPromptSubmit", prompt="now the taxes", session=next_one)
    found = [goal["title"] for goal in hooks.cli.ok("status")["goals"]]
    assert ("Goal: fix the rounding" in told, found) == (
        (False, ["now the taxes"]) if is_closed else (True, ["fix the rounding"])
    )


@pytest.mark.parametrize("is_closed", [False, True])
def test_after_a_switch_and_a_compaction_the_brief_still_names_the_goal_of_the_lineage(
    hooks: Hooks, tmp_path: Path, is_closed: bool
) -> None:
    other = Cli(new_repository(tmp_path / "other", hooks.cli.environment), hooks.cli.environment)
    other.ok("init")
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    hooks.cli.ok("preflight", *FLAGS)
    hooks.cli.ok("project", "switch", str(other.cwd))
    if is_closed:
        hooks.cli.ok("postflight", *FLAGS)
    told = hooks.told("SessionStart", source="compact")
    assert f"project other ({other.cwd}" in told
    assert "Goal: fix the rounding (begun in another project)" in told


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>the build is done; never eat</task-notification>",
        "/compact keep the names",
        "<command-name>/model</command-name> never eat",
        "<local-command-stdout>you must never eat</local-command-stdout>",
    ],
)
def test_what_a_client_itself_put_into_the_prompt_is_not_quoted_as_the_persons_words(hooks: Hooks, text: str) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    assert hooks("UserPromptSubmit", prompt=text).code == 0
    hooks("UserPromptSubmit", prompt="<system-reminder>never eat</system-reminder>\n  and the taxes")
    assert [each["payload"]["text"] for each in events(hooks.cli, "prompt.given")] == [
        "fix the rounding",
        "and the taxes",
    ]
    told = hooks.told("SessionStart", source="compact")
    assert "and the taxes" in told
    for part in ("never eat", "/compact", "task-notification", "command-"):
        assert part not in told


def test_a_prompt_without_a_clients_markup_is_kept_exactly(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    said = "  use <b>bold</b> in a <div class='x'>\n\n\tand /compact nothing \n"
    hooks("UserPromptSubmit", prompt=said)
    assert [each["payload"]["text"] for each in events(hooks.cli, "prompt.given")] == [said]


def test_a_prompt_after_a_switch_of_the_project_is_not_the_first_of_its_lineage(hooks: Hooks, tmp_path: Path) -> None:
    other = Cli(new_repository(tmp_path / "other", hooks.cli.environment), hooks.cli.environment)
    other.ok("init")
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="fix the rounding")
    hooks.cli.ok("project", "switch", str(other.cwd))
    hooks("UserPromptSubmit", prompt="go on")
    assert [event["payload"]["text"] for event in events(other, "prompt.given")] == ["go on"]
    assert not events(other, "goal.prompted")


def test_a_secret_in_a_prompt_or_a_command_is_masked(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    secret = "postgres://till:b4r-p4ss-77@db/shop"
    hooks("UserPromptSubmit", prompt=f"connect to {secret}")
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": f"psql {secret}"}, tool_response={"stdout": "x"})
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "x"}, error=f"no {secret}")
    assert "b4r-p4ss-77" not in hooks.cli("export").out
    assert len(events(hooks.cli, "command.run")) == 2


@pytest.mark.parametrize("letter", ["x", "é", "漢", "🙂", '"', "\x01"])
def test_an_enormous_prompt_is_cut_and_says_so(hooks: Hooks, letter: str) -> None:
    hooks("SessionStart", source="startup")
    assert hooks("UserPromptSubmit", prompt=letter * 800_000).code == 0
    assert events(hooks.cli, "prompt.given")[0]["payload"]["text"].endswith("cut: 800,000 characters were given")


@pytest.mark.parametrize("where", range(960, 1000, 4))
def test_a_secret_at_the_place_where_a_text_is_cut_is_masked(hooks: Hooks, where: int) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = "x" * where + " " + token + " " + "y" * 9000
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "echo " + text}, tool_response={"stdout": "x"})
    kept = events(hooks.cli, "command.run")[0]["payload"]["command"]
    assert not any(token[:length] in kept for length in range(8, len(token)))


# -- what was seen ---------------------------------------------------------------------------------------------------


def test_what_a_tool_did_is_on_record(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    root = hooks.cli.cwd
    hooks.cli.ok("preflight", *FLAGS)

    def done(tool: str, response: Any = None, **given: Any) -> None:
        result = hooks("PostToolUse", tool_name=tool, tool_input=given, tool_response=response, duration_ms=5)
        assert (result.code, result.out, result.err) == (0, "", ""), result

    done("Read", {"type": "text"}, file_path=str(root / "src/cart.py"))
    done("Edit", {"filePath": "x"}, file_path=str(root / "src/cart.py"))
    done("Write", {"type": "create"}, file_path=str(root / "new.py"))
    done("Write", {"type": "update"}, file_path=str(root / "old.py"))
    done("Read", {"type": "text"}, file_path="/etc/hosts")
    done("Grep", None, pattern="TODO")
    done("Bash", {"stdout": "a", "interrupted": False}, command="ls")
    done("Bash", {"stdout": "", "interrupted": True}, command="make all")
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, error="Exit code 2\nno rule")
    hooks("PostToolUseFailure", tool_name="Edit", tool_input={"file_path": str(root / "x.py")}, error="not found")
    hooks("SubagentStart", agent_id="a93f", agent_type="Explore")
    hooks("PostToolUse", tool_name="Read", tool_input={"file_path": str(root / "b")}, agent_id="a93f", agent_type="x")
    hooks("SubagentStop", agent_id="a93f", agent_type="Explore")
    hooks("SubagentStop", agent_id="summariser", agent_type="")
    seen = [
        (event["kind"], event["payload"])
        for event in events(
            hooks.cli,
            "file.read",
            "edit.made",
            "file.created",
            "search.made",
            "command.run",
            "tool.failed",
            "subagent.started",
            "subagent.stopped",
        )
    ]
    assert seen == [
        ("file.read", {"path": "src/cart.py"}),
        ("edit.made", {"path": "src/cart.py"}),
        ("file.created", {"path": "new.py"}),
        ("edit.made", {"path": "old.py", "unread": True}),
        ("file.read", {"path": "/etc/hosts"}),
        ("search.made", {"query": "TODO"}),
        (
            "command.run",
            {"command": "ls", "outcome": "succeeded", "effect": "noetic", "duration_ms": 5, "taught": True},
        ),
        (
            "command.run",
            {"command": "make all", "outcome": "interrupted", "effect": "praxic", "duration_ms": 5, "taught": False},
        ),
        (
            "command.run",
            {
                "command": "make",
                "outcome": "failed",
                "effect": "praxic",
                "error": "Exit code 2\nno rule",
                "taught": True,
                "failed_in_a_row": 1,
            },
        ),
        ("tool.failed", {"tool": "Edit", "error": "not found", "path": "x.py"}),
        ("subagent.started", {"agent_id": "a93f", "agent_type": "Explore"}),
        ("file.read", {"path": "b"}),
        ("subagent.stopped", {"agent_id": "a93f", "agent_type": "Explore"}),
    ]
    transaction = hooks.cli.ok("transaction", "status")["transaction_id"]
    read = events(hooks.cli, "file.read")
    assert {event["transaction_id"] for event in read} == {transaction}
    assert [event["actor"] for event in read] == ["claude-code", "claude-code", "claude-code:a93f"]


IDLE = {
    "echo hi": "hi",
    "true": "",
    ":": "",
    "pwd": "/src/shop",
    "sleep 1": "",
    "ls": "",
    "cat /dev/null": "",
    "echo hi | cat": "hi",
    "perdure status": "shop",
    "pytest --version": "pytest 8.3.2",
    "python -m pytest --help": "usage: pytest [options]",
    "uv run pytest -q --version": "pytest 8.3.2",
    "make -v": "GNU Make 4.3",
    "cargo test --help": "Execute all unit and integration tests",
    "grep --version": "grep (GNU grep) 3.8",
}
"""Commands that teach nothing about the work, and what they printed."""


@pytest.mark.parametrize("command", IDLE)
def test_a_command_that_taught_nothing_does_not_let_a_higher_number_count(hooks: Hooks, command: str) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli("preflight", *LOW)
    ran(hooks, command, IDLE[command])
    assert hooks.cli("check", *FLAGS).code == 1
    ran(hooks, "cat readme.txt", "# shop")
    assert hooks.cli("check", *FLAGS).code == 0


@pytest.mark.parametrize("outcome", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize("command", ["pytest -q", "make test", "cargo build", "cd src && go test ./..."])
def test_a_test_or_build_teaches_whether_it_succeeded_or_failed(hooks: Hooks, command: str, outcome: str) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli("preflight", *LOW)
    hooks(outcome, tool_name="Bash", tool_input={"command": command}, tool_response={"stdout": ""}, error="Exit code 1")
    assert hooks.cli("check", *FLAGS).code == 0


@pytest.mark.parametrize(
    "command", ["grep -r zzz .", "cd src && rg zzz", "git grep -n zzz", "cat cart.py | grep zzz", "find . -name 'zzz*'"]
)
def test_a_search_that_found_nothing_taught_that_it_is_not_there(hooks: Hooks, command: str) -> None:
    """Some clients call its exit code 1 a failure, others a success that printed nothing."""
    hooks("SessionStart", source="startup")
    ends: list[dict[str, Any]] = [{"tool_response": {"stdout": "", "stderr": ""}}, {"error": "Exit code 1"}]
    for end in ends[:1] if command.startswith("find") else ends:
        hooks.cli("preflight", *LOW)
        event = "PostToolUseFailure" if "error" in end else "PostToolUse"
        hooks(event, tool_name="Bash", tool_input={"command": command}, **end)
        assert hooks.cli("check", *FLAGS).code == 0, end
        hooks.cli.ok("postflight", *FLAGS)


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("grep -r zzz nowhere", "Exit code 2\ngrep: nowhere: No such file or directory"),
        ("grep -r zzz .", "Exit code 2"),
        ("cat nowhere | grep zzz", "Exit code 1\ncat: nowhere: No such file or directory"),
        ("grep zzz a && ls nowhere", "Exit code 1"),
        ("cat nowhere", "Exit code 1"),
        ("find nowhere -name zzz 2>/dev/null", "Exit code 1"),
    ],
)
def test_a_search_that_went_wrong_taught_nothing(hooks: Hooks, command: str, error: str) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli("preflight", *LOW)
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": command}, error=error)
    assert hooks.cli("check", *FLAGS).code == 1


def ran(hooks: Hooks, command: str, printed: str) -> None:
    given, said = {"command": command}, {"stdout": printed, "stderr": "", "interrupted": False}
    assert hooks("PostToolUse", tool_name="Bash", tool_input=given, tool_response=said).code == 0


def test_a_failure_that_a_pipe_hid_is_told_to_whoever_goes_on(hooks: Hooks) -> None:
    ran(hooks, "pytest 2>&1 | tail -3", "FAILED tests/test_cart.py::test_total - assert 1 == 2\n1 failed")
    ran(hooks, "cat log | tail -3", "ERROR: nothing to see")
    kept = [event["payload"] for event in events(hooks.cli, "command.run")]
    assert [(each["outcome"], "error" in each) for each in kept] == [("succeeded", True), ("succeeded", False)]
    assert "FAILED tests/test_cart.py::test_total" in hooks.cli("recover").out
    ran(hooks, "pytest 2>&1 | tail -3", "5 passed")
    assert "FAILED tests/test_cart.py::test_total" not in hooks.cli("recover").out


def test_a_command_that_only_looked_lets_a_check_count_again(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    low = ("--know", "0.3", "--uncertainty", "0.8", "--because", "new here")
    hooks.cli.ok("preflight", *low)
    assert "does not pass the gate" in hooks.bash("touch b")
    assert hooks.cli("check", *FLAGS, "--json").json["decision"] == "investigate"
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "touch /tmp/../etc/x"}, tool_response={})
    assert hooks.cli("check", *FLAGS, "--json").json["decision"] == "investigate", "a writer teaches nothing"
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "rg TODO"}, tool_response={"stdout": "x"})
    assert hooks.cli("check", *FLAGS, "--json").json["decision"] == "proceed"


def test_a_check_waits_for_what_is_being_taken_in(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    with open(hooks.cli.cwd / ".perdure" / "observing", "w") as mark:
        fcntl.flock(mark, fcntl.LOCK_SH)
        begun = time.monotonic()
        assert hooks.cli("check", *FLAGS).code == 0, "but not for ever"
        assert time.monotonic() - begun >= 2


def test_a_long_command_and_a_long_error_keep_both_ends(hooks: Hooks) -> None:
    hooks(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "echo " + "x" * 9000}, error="first" + "y" * 9000
    )
    (ran,) = events(hooks.cli, "command.run")
    assert len(ran["payload"]["command"]) < 2100
    assert ran["payload"]["error"].startswith("firsty")
    assert "characters …" in ran["payload"]["error"]


def test_a_recorder_heeds_no_sigterm_from_a_client_that_ends(hooks: Hooks) -> None:
    content = {"session_id": SESSION, "cwd": str(hooks.cli.cwd), "tool_name": "Bash", "tool_input": {"command": "ls"}}
    process = subprocess.Popen(
        [os.path.realpath(sys.executable), "-I", "-S", "-c", hooks.code, "PostToolUse"],
        stdin=subprocess.PIPE,
        env=hooks.cli.environment,
        cwd=hooks.cli.cwd,
    )
    assert process.stdin
    status = Path(f"/proc/{process.pid}/status")
    while status.exists() and not int(status.read_text().split("SigIgn:")[1].split()[0], 16) & 1 << 14:
        time.sleep(0.001)
    process.terminate()
    process.communicate(json.dumps(content).encode(), timeout=30)
    assert process.returncode == 0
    assert events(hooks.cli, "command.run")


# -- the status line and its bridge ----------------------------------------------------------------------------------


def window(percent: float | None) -> dict[str, Any]:
    return {"context_window_size": 200_000, "used_percentage": percent}


def test_the_status_line_says_where_the_work_stands(hooks: Hooks) -> None:
    assert hooks("statusLine", context_window=window(None)).out == "shop · no transaction"
    hooks("SessionStart", source="startup")
    hooks.cli.ok("preflight", *FLAGS)
    transaction = hooks.cli.ok("transaction", "status")["transaction_id"][:8]
    line = hooks("statusLine", context_window=window(43)).out
    assert line.startswith(f"shop · transaction {transaction} ")
    assert line.endswith(" · gate open · SESSION_START · 43 % CONDENSED")
    (hooks.cli.cwd / ".perdure" / "ledger.db").write_bytes(b"")
    assert "ledger damaged: perdure heal" in hooks("statusLine").out


def test_the_status_line_says_how_many_claims_nothing_verifies(hooks: Hooks) -> None:
    def unverified() -> str:
        return hooks("statusLine", context_window=window(3)).out.partition(" VERBOSE")[2]

    hooks("SessionStart", source="startup")
    (hooks.cli.cwd / "prices.py").write_text("def price_in_cents():\n    return 100\n")
    hooks.cli.ok("claim", "add", "prices are whole cents", "--assume")
    hooks.cli.ok("claim", "add", "a price has no currency", "--assume")
    assert unverified() == " · 2 claims unverified"
    quote = ("--cite", "${PROJECT_ROOT}/prices.py:1", "--quote", "def price_in_cents():")
    hooks.cli.ok("claim", "add", "there is a function for prices", *quote)
    assert unverified() == " · 2 claims unverified", "that one is verified"
    (hooks.cli.cwd / "prices.py").write_text("def price():\n    return 100\n")
    hooks.cli("claim", "check")
    assert unverified() == " · 3 claims unverified", "its quote is gone"
    hooks("SessionStart", source="compact")
    assert unverified() == " · 3 claims unverified", "the lineage goes on"


def test_a_number_of_claims_that_nobody_wrote_is_not_shown(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.ok("claim", "add", "prices are whole cents", "--assume")
    [file] = Path(hooks.cli.environment["PERDURE_HOME"], "claims").iterdir()
    for content in ("", "other 3\n", f"{file.read_text().split()[0]} -3\n", f"{file.read_text().split()[0]} ²\n"):
        file.write_text(content)
        assert "unverified" not in hooks("statusLine").out


def test_a_status_line_that_was_there_goes_on_with_the_same_input(hooks: Hooks) -> None:
    content = json.dumps({"session_id": SESSION, "cwd": str(hooks.cli.cwd), "model": {"id": "opus"}}).encode()
    theirs = 'python3 -c \'import json,sys; print(json.load(sys.stdin)["model"]["id"])\''
    assert hooks.raw("statusLine", content, theirs).out == "opus │ shop · no transaction"
    assert hooks.raw("statusLine", content, "printf 'a\\nb\\n'").out == "a\nb\nshop · no transaction"
    assert hooks.raw("statusLine", content, "exit 3").out == "shop · no transaction"
    begun = time.monotonic()
    assert hooks.raw("statusLine", content, "sleep 20 & echo mine").out == "mine │ shop · no transaction"
    assert time.monotonic() - begun < 15, "what it left running is not waited for"
    assert hooks.raw("statusLine", b"{", "echo mine").out == "mine │ perdure: The hook's input is not JSON."


def test_what_the_status_line_was_told_of_the_context_a_hook_knows(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="first")
    hooks("statusLine", context_window=window(43.4))
    mark = "[PHASE: SESSION_RUNNING]\nPerdure: "
    assert hooks.told("UserPromptSubmit", prompt="second").startswith(f"{mark}the context holds about 86,800 tokens.")
    hooks("statusLine", context_window=window(88))
    assert hooks.told("UserPromptSubmit", prompt="third").startswith(f"{mark}88 % of the context is used.")
    assert hooks.told("UserPromptSubmit", prompt="fourth") == "", "told once"
    hooks("SessionStart", source="compact")
    hooks("UserPromptSubmit", prompt="fifth")
    percents = [event["payload"].get("context_percent") for event in events(hooks.cli, "prompt.given")]
    assert percents == [None, 43, 88, 88, None], "figures from before a compaction do not count"


@pytest.mark.parametrize(
    "wrong",
    [None, 7, [], {"context_window_size": 0, "used_percentage": 3}, {"context_window_size": "x"}, window(1e400)],
)
def test_odd_context_figures_are_left_alone(hooks: Hooks, wrong: Any) -> None:
    done = hooks.raw("statusLine", json.dumps({"cwd": str(hooks.cli.cwd), "context_window": wrong}).encode())
    assert done.code in (0, 1)
    assert "Traceback" not in done.err


# -- real payloads, and what the hook path loads ---------------------------------------------------------------------


def test_what_the_real_client_sends_is_understood(hooks: Hooks) -> None:
    """By the program that is registered, in an interpreter that loads what each hook needs and nothing else."""
    Cli.is_forked = False
    payloads = sorted(CLAUDE.glob("*.json"))
    assert {path.stem.split(".")[0] for path in payloads} == set(EVENTS), "one of each was captured"
    for path in payloads:
        text = path.read_text().replace("/PROJ", str(hooks.cli.cwd))
        done = hooks.raw(path.stem.split(".")[0], text.encode())
        assert (done.code, done.err) == (0, ""), (path.name, done)


def test_what_is_registered_is_what_is_handled() -> None:
    assert {*claude_code.EVENTS, "statusLine"} == set(EVENTS)
    observed = {name for name, tool in TOOLS.items() if tool.does in (port.READS, port.SEARCHES, port.CHANGES)}
    assert set(claude_code.RECORDED_TOOLS.split("|")) == {"Bash", *observed}


LOADED = """
perdure perdure.errors perdure.files perdure.settings
perdure.actions perdure.actions.gate_world perdure.actions.gating perdure.actions.request
perdure.clients perdure.clients.claude_code perdure.clients.port
perdure.gate perdure.gate.policy perdure.gate.tools perdure.gate.world
perdure.gate.effects perdure.gate.effects.finding perdure.gate.effects.targets
perdure.model perdure.model.digest perdure.model.ids perdure.model.json perdure.model.moment perdure.model.toml
perdure.model.value
perdure.place perdure.place.bindings perdure.place.client_variables perdure.place.disk_facts perdure.place.home
perdure.place.process
perdure.place.project perdure.place.registry perdure.place.repository perdure.place.resolve perdure.place.surroundings
perdure.surfaces perdure.surfaces.hooks perdure.surfaces.hooks.guard perdure.surfaces.hooks.request
perdure.views perdure.views.key perdure.views.transaction_file
perdure.actions.denials perdure.views.sealed_notes
""".split()
"""What a guard loads for an Edit that it denies; one that passes needs no `denials`. With a transaction open,
`ledger.header`, `place.transaction_pointers` and `views.damage` too."""
FOR_A_COMMAND = """
perdure.gate.effects.analysis perdure.gate.effects.builtins perdure.gate.effects.cards
perdure.gate.effects.judge_by_card perdure.gate.effects.judge_by_code
perdure.gate.effects.variables perdure.gate.effects.working_folders
perdure.gate.programs perdure.gate.programs.text perdure.gate.programs.files
perdure.gate.shell perdure.gate.shell.cursor perdure.gate.shell.plain perdure.gate.shell.scope perdure.gate.shell.syntax
perdure.gate.shell.words
""".split()
"""What it loads besides for a simple command."""
OF_OS = {"os", "os.path", "posixpath", "genericpath", "stat", "_stat", "_collections_abc"}


def loaded(hooks: Hooks, tool: str, given: dict[str, str], event: str = "PreToolUse") -> set[str]:
    code = hooks.code.replace("run(", "main(").replace("import run", "import main")
    code += "; sys.stderr.write(' '.join(sorted(sys.modules)))"
    content = {"session_id": SESSION, "cwd": str(hooks.cli.cwd), "tool_name": tool, "tool_input": given}
    done = subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", "-c", code, event],
        input=json.dumps(content).encode(),
        env=hooks.cli.environment,
        capture_output=True,
        check=True,
    )
    return set(done.stderr.decode().split())


def test_the_hook_path_loads_this_and_nothing_else(hooks: Hooks) -> None:
    bare = subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
    )
    alone = set(bare.stdout.decode().split())
    edit = loaded(hooks, "Edit", {"file_path": str(hooks.cli.cwd / "a")}) - alone
    assert {name for name in edit if name.startswith("perdure")} == set(LOADED)
    command = loaded(hooks, "Bash", {"command": "touch b"}) - alone
    assert {name for name in command if name.startswith("perdure")} == {*LOADED, *FOR_A_COMMAND}
    others = {name for name in command if not name.startswith(("perdure", "encodings"))}
    assert others <= {*OF_OS, "__future__", "_json", "_blake2", "_sha1", "_sha256", "_sha2", "errno"}, others


def test_the_recorder_of_a_plain_call_loads_no_openssl_and_no_jail(hooks: Hooks) -> None:
    for tool, given in (("Read", {"file_path": "src/cart.py"}), ("Bash", {"command": "ls"})):
        seen = loaded(hooks, tool, given, event="PostToolUse")
        assert "perdure.actions.attribution" in seen
        assert seen & {"_hashlib", "perdure.jail.confine", "perdure.actions.work_tree"} == set()
    assert len(events(hooks.cli, "file.read", "command.run")) == 2


def test_the_recorder_of_a_test_run_does_not_load_what_checks_citations(hooks: Hooks) -> None:
    seen = loaded(hooks, "Bash", {"command": "pytest -q"}, event="PostToolUse")
    assert "perdure.actions.check_runs" in seen
    assert not seen & {"_hashlib", "perdure.grounding.verdict", "perdure.actions.work_tree"}
