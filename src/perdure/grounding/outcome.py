"""The classes of evidence (SPEC 8.2). They are apart from the code that finds them, because a brief only shows them and
must load little."""

from __future__ import annotations

from enum import StrEnum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.model.json import Json


class Outcome(StrEnum):
    VERIFIED = "verified"
    MOVED = "moved"
    CHANGED = "changed"
    MISSING = "missing"
    FABRICATED = "fabricated"


GROUNDED = frozenset({Outcome.VERIFIED, Outcome.MOVED})


def is_grounded(evidence: Sequence[dict[str, Json]]) -> bool:
    """Whether a decision has evidence, and every piece of it was true when it was given."""
    return bool(evidence) and all(each.get("class") in GROUNDED for each in evidence)
