"""Claims: what somebody says about the code, with evidence that is checked when it is given and later (SPEC 8).

    add(desk, tree, GivenClaim("it sums", CITATION, cited="${PROJECT_ROOT}/cart.py:3", quote="return a + b"))
    check(desk, [])        what became of the evidence of every claim

- A claim whose evidence is not found is refused, and the refusal is recorded.
- Of claims with the same words the newest counts: whoever finds that one no longer holds gives it new evidence, or
  says that it is an assumption now.
- A check reads each file once, and asks git once for renames. `record_changes` records whose evidence became true or
  untrue since the last check: once for each change.
- A claim that was found true counts as evidence for calibration and as something learned (SPEC 4.3, 4.7), but not if
  the same transaction has one with the same words or about the same lines already.
"""

from __future__ import annotations

from functools import partial

from perdure.actions import absences, decided_evidence, lineage_grounding, lookup, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution, marked_foreign, record_event
from perdure.actions.containing_files import OldFile
from perdure.actions.evidence import caller_folder, judge
from perdure.actions.lineage_grounding import ClaimNow
from perdure.actions.record import new_event_id, record
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.actions.writers import Writers
from perdure.errors import BadInput, Refused
from perdure.grounding.absence import Absent
from perdure.grounding.citation import SymbolCitation
from perdure.grounding.outcome import GROUNDED, Outcome
from perdure.grounding.quotes import SearchableText, loses_a_not
from perdure.grounding.ratio import Lines
from perdure.grounding.verdict import StoredEvidence, Verdict, check_evidence
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.model.value import replace, value
from perdure.transcript.own_words import own_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perdure.actions.attribution import Attribution
    from perdure.actions.evidence import Judged
    from perdure.actions.lineage_grounding import Grounding, Window
    from perdure.actions.record import Fact
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.moment import Stamp

CITATION, CODE_REFERENCE, USER_INPUT, ASSUMPTION = "citation", "code_reference", "user_input", "assumption"
GROUNDINGS = (CITATION, CODE_REFERENCE, USER_INPUT, ASSUMPTION)
LISTED_BY = "perdure claim list"
CHECKED_KINDS = ("claim.made", "claim.absent")
MOST_COMPARED = 50
"""A new claim is compared with so many of the latest ones."""
MOST_PROMPTS = 5000
"""How many of the latest prompts are searched for the person's words."""
ONLY_PASSED_ON = "These words are in a prompt only in a text that the person passed on: a quoted line, or a block."
CUT_FROM_NOT = 'The person said it with a "not", or the like, just before these words: quote that, too.'
_EXAMPLES = {
    CITATION: "perdure claim add '…' --cite '${PROJECT_ROOT}/src/a.py:12' --quote '…'",
    CODE_REFERENCE: "perdure claim add '…' --symbol '${PROJECT_ROOT}/src/a.py#name'",
}
"""A command for each grounding that needs a place: the hint of a refusal."""


@value
class GivenClaim:
    claim: str
    grounding: str
    cited: str | None = None
    quote: str | None = None


@value
class ClaimView:
    """A claim as it was made, or as it was refused."""

    id: str
    ts: Stamp
    claim: str
    grounding: str
    outcome: str | None
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None
    symbol: str | None = None
    reason: str = ""
    cited_line: int | None = None
    cited_end_line: int | None = None
    """What was cited, if that was another place or more than the quote."""
    other_ledger: str | None = None
    """The other machine's ledger that it came from."""

    def marked(self, text: str) -> str:
        return marked_foreign(self.other_ledger, text)

    @property
    def grounded(self) -> bool:
        return self.outcome in GROUNDED


@value
class CheckedClaim:
    claim: ClaimView
    outcome: str | None
    """The class of the evidence now; None for an assumption."""
    grounded: bool
    reason: str
    is_decision: bool = False
    new_path: str | None = None
    new_line: int | None = None
    new_end_line: int | None = None
    """Where it stands now, if it moved."""
    stands_at: Lines | None = None
    """Where it stands, moved or not."""
    places: tuple[tuple[str, int], ...] = ()
    """For a claim of absence: where something of the kind was found."""
    was_grounded: bool = False

    @property
    def is_lost(self) -> bool:
        return self.was_grounded and not self.grounded


# -- making ----------------------------------------------------------------------------------------------------------


