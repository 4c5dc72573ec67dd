"""Every kind of denial the gate can give, and its remedy followed to its end: after exactly what the denial names was
done, the same tool call passes, or is denied for another reason whose remedy then ends it (SPEC 5.2, 5.6)."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from perdure.gate import policy
from tests.surfaces.bench import REMEDY, SESSION, SURE, UNSURE, Bench

# -- states in which something is denied ---------------------------------------------------------------------------


def nothing_open(bench: Bench, other: Path) -> None:
    """Nothing need be done."""


def nothing_open_in_another_project(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    bench.call = lambda: bench.edit(other / "readme.txt")


def closed_again(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    bench.cli.ok("postflight", *SURE)


def unsure(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *UNSURE)
    bench.read_something()


def weighty(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    bench.call = lambda: bench.bash("git push --force")


def altered(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    for file in bench.records.glob("active_transaction_*.json"):
        file.write_text(file.read_text().replace('"know":0.8', '"know":0.9'))


def another_ones_file_altered(bench: Bench, other: Path) -> None:
    (bench.records / "active_transaction_pts-99.json").write_text("{}")


def a_folder_in_the_place_of_a_file(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    for file in bench.records.glob("active_transaction_*.json"):
        file.unlink()
        file.mkdir()
        (file / "kept").write_text("somebody's")
    (bench.records / "active_transaction_pts-99.json").mkdir()


def altered_in_another_project(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    (other / ".perdure" / "active_transaction_pts-99.json").write_text("{}")
    bench.call = lambda: bench.edit(other / "readme.txt")


def ledger_gone(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    for file in bench.records.glob("ledger.db*"):
        file.unlink()


def ledger_gone_in_another_project(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE, "--project-path", str(other))
    bench.cli.ok("project", "switch", str(bench.project))
    for file in (other / ".perdure").glob("ledger.db*"):
        file.unlink()
    bench.call = lambda: bench.edit(other / "readme.txt")


def ledger_damaged(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    (bench.records / "ledger.db").write_bytes(b"no ledger" * 4096)


def record_gone(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    shutil.rmtree(bench.records)


def project_file_gone(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    (bench.records / "project.toml").unlink()
    (bench.records / ".gitignore").unlink()


def moved_with_a_transaction_open(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    shutil.move(bench.project, bench.project.parent / "moved")
    bench.stand_in(bench.project.parent / "moved")


def moved_while_the_client_stands_in_the_old_folder(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    old, bench.moved_to = bench.project, bench.project.parent / "moved"
    shutil.move(old, bench.moved_to)
    bench.stand_in(old.parent)
    bench.call = lambda: bench.bash("make", cwd=str(old))


def copied_with_a_transaction_open(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    copy = bench.project.parent / "copy"
    shutil.copytree(bench.project, copy, symlinks=True)
    bench.call = lambda: bench.edit(copy / "readme.txt")


def a_file_of_another_project_put_here(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE, "--project-path", str(other))
    bench.cli.ok("project", "switch", str(bench.project))
    for file in (other / ".perdure").glob("active_transaction_*.json"):
        shutil.copy(file, bench.records)


def an_older_file_put_back(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    (file,) = bench.records.glob("active_transaction_*.json")
    old = file.read_bytes()
    bench.cli.ok("postflight", *SURE)
    file.write_bytes(old)


def an_older_folder_put_back(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    shutil.copytree(bench.records, bench.records.with_name("older"), symlinks=True)
    bench.cli.ok("postflight", *SURE)
    shutil.rmtree(bench.records)
    bench.records.with_name("older").rename(bench.records)


def an_older_file_put_back_in_another_project(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE, "--project-path", str(other))
    (file,) = (other / ".perdure").glob("active_transaction_*.json")
    old = file.read_bytes()
    bench.cli.ok("postflight", *SURE, "--project-path", str(other))
    file.write_bytes(old)
    bench.call = lambda: bench.edit(other / "readme.txt")


def the_homes_entry_lost(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    shutil.rmtree(Path(bench.cli.environment["PERDURE_HOME"], "held"))


def the_homes_entry_lost_before_a_session_start(bench: Bench, other: Path) -> None:
    the_homes_entry_lost(bench, other)
    bench.hooks("SessionStart", session=SESSION, source="compact")


def confidence_fell(bench: Bench, other: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    for number in range(4):
        bench.hooks("UserPromptSubmit", session=SESSION, prompt=f"go on {number}")
        for _ in range(3):
            failed = {"tool_input": {"command": "pytest -q"}, "error": "Exit code 1\n2 failed, 1 passed in 0.1s"}
            bench.hooks("PostToolUseFailure", session=SESSION, tool_name="Bash", **failed)


STATES: dict[str, list[Callable[[Bench, Path], None]]] = {
    policy.LOW_CONFIDENCE: [confidence_fell],
    policy.NO_TRANSACTION: [nothing_open, nothing_open_in_another_project, closed_again],
    policy.INVESTIGATE: [unsure],
    policy.WEIGHTY: [weighty],
    policy.ALTERED: [
        altered,
        another_ones_file_altered,
        a_folder_in_the_place_of_a_file,
        altered_in_another_project,
    ],
    policy.OLDER_COPY: [
        an_older_file_put_back,
        an_older_folder_put_back,
        an_older_file_put_back_in_another_project,
        the_homes_entry_lost,
    ],
    policy.CHECK_FIRST: [the_homes_entry_lost_before_a_session_start],
    policy.LEDGER: [ledger_gone, ledger_gone_in_another_project, ledger_damaged],
    policy.RECORD_GONE: [record_gone, project_file_gone],
    policy.FOLDER_GONE: [moved_while_the_client_stands_in_the_old_folder],
    policy.PROJECT_MOVED: [
        moved_with_a_transaction_open,
        copied_with_a_transaction_open,
        a_file_of_another_project_put_here,
    ],
}
"""Denials that name a command, and states that lead to them."""
FOR_A_PERSON = (policy.FORBIDS, policy.FAILED, policy.NO_RECORDING, policy.HOME_LOST, policy.ID_CHANGED)
"""Denials that name none, since only a person can clear them; each has a test below, but for a disk on which nothing
can be recorded, which `tests/faults/test_disks.py` has."""
OTHERWISE = (policy.SUBAGENT, policy.MIXED)
"""Denials that say what to do instead; each has a test below."""


def test_every_denial_of_the_policy_is_followed_here() -> None:
    assert {*STATES, *FOR_A_PERSON, *OTHERWISE} == set(policy.DENIALS)
    source = ast.parse(Path(policy.__file__).read_text())
    denials = [
        node
        for node in ast.walk(source)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == policy.GateVerdict.__name__
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value is True
    ]
    assert denials
    for node in denials:
        assert "kind" in {keyword.arg for keyword in node.keywords}, f"line {node.lineno} denies without a kind"


@pytest.mark.parametrize(
    ("kind", "state"),
    [(kind, state) for kind, states in STATES.items() for state in states],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_a_denial_is_cleared_by_exactly_what_it_names(
    bench: Bench, other: Path, kind: str, state: Callable[[Bench, Path], None]
) -> None:
    state(bench, other)
    seen: list[str] = []
    while reason := bench.call():
        assert len(seen) < 3, seen
        what = _without_numbers(reason)
        assert what not in seen, f"its remedy leads in a circle: {seen}"
        seen.append(what)
        bench.do(reason.partition(REMEDY)[2])
    assert seen, "nothing was denied"
    assert _kind_of(seen[0]) == kind


def test_where_only_project_toml_is_gone_nothing_says_that_the_record_is_gone(bench: Bench, other: Path) -> None:
    project_file_gone(bench, other)
    toml = bench.records / "project.toml"
    denied = bench.call()
    assert f"The record of {bench.project} is there, but its .perdure/project.toml is gone" in denied
    assert "is gone. To clear it: perdure heal" in denied
    refused = bench.cli("status")
    assert f"{toml} is gone" in refused.err
    assert f"perdure heal --project-path {bench.project} writes it again" in refused.err
    assert f"{toml} is gone" in bench.cli("doctor").out
    assert bench.bash(f"perdure heal --project-path {bench.project}") == ""
    bench.cli.ok("heal", "--project-path", str(bench.project))
    assert bench.call() == "", "the transaction is open as before"


WORDS = {
    policy.NO_TRANSACTION: "You have no open transaction",
    policy.INVESTIGATE: "does not pass the gate",
    policy.WEIGHTY: "needs a CHECK",
    policy.LOW_CONFIDENCE: "Confidence in this work fell to",
    policy.OLDER_COPY: "your home has no entry for it",
    policy.CHECK_FIRST: "counts again after a CHECK",
    policy.ALTERED: "not as Perdure wrote it",
    policy.LEDGER: "damaged or gone",
    policy.RECORD_GONE: "The record of",
    policy.FOLDER_GONE: "The folder",
    policy.PROJECT_MOVED: "the project was in another folder",
}


def _kind_of(reason: str) -> str:
    found = [kind for kind, words in WORDS.items() if words in reason]
    assert len(found) == 1, (found, reason)
    return found[0]


def _without_numbers(reason: str) -> str:
    return re.sub(r"[0-9.]+", "", reason)


# -- denials that name no command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("another_command", [False, True])
def test_if_the_home_is_lost_the_person_is_asked_to_heal_and_that_works(bench: Bench, another_command: bool) -> None:
    """An agent's heal is refused then: the client may have the wrong home."""
    bench.cli.ok("preflight", *SURE)
    shutil.rmtree(bench.cli.environment["PERDURE_HOME"])
    if another_command:  # it makes a new home
        bench.cli("status")
    denied = bench.bash("touch b")
    assert "ask the person" in denied
    assert "run perdure heal in a terminal of their own" in denied
    assert "To clear it: perdure heal" not in denied
    bench.cli.ok("heal")
    assert "You have no open transaction" in bench.bash("touch b")
    bench.cli.ok("preflight", *SURE)
    assert bench.bash("touch b") == ""


