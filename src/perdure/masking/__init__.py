"""Owns: masking credentials in what is about to be stored.

Invariants: pure values in, values out; nothing of any input is kept; masking what is masked
changes nothing; no text raises. Without its rules it does not guess: RulesUnavailable, and the
caller must not store. Two stages: `_screen` says in a few microseconds that there is nothing to
find, `_find` looks with the maintained rules of gitleaks (`_ruleset`) and our own shapes
(`_shapes`). Nothing of the second is loaded before the first asks for it.

Use::

    payload, masked = mask_json({"text": "export GITHUB_TOKEN=ghp_…"})
    # {"text": "export GITHUB_TOKEN=[masked:github-pat]"}, 1
"""

from __future__ import annotations

from perdure.errors import Trouble

from ._screen import is_uuid_or_digest, may_hold_secret, may_name_credential

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

__all__ = ["RulesUnavailable", "looks_secret", "mask_json", "mask_text"]

_FIELD = "[masked:credential-field]"


class RulesUnavailable(Trouble):
    """The rules cannot be found, read or compiled: nothing may be stored unmasked."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "no_masking_rules",
            f"Credentials cannot be masked: {why}. Nothing was written.",
            hint="Install Perdure again: it brings the rules with it.",
        )


def mask_text(text: str) -> tuple[str, int]:
    """The text with marks in place of secrets, and how many were masked."""
    if not may_hold_secret(text):
        return text, 0
    from ._find import mask

    return mask(text)


def looks_secret(text: str) -> bool:
    """For what must be kept as it is or not at all: an id, a name of a file."""
    return bool(mask_text(text)[1])


def mask_json(value: Json) -> tuple[Json, int]:
    """The value with all strings and keys masked, and how many; the same object when there are none.

    A string under a key that names a credential is masked whole.
    """
    containers: list[list[Json] | dict[str, Json]] = []
    texts: list[str] = []
    if not _collect(value, containers, texts) and not may_hold_secret("\0".join(texts)):
        return value, 0
    return _rebuild(value, containers)


def _collect(value: Json, containers: list[list[Json] | dict[str, Json]], texts: list[str]) -> bool:
    """Gather containers, parents first, and texts; whether a key of theirs names a credential."""
    named = False
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, (dict, list)):
        containers.append(value)
    for container in containers:  # grows while we walk: no recursion, so no limit to depth
        items: Iterable[Json] = container
        if isinstance(container, dict):
            texts.extend(container)
            for key in container:
                if _masks_whole(key, container[key]):
                    named = True
            items = container.values()
        for item in items:
            if isinstance(item, str):
                if not is_uuid_or_digest(item):
                    texts.append(item)
            elif isinstance(item, (dict, list)):
                containers.append(item)
    return named


def _masks_whole(key: str, item: Json) -> bool:
    """Whether the item is masked for its key."""
    if not may_name_credential(key) or not isinstance(item, str) or not item:
        return False
    from ._names import AMBIGUOUS, is_mixed, is_placeholder, names_credential

    if is_placeholder(item):
        return False
    return names_credential(key) or (key.lower() in AMBIGUOUS and is_mixed(item))


def _rebuild(value: Json, containers: list[list[Json] | dict[str, Json]]) -> tuple[Json, int]:
    """The value anew, innermost containers first, sharing all that has not changed."""
    anew: dict[int, Json] = {}
    count = 0

    def masked(item: Json) -> Json:
        nonlocal count
        if isinstance(item, str):
            text, found = mask_text(item)
            count += found
            return text if found else item
        return anew.get(id(item), item)

    def entry(key: str, item: Json) -> Json:
        nonlocal count
        if _masks_whole(key, item):
            count += 1
            return _FIELD
        return masked(item)

    for container in reversed(containers):
        if isinstance(container, list):
            items = [masked(item) for item in container]
            if any(new is not old for new, old in zip(items, container, strict=True)):
                anew[id(container)] = items
        else:
            entries: dict[str, Json] = {}
            changed = False
            for key, item in container.items():
                new_key, new_item = masked(key), entry(key, item)
                changed = changed or new_key is not key or new_item is not item
                entries[_free(str(new_key), entries)] = new_item
            if changed:
                anew[id(container)] = entries
    return masked(value), count


def _free(key: str, entries: dict[str, Json]) -> str:
    """A key not taken yet: two masked ones must not become one entry."""
    if key not in entries:
        return key
    number = 2
    while f"{key}#{number}" in entries:
        number += 1
    return f"{key}#{number}"
