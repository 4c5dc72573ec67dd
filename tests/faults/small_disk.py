"""A disk of its own that can be filled up and made read-only: a tmpfs in a mount namespace of ours (Linux)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests import preloaded
from tests.conftest import Cli, new_repository


def why_not() -> str | None:
    """Why there can be no such disk here, if so."""
    if not shutil.which("unshare") or not shutil.which("nsenter"):
        return "needs unshare and nsenter (util-linux)"
    tried = subprocess.run(
        ["unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True, text=True, check=False
    )
    return None if tried.returncode == 0 else f"no user namespaces here: {tried.stderr.strip()}"


class SmallDisk:
    """Mounted at `folder`, seen only by processes that enter; from outside its files stand under `inside`."""

    def __init__(self, folder: Path, kilobytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        script = 'mount -t tmpfs -o "size=$1k" tmpfs "$2" && echo ready && read -r _'
        self._holder = subprocess.Popen(
            ["unshare", "-rm", "sh", "-c", script, "sh", str(kilobytes), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"ready\n"

    @property
    def holder(self) -> int:
        """The process that sees the disk for as long as it is there."""
        return self._holder.pid

    @property
    def inside(self) -> Path:
        return Path(f"/proc/{self._holder.pid}/root") / self.folder.relative_to("/")

    def entering(self, cwd: Path) -> list[str]:
        """What to put before a command: it then runs where the disk is seen."""
        enter = ["nsenter", f"--target={self._holder.pid}", "--user", "--mount", "--preserve-credentials", "--"]
        return [*enter, "sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(cwd)]

    def run(self, *command: str) -> None:
        subprocess.run([*self.entering(self.folder), *command], capture_output=True, check=True)

    def make_read_only(self) -> None:
        self.run("mount", "-o", "remount,ro", str(self.folder))

    def make_writable(self) -> None:
        self.run("mount", "-o", "remount,rw", str(self.folder))

    def fill(self, leaving: int = 0) -> None:
        """Until there is no room, then gives some back."""
        path = self.inside / "filler"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            while True:
                os.write(descriptor, b"x" * 4096)
        except OSError:
            os.ftruncate(descriptor, max(0, os.fstat(descriptor).st_size - leaving))
        finally:
            os.close(descriptor)

    def use_up_files(self) -> None:
        """Leaves room for bytes, and for not one more file."""
        self.run("mount", "-o", "remount,nr_inodes=1000", str(self.folder))
        try:
            for number in range(1000):
                (self.inside / f"file-{number}").touch()
        except OSError:
            return

    def free(self) -> None:
        (self.inside / "filler").unlink()

    def close(self) -> None:
        assert self._holder.stdin is not None
        self._holder.stdin.close()
        self._holder.wait(timeout=20)
        assert self._holder.stdout is not None
        self._holder.stdout.close()


class CliInside(Cli):
    """The program run by somebody who sees the disk."""

    def __init__(self, disk: SmallDisk, cwd: Path, environment: dict[str, str]) -> None:
        is_forked = self.is_forked and preloaded.is_possible(environment)
        super().__init__(cwd if is_forked else Path("/"), environment)
        self.disk = disk
        self.root = cwd
        self.seeing = disk.holder if is_forked else None

    def command(self, *arguments: str) -> list[str]:
        entering = [] if self.seeing else self.disk.entering(self.root)
        return [*entering, *super().command(*arguments)]

    @property
    def seen(self) -> Path:
        """The project as it is seen from outside."""
        return Path(f"{self.disk.inside}") / self.root.relative_to(self.disk.folder)


def repository_on(disk: SmallDisk, environment: dict[str, str]) -> Path:
    new_repository(disk.inside / "shop", environment)
    return disk.folder / "shop"
