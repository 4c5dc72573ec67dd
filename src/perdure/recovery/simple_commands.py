"""Splits a command from a transcript into its simple commands: one program each, with its words.

`gate/shell` parses the command; nothing else in recovery parses shell text. A transcript may also hold text that no
shell accepts, PowerShell, or a command that was cut off. For these `_split_roughly` is the only fallback: it splits at
`&&`, `||`, `|`, `;`, `&` and line ends outside quotes, and asks the parser again about each piece.

    [each.words for each in read("cd web && CI=1 npm test 2>&1 | tail -5").simple]
        == [("npm", "test"), ("tail", "-5")]
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import RESERVED, NotUnderstood
from perdure.gate.shell.outline import outline
from perdure.gate.shell.scope import children_of
from perdure.model.pattern import compiled_later
from perdure.model.value import replace, value
from perdure.recovery.starters import SHELLS, program_name, without_starters, without_wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.gate.shell.outline import Outline
    from perdure.gate.shell.syntax import Command

    Folders: TypeAlias = tuple[str, ...] | None

_LONGEST = 4000
"""Characters of a simple command, and of a text that the fallback reads."""
_LONGEST_WITH_DOCUMENTS = 100_000
_MOST_SHELLS = 3
"""How many shells within shells are read."""
_WRITING = (">", ">>", ">|", "&>", "&>>")
_SILENT = frozenset(("2>&1", "2>/dev/null", ">/dev/null", "&>/dev/null", "1>/dev/null"))
"""Redirections at a command's end that only hide or merge its output."""
_BACKSLASHES = compiled_later(r"(?:[\w.:\"]|\A)\\\w")
"""In a word: a Windows path. A shell would drop such a backslash without quotes, but nobody writes one for that."""
_ABSOLUTE = compiled_later(r"[/~$]|[A-Za-z]:")
_GOES_ON = compiled_later(r"(?:[&|;({]|(?<!\S)(?:do|then|else|in))\Z")
"""At the end of a line: the command continues on the next."""
_DOCUMENT = compiled_later(r"(?<!<)<<-?[ \t]*+(['\"]?)(\w++)\1(?!<)")
"""The beginning of a here-document, which ends with a line that is this word."""
_PIECE = compiled_later(
    r""" (?: "[^"\\]*+(?:\\.[^"\\]*+)*" | '[^']*+' | \\. | [^&|;\n"'\\]++ | (?<=>)& | &(?=>) )+ """, re.X | re.S
)
_COMMENT = compiled_later(r"^[ \t]*#.*\n?", re.M)
_BEGINS_A_LOOP = frozenset("for case select function coproc".split())


@value
class SimpleCommand:
    """One program and its arguments."""

    words: tuple[str, ...]
    """From the program's name on, without quotes. A word with a variable stays as it is written."""
    started: tuple[str, ...]
    """The words of the program that is finally started: of `uv run pytest -q` those from `pytest` on."""
    text: str
    """On one line, as it is written, without the assignments and wrappers before it."""
    named: tuple[str, ...] = ()
    """Its words and the targets of its redirections as they are written, for finding paths."""
    outputs: tuple[str, ...] = ()
    """The files that its standard output is redirected to."""
    folders: Folders = ()
    """The arguments of the `cd`s before it, in order; None if the folder is unknown."""
    after_failure: bool = False
    """It follows `||`."""
    in_background: bool = False

    @property
    def program(self) -> str:
        """The program that is finally started, without its folder."""
        return program_name(self.started[0])


@value
class ReadCommand:
    """A whole command. `outline` is None if the parser does not understand it."""

    text: str
    outline: Outline | None
    simple: tuple[SimpleCommand, ...]


@lru_cache(maxsize=256)
def read(command: str) -> ReadCommand:
    return _read(command.replace("\r\n", "\n").strip(), _MOST_SHELLS)


def _read(text: str, shells: int) -> ReadCommand:
    try:
        found = outline(text)
    except (NotUnderstood, RecursionError):
        return ReadCommand(text, None, _split_roughly(text, shells))
    walk = _Walk(text, found, (), shells=shells)
    walk.steps(found.tree)
    return ReadCommand(text, found, tuple(walk.found))


