"""What a word can become: fields of known text, with holes where only the shape of the text is known.

A word has one or more alternatives. Each is a tuple of fields, since a word may become none or several. A hole stands
for unknown text of some shape, which matters because an integer or an absolute path cannot be an option.

    Field(("./", ANY)).prefix == "./"      may not be an option (SPEC 5.4)
    Field((ANY,), True, True)              `$x` without quotes: none, one or many words
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.gate.shell.syntax import Word

    Segment: TypeAlias = "str | Hole"
    Alternative: TypeAlias = tuple["Field", ...]

GLOB = frozenset("*?[")
MOST_ALTERNATIVES = 32
MOST_FIELDS = 256


@value
class Hole:
    """A part of a word of which only the shape is known. Every hole may also be empty, since a command may fail.

    integer      digits, perhaps signed          integers   one or more of them
    hash         hex digits                      hashes     one or more of them
    path         begins with `/`                 location   the same, and the person's own (`$PWD`)
    found        begins with the folder that find was given, so with no dash
    scratch      a new path in scratch           name       names of files that a glob found
    word         one word without blanks         output     anything, and it is what a command printed
    environment  anything, and it was there before the command
    process      what stands for a process substitution
    any          anything
    """

    shape: str


ANY, OUTPUT, ENVIRONMENT, WORD = (Hole(shape) for shape in ("any", "output", "environment", "word"))
INTEGER, HASH, PATH, LOCATION = (Hole(shape) for shape in ("integer", "hash", "path", "location"))
SCRATCH, FILES, INTEGERS, HASHES, PROCESS, FOUND = (
    Hole(shape) for shape in ("scratch", "name", "integers", "hashes", "process", "found")
)
SHAPES = {hole.shape: hole for hole in (INTEGER, HASH, PATH, SCRATCH, INTEGERS, HASHES, WORD)}
ONE_WORD = frozenset((INTEGER, HASH, LOCATION, SCRATCH, WORD))
"""Holes that are at most one word, even without quotes."""
ANYTHING = (ANY, OUTPUT, ENVIRONMENT, WORD)
"""Holes that may begin with a dash."""
SPLIT_OFF = (ANY, OUTPUT, PATH, FOUND)
"""Holes that may add words when they are part of a longer word without quotes. ENVIRONMENT is not here: the person set
those values, not the agent."""
EACH = {INTEGERS: INTEGER, HASHES: HASH}
"""A hole for several → the hole for one of them."""


@value
class Field:
    segments: tuple[Segment, ...]
    splits: bool = False
    """May become several words."""
    vanishes: bool = False
    """May become no word at all."""

    @property
    def text(self) -> str | None:
        """The whole text; None where a part of it is unknown."""
        if len(self.segments) == 1 and isinstance(self.segments[0], str):
            return self.segments[0]
        if all(isinstance(segment, str) for segment in self.segments):
            return "".join(segment for segment in self.segments if isinstance(segment, str))
        return None

    @property
    def prefix(self) -> str:
        """The known text at its start."""
        known = []
        for segment in self.segments:
            if not isinstance(segment, str):
                break
            known.append(segment)
        return "".join(known)

    @property
    def first_hole(self) -> Hole | None:
        return next((segment for segment in self.segments if isinstance(segment, Hole)), None)

    @property
    def begins_with_glob(self) -> bool:
        return not self.prefix and self.first_hole == FILES

    @property
    def may_be_option(self) -> bool:
        """Whether it may begin with a dash. A hole may be empty, so what follows it counts too. For a leading glob this
        says no: the caller asks the folder for names that begin with a dash."""
        for segment in self.segments:
            if isinstance(segment, str):
                if segment:
                    return segment.startswith("-")
            elif segment in ANYTHING:
                return True
            elif segment == FILES:
                return False
        return False

    def shown(self) -> str:
        return "".join(segment if isinstance(segment, str) else "…" for segment in self.segments)


UNKNOWN = Field((ANY,), splits=True, vanishes=True)


def known(text: str) -> Field:
    return Field((text,))


def has_glob(text: str) -> bool:
    if "[" in text and "]" not in text[text.index("[") :]:
        return "*" in text or "?" in text
    return not GLOB.isdisjoint(text)


def before_glob(text: str) -> str:
    return text[: min(text.index(character) for character in GLOB if character in text)]


def may_brace(word: Word) -> bool:
    """Whether braces in this word's unquoted text may expand."""
    bare = "".join(part.text if isinstance(part, s.Text) and not part.quoted else "\0" for part in word)
    opening = bare.find("{")
    return opening >= 0 and "}" in bare[opening:] and ("," in bare[opening:] or ".." in bare[opening:])


