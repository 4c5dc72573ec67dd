"""Where the concretes meet: a `Desk` is a place, its project's ledger, and what is needed to act there.

    with open_desk(Request(cwd=os.getcwd(), environment=os.environ)) as desk:
        notes.add(desk, "finding", "the parser keeps one token of lookahead")

Invariant: leaving the desk brings the backup up to date (SPEC 2.3). Within a long-lived process that happens at most
every `BACKUP_EVERY` seconds while it works.

`STORE` is the kind of store in use, and this is the only module that names one.
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.record import show, without_credentials
from perdure.actions.request import resolve_request
from perdure.errors import BadInput, Damaged, Refused, Trouble
from perdure.files import make_folder, read_text, write_whole
from perdure.gate.policy import PREFLIGHT
from perdure.ledger import sqlite
from perdure.ledger.header import FILE
from perdure.ledger.port import Origin
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import USER, Draft, Ref
from perdure.model.ids import LedgerId, ProjectId, TransactionId, is_uuid, new_id, short
from perdure.model.ownership import marked
from perdure.model.state import FileOwner, Project, Transaction
from perdure.model.value import replace
from perdure.place import git_ignore, project, repository, same_repository
from perdure.place.bindings import Bindings
from perdure.place.home import machine_id
from perdure.place.own_instance import PERSON_DOES, refuse_agent, refuse_another_instance
from perdure.place.registry import Entry
from perdure.place.resolve import bind, refuse_plain_repository, required_project, take_seat
from perdure.proof import note
from perdure.proof.chain import event_hash
from perdure.proof.reconcile import has_root
from perdure.settings import load, project_file
from perdure.views import backup_seals, damage, event_files, own_ledgers, signing_keys, transaction_file
from perdure.views.key import existing_key, view_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from perdure.actions.acts import Act
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.ledger.port import Ledger, ReadableLedger, Store
    from perdure.model.event import Event, Head, Payload
    from perdure.model.moment import Moment
    from perdure.model.ownership import Own
    from perdure.place.resolve import InstanceSeat, Place
    from perdure.place.surroundings import Surroundings
    from perdure.settings import Scalar, Settings

BACKUP_EVERY = 5.0
STORE: Store = sqlite
_HEADS = 50
"""How many of the last signed heads are looked at."""


class Desk:
    def __init__(
        self, resolved: ResolvedRequest, root: str, who: project.Identity, *, ledger: Ledger, writable: bool = True
    ) -> None:
        self.resolved = resolved
        self.writable = writable
        self.root = root
        self.who = who
        self.ledger = ledger
        self.settings: Settings = load(resolved.home, root, resolved.request.environment)
        self.acting: tuple[Act, Head] | None = None
        self.notices: list[str] = []
        """What opening this desk changed, for whoever asked."""
        self._seat: InstanceSeat | None = None
        self._key: bytes | None = None
        self._own: Own | None = None
        self._wrote = False
        self._backed_up_at = resolved.request.elapsed()

    @property
    def place(self) -> Place:
        return self.resolved.place

    @property
    def around(self) -> Surroundings:
        return self.resolved.around

    @property
    def folder(self) -> str:
        return project.folder_of(self.root)

    @property
    def seat(self) -> InstanceSeat:
        """The instance this desk works as; begun here if the place had none."""
        if self._seat is None:
            self._seat = take_seat(self.place, self.around, self.who.id)
        return self._seat

    @property
    def actor(self) -> str:
        """It stands in each event's envelope, which is never erased; and a subagent's id is part of it."""
        return without_credentials(self.resolved.request.actor or self.seat.client or USER)

    @property
    def is_agent(self) -> bool:
        """Whoever asks has a client above it, or came over MCP or a hook."""
        return self.actor != USER

    def refuse_agent(self, message: str, hint: str = PERSON_DOES) -> None:
        """For what only people may do: refused to whoever has a client above it."""
        refuse_agent(self.around, message, hint, self.root)

    @property
    def key(self) -> bytes:
        if self._key is None:
            self._key = view_key(self.resolved.home, self.folder)
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
        return self.resolved.request.now()

    def setting(self, name: str) -> Scalar:
        return self.settings[name].value

    def number(self, name: str) -> float:
        given = self.setting(name)
        assert isinstance(given, int | float)
        return float(given)

    @property
    def backup_folder(self) -> str:
        return backup.folder_for(self.resolved.home, self.who.id)

    def wrote(self) -> None:
        """Called after every append: the backup is never far behind, whatever the wall clock does."""
        self._wrote = True
        if self.resolved.request.elapsed() - self._backed_up_at >= BACKUP_EVERY:
            self.back_up()

    def back_up(self) -> None:
        backup.bring_up(self.ledger, self.backup_folder, self.key)
        backup.keep_settings(self.root, self.backup_folder)
        self._wrote = False
        self._backed_up_at = self.resolved.request.elapsed()

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


def open_desk(request: Request, *, writable: bool = True, any_id: bool = False) -> Desk:
    return open_desk_at(resolve_request(request), writable=writable, any_id=any_id)


def open_desk_at(
    resolved: ResolvedRequest, root: str | None = None, *, writable: bool = True, any_id: bool = False
) -> Desk:
    """A desk in the resolved project, or in another one. `any_id`: for a person who accepts that the project has
    another id now."""
    if root is None and writable:
        announce(resolved)
    if writable:
        refuse_another_instance(resolved.place, resolved.request.explicit, resolved.around)
    root = root or required_project(resolved.place)
    project.refuse_linked(root)
    if not project.is_project(root):
        raise Refused("no_project", f"{root} is not a project.", hint="Run perdure init there.")
    who = project.identity(root)
    ledger = _opened(root, writable)
    try:
        desk = Desk(resolved, root, who, ledger=ledger, writable=writable)
        if not is_own_ledger(resolved, root, ledger):
            raise foreign_ledger(root, resolved.home)
        if writable and not any_id:
            _refuse_another_id(desk)
        if writable:
            _settle(desk)
            _settle_in(desk)
            for notice in desk.notices:
                resolved.request.tell(notice)
    except BaseException:
        ledger.close()
        raise
    return desk


def announce(resolved: ResolvedRequest) -> None:
    """Before something is written to the place's own project: whoever asked is told where that is, if they stand
    elsewhere; a person in a repository that is no project is refused (SPEC 3.1)."""
    refuse_plain_repository(resolved.place)
    tell_where(resolved, resolved.place.project_path)


def tell_where(resolved: ResolvedRequest, root: str | None) -> None:
    """Whoever asked is told that `root` is written to, if they stand elsewhere and did not name it."""
    notice = resolved.notice_of(root)
    if notice:
        resolved.request.tell(notice)


def _opened(root: str, writable: bool) -> Ledger:
    """Whoever meets a damaged ledger shuts the gate, which does not open it."""
    if os.path.islink(ledger_path(root)):
        raise Refused(
            "folder_borrowed",
            f"{ledger_path(root)} is a link to {os.path.realpath(ledger_path(root))}, and a ledger has one project.",
            hint="perdure heal sets the link aside, not what it leads to, and restores the ledger from its backup.",
        )
    try:
        return STORE.open_ledger(ledger_path(root), writable=writable)
    except Damaged as error:
        if writable:
            damage.mark(project.folder_of(root), error.message)
        raise


def is_own_ledger(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> bool:
    """Did this home write it, in this folder? A store that is met in another folder was moved or copied there by the
    person where it ends in an event that this home backed up; else somebody wrote on from what they knew of it. What
    an older version wrote here is known by the registry, which lists first the chain that a store writes to."""
    folder, head = project.folder_of(root), ledger.head()
    if own_ledgers.is_own(resolved.home, folder, head.ledger_id):
        return True
    known = resolved.registry.at(root)
    is_here = known is not None and known.ledgers[:1] == (head.ledger_id,)
    if began_chain_here(resolved, head.ledger_id):
        is_ours = is_here or backup.has_event(resolved.home, head)
    else:
        is_ours = _was_signed_here(resolved, root, ledger)
    if not is_ours:
        return False
    try:
        own_ledgers.claim(resolved.home, folder, head.ledger_id)
    except Trouble:
        return True  # nothing can be written here; what was found says it as well
    return True


def _was_signed_here(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> bool:
    """A home that was put back from an older copy does not know the chains that it began since. A head that a key of
    this home signed in this very folder proves that it wrote the chain; one over a chain that this one goes on from
    does so where our mark stands beside it."""
    keys = [known.key for known in signing_keys.known(resolved.home)]
    here = note.place_of(origin_of(root, resolved.home).machine, root)
    chain = ledger.head().ledger_id
    is_marked = own_ledgers.is_marked(project.folder_of(root), chain)
    for event in ledger.latest(["head.signed"], _HEADS):
        said = p.read(event, p.HeadSigned)
        if said is None or not (said.ledger_id == chain or (is_marked and said.ledger_id in ledger.own())):
            continue
        try:
            signed = note.read(said.note)
        except BadInput:
            continue
        head = signed.checkpoint
        is_here = head.place == here and head.ledger_id == said.ledger_id and note.signer(signed, keys) is not None
        if is_here and has_root(ledger.events(LedgerId(head.ledger_id)), head.size, head.root):
            return True
    return False


def began_chain_here(resolved: ResolvedRequest, ledger_id: LedgerId) -> bool:
    """Did this home begin the chain, in whatever folder?"""
    if own_ledgers.was_begun(resolved.home, ledger_id):
        return True
    return any(entry.ledgers[:1] == (ledger_id,) for entry in resolved.registry.entries())


def other_keeper(resolved: ResolvedRequest, root: str, ledger_id: LedgerId) -> str | None:
    """The other project of this home, still there, whose backup that of this chain is. A copy takes the chain of
    the original along and goes on in one of its own: the old one stays the original's, and so does its backup."""
    known = [e for e in resolved.registry.entries() if ledger_id in e.ledgers and project.is_project(e.path)]
    writers = [entry.path for entry in known if entry.ledgers[0] == ledger_id]
    if writers:
        return None if root in writers else writers[0]
    by_folder = {own_ledgers.name_of(project.folder_of(entry.path)): entry.path for entry in known}
    began = [by_folder[each] for each in own_ledgers.folders(resolved.home, ledger_id) if each in by_folder]
    return began[0] if began and began[0] != root else None


