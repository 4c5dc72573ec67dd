"""Turns what a client's hook sends into the request that every action takes."""

from __future__ import annotations

import os

from perdure.actions.request import Request, resolve_request
from perdure.model.ids import is_token
from perdure.place.surroundings import StatedClient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.clients.port import HookClient, Payload


def request_of(client: HookClient, payload: Payload, program: str) -> Request:
    """A request from the client's folder, for the session that the client names. Which process the client is, the
    client says itself, or our ancestors show."""
    agent = f":{payload.agent_id}" if is_token(payload.agent_id) else ""
    stated_client = StatedClient(
        client=client.NAME,
        client_session_id=payload.session_id or None,
        client_pid=None,
        pid_from_environment=client.pid_from_environment(os.environ),
    )
    return Request(
        _folder(payload.cwd), os.environ, stated_client=stated_client, actor=f"{client.NAME}{agent}", program=program
    )


def is_for_subagent(client: HookClient, payload: Payload, program: str) -> bool:
    """Whether the hook runs for a subagent. Input that names no place is refused as for any other hook."""
    if payload.agent_id:
        resolve_request(request_of(client, payload, program))
    return bool(payload.agent_id)


def _folder(named: str) -> str:
    """If the client's folder was deleted, the nearest existing folder above it is used."""
    here = named if os.path.isabs(named) and "\0" not in named else os.getcwd()
    while not os.path.isdir(here):
        here = os.path.dirname(here)
    return here
