"""goal: create, list, done (SPEC 3.6)."""

from __future__ import annotations

from perdure.actions import goals, lineage_goals
from perdure.actions.wiring import open_desk
from perdure.model.ids import short
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import harmless, one_line, path_for_people, table
from perdure.surfaces.record_data import goal_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.goals import GoalView
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


LEAST_TITLE = 30
"""How many characters of a title are shown, however long the path beside it is."""


def _create_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", help="the goal, in a few words")


def _list_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="also goals that are done, and other lineages' original goals"
    )


def _done_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the goal")
    parser.add_argument("--because", metavar="TEXT", help="what shows that it is done")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "create": ("set a goal; it belongs to the open transaction, if there is one", _create_flags),
            "list": ("list the open goals and this lineage's original goal", _list_flags),
            "done": ("mark a goal as done", _done_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"create": _create, "list": _list, "done": _done}[arguments.verb](arguments)


def _create(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        goal = goals.create(desk, arguments.title)
    return Answer(goal_data(goal), lambda style: f"{style('bold', 'Goal ' + short(goal.id))}  {one_line(goal.title)}")


def _list(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        open_now = lineage_goals.open_goals_at(desk)
        found = [*open_now.own, *open_now.others]
        shown = {goal.id for goal in found}
        found += [goal for goal in goals.listed(desk, True) if goal.id not in shown] if arguments.all else []

    def text(style: Style) -> str:
        missing = style("red", f"! {harmless(open_now.missing)}") if open_now.missing else ""
        if not found:
            return missing or "no open goal; perdure goal create 'ship the parser'"
        rows = [[short(g.id), g.status, _title(g, is_anothers=g in open_now.others)] for g in found]
        listed = table(rows, ["goal", "status", "title"], style)
        return f"{missing}\n{listed}" if missing else listed

    return Answer([goal_data(goal) for goal in found], text)


def _title(goal: GoalView, *, is_anothers: bool) -> str:
    mark = "  (another pane's)" if is_anothers else ""
    mark += f"  (in {path_for_people(goal.project_path)})" if goal.project_path else ""
    return goal.marked(one_line(goal.title, max(LEAST_TITLE, 100 - len(mark)))) + mark


def _done(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        goal = goals.done(desk, arguments.id, arguments.because)
    return Answer(goal_data(goal), lambda style: f"{style('green', 'done')}  {short(goal.id)}  {one_line(goal.title)}")


COMMANDS: dict[str, Command] = {
    "goal": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure goal create 'ship the parser'\nperdure goal list\nperdure goal done 3f2a91c4 --because "
            "'released 1.2'"
        ),
        about="Goals say what the work is for.",
    )
}
