"""What a brief is held against: the tail of the raw text, lists of files, the client's own summary."""

from __future__ import annotations

import json

from bench.recovery.needs import Needs, Step, used
from bench.recovery.truth import Truth
from perdure.recovery.tokens import fits

LONGEST_TOKEN = 16
"""Characters; a longer one is rare enough."""


def raw_tail(truth: Truth, steps: list[Step], needs: Needs, budget: int) -> str | None:
    told = "\n".join(_told(step) for step in steps if step.line < needs.line)
    return _cut(told[-budget * LONGEST_TOKEN :], budget, from_end=True)


def _told(step: Step) -> str:
    return f"{step.tool} {json.dumps(step.given, ensure_ascii=False)}" if step.kind == "call" else step.text


def recent_files(truth: Truth, steps: list[Step], needs: Needs, budget: int) -> str | None:
    seen = used(truth, [step for step in steps if step.line < needs.line])
    return _cut("\n".join(dict.fromkeys(reversed(seen))), budget)


def all_files(truth: Truth, steps: list[Step], needs: Needs, budget: int) -> str | None:
    seen = used(truth, [step for step in steps if step.line < needs.line])
    return _cut("\n".join(dict.fromkeys(seen)), budget)


def summary(truth: Truth, steps: list[Step], needs: Needs, budget: int) -> str | None:
    """There is one at compactions only."""
    if needs.boundary != "compaction":
        return None
    text = next(step.text for step in steps if step.kind == "summary" and step.line > needs.line)
    return _cut(text, budget)


def _cut(text: str, budget: int, *, from_end: bool = False) -> str:
    """The longest part of it, from the start or from the end, that fits."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_part(text, middle, from_end), budget):
            low = middle
        else:
            high = middle - 1
    kept = _part(text, low, from_end)
    assert fits(kept, budget)
    return kept


def _part(text: str, size: int, from_end: bool) -> str:
    return text[len(text) - size :] if from_end else text[:size]


OTHERS = {
    "last tokens, raw": raw_tail,
    "recent files": recent_files,
    "all files": all_files,
    "client's summary": summary,
}
