"""Is evidence true when it is given, and what became of it since? The classes of SPEC 8.2.

    file = SourceFile("cart.py", text)
    claim_quote(LineCitation("cart.py", 3, 3), "return a + b", file).outcome == Outcome.MOVED
    check_quote(stored, file, renamed=[])

A `SourceFile` prepares its text for searches and reads its symbols once: give the same one for all evidence from a
file. The caller opens the files and asks git for renames. `renamed` are the files that the cited one may have become,
the likeliest first.

A quote, when checked:
1. It stands at the cited lines: verified.
2. It stands elsewhere in the file, or in a renamed file: moved, to the place nearest to the cited lines.
3. The file, or one that it was renamed to, exists: changed. Otherwise missing.

A symbol, when checked:
1. The name stands for the same content: verified, also if the lines moved. A name that stands for several symbols is
   compared as a whole: if one of them is added, removed or changed, the evidence is changed.
2. The same content has another name in the file, or any name in a renamed file: moved.
3. The file, or one that it was renamed to, exists: changed. Otherwise missing.
"""

from __future__ import annotations

from functools import cached_property

from perdure.errors import BadInput
from perdure.grounding.file_kinds import NotText
from perdure.grounding.outcome import GROUNDED, Outcome
from perdure.grounding.quotes import SearchableText
from perdure.grounding.symbol import content_hash, enclosing, named, same_content
from perdure.grounding.symbols import symbols_of
from perdure.grounding.syntax import syntax_symbols
from perdure.model.plural import counted
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.grounding.citation import LineCitation, SymbolCitation
    from perdure.grounding.quotes import Place
    from perdure.grounding.symbol import Symbol
    from perdure.grounding.symbols import Parse


@value
class Verdict:
    outcome: Outcome
    reason: str
    path: str
    """Where it stands now; for evidence that stands nowhere, where it was looked for."""
    first: int = 0
    last: int = 0
    places: int = 0
    """How many places have the quote, or how many symbols the content."""
    symbol: str = ""
    """The symbol, or the innermost symbol around the quote; empty if there is none."""
    symbol_hash: str = ""

    @property
    def grounded(self) -> bool:
        return self.outcome in GROUNDED


@value
class StoredEvidence:
    """What was recorded when the claim was made. Evidence without a quote is a reference to a symbol."""

    path: str
    first: int
    last: int
    quote: str = ""
    symbol: str = ""
    symbol_hash: str = ""


class SourceFile:
    def __init__(self, path: str, content: str | NotText, parse: Parse = syntax_symbols) -> None:
        self.path = path
        self.is_text = not isinstance(content, NotText)
        self.problem = content.reason if isinstance(content, NotText) else ""
        self._text = "" if isinstance(content, NotText) else content
        self._parse = parse
        if not self.problem and not self._text.removeprefix("\ufeff").strip():
            self.problem = "The file is empty."

    @cached_property
    def searchable(self) -> SearchableText:
        return SearchableText(self._text)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        return symbols_of(self._text, self.path, self._parse)


# -- when the claim is made ------------------------------------------------------------------------------------------


def claim_quote(citation: LineCitation, quote: str, file: SourceFile | None) -> Verdict:
    if file is None or file.problem:
        return _fabricated(citation.path, file)
    lines = file.searchable
    place = lines.stands_at(quote, citation.first, citation.last)
    places = [place] if place else lines.places(quote)
    too_little = lines.too_little(quote)
    if too_little and not lines.lacks(quote):
        raise BadInput("bad_quote", too_little, hint="Quote at least 12 characters, or a whole line that is unique.")
    if not places:
        return Verdict(Outcome.FABRICATED, "The quote is not in the file.", citation.path)
    return _with_symbol(_quote_found(file, places, citation.first, verified=place is not None), file)


def claim_symbol(citation: SymbolCitation, file: SourceFile | None) -> Verdict:
    if file is None or file.problem:
        return _fabricated(citation.path, file)
    found = named(file.symbols, citation.symbol)
    if not found:
        return Verdict(Outcome.FABRICATED, f"The file has no symbol {citation.symbol}.", citation.path)
    return _symbol_found(Outcome.VERIFIED, file, found, reason=_said_of(found), cited=citation.symbol)


def _fabricated(path: str, file: SourceFile | None) -> Verdict:
    return Verdict(Outcome.FABRICATED, file.problem if file else "There is no such file.", path)


def _with_symbol(verdict: Verdict, file: SourceFile) -> Verdict:
    around = enclosing(file.symbols, verdict.first, verdict.last)
    if around is None:
        return verdict
    return replace(verdict, symbol=around.name, symbol_hash=around.hash)


# -- when it is checked again ----------------------------------------------------------------------------------------


def check_evidence(stored: StoredEvidence, file: SourceFile | None, renamed: Sequence[SourceFile] = ()) -> Verdict:
    return check_quote(stored, file, renamed) if stored.quote else check_symbol(stored, file, renamed)


