"""How full the context is, as the end of a client's transcript says (SPEC 10.5). Pure.

The client writes down with each answer how many tokens the model read. Figures from before a compaction do not count;
the compaction itself may say how many are left. If there are no figures, the texts are counted: that is an estimate.

    figures_in(lines)       Figures(tokens=61_204, is_counted=True), or None
"""

from __future__ import annotations

from perdure.model.json import parse
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.model.json import Json

CHARACTERS_PER_TOKEN = 4
_TELLING = (b'"usage"', b'"compact_boundary"')
"""A line that has figures, or ends those before it, has one of these."""


@value
class Figures:
    tokens: int
    is_counted: bool


def figures_in(lines: Sequence[bytes]) -> Figures | None:
    """`lines`: the end of a transcript. The first may be cut off; what cannot be read is passed over."""
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if not any(sign in line for sign in _TELLING):
            continue
        content = _parsed(line)
        if _is_boundary(content):
            left = _left_after(content)
            return Figures(left, is_counted=True) if left else _estimated(lines[place + 1 :])
        tokens = tokens_used(content) if _is_answer(content) else 0
        if tokens:
            return Figures(tokens, is_counted=True)
    return _estimated(lines)


TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def tokens_used(content: dict[str, Json]) -> int:
    """The size of the context that the answer was made with; 0 if the client does not say."""
    message = content.get("message")
    usage = message.get("usage") if isinstance(message, dict) else None
    if not isinstance(usage, dict):
        return 0
    return sum(_number(usage, name) for name in TOKENS)


def _number(of: dict[str, Json], name: str) -> int:
    found = of.get(name)
    return found if type(found) is int and found > 0 else 0


def _parsed(line: bytes) -> dict[str, Json]:
    try:
        content = parse(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _is_boundary(content: dict[str, Json]) -> bool:
    return content.get("type") == "system" and content.get("subtype") == "compact_boundary"


def _is_answer(content: dict[str, Json]) -> bool:
    """An answer of the agent itself. A subagent has a context of its own."""
    return content.get("type") == "assistant" and content.get("isSidechain") is not True


def _left_after(content: dict[str, Json]) -> int:
    about = content.get("compactMetadata")
    left = about.get("postTokens") if isinstance(about, dict) else None
    return left if type(left) is int and left > 0 else 0


def _estimated(lines: Sequence[bytes]) -> Figures | None:
    contents = (_parsed(line) for line in lines)
    characters = sum(
        _characters(content.get("message"))
        for content in contents
        if content.get("type") in ("user", "assistant") and content.get("isSidechain") is not True
    )
    return Figures(characters // CHARACTERS_PER_TOKEN, is_counted=False) if characters else None


def _characters(content: Json) -> int:
    """The characters of all texts in it."""
    found, left = 0, [content]
    while left:
        each = left.pop()
        if isinstance(each, str):
            found += len(each)
        elif isinstance(each, dict):
            left += each.values()
        elif isinstance(each, list):
            left += each
    return found
