"""Where the concretes meet: a `Desk` is a place, its project's ledger, and what is needed to act there.

    with sit_down(Request(cwd=os.getcwd(), environment=os.environ)) as desk:
        notes.add(desk, "finding", "the parser keeps one token of lookahead")

Invariant: leaving the desk brings the backup up to date (SPEC 2.3). Within a long-lived process that happens at most
every `BACKUP_EVERY` seconds while it works.
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.record import show
from perdure.actions.scene import look
from perdure.errors import Damaged, Refused, Trouble
from perdure.files import make_folder, read_text, write_whole
from perdure.ledger.header import FILE
from perdure.ledger.port import Origin
from perdure.ledger.sqlite import SqliteLedger
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import USER, Draft
from perdure.model.ids import LedgerId, new_id
from perdure.model.ownership import marked
from perdure.model.state import Project
from perdure.model.value import replace
from perdure.place import project, repository
from perdure.place.home import machine_id
from perdure.place.registry import Entry
from perdure.place.resolve import bind, required_project, take_seat
from perdure.settings import load, project_file
from perdure.views import damage
from perdure.views.key import view_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from perdure.actions.acting import Act
    from perdure.actions.scene import Request, Scene
    from perdure.ledger.port import Ledger
    from perdure.model.event import Event, Head, Payload, Ref
    from perdure.model.moment import Moment
    from perdure.model.ownership import Own
    from perdure.place.resolve import Place, Seat
    from perdure.place.surroundings import Surroundings
    from perdure.settings import Scalar, Settings

BACKUP_EVERY = 5.0


class Desk:
    def __init__(
        self, scene: Scene, root: str, who: project.Identity, ledger: Ledger, *, writable: bool = True
    ) -> None:
        self.scene = scene
        self.writable = writable
        self.root = root
        self.who = who
        self.ledger = ledger
        self.settings: Settings = load(scene.home, root, scene.request.environment)
        self.acting: tuple[Act, Head] | None = None
        self._seat: Seat | None = None
        self._key: bytes | None = None
        self._own: Own | None = None
        self._wrote = False
        self._backed_up_at = scene.request.elapsed()

    @property
    def place(self) -> Place:
        return self.scene.place

    @property
    def around(self) -> Surroundings:
        return self.scene.around

    @property
    def folder(self) -> str:
        return project.folder_of(self.root)

    @property
    def seat(self) -> Seat:
        """The instance this desk works as; begun here if the place had none."""
        if self._seat is None:
            self._seat = take_seat(self.place, self.around, self.who.id)
        return self._seat

    @property
    def actor(self) -> str:
        return self.scene.request.actor or self.seat.client or USER

    @property
    def key(self) -> bytes:
        if self._key is None:
            self._key = view_key(self.scene.home, self.folder)
        return self._key

    def elsewhere(self, place: Event | Ref) -> str | None:
        """The ledger of another machine that an event came from; None of an event that was written here. Whatever its
        actor says, `user` there is not the person here."""
        if place.ledger_id == self.ledger.head().ledger_id:
            return None
        if self._own is None:
            self._own = self.ledger.own()
        return None if place.seq <= self._own.get(place.ledger_id, 0) else place.ledger_id

    def began_chain(self) -> None:
        self._own = None
        self.wrote()

    def now(self) -> Moment:
        return self.scene.request.now()

    def setting(self, name: str) -> Scalar:
        return self.settings[name].value

    def number(self, name: str) -> float:
        given = self.setting(name)
        assert isinstance(given, int | float)
        return float(given)

    @property
    def backup_folder(self) -> str:
        return backup.folder_for(self.scene.home, self.who.id)

    def wrote(self) -> None:
        """Called after every append: the backup is never far behind, whatever the wall clock does."""
        self._wrote = True
        if self.scene.request.elapsed() - self._backed_up_at >= BACKUP_EVERY:
            self.back_up()

    def back_up(self) -> None:
        backup.bring_up(self.ledger, self.backup_folder)
        backup.keep_settings(self.root, self.backup_folder)
        self._wrote = False
        self._backed_up_at = self.scene.request.elapsed()

    def close(self) -> None:
        try:
            if self._wrote:
                self.back_up()
        finally:
            self.ledger.close()

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Damaged) and self.writable:
            damage.mark(self.folder, error.message)
        self.close()


def sit_down(request: Request, *, writable: bool = True) -> Desk:
    return desk_at(look(request), writable=writable)


def desk_at(scene: Scene, root: str | None = None, *, writable: bool = True) -> Desk:
    """A desk in the scene's project, or in another one."""
    root = root or required_project(scene.place)
    if not project.is_project(root):
        raise Refused("no_project", f"{root} is not a project.", hint="Run perdure init there.")
    who = project.identity(root)
    ledger = _opened(root, writable)
    try:
        desk = Desk(scene, root, who, ledger, writable=writable)
        if writable:
            _settle(desk)
    except BaseException:
        ledger.close()
        raise
    return desk


