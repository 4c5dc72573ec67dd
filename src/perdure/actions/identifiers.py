"""Places in the project that the words of notes and decisions name, `${PROJECT_ROOT}/path:line` or `…#symbol`: what
stands there is kept when they are recorded, and looked at again before they are given (SPEC 12.2).

    seen_in(desk, text)                                 for the event's `identifiers`
    marked(folder, [TextWithPlaces("see ${PROJECT_ROOT}/a.py:3", known)])   ["see ${PROJECT_ROOT}/a.py:3 (now a.py:7)"]

A place that is as it was gets no mark. The others get one of:

    (now a.py:7)        it stands there now
    (changed)           the file is there, what stood at the place is not
    (gone)              the file is gone
    (no such file)      the same for a place that was recorded without being looked at, so it may never have been there
    (no such line)      like that
    (no such symbol)    like that
    (unverified)        it was not looked at: no work tree, a file too large or outside the project, too many places

How much is read is limited by numbers, and not by time, so that the same input gives the same marks.
"""

from __future__ import annotations

import os

from perdure.actions.containing_files import OldFile
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.grounding.citation import LineCitation, citations_in, write_citation
from perdure.grounding.cited_lines import SeenLines, find, see
from perdure.grounding.outcome import Outcome
from perdure.grounding.project_root import ROOT
from perdure.grounding.symbol import named
from perdure.grounding.verdict import StoredEvidence, check_symbol, claim_symbol
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from perdure.actions.wiring import Desk
    from perdure.grounding.citation import SymbolCitation
    from perdure.grounding.verdict import SourceFile
    from perdure.model.json import Json

    Citation = LineCitation | SymbolCitation

MOST_KEPT = 16
"""Places that are kept with one event."""
MOST_CHECKED = 200
"""Places that are looked at for one brief."""
MOST_BYTES = 16 << 20
"""The most that is read for one brief, all files together."""
LARGEST = 1 << 20
"""Bytes of a file."""
LARGEST_PARSED = 256 << 10
"""Bytes of a file whose symbols are read."""
MOST_PARSED = 8
MOST_FOLLOWED = 20
"""Places in files that are gone, for which git is asked about renames."""
_MOST_UNTRACKED = 100
_GIT_SECONDS = 5.0
_SYMBOL_SECONDS = 2.0

CHANGED, GONE, UNVERIFIED = "(changed)", "(gone)", "(unverified)"
NO_FILE, NO_LINE, NO_SYMBOL = "(no such file)", "(no such line)", "(no such symbol)"


def _tree(folder: str) -> WorkTree:
    return WorkTree(
        folder,
        largest=LARGEST,
        most_untracked=_MOST_UNTRACKED,
        git_seconds=_GIT_SECONDS,
        symbol_seconds=_SYMBOL_SECONDS,
    )


# -- when they are recorded ------------------------------------------------------------------------------------------


def seen_in(desk: Desk, *texts: str | None, known: Iterable[dict[str, Json]] = ()) -> tuple[dict[str, Json], ...]:
    """What stands now at the places that these texts name, but for those that are known already."""
    kept = {str(each.get("at")): each for each in known}
    cited = {write_citation(each.citation): each.citation for text in texts if text for each in citations_in(text)}
    new = [(at, citation) for at, citation in cited.items() if at not in kept][:MOST_KEPT]
    if new:
        with _tree(folder_of(desk)) as tree:
            kept.update((at, found) for at, citation in new if (found := _seen(tree, at, citation)))
    return tuple(kept[at] for at in cited if at in kept)


def _seen(tree: WorkTree, at: str, citation: Citation) -> dict[str, Json] | None:
    file = tree.file(citation.path)
    if file is None or file.problem:
        return None
    common: dict[str, Json] = {"at": at, "blob": tree.blob(citation.path), "commit": tree.commit}
    found = {name: content for name, content in common.items() if content}
    if isinstance(citation, LineCitation):
        lines = see(file.searchable, citation.first, citation.last)
        return {**found, **_as_json(lines)} if lines else None
    verdict = claim_symbol(citation, file)
    if not verdict.grounded:
        return None
    return {**found, "line": verdict.first, "symbol_hash": verdict.symbol_hash}


