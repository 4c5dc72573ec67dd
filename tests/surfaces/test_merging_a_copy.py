"""A project was copied, both went on, and their ledgers are merged again, as docs/recovering.md says under "The project
was copied" (SPEC 16.4). What continues a chain that was begun here must be proved where it could do harm."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from perdure.model import payload as p
from perdure.model.event import Draft
from perdure.model.jsonl import from_line, to_line
from perdure.model.value import replace
from perdure.proof.chain import head_of, seal
from tests.conftest import Cli, git
from tests.contract.making import draft
from tests.surfaces.looking import assert_error, nothing_written
from tests.surfaces.test_moved import copied
from tests.surfaces.test_transfer import FLAGS, assert_whole, events_of, home_of, lines_of, where_found

SECRET = "Quirinius-of-Smyrna"
PAGE = Path(__file__).parents[2] / "docs" / "recovering.md"


@pytest.fixture
def original(cli: Cli) -> Cli:
    cli.environment["PERDURE_INSTANCE"] = "one"
    cli.ok("note", "finding", "before the copy")
    cli.ok("note", "question", f"who is {SECRET}?")
    cli.ok("audit", "heads", "--sign")
    cli.ok("note", "finding", "after the head")
    return cli


@pytest.fixture
def copy(original: Cli) -> Cli:
    """It has begun a chain of its own."""
    copied(original.cwd, original.cwd.parent / "copy")
    made = Cli(original.cwd.parent / "copy", {**original.environment, "PERDURE_INSTANCE": "two"})
    made.ok("note", "finding", "in the copy")
    return made


def other_machine(original: Cli) -> Cli:
    """The project and the whole home, on another machine: the same keys, and nothing of what the first writes later."""
    copied(original.cwd, original.cwd.parent / "there")
    shutil.copytree(home_of(original), original.cwd.parent / "there-home")
    shutil.rmtree(original.cwd.parent / "there-home" / "projects")  # the folder it names is not on that machine
    home = {"PERDURE_HOME": str(original.cwd.parent / "there-home"), "PERDURE_INSTANCE": "two"}
    made = Cli(original.cwd.parent / "there", {**original.environment, **home})
    made.ok("note", "finding", "on the other machine")
    return made


def exported(cli: Cli) -> str:
    return "\n".join(lines_of(cli)) + "\n"


def continued(cli: Cli, *drafts: Draft, upto: int = 1 << 40) -> str:
    """The export, up to this event, with events that somebody added to its first chain by hand."""
    lines = lines_of(cli)
    events = [from_line(line, "x") for line in lines if '"signed_head"' not in line[:40]]
    events = [event for event in events if event.seq <= upto]
    last = [event for event in events if event.ledger_id == events[0].ledger_id][-1]
    added = []
    for each in drafts:
        last, _ = seal(replace(each, project_id=last.project_id), head_of(last))
        added.append(to_line(last))
    heads = [f"{line}\n" for line in lines if '"signed_head"' in line[:40]]
    return "".join([*map(to_line, events), *added, *heads])


def ids_of(cli: Cli) -> set[str]:
    return {event["id"] for event in events_of(cli)}


def assert_merged(here: Cli, *others: Cli) -> None:
    for other in others:
        assert ids_of(other) <= ids_of(here)
        assert_whole(other)
        assert other.ok("audit", "verify")["whole"]
    assert_whole(here)
    assert here.ok("audit", "verify")["whole"]


def test_the_page_about_a_copy_is_true_word_by_word(original: Cli, copy: Cli, tmp_path: Path) -> None:
    page = PAGE.read_text().partition("## The project was copied")[2].partition("\n## ")[0]
    said = re.findall(r"cd ~/src/(\S+) && perdure (export|import) \S+", page)
    assert said == [("shop", "export"), ("shop-copy", "import")]
    original.ok("note", "finding", "in the original")
    original.ok("export", str(tmp_path / "original.jsonl"))
    assert "nothing proves" not in copy("import", str(tmp_path / "original.jsonl"), "--dry-run").out
    copy.ok("import", str(tmp_path / "original.jsonl"))
    assert_merged(copy, original)
    copy.ok("note", "finding", "it goes on")
    original.ok("note", "finding", "it goes on here too")
    copy.ok("export", str(tmp_path / "copy.jsonl"))
    original.ok("import", str(tmp_path / "copy.jsonl"))
    assert_merged(original)
    copy.ok("import", "-", "--yes", input=exported(original))
    assert_merged(copy, original)


def test_an_export_that_the_original_has_outgrown_is_merged_into_the_copy(original: Cli, copy: Cli) -> None:
    original.ok("note", "finding", "in the original")
    given = exported(original)
    original.ok("note", "finding", "after the export")
    copy.ok("import", "-", "--yes", input=given)
    assert_merged(copy)
    assert_whole(original)


def test_a_redaction_in_the_original_reaches_the_copy(original: Cli, copy: Cli) -> None:
    (event,) = [each for each in events_of(original) if SECRET in str(each["payload"])]
    original.ok("redact", event["id"], "--because", "a name")
    copy.ok("import", "-", "--yes", input=exported(original))
    assert where_found(SECRET, copy.cwd, original.cwd, home_of(copy)) == []
    assert_merged(copy, original)


def test_a_forged_continuation_of_the_original_is_refused_in_the_copy_and_the_genuine_one_is_not(
    original: Cli, copy: Cli
) -> None:
    original.ok("note", "finding", "in the original")
    attack = continued(original, draft("note.finding", p.Note("forged")))
    with nothing_written(copy):
        refused = copy("import", "-", "--yes", input=attack)
    error = assert_error(refused, 1, kind="own_chain_unproved")
    assert f"perdure heal --project-path {original.cwd}" in error["hint"]
    copy.ok("heal", "--project-path", str(original.cwd))
    copy.ok("import", "-", "--yes", input=exported(original))
    assert_merged(copy, original)


def test_what_the_backup_lacks_is_merged_after_the_command_that_the_refusal_names(original: Cli, copy: Cli) -> None:
    """The original worked while the home could not be written."""
    folder = next((home_of(original) / "backups").iterdir())
    kept = {path: path.read_bytes() for path in folder.iterdir()}
    original.ok("note", "finding", "in the original")
    given = exported(original)
    for path, content in kept.items():
        path.write_bytes(content)
    error = assert_error(copy("import", "-", "--yes", input=given), 1, kind="own_chain_unproved")
    named = re.search(r"perdure (heal --project-path \S+)", error["hint"])
    assert named, error
    copy.ok(*named[1].split())
    copy.ok("import", "-", "--yes", input=given)
    assert_merged(copy, original)


def test_a_forged_continuation_in_a_second_clone_does_not_get_into_the_originals_backup(
    original: Cli, tmp_path: Path
) -> None:
    git(tmp_path, original.environment, "clone", "-q", str(original.cwd), "clone")
    clone = Cli(tmp_path / "clone", {**original.environment, "PERDURE_INSTANCE": "two"})
    clone.ok("init", "--no-client")
    attack = continued(original, draft("note.finding", p.Note("forged")))
    assert_error(clone("import", "-", "--yes", input=attack), 1, kind="own_chain_unproved")
    clone.ok("import", "-", "--yes", input=exported(original))
    original.ok("note", "finding", "the original goes on")
    assert_merged(clone)
    assert_whole(original)


@pytest.mark.parametrize("is_signed", [True, False], ids=["signed", "not signed"])
def test_another_machine_with_the_same_home_takes_in_what_the_original_wrote(original: Cli, is_signed: bool) -> None:
    there = other_machine(original)
    original.ok("preflight", *FLAGS)
    original.ok("note", "finding", "on the first machine")
    if is_signed:
        original.ok("audit", "heads", "--sign")
    there.ok("import", "-", "--yes", input=exported(original))
    assert_merged(there, original)
    assert there.ok("gate", "explain", "touch made-up")["verdict"] == "deny", "the other's transaction opens no gate"


def test_on_another_machine_an_unproved_redaction_of_ones_own_events_waits_for_a_head_or_a_person(
    original: Cli,
) -> None:
    there = other_machine(original)
    (event,) = [each for each in events_of(original) if SECRET in str(each["payload"])]
    original.ok("redact", event["id"], "--because", "a name")
    unsigned = "".join(f"{line}\n" for line in lines_of(original) if '"signed_head"' not in line[:40])
    with nothing_written(there):
        error = assert_error(there("import", "-", "--yes", input=unsigned), 1, kind="own_chain_unproved")
    assert "perdure audit heads --sign" in error["hint"]
    assert "--accept-redactions" in error["hint"]
    original.ok("audit", "heads", "--sign")
    there.ok("import", "-", "--yes", input=exported(original))
    assert where_found(SECRET, there.cwd, home_of(there)) == []
    assert_merged(there, original)


def test_a_person_accepts_an_unproved_redaction_of_an_earlier_chain(original: Cli) -> None:
    there = other_machine(original)
    (event,) = [each for each in events_of(original) if SECRET in str(each["payload"])]
    original.ok("redact", event["id"], "--because", "a name")
    there.ok("import", "-", "--yes", "--accept-redactions", input=exported(original))
    assert where_found(SECRET, there.cwd, home_of(there)) == []
    assert_merged(there)
