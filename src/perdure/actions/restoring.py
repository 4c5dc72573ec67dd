"""The ledger brought back: from what was set aside, its backup, a tracked export or git history (SPEC 16.3).

`proof/reconcile.py` decides which copy of a chain is the truth; here the copies and the proofs are gathered, and a new
file is made of what was decided. A restored ledger goes on in a new chain beside the old one: what the old one had
acknowledged last may be missing, and a chain must never be written twice from the same point (docs/adr/0005).

Only chains that this home began, or that one of those says it took in, are brought back. Where this home began none of
the chains in the project's backup, as on a new machine, the person copied that backup there: all of it is brought back
as far as it verifies, and what nothing here proves is said (docs/adr/0036). What is set aside is never deleted.
"""

from __future__ import annotations

import os
from contextlib import closing
from re import fullmatch
from shlex import quote

from perdure.actions import backup, erasures, project_ids, segments, wiring
from perdure.actions.home_knowledge import HomeKnowledge
from perdure.actions.ledger_origin import (
    began_chain_here,
    is_same_repository,
    is_shared,
    ledger_path,
    origin_of,
    other_keeper,
)
from perdure.actions.odd_files import compact_stamp, free_name
from perdure.actions.record import draft_for
from perdure.actions.store_statements import StoreStatements, chains_named_by_all
from perdure.errors import PerdureError, Refused, Trouble
from perdure.files import FolderLock, listing, remove, trouble, unfinished
from perdure.model import moment
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref, in_order
from perdure.model.ids import LedgerId, is_uuid, new_id
from perdure.model.ownership import UNERASABLE, chains_with_own_part, continued_by, erasure_in_force, own_chains
from perdure.model.plural import counted
from perdure.model.value import fields, replace, value
from perdure.place import git_index, git_moves, project, repository
from perdure.place.own_instance import is_agent
from perdure.proof import reconcile
from perdure.proof.canonical import canonical
from perdure.proof.chain import empty_head, event_hash, head_of, payload_hash
from perdure.proof.fsck import UNREADABLE
from perdure.proof.reconcile import Proofs
from perdure.views import backup_seals, event_files, own_ledgers, store_secrets
from perdure.views.key import existing_key, view_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.ledger.port import AuditedLedger, ReadableLedger
    from perdure.model.event import Head
    from perdure.model.ownership import Own
    from perdure.proof.fsck import NamedLedger

LEDGER, BACKUP, EXPORT = "ledger", "backup", "export"
CHOICES = (LEDGER, BACKUP, EXPORT)
"""The copies a person may keep where nothing proves which one is right. The export, in the work tree or in git's
history, only continues a chain where every other copy ends."""
ASK = "a person decides: perdure heal --keep ledger, or perdure heal --keep backup"
_TAKE_EXPORT = "if this home wrote them, a person takes them in: perdure heal --keep export"
_NO_END = 1 << 62
_FOREIGN = r"ledger\.db\.foreign-[0-9TZ-]+"
_FROM = {LEDGER: "what was set aside", BACKUP: "its backup"}
_OF_A_DRAFT = frozenset(fields(Draft))
_ERASED = "payload.redacted"
_EXPORT, _HISTORY = "the tracked export", "git history"


@value
class Restored:
    source: str
    events: int
    lost: tuple[str, ...]
    mended: tuple[str, ...] = ()
    """What else was done on the way."""


@value
class Decided:
    """What each chain is, after every copy was looked at."""

    chains: dict[LedgerId, list[Event]]
    sources: tuple[str, ...]
    lost: tuple[str, ...]
    own: Own
    """The chains that this place wrote to, each up to its last event that did."""
    disputed: tuple[str, ...]
    """One sentence for each chain whose copies differ where nothing proves which one is right."""
    unproved: frozenset[LedgerId] = frozenset()
    """Chains whose backup goes on, whole in itself, where nothing proves it any more."""
    cut: frozenset[LedgerId] = frozenset()
    """Chains whose backup goes on after what was decided, whatever it says there."""
    again: tuple[Event, ...] = ()
    """Events that are proved and stand after one that is lost: they are recorded again in the new chain."""
    is_signed_loss: bool = False
    """A signed head says that a chain was here of which nothing is left."""
    from_another_home: tuple[str, ...] = ()
    """One sentence for each chain of the backup that another home wrote and that is not proved to its end."""


# -- setting aside -------------------------------------------------------------------------------------------------


def set_aside(root: str, at: moment.Moment, why: str) -> str:
    """The ledger under another name."""
    path = ledger_path(root)
    aside = free_name(path, at, why)
    wiring.STORE.move(path, aside)
    return aside


def set_aside_ledgers(root: str) -> list[str]:
    """Newest first, without those that git brought or that are somebody else's."""
    folder, prefix = project.folder_of(root), os.path.basename(ledger_path(root)) + ".damaged-"
    names = [n for n in listing(folder) if n.startswith(prefix) and not n.endswith(wiring.STORE.LOGS)]
    tracked = repository.git(root, "ls-files", "-z", "--", project.FOLDER).split("\0") if names else []
    return [os.path.join(folder, n) for n in reversed(names) if f"{project.FOLDER}/{n}" not in tracked]


def stores_set_aside(root: str) -> list[str]:
    """Every store that was set aside here, for whatever reason."""
    folder, prefix = project.folder_of(root), os.path.basename(ledger_path(root)) + "."
    names = (n for n in listing(folder) if n.startswith(prefix) and not n.endswith(wiring.STORE.BESIDE))
    return [path for n in names if os.path.isfile(path := os.path.join(folder, n))]


