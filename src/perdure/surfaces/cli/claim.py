"""claim: add, absent, list, check: what is said about the code, and whether the code still says so (SPEC 8)."""

from __future__ import annotations

import sys

from perdure.actions import absences, claims, lineage_grounding
from perdure.actions.claims import ASSUMPTION, CITATION, CODE_REFERENCE, USER_INPUT, GivenClaim
from perdure.actions.evidence import cited_by
from perdure.actions.lineage_grounding import ratio_words
from perdure.actions.wiring import open_desk
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.errors import BadInput, PerdureError, Refused
from perdure.grounding.absence import Absent
from perdure.grounding.project_root import ROOT
from perdure.model import payload as p
from perdure.model.ids import short, shown
from perdure.model.plural import counted
from perdure.surfaces.cli.command import (
    Answer,
    Command,
    limit_flag,
    parse_input,
    request,
    subcommands,
    text_field,
    unknown_fields,
)
from perdure.surfaces.output import local_date, one_line, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from perdure.actions.absences import Searched
    from perdure.actions.claims import CheckedClaim, ClaimView
    from perdure.actions.request import Request
    from perdure.actions.wiring import Desk
    from perdure.grounding.ratio import Ratio
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_FIELDS = ("claim", "grounding", "path", "line", "end_line", "quote", "symbol")
_EXAMPLE = '{"claim": "…", "path": "${PROJECT_ROOT}/src/a.py", "line": 12, "quote": "…"}'
_COLOURS = {"verified": "green", "moved": "green", "confirmed_ghost": "green", None: "dim"}


# -- as JSON ---------------------------------------------------------------------------------------------------------


def claim_data(claim: ClaimView) -> dict[str, Json]:
    return {
        "claim_id": claim.id,
        "ts": claim.ts,
        "claim": claim.claim,
        "grounding": claim.grounding,
        "class": claim.outcome,
        "grounded": claim.grounded or claim.outcome == Absent.CONFIRMED,
        "path": claim.path,
        "line": claim.line,
        "end_line": claim.end_line,
        "quote": claim.quote,
        "symbol": claim.symbol,
        "reason": claim.reason,
        "other_machine": claim.other_ledger,
    }


def checked_data(checked: CheckedClaim) -> dict[str, Json]:
    claim = checked.claim
    return {
        "id": claim.id,
        "claim_id": claim.id,
        "claim": claim.claim,
        "grounding": claim.grounding,
        "class": checked.outcome,
        "class_when_made": claim.outcome,
        "grounded": checked.grounded,
        "path": claim.path,
        "line": claim.cited_line or claim.line,
        "end_line": claim.cited_end_line or claim.end_line,
        "symbol": claim.symbol,
        "new_path": checked.new_path,
        "new_line": checked.new_line,
        "new_end_line": checked.new_end_line,
        "places": [{"path": path, "line": line} for path, line in checked.places],
        "reason": checked.reason,
        "other_machine": claim.other_ledger,
    }


def absent_data(event: Event, found: Searched) -> dict[str, Json]:
    made = p.read(event, p.ClaimAbsent)
    return {
        "claim_id": event.id,
        "ts": event.ts,
        "feature": made.feature if made else "",
        "class": found.outcome.value,
        "code_hits": len(found.code),
        "document_hits": len(found.documents),
        "places": [{"path": path, "line": line} for path, line in found.places],
        "unsearched": list(found.unsearched[: absences.MOST_PLACES]),
        "reason": found.reason,
    }


def claim_of(given: dict[str, Any]) -> GivenClaim:
    """A claim from an object with the fields of `--stdin`. Without `grounding`, the other fields tell it."""
    texts = {name: text_field(given, name, required=name == "claim") for name in ("claim", "grounding", "quote")}
    whole = _whole_symbol(given)
    has_place = given.get("path") is not None or whole is not None
    grounding = texts["grounding"]
    if grounding is None and not has_place:
        raise BadInput(
            "bad_field",
            f"grounding: is missing. Without a path it is {USER_INPUT} or {ASSUMPTION}.",
            details={"field": "grounding"},
        )
    told = CITATION if given.get("quote") is not None else CODE_REFERENCE
    cited = whole or (cited_by(given) if has_place else None)
    return GivenClaim(texts["claim"] or "", grounding or told, cited=cited, quote=texts["quote"])


def _whole_symbol(given: dict[str, Any]) -> str | None:
    """`symbol` may be all of `${PROJECT_ROOT}/path#name`, as in `--symbol`."""
    symbol = given.get("symbol")
    is_whole = isinstance(symbol, str) and given.get("path") is None and symbol.startswith(ROOT)
    return symbol if is_whole else None


# -- flags -----------------------------------------------------------------------------------------------------------


