"""What this lineage said since its last passed checkpoint, and how much of it is grounded (SPEC 8.3).

    as_recorded(desk).ratio         # as the last check found it; `claims.check_lineage` opens the files

What counts, and what does not:

- Claims and decisions of this session and of those that it continues. What another pane, another machine or a beads
  file says is not the lineage's own.
- The window begins after the last event that the last passed full checkpoint of the lineage looked at. The order is the
  ledger's, so the wall clock plays no part.
- A claim counts by what its file says now; a decision by what its evidence was when it was made: carrying it out often
  changes the very lines.
- A decision that a later one of the lineage supersedes counts no longer as grounded. One that is not grounded is
  settled only if the one that supersedes it is.
- Absences do not count. Anybody can name a thousand things that are not there; step 2 of the checkpoint judges them.
"""

from __future__ import annotations

from perdure.actions import sessions
from perdure.actions.writers import Writers
from perdure.grounding.outcome import GROUNDED, is_grounded
from perdure.grounding.project_root import ROOT
from perdure.grounding.ratio import Lines, Ratio, Said, distinct, ratio
from perdure.ledger.port import ALL_EVENTS
from perdure.model import payload as p
from perdure.model.checkpoint import FULL
from perdure.model.event import in_order, is_from_beads
from perdure.model.state import Session, body_as
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json

CHANGES = ("claim.verified", "claim.refuted")
SAID = ("claim.made", "claim.refused", "decision.made")
CLAIM, DECISION = "claim", "decision"
FEW = 500
"""How many events are read where the answer must be quick."""
_LIMITS = (100, 1000, 10_000, ALL_EVENTS)
_CHECKPOINTS = 500
"""How many of the latest passed checkpoints are searched for one of this lineage."""


@value
class Grounding:
    ratio: Ratio
    ungrounded: tuple[Said, ...]
    """The claims and decisions that have no evidence, or none that holds."""
    is_whole: bool = True
    """False if only the latest events were read."""


class Window:
    """The events of this lineage since its last passed full checkpoint, up to the ledger's head when this was made."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.head = desk.ledger.head()
        self.session = sessions.under_way(desk) or _last_session(desk)
        self._writers = Writers(desk, self.session, sessions.WHOLE_LINEAGE)
        self.begun = self._last_passed()
        """The checkpoint after which it begins."""

    def events(self, kinds: Sequence[str]) -> list[Event]:
        """The newest first."""
        read: list[Event] = []
        for limit in _LIMITS:
            read = self.desk.latest_here(kinds, limit)
            if self.is_reached_by(read, limit):
                break
        return self.among(read)

    def latest(self, kinds: Sequence[str], most: int) -> list[Event]:
        """So many of the latest that the lineage wrote, also before the window."""
        return self.desk.latest_by(self._writers.own_writers, kinds, most)

    def is_reached_by(self, read: Sequence[Event], limit: int) -> bool:
        """Whether the latest events, of which at most so many were read, go back to the beginning of the window."""
        return len(read) < limit or not self._is_after(read[-1])

    def among(self, read: Sequence[Event]) -> list[Event]:
        return [event for event in read if self._is_after(event) and self.has(event)]

    def has(self, event: Event) -> bool:
        """Whether the event is the lineage's, and on record when this window was made."""
        is_later = event.ledger_id == self.head.ledger_id and event.seq > self.head.seq
        return not is_later and self._writers.is_of_lineage(event)

    def _is_after(self, event: Event) -> bool:
        if self.begun is None:
            return True
        if event.ledger_id == self.begun.ledger_id:
            return event.seq > _until(self.begun)
        return in_order(event) > in_order(self.begun)

    def _last_passed(self) -> Event | None:
        for event in self.latest(["checkpoint.passed"], _CHECKPOINTS):
            said = p.read(event, p.CheckpointRun)
            if said and said.form == FULL and self.has(event):
                return event
        return None


def _until(passed: Event) -> int:
    said = p.read(passed, p.CheckpointRun)
    return min(said.until, passed.seq) if said else passed.seq


def _last_session(desk: Desk) -> Session | None:
    """If no session is under way, the next command continues this one."""
    latest = sessions.latest_of(desk)
    return body_as(desk.ledger.document("session", latest), Session) if latest else None


# -- claims and decisions as the ratio counts them -------------------------------------------------------------------


@value
class ClaimNow:
    """A claim as it is now: whether it is grounded, and by which lines."""

    grounded: bool
    lines: Lines | None


