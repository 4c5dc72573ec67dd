"""Whose a ledger is: whether this home wrote it, and whether it was moved or copied since.

A ledger that this home did not write is refused (SPEC 20.5). One that was moved continues at the new place. A copy
begins a chain of its own, because two writers of one chain can never be merged (docs/adr/0005).

    if not is_own_ledger(resolved, root, ledger):
        raise foreign_ledger(resolved, root, ledger.head().ledger_id)
"""

from __future__ import annotations

import os

from perdure.actions import backup
from perdure.actions.record import Fact, draft, draft_for, record, show, shown_transactions
from perdure.errors import Damaged, Doubted, Refused, Trouble
from perdure.gate.policy import PREFLIGHT
from perdure.ledger.header import FILE
from perdure.ledger.port import Origin
from perdure.model import payload as p
from perdure.model.event import USER, Ref
from perdure.model.ids import LedgerId, ProjectId, TransactionId, is_uuid, new_id, short
from perdure.model.ownership import chains_with_own_part
from perdure.model.shell_quote import quote
from perdure.model.state import Project
from perdure.model.value import replace
from perdure.place import git_index, git_moves, project, repository, same_repository, transaction_pointers
from perdure.place.bindings import Bindings
from perdure.place.client_variables import that_move_the_home
from perdure.place.home import machine_id
from perdure.place.own_instance import is_agent
from perdure.place.registry import Entry
from perdure.proof import signed_note
from perdure.proof.chain import event_hash
from perdure.views import (
    backup_seals,
    event_files,
    head_files,
    own_ledgers,
    signing_keys,
    store_secrets,
)
from perdure.views.key import existing_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import Ledger, ReadableLedger, Store

ORIGIN_CORRECTED = (
    "The ledger said that it was written in another place. This home wrote it here, so that was corrected."
)


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
        from perdure.actions.heads_signed_here import was_signed_here  # rarely asked

        is_ours = was_signed_here(resolved, root, ledger)
    if not is_ours or is_replaced(resolved, root, ledger):
        return False
    try:
        own_ledgers.claim(resolved.home, folder, head.ledger_id)
    except Trouble:
        return True  # nothing can be written here, but what was found is proof enough
    return True


