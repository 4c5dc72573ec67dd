"""Events as lines of JSON: the one text form, for exports, imports, backups and tracked segments.

A line has every field of the event. If the payload was erased or withheld, `payload` is null and `absent` says why.
Reading is strict: a line that is not exactly an event is refused, and the error names the field.
"""

from __future__ import annotations

from perdure.errors import BadInput
from perdure.model.event import Event
from perdure.model.ids import (
    EventId,
    Hash,
    InstanceId,
    LedgerId,
    ProjectId,
    SessionId,
    TaskId,
    TransactionId,
    is_hash,
    is_uuid,
    shown,
)
from perdure.model.json import compact, decoder
from perdure.model.json import quoted as _quoted
from perdure.model.moment import Stamp, read_stamp
from perdure.model.value import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from perdure.model.event import Absence
    from perdure.model.json import Json

_SAFE_INTEGER = 2**53
_FIELDS = frozenset(fields(Event))
"""The names of the fields before the payload, without `ledger_id`, and of those after it."""


def _integer(digits: str) -> int | float:
    """An integer beyond 2^53 is stored as a string in our events (SPEC 2.2), so such a number is refused."""
    number = int(digits) if len(digits) < 18 else _SAFE_INTEGER
    return number if -_SAFE_INTEGER < number < _SAFE_INTEGER else float("nan")


def _real(text: str) -> float:
    """From 2^53 up to 10^21, canonical JSON writes a float as an integer, which is refused like any other so large."""
    number = float(text)
    return float("nan") if _SAFE_INTEGER <= abs(number) < 1e21 else number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


_decode = decoder(parse_int=_integer, parse_float=_real, object_pairs_hook=_object)


def to_json(event: Event) -> dict[str, Json]:
    line: dict[str, Any] = {name: content for name, content in event.__dict__.items() if content is not None}
    line["payload"] = event.payload
    return line


def to_line(event: Event) -> str:
    return compact(to_json(event)) + "\n"


def row_to_line(ledger_id: str, row: Sequence[Any]) -> str:
    """`to_line` for a row of a store, which has the payload as text: the fields of an event in order, without
    `ledger_id`. If that text is canonical, as it is when it was hashed, the line is the same, and made much faster."""
    seq, clock, id_, kind, ts, project, session, transaction, instance, task, actor, schema, payload = row[:13]
    payload_hash, prev_hash, hash_, absent = row[13:]
    first = "" if payload is None else f'"payload":{payload},'
    last = "" if payload is not None else f',{_field("absent", absent)}"payload":null'
    return (
        f'{{"ledger_id":"{ledger_id}","seq":{seq:d},"clock":{clock:d},"id":{_quoted(id_)},"kind":{_quoted(kind)},'
        f'"ts":{_quoted(ts)},"project_id":{_quoted(project)},{_field("session_id", session)}'
        f"{_field('transaction_id', transaction)}{_field('instance_id', instance)}{_field('task_id', task)}"
        f'{_field("actor", actor)}"schema":{schema:d},{first}"payload_hash":{_quoted(payload_hash)},'
        f'"prev_hash":{_quoted(prev_hash)},"hash":{_quoted(hash_)}{last}}}\n'
    )


def _field(name: str, content: str | None) -> str:
    return "" if content is None else f'"{name}":{_quoted(content)},'


def says(line: bytes, ledger_id: str, row: Sequence[Any], *, or_redacted: bool = False) -> bool:
    """Whether a line of a file and a row of a store are the same event. They are compared as text first; if that
    differs (a number can be written in two ways), as events. `or_redacted`: the line may lack the payload."""
    if or_redacted and says(line, ledger_id, [*row[:12], None, *row[13:16], "redacted"]):
        return True
    try:
        if line == row_to_line(ledger_id, row).encode():
            return True
        make: Any = Event
        payload = None if row[12] is None else _decode(row[12])
        said, held = from_line(line, ""), make(ledger_id, *row[:12], payload, *row[13:])
        return bool(said == held)
    except (TypeError, ValueError, AttributeError, RecursionError, BadInput):
        return False


