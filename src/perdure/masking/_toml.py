"""Reads the rule file, which is TOML, fast.

Invariants: ``read(text)`` equals ``tomllib.loads(text)`` for every text that is TOML. The quick way
reads only the few forms that the gitleaks generator writes, and must account for every character of
the file; at the first form it does not know, tomllib reads the whole file instead. Why it exists:
importing tomllib and parsing the 98 KB takes about 30 ms, ten times as long as this, and a
short-lived process pays for that at its first suspicious text.

Use: ``read(source)["rules"]``
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STRING = r"""(?:'''[^'\n\r]*(?:'{1,2}[^'\n\r]+)*'''(?!')|"[^"\\\n\r]*")"""
_STATEMENT = re.compile(
    rf"""
      [ \t]*(?:\#[^\n\r]*)?\n
    | \[\[(?P<many>\w+(?:\.\w+)?)\]\]\n
    | \[(?P<one>\w+)\]\n
    | (?P<key>\w+)\ =\ (?:
          (?P<string>{_STRING})
        | (?P<float>[1-9]\d*\.\d+|0\.\d+)
        | (?P<int>[1-9]\d*|0)
        | \[(?P<items>\s*(?:{_STRING}\s*(?:,\s*|(?=\])))*)\]
      )\n
    """,
    re.VERBOSE | re.ASCII,
)
_ITEM = re.compile(_STRING)


class _Unfamiliar(Exception):
    """The quick way found a form that it cannot read."""


def read(text: str) -> dict[str, Any]:
    """The document as plain values."""
    try:
        return read_quickly(text)
    except _Unfamiliar:
        import tomllib

        return tomllib.loads(text)


def read_quickly(text: str) -> dict[str, Any]:
    """Like ``read``, for the generator's forms only; raises for any other."""
    document: dict[str, Any] = {}
    table = document
    at = 0
    while at < len(text):
        statement = _STATEMENT.match(text, at)
        if not statement:
            raise _Unfamiliar(text[at : at + 40])
        at = statement.end()
        key = statement.group("key")
        if key:
            if key in table:
                raise _Unfamiliar(key)
            table[key] = _value(statement)
        elif statement.group("many"):
            table = {}
            _list_at(document, statement.group("many")).append(table)
        elif statement.group("one"):
            if statement.group("one") in document:
                raise _Unfamiliar(statement.group("one"))
            table = document[statement.group("one")] = {}
    return document


def _list_at(document: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """The list of tables a ``[[a.b]]`` header adds to: ``b`` of the newest ``a``."""
    outer, _, inner = path.partition(".")
    owner: dict[str, Any] = document
    if inner:
        tables = document.get(outer)
        if not isinstance(tables, list):
            raise _Unfamiliar(path)
        owner, outer = tables[-1], inner
    found = owner.setdefault(outer, [])
    if not isinstance(found, list) or (found and not isinstance(found[0], dict)):
        raise _Unfamiliar(path)
    return found


def _value(statement: re.Match[str]) -> Any:
    string, real, whole, items = statement.group("string", "float", "int", "items")
    if string is not None:
        return _unquoted(string)
    if real is not None:
        return float(real)
    if whole is not None:
        return int(whole)
    return [_unquoted(item) for item in _ITEM.findall(items)]


def _unquoted(string: str) -> str:
    return string[3:-3] if string[0] == "'" else string[1:-1]
