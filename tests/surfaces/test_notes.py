"""NOTES.md and the trajectory, as people and clients meet them (SPEC 16.1, 16.2)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import decisions, notes_view
from perdure.actions.record import Fact, record
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.views.notes_text import HEADER
from tests.conftest import Cli, git
from tests.faults.helpers import assert_whole, events_of
from tests.surfaces.looking import nothing_written
from tests.surfaces.test_hooks import Hooks

SECRET = "the customer is called Ermengarde"


@pytest.fixture
def hooks(cli: Cli) -> Hooks:
    return Hooks(cli)


def notes_of(cli: Cli) -> Path:
    return cli.cwd / ".perdure" / "NOTES.md"


def tracked(cli: Cli) -> Path:
    cli.ok("config", "set", "notes.tracked", "true")
    return cli.cwd / "NOTES.md"


def insert(path: Path, heading: str, *lines: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert f"{heading}\n" in text
    path.write_text(text.replace(f"{heading}\n", "\n".join([heading, *lines, ""]), 1), encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def trajectory(cli: Cli) -> list[dict[str, Any]]:
    files = sorted((cli.cwd / ".perdure" / "trajectory").glob("*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def asides(cli: Cli) -> list[Path]:
    return sorted((cli.cwd / ".perdure").glob("NOTES.md.edited-*"))


def last(cli: Cli, kind: str) -> Any:
    return [event for event in events_of(cli.cwd) if event.kind == kind][-1]


# -- writing -----------------------------------------------------------------------------------------------------------


def test_the_end_of_a_session_writes_the_notes(cli: Cli, hooks: Hooks) -> None:
    (cli.cwd / "cart.py").write_text("def add(a, b):\n    return a + b\n")
    hooks("SessionStart", source="startup")
    cli.ok(
        "decide",
        "use WAL",
        "--because",
        "readers never wait",
        "--cite",
        "${PROJECT_ROOT}/cart.py:2",
        "--quote",
        "return a + b",
    )
    for kind in ("question", "blocker", "next", "scenario", "reasoning", "constraint", "failed", "finding"):
        cli.ok("note", kind, f"a {kind} of ours")
    cli.ok("goal", "create", "ship it")
    task = cli.ok("task", "create", "the parser")
    cli.ok("task", "update", task["id"], "--status", "in_progress")
    assert not notes_of(cli).exists()
    hooks("SessionEnd", reason="exit")
    text = notes_of(cli).read_text()
    assert text == cli.ok("notes", "show")["text"]
    for said in (
        "use WAL",
        "readers never wait",
        "a question of ours",
        "a blocker of ours",
        "a next of ours",
        "a scenario of ours",
        "## Constraints\n- a constraint of ours",
        "## Failed Approaches\n- a failed of ours",
        "## Findings\n- a finding of ours",
        "**Reasoning State**: a reasoning of ours",
        "ship it",
        "`return a + b` [${PROJECT_ROOT}/cart.py:2]",
        "| ${PROJECT_ROOT}/cart.py:2 | use WAL |",
        "the parser",
    ):
        assert said in text
    assert notes_of(cli).stat().st_mode & 0o077 == 0
    assert_whole(cli)


def test_the_end_of_a_session_leaves_a_handoff_in_the_trajectory(cli: Cli, hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("SessionEnd", reason="exit")
    assert [each["phase"] for each in trajectory(cli)] == ["session_start", "session_handoff"]
    handoff = trajectory(cli)[-1]
    assert handoff["agent"].startswith("claude-code")
    assert handoff["trajectory_ref"].partition(":")[0] in [
        f"trajectory/{name}" for name in os.listdir(cli.cwd / ".perdure" / "trajectory")
    ]
    assert_whole(cli)


def test_no_prompt_is_in_a_view(cli: Cli, hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("UserPromptSubmit", prompt="my very private words")
    hooks("SessionEnd", reason="exit")
    assert "private words" not in notes_of(cli).read_text()
    assert "private words" not in json.dumps(trajectory(cli))


def test_many_decisions_are_archived_and_the_rest_is_counted(cli: Cli) -> None:
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        for number in range(100):
            decisions.decide(desk, p.DecisionMade(f"decision number {number}"))
        text = notes_view.render(desk)
    assert text.count("#### ") == 12
    assert "decision number 99" in text
    assert "decision number 27" not in text
    assert "<!-- 28 older decisions: perdure decide --list --limit 1000 -->" in text


def test_git_sees_nothing_of_the_views(cli: Cli) -> None:
    cli.ok("note", "finding", "x")
    cli.ok("notes", "write")
    assert git(cli.cwd, cli.environment, "status", "--porcelain", "--untracked-files=all") == ""


# -- a person's edits --------------------------------------------------------------------------------------------------


def test_a_persons_edits_become_events_of_the_person(cli: Cli) -> None:
    open_question = cli.ok("note", "question", "may we drop 3.10?")["note_id"]
    cli.ok("notes", "write")
    path = notes_of(cli)
    insert(path, "## Blockers", "- no disk")
    insert(path, "### Decision Log", "#### Prices", "**Decision**: whole cents", "**Rationale**: floats lose", "")
    insert(path, "### Active Context", "- **Reasoning State**: all of it is done")
    replace(path, "- [ ] may we", "- [x] may we")
    assert_whole(cli)
    done = cli.ok("notes", "take", "--yes")
    assert {each["kind"] for each in done["taken"]} == {"blocker", "decision", "reasoning", "closed"}
    assert not done["forks"]
    for kind in ("note.blocker", "decision.made", "note.reasoning", "note.closed"):
        assert last(cli, kind).actor == "user"
    assert last(cli, "decision.made").payload == {
        "decision": "whole cents",
        "rationale": "floats lose",
        "title": "Prices",
    }
    assert last(cli, "note.closed").payload == {"note_id": open_question}
    assert path.read_text() == cli.ok("notes", "show")["text"]
    assert cli.ok("notes", "take", "--yes")["taken"] == []
    assert asides(cli) == []
    assert_whole(cli)


def test_a_byte_order_mark_and_other_line_ends_are_not_an_edit(cli: Cli) -> None:
    cli.ok("note", "question", "why?")
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "- no disk")
    notes_of(cli).write_bytes(b"\xef\xbb\xbf" + notes_of(cli).read_bytes().replace(b"\n", b"\r\n"))
    assert_whole(cli)
    assert cli.ok("notes", "take", "--yes")["taken"] == [{"kind": "blocker", "text": "no disk"}]
    assert asides(cli) == []


def test_a_file_in_another_encoding_is_taken_once_it_is_saved_as_utf_8(cli: Cli) -> None:
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "- no café")
    notes_of(cli).write_text(notes_of(cli).read_text(encoding="utf-8"), encoding="utf-16")
    refused = cli("notes", "take", "--yes", "--json").error
    assert (refused["code"], "UTF-8" in refused["hint"]) == ("no_notes", True)
    cli.ok("notes", "write")
    (copy,) = asides(cli)
    assert "UTF-8" in cli("notes", "take", str(copy), "--yes", "--mine", "--json").error["hint"]
    copy.write_text(copy.read_text(encoding="utf-16"), encoding="utf-8")
    taken = cli.ok("notes", "take", str(copy), "--yes", "--mine")["taken"]
    assert taken == [{"kind": "blocker", "text": "no café"}]


def test_edits_wait_in_the_file_whatever_is_written_to_it(cli: Cli, hooks: Hooks) -> None:
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "- no disk")
    told = hooks.told("SessionStart", source="startup")
    assert "perdure notes take" in told
    cli.ok("note", "question", "why?")
    hooks("SessionEnd", reason="exit")
    text = notes_of(cli).read_text()
    assert "- no disk" in text
    assert "why?" in text
    assert "note.blocker" not in [event.kind for event in events_of(cli.cwd)]
    assert_whole(cli)
    cli.ok("heal")
    assert cli.ok("notes", "diff")["added"] == [{"kind": "blocker", "text": "no disk", "title": None}]


def test_a_changed_entry_is_a_fork_and_the_ledgers_words_stay(cli: Cli) -> None:
    made = cli.ok("decide", "use WAL", "--because", "readers never wait")["decision_id"]
    question = cli.ok("note", "question", "why?")["note_id"]
    cli.ok("notes", "write")
    replace(notes_of(cli), "**Decision**: use WAL", "**Decision**: use no WAL")
    replace(notes_of(cli), f"- [ ] why? <!-- {question[:8]} -->\n", "")
    assert cli("heal", "--check").code == 1
    done = cli.ok("notes", "take", "--yes")
    assert [each["entry"] for each in done["forks"]] == [f"decision.made {made[:8]}", f"note.question {question[:8]}"]
    forks = [event.payload for event in events_of(cli.cwd) if event.kind == "fork.detected"]
    assert forks[0]["sides"][1] == {
        "side": "context",
        "value": "**Decision**: use no WAL",
        "source": ".perdure/NOTES.md",
    }
    assert forks[1]["sides"][1]["value"] == "(removed)"
    listed = cli.ok("fork", "list")
    assert len(listed) == 2
    for fork in listed:
        cli.ok("fork", "resolve", fork["fork_id"], "--keep", "ledger", "--because", "it was a slip")
    assert cli.ok("fork", "list") == []
    assert notes_of(cli).read_text() == cli.ok("notes", "show")["text"]
    assert_whole(cli)


def test_the_files_words_count_if_somebody_settles_the_fork_so(cli: Cli, subtests: pytest.Subtests) -> None:
    said = {kind: cli.ok("note", kind, f"the old {kind}")["note_id"] for kind in ("question", "blocker", "constraint")}
    wal = cli.ok("decide", "use WAL", "--because", "readers never wait", "--key", "journal", "--value", "wal")
    cents = cli.ok("decide", "whole cents", "--because", "no floats", "--key", "money", "--value", "int")
    gone = cli.ok("decide", "no cache")
    cli.ok("notes", "write")
    for old, new in (
        ("**Decision**: use WAL", "**Decision**: use no WAL"),
        ("**Rationale**: no floats", "**Rationale**: floats lose a cent"),
        ("- [ ] the old question", "- [ ] the new question"),
        ("- the old constraint", "- the new constraint"),
        (f"- [ ] the old blocker <!-- {said['blocker'][:8]} -->\n", ""),
    ):
        replace(notes_of(cli), old, new)
    lines = notes_of(cli).read_text().split("\n")
    notes_of(cli).write_text("\n".join(line for line in lines if "no cache" not in line))
    cli.ok("notes", "take", "--yes")
    settled = {}
    for fork in cli.ok("fork", "list"):
        entry = fork["field"].split()[1]
        answer = cli("fork", "resolve", fork["fork_id"], "--keep", "context", "--because", "it was agreed", "--json")
        settled[entry] = answer.json
    with subtests.test("other words decide something else, and leave the value open"):
        made = settled[wal["decision_id"][:8]]
        decided = made["decision"]
        assert (decided["decision"], decided["rationale"]) == ("use no WAL", "it was agreed")
        assert (decided["key"], decided["value"], decided["supersedes"]) == ("journal", None, wal["decision_id"])
        assert "--value" in made["warnings"][0]
    with subtests.test("another reason leaves the decision as it is"):
        decided = settled[cents["decision_id"][:8]]["decision"]
        assert (decided["decision"], decided["rationale"]) == ("whole cents", "floats lose a cent")
        assert (decided["key"], decided["value"], decided["supersedes"]) == ("money", "int", cents["decision_id"])
    with subtests.test("a decision is not removed without another one"):
        refused = settled[gone["decision_id"][:8]]["error"]
        assert refused["code"] == "side_not_usable"
        assert "--decide" in refused["hint"]
    with subtests.test("notes are said anew, and what can be closed is closed"):
        shown = cli.ok("notes", "show")["text"]
        assert "- [ ] the new question" in shown
        assert "the old question" not in shown
        assert "the old blocker" not in shown
        assert "- the new constraint" in shown
        assert "perdure redact" in settled[said["constraint"][:8]]["warnings"][0]
        assert settled[said["blocker"][:8]]["decision"] is None
    assert [fork["field"] for fork in cli.ok("fork", "list")] == [f"decision.made {gone['decision_id'][:8]}"]
    assert len([event for event in events_of(cli.cwd) if event.kind == "decision.made"]) == 5
    assert_whole(cli)


def test_what_was_removed_and_is_closed_by_now_is_not_a_fork(cli: Cli) -> None:
    question = cli.ok("note", "question", "why?")["note_id"]
    cli.ok("notes", "write")
    replace(notes_of(cli), f"- [ ] why? <!-- {question[:8]} -->\n", "")
    cli.ok("note", "close", question)
    assert cli.ok("notes", "take", "--yes")["forks"] == []


def test_what_has_no_place_is_kept_and_named(cli: Cli) -> None:
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "a thought of mine")
    done = cli.ok("notes", "take", "--yes")
    assert done["unplaced"] == ["a thought of mine"]
    assert "a thought of mine" in Path(done["aside"]).read_text()
    assert_whole(cli)


def test_a_person_is_asked_and_silence_is_not_an_answer(cli: Cli) -> None:
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "- no disk")
    with nothing_written(cli):
        assert cli("notes", "take", "--json").error["code"] == "not_confirmed"


def test_edits_are_masked_like_everything_else(cli: Cli) -> None:
    cli.ok("notes", "write")
    token = "ghp_" + "wJ8kQz3LxT7vB2nRf5HsYc9MdG4pAeU6oKi1"
    insert(notes_of(cli), "## Blockers", f"- the token {token} is old")
    cli.ok("notes", "take", "--yes")
    assert token not in notes_of(cli).read_text()
    assert token not in json.dumps(trajectory(cli))


def test_evidence_that_a_person_writes_is_checked(cli: Cli) -> None:
    (cli.cwd / "cart.py").write_text("def add(a, b):\n    return a + b\n")
    cli.ok("notes", "write")
    insert(
        notes_of(cli),
        "### Decision Log",
        "#### Adding",
        "**Decision**: add",
        "**Rationale**: sum",
        "**Evidence**:",
        "- `return a + b` [${PROJECT_ROOT}/cart.py:2]",
        "- `never written anywhere` [${PROJECT_ROOT}/cart.py:1]",
        "",
    )
    done = cli.ok("notes", "take", "--yes")
    assert [each["class"] for each in last(cli, "decision.made").payload["evidence"]] == ["verified", "fabricated"]
    assert done["warnings"]


# -- whose words -------------------------------------------------------------------------------------------------------


def test_an_agent_cannot_take_edits_in(cli: Cli, hooks: Hooks) -> None:
    cli.ok("notes", "write")
    insert(notes_of(cli), "## Blockers", "- forged")
    assert "only a person may" in hooks.bash("perdure notes take --yes --mine")
    assert hooks.bash("perdure notes diff") == ""
    assert hooks.bash("perdure notes write") == ""
    assert hooks.bash("perdure notes show") == ""


def test_an_agent_cannot_write_the_notes_in_perdures_folder(cli: Cli, hooks: Hooks) -> None:
    assert hooks.bash("echo '- forged' >> .perdure/NOTES.md")


def test_what_an_agent_edited_is_not_the_persons_without_their_word(cli: Cli) -> None:
    path = tracked(cli)
    cli.ok("notes", "write")
    insert(path, "## Blockers", "- said by the agent")
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        record(desk, [Fact("edit.made", p.EditMade("NOTES.md"), actor="claude-code")])
    with nothing_written(cli):
        assert cli("notes", "take", "--yes", "--json").error["code"] == "notes_not_yours"
    assert cli.ok("notes", "take", "--yes", "--mine")["taken"]


def test_what_a_commit_brought_is_not_the_persons_without_their_word(cli: Cli) -> None:
    path = tracked(cli)
    cli.ok("notes", "write")
    insert(path, "## Blockers", "- said by a colleague")
    git(cli.cwd, cli.environment, "add", "NOTES.md")
    git(cli.cwd, cli.environment, "commit", "-q", "-m", "notes")
    with nothing_written(cli):
        error = cli("notes", "take", "--yes", "--json").error
    assert error["code"] == "notes_not_yours"
    assert "commit" in error["message"]
    assert cli.ok("notes", "take", "--yes", "--mine")["taken"] == [{"kind": "blocker", "text": "said by a colleague"}]


BROUGHT: dict[str, list[list[str]]] = {
    "a pull": [["merge", "-q", "theirs"]],
    "a merge that is not committed": [["merge", "-q", "--no-ff", "--no-commit", "theirs"]],
    "a merge in one": [["merge", "-q", "--squash", "theirs"]],
    "a commit picked without committing": [["cherry-pick", "-n", "theirs"]],
    "the file of another branch": [["checkout", "-q", "theirs", "--", "NOTES.md"], ["reset", "-q"]],
    "the file of an older commit": [
        ["merge", "-q", "theirs"],
        ["revert", "--no-edit", "HEAD"],
        ["branch", "-q", "-D", "theirs"],
        ["checkout", "-q", "HEAD~1", "--", "NOTES.md"],
        ["reset", "-q"],
    ],
}
SAID: dict[str, tuple[str, str]] = {
    "a new entry": ("## Blockers\n", "## Blockers\n- said by a colleague\n"),
    "another reasoning": ("State**: half way", "State**: a colleague is done"),
    "a ticked box": ("- [ ] may we?", "- [x] may we?"),
    "another decision": ("**Decision**: use WAL", "**Decision**: use no WAL"),
    "an entry less": ("- [ ] may we?", "\n"),
}


def committed_by_a_colleague(cli: Cli, path: Path, said: str) -> None:
    """On the branch `theirs`; here the file is as Perdure wrote it."""
    cli.ok("note", "reasoning", "half way")
    cli.ok("note", "question", "may we?")
    cli.ok("decide", "use WAL", "--because", "readers never wait")
    cli.ok("notes", "write")
    for words in (["add", "NOTES.md"], ["commit", "-q", "-m", "notes"], ["checkout", "-q", "-b", "theirs"]):
        git(cli.cwd, cli.environment, *words)
    replace(path, *SAID[said])
    if said == "an entry less":
        path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith(" <!-- ")))
    for words in (["commit", "-q", "-a", "-m", "theirs"], ["checkout", "-q", "-"]):
        git(cli.cwd, cli.environment, *words)


@pytest.mark.parametrize(
    ("brought", "said"),
    [*((each, "a new entry") for each in BROUGHT), *(("a pull", each) for each in SAID if each != "a new entry")],
)
def test_whatever_way_git_brought_the_words_they_are_not_the_persons(cli: Cli, brought: str, said: str) -> None:
    path = tracked(cli)
    committed_by_a_colleague(cli, path, said)
    for words in BROUGHT[brought]:
        git(cli.cwd, cli.environment, *words)
    assert cli.ok("notes", "diff")["doubts"]
    with nothing_written(cli):
        error = cli("notes", "take", "--yes", "--json").error
    assert error["code"] == "notes_not_yours"
    assert "Git has 1 of these edits" in error["message"]
    taken = cli.ok("notes", "take", "--yes", "--mine")
    assert taken["taken"] or taken["forks"]


def test_what_the_person_wrote_beside_other_commits_is_theirs(cli: Cli) -> None:
    path = tracked(cli)
    committed_by_a_colleague(cli, path, "a new entry")
    insert(path, "## Blockers", "- said by me")
    replace(path, "- [ ] may we?", "- [x] may we?")
    assert cli.ok("notes", "diff")["doubts"] == []
    assert len(cli.ok("notes", "take", "--yes")["taken"]) == 2


@pytest.mark.parametrize(("effect", "is_doubted"), [("praxic", True), (None, True), ("noetic", False)])
def test_what_an_agents_command_wrote_is_not_the_persons_without_their_word(
    cli: Cli, effect: str | None, is_doubted: bool
) -> None:
    path = tracked(cli)
    cli.ok("notes", "write")
    insert(path, "## Blockers", "- said by the agent")
    with open_desk(Request(str(cli.cwd), cli.environment)) as desk:
        ran = p.CommandRun("sed -i 's/x/y/' NOTES.md", "succeeded", effect=effect)
        record(desk, [Fact("command.run", ran, actor="claude-code")])
        edits = [Fact("edit.made", p.EditMade(f"f{number}.py"), actor="claude-code") for number in range(400)]
        record(desk, edits)
    assert bool(cli.ok("notes", "diff")["doubts"]) == is_doubted


def test_another_machines_notes_in_the_place_of_ours_become_nobodys_words(cli: Cli, tmp_path: Path) -> None:
    path = tracked(cli)
    cli.ok("note", "question", "ours?")
    cli.ok("notes", "write")
    ours = path.read_text()
    path.write_text(ours.replace("ours?", "theirs?").replace("<!-- ", "<!-- 9"))
    assert cli("heal", "--check").code == 1
    cli.ok("notes", "write")
    assert path.read_text() == ours
    assert "theirs?" in asides(cli)[0].read_text()


# -- where it is -------------------------------------------------------------------------------------------------------


def test_a_tracked_file_of_somebody_else_is_left_alone(cli: Cli, hooks: Hooks) -> None:
    path = tracked(cli)
    path.write_text("# my own notes\n")
    told = cli.ok("notes", "write")["told"]
    assert any("not a file that Perdure wrote" in each for each in told)
    hooks("SessionStart", source="startup")
    hooks("SessionEnd", reason="exit")
    cli.ok("heal")
    assert path.read_text() == "# my own notes\n"
    assert_whole(cli)


def test_a_repositorys_settings_cannot_have_the_notes_tracked(cli: Cli) -> None:
    (cli.cwd / ".perdure" / "config.toml").write_text("[notes]\ntracked = true\n")
    cli.ok("notes", "write")
    assert not (cli.cwd / "NOTES.md").exists()
    assert HEADER in notes_of(cli).read_text()


@pytest.mark.parametrize("where", ["private", "tracked"])
@pytest.mark.parametrize("what", ["link", "folder", "pipe", "large"])
def test_what_is_not_a_file_in_its_place_is_set_aside_and_never_followed(cli: Cli, what: str, where: str) -> None:
    path = tracked(cli) if where == "tracked" else notes_of(cli)
    cli.ok("notes", "write")
    path.unlink()
    victim = cli.cwd.parent / "victim"
    victim.write_text("precious\n")
    if what == "link":
        path.symlink_to(victim)
    elif what == "folder":
        path.mkdir()
        (path / "in it").write_text("x")
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"- [ ] x\n" * (10 << 17))
    assert cli("heal", "--check").code == 1
    assert cli("audit", "verify").code == 1
    unread = cli("notes", "diff", "--json")
    assert (unread.code, unread.error["code"]) == (2, "no_notes"), "not: no edits"
    healed = cli("heal").out
    assert path.read_text() == cli.ok("notes", "show")["text"]
    assert victim.read_text() == "precious\n"
    if what == "large":
        assert "notes take PART --mine" in healed
        (cli.cwd / "part.md").write_text("## Findings\n- mine\n")
        assert cli.ok("notes", "take", "part.md", "--mine", "--yes")["taken"] == [{"kind": "finding", "text": "mine"}]
    kept = [*asides(cli), *cli.cwd.glob(".perdure/NOTES.md.odd-*")]
    assert len(kept) == 1
    assert_whole(cli)


def test_a_folder_that_cannot_be_written_breaks_no_session(cli: Cli, hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    (cli.cwd / ".perdure" / "trajectory").write_text("no folder")
    done = hooks("SessionEnd", reason="exit")
    assert done.code == 0
    assert last(cli, "session.ended")
    assert notes_of(cli).exists()


# -- redaction ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_edited", [False, True])
def test_redacted_words_are_in_no_view(cli: Cli, is_edited: bool) -> None:
    cli.ok("note", "finding", "before")
    made = cli.ok("decide", SECRET, "--because", SECRET)["decision_id"]
    cli.ok("session", "end")
    assert SECRET in notes_of(cli).read_text()
    assert SECRET in json.dumps(trajectory(cli))
    if is_edited:
        insert(notes_of(cli), "## Blockers", "- no disk")
    cli.ok("redact", made, "--because", "a name")
    for path in (cli.cwd / ".perdure").rglob("*"):
        if path.is_file() and not path.name.startswith("ledger.db"):
            assert SECRET.encode() not in path.read_bytes(), path
    assert ("- no disk" in notes_of(cli).read_text()) is is_edited
    assert next(each for each in trajectory(cli) if each["event_id"] == made)["erased"]
    assert_whole(cli)
