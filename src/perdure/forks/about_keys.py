"""Finds what a text states about keys of decisions: `key: value`, `key = value`, "key is value", "use value for key",
cells of tables, JSON."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from perdure.forks.known import KEY, Contradiction
from perdure.forks.lines import objects_in
from perdure.forks.stated_values import Stated, contradicts
from perdure.forks.vocabulary import (
    ATTRIBUTES,
    CASE_BEFORE,
    NEGATION,
    NO_SUBJECT,
    NOT_STATED,
    OTHER_COLUMNS,
    TELLS_ABOUT,
    TURNED,
    VALUE_COLUMNS,
)
from perdure.model.decided_keys import same_key
from perdure.model.json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perdure.forks.known import KnownKey
    from perdure.forks.lines import Line
    from perdure.model.json import Json

_WORD = re.compile(r"[^\W_]+")
_BEFORE = re.compile(r"[\w./\\@#$-]")
_AFTER = re.compile(r"[\w/\\-]|\.\w|\(")
_CLOSES = r"[\s*_`\"'”»)\]]*"
_NOUN = (
    r"(?:\s+(?:flag|setting|option|value|parameter|framework|library|engine|backend|provider|tool|algorithm|"
    r"implementation)(?!\w))?"
)
_SIGN = re.compile(rf"{_NOUN}{_CLOSES}(?::=|==?>?|[-–]>|[→⇒：＝]|:(?!/)){_CLOSES}")
_IS = re.compile(
    rf"{_NOUN}{_CLOSES}(?:is|are|stays|remains|ist|bleibt|est|es|是|为|=)(?:\s+(?:set\s+to|now|still|fixed\s+at|auf|to))*\s+",
    re.I,
)
_GERMAN = re.compile(r"\b(?:ist|bleibt)\b", re.I)
_KEPT_AT = re.compile(
    rf"{_NOUN}{_CLOSES}(?:(?:is|are|was|were)\s+)?(?:now\s+|still\s+)?"
    r"(?:(?:stays?|remains?|stayed|remained|kept|fixed|pinned|capped|limited|set)\s+(?:at|to)|(?:must|shall|has\s+to)\s+be\s+(?=[`\"'\d]))\s*",
    re.I,
)
"""What follows can only be a value."""
_DASH = re.compile(rf"{_CLOSES}(?<=[\s*_`])[—–]\s+")
_STARTS_ITEM = re.compile(r"\W*\Z")
_SET_TO = re.compile(rf"{_CLOSES}(?:set|fixed|moved|{TURNED})\s+to\s+", re.I)
_TO = re.compile(
    r"[*_`\"'”»)\]]*\s+to\s+(?:use\s+)?(?!(?:avoid|make|support|allow|reduce|get|keep|match|be|prevent|handle|test|see|have|"
    r"help|save|fit|fix|let|improve|speed|satisfy|simplify|ensure|enable|meet|pass|comply|stop|find|check)\b)",
    re.I,
)
"""Not what a change is good for: "switched the provider to avoid bounces"."""
_SET = re.compile(rf"\b(?:set|sets|change|switch|{TURNED})\s+(?:the\s+|our\s+)?[*_`\"']*\Z", re.I)
_CHOSE = r"(?:chose|picked|selected|adopted|opted\s+for|(?:settled|decided|standardi[sz]ed)\s+on|went\s+with)"
_USE_FOR = re.compile(
    rf"\b(?:use|uses|using|choose|pick|select|took|take|prefer|set|{_CHOSE})\s+"
    r"(?P<value>`[^`]+`|\"[^\"]+\"|'[^']+'|[^\s,;]+(?:\s+[^\s,;]+){0,2})\s+(?:for|as)\s+(?:the\s+|our\s+)?[*_`\"']*\Z",
    re.I,
)
_FOR = re.compile(r"\bfor\s+(?:the\s+|our\s+)?[*_`\"']*\Z", re.I)
_WE_CHOSE = re.compile(rf"{_CLOSES},?\s+we(?:['’]ve)?\s+(?:have\s+|now\s+)?{_CHOSE}\s+", re.I)
_USES = re.compile(rf"{_CLOSES}uses\s+", re.I)
_ACTIVITY = re.compile(r"\w{3}ing\Z")
"""What a key is called that uses its value. A thing, such as a database, also uses other things."""
_OF = re.compile(rf"{_CLOSES}of\s+(?=[`\"']?\d)")
_HAS = re.compile(
    r"\b(?:use|uses|using|has|have|enforces?|apply|applies|keeps?|chose|set|sets)\s+(?:an?\s+|the\s+)?[*_`\"']*\Z", re.I
)
_IT_IS = re.compile(
    r"\A\W*(?P<value>`[^`]+`|[\w.+/&-]+(?:\s[\w.+/&-]+){0,2})\s+(?:is|remains|stays)\s+(?:now\s+|still\s+)?"
    r"(?:the|our)\s+[*_`\"']*\Z",
    re.I,
)
""""MySQL is our database"."""
_NOT = re.compile(r"\s*not\s", re.I)
_SMALL = re.compile(r"[a-z][\w.+-]*\Z")
_AS = re.compile(r"(?<![\w.-])(?P<value>[A-Z][\w.+/-]+)\s+as\s+(?:the|our)\s+[*_`\"']*\Z")
_ENDS_USE = re.compile(
    rf"{_CLOSES}(?:\Z|[.,;:!—–-]|(?:because|since|so|and|but|with|in|on|at|which|instead|now|everywhere)\b)", re.I
)
"""What may follow "use value for key"; with another word, it is used for something of the key."""
_IN_CALL = re.compile(r"\w\([^()]*\Z")
_BEFORE_COMMAND = re.compile(r"=[^\s`]+\s+[^\s`]")
_QUOTE = 200
NEAR = 400
"""Characters around a key in which its value may stand."""
MOST_NAMED = 20
"""Keys of one clause that are looked at."""


class Keys:
    """The known keys, found by their first word."""

    def __init__(self, keys: Iterable[KnownKey]) -> None:
        self._by_name = {same_key(each.key): each for each in keys}
        loose = Counter(_without_dots(each) for each in self._by_name)
        alone = {name for name in self._by_name if loose[_without_dots(name)] == 1}
        self._by_loose_name = {_without_dots(name): self._by_name[name] for name in alone}
        self._by_word: dict[str, list[tuple[re.Pattern[str], KnownKey]]] = {}
        for name, each in self._by_name.items():
            first = _WORD.search(each.key.casefold())
            if first:
                pattern = _pattern(each.key, r"[\s_.-]+" if name in alone else r"[\s_-]+")
                self._by_word.setdefault(first[0], []).append((pattern, each))

    def in_line(self, line: Line) -> Iterator[Contradiction]:
        for name, stated in self._cells(line):
            yield from _compared(name, stated, number=line.number, quote=line.text)
        if line.cells:
            return
        for clause in line.clauses:
            for key, start, end in islice(self._named(clause), MOST_NAMED):
                stated_here = _stated(clause, start, end, key=key.key)
                if stated_here:
                    yield from _compared(key, stated_here, number=line.number, quote=line.text)

    def in_json(self, number: int, content: Json) -> Iterator[Contradiction]:
        for path, each in objects_in(content):
            pairs = [(name if not path else f"{path}.{name}", part) for name, part in each.items()]
            pairs += list(each.items()) if path else []
            if isinstance(each.get("key"), str) and "value" in each:
                pairs.append((str(each["key"]), each["value"]))
            for name, part in pairs:
                key = self._find(name)
                if key and not isinstance(part, dict | list) and part is not None:
                    text = part if isinstance(part, str) else compact(part)
                    yield from _compared(key, Stated(text, is_plain=True), number=number, quote=f"{name}: {text}")

    def _find(self, name: str) -> KnownKey | None:
        plain = same_key(name)
        return self._by_name.get(plain) or self._by_loose_name.get(_without_dots(plain))

    def _cells(self, line: Line) -> Iterator[tuple[KnownKey, Stated]]:
        cells = line.cells
        key = self._find(cells[0]) if len(cells) > 1 else None
        column = _value_column(line.titles)
        if key and 0 < column < len(cells):
            yield key, Stated(cells[column], is_plain=True)

    def _named(self, clause: str) -> Iterator[tuple[KnownKey, int, int]]:
        for word in _WORD.finditer(clause):
            for pattern, key in self._by_word.get(word[0].casefold(), ()):
                found = pattern.match(clause, word.start())
                if found is None or _AFTER.match(clause, found.end()):
                    continue
                if not found.start() or not _BEFORE.match(clause, found.start() - 1):
                    yield key, found.start(), found.end()


def _compared(key: KnownKey, stated: Stated, *, number: int, quote: str) -> Iterator[Contradiction]:
    if same_key(stated.value) == same_key(key.key):  # `journal: Journal` names a type
        return
    if contradicts(stated, key.value, key.other_values):
        yield Contradiction(
            about=KEY,
            subject=key.key,
            field=key.key,
            stated=stated.value,
            ledger=key.value,
            decision_id=key.decision_id,
            line=number,
            quote=quote.strip()[:_QUOTE],
        )


def _without_dots(name: str) -> str:
    return name.replace(".", "_")


def _value_column(titles: tuple[str, ...]) -> int:
    """The column of a table that has the values; 0 if none has."""
    names = [title.casefold() for title in titles]
    found = next((at for at, name in enumerate(names) if at and name in VALUE_COLUMNS), None)
    if found is not None:
        return found
    return 0 if names[1:2] and names[1] in OTHER_COLUMNS else 1


def _pattern(key: str, between: str) -> re.Pattern[str]:
    """The key as texts write it: words may be separated by spaces, `_`, `-`, or a dot."""
    parts = re.split(f"({between})", key.strip())
    return re.compile("".join(between if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.I)


def _stated(clause: str, start: int, end: int, *, key: str) -> Stated | None:
    """What a clause states about the key that stands there; None if it forbids something, is code, or tells of a
    case or of what others say."""
    before, rest = clause[max(0, start - NEAR) : start], clause[end : end + NEAR]
    is_in_code = clause.count("`", 0, start) % 2 == 1
    if is_in_code and _BEFORE_COMMAND.match(rest):
        return None
    if NEGATION.search(before) or CASE_BEFORE.match(before) or _IN_CALL.search(before):
        return None
    found = _after(rest, key) or _behind_dash(before, rest) or _around(before, rest) or _in_front(before, rest)
    return None if found and NOT_STATED.search(clause) else found


def _after(rest: str, key: str) -> Stated | None:
    sign = _SIGN.match(rest)
    if sign:
        has_quote = sign[0].endswith(("`", '"', "'"))
        return Stated(rest[sign.end() - has_quote :], is_plain=True)
    kept = _KEPT_AT.match(rest)
    if kept:
        return Stated(rest[kept.end() :], is_plain=True)
    uses = _USES.match(rest) if _ACTIVITY.search(key) else None
    verb = _IS.match(rest) or _SET_TO.match(rest) or uses
    if verb is None:
        return None
    text = rest[verb.end() :]
    is_german = bool(_GERMAN.search(verb[0]))
    is_plain = _is_attribute(key) and not is_german and _says_what_it_is(text)
    return Stated(text, is_plain=is_plain, nouns_have_capitals=is_german)


def _says_what_it_is(text: str) -> bool:
    """Whether it is a noun, and does not say what something is like: "YAML", not "backwards compatible"."""
    words = Stated(text, is_plain=False).value.split()
    return not _NOT.match(text) and not any(TELLS_ABOUT.match(word) for word in (*words[:1], *words[-1:]))


def _is_attribute(key: str) -> bool:
    words = _WORD.findall(key.casefold().replace("_", " "))
    return len(words) > 1 and words[-1] in ATTRIBUTES


def _behind_dash(before: str, rest: str) -> Stated | None:
    """The key begins the item and a long dash follows; a sentence may follow it as well as a value."""
    dash = _DASH.match(rest) if _STARTS_ITEM.match(before) else None
    return Stated(rest[dash.end() :], is_plain=False) if dash else None


def _around(before: str, rest: str) -> Stated | None:
    """ "Use value for key", "set key to value", "for key we chose value" and "we use a key of 20"."""
    used = _USE_FOR.search(before)
    if used and _ENDS_USE.match(rest):
        return Stated(used["value"], is_plain=True)
    forms = ((_SET, _TO), (_FOR, _WE_CHOSE), (_HAS, _OF))
    found = (behind.match(rest) for ahead, behind in forms if ahead.search(before))
    following = next(filter(None, found), None)
    return Stated(rest[following.end() :], is_plain=True) if following else None


def _in_front(before: str, rest: str) -> Stated | None:
    """ "Value is our key", "… value as the key". A sentence that begins with a small letter begins with a name."""
    found = _IT_IS.match(before) or _AS.search(before)
    if found is None or not _ENDS_USE.match(rest) or NO_SUBJECT.match(found["value"]):
        return None
    return Stated(found["value"], is_plain=bool(_SMALL.match(found["value"])))
