"""export, import, redact (SPEC 2.2, 16.4)."""

from __future__ import annotations

import os
import sys

from perdure.actions import import_plan, import_sources, segments, transfer
from perdure.actions.wiring import open_desk
from perdure.errors import Refused
from perdure.files import NewFile, trouble
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.cli.questions import ask, is_somebody_there
from perdure.surfaces.output import Progress, harmless, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.import_plan import ChainPlan, Plan
    from perdure.model.event import Ref
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

_NAMED = 10
"""Redactions named in the summary; `--json` has them all."""


def _export_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="-", help="where to (default: standard output)")
    parser.add_argument(
        "--tracked", action="store_true", help="write a segment for git to track instead, without prompts"
    )
    common(parser)


def _import_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="an export, a folder of segments, or a ledger.db; - for standard input")
    parser.add_argument("--dry-run", action="store_true", help="say what it would change, and change nothing")
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    parser.add_argument(
        "--accept-redactions",
        action="store_true",
        help="erase here what another ledger redacted, also where it did not write it itself",
    )
    common(parser)


def _redact_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the event, decision, note or goal")
    parser.add_argument("--because", required=True, metavar="TEXT", help="why; stays on record")
    common(parser)


def _export(arguments: Arguments) -> Answer:
    progress = Progress("events exported")
    with open_desk(request(arguments), writable=False) as desk:
        if arguments.tracked:
            written = segments.write_segment(desk)
            said = f"written: {path_for_people(written)}" if written else "nothing new to write"
            return Answer({"segment": written}, lambda _: said)
        if arguments.file == "-":
            transfer.export(desk, _to_stdout, progress)
            progress.done()
            return Answer(None, lambda _: "")
        with NewFile(arguments.file) as file:  # it may hold prompts
            count = transfer.export(desk, lambda line: file.write(line.encode()), progress)
    progress.done()
    return Answer(
        {"file": os.path.abspath(arguments.file), "events": count},
        lambda _: f"{counted(count, 'event')} written to {path_for_people(arguments.file)}",
    )


def _to_stdout(line: str) -> None:
    """In UTF-8 whatever the terminal speaks: it is read by programs."""
    try:
        sys.stdout.buffer.write(line.encode())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise trouble(error, "standard output") from error


def _import(arguments: Arguments) -> Answer:
    progress = Progress("events read")
    is_stream = arguments.file == "-"
    source = import_sources.stream(sys.stdin.buffer) if is_stream else import_sources.at(arguments.file)
    with open_desk(request(arguments), writable=not arguments.dry_run) as desk, source as lines:
        plan = import_plan.made(desk, lines, progress, arguments.accept_redactions)
        progress.done()
        if arguments.dry_run:
            return Answer(_import_data(plan), lambda _: f"{_summary(plan)}\nNothing was changed.", as_json=is_stream)
        _confirm(arguments, plan)
        transfer.take_in(desk, lines, progress, plan)
    progress.done()
    return Answer(_import_data(plan), lambda _: _summary(plan), as_json=is_stream)


def _confirm(arguments: Arguments, plan: Plan) -> None:
    """At a terminal a person is asked. A script goes on, unless something that is here would be changed for good."""
    if arguments.yes:
        return
    if arguments.file != "-" and not arguments.json and is_somebody_there():
        sys.stderr.write(f"{_summary(plan)}\n")
        if not ask("Take it in?", default=False):
            raise Refused("not_confirmed", "Nothing was taken in.", hint="Answer y, or give --yes.")
    elif plan.changes_ours:
        erases = f"erase {len(plan.redactions):,} payloads here" if plan.accepted and plan.redactions else ""
        begins = "begin a new chain here" if plan.own_seq is not None else ""
        raise Refused(
            "not_confirmed",
            f"Nothing was taken in: it would {' and '.join(filter(None, (erases, begins)))}.",
            hint="--dry-run shows it; --yes does it.",
            details=_import_data(plan),
        )


