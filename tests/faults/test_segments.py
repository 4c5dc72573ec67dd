"""Tracked segments (SPEC 16.4) that were edited, cut, deleted or put back: `audit verify` names them, `heal` writes
them again from the ledger, and where they are all that is left, it says what can be taken in and how."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import git
from tests.faults.test_attacks import Ledger, ledger, resealed
from tests.faults.test_trust import as_lines, clone_of_a_colleague, decisions, healed_and_whole, taken_in

__all__ = ["ledger"]

LONGEST = 20.0


def segments(ledger: Ledger) -> list[Path]:
    return sorted((ledger.path.parent / "export" / ledger.ledger_id()).glob("*.jsonl"))


@pytest.fixture
def exported(ledger: Ledger) -> Ledger:
    """Three segments, committed."""
    for text in ("one", "two", "three"):
        ledger.cli.ok("note", "finding", text)
        ledger.cli.ok("export", "--tracked")
    assert len(segments(ledger)) == 3
    git(ledger.root, ledger.cli.environment, "add", ".perdure")
    git(ledger.root, ledger.cli.environment, "commit", "-q", "-m", "segments")
    assert ledger.verified().json["whole"]
    return ledger


def edited(path: Path) -> None:
    path.write_text(path.read_text().replace('"know":0.9', '"know":0.1').replace("two", "forged"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def longer(path: Path) -> None:
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


HARMS = (edited, cut, emptied, longer, a_pipe, a_folder, Path.unlink)


@pytest.mark.parametrize(
    ("number", "harm"),
    [*((1, harm) for harm in HARMS), (0, Path.unlink), (2, Path.unlink), (0, edited), (2, cut)],
)
def test_a_segment_that_is_not_what_the_ledger_says_is_named_and_written_again(
    exported: Ledger, number: int, harm: Callable[[Path], object]
) -> None:
    before = {path.name: path.read_bytes() for path in segments(exported)}
    path = segments(exported)[number]
    harm(path)
    verified = exported.cli("audit", "verify", "--json", timeout=LONGEST)
    assert verified.code == 1
    assert [each["check"] for each in verified.json["findings"]] == ["the tracked export"]
    assert str(path) in verified.json["findings"][0]["what"]
    assert exported.cli("heal", "--check", timeout=LONGEST).code == 1
    healed = healed_and_whole(exported)
    assert any(str(path) in each for each in healed["mended"])
    after = {path.name: path.read_bytes() for path in segments(exported) if path.name in before}
    assert after == before


def test_an_export_that_git_tracks_and_that_is_gone_is_written_again(exported: Ledger) -> None:
    shutil.rmtree(exported.path.parent / "export")
    assert not exported.verified().json["whole"]
    healed_and_whole(exported)
    assert git(exported.root, exported.cli.environment, "status", "--porcelain", ".perdure/export") == ""


def test_an_export_that_a_person_took_out_of_git_is_not_missed(exported: Ledger) -> None:
    git(exported.root, exported.cli.environment, "rm", "-rq", ".perdure/export")
    assert exported.verified().json["whole"]


def test_a_segment_with_a_payload_that_was_redacted_since_is_named_and_erased(exported: Ledger) -> None:
    old = {path: path.read_bytes() for path in segments(exported)}
    events = [json.loads(line) for line in exported.cli("export").out.splitlines()]
    two = next(e["id"] for e in events if e["kind"] == "note.finding" and e["payload"]["text"] == "two")
    exported.cli.ok("redact", two, "--because", "a name")
    assert exported.verified().json["whole"]
    for path, content in old.items():
        path.write_bytes(content)
    assert "does not say what event" in str(exported.verified().json["findings"])
    healed_and_whole(exported)
    assert not any(b'"two"' in path.read_bytes() for path in segments(exported))


def test_more_of_a_colleagues_ledger_that_git_brought_is_not_damage(
    ledger: Ledger, environment: dict[str, str], tmp_path: Path
) -> None:
    """They went on, and redacted what was imported here before."""
    theirs = clone_of_a_colleague(ledger, environment, tmp_path)
    colleague = taken_in(ledger, theirs("export").out, tmp_path)
    events = [json.loads(line) for line in theirs("export").out.splitlines()]
    made = next(e["id"] for e in events if e.get("kind") == "decision.made")
    theirs.ok("redact", made, "--because", "a name")
    theirs.ok("export", "--tracked")
    shutil.copytree(theirs.cwd / ".perdure" / "export", ledger.path.parent / "export")
    assert ledger.verified().json["whole"]
    (segment,) = (ledger.path.parent / "export" / colleague).iterdir()
    edited_text = segment.read_text().replace('"kind":"project.created"', '"kind":"project.creates"')
    assert edited_text != segment.read_text()
    segment.write_text(edited_text)
    assert str(segment) in str(ledger.verified().json["findings"])
    healed_and_whole(ledger)


def test_a_ledger_that_nobody_took_in_is_not_looked_at(exported: Ledger) -> None:
    other = exported.path.parent / "export" / "12121212-1212-4212-8212-121212121212"
    other.mkdir()
    (other / "000000000001-000000000002.jsonl").write_text("whatever git brought\n")
    assert exported.verified().json["whole"]


# -- where the segments are all that is left ---------------------------------------------------------------------------


def lost_but_for_the_export(ledger: Ledger, *homes: str) -> list[str]:
    """What `heal` says was lost, once the ledger and these folders of the home are gone."""
    for name in homes:
        shutil.rmtree(ledger.home / name)
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()
    lost: list[str] = ledger.cli("heal", "--json").json["lost"]
    return lost


def test_of_an_edited_export_that_is_the_only_copy_the_unchanged_part_can_be_taken_in(exported: Ledger) -> None:
    """The remedy is followed to its end."""
    edited(segments(exported)[1])
    (said,) = [each for each in lost_but_for_the_export(exported, "backups", "heads") if "perdure import" in each]
    assert "did not write" not in said
    assert re.search(r"Of its \d+ events the first \d+ verify; the others were changed or cut, and are lost", said)
    exported.cli.ok(*said.partition("perdure ")[2].split(), "--yes")
    assert "use WAL" in decisions(exported.cli)
    assert '"one"' in exported.cli("export").out
    assert "forged" not in exported.cli("export").out
    healed_and_whole(exported)


def test_of_an_edited_export_what_heads_prove_comes_back_and_the_rest_is_said(exported: Ledger) -> None:
    edited(segments(exported)[1])
    lost = lost_but_for_the_export(exported, "backups")
    assert "use WAL" in decisions(exported.cli)
    assert not any("perdure import" in each for each in lost), "an import would be refused"
    assert any("which no signed head proves: left out, and still in" in each for each in lost)
    healed_and_whole(exported)
    kept_as_advised(exported, lost)
    assert '"forged"' not in exported.cli("export").out
    assert {'"one"', '"three"'} <= {*re.findall(r'"\w+"', exported.cli("export").out)}, "git has it as it was"


def kept_as_advised(ledger: Ledger, lost: list[str]) -> None:
    """The remedy for what no head proves, followed to its end."""
    (said,) = [each for each in lost if "perdure heal --keep export" in each]
    assert "which no signed head proves" in said
    assert ledger.cli.ok("heal", "--keep", "export")["whole"]
    assert ledger.verified().json["whole"]
    ledger.cli.ok("note", "finding", "the work goes on")
    again = healed_and_whole(ledger)
    assert (again["mended"], again["lost"]) == ([], [])


def committed(exported: Ledger) -> None:
    """The segments are still in the work tree."""


def deleted(exported: Ledger) -> None:
    """Only git's history has the segments."""
    shutil.rmtree(exported.path.parent / "export")


