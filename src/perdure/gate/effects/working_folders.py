"""Tracks the folders that a command may run in, and the facts that all parts of its analysis share."""

from __future__ import annotations

import os

from perdure.gate.effects import targets
from perdure.gate.shell.cursor import NotUnderstood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell.words import Field
    from perdure.gate.world import World

MOST_CALLS = 1000
MOST_FOLDERS = 8


class SharedFacts:
    """What the analyses of a command and of everything nested in it share: how many calls they judged, what was written
    to scratch, and what depends on that."""

    def __init__(self) -> None:
        self.calls = 0
        self.scratch: list[tuple[str, bool]] = []
        """The paths written in scratch, in order, each with whether it was removed."""
        self.linked: tuple[int, str] | None = None
        """The last copy into scratch that may contain links: how many writes came before it, and its target."""
        self.loops = False
        """The command has a loop or a background job, so what stands first may run after what stands last."""
        self.assumed_harmless: list[tuple[str, str]] = []
        """Parts that are harmless only if the command writes nothing to scratch: (reason if it does, part)."""

    def count_call(self) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise NotUnderstood(f"too complex: more than {MOST_CALLS} commands to judge")


class WorkingFolders:
    """The working folders that the shell may be in at this point of the command; None where they are not known."""

    def __init__(self, folders: tuple[str, ...] | None, world: World) -> None:
        self.folders, self.world = folders, world
        self.moved: tuple[str, ...] | None = None
        """Set by the `cd` of the current step: where the shell is if the `cd` succeeds."""
        self.may_fail = False
        """The `cd` of the current step may fail."""
        self.trail: list[str] = []
        """Every folder that a `cd` went to."""
        self.visited: set[str | None] = set(folders or (None,))
        """Every folder that a part of the command has been in; with None, one that is not known. Copies share it."""
        self.may_be_public = False
        """The shell may be in a folder that anybody can write to."""

    def pop_moved(self) -> tuple[str, ...] | None:
        """Returns where the `cd` of the current step leads, and forgets it."""
        moved, self.moved = self.moved, None
        return moved

    def go(self, field: Field, *, physical: bool = False) -> None:
        """Notes where a `cd` to this word would lead. Called for several words, the `cd` may go to any of them. With
        `physical`, `..` leads out of the folder that a link leads to, as with `cd -P`."""
        text, world = field.text, self.world
        if text is not None and text.startswith(("-", "+")):
            self.set_unknown()
            return
        if text is None or self.folders is None:
            self.may_be_public = self.may_be_public or self._may_lead_to_public(field)
            self.set_unknown_after(self.folders)
            return
        follow = self.world.disk.real if physical else os.path.normpath
        there = tuple(follow(os.path.join(folder, text)) for folder in self.folders)
        self.may_fail = self.may_fail or not all(world.disk.is_folder(folder) for folder in there)
        self.moved = tuple(dict.fromkeys((*(self.moved or ()), *there)))
        self.visited |= set(there)

    def _may_lead_to_public(self, field: Field) -> bool:
        """Whether a `cd` to a word that is not wholly known may lead to a folder that anybody can write to."""
        prefix = field.prefix
        if prefix:
            return is_scratch_prefix(prefix, self.world) or ".." in prefix
        hole = field.first_hole
        return hole is None or hole.shape not in ("name", "path", "location", "scratch")

    def set_unknown_after(self, *known: tuple[str, ...] | None) -> None:
        """The shell leaves the `known` folders for an unknown one. If one of them is scratch, so may the new one be."""
        self.note_if_scratch(*known)
        self.folders = self.moved = None
        self.visited.add(None)

    def note_if_scratch(self, *known: tuple[str, ...] | None) -> None:
        """Sets `may_be_public` if one of the folders is scratch."""
        for folder in (folder for folders in known for folder in folders or ()):
            if targets.is_scratch(self.world.disk.real(folder).rstrip("/") + "/.", self.world):
                self.may_be_public = True

    def set_unknown(self) -> None:
        """Nothing is known of the folder: it may even be one that anybody can write to."""
        self.folders = self.moved = None
        self.may_be_public = True
        self.visited.add(None)

    def copy(self) -> WorkingFolders:
        made = WorkingFolders(self.folders, self.world)
        made.may_be_public, made.visited = self.may_be_public, self.visited
        return made

    def may_also_be_in(self, other: tuple[str, ...] | None) -> None:
        """The shell may also be in one of these folders."""
        if self.folders is None or other is None:
            self.set_unknown_after(self.folders, other)
        else:
            self.folders = tuple(dict.fromkeys((*self.folders, *other)))
        if self.folders is not None and len(self.folders) > MOST_FOLDERS:
            self.set_unknown()


def is_scratch_prefix(prefix: str, world: World) -> bool:
    return any(prefix.startswith(root) or root.startswith(prefix.rstrip("/")) for root in world.scratch)
