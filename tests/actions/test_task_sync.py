"""The ledger's tasks and a beads file in step: import, export, diff, and what others do meanwhile (SPEC 7.1, 7.2)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import decisions, task_import, task_sync, tasks
from perdure.actions.request import Request
from perdure.actions.task_sync import ExportResult, ImportResult
from perdure.actions.tasks import TaskChanges, TaskView
from perdure.actions.wiring import Desk, open_desk
from perdure.beads import merging
from perdure.errors import BadInput, Refused
from perdure.model import payload as p
from perdure.views import task_file
from tests.actions.conftest import refused
from tests.contract.making import assert_sound

from ..data import DATA

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SAMPLES = DATA / "beads"
READABLE = [path.name for path in sorted(SAMPLES.glob("*.jsonl")) if path.name != "conflict.jsonl"]


def line(issue_id: str = "a-1", title: str = "t", **fields: Any) -> dict[str, Any]:
    return {"id": issue_id, "title": title, "status": "open", "priority": 2, **fields}


class File:
    """The project's beads file."""

    def __init__(self, desk: Desk) -> None:
        self.path = Path(desk.root, ".beads", "issues.jsonl")

    def put(self, *lines: dict[str, Any]) -> None:
        self.put_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in lines))

    def put_bytes(self, content: bytes) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(content)

    def lines(self) -> dict[str, dict[str, Any]]:
        found = [json.loads(each) for each in self.path.read_text().splitlines()]
        return {each["id"]: each for each in found}


@pytest.fixture
def file(desk: Desk) -> File:
    return File(desk)


def take(desk: Desk) -> ImportResult:
    return task_sync.import_tasks(desk, None)


def give(desk: Desk) -> ExportResult:
    return task_sync.export_tasks(desk, None)


def shown(desk: Desk, task_id: str) -> TaskView:
    return tasks.show(desk, task_id).task


def events(desk: Desk, *kinds: str) -> list[Any]:
    return [event for event in desk.ledger.events() if event.kind in kinds]


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READABLE)
def test_what_was_taken_in_is_written_byte_for_byte(desk: Desk, file: File, name: str) -> None:
    content = (SAMPLES / name).read_bytes()
    file.put_bytes(content)
    assert take(desk).imported.created
    assert not give(desk).is_written
    assert file.path.read_bytes() == content
    head = desk.ledger.head()
    assert take(desk).imported.created == ()
    assert desk.ledger.head() == head, "a second import of the same file records nothing"
    assert_sound(desk.ledger)


def test_a_task_of_the_file_is_a_task_of_the_ledger(desk: Desk, file: File) -> None:
    file.put_bytes((SAMPLES / "br.jsonl").read_bytes())
    done = take(desk).imported
    assert done.created == ("shop-1a2", "shop-3b4", "shop-3b4.1", "shop-5c6", "shop-7d8")
    found = shown(desk, "shop-1a2")
    assert (found.title, found.status, found.priority, found.assignee) == ("Faster parser", "in_progress", 1, "ann")
    assert (found.labels, found.blocked_by) == (("parser", "perf"), ("shop-3b4",))
    assert found.waits_for == ("shop-3b4",)
    closed = shown(desk, "shop-3b4.1")
    assert (closed.status, closed.closed_because) == ("closed", "py-spy")
    assert shown(desk, "shop-5c6").status == "blocked"
    assert [each.id for each in tasks.ready(desk)] == ["shop-3b4"]
    refused("no_such_task", Refused, lambda: tasks.show(desk, "shop-9z9"), desk)


def test_comments_are_decisions_and_handoffs_of_their_author_once(desk: Desk, file: File) -> None:
    file.put_bytes((SAMPLES / "br.jsonl").read_bytes())
    assert (take(desk).imported.decisions, take(desk).imported.decisions) == (1, 0)
    [event] = events(desk, "decision.made")
    assert (event.actor, event.task_id, event.session_id) == ("beads/ben", "shop-1a2", None)
    assert event.payload["title"] == "from comment 1 of ben in the beads file, 2026-01-16T10:00:00Z"
    assert [each["session_id"] for each in shown(desk, "shop-1a2").handoffs] == ["sess-003"]
    tasks.update(desk, "shop-1a2", TaskChanges(handoffs=()))
    changed = file.path.read_bytes().replace(b"Faster parser", b"Fast parser")
    file.put_bytes(changed)
    done = take(desk).imported
    assert (done.updated, done.decisions, done.handoffs) == (("shop-1a2",), 0, 0)
    assert shown(desk, "shop-1a2").handoffs == ()
    assert len(events(desk, "decision.made")) == 1


