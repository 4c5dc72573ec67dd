"""Brings the concrete parts together: a `Desk` is a place, its project's ledger, and what is needed to act there.

    with open_desk(Request(cwd=os.getcwd(), environment=os.environ)) as desk:
        notes.add(desk, "finding", "the parser keeps one token of lookahead")

Invariant: leaving the desk updates the backup (SPEC 2.3). In a long-lived process that also happens while it works, at
most every `BACKUP_EVERY` seconds.

`STORE` is the kind of store in use; no other module names one.
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
from perdure.place.refusals import refuse_plain_repository, required_project
from perdure.place.registry import Entry
from perdure.place.seat import bind, take_seat
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
    from perdure.place.resolve import Place
    from perdure.place.seat import InstanceSeat
    from perdure.place.surroundings import Surroundings
    from perdure.settings import Scalar, Settings

BACKUP_EVERY = 5.0
STORE: Store = sqlite
_HEADS = 50
"""How many of the last signed heads are read."""


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
        """What opening this desk changed; the caller is told."""
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
        """The instance that this desk works as; started here if the place had none."""
        if self._seat is None:
            self._seat = take_seat(self.place, self.around, self.who.id)
        return self._seat

    @property
    def actor(self) -> str:
        """Who acts. It is in the envelope of each event, which is never erased; a subagent's id is part of it."""
        return without_credentials(self.resolved.request.actor or self.seat.client or USER)

    @property
    def is_agent(self) -> bool:
        """Whether the caller is an agent: a client is above it, or it came over MCP or a hook."""
        return self.actor != USER

    def refuse_agent(self, message: str, hint: str = PERSON_DOES) -> None:
        """For what only people may do: refuses a caller that has a client above it."""
        refuse_agent(self.around, message, hint, self.root)

    @property
    def key(self) -> bytes:
        if self._key is None:
            self._key = view_key(self.resolved.home, self.folder)
        return self._key

    def elsewhere(self, place: Event | Ref) -> str | None:
        """The ledger of another machine that an event came from; None if it was written here. Whatever its actor says,
        `user` there is not the person here."""
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
        """Called after every append, so that the backup is never far behind, whatever the wall clock does."""
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
    """Opens a desk in the resolved project, or in another one. `any_id`: for a person who accepts that the project has
    another id now."""
    if writable:
        if root is None:
            announce(resolved)
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
        if writable:
            if not any_id:
                _refuse_another_id(desk)
            _settle(desk)
            _settle_in(desk)
            for notice in desk.notices:
                resolved.request.tell(notice)
    except BaseException:
        ledger.close()
        raise
    return desk


def announce(resolved: ResolvedRequest) -> None:
    """Called before a write to the place's own project. Tells the caller which project that is, if the working
    directory is elsewhere; refuses a person in a repository that is not a project (SPEC 3.1)."""
    refuse_plain_repository(resolved.place)
    tell_where(resolved, resolved.place.project_path)


def tell_where(resolved: ResolvedRequest, root: str | None) -> None:
    """Tells the caller that `root` is written to, if the working directory is elsewhere and the caller did not name
    it."""
    notice = resolved.notice_of(root)
    if notice:
        resolved.request.tell(notice)


def _opened(root: str, writable: bool) -> Ledger:
    """Opens the ledger. If it is damaged, that is marked in a file, so that the gate, which does not open the ledger,
    denies."""
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
    """Whether this home wrote the ledger, in this folder. If it is in another folder than before, the person moved or
    copied it there if its last event is in a backup of this home; otherwise somebody else continued a copy. What an
    older version wrote here is known from the registry, which lists the chain that a store writes to first."""
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
        return True  # nothing can be written here, but what was found is proof enough
    return True


