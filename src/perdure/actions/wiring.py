"""Opens a project's ledger for an action: a `Desk` is a place, its project's ledger, and what is needed to act there.

    with open_desk(Request(cwd=os.getcwd(), environment=os.environ)) as desk:
        notes.add(desk, "finding", "the parser keeps one token of lookahead")

Invariant: leaving the desk updates the backup (SPEC 2.3). In a long-lived process that also happens while it works, at
most every `BACKUP_EVERY` seconds.

`STORE` is the kind of store in use; no other module names one.
"""

from __future__ import annotations

import os

from perdure import clients
from perdure.actions import backup, call_notes, denials, pausing, unverified_claims
from perdure.actions.advice import errors_name_project, name_project
from perdure.actions.ledger_origin import (
    claim_store,
    doubt_what_git_brought,
    foreign_ledger,
    handle_moved_or_copied,
    is_own_ledger,
    is_replaced,
    known_here,
    ledger_path,
    no_record,
    proved_id,
    replaced_ledger,
    was_moved,
)
from perdure.actions.other_repository import refuse_claimed_id, required_root
from perdure.actions.project_ids import other_id, refuse_another_id, refuse_to_begin
from perdure.actions.record import without_credentials
from perdure.actions.request import resolve_request
from perdure.errors import Damaged, PerdureError, Refused, Trouble
from perdure.files import make_folder, read_text, write_whole
from perdure.ledger import sqlite
from perdure.model.event import USER, Ref, in_order
from perdure.model.ids import is_uuid, short
from perdure.model.payload import WORDS_UNDONE
from perdure.model.state import Undone, body_as
from perdure.place import git_ignore, project, rights, transaction_pointers
from perdure.place.bindings import Bindings
from perdure.place.own_instance import PERSON_DOES, agent_of, is_agent, refuse_agent, refuse_another_instance
from perdure.place.refusals import refuse_plain_repository
from perdure.place.registry import Entry
from perdure.place.resolve import known_instances, looks_like_id
from perdure.place.seat import bind, take_seat
from perdure.settings import load, project_file
from perdure.views import damage, file_marks, head_files, store_secrets
from perdure.views.key import view_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from perdure.actions.attribution import Attribution
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.ledger.port import Ledger, Store, WrittenBy
    from perdure.model.event import Event, Head
    from perdure.model.ids import TransactionId
    from perdure.model.moment import Moment
    from perdure.model.ownership import Own
    from perdure.place.resolve import Place
    from perdure.place.seat import InstanceSeat
    from perdure.place.surroundings import Surroundings
    from perdure.settings import Scalar, Settings

BACKUP_EVERY = 5.0
"""Seconds."""
MOST_NAMED = 5
"""How many known instances a message names."""
STORE: Store = sqlite


