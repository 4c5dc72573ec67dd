"""The hooks that run after a tool, and when a subagent starts or stops. They record what was done; the client does not
wait for them."""

from __future__ import annotations

import os
import time

from perdure.actions import observing
from perdure.clients import port
from perdure.gate.policy import is_denial
from perdure.model import payload as p
from perdure.model.ids import is_token
from perdure.surfaces.hooks.request import is_for_subagent, request_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.observing import Seen
    from perdure.clients.port import ClientTool, HookClient, Payload, ToolOutcome
    from perdure.surfaces.hooks import Handler

_UNKNOWN = port.ClientTool("")


def after_tool(client: HookClient, payload: Payload, program: str) -> str:
    ended = time.time_ns()
    seen = _done(client, payload)
    _record(client, payload, program, seen=seen, ended=ended)
    return _told_of_refusal(client, payload, program)


def after_failure(client: HookClient, payload: Payload, program: str) -> str:
    ended = time.time_ns()
    seen = _failed(client, payload)
    _record(client, payload, program, seen=seen, ended=ended)
    return _told_of_refusal(client, payload, program)


def _record(client: HookClient, payload: Payload, program: str, *, seen: list[Seen], ended: int) -> None:
    end = _end(client, payload, ended)
    observing.record_observed(request_of(client, payload, program), seen, end, transcript=payload.transcript_path)


def _told_of_refusal(client: HookClient, payload: Payload, program: str) -> str:
    """What the agent is told if the jail refused the command something (docs/adr/0116). Most commands print no such
    words, and nothing is looked up for them."""
    outcome = client.tool_outcome(payload)
    printed = outcome.error if outcome.printed is None else outcome.printed
    if client.TOOLS.get(payload.tool, _UNKNOWN).does != port.RUNS or is_denial(printed):
        return ""
    from perdure.jail.refusals import is_refusal

    if not is_refusal(printed):
        return ""
    from perdure.actions import shell_command
    from perdure.actions.gating import Gate
    from perdure.actions.request import resolve_request
    from perdure.lifecycle.phases import RUNNING, headed

    gate = Gate(resolve_request(request_of(client, payload, program)))
    told = shell_command.words_after_refusal(gate, client=client.NAME, tool=payload.tool, printed=printed)
    return client.tell(payload.event, headed(RUNNING, told))


def _end(client: HookClient, payload: Payload, ended: int) -> observing.CommandEnd | None:
    """How a command ended; None if the client does not know, because it went on in the background, or if it is another
    tool. The client starts the hook when the command ends."""
    outcome = client.tool_outcome(payload)
    if client.TOOLS.get(payload.tool, _UNKNOWN).does != port.RUNS or outcome.goes_on or outcome.interrupted:
        return None
    return observing.CommandEnd(outcome.error if outcome.printed is None else outcome.printed, ended)


def _done(client: HookClient, payload: Payload) -> list[Seen]:
    tool, outcome = client.TOOLS.get(payload.tool, _UNKNOWN), client.tool_outcome(payload)
    given = _given(tool, payload)
    if not given:
        return []
    if tool.does == port.RUNS:
        ended = "interrupted" if outcome.interrupted else "succeeded"
        return [_command(given, outcome, ended, error=observing.hidden_failure(given, outcome.printed or ""))]
    if tool.does == port.SEARCHES:
        return [p.SearchMade(given)]
    if tool.does == port.READS:
        return [p.FileRead(_path(given, payload))]
    if tool.does == port.CHANGES:
        path = _path(given, payload)
        return [p.FileCreated(path) if outcome.created else p.EditMade(path)]
    return []


def _failed(client: HookClient, payload: Payload) -> list[Seen]:
    tool, outcome = client.TOOLS.get(payload.tool, _UNKNOWN), client.tool_outcome(payload)
    given = _given(tool, payload)
    if _was_not_run(outcome):
        return []
    if tool.does == port.RUNS:
        ended = "interrupted" if outcome.interrupted else "failed"
        return [_command(given, outcome, ended, error=outcome.error)] if given else []
    is_file = tool.does in (port.READS, port.CHANGES)
    return [p.ToolFailed(payload.tool, outcome.error, _path(given, payload) if is_file and given else None)]


def _was_not_run(outcome: ToolOutcome) -> bool:
    """What the guard denied it noted itself; what a person, a rule or another hook refused is not a failure either."""
    if is_denial(outcome.error):
        return True
    from perdure.recovery.command_output import was_not_run

    return not outcome.interrupted and was_not_run(outcome.error)


def _command(command: str, outcome: ToolOutcome, ended: str, *, error: str | None) -> p.CommandRun:
    is_silent = outcome.printed is not None and not outcome.printed.strip()
    taught = False if is_silent else None  # a command that printed nothing showed nothing
    return p.CommandRun(
        command=command, outcome=ended, effect=None, error=error, duration_ms=outcome.milliseconds, taught=taught
    )


def _given(tool: ClientTool, payload: Payload) -> str:
    """What was read, searched, run or changed; empty if the call does not say."""
    found = payload.tool_input.get(tool.field)
    return found if isinstance(found, str) else ""


def _path(named: str, payload: Payload) -> str:
    return os.path.normpath(os.path.join(payload.cwd, named))


def subagent_started(client: HookClient, payload: Payload, program: str) -> str:
    if is_token(payload.agent_id):
        started = p.SubagentStarted(payload.agent_id, payload.agent_type or None)
        observing.record_observed(request_of(client, payload, program), [started])
    return ""


def subagent_stopped(client: HookClient, payload: Payload, program: str) -> str:
    """The client's own summariser has no type when it stops; it is not a subagent, and its last words are the
    summary."""
    if not payload.agent_type:
        observing.record_summary(request_of(client, payload, program), client.summary_made(payload))
    elif is_token(payload.agent_id):
        stopped = p.SubagentStopped(payload.agent_id, payload.agent_type)
        observing.record_observed(request_of(client, payload, program), [stopped])
    return ""


def compacted(client: HookClient, payload: Payload, program: str) -> str:
    """The compaction of a subagent's context is none of the session."""
    if is_for_subagent(client, payload, program):
        return ""
    observing.record_compacted(request_of(client, payload, program), client.summary_made(payload))
    return ""


HANDLERS: dict[str, Handler] = {
    port.AFTER_TOOL: after_tool,
    port.AFTER_FAILURE: after_failure,
    port.SUBAGENT_START: subagent_started,
    port.SUBAGENT_STOP: subagent_stopped,
    port.AFTER_COMPACTION: compacted,
}
