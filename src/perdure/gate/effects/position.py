"""Where a command may stand at one of its points, and what judging it has cost so far."""

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
    """Steps shared by a command and everything that is nested in it."""

    def __init__(self) -> None:
        self.calls = 0
        self.scratch: list[tuple[str, bool]] = []
        """What was written to scratch, in order, and whether it was removed."""
        self.linked: tuple[int, str] | None = None
        """A copy into scratch that may have brought links along: how many writes there had been, and where to."""
        self.loops = False
        self.believed: list[tuple[str, str]] = []
        """What was taken as harmless on the ground that nothing in scratch changes meanwhile: (reason, part)."""

    def spend(self) -> None:
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise NotUnderstood(f"too complex: more than {MOST_CALLS} commands to judge")


class Position:
    """The working folders that this point of the command may be in; None where they are not known."""

    def __init__(self, folders: tuple[str, ...] | None, world: World) -> None:
        self.folders, self.world = folders, world
        self.moved: tuple[str, ...] | None = None
        """Set by `cd` for the step it stands in: where it goes if it succeeds."""
        self.may_fail = False
        self.trail: list[str] = []
        """Every folder that was gone to."""
        self.anywhere = False
        """It may be a folder that anybody writes to."""

    def taken(self) -> tuple[str, ...] | None:
        moved, self.moved = self.moved, None
        return moved

    def go(self, field: Field) -> None:
        """Where `cd` to this word would lead; with several alternatives, to any of them."""
        text, world = field.text, self.world
        if text is not None and text.startswith(("-", "+")):
            self.lost()
            return
        if text is None or self.folders is None:
            within = field.first_hole is not None and field.first_hole.shape in ("name", "path", "location", "scratch")
            prefix = field.prefix
            lost = is_scratch_prefix(prefix, world) or ".." in prefix if prefix else not within
            self.anywhere = self.anywhere or lost
            self.unsure(self.folders)
            return
        there = tuple(os.path.normpath(os.path.join(folder, text)) for folder in self.folders)
        self.may_fail = self.may_fail or not all(world.disk.is_folder(folder) for folder in there)
        self.moved = tuple(dict.fromkeys((*(self.moved or ()), *there)))

    def unsure(self, *known: tuple[str, ...] | None) -> None:
        """It is not known any more; if one of those that it may be is scratch, it may be a folder anybody writes to."""
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
        """It may also be where `other` says."""
        if self.folders is None or other is None:
            self.unsure(self.folders, other)
        else:
            self.folders = tuple(dict.fromkeys((*self.folders, *other)))
        if self.folders is not None and len(self.folders) > MOST_FOLDERS:
            self.lost()


def is_scratch_prefix(prefix: str, world: World) -> bool:
    return any(prefix.startswith(root) or root.startswith(prefix.rstrip("/")) for root in world.scratch)
