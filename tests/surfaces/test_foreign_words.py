"""Words that another machine wrote are marked wherever a command prints them (SPEC 16.4, 20.5)."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from perdure.model import payload as p
from perdure.model.event import GENESIS, Draft
from perdure.model.value import fields, replace
from perdure.proof.chain import head_of, seal
from perdure.proof.merkle import Frontier, leaf
from perdure.proof.thought_hash import record_hash
from perdure.surfaces.cli import COMMANDS
from tests.conftest import Cli
from tests.contract.making import OTHER, VECTORS, draft, id_of
from tests.surfaces.looking import assert_error
from tests.surfaces.test_foreign_events import started_task, take_in
from tests.surfaces.test_importing import forged, pane, text
from tests.surfaces.test_transfer import FLAGS

__all__ = ["pane"]

MARK = "from another machine"
EVIL = "evil"
AUDIT = "evil-audit"
ENDING = ("task.closed", "goal.done", "session.ended", "transaction.closed")
SHOWN = (
    "audit finalize evil-audit",
    "audit root evil-audit",
    "audit verify-chain",
    "checkpoint",
    "claim check",
    "claim list",
    "compaction preview",
    "compaction show",
    "contract show",
    "decide --list",
    "fork check",
    "fork list",
    "gate why",
    "goal list",
    "goal list --all",
    "handoff list",
    "handoff show",
    "handoff write",
    "log",
    "note list",
    "notes show",
    "pointer list",
    "project show",
    "recover --level 1",
    "recover --level 2 --query evil",
    "recover --level 3 --max-tokens 6000",
    "recover --max-tokens 3000",
    "search evil",
    "session list",
    "session show",
    "state show",
    "status",
    "story",
    "task list --all",
    "task ready",
    "task show TASK",
    "transaction list --all",
    "transaction show",
    "transaction status",
    "undo --list",
    "where",
)
"""Commands that print words of the record. `TASK` is a task of ours."""
OTHERS = """
    audit acknowledge, audit anchor, audit heads, audit key, audit prove, audit start, audit think, audit verify,
    audit verify-proof,
    calibration, check, claim absent, claim add, completion, config set, config show, config unset, contract clear,
    contract set, demo, doctor, export, finding, fork resolve, gate explain, goal create, goal done, handoff verify,
    heal, hook, import, init, mcp, note, notes diff, notes take, notes write, pause, pointer remove, pointer set,
    postflight, preflight, project forget, project list, project switch, readonly, redact, run, serve, session end,
    session start, state fields, task close, task create, task dep, task diff, task export, task import, task update,
    transaction adopt, transaction close, transaction override, transcript adopt, transcript show, uninstall
