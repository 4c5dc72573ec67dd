"""preflight, check, postflight: they open, check and close a transaction (SPEC 4.2 to 4.4)."""

from __future__ import annotations

from argparse import ArgumentTypeError

from perdure.actions import transactions
from perdure.actions.transactions import CheckAnswer, Closed, Opened, SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.gate.policy import NUMBERS, YOUR_OWN
from perdure.install.guard_registered import missing_guards
from perdure.model.ids import SHORT, prefix_of, short, shown
from perdure.model.plural import counted
from perdure.model.vectors import JSON_FORM, NAMES, REQUIRED, read_vectors
from perdure.place.home import home_folder
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    client_flags,
    common,
    read_input,
    request,
    task_of,
    text_field,
    unknown_fields,
)
from perdure.surfaces.output import duration, harmless, one_line, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from perdure.model.assessment import Assessment
    from perdure.model.calibration import Error
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_FIELDS = ("vectors", "reasoning", "session_id", "task_id", "goal", "transaction_id", "project_path")
_IGNORED = ("decision",)
"""Perdure computes the decision and ignores one in the input (SPEC 4.3); some older agents send one."""


def _number(text: str) -> float:
    """`read_vectors` checks the range, for every surface."""
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a number from 0.0 to 1.0, not {shown(text)}") from None


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", metavar="-", help="read the assessment as JSON from standard input")
    parser.add_argument("--because", metavar="TEXT", help="the reasons for the numbers")
    vectors = parser.add_argument_group("vectors, 0.0 to 1.0 (know and uncertainty are required)")
    for name, meaning in NAMES.items():
        vectors.add_argument(f"--{name}", type=_number, metavar="N", help=meaning)
    common(parser)
    client_flags(parser)


def _preflight_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--goal", metavar="TEXT", help="the goal of this work: its title or its id")
    parser.add_argument("--task-id", metavar="ID", help="the task of this work")
    _flags(parser)


def _postflight_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--transaction-id", metavar="ID", help="close this one, wherever it was opened")
    _flags(parser)


def _given(arguments: Arguments) -> dict[str, Any]:
    by_flag = {name: getattr(arguments, name) for name in NAMES if getattr(arguments, name) is not None}
    if arguments.input not in (None, "-"):
        raise BadInput("usage", f"{shown(arguments.input)} is not expected.", hint="- reads from standard input.")
    if arguments.input:
        if by_flag or arguments.because:
            raise BadInput("usage", "Give the assessment as JSON (-) or by flags, not both.")
        return read_input(JSON_FORM, f"{YOUR_OWN}.")
    if not by_flag:
        raise BadInput(
            "usage",
            "No assessment given.",
            hint=f"By flags: {NUMBERS} --because '…'; or as JSON on standard input, with -. {YOUR_OWN}.",
        )
    missing = [name for name in REQUIRED if name not in by_flag]
    if missing:
        raise BadInput(
            "bad_vector",
            f"--{missing[0]} is required.",
            hint=f"{NUMBERS} --because '…' ({YOUR_OWN}).",
            details={"field": f"vectors.{missing[0]}"},
        )
    given: dict[str, Any] = {"vectors": by_flag, "reasoning": arguments.because or ""}
    for name in ("goal", "task_id"):
        if getattr(arguments, name, None) is not None:
            given[name] = getattr(arguments, name)
    return given


def assessment_of(given: dict[str, Any]) -> SelfAssessment:
    return SelfAssessment(
        vectors=read_vectors(given.get("vectors")),
        reasoning=text_field(given, "reasoning") or "",
        task_id=task_of(text_field(given, "task_id") or None),
        goal=text_field(given, "goal"),
    )


def _warnings(given: dict[str, Any]) -> list[Json]:
    return [
        f"field {shown(name)} is not used here" + (": the decision is computed" if name in _IGNORED else "")
        for name in unknown_fields(given, _FIELDS)
    ]


def _gate(assessment: Assessment) -> dict[str, Json]:
    return {
        "passes": assessment.decision == "proceed",
        "decision": assessment.decision,
        "corrected": dict(assessment.corrected),
        "correction": dict(assessment.correction),
        "failed": [
            {"vector": s.vector, "value": s.value, "needed": s.needed, "advice": s.advice}
            for s in assessment.shortfalls
        ],
    }


