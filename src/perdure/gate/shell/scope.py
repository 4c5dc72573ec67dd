"""The variables of one command and what each can hold; from that, what each word can become.

Order is not followed: a variable can hold whatever any part of the command puts into it, so that no order of running
can surprise. What is not set in the command comes from the environment and may be anything, but for a few names whose
shape is known (`$HOME`, `$?`).

    scope = Scope(tree, printed=lambda body: ANY)
    scope.expand(word)   →   [(Field(("a.py",)),), (Field(("b.py",)),)]      for `$f` in `for f in a.py b.py`
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.parse import DECLARERS, NAME, NAME_START, literal
from perdure.gate.shell.words import (
    ANY,
    EACH,
    ENVIRONMENT,
    FILES,
    INTEGER,
    MOST_ALTERNATIVES,
    MOST_FIELDS,
    ONE_WORD,
    PATH,
    UNKNOWN,
    Field,
    Hole,
    before_glob,
    braces,
    has_glob,
    may_brace,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from perdure.gate.shell.syntax import Command, Part, Word
    from perdure.gate.shell.words import Alternative, Segment

    Node: TypeAlias = "Command | s.List | s.Pipeline | s.Step"
    Value: TypeAlias = tuple[Segment, ...]

SETTERS = DECLARERS | frozenset("read mapfile readarray getopts printf let unset vared".split())
SHAPED = {
    **dict.fromkeys(("HOME", "PWD", "OLDPWD"), PATH),
    **dict.fromkeys(("?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID"), INTEGER),
    **dict.fromkeys(("EPOCHSECONDS", "SHLVL", "COLUMNS", "LINES"), INTEGER),
}
DEFAULTS = frozenset((":-", "-", ":=", "=", ":+", "+"))
IFS = " \t\n"
NUMBERS = (INTEGER, Hole("integers"))
MOST_PARTS = 100
MOST_TEXT = 1 << 17
"""A value longer than a command may be is not followed."""


class Scope:
    def __init__(self, tree: s.List, printed: Callable[[s.List], Hole], environment: dict[str, str]) -> None:
        self._printed = printed
        self._environment = environment
        self._sources: dict[str, list[Word | Hole]] = {}
        self._arrays: dict[str, list[tuple[Word, ...]]] = {}
        self._odd_arrays: set[str] = set()
        self._loops: set[str] = set()
        self.associative: set[str] = set()
        self._values: dict[str, list[Value]] = {}
        self._open: set[str] = set()
        for node in commands_of(tree):
            self._collect(node)
        self._collect_parameters(tree)

    # ---- what the command sets

    def _collect(self, node: Node) -> None:
        if isinstance(node, s.Simple):
            for assignment in (*node.assignments, *node.declared):
                self._assign(assignment)
            self._collect_setters(node)
        elif isinstance(node, s.For):
            self._loops.add(node.name)
            for word in node.words if node.words is not None else ((s.Var("@"),),):
                self._source(node.name, word)
        for word in words_of(node):
            for part in parts_of(word):
                self._collect_part(part)
        for expression in arithmetic_of(node):
            self._calculated(expression)

    def _collect_parameters(self, tree: s.List) -> None:
        """`$1` and its like within functions are what the functions are called with, where nothing else sets them."""
        nodes = list(commands_of(tree))
        names = {node.name for node in nodes if isinstance(node, s.Function)}
        if not names or any(_moves_parameters(node) for node in nodes) or _uses_parameters(tree):
            return
        for node in nodes:
            if isinstance(node, s.Simple) and node.words and literal(node.words[0]) in names:
                for place, word in enumerate(node.words[1:10]):
                    self._source(str(place + 1), word if _is_one_word(word) else ANY)

    def _collect_part(self, part: Part) -> None:
        if isinstance(part, s.Var) and part.operator in (":=", "="):
            self._source(part.name, part.operand)
        if isinstance(part, s.Var):
            for offset in part.offsets:
                self._calculated(offset)
        if isinstance(part, s.Arithmetic):
            self._calculated(part)

    def _calculated(self, expression: s.Arithmetic) -> None:
        for name in expression.assigned:
            self._source(name, INTEGER)
        for _, inner in expression.subscripts:
            self._calculated(inner)

    def _source(self, name: str, source: Word | Hole) -> None:
        self._sources.setdefault(name, []).append(source)

    def _assign(self, assignment: s.Assignment) -> None:
        if assignment.array is not None:
            self._arrays.setdefault(assignment.name, []).append(assignment.array)
        if assignment.append or assignment.subscript is not None:
            self._odd_arrays.add(assignment.name)
            self._source(assignment.name, ANY)
        elif assignment.array is None:
            self._source(assignment.name, assignment.content)

    def _collect_setters(self, node: s.Simple) -> None:
        texts = [literal(word) for word in node.words]
        at = next((place for place, text in enumerate(texts) if text in SETTERS), None)
        if at is None:
            return
        declarer = texts[at] in DECLARERS
        changing = any(
            t and t.startswith(("-", "+")) and not {"i", "l", "u", "n", "c"}.isdisjoint(t) for t in texts[at:]
        )
        if declarer and any(t and t.startswith("-") and "A" in t for t in texts[at:]):
            self.associative |= {a.name for a in node.declared}
            self.associative |= {t for t in texts[at + 1 :] if t and is_name(t)}
        if texts[at] == "let":
            for text in texts[at + 1 :]:
                self._source(names_before_signs(text or ""), INTEGER)
            return
        self._source("REPLY", ANY)
        for word in node.words[at + 1 :]:
            self._set_by_word(word, declarer and not changing)

    def _set_by_word(self, word: Word, valued: bool) -> None:
        first = word[0] if word else None
        text = first.text if isinstance(first, s.Text) else ""
        name, equals, rest = text.partition("=")
        name = name.removesuffix("+").partition("[")[0]
        if not is_name(name):
            return
        plain_value = valued and equals and not text.partition("=")[0].endswith(("+", "]"))
        if plain_value and isinstance(first, s.Text):
            self._source(name, (s.Text(rest, first.quoted), *word[1:]))
        elif not (valued and not equals):
            self._odd_arrays.add(name)
            self._source(name, ANY)

    # ---- what a variable can hold

    def is_set_here(self, name: str) -> bool:
        return name in self._sources or name in self._arrays

    def values(self, name: str) -> list[Value]:
        """Every text `$name` can be, as segments; a cycle or too many: anything."""
        if name in self._values:
            return self._values[name]
        if name in self._open:
            return [(ANY,)]
        self._open.add(name)
        found = self._resolve(name)
        self._open.discard(name)
        if not self._open:
            self._values[name] = found
        return found

    def _resolve(self, name: str) -> list[Value]:
        if not self.is_set_here(name):
            if name in self._environment:
                return [(self._environment[name],)]
            return [(SHAPED.get(name, ANY if name.isdigit() else ENVIRONMENT),)]
        found: list[Value] = []
        for source in self._sources.get(name, ()):
            found += [(source,)] if isinstance(source, Hole) else self._single(source)
        for array in self._arrays.get(name, ()):
            for word in array:
                found += self._single(word)
        if name in self._loops:
            found = [tuple(EACH.get(piece, piece) if isinstance(piece, Hole) else piece for piece in f) for f in found]
        unique = list(dict.fromkeys(found))
        return [(ANY,)] if len(unique) > MOST_ALTERNATIVES or (ANY,) in unique else unique

    def _single(self, word: Word) -> list[Value]:
        """The texts of a word where it is assigned, or is one of a `for` loop's: each of its fields is one."""
        found: list[Value] = []
        for alternative in self.expand(word):
            if not alternative:
                found.append(("",))
            for field in alternative:
                found.append(field.segments)
        return found

    def is_number(self, name: str) -> bool:
        """Whether everything the variable can hold is a number: else arithmetic would evaluate what it holds."""
        if not self.is_set_here(name):
            return True
        return all(
            all(piece in NUMBERS or (isinstance(piece, str) and _is_integer(piece)) for piece in found)
            or found == ("",)
            for found in self.values(name)
        )

    # ---- what a word can become

    def expand(self, word: Word) -> list[Alternative]:
        if may_brace(word):
            made = braces(word)
            if made is None:
                return [(UNKNOWN,)]
            return self._product([self._expand_plain(item) for item in made])
        return self._expand_plain(word)

    def _product(self, lists: list[list[Alternative]]) -> list[Alternative]:
        found: list[Alternative] = [()]
        for alternatives in lists:
            if len(found) * len(alternatives) > MOST_ALTERNATIVES:
                return [(UNKNOWN,)]
            found = [left + right for left in found for right in alternatives]
        return found if all(len(one) <= MOST_FIELDS for one in found) else [(UNKNOWN,)]

    def _expand_plain(self, word: Word) -> list[Alternative]:
        if len(word) == 1:
            whole = self._whole(word[0])
            if whole is not None:
                return whole
        if len(word) > MOST_PARTS:
            return [(UNKNOWN,)]
        texts: list[tuple[Value, bool]] = [((), False)]
        for place, part in enumerate(word):
            pieces = self._pieces(part, place == 0)
            if len(texts) * len(pieces) > MOST_ALTERNATIVES:
                return [(UNKNOWN,)]
            texts = [(head + tail, splits or more) for head, splits in texts for tail, more in pieces]
            if any(sum(len(s) for s in text if isinstance(s, str)) > MOST_TEXT for text, _ in texts):
                return [(UNKNOWN,)]
        return [_fields(_merged(segments), splits) for segments, splits in texts]

    def _whole(self, part: Part) -> list[Alternative] | None:
        """A word that is one expansion and may become several fields."""
        if not isinstance(part, s.Var):
            return None
        if part.name in ("@", "*") or (part.subscript is not None and literal(part.subscript) in ("@", "*")):
            return self._all_of(part)
        if part.quoted or part.operator or part.loose:
            return None
        found: list[Alternative] = []
        for segments in self.values(part.name):
            text = segments[0] if len(segments) == 1 and isinstance(segments[0], str) else None
            if text is not None and (has_glob(text) or any(character in IFS for character in text)):
                split = tuple(Field((piece,)) for piece in text.split())
                found += [(_unquoted(segments),) if has_glob(text) else split, (Field(segments),)]
            elif text == "":
                found.append(())
            else:
                found.append((_unquoted(segments),))
        return found

    def _all_of(self, part: s.Var) -> list[Alternative]:
        arrays = self._arrays.get(part.name, [])
        if part.operator or len(arrays) != 1 or part.name in self._odd_arrays or part.name in self._sources:
            return [(Field((INTEGER,)) if part.operator == "length" else UNKNOWN,)]
        return self._product([self.expand(word) for word in arrays[0]])

    def _pieces(self, part: Part, first: bool) -> list[tuple[Value, bool]]:
        if isinstance(part, s.Text):
            return [_text_pieces(part, first, self._environment.get("HOME"))]
        if isinstance(part, s.Arithmetic):
            return [((INTEGER,), False)]
        if isinstance(part, s.ProcessSubstitution):
            return [(("/dev/fd/63",), False)]
        if isinstance(part, s.Substitution):
            hole = self._printed(part.body)
            return [((hole,), not part.quoted and hole not in ONE_WORD)]
        if self._lists(part):
            return [((ANY,), True)]
        found = []
        for segments in self._variable(part):
            field = Field(segments) if part.quoted else _unquoted(segments)
            found.append((field.segments, field.splits))
        return found

    def _modified(self, part: s.Var) -> list[Value]:
        """`$x:…`: zsh takes what follows for modifiers, none of which puts a dash first that stands nowhere."""
        found: list[Value] = []
        for segments in self.values(part.name):
            first = segments[0]
            known_start = isinstance(first, str) and first != "" and not first.startswith("-") and "-" not in part.loose
            found.append((first[:1], ANY) if known_start and isinstance(first, str) else (ANY,))
        return found

    def _lists(self, part: s.Var) -> bool:
        """Whether it becomes several words even within quotes and in the middle of a word."""
        mark = part.name if part.name in ("@", "*") else literal(part.subscript or ())
        return part.operator != "length" and (mark == "@" or (mark == "*" and not part.quoted))

    def _variable(self, part: s.Var) -> list[Value]:
        if part.operator in ("length", "?") or part.name in ("#", "?", "$", "!"):
            return [(INTEGER,)] if part.operator != "?" else self.values(part.name)
        if part.loose.startswith(":"):
            return self._modified(part)
        if part.loose or part.name in ("@", "*"):
            return [(ANY,)]
        if part.operator in DEFAULTS:
            default = self._single(part.operand) or [("",)]
            plus = part.operator in (":+", "+")
            found = [*([("",)] if plus else self.values(part.name)), *default]
            return found if len(found) <= MOST_ALTERNATIVES else [(ANY,)]
        if part.operator in ("%", "%%"):
            return [_shortened(segments) for segments in self.values(part.name)]
        if part.operator in ("", ":?"):
            return self.values(part.name)
        return [(ANY,)]


