"""Checks quickly whether the guard is still registered where `perdure init` put it. `doctor` proves more.

An agent inside a transaction may change anything, and may lose a settings file with that (`git stash -a`). The client
drops hooks at once when they are gone from its settings, so no hook can report it: transitions and `status` do.
"""

from __future__ import annotations

import os

from perdure.files import read_text
from perdure.install import install_record, kept_record
from perdure.model.json import parse
from perdure.model.value import value
from perdure.place.project import folder_of

MARK, SHIM = "perdure.surfaces.hooks", ".claude/hooks/perdure.sh"
"""What every entry of ours contains: with a real interpreter, or with the portable script."""


@value
class GuardFile:
    """A settings file in which the guard was registered; `why` says why it does not run, if so."""

    scope: str
    path: str
    is_missing: bool
    why: str


def missing_guards(root: str, home: str) -> list[str]:
    """A sentence for each settings file that no longer registers the guard. One that a person removed with `perdure
    uninstall` is not in the record."""
    return [guard.why for guard in guards(root, home) if guard.why]


def guards(root: str, home: str) -> list[GuardFile]:
    """The settings files that the project's record, its copy in the home, and the person's own record name."""
    found = [
        *install_record.read(os.path.join(folder_of(root), install_record.NAME)),
        *kept_record.kept(home, root),
        *install_record.read(os.path.join(home, install_record.NAME)),
    ]
    files = {(entry.scope, os.path.join(root, entry.settings)) for entry in found}
    return [_looked_at(scope, path) for scope, path in sorted(files) if not _holds_no_guard(scope, path)]


def _holds_no_guard(scope: str, path: str) -> bool:
    """Whether the file never has a guard: a local status line beside a committed guard; a list of MCP servers."""
    return (scope == "project" and path.endswith("settings.local.json")) or "settings" not in os.path.basename(path)


def _looked_at(scope: str, path: str) -> GuardFile:
    text = read_text(path) or ""
    mark = SHIM if scope == "project" else MARK
    if mark not in text or '"PreToolUse"' not in text:
        command = "init" if scope == "user" else "heal"
        why = f"the guard is no longer registered in {path}: perdure {command} restores it."
        return GuardFile(scope=scope, path=path, is_missing=True, why=why)
    return GuardFile(scope=scope, path=path, is_missing=False, why=_why_off(path, text))


def _why_off(path: str, text: str) -> str:
    try:
        content = parse(text.removeprefix("\ufeff"))
    except ValueError:
        return f"{path} is no longer JSON, so the client ignores it: the guard does not run. Fix that file."
    if isinstance(content, dict) and content.get("disableAllHooks") is True:
        return f"hooks are switched off in {path} (disableAllHooks): the guard does not run until that is taken out."
    return ""
