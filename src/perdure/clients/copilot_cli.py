"""Copilot CLI: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import CHANGES, LOOKS, RUNS, ClientTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "copilot-cli"
_SHELL = ClientTool(RUNS, "command", folder_fields=("workdir", "dir_path", "directory", "cwd"))
TOOLS: Mapping[str, ClientTool] = {
    **dict.fromkeys(
        ("view", "grep", "glob", "rg", "web_fetch", "report_intent", "read_bash", "list_bash"), ClientTool(LOOKS)
    ),
    **dict.fromkeys(("create", "edit", "str_replace_editor"), ClientTool(CHANGES, "path")),
    **dict.fromkeys(("bash", "Bash"), _SHELL),
}
