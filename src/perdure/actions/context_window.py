"""Finds out how full a client's context is (SPEC 10.5).

Hooks need to know it, but their input does not say it; the client tells only its status line. So the status line writes
the figures to a small file per client session under `~/.perdure/context/`, and hooks read it there (SPEC 6.2). Without
that file the end of the client's transcript is read. Figures from before a compaction do not count, so the session
start after a compaction removes the file.

    use_of(resolved, payload.transcript_path)       ContextUse, or None if nothing is known
"""

from __future__ import annotations

import os

from perdure.files import make_folder, read_json, remove, write_whole
from perdure.lifecycle.context_use import ContextUse
from perdure.model.ids import is_token
from perdure.model.json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest

FOLDER = "context"
TRANSCRIPT_READ = 1 << 20
"""Bytes that are read of a transcript, from its end."""


def _path(home: str, client_session_id: str) -> str:
    return os.path.join(home, FOLDER, f"{client_session_id}.json")


def store(home: str, client_session_id: str, use: ContextUse) -> None:
    """Writes the figures to the session's file, unless it has them already."""
    if read(home, client_session_id) == use:
        return
    path = _path(home, client_session_id)
    make_folder(os.path.dirname(path))
    write_whole(path, compact({"tokens": use.tokens, "size": use.size, "counted": use.is_counted}) + "\n")


def read(home: str, client_session_id: str) -> ContextUse | None:
    raw = read_json(_path(home, client_session_id)) or {}
    tokens, size = raw.get("tokens"), raw.get("size")
    if type(tokens) is not int or type(size) is not int:
        return None
    return ContextUse(tokens, size, raw.get("counted") is True)


def forget(home: str, client_session_id: str) -> None:
    remove(_path(home, client_session_id))


def use_of(resolved: ResolvedRequest, transcript: str) -> ContextUse | None:
    """What the status line was told; else what the transcript says, or an estimate by it; else None."""
    session = resolved.request.stated_client.client_session_id
    stored = read(resolved.home, session) if session and is_token(session) else None
    return stored or in_transcript(transcript)


def in_transcript(path: str) -> ContextUse | None:
    lines = _last_lines(path)
    if not lines:
        return None
    from perdure.transcript.context_figures import figures_in  # most sessions have a status line

    found = figures_in(lines)
    if found is None:
        return None
    return ContextUse(found.tokens, is_counted=found.is_counted, is_estimate=not found.is_counted)


def _last_lines(path: str) -> list[bytes]:
    if not path or not os.path.isfile(path):
        return []
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TRANSCRIPT_READ))
            return file.read(TRANSCRIPT_READ).split(b"\n")
    except (OSError, ValueError):
        return []  # no figures, which means VERBOSE
