"""How a client's shell command runs: as it is, or read-only (SPEC 5.8)."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from perdure import __main__ as program
from perdure.actions import shell_command
from perdure.clients import claude_code
from perdure.clients.claude_code import read_shell_start
from perdure.install import shell_program
from perdure.install.program import Program
from perdure.jail.confine import running_kernel
from perdure.jail.grants import Kernel
from perdure.jail.plan import why_not
from perdure.place.home import shell_program_path

from ..conftest import Cli, new_repository

SHELL = {"SHELL": "/bin/bash", "AI_AGENT": "claude-code_2-1-325_agent", "CLAUDECODE": "1"}
HARNESS = {"AI_AGENT": "claude-code_2-1-325_harness", "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/repo"}
AROUND = (
    "source /home/me/.claude/snapshot.sh 2>/dev/null || true && { \\builtin shopt -u extglob; } >/dev/null 2>&1 || true"
)
in_jail = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")


def started(command: str, file: str = "/tmp/claude-1f2e-cwd") -> str:
    """As the client writes it."""
    return f"{AROUND} && eval {quoted(command)} < /dev/null && pwd -P >| {file}"


def quoted(command: str) -> str:
    return "'" + command.replace("'", "'\"'\"'") + "'"


@pytest.mark.parametrize(
    "command", ["ls", "echo 'a b' \"c\"", "a\nb", "x && eval 'y' < /dev/null && pwd -P >| z", "''", ""]
)
def test_the_models_command_is_found_in_what_the_client_starts(command: str) -> None:
    start = read_shell_start(started(command), SHELL)
    assert (start.command, start.is_clients_own, start.shell) == (command, False, "/bin/bash")
    assert shlex.split(quoted(command)) == [command]
    assert start.own_file == "/tmp/claude-1f2e-cwd"


@pytest.mark.parametrize(
    ("written", "command"),
    [
        ("ls", "ls"),
        ("./x.sh", "./x.sh"),
        ("ls\\;pwd", "ls;pwd"),
        ("\\$HOME/x", "$HOME/x"),
        ("FOO\\=1", "FOO=1"),
        ("a\\", None),
    ],
)
def test_a_command_of_one_word_may_have_no_quotes(written: str, command: str | None) -> None:
    start = read_shell_start(f"{AROUND} && eval {written} < /dev/null && pwd -P >| /tmp/claude-1f2e-cwd", SHELL)
    assert (start.command, start.own_file) == (command, "/tmp/claude-1f2e-cwd")


@pytest.mark.parametrize("named", ["/repo/file", "/tmp/../repo/claude-1-cwd", "claude-1-cwd", "/tmp/claude-cwd/x", ""])
def test_only_a_file_with_the_clients_own_name_is_given(named: str) -> None:
    assert read_shell_start(started("ls", named), SHELL).own_file == ""


@pytest.mark.parametrize(
    "text", ["ls", 'x && eval "ls" < /dev/null && pwd -P >| /tmp/claude-1-cwd', "x && eval 'a'b && pwd -P >| /f"]
)
def test_what_is_not_understood_is_the_models(text: str) -> None:
    start = read_shell_start(text, SHELL)
    assert (start.command, start.is_clients_own) == (None, False)


def test_a_hook_or_a_server_is_the_persons() -> None:
    assert read_shell_start("my-hook.sh", HARNESS).is_clients_own
    assert not read_shell_start(started("ls"), HARNESS).is_clients_own, "the text says otherwise"
    assert not read_shell_start("ls", {**HARNESS, "AI_AGENT": "claude-code_agent"}).is_clients_own


def run(cli: Cli, command: str, *, text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Through the installed program, as the client runs it."""
    environment = {**cli.environment, **SHELL, "CLAUDE_CODE_SESSION_ID": "one", **variables}
    program = shell_program_path(environment["PERDURE_HOME"], "claude-code")
    Path(program).parent.mkdir(exist_ok=True)
    Path(program).write_text(shell_program.text(Program.find(environment), claude_code))
    os.chmod(program, shell_program.MODE)
    return subprocess.run(
        [program, text or started(command, str(cli.cwd.parent / "claude-1-cwd"))],
        cwd=cli.cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def made(cli: Cli, command: str = "touch made", **variables: str) -> bool:
    """Whether the command could make a file in the project."""
    (cli.cwd / "made").unlink(missing_ok=True)
    run(cli, command, **variables)
    return (cli.cwd / "made").exists()


@in_jail
def test_without_a_transaction_a_command_runs_read_only(cli: Cli) -> None:
    ran = run(cli, "echo out; echo err >&2; cd .git; touch made; exit 3")
    assert ran.stdout == "out\n"
    assert "err\n" in ran.stderr
    assert "Permission denied" in ran.stderr
    assert ran.returncode == 3
    ran = run(cli, "cd .git")
    assert (cli.cwd.parent / "claude-1-cwd").read_text() == f"{cli.cwd}/.git\n", "the client learns the folder"


@in_jail
def test_a_transition_runs_outside(cli: Cli) -> None:
    ran = run(cli, "perdure note finding 'kept' | cat", PATH=f"{Path(sys.executable).parent}:{cli.environment['PATH']}")
    assert ran.returncode == 0, ran.stderr
    assert "kept" in cli("export").out


@in_jail
@pytest.mark.parametrize("command", ["perdure status; touch made", "echo perdure; touch made", "x=perdure; touch made"])
def test_the_name_alone_opens_nothing(cli: Cli, command: str) -> None:
    assert not made(cli, command)


@in_jail
def test_while_the_gate_is_paused_a_command_runs_as_it_is(cli: Cli) -> None:
    person = cli.of_a_person()
    assert not made(cli)
    person.ok("pause", "10m")
    assert made(cli)
    person.ok("pause", "--end")
    assert not made(cli)


@in_jail
def test_settings_of_the_person_count(cli: Cli) -> None:
    assert made(cli, PERDURE_GATE_MODE="off")
    assert made(cli, PERDURE_GATE_MODE="observe")
    assert made(cli, PERDURE_GATE_CONTAIN="false")
    assert not made(cli, PERDURE_GATE_CONTAIN="nonsense")
    assert not made(cli)


@in_jail
def test_a_transaction_that_passes_opens_it_and_its_end_shuts_it(cli: Cli) -> None:
    acting = {"PERDURE_INSTANCE": "11111111-1111-4111-8111-111111111111"}
    numbers = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
    assert not made(cli, **acting)
    assert cli("preflight", *numbers, **acting).code == 0
    assert made(cli, **acting)
    assert not made(cli), "another instance's"
    assert cli("postflight", *numbers, **acting).code == 0
    assert not made(cli, **acting)


AGENT = {"PERDURE_INSTANCE": "11111111-1111-4111-8111-111111111111"}
NUMBERS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")


def second_project(cli: Cli) -> Path:
    other = new_repository(cli.cwd.parent / "outreach", cli.environment)
    assert cli("init", "--no-client", cwd=other).code == 0
    return other


@in_jail
@pytest.mark.parametrize(
    "command", ["touch {}/made", "cd {} && touch made", "cd ../outreach && sh -c 'touch made'", "touch {}/made && ls"]
)
def test_the_transaction_that_the_gate_advises_for_another_project_opens_its_files_to_the_shell(
    cli: Cli, command: str
) -> None:
    """The guard lets the command pass, because it changes only the project in which the transaction is open."""
    other = second_project(cli)
    command = command.format(other)
    run(cli, command, **AGENT)
    assert not (other / "made").exists()
    assert (
        cli("preflight", *NUMBERS, "--project-path", str(other), **{**AGENT, "PERDURE_PROJECT": str(cli.cwd)}).code == 0
    )
    ran = run(cli, command, **AGENT, PERDURE_PROJECT=str(cli.cwd))
    assert (other / "made").exists(), ran.stderr
    assert not made(cli, **AGENT, PERDURE_PROJECT=str(cli.cwd)), "here no transaction is open"
    (other / "made").unlink()
    assert cli("postflight", *NUMBERS, "--project-path", str(other), **AGENT).code == 0
    run(cli, command, **AGENT, PERDURE_PROJECT=str(cli.cwd))
    assert not (other / "made").exists()


@in_jail
def test_a_command_that_changes_a_second_project_too_stays_read_only(cli: Cli) -> None:
    other = second_project(cli)
    assert cli("preflight", *NUMBERS, "--project-path", str(other), **AGENT).code == 0
    run(cli, f"touch {other}/made; touch {cli.cwd}/made", **AGENT, PERDURE_PROJECT=str(cli.cwd))
    assert not (other / "made").exists()
    assert not (cli.cwd / "made").exists()


@in_jail
@pytest.mark.parametrize("mode", ["off", "observe"])
def test_a_project_that_enforces_nothing_is_open_to_the_shell_from_another_one(cli: Cli, mode: str) -> None:
    other = second_project(cli)
    assert cli("config", "set", "gate.mode", mode, cwd=other).code == 0
    run(cli, f"touch {other}/made", **AGENT)
    assert (other / "made").exists()


@in_jail
def test_whatever_fails_does_not_run(cli: Cli) -> None:
    assert run(cli, "", text="x").returncode == 127, "read-only, and there is no such command"
    environment = {**cli.environment, **SHELL}
    program = shell_program_path(environment["PERDURE_HOME"], "claude-code")
    for words in ([], ["a", "b"]):
        ran = subprocess.run(
            [program, *words], cwd=cli.cwd, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 126
        assert "not run" in ran.stderr


def run_alone(cli: Cli, text: str, *, interpreter: str = sys.executable, **variables: str) -> tuple[int, str, str]:
    """Through a program for shells whose Perdure is gone."""
    gone = Program(interpreter=interpreter, paths=(str(cli.cwd / "gone"),), perdure="")
    script = cli.cwd.parent / "prefix"
    script.write_text(shell_program.text(gone, claude_code))
    script.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], **(variables or SHELL)}
    ran = subprocess.run([str(script), text], cwd=cli.cwd, env=environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("interpreter", [sys.executable, "/nowhere/python"])
def test_where_perdure_is_gone_only_plain_readers_run(cli: Cli, interpreter: str) -> None:
    told = str(cli.cwd.parent / "claude-1-cwd")
    (cli.cwd / "a.txt").write_text("content\n")
    for command in ("ls", "cat a.txt", "grep -n content a.txt", "head -1 a.txt"):
        code, out, _ = run_alone(cli, started(command, told), interpreter=interpreter)
        assert (code, bool(out)) == (0, True), command
    assert run_alone(cli, started("ls", told).replace("'ls'", "ls"), interpreter=interpreter)[0] == 0
    writers = ("touch made", "ls > made", "ls; touch made", "ls $(touch made)", "lsx", "cat a.txt\ntouch made", "")
    for command in (*writers, "ls' && touch made && eval 'ls", "x && eval 'ls' < /dev/null && pwd -P >| made"):
        code, out, said = run_alone(cli, started(command, told), interpreter=interpreter)
        assert (code, out) == (126, ""), command
        assert "perdure init" in said
        assert "CLAUDE_CODE_SHELL_PREFIX" in said
    assert run_alone(cli, "touch made", interpreter=interpreter)[0] == 126, "not as the client writes it"
    assert not (cli.cwd / "made").exists()


def test_where_perdure_is_gone_the_persons_hooks_and_servers_go_on(cli: Cli) -> None:
    assert run_alone(cli, "echo hook; exit 3", **HARNESS)[:2] == (3, "hook\n")


@in_jail
def test_hooks_and_servers_run_as_they_are(cli: Cli) -> None:
    run(cli, "", text="touch made", **HARNESS)
    assert (cli.cwd / "made").exists()


JOINED_READERS = [
    "perdure note finding kept && git status",
    "git status; perdure note finding kept",
    "git status | perdure note finding kept",
    "perdure note finding kept | (cd . && git status)",
    'perdure note finding "$(git status)"',
    'perdure note finding kept <<< "$(git status)"',
    "perdure note finding kept < <(git status)",
    "timeout 5 git status; perdure note finding kept",
    "perdure run -- git status; perdure note finding kept",
    "{ git status; }; perdure note finding kept",
]


@in_jail
@pytest.mark.parametrize("command", JOINED_READERS)
def test_what_is_joined_with_a_transition_does_not_run_outside(cli: Cli, command: str) -> None:
    """Git runs what the repository's configuration names, and the analysis calls `git status` a reader."""
    subprocess.run(
        ["git", "-C", str(cli.cwd), "config", "core.fsmonitor", f"touch '{cli.cwd}/made'; false"],
        check=True,
        env=cli.environment,
    )
    assert not made(cli, command, PATH=with_perdure(cli))
    assert made(cli, "git status", PERDURE_GATE_MODE="off"), "it does run that"


def with_perdure(cli: Cli) -> str:
    return f"{Path(sys.executable).parent}:{cli.environment['PATH']}"


@in_jail
@pytest.mark.parametrize("read", ["git log", "sort a", "python3 -c exec", "x=1; ls", "ls * > /tmp/perdure-x", "ls &"])
def test_a_transition_that_runs_read_only_says_to_run_it_alone(cli: Cli, read: str) -> None:
    transitions = ("note finding kept", "preflight --know 0.8 --uncertainty 0.2 --because x", "task create 'kept'")
    for transition in transitions:
        ran = run(cli, f"{read}\nperdure {transition}", PATH=with_perdure(cli))
        assert "Run this command of perdure alone" in ran.stderr, ran
        assert ran.returncode == 3
    assert "kept" not in cli("export").out
    ran = run(cli, f"{read}\nperdure status", PATH=with_perdure(cli))
    assert "none open" in ran.stdout, "what only reads works all the same"


VECTORS = '{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "kept $(touch made)"}'
PLAINLY_JOINED = [
    "perdure note finding kept",
    "cd .git && perdure note finding kept",
    f"cat <<'EOF' | perdure preflight -\n{VECTORS}\nEOF",
    f"cd .git && perdure preflight - <<'EOF'\n{VECTORS}\nEOF",
    f"perdure preflight - <<< '{VECTORS}'",
    f"echo '{VECTORS}' | tr -d '\\r' | perdure preflight - 2>&1 | tail -1",
    "printf '%s\\n' kept; perdure note finding kept | head -3",
    "ls -la; pwd; perdure note finding kept && cat .git/HEAD || exit 1",
    'perdure note finding "$(echo kept)" > /dev/null',
    "timeout 20 perdure note finding kept; perdure status | grep -c open",
    "perdure note finding 'run kept' && (cd .git; ls) 2>/dev/null",
]


@in_jail
@pytest.mark.parametrize("command", PLAINLY_JOINED)
def test_a_transition_beside_plain_readers_runs_outside(cli: Cli, command: str) -> None:
    ran = run(cli, command, PATH=with_perdure(cli))
    assert ran.returncode == 0, ran.stderr
    assert "kept" in cli("export").out, ran
    assert not (cli.cwd / "made").exists()


def told_after(cli: Cli, printed: str, session: str, **variables: str) -> str:
    """What the hook that runs after a command says to the agent."""
    run(cli, "true")  # writes the program for shells
    program = shell_program_path(cli.environment["PERDURE_HOME"], "claude-code")
    given = {
        "session_id": session,
        "cwd": str(cli.cwd),
        "tool_name": "Bash",
        "tool_input": {"command": "./build"},
        "tool_response": {"stdout": printed, "stderr": "", "interrupted": False},
    }
    done = subprocess.run(
        [sys.executable, "-m", "perdure", "hook", "PostToolUse"],
        cwd=cli.cwd,
        env={**cli.environment, **SHELL, "CLAUDE_CODE_SHELL_PREFIX": program, **variables},
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@in_jail
def test_after_a_refusal_the_agent_is_told_what_and_the_way_out(cli: Cli) -> None:
    printed = "building\ntouch: cannot touch 'out/a': Permission denied\n"
    assert told_after(cli, "all is well\n", "one") == ""
    said = json.loads(told_after(cli, printed, "one"))["hookSpecificOutput"]
    assert said["hookEventName"] == "PostToolUse"
    assert "cannot touch 'out/a': Permission denied" in said["additionalContext"]
    assert "perdure preflight" in said["additionalContext"]
    assert told_after(cli, printed, "one") == "", "once in a session"
    assert told_after(cli, printed, "two") != ""


@in_jail
def test_what_did_not_run_read_only_is_not_called_so(cli: Cli) -> None:
    printed = "cat: /etc/shadow: Permission denied\n"
    assert told_after(cli, printed, "one", PERDURE_GATE_CONTAIN="false") == ""
    assert told_after(cli, printed, "one", CLAUDE_CODE_SHELL_PREFIX="") == ""


def test_status_says_once_that_the_kernel_cannot_hold_the_jail(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(**variables: str) -> str:
        for name, content in {**cli.environment, **variables}.items():
            monkeypatch.setenv(name, content)
        monkeypatch.chdir(cli.cwd)
        assert program.main(["status"]) == 0
        return " ".join(capsys.readouterr().out.split())

    sentence = "Commands do not run read-only here, so the gate's analysis alone decides: this kernel has no Landlock"
    monkeypatch.setattr(shell_command, "running_kernel", lambda: Kernel(7, "x86_64"))
    assert "read-only" not in said()
    monkeypatch.setattr(shell_command, "running_kernel", lambda: Kernel(0, "x86_64"))
    assert said().count(sentence) == 1
    assert sentence not in said(PERDURE_GATE_CONTAIN="false")