def test_if_the_old_home_comes_back_after_a_heal_the_person_is_asked(bench: Bench) -> None:
    home = Path(bench.cli.environment["PERDURE_HOME"])
    bench.cli.ok("preflight", *SURE)
    home.rename(home.with_name("old"))
    bench.cli.ok("heal")
    bench.cli.ok("preflight", *SURE)
    assert bench.bash("touch b") == ""
    home.rename(home.with_name("new"))
    home.with_name("old").rename(home)
    denied = bench.bash("touch b")
    assert "To clear it: ask the person" in denied
    assert bench.cli("heal").code == 1, "an agent may not"
    bench.cli.of_a_person().ok("heal")
    assert "Another home" not in bench.bash("touch b")


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("way_out", ["put back", "accepted"])
def test_while_the_project_has_another_id_the_gate_is_shut_and_the_person_opens_it(
    bench: Bench, is_open: bool, way_out: str
) -> None:
    if is_open:
        bench.cli.ok("preflight", *SURE)
    toml = bench.records / "project.toml"
    before = toml.read_text()
    toml.write_text(_with_another_id(before))
    denied = bench.call()
    assert "project.toml has another id" in denied
    assert "To clear it: ask the person" in denied
    assert "preflight" not in denied
    assert before.split('"')[1] in denied
    if way_out == "put back":
        toml.write_text(before)
    else:
        bench.cli.of_a_person().ok("audit", "acknowledge", "--because", "it was meant")
    assert bench.call() == "" if is_open else "You have no open transaction" in bench.call()
    if not is_open:
        bench.cli.ok("preflight", *SURE)
        assert bench.call() == ""


