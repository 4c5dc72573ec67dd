"""Projects: making one, listing them, moving an instance from one to another, giving one up that was deleted
(SPEC 3.4, 3.5, 6.1)."""

from __future__ import annotations

import os
from shlex import quote

from perdure.actions import acts, backup, healing, holdings, other_repository, restoring, session_records, transactions
from perdure.actions.record import Fact, record
from perdure.actions.request import ResolvedRequest, resolve_request
from perdure.actions.sessions import ensure_session
from perdure.actions.wiring import lay_folder, ledger_path, open_desk_at, register
from perdure.errors import Refused
from perdure.files import make_folder
from perdure.model import payload as p
from perdure.model.ids import SHORT, prefix_of
from perdure.model.state import Transaction
from perdure.model.value import replace, value
from perdure.place import pointers, project, repository, rights
from perdure.place.bindings import Bindings
from perdure.place.own_instance import refuse_agent
from perdure.place.registry import Entry
from perdure.place.resolve import bind
from perdure.settings import refusals
from perdure.views import own_ledgers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import Request
    from perdure.actions.wiring import Desk


@value
class Made:
    root: str
    who: project.Identity
    changed: tuple[str, ...]
    restored_events: int
    bound_to: str | None
    warnings: tuple[str, ...] = ()


def init(request: Request, folder: str | None, name: str | None) -> Made:
    """Makes the folder's repository a project. Run again it changes nothing; run after `git clean` it restores. What
    this home keeps of another repository that stood there is left alone, and named."""
    resolved = resolve_request(request)
    root = _root_for(resolved, folder)
    kept = None if os.path.exists(ledger_path(root)) else other_repository.left_out(resolved, root)
    if kept:
        resolved.registry.forget(root)
    changed = list(lay_folder(resolved, root, name))
    restored = None
    if healing.is_foreign(resolved, root):
        changed.append(f"{restoring.set_aside(root, request.now(), 'foreign')}, which this home did not write")
    if not os.path.exists(ledger_path(root)):
        restored = restoring.bring_ledger_back(resolved, root)
        changed.append(ledger_path(root))
    with open_desk_at(resolved, root) as desk:
        if desk.ledger.document("project", "this") is None:
            record(desk, [Fact("project.created", p.ProjectCreated(desk.who.name, root))])
        register(desk)
        _ = desk.key
        if restored and restored.events:
            changed += healing.mend_views(desk)
        lost = restored.lost if restored else ()
        if restored and lost:
            record(desk, [Fact("ledger.healed", p.LedgerHealed((f"restored from {restored.source}",), lost))])
        bound = (
            resolve_request(request).place.project_path if resolved.place.binding else None
        )  # as it is now that this is a project
        elsewhere = bound if bound != root else None
        left_out = [f"{kept.words} {kept.way_back}"] if kept else []
        said = [f"lost: {what}" for what in lost]
        tightened = rights.tighten(resolved.home, desk.folder)
        warnings = (*left_out, *said, *_unknown_to_home(desk), *tightened, *refusals(desk.settings))
        return Made(
            root=root,
            who=desk.who,
            changed=tuple(changed),
            restored_events=restored.events if restored else 0,
            bound_to=elsewhere,
            warnings=warnings,
        )


def _unknown_to_home(desk: Desk) -> list[str]:
    """With a home that cannot be written, nothing outside the project will prove later that this ledger is ours."""
    home, chain = desk.resolved.home, desk.ledger.head().ledger_id
    if own_ledgers.was_begun(home, chain):
        return []
    return [
        f"{home} cannot be written, so it will not know this ledger later. Run perdure init again where it can be "
        "written. That begins another ledger, sets this one aside, and names the file: perdure import takes it in."
    ]


def _root_for(resolved: ResolvedRequest, folder: str | None) -> str:
    start = project.checked_path(folder, "The folder") if folder else resolved.request.cwd
    if not os.path.isdir(start):
        raise Refused("no_folder", f"{start} is not a folder.", hint="Create it first.")
    found = repository.enclosing(start)
    root = project.checked_path(found.main if found else start, "The folder")
    project.refuse_home(root, resolved.home)
    project.refuse_linked(root)
    return root


def restore(request: Request, folder: str | None, typed: str) -> Made:
    """Brings the record of a project back into the folder's repository, because a person says that it is the same
    repository. A ledger that stands there is set aside."""
    resolved = resolve_request(request)
    root = _root_for(resolved, folder)
    refuse_agent(
        resolved.around,
        "Whether a record belongs to this repository is for a person to say, and an agent's client started this "
        "command.",
        f"A person runs perdure init --restore {quote(typed)} in a terminal of their own.",
        root,
    )
    kept = other_repository.named(resolved, typed, root)
    aside = []
    if os.path.exists(ledger_path(root)) and not _is_here(resolved, root, kept):
        aside.append(f"{restoring.set_aside(root, request.now(), 'replaced')}, which was the ledger here until now")
    if aside or not os.path.exists(ledger_path(root)):
        make_folder(project.folder_of(root))
        project.write_identity(root, project.Identity(kept.project_id, kept.name))
        own_ledgers.claim(resolved.home, project.folder_of(root), kept.ledgers[0])
        found = repository.enclosing(root)
        common = found.common if found else None
        resolved.registry.write(
            Entry(project_id=kept.project_id, path=root, name=kept.name, common=common, ledgers=kept.ledgers)
        )
    made = init(request, folder, None)
    return replace(made, changed=(*aside, *made.changed))


