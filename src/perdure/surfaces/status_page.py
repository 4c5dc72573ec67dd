"""The page of `perdure status`: what is wrong, the worst first; the work of this pane; what others do (SPEC 17.6)."""

from __future__ import annotations

from perdure.actions.overview import overview
from perdure.actions.panes import others
from perdure.actions.writers import OTHER
from perdure.install.guard_registered import missing_guards
from perdure.model.ids import short
from perdure.model.moment import Stamp, moment_of, now, seconds_between, stamp
from perdure.model.plural import counted
from perdure.model.value import value
from perdure.surfaces.holder_words import holder_words, other_words
from perdure.surfaces.output import ago, duration, harmless, one_line, path_for_people
from perdure.surfaces.pane_name import pane_name
from perdure.surfaces.record_data import decision_data, goal_data, held_data, note_data, ratio_data, session_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.decisions import DecisionView
    from perdure.actions.goals import GoalView
    from perdure.actions.holdings import Held
    from perdure.actions.notes import NoteView
    from perdure.actions.overview import Overview
    from perdure.actions.panes import Pane
    from perdure.actions.wiring import Desk
    from perdure.model.json import Json
    from perdure.surfaces.output import Style

_LABEL = 13
"""Columns for the labels at the left."""
_WHOSE = {"original": "  this lineage's first prompt", "other": "  what the transaction was opened for"}
"""By the goal's status."""
_MARKS = {"question": "?", "blocker": "✗", "next": "→"}


@value
class Page:
    overview: Overview
    guards: tuple[str, ...]
    """What is wrong with how the guard is registered."""
    panes: tuple[Pane, ...]
    """What other panes work on here that are alive."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong, the worst first (SPEC 17.6)."""
        o = self.overview
        missing = [o.missing_record] if o.missing_record else []
        return (*missing, *o.damage, *o.gate, *self.guards, *o.left_behind, *o.contradicting, *o.warnings)


def page_at(desk: Desk) -> Page:
    found = overview(desk)
    guards = missing_guards(desk.root, desk.resolved.home)
    return Page(found, tuple(guards), others(desk, found.others))


def page_data(page: Page) -> dict[str, Json]:
    o = page.overview
    return {
        "project": o.project,
        "project_id": o.project_id,
        "project_path": o.root,
        "branch": o.branch,
        "instance_id": o.instance_id,
        "session": session_data(o.session) if o.session else None,
        "transaction": held_data(o.transaction) if o.transaction else None,
        "others": [held_data(each) for each in o.others],
        "panes": [pane_data(pane) for pane in page.panes],
        "elsewhere": [held_data(each) for each in o.elsewhere.open],
        "goals": [goal_data(goal) for goal in o.goals],
        "others_goals": [goal_data(goal) for goal in o.others_goals],
        "decisions": [decision_data(decision) for decision in o.decisions],
        "notes": [note_data(note) for note in o.notes],
        "reasoning": note_data(o.reasoning) if o.reasoning else None,
        "grounding": ratio_data(o.grounding.ratio),
        "ledger": {
            "ledger_id": o.head.ledger_id,
            "seq": o.head.seq,
            "hash": o.head.hash,
            "chains": o.chains,
            "events": o.backup.events,
            "backup_behind": o.backup.behind,
        },
        "warnings": list(page.warnings),
    }


def pane_data(pane: Pane) -> dict[str, Json]:
    return {
        "instance_id": pane.instance_id,
        "works_at": pane.works_at or None,
        "client": pane.client,
        "session_id": pane.session_id,
        "started_at": stamp(pane.since),
        "goal": pane.goal,
        "goal_id": pane.goal_id,
        "request": pane.request,
        "requested_at": pane.requested_at,
        "transaction_id": pane.held.transaction.id if pane.held else None,
    }


def page_text(page: Page, style: Style) -> str:
    o = page.overview
    lines = [_title(o, style), *(style("red", f"! {harmless(warning)}") for warning in page.warnings), ""]
    return "\n".join([*lines, *_work(o, style), *_beside(page, style), "", _footer(o, style)])


def _work(o: Overview, style: Style) -> list[str]:
    lines = _transaction(o, style)
    lines += _rows("also yours", [_elsewhere(each, o.meant, style) for each in o.elsewhere.open], style)
    lines += _rows("goals", [_goal(goal, style) for goal in o.goals], style)
    if o.reasoning:
        lines += _rows("where", [f"{_note(o.reasoning, 90)}  {style('dim', _when(o.reasoning.ts))}"], style)
    lines += _rows("decisions", [_decision(d, style) for d in o.decisions], style)
    lines += _grounding(o, style)
    open_notes = [f"{_MARKS[n.kind]} {_note(n, 86)}  {style('dim', short(n.id))}" for n in o.notes]
    return lines + _rows("open", open_notes, style)


def _beside(page: Page, style: Style) -> list[str]:
    """What others do here."""
    o = page.overview
    lines = _rows("panes", [line for pane in page.panes for line in pane_lines(pane, style)], style)
    has_own = o.transaction is not None and o.transaction.mine
    shown = {pane.held.transaction.id for pane in page.panes if pane.held}
    rest = [each for each in o.others if each.transaction.id not in shown]
    lines += _rows("others", [other_words(each, style, has_own=has_own) for each in rest], style)
    lines += _rows("", [f"{_note(n, 90)}  {style('dim', _when(n.ts))}" for n in o.others_reasoning], style)
    return lines


