"""The key of the views' digests: a view that was not written by us, or was changed, shows (SPEC 4.1).

It stands outside every repository, so that none can bring a transaction file that opens the gate. Only where the home
cannot be written does the project keep one.
"""

from __future__ import annotations

import os

from perdure.errors import Trouble
from perdure.files import make_folder, read_text, write_whole

_LENGTH = 64


def existing_key(home: str, project_folder: str) -> bytes | None:
    """The key, for one who only reads: None where nothing was ever signed."""
    for path in _places(home, project_folder):
        found = _read(path)
        if found:
            return found
    return None


def _places(home: str, project_folder: str) -> list[str]:
    return [os.path.join(home, "keys", "view.key"), os.path.join(project_folder, "view.key")]


def view_key(home: str, project_folder: str) -> bytes:
    """The key, made on first use."""
    found = existing_key(home, project_folder)
    if found:
        return found
    places = _places(home, project_folder)
    made = os.urandom(_LENGTH // 2).hex()
    for path in places:
        try:
            make_folder(os.path.dirname(path))
            _write_first(path, made)
        except Trouble:
            if path == places[-1]:
                raise
            continue
        return _read(path) or bytes.fromhex(made)
    raise AssertionError("there are two places")


def _read(path: str) -> bytes | None:
    try:
        text = (read_text(path) or "").strip()
        return bytes.fromhex(text) if len(text) == _LENGTH else None
    except (ValueError, Trouble):
        return None


def _write_first(path: str, text: str) -> None:
    """Of several that make the key at the same moment, the first one's stands."""
    beside = f"{path}.{os.getpid()}"
    write_whole(beside, text + "\n")
    try:
        os.link(beside, path)
    except FileExistsError:
        if _read(path) is None:  # half-written or damaged: nothing was ever signed with it that could still be read
            os.replace(beside, path)
            return
    except OSError as error:
        raise Trouble("read_only", f"{path} cannot be written.") from error
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
