"""What the gate knows about the place where a command would run: values, and a port for questions about files.

The port keeps the gate pure: `place` answers the questions from the disk, tests answer them from a table.
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class DiskFacts(Protocol):
        """Facts about files as they are now, before the command runs. Each takes one or a few system calls."""

        def real(self, path: str) -> str:
            """The path with every symbolic link followed, as far as the path exists."""

        def is_folder(self, path: str) -> bool: ...

        def has_dashed_name(self, folder: str) -> bool:
            """Whether a name in the folder begins with `-`; True where the folder cannot be read."""

        def names_in(self, folder: str) -> frozenset[str]:
            """The names in the folder; none where it cannot be read."""

        def project_of(self, path: str) -> str:
            """The root of the project that the path lies in, or ''."""

        def text_of(self, names: tuple[str, ...], folders: tuple[str, ...]) -> str:
            """The text of the files with these names in these folders; '' where there are none."""

        def first_bytes(self, path: str) -> bytes:
            """The first twenty bytes of a file; none where it cannot be read."""


TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")
"""Folders for temporary files, wherever a command runs."""


@value
class World:
    """Where a command would run. `base` is the folder that holds the work: the project's root, else the repository's,
    else the cwd."""

    cwd: str
    base: str
    home: str
    records: tuple[str, ...]
    """Perdure's own folders, with links followed: the person's (`~/.perdure`), the project's."""
    guard_files: Callable[[], frozenset[str]]
    """More files that switch the guard on or off, besides those that are recognised by name; in lower case, with links
    followed. It is a function because it is needed only where something is written."""
    scratch: tuple[str, ...]
    """Folders for temporary files, with links followed: writing there changes nothing that matters."""
    program: str
    """The path of the installed `perdure`, or ''."""
    readers: tuple[str, ...]
    """Programs, or programs with a sub-command, that a person has declared to only read (`gate.readers`)."""
    temporary: str
    """The value of `$TMPDIR`, or ''."""
    disk: DiskFacts
