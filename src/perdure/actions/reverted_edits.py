"""Which of this instance's edits a command has just taken back: evidence against what was thought (SPEC 10.7).

Only git's own ways count: `git restore`, `git checkout -- FILE`, `git reset --hard`. A file was taken back if it is as
the last commit has it, was edited here, and was not committed since. An edit that the agent undoes by hand is not seen.

    reverted(desk, "git restore cart.py")       ["cart.py"]
"""

from __future__ import annotations

from perdure.actions.newest import newest_first
from perdure.actions.work_folder import folder_of
from perdure.model import payload as p
from perdure.model.moment import Moment, moment_of
from perdure.place import repository
from perdure.recovery.simple_commands import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.actions.wiring import Desk

_KINDS = ("edit.made", "edit.reverted")
_LATEST, _MOST = 300, 30
"""How many events are searched, and how many files are looked at."""
_SECONDS = 5.0


def reverted(desk: Desk, command: str) -> list[str]:
    if not any(_takes_back(simple.started) for simple in read(command).simple):
        return []
    edited = _edited(desk)
    folder = folder_of(desk)
    clean = _clean(folder, edited) if edited else []
    return [path for path in clean if _last_commit(folder, path) < edited[path]]


def _takes_back(words: tuple[str, ...]) -> bool:
    if words[:1] != ("git",) or len(words) < 3:
        return False
    verb, given = words[1], words[2:]
    if verb == "restore":
        return "--staged" not in given or "--worktree" in given
    if verb == "reset":
        return "--hard" in given
    return verb == "checkout" and ("--" in given or "." in given)


def _edited(desk: Desk) -> dict[str, Moment]:
    """The files that this instance edited last and did not take back since, and when."""
    found: dict[str, Moment] = {}
    seen: set[str] = set()
    for event in newest_first(desk.latest_here, _KINDS, _LATEST):
        what = p.read(event, p.EditMade) or p.read(event, p.EditReverted)
        if what is None or what.path in seen or event.instance_id != desk.seat.instance_id:
            continue
        seen.add(what.path)
        if event.kind == "edit.made" and len(found) < _MOST:
            found[what.path] = moment_of(event.ts)
    return found


def _clean(folder: str, paths: Iterable[str]) -> list[str]:
    """Those that git tracks and that are as the last commit has them."""
    named = [f":(top,literal){path}" for path in paths]
    tracked = repository.answer(folder, "ls-files", "-z", "--full-name", "--", *named, seconds=_SECONDS)
    changed = repository.answer(folder, "diff", "--name-only", "-z", "HEAD", "--", *named, seconds=_SECONDS)
    if tracked is None or changed is None:
        return []
    return [path for path in tracked.split("\0") if path and path not in changed.split("\0")]


def _last_commit(folder: str, path: str) -> Moment:
    """The end of the second that git names: in doubt, the edit was committed."""
    said = repository.git(folder, "log", "-1", "--format=%ct", "--", f":(top,literal){path}", seconds=_SECONDS).strip()
    return Moment(int(said) * 1000 + 999) if said.isdecimal() else Moment(0)
