"""A brief for whoever continues the work (SPEC 12): from the ledger, or only from a client's transcript, with the same
ranking.

Only the latest of each kind is read, so that the time does not depend on the ledger's length (SPEC 12.4).
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import pairwise

from perdure.actions import (
    brief_places,
    contracts,
    decisions,
    gathering,
    notes,
    overview,
    pointers,
    tasks,
    transaction_lookup,
)
from perdure.actions.attribution import marked_foreign, own_open_transaction
from perdure.actions.transcripts import events_of
from perdure.actions.writers import OTHER, Writers
from perdure.errors import BadInput
from perdure.ledger.port import ALL_EVENTS
from perdure.lifecycle.context_use import WITH_SHORT_BRIEF, HookText, budget_phase, fitted, room
from perdure.lifecycle.phases import START, marker
from perdure.model import payload as p
from perdure.model.event import is_from_beads
from perdure.model.ids import short, short_task, shown
from perdure.model.moment import is_stamp
from perdure.model.plural import counted_many
from perdure.model.state import Session
from perdure.model.terms import asked_terms, closeness, terms_of, text_of, word_root
from perdure.model.value import replace, value
from perdure.place import git_status, repository
from perdure.recovery import ledger_sections, level_one, search_ranking
from perdure.recovery.brief import LEAST, BriefLine, Section, brief, flat, sections_of, state_section
from perdure.recovery.gather import Gathering
from perdure.recovery.ledger_sections import Written
from perdure.recovery.level_one import at_a_glance, largest_that_fits
from perdure.recovery.place_marks import without_cut_place
from perdure.recovery.tokens import count, fits
from perdure.recovery.work_state import Commit, GitState
from perdure.transcript.claude_code import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.actions.goals import GoalView
    from perdure.actions.holdings import Held
    from perdure.actions.notes import NoteView
    from perdure.actions.overview import Overview
    from perdure.actions.session_state import Revival
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.context_use import ContextUse
    from perdure.model.event import Event

GLANCE, BRIEF, ANSWERS, ALL = "1", "brief", "2", "3"
"""What `perdure recover` can give: level 1, a glance at the work; the brief, if no level is named; level 2, answers to
a query; level 3, everything that was written down."""
BRIEF_BUDGET = 1200
"""Tokens for the brief, as a session begins with it or as `perdure recover` prints it."""
BUDGETS = {GLANCE: 100, BRIEF: BRIEF_BUDGET, ANSWERS: 500, ALL: None}
"""Tokens for each level; level 3 has no limit."""
UNLIMITED = 1_000_000
"""Tokens: more than any brief has."""
LEAST_HEAD = LEAST * 2 // 3
"""Tokens that a head may always have, whatever the budget is."""

# How many are shown at most:
MOST_DECISIONS = 20
MOST_DECISIONS_AT_LEVEL_1 = 3
MOST_READY_TASKS = 3
MOST_NOTES = 8
"""Constraints, and failed approaches."""
MOST_ANSWERS = 40
MOST_WITH_NEIGHBOURS = 24
"""For so many of the best answers, the texts beside them are looked at too."""
LONGEST_ANSWER = 400
"""Characters."""

# How much is read at most:
MOST_SEEN_AT_LEVEL_1 = 500
MOST_USES = 300
"""Events about files, to see which files are in use."""
MOST_COMMITS = 200
"""Commits, to see which files change together."""
MOST_READ = 4 << 20
"""Bytes of a file of the work tree."""
FILES_CACHED = 8
"""Files of the work tree whose lines are kept in memory."""

_OF_ONE_BRANCH = frozenset(("files", "errors", "items", "names", "commands"))
"""Sections of a brief that say nothing on another branch."""
NOTHING = "Nothing was recorded."
MORE = "More: perdure recover --max-tokens N"
MORE_AT_LEVEL_1 = "More: perdure recover"


@value
class Recovered:
    """A brief, and what it was made from."""

    text: str
    sections: tuple[Section, ...]
    """Everything that there was to say, the lines of the head first."""
    skipped: int = 0
    """Lines of the transcript that could not be read."""
    met_until: bool = True
    """Whether the transcript has the event that it was to be read up to."""


def _enough_tokens(budget: int) -> int:
    if budget < LEAST:
        raise BadInput("too_few_tokens", f"A brief needs at least {LEAST} tokens.", hint=f"--max-tokens {LEAST}")
    return budget


# -- from a transcript -----------------------------------------------------------------------------------------------


def from_transcript(path: str, until: str | None, budget: int | None = None, *, level: str = BRIEF) -> Recovered:
    """Level 1 is short. A transcript has no notes that level 3 could list, so level 3 is a brief."""
    budget = _enough_tokens(budget or BUDGETS[level] or BRIEF_BUDGET)
    gathered, reading = Gathering(), Reading()
    for event in events_of(path, reading, until):
        gathered.take(event)
    look = (_existence_in(gathered.root), _lines_in(gathered.root))
    if level == GLANCE:
        sections = brief_places.marked_without_ledger(gathered.root, _masked(level_one.gathered(gathered, *look)))
        text = at_a_glance(sections, budget, more=MORE)
    else:
        sections = brief_places.marked_without_ledger(
            gathered.root, _masked([state_section(gathered), *sections_of(gathered, *look)])
        )
        text = brief(sections, budget, more=MORE)
    return Recovered(text=text, sections=tuple(sections), skipped=reading.skipped, met_until=reading.met_until)


def _masked(sections: list[Section]) -> list[Section]:
    """Masks a transcript. The ledger was masked when it was written, but a transcript contains whatever was said."""
    from perdure.masking import mask_text

    def masked(line: BriefLine) -> BriefLine:
        return replace(line, text=mask_text(line.text)[0], short=mask_text(line.short)[0])

    return [replace(section, lines=tuple(map(masked, section.lines))) for section in sections]


def _existence_in(root: str) -> Callable[[str], bool | None]:
    """Tells whether a path exists. Without a work tree that cannot be known."""
    if not root or not os.path.isdir(root):
        return lambda _: None
    return lambda path: os.path.exists(os.path.join(root, path))


def _lines_in(root: str) -> Callable[[str], list[str] | None]:
    """Reads the lines of a file in the work tree, to see whether a line that is named has moved."""

    def lines(path: str) -> list[str] | None:
        try:
            place = os.path.realpath(os.path.join(root, path))
            inside = bool(root) and place.startswith(os.path.realpath(root) + os.sep)
            if not inside or not os.path.isfile(place):  # a transcript may name any path
                return None
            with open(place, "rb") as file:
                return file.read(MOST_READ).decode("utf-8", "replace").split("\n")
        except (OSError, ValueError):  # gone, or not a path at all
            return None

    return lru_cache(maxsize=FILES_CACHED)(lines)


# -- from the ledger -------------------------------------------------------------------------------------------------


def from_ledger(desk: Desk, level: str | None, budget: int | None, *, query: str | None = None) -> Recovered:
    """Recovers from the ledger. If no level is given: the answers to a query if there is one, else the brief."""
    if not level:
        level = BRIEF if query is None else ANSWERS
    if (level == ANSWERS) != (query is not None):
        raise BadInput(
            "usage",
            "Level 2 needs a query, and only level 2 takes one.",
            hint="perdure recover --level 2 --query 'cache'",
        )
    limit = _enough_tokens(budget or BUDGETS[level] or UNLIMITED)
    if query is not None:
        return _level_two(desk, query, limit)
    found = overview.overview(desk)
    session = found.session
    work = recorded_work(desk, found, session)
    if level == ALL:
        return _level_three(desk, work, budget)
    if level == GLANCE:
        return _level_one(desk, session, work, budget=limit)
    head, limit = _head([ledger_sections.head(work), *ledger_sections.short_heads(work)], limit)
    sections = brief_places.marked(desk, _state_first(work, _gathered_sections(desk, session)))
    text = brief(sections, limit, ledger_sections.joined(head), more=MORE)
    return Recovered(text, (_head_section(work, head), *sections))


def _level_one(desk: Desk, session: Session | None, work: ledger_sections.RecordedWork, *, budget: int) -> Recovered:
    """Level 1: what was written down, and for what was not, what hooks saw. A goal may be just the very first prompt,
    so if it is not known where the work stopped, the last prompt is shown too."""
    few = replace(
        work,
        goals=work.goals[:1],
        tasks=_of_this_place(work.tasks)[:1],
        next_steps=_of_this_place(work.next_steps)[:1],
        decisions=work.decisions[:MOST_DECISIONS_AT_LEVEL_1],
    )
    goal, task, reasoning, steps, decided = ledger_sections.written(few)[:5]
    wanted = _wanted_of_hooks(goal, reasoning, steps)
    seen = _seen_at_level_1(desk, session) if wanted else {}
    sections: list[Section] = []
    for section, fallbacks in (
        (goal, (level_one.ASKED,)),
        (task, ()),
        (reasoning, (level_one.STOPPED,)),
        (steps, (level_one.ITEMS, level_one.ERRORS)),
        (decided, (level_one.FILES,)),
    ):
        sections.append(section)
        sections += [_without_goal(goal, seen[part]) for part in fallbacks if part in wanted and part in seen]
    sections = brief_places.marked(desk, sections)
    head, budget = _head(ledger_sections.short_heads(work), budget)
    text = at_a_glance(sections, budget, ledger_sections.joined(head), more=MORE_AT_LEVEL_1)
    return Recovered(text, (_head_section(work, head), *sections))


def _of_this_place(several: Sequence[Written]) -> tuple[Written, ...]:
    return tuple(each for each in several if not each.of_other)


def _wanted_of_hooks(goal: Section, reasoning: Section, steps: Section) -> set[str]:
    """What must come from what hooks saw, because nobody wrote it down."""
    wanted = set()
    if not reasoning.lines:
        wanted |= {level_one.ASKED, level_one.STOPPED, level_one.ERRORS, level_one.FILES}
    if not goal.lines:
        wanted.add(level_one.ASKED)
    if not steps.lines:
        wanted.add(level_one.ITEMS)
    return wanted


def _seen_at_level_1(desk: Desk, session: Session | None) -> dict[str, Section]:
    """What hooks saw, as sections by what they are about."""
    gathered = gathering.gathered_latest(desk, session, MOST_SEEN_AT_LEVEL_1)
    return {part.what: part for part in level_one.gathered(gathered, _existence_in(desk.root), _lines_in(desk.root))}


def _without_goal(goal: Section, said: Section) -> Section:
    """The section without the lines that the goal contains already. A goal that was cut contains what begins like
    it."""

    def is_goal(text: str) -> bool:
        return any(
            text == each.text or (each.text.endswith("…") and text.startswith(each.text.rstrip("… ")))
            for each in goal.lines
        )

    bare = [line.text.removeprefix("> ") for line in said.lines]
    if said.what == level_one.ASKED and bare and is_goal(bare[0]):
        # An older prompt alone would be taken for the last one. It is shown only with a "go on" that refers to it.
        return said if level_one.assents(bare[0]) else replace(said, lines=())
    return replace(said, lines=tuple(line for line, text in zip(said.lines, bare, strict=True) if not is_goal(text)))


def _head(heads: Sequence[tuple[BriefLine, ...]], budget: int) -> tuple[tuple[BriefLine, ...], int]:
    """Chooses the longest of these heads (given longest first) that takes at most a third of the budget; empty if none
    does. Returns it with the tokens for the whole brief.

    These may be fewer than the budget. With a little more budget a longer head is chosen, which leaves less room for
    the rest. So that a greater budget never shows less, the rest gets no more room before than it has then."""
    for head, shorter in zip(heads, [*heads[1:], ()], strict=True):
        taken = count(ledger_sections.joined(head))
        if taken <= max(budget // 3, LEAST_HEAD):
            return head, budget
        budget = min(budget, 2 * taken + count(ledger_sections.joined(shorter)))
    return (), budget


def _head_section(work: ledger_sections.RecordedWork, head: tuple[BriefLine, ...]) -> Section:
    """The head as a section, for `--why`, even if no head fits."""
    return Section(title="Head:", what="lines", share=1.0, lines=head or ledger_sections.short_heads(work)[0])


def _level_three(desk: Desk, work: ledger_sections.RecordedWork, budget: int | None) -> Recovered:
    """Level 3: everything that was written down on purpose, and what was found to be lost: first what was
    recorded here, of each the newest first."""
    kinds = ["decision.made", *(f"note.{kind}" for kind in p.NOTE_KINDS), "ledger.healed"]
    lines = [
        BriefLine(f"{event.ts[:16]} {text}", event.kind, source=event.id)
        for event in desk.own_first(kinds, ALL_EVENTS)
        for text in (_losses(desk, event) if event.kind == "ledger.healed" else [_marked_event(desk, event)])
    ]
    section = Section(
        title="Recorded, newest first, what other machines wrote last:" if lines else NOTHING,
        what="notes",
        share=1.0,
        lines=tuple(lines),
    )
    [section] = brief_places.marked(desk, [section])
    head, limit = _head([ledger_sections.head(work), *ledger_sections.short_heads(work)], budget or UNLIMITED)
    text = _as_many_as_fit(section, ledger_sections.joined(head), limit if budget else None)
    return Recovered(text, (_head_section(work, head), section))


def _as_many_as_fit(section: Section, head: str, budget: int | None) -> str:
    """The head and the section's first lines, up to the budget; the head alone if not even the title fits."""

    def first(number: int) -> str:
        left = len(section.lines) - number
        foot = f"Not shown: {counted_many(left, section.what)}. {MORE}" if left else ""
        parts = [head, section.title, *(f"- {flat(line.text)}" for line in section.lines[:number]), foot]
        return "\n".join(part for part in parts if part)

    if budget is None:
        return first(len(section.lines))
    text = first(largest_that_fits(len(section.lines), lambda some: fits(first(some), budget)))
    return text if fits(text, budget) else head


