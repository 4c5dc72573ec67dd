"""Asks beads' own program to write what its database has and its file lacks (SPEC 7.2).

`br` keeps its tasks in `.beads/beads.db`; `br sync --flush-only` writes them to the file, and never runs git. After
Perdure has written the file, `br sync --import-only` takes it into that database; otherwise the next flush would put
the old values back. `bd` keeps its tasks in a Dolt database; `bd export` prints them. What `bd` prints replaces the
file only if it has every task of the file, because `bd export -o` would drop the others without a word.

A program inside the project is not run: whoever wrote the repository would choose it.
"""

from __future__ import annotations

import os

from perdure.beads import lines
from perdure.errors import PerdureError
from perdure.views import task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 20.0
"""Seconds."""
_BR_DATABASE = "beads.db"
_BD_DATABASES = ("embeddeddolt", "dolt")


def flush(root: str, environment: Mapping[str, str]) -> list[str]:
    """Flushes the program that has this project's database, if it is installed. Returns what went wrong."""
    folder = os.path.join(root, task_file.FOLDER)
    if os.path.isfile(os.path.join(folder, _BR_DATABASE)):
        return _flush_br(root, environment)
    if any(os.path.isdir(os.path.join(folder, name)) for name in _BD_DATABASES):
        return _flush_bd(root, environment)
    return []


def tell_written(root: str, environment: Mapping[str, str]) -> list[str]:
    """Lets `br` take in a file that Perdure has written. Returns what went wrong."""
    is_of_br = os.path.isfile(os.path.join(root, task_file.FOLDER, _BR_DATABASE))
    program = _installed("br", root, environment) if is_of_br else None
    if program is None or _run([program, "sync", "--import-only"], root, environment) is not None:
        return []
    return ["br sync --import-only failed: its database lacks what Perdure wrote to the file"]


def _flush_br(root: str, environment: Mapping[str, str]) -> list[str]:
    program = _installed("br", root, environment)
    if program is None:
        return []
    done = _run([program, "sync", "--flush-only"], root, environment)
    return [] if done is not None else ["br sync --flush-only failed: what its database has may not be in the file"]


def _flush_bd(root: str, environment: Mapping[str, str]) -> list[str]:
    program = _installed("bd", root, environment)
    if program is None:
        return []
    printed = _run([program, "export"], root, environment)
    if printed is None:
        return ["bd export failed: what its database has may not be in the file"]
    path = task_file.located(root, None)
    with task_file.locked(path):
        content = task_file.read(path, lines.LARGEST_FILE)
        try:
            missing = _missing(printed, content or b"")
        except PerdureError as error:
            return [f"What bd export printed was not used: {error.message}"]
        if missing:
            return [f"bd's database lacks {len(missing)} of the file's tasks; bd import {task_file.NAME} adds them"]
        if printed.strip() and printed != content and not task_file.replaced(path, content, printed):
            return ["Another program wrote the task file while bd was asked"]
    return []


def _missing(printed: bytes, content: bytes) -> list[str]:
    """The tasks of the file that were not printed, those that Perdure made aside: it writes them again."""
    known = lines.parse_file(printed).by_id()
    return [
        issue_id
        for issue_id, line in lines.parse_file(content).by_id().items()
        if issue_id not in known and line.issue and not line.issue.is_deleted and not _is_ours(line)
    ]


def _is_ours(line: lines.BeadsLine) -> bool:
    return b'"created_by":"perdure"' in line.raw


def _installed(name: str, root: str, environment: Mapping[str, str]) -> str | None:
    """The program's path, if it is on the PATH and outside the project."""
    from shutil import which

    folders = [each for each in environment.get("PATH", "").split(os.pathsep) if os.path.isabs(each)]
    found = which(name, path=os.pathsep.join(folders)) if folders else None
    if found is None:
        return None
    real, inside = os.path.realpath(found), os.path.realpath(root) + os.sep
    return None if real.startswith(inside) or found.startswith(inside) else found


def _run(words: list[str], root: str, environment: Mapping[str, str]) -> bytes | None:
    """What the program prints; None if it fails or takes too long."""
    import subprocess

    try:
        done = subprocess.run(
            words,
            cwd=root,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
