"""Finds what a text states about decisions: a superseded one as if it counted, or an id with what it does not say."""

from __future__ import annotations

import re

from perdure.forks.known import DECISION, Contradiction
from perdure.forks.vocabulary import NEGATORS, NOT_NOW
from perdure.model.ids import SHORT
from perdure.model.terms import terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.forks.known import KnownDecision
    from perdure.forks.lines import Line

_ID = re.compile(r"(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f-]{1,27})?(?![\w-])", re.I)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_STOP = frozenset(
    """a an and are as at be by do for from in is it keep of on or our remain stay that the this to we will
    with""".split()
)
_FORBIDS = re.compile(r"(?:\d+ )?(?:we )?(?:do not|don't|never|must not) ")
_FORBIDDEN = re.compile(r"(?:we )?(?:do not|don't|never|must not) (?=\S)")
_WE = re.compile(r"(?:\d+ )?(?:(?:we|it) )?(?:now |still )?")
"""How a statement may begin before the words of a decision."""
_CONTRAST = re.compile(r",\s*(?:and\s+|but\s+)?(?:not|never)\b|\bnot\s*[:\"'`]", re.I)
"""What is decided is set against something else: "on the server, not in workers"."""
_FEWEST_WORDS = 3
"""A shorter decision is not recognised by its words."""
_QUOTE = 200
_MOST_PART = 0.7
_NEARLY_ALL = 0.8
_MOST_BESIDE = 2
"""Words that a line may have besides those of a decision that it states in other words or order."""


