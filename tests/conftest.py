"""Every test has a home of its own; none can touch the real one, or see the terminal it runs in."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import projects
from perdure.actions.request import Request
from perdure.place import repository as git_of_a_place

from . import effort, preloaded

MEMORY = "/dev/shm"
ROOM = 4 << 30
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "COVERAGE_PROCESS_START")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Tests write to memory where there is room for it: Perdure waits for the disk at each append, and the tests make
    tens of thousands. `--basetemp` names another folder, and keeps it."""
    effort.is_full = config.option.markexpr == "long"
    is_worker = hasattr(config, "workerinput")
    if is_worker or config.option.basetemp or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ROOM:
        return
    folder = tempfile.mkdtemp(prefix="perdure-tests-", dir=MEMORY)
    config.option.basetemp = os.path.join(folder, "t")
    config.add_cleanup(lambda: _remove(folder))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What `make test` tries a part of, `make test-long` tries as a whole."""
    if effort.is_full:
        for item in items:
            if item.get_closest_marker("sampled"):
                item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """More than twenty thousand tests are collected, and all stay to the end: Python need not look through them for
    garbage, neither while they are collected nor at each of its rounds during the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _remove(folder: str) -> None:
    """Tests leave folders that nobody may write to. Programs do this in a third of the time that Python takes."""
    subprocess.run(["chmod", "-R", "u+rwX", folder], stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL, check=False)


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json["error"]
        return found


_numbers = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own, which looks through the folders of all tests before this one for a number that is free."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}{next(_numbers)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture(autouse=True)
def _as_the_only_test(tmp_path: Path) -> Iterator[None]:
    """In-process code that looks for the person's home finds a temporary one, and no trace of this terminal. One
    fixture for all that each test needs: with twenty thousand tests each fixture takes seconds.

    A hook that runs beside the client ignores SIGTERM for the rest of its process; here that is the tests' own process,
    and what they start later would inherit it."""
    Cli.is_forked = True
    terminate = signal.getsignal(signal.SIGTERM)
    removed = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(_OF_THIS_TERMINAL)}
    home = os.environ.get("HOME")
    os.environ.update(HOME=f"{tmp_path}/person", PERDURE_HOME=f"{tmp_path}/home")
    os.mkdir(f"{tmp_path}/person")
    yield
    signal.signal(signal.SIGTERM, terminate)
    for name in ("HOME", "PERDURE_HOME"):
        os.environ.pop(name, None)
    os.environ.update({**removed, **({} if home is None else {"HOME": home})})


_OF_THIS_TERMINAL = ("PERDURE_", "TMUX", "CLAUDE", "GIT_")


@pytest.fixture(autouse=True, scope="session")
def _children_take_every_signal() -> Iterator[None]:
    """`nohup make test &` starts the tests with signals ignored. What they start would inherit that, and an interrupt
    that a test sends would do nothing. With a handler that does nothing the tests still ignore it, and a program that
    they start begins with the default."""
    ignored = [each for each in (signal.SIGINT, signal.SIGQUIT) if signal.getsignal(each) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda *_: None)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def ignoring(number: signal.Signals) -> Iterator[None]:
    """What is started within begins with this signal ignored."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


def without_clients(path: str) -> str:
    """A client that is on this machine is not there for a test: `perdure init` would install for it."""
    return os.pathsep.join(part for part in path.split(os.pathsep) if not os.path.exists(os.path.join(part, "claude")))


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return process_environment(tmp_path)


def process_environment(folder: Path) -> dict[str, str]:
    """What a process of Perdure's gets: a path, a home in this folder, and who commits."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {
        **kept,
        "PATH": without_clients(kept.get("PATH", os.defpath)),
        "HOME": str(folder / "person"),
        "PERDURE_HOME": str(folder / "home"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "t",
        "GIT_AUTHOR_EMAIL": "t@example.org",
        "GIT_COMMITTER_NAME": "t",
        "GIT_COMMITTER_EMAIL": "t@example.org",
    }


