"""Edits Claude Code's settings file: text in, text out. Our entries are recognized only by a mark in the command that
they run; everything else keeps every byte.

    edited = with_hooks('{}', {"SessionStart": {"hooks": [{…}]}})
    without_hooks(edited.text, edited.made) == '{}'
"""

from __future__ import annotations

import json

from perdure.clients import REGISTERED, claude_code
from perdure.install import program, settings_text
from perdure.model import json_text
from perdure.model.json_text import ARRAY, OBJECT, Node
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.json import Json

HOOKS, STATUS, PERMISSIONS, ALLOW = "hooks", claude_code.STATUS_LINE, "permissions", "allow"
OFF = "disableAllHooks"
ENV = "env"
PROJECT_FILES = ("settings.local.json", "settings.json")
"""The files of a project. What the first says counts more."""
_FILES = REGISTERED[claude_code.NAME].settings
assert _FILES
SHIM = f"{_FILES.folder}/{_FILES.script}"
"""The portable script, from the project's root."""
PROJECT_VARIABLE = _FILES.project_variable


@value
class Edited:
    """`made` names the containers that did not exist before, as `hooks` or `hooks.SessionStart`."""

    text: str
    made: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@value
class Spot:
    """Where one of our handlers is, and how many handlers its group has."""

    event: str
    group: int
    handler: int
    company: int


def readable(text: str) -> Node | None:
    try:
        root = json_text.parse(text)
    except json_text.NotJson:
        return None
    return root if root.kind == OBJECT else None


def check_shape(root: Node, path: str, events: tuple[str, ...]) -> None:
    """A field that we add to must have the right type. The client would ignore such a file anyway."""
    _shape(root, HOOKS, OBJECT, path=path)
    for event in events:
        _shape(root.get(HOOKS), event, ARRAY, path=path)
    _shape(root, PERMISSIONS, OBJECT, path=path)
    _shape(root, ENV, OBJECT, path=path)
    _shape(root.get(PERMISSIONS), ALLOW, ARRAY, path=path)


def _shape(of: Node | None, key: str, kind: str, *, path: str) -> None:
    found = of.get(key) if of else None
    if found is not None and found.kind != kind:
        raise settings_text.odd(path, f"{json.dumps(key)} is not {'an object' if kind == OBJECT else 'an array'}")


# -- hooks ---------------------------------------------------------------------------------------------------------


def is_ours(handler: Node) -> bool:
    """By its structure, not by a word in it: a hook of the person may mention ours."""
    command, arguments = handler.get("command"), handler.get("args")
    words = [each.string or "" for each in arguments.inside] if arguments and arguments.kind == ARRAY else []
    if command is not None and command.string == "sh":
        return len(words) == 2 and words[0].endswith(SHIM)
    return program.is_ours(words)


def ours_in(root: Node) -> list[Spot]:
    found = []
    hooks = root.get(HOOKS)
    for event in dict.fromkeys(hooks.keys if hooks else ()):
        groups = root.at(HOOKS, event)
        for number, group in enumerate(groups.inside if groups else ()):
            handlers = group.get(HOOKS) if group.kind == OBJECT else None
            inside = handlers.inside if handlers and handlers.kind == ARRAY else ()
            found += [
                Spot(event=event, group=number, handler=place, company=len(inside))
                for place, each in enumerate(inside)
                if is_ours(each)
            ]
    return found


def made_in(root: Node) -> tuple[str, ...]:
    """The containers that count as ours if the record is lost: those that hold something of ours."""
    events = dict.fromkeys(f"{HOOKS}.{spot.event}" for spot in ours_in(root))
    variables = (ENV,) if is_our_shell(variable(root, claude_code.SHELL_VARIABLE) or "") else ()
    return (*((HOOKS, *events) if events else ()), *variables)


def with_hooks(text: str, wanted: Mapping[str, Json]) -> Edited:
    """Each event gets one group of ours: it stays if it is right, is replaced in place if not, and is otherwise added
    after the others. What is ours and no longer needed is removed."""
    made: list[str] = []
    for event in {spot.event: None for spot in ours_in(json_text.parse(text))}:
        text = _one_of_ours(text, event, wanted.get(event))
    for event, group in wanted.items():
        if _of(text, event):
            continue
        for path in ((HOOKS,), (HOOKS, event)):
            if json_text.parse(text).at(*path) is None:
                text = _with_container(text, path, {} if path == (HOOKS,) else [])
                made.append(".".join(path))
        text = json_text.add(_there(text, HOOKS, event), None, group)
    return Edited(text, tuple(made))


def _one_of_ours(text: str, event: str, wanted: Json) -> str:
    """The first group that is only ours becomes what is wanted; every other handler of ours is removed."""
    spots = _of(text, event)
    kept = next((spot for spot in spots if spot.company == 1), None) if wanted is not None else None
    for spot in reversed(spots):
        text = text if spot == kept else _without(text, spot)
    for spot in _of(text, event):
        group = _there(text, HOOKS, event, spot.group)
        text = text if json_text.same(group, wanted) else json_text.replace(group, wanted)
    return text


def _of(text: str, event: str) -> list[Spot]:
    return [spot for spot in ours_in(json_text.parse(text)) if spot.event == event]


def without_hooks(text: str, made: tuple[str, ...] | None) -> str:
    """`made` as the record has it; None if it is lost: then containers that are left empty are removed."""
    touched: dict[str, None] = {}
    for spot in reversed(ours_in(json_text.parse(text))):
        text = _without(text, spot)
        touched[spot.event] = None
    for path in [*((HOOKS, event) for event in touched), *([(HOOKS,)] if touched else [])]:
        text = _without_container(text, path, made)
    return text


