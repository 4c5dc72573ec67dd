"""What the person said and what of it still holds (SPEC 12.2): the last words, and rules that outlive their turn.

A rule is a sentence that forbids, demands or corrects. What the person took back is not given back.
"""

from __future__ import annotations

import re

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.recovery.gather import Heard

FIRST_WORDS = 40
LONGEST = 800
"""Characters; forty words of prose are a third of that."""
_RULE = re.compile(
    r"""\b(?: never | always | must(?:n't)? | only | don't | do[ ]not | dont | cannot | can't | should(?:n't)?
        | make[ ]sure | ensure | prefer | instead[ ]of | without | no[ ]longer | avoid | keep | use | stick[ ]to
        | from[ ]now[ ]on
        | remember | important | required? | needs?[ ]to | not[ ]allowed )\b""",
    re.I | re.X,
)
_STRONG = re.compile(
    r"""\b(?: never | always | must | only | don't | do[ ]not | dont | from[ ]now[ ]on | make[ ]sure | not[ ]allowed
        | important | instead[ ]of )\b""",
    re.I | re.X,
)
_BACK = re.compile(
    r"""\b(?: never[ ]mind | nevermind | forget[ ](?:that|about|it|the) | scrap[ ](?:that|the)
        | ignore[ ](?:that|what|the)
        | no[ ]longer | changed[ ]my[ ]mind | actually,?[ ](?:do|use|let|you|go|keep) | on[ ]second[ ]thought
        | take[ ](?:that|it)[ ]back | you[ ](?:can|may)\b )""",
    re.I | re.X,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_COMMON = frozenset(
    "the a an and or but to of in on for with it is are was be this that i you we please not do don't use have has "
    "as at from so if then now just can could would should must only always never all any".split()
)


@value
class Words:
    """As they were said; newest first."""

    last: tuple[str, ...]
    rules: tuple[str, ...]


def words_of(prompts: Sequence[Heard]) -> Words:
    texts = [heard.text for heard in prompts]
    last = tuple(dict.fromkeys(first_words(text) for text in reversed(texts)))
    return Words(last, tuple(_rules(texts)))


def first_words(text: str) -> str:
    """Word for word, a long one up to its first 40 words."""
    pieces = list(re.finditer(r"\S+", text[:LONGEST]))
    if len(pieces) <= FIRST_WORDS and len(text) <= LONGEST:
        return text.strip()
    return text[pieces[0].start() : pieces[min(FIRST_WORDS, len(pieces)) - 1].end()] + " …" if pieces else ""


def _rules(texts: list[str]) -> list[str]:
    """Strong ones first, newer before older."""
    found: list[tuple[bool, int, str]] = []
    for number, text in enumerate(texts):
        for sentence in _SENTENCE.split(text[:20_000]):
            clean = sentence.strip(" -*•\t")
            if not _RULE.search(clean) or len(clean.split()) < 3 or clean.endswith("?"):
                continue
            if not _is_taken_back(clean, texts[number + 1 :]):
                found.append((bool(_STRONG.search(clean)), number, first_words(clean)))
    found.sort(key=lambda rule: (rule[0], rule[1]), reverse=True)
    return list(dict.fromkeys(text for _, _, text in found))


def _is_taken_back(rule: str, later: list[str]) -> bool:
    about = _content(rule)
    return any(_BACK.search(text) and len(about & _content(text)) >= min(2, len(about)) for text in later)


def _content(text: str) -> set[str]:
    return {word for word in re.findall(r"[\w./-]{3,}", text.lower()) if word not in _COMMON}
