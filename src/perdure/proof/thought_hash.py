"""The thought record's own hash and chain (SPEC 14.3, 14.4; seed 003). Pure.

The hash covers exactly `content`, `id`, `prev_hash`, `task_id`, `timestamp`, `type`: neither who thought it nor the
audit session it is bound to. Records of one task are chained in order of insertion. Where several ledgers stand side by
side, each carries its own chain of the task, and the first record of one may go on from another's.

    record_hash(id, "plan", "task-1", content="hello", timestamp="2026-01-01T00:00:00.000Z", prev_hash=GENESIS)
"""

from __future__ import annotations

from hashlib import sha256
from json.encoder import encode_basestring

from perdure.model.event import GENESIS
from perdure.model.ids import Hash
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEX = frozenset("0123456789abcdef")
TYPES = ("plan", "analysis", "decision", "reflection")


def record_hash(id: str, type: str, task_id: str, *, content: str, timestamp: str, prev_hash: str) -> Hash:
    covered = {
        "content": content,
        "id": id,
        "prev_hash": prev_hash,
        "task_id": task_id,
        "timestamp": timestamp,
        "type": type,
    }
    text = "{" + ",".join(f'"{name}":{_quoted(said)}' for name, said in covered.items()) + "}"
    return Hash(sha256(text.encode()).hexdigest())


def _quoted(text: str) -> str:
    """As JSON, non-ASCII as itself; a lone surrogate, which UTF-8 cannot carry, as its escape."""
    quoted: str = encode_basestring(text)
    return "".join(f"\\u{ord(c):04x}" if _is_surrogate(c) else c for c in quoted) if _has_surrogate(quoted) else quoted


# -- lone surrogates -------------------------------------------------------------------------------------------------
# An event's payload cannot hold them (SPEC 2.2), the record's hash covers them: so where they stood is kept beside it.


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any(map(_is_surrogate, text))


def paired(text: str) -> str:
    """The text with the two halves of a pair made the one character they stand for: what is left is alone."""
    if not _has_surrogate(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def lone_in(text: str) -> tuple[str, ...]:
    if not _has_surrogate(text):
        return ()
    return tuple(f"{position}:{ord(c):04x}" for position, c in enumerate(text) if _is_surrogate(c))


def with_lone(text: str, lone: Sequence[str]) -> str:
    """The inverse. What does not fit the text is passed over: the hash then tells that something was altered."""
    if not lone:
        return text
    characters = list(text)
    for each in lone:
        position, _, code = each.partition(":")
        if position.isdecimal() and int(position[:9]) < len(characters) and _names_surrogate(code):
            characters[int(position[:9])] = chr(int(code, 16))
    return "".join(characters)


def _names_surrogate(code: str) -> bool:
    return len(code) == 4 and _HEX.issuperset(code) and "d800" <= code <= "dfff"


# -- the chain -------------------------------------------------------------------------------------------------------


@value
class Link:
    """One record as it is met in its ledger's order.

    `computed_hash` is computed from its content, None if that was erased. `prev_hash` and `hash` are what the record
    states or, if it was erased, what the redaction kept; None if nothing says what they were. `follows` is the hash of
    the record in another ledger that this one says it continues."""

    ledger_id: str
    task_id: str
    id: str
    computed_hash: str | None
    prev_hash: str | None
    hash: str | None
    follows: str | None = None


@value
class TaskChain:
    task_id: str
    record_count: int = 0
    broken_count: int = 0
    redacted_count: int = 0
    first_broken_at: str | None = None

    @property
    def valid(self) -> bool:
        return self.broken_count == 0


class Verifying:
    """Takes links one by one; `tasks` is what was found. A record is broken where 1 its words do not give its hash, 2
    nothing says what was erased, or 3 it does not link to the record before it."""

    def __init__(self) -> None:
        self.tasks: dict[str, TaskChain] = {}
        self.first_broken_at: str | None = None
        self._ends: dict[tuple[str, str], str | None] = {}

    def goes_on_from(self, ledger_id: str, task_id: str, hash: str | None) -> None:
        """The chain's last record before those that are taken, unless one was taken already."""
        self._ends.setdefault((ledger_id, task_id), hash)

    def take(self, link: Link) -> None:
        before = self.tasks.get(link.task_id) or TaskChain(link.task_id)
        broken = self._is_broken(link)
        self._ends[link.ledger_id, link.task_id] = link.hash
        if broken and self.first_broken_at is None:
            self.first_broken_at = link.id
        self.tasks[link.task_id] = replace(
            before,
            record_count=before.record_count + 1,
            broken_count=before.broken_count + broken,
            redacted_count=before.redacted_count + (link.computed_hash is None and not broken),
            first_broken_at=before.first_broken_at or (link.id if broken else None),
        )

    def _is_broken(self, link: Link) -> bool:
        if link.hash is None or link.prev_hash is None:  # 2
            return True
        if link.computed_hash is not None and link.computed_hash != link.hash:  # 1
            return True
        expected = self._ends.get((link.ledger_id, link.task_id), link.follows or GENESIS)
        return expected is not None and link.prev_hash != expected  # 3
