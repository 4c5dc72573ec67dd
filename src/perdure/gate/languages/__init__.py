"""Reads scripts of sed and awk that are given on a command line, and says what they would write or run.

One module per language, each with `read(script) -> ScriptEffects`. They are pure and linear in the script's length.
There are several implementations of sed and of awk. Where two of them would read a script differently and the
difference could hide something, that is trouble. So is everything that the reader does not understand.

    sed.read("s/a/b/w out.txt") == ScriptEffects(("out.txt",), "")
    awk.read('{ print > $1 }') == ScriptEffects((), "a target that is not a literal")
"""

from __future__ import annotations

from perdure.model.value import value

__all__ = ["ScriptEffects", "ScriptNotUnderstood"]


@value
class ScriptEffects:
    """`written`: the files that the script writes, as it names them. `trouble`: why it may do more than that, or ''."""

    written: tuple[str, ...] = ()
    trouble: str = ""


class ScriptNotUnderstood(Exception):
    """Used inside a reader only: reading stops, and the message becomes the `trouble`."""
