"""What happened in a session, as its transcript tells it."""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from perdure.model.json import Json


@value
class Prompt:
    """The person's words. `refusing`: given with the refusal of a tool call."""

    uuid: str
    text: str
    refusing: bool = False


@value
class Unsaid:
    """Words that were queued, and that the person pulled back before the agent had them."""

    uuid: str
    text: str


@value
class Said:
    """The agent's words."""

    uuid: str
    text: str
    aside: bool = False
    """Of a subagent, not of the agent itself."""


@value
class Called:
    uuid: str
    id: str
    tool: str
    given: dict[str, Json]
    aside: bool = False


@value
class Returned:
    """What a call came back with. `refused`: the person said no."""

    uuid: str
    id: str
    text: str
    failed: bool
    refused: bool = False
    aside: bool = False


@value
class Compacted:
    uuid: str
    trigger: str


@value
class Summary:
    """The client's own account of what was thrown away: of the lowest rank."""

    uuid: str
    text: str


@value
class Stands:
    """The folder the client works in, and the client's session."""

    folder: str
    session: str = ""


@value
class Used:
    """How full the context was."""

    tokens: int


if TYPE_CHECKING:
    Event: TypeAlias = Prompt | Unsaid | Said | Called | Returned | Compacted | Summary | Stands | Used
