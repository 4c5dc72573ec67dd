"""Keeps our local files out of `git status`, by lines in the repository's `info/exclude`, which is never committed. Our
lines are at its top, so that removing them leaves the rest as it was, byte for byte."""

from __future__ import annotations

import os

from perdure.place import repository

_BOM = "\ufeff"
BEGIN = "# perdure init: files of this machine; perdure uninstall removes these lines\n"
END = "# perdure init: end\n"


def path_in(common: str) -> str:
    return os.path.join(common, "info", "exclude")


def not_ignored(folder: str, names: list[str]) -> list[str]:
    """Those of the names, relative to the folder, that git would show as new."""
    ignored = repository.git(folder, "check-ignore", "--no-index", "--", *names).splitlines()
    return [name for name in names if name not in ignored]


def is_tracked(folder: str, name: str) -> bool:
    return repository.git(folder, "ls-files", "-z", "--", name) != ""


def with_lines(text: str, names: list[str]) -> str:
    rest = without_lines(text)
    bom = _BOM if rest.startswith(_BOM) else ""
    lines = "".join(f"/{name}\n" for name in names)
    return f"{bom}{BEGIN}{lines}{END}{rest.removeprefix(bom)}" if names else rest


def lines_in(text: str) -> list[str]:
    inside = _between(text)
    return [] if inside is None else [line[1:] for line in text[inside[0] + len(BEGIN) : inside[1]].splitlines()]


def without_lines(text: str) -> str:
    inside = _between(text)
    return text if inside is None else text[: inside[0]] + text[inside[1] + len(END) :]


def _between(text: str) -> tuple[int, int] | None:
    start = text.find(BEGIN)
    end = text.find(END, start)
    return (start, end) if start >= 0 and end >= 0 else None
