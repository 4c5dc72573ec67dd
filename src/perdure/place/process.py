"""Processes, as far as a place needs them: which ones are above us, when they started, whether they still run.

A pid does not identify a process, because it is used again: pid, start time and boot do (SPEC 3.2). Linux answers from
/proc; on other systems one `ps` does.
"""

from __future__ import annotations

import os

from perdure import clients
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

_DEEPEST = 64
"""How many processes above this one are looked at."""


@value
class ProcessRef:
    """Identifies exactly one process; bindings store it."""

    pid: int
    started: str


@value
class Process:
    pid: int
    started: str
    parent: int
    arguments: tuple[str, ...]
    terminal: str | None
    leader: int

    @property
    def ref(self) -> ProcessRef:
        return ProcessRef(self.pid, self.started)

    @property
    def name(self) -> str:
        """The program that runs, or the script if the program is its interpreter (`node /usr/bin/gemini`)."""
        if not self.arguments:
            return ""
        program = os.path.basename(self.arguments[0]).lstrip("-")
        script = _script(self.arguments[1:]) if program in _INTERPRETERS else ""
        return os.path.basename(script).removesuffix(".js").removesuffix(".mjs").removesuffix(".py") or program

    @property
    def is_passing(self) -> bool:
        """Whether the process will be gone before the next command: a shell that runs one line or one script, or a
        wrapper. No place is bound to such a process."""
        program = os.path.basename(self.arguments[0]).lstrip("-") if self.arguments else ""
        return program in _WRAPPERS or (program in _SHELLS and _has_something_to_run(self.arguments[1:]))

    @property
    def client(self) -> str | None:
        return clients.name_of_program(self.name)


_INTERPRETERS = frozenset(("node", "bun", "deno", "python", "python3"))
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "busybox"))
_WRAPPERS = frozenset(
    (
        "env",
        "timeout",
        "nice",
        "nohup",
        "xargs",
        "time",
        "stdbuf",
        "setsid",
        "sudo",
        "doas",
        "make",
        "gmake",
        "uv",
        "uvx",
    )
)


_CODE_FOLLOWS = ("-c", "-e", "-p", "-m", "--eval", "--print")
_WORD_FOLLOWS = ("-r", "--require", "--import", "--loader", "-W", "-X", "--init-file", "--rcfile")


def _script(words: tuple[str, ...]) -> str:
    """The script that an interpreter runs; empty if the code is in its arguments."""
    rest = iter(words)
    for word in rest:
        if word in _CODE_FOLLOWS:
            return ""
        if word in _WORD_FOLLOWS:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return ""


def _has_something_to_run(words: tuple[str, ...]) -> bool:
    """Whether a shell's arguments give it a script or a line (`-c`, `-euc`), and not only options (`-i`, `-o vi`,
    `--rcfile FILE`)."""
    rest = iter(words)
    for word in rest:
        is_letters = word[:1] in ("-", "+") and not word.startswith("--")
        if word in _WORD_FOLLOWS or (is_letters and word[-1] in "oO"):
            next(rest, None)
        elif (is_letters and "c" in word) or word[:1] not in ("-", "+", ""):
            return True
    return False


class Processes(Protocol):
    def look(self, pid: int) -> Process | None:
        """The running process with this pid. A zombie does not count."""

    def boot_id(self) -> str:
        """Changes when the machine restarts."""


class ProcFs:
    """Linux."""

    def look(self, pid: int) -> Process | None:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                _, _, after = file.read().rpartition(b")")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read(4096)
        except OSError:  # gone, not visible to us, or not a pid
            return None
        fields = after.split()
        if fields[0] in (b"Z", b"X"):
            return None
        arguments = tuple(part.decode("utf-8", "replace") for part in command.rstrip(b"\0").split(b"\0"))
        return Process(
            pid=pid,
            started=fields[19].decode(),
            parent=int(fields[1]),
            arguments=arguments,
            terminal=_terminal(int(fields[4])),
            leader=int(fields[3]),
        )

    def boot_id(self) -> str:
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            return file.read().strip()


def _terminal(device: int) -> str | None:
    """A device number as a terminal's name: /dev/pts/6 is pts-6. This works even if all three streams are piped."""
    if device == 0:
        return None
    major, minor = device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00
    if 136 <= major <= 143:
        return f"pts-{(major - 136) * 256 + minor}"
    return f"tty{minor}" if major == 4 and minor < 64 else f"tty-{major}-{minor}"


class PsCommand:
    """macOS, and any other system with a POSIX `ps`. The table is read once, because resolving a place takes only a
    moment."""

    def __init__(self) -> None:
        self._table: dict[int, Process] | None = None

    def look(self, pid: int) -> Process | None:
        if self._table is None:
            self._table = self._read()
        return self._table.get(pid)

    def _read(self) -> dict[int, Process]:
        import subprocess

        columns = "pid=,ppid=,tty=,stat=,lstart=,command="
        listing = subprocess.run(
            ["ps", "-A", "-ww", "-o", columns],
            capture_output=True,
            check=False,
            env={"LC_ALL": "C", "PATH": "/bin:/usr/bin"},
        )
        rows = (line.split(None, 9) for line in listing.stdout.decode("utf-8", "replace").splitlines())
        return {found.pid: found for row in rows if len(row) == 10 and "Z" not in row[3] for found in (self._row(row),)}

    @staticmethod
    def _row(row: list[str]) -> Process:
        pid, parent, terminal, _state, *started = row[:9]
        own = None if terminal in ("?", "??", "-") else terminal.replace("/", "-")
        try:
            leader = os.getsid(int(pid))
        except (ProcessLookupError, PermissionError):
            leader = 0
        return Process(
            pid=int(pid),
            started=" ".join(started),
            parent=int(parent),
            arguments=tuple(row[9].split(" ")),
            terminal=own,
            leader=leader,
        )

    def boot_id(self) -> str:
        """`kern.boottime` cannot be used: it changes when the clock is set."""
        import subprocess

        asked = subprocess.run(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"], capture_output=True, check=False)
        return asked.stdout.decode("ascii", "replace").strip() or "unknown"


def of_this_machine() -> Processes:
    return ProcFs() if os.path.exists("/proc/self/stat") else PsCommand()


def is_alive(ref: ProcessRef, processes: Processes) -> bool:
    found = processes.look(ref.pid)
    return found is not None and found.started == ref.started


def ancestry(pid: int, processes: Processes) -> list[Process]:
    """The processes above this one, nearest first. The process that adopts orphans (pid 1) is left out, unless it is a
    client that was started as the first process of a container."""
    found: list[Process] = []
    here = processes.look(pid)
    while here and here.parent > 0 and len(found) < _DEEPEST:
        here = processes.look(here.parent)
        if here and (here.pid > 1 or here.client):
            found.append(here)
    return found