def _refuse_another_id(desk: Desk) -> None:
    """Backup and heads stand under the project's id: with another one in `project.toml` they would be out of sight."""
    known = desk.resolved.registry.at(desk.root)
    if known and known.project_id != desk.who.id and desk.ledger.head().ledger_id in known.ledgers:
        proved = proved_id(desk.resolved.home, desk.root, desk.ledger, ids={known.project_id, desk.who.id})
        meant = "where the change was meant, a person: perdure audit acknowledge --because '…'"
        ways_out = {
            known.project_id: f'Put back id = "{known.project_id}"; or, {meant}',
            desk.who.id: "The record proves the first: perdure heal enters it in the home again.",
        }
        raise Refused(
            "another_project_id",
            f"{project.toml_of(desk.root)} says that this is project {desk.who.id[:8]}; this home knows it as "
            f"{known.project_id[:8]}. Nothing was written.",
            hint=ways_out.get(
                proved or ProjectId(""), f"Nothing proves which one is right. Put the right id there; or, {meant}"
            ),
        )


def proved_id(home: str, root: str, ledger: ReadableLedger, *, ids: Iterable[ProjectId]) -> ProjectId | None:
    """The project that the last sealed event names; the seal is looked for under these ids. Who can write only the home
    cannot forge the event, and who can write only the project cannot forge the seal over it."""
    chain, key = ledger.head().ledger_id, existing_key(home, project.folder_of(root))
    seals = (backup_seals.read(backup.folder_for(home, each), chain, key) for each in ids)
    for seal in sorted((seal for seal in seals if seal), key=lambda seal: -seal.seq):
        event = ledger.event(Ref(chain, seal.seq))
        if event and event_hash(event) == seal.hash and is_uuid(event.project_id):
            return event.project_id
    return None


