"""Tells whether a variable that has the name of a builtin is surely set wherever Python code takes it.

Until a name is set, it means the builtin: `if 0: exec = 1`, and then `exec(…)` runs code. So a name is only the code's
own where no way leads to it past a statement that sets it.

    is_surely_set(node, above, "file")   # in `for file in files: print(file)` → True
"""

from __future__ import annotations

import _ast
import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BUILTIN_NAMES", "is_surely_set", "unsets"]

OF_OTHER_VERSIONS = frozenset(
    """apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr unicode xrange
    aiter anext exit quit copyright credits license help PythonFinalizationError""".split()
)
BUILTIN_NAMES = frozenset(dir(builtins)) | OF_OTHER_VERSIONS

_LISTS = ("body", "orelse", "finalbody")


def unsets(node: _ast.AST) -> tuple[str, ...]:
    """The names that a node may take away again, or take from another scope."""
    if isinstance(node, (_ast.Global, _ast.Nonlocal)):
        return tuple(node.names)
    if isinstance(node, _ast.ExceptHandler) and node.name:
        return (node.name,)
    return (node.id,) if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Del) else ()


def is_surely_set(node: _ast.AST, above: dict[int, _ast.AST | None], name: str) -> bool:
    """Whether what surrounds a name, or stands before it in the same block, has set it. No `unsets` may name it."""
    inner, outer = node, above[id(node)]
    while outer is not None:
        if name in _set_around(inner, outer) or _is_set_before(inner, outer, name):
            return True
        inner, outer = outer, above[id(outer)]
    return False


def _set_around(inner: _ast.AST, outer: _ast.AST) -> set[str]:
    """The names that `outer` sets before its part `inner` runs."""
    if isinstance(outer, (_ast.FunctionDef, _ast.Lambda)):
        return _arguments(outer.args) if inner is outer.body or _is_in(inner, outer.body) else set()
    if isinstance(outer, _ast.For):
        return _targets([outer.target]) if _is_in(inner, outer.body) else set()
    if isinstance(outer, _ast.With):
        return _targets([item.optional_vars for item in outer.items]) if _is_in(inner, outer.body) else set()
    return _set_by_comprehension(inner, outer)


def _set_by_comprehension(inner: _ast.AST, outer: _ast.AST) -> set[str]:
    if isinstance(outer, _ast.comprehension):
        return _targets([outer.target]) if _is_in(inner, outer.ifs) else set()
    generators = getattr(outer, "generators", [])
    before = generators[: generators.index(inner)] if _is_in(inner, generators) else generators
    return _targets([generator.target for generator in before])


def _is_set_before(inner: _ast.AST, outer: _ast.AST, name: str) -> bool:
    for field in _LISTS:
        block = getattr(outer, field, None)
        if isinstance(block, list) and _is_in(inner, block):
            place = next(at for at, statement in enumerate(block) if statement is inner)
            return any(name in _set_by(statement) for statement in block[:place])
    return False


def _set_by(statement: _ast.AST) -> set[str]:
    """The names that a statement has surely set once it is over."""
    if isinstance(statement, _ast.Assign):
        return _targets(statement.targets)
    return {statement.name} if isinstance(statement, _ast.FunctionDef) else set()


def _targets(targets: Iterable[_ast.AST | None]) -> set[str]:
    found: set[str] = set()
    todo = list(targets)
    while todo:
        target = todo.pop()
        if isinstance(target, _ast.Name):
            found.add(target.id)
        elif isinstance(target, (_ast.Tuple, _ast.List)):
            todo += target.elts
        elif isinstance(target, _ast.Starred):
            todo.append(target.value)
    return found


def _arguments(arguments: _ast.arguments) -> set[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument is not None}


def _is_in(inner: _ast.AST, block: object) -> bool:
    return isinstance(block, list) and any(statement is inner for statement in block)