def _gate_text(assessment: Assessment, style: Style) -> str:
    if assessment.decision == "proceed":
        lines = [style("green", "proceed") + _numbers(assessment)]
    else:
        lines = [style("yellow", "investigate") + _numbers(assessment)]
    for shortfall in assessment.shortfalls:
        need = ""
        if shortfall.vector != "learned":
            sign = "≤" if shortfall.vector == "uncertainty" else "≥"
            need = f"{shortfall.vector} {shortfall.value:.2f}, needed {sign} {shortfall.needed:.2f}. "
        lines.append(f"  {need}{shortfall.advice}")
    if assessment.correction:
        moved = ", ".join(f"{name} {-amount:+.2f}" for name, amount in assessment.correction.items())
        lines.append(style("dim", f"  corrected by this agent's own record: {moved}"))
    return "\n".join(lines)


def _numbers(assessment: Assessment) -> str:
    return f"  (know {assessment.corrected['know']:.2f}, uncertainty {assessment.corrected['uncertainty']:.2f})"


def _preflight(arguments: Arguments) -> Answer:
    given = _given(arguments)
    assessment = assessment_of(given)
    session = text_field(given, "session_id") or arguments.session_id
    with open_desk(request(arguments, session_id=session)) as desk:
        opened = transactions.preflight(desk, assessment)
        unguarded = missing_guards(desk.root, desk.resolved.home)
    transaction = opened.transaction

    def text(style: Style) -> str:
        name = style("bold", f"Transaction {short(transaction.id)}")
        lines = [
            f"{name} opened in {path_for_people(transaction.project_path)}",
            f"gate  {_gate_text(opened.assessment, style)}",
        ]
        if opened.message != transactions.OPENED:
            lines.append(harmless(opened.message.removeprefix(transactions.OPENED).strip()))
        for each in opened.elsewhere.open:
            also = f"{short(each.transaction.id)} in {path_for_people(each.transaction.project_path)}"
            lines.append(f"also yours and still open: {also}")
        for each in opened.orphans:
            left = "by another pane, and not used for a long time"
            if each.is_left_behind:
                left = "by a pane that is gone"
            lines.append(style("yellow", f"left open {left}: {short(each.transaction.id)}"))
        return "\n".join([*lines, *(style("red", f"! {harmless(each)}") for each in unguarded)])

    return Answer(opened_data(opened, [*_warnings(given), *unguarded]), text, as_json=bool(arguments.input))


def opened_data(opened: Opened, warnings: list[Json]) -> dict[str, Json]:
    transaction = opened.transaction
    return {
        "transaction_id": transaction.id,
        "project_path": transaction.project_path,
        "status": transaction.status,
        "session_id": transaction.preflight_session_id,
        "instance_id": transaction.instance_id,
        "goal_id": transaction.goal_id,
        "gate": _gate(opened.assessment),
        "message": opened.message,
        "orphans": [str(each.transaction.id) for each in opened.orphans],
        "elsewhere": [str(each.transaction.id) for each in opened.elsewhere.open],
        "warnings": warnings,
    }


def _check(arguments: Arguments) -> Answer:
    given = _given(arguments)
    assessment = assessment_of(given)
    session = text_field(given, "session_id") or arguments.session_id
    checked = transactions.check_anywhere(request(arguments, session_id=session), assessment)
    found = checked.assessment
    data = checked_data(checked, _warnings(given))
    return Answer(
        data=data,
        text=lambda style: _gate_text(found, style),
        exit_code=0 if found.decision == "proceed" else 1,
        as_json=bool(arguments.input),
    )


def checked_data(checked: CheckAnswer, warnings: list[Json]) -> dict[str, Json]:
    return {
        "decision": checked.assessment.decision,
        "transaction_id": checked.transaction.id,
        "project_path": checked.transaction.project_path,
        **_gate(checked.assessment),
        "warnings": warnings,
    }


