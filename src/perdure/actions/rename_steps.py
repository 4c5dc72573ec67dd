"""What a file was renamed to, step by step through the history (SPEC 8.2).

git finds a rename between two commits while most of the lines are the same. A file that was renamed and then edited in
hundreds of commits is not like its old self any more, and another file may be more like it. But the commit that took
the old name away still shows the new one, so it is asked for, and again for the name after that.

    followed(folder, ["lib/cart.py"], since=["5f2c…"], is_there=os.path.exists)      # {"lib/cart.py": "src/basket.py"}

Two processes for a step, and two before the first, however many files there are.
"""

from __future__ import annotations

from perdure.model.value import value
from perdure.place import repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

RENAMES = ("-r", "-z", "-M", "--relative", "--diff-filter=R", "--no-ext-diff", "--no-textconv")
PATIENCE = 20.0
"""Seconds for one question. Comparing trees of a hundred thousand files takes several."""
_DELETIONS = (
    *("--no-follow", "--full-history"),
    *("-z", "--no-renames", "--relative", "--diff-filter=D", "--name-only", "--no-ext-diff", "--no-textconv"),
)
"""With the full history: a name that only a merged branch had is at neither end, and git would leave the branch out."""
_MANY = "-l3000"
"""git looks for renames among so many files; by itself it stops at a thousand. For the few commits of a step, not for
each commit of a claim: comparing 3000 files with 3000 others takes seconds."""
_MOST_STEPS = 8
_MOST_FILES = 2000


@value
class Rename:
    to: str
    is_whole: bool
    """Not one byte was changed."""


def followed(
    folder: str,
    paths: Iterable[str],
    *,
    since: Iterable[str],
    is_there: Callable[[str], bool],
    seconds: float = PATIENCE,
) -> dict[str, str]:
    """Each old name → the name that the file has now. `since` are the commits in which the old names were seen; what
    happened before all of them is not asked for."""
    now = {path: path for path in sorted(set(paths))[:_MOST_FILES]}
    before = _before(folder, since, seconds)
    gone = set(now) if before else set()
    for _ in range(_MOST_STEPS):
        if not gone:
            break
        step = _step(folder, sorted(gone), before, seconds=seconds)
        now = {old: step.get(name, name) for old, name in now.items()}
        gone = {name for name in step.values() if not is_there(name)}
    return {old: name for old, name in now.items() if name != old and is_there(name)}


def _before(folder: str, since: Iterable[str], seconds: float) -> str:
    """The newest commit that is older than all of these; empty if they are not in this repository."""
    given = "".join(f"{commit}\n" for commit in sorted(set(since)))
    known = repository.answer(
        folder, "rev-list", "--no-walk", "--ignore-missing", "--stdin", given=given, seconds=seconds
    )
    if not known:
        return ""
    said = repository.git(folder, "merge-base", "--octopus", "HEAD", *known.split(), seconds=seconds).strip()
    return said if repository.is_hash(said) else ""


def _step(folder: str, paths: Sequence[str], before: str, *, seconds: float) -> dict[str, str]:
    """For each of these names that a commit took away: the name that this commit gave the file. Of several commits,
    on different branches, the newest that renamed it counts."""
    given = "\n".join(["HEAD", f"^{before}", "--", *(f":(literal){path}" for path in paths if "\n" not in path), ""])
    said = repository.answer(folder, "log", *_DELETIONS, "--format=%H", "--stdin", given=given, seconds=seconds)
    taken = _deletions(said or "")
    if not taken:
        return {}
    commits = "".join(f"{commit}\n" for commit in sorted({each for found in taken.values() for each in found}))
    said = repository.answer(folder, "diff-tree", "--stdin", *RENAMES, _MANY, given=commits, seconds=seconds)
    found = pairs(said or "")
    renamed = ((path, [found.get(commit, {}).get(path) for commit in by]) for path, by in taken.items())
    return {path: new.to for path, each in renamed if (new := next(filter(None, each), None))}


def _deletions(said: str) -> dict[str, list[str]]:
    """Each path → the commits that deleted it, the newest first, as the log has them."""
    found: dict[str, list[str]] = {}
    commit = ""
    for word in said.split("\0"):
        name = word.removeprefix("\n")
        if repository.is_hash(name):
            commit = name
        elif name:
            found.setdefault(name, []).append(commit)
    return found


def pairs(said: str) -> dict[str, dict[str, Rename]]:
    """What `git diff-tree --stdin -z` prints: a commit, then for each rename `:… R100`, the old name, the new name."""
    found: dict[str, dict[str, Rename]] = {}
    words = iter(said.split("\0"))
    commit = ""
    for word in words:
        if word.startswith(":"):
            old, new = next(words, ""), next(words, "")
            found.setdefault(commit, {})[old] = Rename(new, is_whole=_has_same_blobs(word))
        elif repository.is_hash(word.strip()):
            commit = word.strip()
    return found


def _has_same_blobs(facts: str) -> bool:
    """`facts`: `:100644 100644 BLOB BLOB R100`."""
    blobs = facts.split(" ")[2:4]
    return len(set(blobs)) == 1
