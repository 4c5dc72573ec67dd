"""The whole examination: this place, then every client that is found and has an examiner (`clients.REGISTERED`)."""

from __future__ import annotations

from perdure import clients
from perdure.actions.scene import look
from perdure.doctor import here
from perdure.doctor.finding import Report
from perdure.install.base import Ground
from perdure.install.clients import found as found_clients
from perdure.model.value import value
from perdure.place import project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from perdure.actions.scene import Request, Scene
    from perdure.doctor.finding import Examined


@value
class Wish:
    client: str | None = None
    """Only this one, found or not."""
    in_client: bool = True


@value
class Steps:
    """Told on the way: how many events were checked, that another step is done."""

    counted: Callable[[int], None]
    step: Callable[[], None]


@value
class Visit:
    """What an examiner needs. `project` is empty where there is none; a client would be started in `cwd`."""

    cwd: str
    ground: Ground
    environment: Mapping[str, str]
    project: str
    in_client: bool
    step: Callable[[], None]


if TYPE_CHECKING:

    class Examiner(Protocol):
        def examine(self, visit: Visit) -> Examined: ...


def examiners() -> Mapping[str, Examiner]:
    return clients.modules("examiner")


def examine(request: Request, wish: Wish, steps: Steps) -> Report:
    scene = look(request)
    if scene.notice:
        request.tell(scene.notice)
    found = here.look_around(scene, steps.counted)
    steps.step()
    visit = _visit(scene, wish, steps)
    names = [wish.client] if wish.client else [name for name in found_clients(visit.ground) if name in examiners()]
    return Report(visit.project, tuple(found), tuple(examiners()[name].examine(visit) for name in names))


def _visit(scene: Scene, wish: Wish, steps: Steps) -> Visit:
    environment, root = scene.request.environment, scene.place.project_path
    is_there = root is not None and project.is_project(root)
    ground = Ground.at(root or scene.request.cwd, environment, root)
    return Visit(scene.request.cwd, ground, environment, root if root and is_there else "", wish.in_client, steps.step)