def test_a_new_comment_is_one_new_decision(desk: Desk, file: File) -> None:
    first = {"id": 1, "author": "ann", "text": "DECISION: one", "created_at": "x"}
    file.put(line(comments=[first]))
    take(desk)
    file.put(line(comments=[first, {"id": 2, "author": "ann", "text": "DECISION: two", "created_at": "x"}]))
    assert take(desk).imported.decisions == 1
    assert [each.decision for each in tasks.show(desk, "a-1").decisions] == ["one", "two"]


def test_what_the_file_says_is_never_the_persons(desk: Desk, file: File) -> None:
    file.put(line(status="closed", close_reason="done", decisions=[{"decision": "x"}]))
    take(desk)
    file.put(line(title="u", status="open", labels=["a"]))
    take(desk)
    told = {event.actor for event in events(desk, "task.created", "task.updated", "task.closed", "decision.made")}
    assert told == {"beads"}


def test_a_secret_is_masked_in_the_ledger_and_stays_in_the_file(desk: Desk, file: File) -> None:
    file.put(line(description=f"token {SECRET}", comments=[{"id": 1, "text": f"DECISION: use {SECRET}"}]))
    before = file.path.read_bytes()
    take(desk)
    assert not give(desk).is_written
    assert file.path.read_bytes() == before
    assert all(SECRET not in json.dumps(event.payload) for event in desk.ledger.events())
    tasks.update(desk, "a-1", TaskChanges(priority=0))
    give(desk)
    assert SECRET in file.path.read_text()


def test_an_id_that_is_a_secret_is_not_read(desk: Desk, file: File) -> None:
    file.put(line(SECRET))
    done = take(desk).imported
    assert done.created == ()
    assert done.warnings == ("line 1: its id looks like a credential; it was not read",)


def test_tasks_that_wait_for_each_other_are_told_and_the_circle_is_not_taken(desk: Desk, file: File) -> None:
    def waits(a: str, b: str) -> dict[str, Any]:
        return line(a, dependencies=[{"issue_id": a, "depends_on_id": b, "type": "blocks"}])

    file.put(waits("a-1", "a-2"), waits("a-2", "a-3"), waits("a-3", "a-1"), waits("a-4", "a-4"))
    before = file.path.read_bytes()
    done = take(desk).imported
    assert done.warnings == (
        "line 4: it waits for itself; the link was not read",
        "line 3: a-3 would wait for itself through a-1; the link was not read",
    )
    assert [shown(desk, each).blocked_by for each in ("a-1", "a-2", "a-3")] == [("a-2",), ("a-3",), ()]
    give(desk)
    assert file.path.read_bytes() == before, "the link stays in the file"


