"""Checks that concern no client: this project, its record, its settings, this place, and Perdure's own program."""

from __future__ import annotations

import os
from shutil import which

from perdure.actions import gate_warnings, healing, transaction_lookup
from perdure.actions.other_repository import way_back_to
from perdure.actions.wiring import open_desk_at
from perdure.doctor.finding import CheckResult, bad, inert, ok, warn
from perdure.doctor.trial import Trial, own_program
from perdure.errors import PerdureError, Trouble
from perdure.gate.policy import ENFORCE
from perdure.model import plural
from perdure.model.ids import short
from perdure.place import project, rights
from perdure.place.bindings import Bindings
from perdure.place.process import is_alive
from perdure.proof.fsck import WHAT, Check
from perdure.settings import load, refusals, remedy, unknown_variables, wrong_in_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from perdure.actions.healing import Healed
    from perdure.actions.request import ResolvedRequest

HEAL = "perdure heal"
CORRECT = "A person corrects it there."
HOLDS_SETTINGS = (WHAT[Check.PLACE], WHAT[Check.HOME])
DENIED_MEANWHILE = ("ledger", "state", "folder")
"""Parts of the record that the gate needs to open."""
NOT_WRITABLE = os.path.join(os.devnull, "perdure")
"""A home for Perdure in which nothing can be created: it is below a file, which stops even root."""
_VECTORS = ("--know", "0.8", "--uncertainty", "0.2")
_WHOLE_TRANSACTION = (
    ("preflight", *_VECTORS, "--because", "a trial"),
    ("postflight", *_VECTORS, "--because", "a trial"),
)
"""Commands that open and close a transaction; each records events."""


def look_around(resolved: ResolvedRequest, counted: Callable[[int], None]) -> list[CheckResult]:
    root = resolved.place.project_path
    found = [_project(resolved, root), gate(resolved.home, root, resolved.request.environment)]
    found += [warn("settings", each, "unset it") for each in unknown_variables(resolved.request.environment)]
    found += [*_settings(resolved.home, root, resolved.request.environment), *_loosened(resolved)]
    folder = project.folder_of(root) if root else None
    found += [warn("rights", str(each), each.fix) for each in rights.exposed(resolved.home, folder)]
    if root is not None:
        found += _record(resolved, counted)
    return [
        *found,
        *_bindings(resolved),
        _program(resolved.request.environment),
        _unwritable_home(resolved.request.environment),
    ]


def _project(resolved: ResolvedRequest, root: str | None) -> CheckResult:
    part = "project"
    if root is None:
        return _no_project(part, resolved.request.cwd)
    if not project.is_project(root):
        folder = project.folder_of(root)
        missing = project.toml_of(root) if os.path.isdir(folder) else folder
        return bad(part, f"{missing} is gone", way_back_to(resolved, root))
    try:
        return ok(part, f"{project.identity(root).name}, {root}")
    except PerdureError as error:
        return bad(part, error.message, error.hint)


def _no_project(part: str, folder: str) -> CheckResult:
    what, fix = "there is none here, so everything passes", "perdure init, in the repository"
    try:
        project.checked_path(folder, "The folder")
    except PerdureError as error:  # init would refuse it
        what, fix = f"{what}, and there can be none. {error.message}", error.hint
    return warn(part, what, fix)


def gate(home: str, root: str | None, environment: Mapping[str, str]) -> CheckResult:
    try:
        mode = load(home, root, environment)["gate.mode"]
    except PerdureError as error:
        return bad("settings", f"{error.message} Until then everything that may write is denied.", error.hint)
    if mode.value == ENFORCE:
        return ok("gate", f"{ENFORCE} ({mode.origin})")
    fix = remedy(mode, home, root)
    return inert("gate", f"it is switched to '{mode.value}' in {mode.origin}", fix)


def _loosened(resolved: ResolvedRequest) -> list[CheckResult]:
    """What loosens the gate here or in a client. `gate` reports what switches it off here."""
    part, found = "gate", []
    for each in gate_warnings.warnings_for(resolved):
        if each.does_not_count or not each.is_variable:
            found.append(warn(part, each.words, each.remedy))
        elif not each.switches_off:
            found.append(bad(part, each.words, each.remedy))
        elif each.path:
            found.append(inert(part, each.words, each.remedy))
    return found