def _moves_parameters(node: Node) -> bool:
    return isinstance(node, s.Simple) and bool(node.words) and literal(node.words[0]) in ("set", "shift", "getopts")


def _uses_parameters(tree: s.List) -> bool:
    """Whether `$1` and its like stand outside every function."""
    todo: list[Node] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, s.Function):
            continue
        for word in words_of(node):
            for part in parts_of(word):
                if isinstance(part, s.Var) and part.name.isdigit():
                    return True
                if isinstance(part, s.Substitution | s.ProcessSubstitution):
                    todo.append(part.body)
        todo += children_of(node)
    return False


def _is_one_word(word: Word) -> bool:
    """A word that stays one: text without globs and braces, or quoted."""
    bare = "".join(part.text for part in word if isinstance(part, s.Text) and not part.quoted)
    quoted = all(isinstance(part, s.Text) or getattr(part, "quoted", False) for part in word)
    return quoted and not has_glob(bare) and not may_brace(word)


def _fields(segments: Value, splits: bool) -> Alternative:
    """Where something unknown without quotes is a part of the word, what is split off it is a word of its own."""
    made = Field(segments, splits)
    if splits and len(segments) > 1 and any(segment in SPLIT_OFF for segment in segments):
        return made, UNKNOWN
    return (made,)


