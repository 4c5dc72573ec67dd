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
from tests.effort import for_each

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
    assert (files(g), rank.names(g), rank.commands_in_use(g), rank.open_items(g), failing(g)) == ({}, [], [], [], [])


REFUSED = "Exit code 1\nperdure: No open transaction. Run PREFLIGHT first."


@pytest.mark.parametrize(
    "command",
    [
        "perdure preflight --know 0.8 --uncertainty 0.2 --because 'read src/cart.py'",
        "perdure check --know 0.8 --uncertainty 0.2",
        "perdure transaction adopt 3f2a91c4",
        "cd /nowhere/shop && perdure postflight --know 0.9 --uncertainty 0.1 2>&1 | tail -5",
        """echo '{"vectors": {"know": 0.8}}' | perdure check -""",
        "perdure check - <<EOF\n{}\nEOF",
        "/home/me/.venv/bin/perdure status",
        "uv run perdure recover",
        "python3 -m perdure recover",
        "PERDURE_INSTANCE=ci perdure check --know 1 --uncertainty 0",
        "perdure preflight --know 0.8 --uncertainty 0.2; perdure status",
    ],
)
def test_what_perdure_is_told_and_what_it_refuses_is_not_a_part_of_the_work(command: str) -> None:
    g = gathered([*bash("t1", command, REFUSED, failed=True), *bash("t2", command, "", failed=False)])
    assert (g.commands, failing(g), files(g)) == ({}, [], {})


def test_a_tool_of_perdures_own_server_that_refuses_is_not_an_error_and_anothers_is() -> None:
    own, other = "mcp__plugin_perdure_perdure__preflight", "mcp__shop__order"
    asked = [call("t1", own), result("t1", "refused", True), call("t2", other), result("t2", "Error: no", True)]
    assert failing(gathered(asked)) == [other]


def test_of_a_command_that_runs_perdure_among_others_only_the_others_are_in_use_and_fail() -> None:
    both = "pytest -q && perdure check --know 0.9 --uncertainty 0.1"
    g = gathered(
        bash("t1", both, "Exit code 1\nE assert 1 == 2\nFAILED test_a.py::test_it - assert 1 == 2\n1 failed", True)
    )
    assert list(g.commands) == ["pytest -q"]
    assert len(failing(g)) == 1
    g = gathered(
        bash(
            "t1", "git commit -qm x && perdure postflight --know 1 --uncertainty 0", f"[main 1] x\n{REFUSED[12:]}", True
        )
    )
    assert (g.commands, failing(g)) == ({}, [])
    g = gathered(bash("t1", "perdure preflight --know 1 --uncertainty 0 && pytest -q", REFUSED, True))
    assert failing(g) == []


def test_a_refusal_takes_back_only_what_it_refused() -> None:
    done = [edit("t1", "a.py"), result("t1", "updated"), *bash("t2", "make test", "ok")]
    refused = [edit("t3", "a.py"), result("t3", REFUSAL, failed=True), *bash("t4", "make test", REFUSAL, failed=True)]
    g = gathered([*done, *refused])
    assert files(g) == {"a.py": "edited"}
    assert [each.text for each in rank.names(g)] == ["made_here"]
    assert [(each.text, each.why) for each in rank.commands_in_use(g)] == [("make test", "once")]


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
    assert [each.text for each in rank.commands_in_use(g)] == ["make test"]


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


