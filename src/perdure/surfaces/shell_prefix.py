"""The program through which a client starts its shell commands (SPEC 5.8). It imports little: every command pays.

`run` is the edge. It runs the command as it is or read-only, in its own place; or it says why it cannot, and exits 126.
It never runs a command open because something failed.

    run("claude-code", ["… && eval 'ls' < /dev/null && pwd -P >| /tmp/claude-1f-cwd"], "/usr/local/bin/perdure")
"""

from __future__ import annotations

import posix
import sys

from perdure.jail import handover
from perdure.jail.confine import confine, replace_process
from perdure.jail.streams import clients_file, output_files
from perdure.model import shell_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from perdure.actions.request import Request
    from perdure.clients.port import ShellClient

FAILED = 126
SESSION = b"CLAUDE_CODE_SESSION_ID"
MARK = b"PERDURE_READONLY"


def run(name: str, words: list[str], program: str, script: tuple[str, ...] = ()) -> NoReturn:
    """`script` is the path of the script that calls this, which is in Perdure's home, and its client's markers
    (`shell_start.Markers`). A script that an older version wrote does not give them."""
    try:
        if script and len(words) == 1:
            _start_prepared(words[0], script)
        _start(name, words, program)
    except BaseException as error:  # noqa: BLE001 - the edge: whatever fails, the command is not run open
        message, hint = getattr(error, "message", ""), getattr(error, "hint", "")
        _say(f"{message} {hint}" if message else f"The command was not run: {type(error).__name__}: {error}.")
    finally:
        posix._exit(FAILED)


def _start_prepared(text: str, script: tuple[str, ...]) -> None:
    """Starts the command in the jail that the guard prepared for it. Returns if there is none; then the full way
    decides. Once the jail was begun, there is no way back: what fails then is not run."""
    path, evaluates, no_input, tells_folder, begins, ends = script
    found = shell_start.read(text, (evaluates, no_input, tells_folder, begins, ends))
    environment = _environment()
    session, shell = environment.get(SESSION, b""), environment.get(b"SHELL") or b"/bin/bash"
    if found is None or found[0] is None or not session or not shell.startswith(b"/"):
        return
    try:
        folder = posix.getcwdb()
        bound = handover.Bound(session.decode(), found[0], folder, environment)
    except (OSError, ValueError):
        return
    home = path.rpartition("/")[0].rpartition("/")[0]
    prepared = handover.take(home, bound)
    if prepared is None:
        return
    environment[MARK] = b"1"
    if prepared.temporary:
        environment[b"TMPDIR"] = prepared.temporary
    prepared.add_files((*clients_file(found[1]), *output_files()))
    confine(prepared)
    replace_process([shell.decode("utf-8", "surrogateescape"), "-c", text], environment)


def _environment() -> dict[bytes, bytes]:
    from perdure.place.given_environment import given_environment

    return given_environment()


def _say(what: str) -> None:
    way_out = "A person can set gate.contain to false, or PERDURE_GATE_MODE=off for the client."
    if sys.stderr:
        sys.stderr.write(f"perdure: {what.strip()} {way_out}\n")
        sys.stderr.flush()


def _start(name: str, words: list[str], program: str) -> None:
    import os

    from perdure import clients
    from perdure.place.given_environment import given_environment

    client = clients.with_shell(name)
    if client is None or len(words) != 1:
        raise ValueError(f"{name!r} starts no shell with {len(words)} words through this program")
    start = client.read_shell_start(words[0], os.environ)
    command = [start.shell, "-c", words[0]]
    if start.is_clients_own:  # nothing else is imported for it
        replace_process(command, given_environment())
    from perdure.place.client_variables import ignore_the_projects
    from perdure.surfaces.hooks import is_switched_off

    ignore_the_projects(os.environ)
    if is_switched_off():  # the person's way out, even if nothing can be read
        replace_process(command, given_environment())
    from perdure.actions import readonly, shell_command
    from perdure.actions.gating import Gate
    from perdure.actions.request import resolve_request

    gate = Gate(resolve_request(_request(client, program)))
    how = shell_command.choose(gate, start.command)
    if not how.confined:
        replace_process(command, given_environment())
    readonly.run(gate, command, network=how.network, files=clients_file(start.own_file))


def _request(client: ShellClient, program: str) -> Request:
    import os

    from perdure.actions.request import Request
    from perdure.place.client_variables import working_directory
    from perdure.place.surroundings import StatedClient

    stated = StatedClient(
        client=client.NAME,
        client_session_id=client.session_from_environment(os.environ),
        client_pid=None,
        pid_from_environment=client.pid_from_environment(os.environ),
    )
    return Request(working_directory() or "/", os.environ, stated_client=stated, actor=client.NAME, program=program)
