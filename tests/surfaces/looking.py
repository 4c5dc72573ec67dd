"""What the surface tests ask of every answer: its shape, its silence, and that a refusal left nothing behind."""

from __future__ import annotations

import re
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Cli, Result

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys or reorders, but for tabs and newlines."""


def last_row(root: Path) -> tuple[int, str]:
    db = sqlite3.connect(f"file:{root}/.perdure/ledger.db?mode=ro", uri=True)
    try:
        count, head = db.execute(
            "SELECT count(*), max(hash) FILTER (WHERE row = m) FROM events, (SELECT max(row) m FROM events)"
        ).fetchone()
        return int(count), str(head)
    finally:
        db.close()


def traces(root: Path, home: Path) -> dict[str, Any]:
    """Everything a command may not change when it refuses."""
    views = {path.name: path.read_bytes() for path in (root / ".perdure").glob("active_transaction*")}
    backups = {path.name: path.read_bytes() for path in home.glob("backups/*/*")}
    tree = sorted(str(path.relative_to(root)) for path in root.rglob("*") if ".git" not in path.parts)
    tree = [name for name in tree if not name.startswith(".perdure/ledger.db-")]
    return {"ledger": last_row(root), "views": views, "backups": backups, "tree": tree}


@contextmanager
def nothing_written(cli: Cli) -> Iterator[None]:
    home = Path(cli.environment["PERDURE_HOME"])
    before = traces(cli.cwd, home)
    yield
    assert traces(cli.cwd, home) == before


def assert_error(result: Result, code: int, *words: str, kind: str | None = None) -> dict[str, Any]:
    """One JSON value of the one shape on standard output, nothing else anywhere, and it names what was wrong."""
    assert result.code == code, result
    assert set(result.json) == {"error"}, result
    error = result.error
    assert set(error) == {"code", "message", "hint", "details"}, result
    assert error["code"] != "internal", result
    assert error["message"].endswith((".", "?")), result
    assert isinstance(error["details"], dict)
    assert result.err == "", result
    assert "Traceback" not in result.out
    for word in words:
        assert word in error["message"], (word, result)
    if kind:
        assert error["code"] == kind, result
    return error


def assert_said_to_a_person(result: Result, code: int, *words: str) -> None:
    """The same, to a person: on standard error, a sentence and a hint, and nothing a terminal would obey."""
    assert result.code == code, result
    assert result.out == "", result
    assert result.err.startswith("perdure: "), result
    assert "Traceback" not in result.err
    assert not CONTROLS.search(result.err), result
    for word in words:
        assert word in result.err, (word, result)


def assert_quiet_terminal(result: Result) -> None:
    found = CONTROLS.search(result.out) or CONTROLS.search(result.err)
    assert found is None, (found, result)
    assert "Traceback" not in result.out + result.err
