"""Which files, names, errors, commands and items matter next, each with why (SPEC 12.1). Pure: what was gathered in,
lists out, best first.

Recency and frequency are the start: an edit outweighs a look, a file that an open error names outweighs both, what the
last words, the plan and the agent's own last words name counts, and what was looked at once and left fades.
"""

from __future__ import annotations

import os
import re

from perdure.model.value import replace, value
from perdure.recovery import cochange, commands, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from perdure.recovery.failures import Failure
    from perdure.recovery.gather import Gathering, Heard

OLD_ERROR = 400
"""Events after which an error that nobody came back to is no longer spoken of."""
NAMED_LAST = 3.0
STRONG, TOGETHER = 3, 1.0
"""The files whose company in the history counts, and how much: as a look at it just now."""
SCRATCH = 0.3
SHORT, LONG = 24, 120
"""Characters: a command that anyone types again; one that was made for its moment."""
FEW, FADED = 12, 0.05
"""So many files in any case; of the others those that have not faded beside the first."""
FAINT, FORGOTTEN = 0.2, 0.02
"""Below these a name is told where there is room, and no longer in play."""
TURNS = 2
"""Prompts after which a list that the agent wrote down in words is no longer its plan."""
OPEN = ("pending", "in_progress", "open", "todo", "blocked")


WORD, STEP = re.compile(r"[\w./\\-]{3,}"), re.compile(r"[/\\]")
MOST_PLACED = 20


@value
class Ranked:
    text: str
    why: str
    score: float
    source: str = ""
    """The event that it was in use in last."""


def files(g: Gathering, commits: Sequence[Collection[str]] = ()) -> list[Ranked]:
    """By their path from the root, with why in a word. `commits`: the paths that each of the latest ones changed."""
    blamed = {path: failure.source for failure in reversed(open_errors(g)) for path in failure.files}
    spoken = _Spoken(g)
    found = []
    for path, use in g.files.items():
        score = use.faded(g.now)
        if path in blamed:
            score += 3.0
        if spoken.names(path):
            score += NAMED_LAST
        if paths.is_scratch(path):
            score *= SCRATCH
        why = "failing" if path in blamed else "edited" if use.changed else "read" if use.seen else "summary"
        found.append(Ranked(text=g.shown(path), why=why, score=score, source=blamed.get(path, use.source)))
    found.sort(key=lambda each: -each.score)
    beside = cochange.beside(commits, frozenset(each.text for each in found[:STRONG]))
    found = [replace(each, score=each.score + TOGETHER * beside.get(each.text, 0.0)) for each in found]
    found.sort(key=lambda each: -each.score)
    return [each for place, each in enumerate(found) if place < FEW or each.score >= FADED * found[0].score]


class _Spoken:
    """What the last words and the plan name."""

    def __init__(self, g: Gathering) -> None:
        texts = [heard.text for heard in (*g.prompts[-2:], *g.said[-2:])]
        texts += [*g.listed.items, *(item.text for item in g.items.values() if item.status in OPEN)]
        told = {word.strip("./\\") for word in WORD.findall("\n".join(texts))}
        self._root = g.root
        self.words = {part for word in told for part in STEP.split(word)}
        self._bare = {word for word in told if not STEP.search(word)}
        self._placed: dict[str, list[str]] = {}
        for word in sorted(told - self._bare):
            self._placed.setdefault(_stem(STEP.split(word)[-1]), []).append(word)

    def names(self, path: str) -> bool:
        """By its name, with or without its ending; or by a path that does not contradict."""
        name, ending = os.path.splitext(path)
        stem = os.path.basename(name)
        if stem in self._bare or stem + ending in self._bare:
            return True
        return any(
            paths.shared(told, path, self._root) or paths.shared(told, name, self._root)
            for told in self._placed.get(_stem(stem), ())[:MOST_PLACED]
        )


def _stem(name: str) -> str:
    return name.partition(".")[0]


def names(g: Gathering) -> list[Ranked]:
    spoken = _Spoken(g).words
    stems = {os.path.splitext(os.path.basename(path))[0] for path in g.files}
    found = [
        Ranked(
            text=name,
            why="named last" if name in spoken else use.why,
            score=use.faded(g.now) + (2.0 if name in spoken else 0.0),
            source=use.source,
        )
        for name, use in g.names.items()
        if name not in stems
    ]
    return sorted((each for each in found if each.score > FORGOTTEN), key=lambda each: -each.score)


def open_errors(g: Gathering) -> list[Failure]:
    """Newest first, those last that only looked; one that was left long ago is taken for given up."""
    found = [failure for failure in g.failures if g.now - failure.at <= OLD_ERROR]
    return sorted(found, key=lambda failure: (failure.looked, -failure.at))


def in_use(g: Gathering) -> list[Ranked]:
    """Checks, and what is run again and again. What looked once at something will hardly be run as it stands."""
    found = []
    for text, ran in g.commands.items():
        score = 0.5 ** ((g.now - ran.at) / 150) * min(ran.count, 6)
        if commands.is_check(text):
            score *= 3.0
        elif commands.only_looks(text):
            score *= 0.8 if ran.count > 1 else 0.8 if len(text) <= SHORT else 0.1
        often = f"{ran.count} times" if ran.count > 1 else "once"
        found.append(Ranked(text=text, why=often, score=score / (1 + len(text) / LONG), source=ran.source))
    return sorted(found, key=lambda each: -each.score)


def open_items(g: Gathering) -> list[Ranked]:
    """What the agent is at comes before what it has not begun; a list in words is soon past."""
    order = {"in_progress": 0}
    left = sorted(
        (item for item in g.items.values() if item.status in OPEN and item.text),
        key=lambda item: order.get(item.status, 1),
    )
    known = {item.text for item in left}
    listed = g.listed.items if g.heard - g.listed.heard <= TURNS else ()
    return [
        *(Ranked(text=item.text, why=item.status, score=0.0, source=item.source) for item in left),
        *(Ranked(text=text, why="listed", score=0.0, source=g.listed.source) for text in listed if text not in known),
    ]


def stopped_at(g: Gathering) -> Heard | None:
    """The agent's last words of its own."""
    return g.said[-1] if g.said else None
