"""What a sentence says, so that two can be compared: its terms, its numbers, its names, and which of its terms it
negates or rejects.

    wording("Never push to main").negated == {"push", "main"}
    wording("retry 3 times").numbers == (Number(3.0, ""),)
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from perdure.lifecycle.vocabulary import (
    ALLOWED,
    BREAKS,
    INSTEAD,
    IS_PASSIVE,
    LEFT_ALONE,
    NEGATES,
    NEGATES_CLAUSE,
    NEGATES_WIDE,
    NUMBERS,
    PREFERRED,
    REJECTS,
    SAME,
    STOP,
    UNITS,
    WITHOUT,
    bare,
    term_of,
)
from perdure.model.terms import UNSPACED, terms_of
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_WORDS = 400
"""Words of one sentence that are read."""
_CHUNK = re.compile(r"\d{1,3}(?:,\d{3})+(?![,\d])[\w%]*|[^\s|,;()\[\]{}<>\"“”„«»…—–→]+|[,;()|…—–→]")
_WIDE_MARKS = str.maketrans({"’": "'", "‘": "'", "、": ",", "，": ",", "；": ";", "（": "(", "）": ")", "。": ". "})
_WITHOUT_SPACES = UNSPACED.pattern.removeprefix("([").removesuffix("]+)")
_BETWEEN_SCRIPTS = re.compile(rf"(?<=[{_WITHOUT_SPACES}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[{_WITHOUT_SPACES}])")
_EDGES = "*`~'‘’\"!?:."
_NUMBER = re.compile(r"[~≈<>=≤≥±+]*-?[$€£]?(\d{1,3}(?:[,_]\d{3})+|\d+)(\.\d+)?([a-z%µ]{0,12})\+?")
_COUNTED = re.compile(r"(\d+|[^\W\d_]+)-([^\W\d_]+)")
_VERSION = re.compile(r"\d+[-–]\d+|v?\d+(?:\.\d+){2,}|v\d[\w.]*|\d{4}-\d\d-\d\d\S*|\d{1,2}:\d\d\S*", re.I)
_HEXADECIMAL = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f-]{7,36}", re.I)
_NAME = re.compile(
    r"--?[a-z][\w-]*|#\d+|[A-Z][A-Z0-9]+-\d+|.*(?:_|[a-z0-9][A-Z]|\(\)).*|.*\w\.[A-Za-z]\w*|.*[/\\].*[._-].*|[~.]?/.+|@.+/.+"
)
_ABBREVIATION = re.compile(r"(?:[a-z]\.)+[a-z]?\.?", re.I)
_LINE = re.compile(r":\d+(?:-\d+)?$|#L\d+(?:-L?\d+)?$")
_ROOT = re.compile(r"\$\{?PROJECT_ROOT\}?/+")
NOT = "¬"
_CHANGE = term_of("change")
_ENDS_CLAUSE = frozenset(",;()|…—–→")
_ENDS_OBJECT = frozenset("with by for favour favor in as on because since".split())
"""They end what was given up: "use A instead of B for the cache"."""


@value
class Number:
    amount: float
    measures: str
    """`time`, `size`, `share`, or empty for a bare number."""

    def is_same(self, other: Number) -> bool:
        if self.measures and other.measures and self.measures != other.measures:
            return False
        return abs(self.amount - other.amount) < 1e-9 * max(1.0, abs(self.amount))

    def is_among(self, others: Iterable[Number]) -> bool:
        return any(self.is_same(other) for other in others)


@value
class Wording:
    text: str
    terms: tuple[str, ...]
    """In their order, with repetitions; those of names are among them."""
    words: tuple[str, ...]
    """Without those of names."""
    sequence: tuple[str, ...]
    """The terms, and NOT for each word that negates."""
    numbers: tuple[Number, ...]
    beside: tuple[frozenset[str], ...]
    """For each number, the terms next to it."""
    names: tuple[str, ...]
    """Paths, identifiers, flags, versions, ids: what is written in one way only."""
    negated: frozenset[str]
    """Terms that the sentence states with a "not"."""
    rejected: frozenset[str]
    """Terms that it mentions as given up."""
    affirmed: frozenset[str]
    """Terms that it states plainly somewhere."""
    proper: frozenset[str]
    """Terms written with a capital letter inside the sentence, or in capitals."""
    raw: frozenset[str]
    """The chunks as they are written, in lower case."""


@value
class _Token:
    word: str
    """In lower case, without what surrounds it; a comma and the like for the end of a clause."""
    terms: tuple[str, ...] = ()
    ends_clause: bool = False
    is_proper: bool = False
    is_name: bool = False


def wording(text: str) -> Wording:
    reading = _Reading(text)
    clauses = list(_clauses(reading.tokens))
    negated, rejected, affirmed = set(), set(), set()
    for clause in clauses:
        said = _polarity(clause)
        negated |= said[0]
        rejected |= said[1]
        affirmed |= said[2]
    replaced = _instead(reading.text)
    rejected |= replaced
    return Wording(
        text=text,
        terms=tuple(term for token in reading.tokens for term in token.terms),
        sequence=tuple(each for token in reading.tokens for each in _in_sequence(token)),
        words=tuple(term for token in reading.tokens if not token.is_name for term in token.terms),
        numbers=tuple(reading.numbers),
        beside=tuple(map(reading.beside, reading.number_places)),
        names=tuple(dict.fromkeys(reading.names)),
        negated=frozenset(negated),
        rejected=frozenset(rejected),
        affirmed=frozenset(affirmed - replaced),
        proper=frozenset(term for token in reading.tokens if token.is_proper for term in token.terms),
        raw=frozenset(reading.raw),
    )


def _in_sequence(token: _Token) -> tuple[str, ...]:
    is_negation = _negates(token.word) or _negates_all(token.word) or token.word in ("instead", "rather")
    return (NOT, *token.terms) if is_negation else token.terms


class _Reading:
    """The tokens of a text, with its numbers and names."""

    def __init__(self, text: str) -> None:
        self.text = _plainly(text)
        self.tokens: list[_Token] = []
        self.numbers: list[Number] = []
        self.number_places: list[int] = []
        """How many tokens stand before each number."""
        self.names: list[str] = []
        self.raw: set[str] = set()
        chunks = _CHUNK.findall(self.text)[:MOST_WORDS]
        at = 0
        while at < len(chunks):
            at += self._take(chunks, at)

    def _take(self, chunks: Sequence[str], at: int) -> int:
        """Takes the chunk at this position; returns how many it took, since a unit may follow a number."""
        chunk = chunks[at]
        if chunk in _ENDS_CLAUSE:
            self.tokens.append(_Token(chunk, ends_clause=True))
            return 1
        plain = _without_emphasis(chunk)
        following = _without_emphasis(chunks[at + 1]).lower() if at + 1 < len(chunks) else ""
        number = _number(plain.lower(), following)
        if number:
            self._count(number[0])
            self._end_after(chunks[at + number[1] - 1])
            return number[1]
        counted = _COUNTED.fullmatch(plain)
        amount = _number(counted[1].lower(), counted[2].lower()) if counted else None
        if counted and amount:
            self._count(amount[0])
            if amount[1] == 1:
                self._word(counted[2], is_first=False)
        else:
            self._other(plain, is_first=at == 0 or chunks[at - 1][-1:] in ".:!?")
        self._end_after(chunk)
        return 1

    def _count(self, number: Number) -> None:
        self.numbers.append(number)
        self.number_places.append(len(self.tokens))

    def beside(self, place: int) -> frozenset[str]:
        before = next((token.terms for token in reversed(self.tokens[:place]) if token.terms), ())
        after = next((token.terms for token in self.tokens[place:] if token.terms), ())
        return frozenset((*before[-1:], *after[:1]))

    def _other(self, plain: str, *, is_first: bool) -> None:
        if _is_name(plain):
            name = name_of(plain)
            self.names.append(name)
            self.raw.add(name)
            self.tokens.append(_Token(plain.lower(), _terms(plain), is_name=True))
        elif plain:
            self._word(plain, is_first=is_first)

    def _word(self, plain: str, *, is_first: bool) -> None:
        word = plain.lower()
        self.raw.add(word)
        is_proper = len(plain) > 1 and (plain.isupper() or (plain[:1].isupper() and not is_first))
        self.tokens.append(_Token(word, _terms(plain), is_proper=is_proper))

    def _end_after(self, chunk: str) -> None:
        if chunk[-1:] in ".:!?" and not _ABBREVIATION.fullmatch(chunk):
            self.tokens.append(_Token(chunk[-1], ends_clause=True))


def _plainly(text: str) -> str:
    """With straight quotes and marks, a space between scripts ("30分" has a number), and "chose A over B" as "chose A
    instead of B"."""
    plain = _ROOT.sub("", text.translate(_WIDE_MARKS))
    return PREFERRED.sub(r"\1 instead of", _BETWEEN_SCRIPTS.sub(" ", plain))


