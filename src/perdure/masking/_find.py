"""The second stage of masking: finds every secret in a text and puts a mark in its place.

Invariants: a mark splits a text, and the parts between marks are searched until nothing is found
in them; so masking a masked text changes nothing. A finding counts only with the evidence that
the first stage looks for (see `_screen`). The search always ends: after MOST_PASSES, a part that
still has findings is masked as a whole.

Use: ``masked, count = mask(text)``
"""

from __future__ import annotations

import re
from bisect import bisect_left

from . import _ruleset, _shapes
from ._screen import dense_runs, has_hint, lowered, may_hold_secret

_MARK = re.compile(r"(\[masked:[a-z0-9-]{1,64}\])")
_TAIL = re.compile(r"[A-Za-z0-9_-]*")
MOST_PASSES = 8
_LONGEST_WORD = 16  # of the words that are hints


def marked(rule_id: str) -> str:
    """The mark that replaces a secret."""
    return f"[masked:{rule_id}]"


def mask(text: str) -> tuple[str, int]:
    """The text with marks in place of secrets, and how many."""
    out: list[str] = []
    count = 0
    for index, part in enumerate(_MARK.split(text)):
        if index % 2 == 0:
            part, masked = _mask_until_stable(part, MOST_PASSES)
            count += masked
        out.append(part)
    return "".join(out), count


def _mask_until_stable(text: str, passes: int) -> tuple[str, int]:
    """Mask what is found in the text, then what is found between the marks, until nothing is found any more."""
    spans = find(text) if may_hold_secret(text) else []
    if not spans:
        return text, 0
    if not passes:
        return marked("unsettled"), 1
    out: list[str] = []
    count = len(spans)
    at = 0
    for start, end, rule_id in [*spans, (len(text), len(text), "")]:
        between, masked = _mask_until_stable(text[at:start], passes - 1)
        out.append(between)
        if rule_id:
            out.append(marked(rule_id))
        count += masked
        at = end
    return "".join(out), count


def find(text: str) -> list[tuple[int, int, str]]:
    """The spans of all secrets, in order and not overlapping, with the id of the rule or shape that found each."""
    low = lowered(text)
    runs = dense_runs(text)
    run_ends = [end for _, end in runs]
    spans: list[tuple[int, int, str]] = []
    tail = (0, 0)
    for source in (_shapes, _ruleset):
        for begin, finish, rule_id, start, end in source.find(text, low):
            nearest = bisect_left(run_ends, begin + 1)
            dense = nearest < len(runs) and runs[nearest][0] < finish
            if dense or has_hint(lowered(_whole_words(text, begin, finish))):
                if not tail[0] <= end <= tail[1]:  # a long run with many findings is walked only once
                    tail = (end, _tail_end(text, end))
                spans.append((start, tail[1], rule_id))
    return _apart(spans)


def _whole_words(text: str, begin: int, end: int) -> str:
    """The stretch, extended to whole words at both ends: a hint may be a word, and half a word is not in the text."""
    for _ in range(_LONGEST_WORD):
        if begin > 0 and text[begin - 1].isalnum():
            begin -= 1
        if end < len(text) and text[end].isalnum():
            end += 1
    return text[begin:end]


def _tail_end(text: str, end: int) -> int:
    """Where the key really ends: a rule for one length stops before the end of a longer key."""
    tail = _TAIL.match(text, end)
    return tail.end() if tail else end


def _apart(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The spans with overlapping ones merged, under the most specific id."""
    spans.sort(key=lambda span: (span[0], -span[1]))
    apart: list[tuple[int, int, str]] = []
    for start, end, rule_id in spans:
        if start == end:
            continue
        if apart and start < apart[-1][1]:
            first, last, kept = apart[-1]
            apart[-1] = (first, max(last, end), min(kept, rule_id, key=_vagueness))
        else:
            apart.append((start, end, rule_id))
    return apart


def _vagueness(rule_id: str) -> int:
    """0 for a rule that names the service, 1 for a general shape of ours, 2 for the generic rule."""
    if rule_id == _ruleset.GENERIC:
        return 2
    return 1 if rule_id in _shapes.GENERAL else 0