@pytest.mark.parametrize("where", [committed, deleted], ids=lambda where: where.__name__)
def test_what_no_head_proves_of_the_export_comes_back_if_a_person_says_so(
    exported: Ledger, where: Callable[[Ledger], None]
) -> None:
    where(exported)
    lost = lost_but_for_the_export(exported, "backups")
    assert '"three"' not in exported.cli("export").out, "nothing is installed unasked"
    healed_and_whole(exported)
    exported.cli.ok("note", "finding", "written since")
    kept_as_advised(exported, lost)
    assert {'"one"', '"two"', '"three"', '"written since"'} <= {*re.findall(r'"[\w ]+"', exported.cli("export").out)}


def test_a_person_may_keep_the_export_at_once(exported: Ledger) -> None:
    shutil.rmtree(exported.home / "backups")
    for path in exported.path.parent.glob("ledger.db*"):
        path.unlink()
    assert exported.cli.ok("heal", "--keep", "export")["whole"]
    assert '"three"' in exported.cli("export").out
    healed_and_whole(exported)


@pytest.mark.parametrize("gone", ["", "backups"])
def test_keeping_the_export_replaces_nothing_that_the_ledger_has(exported: Ledger, gone: str) -> None:
    """It continues a chain where every other copy ends, and does no more."""
    rows = [{**row, "payload": row["payload"] and row["payload"].replace("three", "forged")} for row in exported.rows()]
    lines = as_lines(resealed(rows, exported.ledger_id()), exported.ledger_id()).splitlines(keepends=True)
    for path in segments(exported):
        first, last = map(int, path.stem.split("-"))
        path.write_text("".join(lines[first - 1 : last]))
    if gone:
        shutil.rmtree(exported.home / gone)
    exported.cli("heal", "--keep", "export")
    assert "forged" not in exported.cli("export").out
    assert "three" in exported.cli("export").out
    healed_and_whole(exported)


def test_an_agent_may_not_keep_the_export(exported: Ledger) -> None:
    lost_but_for_the_export(exported, "backups")
    refused = exported.cli("heal", "--keep", "export", "--json", CLAUDECODE="1")
    assert refused.code == 1
    assert '"three"' not in exported.cli("export").out


def test_an_export_whose_first_event_was_changed_is_said_to_be_of_no_use(exported: Ledger) -> None:
    first = segments(exported)[0]
    first.write_text(first.read_text().replace('"kind":"ledger.opened"', '"kind":"ledger.opens"', 1))
    lost = lost_but_for_the_export(exported, "backups", "heads")
    assert any("nothing of it can be taken in" in each for each in lost)
    assert not any("perdure import" in each for each in lost)


