"""What a check that ran has proved: tests, a build, a linter, on which work tree (SPEC 10.6).

A run is evidence if its exit status is the check's own and says success, tests also reported at least one passed and
none failed, it concerned all of a suite, and the work tree was the same before it and after it. `recovery/proving.py`
reads the command, `lifecycle/` the report, `place/tree_hash.py` the tree. A run that is not evidence is recorded all
the same, with the reason: it taught something, and calibration counts how tests went.

    record_runs(desk, "pytest -q", Ended(output, succeeded=True, began=…))
"""

from __future__ import annotations

import os
import re

from perdure.actions.attribution import record_event
from perdure.actions.observing import shortened
from perdure.actions.work_folder import folder_of
from perdure.files import read_text
from perdure.lifecycle.report import Report, added, plain_lines
from perdure.lifecycle.reports import report_in
from perdure.model import payload as p
from perdure.model.pattern import compiled_later
from perdure.model.value import replace, value
from perdure.place.tree_hash import tree_of
from perdure.recovery import checks, command_output, containers, proving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.place.tree_hash import Tree
    from perdure.recovery.proving import ProvingCheck

RUNS = 200
"""How many of the latest runs are looked at."""
_NOTES = "NOTES.md"
FAILED = "it failed"
_TASKS = frozenset("make npm pnpm yarn just task mise composer rake invoke poe nox tox turbo lerna nx".split())
"""Programs that print the commands that they run."""

_MOST_LINES = 2000
_SHELL = compiled_later(
    r"""(?:\w+=|(?:cd|set|export|if|for|while|until|env|time|timeout|nice|sudo|xvfb-run|sh|bash|ssh|kubectl|docker
    |docker-compose|podman|nerdctl|uv|poetry|pipenv|hatch|pdm|bundle|source|\.)[ ]).{1,500}\Z""",
    re.X,
)
"""A line that begins as a command in a shell."""


@value
class Ended:
    """A command that ran to its end."""

    output: str
    succeeded: bool
    began: int
    """Nanoseconds since the epoch. If `before` is not known, no file may have changed since."""
    before: str | None = None
    """The work tree's hash before it ran."""
    junit: Report | None = None
    """The report of a JUnit file that it wrote."""
    without: tuple[str, ...] = ()
    """Paths that it was told to write, from the work tree's folder."""


@value
class Recorded:
    """What was recorded of a run: an event's kind and its payload."""

    kind: str
    payload: p.TestRun | p.CheckRun


def current_tree(desk: Desk, without: Sequence[str] = ()) -> Tree | None:
    """The work tree as it is now; None if it cannot be read. A NOTES.md at the root that Perdure writes is not part of
    the work."""
    own = [_NOTES] if desk.setting("notes.tracked") else []
    return tree_of(folder_of(desk), desk.resolved.home, without=[*own, *without])


def record_runs(desk: Desk, command: str, ended: Ended) -> list[Recorded]:
    """Records what the checks in a command showed; nothing if there is none."""
    found = proving.checks_in(command)
    if not found:
        return []
    own = proving.status_is_own(command)
    if own and ended.succeeded:
        found += _shown_by_task(found, ended.output)
    run = _Run(desk, command, ended, own=own)
    tests = [each for each in found if each.purpose == proving.TEST]
    others = {each.purpose: each for each in found if each.purpose != proving.TEST}
    recorded = run.of_tests(tests) if tests else []
    recorded += [each for purpose in others for each in run.of_check([c for c in found if c.purpose == purpose])]
    for each in recorded:
        record_event(desk, each.kind, each.payload)
    return recorded


def _shown_by_task(found: Sequence[ProvingCheck], output: str) -> list[ProvingCheck]:
    """Builds and linters among the commands that a task printed before it ran them. It stops at the first that
    fails."""
    programs = {each.program for each in found}
    shown = command_output.echoed(output) if programs & _TASKS else []
    folders = found[0].folders
    inside = (each for text in shown if proving.status_is_own(text) for each in proving.checks_in(text))
    return [replace(each, folders=folders) for each in inside if each.purpose != proving.TEST and not each.folders]


