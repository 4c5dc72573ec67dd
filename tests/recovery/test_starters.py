"""Which program is started in the end."""

from __future__ import annotations

import pytest

from perdure.recovery.starters import without_starters, without_wrappers


@pytest.mark.parametrize(
    ("words", "without_both", "only_without_wrappers"),
    [
        ("pytest -q", "pytest -q", "pytest -q"),
        ("timeout 60 uv run pytest -q", "pytest -q", "uv run pytest -q"),
        ("timeout -k 5 60 pytest", "pytest", "pytest"),
        ("sudo -u me env A=1 B=2 make", "make", "make"),
        ("env", "env", "env"),
        ("/usr/bin/env python3.12 -m pytest", "pytest", "python3.12 -m pytest"),
        ("uv run --python 3.12 --with x pytest", "pytest", "uv run --python 3.12 --with x pytest"),
        ("docker exec -w /app web pytest", "pytest", "docker exec -w /app web pytest"),
        ("docker compose exec -T web npm test", "npm test", "docker compose exec -T web npm test"),
        ("kubectl exec pod -c web -- pytest", "pytest", "kubectl exec pod -c web -- pytest"),
        ("mise x python@3.12 -- pytest", "pytest", "mise x python@3.12 -- pytest"),
        ("docker ps", "docker ps", "docker ps"),
        ("coverage run --source src -m pytest -q", "pytest -q", "coverage run --source src -m pytest -q"),
        ("python -m coverage run -m pytest", "pytest", "python -m coverage run -m pytest"),
        ("coverage report", "coverage report", "coverage report"),
        ("xvfb-run -a -s x npm test", "npm test", "npm test"),
        ("npx cross-env CI=1 jest", "jest", "npx cross-env CI=1 jest"),
        ("python -c x", "python -c x", "python -c x"),
        ("C:\\venv\\Scripts\\pytest -q", "C:\\venv\\Scripts\\pytest -q", "C:\\venv\\Scripts\\pytest -q"),
    ],
)
def test_a_starter_is_left_out_with_its_own_words(words: str, without_both: str, only_without_wrappers: str) -> None:
    assert without_starters(words.split()) == without_both.split()
    assert without_wrappers(words.split()) == only_without_wrappers.split()
