"""Owns: what a small program given on a command line would write or run, told by reading it.

One module per language, each with `read(script) -> Reading`. They are pure and linear in the script's length. Several
programs answer to the name `sed`, and several to `awk`; where two of them would read a script differently and the
difference could hide something, that is trouble. So is whatever is not understood.

    sed.read("s/a/b/w out.txt") == Reading(("out.txt",), "")
    awk.read('{ print > $1 }') == Reading((), "a target that is not a literal")
"""

from __future__ import annotations

from perdure.model.value import value

__all__ = ["NotUnderstood", "Reading"]


@value
class Reading:
    """`written`: files the script writes, as it names them. `trouble`: why it must be taken to do more than that."""

    written: tuple[str, ...] = ()
    trouble: str = ""


class NotUnderstood(Exception):
    """Inside a reader only: reading stops, and what this says becomes the reading's trouble."""
