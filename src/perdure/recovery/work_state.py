"""Says what is the case (SPEC 12.2): branch, last commit and whether it was pushed, what is not committed, the last
check, and whether the newest request is open, under way or answered.

From what a session's commands printed and changed. Where there is a work tree, git's own answer takes its place.
"""

from __future__ import annotations

import os
import re

from perdure.model.value import replace, value
from perdure.recovery import checks, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.recovery.simple_commands import SimpleCommand

_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\s\]]++)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.M
)
"""What `git commit` prints."""
_ON_BRANCH = re.compile(r"^(?:On branch |Switched to (?:a new )?branch ')([^\s']++)'?$", re.M)
_CONFLICTS = re.compile(r"^CONFLICT \([^)]*\): Merge conflict in (.+)$", re.M)
_ENDED = frozenset(("--continue", "--abort", "--quit"))
_IS_CLEAN = re.compile(r"^nothing to commit, working tree clean$", re.M)
_IS_AHEAD = re.compile(r"^Your branch is ahead of ", re.M)
_IS_UP_TO_DATE = re.compile(r"^Your branch is up to date with ", re.M)
_NOT_PUSHED = re.compile(r"^ !|^error: |^fatal: |\[rejected\]", re.M)
_LONG_STATUS = re.compile(
    r"^(?:Changes (?:to be committed|not staged for commit)|Un(?:tracked files|merged paths)):$", re.M
)
"""A heading of what `git status` prints."""
_LISTED = re.compile(r"^\t(?:[a-z][a-z ]{2,20}: +)?(?:.* -> )?(\S.*)$", re.M)
"""Below such a heading, and below a refusal of git's: a file."""
_IN_THE_WAY = re.compile(r"^error: .{0,80}\bwould be overwritten by \w+:\n(?:\t.+\n?)+", re.M)
_SHORT_STATUS = re.compile(r"^[ MADRCUT?!]{2} \"?(?:.* -> )?([^\n\"]+)\"?$")
_MERGES = frozenset(("git merge", "git rebase", "git cherry-pick"))
_NO_PUSH = frozenset(("--dry-run", "-n", "--delete", "-d", "--tags"))
_ALL = frozenset(("-A", "--all", ".", "-u", "--update", ":/"))
_COMMITS_ALL = re.compile(r"-[a-z]*a[a-z]*\Z|--all\Z")
_ANNOUNCES = re.compile(
    r"(?:[:…]|\.\.\.)\s*\Z|\b(?:let me|now i|i'll|i will|next,? i)\b(?:[^.!?\n]|[.!?](?=[^\s.!?]))*[.!]?\s*\Z", re.I
)
"""The end of a text after which the agent goes on by itself."""

OPEN, UNDER_WAY, ANSWERED, ASKED_BACK = "open", "under way", "answered", "waits for the person's answer"


@value
class Commit:
    hash: str
    subject: str
    pushed: bool | None = None
    """None if that is not known."""


@value
class LastCheck:
    """The last check, and how many files were changed after it."""

    command: str
    passed: bool | None
    """None if its exit code was hidden and its output says neither."""
    source: str
    changed_since: int = 0


@value
class GitState:
    """What git says of a work tree. A field is None where it does not say."""

    branch: str | None = None
    commit: Commit | None = None
    uncommitted: tuple[str, ...] | None = None


