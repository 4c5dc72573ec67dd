"""The filter for seccomp: which system calls a jailed command may not make, as a program for the kernel's BPF. Pure.

Landlock holds writing to files by their path. The filter refuses what Landlock does not see: metadata (mode, owner,
times, attributes), sockets, other processes, namespaces and mounts, the machine itself, and the ways around both
(io_uring, the calls of foreign ABIs). A call that is newer than this table does not exist for the command.

    build("x86_64", network=False, holds_signals=True, holds_truncation=True)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Instruction: TypeAlias = tuple[int, int, int, int]
    Block: TypeAlias = list[Instruction]

MACHINES = ("x86_64", "aarch64")
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
LAST_KNOWN = 469
"""The highest number of a call that this table was made with, `file_setattr` of Linux 6.17. Both machines have it."""

DONE, EPERM, EACCES, ENOTTY, ENOSYS, EOPNOTSUPP = 0, 1, 13, 25, 38, 95
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER, _IF_AT_LEAST, _IF_BITS = 0x15, 0x25, 0x35, 0x45
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
"""Where they are in what the kernel gives a filter."""

_REFUSED = """
    chmod 90 -; fchmodat 268 53; fchmodat2 452 452; chown 92 -; lchown 94 -; fchownat 260 54
    utime 132 -; utimes 235 -; futimesat 261 -; file_setattr 469 469

    io_uring_setup 425 425; io_uring_enter 426 426; io_uring_register 427 427

    ptrace 101 117; process_vm_readv 310 270; process_vm_writev 311 271; process_madvise 440 440
    process_mrelease 448 448; pidfd_getfd 438 438; kcmp 312 272; migrate_pages 256 238; move_pages 279 239

    mount 165 40; umount2 166 39; pivot_root 155 41; chroot 161 51; open_tree 428 428; move_mount 429 429
    fsopen 430 430; fsconfig 431 431; fsmount 432 432; fspick 433 433; mount_setattr 442 442; open_tree_attr 467 467
    setns 308 268; open_by_handle_at 304 265; fanotify_init 300 262

    listen 50 201
    shmget 29 194; shmat 30 196; shmctl 31 195; semget 64 190; semop 65 193; semctl 66 191; semtimedop 220 192
    msgget 68 186; msgsnd 69 189; msgrcv 70 188; msgctl 71 187; mq_open 240 180; mq_unlink 241 181
    add_key 248 217; request_key 249 218; keyctl 250 219

    bpf 321 280; perf_event_open 298 241; userfaultfd 323 282
    quotactl 179 60; quotactl_fd 443 443; acct 163 89; swapon 167 224; swapoff 168 225; reboot 169 142
    sethostname 170 161; setdomainname 171 162; iopl 172 -; ioperm 173 -
    create_module 174 -; init_module 175 105; delete_module 176 106; finit_module 313 273
    kexec_load 246 104; kexec_file_load 320 294; nfsservctl 180 42; vhangup 153 58; uselib 134 -
    lsm_set_self_attr 460 460; settimeofday 164 170
    adjtimex 159 171; clock_settime 227 112; clock_adjtime 305 266; lookup_dcookie 212 18
"""
"""Name, number on x86_64, number on aarch64; refused whatever the arguments are."""
_ATTRIBUTES = """
    setxattr 188 5; lsetxattr 189 6; fsetxattr 190 7; setxattrat 463 463
    removexattr 197 14; lremovexattr 198 15; fremovexattr 199 16; removexattrat 466 466
"""
"""Refused as on a disk that has no attributes. Whoever copies files then leaves them out."""
_WITHOUT_EFFECT = "fchmod 91 52; fchown 93 55"
"""Mode and owner of an open file, which `cp -p`, `sed -i` and `tar` set after they made one in scratch. Nothing
happens, and the call says that it was done: a filter cannot see which file it is. By a path, these are refused."""
_SOCKETS = "bind 49 200; connect 42 203"
_SIGNALS = """
    kill 62 129; tkill 200 130; tgkill 234 131; rt_sigqueueinfo 129 138; rt_tgsigqueueinfo 297 240
    pidfd_send_signal 424 424
"""
_MISSING = "clone3 435 435"
"""Its flags are in memory, where a filter cannot look. Libraries fall back to clone."""
_TRUNCATION = "truncate 76 45"
_OPENAT2 = "openat2 437 437"
_BY_ARGUMENTS = """
    clone 56 220; unshare 272 97; socket 41 198; socketpair 53 199; ioctl 16 29; fcntl 72 25; personality 135 92
    prlimit64 302 261; sched_setparam 142 118; sched_setscheduler 144 119; sched_setaffinity 203 122
    sched_setattr 314 274; setpriority 141 140; ioprio_set 251 30; utimensat 280 88; open 2 -; openat 257 56
