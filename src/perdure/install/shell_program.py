"""The program that a client's settings name for its shells: a script in Perdure's home that starts the real interpreter
with few imports, like a hook (`program.py`). All projects of a person share it, so `uninstall` leaves it there.

    text(Program.find(environment), "claude-code")     # for shell_program_path(home, "claude-code")
"""

from __future__ import annotations

import shlex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.install.program import Program

MODE = 0o755
_CODE = """\
import sys
sys.path += {paths}
try:
    from perdure.surfaces.shell_prefix import run
except BaseException:
    print({sentence}, file=sys.stderr)
    sys.exit(126)
run({client}, sys.argv[1:], {perdure})
"""
_SCRIPT = """\
#!/bin/sh
# Written by perdure init. The client starts its shell commands through it (docs/gate.md of Perdure, "The jail").
exec {words} "$@"
"""


def text(program: Program, client: str) -> str:
    where = program.paths[0] if program.paths else ""
    code = _CODE.format(
        paths=ascii(list(program.paths)),
        sentence=ascii(f"Perdure cannot be loaded from {where}, so the command was not run; perdure init fixes it."),
        client=ascii(client),
        perdure=ascii(program.perdure),
    )
    return _SCRIPT.format(words=shlex.join([program.interpreter, "-I", "-S", "-c", code]))
