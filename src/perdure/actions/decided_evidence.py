"""The evidence of a decision in the form that claims have, so that it is looked at again alike (SPEC 7.3, 8.2).

as_claims(event)        one for each piece of evidence; an assumption if there is none that names a place
"""

from __future__ import annotations

from perdure.grounding.project_root import ROOT
from perdure.model import payload as p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.event import Event
    from perdure.model.json import Json

KIND = "decision.made"


def as_claims(event: Event) -> list[p.ClaimMade]:
    made = p.read(event, p.DecisionMade)
    if made is None:
        return []
    found = [_claim(made.decision, each) for each in made.evidence if str(each.get("path")).startswith(ROOT)]
    return found or [p.ClaimMade(made.decision, grounding="assumption")]


def _claim(decision: str, piece: dict[str, Json]) -> p.ClaimMade:
    quote = _text(piece, "quote")
    return p.ClaimMade(
        claim=decision,
        grounding="citation" if quote else "code_reference",
        outcome=_text(piece, "class"),
        path=str(piece["path"]).removeprefix(ROOT),
        line=_number(piece, "line"),
        end_line=_number(piece, "end_line"),
        quote=quote,
        blob=_text(piece, "blob"),
        commit=_text(piece, "commit"),
        symbol=_text(piece, "symbol"),
        symbol_hash=_text(piece, "symbol_hash"),
    )


def _text(piece: dict[str, Json], name: str) -> str | None:
    """None if it is of another form: an import may hold anything."""
    content = piece.get(name)
    return content if isinstance(content, str) else None


def _number(piece: dict[str, Json], name: str) -> int | None:
    content = piece.get(name)
    return content if type(content) is int else None
