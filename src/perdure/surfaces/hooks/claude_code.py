"""Claude Code's JSON, in and out. The only code that knows it; fields it does not know are left alone.

said(b'{"session_id": "…", "tool_name": "Bash", …}').tool == "Bash"
deny("no")  →  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",…}}'
"""

from __future__ import annotations

import os

from perdure.actions.scene import Request
from perdure.errors import BadInput
from perdure.model.ids import is_token
from perdure.model.json import compact_ascii, parse
from perdure.model.value import value
from perdure.place.surroundings import HookInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.place.context import Use

CLIENT = "claude-code"


@value
class Said:
    """What the client says with an event. Text that is not there is empty; what the rest holds is up to the event."""

    session_id: str
    cwd: str
    transcript_path: str
    agent_id: str
    agent_type: str
    tool: str
    given: dict[str, Json]
    """The tool's input."""
    rest: dict[str, Json]

    def text(self, name: str) -> str:
        found = self.rest.get(name)
        return found if isinstance(found, str) else ""


def unusable(why: str) -> BadInput:
    """Perdure cannot mend what it is sent, so its own remedies are not named."""
    hint = "Whoever runs the hook sends it: the client, or a wrapper around the hook in the client's settings."
    return BadInput("bad_input", f"The hook's input {why}.", hint=hint)


def said(raw: bytes) -> Said:
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
    return Said(
        text("session_id"),
        text("cwd"),
        text("transcript_path"),
        text("agent_id"),
        text("agent_type"),
        text("tool_name"),
        given if isinstance(given, dict) else {},
        found,
    )


def request_of(s: Said, program: str) -> Request:
    """The folder is the client's, the process above us is the client, the session is the one it names."""
    agent = f":{s.agent_id}" if is_token(s.agent_id) else ""
    pid = os.environ.get("CLAUDE_PID", "")
    stated = int(pid) if pid.isascii() and pid.isdecimal() and len(pid) < 11 else None
    hook = HookInput(CLIENT, s.session_id or None, None, stated)
    return Request(_folder(s.cwd), os.environ, hook=hook, actor=f"{CLIENT}{agent}", program=program)


def _folder(named: str) -> str:
    """A folder that was deleted under the client is still where it stands: the nearest one above it answers for it."""
    here = named if os.path.isabs(named) and "\0" not in named else os.getcwd()
    while not os.path.isdir(here):
        here = os.path.dirname(here)
    return here


def context_use(s: Said) -> Use | None:
    """From the status line's input, the one that has it; None before the first request of a session."""
    from perdure.place.context import Use

    window = s.rest.get("context_window")
    if not isinstance(window, dict):
        return None
    size, percent = window.get("context_window_size"), window.get("used_percentage")
    if type(size) is not int or size <= 0 or type(percent) not in (int, float):
        return None
    return Use(round(size * min(100.0, max(0.0, float(percent))) / 100), size)  # type: ignore[arg-type]


def deny(reason: str) -> str:
    return _specific("PreToolUse", {"permissionDecision": "deny", "permissionDecisionReason": reason})


def tell(event: str, text: str) -> str:
    """Text for the model."""
    return _specific(event, {"additionalContext": text}) if text else ""


def warn(event: str, text: str) -> str:
    """Text for the model and for the person, who sees `systemMessage` and nothing else of an answer."""
    return compact_ascii({"systemMessage": text, **_told(event, {"additionalContext": text})})


def _specific(event: str, content: dict[str, Json]) -> str:
    return compact_ascii(_told(event, content))


def _told(event: str, content: dict[str, Json]) -> dict[str, Json]:
    return {"hookSpecificOutput": {"hookEventName": event, **content}}


def forked_from(s: Said, arguments: tuple[str, ...]) -> str | None:
    """The session a fork began in: its transcript begins with the lines of the other, which carry that one's id; before
    it is written, the words the client was started with name it (`--resume ID --fork-session`)."""
    if s.text("source") != "fork":
        return None
    named = (name for name in (*_in_transcript(s.transcript_path), *_in_arguments(arguments)) if is_token(name))
    return next((name for name in named if name != s.session_id), None)


def _in_arguments(arguments: tuple[str, ...]) -> list[str]:
    following = [arguments[i + 1] for i, word in enumerate(arguments[:-1]) if word in ("--resume", "-r")]
    return following + [word.removeprefix("--resume=") for word in arguments if word.startswith("--resume=")]


def _in_transcript(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            lines = file.read(1 << 16).split(b"\n")[:50]
    except OSError:
        return []
    return [name for line in lines if (name := _named_in(line))]


def _named_in(line: bytes) -> str | None:
    try:
        content = parse(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    origin = content.get("forkedFrom")
    named = origin.get("sessionId") if isinstance(origin, dict) else content.get("sessionId")
    return named if isinstance(named, str) else None
