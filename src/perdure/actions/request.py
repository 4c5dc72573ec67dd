"""From where, and for whom, something is asked, and the place that gives: all a guard needs, without a ledger.

look(Request(cwd=os.getcwd(), environment=os.environ)).place.project_path
"""

from __future__ import annotations

from time import monotonic

from perdure.model import moment
from perdure.model.value import value
from perdure.place.home import home_folder
from perdure.place.project import folder_of
from perdure.place.registry import Registry
from perdure.place.resolve import Explicit, Place, not_where_one_stands, resolve
from perdure.place.surroundings import HookInput, Surroundings, look_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from perdure.model.ids import InstanceId
    from perdure.model.moment import Moment
    from perdure.place.resolve import Holds


def _tell_nobody(notice: str) -> None:
    """A surface that shows no answer to anybody."""


@value
class Request:
    """The same for every surface."""

    cwd: str
    environment: Mapping[str, str]
    explicit: Explicit = Explicit()
    hook: HookInput = HookInput()
    actor: str | None = None
    program: str = ""
    """The path of the `perdure` that asks, where it is known: what an agent may run by its path (SPEC 5.5)."""
    now: Callable[[], Moment] = moment.now
    elapsed: Callable[[], float] = monotonic
    tell: Callable[[str], None] = _tell_nobody
    """Takes what the answer must say first (SPEC 3.1)."""


@value
class ResolvedRequest:
    """A place and what it was found from."""

    request: Request
    around: Surroundings
    place: Place
    registry: Registry

    @property
    def home(self) -> str:
        return self.around.home

    @property
    def notice(self) -> str:
        """For an answer's first line: which project this is about, where one stands in another and did not name it."""
        return self.notice_of(self.place.project_path)

    def notice_of(self, root: str | None) -> str:
        """The same, of a project that need not be the place's."""
        return "" if self.request.explicit.project_path else not_where_one_stands(self.place, root)

    @property
    def client_arguments(self) -> tuple[str, ...]:
        """The words the client was started with."""
        ref = self.place.client_process
        found = self.around.processes.look(ref.pid) if ref else None
        return found.arguments if found else ()


def resolve_request(request: Request) -> ResolvedRequest:
    around = look_around(home_folder(request.environment), request.environment, request.cwd, hook=request.hook)
    registry = Registry(around.home)

    return ResolvedRequest(
        request=request,
        around=around,
        place=resolve(request.explicit, around, registry, holds=holds_in(around.home)),
        registry=registry,
    )


def holds_in(home: str) -> Holds:
    """Has the instance a transaction open there? As its file says, since a guard does not open the ledger."""

    def holds(root: str, instance_id: InstanceId) -> bool:
        from perdure.views import transaction_file  # only where a place might move
        from perdure.views.key import existing_key

        folder = folder_of(root)
        return transaction_file.has_open(folder, instance_id, existing_key(home, folder))

    return holds
