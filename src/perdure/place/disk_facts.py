"""Answers the gate's few questions about files (`gate.world.Ground`)."""

from __future__ import annotations

import os

from perdure.files import read_text
from perdure.place import project, repository

MOST_LINKS = 40


class Disk:
    def real(self, path: str) -> str:
        """As `os.path.realpath`, except for links in /proc: they lead each process elsewhere (`/proc/self/cwd`), and
        another process than ours will follow them. A path through one is left as it is from there on."""
        here, links = "/", 0
        whole = path if path.startswith("/") else os.path.join(os.getcwd(), path)
        todo = [name for name in reversed(whole.split("/")) if name]
        while todo:
            name = todo.pop()
            if name in (".", ".."):
                here = os.path.dirname(here) if name == ".." else here
                continue
            next_ = os.path.join(here, name)
            try:
                target = os.readlink(next_)
            except OSError:  # not a link, or nothing there
                here = next_
                continue
            links += 1
            if here == "/proc" or here.startswith("/proc/") or links > MOST_LINKS:
                return os.path.join(next_, *reversed(todo))
            here = "/" if target.startswith("/") else here
            todo += [part for part in reversed(target.split("/")) if part]
        return here

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

    def project_of(self, path: str) -> str:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        found = repository.enclosing(folder)
        if found and project.is_project(found.main):
            return found.main
        return project.above(folder) or ""

    def skill(self, name: str, folders: tuple[str, ...]) -> str:
        if not name or "\0" in name or ".." in name or os.path.isabs(name):
            return ""
        inside = (os.path.join("skills", name, "SKILL.md"), os.path.join("commands", *f"{name}.md".split(":")))
        found = (read_text(os.path.join(folder, ".claude", path)) for folder in folders if folder for path in inside)
        return "\n".join(text for text in found if text)
