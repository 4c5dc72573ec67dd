"""Finds out what each variable of a command can hold, and from that what each word can become.

The order of assignments is ignored: a variable can hold whatever any part of the command puts into it, so the result
holds for every order of execution. `State` only tracks which variables were certainly assigned before the current
point. All others may also hold what the environment gives them, or nothing.

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
    FOUND,
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

    Node: TypeAlias = "Command | s.List | s.Pipeline | s.JoinedPipeline"
    Value: TypeAlias = tuple[Segment, ...]
    Piece: TypeAlias = tuple[Value, bool, bool]  # what it is, whether it may split, whether it may be nothing at all

SETTERS = DECLARERS | frozenset("read mapfile readarray getopts printf let unset vared".split())
SHAPED = {
    **dict.fromkeys(("?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID"), INTEGER),
    **dict.fromkeys(("EPOCHSECONDS", "SHLVL", "COLUMNS", "LINES", "BASH_SUBSHELL", "ZSH_SUBSHELL"), INTEGER),
}
SET_BY_THE_SHELL = frozenset(
    """_ OPTARG OPTERR MAPFILE REPLY MATCH match MBEGIN MEND mbegin mend FUNCNAME COPROC DIRSTACK PIPESTATUS pipestatus
    GROUPS reply argv ARGC status SHELLOPTS TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT HISTCMD HISTCHARS histchars
    EPOCHREALTIME TTY TIMEFMT aliases builtins commands dirstack dis_aliases dis_builtins dis_functions
    dis_functions_source dis_galiases dis_patchars dis_reswords dis_saliases funcfiletrace funcsourcetrace
    funcstack functions functions_source functrace galiases history historywords jobdirs jobstates jobtexts keymaps
    modules nameddirs options parameters patchars reswords saliases signals termcap terminfo userdirs usergroups widgets
    zsh_eval_context zsh_scheduled_events watch psvar PSVAR
    DIRSTACKSIZE REPORTTIME REPORTMEMORY SRANDOM""".split()
)
"""The shell itself sets these, so the command does not show what they hold."""
SHELLS_OWN = ("BASH_", "ZSH_", "COMP_", "READLINE_")
"""How the names of more such variables begin: `BASH_ARGV0` is a word of whoever started the shell."""
PARAMETER_SETTERS = {"set", "shift", "getopts"}
SHORTENED = Hole("shortened")
"""The first part of a text that does not begin with a dash; it may be empty."""
DEFAULTS = frozenset((":-", "-", ":=", "=", ":+", "+"))
IFS = " \t\n"
MOST_PARTS = 100
MOST_TEXT = 1 << 17
"""A value that is longer than a command may be is treated as unknown."""


class State:
    """Which variables are certainly set at one point of the command."""

    def __init__(self) -> None:
        self.certain: dict[str, int] = {}
        """Name → its place in the order in which variables were first certainly set. The value of a later variable may
        rely on earlier ones."""
        self.associative: frozenset[str] = frozenset()
        self.tainted: frozenset[str] = frozenset()
        """Variables whose value is unknown here, for example those that `read` sets."""

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
        """What is certain where the command may have come from either state."""
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
    """The variables of one command. `printed` says what shape the output of a substitution has."""

    def __init__(self, tree: s.List, printed: Callable[[s.List], Hole], environment: dict[str, str]) -> None:
        self.state = State()
        self.location = LOCATION
        """What `$PWD` and its like are: PATH where one of the folders has a blank in its name."""
        self._printed = printed
        self._environment = environment
        self._sources: dict[str, list[Word | Hole]] = {}
        self._arrays: dict[str, list[tuple[Word, ...]]] = {}
        self._array_names: set[str] = set()
        self._elsewhere_array: set[str] = set()
        """Variables that a command such as `read -a` or `declare -a` may make an array of."""
        self._loops: set[str] = set()
        self._open: set[str] = set()
        self.read_as: dict[str, Hole] = {}
        """A variable that a loop reads lines into → what each of those lines is."""
        self.keeps_names = False
        """A variable may keep names that a glob found."""
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
        """Find out what `$1` to `$9` hold inside functions: the words of the calls. That is known only if the name of
        every command is known, and nothing else sets or uses them."""
        nodes = list(commands_of(tree))
        functions = {node.name for node in nodes if isinstance(node, s.Function)}
        if not functions:
            return
        simple = [node for node in nodes if isinstance(node, s.Simple) and node.words]
        if _uses_parameters(tree) or any(_may_set_parameters(node) for node in simple):
            return
        for node in simple:
            if literal(node.words[0]) in functions:
                self._collect_arguments(node)

    def _collect_arguments(self, call: s.Simple) -> None:
        """`$1` to `$9` are the words of this call, or anything at all where one of its words is not plain text."""
        plain = all(literal(word) is not None and _is_one_word(word) for word in call.words)
        for number in range(1, 10):
            source: Word | Hole = ANY
            if plain:
                source = call.words[number] if number < len(call.words) else (s.Text("", True),)
            self._source(str(number), source)

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
        if not isinstance(source, Hole):
            self._note_globs(source)

    def _note_globs(self, word: Word) -> None:
        if any(isinstance(part, s.Text) and not part.quoted and has_glob(part.text) for part in word):
            self.keeps_names = True

    def _assign(self, assignment: s.Assignment) -> None:
        if assignment.array is not None or assignment.subscript is not None:
            self._arrays.setdefault(assignment.name, []).append(_elements(assignment))
            for word in assignment.array or ():
                self._note_globs(word)
            self._array_names.add(assignment.name)
            self._source(assignment.name, ANY)
        elif assignment.append or may_brace(assignment.content):
            self._source(assignment.name, ANY)
        else:
            self._source(assignment.name, tuple(_unsplit(part) for part in assignment.content))

    def _collect_setters(self, node: s.Simple) -> None:
        """What commands such as `read` and `declare` set."""
        texts = [literal(word) for word in node.words]
        at = _place_of_setter(texts)
        if at is None:
            return
        if texts[at] == "let":
            for text in texts[at + 1 :]:
                self._source(names_before_signs(text or ""), INTEGER)
            return
        plain = texts[at] in DECLARERS and not any(_changes_values(text) for text in texts[at:])
        for word in node.words[at + 1 :]:
            self._set_by_word(word, plain and not may_brace(word))
        self._collect_arrays(texts[at:])

    def _collect_arrays(self, texts: list[str | None]) -> None:
        """Variables that a command such as `read -a` or `declare -a` may make arrays of."""
        if texts[0] not in DECLARERS or any(_makes_arrays(text) for text in texts):
            self._elsewhere_array |= {name for text in texts[1:] for name in _named_by(text)}

    def _set_by_word(self, word: Word, valued: bool) -> None:
        """`word` names a variable that is set; `valued`: what stands after its `=` is exactly its value."""
        first = word[0] if word else None
        if not isinstance(first, s.Text):
            return
        target, equals, rest = first.text.partition("=")
        name = target.removesuffix("+").partition("[")[0]
        if not is_name(name):
            return
        if valued and not equals:
            self._source(name, (s.Text("", True),))
        elif valued and not target.endswith(("+", "]")):
            self._source(name, (s.Text(rest, first.quoted), *word[1:]))
        else:
            self._source(name, OUTPUT)

    # ---- what a variable can hold

    def is_plain_array(self, name: str) -> bool:
        """Whether any assignment gives it elements without keys."""
        return any(array for array in self._arrays.get(name, ()))

    def is_set_once(self, name: str) -> bool:
        """Whether only one part of the command sets it."""
        return len(self._sources.get(name, ())) == 1

    def may_be_array(self, name: str) -> bool:
        """Whether any part of the command may make an array of it."""
        return name in self._array_names or name in self._elsewhere_array or is_set_by_the_shell(name)

    def names(self) -> frozenset[str]:
        return frozenset(self._sources) | self.state.tainted

    def values(self, name: str) -> list[Value]:
        """Every text that `$name` can be at this point, as segments."""
        if is_set_by_the_shell(name):
            return [(ANY,)]
        if name in self.read_as:
            return [(self.read_as[name],)]
        if name in self.state.tainted:
            return [(OUTPUT,)]
        if name in self._sources:
            found = self._from_anywhere(name)
            if name.isdigit() or name in self.state.certain:
                return found
            return [*found, (ENVIRONMENT,), ("",)]
        if name in self._environment:
            return [(self._environment[name],)]
        if name in ("HOME", "PWD", "OLDPWD"):
            return [(self.location,)]
        return [(SHAPED.get(name, ANY if name.isdigit() else ENVIRONMENT),)]

    def _from_anywhere(self, name: str) -> list[Value]:
        """What all parts of the command put into the variable, in any order. A cycle, or too many values, is anything.

        Only variables that were certainly set before this one count as certain in what is put into it."""
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
        """Set the state back to when the variable was set. Returns the present state, for the caller to restore."""
        kept, self.state = self.state, State()
        order = kept.certain.get(name, -1)
        self.state.certain = {other: when for other, when in kept.certain.items() if when < order}
        self.state.tainted = kept.tainted
        return kept

    def single(self, word: Word) -> list[Value]:
        """The texts that the word can be where it is assigned, or where `for` loops over it: each field is one."""
        found: list[Value] = []
        for alternative in self.expand(word):
            found += [field.segments for field in alternative] or [("",)]
        return found

    def is_number(self, name: str) -> bool:
        """Whether everything that the variable can hold is a number. Arithmetic would evaluate anything else."""
        if is_set_by_the_shell(name) or name in self._array_names:
            return False
        if name in self.read_as:
            return self.read_as[name] == INTEGER
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
        """What a word without braces can become."""
        if len(word) == 1:
            whole = self._whole(word[0])
            if whole is not None:
                return whole
        if len(word) > MOST_PARTS:
            return [(UNKNOWN,)]
        if _globs_across_parts(word):
            return [(Field((FILES,), True), UNKNOWN)]
        texts: list[Piece] = [((), False, True)]
        for place, part in enumerate(word):
            texts = _glued(texts, self._pieces(part, place == 0))
            if not texts:
                return [(UNKNOWN,)]
        return [_fields(_merged(segments), splits, vanishes) for segments, splits, vanishes in texts]

    def _whole(self, part: Part) -> list[Alternative] | None:
        """What a word that is one variable, and so may become several fields, can become; None for any other part."""
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
            found += _unquoted_alternatives(segments)
        return found

    def _all_of(self, part: s.Var) -> list[Alternative]:
        """All elements of an array, where it is known which they are."""
        if part.operator or literal(part.subscript or ()) != "@" or not self._has_one_value(part.name):
            return [(UNKNOWN,)]
        (elements,) = self._arrays[part.name]
        kept = self._as_it_was(part.name)
        alternatives = self.array(elements)
        self.state = kept
        if part.quoted or all(_stays_whole(field) for one in alternatives for field in one):
            return alternatives
        return [(UNKNOWN,)]

    def _has_one_value(self, name: str) -> bool:
        """Whether one assignment certainly set this array, and nothing else sets it."""
        if len(self._arrays.get(name, ())) != 1 or len(self._sources.get(name, ())) != 1:
            return False
        return name not in self._loops and name in self.state.certain and name not in self.state.tainted

    def _pieces(self, part: Part, first: bool) -> list[Piece]:
        """What a part of a longer word can be; `first`: the word begins with it."""
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
        """Whether it may become several words even within quotes or inside a longer word, as `"$@"` does."""
        if part.operator in ("length", "keys", "names"):
            return part.operator != "length"
        mark = part.name if part.name in ("@", "*") else literal(part.subscript or ())
        return mark == "@" or (mark == "*" and not part.quoted)

    def _variable(self, part: s.Var) -> list[Value]:
        """What a variable that is one text becomes, by the operator in its brackets."""
        if part.operator == "length" or part.name in ("#", "?", "$", "!"):
            return [(INTEGER,)]
        if part.loose.startswith(":"):
            return self._modified(part)
        if part.loose or self._may_be_array(part):
            return [(ANY,)]
        if part.operator in DEFAULTS:
            return self._with_default(part)
        if part.operator in ("%", "%%"):
            return [_shortened(segments) for segments in self.values(part.name)]
        if part.operator == ":":
            return [_cut_out(segments) for segments in self.values(part.name)]
        if part.operator in ("", ":?", "?"):
            return self.values(part.name)
        return [(ANY,)]

    def _may_be_array(self, part: s.Var) -> bool:
        return part.name in ("@", "*") or part.subscript is not None or part.name in self._array_names

    def _with_default(self, part: s.Var) -> list[Value]:
        """`${x:-default}` is the value or the default; `${x:+other}` is nothing or the other."""
        found: list[Value] = [("",)]
        if part.operator not in (":+", "+"):
            found = self.values(part.name)
        found = [*found, *(self.single(part.operand) or [("",)])]
        return found if len(found) <= MOST_ALTERNATIVES else [(ANY,)]

    def _modified(self, part: s.Var) -> list[Value]:
        """`$x:…`: zsh reads what follows as modifiers. None of them puts a dash first unless one is there already."""
        found: list[Value] = []
        for segments in self.values(part.name):
            first = segments[0]
            if isinstance(first, str) and first[:1] not in ("", "-") and "-" not in part.loose:
                found.append((first[:1], ANY))
            else:
                found.append((ANY,))
        return found


def is_set_by_the_shell(name: str) -> bool:
    return name in SET_BY_THE_SHELL or (name.startswith(SHELLS_OWN) and name not in SHAPED)


def _makes_arrays(text: str | None) -> bool:
    """Whether it is an option that makes an array, or may be one."""
    return text is None or (text.startswith("-") and not {"a", "A"}.isdisjoint(text))


def _named_by(text: str | None) -> list[str]:
    """The variable that a word of `read` or `declare` names; it may be attached to an option, as in `-aname`."""
    bare = (text or "").partition("=")[0].removesuffix("+").partition("[")[0]
    return [bare.lstrip("-")[1:] if bare.startswith("-") else bare] if bare else []


def _unsplit(part: Part) -> Part:
    """A substitution after `x=`: no shell splits what it prints."""
    return s.Substitution(part.body, True) if isinstance(part, s.Substitution) else part


def _place_of_setter(texts: list[str | None]) -> int | None:
    """Where a command that sets variables is named: the first word, or after others as in `command read`."""
    for place, text in enumerate(texts):
        if text in SETTERS:
            return place
    return None


def _elements(assignment: s.Assignment) -> tuple[Word, ...]:
    """The elements that it gives the array; `$@`, which may be anything, where it does not list them all in order."""
    if assignment.array is None or assignment.append or assignment.keys or assignment.subscript:
        return ((s.Var("@"),),)
    return assignment.array


def _glued(left: list[Piece], right: list[Piece]) -> list[Piece]:
    """Each beginning of a word with each way to continue it; none where they are too many or too long to follow."""
    if len(left) * len(right) > MOST_ALTERNATIVES:
        return []
    made = []
    for head, splits, vanishes in left:
        for tail, also_splits, also_vanishes in right:
            segments = head + tail
            if _length(segments) > MOST_TEXT:
                return []
            made.append((segments, splits or also_splits, vanishes and also_vanishes))
    return made


def _length(segments: Value) -> int:
    """How many characters of it are known."""
    return sum(len(piece) for piece in segments if isinstance(piece, str))


def split_as_shells_do(text: str) -> list[str]:
    """Split at blanks, tabs and line ends only: Python's `split` knows more white space than a shell does."""
    return [piece for piece in text.replace("\t", " ").replace("\n", " ").split(" ") if piece]


