"""Anchors: signed heads stored where somebody who can rewrite this machine cannot change them (SPEC 14.6).

They are stored in git: as a note on a commit (`refs/notes/perdure`, a whole signed note) or as a trailer of a commit
message (the same on one line). Perdure writes them and never pushes: they protect only once they are elsewhere. Anchors
are read back from git whoever wrote them; only a valid signature makes one count.

    Perdure-Head: 1c9d…-… 1337 CsUYap…= 2026-01-01T00:00:00.000Z 5d41402abc4b2a76 perdure/3f2a… q83v…=
"""

from __future__ import annotations

import os
from itertools import pairwise
from shlex import quote

from perdure.errors import Refused
from perdure.model.ids import is_uuid
from perdure.model.value import value
from perdure.place import repository
from perdure.proof import signed_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.proof.signed_note import Signed

TRAILER = "Perdure-Head"
REF = "refs/notes/perdure"
NAME_ANOTHER_REPOSITORY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")
"""Variables with which git would work on another repository than the one in its folder."""
_END = "\x1e"
_SECONDS = 60


@value
class Anchor:
    signed: Signed
    where: str


@value
class Anchored:
    anchors: tuple[Anchor, ...]
    has_answered: bool
    """Whether git listed the commits."""


def trailer(head: Signed) -> str:
    """The head on one line, from which `_untrailed` restores the note byte for byte."""
    said = head.tree_head
    lines = head.text.splitlines()
    name, _, _ = head.signatures[0]
    signature = signed_note.written(head).splitlines()[-1].rpartition(" ")[2]
    return f"{TRAILER}: {said.ledger_id} {lines[1]} {lines[2]} {said.time} {said.place} {name} {signature}"


def _untrailed(text: str) -> Signed | None:
    words = text.split()
    if len(words) != 7 or not is_uuid(words[0]):
        return None
    ledger_id, size, root, time, place, name, signature = words
    lines = (signed_note.ORIGIN + ledger_id, size, root, f"time {time}", f"place {place}", "", f"— {name} {signature}")
    return signed_note.read_if_valid("".join(f"{line}\n" for line in lines))


def put_note(root: str, head: str) -> str:
    """Adds the head to the git note of the commit that is checked out; returns the commit."""
    commit = repository.git(root, "rev-parse", "HEAD").strip()
    if not commit:
        raise Refused(
            "no_commit", f"There is no commit in {root} to put a note on.", hint="perdure audit anchor --trailer"
        )
    if head not in _noted(root, commit):
        _run(root, "notes", f"--ref={REF}", "append", "--file=-", commit, given=head)
    return commit


def _noted(root: str, commit: str) -> str:
    return repository.git(root, "notes", f"--ref={REF}", "show", commit)


def _run(root: str, *arguments: str, given: str) -> None:
    """Keeps git's variables that name the author; drops those that name another repository."""
    import subprocess  # here, and shutil below: whoever audits loads this module, and only some write

    environment = {name: content for name, content in os.environ.items() if name not in NAME_ANOTHER_REPOSITORY}
    try:
        done = subprocess.run(
            ["git", *repository.SAFE, "-C", root, *arguments],
            input=given,
            capture_output=True,
            text=True,
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
        said = done.stderr.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused("anchor_failed", f"git could not be run: {error}.") from error
    if done.returncode:
        raise Refused("anchor_failed", f"git did not accept the note: {said[-300:]}", hint="Fix that, then try again.")


def anchored(root: str) -> Anchored:
    """Every head in a trailer of a commit on any branch, or in a note."""
    form = f"--format=%h %(trailers:key={TRAILER},valueonly,unfold){_END}"
    commits = repository.answer(root, "log", "--all", f"--grep=^{TRAILER}:", form)
    return Anchored((*_in_trailers(commits or ""), *_in_notes(root)), has_answered=commits is not None)


def _in_notes(root: str) -> Iterator[Anchor]:
    if not repository.may_have_reference(root, REF):
        return
    for line in repository.git(root, "notes", f"--ref={REF}", "list").splitlines():
        commit = line.partition(" ")[2]
        blocks = [block for block in _noted(root, commit).split("\n\n") if block.strip()]
        for body, signatures in pairwise(blocks):
            signed = (
                signed_note.read_if_valid(f"{body.strip()}\n\n{signatures.strip()}\n")
                if signatures.startswith("— ")
                else None
            )
            if signed:
                yield Anchor(signed, f"git note on {commit[:8]}")


def warn_git_silent(root: str, found: Anchored) -> Iterator[str]:
    """A warning if there is a repository but git does not answer: somebody may have broken its settings to hide
    anchors."""
    if found.has_answered or not _has_git() or not repository.enclosing(root):
        return
    if not repository.git(root, "rev-parse", "--git-dir"):
        yield f"git does not answer in {root}: the heads anchored there were not checked"


def _has_git() -> bool:
    from shutil import which  # it also imports every compression module

    return which("git") is not None


def out_of_silence(root: str) -> str:
    """git says itself what keeps it from answering: its settings cannot be read, or the repository belongs to another
    user."""
    return f"a person mends what this command says, and the record stays as it is: git -C {quote(root)} status"


def warn_git_missing(root: str) -> Iterator[str]:
    """A warning if there is a repository but no git to read it with."""
    if not _has_git() and repository.enclosing(root):
        yield "git is not installed: the heads anchored in the repository were not checked"


def _in_trailers(commits: str) -> Iterator[Anchor]:
    for entry in commits.split(_END):
        commit, _, values = entry.strip().partition(" ")
        for text in values.splitlines():
            signed = _untrailed(text)
            if signed:
                yield Anchor(signed, f"trailer of commit {commit}")
