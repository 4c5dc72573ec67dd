"""Which parts of the scratch folders a jailed command may write to. Pure: the caller lists folders.

Landlock cannot take a part of a folder back. So a temporary folder that holds something to protect, as where the
project is in /tmp, is not given whole: only those entries of it are given that hold nothing protected.

    parts(["/tmp"], protected=["/home/me/work"], entries=listdir) == Parts(("/tmp",), ())
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MOST_ENTRIES = 2000
"""The most entries of one folder. Of a larger folder, either all is given or nothing."""


@value
class Parts:
    """The folders to give, and the scratch folders of which only parts could be given: new files cannot be made in
    them directly."""

    given: tuple[str, ...]
    split: tuple[str, ...]


def parts(scratch: Iterable[str], *, protected: Sequence[str], entries: Callable[[str], list[str]]) -> Parts:
    """`entries` lists the paths of the folders in a folder, without links. All paths are absolute, links followed."""
    given: list[str] = []
    split: list[str] = []
    for folder in dict.fromkeys(scratch):
        inside = [path for path in protected if _is_below(path, folder)]
        if not inside:
            given.append(folder)
        elif folder not in inside:
            split.append(folder)
            given += _open_entries(folder, inside, entries)
    return Parts(tuple(dict.fromkeys(given)), tuple(split))


def _open_entries(folder: str, protected: Sequence[str], entries: Callable[[str], list[str]]) -> list[str]:
    """The entries of a folder that hold nothing protected, also of folders on the way to what is."""
    found = entries(folder)
    if len(found) > MOST_ENTRIES:
        return []
    given: list[str] = []
    for entry in found:
        inside = [path for path in protected if _is_below(path, entry)]
        if not inside:
            given.append(entry)
        elif entry not in inside:
            given += _open_entries(entry, inside, entries)
    return given


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
