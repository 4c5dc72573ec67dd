"""Gemini CLI: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import CHANGES, LOOKS, RUNS, ClientTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "gemini-cli"
_SHELL = ClientTool(RUNS, "command", folder_fields=("workdir", "dir_path", "directory", "cwd"))
TOOLS: Mapping[str, ClientTool] = {
    **dict.fromkeys(
        ("read_file", "read_many_files", "list_directory", "glob", "search_file_content"), ClientTool(LOOKS)
    ),
    **dict.fromkeys(("grep_search", "google_web_search", "web_fetch", "write_todos", "ask_user"), ClientTool(LOOKS)),
    **dict.fromkeys(("write_file", "replace"), ClientTool(CHANGES, "file_path")),
    "run_shell_command": _SHELL,
}
