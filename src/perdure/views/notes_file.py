"""NOTES.md on disk: where it is, what is there, and what is kept of a file that cannot stay (SPEC 16.1).

It has two possible places and no other: a setting that comes with a repository cannot make us write elsewhere. A link,
a folder or anything else that is not a file is never followed or opened.

    look(path)                          NotesFile(content=b"…"), or is_odd
    keep_copy(folder, content, stamp)      its path in .perdure
"""

from __future__ import annotations

import os
from stat import S_ISREG

from perdure.files import open_to_read, trouble, unfinished
from perdure.model.value import value
from perdure.views.notes_edits import LARGEST

NAME = "NOTES.md"
PRIVATE, TRACKED = f".perdure/{NAME}", NAME
PLACES = (PRIVATE, TRACKED)
"""From the project's root."""
UNREAD = f"was not read: it is larger than {LARGEST >> 20} MiB, or no file"
TAKE_PARTS = (
    "If a person wrote it, cut it into parts, each with the heading of its section as its first line: perdure notes "
    "take PART --mine"
)
"""What a person does with such a file."""


@value
class NotesFile:
    content: bytes | None = None
    """None if there is no file."""
    is_odd: bool = False
    """Something else is there, or a file that is larger than anything Perdure or a person writes."""

    @property
    def text(self) -> str | None:
        """None if it is not UTF-8."""
        try:
            return (self.content or b"").decode()
        except UnicodeDecodeError:
            return None


def path_of(root: str, place: str) -> str:
    assert place in PLACES
    return os.path.join(root, place)


def look(path: str) -> NotesFile:
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return NotesFile()
    except OSError as error:
        raise trouble(error, path) from error
    if not S_ISREG(found.st_mode) or found.st_size > LARGEST:
        return NotesFile(is_odd=True)
    try:
        with open_to_read(path) as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        return NotesFile()
    except OSError as error:
        raise trouble(error, path) from error
    return NotesFile(is_odd=True) if len(content) > LARGEST else NotesFile(content)


def keep_copy(folder: str, content: bytes, stamp: str) -> str:
    """Keeps what is in the file in a new file in `.perdure`, and returns its path."""
    path, beside = _free(folder, stamp), unfinished(os.path.join(folder, NAME))
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.rename(beside, path)
    except OSError as error:
        raise trouble(error, path) from error
    return path


def move_aside(path: str, folder: str, stamp: str) -> str:
    """Moves what is not a file of ours into `.perdure`, without opening it, and returns its new path."""
    aside = _free(folder, stamp)
    try:
        os.rename(path, aside)
    except OSError as error:
        raise trouble(error, path) from error
    return aside


def _free(folder: str, stamp: str) -> str:
    wanted = aside = os.path.join(folder, f"{NAME}.edited-{stamp}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{wanted}-{number}"
    return aside