def _add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="the claim")
    parser.add_argument("--cite", metavar="PLACE", help="evidence: ${PROJECT_ROOT}/path:line[-line]")
    parser.add_argument("--quote", metavar="TEXT", help="with --cite: the text at these lines, word for word")
    parser.add_argument("--symbol", metavar="PLACE", help="evidence: ${PROJECT_ROOT}/path#name")
    parser.add_argument("--user-said", metavar="TEXT", help="evidence: words of the person's prompt")
    parser.add_argument("--assume", action="store_true", help="there is no evidence: it is an assumption")
    parser.add_argument(
        "--stdin", action="store_true", help="read one claim a line as JSON; exits 1 if a line was not accepted"
    )


def _absent_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("feature", help="what is absent")
    parser.add_argument(
        "--query", metavar="WORDS", action="append", default=[], help="words for it; at least two different ways"
    )
    parser.add_argument("--in", metavar="FOLDER", dest="below", default="", help="search only there (default: all)")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    limit_flag(parser)


def _check_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", help="these claims or decisions (default: all claims)")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "add": ("record a claim with its evidence; refused (exit 1) if the evidence is not found", _add_flags),
            "absent": ("record that something is not there; exits 1 unless that is confirmed", _absent_flags),
            "list": ("list the latest claims, as they were made", _list_flags),
            "check": ("check whether claims still hold; exits 1 if one is no longer grounded", _check_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"add": _add, "absent": _absent, "list": _list, "check": _check}[arguments.verb](arguments)


# -- add -------------------------------------------------------------------------------------------------------------


def _add(arguments: Arguments) -> Answer:
    if arguments.stdin:
        return _from_stdin(arguments)
    given = _from_flags(arguments)
    with open_desk(request(arguments)) as desk, WorkTree(folder_of(desk)) as tree:
        made = claims.add(desk, tree, given)

    def text(style: Style) -> str:
        told = made.outcome or ASSUMPTION
        where = f"\n  {one_line(_place(made.path, made.line, made.end_line), 200)}" if made.path else ""
        said = f"\n  {one_line(made.reason, 300)}" if made.outcome == "moved" else ""
        return (
            f"{style('bold', 'Claim ' + short(made.id))}  {style(_COLOURS.get(made.outcome, 'yellow'), told)}  "
            f"{one_line(made.claim)}{where}{said}"
        )

    return Answer(claim_data(made), text)


def _from_flags(arguments: Arguments) -> GivenClaim:
    if arguments.text is None:
        raise BadInput("usage", "No claim given.", hint="perdure claim add --help shows examples.")
    given = {
        CITATION: arguments.cite,
        CODE_REFERENCE: arguments.symbol,
        USER_INPUT: arguments.user_said,
        ASSUMPTION: arguments.assume or None,
    }
    chosen = [grounding for grounding, content in given.items() if content is not None]
    if len(chosen) != 1:
        raise BadInput(
            "usage",
            "Give one kind of evidence: --cite with --quote, --symbol, --user-said or --assume.",
            hint="perdure claim add --help shows examples.",
        )
    (grounding,) = chosen
    if (arguments.quote is not None) != (grounding == CITATION):
        raise BadInput("usage", "--cite needs --quote, and --quote belongs to --cite.")
    cited = given[grounding] if grounding in (CITATION, CODE_REFERENCE) else None
    quote = arguments.user_said if grounding == USER_INPUT else arguments.quote
    return GivenClaim(arguments.text, grounding, cited=cited, quote=quote)


def _from_stdin(arguments: Arguments) -> Answer:
    others = (arguments.text, arguments.cite, arguments.quote, arguments.symbol, arguments.user_said)
    if arguments.assume or any(each is not None for each in others):
        raise BadInput("usage", "With --stdin everything stands in the lines.", hint=f"echo '{_EXAMPLE}' | …")
    from perdure.surfaces.cli.answered_lines import AnsweredLines, lines_of_stdin  # it needs threads

    recorded = failed = 0
    with open_desk(request(arguments)) as desk, WorkTree(folder_of(desk)) as tree, AnsweredLines() as answers:
        for number, line in lines_of_stdin():
            answer = _answer(desk, tree, number, line=line)
            answers.add(answer)
            recorded, failed = recorded + ("error" not in answer), failed + ("error" in answer)
    said = f"{counted(recorded, 'claim')} recorded, {failed} not."
    is_read_by_program = not sys.stdout.isatty()
    return Answer(None, lambda _: said, exit_code=1 if failed else 0, as_json=is_read_by_program)


def _answer(desk: Desk, tree: WorkTree, number: int, *, line: bytes) -> dict[str, Json]:
    """One bad line does not stop the others."""
    try:
        given = parse_input(line, f"Line {number}", _EXAMPLE)
        made = claim_data(claims.add(desk, tree, claim_of(given)))
    except (BadInput, Refused) as error:
        return {"line_number": number, **_error(error)}
    unused: list[Json] = [f"field {shown(name)} is not used here" for name in unknown_fields(given, _FIELDS)]
    return {**made, "warnings": unused}


def _error(error: PerdureError) -> dict[str, Json]:
    said: dict[str, Json] = {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "details": error.details,
    }
    return {"error": said}


# -- absent, list, check ---------------------------------------------------------------------------------------------