def _is_here(resolved: ResolvedRequest, root: str, kept: other_repository.KeptRecord) -> bool:
    """The record is in its place already."""
    known = resolved.registry.at(root)
    is_known = known is not None and known.project_id == kept.project_id and {*kept.ledgers} <= {*known.ledgers}
    return is_known and not healing.is_foreign(resolved, root)


def listed(resolved: ResolvedRequest) -> list[tuple[Entry, bool]]:
    """Every registered project, and whether it is still there."""
    return [(entry, project.is_project(entry.path)) for entry in resolved.registry.entries()]


def named(resolved: ResolvedRequest, text: str) -> str:
    """The root of the project a person means: a path, a name, or the beginning of an id."""
    entries = resolved.registry.entries()
    by_name = [entry.path for entry in entries if entry.name == text]
    if len(by_name) == 1 and not os.path.exists(text):
        return by_name[0]
    if not os.path.exists(text) and len(text) >= SHORT and all(c in "0123456789abcdef-" for c in text.lower()):
        prefix = prefix_of(text, "The project id")
        by_id = [entry.path for entry in entries if entry.project_id.startswith(prefix)]
        if len(by_id) == 1:
            return by_id[0]
    return project.root_from(
        os.path.join(resolved.request.cwd, text) if not os.path.isabs(os.path.expanduser(text)) else text, "The project"
    )


@value
class Forgotten:
    root: str
    transactions: int
    """Transactions that may have been open there, and are not told of any more."""
    backup: str | None


def forget(request: Request, text: str) -> Forgotten:
    """Removes what this home keeps about a project whose folder was deleted: its place in the registry, the bindings to
    it, and the pointers to what was open in it. The backup of its ledger stays."""
    resolved = resolve_request(request)
    root, entry = _gone(resolved, text)
    refuse_agent(
        resolved.around,
        f"Whether {root} was deleted for good is for a person to say, and an agent's client started this command.",
        f"Go on with your work: nothing waits for it. A person runs perdure project forget {quote(root)} in a terminal "
        "of their own.",
    )
    dropped = pointers.drop_all(resolved.home, root)
    was_bound = Bindings(resolved.home).put_away(lambda _kind, binding: binding.project_path == root)
    if not entry and not dropped and not was_bound:
        raise Refused("no_such_project", f"No project is known at {root}.", hint="perdure project list")
    resolved.registry.forget(root)
    kept = backup.folder_for(resolved.home, entry.project_id) if entry else None
    return Forgotten(root, dropped, kept if kept and os.path.isdir(kept) else None)


def _gone(resolved: ResolvedRequest, text: str) -> tuple[str, Entry | None]:
    """The root of a project that is meant, by a path, a name or the beginning of an id. Only one that is not there."""
    known = resolved.registry.entries()
    typed = os.path.normpath(os.path.join(resolved.request.cwd, os.path.expanduser(text)))
    matches = [e for e in known if e.path == typed] or [e for e in known if e.name == text]
    if not matches and len(text) >= SHORT:
        matches = [e for e in known if e.project_id.startswith(text)]
    gone = [e for e in matches if not project.is_project(e.path)]
    if len(gone) > 1:
        paths = ", ".join(e.path for e in gone)
        raise Refused(
            "ambiguous_project", f"Several deleted projects are called {text}: {paths}.", hint="Give the path."
        )
    root = gone[0].path if gone else matches[0].path if matches else typed
    if os.path.isdir(root):
        raise Refused(
            "project_is_there",
            f"{root} is still there, so it is not forgotten.",
            hint=f"perdure heal --project-path {quote(root)} brings its record back. To delete the record: "
            "perdure uninstall --purge, in that folder.",
        )
    return root, gone[0] if gone else None


@value
class Switched:
    root: str
    who: project.Identity
    left_open: Transaction | None
    left_root: str | None
    closed: transactions.Closed | None
    elsewhere: holdings.Elsewhere
    """All that this instance holds in other projects now, what it just left open among it."""


def switch(request: Request, to: str, postflight: transactions.SelfAssessment | None) -> Switched:
    """Rebinds this instance on all its keys. What is open in the project left behind stays open and is named, unless
    an assessment to close it with is given (SPEC 3.4: an automatic POSTFLIGHT would be a made-up measurement)."""
    resolved = resolve_request(request)
    left = resolved.place.project_path
    with open_desk_at(resolved, named(resolved, to)) as desk:
        if not desk.seat.is_bindable:
            raise Refused(
                "cannot_bind",
                "This place cannot be bound to a project: it is given explicitly, or no process lasts.",
                hint="Name the project with --project-path or PERDURE_PROJECT.",
            )
        if left == desk.root or left is None or not project.is_project(left):
            left, open_there, closed = None, None, None
        else:
            open_there, closed = _leave(resolved, left, postflight)
        here = ensure_session(desk)
        stood_in = resolved.place.stands_in if resolved.place.stands_in != desk.root else None
        bind(desk.seat, desk.root, desk.who.id, session=here.session_id, around=desk.around, stood_in=stood_in)
        if here.facts:
            record(desk, here.facts)
        register(desk)
        away = session_records.store_current(desk, here.session_id)
        return Switched(
            root=desk.root, who=desk.who, left_open=open_there, left_root=left, closed=closed, elsewhere=away
        )


def _leave(
    resolved: ResolvedRequest, root: str, postflight: transactions.SelfAssessment | None
) -> tuple[Transaction | None, transactions.Closed | None]:
    with open_desk_at(resolved, root) as old:
        if postflight:
            return None, transactions.close_here(old, postflight)
        own = acts.own_open_transaction(old)
        if own:
            holdings.point_to(old, own.id)
        return own, None
