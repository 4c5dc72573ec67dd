"""Damage to NOTES.md, the trajectory and what is known of them, alone and with the ledger's own (SPEC 16.3)."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest

from perdure.actions import derived_views, healing, notes, notes_view, sessions, trajectory
from perdure.actions.record import Fact, record
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.errors import Trouble
from perdure.model import payload as p
from perdure.model.value import replace
from perdure.place.resolve import Explicit
from tests.conftest import Cli
from tests.faults.helpers import WAIT, Starter, assert_whole, events_of
from tests.faults.test_agreement import (
    DAMAGED,
    WHOLE,
    asked,
    key_of_the_views_lost_and_another_made,
    verdicts,
)
from tests.faults.test_attacks import Ledger, ledger

__all__ = ["ledger"]

Harm = Callable[[Path], object]


def asking(cli: Cli) -> Request:
    return Request(str(cli.cwd), cli.environment, Explicit(instance="alice"))


def views_of(root: Path) -> dict[str, bytes]:
    folder = root / ".perdure"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in (folder / "NOTES.md", *sorted((folder / "trajectory").glob("*")))
        if path.is_file()
    }


def line_file(folder: Path) -> Path:
    return sorted((folder / "trajectory").glob("*.jsonl"))[0]


def garble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for number in range(0, len(content), 7):
        content[number] ^= 0x5A
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def swap(folder: Path) -> None:
    lines = line_file(folder).read_bytes()
    line_file(folder).write_bytes((folder / "NOTES.md").read_bytes())
    (folder / "NOTES.md").write_bytes(lines)


def swap_lines(folder: Path) -> None:
    first, second, *rest = line_file(folder).read_bytes().splitlines(keepends=True)
    line_file(folder).write_bytes(b"".join([second, first, *rest]))


def linked(name: str) -> Harm:
    def harm(folder: Path) -> None:
        elsewhere = folder.parent.parent / f"elsewhere-{name}"
        if (folder / name).is_dir():
            shutil.move(folder / name, elsewhere)
        else:
            elsewhere.write_bytes(b"")
            (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(elsewhere)

    return harm


HARMS: dict[str, Harm] = {
    "no notes": lambda folder: (folder / "NOTES.md").unlink(),
    "notes cut": lambda folder: cut(folder / "NOTES.md"),
    "empty notes": lambda folder: (folder / "NOTES.md").write_bytes(b""),
    "notes garbled": lambda folder: garble(folder / "NOTES.md"),
    "notes are a link": linked("NOTES.md"),
    "no trajectory": lambda folder: shutil.rmtree(folder / "trajectory"),
    "a day is gone": lambda folder: line_file(folder).unlink(),
    "a day cut": lambda folder: cut(line_file(folder)),
    "a day garbled": lambda folder: garble(line_file(folder)),
    "lines swapped": swap_lines,
    "a line more": lambda folder: line_file(folder).write_bytes(line_file(folder).read_bytes() + b'{"phase":"x"}\n'),
    "a day too many": lambda folder: (folder / "trajectory" / "ghost-2026-01-01.jsonl").write_bytes(b"{}\n"),
    "the trajectory is a link": linked("trajectory"),
    "each in the other's place": swap,
    "nothing known of them": lambda folder: (folder / "written_views.json").unlink(),
    "what is known garbled": lambda folder: garble(folder / "written_views.json"),
}
LEDGER_HARMS: dict[str, Harm] = {
    "no ledger": lambda folder: [path.unlink() for path in folder.glob("ledger.db*")],
    "an empty ledger": lambda folder: (folder / "ledger.db").write_bytes(b""),
    "the ledger garbled": lambda folder: garble(folder / "ledger.db"),
    "nothing in .perdure": lambda folder: [
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink() for path in folder.iterdir()
    ],
}


def written(ledger: Ledger) -> Path:
    with open_desk(asked(ledger)) as desk:
        assert derived_views.write_all(desk) == []
    return ledger.root / ".perdure"


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_view_is_named_by_both_and_rebuilt_byte_for_byte(ledger: Ledger, harm: str) -> None:
    folder = written(ledger)
    assert verdicts(ledger) == (WHOLE, WHOLE)
    before = views_of(ledger.root)
    HARMS[harm](folder)
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)
    after = views_of(ledger.root)
    assert after["NOTES.md"] == before["NOTES.md"]
    for name, content in before.items():
        assert after[name].startswith(content)


@pytest.mark.parametrize("also", LEDGER_HARMS)
def test_views_are_rebuilt_with_the_ledger(ledger: Ledger, also: str) -> None:
    folder = written(ledger)
    before = views_of(ledger.root)
    for harm in ("notes garbled", "a day cut"):
        HARMS[harm](folder)
    LEDGER_HARMS[also](folder)
    healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)
    after = views_of(ledger.root)
    assert b"use WAL" in after["NOTES.md"]
    assert all(after[name].startswith(content) for name, content in before.items() if name != "NOTES.md")


def test_any_two_damages_together_are_rebuilt(ledger: Ledger) -> None:
    folder = written(ledger)
    kept = folder.parent.parent / "kept"
    shutil.copytree(folder / "trajectory", kept / "trajectory")
    for name in ("NOTES.md", "written_views.json"):
        shutil.copy(folder / name, kept / name)
    pairs = random.Random(15).sample(sorted(combinations(HARMS, 2)), 12)
    for first, second in pairs:
        for harm in (first, second):
            try:
                HARMS[harm](folder)
            except (OSError, IndexError, ValueError):
                continue  # the first took away what the second needs
        healing.heal(asked(ledger), lambda _: None)
        assert verdicts(ledger) == (WHOLE, WHOLE), (first, second)
        for path in folder.parent.parent.glob("elsewhere-*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_what_a_person_wrote_survives_every_damage_that_leaves_it(ledger: Ledger) -> None:
    folder = written(ledger)
    path = folder / "NOTES.md"
    path.write_text(path.read_text().replace("## Blockers\n", "## Blockers\n- no disk\nand a thought\n"))
    (folder / "written_views.json").unlink()
    path.write_text(path.read_text().replace("<!-- perdure notes: end -->\n", ""))
    done = healing.heal(asked(ledger), lambda _: None)
    kept = [each for each in folder.glob("NOTES.md.edited-*") if "and a thought" in each.read_text()]
    assert len(kept) == 1
    assert any(str(kept[0]) in said for said in done.mended)
    assert "- no disk" in path.read_text()


def test_a_session_start_mends_what_is_gone_or_cut(cli: Cli) -> None:
    from tests.surfaces.test_hooks import Hooks

    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("SessionEnd", reason="exit")
    before = views_of(cli.cwd)
    (cli.cwd / ".perdure" / "NOTES.md").unlink()
    cut(line_file(cli.cwd / ".perdure"))
    told = hooks.told("SessionStart", source="startup")
    assert "written again" in told
    after = views_of(cli.cwd)
    assert after.keys() == before.keys()
    assert all(after[name].startswith(content) for name, content in before.items() if name != "NOTES.md")
    assert_whole(cli)


def test_a_session_start_mends_a_line_that_was_changed(cli: Cli) -> None:
    from tests.surfaces.test_hooks import Hooks

    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("SessionEnd", reason="exit")
    day = line_file(cli.cwd / ".perdure")
    before = day.read_bytes()
    garble(day)
    assert "the trajectory written again" in hooks.told("SessionStart", source="startup")
    assert day.read_bytes().startswith(before)
    assert_whole(cli)


def test_what_was_changed_in_a_day_is_not_believed_because_lines_were_appended(cli: Cli) -> None:
    cli.ok("note", "finding", "as it was said")
    cli.ok("notes", "write")
    day = line_file(cli.cwd / ".perdure")
    before = day.read_bytes()
    day.write_bytes(before.replace(b"as it was said", b"as it was lied"))
    cli.ok("note", "finding", "and one more")
    cli.ok("notes", "write")
    assert day.read_bytes().startswith(before)
    assert b"and one more" in day.read_bytes()
    assert_whole(cli)


def test_after_the_whole_record_is_lost_one_healing_is_enough(cli: Cli, environment: dict[str, str]) -> None:
    """The trajectory of the lost record is kept under another name: nothing else has its words."""
    cli.ok("note", "finding", "only the trajectory knows")
    cli.ok("notes", "write")
    folder, lines = cli.cwd / ".perdure", line_file(cli.cwd / ".perdure").read_bytes()
    LEDGER_HARMS["no ledger"](folder)
    shutil.rmtree(Path(environment["PERDURE_HOME"]) / "backups")
    assert any("trajectory" in each for each in cli("heal", "--json").json["mended"])
    assert cli("heal", "--json").json["mended"] == []
    assert lines in [path.read_bytes() for path in (folder / "trajectory").glob("*.odd-*")]


def test_an_appended_trajectory_is_the_same_as_one_written_at_once(cli: Cli) -> None:
    dice = random.Random(7)
    with open_desk(asking(cli)) as desk:
        for number in range(30):
            notes.add(desk, dice.choice(["finding", "question"]), f"number {number}")
            if dice.random() < 0.2:
                sessions.start(desk)
            if dice.random() < 0.5:
                trajectory.bring_up(desk)
                assert trajectory.faults(desk.ledger, desk.root, desk.key) == []
        trajectory.bring_up(desk)
        appended = views_of(cli.cwd)
        shutil.rmtree(cli.cwd / ".perdure" / "trajectory")
        trajectory.write_anew(desk)
        assert views_of(cli.cwd) == appended


def test_an_erased_line_is_the_same_as_in_a_trajectory_written_at_once(cli: Cli) -> None:
    made = [cli.ok("note", "finding", f"number {number}")["note_id"] for number in range(6)]
    cli.ok("redact", made[0], "--because", "before anything was written")
    cli.ok("notes", "write")
    cli.ok("note", "finding", "not written yet")
    for note in (made[2], made[5]):
        cli.ok("redact", note, "--because", "private")
    erased = views_of(cli.cwd)
    assert sum(content.count(b'"erased":true') for content in erased.values()) == 3
    assert_whole(cli)
    with open_desk(asking(cli)) as desk:
        trajectory.write_anew(desk)
    after = views_of(cli.cwd)
    assert {name: content for name, content in after.items() if name != "NOTES.md"} == {
        name: content for name, content in erased.items() if name != "NOTES.md"
    }


def test_a_redaction_writes_only_the_file_again_that_has_the_event(cli: Cli) -> None:
    with open_desk(asking(cli)) as desk:
        record(desk, [Fact("note.finding", p.Note("of another"), actor="somebody")])
    note = cli.ok("note", "finding", "private")["note_id"]
    cli.ok("notes", "write")
    folder = cli.cwd / ".perdure" / "trajectory"
    before = {path.name: path.stat().st_ino for path in folder.iterdir()}
    cli.ok("redact", note, "--because", "private")
    after = {path.name: path.stat().st_ino for path in folder.iterdir()}
    changed = [name for name in before if before[name] != after[name]]
    assert len(before) > 1
    assert len(changed) == 1


def test_the_views_come_back_under_a_new_key(ledger: Ledger) -> None:
    written(ledger)
    key_of_the_views_lost_and_another_made(ledger)
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_somebody_who_writes_what_is_known_too_is_found_out(ledger: Ledger) -> None:
    folder = written(ledger)
    line_file(folder).write_bytes(b"{}\n")
    known = folder / "written_views.json"
    fields = json.loads(known.read_text())
    fields["trajectory"]["files"][line_file(folder).name] = [3, sha256(b"{}\n").hexdigest()]
    known.write_text(json.dumps(fields))
    assert verdicts(ledger) == (DAMAGED, DAMAGED)
    healing.heal(asked(ledger), lambda _: None)
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_a_client_does_not_wait_for_a_long_trajectory(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectory, "_MOST_APPENDED", 5)
    folder = cli.cwd / ".perdure" / "trajectory"
    with open_desk(asking(cli)) as desk:
        for number in range(8):
            notes.add(desk, "finding", f"number {number}")
        assert "perdure notes write" in derived_views.write_all(desk, quickly=True)[0]
        assert not folder.exists()
        assert derived_views.write_all(desk) == []
        before = views_of(cli.cwd)
        notes.add(desk, "finding", "one more")
        assert derived_views.write_all(desk, quickly=True) == []
        after = views_of(cli.cwd)
        assert all(after[name].startswith(before[name]) for name in before if name != "NOTES.md")
        line_file(folder.parent).unlink()
        assert derived_views.mend(desk) == []
        assert derived_views.write_all(desk) == []
        assert views_of(cli.cwd) == after


def test_what_cannot_be_written_again_is_told_and_is_not_a_repair(ledger: Ledger) -> None:
    told: list[str] = []

    def failing() -> list[str]:
        raise Trouble("disk_full", "The disk of NOTES.md is full.", hint="Free some space.")

    with open_desk(replace(asking(ledger.cli), tell=told.append)) as desk:
        assert derived_views._mended(desk, failing) == []
    assert told[-1] == "Not written again: The disk of NOTES.md is full. Free some space."


def test_a_view_that_is_behind_is_not_damage(ledger: Ledger) -> None:
    written(ledger)
    ledger.cli.ok("note", "question", "since then")
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_views_that_were_never_written_are_not_damage_and_heal_writes_them(ledger: Ledger) -> None:
    assert verdicts(ledger) == (WHOLE, WHOLE)
    healing.heal(asked(ledger), lambda _: None)
    assert (ledger.root / ".perdure" / "NOTES.md").exists()
    assert verdicts(ledger) == (WHOLE, WHOLE)


def test_lines_in_an_older_form_are_written_anew_and_are_not_damage(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from perdure.views import trajectory_lines

    folder = written(ledger)
    monkeypatch.setattr(trajectory_lines, "FORMAT", 2)
    monkeypatch.setitem(trajectory_lines.PHASES, "decision.made", ("decided", ("decision",)))
    assert verdicts(ledger) == (WHOLE, WHOLE)
    written(ledger)
    assert b'"phase":"decided"' in b"".join(path.read_bytes() for path in (folder / "trajectory").iterdir())
    assert verdicts(ledger) == (WHOLE, WHOLE)


# -- several at once, and deaths ---------------------------------------------------------------------------------------

WRITING = """
from perdure.__main__ import main
{wait}
for number in range(8):
    assert main(["note", "question", f"of {{sys.argv[1]}} {{number}}"]) == 0
    assert main(["notes", "write"]) == 0
