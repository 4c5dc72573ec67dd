"""Ids from outside are text until they were looked at: none of them reaches a path it should not (SPEC 1, 3.2, 19)."""

from __future__ import annotations

import os
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.model.ids import derived_id, is_token, is_uuid, new_id, prefix_of, short, shown, token_of
from tests.effort import for_each

HOSTILE = [
    "",
    ".",
    "..",
    "...",
    ".hidden",
    "-rf",
    "--help",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "/etc/passwd",
    "~",
    "~root",
    "a b",
    "a\tb",
    "a\nb",
    "a\r",
    "a\0b",
    "\0",
    "a\x1b[31m",
    "a\x7f",
    "$(id)",
    "`id`",
    "a;b",
    "a|b",
    "a&b",
    "a>b",
    "a*",
    "a?",
    "a'b",
    'a"b',
    "%2e%2e",
    "a:b",
    "a\u202eb",
    "a\u200b",
    "é",
    "ａ",
    "\ud800",
    "x" * 129,
    "x" * 1_000_000,
]


@for_each("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_a_hostile_id_is_refused_in_words_one_can_print(text: str) -> None:
    assert not is_token(text)
    with pytest.raises(BadInput) as caught:
        token_of(text, "The session id")
    message = caught.value.message
    assert caught.value.code == "bad_id"
    assert message.isprintable()
    assert len(message) < 300


@pytest.mark.parametrize("text", ["a", "A1", "_", "ci-42", "a.b_c-d", "3f2a91c4", "x" * 128, "CON", "a..b"])
def test_what_clients_really_use_is_taken_as_it_is(text: str) -> None:
    assert token_of(text, "The session id") == text


@given(st.text(max_size=40))
def test_a_token_stays_within_its_folder(text: str) -> None:
    if is_token(text):
        assert os.path.basename(os.path.normpath(os.path.join("/folder", text))) == text
        assert os.path.dirname(os.path.normpath(os.path.join("/folder", text))) == "/folder"


@given(st.text(max_size=40))
def test_a_uuid_is_what_the_standard_library_takes_for_one_in_its_one_form(text: str) -> None:
    if is_uuid(text):
        assert str(uuid.UUID(text)) == text


@given(st.uuids())
def test_every_uuid_is_one_and_its_other_forms_are_not(made: uuid.UUID) -> None:
    text = str(made)
    assert is_uuid(text)
    assert is_token(text)
    for other in (made.hex, f"{{{text}}}", made.urn, text + " ", text + "\n", text[:-1], "-" + text, text[1:] + "g"):
        assert not is_uuid(other)


def test_new_ids_are_random_uuids_of_version_four() -> None:
    made = {new_id() for _ in range(2000)}
    assert len(made) == 2000
    assert {uuid.UUID(text).version for text in made} == {4}
    assert {uuid.UUID(text).variant for text in made} == {uuid.RFC_4122}


def test_derived_ids_agree_on_every_machine() -> None:
    assert derived_id("project", "a") == derived_id("project", "a") == "51fe5f39-e1eb-527c-832a-d85223ee1fdf"
    assert uuid.UUID(derived_id("project", "a")).version == 5
    namespace = uuid.UUID("8a1d8c0e-5f0b-5c52-a3c1-f0c1e6b7d9aa")
    assert derived_id("project", "a") == str(uuid.uuid5(namespace, "project\0a"))


def test_derived_ids_of_other_parts_are_others() -> None:
    made = [derived_id(*parts) for parts in (("a",), ("b",), ("a", "b"), ("ab",), ("a", "b", ""), ("\ud800",))]
    assert len(set(made)) == len(made)


WHOLE = "3f2a91c4-7b1e-4c55-9d0a-1f6e2b8c4d70"


@pytest.mark.parametrize("length", [4, 8, 9, 13, 36])
def test_a_prefix_of_four_or_more_is_enough(length: int) -> None:
    assert prefix_of(WHOLE[:length], "The id") == WHOLE[:length]
    assert prefix_of(f"  {WHOLE[:length].upper()} ", "The id") == WHOLE[:length]


@pytest.mark.parametrize("text", ["", "3f2", "3f2a91x", "3f2a91cg", WHOLE + "0", "3f2a91c%", "3f2a91c*", "x" * 99])
def test_anything_else_is_not_a_prefix(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        prefix_of(text, "The id")
    assert caught.value.code == "bad_id"


def test_an_id_is_shown_by_its_first_eight() -> None:
    assert short(WHOLE) == "3f2a91c4"


@given(st.text(max_size=200))
def test_foreign_text_is_shown_printable_and_cut(text: str) -> None:
    found = shown(text)
    assert found.isprintable()
    assert len(found) <= 63
