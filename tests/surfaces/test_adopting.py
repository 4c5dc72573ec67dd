"""perdure transcript: a client's own transcript, looked at and taken into the ledger (SPEC 12.3)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import adoption_diff, transcripts
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk

from ..conftest import Cli, git, new_repository
from ..transcript.test_claude_code import agent, line, result, user
from .looking import assert_error

SESSION = "5e551011-1111-4222-8333-444444444444"


def told(cli: Cli) -> Iterator[dict[str, Any]]:
    for row in cli("export").out.splitlines():
        event = json.loads(row)
        if "kind" in event:
            yield event


def prompts(cli: Cli) -> list[str]:
    return [event["payload"]["text"] for event in told(cli) if event["kind"] == "prompt.given"]


def notes(cli: Cli, kind: str) -> list[str]:
    return [event["payload"]["text"] for event in told(cli) if event["kind"] == f"note.{kind}"]


def said(*texts: str) -> bytes:
    return b"".join(user(text, sessionId=SESSION, cwd="/elsewhere") for text in texts)


def call(id: str, name: str, given: dict[str, Any], came: str = "ok") -> bytes:
    return agent({"type": "tool_use", "id": id, "name": name, "input": given}) + result(id, came)


def items(id: str, **by_status: str) -> bytes:
    todos = [{"content": content.replace("_", " "), "status": status} for content, status in by_status.items()]
    return call(id, "TodoWrite", {"todos": todos})


def talk(path: Path, root: Path) -> Path:
    lines = [
        user("never push; mail me at ana@example.org", cwd=str(root), sessionId="talk-1"),
        agent({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": str(root / "src/cart.py")}}),
        result("t1", "def total(): ..."),
        agent({"type": "tool_use", "id": "t2", "name": "Edit", "input": {"file_path": str(root / "src/cart.py")}}),
        result("t2", "updated"),
        agent(
            {"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "psql postgres://a:b4r-p4ss-77@db/x"}}
        ),
        result("t3", "Exit code 1\nno", failed=True),
    ]
    path.write_bytes(b"".join(lines) + b"broken\n")
    return path


def test_a_transcript_is_shown_event_by_event(cli: Cli, tmp_path: Path) -> None:
    path = talk(tmp_path / "talk.jsonl", cli.cwd)
    shown = cli.ok("transcript", "show", str(path))
    assert [event["kind"] for event in shown["entries"]] == [
        "prompt",
        "Read",
        "result",
        "Edit",
        "result",
        "Bash",
        "failed",
    ]
    assert shown["skipped_lines"] == 1
    assert len(cli.ok("transcript", "show", str(path), "--limit", "2")["entries"]) == 2
    assert "never push" in cli("transcript", "show", str(path)).out


def test_a_transcript_is_adopted_once_masked_and_as_a_session_of_its_own(cli: Cli, tmp_path: Path) -> None:
    path = talk(tmp_path / "talk.jsonl", cli.cwd)
    before = cli.ok("status")["session"]
    done = cli.ok("transcript", "adopt", str(path))
    assert (done["events"], done["left_out_count"], done["skipped_lines"]) == (4, 0, 1)
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    taken = [event for event in events if event.get("session_id") == done["session_id"]]
    assert [(event["kind"], event["actor"]) for event in taken] == [
        ("session.started", "claude-code"),
        ("prompt.given", "user"),
        ("file.read", "claude-code"),
        ("edit.made", "claude-code"),
        ("command.run", "claude-code"),
        ("session.ended", "claude-code"),
    ]
    assert taken[2]["payload"] == {"path": "src/cart.py"}
    assert "b4r-p4ss-77" not in cli("export").out
    assert cli.ok("status")["session"] == before, "whoever adopts goes on in their own session"
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")
    (tmp_path / "empty.jsonl").write_bytes(b"nothing\n")
    assert_error(cli("transcript", "adopt", str(tmp_path / "empty.jsonl"), "--json"), 1, kind="nothing_to_adopt")


def test_what_a_transcript_has_grown_by_is_adopted_as_the_session_that_goes_on(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(user("make the cart faster", sessionId="s-1") + b"cut off {")
    first = cli.ok("transcript", "adopt", str(path))
    with path.open("ab") as file:
        file.write(b"\n" + user("and the till", sessionId="s-1"))
    second = cli.ok("transcript", "adopt", str(path))
    assert (first["events"], second["events"]) == (1, 1)
    assert cli.ok("session", "show", second["session_id"])["parent_id"] == first["session_id"]
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")
    events = [json.loads(line) for line in cli("export").out.splitlines()]
    texts = [event["payload"]["text"] for event in events if event.get("kind") == "prompt.given"]
    assert texts == ["make the cart faster", "and the till"]
    assert cli("transcript", "show", str(path)).out.splitlines()[-1] == "1 line could not be read"


def test_a_secret_at_the_place_where_an_adopted_prompt_is_cut_is_masked(cli: Cli, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path = tmp_path / "long.jsonl"
    path.write_bytes(user("x " * 74_990 + token + " y" * 20_000, sessionId="long", cwd=str(cli.cwd)))
    cli.ok("transcript", "adopt", str(path))
    assert token[:12] not in cli("export").out


def test_what_was_adopted_is_gone_on_with(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(user("never push to main") + user("make the cart faster"))
    cli.ok("transcript", "adopt", str(tmp_path / "t"))
    brief = cli("recover").out
    assert "> make the cart faster" in brief
    assert "> never push to main" in brief


# -- adopted again ---------------------------------------------------------------------------------------------------


def test_a_transcript_that_was_rewound_and_grew_another_way_loses_and_doubles_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(said("one", "two", "three", "four", "five"))
    cli.ok("transcript", "adopt", str(path))
    path.write_bytes(said("one", "two", "other three", "other four", "other five", "other six"))
    assert cli.ok("transcript", "adopt", str(path))["events"] == 4
    assert prompts(cli) == [
        "one",
        "two",
        "three",
        "four",
        "five",
        "other three",
        "other four",
        "other five",
        "other six",
    ]
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")


@pytest.mark.parametrize("broken", [0, 1, 3])
def test_a_line_that_was_broken_and_is_whole_again_is_taken_in(cli: Cli, tmp_path: Path, broken: int) -> None:
    path, words = tmp_path / "t.jsonl", ["one", "two", "three", "four"]
    lines = [said(word) for word in words]
    path.write_bytes(b"".join(row if at != broken else row[:40] + b"\n" for at, row in enumerate(lines)))
    cli.ok("transcript", "adopt", str(path))
    path.write_bytes(b"".join(lines) + said("five"))
    assert cli.ok("transcript", "adopt", str(path))["events"] == 2
    assert sorted(prompts(cli)) == sorted([*words, "five"])


def test_what_was_done_again_since_is_new_however_often_it_was_done_before(cli: Cli, tmp_path: Path) -> None:
    path, edit = tmp_path / "t.jsonl", {"file_path": str(cli.cwd / "cart.py")}
    first = said("go") + call("a", "Edit", edit) + call("b", "Edit", edit)
    path.write_bytes(first)
    assert cli.ok("transcript", "adopt", str(path))["events"] == 3
    path.write_bytes(first + said("go") + call("c", "Edit", edit))
    assert cli.ok("transcript", "adopt", str(path))["events"] == 2
    kinds = [event["kind"] for event in told(cli)]
    assert (kinds.count("edit.made"), kinds.count("prompt.given")) == (3, 2)


def test_what_was_left_out_as_too_old_stays_out_when_the_transcript_grows(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the same was done again and again, before and after."""
    monkeypatch.setattr(adoption_diff, "MOST", 20)
    path = tmp_path / "t.jsonl"

    def steps(start: int, end: int) -> bytes:
        edit = {"file_path": str(cli.cwd / "cart.py")}
        return b"".join(said(f"step {n}") + call(f"e{n}", "Edit", edit) for n in range(start, end))

    def adopt() -> tuple[int, int]:
        request = Request(cwd=str(cli.cwd), environment=cli.environment)
        with open_desk(request) as desk:
            done = transcripts.adopt(desk, str(path))
        return done.events, done.left_out

    path.write_bytes(steps(0, 15))
    assert adopt() == (20, 10)
    path.write_bytes(steps(0, 17))
    assert adopt() == (4, 0)
    path.write_bytes(steps(0, 40))
    assert adopt() == (20, 26)
    path.write_bytes(steps(0, 41))
    assert adopt() == (2, 0)
    assert prompts(cli) == [f"step {n}" for n in (*range(5, 17), *range(30, 41))]