def foreign_not_taken_in(root: str, ledger: ReadableLedger) -> list[str]:
    """Ledgers that were set aside because this home did not write them, newest first, without those that git brought.
    One whose events are all in this ledger is left out."""
    folder = project.folder_of(root)
    names = [name for name in reversed(listing(folder)) if fullmatch(_FOREIGN, name)]
    tracked = repository.git(root, "ls-files", "-z", "--", project.FOLDER).split("\0") if names else []
    own = {head.ledger_id: head.seq for head in ledger.heads()}
    paths = [os.path.join(folder, name) for name in names if f"{project.FOLDER}/{name}" not in tracked]
    return [path for path in paths if os.path.isfile(path) and not _has_all_of(own, path)]


def _has_all_of(own: Mapping[LedgerId, int], aside: str) -> bool:
    """`own`: the number of events in each of our chains. Of a file that cannot be read, it is not known."""
    store = _openable(aside)
    if store is None:
        return False
    with closing(store):
        try:
            return all(own.get(head.ledger_id, 0) >= head.seq for head in store.heads())
        except UNREADABLE:
            return False


def still_redacted_in(ledger: ReadableLedger, aside: str) -> str:
    """What a person should know of a ledger that was set aside: which redacted payloads it has. Empty if none."""
    erased = backup.erased_in(ledger)
    old = _openable(aside) if erased else None
    if not erased or old is None:
        return f"{aside} cannot be read, and may still have redacted payloads. {_remove(aside)}" if erased else ""
    with closing(old):
        refs = [Ref(ledger_id, seq) for ledger_id, seqs in erased.items() for seq in seqs]
        count = sum(1 for ref in refs if (held := _by_place(old, ref.ledger_id)(ref.seq)) and held.payload is not None)
    return f"{aside} still has {counted(count, 'redacted payload')}. {_remove(aside)}" if count else ""


def _remove(aside: str) -> str:
    return f"Once nothing else in it is needed, a person deletes it: rm {quote(aside)}*"


# -- bringing back -------------------------------------------------------------------------------------------------


def bring_ledger_back(
    resolved: ResolvedRequest, root: str, keep: str | None = None, *, is_hook: bool = False, is_chosen: bool = False
) -> Restored:
    """For a project whose ledger is not there: after `git clean`, in a fresh clone, at the very beginning, or because
    it was set aside. `is_chosen`: a person named the record that belongs here, so that every chain in its backup is
    restored. What another home wrote is never restored by a hook or an agent."""
    decided = decide(resolved, root, keep, live=None, is_chosen=is_chosen)
    if decided.from_another_home and (is_hook or is_agent(resolved.place, resolved.around, root)):
        raise _for_a_person(resolved, root, decided)
    if decided.chains:
        return rebuild(resolved, root, decided)
    make_ledger(resolved, root, [], opened=p.LedgerOpened("restored" if decided.is_signed_loss else "created"))
    known = resolved.registry.at(root) or set_aside_ledgers(root)
    nowhere = ["the ledger, and no backup, export or git history had anything of it that is proved"] if known else []
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    offered = [
        f"{_unproved(i, 0)}: a person may take it in: perdure import {quote(event_files.path_of(folder, i))}"
        for i in sorted(decided.unproved)
    ]
    kept = project_ids.not_brought_in(resolved, root)
    return Restored("nothing: it begins anew", 0, (*nowhere, *decided.lost, *offered, *kept))


def rebuild(resolved: ResolvedRequest, root: str, decided: Decided) -> Restored:
    heads = [head_of(events[-1]) for events in decided.chains.values()]
    continues = chains_with_own_part(heads, decided.own)
    found = sorted((event for chain in decided.chains.values() for event in chain), key=in_order)
    redacted = _redacted_of(found, resolved, root)
    erased = redacted.keys() | _erased_in(found, decided.own)
    events = [_erased(event) if _ref(event) in erased else event for event in found]
    unsaid = {_ref(event): event for event in unexplained(events, decided.own)}
    gone = [event for ref, event in unsaid.items() if ref not in redacted]
    said_again = [event for ref, event in redacted.items() if ref in unsaid]
    aside = make_ledger(
        resolved,
        root,
        events,
        opened=p.LedgerOpened("restored", continues),
        gone=gone,
        said_again=said_again,
        again=decided.again,
        cut=decided.cut,
    )
    left_out = [
        f"{_unproved(i, len(decided.chains.get(i, ())))}: it is left out, and {ASK}" for i in sorted(decided.unproved)
    ]
    with closing(wiring.STORE.open_audited(ledger_path(root))) as ledger:
        mended = [written_again(i, path, ledger) for i, path in aside.items()]
    mended += map(_left_out, said_again)
    mended += decided.from_another_home
    lost = (*decided.lost, *left_out, *map(lost_payload, gone))
    return Restored(" and ".join(decided.sources), len(events), lost, mended=tuple(mended))


def written_again(ledger_id: LedgerId, aside: str, ledger: ReadableLedger) -> str:
    """What to say of a backup that was set aside. What the ledger says was redacted is erased there if this home did
    it; else somebody may have forged the redaction, and a person decides. What was lost was not redacted: the file has
    what is left of it."""
    what = f"backup of ledger {ledger_id[:8]} written again; the old one is {aside}"
    lost = erasures.lost_in(ledger).get(ledger_id, set())
    if event_files.has_payloads(aside, lost):
        what += f", which has what is left of the payload of event {', '.join(map(str, sorted(lost)))}"
    if event_files.has_payloads(aside, backup.erased_in(ledger).get(ledger_id, set()) - lost):
        what += (
            ", which still has payloads that the ledger says were redacted, and nothing shows that this home did it: "
            "if it was meant, delete that file"
        )
    return what