def test_a_file_cannot_keep_an_import_busy_with_links(desk: Desk, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    def waits(a: str, *others: str) -> dict[str, Any]:
        return line(a, dependencies=[{"depends_on_id": each, "type": "blocks"} for each in others])

    monkeypatch.setattr(task_import, "MOST_STEPS", 20)
    chain = [waits(f"a-{n}", *([f"a-{n - 1}"] if n else [])) for n in range(30)]
    file.put(*chain, waits("c-1", "b-1", "b-2"), waits("b-1", "a-29"), waits("b-2", "a-29"))
    [told] = take(desk).imported.warnings
    assert told.startswith("line 33: b-2 waits for a-29")
    assert "more than 20" in told
    assert shown(desk, "b-1").blocked_by == ("a-29",)


def test_control_characters_in_a_title_stay_out_of_messages(desk: Desk, file: File) -> None:
    file.put(line(title="\x1b[2J\x07 red", status="\x1b[31m"), line("a\x1b-2"))
    assert all(each.isprintable() for each in take(desk).imported.warnings)


def test_a_deleted_task_is_closed_here(desk: Desk, file: File) -> None:
    file.put(line())
    take(desk)
    file.put(line(status="tombstone", deleted_at="2026-01-15T08:00:00Z"))
    take(desk)
    assert shown(desk, "a-1").status == "closed"


def test_an_unresolved_merge_is_refused_and_nothing_is_written(desk: Desk, file: File) -> None:
    content = (SAMPLES / "conflict.jsonl").read_bytes()
    file.put_bytes(content)
    refused("tasks_in_conflict", Refused, lambda: take(desk), desk)
    refused("tasks_in_conflict", Refused, lambda: give(desk), desk)
    assert file.path.read_bytes() == content
    assert os.listdir(file.path.parent) == ["issues.jsonl"]


def test_without_a_file_an_import_names_the_way_out(desk: Desk, file: File) -> None:
    error = refused("no_task_file", BadInput, lambda: take(desk), desk)
    assert error.hint == "perdure task export makes one."
    tasks.create(desk, p.TaskCreated("first"))
    assert give(desk).is_written
    assert take(desk).imported.created == ()


@pytest.mark.parametrize("make", ["file", "folder"])
def test_a_link_out_of_the_project_is_refused(desk: Desk, file: File, tmp_path: Path, make: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "issues.jsonl").write_text(json.dumps(line()) + "\n")
    if make == "folder":
        os.symlink(outside, file.path.parent)
    else:
        file.path.parent.mkdir()
        os.symlink(outside / "issues.jsonl", file.path)
    before = (outside / "issues.jsonl").read_bytes()
    refused("outside_project", Refused, lambda: take(desk), desk)
    refused("outside_project", Refused, lambda: give(desk), desk)
    assert (outside / "issues.jsonl").read_bytes() == before


def test_a_link_inside_the_project_is_followed_and_stays_a_link(desk: Desk, file: File) -> None:
    Path(desk.root, "tasks.jsonl").write_text(json.dumps(line()) + "\n")
    file.path.parent.mkdir()
    os.symlink("../tasks.jsonl", file.path)
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="new"))
    give(desk)
    assert file.path.is_symlink()
    assert "new" in Path(desk.root, "tasks.jsonl").read_text()


def test_a_pipe_in_the_files_place_does_not_block(desk: Desk, file: File) -> None:
    file.path.parent.mkdir()
    os.mkfifo(file.path)
    refused("no_task_file", BadInput, lambda: take(desk), desk)


# -- writing ---------------------------------------------------------------------------------------------------------


def test_a_change_here_changes_only_its_field_and_the_time(desk: Desk, file: File) -> None:
    file.put_bytes((SAMPLES / "br.jsonl").read_bytes())
    before = file.path.read_bytes().splitlines()
    take(desk)
    tasks.update(desk, "shop-1a2", TaskChanges(title="Fastest parser"))
    assert give(desk).changed == ("shop-1a2",)
    after = file.path.read_bytes().splitlines()
    assert after[1:] == before[1:]
    old, new = json.loads(before[0]), json.loads(after[0])
    assert list(new) == list(old)
    assert {name for name in old if old[name] != new[name]} == {"title", "updated_at"}
    assert rb"\u003cb\u003e kept as written \u2028" in after[0]
    assert not give(desk).is_written


def test_closing_and_opening_keep_what_beads_demands_of_a_closed_task(desk: Desk, file: File) -> None:
    file.put(line(), line("a-2"))
    take(desk)
    decisions.decide(desk, p.DecisionMade("x"), "a-1")
    tasks.close(desk, "a-1", "released")
    give(desk)
    closed = file.lines()["a-1"]
    assert (closed["status"], closed["close_reason"]) == ("closed", "released")
    assert closed["closed_at"] == shown(desk, "a-1").closed_at
    tasks.update(desk, "a-1", TaskChanges(status="open"))
    give(desk)
    assert "closed_at" not in file.lines()["a-1"]
    assert "close_reason" not in file.lines()["a-1"]


