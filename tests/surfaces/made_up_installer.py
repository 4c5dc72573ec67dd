"""The installer of the made-up client: what `Installer` in `perdure/install/installer.py` asks for, and nothing more.

The client reads its hooks from one JSON file, event → the words of a command: `.made-up/hooks.local.json` or
`.made-up/hooks.json` in the project, or `.made-up/hooks.json` in the person's home.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from perdure.clients import port
from perdure.install import digest_line, person_files, program, settings_text, shim
from perdure.install.guard_registered import GuardFile, guard_file
from perdure.install.install_record import InstalledFile
from perdure.install.installer import LOCAL, PROJECT, SCOPES, USER, FileChange, InstallContext, InstallOptions, Plan
from perdure.model import json_text
from tests.surfaces import made_up_client as client

FOLDER = ".made-up"
SCRIPT = f"{FOLDER}/perdure.sh"


def settings_of(context: InstallContext, scope: str) -> str:
    name = "hooks.local.json" if scope == LOCAL else "hooks.json"
    return os.path.join(context.person if scope == USER else context.folder, FOLDER, name)


def is_found(context: InstallContext) -> bool:
    return os.path.isdir(os.path.join(context.person, FOLDER))


def installed_scopes(context: InstallContext) -> tuple[str, ...]:
    return tuple(scope for scope in SCOPES if context.recorded(client.NAME, scope))


def plan(context: InstallContext, wish: InstallOptions) -> Plan:
    path = settings_of(context, wish.scope)
    before = person_files.read(path)
    after = before or "{}"
    for event, words in _words(context, wish).items():
        root = settings_text.parse_settings(after, path)
        there = root.get(event)
        after = json_text.replace(there, [*words]) if there else json_text.add(root, event, [*words])
    changes = [FileChange(path, before, after)] if after != before else []
    return Plan(
        client=client.NAME,
        scope=wish.scope,
        changes=(*_script(context, wish.scope), *changes),
        entries=(InstalledFile(client.NAME, wish.scope, context.kept(path)),),
    )


def _words(context: InstallContext, wish: InstallOptions) -> Mapping[str, list[str]]:
    """Event → the command that is registered for it: the portable script if it is committed, else the interpreter."""
    events = [event for event, meaning in client.EVENTS.items() if meaning != port.STATUS_LINE]
    if wish.scope == PROJECT:
        return {event: ["sh", SCRIPT, event] for event in events}
    path = settings_of(context, wish.scope)
    return {event: wish.program.words(client, event, path) for event in events}


def _script(context: InstallContext, scope: str) -> list[FileChange]:
    path = os.path.join(context.folder, SCRIPT)
    before, text = person_files.read(path), script_text()
    is_ours = before is None or digest_line.is_untouched(before)
    return [FileChange(path, before, text)] if scope == PROJECT and is_ours and before != text else []


def script_text() -> str:
    return shim.text(client, lambda text: client.warn(port.SESSION_START, text))


def plan_removal(context: InstallContext, scope: str) -> Plan:
    path = settings_of(context, scope)
    before = person_files.read(path)
    after = before or "{}"
    for event, words in registered(path).items():
        if program.is_ours(words[1:]) or words[1:2] == [SCRIPT]:
            root = json_text.parse(after)
            index = root.index(event)
            after = after if index is None else json_text.remove(root, index)
    is_left = bool(json_text.parse(after).inside)
    changes = [FileChange(path, before, after if is_left else None)] if before is not None and after != before else []
    script = os.path.join(context.folder, SCRIPT)
    text = person_files.read(script) if scope == PROJECT else None
    if text is not None and digest_line.is_untouched(text):
        changes.append(FileChange(script, text, None))
    return Plan(client=client.NAME, scope=scope, changes=tuple(changes), entries=())


def registered(path: str) -> dict[str, list[str]]:
    """Event → the words that a settings file has for it."""
    root = settings_text.parse_settings(person_files.read(path) or "{}", path)
    return {event: [word.string or "" for word in root.at(event).inside] for event in root.keys}  # type: ignore[union-attr]


def guard_in(scope: str, path: str) -> GuardFile | None:
    mark = SCRIPT if scope == PROJECT else program.MARK
    event = port.event_name(client, port.BEFORE_TOOL)
    return guard_file(client.NAME, scope, path, needs=(mark, f'"{event}"'))