def _as_json(seen: SeenLines) -> dict[str, Json]:
    return {
        "first": seen.first,
        "all": seen.all,
        "count": seen.count,
        "offset": seen.offset,
        "above": list(seen.above),
        "below": list(seen.below),
    }


def _from_json(kept: dict[str, Json]) -> SeenLines | None:
    """None if it is of another form: an import may hold anything."""
    count, offset = kept.get("count"), kept.get("offset")
    first, together = kept.get("first"), kept.get("all")
    if not (isinstance(first, str) and isinstance(together, str) and type(count) is int and type(offset) is int):
        return None
    above, below = _texts(kept.get("above")), _texts(kept.get("below"))
    return SeenLines(first=first, all=together, count=max(1, count), offset=offset, above=above, below=below)


def _texts(content: Json) -> tuple[str, ...]:
    return tuple(each for each in content if isinstance(each, str)) if isinstance(content, list) else ()


# -- before they are given -------------------------------------------------------------------------------------------


@value
class TextWithPlaces:
    """A text, and what its event kept of the places that it names."""

    text: str
    kept: tuple[dict[str, Json], ...] = ()
    is_own: bool = True
    """Whether this ledger recorded it. If so, a file that has the same bytes need not be searched."""
    is_about_here: bool = True
    """Whether the text is about this project."""


def marked(folder: str, said: Sequence[TextWithPlaces]) -> list[str]:
    """The texts, with a mark behind each place that is not as it was. `folder` is the work tree."""
    if not any(ROOT in each.text for each in said):
        return [each.text for each in said]
    if not _has_work_tree(folder):
        return [_with_marks(each, lambda _: UNVERIFIED) for each in said]
    with _tree(folder) as tree:
        look = _PlacesNow(tree)
        look.expect(said)
        return [_with_marks(each, look.at(each)) for each in said]


def _has_work_tree(folder: str) -> bool:
    """Whether files are checked out in the folder. Those whose names begin with a dot may be Perdure's and git's."""
    try:
        with os.scandir(folder) as entries:
            return any(not entry.name.startswith(".") for entry in entries)
    except OSError:
        return False


def _with_marks(said: TextWithPlaces, mark: Callable[[Citation], str]) -> str:
    parts, at = [], 0
    for each in citations_in(said.text):
        found = mark(each.citation)
        parts.append(said.text[at : each.end] + (f" {found}" if found else ""))
        at = each.end
    return "".join([*parts, said.text[at:]])


