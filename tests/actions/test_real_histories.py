"""Quotes are cited at one commit and looked for at another, in repositories made with git's own commands (SPEC 8.2).

First a table of what people do to a repository, then histories that hypothesis makes. The oracle of the latter gives
each line a number of its own and knows each file by the object that it is, not by its name; it shares no code with
`src`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from perdure.actions.containing_files import OldFile
from perdure.actions.work_tree import WorkTree
from perdure.grounding.citation import LineCitation
from perdure.grounding.verdict import StoredEvidence, Verdict, check_evidence, claim_quote
from perdure.model.value import value
from tests import effort
from tests.conftest import git, new_repository, process_environment
from tests.effort import sampled

LINES = [f"value_{number} = compute_number({number})" for number in range(60)]
TEXT = "\n".join(LINES) + "\n"
LICENCE = "".join(f"# clause {number} of a licence that everybody agreed to\n" for number in range(90))


@value
class Citation:
    path: str
    quote: str
    evidence: StoredEvidence
    commit: str
    blob: str


class History:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self._environment = folder, environment

    def git(self, *words: str) -> str:
        return git(self.folder, self._environment, *words)

    def write(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "c")
        return self.git("rev-parse", "HEAD").strip()

    def move(self, old: str, new: str) -> None:
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)

    def cite(self, path: str, line: int, quote: str) -> Citation:
        with WorkTree(str(self.folder)) as tree:
            made = claim_quote(LineCitation(path, line, line), quote, tree.file(path))
            assert (made.outcome, made.first) == ("verified", line)
            evidence = StoredEvidence(path=path, first=made.first, last=made.last, quote=quote)
            return Citation(path, quote, evidence, str(tree.commit), str(tree.blob(path)))

    def check(self, cited: Citation) -> Verdict:
        with WorkTree(str(self.folder)) as tree:
            if tree.file(cited.path) is None:
                tree.expect_renames([OldFile(cited.path, cited.commit, cited.blob)])
            renamed = tree.renamed(cited.path, cited.commit, cited.blob)
            return check_evidence(cited.evidence, tree.file(cited.path), renamed)


# -- what people do ----------------------------------------------------------------------------------------------------


def rebase(h: History) -> None:
    """The branch that cited is rebased on one that put lines above and renamed another file."""
    h.git("checkout", "-q", "-b", "topic")
    h.write("topic.txt", "topic\n")
    h.commit()
    h.git("checkout", "-q", "main")
    h.write("a.py", "# one\n# two\n" + TEXT)
    h.move("b.py", "c.py")
    h.commit()
    h.git("rebase", "-q", "main", "topic")


def squash(h: History) -> None:
    h.git("checkout", "-q", "-b", "topic")
    h.move("a.py", "lib/a.py")
    h.commit()
    h.write("lib/a.py", "# one\n" + TEXT)
    h.commit()
    h.git("checkout", "-q", "main")
    h.git("merge", "-q", "--squash", "topic")
    h.commit()
    h.git("branch", "-q", "-D", "topic")


def merge(h: History) -> None:
    h.git("checkout", "-q", "-b", "topic")
    h.move("a.py", "lib/a.py")
    h.commit()
    h.git("checkout", "-q", "main")
    h.write("a.py", "# one\n" + TEXT)
    h.commit()
    h.git("merge", "-q", "--no-ff", "-m", "m", "topic")


def reverted(h: History) -> None:
    h.write("a.py", TEXT.replace(LINES[30], "pass"))
    h.commit()
    h.git("revert", "--no-edit", "HEAD")


def deleted_and_reverted(h: History) -> None:
    h.git("rm", "-q", "a.py")
    h.commit()
    h.git("revert", "--no-edit", "HEAD")


def cherry_picked(h: History) -> None:
    h.git("checkout", "-q", "-b", "topic")
    h.write("a.py", "# one\n" + TEXT)
    h.commit()
    h.git("checkout", "-q", "main")
    h.git("cherry-pick", "topic")


def other_branch(h: History) -> None:
    h.git("checkout", "-q", "--orphan", "docs")
    h.git("rm", "-rqf", ".")
    h.write("index.html", "<p>nothing else</p>\n")
    h.commit()


def into_a_folder(h: History) -> None:
    for name in ("a.py", "b.py", "wide.txt"):
        h.move(name, f"packages/core/{name}")
    h.commit()


def shallow(h: History) -> None:
    """The commit of the claim is not there any more."""
    h.move("a.py", "z.py")
    h.commit()
    head = h.git("commit-tree", "HEAD^{tree}", "-m", "all in one").strip()
    h.git("reset", "-q", "--hard", head)
    h.git("reflog", "expire", "--expire=now", "--all")
    h.git("gc", "-q", "--prune=now")


def linked(h: History) -> None:
    h.move("a.py", "real.py")
    (h.folder / "a.py").symlink_to("real.py")
    h.commit()


def linked_outside(h: History) -> None:
    (h.folder / "a.py").unlink()
    (h.folder / "a.py").symlink_to("/etc/hostname")
    h.commit()


def swapped(h: History) -> None:
    h.move("a.py", "x.py")
    h.move("b.py", "a.py")
    h.move("x.py", "b.py")
    h.commit()


def with_licence(h: History) -> None:
    h.git("rm", "-q", "a.py")
    h.write("lib/first.py", LICENCE + TEXT)
    h.commit()


def conflict(h: History) -> None:
    h.git("checkout", "-q", "-b", "topic")
    h.write("a.py", TEXT.replace(LINES[30], "of_topic = 1"))
    h.commit()
    h.git("checkout", "-q", "main")
    h.write("a.py", TEXT.replace(LINES[30], "of_main = 1"))
    h.commit()
    with pytest.raises(Exception, match="merge"):
        h.git("merge", "-q", "topic")


def written(path: str, content: str | bytes) -> Callable[[History], None]:
    def change(h: History) -> None:
        h.write(path, content)
        h.commit()

    return change


WIDE = "".join(f"row {number} of many, many rows\n" for number in range(100_000))
CASES: dict[str, tuple[Callable[[History], object], str]] = {
    "a rebase": (rebase, "moved a.py:33"),
    "a squash": (squash, "moved lib/a.py:32"),
    "a merge of a rename and an edit": (merge, "moved lib/a.py:32"),
    "a revert of an edit": (reverted, "verified a.py:31"),
    "a revert of a deletion": (deleted_and_reverted, "verified a.py:31"),
    "a cherry-pick": (cherry_picked, "moved a.py:32"),
    "a branch without a common ancestor": (other_branch, "missing a.py:0"),
    "everything moved into a folder": (into_a_folder, "moved packages/core/a.py:31"),
    "a history that was cut": (shallow, "moved z.py:31"),
    "a link to the renamed file": (linked, "verified a.py:31"),
    "a link out of the project": (linked_outside, "changed a.py:0"),
    "two files with swapped names": (swapped, "changed a.py:0"),
    "a new name and a long licence": (with_licence, "moved lib/first.py:121"),
    "a conflict": (conflict, "changed a.py:0"),
    "CRLF": (written("a.py", TEXT.replace("\n", "\r\n")), "verified a.py:31"),
    "UTF-16": (written("a.py", TEXT.encode("utf-16")), "verified a.py:31"),
    "not UTF-8": (written("a.py", b"# caf\xe9\n" + TEXT.encode()), "moved a.py:32"),
    "binary": (written("a.py", b"\x7fELF\0\0\1\2" * 100 + TEXT.encode()), "changed a.py:0"),
    "reformatted": (written("a.py", TEXT.replace(" = ", "  =\t")), "verified a.py:31"),
    "a blank line after each": (written("a.py", TEXT.replace("\n", "\n\n")), "moved a.py:61"),
    "only a part is left": (written("a.py", "\n".join(LINES[28:]) + "\n"), "moved a.py:3"),
    "emptied": (written("a.py", ""), "changed a.py:0"),
}


@pytest.fixture
def history(tmp_path: Path, environment: dict[str, str]) -> History:
    made = History(new_repository(tmp_path / "shop", environment), environment)
    made.git("checkout", "-q", "-B", "main")
    made.write("a.py", TEXT)
    made.write("b.py", TEXT.replace("value", "other").replace("number", "count"))
    made.write("wide.txt", WIDE)
    made.commit()
    return made


def said(found: Verdict) -> str:
    return f"{found.outcome} {found.path}:{found.first}"


@pytest.mark.parametrize("case", CASES)
def test_what_people_do_to_a_repository_leaves_the_right_class(history: History, case: str) -> None:
    change, expected = CASES[case]
    cited = history.cite("a.py", 31, LINES[30])
    change(history)
    assert said(history.check(cited)) == expected


def test_in_a_file_of_100_000_lines_a_quote_is_followed(history: History) -> None:
    quote = "row 70000 of many, many rows"
    cited = history.cite("wide.txt", 70_001, quote)
    history.write("wide.txt", "above\n" + WIDE)
    history.move("wide.txt", "rows.txt")
    history.commit()
    assert said(history.check(cited)) == "moved rows.txt:70002"
    history.write("rows.txt", WIDE.replace(quote + "\n", ""))
    assert said(history.check(cited)) == "changed rows.txt:0"


def test_in_a_file_of_one_byte_for_a_letter_a_quote_is_followed(history: History) -> None:
    """Latin-1, also after a rename under a licence, which git calls none."""
    lines = [f"gr\xf6\xdfe_{number} = {number}" for number in range(20)]
    history.write("old.txt", "\n".join(lines).encode("latin-1"))
    history.commit()
    cited = history.cite("old.txt", 11, lines[10])
    history.git("rm", "-q", "old.txt")
    history.write("new.txt", (LICENCE + "\n".join(lines)).encode("latin-1"))
    history.commit()
    assert said(history.check(cited)) == "moved new.txt:101"


# -- histories that are made up ----------------------------------------------------------------------------------------


class File:
    """A file, whatever its name is: its lines, each with a number of its own."""

    def __init__(self, path: str, lines: list[tuple[int, str]]) -> None:
        self.path: str | None = path
        self.lines = lines

    def text(self) -> str:
        return "".join(f"{text}\n" for _, text in self.lines)


class Play:
    """Carries out steps in a repository, and knows what became of every line."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.files: list[File] = []
        self.steps = 0
        for name in ("first.py", "second.py", "third.py"):
            start = 1000 * len(self.files)
            self.files.append(File(name, [(n, f"line_{n} = compute({n})") for n in range(start, start + 30)]))
        for file in self.files:
            self._write(file)
        history.commit()

    def _write(self, file: File) -> None:
        assert file.path is not None
        self.history.write(file.path, file.text())

    def step(self, what: str, which: int, at: int, to: int) -> None:
        self.steps += 1
        alive = [file for file in self.files if file.path is not None]
        if not alive:
            return
        file = alive[which % len(alive)]
        if what not in ("edit", "unfinished", "amend"):
            self.history.commit()
        getattr(self, f"_{what}")(file, at, to)

    def _edited(self, file: File, at: int, to: int) -> None:
        lines, new = file.lines, (10_000 + self.steps, f"new_{self.steps} = compute(0)")
        how = (self.steps + to) % 5
        if how == 0 or len(lines) < 20:
            lines.insert(at % len(lines), new)
        elif how == 1:
            del lines[at % len(lines)]
        elif how == 2:
            lines[at % len(lines)] = new
        elif how == 3:
            lines.insert(to % len(lines), lines.pop(at % len(lines)))
        else:
            number, text = lines[at % len(lines)]
            lines[at % len(lines)] = (number, f"    {text}".replace(" = ", " =  "))
        self._write(file)

    def _edit(self, file: File, at: int, to: int) -> None:
        self._edited(file, at, to)
        self.history.commit()

    def _rename(self, file: File, at: int, to: int) -> None:
        """With an edit, in the same commit or not."""
        old, file.path = str(file.path), f"folder{to % 3}/name{self.steps}.py"
        self.history.move(old, file.path)
        if at % 2:
            self._edited(file, at, to)
        self.history.commit()

    def _remove(self, file: File, at: int, to: int) -> None:
        path = str(file.path)
        self.history.git("rm", "-q", path)
        self.history.commit()
        if to % 2:
            self.history.git("revert", "--no-edit", "HEAD")
        else:
            file.path = None

    def _branch(self, file: File, at: int, to: int) -> None:
        """One file is edited on the branch and another here; then the branch is merged, rebased or squashed."""
        git = self.history.git
        other = next((each for each in self.files if each.path and each is not file), None)
        name = f"topic{self.steps}"
        git("checkout", "-q", "-b", name)
        self._edit(file, at, to)
        git("checkout", "-q", "main")
        if other:
            self._edit(other, at, to)
        if to % 3 == 0:
            git("merge", "-q", "--no-ff", "-m", "m", name)
        elif to % 3 == 1:
            git("rebase", "-q", "main", name)
            git("checkout", "-q", "main")
            git("merge", "-q", "--ff-only", name)
        else:
            git("merge", "-q", "--squash", name)
            self.history.commit()

    def _amend(self, file: File, at: int, to: int) -> None:
        self._edited(file, at, to)
        self.history.git("commit", "-qa", "--amend", "-m", "amended")

    def _unfinished(self, file: File, at: int, to: int) -> None:
        """Edited and put into the index, or not; a later step commits it."""
        self._edited(file, at, to)
        if to % 2:
            self.history.git("add", "-A")
        else:
            self.history.commit()

    def expected(self, cited: Citation, file: File, number: int) -> str:
        if file.path is None:
            return f"missing {cited.path}:0"
        at = next((index for index, (each, _) in enumerate(file.lines, 1) if each == number), 0)
        if not at:
            return f"changed {file.path}:0"
        stays = (file.path, at) == (cited.path, cited.evidence.first)
        return f"{'verified' if stays else 'moved'} {file.path}:{at}"


