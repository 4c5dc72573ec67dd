"""export, import, redact (SPEC 2.2, 16.4)."""

from __future__ import annotations

import os
import sys
from shlex import quote

from perdure.actions import forks, import_plan, import_sources, segments, transfer
from perdure.actions.repeated_words import MOST_NAMED, Repetition
from perdure.actions.wiring import open_desk, tell_where
from perdure.errors import Refused
from perdure.files import NewFile, trouble
from perdure.model import payload as p
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.cli.questions import ask, is_somebody_there
from perdure.surfaces.output import Progress, harmless, harmless_json, one_line, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from perdure.actions.import_plan import ChainPlan, ImportPlan
    from perdure.actions.transfer import Erased
    from perdure.model.event import Event, Ref
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

_NAMED = 10
"""How many redactions the summary names; `--json` has them all."""


def _export_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="-", help="the file to write (default: standard output)")
    parser.add_argument("--tracked", action="store_true", help="write a file for git to track instead, without prompts")
    common(parser)


def _import_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="an export, a folder of segments, or a ledger.db; - for standard input")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--accept-redactions",
        action="store_true",
        help="also accept redactions of events that another ledger wrote",
    )
    common(parser)


def _redact_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the event, decision, note or goal")
    parser.add_argument("--because", required=True, metavar="TEXT", help="why; kept in the ledger")
    common(parser)


def _export(arguments: Arguments) -> Answer:
    progress = Progress("events exported")
    with open_desk(request(arguments), writable=False) as desk:
        if arguments.file != "-" or arguments.tracked:
            tell_where(desk.resolved, desk.root)
        elif notice := desk.resolved.notice_of(desk.root):
            sys.stderr.write(f"{harmless(notice)}\n")  # a program reads the answer
        if arguments.tracked:
            written = segments.write_segment(desk)
            said = f"written: {path_for_people(written)}" if written else "nothing new to write"
            return Answer({"segment": written}, lambda _: said)
        if arguments.file == "-":
            _tell_beside(arguments.notices)
            transfer.export(desk, _to_stdout, progress)
            progress.done()
            return Answer(None, lambda _: "")
        with NewFile(arguments.file) as file:  # it may hold prompts
            count = transfer.export(desk, lambda line: file.write(line.encode()), progress)
    progress.done()
    return Answer(
        {"path": os.path.abspath(arguments.file), "events": count},
        lambda _: f"{counted(count, 'event')} written to {path_for_people(arguments.file)}",
    )


def _tell_beside(notices: list[str]) -> None:
    """Prints what opening the project has to say where it does not come between the lines that a program reads."""
    for notice in notices:
        sys.stderr.write(f"{harmless(notice)}\n")
    notices.clear()


def _to_stdout(line: str) -> None:
    """Writes UTF-8 whatever the terminal's encoding is, because programs read it."""
    try:
        sys.stdout.buffer.write((harmless_json(line) if sys.stdout.isatty() else line).encode())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise trouble(error, "standard output") from error


def _import(arguments: Arguments) -> Answer:
    progress = Progress("events read")
    is_stream = arguments.file == "-"
    source = import_sources.stream(sys.stdin.buffer) if is_stream else import_sources.source_at(arguments.file)
    with open_desk(request(arguments), writable=not arguments.dry_run) as desk, source as lines:
        plan = import_plan.plan_import(desk, lines, progress, accept_redactions=arguments.accept_redactions)
        progress.done()
        if arguments.dry_run:
            return Answer(_import_data(plan), lambda _: f"{_summary(plan)}\nNothing was changed.", as_json=is_stream)
        _confirm(arguments, plan)
        plan = transfer.import_events(desk, lines, progress, plan=plan)
        contradictions = forks.told_in_brief(desk, forks.open_forks(desk, about=forks.ABOUT_DECISION))
    progress.done()
    told = [*contradictions, *_repetition_lines(plan.repeated_in)]
    return Answer(_import_data(plan), lambda _: "\n".join([_summary(plan), *told]), as_json=is_stream)