def _losses(desk: Desk, event: Event) -> list[str]:
    """What a repair could not bring back, one line each."""
    healed = p.read(event, p.LedgerHealed)
    return [marked_foreign(desk.other_ledger(event), f"lost: {each}") for each in (healed.lost if healed else ())]


def _written_down(event: Event) -> str:
    made = p.read(event, p.DecisionMade)
    text = _with_reason(made.decision, made.rationale) if made else text_of(event)
    return f"{_WHAT.get(event.kind) or event.kind.removeprefix('note.')}: {' '.join(text.split()) or '(erased)'}"


_PROMPT = "prompt: "
_WHAT = {
    "decision.made": "decision",
    "goal.created": "goal",
    "prompt.given": "prompt",
    "task.created": "task",
    "task.updated": "task",
    "claim.made": "claim",
    "claim.absent": "said to be absent",
    "audit.started": "intent",
    "thought.recorded": "thought",
}


# -- answers to a question -------------------------------------------------------------------------------------------


def _level_two(desk: Desk, query: str, budget: int) -> Recovered:
    """Level 2: what the ledger has about some words, and what was said next to it."""
    terms = asked_terms(query)
    if not terms:
        raise BadInput("no_query", "The query has no words.", hint="perdure recover --level 2 --query 'cache'")
    best = _best_answers(desk, terms)
    named = next(about for about in (f"about {shown(query)}", "about that") if fits(_nothing(about), budget // 2))
    roots = frozenset(map(word_root, terms))
    lines = tuple(_answer(desk, event, roots) for event in best)
    section = Section(title="Found (> a person's words):", what="answers", share=1.0, lines=lines)
    [section] = brief_places.marked(desk, [section])
    text = _by_day(section, [_said_on(event) for event in best], budget) if lines else _nothing(named)
    return Recovered(text, (section,))


def _nothing(named: str) -> str:
    return f"The ledger has nothing {named}."


def _best_answers(desk: Desk, terms: list[str]) -> list[Event]:
    found = desk.ledger.mentioning(terms, MOST_ANSWERS)
    asked = [event for event in found.events if desk.counts(event)]
    events: dict[str, Event] = {event.id: event for event in asked}
    hits = []
    for place, event in enumerate(asked):
        before, after = _said_beside(desk, event) if place < MOST_WITH_NEIGHBOURS else ([], [])
        for each in (*before, *after):
            events.setdefault(each.id, each)
        hits.append(
            search_ranking.ScoredText(
                id=event.id,
                score=closeness(event, found.weights),
                is_question=text_of(event).rstrip().endswith(("?", "？")),
                before=tuple(each.id for each in before),
                after=tuple(each.id for each in after),
            )
        )
    uses = _in_use(desk, events)
    best = search_ranking.ranked(hits, lambda id: (uses.get(id, 0.0), events[id].clock))
    return [events[id] for id in best][:MOST_ANSWERS]


def _said_beside(desk: Desk, event: Event) -> tuple[list[Event], list[Event]]:
    """What the person said next before and after, if these are words of theirs: a conversation. What an agent writes
    down next to something is often about something else."""
    if event.kind != "prompt.given":
        return [], []
    before, after = desk.ledger.beside(event, len(search_ranking.SHARES))
    return [each for each in before if each.kind == event.kind], [each for each in after if each.kind == event.kind]


def _by_day(section: Section, days: Sequence[str], budget: int) -> str:
    """The best answers that fit, under the days they are of, best first. One that is too long for what is left is left
    out, and the next is tried."""
    room = budget - count(_days_text(section, days, []))
    sizes = [count(flat(line.text)) + 1 for line in section.lines]
    chosen: list[int] = []
    for at, size in enumerate(sizes):
        is_new_day = all(days[at] != days[other] for other in chosen)
        needed = size + (count(days[at]) + 1 if is_new_day else 0)
        if needed <= room:
            chosen.append(at)
            room -= needed
    while chosen and not fits(_days_text(section, days, chosen), budget):
        chosen.pop()
    return _days_text(section, days, chosen) if chosen else section.title


def _days_text(section: Section, days: Sequence[str], chosen: Sequence[int]) -> str:
    by_day: dict[str, list[int]] = {}
    for at in chosen:
        by_day.setdefault(days[at], []).append(at)
    parts = [section.title]
    for day, answers in by_day.items():
        parts += [day, *(flat(section.lines[at].text) for at in answers)]
    left = len(section.lines) - len(chosen)
    return "\n".join([*parts, f"Not shown: {counted_many(left, section.what)}. {MORE}"] if left else parts)


def _said_on(event: Event) -> str:
    """The day on which it was said: a transcript that was adopted later has times of its own, and a note that was moved
    here was written before."""
    prompt, note = p.read(event, p.PromptGiven), p.read(event, p.Note)
    said_at = prompt.said_at if prompt else note.moved_from.get("ts") if note and note.moved_from else None
    return (said_at if said_at and is_stamp(said_at) else event.ts)[:10]


def _answer(desk: Desk, event: Event, roots: frozenset[str]) -> BriefLine:
    text = _marked_event(desk, event)
    if event.kind == "decision.made" and desk.ledger.document("superseded", event.id):
        text += " (superseded)"
    elif notes.view(desk, event).open is False:
        text += " (closed)"
    words = text if len(text) <= LONGEST_ANSWER else without_cut_place(text[: LONGEST_ANSWER - 1]) + "…"
    spoken = [term for term in terms_of(text_of(event)) if word_root(term) in roots]
    why = f"it speaks of {', '.join(spoken)}" if spoken else "it stands beside one that speaks of it"
    said = f"> {words.removeprefix(_PROMPT)}" if event.kind == "prompt.given" else f"- {short(event.id)} {words}"
    return BriefLine(said, why, source=event.id)


def _in_use(desk: Desk, found: dict[str, Event]) -> dict[str, float]:
    """How often the files that a text is about were read or changed lately. Words in the text and in file names are
    compared."""
    uses: dict[str, int] = {}
    for event in desk.latest_here(["file.read", "edit.made", "file.created"], MOST_USES):
        path = (event.payload or {}).get("path")
        name = os.path.basename(path) if isinstance(path, str) else ""
        for term in terms_of(name):
            uses[term] = uses.get(term, 0) + 1
    if not uses:
        return {}
    return {id: sum(uses.get(term, 0) for term in terms_of(text_of(event))) for id, event in found.items()}


# -- what a session begins with, from the ledger --------------------------------------------------------------------


@value
class Notices:
    """What is told once, when a session starts."""

    urgent: tuple[str, ...] = ()
    """What was lost, what no longer guards, what the context states otherwise than the ledger: they come first."""
    others: tuple[str, ...] = ()
    """What was repaired or closed."""


def at_start(
    desk: Desk,
    session: Session,
    notices: Notices,
    *,
    use: ContextUse | None = None,
    revival: Revival | None = None,
) -> str:
    """What a session begins with: the brief, headed by the marker line and by what must be known at once. The head may
    take two thirds of the budget, and not one as in `_head`: its notices, such as what was lost, are told only now.
    `revival`: what a session that continues another takes over."""
    work = recorded_work(desk, overview.overview(desk), session, source=session.source, notices=notices)
    work = _with_revival(work, session, revival) if revival else work
    mark = marker(session.phase or START)
    if budget_phase(use) in WITH_SHORT_BRIEF:
        return _short_at_start(desk, session, work, mark=mark, notices=notices, use=use)
    head = ledger_sections.head_within(work, BRIEF_BUDGET * 2 // 3)
    gathered = _gathered_sections(desk, session)
    if revival and revival.is_other_branch:
        gathered = [each for each in gathered if each.what not in _OF_ONE_BRANCH]
    sections = brief_places.marked(desk, _state_first(work, gathered))
    return brief(sections, BRIEF_BUDGET, f"{mark}\n{ledger_sections.joined(head)}", more=MORE)


def _with_revival(
    work: ledger_sections.RecordedWork, session: Session, revival: Revival
) -> ledger_sections.RecordedWork:
    """State of another branch is not given. A goal that nothing in the work speaks of is marked (SPEC 10.4)."""
    doubt = f" (doubtful: {revival.doubt})" if revival.doubt else ""
    goals = tuple(
        replace(each, text=f"{each.text}{doubt}") if each.source == session.goal_id else each for each in work.goals
    )
    files = tuple(Written(each, "") for each in revival.earlier_files)
    return replace(work, goals=goals, earlier_files=files, pointers=() if revival.is_other_branch else work.pointers)


def _short_at_start(
    desk: Desk,
    session: Session,
    work: ledger_sections.RecordedWork,
    *,
    mark: str,
    notices: Notices,
    use: ContextUse | None,
) -> str:
    """Level 1, for a context that is nearly full (SPEC 10.5), and as much of the notices as hooks may say then."""
    budget = BUDGETS[GLANCE] or LEAST
    text = _level_one(desk, session, work, budget=max(LEAST, budget - count(mark) - 1)).text
    told = [HookText(each) for each in (*notices.urgent, *notices.others)]
    return "\n".join([mark, text, *fitted(told, room(use))])


def recorded_work(
    desk: Desk, o: Overview, session: Session | None, *, source: str = "", notices: Notices | None = None
) -> ledger_sections.RecordedWork:
    """What the ledger says about the work, which the head and the sections of a brief are made from. `source`: how the
    session that starts began; without one, none starts."""
    told = notices or Notices()
    by = Writers(desk, session)
    standing = decisions.standing_by(desk, by, MOST_DECISIONS)
    return ledger_sections.RecordedWork(
        project=o.project,
        project_id=o.project_id,
        root=o.root,
        branch=o.branch,
        source=source,
        transaction=_transaction(o.transaction, is_denied_here=o.is_denied_here),
        goals=_goals(o),
        others_goals=_others_goals(o),
        tasks=_tasks(desk, by),
        decisions=tuple(Written(d.marked(_with_reason(d.decision, d.rationale)), d.id) for d in standing),
        is_newest_first=all(earlier.ts >= later.ts for earlier, later in pairwise(standing)),
        reasoning=_written([o.reasoning] if o.reasoning else []),
        others_reasoning=_written(o.others_reasoning),
        next_steps=_open(o, "next"),
        questions=_open(o, "question"),
        blockers=_open(o, "blocker"),
        constraints=_of_all(notes.latest_by(desk, by, "constraint", limit=MOST_NOTES)),
        failed=_of_all(notes.latest_by(desk, by, "failed", limit=MOST_NOTES)),
        orphans=_orphaned(desk),
        elsewhere=_elsewhere(o),
        missing_record=o.missing_record,
        notices=(*told.urgent, *o.damage, *o.contradicting, *told.others, *o.gate, *o.warnings),
        forks=o.forks,
        guarded=desk.setting("gate.mode") == "enforce",
        project_flag=o.project_flag,
        contract=_contract(desk),
        pointers=tuple(
            Written(f"{each.name} ({each.value}): {each.command}", each.source)
            for each in pointers.of_session(desk, session)
        ),
    )


def _contract(desk: Desk) -> tuple[Written, ...]:
    found = contracts.current(desk)
    if found is None:
        return ()
    asked = ", ".join(found.evidence) or "enough evidence"
    must = f"; must hold: {'; '.join(found.criteria)}" if found.criteria else ""
    return (Written(f"{found.goal} ({asked}, mode {found.mode}){must}", found.owner),)


def _with_reason(what: str, why: str | None) -> str:
    return f"{what} — because {why}" if why else what


def _marked_event(desk: Desk, event: Event) -> str:
    made = p.read(event, p.DecisionMade)
    return marked_foreign(
        desk.other_ledger(event),
        _written_down(event),
        is_from_beads(event.actor),
        words_from=made.words_from if made else None,
    )


def _open(o: Overview, kind: str) -> tuple[Written, ...]:
    return _written([note for note in o.notes if note.kind == kind])


def _written(found: Sequence[NoteView]) -> tuple[Written, ...]:
    """Notes about one's own work: those of another pane are marked."""
    return tuple(
        Written(
            _marked_other(note.writer == OTHER, marked_foreign(note.other_ledger, note.text)),
            note.id,
            whose=note.writer,
            of_other=note.writer == OTHER,
        )
        for note in found
    )


def _of_all(found: Sequence[NoteView]) -> tuple[Written, ...]:
    """Notes that count for everybody in the project, whoever wrote them."""
    return tuple(Written(marked_foreign(note.other_ledger, note.text), note.id) for note in found)


def _marked_other(is_other: bool, text: str) -> str:
    return f"another pane: {text}" if is_other else text


def _transaction(held: Held | None, *, is_denied_here: bool) -> ledger_sections.OpenTransaction | None:
    if held is None or not held.mine:
        return None
    found = held.transaction
    decision = "proceed" if found.passes else "investigate"
    if is_denied_here:
        decision = "denies here"
    return ledger_sections.OpenTransaction(
        id=short(found.id), source=found.id, root=found.project_path, age=_age(held.age_seconds), decision=decision
    )


def _age(seconds: float) -> str:
    minutes = int(max(0, seconds) // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"


def _goals(o: Overview) -> tuple[Written, ...]:
    return tuple(Written(_goal_words(goal), goal.id) for goal in o.goals)


def _goal_words(goal: GoalView) -> str:
    marked = marked_foreign(goal.other_ledger, goal.title)
    return f"{marked} (begun in another project)" if goal.project_path else marked


def _others_goals(o: Overview) -> tuple[Written, ...]:
    return tuple(Written(marked_foreign(goal.other_ledger, goal.title), goal.id) for goal in o.others_goals)


def _tasks(desk: Desk, by: Writers) -> tuple[Written, ...]:
    """The task in progress here, which comes first in a brief (SPEC 7.1); if there is none, the first that are ready,
    and then the one that another pane has in progress."""
    active = tasks.active(desk)
    is_other = active is not None and by.is_at_work(active.instance_id)
    found: list[Written] = []
    if active is None or is_other:
        ready = [each for each in tasks.ready(desk, MOST_READY_TASKS + 1) if not active or each.id != active.id]
        found += [
            Written(t.marked("title", f"ready: {t.title} ({short_task(t.id)})"), t.id) for t in ready[:MOST_READY_TASKS]
        ]
    if active:
        steps = f"; next: {active.marked('next_steps', '; '.join(active.next_steps))}" if active.next_steps else ""
        text = active.marked("title", f"{active.title} ({short_task(active.id)})") + steps
        found.append(Written(_marked_other(is_other, text), active.id, of_other=is_other))
    return tuple(found)


def _orphaned(desk: Desk) -> tuple[Written, ...]:
    first = ", once yours is closed" if own_open_transaction(desk) else ""
    return tuple(
        Written(
            f"{short(each.transaction.id)}, left open in {each.transaction.project_path} "
            f"{_age(each.age_seconds)} ago. To take it over{first}: {each.adopted_by}",
            each.transaction.id,
        )
        for each in transaction_lookup.orphans(desk)
        if each.is_left_behind and not each.mine
    )


def _elsewhere(o: Overview) -> tuple[Written, ...]:
    """What this instance holds in other projects (SPEC 3.4)."""
    return tuple(
        Written(
            f"{short(each.transaction.id)} in project {each.transaction.project_path}, open {_age(each.age_seconds)}"
            + (f" ({transaction_lookup.one_line(each.goal)})" if each.goal else "")
            + f". To close it: perdure postflight --transaction-id {short(each.transaction.id)} …",
            each.transaction.id,
        )
        for each in o.elsewhere.open
    )


# -- what hooks recorded ---------------------------------------------------------------------------------------------


def _gathered_sections(desk: Desk, session: Session | None) -> list[Section]:
    gathered = gathering.gathered_of(desk, session)
    commits = repository.commits(desk.root, MOST_COMMITS) if gathered.files else []
    sections = sections_of(gathered, _existence_in(desk.root), _lines_in(desk.root), commits=commits)
    return [state_section(gathered, _git_state(desk.root)), *sections]


def _state_first(work: ledger_sections.RecordedWork, gathered: list[Section]) -> list[Section]:
    """What is the case, then what was written down, then what hooks saw."""
    return [*gathered[:1], *ledger_sections.written(work), *gathered[1:]]


def _git_state(root: str) -> GitState | None:
    found = git_status.status(root)
    if found is None:
        return None
    return GitState(found.branch, Commit(found.hash, found.subject, found.pushed), found.uncommitted)
