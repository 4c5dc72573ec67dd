"""The resolver, row by row (SPEC 3.1): processes are made up, projects and binding files are real."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.errors import BadInput, PerdureError
from perdure.model.ids import InstanceId, SessionId, new_id
from perdure.model.moment import DAY, Moment
from perdure.model.value import replace
from perdure.place import project
from perdure.place.bindings import Bindings, client_key, pane_key, process_key, terminal_key
from perdure.place.liveness import Holder, is_living, put_away_stale
from perdure.place.process import Process, ProcessRef
from perdure.place.resolve import Explicit, Place
from perdure.place.seat import InstanceSeat, nobody, take_seat
from perdure.place.surroundings import StatedClient, Terminal, TmuxPane
from tests.conftest import Cli
from tests.place.world import Machine, claude


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def taken(place: Place) -> list[int]:
    return [tried.row for tried in place.tried if tried.taken]


def later(bindings: Bindings, key: str, milliseconds: int) -> None:
    """The binding, as if it had been written so much later."""
    found = bindings.at(key)
    assert found is not None
    bindings.write([key], replace(found, updated_at=Moment(found.updated_at + milliseconds)))


def said(place: Place, row: int) -> str:
    return "; ".join(tried.outcome for tried in place.tried if tried.row == row)


# -- each row ------------------------------------------------------------------------------------------------------


def test_row_1_a_project_given_by_flag_is_the_project(machine: Machine) -> None:
    shop, other = machine.project("shop"), machine.project("other")
    place = machine.where(machine.shell(), cwd=shop, explicit=Explicit(project_path=other))
    assert (place.project_path, place.project_row, place.instance_id) == (other, 1, None)


@pytest.mark.parametrize("form", ["{}", "{}/", "{}/.perdure", "{}/src/deep"])
def test_row_1_a_project_may_be_named_by_its_root_its_folder_or_anything_inside(machine: Machine, form: str) -> None:
    shop = machine.project("shop")
    os.makedirs(os.path.join(shop, "src", "deep"))
    for given in (
        machine.where(machine.shell("pts-1"), explicit=Explicit(project_path=form.format(shop))),
        machine.where(machine.shell("pts-2"), environment={"PERDURE_PROJECT": form.format(shop)}),
    ):
        assert (given.project_path, given.project_row) == (shop, 1)


def test_row_1_a_flag_beats_the_environment(machine: Machine) -> None:
    shop, other = machine.project("shop"), machine.project("other")
    by_flag, by_variable = new_id(), new_id()
    place = machine.where(
        machine.shell(),
        environment={"PERDURE_PROJECT": other, "PERDURE_INSTANCE": by_variable},
        explicit=Explicit(project_path=shop, instance=by_flag),
    )
    assert (place.project_path, place.instance_id) == (shop, by_flag)


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_row_1_an_instance_is_given_by_its_uuid(machine: Machine, how: str) -> None:
    shop, wanted = machine.project("shop"), new_id()
    explicit = Explicit(instance=wanted) if how == "flag" else Explicit()
    environment = {} if how == "flag" else {"PERDURE_INSTANCE": wanted}
    place = machine.where(machine.shell(), cwd=shop, environment=environment, explicit=explicit)
    assert (place.instance_id, place.instance_row, place.instance_is_explicit) == (wanted, 1, True)
    assert (place.project_path, place.project_row) == (shop, 6)


def test_row_1_a_plain_name_is_the_same_instance_wherever_it_is_given(machine: Machine) -> None:
    machine.project("shop")

    def named(name: str, shell: Process) -> InstanceId | None:
        return machine.where(shell, environment={"PERDURE_INSTANCE": name}).instance_id

    first, second = machine.shell("pts-1"), machine.shell("pts-2")
    assert named("ci-job-7", first) == named("ci-job-7", second)
    assert named("ci-job-7", first) != named("ci-job-8", first)


def test_row_1_an_explicit_instance_writes_no_binding_and_is_named_in_the_file(machine: Machine) -> None:
    shop = machine.project("shop")
    seat = machine.sit(machine.shell(), cwd=shop, explicit=Explicit(instance="ci-job-7"))
    assert not seat.is_bindable
    assert seat.suffix == seat.instance_id[:8]
    assert machine.bindings.every() == []


def test_row_2_the_clients_own_session_id(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    place = machine.where(client, hook=claude("s-1"))
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 2, shop)
    assert taken(place) == [2]


def test_row_2_the_exported_session_id_in_a_shell_below_the_client(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    tool = machine.world.start("bash", "-c", "perdure where", parent=client)
    place = machine.where(tool, environment={"PERDURE_CLIENT_SESSION": "s-1"})
    assert (place.instance_id, place.instance_row) == (seat.instance_id, 2)


def test_row_3_a_process_above_that_is_bound(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    tool = machine.world.start("bash", "-c", "make", parent=client)
    deeper = machine.world.start("make", parent=tool)
    place = machine.where(deeper)
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 3, shop)


def test_row_3_a_job_with_neither_client_nor_terminal(machine: Machine) -> None:
    shop = machine.project("shop")
    job = machine.world.start("nightly", detached=True)
    seat = machine.sit(machine.world.start("bash", "-c", "perdure preflight", parent=job), cwd=shop)
    place = machine.where(machine.world.start("bash", "-c", "perdure check", parent=job))
    assert (place.instance_id, place.instance_row) == (seat.instance_id, 3)


def test_row_4_the_pane_of_a_client_that_has_exited(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, environment=machine.in_pane(server), hook=claude("s-1"))
    machine.world.end(client)
    place = machine.where(shell, environment=machine.in_pane(server))
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 4, shop)
    assert (seat.tmux_key, seat.suffix) == ("tmux_4", "tmux_4")


def test_row_4_in_a_hook_without_a_terminal(machine: Machine) -> None:
    """Seed 001 §2.1: `tty` fails in a hook, `TMUX_PANE` does not."""
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, environment=machine.in_pane(server), hook=claude("s-1"))
    machine.world.end(client)
    place = machine.where(shell, environment=machine.in_pane(server), detached=True)
    assert (place.instance_id, place.instance_row) == (seat.instance_id, 4)
    assert "no controlling terminal" in said(machine.where(shell, detached=True), 5)


def test_row_5_the_terminal_of_a_client_that_has_exited(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    machine.world.end(client)
    place = machine.where(shell)
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 5, shop)
    assert (seat.tty_key, seat.suffix) == ("pts-6", "pts-6")


def test_row_6_gives_a_project_and_no_instance(machine: Machine) -> None:
    shop = machine.project("shop")
    os.makedirs(os.path.join(shop, "src"))
    place = machine.where(machine.shell(), cwd=os.path.join(shop, "src"))
    assert (place.project_path, place.project_row, place.instance_row, place.instance_id) == (shop, 6, None, None)
    assert place.session_id is None
    assert taken(place) == [6]


def test_row_6_through_the_common_git_folder_of_a_linked_work_tree(machine: Machine) -> None:
    shop = Path(machine.project("shop"))
    (shop / ".git" / "worktrees" / "side").mkdir(parents=True)
    (shop / ".git" / "worktrees" / "side" / "commondir").write_text("../..\n")
    side = machine.folder / "elsewhere" / "side"
    side.mkdir(parents=True)
    (side / ".git").write_text(f"gitdir: {shop}/.git/worktrees/side\n")
    place = machine.where(machine.shell(), cwd=str(side))
    assert (place.project_path, place.project_row) == (str(shop), 6)


def test_row_7_gives_a_project_and_no_instance(machine: Machine) -> None:
    notes = machine.plain_project("notes")
    os.makedirs(os.path.join(notes, "2026", "05"))
    place = machine.where(machine.shell(), cwd=os.path.join(notes, "2026", "05"))
    assert (place.project_path, place.project_row, place.instance_row, place.instance_id) == (notes, 7, None, None)
    assert taken(place) == [7]


def test_nowhere_is_an_answer_too(machine: Machine) -> None:
    place = machine.where(machine.shell())
    assert (place.project_path, place.project_row, place.instance_row, place.instance_id) == (None, None, None, None)
    assert taken(place) == []


# -- the order of the rows -----------------------------------------------------------------------------------------


def test_the_rows_are_tried_in_order(machine: Machine) -> None:
    """Every row could answer, each with a project and an instance of its own; taken away one by one, the next wins."""
    outer = machine.plain_project("outer")
    roots = {row: machine.project(f"row-{row}") for row in (1, 2, 3, 4, 5)}
    roots |= {6: machine.project("outer", "row-6"), 7: outer}
    instances = {row: InstanceId(new_id()) for row in (1, 2, 3, 4, 5)}
    server = machine.tmux()
    shell = machine.shell(parent=server)
    job = machine.world.start("job", parent=shell)
    environment = {**machine.in_pane(server), "PERDURE_INSTANCE": instances[1], "PERDURE_PROJECT": roots[1]}
    hook = StatedClient(None, "s-1")

    machine.sit(job, cwd=roots[6], environment=machine.in_pane(server), hook=hook)
    made = machine.bindings.at(process_key(job.ref))
    assert made is not None
    keys = {
        2: client_key("s-1", job.ref),
        3: process_key(job.ref),
        4: pane_key(TmuxPane("tmux_4", server.ref)),
        5: terminal_key(Terminal("pts-6", shell.ref)),
    }
    for row, key in keys.items():
        who = project.identity(roots[row]).id
        machine.bindings.write(
            [key], replace(made, instance_id=instances[row], project_path=roots[row], project_id=who)
        )

    def answer() -> tuple[int | None, str | None, str | None]:
        place = machine.where(job, cwd=roots[6], environment=environment, hook=hook)
        assert [tried.row for tried in place.tried] == sorted(tried.row for tried in place.tried)
        return place.project_row, place.project_path, place.instance_id

    assert answer() == (1, roots[1], instances[1])
    del environment["PERDURE_PROJECT"], environment["PERDURE_INSTANCE"]
    for row in (2, 3, 4, 5):
        assert answer() == (row, roots[row], instances[row])
        os.unlink(os.path.join(machine.home, "bindings", keys[row]))
    assert answer() == (6, roots[6], None)
    os.rename(os.path.join(roots[6], ".git"), os.path.join(roots[6], "git-no-more"))
    os.rename(os.path.join(roots[6], ".perdure"), os.path.join(roots[6], "perdure-no-more"))
    machine.registry.forget(roots[6])
    assert answer() == (7, roots[7], None)


@pytest.mark.parametrize("kind", ["a running client", "an open transaction"])
def test_cwd_never_overrides_the_binding_of(machine: Machine, kind: str) -> None:
    shop, other, notes = machine.project("shop"), machine.project("other"), machine.plain_project("notes")
    shell = machine.shell()
    is_client = kind == "a running client"
    below = machine.world.start("claude", parent=shell) if is_client else shell
    seat = machine.sit(below, cwd=shop, hook=claude("s-1") if is_client else None)
    if not is_client:
        machine.open.add((shop, seat.instance_id))
    for elsewhere in (other, notes, "/", os.path.join(other, ".git")):
        place = machine.where(below, cwd=elsewhere)
        assert (place.project_path, place.instance_id) == (shop, seat.instance_id)
        assert 6 not in taken(place)
        assert 7 not in taken(place)


def test_an_explicit_project_leaves_the_instance_as_it_is_bound(machine: Machine) -> None:
    shop, other, shell = machine.project("shop"), machine.project("other"), machine.shell()
    seat = machine.sit(shell, cwd=shop)
    place = machine.where(shell, cwd=shop, explicit=Explicit(project_path=other))
    assert (place.project_path, place.instance_id) == (other, seat.instance_id)


def test_an_explicit_instance_does_not_drag_the_bound_project_or_session_along(machine: Machine) -> None:
    shop, other, shell = machine.project("shop"), machine.project("other"), machine.shell()
    machine.sit(shell, cwd=shop)
    place = machine.where(shell, cwd=other, explicit=Explicit(instance="ci-job-7"))
    assert (place.project_path, place.project_row, place.session_id) == (other, 6, None)


def test_an_explicit_session_beats_the_bound_one(machine: Machine) -> None:
    shop, shell, session = machine.project("shop"), machine.shell(), new_id()
    machine.sit(shell, cwd=shop)
    assert machine.where(shell, explicit=Explicit(session_id=session)).session_id == session


# -- stale is told from live ---------------------------------------------------------------------------------------


def test_a_pid_used_again_by_another_process_inherits_nothing(machine: Machine) -> None:
    shop = machine.project("shop")
    job = machine.world.start("nightly", detached=True)
    seat = machine.sit(job, cwd=shop)
    machine.world.end(job)
    other = machine.world.start("nightly", detached=True, pid=job.pid)
    place = machine.where(other, cwd=shop)
    assert place.instance_id is None
    assert "stale" in said(place, 3)
    assert machine.sit(other, cwd=shop).instance_id != seat.instance_id


def test_a_client_pid_used_again_does_not_make_a_dead_session_live(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    machine.world.end(client)
    other = machine.world.start("claude", detached=True, pid=client.pid)
    place = machine.where(other, cwd=shop, environment={"PERDURE_CLIENT_SESSION": "s-1"})
    assert place.instance_id is None


def test_after_a_reboot_the_same_pids_start_times_and_names_inherit_nothing(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    environment = {**machine.in_pane(server), "PERDURE_CLIENT_SESSION": "s-1"}
    machine.sit(client, cwd=shop, environment=environment, hook=claude("s-1"))
    assert machine.where(client, environment=environment).instance_id is not None

    again = Machine(machine.folder)  # the same pids at the same ticks after boot
    again.world.reboot()
    server = again.tmux()
    shell = again.shell(parent=server)
    client = again.world.start("claude", parent=shell)
    place = again.where(client, cwd=shop, environment=environment)
    assert (place.project_path, place.instance_id) == (shop, None)
    assert taken(place) == [6]


def test_after_a_reboot_a_resumed_client_session_is_still_its_instance(machine: Machine) -> None:
    shop = machine.project("shop")
    seat = machine.sit(machine.world.start("claude", detached=True), cwd=shop, hook=claude("s-1"))
    machine.world.reboot()
    place = machine.where(machine.world.start("claude", detached=True), cwd=shop, hook=claude("s-1"))
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 2, shop)
    assert "the process that held it has ended" in said(place, 2)


@pytest.mark.parametrize("same_pid", [True, False])
def test_a_tmux_server_started_anew_has_the_pane_number_but_not_the_pane(machine: Machine, same_pid: bool) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, environment=machine.in_pane(server), hook=claude("s-1"))
    machine.world.end(client, shell, server)
    anew = machine.tmux(pid=server.pid if same_pid else None)
    new_shell = machine.shell(parent=anew)
    place = machine.where(new_shell, cwd=shop, environment=machine.in_pane(anew))
    assert place.instance_id is None
    assert ("stale" if same_pid else "not bound") in said(place, 4)
    assert machine.sit(new_shell, cwd=shop, environment=machine.in_pane(anew)).instance_id != seat.instance_id


def test_a_respawned_pane_has_another_shell_and_is_another_place(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    machine.sit(shell, cwd=shop, environment=machine.in_pane(server))
    machine.world.end(shell)
    respawned = machine.shell(parent=server)
    place = machine.where(respawned, cwd=shop, environment=machine.in_pane(server))
    assert place.instance_id is None
    assert "stale" in said(place, 4)
    assert "stale" in said(place, 5)


def test_a_shell_that_outlived_its_tmux_server_is_not_in_a_pane_of_the_next(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    environment = machine.in_pane(server)
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    machine.sit(client, cwd=shop, environment=environment, hook=claude("s-1"))
    machine.world.end(client, server)
    machine.tmux(pid=server.pid)
    place = machine.where(shell, cwd=shop, environment=environment)
    assert "another tmux server" in said(place, 4)
    assert place.instance_row == 5


def test_a_client_that_outlived_its_terminal_does_not_keep_the_number(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell("pts-6")
    client = machine.world.start("claude", parent=shell)
    first = machine.sit(client, cwd=shop, hook=claude("s-1"))
    machine.world.end(shell)
    second = machine.shell("pts-6")
    seat = machine.sit(second, cwd=shop)
    assert seat.instance_id != first.instance_id
    bound = machine.bindings.at(terminal_key(Terminal("pts-6", second.ref)))
    assert bound is not None
    assert bound.instance_id == seat.instance_id
    assert machine.where(client).instance_id == first.instance_id


def test_a_tmux_server_that_is_gone_names_no_pane(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    environment = machine.in_pane(server)
    shell = machine.shell(parent=server)
    machine.sit(shell, cwd=shop, environment=environment)
    machine.world.end(server)
    assert machine.around(shell, environment=environment).pane is None
    somebody = machine.world.start("vim", detached=True, pid=server.pid)
    assert machine.around(shell, environment=machine.in_pane(somebody)).pane is None


def test_a_terminal_led_by_another_shell_now_inherits_nothing(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell("pts-6")
    seat = machine.sit(shell, cwd=shop)
    machine.world.end(shell)
    other = machine.shell("pts-6")
    place = machine.where(other, cwd=shop)
    assert place.instance_id is None
    assert "another shell leads" in said(place, 5)
    again = machine.sit(other, cwd=shop)
    assert again.instance_id != seat.instance_id
    assert machine.where(other).instance_id == again.instance_id


def test_the_new_leader_of_a_terminal_takes_its_keys_over(machine: Machine) -> None:
    shop, other, shell = machine.project("shop"), machine.project("other"), machine.shell("pts-6")
    machine.sit(shell, cwd=shop)
    machine.world.end(shell)
    second = machine.shell("pts-6")
    seat = machine.sit(second, cwd=other)
    bound = machine.bindings.at(terminal_key(Terminal("pts-6", second.ref)))
    assert bound is not None
    assert (bound.instance_id, bound.project_path) == (seat.instance_id, other)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "null",
        '{"instance_id": "x"}',
        '{"instance_id": "../../x", "project_path": "/", "pid": 1}',
        "\x00" * 100,
        "[" * 100_000,
    ],
)
def test_a_binding_file_that_is_not_whole_binds_nothing(machine: Machine, damage: str) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(shell, cwd=shop)
    for key, _ in machine.bindings.every():
        Path(machine.home, "bindings", key).write_text(damage)
    place = machine.where(shell, cwd=shop)
    assert (place.project_path, place.project_row, place.instance_id) == (shop, 6, None)


@pytest.mark.parametrize(
    ("field", "content"),
    [
        ("instance_id", "../../x"),
        ("instance_id", 7),
        ("project_path", "relative/path"),
        ("project_id", "not-a-uuid"),
        ("boot_id", None),
        ("pid", "100"),
        ("started", 12),
        ("updated_at", "yesterday"),
    ],
)
def test_a_binding_with_one_field_wrong_binds_nothing(machine: Machine, field: str, content: object) -> None:
    import json

    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(shell, cwd=shop)
    for key, _ in machine.bindings.every():
        path = Path(machine.home, "bindings", key)
        path.write_text(json.dumps({**json.loads(path.read_text()), field: content}))
    assert machine.where(shell, cwd=shop).instance_id is None


def test_a_binding_carries_what_seed_001_asks_for(machine: Machine) -> None:
    import json

    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, environment=machine.in_pane(server), hook=claude("s-1"))
    files = sorted(os.path.relpath(p, machine.home) for p in Path(machine.home, "bindings").rglob("*.json"))
    assert files == [
        f"bindings/client/s-1/{client.pid}.json",
        f"bindings/instance/{seat.instance_id}.json",
        f"bindings/process/{client.pid}.json",
        f"bindings/tmux/tmux_4.{server.pid}.json",
        "bindings/tty/pts-6.json",
    ]
    texts = {Path(machine.home, name).read_text() for name in files}
    assert len(texts) == 1
    held = json.loads(texts.pop())
    assert held["project_path"] == shop
    assert held["folder_name"] == "shop"
    assert (held["client_session_id"], held["instance_id"]) == ("s-1", seat.instance_id)
    assert (held["tty_key"], held["tmux_key"]) == ("pts-6", "tmux_4")
    assert (held["pid"], held["ppid"], held["started"]) == (client.pid, shell.pid, client.started)
    assert held["boot_id"] == machine.world.boot_id()
    assert {"session_id", "updated_at"} <= set(held)
    assert all(Path(machine.home, name).stat().st_mode & 0o777 == 0o600 for name in files)


# -- PERDURE_CLIENT_SESSION ----------------------------------------------------------------------------------------


def test_the_exported_session_is_not_believed_outside_the_process_that_exported_it(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    stranger = machine.world.start("cron", detached=True)
    place = machine.where(stranger, cwd=shop, environment={"PERDURE_CLIENT_SESSION": "s-1"})
    assert place.instance_id is None
    assert "not believed" in said(place, 2)


def test_a_process_that_outlived_the_client_no_longer_speaks_for_it(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    server = machine.world.start("npm", "start", parent=client)
    machine.world.end(client)
    place = machine.where(server, cwd=shop, environment={"PERDURE_CLIENT_SESSION": "s-1"})
    assert place.instance_id is None


def test_the_exported_session_names_the_nearest_client_that_holds_it(machine: Machine) -> None:
    """A session resumed inside the client that runs it: one id, two living clients, one above the other."""
    shop = machine.project("shop")
    outer = machine.world.start("claude", detached=True)
    outer_seat = machine.sit(outer, cwd=shop, hook=claude("s-1"))
    inner = machine.world.start(
        "claude", "--resume", "s-1", parent=machine.world.start("bash", "-c", "…", parent=outer)
    )
    inner_seat = machine.sit(inner, cwd=shop, hook=claude("s-1"))
    later(machine.bindings, client_key("s-1", outer.ref), 1_000)
    assert inner_seat.instance_id != outer_seat.instance_id
    exported = {"PERDURE_CLIENT_SESSION": "s-1"}
    assert machine.where(inner, environment=exported).instance_id == inner_seat.instance_id
    assert machine.where(inner, hook=claude("s-1")).instance_id == inner_seat.instance_id
    assert machine.where(inner).instance_id == inner_seat.instance_id
    assert machine.where(outer, environment=exported).instance_id == outer_seat.instance_id
    assert machine.where(outer, hook=claude("s-1")).instance_id == outer_seat.instance_id


# -- a client inside a client --------------------------------------------------------------------------------------


@pytest.fixture
def nested(machine: Machine) -> tuple[Machine, InstanceId, Process, dict[str, str]]:
    """Claude Code, bound on every key in a tmux pane, runs codex in its shell tool: codex inherits the environment."""
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    outer = machine.world.start("claude", parent=shell)
    environment = {**machine.in_pane(server), "PERDURE_CLIENT_SESSION": "s-1"}
    seat = machine.sit(outer, cwd=shop, environment=environment, hook=claude("s-1"))
    tool = machine.world.start("bash", "-c", "codex exec …", parent=outer)
    return machine, seat.instance_id, tool, environment


@pytest.mark.parametrize("arguments", [("codex",), ("node", "/usr/bin/codex"), ("gemini",), ("claude", "-p", "…")])
@pytest.mark.parametrize("sees", ["terminal", "no terminal", "a pty of its own"])
def test_a_client_inside_a_client_inherits_nothing_by_any_row(
    nested: tuple[Machine, InstanceId, Process, dict[str, str]], arguments: tuple[str, ...], sees: str
) -> None:
    machine, outer_instance, tool, environment = nested
    shop = str(machine.folder / "shop")
    inner = machine.world.start(
        *arguments,
        parent=tool,
        terminal="pts-9" if sees == "a pty of its own" else None,
        detached=sees == "no terminal",
    )
    place = machine.where(inner, cwd=shop, environment=environment)
    assert place.instance_id is None
    assert place.session_id is None
    assert (place.project_path, place.project_row) == (shop, 6)
    assert taken(place) == [6]
    seat = machine.sit(inner, cwd=shop, environment=environment)
    assert seat.instance_id != outer_instance
    assert machine.where(inner, cwd=shop, environment=environment).instance_id == seat.instance_id


def test_an_inner_client_that_states_the_outer_ones_session_id_inherits_nothing(
    nested: tuple[Machine, InstanceId, Process, dict[str, str]],
) -> None:
    """SPEC 3.7: a forked session may report its parent's id."""
    machine, outer_instance, tool, environment = nested
    inner = machine.world.start("claude", "--fork-session", parent=tool)
    place = machine.where(inner, environment=environment, hook=claude("s-1"))
    assert place.instance_id is None
    shop = str(machine.folder / "shop")
    assert machine.sit(inner, cwd=shop, environment=environment, hook=claude("s-1")).instance_id != outer_instance


