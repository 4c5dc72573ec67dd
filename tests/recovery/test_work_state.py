"""What is the case, told before what was wished (SPEC 12.2)."""

from __future__ import annotations

import pytest

from perdure.recovery.brief import brief, state_section
from perdure.recovery.gather import Gathering
from perdure.recovery.work_state import ANSWERED, ASKED_BACK, OPEN, UNDER_WAY, Commit, GitState
from perdure.transcript.events import AgentSaid, Called, Prompt, Returned, WorkingFolder

COMMITTED = "[topic abc1234] Add the cart\n 1 file changed, 2 insertions(+)"


def session(*events) -> Gathering:
    g = Gathering()
    g.take(WorkingFolder("/w", "s", "main"))
    for event in events:
        for each in event if isinstance(event, list) else [event]:
            g.take(each)
    return g


def ran(command: str, output: str = "", failed: bool = False) -> list:
    return [
        Called(uuid="u", id=command, tool="Bash", given={"command": command}),
        Returned(uuid="u", id=command, text=output, failed=failed),
    ]


def edited(path: str) -> list:
    return [
        Called(uuid="u", id=path, tool="Edit", given={"file_path": path, "old_string": "a", "new_string": "b"}),
        Returned(uuid="u", id=path, text="done", failed=False),
    ]


def state(g: Gathering, budget: int = 1200) -> str:
    return brief([state_section(g)], budget)


def test_a_commit_is_told_with_branch_and_that_it_was_not_pushed():
    g = session(Prompt("p", "add it"), edited("/w/cart.py"), ran("git add cart.py && git commit -m x", COMMITTED))
    text = state(g)
    assert "branch topic; last commit abc1234 “Add the cart”, not pushed; nothing uncommitted" in text
    assert "newest request: under way (committed since)" in text


def test_a_push_is_told_and_a_rejected_one_is_not():
    made = ran("git commit -am x", COMMITTED)
    assert ", pushed" in state(session(made, ran("git push", "To x\n   a..b  topic -> topic")))
    rejected = "To x\n ! [rejected] topic -> topic (fetch first)\nerror: failed to push some refs"
    assert ", not pushed" in state(session(made, ran("git push", rejected, failed=True)))


def test_a_folder_that_was_staged_is_meant_from_the_root_wherever_the_shell_was_before():
    before = [edited("/w/shop/a.py"), edited("/w/shop/b.py"), ran("cd shop && ls", "a.py")]
    g = session(*before, ran("git add shop/"), ran("git commit -m x", COMMITTED))
    assert "nothing uncommitted" in state(g)


def test_what_is_done_in_a_further_work_tree_is_the_case_too():
    made = ran("git worktree add ../w-cart -b cart main", "Preparing worktree (new branch 'cart')")
    there = [made, edited("/w-cart/a.py"), edited("/w-cart/b.py"), edited("/other/c.py")]
    g = session(*there, ran("cd /w-cart && git add a.py && git commit -m x", COMMITTED))
    assert "branch topic; last commit abc1234 “Add the cart”, not pushed; uncommitted: /w-cart/b.py" in state(g)


def test_a_merge_with_conflicts_leaves_something_uncommitted_until_it_ends():
    broke = ran("git merge cart", "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed", failed=True)
    assert "uncommitted: a.py" in state(session(broke))
    assert "uncommitted: a.py" not in state(session(broke, ran("git merge --abort")))
    assert "uncommitted: a.py" not in state(session(broke, ran("git commit -am x", COMMITTED)))


def test_a_list_of_tests_is_no_check_that_passed():
    assert "last check `pytest` failed" in state(
        session(ran("pytest", "1 failed", failed=True), ran("pytest --collect-only -q", "test_a.py::test_b"))
    )


def test_files_that_were_not_staged_stay_uncommitted():
    g = session(edited("/w/a.py"), edited("/w/b.py"), ran("git add a.py"), ran("git commit -m x", COMMITTED))
    assert "uncommitted: b.py" in state(g)


def test_what_git_status_prints_takes_the_place_of_what_was_counted():
    assert "uncommitted: c.py" in state(session(edited("/w/a.py"), ran("git status --short", " M c.py")))
    assert "nothing uncommitted" in state(
        session(edited("/w/a.py"), ran("git status", "nothing to commit, working tree clean"))
    )


