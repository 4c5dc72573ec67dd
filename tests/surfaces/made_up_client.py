"""The adapter of a client that nobody makes: the model for a new one (CONTRIBUTING, "Add a client", step 1).

It is complete: Perdure asks nothing else of an adapter. Each `CHANGE` says what is different for a real client. Its
payloads are lines of `name=value`, and its answers are lines too, so that nothing can pass by being Claude Code's.

Two things can be added later, and `clients/port.py` describes them. `COMMAND_IN_PAYLOAD`: if Perdure cannot be loaded,
the shell can still read. `ShellClient`: if the client's settings can name a program for its shells, commands that only
read run in the sandbox. `clients/claude_code.py` has both.
"""

from __future__ import annotations

from collections.abc import Mapping

from perdure.clients import port
from perdure.clients.port import ClientTool, Payload, ToolOutcome

NAME = "made-up"  # CHANGE: the client's name, as in `REGISTERED`. It is also in events, as the actor

# CHANGE: every tool of the client that is not to count as one that changes things, what it does, and the field of its
# input that says with what. LOOKS: it only looks around, with no such field. READS a file, SEARCHES for a text, RUNS a
# shell command (`folder_fields=("workdir",)` if the call can name the folder it runs in), CHANGES a file, EXPANDS a
# skill (`skill_files`: where its text is, `own_skills`: those that came with the client).
TOOLS: Mapping[str, ClientTool] = {
    "peek": ClientTool(port.READS, "at"),
    "put": ClientTool(port.CHANGES, "at"),
    "do": ClientTool(port.RUNS, "line"),
}

# CHANGE: the client's own names of its events → what they mean. BEFORE_TOOL is the guard and must be there. There are
# also SUBAGENT_START, SUBAGENT_STOP, BEFORE_COMPACTION, AFTER_COMPACTION and TURN_END. Leave out what the client does
# not have.
EVENTS: Mapping[str, str] = {
    "hello": port.SESSION_START,
    "may-i": port.BEFORE_TOOL,
    "did": port.AFTER_TOOL,
    "could-not": port.AFTER_FAILURE,
    "typed": port.PROMPT,
    "bye": port.SESSION_END,
    "corner": port.STATUS_LINE,
}


# -- what the client sends -------------------------------------------------------------------------------------------


def parse_payload(event: str, raw: bytes) -> Payload:
    """`event` is the client's name of the event, `raw` what stands on the hook's standard input. Whatever is raised
    here denies a tool call; `raise port.unusable("is not JSON")` says why."""
    fields = dict(line.split("=", 1) for line in raw.decode().splitlines())  # CHANGE: mostly JSON
    return Payload(
        event=EVENTS[event],
        session_id=fields["session"],  # CHANGE: the client's id of the session
        cwd=fields["folder"],
        transcript_path="",  # CHANGE: empty if the client does not send it; the next two as well
        agent_id="",
        agent_type="",
        tool=fields.get("tool", ""),
        tool_input={name: fields[name] for name in ("at", "line") if name in fields},  # CHANGE: the tool's input
        fields={**fields},  # everything, for the functions below
    )


def pid_from_environment(environment: Mapping[str, str]) -> int | None:
    """CHANGE: the id of the client's process, if the client sets a variable with it."""
    return None


def environment_file(environment: Mapping[str, str]) -> str:
    """CHANGE: a file whose lines the client's shells run first, if a variable names one."""
    return ""


def session_source(payload: Payload) -> str:
    """CHANGE: how the session began: startup, resume, clear, compact or fork."""
    return "startup"


def end_reason(payload: Payload) -> str:
    """CHANGE: why the session ended, in the client's words."""
    return "other"


def is_compaction_manual(payload: Payload) -> bool:
    """CHANGE: whether the person asked for the compaction; False if the client has no such event."""
    return False


def hold_back(reason: str) -> str:
    """CHANGE: the answer that keeps a compaction from happening; empty if the client cannot be asked for that."""
    return ""


def is_attended(environment: Mapping[str, str]) -> bool:
    """CHANGE: whether a person sits before the client, if a variable says so; else False."""
    return False


def hold_turn(reason: str) -> str:
    """CHANGE: the answer that keeps the turn from ending, and tells the agent why; empty if the client has none."""
    return ""


def show_person(text: str) -> str:
    """CHANGE: the answer that only the person sees; empty if the client has none."""
    return ""


def persons_prompt(payload: Payload) -> str:
    """CHANGE: what the person typed; empty if a schedule, another agent or the client itself wrote the prompt."""
    return payload.text("words")


def forked_from(payload: Payload, arguments: tuple[str, ...]) -> str | None:
    """CHANGE: the session that this one is a fork of. `arguments` is the client's command line."""
    return None


def summary_made(payload: Payload) -> str:
    """CHANGE: when the client compacts its context, the summary that its summariser ended with."""
    return ""


def guide_summary(text: str) -> str:
    """CHANGE: the answer before a compaction that tells the client's summariser this text; empty if it cannot be
    told."""
    return ""


def context_use(payload: Payload) -> tuple[int, int, bool] | None:
    """CHANGE: tokens in the context window, its size, and whether they were counted, if the client says so."""
    return None


def tool_outcome(payload: Payload) -> ToolOutcome:
    """CHANGE: how the tool call went. `created`: the file did not exist before. `ToolOutcome` also has `interrupted`,
    `printed` and `milliseconds`."""
    return ToolOutcome(error=payload.text("error"), created=payload.text("new") == "yes")


# -- what the client is answered -------------------------------------------------------------------------------------


def deny(reason: str) -> str:
    """CHANGE: the answer that keeps the tool call from running. It must be ASCII, because it also stands in the
    registered command and in the committed script, for the case that Perdure cannot be loaded."""
    plain = reason.encode("ascii", "backslashreplace").decode()
    return f"no: {plain}\n"


def tell(event: str, text: str) -> str:
    """CHANGE: the answer that adds this text to the model's context. `event` is a meaning, such as SESSION_START."""
    return f"told {event}: {text}\n" if text else ""


def warn(event: str, text: str) -> str:
    """CHANGE: the same, and the person sees it, too."""
    return f"warned {event}: {text}\n"
