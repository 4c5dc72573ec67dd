"""What moves a place, and what does not (SPEC 3.1): a client that starts, a shell that stands elsewhere, a switch."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from perdure.place import project
from perdure.place.process import Process
from perdure.place.refusals import notice_of_other_project
from perdure.place.seat import bind, take_seat
from perdure.place.surroundings import StatedClient
from tests.place.world import Machine, claude


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def places(machine: Machine) -> tuple[str, str, Process]:
    """Two projects and a shell."""
    return machine.project("shop"), machine.project("other"), machine.shell()


# -- a client starts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_tmux", [True, False])
@pytest.mark.parametrize("left_open", [True, False])
def test_the_next_client_in_a_terminal_works_on_the_project_it_is_started_in(
    machine: Machine, in_tmux: bool, left_open: bool
) -> None:
    shop, other = machine.project("shop"), machine.project("other")
    server = machine.tmux()
    environment = machine.in_pane(server) if in_tmux else {}
    shell = machine.shell(parent=server if in_tmux else None)
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, environment=environment, hook=claude("s-1"))
    if left_open:
        machine.open.add((shop, seat.instance_id))
    machine.world.end(first)
    second = machine.world.start("claude", parent=shell)
    again = machine.sit(second, cwd=other, environment=environment, hook=claude("s-2"))
    assert again.instance_id == seat.instance_id, "the same terminal under the same shell"
    tool = machine.world.start("bash", "-c", "perdure note", parent=second)
    for cwd in (other, shop, "/"):
        assert machine.where(tool, cwd=cwd, environment=environment).project_path == other
        assert machine.where(second, cwd=cwd, environment=environment, hook=claude("s-2")).project_path == other


def test_a_client_started_where_no_project_is_has_none_though_its_terminal_had(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    machine.sit(shell, cwd=shop)
    away = machine.folder / "away"
    away.mkdir()
    client = machine.world.start("claude", parent=shell)
    for _event in range(2):
        assert machine.where(client, cwd=str(away), hook=claude("s-1")).project_path is None


@pytest.mark.parametrize("inside", ["src", "src/deep"])
def test_a_client_started_in_a_subfolder_or_through_a_link_works_on_that_project(machine: Machine, inside: str) -> None:
    shop, other, shell = machine.project("shop"), machine.project("other"), machine.shell()
    machine.sit(shell, cwd=shop)
    os.makedirs(os.path.join(other, inside))
    link = machine.folder / "link"
    link.symlink_to(other)
    for number, folder in enumerate((os.path.join(other, inside), str(link / inside))):
        client = machine.world.start("claude", parent=shell)
        assert machine.where(client, cwd=folder, hook=claude(f"s-{number}")).project_path == other


def test_a_client_started_in_a_project_inside_a_project_works_on_the_inner_one(machine: Machine) -> None:
    shop, shell = machine.project("shop"), machine.shell()
    inner = machine.project("shop", "vendor", "lib")
    machine.sit(shell, cwd=shop)
    client = machine.world.start("claude", parent=shell)
    assert machine.where(client, cwd=inner, hook=claude("s-1")).project_path == inner


def test_a_session_resumed_in_another_folder_works_there_as_the_same_instance(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    first = machine.world.start("claude", parent=shell)
    seat = machine.sit(first, cwd=shop, hook=claude("s-1"))
    machine.world.end(first, shell)
    second = machine.world.start("claude", "--resume", "s-1", parent=machine.shell("pts-9"))
    place = machine.where(second, cwd=other, hook=claude("s-1"))
    assert (place.project_path, place.instance_id) == (other, seat.instance_id)


def test_a_running_client_stays_where_it_is_after_clear_and_compaction(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    client = machine.world.start("claude", parent=shell)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    for session in ("s-1", "s-2"):
        seat = machine.sit(client, cwd=other, hook=claude(session))
        assert machine.where(client, cwd=other, hook=claude(session)).project_path == shop, seat


def test_a_client_inside_a_client_works_on_the_project_it_is_started_in(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    outer = machine.world.start("claude", parent=shell)
    machine.sit(outer, cwd=shop, hook=claude("s-1"))
    inner = machine.world.start("codex", parent=outer)
    machine.sit(inner, cwd=other, hook=StatedClient("codex", "c-1"))
    assert machine.where(inner, cwd=shop, hook=StatedClient("codex", "c-1")).project_path == other
    assert machine.where(outer, cwd=other, hook=claude("s-1")).project_path == shop


# -- a person stands in another project ----------------------------------------------------------------------------


def test_a_shell_without_an_open_transaction_works_where_it_stands(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    seat = machine.sit(shell, cwd=shop)
    for cwd in (other, shop, other):
        place = machine.where(shell, cwd=cwd)
        assert (place.project_path, place.instance_id) == (cwd, seat.instance_id)
        assert notice_of_other_project(place) == ""
    below = machine.world.start("bash", parent=shell)
    assert machine.where(below, cwd=other).project_path == other, "a shell inside the shell"


def test_the_shell_that_a_client_has_left_works_where_it_stands(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    client = machine.world.start("claude", parent=shell)
    machine.sit(client, cwd=shop, hook=claude("s-1"))
    assert machine.where(shell, cwd=other).project_path == shop, "a person beside a client that is stopped"
    machine.world.end(client)
    assert machine.where(shell, cwd=other).project_path == other


def test_a_shell_outside_every_project_keeps_the_one_it_worked_on_and_says_so(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, _, shell = places
    machine.sit(shell, cwd=shop)
    place = machine.where(shell, cwd=str(machine.folder))
    assert place.project_path == shop
    assert notice_of_other_project(place) == f"In {shop}, where this pane works; you are not in a project."


@pytest.mark.parametrize("gone", [".perdure", "."])
def test_a_shell_whose_project_is_gone_does_not_wander_off_with_what_may_be_open_in_it(
    machine: Machine, places: tuple[str, str, Process], gone: str
) -> None:
    shop, other, shell = places
    machine.sit(shell, cwd=shop)
    shutil.rmtree(os.path.normpath(os.path.join(shop, gone)))
    assert machine.where(shell, cwd=other).project_path == shop


def test_a_switch_holds_while_one_stands_where_one_switched_and_ends_when_one_goes_elsewhere(
    machine: Machine, places: tuple[str, str, Process]
) -> None:
    shop, other, shell = places
    third = machine.project("third")
    machine.sit(shell, cwd=shop)
    around = machine.around(shell, cwd=shop)
    other_id = project.identity(other).id
    seat = take_seat(machine.where(shell, cwd=shop), around, other_id)
    bind(seat, other, other_id, session=None, around=around, stood_in=shop)
    assert machine.where(shell, cwd=shop).project_path == other
    assert machine.where(shell, cwd=other).project_path == other
    assert machine.where(shell, cwd=third).project_path == third


# -- an instance that is named -------------------------------------------------------------------------------------


def test_a_named_instance_is_where_its_transaction_is_open(machine: Machine, places: tuple[str, str, Process]) -> None:
    shop, other, shell = places
    environment = {"PERDURE_INSTANCE": "ci-7"}
    named = machine.where(shell, cwd=shop, environment=environment)
    assert (named.project_path, named.instance_id is not None) == (shop, True)
    assert named.instance_id is not None
    machine.open.add((shop, named.instance_id))
    for cwd in (other, "/"):
        place = machine.where(shell, cwd=cwd, environment=environment)
        assert (place.project_path, place.project_row) == (shop, 1)
    machine.open.add((other, named.instance_id))
    assert machine.where(shell, cwd=other, environment=environment).project_path == other, "it has one there too"
    assert machine.where(shell, cwd="/", environment=environment).project_path is None, "nobody can tell which"