def test_an_inner_client_known_only_by_what_its_hook_says_is_not_the_outer_one(
    nested: tuple[Machine, InstanceId, Process, dict[str, str]],
) -> None:
    machine, outer_instance, tool, environment = nested
    shop = str(machine.folder / "shop")
    inner = machine.world.start("/opt/renamed-client", parent=tool)
    hook = StatedClient("codex", "s-2", inner.pid)
    place = machine.where(inner, cwd=shop, environment=environment, hook=hook)
    assert (place.instance_id, place.session_id) == (None, None)
    seat = machine.sit(inner, cwd=shop, environment=environment, hook=hook)
    assert seat.instance_id != outer_instance
    assert machine.where(inner, environment=environment).instance_id == seat.instance_id


def test_a_bound_client_inside_a_client_is_its_own_instance_and_the_outer_one_keeps_its_own(
    nested: tuple[Machine, InstanceId, Process, dict[str, str]],
) -> None:
    machine, outer_instance, tool, environment = nested
    shop = str(machine.folder / "shop")
    inner = machine.world.start("codex", parent=tool)
    seat = machine.sit(inner, cwd=shop, environment=environment, hook=StatedClient("codex", "c-1"))
    below = machine.world.start("bash", "-c", "perdure check", parent=inner)
    for environment_below in (environment, {**environment, "PERDURE_CLIENT_SESSION": "c-1"}):
        assert machine.where(below, environment=environment_below).instance_id == seat.instance_id
    assert machine.where(tool, environment=environment).instance_id == outer_instance


