# The two commands of the README are `make demo` and `make test`. `make check` is lint, types and tests: pre-commit runs
# it, and CI the same in a clone (.ci/run).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: demo test test-quick test-long check lint format types bench shape pages clean

demo: $(STAMP)
	@$(BIN)/perdure demo

test: $(STAMP)
	@tests/needs.sh
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "not long"

# What needs no client, no broken disk, no sandbox, few processes and not much time: for while you work.
QUICK := model proof recovery transcript rehearsal contract ledger gate test_shape.py
NOT_QUICK := gate/test_differential.py recovery/test_patterns.py recovery/test_tokens.py
test-quick: $(STAMP)
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "not long" $(QUICK:%=tests/%) $(NOT_QUICK:%=--ignore=tests/%)

test-long: $(STAMP)
	@tests/needs.sh
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m long

check: lint types test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Sorts imports, mends what ruff can mend, and formats.
format: $(STAMP)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m bench

# How long and how branched the functions are, in the figures that tests/shape_figures.py explains.
shape: $(STAMP)
	@$(BIN)/python tests/shape_figures.py

# The manual pages and the table that completion reads, from the program's help; README's picture, from a run.
pages: $(STAMP)
	$(BIN)/python -m tools.pages
	$(BIN)/python -m tools.picture

clean:
	rm -rf $(VENV) bench/out .mypy_cache .ruff_cache .pytest_cache .hypothesis .clients

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Perdure needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