class _PlacesNow:
    """Looks at the places of several texts, each once, as long as there are not too many."""

    def __init__(self, tree: WorkTree) -> None:
        self._tree = tree
        self._places: set[str] = set()
        self._sizes: dict[str, int] = {}
        self._parsed: set[str] = set()
        self._followed: set[str] = set()

    def expect(self, said: Sequence[TextWithPlaces]) -> None:
        """Chooses the places that are looked at, the first ones, and asks git once for all that are gone."""
        gone: list[OldFile] = []
        for each in said:
            kept = _by_place(each)
            for cited in citations_in(each.text) if each.is_about_here else ():
                at, path = write_citation(cited.citation), cited.citation.path
                if len(self._places) < MOST_CHECKED:
                    self._places.add(at)
                commit, blob = _text(kept.get(at, {}), "commit"), _text(kept.get(at, {}), "blob")
                if at in self._places and commit and self._is_gone(path) and len(gone) < MOST_FOLLOWED:
                    self._followed.add(at)
                    gone.append(OldFile(path, commit, blob))
        self._tree.expect_renames(gone)

    def at(self, said: TextWithPlaces) -> Callable[[Citation], str]:
        kept = _by_place(said)

        def mark(citation: Citation) -> str:
            at = write_citation(citation)
            if at not in self._places or not said.is_about_here or not self._is_small(citation.path):
                return UNVERIFIED
            found = kept.get(at)
            return self._without_record(citation) if found is None else self._again(citation, found, is_own=said.is_own)

        return mark

    def _is_gone(self, path: str) -> bool:
        return self._is_small(path) and self._tree.file(path) is None

    def _is_small(self, path: str) -> bool:
        """Whether the file may be read: it is small, and together with the others not too much."""
        if path not in self._sizes:
            try:
                size = os.stat(os.path.join(self._tree.folder, path)).st_size
            except (OSError, ValueError):
                size = 0
            fits = size <= LARGEST and size + sum(each for each in self._sizes.values() if each > 0) <= MOST_BYTES
            self._sizes[path] = size if fits else -1
        return self._sizes[path] >= 0

    def _may_parse(self, path: str) -> bool:
        """Whether the symbols of the file may be read: a process of its own does that."""
        if path in self._parsed:
            return True
        if not self._is_small(path) or self._sizes[path] > LARGEST_PARSED or len(self._parsed) >= MOST_PARSED:
            return False
        self._parsed.add(path)
        return True

    def _without_record(self, citation: Citation) -> str:
        """The mark of a place that nobody looked at when it was recorded: it says only whether the place exists."""
        file = self._tree.file(citation.path)
        if file is None:
            return NO_FILE
        if not file.is_text:
            return UNVERIFIED
        if isinstance(citation, LineCitation):
            return "" if citation.last <= file.searchable.length else NO_LINE
        if not self._may_parse(citation.path):
            return UNVERIFIED
        return "" if named(file.symbols, citation.symbol) else NO_SYMBOL

    def _gone(self) -> str:
        """Only a git that answered can tell that a file was not renamed."""
        return UNVERIFIED if self._tree.is_git_unheard else GONE

    def _again(self, citation: Citation, kept: dict[str, Json], *, is_own: bool) -> str:
        file = self._tree.file(citation.path)
        if is_own and file is not None and kept.get("blob") == self._tree.blob(citation.path):
            return ""
        if file is None and write_citation(citation) not in self._followed and kept.get("commit"):
            return UNVERIFIED
        commit, blob = _text(kept, "commit"), _text(kept, "blob")
        several = [file] if file else self._tree.renamed(citation.path, commit, blob)
        if not several:
            return self._gone()
        readable = [each for each in several if each.is_text]
        if not readable:
            return UNVERIFIED
        if isinstance(citation, LineCitation):
            return _lines_now(citation, kept, readable)
        return self._symbol_now(citation, kept, readable)

    def _symbol_now(self, citation: SymbolCitation, kept: dict[str, Json], files: Sequence[SourceFile]) -> str:
        if not all(self._may_parse(each.path) for each in files):
            return UNVERIFIED
        line = kept.get("line")
        stored = StoredEvidence(
            path=citation.path,
            first=line if isinstance(line, int) else 0,
            last=0,
            symbol=citation.symbol,
            symbol_hash=_text(kept, "symbol_hash") or "",
        )
        same = next((each for each in files if each.path == citation.path), None)
        found = check_symbol(stored, same, [each for each in files if each is not same])
        if found.outcome == Outcome.MOVED:
            return f"(now {found.path}#{found.symbol})"
        return "" if found.outcome == Outcome.VERIFIED else CHANGED


def _lines_now(citation: LineCitation, kept: dict[str, Json], files: Sequence[SourceFile]) -> str:
    seen = _from_json(kept)
    if seen is None:
        return UNVERIFIED
    for file in files:
        found = find(seen, file.searchable, citation.first, last=citation.last)
        if found.outcome == Outcome.CHANGED:
            continue
        if found.outcome == Outcome.VERIFIED and file.path == citation.path:
            return ""
        now = write_citation(LineCitation(file.path, found.first, found.last))
        return f"(now {now.removeprefix(ROOT)})"
    return CHANGED


def _by_place(said: TextWithPlaces) -> dict[str, dict[str, Json]]:
    return {str(each.get("at")): each for each in said.kept[:MOST_KEPT]}


def _text(kept: dict[str, Json], name: str) -> str | None:
    content = kept.get(name)
    return content if isinstance(content, str) else None
