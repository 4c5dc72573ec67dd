"""perdure story: what happened, by goal, from the record alone (SPEC 21.5)."""

from __future__ import annotations

from .test_hooks import FLAGS, Hooks, hooks
from .test_log import work

__all__ = ["hooks"]


def goal_work(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="prices as [cents](http://x) <b>")
    assert hooks.bash("touch b")
    hooks.cli.ok("preflight", *FLAGS, "--goal", "prices in cents")
    given = {"file_path": str(hooks.cli.cwd / "cart.py"), "old_string": "a", "new_string": "b"}
    for _ in range(2):
        hooks("PostToolUse", tool_name="Edit", tool_input=given, tool_response={})
    hooks("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make bad"}, error="Exit code 2\nno rule")
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "make all"}, tool_response={"stdout": "a"})
    hooks.cli.ok("decide", "keep whole cents", "--because", "floats lose a cent")
    hooks.cli.ok("note", "failed", "Decimal everywhere was too slow")
    hooks.cli.ok("note", "next", "add the rounding test")
    asked = hooks.cli("note", "question", "may the API change?").out.split()[1]
    hooks.cli.ok("note", "close", asked, "--because", "yes")
    hooks.cli.ok("postflight", *FLAGS)


def test_a_goal_is_told_with_what_was_asked_decided_changed_failed_and_is_open(hooks: Hooks) -> None:
    goal_work(hooks)
    [chapter] = hooks.cli.ok("story")
    parts = {part: [line["text"] for line in lines] for part, lines in chapter["parts"].items()}
    assert chapter["title"] == "prices in cents"
    assert parts == {
        "asked": ["prices as [cents](http://x) <b>"],
        "decided": ["keep whole cents (because floats lose a cent)"],
        "changed": ["cart.py"],
        "checked": [],
        "failed": ["make bad", "failed: Decimal everywhere was too slow"],
        "denied": ["touch b"],
        "learned": [],
        "open": ["next: add the rounding test"],
    }


def test_the_page_is_markdown_that_takes_nobodys_words_for_markup_and_names_commands_that_work(hooks: Hooks) -> None:
    goal_work(hooks)
    page = hooks.cli("story").out
    assert "## prices in cents" in page
    assert "- `cart.py`" in page
    assert r"- prices as \[cents\](http://x) \<b\>" in page
    command = page.partition("`perdure ")[2].partition("`")[0].split()
    assert hooks.cli.ok(*command)


def test_each_reader_gets_the_parts_in_their_order(hooks: Hooks) -> None:
    goal_work(hooks)
    handover, standup = hooks.cli("story", "--for", "handover").out, hooks.cli("story", "--for", "standup").out
    assert handover.index("Still open") < handover.index("Decided") < handover.index("Tried and failed")
    assert "Asked for" not in standup
    assert "Still open" in standup


def test_one_transaction_or_session_can_be_told_and_nothing_is_said_to_be_nothing(hooks: Hooks) -> None:
    assert "Nothing is recorded since" in hooks.cli("story").out
    goal_work(hooks)
    work(hooks)
    chapters = hooks.cli.ok("story")
    assert chapters[0]["title"] == "prices in cents"
    assert [each["title"] for each in hooks.cli.ok("story", "--transaction", chapters[0]["transaction_ids"][0])] == [
        "prices in cents"
    ]