def _without_emphasis(chunk: str) -> str:
    plain = chunk.strip(_EDGES)
    if chunk[:1] in "./" and len(chunk) > 1 and chunk[1:2] not in _EDGES:
        plain = chunk.rstrip(_EDGES)  # a hidden file or an absolute path
    if plain.startswith("_") and plain.endswith("_") and "_" not in plain.strip("_") and not plain.startswith("__"):
        plain = plain.strip("_")
    return plain


def _is_name(plain: str) -> bool:
    if len(plain) < 2 or _ABBREVIATION.fullmatch(plain):
        return False
    return bool(_VERSION.fullmatch(plain) or _HEXADECIMAL.fullmatch(plain) or _NAME.fullmatch(plain))


def name_of(plain: str) -> str:
    """A name as it is compared: without the line it points to, the project's root and the brackets of a call."""
    return _LINE.sub("", plain).removeprefix("./").removesuffix("()").rstrip("/").casefold()


def _number(plain: str, following: str) -> tuple[Number, int] | None:
    """The number that a chunk is, with the unit that follows it, and how many chunks that takes."""
    found = _NUMBER.fullmatch(plain)
    if found:
        amount = float(re.sub("[,_]", "", found[1]) + (found[2] or ""))
        if found[3] and found[3] not in UNITS:
            return (Number(amount, ""), 1) if found[3] in ("x", "st", "nd", "rd", "th") else None
        unit = found[3]
    elif plain in NUMBERS:
        amount, unit = float(NUMBERS[plain]), ""
    else:
        return None
    taken = 1
    if not unit and following in UNITS and len(following) > 1:
        unit, taken = following, 2
    measures, scale = UNITS.get(unit, ("", 1.0))
    return Number(amount * scale, measures), taken


