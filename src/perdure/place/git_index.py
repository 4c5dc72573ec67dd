"""Does git track what only this home may write? Then a pull or a checkout replaces it without asking (SPEC 3.5).

This is asked whenever a ledger is opened, so no process is started where the answer is no: git's index has the path of
every tracked file in it, and those bytes are searched. Only an index of version 4 has paths in pieces, and there git is
asked every time.

    if replaceable(root): ...               "100644 <blob> 0\t.perdure/ledger.db", a line for each file
    if may_track(root, ".perdure/export"):  then ask git
"""

from __future__ import annotations

import os
import sys

from perdure.files import listing
from perdure.model.shell_quote import quote
from perdure.place import repository
from perdure.place.git_ignore import PRIVATE
from perdure.place.project import FOLDER, folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LEDGER, _TRANSACTION = "ledger.db", "active_transaction"
_IN_PIECES = 4
"""The version of an index that leaves out of each path what the path before it has too."""


def replaceable(root: str) -> str:
    """What git's index has of the ledger, of the logs beside it, and of transaction files: a line for each, with the
    hash of its content. Empty if it has none of them."""
    names = [f"{FOLDER}/{name}".encode() for name in (_LEDGER, _TRANSACTION)]
    any_case = sys.platform == "darwin"  # there `.Perdure/Ledger.db` is the same file
    found = (_tracked(each, root) for each in _work_trees(root) if _may_list(each, names, any_case=any_case))
    return "\n".join(sorted({line for lines in found for line in lines if is_replaceable(line)}))


def names_in(lines: str) -> list[str]:
    """The paths in what `replaceable` answered."""
    return [line.partition("\t")[2] for line in lines.splitlines()]


def untracking(root: str) -> str:
    """The command that takes everything that only this home may write out of git, and leaves it where it is. Empty if
    git tracks nothing of it. Without `-f`, git refuses where the file has changed since it was added."""
    commands = []
    for work_tree in _work_trees(root):
        private = [line for line in _tracked(work_tree, root) if _name_in(line).startswith(PRIVATE)]
        if private:
            names = " ".join(dict.fromkeys(map(quote, names_in("\n".join(private)))))
            commands.append(f"git -C {quote(work_tree)} rm --cached -f {names}")
    return " && ".join(commands)


def warning(root: str) -> str:
    """Empty if git tracks nothing that a pull could replace."""
    tracked = replaceable(root)
    if not tracked:
        return ""
    return f"git tracks {names_in(tracked)[0]}, and each pull may replace it. A person runs {untracking(root)}"


def may_track(root: str, path: str) -> bool:
    """Whether git may track this path below the folder. If not, git need not be asked."""
    return any(_may_list(work_tree, [os.fsencode(path)]) for work_tree in _work_trees(root))


def _work_trees(root: str) -> list[str]:
    """The work tree of every repository around this folder, since each of them can track files in it."""
    return [folder for folder in repository.upward(root) if repository.git_folder_of(folder)]


def _may_list(work_tree: str, names: list[bytes], *, any_case: bool = False) -> bool:
    """Whether the index of this work tree may have a path with one of these names in it."""
    for content in _indexes(work_tree):
        if int.from_bytes(content[4:8], "big") >= _IN_PIECES:
            return True
        searched = content.lower() if any_case else content
        if any((name.lower() if any_case else name) in searched for name in names):
            return True
    return False


def _indexes(work_tree: str) -> Iterator[bytes]:
    """The content of each file that belongs to the index."""
    git_folder = repository.git_folder_of(work_tree) or ""
    shared = [name for name in listing(git_folder) if name.startswith("sharedindex.")]
    for name in ("index", *shared):
        try:
            with open(os.path.join(git_folder, name), "rb") as file:
                yield file.read()
        except OSError:
            continue  # git has no index before the first file is added


def _tracked(work_tree: str, root: str) -> list[str]:
    """One line for each file that git tracks in `.perdure`: mode, hash, stage, a tab, and the path in the work tree."""
    folder = os.path.relpath(os.path.realpath(folder_of(root)), work_tree)
    if not _may_list(work_tree, [os.fsencode(folder)], any_case=True):
        return []
    said = repository.git(work_tree, "ls-files", "--stage", "-z", "--", f":(icase,literal){folder}")
    return [line.replace("\n", "?") for line in said.split("\0") if line]


def _name_in(line: str) -> str:
    """The path within `.perdure`."""
    return line.lower().rpartition(f"{FOLDER}/")[2]


def is_replaceable(path: str) -> bool:
    """Whether a path, or a line that ends with one, is that of a ledger, of a log beside it, or of a transaction
    file."""
    name = _name_in(path)
    return name == _LEDGER or name.startswith((f"{_LEDGER}-", _TRANSACTION))