"""

_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEW…, of which CLONE_NEWTIME is another bit, which only unshare knows."""
_NEW_TIME = 0x80
_INET, _INET6 = 2, 10
_STREAM, _DATAGRAM, _PACKETS = 1, 2, 5
_KIND_OF_SOCKET = 0xF
_SET_OWNER = (8, 10, 15, 1024)
"""fcntl: F_SETOWN, F_SETSIG and F_SETOWN_EX send signals to others; F_SETLEASE makes them wait."""
_TO_TERMINALS = 0x54
_TERMINAL_REFUSED = (0x5412, 0x541C, 0x541D, 0x541F, 0x5423, 0x5437, 0x5457)
"""TIOCSTI types into the terminal, TIOCLINUX into the console; TIOCCONS, TIOCSSERIAL, TIOCSETD, TIOCVHANGUP and
TIOCSLCKTRMIOS change it for everybody."""
_CONTROLS = (
    *(0x80086601, 0x80087601, 0xC020660B, 0x801C581F),  # flags, version, extents and attributes of a file: to read
    *(0x40049409, 0x4020940D),  # copies by reference, into a file that is open to write
    *(0x8905, 0x8910, 0x8912, 0x8913, 0x8915, 0x8921, 0x8927, 0x8933, 0x8946),  # what network devices there are
    *(0x80081272, 0x1260, 0x1268, 0x5B),  # sizes of a disk
)
"""The controls besides those of terminals. All others do not exist, as on a file that knows none."""
_QUERY = 0xFFFFFFFF
_TRUNCATES_TO_READ, _ACCESS_AND_TRUNCATE = 0x200, 0x203


def build(machine: str, *, network: bool, holds_signals: bool, holds_truncation: bool) -> bytes:
    """The program for a kernel whose Landlock holds signals and truncation, or does not."""
    tables = [(_REFUSED, EPERM), (_ATTRIBUTES, EOPNOTSUPP), (_WITHOUT_EFFECT, DONE), (_MISSING, ENOSYS)]
    if not network:
        tables.append((_SOCKETS, EACCES))
    if not holds_signals:
        tables.append((_SIGNALS, EPERM))
    if not holds_truncation:
        tables += [(_TRUNCATION, EACCES), (_OPENAT2, ENOSYS)]
    instructions = _prologue(machine)
    for table, errno in tables:
        for number in _numbers(table, machine).values():
            instructions += [_if_equal(number, skip=1), _refuse(errno)]
    by_name = _numbers(_BY_ARGUMENTS, machine)
    for name, block in _blocks(network=network, holds_truncation=holds_truncation).items():
        if name in by_name:
            instructions += [_if_equal(by_name[name], skip=len(block)), *block]
    return packed([*instructions, _return(_ALLOW)])


def packed(instructions: Block) -> bytes:
    """As the kernel's `struct sock_filter`: 16 bits of code, two jumps of 8 bits, 32 bits of value."""
    return b"".join(
        code.to_bytes(2, "little") + bytes((yes, no)) + operand.to_bytes(4, "little")
        for code, yes, no, operand in instructions
    )


def refusing(number: int, errno: int) -> bytes:
    """A filter that refuses one call and allows all others. With it, tests play a kernel that refuses something."""
    return packed([(_LOAD, 0, 0, _NUMBER), _if_equal(number, skip=1), _refuse(errno), _return(_ALLOW)])


def _numbers(table: str, machine: str) -> dict[str, int]:
    """Name → number, for the calls that this machine has."""
    column = 1 + MACHINES.index(machine)
    rows = (row.split() for row in table.replace("\n", ";").split(";"))
    return {row[0]: int(row[column]) for row in rows if row and row[column] != "-"}


