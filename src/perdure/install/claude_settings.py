"""Claude Code's settings file: texts in, texts out. Ours is known by a mark in what it runs and by nothing else;
whatever is not ours keeps every byte.

    edited = with_hooks('{}', {"SessionStart": {"hooks": [{…}]}})
    without_hooks(edited.text, edited.made) == '{}'
"""

from __future__ import annotations

import json

from perdure.errors import Refused
from perdure.install import json_text, program, shim
from perdure.install.json_text import ARRAY, OBJECT, Node
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.json import Json

HOOKS, STATUS, PERMISSIONS, ALLOW = "hooks", "statusLine", "permissions", "allow"


@value
class Edited:
    """`made` names the containers that were not there before, as `hooks` or `hooks.SessionStart`."""

    text: str
    made: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@value
class Spot:
    """Where a handler of ours stands, and how many handlers its group has."""

    event: str
    group: int
    handler: int
    company: int


def parse(text: str, path: str) -> Node:
    """The file's object; refused, with the place, where it is none."""
    try:
        root = json_text.parse(text)
    except json_text.NotJson as error:
        where = f"line {error.line}, column {error.column}"
        raise Refused(
            "settings_not_json",
            f"{path} is not JSON: {where}: {error.why}. Nothing was changed in it.",
            hint="Mend it, then try again.",
            details={"path": path, "line": error.line, "column": error.column},
        ) from None
    if root.kind != OBJECT:
        raise _odd(path, "the file is not an object")
    return root


def readable(text: str) -> Node | None:
    try:
        root = json_text.parse(text)
    except json_text.NotJson:
        return None
    return root if root.kind == OBJECT else None


def check_shape(root: Node, path: str, events: tuple[str, ...]) -> None:
    """What is added to must be what it should be. The client would not read such a file at all."""
    _shape(root, HOOKS, OBJECT, path=path)
    for event in events:
        _shape(root.get(HOOKS), event, ARRAY, path=path)
    _shape(root, PERMISSIONS, OBJECT, path=path)
    _shape(root.get(PERMISSIONS), ALLOW, ARRAY, path=path)


def _shape(of: Node | None, key: str, kind: str, *, path: str) -> None:
    found = of.get(key) if of else None
    if found is not None and found.kind != kind:
        raise _odd(path, f"{json.dumps(key)} is not {'an object' if kind == OBJECT else 'an array'}")


def _odd(path: str, why: str) -> Refused:
    hint = "Set it right as the client documents it, then try again."
    return Refused("settings_odd", f"{path}: {why}. Nothing was changed in it.", hint=hint, details={"path": path})


# -- hooks ---------------------------------------------------------------------------------------------------------


def is_ours(handler: Node) -> bool:
    """By its shape, not by a word in it: a hook of the person's may speak of ours."""
    command, arguments = handler.get("command"), handler.get("args")
    words = [each.string or "" for each in arguments.inside] if arguments and arguments.kind == ARRAY else []
    if command is not None and command.string == "sh":
        return len(words) == 2 and words[0].endswith(shim.PATH)
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
    """The containers that are taken for ours where the record of them is lost: those in which something of ours is."""
    events = dict.fromkeys(f"{HOOKS}.{spot.event}" for spot in ours_in(root))
    return (HOOKS, *events) if events else ()


def with_hooks(text: str, wanted: Mapping[str, Json]) -> Edited:
    """For each event the one group of ours: left where it is as it should be, replaced in its place where it is not,
    else added behind those of others. What is ours and no longer wanted goes."""
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
    """The first group that is ours alone becomes what is wanted; every other handler of ours goes."""
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
    """`made` as the record has it; None where it is lost: then what is left empty goes."""
    touched: dict[str, None] = {}
    for spot in reversed(ours_in(json_text.parse(text))):
        text = _without(text, spot)
        touched[spot.event] = None
    for path in [*((HOOKS, event) for event in touched), *([(HOOKS,)] if touched else [])]:
        text = _without_container(text, path, made)
    return text


def _without(text: str, spot: Spot) -> str:
    """The handler goes; and its group with it, where nobody else's is in there."""
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
    standing = {each.string for each in _there(text, PERMISSIONS, ALLOW).inside}
    added = tuple(rule for rule in rules if rule not in standing)
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


# -- the status line -----------------------------------------------------------------------------------------------


@value
class StatusLine:
    """`command` as it is run; `written` its text in the file; `others` the other members; `odd` where it is none that a
    command could be put beside."""

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
    except (ValueError, RecursionError):  # numbers or depths that Python does not take
        return StatusLine(command="", written="", others={}, odd=True)
    others = {name: each for name, each in members.items() if name not in ("type", "command")}
    return StatusLine(command.string, command.text, others)


def status_line_of(text: str) -> StatusLine | None:
    """None also where the file cannot be read."""
    try:
        return status_line(json_text.parse(text))
    except json_text.NotJson:
        return None


def with_status_text(text: str, written: str) -> str:
    """The command of the status line that stands there becomes this JSON text; nothing else in it changes."""
    return json_text.replace_text(_there(text, STATUS, "command"), written)


def with_status_command(text: str, command: str) -> str:
    found = _there(text, STATUS, "command")
    return text if found.string == command else json_text.replace(found, command)


def with_status_line(text: str, command: str, others: dict[str, Json]) -> str:
    """Ours, new or in the place of an older one of ours."""
    content: Json = {"type": "command", "command": command, **others}
    found = json_text.parse(text).get(STATUS)
    if found is None:
        return json_text.add(json_text.parse(text), STATUS, content)
    return text if json_text.same(found, content) else json_text.replace(found, content)


def without_status_line(text: str) -> str:
    return _without_member(text, STATUS)
