"""What a text states is compared with the ledger: contradictions are found, the same in other words is none."""

from __future__ import annotations

import pytest

from perdure.forks.check import contradictions
from perdure.forks.known import Known, KnownDecision, KnownKey, KnownTask

from .cases import AFTER, BEFORE

ROWS = [*BEFORE, *AFTER]
BROWSER, SERVER, SQLITE = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "123")
KEYS = {
    "journal": ("wal", "delete"),
    "db.engine": ("sqlite",),
    "timeout_seconds": ("30",),
    "api.port": ("8080",),
    "cache": ("true",),
    "python_version": ("3.10",),
    "retry_policy": ("exponential backoff",),
    "auth": ("OAuth 2.1 with PKCE",),
}
NAMES = {BROWSER: "id:browser", SERVER: "id:server", SQLITE: "id:sqlite"}
LEDGER = Known(
    keys=tuple(
        KnownKey(key=key, value=value, decision_id=SQLITE, other_values=tuple(others))
        for key, (value, *others) in KEYS.items()
    ),
    decisions=(
        KnownDecision(
            id=BROWSER,
            text="Render pages in the browser",
            successor=SERVER,
            successor_text="Render pages on the server",
        ),
        KnownDecision(id=SERVER, text="Render pages on the server", words="first paint is faster"),
        KnownDecision(id=SQLITE, text="SQLite holds the ledger, one file a project"),
    ),
    tasks=(
        KnownTask("bd-a3f8", {"status": "in_progress", "priority": "1"}),
        KnownTask("bd-7", {"status": "closed", "priority": "2"}),
    ),
)


def found_in(text: str) -> set[str]:
    return {
        {"key": each.field, "task": f"{each.subject}.{each.field}"}.get(each.about) or NAMES[each.subject]
        for each in contradictions(text, LEDGER)
    }


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_text_is_compared_with_the_ledger(text: str, expected: set[str]) -> None:
    assert found_in(text) == expected
