"""Every card follows its language, and says what it does not let through (SPEC 5.4)."""

from __future__ import annotations

from importlib import import_module

import pytest

from perdure.gate.effects import judge_by_card, judge_by_code
from perdure.gate.effects.cards import BadCard, match, read_card
from perdure.gate.shell.words import ANY, INTEGER, Field, known
from tests.effort import for_each

CARDS = {
    name: text
    for family in judge_by_card.FAMILIES
    for name, text in import_module(f"perdure.gate.programs.{family}").PROGRAMS.items()
}


def test_every_card_can_be_read_and_its_judges_exist() -> None:
    for name in CARDS:
        card = judge_by_card.find_card(name)
        assert card is not None
        for form in card.forms:
            if form.code:
                weighs = judge_by_code.weigher_named(form.code) is not None
                found = (judge_by_code.check_named(form.code), judge_by_code.judge_named(form.code))
                assert weighs or any(callable(function) for function in found), name
                assert weighs == bool(card.verdict[0]), f"{name}: a weigher belongs to a praxic card, a judge does not"


def test_no_program_has_two_cards() -> None:
    seen: dict[str, str] = {}
    for family in judge_by_card.FAMILIES:
        for name in import_module(f"perdure.gate.programs.{family}").PROGRAMS:
            assert name not in seen, f"{name} stands in {seen.get(name)} and in {family}"
            seen[name] = family


def test_everything_that_is_not_let_through_says_why() -> None:
    for name in CARDS:
        card = judge_by_card.find_card(name)
        assert card is not None
        assert not card.verdict[0] or card.verdict[1], name
        for form in card.forms:
            for option, (kind, reason) in form.options.items():
                assert kind in ("flags", "values", "optional") or reason, f"{name} {option}"


def test_every_word_of_a_subcommand_has_a_card_above_it() -> None:
    for name in CARDS:
        above = name.rpartition(" ")[0]
        if above:
            card = judge_by_card.find_card(above)
            assert card is not None, name
            assert any("subcommands" in form.words for form in card.forms) or card.verdict[0], name


SORT = read_card(
    """
    Sorts lines of text.
    flags: -b -n --numeric-sort
    optional: --check -C
    values: -k --key
    writes: -o --output | puts its result into the file that is named
    praxic: --compress-program | runs the program that is named
    """
).forms[0]


@for_each(
    ("words", "trouble"),
    [
        (["-bn", "f"], ""),
        (["-nk2", "f"], ""),
        (["-k", "-o", "f"], ""),
        (["f", "-k", "2"], ""),
        (["--key=2", "--check=quiet", "-Cx", "--", "-o"], ""),
        (["-x"], "`-x`"),
        (["--outp=f"], "--output"),
        (["--numeric"], "is not known to only read"),
        (["--numeric-sort=1"], "takes no value"),
        (["--compress-program=sh"], "runs the program"),
        (["-k"], "lacks its value"),
        ([Field((ANY,))], "may be an option"),
        ([Field((ANY,), True)], "may be an option"),
        (["-k", Field((ANY,), True)], "several words"),
        (["-k", Field((ANY,))], ""),
        ([Field(("./", ANY), True)], ""),
        ([Field(("-", ANY))], "not known before it runs"),
        ([Field(("-k", ANY))], ""),
        ([Field(("-n", ANY))], "not known before it runs"),
        ([Field(("--key=", ANY))], ""),
        ([Field(("--", ANY))], "not known before it runs"),
        (["--", Field((ANY,))], ""),
        ([Field((INTEGER,))], ""),
    ],
)
def test_words_are_held_against_a_closed_form(words: list[str | Field], trouble: str) -> None:
    found = match(SORT, [known(word) if isinstance(word, str) else word for word in words])
    assert (trouble in found.trouble) if trouble else not found.trouble, found.trouble


@pytest.mark.parametrize(
    "words", [["-of"], ["-o", "f"], ["--output=f"], ["--output", "f"], ["-bnof"], ["x", "-o", "f"]]
)
def test_a_file_that_is_written_is_found_however_it_is_given(words: list[str]) -> None:
    found = match(SORT, [known(word) for word in words])
    assert [field.text for field, _ in found.writes] == ["f"]


@pytest.mark.parametrize(
    "text",
    ["", "What it is.\nstops\nflag: -x", "flags: x", "flags: -x\nvalues: -x", "needs: -a\nneeds: -b", "any\nwhat"],
)
def test_a_card_that_is_not_one_is_refused(text: str) -> None:
    with pytest.raises(BadCard):
        read_card(text) if text else read_card(" ")
