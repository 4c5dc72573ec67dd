"""Is a folder on a network file system, where SQLite's WAL is not safe (SPEC 2.3)?

Linux says so in /proc/self/mountinfo. Where there is no such file (macOS), `mount` is asked once a process.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NETWORK = frozenset(
    (
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "afpfs",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "webdav",
        "davfs",
    )
)
"""virtiofs and fuse file systems of this machine are not in it; fuse.sshfs and its kin are told by their prefix."""
_NETWORK_FUSE = (
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.ceph",
    "fuse.s3fs",
    "fuse.rclone",
    "fuse.gcsfuse",
    "fuse.smbnetfs",
)


_ESCAPES = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}
"""How mountinfo writes what would end a word; the backslash last, since the others are written with one."""


def is_network(folder: str) -> bool:
    kind = kind_of(os.path.realpath(folder), _mounts())
    return kind in NETWORK or kind.startswith(_NETWORK_FUSE)


def kind_of(folder: str, mounts: Iterable[tuple[str, str]]) -> str:
    """The type of the mount that holds the folder: the longest mount point above it, the latest where two are equal."""
    best, found = -1, ""
    for point, kind in mounts:
        above = point == "/" or folder == point or folder.startswith(point + "/")
        if above and len(point) >= best:
            best, found = len(point), kind
    return found


def _mounts() -> list[tuple[str, str]]:
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as table:
            return [_mountinfo(line) for line in table if " - " in line]
    except FileNotFoundError:
        return _mounts_by_command()


def _mountinfo(line: str) -> tuple[str, str]:
    before, after = line.split(" - ", 1)
    point = before.split()[4]
    for escaped, written in _ESCAPES.items():
        point = point.replace(escaped, written)
    return point, after.split()[0]


def _mounts_by_command() -> list[tuple[str, str]]:
    import subprocess

    listing = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False).stdout
    return [_mount_line(line) for line in listing.splitlines() if " on " in line and " (" in line]


def _mount_line(line: str) -> tuple[str, str]:
    """macOS: `//user@host/share on /Volumes/share (smbfs, nodev)`."""
    point, options = line.split(" on ", 1)[1].rsplit(" (", 1)
    return point, options.split(",")[0].rstrip(")")
