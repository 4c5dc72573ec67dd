"""A client's own transcript: looked at, and taken into the ledger (SPEC 12.3).

What is adopted becomes the events that hooks would have recorded, in one append: all of it or nothing, and once. Where
the transcript has grown since, what is new of it becomes a session that goes on from the one before.
"""

from __future__ import annotations

import os
import stat
from itertools import count, takewhile

from perdure.actions.observing import path_in, shortened
from perdure.actions.prompts import kept_words
from perdure.actions.record import Fact, record
from perdure.errors import BadInput, Refused
from perdure.ledger.port import Expect
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.model.ids import SessionId, derived_id, is_token, short, shown
from perdure.model.value import value
from perdure.recovery.gather import CHANGING, path_of
from perdure.transcript.claude_code import LONGEST_LINE, Reading
from perdure.transcript.events import Called, Prompt, Returned, Stands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from perdure.actions.wiring import Desk
    from perdure.transcript.events import Event

CLIENT = "claude-code"
_FRAME = ("session.started", "session.ended")
MOST = 20_000
"""Events that are taken in at once: the latest of them."""


@value
class Adopted:
    session_id: SessionId
    events: int
    left_out: int
    """Older ones, beyond `MOST`."""
    skipped: int
    """Lines that could not be read."""


def events_of(path: str, reading: Reading, until: str | None = None) -> Iterator[Event]:
    try:
        if stat.S_ISCHR(os.stat(path).st_mode):  # some of them never end
            raise BadInput("no_transcript", f"{shown(path)} is a device.", hint="Give a transcript's path.")
        with open(path, "rb") as file:
            yield from reading.events(_lines(file), until)
    except OSError as error:
        raise BadInput(
            "no_transcript", f"{shown(path)}: {error.strerror}.", hint="Give a transcript's path."
        ) from error


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """A line too long to be one comes in pieces, none of which can be read: memory is bounded by `LONGEST_LINE`."""
    return iter(lambda: file.readline(LONGEST_LINE), b"")


def adopt(desk: Desk, path: str) -> Adopted:
    reading = Reading()
    told = _Told(desk.root)
    for event in events_of(path, reading):
        told.take(event)
    if not told.payloads:
        raise Refused(
            "nothing_to_adopt", f"{shown(path)} tells of nothing that could be kept.", hint="Is it a transcript?"
        )
    parts = _adopted_before(desk, told.client_session or path)
    new = _grown(desk, told, parts) if parts else told.payloads
    kept = new[-MOST:]
    session, before = _part(desk, told.client_session or path, len(parts)), parts[-1] if parts else None
    named = told.client_session if is_token(told.client_session) else None
    began = p.SessionStarted("adopted", desk.root, before, CLIENT, named)
    facts = [Fact(kind, payload, session, actor=actor) for kind, payload, actor in kept]
    first = Fact("session.started", began, session, actor=CLIENT)
    last = Fact("session.ended", p.SessionEnded("adopted"), session, actor=CLIENT)
    record(desk, [first, *facts, last], [Expect("session", session, None)])
    return Adopted(session, len(kept), len(new) - len(kept), reading.skipped)


def _part(desk: Desk, transcript: str, number: int) -> SessionId:
    """What was adopted of a transcript the first time, the second …: the same id wherever it is done."""
    more = [str(number)] if number else []
    return SessionId(derived_id("transcript", desk.who.id, transcript, *more))


def _adopted_before(desk: Desk, transcript: str) -> list[SessionId]:
    parts = (_part(desk, transcript, number) for number in count())
    return list(takewhile(lambda part: desk.ledger.document("session", part) is not None, parts))


def _grown(desk: Desk, told: _Told, parts: list[SessionId]) -> list[tuple[str, object, str]]:
    """What the transcript tells beyond what is in the ledger."""
    taken = sum(event.session_id in parts and event.kind not in _FRAME for event in desk.ledger.events())
    if taken >= len(told.payloads) or taken >= MOST:
        grown = "" if taken < MOST else " More than that is not told apart."
        raise Refused(
            "transcript_adopted",
            f"That transcript was adopted as session {short(parts[-1])}, {taken:,} events.{grown}",
            hint="perdure session list",
        )
    return told.payloads[taken:]


class _Told:
    """What a transcript tells, as events of ours."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._calls: dict[str, Called] = {}
        self.client_session = ""
        self.payloads: list[tuple[str, object, str]] = []

    def take(self, event: Event) -> None:
        if isinstance(event, Stands):
            self.client_session = self.client_session or event.session
        elif isinstance(event, Prompt):
            self.payloads.append(("prompt.given", p.PromptGiven(kept_words(event.text)), USER))
        elif isinstance(event, Called) and not event.aside:
            self._calls[event.id] = event
        elif isinstance(event, Returned) and event.id in self._calls and not event.refused:
            self._ended(self._calls.pop(event.id), event)

    def _ended(self, call: Called, result: Returned) -> None:
        command, path = call.given.get("command"), path_of(call)
        error = shortened(result.text) if result.failed else None
        if call.tool == "Bash" and isinstance(command, str) and command:
            outcome = "failed" if result.failed else "succeeded"
            self._keep("command.run", p.CommandRun(shortened(command), outcome, None, error))
        elif path and error is not None:
            self._keep("tool.failed", p.ToolFailed(call.tool, error, path_in(self._root, path)))
        elif path and CHANGING.search(call.tool):
            self._keep("edit.made", p.EditMade(path_in(self._root, path)))
        elif path and call.tool == "Read":
            self._keep("file.read", p.FileRead(path_in(self._root, path)))

    def _keep(self, kind: str, payload: object) -> None:
        self.payloads.append((kind, payload, CLIENT))
