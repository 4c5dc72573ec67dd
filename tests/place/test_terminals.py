"""Isolation in real terminals: ptys and tmux panes with interactive shells, and the program run in them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, new_repository
from tests.place.terminals import PERDURE, Pty, Shell, Terminals, is_running

FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the code")
both = pytest.mark.parametrize("kind", ["tmux", "pty"])


@pytest.fixture
def terminals(cli: Cli, tmp_path: Path) -> Iterator[Terminals]:
    made = Terminals(tmp_path / "typed", cli.environment, cli.cwd)
    yield made
    made.close()


def files(repository: Path) -> dict[str, Any]:
    """The open transactions' files, by name."""
    found = {path.name: json.loads(path.read_text()) for path in (repository / ".perdure").glob("active_transaction*")}
    return {name: content for name, content in found.items() if content["status"] == "open"}


def sees_nothing_of(shell: Shell, transaction_id: str) -> None:
    """It is not this place's, it cannot be closed from here unnamed, and it stays open."""
    where = shell.ok("where")
    assert (where["instance_id"], where["session_id"], where["transaction_id"]) == (None, None, None)
    status = shell.perdure("transaction", "status")
    assert (status.code, status.json["status"], status.json["transaction_id"]) == (1, "none", None)
    refused = shell.perdure("postflight", *FLAGS)
    assert (refused.code, refused.error["code"]) == (1, "no_open_transaction")
    assert refused.error["message"] == "No open transaction. Run PREFLIGHT first."
    assert refused.error["details"]["open"] == [transaction_id]
    shown = shell.ok("transaction", "show", transaction_id)
    assert (shown["status"], shown["mine"]) == ("open", False)


# -- one terminal after another session ----------------------------------------------------------------------------


@both
def test_a_transaction_is_seen_by_the_session_that_follows_it_in_its_terminal_and_by_none_in_another(
    terminals: Terminals, repository: Path, kind: str
) -> None:
    here, there = terminals.two(kind)
    first = here.ok("session", "start")
    opened = here.ok("preflight", *FLAGS)
    second = here.ok("session", "start")
    assert second["session_id"] != first["session_id"]
    assert (second["transaction_id"], second["parent_id"]) == (opened["transaction_id"], first["session_id"])
    assert here.ok("transaction", "status")["mine"]
    sees_nothing_of(there, opened["transaction_id"])
    beside = there.ok("session", "start")
    assert (beside["transaction_id"], beside["parent_id"]) == (None, None)
    assert beside["instance_id"] != first["instance_id"]
    others = there.ok("status")["others"]
    assert [(each["transaction_id"], each["holder_alive"]) for each in others] == [(opened["transaction_id"], True)]
    assert here.ok("postflight", *FLAGS)["sessions_touched"] == [first["session_id"], second["session_id"]]
    assert files(repository) == {}


@both
def test_a_transaction_is_closed_from_another_terminal_by_its_id(terminals: Terminals, kind: str) -> None:
    here, there = terminals.two(kind)
    opened = here.ok("preflight", *FLAGS)
    closed = there.ok("postflight", *FLAGS, "--transaction-id", opened["transaction_id"][:8])
    assert (closed["transaction_id"], closed["status"]) == (opened["transaction_id"], "closed")
    status = here.ok("transaction", "status")
    assert (status["transaction_id"], status["status"]) == (opened["transaction_id"], "closed")
    again = here.perdure("postflight", *FLAGS)
    assert (again.code, again.error["code"]) == (1, "no_open_transaction")


@both
def test_both_terminals_have_a_transaction_of_their_own_in_one_project(
    terminals: Terminals, repository: Path, kind: str
) -> None:
    here, there = terminals.two(kind)
    mine, theirs = here.ok("preflight", *FLAGS), there.ok("preflight", *FLAGS)
    assert mine["transaction_id"] != theirs["transaction_id"]
    assert len(files(repository)) == 2
    assert here.ok("check", *FLAGS)["transaction_id"] == mine["transaction_id"]
    assert there.ok("postflight", *FLAGS)["transaction_id"] == theirs["transaction_id"]
    assert here.ok("transaction", "status")["status"] == "open"
    second = here.perdure("preflight", *FLAGS)
    assert (second.code, second.error["details"]["transaction_id"]) == (1, mine["transaction_id"])


