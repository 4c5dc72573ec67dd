"""Records a person's prompts (SPEC 6.2), and returns what the agent must be told with them.

The first prompt of a lineage is its original goal, if none is set. Each thing is told once.
"""

from __future__ import annotations

import os

from perdure.actions import closing, context_window, delta_synthesis, goals, lost_record, sessions
from perdure.actions.attribution import Attribution, current_attribution
from perdure.actions.early_prompts import keep, record_early_goal
from perdure.actions.record import Fact, new_event_id, record
from perdure.actions.wiring import open_desk_at
from perdure.masking import mask_text
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.model.ids import is_token, short
from perdure.model.state import Session, body_as
from perdure.model.value import replace
from perdure.place.home import give_back_path
from perdure.place.liveness import others_in_same_client_session
from perdure.transcript.claude_code import persons_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk

LONGEST = 150_000
"""Characters. An event holds a MiB, however its text is escaped; a longer prompt is cut, and says so."""
MOST_MASKED = 2 * LONGEST
GOAL_WORDS = 40
GOAL_LENGTH = 400


def given(resolved: ResolvedRequest, text: str, *, attended: bool = False) -> list[str]:
    """Records the prompt; returns what the agent must be told with it. What a client put into the conversation itself
    is not the person's word, and is not recorded as such. `attended`: a person sits before the client."""
    words = persons_words(text)
    if not words:
        return []
    if words != text.strip():
        text = words
    return lost_record.with_record(resolved, lambda restored: _recorded(resolved, text, restored, attended=attended))


def _recorded(resolved: ResolvedRequest, text: str, restored: list[str], *, attended: bool) -> list[str]:
    use = _use(resolved)
    with open_desk_at(resolved) as desk:
        record_early_goal(desk)
        attribution = current_attribution(desk)
        said = p.PromptGiven(kept_words(text), use.percent if use else None)
        if attribution.before:  # the session's record is read below
            record(desk, list(attribution.before))
        facts = [replace(attribution.fact("prompt.given", said), actor=USER)]
        session = _session(desk, attribution.session_id)
        goal = _goal(text) if session and not goals.has_lineage_goal(desk, session) else None
        if goal:
            prompted = attribution.fact("goal.prompted", p.GoalPrompted(goal), id=new_event_id())
            facts.append(replace(prompted, actor=USER))
        told = _to_tell(desk, attribution, session.told if session else (), use=use)
        unwritten = closing.at_prompt(desk, session)
        record(desk, [*facts, *(fact for fact, _ in told)])
        reminded = [*_given_back(desk), *unwritten, *delta_synthesis.at_prompt(desk, attribution.session_id, use)]
        waived = _waived(desk, text, attended=attended)
    return [*(f"Perdure: {each}" for each in restored), *(words for _, words in told), *reminded, *waived]


def _waived(desk: Desk, text: str, *, attended: bool) -> list[str]:
    """A waiver of the evidence (SPEC 10.6). A client that another client started is the agent's, whoever attends."""
    if not attended or not _is_waiver(text) or sum(bool(each.client) for each in desk.around.started_by) > 1:
        return []
    from perdure.actions import contracts  # few prompts need it

    return [told for told in [contracts.waive(desk)] if told]


def _is_waiver(text: str) -> bool:
    """Whether a prompt begins with the person's word that this turn may end without the evidence. Further down it may
    stand in a text that they pasted."""
    first = text.strip().split("\n", 1)[0]
    return " ".join(first.lower().split()) == "perdure: waive"


def _given_back(desk: Desk) -> list[str]:
    """What a compaction lost and could not be given back before."""
    session = desk.resolved.request.stated_client.client_session_id
    if not session or not is_token(session) or not os.path.exists(give_back_path(desk.resolved.home, session)):
        return []
    from perdure.actions import give_back  # not light, and almost never needed

    return give_back.with_prompt(desk)


def given_outside(resolved: ResolvedRequest, text: str) -> list[str]:
    """A prompt in a folder of no project: it may be the goal of what the client does in a project later. Returns what
    the agent must be told with it."""
    return keep(resolved, _goal(persons_words(text)))


def kept_words(text: str) -> str:
    """The prompt, shortened if it is too long. It is masked before it is cut, because half a credential is still
    one."""
    if len(text) <= LONGEST:
        return text
    return f"{mask_text(text[:MOST_MASKED])[0][:LONGEST]}\n… cut: {len(text):,} characters were given"


def _goal(text: str) -> str | None:
    """A command to the client itself (`/compact`) sets no goal."""
    words = text.split()
    if not words or words[0].startswith("/"):
        return None
    title = mask_text(" ".join(words[:GOAL_WORDS])[: 10 * GOAL_LENGTH])[0][:GOAL_LENGTH]
    return title + (" …" if len(words) > GOAL_WORDS or len(title) == GOAL_LENGTH else "")


def _session(desk: Desk, session_id: str) -> Session | None:
    found = desk.ledger.document("session", session_id)
    return body_as(found, Session)


def _use(resolved: ResolvedRequest) -> context_window.ContextUse | None:
    session = resolved.request.stated_client.client_session_id
    return context_window.read(resolved.home, session) if session else None


def _to_tell(
    desk: Desk, attribution: Attribution, told: tuple[str, ...], *, use: context_window.ContextUse | None
) -> list[tuple[Fact, str]]:
    found = []
    session = desk.resolved.request.stated_client.client_session_id
    for other in others_in_same_client_session(desk.around, desk.seat.instance_id, desk.root):
        if other.instance_id not in told and session:
            fact = attribution.fact("session.doubled", p.SessionDoubled(session, other.instance_id))
            found.append((fact, sessions.doubled_words(other.instance_id, other.pid)))
    if use and use.is_nearly_full and "context.exhausted" not in told:
        fact = attribution.fact("context.exhausted", p.ContextExhausted(use.tokens, use.percent))
        found.append((fact, _full_words(use, attribution.transaction.id if attribution.transaction else None)))
    return found


def _full_words(use: context_window.ContextUse, transaction_id: str | None) -> str:
    last = f"Transaction {short(transaction_id)} stays open across the compaction." if transaction_id else ""
    return (
        f"Perdure: {use.percent} % of the context is used. Record now what only you know: perdure decide '…' "
        f"--because '…', perdure note next '…', perdure note reasoning 'where you are'. {last}"
    ).strip()
