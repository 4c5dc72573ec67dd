"""Does a stated value contradict the ledger's? A text states values loosely: with a unit, a reason, in part, in other
case. Only what cannot be meant as the same is a contradiction."""

from __future__ import annotations

import re

from perdure.forks.vocabulary import NEGATED_BEFORE, NO, NO_VALUE, NO_VALUE_ALONE, YES
from perdure.model.decided_keys import plain_value
from perdure.model.value import value

_QUOTED = re.compile(r"[\s*]*(?:`([^`]+)`|\"([^\"]+)\"|'([^']+)'|“([^”]+)”|«\s*([^»]+?)\s*»|「([^」]+)」)")
_END = re.compile(
    r",(?=\s|\Z)|[，、]|\s[(\[（]|（|\s[—–#|-]\s|\s//|"
    r"\s(?:because|since|so that|for|as|but|and|which|weil|car|porque)\s"
)
_EDGES = " \t*_`\"'.。,:|“”«»「」)]}"
_WORDS = re.compile(r"[^\s,;()]+")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_LONGEST = 200


@value
class Stated:
    """What follows a key in a text, and how sure it is that it is a value."""

    text: str
    """Up to the end of the clause."""
    is_plain: bool
    """It stands after `:` or `=`, in a cell or in JSON, so that a few words are a value too."""

    @property
    def quoted(self) -> str:
        found = _QUOTED.match(self.text)
        return next((each for each in found.groups() if each), "") if found else ""

    @property
    def value(self) -> str:
        return self.quoted or _END.split(self.text.strip(), maxsplit=1)[0].strip(_EDGES)[:_LONGEST]


def contradicts(stated: Stated, ledger: str, others: tuple[str, ...]) -> bool:
    given = stated.value
    is_value = bool(given) and not given.startswith(("{", "["))
    if not is_value or is_same(given, ledger) or _is_named(stated.text, ledger):
        return False
    if any(_begins_with(given, other) for other in others):
        return True
    if not stated.quoted and not _is_switch(given) and _tells_no_value(given):
        return False
    return _is_of_its_kind(stated, ledger)


def _is_of_its_kind(stated: Stated, ledger: str) -> bool:
    """Whether it can be a value of this key: a number if the ledger's is one, a switch if that is one, else a few
    words."""
    given = stated.value
    if _is_switch(ledger):
        return _is_switch(given)
    if _NUMBER.fullmatch(ledger.strip()):
        return bool(_NUMBER.match(given))
    most = max(3, len(_WORDS.findall(ledger)) + 1)
    return bool(stated.quoted) or (stated.is_plain and len(_WORDS.findall(given)) <= most)


def _tells_no_value(given: str) -> bool:
    words = _WORDS.findall(given.casefold())
    return not words or words[0] in NO_VALUE or (len(words) == 1 and words[0] in NO_VALUE_ALONE)


def is_same(given: str, ledger: str) -> bool:
    """Whether the two say the same, or one says less of the same."""
    if _plain(given) == _plain(ledger):
        return True
    if _is_switch(given) and _is_switch(ledger):
        return (given.casefold() in YES) == (ledger.strip().casefold() in YES)
    number = _NUMBER.match(given)
    if number and _NUMBER.fullmatch(ledger.strip()):
        return _plain(number[0]) == _plain(ledger)
    return _begins_with(given, ledger) or _begins_with(ledger, given)


def _plain(text: str) -> str:
    return plain_value(text).casefold()


def _is_switch(text: str) -> bool:
    return text.strip().casefold() in YES | NO


def _begins_with(text: str, start: str) -> bool:
    words, first = _WORDS.findall(text.casefold()), _WORDS.findall(start.casefold())
    return bool(first) and words[: len(first)] == first


def _is_named(text: str, ledger: str) -> bool:
    """Whether the ledger's value stands in the text, and not as what it is not."""
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