@both
def test_going_into_another_project_changes_nothing(
    terminals: Terminals, cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path, kind: str
) -> None:
    other = new_repository(tmp_path / "other", environment)
    cli.ok("init", cwd=other)
    here, _ = terminals.two(kind)
    opened = here.ok("preflight", *FLAGS)
    for folder in (other, tmp_path, "/"):
        here.run(f"cd '{folder}'")
        where = here.ok("where")
        assert (where["project_path"], where["transaction_id"]) == (str(repository), opened["transaction_id"])
        assert here.ok("check", *FLAGS)["project_path"] == str(repository)
    here.run(f"cd '{other}'")
    assert here.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]
    assert cli.ok("transaction", "list", "--project-path", str(other)) == []


@both
def test_two_terminals_in_two_projects_do_not_see_each_other_wherever_they_stand(
    terminals: Terminals, cli: Cli, repository: Path, environment: dict[str, str], tmp_path: Path, kind: str
) -> None:
    other = new_repository(tmp_path / "other", environment)
    cli.ok("init", cwd=other)
    here, there = terminals.two(kind)
    there.run(f"cd '{other}'")
    mine, theirs = here.ok("preflight", *FLAGS), there.ok("preflight", *FLAGS)
    here.run(f"cd '{other}'")
    there.run(f"cd '{repository}'")
    for shell, opened in ((here, mine), (there, theirs)):
        where = shell.ok("where")
        assert (where["project_path"], where["transaction_id"]) == (opened["project_path"], opened["transaction_id"])


# -- how a place is named ------------------------------------------------------------------------------------------


def test_in_a_pane_the_file_is_named_after_the_pane(terminals: Terminals, repository: Path) -> None:
    server = terminals.tmux()
    server.pane()
    pane = server.pane()
    assert pane.variable("TMUX_PANE") == pane.id == "%1"
    opened = pane.ok("preflight", *FLAGS)
    assert list(files(repository)) == ["active_transaction_tmux_1.json"]
    assert files(repository)["active_transaction_tmux_1.json"]["transaction_id"] == opened["transaction_id"]


def test_in_a_terminal_the_file_is_named_after_the_terminal(terminals: Terminals, repository: Path) -> None:
    shell = terminals.pty()
    assert shell.tty() == shell.name
    shell.ok("preflight", *FLAGS)
    assert list(files(repository)) == [f"active_transaction_{shell.name}.json"]


def test_two_servers_with_one_pane_number_get_two_files_in_one_project(terminals: Terminals, repository: Path) -> None:
    first, second = terminals.tmux().pane(), terminals.tmux().pane()
    assert first.id == second.id == "%0"
    one, two = first.ok("preflight", *FLAGS), second.ok("preflight", *FLAGS)
    assert one["instance_id"] != two["instance_id"]
    by_name = {name: content["transaction_id"] for name, content in files(repository).items()}
    assert by_name == {
        "active_transaction_tmux_0.json": one["transaction_id"],
        f"active_transaction_{two['instance_id'][:8]}.json": two["transaction_id"],
    }
    assert second.ok("postflight", *FLAGS)["transaction_id"] == two["transaction_id"]
    assert first.ok("transaction", "status")["status"] == "open"


def test_with_all_three_streams_piped_the_terminal_is_still_known(terminals: Terminals, repository: Path) -> None:
    shell = terminals.pty()
    given = json.dumps({"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read the code"})
    answer = shell.run(f"echo '{given}' | {PERDURE} preflight - 2>&1 | cat")
    assert json.loads(answer.out)["status"] == "open"
    assert list(files(repository)) == [f"active_transaction_{shell.name}.json"]
    assert shell.ok("where")["transaction_id"] == json.loads(answer.out)["transaction_id"]