def add(desk: Desk, tree: WorkTree, given: GivenClaim) -> ClaimView:
    if not given.claim.strip():
        raise BadInput("empty_text", "A claim needs a text.", hint=_EXAMPLES[CITATION])
    if given.grounding not in GROUNDINGS:
        raise BadInput(
            "bad_field",
            f"grounding: must be one of {', '.join(GROUNDINGS)}.",
            details={"field": "grounding"},
        )
    if given.grounding == ASSUMPTION:
        return _assumed(desk, given)
    if given.grounding == USER_INPUT:
        return _said_by_person(desk, given)
    return _cited(desk, tree, given)


def _assumed(desk: Desk, given: GivenClaim) -> ClaimView:
    if given.cited or given.quote:
        raise BadInput("bad_field", "An assumption has no evidence.", details={"field": "grounding"})
    return view(desk, record_event(desk, "claim.made", p.ClaimMade(given.claim, ASSUMPTION)))


def _cited(desk: Desk, tree: WorkTree, given: GivenClaim) -> ClaimView:
    if given.cited is None:
        raise BadInput("bad_citation", f"A {given.grounding} needs a place.", hint=_EXAMPLES[given.grounding])
    judged = judge(tree, given.cited, given.quote, folder=caller_folder(desk, tree))
    verdict = judged.verdict
    is_symbol = judged.quote is None
    if is_symbol != (given.grounding == CODE_REFERENCE):
        raise BadInput("bad_citation", "A citation names lines; a code reference names a symbol.")
    if not verdict.grounded:
        raise _refused(desk, given, verdict.reason)
    cited_line, cited_end_line = _cited_lines(judged)
    made = p.ClaimMade(
        claim=given.claim,
        grounding=given.grounding,
        outcome=verdict.outcome.value,
        path=verdict.path,
        line=verdict.first,
        end_line=verdict.last,
        quote=judged.quote,
        blob=judged.blob,
        commit=judged.commit,
        symbol=verdict.symbol or None,
        symbol_hash=verdict.symbol_hash or None,
        cited_line=cited_line,
        cited_end_line=cited_end_line,
    )
    return view(desk, _record_verified(desk, made), verdict.reason)


def _cited_lines(judged: Judged) -> tuple[int, int] | tuple[None, None]:
    """For a citation of more lines than the quote has, or of other ones: a check goes by the cited lines."""
    cited, found = judged.citation, judged.verdict
    if isinstance(cited, SymbolCitation) or (cited.first, cited.last) == (found.first, found.last):
        return None, None
    return cited.first, cited.last


def _record_verified(desk: Desk, made: p.ClaimMade) -> Event:
    """Records the claim and, in the same append, that it was found true, if that is something new."""
    attribution, claim_id = current_attribution(desk), new_event_id()
    facts = [*attribution.before, attribution.fact("claim.made", made, id=claim_id)]
    if _is_news(desk, attribution, made):
        facts.append(attribution.fact("claim.verified", p.ClaimVerified(claim_id, made.outcome)))
    return next(event for event in record(desk, facts).events if event.id == claim_id)


def _is_news(desk: Desk, attribution: Attribution, made: p.ClaimMade) -> bool:
    """Whether no other claim of this transaction (without one: of this session) has these words or these lines. One
    that was found untrue since does not count: to say it again with evidence that holds is new."""
    known = lineage_grounding.recorded_outcomes(desk, MOST_COMPARED)
    held = attribution.transaction.id if attribution.transaction else None
    for event in desk.latest_here(["claim.made"], MOST_COMPARED):
        is_beside = event.transaction_id == held if held else event.session_id == attribution.session_id
        before = p.read(event, p.ClaimMade) if is_beside else None
        is_true = before is not None and known.get(event.id, before.outcome) in GROUNDED
        if before and is_true and (_words(before.claim) == _words(made.claim) or _share_lines(before, made)):
            return False
    return True


def _share_lines(one: p.ClaimMade, other: p.ClaimMade) -> bool:
    if one.path is None or one.path != other.path:
        return one.prompt_id is not None and one.prompt_id == other.prompt_id
    return (one.line or 0) <= (other.end_line or 0) and (other.line or 0) <= (one.end_line or 0)


def _words(claim: str) -> str:
    return " ".join(claim.split())


def _said_by_person(desk: Desk, given: GivenClaim) -> ClaimView:
    if given.cited:
        raise BadInput("bad_field", "What the person said has no place in a file.", details={"field": "path"})
    quote = given.quote or ""
    if not any(map(str.isalnum, quote)):
        raise BadInput("bad_quote", "The quote has no letter or digit.", hint="Quote the person's own words.")
    said = _PersonSaid(desk, quote)
    if said.prompt is None:
        raise _refused(desk, given, said.reason)
    made = p.ClaimMade(
        claim=given.claim, grounding=USER_INPUT, outcome=Outcome.VERIFIED.value, quote=quote, prompt_id=said.prompt.id
    )
    return view(desk, _record_verified(desk, made), "A prompt of the person has these words.")


