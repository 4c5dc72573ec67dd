"""Files that change together in the history of the work."""

from __future__ import annotations

from perdure.recovery.cochange import TOO_MANY, beside
from perdure.recovery.gather import Gathering
from perdure.recovery.rank import files
from perdure.transcript.events import Called, Returned, WorkingFolder


def test_what_changed_with_it_more_than_once_belongs_to_it() -> None:
    commits = [{"cart.py", "till.py"}, {"cart.py", "till.py", "readme"}, {"cart.py"}, {"other.py", "till.py"}]
    assert beside(commits, frozenset({"cart.py"})) == {"till.py": 2 / 3}


def test_a_commit_that_changes_everything_says_nothing() -> None:
    everything = {f"{n}.py" for n in range(TOO_MANY + 1)}
    assert beside([everything, everything], frozenset({"1.py"})) == {}


def test_of_files_used_alike_the_one_that_changes_with_the_strong_ones_comes_first() -> None:
    g = Gathering()
    g.take(WorkingFolder("/w"))
    for number, name in enumerate(["far.py", "near.py", "bill.py", "till.py", "cart.py"]):
        tool = "Read" if number < 2 else "Edit"
        g.take(Called(uuid="u", id=str(number), tool=tool, given={"file_path": f"/w/{name}"}))
        g.take(Returned(uuid="u", id=str(number), text="ok", failed=False))
    commits = [{"cart.py", "far.py"}] * 3
    assert [each.text for each in files(g)][3:] == ["near.py", "far.py"], "the later of two looks"
    assert [each.text for each in files(g, commits)][3:] == ["far.py", "near.py"]
