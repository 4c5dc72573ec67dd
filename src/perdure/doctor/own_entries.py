"""Decides which entries are exactly what `perdure init` writes, so that the doctor may run them. A settings file in a
repository can name any command, even with our mark: nothing is run only because somebody committed it."""

from __future__ import annotations

import ast
import os

from perdure.install.program import Program, paths_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.clients.port import HookClient
    from perdure.install.installer import InstallContext

LONGEST = 16_384
_CODE = 4
"""Which word of a command is the code: after the interpreter and three flags."""


def is_as_written(client: HookClient, words: list[str], event: str, *, context: InstallContext) -> bool:
    """Whether these are words of `Program.words` for this event. (A client's portable script is for its examiner.)"""
    if len(words) <= _CODE or len(words[_CODE]) > LONGEST:
        return False
    found = Program(words[0], paths_of(words[_CODE]), "")
    return _is_same(words, found.words(client, event, "")) and _is_trusted(found, context)


def _is_same(words: list[str], ours: list[str]) -> bool:
    """Except for the texts in the code: they name folders, which `_is_trusted` checks, and messages."""
    shape = _shape(words[_CODE])
    if shape is None or shape != _shape(ours[_CODE]):
        return False
    return [*words[:_CODE], *words[_CODE + 1 :]] == [*ours[:_CODE], *ours[_CODE + 1 :]]


def _shape(code: str) -> str | None:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def _is_trusted(found: Program, context: InstallContext) -> bool:
    """Nothing is loaded from the repository, unless Perdure itself is installed there."""
    own = Program.find(context.environment)
    named = [path for path in (found.interpreter, *found.paths) if path not in (own.interpreter, *own.paths)]
    roots = [os.path.realpath(folder) + os.sep for folder in (context.root, context.folder) if folder]
    return all(os.path.isabs(path) for path in named) and not any(
        (os.path.realpath(path) + os.sep).startswith(root) for path in named for root in roots
    )