@for_each(
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
        ("cargo test -p one", "cargo test -p other", False),
        ("make -C web", "make -C api", False),
        ("cd web && npm test", "cd api && npm test", False),
        ("cd web && npm test", "npm test", True),
        ("cd /work/shop && npm test", "cd /work/shop/web && npm test", True),
        ("git -C one push", "git -C other push", False),
        ("npm install one", "npm install other", False),
        ("npm install one", "npm install", True),
        ("npx jest -t one", "npx jest -t other", False),
        ("tox -e py311", "tox -e lint", False),
        ("go test -race ./...", "go test ./...", False),
        ("go test ./...", "go test -race ./...", True),
        ("go test -race ./...", "mise run test:ci", True),
        ("cargo build", "cargo check", True),
        ("cargo test one::a", "cargo test other::b", False),
        ("docker exec app pytest", "docker exec app ls", False),
        ("pytest tests/a.py", "docker compose exec -T app pytest tests/a.py", True),
        ("bash -c 'pytest tests/a.py'", "pytest tests/a.py", True),
        ("./run.sh build", "./run.sh status", False),
        ("python a.py train", "python a.py show", False),
        ("gh pr create --fill", "gh pr view", False),
        ("ssh host 'make deploy'", "ssh host ls", False),
        ("make test", "make -n test", False),
        ("node app.js", "node --check app.js", False),
        ("black --check .", "black --check .", True),
        ("pre-commit run --all-files", "pre-commit run ruff", False),
        ("pytest tests/a.py", "npm test", False),
        ("go build ./...", "npm test", False),
        ("npx eslint .", "npm run lint", True),
        ("npm test", "npm run lint || npm test", False),
        ("npm test -w one", "npm test -w other", False),
        ("pytest", "pytest -p no:cacheprovider --cov=src/app", True),
        ("pytest tests/a.py::test_one_b", "pytest tests/a.py::test_one", False),
        ("go test -run TestAB ./cart", "go test -run '^TestA$' ./cart", False),
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


TWO = "FAILED tests/a.py::test_one - E1\nFAILED tests/b.py::test_two - E2\n2 failed"


@for_each(
    ("failed", "output", "succeeded", "is_settled"),
    [
        ("pytest", TWO, "pytest", True),
        ("pytest", TWO, "pytest tests", True),
        ("pytest", TWO, "pytest tests/a.py", False),
        ("pytest", TWO, "pytest tests/a.py tests/b.py", True),
        ("pytest", TWO, "pytest -k test_one", False),
        ("pytest", TWO, "pytest -k 'test_one or test_two'", True),
        ("pytest", TWO, "pytest --ignore=tests/a.py", False),
        ("pytest --ignore tests/slow", "it broke", "pytest -k slow", False),
        ("go test ./...", "--- FAIL: TestA (0s)\nFAIL\tex/a\t0s", "go test -skip TestA ./...", False),
        ("pytest | tail -2", "FAILED tests/d.py::test_d - E\n4 failed", "pytest tests/d.py::test_d", False),
        ("make check", "ruff check .\nmypy src\nsrc/a.py:1: error: wrong", "ruff check .", False),
        ("pytest", "it broke", "pytest tests/c.py", True),
        ("go test ./...", "--- FAIL: TestA (0s)\nFAIL\tex/shop/cart\t0.1s", "go test ./till/...", False),
        ("go test ./...", "--- FAIL: TestA (0s)\nFAIL\tex/shop/cart\t0.1s", "go test ./cart/...", True),
        (
            "go test ./...",
            "--- FAIL: TestA (0s)\n--- FAIL: TestB (0s)\nFAIL\tex/a\t0s",
            "go test -run TestA ./...",
            False,
        ),
        ("cargo test", "test a::t1 ... FAILED\ntest b::t2 ... FAILED", "cargo test a::t1", False),
        ("npx jest", "FAIL src/a.test.ts\nFAIL src/b.test.ts", "npx jest src/a.test.ts", False),
        ("make test", "pytest -q\n" + TWO, "pytest -q", True),
        ("mise run test", "[test] $ go test ./...\n--- FAIL: TestA (0s)\nFAIL\tex/a", "go test ./...", True),
        ("ruff check src | tail\npytest -q | tail", TWO, "pytest -q", True),
    ],
)
def test_a_part_that_goes_well_settles_the_whole_only_if_it_is_the_part_that_had_failed(
    failed: str, output: str, succeeded: str, is_settled: bool
) -> None:
    g = gathered([*bash("t1", failed, output, failed=True), *bash("t2", succeeded, "ok")])
    assert (failing(g) == []) == is_settled


@pytest.mark.parametrize(
    "nothing",
    ["ok  \tex/cart\t0.1s [no tests to run]", "collected 0 items", "no tests ran in 0.1s", "5 deselected / 0 selected"],
)
def test_a_run_of_no_test_settles_nothing(nothing: str) -> None:
    broke = bash("t1", "go test ./cart", "--- FAIL: TestA (0s)\nFAIL\tex/cart\t0s", failed=True)
    assert failing(gathered([*broke, *bash("t2", "go test ./cart -run TestZ", nothing)])) == ["go test ./cart"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest > /tmp/o.txt 2>&1; echo done", "done"),
        ("pytest -q >/dev/null; ls", "a b"),
        ("pytest &", "[1] 123"),
        ("pytest", "Command running in background with ID: b1"),
        ("pytest -q >/dev/null; echo exit=$?", "exit=1"),
        ("pytest -q 2>/dev/null && echo PASS || echo BROKEN", "BROKEN"),
        ("pytest | wc -l", "12"),
        ("pytest -q | head -3", "..F..  [100%]\n=== FAILURES ==="),
    ],
)
def test_a_run_that_tells_nothing_or_that_it_failed_settles_nothing(command: str, output: str) -> None:
    broke = bash("t1", "pytest", "1 failed", failed=True)
    assert failing(gathered([*broke, *bash("t2", command, output)])) != []


