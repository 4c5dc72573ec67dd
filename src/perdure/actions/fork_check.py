"""Compares a text with the ledger and records what it states otherwise (SPEC 7.4): a file, standard input, or the
summary that a client made of a context when it compacted it.

The ledger's side is read up to limits, and so is the text: a check takes well under a second. The gate never checks.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256

from perdure.actions import fork_records, forks, observing
from perdure.actions.advice import as_typed
from perdure.actions.record import without_credentials
from perdure.errors import BadInput, PerdureError
from perdure.forks.known import KEY, TASK, Known, KnownDecision, KnownKey, KnownTask
from perdure.forks.lines import LONGEST_TEXT
from perdure.model import payload as p
from perdure.model.decided_keys import plain_value, same_key
from perdure.model.event import is_from_beads
from perdure.model.ids import derived_id, short, shown
from perdure.model.moment import Stamp, moment_of
from perdure.model.state import Fork, Session, Superseded, Task, body_as
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.forks import ForkView
    from perdure.actions.wiring import Desk
    from perdure.forks.known import Contradiction
    from perdure.model.event import Event
    from perdure.model.state import Document

MOST_KEYS = 2_000
MOST_DECISIONS = 1_000
MOST_TASKS = 500
"""How much of the ledger a text is compared with: what was decided or changed last."""
MOST_STEPS = 50
"""From a superseded decision to the one that counts."""
LARGEST_FILE = 4 << 20
"""Bytes of a file. More is not read."""
SUMMARY = "compaction summary"
"""The source of what a client's summary states."""
HAVE_A_SUMMARY = ("compact", "resume", "fork")
"""How sessions start whose context may contain a summary."""
_STARTING = 5_000
"""Milliseconds in which a session that just started was told of the summary that it has."""


@value
class Checked:
    """What a check found."""

    forks: tuple[ForkView, ...]
    """The open ones: first what the text states otherwise, then the decisions that contradict each other."""
    stated: int
    """How many of them the text states."""
    settled: int
    """How many more the text states that somebody settled."""
    recorded: int
    """How many were not on record before."""
    is_cut: bool = False
    """The text is longer than what was read."""


def check(desk: Desk, text: str | None, source: str) -> Checked:
    """Compares the decisions with each other, and the text, if there is one, with the ledger."""
    missing = fork_records.record_missing(desk)
    stated, recorded, settled = _stated(desk, text, source) if text else ([], 0, 0)
    ids = {fork.id for fork in stated}
    others = [
        *forks.open_forks(desk, about=forks.ABOUT_DECISION),
        *(fork for fork in forks.open_forks(desk, about=forks.ABOUT_TASK) if fork.id not in ids),
    ]
    return Checked(
        forks=(*stated, *others),
        stated=len(stated),
        settled=settled,
        recorded=recorded + len(missing),
        is_cut=text is not None and len(text) > LONGEST_TEXT,
    )


def _stated(desk: Desk, text: str, source: str) -> tuple[list[ForkView], int, int]:
    """The forks that the text states and nobody settled, how many of them are new on record, and how many more
    somebody settled."""
    found, recorded, settled = [], 0, 0
    from perdure.forks.check import contradictions  # not light: a session that starts has seldom a text to check

    for each in contradictions(text, known(desk)):
        id, document = _fork_id(each), desk.ledger.document("fork", _fork_id(each))
        if document is not None and not document.live and not _is_other_decision(document, each):
            settled += 1
            continue
        if document is None or not document.live or _is_other_decision(document, each):
            said = _detected(each, source, fork_id=id)
            task = each.subject if each.about == TASK else None
            recorded += fork_records.record_fork(desk, said, known=document, task=task)
            document = desk.ledger.document("fork", id)
        view = forks.recorded_fork(desk, document) if document else None
        found += [view] if view else []
    return found, recorded, settled


def _fork_id(each: Contradiction) -> str:
    """The same for the same statement, whichever copy of the text it is read in."""
    line = " ".join(each.quote.split())
    subject = same_key(each.subject) if each.about == KEY else each.subject
    stated = sha256(f"{plain_value(each.stated)}\0{line}".encode("utf-8", "surrogatepass")).hexdigest()
    return derived_id("fork", "context", each.about, subject, each.field, stated)


def _is_other_decision(document: Document, each: Contradiction) -> bool:
    """Whether the ledger's decision is another one than when the fork was recorded or settled."""
    fork = body_as(document, Fork)
    return bool(fork and each.decision_id and each.decision_id not in (*fork.sides, fork.resolved_by))


def _detected(each: Contradiction, source: str, *, fork_id: str) -> p.ForkDetected:
    ours = {"decision_id": each.decision_id} if each.decision_id else {"value": each.ledger}
    stated = _masked(each.field, each.stated) if each.about == KEY else without_credentials(each.stated)
    quote = without_credentials(each.quote)
    return p.ForkDetected(
        about=forks.ABOUT_TEXT,
        field=each.field if each.about in (KEY, TASK) else f"decision {short(each.subject)}",
        sides=(
            {"side": forks.SIDE_LEDGER, **ours},
            {"side": forks.SIDE_TEXT, "value": stated, "source": source, "line": each.line, "text": quote},
        ),
        fork_id=fork_id,
    )


def _masked(key: str, stated: str) -> str:
    from perdure.actions.decisions import masked_value

    return masked_value(key, stated)


# -- what the ledger says ------------------------------------------------------------------------------------------


