"""The program through which a client starts its shell commands (SPEC 5.8). It imports little: every command pays.

`run` is the edge. It runs the command as it is or read-only, in its own place; or it says why it cannot, and exits 126.
It never runs a command open because something failed. What an earlier command found out is used again if all that it
was made of is the same (docs/adr/0140); that can only make a command run read-only.

    run("claude-code", ["… && eval 'ls' < /dev/null && pwd -P >| /tmp/claude-1f-cwd"], "/usr/local/bin/perdure")
"""

from __future__ import annotations

import gc
import posix
import sys
from time import time_ns

from perdure.jail.confine import confine, replace_process
from perdure.jail.remembered import MARK, recall
from perdure.jail.streams import clients_file, output_files
from perdure.place.given_environment import given_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from perdure.actions.request import Request
    from perdure.clients.port import ShellClient

FAILED = 126


def run(name: str, words: list[str], program: str) -> NoReturn:
    """For the client's program as an older version wrote it."""
    run_script("", name, words, program=program)


def run_script(script: str, name: str, words: list[str], *, program: str) -> NoReturn:
    """`script` is the path of the client's program that calls this. If a version is installed that does not know this
    function, the program finds that it cannot be loaded, and says so."""
    gc.disable()  # nothing here lives long enough
    try:
        if len(words) == 1 and script:
            _start_as_remembered(words[0], script)
        _start(name, words, program, script=script)
    except BaseException as error:  # noqa: BLE001 - the edge: whatever fails, the command is not run open
        message, hint = getattr(error, "message", ""), getattr(error, "hint", "")
        _say(f"{message} {hint}" if message else f"The command was not run: {type(error).__name__}: {error}.")
    finally:
        posix._exit(FAILED)


def _say(what: str) -> None:
    way_out = "A person can set gate.contain to false, or PERDURE_GATE_MODE=off for the client."
    if sys.stderr:
        sys.stderr.write(f"perdure: {what.strip()} {way_out}\n")
        sys.stderr.flush()


def _start_as_remembered(text: str, script: str) -> None:
    """Returns if nothing is known about such a command. Once it began to confine this process, there is no way back."""
    environment = given_environment()
    shell = environment.get(b"SHELL") or b"/bin/bash"
    known = recall(script, environment) if shell.startswith(b"/") else None
    if known is None:
        return
    from perdure.model import shell_start

    found = shell_start.read(text, known.markers)
    if found is None or found[0] is None or not known.covers(found[0]):
        return
    environment[MARK] = b"1"
    if known.temporary:
        environment[b"TMPDIR"] = known.temporary.encode("utf-8", "surrogateescape")
    confine(known.plan.with_files((*clients_file(found[1]), *output_files())))
    replace_process([shell.decode("utf-8", "surrogateescape"), "-c", text], environment)


def _start(name: str, words: list[str], program: str, *, script: str) -> None:
    since = time_ns()
    import os

    from perdure import clients

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
    from perdure.actions import shell_command
    from perdure.actions.gating import Gate
    from perdure.actions.request import resolve_request

    gate = Gate(resolve_request(_request(client, program)))
    how = shell_command.choose(gate, start.command)
    if not how.confined:
        replace_process(command, given_environment())
    from perdure.actions import readonly
    from perdure.actions.remembered_jail import remember

    if script:
        remember(gate, name, program=script, since=since)
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
