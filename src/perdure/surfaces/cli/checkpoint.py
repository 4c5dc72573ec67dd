"""checkpoint: is everything written down that the next context needs? (SPEC 9.1)"""

from __future__ import annotations

from perdure.actions import checkpoint
from perdure.model.checkpoint import COMPACT, ERROR, EXIT_CODES, FAIL, FULL, PASS, PASSED, REFUSED
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import harmless, table
from perdure.surfaces.record_data import ratio_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.checkpoint import Checkpoint
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_COLOURS = {PASS: "green", FAIL: "yellow", ERROR: "red"}
_WORDS = {
    PASSED: "The checkpoint has passed.",
    REFUSED: "The checkpoint is refused.",
    "undecided": "Whether the checkpoint passes could not be decided.",
}


def checkpoint_data(made: Checkpoint) -> dict[str, Json]:
    return {
        "form": made.form,
        "mode": made.mode,
        "outcome": made.outcome,
        "passed": made.has_passed,
        "dry_run": made.is_dry_run,
        "checkpoint_id": made.event_id,
        "grounding": ratio_data(made.ratio),
        "steps": [
            {
                "number": each.number,
                "name": each.name,
                "status": each.status,
                "figure": each.figure,
                "advice": each.advice,
                "blocking": each.blocks,
            }
            for each in made.steps
        ],
        "warnings": [made.warning] if made.warning else [],
    }


def _flags(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--full", action="store_true", help="all seven steps: before the context is cleared")
    which.add_argument("--compact", action="store_true", help="steps 3, 4 and 7: before it is compacted")
    parser.add_argument("--dry-run", action="store_true", help="only look; record nothing")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    form = FULL if arguments.full else COMPACT
    made = checkpoint.run(request(arguments), form, dry_run=arguments.dry_run)
    return Answer(checkpoint_data(made), lambda style: checkpoint_text(made, style), exit_code=EXIT_CODES[made.outcome])


def checkpoint_text(made: Checkpoint, style: Style) -> str:
    rows = [
        [str(each.number), style(_COLOURS[each.status], each.status), each.name, harmless(each.figure)]
        for each in made.steps
    ]
    advice = [f"{each.number}  {harmless(each.advice)}" for each in made.steps if each.advice and each.status != PASS]
    verdict = _WORDS[made.outcome] + (" Nothing was recorded: it was a dry run." if made.is_dry_run else "")
    lines = [table(rows, ["", "", "step", "figure"], style), *advice, style("bold", verdict)]
    return "\n".join([*lines, *([made.warning] if made.warning else [])])


COMMANDS: dict[str, Command] = {
    "checkpoint": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure checkpoint --full\nperdure checkpoint --full --dry-run\nperdure checkpoint --compact --json"
        ),
        about=(
            "Checks whether everything that the next context needs is written down. Exits 0 if the checkpoint passes, "
            "1 if it is refused, 3 if that could not be decided."
        ),
    )
}