def _commands_of_task(output: str) -> list[str]:
    """The commands that a task printed before it ran them. `make` puts no sign before them."""
    lines = [line for line in plain_lines(output)[:_MOST_LINES] if _SHELL.match(line) and proving.is_check(line)]
    return list(dict.fromkeys((*command_output.echoed(output), *lines)))


def _why_not_its_report(command: str, tests: Sequence[ProvingCheck], output: str) -> str:
    """Why the output may have another report than that of the tests, or one of only some tests; empty if not. A task
    prints the commands that it runs, unless it was told not to."""
    shown = _commands_of_task(output) if any(each.program in _TASKS for each in tests) else []
    for text in (command, *shown):
        printer = proving.prints_else(text)
        if printer:
            return f"{printer} may have printed the report"
    for text in shown:
        made = [each for each in proving.checks_in(text) if each.purpose == proving.TEST]
        if made and not proving.status_is_own(text):
            return f"its task does not fail if the tests do: {text[:80]}"
        part = next((each.part for each in made if each.part), "")
        if part:
            return f"{part}: {text[:80]}"
    return ""


def _may_be_the_same_tests(earlier: str, program: str) -> bool:
    """Whether an earlier command ran the tests of the same program, or one of the two is a task that may run the
    other's. In a repository of several languages each program has tests of its own."""
    programs = {each.program for each in proving.checks_in(earlier) if each.purpose == proving.TEST}
    return not programs or any(checks.may_be_one(each, program) for each in programs)