def test_a_run_that_ended_well_is_believed_whatever_it_printed() -> None:
    assert failing(gathered(bash("t1", "pytest", "ValueError: caught and handled\n20 passed"))) == []


def test_where_a_command_was_run_counts() -> None:
    def ran(id: str, folder: str, output: str, failed: bool = False) -> list[bytes]:
        return [line("system", cwd=f"{ROOT}/{folder}"), *bash(id, "npm test", output, failed)]

    broke = ran("t1", "a", "1 failed", failed=True)
    assert failing(gathered([*broke, *ran("t2", "b", "5 passing")])) == ["npm test"]
    assert failing(gathered([*broke, *ran("t2", "a", "5 passing")])) == []


def test_a_conflict_is_one_of_git_and_is_not_ended_by_looking() -> None:
    merge = bash("t1", "git merge main", "CONFLICT (content): Merge conflict in a.py", failed=True)
    for looked in ("git stash list", "git reset -q -- docs/a.md", "git rebase --edit-todo"):
        assert failing(gathered([*merge, *bash("t2", looked, "")])) == ["git merge main"]
    sql = bash("t1", "pytest", "FAILED a.py::t\nCONFLICT (id) DO NOTHING\n1 failed", failed=True)
    assert failing(gathered([*sql, *bash("t2", "git commit -m x", "")])) == ["pytest"]
    assert failing(gathered([*sql, *bash("t2", "pytest", "ok")])) == []


def test_a_later_failure_takes_the_place_only_of_what_it_tells_anew() -> None:
    both = bash("t1", "pytest", TWO, failed=True)
    first = bash("t2", "pytest -x", "FAILED tests/a.py::test_one - E1\n1 failed", failed=True)
    assert failing(gathered([*both, *first])) == ["pytest -x", "pytest"]
    chain = bash("t2", "ruff check . && pytest", "Found 1 error", failed=True)
    assert failing(gathered([*both, *chain])) == ["ruff check . && pytest", "pytest"]
    assert failing(gathered([*both, *bash("t2", "pytest -v", TWO, failed=True)])) == ["pytest -v"]


def test_a_command_within_a_thousand_shells_is_read() -> None:
    for command in ("sh -c '" * 246 + "x" + "'" * 246, "ssh a " * 493 + "x"):
        assert len(failing(gathered(bash("t1", command, "error: it broke", failed=True)))) == 1


def test_what_went_well_without_the_changes_settles_nothing() -> None:
    broke = bash("t1", "pytest", "1 failed", failed=True)
    without = [*bash("t2", "git stash", "Saved"), *bash("t3", "pytest", "5 passed")]
    assert failing(gathered([*broke, *without, *bash("t4", "git stash pop", "Dropped")])) == ["pytest"]
    assert failing(gathered([*broke, *bash("t2", "git stash && pytest; git stash pop", "5 passed")])) == ["pytest"]
    assert failing(gathered([*broke, *without, *bash("t4", "git stash pop", ""), *bash("t5", "pytest", "ok")])) == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git merge topic 2>&1 | tail -3", "CONFLICT (content): Merge conflict in a.py"),
        ("git push 2>&1 | tail -1", " ! [rejected]        main -> main (fetch first)"),
        ("git push || echo failed", "error: failed to push some refs"),
        ("python run.py 2>&1 | tail -3", "ValueError: no such cart"),
        ("terraform apply | tail", "│ Error: Unsupported argument"),
    ],
)
def test_a_failure_that_a_pipe_hid_is_known_of_any_program(command: str, output: str) -> None:
    assert len(failing(gathered(bash("t1", command, output)))) == 1
    assert failing(gathered(bash("t1", command, "done"))) == []
    assert failing(gathered(bash("t1", "cat log | tail -3", output))) == [], "to look at one is not to have one"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("ruff check --fix src", "Found 1 error (1 fixed, 0 remaining)."),
        ("npx eslint .", "✖ 3 problems (0 errors, 3 warnings)"),
    ],
)
def test_what_is_mended_or_a_warning_is_not_an_error(command: str, output: str) -> None:
    assert failing(gathered(bash("t1", command, output))) == []


@pytest.mark.parametrize("command", ["grep -rn foo src/", "diff a b", "pytest | grep -c FAILED"])
def test_a_search_that_found_nothing_is_not_an_error(command: str) -> None:
    assert failing(gathered(bash("t1", command, "Exit code 1\n0", failed=True))) == []


