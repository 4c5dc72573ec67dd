"""What a session's events leave behind: what happened, and no more than that; and how long it takes to tell."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest

from perdure.recovery import rank
from perdure.recovery.brief import sections_of
from perdure.recovery.gather import Gathering, listed_items
from perdure.recovery.words import words_of
from perdure.transcript.claude_code import Reading

from ..transcript.test_claude_code import agent, line, result, user

REFUSAL = "The user doesn't want to proceed with this tool use. The tool use was rejected."
ROOT = "/nowhere/shop"


def call(id: str, tool: str, **given: object) -> bytes:
    return agent({"type": "tool_use", "id": id, "name": tool, "input": given})


def edit(id: str, path: str, new: str = "def made_here(): ...") -> bytes:
    return call(id, "Edit", file_path=f"{ROOT}/{path}", old_string="x", new_string=new)


def read(id: str, path: str) -> list[bytes]:
    return [call(id, "Read", file_path=f"{ROOT}/{path}"), result(id, "…")]


def bash(id: str, command: str, output: str, failed: bool = False) -> list[bytes]:
    return [call(id, "Bash", command=command), result(id, output, failed)]


def gathered(lines: Iterable[bytes]) -> Gathering:
    g = Gathering()
    for event in Reading().events([line("system", cwd=ROOT), *lines]):
        g.take(event)
    return g


def files(g: Gathering) -> dict[str, str]:
    return {each.text: each.why for each in rank.files(g)}


def failing(g: Gathering) -> list[str]:
    return [failure.what for failure in rank.open_errors(g)]


# -- what never happened ---------------------------------------------------------------------------------------------


def test_a_call_that_the_person_refused_leaves_nothing_behind() -> None:
    g = gathered(
        [
            edit("t1", "never.py", "def refused_name(): ..."),
            result("t1", REFUSAL, failed=True),
            *bash("t2", "make deploy", REFUSAL, failed=True),
            call("t3", "ExitPlanMode", plan="# Plan\n1. Refused step\n"),
            result("t3", REFUSAL, failed=True),
            call("t4", "TaskCreate", subject="refused item"),
            result("t4", REFUSAL, failed=True),
        ]
    )
    assert (files(g), rank.names(g), rank.in_use(g), rank.open_items(g), failing(g)) == ({}, [], [], [], [])


def test_a_refusal_takes_back_only_what_it_refused() -> None:
    done = [edit("t1", "a.py"), result("t1", "updated"), *bash("t2", "make test", "ok")]
    refused = [edit("t3", "a.py"), result("t3", REFUSAL, failed=True), *bash("t4", "make test", REFUSAL, failed=True)]
    g = gathered([*done, *refused])
    assert files(g) == {"a.py": "edited"}
    assert [each.text for each in rank.names(g)] == ["made_here"]
    assert [(each.text, each.why) for each in rank.in_use(g)] == [("make test", "once")]


def test_a_plan_that_was_refused_gives_way_to_the_one_before() -> None:
    plans = [call("t1", "ExitPlanMode", plan="# Plan\n1. First step\n"), result("t1", "User has approved your plan")]
    g = gathered([*plans, call("t2", "ExitPlanMode", plan="1. Second step\n"), result("t2", REFUSAL, failed=True)])
    assert [each.text for each in rank.open_items(g)] == ["First step"]


def test_a_file_whose_change_failed_is_failing_and_not_edited() -> None:
    g = gathered([edit("t1", "a.py", "def not_there(): ..."), result("t1", "Error: permission denied", failed=True)])
    assert files(g) == {"a.py": "failing"}
    assert rank.names(g) == []
    assert not g.files[f"{ROOT}/a.py"].changed


def test_a_command_that_went_wrong_was_run_all_the_same() -> None:
    g = gathered(bash("t1", "make test", "make: *** [test] Error 1", failed=True))
    assert [each.text for each in rank.in_use(g)] == ["make test"]


def test_a_file_is_not_put_back_by_a_command_that_was_refused() -> None:
    g = gathered([edit("t1", "a.py"), result("t1", "updated"), *bash("t2", "git checkout -- a.py", REFUSAL, True)])
    assert files(g) == {"a.py": "edited"}


# -- which file is meant ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "is_meant"),
    [
        ("src/a/utils.py", True),
        ("a/utils.py", True),
        ("utils.py", True),
        ("./src/a/utils.py", True),
        ("/app/src/a/utils.py", True),
        ("example.org/shop/src/a/utils.py", True),
        (f"{ROOT}/src/a/utils.py", True),
        ("lib/b/utils.py", False),
        ("b/utils.py", False),
        ("/usr/lib/python3/utils.py", False),
        ("/usr/lib/python3/site-packages/src/a/utils.py", False),
        ("node_modules/a/utils.py", False),
    ],
)
def test_a_file_is_blamed_by_its_path_and_not_by_its_name_alone(told: str, is_meant: bool) -> None:
    output = f'File "{told}", line 3\nTypeError: bad'
    g = gathered([*read("t1", "src/a/utils.py"), *bash("t2", "pytest -q", output, failed=True)])
    assert (files(g)["src/a/utils.py"] == "failing") == is_meant


def test_of_several_files_of_one_name_the_longest_common_tail_is_meant() -> None:
    some = [piece for n, path in enumerate(("x/a/utils.py", "y/a/utils.py")) for piece in read(f"t{n}", path)]
    g = gathered([*some, *bash("t9", "pytest -q", "x/a/utils.py:3: TypeError: bad", failed=True)])
    assert files(g) == {"x/a/utils.py": "failing", "y/a/utils.py": "read"}


def test_words_that_name_another_file_of_that_name_do_not_rank_this_one() -> None:
    two = [*read("t1", "src/a/utils.py"), *read("t2", "z.py")]
    assert next(iter(files(gathered([*two, user("look at lib/b/utils.py next")])))) == "z.py"
    assert next(iter(files(gathered([*two, user("look at a/utils.py next")])))) == "src/a/utils.py"


def test_a_file_that_is_named_without_its_ending_is_meant() -> None:
    two = [*read("t1", "src/cart.py"), *read("t2", "z.py")]
    for words in ("mend the cart", "mend src/cart", "see src/cart.py."):
        assert next(iter(files(gathered([*two, user(words)])))) == "src/cart.py"


# -- what settles a failure ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failed", "succeeded", "is_settled"),
    [
        ("pytest tests/a.py", "pytest tests/a.py", True),
        ("pytest -q tests/a.py", "uv run pytest tests -x", True),
        ("pytest tests/a.py", "pytest", True),
        ("pytest tests/a.py", "pytest .", True),
        ("pytest", "pytest -q", True),
        ("pytest tests/a.py::test_x", "pytest tests/a.py", True),
        ("pytest tests/a.py", "pytest tests/b.py", False),
        ("pytest tests/a.py tests/b.py", "pytest tests/b.py", False),
        ("pytest tests/a.py::test_x", "pytest tests/a.py::test_y", False),
        ("pytest tests/a.py", "pytest --collect-only", False),
        ("pytest tests/a.py", "pytest --version", False),
        ("pytest -k one", "pytest -k other", False),
        ("pytest -n 4", "pytest -n 8", True),
        ("go test ./cart", "go test ./...", True),
        ("go test ./cart/deep", "go test ./cart/...", True),
        ("go test ./cart", "go test ./line", False),
        ("go test -run TestA ./cart", "go test ./cart", True),
        ("go test -run TestA ./cart", "go test -run TestB ./cart", False),
        ("npm test -- cart", "npm test", True),
        ("npm test -- cart", "npm test -- line", False),
        ("cargo test parser", "cargo test", True),
        ("cargo test parser", "cargo test printer", False),
        ("make test", "make test", True),
        ("make test", "make lint", False),
        ("ruff check src", "ruff check .", True),
        ("git push origin topic", "git push origin HEAD", True),
        ("git commit -m 'one'", "git commit -m 'two'", True),
        ("pytest tests/a.py && ruff check", "pytest tests && ruff check", True),
        ("pytest tests/a.py", "make test", True),
        ("golangci-lint run ./...", "mise run lint", True),
        ("go test -run TestA ./cart", "mise run fmt && mise run lint && mise run test:ci", True),
        ("make lint", "make check", False),
        ("ruff check src", "make check", True),
        ("pytest tests/a.py", "npm ci", False),
        ("npx vitest run src/a.test.ts", "npm test", True),
        ("npx vitest run src/a.test.ts", "npm run test:e2e", False),
        ("npx playwright test", "npm test", False),
        ("mise run test:integration", "mise run test", False),
        ("pytest tests/a.py", "make lint", False),
        ("make types PY=.venv/bin/python", "make types", True),
        ("go build ./...", "go test ./...", True),
        ("go build ./cart", "go vet ./line", False),
        ("go build ./...", "mise run test", True),
        ("go test ./...", "go build ./...", False),
        ("cargo check", "cargo test", True),
        ("go test -run TestCart_Empty ./cart", "go test -run TestCart ./cart", True),
        ("go test -run 'TestA|TestB' ./cart", "go test -run TestA ./cart", False),
        ("pytest -k 'one or other'", "pytest -k 'other or one'", True),
        ("./", "./", True),
    ],
)
def test_a_success_settles_a_failure_of_its_kind_unless_it_was_about_something_else(
    failed: str, succeeded: str, is_settled: bool
) -> None:
    g = gathered([*bash("t1", failed, "error: it broke", failed=True), *bash("t2", succeeded, "ok")])
    assert (failing(g) == []) == is_settled


def test_a_merge_in_conflict_is_settled_by_what_git_does_only_without_one() -> None:
    merge = bash("t1", "git merge main", "CONFLICT (content): Merge conflict in a.py", failed=True)
    assert failing(gathered([*merge, *bash("t2", "git add a.py", "")])) == ["git merge main"]
    for ended in ("git commit --no-edit", "git merge --abort", "git add a.py && git commit -m merged"):
        assert failing(gathered([*merge, *bash("t2", ended, "")])) == []
    unrelated = bash("t1", "git pull", "fatal: could not read from remote repository", failed=True)
    assert failing(gathered([*unrelated, *bash("t2", "git commit -m x", "")])) == ["git pull"]


def test_a_suite_is_settled_when_each_test_that_it_named_has_passed() -> None:
    output = "--- FAIL: TestCart_Empty (0.1s)\n--- FAIL: TestTill (0.1s)\nFAIL"
    suite = bash("t1", "mise run test:ci", output, failed=True)
    one, other = (
        bash("t2", "go test -run TestCart_Empty .", "ok"),
        bash("t3", "go test -run 'TestTill|TestCart' .", "ok"),
    )
    assert failing(gathered([*suite, *one])) == ["mise run test:ci"]
    assert failing(gathered([*suite, *other])) == []
    many = "".join(f"--- FAIL: TestNumber{n} (0.1s)\n" for n in range(20))
    hidden = bash("t1", "mise run test:ci", many, failed=True)
    assert failing(gathered([*hidden, *bash("t2", "go test -run TestNumber .", "ok")])) == ["mise run test:ci"]


def test_a_build_whose_exit_code_a_pipe_hid_is_known_by_what_it_says() -> None:
    broken = "# shop/cart\ncart/cart.go:12:3: result.Total undefined (type *Cart has no field or method Total)"
    assert failing(gathered(bash("t1", "go build ./... 2>&1 | head -30", broken))) == ["go build ./..."]


def test_what_failed_while_looking_comes_after_what_failed_while_doing() -> None:
    done = bash("t1", "make test", "error: it broke", failed=True)
    looked = bash("t2", "cat docs", "cat: docs: Is a directory", failed=True)
    assert failing(gathered([*done, *looked])) == ["make test", "cat docs"]
    assert failing(gathered([*done, *looked, *bash("t3", "cat docs/a.md", "words")])) == ["make test"]


def test_a_call_that_fell_with_another_never_failed() -> None:
    output = "<tool_use_error>Sibling tool call errored</tool_use_error>"
    assert failing(gathered(bash("t1", "make test", output, failed=True))) == []


def test_a_long_command_is_told_by_how_it_begins_and_by_what_failed_in_it() -> None:
    command = (
        "cat >> tests/test_cart.py <<'EOF'\n" + "def test_it(): ...\n" * 40 + "EOF\nuv run pytest -q tests/test_cart.py"
    )
    told = failing(gathered(bash("t1", command, "1 failed", failed=True)))
    assert told == ["cat >> tests/test_cart.py <<'EOF' def test_it(): ... def … uv run pytest -q tests/test_cart.py"]


def test_errors_that_were_expected_in_a_run_that_passed_are_no_failure() -> None:
    output = "10 passed, 0 failed. 3 errors were handled gracefully"
    assert failing(gathered(bash("t1", "make test; true", output))) == []
    assert failing(gathered(bash("t1", "make test; true", output + "\n2 failed"))) == ["make test; true"]
    assert failing(gathered(bash("t1", "pytest | tail", "10 passed, 2 errors in 3s"))) == ["pytest"]


# -- what is kept does not grow --------------------------------------------------------------------------------------


def test_no_plan_is_longer_than_anyone_reads() -> None:
    todos = [{"content": f"item {n} " + "and more " * 200, "status": "completed"} for n in range(1000)]
    todos += [{"content": f"open {n} " + "and more " * 200, "status": "pending"} for n in range(1000)]
    g = gathered([call("t1", "TodoWrite", todos=todos)])
    items = rank.open_items(g)
    assert (len(items), items[0].text[:7]) == (200, "open 0 ")
    assert all(len(item.text) <= 500 and item.text.endswith(("and", "more")) for item in items)
    created = [
        piece for n in range(500) for piece in (call(f"t{n}", "TaskCreate", subject=f"s{n}"), result(f"t{n}", f"#{n}"))
    ]
    assert len(gathered(created).items) == 200


def test_one_word_that_has_no_end_is_no_item() -> None:
    assert rank.open_items(
        gathered([call("t1", "TodoWrite", todos=[{"content": "x" * 600}, {"content": "漢" * 600}])])
    ) == [rank.Ranked("漢" * 500, "pending", 0.0, "u")]


def test_boxes_and_points_under_words_that_say_so_are_items() -> None:
    text = "Done:\n- one thing\n\nStill to do:\n\n- two things\n- three things\n- [x] ticked\n- [ ] not ticked\n"
    assert listed_items(text + "So:\n- four things") == ["two things", "three things", "not ticked"]


def many(count: int, kind: str) -> list[bytes]:
    if kind == "rules":
        return [
            user(f"Prompt {n}. " + " ".join(f"You must keep thing {n}x{m} as it is." for m in range(20)))
            for n in range(count)
        ]
    if kind == "withdrawals":
        return [user(f"Never use {n}x. " + f"Never mind about thing {n}. " * 100) for n in range(count)]
    if kind == "failures":
        return [
            piece
            for n in range(count)
            for piece in bash(f"t{n}", f"pytest -q tests/test_{n}.py", f"FAILED tests/test_{n}.py::test_x", True)
        ]
    if kind == "queued":
        queued = [line("queue-operation", operation="enqueue", content=f"do {n}") for n in range(count)]
        return [*queued, *(user(f"say {n}") for n in range(count))]
    if kind == "same names":
        seen = [piece for n in range(count) for piece in read(f"t{n}", f"d{n}/index.ts")]
        return [*seen, user(" ".join(f"e{n}/index.ts" for n in range(count)))]
    return [
        edit(f"t{n}", f"f{n}.py", "".join(f"def fn_{n}_{m}(x): return OtherName(x)\n" for m in range(60)))
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("rules", 200),
        ("withdrawals", 200),
        ("failures", 1000),
        ("queued", 10_000),
        ("same names", 3000),
        ("edits", 1000),
    ],
)
def test_many_of_a_kind_are_told_in_the_time_that_reading_them_takes(kind: str, count: int) -> None:
    lines = many(count, kind)
    began = time.process_time()
    sections_of(gathered(lines), lambda _: None)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "command",
    [
        "cat log" + " | grep -v x" * 28 + " ; echo done",
        "sed -" + "i" * 1500 + " " * 3000,
        "python3 -c 'x = 1 << bits\n" + "y = compute(1)\n" * 3000 + "'",
        "cat <<" + "a" * 20_000 + "\n" + "b\n" * 2000,
        "<<a " * 250_000,
        "a && " * 200_000,
        '"' * 1_000_000,
    ],
    ids=range(7),
)
def test_no_command_is_looked_at_for_long(command: str) -> None:
    lines = bash("t1", command, "error: x", failed=True)
    began = time.process_time()
    gathered(lines)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "text",
    ["also " * 40 + "hello.", "see `Foo" + "A" * 40 + "_`", "@" * 60_000, "+" * 60_000, "[Image: " * 25_000],
    ids=range(5),
)
def test_no_prompt_is_looked_at_for_long(text: str) -> None:
    began = time.process_time()
    words_of(gathered([user(text)]).prompts)
    assert time.process_time() - began < 2
