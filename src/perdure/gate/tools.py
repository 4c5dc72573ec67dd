"""A client's tool call → what it would do, by the table of tools in the client's adapter (SPEC 5.3).

A tool that is not in the table is praxic, and so is every tool of a client that is not registered.

    analyse_call("claude-code", "Edit", {"file_path": "/repo/a.py"}, world).effect == "praxic"
"""

from __future__ import annotations

import os

from perdure import clients
from perdure.clients import port
from perdure.gate.effects import targets
from perdure.gate.effects.finding import FORBIDDEN, NOETIC, PRAXIC, TRANSITION, Analysis, PartEffect, add_up
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.clients.port import Client, Tool
    from perdure.gate.world import World
    from perdure.model.json import Json

OWN_MCP = frozenset(
    """session_status transaction_status task_list task_get task_next_actions recover audit_verify_chain merkle_root
    preflight check postflight decide claim claim_absent note checkpoint handoff task_create task_update
    audit_session_start thought_record merkle_finalize""".split()
)
"""Perdure's own MCP tools: each moves the work along or only reads (SPEC 5.5)."""
MOST_TEXT = 1 << 20
OPENING_MCP = frozenset(("preflight", "postflight"))


def analyse_call(
    client: str, tool: str, given: Mapping[str, Json], *, world: World, read_only: bool = False
) -> Analysis:
    """`read_only`: the MCP server says so of this tool."""
    adapter = clients.adapter(client)
    known = adapter.TOOLS.get(tool) if adapter else None
    if adapter and known:
        return _known(adapter, tool, known, given=given, world=world)
    found = _mcp(tool, world, read_only) if adapter and tool.startswith("mcp__") else None
    why = f"is not a tool that is known to only read{'' if adapter else f': no client {client[:60]!r} is known'}"
    found = found or _one(PRAXIC, f"`{tool}` {why}", tool)
    if found.effect == PRAXIC and any(_names_record(content) for content in given.values()):
        return _one(FORBIDDEN, f"{tool} is given a path in Perdure's own record", tool)
    return found


def _known(adapter: Client, name: str, tool: Tool, *, given: Mapping[str, Json], world: World) -> Analysis:
    named = given.get(tool.field)
    if tool.does == port.RUNS:
        return _shell(name, named, _moved(world, given, adapter.FOLDER_FIELDS))
    if tool.does == port.CHANGES:
        return _change(name, named, world)
    if tool.does == port.EXPANDS:
        return _skill(name, named, adapter.OWN_SKILLS, world=world)
    if tool.does in port.ONLY_LOOKS:
        return _one(NOETIC, f"{name} only reads", name)
    raise ValueError(f"the tool {name} of {adapter.NAME} does {tool.does!r}, which is not known")


def _moved(world: World, given: Mapping[str, Json], fields: tuple[str, ...]) -> World:
    """Some clients say in which folder the command runs."""
    folder = next((given[name] for name in fields if isinstance(given.get(name), str)), None)
    return replace(world, cwd=os.path.normpath(os.path.join(world.cwd, folder))) if isinstance(folder, str) else world


def _names_record(content: Json) -> bool:
    """A path into the record, or a patch that has one."""
    if not isinstance(content, str) or len(content) > MOST_TEXT:
        return False
    lines = content.splitlines() if "\n" in content else [content]
    paths = [line.partition(": ")[2] if line.startswith("*** ") else line for line in lines]
    return any(targets.names_record(path.strip()) for path in paths if " " not in path.strip())


def _one(effect: str, reason: str, part: str, *, written: tuple[str, ...] = (), opens: bool = False) -> Analysis:
    return add_up(
        [PartEffect(effect=effect, reason=reason, part=part, depth=0, written=written, weighty="", opens=opens)]
    )


def _shell(tool: str, text: Json, world: World) -> Analysis:
    if isinstance(text, list) and all(isinstance(word, str) for word in text):
        return _one(PRAXIC, f"{tool} is given words, not the text of a command", tool)
    if not isinstance(text, str):
        return _one(PRAXIC, f"{tool} is given no command that can be read", tool)
    from perdure.gate.effects.analysis import analyse  # only who runs something pays for the shell

    return analyse(text, world)


def _change(tool: str, path: Json, world: World) -> Analysis:
    if not isinstance(path, str) or not path or "\0" in path or any("\ud800" <= c <= "\udfff" for c in path):
        return _one(PRAXIC, f"{tool} changes a file that is not named", tool)
    place, real = targets.place_of(path, (world.cwd,), world)
    if place in targets.FORBIDDEN:
        return _one(FORBIDDEN, f"{tool} {targets.FORBIDDEN[place]}, {real}", tool, written=(real,))
    if place == targets.SCRATCH:
        return _one(NOETIC, f"{tool} writes only to scratch, {real}", tool)
    return _one(PRAXIC, f"{tool} changes {real}", tool, written=(real,))


def _skill(tool: str, name: Json, own: frozenset[str], *, world: World) -> Analysis:
    """The client's own only say something; another is read, and what it runs is judged; one that cannot be found (a
    plugin's, or called by another name than its folder's) may run anything."""
    wanted = name.strip().lstrip("/") if isinstance(name, str) else ""
    if wanted in own:
        return _one(NOETIC, f"{wanted} is a skill of the client's own", tool)
    text = world.disk.skill(wanted, (world.cwd, world.base, world.home))
    if not text:
        return _one(PRAXIC, f"the skill {wanted[:60]} is not found, so nobody can tell what it runs", tool)
    if "```!" in text or "\nhooks:" in text:
        return _one(PRAXIC, f"the skill {wanted} runs something when it is expanded", tool)
    from perdure.gate.effects.analysis import analyse

    for command in text.split("!`")[1:]:
        found = analyse(command.partition("`")[0], world)
        if found.effect != NOETIC:
            return _one(PRAXIC, f"the skill {wanted} runs something when it is expanded: {found.reason}", tool)
    return _one(NOETIC, f"{tool} only brings a text", tool)


def _mcp(tool: str, world: World, read_only: bool) -> Analysis:
    server, _, name = tool.removeprefix("mcp__").rpartition("__")
    if server in ("perdure", "plugin_perdure_perdure"):
        if name in OWN_MCP:
            return _one(TRANSITION, f"perdure's own {name}", tool, opens=name in OPENING_MCP)
        return _one(PRAXIC, f"`{name}` is not a tool of perdure's that moves the work along or only reads", tool)
    if tool in world.readers:
        return _one(NOETIC, "a person has said that it only reads", tool)
    if read_only:
        return _one(NOETIC, "its server says that it only reads", tool)
    return _one(PRAXIC, f"`{tool}` is a tool of another server; if it only reads, name it in gate.readers", tool)
