"""What a command could prove: whether its status is the check's own, and whether it was all of it (SPEC 10.6)."""

from __future__ import annotations

import pytest

from perdure.recovery.proving import checks_in, is_suite, prints_else, status_is_own
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
    "set -euo pipefail; pytest",
    "source .venv/bin/activate && pytest",
    ". venv/bin/activate; pytest",
    "bash -c 'cd web && npm test'",
    "test -f setup.cfg && pytest",
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
    "env PATH=./fake pytest",
    "env PYTEST_ADDOPTS=-kone pytest",
    'export PATH="./fake:$PATH" && pytest',
    "declare -x PYTEST_ADDOPTS=-kone; pytest",
    "PYTEST_PLUGINS=fake pytest",
    "source setup.sh && pytest",
    "pushd /tmp/other; pytest",
    "set +o errexit; pytest",
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
    make check|tox|make -j4 test|make test WORKERS=4|python -m unittest discover|python -m unittest discover -s tests -v
    .venv/bin/pytest -q|/usr/bin/python3 -m pytest|node_modules/.bin/jest
"""
PARTS = """
    pytest -k cart|pytest -k run|pytest -kcart|pytest -m fast|pytest tests/test_a.py|pytest tests/test_a.py::test_b
    pytest tests/unit|pytest --lf|pytest --sw|pytest --deselect a|pytest --ignore=tests/slow
    python -m unittest tests.test_a|go test|go test ./cart|go test -run TestA ./...|cargo test cart|cargo test --lib
    cargo test -p cart|npm run test:unit|npx jest -t cart|npx jest cart|npx jest --onlyChanged|npx vitest run cart
    pytest --ignore-glob=*slow*|pytest -o addopts=-kone|pytest --override-ini=testpaths=a|pytest -c one.ini
    npm test -- -t one|npx jest --testPathPattern one|npx jest --config one.js|docker run shop pytest
    node --test --test-skip-pattern=a|pytest --pyargs json
    node --test --test-name-pattern=a|node --test --test-only|bats --filter x|prove > log
    ./pytest|/tmp/fake/pytest -q|../pytest|./node --test|go test -short ./...|make -i test|make -ki test|make -t test
    make -q test|make -e test|make test PYTEST=true|make test TESTS=one|make test SHELL=/bin/true|pytest > log
    python -m unittest discover -p test_a*.py|python -m unittest discover -s tests/unit
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
    "command",
    ["cat ok.txt", "git commit -m 'pytest passed'", "pytest --collect-only", "pytest --version", "pytest --setup-plan"],
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


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q && cat old.log",
        "tail -3 old.log; pytest -q",
        "pytest -q && echo '100 passed in 0.50s'",
        "echo 'Ran 3 tests in 0.1s'; echo; echo OK; python -m unittest",
        "printf 'Ran 3 tests in 0.1s\\n\\nOK' && python -m unittest",
        "pytest -q && git show HEAD:old.log",
        "bash -c 'pytest -q && cat old.log'",
    ],
)
def test_what_else_a_command_prints_may_look_like_a_report(command: str) -> None:
    assert prints_else(command)


@pytest.mark.parametrize(
    "command", ["pytest -q && echo OK", "echo tests passed; pytest", "git status && pytest && ruff check ."]
)
def test_other_words_are_no_report(command: str) -> None:
    assert not prints_else(command)


def test_a_folder_is_a_suite_of_its_own_if_it_has_a_manifest_and_none_is_above_it() -> None:
    backend = {"backend/pyproject.toml"}
    assert is_suite("", "pytest", backend.__contains__)
    assert is_suite("backend", "pytest", backend.__contains__)
    assert not is_suite("backend/tests/unit", "pytest", backend.__contains__)
    assert not is_suite("tests/unit", "pytest", {"pyproject.toml"}.__contains__)
    assert not is_suite("packages/a", "npm", {"package.json", "packages/a/package.json"}.__contains__)
