"""The text of NOTES.md, with the sections of seed 002 (SPEC 16.1). Pure: the same content gives the same bytes.

    text_of(lines(content))
    text_of(lines(content), pending)      with what a person added and nobody has taken in yet

Every line that stands for something in the ledger carries the id of its entry, so that `views/notes_edits.py` can tell
what a person changed. Words of agents and other machines can hold anything: they never begin a line, so they cannot
look like a heading, an entry or an id.
"""

from __future__ import annotations

from perdure.model.ids import short_task
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ACTIVE_CONTEXT = "Active Context"
IDENTIFIERS = "Lightweight Identifiers"
DECISION_LOG = "Decision Log"
QUESTIONS = "Pending Questions"
SUB_GOALS = "Active Sub-Goals"
SCENARIOS = "Test Scenarios"
BLOCKERS = "Blockers"
CONSTRAINTS = "Constraints"
FAILED = "Failed Approaches"
FINDINGS = "Findings"
ARCHIVE = "Decision Archive"
CONTINUITY = "Session Continuity"
HEADINGS = {
    CONTINUITY: "##",
    ACTIVE_CONTEXT: "###",
    IDENTIFIERS: "###",
    DECISION_LOG: "###",
    QUESTIONS: "###",
    SUB_GOALS: "##",
    SCENARIOS: "##",
    BLOCKERS: "##",
    CONSTRAINTS: "##",
    FAILED: "##",
    FINDINGS: "##",
    ARCHIVE: "##",
}
"""In the order of the file."""
TITLE = "# NOTES"
HEADER = "<!-- perdure notes 1: Perdure writes this file from its ledger. -->"
"""By this line Perdure recognises its own file."""
FOOTER = "<!-- perdure notes: end -->"
"""A file without this line was cut."""
HOW_TO = (
    "<!-- To add something, write it in its section, in the form that the entries there have, without an id. -->",
    "<!-- To close an entry, tick its box. Then run perdure notes take, in a terminal of your own. -->",
)
REASONING = "- **Reasoning State**: "
_NOTHING = "(none)"
_LONGEST = 600
"""Characters of one text."""
_LONGEST_IN_A_ROW = 160
_SECTION_HINTS = {
    CONTINUITY: "<!-- CRITICAL: Load this section FIRST after /clear -->",
    IDENTIFIERS: "<!-- Paths from the project's root; read the file when you need its content -->",
    DECISION_LOG: "<!-- The newest decisions that stand, newest first -->",
    QUESTIONS: "<!-- Carried from session to session -->",
}


@value
class NotesEntry:
    """One line of a list. `box`: whether it can be closed by ticking it. `is_foreign`: whether its words came from
    another machine."""

    id: str
    text: str
    box: bool = True
    is_foreign: bool = False


@value
class NotesIdentifier:
    id: str
    place: str
    purpose: str
    verified: str
    is_foreign: bool = False


@value
class NotesDecision:
    id: str
    ts: str
    title: str
    decision: str
    rationale: str
    evidence: tuple[tuple[str, str], ...] = ()
    """Quote and place; the quote may be empty."""
    scenarios: tuple[str, ...] = ()
    superseded_by: str = ""


