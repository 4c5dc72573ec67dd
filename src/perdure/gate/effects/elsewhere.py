"""Analyses a command that another program runs elsewhere: in a container, in a pod, on another machine.

The analysis is the same as the gate's, but nothing is known of that place: no folder is scratch there, no file is the
person's, and no file can be asked for. So what depends on a file there is not sure to only read.

    why_text_changes(call, "cat /etc/hosts") == ""     why_text_changes(call, "rm x") says what it changes
"""

from __future__ import annotations

import os

from perdure.gate.effects.analysis import MOST_NESTED, Context, Walk, parsed
from perdure.gate.effects.finding import NOETIC, PartEffect
from perdure.gate.effects.working_folders import SharedFacts, WorkingFolders
from perdure.gate.shell.cursor import NotUnderstood
from perdure.gate.shell.words import PATH
from perdure.gate.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.shell.words import Field

DEPENDS = "depends on files that stand there"


class _UnknownDisk:
    """Answers nothing, and notes that it was asked for what a file says."""

    def __init__(self) -> None:
        self.was_asked = False

    def real(self, path: str) -> str:
        return os.path.normpath(path)

    def is_folder(self, path: str) -> bool:
        return False

    def has_dashed_name(self, folder: str) -> bool:
        return True

    def names_in(self, folder: str) -> frozenset[str]:
        self.was_asked = True
        return frozenset()

    def project_of(self, path: str) -> str:
        return ""

    def text_of(self, names: tuple[str, ...], folders: tuple[str, ...]) -> str:
        self.was_asked = True
        return ""

    def first_bytes(self, path: str) -> bytes:
        self.was_asked = True
        return b""


def why_words_change(call: ProgramCall, words: list[Field]) -> str:
    """Why the program with these words may change something there; '' where it only reads."""
    if not words:
        return "runs what stands on its standard input"
    return _judged(call, "", lambda walk, here: walk.run(words, here, _AS_A_PROGRAM, part=call.part))


_AS_A_PROGRAM = Context(wrappers=("env",))
"""No shell stands between: a word such as `cd` is no builtin."""


def why_text_changes(call: ProgramCall, text: str) -> str:
    """Why the shell text may change something there; '' where it only reads."""
    return _judged(call, text, lambda walk, here: walk.steps(walk.tree, here))


def _judged(call: ProgramCall, text: str, judge: Callable[[Walk, WorkingFolders], None]) -> str:
    outer, findings, disk = call.walk, list[PartEffect](), _UnknownDisk()
    try:
        tree = parsed(text)
    except NotUnderstood as trouble:
        return f"not understood: {trouble}"
    if outer.depth >= MOST_NESTED:
        return "too complex: shells within shells"
    world = World(
        cwd="/",
        base="/",
        home="/root",
        records=(),
        guard_files=lambda: frozenset(),
        scratch=(),
        program="",
        readers=(),
        temporary="",
        disk=disk,
    )
    shared = SharedFacts()
    shared.calls = outer.shared.calls
    walk = Walk(text, tree, world, findings=findings, shared=shared, depth=outer.depth + 1)
    walk.held, walk.scope.location = call.held, PATH
    here = WorkingFolders(None, world)
    here.set_unknown()
    judge(walk, here)
    outer.shared.calls = shared.calls
    if shared.scratch or shared.assumed_harmless or disk.was_asked:
        return DEPENDS
    return next((finding.reason for finding in findings if finding.effect != NOETIC), "")
