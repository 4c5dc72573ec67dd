"""When two decisions are about the same key, and when two values say the same (SPEC 7.4, docs/adr/0054).

same_key("Journal mode") == same_key("journal_mode")
plain_value(" 1.0 ") == plain_value("1")
plain_value("3.10") != plain_value("3.1")            # two versions of a program
"""

from __future__ import annotations

import re
from hashlib import sha256
from unicodedata import normalize

from perdure.model.ids import derived_id
from perdure.model.json import compact, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_NUMBER = re.compile(r"([+-]?)0*(\d+)(?:\.(\d+))?\Z", re.ASCII)
_LONGEST_JSON = 100_000
"""Characters. A longer value is compared as text."""
_DIGEST = 32


def same_key(key: str) -> str:
    """The form in which keys are compared: case, and whether words are separated by spaces, `_` or `-`, do not
    matter."""
    return _BETWEEN_WORDS.sub("_", normalize("NFKC", key).casefold().strip())


def key_id(key: str) -> str:
    """The id of the document that lists the decisions on this key."""
    return derived_id("decided_key", same_key(key))


def plain_value(value: str) -> str:
    """The form in which values are compared. White space around a value does not matter. A whole number may have a
    fraction of zeros; other digits count, because 3.1 and 3.10 may be versions. JSON is compared by its content, and
    a string in JSON's quotes equals the bare one. Case counts, except in `true`, `false` and `null`."""
    text = normalize("NFC", value).strip()
    if text[:1] in ('"', "[", "{") and len(text) <= _LONGEST_JSON:
        found = _parsed(text)
        if isinstance(found, str):
            return plain_value(found) if found != value else found
        if found is not None:
            return compact(_plain_json(found))
    return _plain_word(text)


def value_digest(value: str) -> str:
    return sha256(plain_value(value).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]


def _parsed(text: str) -> Json:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


def _plain_word(text: str) -> str:
    if text.lower() in ("true", "false", "null"):
        return text.lower()
    number = _NUMBER.match(text)
    if number is None:
        return text
    sign, whole, fraction = number[1], number[2], (number[3] or "").strip()
    rest = f".{fraction}" if fraction.strip("0") else ""
    is_zero = not whole.strip("0") and not rest
    return f"{'-' if sign == '-' and not is_zero else ''}{whole}{rest}"


def _plain_json(content: Json) -> Json:
    if isinstance(content, dict):
        return {name: _plain_json(content[name]) for name in sorted(content)}
    if isinstance(content, list):
        return [_plain_json(part) for part in content]
    if isinstance(content, float) and content.is_integer():
        return int(content)
    return content
