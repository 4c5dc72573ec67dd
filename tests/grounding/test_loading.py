"""The parser and its grammars are loaded by whoever reads symbols, and by nobody else (docs/adr/0045)."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIST = "import sys; print(*sorted(name for name in sys.modules if name.startswith('tree_sitter')))"


def loaded_by(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", f"{program}\n{LIST}"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    "program",
    [
        "import perdure.surfaces.hooks, perdure.actions.gating",
        "import perdure.__main__, perdure.actions.wiring, perdure.actions.decisions",
        "import perdure.grounding.verdict, perdure.grounding.absence, perdure.grounding.citation",
        "from perdure.grounding.quotes import SearchableText; SearchableText('a quote that stands').places('a quote')",
        "from perdure.grounding.symbols import symbols_of; symbols_of('fun f() {}', 'a.kt')",
    ],
)
def test_what_reads_no_symbols_by_syntax_loads_no_parser(program: str) -> None:
    assert loaded_by(program) == []


def test_one_language_loads_one_grammar() -> None:
    names = loaded_by("from perdure.grounding.symbols import symbols_of; symbols_of('package a', 'a.go')")
    assert {name.partition(".")[0] for name in names} == {"tree_sitter", "tree_sitter_go"}
