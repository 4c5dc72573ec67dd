"""A person's settings file as a JSON tree; refused if it is not JSON or not an object.

The tree and the edits are `model/json_text.py`.
"""

from __future__ import annotations

from perdure.errors import Refused
from perdure.model.json_text import OBJECT, NotJson, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json_text import Node


def parse_settings(text: str, path: str) -> Node:
    """The tree of a person's settings file; refused, with line and column, if it is not a JSON object."""
    try:
        root = parse(text)
    except NotJson as error:
        where = f"line {error.line}, column {error.column}"
        raise Refused(
            "settings_not_json",
            f"{path} is not JSON: {where}: {error.why}. Nothing was changed in it.",
            hint="Fix it, then try again.",
            details={"path": path, "line": error.line, "column": error.column},
        ) from None
    if root.kind != OBJECT:
        raise odd(path, "the file is not an object")
    return root


def odd(path: str, why: str) -> Refused:
    """A settings file that has another shape than the client documents."""
    hint = "Correct it as the client documents it, then try again."
    return Refused("settings_odd", f"{path}: {why}. Nothing was changed in it.", hint=hint, details={"path": path})