class Desk:
    """One open project: its ledger, settings and key, and the instance that works there. Every action gets one. It is a
    context manager: leaving it updates the backup and closes the ledger."""

    def __init__(
        self, resolved: ResolvedRequest, root: str, identity: project.Identity, *, ledger: Ledger, writable: bool = True
    ) -> None:
        self.resolved = resolved
        self.writable = writable
        self.root = root
        self.identity = identity
        self.ledger = ledger
        self.settings: Settings = load(resolved.home, root, resolved.request.environment)
        self.cached_attribution: tuple[Attribution, Head] | None = None
        """What the next event belongs to, and the head at which that was looked up (see `attribution.record_event`)."""
        self.accepted_id = False
        """Whether a person accepts with this command that the project has another id now. Then opening the desk writes
        nothing, and what waits to be recorded is recorded by the next command."""
        self.claims_changed = False
        """Whether the status line must be told how many claims nothing verifies."""
        self.notices: list[str] = []
        """What opening this desk changed; the caller is told."""
        self._seat: InstanceSeat | None = None
        self._is_agent: bool | None = None
        self._key: bytes | None = None
        self._own: Own | None = None
        self._own_ledger: str | None = None
        self.known_wrong: tuple[str, ...] | None = None
        """What was wrong with the record at the last look; None if its files were changed since, by anything else than
        a command of Perdure that ran to its end, or if nobody asked."""
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
            self._seat = take_seat(self.place, self.around, self.identity.id)
        return self._seat

    @property
    def actor(self) -> str:
        """Who acts. It is in the envelope of each event, which is never erased; a subagent's id is part of it."""
        return without_credentials(self._named_actor())

    def _named_actor(self) -> str:
        known = self.resolved.request.actor or self.seat.client or self._named_agent()
        return known or clients.of_mark(self.around.environment) or USER

    def _named_agent(self) -> str | None:
        """A command that names the instance of a client is that client's, also if the client is not above it. A person
        may name it too, in a terminal of their own."""
        if not self.place.instance_is_explicit or self.around.terminal:
            return None
        return agent_of(self.place, self.around, self.root)

    @property
    def is_agent(self) -> bool:
        """Whether the caller is an agent: a client is above it, it came over MCP or a hook, or something else shows
        it."""
        if self._is_agent is None:
            self._is_agent = self._named_actor() != USER or is_agent(self.place, self.around, self.root)
        return self._is_agent

    def refuse_agent(self, message: str, hint: str = PERSON_DOES) -> None:
        """For what only people may do."""
        refuse_agent(self.place, self.around, message, hint=hint, roots=(self.root,))

    @property
    def key(self) -> bytes:
        if self._key is None:
            self._key = view_key(self.resolved.home, self.folder)
        return self._key

    def other_ledger(self, place: Event | Ref) -> str | None:
        """The ledger of another machine that an event came from; None if it was written here. Whatever its actor says,
        `user` there is not the person here."""
        if self._own_ledger is None:
            self._own_ledger = self.ledger.head().ledger_id
        if place.ledger_id == self._own_ledger:
            return None
        return None if place.seq <= self._own_chains().get(place.ledger_id, 0) else place.ledger_id

    def _own_chains(self) -> Own:
        if self._own is None:
            self._own = self.ledger.own()
        return self._own

    def latest_here(self, kinds: Sequence[str], limit: int) -> list[Event]:
        """The newest events of these kinds that were written here. For every question about what was done, learned or
        said here: an import names any instance, session and transaction, and may be newer than all that is here."""
        taken_back = self._taken_back(kinds)
        newest = self.ledger.latest(kinds, limit + len(taken_back))
        if any(map(self.other_ledger, newest)):
            newest = self.ledger.latest(kinds, limit + len(taken_back), self._own_chains())
        return _counting(newest, taken_back)[:limit]

    def latest_by(self, by: WrittenBy, kinds: Sequence[str], limit: int) -> list[Event]:
        """As `latest_here`, only what these wrote, however much others wrote since."""
        taken_back = self._taken_back(kinds)
        found = self.ledger.latest(kinds, limit + len(taken_back), self._own_chains(), by=by)
        return _counting(found, taken_back)[:limit]

    def _taken_back(self, kinds: Sequence[str]) -> frozenset[tuple[str, int]]:
        """Where the events stand that were taken back, if these kinds may have any. No list of what counts has them."""
        if WORDS_UNDONE.isdisjoint(kinds):
            return frozenset()
        bodies = (found.body for found in self.ledger.documents("undone", live=True))
        return frozenset((body.ledger_id, body.seq) for body in bodies if isinstance(body, Undone))

    def counts(self, event: Event) -> bool:
        """Whether nobody took the event back."""
        undone = body_as(self.ledger.document("undone", event.id), Undone) if event.kind in WORDS_UNDONE else None
        return undone is None or (undone.ledger_id, undone.seq) != (event.ledger_id, event.seq)

    def latest_and_own(self, kinds: Sequence[str], limit: int) -> list[Event]:
        """The newest events of these kinds, and the newest of those that were written here, however many newer ones an
        import brought."""
        taken_back = self._taken_back(kinds)
        newest = _counting(self.ledger.latest(kinds, limit + len(taken_back)), taken_back)[:limit]
        found = [*newest, *self.latest_here(kinds, limit)]
        return sorted({event.id: event for event in found}.values(), key=in_order, reverse=True)

    def own_first(self, kinds: Sequence[str], limit: int) -> list[Event]:
        """At most `limit` events of these kinds for a list that people or agents read: those that were written here,
        then those of other machines, of each the newest first. So no import pushes out what was written here."""
        taken_back = self._taken_back(kinds)
        newest = _counting(self.ledger.latest(kinds, limit + len(taken_back)), taken_back)[:limit]
        theirs = [event for event in newest if self.other_ledger(event)]
        return [*self.latest_here(kinds, limit), *theirs][:limit] if theirs else newest

    def began_chain(self) -> None:
        """Called after the ledger began a new chain."""
        self._own = self._own_ledger = None
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
        return backup.folder_for(self.resolved.home, self.identity.id)

    def file_states(self) -> str:
        """How the files of the record are now (`views/file_marks.py`)."""
        heads = head_files.folder_for(self.resolved.home, self.identity.id)
        path = ledger_path(self.root)
        return file_marks.states(path, [path + log for log in STORE.WITH_EVENTS], [self.backup_folder, heads])

    def look_at_files(self) -> tuple[str, ...] | None:
        self.known_wrong = file_marks.known(self.resolved.home, self.root, self.file_states(), key=self.key)
        return self.known_wrong

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
                self.take_over_pointers()
            if self.claims_changed:
                unverified_claims.show(self)
        finally:
            self.ledger.close()
            self._mark_files()

    def _mark_files(self) -> None:
        """Not if something was wrong: what this command wrote may have mended it, which the next look tells."""
        if self.writable and self.known_wrong == ():
            files = self.file_states()
            if file_marks.known(self.resolved.home, self.root, files, key=self.key) is None:
                file_marks.keep(self.resolved.home, self.root, files, key=self.key)

    def settle_place(self) -> None:
        """Handles a ledger that is in another place than where it was written."""
        handle_moved_or_copied(self, STORE)

    def was_moved(self) -> bool:
        return was_moved(self, STORE)

    def take_over_pointers(self) -> list[TransactionId]:
        """Pointers that an earlier command had to leave in the project, because it could not write the home."""
        return transaction_pointers.take_over(self.resolved.home, self.root, key=self.key, is_closed=self._is_closed)

    def _is_closed(self, transaction_id: TransactionId) -> bool:
        found = self.ledger.document("transaction", transaction_id)
        return found is not None and not found.live

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Damaged) and self.writable:
            damage.mark(self.folder, error.message)
        if isinstance(error, PerdureError):
            name_project(error, self.resolved, self.root)
        self.close()


