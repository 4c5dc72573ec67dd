"""Perdure as a plugin of Claude Code: hooks by the portable shim, the MCP server, and the skill (SPEC 6.1).
`plugin/` of our own repository is what this writes; a test holds that.

    write("plugin")
"""

from __future__ import annotations

import os

from perdure import __version__
from perdure.errors import Refused
from perdure.files import listing
from perdure.install import claude_code, claude_servers, person_files, skill
from perdure.install.installer import FileChange
from perdure.model.json import parse
from perdure.model.json_text import new_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

NAME = "perdure"
MANIFEST = ".claude-plugin/plugin.json"
SCRIPT = "perdure.sh"
_SCRIPT_THERE = "${CLAUDE_PLUGIN_ROOT}/" + SCRIPT
OLDEST = "2.1.197"
"""The oldest client with which its hooks were tried."""


def texts() -> dict[str, tuple[str, int]]:
    """Path in the plugin → (text, mode)."""
    manifest: Json = {
        "name": NAME,
        "version": __version__,
        "description": "Records the work of an AI coding agent: a ledger, transactions, a guard before changes.",
        "author": {"name": "The Perdure authors"},
        "license": "Apache-2.0",
        "engines": {"claude-code": f">={OLDEST}"},
    }
    hooks: Json = {
        "description": "Perdure's guard and its record. If perdure is not installed, they say so and do nothing.",
        "hooks": {event: [group] for event, group in claude_code.portable(_SCRIPT_THERE).items()},
    }
    server = claude_servers.portable()
    return {
        MANIFEST: (new_text(manifest), 0o644),
        "hooks/hooks.json": (new_text(hooks), 0o644),
        ".mcp.json": (new_text({claude_servers.SERVERS: {claude_servers.NAME: server}}), 0o644),
        SCRIPT: (claude_code.shim_text(), 0o755),
        f"skills/{skill.NAME}": (skill.text(), 0o644),
    }


def write(folder: str) -> list[FileChange]:
    """Writes the plugin and returns what changed. A folder that holds something else is refused."""
    if listing(folder) and not _is_ours(folder):
        raise Refused(
            "folder_taken",
            f"{folder} is not empty and is not a plugin of Perdure. Nothing was written.",
            hint="Name a new folder.",
        )
    written = []
    for name, (text, mode) in texts().items():
        path = os.path.join(folder, name)
        change = FileChange(path=path, before=person_files.read(path), after=text, why="", mode=mode)
        if change.before != text:
            person_files.make_folders(path)
            person_files.put(path, change.before, text, mode=mode)
            written.append(change)
    return written


def _is_ours(folder: str) -> bool:
    try:
        found = parse(person_files.read(os.path.join(folder, MANIFEST)) or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("name") == NAME
