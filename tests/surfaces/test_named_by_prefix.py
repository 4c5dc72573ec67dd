"""An instance may be named by the first characters of its id; a transaction that is in another project is named with
that project (SPEC 1, 3.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.surfaces.looking import assert_error, nothing_written
from tests.surfaces.test_held_elsewhere import second_project
from tests.surfaces.test_hooks import FLAGS, Hooks


@pytest.fixture
def other(tmp_path: Path, environment: dict[str, str]) -> Cli:
    return second_project(tmp_path, environment, "other shop")


def bound_instance(cli: Cli) -> str:
    Hooks(cli)("SessionStart", source="startup")
    found: str = cli.ok("status")["instance_id"]
    return found


@pytest.mark.parametrize("length", [4, 8, 13, 35, 36])
def test_an_instance_is_named_by_the_beginning_of_its_id(cli: Cli, length: int) -> None:
    instance = bound_instance(cli)
    opened = cli.ok("preflight", *FLAGS)["transaction_id"]
    for typed in (instance[:length], instance[:length].upper()):
        if len(typed) == 36 and typed != instance:
            continue  # a whole id is taken as it is, not compared with known ones: in capitals it is another id
        assert cli.ok("status", "--instance", typed)["instance_id"] == instance
        if len(typed) >= 8:
            assert cli.ok("status", PERDURE_INSTANCE=typed)["instance_id"] == instance
    assert cli.ok("postflight", *FLAGS, "--instance", instance[:length])["transaction_id"] == opened


def test_a_named_instance_that_holds_a_transaction_is_named_by_the_beginning_of_its_id(cli: Cli, other: Cli) -> None:
    opened = cli.ok("preflight", *FLAGS, PERDURE_INSTANCE="ci-1")["transaction_id"]
    instance = cli.ok("status", PERDURE_INSTANCE="ci-1")["instance_id"]
    assert cli.ok("status", "--instance", instance[:8])["transaction"]["transaction_id"] == opened
    away = ("--transaction-id", opened[:8])
    assert other.ok("postflight", *FLAGS, *away, "--instance", instance[:8])["transaction_id"] == opened


@pytest.mark.parametrize("name", ["deadbeef", "ci-1", "0123456", "feed-1"])
def test_a_text_that_begins_no_known_id_is_the_name_of_an_instance(cli: Cli, name: str) -> None:
    first = cli.ok("preflight", *FLAGS, "--instance", name)["transaction_id"]
    assert cli.ok("postflight", *FLAGS, PERDURE_INSTANCE=name)["transaction_id"] == first


@pytest.mark.parametrize("length", [4, 7])
def test_too_few_characters_of_a_known_id_in_a_variable_make_no_new_instance(cli: Cli, length: int) -> None:
    instance = bound_instance(cli)
    with nothing_written(cli):
        refused = cli("status", "--json", PERDURE_INSTANCE=instance[:length])
        assert_error(refused, 2, "PERDURE_INSTANCE", instance, kind="bad_id")


@pytest.mark.parametrize("name", ["deadbeef", "5b0e29cb-6a48-4d0c-8a5e-0d4d1e9c7b11"])
def test_the_first_write_under_an_unknown_id_says_that_it_is_a_new_instance(cli: Cli, name: str) -> None:
    cli.ok("preflight", *FLAGS)
    known = cli.ok("status")["instance_id"]
    said = cli.ok("note", "finding", "x", "--instance", name)
    assert f"{name} names no pane that is known here" in said["notice"]
    assert known[:8] in said["notice"]
    assert "notice" not in cli.ok("note", "finding", "y", PERDURE_INSTANCE=name)


def test_a_name_that_is_not_an_id_makes_an_instance_without_a_word(cli: Cli) -> None:
    assert "notice" not in cli.ok("note", "finding", "x", "--instance", "ci-7")


def test_the_beginning_of_two_instance_ids_is_refused_with_both(cli: Cli) -> None:
    instance = bound_instance(cli)
    folder = Path(cli.environment["PERDURE_HOME"]) / "bindings" / "instance"
    twin = instance[:35] + ("0" if instance[35] != "0" else "1")
    (folder / f"{twin}.json").write_text((folder / f"{instance}.json").read_text().replace(instance, twin))
    with nothing_written(cli):
        refused = cli("preflight", *FLAGS, "--instance", instance[:8], "--json")
        assert_error(refused, 1, instance, twin, kind="ambiguous_id")
    assert cli.ok("status", "--instance", instance)["instance_id"] == instance


@pytest.mark.parametrize("verb", ["show", "adopt"])
def test_a_transaction_in_another_project_is_named_with_the_command_that_finds_it(
    cli: Cli, other: Cli, verb: str
) -> None:
    opened = other.ok("preflight", *FLAGS, PERDURE_INSTANCE="ci-1")["transaction_id"]
    with nothing_written(cli):
        refused = cli("transaction", verb, opened[:8], "--json")
    error = assert_error(refused, 1, str(other.cwd), kind="no_such_transaction")
    assert error["hint"] == f"perdure transaction {verb} {opened[:8]} --project-path '{other.cwd}'"
    named = ("--project-path", str(other.cwd))
    assert cli.ok("transaction", verb, opened[:8], *named)["transaction_id"] == opened


def test_a_transaction_that_no_project_has_is_called_unknown(cli: Cli, other: Cli) -> None:
    assert_error(cli("transaction", "show", "deadbeef", "--json"), 1, "There is no", kind="no_such_transaction")
