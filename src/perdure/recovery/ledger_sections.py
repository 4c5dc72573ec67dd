"""Makes the sections of a brief that come from the ledger: the open transaction, and what was written down on purpose.

The head has the project, the transaction, and what must be known at once; `head_within` cuts it to a budget, and
`short_heads` are for a small one. The rest are sections.

    brief([*written(o), *sections_of(gathered, …)], 1200, joined(head_within(o, 800)))
"""

from __future__ import annotations

from perdure.gate.policy import CHECK, POSTFLIGHT, PREFLIGHT, YOUR_OWN
from perdure.model.plural import counted
from perdure.model.value import replace, value
from perdure.recovery.brief import BriefLine, Section, flat
from perdure.recovery.level_one import REASONING
from perdure.recovery.place_marks import without_cut_place
from perdure.recovery.tokens import fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 400
SHORT_LINE = 140
"""Characters of a notice that does not fit as a whole."""
NOTICE = "what was met on the way here"
PROJECT, HELD = "the project this place resolves to", "the transaction this pane has open"
NONE_HELD = "this pane has no transaction open"
BECAUSE = {
    "compact": "The context was compacted",
    "resume": "The session was resumed",
    "clear": "The context was cleared",
    "fork": "The session was forked",
}


@value
class OpenTransaction:
    id: str
    source: str
    """The full id."""
    root: str
    age: str
    decision: str


@value
class Written:
    """A text from the ledger, and its id there."""

    text: str
    source: str
    whose: str = ""
    """Who wrote it, for `--why`."""
    of_other: bool = False
    """It is about the work of another pane."""


@value
class RecordedWork:
    """What the ledger says about the work, for the brief of a session that begins and for `perdure recover`. All of it
    is text, with short ids."""

    project: str
    project_id: str
    root: str
    branch: str | None
    source: str
    transaction: OpenTransaction | None
    goals: tuple[Written, ...]
    """The transaction's goal first, then those of its lineage."""
    others_goals: tuple[Written, ...]
    """What other live instances work on: not to be taken up by this one."""
    tasks: tuple[Written, ...]
    """Tasks in progress here; if there are none, tasks that are ready."""
    decisions: tuple[Written, ...]
    """Those of this place first, then the newest; each with its reason."""
    is_newest_first: bool
    """Whether those of this place are the newest decisions as well."""
    reasoning: tuple[Written, ...]
    """The last reasoning note about the work of this place."""
    others_reasoning: tuple[Written, ...]
    """The last reasoning note of each other instance that is at work."""
    next_steps: tuple[Written, ...]
    questions: tuple[Written, ...]
    blockers: tuple[Written, ...]
    constraints: tuple[Written, ...]
    failed: tuple[Written, ...]
    orphans: tuple[Written, ...]
    elsewhere: tuple[Written, ...]
    """Transactions that this instance has open in other projects."""
    missing_record: str
    """Says that there is a record which is not shown. It comes first, since the rest reads as if it were everything."""
    notices: tuple[str, ...]
    """What was repaired, closed or noticed while the place was resolved. The most important come first."""
    guarded: bool
    forks: int = 0
    """How many forks between decisions are open. Notices name the first."""
    project_flag: str = ""
    """What a command needs to be about this project."""
    leaves_transaction_out: bool = False
    """The context has the open transaction already."""
    contract: tuple[Written, ...] = ()
    pointers: tuple[Written, ...] = ()
    """What integrations keep outside, each with the command that reactivates it."""
    earlier_files: tuple[Written, ...] = ()
    """Files that were changed in this lineage, long ago."""


def head(o: RecordedWork) -> tuple[BriefLine, ...]:
    """The whole head."""
    return (*_place(o), *_elsewhere(o), *_orphans(o), *_notices(o))