class _PersonSaid:
    """Looks for a quote in the prompts of this lineage, the newest first."""

    def __init__(self, desk: Desk, quote: str) -> None:
        self.prompt: Event | None = None
        """The newest one in which the person says it themselves."""
        self.reason = "No prompt that the person typed in this session, or in one that it continues, has these words."
        writers = Writers(desk, sessions.under_way(desk))
        for event in desk.latest_by(writers.own_writers, ["prompt.given"], MOST_PROMPTS):
            if event.actor != USER or not _has_words(event, quote) or not writers.is_of_lineage(event):
                continue
            if not _stands_in(event, quote):
                self.reason = ONLY_PASSED_ON
            elif _loses_a_not(event, quote):
                self.reason = CUT_FROM_NOT
            else:
                self.prompt = event
                return


def _has_words(prompt: Event, quote: str) -> bool:
    said = p.read(prompt, p.PromptGiven)
    return said is not None and _is_in(said.text, quote)


def _stands_in(prompt: Event, quote: str) -> bool:
    """Whether the person says these words in the prompt, and not somebody whose text they pass on."""
    said = p.read(prompt, p.PromptGiven)
    return said is not None and _is_in(said.text, quote) and _is_in(own_words(said.text), quote)


def _loses_a_not(prompt: Event, quote: str) -> bool:
    said = p.read(prompt, p.PromptGiven)
    return said is not None and loses_a_not(own_words(said.text), quote)


def _is_in(text: str, quote: str) -> bool:
    """A short quote must be a whole line, and only one line."""
    searched = SearchableText(text)
    return bool(searched.places(quote)) and not searched.too_little(quote)


def _refused(desk: Desk, given: GivenClaim, reason: str) -> Refused:
    refused = p.ClaimRefused(
        claim=given.claim, grounding=given.grounding, reason=reason, cited=given.cited, quote=given.quote
    )
    attribution, claim_id = current_attribution(desk), new_event_id()
    untrue = p.ClaimRefuted(claim_id, Outcome.FABRICATED.value)
    facts = [
        attribution.fact("claim.refused", refused, id=claim_id),
        attribution.fact("claim.refuted", untrue),
    ]
    record(desk, [*attribution.before, *facts])
    by_person = given.grounding == USER_INPUT
    look = "Quote the person's words as they were typed" if by_person else "Open the file and cite what is there"
    return Refused(
        "fabricated_claim",
        f"The claim is refused: {reason} The refusal is recorded.",
        hint=f"{look}; or say that it is an assumption: --assume.",
        details={"claim_id": claim_id, "class": Outcome.FABRICATED.value},
    )


# -- looking ---------------------------------------------------------------------------------------------------------


def view(desk: Desk, event: Event, reason: str = "") -> ClaimView:
    return replace(_as_written(event, reason), other_ledger=desk.other_ledger(event))


def _as_written(event: Event, reason: str) -> ClaimView:
    made, refused, absent = p.read(event, p.ClaimMade), p.read(event, p.ClaimRefused), p.read(event, p.ClaimAbsent)
    if made:
        return _view_of(event, made, reason)
    if refused:
        said = {"claim": refused.claim, "grounding": refused.grounding, "quote": refused.quote}
        reason, outcome = reason or refused.reason, Outcome.FABRICATED.value
        return ClaimView(id=event.id, ts=event.ts, outcome=outcome, reason=reason, **said)  # type: ignore[arg-type]
    claim, outcome = (absent.feature, absent.outcome) if absent else ("(erased)", "")
    grounding = absences.GROUNDING if absent else ""
    return ClaimView(id=event.id, ts=event.ts, claim=claim, grounding=grounding, outcome=outcome or None, reason=reason)


def _view_of(event: Event, made: p.ClaimMade, reason: str = "") -> ClaimView:
    return ClaimView(
        id=event.id,
        ts=event.ts,
        claim=made.claim,
        grounding=made.grounding,
        outcome=made.outcome,
        path=made.path,
        line=made.line,
        end_line=made.end_line,
        quote=made.quote,
        symbol=made.symbol,
        reason=reason,
        cited_line=made.cited_line,
        cited_end_line=made.cited_end_line,
    )


