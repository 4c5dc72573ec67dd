"""Is this evidence true? Reads a citation, opens the file, and compares (SPEC 8.1, 8.2). Claims and decisions ask
here.

    with WorkTree(folder_of(desk)) as tree:
        judge(tree, "${PROJECT_ROOT}/src/cart.py:12", "return a + b", folder="src").outcome == "verified"
"""

from __future__ import annotations

import os

from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.errors import BadInput, PerdureError
from perdure.grounding.citation import SymbolCitation, read_citation, write_citation
from perdure.grounding.project_root import ROOT
from perdure.grounding.verdict import claim_quote, claim_symbol
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.grounding.citation import LineCitation
    from perdure.grounding.verdict import Verdict
    from perdure.model.json import Json

_SET_BY_US = ("class", "blob", "commit", "symbol_hash")
"""Fields of a decision's evidence that only Perdure writes."""


@value
class Judged:
    """Evidence, and what the file said when it was given."""

    verdict: Verdict
    citation: LineCitation | SymbolCitation
    quote: str | None
    blob: str | None
    commit: str | None


def judge(tree: WorkTree, cited: str, quote: str | None, *, folder: str = "") -> Judged:
    """`folder` is the caller's folder, from the project's root; it only serves to correct a relative path."""
    citation = read_citation(cited, root=tree.folder, folder=folder)
    _refuse_credential(cited, quote)
    tree.look_again(citation.path)
    file = tree.file(citation.path)
    if citation.path in tree.refusals:
        raise BadInput(
            "cannot_cite",
            f"{citation.path}: {tree.refusals[citation.path]} Nothing was written.",
            hint="Cite a file of the project that can be read and shows it: code, a test, a document.",
        )
    if isinstance(citation, SymbolCitation):
        if quote:
            raise BadInput("bad_quote", "A symbol is cited without a quote.", hint="Leave the quote out.")
        verdict = claim_symbol(citation, file)
    else:
        verdict = claim_quote(citation, _needed(quote), file)
    return Judged(verdict=verdict, citation=citation, quote=quote, blob=tree.blob(verdict.path), commit=tree.commit)


def _needed(quote: str | None) -> str:
    if not quote:
        raise BadInput("bad_quote", "A citation of lines needs a quote.", hint="Quote these lines word for word.")
    return quote


def _refuse_credential(cited: str, quote: str | None) -> None:
    """Credentials are masked in the ledger, and a masked quote could never be found again."""
    from perdure.masking import mask_json

    if mask_json({"cited": cited, "quote": quote})[1]:
        raise BadInput(
            "looks_secret",
            "The citation has something in it that looks like a credential. Nothing was written.",
            hint="Quote the line beside it, or cite the symbol.",
        )


def caller_folder(desk: Desk, tree: WorkTree) -> str:
    """The folder that the command runs in, from the project's root; empty outside of it."""
    found = os.path.relpath(os.path.realpath(desk.resolved.request.cwd), os.path.realpath(tree.folder))
    return "" if found == "." or found.startswith("..") else found


def cited_by(given: dict[str, Json]) -> str:
    """The citation of an object with `path`, and `line`, `end_line` or `symbol`. If a line and a quote are given, they
    are cited, and the symbol only says what is around them."""
    path, symbol = _text(given, "path"), _text(given, "symbol")
    first, last = _number(given, "line"), _number(given, "end_line")
    if path is None:
        raise BadInput("bad_field", "path: is missing.", details={"field": "path"})
    if symbol is not None and (first is None or given.get("quote") is None):
        in_project = path.startswith(ROOT)
        return write_citation(SymbolCitation(path.removeprefix(ROOT), symbol)) if in_project else f"{path}#{symbol}"
    if first is None:
        return path
    return f"{path}:{first}" if last is None else f"{path}:{first}-{last}"


def _text(given: dict[str, Json], name: str) -> str | None:
    content = given.get(name)
    if content is not None and not isinstance(content, str):
        raise BadInput("bad_field", f"{name}: must be a string.", details={"field": name})
    return content


def _number(given: dict[str, Json], name: str) -> int | None:
    content = given.get(name)
    if content is not None and (isinstance(content, bool) or not isinstance(content, int)):
        raise BadInput("bad_field", f"{name}: must be a whole number.", details={"field": name})
    return content


# -- of decisions ----------------------------------------------------------------------------------------------------


def of_decision(
    desk: Desk, evidence: tuple[dict[str, Json], ...]
) -> tuple[tuple[dict[str, Json], ...], tuple[str, ...]]:
    """The evidence with its class, and warnings for the caller. A decision is always recorded (SPEC 7.3): if its
    evidence is not true or cannot be checked, there is only a warning. A path in another form is refused, so that the
    caller can give it again."""
    warnings: list[str] = []
    with WorkTree(folder_of(desk)) as tree:
        judged = tuple(_of_one(desk, tree, each, warnings=warnings) for each in evidence)
    return judged, tuple(warnings)


def _of_one(desk: Desk, tree: WorkTree, given: dict[str, Json], *, warnings: list[str]) -> dict[str, Json]:
    kept = {name: content for name, content in given.items() if name not in _SET_BY_US}
    if given.get("path") is None:
        warnings.append("Evidence without a path cannot be checked: the decision counts as ungrounded.")
        return kept
    cited, folder = cited_by(given), caller_folder(desk, tree)
    has_place = ":" in cited or "#" in cited
    citation = read_citation(cited if has_place else f"{cited}:1", root=tree.folder, folder=folder)
    kept = {**kept, **(_place(citation) if has_place else {})}
    try:
        judged = judge(tree, cited, _text(given, "quote"), folder=folder)
    except PerdureError as error:
        warnings.append(f"{citation.path}: {error.message} The decision counts as ungrounded.")
        return kept
    verdict = judged.verdict
    if not verdict.grounded:
        warnings.append(f"{verdict.path}: {verdict.reason} The decision counts as ungrounded.")
        return {**kept, "class": verdict.outcome.value}
    return {**kept, **_stored(judged)}


def _place(citation: LineCitation | SymbolCitation) -> dict[str, Json]:
    if isinstance(citation, SymbolCitation):
        return {"path": ROOT + citation.path, "symbol": citation.symbol}
    last: dict[str, Json] = {"end_line": citation.last} if citation.last != citation.first else {}
    return {"path": ROOT + citation.path, "line": citation.first, **last}


def _stored(judged: Judged) -> dict[str, Json]:
    verdict = judged.verdict
    found: dict[str, Json] = {
        "path": ROOT + verdict.path,
        "line": verdict.first,
        "end_line": verdict.last,
        "class": verdict.outcome.value,
        "blob": judged.blob,
        "commit": judged.commit,
        "symbol": verdict.symbol or None,
        "symbol_hash": verdict.symbol_hash or None,
    }
    return {name: content for name, content in found.items() if content is not None}
