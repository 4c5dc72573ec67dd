"""The ledger going out and coming in: export, import, tracked segments, and erasing a payload (SPEC 2.2, 16.4).

What an import would do is found out first (`actions/import_plan.py`); then it is done in one commit, or not at all.
"""

from __future__ import annotations

import os
from contextlib import closing
from hashlib import sha256

from perdure.actions import (
    erasures,
    fork_records,
    give_back,
    healing,
    import_plan,
    lookup,
    note_moves,
    repeated_words,
    restoring,
    signing,
    wiring,
)
from perdure.actions.advice import as_typed
from perdure.actions.ledger_origin import begin_chain, ledger_path, other_keeper, register
from perdure.actions.record import Fact, cleaned, draft, record
from perdure.actions.view_healing import mend_views
from perdure.errors import BadInput, PerdureError, Refused
from perdure.gate.policy import POSTFLIGHT, YOUR_OWN
from perdure.model import payload as p
from perdure.model.event import Draft, Event, Ref
from perdure.model.ids import short
from perdure.model.jsonl import to_line
from perdure.model.ownership import UNERASABLE
from perdure.model.plural import counted
from perdure.model.repeated_texts import words_in
from perdure.model.value import replace, value
from perdure.place import project
from perdure.proof import signed_note
from perdure.proof.fsck import UNREADABLE
from perdure.views import head_files, signing_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.actions.import_plan import ImportPlan, Redaction
    from perdure.actions.repeated_words import Repetition
    from perdure.actions.wiring import Desk
    from perdure.model.json import Json

START_OVER = "docs/ledger-format.md says how to start over without it."


def export(desk: Desk, write: Callable[[str], object], progress: Callable[[int], None]) -> int:
    """Every event of every chain in the store, in their one order, a line each; then the last signed head of each."""
    heads = list(_head_lines(desk))  # before the events: what is signed meanwhile may be over more than is exported
    count = 0
    for event in desk.ledger.events():
        write(to_line(event))
        count += 1
        if count % 2000 == 0:
            progress(count)
    for line in heads:
        write(line)
    return count


def _head_lines(desk: Desk) -> Iterator[str]:
    for head in desk.ledger.heads():
        kept = signing.last_signed(desk, head.ledger_id)
        key = signed_note.signer(kept.signed, [k.key for k in signing_keys.known(desk.resolved.home)]) if kept else None
        if kept and key:
            yield head_files.to_line(kept, key)


def import_events(
    desk: Desk, lines: Iterable[bytes], progress: Callable[[int], None], *, plan: ImportPlan | None = None
) -> ImportPlan:
    """Does what was planned, all or nothing. `lines` can be read twice; they must say the same both times."""
    desk.refuse_agent("Only a person may take in another machine's record.")
    plan = plan or import_plan.plan_import(desk, lines, progress)
    if plan.forked_chains:
        _give_up_ends(desk, lines, plan)
        again = import_plan.plan_import(desk, lines, progress, accept_redactions=plan.accepted)
        done = import_events(desk, lines, progress, plan=again)
        return replace(plan, repeated_in=done.repeated_in)
    accepted = [_accepted(desk, each) for each in plan.redactions] if plan.accepted else []
    accepted += [erasures.redaction_draft(event, draft(desk, "payload.redacted", {})) for event in plan.left_out]
    if plan.own_seq is not None:  # what follows in our chain was written by nobody here: ours goes on beside it
        begin_chain(desk, "restored")
    taken = draft(desk, "ledger.merged", p.write(p.LedgerMerged(_merged(plan))))
    erased = [*plan.erases, *(each.target for each in plan.redactions if plan.accepted)]
    erased += [Ref(event.ledger_id, event.seq) for event in plan.left_out]
    words = [word for each in (*map(desk.ledger.event, erased), *plan.left_out) if each for word in words_in(each)]
    with erasures.underway(desk):
        erasures.announce(desk, erasures.to_erase_in_backup(desk, erased))
        desk.ledger.merge(_events(desk, lines, plan), taken, accepted)
        if erased:
            erasures.erase_copies(desk, erased)
            give_back.forget_given(desk.resolved.home)
        mend_views(desk)
    healing.put_heads_back(desk)  # another machine with the same keys may have signed some
    register(desk)
    fork_records.record_missing(desk)
    desk.wrote()
    return replace(plan, repeated_in=repeated_words.still_in(desk, words, "an import erased the same words"))


