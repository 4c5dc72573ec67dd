"""The events of a session, as its transcript records them."""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.model.json import Json


@value
class Prompt:
    """What the person wrote. `refusing`: as the reason for refusing a tool call. `at`: the time that its line has."""

    uuid: str
    text: str
    refusing: bool = False
    at: str = ""


@value
class PromptTakenBack:
    """A queued prompt that the person took back before the agent got it."""

    uuid: str
    text: str


@value
class TeammateSaid:
    """What another agent of a team told this one."""

    uuid: str
    who: str
    text: str


@value
class AgentSaid:
    """What the agent wrote."""

    uuid: str
    text: str
    of_subagent: bool = False
    """It comes from a subagent, not from the agent that the person talks to."""
    ends_turn: bool | None = None
    """Whether the client says that the agent's turn ended with it; None if it does not say."""


@value
class Called:
    """A tool call."""

    uuid: str
    id: str
    tool: str
    given: dict[str, Json]
    of_subagent: bool = False


@value
class Returned:
    """The result of a tool call. `refused`: the person did not allow it."""

    uuid: str
    id: str
    text: str
    failed: bool
    refused: bool = False
    of_subagent: bool = False


@value
class Compacted:
    """The client shortened the context. `trigger`: `manual` or `auto`."""

    uuid: str
    trigger: str


@value
class Summary:
    """The client's own summary of what a compaction removed: the least trusted source."""

    uuid: str
    text: str


@value
class WorkingFolder:
    """The folder the client works in, the client's session, and the branch that is checked out there."""

    folder: str
    session: str = ""
    branch: str = ""


@value
class ContextSize:
    """How many tokens the context held when the model answered."""

    tokens: int


if TYPE_CHECKING:
    Event: TypeAlias = (
        Prompt
        | PromptTakenBack
        | TeammateSaid
        | AgentSaid
        | Called
        | Returned
        | Compacted
        | Summary
        | WorkingFolder
        | ContextSize
    )
