"""A shortcut for commands of plain words, which need no parser. A property test compares both (SPEC 5.4)."""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import MOST_CHARACTERS, MOST_NODES, PLAIN, RESERVED, ZSH_RESERVED


def plain(text: str) -> s.List | None:
    """The tree of a command that has only letters, digits and `_./=:,@+-`, separated by blanks; None for any other."""
    words = text.split(" ")
    if not words[0] or "=" in words[0] or words[0] in RESERVED or words[0] in ZSH_RESERVED:
        return None
    if not PLAIN.issuperset(text.replace(" ", "")) or len(text) > MOST_CHARACTERS or len(words) > MOST_NODES // 2:
        return None
    parts = tuple((s.Text(word),) for word in words if word)
    simple = s.Simple(assignments=(), words=parts, redirects=(), declared=(), start=0, end=len(text.rstrip(" ")))
    return s.List((s.JoinedPipeline("", s.Pipeline((simple,))),))