def _give_up_ends(desk: Desk, lines: Iterable[bytes], plan: ImportPlan) -> None:
    """What was taken in earlier, and a head disproves now, is set aside with the ledger that has it."""
    ends = {forked.ledger_id: forked.seq for forked in plan.forked_chains}
    comes = (event for event in _events(desk, lines, plan) if event.seq < ends.get(event.ledger_id, 0))
    aside = restoring.give_up_ends(desk, ends, {Ref(each.ledger_id, each.seq): each for each in comes})
    said = [
        f"{counted(forked.events, 'event')} of ledger {short(forked.ledger_id)} from event {forked.seq:,} on, which a "
        f"signed head disproves, set aside with {aside}"
        for forked in plan.forked_chains
    ]
    record(desk, [Fact("ledger.healed", p.LedgerHealed(tuple(said), ()))])


def _merged(plan: ImportPlan) -> tuple[dict[str, Json], ...]:
    return tuple({"ledger_id": str(c.ledger_id), "seq": c.seq, "hash": c.hash} for c in plan.chains)


def _events(desk: Desk, lines: Iterable[bytes], plan: ImportPlan) -> Iterator[Event]:
    digest = sha256()
    for where, line in import_plan.numbered(lines, digest.update):
        if not head_files.is_head_line(line):
            yield import_plan.event_in(line, where, desk.identity.id)
    if digest.digest() != plan.digest:
        message = "The file changed while it was read. Nothing was imported."
        raise Refused("changed_meanwhile", message, hint="Import it again.")


def _accepted(desk: Desk, redaction: Redaction) -> Draft:
    """A person here accepts another ledger's redaction: from now on it is our own too."""
    held = desk.ledger.event(redaction.target)
    because = f"redacted by ledger {short(redaction.by)}: {redaction.because}"
    if held and held.payload is not None:
        return _tombstone(desk, held, because)
    said = p.PayloadRedacted(
        ledger_id=redaction.target.ledger_id,
        seq=redaction.target.seq,
        event_id=redaction.event_id,
        because=because,
        prev_hash=redaction.prev_hash,
        hash=redaction.hash,
    )
    return draft(desk, "payload.redacted", cleaned(p.write(said)))


@value
class Erased:
    event_id: str
    kind: str
    seq: int
    kept_by: str | None
    """The project whose backup still has it: this one is a copy of that."""
    is_finished: bool = True
    """It is erased in the backup too, unless another project keeps that."""
    still_in: tuple[tuple[str, str], ...] = ()
    """Other folders of this home that still have the words, each with the id of the event there: those that have the
    same chain, and those to which a note was moved, or from which it came."""
    warning: str = ""
    """Why no head over the redaction was signed."""
    twin: Event | None = None
    """What was erased with it, because it has the same words."""
    repeated_in: tuple[Repetition, ...] = ()
    """Events of this ledger that still have words of it."""


