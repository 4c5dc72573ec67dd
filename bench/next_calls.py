"""What an agent does next after a compaction, and how much of it a text names: counted by a program.

What it does next are the files that it opens or changes in its next 15 tool calls, and the first two words of each
command that it runs in them, up to the next words of the person. Only what it had opened or run before counts: nobody
can foresee the rest. A file is named by its name, or by that and its folder if the agent used several files of this
name; a command by its two words.

    needed, used = calls_after(records, at), calls_before(records, at)
    counted(needed, used, text)
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

NEXT = 15
FEWEST = 3
"""Tool calls after a compaction; after fewer, the agent did not go on."""
_STEPS = re.compile(r"&&|\|\||;")
_ASSIGNS = re.compile(r"\w+=")
_SAYS_LITTLE = frozenset(("cd", "echo", "export", "sleep", "#"))
_OF_THE_CLIENT = ("<command", "<local-command", "<task-notification", "<system-reminder", "[Request interrupted")


@dataclass(frozen=True)
class Used:
    """Paths of files, and beginnings of commands, in the order of their first use."""

    files: tuple[str, ...]
    commands: tuple[str, ...]

    def also_in(self, other: Used) -> Used:
        return Used(
            tuple(each for each in self.files if each in other.files),
            tuple(each for each in self.commands if each in other.commands),
        )


@dataclass(frozen=True)
class Named:
    """How many were needed, how many of them a text names, and how many it names in all."""

    needed: int = 0
    met: int = 0
    all: int = 0

    def __add__(self, other: Named) -> Named:
        return Named(self.needed + other.needed, self.met + other.met, self.all + other.all)

    def __str__(self) -> str:
        return f"{self.met} of {self.needed} needed ones are named, among {self.all} names"


def calls_before(records: Sequence[dict[str, Any]], at: int) -> Used:
    return _used(call for record in records[:at] for call in _calls(record))


def calls_after(records: Sequence[dict[str, Any]], at: int) -> Used | None:
    """None if the agent did not go on."""
    found: list[dict[str, Any]] = []
    for record in records[at + 1 :]:
        if record.get("isCompactSummary") or _is_the_persons(record) or len(found) >= NEXT:
            break
        found += _calls(record)
    return _used(found[:NEXT]) if len(found) >= FEWEST else None


def reattached(records: Sequence[dict[str, Any]], at: int) -> list[str]:
    """The files that the client gives the agent together with the summary."""
    found = []
    for record in records[at + 1 :]:
        if record.get("type") == "assistant":
            break
        attached = record.get("attachment") or {}
        if attached.get("type") in ("file", "compact_file_reference"):
            found.append(str(attached.get("filename") or attached.get("displayPath") or ""))
    return found


def counted(needed: Used, used: Used, text: str) -> tuple[Named, Named]:
    """Of files, and of commands. `needed` is a part of `used`."""
    several = {name for name, many in Counter(PurePath(each).name for each in used.files).items() if many > 1}
    files = {each for each in used.files if _has_file(text, PurePath(each), with_folder=PurePath(each).name in several)}
    commands = {each for each in used.commands if each in text}
    return (
        Named(len(needed.files), len(files.intersection(needed.files)), len(files)),
        Named(len(needed.commands), len(commands.intersection(needed.commands)), len(commands)),
    )


def _has_file(text: str, path: PurePath, *, with_folder: bool) -> bool:
    sought = "/".join(path.parts[-2:]) if with_folder else path.name
    return bool(re.search(rf"(?<![\w.-]){re.escape(sought)}(?![\w-]|\.\w)", text))


def _calls(record: dict[str, Any]) -> list[dict[str, Any]]:
    content = record.get("message", {}).get("content")
    if record.get("isSidechain") or not isinstance(content, list):
        return []
    return [each["input"] for each in content if each.get("type") == "tool_use" and isinstance(each["input"], dict)]


def _used(calls: Iterable[dict[str, Any]]) -> Used:
    files: dict[str, None] = {}
    commands: dict[str, None] = {}
    for call in calls:
        path = call.get("file_path") or call.get("notebook_path")
        files.update({path: None} if isinstance(path, str) else {})
        commands.update(dict.fromkeys(_beginnings(call.get("command"))))
    return Used(tuple(files), tuple(commands))


def _beginnings(command: object) -> Iterator[str]:
    """The first two words of each step in the first line, without what it is piped into."""
    lines = command.strip().split("\n") if isinstance(command, str) else [""]
    for step in _STEPS.split(lines[0]):
        words = [each for each in step.partition("|")[0].split() if not _ASSIGNS.match(each)]
        if words and words[0] not in _SAYS_LITTLE:
            yield " ".join(words[:2])


def _is_the_persons(record: dict[str, Any]) -> bool:
    if record.get("type") != "user" or record.get("isMeta") or record.get("isSidechain"):
        return False
    content = record.get("message", {}).get("content") or ""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if any(each.get("type") == "tool_result" for each in blocks):
        return False
    said = " ".join(str(each.get("text", "")) for each in blocks if each.get("type") == "text").strip()
    return bool(said) and not said.startswith(_OF_THE_CLIENT)