def _grounding(o: Overview, style: Style) -> list[str]:
    """Nothing claimed or decided since the last checkpoint needs no line."""
    found = o.grounding.ratio
    if found.share is None:
        return []
    latest = "" if o.grounding.is_whole else " of the latest claims and decisions"
    look = style("dim", f"  perdure checkpoint --full --dry-run{o.project_flag}")
    words = f"{found.share:.2f}  {found.grounded} of {found.total} grounded{latest}"
    return _rows("grounding", [words if found.passes else style("yellow", words) + look], style)


def _note(note: NoteView, longest: int) -> str:
    mark = "another pane: " if note.writer == OTHER else ""
    return f"{mark}{note.marked(one_line(note.text, longest - len(mark)))}"


def _goal(goal: GoalView, style: Style) -> str:
    where = f", in {path_for_people(goal.project_path)}" if goal.project_path else ""
    title = goal.marked(one_line(goal.title, 80))
    return f"{title}  {style('dim', short(goal.id) + _WHOSE.get(goal.status, '') + where)}"


def _title(o: Overview, style: Style) -> str:
    branch = f"  {style('cyan', harmless(o.branch))}" if o.branch else ""
    return f"{style('bold', harmless(o.project))}{branch}  {style('dim', path_for_people(o.root))}"


def _rows(label: str, rows: list[str], style: Style) -> list[str]:
    heads = [label, *[""] * (len(rows) - 1)]
    return [f"{style('dim', head.ljust(_LABEL))}{row}" for head, row in zip(heads, rows, strict=True)] if rows else []


def _transaction(o: Overview, style: Style) -> list[str]:
    held = o.transaction
    if held is None:
        none = "none open here" if o.elsewhere.open else "none open"
        return _rows("transaction", [style("yellow", none) + f"  perdure preflight{o.project_flag} opens one"], style)
    t = held.transaction
    gate = style("green", "proceed") if t.passes else style("yellow", "investigate")
    if o.is_denied_here:
        gate = style("red", "denied here")
    mark = ""
    if not held.mine:
        left = style("yellow", f"  left by {holder_words(held, style)}: ")
        mark = f"{left}{held.adopted_by}"
    numbers = "  ".join(f"{name} {t.vectors[name]:.2f}" for name in ("know", "uncertainty") if name in t.vectors)
    count = len(t.sessions)
    second = style("dim", f"{numbers}   {counted(count, 'session')}   touched {ago(t.updated_at, now())}")
    state = style("green", "open")
    return _rows(
        "transaction",
        [f"{style('bold', short(t.id))}  {state} {duration(held.age_seconds)}  {gate}{mark}", second],
        style,
    )


def pane_lines(pane: Pane, style: Style, *, is_own: bool = False) -> list[str]:
    """Who, and what for; then what it was asked last."""
    t = pane.held.transaction if pane.held else None
    doing = f"transaction {short(t.id)} open {duration(pane.held.age_seconds)}" if t and pane.held else "nothing open"
    who = f"{style('bold', pane_name(pane.instance_id, pane.works_at))}  {one_line(pane.client or 'terminal', 30)}"
    who += ", this one" if is_own else ""
    lines = [f"{who}, here {duration(seconds_between(pane.since, now()))}  {doing}"]
    if pane.goal and pane.goal != pane.request:
        lines.append(f"  for    {one_line(pane.goal, 80)}")
    if pane.request and pane.requested_at:
        lines.append(f"  asked  {one_line(pane.request, 80)}  {style('dim', _when(pane.requested_at))}")
    return lines


def _decision(made: DecisionView, style: Style) -> str:
    because = style("dim", f"  — {one_line(made.rationale, 60)}") if made.rationale else ""
    return f"{made.marked(one_line(made.decision, 60))}{because}  {style('dim', _when(made.ts))}"


def _when(ts: Stamp) -> str:
    return ago(moment_of(ts), now())


def _elsewhere(each: Held, meant: str | None, style: Style) -> str:
    close = f"perdure postflight --transaction-id {short(each.transaction.id)} …"
    if each.transaction.id == meant:
        close = "check and postflight without an id mean this one"
    return f"{other_words(each, style)}  {path_for_people(each.transaction.project_path)}  {style('dim', close)}"


def _footer(o: Overview, style: Style) -> str:
    chains = f" in {o.chains} chains" if o.chains > 1 else ""
    if o.backup.behind:
        backup = style("yellow", f"backup {counted(o.backup.behind, 'event')} behind")
    else:
        backup = style("dim", "backup current")
    pane = o.instance_id or (o.session.instance_id if o.session else None)  # as `log` names it
    place = pane_name(pane) if pane else "no pane bound here yet"
    session = f"session {short(o.session.id)}" if o.session else "no session"
    events = f"{counted(o.backup.events, 'event')}{chains}"
    return style("dim", f"{place}  {session}  {events}  head {o.head.hash[:12]}  ") + backup
