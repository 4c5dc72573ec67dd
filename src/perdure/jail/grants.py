"""The values of a plan for the jail. They have a module of their own: a command whose plan is known already loads
nothing else."""

from __future__ import annotations

from perdure.model.value import replace, value

WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
OF_FILES = WRITE_FILE | TRUNCATE


@value
class Kernel:
    """What the running kernel offers: Landlock's ABI (0: it has none) and the machine's name."""

    landlock: int
    machine: str


@value
class Grant:
    """A path that may be written to, or below which may be, and Landlock's rights there."""

    path: str
    rights: int
    is_folder: bool = False
    """Its path leads over no link. If it does when the plan is carried out, somebody put one there, and nothing is
    granted."""


@value
class JailPlan:
    landlock: int
    handled: int
    """The rights that nobody has but by a grant."""
    ports: int
    """The rights to TCP ports that nobody has at all."""
    scoped: int
    """What does not reach processes outside."""
    grants: tuple[Grant, ...]
    program: bytes
    """The filter for seccomp."""

    def with_files(self, files: tuple[str, ...]) -> JailPlan:
        """These may be written to as well."""
        more = (Grant(path, OF_FILES & self.handled) for path in files)
        return replace(self, grants=(*self.grants, *more))
