"""Turns a transcript into the events that hooks would have recorded, and into notes of where the agent stopped and what
it still had to do."""

from __future__ import annotations

import os

from perdure.actions.observing import hidden_failure, path_in, shortened
from perdure.actions.prompts import kept_words
from perdure.clients import CLAUDE_CODE
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.recovery import rank
from perdure.recovery.command_output import was_not_run
from perdure.recovery.gather import CHANGING, Gathering, path_of
from perdure.transcript.events import Called, Prompt, PromptTakenBack, Returned, WorkingFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import TypeAlias

    from perdure.transcript.events import Event

    TranscriptFact: TypeAlias = tuple[str, object, str]
    """The kind of an event, its payload, and who did it."""

STOPPED, TO_DO = "note.reasoning", "note.next"
NOTED = (STOPPED, TO_DO)
KINDS = ("prompt.given", "file.read", "edit.made", "file.created", "command.run", "tool.failed", *NOTED)
MOST_TO_DO = 10


class TranscriptFacts:
    """Takes the events of a transcript one by one and collects the payloads to record."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folder = ""
        self._calls: dict[str, Called] = {}
        self._sessions: dict[str, None] = {}
        self._queued: dict[str, list[int]] = {}
        """The positions of prompts that may still be pulled back."""
        self._kept: list[TranscriptFact | None] = []

    @property
    def payloads(self) -> list[TranscriptFact]:
        return [each for each in self._kept if each is not None]

    @property
    def client_sessions(self) -> Collection[str]:
        return self._sessions.keys()

    @property
    def client_session(self) -> str:
        """The client's session id; the first one, if the client continued in the same file under another id."""
        return next(iter(self._sessions), "")

    def take(self, event: Event) -> None:
        if isinstance(event, WorkingFolder):
            self._folder = event.folder
            if event.session:
                self._sessions[event.session] = None
        elif isinstance(event, Prompt):
            self._prompted(event)
        elif isinstance(event, PromptTakenBack):
            self._pulled_back(event)
        elif isinstance(event, Called) and not event.of_subagent:
            self._calls[event.id] = event
        elif isinstance(event, Returned) and event.id in self._calls and not event.refused:
            self._ended(self._calls.pop(event.id), event)

    def _prompted(self, prompt: Prompt) -> None:
        if not prompt.uuid:
            self._queued.setdefault(prompt.text, []).append(len(self._kept))
        self._kept.append(("prompt.given", p.PromptGiven(kept_words(prompt.text), said_at=prompt.at or None), USER))

    def _pulled_back(self, prompt: PromptTakenBack) -> None:
        if self._queued.get(prompt.text):
            self._kept[self._queued[prompt.text].pop()] = None

    def _ended(self, call: Called, result: Returned) -> None:
        if result.failed and was_not_run(result.text):
            return
        command = call.given.get("command")
        if call.tool == "Bash" and isinstance(command, str) and command:
            self._command_ended(command, result)
            return
        path = self._path(call)
        if not path:
            return
        if result.failed:
            self._keep("tool.failed", p.ToolFailed(call.tool, shortened(result.text), path_in(self._root, path)))
        elif CHANGING.search(call.tool):
            self._keep("edit.made", p.EditMade(path_in(self._root, path)))
        elif call.tool == "Read":
            self._keep("file.read", p.FileRead(path_in(self._root, path)))

    def _command_ended(self, command: str, result: Returned) -> None:
        error: str | None = result.text
        if not result.failed:
            error = hidden_failure(command, result.text)
        ran = p.CommandRun(
            command=shortened(command),
            outcome="failed" if result.failed else "succeeded",
            effect=None,
            error=None if error is None else shortened(error),
        )
        self._keep("command.run", ran)

    def _path(self, call: Called) -> str:
        path = path_of(call)
        return os.path.normpath(os.path.join(self._folder, path)) if path and self._folder.startswith("/") else path

    def _keep(self, kind: str, payload: object) -> None:
        self._kept.append((kind, payload, CLAUDE_CODE))


def open_notes(gathered: Gathering) -> list[TranscriptFact]:
    """Notes of where the agent stopped, and of what it still had to do."""
    found: list[TranscriptFact] = []
    stopped = rank.stopped_at(gathered)
    if stopped and stopped.text.strip():
        found.append((STOPPED, p.Note(shortened(stopped.text.strip())), CLAUDE_CODE))
    return found + to_do(gathered)[:MOST_TO_DO]


def to_do(gathered: Gathering) -> list[TranscriptFact]:
    texts = dict.fromkeys(item.text.strip() for item in rank.open_items(gathered))
    return [(TO_DO, p.Note(shortened(text)), CLAUDE_CODE) for text in texts if text]
