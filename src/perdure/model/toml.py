"""TOML as `perdure config set` writes it: tables, and on each line a word, a number, true or false, or a list of words.

`tomllib` costs every hook 7 ms (docs/adr/0003). It is used only for files that contain other TOML.

    plain_table('[gate]\\nknow = 0.75') == {"gate.know": 0.75}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t"
_MOST_DIGITS = 15


def _is_plain(line: str) -> bool:
    return line.isascii() and line.replace("\t", " ").isprintable()


def plain_table(text: str) -> dict[str, Any] | None:
    """Every key, with the name of its table before it. None if the text contains other TOML: a TOML parser must read
    it."""
    found: dict[str, Any] = {}
    tables: set[str] = set()
    table = ""
    for line in text.split("\n"):
        if not _is_plain(line):
            return None
        code = line.partition("#")[0].strip(_SPACE)
        if code.startswith("["):
            table = _table_name(code)
            if not table or table in tables:
                return None
            tables.add(table)
        elif code:
            name, content = _assignment(code)
            key = f"{table}.{name}"
            if not table or content is None or key in found:
                return None
            found[key] = content
    return found


def _table_name(code: str) -> str:
    """The name in the brackets; empty if a TOML parser must read it."""
    name = code[1:-1]
    return name if code.endswith("]") and _is_bare(name) else ""


def _assignment(code: str) -> tuple[str, Any]:
    """The key and its value; the value is None if a TOML parser must read it."""
    name, _, written = (part.strip(_SPACE) for part in code.partition("="))
    if not _is_bare(name):
        return name, None
    return name, _content(written)


def _is_bare(name: str) -> bool:
    return name.replace("_", "a").replace("-", "a").isalnum()


def _content(written: str) -> Any:
    if written in ("true", "false"):
        return written == "true"
    if written[:1] == '"':
        return _word(written)
    if written[:1] == "[" and written[-1:] == "]":
        inside = written[1:-1].strip(_SPACE)
        words = [_word(part.strip(_SPACE)) for part in inside.split(",")] if inside else []
        return None if None in words else words
    return _number(written)


def _word(written: str) -> str | None:
    inside = written[1:-1]
    is_quoted = len(written) > 1 and written[0] == written[-1] == '"'
    return inside if is_quoted and '"' not in inside and "\\" not in inside else None


def _number(written: str) -> int | float | None:
    whole, point, fraction = written.partition(".")
    if not whole.isdecimal() or (len(whole) > 1 and whole[0] == "0") or len(written) > _MOST_DIGITS:
        return None
    if not point:
        return int(whole)
    return float(written) if fraction.isdecimal() else None
