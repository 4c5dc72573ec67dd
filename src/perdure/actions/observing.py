"""Records what hooks saw an agent do: files, commands and their outcome, errors, subagents (SPEC 6.2).

Clients do not wait for this, so what was seen a moment ago may still be on its way. A command that depends on it waits
for it first (`taken_in`, SPEC 4.3). Nothing heavy is imported before the recording is marked as under way. A call that
only looked is not recorded here: a note of it is left (`actions/call_notes.py`).

    record_observed(request, [FileRead("/repo/src/cart.py")])
"""

from __future__ import annotations

import os

from perdure.actions.newest import newest_first
from perdure.actions.request import holds_in, resolve_request
from perdure.files import RecordingMark, is_settled
from perdure.model import payload as p
from perdure.model.value import replace, value
from perdure.place import project, repository, transaction_pointers
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from perdure.actions.call_notes import NoteWriter
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.gate.effects.finding import Analysis
    from perdure.model.event import Event

    Seen: TypeAlias = (
        p.FileRead
        | p.FileCreated
        | p.EditMade
        | p.SearchMade
        | p.CommandRun
        | p.ToolFailed
        | p.SubagentStarted
        | p.SubagentStopped
    )

KINDS: dict[type, str] = {
    p.FileRead: "file.read",
    p.FileCreated: "file.created",
    p.EditMade: "edit.made",
    p.SearchMade: "search.made",
    p.CommandRun: "command.run",
    p.ToolFailed: "tool.failed",
    p.SubagentStarted: "subagent.started",
    p.SubagentStopped: "subagent.stopped",
}
MARK = "observing"
SIGNS = ("rror", "FAIL", "Fail", "fail", "CONFLICT", "atal:", "panic", "ejected", "not found", "Exception")
"""If a command fails, its output contains one of these."""
LONGEST = 2000
"""The most characters that are kept of a command or an error: enough to identify it, not its output (SPEC 9.1)."""
MOST_MASKED = 50_000
CHECK_WORDS = (
    *("test", "check", "lint", "make", "build", "tox", "nox", "ruff", "mypy", "pyright", "jest", "mocha", "tsc"),
    *("cargo", "go ", "tap", "prove", "bats", "ava", "spec", "cmake", "ninja", "flake8", "clippy", "just", "biome"),
    *("mvn", "php", "pest", "verify", "compile", "gcc", "g++", "clang", "javac", "rustc", "xcode", " ci"),
    *("npm t", "rake", "busted"),
)
"""A command that is a check has one of these in it. What has none is not looked at more closely."""
PLAIN_READERS = frozenset(
    """cat tac head tail less more sed grep egrep fgrep rg awk jq nl bat strings ls find fd wc git echo printf cd pwd
    sort uniq cut tr file stat tree diff du""".split()
)
"""A command that only reads and runs none but these is no check."""
REVERT_WORDS = ("restore", "checkout", "reset")
_LATEST_COMMANDS, _LATEST_FILES = 50, 300


@value
class CommandEnd:
    """What is known of a command beside what is kept of it."""

    printed: str
    ended: int
    """When it ended, in nanoseconds since the epoch."""


def record_observed(
    request: Request, seen: Sequence[Seen], command_end: CommandEnd | None = None, *, transcript: str = ""
) -> None:
    """Records what was seen; nothing outside a project. `command_end` is of the command among it, if there is one and
    the client knows how it ended. `transcript`: the path of the client's transcript."""
    if not seen:
        return
    resolved = resolve_request(request)
    if resolved.place.project_path is None or not resolved.place.project_is_there:
        return
    held = _held_elsewhere(resolved)
    for root in dict.fromkeys(_concerns(resolved, each, held) for each in seen):
        here = [each for each in seen if _concerns(resolved, each, held) == root]
        _record_in(resolved, root, here, command_end=command_end, transcript=transcript)