def _counting(events: list[Event], taken_back: frozenset[tuple[str, int]]) -> list[Event]:
    return [each for each in events if (each.ledger_id, each.seq) not in taken_back] if taken_back else events


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
    root = root or required_root(resolved)
    project.refuse_unusable(root)
    if not project.is_project(root):
        raise Refused("no_project", f"{root} is not a project.", hint="Run perdure init there.")
    identity = project.identity(root)
    if not os.path.lexists(ledger_path(root)):
        refuse_to_begin(resolved, root)
        refuse_claimed_id(resolved, root)
        if resolved.registry.at(root) is None:
            raise no_record(resolved, root)
    if not writable:
        take_in_calls(resolved, root)
    with errors_name_project(resolved, root):
        return _opened(resolved, root, identity, writable=writable, any_id=any_id)


def take_in_calls(resolved: ResolvedRequest, root: str) -> None:
    """For what only reads: records what recorders noted, so that the answer has it. If that is impossible now, the
    answer comes without it, and says so."""
    try:
        if not call_notes.are_waiting(root):
            return
        _opened(resolved, root, project.identity(root), writable=True, any_id=False).close()
    except PerdureError as error:
        name_project(error, resolved, root)
        call_notes.tell_lacking(resolved, error)


def _opened(resolved: ResolvedRequest, root: str, identity: project.Identity, *, writable: bool, any_id: bool) -> Desk:
    ledger = _open_own_ledger(resolved, root, writable)
    try:
        desk = Desk(resolved, root, identity, ledger=ledger, writable=writable)
        if writable:
            desk.look_at_files()
            claim_store(resolved, root, ledger)
            refuse_another_id(desk, is_accepted=any_id)
            desk.accepted_id = any_id and other_id(resolved, root, ledger) is not None
            if desk.accepted_id:  # nothing is written under the new id before a person has accepted it
                return desk
            desk.settle_place()
            _complete_switch(desk)
            _bind_client_session(desk)
            _tell_new_instance(desk)
            call_notes.take_in(desk)
            denials.record_notes(desk)
            pausing.record_ended(desk)
            for notice in desk.notices:
                resolved.request.tell(notice)
    except BaseException as error:
        ledger.close()
        if isinstance(error, Damaged):
            _marked(error, root, writable)
        raise
    return desk


