"""Ranks files, names, errors, commands and open items by how likely they are needed next (SPEC 12.1).

Pure: takes what was gathered, returns lists, best first, each entry with why it is there.

The ranking starts from recency and frequency. An edit counts more than a look; a file that an open error names counts
more than both. What the last prompts, the plan and the agent's last words name gets extra weight. A file that was
looked at once and then left fades.
"""

from __future__ import annotations

import os
import re

from perdure.model.value import replace, value
from perdure.recovery import cochange, commands, paths
from perdure.recovery.names import is_of_everyone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from perdure.recovery.failures import Failure
    from perdure.recovery.gather import DeniedCall, Gathering, Use, Utterance

OLD_ERROR = 400
"""An error that nobody came back to is no longer shown after so many events."""
OLD_ATTEMPT = 80
"""The same of a command that checks nothing and commits nothing: another way was found, or it was not needed."""
STAY_TO_DO = frozenset("git commit,git push,git pull,git merge,git rebase,git cherry-pick,git am".split(","))
"""Kinds of command that are still to be done when they failed."""
OLD_LOOK = 12
"""The same of a command that only looked at something."""
NAMED_LAST = 3.0
"""Added to the score of a file that the last words name."""
RAISING_FILES = 3
"""How many of the first files raise those that commits changed together with them."""
MOST_RAISED = 1.0
"""By how much at most: as much as a look just now."""
SCRATCH = 0.3
"""A file in a temporary folder keeps this part of its score."""
SHORT_COMMAND = 24
"""Characters. A command that is not longer is one that people type again."""
LONG_COMMAND = 120
"""Characters. A command of this length or more was made for one use."""
ALWAYS_LISTED = 12
"""How many files are always listed."""
LEAST_PART = 0.05
"""Further files with less than this part of the first one's score are listed only if there is room."""
FAINT = 0.2
"""A name with a lower score is shown only if there is room."""
FORGOTTEN = 0.02
"""A name with a lower score is not shown."""
TURNS = 2
"""A list that the agent wrote in prose is no longer its plan after so many prompts."""
WORKED_OFF = 150
"""Nor after so many events: an agent that lists what it is about to do then does it, and does not tick it off."""
OPEN = ("pending", "in_progress", "open", "todo", "blocked")
"""The states of an item of the plan that is not done. Clients name them differently."""
BLAMED = 3.0
"""Added to the score of a file that an open error names."""
NAME_NAMED_LAST = 2.0
"""Added to the score of a name of code that the last words have."""
COMMAND_HALVES = 150
"""After so many events, a command that was not run again has half its score."""
MOST_RUNS = 6
"""Further runs of a command do not raise its score."""
CHECK = 3.0
"""The score of a command that checks the work (tests, linters) is multiplied by this."""
LOOKED_AGAIN = 0.8
"""The score of a command that only looks is multiplied by this if it was run again or is short,"""
LOOKED_ONCE = 0.1
"""and otherwise by this."""
WORD = re.compile(r"[\w./\\-]{3,}")
"""A word that may name a file or a piece of code."""
QUOTED_CODE = re.compile(r"`([^`\s]{3,80})`")
SEPARATOR = re.compile(r"[/\\]")
"""Between the parts of a path."""
MOST_PATHS_COMPARED = 20
"""How many of the paths in the last words that end in the same name are compared with a file's path."""


@value
class Ranked:
    text: str
    why: str
    score: float
    source: str = ""
    """The event in which it was used last."""
    changed_by: str = ""
    """Only for a file that was changed: the event that changed it last."""
    folder: str = ""
    """Only for a command that was not run in the root: the folder it was run in, relative to the root."""


def files(g: Gathering, commits: Sequence[Collection[str]] = ()) -> list[Ranked]:
    """The files that are in use, best first; see `all_files`."""
    found = all_files(g, commits)
    return [each for place, each in enumerate(found) if not is_faint(place, each, found[0])]