class WorkState:
    """What is the case after the events so far."""

    def __init__(self) -> None:
        self.branch = ""
        self.commit: Commit | None = None
        self.commit_source = ""
        self.committed_since_request = False
        self.uncommitted: dict[str, None] = {}
        """Absolute paths that were changed and not committed since, the latest last."""
        self.check: LastCheck | None = None
        self.request = ""
        """The state of the newest request: OPEN, UNDER_WAY, ANSWERED, ASKED_BACK; empty if there is none."""
        self._staged: set[str] = set()
        self._untracked: set[str] = set()
        """Files that git does not know: nothing is left of them once they are removed."""
        self._stashed: dict[str, None] = {}

    # -- the newest request ------------------------------------------------------------------------------------------

    def was_asked(self) -> None:
        self.request, self.committed_since_request = OPEN, False

    @property
    def agent_is_done(self) -> bool:
        """Whether the agent's last words ended its turn."""
        return self.request in (ANSWERED, ASKED_BACK)

    def worked(self) -> None:
        """The agent called a tool, or a tool answered."""
        if self.request:
            self.request = UNDER_WAY

    def agent_said(self, text: str, ends_turn: bool | None) -> None:
        """The agent's words. `ends_turn`: whether the client says that these were the last of its turn."""
        if not self.request:
            return
        goes_on = bool(_ANNOUNCES.search(text[-300:])) if ends_turn is None else not ends_turn
        if goes_on:
            self.request = UNDER_WAY
        else:
            self.request = ASKED_BACK if text.rstrip(" \n*_`)").endswith(("?", "？")) else ANSWERED

    # -- files and commands ------------------------------------------------------------------------------------------

    def changed(self, path: str, *, is_new: bool = False) -> None:
        """A file of the work was changed, or made."""
        if is_new:
            self._untracked.add(path)
        self.uncommitted.pop(path, None)
        self.uncommitted[path] = None
        self._staged.discard(path)
        if self.check:
            self.check = replace(self.check, changed_since=self.check.changed_since + 1)

    def checked(self, command: str, passed: bool | None, source: str) -> None:
        """A check was run. A command of several checks is named by the last of them."""
        simple = commands.simple_commands(command)
        named = [each for each in simple if commands.makes_a_check(each) and not checks.runs_nothing(each)]
        if named:
            self.check = LastCheck(named[-1].text, passed, source)

    def ran(self, simple: SimpleCommand, written: Sequence[str], named: Sequence[str]) -> None:
        """A command succeeded that wrote and named these files (absolute)."""
        for path in written:
            self.changed(path)
        kind = commands.kind(simple)
        if kind == "rm":
            self._forget({*written} & self._untracked)
        elif kind == "git add":
            self._staged |= {*self.uncommitted} if _ALL & {*simple.words} else self._below(named)
        elif kind == "git commit" and "--dry-run" not in simple.words:
            self._commit_made(any(_COMMITS_ALL.match(word) for word in simple.words[1:]))
        elif kind == "git push" and self.commit and _NO_PUSH.isdisjoint(simple.words):
            self.commit = replace(self.commit, pushed=True)
        else:
            self._undo(simple, kind, named)

    def _undo(self, simple: SimpleCommand, kind: str, named: Sequence[str]) -> None:
        """A command that undoes changes, puts them aside or brings them back."""
        if kind in ("git checkout", "git restore") and named:
            self._forget(self._below(named))
        elif (kind == "git reset" and "--hard" in simple.words) or (kind in _MERGES and _ENDED & {*simple.words}):
            self.uncommitted.clear()
        elif checks.stashes_changes(simple):
            self._stashed, self.uncommitted = self.uncommitted, {}
        elif checks.restores_stash(simple):
            self.uncommitted = {**self._stashed, **self.uncommitted}

    def _below(self, named: Sequence[str]) -> set[str]:
        return {path for path in self.uncommitted if any(path == one or path.startswith(one + "/") for one in named)}

    def _forget(self, gone: set[str]) -> None:
        self.uncommitted = {path: None for path in self.uncommitted if path not in gone}
        self._staged -= gone
        self._untracked -= gone

    def _commit_made(self, of_all: bool) -> None:
        """What was staged is committed; which commit it is, the output says."""
        self._forget({*self.uncommitted} if of_all else {*self._staged})
        self.committed_since_request = True
        self.commit = None

    def printed(self, command: str, output: str, source: str, *, folder: str, root: str = "") -> None:
        """What git printed about the work tree. A command may make several commits: the last one counts. Some of git's
        paths are relative to the folder, others to the root."""
        simple = commands.simple_commands(command)
        if not any(each.program == "git" for each in simple):
            return
        made = list(_COMMITTED.finditer(output))
        if made and any(commands.kind(each) == "git commit" for each in simple):
            self._commit_named(made[-1], source, is_pushed=self._pushes(simple) and not _NOT_PUSHED.search(output))
        elif self.commit and self._pushes(simple) and _NOT_PUSHED.search(output):
            self.commit = replace(self.commit, pushed=False)
        self._conflicts(simple, output, folder)
        self._refused(output, root or folder)
        found = _ON_BRANCH.findall(output)
        if found:
            self.branch = found[-1]
        self._status(simple, output, folder)

    def _pushes(self, simple: Sequence[SimpleCommand]) -> bool:
        return any(commands.kind(each) == "git push" and _NO_PUSH.isdisjoint(each.words) for each in simple)

    def _commit_named(self, made: re.Match[str], source: str, *, is_pushed: bool) -> None:
        self.commit = Commit(made["hash"], made["subject"], is_pushed)
        self.commit_source = source
        if made["branch"] != "detached":
            self.branch = made["branch"]

    def _conflicts(self, simple: Sequence[SimpleCommand], output: str, folder: str) -> None:
        """A merge that stopped leaves the files in conflict uncommitted."""
        if any(commands.kind(each) in _MERGES for each in simple):
            for path in _CONFLICTS.findall(output):
                self.uncommitted[os.path.normpath(os.path.join(folder, path))] = None

    def _refused(self, output: str, root: str) -> None:
        """The files that git would not overwrite are changed."""
        for found in _IN_THE_WAY.findall(output):
            for path in _LISTED.findall(found):
                self.uncommitted.setdefault(os.path.normpath(os.path.join(root, path)), None)

    def _status(self, simple: Sequence[SimpleCommand], output: str, folder: str) -> None:
        """What `git status` says takes the place of what was counted. `git stash pop` prints the same."""
        asked = [at for at, each in enumerate(simple) if _shows_status(each)]
        if not asked:
            return
        if _IS_CLEAN.search(output):
            self.uncommitted.clear()
        if self.commit and (_IS_AHEAD.search(output) or _IS_UP_TO_DATE.search(output)):
            self.commit = replace(self.commit, pushed=not _IS_AHEAD.search(output))
        is_short = not {"--short", "-s", "--porcelain"}.isdisjoint(simple[asked[0]].words)
        if is_short and len(simple) == 1:
            self._short_status(output, folder)
        elif all(commands.only_looks(each.text) for each in simple[asked[-1] + 1 :]):
            self._long_status(output, folder)

    def _long_status(self, output: str, folder: str) -> None:
        """The files below each heading; none, if a filter left none."""
        found: dict[str, set[str]] = {}
        for heading, part in zip(_LONG_STATUS.findall(output), _LONG_STATUS.split(output)[1:], strict=True):
            listed = _LISTED.findall(part.partition("\n\n")[0])
            found[heading] = {os.path.normpath(os.path.join(folder, path)) for path in listed}
        if any(found.values()):
            self._listed(dict.fromkeys(path for listed in found.values() for path in sorted(listed)))
            self._staged = {*found.get("Changes to be committed:", ())}
            self._untracked |= found.get("Untracked files:", set())

    def _short_status(self, output: str, folder: str) -> None:
        listed = [_SHORT_STATUS.match(line) for line in output.splitlines() if line.strip()]
        if all(listed):
            paths = {os.path.normpath(os.path.join(folder, each[1])): each[0][:2] for each in listed if each}
            self._listed(dict.fromkeys(paths))
            self._untracked |= {path for path, sign in paths.items() if sign == "??"}

    def _listed(self, found: dict[str, None]) -> None:
        """What git lists, in the order in which it was changed as far as that is known."""
        self.uncommitted = {
            **{path: None for path in found if path not in self.uncommitted},
            **{path: None for path in self.uncommitted if path in found},
        }

    def with_git(self, said: GitState | None) -> GitState:
        """What git says; for what it does not say, what was seen."""
        seen = GitState(self.branch or None, self.commit, tuple(reversed(self.uncommitted)))
        if said is None:
            return seen
        return GitState(
            said.branch if said.branch is not None else seen.branch,
            said.commit if said.commit is not None else seen.commit,
            said.uncommitted if said.uncommitted is not None else seen.uncommitted,
        )


def _shows_status(simple: SimpleCommand) -> bool:
    return commands.kind(simple) == "git status" or checks.restores_stash(simple)
