"""The variables of one command: what each can hold at a point of it, and from that what each word can become.

Order is not followed: a variable can hold whatever any part of the command puts into it, so that no order of running
can surprise. `State` follows only which variables were surely assigned before this point: the others may also hold what
the environment does, or nothing.

    scope.expand(word)   →   [(Field(("a.py",)),), (Field(("b.py",)),)]      for `$f` in `for f in a.py b.py`
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import DECLARERS, NAME, NAME_START
from perdure.gate.shell.syntax import literal
from perdure.gate.shell.words import (
    ANY,
    EACH,
    ENVIRONMENT,
    FILES,
    INTEGER,
    INTEGERS,
    LOCATION,
    MOST_ALTERNATIVES,
    MOST_FIELDS,
    ONE_WORD,
    OUTPUT,
    PATH,
    PROCESS,
    SPLIT_OFF,
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
    **dict.fromkeys(("?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID"), INTEGER),
    **dict.fromkeys(("EPOCHSECONDS", "SHLVL", "COLUMNS", "LINES"), INTEGER),
}
SET_BY_THE_SHELL = frozenset(
    """_ OPTARG MAPFILE REPLY MATCH match MBEGIN MEND mbegin mend BASH_REMATCH FUNCNAME BASH_ARGV BASH_COMMAND COPROC
    DIRSTACK PIPESTATUS pipestatus GROUPS reply argv""".split()
)
"""Nobody can say what these hold."""
PARAMETER_SETTERS = {"set", "shift", "getopts"}
SHORTENED = Hole("shortened")
"""The beginning of a text that does not begin with a dash; perhaps nothing."""
DEFAULTS = frozenset((":-", "-", ":=", "=", ":+", "+"))
IFS = " \t\n"
MOST_PARTS = 100
MOST_TEXT = 1 << 17
"""A value longer than a command may be is not followed."""


class State:
    """Which variables are surely set at one point of the command."""

    def __init__(self) -> None:
        self.certain: dict[str, int] = {}
        """Name → when it was first surely set: what is put into a later one may rely on an earlier one."""
        self.associative: frozenset[str] = frozenset()
        self.tainted: frozenset[str] = frozenset()
        """Set to something that nobody knows."""

    def copy(self) -> State:
        made = State()
        made.certain, made.associative, made.tainted = dict(self.certain), self.associative, self.tainted
        return made

    def surely_set(self, name: str) -> None:
        self.certain.setdefault(name, len(self.certain))

    def forget(self, name: str) -> None:
        self.certain.pop(name, None)
        self.tainted |= {name}

    def joined(self, other: State) -> State:
        """What is sure where either may be so."""
        made = State()
        both = self.certain.keys() & other.certain.keys()
        made.certain = {name: order for name, order in self.certain.items() if name in both}
        made.associative = self.associative & other.associative
        made.tainted = self.tainted | other.tainted
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


class Scope:
    def __init__(self, tree: s.List, printed: Callable[[s.List], Hole], environment: dict[str, str]) -> None:
        self.state = State()
        self.location = LOCATION
        """What `$PWD` and its like are: PATH where one of the folders has a blank in its name."""
        self._printed = printed
        self._environment = environment
        self._sources: dict[str, list[Word | Hole]] = {}
        self._arrays: dict[str, list[tuple[Word, ...]]] = {}
        self._array_names: set[str] = set()
        self._loops: set[str] = set()
        self._open: set[str] = set()
        for node in commands_of(tree):
            self._collect(node)
        self._collect_parameters(tree)

    # ---- what any part of the command sets

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
        """`$1` and its like within functions are what the functions are called with, where every command's name is
        known, every call's words are plain text, and nothing else sets them."""
        nodes = list(commands_of(tree))
        names = {node.name for node in nodes if isinstance(node, s.Function)}
        simple = [node for node in nodes if isinstance(node, s.Simple) and node.words]
        texts = {literal(word) for node in simple for word in node.words}
        if not names or texts & PARAMETER_SETTERS or _uses_parameters(tree):
            return
        if not all(_names_its_command(node) for node in simple):
            return
        for node in simple:
            if literal(node.words[0]) in names:
                plain = all(literal(word) is not None and _is_one_word(word) for word in node.words)
                for place in range(9):
                    word = node.words[place + 1] if place + 1 < len(node.words) else (s.Text("", True),)
                    self._source(str(place + 1), word if plain else ANY)

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
        if assignment.array is not None or assignment.subscript is not None:
            plain = assignment.array is not None and not (assignment.append or assignment.keys or assignment.subscript)
            self._arrays.setdefault(assignment.name, []).append((assignment.array or ()) if plain else ((s.Var("@"),),))
            self._array_names.add(assignment.name)
            self._source(assignment.name, ANY)
        elif assignment.append or may_brace(assignment.content):
            self._source(assignment.name, ANY)
        else:
            self._source(assignment.name, assignment.content)

    def _collect_setters(self, node: s.Simple) -> None:
        texts = [literal(word) for word in node.words]
        at = next((place for place, text in enumerate(texts) if text in SETTERS), None)
        if at is None:
            return
        if texts[at] == "let":
            for text in texts[at + 1 :]:
                self._source(names_before_signs(text or ""), INTEGER)
            return
        plain = texts[at] in DECLARERS and not any(_changes_values(text) for text in texts[at:])
        for word in node.words[at + 1 :]:
            self._set_by_word(word, plain and not may_brace(word))

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
        elif valued and not equals:
            self._source(name, (s.Text("", True),))
        else:
            self._source(name, OUTPUT)

    # ---- what a variable can hold

    def is_plain_array(self, name: str) -> bool:
        """Whether somewhere it is given elements without keys."""
        return any(array for array in self._arrays.get(name, ()))

    def names(self) -> frozenset[str]:
        return frozenset(self._sources) | self.state.tainted

    def values(self, name: str) -> list[Value]:
        """Every text `$name` can be at this point, as segments."""
        if name in SET_BY_THE_SHELL:
            return [(ANY,)]
        if name in self.state.tainted:
            return [(OUTPUT,)]
        if name in self._sources:
            found = self._from_anywhere(name)
            return found if name.isdigit() or name in self.state.certain else [*found, (ENVIRONMENT,), ("",)]
        if name in self._environment:
            return [(self._environment[name],)]
        if name in ("HOME", "PWD", "OLDPWD"):
            return [(self.location,)]
        return [(SHAPED.get(name, ANY if name.isdigit() else ENVIRONMENT),)]

    def _from_anywhere(self, name: str) -> list[Value]:
        """What any part of the command puts into it, in whatever order; a cycle or too many: anything. What stands in
        such a part is sure only if it was so before this variable was."""
        if name in self._open:
            return [(ANY,)]
        self._open.add(name)
        kept = self._as_it_was(name)
        found: list[Value] = []
        for source in self._sources[name]:
            found += [(source,)] if isinstance(source, Hole) else self.single(source)
        self.state = kept
        self._open.discard(name)
        if name in self._loops:
            found = [each(value) for value in found]
        unique = list(dict.fromkeys(found))
        return [(ANY,)] if len(unique) > MOST_ALTERNATIVES or (ANY,) in unique else unique

    def _as_it_was(self, name: str) -> State:
        """Takes the state back to when the variable was set; answers with the present one, to be put back."""
        kept, self.state = self.state, State()
        order = kept.certain.get(name, -1)
        self.state.certain = {other: when for other, when in kept.certain.items() if when < order}
        self.state.tainted = kept.tainted
        return kept

    def single(self, word: Word) -> list[Value]:
        """The texts of a word where it is assigned, or is one of a `for` loop's: each of its fields is one."""
        found: list[Value] = []
        for alternative in self.expand(word):
            found += [field.segments for field in alternative] or [("",)]
        return found

    def is_number(self, name: str) -> bool:
        """Whether everything the variable can hold is a number: else arithmetic would evaluate what it holds."""
        if name in SET_BY_THE_SHELL or name in self._array_names:
            return False
        if name in self.state.tainted:
            return False
        return name not in self._sources or all(_is_numeric(value) for value in self._from_anywhere(name))

    # ---- what a word can become

    def expand(self, word: Word) -> list[Alternative]:
        if may_brace(word):
            made = braces(word)
            if made is None:
                return [(UNKNOWN,)]
            return self._product([self._expand_plain(item) for item in made])
        return self._expand_plain(word)

    def array(self, words: tuple[Word, ...]) -> list[Alternative]:
        return self._product([self.expand(word) for word in words])

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
        if _globs_across_parts(word):
            return [(Field((FILES,), True), UNKNOWN)]
        texts: list[tuple[Value, bool, bool]] = [((), False, True)]
        for place, part in enumerate(word):
            pieces = self._pieces(part, place == 0)
            if len(texts) * len(pieces) > MOST_ALTERNATIVES:
                return [(UNKNOWN,)]
            texts = [
                (head + tail, splits or more, vanishes and gone)
                for head, splits, vanishes in texts
                for tail, more, gone in pieces
            ]
            if any(sum(len(piece) for piece in text if isinstance(piece, str)) > MOST_TEXT for text, _, _ in texts):
                return [(UNKNOWN,)]
        return [_fields(_merged(segments), splits, vanishes) for segments, splits, vanishes in texts]

    def _whole(self, part: Part) -> list[Alternative] | None:
        """A word that is one expansion and may become several fields."""
        if not isinstance(part, s.Var):
            return None
        if self._lists(part):
            return self._all_of(part)
        if part.quoted or part.operator or part.loose or part.subscript is not None:
            return None
        if part.name in self._array_names:
            return [(UNKNOWN,)]  # zsh takes every element, bash the first
        found: list[Alternative] = []
        for segments in self.values(part.name):
            text = segments[0] if len(segments) == 1 and isinstance(segments[0], str) else None
            if text is not None and (has_glob(text) or any(character in IFS for character in text)):
                split = tuple(Field((piece,)) for piece in split_as_shells_do(text))
                found += [(_unquoted(segments),) if has_glob(text) else split, (Field(segments),)]
            elif text == "":
                found.append(())
            else:
                found.append(_also_split_off(_unquoted(segments)))
        return found

    def _all_of(self, part: s.Var) -> list[Alternative]:
        arrays = self._arrays.get(part.name, [])
        only = len(self._sources.get(part.name, ())) == 1 and part.name not in self._loops
        sure = only and part.name in self.state.certain and part.name not in self.state.tainted
        if part.operator or len(arrays) != 1 or not sure or literal(part.subscript or ()) != "@":
            return [(UNKNOWN,)]
        kept = self._as_it_was(part.name)
        alternatives = self.array(arrays[0])
        self.state = kept
        if part.quoted:
            return alternatives
        return alternatives if all(_stays_whole(field) for one in alternatives for field in one) else [(UNKNOWN,)]

    def _pieces(self, part: Part, first: bool) -> list[tuple[Value, bool, bool]]:
        """Each: the segments, whether they split, whether they may be nothing at all."""
        if isinstance(part, s.Text):
            segments, splits = _text_pieces(part, first, self._environment.get("HOME"))
            return [(segments, splits, False)]
        if isinstance(part, s.Arithmetic):
            return [((INTEGER,), False, False)]
        if isinstance(part, s.ProcessSubstitution):
            return [((PROCESS,), False, False)]
        if isinstance(part, s.Substitution):
            hole = self._printed(part.body)
            return [((hole,), not part.quoted and hole not in ONE_WORD, not part.quoted)]
        if self._lists(part):
            return [((ANY,), True, True)]
        found = []
        for segments in self._variable(part):
            field = Field(segments) if part.quoted else _unquoted(segments)
            found.append((field.segments, field.splits, field.vanishes))
        return found

    def _lists(self, part: s.Var) -> bool:
        """Whether it becomes several words even within quotes and in the middle of a word."""
        if part.operator in ("length", "keys", "names"):
            return part.operator != "length"
        mark = part.name if part.name in ("@", "*") else literal(part.subscript or ())
        return mark == "@" or (mark == "*" and not part.quoted)

    def _variable(self, part: s.Var) -> list[Value]:
        if part.operator == "length" or part.name in ("#", "?", "$", "!"):
            return [(INTEGER,)]
        if part.loose.startswith(":"):
            return self._modified(part)
        if part.loose or part.name in ("@", "*") or part.subscript is not None or part.name in self._array_names:
            return [(ANY,)]
        if part.operator in DEFAULTS:
            default = self.single(part.operand) or [("",)]
            plus = part.operator in (":+", "+")
            found = [*([("",)] if plus else self.values(part.name)), *default]
            return found if len(found) <= MOST_ALTERNATIVES else [(ANY,)]
        if part.operator in ("%", "%%"):
            return [_shortened(segments) for segments in self.values(part.name)]
        if part.operator in ("", ":?", "?"):
            return self.values(part.name)
        return [(ANY,)]

    def _modified(self, part: s.Var) -> list[Value]:
        """`$x:…`: zsh takes what follows for modifiers, none of which puts a dash first that stands nowhere."""
        found: list[Value] = []
        for segments in self.values(part.name):
            first = segments[0]
            known_start = isinstance(first, str) and first != "" and not first.startswith("-") and "-" not in part.loose
            found.append((first[:1], ANY) if known_start and isinstance(first, str) else (ANY,))
        return found