@value
class NotesContent:
    tasks: tuple[NotesEntry, ...] = ()
    checkpoint: str = ""
    reasoning: tuple[NotesEntry, ...] = ()
    """The newest first; more than one if several instances are at work."""
    identifiers: tuple[NotesIdentifier, ...] = ()
    decisions: tuple[NotesDecision, ...] = ()
    questions: tuple[NotesEntry, ...] = ()
    sub_goals: tuple[NotesEntry, ...] = ()
    scenarios: tuple[NotesEntry, ...] = ()
    blockers: tuple[NotesEntry, ...] = ()
    constraints: tuple[NotesEntry, ...] = ()
    failed: tuple[NotesEntry, ...] = ()
    findings: tuple[NotesEntry, ...] = ()
    archive: tuple[NotesDecision, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """Section → how many entries are not shown, and the command that shows them."""


@value
class NotesLine:
    text: str
    entry: str = ""
    """The id of the entry that it belongs to; empty for headings and hints."""


@value
class PendingEdits:
    """What is in the file and not yet in the ledger."""

    added: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Section and raw lines."""
    ticked: frozenset[str] = frozenset()
    """The ids of entries whose box was ticked."""


NO_EDITS = PendingEdits()


def text_of(lines: Iterable[NotesLine], pending: PendingEdits = NO_EDITS) -> str:
    added: dict[str, list[str]] = {}
    for section, raw in pending.added:
        added.setdefault(section, []).extend(raw)
    texts: list[str] = []
    section = ""
    for line in lines:
        if line.text.startswith("#") and not line.entry:
            _put(texts, added.pop(section, []))
            section = line.text.lstrip("#").strip()
        if line.text == FOOTER:
            _put(texts, added.pop(section, []))
        is_ticked = line.entry in pending.ticked and line.text.startswith("- [ ] ")
        texts.append(line.text.replace("- [ ] ", "- [x] ", 1) if is_ticked else line.text)
    return "\n".join(texts) + "\n"


def _put(texts: list[str], raw: Sequence[str]) -> None:
    """Adds raw lines at the end of a section, before the empty line that ends it."""
    if raw:
        at = len(texts)
        while at and not texts[at - 1]:
            at -= 1
        texts[at:at] = raw


def lines(content: NotesContent) -> list[NotesLine]:
    sections = {
        CONTINUITY: [],
        ACTIVE_CONTEXT: _active_context(content),
        IDENTIFIERS: _identifiers(content.identifiers),
        DECISION_LOG: [line for each in content.decisions for line in _decision(each)],
        QUESTIONS: _entries(content.questions),
        SUB_GOALS: _entries(content.sub_goals),
        SCENARIOS: _entries(content.scenarios),
        BLOCKERS: _entries(content.blockers),
        CONSTRAINTS: _entries(content.constraints),
        FAILED: _entries(content.failed),
        FINDINGS: _entries(content.findings),
        ARCHIVE: [line for each in content.archive for line in _archived(each)],
    }
    found = [NotesLine(text) for text in (TITLE, HEADER, *HOW_TO, "")]
    left_out = dict(content.left_out)
    for section, body in sections.items():
        found += _section(section, body, left_out)
    return [*found, NotesLine(FOOTER)]


def _section(name: str, body: list[NotesLine], left_out: Mapping[str, str]) -> list[NotesLine]:
    found = [NotesLine(f"{HEADINGS[name]} {name}")]
    if name in _SECTION_HINTS:
        found.append(NotesLine(_SECTION_HINTS[name]))
    if not body and name != CONTINUITY:
        body = [NotesLine(_NOTHING)]
    found += body
    if name in left_out:
        found.append(NotesLine(f"<!-- {left_out[name]} -->"))
    return [*found, NotesLine("")]


def _active_context(content: NotesContent) -> list[NotesLine]:
    found: list[NotesLine] = []
    for task in content.tasks:
        found += _flowing(f"- **Current Task**: {_id(task.id)} ", task.text, task.id)
    if not content.tasks:
        found.append(NotesLine(f"- **Current Task**: {_NOTHING}"))
    found.append(NotesLine(f"- **Last Checkpoint**: {content.checkpoint or _NOTHING}"))
    for each in content.reasoning:
        found += _flowing(REASONING, each.text, each.id, ends_with_id=True)
    if not content.reasoning:
        found.append(NotesLine(REASONING + _NOTHING))
    return found


def _identifiers(given: Sequence[NotesIdentifier]) -> list[NotesLine]:
    if not given:
        return []
    head = [
        NotesLine("| Identifier | Purpose | Last Verified |"),
        NotesLine("|---|---|---|"),
    ]
    rows = [
        NotesLine(f"| {_cell(each.place)} | {_cell(each.purpose)} | {each.verified} |{_comment(each.id)}", each.id)
        for each in given
    ]
    return head + rows


def _entries(given: Sequence[NotesEntry]) -> list[NotesLine]:
    return [
        line
        for each in given
        for line in _flowing("- [ ] " if each.box else "- ", each.text, each.id, ends_with_id=True)
    ]


def _decision(made: NotesDecision) -> list[NotesLine]:
    found = [NotesLine(f"#### {made.ts} - {_row(made.title)}{_comment(made.id)}", made.id)]
    found += _flowing("**Decision**: ", made.decision, made.id)
    found += _flowing("**Rationale**: ", made.rationale or _NOTHING, made.id)
    if made.evidence:
        found.append(NotesLine("**Evidence**:", made.id))
        found += [NotesLine(_evidence(quote, place), made.id) for quote, place in made.evidence]
    if made.scenarios:
        found.append(NotesLine("**Test Scenarios**:", made.id))
        found += [NotesLine(f"{n}. {_row(each)}", made.id) for n, each in enumerate(made.scenarios, 1)]
    return [*found, NotesLine("")]


def _evidence(quote: str, place: str) -> str:
    return f"- `{_row(quote).replace('`', chr(39))}` [{_row(place)}]" if quote else f"- [{_row(place)}]"


def _archived(made: NotesDecision) -> list[NotesLine]:
    what = made.decision if made.title == made.decision else f"{made.title}: {made.decision}"
    later = f" (superseded by {short_task(made.superseded_by)})" if made.superseded_by else ""
    return [NotesLine(f"- {made.ts[:10]} {_row(what)}{later}{_comment(made.id)}", made.id)]


def _flowing(prefix: str, text: str, entry: str, *, ends_with_id: bool = False) -> list[NotesLine]:
    """A text of one or more lines after a prefix. The lines after the first are indented."""
    first, *rest = clean(text).split("\n")
    end = _comment(entry) if ends_with_id else ""
    return [NotesLine(prefix + first + end, entry), *(NotesLine(f"  {each}", entry) for each in rest if each.strip())]


def clean(text: str, longest: int = _LONGEST) -> str:
    """Without what a terminal obeys, and without the signs of a comment, in which ids stand."""
    spaced = text.strip().replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    cut = spaced if len(spaced) <= longest else spaced[: longest - 1] + "…"
    printable = "".join(each if each == "\n" or each.isprintable() else "\ufffd" for each in cut)
    whole = printable.replace("<!--", "<! --").replace("-->", "-- >")
    return "\n".join(line.rstrip() for line in whole.split("\n")) or _NOTHING


def _row(text: str) -> str:
    return clean(" ".join(text.split()), _LONGEST_IN_A_ROW)


def _cell(text: str) -> str:
    return _row(text).replace("|", "\\|")


def _id(entry: str) -> str:
    return short_task(entry)


def _comment(entry: str) -> str:
    return f" <!-- {_id(entry)} -->"
