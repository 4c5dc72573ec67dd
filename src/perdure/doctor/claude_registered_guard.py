"""Runs the guard as Claude Code would run it: the registered command, with the client's JSON and environment.

Two probes: one that may write must be denied, one that only reads must pass in silence. Neither is run.
"""

from __future__ import annotations

import json
import os
from statistics import median

from perdure.actions import denials
from perdure.clients import claude_code as client
from perdure.clients.claude_code import GUARD
from perdure.doctor import own_entries
from perdure.doctor.subprocesses import Ran, run
from perdure.install import person_files
from perdure.install.claude_code import PROJECT_VARIABLE, SHIM_ARGUMENT, shim_text
from perdure.install.claude_settings import HOOKS, SHIM, ours_in
from perdure.install.settings_text import parse_settings
from perdure.model.ids import new_id
from perdure.model.value import value
from perdure.place import project
from perdure.place.home import home_folder
from perdure.views import sealed_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.install.installer import InstallContext
    from perdure.model.json_text import Node

MAY_WRITE, LOOKS = "python3 -c exec", "ls"
"""The first could do anything, as far as the gate can know, but does nothing if it ever runs."""
DENIED = "Perdure: denied"
FAILED = "gate failed"
"""In a denial that says that the guard itself failed."""
BROKEN_RECORD = "failure of the guard"
"""In a denial that says that the project's record is not as it should be. The guard works then."""
CLEARED_BY = "To clear it: "
SLOW = 0.3
"""Seconds. A guard that takes longer is reported."""
TIMES = 3
"""How often a slow call is timed. The median counts, so that one slow call changes nothing."""
SECONDS = 10.0
"""How long a call may take."""


@value
class ProbeResult:
    """The result: `why` the guard does not work, or empty; and how long a call takes, in seconds."""

    path: str
    why: str
    takes: float = 0.0
    bare: float = 0.0
    record: str = ""
    """Why the guard denies every change until the record is repaired; empty if it does not."""
    repaired_by: str = ""


@value
class Stage:
    """Where the guard is run: in which project, with which variables."""

    project: str
    environment: Mapping[str, str]
    context: InstallContext


def guards_in(path: str) -> list[list[str]]:
    """The command of each of our guards in a settings file."""
    text = person_files.read(path)
    if text is None:
        return []
    root = parse_settings(text, path)
    guards = [spot for spot in ours_in(root) if spot.event == GUARD]
    return [_words_of(root.at(HOOKS, spot.event, spot.group, HOOKS, spot.handler)) for spot in guards]


def _words_of(handler: Node | None) -> list[str]:
    """A handler's command and its arguments; what is not a string is empty."""
    command = handler.get("command") if handler else None
    arguments = handler.get("args") if handler else None
    words = [(command.string or "") if command else ""]
    if arguments:
        words += [argument.string or "" for argument in arguments.inside]
    return words


def is_as_written(words: list[str], event: str, context: InstallContext) -> bool:
    """Whether a registered command is what `perdure init` writes, and the portable script is, if it calls that."""
    if words == ["sh", SHIM_ARGUMENT, event]:
        return person_files.read(os.path.join(context.folder, SHIM)) == shim_text()
    return own_entries.is_as_written(client, words, event, context=context)


def probe(path: str, words: list[str], stage: Stage) -> ProbeResult:
    """Runs one registered guard. The client's variable for the project stands for the project's real folder."""
    if not is_as_written(words, GUARD, stage.context):
        return ProbeResult(path, "it is not what perdure init writes, so it was not run")
    words = [word.replace("${" + PROJECT_VARIABLE + "}", stage.context.folder) for word in words]
    writing, looking = _asked(words, MAY_WRITE, stage), _asked(words, LOOKS, stage)
    why = _why_no_guard(writing, looking)
    if why:
        return ProbeResult(path, why)
    reason = denial_in(writing.out) or ""
    if BROKEN_RECORD in reason:
        record, _, repaired_by = reason.partition(CLEARED_BY)
        return ProbeResult(path=path, why="", record=_line(record), repaired_by=repaired_by.strip())
    again = [_asked(words, LOOKS, stage) for _ in range(TIMES - 1) if looking.seconds > SLOW]
    takes = median(ran.seconds for ran in (looking, *again))
    return ProbeResult(path=path, why="", takes=takes, bare=_bare(words[0], stage).seconds)


def _asked(words: list[str], command: str, stage: Stage) -> Ran:
    instance = new_id()  # its own: the person's transaction does not count
    given = {
        "session_id": new_id(),
        "transcript_path": "",
        "cwd": stage.project,
        "permission_mode": "default",
        "hook_event_name": GUARD,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "toolu_doctor",
    }
    environment = {
        **stage.environment,
        "CLAUDECODE": "1",
        PROJECT_VARIABLE: stage.project,
        "PERDURE_INSTANCE": instance,
    }
    ran = run(words, cwd=stage.project, environment=environment, given=json.dumps(given).encode(), seconds=SECONDS)
    denials.forget(home_folder(stage.environment), stage.project, instance)
    person_files.remove_empty(sealed_notes.DENIED.folder_in(project.folder_of(stage.project)))
    return ran


def _bare(interpreter: str, stage: Stage) -> Ran:
    """A shell script is compared with the shell's own start."""
    words = [interpreter, "-I", "-S", "-c", "pass"] if "python" in os.path.basename(interpreter) else ["sh", "-c", ":"]
    return run(words, cwd=stage.project, environment=stage.environment)


def _why_no_guard(writing: Ran, looking: Ran) -> str:
    for ran in (writing, looking):
        if ran.trouble or ran.code != 0:
            return f"it fails: {ran.said}"
    reason = denial_in(writing.out)
    if reason is None:
        return "it lets a command pass that may write" + (f" ({_line(writing.err)})" if writing.err.strip() else "")
    if FAILED in reason or not reason.startswith(DENIED):
        return f"it denies because it failed: {_line(reason)}"
    if looking.out.strip():
        return f"it does not let a command pass that only reads: {_line(denial_in(looking.out) or looking.out)}"
    return ""


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


def denial_in(out: str) -> str | None:
    """The reason, if it is a denial that the client understands."""
    try:
        said = json.loads(out)["hookSpecificOutput"]
        is_denial = (said["hookEventName"], said["permissionDecision"]) == (GUARD, "deny")
        return str(said["permissionDecisionReason"]) if is_denial else None
    except (ValueError, KeyError, TypeError):
        return None
