"""A throw-away place with everything that an attack from inside the jail could change, and a look at all of it."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from perdure.model.value import value

ATTACKS = Path(__file__).with_name("attacks.py")
SOURCE = Path(__file__).parents[2] / "src"
NOBODY = 65534
LIBC = ctypes.CDLL(None, use_errno=True)


@value
class Arena:
    """`words` tells the attacker where everything is. `user` is whose it all is; 0 for whoever runs the test."""

    folder: Path
    words: dict[str, Any]
    user: int
    victim: subprocess.Popen[bytes]
    listeners: tuple[socket.socket, ...]

    def attack(
        self, *, jailed: bool = True, landlock: int = 99, network: bool = False, jails: int = 1
    ) -> dict[str, str]:
        given = {**self.words, "jailed": jailed, "landlock": landlock, "network": network, "jails": jails}
        master, terminal = os.openpty()
        with os.fdopen(master), os.fdopen(terminal):
            done = subprocess.run(
                [sys.executable, "-I", str(ATTACKS), json.dumps(given)],
                stdin=terminal,
                stdout=subprocess.PIPE,
                pass_fds=(self.words["inherited"],),
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                timeout=120,
                check=True,
            )
        found: dict[str, str] = json.loads(done.stdout)
        return found

    def seen(self) -> dict[str, Any]:
        """Everything that must be the same afterwards."""
        return {
            **{str(path): _facts(path) for top in ("tree", "home") for path in _below(self.folder / top)},
            "victim": "gone" if self.victim.poll() is not None else _state_of(self.victim.pid),
            "arrived": [_arrived(each) for each in self.listeners],
            "queue": _messages(self.words["queue"]),
            "shared": _shared_bytes(self.words["shared"]),
        }


def _below(top: Path) -> Iterator[Path]:
    yield top
    for folder, folders, files in os.walk(top):
        yield from (Path(folder, name) for name in (*folders, *files))


def _facts(path: Path) -> tuple[Any, ...]:
    found = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
    attributes = tuple(os.listxattr(path, follow_symlinks=False))
    return (
        found.st_mode,
        found.st_uid,
        found.st_gid,
        found.st_size,
        found.st_mtime_ns,
        found.st_nlink,
        content,
        attributes,
    )


def _state_of(pid: int) -> tuple[Any, ...]:
    limits = Path(f"/proc/{pid}/limits").read_text()
    return (limits, os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid))


def _arrived(listener: socket.socket) -> bool:
    """Whether somebody connected, or sent something."""
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(100)
    except BlockingIOError:
        return False
    return True


def _messages(queue: int) -> int:
    found = (ctypes.c_long * 40)()
    LIBC.msgctl(queue, 2, found)  # IPC_STAT
    return int(found[10])


def _shared_bytes(shared: int) -> bytes:
    LIBC.shmat.restype = ctypes.c_void_p
    where = LIBC.shmat(shared, None, 0)
    if where in (None, ctypes.c_void_p(-1).value):
        return b"gone"
    content = ctypes.string_at(where, 7)
    LIBC.shmdt(ctypes.c_void_p(where))
    return content


@contextmanager
def arena(folder: Path, *, user: int = 0) -> Iterator[Arena]:
    with ExitStack() as stack:
        yield _made(folder, user, stack)


def _made(folder: Path, user: int, stack: ExitStack) -> Arena:
    tree, scratch, home = (folder / name for name in ("tree", "scratch", "home"))
    for each in (tree, scratch, home, tree / "folder", tree / ".git"):
        each.mkdir(parents=True)
    for name in ("file", "spare", "marked", "inherited", "of-parent", ".git/config"):
        (tree / name).write_text("as it was\n")
    (home / ".profile").write_text("as it was\n")
    _with_attribute(tree / "marked")
    listeners = _listeners(folder, stack)
    for each in (folder, *_below(folder)):
        os.chown(each, user, user, follow_symlinks=False)
        os.chmod(each, 0o755 if each.is_dir() else 0o777 if each.is_socket() else 0o644)
    if os.getuid() == 0:
        shutil.copy("/usr/bin/id", tree / "as-root")
        os.chmod(tree / "as-root", 0o4755)
    inherited, of_parent = (os.open(tree / name, os.O_WRONLY) for name in ("inherited", "of-parent"))
    for each in (inherited, of_parent):
        stack.callback(os.close, each)
    victim = subprocess.Popen(["sleep", "300"], start_new_session=True, user=user or None, group=user or None)
    stack.callback(victim.wait)
    stack.callback(victim.kill)
    shared, queue = LIBC.shmget(0, 4096, 0o1666), LIBC.msgget(0, 0o1666)
    stack.callback(LIBC.shmctl, shared, 0, None)
    stack.callback(LIBC.msgctl, queue, 0, None)
    named, abstract, datagrams, tcp, udp = listeners
    words = {
        "source": str(SOURCE),
        "user": user,
        "tree": str(tree),
        "scratch": str(scratch),
        "home": str(home),
        "victim": victim.pid,
        "parent": os.getpid(),
        "named": named.getsockname(),
        "abstract": abstract.getsockname()[1:].decode(),
        "datagrams": datagrams.getsockname(),
        "port": tcp.getsockname()[1],
        "udp": udp.getsockname()[1],
        "shared": shared,
        "queue": queue,
        "inherited": inherited,
        "of_parent": of_parent,
    }
    return Arena(folder=folder, words=words, user=user, victim=victim, listeners=listeners)


def _with_attribute(path: Path) -> None:
    try:
        os.setxattr(path, "user.kept", b"1")
    except OSError:  # a disk without attributes
        return


def _listeners(folder: Path, stack: ExitStack) -> tuple[socket.socket, ...]:
    kinds: list[tuple[int, int, Any]] = [
        (socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "home" / "agent.socket")),
        (socket.AF_UNIX, socket.SOCK_STREAM, f"\0perdure-{os.getpid()}-{folder.name}"),
        (socket.AF_UNIX, socket.SOCK_DGRAM, str(folder / "home" / "log.socket")),
        (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
    ]
    made = []
    for family, kind, address in kinds:
        listener = stack.enter_context(socket.socket(family, kind))
        listener.bind(address)
        listener.setblocking(False)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        made.append(listener)
    return tuple(made)
