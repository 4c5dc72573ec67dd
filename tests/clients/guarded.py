"""A stage with Perdure installed, as a person would install it, and the scripts that several tests play."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from perdure.rehearsal.messages import Turn, call

from ..conftest import Cli
from .conftest import Stage

ALLOWED = ("--allowedTools", "Bash", "Edit", "Write", "Read", "Agent")
PREFLIGHT = "perdure preflight --know 0.8 --uncertainty 0.2 --because 'read it'"
POSTFLIGHT = "perdure postflight --know 0.9 --uncertainty 0.1 --because 'done'"


def bash(command: str) -> Turn:
    return call("Bash", command=command)


class Guarded:
    """`perdure init` was run in the stage's project; `cli` is the person's own shell there."""

    def __init__(self, stage: Stage, environment: dict[str, str], *flags: str) -> None:
        self.stage = stage
        self.environment = environment
        self.cli = Cli(stage.project, environment)
        self.cli.ok("init", "--client", "claude-code", "--yes", *flags)

    @property
    def project(self) -> Path:
        return self.stage.project

    def made(self, name: str) -> bool:
        return (self.project / name).exists()

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.cli("export").out.splitlines()]
        return [event for event in found if event["kind"] in kinds]


def install_from_a_copy(stage: Stage, environment: dict[str, str], folder: Path) -> Path:
    """Perdure installed from a package of its own, which a test can then break."""
    import shutil

    source = Path(__file__).parents[2] / "src" / "perdure"
    package = folder / "perdure"
    shutil.copytree(source, package)  # with what Python compiled, so that the copy need not be
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from perdure.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), "init", "--client", "claude-code", "--yes"],
        env=environment,
        cwd=stage.project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    assert str(folder) in (stage.project / ".claude" / "settings.local.json").read_text()
    return package


def is_open(guarded: Guarded) -> bool:
    return any(os.scandir(guarded.project / ".perdure")) and bool(guarded.cli("transaction", "list", "--open").out)
