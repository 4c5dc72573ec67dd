"""A command's syntax tree, and where in its text the words, here-documents, comments and line ends are.

The gate needs only the tree. Code that shows a command to a reader also needs the positions, to leave out what is not
part of the command itself or to write it in one line.

    found = outline("make test # slow")
    found.comments == ((10, 16),)
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import Budget, Heredoc
from perdure.gate.shell.parse import Parser, refuse_unreadable
from perdure.gate.shell.plain import plain
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.gate.shell.syntax import Command, Word

    Span: TypeAlias = tuple[int, int]


@value
class Outline:
    """Positions are indexes into the text. A span is a start and an end."""

    tree: s.List
    words: dict[int, tuple[Span, ...]]
    """The start of a simple command → its words, without assignments and redirections."""
    heredocs: tuple[Span, ...]
    """Two spans for each here-document: its `<<END`, and its body with the line that ends it."""
    comments: tuple[Span, ...]
    line_ends: tuple[int, ...]
    """Line ends after a command or between two parts of one; not those within quotes or a here-document."""
    joined_lines: tuple[int, ...]
    """The backslashes between two words that join two lines."""


def outline(text: str) -> Outline:
    """Raises `NotUnderstood` exactly where `parse` does."""
    tree = plain(text)
    if tree is not None:
        return Outline(
            tree=tree, words={0: _plain_words(text)}, heredocs=(), comments=(), line_ends=(), joined_lines=()
        )
    refuse_unreadable(text)
    reader = _Recorder(text)
    tree = reader.program()
    return Outline(
        tree=tree,
        words=reader.words_by_start,
        heredocs=tuple(reader.heredocs),
        comments=tuple(dict.fromkeys(reader.comments)),
        line_ends=tuple(dict.fromkeys(reader.line_ends)),
        joined_lines=tuple(dict.fromkeys(reader.joined_lines)),
    )


def _plain_words(text: str) -> tuple[Span, ...]:
    """The words of text that needs no parser: they are separated by blanks."""
    spans: list[Span] = []
    at = 0
    for word in text.split(" "):
        if word:
            spans.append((at, at + len(word)))
        at += len(word) + 1
    return tuple(spans)


class _Recorder(Parser):
    """A parser that also records where it found things. Text inside backticks or a here-document is read by another
    parser, which records nothing, because its positions would be relative to that text."""

    def __init__(self, text: str) -> None:
        super().__init__(text, Budget(), 0)
        self.words_by_start: dict[int, tuple[Span, ...]] = {}
        self.heredocs: list[Span] = []
        self.comments: list[Span] = []
        self.line_ends: list[int] = []
        self.joined_lines: list[int] = []
        self.spans: list[Span] = []
        """The spans of the words of the simple command that is being read."""

    def simple(self) -> Command:
        outer, self.spans = self.spans, []
        found = super().simple()
        if isinstance(found, s.Simple):
            self.words_by_start[found.start] = tuple(self.spans)
        self.spans = outer
        return found

    def word(self) -> Word:
        start, outer, self.spans = self.at, self.spans, []
        found = super().word()
        self.spans = outer
        outer.append((start, self.at))
        return found

    def redirect(self, into: list[s.Redirect]) -> bool:
        start, outer, self.spans = self.at, self.spans, []
        found = super().redirect(into)
        self.spans = outer
        if found and into[-1].body is not None:
            self.heredocs.append((start, self.at))
        return found

    def assignment(self, only_arrays: bool) -> s.Assignment | None:
        outer, self.spans = self.spans, []
        found = super().assignment(only_arrays)
        self.spans = outer
        return found

    def blanks(self) -> None:
        start = self.at
        super().blanks()
        passed = self.text[start : self.at]
        comment = passed.find("#")
        if comment >= 0:
            self.comments.append((start + comment, self.at))
            passed = passed[:comment]
        if "\\" in passed:
            self.joined_lines += [start + place for place, sign in enumerate(passed) if sign == "\\"]

    def newline(self) -> None:
        self.line_ends.append(self.at)
        super().newline()

    def read_heredoc(self, heredoc: Heredoc) -> None:
        start = self.at
        super().read_heredoc(heredoc)
        self.heredocs.append((start, self.at))
