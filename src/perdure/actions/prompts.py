"""Records a person's prompts (SPEC 6.2), and returns what the agent must be told with them.

The first prompt of a lineage is its original goal, if none is set. Each thing is told once.
"""

from __future__ import annotations

import os

from perdure.actions import (
    closing,
    context_exhaustion,
    context_window,
    delta_synthesis,
    goals,
    lost_record,
    phase_file,
    phases,
    sessions,
)
from perdure.actions.attribution import Attribution, current_attribution
from perdure.actions.early_prompts import keep, record_early_goal
from perdure.actions.record import Fact, new_event_id, record
from perdure.actions.wiring import open_desk_at
from perdure.lifecycle.context_use import HookText, fitted, room
from perdure.lifecycle.phases import RUNNING, headed
from perdure.masking import mask_text
from perdure.model import payload as p
from perdure.model.event import USER
from perdure.model.ids import is_token
from perdure.model.state import Session, body_as
from perdure.model.value import replace
from perdure.place.home import give_back_path
from perdure.place.liveness import others_in_same_client_session
from perdure.transcript.claude_code import persons_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from perdure.actions.request import ResolvedRequest
    from perdure.actions.wiring import Desk
    from perdure.lifecycle.context_use import ContextUse

LONGEST = 150_000
"""Characters. An event holds a MiB, however its text is escaped; a longer prompt is cut, and says so."""
MOST_MASKED = 2 * LONGEST
GOAL_WORDS = 40
GOAL_LENGTH = 400


def record_prompt(
    resolved: ResolvedRequest,
    text: str,
    *,
    attended: bool = False,
    transcript: str = "",
    urgent: Callable[[], list[str]] = list,
) -> str:
    """Records the prompt; returns what the agent must be told with it. What a client put into the conversation itself
    is not the person's word, and is not recorded as such. `attended`: a person sits before the client. `transcript`:
    the path of the client's transcript. `urgent`: what else the agent must be told, first of all; asked once the record
    is there."""
    words = persons_words(text)
    if not words:
        return ""
    waives = attended and _is_waiver(text)  # not of what is left of a prompt that a program begins
    if words != text.strip():
        text = words

    def recorded(restored: list[str]) -> str:
        notices = [HookText(each) for each in (*urgent(), *(f"Perdure: {each}" for each in restored))]
        return _recorded(resolved, text, notices, waives=waives, transcript=transcript)

    return lost_record.with_record(resolved, recorded)


def _recorded(
    resolved: ResolvedRequest, text: str, notices: Sequence[HookText], *, waives: bool, transcript: str
) -> str:
    use = context_window.use_of(resolved, transcript)
    with open_desk_at(resolved) as desk:
        record_early_goal(desk)
        attribution = current_attribution(desk)
        said = p.PromptGiven(kept_words(text), use.percent if use and use.size else None)
        if attribution.before:  # the session's record is read below
            record(desk, list(attribution.before))
        session = _session(desk, attribution.session_id)
        by = _prompting_actor(desk)
        facts = [*phases.fact(session, RUNNING), replace(attribution.fact("prompt.given", said), actor=by)]
        goal = _goal(text) if session and not goals.has_lineage_goal(desk, session) else None
        if goal:
            prompted = attribution.fact("goal.prompted", p.GoalPrompted(goal), id=new_event_id())
            facts.append(replace(prompted, actor=by))
        unwritten = [HookText(each) for each in closing.at_prompt(desk, session)]
        record(desk, facts)
        phase_file.show(resolved, RUNNING)
        back = _given_back(desk)
        waived = [HookText(each) for each in _waived(desk)] if waives else []
        told = _told(desk, attribution, [*waived, *notices, *unwritten], use=use)
    return headed(RUNNING, "\n".join([*told, *back]))


def _told(desk: Desk, attribution: Attribution, first: Sequence[HookText], *, use: ContextUse | None) -> Sequence[str]:
    """As much as a hook may say now. What is told once and does not fit comes with the next prompt."""
    session = _session(desk, attribution.session_id)
    once = _to_tell(desk, attribution, session.told if session else (), use=use)
    texts = [*first, *(each for _, each in once)]
    told = fitted(texts, room(use))
    newly_told = [fact for fact, _ in once[: max(0, len(told) - len(first))]]
    if newly_told:
        record(desk, newly_told)
    is_told_to_hand_off = session is not None and context_exhaustion.EXHAUSTED in session.told
    may_remind = not is_told_to_hand_off and (not texts or room(use) is None)
    reminder = delta_synthesis.at_prompt(desk, attribution.session_id, use, may_remind=may_remind)
    return fitted([*texts, reminder], room(use)) if reminder else told


def _waived(desk: Desk) -> list[str]:
    """A waiver of the evidence (SPEC 10.6)."""
    if _prompting_actor(desk) != USER:
        return []
    from perdure.actions import contracts  # few prompts need it

    return [told for told in [contracts.waive(desk)] if told]


def _prompting_actor(desk: Desk) -> str | None:
    """Who prompts. A client that another client started is told what that client's agent says, whoever attends."""
    is_started_by_client = sum(bool(each.client) for each in desk.around.started_by) > 1
    return desk.actor if is_started_by_client else USER


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


def given_outside(resolved: ResolvedRequest, text: str) -> str:
    """A prompt in a folder of no project: it may be the goal of what the client does in a project later. Returns what
    the agent must be told with it."""
    return headed(RUNNING, "\n".join(keep(resolved, _goal(persons_words(text)))))


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


def _to_tell(
    desk: Desk, attribution: Attribution, told: tuple[str, ...], *, use: ContextUse | None
) -> list[tuple[Fact, HookText]]:
    found = []
    session = desk.resolved.request.stated_client.client_session_id
    if use and context_exhaustion.is_to_be_told(use, told):
        found.append(context_exhaustion.words_for_agent(desk, attribution, use))
    for other in others_in_same_client_session(desk.around, desk.seat.instance_id, desk.root):
        if other.instance_id not in told and session:
            fact = attribution.fact("session.doubled", p.SessionDoubled(session, other.instance_id))
            found.append((fact, HookText(sessions.doubled_words(other.instance_id, other.pid))))
    return found