def test_a_task_of_ours_gets_an_id_that_beads_takes_and_comes_back_as_itself(desk: Desk, file: File) -> None:
    file.put(line("my-shop-1"))
    first = tasks.create(desk, p.TaskCreated("first", next_steps=("go",), blocked_by=()))
    second = tasks.create(desk, p.TaskCreated("second", blocked_by=(first.id,)))
    assert give(desk).added == (first.id, second.id)
    name, other = f"my-shop-{first.id[:8]}", f"my-shop-{second.id[:8]}"
    assert list(file.lines()) == ["my-shop-1", name, other]
    assert file.lines()[other]["dependencies"][0]["depends_on_id"] == name
    assert file.lines()[name]["next_steps"] == ["go"]
    changed = file.path.read_bytes().replace(b'"title":"first"', b'"title":"changed by beads"')
    file.put_bytes(changed)
    assert take(desk).imported.updated == (first.id,)
    assert shown(desk, first.id).title == "changed by beads"
    assert shown(desk, second.id).blocked_by == (first.id,)


def test_a_decision_made_here_goes_into_the_file_once_and_does_not_come_back(desk: Desk, file: File) -> None:
    file.put(line(comments=[{"id": 1, "author": "ann", "text": "DECISION: theirs"}]))
    take(desk)
    made = decisions.decide(desk, p.DecisionMade("ours", rationale="why"), "a-1")
    give(desk)
    [stated] = file.lines()["a-1"]["decisions"]
    assert (stated["id"], stated["decision"], stated["rationale"]) == (made.id, "ours", "why")
    assert not give(desk).is_written
    assert [each.decision for each in tasks.show(desk, "a-1").decisions] == ["theirs", "ours"]


def test_extensions_that_another_tool_dropped_are_written_again(desk: Desk, file: File) -> None:
    """`br` keeps the fields it knows: what it writes has lost the others."""
    file.put(line(next_steps=["a"], test_scenarios=[{"name": "n", "type": "edge_case", "expected": "e"}]))
    take(desk)
    file.put(line(title="changed by br"))
    assert give(desk).imported.updated == ("a-1",)
    assert file.lines()["a-1"]["next_steps"] == ["a"]
    assert file.lines()["a-1"]["title"] == "changed by br"
    assert shown(desk, "a-1").next_steps == ("a",)
    file.put({**file.lines()["a-1"], "next_steps": []})
    take(desk)
    assert shown(desk, "a-1").next_steps == ()


def test_a_line_that_beads_deleted_stays_deleted_until_the_task_is_changed_here(desk: Desk, file: File) -> None:
    file.put(line(), line("a-2"))
    take(desk)
    file.put(line())
    assert not give(desk).is_written
    tasks.update(desk, "a-2", TaskChanges(title="still wanted"))
    assert give(desk).added == ("a-2",)


def test_a_line_that_is_gone_is_told_and_a_file_that_is_gone_is_written_whole(desk: Desk, file: File) -> None:
    file.put(line(), line("a-2"), line("a-3", status="closed"))
    take(desk)
    file.put(line())
    [told] = give(desk).imported.warnings
    assert told == ("no line for a-2 any more: somebody deleted it, or it is on another branch; it stays open here")
    file.path.unlink()
    done = give(desk)
    assert (done.added, done.imported.warnings) == (("a-1", "a-2", "a-3"), ())
    assert file.lines()["a-3"]["status"] == "closed"


@pytest.mark.parametrize("theirs", ["2999-01-01T00:00:00.000000001Z", "9999-12-31T23:59:59.999999999Z"])
def test_a_changed_line_is_never_older_than_it_was(desk: Desk, file: File, theirs: str) -> None:
    """Beads takes the later line for the newer one. The clock of whoever wrote it may be ahead of ours."""
    file.put(line(updated_at=theirs))
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="ours"))
    give(desk)
    written = file.lines()["a-1"]["updated_at"]
    assert not merging.is_older(written, theirs)
    assert written > theirs or theirs.startswith("9999")
    file.path.unlink()
    give(desk)
    assert not merging.is_older(file.lines()["a-1"]["updated_at"], written)
    file.put(line(updated_at=theirs))
    take(desk)
    if not theirs.startswith("9999"):
        assert shown(desk, "a-1").title == "ours"


def test_a_task_of_ours_that_another_tool_dropped_is_written_again(desk: Desk, file: File) -> None:
    made = tasks.create(desk, p.TaskCreated("ours"))
    give(desk)
    file.put(line())
    assert give(desk).added == (made.id,)


