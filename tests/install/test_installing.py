"""init and uninstall as a person runs them: what is changed, what is kept, and that all of it comes back (SPEC 6.1)."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perdure.install import claude_code, exclude, program
from perdure.install.claude_code import EVENTS, RULES
from perdure.install.installer import InstallContext
from tests.conftest import Cli, git, new_repository
from tests.surfaces.looking import assert_error, assert_said_to_a_person

ODD = (
    b'\xef\xbb\xbf{ "$schema" : "https://example.org/s.json",\r\n\t"env":{"A":"\\u0041","k\xc3\xa4se":"1"},'
    b'\r\n  "hooks"  : { "PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./mine.sh"}]} ] ,'
    b'\r\n\r\n "SessionStart" : [ ]},\r\n\t"big": 123456789012345678901234567890, "small":1.10e-300,'
    b'"a":1,"a":2,\r\n\t"permissions": {\t"allow":["Bash(ls)"   ], "deny": []},\r\n\t"list": [1,\r\n2 ]  }  \r\n\r\n'
)
STATUS = (
    b'{"statusLine":{"padding" :0,"type":"command", "command": "cat | m\\u0079line --x \\"y\\"","refreshInterval":5},'
    b'"z":{}}'
)


@pytest.fixture
def shop(repository: Path, environment: dict[str, str]) -> Cli:
    """A repository, no project yet, on a machine that has Claude Code."""
    (Path(environment["HOME"]) / ".claude").mkdir()
    return Cli(repository, environment)


def settings(cli: Cli, scope: str = "local") -> Path:
    if scope == "user":
        return Path(cli.environment["HOME"]) / ".claude" / "settings.json"
    return cli.cwd / ".claude" / ("settings.local.json" if scope == "local" else "settings.json")


def put(path: Path, content: bytes) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return content


def tree(folder: Path) -> dict[str, bytes]:
    """Every file and folder but Perdure's record and git's own."""
    skipped = (".perdure", "objects", "logs")
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
        if not any(part in skipped for part in path.parts)
    }


def ours(path: Path) -> dict[str, list[Any]]:
    """Event → our handlers."""
    hooks = json.loads(path.read_bytes().decode("utf-8-sig"))["hooks"]
    return {
        event: found
        for event, groups in hooks.items()
        if (found := [h for group in groups for h in group["hooks"] if "perdure" in json.dumps(h)])
    }


def context(cli: Cli) -> InstallContext:
    return InstallContext.at(str(cli.cwd), cli.environment)


def lose_record(cli: Cli) -> None:
    home = Path(cli.environment["PERDURE_HOME"])
    (home / "installed.json").unlink(missing_ok=True)
    shutil.rmtree(home / "installed", ignore_errors=True)


# -- in and out ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["local", "project", "user"])
@pytest.mark.parametrize("content", [None, b"{}", b"{ }\n", ODD, STATUS, b'{"a":1}', b'{\n    "hooks": {}\n}'])
def test_everything_is_as_it_was_after_uninstall(shop: Cli, scope: str, content: bytes | None) -> None:
    if content is not None:
        put(settings(shop, scope), content)
        settings(shop, scope).chmod(0o640)
    before = tree(shop.cwd), tree(Path(shop.environment["HOME"]))
    installed = shop.ok("init", "--scope", scope, "--allow")
    assert installed["clients"][0]["scope"] == scope
    assert list(ours(settings(shop, scope))) == list(EVENTS) or content == ODD
    assert set(ours(settings(shop, scope))) == set(EVENTS)
    if content is not None:
        assert stat.S_IMODE(settings(shop, scope).stat().st_mode) == 0o640
    between = tree(shop.cwd), tree(Path(shop.environment["HOME"]))
    again = shop.ok("init")
    assert again["clients"][0] == {"client": "claude-code", "scope": scope, "changed": [], "notes": []}
    assert (tree(shop.cwd), tree(Path(shop.environment["HOME"]))) == between
    gone = shop.ok("uninstall")
    assert {change["path"] for change in gone["clients"][0]["changed"]} >= {str(settings(shop, scope))}
    assert (tree(shop.cwd), tree(Path(shop.environment["HOME"]))) == before
    assert gone["record"] == str(shop.cwd / ".perdure")
    assert (shop.cwd / ".perdure" / "ledger.db").exists()
    assert shop.ok("uninstall")["clients"] == []


@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_without_the_record_ours_is_still_found(shop: Cli, scope: str) -> None:
    put(settings(shop, scope), ODD)
    shop.ok("init", "--scope", scope)
    lose_record(shop)
    shop.ok("uninstall")
    left = settings(shop, scope).read_bytes()
    assert b"perdure" not in left
    assert json.loads(left.decode("utf-8-sig"))["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == "./mine.sh"
    assert list(shop.cwd.rglob("SKILL.md")) == list(shop.cwd.rglob("perdure.sh")) == []


def test_a_record_that_cannot_be_read_is_as_good_as_lost(shop: Cli) -> None:
    shop.ok("init")
    (record,) = (Path(shop.environment["PERDURE_HOME"]) / "installed").iterdir()
    record.write_text('{"installed": [{"client": 1}, "x"]}')
    shop.ok("init")
    shop.ok("uninstall")
    assert json.loads(settings(shop).read_text()) == {}


def test_rules_whose_record_is_lost_are_left_and_that_is_said(shop: Cli) -> None:
    shop.ok("init", "--allow")
    lose_record(shop)
    (client,) = shop.ok("uninstall")["clients"]
    assert "rules" in client["notes"][0]
    assert json.loads(settings(shop).read_text()) == {"permissions": {"allow": list(RULES)}}


def test_a_moved_project_takes_its_record_along(shop: Cli, tmp_path: Path) -> None:
    shop.ok("init")
    moved = Cli(tmp_path / "elsewhere", shop.environment)
    shop.cwd.rename(moved.cwd)
    moved.ok("uninstall")
    assert not (moved.cwd / ".claude").exists()


def test_purge_deletes_the_record_only_on_a_persons_word(shop: Cli) -> None:
    shop.ok("init")
    shop.ok("preflight", "--know", "0.8", "--uncertainty", "0.2")
    assert_error(shop("uninstall", "--purge", "--json"), 1, kind="not_confirmed")
    assert_said_to_a_person(shop("uninstall", "--purge"), 1, "--yes")
    assert settings(shop).exists()
    purged = shop.ok("uninstall", "--purge", "--yes")
    assert (purged["record"], purged["purged"]) == (None, str(shop.cwd / ".perdure"))
    assert Path(purged["backup"]).is_dir()
    shop.ok("init")
    told = shop("uninstall", "--purge", "--yes").out
    command = told.partition("to delete that too:\n")[2].splitlines()[0]
    subprocess.run(["sh", "-c", command], check=True)
    assert not Path(purged["backup"]).exists()
    assert not (shop.cwd / ".perdure").exists()
    assert not (shop.cwd / ".claude").exists()
    assert_error(shop("status", "--json"), 1, kind="no_project")
    assert_error(shop("uninstall", "--purge", "--yes", "--json"), 1, kind="no_project")
    assert_error(shop("uninstall", "--purge", "--scope", "user", "--json"), 2, kind="usage")


# -- what others have there ----------------------------------------------------------------------------------------


def test_hooks_of_others_stay_in_the_same_event_and_matcher(shop: Cli) -> None:
    theirs = {"matcher": claude_code.NOT_A_READER, "hooks": [{"type": "command", "command": "theirs"}]}
    put(settings(shop), json.dumps({"hooks": {"PreToolUse": [theirs], "Notification": [theirs]}}).encode())
    shop.ok("init")
    hooks = json.loads(settings(shop).read_text())["hooks"]
    assert hooks["Notification"] == [theirs]
    assert hooks["PreToolUse"][0] == theirs
    assert len(hooks["PreToolUse"]) == 2


@pytest.mark.parametrize("content", [b"{'a': 1}", b'{"a": 1,}', b"", b'{"hooks": []}', b"// x\n{}", b"\xff\xfe{\0}\0"])
@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_a_settings_file_that_is_not_usable_is_refused_before_anything_is_made(
    shop: Cli, scope: str, content: bytes
) -> None:
    put(settings(shop, scope), content)
    before = tree(shop.cwd), tree(Path(shop.environment["HOME"]))
    error = assert_error(shop("init", "--scope", scope, "--json"), 1, str(settings(shop, scope)))
    assert error["code"] in ("settings_not_json", "settings_odd")
    assert (tree(shop.cwd), tree(Path(shop.environment["HOME"]))) == before
    assert not (shop.cwd / ".perdure").exists()
    shop.ok("init", "--no-client")
    assert (tree(shop.cwd), tree(Path(shop.environment["HOME"]))) == before


def test_a_broken_file_of_another_scope_is_nothing_to_us(shop: Cli) -> None:
    put(settings(shop, "user"), b"{oops")
    shop.ok("init")
    shop.ok("uninstall")
    assert settings(shop, "user").read_bytes() == b"{oops"


def test_a_file_in_which_ours_stands_and_that_is_broken_since_is_not_touched(shop: Cli) -> None:
    shop.ok("init")
    broken = put(settings(shop), settings(shop).read_bytes() + b"}")
    assert_error(shop("uninstall", "--json"), 1, kind="settings_not_json")
    assert settings(shop).read_bytes() == broken


def test_a_skill_that_was_edited_is_the_persons(shop: Cli) -> None:
    shop.ok("init")
    (skill,) = shop.cwd.rglob("SKILL.md")
    skill.write_text(skill.read_text() + "Mine.\n")
    (client,) = shop.ok("init")["clients"]
    assert "edited by hand" in client["notes"][0]
    shop.ok("uninstall")
    assert skill.read_text().endswith("Mine.\n")


def test_an_older_skill_of_ours_is_replaced(shop: Cli) -> None:
    from perdure.install.digest_line import with_digest_line

    shop.ok("init")
    (skill,) = shop.cwd.rglob("SKILL.md")
    new = skill.read_text()
    skill.write_text(with_digest_line("an older text\n", "<!-- {} -->"))
    shop.ok("init")
    assert skill.read_text() == new


# -- the status line -----------------------------------------------------------------------------------------------


def status_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())["statusLine"]
    return found


def test_a_status_line_in_the_same_file_goes_on_beside_ours(shop: Cli) -> None:
    put(settings(shop), STATUS)
    shop.ok("init")
    line = status_of(settings(shop))
    assert (line["padding"], line["refreshInterval"]) == (0, 5)
    assert shlex.split(line["command"])[-2:] == ["statusLine", 'cat | myline --x "y"']
    shop.ok("init")
    assert status_of(settings(shop)) == line
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == STATUS


@pytest.mark.parametrize("again", [True, False])
def test_without_the_record_it_is_put_back_from_our_own_command(shop: Cli, again: bool) -> None:
    put(settings(shop), STATUS)
    shop.ok("init")
    lose_record(shop)
    if again:
        shop.ok("init")
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == STATUS.replace(b"m\\u0079line", b"myline"), "as it means, not as it was typed"


@pytest.mark.parametrize("lower", ["project", "user"])
@pytest.mark.parametrize("lost", [True, False])
def test_a_status_line_below_is_taken_along_and_left_where_it_is(shop: Cli, lower: str, lost: bool) -> None:
    put(settings(shop, lower), STATUS)
    shop.ok("init")
    line = status_of(settings(shop))
    assert shlex.split(line["command"])[-1] == 'cat | myline --x "y"'
    assert (line["padding"], line["refreshInterval"]) == (0, 5)
    changed = put(settings(shop, lower), STATUS.replace(b"--x", b"--new").replace(b":5", b":7"))
    shop.ok("init")
    line = status_of(settings(shop))
    assert shlex.split(line["command"])[-1] == 'cat | myline --new "y"', "the person changed theirs"
    assert line["refreshInterval"] == 7
    if lost:
        lose_record(shop)
    shop.ok("uninstall")
    assert settings(shop, lower).read_bytes() == changed
    assert not settings(shop).exists() or json.loads(settings(shop).read_text()) == {}


@pytest.mark.parametrize("theirs", [{"type": "prompt"}, {"command": "x"}, "x", {"type": "command"}, None])
def test_a_status_line_that_is_not_a_command_is_left_alone(shop: Cli, theirs: Any) -> None:
    before = put(settings(shop), json.dumps({"statusLine": theirs}).encode())
    (client,) = shop.ok("init")["clients"]
    assert "status line" in client["notes"][0]
    assert json.loads(settings(shop).read_text())["statusLine"] == theirs
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == before


def test_for_a_whole_project_the_status_line_stays_local(shop: Cli) -> None:
    put(settings(shop, "user"), STATUS)
    shop.ok("init", "--scope", "project")
    assert "statusLine" not in json.loads(settings(shop, "project").read_text())
    of_this_machine = {"statusLine", "env"} if claude_code.can_contain() else {"statusLine"}
    assert set(json.loads(settings(shop).read_text())) == of_this_machine
    committed = settings(shop, "project").read_text() + (shop.cwd / ".claude/hooks/perdure.sh").read_text()
    for private in (str(shop.cwd), shop.environment["HOME"], sys.executable, sys.prefix):
        assert private not in committed
    assert os.access(shop.cwd / ".claude/hooks/perdure.sh", os.X_OK)


def test_a_program_for_shells_that_the_person_uses_stays(shop: Cli) -> None:
    mine = {"env": {"CLAUDE_CODE_SHELL_PREFIX": "/usr/bin/mine", "OTHER": "1"}}
    put(settings(shop), json.dumps(mine).encode())
    (client,) = shop.ok("init")["clients"]
    assert json.loads(settings(shop).read_text())["env"] == mine["env"]
    assert any("CLAUDE_CODE_SHELL_PREFIX" in note for note in client["notes"])
    shop.ok("uninstall")
    assert json.loads(settings(shop).read_text()) == mine


def test_other_variables_stay_beside_the_program_for_shells(shop: Cli) -> None:
    put(settings(shop), b'{"env": {"OTHER": "1"}}')
    shop.ok("init")
    assert "CLAUDE_CODE_SHELL_PREFIX" in json.loads(settings(shop).read_text())["env"] or not claude_code.can_contain()
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == b'{"env": {"OTHER": "1"}}'


# -- permissions, scopes, clients ----------------------------------------------------------------------------------


def test_rules_are_added_only_when_asked_for_and_only_those_are_taken_out(shop: Cli) -> None:
    mine = ["Bash(ls)", RULES[0], "Edit"]
    put(settings(shop), json.dumps({"permissions": {"allow": mine}}).encode())
    shop.ok("init")
    assert json.loads(settings(shop).read_text())["permissions"]["allow"] == mine
    shop.ok("init", "--allow")
    shop.ok("init", "--allow")
    assert json.loads(settings(shop).read_text())["permissions"]["allow"] == [*mine, *RULES[1:]]
    shop.ok("init")
    shop.ok("uninstall")
    assert json.loads(settings(shop).read_text())["permissions"]["allow"] == mine


def test_a_project_is_installed_in_one_scope(shop: Cli) -> None:
    shop.ok("init", "--scope", "user")
    before = tree(shop.cwd)
    error = assert_error(shop("init", "--scope", "local", "--json"), 1, "user", kind="installed_elsewhere")
    assert "perdure uninstall --scope user" in error["hint"]
    assert tree(shop.cwd) == before
    assert shop.ok("init")["clients"][0]["scope"] == "user"
    shop.ok("uninstall", "--scope", "user")
    assert shop.ok("init")["clients"][0]["scope"] == "local"


def test_a_clone_of_a_project_that_has_it_committed_keeps_that_scope(shop: Cli, tmp_path: Path) -> None:
    shop.ok("init", "--scope", "project")
    git(shop.cwd, shop.environment, "add", ".claude", ".perdure", ".mcp.json")
    git(shop.cwd, shop.environment, "commit", "-qm", "perdure")
    git(tmp_path, shop.environment, "clone", "-q", str(shop.cwd), "clone")
    clone = Cli(tmp_path / "clone", shop.environment)
    (client,) = clone.ok("init")["clients"]
    assert client["scope"] == "project"
    assert git(clone.cwd, shop.environment, "status", "--short") == ""
    assert set(ours(settings(clone, "project"))) == set(EVENTS)
    assert "hooks" not in json.loads(settings(clone).read_text())
    clone.ok("uninstall")
    left = git(clone.cwd, shop.environment, "status", "--short").split()
    own = {".claude/hooks/perdure.sh", ".claude/settings.json", ".claude/skills/perdure/SKILL.md", ".mcp.json"}
    assert set(left[1::2]) == own


def test_a_client_is_found_by_its_folder_or_its_program(cli: Cli, tmp_path: Path) -> None:
    def there(**variables: str) -> list[str]:
        found = claude_code.is_found(
            InstallContext.at(str(cli.cwd), {**cli.environment, "PATH": "/nowhere", **variables})
        )
        return ["claude-code"] if found else []

    assert there() == []
    (tmp_path / "config").mkdir()
    assert there(CLAUDE_CONFIG_DIR=str(tmp_path / "config")) == ["claude-code"]
    (tmp_path / "config" / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "config" / "claude").chmod(0o755)
    assert there(PATH=str(tmp_path / "config")) == ["claude-code"]
    (Path(cli.environment["HOME"]) / ".claude").mkdir()
    assert there() == ["claude-code"]


def test_a_client_that_is_not_found_is_installed_for_only_when_named(cli: Cli) -> None:
    assert cli.ok("init")["clients"] == []
    assert not (cli.cwd / ".claude").exists()
    assert cli.ok("init", "--client", "claude-code")["clients"][0]["changed"]
    assert_error(cli("init", "--client", "emacs", "--json"), 2, "emacs", kind="usage")
    assert_error(cli("init", "--client", "claude-code", "--no-client", "--json"), 2, kind="usage")


def test_another_folder_for_the_clients_settings_is_honoured(shop: Cli, tmp_path: Path) -> None:
    shop.environment["CLAUDE_CONFIG_DIR"] = str(tmp_path / "config")
    shop.ok("init", "--client", "claude-code", "--scope", "user")
    assert set(ours(tmp_path / "config" / "settings.json")) == set(EVENTS)
    assert (tmp_path / "config" / "skills" / "perdure" / "SKILL.md").exists()
    assert not settings(shop, "user").exists()
    shop.ok("uninstall")
    assert not (tmp_path / "config").exists()


def test_from_a_linked_work_tree_the_main_one_is_installed(shop: Cli, tmp_path: Path) -> None:
    """The client looks there, also from a linked one."""
    git(shop.cwd, shop.environment, "worktree", "add", "-q", str(tmp_path / "linked"))
    shop.ok("init", cwd=tmp_path / "linked")
    assert set(ours(settings(shop))) == set(EVENTS)
    assert not (tmp_path / "linked" / ".claude").exists()
    shop.ok("uninstall", cwd=tmp_path / "linked")
    assert not settings(shop).exists()


def test_a_plain_folder_can_be_installed_too(shop: Cli, tmp_path: Path) -> None:
    (tmp_path / "plain" / "below").mkdir(parents=True)
    shop.ok("init", str(tmp_path / "plain"))
    assert set(ours(tmp_path / "plain" / ".claude" / "settings.local.json")) == set(EVENTS)
    shop.ok("uninstall", cwd=tmp_path / "plain" / "below")
    assert not (tmp_path / "plain" / ".claude").exists()


# -- git -----------------------------------------------------------------------------------------------------------


def test_a_local_installation_does_not_show_in_git_status(shop: Cli) -> None:
    shop.ok("init", "--no-client")
    before = git(shop.cwd, shop.environment, "status", "--short", "-uall")
    shop.ok("init")
    assert git(shop.cwd, shop.environment, "status", "--short", "-uall") == before


def test_exclude_lines_come_out_as_they_went_in(shop: Cli) -> None:
    for content in (b"", b"no end", b"\xef\xbb\xbf*.o\r\n\r\n!x", None):
        path = shop.cwd / ".git" / "info" / "exclude"
        if content is None:
            shutil.rmtree(path.parent)
        else:
            path.write_bytes(content)
        shop.ok("init")
        assert b"/.claude/settings.local.json\n" in path.read_bytes()
        assert git(shop.cwd, shop.environment, "status", "--short", ".claude") == ""
        shop.ok("uninstall")
        assert (path.read_bytes() if path.exists() else None) == content
    assert exclude.without_lines(exclude.BEGIN + "cut off") == exclude.BEGIN + "cut off"


def test_what_git_ignores_already_is_not_excluded_again(shop: Cli) -> None:
    (shop.cwd / ".gitignore").write_text(".claude/\n")
    before = (shop.cwd / ".git" / "info" / "exclude").read_bytes()
    shop.ok("init")
    assert (shop.cwd / ".git" / "info" / "exclude").read_bytes() == before


def test_a_settings_file_that_git_tracks_is_said_to_show(shop: Cli) -> None:
    put(settings(shop), b"{}\n")
    git(shop.cwd, shop.environment, "add", "-f", ".claude")
    git(shop.cwd, shop.environment, "commit", "-qm", "x")
    assert "tracked by git" in shop.ok("init")["clients"][0]["notes"][0]


# -- disks, links, others at the same time -------------------------------------------------------------------------


def test_a_link_stays_and_what_it_points_to_is_written(shop: Cli, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "settings.json"
    before = put(target, ODD)
    settings(shop, "user").symlink_to(target)
    shop.ok("init", "--scope", "user")
    assert settings(shop, "user").is_symlink()
    assert set(ours(target)) == set(EVENTS)
    shop.ok("uninstall")
    assert settings(shop, "user").is_symlink()
    assert target.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_half_done(shop: Cli, tmp_path: Path) -> None:
    before = put(settings(shop), STATUS)
    for folder in (tmp_path, shop.cwd, Path(shop.environment["HOME"])):
        folder.chmod(0o755)
    as_nobody = []
    if os.geteuid() == 0:
        for path in [shop.cwd, *shop.cwd.rglob("*"), Path(shop.environment["HOME"]), tmp_path]:
            os.chown(path, 65534, 65534)
        as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    (shop.cwd / ".claude").chmod(0o555)
    try:
        done = subprocess.run(
            [*as_nobody, *shop.command("init", "--json")],
            cwd=shop.cwd,
            env=shop.environment,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        (shop.cwd / ".claude").chmod(0o755)
    if done.returncode == 1 and "No module" in done.stderr:
        pytest.skip("another user cannot read this checkout")
    assert done.returncode == 3, done
    assert json.loads(done.stdout)["error"]["code"] == "read_only"
    assert settings(shop).read_bytes() == before
    assert sorted(path.name for path in (shop.cwd / ".claude").iterdir()) == ["settings.local.json"]


def test_many_at_once_install_once(shop: Cli) -> None:
    put(settings(shop), ODD)
    shop.ok("init", "--no-client")
    running = [
        subprocess.Popen(shop.command("init", "--json"), cwd=shop.cwd, env=shop.environment, stdout=subprocess.PIPE)
        for _ in range(6)
    ]
    answers = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    assert [process.returncode for process in running] == [0] * 6
    assert sum(bool(answer["clients"][0]["changed"]) for answer in answers) == 1
    assert {event: len(found) for event, found in ours(settings(shop)).items()} == dict.fromkeys(EVENTS, 1)
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == ODD


def test_what_another_program_writes_meanwhile_is_not_lost(shop: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from perdure.install import person_files
    from perdure.install.installer import InstallOptions, carry_out

    shop.ok("init", "--no-client")
    path = settings(shop)
    put(path, b"{}")
    real, meddled = person_files._refuse_changed, []

    def meddle(where: str, before: str | None) -> None:
        if where == str(path) and not meddled:
            meddled.append(path.write_bytes(b'{"theirs": 1}'))
        real(where, before)

    monkeypatch.setattr(person_files, "_refuse_changed", meddle)
    wish = InstallOptions("local", program.Program.find(shop.environment))
    done = carry_out(context(shop), "local", lambda: claude_code.plan(context(shop), wish))
    assert json.loads(path.read_text())["theirs"] == 1
    assert set(ours(path)) == set(EVENTS)
    assert len(done.changes) == (5 if claude_code.can_contain() else 4)
    assert list(path.parent.glob("*.tmp")) == []


# -- a person at a terminal ----------------------------------------------------------------------------------------


def at_a_terminal(cli: Cli, answer: str, *words: str) -> tuple[int, str]:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cli.cwd)
        os.execve(sys.executable, cli.command(*words), {**cli.environment, "NO_COLOR": "1", "TERM": "dumb"})
    seen, asked, deadline = b"", False, time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 65536) or b""
            except OSError:
                break
            if not asked and (b"[Y/n]" in seen or b"[y/N]" in seen):
                os.write(terminal, answer.encode())
                asked = True
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode().replace("\r\n", "\n")


def test_a_person_is_shown_what_will_change_and_asked_once(shop: Cli) -> None:
    code, seen = at_a_terminal(shop, "\n", "init")
    assert (code, seen.count("[Y/n]")) == (0, 1)
    assert set(ours(settings(shop))) == set(EVENTS)
    code, seen = at_a_terminal(shop, "", "init")
    assert "[Y/n]" not in seen, "there is nothing to ask about"
    assert "nothing changed" in seen


def test_a_no_at_init_leaves_nothing_behind(shop: Cli) -> None:
    places = [shop.cwd, Path(shop.environment["HOME"]), Path(shop.environment["PERDURE_HOME"])]
    before = [sorted(place.rglob("*")) for place in places]
    code, seen = at_a_terminal(shop, "n\n", "init")
    assert (code, seen.count("[Y/n]")) == (1, 1)
    assert "settings.local.json" in seen
    assert "Nothing was made or changed." in seen
    assert [sorted(place.rglob("*")) for place in places] == before
    assert "perdure init --no-client" in seen
    shop.ok("init", "--no-client")


def test_init_says_that_prompts_are_recorded_and_where(shop: Cli) -> None:
    home = shop.environment["PERDURE_HOME"]
    for told in (" ".join(at_a_terminal(shop, "n\n", "init")[1].split()), " ".join(shop("init").out.split())):
        assert "Perdure records your prompts and what the agent reads, edits and runs" in told
        assert f"{shop.cwd}/.perdure" in told
        assert f"{home}/backups" in told
    assert "perdure uninstall ends that" in told
    assert "records your prompts" not in shop("init").out, "it was told"


def test_yes_does_not_ask(shop: Cli) -> None:
    code, seen = at_a_terminal(shop, "", "init", "--yes")
    assert (code, "[Y/n]" in seen) == (0, False)
    assert settings(shop).exists()


def test_purge_asks_and_no_is_the_default(shop: Cli) -> None:
    shop.ok("init")
    assert at_a_terminal(shop, "\n", "uninstall", "--purge")[0] == 1
    assert settings(shop).exists()
    assert at_a_terminal(shop, "y\n", "uninstall", "--purge")[0] == 0
    assert not (shop.cwd / ".perdure").exists()


def test_it_is_said_that_no_client_was_found_and_how_to_add_one_later(cli: Cli) -> None:
    told = "no client was found: run perdure init again once you have one"
    assert told in at_a_terminal(cli, "", "init")[1]
    said = cli("init").out
    assert told in said
    assert "perdure init --client claude-code" in said
    assert told not in cli("init", "--no-client").out, "it was not looked for"
    assert "created" in cli("init", "--client", "claude-code").out


# -- what stands there, for the doctor -----------------------------------------------------------------------------


def test_inspect_tells_what_is_registered_where(shop: Cli) -> None:
    assert claude_code.inspect(context(shop)) == ()
    shop.ok("init")
    put(settings(shop, "user"), b'{"model": "opus"}')
    put(settings(shop, "project"), b"{oops")
    local, project, user = claude_code.inspect(context(shop))
    assert (local.scope, local.path, local.missing, local.status_line) == ("local", str(settings(shop)), (), True)
    assert [hook.event for hook in local.hooks] == list(EVENTS)
    assert [hook.event for hook in local.hooks if hook.blocks_on_failure] == ["PreToolUse"]
    assert all(hook.missing == () and os.path.isabs(hook.interpreter) for hook in local.hooks)
    assert (project.hooks, "line 1" in project.problem) == ((), True)
    assert (user.hooks, user.missing) == ((), tuple(EVENTS))


def test_inspect_names_an_interpreter_or_a_folder_that_is_gone(shop: Cli) -> None:
    shop.ok("init")
    text = settings(shop).read_text()
    real = json.loads(text)["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    source = program.Program.find(shop.environment).paths[0]
    settings(shop).write_text(text.replace(real, "/gone/python").replace(f"['{source}'", "['/gone/source'"))
    (local,) = claude_code.inspect(context(shop))
    assert {hook.missing for hook in local.hooks} == {("/gone/python", "/gone/source")}
    shop.ok("init")
    assert settings(shop).read_text() == text, "init mends it"


def test_inspect_of_a_portable_installation(shop: Cli) -> None:
    shop.ok("init", "--scope", "project")
    found = {each.scope: each for each in claude_code.inspect(context(shop))}
    assert found["project"].missing == ()
    assert {hook.interpreter for hook in found["project"].hooks} == {"sh"}
    assert (found["local"].status_line, found["local"].hooks) == (True, ())


def test_two_projects_of_one_person_share_one_installation(
    shop: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    other = Cli(new_repository(tmp_path / "outreach", environment), environment)
    shop.ok("init", "--scope", "user")
    before = settings(shop, "user").read_bytes()
    assert other.ok("init")["clients"][0] == {"client": "claude-code", "scope": "user", "changed": [], "notes": []}
    assert settings(shop, "user").read_bytes() == before
    assert not (other.cwd / ".claude").exists()


def test_a_hook_or_status_line_that_only_speaks_of_ours_is_the_persons(shop: Cli) -> None:
    theirs = {
        "hooks": {
            "PreToolUse": [
                {"hooks": [{"type": "command", "command": "shellcheck .claude/hooks/perdure.sh"}]},
                {"hooks": [{"type": "command", "command": "grep", "args": ["perdure.surfaces.hooks", "x"]}]},
            ]
        },
        "statusLine": {"type": "command", "command": "echo perdure.surfaces.hooks"},
    }
    before = json.dumps(theirs).encode()
    put(settings(shop), before)
    shop.ok("init")
    after = json.loads(settings(shop).read_bytes())
    assert after["hooks"]["PreToolUse"][:2] == theirs["hooks"]["PreToolUse"]
    assert after["statusLine"]["command"].endswith("'echo perdure.surfaces.hooks'")
    shop.ok("uninstall")
    assert settings(shop).read_bytes() == before


def test_settings_that_are_a_folder_are_refused(shop: Cli) -> None:
    settings(shop).mkdir(parents=True)
    assert_error(shop("init", "--json"), 1, kind="settings_odd")


def test_what_an_interrupted_init_left_half_written_goes_with_the_next(shop: Cli) -> None:
    shop.ok("init")
    left = settings(shop).with_name("settings.local.json.999999999.abcd1234.tmp")
    left.write_text("half")
    foreign = settings(shop).with_name("theirs.999999999.abcd1234.tmp")
    foreign.write_text("theirs")
    shop.ok("uninstall")
    assert not left.exists()
    assert foreign.exists()
