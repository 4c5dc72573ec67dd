"""Who holds an open transaction, in words for people."""

from __future__ import annotations

from perdure.model.ids import short
from perdure.surfaces.output import duration, one_line
from perdure.surfaces.pane_name import pane_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.holdings import Held
    from perdure.surfaces.output import Style


def holder_words(each: Held, style: Style) -> str:
    if each.mine:
        return "this pane"
    if each.other_ledger:
        return f"imported with ledger {short(each.other_ledger)}"
    name = pane_name(each.transaction.instance_id, each.works_at if each.alive else "")
    if each.alive is False:
        return style("yellow", f"{name}, gone")
    return f"{name}, alive" if each.alive else name


def other_words(each: Held, style: Style, *, has_own: bool = False) -> str:
    """Another transaction than the one asked about, on one line. Says how to take it over only if its holder is gone
    (SPEC 3.1). `has_own`: the caller has one open in that project, which must be closed first."""
    t = each.transaction
    line = f"{short(t.id)}  open {duration(each.age_seconds)}  {holder_words(each, style)}"
    line += f"  {style('dim', one_line(each.goal, 60))}" if each.goal else ""
    is_offered = each.is_left_behind and not each.mine
    first = "once yours is closed: " if has_own else ""
    if each.ended_by:
        return f"{line}  a person ends it: {each.ended_by}"
    return line + (f"  {first}{each.adopted_by}" if is_offered else "")
