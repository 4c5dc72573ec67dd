"""The program through which a client starts its shell commands (SPEC 5.8). It imports little: every command pays.

`run` is the edge. It runs the command as it is or read-only, in its own place; or it says why it cannot, and exits 126.
It never runs a command open because something failed.

    run("claude-code", ["… && eval 'ls' < /dev/null && pwd -P >| /tmp/claude-1f-cwd"], "/usr/local/bin/perdure")
"""

from __future__ import annotations

import os
import sys

from perdure import clients
from perdure.errors import PerdureError
from perdure.jail.confine import replace_process
from perdure.place.given_environment import given_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from perdure.actions.request import Request
    from perdure.clients.port import ShellClient, ShellStart

FAILED = 126


def run(name: str, words: list[str], program: str) -> NoReturn:
    code = FAILED
    try:
        _start(name, words, program)
    except PerdureError as error:
        _say(f"{error.message} {error.hint}")
    except BaseException as error:  # noqa: BLE001 - the edge: whatever fails, the command is not run open
        _say(f"The command was not run: {type(error).__name__}: {error}.")
    finally:
        os._exit(code)


def _say(what: str) -> None:
    way_out = "A person can set gate.contain to false, or PERDURE_GATE_MODE=off for the client."
    if sys.stderr:
        sys.stderr.write(f"perdure: {what.strip()} {way_out}\n")
        sys.stderr.flush()


def _start(name: str, words: list[str], program: str) -> None:
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
    readonly.run(gate, command, network=how.network, files=_made(start))


def _request(client: ShellClient, program: str) -> Request:
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


def _made(start: ShellStart) -> tuple[str, ...]:
    """The client's own file, made here if it is missing: in the jail it can be written, but not made. It says that the
    folder is the same, as the client concludes if a command fails and there is no file."""
    if not start.own_file:
        return ()
    try:
        file = os.open(start.own_file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(file).st_size == 0:
                os.write(file, os.fsencode(os.getcwd()) + b"\n")
        finally:
            os.close(file)
    except OSError:
        return ()
    return (start.own_file,)
