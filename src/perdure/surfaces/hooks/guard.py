"""The hook that runs before a tool and decides whether it may run. If it may, the hook prints nothing, so that the
person's own permission rules decide (SPEC 5.1)."""

from __future__ import annotations

import os
import sys

from perdure.actions import gating
from perdure.clients import port
from perdure.errors import PerdureError
from perdure.gate import policy
from perdure.gate.effects.finding import CONTAINED
from perdure.place.home import give_back_path, home_folder
from perdure.surfaces.hooks import is_switched_off
from perdure.surfaces.hooks.request import request_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.gating import Judgement
    from perdure.actions.request import Request
    from perdure.clients.port import HookClient, Payload


def before_tool(client: HookClient, payload: Payload, program: str) -> str:
    request = request_of(client, payload, program)
    call = gating.ToolCall(
        payload.tool, payload.tool_input, request.stated_client.client or "", subagent=bool(payload.agent_id)
    )
    judged = gating.guard(request, call)
    if judged.unrecorded:
        print(f"perdure: what would have been denied could not be recorded: {judged.unrecorded}", file=sys.stderr)
    told = _told_of_the_jail(judged, request, payload)
    if told:
        return client.tell(port.BEFORE_TOOL, told)
    if not judged.denies or (judged.verdict.failure and is_switched_off()):
        return _with_what_is_missing(client, payload, request)
    denial = client.deny(policy.words(judged.verdict))
    unrecorded = gating.note_denial(call, judged)
    if unrecorded:
        print(f"perdure: this denial could not be kept for the record: {unrecorded}", file=sys.stderr)
    return denial


def _told_of_the_jail(judged: Judgement, request: Request, payload: Payload) -> str:
    """What an agent is told before the first command of a session that runs read-only because it is not known what it
    does: afterwards nobody is there to say why something was refused."""
    if judged.analysis.effect != CONTAINED:
        return ""
    from perdure.actions.shell_command import first_words
    from perdure.lifecycle.phases import RUNNING, headed

    return headed(RUNNING, first_words(home_folder(request.environment), payload.session_id, judged.verdict.clears))


def _with_what_is_missing(client: HookClient, payload: Payload, request: Request) -> str:
    """What a summary lost and could not be given back before (SPEC 11.3); almost always nothing. A failure here must
    not keep a tool from running."""
    pending = give_back_path(home_folder(request.environment), payload.session_id)
    if payload.agent_id or not os.path.exists(pending):
        return ""
    from perdure.actions import give_back
    from perdure.actions.request import resolve_request

    try:
        return client.tell(port.BEFORE_TOOL, give_back.with_tool(resolve_request(request)))
    except PerdureError as error:
        print(f"perdure: what a compaction lost could not be given back: {error.message}", file=sys.stderr)
        return ""
