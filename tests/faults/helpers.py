"""What the fault tests stand on: looking into a project from outside, and starting processes at one moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perdure.ledger.sqlite import SqliteLedger
from perdure.proof.chain import Fault, verified
from tests import preloaded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.model.event import Event
    from tests.conftest import Cli


def events_of(root: Path) -> list[Event]:
    """Every event of every chain, or an assertion where one does not verify."""
    ledger = SqliteLedger(str(root / ".perdure" / "ledger.db"), writable=False)
    try:
        found: list[Event] = []
        for event in verified(ledger.events(), {}):
            assert not isinstance(event, Fault), event
            found.append(event)
        return found
    finally:
        ledger.close()


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def transaction_files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / ".perdure").glob("active_transaction*.json")}


def statuses(root: Path) -> list[str]:
    return [json.loads(content)["status"] for content in transaction_files(root).values()]


def backup_lines(home: Path) -> list[dict[str, Any]]:
    """The lines of all backups there are, chain after chain."""
    files = sorted(home.glob("backups/*/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def assert_whole(cli: Cli, **options: Any) -> None:
    result = cli("heal", "--check", "--json", **options)
    assert result.code == 0, result.out + result.err
    assert all(finding["whole"] for finding in result.json["findings"])
    assert {finding["part"] for finding in result.json["findings"]} == {"ledger", "state", "views", "backup"}


WAIT = """
import os, sys
ready, go = int(sys.argv.pop(1)), int(sys.argv.pop(1))
os.write(ready, b".")
os.close(ready)
os.read(go, 1)
"""
COMMAND_LINE = """
import perdure.surfaces.cli.transitions, perdure.surfaces.cli.transaction, perdure.masking
from perdure.__main__ import main
{wait}
sys.exit(main(sys.argv[1:]))
"""


class Starter:
    """Processes that have done all their imports and then wait for one moment: a pipe that is closed when all wait."""

    def __init__(self) -> None:
        self._ready_read, self._ready = os.pipe()
        self._go, self._go_write = os.pipe()
        self._processes: list[subprocess.Popen[bytes] | preloaded.Started] = []

    def perdure(self, *arguments: str, cwd: Path, env: dict[str, str], input: bytes = b"") -> None:
        self.python(COMMAND_LINE.format(wait=WAIT), *arguments, cwd=cwd, env=env, input=input)

    def python(self, code: str, *arguments: str, cwd: Path, env: dict[str, str], input: bytes = b"") -> None:
        """What it is fed stands in its standard input before it begins."""
        if preloaded.is_possible(env):
            started = preloaded.Started([*arguments], cwd=cwd, env=env, code=code, also=[self._ready, self._go])
            assert started.stdin
            started.stdin.write(input)
            started.stdin.close()
            self._processes.append(started)
            return
        feed_read, feed_write = os.pipe()
        os.write(feed_write, input)
        os.close(feed_write)
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(self._ready), str(self._go), *arguments],
            cwd=cwd,
            env=env,
            stdin=feed_read,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[self._ready, self._go],
        )
        os.close(feed_read)
        self._processes.append(process)

    def wait_until_all_are_ready(self) -> None:
        os.close(self._ready)
        waiting = b""
        while len(waiting) < len(self._processes):
            said = os.read(self._ready_read, 100)
            assert said, [process.communicate() for process in self._processes]
            waiting += said
        os.close(self._ready_read)
        self._ready = -1

    def go(self, timeout: float = 60) -> list[tuple[int, str, str]]:
        if self._ready >= 0:
            self.wait_until_all_are_ready()
        self.release()
        return self.results(timeout)

    def release(self) -> None:
        os.close(self._go_write)
        os.close(self._go)

    def is_running(self) -> bool:
        return any(process.poll() is None for process in self._processes)

    def wait_a_moment(self) -> None:
        """Until all are done, or each waits for somebody else: half a second is long for what they have to do."""
        deadline = time.monotonic() + 0.5
        while time.monotonic() < deadline and self.is_running():
            time.sleep(0.005)

    def results(self, timeout: float = 60) -> list[tuple[int, str, str]]:
        results = []
        for process in self._processes:
            out, err = process.communicate(timeout=timeout)
            results.append((process.returncode, out.decode(), err.decode()))
        return results


def wait_until(true: Callable[[], bool], what: str, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"waited {seconds} s: {what}"
        time.sleep(0.005)