@both
def test_a_command_without_a_terminal_below_the_shell_is_at_its_place(terminals: Terminals, kind: str) -> None:
    """As a client runs its hooks: in a session of their own, where `tty` says "not a tty"."""
    here, _ = terminals.two(kind)
    opened = here.ok("preflight", *FLAGS)
    detached = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], start_new_session=True).returncode)"
    answer = here.run(f"{sys.executable} -c '{detached}' {PERDURE} where --json < /dev/null")
    assert json.loads(answer.out)["transaction_id"] == opened["transaction_id"]


# -- what looks the same and is another place ----------------------------------------------------------------------


def test_a_respawned_pane_has_the_same_number_and_inherits_nothing(terminals: Terminals) -> None:
    pane = terminals.tmux().pane()
    opened = pane.ok("preflight", *FLAGS)
    pane.respawn()
    assert pane.variable("TMUX_PANE") == pane.id
    where = pane.ok("where")
    assert (where["instance_id"], where["transaction_id"]) == (None, None)
    started = pane.ok("session", "start")
    assert started["instance_id"] != opened["instance_id"]
    assert (started["transaction_id"], started["orphans"]) == (None, [opened["transaction_id"]])
    refused = pane.perdure("postflight", *FLAGS)
    assert (refused.code, refused.error["code"]) == (1, "no_open_transaction")


def test_a_tmux_server_started_anew_has_the_same_panes_and_inherits_nothing(
    terminals: Terminals, repository: Path
) -> None:
    server = terminals.tmux()
    pane = server.pane()
    opened = pane.ok("preflight", *FLAGS)
    server.kill()
    again = server.pane()
    assert again.id == pane.id
    assert again.ok("where")["instance_id"] is None
    second = again.ok("preflight", *FLAGS)
    assert second["instance_id"] != opened["instance_id"]
    assert second["orphans"] == [opened["transaction_id"]]
    by_name = {name: content["transaction_id"] for name, content in files(repository).items()}
    assert by_name["active_transaction_tmux_0.json"] == opened["transaction_id"]
    assert by_name[f"active_transaction_{second['instance_id'][:8]}.json"] == second["transaction_id"]


def same_terminal_again(terminals: Terminals, name: str) -> Pty:
    """The lowest free number is given out first, but others open terminals too."""
    for _ in range(100):
        found = terminals.pty()
        if found.name == name:
            return found
    pytest.skip(f"somebody else holds {name} now")


def test_a_terminals_number_used_again_by_somebody_else_inherits_nothing(terminals: Terminals) -> None:
    first = terminals.pty()
    opened = first.ok("preflight", *FLAGS)
    first.close()
    second = same_terminal_again(terminals, first.name)
    assert second.tty() == first.name
    where = second.ok("where", "--explain")
    assert (where["instance_id"], where["transaction_id"]) == (None, None)
    row = next(row for row in where["rows"] if row["name"] == "terminal")
    assert (row["key"], row["taken"]) == (first.name, False)
    assert "another shell" in row["outcome"]
    started = second.ok("session", "start")
    assert started["instance_id"] != opened["instance_id"]
    assert (started["transaction_id"], started["orphans"]) == (None, [opened["transaction_id"]])


def test_a_terminal_that_only_inherited_the_panes_name_is_a_place_of_its_own(
    terminals: Terminals, repository: Path
) -> None:
    pane = terminals.tmux().pane()
    opened = pane.ok("preflight", *FLAGS)
    inherited = {name: pane.variable(name) for name in ("TMUX", "TMUX_PANE")}
    shell = terminals.pty(**inherited)
    sees_nothing_of(shell, opened["transaction_id"])
    own = shell.ok("preflight", *FLAGS)
    assert own["instance_id"] != opened["instance_id"]
    assert sorted(files(repository)) == sorted(
        ["active_transaction_tmux_0.json", f"active_transaction_{shell.name}.json"]
    )


def test_a_transaction_whose_terminal_was_closed_is_orphaned_and_can_be_taken_over(
    terminals: Terminals, repository: Path
) -> None:
    first, second = terminals.pty(), terminals.pty()
    opened = first.ok("preflight", *FLAGS)
    alive = second.ok("transaction", "show", opened["transaction_id"])
    assert (alive["holder_alive"], alive["orphaned"]) == (True, False)
    first.close()
    left = second.ok("transaction", "show", opened["transaction_id"])
    assert (left["holder_alive"], left["orphaned"]) == (False, True)
    taken = second.ok("transaction", "adopt", opened["transaction_id"][:8])
    assert (taken["mine"], taken["orphaned"]) == (True, False)
    assert list(files(repository)) == [f"active_transaction_{second.name}.json"]
    assert second.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]


