"""The stage: a real client, a real repository, a scripted model. Nothing of this machine's own configuration.

`claude` is the pinned version, `oldest_claude` the oldest supported, `any_claude` one after the other. tests/needs.sh
installs them. Where one is missing its tests are skipped, and say so; with CI=true in the environment they fail.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from perdure.rehearsal.claude_code import Played, RehearsedClient, Running, quiet_home
from perdure.rehearsal.messages import SUMMARY, Choose, Script, ScriptedModel

from ..conftest import new_repository, process_environment
from .terminal import Terminal

CLIENTS = Path(__file__).parents[2] / ".clients"
PINNED, OLDEST = "2.1.325", "2.1.197"


def program(version: str) -> Path:
    found = CLIENTS / version / "claude"
    if not os.access(found, os.X_OK):
        missing = f"claude-code {version} is not installed: run tests/needs.sh"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


WITHOUT_SERVERS = ("--strict-mcp-config",)
"""The client then starts no MCP server that its settings name."""


class Stage:
    """One client in one project. `script` gives it a model; `run`, `start` and `terminal` play it."""

    starts_servers = False
    """Perdure's MCP server takes longer to start than the client itself. tests/clients/test_mcp.py has it started; the
    hooks, which the other tests are about, do not need it."""

    def __init__(self, version: str, project: Path, environment: Mapping[str, str]) -> None:
        self.project = project
        self.home = Path(environment["HOME"])
        self.version = tuple(int(part) for part in version.split("."))
        ours = {name: v for name, v in environment.items() if name.startswith(("PERDURE_", "GIT_"))}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
        self._client = RehearsedClient(program(version), home=self.home, url="", variables={**ours, "PATH": path})
        self._models: list[ScriptedModel] = []

    @property
    def model(self) -> ScriptedModel:
        return self._models[-1]

    @property
    def client(self) -> RehearsedClient:
        return self._client

    def script(
        self, scripts: Script | Mapping[str, Script], *, choose: Choose | None = None, summary: str = SUMMARY
    ) -> ScriptedModel:
        """What the model will say from here on."""
        model = ScriptedModel(scripts, choose=choose, summary=summary)
        self._models.append(model)
        self._client.url = model.url
        return model

    def settings(self, content: Mapping[str, Any], *, file: str = "settings.local.json") -> Path:
        """Writes the project's settings of the client."""
        path = self.project / ".claude" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
        return path

    def run(self, prompt: str = "go", *arguments: str, cwd: Path | None = None, **variables: str) -> Played:
        with self.start(prompt, *arguments, cwd=cwd, **variables) as running:
            return running.finish()

    def start(self, prompt: str = "go", *arguments: str, cwd: Path | None = None, **variables: str) -> Running:
        return self._with(variables).start(prompt, *self._servers, *arguments, cwd=cwd or self.project)

    def terminal(self, *arguments: str, cwd: Path | None = None, **variables: str) -> Terminal:
        where = cwd or self.project
        quiet_home(self.home, where)
        client = self._with(variables)
        return Terminal([str(client.binary), *self._servers, *arguments], client.environment, where)

    @property
    def _servers(self) -> tuple[str, ...]:
        return () if self.starts_servers else WITHOUT_SERVERS

    def _with(self, variables: Mapping[str, str]) -> RehearsedClient:
        known = self._client
        return RehearsedClient(known.binary, home=known.home, url=known.url, variables={**known.variables, **variables})

    def close(self) -> None:
        for model in self._models:
            model.close()


@pytest.fixture
def claude(repository: Path, environment: dict[str, str]) -> Iterator[Stage]:
    yield from _staged(PINNED, repository, environment)


@pytest.fixture
def oldest_claude(repository: Path, environment: dict[str, str]) -> Iterator[Stage]:
    yield from _staged(OLDEST, repository, environment)


@pytest.fixture(params=[PINNED, OLDEST])
def both_claudes(request: pytest.FixtureRequest, repository: Path, environment: dict[str, str]) -> Iterator[Stage]:
    """For what a client decides: whether it asks the guard, obeys it, and shows the model what it is told."""
    yield from _staged(request.param, repository, environment)


@pytest.fixture(params=[PINNED, pytest.param(OLDEST, marks=pytest.mark.long)])
def any_claude(request: pytest.FixtureRequest, repository: Path, environment: dict[str, str]) -> Iterator[Stage]:
    """For what is built on that: the oldest client is tried by `make test-long`."""
    yield from _staged(request.param, repository, environment)


def _staged(version: str, project: Path, environment: Mapping[str, str]) -> Iterator[Stage]:
    stage = Stage(version, project, environment)
    yield stage
    stage.close()


@contextmanager
def stage_for_several(version: str, factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, dict[str, str]]]:
    """A stage for a session that is played once, for several tests that only look at how it went."""
    folder = factory.mktemp("session")
    (folder / "person").mkdir()
    environment = process_environment(folder)
    stage = Stage(version, new_repository(folder / "shop", environment), environment)
    try:
        yield stage, environment
    finally:
        stage.close()


def hook(command: str, *arguments: str, matcher: str = "", **options: Any) -> dict[str, Any]:
    """One entry of a hook event in the client's settings: exec form where arguments are given, else a shell's."""
    handler = {"type": "command", "command": command, **({"args": list(arguments)} if arguments else {}), **options}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


def recording(log: Path, *events: str) -> dict[str, Any]:
    """Hooks that only write down what they are given, one line each; read it with `recorded`."""
    return {event: [hook(sys.executable, "-I", "-S", "-c", RECORD, str(log))] for event in events}


RECORD = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read().replace('\\n', ' ') + '\\n')"


def recorded(log: Path) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
