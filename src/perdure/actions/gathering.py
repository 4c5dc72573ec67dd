"""What hooks saw in a lineage, gathered as from a transcript: prompts, files, commands and failures. A brief is made of
it, the state that a session saves, and the facts that a compaction must keep.

    gathered_of(desk, session).files
"""

from __future__ import annotations

import os

from perdure.actions import sessions
from perdure.actions.writers import LINEAGE, Writers
from perdure.ledger.port import WrittenBy
from perdure.model import payload as p
from perdure.model.state import Session
from perdure.recovery.gather import Gathering
from perdure.transcript.claude_code import persons_words
from perdure.transcript.events import Called, Prompt, Returned, WorkingFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.ids import SessionId
    from perdure.transcript import events as t

MOST_SEEN = 1500
"""How many of the latest events that hooks recorded are read."""
SEEN_KINDS = ("prompt.given", "file.read", "edit.made", "file.created", "command.run", "tool.failed")
"""Those events."""


def gathered_of(desk: Desk, session: Session | None) -> Gathering:
    """What hooks saw in the lineage of this session."""
    return gathered_latest(desk, session, MOST_SEEN)


def gathered_latest(desk: Desk, session: Session | None, latest: int) -> Gathering:
    """From so many of the latest events that hooks recorded in it."""
    lineage, adopted = {each.id for each in sessions.lineage(desk, session)}, set(_adopted(desk))
    by = Writers(desk, session)
    return gathered_from(
        desk.root,
        (
            event
            for event in reversed(desk.latest_by(WrittenBy((*lineage, *adopted)), SEEN_KINDS, latest))
            if event.session_id in adopted or (event.session_id in lineage and by.of(event) == LINEAGE)
        ),
    )


def gathered_from(root: str, events: Iterable[Event]) -> Gathering:
    """What these events tell by themselves."""
    gathered = Gathering()
    gathered.take(WorkingFolder(root))
    for event in events:
        for each in _as_transcript_events(event, root):
            gathered.take(each)
    return gathered


def _adopted(desk: Desk) -> Iterator[SessionId]:
    """Include adopted sessions: the user imported them to continue them."""
    for found in desk.ledger.documents("session", live=False, limit=sessions.RECENT_LINEAGE):
        if isinstance(found.body, Session) and found.body.source == "adopted":
            yield found.body.id


def _as_transcript_events(event: Event, root: str) -> Iterator[t.Event]:
    """An event of the ledger in the form in which a transcript would have it."""
    of_subagent = ":" in (event.actor or "")
    said = p.read(event, p.PromptGiven)
    words = persons_words(said.text) if said else ""
    if words:
        yield Prompt(event.id, words)
    ran = p.read(event, p.CommandRun)
    if ran:
        yield Called(uuid=event.id, id=event.id, tool="Bash", given={"command": ran.command}, of_subagent=of_subagent)
        yield Returned(
            uuid=event.id, id=event.id, text=ran.error or "", failed=ran.outcome == "failed", of_subagent=of_subagent
        )
    used = p.read(event, p.FileRead) or p.read(event, p.EditMade) or p.read(event, p.FileCreated)
    if used:
        tool = {"file.read": "Read", "edit.made": "Edit"}.get(event.kind, "Write")
        yield Called(
            uuid=event.id,
            id=event.id,
            tool=tool,
            given={"file_path": os.path.join(root, used.path)},
            of_subagent=of_subagent,
        )
        yield Returned(uuid=event.id, id=event.id, text="", failed=False, of_subagent=of_subagent)
    failed = p.read(event, p.ToolFailed)
    if failed and failed.path:
        yield Called(
            uuid=event.id,
            id=event.id,
            tool=failed.tool,
            given={"file_path": os.path.join(root, failed.path)},
            of_subagent=of_subagent,
        )
        yield Returned(uuid=event.id, id=event.id, text=failed.error, failed=True, of_subagent=of_subagent)
