"""doctor: prove that the guard works, in every client found, and say what is wrong (SPEC 6.4)."""

from __future__ import annotations

import os

from perdure.doctor.examine import ExamineOptions, Steps, examine, examiners
from perdure.doctor.finding import BAD, IN_CLIENT, OK, WARN
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import Progress, harmless, path_for_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.doctor.finding import DoctorReport, Examined
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style

MARKS = {OK: ("green", "✓"), WARN: ("yellow", "!"), BAD: ("red", "✗")}

WAY_OUT = "\n".join(
    ["If Perdure itself is broken and blocks the client:", *(each.WAY_OUT for each in examiners().values())]
)


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-client", action="store_true", help="do not start the clients")
    parser.add_argument("--client", dest="only", metavar="NAME", choices=sorted(examiners()), help="only this client")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    events, checks = Progress("events checked"), Progress("steps done")
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        events.done()
        checks(done)

    report = examine(request(arguments), ExamineOptions(arguments.only, not arguments.no_client), Steps(events, step))
    checks.done()
    return Answer(_data(report), lambda style: _text(report, style), 0 if report.is_well else 1)


def _data(report: DoctorReport) -> dict[str, Json]:
    clients: list[Json] = [
        {
            "client": each.client,
            "version": each.version or None,
            "path": each.binary or None,
            "proved": each.proved or None,
            "inert": report.cause(each) or None,
        }
        for each in report.clients
    ]
    findings: list[Json] = [
        {"part": f.part, "state": f.state, "detail": f.detail, "fix": f.fix} for f in report.findings
    ]
    return {"clients": clients, "findings": findings, "guards_live": report.guards_live}


def _text(report: DoctorReport, style: Style) -> str:
    width = max(len(finding.part) for finding in report.findings)
    lines = [style("bold", path_for_people(report.project))] if report.project else []
    for finding in report.findings:
        lines.append(f"{style(*MARKS[finding.state])} {finding.part:{width}}  {_plain(finding.detail)}")
        if finding.fix:
            lines.append(style("dim", f"  {'':{width}}  → {_plain(finding.fix)}"))
    verdicts = [_verdict(report, client, style) for client in report.clients]
    return "\n".join([*lines, *(verdicts or ["no client was found, so there is nothing to guard"])])


def _plain(text: str) -> str:
    """Paths as a person writes them."""
    return harmless(text.replace(os.path.expanduser("~") + os.sep, "~" + os.sep))


def _verdict(report: DoctorReport, client: Examined, style: Style) -> str:
    name, cause = f"{client.title} {client.version}".strip(), report.cause(client)
    if cause:
        return style("red", f"the guard is INERT in {name}: {_plain(cause)}")
    said = "" if client.proved == IN_CLIENT else f", {client.proved}; not proved in the client"
    silent = "" if report.project else "; here it passes everything, because there is no project"
    return style("green", f"the guard is live in {name}{said}{silent}")


COMMANDS: dict[str, Command] = {
    "doctor": Command(
        run=_run,
        flags=_flags,
        examples="perdure doctor\nperdure doctor --no-client\nperdure doctor --json",
        about="Proves that the guard works: it runs the guard as it is registered, and the real client, which follows "
        "a script in a throw-away project with no account and no network. It also checks the record, the settings and "
        "this place. It changes nothing. Exits 1 if a guard does not work or something else is wrong.\n\n" + WAY_OUT,
    )
}
