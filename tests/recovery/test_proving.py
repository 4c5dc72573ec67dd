"""What a command could prove: whether its status is the check's own, and whether it was all of it (SPEC 10.6)."""

from __future__ import annotations

import pytest

from perdure.recovery.proving import checks_in, is_suite, status_is_own
from tests.effort import for_each

OWN = [
    "pytest",
    "cd /work && pytest -q 2>&1",
    "echo start; pytest",
    "(cd web && npm test)",
    "pytest && echo done && git status",
    "timeout 60 uv run pytest -q",
    "FOO=1 pytest",
    "ruff check . && mypy && pytest",
]
NOT_OWN = [
    "pytest | tail -3",
    "pytest 2>&1 | tee log",
    "pytest; true",
    "pytest\ntrue",
    "pytest || true",
    "false || pytest",
    "pytest &",
    "pytest && true; true",
    "! pytest",
    "if pytest; then echo; fi",
    "for x in 1 2; do pytest; done",
    "bash -c 'pytest; true'",
    "(pytest; true)",
    "{ pytest; true; }",
    "pytest() { true; }; pytest",
    "trap 'exit 0' EXIT; pytest",
    "set +e; pytest; exit 0",
    "alias pytest=true; pytest",
    "PATH=./fake:$PATH pytest",
    "export PYTEST_ADDOPTS=tests/one.py; pytest",
    "eval pytest",
    "pytest 'unclosed",
]


@pytest.mark.parametrize("command", OWN)
def test_a_status_that_is_the_checks_own(command: str) -> None:
    assert status_is_own(command)
    assert checks_in(command)


@for_each("command", NOT_OWN)
def test_a_status_that_is_not_the_checks_own(command: str) -> None:
    assert not status_is_own(command)


WHOLE = """
    pytest|pytest -q -x --tb=short -n auto|pytest tests|pytest tests/|python -m pytest|python -m unittest
    go test ./...|cargo test|cargo test --workspace|npm test|npx jest|npx vitest run|node --test|make test
    make check|tox
"""
PARTS = """
    pytest -k cart|pytest -k run|pytest -kcart|pytest -m fast|pytest tests/test_a.py|pytest tests/test_a.py::test_b
    pytest tests/unit|pytest --lf|pytest --sw|pytest --deselect a|pytest --ignore=tests/slow
    python -m unittest tests.test_a|go test|go test ./cart|go test -run TestA ./...|cargo test cart|cargo test --lib
    cargo test -p cart|npm run test:unit|npx jest -t cart|npx jest cart|npx jest --onlyChanged|npx vitest run cart
    npx vitest run --changed|node --test a.test.mjs|npm test -- --grep cart|make test-unit
"""


def several(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split("|")]


@for_each("command", several(WHOLE))
def test_a_whole_run(command: str) -> None:
    [check] = checks_in(command)
    assert (check.purpose, check.part) == ("test", "")


@for_each("command", several(PARTS))
def test_a_selection_is_no_whole_run(command: str) -> None:
    assert all(check.part for check in checks_in(command)), command


@pytest.mark.parametrize(
    "command", ["cat ok.txt", "git commit -m 'pytest passed'", "pytest --collect-only", "pytest --version"]
)
def test_what_runs_no_check_proves_nothing(command: str) -> None:
    assert checks_in(command) == []


@pytest.mark.parametrize(
    ("command", "purpose", "whole"),
    [
        ("ruff check .", "lint", True),
        ("ruff check src tests", "lint", True),
        ("ruff check src/a.py", "lint", False),
        ("mypy", "lint", True),
        ("npx tsc --noEmit", "lint", True),
        ("make", "build", True),
        ("cargo build", "build", True),
        ("npm run build", "build", True),
        ("go build ./...", "build", True),
        ("go build", "build", False),
    ],
)
def test_builds_and_linters(command: str, purpose: str, whole: bool) -> None:
    [check] = checks_in(command)
    assert (check.purpose, not check.part) == (purpose, whole)


def test_a_folder_is_a_suite_of_its_own_if_it_has_a_manifest_and_none_is_above_it() -> None:
    backend = {"backend/pyproject.toml"}
    assert is_suite("", "pytest", backend.__contains__)
    assert is_suite("backend", "pytest", backend.__contains__)
    assert not is_suite("backend/tests/unit", "pytest", backend.__contains__)
    assert not is_suite("tests/unit", "pytest", {"pyproject.toml"}.__contains__)
    assert not is_suite("packages/a", "npm", {"package.json", "packages/a/package.json"}.__contains__)