def all_files(g: Gathering, commits: Sequence[Collection[str]] = ()) -> list[Ranked]:
    """All files by their path from the root, best first, each with why in one word. `commits`: the paths that each of
    the latest commits changed."""
    blamed = {path: failure.source for failure in reversed(open_errors(g)) for path in failure.files}
    mentioned = _MentionedWords(g)
    found = []
    for path, use in g.files.items():
        if paths.is_tasks_output(path):
            continue
        score = use.faded(g.now)
        if path in blamed:
            score += BLAMED
        if mentioned.names(path):
            score += NAMED_LAST
        if paths.is_scratch(path, g.root):
            score *= SCRATCH
        why = "failing" if path in blamed else _why_in_use(use)
        source, changed_by = blamed.get(path, use.source), use.changed_by if use.changed else ""
        found.append(Ranked(text=g.shown(path), why=why, score=score, source=source, changed_by=changed_by))
    found.sort(key=lambda each: -each.score)
    return _raised_by_history(found, commits)


def is_faint(place: int, file: Ranked, first: Ranked) -> bool:
    """Whether the file at this place is shown only if there is room left."""
    return place >= ALWAYS_LISTED and file.score < LEAST_PART * first.score


def _why_in_use(use: Use) -> str:
    if use.changed:
        return "edited"
    return "read" if use.seen else "summary"


def _raised_by_history(found: list[Ranked], commits: Sequence[Collection[str]]) -> list[Ranked]:
    """The files, best first, with a higher score for those that commits changed together with the first ones."""
    beside = cochange.beside(commits, frozenset(each.text for each in found[:RAISING_FILES]))
    raised = [replace(each, score=each.score + MOST_RAISED * beside.get(each.text, 0.0)) for each in found]
    raised.sort(key=lambda each: -each.score)
    return raised


class _MentionedWords:
    """What the last prompts, the agent's last words and the plan name."""

    def __init__(self, g: Gathering) -> None:
        texts = [heard.text for heard in (*g.prompts[-2:], *g.last_said[-2:])]
        texts += [*g.written_plan.items, *(item.text for item in g.items.values() if item.status in OPEN)]
        told = {word.strip("./\\") for word in WORD.findall("\n".join(texts))}
        self._root = g.root
        self.words = {part for word in told for part in SEPARATOR.split(word)}
        self._bare = {word for word in told if not SEPARATOR.search(word)}
        self._placed: dict[str, list[str]] = {}
        for word in sorted(told - self._bare):
            self._placed.setdefault(_stem(SEPARATOR.split(word)[-1]), []).append(word)

    def names(self, path: str) -> bool:
        """Whether they name this file: by its name, with or without its ending, or by a path that fits it."""
        name, ending = os.path.splitext(path)
        stem = os.path.basename(name)
        if stem in self._bare or stem + ending in self._bare:
            return True
        return any(
            paths.shared(told, path, self._root) or paths.shared(told, name, self._root)
            for told in self._placed.get(_stem(stem), ())[:MOST_PATHS_COMPARED]
        )


def _stem(name: str) -> str:
    return name.partition(".")[0]


def names(g: Gathering) -> list[Ranked]:
    """Names of code; a name that is also a file's is left out."""
    mentioned = _MentionedWords(g).words
    stems = {os.path.splitext(os.path.basename(path))[0] for path in g.files}
    found = []
    for name, use in g.names.items():
        if name in stems or is_of_everyone(name):
            continue
        why, score = use.why, use.faded(g.now)
        if name in mentioned:
            why, score = "named last", score + NAME_NAMED_LAST
        if score > FORGOTTEN:
            found.append(Ranked(text=name, why=why, score=score, source=use.source))
    return sorted(found, key=lambda each: -each.score)