class _Run:
    def __init__(self, desk: Desk, command: str, ended: Ended, *, own: bool) -> None:
        self.desk, self.command, self.ended, self.own = desk, shortened(command), ended, own
        self.full_command = command
        self.root = os.path.realpath(folder_of(desk))
        self._tree: tuple[str | None, str] | None = None

    def of_tests(self, tests: Sequence[ProvingCheck]) -> list[Recorded]:
        report = self._report(tests)
        if not self.own and (report is None or not self.ended.succeeded):
            return []  # neither the status nor a report says how the tests went
        counts = report or Report()
        why = self._why_no_tests(tests, report)
        tree, moved = self._tree_unless(why)
        run = p.TestRun(
            command=self.command,
            passed=counts.passed,
            failed=counts.failed,
            errors=counts.errors,
            skipped=counts.skipped,
            outcome=self._outcome(),
            tree=tree,
            whole=not why or None,
            suite=self._suite(tests[0]),
            unit=counts.unit if counts.unit != "tests" else None,
            why=why or moved or None,
        )
        return [Recorded("test.run", run)]

    def of_check(self, several: Sequence[ProvingCheck]) -> list[Recorded]:
        if not self.own:
            return []
        why = "" if self.ended.succeeded else FAILED
        why = why or next((each.part for each in several if each.part), "") or self._why_no_suite(several[0])
        tree, moved = self._tree_unless(why)
        run = p.CheckRun(
            command=self.command,
            purpose=several[0].purpose,
            passed=self.ended.succeeded,
            tree=tree,
            whole=not why or None,
            suite=self._suite(several[0]),
            why=why or moved or None,
        )
        return [Recorded("check.run", run)]

    def _outcome(self) -> str | None:
        if not self.own:
            return None
        return "succeeded" if self.ended.succeeded else "failed"

    def _report(self, tests: Sequence[ProvingCheck]) -> Report | None:
        """If several programs ran tests, each must have reported."""
        if self.ended.junit:
            return self.ended.junit
        found = [report_in(program, self.ended.output) for program in dict.fromkeys(each.program for each in tests)]
        return None if None in found else added(each for each in found if each)

    def _why_no_tests(self, tests: Sequence[ProvingCheck], report: Report | None) -> str:
        """Why the tests are not known to have passed, all of them; empty if they are."""
        if not self.own:
            return "the exit status of the command is not that of the tests alone"
        if not self.ended.succeeded:
            return FAILED
        if report is None:
            return "no report of the tests could be read"
        if not self.ended.junit and (why := _why_not_its_report(self.full_command, tests, self.ended.output)):
            return why
        if not report.is_good:
            return FAILED if report.failed or report.errors else "no test ran"
        return self._why_not_all(tests, report)

    def _why_not_all(self, tests: Sequence[ProvingCheck], report: Report) -> str:
        part = next((each.part for each in tests if each.part), "")
        if part or report.left_out:
            return part or f"{report.left_out} tests were left out"
        return self._why_no_suite(tests[0]) or self._why_too_few(tests[0], report)

    def _why_other_files(self, check: ProvingCheck) -> str:
        """Why the container that it ran in may have other files than the work tree; empty if it has that."""
        mounted, service = check.within.mounted, check.within.service
        if mounted and self.root != os.path.realpath(mounted):
            return f"the container that it ran in has {mounted}, not the folder of the project"
        if not service:
            return ""
        folder = os.path.join(self.root, self._suite(check) or "")
        for name in containers.COMPOSE_FILES:
            text = read_text(os.path.join(folder, name))
            if text is not None:
                if containers.mounts_the_folder(text, service):
                    return ""
                return f"{name} does not mount the project's folder into {service}, so it has files of its own"
        return "it ran in a container, with files of its own"

    def _why_no_suite(self, check: ProvingCheck) -> str:
        why = self._why_other_files(check)
        if why:
            return why
        suite = self._suite(check)
        if suite is None:
            return "the folder that it ran in is not known, or is outside of the project"
        if not proving.is_suite(suite, check.program, lambda path: os.path.exists(os.path.join(self.root, path))):
            return f"it concerns only {suite}"
        return ""

    def _why_too_few(self, check: ProvingCheck, report: Report) -> str:
        most = 0
        for event in self.desk.latest_here(["test.run"], RUNS):
            run = p.read(event, p.TestRun)
            if run is None or not run.whole or run.suite != self._suite(check):
                continue
            if (run.unit or "tests") == report.unit and _may_be_the_same_tests(run.command, check.program):
                most = max(most, run.passed + run.failed + (run.errors or 0) + (run.skipped or 0))
        return f"only {report.total} tests ran; an earlier run had {most}" if 2 * report.total < most else ""

    def _suite(self, check: ProvingCheck) -> str | None:
        """The folder that it ran in, from the work tree's root; None if that is not known. A client may already say
        where the command ended."""
        if check.folders is None or any("$" in each for each in check.folders):
            return None
        here = self.desk.resolved.request.cwd
        there = os.path.join(here, *map(os.path.expanduser, check.folders))
        if not os.path.isdir(there):
            gone_to = os.path.normpath(os.path.join("/", *check.folders))
            there = here if here.endswith(gone_to) else there
        folder = os.path.realpath(there)
        if folder != self.root and not folder.startswith(self.root + os.sep):
            return None
        return "" if folder == self.root else os.path.relpath(folder, self.root)

    def _tree_unless(self, why: str) -> tuple[str | None, str]:
        """A run that failed is bound to its tree too: it takes back what an earlier run on the same tree showed."""
        return self._bound_tree() if why in ("", FAILED) else (None, "")

    def _bound_tree(self) -> tuple[str | None, str]:
        """The tree that the run belongs to; or None, and why there is none."""
        if self._tree is None:
            self._tree = self._look_at_tree()
        return self._tree

    def _look_at_tree(self) -> tuple[str | None, str]:
        tree = current_tree(self.desk)
        if tree is None:
            return None, "the files of the project could not be read"
        same = tree if not self.ended.without else current_tree(self.desk, self.ended.without)
        if same is None or (self.ended.before is not None and same.hash != self.ended.before):
            return None, "files changed while it ran"
        if self.ended.before is None and same.newest > self.ended.began:
            return None, f"{same.newest_path} changed while it ran"
        return tree.hash, ""