def latest(desk: Desk, limit: int) -> list[ClaimView]:
    """With those that were refused: those made here first, of each the newest first."""
    return [view(desk, event) for event in desk.own_first([*CHECKED_KINDS, "claim.refused"], limit)]


# -- checking --------------------------------------------------------------------------------------------------------


def check(desk: Desk, typed: Sequence[str]) -> list[CheckedClaim]:
    """The claims and decisions with these ids; without ids, all claims that count: those made here first, of
    each the newest first. So another machine's claim in the same words takes no claim's place here."""
    named = [_named(desk, each) for each in typed]
    events = named or newest_of_each(desk.own_first(CHECKED_KINDS, ALL_EVENTS))
    with WorkTree(folder_of(desk)) as tree:
        return check_events(desk, tree, events)


def check_events(desk: Desk, tree: WorkTree, events: Sequence[Event]) -> list[CheckedClaim]:
    """In the order of the events. A decision is looked at by each piece of its evidence."""
    claims = [(event, made) for event in events for made in _said(event)]
    tree.expect_renames(
        OldFile(made.path, made.commit, made.blob)
        for _, made in claims
        if made and made.path and not tree.file(made.path)
    )
    searched = absences.search_again(tree, [made for event in events if (made := p.read(event, p.ClaimAbsent))])
    found = iter(searched)
    return [
        _checked(desk, tree, event, made=made) if made else _absent(desk, event, next(found)) for event, made in claims
    ]


def _said(event: Event) -> Sequence[p.ClaimMade | None]:
    return decided_evidence.as_claims(event) if event.kind == decided_evidence.KIND else [p.read(event, p.ClaimMade)]


def check_lineage(desk: Desk, window: Window, tree: WorkTree) -> tuple[Grounding, list[CheckedClaim]]:
    """How much of what the lineage said is grounded, with every claim as it is found now."""
    events = window.events(lineage_grounding.SAID)
    found = check_events(desk, tree, newest_of_each(each for each in events if each.kind == "claim.made"))
    made: dict[str, p.ClaimMade | None] = {event.id: p.read(event, p.ClaimMade) for event in events}
    now = {each.claim.id: ClaimNow(each.grounded, _lines_now(each, made[each.claim.id])) for each in found}
    return lineage_grounding.grounding_of(events, now, read=partial(_as_read, tree)), found


def _as_read(tree: WorkTree, lines: Lines) -> Lines:
    """By the bytes of its file, and with the texts of its lines."""
    file, blob = tree.file(lines.path), tree.blob(lines.path)
    if file is None or not blob:
        return lines
    return replace(lines, path=blob, texts=file.searchable.texts(lines.first, lines.last))


def _lines_now(found: CheckedClaim, made: p.ClaimMade | None) -> Lines | None:
    return found.stands_at or (lineage_grounding.lines_of(made) if made else None)


# -- what a check changed --------------------------------------------------------------------------------------------


def changed(desk: Desk, checked: Sequence[CheckedClaim]) -> list[CheckedClaim]:
    """Those claims whose evidence is true now and was not when it was last looked at, or the other way round. A
    decision counts by its evidence when it was made."""
    if not checked:
        return []
    known = lineage_grounding.recorded_outcomes(desk)
    return [
        each
        for each in checked
        if each.claim.grounding not in (ASSUMPTION, absences.GROUNDING)
        and not each.is_decision
        and (known.get(each.claim.id, each.claim.outcome) in GROUNDED) != each.grounded
    ]


def changes_as_facts(attribution: Attribution, checked: Sequence[CheckedClaim]) -> list[Fact]:
    return [
        attribution.fact("claim.verified", p.ClaimVerified(each.claim.id, each.outcome))
        if each.grounded
        else attribution.fact("claim.refuted", p.ClaimRefuted(each.claim.id, each.outcome))
        for each in checked
    ]


def record_changes(desk: Desk, checked: Sequence[CheckedClaim]) -> int:
    """Records the changes that nobody has recorded yet; returns how many. Only claims that this ledger made count: what
    another machine claimed is not evidence about the agent here."""
    own = [each for each in changed(desk, checked) if _is_own(desk, each)]
    if own:
        attribution = current_attribution(desk)
        record(desk, [*attribution.before, *changes_as_facts(attribution, own)])
    return len(own)


def _is_own(desk: Desk, checked: CheckedClaim) -> bool:
    return any(not desk.other_ledger(event) for event in desk.ledger.find(checked.claim.id, ["claim.made"]))