def give_up_ends(desk: Desk, ends: dict[LedgerId, int], instead: dict[Ref, Event]) -> str:
    """Makes the ledger again without the events of these chains from these positions on; it goes on in a new chain. The
    ledger with all of them is set aside, and its path returned. `instead`: events of these chains as an import has
    them; an end that is given up may have erased their payloads."""
    resolved, root, own = desk.resolved, desk.root, desk.ledger.own()
    kept = [event for event in desk.ledger.events() if event.seq < ends.get(event.ledger_id, _NO_END)]
    events = [instead.get(Ref(e.ledger_id, e.seq), e) if e.ledger_id in ends and e.payload is None else e for e in kept]
    heads = {event.ledger_id: head_of(event) for event in events}
    last = {head.ledger_id: head.seq for head in desk.ledger.heads() if head.ledger_id in ends}
    continues = (
        {**each, "given_up": last[head.ledger_id]} if head.ledger_id in ends else each
        for head, each in zip(heads.values(), chains_with_own_part(heads.values(), own), strict=True)
    )
    opened = p.LedgerOpened("restored", tuple(continues))
    desk.ledger.close()
    with FolderLock(project.folder_of(root)):
        aside = set_aside(root, resolved.request.now(), "replaced")
        make_ledger(resolved, root, events, opened=opened, gone=unexplained(events, own), cut=ends)
    desk.ledger = wiring.STORE.open_ledger(ledger_path(root))
    desk.began_chain()
    back = {ref for ref in instead if (held := desk.ledger.event(ref)) and held.payload is not None}
    erasures.withdraw(desk, back | erasures.noted_from(desk, ends))
    return aside


def _for_a_person(resolved: ResolvedRequest, root: str, decided: Decided) -> Refused:
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    number = counted(sum(map(len, decided.chains.values())), "event")
    return Refused(
        "unproved_backup",
        f"{folder} has a record of this project with {number}. Another home wrote it, and nothing here proves all of "
        "it. Nothing was restored, and no empty record was begun.",
        hint=f"A person restores it, in a terminal of their own: perdure init {quote(root)} (to begin without it: they "
        "move that folder away first).",
        details={"path": folder},
    )


def _unproved(ledger_id: LedgerId, end: int) -> str:
    return f"what the backup of ledger {ledger_id[:8]} says after event {end}, which nothing proves"


def unexplained(events: Iterable[Event], own: Own) -> list[Event]:
    """Those whose payload is gone, though it was not withheld and no redaction in force says why."""
    gone: dict[Ref, Event] = {}
    explained = set()
    for event in events:
        withheld = event.absent == "withheld" and event.kind in event_files.WITHHELD_KINDS
        if event.payload is None and not withheld:
            gone[Ref(event.ledger_id, event.seq)] = event
        explained.add(erasure_in_force(event, own))
    return [event for ref, event in gone.items() if ref not in explained]


def admitted_loss(event: Event) -> p.PayloadRedacted:
    """From now on the ledger itself says that the payload is gone."""
    return erasures.tombstone(event, erasures.LOST)


def _left_out(event: Event) -> str:
    return (
        f"redacted payload of event {event.seq} of ledger {event.ledger_id[:8]} left out: this home had redacted it. "
        "The redaction was lost and is recorded again"
    )


def _redacted_of(events: Iterable[Event], resolved: ResolvedRequest, root: str) -> dict[Ref, Event]:
    """Those that this home redacted, as their copies have them. In a copy or a clone, what the project that the chain
    belongs to has redacted says only why a payload is gone: what is still here stays."""
    every: dict[LedgerId, set[int]] = {}
    in_folder: dict[LedgerId, set[int]] = {}
    found = {}
    for event in (event for event in events if event.kind not in UNERASABLE):
        chain = event.ledger_id
        if chain not in every:
            every[chain] = erasures.redacted_here(resolved.home, root, chain)
            is_anothers = other_keeper(resolved, root, chain) is not None
            in_folder[chain] = erasures.redacted_in_project(resolved, root, chain) if is_anothers else every[chain]
        if event.seq in (every if event.payload is None else in_folder)[chain]:
            found[_ref(event)] = event
    return found


def _erased_in(events: Sequence[Event], own: Own) -> set[Ref]:
    """What their own redactions erase. Such a payload must not get into the new file at all: a store moves what is
    written between pages, and leaves the words where they were."""
    refs = {erasure_in_force(event, own) for event in events}
    return {_ref(event) for event in events if event.kind not in UNERASABLE and _ref(event) in refs}


def _ref(event: Event) -> Ref:
    return Ref(event.ledger_id, event.seq)


def _erased(event: Event) -> Event:
    return replace(event, payload=None, absent="redacted")


def lost_payload(event: Event) -> str:
    return f"the payload of event {event.seq} of ledger {event.ledger_id[:8]} ({event.kind})"


