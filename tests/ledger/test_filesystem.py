"""Where WAL is not safe: network file systems are told by the mount that holds the folder (SPEC 2.3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from perdure.ledger import filesystem
from perdure.ledger.filesystem import is_network, kind_of

MOUNTINFO = r"""
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
23 22 0:21 / /proc rw,nosuid shared:12 - proc proc rw
31 22 0:27 / /home rw,relatime shared:14 - nfs4 server:/export/home rw,vers=4.2
32 31 254:2 / /home/ann/local rw,relatime shared:15 - xfs /dev/vdb1 rw
33 32 0:40 / /home/ann/local/far rw - fuse.sshfs ann@far: rw,user_id=1000
34 22 0:41 / /mnt/share rw,relatime - cifs //server/share rw,vers=3.1.1
35 22 0:42 / /mnt/c rw,noatime - 9p drvfs rw,aname=drvfs
36 22 0:43 / /srv/with\040space\011tab rw - nfs server:/s rw
37 22 0:44 / /srv/back\134slash rw - cifs //s/b rw
38 22 0:45 / /srv/new\012line rw - nfs4 s:/n rw
39 22 0:46 / /var/lib/overlay rw master:3 propagate_from:2 - overlay overlay rw,lowerdir=/a
40 22 0:47 / /data rw - ext4 /dev/vdc rw
41 22 0:48 / /data rw - nfs server:/data rw
42 22 0:49 / /host rw - virtiofs host rw
43 22 0:50 / /bucket rw - fuse.s3fs s3fs rw
44 22 0:51 / /music rw - fuse.ntfs-3g /dev/sdb1 rw
45 22 0:52 / /srv/literal\134040 rw - smb3 //s/l rw
not a mount line
"""
MOUNTS = [filesystem._mountinfo(line) for line in MOUNTINFO.splitlines() if " - " in line]

KINDS = {
    "/": "ext4",
    "/etc": "ext4",
    "/home": "nfs4",
    "/home/ann/shop": "nfs4",
    "/homework": "ext4",
    "/home/ann/local": "xfs",
    "/home/ann/local/shop": "xfs",
    "/home/ann/localised": "nfs4",
    "/home/ann/local/far/shop": "fuse.sshfs",
    "/mnt/share/a/b/c": "cifs",
    "/mnt/c/Users/ann/shop": "9p",
    "/srv/with space\ttab/shop": "nfs",
    "/srv/with": "ext4",
    "/srv/back\\slash/shop": "cifs",
    "/srv/new\nline/shop": "nfs4",
    "/srv/literal\\040/shop": "smb3",
    "/var/lib/overlay/x": "overlay",
    "/data/x": "nfs",
    "/host/shop": "virtiofs",
    "/bucket/shop": "fuse.s3fs",
    "/music": "fuse.ntfs-3g",
}
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.s3fs"}


@pytest.mark.parametrize(("folder", "kind"), KINDS.items(), ids=[ascii(folder) for folder in KINDS])
def test_the_nearest_mount_above_a_folder_says_what_it_is_on(folder: str, kind: str) -> None:
    assert kind_of(folder, MOUNTS) == kind


@pytest.mark.parametrize(("folder", "kind"), KINDS.items(), ids=[ascii(folder) for folder in KINDS])
def test_a_network_is_a_network_and_a_disk_is_a_disk(folder: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem, "_mounts", lambda: MOUNTS)
    monkeypatch.setattr(filesystem.os.path, "realpath", lambda path: path)
    assert is_network(folder) == (kind in NETWORK)


def test_where_nothing_is_known_it_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem, "_mounts", list)
    assert kind_of("/x", []) == ""
    assert not is_network("/")


def test_a_link_onto_a_network_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    there = str((tmp_path / "far").resolve())
    monkeypatch.setattr(filesystem, "_mounts", lambda: [("/", "ext4"), (there, "nfs4")])
    assert is_network(str(tmp_path / "near"))
    assert not is_network(str(tmp_path))


def test_the_mounts_of_this_machine_can_be_read(tmp_path: Path) -> None:
    assert kind_of("/", filesystem._mounts())
    assert is_network(str(tmp_path)) in (True, False)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/dev/disk3s1 on / (apfs, sealed, local, read-only)", ("/", "apfs")),
        ("//ann@server/share on /Volumes/share (smbfs, nodev, nosuid)", ("/Volumes/share", "smbfs")),
        ("server:/x on /Volumes/with (round) (nfs)", ("/Volumes/with (round)", "nfs")),
    ],
)
def test_what_mount_says_on_macos(line: str, found: tuple[str, str]) -> None:
    assert filesystem._mount_line(line) == found