def test_an_older_copy_of_a_line_takes_nothing_back(desk: Desk, file: File) -> None:
    """A checkout of an earlier commit brings the file as it was then."""
    old = line(title="old", updated_at="2026-01-15T08:00:00.000000001Z")
    file.put(old)
    take(desk)
    file.put(line(title="new", updated_at="2026-01-15T09:00:00.000000002+01:00"))
    take(desk)
    file.put(old)
    assert take(desk).imported.updated == ()
    assert shown(desk, "a-1").title == "new"
    give(desk)
    assert file.lines()["a-1"]["title"] == "new"


def test_the_rights_of_the_file_stay(desk: Desk, file: File) -> None:
    file.put(line())
    file.path.chmod(0o664)
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="new"))
    give(desk)
    assert file.path.stat().st_mode & 0o777 == 0o664
    assert os.listdir(file.path.parent) == ["issues.jsonl"]


def test_another_file_is_another_comparison(desk: Desk, file: File, tmp_path: Path) -> None:
    file.put(line())
    take(desk)
    copy = tmp_path / "copy.jsonl"
    assert task_sync.export_tasks(desk, str(copy)).added == ("a-1",)
    assert json.loads(copy.read_text())["id"] == "a-1"


def test_a_task_whose_line_cannot_be_read_gets_no_second_line(desk: Desk, file: File) -> None:
    made = tasks.create(desk, p.TaskCreated("t", description="d" * (300 << 10)))
    assert give(desk).added == (made.id,)
    before = file.path.read_bytes()
    [told] = take(desk).imported.warnings
    assert "at most 262144 are read" in told
    assert not give(desk).is_written
    assert file.path.read_bytes() == before
    file.put(line())
    take(desk)
    file.put_bytes(b'{"id":"a-1","title":"cut of')
    tasks.update(desk, "a-1", TaskChanges(title="ours"))
    assert give(desk).added == (made.id,)


def test_nothing_to_write_makes_no_file(desk: Desk, file: File) -> None:
    assert not give(desk).is_written
    assert not file.path.exists()


def test_what_a_dead_process_left_beside_the_file_is_removed(desk: Desk, file: File) -> None:
    file.put(line())
    (file.path.parent / "issues.jsonl.999999999.abcd1234.tmp").write_text("half")
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="new"))
    give(desk)
    assert os.listdir(file.path.parent) == ["issues.jsonl"]


def test_two_lines_that_mean_one_task_are_read_as_one(desk: Desk, file: File) -> None:
    made = tasks.create(desk, p.TaskCreated("ours"))
    file.put(line(f"a-{made.id[:8]}", title="one"), line(f"b-{made.id[:8]}", title="two"))
    take(desk)
    head = desk.ledger.head()
    take(desk)
    assert desk.ledger.head() == head


def test_a_decision_that_is_too_long_for_an_event_does_not_stop_the_import(desk: Desk, file: File) -> None:
    file.put(
        line(comments=[{"id": 1, "text": "DECISION: " + "x" * 1_000_000}]), line("a-2", close_reason="c" * 400_000)
    )
    done = take(desk).imported
    assert (done.created, done.decisions) == (("a-1",), 0)
    assert len(done.warnings) == 2


# -- both sides ------------------------------------------------------------------------------------------------------


def test_fields_changed_on_one_side_each_are_merged(desk: Desk, file: File) -> None:
    file.put(line(description="d", labels=["a"]))
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="ours", priority=0))
    file.put(line(description="theirs", labels=["a", "b"]))
    done = give(desk)
    assert done.imported.forks == ()
    found, written = shown(desk, "a-1"), file.lines()["a-1"]
    assert (found.title, found.priority, found.description, found.labels) == ("ours", 0, "theirs", ("a", "b"))
    assert (written["title"], written["priority"], written["description"]) == ("ours", 0, "theirs")