def make_ledger(
    resolved: ResolvedRequest,
    root: str,
    events: list[Event],
    *,
    opened: p.LedgerOpened,
    gone: Iterable[Event] = (),
    said_again: Iterable[Event] = (),
    again: Iterable[Event] = (),
    cut: Container[LedgerId] = (),
) -> dict[LedgerId, str]:
    """Appears with everything in it, or not at all; where somebody else was first, theirs is the one. `gone`: those
    whose payload no copy has; `said_again`: those that were redacted, where the redaction was lost and is recorded
    again; `again`: those that are recorded once more. Answers with the backups that were set aside
    since they say something else: those that go on after what was decided (`cut`) among them."""
    who = project.identity(root)
    path, folder = ledger_path(root), project.folder_of(root)
    beside = unfinished(path)
    draft = draft_for(resolved, who, "ledger.opened", payload=p.write(opened))
    ledger_id = LedgerId(new_id())
    try:
        own_ledgers.claim(resolved.home, folder, ledger_id)
        ledger = wiring.STORE.create(beside, ledger_id, origin_of(root, resolved.home))
        try:
            admitted = [draft_for(resolved, who, _ERASED, payload=p.write(admitted_loss(event))) for event in gone]
            admitted += [
                erasures.redaction_draft(event, draft_for(resolved, who, _ERASED, payload={})) for event in said_again
            ]
            ledger.merge(events, draft, [*admitted, *map(_once_more, again)])
            secret = ledger.keep_secret(store_secrets.new_secret(), "")
        finally:
            ledger.close()
        with FolderLock(folder):
            if os.path.lexists(path):
                return {}
            _put_away_stray_log(path, resolved.request.now())
            store_secrets.expect(resolved.home, folder, secret)
            os.link(beside, path)
            tracked, looked = git_index.replaceable(root), git_moves.position(root)
            store_secrets.settle(resolved.home, folder, secret, tracked=tracked, looked=looked)
    except FileExistsError:
        return {}
    except OSError as error:
        raise trouble(error, path) from error
    finally:
        for ending in ("", *wiring.STORE.BESIDE):
            remove(beside + ending)
    aside = _set_unlike_backups_aside(resolved, root, cut)
    ledger = wiring.STORE.open_ledger(path)
    try:
        backup.bring_up(ledger, backup.folder_for(resolved.home, who.id), view_key(resolved.home, folder))
    finally:
        ledger.close()
    return aside


def _once_more(event: Event) -> Draft:
    said = {name: content for name, content in event.__dict__.items() if name in _OF_A_DRAFT}
    make: Any = Draft
    draft: Draft = make(**said)
    return draft


def _set_unlike_backups_aside(resolved: ResolvedRequest, root: str, cut: Container[LedgerId]) -> dict[LedgerId, str]:
    """Backups that do not say what was decided would be an alarm for good; a new one is begun beside them."""
    folder = backup.folder_for(resolved.home, project.identity(root).id)
    suffix = f".damaged-{compact_stamp(resolved.request.now())}"
    key = existing_key(resolved.home, project.folder_of(root))
    aside = {}
    with closing(wiring.STORE.open_audited(ledger_path(root))) as ledger:
        try:
            erasures.finish(resolved, root, ledger)
            for head in ledger.heads():
                is_wrong = head.ledger_id in cut or not backup.agrees(
                    ledger, folder, head, is_shared=is_shared(resolved, root, head.ledger_id)
                )
                if is_wrong and not other_keeper(resolved, root, head.ledger_id):
                    aside[head.ledger_id] = backup.set_aside(folder, head, suffix, key=key)
        except Trouble:
            return aside  # the home cannot be written; the audit says what stands there
    return aside


def _put_away_stray_log(path: str, at: moment.Moment) -> None:
    """The log of a ledger that is gone would be taken for that of the new one and overwrite it."""
    for ending in wiring.STORE.LOGS:
        if os.path.exists(path + ending) and not os.path.exists(path):
            os.replace(path + ending, f"{path}.stray-{compact_stamp(at)}{ending}")


# -- deciding ------------------------------------------------------------------------------------------------------


def decide(
    resolved: ResolvedRequest,
    root: str,
    keep: str | None,
    *,
    live: AuditedLedger | None,
    is_chosen: bool = False,
    in_doubt: bool = False,
) -> Decided:
    """Looks at every copy of every chain of this project. `live` is the ledger in its place, where it can be opened; if
    it is `in_doubt`, it counts only as far as it is proved. A person's `keep` counts only where nothing proves which
    copy is right. `is_chosen`: a person named the record that belongs here."""
    paths = set_aside_ledgers(root)
    asides = [ledger for path in paths if (ledger := _openable(path))]
    try:
        return _Deciding(
            resolved,
            root,
            keep,
            ledgers=[*([live] if live else []), *asides],
            is_live=live is not None,
            is_chosen=is_chosen,
            in_doubt=in_doubt,
        ).decided()
    finally:
        for ledger in asides:
            ledger.close()


def _openable(path: str) -> AuditedLedger | None:
    try:
        return wiring.STORE.open_audited(path)
    except PerdureError:
        return None


