"""A person takes their edits of NOTES.md into the ledger (SPEC 16.1, docs/adr/0056).

A file is text that anybody may have written: an agent, a colleague through a pull, a program. So an edit becomes the
person's only by a command in a terminal of their own, which shows what it takes. What an agent edited or a commit
brought needs one more word from them, `mine`.

    planned = plan(desk, None)
    take(desk, planned, mine=False)
"""

from __future__ import annotations

import os

from perdure.actions import forks, notes_forks, notes_view
from perdure.actions.attribution import current_attribution
from perdure.actions.brief_places import seen_in
from perdure.actions.notes_view import NotesRead
from perdure.actions.record import record
from perdure.errors import BadInput, PerdureError, Refused
from perdure.gate.effects.finding import NOETIC
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.model.ids import EventId, derived_id
from perdure.model.state import Goal, body_as
from perdure.model.value import replace, value
from perdure.place import file_versions
from perdure.place.own_instance import PERSON_DOES
from perdure.views import notes_edits, notes_file, notes_text
from perdure.views.notes_edits import DECISION, REMOVED, Addition, Change, Edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.attribution import Attribution
    from perdure.actions.record import Fact
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.views.notes_file import NotesFile

_LOOKED_AT = 5000
_CLOSABLE = tuple(f"note.{kind}" for kind in p.CLOSABLE_NOTES)


@value
class PlannedTaking:
    """What would be taken in."""

    path: str
    edits: Edits
    found: NotesRead
    """NOTES.md itself, which is written afterwards."""
    is_aside: bool
    """The edits are in another file than NOTES.md."""
    doubts: tuple[str, ...]
    """Why somebody else than the person may have written them."""


@value
class TakenIn:
    path: str
    taken: tuple[tuple[str, str], ...]
    """Kind and text of each event."""
    forks: tuple[tuple[str, str, str], ...]
    """The entry, what the ledger says and what the file says."""
    aside: str
    """The file with what could not be taken in; empty if nothing was left."""
    left: tuple[str, ...]
    """Lines that have no place."""
    warnings: tuple[str, ...] = ()


def plan(desk: Desk, named: str | None) -> PlannedTaking:
    found = notes_view.read(desk)
    if named is None and found.file.is_odd:
        raise BadInput(
            "no_notes", f"{found.path} {notes_file.UNREAD}.", hint=f"perdure heal keeps it. {notes_file.TAKE_PARTS}"
        )
    if named is None:
        _refuse_other_encodings(found.path, found.file)
        doubts = (*_agents_edits(desk, found), *_committed(desk, found))
        return PlannedTaking(path=found.path, edits=found.edits, found=found, is_aside=False, doubts=doubts)
    path = os.path.abspath(os.path.join(desk.resolved.request.cwd, named))
    file = notes_file.look(path)
    if file.is_odd:
        raise BadInput("no_notes", f"{path} {notes_file.UNREAD}.", hint=notes_file.TAKE_PARTS)
    if file.content is None:
        raise BadInput("no_notes", f"{path}: there is no such file.", hint="Copies of NOTES.md are in .perdure.")
    text = _refuse_other_encodings(path, file)
    edits = notes_edits.edits_in(text, notes_edits.base_of(found.lines))
    kept = tuple(each for each in edits.changed if each.raw and not _is_known(desk, each))
    edits = notes_edits.without_replaced(
        replace(edits, changed=kept, is_damaged=False), notes_view.reasoning_ids(desk.ledger)
    )
    doubt = f"{path} is a copy, and nothing says who wrote it."
    return PlannedTaking(path=path, edits=edits, found=found, is_aside=True, doubts=(doubt,))


def _refuse_other_encodings(path: str, file: NotesFile) -> str:
    """Its text. What is not UTF-8 is not guessed: it would not be compared with what git has of the file."""
    if file.text is None:
        raise BadInput(
            "no_notes", f"{path} is not UTF-8.", hint="Save it as UTF-8 in your editor, and run the command again."
        )
    return file.text


def _is_known(desk: Desk, change: Change) -> bool:
    """Whether the ledger says the same, of an entry that the file does not show any more."""
    event = _event(desk, change.entry)
    return event is None or all(word in _words(event) for word in _bare(change.raw))


def _bare(raw: tuple[str, ...]) -> Iterator[str]:
    for line in raw:
        yield line.partition("<!--")[0].removeprefix("- [ ] ").removeprefix("- ").strip()


