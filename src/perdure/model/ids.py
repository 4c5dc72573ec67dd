"""Identifiers and their checks. An id from outside is a `str` until one of these functions has seen it.

Invariant: what `token_of` returns, and what `is_uuid` or `is_token` accepts, is safe as a file name: it has no
separator, no dot at its beginning, no control character, and a bounded length.
"""

from __future__ import annotations

import os

from perdure.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NewType

    EventId = NewType("EventId", str)
    LedgerId = NewType("LedgerId", str)
    ProjectId = NewType("ProjectId", str)
    InstanceId = NewType("InstanceId", str)
    SessionId = NewType("SessionId", str)
    TransactionId = NewType("TransactionId", str)
    TaskId = NewType("TaskId", str)
    Hash = NewType("Hash", str)
else:
    EventId = LedgerId = ProjectId = InstanceId = SessionId = TransactionId = TaskId = Hash = str

SHORT = 8
"""Characters of an id that are shown (SPEC 1)."""
LEAST = 4
"""Characters of an id that must be typed (SPEC 17.7). Where a name of another kind may stand too, `SHORT` of them."""

_NAMESPACE = bytes.fromhex("8a1d8c0e5f0b5c52a3c1f0c1e6b7d9aa")
_HEX = frozenset("0123456789abcdef")
_TOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_LONGEST_TOKEN = 128
_LONGEST_OPAQUE = 200


def _format(raw: bytes, version: int) -> str:
    digits = bytearray(raw)
    digits[6] = digits[6] & 0x0F | version << 4
    digits[8] = digits[8] & 0x3F | 0x80
    text = digits.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def new_id() -> str:
    """A random UUID (version 4)."""
    return _format(os.urandom(16), 4)


def derived_id(*parts: str) -> str:
    """The same UUID (version 5) for the same parts, on every machine."""
    from perdure.model.digest import sha1  # most processes only read ids

    return _format(sha1(_NAMESPACE + "\x00".join(parts).encode("utf-8", "surrogatepass")).digest()[:16], 5)


def is_uuid(text: str) -> bool:
    groups = text.split("-")
    return [len(group) for group in groups] == [8, 4, 4, 4, 12] and all(_HEX.issuperset(group) for group in groups)


def is_token(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_TOKEN and _TOKEN.issuperset(text) and text[0] not in ".-"


def token_of(text: str, what: str) -> str:
    """A foreign id (a client's session id, a CI job's name) that is safe in a path and in a line of text."""
    if not is_token(text):
        raise BadInput(
            "bad_id",
            f"{what} {shown(text)} is not usable: letters, digits, '.', '_' and '-' only, at most {_LONGEST_TOKEN}.",
            hint="Pass the id exactly as the client gave it.",
        )
    return text


def prefix_of(text: str, what: str, least: int = LEAST) -> str:
    """An id of ours as it was typed: the whole UUID, or at least its first 4 characters, or as many as `least` says."""
    typed = text.strip().lower()
    if not least <= len(typed) <= 36 or not _HEX.issuperset(typed.replace("-", "")):
        raise BadInput(
            "bad_id",
            f"{what} {shown(text)} is not an id: give the whole id, or its first {least} or more characters.",
            hint="Ids are UUIDs such as 3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70.",
        )
    return typed


def short(identifier: str) -> str:
    return identifier[:SHORT]


def told_apart(one: str, other: str) -> tuple[str, str]:
    """Both shortened; or whole, if they would look the same."""
    return (short(one), short(other)) if short(one) != short(other) else (one, other)


def short_task(task_id: str) -> str:
    """A task of another tool has an id of its own kind, such as `bd-a3f8.1`: it is shown whole."""
    return short(task_id) if is_uuid(task_id) else task_id


def is_hash(text: str) -> bool:
    return len(text) == 64 and _HEX.issuperset(text)


def opaque_of(text: str, what: str) -> str:
    """An id that only its author understands (a foreign task's, an audit session's): any text that fits into one line
    and into canonical JSON. It is never used as a file name."""
    if 0 < len(text) <= _LONGEST_OPAQUE and not any(map(_is_control, text)):
        return text
    raise BadInput(
        "bad_id",
        f"{what} {shown(text)} is not usable: 1 to {_LONGEST_OPAQUE} characters, none of them a control character.",
        hint="Pass the id exactly as it was given.",
    )


def _is_control(character: str) -> bool:
    """Control characters, line separators, lone surrogates."""
    is_control = character < " " or "\x7f" <= character <= "\x9f"
    return is_control or character in "\u2028\u2029" or "\ud800" <= character <= "\udfff"


def shown(text: str) -> str:
    """Foreign text made safe for a message: printable, quoted, truncated."""
    printable = "".join(c if c.isprintable() else "?" for c in text[:60])
    return f"'{printable}{'…' if len(text) > 60 else ''}'"
