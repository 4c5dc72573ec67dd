# The two commands of the README are `make demo` and `make test`; `make check` is what CI and pre-commit run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: demo test test-long check lint types bench clean

demo: $(STAMP)
	@$(BIN)/perdure demo

test: $(STAMP)
	@tests/needs.sh
	$(BIN)/pytest -q -n $(WORKERS) -m "not long"

test-long: $(STAMP)
	@tests/needs.sh
	$(BIN)/pytest -q -n $(WORKERS) -m long

check: lint types test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) bench/out .mypy_cache .ruff_cache .pytest_cache .hypothesis .clients

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Perdure needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
