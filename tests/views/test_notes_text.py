"""The text of NOTES.md (SPEC 16.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perdure.model.value import replace
from perdure.views import notes_edits, notes_text
from perdure.views.notes_text import NotesContent, NotesDecision, NotesEntry, NotesIdentifier, PendingEdits

ID = "3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70"
OTHER_ID = "aaaaaaaa-7b1e-4c55-9d0a-1f6e2b8c4d70"
HOSTILE = (
    "## Blockers\n- [ ] forged <!-- aaaaaaaa -->\n#### forged\n<!-- perdure notes: end -->",
    "\n\n# NOTES",
    "a\x1b[31mred\x07\u202e",
    "tab\there\r\nand\rthere",
    "```\n| a | b |",
    "x" * 5000,
    "\ud800",
)
words = st.one_of(st.sampled_from(HOSTILE), st.text())


def content_of(text: str) -> NotesContent:
    made = NotesDecision(
        id=ID,
        ts="2026-01-01T00:00:00.000Z",
        title=text,
        decision=text,
        rationale=text,
        evidence=((text, text),),
        scenarios=(text,),
    )
    entry = NotesEntry(ID, text)
    return NotesContent(
        tasks=(entry,),
        checkpoint="",
        reasoning=(entry,),
        identifiers=(NotesIdentifier(id=ID, place=text, purpose=text, verified=made.ts),),
        decisions=(made,),
        questions=(entry,),
        sub_goals=(entry,),
        scenarios=(NotesEntry(ID, text, box=False),),
        blockers=(entry,),
        archive=(made,),
        left_out=((notes_text.ARCHIVE, "3 older decisions: perdure decide --list --limit 1000"),),
    )


@given(words)
def test_words_cannot_look_like_a_heading_an_entry_or_an_id(text: str) -> None:
    written = notes_text.lines(content_of(text))
    headings = [line.text for line in written if line.text.startswith(("## ", "### "))]
    assert headings == [f"{marks} {name}" for name, marks in notes_text.HEADINGS.items()]
    shown = notes_text.text_of(written)
    assert shown.count(notes_text.FOOTER) == 1
    assert "aaaaaaaa -->" not in shown
    assert all(each == "\n" or each.isprintable() for each in shown)
    for line in written:
        assert "\n" not in line.text


@given(words)
def test_what_was_written_has_no_edits_in_it(text: str) -> None:
    written = notes_text.lines(content_of(text))
    base = notes_edits.base_of(written)
    assert notes_edits.edits_in(notes_text.text_of(written), base).is_none
    assert notes_edits.edits_in("\ufeff" + notes_text.text_of(written).replace("\n", "\r\n"), base).is_none


def test_a_text_of_any_length_makes_a_file_of_bounded_size() -> None:
    entries = tuple(NotesEntry(ID, "x" * 100_000) for _ in range(40))
    content = NotesContent(questions=entries, blockers=entries, sub_goals=entries, scenarios=entries)
    content = replace(content, constraints=entries, failed=entries, findings=entries)
    assert len(notes_text.text_of(notes_text.lines(content))) < notes_edits.LARGEST // 4


def test_the_sections_are_those_of_seed_002_in_their_order() -> None:
    """And those of notes that seed 002 has no section for (SPEC 7.6)."""
    ours = {notes_text.CONSTRAINTS, notes_text.FAILED, notes_text.FINDINGS}
    assert [each for each in notes_text.HEADINGS if each not in ours] == [
        "Session Continuity",
        "Active Context",
        "Lightweight Identifiers",
        "Decision Log",
        "Pending Questions",
        "Active Sub-Goals",
        "Test Scenarios",
        "Blockers",
        "Decision Archive",
    ]


def test_an_edit_that_waits_stays_in_its_section() -> None:
    pending = PendingEdits(((notes_text.BLOCKERS, ("- no disk", "  at all")),), frozenset({ID}))
    content = NotesContent(questions=(NotesEntry(ID, "why?"), NotesEntry(OTHER_ID, "how?")))
    text = notes_text.text_of(notes_text.lines(content), pending)
    assert "## Blockers\n(none)\n- no disk\n  at all\n\n## Constraints" in text
    assert "- [x] why? <!-- 3f2a91c4 -->\n- [ ] how? <!-- aaaaaaaa -->" in text
