"""Is something really absent? Searches the tracked files for it, in at least two ways (SPEC 8.4).

    absent(desk, "retries", ["retry", "exponential backoff"], below="src").outcome

A line is a hit if it has every word of a query (case and common endings do not matter, `retryCount` is two words), or
the whole query written as one word. A file's name can be a hit, too, at line 0. If a file could not be searched,
because it is too large, cannot be read or is a submodule, an absence is not confirmed. Of a symbolic link and of a
drawing (SVG) only the name is searched. What is said to be absent is searched for, too: queries with a word that
stands nowhere prove nothing. Files that only repeat what was said, such as NOTES.md and the task file of beads, are
not searched.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import combinations, islice

from perdure.actions.attribution import record_event
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import FROM_RECORD, WorkTree
from perdure.errors import BadInput, PerdureError, Refused
from perdure.grounding.absence import (
    Absence,
    Absent,
    Hit,
    absence,
    query_words,
    search_words,
    too_similar,
    without_invisible,
)
from perdure.grounding.citation import read_citation
from perdure.grounding.file_kinds import NotText, is_drawing, text_within
from perdure.grounding.project_root import ROOT
from perdure.model import payload as p
from perdure.model.plural import counted
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

GROUNDING = "absence"
MOST_QUERIES = 10
MOST_BYTES = 512 << 20
MOST_PLACES = 50
"""How many places are given."""
_MOST_HITS = 1000
"""After so many in one file, the rest of it is not searched."""
_SHORTEST_JOINED = 6
"""Letters: a shorter query would be found inside other words."""
_BY_NO_QUERY = (
    " Only its own words were found, by no query: if the places show something else, give it a more exact name."
)
_GAPS = re.compile(r"[\s_\-.]+")


@value
class Searched:
    outcome: Absent
    reason: str
    code: tuple[Hit, ...]
    documents: tuple[Hit, ...]
    unsearched: tuple[str, ...]

    @property
    def is_confirmed(self) -> bool:
        return self.outcome == Absent.CONFIRMED

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        return tuple((hit.path, hit.line) for hit in (*self.code, *self.documents)[:MOST_PLACES])


def absent(desk: Desk, feature: str, queries: Sequence[str], *, below: str = "") -> tuple[Event, Searched]:
    if not feature.strip():
        raise BadInput("empty_text", "Say what is absent.", hint="perdure claim absent 'retries' --query … --query …")
    _refuse_similar(queries)
    folder = _folder(below)
    with WorkTree(folder_of(desk)) as tree:
        (found,) = _searched(tree, _tracked(tree), [_Wanted(tuple(queries), folder, feature)])
        commit = tree.commit
    made = p.ClaimAbsent(
        feature=feature,
        queries=tuple(queries),
        outcome=found.outcome.value,
        code_hits=len(found.code),
        document_hits=len(found.documents),
        below=folder or None,
        commit=commit,
    )
    return record_event(desk, "claim.absent", made), found


def search_again(tree: WorkTree, claims: Sequence[p.ClaimAbsent]) -> list[Searched]:
    """What each claim's search finds now, in the order of the claims. The queries of an imported claim may be such as
    are refused here. If git lists no files, nothing is confirmed."""
    wanted = [_Wanted(each.queries, each.below or "", each.feature) for each in claims]
    return _searched(tree, tree.tracked() or [], wanted) if wanted else []


def _tracked(tree: WorkTree) -> list[str]:
    found = tree.tracked()
    if found is None:
        raise Refused(
            "no_tracked_files",
            "perdure claim absent searches the files that git tracks, and git tracks none here. Nothing was written.",
            hint="Run it in a git repository, after git add of the files to search.",
        )
    return found


def _refuse_similar(queries: Sequence[str]) -> None:
    if not 2 <= len(queries) <= MOST_QUERIES:
        raise BadInput(
            "similar_queries",
            f"An absence needs 2 to {MOST_QUERIES} queries; {len(queries)} given.",
            hint="--query retry --query 'exponential backoff'",
        )
    for one, other in combinations(queries, 2):
        reason = too_similar(one, other)
        if reason:
            raise BadInput("similar_queries", reason, hint="--query retry --query 'exponential backoff'")


def _folder(text: str) -> str:
    """The folder from the project's root; empty for the whole project."""
    path = text.removeprefix(ROOT).removeprefix("./").rstrip("/")
    if path in ("", ".") and not text.startswith("/"):
        return ""
    try:
        return read_citation(f"{ROOT}{path}:1").path
    except PerdureError:
        raise BadInput(
            "bad_folder",
            f"--in {text[:200]} is not a folder of the project.",
            hint="Give it from the project's root: --in src/",
        ) from None


# -- searching -------------------------------------------------------------------------------------------------------


@value
class _Wanted:
    queries: tuple[str, ...]
    below: str
    feature: str

    @property
    def sought(self) -> tuple[str, ...]:
        return (*self.queries, self.feature)

    def is_in(self, path: str) -> bool:
        return not self.below or path == self.below or path.startswith(self.below + "/")


