"""Projects: makes and lists them, moves an instance from one to another, forgets one that was deleted (SPEC 3.4, 3.5,
6.1)."""

from __future__ import annotations

import os
from shlex import quote

from perdure.actions import (
    attribution,
    backup,
    gate_warnings,
    healing,
    holdings,
    other_repository,
    restoring,
    session_records,
    transactions,
)
from perdure.actions.ledger_origin import ledger_path, record_creation, refuse_to_set_aside, register
from perdure.actions.record import Fact, record
from perdure.actions.request import ResolvedRequest, resolve_request
from perdure.actions.sessions import ensure_session
from perdure.actions.view_healing import mend_views
from perdure.actions.wiring import create_project_folder, open_desk_at
from perdure.errors import Refused
from perdure.files import make_folder
from perdure.model import payload as p
from perdure.model.ids import LEAST, ProjectId, prefix_of, short
from perdure.model.state import Transaction
from perdure.model.value import replace, value
from perdure.place import project, repository, rights, same_repository, transaction_pointers
from perdure.place.bindings import Bindings
from perdure.place.own_instance import refuse_agent
from perdure.place.registry import Entry
from perdure.place.seat import bind
from perdure.settings import refusals, wrong_in_files
from perdure.views import event_files, own_ledgers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.request import Request
    from perdure.actions.wiring import Desk


@value
class MadeProject:
    root: str
    identity: project.Identity
    changed: tuple[str, ...]
    restored_events: int
    bound_to: str | None
    warnings: tuple[str, ...] = ()


def init(request: Request, folder: str | None, name: str | None) -> MadeProject:
    """Makes the folder's repository a project. A second run changes nothing; a run after `git clean` restores. If
    this home keeps a record of another repository that was there before, that record is left alone and a warning
    names it."""
    return _init(request, folder, name, is_chosen=False)


def _init(request: Request, folder: str | None, name: str | None, *, is_chosen: bool) -> MadeProject:
    """`is_chosen`: a person named the record that belongs here."""
    resolved = resolve_request(request)
    root = _root_for(resolved, folder)
    foreign = healing.foreign_chain(resolved, root)
    if foreign:
        refuse_to_set_aside(resolved, root, foreign)
    is_foreign = foreign is not None
    is_without = is_foreign or not os.path.lexists(ledger_path(root))
    back = healing.put_known_id_back(resolved, root) if is_without else []
    told, changed = _leave_others_alone(resolved, root, name, is_foreign=is_foreign)
    changed += create_project_folder(resolved, root, name)
    if is_foreign:
        healing.refuse_without_home(resolved)
        told.append(healing.told_aside(restoring.set_aside(root, request.now(), "foreign")))
    restored = None
    if not os.path.exists(ledger_path(root)):
        restored = restoring.bring_ledger_back(resolved, root, is_chosen=is_chosen)
        changed.append(ledger_path(root))
    with open_desk_at(resolved, root) as desk:
        if restored and not restored.events:
            desk.known_wrong = ()  # it was begun just now
        record_creation(desk)
        register(desk)
        _ = desk.key
        warnings = back + told
        if restored:
            changed += _record_restoring(desk, restored)
            warnings += [*restored.mended, *(f"lost: {what}" for what in restored.lost)]
        warnings += _only_in_backup(desk)
        warnings += _unknown_to_home(desk)
        bound_to = _bound_to_another(resolved, root)
        warnings += rights.tighten(resolved.home, desk.folder)
        warnings += [*wrong_in_files(desk.settings), *refusals(desk.settings)]
        warnings += [str(each) for each in gate_warnings.warnings_for(resolved)]
        return MadeProject(
            root=root,
            identity=desk.identity,
            changed=tuple(changed),
            restored_events=restored.events if restored else 0,
            bound_to=bound_to,
            warnings=tuple(warnings),
        )


