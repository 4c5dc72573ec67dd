"""What went wrong and was not settled since (SPEC 12.2)."""

from __future__ import annotations

from perdure.model.value import replace, value
from perdure.recovery import checks
from perdure.recovery.checks import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 30


@value
class Failure:
    """Since when, what was run, and what it said."""

    at: int
    needs: dict[str, Scope]
    """What must succeed, and on what, before it is settled."""
    what: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    source: str
    tests: tuple[str, ...] = ()
    """Those that it names as failed, where it names them all."""
    looked: bool = False
    """Whether the command would only have looked at something."""


class Failures:
    """Those that are open, by what each is told as; the oldest first."""

    def __init__(self) -> None:
        self._open: dict[str, Failure] = {}

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._open.values())

    def failed(self, failure: Failure) -> None:
        """Of a command. It takes the place of what it tells anew."""
        self._open = {key: old for key, old in self._open.items() if not _takes_the_place_of(failure, old)}
        self.opened(failure.what, failure)

    def opened(self, key: str, failure: Failure) -> None:
        self._open.pop(key, None)
        self._open[key] = failure
        while len(self._open) > MOST:
            del self._open[next(iter(self._open))]

    def closed(self, key: str) -> None:
        self._open.pop(key, None)

    def went_well(self, command: str) -> None:
        made = checks.made_by(command) if self._open else {}
        for key, failure in list(self._open.items()) if made else ():
            left = {} if checks.passed(failure.tests, made) else checks.left_of(failure.needs, made)
            if not left:
                del self._open[key]
            elif len(left) < len(failure.needs):
                self._open[key] = replace(failure, needs=left)


def _takes_the_place_of(newer: Failure, older: Failure) -> bool:
    """The same thing run again, perhaps in other words: about all that the older was about, or about everything."""
    if newer.what == older.what:
        return newer.needs.keys() >= older.needs.keys()
    return all(kind in newer.needs and _takes_in(newer.needs[kind], scope) for kind, scope in older.needs.items())


def _takes_in(newer: Scope, older: Scope) -> bool:
    """What is about everything is not told by what is about a part."""
    narrower = (newer.places and not older.places) or (newer.picks and not older.picks)
    return not narrower and checks.covers(newer, older)
