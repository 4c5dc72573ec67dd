"""SessionStart, UserPromptSubmit, SessionEnd: where the agent stands, what the person said, that it is over."""

from __future__ import annotations

import os

from perdure.actions import arriving, prompts
from perdure.actions.scene import look
from perdure.errors import PerdureError
from perdure.model.ids import is_token
from perdure.surfaces.hooks import claude_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.surfaces.hooks.claude_code import Said

SOURCES = ("startup", "resume", "clear", "compact", "fork")
PERSON = ("", "user", "sdk")
REASONS = ("clear", "resume", "logout", "prompt_input_exit", "other")


def start(s: Said, program: str) -> str:
    scene = look(claude_code.request_of(s, program))
    if scene.place.project_path is None:
        return ""
    _export(s, program)
    source = s.text("source")
    parent = claude_code.forked_from(s, scene.client_arguments)
    try:
        arrival = arriving.arrive(scene, source if source in SOURCES else "startup", parent)
    except PerdureError as error:
        return claude_code.tell("SessionStart", _trouble(error))
    return claude_code.tell("SessionStart", arrival.text)


def _trouble(error: PerdureError) -> str:
    """It never halts a session (SPEC 16.3), and never hides."""
    return f"Perdure: this session is not on record: {_with_way_out(error)}"


def _with_way_out(error: PerdureError) -> str:
    return f"{error.message} {error.hint or 'perdure doctor says more.'}"


def _export(s: Said, program: str) -> None:
    """The client's shells learn their session, and where `perdure` is if they would not find it (SPEC 3.1, row 2)."""
    path = os.environ.get("CLAUDE_ENV_FILE", "")
    if not path or not is_token(s.session_id):
        return
    lines = [f"export PERDURE_CLIENT_SESSION={s.session_id}"]
    folder = os.path.dirname(program)
    if folder and not _is_found(os.environ.get("PATH", "")):
        lines.append('export PATH="$PATH":' + "'" + folder.replace("'", "'\\''") + "'")
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _is_found(path: str) -> bool:
    return any(os.access(os.path.join(folder, "perdure"), os.X_OK) for folder in path.split(os.pathsep) if folder)


def prompt(s: Said, program: str) -> str:
    """What a schedule, another agent or the client itself put in has a source of its own, and is not the person's.
    Words that cannot be kept are not lost silently: the person is told, and so is the agent."""
    scene = look(claude_code.request_of(s, program))
    is_said = s.text("prompt") and s.text("source") in PERSON
    if scene.place.project_path is None or not is_said:
        return ""
    try:
        told = prompts.given(scene, s.text("prompt"))
    except PerdureError as error:
        return claude_code.warn("UserPromptSubmit", f"Perdure: this prompt is not on record: {_with_way_out(error)}")
    return claude_code.tell("UserPromptSubmit", "\n".join(told))


def end(s: Said, program: str) -> str:
    scene = look(claude_code.request_of(s, program))
    if scene.place.project_path is not None and scene.place.project_is_there:
        reason = s.text("reason")
        arriving.leave(scene, reason if reason in REASONS else "other")
    return ""


HANDLERS: dict[str, Callable[[Said, str], str]] = {"SessionStart": start, "UserPromptSubmit": prompt, "SessionEnd": end}