def test_the_last_check_is_told_with_its_outcome_and_the_changes_since():
    g = session(ran("pytest -q", "2 failed, 1 passed", failed=True), edited("/w/a.py"), edited("/w/b.py"))
    assert "last check `pytest -q` failed, 2 changes since" in state(g)
    assert "last check `pytest -q` passed" in state(session(ran("pytest -q", "3 passed in 0.1s")))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], OPEN),
        (ran("pytest", "1 passed"), UNDER_WAY),
        ([AgentSaid("a", "Done, all tests pass.", ends_turn=True)], ANSWERED),
        ([AgentSaid("a", "All done. It works now.")], ANSWERED),
        ([AgentSaid("a", "Shall I delete it?", ends_turn=True)], ASKED_BACK),
        ([AgentSaid("a", "Now I'll run the tests.")], UNDER_WAY),
        ([AgentSaid("a", "I have seen enough. Let me update `cart.py` to add it.")], UNDER_WAY),
        ([AgentSaid("a", "The tests first:")], UNDER_WAY),
        ([AgentSaid("a", "It is done.", ends_turn=False)], UNDER_WAY),
    ],
)
def test_the_newest_request_is_open_under_way_or_answered(events, expected):
    assert session(Prompt("p", "add a cart"), *events).state.request == expected


def test_what_git_says_comes_before_what_was_seen():
    g = session(edited("/w/a.py"))
    text = brief([state_section(g, GitState("dev", Commit("1234567", "Old", None), ()))], 1200)
    assert "branch dev; last commit 1234567 “Old”; nothing uncommitted" in text


def test_a_commit_in_another_repository_says_nothing_about_this_one():
    assert "abc1234" not in state(session(ran("cd /other && git commit -am x", COMMITTED)))


LISTED = """On branch main
Changes to be committed:
  (use "git restore --staged <file>..." to unstage)
	new file:   cart.py

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
	modified:   till.py

Untracked files:
  (use "git add <file>..." to include in what will be committed)
	notes.py
"""


def test_the_long_form_of_git_status_says_what_is_uncommitted() -> None:
    g = session(edited("/w/old.py"), ran("git status", LISTED))
    assert [*g.state.uncommitted] == ["/w/cart.py", "/w/till.py", "/w/notes.py"]
    g = session(edited("/w/old.py"), ran("git stash pop", LISTED), ran("git commit -m x", COMMITTED))
    assert [*g.state.uncommitted] == ["/w/till.py", "/w/notes.py"]
    assert "old.py" in state(session(edited("/w/old.py"), ran("git status && git checkout -b x", LISTED)))


def test_a_new_file_that_was_removed_again_is_not_uncommitted() -> None:
    made = [
        Called(uuid="u", id="w", tool="Write", given={"file_path": "/w/try.py", "content": "x = 1"}),
        Returned(uuid="u", id="w", text="File created successfully at: /w/try.py", failed=False),
    ]
    assert "nothing uncommitted" in state(session(made, ran("rm /w/try.py")))
    assert "nothing uncommitted" in state(session(ran("git status --short", "?? try.py"), ran("rm try.py")))
    assert "uncommitted: till.py" in state(session(edited("/w/till.py"), ran("rm till.py")))


def test_files_that_git_would_not_overwrite_are_uncommitted() -> None:
    refused = "error: Your local changes to the following files would be overwritten by checkout:\n\tcart.py\nAborting"
    assert "uncommitted: cart.py" in state(session(ran("git checkout main", refused, failed=True)))


def test_what_git_keeps_for_itself_and_what_was_masked_is_no_work() -> None:
    assert "nothing uncommitted" in state(session(edited("/w/.git/hooks/pre-commit"), edited("/w/REDACTED.md")))


def test_a_package_that_was_added_is_no_check() -> None:
    assert "last check" not in state(session(ran("cargo add serde --dev", "Adding serde v1")))


def test_a_check_whose_exit_code_was_hidden_passed_only_if_it_says_so() -> None:
    hidden = "last check `make all` ran, its outcome was hidden"
    assert hidden in state(session(ran("make all 2>&1 | tail -2", "cc -o cart cart.o\ncc -o till till.o")))
    assert "last check `make all` passed" in state(session(ran("make all | tail -2", "Build finished")))
    assert "last check `mypy src` passed" in state(session(ran("mypy src | tail -2", "")))


def test_a_denial_is_told_until_something_of_its_kind_was_run() -> None:
    words = "Permission for this action was denied by the classifier. Reason: Too far. If you"
    denied = ran("git push", words, failed=True)
    told = "denied: `git push`: Permission for this action was denied by the classifier. Reason: Too far"
    assert told in state(session(denied, ran("ls")))
    assert "denied" not in state(session(denied, ran("git push", "To x")))
    assert "denied" not in state(session(denied, Prompt("p", "then leave it")))


def test_a_command_that_waited_for_approval_was_not_run() -> None:
    asked = "This Bash command contains multiple operations. The following part requires approval: npm test 2 >& 1"
    g = session(ran("npm test 2>&1 | tail -3", asked, failed=True))
    assert g.state.check is None
    assert g.latest_steps[-1].outcome == "not run"
