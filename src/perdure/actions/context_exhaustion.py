"""Tells the agent once in a context that it is nearly full: write down what only you know, and hand off (SPEC 10.8).

It is told with a prompt. In a long turn there is none: then what runs after a tool leaves it for the next tool call, in
the file that the guard looks for anyway (`actions/give_back.py`). A session is one context, so it is told again after
a compaction.

    is_to_be_told(use, session.told)
    leave(desk, transcript)
"""

from __future__ import annotations

from perdure.actions import context_window, give_back_file, sessions
from perdure.actions.advice import as_typed
from perdure.actions.attribution import Attribution, current_attribution
from perdure.actions.record import Fact, record
from perdure.lifecycle.context_use import HookText, fitted, room
from perdure.lifecycle.phases import RUNNING, headed
from perdure.model import payload as p
from perdure.model.state import Session, body_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.context_use import ContextUse

EXHAUSTED = "context.exhausted"


def is_to_be_told(use: ContextUse, told: tuple[str, ...]) -> bool:
    return use.is_nearly_full and EXHAUSTED not in told


def words_for_agent(desk: Desk, attribution: Attribution, use: ContextUse) -> tuple[Fact, HookText]:
    """In at most 100 characters, which is all that a hook may say then."""
    fact = attribution.fact(EXHAUSTED, p.ContextExhausted(use.tokens, use.percent))
    hand_off = as_typed(desk, "perdure handoff write")
    whole = f"Perdure: {use.in_words}. Note decisions and next steps, then {hand_off}"
    return fact, HookText(whole, short=f"Perdure: the context is nearly full. Note decisions, then {hand_off}")


def leave(desk: Desk, transcript: str) -> None:
    """Leaves it for the next prompt or tool call, if it is to be told and nothing else is waiting there."""
    use = context_window.use_of(desk.resolved, transcript)
    if use is None or not use.is_nearly_full:
        return
    session = body_as(desk.ledger.document("session", sessions.current(desk) or ""), Session)
    path = give_back_file.path_of(desk.resolved)
    if session is None or not is_to_be_told(use, session.told) or not path or give_back_file.is_waiting(path):
        return
    attribution = current_attribution(desk)
    fact, text = words_for_agent(desk, attribution, use)
    record(desk, [*attribution.before, fact])
    give_back_file.keep(path, {"text": headed(RUNNING, "\n".join(fitted([text], room(use))))})