def _postflight(arguments: Arguments) -> Answer:
    given = _given(arguments)
    assessment = assessment_of(given)
    session = text_field(given, "session_id") or arguments.session_id
    named = arguments.transaction_id
    if named is None:  # an empty id is not a missing one: it is refused, and nothing is closed
        named = text_field(given, "transaction_id")
        if named is not None:
            prefix_of(named, "The transaction id", least=SHORT)  # a program has the id, and need not shorten it
    where = arguments.project_path or text_field(given, "project_path")
    asked = request(arguments, session_id=session, project_path=where)
    closed = transactions.postflight(asked, assessment, named)
    unguarded = missing_guards(closed.transaction.project_path, home_folder(asked.environment))

    def text(style: Style) -> str:
        return "\n".join([closed_text(closed, style), *(style("red", f"! {harmless(each)}") for each in unguarded)])

    return Answer(closed_data(closed, [*_warnings(given), *unguarded]), text, as_json=bool(arguments.input))


def closed_data(closed: Closed, warnings: list[Json]) -> dict[str, Json]:
    transaction = closed.transaction
    return {
        "transaction_id": transaction.id,
        "project_path": transaction.project_path,
        "status": transaction.status,
        "sessions_touched": [str(session) for session in transaction.sessions],
        "postflight_session_id": transaction.postflight_session_id,
        "duration_seconds": closed.duration_seconds,
        "delta": dict(closed.delta),
        "calibration": {name: error_data(error) for name, error in closed.calibration.items()} or None,
        "open_goal_id": closed.goal.id if closed.goal else None,
        "message": f"Transaction closed.{_goal_text(closed)}",
        "warnings": [*warnings, *([closed.warning] if closed.warning else [])],
    }


def _goal_text(closed: Closed) -> str:
    if closed.goal is None:
        return ""
    title = one_line(closed.goal.title)
    return f" Its goal stays open ({title}); when it is reached: {closed.goal_done_by}"


def error_data(error: Error) -> dict[str, Json]:
    return {"stated": error.stated, "evidence": round(error.evidence, 4), "error": round(error.signed, 4)}


def closed_text(closed: Closed, style: Style) -> str:
    transaction = closed.transaction
    count = len(transaction.sessions)
    lines = [
        f"{style('bold', 'Transaction ' + short(transaction.id))} closed after {duration(closed.duration_seconds)}, "
        f"{counted(count, 'session')}"
    ]
    if closed.delta:
        lines.append("delta  " + "  ".join(f"{name} {amount:+.2f}" for name, amount in closed.delta.items()))
    if closed.calibration:
        for name, error in closed.calibration.items():
            lines.append(f"calibration  {name}: stated {error.stated:.2f}, evidence {error.evidence:.2f}")
    else:
        lines.append(style("dim", "calibration  not computed: no test, claim or scenario was recorded"))
    if closed.goal:
        lines.append(harmless(_goal_text(closed).strip()))
    if closed.warning:
        lines.append(style("red", f"! {harmless(closed.warning)}"))
    return "\n".join(lines)


_EXAMPLE_JSON = (
    """echo '{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read parser.py"}' | perdure %s -"""
)

COMMANDS: dict[str, Command] = {
    "preflight": Command(
        run=_preflight,
        flags=_preflight_flags,
        examples=(
            "perdure preflight --know 0.8 --uncertainty 0.2 --because 'read the parser and its tests' --goal 'ship "
            "it'\n"
        )
        + _EXAMPLE_JSON % "preflight",
        about="Opens a transaction. Say what you know and how sure you are before you change anything.",
    ),
    "check": Command(
        run=_check,
        flags=_flags,
        examples="perdure check --know 0.85 --uncertainty 0.1 --because 'the failing test is understood'\n"
        + _EXAMPLE_JSON % "check",
        about=(
            "Asks whether the work may proceed. Exit 0: proceed; 1: investigate first. After `investigate`, the "
            "answer changes only if something was learned since."
        ),
    ),
    "postflight": Command(
        run=_postflight,
        flags=_postflight_flags,
        examples="perdure postflight --know 0.9 --uncertainty 0.1 --completion 1.0 --because 'all tests pass'\n"
        "perdure postflight --transaction-id 3f2a91c4 --know 0.9 --uncertainty 0.1   # from anywhere\n"
        + _EXAMPLE_JSON
        % "postflight",
        about="Closes the transaction, wherever it was opened, and compares the assessment with the evidence.",
    ),
}
