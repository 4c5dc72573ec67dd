"""`make bench` has a row for each number of the contract (SPEC 18), and the rows about the ledger's length run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench import __main__ as bench
from bench import scale
from bench.next_calls import Named, calls_after, calls_before, counted

from tests.conftest import without_clients

ROOT = Path(__file__).parent.parent
ROWS = {
    "gate process, simple and compound command": "hook.processes",
    "added to a Bash call by the jail": "hook.shells",
    "added to a Bash call in the real client": "hook.in_the_client",
    "perdure status": "processes.against_interpreter",
    "durable append against raw sqlite3": "append.against_raw",
    "append to 1,000,000 events against 1,000": "by_length",
    "8 processes": "writers.eight_at_once",
    "verify chain and tree": "by_length",
    "level 1 recovery": "by_length",
    "search over 100,000 decisions": "recall.search",
    "brief from a 20 MB transcript": "recall.brief_of_a_long_transcript",
    "memory of a hook process": "hook.processes",
    "64 processes": "scale.sixty_four_writers",
    "redact, import, heal --check, doctor": "scale.by_what_is_concerned",
}
"""What the contract names, and what measures it."""


@pytest.mark.parametrize("what", ROWS)
def test_each_number_of_the_contract_is_measured(what: str) -> None:
    measured = Path(str(bench.__file__)).read_text(encoding="utf-8")
    room, _, name = ROWS[what].rpartition(".")
    assert f"*shown({ROWS[what]}(folder" in measured
    assert callable(getattr(getattr(bench, room) if room else bench, name))


def test_help_measures_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert "--quick" in done.stdout


@pytest.mark.long
def test_what_must_not_grow_with_the_ledger_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", without_clients(sys.exec_prefix + "/bin:/usr/local/bin:/usr/bin:/bin"))
    rows = scale.by_what_is_concerned(str(tmp_path), few=20, many=60)
    said = [row.what.split(",")[0] for row in rows]
    assert said == ["redact", "import of 5 events", "heal --check", "doctor", "redact of a decision"]
    assert all(row.passes for row in rows), rows


def test_of_what_an_agent_does_next_only_what_it_used_before_counts() -> None:
    def call(**given: str) -> dict[str, Any]:
        return {"type": "assistant", "message": {"content": [{"type": "tool_use", "input": given}]}}

    read = [call(file_path="/p/web/index.ts"), call(file_path="/p/api/index.ts")]
    before = [*read, call(command="cd x && npm test -- a")]
    after = [call(file_path="/p/api/index.ts"), call(file_path="/p/new.ts"), call(command="npm test; git log | head")]
    records = [*before, {"isCompactSummary": True}, *after, {"type": "user", "message": {"content": "Stop."}}, *before]
    needed, used = calls_after(records, 3), calls_before(records, 3)
    assert needed is not None
    needed = needed.also_in(used)
    assert (needed.files, needed.commands) == (("/p/api/index.ts",), ("npm test",))
    assert counted(needed, used, "I was in web/index.ts.") == (Named(1, 0, 1), Named(1, 0, 0))
    assert counted(needed, used, "`api/index.ts`: npm test passes") == (Named(1, 1, 1), Named(1, 1, 1))


def test_after_the_persons_next_words_an_agent_does_not_go_on_by_itself() -> None:
    assert calls_after([{"isCompactSummary": True}, {"type": "user", "message": {"content": "Go on."}}], 0) is None