def _shortened(segments: Value) -> Value:
    """A suffix was cut off: how it begins is still known where it begins with more than the cut can take."""
    if isinstance(segments[0], str) and segments[0].startswith(("/", "./")):
        return (segments[0][:1], ANY)
    if isinstance(segments[0], str) and len(segments) == 1 and not segments[0].startswith("-"):
        return (segments[0][:1], ANY) if segments[0] else segments
    return (segments[0],) if segments[0] == INTEGER else (ANY,)


def _text_pieces(part: s.Text, first: bool, home: str | None) -> tuple[Value, bool]:
    if part.quoted:
        return (part.text,), False
    text = part.text
    if first and text.startswith("~"):
        name, slash, rest = text.partition("/")
        head: Value = (home,) if name == "~" and home else (PATH,)
        return _globbed(slash + rest, head) if slash else (head, False)
    return _globbed(text, ())


def _globbed(text: str, head: Value) -> tuple[Value, bool]:
    if not has_glob(text):
        return (*head, text), False
    before = before_glob(text)
    return (*head, *((before,) if before else ()), FILES), True


def _unquoted(segments: Value) -> Field:
    """A value without quotes: bash splits it and expands its globs, zsh does neither."""
    splits = False
    made: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Hole):
            splits = splits or segment not in ONE_WORD
            made.append(segment)
        elif any(character in IFS for character in segment):
            return UNKNOWN
        elif has_glob(segment):
            before = before_glob(segment)
            made += [before, FILES] if before else [FILES]
            splits = True
        else:
            made.append(segment)
    return Field(_merged(tuple(made)), splits or made == [""])


