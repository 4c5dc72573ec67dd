"""Seed 001's failure modes (§8) and known issues (§11), each as it was met, through the real program."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, assessment, new_repository
from tests.place.terminals import PERDURE, Terminals

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")


@pytest.fixture
def other(cli: Cli, environment: dict[str, str], tmp_path: Path) -> Path:
    """A second project on the same machine."""
    made = new_repository(tmp_path / "outreach", environment)
    cli.ok("init", cwd=made)
    return made


@pytest.fixture
def terminals(cli: Cli, tmp_path: Path) -> Iterator[Terminals]:
    made = Terminals(tmp_path / "typed", cli.environment, cli.cwd)
    yield made
    made.close()


def kinds(cli: Cli, root: Path) -> list[str]:
    """What the project's ledger holds, read from it as it is."""
    exported = cli("export", "--project-path", str(root))
    assert exported.code == 0, exported
    return [json.loads(line)["kind"] for line in exported.out.splitlines() if '"kind"' in line]


# -- 8: failure modes ----------------------------------------------------------------------------------------------


def test_seed_001_8_1_the_client_resets_the_working_directory(cli: Cli, repository: Path, other: Path) -> None:
    """Commands looked in the wrong project."""
    started = cli.ok("session", "start", "--client", "claude-code", "--client-session-id", "s-1")
    opened = cli.ok("preflight", "-", input=assessment())
    before = kinds(cli, other)
    for wrong in (other, other / ".git", Path("/")):
        assert cli.ok("where", cwd=wrong)["project_path"] == str(repository)
        assert cli.ok("check", "-", input=assessment(), cwd=wrong)["transaction_id"] == opened["transaction_id"]
        assert cli.ok("finding", "where am I", cwd=wrong)
        assert cli.ok("status", cwd=wrong)["session"]["session_id"] == started["session_id"]
    closed = cli.ok("postflight", "-", input=assessment(), cwd=other)
    assert (closed["transaction_id"], closed["project_path"]) == (opened["transaction_id"], str(repository))
    assert kinds(cli, other) == before


def test_seed_001_8_2_a_terminal_is_closed_and_opened_again(
    terminals: Terminals, repository: Path, other: Path, tmp_path: Path
) -> None:
    """Old session data was used; it must be told from live, and `session start` writes over it."""
    first = terminals.pty()
    stale = first.ok("session", "start")
    opened = first.ok("preflight", *FLAGS)
    first.close()
    for _ in range(100):
        second = terminals.pty(cwd=other)
        if second.name == first.name:
            break
    else:
        pytest.skip(f"somebody else holds {first.name} now")
    where = second.ok("where")
    assert (where["project_path"], where["instance_id"], where["session_id"]) == (str(other), None, None)
    fresh = second.ok("session", "start")
    assert fresh["instance_id"] != stale["instance_id"]
    kept = json.loads((tmp_path / "home" / "bindings" / "tty" / f"{first.name}.json").read_text())
    assert (kept["instance_id"], kept["session_id"]) == (fresh["instance_id"], fresh["session_id"])
    assert (kept["project_path"], kept["tty_key"]) == (str(other), first.name)
    left = second.ok("transaction", "show", opened["transaction_id"], "--project-path", str(repository))
    assert (left["status"], left["mine"], left["orphaned"]) == ("open", False, True)


@pytest.mark.parametrize("kind", ["tmux", "pty"])
def test_seed_001_8_3_a_pane_sees_another_panes_transaction(terminals: Terminals, repository: Path, kind: str) -> None:
    a, b = terminals.two(kind)
    of_b = b.ok("preflight", *FLAGS)
    assert a.perdure("transaction", "status").json["status"] == "none"
    assert a.perdure("check", *FLAGS).error["code"] == "no_open_transaction"
    assert a.perdure("postflight", *FLAGS).error["code"] == "no_open_transaction"
    of_a = a.ok("preflight", *FLAGS)
    names = {path.name for path in (repository / ".perdure").glob("active_transaction_*.json")}
    assert len(names) == 2
    for shell, opened in ((a, of_a), (b, of_b)):
        assert shell.ok("transaction", "status")["transaction_id"] == opened["transaction_id"]


def test_seed_001_8_4_the_wrong_project_is_shown(cli: Cli, repository: Path, other: Path) -> None:
    """The line a person looks at showed the folder's project, not the one worked on."""
    cli.ok("preflight", "-", input=assessment())
    for arguments in (("status",), ("where",)):
        text = cli(*arguments, cwd=other)
        assert text.code == 0
        assert str(repository) in text.out.splitlines()[0]
        assert str(other) not in text.out.splitlines()[0]
    shown = cli.ok("status", cwd=other)
    assert shown["project"] == "shop"
    assert f"you are in {other}; this pane is bound to {repository}" in shown["warnings"][0]
    listed = cli.ok("project", "list", cwd=other)
    assert [entry["project"] for entry in listed if entry["is_here"]] == ["shop"]


@pytest.mark.parametrize("command", ["check", "check-submit"])
def test_seed_001_8_5_cd_and_check_in_one_line(cli: Cli, repository: Path, other: Path, command: str) -> None:
    """Half of it: that the line works. That the gate lets it pass is the gate's test."""
    Cli.is_forked = False  # both are started by one process, and so belong to one instance
    opened = cli.ok("preflight", "-", input=assessment())
    line = f"cd {shlex.quote(str(other))} && {PERDURE} {command} -"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=repository,
        env=cli.environment,
        input=assessment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    answer = json.loads(done.stdout)
    assert (answer["decision"], answer["transaction_id"]) == ("proceed", opened["transaction_id"])
    assert answer["project_path"] == str(repository)


