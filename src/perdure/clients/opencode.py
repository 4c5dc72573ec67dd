"""OpenCode: its tools. Perdure does not answer its hooks yet."""

from __future__ import annotations

from perdure.clients.port import CHANGES, LOOKS, RUNS, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "opencode"
TOOLS: Mapping[str, Tool] = {
    **dict.fromkeys(("read", "grep", "glob", "list", "webfetch", "websearch", "todoread", "todowrite"), Tool(LOOKS)),
    **dict.fromkeys(("task", "skill", "question", "lsp"), Tool(LOOKS)),
    **dict.fromkeys(("edit", "write"), Tool(CHANGES, "filePath")),
    "bash": Tool(RUNS, "command"),
}
FOLDER_FIELDS: tuple[str, ...] = ("workdir", "dir_path", "directory", "cwd")
OWN_SKILLS: frozenset[str] = frozenset()