def braces(word: Word) -> list[Word] | None:
    """The words that brace expansion makes of a word of plain text; None for other words, and for too many of them."""
    cells = [(character, part.quoted) for part in word if isinstance(part, s.Text) for character in part.text]
    if len(cells) > 2000 or not all(isinstance(part, s.Text) for part in word):
        return None
    found = _brace(cells)
    return None if found is None else [_as_word(item) for item in found]


def _as_word(cells: list[tuple[str, bool]]) -> Word:
    parts: list[s.Text] = []
    for character, quoted in cells:
        if parts and parts[-1].quoted == quoted:
            parts[-1] = s.Text(parts[-1].text + character, quoted)
        else:
            parts.append(s.Text(character, quoted))
    return tuple(parts)


def _brace(cells: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]] | None:
    """Expand the braces from left to right, with those inside them. Each character comes with whether it is quoted."""
    done: list[list[tuple[str, bool]]] = [[]]
    at = 0
    while at < len(cells):
        span = _span(cells, at) if cells[at] == ("{", False) else None
        if span is None:
            for item in done:
                item.append(cells[at])
            at += 1
            continue
        choices = _choices(cells[at + 1 : span])
        if choices is None or len(choices) * len(done) > MOST_FIELDS:
            return None
        done = [item + choice for item in done for choice in choices]
        at = span + 1
    return done


def _span(cells: list[tuple[str, bool]], at: int) -> int | None:
    """Where the brace at `at` closes; None where it does not expand, having neither a comma of its own nor `..`."""
    depth, comma = 0, False
    for place in range(at, len(cells)):
        cell = cells[place]
        if cell == ("{", False):
            depth += 1
        elif cell == ("}", False):
            depth -= 1
            if depth == 0:
                inside = "".join(character for character, _ in cells[at + 1 : place])
                return place if comma or ".." in inside else None
        elif cell == (",", False) and depth == 1:
            comma = True
    return None


def _choices(cells: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]] | None:
    """What a brace expands to, from what is inside it: `a,b` or `1..3`; None where that is not known."""
    pieces: list[list[tuple[str, bool]]] = [[]]
    depth = 0
    for cell in cells:
        if cell == ("{", False):
            depth += 1
        elif cell == ("}", False):
            depth -= 1
        if cell == (",", False) and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(cell)
    if len(pieces) == 1:
        return _range("".join(character for character, _ in cells))
    found: list[list[tuple[str, bool]]] = []
    for piece in pieces:
        inner = _brace(piece)
        if inner is None:
            return None
        found += inner
    return found


def _range(text: str) -> list[list[tuple[str, bool]]] | None:
    """Every value of `1..5` or `a..e`, in order; None for a step, for `01..10`, which fills up with zeros, and for
    anything else."""
    first, _, last = text.partition("..")
    if not text.isascii():
        return None
    if _is_short_number(first) and _is_short_number(last):
        low, high = int(first), int(last)
        if abs(high - low) > MOST_FIELDS:
            return None
        return [[(digit, True) for digit in str(number)] for number in _from_to(low, high)]
    if len(first) == len(last) == 1 and (first + last).isalpha() and first.isupper() == last.isupper():
        return [[(chr(number), True)] for number in _from_to(ord(first), ord(last))]
    return None


def _from_to(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _is_short_number(text: str) -> bool:
    return len(text) < 8 and text.removeprefix("-").isdigit() and str(int(text)) == text
