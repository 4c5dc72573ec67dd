"""The MCP tools: `TOOLS` lists all of them. Each takes what its schema says, calls the same action as the command line,
and returns what `--json` prints there. No tool is listed before it works (SPEC 15.1).

    TOOLS["note"].run(ask, {"kind": "finding", "text": "the cache is keyed by path"})["note_id"]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.actions import (
    absences,
    audit_trail,
    checkpoint,
    claims,
    decisions,
    handoffs,
    notes,
    pointers,
    recovering,
    tasks,
    transaction_lookup,
    transactions,
)
from perdure.actions.wiring import open_desk
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.install.guard_registered import missing_guards
from perdure.model.checkpoint import FORMS
from perdure.model.payload import NOTE_KINDS, PointerSet
from perdure.model.value import value
from perdure.place.home import home_folder
from perdure.surfaces.cli.audit import chain_data, finalized_data, started_data, thought_data
from perdure.surfaces.cli.checkpoint import checkpoint_data
from perdure.surfaces.cli.claim import absent_data, claim_data, claim_of
from perdure.surfaces.cli.command import task_of
from perdure.surfaces.cli.decide import answered, decision_of
from perdure.surfaces.cli.handoff import demanded_of
from perdure.surfaces.cli.recover import recovered_data
from perdure.surfaces.cli.task import changed_data, changes_of, created_of, shown_data, task_data
from perdure.surfaces.cli.transaction import status_data
from perdure.surfaces.cli.transitions import assessment_of, checked_data, closed_data, opened_data
from perdure.surfaces.mcp import shapes as s
from perdure.surfaces.mcp.schema import COUNT, OBJECT, TEXT, WORDS, YES_OR_NO, answer, fields, many, maybe, record, told
from perdure.surfaces.mcp.schema import one_of as one
from perdure.surfaces.record_data import note_data
from perdure.surfaces.status_page import page_at, page_data
from perdure.views.handoff_text import as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from perdure.actions.request import Request
    from perdure.model.json import Json
    from perdure.surfaces.mcp.schema import Schema

    Given: TypeAlias = dict[str, Any]
    Answer: TypeAlias = Mapping[str, Json]
    Ask: TypeAlias = Callable[..., Request]
    """Gives a request from the server's place; `session_id` and `project_path` are as on the command line."""

LOOKS, ADDS, ENDS = "looks", "adds", "ends"
"""What a tool does to the record: nothing, add to it, or end something for good."""
MOST_TASKS = 100


@value
class Tool:
    title: str
    does: str
    about: str
    takes: Schema
    gives: Schema
    run: Callable[[Ask, Given], Answer]


# -- where the work stands -------------------------------------------------------------------------------------------


