"""The command that a hook runs: the real interpreter, and a few lines of code with the folders in which Perdure is.

`python -I -S -c CODE EVENT` starts without site-packages, without the person's variables and without a shim before the
interpreter, which would be most of a hook's cost (SPEC 18). If Perdure cannot be loaded, that is a failure of the
guard, and the guard's hook denies all but what plainly only reads (SPEC 5.6, `plain_reading.py`).

    Program.find(environment).words(clients.claude_code, "PreToolUse", "/repo/.claude/settings.local.json")
"""

from __future__ import annotations

import os
import shlex
import sys

from perdure.clients import DEFAULT, port
from perdure.install import plain_reading
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.clients.port import HookClient

MARK = "perdure.surfaces.hooks"
"""In every command of ours that names a real interpreter."""
NEEDED = ("perdure", "rfc8785", "secretscreen")
_FLAGS = ("-I", "-S", "-c")
_PATHS = "sys.path += "
_CODE = """\
import sys
{put}{paths}
try:
    from {mark} import run
except BaseException:
{otherwise}
run(sys.argv[1:], {perdure})
"""
_SHORT_CODE = """\
import sys
{put}{paths}
from {mark} import run
run(sys.argv[1:], {perdure})
"""
"""For the hooks of a compaction: the client shows the person their whole command each time. What Perdure says if it is
gone, they read from the other hooks."""
_SAY = """\
    print({sentence}, file=sys.stderr)
    sys.exit(1)"""
_DENY = """\
    try:
        import json, os
        shells_start = {shells_start}
        given = json.loads(sys.stdin.buffer.read())
        only_reads = {only_reads}
    except BaseException:
        only_reads = False
    if not shells_start:
        print({without_shells}, flush=True)
    elif not only_reads:
        print({denial}, flush=True)
    sys.exit(0)"""
_GO_ON = """\
    import os
    os.execvp('sh', ['sh', '-c', ''.join(sys.argv[{first}:])])"""


@value
class Program:
    interpreter: str
    paths: tuple[str, ...]
    perdure: str

    @classmethod
    def find(cls, environment: Mapping[str, str]) -> Program:
        return cls(_interpreter(), _paths(), _perdure(environment))

    def code(self, client: HookClient, event: str, settings: str) -> str:
        """ASCII whatever the paths are, because the locale of the hook is unknown."""
        is_shown = client.EVENTS.get(event) in (port.BEFORE_COMPACTION, port.AFTER_COMPACTION)
        return (_SHORT_CODE if is_shown else _CODE).format(
            put=_PATHS,
            paths=ascii(list(self.paths)),
            mark=MARK,
            otherwise=self._otherwise(client, event, settings),
            perdure=ascii(self.perdure),
        )

    def words(self, client: HookClient, event: str, settings: str) -> list[str]:
        """The command of a hook. `event` is the client's name for the event, `settings` the file it is written to."""
        return [self.interpreter, *_FLAGS, self.code(client, event, settings), *named(client), event]

    @property
    def serving(self) -> list[str]:
        """The command of the MCP server: with all of Python, unlike a hook, because the SDK needs it."""
        return [self.perdure, "mcp"] if self.perdure else [os.path.abspath(sys.executable), "-m", "perdure", "mcp"]

    def status_line(self, client: HookClient, settings: str, original: str | None) -> str:
        """For a shell. The person's own command is the last argument, so that ours can run it and it can be
        restored."""
        words = self.words(client, port.event_name(client, port.STATUS_LINE), settings)
        return shlex.join([*words, *([] if original is None else [original])])

    def _otherwise(self, client: HookClient, event: str, settings: str) -> str:
        meaning = client.EVENTS.get(event)
        if meaning == port.STATUS_LINE:
            return _GO_ON.format(first=2 + len(named(client)))
        where = self.paths[0] if self.paths else ""
        if meaning == port.BEFORE_TOOL:
            return _DENY.format(
                denial=ascii(printable_denial(client, _cannot_load(client, where, settings))),
                without_shells=ascii(printable_denial(client, _no_shells(client, where, settings))),
                shells_start=plain_reading.shells_start_test(client),
                only_reads=plain_reading.python_test(client),
            )
        return _SAY.format(sentence=ascii(_gone(where, settings)))


