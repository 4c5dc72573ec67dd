"""OpenCode: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import CHANGES, LOOKS, RUNS, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "opencode"
_SHELL = Tool(RUNS, "command", folder_fields=("workdir", "dir_path", "directory", "cwd"))
TOOLS: Mapping[str, Tool] = {
    **dict.fromkeys(("read", "grep", "glob", "list", "webfetch", "websearch", "todoread", "todowrite"), Tool(LOOKS)),
    **dict.fromkeys(("task", "skill", "question", "lsp"), Tool(LOOKS)),
    **dict.fromkeys(("edit", "write"), Tool(CHANGES, "filePath")),
    "bash": _SHELL,
}