def test_no_failure_found_in_a_run_settles_the_one_before() -> None:
    broke = bash("t1", "go test ./...", "--- FAIL: TestA (0s)\nFAIL\tex/a", failed=True)
    assert failing(gathered([*broke, *bash("t2", "go test ./... 2>&1 | grep FAIL", "", failed=True)])) == []


def test_an_edit_that_failed_is_settled_by_whatever_changes_or_removes_the_file() -> None:
    broke = [edit("t1", "a.py"), result("t1", "File has not been read yet", failed=True)]
    for command in ("rm a.py", "sed -i s/a/b/ a.py", "git checkout a.py"):
        assert failing(gathered([*broke, *bash("t2", command, "")])) == []


# -- where files lie ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cd /tmp/zz && git init tr && cd tr && echo x > file.txt", "/tmp/zz/tr/file.txt"),
        ("mkdir -p /tmp/zz/tr && cd /tmp/zz/tr && echo a > one.txt", "/tmp/zz/tr/one.txt"),
        ("(cd sub && echo x > a.txt)", "sub/a.txt"),
        ("(cd sub && make); echo x > a.txt", "a.txt"),
        ("cd sub || exit; sed -i s/a/b/ g.txt", "sub/g.txt"),
        ("cd sub; cd ..; echo x > c.txt", "c.txt"),
        ("cd - && echo x > f.txt", ""),
        ('cd "$D" && echo x > f.txt', ""),
        ('ssh host "echo x > /etc/m.conf"', ""),
        ("git log origin/main..HEAD.txt", ""),
        ("git diff main...feature/x.y", ""),
        ("git status | grep -v _test.go", ""),
        ("echo 'see notes.md'", ""),
    ],
)
def test_a_file_lies_where_the_command_had_gone_to(command: str, file: str) -> None:
    assert list(files(gathered(bash("t1", command, "")))) == ([file] if file else [])


def test_a_folder_that_was_not_there_has_no_files() -> None:
    output = "bash: cd: sub: No such file or directory"
    g = gathered(bash("t1", "cd sub && sed -i s/a/b/ a.txt", output, failed=True))
    assert (files(g), failing(g)) == ({}, [])


def test_a_file_that_was_removed_is_not_told_and_one_that_was_moved_is_told_where_it_is() -> None:
    changed = [edit("t1", "src/x.py"), result("t1", "ok"), edit("t2", "src/y.py"), result("t2", "ok")]
    assert list(files(gathered([*changed, *bash("t3", "rm src/x.py", "")]))) == ["src/y.py"]
    assert len(files(gathered([*changed, *bash("t3", "git rm --cached src/x.py", "")]))) == 2
    moved = gathered([*changed, *bash("t3", "git mv src/x.py src/z.py", "")])
    assert files(moved) == {"src/y.py": "edited", "src/z.py": "edited"}


def test_what_a_person_may_choose_from_is_not_an_open_item() -> None:
    said = "What would you like to do?\n1. Merge it\n2. Discard this work"
    assert listed_items(said) == []
    assert listed_items("Still to do:\n1. Merge it") == ["Merge it"]
    assert listed_items("Take the template, then add the styles. It has:\n- a cart\n- a basket") == []


def test_errors_of_several_lines_are_told_apart_from_passing_checks() -> None:
    output = "test\tfail\t2m\thttps://ci/1\nlint\tpass\t10s\thttps://ci/2"
    g = gathered(bash("t1", "gh pr checks 12", output, failed=True))
    assert [failure.lines[0] for failure in rank.open_errors(g)] == ["test fail 2m https://ci/1"]


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


def test_errors_that_were_expected_in_a_run_that_passed_are_not_a_failure() -> None:
    output = "10 passed, 0 failed. 3 errors were handled gracefully"
    assert failing(gathered(bash("t1", "make test; true", output))) == []
    assert failing(gathered(bash("t1", "make test; true", output + "\n2 failed"))) == ["make test; true"]
    assert failing(gathered(bash("t1", "pytest | tail", "10 passed, 2 errors in 3s"))) == ["pytest"]


# -- what the gate knows of a command --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["cp old.py new.py", "sort -o new.py old.py", "cat > 'new.py' <<'E'\nx\nE", "x=1; install -m 600 old.py new.py",
     "bash -c 'echo x > new.py'", "{ echo a; echo b; } > new.py", "for f in a b; do echo $f; done >> new.py"],
)  # fmt: skip
def test_a_file_that_a_command_writes_is_changed_however_it_is_written(command: str) -> None:
    assert gathered(bash("t1", command, "")).files[f"{ROOT}/new.py"].changed