def _leave_others_alone(
    resolved: ResolvedRequest, root: str, name: str | None, *, is_foreign: bool
) -> tuple[list[str], list[str]]:
    """Makes sure that nothing of another repository's record is used here, whatever path or id this one has. Returns
    what the person is told, and what was changed."""
    has_ledger = os.path.exists(ledger_path(root))
    if has_ledger and not is_foreign:
        return [], []
    kept = None if has_ledger else other_repository.left_out(resolved, root)
    if kept:
        resolved.registry.forget(root)
    own_id = other_repository.give_own_id(resolved, root, name)
    told = [own_id] if own_id else []
    told += [f"{kept.words} {kept.way_back}"] if kept else []
    return told, [project.toml_of(root)] if own_id else []


def _record_restoring(desk: Desk, restored: restoring.Restored) -> list[str]:
    """Writes the views again, records what was lost, and returns what was changed on the way."""
    mended = [*mend_views(desk), *healing.put_heads_back(desk)] if restored.events else []
    if restored.lost or restored.mended:
        done = (f"restored from {restored.source}", *restored.mended)
        record(desk, [Fact("ledger.healed", p.LedgerHealed(done, restored.lost))])
    return mended


def _bound_to_another(resolved: ResolvedRequest, root: str) -> str | None:
    """The other project that this place is bound to. It is resolved anew: `root` is a project only now."""
    if resolved.place.binding is None:
        return None
    bound = resolve_request(resolved.request).place.project_path
    return bound if bound != root else None


def _only_in_backup(desk: Desk) -> list[str]:
    """Chains that somebody copied into this project's backup after its ledger was begun."""
    home, here = desk.resolved.home, {head.ledger_id for head in desk.ledger.heads()}
    known = {ledger_id for entry in desk.resolved.registry.entries() for ledger_id in entry.ledgers}
    kept = [each for each in event_files.ledgers_in(desk.backup_folder) if each not in here | known]
    others = [short(each) for each in kept if not own_ledgers.was_begun(home, each)]
    if not others or not same_repository.is_of_one_repository(desk.backup_folder, desk.root):
        return []
    return [
        f"{desk.backup_folder} also has ledger {', '.join(others)}: another home wrote it, and it is not in the "
        f"ledger here. If it is yours, take it in: perdure import {quote(desk.backup_folder)}"
    ]


def _unknown_to_home(desk: Desk) -> list[str]:
    """With a home that cannot be written, nothing outside the project will prove later that this ledger is ours."""
    home, chain = desk.resolved.home, desk.ledger.head().ledger_id
    if own_ledgers.was_begun(home, chain):
        return []
    return [
        f"{home} cannot be written, so it will not know this ledger later. Run perdure init again where it can be "
        "written. That begins another ledger, sets this one aside, and names the file: perdure import takes it in."
    ]


def root_for(request: Request, folder: str | None) -> str:
    """The root that `init` would make a project; refused where it cannot."""
    return _root_for(resolve_request(request), folder)


def _root_for(resolved: ResolvedRequest, folder: str | None) -> str:
    start = project.checked_path(folder, "The folder") if folder else resolved.request.cwd
    if not os.path.isdir(start):
        raise Refused("no_folder", f"{start} is not a folder.", hint="Create it first.")
    found = repository.enclosing(start)
    root = project.checked_path(found.main if found else start, "The folder")
    project.refuse_home(root, resolved.home)
    project.refuse_unusable(root)
    return root


def restore(request: Request, folder: str | None, typed: str) -> MadeProject:
    """Restores the record of a project into the folder's repository, because a person says that it is the same
    repository. A ledger that is there is set aside."""
    resolved = resolve_request(request)
    root = _root_for(resolved, folder)
    refuse_agent(
        resolved.place,
        resolved.around,
        "Only a person can say whether a record belongs to this repository, and an agent's client started this "
        "command.",
        hint=f"A person runs perdure init --restore {quote(typed)} in a terminal of their own.",
        roots=(root,),
    )
    kept = other_repository.named(resolved, typed, root)
    aside = []
    if os.path.exists(ledger_path(root)) and not _is_here(resolved, root, kept):
        aside.append(restoring.set_aside(root, request.now(), "replaced"))
    if aside or not os.path.exists(ledger_path(root)):
        make_folder(project.folder_of(root))
        project.write_identity(root, project.Identity(kept.project_id, kept.name))
        own_ledgers.mark(project.folder_of(root), kept.ledgers[0])  # any of its chains: it is the same repository
        resolved.registry.forget(root)
    made = _init(request, folder, None, is_chosen=True)
    told = [f"the ledger that was here until now was replaced; it is kept as {path}" for path in aside]
    return replace(made, changed=(*aside, *made.changed), warnings=(*told, *made.warnings))