def _with_another_id(text: str) -> str:
    return text.replace(text.split('"')[1][:8], "0badcafe", 1)


def test_what_moves_and_changes_at_once_passes_as_two_commands(bench: Bench) -> None:
    bench.cli.ok("preflight", *SURE)
    assert "run the two as separate commands" in bench.bash(f"perdure postflight {shlex.join(SURE)} && touch b")
    assert bench.bash("touch b") == ""
    assert bench.bash(f"perdure postflight {shlex.join(SURE)}") == ""


def test_a_subagent_is_told_what_its_parent_must_do_and_passes_after_it(bench: Bench) -> None:
    agent = {"agent_id": "a1", "agent_type": "explorer"}
    assert "the parent goes on" in bench.bash(f"perdure preflight {shlex.join(SURE)}", **agent)
    reason = bench.bash("touch b", **agent)
    named = re.search(r"so that your parent can clear it \((.*)\)\.$", reason)
    assert named, reason
    bench.do(named[1])
    assert bench.bash("touch b", **agent) == ""


def test_what_is_for_people_names_no_command(bench: Bench) -> None:
    bench.cli.ok("preflight", *SURE)
    reason = bench.bash("perdure config set gate.mode off")
    assert "ask the person" in reason
    assert REMEDY not in reason


def test_settings_that_cannot_be_read_are_named_and_the_gate_opens_when_they_are_mended(bench: Bench) -> None:
    bench.cli.ok("preflight", *SURE)
    file = Path(bench.cli.environment["PERDURE_HOME"], "config.toml")
    file.write_text("[gate\n")
    reason = bench.bash("touch b")
    assert str(file) in reason
    assert REMEDY not in reason, "no command of Perdure's mends a person's file"
    file.write_text("")
    assert bench.bash("touch b") == ""


def test_a_variable_that_names_no_folder_is_said_and_heal_is_not_advised(bench: Bench, tmp_path: Path) -> None:
    bench.cli.ok("preflight", *SURE)
    bench.environment = {"PERDURE_PROJECT": str(tmp_path / "nowhere")}
    reason = bench.bash("touch b")
    assert "PERDURE_PROJECT" in reason
    assert "Give an existing folder" in reason
    assert REMEDY not in reason, "heal would fail in the same way"
    bench.environment = {}
    assert bench.bash("touch b") == ""


def test_what_stood_in_the_place_of_a_file_is_set_aside(bench: Bench, other: Path) -> None:
    a_folder_in_the_place_of_a_file(bench, other)
    healed = json.loads(bench.cli("heal", "--json").out)
    assert healed["whole"]
    assert [path.read_text() for path in bench.records.glob("*.odd-*/kept")] == ["somebody's"]