def _merged(segments: Value) -> Value:
    found: list[Segment] = []
    for segment in segments:
        if isinstance(segment, str) and found and isinstance(found[-1], str):
            found[-1] = found[-1] + segment
        elif segment != "" or not segments:
            found.append(segment)
    return tuple(found) or ("",)


def _is_integer(text: str) -> bool:
    return text.lstrip("+-").isdigit() and text.isascii()


def names_before_signs(text: str) -> str:
    """`n` of `n=3+4`, `n++`, `++n`."""
    bare = text.lstrip("+-( ")
    end = next((place for place, character in enumerate(bare) if character not in NAME), len(bare))
    return bare[:end]


def is_name(text: str) -> bool:
    return bool(text) and text[0] in NAME_START and NAME.issuperset(text)


# ---- walking


def commands_of(node: Node) -> Iterator[Node]:
    """Every command in a tree, those within substitutions and function bodies too."""
    todo: list[Node] = [node]
    while todo:
        current = todo.pop()
        yield current
        todo += children_of(current)
        for word in words_of(current):
            for part in parts_of(word):
                if isinstance(part, s.Substitution | s.ProcessSubstitution):
                    todo.append(part.body)
        for expression in arithmetic_of(current):
            todo += [part.body for part in parts_of((expression,)) if isinstance(part, s.Substitution)]


