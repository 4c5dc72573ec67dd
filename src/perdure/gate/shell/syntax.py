"""The syntax tree of a shell command. It can only express what bash and zsh read alike.

A word is a tuple of parts. `Text.quoted` matters: the shell expands braces, globs and `~` in unquoted text.

    parse("ls $x")  →  List((JoinedPipeline("", Pipeline((Simple(words=((Text("ls"),), (Var("x"),)), …),))),))
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Part: TypeAlias = "Text | Var | Substitution | Arithmetic | ProcessSubstitution"
    Word: TypeAlias = tuple[Part, ...]
    Command: TypeAlias = (
        "Simple | Subshell | Group | For | ArithmeticFor | While | If | Case | Function | Condition | ArithmeticCommand"
    )


@value
class Text:
    text: str
    quoted: bool = False


@value
class Var:
    """`$name`, `${name[subscript]operator operand}`. `loose`: what follows, if zsh reads it as a part (`:`, `[…`)."""

    name: str
    quoted: bool = False
    operator: str = ""
    operand: Word = ()
    subscript: Word | None = None
    offsets: tuple[Arithmetic, ...] = ()
    loose: str = ""


@value
class Substitution:
    """`$(…)` or backticks."""

    body: List
    quoted: bool = False


@value
class ProcessSubstitution:
    """`<(…)` or `>(…)`."""

    body: List


@value
class Arithmetic:
    """`$((…))`, or any other arithmetic. It reads the variables in `names` and sets those in `assigned`."""

    names: tuple[str, ...]
    assigned: tuple[str, ...]
    parts: tuple[Part, ...]
    subscripts: tuple[tuple[str, Arithmetic], ...] = ()
    quoted: bool = False


class Body:
    """A heredoc's body. The parser fills it in later, because it follows the line with the `<<`."""

    def __init__(self) -> None:
        self.word: Word = ()


@value
class Redirect:
    """`operator` is one of < > >> >| <> <& >& &> &>> << <<- <<<. A heredoc has a body and no target."""

    operator: str
    target: Word
    descriptor: str = ""
    body: Body | None = None

    @property
    def content(self) -> Word:
        return self.target if self.body is None else self.body.word


@value
class Assignment:
    """`name=value`, `name+=value`, `name[subscript]=value` or `name=(…)`; only the last one has an `array`."""

    name: str
    content: Word
    append: bool = False
    subscript: Word | None = None
    array: tuple[Word, ...] | None = None
    keys: tuple[Word, ...] = ()
    """The keys in `name=([key]=value …)`."""


@value
class Simple:
    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    declared: tuple[Assignment, ...]
    """Array literals among the arguments of `declare` and its like."""
    start: int
    end: int


@value
class Pipeline:
    commands: tuple[Command, ...]
    negated: bool = False


@value
class JoinedPipeline:
    """A pipeline and how it is joined to the one before: '' (first, `;`, newline), '&&' or '||'. `background`: `&`."""

    joined_by: str
    pipeline: Pipeline
    background: bool = False


@value
class List:
    steps: tuple[JoinedPipeline, ...]


@value
class Subshell:
    body: List
    redirects: tuple[Redirect, ...]


@value
class Group:
    body: List
    redirects: tuple[Redirect, ...]


@value
class For:
    name: str
    words: tuple[Word, ...] | None
    body: List
    redirects: tuple[Redirect, ...]


@value
class ArithmeticFor:
    expressions: tuple[Arithmetic, ...]
    body: List
    redirects: tuple[Redirect, ...]


@value
class While:
    condition: List
    body: List
    redirects: tuple[Redirect, ...]


@value
class If:
    conditions: tuple[List, ...]
    bodies: tuple[List, ...]
    redirects: tuple[Redirect, ...]


@value
class Case:
    word: Word
    patterns: tuple[Word, ...]
    bodies: tuple[List, ...]
    redirects: tuple[Redirect, ...]


@value
class Function:
    name: str
    body: Command


@value
class Condition:
    """`[[ … ]]`: its words in order. The shell evaluates those in `calculated` as arithmetic, those in `named` as names
    of variables."""

    words: tuple[Word, ...]
    calculated: tuple[Word, ...]
    named: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@value
class ArithmeticCommand:
    expression: Arithmetic
    redirects: tuple[Redirect, ...]


def joined(parts: list[Part]) -> Word:
    """Join neighbouring texts that are both quoted or both unquoted into one part."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Text) and isinstance(last, Text) and part.quoted == last.quoted:
            found[-1] = Text(last.text + part.text, part.quoted)
        else:
            found.append(part)
    return tuple(found)


def literal(word: Word, *, bare: bool = False) -> str | None:
    """The text of a word that consists of text alone, with `bare` of unquoted text alone; None for any other word."""
    if not all(isinstance(part, Text) and not (bare and part.quoted) for part in word):
        return None
    return "".join(part.text for part in word if isinstance(part, Text))