def known(desk: Desk) -> Known:
    """What a text is compared with. What a beads file decided is not the ledger's own word and takes no part."""
    latest = [
        (event, made)
        for event in desk.own_first(["decision.made"], MOST_DECISIONS)
        if not is_from_beads(event.actor) and (made := p.read(event, p.DecisionMade))
    ]
    return Known(
        keys=tuple(_keys(desk, latest)),
        decisions=tuple(_decision(desk, event, made) for event, made in latest),
        tasks=tuple(_tasks(desk)),
    )


def _keys(desk: Desk, latest: list[tuple[Event, p.DecisionMade]]) -> Iterator[KnownKey]:
    earlier: dict[str, list[str]] = {}
    for _, made in latest:
        if made.key is not None and made.value is not None:
            earlier.setdefault(same_key(made.key), []).append(made.value)
    for found in forks.own_first(desk, "decided_key", MOST_KEYS):
        standing = [*forks.by_value(forks.standing_on(desk, found)).values()]
        current = p.read(standing[0], p.DecisionMade) if standing else None
        if current and current.key is not None and current.value is not None:
            others = (*map(_value, standing[1:]), *earlier.get(same_key(current.key), ()))
            counts = plain_value(current.value)
            yield KnownKey(
                key=current.key,
                value=current.value,
                decision_id=standing[0].id,
                other_values=tuple(dict.fromkeys(each for each in others if plain_value(each) != counts)),
            )


def _value(event: Event) -> str:
    made = p.read(event, p.DecisionMade)
    return made.value or "" if made else ""


def _decision(desk: Desk, event: Event, made: p.DecisionMade) -> KnownDecision:
    successor = _successor(desk, event.id)
    text = p.read(successor, p.DecisionMade) if successor else None
    words = " ".join(filter(None, (made.title, made.rationale, made.key, made.value)))
    return KnownDecision(
        id=event.id,
        text=made.decision,
        words=words,
        successor=successor.id if successor else "",
        successor_text=text.decision if text else "",
    )


def _successor(desk: Desk, id: str) -> Event | None:
    """The decision at the end of the chain that superseded this one."""
    found = None
    for _ in range(MOST_STEPS):
        later = body_as(desk.ledger.document("superseded", id), Superseded)
        events = desk.ledger.find(later.by, ["decision.made"]) if later else []
        if not events:
            return found
        found, id = events[0], events[0].id
    return found


def _tasks(desk: Desk) -> Iterator[KnownTask]:
    from perdure.actions import tasks

    for found in forks.own_first(desk, "task", MOST_TASKS):
        if isinstance(found.body, Task):
            view = tasks.view(desk, found.body)
            fields = {"status": view.status, "priority": str(view.priority), "assignee": view.assignee or ""}
            yield KnownTask(view.id, {name: content for name, content in fields.items() if content})


# -- where the text comes from -------------------------------------------------------------------------------------


def read_file(path: str) -> str:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise BadInput(
                "not_a_file", f"{shown(path)} is not a file.", hint="perdure fork check FILE, or - for input."
            )
        with open(path, "rb") as file:
            return file.read(LARGEST_FILE).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a path"
        raise BadInput("not_a_file", f"{shown(path)}: {why}.", hint="Give the path of a text.") from error


def at_session_start(desk: Desk, session: Session, transcript: str) -> list[str]:
    """What the agent is told of what the summary in its context states otherwise. `transcript`: the path of the file
    that may have that summary. Forks between decisions are put on record here; the overview tells them. A failure is
    told and stops nothing."""
    try:
        fork_records.record_missing(desk)
        if session.source == "compact":
            observing.taken_in(desk)
        text = _last_summary(transcript) if transcript and session.source in HAVE_A_SUMMARY else ""
        found = [*_of_summariser(desk, session), *(check_summary(desk, text) if text else ())]
    except PerdureError as error:
        return [f"The context was not compared with the ledger: {error.message} {error.hint}".rstrip()]
    return _told(desk, [*{fork.id: fork for fork in found}.values()])


def _last_summary(transcript: str) -> str:
    from perdure.actions import transcripts  # not light, and a session that is new has none

    return transcripts.last_summary(transcript)


def check_summary(desk: Desk, text: str) -> list[ForkView]:
    return _stated(desk, text, SUMMARY)[0]


def _of_summariser(desk: Desk, session: Session) -> list[ForkView]:
    """What the summary states, if the client's summariser was heard in the session before this one. What that session
    was told when it started itself, of an older summary, is left out."""
    parent = body_as(desk.ledger.document("session", session.parent_id or ""), Session)
    if session.source != "compact" or parent is None:
        return []
    begun = parent.started_at + (_STARTING if parent.source in HAVE_A_SUMMARY else 0)
    stated = ((fork, fork.sides[-1]) for fork in forks.open_forks(desk, about=forks.ABOUT_TEXT))
    return [
        fork
        for fork, side in stated
        if (side.source, side.session_id) == (SUMMARY, parent.id) and moment_of(Stamp(side.ts)) >= begun
    ]


def _told(desk: Desk, found: list[ForkView]) -> list[str]:
    lines = [forks.told(desk, fork) for fork in found[: forks.MOST_TOLD]]
    left = len(found) - len(lines)
    more = f"The context contradicts the ledger in {left} more: {as_typed(desk, forks.LISTED_BY)} lists them."
    return [*lines, more] if left else lines