def foreign_ledger(root: str, home: str) -> Refused:
    return Refused(
        "foreign_ledger",
        f"{ledger_path(root)} was not written by this home ({home}): a repository, a copy or another person's home "
        "brought it. Nothing in it is believed.",
        hint="If it was written with another PERDURE_HOME, set that here too. Else: perdure heal sets it aside and "
        "says how a person takes it in (perdure import).",
    )


def origin_of(root: str, home: str) -> Origin:
    return Origin(os.path.realpath(root), machine_id(home))


def ledger_path(root: str) -> str:
    return os.path.join(project.folder_of(root), FILE)


def _settle(desk: Desk) -> None:
    """A store met somewhere else than where it was written was moved, or is a copy. A copy must not write to the chain
    of the original: two writers of one chain can never be merged (docs/adr/0005)."""
    there, here = desk.ledger.origin(), origin_of(desk.root, desk.resolved.home)
    if there == here:
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
        return
    chain = desk.ledger.head().ledger_id
    is_copy = _original_lives(there, here, chain)
    is_ours = not there.machine or not here.machine or there.machine == here.machine
    if not is_copy or _wrote_here(desk, chain):  # where a store says it comes from may have been forged
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
    if is_copy:
        begin_chain(desk, "copied")
        take_along(desk, with_transactions=is_ours)
        _leave_open_ones_to_the_original(desk, there)
        register(desk)
        return
    take_along(desk)  # before it settles: whoever dies in between leaves it to the next
    desk.ledger.settle(here)
    register(desk)
    Bindings(desk.resolved.home, desk.folder).follow(there.root, desk.root, chain)
    if there.root != here.root and desk.resolved.registry.at(there.root):
        desk.resolved.registry.forget(there.root)
        same_repository.drop(desk.backup_folder, there.root)


