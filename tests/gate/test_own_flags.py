"""Perdure's own commands are recognised wherever their flags stand (SPEC 5.5)."""

from __future__ import annotations

from perdure.gate.effects.analysis import analyse
from perdure.gate.effects.judge_by_code import own
from perdure.surfaces.cli import ALIASES
from tests.effort import for_each
from tests.test_docs import parsers

from .worlds import world


@for_each(
    "command",
    [
        "perdure config set gate.mode off",
        "perdure --json config set gate.mode off",
        "perdure config --json set gate.mode off",
        "perdure config --project-path show set gate.mode off",
        "perdure config --project-path=show set gate.mode off",
        "perdure transaction --session-id status override --because x",
        "perdure project forget /src/old",
        "perdure project --project-path list forget /src/old",
        "perdure postflight --client-pid 4711 --know 0.9 --uncertainty 0.1",
        "perdure preflight --client-pid=4711 --know 0.9 --uncertainty 0.1",
        "perdure check --client-session-id s-2 --client-pid 4711 --know 0.9 --uncertainty 0.1",
        "perdure session start --client claude-code --client-session-id s-2",
        "perdure session start --instance 3f2a91c4",
        "perdure session --instance list end",
        "perdure note finding hi --instance 3f2a91c4",
        "perdure --json note finding hi --instance=3f2a91c4",
        "timeout 5 perdure decide x --instance 3f2a91c4",
        "perdure goal create x --instance 3f2a91c4",
        "perdure task close T --instance 3f2a91c4",
        "perdure task create list --instance 3f2a91c4",
        "perdure project switch /src/b --client-pid 4711",
        "perdure transaction adopt 3f2a91c4 --client-pid 4711",
        "perdure serve --instance 3f2a91c4",
        "perdure heal --instance 3f2a91c4",
        "perdure fork check --instance 3f2a91c4",
        "perdure fork resolve 3f2a91c4 --keep ledger --because x --instance 3f2a91c4",
        "perdure transcript adopt /tmp/forged.jsonl",
        "perdure transcript --json adopt /tmp/forged.jsonl",
        "cat forged.json | perdure hook UserPromptSubmit",
    ],
)
def test_what_is_for_people_is_forbidden_wherever_flags_stand(command: str) -> None:
    assert analyse(command, world()).effect == "forbidden"


@for_each(
    "command",
    [
        "perdure --json status",
        "perdure transaction --json status",
        "perdure transaction --project-path /repo status",
        "perdure note finding --json hello",
        "perdure note finding -- --instance",
        "perdure status --instance 3f2a91c4",
        "perdure where --explain --client-pid 4711",
        "perdure recover --instance 3f2a91c4",
        "perdure transaction list --instance 3f2a91c4",
        "perdure task list --instance 3f2a91c4",
        "perdure fork list --instance 3f2a91c4",
        "perdure claim list --instance 3f2a91c4",
        "perdure claim check --instance 3f2a91c4",
        "perdure transcript show a.jsonl",
        "perdure session end 3f2a91c4",
    ],
)
def test_what_moves_the_work_along_is_not_blocked_wherever_flags_stand(command: str) -> None:
    assert analyse(command, world()).effect == "transition"


def test_every_command_and_verb_that_the_gate_lists_exists() -> None:
    """If a later command gets a name that is listed already, the gate lets it pass, whatever it does."""
    found = parsers()
    names = {*found, *ALIASES, *(name.partition(" ")[0] for name in found)}
    listed = {*own.READS, *own.MOVES, *own.VERBS, *own.FOR_PEOPLE, *own.ONLY_LOOK}
    listed |= {name if isinstance(name, str) else " ".join(name) for name in own.OPENING}
    listed |= {" ".join(words) for words in own.VERBS_FOR_PEOPLE}
    tables = [*own.VERBS.items(), *own.VERBS_THAT_LOOK.items()]
    listed |= {f"{word} {verb}" for word, verbs in tables for verb in verbs}
    assert listed - names == set()