def record_summary(request: Request, text: str) -> None:
    """A client's summariser ended with this text: records what it keeps, alters and loses, and what it states otherwise
    than the ledger (SPEC 7.4, 11.2). The session start that follows waits for it and tells the agent."""
    if not text:
        return
    resolved = resolve_request(request)
    root = resolved.place.project_path
    if root is None or not resolved.place.project_is_there:
        return
    with RecordingMark(_mark(project.folder_of(root))):
        from perdure.actions import compaction, fork_check
        from perdure.actions.wiring import open_desk_at

        with open_desk_at(resolved, root) as desk:
            if compaction.is_begun(desk):
                compaction.audit(desk, text, compaction.SUMMARISER)
            else:
                fork_check.check_summary(desk, text)


def record_compacted(request: Request, text: str) -> None:
    """The context was compacted, and this is the summary in it: compares it, unless the summariser's text was compared
    before. What it lost is kept for the next prompt or tool call."""
    resolved = resolve_request(request)
    root = resolved.place.project_path
    if not text or root is None or not resolved.place.project_is_there:
        return
    with RecordingMark(_mark(project.folder_of(root))):
        from perdure.actions import compaction, give_back, sessions
        from perdure.actions.wiring import open_desk_at

        with open_desk_at(resolved, root) as desk:
            give_back.prepare(desk, compaction.audit_after(desk, text), sessions.under_way(desk))


def _record_in(
    resolved: ResolvedRequest, root: str, seen: Sequence[Seen], *, command_end: CommandEnd | None, transcript: str
) -> None:
    with RecordingMark(_mark(project.folder_of(root))):
        if len(seen) == 1 and _is_noted(resolved, root, seen[0], transcript=transcript):
            return
        from perdure.actions import call_notes
        from perdure.actions.attribution import record_event
        from perdure.actions.early_prompts import record_early_goal
        from perdure.actions.wiring import open_desk_at

        with open_desk_at(resolved, root) as desk:
            if root == resolved.place.project_path:
                record_early_goal(desk)
            for each in seen:
                event = record_event(desk, KINDS[type(each)], _kept(each, desk, root))
                if isinstance(each, p.CommandRun) and command_end:
                    _record_checks(desk, each, command_end)
                    _record_reverted(desk, each)
            if root == resolved.place.project_path:
                _follow_session(desk, transcript)
                call_notes.show_standing(resolved, desk, event)
            _shut_what_is_closed(desk)


def _is_noted(resolved: ResolvedRequest, root: str, seen: Seen, *, transcript: str) -> bool:
    """Whether a note of the call was left, which is recorded later."""
    if root != resolved.place.project_path or not _may_wait(seen):
        return False
    from perdure.actions import call_notes, context_window

    writer = call_notes.writer_here(resolved, root)
    use = context_window.use_of(resolved, transcript) if writer else None
    if writer is None or (use and use.is_nearly_full):
        return False
    return _leave_note(writer, seen, resolved=resolved, root=root)


def _may_wait(seen: Seen) -> bool:
    """A call that only looked, or that succeeded. The others change what the gate or the person is told next, or need
    the ledger."""
    if isinstance(seen, p.CommandRun):
        return seen.outcome == "succeeded" and not seen.error and not _may_revert(seen)
    return isinstance(seen, p.FileRead | p.SearchMade)


def _leave_note(writer: NoteWriter, seen: Seen, *, resolved: ResolvedRequest, root: str) -> bool:
    kept: object = seen
    if isinstance(seen, p.FileRead):
        kept = replace(seen, path=path_in(root, seen.path))
    elif isinstance(seen, p.CommandRun):
        made = _analysis(seen, resolved)
        if _may_prove(seen, made):
            return False
        kept = _judged(seen, made)
    return writer.leave(KINDS[type(seen)], kept)


def _follow_session(desk: Desk, transcript: str) -> None:
    """The agent is at work (SPEC 10.1); if its context is nearly full, it is told with its next tool call (10.8)."""
    from perdure.actions import context_exhaustion, phases

    phases.begin_work(desk)
    context_exhaustion.leave(desk, transcript)


def _held_elsewhere(resolved: ResolvedRequest) -> list[str]:
    """Other projects in which this instance has an open transaction, according to its files."""
    instance = resolved.place.instance_id
    found = transaction_pointers.pointers_of(resolved.home, instance, ()) if instance else []
    holds, here = holds_in(resolved.home), resolved.place.project_path
    places = (
        (root, each) for each in found for root in transaction_pointers.whereabouts(each, resolved.registry, here)
    )
    return [root for root, each in places if root != here and holds(root, each.instance_id)]


