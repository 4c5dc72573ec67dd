"""How full the context is, by the end of a transcript (SPEC 10.5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from perdure.actions import context_window
from perdure.transcript.context_figures import figures_in


def line(**content: Any) -> bytes:
    return json.dumps(content).encode()


def answer(tokens: int, **more: Any) -> bytes:
    usage = {"input_tokens": 10, "cache_read_input_tokens": tokens - 10, "output_tokens": 5}
    return line(type="assistant", message={"usage": usage, "content": [{"type": "text", "text": "done"}]}, **more)


def boundary(**about: Any) -> bytes:
    return line(type="system", subtype="compact_boundary", compactMetadata=about)


PROMPT = line(type="user", message={"content": "x" * 400})


def test_the_last_answer_says_how_full_it_is() -> None:
    found = figures_in([answer(9000), answer(12_000), PROMPT, b""])
    assert found
    assert (found.tokens, found.is_counted) == (12_000, True)


def test_figures_before_a_compaction_do_not_count() -> None:
    found = figures_in([answer(190_000), boundary(trigger="auto"), PROMPT])
    assert found
    assert (found.tokens, found.is_counted) == (100, False), "only what came after it is estimated"
    after = figures_in([answer(190_000), boundary(trigger="auto"), answer(20_000)])
    assert after
    assert after.tokens == 20_000
    told = figures_in([answer(190_000), boundary(postTokens=7000), PROMPT])
    assert told
    assert told.tokens == 7000
    assert figures_in([answer(190_000), boundary()]) is None


def test_a_subagents_answer_and_texts_that_only_look_like_figures_do_not_count() -> None:
    quoted = line(type="user", message={"content": '{"type":"system","subtype":"compact_boundary","usage":1}'})
    found = figures_in([answer(5000), answer(90_000, isSidechain=True), quoted, b'{"usage', b'[{"usage":1}]'])
    assert found
    assert found.tokens == 5000


def test_without_figures_the_texts_are_counted_and_without_texts_nothing_is_known() -> None:
    found = figures_in([PROMPT, line(type="assistant", message={"content": "y" * 40})])
    assert found
    assert (found.tokens, found.is_counted) == (110, False)
    assert figures_in([b"", line(type="mode")]) is None


def test_only_the_end_of_a_transcript_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(answer(3000) + b"\n" + b"x" * (context_window.TRANSCRIPT_READ + 10) + b"\n" + PROMPT + b"\n")
    use = context_window.in_transcript(str(path))
    assert use
    assert use.is_estimate, "the answer is too far from the end"
    path.write_bytes(b"x" * (context_window.TRANSCRIPT_READ + 10) + b"\n" + answer(3000) + b"\n")
    use = context_window.in_transcript(str(path))
    assert use
    assert (use.tokens, use.size, use.is_estimate) == (3000, 0, False)
    for nothing in ("", str(tmp_path), str(tmp_path / "gone")):
        assert context_window.in_transcript(nothing) is None
