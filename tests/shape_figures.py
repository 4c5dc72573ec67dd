"""The figures `make shape` prints: how long and how branched our functions are, and how calls and imports look.

    python tests/shape_figures.py            this checkout
    python tests/shape_figures.py FOLDER     another checkout, for a comparison

How it counts:

- Source is `src/perdure` without `gate/programs`: those files are tables of programs, not logic.
- A function's branches are 1, plus one for each `if`, `elif`, `for`, `while`, `except`, conditional expression and
  `for` of a comprehension, plus one for each operand of `and` or `or` after the first. A function defined inside
  another one counts for both.
- "A thousand lines" are lines with something on them.
- A cycle is a set of modules that import each other at their top, not inside functions.
- Tests : source compares all lines of `tests` with all lines of the source. Data files are not counted.

Two figures are higher here than in most projects: conditional expressions and comprehensions. They come with many small
functions that return a value and change nothing. Both count as branches. Only `value` in `model/value.py` has more than
twelve branches: the functions that it makes are defined inside it.

The longest function, `written` in `recovery/ledger_sections.py`, lists the sections of a brief, and has three branches.
Most calls with six or more positional arguments hand on the words of a git command. Tests are shorter than the source,
because many are a table with a line for each case.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORKS = ast.If | ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.IfExp | ast.comprehension
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Function = ast.FunctionDef | ast.AsyncFunctionDef


def source_files(root: Path) -> list[Path]:
    """The program's modules, the tables of programs aside."""
    source = root / "src" / "perdure"
    return sorted(path for path in source.rglob("*.py") if path.parent != source / "gate" / "programs")


@cache
def parsed(text: str) -> ast.Module:
    """Several look at each file: it is parsed once."""
    return ast.parse(text)


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def length(function: Function) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def branches(function: Function) -> int:
    count = 1
    for node in ast.walk(function):
        if isinstance(node, FORKS):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
    return count


def positional(call: ast.Call) -> int:
    """How many arguments a call gives by position, `*several` aside."""
    return sum(not isinstance(argument, ast.Starred) for argument in call.args)


def cycles(root: Path) -> list[set[str]]:
    """The sets of modules of which each one imports, through others, itself."""
    imported = {_module(path, root): _imports(path, root) for path in (root / "src" / "perdure").rglob("*.py")}
    graph = {
        name: {below for below in found if below in imported and below != name} for name, found in imported.items()
    }
    reach = {name: _reached(name, graph) for name in graph}
    circles = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph}
    return [set(circle) for circle in circles if len(circle) > 1]


def _reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        for below in graph[todo.pop()] - seen:
            seen.add(below)
            todo.append(below)
    return seen


def _module(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root / "src").with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path, root: Path) -> set[str]:
    """The names a module imports at its top when it runs: `from a import b` may mean the module a or the module a.b."""
    found: set[str] = set()
    todo: list[ast.AST] = [parsed(path.read_text())]
    while todo:
        node = todo.pop()
        if isinstance(node, Function):
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            todo += node.orelse
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            inner = {full for full in modules.values() if _is_module(full, root)}
            found |= inner or {node.module}
        todo += ast.iter_child_nodes(node)
    return found


def _is_module(name: str, root: Path) -> bool:
    path = root / "src" / Path(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def figures(root: Path) -> dict[str, str]:
    """The table's rows, each figure as it is printed."""
    texts = [path.read_text() for path in source_files(root)]
    trees = [parsed(text) for text in texts]
    lines = sum(bool(line.strip()) for text in texts for line in text.splitlines())
    nodes = [node for tree in trees for node in ast.walk(tree)]
    every = [node for node in nodes if isinstance(node, Function)]
    lengths = sorted(length(function) for function in every)
    branched = sum(branches(function) > 10 for function in every)
    given = [positional(node) for node in nodes if isinstance(node, ast.Call)]
    thousands = lines / 1000
    tests = sum(len(path.read_text().splitlines()) for path in (root / "tests").rglob("*.py"))
    p90 = lengths[int(len(lengths) * 0.9)]
    return {
        "lines of source, blank ones aside": f"{lines}",
        "function median / p90 / max lines": f"{lengths[len(lengths) // 2]} / {p90} / {lengths[-1]}",
        "functions with more than 10 branches": f"{100 * branched / len(every):.1f} %",
        "most branches in one function": f"{max(branches(function) for function in every)}",
        "conditional expressions a thousand lines": f"{sum(isinstance(n, ast.IfExp) for n in nodes) / thousands:.0f}",
        "comprehensions a thousand lines": f"{sum(isinstance(n, COMPREHENSIONS) for n in nodes) / thousands:.0f}",
        "calls with six or more positional arguments": f"{sum(g >= 6 for g in given)} (most: {max(given)})",
        "top-level import cycles": f"{len(cycles(root))}",
        "tests : source": f"{tests / sum(len(text.splitlines()) for text in texts):.2f}",
    }


def main(arguments: list[str]) -> None:
    for name, figure in figures(Path(arguments[0]) if arguments else ROOT).items():
        print(f"{name:<45}{figure}")


if __name__ == "__main__":
    main(sys.argv[1:])
