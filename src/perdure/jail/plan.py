"""What the jail allows, and with which features of the kernel it holds that (SPEC 5.8). Pure.

Landlock decides about files by their path, seccomp about system calls by their numbers and arguments. What Landlock of
an older kernel does not know yet, the filter refuses more broadly, so that the jail is as tight there and less
convenient (docs/adr/0061):

    ABI   Linux   Landlock holds in addition      before it, the filter refuses
    1     5.13    writing, making, removing
    2     5.19    links and moves between folders (Landlock refuses all of them)
    3     6.2     truncating                      truncation by a path or by opening to read
    4     6.7     TCP ports                       (all sockets are refused without network in any case)
    5     6.10    control of devices              (few controls are allowed in any case)
    6     6.12    signals, abstract sockets       every signal, to own children too

    plan_for(Kernel(landlock=7, machine="x86_64"), folders=("/tmp",)).scoped
"""

from __future__ import annotations

from perdure.errors import NotConfined
from perdure.jail.filter import MACHINES, build
from perdure.jail.grants import OF_FILES, TRUNCATE, WRITE_FILE, Grant, JailPlan, Kernel

LEAST_LANDLOCK = 1
"""The oldest Landlock that the jail accepts."""
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_CHAR, _MAKE_DIR, _MAKE_REG, _MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM = (1 << bit for bit in range(6, 13))
_REFER, _IOCTL_DEV = 1 << 13, 1 << 15
_SINCE = {2: _REFER, 3: TRUNCATE, 5: _IOCTL_DEV}
_ALWAYS = (
    WRITE_FILE
    | _REMOVE_DIR
    | _REMOVE_FILE
    | _MAKE_CHAR
    | _MAKE_DIR
    | _MAKE_REG
    | _MAKE_SOCK
    | _MAKE_FIFO
    | _MAKE_BLOCK
    | _MAKE_SYM
)
_IN_FOLDERS = (
    WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_FIFO | _MAKE_SYM | _REFER | TRUNCATE
)
"""No devices and no sockets can be made, in scratch neither."""
_OF_DEVICES = WRITE_FILE | TRUNCATE | _IOCTL_DEV
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
"""What may be written to besides scratch. Other terminals are not among them, so no program can open a new one."""


def why_not(kernel: Kernel) -> str:
    """Why this kernel cannot hold a jail; empty if it can."""
    if kernel.machine not in MACHINES:
        return f"the jail knows the system calls of {' and '.join(MACHINES)}, and this is {kernel.machine}"
    if kernel.landlock < LEAST_LANDLOCK:
        return "this kernel has no Landlock, or it is switched off (Linux 5.13 and newer have it)"
    return ""


def plan_for(
    kernel: Kernel, *, folders: tuple[str, ...] = (), files: tuple[str, ...] = (), network: bool = False
) -> JailPlan:
    """`folders` and `files` may be written to; with `network`, sockets to other machines may be opened."""
    reason = why_not(kernel)
    if reason:
        raise NotConfined("no_jail", f"A command cannot be run read-only here: {reason}.", hint="It was not run.")
    handled = _ALWAYS
    for since, right in _SINCE.items():
        handled |= right if kernel.landlock >= since else 0
    return JailPlan(
        landlock=kernel.landlock,
        handled=handled,
        ports=0 if kernel.landlock < 4 else _BIND_TCP if network else _BIND_TCP | _CONNECT_TCP,
        scoped=0 if kernel.landlock < 6 else _ABSTRACT_SOCKETS | _SIGNALS,
        grants=(
            *(Grant(path, _IN_FOLDERS & handled, is_folder=True) for path in folders),
            *(Grant(path, OF_FILES & handled) for path in files),
            *(Grant(path, _OF_DEVICES & handled) for path in DEVICES),
        ),
        program=build(
            kernel.machine,
            network=network,
            holds_signals=kernel.landlock >= 6,
            holds_truncation=kernel.landlock >= 3,
        ),
    )
