"""Judges sed and awk, whose scripts are programs themselves."""

from __future__ import annotations

from perdure.gate.effects.judge_by_code import matched
from perdure.gate.shell.words import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card
    from perdure.gate.languages import ScriptEffects
    from perdure.gate.shell.words import Field


def sed(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    from perdure.gate.languages import sed as language

    found = matched(card, args)
    in_place = found.has("-i", "--in-place")
    for suffix in found.values_of("-i", "--in-place"):
        if suffix.text is None or "/" in suffix.text or "*" in suffix.text:
            call.praxic(f"{name} -i writes a copy whose path `{suffix.shown()}` gives")
    scripts = found.values_of("-e", "--expression")
    files = found.operands
    if not scripts:
        scripts, files = found.operands[:1], found.operands[1:]
    elif any(language.read(field.text or "").written for field in files):
        call.praxic(f"{name}: BSD's ends its options at the first operand, which is then its script")
    _script(call, name, scripts, read=language.read, between="\n", reports_reading=not in_place)
    if in_place:
        _sed_in_place(call, name, files)


def _sed_in_place(call: ProgramCall, name: str, files: list[Field]) -> None:
    from perdure.gate.languages import sed as language

    if not files:
        call.noetic(f"{name} is given no file to change")
    for field in files:
        call.write(field, f"{name} -i changes it")
        if language.read(field.text or "").written:
            call.praxic(f"{name} -i: BSD's takes its next word as a suffix, and `{field.shown()}` as a script")


def awk(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    from perdure.gate.languages import awk as language

    found = matched(card, args)
    scripts = found.values_of("-e", "--source") or found.operands[:1]
    _script(call, name, scripts, read=language.read, between="\n")


def _script(
    call: ProgramCall,
    name: str,
    scripts: list[Field],
    *,
    read: Callable[[str], ScriptEffects],
    between: str,
    reports_reading: bool = True,
) -> None:
    """Judge the scripts, joined by `between`; `reports_reading`: add a finding where they only read."""
    if not scripts:
        call.noetic(f"{name} is given nothing to do")
        return
    texts: list[str] = []
    for field in scripts:
        text = script_text(field)
        if text is None:
            call.praxic(f"{name}: its script is not known before it runs")
            return
        texts.append(text)
    reading = read(between.join(texts))
    if reading.trouble:
        call.praxic(f"{name}: {reading.trouble}")
        return
    for path in reading.written:
        call.write(known(path), f"{name}'s script writes it")
    if not reading.written and reports_reading:
        call.looked(f"{name}: its script only reads")


def script_text(field: Field) -> str | None:
    """A script's text; None where it is not known. Unknown numbers are read as 1: no number changes what it may do."""
    pieces: list[str] = []
    for segment in field.segments:
        if isinstance(segment, str):
            pieces.append(segment)
        elif segment.shape in ("integer", "integers"):
            pieces.append("1")
        else:
            return None
    return "".join(pieces)
