"""The page of `perdure status --all`: every project of this machine."""

from __future__ import annotations

from perdure.install.guard_registered import missing_guards
from perdure.model.plural import counted
from perdure.model.value import value
from perdure.surfaces.holder_words import other_words
from perdure.surfaces.output import harmless, path_for_people
from perdure.surfaces.record_data import held_data
from perdure.surfaces.status_page import pane_data, pane_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.machine_status import ProjectState
    from perdure.model.json import Json
    from perdure.surfaces.output import Style


@value
class ProjectLines:
    """A project, and what is wrong there, the guard included."""

    state: ProjectState
    warnings: tuple[str, ...]


def with_guards(states: Iterable[ProjectState], home: str) -> list[ProjectLines]:
    return [
        ProjectLines(state, (*state.wrong, *(missing_guards(state.root, home) if state.is_there else ())))
        for state in states
    ]


def machine_data(projects: Iterable[ProjectLines]) -> list[Json]:
    return [
        {
            "project": each.state.name,
            "project_id": each.state.project_id,
            "project_path": each.state.root,
            "is_there": each.state.is_there,
            "is_here": each.state.is_here,
            "warnings": list(each.warnings),
            "transactions": [held_data(held) for held in each.state.open],
            "panes": [pane_data(pane) for pane in each.state.panes],
        }
        for each in projects
    ]


def machine_text(projects: list[ProjectLines], style: Style, own: str | None) -> str:
    """Projects in which something is open or wrong, then one line with the others. `own`: the pane that asks."""
    if not projects:
        return "No project yet on this machine. To start, cd into a repository: perdure init"
    busy = [each for each in projects if each.warnings or each.state.open or each.state.panes]
    blocks = ["\n".join(_project(each, style, own)) for each in busy]
    quiet = [each for each in projects if each not in busy]
    if quiet:
        names = ", ".join(_quiet(each, style) for each in quiet)
        blocks.append(f"{style('dim', 'nothing open in ' + counted(len(quiet), 'project') + ':')} {names}")
    return "\n\n".join(blocks)


def _quiet(each: ProjectLines, style: Style) -> str:
    name = harmless(each.state.name)
    return name if each.state.is_there else style("yellow", f"{name} (gone: {path_for_people(each.state.root)})")


def _project(each: ProjectLines, style: Style, own: str | None) -> list[str]:
    state = each.state
    here = style("dim", "  you are here") if state.is_here else ""
    lines = [f"{style('bold', harmless(state.name))}  {style('dim', path_for_people(state.root))}{here}"]
    lines += [style("red", f"  ! {harmless(warning)}") for warning in each.warnings]
    for pane in state.panes:
        lines += [f"  {line}" for line in pane_lines(pane, style, is_own=pane.instance_id == own)]
    shown = {pane.held.transaction.id for pane in state.panes if pane.held}
    lines += [f"  {other_words(held, style)}" for held in state.open if held.transaction.id not in shown]
    return lines