def _without(text: str, spot: Spot) -> str:
    """Removes the handler, and its group if no other handler is in it."""
    if _there(text, HOOKS, spot.event, spot.group, HOOKS).inside[1:]:
        return json_text.remove(_there(text, HOOKS, spot.event, spot.group, HOOKS), spot.handler)
    return json_text.remove(_there(text, HOOKS, spot.event), spot.group)


# -- containers ----------------------------------------------------------------------------------------------------


def _there(text: str, *path: str | int) -> Node:
    found = json_text.parse(text).at(*path)
    assert found is not None, path
    return found


def _with_container(text: str, path: tuple[str, ...], empty: Json) -> str:
    return json_text.add(_there(text, *path[:-1]), path[-1], empty)


def _without_container(text: str, path: tuple[str, ...], made: tuple[str, ...] | None) -> str:
    found = json_text.parse(text).at(*path)
    if found is None or found.inside or (made is not None and ".".join(path) not in made):
        return text
    return _without_member(text, *path)


def _without_member(text: str, *path: str) -> str:
    above = _there(text, *path[:-1])
    index = above.index(path[-1])
    return text if index is None else json_text.remove(above, index)


def is_empty(text: str) -> bool:
    return not json_text.parse(text).inside


# -- permission rules ----------------------------------------------------------------------------------------------


def with_rules(text: str, rules: tuple[str, ...]) -> Edited:
    made = []
    for path, empty in (((PERMISSIONS,), {}), ((PERMISSIONS, ALLOW), [])):
        if json_text.parse(text).at(*path) is None:
            text = _with_container(text, path, empty)
            made.append(".".join(path))
    present = {each.string for each in _there(text, PERMISSIONS, ALLOW).inside}
    added = tuple(rule for rule in rules if rule not in present)
    for rule in added:
        text = json_text.add(_there(text, PERMISSIONS, ALLOW), None, rule)
    return Edited(text, tuple(made), added)


def without_rules(text: str, rules: tuple[str, ...], made: tuple[str, ...] | None) -> str:
    for rule in rules:
        allowed = json_text.parse(text).at(PERMISSIONS, ALLOW)
        places = [i for i, each in enumerate(allowed.inside) if each.string == rule] if allowed else []
        if allowed and places:
            text = json_text.remove(allowed, places[-1])
    for path in ((PERMISSIONS, ALLOW), (PERMISSIONS,)) if rules else ():
        text = _without_container(text, path, made)
    return text


# -- variables -----------------------------------------------------------------------------------------------------


def variable(root: Node, name: str) -> str | None:
    """What the settings set a variable to; None if they do not, or not to a text."""
    found = root.at(ENV, name)
    return found.string if found is not None else None


def is_our_shell(path: str) -> bool:
    """Whether it is our program for shells, by its name: Perdure's home may have been another one before."""
    return path.endswith(f"/shell/{claude_code.NAME}")


def with_variable(text: str, name: str, content: str) -> Edited:
    made: tuple[str, ...] = ()
    if json_text.parse(text).get(ENV) is None:
        text, made = _with_container(text, (ENV,), {}), (ENV,)
    found = json_text.parse(text).at(ENV, name)
    if found is None:
        return Edited(json_text.add(_there(text, ENV), name, content), made)
    return Edited(text if found.string == content else json_text.replace(found, content), made)


def without_variable(text: str, name: str, made: tuple[str, ...] | None) -> str:
    return _without_container(_without_member(text, ENV, name), (ENV,), made)


# -- the status line -----------------------------------------------------------------------------------------------


@value
class StatusLine:
    """`command` as it is run; `written` is its text in the file; `others` are the other fields; `odd` if ours cannot be
    put beside it."""

    command: str
    written: str
    others: dict[str, Json]
    odd: bool = False

    @property
    def is_ours(self) -> bool:
        return program.is_our_command(self.command)

    @property
    def original(self) -> str | None:
        return program.original_of(self.command)


def status_line(root: Node) -> StatusLine | None:
    found = root.get(STATUS)
    if found is None:
        return None
    kind, command = found.get("type"), found.get("command")
    if kind is None or kind.string != "command" or command is None or command.string is None:
        return StatusLine(command="", written="", others={}, odd=True)
    try:
        members: dict[str, Json] = json.loads(found.text)
    except (ValueError, RecursionError):  # numbers or depths that Python cannot read
        return StatusLine(command="", written="", others={}, odd=True)
    others = {name: each for name, each in members.items() if name not in ("type", "command")}
    return StatusLine(command.string, command.text, others)


def status_line_of(text: str) -> StatusLine | None:
    """Also None if the file cannot be read."""
    try:
        return status_line(json_text.parse(text))
    except json_text.NotJson:
        return None


def with_status_text(text: str, written: str) -> str:
    """Replaces the command of the existing status line by this JSON text; nothing else in it changes."""
    return json_text.replace_text(_there(text, STATUS, "command"), written)


def with_status_command(text: str, command: str) -> str:
    found = _there(text, STATUS, "command")
    return text if found.string == command else json_text.replace(found, command)


def with_status_line(text: str, command: str, others: dict[str, Json]) -> str:
    """Adds our status line, or replaces an older one of ours."""
    content: Json = {"type": "command", "command": command, **others}
    found = json_text.parse(text).get(STATUS)
    if found is None:
        return json_text.add(json_text.parse(text), STATUS, content)
    return text if json_text.same(found, content) else json_text.replace(found, content)


def without_status_line(text: str) -> str:
    return _without_member(text, STATUS)
