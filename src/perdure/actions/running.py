"""Runs a command for `perdure run` and records what it proved (SPEC 10.6).

The command gets our standard input, and its output is passed on as it comes: through a pseudo-terminal if ours is a
terminal, else through pipes. Signals that would end us go to it. Whatever cannot be recorded is said; the exit code is
the command's all the same.

    run(request, ["pytest", "-q"]).exit_code
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import sys
import time

from perdure.actions import check_runs, tasks
from perdure.actions.attribution import record_event
from perdure.actions.junit_reports import JunitReports
from perdure.actions.observing import shortened
from perdure.actions.wiring import open_desk
from perdure.actions.work_folder import folder_of
from perdure.errors import PerdureError, Refused
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from perdure.actions.check_runs import Ended, Recorded
    from perdure.actions.request import Request
    from perdure.actions.wiring import Desk

_KEPT = 4 << 20
"""Bytes of the output that are kept, from its end, for reading the report."""
_PIECE = 1 << 16
_SILENCE = 0.5
"""Seconds without output after the command's end, then nothing more is expected."""
_LEFT = "what it left running is not waited for; it has no output any more."
NOT_FOUND, NOT_RUNNABLE = 127, 126
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


@value
class RunResult:
    exit_code: int
    told: tuple[str, ...] = ()


def run(request: Request, words: Sequence[str], *, junit: str | None = None, scenario: str | None = None) -> RunResult:
    command = shlex.join(words)
    with open_desk(request) as desk:  # a folder of no project, or a ledger that cannot be used, is said before it runs
        if scenario is not None:
            _refuse_unknown(desk, scenario)
        reports, root = JunitReports(junit), folder_of(desk)
        before = check_runs.current_tree(desk, reports.inside(root))
    began = time.time_ns()
    code, output, left = _execute(words)
    if output is None:
        return RunResult(code, ("it did not start, so nothing is recorded.",))
    try:
        report, said = reports.read()
        ended = check_runs.Ended(
            output=output,
            succeeded=code == 0,
            began=began,
            before=before.hash if before else "",
            junit=report,
            without=reports.inside(root),
        )
        told = _record(request, command, ended, scenario=scenario)
    except PerdureError as error:
        return RunResult(code, (f"this run is not recorded: {error.message} {error.hint}".strip(),))
    return RunResult(code, (*left, *said, *told))


def _refuse_unknown(desk: Desk, scenario: str) -> None:
    """Only a scenario that was written down before can be verified: otherwise any name would count."""
    known = {note.text for note in _scenario_notes(desk)}
    for task in tasks.listed(desk):
        known.update(str(each.get("name")) for each in task.test_scenarios)
    if scenario not in known:
        raise Refused(
            "unknown_scenario",
            f"No scenario {scenario[:60]!r} is written down.",
            hint="perdure note scenario 'NAME' writes one down; perdure task show lists those of a task.",
        )


def _scenario_notes(desk: Desk) -> list[p.Note]:
    found = (p.read(event, p.Note) for event in desk.own_first(["note.scenario"], ALL_EVENTS))
    return [each for each in found if each]


def _record(request: Request, command: str, ended: Ended, *, scenario: str | None) -> list[str]:
    with open_desk(request) as desk:
        outcome = "succeeded" if ended.succeeded else "failed"
        ran = p.CommandRun(command=shortened(command), outcome=outcome, effect="praxic", taught=False)
        record_event(desk, "command.run", ran)
        recorded = check_runs.record_runs(desk, command, ended)
        told = [_words(each) for each in recorded]
        if scenario is not None:
            told.append(_record_scenario(desk, scenario, recorded))
    return told or ["this command is not a check that Perdure knows, so it is not evidence."]


def _record_scenario(desk: Desk, scenario: str, recorded: Sequence[Recorded]) -> str:
    """A scenario is met by a test of it, which may be one of many, if nothing changed meanwhile."""
    runs = [each.payload for each in recorded if isinstance(each.payload, p.TestRun)]
    if not runs:
        return "no test ran, so the scenario is not verified."
    run, tree = runs[0], check_runs.current_tree(desk)
    if run.is_bad:
        record_event(desk, "scenario.missed", p.ScenarioMissed(scenario, tree.hash if tree else None, run.command))
        return "the scenario is not met."
    if not run.is_good or tree is None:
        return "no report of the test could be read, so the scenario is not verified."
    record_event(desk, "scenario.met", p.ScenarioMet(scenario, tree.hash, run.command))
    return "the scenario is met, for the files as they are."


