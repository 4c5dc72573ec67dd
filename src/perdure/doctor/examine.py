"""The whole examination: this place, then every client that is found and has an examiner (`clients.REGISTERED`)."""

from __future__ import annotations

from perdure import clients
from perdure.actions.request import resolve_request
from perdure.doctor import project_checks
from perdure.doctor.finding import DoctorReport
from perdure.install.installer import InstallContext, found_clients
from perdure.model.value import value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from perdure.actions.request import Request, ResolvedRequest
    from perdure.doctor.finding import Examined


@value
class ExamineOptions:
    client: str | None = None
    """Only this client, even if it is not found."""
    in_client: bool = True


@value
class Steps:
    """Progress: how many events were checked, and that another step is done."""

    counted: Callable[[int], None]
    step: Callable[[], None]


@value
class ExaminerContext:
    """What an examiner needs. `project` is empty if there is none; a client would be started in `cwd`."""

    cwd: str
    context: InstallContext
    environment: Mapping[str, str]
    project: str
    in_client: bool
    step: Callable[[], None]


if TYPE_CHECKING:

    class Examiner(Protocol):
        """What the module of a client's examiner provides."""

        WAY_OUT: str
        """What a person can do if Perdure is broken and blocks this client: lines for `perdure doctor --help`."""

        def examine(self, visit: ExaminerContext) -> Examined: ...


def examiners() -> Mapping[str, Examiner]:
    return clients.modules("examiner")


def examine(request: Request, wish: ExamineOptions, steps: Steps) -> DoctorReport:
    resolved = resolve_request(request)
    if resolved.notice:
        request.tell(resolved.notice)
    found = project_checks.look_around(resolved, steps.counted)
    steps.step()
    visit = _visit(resolved, wish, steps)
    names = [wish.client] if wish.client else [name for name in found_clients(visit.context) if name in examiners()]
    return DoctorReport(visit.project, tuple(found), tuple(examiners()[name].examine(visit) for name in names))


def _visit(resolved: ResolvedRequest, wish: ExamineOptions, steps: Steps) -> ExaminerContext:
    environment, root = resolved.request.environment, resolved.place.project_path
    is_there = root is not None and project.is_project(root)
    context = InstallContext.at(root or resolved.request.cwd, environment, root)
    return ExaminerContext(
        cwd=resolved.request.cwd,
        context=context,
        environment=environment,
        project=root if root and is_there else "",
        in_client=wish.in_client,
        step=steps.step,
    )
