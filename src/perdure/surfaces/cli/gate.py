"""gate explain: what a command would do, part by part, and what the gate would say here (SPEC 5.7). gate why: what it
denied last (SPEC 5.1)."""

from __future__ import annotations

import json
import os
import sys

from perdure import clients
from perdure.actions import denials, gating
from perdure.actions.request import resolve_request
from perdure.actions.wiring import open_desk
from perdure.clients import port
from perdure.errors import BadInput
from perdure.gate.effects.finding import CONTAINED
from perdure.model.value import replace
from perdure.surfaces.cli.command import Answer, Command, client_flags, limit_flag, request, subcommands
from perdure.surfaces.output import harmless, local_time, one_line, terminal_width, wrapped
from perdure.surfaces.pane_name import pane_name
from perdure.surfaces.record_data import denial_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.denials import Denial
    from perdure.actions.gating import Gate, Judgement
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

COLOURS = {"noetic": "green", "transition": "cyan", "contained": "cyan", "praxic": "yellow", "forbidden": "red"}
IN_WORDS = {
    "noetic": "only reads",
    "transition": "moves the work along",
    "contained": "runs read-only",
    "praxic": "changes things",
}
"""What a person reads instead of an effect's name in the JSON. A name that is not here is shown as it is."""
_WIDTH = max(map(len, IN_WORDS.values())) + 2


def _explain_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", nargs="?", help="the shell command, as one word in quotes")
    parser.add_argument("--stdin", action="store_true", help="read one JSON value per line: a command or a tool call")
    parser.add_argument("--cwd", metavar="DIR", help="judge the command as if it ran in this folder")
    client_flags(parser)


def _why_flags(parser: argparse.ArgumentParser) -> None:
    limit_flag(parser, 5, "how many")


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "explain": ("show what a command would do, and by which rule", _explain_flags),
            "why": ("show what the gate denied last, why, and what clears it", _why_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"explain": _explain, "why": _why}[arguments.verb](arguments)


