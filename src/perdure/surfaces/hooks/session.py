"""The hooks that run when a session starts, when the person sends a prompt, when a turn ends, and when a session ends.
Each imports what it needs itself: the start of a session needs far more than the others."""

from __future__ import annotations

import os
import sys

from perdure.actions import early_prompts
from perdure.actions.request import resolve_request
from perdure.clients import port, with_shell
from perdure.errors import PerdureError
from perdure.lifecycle.context_use import ContextUse, HookText, fitted, room
from perdure.lifecycle.phases import RUNNING, STOP, at_start, headed
from perdure.model.ids import is_token
from perdure.place.client_variables import OURS, in_settings_files, working_directory
from perdure.place.home import shell_program_path
from perdure.surfaces.hooks.request import is_for_subagent, request_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.clients.port import HookClient, Payload
    from perdure.surfaces.hooks import Handler


def start(client: HookClient, payload: Payload, program: str) -> str:
    """A subagent has no session of its own: the client runs this hook for it only when it compacted its context."""
    if is_for_subagent(client, payload, program):
        return ""
    from perdure.actions import client_sessions, lost_record

    resolved = resolve_request(request_of(client, payload, program))
    source = client.session_source(payload)
    mended = _restored_shells(client, resolved.home, program)
    if resolved.place.project_path is None:
        told = "\n".join([*mended, *early_prompts.arrive(resolved)])
        return client.tell(port.SESSION_START, headed(at_start(source), told))
    _export(client.environment_file(os.environ), payload.session_id, program)
    parent = client.forked_from(payload, resolved.client_arguments)
    was_gone = lost_record.is_gone(resolved)

    def unguarded() -> list[str]:
        return [*mended, *(_unguarded(resolved) if was_gone else [])]

    transcript = payload.transcript_path
    use = client_sessions.context_use_at_start(resolved, source, _use_told(client, payload), transcript=transcript)
    try:
        arrival = client_sessions.start_client_session(
            resolved, source, parent, transcript=transcript, use=use, notices=unguarded
        )
    except PerdureError as error:
        trouble = fitted([HookText(each) for each in (_trouble(error), *unguarded())], room(use))
        told = "\n".join([*trouble, *_as_recorded(resolved, error)])
        return client.tell(port.SESSION_START, headed(at_start(source), told))
    return client.tell(port.SESSION_START, arrival.text)


def _restored_shells(client: HookClient, home: str, program: str) -> list[str]:
    """Writes the program for the client's shells again where somebody deleted it, for example with the whole home. The
    client would otherwise run no command at all, and say only that there is no such file."""
    adapter = with_shell(client.NAME)
    path = shell_program_path(home, client.NAME)
    if adapter is None or os.environ.get(adapter.SHELL_VARIABLE) != path or os.path.lexists(path):
        return []
    from perdure.install import shell_program

    try:
        shell_program.restore(home, adapter, os.environ, perdure=program)
    except (OSError, PerdureError) as error:
        return [
            f"Perdure: no shell command can run here: the program that starts them is missing. A person runs perdure "
            f"init, or deletes {adapter.SHELL_VARIABLE} from the client's settings. It could not be written: {error}"
        ]
    return [f"Perdure: {path} was missing and was written again: the client starts its shell commands through it."]


def _use_told(client: HookClient, payload: Payload) -> ContextUse | None:
    figures = client.context_use(payload)
    return ContextUse(*figures) if figures else None


def _unguarded(resolved: ResolvedRequest) -> list[str]:
    """What removed the record may have removed the client's settings, too; then some hooks do not run any more."""
    from perdure.install.guard_registered import missing_guards

    return [f"Perdure: {each}" for each in missing_guards(resolved.place.project_path or "", resolved.home)]


def _trouble(error: PerdureError) -> str:
    """A failure never stops a session (SPEC 16.3), but it is always reported."""
    return f"Perdure: this session is not recorded: {_with_way_out(error)}"


def _as_recorded(resolved: ResolvedRequest, error: PerdureError) -> list[str]:
    """The brief of what was recorded until now, if only the project's id keeps the session from being recorded."""
    if error.code != "another_project_id":
        return []
    from perdure.actions import recovering
    from perdure.actions.wiring import open_desk_at

    try:
        with open_desk_at(resolved, writable=False) as desk:
            return [recovering.from_ledger(desk, None, None).text]
    except PerdureError:
        return []  # the agent is told the first error


def _with_way_out(error: PerdureError) -> str:
    return f"{error.message} {error.hint or 'perdure doctor says more.'}"


def _export(path: str, session_id: str, program: str) -> None:
    """Tells the client's shells their session, and where `perdure` is if it is not on their PATH (SPEC 3.1, row 2)."""
    if not path or not is_token(session_id):
        return
    lines = [f"export PERDURE_CLIENT_SESSION={session_id}", *_unset_the_projects()]
    folder = os.path.dirname(program)
    if folder and not _is_found(os.environ.get("PATH", "")):
        lines.append('export PATH="$PATH":' + "'" + folder.replace("'", "'\\''") + "'")
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _unset_the_projects() -> list[str]:
    """A project's settings file may not set our variables. A shell of the client could leave the project, and `perdure`
    would not find that file there."""
    given = in_settings_files(os.environ, working_directory())
    names = dict.fromkeys(each.name for each in given if each.name.startswith(OURS) and not each.is_persons)
    return [f"unset {name}" for name in names if is_token(name)]