def is_replaced(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> bool:
    """Whether the file is another one than this home wrote there, or is in doubt since git tracked it. If the home lost
    what it knew of the file, the mark in the project proves it; without that, a file in a folder that the home knows
    otherwise is in doubt. If the folder was moved or copied, the home knows the secret from a folder in which it wrote
    the same chain."""
    home, folder, secret = resolved.home, project.folder_of(root), ledger.secret()
    is_own = store_secrets.is_own(home, folder, secret)
    if is_own is not None:
        return not is_own
    if store_secrets.is_marked(folder, secret):
        return False
    here, wrote_in = own_ledgers.name_of(folder), own_ledgers.folders(home, ledger.head().ledger_id)
    elsewhere = [known for each in wrote_in if each != here and (known := store_secrets.known(home, each))]
    if any(store_secrets.digest(secret) in known.digests for known in elsewhere):
        return False
    return here in wrote_in or bool(elsewhere) or resolved.registry.at(root) is not None


def doubt_what_git_brought(resolved: ResolvedRequest, root: str) -> Doubted | None:
    """If git tracks the ledger, anybody who can push can replace it, and knows what is in it. Then nothing in it is
    believed any more until `perdure heal` has compared it with what this home can prove, also if it is taken out of
    git in between, even before any command ran. Answers with the refusal, if git has what was not compared."""
    home, folder, tracked = resolved.home, project.folder_of(root), git_index.replaceable(root)
    known = store_secrets.known(home, folder)
    if tracked and (known is None or known.tracked != store_secrets.digest(tracked)):
        store_secrets.doubt(home, folder)
        return tracked_ledger(root, tracked)
    if known is None:
        return None
    position = git_moves.position(root)
    if known.looked and known.looked != position and git_moves.brought_since(root, known.looked, compared=tracked):
        store_secrets.doubt(home, folder)
        return replaced_ledger(root, home)
    store_secrets.note_look(home, folder, position)
    return None


def claim_store(resolved: ResolvedRequest, root: str, ledger: Ledger) -> None:
    """Gives the file a secret if it has none, then enters that in the home: after a crash in between, the next command
    enters it."""
    home, folder, secret = resolved.home, project.folder_of(root), ledger.secret()
    if not secret:
        secret = ledger.keep_secret(store_secrets.new_secret(), "")
    store_secrets.expect(home, folder, secret)


def renew_store(resolved: ResolvedRequest, root: str, ledger: Ledger) -> None:
    """After the file was proved: gives it a secret that nobody else can know, and believes no other file from now on.
    The home is told before and after, so that a crash in between leaves a file that it knows."""
    home, folder, secret = resolved.home, project.folder_of(root), store_secrets.new_secret()
    store_secrets.expect(home, folder, secret)
    kept = ledger.keep_secret(secret, ledger.secret())
    position = git_moves.position(root)
    store_secrets.settle(home, folder, kept, tracked=git_index.replaceable(root), looked=position)


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


def is_left_to_us(resolved: ResolvedRequest, root: str, ids: Iterable[ProjectId], *, ledger_id: LedgerId) -> bool:
    """Whether this home began the chain, and no other folder of the project has it any more: then what only its backup
    has is missing here. `ids`: every id of the project."""
    known = (entry for id_ in ids for entry in resolved.registry.known_as(id_) if ledger_id in entry.ledgers)
    is_elsewhere = any(entry.path != root and project.is_project(entry.path) for entry in known)
    return began_chain_here(resolved, ledger_id) and not is_elsewhere


def is_shared(resolved: ResolvedRequest, root: str, ledger_id: LedgerId) -> bool:
    """Whether another project of this home that still exists has this chain too."""
    known = [e for e in resolved.registry.entries() if ledger_id in e.ledgers and e.path != root]
    return any(project.is_project(entry.path) for entry in known)


def proved_id(home: str, root: str, ledger: ReadableLedger, *, ids: Iterable[ProjectId]) -> ProjectId | None:
    """The project id that the last sealed event names; None if no seal proves one. The seal is searched under these
    ids. Somebody who can write only the home cannot forge the event, and somebody who can write only the project cannot
    forge the seal over it."""
    chain, key = ledger.head().ledger_id, existing_key(home, project.folder_of(root))
    seals = (backup_seals.read(backup.folder_for(home, each), chain, key) for each in ids)
    for seal in sorted((seal for seal in seals if seal), key=lambda seal: -seal.seq):
        event = ledger.event(Ref(chain, seal.seq))
        if event and event_hash(event) == seal.hash and is_uuid(event.project_id):
            return event.project_id
    return None


def no_record(resolved: ResolvedRequest, root: str) -> Refused:
    """For a folder with a `project.toml` in which this home never began a record, such as a fresh clone."""
    where = "" if resolved.place.cwd_project == root else f" {quote(root)}"
    return Refused(
        "no_record",
        f"{project.toml_of(root)} makes {root} a project, but no record was begun there yet.",
        hint=f"perdure init{where} begins one. An agent, for which the gate denies that, runs perdure heal "
        f"--project-path {quote(root)}.",
        details={"path": root},
    )


def foreign_ledger(resolved: ResolvedRequest, root: str, chain: LedgerId) -> Refused:
    """`chain`: the one that the ledger writes to."""
    if own_ledgers.is_marked(project.folder_of(root), chain):
        hint = (
            "It was written in this folder, on this machine, by your user, with another home: set PERDURE_HOME (or "
            "HOME) to that one. If that home is lost for good, perdure heal, run by a person, sets the ledger aside "
            "and says how to take it in (perdure import)."
        )
    else:
        hint = (
            "If it was written with another PERDURE_HOME, set that here too. Else: perdure heal sets it aside and "
            "says how a person takes it in (perdure import)."
        )
    moved = home_moved_by_project(resolved, root)
    return Refused(
        "foreign_ledger",
        f"{ledger_path(root)} was not written by this home ({resolved.home}): a repository, a copy or another "
        "person's home brought it. Nothing in it is believed.",
        hint=moved or hint,
    )


def home_moved_by_project(resolved: ResolvedRequest, root: str) -> str:
    """What to do about a settings file of the project that names another home for the client; empty if none does. The
    value is not shown: a repository's author may have written it, and an agent reads this."""
    for each in that_move_the_home(resolved.request.environment, resolved.request.cwd, root):
        return (
            f"The ledger may be the right one, and the home the wrong one: {each.path} sets {each.name} for the "
            f"client. A person removes {each.name} from 'env' in {each.path} and restarts the client. Only if the "
            "ledger is refused after that: perdure heal."
        )
    return ""


def refuse_to_set_aside(resolved: ResolvedRequest, root: str, chain: LedgerId) -> None:
    """Refuses to set a foreign ledger aside where the home may be the wrong one: a settings file of the project names
    another one; or a client asks, and this user wrote the ledger in this folder. The client may still have a variable
    of a settings file that was changed since. `chain`: the one that the ledger writes to."""
    if home_moved_by_project(resolved, root):
        raise foreign_ledger(resolved, root, chain)
    if own_ledgers.is_marked(project.folder_of(root), chain) and is_agent(resolved.place, resolved.around, root):
        error = foreign_ledger(resolved, root, chain)
        error.hint = (
            "It was written in this folder, on this machine, by your user, with another home. A person restarts the "
            "client, without another PERDURE_HOME or HOME. If that home is lost for good, a person runs perdure heal "
            "in a terminal of their own."
        )
        raise error


def replaced_ledger(root: str, home: str) -> Doubted:
    return Doubted(
        "ledger_in_doubt",
        f"{ledger_path(root)} is not the file that this home ({home}) wrote: a pull, a checkout, an archive or a copy "
        "replaced it, or it is in doubt since git tracked it. Nothing in it is believed.",
        hint="perdure heal keeps what the backup and signed heads prove, sets aside what is there if that is something "
        "else, and says what of it is not proved.",
    )


def tracked_ledger(root: str, tracked: str) -> Doubted:
    return Doubted(
        "ledger_tracked",
        f"git tracks {git_index.names_in(tracked)[0]}: whoever can push can replace it. Nothing in the ledger is "
        "believed until it was compared with what this home can prove.",
        hint="perdure heal compares it. So that no pull can replace it again, a person runs "
        f"{git_index.untracking(root)} and commits that, before or after.",
    )


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


def ledger_path(root: str) -> str:
    return os.path.join(project.folder_of(root), FILE)


def origin_of(root: str, home: str) -> Origin:
    return Origin(os.path.realpath(root), machine_id(home))


def handle_moved_or_copied(desk: Desk, store: Store) -> None:
    """Handles a ledger that is in another place than where it was written. If it was moved, it is registered here. If
    it is a copy, it begins a chain of its own."""
    there, here = desk.ledger.origin(), origin_of(desk.root, desk.resolved.home)
    if there == here:
        _refuse_if_put_back(desk)
        return
    chain = desk.ledger.head().ledger_id
    if misstated_origin(desk.resolved, desk.root, desk.ledger):
        _refuse_if_put_back(desk)
        desk.ledger.settle(here)
        desk.notices.append(ORIGIN_CORRECTED)
        return
    is_copy = _original_still_exists(there, here, chain, store=store)
    is_ours = not _is_other_machine(there, here)
    if not is_copy or _writes_here(desk.resolved, desk.root, chain):  # the origin that a store states may be forged
        _refuse_if_put_back(desk)
    if is_copy:
        begin_chain(desk, "copied")
        record_new_folder(desk, with_transactions=is_ours)
        _leave_open_ones_to_the_original(desk, there)
        register(desk)
        return
    record_new_folder(desk)  # before it settles: after a crash in between, the next command does it
    desk.ledger.settle(here)
    register(desk, moved_from=there.root)
    Bindings(desk.resolved.home, desk.folder).follow(there.root, desk.root, {chain, *desk.ledger.own()})
    transaction_pointers.follow(
        desk.resolved.home,
        there.root,
        desk.root,
        is_meant=lambda transaction_id: desk.ledger.document("transaction", transaction_id) is not None,
    )
    if there.root != here.root and desk.resolved.registry.at(there.root):
        desk.resolved.registry.forget(there.root)
        same_repository.drop(desk.backup_folder, there.root)


def was_moved(desk: Desk, store: Store) -> bool:
    """Whether the ledger is in another place than where it was written, and is not a copy."""
    there, here = desk.ledger.origin(), origin_of(desk.root, desk.resolved.home)
    if there == here or misstated_origin(desk.resolved, desk.root, desk.ledger):
        return False
    return not _original_still_exists(there, here, desk.ledger.head().ledger_id, store=store)


def why_put_back(desk: Desk) -> str:
    """Why nothing can be written to a ledger that is in its own folder or was moved here, and what to do: it lacks
    events that this home knows. Empty if it lacks none."""
    there = desk.ledger.origin()
    if there != origin_of(desk.root, desk.resolved.home) and os.path.exists(ledger_path(there.root)):
        return ""  # a copy continues in a chain of its own
    try:
        _refuse_if_put_back(desk)
    except Doubted as error:
        return f"{error.message} {error.hint}"
    return ""


def _refuse_if_put_back(desk: Desk) -> None:
    """Without a backup `heal` could bring nothing back: a person accepts the loss (`perdure audit acknowledge`)."""
    backup.refuse_if_put_back(desk.ledger, desk.backup_folder, existing_key(desk.resolved.home, desk.folder))
    home, chain = desk.resolved.home, desk.ledger.head().ledger_id
    if not event_files.last(desk.backup_folder, chain):
        return
    last = head_files.last(head_files.folder_for(home, desk.identity.id), chain)
    head = desk.ledger.head()  # read after the signed head: others may append and sign, and a head is never ahead
    is_ahead = last is not None and last.signed.tree_head.size > head.seq and head.ledger_id == chain
    if last and is_ahead and signed_note.signer(last.signed, [each.key for each in signing_keys.known(home)]):
        raise Doubted(
            "ledger_put_back",
            f"The ledger ends at event {head.seq}, but a signed head covers {last.signed.tree_head.size} events: its "
            "end is lost, or an older copy of it was put back.",
            hint="perdure heal brings back what it finds, says what is lost, and continues in a new chain.",
        )


def misstated_origin(resolved: ResolvedRequest, root: str, ledger: ReadableLedger) -> str:
    """What is wrong with the place that the store names, where this home knows that it wrote the ledger here, on this
    machine. Empty if nothing is, or if the home does not know: then the ledger was moved or copied."""
    there, here = ledger.origin(), origin_of(root, resolved.home)
    is_elsewhere = there.root != here.root
    if not is_elsewhere and not _is_other_machine(there, here):
        return ""
    if not _is_known_to_write_here(resolved, root, ledger.head().ledger_id):
        return ""
    named = "in another folder" if is_elsewhere else "on another machine"
    return f"the store says that it was written {named}, and this home wrote it here"


def _is_known_to_write_here(resolved: ResolvedRequest, root: str, chain: LedgerId) -> bool:
    """The registry and the list of chains name this folder; they may have been copied to another machine with the home.
    So the mark in the project, or a head that was signed here, must show that it was on this machine."""
    folder = project.folder_of(root)
    is_listed = own_ledgers.name_of(folder) in own_ledgers.folders(resolved.home, chain)
    if not is_listed or not _writes_here(resolved, root, chain):
        return False
    if own_ledgers.is_marked(folder, chain):
        return True
    from perdure.actions.heads_signed_here import is_last_signed_here  # rarely asked

    return is_last_signed_here(resolved, root, chain)


def _writes_here(resolved: ResolvedRequest, root: str, chain: LedgerId) -> bool:
    known = resolved.registry.at(root)
    return known is not None and known.ledgers[:1] == (chain,)


def _is_other_machine(there: Origin, here: Origin) -> bool:
    """Where one of them is not known, it counts as the same."""
    return bool(there.machine and here.machine) and there.machine != here.machine


def _original_still_exists(there: Origin, here: Origin, chain: LedgerId, *, store: Store) -> bool:
    """Whether the place that the ledger was written at still has this chain. Another machine's place cannot be looked
    at, so it counts as existing."""
    if _is_other_machine(there, here):
        return True
    path = ledger_path(there.root)
    if there.root == here.root or not os.path.exists(path):
        return False
    try:
        other = store.open_ledger(path, writable=False)
    except (Damaged, Trouble):
        return True  # unknown: one chain too many is better than two writers of one chain
    try:
        return any(head.ledger_id == chain for head in other.heads())
    finally:
        other.close()


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
    is_other_machine = _is_other_machine(original, origin_of(desk.root, desk.resolved.home))
    where = f"{original.root} on another machine" if is_other_machine else original.root
    desk.notices.append(
        f"{desk.root} is a copy of the project in {where}. Closed here without an assessment, and still open "
        f"there: {names}. To work here: {PREFLIGHT}"
    )


def record_new_folder(desk: Desk, *, with_transactions: bool = True) -> bool:
    """If the ledger names another folder as the project's, records this one from now on, also in the files of its
    transactions (SPEC 3.5). Those of another machine stay as they are: they open no gate here. If no project is in the
    other folder any more, the notes of what was redacted there are this folder's from now on. Returns whether it
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
    if not project.is_project(was):
        from perdure.views import redaction_notes  # rarely needed

        redaction_notes.follow(desk.resolved.home, project.folder_of(was), desk.folder, key=desk.key)
    desk.wrote()
    return True


def begin_chain(desk: Desk, reason: str) -> None:
    """Begins a new chain in this ledger, which continues the chains that are in it."""
    begin_chain_in(desk.ledger, desk.resolved, desk.root, reason=reason, actor=desk.actor)
    desk.began_chain()
    desk.back_up()  # a chain that this home began and that has no backup would be reported as damage


def begin_chain_in(ledger: Ledger, resolved: ResolvedRequest, root: str, *, reason: str, actor: str = USER) -> None:
    """`begin_chain` for a ledger that no desk has open."""
    opened = p.write(p.LedgerOpened(reason, chains_with_own_part(ledger.heads(), ledger.own())))
    ledger_id = LedgerId(new_id())
    own_ledgers.claim(resolved.home, project.folder_of(root), ledger_id)
    first = draft_for(resolved, project.identity(root), "ledger.opened", payload=opened, actor=actor)
    ledger.begin(ledger_id, origin_of(root, resolved.home), first)


def record_creation(desk: Desk) -> None:
    """Records that the project was made here, if its ledger does not say so yet."""
    if desk.ledger.document("project", "this") is None:
        record(desk, [Fact("project.created", p.ProjectCreated(desk.identity.name, desk.root))])


def register(desk: Desk, *, moved_from: str | None = None) -> None:
    """Enters the project and its ledgers in the home's registry."""
    found, registry = repository.enclosing(desk.root), desk.resolved.registry
    before = [entry for root in (desk.root, moved_from) if root and (entry := registry.at(root))]
    earlier = [root for entry in before for root in (*entry.earlier, entry.path) if root != desk.root]
    entry = Entry(
        project_id=desk.identity.id,
        path=desk.root,
        name=desk.identity.name,
        common=found.common if found else None,
        ledgers=tuple(head.ledger_id for head in desk.ledger.heads()),
        earlier=tuple(dict.fromkeys(earlier)),
    )
    same_repository.keep(desk.backup_folder, desk.root, desk.identity.name, ledgers=entry.ledgers)
    try:
        if registry.at(desk.root) != entry:
            registry.write(entry)
    except Trouble:
        return  # the home cannot be written: the project is then found from inside it only (SPEC 3.2)
