"""A request and the place it resolves to: from where, and for whom, something is asked. This is all that the gate
needs; it opens no ledger.

    resolve_request(Request(cwd=os.getcwd(), environment=os.environ)).place.project_path
"""

from __future__ import annotations

from time import monotonic

from perdure.model import moment
from perdure.model.value import value
from perdure.place.home import home_folder
from perdure.place.project import folder_of
from perdure.place.registry import Registry
from perdure.place.resolve import Explicit, Place, resolve
from perdure.place.surroundings import StatedClient, Surroundings, look_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from perdure.model.ids import InstanceId
    from perdure.model.moment import Moment
    from perdure.place.resolve import Holds


def _tell_nobody(notice: str) -> None:
    """For a surface that shows nobody an answer."""


@value
class Request:
    """What every surface gives an action."""

    cwd: str
    environment: Mapping[str, str]
    explicit: Explicit = Explicit()
    stated_client: StatedClient = StatedClient()
    actor: str | None = None
    program: str = ""
    """The path of the `perdure` that asks, if it is known: an agent may run that by its path (SPEC 5.5)."""
    now: Callable[[], Moment] = moment.now
    elapsed: Callable[[], float] = monotonic
    tell: Callable[[str], None] = _tell_nobody
    """Receives what the answer must say first (SPEC 3.1)."""


@value
class ResolvedRequest:
    """A place, and the facts that it was resolved from."""

    request: Request
    around: Surroundings
    place: Place
    registry: Registry

    @property
    def home(self) -> str:
        return self.around.home

    @property
    def notice(self) -> str:
        """The first line of an answer: which project it is about, if the working directory is in another one and the
        caller did not name it."""
        return self.notice_of(self.place.project_path)

    def notice_of(self, root: str | None) -> str:
        """The same for any project."""
        if self.request.explicit.project_path:
            return ""
        from perdure.place.refusals import notice_of_other_project  # the guard needs no notice

        return notice_of_other_project(self.place, root)

    @property
    def client_arguments(self) -> tuple[str, ...]:
        """The arguments that the client was started with."""
        ref = self.place.client_process
        found = self.around.processes.look(ref.pid) if ref else None
        return found.arguments if found else ()


def resolve_request(request: Request) -> ResolvedRequest:
    """Finds out which project, instance and session the request is about."""
    around = look_around(
        home_folder(request.environment), request.environment, request.cwd, stated_client=request.stated_client
    )
    registry = Registry(around.home)

    return ResolvedRequest(
        request=request,
        around=around,
        place=resolve(request.explicit, around, registry, holds=holds_in(around.home)),
        registry=registry,
    )


def holds_in(home: str) -> Holds:
    """Whether the instance has an open transaction there, according to its file: the gate does not open the ledger."""

    def holds(root: str, instance_id: InstanceId) -> bool:
        from perdure.views import transaction_file  # needed only if a place might move
        from perdure.views.key import existing_key

        folder = folder_of(root)
        return transaction_file.has_open(folder, instance_id, existing_key(home, folder))

    return holds
