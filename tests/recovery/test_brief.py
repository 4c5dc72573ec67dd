"""A brief from a transcript: each need in it, within its budget, nothing that stands nowhere (SPEC 12.2, 12.3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.actions.recovering import from_transcript
from perdure.errors import BadInput
from perdure.recovery.brief import LEAST, BriefLine, Section, brief, sections_of
from perdure.recovery.gather import Gathering
from perdure.recovery.tokens import count
from perdure.transcript.events import Prompt
from tests.effort import tries

from ..transcript.test_claude_code import agent, result, user


def call(id: str, tool: str, **given: object) -> bytes:
    return agent({"type": "tool_use", "id": id, "name": tool, "input": given})


def bash(id: str, command: str, output: str, failed: bool = False) -> list[bytes]:
    return [call(id, "Bash", command=command), result(id, output, failed)]


def recovered(tmp_path: Path, *lines: bytes, tokens: int = 1200) -> str:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(lines))
    text = from_transcript(str(path), None, tokens).text
    assert count(text) <= tokens
    return text


def test_each_need_is_in_it(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("Prices as whole cents. Never touch prices.py, it is generated.", cwd="/nowhere/shop"),
        call("t1", "Read", file_path="/nowhere/shop/src/cart.py"),
        result("t1", "def total(): ..."),
        call(
            "t2",
            "Edit",
            file_path="/nowhere/shop/src/cart.py",
            old_string="x",
            new_string="def total_in_cents(cart):\n",
        ),
        result("t2", "updated"),
        call(
            "t3",
            "TodoWrite",
            todos=[{"content": "round it", "status": "in_progress"}, {"content": "x", "status": "completed"}],
        ),
        *bash("t4", "pytest -q tests/test_cart.py 2>&1 | tail -3", "E   AssertionError: 3 != 4\n1 failed"),
        agent({"type": "text", "text": "Now I will mend the rounding in `round_half`."}),
        user("and keep the API as it is"),
    )
    for needed in (
        "> and keep the API as it is",
        "> Prices as whole cents. Never touch prices.py, it is generated.",
        "src/cart.py (edited)",
        "AssertionError: 3 != 4",
        "[~] round it",
        "total_in_cents",
        "round_half",
        "`pytest -q tests/test_cart.py`",
        "Now I will mend the rounding",
    ):
        assert needed in text, text
    assert "[ ] x" not in text


def test_an_error_is_open_until_something_of_its_kind_succeeds(tmp_path: Path) -> None:
    failing = bash("t1", "make test", "make: *** [test] Error 1", failed=True)
    lint = bash("t2", "ruff check .", "error: unused import\nFound 1 error.", failed=True)
    text = recovered(tmp_path, *failing, *lint, *bash("t3", "cd x && make test 2>&1 | tail -1", "12 passed"))
    assert "make: ***" not in text
    assert "unused import" in text


def test_a_rule_that_was_taken_back_is_not_given_back(tmp_path: Path) -> None:
    rules = [user("Always use tabs in cart.py files."), user("Never push to main.")]
    later = [user("ok"), user("go on"), user("fine"), user("hm"), user("yes"), user("more"), user("a"), user("b")]
    text = recovered(tmp_path, *rules, user("Actually, use spaces: forget about tabs in cart.py files."), *later)
    assert "Always use tabs" not in text.split("Rules the person set")[1]
    assert "> Never push to main." in text


def test_a_long_prompt_is_given_word_for_word_up_to_its_fortieth_word(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(60)]
    text = recovered(tmp_path, user(" ".join(words)))
    assert " ".join(words[:40]) + " …" in text
    assert "w40" not in text


def test_a_file_that_is_gone_is_said_to_be_gone_where_there_is_a_work_tree(tmp_path: Path) -> None:
    (tmp_path / "here.py").write_text("x")
    lines = [
        user("go", cwd=str(tmp_path)),
        *(call(n, "Read", file_path=str(tmp_path / n)) for n in ("here.py", "gone.py")),
    ]
    text = recovered(tmp_path, *lines)
    assert "gone.py (gone)" in text
    assert "here.py (gone)" not in text


NASTY = [
    "漢字" * 40,
    "🙂👩‍👩‍👧" * 30,
    "a" * 3000,
    "AGFzZGZhc2Rm" * 60,
    "x/" * 2000 + "y.py",
    "function(){" * 80,
    "\u202e\x1b[31m",
]


@pytest.mark.parametrize("tokens", [40, 41, 60, 100, 300, 500, 1200])
@pytest.mark.parametrize("nasty", NASTY, ids=range(len(NASTY)))
def test_no_budget_is_exceeded_by_a_single_token(tmp_path: Path, nasty: str, tokens: int) -> None:
    lines = [
        user(nasty),
        call("t", "Edit", file_path=f"/r/{nasty}.py", new_string=nasty),
        *bash("b", f"make {nasty}", f"error: {nasty}", True),
    ]
    recovered(tmp_path, *lines, agent({"type": "text", "text": nasty}), tokens=tokens)


def test_fewer_tokens_than_anything_needs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(user("x"))
    with pytest.raises(BadInput):
        from_transcript(str(path), None, LEAST - 1)


LINES = st.lists(st.text(max_size=40).map(BriefLine), max_size=8).map(tuple)
SECTIONS = st.lists(
    st.builds(lambda lines, share: Section(title="T:", what="ts", share=share, lines=lines), LINES, st.floats(0.5, 3)),
    max_size=5,
)


@tries(60)
@given(SECTIONS, st.integers(40, 200))
def test_sections_share_the_budget_and_keep_it(sections: list[Section], budget: int) -> None:
    text = brief(sections, budget, more="more")
    assert count(text) <= budget
    assert brief(sections, budget, more="more") == text
    if not any(section.lines for section in sections):
        assert text == ""


def test_broken_and_foreign_lines_change_nothing(tmp_path: Path) -> None:
    lines = [user("Never push."), *bash("t1", "make test", "FAILED x", True), call("t2", "Read", file_path="/r/a.py")]
    whole = recovered(tmp_path, *lines)
    strewn = [piece for line in lines for piece in (b"\xff{\n", json.dumps({"foreign": 1}).encode() + b"\n", line)]
    assert recovered(tmp_path, *strewn, b'{"type": "user", "mess') == whole


def test_a_file_written_by_a_command_or_by_a_tool_of_another_server_is_edited(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("go", cwd="/r"),
        *bash("b1", "cat > src/new.py <<'EOF'\ndef made_by_hand():\n    pass\nEOF", ""),
        *bash("b2", "sed -i 's/a/b/' src/old.py && make", "ok"),
        call("t1", "mcp__serena__replace_symbol", relative_path="src/third.py", body="x"),
    )
    for path in ("new.py (edited)", "old.py (edited)", "third.py (edited)", "made_by_hand"):
        assert path in text, text


def test_a_persons_answer_and_a_plan_are_kept(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        call("q", "AskUserQuestion", questions=[]),
        result("q", 'The person answered: "Which?"="Use whole cents". Go on.'),
        call("p", "ExitPlanMode", plan="# Plan\n1. Round it\n2. Test it\n"),
    )
    assert "> Use whole cents" in text
    assert "[ ] Round it" in text


def test_nothing_of_a_file_that_was_put_back_is_left(tmp_path: Path) -> None:
    edit = call("t1", "Edit", file_path="/r/a.py", new_string="x")
    text = recovered(tmp_path, user("go", cwd="/r"), edit, result("t1", "ok"), *bash("b", "git checkout -- a.py", ""))
    assert "a.py (edited)" not in text


def test_what_is_too_long_to_fit_does_not_push_out_what_fits(tmp_path: Path) -> None:
    text = recovered(tmp_path, user("keep the API"), user("QUJD" * 5000), user("漢" * 3000), tokens=120)
    assert "> keep the API" in text


def edited(id: str, path: str, new: str = "def x(): ...", tool: str = "Edit") -> list[bytes]:
    return [call(id, tool, file_path=path, old_string="a", new_string=new), result(id, "updated")]


def test_a_failure_of_another_kind_is_not_settled_by_a_success(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("go", cwd="/nowhere/shop"),
        *bash(
            "t1",
            "mise run fmt && mise run lint",
            "a.go:3:1: unused variable `x`\n[lint] ERROR task failed",
            failed=True,
        ),
        *bash("t2", "mise run test", "ok"),
        *bash("t3", "mise run fmt", "ok"),
    )
    assert "a.go:3:1: unused variable" in text
    assert "a.go:3:1" not in recovered(
        tmp_path,
        user("go", cwd="/nowhere/shop"),
        *bash("t1", "mise run fmt && mise run lint", "a.go:3:1: unused variable `x`", failed=True),
        *bash("t2", "mise run lint", "ok"),
    )


def test_a_check_that_is_run_again_in_other_words_is_one_error(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("go", cwd="/nowhere/shop"),
        *bash(
            "t1",
            "go test ./cart -run TestTotal -v",
            "--- FAIL: TestTotal (0.10s)\n  cart_test.go:9: got 3",
            failed=True,
        ),
        *bash(
            "t2",
            "go test -run TestTotal ./cart -count=1",
            "--- FAIL: TestTotal (0.20s)\n  cart_test.go:9: got 5",
            failed=True,
        ),
    )
    assert "got 5" in text
    assert "got 3" not in text


def test_a_tool_of_a_server_that_fails_is_an_error_until_it_works(tmp_path: Path) -> None:
    failing = [call("t1", "mcp__cluster__apply", manifest="x"), result("t1", "Error: field is immutable", failed=True)]
    assert "field is immutable" in recovered(tmp_path, user("go"), *failing)
    working = [call("t2", "mcp__cluster__apply", manifest="y"), result("t2", "applied")]
    assert "field is immutable" not in recovered(tmp_path, user("go"), *failing, *working)


def test_an_edit_that_failed_is_settled_by_any_change_of_that_file(tmp_path: Path) -> None:
    failing = [call("t1", "Edit", file_path="/nowhere/a.py"), result("t1", "String to replace not found", failed=True)]
    assert "String to replace not found" in recovered(tmp_path, user("go"), *failing)
    assert "not found" not in recovered(tmp_path, user("go"), *failing, *edited("t2", "/nowhere/a.py", tool="Write"))


def test_a_command_of_another_shell_is_a_command(tmp_path: Path) -> None:
    ran = [
        call("t1", "PowerShell", command="dotnet build"),
        result("t1", "Cart.cs(3,4): error CS0103: no name", failed=True),
    ]
    text = recovered(tmp_path, user("go"), *ran)
    assert "`dotnet build`: Cart.cs(3,4): error CS0103" in text


def test_files_of_windows_are_shown_from_the_root(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("go", cwd="C:\\work\\shop"),
        *edited("t1", "C:\\work\\shop\\src\\Cart.cs"),
        *edited("t2", "C:\\work\\shop\\src\\Line.cs"),
    )
    assert "src\\: " in text
    assert "C:" not in text


def test_what_was_chosen_does_not_push_out_what_was_said(tmp_path: Path) -> None:
    questions = [{"question": "Which?", "options": [{"label": "Whole cents"}, {"label": "Floats"}]}]
    asked = [
        call("t1", "AskUserQuestion", questions=questions),
        result(
            "t1",
            'User has answered your questions: "Which?"="Whole cents", "How?"="carefully". You can now go on.',
        ),
    ]
    text = recovered(tmp_path, user("mend the cart"), *asked)
    assert "The person chose, newest first: Which? > Whole cents" in text
    assert text.index("mend the cart") < text.index("Whole cents")
    assert text.index("> carefully") < text.index("> mend the cart")


SUMMARY = """This session is being continued from a previous conversation.
Summary:
1. Primary Request and Intent:
   Prices as whole cents.
