"""What happened in a project, for a person: one entry for a prompt, a decision, a transaction, and one for all edits,
commands or denials between two of them (SPEC 17.6; docs/adr/0080).

    Log(desk, LogQuery(since=stamp(yesterday))).entries()      # the oldest first

The time it takes depends on how much happened since, not on the length of the ledger: in each chain the first event is
searched by halving. Memory stays flat: entries are made while events are read.
"""

from __future__ import annotations

import os
from heapq import merge

from perdure.actions import denials
from perdure.actions.attribution import marked_foreign
from perdure.errors import BadInput
from perdure.model.event import Ref, in_order, is_from_beads
from perdure.model.moment import MINUTE, Stamp, moment_of, read_stamp, stamp
from perdure.model.payload import NOTE_KINDS
from perdure.model.terms import text_of
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perdure.actions.denials import Denial
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Ledger
    from perdure.model.event import Event, Head
    from perdure.model.ids import LedgerId
    from perdure.model.state import Session, Transaction

LONGEST_GROUP = 30 * MINUTE
"""After so long, edits, commands and denials get a line of their own, so that the line's time says something."""
MOST_NAMED = 40
"""How many different names a group keeps; it counts all of them."""
EVERYTHING = Stamp("")
"""Earlier than every time."""
FAILED = ("failed", "interrupted")
TRANSITION = "transition"
"""The effect of a command that only moves the work along with Perdure."""


@value
class LogQuery:
    """What somebody wants to see. None and empty: all of it."""

    since: Stamp = EVERYTHING
    session_id: str | None = None
    transaction_id: str | None = None
    path: str | None = None
    """From the project's root: a file, or a folder with what is below it."""
    kinds: tuple[str, ...] = ()


@value
class LogEntry:
    """One line of the log."""

    ts: str
    kind: str
    """One of `KINDS`."""
    text: str
    """With a mark, if the words came from elsewhere."""
    actor: str | None
    instance_id: str | None
    session_id: str | None
    transaction_id: str | None
    event_id: str
    """The first event of a group."""
    count: int = 1
    failed: int = 0
    names: tuple[str, ...] = ()
    """Only for a group: its files, commands or denied calls. Those that failed come first."""
    failed_names: tuple[str, ...] = ()
    """Those that failed."""
    taken_back: bool = False
    """A note or decision that somebody took back since."""


def of_session(session: Session) -> LogQuery:
    return LogQuery(since=stamp(session.started_at), session_id=session.id)


def of_transaction(transaction: Transaction) -> LogQuery:
    return LogQuery(since=stamp(transaction.opened_at), transaction_id=transaction.id)


# -- words for one event -----------------------------------------------------------------------------------------------


def _word(event: Event, name: str) -> str:
    found = (event.payload or {}).get(name)
    return found if isinstance(found, str) else ""