def hooks(cli: Cli, event: str, **given: Any) -> None:
    told = {"session_id": SESSION, "transcript_path": "/x", "cwd": str(cli.cwd), "hook_event_name": event, **given}
    done = cli("hook", event, input=json.dumps(told))
    assert done.code == 0, done


def client_ends(cli: Cli) -> None:
    """These tests ran the hooks, so they are the client. A person comes after it: adopting is for people."""
    shutil.rmtree(Path(cli.environment["PERDURE_HOME"]) / "bindings", ignore_errors=True)


def test_what_hooks_recorded_of_the_same_session_is_not_taken_in_again(cli: Cli, tmp_path: Path) -> None:
    made = {"file_path": str(cli.cwd / "new.py"), "content": "x"}
    edited = {"file_path": str(cli.cwd / "cart.py"), "old_string": "x", "new_string": "y"}
    hooks(cli, "SessionStart", source="startup")
    hooks(cli, "UserPromptSubmit", prompt="one \n")
    hooks(cli, "PostToolUse", tool_name="Edit", tool_input=edited, tool_response={})
    hooks(cli, "PostToolUse", tool_name="Write", tool_input=made, tool_response={"type": "create"})
    hooks(cli, "PostToolUse", tool_name="Read", tool_input=edited, tool_response={}, agent_id="a1", agent_type="x")
    hooks(cli, "UserPromptSubmit", prompt="two")
    seen = said("one") + call("a", "Edit", edited) + call("b", "Write", made) + said("two")
    path = tmp_path / "t.jsonl"
    path.write_bytes(seen)
    client_ends(cli)
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")
    path.write_bytes(seen + call("c", "Read", edited) + said("three"))
    assert cli.ok("transcript", "adopt", str(path))["events"] == 2, "a subagent's look is not the agent's own"
    assert [text.strip() for text in prompts(cli)] == ["one", "two", "three"]
    hooks(cli, "UserPromptSubmit", prompt="four")
    with path.open("ab") as file:
        file.write(said("four", "five"))
    client_ends(cli)
    assert cli.ok("transcript", "adopt", str(path))["events"] == 1
    assert [text.strip() for text in prompts(cli)] == ["one", "two", "three", "four", "five"]