def out_of_place(lines: Iterable[bytes], size: int) -> int | None:
    """Looks at the lines that follow the first `size` events in a file. Returns the number of an event that belongs
    before them, or 0 for a line that is not an event. A line that a crash cut is neither: the next append removes
    it."""
    for line in lines:
        try:
            event = from_line(line, "") if line.endswith(b"\n") else None
        except BadInput:
            return 0
        if event and event.seq <= size:
            return event.seq
    return None


def from_line(line: str | bytes, where: str) -> Event:
    try:
        text = line.decode() if isinstance(line, bytes) else line
        raw = _decode(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("bad_event", f"{where}: not a line of JSON.") from error
    if not isinstance(raw, dict):
        raise BadInput("bad_event", f"{where}: not a JSON object.")
    return _Line(raw, where).event()


class _Line:
    """The fields of one line; each is checked when it is read."""

    def __init__(self, raw: dict[str, Json], where: str) -> None:
        self._raw = raw
        self._where = where

    def _error(self, name: str, why: str) -> BadInput:
        return BadInput("bad_event", f"{self._where}: field '{name}' {why}.", details={"field": name})

    def _text(self, name: str) -> str:
        content = self._raw.get(name)
        if not isinstance(content, str) or not content or not _is_sound(content):
            raise self._error(name, "must be a string")
        return content

    def _maybe(self, name: str) -> str | None:
        return None if self._raw.get(name) is None else self._text(name)

    def _uuid(self, name: str) -> str:
        text = self._text(name)
        if not is_uuid(text):
            raise self._error(name, "must be a UUID")
        return text

    def _hash(self, name: str) -> Hash:
        text = self._text(name)
        if not is_hash(text):
            raise self._error(name, "must be 64 hexadecimal digits")
        return Hash(text)

    def _number(self, name: str) -> int:
        number = self._raw.get(name)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number < _SAFE_INTEGER:
            raise self._error(name, "must be a whole number from 1 on")
        return number

    def _payload(self) -> dict[str, Json] | None:
        payload = self._raw.get("payload")
        if payload is not None and not isinstance(payload, dict):
            raise self._error("payload", "must be an object or null")
        if not _is_sound(payload):
            raise self._error("payload", "holds what canonical JSON cannot carry")
        return payload

    def _absent(self) -> Absence | None:
        absent = self._raw.get("absent")
        if absent not in (None, "redacted", "withheld"):
            raise self._error("absent", "must be 'redacted' or 'withheld'")
        if (absent is None) == (self._raw.get("payload") is None):
            raise self._error("absent", "must be given exactly where the payload is null")
        return absent  # type: ignore[return-value]

    def _stamp(self) -> Stamp:
        try:
            return read_stamp(self._text("ts"))
        except BadInput as error:
            raise self._error("ts", "must be a time such as 2026-01-01T00:00:00.000Z") from error

    def _session(self) -> SessionId | None:
        session = self._maybe("session_id")
        return None if session is None else SessionId(session)

    def event(self) -> Event:
        unknown = sorted(self._raw.keys() - _FIELDS)
        if unknown:
            raise self._error(shown(unknown[0]).strip("'"), "is not a field of an event")
        transaction, instance, task = self._maybe("transaction_id"), self._maybe("instance_id"), self._maybe("task_id")
        return Event(
            ledger_id=LedgerId(self._uuid("ledger_id")),
            seq=self._number("seq"),
            clock=self._number("clock"),
            id=EventId(self._uuid("id")),
            kind=self._text("kind"),
            ts=self._stamp(),
            project_id=ProjectId(self._uuid("project_id")),
            session_id=self._session(),
            transaction_id=None if transaction is None else TransactionId(transaction),
            instance_id=None if instance is None else InstanceId(instance),
            task_id=None if task is None else TaskId(task),
            actor=self._maybe("actor"),
            schema=self._number("schema"),
            payload=self._payload(),
            payload_hash=self._hash("payload_hash"),
            prev_hash=self._hash("prev_hash"),
            hash=self._hash("hash"),
            absent=self._absent(),
        )


def _is_sound(content: Json) -> bool:
    """Whether the value has canonical bytes: no NaN, no infinity, no integer beyond 2^53, no lone surrogate. Anything
    else was never hashed."""
    if isinstance(content, str) and content.isascii():
        return True
    try:
        compact(content).encode()
    except (ValueError, RecursionError):
        return False
    return True