class _Walk:
    """Walks through a tree in the order of the text, and follows `cd`. What is inside `$(…)` belongs to the word around
    it."""

    def __init__(self, text: str, found: Outline, here: Folders, *, shells: int) -> None:
        self.text, self.outline, self.here, self.shells = text, found, here, shells
        self.found: list[SimpleCommand] = []

    def steps(self, tree: s.List) -> None:
        for step in tree.steps:
            begin = len(self.found)
            for command in step.pipeline.commands:
                self.command(command)
            if step.joined_by == "||" or step.background:
                behind = step.joined_by == "||"
                self.found[begin:] = [
                    replace(
                        each,
                        after_failure=each.after_failure or behind,
                        in_background=each.in_background or step.background,
                    )
                    for each in self.found[begin:]
                ]

    def command(self, command: Command) -> None:
        if isinstance(command, s.Simple):
            self.simple(command)
            return
        before, begin = self.here, len(self.found)
        for child in children_of(command):
            if isinstance(child, s.List):
                self.steps(child)
            else:
                self.command(child)  # type: ignore[arg-type]  # a function's body is a command
        if isinstance(command, s.Subshell):
            self.here = before
        self.redirected(begin, _outputs(command))

    def simple(self, command: s.Simple) -> None:
        spans = self.outline.words[command.start]
        written = [_unquoted(self.text[start:end]) for start, end in spans]
        words = [_value_of(word, source) for word, source in zip(command.words, written, strict=True)]
        if words[:1] == ["cd"]:
            self.here = _gone_to(self.here, words[1:])
            return
        first = len(words) - len(without_wrappers(words))
        words, written, spans = words[first:], written[first:], spans[first:]
        script = _script_of(words)
        if script is not None and self.shells:
            begin = len(self.found)
            self.shell_within(script)
            self.redirected(begin, _outputs(command))
        elif words and command.end - spans[0][0] <= _LONGEST:
            self.found.append(
                SimpleCommand(
                    words=tuple(words),
                    started=tuple(without_starters(words)),
                    text=self.shown(command, spans[0][0]),
                    named=(*_without_scripts(written), *_targets(command)),
                    outputs=_outputs(command),
                    folders=self.here,
                )
            )

    def redirected(self, begin: int, outputs: tuple[str, ...]) -> None:
        """`{ make; ls; } > log`: the output of each command goes there; the last one gets the file in its `named`."""
        if not outputs or begin == len(self.found):
            return
        self.found[begin:] = [replace(each, outputs=each.outputs or outputs) for each in self.found[begin:]]
        self.found[-1] = replace(self.found[-1], named=(*self.found[-1].named, *outputs))

    def shell_within(self, script: str) -> None:
        for each in _read(script, self.shells - 1).simple:
            folders = None if self.here is None or each.folders is None else (*self.here, *each.folders)
            self.found.append(replace(each, folders=folders))

    def shown(self, command: s.Simple, start: int) -> str:
        return without_silencing(in_one_line(self.text, self.outline, start, end=command.end), command)


def _value_of(word: s.Word, source: str) -> str:
    if _BACKSLASHES.search(source):
        return source
    found = s.literal(word)
    return source if found is None else found


def _unquoted(source: str) -> str:
    return source.replace('"', "").replace("'", "")


def _gone_to(here: Folders, given: list[str]) -> Folders:
    """The folders after this `cd`; None if they are unknown. An absolute folder is known whatever came before."""
    if len(given) != 1 or given[0][:1] in ("-", "") or "$" in given[0] or "`" in given[0]:
        return None
    if here is None and not _ABSOLUTE.match(given[0]):
        return None
    return (*(here or ()), given[0])


def script_run_by(words: list[str]) -> str | None:
    """The script that a command has a shell run, wrappers aside; None if it starts no shell so."""
    return _script_of(without_wrappers(words))


def _script_of(words: list[str]) -> str | None:
    """The script that a shell is to run: of `bash -lc 'make test'`, `make test`."""
    if words and program_name(words[0]) == "nix-shell":
        return next((script for flag, script in pairwise(words) if flag in ("--run", "--command")), None)
    if not words or program_name(words[0]) not in SHELLS:
        return None
    for place, word in enumerate(words[1:-1], 1):
        if word[:1] != "-":
            return None
        if word[:2] != "--" and "c" in word:
            return words[place + 1]
    return None