def _confirm(arguments: Arguments, plan: ImportPlan) -> None:
    """Asks a person at a terminal. A script needs --yes only if something here would be changed for good."""
    if arguments.yes:
        return
    if arguments.file != "-" and not arguments.json and is_somebody_there():
        sys.stderr.write(f"{_summary(plan)}\n")
        if not ask("Import it?", default=False):
            raise Refused("not_confirmed", "Nothing was imported.", hint="Answer y, or give --yes.")
    elif plan.changes_ours:
        erases = f"erase {counted(len(plan.redactions), 'payload')} here" if plan.accepted and plan.redactions else ""
        replaced = sum(forked.events for forked in plan.forked_chains)
        replaces = f"replace {counted(replaced, 'event')} here" if plan.forked_chains else ""
        begins = "start a new chain here" if plan.own_seq is not None else ""
        raise Refused(
            "not_confirmed",
            f"Nothing was imported: it would {' and '.join(filter(None, (erases, replaces, begins)))}.",
            hint="--dry-run shows the changes; --yes makes them.",
            details=_import_data(plan),
        )


def _import_data(plan: ImportPlan) -> dict[str, Json]:
    return {
        "read": plan.read,
        "ledgers": [
            {
                "ledger_id": str(chain.ledger_id),
                "events": chain.seq,
                "new": chain.new,
                "signed_events": chain.signed,
                "signed_by": chain.key or None,
                "key_known": chain.key_known,
            }
            for chain in plan.chains
        ],
        "open_transaction_count": plan.open_elsewhere,
        "changes": dict(plan.closes),
        "superseded": [event.id for event in plan.superseded],
        "erased": [_ref_data(ref) for ref in plan.erases],
        "redactions": [
            {**_ref_data(each.target), "event_id": each.event_id, "by": str(each.by), "ours": each.ours}
            for each in plan.redactions
        ],
        "redactions_accepted": plan.accepted,
        "left_out": [_ref_data(event) for event in plan.left_out],
        "new_chain": plan.own_seq is not None,
        "repeated_in": _repetition_data(plan.repeated_in),
    }


def _ref_data(ref: Ref | Event) -> dict[str, Json]:
    return {"ledger_id": str(ref.ledger_id), "seq": ref.seq}


def _summary(plan: ImportPlan) -> str:
    lines = [f"{counted(plan.read, 'event')} read and verified"]
    for chain in plan.chains:
        lines.append(f"  ledger {short(chain.ledger_id)}: {chain.new:,} new of {chain.seq:,}; {_signed(chain)}")
    if plan.open_elsewhere:
        lines.append(f"  {counted(plan.open_elsewhere, 'open transaction')} in what is imported: opens no gate here")
    lines += [f"  {what}: {count}" for what, count in plan.closes]
    lines += [f"    {_named(event)}" for event in plan.superseded[:_NAMED]]
    if plan.erases:
        lines.append(f"  {counted(len(plan.erases), 'payload')} erased here, as by the ledger that wrote the event")
    if plan.left_out:
        number = counted(len(plan.left_out), "payload")
        lines.append(f"  {number} left out: this home had redacted what it comes with; that is recorded again")
    if plan.redactions:
        lines += _redaction_lines(plan)
    for forked in plan.forked_chains:
        lines.append(
            f"  ledger {short(forked.ledger_id)}: {counted(forked.events, 'event')} here, from event {forked.seq:,} on,"
            " differ from what is signed in the import: they are replaced, and the ledger that has them is set aside; "
            "from now on events are written to a new chain"
        )
    if plan.own_seq is not None:
        lines.append(
            f"  it has more of this ledger's own chain, which ends at event {plan.own_seq:,} here: "
            "from now on events are written to a new chain"
        )
    return "\n".join(lines)


def _named(decision: Event) -> str:
    made = p.read(decision, p.DecisionMade)
    return f"{short(decision.id)}  {one_line(made.decision if made else '(erased)')}"


def _signed(chain: ChainPlan) -> str:
    if not chain.key:
        return "it came without a signed head"
    said = f"signed up to event {chain.signed:,} by {harmless(chain.key)}"
    if not chain.key_known:
        said += ", a key not known here: compare it with perdure audit key show on that machine"
    if chain.unproved:
        said += f"; nothing proves {counted(chain.unproved, 'new event')} after it"
    return said


