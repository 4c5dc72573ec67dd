"""Runs a command so that it can change nothing outside scratch: `perdure readonly`, and the client's shells (SPEC 5.8).

It chooses what the jail gives: the gate's own scratch folders, without what is to be protected in them, and the files
that our standard output goes to. Either the command runs in the jail, or `NotConfined` is raised and nothing runs.

    run(Gate(resolve_request(request)), ["make", "-n"])     # does not return
"""

from __future__ import annotations

import os
import stat
import sys

from perdure.clients import settings_files
from perdure.errors import NotConfined
from perdure.jail.confine import confine, replace_process, running_kernel
from perdure.jail.plan import plan_for
from perdure.jail.remembered import MARK, folders_in
from perdure.jail.scratch import parts
from perdure.jail.streams import output_files
from perdure.place import repository
from perdure.place.given_environment import given_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from perdure.actions.gating import Gate
    from perdure.jail.scratch import Parts

NOT_FOUND, NOT_RUNNABLE = 127, 126


def run(gate: Gate, words: Sequence[str], *, network: bool = False, files: tuple[str, ...] = ()) -> NoReturn:
    """`files` may be written to, besides scratch."""
    environment = given_environment()
    environment[MARK] = b"1"
    folders, own = given_folders(gate, os.fsdecode(environment.get(b"TMPDIR", b"")))
    if own:
        environment[b"TMPDIR"] = os.fsencode(own)
    if sys.platform == "darwin":
        replace_process(_in_seatbelt(words, folders, files, network=network), environment)
    plan = plan_for(running_kernel(), folders=folders, files=(*files, *output_files()), network=network)
    confine(plan)
    replace_process(words, environment)


def given_folders(
    gate: Gate, temporary: str, *, entries: Callable[[str], list[str]] = folders_in
) -> tuple[tuple[str, ...], str]:
    """The folders that a jailed command may write to, and the one that its TMPDIR must name; empty if it keeps its own,
    which is `temporary`. `entries` lists the folders in a folder."""
    given = writable_parts(gate, entries=entries)
    own = _own_folder(given, os.path.realpath(temporary or "/tmp"))
    return (*given.given, *([own] if own else [])), own


def writable_parts(gate: Gate, *, entries: Callable[[str], list[str]] = folders_in) -> Parts:
    """The gate's scratch folders that hold nothing to protect, and the parts of the others."""
    inner, outer = _protected(gate)
    scratch = [folder for folder in gate.world.scratch if not any(_is_below(folder, path) for path in inner)]
    return parts(scratch, protected=[*inner, *outer], entries=entries)


def _protected(gate: Gate) -> tuple[list[str], list[str]]:
    """Folders in which nothing is scratch, and those in which something may be, as TMPDIR in the person's home."""
    resolved, world = gate.resolved, gate.world
    environment = resolved.request.environment
    found = repository.enclosing(world.cwd)
    inner = [*world.records, *(entry.path for entry in resolved.registry.entries())]
    inner += [found.work_tree, found.main, found.common] if found else []
    if not any(_is_below(folder, world.base) for folder in world.scratch):
        inner.append(world.base)
    for files in settings_files():
        inner += [environment.get(files.variable, ""), os.path.join(world.home, files.folder) if world.home else ""]
    outer = [world.home, os.path.realpath(os.path.expanduser("~"))]
    return _real(inner), _real(outer)


def _real(paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(os.path.realpath(path) for path in paths if os.path.isabs(path) and path != "/"))


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _own_folder(given: Parts, usual: str) -> str:
    """A folder of this user for new temporary files, where the usual one cannot be given whole; empty if it can, or if
    somebody else made something of that name."""
    if usual not in given.split:
        return ""
    path = os.path.join(usual, f"perdure-readonly-{os.getuid()}")
    try:
        os.makedirs(path, 0o700, exist_ok=True)
        found = os.lstat(path)
    except OSError:
        return ""
    return path if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() else ""


def _in_seatbelt(words: Sequence[str], folders: tuple[str, ...], files: tuple[str, ...], *, network: bool) -> list[str]:
    from perdure.jail import seatbelt

    if not os.access(seatbelt.PROGRAM, os.X_OK):
        raise NotConfined("no_jail", f"A command cannot be run read-only here: there is no {seatbelt.PROGRAM}.")
    return [seatbelt.PROGRAM, "-p", seatbelt.profile(folders=folders, files=files, network=network), *words]
