"""Which texts repeat others. `perdure redact` names the events that still have the words it erased (SPEC 2.2).

A text repeats another one if it has that one in it, or if it is a part of it with two words or more: a claim quotes a
sentence of a prompt. Short texts are not compared, because they are in many events by chance.

    Repeated(["Lindqvist"]).is_in("ask Lindqvist first")
    words_in(event)                                             the texts that somebody wrote
"""

from __future__ import annotations

from perdure.model.ids import is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.model.event import Event
    from perdure.model.json import Json

SHORTEST = 8
"""Characters."""
_SHORTEST_HASH = 16
_HEX = frozenset("0123456789abcdef")
_CHOSEN_BY_PERDURE = frozenset(
    ("outcome", "grounding", "origin", "status", "about", "kept", "side", "source", "type", "form", "mode", "effect")
)
"""Fields whose texts come from a fixed list, in every kind of event."""
_PLACES = frozenset(("project_path", "branch"))
"""Where the work was. Nobody wrote that as a text, and most events have the same: to erase those too would take the
project and its sessions out of the record."""


class Repeated:
    """The texts that others may repeat. It is asked about every text of a ledger, so it is quick also if a text is
    long."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._beginnings = {text[n : n + SHORTEST] for text in texts for n in range(len(text) - SHORTEST + 1)}
        """How a part of them can begin."""

    def is_in(self, text: str) -> bool:
        if len(text) < SHORTEST:
            return False
        if any(each in text for each in self._texts):
            return True
        return " " in text and text[:SHORTEST] in self._beginnings and any(text in each for each in self._texts)


def texts_in(content: Json, name: str = "") -> Iterator[tuple[str, str]]:
    """Each text in a payload, with the name of the field that it is in."""
    if isinstance(content, str):
        yield name, content
    elif isinstance(content, dict):
        for key, part in content.items():
            yield from texts_in(part, key)
    elif isinstance(content, list):
        for part in content:
            yield from texts_in(part, name)


def words_in(event: Event) -> list[str]:
    """Each once. A prompt is also told by its id: a claim that quotes it names it, and may have its words with other
    spaces."""
    is_assessment = event.kind.startswith("transaction.")
    found = {
        text: None
        for name, text in texts_in(event.payload)
        if len(text) >= SHORTEST
        and name not in _CHOSEN_BY_PERDURE
        and name not in _PLACES
        and not (is_assessment and name == "decision")
        and not _is_id(text)
    }
    return [*found, *([event.id] if event.kind == "prompt.given" else [])]


def _is_id(text: str) -> bool:
    return is_uuid(text) or (len(text) >= _SHORTEST_HASH and _HEX.issuperset(text))
