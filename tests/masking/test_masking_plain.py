"""What must not be masked: the ordinary texts of a coding agent."""

from __future__ import annotations

from typing import Any

import pytest

from perdure.masking import mask_json, mask_text
from tests.effort import for_each

from .masking_samples import PLAIN, SHA1, SHA256, UUID


@for_each("kind", PLAIN)
def test_it_is_left_alone(kind: str) -> None:
    text = PLAIN[kind]
    assert mask_text(text) == (text, 0)


@for_each("kind", PLAIN)
def test_in_a_payload_it_is_left_alone_and_the_same_object(kind: str) -> None:
    payload: dict[str, Any] = {"text": PLAIN[kind], "list": [PLAIN[kind]], PLAIN[kind]: 1}
    masked, count = mask_json(payload)
    assert masked is payload
    assert count == 0


def test_all_of_them_together_are_left_alone() -> None:
    text = "\n\n".join(PLAIN.values())
    assert mask_text(text) == (text, 0)


@pytest.mark.parametrize("value", [SHA1, SHA256, UUID, UUID.upper(), SHA1.upper()])
def test_an_identifier_under_an_ordinary_key_is_left_alone(value: str) -> None:
    payload: dict[str, Any] = {"commit": value, "event_key": value, "ids": [value], "auth_event": {"id": value}}
    assert mask_json(payload) == (payload, 0)