def _import_data(plan: Plan) -> dict[str, Json]:
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
        "open_transactions": plan.open_elsewhere,
        "changes": dict(plan.closes),
        "erased": [_ref_data(ref) for ref in plan.erases],
        "redactions": [
            {**_ref_data(each.target), "event_id": each.event_id, "by": str(each.by), "ours": each.ours}
            for each in plan.redactions
        ],
        "redactions_accepted": plan.accepted,
        "new_chain": plan.own_seq is not None,
    }


def _ref_data(ref: Ref) -> dict[str, Json]:
    return {"ledger_id": str(ref.ledger_id), "seq": ref.seq}


def _summary(plan: Plan) -> str:
    lines = [f"{plan.read:,} events read, all verified"]
    for chain in plan.chains:
        lines.append(f"  ledger {short(chain.ledger_id)}: {chain.new:,} new of {chain.seq:,}; {_signed(chain)}")
    if plan.open_elsewhere:
        lines.append(f"  {plan.open_elsewhere} open transactions are another machine's: they open no gate here")
    lines += [f"  {what}: {count}" for what, count in plan.closes]
    if plan.erases:
        lines.append(f"  {len(plan.erases)} payloads are erased here, as the ledgers that wrote them erased them")
    if plan.redactions:
        lines += _redaction_lines(plan)
    if plan.own_seq is not None:
        lines.append(
            f"  it has more of this ledger's own chain, which ends at event {plan.own_seq:,} here: "
            "what is written from now on stands in a new chain"
        )
    return "\n".join(lines)


def _signed(chain: ChainPlan) -> str:
    if not chain.key:
        return "no signed head came with it"
    said = f"signed up to event {chain.signed:,} by {harmless(chain.key)}"
    return said if chain.key_known else f"{said}, a key not known here: compare it with perdure audit key show there"


def _redaction_lines(plan: Plan) -> list[str]:
    ours = sum(each.ours for each in plan.redactions)
    what = f"{len(plan.redactions)} payloads that a ledger redacted which did not write them ({ours} of them ours)"
    ids = ", ".join(harmless(short(each.event_id)) for each in plan.redactions[:_NAMED])
    if plan.accepted:
        return [f"  {what} are erased here: {ids}"]
    return [f"  {what} are kept: {ids}", "  --accept-redactions erases them"]


def _redact(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        erased = transfer.redact(desk, arguments.id, arguments.because)
    return Answer(
        {"event_id": erased.event_id, "kind": erased.kind, "seq": erased.seq, "kept_by": erased.kept_by},
        lambda _: (
            f"The payload of {erased.kind} {short(erased.event_id)} is erased, {_where_erased(erased.kept_by)}. "
            "Exports already made, what git has of a tracked one, and ledgers that heal set aside still hold it."
        ),
    )


def _where_erased(kept_by: str | None) -> str:
    if kept_by is None:
        return "here and in the backup"
    where = path_for_people(kept_by)
    return f"here. This is a copy of {where}, which still has it, and so has the backup: perdure redact there, too"


COMMANDS: dict[str, Command] = {
    "export": Command(
        _export,
        _export_flags,
        "perdure export > ledger.jsonl\nperdure export ledger.jsonl\nperdure export --tracked",
        "The ledger as lines of JSON, every chain in it. Holds prompts: treat it as private.",
    ),
    "import": Command(
        _import,
        _import_flags,
        "perdure import laptop.jsonl\nperdure import laptop.jsonl --dry-run\n"
        "ssh laptop 'cd shop && perdure export' | perdure import -\nperdure import ../old-clone/.perdure/ledger.db",
        "Takes in the ledger of another machine's clone. Its chains and signed heads are verified first, and it says "
        "what it would change; a broken one is refused whole.",
    ),
    "redact": Command(
        _redact,
        _redact_flags,
        "perdure redact 3f2a91c4 --because 'held a customer name'",
        "Erases an event's payload for good and leaves a tombstone. The chain and its proofs stay whole.",
    ),
}
