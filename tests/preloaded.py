"""Runs `perdure` commands without starting Python and loading the modules each time, which is most of what one costs.

A server with the modules loaded forks processes that run commands. They have no state of the tests, and their parent is
the server, which stays. Most of what a fork costs are the pages that a command writes to: the kernel copies each. So a
process runs one command after the other, each with its own environment, folder, umask, signals and streams. A command
that leaves something behind (a descriptor, a thread, a child, output that cannot be written) ends with its process.
The source keeps nothing from one command for the next, since the MCP server runs for days.

    run(["note", "finding", "x"], cwd=…, env=…, input=b"", timeout=60) → CompletedProcess
    Started(["mcp"], cwd=…, env=…)      # while it runs: its streams, signals to it
    run(["PreToolUse"], …, hook_of="/opt/perdure/bin/perdure") → the hook program instead, as that installation runs it
    run([…], …, seeing=4711) → a command that sees the disks that the process 4711 sees

    place = Place(["bash", "-s"], cwd=…, env=…)         # a process that stays, as a terminal's shell, and is called so
    run([…], …, place=place)            # from there: the place is its parent
    run(["sh", "x.sh"], …, place=place, is_ours=False)  # another program, from there

One that is `Started`, one that needs the MCP SDK and one that sees other disks has a process of its own.

`is_possible` says which commands can be run so; the others start an interpreter of their own (`Cli` in conftest.py).
"""

from __future__ import annotations

import array
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import IO, TypeVar

IS_HERE = hasattr(os, "pidfd_open")
"""Linux can wait for a process as for a file."""
NEED_SDK = ("mcp", "serve")
"""Commands that a second server runs, which has loaded the MCP SDK too."""
MEMORY = "/dev/shm"
_FIELDS = 64
_MOST_FILES = 5
ROOM = 8192
"""For the name and the environment of a `Place`: they take that of the server's own."""
_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE")


def is_possible(env: dict[str, str]) -> bool:
    """Variables that Python reads when it starts have no effect on a process that is forked."""
    is_same_locale = all(env.get(name) == os.environ.get(name) for name in _LOCALE)
    return IS_HERE and is_same_locale and not any(name.startswith("PYTHON") for name in env)


