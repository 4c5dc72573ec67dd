"""A client is added by one adapter and one line: here a made-up one is, and works from its hooks to the ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from perdure import clients

from ..conftest import Cli, Result

ROOT = Path(__file__).parents[2]
SESSION = "b3d7cc0e-b758-4183-bd32-9004b19feb73"
REGISTER = "clients.Registered(programs=('made-up',), adapter='tests.surfaces.made_up_client')"
FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")


class MadeUp:
    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        paths = [str(ROOT / "src"), str(ROOT)]
        self.code = f"import sys; sys.path += {paths!r}; from perdure import clients; "
        self.code += f"clients.REGISTERED['made-up'] = {REGISTER}; from perdure.surfaces.hooks import run; "
        self.code += "run(sys.argv[1:], '/opt/perdure/bin/perdure')"

    def __call__(self, event: str, client: str = "made-up", **given: Any) -> Result:
        fields = {"session": SESSION, "folder": self.cli.cwd, **given}
        done = subprocess.run(
            [os.path.realpath(sys.executable), "-I", "-S", "-c", self.code, "--client", client, event],
            input="".join(f"{name}={content}\n" for name, content in fields.items()),
            cwd=self.cli.cwd,
            env=self.cli.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def recorded(self) -> list[tuple[str, str, dict[str, Any]]]:
        found = [json.loads(line) for line in self.cli("export").out.splitlines()]
        return [(each["kind"], each["actor"], each["payload"]) for each in found]


@pytest.fixture
def made_up(cli: Cli) -> MadeUp:
    return MadeUp(cli)


def test_its_hooks_reach_the_gate_and_the_ledger(made_up: MadeUp) -> None:
    assert made_up("hello").out.startswith("told session start: ")
    denied = made_up("may-i", tool="do", line="touch b")
    assert (denied.code, denied.err) == (0, "")
    assert denied.out.startswith("no: ")
    assert "touch writes it" in denied.out
    assert made_up("may-i", tool="do", line="ls | head -3").out == ""
    assert made_up("may-i", tool="peek", at="readme.txt").out == ""
    assert made_up("may-i", tool="put", at="readme.txt").out.startswith("no: ")

    made_up.cli.ok("preflight", *FLAGS)
    assert made_up("may-i", tool="put", at="readme.txt").out == ""
    assert made_up("may-i", tool="something else").out == "", "open: what is not known may run"
    made_up("typed", words="go on with it")
    made_up("did", tool="put", at="new.txt", new="yes")
    made_up("did", tool="peek", at="readme.txt")
    made_up("could-not", tool="do", line="make", error="no rule")
    made_up("bye")

    recorded = made_up.recorded()
    assert ("file.created", "made-up") in [(kind, actor) for kind, actor, _ in recorded]
    assert ("file.read", "made-up") in [(kind, actor) for kind, actor, _ in recorded]
    (ran,) = [payload for kind, _, payload in recorded if kind == "command.run"]
    assert (ran["command"], ran["outcome"], ran["effect"], ran["error"]) == ("make", "failed", "praxic", "no rule")
    started = [payload for kind, _, payload in recorded if kind == "session.started"]
    assert "made-up" in [each.get("client") for each in started]


def test_a_tool_it_does_not_name_counts_as_one_that_changes_things(made_up: MadeUp) -> None:
    assert made_up("may-i", tool="peer", at="readme.txt").out.startswith("no: ")


def test_what_it_cannot_parse_is_denied_in_its_own_words(made_up: MadeUp) -> None:
    denied = made_up("may-i", tool="do", line="ls\nnothing here")
    assert denied.out.startswith("no: ")
    assert "a failure of the guard" in denied.out


@pytest.mark.parametrize("name", ["nobody", "gemini", "", "codex"])
def test_a_client_whose_hooks_are_not_known_is_denied(made_up: MadeUp, name: str) -> None:
    """Nobody knows its words: it is denied in those that several clients understand."""
    denied = made_up("may-i", client=name, tool="do", line="ls")
    assert denied.code == 0
    assert denied.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "claude-code, made-up" in denied.json["hookSpecificOutput"]["permissionDecisionReason"]
    assert "claude-code, made-up" in denied.err


def test_every_registered_client_has_what_the_port_asks_for() -> None:
    for name in clients.REGISTERED:
        adapter = clients.adapter(name)
        assert adapter
        assert name == adapter.NAME
        assert adapter.TOOLS
        for facet in ("installer", "examiner"):
            assert name in clients.modules(facet) or not getattr(clients.REGISTERED[name], facet)
