"""CONTRIBUTING's recipe "Add a client", carried out: a made-up client works from its hooks to the ledger, is installed,
and is examined. Its adapter, its installer and its examiner are the three files beside this one; nothing else is made
or changed but one line of the registry."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from perdure import clients

from ..conftest import Cli, Result, git
from . import made_up_client, made_up_examiner, made_up_installer

ROOT = Path(__file__).parents[2]
SESSION = "b3d7cc0e-b758-4183-bd32-9004b19feb73"
REGISTER = "clients.Registered(programs=('made-up',), adapter='tests.surfaces.made_up_client')"
FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")


class MadeUp:
    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        paths = [str(ROOT / "src"), str(ROOT)]
        self.code = f"import sys; sys.path += {paths!r}; from perdure import clients; "
        self.code += f"clients.REGISTERED['made-up'] = {REGISTER}; from perdure.surfaces.hooks import run; "
        self.code += "run(sys.argv[1:], '/opt/perdure/bin/perdure')"

    def __call__(self, event: str, client: str = "made-up", **given: Any) -> Result:
        fields = {"session": SESSION, "folder": self.cli.cwd, **given}
        done = subprocess.run(
            [os.path.realpath(sys.executable), "-I", "-S", "-c", self.code, "--client", client, event],
            input="".join(f"{name}={content}\n" for name, content in fields.items()),
            cwd=self.cli.cwd,
            env=self.cli.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def recorded(self) -> list[tuple[str, str, dict[str, Any]]]:
        found = [json.loads(line) for line in self.cli("export").out.splitlines()]
        return [(each["kind"], each["actor"], each["payload"]) for each in found]


@pytest.fixture
def made_up(cli: Cli) -> MadeUp:
    return MadeUp(cli)


def test_its_hooks_reach_the_gate_and_the_ledger(made_up: MadeUp) -> None:
    assert made_up("hello").out.startswith("told session start: ")
    denied = made_up("may-i", tool="do", line="touch b")
    assert (denied.code, denied.err) == (0, "")
    assert denied.out.startswith("no: ")
    assert "touch creates or changes it" in denied.out
    assert made_up("may-i", tool="do", line="ls | head -3").out == ""
    assert made_up("may-i", tool="peek", at="readme.txt").out == ""
    assert made_up("may-i", tool="put", at="readme.txt").out.startswith("no: ")

    made_up.cli.ok("preflight", *FLAGS)
    assert made_up("may-i", tool="put", at="readme.txt").out == ""
    assert made_up("may-i", tool="something else").out == "", "open: what is not known may run"
    made_up("typed", words="go on with it")
    made_up("did", tool="put", at="new.txt", new="yes")
    made_up("did", tool="peek", at="readme.txt")
    made_up("could-not", tool="do", line="make", error="no rule")
    made_up("bye")

    recorded = made_up.recorded()
    assert ("file.created", "made-up") in [(kind, actor) for kind, actor, _ in recorded]
    assert ("file.read", "made-up") in [(kind, actor) for kind, actor, _ in recorded]
    (ran,) = [payload for kind, _, payload in recorded if kind == "command.run"]
    assert (ran["command"], ran["outcome"], ran["effect"], ran["error"]) == ("make", "failed", "praxic", "no rule")
    started = [payload for kind, _, payload in recorded if kind == "session.started"]
    assert "made-up" in [each.get("client") for each in started]


def test_a_tool_it_does_not_name_counts_as_one_that_changes_things(made_up: MadeUp) -> None:
    assert made_up("may-i", tool="peer", at="readme.txt").out.startswith("no: ")


def test_what_it_cannot_parse_is_denied_in_its_own_words(made_up: MadeUp) -> None:
    denied = made_up("may-i", tool="do", line="ls\nnothing here")
    assert denied.out.startswith("no: ")
    assert "a failure of the guard" in denied.out


@pytest.mark.parametrize("name", ["nobody", "gemini", "", "codex"])
def test_a_client_whose_hooks_are_not_known_is_denied(made_up: MadeUp, name: str) -> None:
    """Nobody knows its words: it is denied in those that several clients understand."""
    denied = made_up("may-i", client=name, tool="do", line="ls")
    assert denied.code == 0
    assert denied.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "claude-code, made-up" in denied.json["hookSpecificOutput"]["permissionDecisionReason"]
    assert "claude-code, made-up" in denied.err


PORTS = {
    "adapter": [("clients/port.py", "Client")],
    "installer": [("install/installer.py", "Installer")],
    "examiner": [("doctor/examine.py", "Examiner")],
}


def asked_for(file: str, protocol: str) -> set[str]:
    """The names that a protocol lists, read from the source: it exists only for mypy."""
    tree = ast.parse((ROOT / "src" / "perdure" / file).read_text())
    (found,) = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == protocol]
    methods = {each.name for each in found.body if isinstance(each, ast.FunctionDef)}
    return methods | {ast.unparse(each.target) for each in found.body if isinstance(each, ast.AnnAssign)}


@pytest.mark.parametrize("facet", PORTS)
def test_every_registered_client_has_what_the_port_asks_for(facet: str) -> None:
    made_up = {"adapter": made_up_client, "installer": made_up_installer, "examiner": made_up_examiner}
    checked = {"made-up": made_up[facet], **clients.modules(facet)}
    assert set(checked) == {"made-up", *(name for name, each in clients.REGISTERED.items() if getattr(each, facet))}
    for name, module in checked.items():
        ports = PORTS[facet]
        if facet == "adapter":
            assert name == module.NAME
            assert module.TOOLS
            if hasattr(module, "parse_payload"):
                ports = [*ports, ("clients/port.py", "HookClient")]
        asked = set().union(*(asked_for(*port) for port in ports))
        assert asked
        assert asked - set(dir(module)) == set(), name


# -- installed and examined, on a copy of the source -----------------------------------------------------------------

MADE = {"client": "clients", "installer": "install", "examiner": "doctor"}
"""Which file becomes `made_up.py` in which room, by the end of its name here."""
LINE = """\
    "made-up": Registered(
        programs=("made-up",),
        adapter="perdure.clients.made_up",
        settings=SettingsFiles(folder=".made-up", names=("hooks.json", "hooks.local.json"), script="perdure.sh"),
        installer="perdure.install.made_up",
        examiner="perdure.doctor.made_up",
        variables=("MADE_UP_",),
        mark="MADE_UP_CLIENT",
        own_folders=(".made-up/sessions",),
    ),