@pytest.mark.parametrize("command", ["grep '> new.py' old.py", "echo 'tee new.py'", "git log --grep='> new.py'"])
def test_a_file_that_is_only_spoken_of_is_not_changed(command: str) -> None:
    assert not any(file.changed for file in gathered(bash("t1", command, "")).files.values())


def test_a_semicolon_in_quotes_does_not_hide_how_a_check_ended() -> None:
    assert failing(gathered(bash("t1", "pytest -k 'a; b'", "ValueError: handled\n1 failed before\n3 passed"))) == []


def test_the_words_of_a_commit_are_not_a_check_and_settle_none() -> None:
    broke = bash("t1", "make test", "1 failed", failed=True)
    assert failing(gathered([*broke, *bash("t2", "git commit -qm 'x; make test'", "")])) == ["make test"]
    assert list(gathered(bash("t1", "ls; git commit -m 'let make test pass'", "")).commands) == []


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


def test_one_word_that_has_no_end_is_not_an_item() -> None:
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
def test_twice_as_many_of_a_kind_take_about_twice_the_time(kind: str, count: int) -> None:
    """Quadratic work would take four times as long. The shorter of two runs counts, because the machine is shared."""

    def seconds(lines: list[bytes]) -> float:
        began = time.process_time()
        sections_of(gathered(lines), lambda _: None)
        return time.process_time() - began

    few, twice = many(count // 4, kind), many(count // 2, kind)
    most = 3 * min(seconds(few) for _ in range(2)) + 0.1
    assert seconds(twice) < most or seconds(twice) < most


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


def test_a_file_that_must_be_read_first_is_not_an_unresolved_error() -> None:
    refused = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
    g = gathered([line(type="user", cwd=ROOT), edit("1", "cart.py"), result("1", refused, True)])
    assert not rank.open_errors(g)
    assert [each.text for each in rank.files(g)] == ["cart.py"]


# -- where commands run, and what their outputs name -----------------------------------------------------------------


def test_a_command_without_a_cd_may_run_where_the_last_one_left_the_shell() -> None:
    """The client goes on saying that it is in the root. The files in use decide."""
    g = gathered(
        [
            *read("t1", "src/color/gradient.go"),
            *bash("t2", "cd src && go build ./...", ""),
            *bash("t3", "sed -i s/a/b/ color/gradient.go", ""),
            *bash("t4", "cat color/keywords.go", "x"),
        ]
    )
    assert set(files(g)) == {"src/color/gradient.go", "src/color/keywords.go"}


def test_the_way_to_the_folder_that_the_shell_is_in_is_not_gone_twice() -> None:
    lines = [*read("t1", "go/cmd/main.go"), line("system", cwd=f"{ROOT}/go"), *bash("t2", "cat go/cmd/main.go", "x")]
    assert set(files(gathered(lines))) == {"go/cmd/main.go"}


def test_a_cd_of_its_own_is_believed() -> None:
    g = gathered([*read("t1", "package.json"), *bash("t2", "cd web && cat package.json", "{}")])
    assert set(files(g)) == {"package.json", "web/package.json"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make", "thread panicked: {closure@src/app.rs:158:31}"),
        ("make", "error: no key ~/.config/com.system76.CosmicPanel.Panel/v1/size"),
        ("make", "error: cannot resolve src/docusaurus.config.{js,ts}"),
        ("make", "error: " + "x" * 160 + " /nowhere/shop/src/deep/delete_profile_test.dart:2:1"),
    ],
)
def test_part_of_a_path_is_not_a_path(command: str, output: str) -> None:
    found = set(files(gathered(bash("t1", command, output, failed=True))))
    assert found <= {"src/deep/delete_profile_test.dart"}


def test_a_long_line_of_an_error_is_cut_with_a_mark_and_not_within_a_path() -> None:
    told = "error: " + "x" * 160 + " src/deep/delete_profile_test.dart:2:1"
    (failure,) = rank.open_errors(gathered(bash("t1", "make", told, failed=True)))
    assert failure.lines == ("error: " + "x" * 160 + " …",)


def test_the_home_of_the_project_is_known() -> None:
    g = gathered([line("system", cwd="/home/ann"), *bash("t1", "cd /home/ann", "")])
    assert not files(g)
    lines = [line("system", cwd="/home/ann/shop"), *bash("t1", "sed -i s/a/b/ ~/shop/a.py", "")]
    g = Gathering()
    for event in Reading().events(lines):
        g.take(event)
    assert set(files(g)) == {"a.py"}