def test_a_client_below_a_bound_job_is_not_that_job(machine: Machine) -> None:
    shop = machine.project("shop")
    job = machine.world.start("nightly", detached=True)
    seat = machine.sit(job, cwd=shop)
    client = machine.world.start("claude", "-p", "…", parent=job)
    place = machine.where(client, cwd=shop)
    assert place.instance_id is None
    assert "nothing above it is believed" in said(place, 3)
    assert machine.sit(client, cwd=shop, hook=claude("s-1")).instance_id != seat.instance_id


def test_what_runs_beside_an_inner_client_is_still_the_outer_ones(
    nested: tuple[Machine, InstanceId, Process, dict[str, str]],
) -> None:
    machine, outer_instance, tool, environment = nested
    machine.world.start("codex", parent=tool)
    assert machine.where(tool, environment=environment).instance_id == outer_instance
    own_pty = machine.shell("pts-9", parent=tool)
    assert machine.where(own_pty, environment=environment).instance_id == outer_instance


# -- one session id, two clients -----------------------------------------------------------------------------------


def test_a_session_resumed_while_the_first_lives_is_an_instance_of_its_own(machine: Machine) -> None:
    shop = machine.project("shop")
    first = machine.world.start("claude", parent=machine.shell("pts-1"))
    second = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-2"))
    first_seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    place = machine.where(second, cwd=shop, hook=claude("s-1"))
    assert (place.instance_id, place.session_id) == (None, None)
    assert "another pane" in said(place, 2)
    second_seat = machine.sit(second, cwd=shop, hook=claude("s-1"))
    assert second_seat.instance_id != first_seat.instance_id
    for client, seat in ((first, first_seat), (second, second_seat)):
        assert machine.where(client, hook=claude("s-1")).instance_id == seat.instance_id
        assert machine.where(client, environment={"PERDURE_CLIENT_SESSION": "s-1"}).instance_id == seat.instance_id


