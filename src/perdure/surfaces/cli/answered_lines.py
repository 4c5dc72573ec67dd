"""Lines of JSON that are answered one by one: each answer is written and flushed as soon as it is there, so that a
program can ask, read, and ask again.

    with AnsweredLines() as answers:
        for number, line in lines_of_stdin():
            answers.add({"line": number})

A thread writes, because a program that writes all its lines before it reads would otherwise wait for us while we wait
for it. If the reader goes away, the lines are still carried out, as without it.
"""

from __future__ import annotations

import sys
from queue import SimpleQueue
from threading import Thread

from perdure.files import trouble
from perdure.model.json import compact
from perdure.surfaces.cli.command import LARGEST_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from perdure.model.json import Json


class AnsweredLines:
    def __init__(self) -> None:
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._failure: OSError | None = None
        self._thread = Thread(target=self._write, daemon=True)

    def __enter__(self) -> AnsweredLines:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self._waiting.put(None)
        self._thread.join()
        if self._failure is None or kind is not None:
            return
        if isinstance(self._failure, BrokenPipeError):
            raise self._failure
        raise trouble(self._failure, "standard output")

    def add(self, answer: Json) -> None:
        self._waiting.put(compact(answer).encode() + b"\n")

    def _write(self) -> None:
        while (line := self._waiting.get()) is not None:
            if self._failure is not None:
                continue
            try:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
            except OSError as error:
                self._failure = error


def lines_of_stdin() -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank. Of a line that is too long only the beginning is kept, which is enough to refuse
    it."""
    number = 0
    while line := sys.stdin.buffer.readline(LARGEST_INPUT + 2):
        number += 1
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(LARGEST_INPUT)
        if line.strip():
            yield number, line
