"""A world for the gate that stands in a table: no disk."""

from __future__ import annotations

import os

from perdure.gate.world import World

FOLDERS = ("/", "/tmp", "/var/tmp", "/repo", "/repo/src", "/repo/docs", "/repo/tests", "/home/dev")


class Table:
    """Answers the gate's questions about files from what it was given."""

    def __init__(
        self,
        links: dict[str, str] | None = None,
        names: dict[str, tuple[str, ...]] | None = None,
        texts: dict[str, str] | None = None,
    ) -> None:
        self.links, self.listed, self.texts = links or {}, names or {}, texts or {}
        self.folders = {*FOLDERS, *self.listed}
        self.projects = ["/repo"]

    def real(self, path: str) -> str:
        path = os.path.normpath(path)
        for link, target in self.links.items():
            if path == link or path.startswith(link + "/"):
                return os.path.normpath(target + path[len(link) :])
        return path

    def is_folder(self, path: str) -> bool:
        return os.path.normpath(path) in self.folders

    def has_dashed_name(self, folder: str) -> bool:
        return any(name.startswith("-") for name in self.listed.get(folder, ()))

    def text_of(self, names: tuple[str, ...], folders: tuple[str, ...]) -> str:
        texts = {
            ".claude/skills/deploys/SKILL.md": "Run this: !`make deploy`",
            ".claude/skills/reads/SKILL.md": "Read the manual.",
            ".claude/commands/looks.md": "Now: !`git status` and !`ls`",
            ".claude/commands/team/hooked.md": "---\nname: x\nhooks:\n---\nx",
        }
        here = [self.texts.get(f"{folder}/{name}", "") for folder in folders for name in names]
        return "\n".join([text for text in here if text] + [texts[name] for name in names if name in texts])

    def first_bytes(self, path: str) -> bytes:
        return self.texts.get(path, "").encode()[:20]

    def names_in(self, folder: str) -> frozenset[str]:
        return frozenset(self.listed.get(folder, ()))

    def project_of(self, path: str) -> str:
        return next((root for root in self.projects if path == root or path.startswith(root + "/")), "")


def world(
    cwd: str = "/repo",
    *,
    base: str = "/repo",
    readers: tuple[str, ...] = (),
    temporary: str = "",
    disk: Table | None = None,
) -> World:
    return World(
        cwd=cwd,
        base=base,
        home="/home/dev",
        records=("/home/dev/.perdure",),
        guard_files=lambda: frozenset(["/repo/.claude/hooks/perdure.sh", "/etc/claude/settings.json"]),
        scratch=("/tmp", "/var/tmp"),
        program="/opt/perdure/bin/perdure",
        readers=readers,
        temporary=temporary,
        disk=disk or Table(),
    )
