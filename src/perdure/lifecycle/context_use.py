"""How full a client's context is, and how long a text for the agent may be then (SPEC 10.5, 10.8). Pure.

budget_phase(ContextUse(90_000, 200_000)) == "CONDENSED"
fitted([HookText("Perdure: a long text …", short="a short one")], 100)
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NEARLY_FULL = 85
"""Percent of the context window. From here on the agent is told to hand over."""
NEARLY_FULL_TOKENS = 150_000
"""The same if it is not known how large the window is."""
_ASSUMED_SIZE = NEARLY_FULL_TOKENS * 100 // NEARLY_FULL
VERBOSE, CONDENSED, SIGNALS, CRITICAL = "VERBOSE", "CONDENSED", "SIGNALS", "CRITICAL"
BELOW = ((40, VERBOSE), (70, CONDENSED), (NEARLY_FULL, SIGNALS))
"""Names for how full the context is, each for less than so many percent; above that it is CRITICAL."""
LONGEST = {VERBOSE: None, CONDENSED: 500, SIGNALS: 200, CRITICAL: 100}
"""Characters of a text for the agent, without its marker line; None: no limit. Denials and briefs are always whole."""
WITH_SHORT_BRIEF = frozenset((SIGNALS, CRITICAL))
"""From here on a session begins with level 1 instead of the brief."""


@value
class ContextUse:
    """How many tokens are in the context, and how many it can hold."""

    tokens: int
    size: int = 0
    """0 if it is not known."""
    is_counted: bool = False
    """False if the tokens were calculated from a rounded percentage, or estimated."""
    is_estimate: bool = False
    """Whether they were estimated from the length of the texts."""

    @property
    def tokens_in_words(self) -> str:
        return f"{'' if self.is_counted else 'about '}{self.tokens:,} tokens"

    @property
    def percent(self) -> int:
        """Rounded down, so that nothing is called full before it is."""
        return min(100, 100 * self.tokens // (self.size if self.size > 0 else _ASSUMED_SIZE))

    @property
    def in_words(self) -> str:
        """For example `87 % of the context is used`; without a known window, the tokens."""
        if self.size > 0:
            return f"{self.percent} % of the context is used"
        return f"the context holds {self.tokens_in_words}{', by an estimate' if self.is_estimate else ''}"

    @property
    def is_nearly_full(self) -> bool:
        return self.percent >= NEARLY_FULL if self.size > 0 else self.tokens >= NEARLY_FULL_TOKENS


def budget_phase(use: ContextUse | None) -> str:
    """No figures means VERBOSE."""
    percent = use.percent if use else 0
    return next((name for below, name in BELOW if percent < below), CRITICAL)


def room(use: ContextUse | None) -> int | None:
    """The characters that a text for the agent may have; None: as many as it has."""
    return LONGEST[budget_phase(use)]


@value
class HookText:
    """Something that a hook tells the agent."""

    text: str
    short: str = ""
    """What is said if the whole does not fit."""


def fitted(texts: Sequence[HookText], longest: int | None) -> list[str]:
    """As many of the texts as fit, the most important first, each whole or short. The first is cut if not even its
    short form fits. The texts after the last one that is returned were not told."""
    if longest is None:
        return [each.text for each in texts]
    told: list[str] = []
    left = longest
    for each in texts:
        found = next((form for form in (each.text, each.short) if form and len(form) <= left), None)
        if found is None:
            break
        told.append(found)
        left -= len(found) + 1
    if texts and not told:
        return [cut(texts[0].short or texts[0].text, longest)]
    return told


def cut(text: str, longest: int | None) -> str:
    """The beginning of a text that is too long, up to the end of a word."""
    if longest is None or len(text) <= longest:
        return text
    kept = text[: longest - 1]
    return (kept.rpartition(" ")[0] or kept) + "…"
