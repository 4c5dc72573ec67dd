"""A throw-away work tree in a sandbox of its own (bubblewrap): the rest of the machine is read-only, there is no
network, nobody there has a privilege, and what is written to /tmp is gone with it."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
from pathlib import Path

SETUP = r"""
set -e
mkdir w home; cd w
git init -q -b main .; git config user.name T; git config user.email t@example.invalid
mkdir -p src tests docs build
printf '# demo\n\nUsage: run it.\n' > README.md; printf 'alpha\nbeta\ngamma\nhello world\n' > a.txt
printf 'beta\nalpha\n10\n9\n' > b.txt
printf 'import sys\nfrom util import helper\n\n\n# TODO: arguments\ndef main():\n    return helper(1)\n' > src/app.py
printf '# TODO: type hints\ndef helper(x):\n    return x + 1\n' > src/util.py
printf 'from src.app import main\n\n\ndef test_main():\n    assert main() == 2\n' > tests/test_app.py
printf '{"name":"demo","items":[{"id":1,"tags":["x","y"]},{"id":2,"tags":[]}]}\n' > data.json
printf 'id,name,score\n1,ann,3.5\n2,bob,4\n' > table.csv
printf '2024-01-01 10:00:00 INFO start\n2024-01-01 10:00:01 ERROR boom\n2024-01-01 10:00:02 INFO done\n' > app.log
echo spaced > "with space.txt"; printf '# Guide\n\nSee alpha.\n' > docs/guide.md; ln -s a.txt link; : > empty.txt
tar czf archive.tar.gz docs; zip -qr archive.zip docs; printf 'all:\n\techo hi\n' > Makefile
printf '{"name":"demo","scripts":{"test":"true"}}\n' > package.json; echo build/ > .gitignore
git add -A; git commit -qm one; git tag v1; echo more >> README.md; git commit -qam two; git branch side
echo more2 >> README.md; git commit -qam three
git checkout -q side; echo s >> docs/guide.md; git commit -qam side1; git checkout -q main
echo st >> b.txt; git stash -q; git clone -q --bare . ../origin.git; git remote add origin ../origin.git; git fetch -q
echo new > new.txt; printf '\0\1bin text here\n' > build/out.bin; echo local >> a.txt
rm .git/hooks/*.sample ../origin.git/hooks/*.sample
git config core.checkStat minimal; git config core.trustctime false
find . -exec touch -h -d '2024-02-02 00:00:00' {} +; git status >/dev/null
"""
"""Git trusts its index in a copy as here: it looks at the times and sizes of files only, which a copy keeps."""
NEEDED = ("bwrap", "git", "jq", "gawk", "rg", "fdfind", "tree", "zip", "unzip", "bc", "xxd", "file", "xz")


def missing() -> str:
    """Why no command can be run here, or ''."""
    absent = [program for program in NEEDED if not shutil.which(program)]
    if absent:
        return f"not installed: {', '.join(absent)}"
    done = subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], capture_output=True, check=False)
    return "" if done.returncode == 0 else f"bubblewrap cannot run here: {done.stderr.decode()[:200]}"


def build(where: Path) -> Path:
    """The template of the work tree, its HOME and its remote."""
    where.mkdir(parents=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(where / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["bash", "-c", SETUP], cwd=where, env=environment, check=True, capture_output=True)
    return where


def copied(template: Path, to: Path) -> Path:
    subprocess.run(["cp", "-a", str(template), str(to)], check=True)
    return to


def run(box: Path, script: str, seconds: float) -> subprocess.CompletedProcess[bytes]:
    """bash runs the text with the box as /mnt, the work tree as the working folder and nothing else to write to."""
    sandbox = [
        *("bwrap", "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"),
        *("--bind", str(box), "/mnt", "--dev", "/dev", "--proc", "/proc", "--chdir", "/mnt/w"),
        *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
        *("--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/mnt/home"),
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "USER", "t"),
    ]
    return subprocess.run(
        [*sandbox, "bash", "-c", script], capture_output=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL
    )


Content = tuple[object, ...]


def moment(folder: Path) -> int:
    """Now, by the clock that the folder's file system gives files: it may lag behind Python's by some milliseconds."""
    (folder / "moment").touch()
    return (folder / "moment").stat().st_ctime_ns


def snapshot(
    box: Path, *, index: bool = True, of: dict[str, Content] | None = None, since: int = 0
) -> dict[str, Content]:
    """Every file's kind, mode, time and content. Without `index`, git's is left out: to look refreshes it. `of` is that
    of the template, which a file has that nobody has touched since the box was made: it need not be read."""
    found: dict[str, Content] = {}
    for folder, folders, files in os.walk(box):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            within = path[len(str(box)) :]
            if not index and within == "/w/.git/index":
                continue
            status = os.lstat(path)
            known = of.get(within) if of and status.st_ctime_ns < since else None
            found[within] = known or _content(path, status)
    return found


def _content(path: str, status: os.stat_result) -> Content:
    if stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            content = hashlib.sha256(file.read()).hexdigest()
        return status.st_mode, status.st_mtime_ns, content
    if stat.S_ISLNK(status.st_mode):
        return status.st_mode, status.st_mtime_ns, os.readlink(path)
    return (status.st_mode,)


def changed(before: dict[str, Content], after: dict[str, Content]) -> list[str]:
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