def test_what_a_task_in_the_background_printed_is_not_a_file_of_the_work() -> None:
    g = gathered(
        [
            call("t1", "Read", file_path="/tmp/claude-1000/-nowhere-shop/tasks/b2c41d2.output"),
            result("t1", "…"),
            *read("t2", "a.py"),
        ]
    )
    assert set(files(g)) == {"a.py"}


def test_a_command_tells_in_which_folder_it_ran() -> None:
    lines = [*bash("t1", f"cd {ROOT}/src && go build ./...", ""), *bash("t2", "make test", "")]
    ran = {each.text: each.folder for each in rank.commands_in_use(gathered(lines))}
    assert ran == {"go build ./...": "src", "make test": ""}


# -- what is no error ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make test; ls src/3d || echo DELETED", "0 failed\nDELETED"),
        ("ssh root@h 'tail -5 /var/log/nginx/access.log | grep assistant'", "Exit code 1\nUbuntu 24.04.4 LTS"),
        (
            "ssh -i k -p 22 root@h 'cat /etc/missing.conf'",
            "Exit code 1\ncat: /etc/missing.conf: No such file or directory",
        ),
        ("timeout 5 ./target/debug/applet", "Exit code 124\n2026-01-01T08:33:53Z INFO applet: listening"),
        ("./serve", "Exit code 143\nlistening"),
        ("make deploy", "Exit code 137\n[Request interrupted by user for tool use]"),
    ],
)
def test_it_is_not_an_error(command: str, output: str) -> None:
    assert failing(gathered(bash("t1", command, output, failed=output.startswith("Exit")))) == []


def test_a_check_that_timed_out_after_failing_did_fail() -> None:
    assert failing(gathered(bash("t1", "timeout 5 pytest", "Exit code 124\nFAILED a.py::b", failed=True)))


def test_a_checkout_that_works_once_the_changes_are_stashed_is_settled() -> None:
    refused = bash("t1", "rm -f x && git checkout main", "error: Your local changes would be overwritten", failed=True)
    assert failing(gathered(refused)) == ["rm -f x && git checkout main"]
    assert (
        failing(gathered([*refused, *bash("t2", "git stash && git checkout main", "Switched to branch 'main'")])) == []
    )


def test_what_was_looked_for_in_vain_is_not_an_error_for_long() -> None:
    missing = bash("t1", "cat docs/x.md", "cat: docs/x.md: No such file or directory", failed=True)
    others = [each for n in range(8) for each in read(f"r{n}", "a.py")]
    assert failing(gathered([*missing, *others])) == []


# -- open items ------------------------------------------------------------------------------------------------------


def _plan() -> list[bytes]:
    said = "Next steps:\n- write `load_cart` in `cart.py`\n- **Run:**\n- tell the team"
    return [user("go"), agent({"type": "text", "text": said})]


def items(lines: Iterable[bytes]) -> list[str]:
    return [each.text for each in rank.open_items(gathered(lines))]


def test_a_heading_in_a_list_is_not_an_item() -> None:
    assert items(_plan()) == ["write `load_cart` in `cart.py`", "tell the team"]


def test_an_item_whose_code_was_written_since_is_not_open() -> None:
    assert items([*_plan(), edit("t1", "cart.py", "def load_cart(): ..."), result("t1", "ok")]) == ["tell the team"]


def test_a_list_in_prose_ends_with_a_plan_and_not_with_a_commit() -> None:
    assert items([*_plan(), call("t1", "TodoWrite", todos=[{"content": "ship", "status": "pending"}])]) == ["ship"]
    assert items([*_plan(), *bash("t1", "git commit -m x", "[main abc1234] x")]) == items(_plan())


def test_a_list_in_prose_stays_open_beside_a_plan_that_only_goes_on() -> None:
    begun = [call("t1", "TodoWrite", todos=[{"content": "ship", "status": "pending"}])]
    longer = [{"content": "ship", "status": "in_progress"}, {"content": "tag", "status": "pending"}]
    lines = [*begun, *_plan(), call("t2", "TodoWrite", todos=longer)]
    assert items(lines) == ["ship", "tag", *items(_plan())]


def created(number: int, subject: str) -> list[bytes]:
    made = f"Task #{number} created successfully: {subject}"
    return [call(f"c{number}", "TaskCreate", subject=subject), result(f"c{number}", made)]


def test_what_a_teammate_reports_as_done_is_not_open() -> None:
    told = '<teammate-message teammate_id="ann">Task #1 (DL-1) completed. My task #2 is blocked.</teammate-message>'
    lines = [*created(1, "add drift"), *created(2, "add screens"), user(told)]
    assert items(lines) == ["add screens"]


