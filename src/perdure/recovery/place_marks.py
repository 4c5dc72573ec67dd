"""The marks that a brief puts behind places in the project, as in `${PROJECT_ROOT}/cart.py:12 (now cart.py:18)` (SPEC
12.2): a cut must not part a place from its mark, and words on record are looked for without them."""

from __future__ import annotations

import re

_PLACE = r"\$\{PROJECT_ROOT\}/\S+"
_MARK = re.compile(rf"({_PLACE}) \((?:now [^()]*|changed|gone|unverified|no such (?:file|line|symbol))\)")
_AT_A_CUT = re.compile(rf"\s?{_PLACE}(?: ?\((?:now [^()]*|[a-z ]{{0,16}}))?\Z")


def without_marks(text: str) -> str:
    return _MARK.sub(r"\1", text)


def without_cut_place(text: str) -> str:
    """The beginning of a longer text, without a place at its end: the place may be cut, or its mark may be."""
    at = text.rfind("${PROJECT_ROOT}/")
    return text if at < 0 else text[: max(0, at - 1)] + _AT_A_CUT.sub("", text[max(0, at - 1) :])
