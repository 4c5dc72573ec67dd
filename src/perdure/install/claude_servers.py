"""Edits Claude Code's lists of MCP servers, to add and remove ours (SPEC 15.1).

local     ~/.claude.json     under projects, under the project's folder: this person, here
project   <project>/.mcp.json                committed; the client asks each person once whether to use it
user      ~/.claude.json     for every project of this person

`~/.claude.json` holds the client's own state, and the client rewrites it all the time. Our entry is one member of it,
recognized by its name and its command; everything else keeps every byte. A file that is not as expected is refused
before anything is changed.

    with_server("{}", ("mcpServers",), {"command": "perdure", "args": ["mcp"]}).made == ("mcpServers",)
"""

from __future__ import annotations

import json
import os

from perdure.install import person_files, settings_text
from perdure.install.claude_settings import Edited, readable
from perdure.install.installer import LOCAL, PROJECT, SCOPES, USER
from perdure.model import json_text
from perdure.model.json_text import ARRAY, OBJECT, Node
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.install.installer import InstallContext
    from perdure.install.program import Program
    from perdure.model.json import Json

NAME, SERVERS = "perdure", "mcpServers"
PORTABLE = ("perdure", "mcp")


@value
class RegisteredServer:
    """A server with our name in a file; `words` is the command that the client runs."""

    scope: str
    path: str
    words: tuple[str, ...]
    is_ours: bool


# -- where and what --------------------------------------------------------------------------------------------------


def file_of(context: InstallContext, scope: str) -> str:
    if scope == PROJECT:
        return os.path.join(context.folder, ".mcp.json")
    return os.path.join(context.environment.get("CLAUDE_CONFIG_DIR") or context.person, ".claude.json")


def keys_to(context: InstallContext, scope: str) -> tuple[str, ...]:
    return keys_of_folder(context.folder) if scope == LOCAL else (SERVERS,)


def keys_of_folder(folder: str) -> tuple[str, ...]:
    return ("projects", folder, SERVERS)


def wanted(scope: str, program: Program) -> Json:
    return portable() if scope == PROJECT else _entry(program.serving)


def portable() -> Json:
    """For everybody who has perdure on their PATH: a committed file, a plugin."""
    return _entry(PORTABLE)


def _entry(words: Sequence[str]) -> Json:
    """`alwaysLoad`: the agent sees the tools at once, not only when it searches for them."""
    return {"type": "stdio", "command": words[0], "args": [*words[1:]], "env": {}, "alwaysLoad": True}


def is_ours(server: Node) -> bool:
    command, *arguments = _words(server) or ("",)
    return (os.path.basename(command), *arguments) == PORTABLE or tuple(arguments) == ("-m", *PORTABLE)


def _words(server: Node) -> tuple[str, ...]:
    command, arguments = server.get("command"), server.get("args")
    rest = arguments.inside if arguments and arguments.kind == ARRAY else ()
    return tuple(each.string or "" for each in (*([command] if command else []), *rest))


# -- texts -----------------------------------------------------------------------------------------------------------


def other_server(text: str, keys: tuple[str, ...], path: str) -> bool:
    """Whether a server of somebody else has our name there. A file that ours cannot be added to is refused."""
    root = settings_text.parse_settings(text, path)
    for depth in range(1, len(keys) + 1):
        found = root.at(*keys[:depth])
        if found is not None and found.kind != OBJECT:
            raise settings_text.odd(path, f"{json.dumps(keys[depth - 1])} is not an object")
    found = root.at(*keys, NAME)
    return found is not None and not is_ours(found)


def is_registered(text: str, keys: tuple[str, ...]) -> bool:
    """Whether ours is there. False if the text is not usable."""
    root = readable(text)
    found = root.at(*keys, NAME) if root else None
    return found is not None and is_ours(found)


def with_server(text: str, keys: tuple[str, ...], server: Json) -> Edited:
    made = []
    for depth in range(len(keys)):
        if json_text.parse(text).at(*keys[: depth + 1]) is None:
            text = json_text.add(_there(text, *keys[:depth]), keys[depth], {})
            made.append(".".join(keys[: depth + 1]))
    found = _there(text, *keys).get(NAME)
    if found is None:
        return Edited(json_text.add(_there(text, *keys), NAME, server), tuple(made))
    return Edited(text if json_text.same(found, server) else json_text.replace(found, server), tuple(made))


def without_server(text: str, keys: tuple[str, ...], made: tuple[str, ...]) -> str:
    """Also removes the containers that we made, if they are empty."""
    text = _without(text, *keys, NAME)
    for depth in range(len(keys), 0, -1):
        found = json_text.parse(text).at(*keys[:depth])
        if found is not None and not found.inside and ".".join(keys[:depth]) in made:
            text = _without(text, *keys[:depth])
    return text


def _there(text: str, *keys: str) -> Node:
    found = json_text.parse(text).at(*keys)
    assert found is not None, keys
    return found


def _without(text: str, *keys: str) -> str:
    above = json_text.parse(text).at(*keys[:-1])
    index = above.index(keys[-1]) if above else None
    return text if above is None or index is None else json_text.remove(above, index)


# -- looking ---------------------------------------------------------------------------------------------------------


def registered(context: InstallContext) -> list[RegisteredServer]:
    """Servers with our name that count here, the one that wins first."""
    found = []
    for scope in SCOPES if context.folder else (USER,):
        path = file_of(context, scope)
        root = readable(person_files.read(path) or "")
        server = root.at(*keys_to(context, scope), NAME) if root else None
        if server is not None:
            found.append(RegisteredServer(scope=scope, path=path, words=_words(server), is_ours=is_ours(server)))
    return found