def test_a_whole_export_that_no_head_proves_is_offered_and_can_be_taken_in(exported: Ledger) -> None:
    (said,) = [each for each in lost_but_for_the_export(exported, "backups", "heads") if "perdure import" in each]
    assert "no signed head proves" in said
    exported.cli.ok(*said.partition("perdure ")[2].split(), "--yes")
    assert "use WAL" in decisions(exported.cli)
    healed_and_whole(exported)


def in_git(exported: Ledger) -> list[str]:
    """What the next `git add -A` would take of `.perdure`, beyond what is committed."""
    git(exported.root, exported.cli.environment, "add", "-A")
    said = git(exported.root, exported.cli.environment, "diff", "--cached", "--name-only", "--diff-filter=A")
    return [name for name in said.split() if name.startswith(".perdure/")]


def test_git_sees_no_file_that_heal_set_aside_in_the_export(exported: Ledger) -> None:
    path = segments(exported)[-1]
    path.unlink()
    path.mkdir()
    (path / "1-2.jsonl").write_text("x")
    exported.cli.ok("heal")
    assert list(path.parent.glob("*.odd-*")), "it was set aside"
    for stray in ("notes.txt", f"{exported.ledger_id()}/ledger.db", f"{exported.ledger_id()}/deep/1-2.jsonl"):
        (exported.path.parent / "export" / stray).parent.mkdir(exist_ok=True)
        (exported.path.parent / "export" / stray).write_text("x")
    assert in_git(exported) == []
    exported.cli.ok("note", "finding", "four")
    exported.cli.ok("export", "--tracked")
    assert len(in_git(exported)) == 1, "the new segment"


def test_heal_narrows_the_gitignore_that_an_earlier_version_wrote(exported: Ledger) -> None:
    ignore = exported.path.parent / ".gitignore"
    own = [line for line in ignore.read_text().splitlines() if "export" not in line]
    ignore.write_text("\n".join([*own, "!export/", "!export/**", "!NOTES.md", ""]))
    (segments(exported)[0].parent / "1-2.jsonl.odd-2026").write_text("x")
    assert "git does not ignore .perdure/export/" in exported.cli("status").out
    exported.cli.ok("heal")
    assert in_git(exported) == [".perdure/NOTES.md"], "the person's own line stays"
    assert "!NOTES.md" in ignore.read_text()
    exported.cli.ok("note", "finding", "four")
    exported.cli.ok("export", "--tracked")
    assert len(in_git(exported)) == 2, "the new segment beside it"


# -- restored from git history -----------------------------------------------------------------------------------------


def only_git_history_is_left(ledger: Ledger) -> None:
    shutil.rmtree(ledger.home / "backups")
    shutil.rmtree(ledger.path.parent / "export")
    for path in ledger.path.parent.glob("ledger.db*"):
        path.unlink()


def signed_in_the_middle_of_the_last_segment(ledger: Ledger) -> None:
    ledger.cli.ok("note", "finding", "before the head")
    ledger.cli.ok("audit", "heads", "--sign")
    ledger.cli.ok("note", "finding", "after the head")
    ledger.cli.ok("export", "--tracked")


def signed_at_the_end_of_a_segment(ledger: Ledger) -> None:
    ledger.cli.ok("export", "--tracked")
    ledger.cli.ok("audit", "heads", "--sign")
    ledger.cli.ok("export", "--tracked")


def signed_in_the_first_segment(ledger: Ledger) -> None:
    """Nothing was signed since."""


@pytest.mark.parametrize(
    "last",
    [signed_in_the_middle_of_the_last_segment, signed_at_the_end_of_a_segment, signed_in_the_first_segment],
    ids=lambda last: last.__name__,
)
def test_after_a_restore_from_git_history_what_is_lost_is_said_once_and_all_is_whole(
    exported: Ledger, last: Callable[[Ledger], None]
) -> None:
    last(exported)
    git(exported.root, exported.cli.environment, "add", ".perdure")
    git(exported.root, exported.cli.environment, "commit", "-q", "--allow-empty", "-m", "more segments")
    only_git_history_is_left(exported)
    healed = exported.cli("heal", "--json").json
    assert any("git history" in each for each in healed["mended"])
    assert any("no signed head proves" in each for each in healed["lost"])
    assert healed["whole"]
    again = healed_and_whole(exported)
    assert (again["mended"], again["lost"]) == ([], [])
    exported.cli.ok("export", "--tracked")
    assert exported.verified().json["whole"]
    git(exported.root, exported.cli.environment, "add", "-A", ".perdure")
    git(exported.root, exported.cli.environment, "commit", "-q", "-m", "as heal left it")
    healed_and_whole(exported)


def test_the_segments_of_git_history_may_be_put_back_after_a_restore_from_it(exported: Ledger) -> None:
    only_git_history_is_left(exported)
    exported.cli("heal")
    git(exported.root, exported.cli.environment, "checkout", "--", ".perdure/export")
    assert exported.verified().json["whole"]
    healed_and_whole(exported)