def test_a_field_changed_on_both_sides_is_a_fork_and_the_ledger_wins(desk: Desk, file: File) -> None:
    file.put(line())
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="ours", status="in_progress"))
    file.put(line(title="theirs", status="in_progress"))
    [fork] = take(desk).imported.forks
    assert (fork.task_id, fork.field, fork.ledger, fork.file) == ("a-1", "title", "ours", "theirs")
    [event] = events(desk, "fork.detected")
    assert (event.task_id, event.actor) == ("a-1", "beads")
    assert event.payload == {
        "about": "task",
        "field": "title",
        "kept": "ledger",
        "sides": [
            {"side": "ledger", "value": "ours"},
            {"side": ".beads/issues.jsonl", "value": "theirs", "line": 1},
        ],
    }
    assert take(desk).imported.forks == (), "it is recorded once"
    assert shown(desk, "a-1").title == "ours"
    assert give(desk).changed == ("a-1",)
    assert file.lines()["a-1"]["title"] == "ours"
    assert not give(desk).is_written


def test_the_same_change_on_both_sides_is_not_a_fork(desk: Desk, file: File) -> None:
    file.put(line())
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="same", labels=("b", "a")))
    file.put(line(title="same", labels=["a", "b"]))
    assert take(desk).imported.forks == ()
    assert not give(desk).is_written


def test_a_status_that_perdure_does_not_have_stays_until_it_is_changed_here(desk: Desk, file: File) -> None:
    file.put(line(status="deferred"))
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="new"))
    give(desk)
    assert file.lines()["a-1"]["status"] == "deferred"
    tasks.update(desk, "a-1", TaskChanges(status="open"))
    give(desk)
    assert file.lines()["a-1"]["status"] == "open"


def test_links_follow_the_side_that_changed_them(desk: Desk, file: File) -> None:
    link = {"issue_id": "a-1", "depends_on_id": "a-2", "type": "blocks", "metadata": "{}"}
    related = {"issue_id": "a-1", "depends_on_id": "a-3", "type": "related"}
    file.put(line(dependencies=[link, related]), line("a-2"), line("a-3"))
    take(desk)
    tasks.unlink(desk, "a-1", "a-2")
    tasks.link(desk, "a-1", "a-3")
    give(desk)
    now = file.lines()["a-1"]["dependencies"]
    assert now[0] == related
    assert (now[1]["depends_on_id"], now[1]["type"]) == ("a-3", "blocks")
    file.put(line(dependencies=[link]), line("a-2"), line("a-3"))
    take(desk)
    assert shown(desk, "a-1").blocked_by == ("a-2",)


def dependency(other: str, *, of: str = "a-1") -> dict[str, Any]:
    return {"issue_id": of, "depends_on_id": other, "type": "blocks"}


def test_a_link_that_was_not_read_stays_when_the_links_change_here(desk: Desk, file: File) -> None:
    """Beads knows more kinds of targets than Perdure: a task of another project, for example."""
    unread = [dependency("external:shop:cap"), dependency("a b"), dependency("a-1")]
    circle = dependency("a-1", of="a-3")
    file.put(line(dependencies=[*unread, dependency("a-3")]), line("a-2"), line("a-3", dependencies=[circle]))
    take(desk)
    tasks.link(desk, "a-1", "a-2")
    tasks.link(desk, "a-3", "a-2")
    give(desk)
    found = file.lines()
    assert found["a-1"]["dependencies"][:4] == [*unread, dependency("a-3")]
    assert found["a-3"]["dependencies"][0] == circle
    assert [each["depends_on_id"] for each in found["a-3"]["dependencies"]] == ["a-1", "a-2"]


def test_a_link_that_was_turned_round_here_is_turned_round_in_the_file(desk: Desk, file: File) -> None:
    file.put(line(dependencies=[dependency("a-2")]), line("a-2"))
    take(desk)
    tasks.unlink(desk, "a-1", "a-2")
    tasks.link(desk, "a-2", "a-1")
    give(desk)
    assert file.lines()["a-1"]["dependencies"] == []
    assert [each["depends_on_id"] for each in file.lines()["a-2"]["dependencies"]] == ["a-1"]


