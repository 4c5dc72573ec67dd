"""Docstrings name only what exists, and their examples call it with arguments that it takes: a renamed function or a
changed signature must not live on in the text that explains it."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.effort import for_each

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
    return [(line, _indented(string.value)) for line, string in strings if isinstance(string.value, str)]


def _indented(text: str) -> str:
    """The text with its example indented. If nothing but the example stands below the first line, the formatter takes
    the indentation away."""
    first, rest = text.partition("\n\n")[::2]
    is_example = "\n" not in first and _CALL_IN_EXAMPLE.match(rest) is not None
    return f"{first}\n\n{textwrap.indent(rest, '    ')}" if is_example else text


def named_in(text: str) -> list[str]:
    """Classes and calls in backticks, and calls in the indented example."""
    found = _CLASS.findall(text) + _CALL_IN_TEXT.findall(text)
    for line in text.splitlines():
        if line.startswith("    "):
            found += _CALL_IN_EXAMPLE.findall(_STRING.sub("", line.partition("#")[0]))
    return found


@for_each("path", [p for p in MODULES if not name_of(p).startswith(CARDS)], ids=name_of)
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


def test_an_example_that_stands_alone_below_the_first_line_is_read_too() -> None:
    (found,) = texts(ast.parse('"""Counts.\n\nlook(1) == 2\nsaw(3)\n"""\n'))
    assert named_in(found[1]) == ["look", "saw"]
    (prose,) = texts(ast.parse('"""Counts.\n\nIt counts (all).\n"""\n'))
    assert named_in(prose[1]) == []


# -- the calls in examples -------------------------------------------------------------------------------------------


def example_calls(text: str) -> list[ast.Call]:
    """The calls in the indented lines: block by block, or, where what a line gives stands beside it, line by line. Text
    that is not Python (prose, a format, a shell command) has none."""
    calls: list[ast.Call] = []
    for block in re.findall(r"(?:^    .*\n?)+", text, re.MULTILINE):
        whole = textwrap.dedent(block.replace("…", "..."))
        lines = [re.split(r" →| ->|;|   ", line)[0] for line in whole.splitlines()]
        for tree in parsed(whole) or [tree for line in lines for tree in parsed(line)]:
            calls += [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return calls


def parsed(text: str) -> list[ast.Module]:
    try:
        return [ast.parse(text)]
    except SyntaxError:
        return []


@cache
def callables() -> dict[str, list[tuple[str, Any]]]:
    """Every function, class and method of the source by its name, each with the module that defines it."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for path in MODULES:
        if name_of(path) == "__main__.py":
            continue
        dotted = "perdure." + name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = import_module(dotted.removesuffix(".__init__"))
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) == module.__name__ and callable(thing):
                found.setdefault(name, []).append((name_of(path), thing))
                for method in vars(thing) if inspect.isclass(thing) else ():
                    if not method.startswith("__") and callable(getattr(thing, method)):
                        found.setdefault(f".{method}", []).append((name_of(path), vars(thing)[method]))
    return found


def meant_by(call: ast.Call, module: str) -> list[Any]:
    """What the call may mean: what its own module defines, else what any other does; nothing if it is not ours."""
    if isinstance(call.func, ast.Name):
        known = callables().get(call.func.id, [])
    elif isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Constant):
        known = callables().get(f".{call.func.attr}", []) + callables().get(call.func.attr, [])
    else:
        return []
    return [thing for where, thing in known if where == module] or [thing for _, thing in known]


def takes(thing: Any, call: ast.Call) -> bool:
    """Whether the signature takes the call's arguments. A method may be written with or without its object; `...`
    stands for any further arguments."""
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    signature = inspect.signature(thing)
    given = [each for each in call.args if not (isinstance(each, ast.Constant) and each.value is ...)]
    bind = signature.bind if len(given) == len(call.args) else signature.bind_partial
    named = {each.arg: each.value for each in call.keywords if each.arg}
    is_method = next(iter(signature.parameters), "") in ("self", "cls")
    try:
        bind(*([None] if is_method and isinstance(call.func, ast.Attribute) else []), *given, **named)
    except TypeError:
        return False
    return True


def calls_that_fail(text: str, module: str) -> list[str]:
    return [
        ast.unparse(call)
        for call in example_calls(text)
        if not any(isinstance(each, ast.Starred) for each in call.args) and all(each.arg for each in call.keywords)
        if (meant := meant_by(call, module)) and not any(takes(thing, call) for thing in meant)
    ]


@for_each("path", [p for p in MODULES if not name_of(p).startswith(CARDS)], ids=name_of)
def test_a_docstrings_example_calls_what_it_shows_with_arguments_that_fit(path: Path) -> None:
    failing = [call for _, text in texts(tree_of(path)) for call in calls_that_fail(text, name_of(path))]
    assert failing == []


def test_an_example_that_would_raise_a_type_error_would_be_seen() -> None:
    good = 'A record.\n\n    think(desk, "plan", "t", agent_id="a", content="c")\n    finalize(desk, …).root\n'
    assert calls_that_fail(good, "actions/audit_trail.py") == []
    positional = 'A record.\n\n    think(desk, "plan", "t", "a", "c")\n'
    assert calls_that_fail(positional, "actions/audit_trail.py") == ["think(desk, 'plan', 't', 'a', 'c')"]
    method = "A tree.\n\n    tree.append(hashed, 0, 1)\n"
    assert calls_that_fail(method, "proof/merkle.py") == ["tree.append(hashed, 0, 1)"]
    beside = "A part.\n\n    is_subtree(1)     whether there is one\n    is_subtree(1, 2)  → True\n"
    assert calls_that_fail(beside, "proof/merkle.py") == ["is_subtree(1)"]