def test_a_session_resumed_after_the_first_died_is_the_same_instance(machine: Machine) -> None:
    shop = machine.project("shop")
    first = machine.world.start("claude", parent=machine.shell("pts-1"))
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-2"))
    again = machine.sit(second, cwd=shop, hook=claude("s-1"))
    assert again.instance_id == seat.instance_id
    place = machine.where(second)
    assert (place.instance_id, place.instance_row, place.project_path) == (seat.instance_id, 3, shop)


def test_of_two_that_resume_a_dead_session_the_second_is_an_instance_of_its_own(machine: Machine) -> None:
    shop = machine.project("shop")
    first = machine.world.start("claude", parent=machine.shell("pts-1"))
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second, third = (machine.world.start("claude", parent=machine.shell(tty)) for tty in ("pts-2", "pts-3"))
    assert machine.sit(second, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id
    assert machine.sit(third, cwd=shop, hook=claude("s-1")).instance_id != seat.instance_id


def test_while_one_of_two_with_a_session_id_lives_a_third_is_neither(machine: Machine) -> None:
    shop = machine.project("shop")
    clients = [machine.world.start("claude", parent=machine.shell(f"pts-{n}")) for n in range(3)]
    seats = [machine.sit(client, cwd=shop, hook=claude("s-1")) for client in clients[:2]]
    machine.world.end(clients[1])
    third = machine.sit(clients[2], cwd=shop, hook=claude("s-1"))
    assert third.instance_id not in {seat.instance_id for seat in seats}


@pytest.mark.parametrize("newer", [0, 1])
def test_of_two_dead_holders_of_a_session_id_the_newer_is_resumed(machine: Machine, newer: int) -> None:
    shop = machine.project("shop")
    clients = [machine.world.start("claude", parent=machine.shell(f"pts-{n}")) for n in range(3)]
    seats = [machine.sit(client, cwd=shop, hook=claude("s-1")) for client in clients[:2]]
    later(machine.bindings, client_key("s-1", clients[newer].ref), 1_000)
    machine.world.end(*clients[:2])
    assert machine.where(clients[2], hook=claude("s-1")).instance_id == seats[newer].instance_id


def test_a_session_resumed_under_the_shell_where_a_person_went_on_is_that_instance(machine: Machine) -> None:
    """The client exited, the person worked on at its shell, and resumed it there; its hook has no terminal."""
    shop, shell = machine.project("shop"), machine.shell()
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    machine.sit(shell, cwd=shop)
    second = machine.world.start("claude", "--resume", "s-1", parent=shell)
    assert machine.sit(second, cwd=shop, hook=claude("s-1"), detached=True).instance_id == seat.instance_id


def test_a_dead_session_whose_instance_lives_on_in_its_terminal_is_not_resumed_elsewhere(machine: Machine) -> None:
    """The first client died; another was started in its terminal and goes on as that instance. A resume of the first
    one's session in another terminal must not make two living clients one instance."""
    shop, shell = machine.project("shop"), machine.shell("pts-1")
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", parent=shell)
    assert machine.sit(second, cwd=shop, hook=claude("s-2")).instance_id == seat.instance_id
    third = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-2"))
    place = machine.where(third, cwd=shop, hook=claude("s-1"))
    assert (place.instance_id, place.session_id) == (None, None)
    assert machine.sit(third, cwd=shop, hook=claude("s-1")).instance_id != seat.instance_id


@pytest.mark.parametrize("begun_by", ["client", "person"])
def test_a_terminal_whose_instance_was_resumed_elsewhere_does_not_take_it_back_while_that_lives(
    machine: Machine, begun_by: str
) -> None:
    shop, shell = machine.project("shop"), machine.shell("pts-1")
    if begun_by == "person":
        machine.sit(shell, cwd=shop)
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-2"))
    assert machine.sit(second, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id
    place = machine.where(shell, cwd=shop)
    assert (place.instance_id, place.session_id) == (None, None)
    assert "works elsewhere now" in said(place, 5)
    person = machine.sit(shell, cwd=shop)
    assert person.instance_id != seat.instance_id
    assert machine.where(shell).instance_id == person.instance_id
    assert machine.where(second).instance_id == seat.instance_id
    third = machine.world.start("claude", parent=shell)
    assert machine.sit(third, cwd=shop, hook=claude("s-3")).instance_id == person.instance_id


@pytest.mark.parametrize("begun_by", ["client", "person"])
def test_an_instance_that_went_on_in_another_terminal_stays_there_when_the_resumed_client_has_died(
    machine: Machine, begun_by: str
) -> None:
    """The shell of that terminal goes on as it. Two terminals must not be one instance."""
    shop, shell, there = machine.project("shop"), machine.shell("pts-1"), machine.shell("pts-2")
    if begun_by == "person":
        machine.sit(shell, cwd=shop)
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=there)
    machine.sit(second, cwd=shop, hook=claude("s-1"))
    machine.world.end(second)
    assert machine.where(there).instance_id == seat.instance_id
    place = machine.where(shell, cwd=shop)
    assert (place.instance_id, place.session_id) == (None, None)
    assert "goes on in the shell" in said(place, 5)
    third = machine.world.start("claude", parent=shell)
    assert machine.sit(third, cwd=shop, hook=claude("s-3")).instance_id != seat.instance_id
    assert machine.where(there).instance_id == seat.instance_id


def test_a_session_that_went_on_in_another_terminal_is_resumed_by_its_id_anywhere(machine: Machine) -> None:
    shop, shell, there = machine.project("shop"), machine.shell("pts-1"), machine.shell("pts-2")
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=there)
    machine.sit(second, cwd=shop, hook=claude("s-1"))
    machine.world.end(second)
    third = machine.world.start("claude", "--resume", "s-1", parent=shell)
    assert machine.sit(third, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id
    machine.world.end(third)
    assert machine.where(shell).instance_id == seat.instance_id
    assert machine.where(there, cwd=shop).instance_id is None


def test_a_terminal_takes_its_instance_back_when_the_one_it_went_on_in_is_closed(machine: Machine) -> None:
    shop, shell, there = machine.project("shop"), machine.shell("pts-1"), machine.shell("pts-2")
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=there)
    machine.sit(second, cwd=shop, hook=claude("s-1"))
    machine.world.end(second, there)
    assert machine.where(shell).instance_id == seat.instance_id


