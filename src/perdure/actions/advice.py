"""The commands that an answer advises, as they must be typed here so that they act on the project the answer is about.

as_typed(desk, "perdure goal done 3f2a91c4") → "perdure goal done 3f2a91c4 --project-path '/src/other shop'"
"""

from __future__ import annotations

from shlex import quote

from perdure.place.refusals import is_refused_plain_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk


def as_typed(desk: Desk, command: str) -> str:
    return f"{command}{project_flag(desk)}"


def project_flag(desk: Desk, *, leaves: bool = False) -> str:
    """What the next command needs to be about this desk's project; empty if it is about it anyway. `leaves`: the
    instance is moving to another project."""
    return f" --project-path {quote(desk.root)}" if leaves or not _is_next_here(desk) else ""


def _is_next_here(desk: Desk) -> bool:
    """Whether the next command would be about this desk's project without a flag. A person who stands in another
    project moves there with the first command after the transaction is closed (SPEC 3.1)."""
    place = desk.resolved.place
    if place.project_path != desk.root or place.project_row == 1:
        return False
    moves_away = place.cwd_project not in (None, desk.root) and not desk.is_agent
    return not moves_away and not is_refused_plain_repository(place)