class _Deciding:
    def __init__(
        self,
        resolved: ResolvedRequest,
        root: str,
        keep: str | None,
        *,
        ledgers: list[AuditedLedger],
        is_live: bool,
        is_chosen: bool,
        in_doubt: bool,
    ) -> None:
        self._scene = resolved
        self._root = root
        self._keep = keep
        self._ledgers = ledgers
        self._is_live = is_live
        self._is_chosen = is_chosen
        self._in_doubt = in_doubt
        """Somebody else may have written the ledger that is in its place."""
        self._backup = backup.folder_for(resolved.home, project.identity(root).id)
        self._exported = os.path.join(project.folder_of(root), segments.FOLDER)
        self._key = existing_key(resolved.home, project.folder_of(root))
        self._heads = HomeKnowledge(resolved, root, self._statements()).heads
        self._claims = list(self._heads.claims(_Everything()))
        self._sources: dict[str, None] = {}
        self._lost: list[str] = []
        self._disputed: list[str] = []
        self._again: list[Event] = []
        self._after_gap: list[Event] = []
        """Events of our own chains that are proved and stand after one that is lost."""
        self._unproved: set[LedgerId] = set()
        self._cut: set[LedgerId] = set()
        self._proved_of_others: dict[LedgerId, int] = {}
        """For each chain that another home wrote: how many of its events are proved here."""

    def _statements(self) -> StoreStatements | None:
        try:
            return StoreStatements(self._ledgers[0], self._scene, self._root) if self._ledgers else None
        except UNREADABLE:
            return None

    def decided(self) -> Decided:
        """The chains this home began first: what they say of others proves those."""
        candidates = self._candidates()
        own = {i: self._chain(i, {}, _NO_END) for i in candidates if self._is_ours(i)}
        said = self._said_by(own)
        candidates = sorted({*candidates, *(i for i in event_files.ledgers_in(self._backup) if i in said)})
        others = self._taken_in([i for i in candidates if i not in own], said)
        others |= self._written_by_another_home({*own, *others})
        chains = {i: events for i, events in (own | others).items() if events}
        gone = {claim.ledger_id for claim in self._claims if claim.binds and claim.ledger_id not in chains}
        self._lost += [self._say_gone(ledger_id) for ledger_id in sorted(gone) if ledger_id not in (own | others)]
        self._lost += self._not_taken(candidates, chains)
        self._lost += self._left_in_backup({*chains, *said})
        self._lost += [_lost_chain(words) for ledger_id, words in said.items() if ledger_id not in chains]
        return Decided(
            chains=chains,
            sources=tuple(self._sources),
            lost=tuple(self._lost),
            own=self._written_here(chains),
            disputed=tuple(self._disputed),
            unproved=frozenset(self._unproved),
            cut=frozenset(self._cut),
            again=tuple(sorted(self._again, key=in_order)),
            is_signed_loss=bool(gone),
            from_another_home=tuple(self._say_unproved(chains)),
        )

    def _said_by(self, own: dict[LedgerId, list[Event]]) -> dict[LedgerId, list[NamedLedger]]:
        """What our own chains say of the chains they took in or go on from, but for what a person acknowledged."""
        events = [event for chain in (*own.values(), self._after_gap) for event in chain]
        said: dict[LedgerId, list[NamedLedger]] = {}
        for word in chains_named_by_all(sorted(events, key=in_order)):
            if word.digest not in self._heads.accepted:
                said.setdefault(word.ledger_id, []).append(word)
        return said

    def _taken_in(
        self, candidates: Iterable[LedgerId], said: dict[LedgerId, list[NamedLedger]]
    ) -> dict[LedgerId, list[Event]]:
        """The chains that one of our own says it took in, as far as it says so."""
        found = {}
        for ledger_id in (each for each in candidates if each in said):
            words = said[ledger_id]
            named = {word.seq: word.hash for word in words if word.hash}
            found[ledger_id] = self._chain(ledger_id, named, max(word.seq for word in words))
        return found

    def _written_by_another_home(self, decided: Container[LedgerId]) -> dict[LedgerId, list[Event]]:
        """The other chains of the backup, where this home began none of them or a person named this record. If keys of
        this home prove some of them, only those: else whoever can write the home, and does not have its keys, could
        add a chain to a record that the home knows."""
        kept = [] if self._is_live else self._in_backup()
        if any(map(self._is_ours, kept)) and not self._is_chosen:
            return {}
        found = {i: self._chain(i, {}, _NO_END) for i in kept if i not in decided}
        proved = {i: reconcile.standing(events, i, self._proofs(i, {})).proved for i, events in found.items()}
        if any(map(self._is_proved_by_home, found)) and not self._is_chosen:
            proved = {i: count for i, count in proved.items() if count}
        self._proved_of_others = proved
        return {i: found[i] for i in proved}

    def _is_proved_by_home(self, ledger_id: LedgerId) -> bool:
        """Whether a key of this home signed or sealed anything of the chain, whatever its copies say."""
        proofs = self._proofs(ledger_id, {})
        return bool(proofs.heads or proofs.hashes)

    def _say_unproved(self, chains: dict[LedgerId, list[Event]]) -> Iterator[str]:
        """What is not proved of the chains that another home wrote."""
        for ledger_id, proved in self._proved_of_others.items():
            events = chains.get(ledger_id, [])
            if proved < len(events):
                after = f" after event {proved}" if proved else ""
                yield (
                    f"{counted(len(events), 'event')} of ledger {ledger_id[:8]} are restored from a backup that "
                    f"another home wrote: the chain is whole, but nothing here proves who wrote it{after}"
                )

    def _written_here(self, chains: dict[LedgerId, list[Event]]) -> Own:
        """Its last chain is known to the registry, or is the one that a ledger which was set aside wrote to. Of chains
        that another home wrote, it is the one that was written to last; a proved one comes first."""
        entry = self._scene.registry.at(self._root)
        wrote = [*(entry.ledgers[:1] if entry else ()), *(h[0].ledger_id for h in map(_heads_of, self._ledgers) if h)]
        wrote += filter(self._was_written_here, chains) if self._keep in (BACKUP, EXPORT) else ()
        last = [each for each in wrote if each in chains and self._is_ours(each)]
        last = last or self._last_of_this_home(chains) or self._last_of_another_home(chains)
        merges = [event for chain in chains.values() for event in chain if event.kind == "ledger.merged"]
        own: dict[LedgerId, int] = {}
        for each in reversed(last):
            own |= own_chains(each, lambda i: next(iter(chains.get(i, ())), None), merges)
        return own

    def _last_of_this_home(self, chains: dict[LedgerId, list[Event]]) -> list[LedgerId]:
        """The chains that this home began, without those that another of them continues: that one says how far they
        were written here."""
        ours = [each for each in chains if self._is_ours(each)]
        continued = {before for each in ours for before, _ in continued_by(chains[each][0])}
        return [each for each in ours if each not in continued]

    def _last_of_another_home(self, chains: dict[LedgerId, list[Event]]) -> list[LedgerId]:
        proved = self._proved_of_others
        found = [each for each in chains if each in proved]
        return sorted(found, key=lambda each: (not proved[each], -chains[each][-1].clock))[:1]

    def _candidates(self) -> list[LedgerId]:
        """Chains of this root: those the ledgers have, those in the backup, those the export has."""
        found = {head.ledger_id for ledger in self._ledgers for head in _heads_of(ledger)}
        return sorted({*found, *self._in_backup(), *_exported(self._exported), *self._in_history()})

    def _in_backup(self) -> list[LedgerId]:
        """The chains in the backup that belong to this root; those of another clone that is still there are its own.
        Those of another repository that had this path, or has this id, are nobody's here."""
        kept, registry = event_files.ledgers_in(self._backup), self._scene.registry
        who = project.identity(self._root)
        if kept and not self._is_live and not is_same_repository(self._scene, self._root, who.id):
            return []
        entry = registry.at(self._root)
        if entry:
            return [ledger_id for ledger_id in kept if ledger_id in entry.ledgers or self._was_written_here(ledger_id)]
        entries = registry.known_as(who.id)
        others = {i for e in entries if project.is_project(e.path) for i in e.ledgers}
        return [ledger_id for ledger_id in kept if ledger_id not in others]

    def _in_history(self) -> list[LedgerId]:
        """Git is asked only where nothing else has anything, or where a person keeps the export."""
        self._history: dict[LedgerId, list[Event]] = {}
        has_others = self._ledgers or self._in_backup() or _exported(self._exported)
        if not has_others or self._keep == EXPORT:
            self._history = _from_history(self._root)
        return list(self._history)

    def _was_written_here(self, ledger_id: LedgerId) -> bool:
        """By this home in this folder, also where a new ledger was begun since."""
        here = own_ledgers.name_of(project.folder_of(self._root))
        return here in own_ledgers.folders(self._scene.home, ledger_id) and not other_keeper(
            self._scene, self._root, ledger_id
        )

    def _is_ours(self, ledger_id: LedgerId) -> bool:
        return began_chain_here(self._scene, ledger_id)

    def _chain(self, ledger_id: LedgerId, named: dict[int, str], most: int) -> list[Event]:
        proofs = self._proofs(ledger_id, named)
        kept = reconcile.linked(_from_backup(self._backup, ledger_id), ledger_id, proofs)
        copies = list(self._copies(ledger_id, proofs, most, kept=kept))
        joined = reconcile.join(ledger_id, copies, self._keep, proofs=proofs)
        self._sources.update(dict.fromkeys(_FROM.get(name, name) for name in joined.sources))
        after = self._following(ledger_id, joined, reconcile.past_gap(kept, ledger_id, proofs))
        redacted = erasures.redacted_here(self._scene.home, self._root, ledger_id) if after else ()
        kept_after = (event for event in after if event.seq not in redacted)
        again = [event for event in kept_after if event.payload is not None and event.kind not in UNERASABLE]
        self._after_gap += after
        self._again += again
        last = event_files.last(self._backup, ledger_id)
        backed_up = last.seq if last else 0
        had = most
        if most == _NO_END:  # no chain of ours says how far it went; a seal may also name an end that was given up
            had = max(self._sealed(ledger_id), 0 if self._is_ours(ledger_id) else backed_up)
        self._say_lost(ledger_id, joined, had, again=len(again))
        self._say_disputed(ledger_id, joined)
        if backed_up > len(joined.events):
            (self._unproved if BACKUP in joined.disputed else self._cut).add(ledger_id)
        return joined.events

    def _sealed(self, ledger_id: LedgerId) -> int:
        """The last event that the seal of the backup names, unless a person acknowledged that it is lost."""
        seal = backup_seals.read(self._backup, ledger_id, self._key)
        is_missed = seal and backup_seals.digest_of(ledger_id, seal) not in self._heads.accepted
        return seal.seq if seal and is_missed else 0

    def _proofs(self, ledger_id: LedgerId, named: dict[int, str]) -> Proofs:
        heads = sorted((c for c in self._claims if c.ledger_id == ledger_id), key=lambda c: c.size)
        seal = backup_seals.read(self._backup, ledger_id, self._key)
        return Proofs(heads, {**named, **({seal.seq: seal.hash} if seal else {})})

    def _copies(self, ledger_id: LedgerId, proofs: Proofs, most: int, *, kept: list[Event]) -> Iterator[reconcile.Copy]:
        """A ledger that is in its place and whole is not continued by what nothing proves. Nor is the backup of a chain
        that this home began believed further than a head or a seal proves it: this home seals what it backs up."""
        is_whole = self._is_live and self._goes_to_its_end(ledger_id)
        is_trusted = not is_whole and not own_ledgers.was_begun(self._scene.home, ledger_id)
        for place, ledger in enumerate(self._ledgers):
            read = _by_place(ledger, ledger_id)
            found = reconcile.standing(_events_of(ledger, ledger_id), ledger_id, proofs)
            is_live = self._is_live and place == 0  # what was set aside before may have been put there by anybody
            trusted = (is_live and not self._in_doubt) or self._keep == LEDGER
            yield reconcile.believed(LEDGER, read, found, trusted=trusted, most=most)
        yield reconcile.believed(
            BACKUP,
            _Run(kept).at,
            reconcile.standing(kept, ledger_id, proofs),
            trusted=is_trusted or self._keep == BACKUP,
            most=most,
            is_choice=True,
            beyond=reconcile.past_gap(kept, ledger_id, proofs),
        )
        exported = event_files.segments_in(self._exported, ledger_id)
        tracked = [event for _, _, path in exported for event in _segment(path)]
        for name, events in ((_EXPORT, tracked), (_HISTORY, self._history.get(ledger_id, []))):
            found = reconcile.standing(events, ledger_id, proofs)
            trusted = self._keep == EXPORT and self._is_ours(ledger_id)
            yield reconcile.believed(name, _Run(events).at, found, trusted=trusted, most=most)

    def _goes_to_its_end(self, ledger_id: LedgerId) -> bool:
        head = next((head for head in _heads_of(self._ledgers[0]) if head.ledger_id == ledger_id), None)
        return head is not None and head.seq == _length(_events_of(self._ledgers[0], ledger_id), ledger_id)

    def _say_lost(self, ledger_id: LedgerId, joined: reconcile.Joined, sealed: int, *, again: int) -> None:
        had = [_reach(ledger, ledger_id) for ledger in self._ledgers]
        signed = [claim.size for claim in self._claims if claim.ledger_id == ledger_id and claim.binds]
        reach, end = max([*had, *signed, sealed]), len(joined.events)
        if reach > end and again:
            self._lost.append(
                f"{counted(reach - end - again, 'event')} of ledger {ledger_id[:8]} after event {end}; of those that "
                f"followed, {again:,} are proved, and recorded again in the new chain"
            )
        elif reach > end:
            number = counted(reach - end, "event")
            self._lost.append(f"{number} of ledger {ledger_id[:8]}: none after event {end} can be read and proved")
        elif joined.sources and {*joined.sources} <= {_EXPORT, _HISTORY}:
            # What git keeps is written at POSTFLIGHT and session end, and without prompts (SPEC 16.4).
            what = f"whatever ledger {ledger_id[:8]} had after event {end}, and the person's prompts"
            more = _length(self._history.get(ledger_id, ()), ledger_id) - end
            if more > 0:
                what += (
                    f"; git history has {counted(more, 'event')} of that, which no signed head proves: {_TAKE_EXPORT}"
                )
            self._lost.append(what)

    def _say_gone(self, ledger_id: LedgerId) -> str:
        signed = max(claim.size for claim in self._claims if claim.ledger_id == ledger_id)
        return f"{counted(signed, 'event')} of ledger {ledger_id[:8]}: a signed head covers them, and no copy is left"

    def _following(
        self, ledger_id: LedgerId, joined: reconcile.Joined, beyond: reconcile.PastGap | None
    ) -> list[Event]:
        """A chain ends where an event is missing, since nobody can link to what is lost. What is proved to have come
        after it is recorded again in the chain that the restored ledger goes on in. What is about the old chain is not,
        but what it says of other chains counts."""
        return [e for e in beyond.after if e.seq > len(joined.events)] if beyond and self._is_ours(ledger_id) else []

    def _say_disputed(self, ledger_id: LedgerId, joined: reconcile.Joined) -> None:
        if joined.disputed:
            copies = " or ".join("the ledger" if name == LEDGER else _FROM.get(name, name) for name in joined.disputed)
            what = (
                f"nothing proves whether {copies} is right about what stands in ledger {ledger_id[:8]} after event "
                f"{len(joined.events)}"
            )
            self._disputed.append(what)

    def _not_taken(self, candidates: Iterable[LedgerId], chains: dict[LedgerId, list[Event]]) -> Iterator[str]:
        """What the export has of a chain of ours after its end here, and of chains that are not here."""
        for ledger_id in (each for each in candidates if each in _exported(self._exported)):
            end, is_ours = len(chains.get(ledger_id, ())), self._is_ours(ledger_id)
            if end and not is_ours:
                continue
            events, total = segments.verified_part(self._exported, ledger_id)
            if not end:
                yield self._offered(ledger_id, events, total, is_ours=is_ours)
            elif len(events) > end:
                more, where = counted(len(events) - end, "event"), os.path.join(self._exported, ledger_id)
                yield (
                    f"{more} of ledger {ledger_id[:8]} after event {end}, which no signed head proves: left out, and "
                    f"still in {where}; {_TAKE_EXPORT}"
                )

    def _left_in_backup(self, named: Container[LedgerId]) -> Iterator[str]:
        """Chains that this store had, as the registry says, and that no event of ours names any more."""
        for ledger_id in self._in_backup():
            if ledger_id not in named and not self._is_ours(ledger_id):
                events = counted(_length(_from_backup(self._backup, ledger_id), ledger_id), "event")
                yield (
                    f"ledger {ledger_id[:8]} with {events}: the event that imported it is lost, and its backup is not; "
                    f"a person takes it in again: perdure import {quote(event_files.path_of(self._backup, ledger_id))}"
                )

    def _offered(self, ledger_id: LedgerId, events: list[Event], total: int, *, is_ours: bool) -> str:
        why = "no signed head proves all of it" if is_ours else "this home did not write it"
        what = f"ledger {ledger_id[:8]} of {self._exported}: {why}"
        if not events:
            return f"{what}, and its first event does not verify: nothing of it can be taken in"
        path = os.path.join(self._exported, ledger_id)
        if len(events) < total:
            path = segments.keep_verified(self._exported, ledger_id, events)
            what += (
                f". Of its {counted(total, 'event')} the first {len(events):,} verify; the others were changed or cut, "
                "and are lost"
            )
        return f"{what}; a person takes it in: perdure import {quote(path)}"


