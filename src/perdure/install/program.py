"""The command that a hook runs: the real interpreter, and a few lines of code with the folders in which Perdure is.

`python -I -S -c CODE EVENT` starts without site-packages, without the person's variables and without a shim before the
interpreter, which would be most of a hook's cost (SPEC 18). If Perdure cannot be loaded, that is a failure of the
guard, and the guard's hook denies (SPEC 5.6).

    Program.find(environment).code("PreToolUse", "/repo/.claude/settings.local.json")
"""

from __future__ import annotations

import ast
import json
import os
import shlex
import sys

from perdure.install.guard_registered import MARK
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.json import Json

GUARD, STATUS_LINE = "PreToolUse", "statusLine"
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
_SAY = """\
    print({sentence}, file=sys.stderr)
    sys.exit(1)"""
_DENY = """\
    print({denial}, flush=True)
    sys.exit(0)"""
_GO_ON = """\
    import os
    os.execvp('sh', ['sh', '-c', ''.join(sys.argv[2:])])"""


@value
class Program:
    interpreter: str
    paths: tuple[str, ...]
    perdure: str

    @classmethod
    def find(cls, environment: Mapping[str, str]) -> Program:
        return cls(_interpreter(), _paths(), _perdure(environment))

    def code(self, event: str, settings: str) -> str:
        """ASCII whatever the paths are, because the locale of the hook is unknown."""
        return _CODE.format(
            put=_PATHS,
            paths=ascii(list(self.paths)),
            mark=MARK,
            otherwise=self._otherwise(event, settings),
            perdure=ascii(self.perdure),
        )

    def words(self, event: str, settings: str) -> list[str]:
        return [self.interpreter, *_FLAGS, self.code(event, settings), event]

    @property
    def serving(self) -> list[str]:
        """The command of the MCP server: with all of Python, unlike a hook, because the SDK needs it."""
        return [self.perdure, "mcp"] if self.perdure else [os.path.abspath(sys.executable), "-m", "perdure", "mcp"]

    def status_line(self, settings: str, original: str | None) -> str:
        """For a shell. The person's own command is the last argument, so that ours can run it and it can be
        restored."""
        return shlex.join([*self.words(STATUS_LINE, settings), *([] if original is None else [original])])

    def _otherwise(self, event: str, settings: str) -> str:
        if event == STATUS_LINE:
            return _GO_ON
        where = self.paths[0] if self.paths else ""
        if event == GUARD:
            return _DENY.format(denial=ascii(json.dumps(denial(_cannot_load(where, settings)))))
        return _SAY.format(sentence=ascii(f"Perdure cannot be loaded from {where}; perdure init fixes it."))


def denial(reason: str) -> Json:
    return {
        "hookSpecificOutput": {
            "hookEventName": GUARD,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def _cannot_load(where: str, settings: str) -> str:
    return (
        f"Perdure guards this project, but its program cannot be loaded from {where}. This is a failure of the guard, "
        "not a judgement. A person can fix it by installing Perdure again and running perdure init; or remove the "
        f"guard by hand, by deleting the entries that name perdure in {settings}."
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
    words = _words(command)
    return words[-1] if len(words) == len(_FLAGS) + 4 else None


def paths_of(code: str) -> tuple[str, ...]:
    """The folders that a text of `code` names, to check whether they still exist."""
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
