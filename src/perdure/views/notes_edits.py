"""What somebody changed in NOTES.md since Perdure wrote it (SPEC 16.1). Pure.

Three sides are compared: the lines that were written last (as digests), the lines of the file, and what the ledger
would write now. A line that was written is Perdure's; every other line is an edit. Empty lines and the order do not
count.

    edits_in(text, base)        base: the lines of `NotesMark`

An edit is an addition in the form of its section, a ticked box, or a change of what the ledger knows. What is none of
these has no place. If headings or the last line are gone, the file was cut or is another one: `is_damaged`.
"""

from __future__ import annotations

import re
from collections import Counter

from perdure.model.value import replace, value
from perdure.views import notes_text
from perdure.views.written_views import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

LARGEST = 1 << 20
"""Bytes of a file that is read."""
_MOST_LINES = 20_000
_HEADING = re.compile(r"#{2,3} (.+)")
_WITH_ID = re.compile(r"(.*?)\s*<!-- ([A-Za-z0-9._-]{1,128}) -->")
_BLOCK = re.compile(r"(```|~~~|<!--)")
_ENTRY = re.compile(r"[-*] (?:\[([ xX])\] )?(.*\S)")
_DECISION = re.compile(r"#### (?:\d{4}-\d\d-\d\d(?:T[0-9:.]+Z)? - )?(.*\S)")
_FIELD = re.compile(r"\*\*(Decision|Rationale|Evidence|Test Scenarios)\*\*:\s*(.*)")
_EVIDENCE = re.compile(r"- (?:`(.+)` )?\[(.+)\]")
_NUMBERED = re.compile(r"(?:\d+\.|-) (.*\S)")
_KINDS = {
    notes_text.QUESTIONS: "question",
    notes_text.SUB_GOALS: "next",
    notes_text.SCENARIOS: "scenario",
    notes_text.BLOCKERS: "blocker",
    notes_text.CONSTRAINTS: "constraint",
    notes_text.FAILED: "failed",
    notes_text.FINDINGS: "finding",
}
"""Section → the kind of note that a new line in it is."""
REASONING, DECISION = "reasoning", "decision"
REMOVED = "(removed)"
"""What the file's side of a fork says if the entry is no longer in it."""


@value
class Addition:
    """Something new. `kind`: a kind of note, or `decision`."""

    kind: str
    section: str
    raw: tuple[str, ...]
    text: str
    title: str = ""
    rationale: str = ""
    evidence: tuple[tuple[str, str], ...] = ()
    """Quote and place."""
    scenarios: tuple[str, ...] = ()
    replaces: str = ""
    """The id that its line has, of a reasoning state."""


@value
class Change:
    """An entry of the ledger whose lines are not as they were written."""

    entry: str
    raw: tuple[str, ...]
    """What is there instead; nothing if it was removed."""


@value
class Edits:
    added: tuple[Addition, ...] = ()
    ticked: tuple[str, ...] = ()
    """The ids of entries."""
    changed: tuple[Change, ...] = ()
    unplaced: tuple[str, ...] = ()
    is_damaged: bool = False

    @property
    def is_none(self) -> bool:
        return not (self.added or self.ticked or self.changed or self.unplaced or self.is_damaged)

    @property
    def only_adds(self) -> bool:
        """Whether everything that Perdure wrote is still there."""
        return not (self.changed or self.unplaced or self.is_damaged)

    @property
    def pending(self) -> notes_text.PendingEdits:
        return notes_text.PendingEdits(tuple((each.section, each.raw) for each in self.added), frozenset(self.ticked))


DAMAGED = Edits(is_damaged=True)


def without_replaced(edits: Edits, reasoning: Collection[str]) -> Edits:
    """A new reasoning state takes the place of the old one: that is not a change of what the ledger knows. One with an
    id that the ledger does not know is of another file, and nobody's words. `reasoning`: the ids of reasoning
    states."""
    others = [a for a in edits.added if a.replaces and not any(each.startswith(a.replaces) for each in reasoning)]
    if others:
        kept_added = tuple(each for each in edits.added if each not in others)
        lines = tuple(line for each in others for line in each.raw)
        edits = replace(edits, added=kept_added, unplaced=(*edits.unplaced, *lines))
    if not any(each.kind == REASONING for each in edits.added):
        return edits
    kept = tuple(each for each in edits.changed if each.entry not in reasoning or each.raw)
    return replace(edits, changed=kept)


def normal_lines(text: str) -> list[str]:
    """Without a byte order mark, line ends of other systems, and spaces at the ends."""
    return [line.rstrip() for line in text.removeprefix("\ufeff").split("\n")]


def base_of(written: Sequence[notes_text.NotesLine]) -> tuple[tuple[str, str], ...]:
    return tuple((digest_of(line.text.rstrip())[:16], line.entry) for line in written if line.text.strip())