def named(client: HookClient) -> list[str]:
    """The words that tell a hook its client. The default client's settings have always been written without them."""
    return [] if client.NAME == DEFAULT else ["--client", client.NAME]


def printable_denial(client: HookClient, reason: str) -> str:
    """The client's denial for a program that prints it with a newline, in whatever locale."""
    denial = client.deny(reason).removesuffix("\n")
    if not denial.isascii():
        raise ValueError(f"the denial of {client.NAME} is not ASCII, so it cannot be printed in every locale")
    return denial


def _cannot_load(client: HookClient, where: str, settings: str) -> str:
    return (
        f"Perdure guards this project, but its program cannot be loaded from {where}. This is a failure of the guard, "
        f"not a judgement. Until it is fixed, {plain_reading.what_runs(client)}. A person can fix it by installing "
        "Perdure again and running perdure init; or remove the guard by hand, by deleting the entries that name "
        f"perdure in {settings}, those under env too."
    )


def _no_shells(client: HookClient, where: str, settings: str) -> str:
    return (
        f"Perdure guards this project, but its program cannot be loaded from {where}, and the program in its home that "
        f"{plain_reading.shell_variable(client)} names is gone too. This is a failure of the guard, not a judgement. "
        "Until it is fixed, no shell command starts, not even ls; the client's own tools that only read still run. "
        "A person can fix it by installing Perdure again and running perdure init; or remove the guard by hand, by "
        f"deleting the entries that name perdure in {settings}, those under env too. Then restart the client."
    )


def _gone(where: str, settings: str) -> str:
    """For the person, who reads it in the client. `perdure` itself may be gone, so `perdure init` alone is no help."""
    return (
        f"Perdure cannot be loaded from {where}. To mend it, install Perdure again and run perdure init here. "
        f"To remove it, delete the entries that name perdure in {settings}, those under env too."
    )


def is_ours(arguments: list[str]) -> bool:
    """Whether these are the arguments that `words` gives after the interpreter."""
    count = len(_FLAGS)
    return (
        len(arguments) > count + 1 and tuple(arguments[:count]) == _FLAGS and f"from {MARK} import" in arguments[count]
    )


def is_our_command(command: str) -> bool:
    return is_ours(_words(command)[1:])


def original_of(command: str) -> str | None:
    """The person's own status line in a command that `status_line` made."""
    words = _words(command)[len(_FLAGS) + 2 :]
    if words[:1] == ["--client"]:
        words = words[2:]
    return words[1] if len(words) == 2 else None


def paths_of(code: str) -> tuple[str, ...]:
    """The folders that a text of `code` names, to check whether they still exist."""
    import ast  # not at the top: `perdure status` loads this module, too

    line = next((line for line in code.splitlines() if line.startswith(_PATHS)), "")
    try:
        found = ast.literal_eval(line.removeprefix(_PATHS))
    except (ValueError, SyntaxError):
        return ()
    return tuple(str(path) for path in found) if isinstance(found, list) else ()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _interpreter() -> str:
    """Never the link of a virtual environment, which disappears with it, nor a shim, which costs 100 ms."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def _paths() -> tuple[str, ...]:
    from importlib.util import find_spec

    found: list[str] = []
    for name in NEEDED:
        spec = find_spec(name)
        origin = spec.origin if spec else None
        if origin:
            inside = os.path.dirname(os.path.realpath(origin))
            found.append(os.path.dirname(inside) if spec and spec.submodule_search_locations else inside)
    return tuple(dict.fromkeys(found))


def _perdure(environment: Mapping[str, str]) -> str:
    from shutil import which

    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "perdure")
    if os.access(beside, os.X_OK):
        return beside
    found = which("perdure", path=environment.get("PATH", os.defpath))
    return os.path.abspath(found) if found else ""
