"""Does a stated value contradict the ledger's? A text states values loosely: with a unit, a reason, in part, in other
case. Only what cannot be meant as the same is a contradiction."""

from __future__ import annotations

import re
from unicodedata import normalize

from perdure.forks.quantities import in_digits, same_quantity
from perdure.forks.vocabulary import (
    DONE_TO_IT,
    NEGATED_BEFORE,
    NEGATORS,
    NO,
    NO_VALUE,
    NO_VALUE_ALONE,
    NONE,
    NOT_COUNTED,
    OBJECT,
    SUFFIXES,
    WORK,
    WORK_LEFT,
    YES,
)
from perdure.model.decided_keys import plain_value
from perdure.model.value import value

_QUOTED = re.compile(r"[\s*]*(?:`([^`]+)`|\"([^\"]+)\"|'([^']+)'|“([^”]+)”|«\s*([^»]+?)\s*»|「([^」]+)」)")
_END = re.compile(
    r",(?=\s|\Z)|[，、]|\s[(\[（]|（|\s[—–#|-]\s|\s//|"
    r"\s(?:because|since|so that|for|as|but|and|which|with|via|using|on|in\s+(?:all|every|each|any|both)|weil|car|"
    r"porque|[a-z]+ed\s(?:by|in|with|on|from|at|per|through))\s|\sby\s+default\b"
)
_EDGES = " \t*_`\"'.。,:|“”«»「」)]}"
_WORDS = re.compile(r"[^\s,;()]+")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_CHOSEN = re.compile(r"we\s+(?:went\s+with|(?:switched|moved|migrated)\s+to|use|chose|picked)\s+", re.I)
"""How a text begins before it names the value."""
_NOT = re.compile(r"not\s+", re.I)
_SOURCE = re.compile(
    r".*\w\(|[\w./-]+\.(?:py|js|jsx|ts|tsx|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|md|sql|sh|toml|ya?ml|json)\b", re.I
)
"""A call, or the name of a source file."""
_NAME = re.compile(r"(?=.{4})[A-Za-z][\w-]*(?:(?<=[a-z])[A-Z]|(?<=[A-Z]{2})[a-z])[\w-]*\Z")
"""A word that is written like no other: MySQL, PostgreSQL, DynamoDB."""
_PROPER_NAME = re.compile(r"[A-Z][a-z]{2}[\w-]*(?:\.\w+)?(?:\s(?:&\s)?[A-Z][\w.-]*|\s\d[\w.]*){0,2}\Z")
"""Words with capitals, which inside an English sentence are a name: Kafka, Node.js, Google Cloud, Godot 4."""
_IDENTIFIER = re.compile(r"(?=[A-Za-z])(?=[^\d]*\d)[\w.+:/-]+\Z")
"""A word with a digit in it: us-east-1, sha256, UUIDv7."""
_CAPITALS = re.compile(r"[A-Z][A-Z\d-]+\Z")
_SEPARATORS = re.compile(r"(?<=[^\W_])[\s_-]+(?=[^\W_])")
_BETWEEN_LETTERS = re.compile(r"[\s'’_-]+")
_DIGITS = re.compile(r"\d+")
_LONGEST = 200


@value
class Stated:
    """What follows a key in a text, and how sure it is that it is a value."""

    text: str
    """Up to the end of the clause."""
    is_plain: bool
    """It stands after `:` or `=`, in a cell or in JSON, so that a few words are a value too."""
    nouns_have_capitals: bool = False
    """As in German, where a capital makes no name."""

    @property
    def quoted(self) -> str:
        found = _QUOTED.match(self.text)
        return next((each for each in found.groups() if each), "") if found else ""

    @property
    def value(self) -> str:
        text = _CHOSEN.sub("", self.text.strip(), count=1) if _CHOSEN.match(self.text.strip()) else self.text.strip()
        return self.quoted or _END.split(text, maxsplit=1)[0].strip(_EDGES)[:_LONGEST]


def contradicts(stated: Stated, ledger: str, others: tuple[str, ...]) -> bool:
    given = stated.value
    if not stated.is_plain and _NOT.match(stated.text):
        return _plain(Stated(_NOT.sub("", stated.text, count=1), is_plain=False).value) == _plain(ledger)
    if not _can_be_value(given, ledger) or is_same(given, ledger) or _is_named(stated.text, ledger):
        return False
    if any(_begins_with(given, other) and not _is_done(given, other) for other in others):
        return True
    if not stated.quoted and not _is_switch(given) and _tells_no_value(given):
        return False
    return _is_of_its_kind(stated, ledger)


def _can_be_value(given: str, ledger: str) -> bool:
    """Whether it has words or digits, and is not code where the ledger has none."""
    is_code = given.startswith(("{", "[")) or (_SOURCE.match(given) and not _SOURCE.match(ledger))
    return not is_code and any(each.isalnum() for each in given)