def _words(recorded: Recorded) -> str:
    payload = recorded.payload
    if isinstance(payload, p.TestRun):
        counts = (("passed", payload.passed), ("failed", payload.failed), ("errors", payload.errors or 0))
        said = ", ".join(f"{number} {name}" for name, number in counts if number or name == "passed")
        what = f"tests: {said}"
    else:
        what = f"{payload.purpose}: {'succeeded' if payload.passed else 'failed'}"
    if payload.why is None and payload.tree:
        return f"{what}; evidence for the files as they are."
    return f"{what}; no evidence: {payload.why or 'the files could not be read'}."


# -- running it --------------------------------------------------------------------------------------------------------


def _execute(words: Sequence[str]) -> tuple[int, str | None, tuple[str, ...]]:
    """Its exit code, its output, and what to say; no output if it could not be started."""
    streams = _Streams()
    try:
        child = subprocess.Popen(words, stdout=streams.out, stderr=streams.err, close_fds=True)
    except FileNotFoundError:
        return _not_started(streams, words[0], "there is no such program", code=NOT_FOUND)
    except OSError as error:
        return _not_started(streams, words[0], error.strerror or "it cannot be run", code=NOT_RUNNABLE)
    handlers = _pass_signals(child)
    try:
        output = streams.passed_on(child)
        code = child.wait()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return (128 - code if code < 0 else code), output, (_LEFT,) if streams.are_held else ()


def _not_started(streams: _Streams, name: str, why: str, *, code: int) -> tuple[int, None, tuple[str, ...]]:
    streams.close()
    print(f"perdure: {name}: {why}", file=sys.stderr)
    return code, None, ()


def _pass_signals(child: subprocess.Popen[bytes]) -> dict[signal.Signals, Any]:
    """The terminal sends Ctrl-C to both; we wait for the command to end by it. Other signals are passed on."""
    before: dict[signal.Signals, Any] = {signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None)}
    for number in _PASSED_ON:
        before[number] = signal.signal(number, lambda got, _frame: child.send_signal(got))
    return before


class _Streams:
    """The command's output: passed on as it comes, and its end kept."""

    def __init__(self) -> None:
        self._targets: dict[int, int] = {}
        self._tail = bytearray()
        self.are_held = False
        """Whether something that the command left running still has its output."""
        if os.isatty(1) and os.isatty(2):
            import pty

            reading, writing = pty.openpty()
            _same_size(writing)
            self._targets[reading] = 1
            self.out = self.err = writing
        else:
            self.out, self.err = self._pipe(1), self._pipe(2)

    def _pipe(self, target: int) -> int:
        reading, writing = os.pipe()
        self._targets[reading] = target
        return writing

    def close(self) -> None:
        for each in {self.out, self.err, *self._targets}:
            os.close(each)

    def passed_on(self, child: subprocess.Popen[bytes]) -> str:
        """Passes everything on until the command, and whatever it started, has closed its output. What the command left
        running is not waited for once it is silent: it may be a server."""
        sys.stdout.flush()
        for each in {self.out, self.err}:
            os.close(each)
        with selectors.DefaultSelector() as selector:
            for reading in self._targets:
                selector.register(reading, selectors.EVENT_READ)
            while selector.get_map() and not self.are_held:
                has_ended = child.poll() is not None
                ready = selector.select(_SILENCE)
                self.are_held = has_ended and not ready
                for key, _ in ready:
                    piece = _read(key.fd)
                    if piece:
                        self._take(piece, self._targets[key.fd])
                    else:
                        selector.unregister(key.fd)
                        os.close(key.fd)
        return bytes(self._tail).decode("utf-8", "replace")

    def _take(self, piece: bytes, target: int) -> None:
        self._tail += piece
        if len(self._tail) > 2 * _KEPT:
            del self._tail[:-_KEPT]
        while piece:
            try:
                piece = piece[os.write(target, piece) :]
            except OSError:
                return  # nobody reads it any more; the command goes on


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _PIECE)
    except OSError:  # a pseudo-terminal whose other side is closed
        return b""


def _same_size(descriptor: int) -> None:
    import fcntl
    import termios

    try:
        size = fcntl.ioctl(1, termios.TIOCGWINSZ, b"\0" * 8)
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, size)
    except OSError:
        return
