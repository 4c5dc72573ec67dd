"""The handoff files on disk: `.perdure/handoffs/<session>.json` and `.md` (SPEC 13.1).

Only the newest are kept as files; the ledger has all of them. Nobody reads these files to learn what was handed over:
whoever can write to the repository can write them. They are compared with the ledger, and written again.

    write(folder, handoff)
    difference(folder, handoff)      "", or what is wrong with its files
    files_in(folder)                 those of every handoff, and what somebody put beside them
"""

from __future__ import annotations

import os

from perdure.files import make_own_folder, open_to_read, remove, trouble, write_whole
from perdure.model.ids import is_uuid
from perdure.views import handoff_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.views.handoff_text import Handoff

FOLDER = "handoffs"
KEPT = 100
"""How many of the newest handoffs are kept as files."""
ENDINGS = (".json", ".md")
_LARGEST = 4 << 20


def folder_in(folder: str) -> str:
    return os.path.join(folder, FOLDER)


def paths(folder: str, session_id: str) -> tuple[str, str]:
    assert is_uuid(session_id)
    as_json, as_text = (os.path.join(folder_in(folder), session_id + ending) for ending in ENDINGS)
    return as_json, as_text


def _texts(folder: str, handoff: Handoff) -> list[tuple[str, str]]:
    as_json, as_text = paths(folder, handoff.session_id)
    return [(as_text, handoff_text.markdown(handoff)), (as_json, handoff_text.json_text(handoff))]


def write(folder: str, handoff: Handoff) -> None:
    make_own_folder(folder_in(folder), "handoffs are written to")
    for path, text in _texts(folder, handoff):
        write_whole(path, text)


def difference(folder: str, handoff: Handoff) -> str:
    """What is wrong with the files of a handoff, in words; empty if they are as they were written."""
    for path, text in _texts(folder, handoff):
        name = f"{FOLDER}/{os.path.basename(path)}"
        found = content(path)
        if found is None:
            return f"{name} is gone, or is not a file"
        if found != text.encode("utf-8", "surrogateescape"):
            return f"{name} is not as it was written"
    return ""


def content(path: str) -> bytes | None:
    """What is in the file; None if there is none, or something that is not a file of ours."""
    try:
        if os.path.islink(path):
            return None
        with open_to_read(path) as file:
            found: bytes = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise trouble(error, path) from error
    return found if len(found) <= _LARGEST else None


def files_in(folder: str) -> list[str]:
    """Everything that has the name of a handoff's file."""
    try:
        names = sorted(os.listdir(folder_in(folder)))
    except OSError:
        return []
    return [os.path.join(folder_in(folder), name) for name in names if name.endswith(ENDINGS)]


def session_of(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def sessions_in(folder: str) -> set[str]:
    return {session_of(path) for path in files_in(folder)}


def drop(folder: str, session_id: str) -> None:
    """Removes the files of a handoff that is no longer kept as a file."""
    for path in paths(folder, session_id):
        remove(path)