def redact(desk: Desk, typed: str, because: str) -> Erased:
    """Erases a payload here and in the backup; the tombstone keeps its hashes, so chain and proofs stay whole."""
    desk.refuse_agent("Only a person may erase what was recorded.")
    if not because.strip():
        raise BadInput("no_reason", "A redaction needs a reason.", hint="--because 'held a customer's name'")
    event = lookup.event(desk.ledger, "event", typed, listed_by="perdure export")
    if event.kind in UNERASABLE:
        raise Refused(
            "not_erasable",
            f"A {event.kind} is never erased: without it nothing shows what belongs here, what was erased or signed.",
            hint=f"If it holds a secret, change that secret where it is used. {START_OVER}",
        )
    if event.absent == "redacted":
        raise Refused("already_redacted", f"The payload of {short(event.id)} is erased already.")
    _refuse_what_the_gate_needs(desk, event)
    twin = repeated_words.twin_of(desk, event)
    together = [*([twin] if twin else []), event]  # the twin first: if we die in between, `event` can be named again
    refs = [Ref(each.ledger_id, each.seq) for each in together]
    words = [word for each in together for word in words_in(each)]
    copies = note_moves.copies_elsewhere(desk, event)
    _refuse_reason_that_repeats(because, words)
    with erasures.underway(desk):
        erasures.announce(desk, erasures.to_erase_in_backup(desk, refs))
        for each, ref in zip(together, refs, strict=True):
            desk.ledger.erase(ref, _tombstone(desk, each, because))
        is_finished = erasures.erase_copies(desk, refs)
        give_back.forget_given(desk.resolved.home)
        mend_views(desk)
    keeper = other_keeper(desk.resolved, desk.root, event.ledger_id)
    return Erased(
        event_id=event.id,
        kind=event.kind,
        seq=event.seq,
        kept_by=keeper,
        is_finished=is_finished,
        still_in=(*((root, event.id) for root in _still_in(desk, refs[-1])), *copies),
        warning=_sign(desk) if is_finished else "",
        twin=twin,
        repeated_in=repeated_words.still_in(desk, words, because),
    )


def _refuse_reason_that_repeats(because: str, words: Sequence[str]) -> None:
    if any(word in because for word in words):
        raise BadInput(
            "reason_repeats",
            "The reason has words that are to be erased, and the reason itself is never erased. Nothing was erased.",
            hint="Say what it was, not what it said: --because 'held a customer's name'",
        )


def _sign(desk: Desk) -> str:
    """A head over the redaction, if this home signs heads of this project: then it shows if the redaction is lost.
    Returns why there is none; empty if all is well."""
    if not head_files.ledgers_in(signing.heads_folder(desk)) or not signing_keys.known(desk.resolved.home):
        return ""
    return signing.sign_or_warn(desk, "redact").warning


def _still_in(desk: Desk, ref: Ref) -> Iterator[str]:
    """The other folders of this home that have the event with its payload: copies and clones, which are records of
    their own."""
    known = (e.path for e in desk.resolved.registry.entries() if ref.ledger_id in e.ledgers and e.path != desk.root)
    for root in (path for path in known if project.is_project(path) and os.path.exists(ledger_path(path))):
        try:
            with closing(wiring.STORE.open_ledger(ledger_path(root), writable=False)) as ledger:
                event = ledger.event(ref)
        except (PerdureError, *UNREADABLE):
            continue  # nobody can tell; a heal there says what is wrong with it
        if event and event.payload is not None:
            yield root


def _refuse_what_the_gate_needs(desk: Desk, event: Event) -> None:
    """Without the events of an open transaction it is not known whose it is, and the gate would stay shut."""
    found = desk.ledger.document("transaction", event.transaction_id) if event.transaction_id else None
    if event.kind.startswith("transaction.") and found and found.live:
        postflight = as_typed(desk, f"{POSTFLIGHT} --transaction-id {short(found.id)}")
        raise Refused(
            "transaction_open",
            f"The transaction {short(found.id)} is open, and the gate needs this {event.kind}. Nothing was erased.",
            hint=f"Close it first: {postflight}; {YOUR_OWN}. Then redact again.",
            details={"transaction_id": found.id},
        )


def _tombstone(desk: Desk, event: Event, because: str) -> Draft:
    said = erasures.tombstone(event, because)
    tombstone = draft(desk, "payload.redacted", cleaned(p.write(said)))
    return replace(tombstone, task_id=event.task_id) if said.hash else tombstone  # a thought stays in its task's chain
