"""What an agent was seen to do: files, commands and how they ended, errors, subagents (SPEC 6.2).

Clients run this beside their work, not before it, so what was seen a moment ago may still be under way: a transition
that depends on it waits for it first (`taken_in`, SPEC 4.3). Nothing heavy is imported before that is marked.

    saw(request, [FileRead("/repo/src/cart.py")])
"""

from __future__ import annotations

import os

from perdure.actions.request import holds_in, resolve_request
from perdure.files import Underway, is_settled
from perdure.model import payload as p
from perdure.model.value import replace
from perdure.place import pointers, project, repository
from perdure.views import transaction_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from perdure.actions.request import Request, ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.gate.effects.finding import Analysis

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
"""One of these stands in what a command prints that goes wrong."""
LONGEST = 2000
"""Characters kept of a command or an error: its identity, not its output (SPEC 9.1)."""
MOST_MASKED = 50_000


def record_observed(request: Request, seen: Sequence[Seen]) -> None:
    """Outside a project nothing is kept."""
    if not seen:
        return
    resolved = resolve_request(request)
    if resolved.place.project_path is None or not resolved.place.project_is_there:
        return
    held = _held_elsewhere(resolved)
    for root in dict.fromkeys(_concerns(resolved, each, held) for each in seen):
        _record_in(resolved, root, [each for each in seen if _concerns(resolved, each, held) == root])


def _record_in(resolved: ResolvedRequest, root: str, seen: Sequence[Seen]) -> None:
    with Underway(_mark(project.folder_of(root))):
        from perdure.actions.acts import record_event
        from perdure.actions.wiring import open_desk_at

        with open_desk_at(resolved, root) as desk:
            for each in seen:
                record_event(desk, KINDS[type(each)], _kept(each, resolved, root))
            _shut_what_is_closed(desk)


def _held_elsewhere(resolved: ResolvedRequest) -> list[str]:
    """Other projects in which this instance has a transaction open, as their files say."""
    instance = resolved.place.instance_id
    found = pointers.found(resolved.home, instance, ()) if instance else []
    holds, here = holds_in(resolved.home), resolved.place.project_path
    return [each.root for each in found if each.root != here and holds(each.root, each.instance_id)]


def _concerns(resolved: ResolvedRequest, seen: Seen, held: list[str]) -> str:
    """The project whose record it belongs to: the client's own; but where this instance has a transaction open in
    another one, what it does there is evidence for that one (SPEC 4.3, 4.7)."""
    path = getattr(seen, "path", None) or resolved.request.cwd
    inside = [root for root in held if _is_in(path, root)]
    return max(inside, key=len, default=resolved.place.project_path or "")


def _is_in(path: str, root: str) -> bool:
    """In the project's folder, or in a work tree that belongs to it."""
    try:
        found = repository.enclosing(path if os.path.isdir(path) else os.path.dirname(path))
    except (ValueError, OSError):
        return False
    return (found is not None and found.main == root) or os.path.realpath(path).startswith(root + os.sep)


def _shut_what_is_closed(desk: Desk) -> None:
    """An old file put back says what was true once: it is not left to the gate longer than until something is done."""
    holding = desk.ledger.document("holding", desk.seat.instance_id)
    ours = getattr(holding.body, "transaction_id", None) if holding else None
    for suffix in transaction_file.suffixes_on_disk(desk.folder):
        shown = transaction_file.read(desk.folder, suffix, desk.key)
        if shown and shown.is_open and shown.instance_id == desk.seat.instance_id and shown.transaction_id != ours:
            from perdure.actions.healing import mend_views

            mend_views(desk)


def taken_in(desk: Desk) -> bool:
    """What is being observed right now is on record when this returns, unless it takes longer than is worth waiting."""
    return is_settled(_mark(desk.folder))


def _mark(folder: str) -> str:
    return os.path.join(folder, MARK)


def _kept(seen: Seen, resolved: ResolvedRequest, root: str) -> object:
    if isinstance(seen, p.FileRead | p.FileCreated | p.EditMade):
        return replace(seen, path=path_in(root, seen.path))
    if isinstance(seen, p.ToolFailed):
        path = path_in(root, seen.path) if seen.path else None
        return replace(seen, error=shortened(seen.error), path=path)
    if isinstance(seen, p.CommandRun):
        error = shortened(seen.error) if seen.error else None
        made = _analysis(seen, resolved)
        return replace(
            seen,
            command=shortened(seen.command),
            effect=made.effect,
            error=error,
            taught=_teaches(seen, made),
        )
    return seen


def _analysis(ran: p.CommandRun, resolved: ResolvedRequest) -> Analysis:
    from perdure.actions.gating import Judge

    return Judge(resolved).analysis_of(ran.command)


def _teaches(ran: p.CommandRun, made: Analysis) -> bool:
    """Whether the command could teach something about the work (SPEC 4.3).

    Three kinds do. One only looked, succeeded and printed something, and a part of it shows something of the work, as
    the gate reads the command (`Finding.looks`). One searched to the end and found nothing: what it looked for is not
    there. The third ran the project's tests or a build or a linter: also one that
    failed, and one that printed nothing, since silence is how most of them say that all is well. What only prints its
    own words, waits, does nothing or tells about the machine teaches nothing."""
    looked = made.effect == "noetic" and made.looks
    if looked and ran.outcome == "succeeded" and ran.taught is not False:
        return True
    if ran.outcome == "interrupted" or made.effect not in ("noetic", "praxic"):
        return False
    from perdure.recovery import commands  # not light, and the command is one that did not only look, or in vain

    return (looked and commands.found_nothing(ran.command, ran.error)) or commands.is_check(ran.command)


def hidden_failure(command: str, printed: str) -> str | None:
    """What a command printed that went wrong although the client says that it went well: a pipe hid its end."""
    if not any(sign in printed for sign in SIGNS):
        return None
    from perdure.recovery import verdict  # rarely needed, and not light

    return printed if verdict.went_wrong(command, printed, failed=False) else None


def path_in(root: str, path: str) -> str:
    """From the root of the work tree it lies in, where that is the project's; else as it is. What no system could open
    lies nowhere."""
    try:
        found = repository.enclosing(os.path.dirname(path))
    except (ValueError, OSError):
        return path
    base = found.work_tree if found and found.main == root else root
    return os.path.relpath(path, base) if path.startswith(base + os.sep) else path


def shortened(text: str) -> str:
    """Both ends of it: an error's first line says what, its last line often why. Masked before it is cut: half a
    credential is one too."""
    if len(text) <= LONGEST:
        return text
    from perdure.masking import mask_text

    half = LONGEST // 2 - 20
    first, last = mask_text(text[:MOST_MASKED])[0], mask_text(text[-MOST_MASKED:])[0]
    return f"{first[:half]}\n… {len(text) - 2 * half:,} characters …\n{last[-half:]}"