def as_recorded(desk: Desk) -> Grounding:
    """Opens nothing: as the claims were made, or as the last check found them. Of a long window only the latest events
    are read."""
    window = Window(desk)
    read = window.latest(SAID, FEW)
    events = window.among(read)
    known = recorded_outcomes(desk, FEW) if events else {}
    now: dict[str, ClaimNow] = {}
    for event in events:
        made = p.read(event, p.ClaimMade)
        if made:
            now[event.id] = ClaimNow(known.get(event.id, made.outcome) in GROUNDED, lines_of(made))
    return grounding_of(events, now, is_whole=window.is_reached_by(read, FEW))


def recorded_outcomes(desk: Desk, most: int = ALL_EVENTS) -> dict[str, str | None]:
    """The class that Perdure last found, by claim. `most`: so many of the latest changes are read."""
    found: dict[str, str | None] = {}
    for event in desk.latest_here(CHANGES, most):
        said = p.read(event, p.ClaimVerified) or p.read(event, p.ClaimRefuted)
        if said:
            found.setdefault(said.claim, said.outcome)
    return found


def grounding_of(
    events: Sequence[Event],
    now: Mapping[str, ClaimNow],
    *,
    is_whole: bool = True,
    read: Callable[[Lines], Lines] = lambda lines: lines,
) -> Grounding:
    """`events` are of `SAID`, the newest first; a claim that is not in `now` does not count. `read` gives the
    lines with their file's hash for its path and with their texts, so that links and copies of a file count as one."""
    superseded = _superseded(events)
    every = (_as_said(event, now.get(event.id)) for event in reversed(events))
    said = [_by_content(each, read) for each in every if each and not _is_settled(each, superseded)]
    lacking = tuple(each for each in distinct(said) if not each.counts_as_grounded)
    return Grounding(ratio=ratio(said), ungrounded=lacking, is_whole=is_whole)


def _as_said(event: Event, now: ClaimNow | None) -> Said | None:
    """None for what was erased, for an older claim of the same words, and for what a beads file states."""
    made, refused, decided = p.read(event, p.ClaimMade), p.read(event, p.ClaimRefused), p.read(event, p.DecisionMade)
    if made:
        return Said(words=made.claim, grounded=now.grounded, lines=now.lines, kind=CLAIM, id=event.id) if now else None
    if refused:
        return Said(words=refused.claim, grounded=False, refused=True, kind=CLAIM, id=event.id)
    if decided and not is_from_beads(event.actor):
        is_true = is_grounded(decided.evidence)
        lines = _lines_of_evidence(decided.evidence[0]) if is_true else None
        return Said(words=_all_words(decided), grounded=is_true, lines=lines, kind=DECISION, id=event.id)
    return None


def _all_words(decided: p.DecisionMade) -> str:
    """Decisions with another reason, key or value are others, although each may say "see the reason"."""
    return "\n".join(filter(None, (decided.decision, decided.rationale, decided.key, decided.value)))


def _by_content(one: Said, read: Callable[[Lines], Lines]) -> Said:
    return replace(one, lines=read(one.lines)) if one.lines else one


def lines_of(made: p.ClaimMade) -> Lines | None:
    """Where the evidence stood when the claim was made. A prompt counts as one line."""
    if made.prompt_id:
        return Lines(f"prompt {made.prompt_id}", 1, 1)
    return Lines(made.path, made.line or 0, made.end_line or made.line or 0) if made.path else None


def _lines_of_evidence(evidence: dict[str, Json]) -> Lines | None:
    path, first = evidence.get("path"), evidence.get("line")
    last = evidence.get("end_line", first)
    if not isinstance(path, str) or not isinstance(first, int) or not isinstance(last, int):
        return None
    return Lines(path.removeprefix(ROOT), first, last)


def _superseded(events: Sequence[Event]) -> dict[str, bool]:
    """Each decision that another one of these supersedes, and whether one that does is grounded."""
    found: dict[str, bool] = {}
    for event in events:
        made = p.read(event, p.DecisionMade)
        if made and made.supersedes and not is_from_beads(event.actor):
            found[made.supersedes] = found.get(made.supersedes, False) or is_grounded(made.evidence)
    return found


def _is_settled(one: Said, superseded: dict[str, bool]) -> bool:
    return one.id in superseded and (one.grounded or superseded[one.id])


def ratio_words(found: Ratio) -> str:
    if found.share is None:
        return "nothing claimed or decided"
    return f"{found.share:.2f}, {found.grounded} of {found.total} grounded"
