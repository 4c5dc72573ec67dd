"""What the client's summariser is told before it summarises (SPEC 11.1): what must survive word for word, and what may
be shortened. At most 1,500 characters."""

from __future__ import annotations

from perdure.lifecycle.phases import PRE_COMPACT, headed
from perdure.lifecycle.summary_fact import KINDS, TITLES
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.lifecycle.summary_fact import SummaryFact

LONGEST = 1_500
LONGEST_FACT = 260
"""Characters of one fact. A longer one is cut: the whole comes back after the compaction."""
_FIRST = "Perdure keeps the record of this work. Put each of these lines into the summary word for word:"
_NONE = "Perdure keeps the record of this work."
_LEFT = "{} more are on record and come back by themselves."


@value
class Guidance:
    text: str
    named: int
    """How many facts it names."""


def guidance(facts: Sequence[SummaryFact], remarks: Sequence[str] = ()) -> Guidance:
    """`remarks`: what else to tell, such as what may be shortened."""
    lines: list[str] = []
    ranked = sorted(facts, key=lambda fact: KINDS.index(fact.kind))
    for fact in ranked:
        line = f"- {TITLES[fact.kind]}: {_cut(fact.words)}"
        left = len(ranked) - len(lines) - 1
        if len(_joined([*lines, line], left, remarks)) > LONGEST:
            break
        lines.append(line)
    return Guidance(_joined(lines, len(ranked) - len(lines), remarks)[:LONGEST], len(lines))


def _joined(lines: Sequence[str], left: int, remarks: Sequence[str]) -> str:
    first = _FIRST if lines else _NONE
    return headed(PRE_COMPACT, "\n".join([first, *lines, *([_LEFT.format(left)] if left else []), *remarks]))


def _cut(text: str) -> str:
    """The text on one line, so that it cannot look like a line of ours."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words if len(words) <= LONGEST_FACT else words[: LONGEST_FACT - 1].rpartition(" ")[0] + "…"
