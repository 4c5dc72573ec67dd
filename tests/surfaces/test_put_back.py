"""An older `.perdure`, or an older transaction file, is put back: by a copy, an archive or a checkout. It opens no gate
for a transaction that was closed since (docs/adr/0051)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.faults.test_erasures import with_a_read_only_home
from tests.surfaces.test_hooks import FLAGS, LOW, Hooks


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    made = Hooks(cli)
    made("SessionStart", source="startup")
    return made


def files(hooks: Hooks) -> list[Path]:
    return list((hooks.cli.cwd / ".perdure").glob("active_transaction_*.json"))


def home(hooks: Hooks) -> Path:
    return Path(hooks.cli.environment["PERDURE_HOME"])


def kept(hooks: Hooks, folder: Path) -> Path:
    """A copy of `.perdure` as it is now."""
    shutil.copytree(hooks.cli.cwd / ".perdure", folder, symlinks=True)
    return folder


def put_back(hooks: Hooks, copy: Path) -> None:
    shutil.rmtree(hooks.cli.cwd / ".perdure")
    shutil.copytree(copy, hooks.cli.cwd / ".perdure", symlinks=True)


def remedy(reason: str) -> str:
    return reason.partition("To clear it: ")[2]


def everywhere(hooks: Hooks) -> list[str]:
    """What `status`, `transaction status` and the brief say about the open transaction."""
    return [hooks.cli(*words).out for words in (("status",), ("transaction", "status"), ("recover",))]


def test_an_older_transaction_file_does_not_open_the_gate_for_a_transaction_that_was_closed(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    old = file.read_bytes()
    assert hooks.bash("touch b") == ""
    hooks.cli.ok("postflight", *FLAGS)
    file.write_bytes(old)
    reason = hooks.bash("touch b")
    assert "older copy" in reason
    assert remedy(reason) == "perdure heal"
    said = hooks.cli("status").out
    assert "the gate will deny" in said
    assert "perdure heal" in said
    hooks.cli.ok("heal")
    assert "perdure preflight" in remedy(hooks.bash("touch b"))
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""


def test_an_older_project_folder_does_not_open_the_gate_and_everybody_says_so(hooks: Hooks, tmp_path: Path) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    copy = kept(hooks, tmp_path / "old")
    hooks.cli.ok("postflight", *FLAGS)
    put_back(hooks, copy)
    reason = hooks.bash("touch b")
    assert remedy(reason) == "perdure heal", reason
    for said in everywhere(hooks):
        assert "proceed" not in said
        assert "perdure heal" in said
    assert "perdure heal" in hooks.cli("status").out.splitlines()[1], "the reason stands first"
    assert hooks.cli("note", "finding", "x").code == 1
    hooks.cli.ok("heal")
    assert "perdure preflight" in remedy(hooks.bash("touch b"))


def test_audit_verify_advises_what_works_on_an_older_ledger(hooks: Hooks, tmp_path: Path) -> None:
    copy = kept(hooks, tmp_path / "old")
    hooks.cli.ok("preflight", *FLAGS)
    hooks.cli.ok("postflight", *FLAGS)
    put_back(hooks, copy)
    advice = [line for line in hooks.cli("audit", "verify").out.splitlines() if "acknowledge" in line]
    assert advice
    assert all("perdure heal brings back" in line and "still wrong after that" in line for line in advice), advice
    refused = hooks.cli("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "ledger_put_back")
    hooks.cli.ok("heal")
    hooks.cli.ok("audit", "verify")


def test_where_the_put_back_ledger_has_the_open_transaction_status_says_that_nothing_can_be_recorded(
    hooks: Hooks, tmp_path: Path
) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    copy = kept(hooks, tmp_path / "old")
    hooks.cli.ok("note", "finding", "later")
    put_back(hooks, copy)
    for said in everywhere(hooks)[:2]:
        assert "nothing can be recorded" in said
        assert "perdure heal" in said
    assert hooks.cli("note", "finding", "x").code == 1
    assert remedy(hooks.bash("touch b")) == "perdure heal", "the refusal marked the ledger"
    hooks.cli.ok("heal")
    assert hooks.bash("touch b") == ""


def test_with_an_older_backup_too_the_gate_stays_shut_after_heal_until_a_check(hooks: Hooks, tmp_path: Path) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    copy = kept(hooks, tmp_path / "old")
    shutil.copytree(home(hooks) / "backups", tmp_path / "backups")
    hooks.cli.ok("postflight", *FLAGS)
    put_back(hooks, copy)
    shutil.rmtree(home(hooks) / "backups")
    shutil.copytree(tmp_path / "backups", home(hooks) / "backups")
    assert remedy(hooks.bash("touch b")) == "perdure heal"
    hooks.cli("heal")
    reason = hooks.bash("touch b")
    assert remedy(reason).startswith("perdure check"), reason
    for said in everywhere(hooks):
        assert "proceed" not in said
        assert "perdure check" in said
    hooks.cli.ok("check", *FLAGS)
    assert hooks.bash("touch b") == ""
    for said in everywhere(hooks)[:2]:
        assert "proceed" in said


def test_an_older_file_of_the_same_transaction_does_not_undo_a_check_that_said_investigate(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    old = file.read_bytes()
    hooks.cli("check", *LOW)
    file.write_bytes(old)
    assert remedy(hooks.bash("touch b")).startswith("perdure check")


def test_where_the_home_lost_its_entry_the_remedies_lead_back_to_the_open_transaction(hooks: Hooks) -> None:
    opened = hooks.cli.ok("preflight", *FLAGS)
    shutil.rmtree(home(hooks) / "held")
    assert remedy(hooks.bash("touch b")) == "perdure heal"
    hooks.cli.ok("heal")
    assert remedy(hooks.bash("touch b")).startswith("perdure check")
    assert hooks.cli.ok("check", *FLAGS)["transaction_id"] == opened["transaction_id"]
    assert hooks.bash("touch b") == ""


def test_a_check_alone_also_leads_back_where_the_home_lost_its_entry(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    shutil.rmtree(home(hooks) / "held")
    hooks.cli.ok("check", *FLAGS)
    assert hooks.bash("touch b") == ""


def test_the_next_session_start_does_not_open_what_the_home_does_not_know(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    shutil.rmtree(home(hooks) / "held")
    told = hooks.told("SessionStart", source="compact")
    assert "perdure check" in told
    assert remedy(hooks.bash("touch b")).startswith("perdure check")


def test_an_override_opens_the_gate_of_a_transaction_that_did_not_pass(cli: Cli) -> None:
    job, hooks = {"PERDURE_INSTANCE": "job-7"}, Hooks(cli)
    opened = cli.ok("preflight", *LOW, **job)
    assert remedy(hooks.bash("touch b", env=job)).startswith("perdure check")
    cli.ok("transaction", "override", opened["transaction_id"], "--because", "I looked at it")
    assert hooks.bash("touch b", env=job) == ""


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_where_the_home_cannot_be_written_preflight_still_opens_the_gate_and_postflight_shuts_it(
    hooks: Hooks,
) -> None:
    held = home(hooks) / "held"
    held.mkdir(exist_ok=True)
    held.chmod(0o500)
    try:
        hooks.cli.ok("preflight", *FLAGS)
        assert hooks.bash("touch b") == ""
        hooks.cli("check", *LOW)
        assert hooks.bash("touch b")
        hooks.cli.ok("postflight", *FLAGS)
        assert hooks.bash("touch b")
    finally:
        held.chmod(0o700)


def without_held_folder(hooks: Hooks) -> None:
    """A file in the place of the folder: nobody can write an entry there."""
    shutil.rmtree(home(hooks) / "held", ignore_errors=True)
    (home(hooks) / "held").write_text("")


def test_where_the_home_takes_no_entry_the_project_keeps_it_and_nobody_else_can_make_one(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    old = file.read_bytes()
    hooks.cli.ok("postflight", *FLAGS)
    without_held_folder(hooks)
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == "", "its entry is in the project"
    hooks.cli.ok("postflight", *FLAGS)
    shown = json.loads(old)
    forged = hooks.cli.cwd / ".perdure" / "held" / shown["instance_id"] / f"{shown['transaction_id']}.json"
    forged.parent.mkdir(parents=True, exist_ok=True)
    entry = {name: shown[name] for name in ("transaction_id", "instance_id")}
    forged.write_text(json.dumps(entry | {"root": str(hooks.cli.cwd), "is_shut": False, "written_at": 1}))
    file.write_bytes(old)
    assert remedy(hooks.bash("touch b")) == "perdure heal"


def with_held_folder(hooks: Hooks) -> None:
    """The home can be written again, and has the entries that it had."""
    (home(hooks) / "held").unlink()
    away = home(hooks).parent / "held-away"
    if away.exists():
        away.rename(home(hooks) / "held")


def without_writing_the_home(hooks: Hooks, *words: str) -> None:
    """One command that cannot write entries into the home."""
    held = home(hooks) / "held"
    if held.is_dir():
        held.rename(home(hooks).parent / "held-away")
    held.write_text("")
    hooks.cli.ok(*words)
    with_held_folder(hooks)


def test_what_was_opened_without_the_home_and_closed_with_it_does_not_open_the_gate_again(
    hooks: Hooks, tmp_path: Path
) -> None:
    without_writing_the_home(hooks, "preflight", *FLAGS)
    assert hooks.bash("touch b") == "", "the agent's shell may be in a sandbox that its hooks are not in"
    copy = kept(hooks, tmp_path / "old")
    hooks.cli.ok("postflight", *FLAGS)
    put_back(hooks, copy)
    assert remedy(hooks.bash("touch b")) == "perdure heal"
    for said in everywhere(hooks):
        assert "proceed" not in said
        assert "perdure heal" in said
    hooks.cli.ok("heal")
    assert hooks.bash("touch b")
    put_back(hooks, copy)
    assert hooks.bash("touch b")
    hooks.cli.ok("heal")
    hooks.cli.ok("preflight", *FLAGS)
    assert hooks.bash("touch b") == ""


def test_an_entry_in_the_project_is_taken_over_by_the_next_command_that_can_write_the_home(
    hooks: Hooks, tmp_path: Path
) -> None:
    without_writing_the_home(hooks, "preflight", *FLAGS)
    copy = kept(hooks, tmp_path / "old")
    hooks.cli.ok("note", "finding", "x")
    assert not list((hooks.cli.cwd / ".perdure" / "held").glob("*/*.json"))
    assert hooks.bash("touch b") == ""
    hooks.cli("check", *LOW)
    put_back(hooks, copy)
    assert hooks.bash("touch b"), "the CHECK is newer than the entry in the older folder"
    hooks.cli.ok("heal")
    hooks.cli.ok("postflight", *FLAGS)
    put_back(hooks, copy)
    assert hooks.bash("touch b")


def test_a_session_start_takes_an_entry_over_and_the_gate_stays_open(hooks: Hooks) -> None:
    without_writing_the_home(hooks, "preflight", *FLAGS)
    hooks("SessionStart", source="resume")
    assert not list((hooks.cli.cwd / ".perdure" / "held").glob("*/*.json"))
    assert hooks.bash("touch b") == ""


def test_a_check_without_the_home_counts_more_than_the_older_entry_in_the_home(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    without_writing_the_home(hooks, "check", *FLAGS)
    assert hooks.bash("touch b") == ""
    hooks.cli("check", *LOW)
    assert hooks.bash("touch b")
    hooks.cli.ok("note", "finding", "what was learned")
    without_writing_the_home(hooks, "check", *FLAGS)
    assert hooks.bash("touch b") == ""


def test_what_was_opened_with_the_home_and_closed_without_it_opens_no_gate_by_its_older_file(
    cli: Cli, tmp_path: Path
) -> None:
    hooks = Hooks(Cli(cli.cwd, {**cli.environment, "PERDURE_INSTANCE": "job-7"}))
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    old, copy = file.read_bytes(), kept(hooks, tmp_path / "old")
    assert with_a_read_only_home(hooks.cli, "postflight", *FLAGS).code == 0
    file.write_bytes(old)
    assert hooks.bash("touch b")
    hooks.cli.ok("heal")
    put_back(hooks, copy)
    assert hooks.bash("touch b"), "the home was told by now"


def test_a_session_start_says_why_it_wrote_a_transaction_file_again(hooks: Hooks) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    old = file.read_bytes()
    hooks.cli("check", *LOW)
    file.write_bytes(old)
    told = hooks.told("SessionStart", source="resume")
    assert f"{file.name} written again: it did not say what the ledger says, as an older copy would" in told
    file.unlink()
    assert f"{file.name} written again: it was missing" in hooks.told("SessionStart", source="resume")


def test_a_moved_project_keeps_its_open_gate_after_heal(hooks: Hooks, tmp_path: Path) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    moved = tmp_path / "moved"
    shutil.move(hooks.cli.cwd, moved)
    there = Hooks(Cli(moved, hooks.cli.environment))
    assert remedy(there.bash("touch b")) == "perdure heal"
    there.cli.ok("heal")
    assert there.bash("touch b") == "", "no CHECK is needed: the home knows the transaction"


def test_healing_a_copy_leaves_the_originals_gate_open(hooks: Hooks, tmp_path: Path) -> None:
    hooks.cli.ok("preflight", *FLAGS)
    copy = tmp_path / "copy"
    shutil.copytree(hooks.cli.cwd, copy, symlinks=True)
    hooks.cli.ok("heal", "--project-path", str(copy))
    assert hooks.bash("touch b") == ""


def test_heal_removes_the_homes_entry_of_a_transaction_that_was_closed(hooks: Hooks) -> None:
    """A crash after the closing was recorded leaves it."""
    hooks.cli.ok("preflight", *FLAGS)
    (file,) = files(hooks)
    (entry,) = (home(hooks) / "held").glob("*/*.json")
    old, pointer = file.read_bytes(), entry.read_bytes()
    hooks.cli.ok("postflight", *FLAGS)
    entry.write_bytes(pointer)
    hooks.cli.ok("heal")
    assert not entry.exists()
    file.write_bytes(old)
    assert hooks.bash("touch b")


def test_what_one_instance_adopts_opens_its_gate_and_no_longer_the_others(cli: Cli) -> None:
    first, second, hooks = {"PERDURE_INSTANCE": "job-7"}, {"PERDURE_INSTANCE": "job-8"}, Hooks(cli)
    opened = cli.ok("preflight", *FLAGS, **first)
    assert hooks.bash("touch b", env=first) == ""
    (file,) = files(hooks)
    old = file.read_bytes()
    cli.ok("transaction", "adopt", opened["transaction_id"], **second)
    assert hooks.bash("touch b", env=second) == ""
    assert hooks.bash("touch b", env=first)
    file.write_bytes(old)
    assert hooks.bash("touch b", env=first), "not by its old file either"