"""
"""Commands that print no words of the record, or only those that were given to them."""
VALUES = {
    "claim.absent": {"outcome": "confirmed_ghost"},
    "claim.made": {"grounding": "assumption"},
    "decision.made": {"supersedes": None, "words_from": None},
    "task.created": {"priority": 0},
    "task.updated": {"status": "in_progress", "priority": 0, "cleared": ()},
    "session.started": {"source": "startup", "parent_id": None},
    "command.run": {"outcome": "failed"},
}
"""What a reader takes only if it is one of several known words."""


def evil_payload(kind: str, ours: dict[str, Any]) -> dict[str, Any]:
    """A payload of this kind with words in every field that takes words, about what is ours."""
    made: dict[str, Any] = {}
    payload_class = p.KINDS[kind][0]
    by_type: dict[str, Any] = {
        "int": 1,
        "bool": True,
        "Vectors": VECTORS,
        "dict[str, float]": {},
        "tuple[int, str]": [1, EVIL],
    }
    for name in fields(payload_class):
        annotation = payload_class.__annotations__[name].removesuffix(" | None")
        words = f"{EVIL} {kind} {name}"
        if annotation == "str":
            made[name] = ours.get(name, words)
        elif annotation == "tuple[str, ...]":
            made[name] = [words]
        elif annotation == "tuple[dict[str, Json], ...]":
            made[name] = [{"type": "edge_case", "name": words, "expected": words, "session_id": words, "quote": words}]
        elif annotation == "dict[str, str]":
            made[name] = {"title": words}
        else:
            made[name] = by_type[annotation]
    made |= VALUES.get(kind, {})
    return {name: content for name, content in made.items() if content is not None}


LEFT_OUT = (
    "ledger.opened",
    "ledger.merged",
    "payload.redacted",
    "head.signed",
    "ledger.healed",
    "restore.acknowledged",
)


def every_kind(cli: Cli, task: str) -> list[Draft]:
    where = cli.ok("where")
    ours = {
        "project_path": str(cli.cwd),
        "path": "cart.py",
        "contract": where["session_id"],
        "because": f"{EVIL} because",
    }
    place = {name: where[name] for name in ("session_id", "instance_id")}
    place["transaction_id"] = cli.ok("transaction", "status")["transaction_id"]
    found = []
    for kind in p.KINDS:
        if kind in LEFT_OUT:
            continue
        said = evil_payload(kind, ours)
        audit = kind.startswith(("audit.", "thought."))
        about = {**place, "session_id": AUDIT} if audit else place
        made = draft(kind, said, actor="user", task_id=task, **about)
        found.append(thought(task, f"{EVIL} thought", audit=AUDIT) if kind == "thought.recorded" else made)
    return found


def verbs() -> set[str]:
    """Every command, with its verb where it has verbs."""
    found = set()
    for name, (module, _) in COMMANDS.items():
        parser = argparse.ArgumentParser()
        import_module(f"perdure.surfaces.cli.{module}").COMMANDS[name].flags(parser)
        below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
        found |= {f"{name} {verb}" for each in below for verb in each.choices} or {name}
    return found


def test_every_command_is_known_to_print_words_of_the_record_or_not() -> None:
    shown = {command for command in verbs() if any(each.startswith(command) for each in SHOWN)}
    others = {each.strip() for each in OTHERS.split(",")}
    assert sorted(verbs() - shown - others) == []
    assert sorted(others - verbs()) == []


def invade(pane: Cli, left_out: tuple[str, ...]) -> str:
    """Another machine's events of every other kind, about our session, transaction, instance and task, as if the person
    had written them. Returns the task's id."""
    (pane.cwd / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    pane.ok("session", "start")
    pane.ok("preflight", *FLAGS)
    task = started_task(pane)
    take_in(pane, [each for each in every_kind(pane, task) if each.kind not in left_out])
    return task


@pytest.mark.parametrize("left_out", [(), ENDING], ids=["all kinds", "nothing ends"])
def test_words_of_another_machine_are_marked_wherever_they_are_shown(pane: Cli, left_out: tuple[str, ...]) -> None:
    task, unmarked, seen = invade(pane, left_out), {}, 0
    for command in SHOWN:
        done = pane(*command.replace("TASK", task).split())
        assert "Traceback" not in done.err, (command, done)
        lines = (done.out + done.err).replace(AUDIT, "").splitlines()
        seen += any(EVIL in line for line in lines)
        unmarked[command] = [line for line in lines if EVIL in line and MARK not in line]
    assert {command: lines for command, lines in unmarked.items() if lines} == {}
    assert seen > 10, "the words are shown at all"


SAID_BY = ("other_machine", "other_ledger", "fields_from_other_machines", "words_from")
"""The names by which JSON says that words came from another machine, beside the words or around them."""


def unmarked_in(data: object, is_marked: bool = False) -> Iterator[str]:
    if isinstance(data, dict):
        is_marked = is_marked or any(data.get(name) for name in SAID_BY)
        data = [*data.values()]
    if isinstance(data, list):
        for each in data:
            yield from unmarked_in(each, is_marked)
    elif isinstance(data, str) and not is_marked:
        yield from (line for line in data.replace(AUDIT, "").splitlines() if EVIL in line and MARK not in line)


@pytest.mark.parametrize("left_out", [(), ENDING], ids=["all kinds", "nothing ends"])
def test_json_says_of_words_of_another_machine_whose_they_are(pane: Cli, left_out: tuple[str, ...]) -> None:
    task, unmarked, seen = invade(pane, left_out), {}, 0
    for command in SHOWN:
        done = pane(*command.replace("TASK", task).split(), "--json")
        seen += EVIL in done.out.replace(AUDIT, "")
        unmarked[command] = [*unmarked_in(json.loads(done.out or done.err))]
    assert {command: lines for command, lines in unmarked.items() if lines} == {}
    assert seen > 10, "the words are given at all"


@pytest.mark.parametrize("command", ["claim list", "claim check"])
def test_a_claim_says_from_which_ledger_it_came(pane: Cli, command: str) -> None:
    pane.ok("claim", "add", "tax is added last", "--assume")
    take_in(pane, [draft("claim.made", p.ClaimMade("evil claim", "assumption", None))])
    found = {each["claim"]: each["other_machine"] for each in pane(*command.split(), "--json").json}
    assert found == {"tax is added last": None, "evil claim": OTHER}


# -- the audit trail -------------------------------------------------------------------------------------------------


def thought(task: str, words: str, *, number: int = 1, audit: str | None = None, **said: Any) -> Draft:
    """A thought record as another machine writes it: the first of its chain."""
    id, ts = id_of(number), "2026-01-01T00:00:00.000Z"
    prev_hash = said.pop("prev_hash", GENESIS)
    hash_ = record_hash(id, "plan", task, content=words, timestamp=ts, prev_hash=prev_hash)
    written = {"type": "plan", "agent_id": "x", "content": words, "prev_hash": prev_hash, "hash": hash_, **said}
    return draft("thought.recorded", written, id=id, ts=ts, task_id=task, session_id=audit)


def sealed(root: str, count: int, covers: list[dict[str, Any]]) -> Draft:
    return draft("audit.finalized", {"root": root, "record_count": count, "covers": covers}, session_id=AUDIT)


@pytest.mark.parametrize(
    "altered",
    [
        {"hash": "ab" * 32},
        {"hash": "no hash"},
        {"prev_hash": "ab" * 32},
        {"follows": [1, OTHER]},
        {"content": 5},
        {"prev_hash": "ab" * 32, "follows": [900, OTHER]},
    ],
)
def test_a_thought_that_does_not_verify_is_not_imported(pane: Cli, altered: dict[str, Any]) -> None:
    task = started_task(pane)
    pane.ok("audit", "think", "--type", "plan", "--content", "measure first", "--task", task, "--agent", "x")
    made = thought(task, "evil", **altered)
    done = pane("import", "-", input=text(forged(pane, [made], clock=10_000)))
    still_whole = altered == {"follows": [1, OTHER]}
    assert ("broken_thought" in done.out + done.err) is not still_whole, done
    assert pane("audit", "verify-chain").code == 0


def test_a_chain_of_thoughts_of_another_machine_is_imported_in_parts(pane: Cli) -> None:
    task = started_task(pane)
    first = thought(task, "one")
    second = thought(task, "two", number=2, prev_hash=first.payload["hash"])
    events = forged(pane, [first, second], clock=10_000)
    pane.ok("import", "-", input=text(events[:2]))
    pane.ok("import", "-", input=text(events))
    pane.ok("audit", "think", "--type", "plan", "--content", "three", "--task", task, "--agent", "x")
    assert pane.ok("audit", "verify-chain")["record_count"] == 3
    assert [each["other_machine"] for each in pane.ok("task", "show", task)["thoughts"]] == [None, OTHER, OTHER]


def test_a_root_that_another_machine_invented_is_not_shown_as_one(pane: Cli) -> None:
    take_in(pane, [thought("t", "one", audit=AUDIT), sealed("ab" * 32, 1, [{"ledger_id": OTHER, "seq": 2}])])
    error = assert_error(pane("audit", "root", AUDIT, "--json"), 1, kind="ERR_ROOT_UNTRUE")
    assert "ab" * 32 not in str(error)
    pane.ok(*shlex.split(error["hint"].partition("perdure ")[2]))


def test_a_root_that_another_machine_sealed_says_so(pane: Cli) -> None:
    events = forged(pane, [thought("t", "one", audit=AUDIT)], clock=10_000)
    root = Frontier()
    root.append(leaf(bytes.fromhex(events[-1].hash)))
    said = sealed(root.root().hex(), 1, [{"ledger_id": OTHER, "seq": 2}])
    last, _ = seal(replace(said, project_id=events[-1].project_id), head_of(events[-1]))
    pane.ok("import", "-", input=text([*events, last]))
    done = pane("audit", "root", AUDIT)
    assert root.root().hex() in done.out
    assert MARK in done.out
    assert pane.ok("audit", "root", AUDIT)["other_machine"] == OTHER


def test_a_session_that_another_machine_sealed_keeps_nobody_here_from_its_id(pane: Cli) -> None:
    task = started_task(pane)
    take_in(pane, [thought("t", "one", audit=AUDIT), sealed("ab" * 32, 1, [{"ledger_id": OTHER, "seq": 2}])])
    assert_error(pane("audit", "finalize", AUDIT, "--json"), 1, kind="ERR_SESSION_NOT_FOUND")
    pane.ok("audit", "start", "--session", AUDIT, "--intent", "ours")
    assert_error(
        pane("audit", "start", "--session", AUDIT, "--intent", "again", "--json"), 1, kind="ERR_SESSION_EXISTS"
    )
    pane.ok("audit", "think", "--type", "plan", "--content", "ours", "--task", task, "--agent", "x", "--session", AUDIT)
    done = pane.ok("audit", "finalize", AUDIT)
    assert done["record_count"] == 1
    assert pane.ok("audit", "root", AUDIT) == done
    assert "other_machine" not in done
    assert pane("audit", "verify").code == 0
    pane.ok("heal")
    assert pane.ok("audit", "root", AUDIT)["root"] == done["root"]
