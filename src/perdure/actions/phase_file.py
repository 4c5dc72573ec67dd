"""The phase of a client's session in a small file in the home, for the status line, which opens no ledger (SPEC 6.2).

show(resolved, RUNNING)
shown(home, client_session)     what the status line shows
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import make_folder, read_text, remove, write_whole
from perdure.lifecycle.phases import PHASES
from perdure.model.ids import is_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest

FOLDER = "phases"


def _path(home: str, client_session: str) -> str:
    return os.path.join(home, FOLDER, client_session)


def show(resolved: ResolvedRequest, phase: str) -> None:
    session = resolved.request.stated_client.client_session_id
    if not session or not is_token(session) or shown(resolved.home, session) == phase:
        return
    path = _path(resolved.home, session)
    try:
        make_folder(os.path.dirname(path))
        write_whole(path, phase + "\n")
    except Trouble:
        return  # the home cannot be written: the status line shows no phase


def shown(home: str, client_session: str) -> str:
    """The phase; empty if it is not known."""
    found = (read_text(_path(home, client_session)) or "").strip() if is_token(client_session) else ""
    return found if found in PHASES else ""


def forget(resolved: ResolvedRequest) -> None:
    session = resolved.request.stated_client.client_session_id
    if session and is_token(session):
        remove(_path(resolved.home, session))