6. All user messages:
   - "use whole cents"
   - "never touch prices.py"
7. Pending Tasks:
   - Round half up in src/cart.py
9. Optional Next Step:
   Run the tests.

Continue the conversation from where it left off without asking the user any further questions.
"""


def test_a_clients_summary_is_given_where_nothing_else_is_and_is_marked(tmp_path: Path) -> None:
    text = recovered(tmp_path, user(SUMMARY, isCompactSummary=True, cwd="/nowhere/shop"), user("go on"))
    for told in ("- Run the tests.", "- Round half up in src/cart.py", '- "never touch prices.py"'):
        assert told in text[text.index("From the client's summary, not checked:") :]
    assert "src/cart.py (client's summary)" in text
    assert "without asking" not in text


def test_a_clients_summary_of_what_is_in_the_transcript_is_left_out(tmp_path: Path) -> None:
    text = recovered(tmp_path, user("use whole cents"), user(SUMMARY, isCompactSummary=True), user("go on"))
    assert "summary" not in text


def test_where_there_is_no_work_tree_one_word_says_so(tmp_path: Path) -> None:
    assert recovered(tmp_path, user("go", cwd="/nowhere"), *edited("t1", "/nowhere/a.py")).count("(unverified)") == 1
    (tmp_path / "a.py").write_text("")
    assert "unverified" not in recovered(tmp_path, user("go", cwd=str(tmp_path)), *edited("t1", str(tmp_path / "a.py")))


def test_a_place_in_an_error_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x\n")
    output = "src/b.py:3: error: bad\nsrc/a.py:1: error: worse\nelsewhere/c.py:1: error: worst"
    text = recovered(tmp_path, user("go", cwd=str(tmp_path)), *bash("t1", "mypy .", output, failed=True))
    assert "src/b.py:3: error: bad (gone)" in text
    assert "src/a.py:1: error: worse\n" in text
    assert "elsewhere/c.py:1: error: worst (gone)" not in text


def test_code_in_a_script_names_no_file(tmp_path: Path) -> None:
    script = "python3 - <<'PY'\ncontent.count(pathlib.Path)\nPY\ncat cart.py"
    text = recovered(tmp_path, user("go", cwd="/nowhere"), *bash("t1", script, "ok"))
    assert "cart.py" in text
    assert "content.count" not in text


def test_each_need_has_its_first_line_in_a_small_budget(tmp_path: Path) -> None:
    text = recovered(
        tmp_path,
        user("Never push.", cwd="/nowhere/shop"),
        user("Please mend the cart and " * 30),
        *bash("t1", "make docs", "ok"),
        *(
            line
            for n in range(30)
            for line in edited(f"e{n}", f"/nowhere/shop/src/deep/module_{n}.py", f"def name_{n}(): ...")
        ),
        call("t3", "TodoWrite", todos=[{"content": f"item {n}", "status": "pending"} for n in range(30)]),
        *bash(
            "t4",
            "pytest -q",
            "\n".join(f"FAILED tests/test_a.py::test_{n}_is_so - assert {n}" for n in range(30)),
            failed=True,
        ),
        user("and the person's last words"),
        tokens=300,
    )
    for title in ("Files", "Last words:", "Rules:", "Unresolved errors:", "Open items:", "Names:", "Commands:"):
        assert title in text, text


def test_what_an_error_said_stands_under_the_command_that_said_it(tmp_path: Path) -> None:
    lines: list[bytes] = []
    for number, command in enumerate(("pytest", "make lint", "npm run build")):
        said = "\n".join(f"error: {command} says {each}" for each in range(3))
        lines += [call(f"t{number}", "Bash", command=command), result(f"t{number}", said, failed=True)]
    told = recovered(tmp_path, *lines).split("Unresolved errors:\n")[1].split("\n")[:9]
    for at, command in enumerate(("npm run build", "make lint", "pytest")):
        assert told[3 * at] == f"- `{command}`: error: {command} says 0"
        assert told[3 * at + 1 : 3 * at + 3] == [f"  error: {command} says {each}" for each in (1, 2)]


@pytest.mark.parametrize("word", ["push", "edited", "unverified", "cart", "make"])
def test_a_prompt_is_told_though_a_file_or_a_command_has_the_same_word(tmp_path: Path, word: str) -> None:
    edit = call("t1", "Edit", file_path="/nowhere/src/push.py", old_string="a", new_string="b")
    run = call("t2", "Bash", command="make cart")
    text = recovered(tmp_path, user("Add a feature."), edit, result("t1", "ok"), run, result("t2", "ok"), user(word))
    assert f"> {word}\n" in text


def test_a_command_that_is_cut_says_so(tmp_path: Path) -> None:
    command = "cp /srv/" + "/".join(f"folder{n}" for n in range(40)) + " here"
    text = recovered(tmp_path, call("t1", "Bash", command=command), result("t1", "cp: permission denied", failed=True))
    assert "/folder12/fold…`: cp: permission denied" in text


# -- a decision, rule or open item is never left out because its words occur in another line (SPEC 12.2) ---------------


def test_a_decision_whose_words_stand_in_a_longer_line_is_given_all_the_same() -> None:
    longer, inside = BriefLine("use WAL for the ledger, and keep it there"), BriefLine("use WAL")
    for texts in ((longer, inside), (inside, longer)):
        decided = Section(title="Decisions:", what="decisions", share=1.0, lines=texts, always=True)
        other = Section(
            title="Next:", what="steps", share=1.0, lines=(BriefLine("write that we use WAL"),), always=True
        )
        given = brief([other, decided], 400, "Perdure: we use WAL.")
        assert given.count("- use WAL\n") + given.endswith("- use WAL") == 1, given
        assert "Not shown" not in given


def test_what_is_left_out_of_decisions_is_counted_though_its_words_stand_elsewhere() -> None:
    words = tuple(BriefLine(f"decision {number} about the cache and its time to live") for number in range(40))
    decided = Section(title="Decisions:", what="decisions", share=1.0, lines=words, always=True)
    head = "\n".join(line.text for line in words[:3])
    given = brief([decided], 120, head, more="More: perdure recover")
    shown = given.count("- decision")
    assert f"Not shown: {40 - shown} decisions." in given


def test_a_name_or_a_prompt_that_stands_in_the_brief_already_is_still_said_once() -> None:
    said = Section(title="Said:", what="prompts", share=2.0, lines=(BriefLine("> mend the cart"),))
    named = Section(
        title="Names:", what="names", share=1.0, lines=(BriefLine("cart"), BriefLine("Basket")), between=", "
    )
    assert brief([said, named], 200) == "Said: > mend the cart\nNames: Basket"


def test_an_open_item_is_given_though_the_person_said_the_same_words(tmp_path: Path) -> None:
    todo = call("t1", "TodoWrite", todos=[{"content": "mend the cart", "status": "pending"}])
    text = recovered(tmp_path, user("please mend the cart and its tests", cwd="/nowhere"), todo, result("t1", "ok"))
    assert "[ ] mend the cart" in text


def test_a_rule_is_given_as_a_rule_though_the_last_prompt_has_it_too(tmp_path: Path) -> None:
    text = recovered(tmp_path, user("Fix the cart. Never push to main."), agent({"type": "text", "text": "On it."}))
    assert "Rules the person set: > Never push to main." in text


def test_what_fits_in_full_is_given_in_full(tmp_path: Path) -> None:
    """A small budget shortens lines only if they do not fit otherwise."""
    said = (
        "mismatched types: expected the total in whole cents as an integer, found an optional float from the old cart"
    )
    text = recovered(
        tmp_path,
        user("go on", cwd="/nowhere/shop"),
        *bash("b", "pytest -q tests/test_cart.py tests/test_lines.py", f"E   TypeError: {said}\n1 failed", failed=True),
        tokens=500,
    )
    assert said in text


def test_files_that_were_used_long_ago_are_named_if_there_is_room(tmp_path: Path) -> None:
    """SPEC 12.2: what is left of the budget goes to the next best."""
    lines = [user("go on", cwd="/nowhere/shop")]
    for number in range(70):
        lines += edited(f"e{number}", f"/nowhere/shop/part{number}.py", "x")
    for number in range(200):
        lines += bash(f"b{number}", "true", "")
    for number in range(12):
        lines += edited(f"f{number}", f"/nowhere/shop/new{number}.py", "x")
    assert "part0.py" in recovered(tmp_path, *lines, tokens=1500)


def test_what_is_forbidden_stands_first_among_the_rules_and_in_the_smallest_brief(tmp_path: Path) -> None:
    lines = [
        user("Never touch prices.py.", cwd="/nowhere/shop"),
        *(line for n in range(6) for line in edited(f"e{n}", f"/nowhere/shop/src/deep/module_{n}.py")),
        user("Always use tabs. You must run the linter after each change. Use only the cart that we have."),
        user("look at the cart and at the lines of it, then tell me what you think of them in a few words"),
    ]
    assert "Never touch prices.py." in recovered(tmp_path, *lines, tokens=60)
    rules = recovered(tmp_path, *lines).partition("Rules the person set:")[2]
    assert rules.index("Never touch") < rules.index("Always use tabs")


def test_what_a_teammate_asked_is_told_as_a_teammates(tmp_path: Path) -> None:
    """It is the goal of an agent that a team's lead started, but no words of the person's."""
    lead = (
        '<teammate-message teammate_id="lead" color="blue">\nBuild the index. Never edit query.py.\n</teammate-message>'
    )
    idle = '<teammate-message teammate_id="ben">\n{"type":"idle_notification"}\n</teammate-message>'
    text = recovered(tmp_path, user(lead, cwd="/nowhere/shop"), *edited("e", "/nowhere/shop/index.py"), user(idle))
    assert "Teammates told this agent: - lead: Build the index. Never edit query.py." in text
    assert "Rules" not in text
    assert "idle_notification" not in text


@pytest.mark.parametrize("command", ["ls", "rm -f x.py && ls", "pwd", "cd src && ls -la"])
@pytest.mark.parametrize("failed", [False, True])
def test_listing_and_tidying_up_is_not_work_worth_a_line(tmp_path: Path, command: str, failed: bool) -> None:
    text = recovered(
        tmp_path, user("go on", cwd="/nowhere/shop"), *bash("b", command, "ls: cannot access 'x'", failed=failed)
    )
    assert command not in text


@pytest.mark.parametrize(
    ("command", "printed", "meant"),
    [
        ("cd go && go vet ./...", "go/cmd/main.go:3:1: undefined: x", "go/cmd/main.go"),
        ("cd go && go vet ./...", "vet: cmd/main.go:3:1: undefined: x", "go/cmd/main.go"),
        ("go vet ./...", "cmd/main.go:3:1: undefined: x", "cmd/main.go"),
    ],
)
def test_a_path_in_output_is_found_from_the_root_or_from_where_the_command_ran(
    tmp_path: Path, command: str, printed: str, meant: str
) -> None:
    text = recovered(
        tmp_path, user("go on", cwd="/nowhere/shop"), *bash("b", command, printed, failed=True), tokens=800
    )
    assert f": {meant} (failing)" in text, text


def test_a_path_of_windows_in_an_error_is_a_file(tmp_path: Path) -> None:
    printed = "C:\\work\\shop\\src\\Cart.cs(8,3): error CS0103: The name 'x' does not exist"
    text = recovered(
        tmp_path, user("go on", cwd="C:\\work\\shop"), *bash("b", "dotnet build", printed, failed=True), tokens=800
    )
    assert "src\\Cart.cs (failing)" in text, text


def test_a_type_is_not_a_file(tmp_path: Path) -> None:
    printed = "main.go:3:1: cannot use r (variable of type *net/http.Request) as x/y.Handler value"
    text = recovered(tmp_path, user("go on", cwd="/nowhere/shop"), *bash("b", "go build", printed, failed=True))
    assert "http.Request (failing)" not in text
    assert "Handler (failing)" not in text


def test_a_word_of_a_sentence_in_the_code_is_not_a_name(tmp_path: Path) -> None:
    new = "# a function that returns the type of each record from the cart\ndef total():\n    class Line: ...\n"
    text = recovered(tmp_path, user("go on", cwd="/nowhere/shop"), *edited("e", "/nowhere/shop/cart.py", new))
    named = text.partition("Names in play: ")[2].partition("\n")[0].split(", ")
    assert sorted(named) == ["Line", "total"], text


def test_a_short_answer_is_told_with_the_question(tmp_path: Path) -> None:
    asked = agent({"type": "text", "text": "Both work. Shall I drop the index, or keep it?"})
    text = recovered(tmp_path, user("look at the index", cwd="/nowhere/shop"), asked, user("yes, drop"))
    assert "> yes, drop (asked: Shall I drop the index, or keep it?)" in text


def test_what_was_done_since_the_last_words_is_told(tmp_path: Path) -> None:
    words = agent({"type": "text", "text": "Now the cart."})
    some = [line for n in range(4) for line in bash(f"b{n}", f"make part{n}", "")]
    text = recovered(
        tmp_path, user("go", cwd="/nowhere/shop"), words, *some, *bash("x", "make", "error: x", failed=True)
    )
    assert "since then 2 calls, then `make part2`; `make part3`; `make` (failed)" in text
    assert "since then" not in recovered(tmp_path, user("go", cwd="/nowhere/shop"), words, *bash("x", "make", ""))


def test_a_number_is_told_with_what_it_stands_for(tmp_path: Path) -> None:
    offered = agent({"type": "text", "text": "Options:\n1. **Drop** the index\n2. Keep it\n\nWhich one?"})
    text = recovered(tmp_path, user("look", cwd="/nowhere/shop"), offered, user("2"))
    assert "> 2 (asked: Keep it)" in text


@pytest.mark.parametrize(
    ("said", "prompt"),
    [
        ("Pushed to example.org/api. Is there anything else you'd like?", "check the logs"),
        ("It lies in example.org/api/radiation?x=1, I think.", "commit and push"),
        ("Shall I push?", "why does this happen?"),
    ],
)
def test_a_prompt_that_answers_nothing_is_told_alone(tmp_path: Path, said: str, prompt: str) -> None:
    lines = [user("look", cwd="/nowhere/shop"), agent({"type": "text", "text": said}), user(prompt)]
    assert "asked:" not in recovered(tmp_path, *lines)


def test_the_newest_prompt_stands_among_the_last_words_even_if_it_is_a_rule() -> None:
    g = Gathering()
    for at, said in enumerate(["add the cart", "Never touch the till."]):
        g.take(Prompt(str(at), said))
    text = brief(sections_of(g, lambda _: None), 1200)
    assert "newest first:\n> Never touch the till.\n> add the cart" in text
