"""calibration: how far self-assessments were from the evidence, as a table, JSON or a chart (SPEC 4.7)."""

from __future__ import annotations

from perdure.actions.calibration import calibration
from perdure.actions.wiring import open_desk
from perdure.errors import Trouble
from perdure.files import NewFile
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.output import path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.actions.calibration import VectorCalibration
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="NAME", help="only this agent")
    parser.add_argument("--svg", metavar="FILE", help="draw the reliability curves as SVG")
    parser.add_argument("--png", metavar="FILE", help="draw them as PNG (needs: pipx inject perdure resvg-py)")
    common(parser)


def _run(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        found = calibration(desk, arguments.agent)
    drawn = [path for path in (_svg(found, arguments.svg), _png(found, arguments.png)) if path]
    data: Json = {"agents": [_data(row) for row in found], "drawn": list(drawn)}

    def text(style: Style) -> str:
        if not found:
            return "nothing to compare yet: no closed transaction had tests, claims or scenarios as evidence"
        rows = [
            [r.agent, r.vector, str(r.transactions), f"{r.bias:+.3f}", f"{r.spread:.3f}", f"{-r.correction:+.3f}"]
            for r in found
        ]
        drawing = "".join(f"\ndrawn: {path_for_people(path)}" for path in drawn)
        return table(rows, ["agent", "vector", "n", "bias", "spread", "next changes by"], style) + drawing

    return Answer(data, text)


def _data(row: VectorCalibration) -> dict[str, Json]:
    return {
        "agent": row.agent,
        "vector": row.vector,
        "transactions": row.transactions,
        "bias": row.bias,
        "spread": row.spread,
        "correction": row.correction,
        "curve": [{"from": p.low, "count": p.count, "stated": p.stated, "evidence": p.evidence} for p in row.curve],
    }


def _svg(rows: list[VectorCalibration], path: str | None) -> str | None:
    if path is None:
        return None
    from perdure.surfaces.plot import reliability

    _write_new(path, reliability(rows).encode())
    return path


def _png(rows: list[VectorCalibration], path: str | None) -> str | None:
    if path is None:
        return None
    from perdure.surfaces.plot import reliability

    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Trouble(
            "no_png", "PNG needs the optional package resvg-py.", hint="pipx inject perdure resvg-py; or use --svg."
        ) from None
    drawing = reliability(rows)
    drawn = bytes(svg_to_bytes(svg_string=drawing))
    if drawn == bytes(svg_to_bytes(svg_string=drawing, skip_system_fonts=True)):
        raise Trouble(
            "no_png", "No font was found for the words of the PNG.", hint="Install one (fonts-dejavu); or use --svg."
        )
    _write_new(path, drawn)
    return path


def _write_new(path: str, content: bytes) -> None:
    with NewFile(path, mode=0o644) as file:  # a chart is meant for others
        file.write(content)


COMMANDS: dict[str, Command] = {
    "calibration": Command(
        run=_run,
        flags=_flags,
        examples="perdure calibration\nperdure calibration --svg calibration.svg",
        about=(
            "Shows how far each agent's self-assessments were from the evidence, and the correction "
            "(docs/calibration.md)."
        ),
    )
}