def split_as_shells_do(text: str) -> list[str]:
    """At blanks, tabs and line ends only: Python's own split knows more blanks than a shell does."""
    return [piece for piece in text.replace("\t", " ").replace("\n", " ").split(" ") if piece]


def _stays_whole(field: Field) -> bool:
    return field.text is not None and not has_glob(field.text) and field.text.split() == [field.text]


def each(segments: Value) -> Value:
    """One of a loop's values, where a hole stands for several."""
    return tuple(EACH.get(piece, piece) if isinstance(piece, Hole) else piece for piece in segments)


def _changes_values(text: str | None) -> bool:
    """An option of `declare` that changes what is assigned: integers, letter case, references."""
    return text is not None and text.startswith(("-", "+")) and not {"i", "l", "u", "n", "c"}.isdisjoint(text)


def _is_numeric(segments: Value) -> bool:
    return all(
        piece in (INTEGER, INTEGERS) or (isinstance(piece, str) and (piece == "" or is_integer(piece)))
        for piece in segments
    )


def _names_its_command(node: s.Simple) -> bool:
    """Whether it is known what is run, also where another command runs it."""
    wrapped = literal(node.words[0]) in ("command", "builtin", "exec")
    words = node.words if wrapped else node.words[:1]
    return all(literal(word) is not None and not may_brace(word) for word in words)


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