def _concerns(resolved: ResolvedRequest, seen: Seen, held: list[str]) -> str:
    """The project whose record the event belongs to: the client's own, unless this instance has an open transaction in
    the project where it acts. Then it is evidence for that transaction (SPEC 4.3, 4.7)."""
    path = getattr(seen, "path", None) or resolved.request.cwd
    inside = [root for root in held if _is_in(path, root)]
    return max(inside, key=len, default=resolved.place.project_path or "")


def _is_in(path: str, root: str) -> bool:
    """Whether the path is in the project's folder, or in a work tree that belongs to it."""
    try:
        found = repository.enclosing(path if os.path.isdir(path) else os.path.dirname(path))
    except (ValueError, OSError):
        return False
    return (found is not None and found.main == root) or os.path.realpath(path).startswith(root + os.sep)


def _shut_what_is_closed(desk: Desk) -> None:
    """Corrects a transaction file of this instance that shows a closed transaction as open: somebody put an old file
    back. It is done with each recording, so that the gate does not trust the file for long."""
    holding = desk.ledger.document("holding", desk.seat.instance_id)
    ours = getattr(holding.body, "transaction_id", None) if holding else None
    for suffix in transaction_file.suffixes_on_disk(desk.folder):
        shown = transaction_file.read(desk.folder, suffix, desk.key)
        if shown and shown.is_open and shown.instance_id == desk.seat.instance_id and shown.transaction_id != ours:
            from perdure.actions.view_healing import mend_views

            mend_views(desk)


def taken_in(desk: Desk) -> bool:
    """Waits until what is being observed now is recorded or noted, but not for long, and records what was noted."""
    from perdure.actions import call_notes

    settled = is_settled(_mark(desk.folder))
    call_notes.take_in(desk)
    return settled


def _mark(folder: str) -> str:
    return os.path.join(folder, MARK)


def _record_checks(desk: Desk, ran: p.CommandRun, command_end: CommandEnd) -> None:
    """What the command proved, if it is a check (SPEC 10.6)."""
    if ran.outcome == "interrupted" or not _may_prove(ran):
        return
    from perdure.actions import check_runs  # not light, and few commands are checks

    began = command_end.ended - (ran.duration_ms or 0) * 1_000_000
    ended = check_runs.Ended(command_end.printed, ran.outcome == "succeeded", began)
    check_runs.record_runs(desk, ran.command, ended)


def _may_prove(ran: p.CommandRun, made: Analysis | None = None) -> bool:
    """Whether the command may be a check. Most commands with such a word in them only look, as `cat tests/a.py`."""
    if not any(word in ran.command for word in CHECK_WORDS):
        return False
    return made is None or made.effect != "noetic" or not all(_is_of_plain_reader(each.part) for each in made.findings)


def _is_of_plain_reader(part: str) -> bool:
    return part.split(maxsplit=1)[0] in PLAIN_READERS if part.strip() else False


def _may_revert(ran: p.CommandRun) -> bool:
    return "git" in ran.command and any(word in ran.command for word in REVERT_WORDS)


def _record_reverted(desk: Desk, ran: p.CommandRun) -> None:
    if ran.outcome != "succeeded" or not _may_revert(ran):
        return
    from perdure.actions.attribution import record_event
    from perdure.actions.reverted_edits import reverted  # not light, and few commands take edits back

    for path in reverted(desk, ran.command):
        record_event(desk, "edit.reverted", p.EditReverted(path))


def _kept(seen: Seen, desk: Desk, root: str) -> object:
    if isinstance(seen, p.EditMade):
        path = path_in(root, seen.path)
        return replace(seen, path=path, unread=_is_unread(desk, path) or None)
    if isinstance(seen, p.FileRead | p.FileCreated):
        return replace(seen, path=path_in(root, seen.path))
    if isinstance(seen, p.ToolFailed):
        named = path_in(root, seen.path) if seen.path else None
        return replace(seen, error=shortened(seen.error), path=named)
    if isinstance(seen, p.CommandRun):
        judged = _judged(seen, _analysis(seen, desk.resolved))
        return replace(judged, failed_in_a_row=_failed_in_a_row(desk, seen)) if seen.outcome == "failed" else judged
    return seen