def _absent(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        event, found = absences.absent(desk, arguments.feature, arguments.query, below=arguments.below)

    def text(style: Style) -> str:
        colour = _COLOURS.get(found.outcome, "yellow")
        lines = [
            f"{style('bold', 'Claim ' + short(event.id))}  {style(colour, found.outcome.value)}  "
            f"{one_line(arguments.feature)}",
            f"  {found.reason}",
            *(f"  {one_line(_place(path, line, None), 200)}" for path, line in found.places),
        ]
        return "\n".join(lines)

    return Answer(absent_data(event, found), text, exit_code=0 if found.is_confirmed else 1)


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = claims.latest(desk, arguments.limit)
        grounding = lineage_grounding.as_recorded(desk).ratio

    def text(style: Style) -> str:
        if not found:
            return "no claims yet"
        rows = [
            [
                short(c.id),
                local_date(c.ts),
                c.outcome or c.grounding,
                c.marked(one_line(c.claim, 60)),
                _where(c),
            ]
            for c in found
        ]
        told = table(rows, ["claim", "when", "class", "what", "where"], style)
        return f"{told}\n{_ratio(grounding)}"

    return Answer([claim_data(claim) for claim in found], text)


def _check(arguments: Arguments) -> Answer:
    asked = request(arguments)
    with open_desk(asked, writable=False) as desk:
        found = claims.check(desk, arguments.id)
        is_new = bool(claims.changed(desk, found))
        grounding = lineage_grounding.as_recorded(desk).ratio
    unrecorded = ""
    if is_new:
        grounding, unrecorded = _record(asked, found, grounding)
    lost = [each for each in found if each.is_lost]

    def text(style: Style) -> str:
        if not found:
            return "no claims yet"
        rows = [
            [
                short(each.claim.id),
                style(_COLOURS.get(each.outcome, "yellow"), each.outcome or each.claim.grounding),
                each.claim.marked(one_line(each.claim.claim, 60)),
                _stands_at(each) or _where(each.claim),
                one_line(each.reason, 120),
            ]
            for each in found
        ]
        held = sum(each.grounded for each in found)
        total = f"{held} of {_counted(found)} grounded, {len(lost)} no longer.{_advice(lost)}"
        lines = [table(rows, ["claim", "class", "what", "where", "why"], style), total, _ratio(grounding)]
        return "\n".join([*lines, *([unrecorded] if unrecorded else [])])

    return Answer([checked_data(each) for each in found], text, exit_code=1 if lost else 0)


def _counted(found: list[CheckedClaim]) -> str:
    if any(each.is_decision for each in found):
        return counted(len(found), "piece of evidence", "pieces of evidence")
    return counted(len(found), "claim")


def _advice(lost: list[CheckedClaim]) -> str:
    decided = next((each for each in lost if each.is_decision), None)
    lines = []
    if any(not each.is_decision for each in lost):
        lines.append("Give such a claim new evidence, or say it again with --assume.")
    if decided:
        again = f"perdure decide '…' --supersedes {short(decided.claim.id)} --cite … --quote …"
        lines.append(f"To carry a decision out may change its lines. If it no longer counts: {again}")
    return "".join(f"\n{line}" for line in lines)


def _record(asked: Request, found: list[CheckedClaim], grounding: Ratio) -> tuple[Ratio, str]:
    """Records what the check changed. If that is not possible, the check is answered all the same, and says so."""
    try:
        with open_desk(asked) as desk:
            claims.record_changes(desk, found)
            return lineage_grounding.as_recorded(desk).ratio, ""
    except PerdureError as error:
        return grounding, f"What changed is not recorded: {error.message} {error.hint}".rstrip()


def _ratio(found: Ratio) -> str:
    return f"This lineage since its last checkpoint: {ratio_words(found)}."


def _where(claim: ClaimView) -> str:
    return one_line(_place(claim.path, claim.line, claim.end_line)) if claim.path else ""


def _stands_at(checked: CheckedClaim) -> str:
    found = checked.stands_at
    return one_line(_place(found.path, found.first, found.last)) if found else ""


def _place(path: str | None, first: int | None, last: int | None) -> str:
    if not first:
        return path or ""
    return f"{path}:{first}" if last in (None, first) else f"{path}:{first}-{last}"


COMMANDS: dict[str, Command] = {
    "claim": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure claim add 'prices are whole cents' --cite '${PROJECT_ROOT}/src/cart.py:12' "
            "--quote 'total_cents: int'\n"
            "perdure claim add 'add checks the currency' --symbol '${PROJECT_ROOT}/src/cart.py#Cart.add'\n"
            "perdure claim add 'no new dependencies' --user-said 'please add no new dependencies'\n"
            "perdure claim add 'nobody calls it from outside' --assume\n"
            "perdure claim add --stdin < claims.jsonl\n"
            "perdure claim absent 'retries' --query retry --query 'exponential backoff' --in src/\n"
            "perdure claim list\n"
            "perdure claim check\n"
            "perdure claim check 3f2a91c4 --json"
        ),
        about="Records statements about the code with their evidence, and checks whether they still hold.",
    )
}
