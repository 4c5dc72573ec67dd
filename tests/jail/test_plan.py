"""What the jail plans for kernels of every age, and what its filter answers, on both machines."""

from __future__ import annotations

import struct

import pytest

from perdure.errors import NotConfined
from perdure.jail import filter as seccomp
from perdure.jail import seatbelt
from perdure.jail.plan import DEVICES, LEAST_LANDLOCK, Kernel, plan_for
from perdure.jail.scratch import MOST_ENTRIES, parts

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FOREIGN = {"x86_64": 0x40000003, "aarch64": 0x40000028}


def answer(program: bytes, number: int, *arguments: int, architecture: int) -> int:
    """What the kernel's BPF machine would return."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *[*arguments, *[0] * 6][:6])
    steps = list(struct.iter_unpack("<HBBI", program))
    accumulator, at = 0, 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, operand)[0]
        elif code == 0x54:
            accumulator &= operand
        else:
            holds = {
                0x15: accumulator == operand,
                0x25: accumulator > operand,
                0x35: accumulator >= operand,
                0x45: bool(accumulator & operand),
            }[code]
            at += yes if holds else no


def refused(errno: int) -> int:
    return 0x00050000 | errno


def program(machine: str, *, landlock: int = 7, network: bool = False) -> bytes:
    return plan_for(Kernel(landlock, machine), network=network).program


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("landlock", range(1, 8))
def test_the_filter_answers_by_its_tables(machine: str, network: bool, landlock: int) -> None:
    made, architecture = program(machine, landlock=landlock, network=network), ARCHITECTURE[machine]
    assert len(made) // 8 < 4096
    for name, number in seccomp._numbers(seccomp._REFUSED, machine).items():
        assert answer(made, number, architecture=architecture) == refused(1), name
    for number in seccomp._numbers(seccomp._SOCKETS, machine).values():
        assert (answer(made, number, architecture=architecture) == ALLOWED) is network
    for number in seccomp._numbers(seccomp._SIGNALS, machine).values():
        assert (answer(made, number, architecture=architecture) == ALLOWED) is (landlock >= 6)
    for number in seccomp._numbers(seccomp._TRUNCATION, machine).values():
        assert (answer(made, number, architecture=architecture) == ALLOWED) is (landlock >= 3)
    assert answer(made, seccomp.LAST_KNOWN + 1, architecture=architecture) == refused(38)
    assert answer(made, 221 if machine == "aarch64" else 59, architecture=architecture) == ALLOWED, "execve"


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_foreign_calls_are_killed(machine: str) -> None:
    assert answer(program(machine), 1, architecture=FOREIGN[machine]) == KILLED


def test_x32_is_killed() -> None:
    assert answer(program("x86_64"), 0x40000000 | 83, architecture=ARCHITECTURE["x86_64"]) == KILLED


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_arguments_decide(machine: str) -> None:
    numbers, architecture = seccomp._numbers(seccomp._BY_ARGUMENTS, machine), ARCHITECTURE[machine]

    def says(name: str, *arguments: int, network: bool = False, landlock: int = 7) -> int:
        made = program(machine, network=network, landlock=landlock)
        return answer(made, numbers[name], *arguments, architecture=architecture)

    assert says("clone", 0x01200011) == ALLOWED
    assert says("clone", 0x10000011) == says("clone", 0x00020011) == refused(1)
    assert says("unshare", 0x400) == ALLOWED
    assert says("unshare", 0x80) == refused(1)
    assert says("socket", 2, 1) == says("socket", 1, 1, network=True) == says("socket", 16, 3, network=True)
    assert says("socket", 2, 0x80001, network=True) == says("socket", 10, 2, network=True) == ALLOWED
    assert says("socket", 2, 3, network=True) == refused(13), "raw"
    assert says("socketpair", 1, 0x80001) == ALLOWED
    assert says("socketpair", 1, 2) == refused(13)
    assert says("ioctl", 0, 0x5401) == says("ioctl", 0, 0x541B) == says("ioctl", 0, 0x80045430) == ALLOWED
    assert says("ioctl", 0, 0x5412) == says("ioctl", 0, 0x541C) == refused(1)
    assert says("ioctl", 0, 0x40086602) == refused(25)
    assert says("fcntl", 0, 2) == ALLOWED
    assert says("fcntl", 0, 8) == refused(1)
    assert says("prlimit64", 0, 7, 1 << 40) == says("prlimit64", 9, 7, 0) == ALLOWED
    assert says("prlimit64", 9, 7, 1 << 40) == refused(1)
    assert says("utimensat", 5, 0) == refused(0)
    assert says("utimensat", 5, 1 << 40) == refused(1)
    assert says("setpriority", 0, 0) == ALLOWED
    assert says("setpriority", 2, 0) == says("setpriority", 0, 9) == refused(1)
    assert says("openat", 0, 0, 0x200) == ALLOWED
    assert says("openat", 0, 0, 0x200, landlock=2) == refused(13)
    assert says("openat", 0, 0, 0x241, landlock=2) == ALLOWED, "to write, Landlock decides"


@pytest.mark.parametrize(
    "kernel", [Kernel(LEAST_LANDLOCK - 1, "x86_64"), Kernel(7, "riscv64"), Kernel(7, "32 bit"), Kernel(0, "darwin")]
)
def test_a_kernel_that_cannot_is_refused(kernel: Kernel) -> None:
    with pytest.raises(NotConfined) as refusal:
        plan_for(kernel)
    assert refusal.value.exit_code == 126


def test_only_what_is_named_is_given() -> None:
    plan = plan_for(Kernel(7, "x86_64"), folders=("/tmp",), files=("/out",))
    assert [grant.path for grant in plan.grants] == ["/tmp", "/out", *DEVICES]
    assert all(grant.rights & ~plan.handled == 0 for grant in plan.grants)


def test_a_folder_that_holds_what_is_protected_is_given_in_parts() -> None:
    tree = {"/tmp": ["/tmp/a", "/tmp/b", "/tmp/deep"], "/tmp/deep": ["/tmp/deep/c", "/tmp/deep/work"]}
    found = parts(["/tmp", "/var/tmp"], protected=["/tmp/b", "/tmp/deep/work"], entries=lambda path: tree.get(path, []))
    assert found.given == ("/tmp/a", "/tmp/deep/c", "/var/tmp")
    assert found.split == ("/tmp",)


def test_a_protected_folder_is_not_given() -> None:
    assert parts(["/work"], protected=["/work"], entries=lambda _: ["/work/a"]).given == ()
    assert parts(["/workshop"], protected=["/work"], entries=lambda _: []).given == ("/workshop",)


def test_of_a_crowded_folder_nothing_is_given() -> None:
    crowd = [f"/tmp/{number}" for number in range(MOST_ENTRIES + 1)]
    assert parts(["/tmp"], protected=["/tmp/7"], entries=lambda _: crowd).given == ()


def test_the_profile_for_macos_names_what_may_be_written() -> None:
    text = seatbelt.profile(folders=("/private/tmp", '/odd"name'), files=("/out",), network=False)
    lines = text.splitlines()
    assert lines[:3] == ["(version 1)", "(allow default)", "(deny file-write*)"]
    assert '(allow file-write* (subpath "/private/tmp"))' in lines
    assert '(allow file-write* (subpath "/odd\\"name"))' in lines
    assert '(allow file-write-data (literal "/out"))' in lines
    assert "(deny network*)" in lines
    assert not any(line.startswith("(allow network") for line in lines)
    assert any("network-outbound" in line for line in seatbelt.profile(folders=(), files=(), network=True).splitlines())
    assert text.count("(") == text.count(")")


def test_a_path_that_would_break_the_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be named"):
        seatbelt.profile(folders=("/a\n(allow default)",), files=(), network=False)
