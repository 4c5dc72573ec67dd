"""Runs `perdure` commands without starting Python and loading the modules each time, which is most of what one costs.

A server with the modules loaded forks a process for each command: a real process with its own memory, environment,
folder and streams, and no state of the tests or of an earlier command. Its parent is the server, which stays.

    run(["note", "finding", "x"], cwd=…, env=…, input=b"", timeout=60) → CompletedProcess
    Started(["mcp"], cwd=…, env=…)      # while it runs: its streams, signals to it
    run(["PreToolUse"], …, hook_of="/opt/perdure/bin/perdure") → the hook program instead, as that installation runs it
    run([…], …, seeing=4711) → a command that sees the disks that the process 4711 sees

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
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import IO

IS_HERE = hasattr(os, "pidfd_open")
"""Linux can wait for a process as for a file."""
NEED_SDK = ("mcp", "serve")
"""Commands that a second server runs, which has loaded the MCP SDK too."""
MEMORY = "/dev/shm"
_FIELDS = 64
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
) -> subprocess.CompletedProcess[bytes]:
    files = [os.memfd_create(name, os.MFD_CLOEXEC) for name in ("in", "out", "err")]
    try:
        os.write(files[0], input)
        os.lseek(files[0], 0, os.SEEK_SET)
        code = _ended(_asked(words, files, cwd=cwd, env=env, hook_of=hook_of, seeing=seeing), timeout)
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

    def __init__(self, words: list[str], *, cwd: Path, env: dict[str, str]) -> None:
        (given, stdin), (stdout, out), (stderr, err) = os.pipe(), os.pipe(), os.pipe()
        self._words = words
        self._connection = _asked(words, [given, out, err], cwd=cwd, env=env)
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
            readable, _, _ = select.select([self._connection], [], [], timeout)
            if not readable:
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
            readable, _, _ = select.select(streams, [], [], left)
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


def _asked(
    words: list[str],
    files: list[int],
    *,
    cwd: Path,
    env: dict[str, str],
    hook_of: str | None = None,
    seeing: int | None = None,
) -> socket.socket:
    """Asks for a command. Its process id and later its exit code come back, a line each."""
    given = {"words": words, "cwd": str(cwd), "env": env, "umask": _umask(), "hook_of": hook_of, "seeing": seeing}
    request = json.dumps(given).encode("utf-8", "surrogateescape")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(_server(hook_of is None and bool({*words[:1]} & {*NEED_SDK})))
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
    connection.sendmsg([len(request).to_bytes(_FIELDS, "big")], rights)
    connection.sendall(request)
    return connection


def _ended(connection: socket.socket, timeout: float) -> int:
    with connection, connection.makefile("r") as answers:
        pid = int(answers.readline())
        readable, _, _ = select.select([connection], [], [], timeout)
        if not readable:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired("perdure", timeout)
        return int(answers.readline())


@cache
def _server(with_sdk: bool) -> str:
    """Starts it once in each process of the tests; it ends when its standard input closes, with that process."""
    name = f"perdure-tests-{os.getpid()}-{os.urandom(8).hex()}"
    ready, theirs = os.pipe()
    command = [sys.executable, "-P", __file__, name, str(theirs), *(["with-sdk"] if with_sdk else [])]
    _started.append(subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[theirs]))
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


def _serve(name: str, ready: int, *, with_sdk: bool) -> None:
    _preload(with_sdk=with_sdk)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"\0{name}")
    listener.listen(64)
    os.write(ready, b"1")
    os.close(ready)
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        readable, _, _ = select.select([sys.stdin.fileno(), listener.fileno(), *running], [], [])
        if sys.stdin.fileno() in readable:
            return
        for ended in [each for each in readable if each in running]:
            pid, connection = running.pop(ended)
            os.close(ended)
            _answer(connection, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            connection.close()
        if listener.fileno() in readable:
            connection, _ = listener.accept()
            others = [each.fileno() for _, each in running.values()]
            pid = _fork(connection, [*running, *others, listener.fileno()])
            running[os.pidfd_open(pid)] = (pid, connection)
            _answer(connection, pid)


def _answer(connection: socket.socket, number: int) -> None:
    with suppress(OSError):
        connection.sendall(b"%d\n" % number)


def _fork(connection: socket.socket, others: list[int]) -> int:
    head, rights, _, _ = connection.recvmsg(_FIELDS, socket.CMSG_SPACE(3 * 4))
    files = array.array("i")
    files.frombytes(rights[0][2])
    length, parts = int.from_bytes(head, "big"), []
    while length:
        parts.append(connection.recv(min(length, 1 << 16)))
        length -= len(parts[-1])
    pid = os.fork()
    if pid:
        for file in files:
            os.close(file)
        return pid
    connection.close()
    for other in others:
        os.close(other)
    code = 1
    try:
        code = _become(json.loads(b"".join(parts)), list(files))
    finally:
        os._exit(code)


def _become(request: dict[str, object], files: list[int]) -> int:
    """From here on this is the process of the command."""
    import perdure.__main__ as program
    from perdure.surfaces import hooks

    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.umask(int(str(request["umask"])))
    if request["seeing"] is not None:
        _enter(int(str(request["seeing"])))
    os.chdir(str(request["cwd"]))
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    sys.argv = [str(program.__file__), *request["words"]]  # type: ignore[misc]
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        before = getattr(sys, f"__{name}__")
        stream = open(before.fileno(), mode, encoding=before.encoding, errors=before.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if request["hook_of"] is not None:
        hooks.run(sys.argv[1:], str(request["hook_of"]))
    try:
        code = program.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    return code


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
    _serve(sys.argv[1], int(sys.argv[2]), with_sdk="with-sdk" in sys.argv[3:])
