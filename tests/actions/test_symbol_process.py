"""Symbols are read in a process of their own, which may hang or die."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from perdure.actions import symbol_process
from perdure.actions.symbol_process import SymbolProcess
from perdure.grounding.languages import ENDINGS
from perdure.grounding.symbols import symbols_of
from perdure.grounding.syntax import syntax_symbols

HANGS = "a<b,\n" * 80_000
"""As TypeScript, the grammar reads this for minutes, whatever its limit of time is (docs/adr/0045)."""


def test_the_process_finds_what_the_parser_finds_here() -> None:
    text = Path(symbol_process.__file__).read_text()
    with SymbolProcess() as process:
        assert process.parse(text, ENDINGS["py"]) == syntax_symbols(text, ENDINGS["py"])
        assert process.parse("func f() {}", ENDINGS["go"]) == syntax_symbols("func f() {}", ENDINGS["go"])


def test_a_text_that_hangs_the_parser_is_given_up_and_the_next_one_is_read() -> None:
    with SymbolProcess(patience=1.0) as process:
        assert process.parse(HANGS, ENDINGS["ts"]) is None
        found = process.parse("x = 1\n", ENDINGS["py"])
        assert found is not None
        assert [symbol.name for symbol in found.symbols] == ["x"]
        assert [symbol.name for symbol in symbols_of("def f():\n    pass\n", "a.py", process.parse)] == ["f"]


def test_after_three_failures_no_process_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with SymbolProcess() as process:
        assert [process.parse("x = 1\n", ENDINGS["py"]) for _ in range(3)] == [None] * 3
        monkeypatch.undo()
        assert process.parse("x = 1\n", ENDINGS["py"]) is None


def test_a_module_in_the_working_folder_is_not_taken_for_perdures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(1)\n")
    (tmp_path / "perdure").mkdir()
    (tmp_path / "perdure" / "__init__.py").write_text("raise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path)
    with SymbolProcess() as process:
        assert process.parse("x = 1\n", ENDINGS["py"]) is not None