# -- 11: known issues ----------------------------------------------------------------------------------------------


def test_seed_001_11_1_a_transaction_closes_by_itself_between_commands(cli: Cli, repository: Path, other: Path) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    for cwd in (other, Path("/"), repository, other):
        cli.ok("session", "start", cwd=cwd)
        cli("preflight", *FLAGS, cwd=cwd)
        cli("status", cwd=cwd)
        cli.ok("session", "end", cwd=cwd)
        status = cli.ok("transaction", "status", cwd=cwd)
        assert (status["transaction_id"], status["status"]) == (opened["transaction_id"], "open")
    recorded = kinds(cli, repository)
    assert recorded.count("transaction.opened") == 1
    assert "transaction.closed" not in recorded
    assert not any(kind.startswith("transaction.") for kind in kinds(cli, other))


def test_seed_001_11_2_switching_projects_triggers_postflight(
    cli: Cli, repository: Path, other: Path, tmp_path: Path
) -> None:
    """A made-up measurement: here what is left behind stays open and is named, unless an assessment is given."""
    opened = cli.ok("preflight", "-", input=assessment())
    switched = cli.ok("project", "switch", str(other))
    assert switched["project_path"] == str(other)
    assert (switched["left_open_transaction_id"], switched["left_project_path"]) == (
        opened["transaction_id"],
        str(repository),
    )
    assert switched["closed_transaction_id"] is None
    assert "transaction.closed" not in kinds(cli, repository)
    back = cli.ok("project-switch", str(repository))
    assert back["left_open_transaction_id"] is None
    assert cli.ok("transaction", "status")["transaction_id"] == opened["transaction_id"]
    (tmp_path / "done.json").write_text(assessment(completion=1.0))
    away = cli.ok("project", "switch", str(other), "--postflight", str(tmp_path / "done.json"))
    assert (away["closed_transaction_id"], away["left_open_transaction_id"]) == (opened["transaction_id"], None)
    shown = cli.ok("transaction", "show", opened["transaction_id"], "--project-path", str(repository))
    assert (shown["status"], shown["assessed"]) == ("closed", True)


def test_seed_001_11_3_after_a_compaction_the_wrong_project_is_found(cli: Cli, repository: Path, other: Path) -> None:
    """The hooks before and after a compaction know the client's session id; the folder they run in may be any."""
    hook = ("--client", "claude-code", "--client-session-id", "s-1")
    first = cli.ok("session", "start", *hook)
    opened = cli.ok("preflight", "-", input=assessment())
    ended = cli.ok("session", "end", "--reason", "compact", cwd=other)
    assert (ended["session_id"], ended["open_transaction_id"]) == (first["session_id"], opened["transaction_id"])
    after = cli.ok("session", "start", "--source", "compact", *hook, cwd=other)
    assert (after["project_path"], after["instance_id"]) == (str(repository), first["instance_id"])
    assert (after["parent_id"], after["transaction_id"]) == (first["session_id"], opened["transaction_id"])
    where = cli.ok("where", "--explain", *hook, cwd=other)
    assert (where["project_path"], where["by"]) == (str(repository), "client session")
    closed = cli.ok("postflight", "-", input=assessment(), cwd=other)
    assert closed["sessions_touched"] == [first["session_id"], after["session_id"]]


@pytest.mark.parametrize("command", [("goal", "create"), ("goals-create",)])
def test_seed_001_11_4_goals_have_no_transaction(cli: Cli, other: Path, command: tuple[str, ...]) -> None:
    before = cli.ok(*command, "before any transaction")
    assert before["transaction_id"] is None
    opened = cli.ok("preflight", *FLAGS, "--goal", "ship the parser")
    during = cli.ok(*command, "keep one token of lookahead", cwd=other)
    assert during["transaction_id"] == opened["transaction_id"]
    linked = {goal["title"]: goal["transaction_id"] for goal in cli.ok("goal", "list")}
    assert linked == {
        "before any transaction": None,
        "ship the parser": opened["transaction_id"],
        "keep one token of lookahead": opened["transaction_id"],
    }


def test_seed_001_11_5_commands_use_the_wrong_ledger_after_a_switch(cli: Cli, repository: Path, other: Path) -> None:
    cli.ok("session", "start")
    cli.ok("project", "switch", "outreach")
    before = kinds(cli, repository)
    opened = cli.ok("preflight", "-", input=assessment())
    assert opened["project_path"] == str(other)
    answers: dict[str, Any] = {
        "check": cli.ok("check", "-", input=assessment()),
        "transaction status": cli.ok("transaction", "status"),
    }
    assert {answer["transaction_id"] for answer in answers.values()} == {opened["transaction_id"]}
    cli.ok("decide", "write to them first", "--because", "they asked")
    cli.ok("finding", "they answer on Mondays")
    cli.ok("goal", "create", "ten answers")
    status = cli.ok("status")
    assert (status["project"], status["project_path"]) == ("outreach", str(other))
    assert [goal["title"] for goal in status["goals"]] == ["ten answers"]
    assert [entry["transaction_id"] for entry in cli.ok("transaction", "list")] == [opened["transaction_id"]]
    cli.ok("postflight", "-", input=assessment())
    # The session began there, so its record there says what it is in the middle of (seed 000 §5.4), and no more.
    assert [kind for kind in kinds(cli, repository) if kind != "session.working"] == before
    recorded = kinds(cli, other)
    for kind in ("transaction.opened", "transaction.checked", "decision.made", "goal.created", "transaction.closed"):
        assert kind in recorded, recorded
