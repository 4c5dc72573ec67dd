"""The MCP resources: what a client can read, each with an address. `RESOURCES` lists all of them.

read(ask, "perdure://brief").text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.actions import auditing, decisions, recovering, tasks
from perdure.actions.wiring import open_desk
from perdure.errors import Refused
from perdure.model.ids import shown
from perdure.model.json import compact
from perdure.model.value import value
from perdure.proof import bundle
from perdure.surfaces.cli.task import shown_data
from perdure.surfaces.record_data import decision_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.surfaces.mcp.tools import Ask

SCHEME = "perdure://"
PLAIN, JSON = "text/plain", "application/json"


@value
class Resource:
    about: str
    mime: str
    read: Callable[[Ask, str], str]
    """A resource's function returns its text; `{id}` in the address is its argument."""


@value
class ResourceContent:
    text: str
    mime: str


def _brief(ask: Ask, _: str) -> str:
    return _recovered(ask, "brief")


def _notes(ask: Ask, _: str) -> str:
    return _recovered(ask, "3")


def _recovered(ask: Ask, level: str) -> str:
    with open_desk(ask(), writable=False) as desk:
        return recovering.from_ledger(desk, level, None).text


def _decision(ask: Ask, identifier: str) -> str:
    with open_desk(ask(), writable=False) as desk:
        return compact(decision_data(decisions.show(desk, identifier)))


def _task(ask: Ask, identifier: str) -> str:
    with open_desk(ask(), writable=False) as desk:
        return compact(shown_data(tasks.show(desk, identifier)))


def _proof(ask: Ask, identifier: str) -> str:
    with open_desk(ask()) as desk:
        return bundle.written(auditing.prove(desk, identifier))


RESOURCES: dict[str, Resource] = {
    "brief": Resource(f"what the next session must know, within {recovering.BRIEF_BUDGET:,} tokens", PLAIN, _brief),
    "notes": Resource("every decision and note, newest first", PLAIN, _notes),
    "task/{id}": Resource("one task in full, with its decisions", JSON, _task),
    "decision/{id}": Resource("one decision, with its reason and evidence", JSON, _decision),
    "proof/{id}": Resource("proof that an event is in the ledger, for somebody without the ledger", JSON, _proof),
}
"""Address behind `perdure://` → resource."""


def read(ask: Ask, uri: str) -> ResourceContent:
    name, slash, identifier = uri.removeprefix(SCHEME).partition("/")
    found = RESOURCES.get(f"{name}/{{id}}" if slash else name)
    if found is None or not uri.startswith(SCHEME):
        raise Refused("no_such_resource", f"There is no resource {shown(uri)}.", hint=f"{SCHEME}brief is one.")
    return ResourceContent(found.read(ask, identifier), found.mime)