def _lost_chain(words: list[NamedLedger]) -> str:
    last = max(words, key=lambda word: word.seq)
    return (
        f"ledger {last.ledger_id} with {counted(last.seq, 'event')}: {last.where} names it, and no copy here has it. "
        "perdure import takes it in again from an export of it; if it is lost for good, a person accepts that: perdure "
        "audit acknowledge --because …"
    )


class _Everything:
    def __contains__(self, _: object) -> bool:
        return True


def _heads_of(ledger: AuditedLedger) -> list[Head]:
    try:
        return [head for head in ledger.heads() if is_uuid(head.ledger_id)]
    except UNREADABLE:
        return []


def _events_of(ledger: AuditedLedger, ledger_id: LedgerId) -> Iterator[Event]:
    """As far as they can be read."""
    try:
        yield from map(_salvaged, ledger.events(ledger_id))
    except UNREADABLE:
        return


def _reach(ledger: AuditedLedger, ledger_id: LedgerId) -> int:
    """How many events the chain had, as its last row says if it is an event that belongs there; else the last one that
    is."""
    end = next((head.seq for head in _heads_of(ledger) if head.ledger_id == ledger_id), 0)
    last = _by_place(ledger, ledger_id)(end) if end else None
    if last and _is_as_hashed(last):
        return end
    return max((event.seq for event in _events_of(ledger, ledger_id) if _is_as_hashed(event)), default=0)