def _was_signed_here(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> bool:
    """A home that was restored from an older copy does not know the chains that it began since. A head that a key of
    this home signed in this folder proves that this home wrote the chain. So does a head over a chain that this one
    continues, if our mark is beside it."""
    keys = [known.key for known in signing_keys.known(resolved.home)]
    here = note.place_of(origin_of(root, resolved.home).machine, root)
    chain = ledger.head().ledger_id
    chains = {chain}
    if own_ledgers.is_marked(project.folder_of(root), chain):
        chains.update(ledger.own())
    for event in ledger.latest(["head.signed"], _HEADS):
        said = p.read(event, p.HeadSigned)
        if said is None or said.ledger_id not in chains:
            continue
        signed = _signed_note(said)
        if signed is None or signed.checkpoint.place != here or note.signer(signed, keys) is None:
            continue
        head = signed.checkpoint
        if has_root(ledger.events(LedgerId(head.ledger_id)), head.size, head.root):
            return True
    return False


def _signed_note(said: p.HeadSigned) -> note.Signed | None:
    """The note in the event; None if it is not a signed note, or about another chain than the event says."""
    try:
        signed = note.read(said.note)
    except BadInput:
        return None
    return signed if signed.checkpoint.ledger_id == said.ledger_id else None


def began_chain_here(resolved: ResolvedRequest, ledger_id: LedgerId) -> bool:
    """Whether this home began the chain, in any folder."""
    if own_ledgers.was_begun(resolved.home, ledger_id):
        return True
    return any(entry.ledgers[:1] == (ledger_id,) for entry in resolved.registry.entries())


def other_keeper(resolved: ResolvedRequest, root: str, ledger_id: LedgerId) -> str | None:
    """The other project of this home that still exists and that the backup of this chain belongs to. A copy contains
    the chain of the original and continues in one of its own: the old chain, and its backup, still belong to the
    original."""
    known = [e for e in resolved.registry.entries() if ledger_id in e.ledgers and project.is_project(e.path)]
    writers = [entry.path for entry in known if entry.ledgers[0] == ledger_id]
    if writers:
        return None if root in writers else writers[0]
    by_folder = {own_ledgers.name_of(project.folder_of(entry.path)): entry.path for entry in known}
    began = [by_folder[each] for each in own_ledgers.folders(resolved.home, ledger_id) if each in by_folder]
    return began[0] if began and began[0] != root else None


def _refuse_another_id(desk: Desk) -> None:
    """The backup and the heads are stored under the project's id: if `project.toml` has another id, they would not be
    found."""
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
    """The project id that the last sealed event names; the seal is searched under these ids. Somebody who can write
    only the home cannot forge the event, and somebody who can write only the project cannot forge the seal over it."""
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
    """Handles a store that is in another place than where it was written: it was moved, or is a copy. A copy must not
    write to the chain of the original, because two writers of one chain can never be merged (docs/adr/0005)."""
    there, here = desk.ledger.origin(), origin_of(desk.root, desk.resolved.home)
    if there == here:
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
        return
    chain = desk.ledger.head().ledger_id
    is_copy = _original_lives(there, here, chain)
    is_ours = not there.machine or not here.machine or there.machine == here.machine
    if not is_copy or _wrote_here(desk, chain):  # the origin that a store states may be forged
        backup.refuse_if_put_back(desk.ledger, desk.backup_folder)
    if is_copy:
        begin_chain(desk, "copied")
        take_along(desk, with_transactions=is_ours)
        _leave_open_ones_to_the_original(desk, there)
        register(desk)
        return
    take_along(desk)  # before it settles: after a crash in between, the next command does it
    desk.ledger.settle(here)
    register(desk)
    Bindings(desk.resolved.home, desk.folder).follow(there.root, desk.root, chain)
    if there.root != here.root and desk.resolved.registry.at(there.root):
        desk.resolved.registry.forget(there.root)
        same_repository.drop(desk.backup_folder, there.root)


def _leave_open_ones_to_the_original(desk: Desk, original: Origin) -> None:
    """A transaction is open in one place only. In a copy, those that were open when it was made are closed without an
    assessment: the original has them, and their holders close them there."""
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
    """Once an instance works in the folder of the project that it switched to, the switch is complete: going back to
    the folder it came from is then a move."""
    binding = desk.place.binding
    if binding and binding.stood_in and desk.place.stands_in == binding.project_path == desk.root:
        bind(desk.seat, desk.root, desk.who.id, session=desk.place.session_id, around=desk.around)


def _wrote_here(desk: Desk, chain: LedgerId) -> bool:
    known = desk.resolved.registry.at(desk.root)
    return known is not None and known.ledgers[:1] == (chain,)


def take_along(desk: Desk, *, with_transactions: bool = True) -> bool:
    """If the ledger names another folder as the project's, records this one from now on, also in the files of its
    transactions (SPEC 3.5). Those of another machine stay as they are: they open no gate here. Returns whether it
    did."""
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
    """Open transactions and the last closed ones, by the suffix of their file."""
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
        return True  # unknown: one chain too many is better than two writers of one chain
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
    desk.back_up()  # a chain that this home began and that has no backup would be reported as damage


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
    """The identity that the registry has, unless the ledger here proves another id."""
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
        proved = None  # there is no ledger that could say otherwise
    return project.Identity(proved or known.project_id, known.name)


def known_here(resolved: ResolvedRequest, root: str) -> Entry | None:
    """The registry's entry for the repository at this root, if it is not about another one that was there before."""
    known = resolved.registry.at(root)
    return known if known and is_same_repository(resolved, root, known.project_id) else None


def is_same_repository(resolved: ResolvedRequest, root: str, project_id: ProjectId) -> bool:
    """Whether the record of this project may be restored here. A part of `.perdure` that this home wrote in this folder
    proves it as well."""
    folder, here = backup.folder_for(resolved.home, project_id), project.folder_of(root)
    if os.path.isdir(here) and any(own_ledgers.is_marked(here, each) for each in event_files.ledgers_in(folder)):
        return True
    return same_repository.is_same(folder, project_id, root)


def lay_folder(resolved: ResolvedRequest, root: str, name: str | None = None) -> list[str]:
    """Makes the folder and the two files that make it a project; returns what was missing."""
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
