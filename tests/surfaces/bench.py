"""A client whose tool calls are judged; `conftest.py` has the fixtures."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from perdure.gate import policy
from tests.conftest import Cli
from tests.surfaces.test_hooks import Hooks

SESSION = "s-1"
UNSURE = ("--know", "0.3", "--uncertainty", "0.6", "--because", "not read yet")
SURE = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it")
REMEDY = "To clear it: "


class Bench:
    """A client in a project, its agent's shell, and the tool call that is judged."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        self.hooks = Hooks(cli)
        self.environment: dict[str, str] = {}
        self.moved_to: Path | None = None
        self.call: Callable[[], str] = lambda: self.bash("touch b")
        self.hooks("SessionStart", session=SESSION, source="startup")

    @property
    def project(self) -> Path:
        return self.cli.cwd

    @property
    def records(self) -> Path:
        return self.project / ".perdure"

    def bash(self, command: str, **given: str) -> str:
        return self.hooks.bash(command, session=SESSION, env=self.environment, **given)

    def edit(self, path: Path) -> str:
        return self.hooks.denial("Edit", session=SESSION, tool_input={"file_path": str(path)})

    def stand_in(self, folder: Path) -> None:
        self.cli = Cli(folder, self.cli.environment)
        self.hooks = Hooks(self.cli)

    def read_something(self) -> None:
        path = str(self.project / "readme.txt")
        self.hooks("PostToolUse", session=SESSION, tool_name="Read", tool_input={"file_path": path}, tool_response={})

    def do(self, remedy: str) -> None:
        """As the agent would: numbers and words are its own, and PATH is where it knows the project to be."""
        words = shlex.split(remedy.partition(f" ({policy.YOUR_OWN})")[0])
        assert words[0] == "perdure", remedy
        for flag, number in (("--know", "0.8"), ("--uncertainty", "0.2")):
            if flag in words:
                words[words.index(flag) + 1] = number
        own = {"PATH": str(self.moved_to), "…": "it was read"}
        words = [own.get(word, word) for word in words]
        assert self.bash(shlex.join(words)) == "", "the way out is never blocked"
        done = self.cli(*words[1:])
        assert done.code == 0, (words, done)