def _unquoted_alternatives(segments: Value) -> list[Alternative]:
    """What `$x` without quotes becomes where it holds this: bash splits it and expands its globs, zsh does neither."""
    text = segments[0] if len(segments) == 1 else None
    if text == "":
        return [()]
    if isinstance(text, str) and has_glob(text):
        return [(_unquoted(segments),), (Field(segments),)]
    if isinstance(text, str) and any(character in IFS for character in text):
        split = tuple(Field((piece,)) for piece in split_as_shells_do(text))
        return [split, (Field(segments),)]
    return [_also_split_off(_unquoted(segments))]


def _stays_whole(field: Field) -> bool:
    return field.text is not None and not has_glob(field.text) and field.text.split() == [field.text]


def each(segments: Value) -> Value:
    """One of the values that a loop goes through, where a hole stands for several."""
    return tuple(EACH.get(piece, piece) if isinstance(piece, Hole) else piece for piece in segments)


def _changes_values(text: str | None) -> bool:
    """Whether it is an option of `declare` that changes what is assigned: integers, letter case, references."""
    return text is not None and text.startswith(("-", "+")) and not {"i", "l", "u", "n", "c"}.isdisjoint(text)


def _is_numeric(segments: Value) -> bool:
    return all(
        piece in (INTEGER, INTEGERS) or (isinstance(piece, str) and (piece == "" or is_integer(piece)))
        for piece in segments
    )


