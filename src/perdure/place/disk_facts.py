"""Answers the gate's few questions about files (`gate.world.DiskFacts`)."""

from __future__ import annotations

import os

from perdure.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.place.registry import Registry

MOST_LINKS = 40


def _names_last_first(path: str) -> list[str]:
    return [name for name in reversed(path.split("/")) if name]


def _link_target(path: str) -> str | None:
    """None if the path is not a link, or if nothing is there."""
    try:
        return os.readlink(path)
    except OSError:
        return None


def _is_in_proc(folder: str) -> bool:
    return folder == "/proc" or folder.startswith("/proc/")


class Disk:
    def __init__(self, registry: Registry, *, gone: str = "", left: Sequence[str] = ()) -> None:
        """`gone`: the root of the project that is worked on, if that folder is gone. What is below the folders `left`
        and belongs to no other project may be a part of it, such as a linked work tree that lost its `.git`."""
        self._registry = registry
        self._gone = gone
        self._left = [os.path.realpath(folder) for folder in left]

    def real(self, path: str) -> str:
        """Like `os.path.realpath`, except for links in /proc: they lead each process elsewhere (`/proc/self/cwd`), and
        another process than ours will follow them. From such a link on, the path is left as it is."""
        return self.followed(path)[0]

    def followed(self, path: str) -> tuple[str, list[str]]:
        """Where the path leads, and the links on the way."""
        folder, links = "/", list[str]()
        todo = _names_last_first(path if path.startswith("/") else os.path.join(os.getcwd(), path))
        while todo:
            name = todo.pop()
            if name == ".":
                continue
            if name == "..":
                folder = os.path.dirname(folder)
                continue
            entry = os.path.join(folder, name)
            target = _link_target(entry)
            if target is None:
                folder = entry
                continue
            links.append(entry)
            if len(links) > MOST_LINKS or _is_in_proc(folder):
                return os.path.join(entry, *reversed(todo)), links
            if target.startswith("/"):
                folder = "/"
            todo += _names_last_first(target)
        return folder, links

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path) and os.access(path, os.X_OK)

    def has_dashed_name(self, folder: str) -> bool:
        try:
            with os.scandir(folder) as entries:
                return any(entry.name.startswith("-") for entry in entries)
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def names_in(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(os.listdir(folder))
        except OSError:
            return frozenset()

    def project_of(self, path: str) -> str:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        owner = self._registry.owner_of(folder)
        if owner or not self._gone:
            return owner or ""
        real = os.path.realpath(folder)
        return self._gone if any(real == each or real.startswith(each + os.sep) for each in self._left) else ""

    def text_of(self, names: tuple[str, ...], folders: tuple[str, ...]) -> str:
        found = (read_text(os.path.join(folder, name)) for folder in folders if folder for name in names)
        return "\n".join(text for text in found if text)

    def first_bytes(self, path: str) -> bytes:
        try:
            if not os.path.isfile(path):
                return b""
            with open(path, "rb") as file:
                return file.read(20)
        except OSError:
            return b""
