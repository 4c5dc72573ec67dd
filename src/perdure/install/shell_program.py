"""The program that a client's settings name for its shells: a script in Perdure's home that starts the real interpreter
with few imports, like a hook (`program.py`). All projects of a person share it, so `uninstall` leaves it there.

If Perdure or the interpreter is gone, the script decides alone: the person's hooks and servers, which the client starts
through it too, run; so does a command that plainly only reads (`plain_reading.py`). Any other one is refused, with the
way out.

    text(Program.find(environment), claude_code)     # for shell_program_path(home, "claude-code")

Without the script the client starts no shell command at all, not even `ls`, and says only that there is no such file.
So a session that starts where it is missing writes it again (`restore`).
"""

from __future__ import annotations

import os
import shlex

from perdure.files import make_folder, write_whole
from perdure.install import plain_reading
from perdure.install.program import Program
from perdure.model.value import replace
from perdure.place.home import shell_program_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.clients.port import ShellClient

MODE = 0o755
ALONE = "--without-perdure"
_CODE = """\
import sys
sys.path += {paths}
try:
    from perdure.surfaces.shell_prefix import run_script
except BaseException:
    import os
    os.execv('/bin/sh', ['sh', sys.argv[1], {alone}, *sys.argv[2:]])
run_script(sys.argv[1], {client}, sys.argv[2:], program={perdure})
"""
_SCRIPT = """\
#!/bin/sh
# Written by perdure init. The client starts its shell commands through it (docs/gate.md of Perdure, "The jail").
if [ "${{1-}}" = {alone} ]; then
  shift
elif [ -x {interpreter} ]; then
  exec {words} "$0" "$@"
fi

# From here on Perdure cannot be loaded, or its interpreter is gone.
if [ $# -eq 1 ]; then
  case $1 in
  *{evaluates}*{tells}*)
    line=${{1#*{evaluates}}}
    line=${{line%{tells}*}}
    line=${{line%{no_input}}}
    line=${{line#\\'}}
    line=${{line%\\'}}
    case $line in
    {not_plain}) ;;
    {readers}) exec "${{SHELL:-/bin/bash}}" -c "$1" ;;
    esac
    ;;
  *)
    case ${{{own_variable}:+set}}:${{{agent_variable}-}} in
    set:*{models}) ;;
    set:*) exec /bin/sh -c "$1" ;;
    esac
    ;;
  esac
fi
printf '%s\\n' {sentence} >&2
exit 126
"""


def restore(home: str, client: ShellClient, environment: Mapping[str, str], *, perdure: str) -> str:
    """Writes the missing program again and returns its path. `perdure`: the program as the hook knows it, because a
    hook runs in the bare interpreter, which has none beside it."""
    path = shell_program_path(home, client.NAME)
    make_folder(os.path.dirname(path))
    write_whole(path, text(replace(Program.find(environment), perdure=perdure), client), mode=MODE)
    return path


def text(program: Program, client: ShellClient) -> str:
    code = _CODE.format(
        paths=ascii(list(program.paths)),
        alone=repr(ALONE),
        client=ascii(client.NAME),
        perdure=ascii(program.perdure),
    )
    given = client.SHELL_TEXT
    return _SCRIPT.format(
        alone=ALONE,
        interpreter=shlex.quote(program.interpreter),
        words=shlex.join([program.interpreter, "-I", "-S", "-c", code]),
        evaluates=shlex.quote(given.evaluates),
        tells=shlex.quote(given.tells_folder),
        no_input=shlex.quote(given.no_input),
        not_plain=plain_reading.not_plain_pattern(),
        readers=plain_reading.shell_patterns(),
        own_variable=given.own_variable,
        agent_variable=given.agent_variable,
        models=given.models_ending,
        sentence=shlex.quote(_cannot_load(program, client)),
    )


def _cannot_load(program: Program, client: ShellClient) -> str:
    where = program.paths[0] if program.paths else program.interpreter
    readers = ", ".join(plain_reading.READERS)
    return (
        f"Perdure cannot be loaded from {where}, so the command was not run. Until that is fixed, only plain "
        f"commands that read run here ({readers}). A person can fix it by installing Perdure again and running "
        f"perdure init; or remove it by hand, by deleting {client.SHELL_VARIABLE} and the entries that name perdure "
        "in the client's settings files."
    )