def _may_set_parameters(node: s.Simple) -> bool:
    """Whether it may be a command that changes `$1` and its like: it is one by a word, or its name is not known."""
    if any(literal(word) in PARAMETER_SETTERS for word in node.words):
        return True
    wrapped = literal(node.words[0]) in ("command", "builtin", "exec")
    names = node.words if wrapped else node.words[:1]
    return any(literal(word) is None or may_brace(word) for word in names)


def _uses_parameters(tree: s.List) -> bool:
    """Whether `$1` or its like is used outside every function."""
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
    """`["ab"]`: an unquoted bracket opens before a quoted part and closes after it."""
    opened = False
    for part in word:
        text = part.text if isinstance(part, s.Text) and not part.quoted else ""
        if opened and "]" in text:
            return True
        opened = opened or ("[" in text and "]" not in text.partition("[")[2])
    return False


def _is_one_word(word: Word) -> bool:
    """Whether it certainly stays one word: all of it is quoted, or text without globs and braces."""
    bare = ""
    for part in word:
        if isinstance(part, s.Text):
            bare += "" if part.quoted else part.text
        elif not getattr(part, "quoted", False) or _is_list(part):
            return False
    return not has_glob(bare) and not may_brace(word)


def _is_list(part: Part) -> bool:
    """`$@` or `${x[@]}`."""
    return isinstance(part, s.Var) and "@" in (part.name, literal(part.subscript or ()))


