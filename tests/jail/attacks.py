"""Ways to change something from inside the jail, each really tried, with raw system calls where Python has no function.

Run as a program: `python -I attacks.py JSON`, where JSON is an `Arena` with how to confine. It confines itself, tries
everything and prints one JSON object: attack → "done" or why it was refused. What an attack would change is only in the
arena; those that concern the machine are given arguments with which they would fail in another way.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any

Attack = Callable[[], Any]
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


def call(number: int, *given: Any) -> int:
    """A system call by its number on x86_64; raises what the kernel answers."""
    result: int = LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(g) if isinstance(g, int) else g for g in given))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Attacks:
    """Every public method is an attack. It returns if it succeeded and raises OSError if it was refused."""

    def __init__(self, arena: dict[str, Any]) -> None:
        self.tree, self.scratch, self.home = arena["tree"], arena["scratch"], arena["home"]
        self.victim, self.parent = arena["victim"], arena["parent"]
        self.named, self.abstract, self.datagrams = arena["named"], arena["abstract"], arena["datagrams"]
        self.port, self.udp = arena["port"], arena["udp"]
        self.shared, self.queue = arena["shared"], arena["queue"]
        self.inherited, self.of_parent = arena["inherited"], arena["of_parent"]
        self.file = f"{self.tree}/file"

    def there(self, name: str) -> str:
        return f"{self.tree}/{name}"

    def here(self, name: str) -> str:
        return f"{self.scratch}/{name}-{os.getpid()}"

    def _scratch_file(self, name: str) -> str:
        path = self.here(name)
        with open(path, "wb") as file:
            file.write(b"from scratch")
        return path

    # ---- files

    def create(self) -> None:
        os.close(os.open(self.there("created"), os.O_CREAT | os.O_WRONLY))

    def append(self) -> None:
        self._write(os.open(self.file, os.O_WRONLY | os.O_APPEND))

    def _write(self, descriptor: int) -> None:
        try:
            os.write(descriptor, b"altered")
        finally:
            os.close(descriptor)

    def open_to_write_in_home(self) -> None:
        self._write(os.open(f"{self.home}/.profile", os.O_WRONLY))

    def write_into_git(self) -> None:
        self._write(os.open(self.there(".git/config"), os.O_WRONLY))

    def truncate(self) -> None:
        os.truncate(self.file, 0)

    def truncate_by_opening_to_read(self) -> None:
        os.close(os.open(self.file, os.O_RDONLY | os.O_TRUNC))

    def truncate_by_openat2(self) -> None:
        how = struct.pack("QQQ", os.O_RDONLY | os.O_TRUNC, 0, 0)
        os.close(call(437, -100, os.fsencode(self.file), how, len(how)))

    def creat(self) -> None:
        os.close(call(85, os.fsencode(self.file), 0o644))

    def remove(self) -> None:
        os.unlink(self.there("spare"))

    def remove_folder(self) -> None:
        os.rmdir(self.there("folder"))

    def make_folder(self) -> None:
        os.mkdir(self.there("made"))

    def make_link(self) -> None:
        os.symlink("file", self.there("symbolic"))

    def make_pipe(self) -> None:
        os.mkfifo(self.there("pipe"))

    def make_device(self) -> None:
        os.mknod(self.here("device"), 0o600 | 0o020000, os.makedev(1, 3))

    def make_socket_file(self) -> None:
        os.mknod(self.there("socket"), 0o600 | 0o140000)

    def rename(self) -> None:
        os.rename(self.there("spare"), self.there("renamed"))

    def rename_into_the_tree(self) -> None:
        os.rename(self._scratch_file("moved"), self.there("moved"))

    def rename_out_of_the_tree(self) -> None:
        os.rename(self.there("spare"), self.here("taken"))

    def exchange(self) -> None:
        ours = self._scratch_file("exchanged")
        call(316, -100, os.fsencode(ours), -100, os.fsencode(self.file), 2)

    def hard_link_into_scratch(self) -> None:
        os.link(self.file, self.here("hard"))
        self._write(os.open(self.here("hard"), os.O_WRONLY))

    def hard_link_into_the_tree(self) -> None:
        os.link(self._scratch_file("linked"), self.there("linked"))

    def write_through_a_link_in_scratch(self) -> None:
        os.symlink(self.file, self.here("symbolic"))
        self._write(os.open(self.here("symbolic"), os.O_WRONLY))

    def nameless_file(self) -> None:
        os.close(os.open(self.tree, os.O_TMPFILE | os.O_WRONLY))

    def nameless_file_linked(self) -> None:
        made = os.open(self.scratch, os.O_TMPFILE | os.O_WRONLY, 0o644)
        try:
            os.link(f"/proc/self/fd/{made}", self.there("nameless"), follow_symlinks=True)
        finally:
            os.close(made)

    def write_a_mapping(self) -> None:
        descriptor = os.open(self.file, os.O_RDONLY)
        try:
            with mmap.mmap(descriptor, 4, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE) as memory:
                memory[:4] = b"XXXX"
        finally:
            os.close(descriptor)

    def open_by_handle(self) -> None:
        handle, mount = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128)), ctypes.c_int()
        call(303, -100, os.fsencode(self.file), handle, ctypes.byref(mount), 0)
        folder = os.open(self.tree, os.O_RDONLY)
        try:
            os.close(call(304, folder, handle, os.O_RDONLY))
        finally:
            os.close(folder)

    def system_file(self) -> None:
        os.close(os.open("/etc/passwd", os.O_WRONLY))

    def spool_of_cron(self) -> None:
        os.close(os.open("/var/spool", os.O_TMPFILE | os.O_WRONLY))

    def setting_of_the_kernel(self) -> None:
        os.close(os.open("/proc/sys/kernel/hostname", os.O_WRONLY))

    def shared_memory_file(self) -> None:
        os.close(os.open("/dev/shm", os.O_TMPFILE | os.O_WRONLY))

    # ---- through processes and descriptors

    def through_own_root(self) -> None:
        self._write(os.open(f"/proc/self/root{self.file}", os.O_WRONLY))

    def through_own_folder(self) -> None:
        os.chdir(self.tree)
        self._write(os.open("/proc/self/cwd/file", os.O_WRONLY))

    def through_parents_folder(self) -> None:
        self._write(os.open(f"/proc/{self.parent}/root{self.file}", os.O_WRONLY))

    def through_parents_descriptor(self) -> None:
        self._write(os.open(f"/proc/{self.parent}/fd/{self.of_parent}", os.O_WRONLY))

    def through_inherited_descriptor(self) -> None:
        os.write(self.inherited, b"altered")

    def through_own_descriptor_again(self) -> None:
        read = os.open(self.file, os.O_RDONLY)
        try:
            self._write(os.open(f"/proc/self/fd/{read}", os.O_WRONLY))
        finally:
            os.close(read)

    def take_parents_descriptor(self) -> None:
        found = call(434, self.parent, 0)
        try:
            self._write(call(438, found, self.of_parent, 0))
        finally:
            os.close(found)

    def write_memory(self) -> None:
        os.close(os.open(f"/proc/{self.victim}/mem", os.O_RDWR))

    def read_memory(self) -> None:
        os.close(os.open(f"/proc/{self.victim}/mem", os.O_RDONLY))

    def read_environment(self) -> None:
        with open(f"/proc/{self.victim}/environ", "rb") as file:
            file.read()

    def write_memory_by_call(self) -> None:
        local = ctypes.create_string_buffer(8)
        vector = struct.pack("QQ", ctypes.addressof(local), 8)
        call(311, self.victim, vector, 1, vector, 1, 0)

    def trace(self) -> None:
        call(101, 0x4206, self.victim, 0, 0)  # PTRACE_SEIZE

    def adjust_memory_score(self) -> None:
        os.close(os.open(f"/proc/{self.victim}/oom_score_adj", os.O_WRONLY))

    # ---- metadata

    def change_mode(self) -> None:
        os.chmod(self.file, 0o777)

    def change_mode_newer_call(self) -> None:
        call(452, -100, os.fsencode(self.file), 0o777, 0)

    def change_owner(self) -> None:
        os.chown(self.file, os.getuid(), os.getgid())

    def change_owner_of_link(self) -> None:
        os.lchown(self.file, os.getuid(), os.getgid())

    def change_times(self) -> None:
        os.utime(self.file, (1, 1))

    def change_times_older_call(self) -> None:
        call(132, os.fsencode(self.file), 0)

    def set_attribute(self) -> None:
        os.setxattr(self.file, "user.perdure", b"1")

    def remove_attribute(self) -> None:
        os.removexattr(self.there("marked"), "user.kept")

    def set_flags(self) -> None:
        self._control(self.file, 0x40086602, struct.pack("l", 0x80))

    def set_project_attribute(self) -> None:
        self._control(self.file, 0x401C5820, bytes(28))

    def set_attributes_newer_call(self) -> None:
        call(469, -100, os.fsencode(self.file), bytes(24), 24, 0)

    def _control(self, path: str, number: int, given: bytes) -> None:
        found = os.open(path, os.O_RDONLY)
        try:
            call(16, found, number, given)
        finally:
            os.close(found)

    def snapshot_of_btrfs(self) -> None:
        self._control(self.tree, 0x5000940E, bytes(4096))

    # ---- ways around

    def ring(self) -> None:
        os.close(call(425, 4, ctypes.create_string_buffer(120)))

    def calls_of_32_bit(self) -> None:
        self._foreign(b"\xb8\x27\x00\x00\x00" + b"\xbb{path}" + b"\xb9\xff\x01\x00\x00" + b"\xcd\x80\xc3")

    def _foreign(self, code: bytes) -> None:
        """Machine code in a process of its own: mkdir by `int 0x80`. If the filter kills it, that is a refusal."""
        low = 0x40  # MAP_32BIT
        memory = mmap.mmap(-1, 8192, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | low, 7)
        where = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        name = os.fsencode(self.there("foreign")) + b"\0"
        memory[4096 : 4096 + len(name)] = name
        text = code.replace(b"{path}", struct.pack("<I", where + 4096))
        memory[: len(text)] = text
        child = os.fork()
        if child == 0:
            ctypes.CFUNCTYPE(ctypes.c_int)(where)()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            raise OSError(errno.EPERM, f"killed by {signal.Signals(os.WTERMSIG(status)).name}")
        if not os.path.exists(self.there("foreign")):
            raise OSError(errno.EPERM, "no effect")

    def calls_of_x32(self) -> None:
        child = os.fork()
        if child == 0:
            LIBC.syscall(ctypes.c_long(0x40000000 | 83), os.fsencode(self.there("x32")), 0o755)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) or not os.path.exists(self.there("x32")):
            raise OSError(errno.EPERM, "killed, or no effect")

    def call_newer_than_the_table(self) -> None:
        call(470, 0, 0, 0, 0)

    def run_from_memory(self) -> None:
        made = os.memfd_create("tool")
        with open("/bin/sh", "rb") as shell:
            os.write(made, shell.read())
        self._program([f"/proc/self/fd/{made}", "-c", f"echo x > {self.there('by-memory')}"])

    def _program(self, words: list[str]) -> None:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.execv(words[0], words)
        _, status = os.waitpid(child, 0)
        if status:
            raise OSError(errno.EACCES, f"exit status {status}")

    def run_a_shell(self) -> None:
        self._program(["/bin/sh", "-c", f"echo x > {self.there('by-shell')}"])

    def run_detached(self) -> None:
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                try:
                    self.create()
                finally:
                    os._exit(0)
            os._exit(0)
        os.waitpid(child, 0)
        self._program(["/bin/sh", "-c", f"sleep 0.05; test -e {self.there('created')}"])

    def in_a_thread(self) -> None:
        found: list[BaseException] = []

        def work() -> None:
            try:
                os.mkdir(self.there("by-thread"))
            except OSError as error:
                found.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        if found:
            raise found[0]

    def set_user_id_program(self) -> None:
        """A copy of `id` that belongs to root and runs as root, if the test could make one."""
        self._program(["/bin/sh", "-c", f"test $({self.tree}/as-root -u) = 0 && test $(id -u) != 0"])

    # ---- mounts and namespaces

    def mount(self) -> None:
        call(165, b"none", os.fsencode(self.there("folder")), b"tmpfs", 0, 0)
        call(166, os.fsencode(self.there("folder")), 2)

    def bind(self) -> None:
        call(165, os.fsencode(self.tree), os.fsencode(self.scratch), 0, 4096, 0)
        call(166, os.fsencode(self.scratch), 2)

    def own_user_namespace(self) -> None:
        self._in_child(lambda: call(272, 0x10000000 | 0x00020000))

    def _in_child(self, attack: Attack) -> None:
        child = os.fork()
        if child == 0:
            try:
                attack()
            except OSError as error:
                os._exit(error.errno or 255)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            raise OSError(os.waitstatus_to_exitcode(status), "in a child")

    def clone_into_namespace(self) -> None:
        made = call(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
        if made == 0:
            os._exit(0)
        os.waitpid(made, 0)

    def clone3_into_namespace(self) -> None:
        given = struct.pack("8Q", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
        made = call(435, given, len(given))
        if made == 0:
            os._exit(0)
        os.waitpid(made, 0)

    def enter_namespace(self) -> None:
        found = os.open("/proc/self/ns/uts", os.O_RDONLY)
        try:
            self._in_child(lambda: call(308, found, 0))
        finally:
            os.close(found)

    def other_root(self) -> None:
        self._in_child(lambda: os.chroot("/"))

    def open_tree(self) -> None:
        os.close(call(428, -100, os.fsencode(self.tree), 1))

    def new_file_system(self) -> None:
        os.close(call(430, b"tmpfs", 0))

    # ---- other processes

    def signal_by_kill(self) -> None:
        os.kill(self.victim, signal.SIGUSR1)

    def signal_a_group(self) -> None:
        os.killpg(self.victim, signal.SIGUSR1)

    def signal_a_thread(self) -> None:
        call(234, self.victim, self.victim, signal.SIGUSR1)

    def signal_with_data(self) -> None:
        call(129, self.victim, signal.SIGUSR1, struct.pack("iii", signal.SIGUSR1, 0, -1) + bytes(116))

    def signal_by_descriptor(self) -> None:
        found = call(434, self.victim, 0)
        try:
            call(424, found, signal.SIGUSR1, 0, 0)
        finally:
            os.close(found)

    def signal_by_owner_of_a_pipe(self) -> None:
        reads, writes = os.pipe()
        try:
            fcntl.fcntl(reads, fcntl.F_SETOWN, self.victim)
        finally:
            os.close(reads)
            os.close(writes)

    def limit(self) -> None:
        call(302, self.victim, 7, struct.pack("QQ", 512, 512), 0)

    def slow_down(self) -> None:
        os.setpriority(os.PRIO_PROCESS, self.victim, 5)

    def pin(self) -> None:
        os.sched_setaffinity(self.victim, os.sched_getaffinity(0))

    def slow_its_disk(self) -> None:
        call(251, 1, self.victim, (2 << 13) | 6)

    def schedule(self) -> None:
        os.sched_setscheduler(self.victim, os.SCHED_BATCH, os.sched_param(0))

    def advise_memory(self) -> None:
        call(440, -1, 0, 0, 21, 0)

    # ---- sockets

    def named_socket(self) -> None:
        with socket.socket(socket.AF_UNIX) as found:
            found.connect(self.named)
            found.send(b"do it for me")

    def abstract_socket(self) -> None:
        with socket.socket(socket.AF_UNIX) as found:
            found.connect("\0" + self.abstract)
            found.send(b"do it for me")

    def datagram_through_a_pair(self) -> None:
        ours, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with ours, other:
            ours.sendto(b"do it for me", self.datagrams)

    def tcp(self) -> None:
        with socket.socket() as found:
            found.connect(("127.0.0.1", self.port))
            found.send(b"do it for me")

    def udp_message(self) -> None:
        with socket.socket(type=socket.SOCK_DGRAM) as found:
            found.sendto(b"do it for me", ("127.0.0.1", self.udp))

    def listen(self) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            found.listen()

    def netlink(self) -> None:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()

    def packets(self) -> None:
        socket.socket(17, socket.SOCK_RAW).close()

    def raw(self) -> None:
        socket.socket(type=socket.SOCK_RAW, proto=1).close()

    def vsock(self) -> None:
        socket.socket(40, socket.SOCK_STREAM).close()

    def crypto_socket(self) -> None:
        socket.socket(38, socket.SOCK_SEQPACKET).close()

    # ---- memory, keys and queues of others

    def shared_memory(self) -> None:
        where = call(30, self.shared, 0, 0)
        ctypes.memmove(where, b"altered", 7)

    def remove_shared_memory(self) -> None:
        call(31, self.shared, 0, 0)

    def message_queue(self) -> None:
        call(69, self.queue, struct.pack("l8s", 1, b"altered!"), 8, 0o4000)

    def new_semaphore(self) -> None:
        call(66, call(64, 0, 1, 0o600), 0, 0, 0)

    def posix_queue(self) -> None:
        call(240, b"perdure", os.O_CREAT | os.O_RDWR, 0o600, 0)

    def add_key(self) -> None:
        call(248, b"user", b"perdure", b"x", 1, -2)

    def ask_keyring(self) -> None:
        call(250, 0, -4, 0)

    # ---- the terminal

    def type_into_the_terminal(self) -> None:
        call(16, 0, 0x5412, b"x")

    def type_into_the_console(self) -> None:
        call(16, 0, 0x541C, b"\x02")

    def terminal_of_others(self) -> None:
        os.close(os.open(os.ttyname(0), os.O_WRONLY | os.O_NOCTTY))

    # ---- the machine; the arguments are wrong, so that it would fail in another way

    def extended_filter(self) -> None:
        call(321, 0, struct.pack("IIII", 1, 4, 4, 1) + bytes(100), 72)

    def count_events(self) -> None:
        given = struct.pack("IIQQQQQ", 1, 128, 0, 0, 0, 0, 0x41) + bytes(80)
        os.close(call(298, given, 0, -1, -1, 0))

    def fault_handler(self) -> None:
        os.close(call(323, 1))

    def host_name(self) -> None:
        name = os.uname().nodename
        call(170, os.fsencode(name), len(name))

    def clock(self) -> None:
        call(227, 99, bytes(16))

    def restart(self) -> None:
        call(169, 0, 0, 0)

    def module(self) -> None:
        call(313, -1, b"", 0)

    def new_kernel(self) -> None:
        call(246, 0, 0, 0, 0xFFFF)

    def swap(self) -> None:
        call(168, b"/perdure-nowhere")

    def quota(self) -> None:
        call(179, 0x80000100, 0, 0, 0)

    def other_personality(self) -> None:
        call(135, 0x0400000)

    def capabilities(self) -> None:
        """Whether any right of root is left that is not about reading."""
        with open("/proc/self/status", "rb") as file:
            held = next(line.split()[1] for line in file if line.startswith(b"CapEff"))
        if not int(held, 16) & ~6:
            raise OSError(errno.EPERM, "none is left")


WITHOUT_EFFECT = ("mode_of_an_open_file", "owner_of_an_open_file", "times_of_an_open_file")
"""These say that they succeeded. The test looks at the file itself."""


def try_without_effect(path: str) -> None:
    found = os.open(path, os.O_RDONLY)
    for change in (
        lambda: os.fchmod(found, 0o777),
        lambda: os.fchown(found, os.getuid(), 12345),
        lambda: os.utime(found, (1, 1)),
    ):
        try:
            change()
        except OSError:
            continue
    os.close(found)


def try_all(arena: dict[str, Any]) -> dict[str, str]:
    attacks, found = Attacks(arena), {}
    for name in [each for each in vars(Attacks) if not each.startswith("_") and each not in ("there", "here")]:
        try:
            getattr(attacks, name)()
            found[name] = "done"
        except OSError as error:
            found[name] = f"refused: {errno.errorcode.get(error.errno or 0, error.errno)} {error.strerror}"
    try_without_effect(attacks.file)
    return found


def main() -> None:
    given = json.loads(sys.argv[1])
    sys.path[:0] = [given["source"]]
    from perdure.jail.confine import confine, running_kernel
    from perdure.jail.plan import plan_for
    from perdure.model.value import replace

    os.umask(0o022)
    if given["user"]:
        os.setgroups([])
        os.setgid(given["user"])
        os.setuid(given["user"])
    if given["jailed"]:
        kernel = running_kernel()
        kernel = replace(kernel, landlock=min(kernel.landlock, given["landlock"]))
        for _ in range(given["jails"]):
            confine(plan_for(kernel, folders=(given["scratch"],), network=given["network"]))
    print(json.dumps(try_all(given)), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