def _without_scripts(written: list[str]) -> list[str]:
    """The words without those behind `-c` or `-e`: paths in a script are not arguments of the command."""
    return [word for before, word in zip(["", *written], written, strict=False) if before not in ("-c", "-e")]


def _targets(command: s.Simple) -> list[str]:
    targets = [s.literal(redirect.target) for redirect in command.redirects if redirect.body is None]
    return [target for target in targets if target]


def _outputs(command: Command) -> tuple[str, ...]:
    redirects: tuple[s.Redirect, ...] = getattr(command, "redirects", ())
    kept = [each for each in redirects if each.operator in _WRITING and each.descriptor in ("", "1")]
    return tuple(s.literal(redirect.target) or "?" for redirect in kept)


# -- text -------------------------------------------------------------------------------------------------------------


def in_one_line(text: str, found: Outline, start: int, *, end: int) -> str:
    """A part of the text without comments and here-documents; a line end that ends a command becomes `;`."""
    cuts = [(span, "") for span in (*found.heredocs, *found.comments)]
    cuts += [((place, place + 1), "\n") for place in found.line_ends]
    cuts += [((place, place + 2), " ") for place in found.joined_lines]
    line, at = "", start
    for (begin, stop), instead in sorted(cuts):
        if begin < at or stop > end:
            continue
        line += text[at:begin]
        at = stop
        if instead == "\n":
            line = line.rstrip()
            instead = " " if not line or _GOES_ON.search(line) else "; "
        line += instead
    return " ".join((line + text[at:end]).split()).removesuffix(";").rstrip()


def without_silencing(text: str, command: Command) -> str:
    """The text without redirections at its end that only hide or merge the output."""
    for redirect in reversed(getattr(command, "redirects", ())):
        spelled = f"{redirect.descriptor}{redirect.operator}{s.literal(redirect.target)}"
        spaced = f"{redirect.descriptor}{redirect.operator} {s.literal(redirect.target)}"
        ending = next((each for each in (spelled, spaced) if text.endswith(" " + each)), "")
        if spelled not in _SILENT or not ending:
            break
        text = text.removesuffix(ending).rstrip()
    return text


# -- the fallback -----------------------------------------------------------------------------------------------------


def _split_roughly(text: str, shells: int) -> tuple[SimpleCommand, ...]:
    """The fallback for text that the parser does not understand as a whole. A piece that it does not understand either
    is split at blanks. Only the first 4,000 characters are read; a piece that is cut there is left out."""
    here: Folders = ()
    found: list[SimpleCommand] = []
    for piece in _pieces(without_documents(text)):
        command = _without_reserved(piece)
        try:
            tree = outline(command)
        except (NotUnderstood, RecursionError):
            words = _unquoted(command).split()
            if words:
                found.append(SimpleCommand(words=tuple(words), started=tuple(without_starters(words)), text=command))
            continue
        walk = _Walk(command, tree, here, shells=shells)
        walk.steps(tree.tree)
        found += walk.found
        here = walk.here
    return tuple(found)


def _pieces(text: str) -> list[str]:
    found: list[str] = []
    for piece in _PIECE.finditer(text[:_LONGEST]):
        if text[piece.start() - 1 : piece.start()] in ("'", '"'):  # behind a quote that is not closed nothing counts
            return found
        found.append(piece[0])
    return found[:-1] if len(text) > _LONGEST else found


def _without_reserved(piece: str) -> str:
    """`do make test` runs `make test`; a loop's first line runs nothing."""
    words = piece.strip().strip("(){}").split()
    while words and words[0] in RESERVED:
        if words.pop(0) in _BEGINS_A_LOOP:
            return ""
    return " ".join(words)


def without_documents(text: str) -> str:
    """Text that the parser does not understand, without here-documents and comments. If a document never ends, all text
    behind its beginning is left out."""
    kept: list[str] = []
    opened: list[str] = []
    for line in text[:_LONGEST_WITH_DOCUMENTS].split("\n"):
        if opened:
            opened = opened[1:] if line.strip(" \t") == opened[0] else opened
            continue
        last, opened = line, [found[2] for found in _DOCUMENT.finditer(line)]
        kept.append(_DOCUMENT.sub("", line))
    if opened:
        kept[-1] = last.partition("<<")[0]
    return _COMMENT.sub("", "\n".join(kept))
