"""Every registered project on this machine, for `perdure status --all`: what is wrong, what is open, what each pane
works on (SPEC 17.6). Nothing is written.

    for state in every_project(resolved): …
"""

from __future__ import annotations

from perdure.actions import gate_warnings, held_at_gate, panes, record_check, transaction_lookup
from perdure.actions.advice import about
from perdure.actions.overview import left_behind
from perdure.actions.projects import listed
from perdure.actions.wiring import open_desk_at
from perdure.errors import PerdureError
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.holdings import Held
    from perdure.actions.panes import Pane
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.place.registry import Entry


@value
class ProjectState:
    name: str
    project_id: str
    root: str
    is_there: bool
    is_here: bool
    wrong: tuple[str, ...] = ()
    """The worst first."""
    open: tuple[Held, ...] = ()
    panes: tuple[Pane, ...] = ()


def every_project(resolved: ResolvedRequest) -> Iterator[ProjectState]:
    """The one where the caller stands first, then by name."""
    here = resolved.place.project_path
    entries = sorted(listed(resolved), key=lambda found: (found[0].path != here, found[0].name, found[0].path))
    for entry, is_there in entries:
        yield _state(resolved, entry, is_there=is_there, is_here=entry.path == here)


def _state(resolved: ResolvedRequest, entry: Entry, *, is_there: bool, is_here: bool) -> ProjectState:
    wrong: tuple[str, ...] = ()
    if is_there:
        try:
            with open_desk_at(resolved, entry.path, writable=False) as desk:
                return _state_at(desk, is_here=is_here)
        except PerdureError as error:
            wrong = (" ".join(filter(None, (error.message, error.hint))),)
    return ProjectState(
        name=entry.name,
        project_id=entry.project_id,
        root=entry.path,
        is_there=is_there,
        is_here=is_here,
        wrong=wrong,
    )


def _state_at(desk: Desk, *, is_here: bool) -> ProjectState:
    found = transaction_lookup.all_open(desk)
    damage = [about(desk.resolved, desk.root, each) for each in held_at_gate.of_ledger(desk)]
    wrong = (
        *(damage or record_check.found_wrong(desk)),
        *(about(desk.resolved, desk.root, str(each)) for each in gate_warnings.of_project(desk.resolved, desk.root)),
        *left_behind(found, None),
    )
    return ProjectState(
        name=desk.identity.name,
        project_id=desk.identity.id,
        root=desk.root,
        is_there=True,
        is_here=is_here,
        wrong=wrong,
        open=tuple(found),
        panes=panes.all_panes(desk, found),
    )