def test_a_list_that_grows_here_keeps_what_the_file_says_of_the_other_entries(desk: Desk, file: File) -> None:
    """Unknown fields of an entry, entries that cannot be read, and what the ledger masks."""
    scenario = {"name": "n", "type": "happy_path", "expected": "e", "status": "passed", "weight": 1.0}
    odd = {"name": "no type"}
    steps = ["first", 7, f"log in with {SECRET}"]
    file.put(line(test_scenarios=[odd, scenario], next_steps=steps, labels=["z", None, "b"]))
    take(desk)
    edge = {"name": "m", "type": "edge_case", "expected": "f"}
    tasks.update(desk, "a-1", TaskChanges(added={"test_scenarios": (edge,), "next_steps": ("last",), "labels": ("c",)}))
    give(desk)
    found = file.lines()["a-1"]
    assert found["test_scenarios"] == [odd, scenario, edge]
    assert found["next_steps"] == [*steps, "last"]
    assert found["labels"] == ["z", None, "b", "c"]
    assert not give(desk).is_written
    tasks.update(desk, "a-1", TaskChanges(next_steps=()))
    give(desk)
    assert file.lines()["a-1"]["next_steps"] == [7]


def test_a_diff_says_who_changed_what(desk: Desk, file: File) -> None:
    file.put(line(description="d"))
    take(desk)
    assert task_sync.diff(desk, "a-1", None).fields == ()
    tasks.update(desk, "a-1", TaskChanges(title="ours", priority=0, next_steps=("go",)))
    file.put(line(title="theirs", description="new"))
    head = desk.ledger.head()
    found = task_sync.diff(desk, "a-1", None)
    told = {each.field: (each.ledger, each.file, each.changed_by) for each in found.fields}
    assert told == {
        "title": ("ours", "theirs", "both"),
        "description": ("d", "new", "file"),
        "priority": (0, 2, "ledger"),
        "next_steps": (["go"], None, "ledger"),
    }
    assert (found.line, desk.ledger.head()) == (1, head)
    made = tasks.create(desk, p.TaskCreated("not in the file"))
    assert task_sync.diff(desk, made.id, None).line is None


# -- others write too ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_line_that_another_program_writes_meanwhile_is_not_lost(
    desk: Desk, file: File, monkeypatch: pytest.MonkeyPatch, exchanges: bool
) -> None:
    """Another program writes after the file was read and before it is replaced. Not every system can make two files
    change places."""
    if not exchanges:
        monkeypatch.setattr(task_file, "_exchange_function", lambda: None)
    file.put(line())
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="ours"))
    meanwhile(monkeypatch, "read", lambda: file.put(*file.lines().values(), line("a-9")))
    give(desk)
    assert file.lines().keys() == {"a-1", "a-9"}
    assert file.lines()["a-1"]["title"] == "ours"
    assert shown(desk, "a-9").title == "t"


def test_a_line_written_at_the_very_moment_of_the_exchange_is_not_lost(
    desk: Desk, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program writes after the last look, just before the two files change places."""
    if task_file._exchange_function() is None:
        pytest.skip("this system cannot make two files change places")
    file.put(line())
    take(desk)
    tasks.update(desk, "a-1", TaskChanges(title="ours"))
    meanwhile(monkeypatch, "_exchange_function", lambda: file.put(*file.lines().values(), line("a-9")))
    give(desk)
    assert file.lines().keys() == {"a-1", "a-9"}
    assert file.lines()["a-1"]["title"] == "ours"
    assert os.listdir(file.path.parent) == ["issues.jsonl"]


def meanwhile(monkeypatch: pytest.MonkeyPatch, name: str, work: Callable[[], None]) -> None:
    """Somebody else works once, when this function of the file's module has been called."""
    original, waiting = getattr(task_file, name), [work]

    def called(*given: Any) -> Any:
        found = original(*given)
        while waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(task_file, name, called)


def test_an_import_begins_again_if_the_task_was_changed_meanwhile(
    asked: Request, desk: Desk, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.put(line())
    take(desk)
    file.put(line(title="theirs"))
    original, once = task_import.ledger_fields, [True]

    def changed_behind_our_back(view: TaskView) -> Any:
        found = original(view)
        if once.pop() if once else False:
            with open_desk(asked) as other:
                tasks.update(other, "a-1", TaskChanges(title="ours"))
        return found

    monkeypatch.setattr(task_import, "ledger_fields", changed_behind_our_back)
    assert [each.field for each in take(desk).imported.forks] == ["title"]
    assert shown(desk, "a-1").title == "ours"