def _is_as_hashed(event: Event) -> bool:
    try:
        return event_hash(event) == event.hash
    except (TypeError, ValueError, AttributeError):  # read from a damaged row
        return False


def _by_place(ledger: AuditedLedger, ledger_id: LedgerId) -> Callable[[int], Event | None]:
    def at(seq: int) -> Event | None:
        try:
            event = ledger.event(Ref(ledger_id, seq))
        except UNREADABLE:
            return None
        return _salvaged(event) if event else None

    return at


def _salvaged(event: Event) -> Event:
    """A payload that is not what was hashed is dropped, and the event with its hashes goes on: another copy may have
    the payload. Whether one was redacted is not the row's to say: where it was, the redaction erases it again."""
    try:
        is_whole = event.payload is None or payload_hash(canonical(event.payload)) == event.payload_hash
    except (TypeError, ValueError, RecursionError):
        is_whole = False
    if is_whole and event.payload is not None:
        return event if event.absent is None else replace(event, absent=None)
    may_be_withheld = event.kind in event_files.WITHHELD_KINDS
    is_withheld = may_be_withheld and event.payload is None and event.absent == "withheld"
    return replace(event, payload=None, absent="withheld" if is_withheld else "redacted")


def _length(events: Iterable[Event], ledger_id: LedgerId) -> int:
    head = empty_head(ledger_id)
    for event in events:
        if not reconcile.follows(head, event):
            break
        head = head_of(event)
    return head.seq


