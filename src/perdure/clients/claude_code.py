"""Claude Code: its tools, and the JSON of its hooks. No other code knows that JSON. Unknown fields are ignored.

parse_payload("PreToolUse", b'{"session_id": "…", "tool_name": "Bash", …}').tool == "Bash"
deny("no")  →  '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", …}}'
"""

from __future__ import annotations

from perdure.clients import port
from perdure.clients.port import (
    CHANGES,
    EXPANDS,
    LOOKS,
    READS,
    RUNS,
    SEARCHES,
    ClientTool,
    Payload,
    ShellStart,
    ShellText,
    ToolOutcome,
    unusable,
)
from perdure.model.ids import is_token
from perdure.model.json import compact_ascii, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.json import Json

NAME = "claude-code"
_LOOKS = """
    LS NotebookRead LSP ToolSearch DeferredToolPlaceholder BashOutput TaskOutput
    ListMcpResourcesTool ReadMcpResourceTool ReadMcpResourceDir WaitForMcpServers RefreshMcpTools ReadNotifications
    TodoRead TodoWrite TaskList TaskGet TaskCreate TaskUpdate TaskStop CronList ListAgents Task Agent
    AskUserQuestion EnterPlanMode ExitPlanMode ReportFindings ProposeGoal Brief SendUserMessage SendMessage
    PushNotification StructuredOutput ScheduleWakeup
""".split()
TOOLS: Mapping[str, ClientTool] = {
    **dict.fromkeys(_LOOKS, ClientTool(LOOKS)),
    "Read": ClientTool(READS, "file_path"),
    **dict.fromkeys(("Glob", "Grep"), ClientTool(SEARCHES, "pattern")),
    "WebSearch": ClientTool(SEARCHES, "query"),
    "WebFetch": ClientTool(SEARCHES, "url"),
    **dict.fromkeys(("Edit", "MultiEdit", "Write"), ClientTool(CHANGES, "file_path")),
    "NotebookEdit": ClientTool(CHANGES, "notebook_path"),
    **dict.fromkeys(("Bash", "Monitor"), ClientTool(RUNS, "command")),
    "Skill": ClientTool(
        EXPANDS,
        "skill",
        own_skills=frozenset(
            """dataviz update-config keybindings-help code-review simplify fewer-permission-prompts loop claude-api run
            init workflow-authoring plugin-authoring security-review review pr-comments""".split()
        ),
        skill_files=(".claude/skills/{name}/SKILL.md", ".claude/commands/{path}.md"),
    ),
}
"""A tool that changes only the client's own plans, questions and messages counts as one that only looks. So does a tool
that starts a subagent (Task, Agent): the subagent's own calls are judged when it makes them."""
GUARD, STATUS_LINE = "PreToolUse", "statusLine"
EVENTS: Mapping[str, str] = {
    GUARD: port.BEFORE_TOOL,
    "PostToolUse": port.AFTER_TOOL,
    "PostToolUseFailure": port.AFTER_FAILURE,
    "SessionStart": port.SESSION_START,
    "SessionEnd": port.SESSION_END,
    "UserPromptSubmit": port.PROMPT,
    "SubagentStart": port.SUBAGENT_START,
    "SubagentStop": port.SUBAGENT_STOP,
    "PreCompact": port.BEFORE_COMPACTION,
    "PostCompact": port.AFTER_COMPACTION,
    "Stop": port.TURN_END,
    STATUS_LINE: port.STATUS_LINE,
}
_NAMES = {meaning: name for name, meaning in EVENTS.items()}
COMMAND_IN_PAYLOAD = ("tool_name", "Bash", "tool_input", "command")
SOURCES = ("startup", "resume", "clear", "compact", "fork")
PERSON = ("", "user", "sdk")
REASONS = {"clear": "clear", "resume": "resume", "logout": "logout", "prompt_input_exit": "exit"}
"""Why a session ended: the client's word → the one that a person reads."""


# -- how it starts shells --------------------------------------------------------------------------------------------

SHELL_VARIABLE = "CLAUDE_CODE_SHELL_PREFIX"
"""It names a program. The client runs each of its shell commands, each hook in shell form and each MCP server as
`program TEXT`. Seen in 2.1.325."""
SHELL_TOOLS: tuple[str, ...] = ("Bash",)
SHELL_TEXT = ShellText(
    evaluates=" && eval ",
    no_input=" < /dev/null",
    tells_folder=" && pwd -P >| ",
    own_variable="CLAUDE_PROJECT_DIR",
    agent_variable="AI_AGENT",
    models_ending="_agent",
    file_begins="claude-",
    file_ends="-cwd",
)