STEP = st.tuples(
    st.sampled_from(["edit", "edit", "rename", "remove", "branch", "amend", "unfinished"]),
    st.integers(0, 9),
    st.integers(0, 99),
    st.integers(0, 99),
)


@contextmanager
def new_history() -> Iterator[History]:
    with tempfile.TemporaryDirectory() as folder:
        environment = process_environment(Path(folder))
        made = History(new_repository(Path(folder) / "shop", environment), environment)
        made.git("checkout", "-q", "-B", "main")
        yield made


@sampled
@settings(
    max_examples=60 if effort.is_full else 10, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate]
)
@given(st.lists(STEP, max_size=3), st.integers(0, 2), st.integers(0, 29), st.lists(STEP, min_size=1, max_size=9))
def test_lines_are_followed_through_histories_that_are_made_up(
    before: list[tuple[str, int, int, int]], which: int, line: int, after: list[tuple[str, int, int, int]]
) -> None:
    with new_history() as history:
        play = Play(history)
        for step in before:
            play.step(*step)
        alive = [file for file in play.files if file.path is not None]
        if not alive:
            return
        history.commit()
        file = alive[which % len(alive)]
        number, text = file.lines[line % len(file.lines)]
        cited = history.cite(str(file.path), line % len(file.lines) + 1, text)
        for step in after:
            play.step(*step)
        assert said(history.check(cited)) == play.expected(cited, file, number), (cited.path, number)
