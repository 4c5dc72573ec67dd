"""Compares a client's transcript with what the ledger has of that session already, from an adoption or from hooks.
Events are compared by their content."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

from perdure.actions import notes
from perdure.actions.record import cleaned
from perdure.actions.transcript_facts import KINDS, NOTED, TO_DO, to_do
from perdure.clients import CLAUDE_CODE
from perdure.model import payload as p
from perdure.model.ids import SessionId
from perdure.model.state import Session
from perdure.proof.canonical import canonical
from perdure.proof.chain import payload_hash
from perdure.transcript.claude_code import persons_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import TypeAlias

    from perdure.actions.transcript_facts import TranscriptFact
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.recovery.gather import Gathering

    Key: TypeAlias = tuple[str, ...]

MOST = 20_000
"""The most events that one adoption takes: the latest ones."""
MOST_OPEN = 10_000
LONGEST_RUN = 200
"""The most events that are compared to find where an older part of a transcript begins."""
NO_LONGER = "the transcript no longer has it open"


class AlreadyRecorded:
    """What the ledger has of a client's session: what was adopted from it, and what hooks recorded."""

    def __init__(self, desk: Desk, parts: list[SessionId], client_sessions: Collection[str | None]) -> None:
        self._parts = frozenset(parts)
        ours = [each for each in _sessions(desk) if each.id in parts or each.client_session_id in client_sessions]
        ours.sort(key=lambda each: each.started_at)
        self.by_session: dict[SessionId, list[Key]] = {each.id: [] for each in ours}
        self.latest = parts[-1] if parts else next(reversed(self.by_session), None)
        self.erased: Counter[Key] = Counter()
        """Hashes of payloads that were erased. They are not adopted again."""
        self.to_do: list[tuple[str, Key]] = []
        """The notes that were adopted, with their ids."""
        if self.by_session:
            self._take_all(desk)

    def _take_all(self, desk: Desk) -> None:
        for event in desk.ledger.events():
            keys = self.by_session.get(event.session_id) if event.session_id else None
            if keys is None or event.kind not in KINDS or _is_by_subagent(event):
                continue
            if not desk.other_ledger(event):  # another machine may have recorded something about our session
                self._take(event, keys, event.session_id in self._parts)

    def _take(self, event: Event, keys: list[Key], adopted: bool) -> None:
        if event.payload is None:
            self.erased[(event.payload_hash,)] += 1
            return
        keys.append(_key(event.kind, event.payload))
        if adopted and event.kind == TO_DO:
            self.to_do.append((event.id, keys[-1]))

    @property
    def number(self) -> int:
        return sum(key[0] not in NOTED for keys in self.by_session.values() for key in keys)

    def in_thirds(self) -> tuple[list[Key], list[Key], list[Key]]:
        """The recorded events in three parts: those before the latest adoption that left older events out, those of
        that adoption, and those after it."""
        before: list[Key] = []
        full: list[Key] = []
        after: list[Key] = []
        for session, keys in self.by_session.items():
            told = [key for key in keys if key[0] not in NOTED]
            if session in self._parts and len(told) >= MOST:
                before, full, after = [*before, *full, *after], told, []
            else:
                after += told
        return before, full, after


def _is_by_subagent(event: Event) -> bool:
    return ":" in (event.actor or "")


def _sessions(desk: Desk) -> list[Session]:
    return [found.body for found in desk.ledger.documents("session") if isinstance(found.body, Session)]


def _key(kind: str, payload: dict[str, Json]) -> Key:
    """The content by which an event is compared, as it is stored. Hooks distinguish a new file from a changed one, a
    transcript does not."""
    text = payload.get("text")
    if kind == "prompt.given" and isinstance(text, str):
        return kind, persons_words(text) or text
    said = (text, payload.get("command"), payload.get("path"), payload.get("tool"))
    if kind == "file.created":
        kind = "edit.made"
    return kind, *(str(each) for each in said if each is not None)


def new_of(told: list[TranscriptFact], held: AlreadyRecorded) -> list[TranscriptFact]:
    """The events that the ledger does not have yet and that no earlier adoption left out as too old."""
    if not held.by_session:
        return told
    stored = [cleaned(p.write(payload)) for _, payload, _ in told]
    keys = [_key(kind, payload) for (kind, _, _), payload in zip(told, stored, strict=True)]
    before, full, after = held.in_thirds()
    begins, left = _begins(keys, full), Counter(before)
    for key in keys[:begins]:
        _took(left, key)
    left.update([*full, *after])
    new = []
    for at in range(begins, len(told)):
        is_held = _took(left, keys[at])
        is_erased = not is_held and bool(held.erased) and _was_erased(held.erased, stored[at])
        if not is_held and not is_erased:
            new.append(told[at])
    return new


def _took(left: Counter[Key], one: Key) -> bool:
    if left[one] <= 0:
        return False
    left[one] -= 1
    return True


def _was_erased(erased: Counter[Key], payload: dict[str, Json]) -> bool:
    """Earlier adoptions did not keep when a prompt was said."""
    without_time = {name: content for name, content in payload.items() if name != "said_at"}
    return _took(erased, _hashed(payload)) or _took(erased, _hashed(without_time))


def _hashed(payload: dict[str, Json]) -> Key:
    return (payload_hash(canonical(payload)),)


def _begins(keys: list[Key], part: list[Key]) -> int:
    """Where a part that was adopted earlier begins in a transcript: where the most events follow in the same order."""
    if not part:
        return 0
    longest, begins = 0, 0
    for at, key in enumerate(keys):
        if key == part[0]:
            run = _common_beginning(keys[at : at + LONGEST_RUN], part)
            if run > longest:
                longest, begins = run, at
    if longest:
        return begins
    known = set(part)
    return next((at for at, key in enumerate(keys) if key in known), 0)


def _common_beginning(some: list[Key], others: list[Key]) -> int:
    """How many keys from the first on are the same."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def new_notes(desk: Desk, noted: list[TranscriptFact], held: AlreadyRecorded) -> list[TranscriptFact]:
    known = {key for keys in held.by_session.values() for key in keys}
    known |= {(TO_DO, note.text) for note in notes.open_ones(desk, MOST_OPEN) if note.kind == "next"}
    return [
        each for each in noted if _noted_key(each) not in known and not held.erased[_hashed(cleaned(p.write(each[1])))]
    ]


def _noted_key(note: TranscriptFact) -> Key:
    return _key(note[0], cleaned(p.write(note[1])))


def no_longer_open(desk: Desk, gathered: Gathering, held: AlreadyRecorded) -> list[TranscriptFact]:
    """Closes notes that were adopted as still to do and are done by now."""
    still = {_noted_key(each) for each in to_do(gathered)}
    over = [id for id, key in held.to_do if key not in still and desk.ledger.document("note", id) is not None]
    return [("note.closed", p.NoteClosed(id, NO_LONGER), CLAUDE_CODE) for id in over]