def check_quote(stored: StoredEvidence, file: SourceFile | None, renamed: Sequence[SourceFile] = ()) -> Verdict:
    if file is not None:
        place = file.searchable.stands_at(stored.quote, stored.first, stored.last)
        if place:
            return _quote_found(file, [place], stored.first, verified=True)
    for each in _present(file, renamed):
        places = each.searchable.places(stored.quote)
        if places:
            return _quote_found(each, places, stored.first, verified=False)
    return _lost(stored.path, _present(file, renamed), "The quote no longer stands in the file.")


def check_symbol(stored: StoredEvidence, file: SourceFile | None, renamed: Sequence[SourceFile] = ()) -> Verdict:
    if file is not None:
        found = named(file.symbols, stored.symbol)
        if same_content(stored.symbol_hash, content_hash(found)):
            return _symbol_found(Outcome.VERIFIED, file, found, reason=_said_of(found))
    for each in _present(file, renamed):
        moved = _moved_symbol(stored, each, same_file=each is file)
        if moved:
            return moved
    for each in _present(file, renamed):
        found = named(each.symbols, stored.symbol)
        if found:
            return _symbol_found(Outcome.CHANGED, each, found, reason=f"The content of {stored.symbol} has changed.")
    return _lost(stored.path, _present(file, renamed), f"The file no longer has a symbol {stored.symbol}.")


_GONE = "The file is gone."


def _present(file: SourceFile | None, renamed: Sequence[SourceFile]) -> list[SourceFile]:
    return [file, *renamed] if file is not None else [*renamed]


def _moved_symbol(stored: StoredEvidence, file: SourceFile, *, same_file: bool) -> Verdict | None:
    """In the same file only other names count: the caller has compared the name itself already."""
    by_name = named(file.symbols, stored.symbol)
    if not same_file and same_content(stored.symbol_hash, content_hash(by_name)):
        return _symbol_found(Outcome.MOVED, file, by_name, reason=f"The symbol is in {file.path} now.")
    others = _of_same_content(stored, [symbol for symbol in file.symbols if symbol not in by_name])
    if not others:
        return None
    nearest = min(others, key=lambda symbols: abs(symbols[0].first - stored.first))
    reason = f"The symbol is {nearest[0].name} in {file.path} now."
    found = _symbol_found(Outcome.MOVED, file, nearest, reason=reason)
    return replace(found, places=len(others))


def _of_same_content(stored: StoredEvidence, symbols: Sequence[Symbol]) -> list[list[Symbol]]:
    """Symbols with the stored content: each alone, and those that share a name as a whole."""
    alone = [[symbol] for symbol in symbols if same_content(stored.symbol_hash, symbol.hash)]
    by_name: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        by_name.setdefault(symbol.name, []).append(symbol)
    several = (group for group in by_name.values() if len(group) > 1)
    return [*alone, *(group for group in several if same_content(stored.symbol_hash, content_hash(group)))]


def _lost(path: str, present: Sequence[SourceFile], reason: str) -> Verdict:
    if not present:
        return Verdict(Outcome.MISSING, _GONE, path)
    return Verdict(Outcome.CHANGED, present[0].problem or reason, present[0].path)


# -- what both say ---------------------------------------------------------------------------------------------------


def _quote_found(file: SourceFile, places: Sequence[Place], cited: int, *, verified: bool) -> Verdict:
    """The verdict for the place nearest to the cited line; of two equally near ones, the upper."""
    first, last = min(places, key=lambda place: abs(place[0] - cited))
    if verified:
        reason, outcome = "The quote stands at the cited lines.", Outcome.VERIFIED
    else:
        several = f"{counted(len(places), 'place')} have it; the nearest is" if len(places) > 1 else "It stands at"
        reason, outcome = f"The quote does not stand at the cited lines. {several} line {first}.", Outcome.MOVED
    return Verdict(outcome=outcome, reason=reason, path=file.path, first=first, last=last, places=len(places))


def _said_of(found: Sequence[Symbol]) -> str:
    by_text = any(symbol.by == "text" for symbol in found)
    how = " It was found by its lines: no grammar could read it." if by_text else ""
    if len(found) > 1:
        return f"{counted(len(found), 'symbol')} have this name; all of them are meant.{how}"
    return f"The symbol is as cited.{how}"


def _symbol_found(
    outcome: Outcome, file: SourceFile, found: Sequence[Symbol], *, reason: str, cited: str = ""
) -> Verdict:
    """`cited` stays the name of symbols that have several: the name of one alone would stand for that one later."""
    has_one_name = len({symbol.name for symbol in found}) == 1
    return Verdict(
        outcome=outcome,
        reason=reason,
        path=file.path,
        first=found[0].first,
        last=found[0].last,
        places=len(found),
        symbol=found[0].name if has_one_name or not cited else cited,
        symbol_hash=content_hash(found),
    )
