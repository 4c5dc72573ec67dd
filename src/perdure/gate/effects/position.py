"""Tracks the working folders that a command may be in, and what its analysis has done so far."""

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


class AnalysisBudget:
    """What a command and everything nested in it share: the count of steps, and what was written to scratch."""

    def __init__(self) -> None:
        self.calls = 0
        self.scratch: list[tuple[str, bool]] = []
        """The paths written in scratch, in order, each with whether it was removed."""
        self.linked: tuple[int, str] | None = None
        """The last copy into scratch that may contain links: how many writes came before it, and its target."""
        self.loops = False
        """The command has a loop, so what stands first may run after what stands last."""
        self.believed: list[tuple[str, str]] = []
        """Parts that are harmless only if the command writes nothing to scratch: (reason if it does, part)."""

    def spend(self) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise NotUnderstood(f"too complex: more than {MOST_CALLS} commands to judge")


class Position:
    """The working folders that the shell may be in at this point of the command; None where they are not known."""

    def __init__(self, folders: tuple[str, ...] | None, world: World) -> None:
        self.folders, self.world = folders, world
        self.moved: tuple[str, ...] | None = None
        """Set by the `cd` of the current step: where the shell is if the `cd` succeeds."""
        self.may_fail = False
        self.trail: list[str] = []
        """Every folder that a `cd` went to."""
        self.anywhere = False
        """The shell may be in a folder that anybody can write to."""

    def taken(self) -> tuple[str, ...] | None:
        """Where the last `cd` goes, which is then forgotten."""
        moved, self.moved = self.moved, None
        return moved

    def go(self, field: Field) -> None:
        """Where `cd` to this word would lead. Called for several alternatives, it may be any of them."""
        text, world = field.text, self.world
        if text is not None and text.startswith(("-", "+")):
            self.lost()
            return
        if text is None or self.folders is None:
            self.anywhere = self.anywhere or self._may_lead_anywhere(field)
            self.unsure(self.folders)
            return
        there = tuple(os.path.normpath(os.path.join(folder, text)) for folder in self.folders)
        self.may_fail = self.may_fail or not all(world.disk.is_folder(folder) for folder in there)
        self.moved = tuple(dict.fromkeys((*(self.moved or ()), *there)))

    def _may_lead_anywhere(self, field: Field) -> bool:
        """Whether a `cd` to a word that is not wholly known may lead to a folder that anybody can write to."""
        prefix = field.prefix
        if prefix:
            return is_scratch_prefix(prefix, self.world) or ".." in prefix
        hole = field.first_hole
        return hole is None or hole.shape not in ("name", "path", "location", "scratch")

    def unsure(self, *known: tuple[str, ...] | None) -> None:
        """The folder is no longer known. If one of the `known` is scratch, it may be one that anybody can write to."""
        self.unsure_later(*known)
        self.folders = self.moved = None

    def unsure_later(self, *known: tuple[str, ...] | None) -> None:
        for folder in (folder for folders in known for folder in folders or ()):
            within = targets.is_scratch(self.world.disk.real(folder).rstrip("/") + "/.", self.world)
            self.anywhere = self.anywhere or within

    def lost(self) -> None:
        self.folders = self.moved = None
        self.anywhere = True

    def copy(self) -> Position:
        made = Position(self.folders, self.world)
        made.anywhere = self.anywhere
        return made

    def or_else(self, other: tuple[str, ...] | None) -> None:
        """The shell may also be in one of these folders."""
        if self.folders is None or other is None:
            self.unsure(self.folders, other)
        else:
            self.folders = tuple(dict.fromkeys((*self.folders, *other)))
        if self.folders is not None and len(self.folders) > MOST_FOLDERS:
            self.lost()


def is_scratch_prefix(prefix: str, world: World) -> bool:
    return any(prefix.startswith(root) or root.startswith(prefix.rstrip("/")) for root in world.scratch)