def _session_status(ask: Ask, _given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        return page_data(page_at(desk))


def _recover(ask: Ask, given: Given) -> Answer:
    level, most, query = (given.get(name) for name in ("level", "max_tokens", "query"))
    with open_desk(ask(), writable=False) as desk:
        return recovered_data(recovering.from_ledger(desk, level, most, query=query))


# -- transactions ----------------------------------------------------------------------------------------------------


def _preflight(ask: Ask, given: Given) -> Answer:
    assessment = assessment_of(given)
    with open_desk(ask(session_id=given.get("session_id"))) as desk:
        opened = transactions.preflight(desk, assessment)
        return opened_data(opened, [*missing_guards(desk.root, desk.resolved.home)])


def _check(ask: Ask, given: Given) -> Answer:
    assessment = assessment_of(given)
    return checked_data(transactions.check_anywhere(ask(session_id=given.get("session_id")), assessment), [])


def _postflight(ask: Ask, given: Given) -> Answer:
    asked = ask(session_id=given.get("session_id"), project_path=given.get("project_path"))
    closed = transactions.postflight(asked, assessment_of(given), given.get("transaction_id"))
    return closed_data(closed, [*missing_guards(closed.transaction.project_path, home_folder(asked.environment))])


def _transaction_status(ask: Ask, given: Given) -> Answer:
    session = given.get("session_id")
    asked = ask(session_id=session, project_path=given.get("project_path"))
    return status_data(transaction_lookup.status(asked, session))


# -- what is written down --------------------------------------------------------------------------------------------


def _decide(ask: Ask, given: Given) -> Answer:
    made, task = decision_of(given)
    with open_desk(ask()) as desk:
        decision = decisions.decide(desk, made, task_of(task))
    return answered(decision, [])


def _claim(ask: Ask, given: Given) -> Answer:
    made = claim_of(given)
    with open_desk(ask()) as desk, WorkTree(folder_of(desk)) as tree:
        return claim_data(claims.add(desk, tree, made))


def _claim_absent(ask: Ask, given: Given) -> Answer:
    with open_desk(ask()) as desk:
        event, found = absences.absent(desk, given["feature"], given["queries"], below=given.get("in", ""))
    return absent_data(event, found)


def _checkpoint(ask: Ask, given: Given) -> Answer:
    return checkpoint_data(checkpoint.run(ask(), given["form"], dry_run=given.get("dry_run", False)))


def _handoff(ask: Ask, given: Given) -> Answer:
    with open_desk(ask()) as desk:
        return as_json(handoffs.demand(desk, demanded_of(given)))


def _note(ask: Ask, given: Given) -> Answer:
    task = task_of(given.get("task_id"))
    with open_desk(ask()) as desk:
        return note_data(notes.add(desk, given["kind"], given["text"], task_id=task))


def _pointer(ask: Ask, given: Given) -> Answer:
    name = given["name"]
    with open_desk(ask()) as desk:
        if given.get("remove"):
            pointers.remove(desk, name)
        else:
            pointers.add(desk, PointerSet(name, given.get("value") or "", given.get("command") or ""))
        return {"pointers": [each.data for each in pointers.listed(desk)]}


# -- tasks -----------------------------------------------------------------------------------------------------------


def _task_create(ask: Ask, given: Given) -> Answer:
    made = created_of(given)
    with open_desk(ask()) as desk:
        return task_data(tasks.create(desk, made))


def _task_list(ask: Ask, given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        found = tasks.listed(desk, given.get("status"), given.get("include_closed", False))
    shown = found[: given.get("limit", MOST_TASKS)]
    return {"tasks": [task_data(task) for task in shown], "total": len(found)}


def _task_get(ask: Ask, given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        return shown_data(tasks.show(desk, given["task_id"]))


def _task_update(ask: Ask, given: Given) -> Answer:
    changes = changes_of({name: content for name, content in given.items() if name != "task_id"})
    with open_desk(ask()) as desk:
        return changed_data(tasks.update(desk, given["task_id"], changes))


def _task_next_actions(ask: Ask, _given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        found = tasks.next_actions(desk)
    active = task_data(found.active) if found.active else None
    return {"active": active, "ready": [task_data(task) for task in found.ready[:MOST_TASKS]]}


# -- audit -----------------------------------------------------------------------------------------------------------


def _audit_session_start(ask: Ask, given: Given) -> Answer:
    with open_desk(ask()) as desk:
        return started_data(audit_trail.start(desk, **given))


def _thought_record(ask: Ask, given: Given) -> Answer:
    with open_desk(ask()) as desk:
        return thought_data(audit_trail.think(desk, **given))


def _audit_verify_chain(ask: Ask, given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        return chain_data(audit_trail.verify(desk, given.get("task_id")))


def _merkle_finalize(ask: Ask, given: Given) -> Answer:
    with open_desk(ask()) as desk:
        return finalized_data(audit_trail.finalize(desk, given["session_id"]))


def _merkle_root(ask: Ask, given: Given) -> Answer:
    with open_desk(ask(), writable=False) as desk:
        return finalized_data(audit_trail.root(desk, given["session_id"]))


# -- the list --------------------------------------------------------------------------------------------------------

TOOLS: dict[str, Tool] = {
    "session_status": Tool(
        title="Status",
        does=LOOKS,
        about="The state of everything here: project, session, open transaction, goals, latest decisions, open notes.",
        takes=fields({}),
        gives=answer(s.OVERVIEW),
        run=_session_status,
    ),
    "recover": Tool(
        title="Recover",
        does=LOOKS,
        about=(
            "What whoever goes on must know, within a budget of tokens: goal, transaction, decisions, the "
            "person's last "
            "words and rules, open errors and items, files, names, commands. With a query: what the record holds "
            "about it."
        ),
        takes=fields(
            {},
            {
                "level": told("how much (default: brief)", one(*recovering.BUDGETS)),
                "query": told("words to look for (level 2)", WORDS),
                "max_tokens": told(
                    "the most tokens of the whole answer", {"type": "integer", "minimum": 1, "maximum": 1000000}
                ),
            },
        ),
        gives=answer({"brief": TEXT}),
        run=_recover,
    ),
    "preflight": Tool(
        title="PREFLIGHT",
        does=ADDS,
        about=(
            "Open a transaction before changing anything: say what you know and how sure you are. `gate` in the answer "
            "says whether changes pass. After `investigate`, only something learned since changes the answer."
        ),
        takes=fields(
            s.ASSESSED,
            {
                **s.REASONED,
                "session_id": s.SESSION,
                "task_id": s.TASK,
                "goal": told("the goal this serves: its words or its id", TEXT),
            },
        ),
        gives=answer(s.OPENED),
        run=_preflight,
    ),
    "check": Tool(
        title="CHECK",
        does=ADDS,
        about="Ask whether the work may proceed. After `investigate`, only something learned since changes the answer.",
        takes=fields(s.ASSESSED, {**s.REASONED, "session_id": s.SESSION}),
        gives=answer(s.CHECKED),
        run=_check,
    ),
    "postflight": Tool(
        title="POSTFLIGHT",
        does=ENDS,
        about="Close the transaction, wherever it was opened, and compare the assessment with the evidence.",
        takes=fields(
            s.ASSESSED,
            {
                **s.REASONED,
                "session_id": s.SESSION,
                "transaction_id": told("close this one, in whichever project it is", TEXT),
                "project_path": told("the project it is in", WORDS),
            },
        ),
        gives=answer(s.CLOSED),
        run=_postflight,
    ),
    "transaction_status": Tool(
        title="Transaction",
        does=LOOKS,
        about=(
            "This pane's open transaction, or else its last one. With session_id: that session's. With project_path: "
            "the one that is open there, whoever holds it; `mine` says whether you do."
        ),
        takes=fields({}, {"session_id": s.SESSION, "project_path": told("of this project", WORDS)}),
        gives=answer(s.HELD, s.HELD_MORE),
        run=_transaction_status,
    ),
    "decide": Tool(
        title="Decision",
        does=ADDS,
        about="Record a decision the moment it is made. Append-only: a later one supersedes it, nothing overwrites it.",
        takes=fields(
            {"decision": told("what was decided", WORDS)},
            {
                "rationale": told("why", TEXT),
                "title": told("a short name", TEXT),
                "key": told("what it decides, so that a contradicting decision is seen", TEXT),
                "value": told("what it decides it to be", TEXT),
                "supersedes": told("the decision it takes the place of", TEXT),
                "task_id": s.TASK,
                "evidence": many(told('{"path": "${PROJECT_ROOT}/a.py", "line": 12, "quote": "…"}', OBJECT)),
                "scenarios": many(OBJECT),
            },
        ),
        gives=answer({**s.DECISION, "fork": maybe(record(s.FORK)), **s.WARNED}),
        run=_decide,
    ),
    "claim": Tool(
        title="Claim",
        does=ADDS,
        about=(
            "Make a claim about the code, with evidence: a quote from lines of a file, a symbol, the person's own "
            "words, or an assumption. The file is opened: evidence that is not there is refused."
        ),
        takes=fields(
            {"claim": told("what is so", WORDS)},
            {
                "grounding": one(*claims.GROUNDINGS),
                "path": told("${PROJECT_ROOT}/src/a.py", WORDS),
                "line": told("the first cited line", {"type": "integer", "minimum": 1}),
                "end_line": told("the last", {"type": "integer", "minimum": 1}),
                "quote": told("word for word; for user_input the person's words", WORDS),
                "symbol": told("instead of lines and a quote: Cart.add", WORDS),
            },
        ),
        gives=answer(s.CLAIM),
        run=_claim,
    ),
    "claim_absent": Tool(
        title="Claim an absence",
        does=ADDS,
        about="Say that something is not there. The tracked files are searched for it in at least two ways.",
        takes=fields(
            {
                "feature": told("what is absent", WORDS),
                "queries": told("different words for it, at least two", many(WORDS)),
            },
            {"in": told("only in this folder, such as src/", WORDS)},
        ),
        gives=answer(s.ABSENCE),
        run=_claim_absent,
    ),
    "checkpoint": Tool(
        title="Checkpoint",
        does=ADDS,
        about=(
            "Check whether everything that the next context needs is written down: `full` before the context is "
            "cleared, `compact` before it is compacted. Each step says what to do."
        ),
        takes=fields(
            {"form": one(*FORMS)},
            {"dry_run": told("only look; record nothing", YES_OR_NO)},
        ),
        gives=answer(s.CHECKPOINT),
        run=_checkpoint,
    ),
    "handoff": Tool(
        title="Hand over",
        does=ADDS,
        about=(
            "Write the handoff for the next session. What you give is carried, word for word, until you give something "
            "else; the rest is taken from the record."
        ),
        takes=fields(
            {},
            {
                "task_summary": told("what the work is about", WORDS),
                "next_session_context": told("what the next session must know first", WORDS),
                **{name: many(WORDS) for name in ("key_findings", "decisions", "next_steps", "blockers", "files")},
            },
        ),
        gives=answer(s.HANDOFF),
        run=_handoff,
    ),
    "note": Tool(
        title="Note",
        does=ADDS,
        about="Keep a line: " + "; ".join(f"{kind}: {about}" for kind, about in NOTE_KINDS.items()) + ".",
        takes=fields({"kind": one(*NOTE_KINDS), "text": told("its words", WORDS)}, {"task_id": s.TASK}),
        gives=answer(s.NOTE),
        run=_note,
    ),
    "pointer": Tool(
        title="External pointer",
        does=ADDS,
        about="Register what another tool keeps for this work, with the command that reactivates it in a new context.",
        takes=fields(
            {"name": told("the integration, one word", WORDS)}, {"value": WORDS, "command": WORDS, "remove": YES_OR_NO}
        ),
        gives=answer({"pointers": many(record({"name": TEXT, "value": TEXT, "command": TEXT}))}),
        run=_pointer,
    ),
    "task_create": Tool(
        title="Create a task",
        does=ADDS,
        about="Record something to do.",
        takes=fields(
            {"title": told("in a few words", WORDS)},
            {**s.TASK_FIELDS, "blocked_by": told("the tasks it waits for", many(WORDS))},
        ),
        gives=answer(s.TASK_VIEW),
        run=_task_create,
    ),
    "task_list": Tool(
        title="Tasks",
        does=LOOKS,
        about="The tasks that are not closed: what is in progress first, then by urgency.",
        takes=fields(
            {},
            {
                "status": s.STATUS,
                "include_closed": YES_OR_NO,
                "limit": told(f"default: {MOST_TASKS}", {"type": "integer", "minimum": 1, "maximum": 10000}),
            },
        ),
        gives=answer({"tasks": many(record(s.TASK_VIEW)), "total": COUNT}),
        run=_task_list,
    ),
    "task_get": Tool(
        title="Task",
        does=LOOKS,
        about="One task in full, with its decisions and the tasks that wait for it.",
        takes=fields({"task_id": told("the task", WORDS)}),
        gives=answer({**s.TASK_VIEW, "blocks": many(TEXT), "decisions": many(record(s.DECISION))}),
        run=_task_get,
    ),
    "task_update": Tool(
        title="Change a task",
        does=ADDS,
        about=(
            "Change fields of a task; a list or text takes the place of the old one, an empty one empties it. "
            "The status "
            "closed needs a decision or a thought record on the task."
        ),
        takes=fields(
            {"task_id": told("the task", WORDS)},
            {
                "title": WORDS,
                "status": s.STATUS,
                "because": told("with the status closed: what shows that it is done", TEXT),
                **s.TASK_FIELDS,
            },
        ),
        gives=answer({**s.TASK_VIEW, **s.WARNED}),
        run=_task_update,
    ),
    "task_next_actions": Tool(
        title="What to do next",
        does=LOOKS,
        about="The task in progress, and those that nothing blocks.",
        takes=fields({}),
        gives=answer({"active": maybe(record(s.TASK_VIEW)), "ready": many(record(s.TASK_VIEW))}),
        run=_task_next_actions,
    ),
    "audit_session_start": Tool(
        title="Start an audit session",
        does=ADDS,
        about="Start an audit session: thought records that can be sealed together.",
        takes=fields(
            {"intent": told("what is about to be thought through", WORDS)},
            {"task_id": s.TASK, "session_id": told("its id (default: a new one)", WORDS)},
        ),
        gives=answer(s.AUDIT_STARTED),
        run=_audit_session_start,
    ),
    "thought_record": Tool(
        title="Record a thought",
        does=ADDS,
        about="Add a thought to its task's hash chain; bound to an audit session where one is named.",
        takes=fields(
            {
                "type": s.THOUGHT_TYPE,
                "task_id": told("the task whose chain it joins; any id", WORDS),
                "agent_id": told("who thinks", WORDS),
                "content": told("the thought", WORDS),
            },
            {"session_id": s.AUDIT_SESSION},
        ),
        gives=answer(s.THOUGHT),
        run=_thought_record,
    ),
    "audit_verify_chain": Tool(
        title="Verify the thoughts",
        does=LOOKS,
        about="Check the hash and link of every thought record, of one task or of all.",
        takes=fields({}, {"task_id": told("only this task's chain", WORDS)}),
        gives=answer({**s.CHAIN, "by_task": many(record({"task_id": TEXT, **s.CHAIN}))}),
        run=_audit_verify_chain,
    ),
    "merkle_finalize": Tool(
        title="Seal an audit session",
        does=ENDS,
        about="Give an audit session the Merkle root of its records. No record can be bound to it afterwards.",
        takes=fields({"session_id": s.AUDIT_SESSION}),
        gives=answer(s.FINALIZED),
        run=_merkle_finalize,
    ),
    "merkle_root": Tool(
        title="Root of an audit session",
        does=LOOKS,
        about="Read back the root an audit session was sealed with.",
        takes=fields({"session_id": s.AUDIT_SESSION}),
        gives=answer(s.FINALIZED),
        run=_merkle_root,
    ),
}
"""Name → tool. Do not rename one lightly: the gate recognizes them by their names (`OWN_MCP` in gate/tools.py)."""
