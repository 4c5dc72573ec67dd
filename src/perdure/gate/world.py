"""What the gate must be told about the place a command would run in: values, and a few questions about files.

The questions are a port, so that the gate stays pure: `place` answers them from the disk, tests from a table.
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class DiskFacts(Protocol):
        """Facts about files. Each is one or a few system calls; none follows what the command would do."""

        def real(self, path: str) -> str:
            """The path with every link in it followed, as far as it exists."""

        def is_folder(self, path: str) -> bool: ...

        def has_dashed_name(self, folder: str) -> bool:
            """Whether a name in the folder begins with `-`; True where it cannot be read."""

        def project_of(self, path: str) -> str:
            """The root of the project that the path lies in, or ''."""

        def skill(self, name: str, folders: tuple[str, ...]) -> str:
            """The texts of the skills and commands of that name in these folders; '' where there are none."""


TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")
"""Folders for temporary files, wherever a command runs."""


@value
class World:
    """`base` is the folder whose content is the work: the project's root, else the repository's, else the cwd."""

    cwd: str
    base: str
    home: str
    records: tuple[str, ...]
    """Perdure's own folders, with links followed: the person's (`~/.perdure`), the project's."""
    arming: Callable[[], frozenset[str]]
    """Files that arm the guard besides those that their name tells, in lower case, with links followed; looked up only
    where something is written."""
    scratch: tuple[str, ...]
    """Folders whose content nobody will miss, with links followed."""
    program: str
    """The path of the installed `perdure`, or ''."""
    readers: tuple[str, ...]
    """Programs, or programs with a sub-command, that the person says only look."""
    temporary: str
    """What `$TMPDIR` is, or ''."""
    disk: DiskFacts