def test_what_is_reported_as_done_by_the_number_of_its_story_is_not_open() -> None:
    made = [*created(1, "Build Story 2.1: cart"), *created(2, "Code review: Story 2.1"), *created(3, "Build Story 2.2")]

    def told(words: str) -> list[bytes]:
        return [*made, user(f'<teammate-message teammate_id="ann">{words}</teammate-message>')]

    assert items(told("Story 2.1 is done.")) == ["Code review: Story 2.1", "Build Story 2.2"]
    assert items(told("Code review of 2.1 is complete: pass.")) == ["Build Story 2.2"]
    assert len(items(told("When 2.1 is done I begin. Version 2.1.1 is done. Is 2.2 complete?"))) == 3


def test_a_list_in_prose_is_worked_off_after_a_while() -> None:
    work = [each for number in range(80) for each in read(f"r{number}", "cart.py")]
    assert items([*_plan(), *work[:20]]) == items(_plan())
    assert items([*_plan(), *work]) == []


def test_what_was_tried_long_ago_and_checks_nothing_is_no_open_error() -> None:
    work = [each for number in range(60) for each in read(f"r{number}", "cart.py")]
    assert failing(gathered([*bash("t1", "fetcher get cart.js", "error: no route", failed=True), *work])) == []
    for command in ("pytest", "git push"):
        assert failing(gathered([*bash("t1", command, "error: no route", failed=True), *work])) == [command]
    assert failing(gathered(bash("t1", "fetcher get cart.js", "error: no route", failed=True)))


def test_a_list_of_all_tasks_says_what_is_done() -> None:
    listed = "#1 [completed] add drift\n#2 [in_progress] add screens [blocked by #7]"
    lines = [*created(1, "add drift"), *created(2, "add screens"), call("l", "TaskList"), result("l", listed)]
    assert items(lines) == ["add screens"]


def test_an_agent_that_a_teammate_started_has_a_request() -> None:
    g = gathered([user('<teammate-message teammate_id="lead">Build the index.</teammate-message>')])
    assert g.state.request == "open"


def test_a_folder_of_windows_is_told_from_the_root() -> None:
    root = "D:\\shop"
    g = Gathering()
    lines = [line("system", cwd=root), *bash("t1", "make test", ""), line("system", cwd=root + "\\src")]
    for event in Reading().events([*lines, *bash("t2", "go build ./...", "")]):
        g.take(event)
    assert {each.text: each.folder for each in rank.commands_in_use(g)} == {"make test": "", "go build ./...": "src"}


def test_a_client_that_lags_behind_its_shell_joins_no_path_to_the_wrong_folder() -> None:
    moved = line("system", cwd=f"{ROOT}/website")
    g = gathered(
        [*read("t1", "src/terminal/writer.go"), moved, *bash("t2", "cat src/terminal/run.go website/logo.svg", "x")]
    )
    assert set(files(g)) == {"src/terminal/writer.go", "src/terminal/run.go", "website/logo.svg"}


def test_a_wrapper_that_did_not_know_the_command_is_settled_by_the_command() -> None:
    wrong = bash("t1", "rtk bun run test", "error: unrecognized subcommand 'bun'", failed=True)
    assert failing(gathered([*wrong, *bash("t2", "bun run test", "3 pass\n0 fail")])) == []


def test_a_folder_with_a_space_and_a_test_program_give_no_path() -> None:
    lines = [
        *bash("t1", r"cat ~/Library/Application\ Support/ngrok/ngrok.yml", "x"),
        *bash("t2", "go test ./...", "FAIL\nshop.io/cli/strategy.test: panic: x", failed=True),
    ]
    assert set(files(gathered(lines))) == set()


# -- no path that nobody wrote ---------------------------------------------------------------------------------------


def test_a_call_that_is_written_down_after_its_cd_does_not_go_there_twice() -> None:
    lines = [line("system", cwd=f"{ROOT}/web/cart"), *bash("t1", "cd web/cart && cat plan.md", "…")]
    assert files(gathered(lines)) == {"web/cart/plan.md": "read"}
    nested = [*read("t1", "web/cart/web/cart/x.py"), *lines]
    assert "web/cart/web/cart/plan.md" in files(gathered(nested)), "such a folder may exist"
    assert files(gathered(bash("t1", "cd shop && cat plan.md", "…"))) == {"shop/plan.md": "read"}, "from the root"