def _why(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = denials.latest(desk, arguments.limit)[::-1]
    return Answer([denial_data(each) for each in found], lambda style: _why_text(found, style))


def _why_text(found: list[Denial], style: Style) -> str:
    if not found:
        return "The gate has denied nothing here."
    return "\n\n".join("\n".join(_denial_lines(each, style)) for each in found)


def _denial_lines(each: Denial, style: Style) -> list[str]:
    width = terminal_width()
    what = "would have been denied" if each.is_observed else "denied"
    lines = [
        f"{style('dim', local_time(each.at))}  {style('red', what)}  {one_line(each.call or each.tool, width - 32)}"
    ]
    who = (pane_name(each.instance_id) if each.instance_id else "", harmless(each.actor))
    if any(who):
        lines.append(f"  {style('dim', ', '.join(filter(None, who)))}")
    lines += wrapped(each.reason, width, indent="  ")
    if each.clears:
        lines += wrapped(f"To clear it: {each.clears}", width, indent="  ")
    return lines


def _explain(arguments: Arguments) -> Answer:
    asked = request(arguments)
    if arguments.cwd is not None:
        if not os.path.isdir(arguments.cwd):
            raise BadInput("bad_path", "--cwd is not a folder.", hint="Give an existing folder.")
        asked = replace(asked, cwd=os.path.abspath(arguments.cwd))
    if arguments.stdin == (arguments.command is not None):
        raise BadInput(
            "usage", "Give one command in quotes, or --stdin.", hint="perdure gate explain 'git status | head'"
        )
    gate = gating.Gate(resolve_request(asked), strict=True)
    client = arguments.client or clients.DEFAULT
    if arguments.stdin:
        return _many(gate, client, as_json=arguments.json)
    judged = gate.judge(_shell_call(arguments.command))
    return Answer(data_of(judged), lambda style: text_of(judged, style))


def _shell_call(command: str) -> gating.ToolCall:
    """A call of the default client's tool that runs a command."""
    adapter = clients.adapter(clients.DEFAULT)
    assert adapter
    name, field = next((name, tool.field) for name, tool in adapter.TOOLS.items() if tool.does == port.RUNS)
    return gating.ToolCall(name, {field: command})


def _many(gate: Gate, client: str, *, as_json: bool) -> Answer:
    """Answers each line as it is read, so that a program can keep the pipe open."""
    for raw in sys.stdin.buffer:
        call, wrong = _call_of(raw, client)
        judged = gate.judge(call) if call else None
        data = data_of(judged) if judged else _unread(wrong)
        line = json.dumps(data) if as_json else f"{_words(str(data['effect'])):{_WIDTH}}{harmless(str(data['reason']))}"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return Answer(None, lambda _: "")


def _unread(why: str) -> dict[str, Json]:
    reason = f"this line cannot be read: {why}"
    return {
        "effect": "praxic",
        "reason": reason,
        "weighty": None,
        "uncertain": False,
        "writes": [],
        "parts": [],
        "verdict": "deny",
    }


def _call_of(raw: bytes, client: str) -> tuple[gating.ToolCall | None, str]:
    try:
        given = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({type(error).__name__})"
    if isinstance(given, str):
        return _shell_call(given), ""
    if not isinstance(given, dict):
        return None, "neither a command nor a tool call"
    tool, content = given.get("tool_name"), given.get("tool_input")
    if not isinstance(tool, str) or not isinstance(content, dict):
        return None, "a tool call has tool_name and tool_input"
    return gating.ToolCall(tool, content, client, subagent=bool(given.get("agent_id"))), ""


def data_of(judged: Judgement) -> dict[str, Json]:
    analysis, verdict = judged.analysis, judged.verdict
    return {
        "effect": analysis.effect,
        "reason": analysis.reason,
        "weighty": analysis.weighty or None,
        "uncertain": analysis.effect == CONTAINED or analysis.is_uncertain,
        "writes": list(analysis.written),
        "parts": [
            {"depth": f.depth, "part": f.part, "effect": f.effect, "reason": f.reason, "writes": list(f.written)}
            for f in analysis.findings
        ],
        "verdict": "deny" if judged.denies else "pass",
        "denied_because": verdict.reason or None,
        "clears": verdict.clears or None,
        "mode": judged.mode,
        "project_path": judged.project or None,
    }


def _words(effect: str) -> str:
    return IN_WORDS.get(effect, effect)


def text_of(judged: Judgement, style: Style) -> str:
    analysis = judged.analysis
    width = max((len(f.part) for f in analysis.findings), default=0)
    width = min(width, 44)
    marks = max((len(_words(f.effect)) for f in analysis.findings), default=0) + 2
    lines = [f"{style(COLOURS[analysis.effect], _words(analysis.effect))}: {harmless(analysis.reason)}", ""]
    for f in analysis.findings:
        part = harmless(f.part if len(f.part) <= width else f.part[: width - 1] + "…")
        mark = style(COLOURS[f.effect], f"{_words(f.effect):{marks}}")
        lines.append(f"  {mark}{'  ' * f.depth}{part:{width}}  {style('dim', harmless(f.reason))}")
    if analysis.written:
        lines += ["", "writes     " + harmless(", ".join(analysis.written))]
    if analysis.weighty:
        lines += ["needs      " + harmless(f"a CHECK that says proceed: it {analysis.weighty}")]
    if analysis.effect == CONTAINED:
        lines += [
            "read-only  not all that it does is known, so the kernel refuses what it would change outside scratch"
        ]
    elif analysis.is_uncertain and judged.denies:
        lines += [
            "read-only  in a client whose commands run read-only it is not denied: the kernel refuses its changes"
        ]
    return "\n".join([*lines, "", _here(judged, style)])


def _here(judged: Judgement, style: Style) -> str:
    verdict = judged.verdict
    if not judged.project and not verdict.denied:
        return style("dim", "here       no project, so everything passes")
    if not verdict.denied:
        return f"here       {style('green', 'pass')}"
    would = {"observe": "would be denied (observe)"}.get(judged.mode, "deny")
    lines = [f"here       {style('red', would)}: {harmless(verdict.reason)}"]
    if verdict.clears:
        lines.append(f"to clear   {harmless(verdict.clears)}")
    return "\n".join(lines)


COMMANDS: dict[str, Command] = {
    "gate": Command(
        run=_run,
        flags=_flags,
        examples="perdure gate explain 'cd src && grep -rn TODO . | head'\n"
        "perdure gate explain 'sed -i s/a/b/ app.py' --json\n"
        """jq -c '.tool_input.command' calls.jsonl | perdure gate explain --json --stdin\n"""
        "perdure gate why",
        about="Shows what a command would do: whether it only reads or changes things; and what was denied last.",
    )
}
