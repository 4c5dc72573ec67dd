"""A throw-away project: a temporary folder with its own repository, home of a person and home of Perdure.

    with Trial(environment) as trial:
        trial.begin()                       # as perdure init, without a process
        trial.perdure("note", "finding", "…").code

Of the caller's environment only PATH is passed on.
"""

from __future__ import annotations

import os
import sys
from tempfile import TemporaryDirectory

from perdure.actions import projects
from perdure.actions.request import Request
from perdure.doctor.subprocesses import Ran, run
from perdure.errors import PerdureError, Trouble
from perdure.files import make_folder, write_whole
from perdure.install.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType


class Trial:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._given = environment
        self._box = TemporaryDirectory(prefix="perdure-doctor-", ignore_cleanup_errors=True)
        folder = os.path.realpath(self._box.name)
        self.project, self.person = os.path.join(folder, "project"), os.path.join(folder, "person")
        self.home = os.path.join(self.person, ".perdure")
        """The default for this person. A client's settings file in the project may set another PERDURE_HOME, in place
        of the one in `environment`; Perdure ignores that and takes the default."""

    def __enter__(self) -> Trial:
        make_folder(self.person)
        make_empty_repository(self.project)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._box.cleanup()

    def environment(self, home: str = "") -> dict[str, str]:
        return {
            "PATH": self._given.get("PATH", os.defpath),
            "HOME": self.person,
            "PERDURE_HOME": home or self.home,
            "LANG": "C.UTF-8",
        }

    def perdure(self, *words: str, home: str = "") -> Ran:
        program = [*own_program(self._given), *words]
        return run(program, cwd=self.project, environment=self.environment(home))

    def begin(self, home: str = "") -> None:
        try:
            projects.init(Request(self.project, self.environment(home)), None, None)
        except PerdureError as error:
            raise Trouble("trial_failed", f"A throw-away project could not be made: {error.message}") from error


def own_program(environment: Mapping[str, str]) -> list[str]:
    """The installed `perdure`, otherwise this package."""
    found = Program.find(environment).perdure
    return [found] if found else [sys.executable, "-m", "perdure"]


def make_empty_repository(folder: str) -> None:
    """Writes what git takes for an empty repository. Without one, git would use a repository around the folder."""
    for name in ("objects", "refs"):
        make_folder(os.path.join(folder, ".git", name))
    write_whole(os.path.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n")