def run(
    words: list[str],
    *,
    cwd: Path,
    env: dict[str, str],
    input: bytes,
    timeout: float,
    hook_of: str | None = None,
    seeing: int | None = None,
    place: Place | None = None,
    is_ours: bool = True,
    together: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """`together`: both streams of output are one, as `2>&1`."""
    given = {"hook_of": hook_of, "seeing": seeing, "executed": not is_ours}
    files = [os.memfd_create(name, os.MFD_CLOEXEC) for name in ("in", "out", "err")]
    if together:
        os.dup2(files[1], files[2], inheritable=False)
    try:
        os.write(files[0], input)
        os.lseek(files[0], 0, os.SEEK_SET)
        code = _ended(_asked(words, files, cwd=cwd, env=env, place=place, **given), timeout)
        out, err = (_content(file) for file in files[1:])
    finally:
        for file in files:
            os.close(file)
    return subprocess.CompletedProcess(words, code, out, err)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _content(file: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size, 0)


class Started:
    """A command under way. It has what the tests use of `subprocess.Popen`; its streams are pipes."""

    def __init__(
        self,
        words: list[str],
        *,
        cwd: Path,
        env: dict[str, str],
        also: Sequence[int] = (),
        **more: object,
    ) -> None:
        """`also`: descriptors that it gets; their numbers there are its first words. `code`: Python that is run instead
        of the command. `listens_at`: see `Place`."""
        (given, stdin), (stdout, out), (stderr, err) = os.pipe(), os.pipe(), os.pipe()
        self._words = words
        self._connection = _asked(words, [given, out, err, *also], cwd=cwd, env=env, alone=True, **more)
        self._answers = self._connection.makefile("r")
        for file in (given, out, err):
            os.close(file)
        self.pid = int(self._answers.readline())
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = open(stdin, "wb")  # noqa: SIM115 - closed by `communicate`
        self.stdout: IO[bytes] | None = open(stdout, "rb", buffering=0)  # noqa: SIM115
        self.stderr: IO[bytes] | None = open(stderr, "rb", buffering=0)  # noqa: SIM115

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not _readable([self._connection], timeout):
                raise subprocess.TimeoutExpired(self._words, timeout or 0.0)
            self.returncode = int(self._answers.readline())
            self._answers.close()
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, *, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Closes its standard input, reads what it prints until both streams are closed, and waits for its end."""
        if self.stdin:
            with suppress(BrokenPipeError):
                self.stdin.close()
        deadline = None if timeout is None else monotonic() + timeout
        streams = [each for each in (self.stdout, self.stderr) if each and not each.closed]
        printed = dict.fromkeys(streams, b"")
        while streams:
            left = None if deadline is None else max(0.0, deadline - monotonic())
            readable = _readable(streams, left)
            if not readable:
                raise subprocess.TimeoutExpired(self._words, timeout or 0.0)
            for each in readable:
                more = os.read(each.fileno(), 1 << 16)
                printed[each] += more
                if not more:
                    streams.remove(each)
                    each.close()
        self.wait(None if deadline is None else max(0.0, deadline - monotonic()))
        out, err = (printed.get(each, b"") if each else b"" for each in (self.stdout, self.stderr))
        return out, err


class Place(Started):
    """A process that stays and from which commands are run, as a terminal's shell or a client. Others see it under the
    name and with the environment that it is given. It ends when its standard input is closed."""

    def __init__(self, words: list[str], *, cwd: Path, env: dict[str, str]) -> None:
        self.address = f"perdure-tests-{os.getpid()}-{os.urandom(8).hex()}"
        super().__init__(words, cwd=cwd, env=env, listens_at=self.address)
        assert self.stdout
        assert self.stdout.read(1), "it did not start"


def _asked(
    words: list[str],
    files: list[int],
    *,
    cwd: Path,
    env: dict[str, str],
    place: Place | None = None,
    alone: bool = False,
    **more: object,
) -> socket.socket:
    """Asks for a command. Its process id and later its exit code come back, a line each."""
    needs_sdk = not more.get("hook_of") and place is None and bool({*words[:1]} & {*NEED_SDK})
    given = {"words": words, "cwd": str(cwd), "env": env, "umask": _umask(), **more}
    given["alone"] = alone or needs_sdk or more.get("seeing") is not None or bool(more.get("executed"))
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(f"\0{place.address}" if place else _server(needs_sdk))
    _send(connection, json.dumps(given).encode("utf-8", "surrogateescape"), files)
    return connection


def _send(connection: socket.socket, request: bytes, files: list[int]) -> None:
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
    connection.sendmsg([len(request).to_bytes(_FIELDS, "big")], rights)
    connection.sendall(request)


def _received(connection: socket.socket) -> tuple[bytes, list[int]]:
    """A request, its three streams and what else it gets; nothing where the other side is closed."""
    head, rights, _, _ = connection.recvmsg(_FIELDS, socket.CMSG_SPACE(_MOST_FILES * 4))
    files = array.array("i")
    for _, _, content in rights:
        files.frombytes(content)
    length, parts = int.from_bytes(head, "big"), []
    while length:
        parts.append(connection.recv(min(length, 1 << 16)))
        length -= len(parts[-1])
    return b"".join(parts), list(files)


T = TypeVar("T", int, socket.socket, IO[bytes])


def _readable(streams: Sequence[T], timeout: float | None = None) -> list[T]:
    """Those with something to read, or at their end. Not `select`, which takes no descriptor above 1,023."""
    poll = select.poll()
    by_number = {each if isinstance(each, int) else each.fileno(): each for each in streams}
    for number in by_number:
        poll.register(number, select.POLLIN)
    return [by_number[number] for number, _ in poll.poll(None if timeout is None else 1000 * timeout)]


def _ended(connection: socket.socket, timeout: float) -> int:
    with connection, connection.makefile("r") as answers:
        pid = int(answers.readline())
        if not _readable([connection], timeout):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired("perdure", timeout)
        return int(answers.readline())


@cache
def _server(with_sdk: bool) -> str:
    """Starts it once in each process of the tests; it ends when its standard input closes, with that process."""
    name = f"perdure-tests-{os.getpid()}-{os.urandom(8).hex()}"
    ready, theirs = os.pipe()
    command = [sys.executable, "-P", __file__, name, str(theirs), "with-sdk" if with_sdk else "without", "x" * ROOM]
    room = {"ROOM": "x" * ROOM}
    _started.append(subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[theirs], env={**os.environ, **room}))
    os.close(theirs)
    is_ready = os.read(ready, 1)
    os.close(ready)
    assert is_ready, "the server did not start"
    return f"\0{name}"


_started: list[subprocess.Popen[bytes]] = []


# -- the server's side ---------------------------------------------------------------------------------------------


def _preload(*, with_sdk: bool) -> None:
    import gc
    from importlib import import_module
    from pkgutil import walk_packages

    import perdure

    for module in walk_packages(perdure.__path__, "perdure."):
        if with_sdk or not module.name.startswith("perdure.surfaces.mcp"):
            import_module(module.name)
    import_module("encodings.ascii")
    _warm_up()
    gc.collect()
    gc.freeze()


_ASSESSED = ("--know", "0.9", "--uncertainty", "0.1", "--because", "warm")
_WARMING = (
    ("init", "--no-client", "--json"),
    ("preflight", *_ASSESSED, "--json"),
    ("note", "finding", "warm", "--json"),
    ("decide", "warm", "--because", "warm", "--json"),
    ("gate", "explain", "touch here", "--json"),
    ("status", "--json"),
    ("transaction", "status"),
    ("recover",),
    ("search", "warm", "--json"),
    ("log", "--json"),
    ("postflight", *_ASSESSED, "--json"),
    ("export",),
    ("heal", "--json"),
    ("audit", "verify", "--json"),
)
_ROUNDS = 4


def _warm_up() -> None:
    """Runs common commands in a folder of its own. Python loads some modules late, compiles patterns when they are
    first used, and makes code faster after its first runs: what is done here, no forked command has to do again."""
    import io
    from tempfile import TemporaryDirectory

    import perdure.__main__ as program

    before, streams, environment = os.getcwd(), (sys.stdin, sys.stdout, sys.stderr), dict(os.environ)
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(PATH=os.defpath, HOME=folder, PERDURE_HOME=f"{folder}/home", PERDURE_INSTANCE="warm")
        try:
            for words in _WARMING * _ROUNDS:
                sys.stdin, sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO()) for _ in streams)
                program.main(list(words))
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(before)


class _Process:
    """One that runs commands. `line` leads to it, `waiting` to whoever asked for what it runs now; None: it is idle."""

    def __init__(self, pid: int, line: socket.socket, waiting: socket.socket) -> None:
        self.pid = pid
        self.ended = os.pidfd_open(pid)
        self.line = line
        self.waiting: socket.socket | None = waiting

    def answer(self, code: int) -> None:
        if self.waiting:
            _answer(self.waiting, code)
            self.waiting.close()
            self.waiting = None

    def close(self) -> None:
        os.close(self.ended)
        self.line.close()
        if self.waiting:
            self.waiting.close()


def _serve(name: str, ready: int, *, with_sdk: bool) -> None:
    _preload(with_sdk=with_sdk)
    _listen(name, ready)


def _listen(name: str, ready: int) -> None:
    """Until the standard input is closed."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"\0{name}")
    listener.listen(64)
    os.write(ready, b"1")
    os.close(ready)
    processes: list[_Process] = []
    while True:
        watched = [each for one in processes for each in (one.ended, one.line.fileno())]
        readable = _readable([0, listener.fileno(), *watched])
        if 0 in readable:
            return
        for one in [each for each in processes if each.line.fileno() in readable]:
            if code := one.line.recv(_FIELDS):
                one.answer(int(code))
        for one in [each for each in processes if each.ended in readable]:
            one.answer(os.waitstatus_to_exitcode(os.waitpid(one.pid, 0)[1]))
            one.close()
            processes.remove(one)
        if listener.fileno() in readable:
            connection, _ = listener.accept()
            _hand_on(connection, processes, listener)


def _hand_on(connection: socket.socket, processes: list[_Process], listener: socket.socket) -> None:
    """To a process that is idle, or a new one."""
    request, files = _received(connection)
    is_alone = json.loads(request)["alone"]
    idle = next((each for each in processes if each.waiting is None and not is_alone), None)
    if idle:
        idle.waiting = connection
        _answer(connection, idle.pid)
        with suppress(BrokenPipeError):  # it was killed just now: whoever asked is told when it has ended
            _send(idle.line, request, files)
    else:
        processes.append(_forked(request, files, connection, is_alone=is_alone, others=[*processes, listener]))
        _answer(connection, processes[-1].pid)
    for file in files:
        os.close(file)


def _answer(connection: socket.socket, number: int) -> None:
    with suppress(OSError):
        connection.sendall(b"%d\n" % number)


def _forked(
    request: bytes,
    files: list[int],
    connection: socket.socket,
    *,
    is_alone: bool,
    others: list[_Process | socket.socket],
) -> _Process:
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        return _Process(pid, ours, connection)
    for other in (*others, connection, ours):
        other.close()
    code = 1
    try:
        code = _commands(theirs, request, files, at_most=1 if is_alone else MOST_COMMANDS)
    finally:
        os._exit(code)


MOST_COMMANDS = 500
"""So many are run by one process, which does not grow without end."""
_SIGNALS = (*(signal.Signals(each) for each in (1, 2, 3, 10, 12, 13, 14, 15, 17)),)
"""Those that a program may handle: what one command does with them does not concern the next."""


def _commands(line: socket.socket, request: bytes, files: list[int], *, at_most: int) -> int:
    """Runs them until nobody asks any more, or one leaves something behind. The exit code of the last one."""
    import tempfile

    encodings = {name: (getattr(sys, name).encoding, getattr(sys, name).errors) for name in _STREAMS}
    handlers = {each: signal.getsignal(each) for each in _SIGNALS}
    nowhere = os.open(os.devnull, os.O_RDWR)
    for left in reversed(range(at_most)):
        for number, file in enumerate(files[: len(_STREAMS)]):
            os.dup2(file, number)
            os.close(file)
        before = os.listdir("/proc/self/fd")
        code = _become(json.loads(request), encodings, files[len(_STREAMS) :])
        if not left or not _is_flushed() or _has_more(before):
            return code
        for each, handler in handlers.items():
            signal.signal(each, handler)
        tempfile.tempdir = None  # Python looks for it once, by the variables of then
        for number in range(len(_STREAMS)):
            os.dup2(nowhere, number)
        os.chdir("/")
        line.sendall(b"%d\n" % code)
        request, files = _received(line)
        if not request:
            return 0
    raise AssertionError("the last one returns")


def _is_flushed() -> bool:
    """What could not be written would be written later, into the output of another command."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return False
    return True


def _has_more(before: list[str]) -> bool:
    """Than before the command: descriptors, threads or children, running or not waited for."""
    import threading

    if os.listdir("/proc/self/fd") != before or threading.active_count() > 1:
        return True
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}


def _become(request: dict[str, object], encodings: dict[str, tuple[str, str]], also: list[int]) -> int:
    """From here on this is the process of the command, until it returns."""
    import perdure.__main__ as program

    os.umask(int(str(request["umask"])))
    if request.get("seeing") is not None:
        _enter(int(str(request["seeing"])))
    os.chdir(str(request["cwd"]))
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    words: list[str] = request["words"]  # type: ignore[assignment]
    if request.get("executed"):
        os.execvp(words[0], words)
    if request.get("listens_at"):
        _call_this_process(words)
        _listen(str(request["listens_at"]), os.dup(1))
        return 0
    sys.argv = [str(program.__file__), *map(str, also), *words]
    for number, (name, mode) in enumerate(_STREAMS.items()):
        encoding, errors = encodings[name]
        stream = open(number, mode, encoding=encoding, errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if request.get("hook_of") is not None:
        return _hook(str(request["hook_of"]))
    try:
        code = _python(str(request["code"])) if request.get("code") else program.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return code


def _python(code: str) -> int:
    from traceback import print_exc

    ended = 0
    try:
        exec(code, {"__name__": "__main__"})
    except Exception:  # as an interpreter that ends
        print_exc()
        ended = 1
    _is_flushed()
    return ended


def _hook(program: str) -> int:
    """What `hooks.run` does, but for the end of the process."""
    import gc

    from perdure.surfaces import hooks

    gc.disable()
    try:
        return hooks.main(sys.argv[1:], program)
    except BaseException:  # whatever it was, only the exit code says so
        return 1
    finally:
        gc.enable()


def _call_this_process(words: list[str]) -> None:
    """The name and the environment under which others see it. They stand where the program was given its own."""
    import ctypes

    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    named = b"\0".join(os.fsencode(word) for word in words)
    variables = b"\0".join(os.fsencode(f"{name}={text}") for name, text in os.environ.items())
    for content, start, end in ((named, *fields[45:47]), (variables, *fields[47:49])):
        room = int(end) - int(start)
        assert len(content) < room, "no room"
        ctypes.memmove(int(start), content.ljust(room, b"\0"), room)


def _enter(process: int) -> None:
    """Into the user and mount namespaces of this process, as `nsenter --user --mount --preserve-credentials`."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    namespaces = [os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY) for kind in ("user", "mnt")]
    for namespace in namespaces:
        if library.setns(namespace, 0):
            raise OSError(ctypes.get_errno(), "setns failed")
        os.close(namespace)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), with_sdk=sys.argv[3] == "with-sdk")