class Cli:
    """The program as a person runs it: a process of its own."""

    is_forked = True
    """False, for the rest of a test: commands are started by the tests' own process, as others that a test starts."""
    seeing: int | None = None
    """A process whose disks a forked command sees; None: the tests' own."""

    def __init__(self, cwd: Path, environment: dict[str, str]) -> None:
        self.cwd = cwd
        self.environment = environment

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "perdure", *arguments]

    def __call__(
        self,
        *arguments: str,
        input: str | bytes | None = None,
        cwd: Path | None = None,
        timeout: float = 60,
        **variables: str,
    ) -> Result:
        given = (input.encode() if isinstance(input, str) else input) or b""
        folder, env, command = cwd or self.cwd, {**self.environment, **variables}, self.command(*arguments)
        is_ours = command[:3] == [sys.executable, "-m", "perdure"]
        if self.is_forked and is_ours and preloaded.is_possible(env):
            done = preloaded.run(command[3:], cwd=folder, env=env, input=given, timeout=timeout, seeing=self.seeing)
        else:
            done = subprocess.run(
                command, input=given, cwd=folder, env=env, capture_output=True, timeout=timeout, check=False
            )
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def of_a_person(self) -> Cli:
        """The program in a terminal that no client started: another process than the one that starts the hooks, and no
        instance named."""
        without = {name: text for name, text in self.environment.items() if name != "PERDURE_INSTANCE"}
        person = Cli(self.cwd, without)
        person.is_forked = False
        return person

    def ok(self, *arguments: str, **options: Any) -> Any:
        """The JSON answer of a command that must succeed."""
        flags = () if "-" in arguments else ("--json",)
        result = self(*arguments, *flags, **options)
        assert result.code == 0, (arguments, result)
        return result.json


def git(folder: Path, environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-C", str(folder), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


_first_of_each_name: list[Path] = []
"""The folder of the repositories that `new_repository` copies."""


@pytest.fixture(autouse=True, scope="session")
def _folder_for_repositories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    _first_of_each_name.append(tmp_path_factory.mktemp("repositories"))
    yield
    _first_of_each_name.clear()


def new_repository(folder: Path, environment: dict[str, str]) -> Path:
    """With one commit. Those of one name are copies of the first: git is started for that one only."""
    folder.mkdir(parents=True)
    made = _first_of_each_name[0] / folder.name
    if not made.exists():
        made.mkdir()
        (made / "readme.txt").write_text(f"{folder.name}\n")
        git(made, environment, "init", "-q")
        shutil.rmtree(made / ".git" / "hooks", ignore_errors=True)  # only samples, and each would be copied each time
        git(made, environment, "add", ".")
        git(made, environment, "commit", "-q", "-m", f"first of {folder.name}")
    shutil.copytree(made, folder, symlinks=True, dirs_exist_ok=True)  # with the times that git's index has
    return folder


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Path:
    return new_repository(tmp_path / "shop", environment)


@pytest.fixture
def cli(repository: Path, environment: dict[str, str]) -> Cli:
    """In a repository that is a project. `perdure init` has tests of its own; its action, called here, does the same in
    a fifth of the time."""
    with _git_answers_as_in_the_first(repository):
        projects.init(Request(str(repository), environment), None, None)
    return Cli(repository, environment)


_answers: dict[tuple[str, ...], str | None] = {}
"""What git said about the first repository of a name, by that name and the question."""


@contextmanager
def _git_answers_as_in_the_first(copy: Path) -> Iterator[None]:
    """Git is not asked again what it said about the repository that this one is a copy of, byte for byte."""
    asked = git_of_a_place.answer

    def remembered(folder: str, *arguments: str, seconds: float = 60) -> str | None:
        if folder != os.path.realpath(copy):
            return asked(folder, *arguments, seconds=seconds)
        question = (copy.name, *arguments)
        if question not in _answers:
            _answers[question] = asked(folder, *arguments, seconds=seconds)
        return _answers[question]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(git_of_a_place, "answer", remembered)
        yield


ASSESSMENT = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read the code"}


def assessment(**vectors: float) -> str:
    return json.dumps({"vectors": {**ASSESSMENT["vectors"], **vectors}, "reasoning": "read the code"})  # type: ignore[dict-item]