def test_a_credential_and_a_long_text_are_known_again_as_they_were_kept(cli: Cli, tmp_path: Path) -> None:
    token, path = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", tmp_path / "t.jsonl"
    long = said(f"push with {token}", "word " * 40_000) + call("a", "Bash", {"command": f"curl {token} " + "x " * 3000})
    path.write_bytes(long)
    cli.ok("transcript", "adopt", str(path))
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")


def test_what_was_erased_for_good_does_not_come_back_with_the_transcript(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(said("my mother's name is Ana", "go on"))
    cli.ok("transcript", "adopt", str(path))
    event = next(event for event in told(cli) if event["kind"] == "prompt.given")
    cli.ok("redact", event["id"], "--because", "private")
    path.write_bytes(said("my mother's name is Ana", "go on", "more"))
    assert cli.ok("transcript", "adopt", str(path))["events"] == 1
    assert "mother" not in cli("export").out


# -- into which project ----------------------------------------------------------------------------------------------


def test_the_answer_names_the_project_and_says_when_the_session_worked_elsewhere(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    other = new_repository(tmp_path / "other", environment)
    (tmp_path / "here.jsonl").write_bytes(user("one", cwd=str(cli.cwd / "src"), sessionId="s-1"))
    (tmp_path / "there.jsonl").write_bytes(user("two", cwd=str(other), sessionId="s-2"))
    (tmp_path / "nowhere.jsonl").write_bytes(user("three", sessionId="s-3"))
    here = cli.ok("transcript", "adopt", str(tmp_path / "here.jsonl"))
    assert (here["project"], here["project_path"]) == ("shop", str(cli.cwd))
    assert (here["folder"], here["outside_project"]) == (str(cli.cwd / "src"), False)
    nowhere = cli.ok("transcript", "adopt", str(tmp_path / "nowhere.jsonl"))
    assert (nowhere["folder"], nowhere["outside_project"]) == (None, False)
    text = cli("transcript", "adopt", str(tmp_path / "there.jsonl")).out
    assert text.splitlines()[1:] == [
        f"Into shop  {cli.cwd}",
        f"The session worked in {other}, which is outside this project.",
    ]


def test_a_linked_work_tree_lies_within_its_project(cli: Cli, tmp_path: Path, environment: dict[str, str]) -> None:
    git(cli.cwd, environment, "worktree", "add", "-q", str(tmp_path / "beside"))
    path = tmp_path / "t.jsonl"
    path.write_bytes(user("one", cwd=str(tmp_path / "beside"), sessionId="s-1"))
    assert cli.ok("transcript", "adopt", str(path))["outside_project"] is False


# -- where it stopped ------------------------------------------------------------------------------------------------


def test_the_agents_last_words_and_open_items_are_kept_as_notes(cli: Cli, tmp_path: Path) -> None:
    cli.ok("note", "next", "ask about rounding")
    path = tmp_path / "t.jsonl"
    path.write_bytes(
        said("cents please")
        + items("p", sum_the_cart="completed", round_the_till="in_progress", ask_about_rounding="pending")
        + agent({"type": "text", "text": "The cart is summed. The till is next."})
    )
    done = cli.ok("transcript", "adopt", str(path))
    assert (done["events"], done["note_count"], done["closed_notes"]) == (1, 2, 0)
    assert notes(cli, "reasoning") == ["The cart is summed. The till is next."]
    assert notes(cli, "next") == ["ask about rounding", "round the till"]
    assert "The till is next" in cli("recover", "--level", "1").out
    assert_error(cli("transcript", "adopt", str(path), "--json"), 1, kind="transcript_adopted")


def test_what_the_agent_did_since_is_no_longer_to_do_and_what_a_person_wrote_stays_open(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "t.jsonl"
    begun = said("go") + items("a", round_the_till="pending", write_the_test="pending")
    path.write_bytes(begun)
    cli.ok("transcript", "adopt", str(path))
    cli.ok("note", "next", "call Ana")
    path.write_bytes(begun + items("b", round_the_till="completed", write_the_test="in_progress") + said("on"))
    done = cli("transcript", "adopt", str(path)).out
    assert "1 event; 1 older note closed" in done
    shown = [note["text"] for note in cli.ok("note", "list") if note["open"]]
    assert sorted(shown) == ["call Ana", "write the test"]


def test_an_item_that_somebody_closed_is_not_opened_again(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(said("go") + items("a", round_the_till="pending"))
    cli.ok("transcript", "adopt", str(path))
    note = next(event["id"] for event in told(cli) if event["kind"] == "note.next")
    cli.ok("note", "close", note)
    path.write_bytes(said("go") + items("a", round_the_till="pending") + said("on"))
    assert cli.ok("transcript", "adopt", str(path))["note_count"] == 0


def test_at_most_ten_items_are_kept_masked_and_cut(cli: Cli, tmp_path: Path) -> None:
    token, path = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", tmp_path / "t.jsonl"
    todos = [{"content": f"{n} push with {token}", "status": "pending"} for n in range(30)]
    words = agent({"type": "text", "text": f"I use {token}. " + "words " * 2000})
    path.write_bytes(said("go") + call("a", "TodoWrite", {"todos": todos}) + words)
    assert cli.ok("transcript", "adopt", str(path))["note_count"] == 11
    assert token not in cli("export").out
    assert len(notes(cli, "reasoning")[0]) <= 2100


def test_words_that_were_pulled_back_from_the_queue_are_not_the_persons(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"

    def queue(operation: str, **more: str) -> bytes:
        return line("queue-operation", operation=operation, sessionId=SESSION, **more)

    path.write_bytes(
        said("go")
        + queue("enqueue", content="go")
        + queue("popAll", content="go")
        + queue("enqueue", content="delete the whole database")
        + queue("popAll", content="delete the whole database")
        + queue("enqueue", content="keep the database")
        + queue("remove")
    )
    brief = cli("recover", "--transcript", str(path)).out
    assert "delete" not in brief
    assert "> go\n" in brief, "what was said before the same was pulled back"
    assert [event["kind"] for event in cli.ok("transcript", "show", str(path))["entries"]] == [
        *("prompt", "prompt", "pulled back", "prompt", "pulled back", "prompt")
    ]
    cli.ok("transcript", "adopt", str(path))
    assert prompts(cli) == ["go", "keep the database"]


def test_a_call_is_shown_by_what_it_was_given(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    command = {"command": "make test", "description": "Run the tests"}
    path.write_bytes(call("a", "Bash", command) + items("b", round_the_till="pending") + call("c", "ExitPlanMode", {}))
    shown = [event["text"] for event in cli.ok("transcript", "show", str(path))["entries"][::2]]
    assert shown[0] == "make test"
    assert "round the till" in shown[1]
    assert shown[2] == ""


@pytest.mark.parametrize("path", ["/tmp/x\ud800/a.py", "/tmp/x\0/a.py", "sub\ud800/a.py"])
def test_a_path_that_no_system_could_open_costs_nothing_else(cli: Cli, tmp_path: Path, path: str) -> None:
    lines = said("make it faster") + call("t1", "Edit", {"file_path": path})
    (tmp_path / "t.jsonl").write_bytes(lines)
    assert cli.ok("transcript", "adopt", str(tmp_path / "t.jsonl"))["events"] == 2


@pytest.mark.parametrize("content", ["", "root:x:0:0\nbin:x:1:1\n", '{"a": 1}\n[]\n', '{"type": "summary"}\n'])
def test_what_is_not_a_transcript_is_not_shown_as_an_empty_one(cli: Cli, tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert_error(cli("transcript", "show", str(path), "--json"), 1, str(path)[:50], kind="not_a_transcript")