@lru_cache(maxsize=16_384)
def _terms(plain: str) -> tuple[str, ...]:
    word = plain.lower()
    if word in LEFT_ALONE:
        return (_CHANGE,)
    if word in STOP or _negates(word) or word in NEGATES_CLAUSE:
        return ()
    found = (bare(term) for term in terms_of(plain.replace("'", "")) if term not in STOP)
    return tuple(SAME.get(term, term) for term in found)


# -- what is negated, what is rejected -------------------------------------------------------------------------------


def _clauses(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    clause: list[_Token] = []
    for token in tokens:
        if token.ends_clause or token.word in BREAKS:
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause


def _polarity(clause: Sequence[_Token]) -> tuple[set[str], set[str], set[str]]:
    """The terms of a clause that it negates, that it rejects, and that it states plainly somewhere."""
    negated, rejected = _negated(clause), _rejected(clause)
    plain = set(range(len(clause))) - negated - rejected
    return _terms_at(clause, negated), _terms_at(clause, rejected), _terms_at(clause, plain)


def _terms_at(clause: Sequence[_Token], places: Iterable[int]) -> set[str]:
    return {term for at in places for term in clause[at].terms}


def _negated(clause: Sequence[_Token]) -> set[int]:
    starts = [at for at, token in enumerate(clause) if _negates(token.word)]
    wide = [at for at, token in enumerate(clause) if _negates_all(token.word)]
    wide += [at for at in starts if at + 1 < len(clause) and clause[at + 1].word in ALLOWED]
    if wide:
        conditions = (at for at in starts if at > min(wide) and clause[at].word in WITHOUT)
        return set(range(next(conditions, len(clause))))
    if not starts:
        return set()
    end = starts[1] if len(starts) > 1 else len(clause)  # "never commit without tests" demands the tests
    return set(range(starts[0] + 1, end))


def _negates(word: str) -> bool:
    return word in NEGATES or word.endswith("n't")


def _negates_all(word: str) -> bool:
    return word in NEGATES_CLAUSE or bool(UNSPACED.search(word) and NEGATES_WIDE.search(word))


def _rejected(clause: Sequence[_Token]) -> set[int]:
    """After the word that rejects, or before it in the passive."""
    found: set[int] = set()
    for at, token in enumerate(clause):
        if token.word in REJECTS:
            is_passive = at > 0 and any(each.word in IS_PASSIVE for each in clause[max(0, at - 3) : at])
            if is_passive or at == len(clause) - 1:
                found.update(range(at))
            else:
                ends = (i for i in range(at + 1, len(clause)) if clause[i].word in _ENDS_OBJECT)
                found.update(range(at + 1, next(ends, len(clause))))
    return found


def _instead(text: str) -> set[str]:
    """The terms after "instead of", up to the end of the clause."""
    found: set[str] = set()
    for said in INSTEAD.finditer(text.lower()):
        rest = re.split(r"[,;.()—–]", text[said.end() : said.end() + 120], maxsplit=1)[0]
        words = takewhile(lambda word: word not in _ENDS_OBJECT, rest.split()[:5])
        found |= {term for word in words for term in _terms(_without_emphasis(word))}
    return found
