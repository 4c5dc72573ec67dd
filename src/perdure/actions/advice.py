"""The commands that an answer advises, as they must be typed here so that they act on the project the answer is about.

as_typed(desk, "perdure goal done 3f2a91c4") → "perdure goal done 3f2a91c4 --project-path '/src/other shop'"
"""

from __future__ import annotations

from perdure.errors import PerdureError
from perdure.model.event import USER
from perdure.model.shell_quote import quote
from perdure.place.own_instance import is_agent
from perdure.place.refusals import is_refused_plain_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk

_OF_THE_RECORD = r"perdure (?:heal|audit verify|audit acknowledge|import)(?![\w-])(?! --project-path)"
"""Commands that advice about a damaged record names; as a regular expression."""


def as_typed(desk: Desk, command: str) -> str:
    return f"{command}{project_flag(desk)}"


def project_flag(desk: Desk, *, leaves: bool = False) -> str:
    """What the next command needs to be about this desk's project; empty if it is about it anyway. `leaves`: the
    instance is moving to another project."""
    return f" --project-path {quote(desk.root)}" if leaves or not _is_next_here(desk) else ""


def about(resolved: ResolvedRequest, root: str, text: str) -> str:
    """The text, where each command in it that repairs or examines a record names this project if it must. For texts of
    those who do not know where the caller stands: the store, the audit, a restore."""
    if "perdure " not in text or _would_be_about(resolved, root, is_agent=_is_agent(resolved, root)):
        return text
    import re  # hardly any command comes here

    return re.sub(_OF_THE_RECORD, lambda found: f"{found[0]} --project-path {quote(root)}", text)


def name_project(error: PerdureError, resolved: ResolvedRequest, root: str) -> None:
    """Makes the hint of an error one that can be followed from where the caller stands."""
    error.hint = about(resolved, root, error.hint)


class errors_name_project:  # noqa: N801 - used as a function; contextlib would slow every hook down
    """`name_project` for every error that is raised within."""

    def __init__(self, resolved: ResolvedRequest, root: str) -> None:
        self._resolved = resolved
        self._root = root

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, PerdureError):
            name_project(error, self._resolved, self._root)


def _is_agent(resolved: ResolvedRequest, root: str) -> bool:
    return resolved.request.actor not in (None, USER) or is_agent(resolved.place, resolved.around, root)


def _is_next_here(desk: Desk) -> bool:
    return _would_be_about(desk.resolved, desk.root, is_agent=desk.is_agent)


def _would_be_about(resolved: ResolvedRequest, root: str, *, is_agent: bool) -> bool:
    """Whether the next command would be about this project without a flag. A person who stands in another project moves
    there with the first command after the transaction is closed (SPEC 3.1)."""
    place = resolved.place
    if place.project_path != root or place.project_row == 1:
        return False
    moves_away = place.cwd_project not in (None, root) and not is_agent
    return not moves_away and not is_refused_plain_repository(place)
