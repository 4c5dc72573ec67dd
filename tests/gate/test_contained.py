"""Commands of which it is not known what they do: they run read-only where the kernel can hold them (SPEC 5.8)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from perdure.clients import claude_code
from perdure.gate.effects.analysis import analyse
from perdure.install import shell_program
from perdure.install.program import Program
from perdure.jail.confine import running_kernel
from perdure.jail.plan import why_not
from perdure.place.home import shell_program_path

from ..conftest import Cli
from .worlds import world

UNCERTAIN = [
    "frobnicate --list",
    "./script.sh",
    "python3 -c 'exec'",
    "python3 script.py",
    "node -e eval",
    "perl -ne print f",
    "for f in *; do frobnicate $f; done",
    "$x",
    "eval ls",
    "make -n",
    "pytest -q",
    "cat <<EOF",
    "git log --no-such-option",
    "x=$(frobnicate); echo $x",
    "npx tsc --noEmit | head",
    "bunx jest --listTests",
    "tox -l",
    "awk -f sum.awk data.csv",
    "gawk -l filefuncs 1 f",
    "git --config-env=core.pager=X log",
    "kubectl --kubeconfig other get pods",
    "gpg --list-keys",
    "sort --compress-program=cat f",
]
SURE = [
    "touch a",
    "rm -rf src",
    "echo x > a",
    "sed -i s/a/b/ f",
    "git commit -m x",
    "git push --force",
    "npm publish",
    "mkdir d; frobnicate",
    "python3 -c 1 > out",
    "chmod +x a",
    "perdure config set gate.mode off",
    "perdure status; frobnicate",
    "FOO=1 perdure preflight -",
]
READS = ["ls", "perdure status", "git log | head"]


@pytest.mark.parametrize("command", UNCERTAIN)
def test_nobody_can_tell(command: str) -> None:
    found = analyse(command, world())
    assert found.effect == "praxic"
    assert found.is_uncertain, found


@pytest.mark.parametrize("command", [*SURE, *READS])
def test_somebody_can_tell(command: str) -> None:
    assert not analyse(command, world()).is_uncertain


def test_perdure_readonly_reads_whatever_it_runs() -> None:
    assert analyse("perdure readonly -- rm -rf src", world()).effect == "noetic"
    assert analyse("perdure readonly --network -- curl x", world()).effect == "praxic"
    assert analyse("perdure readonly $x -- ls", world()).effect == "praxic"
    assert analyse("perdure readonly -- ls > out", world()).effect == "praxic"
    assert analyse("TMPDIR=. perdure readonly -- ls", world()).effect == "praxic"


def install(cli: Cli) -> str:
    """The program for shells, as `perdure init` installs it."""
    path = shell_program_path(cli.environment["PERDURE_HOME"], "claude-code")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(shell_program.text(Program.find(cli.environment), claude_code))
    os.chmod(path, 0o755)
    return path


def judged(cli: Cli, command: str, **variables: str) -> tuple[str, str]:
    found = cli.ok("gate", "explain", command, **variables)
    return found["effect"], found["verdict"]


in_jail = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")


@in_jail
def test_it_runs_only_where_the_jail_is_proved(cli: Cli) -> None:
    prefix = install(cli)
    asked = "python3 -c exec"
    assert judged(cli, asked) == ("praxic", "deny")
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX=prefix) == ("contained", "pass")
    assert judged(cli, "touch a", CLAUDE_CODE_SHELL_PREFIX=prefix) == ("praxic", "deny")
    assert judged(cli, "perdure uninstall", CLAUDE_CODE_SHELL_PREFIX=prefix) == ("forbidden", "deny")
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX="/usr/bin/env") == ("praxic", "deny")
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX=prefix, PERDURE_GATE_CONTAIN="false") == ("praxic", "deny")
    os.chmod(prefix, 0o600)
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX=prefix)[1] == ("pass" if os.access(prefix, os.X_OK) else "deny")
    Path(prefix).write_text('#!/bin/sh\nexec sh -c "$1"\n')
    os.chmod(prefix, 0o755)
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX=prefix) == ("praxic", "deny")
    os.unlink(prefix)
    assert judged(cli, asked, CLAUDE_CODE_SHELL_PREFIX=prefix) == ("praxic", "deny")


@in_jail
def test_the_agent_is_told_once(cli: Cli) -> None:
    prefix = install(cli)

    def hook(command: str, session: str) -> str:
        payload = {
            "session_id": session,
            "cwd": str(cli.cwd),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        words = Program.find(cli.environment)
        from perdure.clients import claude_code

        done = subprocess.run(
            words.words(claude_code, "PreToolUse", "x"),
            input=json.dumps(payload),
            env={**cli.environment, "CLAUDE_CODE_SHELL_PREFIX": prefix},
            cwd=cli.cwd,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    told = json.loads(hook("python3 -c exec", "one"))["hookSpecificOutput"]
    assert told["additionalContext"].startswith("[PHASE: SESSION_RUNNING]\nPerdure: ")
    assert "runs read-only" in told["additionalContext"]
    assert "perdure preflight" in told["additionalContext"]
    assert "permissionDecision" not in told, "the client's own rules decide"
    assert hook("python3 -c exec", "one") == ""
    assert hook("ls", "two") == ""
    assert "runs read-only" in hook("./x", "two")
