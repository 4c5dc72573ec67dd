"""Looks for each fact in a client's summary: kept, altered or lost (SPEC 11.2).

A summary is prose: it shortens paths, words sentences anew, spells numbers, uses lists and tables. A fact is kept if a
passage has nearly all of its terms, all of its numbers and names, and does not state it with a "not", as given up or,
for what is open, as done. It is altered if a passage is about it and says something else. If that is not sure, it is
lost: a fact that is given back once too often costs a line, one that is missing may cost the work.

    rule = SummaryFact(CONSTRAINT, id, "Never push to main")
    audit([rule], "The user allows pushes to main.")[0].outcome == "altered"
"""

from __future__ import annotations

import re

from perdure.lifecycle.alignment import ANOTHER_NOT, ANOTHER_WORD
from perdure.lifecycle.names import last_part
from perdure.lifecycle.passages import LONGEST_LINE, LONGEST_TEXT, paragraphs_of, passages_of
from perdure.lifecycle.sought_fact import CALLED_DONE, GIVEN_UP, REVERSED, SoughtFact
from perdure.lifecycle.summary_fact import (
    ALTERED,
    BLOCKER,
    COMMAND,
    CONSTRAINT,
    CONTRACT,
    DECISION,
    ERROR,
    FILE,
    GOAL,
    KEPT,
    LOST,
    OPEN_ITEMS,
    REQUEST,
    RETOLD,
    TRANSACTION,
    Finding,
)
from perdure.lifecycle.vocabulary import NOT_DONE, STILL_BLOCKS
from perdure.lifecycle.wording import wording
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from perdure.lifecycle.passages import Passage
    from perdure.lifecycle.sought_fact import JudgedPassage
    from perdure.lifecycle.summary_fact import SummaryFact
    from perdure.lifecycle.wording import Wording

MOST_FACTS = 80
LONGEST_PASSAGE = 300
"""Characters of a passage that is quoted."""
_CANDIDATES = 16
"""Passages that are judged for one fact: those that share most with it."""
_ID = re.compile(r"(?<![\w-])[0-9a-f]{8}(?:[0-9a-f-]{1,28})?(?![\w-])", re.I)
_NOT_OPEN = re.compile(r"\b(?:closed|committed|finished|completed|no (?:open )?transaction|ended|geschlossen)\b", re.I)
_BETWEEN = r"[^\n.;,]{1,40}?"
"""What may stand between a program and what it is to do: its options."""

_MORE_WORDS = 6
_TELLS_OF = re.compile(
    r"""\b(?:user|they)[ ](?:\w+[ ])?(?:ask|request|report|emphasi[sz]e|demand|question|point|complain|note
        |suggest|mention|explain|redirect|remind|instruct|express|propose)(?:s|ed|d)\b
      | \buser[ ](?:said|says)\b | \bfeedback\b | ^asked\b | ["“][^"”]{12,}""",
    re.I | re.X,
)
"""It tells that the person said something, or quotes them. That may be another sentence of theirs."""
_CONTRACT = re.compile(r"contract|evidence|criteri|done when|acceptance", re.I)


def audit(facts: Sequence[SummaryFact], summary: str, contradicted: Collection[str] = ()) -> list[Finding]:
    """`contradicted`: sources of decisions that the summary contradicts, as `forks/` found."""
    searched = _Summary(summary)
    found = []
    for fact in facts[:MOST_FACTS]:
        named = _NAMED.get(fact.kind)
        finding = named(fact, summary) if named else searched.find(fact)
        if fact.kind == DECISION and fact.source in contradicted and finding.outcome != LOST:
            finding = replace(finding, outcome=ALTERED, why="another value")
        found.append(finding)
    return found


def _transaction(fact: SummaryFact, summary: str) -> Finding:
    """A transaction is kept if its id, or at least its short form, is there and not called closed."""
    other = Finding(fact, LOST)
    for number, line in enumerate(summary[:LONGEST_TEXT].split("\n"), 1):
        ids = [id.lower() for id in _ID.findall(line[:LONGEST_LINE])]
        found = Finding(fact=fact, outcome=ALTERED, passage=_quoted(line), line=number)
        if any(fact.text.lower().startswith(id) for id in ids):
            return replace(found, why="called closed") if _NOT_OPEN.search(line) else replace(found, outcome=KEPT)
        if ids and other.outcome == LOST and "transaction" in line.lower():
            other = replace(found, why="another id")
    return other


def _command(fact: SummaryFact, summary: str) -> Finding:
    """A command is kept if a line says of each check in it which program does it and what that is to do."""
    text, line = summary[:LONGEST_TEXT], 0
    for words in map(str.split, fact.key.split("; ")):
        found = re.search(_BETWEEN.join(map(_as_word, words)), text)
        if not found:
            return Finding(fact, LOST)
        line = text.count("\n", 0, found.start()) + 1
    return Finding(fact=fact, outcome=KEPT, passage=_quoted(text.split("\n")[line - 1]), line=line)


