"""contract: set, show, clear (SPEC 10.6)."""

from __future__ import annotations

from perdure.actions import contracts
from perdure.actions.wiring import open_desk
from perdure.lifecycle.completion import KINDS, THRESHOLD
from perdure.model import payload as p
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import harmless, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.contracts import ContractView, Standing
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _set_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--goal", metavar="TEXT", default="", help="what is to be done")
    parser.add_argument(
        "--criterion", metavar="TEXT", action="append", default=[], help="what must be true then; may be repeated"
    )
    parser.add_argument(
        "--evidence",
        metavar="KINDS",
        default="",
        help=f"the evidence that is needed, with commas between: {', '.join(KINDS)} (default: {THRESHOLD} points "
        "of any kind)",
    )
    parser.add_argument("--mode", choices=contracts.MODES, help="what happens at the end of a turn if it is not met")


def _clear_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--because", metavar="TEXT", help="why")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "set": ("say what counts as done; an agent may only make it stricter", _set_flags),
            "show": (
                "print the contract, and which evidence it has and lacks for the files as they are",
                lambda _: None,
            ),
            "clear": ("end the contract (for people)", _clear_flags),
        },
    )


def contract_data(contract: ContractView, stands: Standing | None = None) -> dict[str, Json]:
    data: dict[str, Json] = {
        "goal": contract.goal,
        "criteria": list(contract.criteria),
        "evidence": list(contract.evidence),
        "mode": contract.mode,
        "belongs_to": contract.owner,
    }
    if stands:
        data |= {
            "met": stands.judged.is_met,
            "confidence": stands.judged.confidence,
            "missing": list(stands.judged.missing),
            "tree": stands.tree,
            "not_counted": list(stands.why),
        }
    return data


def _run(arguments: Arguments) -> Answer:
    return {"set": _set, "show": _show, "clear": _clear}[arguments.verb](arguments)


def _set(arguments: Arguments) -> Answer:
    kinds = tuple(dict.fromkeys(each.strip() for each in arguments.evidence.split(",") if each.strip()))
    wanted = p.ContractSet(
        goal=arguments.goal, criteria=tuple(arguments.criterion), evidence=kinds, mode=arguments.mode
    )
    with open_desk(request(arguments)) as desk:
        found = contracts.set_contract(desk, wanted)
    return Answer(contract_data(found), lambda style: _text(found, None, style))


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = contracts.shown(desk)
        stands = contracts.standing(desk, found) if found else None
    if found is None or stands is None:
        return Answer({"goal": None}, lambda _: "no contract; perdure contract set --goal 'ship the parser' makes one")
    met = stands.judged.is_met
    return Answer(contract_data(found, stands), lambda style: _text(found, stands, style), exit_code=0 if met else 1)


def _clear(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        found = contracts.clear(desk, arguments.because)
    return Answer(contract_data(found), lambda style: f"{style('green', 'cleared')}  {one_line(found.goal)}")


def _text(contract: ContractView, stands: Standing | None, style: Style) -> str:
    asked = ", ".join(contract.evidence) or f"{THRESHOLD} points"
    lines = [f"{style('bold', 'Contract')}  {one_line(contract.goal)}"]
    lines += [f"  must hold  {one_line(each)}" for each in contract.criteria]
    lines.append(f"  evidence   {asked}; mode {contract.mode}")
    if stands and stands.tree is None:
        lines.append(style("red", "  the files of the project could not be read, so nothing can be said"))
    elif stands and stands.judged.is_met:
        lines.append(style("green", f"  met, for the files as they are: {stands.judged.confidence} points"))
    elif stands:
        missing = ", ".join(stands.judged.missing)
        lines.append(style("red", f"  not met, for the files as they are: {stands.judged.confidence} points"))
        lines.append(f"  missing    {missing}")
        lines += [f"  not counted  {harmless(each)}" for each in stands.why]
    return "\n".join(lines)


COMMANDS: dict[str, Command] = {
    "contract": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure contract set --goal 'ship the parser' --criterion 'empty input is refused' --evidence tests,lint\n"
            "perdure contract show\nperdure contract clear --because 'the goal changed'"
        ),
        about="A contract says what counts as done, and which evidence must show it before a turn may end.",
    )
}