def _agents_edits(desk: Desk, found: NotesRead) -> list[str]:
    """An agent that edited the file since it was written, or ran a command that names it and may write, as its hooks
    saw."""
    since = found.mark.at if found.mark else ""
    for event in desk.latest_here(["edit.made", "file.created", "command.run"], _LOOKED_AT):
        if event.ts < since:
            break
        what = _writes(event, desk.root, found.path) if event.actor != USER else ""
        if what:
            return [f"{event.actor} {what} at {event.ts}."]
    return []


def _writes(event: Event, root: str, path: str) -> str:
    """What was done to the file, in words; empty if nothing was."""
    edited = p.read(event, p.EditMade) or p.read(event, p.FileCreated)
    if edited is not None and os.path.join(root, edited.path) == path:
        return f"edited {path}"
    ran = p.read(event, p.CommandRun)
    is_writing = ran is not None and ran.effect != NOETIC and notes_file.NAME in ran.command
    return f"ran a command that names {notes_file.NAME}" if is_writing else ""


def _committed(desk: Desk, found: NotesRead) -> list[str]:
    """Edits that a version of the file has which git knows: a pull, a merge or a checkout may have brought them."""
    if found.path != notes_file.path_of(desk.root, notes_file.TRACKED):
        return []
    edits, base = found.edits, found.mark.lines if found.mark else notes_edits.base_of(found.lines)
    parts: set[object] = set()
    for text in file_versions.texts(desk.root, notes_file.NAME):
        parts |= _parts(notes_edits.edits_in(text, base))  # of a reasoning state, only the text counts
    count = len(_parts(edits) & parts)
    said = f"Git has {count:,} of these edits: a commit, a merge or a checkout may have brought them."
    return [said] if count else []


def _parts(edits: Edits) -> set[object]:
    """What was edited, so that two versions of the file can be compared. An older version lacks entries that are newer
    than it, so what was removed counts only as a whole."""
    changed = {(each.entry, each.raw) for each in edits.changed if each.raw}
    removed = frozenset(each.entry for each in edits.changed if not each.raw)
    added = {(each.kind, each.text, each.rationale) for each in edits.added}
    return {*added, *changed, *edits.ticked, *([removed] if removed else [])}


# -- taking ------------------------------------------------------------------------------------------------------------


def refuse_all_but_people(desk: Desk) -> None:
    desk.refuse_agent("Only a person may record the words of a file as a person's.")
    if desk.is_agent:
        raise Refused("for_people", "Only a person takes edits of NOTES.md in. Nothing was written.", hint=PERSON_DOES)


def refuse_doubtful(planned: PlannedTaking, *, mine: bool) -> None:
    if planned.doubts and not mine and not planned.edits.is_none:
        raise Refused(
            "notes_not_yours",
            f"{' '.join(planned.doubts)} Nothing was written.",
            hint="Read them: perdure notes diff. If they are your words: perdure notes take --mine.",
        )


def take(desk: Desk, planned: PlannedTaking, *, mine: bool) -> TakenIn:
    refuse_all_but_people(desk)
    refuse_doubtful(planned, mine=mine)
    taking = _Taking(desk, planned)
    taking.collect()
    taking.record()
    return taking.finish()