def _redaction_lines(plan: ImportPlan) -> list[str]:
    ours = sum(each.ours for each in plan.redactions)
    number = counted(len(plan.redactions), "payload")
    what = f"{number} that a ledger redacted without having written the event ({ours} of this ledger)"
    ids = ", ".join(harmless(short(each.event_id)) for each in plan.redactions[:_NAMED])
    if plan.accepted:
        return [f"  erased here: {what}: {ids}"]
    return [f"  kept: {what}: {ids}", "  --accept-redactions erases them"]


def _redact(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        erased = transfer.redact(desk, arguments.id, arguments.because)
    more = [_still_held(root, id, arguments.because) for root, id in erased.still_in]
    more += [erased.warning] if erased.warning else []
    warnings: list[Json] = [*([] if erased.is_finished else [_PENDING]), *more]
    told: dict[str, Json] = {"warnings": warnings} if warnings else {}
    return Answer(
        {
            "event_id": erased.event_id,
            "kind": erased.kind,
            "seq": erased.seq,
            "kept_by": erased.kept_by,
            "erased_with_it": [_event_data(erased.twin)] if erased.twin else [],
            "repeated_in": _repetition_data(erased.repeated_in),
            **told,
        },
        lambda _: "\n".join(
            [
                f"{_what_was_erased(erased)} erased, {_where_erased(erased)}. "
                "Earlier exports, files that git has committed, and what was set aside in .perdure still hold it.",
                *_repetition_lines(erased.repeated_in),
                *map(harmless, more),
            ]
        ),
    )


def _what_was_erased(erased: Erased) -> str:
    named = f"{erased.kind} {short(erased.event_id)}"
    if erased.twin is None:
        return f"The payload of {named} is"
    return f"The payloads of {named} and of {erased.twin.kind} {short(erased.twin.id)}, which had the same words, are"


def _event_data(event: Event | Repetition) -> dict[str, Json]:
    id_ = event.event_id if isinstance(event, Repetition) else event.id
    return {"event_id": id_, "kind": event.kind, "seq": event.seq}


def _repetition_data(repetitions: Sequence[Repetition]) -> list[Json]:
    return [{**_event_data(each), "command": each.command} for each in repetitions]


def _repetition_lines(repetitions: Sequence[Repetition]) -> list[str]:
    if not repetitions:
        return []
    more = "At least " if len(repetitions) == MOST_NAMED else ""
    hold, them = ("holds", "it") if len(repetitions) == 1 else ("hold", "them")
    count = counted(len(repetitions), "other event")
    lines = [f"{more}{count} of this ledger still {hold} erased words. To erase {them} too:"]
    never = "events of this kind are never erased; if it holds a secret, change that where it is used"
    return [*lines, *(harmless(f"  {each.kind}: {each.command or never}") for each in repetitions)]


def _still_held(root: str, event_id: str, because: str) -> str:
    command = f"perdure redact {event_id} --because {quote(because)} --project-path {quote(root)}"
    return f"{root} still has these words. To erase them there too: {command}"


_PENDING = "The backup still has it, because the home cannot be written: perdure heal erases it there once it can."


def _where_erased(erased: Erased) -> str:
    if not erased.is_finished:
        return f"here. {_PENDING.rstrip('.')}"
    if erased.kept_by is None:
        return "here and in the backup"
    where = path_for_people(erased.kept_by)
    return f"here, not in the backup: that belongs to {where}, which recorded it"


COMMANDS: dict[str, Command] = {
    "export": Command(
        run=_export,
        flags=_export_flags,
        examples="perdure export > ledger.jsonl\nperdure export ledger.jsonl\nperdure export --tracked",
        about="Writes every chain of the ledger as lines of JSON. The lines hold prompts: treat them as private.",
    ),
    "import": Command(
        run=_import,
        flags=_import_flags,
        examples="perdure import laptop.jsonl\nperdure import laptop.jsonl --dry-run\n"
        "ssh laptop 'cd shop && perdure export' | perdure import -\nperdure import ../old-clone/.perdure/ledger.db",
        about=(
            "Imports the ledger of another machine's clone. First verifies its chains and signed heads, and shows "
            "what would change. Refuses the whole import if a chain is broken. Only for people."
        ),
    ),
    "redact": Command(
        run=_redact,
        flags=_redact_flags,
        examples="perdure redact 3f2a91c4 --because 'held a customer name'",
        about="Erases an event's payload for good. The event keeps its hashes, so the chain and its proofs stay valid. "
        "Only for people.",
    ),
}