@pytest.mark.parametrize(
    "command",
    [
        "rm -f .git/index.lock",
        "gh run list --workflow release.yml",
        "curl -H 'Accept: application/vnd.shop' https://example.org",
        "cd /elsewhere/cart && cat notes.md",
    ],
)
def test_what_only_looks_like_a_file_of_the_work_is_none(command: str) -> None:
    assert files(gathered(bash("t1", command, "…"))) == {}


def test_a_file_below_the_shells_own_root_is_shown_on_windows_as_it_was_written() -> None:
    lines = [line("system", cwd="D:\\shop"), *bash("t1", "sort /tmp/all.txt > /tmp/some.txt", "")]
    g = Gathering()
    for event in Reading().events(lines):
        g.take(event)
    assert {"/tmp/all.txt", "/tmp/some.txt"} == set(files(g))


def test_a_check_of_all_files_that_it_blamed_settles_it_unless_it_tests() -> None:
    told = "unformatted: File would be reformatted\n --> src/a.py:3:1\n\n1 file would be reformatted"
    broke = [*read("r1", "src/a.py"), *read("r2", "src/b.py")]
    broke += bash("t1", "ruff format --check src/a.py src/b.py", told, failed=True)
    assert failing(gathered(broke)) == ["ruff format --check src/a.py src/b.py"]
    assert failing(gathered([*broke, *bash("t2", "ruff format src/a.py", "1 file reformatted")])) == []
    assert failing(gathered([*broke, *bash("t2", "ruff format src/b.py", "1 file reformatted")]))


def test_a_path_from_where_the_shell_may_be_means_the_only_file_that_ends_so() -> None:
    known = read("r1", "web/src/cart.js")
    assert set(files(gathered([*known, *bash("t1", "cat src/cart.js", "…")]))) == {"web/src/cart.js"}
    beside = [*known, *read("r2", "src/basket.js"), *bash("t1", "cat src/cart.js", "…")]
    assert "src/cart.js" in files(gathered(beside)), "that folder is known"
    written = [*known, *bash("t1", "sort all > src/cart.js", "")]
    assert "src/cart.js" in files(gathered(written)), "it may be new"


def test_a_temporary_file_is_shown_only_behind_the_files_of_the_work() -> None:
    lines = [*bash("t1", "sort /tmp/a.txt > /tmp/b.txt", ""), *read("r1", "cart.py")]
    shown = next(each for each in sections_of(gathered(lines), lambda _: None) if each.what == "files").lines
    assert {line.text for line in shown if not line.spare} == {"cart.py"}
    assert len(shown) == 3


def test_a_command_that_the_shell_could_not_read_is_soon_forgotten() -> None:
    broke = bash("t1", "for f in *.js; do deploy $f; en", "(eval):1: parse error near `en'", failed=True)
    work = [each for number in range(10) for each in read(f"r{number}", "cart.py")]
    assert len(failing(gathered(broke))) == 1
    assert failing(gathered([*broke, *work])) == []


PROPOSED = "Here is the plan:\n1. Add the cart\n2. Remove the till\n\nShall I?"


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("yes", 2),
        ("ok, and then take care of the colours in the header too", 2),
        ("do it, but begin with point 2 and tell me first", 2),
        ("the pipeline has just failed at the formatter, look why", 0),
    ],
)
def test_what_was_proposed_is_open_only_if_the_answer_takes_it_up(answer: str, left: int) -> None:
    g = gathered([user("what now?"), agent({"type": "text", "text": PROPOSED}), user(answer)])
    assert len(rank.open_items(g)) == left


def test_what_was_listed_as_remaining_is_open_whatever_is_asked_next() -> None:
    remaining = agent({"type": "text", "text": "Done. Remaining:\n- Add the cart\n- Remove the till"})
    g = gathered([user("begin"), remaining, user("the pipeline has just failed at the formatter, look why")])
    assert len(rank.open_items(g)) == 2


def test_a_request_in_a_script_without_spaces_is_no_short_answer() -> None:
    asked = agent({"type": "text", "text": "完成了。需要我继续写下一个文件吗？"})
    request = gathered([user("开始"), asked, user("损失函数在这本书的哪一节里面讲到了")])
    assert request.prompts[-1].answers == ""
    assert gathered([user("开始"), asked, user("继续")]).prompts[-1].answers


def test_a_program_that_is_not_there_is_soon_done_without() -> None:
    lacking = bash("t1", "python3 draw.py", "/usr/bin/bash: line 1: python3: command not found", failed=True)
    assert failing(gathered(lacking)) == ["python3 draw.py"]
    assert failing(gathered([*lacking, *[each for n in range(8) for each in read(f"r{n}", "a.py")]])) == []