def _leave_open_ones_to_the_original(desk: Desk, original: Origin) -> None:
    """A transaction is open once. In a copy, those that were open when it was made are closed without an assessment:
    the original has them, and their holders close them there."""
    open_ones = [d.id for d in desk.ledger.documents("transaction", live=True)]
    if not open_ones:
        return
    closed = draft(desk, "transaction.closed", p.write(p.TransactionClosed(assessed=False)))
    desk.ledger.append([replace(closed, transaction_id=TransactionId(each)) for each in open_ones])
    for each in open_ones:
        show(desk, TransactionId(each))
    desk.wrote()
    names = ", ".join(short(each) for each in open_ones)
    desk.notices.append(
        f"{desk.root} is a copy of the project in {original.root}. Closed here without an assessment, and still open "
        f"there: {names}. To work here: {PREFLIGHT}"
    )


def _settle_in(desk: Desk) -> None:
    """Who works in the project they switched to has arrived: from now on, to stand where they came from is a move."""
    binding = desk.place.binding
    if binding and binding.stood_in and desk.place.stands_in == binding.project_path == desk.root:
        bind(desk.seat, desk.root, desk.who.id, session=desk.place.session_id, around=desk.around)


def _wrote_here(desk: Desk, chain: LedgerId) -> bool:
    known = desk.resolved.registry.at(desk.root)
    return known is not None and known.ledgers[:1] == (chain,)


def take_along(desk: Desk, *, with_transactions: bool = True) -> bool:
    """Where the ledger names another folder as the project's, it names this one from now on, and so do the files of its
    transactions (SPEC 3.5). Those of another machine stay as they are: they open no gate here. True where it did."""
    found = desk.ledger.document("project", "this")
    was = found.body.path if found and isinstance(found.body, Project) else desk.root
    if was == desk.root:
        return False
    said = draft(desk, "project.moved", p.write(p.ProjectMoved(desk.root, was)))
    shown = shown_transactions(desk.ledger).values() if with_transactions else ()
    moved = [each for each in shown if each.project_path == was]
    desk.ledger.append([said, *(replace(said, transaction_id=each.id) for each in moved)])
    for each in moved:
        show(desk, each.id)
    desk.wrote()
    return True


def shown_transactions(ledger: ReadableLedger) -> dict[str, Transaction]:
    """Open transactions, and the last closed ones, by the suffix their file has."""
    owners = [
        *ledger.documents("file", live=True),
        *ledger.documents("file", live=False, limit=transaction_file.KEPT_CLOSED),
    ]
    found: dict[str, Transaction] = {}
    for owner in owners:
        if isinstance(owner.body, FileOwner):
            document = ledger.document("transaction", owner.body.transaction_id)
            if document and isinstance(document.body, Transaction):
                found[owner.id] = document.body
    return found


def _original_lives(there: Origin, here: Origin, chain: LedgerId) -> bool:
    if there.machine and here.machine and there.machine != here.machine:
        return True
    path = ledger_path(there.root)
    if there.root == here.root or not os.path.exists(path):
        return False
    try:
        other = STORE.open_ledger(path, writable=False)
    except (Damaged, Trouble):
        return True  # nobody can tell: two writers of one chain would be worse than a chain too many
    try:
        return any(head.ledger_id == chain for head in other.heads())
    finally:
        other.close()


