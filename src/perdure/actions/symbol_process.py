"""Reads the symbols of a file in a process of its own, with a limit of time and memory (docs/adr/0045).

A malicious text can make a grammar hang, or use all memory. One process is started for the first file and serves all
others. If it does not answer in time or dies, it is ended, and that file's symbols are found by its lines alone.

    with SymbolProcess() as process:
        SourceFile("cart.py", text, parse=process.parse)

`python -P -m perdure.actions.symbol_process` is the other side: a line of JSON for each file, and one for each answer.
"""

from __future__ import annotations

import json
import sys

from perdure.grounding.languages import ENDINGS
from perdure.grounding.symbol import Symbol
from perdure.grounding.syntax import SyntaxResult, syntax_symbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen
    from types import TracebackType
    from typing import IO, Any

    from perdure.grounding.languages import Language

PATIENCE = 5.0
"""Seconds for one file."""
MOST_FAILURES = 3
"""After so many, no process is started again: otherwise many malicious files would make us wait for each."""
MOST_MEMORY = 2 << 30
"""Bytes of address space. For a file of 4 MB a grammar needs several hundred MB of memory."""


class SymbolProcess:
    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._process: Popen[bytes] | None = None
        self._failures = 0

    def __enter__(self) -> SymbolProcess:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.end()

    def parse(self, text: str, language: Language) -> SyntaxResult | None:
        """None if the process did not answer in time, or died."""
        if self._failures >= MOST_FAILURES:
            return None
        ending = next(ending for ending, each in ENDINGS.items() if each is language)
        asked = json.dumps([ending, text]).encode() + b"\n"
        answer = self._answer(asked)
        if answer is None:
            self._failures += 1
            self.end()
            return None
        return _read(json.loads(answer))

    def end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream:
                _close(stream)
        process.wait()

    def _answer(self, asked: bytes) -> bytes | None:
        from threading import Timer

        try:
            process = self._process = self._process or _start()
        except OSError:
            return None
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(self._patience, process.kill)
        timer.start()
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            said = process.stdout.readline()
        except OSError:
            return None
        finally:
            timer.cancel()
        return said if said.endswith(b"\n") else None


def _close(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:
        return  # the process is dead, so what was not written to it yet is of no use


def _start() -> Popen[bytes]:
    """With `-P`, Python takes no module from the folder that it is started in."""
    import subprocess

    return subprocess.Popen(
        [sys.executable, "-P", "-m", "perdure.actions.symbol_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _read(answer: Any) -> SyntaxResult | None:
    if answer is None:
        return None
    whole, symbols = answer
    return SyntaxResult(tuple(Symbol(**each) for each in symbols), whole)


# -- the other side --------------------------------------------------------------------------------------------------


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    for line in asked:
        ending, text = json.loads(line)
        found = syntax_symbols(text, ENDINGS[ending])
        said = None if found is None else [found.whole, [symbol.__dict__ for symbol in found.symbols]]
        answers.write(json.dumps(said).encode() + b"\n")
        answers.flush()


def _limit_memory() -> None:
    import resource

    try:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):
        return  # macOS does not know this limit; the limit of time stays


if __name__ == "__main__":
    _limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