def _opened(root: str, writable: bool) -> SqliteLedger:
    """Whoever meets a damaged ledger shuts the gate, which does not open it."""
    try:
        return SqliteLedger(ledger_path(root), writable=writable)
    except Damaged as error:
        if writable:
            damage.mark(project.folder_of(root), error.message)
        raise


def origin_of(root: str, home: str) -> Origin:
    return Origin(os.path.realpath(root), machine_id(home))


def ledger_path(root: str) -> str:
    return os.path.join(project.folder_of(root), FILE)


def _settle(desk: Desk) -> None:
    """A store met somewhere else than where it was written was moved, or is a copy. A copy must not write to the chain
    of the original: two writers of one chain can never be merged (docs/adr/0005)."""
    there, here = desk.ledger.origin(), origin_of(desk.root, desk.scene.home)
    if there == here:
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
        return
    chain = desk.ledger.head().ledger_id
    is_copy = _original_lives(there, here, chain)
    if not is_copy or _wrote_here(desk, chain):  # where a store says it comes from may have been forged
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
    if is_copy:
        begin_chain(desk, "copied")
        register(desk)
        return
    desk.ledger.settle(here)
    found = desk.ledger.document("project", "this")
    if found and isinstance(found.body, Project) and found.body.path != desk.root:
        _note_move(desk, p.write(p.ProjectMoved(desk.root, found.body.path)))
    register(desk)
    if desk.place.binding and desk.place.binding.project_path == there.root:
        bind(desk.seat, desk.root, desk.who.id, desk.place.session_id, desk.around)
    if there.root != here.root and desk.scene.registry.at(there.root):
        desk.scene.registry.forget(there.root)


def _wrote_here(desk: Desk, chain: LedgerId) -> bool:
    known = desk.scene.registry.at(desk.root)
    return known is not None and known.ledgers[:1] == (chain,)


def _note_move(desk: Desk, moved: Payload) -> None:
    said = draft(desk, "project.moved", moved)
    open_ones = [d.id for d in desk.ledger.documents("transaction", live=True)]
    desk.ledger.append([said, *(replace(said, transaction_id=each) for each in open_ones)])
    for each in open_ones:
        show(desk, each)
    desk.wrote()


def _original_lives(there: Origin, here: Origin, chain: LedgerId) -> bool:
    if there.machine and here.machine and there.machine != here.machine:
        return True
    path = ledger_path(there.root)
    if there.root == here.root or not os.path.exists(path):
        return False
    other = SqliteLedger(path, writable=False)
    try:
        return any(head.ledger_id == chain for head in other.heads())
    finally:
        other.close()


def begin_chain(desk: Desk, reason: str) -> None:
    continues = marked(desk.ledger.heads(), desk.ledger.own())
    opened = p.write(p.LedgerOpened(reason, continues))
    desk.ledger.begin(LedgerId(new_id()), origin_of(desk.root, desk.scene.home), draft(desk, "ledger.opened", opened))
    desk.began_chain()


def draft(desk: Desk, kind: str, payload: Payload) -> Draft:
    return draft_for(desk.scene, desk.who, kind, payload, desk.actor)


def draft_for(scene: Scene, who: project.Identity, kind: str, payload: Payload, actor: str = USER) -> Draft:
    return Draft(kind, payload, moment.stamp(scene.request.now()), who.id, p.KINDS[kind][1], actor=actor)


def register(desk: Desk) -> None:
    found = repository.enclosing(desk.root)
    entry = Entry(
        desk.who.id,
        desk.root,
        desk.who.name,
        found.common if found else None,
        tuple(head.ledger_id for head in desk.ledger.heads()),
    )
    try:
        if desk.scene.registry.at(desk.root) != entry:
            desk.scene.registry.write(entry)
    except Trouble:
        return  # the home cannot be written: the project is then found from inside it only (SPEC 3.2)


def lay_folder(scene: Scene, root: str, name: str | None = None) -> list[str]:
    """The folder and the two files that make it a project; answers with what was not there."""
    folder = project.folder_of(root)
    changed = []
    if not os.path.isdir(folder):
        make_folder(folder)
        changed.append(folder)
    ignore = os.path.join(folder, ".gitignore")
    if read_text(ignore) is None:
        write_whole(ignore, project.IGNORE, mode=0o644)
        changed.append(ignore)
    if read_text(project.toml_of(root)) is None:
        known = scene.registry.at(root)
        who = project.Identity(known.project_id, known.name) if known and not name else project.new_identity(root, name)
        project.write_identity(root, who)
        changed.append(project.toml_of(root))
        kept = backup.kept_settings(root, backup.folder_for(scene.home, who.id)) if known else None
        if kept and read_text(project_file(root)) is None:
            write_whole(project_file(root), kept, mode=0o644)
            changed.append(project_file(root))
    return changed
