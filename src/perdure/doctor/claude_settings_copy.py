"""Makes a harmless copy of a settings file of Claude Code, for a trial in which the client must not run or fetch
anything.

The client silently ignores a whole file if one member has a wrong type. The copy must show that, too, so nothing is
corrected: a member that would act is removed only if it has the type with which it acts; the rest stays as it is.

    harmless('{"apiKeyHelper": "./key.sh", "model": 3}', stays) == '{"model": 3}'
"""

from __future__ import annotations

import json
import re

from perdure.install.claude_settings import HOOKS, PERMISSIONS, STATUS
from perdure.model.json_text import NotJson
from perdure.model.json_text import parse as parse_strictly
from perdure.place.client_variables import OURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Members = dict[str, Any]
    Runs = Callable[[list[str], str], bool]
    """Whether this command, registered for this event, may be run."""

ACTS: tuple[tuple[re.Pattern[str], tuple[type, ...]], ...] = (
    (re.compile(r"helper$|refresh$|export$|login|proxy", re.I), (str,)),
    (re.compile(r"^enableall", re.I), (bool,)),
    (re.compile(r"servers$", re.I), (list, dict)),
    (re.compile(r"mcp|plugin|marketplace|filesuggestion", re.I), (dict,)),
    (re.compile(r"otel|aws|gcp", re.I), (str, list, dict)),
)
"""Fields that run something, fetch something or hold a credential: their names, and the type they then have."""
SIMPLE = "CLAUDE_CODE_SIMPLE"
"""In `env`: it turns hooks off; old versions read it there, too."""
ENV = "env"
PLACES = ("PERDURE_HOME", "PERDURE_PROJECT", "PERDURE_INSTANCE")
NOTHING = "true"
"""A command that does nothing."""
OTHERS = {"http": "url", "prompt": "prompt", "agent": "prompt", "mcp_tool": "tool"}
"""Handlers that are not commands, and the field without which they do nothing."""
BASH = re.compile(r"Bash(\(|$)")


class CannotCopy(Exception):
    """No copy can be made that the client would read like the file."""


def harmless(text: str, runs: Runs, *, is_persons: bool = False, variables: Mapping[str, str] | None = None) -> str:
    """A text that is not JSON stays as it is: the client ignores it anyway. Of the person's own file, variables that
    say where Perdure works are left out: they would lead out of the trial. In a project's file they do not count.
    `variables` stay in `env` if the file sets them to just that."""
    members = loaded(text)
    if members is None:
        return text
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    kept = {name: _tamed(name, content, runs) for name, content in members.items() if _stays(name, content)}
    given = members.get(ENV)
    if isinstance(given, dict):
        kept[ENV] |= {name: each for name, each in (variables or {}).items() if given.get(name) == each}
    if is_persons and isinstance(kept.get(ENV), dict):
        kept[ENV] = {name: content for name, content in kept[ENV].items() if name not in PLACES}
    return bom + json.dumps(kept)


def loaded(text: str) -> Members | None:
    """None if the client, which reads strictly, finds no object."""
    try:
        parse_strictly(text)
    except NotJson:
        return None
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # a number or a depth that Python cannot read
        raise CannotCopy(str(error)) from error
    return found if isinstance(found, dict) else None


def without(text: str, name: str) -> str:
    members = loaded(text) or {}
    return json.dumps({key: content for key, content in members.items() if key != name})


def _stays(name: str, content: object) -> bool:
    kinds = next((kinds for pattern, kinds in ACTS if pattern.search(name)), ())
    return not isinstance(content, kinds)


def _tamed(name: str, content: Any, runs: Runs) -> Any:
    if not isinstance(content, dict):
        return content
    if name == ENV:
        return {key: each for key, each in content.items() if key == SIMPLE or key.startswith(OURS)}
    if name == STATUS:
        return _quiet(content)
    if name == HOOKS:
        return {event: _groups(groups, event, runs) for event, groups in content.items()}
    if name == PERMISSIONS:
        return {key: _rules(rules) for key, rules in content.items()}
    return content


def _groups(groups: Any, event: str, runs: Runs) -> Any:
    return [_group(group, event, runs) for group in groups] if isinstance(groups, list) else groups


def _group(group: Any, event: str, runs: Runs) -> Any:
    handlers = group.get(HOOKS) if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        return group
    return {**group, HOOKS: [_handler(each, event, runs) for each in handlers]}


def _handler(handler: Any, event: str, runs: Runs) -> Any:
    """Our handler stays. Another command is replaced by one that does nothing, and keeps its other fields; a handler
    that is not a command becomes one. An unknown type keeps its name, for versions that do not know it either."""
    if not isinstance(handler, dict) or runs(_words(handler), event):
        return handler
    kind = handler.get("type")
    if kind == "command":
        return _quiet(handler)
    if kind in OTHERS:
        is_whole = isinstance(handler.get(OTHERS[kind]), str)
        return {"type": "command", "command": NOTHING} if is_whole else handler
    return {"type": kind}


def _words(handler: Members) -> list[str]:
    arguments = handler.get("args")
    return [str(each) for each in (handler.get("command", ""), *(arguments if isinstance(arguments, list) else ()))]


def _quiet(handler: Members) -> Members:
    """The same handler, running nothing. Without arguments a shell reads the command."""
    if not isinstance(handler.get("command"), str):
        return handler
    arguments = handler.get("args")
    is_whole = isinstance(arguments, list) and all(isinstance(each, str) for each in arguments)
    kept = {key: each for key, each in handler.items() if key != "args" or not is_whole}
    return {**kept, "command": NOTHING}


def _rules(rules: Any) -> Any:
    """The probes run in Bash; what else the person allows there does not matter."""
    if not isinstance(rules, list):
        return rules
    return [rule for rule in rules if not (isinstance(rule, str) and BASH.match(rule))]
