"""What stands beside perdure in one command line: only plain readers, or something that could do more (SPEC 5.5, 5.8)?

A command that moves the work along runs outside the jail, because it writes the record, and whatever is joined with it
in the same shell runs outside too. So the analysis alone must not decide there (docs/adr/0074). Beside perdure only
these stand: programs that have no option, no configuration and no input that makes them write or run something, with
words that are known before they run, and redirections that make no file.

    is_plain("cat a.json | perdure check - | head -3")  →  True
    is_plain("perdure status; git status")              →  False: git runs what a configuration names
"""

from __future__ import annotations

import os

from perdure.gate.effects.analysis import parsed
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import PLAIN, NotUnderstood
from perdure.gate.shell.plain import plain
from perdure.gate.shell.scope import commands_of, is_digits, parts_of
from perdure.gate.shell.syntax import literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell.syntax import Word

OWN_NAME = "perdure"
READERS = frozenset(
    """ls pwd cat head tail wc grep stat du cut tr nl tac paste fold basename dirname realpath readlink jq seq sleep cmp
    comm true false : cd echo""".split()
)
"""None of them has an option that writes or runs something, or reads a file that names a program."""
EVALUATING = frozenset(["printf", "exit"])
"""In one shell or the other they evaluate a subscript in a word, as in `printf %d 'a[$(touch x)]'`."""
RUNS_OTHERS = "run"
"""The command of perdure that runs another one."""
_SAFE_UNQUOTED = PLAIN | frozenset("~%")
_DATA = ("<<", "<<-", "<<<")
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr")
_NODES = (s.List, s.JoinedPipeline, s.Pipeline, s.Subshell, s.Group)


def is_plain(text: str) -> bool:
    """For a command that the analysis has found to move the work along, so that perdure in it is the real one."""
    try:
        tree = plain(text) or parsed(text)
    except (NotUnderstood, RecursionError):
        return False
    return all(_is_plain_node(node) for node in commands_of(tree))


def _is_plain_node(node: object) -> bool:
    if not all(_is_plain_redirect(redirect) for redirect in getattr(node, "redirects", ())):
        return False
    if isinstance(node, s.JoinedPipeline):
        return not node.background  # it could go on while the next command is judged
    return _is_plain_call(node) if isinstance(node, s.Simple) else isinstance(node, _NODES)


def _is_plain_call(call: s.Simple) -> bool:
    if call.assignments or call.declared or not call.words:
        return False
    words = _without_timeout(call.words)
    name = literal(words[0], bare=True) if words else None
    if name is None:
        return False
    if os.path.basename(name) == OWN_NAME:
        return _first_of(words[1:]) != RUNS_OTHERS and all(map(_is_harmless, words))
    if name in EVALUATING:
        return all(map(_is_never_evaluated, words))
    return name in READERS and all(map(_is_known, words))


def _without_timeout(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Without `timeout 10` before the command, the only wrapper that perdure may have."""
    texts = [literal(word, bare=True) or "" for word in words[:2]]
    return words[2:] if texts[:1] == ["timeout"] and is_digits(texts[-1].rstrip("smhd")) else words


def _first_of(words: tuple[Word, ...]) -> str:
    """The command of perdure."""
    return next((text for text in map(literal, words) if text and not text.startswith("-")), "")


def _is_known(word: Word) -> bool:
    """Whether it is one word of text, which no shell expands."""
    return all(isinstance(part, s.Text) and (part.quoted or _SAFE_UNQUOTED.issuperset(part.text)) for part in word)


def _is_harmless(word: Word) -> bool:
    """Whether expanding it runs nothing but the commands in it, which are looked at themselves. The values of variables
    are not evaluated in it, as in a subscript or in arithmetic."""
    for part in parts_of(word):
        if isinstance(part, s.Arithmetic):
            return False
        if isinstance(part, s.Var) and (part.operator or part.subscript is not None or part.offsets or part.loose):
            return False
    return True


def _is_never_evaluated(word: Word) -> bool:
    text = literal(word) or ""
    return _is_known(word) and "$" not in text and "`" not in text


def _is_plain_redirect(redirect: s.Redirect) -> bool:
    """A file is not made, in scratch neither: what runs in the jail could put a link there in the meantime."""
    if redirect.operator in _DATA:
        return _is_harmless(redirect.content)
    if redirect.operator == "<":
        return _is_known(redirect.target) or _is_from_process(redirect.target)
    text = literal(redirect.target)
    return text is not None and (text in _NOWHERE or (redirect.operator in ("<&", ">&") and is_digits(text)))


def _is_from_process(word: Word) -> bool:
    """`< <(…)`, whose commands are looked at themselves."""
    return len(word) == 1 and isinstance(word[0], s.ProcessSubstitution)
