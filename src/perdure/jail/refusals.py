"""What the jail's refusals are called in the output of a program.

A hook asks this about the output of every command, so this module imports nothing.
"""

from __future__ import annotations


def is_refusal(printed: str) -> bool:
    """Whether a program printed what the jail's refusals are called."""
    return "Permission denied" in printed or "Operation not permitted" in printed
