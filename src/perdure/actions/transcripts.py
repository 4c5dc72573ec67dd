"""A client's own transcript: reads it, and adopts it into the ledger (SPEC 12.3).

What is adopted becomes the events that hooks would have recorded, and notes of where the agent stopped and what it
still had to do. One append records all of it or nothing. What the ledger already has of that client's session, from an
adoption or from hooks, is recognised by its content and left out. Everything else becomes a new session that continues
the one before.
"""

from __future__ import annotations

import os
import stat
from itertools import count, takewhile
from shlex import quote

from perdure.actions import adoption_diff
from perdure.actions.adoption_diff import AlreadyRecorded, new_notes, new_of, no_longer_open
from perdure.actions.record import Fact, record
from perdure.actions.transcript_facts import TranscriptFacts, open_notes
from perdure.clients import CLAUDE_CODE
from perdure.errors import BadInput, Refused
from perdure.ledger.port import Expect
from perdure.model import payload as p
from perdure.model.ids import SessionId, derived_id, is_token, short, shown
from perdure.model.plural import counted
from perdure.model.value import value
from perdure.place import repository
from perdure.recovery.gather import Gathering
from perdure.transcript.claude_code import LONGEST_LINE, Reading
from perdure.transcript.events import Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from perdure.actions.transcript_facts import TranscriptFact
    from perdure.actions.wiring import Desk
    from perdure.transcript.events import Event


SUMMARY_WITHIN = 16 << 20
"""Bytes at the end of a transcript in which its last summary is looked for."""


@value
class Adopted:
    session_id: SessionId
    project: str
    root: str
    folder: str
    """The folder in which the client worked; empty if the transcript does not say."""
    is_outside: bool
    """That folder does not belong to the project into which it was adopted."""
    events: int
    notes: int
    """Besides the events: where the agent stopped, what it still had to do."""
    closed: int
    """Notes of an earlier adoption that are not open in the transcript any more."""
    left_out: int
    """Older events, beyond what one adoption takes."""
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


def last_summary(path: str) -> str:
    """The client's last summary of its context in a transcript; empty if there is none near its end."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return ""
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - SUMMARY_WITHIN))
            lines = [line for line in file.read(SUMMARY_WITHIN).split(b"\n") if b'"isCompactSummary"' in line]
    except (OSError, ValueError):  # gone, or not a path at all
        return ""
    found = [each.text for each in Reading().events(lines[-3:]) if isinstance(each, Summary)]
    return found[-1] if found else ""


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields lines. One that is too long comes in pieces, none of which can be parsed: memory is bounded by
    `LONGEST_LINE`."""
    return iter(lambda: file.readline(LONGEST_LINE), b"")


def adopt(desk: Desk, path: str) -> Adopted:
    """Only for people: the user's lines in the file are recorded as the person's words, and anybody can write a
    file."""
    desk.refuse_agent(
        "What a transcript says is recorded as the person's words, so only a person may take one in, and an "
        "agent's client started this command.",
        f"A person runs perdure transcript adopt {quote(path)} in a terminal of their own. Without taking it in: "
        f"perdure transcript show {quote(path)}, or perdure recover --transcript {quote(path)}.",
    )
    reading, gathered = Reading(), Gathering()
    facts = TranscriptFacts(desk.root)
    for event in events_of(path, reading):
        facts.take(event)
        gathered.take(event)
    still_open = open_notes(gathered)
    if not facts.payloads and not still_open:
        raise Refused(
            "nothing_to_adopt", f"{shown(path)} holds nothing that could be recorded.", hint="Is it a transcript?"
        )
    named = facts.client_session or path
    parts = _adopted_before(desk, named)
    already = AlreadyRecorded(desk, parts, facts.client_sessions)
    new_events, notes_to_add = new_of(facts.payloads, already), new_notes(desk, still_open, already)
    if not new_events and not notes_to_add:
        where = f": session {short(already.latest)}, {counted(already.number, 'event')}" if already.latest else ""
        raise Refused(
            "transcript_adopted",
            f"The ledger already holds what is in that transcript{where}.",
            hint="perdure session list",
        )
    adopted, closed_notes = new_events[-adoption_diff.MOST :], no_longer_open(desk, gathered, already)
    session = _session_id_of_adoption(desk, named, len(parts))
    record(
        desk,
        _facts(desk, facts, session, before=already.latest, adopted=[*adopted, *notes_to_add, *closed_notes]),
        [Expect("session", session, None)],
    )
    return Adopted(
        session_id=session,
        project=desk.identity.name,
        root=desk.root,
        folder=gathered.root,
        is_outside=bool(gathered.root) and not _belongs_to(desk.root, gathered.root),
        events=len(adopted),
        notes=len(notes_to_add),
        closed=len(closed_notes),
        left_out=len(new_events) - len(adopted),
        skipped=reading.skipped,
    )


def _facts(
    desk: Desk,
    facts: TranscriptFacts,
    session: SessionId,
    *,
    before: SessionId | None,
    adopted: Sequence[TranscriptFact],
) -> list[Fact]:
    named = facts.client_session if is_token(facts.client_session) else None
    began = p.SessionStarted(
        source="adopted", project_path=desk.root, parent_id=before, client=CLAUDE_CODE, client_session_id=named
    )
    return [
        Fact("session.started", began, session, actor=CLAUDE_CODE),
        *(Fact(kind, payload, session, actor=actor) for kind, payload, actor in adopted),
        Fact("session.ended", p.SessionEnded("adopted"), session, actor=CLAUDE_CODE),
    ]


def _session_id_of_adoption(desk: Desk, transcript: str, number: int) -> SessionId:
    """The id of the session for the first, second … adoption from a transcript: the same wherever it is done."""
    more = [str(number)] if number else []
    return SessionId(derived_id("transcript", desk.identity.id, transcript, *more))


def _adopted_before(desk: Desk, transcript: str) -> list[SessionId]:
    parts = (_session_id_of_adoption(desk, transcript, number) for number in count())
    return list(takewhile(lambda part: desk.ledger.document("session", part) is not None, parts))


def _belongs_to(root: str, folder: str) -> bool:
    """Whether the folder is in the project, or in a linked work tree of it."""
    if not folder.startswith("/"):  # of another system
        return False
    place, base = os.path.realpath(folder), os.path.realpath(root)
    if place == base or place.startswith(base + os.sep):
        return True
    found = repository.enclosing(place)
    return found is not None and os.path.realpath(found.main) == base
