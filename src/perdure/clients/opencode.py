"""OpenCode: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import CHANGES, LOOKS, RUNS, ClientTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "opencode"
_SHELL = ClientTool(RUNS, "command", folder_fields=("workdir", "dir_path", "directory", "cwd"))
TOOLS: Mapping[str, ClientTool] = {
    **dict.fromkeys(
        ("read", "grep", "glob", "list", "webfetch", "websearch", "todoread", "todowrite"), ClientTool(LOOKS)
    ),
    **dict.fromkeys(("task", "skill", "question", "lsp"), ClientTool(LOOKS)),
    **dict.fromkeys(("edit", "write"), ClientTool(CHANGES, "filePath")),
    "bash": _SHELL,
}
