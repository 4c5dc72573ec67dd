"""state: show, fields (SPEC 10.2)."""

from __future__ import annotations

from perdure.actions import session_state, sessions
from perdure.actions.wiring import open_desk
from perdure.lifecycle.state_fields import FIELDS
from perdure.model.ids import short
from perdure.model.json import compact
from perdure.model.moment import Moment, stamp
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import clock, one_line, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.session_state import ShownState
    from perdure.lifecycle.state_fields import StateField
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

_SHOWN = 4
"""Entries of a list that are shown to people."""
_LONGEST = 100


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", help="the session (default: the one that runs here)")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("show the state of a session: from the ledger, and what is saved of it", _show_flags),
            "fields": ("list every field, how long it lives and how it is restored", lambda _: None),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "fields": _fields}[arguments.verb](arguments)


def _show(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = session_state.shown(desk, sessions.show(desk, arguments.session))
    data: dict[str, Json] = {
        "session_id": found.session_id,
        "fields": found.fields,
        "saved_at": stamp(Moment(found.saved.header.saved_at)) if found.saved else None,
        "boundary": found.saved.header.boundary if found.saved else None,
        "branch": found.saved.header.branch if found.saved else None,
        "schema_version": found.saved.version if found.saved else None,
        "left_out": dict(found.saved.left_out) if found.saved else {},
        "fault": found.fault or None,
    }
    return Answer(data, lambda style: _text(found, style))


def _text(found: ShownState, style: Style) -> str:
    lines = [f"{style('bold', 'State')}  session {short(found.session_id)}; {_saved(found)}"]
    for name, content in found.fields.items():
        if content not in ([], {}, None):
            lines.append(f"  {FIELDS[name].tier}  {name:<22} {_value(content)}")
    if found.saved:
        lines += [style("red", f"  left out: {name} ({why})") for name, why in found.saved.left_out]
    return "\n".join(lines)


def _saved(found: ShownState) -> str:
    if found.fault:
        return f"its checkpoint is not used: {found.fault}"
    if found.saved is None:
        return "not saved yet"
    header = found.saved.header
    on = f" on branch {header.branch}" if header.branch else ""
    return f"saved {clock(Moment(header.saved_at))} ({header.boundary}){on}"


def _value(content: Json) -> str:
    if isinstance(content, list):
        texts = [each if isinstance(each, str) else compact(each) for each in content]
        more = f" (+{len(texts) - _SHOWN})" if len(texts) > _SHOWN else ""
        return _cut(" · ".join(texts[:_SHOWN])) + more
    return _cut(content if isinstance(content, str) else compact(content))


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def field_data(field: StateField) -> dict[str, Json]:
    return {
        "name": field.name,
        "tier": field.tier,
        "type": field.type,
        "cap": field.cap,
        "time_to_live": field.time_to_live,
        "restore": field.restore,
        "source": field.source,
    }


def _fields(arguments: Arguments) -> Answer:
    rows: list[Json] = [field_data(each) for each in FIELDS.values()]

    def text(style: Style) -> str:
        shown = [
            [str(each.tier), each.name, each.type, str(each.cap), lives(each), each.restore] for each in FIELDS.values()
        ]
        return table(shown, ["tier", "field", "type", "cap", "lives", "restored"], style)

    return Answer(rows, text)


def lives(field: StateField) -> str:
    """How long a saved value counts, for people."""
    if field.time_to_live is None:
        return "no limit"
    return f"{field.time_to_live // 3600} h" if field.time_to_live else "not saved"


COMMANDS: dict[str, Command] = {
    "state": Command(
        run=_run,
        flags=_flags,
        examples="perdure state show\nperdure state show 1a2b3c4d --json\nperdure state fields",
        about="What survives the end of a context, field by field, and for how long.",
    )
}
