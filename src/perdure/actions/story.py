"""What happened, by goal, for a person who was not there (SPEC 21.5): from the record alone, by rules, without a model.

    chapters = story(desk, LogQuery(since=stamp(yesterday)))      # a Chapter for each goal, the oldest first

It reads what `perdure log` reads. An entry belongs to the goal of its transaction; one outside a transaction, such as
the prompt before PREFLIGHT, to the goal that its session works on next, or else worked on last.
"""

from __future__ import annotations

from perdure.actions import goals
from perdure.actions.log_entries import Log
from perdure.model.state import Goal, Transaction
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.log_entries import LogEntry, LogQuery
    from perdure.actions.wiring import Desk

ASKED, DECIDED, CHANGED, CHECKED, FAILED, DENIED, LEARNED, OPEN = (
    *("asked", "decided", "changed", "checked", "failed", "denied", "learned", "open"),
)
PARTS = (ASKED, DECIDED, CHANGED, CHECKED, FAILED, DENIED, LEARNED, OPEN)
_STAYS_OPEN = ("question", "blocker", "next")
_BY_KIND = {"prompt": ASKED, "decision": DECIDED, "edit": CHANGED, "test": CHECKED, "denial": DENIED, "failure": FAILED}


@value
class StoryLine:
    text: str
    """With a mark, if the words came from elsewhere."""
    event_id: str
    is_code: bool = False
    """A command or a file, not words."""


@value
class Chapter:
    """What happened under one goal."""

    title: str | None
    """None: under no goal."""
    goal_id: str | None
    is_done: bool
    began: str
    ended: str
    transactions: tuple[str, ...]
    sessions: tuple[str, ...]
    parts: dict[str, tuple[StoryLine, ...]]


class _GrowingChapter:
    """A chapter that grows."""

    def __init__(self, first: LogEntry) -> None:
        self.began = self.ended = first.ts
        self.transactions: dict[str, None] = {}
        self.sessions: dict[str, None] = {}
        self.parts: dict[str, dict[str, StoryLine]] = {part: {} for part in PARTS}

    def add(self, part: str, text: str, event_id: str, *, is_code: bool = False) -> None:
        self.parts[part].setdefault(text, StoryLine(text, event_id, is_code))


def story(desk: Desk, asked: LogQuery) -> list[Chapter]:
    entries = list(Log(desk, asked).entries())
    growing: dict[str | None, _GrowingChapter] = {}
    for entry, goal_id in zip(entries, _goals_of(desk, entries), strict=True):
        chapter = growing.setdefault(goal_id, _GrowingChapter(entry))
        chapter.began, chapter.ended = min(chapter.began, entry.ts), max(chapter.ended, entry.ts)
        if entry.transaction_id:
            chapter.transactions[entry.transaction_id] = None
        if entry.session_id:
            chapter.sessions[entry.session_id] = None
        _add_entry(desk, chapter, entry)
    made = [_chapter(desk, goal_id, chapter) for goal_id, chapter in growing.items()]
    return [chapter for chapter in made if chapter.goal_id or any(chapter.parts.values())]


def _goals_of(desk: Desk, entries: list[LogEntry]) -> list[str | None]:
    """The goal of each entry, in the same order."""
    known: dict[str, str | None] = {}
    found: list[str | None] = []
    for entry in entries:
        if entry.transaction_id and entry.transaction_id not in known:
            known[entry.transaction_id] = _goal_of_transaction(desk, entry.transaction_id)
        found.append(known[entry.transaction_id] if entry.transaction_id else None)
    _fill_gaps(range(len(entries) - 1, -1, -1), entries, found)  # from what the session works on next
    _fill_gaps(range(len(entries)), entries, found)  # or else worked on last
    return found


def _fill_gaps(order: Iterable[int], entries: list[LogEntry], found: list[str | None]) -> None:
    last: dict[str | None, str] = {}
    for at in order:
        session, goal = entries[at].session_id, found[at]
        if goal is not None:
            last[session] = goal
        elif entries[at].transaction_id is None and session is not None:
            found[at] = last.get(session)


def _goal_of_transaction(desk: Desk, transaction_id: str) -> str | None:
    document = desk.ledger.document("transaction", transaction_id)
    return document.body.goal_id if document and isinstance(document.body, Transaction) else None


def _add_entry(desk: Desk, chapter: _GrowingChapter, entry: LogEntry) -> None:
    part = _BY_KIND.get(entry.kind)
    if entry.taken_back:
        return
    if entry.kind == "note":
        _add_note(desk, chapter, entry)
    elif entry.kind == "command":
        for name in entry.failed_names:
            chapter.add(FAILED, name, entry.event_id, is_code=True)
    elif entry.kind == "test":
        for name in entry.names:
            chapter.add(CHECKED, name, entry.event_id, is_code=True)
    elif part and entry.names:
        for name in entry.names:
            chapter.add(part, _without_count(name), entry.event_id, is_code=True)
    elif part:
        chapter.add(part, entry.text, entry.event_id)


def _add_note(desk: Desk, chapter: _GrowingChapter, entry: LogEntry) -> None:
    kind = entry.text.partition(":")[0].rpartition(" ")[2]
    if kind == "failed":
        chapter.add(FAILED, entry.text, entry.event_id)
    elif kind == "finding":
        chapter.add(LEARNED, entry.text, entry.event_id)
    elif kind in _STAYS_OPEN and desk.ledger.document("note", entry.event_id):
        chapter.add(OPEN, entry.text, entry.event_id)


def _without_count(name: str) -> str:
    before, mark, count = name.rpartition(" (×")
    return before if mark and count.removesuffix(")").isdecimal() else name


def _chapter(desk: Desk, goal_id: str | None, grown: _GrowingChapter) -> Chapter:
    document = desk.ledger.document("goal", goal_id) if goal_id else None
    goal = goals.view(desk, document.body) if document and isinstance(document.body, Goal) else None
    return Chapter(
        title=goal.marked(goal.title) if goal else None,
        goal_id=goal_id,
        is_done=bool(goal and goal.done_at is not None),
        began=grown.began,
        ended=grown.ended,
        transactions=tuple(grown.transactions),
        sessions=tuple(grown.sessions),
        parts={part: tuple(lines.values()) for part, lines in grown.parts.items()},
    )