class _Taking:
    def __init__(self, desk: Desk, planned: PlannedTaking) -> None:
        self._desk = desk
        self._planned = planned
        self._attribution: Attribution = current_attribution(desk)
        self._facts: list[Fact] = []
        self._taken: list[tuple[str, str]] = []
        self._forks: list[tuple[str, str, str]] = []
        self._left = list(planned.edits.unplaced)
        self._warnings: list[str] = []

    def collect(self) -> None:
        edits = self._planned.edits
        for each in edits.added:
            self._add(each)
        for entry in edits.ticked:
            self._close(entry)
        if not edits.is_damaged:  # of a file that was cut nobody can say what was removed on purpose
            for change in edits.changed:
                self._fork(change)

    def _add(self, addition: Addition) -> None:
        """The id depends on the words and on the file that they were added to: after a crash, what was recorded is not
        recorded again."""
        mark = self._planned.found.mark
        event_id = EventId(derived_id("notes", mark.at if mark else "", *addition.raw))
        if self._desk.ledger.find(event_id):
            return
        try:
            kind, payload = self._payload(addition)
        except PerdureError as error:
            self._warnings.append(f"{addition.raw[0]}: {error.message} {error.hint}".strip())
            self._left += addition.raw
            return
        self._facts.append(self._attribution.fact(kind, payload, id=event_id))
        self._taken.append((addition.kind, addition.text))

    def _payload(self, addition: Addition) -> tuple[str, object]:
        if addition.kind != DECISION:
            return f"note.{addition.kind}", p.Note(addition.text, seen_in(self._desk, addition.text))
        from perdure.actions.evidence import of_decision  # opens files and asks git

        given: tuple[dict[str, Json], ...] = tuple(
            {"path": place, **({"quote": quote} if quote else {})} for quote, place in addition.evidence
        )
        judged, warnings = of_decision(self._desk, given) if given else ((), ())
        self._warnings += warnings
        title = addition.title if addition.title != addition.text else None
        return "decision.made", p.DecisionMade(
            decision=addition.text,
            rationale=addition.rationale or None,
            evidence=judged,
            title=title,
            identifiers=seen_in(self._desk, addition.text, addition.rationale),
            scenarios=tuple({"name": each} for each in addition.scenarios),
        )

    def _close(self, entry: str) -> None:
        event = _event(self._desk, entry)
        if event is None:
            return
        goal = self._desk.ledger.document("goal", event.id)
        if event.kind in _CLOSABLE and self._desk.ledger.document("note", event.id):
            self._facts.append(self._attribution.fact("note.closed", p.NoteClosed(event.id)))
        elif goal and goal.live and body_as(goal, Goal):
            self._facts.append(self._attribution.fact("goal.done", p.GoalDone(event.id)))
        else:
            return  # somebody else closed it meanwhile
        self._taken.append(("closed", _words(event)))

    def _fork(self, change: Change) -> None:
        """The ledger's words stay; the file's are on record beside them."""
        event = _event(self._desk, change.entry)
        is_shown = any(line.entry == change.entry for line in self._planned.found.lines)
        if event is None or (not change.raw and not is_shown):  # gone on both sides
            return
        ledger, file = _words(event), "\n".join(change.raw)
        place = os.path.relpath(self._planned.path, self._desk.root)
        is_decision = event.kind == "decision.made"
        ours: dict[str, Json] = {"decision_id": event.id} if is_decision else {"value": ledger}
        said = p.ForkDetected(
            about=forks.ABOUT_TEXT,
            field=notes_forks.field_of(event),
            sides=(
                {"side": forks.SIDE_LEDGER, **ours},
                {"side": forks.SIDE_TEXT, "value": file or REMOVED, "source": place},
            ),
            fork_id=derived_id("fork", "notes", event.id, file),
        )
        self._facts.append(self._attribution.fact("fork.detected", said))
        self._forks.append((notes_forks.field_of(event), ledger, file))

    def record(self) -> None:
        if self._facts:
            record(self._desk, [*self._attribution.before, *self._facts])

    def finish(self) -> TakenIn:
        """Writes NOTES.md. What could not be taken in is kept in a copy."""
        planned, aside = self._planned, ""
        if not planned.is_aside:
            aside = self._keep_rest()
        notes_view.refresh(self._desk)
        return TakenIn(
            path=planned.path,
            taken=tuple(self._taken),
            forks=tuple(self._forks),
            aside=aside,
            left=tuple(self._left),
            warnings=tuple(self._warnings),
        )

    def _keep_rest(self) -> str:
        """Writes the file without the edits that are in the ledger now."""
        found, content = self._planned.found, self._planned.found.file.content
        aside = ""
        if (self._left or self._planned.edits.is_damaged) and content is not None:
            aside = notes_view.keep(self._desk, content)
        now = replace(found, lines=notes_view.read(self._desk).lines)
        notes_view.write(self._desk, now, notes_text.NO_EDITS)
        return aside


def _event(desk: Desk, entry: str) -> Event | None:
    found = desk.ledger.find(entry)
    return found[0] if len(found) == 1 else None


def _words(event: Event) -> str:
    """The words of an entry as the ledger has them."""
    said = event.payload or {}
    names = p.TEXTS.get(event.kind, ())
    texts = [said[name] for name in names if isinstance(said.get(name), str)]
    return "\n".join(str(each) for each in texts) or "(erased)"