def _is_found(path: str) -> bool:
    return any(os.access(os.path.join(folder, "perdure"), os.X_OK) for folder in path.split(os.pathsep) if folder)


def prompt(client: HookClient, payload: Payload, program: str) -> str:
    """If a prompt cannot be recorded, both the person and the agent are told."""
    from perdure.actions import lost_record, prompts

    resolved = resolve_request(request_of(client, payload, program))
    typed = client.persons_prompt(payload)
    if resolved.place.project_path is None:
        return client.tell(port.PROMPT, prompts.given_outside(resolved, typed))
    if not typed:
        return ""
    was_gone = lost_record.is_gone(resolved)
    try:
        told = prompts.record_prompt(
            resolved,
            typed,
            attended=client.is_attended(os.environ),
            transcript=payload.transcript_path,
            urgent=lambda: _unguarded(resolved) if was_gone else [],
        )
    except PerdureError as error:
        trouble = f"Perdure: this prompt is not recorded: {_with_way_out(error)}"
        return client.warn(port.PROMPT, headed(RUNNING, trouble))
    return client.tell(port.PROMPT, told)


def end(client: HookClient, payload: Payload, program: str) -> str:
    resolved = resolve_request(request_of(client, payload, program))
    if resolved.place.project_path is None:
        early_prompts.leave(resolved)
    elif resolved.place.project_is_there:
        from perdure.actions.client_session_end import end_client_session

        for told in end_client_session(resolved, client.end_reason(payload)):
            print(f"perdure: {told}", file=sys.stderr)
    return ""


def turn_ended(client: HookClient, payload: Payload, program: str) -> str:
    """The client waits for this one: it may keep the turn from ending. A failure never does. Text for the model would
    also keep it from ending, so only the person sees what else is said; the model reads it with the next prompt."""
    resolved = resolve_request(request_of(client, payload, program))
    if resolved.place.project_path is None or not resolved.place.project_is_there:
        return ""
    from perdure.actions import turn_end

    end = turn_end.end_turn(resolved, payload.transcript_path)
    if end.held:
        return client.hold_turn(headed(STOP, end.held))
    return client.show_person(end.told) if end.told else ""


def before_compaction(client: HookClient, payload: Payload, program: str) -> str:
    """Holds back only a compaction that the person asked for, and only in strict mode (SPEC 9.2). There whatever fails
    holds it back, too: what could not be decided is refused. A compaction that is not held back begins: its summariser
    is told what must survive (SPEC 11.1). What must survive was never in the context of a subagent, so its compaction
    is left alone: it is none of the session."""
    if is_for_subagent(client, payload, program):
        return ""
    request, is_manual = request_of(client, payload, program), client.is_compaction_manual(payload)
    from perdure.actions import compaction_hold

    root = compaction_hold.project_above(request.cwd)
    try:
        resolved = resolve_request(request)
        root = resolved.place.project_path
        reason = _why_held_back(resolved) if root is not None and is_manual else ""
    except BaseException as error:
        reason = compaction_hold.why_in_doubt(request, root, error) if is_manual else ""
        if not reason:
            raise
    if reason:
        return client.hold_back(reason)
    guidance = _guidance(resolved, is_manual=is_manual)
    _save(resolved)
    return client.guide_summary(guidance)


def _save(resolved: ResolvedRequest) -> None:
    """Handoff and state checkpoint. A failure is reported, and keeps the summariser from nothing."""
    if resolved.place.project_path is None or not resolved.place.project_is_there:
        return
    from perdure.actions import boundaries

    try:
        boundaries.at_compaction(resolved)
    except PerdureError as error:
        print(f"perdure: the handoff was not written: {_with_way_out(error)}", file=sys.stderr)


def _guidance(resolved: ResolvedRequest, *, is_manual: bool) -> str:
    """A failure is reported and keeps no compaction from happening: everything was recorded when it happened."""
    if resolved.place.project_path is None or not resolved.place.project_is_there:
        return ""
    from perdure.actions import compaction

    try:
        return compaction.guide(resolved, "manual" if is_manual else "auto")
    except PerdureError as error:
        print(f"perdure: the summariser is not told what must survive: {_with_way_out(error)}", file=sys.stderr)
        return ""


def _why_held_back(resolved: ResolvedRequest) -> str:
    from perdure.actions import checkpoint  # reads files and asks git

    return checkpoint.why_held_back(resolved)


HANDLERS: dict[str, Handler] = {
    port.SESSION_START: start,
    port.PROMPT: prompt,
    port.BEFORE_COMPACTION: before_compaction,
    port.TURN_END: turn_ended,
    port.SESSION_END: end,
}