def _is_here(resolved: ResolvedRequest, root: str, kept: other_repository.KeptRecord) -> bool:
    """Whether the record is in its place already."""
    known = resolved.registry.at(root)
    is_known = known is not None and known.project_id == kept.project_id and {*kept.ledgers} <= {*known.ledgers}
    return is_known and healing.foreign_chain(resolved, root) is None


def listed(resolved: ResolvedRequest) -> list[tuple[Entry, bool]]:
    """Every registered project, and whether it is still there."""
    return [(entry, project.is_project(entry.path)) for entry in resolved.registry.entries()]


def named(resolved: ResolvedRequest, text: str) -> str:
    """The root of the project that a person names by a path, a name, or the beginning of an id."""
    if not os.path.exists(text):
        entries = resolved.registry.entries()
        by_name = [entry.path for entry in entries if entry.name == text]
        if len(by_name) == 1:
            return by_name[0]
        by_id = _paths_by_id(entries, text)
        if len(by_id) == 1:
            return by_id[0]
    is_absolute = os.path.isabs(os.path.expanduser(text))
    path = text if is_absolute else os.path.join(resolved.request.cwd, text)
    return project.root_from(path, "The project")


def _paths_by_id(entries: Iterable[Entry], text: str) -> list[str]:
    """The projects whose id begins so; none if the text cannot be the beginning of an id."""
    if len(text) < LEAST or not set(text.lower()) <= set("0123456789abcdef-"):
        return []
    prefix = prefix_of(text, "The project id")
    return [entry.path for entry in entries if entry.project_id.startswith(prefix)]


@value
class Forgotten:
    root: str
    transactions: int
    """How many transactions may have been open there. They are not reported any more."""
    backup: str | None


def forget(request: Request, text: str) -> Forgotten:
    """Removes what this home keeps about a project whose folder was deleted: its entry in the registry, the bindings to
    it, and the pointers to transactions in it. The backup of its ledger stays."""
    resolved = resolve_request(request)
    gone = _gone(resolved, text)
    root = gone.root
    refuse_agent(
        resolved.place,
        resolved.around,
        f"Only a person can say whether {root} was deleted for good, and an agent's client started this command.",
        hint=f"Go on with your work: nothing waits for it. A person runs perdure project forget {quote(text)} in a "
        "terminal of their own.",
    )
    dropped = transaction_pointers.drop_all(resolved.home, gone.is_led_to_by)
    was_bound = Bindings(resolved.home).put_away(lambda _kind, bound: gone.was(bound.project_path, bound.project_id))
    known = resolved.registry.at(root)
    if known and gone.was(root, known.project_id):
        resolved.registry.forget(root)
    elif not dropped and not was_bound:
        raise Refused("no_such_project", f"No project is known at {root}.", hint="perdure project list")
    kept = backup.folder_for(resolved.home, gone.project_id) if gone.project_id else None
    return Forgotten(root, dropped, kept if kept and os.path.isdir(kept) else None)


@value
class _Gone:
    """A deleted project. Another one may be at its path."""

    root: str
    project_id: ProjectId | None

    def was(self, path: str, project_id: ProjectId | None) -> bool:
        """Whether what says that this project is at this path means the deleted one."""
        return path == self.root and (project_id == self.project_id or not project.is_project(path))

    def is_led_to_by(self, pointer: transaction_pointers.TransactionPointer) -> bool:
        """Also by a pointer from where the project was before it was moved to the place that is gone now."""
        if pointer.project_id == self.project_id:
            return not transaction_pointers.is_at(pointer, pointer.root)
        return self.was(pointer.root, pointer.project_id)


