"""What NOTES.md says: gathered from the ledger, in bounded numbers (SPEC 16.1).

The answer depends on the ledger alone, not on who asks or which processes run: `heal` writes the same bytes again. The
first prompt of a lineage is left out: it is private, and the file may be tracked by git.

    notes_text.text_of(notes_text.lines(gather(desk)))
"""

from __future__ import annotations

from perdure.actions import decisions, goals, notes, tasks
from perdure.actions.attribution import marked_foreign
from perdure.grounding.outcome import GROUNDED
from perdure.grounding.project_root import ROOT
from perdure.model import payload as p
from perdure.views.notes_text import (
    ARCHIVE,
    BLOCKERS,
    CONSTRAINTS,
    FAILED,
    FINDINGS,
    QUESTIONS,
    SCENARIOS,
    SUB_GOALS,
    NotesContent,
    NotesDecision,
    NotesEntry,
    NotesIdentifier,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perdure.actions.decisions import DecisionView
    from perdure.actions.tasks import TaskView
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json

MOST_DECISIONS, MOST_ARCHIVED, MOST_COUNTED = 12, 60, 1000
MOST_ENTRIES, MOST_IDENTIFIERS, MOST_TASKS = 40, 20, 3
MOST_EVIDENCE, MOST_REASONING = 5, 3
_LOOKED_AT = 200
_REASONING_LOOKED_AT = 50
CHECKPOINT = "checkpoint.passed"
_COMMANDS = {
    QUESTIONS: "note list question",
    SUB_GOALS: "goal list",
    SCENARIOS: "task list",
    BLOCKERS: "note list",
    CONSTRAINTS: "note list constraint",
    FAILED: "note list failed",
    FINDINGS: "note list finding",
}
"""Section → what shows the entries that are left out."""


def gather(desk: Desk) -> NotesContent:
    standing, archived, left_out = _decisions(desk)
    open_tasks = tasks.listed(desk)
    open_notes = notes.open_ones(desk, _LOOKED_AT)
    lists = {
        QUESTIONS: [*_open(open_notes, "question"), *_of_tasks(open_tasks, "questions")],
        SUB_GOALS: [*_goals(desk), *_open(open_notes, "next"), *_of_tasks(open_tasks, "next_steps")],
        SCENARIOS: [*_listed(desk, "scenario"), *_scenarios_of_tasks(open_tasks)],
        BLOCKERS: [*_open(open_notes, "blocker"), *_of_tasks(open_tasks, "blockers")],
        CONSTRAINTS: _listed(desk, "constraint"),
        FAILED: _listed(desk, "failed"),
        FINDINGS: _listed(desk, "finding"),
    }
    for found in lists.values():
        found.sort(key=lambda entry: entry.is_foreign)
    shown = {name: tuple(found[:MOST_ENTRIES]) for name, found in lists.items()}
    more = {
        name: f"{_more(len(found))}: perdure {_COMMANDS[name]}"
        for name, found in lists.items()
        if len(found) > MOST_ENTRIES
    }
    return NotesContent(
        tasks=tuple(_current(open_tasks)),
        checkpoint=_last_checkpoint(desk),
        reasoning=tuple(_reasoning(desk)),
        identifiers=tuple(_identifiers(desk, standing)),
        decisions=tuple(_decision(each) for each in standing),
        questions=shown[QUESTIONS],
        sub_goals=shown[SUB_GOALS],
        scenarios=shown[SCENARIOS],
        blockers=shown[BLOCKERS],
        constraints=shown[CONSTRAINTS],
        failed=shown[FAILED],
        findings=shown[FINDINGS],
        archive=tuple(_decision(each) for each in archived),
        left_out=tuple({**more, **({ARCHIVE: left_out} if left_out else {})}.items()),
    )


def _more(count: int) -> str:
    """No more than so many are read, so that a long ledger costs the same."""
    is_all = count < _LOOKED_AT
    return f"{count - MOST_ENTRIES} more" if is_all else f"more than {_LOOKED_AT - MOST_ENTRIES - 1} more"


def _decisions(desk: Desk) -> tuple[list[DecisionView], list[DecisionView], str]:
    """The first that stand, the next ones and those that were superseded, and how many are left out."""
    events = desk.own_first(["decision.made"], MOST_COUNTED + 1)
    standing: list[DecisionView] = []
    others: list[DecisionView] = []
    for event in events[: MOST_DECISIONS + MOST_ARCHIVED]:
        made = decisions.view(desk, event)
        is_shown = made.superseded_by is None and len(standing) < MOST_DECISIONS
        (standing if is_shown else others).append(made)
    count = len(events) - len(standing) - len(others)
    if count <= 0:
        return standing, others, ""
    many = f"more than {MOST_COUNTED - MOST_DECISIONS - MOST_ARCHIVED}" if len(events) > MOST_COUNTED else f"{count}"
    return standing, others, f"{many} older decisions: perdure decide --list --limit {MOST_COUNTED}"


def _decision(made: DecisionView) -> NotesDecision:
    return NotesDecision(
        id=made.id,
        ts=made.ts,
        title=made.marked(made.title or made.decision),
        decision=made.marked(made.decision),
        rationale=made.marked(made.rationale) if made.rationale else "",
        evidence=tuple(_cited(made, each) for each in made.evidence[:MOST_EVIDENCE]),
        scenarios=tuple(made.marked(_scenario(each)) for each in made.scenarios[:MOST_EVIDENCE]),
        superseded_by=made.superseded_by or "",
    )


def _cited(made: DecisionView, evidence: dict[str, Json]) -> tuple[str, str]:
    quote = evidence.get("quote")
    return (made.marked(quote) if isinstance(quote, str) and quote else ""), _place(evidence)


def _place(given: dict[str, Json]) -> str:
    """`${PROJECT_ROOT}/path:line-line` or `…#symbol`."""
    path, first, last, symbol = (given.get(name) for name in ("path", "line", "end_line", "symbol"))
    if not isinstance(path, str):
        return "no place is given"
    path = path if path.startswith(ROOT) else ROOT + path
    if isinstance(first, int):
        return f"{path}:{first}-{last}" if isinstance(last, int) and last != first else f"{path}:{first}"
    return f"{path}#{symbol}" if isinstance(symbol, str) else path


def _scenario(given: dict[str, Json]) -> str:
    kind, name, expected = (given.get(each) for each in ("type", "name", "expected"))
    text = f"{kind}: {name}" if kind else str(name)
    return f"{text} → {expected}" if expected else text


def _current(open_tasks: Sequence[TaskView]) -> list[NotesEntry]:
    going = [each for each in open_tasks if each.status == "in_progress"]
    going.sort(key=lambda task: "title" in task.fields_from_other_ledgers)
    return [NotesEntry(each.id, each.marked("title", each.title)) for each in going[:MOST_TASKS]]


def _last_checkpoint(desk: Desk) -> str:
    found = desk.latest_here([CHECKPOINT], 1)
    return found[0].ts if found else ""


def _reasoning(desk: Desk) -> list[NotesEntry]:
    """The newest, and the newest of each other instance whose session has not ended."""
    found: dict[str | None, NotesEntry] = {}
    for event in desk.own_first(["note.reasoning"], _REASONING_LOOKED_AT):
        session = desk.ledger.document("session", event.session_id) if event.session_id else None
        is_open = session is not None and session.live
        if event.instance_id not in found and (not found or is_open):
            note = notes.view(desk, event)
            found[event.instance_id] = NotesEntry(event.id, note.marked(note.text))
    return list(found.values())[:MOST_REASONING]


def _identifiers(desk: Desk, standing: Iterable[DecisionView]) -> list[NotesIdentifier]:
    """Places that were seen to say what was claimed, each once: by what was claimed here first, of each the newest
    first."""
    found = [each for event in desk.own_first(["claim.made"], _LOOKED_AT) for each in _claimed(desk, event)]
    for made in standing:
        found += [
            NotesIdentifier(
                id=made.id,
                place=_place(each),
                purpose=made.marked(made.title or made.decision),
                verified=made.ts,
                is_foreign=made.other_ledger is not None,
            )
            for each in made.evidence
            if each.get("class") in GROUNDED
        ]
    found.sort(key=lambda each: each.verified, reverse=True)
    found.sort(key=lambda each: each.is_foreign)
    by_place: dict[str, NotesIdentifier] = {}
    for each in found:
        by_place.setdefault(each.place, each)
    return list(by_place.values())[:MOST_IDENTIFIERS]


def _claimed(desk: Desk, event: Event) -> list[NotesIdentifier]:
    said = p.read(event, p.ClaimMade)
    if said is None or said.path is None or said.outcome not in GROUNDED:
        return []
    place = _place({"path": said.path, "line": said.line, "end_line": said.end_line, "symbol": said.symbol})
    other = desk.other_ledger(event)
    purpose = marked_foreign(other, said.claim)
    return [NotesIdentifier(id=event.id, place=place, purpose=purpose, verified=event.ts, is_foreign=other is not None)]


def _open(open_notes: Iterable[notes.NoteView], kind: str) -> list[NotesEntry]:
    return [
        NotesEntry(each.id, each.marked(each.text), is_foreign=each.other_ledger is not None)
        for each in open_notes
        if each.kind == kind
    ]


def _of_tasks(open_tasks: Iterable[TaskView], field: str) -> list[NotesEntry]:
    return [
        NotesEntry(
            task.id, task.marked(field, f"{each} (task)"), box=False, is_foreign=field in task.fields_from_other_ledgers
        )
        for task in open_tasks
        for each in getattr(task, field)
    ]


def _goals(desk: Desk) -> list[NotesEntry]:
    return [
        NotesEntry(each.id, each.marked(f"Goal: {each.title}"), is_foreign=each.other_ledger is not None)
        for each in goals.of_project(desk)
    ]


def _listed(desk: Desk, kind: str) -> list[NotesEntry]:
    """Notes that nobody closes."""
    return [
        NotesEntry(each.id, each.marked(each.text), box=False, is_foreign=each.other_ledger is not None)
        for each in notes.latest(desk, [kind], _LOOKED_AT)
    ]


def _scenarios_of_tasks(open_tasks: Iterable[TaskView]) -> list[NotesEntry]:
    return [
        NotesEntry(
            task.id,
            task.marked("test_scenarios", _scenario(each)),
            box=False,
            is_foreign="test_scenarios" in task.fields_from_other_ledgers,
        )
        for task in open_tasks
        for each in task.test_scenarios
    ]
