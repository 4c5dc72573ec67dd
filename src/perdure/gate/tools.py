"""Analyses a client's tool call: what would it do? The table of tools in the client's adapter says (SPEC 5.3).

A tool that is not in the table is praxic, and so is every tool of a client that is not registered.

    analyse_call("claude-code", "Edit", {"file_path": "/repo/a.py"}, world=world).effect == "praxic"
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

    from perdure.clients.port import Client, ClientTool
    from perdure.gate.world import World
    from perdure.model.json import Json

OWN_MCP = frozenset(
    """session_status transaction_status task_list task_get task_next_actions recover audit_verify_chain merkle_root
    preflight check postflight decide claim claim_absent handoff checkpoint note pointer task_create task_update
    audit_session_start thought_record merkle_finalize""".split()
)
"""Perdure's own MCP tools. Each moves the work along or only reads (SPEC 5.5)."""
MOST_TEXT = 1 << 20
"""Longer arguments are not searched for paths of the record."""
OPENING_MCP = frozenset(("preflight", "postflight"))


def analyse_call(client: str, tool: str, given: Mapping[str, Json], *, world: World) -> Analysis:
    """`given` are the call's arguments."""
    adapter = clients.adapter(client)
    if adapter is None:
        why = f"is not a tool that is known to only read: no client {client[:60]!r} is known"
        found = _one(PRAXIC, f"`{tool}` {why}", tool)
    elif tool in adapter.TOOLS:
        return _known(adapter, tool, adapter.TOOLS[tool], given=given, world=world)
    elif tool.startswith("mcp__"):
        found = _mcp(tool, world)
    else:
        found = _one(PRAXIC, f"`{tool}` is not a tool that is known to only read", tool)
    if found.effect == PRAXIC and any(_names_record(content) for content in given.values()):
        return _one(FORBIDDEN, f"{tool} is given a path in Perdure's own record", tool)
    return found


def _known(adapter: Client, name: str, tool: ClientTool, *, given: Mapping[str, Json], world: World) -> Analysis:
    """The call of a tool that is in the client's table."""
    named = given.get(tool.field)
    if tool.does == port.RUNS:
        return _shell(name, named, _moved(world, given, tool.folder_fields))
    if tool.does == port.CHANGES:
        return _change(name, named, world)
    if tool.does == port.EXPANDS:
        return _skill(name, named, tool, world=world)
    if tool.does in port.ONLY_LOOKS:
        return _one(NOETIC, f"{name} only reads", name)
    raise ValueError(f"the tool {name} of {adapter.NAME} does {tool.does!r}, which is not known")


def _moved(world: World, given: Mapping[str, Json], fields: tuple[str, ...]) -> World:
    """The world with the folder in which the command runs, where the client names one."""
    for name in fields:
        folder = given.get(name)
        if isinstance(folder, str):
            return replace(world, cwd=os.path.normpath(os.path.join(world.cwd, folder)))
    return world


def _names_record(content: Json) -> bool:
    """Whether it is a path into the record, or a patch that names one."""
    if not isinstance(content, str) or len(content) > MOST_TEXT:
        return False
    for line in content.splitlines() if "\n" in content else [content]:
        path = line.partition(": ")[2] if line.startswith("*** ") else line
        if " " not in path.strip() and targets.names_record(path.strip()):
            return True
    return False


def _one(effect: str, reason: str, part: str, *, written: tuple[str, ...] = (), opens: bool = False) -> Analysis:
    return add_up(
        [PartEffect(effect=effect, reason=reason, part=part, depth=0, written=written, weighty="", opens=opens)]
    )


def _shell(tool: str, text: Json, world: World) -> Analysis:
    if isinstance(text, list) and all(isinstance(word, str) for word in text):
        return _one(PRAXIC, f"{tool} is given words, not the text of a command", tool)
    if not isinstance(text, str):
        return _one(PRAXIC, f"{tool} is given no command that can be read", tool)
    from perdure.gate.effects.analysis import analyse  # other tools do not need the shell's modules

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


def _skill(name: str, named: Json, tool: ClientTool, *, world: World) -> Analysis:
    """A client's own skills run nothing. For any other the commands in its text are judged. One that cannot be found
    (it belongs to a plugin, or its name differs from its folder's) may run anything."""
    wanted = named.strip().lstrip("/") if isinstance(named, str) else ""
    if wanted in tool.own_skills:
        return _one(NOETIC, f"{wanted} is a skill of the client's own", name)
    text = world.disk.text_of(_skill_files(tool, wanted), (world.cwd, world.base, world.home))
    if not text:
        return _one(PRAXIC, f"the skill {wanted[:60]} is not found, so what it runs is not known", name)
    if "```!" in text or "\nhooks:" in text:
        return _one(PRAXIC, f"the skill {wanted} runs something when it is expanded", name)
    from perdure.gate.effects.analysis import analyse

    for command in text.split("!`")[1:]:
        found = analyse(command.partition("`")[0], world)
        if found.effect != NOETIC:
            return _one(PRAXIC, f"the skill {wanted} runs something when it is expanded: {found.reason}", name)
    return _one(NOETIC, f"{name} only loads a text", name)


def _skill_files(tool: ClientTool, wanted: str) -> tuple[str, ...]:
    """Where its text may be; nowhere if the name leads out of the folders for skills."""
    if not wanted or "\0" in wanted or ".." in wanted:
        return ()
    return tuple(each.format(name=wanted, path=wanted.replace(":", "/")) for each in tool.skill_files)


def _mcp(tool: str, world: World) -> Analysis:
    """No client passes on what an MCP server says about its tools, so only a person can say that one only reads."""
    server, _, name = tool.removeprefix("mcp__").rpartition("__")
    if server in ("perdure", "plugin_perdure_perdure"):
        if name in OWN_MCP:
            return _one(TRANSITION, f"perdure's own {name}", tool, opens=name in OPENING_MCP)
        return _one(PRAXIC, f"`{name}` is not a tool of perdure's that moves the work along or only reads", tool)
    if tool in world.readers:
        return _one(NOETIC, "a person has said that it only reads", tool)
    return _one(PRAXIC, f"`{tool}` is a tool of another server; if it only reads, name it in gate.readers", tool)
