"""Draws the reliability curves as one SVG: what an agent stated against what the evidence said. A dot on the diagonal
means that the agent was right."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.calibration import VectorCalibration

_SIZE, _LEFT, _TOP = 300, 48, 40
_FONTS = (
    "DejaVu Sans, Liberation Sans, Noto Sans, Helvetica Neue, Helvetica, Arial, Verdana, Ubuntu, Cantarell, Roboto, "
    "Open Sans, Lato, FreeSans, sans-serif"
)
"""By their names: what turns it into a PNG takes `sans-serif` alone for Arial, and leaves out all text without it."""
_COLOURS = ("#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2")


def reliability(rows: list[VectorCalibration]) -> str:
    vectors = sorted({row.vector for row in rows}) or ["know"]
    agents = sorted({row.agent for row in rows})
    panels = "".join(
        _panel(number, vector, [row for row in rows if row.vector == vector], agents=agents)
        for number, vector in enumerate(vectors)
    )
    width = len(vectors) * (_SIZE + _LEFT + 24) + 24
    height = _TOP + _SIZE + 64 + 18 * len(agents)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{_FONTS}" font-size="12"><rect width="100%" height="100%" fill="white"/>'
        f"{panels}{_legend(agents)}</svg>\n"
    )


def _panel(number: int, vector: str, rows: list[VectorCalibration], *, agents: list[str]) -> str:
    left = _LEFT + number * (_SIZE + _LEFT + 24)
    marks = "".join(
        f'<text x="{left + t * _SIZE:.0f}" y="{_TOP + _SIZE + 16}" text-anchor="middle" fill="#666">{t:g}</text>'
        f'<text x="{left - 6}" y="{_TOP + _SIZE - t * _SIZE + 4:.0f}" text-anchor="end" fill="#666">{t:g}</text>'
        for t in (0, 0.2, 0.4, 0.6, 0.8, 1)
    )
    curves = "".join(_curve(row, left, _COLOURS[agents.index(row.agent) % len(_COLOURS)]) for row in rows)
    return (
        f'<text x="{left}" y="{_TOP - 14}" font-size="14" font-weight="bold">{_safe(vector)}</text>'
        f'<rect x="{left}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}" fill="#fafafa" stroke="#ccc"/>'
        f'<line x1="{left}" y1="{_TOP + _SIZE}" x2="{left + _SIZE}" y2="{_TOP}" stroke="#999" stroke-dasharray="4 4"/>'
        f"{marks}{curves}"
        f'<text x="{left + _SIZE / 2:.0f}" y="{_TOP + _SIZE + 36}" text-anchor="middle">stated</text>'
        f'<text x="{left - 34}" y="{_TOP + _SIZE / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 {left - 34} {_TOP + _SIZE / 2:.0f})">evidence</text>'
    )


def _curve(row: VectorCalibration, left: int, colour: str) -> str:
    points = [(left + p.stated * _SIZE, _TOP + _SIZE - p.evidence * _SIZE, p.count) for p in row.curve]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{min(10, 3 + count**0.5):.1f}" fill="{colour}" fill-opacity="0.8">'
        f"<title>{count} transactions</title></circle>"
        for x, y, count in points
    )
    return f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'


def _legend(agents: list[str]) -> str:
    top = _TOP + _SIZE + 56
    return "".join(
        f'<rect x="{_LEFT}" y="{top + 18 * n}" width="12" height="12" fill="{_COLOURS[n % len(_COLOURS)]}"/>'
        f'<text x="{_LEFT + 18}" y="{top + 10 + 18 * n}">{_safe(agent)}</text>'
        for n, agent in enumerate(agents)
    )


def _safe(text: str) -> str:
    kept = "".join(c for c in text if c.isprintable())
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
