"""The installer of the made-up client: the model for a new one (CONTRIBUTING, "Add a client", step 3).

It is complete: `is_found`, `installed_scopes`, `plan`, `plan_removal` and `guard_in` are all that Perdure asks of an
installer. Each `CHANGE` says what is different for a real client. `registered`, `settings_of` and `script_text` are for
the examiner.

The client reads its hooks from one JSON file, event → the words of a command: `.made-up/hooks.local.json` (scope LOCAL)
or `.made-up/hooks.json` (scope PROJECT: committed) in the project, or `.made-up/hooks.json` in the home (scope USER).
If a real client's hooks stand deeper in its JSON, only `plan`, `plan_removal` and `registered` change.
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
from tests.surfaces import made_up_client as client  # CHANGE: your adapter

FOLDER = ".made-up"  # CHANGE: where the client keeps its settings, as in `REGISTERED`
SCRIPT = f"{FOLDER}/perdure.sh"
"""The portable script that committed hooks call."""


def settings_of(context: InstallContext, scope: str) -> str:
    """CHANGE: the settings file of a scope. `context.folder` is the project's, `context.person` the person's home."""
    name = "hooks.local.json" if scope == LOCAL else "hooks.json"
    return os.path.join(context.person if scope == USER else context.folder, FOLDER, name)


def is_found(context: InstallContext) -> bool:
    """CHANGE: whether the client is on this machine."""
    return os.path.isdir(os.path.join(context.person, FOLDER))


def installed_scopes(context: InstallContext) -> tuple[str, ...]:
    """The scopes in which Perdure is installed for it, as the record in Perdure's home says."""
    return tuple(scope for scope in SCOPES if context.recorded(client.NAME, scope))


def plan(context: InstallContext, wish: InstallOptions) -> Plan:
    """What is to be changed, and nothing is changed yet. `json_text` edits JSON as text: what the person wrote stays
    byte for byte. `wish.allow` (unused here): also add the client's own permission rules for `perdure`."""
    path = settings_of(context, wish.scope)
    before = person_files.read(path)  # None if there is no such file
    after = before or "{}"
    for event, words in _words(context, wish).items():
        root = settings_text.parse_settings(after, path)  # refuses what is not a JSON object
        there = root.get(event)
        after = json_text.replace(there, [*words]) if there else json_text.add(root, event, [*words])
    changes = [FileChange(path, before, after)] if after != before else []
    return Plan(
        client=client.NAME,
        scope=wish.scope,
        changes=(*_script(context, wish.scope), *changes),
        entries=(InstalledFile(client.NAME, wish.scope, context.kept(path)),),  # for the record in Perdure's home
    )


def _words(context: InstallContext, wish: InstallOptions) -> Mapping[str, list[str]]:
    """Event → the command that is registered for it: the portable script if it is committed, else the interpreter with
    the code that calls Perdure, or denies with the adapter's `deny` if Perdure cannot be loaded."""
    events = [event for event, meaning in client.EVENTS.items() if meaning != port.STATUS_LINE]
    if wish.scope == PROJECT:
        return {event: ["sh", SCRIPT, event] for event in events}
    path = settings_of(context, wish.scope)
    return {event: wish.program.words(client, event, path) for event in events}


def _script(context: InstallContext, scope: str) -> list[FileChange]:
    """The script, if it is committed. One that a person edited is theirs, and stays."""
    path = os.path.join(context.folder, SCRIPT)
    before, text = person_files.read(path), script_text()
    is_ours = before is None or digest_line.is_untouched(before)
    return [FileChange(path, before, text)] if scope == PROJECT and is_ours and before != text else []


def script_text() -> str:
    """CHANGE: if the client names the project's folder in a variable, its name is the third argument of `shim.text`."""
    return shim.text(client, lambda text: client.warn(port.SESSION_START, text))


def plan_removal(context: InstallContext, scope: str) -> Plan:
    """Takes out what is ours, by what it is and not by where it stands: a person may have moved it."""
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
    """CHANGE: event → the words of the command that a settings file has for it."""
    root = settings_text.parse_settings(person_files.read(path) or "{}", path)
    return {event: [word.string or "" for word in root.at(event).inside] for event in root.keys}  # type: ignore[union-attr]


def guard_in(scope: str, path: str) -> GuardFile | None:
    """CHANGE: whether this settings file still registers the guard: the texts that it must have for that. None for a
    file that never does."""
    mark = SCRIPT if scope == PROJECT else program.MARK
    event = port.event_name(client, port.BEFORE_TOOL)
    return guard_file(client.NAME, scope, path, needs=(mark, f'"{event}"'))
