"""The parsers of verbs: only the one that the command line names is made."""

from __future__ import annotations

import re
from typing import Any

import pytest

from perdure.errors import BadInput
from perdure.surfaces.cli.audit import COMMANDS
from perdure.surfaces.cli.parser import CommandParser, parser_for


def verbs(parser: CommandParser) -> dict[str, Any]:
    (found,) = (each for action in parser._actions if (each := getattr(action, "_name_parser_map", None)))
    return found  # type: ignore[no-any-return]


def made(parser: CommandParser) -> list[str]:
    return [verb for verb, below in verbs(parser).items() if "prog" in vars(below)]


@pytest.mark.parametrize(
    "words", [["verify"], ["--json", "verify"], ["verify", "--json"], ["--instance", "x", "verify"]]
)
def test_only_the_parser_of_the_verb_that_is_named_is_made(words: list[str]) -> None:
    parser = parser_for("audit", COMMANDS["audit"])
    assert parser.parse_all(words).verb == "verify"
    assert made(parser) == ["verify"]


def test_the_help_lists_every_verb_and_makes_the_parser_of_none() -> None:
    parser = parser_for("audit", COMMANDS["audit"])
    assert re.findall(r"^    (\S+)", parser.format_help(), re.M) == [*verbs(parser)]
    assert made(parser) == []


def test_an_unknown_flag_is_answered_with_one_that_the_verb_has() -> None:
    parser = parser_for("audit", COMMANDS["audit"])
    with pytest.raises(BadInput) as refused:
        parser.parse_all(["start", "--intnt", "x"])
    assert refused.value.hint == "Did you mean --intent?"
    assert made(parser) == ["start"]
    with pytest.raises(BadInput) as refused:
        parser.parse_all(["verify", "--intnt", "x"])
    assert "--intent" not in refused.value.hint


def test_a_field_that_no_parser_has_is_said_to_be_missing() -> None:
    parser = parser_for("audit", COMMANDS["audit"])
    assert not hasattr(verbs(parser)["root"], "never_heard_of")