class _Query:
    def __init__(self, text: str) -> None:
        self.words = query_words(text)
        self._beginnings = {_beginning(word) for word in self.words}
        joined = _GAPS.sub("", without_invisible(text).lower())
        self.joined = joined if len(joined) >= _SHORTEST_JOINED else ""

    def may_be_in(self, low: str, squeezed: str) -> bool:
        """A quick test of a whole text: False only if none of its lines can be a hit. Accents may hide a word."""
        if self.joined and self.joined in squeezed:
            return True
        return not low.isascii() or all(start in low for start in self._beginnings)

    def stands_in(self, line: str, forms: frozenset[str]) -> bool:
        """`forms`: those of the line's words."""
        if self.joined and self.joined in _GAPS.sub("", line.lower()):
            return True
        return not any(word.isdisjoint(forms) for word in self.words)


def _beginning(forms: frozenset[str]) -> str:
    """The letters with which each word of these forms begins."""
    shortest = min(forms, key=len)
    return shortest[:-1] if shortest.endswith(("e", "i", "y")) else shortest


def _searched(tree: WorkTree, tracked: Sequence[str], wanted: Sequence[_Wanted]) -> list[Searched]:
    """Reads every file once, for all searches."""
    scopes = [[path for path in tracked if each.is_in(path)] for each in wanted]
    queries = {text: _Query(text) for each in wanted for text in each.sought if query_words(text)}
    needed = sorted({path for scope in scopes for path in scope})
    hits, unsearched = _hits(tree, needed, queries)
    return [_verdict(each, scope, hits, unsearched=unsearched) for each, scope in zip(wanted, scopes, strict=True)]


def _hits(
    tree: WorkTree, paths: Sequence[str], queries: dict[str, _Query]
) -> tuple[dict[tuple[str, str], list[Hit]], set[str]]:
    """By path and query, where it was found; and what could not be searched."""
    hits: dict[tuple[str, str], list[Hit]] = {}
    unsearched: set[str] = set()
    left = MOST_BYTES
    for path in paths:
        content = _content(tree, path) if left > 0 else NotText("There is too much to search.")
        if isinstance(content, NotText):
            unsearched.add(path)
        text = text_within(content) if isinstance(content, bytes) else ""
        left -= len(content) if isinstance(content, bytes) else 0
        file = _File(path, text)
        for name, query in queries.items():
            found = list(file.hits(query))
            if found:
                hits[path, name] = found
    return hits, unsearched


def _content(tree: WorkTree, path: str) -> bytes | NotText | None:
    if is_drawing(path) or os.path.islink(os.path.join(tree.folder, path)):
        return None
    if os.path.isdir(os.path.join(tree.folder, path)):
        return NotText("It is a submodule.")
    content = tree.content(path)
    return None if content is FROM_RECORD else content


class _File:
    """A file's name and text, in the forms that every query asks for. Each is made once."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._text = text
        self._low = text.lower()
        self._squeezed = _GAPS.sub("", self._low)
        self._words_of_name = search_words(path)
        self._words_of_line: dict[int, frozenset[str]] = {}

    @cached_property
    def _lines(self) -> list[tuple[int, str, str]]:
        return [(number, line, line.lower()) for number, line in enumerate(self._text.split("\n"), 1)]

    def hits(self, query: _Query) -> Iterator[Hit]:
        if query.stands_in(self.path, self._words_of_name):
            yield Hit(self.path, 0)
        if query.may_be_in(self._low, self._squeezed):
            yield from islice(self._hits_in_lines(query), _MOST_HITS)

    def _hits_in_lines(self, query: _Query) -> Iterator[Hit]:
        """A file has many lines, and few have all the letters of a query: the others are not split into words."""
        for number, line, low in self._lines:
            squeezed = _GAPS.sub("", low) if query.joined else ""
            if query.may_be_in(low, squeezed) and query.stands_in(line, self._words_in(number, line)):
                yield Hit(self.path, number)

    def _words_in(self, number: int, line: str) -> frozenset[str]:
        """A line with accents may be a hit of every query."""
        if number not in self._words_of_line:
            self._words_of_line[number] = search_words(line)
        return self._words_of_line[number]


def _verdict(
    wanted: _Wanted, scope: Sequence[str], hits: dict[tuple[str, str], list[Hit]], *, unsearched: set[str]
) -> Searched:
    found = absence(hit for path in scope for text in wanted.sought for hit in hits.get((path, text), ()))
    skipped = tuple(path for path in scope if path in unsearched)
    outcome = found.outcome
    ways = [text for text in wanted.queries if query_words(text)]
    if outcome == Absent.CONFIRMED and (skipped or not scope or len(ways) < 2):
        outcome = Absent.AMBIGUOUS
    by_queries = any(hits.get((path, text)) for path in scope for text in wanted.queries)
    reason = _reason(found, skipped=len(skipped), searched=len(scope), by_queries=by_queries)
    return Searched(outcome=outcome, reason=reason, code=found.code, documents=found.documents, unsearched=skipped)


def _reason(found: Absence, *, skipped: int, searched: int, by_queries: bool) -> str:
    said = [f"{counted(len(found.code), 'hit')} in code", f"{counted(len(found.documents), 'mention')} in documents"]
    if skipped:
        said.append(f"{counted(skipped, 'file')} could not be searched")
    reason = ", ".join(said) + f", in {counted(searched, 'tracked file')}."
    return reason + _BY_NO_QUERY if (found.code or found.documents) and not by_queries else reason
