"""Masks credentials in text and JSON before they are stored.

Invariants: pure values in, values out; no part of an input is kept; masking a masked text changes
nothing; no text raises. If the rules cannot be loaded, masking raises RulesUnavailable, and the
caller must not store anything. There are two stages: `_screen` says in a few microseconds that a
text holds no secret; `_find` searches with the maintained rules of gitleaks (`_ruleset`) and our
own shapes (`_shapes`). The modules of the second stage are imported only when the first stage
asks for them.

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
    """The rules cannot be found, read or compiled. Nothing may be stored without masking."""

    def __init__(self, why: str) -> None:
        super().__init__(
            "no_masking_rules",
            f"Credentials cannot be masked: {why}. Nothing was written.",
            hint="Install Perdure again: it brings the rules with it.",
        )


def mask_text(text: str) -> tuple[str, int]:
    """The text with marks in place of secrets, and the number of secrets."""
    if not may_hold_secret(text):
        return text, 0
    from ._find import mask

    return mask(text)


def looks_secret(text: str) -> bool:
    """Whether masking would change the text. For what is stored unchanged or not at all: an id, a file's name."""
    return bool(mask_text(text)[1])


def mask_json(value: Json) -> tuple[Json, int]:
    """The value with all strings and keys masked, and the number of secrets; the same object when there are none.

    A string under a key that names a credential is replaced as a whole.
    """
    containers: list[list[Json] | dict[str, Json]] = []
    texts: list[str] = []
    if not _collect(value, containers, texts) and not may_hold_secret("\0".join(texts)):
        return value, 0
    return _rebuild(value, containers)


def _collect(value: Json, containers: list[list[Json] | dict[str, Json]], texts: list[str]) -> bool:
    """Fill both lists, the containers parents first. Returns whether a key in one of them names a credential."""
    named = False
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, (dict, list)):
        containers.append(value)
    for container in containers:  # the list grows while we walk it: no recursion, so no limit to depth
        if isinstance(container, dict):
            texts.extend(container)
            if _has_credential_field(container):
                named = True
            _collect_items(container.values(), containers, texts)
        else:
            _collect_items(container, containers, texts)
    return named


def _collect_items(items: Iterable[Json], containers: list[list[Json] | dict[str, Json]], texts: list[str]) -> None:
    """Sort the items of one container into the two lists."""
    for item in items:
        if isinstance(item, str):
            if not is_uuid_or_digest(item):
                texts.append(item)
        elif isinstance(item, (dict, list)):
            containers.append(item)


def _has_credential_field(container: dict[str, Json]) -> bool:
    for key, item in container.items():  # noqa: SIM110 – any() takes twice as long
        if _masks_whole(key, item):
            return True
    return False


def _masks_whole(key: str, item: Json) -> bool:
    """Whether the item is a string that is replaced as a whole because its key names a credential."""
    if not may_name_credential(key) or not isinstance(item, str) or not item:
        return False
    from ._names import AMBIGUOUS, is_mixed, is_placeholder, names_credential

    if is_placeholder(item):
        return False
    return names_credential(key) or (key.lower() in AMBIGUOUS and is_mixed(item))


def _rebuild(value: Json, containers: list[list[Json] | dict[str, Json]]) -> tuple[Json, int]:
    """A copy of the value with secrets masked, and how many. Containers without secrets are shared with the original.

    Innermost containers come first, so that a container's items are already replaced when its turn comes.
    """
    replaced: dict[int, Json] = {}  # by the id of the original container
    count = 0
    for container in reversed(containers):
        copy: Json
        if isinstance(container, list):
            copy, found = _masked_list(container, replaced)
        else:
            copy, found = _masked_dict(container, replaced)
        count += found
        if copy is not container:
            replaced[id(container)] = copy
    masked, found = _masked(value, replaced)
    return masked, count + found


def _masked(item: Json, replaced: dict[int, Json]) -> tuple[Json, int]:
    """What stands in the item's place, and how many secrets were masked for it; the item itself if there are none."""
    if not isinstance(item, str):
        return replaced.get(id(item), item), 0
    text, found = mask_text(item)
    return (text, found) if found else (item, 0)


def _masked_list(items: list[Json], replaced: dict[int, Json]) -> tuple[list[Json], int]:
    copy: list[Json] = []
    count = 0
    changed = False
    for item in items:
        masked, found = _masked(item, replaced)
        copy.append(masked)
        count += found
        if masked is not item:
            changed = True
    return (copy, count) if changed else (items, count)


def _masked_dict(entries: dict[str, Json], replaced: dict[int, Json]) -> tuple[dict[str, Json], int]:
    copy: dict[str, Json] = {}
    count = 0
    changed = False
    for key, item in entries.items():
        new_key, found_in_key = mask_text(key)
        new_item: Json
        if _masks_whole(key, item):
            new_item, found = _FIELD, 1
        else:
            new_item, found = _masked(item, replaced)
        if found_in_key or new_item is not item:
            changed = True
        copy[_free(new_key, copy)] = new_item
        count += found_in_key + found
    return (copy, count) if changed else (entries, count)


def _free(key: str, entries: dict[str, Json]) -> str:
    """The key, numbered if it is taken: two masked keys must not become one entry."""
    if key not in entries:
        return key
    number = 2
    while f"{key}#{number}" in entries:
        number += 1
    return f"{key}#{number}"