def _named(desk: Desk, typed: str) -> Event:
    kinds = (*CHECKED_KINDS, decided_evidence.KIND)
    found = lookup.event(desk.ledger, "claim", typed, listed_by=as_typed(desk, LISTED_BY), kinds=kinds)
    if found.payload is None:
        raise Refused("no_such_claim", "The claim was erased.", hint=f"{as_typed(desk, LISTED_BY)} lists the others.")
    return found


def newest_of_each(events: Iterable[Event]) -> list[Event]:
    """Claims of the same words are one claim; the first counts. Those that were erased are left out."""
    found: dict[tuple[str, str], Event] = {}
    for event in events:
        made, absent = p.read(event, p.ClaimMade), p.read(event, p.ClaimAbsent)
        if made or absent:
            words = made.claim if made else absent.feature if absent else ""
            found.setdefault((event.kind, _words(words)), event)
    return list(found.values())


def _checked(desk: Desk, tree: WorkTree, event: Event, *, made: p.ClaimMade) -> CheckedClaim:
    claim = replace(_view_of(event, made), other_ledger=desk.other_ledger(event))
    if made.grounding == ASSUMPTION:
        is_claim = event.kind != decided_evidence.KIND
        reason = "It is an assumption." if is_claim else "The decision has no evidence that can be looked at."
        return CheckedClaim(claim=claim, outcome=None, grounded=False, reason=reason)
    if made.grounding == USER_INPUT:
        outcome, reason = _still_said(desk, event, made)
        return CheckedClaim(
            claim=claim, outcome=outcome.value, grounded=outcome in GROUNDED, reason=reason, was_grounded=claim.grounded
        )
    verdict = _verdict(tree, made, is_own=desk.other_ledger(event) is None)
    moved = verdict.outcome == Outcome.MOVED
    return CheckedClaim(
        claim=claim,
        outcome=verdict.outcome.value,
        grounded=verdict.grounded,
        reason=verdict.reason,
        is_decision=event.kind == decided_evidence.KIND,
        new_path=verdict.path if moved else None,
        new_line=verdict.first if moved else None,
        new_end_line=verdict.last if moved else None,
        stands_at=Lines(verdict.path, verdict.first, verdict.last) if verdict.grounded else None,
        was_grounded=claim.grounded,
    )


def _verdict(tree: WorkTree, made: p.ClaimMade, *, is_own: bool) -> Verdict:
    """A symbol in a file that has the same bytes as then is not looked up again; what was imported always is."""
    stored = _stored(made)
    if not stored.path or not (stored.quote or stored.symbol):
        return Verdict(Outcome.MISSING, "The record of its evidence is incomplete.", stored.path)
    if is_own and made.blob and not made.quote and tree.blob(stored.path) == made.blob:
        return Verdict(
            outcome=Outcome.VERIFIED,
            reason="The file is as it was.",
            path=stored.path,
            first=stored.first,
            last=stored.last,
        )
    return check_evidence(stored, tree.file(stored.path), tree.renamed(stored.path, made.commit, made.blob))


def _stored(made: p.ClaimMade) -> StoredEvidence:
    return StoredEvidence(
        path=made.path or "",
        first=made.cited_line or made.line or 0,
        last=made.cited_end_line or made.end_line or 0,
        quote=made.quote or "",
        symbol=made.symbol or "",
        symbol_hash=made.symbol_hash or "",
    )


def _still_said(desk: Desk, event: Event, made: p.ClaimMade) -> tuple[Outcome, str]:
    if desk.other_ledger(event):
        return Outcome.MISSING, "It was recorded on another machine: who typed these words cannot be known here."
    prompts = desk.ledger.find(made.prompt_id, ["prompt.given"]) if made.prompt_id else []
    own = [each for each in prompts if each.actor == USER and not desk.other_ledger(each)]
    if any(_stands_in(each, made.quote or "") for each in own):
        return Outcome.VERIFIED, "A prompt of the person has these words."
    if any(_has_words(each, made.quote or "") for each in own):
        return Outcome.MISSING, ONLY_PASSED_ON
    return Outcome.MISSING, "The prompt that had these words was erased."


def _absent(desk: Desk, event: Event, found: absences.Searched) -> CheckedClaim:
    claim = view(desk, event)
    return CheckedClaim(
        claim=claim,
        outcome=found.outcome.value,
        grounded=found.is_confirmed,
        reason=found.reason,
        places=found.places,
        was_grounded=claim.outcome == Absent.CONFIRMED,
    )
