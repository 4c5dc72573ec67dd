"""Carries a plan out: confines this process, and whatever it starts from then on, for good (SPEC 5.8).

It imports little, and speaks to the kernel through `_ctypes`, the part of `ctypes` that is written in C: the rest
costs 6 ms that every command of the client would pay. Whatever the kernel refuses raises `NotConfined`, and then
nothing may be run.

    confine(plan_for(running_kernel(), folders=("/tmp",)))
    replace_process(["sh", "-c", "…"], environment)
"""

from __future__ import annotations

import posix
import sys

from perdure.jail.grants import Kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from perdure.jail.grants import Grant, JailPlan

    SystemCall = Callable[..., int]

_CLOSE_RANGE = 436
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_OWN_NUMBERS = {"x86_64": (157, 317, 125, 126), "aarch64": (167, 277, 90, 91)}
"""prctl, seccomp, capget, capset. The other numbers are the same on both machines."""
_NO_NEW_PRIVILEGES, _SET_FILTER, _ASK_VERSION, _PATH_BENEATH = 38, 1, 1, 1
_CAPABILITIES_VERSION = 0x20080522
_KEPT_CAPABILITIES = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: root goes on reading everything. All other rights of root are given up."""
_LAST_DESCRIPTOR = 0xFFFFFFFF
_FIRST_INHERITED = 3


def running_kernel() -> Kernel:
    """What the kernel that we run on offers."""
    if sys.platform != "linux":
        return Kernel(0, sys.platform)
    machine = posix.uname().machine if sys.maxsize > 1 << 32 else "32 bit"
    if machine not in _OWN_NUMBERS:
        return Kernel(0, machine)
    call = _system_call()
    return Kernel(max(0, call(_LANDLOCK_CREATE, 0, 0, _ASK_VERSION)), machine)


def confine(plan: JailPlan) -> None:
    """Standard input, output and error stay open, whatever they are: whoever started us chose them. All other
    descriptors are closed: through one that is open to write, a command could write anywhere."""
    call = _system_call()
    prctl, seccomp, capget, capset = _OWN_NUMBERS[posix.uname().machine]
    _demand(call(_CLOSE_RANGE, _FIRST_INHERITED, _LAST_DESCRIPTOR, 0), "close inherited files (close_range)")
    _demand(call(prctl, _NO_NEW_PRIVILEGES, 1, 0, 0, 0), "give up new privileges (prctl)")
    _restrict_files(call, plan)
    _drop_capabilities(call, capget, capset)
    _set_filter(call, seccomp, plan.program)


def replace_process(words: Sequence[str], environment: Mapping[bytes, bytes]) -> NoReturn:
    """Runs a command in the place of this process, so that nobody stands between it and whoever waits for it: its exit
    code, its signals and its process id are its own."""
    import _signal  # type: ignore[import-not-found]

    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):  # Python ignores them, and a new program would go on doing so
        _signal.signal(number, _signal.SIG_DFL)
    if words[0].startswith("/"):
        posix.execve(words[0], list(words), dict(environment))
    from os import execvpe

    execvpe(words[0], list(words), dict(environment))


def _restrict_files(call: SystemCall, plan: JailPlan) -> None:
    attributes = (plan.handled, plan.ports, plan.scoped)[: 1 if plan.landlock < 4 else 2 if plan.landlock < 6 else 3]
    text = b"".join(each.to_bytes(8, "little") for each in attributes)
    rules = _demand(call(_LANDLOCK_CREATE, text, len(text), 0), "make rules for files (landlock_create_ruleset)")
    for grant in plan.grants:
        _allow(call, rules, grant)
    _demand(call(_LANDLOCK_RESTRICT, rules, 0), "apply rules for files (landlock_restrict_self)")
    posix.close(rules)


def _allow(call: SystemCall, rules: int, grant: Grant) -> None:
    """A path that is not there, or that we may not see, is left out: the jail is then tighter."""
    try:
        found = posix.open(grant.path, posix.O_PATH | posix.O_CLOEXEC)
    except OSError:
        return
    try:
        if grant.is_folder and not _is_at(found, grant.path):
            return
        rule = grant.rights.to_bytes(8, "little") + found.to_bytes(4, "little")
        _demand(call(_LANDLOCK_ADD, rules, _PATH_BENEATH, rule, 0), f"allow {grant.path} (landlock_add_rule)")
    finally:
        posix.close(found)


def _is_at(found: int, path: str) -> bool:
    """Whether what was opened really is at its path, without links. A command in the jail that still runs may have put
    a link into a temporary folder since the plan was made."""
    try:
        return posix.readlink(f"/proc/self/fd/{found}") == path
    except OSError:
        return False


def _drop_capabilities(call: SystemCall, capget: int, capset: int) -> None:
    """Root keeps the right to read everything, and no other. Since there are no new privileges, starting a program does
    not bring them back."""
    header = _CAPABILITIES_VERSION.to_bytes(4, "little") + bytes(4)
    held = _buffer(bytes(24))
    _demand(call(capget, header, held, 0), "ask for capabilities (capget)")
    effective = int.from_bytes(held[0:4], "little") & _KEPT_CAPABILITIES
    permitted = int.from_bytes(held[4:8], "little") & _KEPT_CAPABILITIES
    kept = effective.to_bytes(4, "little") + permitted.to_bytes(4, "little") + bytes(16)
    _demand(call(capset, header, kept, 0), "give up capabilities (capset)")


def _set_filter(call: SystemCall, seccomp: int, program: bytes) -> None:
    import _ctypes

    content: Any = _buffer(program)
    where: int = _ctypes.addressof(content)
    count = len(program) // 8
    text = count.to_bytes(8, "little") + where.to_bytes(8, "little")
    _demand(call(seccomp, _SET_FILTER, 0, text), "filter system calls (seccomp)")


def _demand(result: int, what: str) -> int:
    if result >= 0:
        return result
    import _ctypes

    from perdure.errors import NotConfined

    why = posix.strerror(_ctypes.get_errno())
    raise NotConfined(
        "jail_failed", f"A command cannot be run read-only here: could not {what}: {why}.", hint="It was not run."
    )


def _system_call() -> SystemCall:
    """The C library's `syscall`, for numbers, bytes and buffers; -1 if the kernel refuses."""
    import _ctypes

    class _Word(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "l"

    class _Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
        _restype_ = _Word

    own_program: Any = None
    function = _Function(_ctypes.dlsym(_ctypes.dlopen(own_program, 0), "syscall"))

    def call(*given: int | bytes | object) -> int:
        result: int = function(*(_Word(each) if isinstance(each, int) else each for each in given))
        return result

    return call


def _buffer(content: bytes) -> bytearray:
    """Memory with this content, which the kernel reads or fills."""
    import _ctypes

    class _Byte(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "c"

    memory = type("Memory", (_ctypes.Array,), {"_type_": _Byte, "_length_": len(content)})
    found: bytearray = memory.from_buffer_copy(content)  # type: ignore[attr-defined]
    return found
