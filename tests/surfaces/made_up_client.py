"""A client that nobody makes: what its adapter must have, and nothing more (`perdure/clients/port.py`).

Its payloads are lines of `name=value`, and its answers are lines too, so that nothing can pass by being Claude Code's.
"""

from __future__ import annotations

from collections.abc import Mapping

from perdure.clients import port
from perdure.clients.port import Payload, Tool, ToolOutcome

NAME = "made-up"
TOOLS: Mapping[str, Tool] = {
    "peek": Tool(port.READS, "at"),
    "put": Tool(port.CHANGES, "at"),
    "do": Tool(port.RUNS, "line"),
}
EVENTS: Mapping[str, str] = {
    "hello": port.SESSION_START,
    "may-i": port.BEFORE_TOOL,
    "did": port.AFTER_TOOL,
    "could-not": port.AFTER_FAILURE,
    "typed": port.PROMPT,
    "bye": port.SESSION_END,
    "corner": port.STATUS_LINE,
}


def parse_payload(event: str, raw: bytes) -> Payload:
    fields = dict(line.split("=", 1) for line in raw.decode().splitlines())
    return Payload(
        event=EVENTS[event],
        session_id=fields["session"],
        cwd=fields["folder"],
        transcript_path="",
        agent_id="",
        agent_type="",
        tool=fields.get("tool", ""),
        tool_input={name: fields[name] for name in ("at", "line") if name in fields},
        fields={**fields},
    )


def stated_pid(environment: Mapping[str, str]) -> int | None:
    return None


def environment_file(environment: Mapping[str, str]) -> str:
    return ""


def session_source(payload: Payload) -> str:
    return "startup"


def end_reason(payload: Payload) -> str:
    return "other"


def persons_prompt(payload: Payload) -> str:
    return payload.text("words")


def forked_from(payload: Payload, arguments: tuple[str, ...]) -> str | None:
    return None


def context_use(payload: Payload) -> tuple[int, int] | None:
    return None


def tool_outcome(payload: Payload) -> ToolOutcome:
    return ToolOutcome(error=payload.text("error"), created=payload.text("new") == "yes")


def deny(reason: str) -> str:
    plain = reason.encode("ascii", "backslashreplace").decode()
    return f"no: {plain}\n"


def tell(event: str, text: str) -> str:
    return f"told {event}: {text}\n" if text else ""


def warn(event: str, text: str) -> str:
    return f"warned {event}: {text}\n"
