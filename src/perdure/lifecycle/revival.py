"""May a saved state be restored here, and what is it then? (SPEC 10.4) Pure.

Content is checked, not only age: whose lineage it is, which project, which branch. The ledger is the truth: what it
says now counts. A checkpoint adds what a bounded reading of the ledger no longer reaches.

    why_not(header, here)                       "", or why it is not restored
    restored(saved, rebuilt, age=90, is_complete=False)
    is_doubtful(["cents", "prices"], ["src/cart.py", "main"])
"""

from __future__ import annotations

import re

from perdure.lifecycle.state_fields import FIELDS, LISTS, SAVED, capped
from perdure.model.terms import terms_of
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perdure.lifecycle.state_checkpoint import Header
    from perdure.lifecycle.state_fields import State
    from perdure.model.json import Json

_COMMON = frozenset(
    terms_of(
        """a about add after again all also am an and any are as at be been before but by can change check continue
        could create did do does each every file fix for from get go had has have help here hi how i if in into is it
        its just let like look make me more my need new no not now of on one only or our out please put read run see
        should so some start than that the their them then there these they thing this those to up update us use want
        was we well what when where which who why will with work would write yes you your"""
    )
)
"""Words that say nothing about what a goal is about."""
_UNTELLING_BRANCHES = frozenset(("main", "master", "develop", "trunk", "HEAD"))
MOST_KEYWORDS = FIELDS["goal_keywords"].cap
_WORD = re.compile(r"[^\W_]+")


@value
class Here:
    """Where a session begins that continues another."""

    project_id: str
    root: str
    branch: str | None
    lineage: tuple[str, ...]
    """The sessions that it continues, the newest first."""
    redacted: str


def why_not(header: Header, here: Here) -> str:
    """Empty if the state may be restored."""
    if header.project_id != here.project_id or header.project_path != here.root:
        return f"it is of another project ({header.project_path})"
    known = here.lineage[here.lineage.index(header.session_id) :] if header.session_id in here.lineage else ()
    shared = min(len(known), len(header.lineage))
    if not known or known[:shared] != header.lineage[:shared]:
        return "it is of another lineage"
    if header.redacted != here.redacted:
        return "something was erased since"
    if header.branch != here.branch:
        return f"it is of branch {header.branch or 'none'}, and this is {here.branch or 'none'}"
    return ""


def is_of_other_branch(header: Header, here: Here) -> bool:
    """Whether the branch is all that keeps it from being restored."""
    return header.branch != here.branch and not why_not(replace(header, branch=here.branch), here)


@value
class RestoredState:
    state: dict[str, Json]
    rebuilt: tuple[str, ...]
    """Fields whose saved value was too old; the ledger alone counts."""


def restored(saved: State, rebuilt: State, *, age: float, is_complete: bool) -> RestoredState:
    """`rebuilt`: what the ledger says now; a field that is not in it, the ledger does not reach. `age`: of what was
    saved, in seconds. `is_complete`: the reading of the ledger reached the beginning of the lineage."""
    state: dict[str, Json] = {}
    too_old = []
    for field in SAVED:
        old, is_young = saved.get(field.name), field.time_to_live is None or age < field.time_to_live
        if old is not None and not is_young:
            too_old.append(field.name)
            old = None
        now = rebuilt.get(field.name)
        if field.name not in rebuilt:
            now = old
        elif field.type in LISTS and not is_complete and isinstance(old, list):
            now = capped(field, _merged(now if isinstance(now, list) else [], old))
        if now is not None:
            state[field.name] = now
    return RestoredState(state, tuple(too_old))


def _merged(now: list[Json], old: list[Json]) -> list[Json]:
    """What the ledger says comes first: it is newer."""
    return [*now, *(each for each in old if each not in now)]


def keywords_of(goal: str) -> list[str]:
    """The words of a goal by which it is recognised in the work, each once."""
    found: dict[str, str] = {}
    for word in _WORD.findall(goal.lower()):
        terms = [term for term in terms_of(word) if term not in _COMMON and not term.isdigit()]
        if terms:
            found.setdefault(terms[0], word)
    return list(found.values())[:MOST_KEYWORDS]


def is_doubtful(keywords: Sequence[str], work: Iterable[str]) -> bool:
    """Whether none of the goal's words occurs in the work: the branch, tasks, recent files. Where there is no work to
    compare with, nothing speaks against the goal."""
    texts = [text for text in work if text and text not in _UNTELLING_BRANCHES]
    if not keywords or not texts:
        return False
    spoken = {term for text in texts for term in terms_of(text)}
    return spoken.isdisjoint(term for word in keywords for term in terms_of(word))
