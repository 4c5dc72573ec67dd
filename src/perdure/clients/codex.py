"""Codex: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import LOOKS, RUNS, ClientTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "codex"
_SHELL = ClientTool(RUNS, "command", folder_fields=("workdir", "dir_path", "directory", "cwd"))
TOOLS: Mapping[str, ClientTool] = {
    **dict.fromkeys(
        ("read_file", "list_dir", "grep_files", "view_image", "web_search", "update_plan"), ClientTool(LOOKS)
    ),
    **dict.fromkeys(("Bash", "shell", "shell_command", "exec_command", "local_shell"), _SHELL),
}
