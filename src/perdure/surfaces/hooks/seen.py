"""PostToolUse, PostToolUseFailure, SubagentStart, SubagentStop: what was done goes to the ledger. The client does not
wait for these."""

from __future__ import annotations

import os

from perdure.actions import observing
from perdure.model import payload as p
from perdure.model.ids import is_token
from perdure.surfaces.hooks import claude_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.actions.observing import Seen
    from perdure.surfaces.hooks.claude_code import Said

SEARCHES = {"Glob": "pattern", "Grep": "pattern", "WebSearch": "query", "WebFetch": "url"}
FILES = {"Read": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path"} | {
    "NotebookEdit": "notebook_path"
}


def after_tool(s: Said, program: str) -> str:
    observing.saw(claude_code.request_of(s, program), _done(s))
    return ""


def after_failure(s: Said, program: str) -> str:
    observing.saw(claude_code.request_of(s, program), _failed(s))
    return ""


def _done(s: Said) -> list[Seen]:
    if s.tool == "Bash":
        said = _response(s)
        printed = "\n".join(text for text in (said.get("stdout"), said.get("stderr")) if isinstance(text, str) and text)
        hidden = observing.hidden_failure(str(s.given.get("command")), printed)
        outcome = "interrupted" if said.get("interrupted") is True else "succeeded"
        return _command(s, outcome, hidden, silent="stdout" in said and not printed.strip())
    if s.tool in SEARCHES:
        query = s.given.get(SEARCHES[s.tool])
        return [p.SearchMade(query)] if isinstance(query, str) and query else []
    path = _path(s)
    if path is None:
        return []
    if s.tool == "Read":
        return [p.FileRead(path)]
    return [p.FileCreated(path)] if _response(s).get("type") == "create" else [p.EditMade(path)]


def _failed(s: Said) -> list[Seen]:
    error = s.text("error") or "no reason given"
    if s.tool == "Bash":
        return _command(s, "interrupted" if s.rest.get("is_interrupt") is True else "failed", error)
    return [p.ToolFailed(s.tool, error, _path(s))]


def _command(s: Said, outcome: str, error: str | None, *, silent: bool = False) -> list[Seen]:
    command, took = s.given.get("command"), s.rest.get("duration_ms")
    if not isinstance(command, str) or not command:
        return []
    taught = False if silent else None  # what printed nothing showed nothing
    return [p.CommandRun(command, outcome, None, error, took if type(took) is int else None, taught)]


def _response(s: Said) -> dict[str, object]:
    found = s.rest.get("tool_response")
    return dict(found) if isinstance(found, dict) else {}


def _path(s: Said) -> str | None:
    found = s.given.get(FILES.get(s.tool, ""))
    return os.path.normpath(os.path.join(s.cwd, found)) if isinstance(found, str) and found else None


def subagent_started(s: Said, program: str) -> str:
    if is_token(s.agent_id):
        observing.saw(claude_code.request_of(s, program), [p.SubagentStarted(s.agent_id, s.agent_type or None)])
    return ""


def subagent_stopped(s: Said, program: str) -> str:
    """The client's own summariser stops without a type, and is nobody's subagent."""
    if is_token(s.agent_id) and s.agent_type:
        observing.saw(claude_code.request_of(s, program), [p.SubagentStopped(s.agent_id, s.agent_type)])
    return ""


HANDLERS: dict[str, Callable[[Said, str], str]] = {
    "PostToolUse": after_tool,
    "PostToolUseFailure": after_failure,
    "SubagentStart": subagent_started,
    "SubagentStop": subagent_stopped,
}
