"""The clients Perdure knows: one entry in `REGISTERED` and one adapter file each (CONTRIBUTING.md, "Add a client").

Everything that depends on a client asks here: which process is one (`place/process.py`), what its tools do
(`gate/tools.py`), which files and variables an agent may not change (`gate/effects`), how its hooks speak
(`surfaces/hooks`, the status line), how Perdure is installed for it (`install/installer.py`) and examined in it
(`doctor/examine.py`). `tests/test_shape.py` lists the modules that may name a client. This module is on the hook path:
a client's adapter is imported only when it is asked for.

    name_of_program("gemini") == "gemini-cli"
    adapter("claude-code").TOOLS["Edit"]
    adapter("a client nobody knows") is None        # its every tool call counts as one that changes things
"""

from __future__ import annotations

import sys

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from perdure.clients.port import Client, HookClient, ShellClient

CLAUDE_CODE = "claude-code"
DEFAULT = CLAUDE_CODE
"""The client if a hook or a command does not name one: the first client that Perdure supported."""


@value
class SettingsFiles:
    """The files in which a client keeps its hooks. An agent may not change them: it would switch off its own guard."""

    folder: str
    names: tuple[str, ...]
    """In a project. The person's own folder has the first of them."""
    variable: str = ""
    """The environment variable that names the person's own folder, if it is not this folder in their home."""
    script: str = ""
    """The script that committed hooks call, if there is one; in the folder, too."""
    env: str = ""
    """The field of those files that sets variables for the client's hooks and shells."""
    project_variable: str = ""
    """The environment variable in which hooks find the folder that the client was started in."""


@value
class Registered:
    """One client. Its modules are named, not imported. If it has no installer or examiner, that name is empty."""

    programs: tuple[str, ...]
    """The names that its process may have."""
    adapter: str
    settings: SettingsFiles | None = None
    installer: str = ""
    examiner: str = ""
    variables: tuple[str, ...] = ()
    """How the names of its environment variables begin. An agent may not set them: some tell the guard where it is."""
    mark: str = ""
    """The environment variable that it sets for whatever it starts, and that nobody else sets."""
    own_folders: tuple[str, ...] = ()
    """Folders in which it keeps its own files, such as transcripts. Nothing in them is part of the person's work."""


REGISTERED: dict[str, Registered] = {
    CLAUDE_CODE: Registered(
        programs=("claude",),
        adapter="perdure.clients.claude_code",
        settings=SettingsFiles(
            folder=".claude",
            names=("settings.json", "settings.local.json"),
            variable="CLAUDE_CONFIG_DIR",
            script="hooks/perdure.sh",
            env="env",
            project_variable="CLAUDE_PROJECT_DIR",
        ),
        installer="perdure.install.claude_code",
        examiner="perdure.doctor.claude_code",
        variables=("CLAUDE",),
        mark="CLAUDECODE",
        own_folders=(".claude/projects", ".claude/plans", ".claude/jobs", ".claude/tasks"),
    ),
    "codex": Registered(programs=("codex",), adapter="perdure.clients.codex"),
    "gemini-cli": Registered(programs=("gemini",), adapter="perdure.clients.gemini_cli"),
    "copilot-cli": Registered(programs=("copilot",), adapter="perdure.clients.copilot_cli"),
    "opencode": Registered(programs=("opencode",), adapter="perdure.clients.opencode"),
}


def name_of_program(program: str) -> str | None:
    """The client to which a process with this name belongs."""
    for name, client in REGISTERED.items():
        if program in client.programs:
            return name
    return None


def marks() -> list[str]:
    """The variables that show, where they are set, that a client started this process."""
    return [client.mark for client in REGISTERED.values() if client.mark]


def of_mark(environment: Mapping[str, str]) -> str | None:
    """The client that started this process, as its variable shows."""
    return next((name for name, client in REGISTERED.items() if client.mark and environment.get(client.mark)), None)


def settings_files() -> list[SettingsFiles]:
    return [client.settings for client in REGISTERED.values() if client.settings]


def adapter(name: str) -> Client | None:
    client = REGISTERED.get(name)
    found: Client | None = module(client.adapter) if client else None
    return found


def with_hooks(name: str) -> HookClient | None:
    """The adapter of a client whose hooks Perdure answers."""
    found = adapter(name)
    return found if hasattr(found, "parse_payload") else None  # type: ignore[return-value]


def with_shell(name: str) -> ShellClient | None:
    """The adapter of a client that starts its shell commands through a program of ours."""
    found = adapter(name)
    return found if hasattr(found, "read_shell_start") else None  # type: ignore[return-value]


def modules(facet: str) -> Mapping[str, Any]:
    """Client → its module as `installer` or `examiner`, for those clients that have one."""
    named = {name: getattr(client, facet) for name, client in REGISTERED.items()}
    return {name: module(dotted) for name, dotted in named.items() if dotted}


def module(dotted: str) -> Any:
    """Imports a module by its name. `importlib` would cost the hook path a millisecond."""
    __import__(dotted)
    return sys.modules[dotted]
