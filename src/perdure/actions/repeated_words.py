"""Which events still have the words of a payload that is erased (SPEC 2.2, 16.4).

A prompt and the goal that is made of it have the same words: they are erased together. Others may repeat the words as
well: a claim that quotes a prompt, a decision that settles a fork, the reason of its resolution. They are named, each
with the command that erases it, because only a person knows whether they must go too.

    twin = twin_of(desk, event)
    words = words_in(event)                  before it is erased
    still_in(desk, words, because)           afterwards
"""

from __future__ import annotations

from shlex import quote

from perdure.actions.advice import as_typed
from perdure.model import payload as p
from perdure.model.event import Ref
from perdure.model.ids import is_uuid
from perdure.model.ownership import UNERASABLE
from perdure.model.repeated_texts import Repeated, texts_in
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

MOST_NAMED = 100
_QUOTES = ("claim.made", "claim.refused", "decision.made")


@value
class Repetition:
    event_id: str
    kind: str
    seq: int
    command: str | None
    """What erases it; None if an event of its kind is never erased."""


def twin_of(desk: Desk, event: Event) -> Event | None:
    """The goal that a prompt set, or the prompt that set a goal: they were recorded together, with the same words."""
    step = {"prompt.given": 1, "goal.prompted": -1}.get(event.kind)
    other = desk.ledger.event(Ref(event.ledger_id, event.seq + step)) if step else None
    if other is None or other.session_id != event.session_id:
        return None
    prompt, goal = (event, other) if step == 1 else (other, event)
    said, set_ = p.read(prompt, p.PromptGiven), p.read(goal, p.GoalPrompted)
    if not said or not set_ or prompt.kind != "prompt.given" or goal.kind != "goal.prompted":
        return None
    return other if " ".join(said.text.split()).startswith(set_.title.removesuffix(" …")) else None


def still_in(desk: Desk, words: Sequence[str], because: str) -> tuple[Repetition, ...]:
    """The newest first, and at most `MOST_NAMED` of them."""
    found = desk.ledger.repeating(words, MOST_NAMED) if words else []
    return tuple(_repetition(desk, event, because) for event in found if not _only_names_it(event, words))


def _only_names_it(event: Event, words: Sequence[str]) -> bool:
    """Whether it has the id of an erased prompt, and none of its words: a redaction, what a summary lost. A claim or a
    decision that names a prompt quotes it, maybe with other spaces."""
    if event.kind in _QUOTES:
        return False
    said = Repeated([word for word in words if not is_uuid(word)])
    return not any(said.is_in(text) for _, text in texts_in(event.payload))


def _repetition(desk: Desk, event: Event, because: str) -> Repetition:
    erase = as_typed(desk, f"perdure redact {event.id} --because {quote(because)}")
    command = None if event.kind in UNERASABLE else erase
    return Repetition(event_id=event.id, kind=event.kind, seq=event.seq, command=command)
