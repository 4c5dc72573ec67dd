"""export, import, redact (SPEC 2.2, 16.4)."""

from __future__ import annotations

import os
import sys

from perdure.actions import segments, transfer
from perdure.actions.wiring import sit_down
from perdure.errors import BadInput
from perdure.files import NewFile, trouble
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import Progress, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _export_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="-", help="where to (default: standard output)")
    parser.add_argument(
        "--tracked", action="store_true", help="write a segment for git to track instead, without prompts"
    )
    common(parser)


def _import_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="lines written by perdure export; - for standard input")
    common(parser)


def _redact_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the event, decision, note or goal")
    parser.add_argument("--because", required=True, metavar="TEXT", help="why; stays on record")
    common(parser)


def _export(arguments: Arguments) -> Answer:
    progress = Progress("events exported")
    with sit_down(request(arguments), writable=False) as desk:
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
        lambda _: f"{count:,} events written to {path_for_people(arguments.file)}",
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
    with sit_down(request(arguments)) as desk:
        if arguments.file == "-":
            taken = transfer.take_in(desk, sys.stdin.buffer, progress)
        else:
            try:
                with open(arguments.file, "rb") as file:
                    taken = transfer.take_in(desk, file, progress)
            except FileNotFoundError:
                raise BadInput("bad_path", f"There is no file {arguments.file[:120]}.") from None
            except OSError as error:
                raise trouble(error, arguments.file) from error
    progress.done()

    def text(_style: Style) -> str:
        lines = [f"{taken.read:,} events read, all verified"]
        lines += [
            f"  ledger {str(each['ledger_id'])[:8]}: {each['new']:,} new of {each['events']:,}"
            for each in taken.ledgers
        ]
        return "\n".join(lines)

    return Answer({"read": taken.read, "ledgers": list(taken.ledgers)}, text, as_json=arguments.file == "-")


def _redact(arguments: Arguments) -> Answer:
    with sit_down(request(arguments)) as desk:
        erased = transfer.redact(desk, arguments.id, arguments.because)
    return Answer(
        {"event_id": erased.event_id, "kind": erased.kind, "seq": erased.seq},
        lambda _: (
            f"The payload of {erased.kind} {short(erased.event_id)} is erased, here and in the backup. "
            "Exports already made, what git has of a tracked one, and ledgers that heal set aside still hold it."
        ),
    )


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
        "perdure import laptop.jsonl\nssh laptop 'cd shop && perdure export' | perdure import -",
        "Takes in the ledger of another machine's clone. The chain is verified; a broken one is refused whole.",
    ),
    "redact": Command(
        _redact,
        _redact_flags,
        "perdure redact 3f2a91c4 --because 'held a customer name'",
        "Erases an event's payload for good and leaves a tombstone. The chain and its proofs stay whole.",
    ),
}
