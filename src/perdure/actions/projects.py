"""Projects: making one, listing them, moving an instance from one to another (SPEC 3.4, 3.5, 6.1)."""

from __future__ import annotations

import os

from perdure.actions import acting, healing, holdings, restoring, session_records, transactions
from perdure.actions.record import Fact, record
from perdure.actions.scene import Scene, look
from perdure.actions.sessions import seated
from perdure.actions.wiring import desk_at, lay_folder, ledger_path, register
from perdure.errors import Refused
from perdure.model import payload as p
from perdure.model.ids import SHORT, prefix_of
from perdure.model.state import Transaction
from perdure.model.value import value
from perdure.place import project, repository, rights
from perdure.place.registry import Entry
from perdure.place.resolve import bind
from perdure.settings import refusals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.scene import Request


@value
class Made:
    root: str
    who: project.Identity
    changed: tuple[str, ...]
    restored_events: int
    bound_to: str | None
    warnings: tuple[str, ...] = ()


def init(request: Request, folder: str | None, name: str | None) -> Made:
    """Makes the folder's repository a project. Run again it changes nothing; run after `git clean` it restores."""
    scene = look(request)
    start = project.checked_path(folder, "The folder") if folder else request.cwd
    if not os.path.isdir(start):
        raise Refused("no_folder", f"{start} is not a folder.", hint="Create it first.")
    found = repository.enclosing(start)
    root = project.checked_path(found.main if found else start, "The folder")
    project.refuse_home(root, scene.home)
    project.refuse_borrowed(root)
    changed = list(lay_folder(scene, root, name))
    restored = 0
    if healing.is_foreign(scene, root):
        changed.append(f"{restoring.set_aside(root, request.now(), 'foreign')}, which this home did not write")
    if not os.path.exists(ledger_path(root)):
        restored = restoring.bring_ledger_back(scene, root).events
        changed.append(ledger_path(root))
    with desk_at(scene, root) as desk:
        if desk.ledger.document("project", "this") is None:
            record(desk, [Fact("project.created", p.ProjectCreated(desk.who.name, root))])
        register(desk)
        _ = desk.key
        if restored:
            changed += healing.mend_views(desk)
        bound = look(request).place.project_path if scene.place.binding else None  # as it is now that this is a project
        elsewhere = bound if bound != root else None
        warnings = (*rights.tighten(scene.home, desk.folder), *refusals(desk.settings))
        return Made(root, desk.who, tuple(changed), restored, elsewhere, warnings)


def listed(scene: Scene) -> list[tuple[Entry, bool]]:
    """Every registered project, and whether it is still there."""
    return [(entry, project.is_project(entry.path)) for entry in scene.registry.entries()]


def named(scene: Scene, text: str) -> str:
    """The root of the project a person means: a path, a name, or the beginning of an id."""
    entries = scene.registry.entries()
    by_name = [entry.path for entry in entries if entry.name == text]
    if len(by_name) == 1 and not os.path.exists(text):
        return by_name[0]
    if not os.path.exists(text) and len(text) >= SHORT and all(c in "0123456789abcdef-" for c in text.lower()):
        prefix = prefix_of(text, "The project id")
        by_id = [entry.path for entry in entries if entry.project_id.startswith(prefix)]
        if len(by_id) == 1:
            return by_id[0]
    return project.root_from(
        os.path.join(scene.request.cwd, text) if not os.path.isabs(os.path.expanduser(text)) else text, "The project"
    )


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
    scene = look(request)
    left = scene.place.project_path
    with desk_at(scene, named(scene, to)) as desk:
        if not desk.seat.is_bindable:
            raise Refused(
                "cannot_bind",
                "This place has nothing to bind a project to: it is given explicitly, or no process stays.",
                hint="Name the project with --project-path or PERDURE_PROJECT.",
            )
        if left == desk.root or left is None or not project.is_project(left):
            left, open_there, closed = None, None, None
        else:
            open_there, closed = _leave(scene, left, postflight)
        here = seated(desk)
        stood_in = scene.place.stands_in if scene.place.stands_in != desk.root else None
        bind(desk.seat, desk.root, desk.who.id, here.session_id, desk.around, stood_in=stood_in)
        if here.facts:
            record(desk, here.facts)
        register(desk)
        away = session_records.store_current(desk, here.session_id)
        return Switched(desk.root, desk.who, open_there, left, closed, away)


def _leave(
    scene: Scene, root: str, postflight: transactions.SelfAssessment | None
) -> tuple[Transaction | None, transactions.Closed | None]:
    with desk_at(scene, root) as old:
        if postflight:
            return None, transactions.close_here(old, postflight)
        own = acting.mine(old)
        if own:
            holdings.point_to(old, own.id)
        return own, None