def children_of(node: Node) -> tuple[Node, ...]:
    if isinstance(node, s.List):
        return node.steps
    if isinstance(node, s.Step):
        return (node.pipeline,)
    if isinstance(node, s.Pipeline):
        return node.commands
    if isinstance(node, s.If):
        return (*node.conditions, *node.bodies)
    if isinstance(node, s.While):
        return (node.condition, node.body)
    if isinstance(node, s.Case):
        return node.bodies
    if isinstance(node, s.Subshell | s.Group | s.For | s.ArithmeticFor | s.Function):
        return (node.body,)
    return ()


def words_of(node: Node) -> Iterator[Word]:
    """The words that stand directly in a node."""
    if isinstance(node, s.Simple):
        yield from node.words
        for assignment in (*node.assignments, *node.declared):
            yield assignment.content
            yield assignment.subscript or ()
            yield from assignment.array or ()
    elif isinstance(node, s.For):
        yield from node.words or ()
    elif isinstance(node, s.Case):
        yield node.word
        yield from node.patterns
    elif isinstance(node, s.Condition):
        yield from node.words
    for redirect in getattr(node, "redirects", ()):
        yield redirect.content


def arithmetic_of(node: Node) -> tuple[s.Arithmetic, ...]:
    if isinstance(node, s.ArithmeticCommand):
        return (node.expression,)
    return node.expressions if isinstance(node, s.ArithmeticFor) else ()


def parts_of(word: Word) -> Iterator[Part]:
    """Every part of a word, and of the words within its parts."""
    todo: list[Part] = list(word)
    while todo:
        part = todo.pop()
        yield part
        if isinstance(part, s.Var):
            todo += [*part.operand, *(part.subscript or ())]
            for offset in part.offsets:
                todo += arithmetic_parts(offset)
        elif isinstance(part, s.Arithmetic):
            todo += [p for p in arithmetic_parts(part) if p is not part]


def arithmetic_parts(expression: s.Arithmetic) -> list[Part]:
    found: list[Part] = list(expression.parts)
    for _, inner in expression.subscripts:
        found += arithmetic_parts(inner)
    return found