class _Run:
    """Events in order, asked for one seq after another."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = iter(events)
        self._next = next(self._events, None)

    def at(self, seq: int) -> Event | None:
        while self._next and self._next.seq < seq:
            self._next = next(self._events, None)
        return self._next if self._next and self._next.seq == seq else None


def _from_backup(folder: str, ledger_id: LedgerId) -> Iterator[Event]:
    if ledger_id in event_files.ledgers_in(folder):
        yield from map(_salvaged, event_files.readable(folder, ledger_id))


def _exported(folder: str) -> list[LedgerId]:
    return [LedgerId(name) for name in listing(folder) if is_uuid(name)]


def _segment(path: str) -> Iterator[Event]:
    with open(path, "rb") as file:
        yield from event_files.lines_as_far_as_they_go(file)


def _from_history(root: str) -> dict[LedgerId, list[Event]]:
    """The last commit that still had tracked segments."""
    where = f"{project.FOLDER}/{segments.FOLDER}/"
    for commit in repository.git(root, "rev-list", "-n", "50", "--all", "--", where).split():
        names = repository.git(root, "ls-tree", "-r", "--name-only", commit, "--", where).splitlines()
        chains: dict[LedgerId, list[bytes]] = {}
        for name in sorted(names):
            ledger_id = LedgerId(name.split("/")[-2])
            chains.setdefault(ledger_id, []).extend(
                line.encode() for line in repository.git(root, "show", f"{commit}:{name}").splitlines(keepends=True)
            )
        if chains:
            return {i: list(event_files.lines_as_far_as_they_go(lines)) for i, lines in chains.items() if is_uuid(i)}
    return {}