def _open_own_ledger(resolved: ResolvedRequest, root: str, writable: bool) -> Ledger:
    """The ledger, if this home wrote it. Where the home knows the file, git is asked before it is opened: to open it
    copies a log that is beside it into it. Elsewhere it may be a clone, and is foreign first of all."""
    is_entered = store_secrets.known(resolved.home, project.folder_of(root)) is not None
    if is_entered:
        _refuse_what_git_brought(resolved, root, writable)
    ledger = _open_ledger(root, writable)
    try:
        _refuse_unless_own(resolved, root, ledger, writable=writable)
        if not is_entered:
            _refuse_what_git_brought(resolved, root, writable)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _refuse_unless_own(resolved: ResolvedRequest, root: str, ledger: Ledger, *, writable: bool) -> None:
    """The file's own secret is looked at first: to find out whose the chain is may enter the folder in the home."""
    is_another_file = is_replaced(resolved, root, ledger)
    if not is_own_ledger(resolved, root, ledger):
        refuse_claimed_id(resolved, root)
        raise foreign_ledger(resolved, root, ledger.head().ledger_id)
    if is_another_file:
        raise _marked(replaced_ledger(root, resolved.home), root, writable)


def _refuse_what_git_brought(resolved: ResolvedRequest, root: str, writable: bool) -> None:
    doubt = doubt_what_git_brought(resolved, root)
    if doubt:
        raise _marked(doubt, root, writable)


def _marked(error: Damaged, root: str, writable: bool) -> Damaged:
    """The gate, which does not open the ledger, then denies too."""
    if writable:
        damage.mark(project.folder_of(root), error.message)
    return error


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


def _open_ledger(root: str, writable: bool) -> Ledger:
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


def _complete_switch(desk: Desk) -> None:
    """Once an instance works in the folder of the project that it switched to, the switch is complete: going back to
    the folder it came from is then a move."""
    binding = desk.place.binding
    if binding and binding.stood_in and desk.place.cwd_project == binding.project_path == desk.root:
        bind(desk.seat, desk.root, desk.identity.id, session=desk.place.session_id, around=desk.around)


def _bind_client_session(desk: Desk) -> None:
    """A client that starts in a folder of no project is not bound there, and the `project switch` that it runs does not
    know its session. The next hook does, and binds the session too, so that it can be resumed."""
    binding, session = desk.place.binding, desk.resolved.request.stated_client.client_session_id
    if binding is None or session is None or binding.client_session_id is not None:
        return
    if binding.process == desk.place.client_process and binding.project_path == desk.root:
        bind(
            desk.seat,
            desk.root,
            desk.identity.id,
            session=binding.session_id,
            around=desk.around,
            stood_in=binding.stood_in,
        )


def _tell_new_instance(desk: Desk) -> None:
    """A name that a CI job chose makes an instance of its own (SPEC 3.1). Of a mistyped id that is said."""
    place, explicit = desk.place, desk.resolved.request.explicit
    if place.instance_id is None or not place.instance_is_explicit or explicit.is_new_instance:
        return
    named = explicit.instance or desk.around.environment.get("PERDURE_INSTANCE", "")
    if not looks_like_id(named):
        return
    known = known_instances(Bindings(desk.resolved.home, desk.folder), desk.root)
    if place.instance_id in known or desk.ledger.document("instance", place.instance_id):
        return
    others = f" Known: {', '.join(sorted(map(short, known))[:MOST_NAMED])}." if known else ""
    desk.resolved.request.tell(
        f"{without_credentials(named)} names no pane that is known here: it is a new one, "
        f"{short(place.instance_id)}.{others}"
    )


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


def create_project_folder(resolved: ResolvedRequest, root: str, name: str | None = None) -> list[str]:
    """Makes the folder and the two files that make it a project; returns what was missing."""
    project.refuse_unusable(root)
    folder = project.folder_of(root)
    changed = []
    if not os.path.isdir(folder):
        make_folder(folder)
        changed.append(folder)
    elif not os.path.lexists(ledger_path(root)):
        rights.make_private(folder)
    if git_ignore.write(root):
        changed.append(git_ignore.path_of(root))
    is_without_id, is_without_ledger = read_text(project.toml_of(root)) is None, not os.path.lexists(ledger_path(root))
    known = known_here(resolved, root) if is_without_id or is_without_ledger else None
    if is_without_id:
        if known and not name:
            identity = _known_identity(resolved, root, known)
        else:
            identity = project.new_identity(root, name)
        project.write_identity(root, identity)
        changed.append(project.toml_of(root))
    if known and (is_without_id or project.identity(root).id == known.project_id):
        changed += _restore_settings(resolved, root)
    return changed


def _restore_settings(resolved: ResolvedRequest, root: str) -> list[str]:
    """Writes the project's settings again if they are gone and the backup has them; returns what was written."""
    if read_text(project_file(root)) is not None:
        return []
    kept = backup.kept_settings(root, backup.folder_for(resolved.home, project.identity(root).id))
    if not kept:
        return []
    write_whole(project_file(root), kept, mode=0o644)
    return [project_file(root)]