def _joined(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


def _decision(event: Event) -> str:
    because = _word(event, "rationale")
    said = _joined(_word(event, "key"), _word(event, "title") or _word(event, "decision"))
    return f"{said} (because {because})" if because else said


def _closed(event: Event) -> str:
    assessed = (event.payload or {}).get("assessed") is not False
    return _joined("closed" if assessed else "closed without an assessment", _word(event, "reasoning"))


def _audited(event: Event) -> str:
    findings = (event.payload or {}).get("findings")
    outcomes = [each.get("outcome") for each in findings if isinstance(each, dict)] if type(findings) is list else []
    counts = ", ".join(f"{outcomes.count(each)} {each}" for each in ("kept", "altered", "lost"))
    return f"the summary was compared with the record: {counts}"


def _tests(event: Event) -> str:
    return f"{_test_counts(event) or 'no test reported'}: {_word(event, 'command')}"


def _test_counts(event: Event) -> str:
    given = event.payload or {}
    return ", ".join(f"{given.get(each)} {each}" for each in ("passed", "failed", "errors") if given.get(each))


def _paused(event: Event) -> str:
    seconds = (event.payload or {}).get("seconds")
    minutes = seconds // 60 if type(seconds) is int else 0
    length = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else "a moment"
    return _joined(f"paused for {length}", _word(event, "because"))


_RESUMED = {
    "time": "in force again: the pause ended by itself",
    "person": "in force again: the person ended the pause",
    "replaced": "the pause ended: another one began",
}


def _task(event: Event) -> str:
    changed = _word(event, "title") or _word(event, "status") or ", ".join(sorted(event.payload or {}))
    named = event.task_id[:8] if event.task_id else ""
    return _joined({"task.created": "created", "task.closed": "closed"}.get(event.kind, "changed"), named, changed)


def _undone(event: Event) -> str:
    return f"{_word(event, 'kind').partition('.')[0]} {_word(event, 'change')[:8]}"


def _taken(event: Event) -> str:
    to = (event.payload or {}).get("moved_to")
    named = to.get("project_path") if isinstance(to, dict) else None
    return f"moved to {os.path.basename(named)}" if isinstance(named, str) else "taken back"


def _plain(before: str, *names: str) -> Callable[[Event], str]:
    """The words before it, and the first of these fields that the event has."""

    def words(event: Event) -> str:
        return _joined(before, next((found for name in names if (found := _word(event, name))), ""))

    return words


_ERASED = "(erased)"
_ABSENT = {"redacted": _ERASED, "withheld": "(withheld)"}
"""What stands for the words of an event without a payload. Every other page says `(erased)`, too."""
SINGLE: dict[str, tuple[str, Callable[[Event], str]]] = {
    "prompt.given": ("prompt", _plain("", "text")),
    "transaction.opened": ("transaction", _plain("opened", "reasoning")),
    "transaction.checked": (
        "transaction",
        lambda e: _joined(f"CHECK said {_word(e, 'decision')}", _word(e, "reasoning")),
    ),
    "transaction.overridden": ("transaction", _plain("gate opened by hand", "because")),
    "transaction.adopted": ("transaction", lambda e: f"taken over from {_word(e, 'from_instance')[:8]}"),
    "transaction.closed": ("transaction", _closed),
    "gate.paused": ("gate", _paused),
    "gate.resumed": ("gate", lambda e: _RESUMED.get(_word(e, "by"), "in force again")),
    "decision.made": ("decision", _decision),
    "compaction.begun": ("compaction", lambda e: f"the client summarises its context ({_word(e, 'trigger')})"),
    "compaction.audited": ("compaction", _audited),
    "goal.created": ("goal", _plain("", "title")),
    "goal.done": ("goal", _plain("done", "because")),
    "task.created": ("task", _task),
    "task.updated": ("task", _task),
    "task.closed": ("task", _task),
    "note.closed": ("note", _plain("closed", "because")),
    "task.linked": ("task", _plain("waits for", "blocked_by")),
    "task.unlinked": ("task", _plain("waits no longer for", "blocked_by")),
    "change.undone": ("undo", lambda e: f"{_undone(e)} was {_taken(e)}"),
    "change.restored": ("undo", lambda e: f"{_undone(e)} counts again"),
    **{f"note.{kind}": ("note", _plain(kind, "text")) for kind in NOTE_KINDS},
    "session.started": ("session", lambda e: f"started ({_word(e, 'source')})"),
    "session.ended": ("session", lambda e: f"ended ({_word(e, 'reason')})"),
    "claim.refused": ("claim", _plain("refused", "claim")),
    "fork.detected": ("fork", _plain("two sides contradict each other", "field")),
    "fork.resolved": ("fork", _plain("settled", "because", "kept")),
    "contract.set": ("contract", _plain("", "goal")),
    "checkpoint.refused": ("checkpoint", lambda _: "refused"),
    "ledger.healed": ("record", lambda _: "healed"),
    "ledger.merged": ("record", lambda _: "another machine's record was imported"),
    "payload.redacted": ("record", _plain("something was erased", "because")),
    "restore.acknowledged": ("record", _plain("a record that was put back was accepted", "because")),
}
"""Kinds of event that are an entry each → the entry's kind, its words."""

GROUPED: dict[str, tuple[str, str]] = {
    "edit.made": ("edit", "path"),
    "file.created": ("edit", "path"),
    "edit.reverted": ("edit", "path"),
    "command.run": ("command", "command"),
    "test.run": ("test", "command"),
    "tool.failed": ("failure", "tool"),
    "gate.denied": ("denial", "call"),
    "gate.observed": ("denial", "part"),
    "file.read": ("read", "path"),
    "search.made": ("read", "query"),
}
"""Kinds of event that are put together → the entry's kind, and the field that names what it was about."""

ONLY_IF_ASKED = ("read",)
"""Too many to show unless somebody names the kind."""
KINDS = tuple(dict.fromkeys([*(kind for kind, _ in SINGLE.values()), *(kind for kind, _ in GROUPED.values())]))


def describe(desk: Desk, event: Event) -> tuple[str, str]:
    """The entry's kind and the words for one event, with a mark if they came from elsewhere."""
    kind, words = SINGLE.get(event.kind, ("", _name_of))
    if event.kind not in SINGLE:
        kind = GROUPED[event.kind][0] if event.kind in GROUPED else event.kind.partition(".")[0]
    text = _ABSENT.get(event.absent or "", _ERASED) if event.payload is None else words(event)
    other, source = desk.other_ledger(event), _word(event, "words_from") or None
    return kind, marked_foreign(other, text, is_from_beads(event.actor), words_from=source)


# -- reading -----------------------------------------------------------------------------------------------------------


def last_before(ledger: Ledger, head: Head, since: Stamp) -> int:
    """The number of the chain's last event before this time, found by halving. If a clock was set back, some events
    near that moment may be left out, or too many shown."""
    low, high = 0, head.seq
    while low < high:
        middle = (low + high + 1) // 2
        found = ledger.event(Ref(head.ledger_id, middle))
        if found is None or found.ts < since:
            low = middle
        else:
            high = middle - 1
    return low


class _Group:
    """Edits, commands or denials of one instance that came one after another."""

    def __init__(self, kind: str, event: Event, other_ledger: str | None) -> None:
        self.kind = kind
        self.first = event
        self.ts = happened_at(event)
        self.other_ledger = other_ledger
        self.count = 0
        self.failures = 0
        self.failed: dict[str, int] = {}
        self.names: dict[str, int] = {}

    def add(self, event: Event) -> None:
        self.count += 1
        name = _name_of(event) or event.kind
        to = self.failed if has_failed(event) else self.names
        self.failures += to is self.failed
        if name in to or len(to) < MOST_NAMED:
            to[name] = to.get(name, 0) + 1

    def entry(self) -> LogEntry:
        names = tuple(f"{name} (×{n})" if n > 1 else name for name, n in [*self.failed.items(), *self.names.items()])
        return LogEntry(
            ts=self.ts,
            kind=self.kind,
            text=marked_foreign(self.other_ledger, ", ".join(names)),
            actor=self.first.actor,
            instance_id=self.first.instance_id,
            session_id=self.first.session_id,
            transaction_id=self.first.transaction_id,
            event_id=self.first.id,
            count=self.count,
            failed=self.failures,
            names=names,
            failed_names=names[: len(self.failed)],
        )


def has_failed(event: Event) -> bool:
    given = event.payload or {}
    return given.get("outcome") in FAILED or bool(given.get("failed") or given.get("errors"))


def _is_said_elsewhere(event: Event) -> bool:
    """A command that recorded something with Perdure has that as its entry; a test run that reported no test has only
    its command's."""
    if event.kind == "command.run":
        return _word(event, "effect") == TRANSITION and not has_failed(event)
    return event.kind == "test.run" and not _test_counts(event)


def _name_of(event: Event) -> str:
    if event.kind not in GROUPED:
        return text_of(event)
    kind, field = GROUPED[event.kind]
    if kind == "test":
        return _tests(event)
    named = _word(event, field) or _word(event, "part") or _word(event, "tool")
    return f"{named} ({_word(event, 'error')})" if kind == "failure" else named


def happened_at(event: Event) -> str:
    """A denial is recorded later than it was given, and so is the end of a pause."""
    if event.kind in ("gate.denied", "gate.resumed"):
        try:
            return read_stamp(_word(event, "at"))
        except BadInput:
            return event.ts
    return event.ts


class Log:
    """Reads on from where it stopped, so that it can be asked again for what is new."""

    def __init__(self, desk: Desk, asked: LogQuery) -> None:
        self._desk = desk
        self._asked = asked
        self._read_up_to: dict[LedgerId, int] = {}
        self._groups: dict[tuple[str, str, str], _Group] = {}
        self._shown_early: set[str] = set()
        """Denials that were shown before they were recorded."""

    def entries(self) -> Iterator[LogEntry]:
        """What has happened since the last time, the oldest first."""
        for event in self._events():
            if event.id in self._shown_early:
                self._shown_early.discard(event.id)
            elif happened_at(event) >= self._asked.since and self._is_asked_for(event):
                yield from self._entries_of(event)
        yield from self._finished_groups()
        yield from self._not_recorded_yet()

    def _events(self) -> Iterator[Event]:
        chains = []
        for head in self._desk.ledger.heads():
            after = self._read_up_to.get(head.ledger_id)
            if after is None:
                after = last_before(self._desk.ledger, head, self._asked.since)
            self._read_up_to[head.ledger_id] = after
            if after < head.seq:
                chains.append(self._desk.ledger.events(head.ledger_id, after))
        for event in merge(*chains, key=in_order):
            self._read_up_to[event.ledger_id] = event.seq
            yield event

    def _is_asked_for(self, event: Event) -> bool:
        if event.kind not in SINGLE and event.kind not in GROUPED:
            return False
        asked = self._asked
        return (
            asked.session_id in (None, event.session_id)
            and asked.transaction_id in (None, event.transaction_id)
            and (asked.path is None or _is_about(event, asked.path, self._desk.root))
        )

    def _is_shown(self, kind: str) -> bool:
        return kind in self._asked.kinds if self._asked.kinds else kind not in ONLY_IF_ASKED

    def _entries_of(self, event: Event) -> Iterator[LogEntry]:
        if event.kind in GROUPED:
            yield from self._grouped(event)
            return
        yield from self._finished_groups()
        if self._is_shown(SINGLE[event.kind][0]):
            yield self._single(event)

    def _grouped(self, event: Event) -> Iterator[LogEntry]:
        kind = GROUPED[event.kind][0]
        if not self._is_shown(kind) or (not self._asked.kinds and _is_said_elsewhere(event)):
            return
        first = next(iter(self._groups.values()), None)
        if first and moment_of(event.ts) - moment_of(first.first.ts) > LONGEST_GROUP:
            yield from self._finished_groups()
        other = self._desk.other_ledger(event)
        key = (kind, event.instance_id or "", other or "")
        if key not in self._groups:
            self._groups[key] = _Group(kind, event, other)
        self._groups[key].add(event)

    def _finished_groups(self) -> Iterator[LogEntry]:
        done = [group.entry() for group in self._groups.values()]
        self._groups.clear()
        yield from sorted(done, key=lambda entry: entry.ts)

    def _single(self, event: Event) -> LogEntry:
        kind, text = describe(self._desk, event)
        taken_back = not self._desk.counts(event)
        return LogEntry(
            ts=happened_at(event),
            kind=kind,
            text=f"(taken back) {text}" if taken_back else text,
            actor=event.actor,
            instance_id=event.instance_id,
            session_id=event.session_id,
            transaction_id=event.transaction_id,
            event_id=event.id,
            taken_back=taken_back,
        )

    def _not_recorded_yet(self) -> Iterator[LogEntry]:
        """Denials that the guard noted, and that nobody has recorded since (docs/adr/0079)."""
        asked = self._asked
        if asked.transaction_id or not self._is_shown("denial"):
            return
        for each in sorted(denials.unrecorded(self._desk), key=lambda denial: denial.at):
            about = asked.path is None or _mentions(each.call, asked.path, self._desk.root)
            mine = asked.session_id in (None, each.session_id)
            if each.id not in self._shown_early and each.at >= asked.since and about and mine:
                self._shown_early.add(each.id)
                yield _entry_of(each)


def _entry_of(denial: Denial) -> LogEntry:
    name = denial.call or denial.tool
    return LogEntry(
        ts=denial.at,
        kind="denial",
        text=name,
        actor=denial.actor or None,
        instance_id=denial.instance_id or None,
        session_id=denial.session_id or None,
        transaction_id=None,
        event_id=denial.id,
        names=(name,),
    )


def _is_about(event: Event, path: str, root: str) -> bool:
    """Whether an edit, a look at a file, a command or a denial names this file, or something below this folder."""
    if event.kind not in GROUPED or event.kind == "search.made":
        return False
    return _mentions(_word(event, "path") or _name_of(event), path, root)


def _mentions(text: str, path: str, root: str) -> bool:
    text = text.removeprefix(root + "/")
    if text == path or text.startswith(path + "/"):
        return True
    words = text.split()
    return len(words) > 1 and any(_mentions(word.strip("'\";,()"), path, root) for word in words)