def _is_of_its_kind(stated: Stated, ledger: str) -> bool:
    """Whether it can be a value of this key: a number if the ledger's is one, a switch if that is one, else a few
    words."""
    given = stated.value
    if _is_switch(ledger):
        return _is_switch(given)
    if _is_number(ledger):
        number = _NUMBER.match(in_digits(given))
        return bool(number) and not _counts_something_else(in_digits(given)[number.end() :] if number else "")
    if stated.quoted or _is_name(stated, ledger) or same_quantity(given, ledger) is False:
        return True
    if _has_digits_alike(given, ledger):
        return True
    most = max(3, len(_WORDS.findall(ledger)) + 1)
    return stated.is_plain and len(_WORDS.findall(given)) <= most


def _is_name(stated: Stated, ledger: str) -> bool:
    """Whether it is one word that is written as no ordinary word is."""
    given = stated.value
    if _CAPITALS.match(given):
        return _CAPITALS.match(ledger.strip()) is not None
    if _PROPER_NAME.match(given) and not stated.nouns_have_capitals:
        return True
    return bool(_NAME.match(given) or _IDENTIFIER.match(given))


def _has_digits_alike(given: str, ledger: str) -> bool:
    """Whether both begin with digits and signs in the same places: 22:00 and 23:00, 2025-10-01 and 2026-01-01."""
    one, other = (_DIGITS.sub("0", text.strip().split(" ", 1)[0]) for text in (given, ledger))
    return one == other and one[:1] == "0" and len(one) > 1


def _is_done(given: str, verb: str) -> bool:
    """Whether it is a verb with its object, and no value that has the verb's name."""
    following = _WORDS.findall(given.casefold())[len(_WORDS.findall(verb)) :]
    return bool(following) and following[0] in OBJECT


def _counts_something_else(after_number: str) -> bool:
    return (_WORDS.findall(after_number.casefold()) or [""])[0] in NOT_COUNTED


def _tells_no_value(given: str) -> bool:
    words = _WORDS.findall(given.casefold())
    if len(words) < 2:
        return not words or words[0] in NO_VALUE | NO_VALUE_ALONE
    return words[0] in NO_VALUE | WORK or words[-1] in WORK_LEFT or bool(DONE_TO_IT.match(given))


def is_same(given: str, ledger: str) -> bool:
    """Whether the two say the same, or one says less of the same."""
    if _is_same_text(given, ledger):
        return True
    if _is_switch(given) and _is_switch(ledger):
        return (given.casefold() in YES) == (ledger.strip().casefold() in YES)
    if ledger.strip().casefold() in NONE:
        return given.casefold().split()[:1] == [] or given.casefold().split()[0] in NONE
    if _NUMBER.match(given) and _is_number(ledger):
        return _begins_with_number(given, ledger) or _begins_with_number(in_digits(given), ledger)
    same = same_quantity(given, ledger)
    if same is not None:
        return same
    return _begins_with(given, ledger) or _begins_with(ledger, given) or _is_part(given, ledger)


def _is_same_text(given: str, ledger: str) -> bool:
    """A value that ends with a separator is the beginning of values: `INV-` and INV-2025."""
    start = ledger.strip().casefold()
    is_beginning = start.endswith(("-", "_", "/", ":", ".")) and given.casefold().startswith(start)
    return is_beginning or _plain(given) == _plain(ledger) or _is_spelled_alike(given, ledger)


def _is_spelled_alike(given: str, ledger: str) -> bool:
    """Apart from spaces, hyphens and apostrophes: Let's Encrypt, letsencrypt."""
    one, other = (_BETWEEN_LETTERS.sub("", _plain(text)) for text in (given, ledger))
    return one == other and not any(map(str.isdigit, one))


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(in_digits(text.strip())) is not None


def _begins_with_number(given: str, ledger: str) -> bool:
    """`80,443` may be one number or two, so the caller asks twice."""
    number = _NUMBER.match(given)
    return number is not None and _plain(number[0]) == _plain(in_digits(ledger))


def _is_part(given: str, ledger: str) -> bool:
    """Whether its words are among the ledger's, in any order."""
    words, all_words = set(_WORDS.findall(given.casefold())), set(_WORDS.findall(ledger.casefold()))
    return bool(words) and words <= all_words and not (all_words - words) & NEGATORS


def _plain(text: str) -> str:
    """Texts write a name with spaces or hyphens as they like: Apache-2.0, Apache 2.0."""
    return _SEPARATORS.sub(" ", normalize("NFKC", plain_value(text)).casefold())


def _is_switch(text: str) -> bool:
    return text.strip().casefold() in YES | NO


def _begins_with(text: str, start: str) -> bool:
    words, first = _WORDS.findall(_plain(text)), _WORDS.findall(_plain(start))
    return bool(first) and len(words) >= len(first) and all(map(_is_same_word, words, first))


def _is_same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 2 and any(long == short + suffix for suffix in SUFFIXES))


def _is_named(text: str, ledger: str) -> bool:
    """Whether the text has the ledger's value, and does not deny it."""
    sought = ledger.strip().casefold()
    folded = text.casefold()
    at = folded.find(sought) if sought else -1
    while at >= 0:
        end = at + len(sought)
        is_whole = not (folded[at - 1 : at].isalnum() and sought[0].isalnum()) and not folded[end : end + 1].isalnum()
        if is_whole and not NEGATED_BEFORE.search(folded[:at]):
            return True
        at = folded.find(sought, at + 1)
    return False