def edits_in(text: str, base: Sequence[tuple[str, str]]) -> Edits:
    found = normal_lines(text)
    if len(found) > _MOST_LINES or "\0" in text:
        return DAMAGED
    edits = _read(found, base)
    if edits.is_damaged and found[-1]:  # the file was cut in the middle of its last line
        edits = _read(found[:-1], base)
        edits = replace(edits, unplaced=(*edits.unplaced, found[-1]))
    return edits


def _read(lines: Sequence[str], base: Sequence[tuple[str, str]]) -> Edits:
    reader = _Reader(base)
    for line in lines:
        reader.read(line)
    return reader.edits()


class _Reader:
    def __init__(self, base: Sequence[tuple[str, str]]) -> None:
        self._left = Counter(digest for digest, _ in base)
        self._base = base
        self._entry_of = {digest: entry for digest, entry in base if entry}
        self._structure = {digest for digest, entry in base if not entry}
        self._section = ""
        self._entry = ""
        """The entry of the ledger that the last line belongs to."""
        self._new: list[_Draft] = []
        self._open: _Draft | None = None
        """What is being added, while its lines go on."""
        self._ticked: list[str] = []
        self._changed: dict[str, list[str]] = {}
        self._unplaced: list[str] = []
        self._block = ""
        """How the code block or the comment ends that somebody began; empty outside."""

    def read(self, line: str) -> None:
        if not line:
            return
        digest = digest_of(line)[:16]
        if not self._left[digest] and self._is_in_block(line):
            self._unplaced.append(line)
            return
        heading = _HEADING.fullmatch(line)
        if heading:
            self._section = heading[1] if heading[1] in notes_text.HEADINGS else ""
            self._entry, self._open = "", None
        is_ours = digest in self._structure or self._is_entry_of_ledger(line)
        if self._open and self._open.swallows(line) and not is_ours:
            self._open.lines.append(line)
        elif self._left[digest]:
            self._left[digest] -= 1
            self._written(line, self._entry_of.get(digest, ""))
        elif heading:
            self._unplaced.append(line)
        else:
            self._edited(line)

    def _is_in_block(self, line: str) -> bool:
        """Whether the line is of a code block or a comment, in which there are no entries."""
        if self._block:
            self._block = "" if line.endswith(self._block) else self._block
            return True
        is_in_addition = self._open is not None and self._open.takes(line)
        begun = _BLOCK.match(line)
        if is_in_addition or begun is None or (begun[1] == "<!--" and "-->" in line):
            return False
        self._block = "-->" if begun[1] == "<!--" else begun[1]
        self._open = None
        return True

    def _is_entry_of_ledger(self, line: str) -> bool:
        with_id = _WITH_ID.fullmatch(line)
        return with_id is not None and any(each.startswith(with_id[2]) for each in self._entry_of.values())

    def _written(self, line: str, entry: str) -> None:
        """A line that Perdure wrote. The further lines of a reasoning state stay with its new first line."""
        is_continued = self._open and self._open.section == notes_text.ACTIVE_CONTEXT and line.startswith("  ")
        if self._open and is_continued:
            self._open.lines.append(line)
            return
        self._open = None
        self._entry = entry

    def _edited(self, line: str) -> None:
        """A line that Perdure did not write."""
        with_id = _WITH_ID.fullmatch(line)
        if with_id:
            self._known_entry(line, with_id[2])
        elif self._open and self._open.takes(line):
            self._open.lines.append(line)
        elif self._begins_new(line):
            self._add(line)
        elif self._entry:
            self._changed.setdefault(self._entry, []).append(line)
        else:
            self._unplaced.append(line)

    def _add(self, line: str, *, replaces: str = "") -> None:
        self._open = _Draft(self._section, line, replaces)
        self._entry = ""
        self._new.append(self._open)

    def _known_entry(self, line: str, shown: str) -> None:
        if self._section == notes_text.ACTIVE_CONTEXT and line.startswith(notes_text.REASONING):
            self._add(line.rpartition("<!--")[0].rstrip(), replaces=shown)
            return
        self._open = None
        entry = next((each for each in self._entry_of.values() if each.startswith(shown)), "")
        unticked = digest_of(re.sub(r"^([-*]) \[[xX]\] ", r"\1 [ ] ", line))[:16]
        if entry and unticked != digest_of(line)[:16] and self._left[unticked]:
            self._left[unticked] -= 1
            self._ticked.append(entry)
        elif entry:
            self._changed.setdefault(entry, []).append(line)
        else:
            self._unplaced.append(line)
        self._entry = entry

    def _begins_new(self, line: str) -> bool:
        if self._section == notes_text.DECISION_LOG:
            return bool(_DECISION.fullmatch(line))
        if self._section == notes_text.ACTIVE_CONTEXT:
            return line.startswith(notes_text.REASONING) and len(line) > len(notes_text.REASONING)
        return self._section in _KINDS and bool(_ENTRY.fullmatch(line))

    def edits(self) -> Edits:
        gone = list(self._gone())
        is_damaged = any(not entry for _, entry in gone) and self._lacks_structure()
        for entry in dict.fromkeys(entry for _, entry in gone if entry):
            self._changed.setdefault(entry, [])
        additions = [each.addition() for each in self._new]
        unplaced = [line for draft, made in zip(self._new, additions, strict=True) if not made for line in draft.lines]
        return Edits(
            added=tuple(each for each in additions if each),
            ticked=tuple(self._ticked),
            changed=tuple(Change(entry, tuple(raw)) for entry, raw in self._changed.items()),
            unplaced=(*self._unplaced, *unplaced),
            is_damaged=is_damaged,
        )

    def _gone(self) -> Iterator[tuple[str, str]]:
        """The lines that were written and are not there now."""
        left = Counter(self._left)
        for digest, entry in self._base:
            if left[digest] > 0:
                left[digest] -= 1
                yield digest, entry

    def _lacks_structure(self) -> bool:
        wanted = [f"{marks} {name}" for name, marks in notes_text.HEADINGS.items()]
        return any(self._left[digest_of(text)[:16]] > 0 for text in (*wanted, notes_text.HEADER, notes_text.FOOTER))


