"""A `project.toml` that names another id than this home knows is not obeyed (SPEC 3.5, docs/adr/0049): no record is
lost, nothing is written into the backup of another project, and each advised command works where it is advised."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli, git, new_repository
from tests.surfaces.test_hooks import Hooks

SECRET = "we sell the shop in spring"
UNKNOWN = "77777777-7777-4777-8777-777777777777"


def toml_of(root: Path) -> Path:
    return root / ".perdure" / "project.toml"


def id_in(root: Path) -> str:
    return toml_of(root).read_text().split('id = "')[1][:36]


def changed_to(root: Path, new: str) -> None:
    toml_of(root).write_text(toml_of(root).read_text().replace(id_in(root), new))


def lines_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def committed(cli: Cli) -> Cli:
    """A project with a note and a signed head, whose `project.toml` is in git."""
    cli.environment["PERDURE_INSTANCE"] = "morning"
    cli.ok("note", "finding", SECRET)
    cli.ok("audit", "heads", "--sign")
    git(cli.cwd, cli.environment, "add", "-f", ".perdure/project.toml", ".perdure/.gitignore")
    git(cli.cwd, cli.environment, "commit", "-q", "-m", "a project")
    return cli


@pytest.fixture
def worked(cli: Cli) -> Cli:
    return committed(cli)


@pytest.fixture
def other(worked: Cli, tmp_path: Path) -> Cli:
    """Another project of the same home."""
    made = Cli(new_repository(tmp_path / "other", worked.environment), {**worked.environment})
    (made.cwd / "other.txt").write_text("other\n")
    git(made.cwd, made.environment, "add", "other.txt")
    git(made.cwd, made.environment, "commit", "-q", "--amend", "-m", "another first one")
    made.ok("init", "--no-client")
    return committed(made)


def cleaned(worked: Cli) -> None:
    git(worked.cwd, worked.environment, "commit", "-q", "-a", "-m", "as a pull brings it")
    git(worked.cwd, worked.environment, "clean", "-q", "-f", "-d", "-x")


def ledger_lost(worked: Cli) -> None:
    for each in (worked.cwd / ".perdure").glob("ledger.db*"):
        each.unlink()


def ledger_damaged(worked: Cli) -> None:
    ledger_lost(worked)
    (worked.cwd / ".perdure" / "ledger.db").write_bytes(b"no ledger at all" * 400)


def ledger_of_another_home(worked: Cli) -> None:
    theirs = Cli(worked.cwd.parent / "theirs", {**worked.environment, "PERDURE_HOME": str(worked.cwd.parent / "away")})
    new_repository(theirs.cwd, theirs.environment)
    theirs.ok("init", "--no-client")
    cleaned(worked)
    shutil.copy(theirs.cwd / ".perdure" / "ledger.db", worked.cwd / ".perdure" / "ledger.db")


def cleaned_without_registry(worked: Cli) -> None:
    cleaned(worked)
    shutil.rmtree(worked.cwd.parent / "home" / "projects")


every_loss = pytest.mark.parametrize(
    "lost", [cleaned, ledger_lost, ledger_damaged, ledger_of_another_home, cleaned_without_registry]
)


@pytest.mark.parametrize("command", ["heal", "init --no-client"])
@pytest.mark.parametrize("to", ["an unknown id", "the id of another project"])
@every_loss
def test_a_pulled_id_and_a_lost_ledger_lose_no_record(
    worked: Cli, other: Cli, command: str, to: str, lost: Callable[[Cli], None]
) -> None:
    known, theirs = id_in(worked.cwd), lines_in(worked.cwd.parent / "home" / "backups" / id_in(other.cwd))
    changed_to(worked.cwd, UNKNOWN if to == "an unknown id" else id_in(other.cwd))
    lost(worked)
    if command != "heal" and lost is ledger_damaged:
        assert "perdure heal" in worked(*command.split(), "--json").error["hint"]
        command = "heal"
    done = worked(*command.split(), "--json")
    assert done.code == 0, done.out + done.err
    assert id_in(worked.cwd) == known
    assert f'put back: id = "{known}"' in json.dumps(done.json, ensure_ascii=False).replace('\\"', '"')
    assert not any("no backup" in each for each in done.json.get("lost", []))
    assert SECRET in worked("export").out
    assert worked.ok("audit", "verify")["whole"]
    assert worked.ok("heal")["whole"]
    assert not (worked.cwd.parent / "home" / "backups" / UNKNOWN).exists()
    assert lines_in(worked.cwd.parent / "home" / "backups" / id_in(other.cwd)) == theirs


def test_an_id_that_was_changed_on_purpose_is_accepted_after_the_record_is_back(worked: Cli) -> None:
    changed_to(worked.cwd, UNKNOWN)
    cleaned(worked)
    worked.ok("heal")
    changed_to(worked.cwd, UNKNOWN)
    assert worked("note", "finding", "x", "--json").error["code"] == "another_project_id"
    worked.ok("audit", "acknowledge", "--because", "both clones are one project")
    worked.ok("note", "finding", "x")
    assert SECRET in worked("export").out
    assert worked.ok("audit", "verify")["whole"]


@pytest.mark.parametrize("to", ["an unknown id", "the id of another project"])
def test_hooks_and_commands_begin_nothing_under_a_pulled_id_and_name_the_heal_that_works(
    worked: Cli, other: Cli, to: str
) -> None:
    known = id_in(worked.cwd)
    changed_to(worked.cwd, UNKNOWN if to == "an unknown id" else id_in(other.cwd))
    cleaned(worked)
    hooks = Hooks(worked)
    told = hooks.told("SessionStart", source="startup")
    assert "perdure heal" in told
    assert known[:8] in told
    hooks("UserPromptSubmit", prompt="hello")
    assert not (worked.cwd / ".perdure" / "ledger.db").exists()
    for command in ("status", "note finding x", "recover"):
        refused = worked(*command.split(), "--json")
        assert (refused.code, refused.error["code"]) == (1, "another_project_id"), command
        assert "perdure heal" in refused.error["hint"]
    verified = worked("audit", "verify", "--json")
    assert verified.code == 1
    assert "A person runs perdure heal in a terminal of their own" in worked("audit", "verify").out
    assert not (worked.cwd / ".perdure" / "ledger.db").exists()
    assert worked.of_a_person().ok("heal")["whole"]
    assert id_in(worked.cwd) == known


def test_an_agent_does_not_heal_under_a_pulled_id(worked: Cli) -> None:
    del worked.environment["PERDURE_INSTANCE"]
    Hooks(worked)("SessionStart", source="startup")  # an agent of this client now asks
    changed_to(worked.cwd, UNKNOWN)
    cleaned(worked)
    for command in ("heal", "init --no-client"):
        refused = worked(*command.split(), "--json")
        assert (refused.code, refused.error["code"]) == (1, "another_project_id"), command
    assert id_in(worked.cwd) == UNKNOWN
    assert not (worked.cwd / ".perdure" / "ledger.db").exists()


def test_a_compacted_session_gets_its_brief_although_nothing_is_recorded_under_a_changed_id(cli: Cli) -> None:
    hooks = Hooks(cli)
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="sell the shop")
    cli.ok("decide", "in spring")
    known = id_in(cli.cwd)
    changed_to(cli.cwd, UNKNOWN)
    told = hooks.told("SessionStart", source="compact")
    assert "this session is not recorded" in told
    assert f'Put back id = "{known}"' in told
    assert "Goal: sell the shop" in told
    assert "in spring" in told


def moved(worked: Cli) -> Cli:
    new = worked.cwd.parent / "moved"
    worked.cwd.rename(new)
    return Cli(new, worked.environment)


def copied(worked: Cli) -> Cli:
    new = worked.cwd.parent / "copied"
    shutil.copytree(worked.cwd, new, symlinks=True)
    return Cli(new, worked.environment)


def without_registry(worked: Cli) -> Cli:
    shutil.rmtree(worked.cwd.parent / "home" / "projects")
    return worked


def in_place(worked: Cli) -> Cli:
    return worked


every_way = pytest.mark.parametrize("way", [moved, copied, without_registry, in_place])


@every_way
def test_a_project_that_names_another_projects_id_writes_nothing_into_its_backup(
    worked: Cli, other: Cli, way: Callable[[Cli], Cli]
) -> None:
    known, kept = id_in(worked.cwd), worked.cwd.parent / "home" / "backups" / id_in(other.cwd)
    theirs = lines_in(kept)
    here = way(worked)
    changed_to(here.cwd, id_in(other.cwd))
    for command in ("note finding x", "heal", "init --no-client", "audit acknowledge --because meant"):
        refused = here(*command.split(), "--json")
        assert (refused.code, refused.error["code"]) == (1, "another_project_id"), command
        assert f'Put back id = "{known}"' in refused.error["hint"]
        assert "acknowledge" not in refused.error["hint"]
    assert known in here("status").out.splitlines()[1]
    assert f'put back id = "{known}"' in here("audit", "verify").out
    assert lines_in(kept) == theirs
    changed_to(here.cwd, known)
    here.ok("note", "finding", "the work goes on")
    assert here.ok("heal")["whole"]
    assert here.ok("audit", "verify")["whole"]
    assert SECRET in here("export").out
    assert lines_in(kept) == theirs
    assert other.ok("audit", "verify")["whole"]


@every_way
def test_an_unknown_id_is_refused_until_a_person_puts_the_known_one_back_or_accepts_it(
    worked: Cli, way: Callable[[Cli], Cli]
) -> None:
    known = id_in(worked.cwd)
    here = way(worked)
    changed_to(here.cwd, UNKNOWN)
    refused = here("note", "finding", "x", "--json")
    assert (refused.code, refused.error["code"]) == (1, "another_project_id")
    assert f'Put back id = "{known}"' in refused.error["hint"]
    assert not (worked.cwd.parent / "home" / "backups" / UNKNOWN).exists()
    first = here("status").out.splitlines()[1]
    assert known[:8] in first
    assert UNKNOWN[:8] in first
    here.ok("audit", "acknowledge", "--because", "it is a project of its own")
    here.ok("note", "finding", "the work goes on")
    assert here.ok("audit", "verify")["whole"]
    assert here.ok("heal")["whole"]
    assert "! " not in here("status").out


def test_a_clone_that_claims_the_id_of_another_repository_is_advised_the_init_that_works(
    worked: Cli, tmp_path: Path
) -> None:
    evil = Cli(new_repository(tmp_path / "evil", worked.environment), {**worked.environment})
    (evil.cwd / "evil.txt").write_text("evil\n")
    git(evil.cwd, evil.environment, "add", "evil.txt")
    git(evil.cwd, evil.environment, "commit", "-q", "--amend", "-m", "an evil first one")
    (evil.cwd / ".perdure").mkdir()
    shutil.copy(worked.cwd / ".perdure" / ".gitignore", evil.cwd / ".perdure" / ".gitignore")
    toml_of(evil.cwd).write_text(toml_of(worked.cwd).read_text())
    evil.environment["PERDURE_INSTANCE"] = "evening"
    for command in ("audit verify", "doctor", "heal --check"):
        said = evil(*command.split()).out
        assert command == "heal --check" or "perdure init." in said, command
        assert "perdure heal" not in said, command
    evil.ok("init", "--no-client")
    assert evil.ok("audit", "verify")["whole"]


# -- without a ledger, and no longer in the folder that the home knows -------------------------------------------------


def renamed_away(worked: Cli) -> Cli:
    """The mark of this home stays in `.perdure`."""
    ledger_lost(worked)
    return moved(worked)


@pytest.mark.parametrize("command", ["heal", "init --no-client"])
@pytest.mark.parametrize("to", ["an unknown id", "the id of another project"])
def test_a_moved_folder_with_a_changed_id_and_a_lost_ledger_loses_no_record(
    worked: Cli, other: Cli, command: str, to: str
) -> None:
    known, kept = id_in(worked.cwd), worked.cwd.parent / "home" / "backups"
    theirs = lines_in(kept / id_in(other.cwd))
    changed_to(worked.cwd, UNKNOWN if to == "an unknown id" else id_in(other.cwd))
    here = renamed_away(worked)
    told = Hooks(here).told("SessionStart", source="startup")
    assert "perdure heal" in told
    assert known[:8] in told
    assert not (here.cwd / ".perdure" / "ledger.db").exists()
    done = here.of_a_person()(*command.split(), "--json")
    assert done.code == 0, done.out + done.err
    assert id_in(here.cwd) == known
    assert SECRET in here("export").out
    assert here.ok("audit", "verify")["whole"]
    here.ok("note", "finding", "in the new place")
    assert here.ok("heal")["whole"]
    assert not (kept / UNKNOWN).exists()
    assert lines_in(kept / id_in(other.cwd)) == theirs


def cloned_and_deleted(worked: Cli) -> Cli:
    git(worked.cwd, worked.environment, "commit", "-q", "-a", "-m", "as a pull brings it")
    new = worked.cwd.parent / "a clone"
    git(worked.cwd, worked.environment, "clone", "-q", str(worked.cwd), str(new))
    shutil.rmtree(worked.cwd)
    return Cli(new, worked.environment)


def cleaned_and_moved(worked: Cli) -> Cli:
    cleaned(worked)
    return moved(worked)


def copied_and_deleted(worked: Cli) -> Cli:
    ledger_lost(worked)
    made = copied(worked)
    shutil.rmtree(worked.cwd)
    return made


def begun_by_hook(here: Cli) -> str:
    return Hooks(here).told("SessionStart", source="startup")


def begun_by_heal(here: Cli) -> str:
    return "\n".join(here.ok("heal")["lost"])


def begun_by_init(here: Cli) -> str:
    return here("init", "--no-client").out


@pytest.mark.parametrize("begun", [begun_by_hook, begun_by_heal, begun_by_init])
@pytest.mark.parametrize("way", [cloned_and_deleted, cleaned_and_moved, copied_and_deleted])
def test_where_a_record_begins_under_a_changed_id_the_one_kept_of_the_repository_is_named_and_can_be_brought_in(
    worked: Cli, begun: Callable[[Cli], str], way: Callable[[Cli], Cli]
) -> None:
    known = id_in(worked.cwd)
    changed_to(worked.cwd, UNKNOWN)
    here = way(worked)
    told = begun(here)
    assert id_in(here.cwd) == UNKNOWN
    command = f"init {shlex.quote(str(here.cwd))} --restore {known[:8]}"
    assert f"perdure {command}" in told
    here.ok("note", "finding", "before anybody read that")
    assert begun_by_heal(here) == "", "said once"
    here.of_a_person().ok(*shlex.split(command), "--no-client")
    assert id_in(here.cwd) == known
    assert SECRET in here("export").out
    assert here.ok("audit", "verify")["whole"]
    here.ok("note", "finding", "the work goes on")
    assert here.ok("heal")["whole"]
    assert any((here.cwd / ".perdure").glob("ledger.db.replaced-*"))


def test_a_record_of_a_repository_that_is_still_there_is_not_offered_to_its_clone(worked: Cli) -> None:
    new = worked.cwd.parent / "a clone"
    git(worked.cwd, worked.environment, "clone", "-q", str(worked.cwd), str(new))
    changed_to(new, UNKNOWN)
    clone = Cli(new, worked.environment)
    assert "--restore" not in begun_by_hook(clone)
    assert clone.ok("audit", "verify")["whole"]


def test_a_record_of_another_repository_that_is_gone_is_not_offered(worked: Cli, other: Cli) -> None:
    shutil.rmtree(other.cwd)
    new = worked.cwd.parent / "a clone"
    git(worked.cwd, worked.environment, "clone", "-q", str(worked.cwd), str(new))
    changed_to(new, UNKNOWN)
    assert "--restore" not in begun_by_hook(Cli(new, worked.environment))


def test_the_start_of_a_session_says_that_it_wrote_the_file_with_the_id_again(worked: Cli) -> None:
    shutil.rmtree(worked.cwd / ".perdure")
    told = Hooks(worked).told("SessionStart", source="startup")
    assert f"{toml_of(worked.cwd)} was gone too and was written again" in told