def _prologue(machine: str) -> Block:
    """Whoever calls by another ABI of the same kernel (32 bit) is killed: its numbers mean other calls."""
    begin = [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        _return(_KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        begin += [(_IF_AT_LEAST, 0, 1, _X32), _return(_KILL)]
    return [*begin, (_IF_GREATER, 0, 1, LAST_KNOWN), _refuse(ENOSYS)]


def _blocks(*, network: bool, holds_truncation: bool) -> dict[str, Block]:
    """The calls that their arguments decide about. Each block ends with a return."""
    only_self = _allow_if_zero(0)
    blocks = {
        "clone": _refuse_bits(0, _NEW_NAMESPACES),
        "unshare": _refuse_bits(0, _NEW_NAMESPACES | _NEW_TIME),
        "socket": _socket_block(network=network),
        "socketpair": [
            (_LOAD, 0, 0, _argument(1)),
            (_AND, 0, 0, _KIND_OF_SOCKET),
            *_allow_values((_STREAM, _PACKETS)),
            _refuse(EACCES),
        ],
        "ioctl": _ioctl_block(),
        "fcntl": [(_LOAD, 0, 0, _argument(1)), *_refuse_values(_SET_OWNER), _return(_ALLOW)],
        "personality": [(_LOAD, 0, 0, _argument(0)), *_allow_values((_QUERY, 0)), _refuse(EPERM)],
        "prlimit64": [*_if_zero_allow(0), *_if_null_allow(2), _refuse(EPERM)],
        "sched_setparam": only_self,
        "sched_setscheduler": only_self,
        "sched_setaffinity": only_self,
        "sched_setattr": only_self,
        "setpriority": [(_LOAD, 0, 0, _argument(0)), (_IF_EQUAL, 1, 0, 0), _refuse(EPERM), *_allow_if_zero(1)],
        "ioprio_set": [(_LOAD, 0, 0, _argument(0)), (_IF_EQUAL, 1, 0, 1), _refuse(EPERM), *_allow_if_zero(1)],
        "utimensat": _utimensat_block(),
    }
    if not holds_truncation:
        blocks |= {"open": _open_block(1), "openat": _open_block(2)}
    return blocks


def _socket_block(*, network: bool) -> Block:
    """With network: TCP and UDP. No local sockets: whoever listens there (docker, tmux, an agent for keys) would do the
    command's work outside."""
    if not network:
        return [_refuse(EACCES)]
    kinds = [(_LOAD, 0, 0, _argument(1)), (_AND, 0, 0, _KIND_OF_SOCKET), *_allow_values((_STREAM, _DATAGRAM))]
    return [
        (_LOAD, 0, 0, _argument(0)),
        (_IF_EQUAL, 2, 0, _INET),
        (_IF_EQUAL, 1, 0, _INET6),
        _refuse(EACCES),
        *kinds,
        _refuse(EACCES),
    ]


def _ioctl_block() -> Block:
    load = (_LOAD, 0, 0, _argument(1))
    return [
        load,
        *_refuse_values(_TERMINAL_REFUSED),
        *_allow_values(_CONTROLS),
        (_AND, 0, 0, 0xFF00),
        *_allow_values((_TO_TERMINALS << 8,)),
        _refuse(ENOTTY),
    ]


def _utimensat_block() -> Block:
    """The times of an open file are without effect, like its mode: `touch` sets them after it made one."""
    return [*_if_null_return(1, _ERRNO | DONE), _refuse(EPERM)]


def _open_block(flags: int) -> Block:
    return [
        (_LOAD, 0, 0, _argument(flags)),
        (_AND, 0, 0, _ACCESS_AND_TRUNCATE),
        _if_equal(_TRUNCATES_TO_READ, skip=1),
        _refuse(EACCES),
        _return(_ALLOW),
    ]


def _argument(index: int, *, high: bool = False) -> int:
    return _ARGUMENTS + 8 * index + (4 if high else 0)


def _return(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)


def _refuse(errno: int) -> Instruction:
    return _return(_ERRNO | errno)


def _if_equal(operand: int, *, skip: int) -> Instruction:
    """Goes on if it is equal, otherwise skips so many instructions."""
    return (_IF_EQUAL, 0, skip, operand)


def _refuse_bits(argument: int, bits: int) -> Block:
    return [(_LOAD, 0, 0, _argument(argument)), (_IF_BITS, 0, 1, bits), _refuse(EPERM), _return(_ALLOW)]


def _refuse_values(values: tuple[int, ...]) -> Block:
    return [step for each in values for step in (_if_equal(each, skip=1), _refuse(EPERM))]


def _allow_values(values: tuple[int, ...]) -> Block:
    return [step for each in values for step in (_if_equal(each, skip=1), _return(_ALLOW))]


def _if_zero_allow(argument: int) -> Block:
    return [(_LOAD, 0, 0, _argument(argument)), _if_equal(0, skip=1), _return(_ALLOW)]


def _allow_if_zero(argument: int) -> Block:
    return [*_if_zero_allow(argument), _refuse(EPERM)]


def _if_null_allow(argument: int) -> Block:
    return _if_null_return(argument, _ALLOW)


def _if_null_return(argument: int, action: int) -> Block:
    """A pointer has 64 bits."""
    return [
        (_LOAD, 0, 0, _argument(argument)),
        _if_equal(0, skip=3),
        (_LOAD, 0, 0, _argument(argument, high=True)),
        _if_equal(0, skip=1),
        _return(action),
    ]