def test_where_no_instance_is_bound_the_only_transaction_of_a_dead_one_is_offered(terminals: Terminals) -> None:
    """SPEC 3.1: by rows 6 and 7, and only if its holder is dead."""
    first, second, third = (terminals.pty() for _ in range(3))
    opened = first.ok("preflight", *FLAGS)
    sees_nothing_of(third, opened["transaction_id"])
    beside = second.ok("preflight", *FLAGS)
    first.close()
    second.close()
    two_left = third.perdure("postflight", *FLAGS)
    assert two_left.error["code"] == "no_open_transaction"
    third.ok("postflight", *FLAGS, "--transaction-id", beside["transaction_id"], "--instance", "somebody")
    offered = third.ok("status")
    assert offered["instance_id"] is None
    assert (offered["transaction"]["transaction_id"], offered["transaction"]["mine"]) == (
        opened["transaction_id"],
        False,
    )
    assert third.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]


# -- clients -------------------------------------------------------------------------------------------------------


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Shells that bear clients' names: what is typed in one runs below a process called so."""
    folder = tmp_path / "programs"
    folder.mkdir()
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed: no shell that runs under another name")
    for name in ("claude", "codex"):
        (folder / name).symlink_to(bash)
    return folder


def become(shell: Shell, program: Path) -> int:
    """Starts the client in that terminal; from now on what is typed goes to it. Answers with its pid."""
    shell.type(f"{program} --norc --noprofile -i")
    return int(shell.run("echo $$").out)


def bind_client(shell: Shell, client: str, session: str) -> Any:
    return shell.ok("session", "start", "--client", client, "--client-session-id", session)


@both
def test_a_client_and_then_its_terminals_shell_are_one_instance(
    terminals: Terminals, programs: Path, kind: str
) -> None:
    here, there = terminals.two(kind)
    pid = become(here, programs / "claude")
    started = bind_client(here, "claude-code", "s-1")
    opened = here.ok("preflight", *FLAGS)
    assert opened["instance_id"] == started["instance_id"]
    assert here.ok("where")["by"] == "process ancestry"
    here.type("exit")
    assert int(here.run("echo $$").out) != pid
    assert not is_running(pid)
    where = here.ok("where")
    assert where["by"] == ("tmux pane" if kind == "tmux" else "terminal")
    assert (where["instance_id"], where["transaction_id"]) == (started["instance_id"], opened["transaction_id"])
    become(here, programs / "codex")
    assert bind_client(here, "codex", "c-1")["transaction_id"] == opened["transaction_id"]
    sees_nothing_of(there, opened["transaction_id"])


def test_a_pane_whose_client_was_killed_is_a_terminal_again(terminals: Terminals, programs: Path) -> None:
    """No hook says so: the session goes on in the shell of that terminal."""
    here, there = terminals.two("pty")
    pid = become(there, programs / "claude")
    bind_client(there, "claude-code", "s-1")
    (pane,) = here.ok("status")["panes"]
    assert pane["client"] == "claude-code"
    os.kill(pid, signal.SIGKILL)
    there.run("echo back")
    (pane,) = here.ok("status")["panes"]
    assert pane["client"] is None
    assert "  terminal, here" in here.run(f"{PERDURE} status").out


@both
def test_a_client_inside_a_client_sees_nothing_of_the_outer_one(
    terminals: Terminals, programs: Path, kind: str
) -> None:
    here, _ = terminals.two(kind)
    become(here, programs / "claude")
    outer = bind_client(here, "claude-code", "s-1")
    opened = here.ok("preflight", *FLAGS)
    here.run("export PERDURE_CLIENT_SESSION=s-1")
    assert here.ok("where")["by"] == "client session"
    become(here, programs / "codex")
    assert here.variable("PERDURE_CLIENT_SESSION") == "s-1"
    sees_nothing_of(here, opened["transaction_id"])
    inner = bind_client(here, "codex", "c-1")
    assert inner["instance_id"] != outer["instance_id"]
    assert here.ok("where")["instance_id"] == inner["instance_id"]
    own = here.ok("preflight", *FLAGS)
    assert own["transaction_id"] != opened["transaction_id"]
    here.type("exit")
    assert here.ok("where")["transaction_id"] == opened["transaction_id"]


