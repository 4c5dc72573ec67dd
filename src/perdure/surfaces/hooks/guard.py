"""The hook that runs before a tool and decides whether it may run. If it may, the hook prints nothing, so that the
person's own permission rules decide (SPEC 5.1)."""

from __future__ import annotations

import sys

from perdure.actions import gating
from perdure.gate import policy
from perdure.surfaces.hooks import is_switched_off
from perdure.surfaces.hooks.request import request_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.clients.port import HookClient, Payload


def before_tool(client: HookClient, payload: Payload, program: str) -> str:
    request = request_of(client, payload, program)
    call = gating.ToolCall(
        payload.tool, payload.tool_input, request.stated_client.client or "", subagent=bool(payload.agent_id)
    )
    judged = gating.guard(request, call)
    if judged.unrecorded:
        print(f"perdure: what would have been denied could not be recorded: {judged.unrecorded}", file=sys.stderr)
    if not judged.denies or (judged.verdict.failure and is_switched_off()):
        return ""
    return client.deny(policy.words(judged.verdict))
