"""What can be seen from where a command or hook runs, gathered once. Only facts: `resolve` draws the conclusions."""

from __future__ import annotations

import os

from perdure.errors import BadInput
from perdure.model.ids import is_token, is_uuid, token_of
from perdure.model.value import value
from perdure.place.process import Process, ProcessRef, ancestry, of_this_machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.place.process import Processes

_SHORTEST_KEY = 14
"""Characters. A shorter session id is not checked: no credential is that short."""


@value
class StatedClient:
    """What was stated about the client: by the client itself to a hook, or with flags by whoever ran the command."""

    client: str | None = None
    client_session_id: str | None = None
    client_pid: int | None = None
    pid_from_environment: int | None = None
    """The id of the client's process, as the client's own environment has it; used only if that process is above
    us."""
    by_flags: bool = False
    """Stated with flags (`--client`, `--client-session-id`, `--client-pid`), so it may be wrong."""


@value
class TmuxPane:
    key: str
    server: ProcessRef


@value
class Terminal:
    """A controlling terminal and the shell that leads its session. A terminal's number is used again, a leader is
    not."""

    key: str
    leader: ProcessRef


@value
class Surroundings:
    cwd: str
    environment: Mapping[str, str]
    home: str
    stated_client: StatedClient
    processes: Processes
    boot_id: str
    ancestors: tuple[Process, ...]
    """The processes above us. If `--client-pid` names a process that is not above us: that one and those above it."""
    started_by: tuple[Process, ...]
    """The processes above us, whatever flags say."""
    terminal: Terminal | None
    pane: TmuxPane | None

    @property
    def inherited_session(self) -> str | None:
        """`PERDURE_CLIENT_SESSION`, which the session-start hook exported and every process below inherits."""
        text = self.environment.get("PERDURE_CLIENT_SESSION", "")
        return text if is_token(text) and not _looks_secret(text) else None


def look_around(
    home: str,
    environment: Mapping[str, str],
    cwd: str,
    *,
    stated_client: StatedClient | None = None,
    processes: Processes | None = None,
    pid: int | None = None,
) -> Surroundings:
    """What can be seen from this process on this machine, unless others are given."""
    processes = processes or of_this_machine()
    pid = os.getpid() if pid is None else pid
    stated_client = stated_client or StatedClient()
    _refuse_bad_session(stated_client.client_session_id)
    ancestors = started_by = tuple(ancestry(pid, processes))
    here = processes.look(pid)
    client = processes.look(stated_client.client_pid) if stated_client.client_pid is not None else None
    stated = next((process for process in ancestors if process.pid == stated_client.pid_from_environment), None)
    if stated:  # a client runs hooks in a session of their own, so the client's terminal counts
        here = stated
    elif here and here.terminal is None:  # and so it runs its shells; what they run does not say which client it is
        here = next((process for process in ancestors if process.client), here)
    if client and client not in ancestors:  # another program runs the hook for the client: the client's place counts
        ancestors, here = (client, *ancestry(client.pid, processes)), client
    return Surroundings(
        cwd=cwd,
        environment=environment,
        home=home,
        stated_client=stated_client,
        processes=processes,
        boot_id=processes.boot_id(),
        ancestors=ancestors,
        started_by=started_by,
        terminal=terminal_of(here, processes),
        pane=_pane(environment, processes),
    )


def _refuse_bad_session(session_id: str | None) -> None:
    """The id becomes a file name."""
    if session_id is None:
        return
    token_of(session_id, "The client's session id")
    if _looks_secret(session_id):
        raise BadInput("looks_secret", "The client's session id looks like a credential and is not stored.")


def _looks_secret(session_id: str) -> bool:
    """Most clients use UUIDs as session ids. Those are not checked with the masking rules, because the gate calls this
    for every tool call."""
    if is_uuid(session_id) or len(session_id) < _SHORTEST_KEY:
        return False
    from perdure.masking import looks_secret

    return looks_secret(session_id)


def terminal_of(process: Process | None, processes: Processes) -> Terminal | None:
    if process is None or process.terminal is None:
        return None
    leader = processes.look(process.leader)
    return Terminal(process.terminal, leader.ref) if leader else None


def _pane(environment: Mapping[str, str], processes: Processes) -> TmuxPane | None:
    """The living tmux server and pane that the environment names. `TMUX` is socket,server pid,session."""
    server_pid = environment.get("TMUX", "").rpartition(",")[0].rpartition(",")[2]
    number = environment.get("TMUX_PANE", "").removeprefix("%")
    if not _is_number(server_pid) or not _is_number(number):
        return None
    server = processes.look(int(server_pid))
    # Some builds are listed as `tmux: server (/tmp/tmux-0/default)`, so the name need not be exactly `tmux`.
    is_tmux = server is not None and "tmux" in "".join(server.arguments[:1])
    return TmuxPane(f"tmux_{int(number)}", server.ref) if server and is_tmux else None


def _is_number(text: str) -> bool:
    """Whether it has only ASCII digits, and at most ten, so that `int` takes it and it stays small."""
    return text.isdecimal() and text.isascii() and len(text) <= 10
