"""What a text states is compared with the ledger: contradictions are found, the same in other words is none."""

from __future__ import annotations

import time

import pytest

from perdure.forks.check import MOST, contradictions
from perdure.forks.known import Known, KnownDecision, KnownKey, KnownTask
from perdure.forks.quantities import same_quantity

from . import fields, prose
from .cases import AFTER, BEFORE, SUMMARIES

ROWS = [*BEFORE, *AFTER, *SUMMARIES]
NUMBERS: list[tuple[str, set[str]]] = [
    ("timeout_seconds = 3e1", set()),
    ("timeout_seconds = 3e2", {"timeout_seconds"}),
    ("api.port: 8 080", set()),
    ("api.port: 8 081", {"api.port"}),
    ("api.port is 8.08k", set()),
    ("api.port is 9k", {"api.port"}),
    ("session_timeout: half an hour", set()),
    ("session_timeout is thirty minutes.", set()),
    ("session_timeout is one hour.", {"session_timeout"}),
    ("sampling: 0.25", set()),
    ("sampling: 0.5", {"sampling"}),
]
"""Numbers as people write them."""
BROWSER, SERVER, SQLITE = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "123")
KEYS = {
    "journal": ("wal", "delete"),
    "db.engine": ("sqlite",),
    "timeout_seconds": ("30",),
    "sampling": ("25%",),
    "api.port": ("8080",),
    "cache": ("true",),
    "python_version": ("3.10",),
    "retry_policy": ("exponential backoff",),
    "auth": ("OAuth 2.1 with PKCE",),
    "session_timeout": ("30 minutes",),
    "indent": ("tabs",),
    "orm": ("none",),
    "tokens": ("rotating refresh tokens",),
    "lock.backend": ("mongo",),
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


@pytest.mark.parametrize(("text", "expected"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_a_number_is_the_same_however_it_is_written(text: str, expected: set[str]) -> None:
    assert found_in(text) == expected


def project_of(keys: dict[str, str], decisions: list[tuple[str, int]], tasks: dict[str, dict[str, str]]) -> Known:
    """Decisions have the numbers from 1 on as ids; those on keys have none of these."""
    ids = [f"{number:08d}-0000-4000-8000-000000000000" for number in range(len(decisions) + 1)]
    return Known(
        keys=tuple(KnownKey(key=key, value=decided, decision_id=SQLITE) for key, decided in keys.items()),
        decisions=tuple(
            KnownDecision(
                id=ids[number],
                text=text,
                successor=ids[successor] if successor else "",
                successor_text=decisions[successor - 1][0] if successor else "",
            )
            for number, (text, successor) in enumerate(decisions, 1)
        ),
        tasks=tuple(KnownTask(id, given) for id, given in tasks.items()),
    )


SHOP = project_of(fields.SHOP_KEYS, fields.SHOP_DECISIONS, fields.SHOP_TASKS)
DEVICES = project_of(fields.DEVICES_KEYS, fields.DEVICES_DECISIONS, fields.DEVICES_TASKS)
IN_PROSE = [
    (project_of(each.keys, each.decisions, {}), text, subject)
    for each in prose.PROJECTS.values()
    for text, subject in [*each.contradicted, *((text, "") for text in each.harmless)]
]
OF_OTHER_FIELDS = [
    *IN_PROSE,
    *((SHOP, text, subject) for text, subject in fields.SHOP_CONTRADICTED),
    *((SHOP, text, "") for text in (*fields.SHOP_HARMLESS, *fields.NOT_FOUND)),
    *((DEVICES, text, subject) for text, subject in fields.DEVICES_CONTRADICTED),
    *((DEVICES, text, "") for text in fields.DEVICES_HARMLESS),
]


@pytest.mark.parametrize(("known", "text", "subject"), OF_OTHER_FIELDS, ids=[row[1][:60] for row in OF_OTHER_FIELDS])
def test_a_text_of_another_field_is_compared_with_its_ledger(known: Known, text: str, subject: str) -> None:
    names = {
        "decision": lambda each: f"decision {int(each.subject[:8])}",
        "task": lambda each: f"{each.subject}.{each.field}",
        "key": lambda each: each.subject,
    }
    assert ",".join(names[each.about](each) for each in contradictions(text, known)) == subject


def test_what_is_told_not_to_be_found_is_not_found() -> None:
    """When one is, it belongs to those that contradict, and the documents say so."""
    projects = [project_of(each.keys, each.decisions, {}) for each in prose.PROJECTS.values()]
    assert [text for text in prose.NOT_FOUND if any(contradictions(text, known) for known in projects)] == []


def test_each_thing_is_found_once_where_it_is_stated_first() -> None:
    found = contradictions("- journal: delete\n- journal: memory\n- journal: delete", LEDGER)
    assert [(each.line, each.stated) for each in found] == [(1, "delete")]


def test_a_text_with_many_contradictions_is_given_up_at_a_limit() -> None:
    known = Known(keys=tuple(KnownKey(key=f"k{at}", value="a", decision_id=SQLITE) for at in range(200)))
    assert len(contradictions("\n".join(f"k{at}: b" for at in range(200)), known)) == MOST


@pytest.mark.parametrize(
    "text",
    [
        "journal: " * 50_000,
        "journal" + " " * 200_000 + "x",
        "`" * 200_000,
        "use " * 60_000 + "for journal",
        "journal = '" + "'" * 100_000,
        "| " * 100_000,
        "bd-7 (" * 40_000,
        "[" * 100_000,
        '{"journal":' * 20_000,
        "not " * 60_000 + "22222222",
        "\ud800 journal: \udfff",
        "\n".join(["journal: " * 220] * 100),
        "\n".join(["use x for journal " * 110] * 100),
        "\n".join(["journal" + " " * 1900 + "x"] * 100),
    ],
    ids=range(14),
)
def test_a_hostile_text_takes_little_time(text: str) -> None:
    before = time.process_time()
    contradictions(text, LEDGER)
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("given", "ledger", "is_same"),
    [
        ("500 kbit", "500k", True),
        ("500k", "500 kbit", True),
        ("250 kbit", "500k", False),
        ("1 Mbit/s", "1 Mbps", True),
        ("100 Mbps", "200 Mbps", False),
        ("30 s", "30000", True),
        ("30 s", "Redis", None),
    ],
)
def test_a_number_without_a_unit_is_meant_in_any_on_either_side(given: str, ledger: str, is_same: bool | None) -> None:
    assert same_quantity(given, ledger) is is_same


def test_the_titles_of_a_table_state_nothing() -> None:
    table = "| Journal | Description |\n|---------|-------------|\n| WAL | one writer |\n"
    assert found_in(table) == set()
    assert found_in("| Key | Value |\n|---|---|\n| journal | delete |\n") == {"journal"}
