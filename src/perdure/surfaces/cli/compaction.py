"""compaction: show, preview (SPEC 11.2)."""

from __future__ import annotations

from perdure.actions import compaction, give_back
from perdure.actions.compaction_facts import name_in
from perdure.actions.wiring import open_desk
from perdure.errors import Refused
from perdure.lifecycle.summary_fact import ALTERED, KEPT, LOST
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import local_date, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.compaction import Compaction, Preview, Told
    from perdure.lifecycle.summary_fact import SummaryFact
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_COLOURS = {KEPT: "green", ALTERED: "yellow", LOST: "red"}
_WIDTH = 110


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("what the last summary kept, altered and lost", lambda _: None),
            "preview": ("what a compaction now would keep, and what is only in the context", lambda _: None),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "preview": _preview}[arguments.verb](arguments)


# -- show ------------------------------------------------------------------------------------------------------------


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = compaction.last(desk)
    if found is None:
        raise Refused(
            "no_compaction",
            "No summary of a compaction was compared with this ledger yet.",
            hint="perdure compaction preview shows what one would keep now.",
        )
    return Answer(_shown_data(found), lambda style: _shown_text(found, style))


def _shown_data(found: Compaction) -> dict[str, Json]:
    given = [name_in(each) for told in found.given for each in told.facts]
    return {
        "audit_id": found.event.id,
        "ts": found.event.ts,
        "session_id": found.event.session_id,
        "heard": found.heard,
        "counts": {outcome: _count(found, outcome) for outcome in (KEPT, ALTERED, LOST)},
        "facts": [_told_data(each, given) for each in found.facts],
        "given_with": [told.given_with for told in found.given],
        "arrived": found.arrived,
    }


def _count(found: Compaction, outcome: str) -> int:
    return sum(each.outcome == outcome for each in found.facts)


def _told_data(told: Told, given: list[tuple[str, str, str]]) -> dict[str, Json]:
    return {
        "kind": told.kind,
        "source": told.source,
        "outcome": told.outcome,
        "text": told.fact.words if told.fact else None,
        "passage": told.passage or None,
        "line": told.line or None,
        "why": told.why or None,
        "given_back": told.fact is not None and told.fact.name in given,
    }


def _shown_text(found: Compaction, style: Style) -> str:
    counts = ", ".join(f"{_count(found, outcome)} {outcome}" for outcome in (KEPT, ALTERED, LOST))
    lines = [f"{style('bold', 'Compaction')} {local_date(found.event.ts)}: {counts}"]
    for told in found.facts:
        mark = style(_COLOURS.get(told.outcome, "dim"), f"{told.outcome:7}")
        lines.append(f"  {mark}  {told.kind}: {one_line(give_back.named(told), _WIDTH)}")
        if told.outcome == ALTERED and told.passage:
            lines.append(f"           {told.why}, line {told.line} of the summary: {one_line(told.passage, _WIDTH)}")
    return "\n".join([*lines, *_given_lines(found)])


def _given_lines(found: Compaction) -> list[str]:
    if not found.given:
        return ["Nothing was given back."] if not _is_missing(found) else ["Not given back yet."]
    given = f"Given back with the {' and the '.join(told.given_with for told in found.given)}"
    seen = {None: "not looked up yet", True: "the transcript has it", False: "the transcript does not have it"}
    return [f"{given}; {seen[found.arrived]}."]


def _is_missing(found: Compaction) -> bool:
    return any(each.outcome != KEPT for each in found.facts)


# -- preview ---------------------------------------------------------------------------------------------------------


def _preview(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = compaction.preview(desk)
    return Answer(_preview_data(found), lambda style: _preview_text(found, style))


def _preview_data(found: Preview) -> dict[str, Json]:
    return {
        "on_record": [_fact_data(fact) for fact in found.facts],
        "named_to_summariser": found.named,
        "summariser_text": found.text,
        "only_in_context": list(found.unrecorded),
    }


def _fact_data(fact: SummaryFact) -> dict[str, Json]:
    return {"kind": fact.kind, "source": fact.source, "text": fact.words}


def _preview_text(found: Preview, style: Style) -> str:
    lines = [style("bold", "On record: named to the summariser, given back if its summary loses it")]
    lines += [
        f"  {fact.kind}: {one_line(fact.words, _WIDTH)}  {style('dim', short(fact.source))}" for fact in found.facts
    ]
    if not found.facts:
        lines.append("  nothing")
    lines.append(style("bold", "Only in the context: lost unless the summary keeps it"))
    lines += [f"  {each}" for each in found.unrecorded] or ["  nothing that Perdure can see"]
    left = len(found.facts) - found.named
    return "\n".join([*lines, f"{left} of these do not fit into the text for the summariser."] if left else lines)


COMMANDS: dict[str, Command] = {
    "compaction": Command(
        run=_run,
        flags=_flags,
        examples="perdure compaction show\nperdure compaction show --json\nperdure compaction preview",
        about="Compaction: what the client's summary kept, altered and lost, and what a compaction now would lose.",
    )
}