class _Draft:
    """An addition, line by line."""

    def __init__(self, section: str, line: str, replaces: str) -> None:
        self.section = section
        self.lines = [line]
        self.replaces = replaces

    def takes(self, line: str) -> bool:
        return self.swallows(line) or line.startswith("  ")

    def swallows(self, line: str) -> bool:
        """Whether the line belongs to it even if Perdure wrote the same line elsewhere: decisions have lines in
        common, such as the one that begins their evidence."""
        return self.section == notes_text.DECISION_LOG and not line.startswith("#")

    def addition(self) -> Addition | None:
        """None if it is not in the form of its section."""
        if self.section == notes_text.DECISION_LOG:
            return self._decision()
        if self.section == notes_text.ACTIVE_CONTEXT:
            return self._made(REASONING, self.lines[0].removeprefix(notes_text.REASONING))
        entry = _ENTRY.fullmatch(self.lines[0])
        return self._made(_KINDS[self.section], entry[2]) if entry and entry[1] in (None, " ") else None

    def _made(self, kind: str, first: str) -> Addition:
        text = "\n".join([first.strip(), *(line.strip() for line in self.lines[1:])])
        return Addition(kind=kind, section=self.section, raw=tuple(self.lines), text=text, replaces=self.replaces)

    def _decision(self) -> Addition | None:
        title = _DECISION.fullmatch(self.lines[0])
        fields = dict(_fields(self.lines[1:]))
        decided = "\n".join(fields.get("Decision", ())).strip()
        if title is None or None in fields or not decided:
            return None
        cited = [_EVIDENCE.fullmatch(line) for line in fields.get("Evidence", ()) if line]
        listed = [_NUMBERED.fullmatch(line) for line in fields.get("Test Scenarios", ()) if line]
        if not all(cited) or not all(listed):
            return None
        return Addition(
            kind=DECISION,
            section=self.section,
            raw=tuple(self.lines),
            text=decided,
            title=title[1],
            rationale="\n".join(fields.get("Rationale", ())).strip(),
            evidence=tuple((each[1] or "", each[2]) for each in cited if each),
            scenarios=tuple(each[1] for each in listed if each),
        )


def _fields(lines: Sequence[str]) -> Iterator[tuple[str | None, list[str]]]:
    """The fields of a decision, each with its lines. Lines before the first field are of none."""
    name: str | None = None
    found: dict[str | None, list[str]] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field:
            name = field[1]
        found.setdefault(name, []).append(field[2] if field else line.strip())
    yield from found.items()


# -- what a changed entry says ---------------------------------------------------------------------------------------


@value
class DecisionParts:
    """What the lines that somebody changed in a decision say; empty where they left it as it was."""

    decision: str = ""
    rationale: str = ""


def parts_of_decision(raw: str) -> DecisionParts | None:
    """None if the lines say something else too, such as other evidence, or nothing."""
    fields = {name: "\n".join(lines).strip() for name, lines in _fields(normal_lines(raw))} if raw != REMOVED else {}
    if not fields or not fields.keys() <= {"Decision", "Rationale"} or not all(fields.values()):
        return None
    return DecisionParts(fields.get("Decision", ""), fields.get("Rationale", ""))


def text_of_entry(raw: str) -> str:
    """The words of an entry of a list; empty if it was removed."""
    first, *more = normal_lines(raw)
    with_id = _WITH_ID.fullmatch(first)
    bare = with_id[1] if with_id else first
    entry = _ENTRY.fullmatch(bare)
    words = entry[2] if entry else bare
    return "" if raw == REMOVED else "\n".join([words, *(line.strip() for line in more)]).strip()
