"""The disk's answers to the gate's few questions about files (`gate.world.Ground`)."""

from __future__ import annotations

import os

from perdure.files import read_text
from perdure.place import project, repository


class Disk:
    def real(self, path: str) -> str:
        return os.path.realpath(path)

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