def _globs_across_parts(word: Word) -> bool:
    """`["ab"]`: brackets without quotes around what is quoted."""
    bare = [part.text if isinstance(part, s.Text) and not part.quoted else "" for part in word]
    opened = next((place for place, text in enumerate(bare) if "[" in text and "]" not in text.partition("[")[2]), None)
    return opened is not None and any("]" in text for text in bare[opened + 1 :])


def _is_one_word(word: Word) -> bool:
    """A word that stays one: text without globs and braces, or quoted."""
    bare = "".join(part.text for part in word if isinstance(part, s.Text) and not part.quoted)
    quoted = all(isinstance(part, s.Text) or getattr(part, "quoted", False) for part in word)
    lists = any(isinstance(part, s.Var) and "@" in (part.name, literal(part.subscript or ())) for part in word)
    return quoted and not lists and not has_glob(bare) and not may_brace(word)


def _fields(segments: Value, splits: bool, vanishes: bool) -> Alternative:
    return _also_split_off(Field(segments, splits, vanishes))


def _also_split_off(field: Field) -> Alternative:
    """Where something unknown without quotes is a part of the word, what is split off it is a word of its own."""
    several = len(field.segments) > 1 or PATH in field.segments
    if field.splits and several and any(segment in SPLIT_OFF for segment in field.segments):
        return field, UNKNOWN
    return (field,)