def _as_word(name: str) -> str:
    """`test` is no part of `latest`, `test:e2e` or `test.sh`."""
    return rf"(?<![\w.:/-]){re.escape(name)}(?![\w:/-]|\.\w)"


_NAMED = {TRANSACTION: _transaction, COMMAND: _command}
"""Facts that are kept if they are named, however little is said about them."""


class _Summary:
    """A summary's passages, found by their terms."""

    def __init__(self, text: str) -> None:
        self._passages = passages_of(text)
        self._paragraphs = paragraphs_of(text)
        self._wordings: dict[str, Wording] = {}
        self._by_term = _index(self._passages, self._wording)
        self._paragraphs_by_term = _index(self._paragraphs, self._wording)

    def _wording(self, text: str) -> Wording:
        found = self._wordings.get(text)
        if found is None:
            found = self._wordings[text] = wording(text)
        return found

    def find(self, fact: SummaryFact) -> Finding:
        sought = SoughtFact(fact)
        judged = self._judged(sought, self._passages, self._by_term)
        if fact.kind in RETOLD and not any(each.outcome == KEPT for each in judged):
            judged += self._judged(sought, self._paragraphs, self._paragraphs_by_term)
        best = _verdict(judged)
        if best is None or (best.outcome == ALTERED and _is_about_else(fact, best.passage, best.why)):
            return Finding(fact, LOST)
        return Finding(
            fact=fact,
            outcome=best.outcome,
            passage=_quoted(best.passage.text),
            line=best.passage.line,
            why=best.why,
        )

    def _judged(
        self, sought: SoughtFact, passages: Sequence[Passage], by_term: dict[str, list[int]]
    ) -> list[JudgedPassage]:
        shares: dict[int, float] = {}
        for key, weight in sought.keys.items():
            for at in by_term.get(key, ()):
                shares[at] = shares.get(at, 0.0) + weight
        near = sorted(shares, key=lambda at: (-round(shares[at], 6), passages[at].parts, at))[:_CANDIDATES]
        judged = [sought.judge(passages[at], self._wording(passages[at].text)) for at in near]
        return [each for each in judged if each]


def _index(passages: Sequence[Passage], wording_of: Callable[[str], Wording]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, passage in enumerate(passages):
        said = [wording_of(piece) for piece in passage.pieces]
        keys = (key for each in said for key in (*each.terms, *map(last_part, each.names)))
        for key in dict.fromkeys(keys):
            found.setdefault(key, []).append(at)
    return found


def _verdict(judged: Sequence[JudgedPassage]) -> JudgedPassage | None:
    """Kept where a passage keeps it, unless a single sentence has as much of it and states the opposite; or something
    else, where it takes several sentences to keep it."""
    kept = [each for each in judged if each.outcome == KEPT]
    altered = [each for each in judged if each.outcome == ALTERED]
    most = max((each.share for each in kept), default=0.0)
    is_in_one = any(each.passage.parts == 1 for each in kept)
    rivals = [each for each in altered if each.share >= most and each.passage.parts == 1]
    stronger = [each for each in rivals if each.contradicts or not is_in_one]
    return max(stronger or kept or altered, key=lambda each: (each.share, -each.passage.parts), default=None)


def _is_about_else(fact: SummaryFact, passage: Passage, why: str) -> bool:
    """A contract is worded like the goal of the work. A passage that speaks of no contract states that goal, not the
    contract otherwise. Of a goal or a request a summary tells much in similar words, and a plan has many lines that are
    alike: with another word, a sentence is about something else. A file, or what a command printed, is not a statement
    that could be told otherwise: another file is another file, and a later run fails in another way."""
    if fact.kind in (FILE, ERROR):
        return True
    if fact.kind in (GOAL, REQUEST, *OPEN_ITEMS) and why == ANOTHER_WORD:
        return True
    if fact.kind in OPEN_ITEMS:
        return _is_still_open(fact, passage, why)
    if fact.kind in (GOAL, REQUEST, CONSTRAINT) and (_TELLS_OF.search(passage.text) or not _is_brief(fact, passage)):
        return True
    return fact.kind == CONTRACT and not _CONTRACT.search(f"{passage.heading} {passage.text}")


def _is_still_open(fact: SummaryFact, passage: Passage, why: str) -> bool:
    """Of what is open, a list names much beside it, and "not yet" or "is missing" says that it is open."""
    if fact.kind == BLOCKER and STILL_BLOCKS.search(f"{passage.heading} {passage.text}"):
        return True
    if why in (REVERSED, GIVEN_UP, CALLED_DONE):
        return False
    return not _is_brief(fact, passage) or (why == ANOTHER_NOT and bool(NOT_DONE.search(passage.text)))


def _is_brief(fact: SummaryFact, passage: Passage) -> bool:
    """Whether the passage says hardly more than the fact: what contradicts a person's words says just that. In a long
    one, which tells what happened, the words stand together by chance."""
    return passage.parts == 1 and len(passage.text.split()) <= 2 * len(fact.text.split()) + _MORE_WORDS


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_PASSAGE else words[: LONGEST_PASSAGE - 1] + "…"
