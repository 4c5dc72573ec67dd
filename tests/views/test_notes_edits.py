"""What somebody changed in NOTES.md (SPEC 16.1)."""

from __future__ import annotations

import time

import pytest

from perdure.views import notes_edits, notes_text
from perdure.views.notes_edits import Edits
from perdure.views.notes_text import NotesContent, NotesDecision, NotesEntry

QUESTION = "11111111-7b1e-4c55-9d0a-1f6e2b8c4d70"
MADE = "22222222-7b1e-4c55-9d0a-1f6e2b8c4d70"
EARLIER = "33333333-7b1e-4c55-9d0a-1f6e2b8c4d70"
REASON = "44444444-7b1e-4c55-9d0a-1f6e2b8c4d70"


def decision(entry: str, text: str) -> NotesDecision:
    return NotesDecision(
        id=entry,
        ts="2026-01-01T00:00:00.000Z",
        title=text,
        decision=text,
        rationale="",
        evidence=(("a quote of it", "${PROJECT_ROOT}/a.py:1"),),
        scenarios=("it works",),
    )


WRITTEN = notes_text.lines(
    NotesContent(
        reasoning=(NotesEntry(REASON, "half way\nsecond line"),),
        decisions=(decision(MADE, "use WAL"), decision(EARLIER, "use git")),
        questions=(NotesEntry(QUESTION, "why?"),),
    )
)
TEXT = notes_text.text_of(WRITTEN)
BASE = notes_edits.base_of(WRITTEN)
NEW_DECISION = """\
#### Mine
**Decision**: tabs
  and no spaces
**Rationale**: wide
**Evidence**:
- `a quote of it` [${PROJECT_ROOT}/a.py:1]
**Test Scenarios**:
1. it works
"""


def edited(old: str, new: str) -> Edits:
    assert old in TEXT
    return notes_edits.edits_in(TEXT.replace(old, new, 1), BASE)


def test_what_is_added_in_any_section_is_found_and_nothing_else() -> None:
    added = {
        "### Pending Questions\n": ("- [ ] mine?\n  really?\n", "question", "mine?\nreally?"),
        "## Active Sub-Goals\n": ("* do it\n", "next", "do it"),
        "## Test Scenarios\n": ("- empty cart\n", "scenario", "empty cart"),
        "## Blockers\n": ("- [ ] no disk\n", "blocker", "no disk"),
        "## Constraints\n": ("- no new packages\n", "constraint", "no new packages"),
        "## Failed Approaches\n": ("- a cache: stale\n", "failed", "a cache: stale"),
        "## Findings\n": ("- it is slow on Mondays\n", "finding", "it is slow on Mondays"),
        "### Active Context\n": ("- **Reasoning State**: done\n", "reasoning", "done"),
    }
    for heading, (raw, kind, text) in added.items():
        found = edited(heading, heading + raw)
        assert [(each.kind, each.text) for each in found.added] == [(kind, text)]
        assert found.only_adds
        assert not found.ticked


@pytest.mark.parametrize(
    "before", ["### Decision Log\n", "#### 2026-01-01T00:00:00.000Z - use git", "### Pending Questions\n"]
)
def test_a_new_decision_is_read_with_all_its_fields_wherever_it_stands_in_the_log(before: str) -> None:
    new = before + NEW_DECISION if before.startswith("### Decision") else NEW_DECISION + before
    found = edited(before, new)
    assert found.only_adds
    (made,) = found.added
    assert (made.kind, made.title, made.text, made.rationale) == ("decision", "Mine", "tabs\nand no spaces", "wide")
    assert made.evidence == (("a quote of it", "${PROJECT_ROOT}/a.py:1"),)
    assert made.scenarios == ("it works",)


def test_a_ticked_box_closes_its_entry() -> None:
    found = edited("- [ ] why?", "- [x] why?")
    assert (found.ticked, found.only_adds) == ((QUESTION,), True)


@pytest.mark.parametrize(
    ("old", "new", "entry"),
    [
        ("- [ ] why?", "- [ ] why not?", QUESTION),
        ("- [ ] why?", "- [x] why not?", QUESTION),
        ("- [ ] why? <!-- 11111111 -->\n", "", QUESTION),
        ("**Decision**: use WAL", "**Decision**: use no WAL", MADE),
        ("**Decision**: use WAL\n", "", MADE),
        ("- use WAL", "- use WAL", MADE),
    ],
)
def test_a_changed_or_removed_line_of_the_ledger_is_a_change_of_its_entry(old: str, new: str, entry: str) -> None:
    if old == new:  # the title of a decision
        old, new = "Z - use WAL", "Z - use something else"
    found = edited(old, new)
    assert [each.entry for each in found.changed] == [entry]
    assert not found.only_adds
    assert not found.is_damaged


