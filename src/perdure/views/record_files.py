"""Which files of a project only repeat what was said? What Perdure writes from its ledger, and what beads and git keep
(SPEC 8.2, 8.4). Pure.

Such a file is not evidence. An agent's note is in NOTES.md, its task in the file of beads, its search for something
absent in a segment of the export: it could cite its own words, or find them.

    is_kept(".perdure/trajectory/claude-2026-11-18.jsonl")
    is_notes(content)       also for a copy of NOTES.md under another name
"""

from __future__ import annotations

from perdure.views.notes_text import HEADER

_FOLDERS = frozenset((".perdure", ".beads", ".git"))
_WRITTEN_BY_PEOPLE = frozenset((".perdure/config.toml", ".perdure/project.toml"))
_BYTES_LOOKED_AT = 1000
"""The first lines of a file have the line by which NOTES.md is known."""


def is_kept(path: str) -> bool:
    """`path` is from the project's root. Some disks ignore case."""
    low = path.casefold()
    return low not in _WRITTEN_BY_PEOPLE and not _FOLDERS.isdisjoint(low.split("/")[:-1])


def is_notes(content: bytes) -> bool:
    return HEADER.encode() in content[:_BYTES_LOOKED_AT]
