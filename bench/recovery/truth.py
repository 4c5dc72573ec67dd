"""What is true of a session beside its transcript: kept by the script, read by `needs`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass
class Rule:
    """A sentence of the person's, by the number of the prompt that gave it and of the one that took it back."""

    text: str
    given: int
    back: int | None = None


@dataclass
class Item:
    """An open item of the agent's, by the number of the call that opened and of the one that closed it."""

    text: str
    key: str
    opened: int
    closed: int | None = None


@dataclass(frozen=True)
class Check:
    kind: str
    command: str


@dataclass(kw_only=True)
class Truth:
    transcript: Path
    root: Path
    prompts: list[str]
    rules: list[Rule]
    items: list[Item]
    checks: dict[str, Check]
    """By the id of the call."""
    files: list[str]
    """Of the work tree, from its root."""
