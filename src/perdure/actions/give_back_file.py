"""The file in the home with what the agent is told with its next prompt or tool call: what a compaction lost, or that
the context is nearly full. The guard only looks whether it is there, which costs a tool call one `stat`.

    keep(path_of(resolved), {"text": "…"})
    take(resolved)          the content; of several processes only one gets it
"""

from __future__ import annotations

import os

from perdure.files import make_folder, read_json, remove, write_whole
from perdure.model.ids import is_token
from perdure.model.json import compact
from perdure.place.home import give_back_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.model.json import Json


def path_of(resolved: ResolvedRequest) -> str:
    """Empty if the client's session has no usable id."""
    session = resolved.request.stated_client.client_session_id or ""
    return give_back_path(resolved.home, session) if is_token(session) else ""


def is_waiting(path: str) -> bool:
    return os.path.exists(path)


def keep(path: str, content: dict[str, Json]) -> None:
    make_folder(os.path.dirname(path))
    write_whole(path, compact(content) + "\n")


def take(resolved: ResolvedRequest) -> dict[str, Json] | None:
    """What the file holds, for one process alone: it is renamed first, and only one of several can do that."""
    path = path_of(resolved)
    if not path:
        return None
    taken = f"{path}.{os.getpid()}"
    try:
        os.rename(path, taken)
    except OSError:
        return None
    content = read_json(taken)
    remove(taken)
    return content
