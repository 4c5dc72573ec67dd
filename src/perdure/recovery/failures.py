"""Keeps the failures that were not settled since (SPEC 12.2)."""

from __future__ import annotations

import re

from perdure.model.value import replace, value
from perdure.recovery import checks, commands
from perdure.recovery.checks import CheckScope, Test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from perdure.recovery.simple_commands import SimpleCommand

MOST_FAILURES = 30
MOST_BLAMED = 6
"""Files that a failure names, at most."""
_STOPS_EARLY = re.compile(r"\s(?:-x|--exitfirst|--bail|--maxfail|-failfast|--fail-fast)\b")


@value
class Failure:
    """When it failed, what was run, and what it printed."""

    at: int
    needs: dict[str, CheckScope]
    """The checks, and their scopes, that must succeed before it is settled."""
    what: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    source: str
    tests: tuple[Test, ...] = ()
    """The tests that its output names as failed."""
    ways: tuple[str, ...] = ()
    """Commands that it printed before running them. Running them has the same effect as running it."""
    looked: bool = False
    """Whether the command only looks at something and is not a check, or the shell could not read it."""


class Failures:
    """The open failures by name, the oldest first."""

    def __init__(self) -> None:
        self._open: dict[str, Failure] = {}
        self._open_before_stash: dict[str, Failure] | None = None
        """The failures that were open when the changes were stashed; None if nothing is stashed."""

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._open.values())

    def failed(self, failure: Failure) -> None:
        """Add the failure of a command. It replaces older failures that it repeats."""
        self._open = {key: old for key, old in self._open.items() if not _takes_the_place_of(failure, old)}
        self.opened(failure.what, failure)

    def opened(self, key: str, failure: Failure) -> None:
        self._open.pop(key, None)
        self._open[key] = failure
        while len(self._open) > MOST_FAILURES:
            del self._open[next(iter(self._open))]

    def closed(self, key: str) -> None:
        self._open.pop(key, None)

    def went_well(self, command: str, folder: str = "") -> None:
        if not self._open and self._open_before_stash is None:
            return
        made, shown = checks.made_by(command, folder), commands.as_shown(command)
        for key, failure in list(self._open.items()):
            is_wrapped = failure.what.partition(" ")[2] == shown  # `rtk bun test`, and now `bun test`
            is_done = is_wrapped or _is_settled(failure, made)
            left = {} if is_done else checks.left_of(failure.needs, made, failure.tests)
            if not left:
                del self._open[key]
            elif len(left) < len(failure.needs):
                self._open[key] = replace(failure, needs=left)
        self._mind_the_stash(commands.simple_commands(command))

    def mended(self, kind: str, files: Collection[str]) -> None:
        """A check of this kind succeeded on these files: settle its failure if it blamed no others. It does not say
        whether other tests pass."""
        for key, failure in list(self._open.items()):
            same = failure.needs.keys() == {kind} and not failure.tests and "test" not in checks.purposes_of(kind)
            if same and 0 < len(failure.files) < MOST_BLAMED and set(failure.files) <= set(files):
                del self._open[key]

    def _mind_the_stash(self, simple: Sequence[SimpleCommand]) -> None:
        """When stashed changes come back, reopen what was settled without them: that says nothing about the changes."""
        for each in simple:
            if checks.stashes_changes(each):
                self._open_before_stash = dict(self._open)
            elif checks.restores_stash(each) and self._open_before_stash is not None:
                self._open, self._open_before_stash = {**self._open_before_stash, **self._open}, None


def _is_settled(failure: Failure, made: Mapping[str, CheckScope]) -> bool:
    if checks.passed(failure.tests, made):
        return True
    same = [checks.needed_by(way) for way in failure.ways]
    return bool(same) and not any(checks.left_of(needs, made, failure.tests) for needs in same)


def _takes_the_place_of(newer: Failure, older: Failure) -> bool:
    """Whether the newer failure is the same thing run again, perhaps written differently, on the same scope or more."""
    if newer.what == older.what:
        return newer.needs.keys() >= older.needs.keys()
    if newer.needs.keys() != older.needs.keys() or not set(older.tests) <= {*newer.tests, *_named_in(newer, older)}:
        return False
    return all(kind in newer.needs and _takes_in(newer.needs[kind], scope) for kind, scope in older.needs.items())


def _named_in(newer: Failure, older: Failure) -> Sequence[Test]:
    """The older failure's tests, if the newer run may have run them, too: unless it names tests and stopped early."""
    return () if newer.tests and _STOPS_EARLY.search(newer.what) else older.tests


def _takes_in(newer: CheckScope, older: CheckScope) -> bool:
    """Whether the newer scope contains the older one. A part does not contain everything."""
    return not newer.is_narrower(older) and checks.covers(newer, older)