def _fields(segments: Value, splits: bool, vanishes: bool) -> Alternative:
    return _also_split_off(Field(segments, splits, vanishes))


def _also_split_off(field: Field) -> Alternative:
    """The field; and one more, of which nothing is known, where splitting an unquoted unknown part adds words."""
    several = len(field.segments) > 1 or PATH in field.segments or FOUND in field.segments
    if field.splits and several and any(segment in SPLIT_OFF for segment in field.segments):
        return field, UNKNOWN
    return (field,)


def _shortened(segments: Value) -> Value:
    """`${x%…}` cuts off an end, perhaps everything. What is left does not begin with a dash if the text did not."""
    first = segments[0]
    if len(segments) > 1 or not isinstance(first, str) or first[:1] in ("", "-"):
        return (ANY,)
    has_blanks = any(character in IFS for character in first)
    return (ANY,) if has_blanks else (SHORTENED,)


def _cut_out(segments: Value) -> Value:
    """`${x:1:2}` may begin anywhere in the text, so it begins with no dash if the text has none."""
    first = segments[0]
    if len(segments) > 1 or not isinstance(first, str) or "-" in first or has_glob(first):
        return (ANY,)
    return (ANY,) if any(character in IFS for character in first) else (SHORTENED,)


def _text_pieces(part: s.Text, first: bool, home: str | None) -> tuple[Value, bool]:
    if part.quoted:
        return (part.text,), False
    text = part.text
    if first and text.startswith("~"):
        name, slash, rest = text.partition("/")
        head: Value = (home,) if name == "~" and home else (LOCATION,)
        return _globbed(slash + rest, head) if slash else (head, False)
    if first and text.startswith("=") and text[1:2] not in ("", "=", "~"):
        return ("=", ANY), False  # zsh puts the path of the program that is named there
    return _globbed(text, ())


