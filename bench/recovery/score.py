"""How much of what was needed a text gives: a share per need, and their harmonic mean.

A text is read as anyone would: a file is given by its path from the root, or by its name on the line of its folder; the
rest by standing there word for word, white space aside.
"""

from __future__ import annotations

import os
import re
import statistics
from collections.abc import Sequence

from bench.recovery.needs import Error, Needs
from bench.recovery.truth import Truth

SHARES = ("files", "order", "names", "prompts", "rules", "errors", "commands", "items")
"""What goes into the harmonic mean. Order: of the first three files needed, those among the first six given."""
BESIDE = ("precision", "settled", "withdrawn", "invented")
"""Reported beside it; of the last three, less is better."""
FIRST_NEEDED, FIRST_GIVEN = 3, 6
Scores = dict[str, float]


def score(text: str, needs: Needs, truth: Truth, source: str) -> Scores:
    """Needs that have nothing in them are left out. `source`: every word of the transcript before the boundary."""
    plain = _plain(text)
    given = files_in(text, truth)
    found: Scores = {}
    _share(found, "files", [path in given for path in needs.files])
    _share(found, "order", [path in given[:FIRST_GIVEN] for path in needs.files[:FIRST_NEEDED]])
    _share(found, "names", [re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None for name in needs.names])
    _share(found, "prompts", [_plain(prompt) in plain for prompt in needs.prompts])
    _share(found, "rules", [_plain(rule) in plain for rule in needs.rules])
    _share(found, "errors", [_told(error, plain) for error in needs.errors])
    _share(found, "commands", [command in plain for command in needs.commands])
    _share(found, "items", [_plain(item) in plain for item in needs.items])
    found["harmonic"] = harmonic([found[name] for name in SHARES if name in found])
    if given:
        found["precision"] = len(set(given) & set(needs.files)) / len(given)
    _share(found, "settled", [bool(e.message) and _plain(e.message) in plain for e in needs.settled])
    _share(found, "withdrawn", [_plain(rule) in plain and back not in plain for rule, back in needs.withdrawn])
    found["invented"] = float(len(invented(text, truth, source)))
    return found


def _share(found: Scores, name: str, each: Sequence[float]) -> None:
    if each:
        found[name] = statistics.fmean(each)


def _told(error: Error, text: str) -> float:
    """Half for what failed, half for what it says; the whole for one of them where there is no other."""
    parts = [part in text for part in (error.name, error.message) if part]
    return statistics.fmean(parts) if parts else 1.0


def harmonic(shares: Sequence[float]) -> float:
    return statistics.harmonic_mean(shares) if shares else 1.0


def _plain(text: str) -> str:
    return " ".join(text.split())


def files_in(text: str, truth: Truth) -> list[str]:
    """The files of the work tree that a text names, in its order."""
    places = {path: _place(path, text) for path in truth.files}
    return sorted((path for path, place in places.items() if place >= 0), key=lambda path: places[path])


def _place(path: str, text: str) -> int:
    folder, name = os.path.split(path)
    whole = re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w/]|\.\w)", text)
    under = (
        re.search(rf"(?m)^\W*{re.escape(folder)}/?:?[ \t].*?(?<![\w./-]){re.escape(name)}(?![\w/]|\.\w)", text)
        if folder
        else None
    )
    found = [match.start() if match is whole else match.end() for match in (whole, under) if match]
    return min(found, default=-1)


_PATH = re.compile(r"(?<![\w./<>-])(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.(?:py|md|c|h|sh|toml|txt|json)\b")
_QUOTED = re.compile(r"(?m)^> (.+?)(?: …)?$")


def invented(text: str, truth: Truth, source: str) -> list[str]:
    """Paths and quoted sentences that stand nowhere in the source."""
    words = _plain(source)
    paths = [path for path in dict.fromkeys(_PATH.findall(text)) if path not in source]
    joined = [path for path in files_in(text, truth) if path not in source]
    quotes = [quote for quote in _QUOTED.findall(text) if _plain(quote) not in words]
    return [*paths, *joined, *quotes]