class Decisions:
    def __init__(self, decisions: Iterable[KnownDecision]) -> None:
        known = list(decisions)
        self._by_id = {each.id[:SHORT]: each for each in known}
        self._terms = {each.id: _content(each.text) for each in known}
        self._known = {each.id: each for each in known}
        self._superseded: dict[str, list[tuple[str, KnownDecision]]] = {}
        self._standing: dict[str, list[tuple[str, KnownDecision]]] = {}
        self._prohibitions: dict[str, list[tuple[str, KnownDecision]]] = {}
        """What decisions that count forbid, by the first word."""
        self._by_longest: dict[str, list[KnownDecision]] = {}
        """By the longest term, so that a line is compared with few decisions."""
        for each in known:
            words = _words(each.text)
            table = self._superseded if each.successor else self._standing
            if len(words.split()) >= _FEWEST_WORDS and words not in _words(each.successor_text):
                table.setdefault(words.split()[0], []).append((words, each))
                self._add_prohibition(words, each)
                if len(self._terms[each.id]) >= _FEWEST_WORDS:
                    self._by_longest.setdefault(_longest(self._terms[each.id]), []).append(each)

    def _add_prohibition(self, words: str, decision: KnownDecision) -> None:
        forbids = _FORBIDDEN.match(words)
        forbidden = words[forbids.end() :] if forbids else ""
        if len(forbidden.split()) >= _FEWEST_WORDS and not decision.successor:
            self._prohibitions.setdefault(forbidden.split()[0], []).append((forbidden, decision))

    def in_line(self, line: Line) -> Iterator[Contradiction]:
        if NOT_NOW.search(line.text):
            yield from (self._found(each, line) for each in self._forbidden(line.text))
            return
        named = self._named(line.text)
        for each in named or self._unnamed(line):
            if not named or self._is_wrong(each, named, line.text):
                yield self._found(each, line)

    def _named(self, text: str) -> list[KnownDecision]:
        """The decisions whose ids, or beginnings of ids, stand in the text."""
        found = [(self._by_id.get(id[:SHORT].lower()), id.lower()) for id in _ID.findall(text)]
        named = {each.id: each for each, id in found if each and each.id.startswith(id)}
        return [*named.values()]

    def _is_wrong(self, each: KnownDecision, named: list[KnownDecision], text: str) -> bool:
        if each.successor:
            return each.successor not in {other.id for other in named}
        return len(named) == 1 and self._says_otherwise(each, text)

    def _by_words(self, text: str) -> Iterator[KnownDecision]:
        """Superseded decisions whose words stand in the line, unless those of the one that counts do too."""
        words = _words(text)
        padded = f" {words} "
        for first in dict.fromkeys(words.split()):
            for sought, each in self._superseded.get(first, ()):
                successor = _words(each.successor_text)
                if f" {sought} " in padded and not (successor and f" {successor} " in padded):
                    yield each

    def _forbidden(self, text: str) -> Iterator[KnownDecision]:
        """Decisions that count, and whose words the line begins with after a "do not" or "never". Among these words may
        be a "before" or "when"."""
        words = _words(text)
        start = _FORBIDS.match(words)
        said = words[start.end() :] if start and not text.rstrip().endswith(("?", "？")) else ""
        for sought, each in self._standing.get(said.split(" ", 1)[0], ()):
            if f"{said} ".startswith(f"{sought} ") and not NOT_NOW.search(said[len(sought) :]):
                yield each

    def _done_all_the_same(self, clause: str) -> Iterator[KnownDecision]:
        """Decisions that count and forbid what the clause begins with: "we store card numbers in a table"."""
        words = _words(clause)
        said = words[_WE.match(words).end() :]  # type: ignore[union-attr]  # it matches nothing, too
        for sought, each in self._prohibitions.get(said.split(" ", 1)[0], ()):
            if f"{said} ".startswith(f"{sought} ") and not NEGATORS & set(said.split()):
                yield each

    def _unnamed(self, line: Line) -> list[KnownDecision]:
        found = [*self._by_words(line.text), *self._forbidden(line.text)]
        for clause in line.clauses:
            found += [*self._done_all_the_same(clause), *self._in_other_order(clause)]
        return [*{each.id: each for each in found}.values()]

    def _in_other_order(self, clause: str) -> Iterator[KnownDecision]:
        """Decisions all of whose words the clause has, and hardly any other: a superseded one as if it counted, one
        that counts with a "not". "Input is validated with pydantic" says "Validate input with pydantic"."""
        terms = _content(clause)
        for each in (each for term in terms for each in self._by_longest.get(term, ())):
            own = self._terms[each.id]
            if own <= terms and len(terms - own) <= _MOST_BESIDE and self._is_turned_round(each, clause):
                yield each

    def _is_turned_round(self, decision: KnownDecision, clause: str) -> bool:
        own = self._terms[decision.id]
        if not decision.successor:
            return not _CONTRAST.search(clause) and _is_negated(clause, own, decision.text)
        is_negated = bool(NEGATORS & set(_WORD.findall(clause.casefold())))
        return not is_negated and not (_content(decision.successor_text) - own) & _content(clause)

    def _says_otherwise(self, decision: KnownDecision, text: str) -> bool:
        said = _ID.sub(" ", text)
        return _is_negated(said, self._terms[decision.id], decision.text) or self._is_anothers(decision, said)

    def _is_anothers(self, decision: KnownDecision, said: str) -> bool:
        """Whether the words are those of another decision, and none is of this one. Words of neither may be this
        decision's in another language."""
        terms = _content(said)
        if not terms or terms & _content(f"{decision.text} {decision.words}"):
            return False
        return any(
            len(others) >= _FEWEST_WORDS and len(terms & others) >= _MOST_PART * len(others)
            for id, others in self._terms.items()
            if id != decision.id
        )

    def _found(self, each: KnownDecision, line: Line) -> Contradiction:
        stands = self._known.get(each.successor)
        return Contradiction(
            about=DECISION,
            subject=each.id,
            field=each.id,
            stated=line.text.strip()[:_QUOTE],
            ledger=each.successor_text if each.successor else each.text,
            decision_id=(stands.id if stands else each.successor) or each.id,
            line=line.number,
            quote=line.text.strip()[:_QUOTE],
        )


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _content(text: str) -> frozenset[str]:
    return frozenset(terms_of(text)) - _STOP


def _longest(terms: frozenset[str]) -> str:
    return max(terms, key=lambda term: (len(term), term))


def _is_negated(said: str, terms: frozenset[str], decided: str) -> bool:
    """Whether the text has the decision's words with a "not" in front of them, and the decision has none."""
    words = _WORD.findall(said.casefold())
    if NEGATORS & set(_WORD.findall(decided.casefold())) or len(terms & _content(said)) < _NEARLY_ALL * len(terms):
        return False
    for at, word in enumerate(words):
        if word in NEGATORS:
            following = next((term for next_word in words[at + 1 :] for term in _content(next_word)), "")
            if following in terms:
                return True
    return False