def head_within(o: RecordedWork, budget: int) -> tuple[BriefLine, ...]:
    """The head in at most so many tokens. Notices are told only once, so they come before what can be looked up at any
    time. The last line says how many did not fit, and which commands show them."""
    whole = head(o)
    if fits(joined(whole), budget):
        return whole
    place = _place(o)
    fixed = place if fits(joined(place), budget // 2) else [*short_heads(o)[-1]]
    several = [*_notices(o), *_elsewhere(o), *_orphans(o)]
    shown: list[BriefLine] = []
    for line in several:
        shorter = replace(line, text=_cut(line.text, SHORT_LINE))
        for each in (line, shorter):
            some = [*shown, each]
            if fits(joined([*fixed, *some, *_left(o, len(several) - len(some))]), budget):
                shown = some
                break
        else:
            break
    return (*fixed, *shown, *_left(o, len(several) - len(shown)))


def _left(o: RecordedWork, number: int) -> list[BriefLine]:
    """How many lines of the head are not shown, and where to find them."""
    if not number:
        return []
    flag = o.project_flag
    where = (
        f"perdure status{flag} shows warnings, forks and transactions; perdure recover --level 3{flag} what was lost."
    )
    return [_line(f"Not told here: {number} more. {where}", "there was no room for more")]


def _place(o: RecordedWork) -> list[BriefLine]:
    branch = f", branch {o.branch}" if o.branch else ""
    lines = [*_missing(o), _line(f"Perdure: project {o.project} ({o.root}{branch}).", PROJECT, o.project_id)]
    if o.source in BECAUSE:
        lines.append(
            _line(f"{BECAUSE[o.source]}; what follows comes from the ledger and holds.", "how this session began")
        )
    return [*lines, *_transaction(o)]


def _elsewhere(o: RecordedWork) -> list[BriefLine]:
    return [_line(f"Also yours: transaction {each.text}", HELD, each.source) for each in o.elsewhere]


def _orphans(o: RecordedWork) -> list[BriefLine]:
    return [_line(f"Orphaned: {each.text}", "open, and nobody holds it", each.source) for each in o.orphans]


def _notices(o: RecordedWork) -> list[BriefLine]:
    return [_line(each, NOTICE) for each in o.notices]


def short_heads(o: RecordedWork) -> list[tuple[BriefLine, ...]]:
    """Heads for a small budget, the longest first: the transaction, or that there is none; and that decisions
    contradict each other, if they do. Only the last and shortest leaves that out."""
    bare = _short_head(o)
    if not o.forks:
        return [bare]
    number = counted(o.forks, "open fork")
    listed_by = f"perdure fork list{o.project_flag}"
    sentence = f"Decisions contradict each other ({number}): {listed_by}"
    return [(*bare, _line(said, NOTICE)) for said in (sentence, f"{number}: {listed_by}")] + [bare]


def _short_head(o: RecordedWork) -> tuple[BriefLine, ...]:
    t = o.transaction
    held = f"transaction {t.id} open, gate {t.decision}." if t else f"no transaction is open{_here(o)}."
    if o.elsewhere:
        held += f" {len(o.elsewhere)} of yours in other projects."
    why = f"{PROJECT}, and {HELD if t else NONE_HELD}"
    return (*_missing(o), _line(f"{_flat(o.project)[:40]}: {held}", why, t.source if t else o.project_id))


def _missing(o: RecordedWork) -> list[BriefLine]:
    return [_line(f"Perdure: {o.missing_record}", "a ledger was set aside")] if o.missing_record else []


def joined(lines: Sequence[BriefLine]) -> str:
    return "\n".join(line.text for line in lines)


def _line(text: str, why: str, source: str = "") -> BriefLine:
    return BriefLine(_flat(text), why, source=source)


def written(o: RecordedWork) -> list[Section]:
    """What somebody wrote down is shown even if another line has the same words (SPEC 12.2)."""
    found = [
        Section(title="Goal:", what="goals", share=4.0, lines=_lines(o.goals, "a goal that is not done")),
        Section(
            title="Task:",
            what="tasks",
            share=4.0,
            lines=_lines(o.tasks, "in progress here, or the first that nothing blocks"),
        ),
        Section(
            title="Where it stopped:", what=REASONING, share=3.0, lines=_lines(o.reasoning, "the last reasoning note")
        ),
        Section(
            title="Next:", what="next steps", share=3.0, lines=_lines(o.next_steps, "a next step nobody has closed")
        ),
        Section(
            title="Decisions, newest first:" if o.is_newest_first else "Decisions, your own first:",
            what="decisions",
            share=2.5,
            lines=_lines(o.decisions, "a decision that stands"),
        ),
        Section(
            title="Constraints:",
            what="constraints",
            share=3.0,
            lines=_lines(o.constraints, "a constraint that was noted"),
        ),
        Section(
            title="Contract:", what="contracts", share=2.0, lines=_lines(o.contract, "the contract that counts here")
        ),
        Section(
            title="To reactivate:", what="pointers", share=2.0, lines=_lines(o.pointers, "an integration registered it")
        ),
        Section(
            title="Blocked by:", what="blockers", share=2.0, lines=_lines(o.blockers, "a blocker nobody has closed")
        ),
        Section(
            title="Open questions:",
            what="questions",
            share=1.5,
            lines=_lines(o.questions, "a question nobody has closed"),
        ),
        Section(title="Did not work:", what="approaches", share=1.5, lines=_lines(o.failed, "an approach that failed")),
        Section(
            title="Other panes are at:",
            what="others' goals",
            share=0.5,
            lines=_lines(o.others_goals, "another's open transaction"),
        ),
        Section(
            title="Other panes noted:",
            what="others' notes",
            share=0.5,
            lines=_lines(o.others_reasoning, "the last reasoning note"),
        ),
        Section(
            title="Changed earlier:",
            what="earlier files",
            share=0.5,
            lines=_lines(o.earlier_files, "the state checkpoint has it"),
            between=", ",
        ),
    ]
    return [replace(section, always=True) for section in found]


def _lines(several: Sequence[Written], why: str) -> tuple[BriefLine, ...]:
    return tuple(_line(each.text, f"{why}, {each.whose}" if each.whose else why, each.source) for each in several)


def _transaction(o: RecordedWork) -> list[BriefLine]:
    t = o.transaction
    if o.leaves_transaction_out:
        return []
    if t is None:
        before = f" Before you change anything: {PREFLIGHT}{o.project_flag} ({YOUR_OWN})" if o.guarded else ""
        return [_line(f"No transaction is open{_here(o)}.{before}", NONE_HELD)]
    line = f"Continuing transaction {t.id} from project {t.root}, open {t.age}, gate {t.decision}."
    if t.decision == "investigate":
        further = f"Look further, then: {CHECK}{o.project_flag}"
        return [_line(line, HELD, t.source), _line(further, "the gate asks for it", t.source)]
    done = f"When the work is done: {POSTFLIGHT}{o.project_flag}"
    return [_line(f"{line} {done}", HELD, t.source)]


def _here(o: RecordedWork) -> str:
    return " here" if o.elsewhere else ""


def _flat(text: str) -> str:
    return _cut(" ".join(flat(text).split()), LONGEST_LINE)


def _cut(line: str, longest: int) -> str:
    """The line; if it is too long, it is cut between two words."""
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    return (cut.rpartition(" ")[0] or without_cut_place(cut)) + "…"