def _settings(home: str, root: str | None, environment: Mapping[str, str]) -> list[CheckResult]:
    """What is wrong in the files, and what the repository asked for in vain (SPEC 17.4). `gate` reports a wrong
    variable."""
    try:
        chosen = load(home, root, environment)
    except PerdureError:
        return []
    wrong = [bad("settings", words, CORRECT) for words in wrong_in_files(chosen)]
    return wrong + [warn("settings", words, "perdure config show") for words in refusals(chosen)]


def _record(resolved: ResolvedRequest, counted: Callable[[int], None]) -> list[CheckResult]:
    try:
        checked = healing.check(resolved.request, counted)
        found = _whole(checked, settings_wrong=_are_settings_wrong(resolved))
        if not any(finding.part in DENIED_MEANWHILE for finding in found if finding.fix):
            found += _orphans(resolved, checked.root)
    except PerdureError as error:
        return [bad("ledger", error.message, error.hint or HEAL)]
    return found


def _are_settings_wrong(resolved: ResolvedRequest) -> bool:
    try:
        return bool(load(resolved.home, resolved.place.project_path, resolved.request.environment).wrong)
    except PerdureError:
        return True


def _whole(checked: Healed, *, settings_wrong: bool) -> list[CheckResult]:
    """The audit names wrong settings too, and `heal` does not change settings."""
    if checked.is_whole:
        return [ok("ledger", f"{plural.counted(checked.events, 'event')}; chain, state, views and backup match")]
    return [
        (bad if each.part in DENIED_MEANWHILE else warn)(
            each.part, each.detail, CORRECT if settings_wrong and each.part in HOLDS_SETTINGS else each.way_out or HEAL
        )
        for each in checked.findings
        if not each.is_whole
    ]


def _orphans(resolved: ResolvedRequest, root: str) -> list[CheckResult]:
    with open_desk_at(resolved, root, writable=False) as desk:
        orphans = transaction_lookup.orphans(desk)
    found = [short(each.transaction.id) for each in orphans]
    gone = [short(each.transaction.id) for each in orphans if each.is_left_behind]
    if not found:
        return []
    what = f"left open by a pane that is gone, or not used for a long time: {', '.join(found[:5])}"
    adopt = f"perdure transaction adopt {gone[0]}, or " if gone else "if nobody works there any more: "
    fix = f"{adopt}perdure transaction close --orphaned"
    return [warn("transactions", what + (f" and {len(found) - 5} more" if len(found) > 5 else ""), fix)]


def _bindings(resolved: ResolvedRequest) -> list[CheckResult]:
    """A stale binding is recognised when it is read, so it is not a fault; only this place's own is worth a warning."""
    part, place, around = "bindings", resolved.place, resolved.around
    own = [f"{tried.key}: {tried.outcome}" for tried in place.tried if tried.outcome.startswith("stale")]
    if own and place.binding is None:
        return [warn(part, f"the binding of this place is stale ({own[0]})", "perdure session start")]
    folders = [project.folder_of(place.project_path)] if place.project_path else []
    every = [binding for _, binding in Bindings(resolved.home, *folders).every()]
    stale = [b for b in every if b.boot_id != around.boot_id or not is_alive(b.process, around.processes)]
    ended = f", {len(stale)} of a process that has ended" if stale else ""
    return [ok(part, f"{plural.counted(len(every), 'place')} bound{ended}")]


def _program(environment: Mapping[str, str]) -> CheckResult:
    part, found = "program", which("perdure", path=environment.get("PATH", os.defpath))
    if found:
        return ok(part, found)
    beside = own_program(environment)
    if len(beside) == 1:
        fix = f"Put {os.path.dirname(beside[0])} on the PATH; in a client the session-start hook does."
        return warn(part, "perdure is not on the PATH", fix)
    return bad(part, "perdure is neither on the PATH nor beside the interpreter", "Install Perdure again.")


def _unwritable_home(environment: Mapping[str, str]) -> CheckResult:
    """A whole transaction in a shell that cannot write Perdure's home: only the project must be writable (SPEC 3.2)."""
    part, fix = "sandboxed shell", "Make ~/.perdure (PERDURE_HOME) writable for the client's shells."
    with Trial(environment) as trial:
        try:
            trial.begin(home=NOT_WRITABLE)
        except Trouble as trouble:
            return bad(part, f"if Perdure's home cannot be written: {trouble.message}", fix)
        for words in _WHOLE_TRANSACTION:
            ran = trial.perdure(*words, home=NOT_WRITABLE)
            if ran.code != 0:
                what = f"perdure {words[0]} fails if Perdure's home cannot be written: {ran.said}"
                return bad(part, what, fix)
    return ok(part, "a transaction opens and closes although Perdure's home cannot be written")