def test_a_new_reasoning_state_in_the_place_of_the_old_one_is_not_a_change_of_it() -> None:
    for new in ("all the way <!-- 44444444 -->", "all the way"):
        found = edited("half way <!-- 44444444 -->", new)
        found = notes_edits.without_replaced(found, {REASON})
        assert found.only_adds
        assert [each.text for each in found.added] == ["all the way\nsecond line"]


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("## Blockers", "just a sentence"),
        ("## Blockers", "## My own section"),
        ("### Decision Log", "#### a title and nothing else"),
        ("### Lightweight Identifiers", "| ${PROJECT_ROOT}/x.py:1 | mine | now |"),
        ("## Decision Archive", "- 2020-01-01 of old"),
        ("## Blockers", "- of nobody <!-- 99999999 -->"),
        ("## Blockers", "- [x] closed before it was open"),
    ],
)
def test_what_is_not_in_the_form_of_its_section_has_no_place(section: str, line: str) -> None:
    found = edited(section + "\n", f"{section}\n{line}\n")
    assert found.unplaced == (line,)
    assert not found.added
    assert not found.only_adds


def test_what_was_cut_anywhere_is_damage() -> None:
    lines = TEXT.splitlines(keepends=True)
    for number in range(len(lines) - 1):
        assert notes_edits.edits_in("".join(lines[:number]), BASE).is_damaged


@pytest.mark.parametrize("text", ["", "\0" * 100, "\n" * 30_000, "something else\n" * 100])
def test_another_text_is_damage(text: str) -> None:
    assert notes_edits.edits_in(text, BASE).is_damaged


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    began = time.process_time()
    for text in ("- [ ] a\n" * 19_000, "<!--" * 200_000, "- [ ] " * 150_000, "#### a\n**Decision**: b\n" * 9_000):
        notes_edits.edits_in(TEXT.replace("## Blockers\n", f"## Blockers\n{text}\n"), BASE)
        notes_edits.edits_in(TEXT.replace("### Decision Log\n", f"### Decision Log\n{text}\n"), BASE)
    assert time.process_time() - began < 10


def test_half_a_line_of_a_cut_file_is_nobodys_words() -> None:
    for end in range(len(TEXT)):
        found = notes_edits.without_replaced(notes_edits.edits_in(TEXT[:end], BASE), {REASON})
        assert found.added == (), TEXT[:end][-60:]


def test_what_was_added_before_the_cut_is_still_found() -> None:
    text = TEXT.replace("### Pending Questions\n", "### Pending Questions\n- [ ] mine?\n")
    found = notes_edits.edits_in(text[: text.index("## Blockers") + 4], BASE)
    assert [each.text for each in found.added] == ["mine?"]
    assert found.is_damaged


def test_the_reasoning_of_another_file_is_nobodys_words() -> None:
    """A new text with the old id is a person's edit; with an id that the ledger does not know it is another file's."""
    others = TEXT.replace("half way <!-- 44444444 -->", "far away <!-- 99999999 -->")
    found = notes_edits.without_replaced(notes_edits.edits_in(others, BASE), {REASON})
    assert found.added == ()
    assert any("far away" in each for each in found.unplaced)
    edited = TEXT.replace("half way <!-- 44444444 -->", "far away <!-- 44444444 -->")
    found = notes_edits.without_replaced(notes_edits.edits_in(edited, BASE), {REASON})
    assert [each.text for each in found.added] == ["far away\nsecond line"]


@pytest.mark.parametrize(("first", "last"), [("```python", "```"), ("~~~", "~~~"), ("<!-- later:", "-->")])
def test_what_is_in_a_code_block_or_a_comment_is_not_an_entry(first: str, last: str) -> None:
    found = edited("## Blockers\n", f"## Blockers\n- [ ] before\n{first}\n- [ ] inside\n{last}\n- [ ] after\n")
    assert [each.text for each in found.added] == ["before", "after"]
    assert found.unplaced == (first, "- [ ] inside", last)


def test_a_comment_or_a_block_that_never_ends_hides_nothing_that_perdure_wrote() -> None:
    for first in ("```", "<!-- later:"):
        found = edited("### Pending Questions\n", f"### Pending Questions\n{first}\n")
        assert (found.changed, found.unplaced, found.is_damaged) == ((), (first,), False)


def test_entries_of_the_ledger_after_a_new_decision_do_not_become_part_of_it() -> None:
    found = edited("- [ ] why?", "### Decision Log\n#### Mine\n**Decision**: tabs\n- [ ] why?")
    assert [(each.kind, each.text) for each in found.added] == [("decision", "tabs")]
    assert found.changed == ()
