"""Docstrings name only what exists: a renamed class or function must not live on in the text that explains it."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache
from pathlib import Path

import pytest

from .test_shape import MODULES, name_of, tree_of

OTHERS = {"Agent", "Cart", "CartLine", "TestCart", "SessionStart", "environ", "getcwd", "hashes", "loads"}
"""Names of Python's library, of clients and of examples."""
CARDS = "gate/programs/"
"""There, and in masking/_goregex.py, indented lines are formats of their own and no Python."""
_CLASS = re.compile(r"`(?:\w+[./])*([A-Z][a-z]+[A-Za-z]*)`")
_CALL_IN_TEXT = re.compile(r"`(?:\w+[./])*([a-z_]{2,})\(")
_CALL_IN_EXAMPLE = re.compile(r"(?<![\w-])([A-Za-z_]\w+)\(")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


@cache
def defined() -> frozenset[str]:
    """Every class, function and assigned name of the source."""
    names = set(dir(builtins)) | OTHERS
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
    return frozenset(names)


def texts(tree: ast.Module) -> list[tuple[int, str]]:
    """Docstrings, and the strings that stand below a constant."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    strings = [(node.lineno, node.value) for node in statements if isinstance(node.value, ast.Constant)]
    return [(line, string.value) for line, string in strings if isinstance(string.value, str)]


def named_in(text: str) -> list[str]:
    """Classes and calls in backticks, and calls in the indented example."""
    found = _CLASS.findall(text) + _CALL_IN_TEXT.findall(text)
    for line in text.splitlines():
        if line.startswith("    "):
            found += _CALL_IN_EXAMPLE.findall(_STRING.sub("", line.partition("#")[0]))
    return found


@pytest.mark.parametrize("path", [p for p in MODULES if not name_of(p).startswith(CARDS)], ids=name_of)
def test_a_docstring_names_only_what_exists(path: Path) -> None:
    unknown = [
        f"line {line}: {name}"
        for line, text in texts(tree_of(path))
        for name in named_in(text)
        if name not in defined() and name_of(path) != "masking/_goregex.py"
    ]
    assert unknown == []


def test_a_name_that_is_gone_would_be_seen() -> None:
    assert named_in("Asks `gate.world.Ground` and `look(x)`.\n\n    saw(request, [Read('a(b)')])  # then(…)") == [
        "Ground",
        "look",
        "saw",
        "Read",
    ]