def _shortened(segments: Value) -> Value:
    """A suffix was cut off, perhaps all of it: how it begins is known where that is not a dash."""
    first = segments[0]
    plain = isinstance(first, str) and first[:1] not in ("", "-") and len(segments) == 1
    return (SHORTENED,) if plain and not any(character in IFS for character in str(first)) else (ANY,)


def _text_pieces(part: s.Text, first: bool, home: str | None) -> tuple[Value, bool]:
    if part.quoted:
        return (part.text,), False
    text = part.text
    if first and text.startswith("~"):
        name, slash, rest = text.partition("/")
        head: Value = (home,) if name == "~" and home else (LOCATION,)
        return _globbed(slash + rest, head) if slash else (head, False)
    return _globbed(text, ())


def _globbed(text: str, head: Value) -> tuple[Value, bool]:
    if not has_glob(text):
        return (*head, text), False
    before = before_glob(text)
    return (*head, *((before,) if before else ()), FILES), True


def _unquoted(segments: Value) -> Field:
    """A value without quotes: bash splits it and expands its globs, zsh does neither."""
    splits, vanishes = False, True
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
            splits, vanishes = True, False
        else:
            made.append(segment)
            vanishes = vanishes and not segment
    return Field(_merged(tuple(made)), splits, vanishes)


def _merged(segments: Value) -> Value:
    found: list[Segment] = []
    for segment in segments:
        if isinstance(segment, str) and found and isinstance(found[-1], str):
            found[-1] = found[-1] + segment
        elif segment != "" or not segments:
            found.append(segment)
    return tuple(found) or ("",)


def is_integer(text: str) -> bool:
    return is_digits(text.lstrip("+-"))


def is_digits(text: str) -> bool:
    """ASCII digits: Python's own test takes many more."""
    return text.isascii() and text.isdigit()


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
            yield from assignment.keys
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
