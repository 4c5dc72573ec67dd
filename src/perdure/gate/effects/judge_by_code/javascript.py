"""Judges JavaScript that is given to node on the command line (`node -e`, `node -p`)."""

from __future__ import annotations

import os

from perdure.gate.effects import targets
from perdure.gate.effects.cards import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card
    from perdure.gate.shell.words import Field

BEFORE_CODE = ("-e", "-p", "-pe", "--eval", "--print")


def node(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`node -e CODE WORD…`: judged by the code. Any other call is refused as the card says."""
    from perdure.gate.effects.judge_by_card import record_in_reach, refuse  # it loads this module

    if len(args) < 2 or args[0].text not in BEFORE_CODE:
        refuse(call, name, card, matches=[(form, match(form, args)) for form in card.forms[:1]], args=args)
        return
    why = _why_not_read(call, args[1], args[2:])
    if why:
        record_in_reach(call, args)
        call.praxic(f"{name}: {why}")
    else:
        call.looked(f"{name}: its code only reads")


def _why_not_read(call: ProgramCall, code: Field, words: list[Field]) -> str:
    if code.text is None or code.text.startswith("-"):
        return "its code is not known before it runs; what is not known can follow it as a word, for process.argv"
    if any(field.may_be_option or field.splits or field.vanishes for field in words):
        return "a word after its code may be an option, which node obeys"
    from perdure.gate.languages import javascript as language

    reading = language.read(code.text)
    return reading.trouble or next((why for path in reading.required if (why := _why_not_plain(call, path))), "")


def _why_not_plain(call: ProgramCall, name: str) -> str:
    """Why node may run code where it is told to load a JSON file: it follows links, and looks for other files if there
    is none."""
    world, folders = call.walk.world, call.here.folders
    if folders is None:
        return "loads a module from a folder that is not known"
    for folder in folders:
        path = world.disk.real(os.path.normpath(os.path.join(world.disk.real(folder), name)))
        where, _, base = path.rpartition("/")
        is_there = base in world.disk.names_in(where or "/") and not world.disk.is_folder(path)
        if not is_there or not base.endswith(".json") or targets.is_scratch(path, world):
            return f"would load {name}, which may be no plain JSON file; fs.readFileSync only reads it"
    return ""