def session_from_environment(environment: Mapping[str, str]) -> str | None:
    return environment.get("CLAUDE_CODE_SESSION_ID") or None


def read_shell_start(text: str, environment: Mapping[str, str]) -> ShellStart:
    """A command of the model's is `… && eval 'COMMAND' < /dev/null && pwd -P >| FILE`; one of a single word may have no
    quotes. What does not look like that is a hook or a server only if the variables say so too: in doubt, it is the
    model's."""
    from perdure.model import shell_start  # the guard reads no such text

    found = shell_start.read(text, SHELL_TEXT.markers)
    if found:
        command, own_file = found
        return ShellStart(shell=environment.get("SHELL") or "/bin/bash", command=command, own_file=own_file)
    is_models = environment.get(SHELL_TEXT.agent_variable, "").endswith(SHELL_TEXT.models_ending)
    is_own = bool(environment.get(SHELL_TEXT.own_variable)) and not is_models
    return ShellStart(shell="/bin/sh" if is_own else environment.get("SHELL") or "/bin/bash", is_clients_own=is_own)


# -- what it says ----------------------------------------------------------------------------------------------------


def parse_payload(event: str, raw: bytes) -> Payload:
    try:
        found = parse(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise unusable("is not JSON") from error
    if not isinstance(found, dict):
        raise unusable("is not a JSON object")

    def text(name: str) -> str:
        content = found.get(name)
        return content if isinstance(content, str) else ""

    given = found.get("tool_input")
    return Payload(
        event=EVENTS[event],
        session_id=text("session_id"),
        cwd=text("cwd"),
        transcript_path=text("transcript_path"),
        agent_id=text("agent_id"),
        agent_type=text("agent_type"),
        tool=text("tool_name"),
        tool_input=given if isinstance(given, dict) else {},
        fields=found,
    )


def pid_from_environment(environment: Mapping[str, str]) -> int | None:
    pid = environment.get("CLAUDE_PID", "")
    return int(pid) if pid.isascii() and pid.isdecimal() and len(pid) < 11 else None


def environment_file(environment: Mapping[str, str]) -> str:
    return environment.get("CLAUDE_ENV_FILE", "")


def session_source(payload: Payload) -> str:
    source = payload.text("source")
    return source if source in SOURCES else "startup"


def end_reason(payload: Payload) -> str:
    return REASONS.get(payload.text("reason") or "", "other")


def persons_prompt(payload: Payload) -> str:
    """What a subagent is told is its caller's."""
    is_persons = payload.text("source") in PERSON and not payload.agent_id
    return payload.text("prompt") if is_persons else ""


def summary_made(payload: Payload) -> str:
    """The summariser is a subagent without a type. What it thinks first does not get into the next context."""
    field = "compact_summary" if payload.event == port.AFTER_COMPACTION else "last_assistant_message"
    said = payload.text(field) if not payload.agent_type else ""
    return said.partition("<summary>")[2].partition("</summary>")[0].strip() or said


_INPUT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def context_use(payload: Payload) -> tuple[int, int, bool] | None:
    """The input of the status line has it, after the first request of a session; the percentage is of the same tokens,
    but may be rounded to a whole number. The start of a session that is resumed or forked has the tokens alone."""
    window, tokens = payload.fields.get("context_window"), payload.fields.get("context_tokens")
    if not isinstance(window, dict):
        return (tokens, 0, True) if type(tokens) is int and tokens > 0 else None
    size, percent = window.get("context_window_size"), window.get("used_percentage")
    if type(size) is not int or size <= 0 or type(percent) not in (int, float):
        return None
    counted = _tokens_in(window.get("current_usage"))
    if counted is not None:
        return counted, size, True
    return round(size * min(100.0, max(0.0, float(percent))) / 100), size, False  # type: ignore[arg-type]


def _tokens_in(usage: object) -> int | None:
    """What the last request sent, of which most may be cached."""
    if not isinstance(usage, dict):
        return None
    parts = [usage.get(each, 0) for each in _INPUT_TOKENS]
    counts = [each for each in parts if type(each) is int and each >= 0]
    return sum(counts) if len(counts) == len(parts) and sum(counts) > 0 else None


def is_compaction_manual(payload: Payload) -> bool:
    return payload.text("trigger") == "manual"


def tool_outcome(payload: Payload) -> ToolOutcome:
    if payload.event == port.AFTER_FAILURE:
        interrupted = payload.fields.get("is_interrupt") is True
        error = payload.text("error") or "no reason given"
        return ToolOutcome(interrupted=interrupted, error=error, milliseconds=_milliseconds(payload))
    given = payload.fields.get("tool_response")
    response = given if isinstance(given, dict) else {}
    streams = (response.get("stdout"), response.get("stderr"))
    goes_on = payload.tool == "Monitor" or bool(
        response.get("backgroundTaskId") or payload.tool_input.get("run_in_background")
    )
    return ToolOutcome(
        interrupted=response.get("interrupted") is True,
        printed="\n".join(text for text in streams if isinstance(text, str) and text) if "stdout" in response else None,
        created=response.get("type") == "create",
        milliseconds=_milliseconds(payload),
        goes_on=goes_on,
    )


def is_attended(environment: Mapping[str, str]) -> bool:
    return environment.get("CLAUDE_CODE_SESSION_ATTENDED", "").lower() in ("1", "true")


def _milliseconds(payload: Payload) -> int | None:
    took = payload.fields.get("duration_ms")
    return took if type(took) is int else None


# -- what it is told -------------------------------------------------------------------------------------------------


def deny(reason: str) -> str:
    """This text is also stored in installed settings, so its form, with spaces, must not change."""
    inside = f'"permissionDecision": "deny", "permissionDecisionReason": {compact_ascii(reason)}'
    return f'{{"hookSpecificOutput": {{"hookEventName": "{GUARD}", {inside}}}}}'


def hold_back(reason: str) -> str:
    return compact_ascii({"decision": "block", "reason": reason})


def guide_summary(text: str) -> str:
    """The client appends what this hook prints to the prompt of its summariser."""
    return text


def hold_turn(reason: str) -> str:
    """At the end of a turn the client takes `additionalContext` in the same way: it asks the model again."""
    return compact_ascii({"decision": "block", "reason": reason})


def tell(event: str, text: str) -> str:
    return compact_ascii(_specific(event, {"additionalContext": text})) if text else ""


def show_person(text: str) -> str:
    """The answer that only the person sees. The installer (`install/claude_code.py`) puts it into the script that is
    committed with the hooks: it is what that script prints if Perdure is not installed."""
    return f'{{"systemMessage": {compact_ascii(text)}}}'


def warn(event: str, text: str) -> str:
    """The person sees only `systemMessage` of an answer."""
    return compact_ascii({"systemMessage": text, **_specific(event, {"additionalContext": text})})


def _specific(event: str, content: dict[str, Json]) -> dict[str, Json]:
    return {"hookSpecificOutput": {"hookEventName": _NAMES[event], **content}}


# -- forked sessions --------------------------------------------------------------------------------------------------


def forked_from(payload: Payload, arguments: tuple[str, ...]) -> str | None:
    """The transcript of a forked session begins with the lines of the session it was forked from, which have that
    session's id. Before the transcript is written, the client's command line names that session (`--resume ID
    --fork-session`)."""
    if payload.text("source") != "fork":
        return None
    named = (name for name in (*_in_transcript(payload.transcript_path), *_in_arguments(arguments)) if is_token(name))
    return next((name for name in named if name != payload.session_id), None)


def _in_arguments(arguments: tuple[str, ...]) -> list[str]:
    following = [arguments[i + 1] for i, word in enumerate(arguments[:-1]) if word in ("--resume", "-r")]
    return following + [word.removeprefix("--resume=") for word in arguments if word.startswith("--resume=")]


def _in_transcript(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            lines = file.read(1 << 16).split(b"\n")[:50]
    except OSError:
        return []
    return [name for line in lines if (name := _session_of_line(line))]


def _session_of_line(line: bytes) -> str | None:
    try:
        content = parse(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    origin = content.get("forkedFrom")
    named = origin.get("sessionId") if isinstance(origin, dict) else content.get("sessionId")
    return named if isinstance(named, str) else None