def _judged(seen: p.CommandRun, made: Analysis) -> p.CommandRun:
    return replace(
        seen,
        command=shortened(seen.command),
        effect=made.effect,
        error=shortened(seen.error) if seen.error else None,
        taught=_teaches(seen, made),
    )


def _is_unread(desk: Desk, path: str) -> bool:
    """Whether nothing shows that this instance read, wrote or named the file before."""
    for event in newest_first(desk.latest_here, ("file.read", "file.created", "edit.made"), _LATEST_FILES):
        seen = p.read(event, p.FileRead) or p.read(event, p.FileCreated) or p.read(event, p.EditMade)
        if seen and seen.path == path and event.instance_id == desk.seat.instance_id:
            return False
    name = os.path.basename(path)
    return not any(ran and name in ran.command for _, ran in _latest_commands(desk))


def _latest_commands(desk: Desk) -> list[tuple[Event, p.CommandRun | None]]:
    """This instance's, newest first."""
    found = desk.latest_here(["command.run"], _LATEST_COMMANDS)
    return [(event, p.read(event, p.CommandRun)) for event in found if event.instance_id == desk.seat.instance_id]


def _failed_in_a_row(desk: Desk, failed: p.CommandRun) -> int:
    command = shortened(failed.command)
    for _, ran in _latest_commands(desk):
        if ran and ran.command == command:
            return (ran.failed_in_a_row or 0) + 1 if ran.outcome == "failed" else 1
    return 1


def _analysis(ran: p.CommandRun, resolved: ResolvedRequest) -> Analysis:
    from perdure.actions.gating import Gate

    return Gate(resolved).analysis_of(ran.command)


def _teaches(ran: p.CommandRun, made: Analysis) -> bool:
    """Whether the command could teach something about the work (SPEC 4.3).

    Three kinds of command do. One only read, succeeded and printed something, and a part of it shows something of the
    work, as the gate reads the command (`Finding.looks`). One searched to the end and found nothing: what it searched
    for is not there. One ran the project's tests, a build or a linter; it counts also if it failed or printed nothing,
    since most of them print nothing if all is well. A command that only prints its own words, waits, does nothing or
    tells about the machine teaches nothing."""
    looked = made.effect == "noetic" and made.looks
    if looked and ran.outcome == "succeeded" and ran.taught is not False:
        return True
    if ran.outcome == "interrupted" or made.effect not in ("noetic", "praxic"):
        return False
    from perdure.recovery import commands  # not light; needed only for a command that did not just read with success

    return (looked and commands.found_nothing(ran.command, ran.error)) or commands.is_check(ran.command)


def hidden_failure(command: str, printed: str) -> str | None:
    """The output of a command that failed although the client says that it succeeded, because a pipe hid its exit
    code."""
    if not any(sign in printed for sign in SIGNS):
        return None
    from perdure.recovery import command_failed  # rarely needed, and not light

    return printed if command_failed.went_wrong(command, printed, failed=False) else None


def path_in(root: str, path: str) -> str:
    """The path relative to the root of its work tree, if that belongs to the project; otherwise unchanged, also if no
    system could open it."""
    try:
        found = repository.enclosing(os.path.dirname(path))
    except (ValueError, OSError):
        return path
    base = found.work_tree if found and found.main == root else root
    return os.path.relpath(path, base) if path.startswith(base + os.sep) else path


def shortened(text: str) -> str:
    """The beginning and the end of a long text: an error's first line says what, its last line often why. The text is
    masked before it is cut, because half a credential is still one."""
    if len(text) <= LONGEST:
        return text
    from perdure.masking import mask_text

    half = LONGEST // 2 - 20
    first, last = mask_text(text[:MOST_MASKED])[0], mask_text(text[-MOST_MASKED:])[0]
    return f"{first[:half]}\n… {len(text) - 2 * half:,} characters …\n{last[-half:]}"