def test_a_terminal_takes_its_instance_back_when_the_other_shell_goes_on_as_somebody_else(machine: Machine) -> None:
    shop, shell, there = machine.project("shop"), machine.shell("pts-1"), machine.shell("pts-2")
    theirs = machine.sit(there, cwd=shop)
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", "--resume", "s-1", parent=there)
    assert machine.sit(second, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id
    machine.world.end(second)
    assert machine.where(there).instance_id == theirs.instance_id
    assert machine.where(shell).instance_id == seat.instance_id


def test_a_person_beside_a_stopped_client_is_at_its_place(machine: Machine) -> None:
    """Ctrl-Z, a command, fg."""
    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(shell, cwd=shop)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    assert machine.where(shell).instance_id == seat.instance_id


def test_a_clients_session_id_may_change_and_its_instance_does_not(machine: Machine) -> None:
    """/clear gives a new session id to the same process."""
    shop = machine.project("shop")
    client = machine.world.start("claude", parent=machine.shell())
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    assert machine.sit(client, cwd=shop, hook=claude("s-2")).instance_id == seat.instance_id
    for session in ("s-1", "s-2"):
        assert machine.where(client, hook=claude(session)).instance_id == seat.instance_id


def test_one_session_id_is_not_another_that_begins_like_it(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    machine.sit(client, cwd=shop, hook=claude("s-1.7"))
    machine.world.end(client)
    other = machine.world.start("claude", detached=True)
    assert machine.where(other, hook=claude("s-1")).instance_id is None


def test_a_client_that_is_not_above_us_is_named_by_its_pid(machine: Machine) -> None:
    """A client whose hooks are run by a service: only the pid says which client it is."""
    shop = machine.project("shop")
    first = machine.world.start("claude", parent=machine.shell("pts-1"))
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", parent=machine.shell("pts-2"))
    service = machine.world.start("hookd", detached=True)
    hook = StatedClient("claude-code", "s-1", second.pid)
    assert machine.sit(service, cwd=shop, hook=hook).instance_id == seat.instance_id
    assert machine.where(service, hook=hook).instance_id == seat.instance_id
    assert machine.where(second).instance_id == seat.instance_id


def test_a_client_pid_of_nobody_is_bad_input(machine: Machine) -> None:
    shop = machine.project("shop")
    with pytest.raises(BadInput) as caught:
        machine.where(machine.shell(), cwd=shop, hook=StatedClient("claude-code", "s-1", 99_999))
    assert caught.value.code == "no_such_process"


# -- two clients in one terminal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("in_tmux", [True, False])
def test_two_clients_in_one_terminal_are_two_instances_and_the_first_keeps_the_keys(
    machine: Machine, in_tmux: bool
) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    environment = machine.in_pane(server) if in_tmux else {}
    shell = machine.shell(parent=server if in_tmux else None)
    first = machine.world.start("claude", parent=shell)
    first_seat = machine.sit(first, cwd=shop, environment=environment, hook=claude("s-1"))
    second = machine.world.start("codex", parent=shell)
    second_seat = machine.sit(second, cwd=shop, environment=environment, hook=StatedClient("codex", "c-1"))
    assert second_seat.instance_id != first_seat.instance_id
    assert machine.where(first, environment=environment).instance_id == first_seat.instance_id
    assert machine.where(second, environment=environment).instance_id == second_seat.instance_id
    shared = [key for key, _ in machine.bindings.every() if key.startswith(("tmux", "tty"))]
    assert len(shared) == (2 if in_tmux else 1)
    for key in shared:
        bound = machine.bindings.at(key)
        assert bound is not None
        assert bound.instance_id == first_seat.instance_id


def test_a_second_client_in_the_terminal_is_not_shown_as_the_first_before_it_is_bound(machine: Machine) -> None:
    """Neither its instance nor its session is the living first one's, whatever command comes first."""
    shop, shell = machine.project("shop"), machine.shell()
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    second = machine.world.start("codex", parent=shell)
    place = machine.where(second, cwd=shop)
    assert (place.instance_id, place.session_id, place.binding) == (None, None, None)
    assert (place.project_path, place.project_row) == (shop, 6)
    around = machine.around(second, cwd=shop)
    own = take_seat(place, around, project.identity(shop).id)
    assert own.instance_id != seat.instance_id
    assert own.client_session_id is None
    assert own.client == "codex"


def test_when_the_first_client_has_died_the_next_in_its_terminal_goes_on_as_it(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("codex", parent=shell)
    again = machine.sit(second, cwd=shop, hook=StatedClient("codex", "c-1"))
    assert (again.instance_id, again.client, again.client_session_id) == (seat.instance_id, "codex", "c-1")


def test_the_commands_of_a_client_that_is_not_bound_are_at_the_place_of_its_hooks(machine: Machine) -> None:
    """A client that was started in a folder of no project is not bound. Its hooks say which process it is; its shells
    have no terminal of their own, and the client above them is known by its name."""
    shop, shell = machine.project("shop"), machine.shell()
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.open.add((shop, seat.instance_id))
    machine.world.end(first)
    second = machine.world.start("claude", parent=shell)
    hook = StatedClient("claude-code", "s-2", pid_from_environment=second.pid)
    told = machine.where(second, hook=hook, detached=True)
    assert (told.instance_id, told.project_path) == (seat.instance_id, None)
    place = machine.where(machine.world.start("bash", "-c", "x", parent=second, detached=True))
    assert (place.instance_id, place.instance_row, place.client_process) == (seat.instance_id, 5, second.ref)
    assert place.project_path is None, "the person started it in no project"
    again = machine.sit(second, cwd=shop, detached=True)
    assert (again.instance_id, again.tty_key) == (seat.instance_id, seat.tty_key)


def test_the_commands_of_a_second_client_in_a_terminal_are_not_the_first_ones(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(machine.world.start("claude", parent=shell), cwd=shop, hook=claude("s-1"))
    second = machine.world.start("claude", parent=shell)
    assert machine.where(second, cwd=shop, detached=True).instance_id is None


def test_a_person_at_the_shell_a_client_left_goes_on_as_it_but_is_not_that_client(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    machine.world.end(client)
    person = machine.sit(shell, cwd=shop)
    assert person.instance_id == seat.instance_id
    assert (person.client, person.client_session_id, person.client_process) == (None, None, None)
    next_client = machine.world.start("claude", parent=shell)
    again = machine.sit(next_client, cwd=shop, hook=claude("s-2"))
    assert again.instance_id == seat.instance_id


def test_a_client_started_where_a_person_works_goes_on_as_that_instance(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    person = machine.sit(shell, cwd=shop)
    client = machine.world.start("claude", parent=shell)
    assert machine.where(client).instance_id == person.instance_id
    assert machine.sit(client, cwd=shop, hook=claude("s-1")).instance_id == person.instance_id


# -- terminals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun_by", ["client", "person"])
def test_a_shell_is_where_the_last_client_in_it_worked(machine: Machine, begun_by: str) -> None:
    """Also if the shell itself was bound before: a client that starts moves the place (SPEC 3.1)."""
    shop, outreach, shell = machine.project("shop"), machine.project("outreach"), machine.shell()
    if begun_by == "person":
        first = machine.sit(shell, cwd=shop)
    else:
        client = machine.world.start("claude", parent=shell)
        first = machine.sit(client, cwd=shop, hook=claude("s-1"))
        machine.world.end(client)
    client = machine.world.start("claude", parent=shell)
    last = machine.sit(client, cwd=outreach, hook=claude("s-2"))
    assert last.instance_id == first.instance_id
    machine.open |= {(shop, first.instance_id), (outreach, first.instance_id)}
    for _ in ("beside the client that is stopped", "after it"):
        place = machine.where(shell, cwd=outreach)
        assert (place.instance_id, place.project_path) == (first.instance_id, outreach)
        assert machine.where(shell, cwd=shop).project_path == outreach
        if machine.world.look(client.pid):
            machine.world.end(client)
    machine.sit(shell, cwd=shop, explicit=Explicit(project_path=shop))
    assert machine.where(shell, cwd=outreach).project_path == shop


def test_a_tmux_server_is_known_by_the_title_some_builds_give_it(machine: Machine) -> None:
    server = machine.world.start("tmux: server (/tmp/tmux-0/default)", detached=True)
    pane = machine.around(machine.shell(parent=server), environment=machine.in_pane(server)).pane
    assert pane == TmuxPane("tmux_4", server.ref)


def test_two_panes_of_one_server_are_two_places(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shells = {number: machine.shell(f"pts-{number}", parent=server) for number in (1, 2)}
    seats = {
        number: machine.sit(shell, cwd=shop, environment=machine.in_pane(server, number))
        for number, shell in shells.items()
    }
    assert {seat.suffix for seat in seats.values()} == {"tmux_1", "tmux_2"}
    for number, shell in shells.items():
        place = machine.where(shell, environment=machine.in_pane(server, number))
        assert place.instance_id == seats[number].instance_id
    assert seats[1].instance_id != seats[2].instance_id


def test_the_same_pane_number_of_two_servers_is_two_places(machine: Machine) -> None:
    shop = machine.project("shop")
    servers = [machine.tmux(), machine.tmux()]
    shells = [machine.shell(f"pts-{n}", parent=server) for n, server in enumerate(servers)]
    seats = [
        machine.sit(shell, cwd=shop, environment=machine.in_pane(server, 0))
        for shell, server in zip(shells, servers, strict=True)
    ]
    assert seats[0].instance_id != seats[1].instance_id
    for shell, server, seat in zip(shells, servers, seats, strict=True):
        assert machine.where(shell, environment=machine.in_pane(server, 0)).instance_id == seat.instance_id


def test_a_pty_of_its_own_is_a_place_of_its_own_although_it_inherited_the_panes_name(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    environment = machine.in_pane(server)
    shell = machine.shell("pts-6", parent=server)
    seat = machine.sit(shell, cwd=shop, environment=environment)
    inner = machine.shell("pts-9", parent=machine.world.start("script", parent=shell))
    place = machine.where(inner, cwd=shop, environment=environment)
    assert place.instance_id is None
    assert "inherited" in said(place, 4)
    assert "a place of its own" in said(place, 3)
    own = machine.sit(inner, cwd=shop, environment=environment)
    assert own.instance_id != seat.instance_id
    assert (own.suffix, own.tmux_key) == ("pts-9", None)
    assert machine.where(inner, environment=environment).instance_id == own.instance_id
    assert machine.where(shell, environment=environment).instance_id == seat.instance_id


def test_a_pane_name_inherited_by_a_stranger_without_a_terminal_gives_nothing(machine: Machine) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    machine.sit(shell, cwd=shop, environment=machine.in_pane(server))
    stranger = machine.world.start("gpg-agent", detached=True)
    assert machine.where(stranger, cwd=shop, environment=machine.in_pane(server)).instance_id is None


def test_a_clients_tool_in_a_pty_of_its_own_is_the_clients(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell("pts-6")
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    tool = machine.shell("pts-9", parent=client)
    place = machine.where(tool, cwd=shop)
    assert place.instance_id == seat.instance_id
    again = machine.sit(tool, cwd=shop)
    assert (again.instance_id, again.tty_key, again.suffix) == (seat.instance_id, "pts-6", "pts-6")


# -- who stays -----------------------------------------------------------------------------------------------------


def test_a_hooks_passing_shell_is_not_taken_for_the_client(machine: Machine) -> None:
    """An unknown client runs its hook as `sh -c …`: the shell is gone when the next hook comes."""
    shop = machine.project("shop")
    client = machine.world.start("/opt/new-agent", detached=True)
    hook = StatedClient("new-agent", "n-1")
    first = machine.world.start("sh", "-c", "perdure session start …", parent=client)
    seat = machine.sit(first, cwd=shop, hook=hook)
    assert seat.client_process == client.ref
    machine.world.end(first)
    tool = machine.world.start("bash", "-c", "perdure where", parent=client)
    assert machine.where(tool).instance_id == seat.instance_id


def test_a_script_that_names_a_client_still_stays_by_its_process(machine: Machine) -> None:
    shop = machine.project("shop")
    job = machine.world.start("nightly", detached=True)
    seat = machine.sit(job, cwd=shop, hook=StatedClient("codex"))
    assert seat.instance_id != nobody(project.identity(shop).id)
    assert machine.where(job).instance_id == seat.instance_id


def test_where_nobody_stays_the_project_has_one_place_and_it_is_never_alive(machine: Machine) -> None:
    shop = machine.project("shop")
    seat = machine.sit(machine.world.init, cwd=shop, detached=True)
    assert seat.instance_id == nobody(project.identity(shop).id)
    assert (seat.suffix, seat.is_bindable) == ("", False)
    assert machine.bindings.every() == []


def test_commands_begun_at_the_same_moment_begin_the_same_instance(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    arounds = [machine.around(shell, cwd=shop) for _ in range(4)]
    place = machine.where(shell, cwd=shop)
    assert len({take_seat(place, around, project.identity(shop).id).instance_id for around in arounds}) == 1


def test_a_client_that_is_the_first_process_of_its_container_is_above_its_tools(machine: Machine) -> None:
    """`docker run … claude`: process 1 adopts orphans, and is the client itself."""
    machine.world.end(machine.world.init)
    client = machine.world.start("claude", pid=1, terminal="pts-0")
    shop = machine.project("shop")
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    tool = machine.world.start("bash", "-c", "perdure where", parent=client, detached=True)
    place = machine.where(tool, environment={"PERDURE_CLIENT_SESSION": "s-1"})
    assert (place.instance_id, place.instance_row) == (seat.instance_id, 2)
    assert machine.where(tool).instance_row == 3


def test_to_be_below_process_1_says_nothing(machine: Machine) -> None:
    shop = machine.project("shop")
    assert machine.around(machine.world.init, cwd=shop, detached=True).ancestors == ()


def test_an_instance_lives_while_its_client_or_its_shell_does(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    assert seat.client_process is not None
    assert seat.shell is not None
    holder = held_by(seat)
    observer = machine.shell("pts-1")
    assert is_living(holder, machine.around(observer), shop) is True
    machine.world.end(client)
    assert is_living(holder, machine.around(observer), shop) is True
    machine.world.end(shell)
    assert is_living(holder, machine.around(observer), shop) is False
    machine.shell("pts-6")
    assert is_living(holder, machine.around(observer), shop) is False
    for boot_id, shell_ref in (("boot-0", observer.ref), (seat.boot_id, ProcessRef(observer.pid, "0"))):
        assert (
            is_living(
                Holder(instance_id=None, boot_id=boot_id, client=None, shell=shell_ref), machine.around(observer), shop
            )
            is False
        )
    assert is_living(Holder(), machine.around(observer), shop) is None


def held_by(seat: InstanceSeat) -> Holder:
    """As the ledger knows it."""
    return Holder(
        instance_id=seat.instance_id,
        boot_id=seat.boot_id,
        client=seat.client_process,
        shell=seat.shell,
        process=seat.process,
        tty_key=seat.tty_key,
    )


@pytest.mark.parametrize("in_tmux", [True, False])
def test_of_two_clients_in_one_terminal_only_the_one_the_shell_goes_on_as_outlives_its_process(
    machine: Machine, in_tmux: bool
) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    environment = machine.in_pane(server) if in_tmux else {}
    shell = machine.shell(parent=server if in_tmux else None)
    clients = [machine.world.start("claude", parent=shell) for _ in range(2)]
    first, second = (
        held_by(machine.sit(client, cwd=shop, environment=environment, hook=claude(f"s-{number}")))
        for number, client in enumerate(clients)
    )

    def lives(holder: Holder) -> bool | None:
        return is_living(holder, machine.around(machine.world.start("cat", detached=True)), shop)

    assert (lives(first), lives(second)) == (True, True)
    machine.world.end(clients[1])
    assert (lives(first), lives(second)) == (True, False), "nobody at this shell goes on as the second"
    machine.world.end(clients[0])
    assert machine.where(shell, environment=environment).instance_id == first.instance_id
    assert (lives(first), lives(second)) == (True, False)
    third = machine.world.start("claude", "--resume", "s-1", parent=shell)
    machine.sit(third, cwd=shop, environment=environment, hook=claude("s-1"))
    machine.world.end(third)
    assert (lives(first), lives(second)) == (False, True), "the shell goes on as the one that was resumed last"


def test_of_two_dead_holders_of_a_session_id_the_one_with_an_open_transaction_is_resumed(machine: Machine) -> None:
    shop = machine.project("shop")
    clients = [machine.world.start("claude", parent=machine.shell(f"pts-{number}")) for number in (1, 2)]
    older, newer = (machine.sit(client, cwd=shop, hook=claude("s-1")) for client in clients)
    assert older.instance_id != newer.instance_id
    machine.world.end(*clients)
    third = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-3"))
    assert machine.where(third, cwd=shop, hook=claude("s-1")).instance_id == newer.instance_id
    machine.open.add((shop, older.instance_id))
    assert machine.where(third, cwd=shop, hook=claude("s-1")).instance_id == older.instance_id


def test_of_two_holders_of_a_session_id_the_later_is_the_newer_though_the_clock_was_set_back(machine: Machine) -> None:
    shop = machine.project("shop")
    clients = [machine.world.start("claude", parent=machine.shell(f"pts-{number}")) for number in (1, 2)]
    machine.sit(clients[0], cwd=shop, hook=claude("s-1"))
    later(machine.bindings, client_key("s-1", clients[0].ref), 3_600_000)
    newer = machine.sit(clients[1], cwd=shop, hook=claude("s-1"))
    machine.world.end(*clients)
    third = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-3"))
    assert machine.where(third, cwd=shop, hook=claude("s-1")).instance_id == newer.instance_id


# -- stale bindings are put away -------------------------------------------------------------------------------------


def kept(machine: Machine) -> dict[str, int]:
    """How many bindings there are of each kind."""
    found = [path.relative_to(machine.home).parts[1] for path in Path(machine.home, "bindings").rglob("*.json")]
    return {kind: found.count(kind) for kind in sorted(set(found))}


def aged(machine: Machine, days: int) -> None:
    for path in Path(machine.home, "bindings").rglob("*.json"):
        content = json.loads(path.read_text())
        path.write_text(json.dumps({**content, "updated_at": content["updated_at"] - days * DAY}))


@pytest.mark.parametrize("reboot", [True, False])
def test_bindings_of_places_long_gone_are_put_away_and_a_session_can_still_be_resumed(
    machine: Machine, reboot: bool
) -> None:
    shop, server = machine.project("shop"), machine.tmux()
    shell = machine.shell(parent=server)
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, environment=machine.in_pane(server), hook=claude("s-1"))
    whole = {"client": 1, "instance": 1, "process": 1, "tmux": 1, "tty": 1}

    def put_away() -> int:
        return put_away_stale(machine.around(machine.world.start("cat", detached=True)), machine._holds)

    aged(machine, 30)
    assert (put_away(), kept(machine)) == (0, whole), "it lives"
    machine.world.end(client)
    without_process = {kind: 1 for kind in whole if kind != "process"}
    assert (put_away(), kept(machine)) == (1, without_process), "its shell lives, and goes on as it"
    if reboot:
        machine.world.reboot()
    else:
        machine.world.end(shell, server)
    assert (put_away(), kept(machine)) == (2, {"client": 1, "instance": 1})
    third = machine.world.start("claude", "--resume", "s-1", detached=True)
    assert machine.where(third, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id
    aged(machine, 100)
    machine.open.add((shop, seat.instance_id))
    assert (put_away(), kept(machine)) == (0, {"client": 1, "instance": 1}), "a transaction is open"
    machine.open.clear()
    assert (put_away(), kept(machine)) == (2, {})
    assert os.listdir(os.path.join(machine.home, "bindings", "client")) == []


def test_what_has_just_died_is_not_put_away_since_it_may_live_on_another_machine(machine: Machine) -> None:
    shop = machine.project("shop")
    client = machine.world.start("claude", detached=True)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    before = kept(machine)
    machine.world.reboot()
    around = machine.around(machine.world.start("cat", detached=True))
    assert (put_away_stale(around, machine._holds), kept(machine)) == (0, before)


# -- bindings that stand in the project ----------------------------------------------------------------------------


def unwritable(machine: Machine) -> None:
    Path(machine.home).write_text("a file stands where the folder should be\n")


def test_where_the_home_cannot_be_written_bindings_stand_in_the_project(machine: Machine) -> None:
    shop = machine.plain_project("shop")
    unwritable(machine)
    shell = machine.shell()
    client = machine.world.start("claude", parent=shell)
    seat = machine.sit(client, cwd=shop, hook=claude("s-1"))
    kept = sorted(os.path.relpath(p, shop) for p in Path(shop, ".perdure", "bindings").rglob("*.json"))
    assert kept == [
        f".perdure/bindings/client/s-1/{client.pid}.json",
        f".perdure/bindings/instance/{seat.instance_id}.json",
        f".perdure/bindings/process/{client.pid}.json",
        ".perdure/bindings/tty/pts-6.json",
    ]
    assert machine.where(client, cwd=shop, hook=claude("s-1")).instance_id == seat.instance_id


def test_bindings_in_the_project_are_found_where_the_project_is_named(machine: Machine) -> None:
    shop = machine.plain_project("shop")
    unwritable(machine)
    first = machine.world.start("claude", detached=True)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first)
    second = machine.world.start("claude", detached=True)
    place = machine.where(second, cwd="/", hook=claude("s-1"), explicit=Explicit(project_path=shop))
    assert place.instance_id == seat.instance_id


def test_of_two_bindings_on_one_key_the_newer_counts(machine: Machine) -> None:
    shop, other, shell = machine.project("shop"), machine.project("other"), machine.shell()
    seat = machine.sit(shell, cwd=shop)
    machine.open |= {(shop, seat.instance_id), (other, seat.instance_id)}
    home = machine.home
    os.rename(home, home + "-aside")
    unwritable(machine)
    machine.sit(shell, cwd=other)
    os.unlink(home)
    os.rename(home + "-aside", home)
    later(Bindings(project.folder_of(other)), process_key(shell.ref), 1_000)
    assert machine.where(shell, cwd=other).project_path == other
    later(machine.bindings, process_key(shell.ref), 2_000)
    assert machine.where(shell, cwd=other).project_path == shop


# -- the bound project moved or vanished ---------------------------------------------------------------------------


def test_a_bound_project_that_was_moved_is_found_by_where_one_stands(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    seat = machine.sit(shell, cwd=shop)
    moved = str(machine.folder / "moved")
    os.rename(shop, moved)
    place = machine.where(shell, cwd=moved)
    assert (place.project_path, place.instance_id) == (moved, seat.instance_id)


def test_a_bound_project_that_was_moved_is_found_through_the_registry(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    entry = machine.registry.at(shop)
    assert entry is not None
    machine.sit(shell, cwd=shop)
    moved = str(machine.folder / "moved")
    os.rename(shop, moved)
    machine.registry.forget(shop)
    machine.register(moved, *entry.ledgers)
    assert machine.where(shell, cwd="/").project_path == moved


@pytest.mark.parametrize("gone", [".perdure", "."])
def test_a_bound_project_that_vanished_is_not_mistaken_for_a_clone_of_it(machine: Machine, gone: str) -> None:
    """Clones agree on the project's id and each has a ledger of its own."""
    import shutil

    shop = machine.project("shop")
    clone = machine.project("clone", id=project.identity(shop).id)
    shell = machine.shell()
    machine.sit(shell, cwd=shop)
    shutil.rmtree(os.path.normpath(os.path.join(shop, gone)))
    for cwd in ("/", clone):
        place = machine.where(shell, cwd=cwd)
        assert place.project_path == shop
        assert not place.project_is_there


def test_a_bound_project_that_vanished_is_not_mistaken_for_a_clone_that_nobody_has_met(machine: Machine) -> None:
    """A clone brings `project.toml` along where that is tracked."""
    import shutil

    shop = machine.project("shop")
    clone = machine.plain_project("clone", id=project.identity(shop).id)
    shell = machine.shell()
    machine.sit(shell, cwd=shop)
    shutil.rmtree(os.path.join(shop, ".perdure"))
    place = machine.where(shell, cwd=clone)
    assert (place.project_path, place.project_is_there) == (shop, False)


def test_a_bound_project_that_was_moved_is_told_from_its_clone(machine: Machine) -> None:
    shop = machine.project("shop")
    machine.project("clone", id=project.identity(shop).id)
    shell = machine.shell()
    machine.sit(shell, cwd=shop)
    moved = str(machine.folder / "moved")
    os.rename(shop, moved)
    assert machine.where(shell, cwd=moved).project_path == moved


# -- what comes from outside ---------------------------------------------------------------------------------------

HOSTILE = {
    "a way up": "../../x",
    "an absolute path": "/tmp/x",
    "a NUL": "a\0b",
    "a newline": "a\nb",
    "too long": "a" * 4_000,
    "a command": "; rm -rf x",
    "a hidden name": ".hidden",
    "an option": "--help",
    "a space": "a b",
    "a terminal sequence": "\x1b[31mred",
    "another script": "ａｂｃ",
    "a lone surrogate": "a\udc80b",
}
hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


@pytest.fixture
def nothing_strays(machine: Machine) -> Callable[[], None]:
    """Fails where a file appeared anywhere but among the bindings."""

    def files() -> set[str]:
        return {str(path.relative_to(machine.folder)) for path in machine.folder.rglob("*")}

    machine.project("shop")
    before = files()

    def check() -> None:
        new = sorted(name for name in files() - before if name != "home/bindings")
        assert all(name.startswith("home/bindings/") for name in new), new
        assert all(len(Path(name).parts) <= 4 for name in new), new

    return check


@hostile
def test_a_hostile_client_session_id_is_refused(
    machine: Machine, nothing_strays: Callable[[], None], text: str
) -> None:
    client = machine.world.start("claude", parent=machine.shell())
    with pytest.raises(BadInput) as caught:
        machine.sit(client, cwd=str(machine.folder / "shop"), hook=claude(text))
    assert caught.value.code == "bad_id"
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 300
    nothing_strays()


@hostile
@pytest.mark.parametrize("how", ["flag", "variable"])
def test_a_hostile_instance_is_refused(
    machine: Machine, nothing_strays: Callable[[], None], text: str, how: str
) -> None:
    environment, explicit = ({}, Explicit(instance=text)) if how == "flag" else ({"PERDURE_INSTANCE": text}, Explicit())
    with pytest.raises(BadInput) as caught:
        machine.sit(machine.shell(), cwd=str(machine.folder / "shop"), environment=environment, explicit=explicit)
    assert caught.value.code == "bad_id"
    assert caught.value.message.isprintable()
    nothing_strays()


@hostile
def test_a_hostile_session_is_refused(machine: Machine, nothing_strays: Callable[[], None], text: str) -> None:
    with pytest.raises(BadInput):
        machine.sit(machine.shell(), cwd=str(machine.folder / "shop"), explicit=Explicit(session_id=text))
    nothing_strays()


@hostile
def test_a_hostile_client_name_is_refused(machine: Machine, nothing_strays: Callable[[], None], text: str) -> None:
    with pytest.raises(BadInput):
        machine.sit(machine.shell(), cwd=str(machine.folder / "shop"), hook=StatedClient(text, "s-1"))
    nothing_strays()


@hostile
@pytest.mark.parametrize("how", ["flag", "variable"])
def test_a_hostile_project_path_is_refused_or_names_an_existing_folder(
    machine: Machine, nothing_strays: Callable[[], None], text: str, how: str
) -> None:
    environment, explicit = (
        ({}, Explicit(project_path=text)) if how == "flag" else ({"PERDURE_PROJECT": text}, Explicit())
    )
    with pytest.raises(BadInput) as caught:
        machine.where(machine.shell(), environment=environment, explicit=explicit)
    assert caught.value.code == "bad_path"
    assert caught.value.message.isprintable()
    nothing_strays()


@hostile
def test_a_hostile_exported_session_is_ignored(machine: Machine, nothing_strays: Callable[[], None], text: str) -> None:
    client = machine.world.start("claude", parent=machine.shell())
    environment = {"PERDURE_CLIENT_SESSION": text}
    seat = machine.sit(client, cwd=str(machine.folder / "shop"), environment=environment)
    assert seat.client_session_id is None
    place = machine.where(client, environment=environment)
    assert (place.instance_id, place.instance_row) == (seat.instance_id, 3)
    nothing_strays()


TMUX_GARBAGE = [
    *HOSTILE.values(),
    "",
    ",",
    ",,",
    "/tmp/x,{pid}",
    "/tmp/x,-{pid},0",
    "/tmp/x,{pid}/../1,0",
    "/tmp/x,٣,0",
    "/tmp/x," + "9" * 4_000 + ",0",
    "/tmp/x,0,0",
]
PANE_GARBAGE = [*HOSTILE.values(), "", "%", "%%4", "%-4", "% 4", "%4/../../x", "%٣", "%" + "9" * 4_000, "%4\n"]


@pytest.mark.parametrize("tmux", TMUX_GARBAGE, ids=range(len(TMUX_GARBAGE)))
def test_a_tmux_variable_that_is_not_tmuxs_names_no_pane(
    machine: Machine, nothing_strays: Callable[[], None], tmux: str
) -> None:
    server = machine.tmux()
    shell = machine.shell(parent=server)
    environment = {"TMUX": tmux.replace("{pid}", str(server.pid)), "TMUX_PANE": "%4"}
    assert machine.around(shell, environment=environment).pane is None
    seat = machine.sit(shell, cwd=str(machine.folder / "shop"), environment=environment)
    assert (seat.tmux_key, seat.suffix) == (None, "pts-6")
    nothing_strays()


@pytest.mark.parametrize("pane", PANE_GARBAGE, ids=range(len(PANE_GARBAGE)))
def test_a_pane_variable_that_is_not_tmuxs_names_no_pane(
    machine: Machine, nothing_strays: Callable[[], None], pane: str
) -> None:
    server = machine.tmux()
    shell = machine.shell(parent=server)
    environment = {**machine.in_pane(server), "TMUX_PANE": pane}
    assert machine.around(shell, environment=environment).pane is None
    seat = machine.sit(shell, cwd=str(machine.folder / "shop"), environment=environment)
    assert (seat.tmux_key, seat.suffix) == (None, "pts-6")
    nothing_strays()


@pytest.mark.parametrize("home", ["relative", "a\0b", "../up"])
def test_a_home_that_is_not_an_absolute_path_is_refused(home: str) -> None:
    from perdure.place.home import home_folder

    with pytest.raises(BadInput):
        home_folder({"PERDURE_HOME": home})


@pytest.mark.parametrize("text", ["../../x", "; rm -rf x", "a\nb", "a" * 4_000])
def test_hostile_ids_through_the_program_write_nothing(cli: Cli, tmp_path: Path, text: str) -> None:
    def files() -> set[Path]:
        return {path for path in tmp_path.rglob("*") if not path.name.startswith("ledger.db-")}

    before, events = files(), cli.ok("status")["ledger"]["seq"]
    for arguments in (
        ("session", "start", f"--client-session-id={text}"),
        ("session", "start", f"--instance={text}"),
        ("preflight", "--know", "0.8", "--uncertainty", "0.2", f"--session-id={text}"),
        ("where", f"--project-path={text}"),
    ):
        result = cli(*arguments, "--json")
        assert (result.code, result.error["code"]) in ((2, "bad_id"), (2, "bad_path")), (arguments, result)
    assert files() == before
    assert cli.ok("status")["ledger"]["seq"] == events


def test_a_client_pid_beyond_all_pids_is_bad_input(cli: Cli) -> None:
    for pid in ("4194305", "0", "-1", "9" * 300, "9" * 4_200):
        result = cli("session", "start", f"--client-pid={pid}", "--client-session-id=s-1", "--json")
        assert (result.code, result.error["code"]) == (2, "no_such_process")


def test_every_error_of_the_resolver_is_one_of_ours(machine: Machine) -> None:
    """Garbage in every variable at once."""
    shop = machine.project("shop")
    for text in HOSTILE.values():
        names = ("TMUX", "TMUX_PANE", "PERDURE_CLIENT_SESSION", "PERDURE_INSTANCE", "PERDURE_PROJECT", "TERM")
        environment = dict.fromkeys(names, text)
        with pytest.raises(PerdureError):
            machine.where(machine.shell(), cwd=shop, environment=environment, hook=claude("s-1"))


def test_a_session_of_the_bound_place_is_given_with_it(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(shell, cwd=shop)
    bound = machine.bindings.at(process_key(shell.ref))
    assert bound is not None
    assert machine.where(shell).session_id == SessionId(bound.session_id or "")
