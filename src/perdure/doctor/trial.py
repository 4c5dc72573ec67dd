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
from perdure.doctor.finding import CheckResult, bad, ok
from perdure.doctor.subprocesses import Ran, run
from perdure.errors import PerdureError, Trouble
from perdure.files import make_folder, write_whole
from perdure.install.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

UNWRITABLE = os.path.join(os.devnull, "perdure")
"""Nothing can be created below a file, not even by root."""
_ASSESSED = ("--know", "0.8", "--uncertainty", "0.2")
SANDBOXED = (
    ("preflight", *_ASSESSED, "--because", "a trial"),
    ("note", "finding", "a trial"),
    ("postflight", *_ASSESSED, "--because", "a trial"),
)


class Trial:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._given = environment
        self._box = TemporaryDirectory(prefix="perdure-doctor-", ignore_cleanup_errors=True)
        folder = os.path.realpath(self._box.name)
        self.project, self.person = os.path.join(folder, "project"), os.path.join(folder, "person")
        self.home = os.path.join(self.person, ".perdure")
        """The default one: a project's settings file may name another, which is ignored and replaces what we name."""

    def __enter__(self) -> Trial:
        make_folder(self.person)
        lay_repository(self.project)
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


def lay_repository(folder: str) -> None:
    """An empty repository, so that none around the temporary folder is used instead."""
    for name in ("objects", "refs"):
        make_folder(os.path.join(folder, ".git", name))
    write_whole(os.path.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n")


def sandboxed(environment: Mapping[str, str]) -> CheckResult:
    """A whole transaction in a shell that cannot write Perdure's home: only the project must be writable (SPEC 3.2)."""
    part, fix = "sandboxed shell", "Make ~/.perdure (PERDURE_HOME) writable for the client's shells."
    with Trial(environment) as trial:
        try:
            trial.begin(home=UNWRITABLE)
        except Trouble as trouble:
            return bad(part, f"if Perdure's home cannot be written: {trouble.message}", fix)
        for words in SANDBOXED:
            ran = trial.perdure(*words, home=UNWRITABLE)
            if ran.code != 0:
                what = f"perdure {words[0]} fails if Perdure's home cannot be written: {ran.said}"
                return bad(part, what, fix)
    return ok(part, "a transaction opens and closes although Perdure's home cannot be written")
