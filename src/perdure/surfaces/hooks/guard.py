"""PreToolUse: may this run? A pass says nothing, so that the person's own permission rules decide (SPEC 5.1)."""

from __future__ import annotations

import sys

from perdure.actions import gating
from perdure.gate import policy
from perdure.surfaces.hooks import claude_code, is_switched_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.surfaces.hooks.claude_code import Said


def before_tool(s: Said, program: str) -> str:
    call = gating.ToolCall(s.tool, s.given, claude_code.CLIENT, subagent=bool(s.agent_id))
    judged = gating.guard(claude_code.request_of(s, program), call)
    if judged.unrecorded:
        print(f"perdure: what would have been denied could not be recorded: {judged.unrecorded}", file=sys.stderr)
    if not judged.denies or (judged.verdict.failure and is_switched_off()):
        return ""
    return claude_code.deny(policy.words(judged.verdict))