def begin_chain(desk: Desk, reason: str) -> None:
    continues = marked(desk.ledger.heads(), desk.ledger.own())
    opened = p.write(p.LedgerOpened(reason, continues))
    ledger_id = LedgerId(new_id())
    own_ledgers.claim(desk.resolved.home, desk.folder, ledger_id)
    desk.ledger.begin(ledger_id, origin_of(desk.root, desk.resolved.home), draft(desk, "ledger.opened", opened))
    desk.began_chain()
    desk.back_up()  # a chain that this home began, and of which there is no backup, is an alarm


def draft(desk: Desk, kind: str, payload: Payload) -> Draft:
    return draft_for(desk.resolved, desk.who, kind, payload=payload, actor=desk.actor)


def draft_for(
    resolved: ResolvedRequest, who: project.Identity, kind: str, *, payload: Payload, actor: str = USER
) -> Draft:
    return Draft(
        kind=kind,
        payload=payload,
        ts=moment.stamp(resolved.request.now()),
        project_id=who.id,
        schema=p.KINDS[kind][1],
        actor=actor,
    )


def register(desk: Desk) -> None:
    found = repository.enclosing(desk.root)
    entry = Entry(
        project_id=desk.who.id,
        path=desk.root,
        name=desk.who.name,
        common=found.common if found else None,
        ledgers=tuple(head.ledger_id for head in desk.ledger.heads()),
    )
    same_repository.keep(desk.backup_folder, desk.root, desk.who.name, ledgers=entry.ledgers)
    try:
        if desk.resolved.registry.at(desk.root) != entry:
            desk.resolved.registry.write(entry)
    except Trouble:
        return  # the home cannot be written: the project is then found from inside it only (SPEC 3.2)


def _known_identity(resolved: ResolvedRequest, root: str, known: Entry) -> project.Identity:
    """As the registry has it, unless the ledger here proves another id."""
    proved = None
    try:
        ledger = STORE.open_ledger(ledger_path(root), writable=False)
        try:
            last = ledger.event(Ref(ledger.head().ledger_id, ledger.head().seq))
            named = {last.project_id} if last and is_uuid(last.project_id) else set()
            proved = proved_id(resolved.home, root, ledger, ids=named)
        finally:
            ledger.close()
    except (Damaged, Trouble):
        proved = None  # no ledger that could say otherwise
    return project.Identity(proved or known.project_id, known.name)


def known_here(resolved: ResolvedRequest, root: str) -> Entry | None:
    """What the registry has of the repository at this root, and not of another one that stood there before."""
    known = resolved.registry.at(root)
    return known if known and is_same_repository(resolved, root, known.project_id) else None


def is_same_repository(resolved: ResolvedRequest, root: str, project_id: ProjectId) -> bool:
    """May the record of this project be brought back here? Where a part of `.perdure` is left that this home wrote in
    this very folder, that proves it as well."""
    folder, here = backup.folder_for(resolved.home, project_id), project.folder_of(root)
    if os.path.isdir(here) and any(own_ledgers.is_marked(here, each) for each in event_files.ledgers_in(folder)):
        return True
    return same_repository.is_same(folder, project_id, root)


def lay_folder(resolved: ResolvedRequest, root: str, name: str | None = None) -> list[str]:
    """The folder and the two files that make it a project; answers with what was not there."""
    project.refuse_linked(root)
    folder = project.folder_of(root)
    changed = []
    if not os.path.isdir(folder):
        make_folder(folder)
        changed.append(folder)
    if git_ignore.write(root):
        changed.append(git_ignore.path_of(root))
    if read_text(project.toml_of(root)) is None:
        known = known_here(resolved, root)
        who = _known_identity(resolved, root, known) if known and not name else project.new_identity(root, name)
        project.write_identity(root, who)
        changed.append(project.toml_of(root))
        kept = backup.kept_settings(root, backup.folder_for(resolved.home, who.id)) if known else None
        if kept and read_text(project_file(root)) is None:
            write_whole(project_file(root), kept, mode=0o644)
            changed.append(project_file(root))
    return changed