def open_errors(g: Gathering) -> list[Failure]:
    """Newest first, but failures of commands that only look come last. An old error is taken for given up, and what
    was looked for in vain is known soon."""
    found = [each for each in g.failures if g.now - each.at <= _old_after(each)]
    return sorted(found, key=lambda failure: (failure.looked, -failure.at))


def denial_in_force(g: Gathering) -> DeniedCall | None:
    """The call that was denied last, if it may still be what holds up the work."""
    return g.denial if g.denial and g.now - g.denial.at <= OLD_ATTEMPT else None


def _old_after(failure: Failure) -> int:
    """After how many events the failure is taken for given up."""
    if failure.looked:
        return OLD_LOOK
    simple = commands.simple_commands(failure.what)
    stays = any(commands.makes_a_check(each) or commands.kind(each) in STAY_TO_DO for each in simple)
    return OLD_ERROR if stays or any(kind.startswith("change ") for kind in failure.needs) else OLD_ATTEMPT


def commands_in_use(g: Gathering) -> list[Ranked]:
    """Commands: checks, and what is run again and again. A long command that looked at something once is hardly ever
    run again."""
    found = []
    for text, ran in g.commands.items():
        score = 0.5 ** ((g.now - ran.at) / COMMAND_HALVES) * min(ran.count, MOST_RUNS)
        if commands.is_check(text):
            score *= CHECK
        elif commands.only_looks(text):
            score *= LOOKED_AGAIN if ran.count > 1 or len(text) <= SHORT_COMMAND else LOOKED_ONCE
        elif commands.makes_room(text):
            score *= LOOKED_ONCE
        often = f"{ran.count} times" if ran.count > 1 else "once"
        score /= 1 + len(text) / LONG_COMMAND
        found.append(Ranked(text=text, why=often, score=score, source=ran.source, folder=ran.folder))
    return sorted(found, key=lambda each: -each.score)


def open_items(g: Gathering) -> list[Ranked]:
    """Items in progress come before items not begun. A list in prose counts only for the next few prompts."""
    order = {"in_progress": 0}
    left = sorted(
        (item for item in g.items.values() if item.status in OPEN and item.text),
        key=lambda item: order.get(item.status, 1),
    )
    known = {item.text for item in left}
    listed = [text for text in g.written_plan.items if not _is_heading(text) and not _was_edited(g, text)]
    if not _is_current(g):
        listed = []
    return [
        *(Ranked(text=item.text, why=item.status, score=0.0, source=item.source) for item in left),
        *(
            Ranked(text=text, why="listed", score=0.0, source=g.written_plan.source)
            for text in listed
            if text not in known
        ),
    ]


def _is_current(g: Gathering) -> bool:
    """Whether a list in prose may still be the plan: neither many prompts nor much work nor a newer plan came after it.
    A plan that was begun before goes on beside it."""
    plan = g.written_plan
    is_fresh = g.prompt_count - plan.prompts_before <= TURNS and g.now - plan.at <= WORKED_OFF
    return is_fresh and not (g.items and g.plan_begun_at > plan.at)


def quoted_code(text: str) -> list[str]:
    return [found.removesuffix("()") for found in QUOTED_CODE.findall(text)]


def _is_heading(text: str) -> bool:
    """Whether it only announces what stands below it: `**Run:**`."""
    return text.rstrip(" *_").endswith((":", "："))


def _was_edited(g: Gathering, text: str) -> bool:
    """Whether all that an item names in code was written or edited after the list: then it is done or under way."""
    named = quoted_code(text)
    if not named:
        return False
    names = {name for name, use in g.names.items() if use.at > g.written_plan.at and use.why == "in the edits"}
    changed = {use for use in g.files if g.files[use].changed and g.files[use].at > g.written_plan.at}
    edited = names | {os.path.basename(path) for path in changed}
    return all(name in edited or os.path.basename(name) in edited for name in named)


def stopped_at(g: Gathering) -> Utterance | None:
    """The last words of the agent itself."""
    return g.last_said[-1] if g.last_said else None