"""
EDITING = """
{wait}
from pathlib import Path
path = Path(sys.argv[1])
for number in range(40):
    before = path.read_text()
    line = f"- edit {{number}}"
    new = path.with_suffix(f".{{os.getpid()}}")
    new.write_text(before.replace("## Blockers\\n", f"## Blockers\\n{{line}}\\n", 1))
    if path.read_text() == before:
        os.replace(new, path)
    else:
        os.unlink(new)
"""


def test_two_writers_at_once_leave_whole_views(cli: Cli) -> None:
    starter = Starter()
    for name in ("one", "two", "three"):
        environment = {**cli.environment, "PERDURE_INSTANCE": name}
        starter.python(WRITING.format(wait=WAIT), name, cwd=cli.cwd, env=environment)
    for code, out, err in starter.go():
        assert code == 0, out + err
    assert_whole(cli)
    cli.ok("notes", "write")
    text = (cli.cwd / ".perdure" / "NOTES.md").read_text()
    assert text.count("- [ ] of ") == 24
    assert not list((cli.cwd / ".perdure").glob("NOTES.md.edited-*"))


def test_a_person_who_saves_while_perdure_writes_loses_nothing(cli: Cli) -> None:
    cli.ok("notes", "write")
    starter = Starter()
    starter.python(WRITING.format(wait=WAIT), "one", cwd=cli.cwd, env=cli.environment)
    path = cli.cwd / ".perdure" / "NOTES.md"
    starter.python(EDITING.format(wait=WAIT), str(path), cwd=cli.cwd, env=cli.environment)
    for code, out, err in starter.go():
        assert code == 0, out + err
    cli.ok("notes", "write")
    everything = path.read_text() + "".join(each.read_text() for each in path.parent.glob("NOTES.md.*"))
    assert "- edit" in everything
    assert_whole(cli)


POINTS = ("written_views.write", "trajectory._append", "task_file.replaced", "notes_view._mark", "write_whole")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("point", POINTS)
def test_a_writer_that_is_killed_leaves_what_the_next_one_puts_right(cli: Cli, point: str, after: bool) -> None:
    with open_desk(asking(cli)) as desk:
        notes.add(desk, "question", "before")
        derived_views.write_all(desk)
        notes.add(desk, "question", "at the kill")
    path = cli.cwd / ".perdure" / "NOTES.md"
    path.write_text(path.read_text().replace("## Blockers\n", "## Blockers\n- no disk\n"))
    child = os.fork()
    if child == 0:
        _write_and_die(cli, point, after=after)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    cli.ok("notes", "write")
    text = path.read_text()
    assert "at the kill" in text
    assert text.count("- no disk") == 1
    assert not list(path.parent.glob("NOTES.md.edited-*"))
    assert_whole(cli)


def _write_and_die(cli: Cli, point: str, *, after: bool) -> None:
    from perdure.views import task_file, written_views

    owner, name = {
        "written_views.write": (written_views, "write"),
        "trajectory._append": (trajectory, "_append"),
        "task_file.replaced": (task_file, "replaced"),
        "notes_view._mark": (notes_view, "_mark"),
        "write_whole": (written_views, "write_whole"),
    }[point]
    real = getattr(owner, name)

    def dying(*given: object, **named: object) -> object:
        if after:
            real(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    try:
        with open_desk(asking(cli)) as desk:
            setattr(owner, name, dying)
            derived_views.write_all(desk)
    finally:
        os._exit(1)


def test_a_person_whose_command_is_killed_takes_nothing_in_twice(cli: Cli) -> None:
    cli.ok("notes", "write")
    path = cli.cwd / ".perdure" / "NOTES.md"
    path.write_text(path.read_text().replace("## Blockers\n", "## Blockers\n- no disk\n"))
    child = os.fork()
    if child == 0:
        _take_and_die(cli)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert _blockers(cli) == 1
    cli.ok("notes", "write")
    cli.ok("notes", "take", "--yes")
    assert _blockers(cli) == 1
    assert path.read_text().count("- no disk") == 0
    assert path.read_text().count("no disk") == 1
    assert_whole(cli)


def _blockers(cli: Cli) -> int:
    return sum(event.kind == "note.blocker" for event in events_of(cli.cwd))


def _take_and_die(cli: Cli) -> None:
    from perdure.actions import notes_taking

    def dying(*_: object, **__: object) -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    try:
        with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
            planned = notes_taking.plan(desk, None)
            notes_view.write = dying  # type: ignore[assignment]
            notes_taking.take(desk, planned, mine=True)
    finally:
        os._exit(1)
