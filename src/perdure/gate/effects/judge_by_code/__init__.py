"""Code for what a card cannot express about a program. A card names it with `code: NAME`; `WHERE` lists all names.

There are three kinds of such functions, each with arguments of its own:

    check(call, found) -> str                   why words that the card allows are praxic all the same, or ''
    judge(call, name, card, *, args) -> None    adds the findings itself, instead of those that the operands' roles give
    weigher(found) -> str                       why a praxic call destroys or publishes something, or ''

`found` is how the card reads the words: `found.has("-q")`, `found.values_of("-c")`, `found.operands`.
"""

from __future__ import annotations

from perdure.gate.effects.cards import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeAlias

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card, Match
    from perdure.gate.shell.words import Field

    Check: TypeAlias = Callable[[ProgramCall, Match], str]
    Weigher: TypeAlias = Callable[[Match], str]

    class Judge(Protocol):
        def __call__(self, call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None: ...


CHECK, JUDGE, WEIGHER = "check", "judge", "weigher"
WHERE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("env", "xargs", "find", "shell", "container", "ssh", "remote_shell"), ("running", JUDGE)),
    **dict.fromkeys(("copy", "remove", "ldd"), ("files", JUDGE)),
    **dict.fromkeys(
        ("in_scratch", "plain", "plain_names", "tsc", "tar", "image", "pdftotext", "pandoc"), ("files", CHECK)
    ),
    **dict.fromkeys(("sed", "awk"), ("languages", JUDGE)),
    **dict.fromkeys(("dashed_values", "git_blame", "hg_values", "git_remote_word"), ("git", CHECK)),
    **dict.fromkeys(("git_config_name", "gh_api", "git_settings"), ("git", CHECK)),
    **dict.fromkeys(("ninja", "ctags"), ("files", CHECK)),
    "fd": ("running", JUDGE),
    **dict.fromkeys(("git_push", "git_checkout", "git_restore"), ("git", WEIGHER)),
    **dict.fromkeys(("tmux_format", "no_equals", "no_engine", "curl", "wget", "nothing_sent"), ("network", CHECK)),
    **dict.fromkeys(("connection", "psql", "mysql", "sqlite", "redis", "aws_verb"), ("services", CHECK)),
    "own_configuration": ("services", CHECK),
    "python": ("python", JUDGE),
    "node": ("javascript", JUDGE),
    "perdure": ("own", JUDGE),
}


def check_named(name: str) -> Check | None:
    """The check with this name; None where the name is empty or belongs to a judge or weigher."""
    check: Check | None = _function(name, CHECK)
    return check


def judge_named(name: str) -> Judge | None:
    judge: Judge | None = _function(name, JUDGE)
    return judge


def weigher_named(name: str) -> Weigher | None:
    weigher: Weigher | None = _function(name, WEIGHER)
    return weigher


def _function(name: str, kind: str) -> Any:
    """Imports the module only when it is needed: a command needs few of them."""
    if not name or WHERE[name][1] != kind:
        return None
    return getattr(__import__(f"{__name__}.{WHERE[name][0]}", fromlist=("",)), name)


def matched(card: Card, args: list[Field]) -> Match:
    """How the first form that accepts the words reads them; where none does, how the first form reads them."""
    found = [match(form, args) for form in card.forms]
    for each in found:
        if not each.trouble:
            return each
    return found[0]