def _gone(resolved: ResolvedRequest, text: str) -> _Gone:
    """A deleted project that a person names by a path, a name, or the beginning of an id. Refused if the folder is
    still there."""
    known = resolved.registry.entries()
    typed = os.path.normpath(os.path.join(resolved.request.cwd, os.path.expanduser(text)))
    matches = _matching(known, typed, text)
    gone = [entry for entry in matches if not project.is_project(entry.path)]
    if len(gone) > 1:
        paths = ", ".join(entry.path for entry in gone)
        raise Refused(
            "ambiguous_project", f"Several deleted projects are called {text}: {paths}.", hint="Give the path."
        )
    replaced = None if matches or os.path.exists(typed) else _replaced(resolved, text)
    if replaced:
        return replaced
    root = typed
    if matches:
        root = (gone or matches)[0].path
    if os.path.isdir(root):
        raise _still_there(root)
    return _Gone(root, gone[0].project_id if gone else None)


def _still_there(root: str) -> Refused:
    back = f"perdure heal --project-path {quote(root)} brings its record back. "
    if project.is_project(root) and os.path.exists(ledger_path(root)):
        back = ""
    return Refused(
        "project_is_there",
        f"{root} is still there, so it is not forgotten.",
        hint=f"{back}To delete the record: perdure uninstall --purge, in that folder.",
    )


def _replaced(resolved: ResolvedRequest, prefix: str) -> _Gone | None:
    """The project whose id begins so, if another one is at its path: the registry has only the other one, but pointers
    still lead to it."""
    if len(prefix) < LEAST:
        return None
    for pointer in transaction_pointers.all_pointers(resolved.home):
        if pointer.project_id.startswith(prefix.lower()) and not transaction_pointers.is_at(pointer, pointer.root):
            return _Gone(pointer.root, pointer.project_id)
    return None


def _matching(entries: list[Entry], path: str, text: str) -> list[Entry]:
    """The entries at this path; else those with this name; else those whose id begins so."""
    by_path = [entry for entry in entries if entry.path == path]
    if by_path:
        return by_path
    by_name = [entry for entry in entries if entry.name == text]
    if by_name or len(text) < LEAST:
        return by_name
    return [entry for entry in entries if entry.project_id.startswith(text)]


@value
class SwitchedProject:
    root: str
    identity: project.Identity
    left_open: Transaction | None
    left_root: str | None
    closed: transactions.Closed | None
    elsewhere: holdings.Elsewhere
    """What this instance holds in other projects now, including what it just left open."""


def switch(request: Request, to: str, postflight: transactions.SelfAssessment | None) -> SwitchedProject:
    """Rebinds this instance for all its keys. A transaction that is open in the project it leaves stays open and is
    named, unless an assessment is given to close it with (SPEC 3.4: an automatic POSTFLIGHT would be a made-up
    measurement)."""
    resolved = resolve_request(request)
    left = resolved.place.project_path
    with open_desk_at(resolved, named(resolved, to)) as desk:
        if not desk.seat.is_bindable:
            raise Refused(
                "cannot_bind",
                "This place cannot be bound to a project: its pane was named with --instance or PERDURE_INSTANCE, "
                "or no process above this command lasts.",
                hint="Name the project with --project-path or PERDURE_PROJECT.",
            )
        if left == desk.root or left is None or not project.is_project(left):
            left, open_there, closed = None, None, None
        else:
            open_there, closed = _leave(resolved, left, postflight)
        here = ensure_session(desk)
        stood_in = resolved.place.cwd_project if resolved.place.cwd_project != desk.root else None
        bind(desk.seat, desk.root, desk.identity.id, session=here.session_id, around=desk.around, stood_in=stood_in)
        if here.facts:
            record(desk, here.facts)
        register(desk)
        away = session_records.store_current(desk, here.session_id)
        return SwitchedProject(
            root=desk.root, identity=desk.identity, left_open=open_there, left_root=left, closed=closed, elsewhere=away
        )


def _leave(
    resolved: ResolvedRequest, root: str, postflight: transactions.SelfAssessment | None
) -> tuple[Transaction | None, transactions.Closed | None]:
    with open_desk_at(resolved, root) as old:
        if postflight:
            return None, transactions.close_here(old, postflight)
        holdings.point_again(old)
        return attribution.own_open_transaction(old), None