def _globbed(text: str, head: Value) -> tuple[Value, bool]:
    if not has_glob(text):
        return (*head, text), False
    before, end = before_glob(text), _after_glob(text)
    return (*head, *((before,) if before else ()), FILES, *((end,) if end else ())), True


_OF_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._")


def _after_glob(text: str) -> str:
    """How each name ends that a glob such as `*.c` finds, and the glob itself if it finds none."""
    end = text.rpartition("*")[2]
    return end if end != text and end.startswith(".") and _OF_NAMES.issuperset(end) else ""


def _unquoted(segments: Value) -> Field:
    """A value without quotes, as one field: bash splits it and expands its globs, zsh does neither."""
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
    """Neighbouring texts joined, and empty ones left out."""
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
    """ASCII digits only: `str.isdigit` accepts many more characters."""
    return text.isascii() and text.isdigit()


def names_before_signs(text: str) -> str:
    """The name `n` in `n=3+4`, `n++` or `++n`."""
    bare = text.lstrip("+-( ")
    for place, character in enumerate(bare):
        if character not in NAME:
            return bare[:place]
    return bare


def is_name(text: str) -> bool:
    return bool(text) and text[0] in NAME_START and NAME.issuperset(text)


# ---- walking


def commands_of(node: Node) -> Iterator[Node]:
    """Every node of a tree, with those inside substitutions and function bodies."""
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
    if isinstance(node, s.JoinedPipeline):
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
    """The words that stand directly in a node, not in one below it."""
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
    """Every part of a word, and every part of the words inside those parts."""
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