"""


class Installed:
    """The program with the made-up client in it, and the client: it runs what stands in its settings."""

    def __init__(self, cli: Cli, copy: Path) -> None:
        self.cli, self.copy = cli, copy

    @property
    def local(self) -> Path:
        return self.cli.cwd / ".made-up" / "hooks.local.json"

    def runs(self, event: str, *, settings: Path | None = None, path: str = "", **given: Any) -> Result:
        words = json.loads((settings or self.local).read_text())[event]
        fields = {"session": SESSION, "folder": self.cli.cwd, **given}
        done = subprocess.run(
            words,
            input="".join(f"{name}={content}\n" for name, content in fields.items()),
            cwd=self.cli.cwd,
            env={**self.cli.environment, "PATH": path or self.cli.environment["PATH"]},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source in which the recipe is carried out."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src" / "perdure", copy / "perdure", ignore=shutil.ignore_patterns("__pycache__"))
    for name, room in MADE.items():
        text = (Path(__file__).parent / f"made_up_{name}.py").read_text()
        for other, there in MADE.items():
            text = text.replace(f"tests.surfaces import made_up_{other}", f"perdure.{there} import made_up")
        (copy / "perdure" / room / "made_up.py").write_text(text)
    registry = copy / "perdure" / "clients" / "__init__.py"
    before, opening, after = registry.read_text().partition("REGISTERED: dict[str, Registered] = {\n")
    registry.write_text(before + opening + LINE + after)
    return copy


@pytest.fixture
def installed(copy: Path, repository: Path, environment: dict[str, str]) -> Installed:
    return Installed(Cli(repository, {**environment, "PYTHONPATH": str(copy), "PERDURE_INSTANCE": "left"}), copy)


def test_the_recipe_shows_the_line_of_the_registry() -> None:
    assert LINE in (ROOT / "CONTRIBUTING.md").read_text()


def test_its_guard_denies_in_its_own_words_as_it_is_registered(installed: Installed) -> None:
    installed.cli.ok("init", "--client", "made-up")
    denied = installed.runs("may-i", tool="do", line="touch b")
    assert (denied.code, denied.err) == (0, "")
    assert denied.out.startswith("no: Perdure: denied")
    assert installed.runs("may-i", tool="do", line="ls").out == ""
    assert installed.runs("hello").out.startswith("told session start: ")
    installed.cli.ok("preflight", *FLAGS)
    assert installed.runs("may-i", tool="do", line="touch b").out == ""


@pytest.mark.parametrize("name", ["hooks.json", "hooks.local.json", "perdure.sh"])
def test_it_may_not_change_its_own_settings(installed: Installed, name: str) -> None:
    installed.cli.ok("init", "--client", "made-up")
    installed.cli.ok("preflight", *FLAGS)
    denied = installed.runs("may-i", tool="put", at=f"{installed.cli.cwd}/.made-up/{name}")
    assert denied.out.startswith("no: Perdure: denied")


def test_a_guard_that_cannot_be_loaded_denies_in_its_own_words(installed: Installed) -> None:
    installed.cli.ok("init", "--client", "made-up")
    installed.local.write_text(installed.local.read_text().replace(str(installed.copy), "/nowhere"))
    denied = installed.runs("may-i", tool="do", line="ls")
    assert (denied.code, denied.err) == (0, "")
    assert denied.out.startswith("no: Perdure guards this project, but its program cannot be loaded from ")
    assert "every tool call that the guard is asked about is denied" in denied.out
    assert str(installed.local) in denied.out
    assert denied.out.count("\n") == 1
    assert installed.runs("did", tool="put", at="b").code == 1


def test_its_committed_script_denies_in_its_own_words_where_perdure_is_missing(installed: Installed) -> None:
    installed.cli.ok("init", "--client", "made-up", "--scope", "project")
    shared = installed.local.with_name("hooks.json")
    assert json.loads(shared.read_text())["may-i"] == ["sh", ".made-up/perdure.sh", "may-i"]
    bare = installed.cli.cwd.parent / "bare"
    bare.mkdir()
    (bare / "sh").symlink_to("/bin/sh")
    assert installed.runs("hello", settings=shared, path=str(bare)).out.startswith(
        "warned session start: Perdure is not"
    )
    assert installed.runs("may-i", settings=shared, path=str(bare), tool="do", line="ls").out == ""
    (installed.cli.cwd / ".perdure" / "config.toml").write_text("[gate]\nrequired = true\n")
    denied = installed.runs("may-i", settings=shared, path=str(bare), tool="do", line="ls")
    assert (denied.code, denied.err) == (0, "")
    assert denied.out.startswith("no: Perdure is not installed here")
    (installed.cli.cwd / ".perdure" / "config.toml").unlink()
    fake = bare / "perdure"
    fake.write_text('#!/bin/sh\necho "$@"\n')
    fake.chmod(0o755)
    assert installed.runs("may-i", settings=shared, path=str(bare)).out == "hook --client made-up may-i\n"
    assert installed.cli("uninstall", "--yes").code == 0
    assert list(installed.local.parent.iterdir()) == []


def test_status_heal_and_doctor_see_whether_its_guard_is_registered(installed: Installed) -> None:
    cli = installed.cli
    cli.ok("init", "--client", "made-up")
    assert cli.ok("status")["warnings"] == []
    assert cli.ok("doctor", "--client", "made-up")["guards_live"] is True
    assert "made-up --no-hooks" in cli("doctor", "--help").out
    before = installed.local.read_text()

    git(cli.cwd, cli.environment, "clean", "-fdxq", ".made-up")
    assert "the guard is no longer registered in" in cli.ok("status")["warnings"][0]
    assert cli("doctor", "--client", "made-up", "--json").json["clients"][0]["inert"] == "no guard is registered"
    assert cli.ok("heal")["whole"]
    assert installed.local.read_text() == before
    assert cli.ok("status")["warnings"] == []


def test_settings_that_are_not_json_are_refused_and_reported(installed: Installed) -> None:
    installed.cli.ok("init", "--client", "made-up")
    installed.local.write_text("{,}")
    refused = installed.cli("init", "--client", "made-up", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "settings_not_json")
    assert "is not JSON" in installed.cli("doctor", "--client", "made-up", "--json").json["clients"][0]["inert"]
    assert installed.local.read_text() == "{,}"


def test_the_doctor_does_not_run_what_somebody_else_registered(installed: Installed) -> None:
    installed.cli.ok("init", "--client", "made-up")
    content = json.loads(installed.local.read_text())
    content["may-i"][4] = "from perdure.surfaces.hooks import run\nopen('ran', 'w')"
    installed.local.write_text(json.dumps(content))
    said = installed.cli("doctor", "--client", "made-up", "--json")
    assert "it is not what perdure init writes" in said.json["clients"][0]["inert"]
    assert not (installed.cli.cwd / "ran").exists()


def test_uninstall_leaves_the_persons_own_hooks(installed: Installed) -> None:
    installed.local.parent.mkdir()
    mine = '{"mine":  ["date"]}\n'
    installed.local.write_text(mine)
    installed.cli.ok("init", "--client", "made-up")
    assert {"mine", "may-i"} < set(json.loads(installed.local.read_text()))
    assert installed.cli("uninstall", "--yes").code == 0
    assert installed.local.read_text() == mine


def test_beside_another_client_only_what_is_missing_is_restored(installed: Installed) -> None:
    cli = installed.cli
    cli.ok("init", "--client", "made-up", "--client", "claude-code")
    settings = cli.cwd / ".claude" / "settings.local.json"
    settings.unlink()
    (warning,) = cli.ok("status")["warnings"]
    assert str(settings) in warning
    mended = cli.ok("heal")["mended"]
    assert [each for each in mended if "made-up" in each] == []
    assert [each for each in mended if "claude-code" in each]
    assert cli.ok("status")["warnings"] == []