def test_a_person_in_the_terminal_of_a_running_client_is_told_whose_transaction_is_open(
    terminals: Terminals, programs: Path
) -> None:
    here = terminals.pty()
    become(here, programs / "claude")
    bind_client(here, "claude-code", "s-1")
    assert "running in this terminal" not in here.ok("preflight", *FLAGS)["message"]
    assert "running in this terminal" not in here.perdure("preflight", *FLAGS).error["message"], "the client knows"
    here.type("suspend -f")
    refused = here.perdure("preflight", *FLAGS)
    assert refused.error["code"] == "transaction_open"
    assert "It is that of claude-code, which is running in this terminal" in refused.error["message"]
    assert "close that of claude-code" in refused.error["hint"]
    here.type("fg")
    here.type("exit")
    gone = here.perdure("preflight", *FLAGS)
    assert "running in this terminal" not in gone.error["message"], "the client is gone, the terminal goes on"
    here.ok("postflight", *FLAGS)
    here.ok("preflight", *FLAGS)


def test_a_session_resumed_while_it_runs_is_another_instance(terminals: Terminals, programs: Path) -> None:
    first, second = terminals.pty(), terminals.pty()
    become(first, programs / "claude")
    started = bind_client(first, "claude-code", "s-1")
    opened = first.ok("preflight", *FLAGS)
    become(second, programs / "claude")
    beside = bind_client(second, "claude-code", "s-1")
    assert beside["instance_id"] != started["instance_id"]
    assert beside["transaction_id"] is None
    assert second.ok("where")["instance_id"] == beside["instance_id"]
    assert first.ok("where")["transaction_id"] == opened["transaction_id"]


def test_a_resumed_session_goes_on_in_the_transaction_it_left(terminals: Terminals, programs: Path) -> None:
    first, second = terminals.pty(), terminals.pty()
    become(first, programs / "claude")
    started = bind_client(first, "claude-code", "s-1")
    opened = first.ok("preflight", *FLAGS)
    first.close()
    become(second, programs / "claude")
    resumed = bind_client(second, "claude-code", "s-1")
    assert (resumed["instance_id"], resumed["transaction_id"]) == (started["instance_id"], opened["transaction_id"])
    assert second.ok("postflight", *FLAGS)["transaction_id"] == opened["transaction_id"]


def test_a_terminal_whose_session_was_resumed_elsewhere_sees_nothing_of_it_while_that_runs(
    terminals: Terminals, programs: Path
) -> None:
    first, second = terminals.pty(), terminals.pty()
    become(first, programs / "claude")
    bind_client(first, "claude-code", "s-1")
    opened = first.ok("preflight", *FLAGS)
    first.type("exit")
    assert first.ok("where")["transaction_id"] == opened["transaction_id"]
    become(second, programs / "claude")
    assert bind_client(second, "claude-code", "s-1")["transaction_id"] == opened["transaction_id"]
    sees_nothing_of(first, opened["transaction_id"])
    second.type("exit")
    assert second.ok("where")["transaction_id"] == opened["transaction_id"]
    sees_nothing_of(first, opened["transaction_id"])
    where = second.name.replace("-", "/", 1)
    assert f"({where})" in first.run(f"{PERDURE} status").out, "where it is now, not where it was opened"


def test_variables_of_a_dead_tmux_server_are_ignored(terminals: Terminals, repository: Path) -> None:
    shell = terminals.pty(TMUX=f"/tmp/tmux-0/default,{os.getpid()},0", TMUX_PANE="%7")
    shell.ok("preflight", *FLAGS)
    assert list(files(repository)) == [f"active_transaction_{shell.name}.json"]
