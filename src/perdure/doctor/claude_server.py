"""Examines Claude Code: is Perdure's MCP server registered, and does it start as registered? The guard does not depend
on it, so nothing found here is worse than a warning."""

from __future__ import annotations

from perdure.doctor.finding import ok, warn
from perdure.doctor.subprocesses import run
from perdure.install import claude_servers
from perdure.model.json import compact, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.doctor.examine import ExaminerContext
    from perdure.doctor.finding import CheckResult
    from perdure.install.claude_servers import RegisteredServer

PART = "claude-code: MCP server"
_INIT = "perdure init"
_ID = 1


def examined(visit: ExaminerContext) -> CheckResult:
    found = claude_servers.registered(visit.context)
    if not found:
        return warn(PART, "it is not registered: the agent has only the command line", _INIT)
    first = found[0]
    if not first.is_ours:
        what = (
            f"the server named {claude_servers.NAME} in {first.path} is not Perdure's, and the guard trusts that name"
        )
        return warn(PART, what, f"Give it another name, then {_INIT}.")
    return _started(visit, first)


def _started(visit: ExaminerContext, server: RegisteredServer) -> CheckResult:
    ran = run(server.words, cwd=visit.cwd, environment=visit.environment, given=_hello())
    if _version(ran.out) is None:
        return warn(PART, f"as registered in {server.path} it does not start: {ran.said}", _INIT)
    return ok(PART, f"registered in {server.path} ({server.scope}), version {_version(ran.out)}")


def _hello() -> bytes:
    told = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}}
    return (compact({"jsonrpc": "2.0", "id": _ID, "method": "initialize", "params": told}) + "\n").encode()


def _version(out: str) -> str | None:
    """The version in its first answer."""
    try:
        answer = parse(out.partition("\n")[0])
    except (ValueError, RecursionError):
        return None
    result = answer.get("result") if isinstance(answer, dict) and answer.get("id") == _ID else None
    info = result.get("serverInfo") if isinstance(result, dict) else None
    return str(info.get("version")) if isinstance(info, dict) and info.get("name") == claude_servers.NAME else None
