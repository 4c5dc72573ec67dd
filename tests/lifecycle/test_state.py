"""The table of fields, checkpoints of them, and what is restored (SPEC 10.2 to 10.4)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from perdure.lifecycle import state_checkpoint as c
from perdure.lifecycle.revival import Here, is_doubtful, is_of_other_branch, keywords_of, restored, why_not
from perdure.lifecycle.state_fields import ALWAYS, CONSERVED, FIELDS, HOUR, NEVER, SAVED, WHILE_YOUNG, capped
from perdure.model.json import compact_bytes
from perdure.model.value import replace

ONE, TWO, THREE = (f"{n}0000000-0000-4000-8000-000000000000" for n in "123")
CONTRACT = {
    "goal": "ship it",
    "criteria": ["it starts"],
    "evidence": ["tests"],
    "mode": "strict",
    "belongs_to": ONE,
}
SAMPLES: dict[str, Any] = {
    "session_id": ONE,
    "original_goal": "make prices whole cents",
    "goal_keywords": ["prices", "cents"],
    "confidence": 75,
    "completion_confidence": 40,
    "task_contract": CONTRACT,
    "evidence_mode": "strict",
    "constraints": ["Never round a price silently."],
    "external_pointers": [{"name": "serena", "value": "shop", "command": "serena activate shop"}],
    "files_read": ["src/cart.py", "src/ünïcode.py"],
    "files_edited": ["src/price.py"],
    "files_created": ["src/cents.py"],
    "tool_counts": {"edits": 3, "reads": 9},
    "commands_succeeded": ["pytest -q"],
    "errors_unresolved": ["pytest: 1 failed"],
    "turn_count": 4,
    "nudge_history": ["closing.told"],
    "repair_debt": 5,
    "work_queue": ["add tests"],
    "edit_history": [{"path": "a"}],
    "approach_history": ["floats"],
    "progress_log": ["began"],
    "framework_errors": ["x"],
    "evidence_ledger": [{"run": 1}],
    "pending_files": ["a"],
    "pending_searches": ["a"],
    "pending_integration_greps": ["a"],
    "consecutive_blocks": 2,
}
WRONG: dict[str, list[Any]] = {
    "text": [None, 7, "", [], {}, "x" * 2001],
    "number": ["7", -1, 10**10, 7.5, True, None],
    "texts": ["a", [7], [""], ["x" * 2001], ["x"] * 201, {}],
    "counts": [[], {"a": "b"}, {"a": -1}, {str(n): n for n in range(21)}],
    "object": [[], "x", {"goal": 7}, {}],
    "objects": [{}, ["x"], [{}] * 300],
}
HEADER = c.Header(
    project_id=ONE,
    project_path="/p",
    branch="main",
    session_id=ONE,
    lineage=(ONE, TWO),
    saved_at=1_800_000_000_000,
    boundary="stop",
    seq=7,
    redacted="",
)
HERE = Here(project_id=ONE, root="/p", branch="main", lineage=(THREE, ONE, TWO), redacted="")


def seal(content: bytes) -> str:
    return sha256(b"key of this home" + content).hexdigest()


def foreign_seal(content: bytes) -> str:
    return sha256(b"another key" + content).hexdigest()


def saved() -> dict[str, Any]:
    """As a file has it."""
    found: dict[str, Any] = json.loads(json.dumps(c.written(HEADER, SAMPLES, seal)))
    return found


def sealed_in(version: int, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A checkpoint as a program of this version, in this home, has written it."""
    head: dict[str, Any] = {**HEADER.__dict__, "lineage": list(HEADER.lineage), **more}
    of_header = seal(compact_bytes([version, head]))
    fields: dict[str, Any] = {
        name: {"value": each, "seal": seal(compact_bytes([of_header, name, each]))} for name, each in values.items()
    }
    return {"schema_version": version, "header": head, "seal": of_header, "fields": fields}


# -- the table -------------------------------------------------------------------------------------------------------


def test_the_table_has_every_field_of_the_contract_and_each_has_a_sample() -> None:
    assert set(FIELDS) == set(SAMPLES)
    assert {field.tier for field in FIELDS.values()} == {1, 2, 3}
    assert {name for name, field in FIELDS.items() if field.restore == CONSERVED} == {
        "files_created",
        "files_edited",
        "errors_unresolved",
    }


@pytest.mark.parametrize("name", FIELDS)
def test_tier_restore_rule_and_time_to_live_agree(name: str) -> None:
    field = FIELDS[name]
    expected = {1: (ALWAYS, None), 3: (NEVER, 0)}
    two = (CONSERVED, None) if field.restore == CONSERVED else (WHILE_YOUNG, HOUR)
    assert (field.restore, field.time_to_live) == expected.get(field.tier, two)


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_of_every_tier_round_trips(name: str) -> None:
    """Of tier 3 the way ends before the file."""
    field = FIELDS[name]
    assert field.accepts(SAMPLES[name])
    read = c.read(json.loads(json.dumps(c.written(HEADER, {name: SAMPLES[name]}, seal))), seal)
    back = restored(read.state, {}, age=HOUR - 1, is_complete=True).state
    assert back == ({} if field.tier == 3 else {name: SAMPLES[name]})
    assert read.left_out == ()


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_that_a_field_cannot_have_is_not_accepted(name: str) -> None:
    field = FIELDS[name]
    for wrong in WRONG[field.type]:
        if field.tier != 3 or field.type != "object":
            assert not field.accepts(wrong), wrong


@pytest.mark.parametrize("name", [field.name for field in SAVED if field.type in ("texts", "objects")])
def test_a_list_is_saved_up_to_its_cap(name: str) -> None:
    field = FIELDS[name]
    many = [{**SAMPLES[name][0]} if field.type == "objects" else f"{n}{'x' * 3000}" for n in range(field.cap + 5)]
    kept = capped(field, many)
    assert isinstance(kept, list)
    assert len(kept) == field.cap
    assert field.accepts(kept)


# -- a checkpoint ----------------------------------------------------------------------------------------------------


def test_a_checkpoint_names_its_version_and_has_nothing_of_tier_3() -> None:
    found = saved()
    assert found["schema_version"] == c.SCHEMA_VERSION
    assert set(found["fields"]) == {field.name for field in SAVED}
    read = c.read(found, seal)
    assert (read.header, read.left_out) == (HEADER, ())


@pytest.mark.parametrize("version", [0, -1, 3, 99, None, "2", 2.0, True])
def test_an_unknown_version_is_refused_and_both_versions_are_named(version: Any) -> None:
    future = {**saved(), "schema_version": version}
    with pytest.raises(
        c.UnusableCheckpoint, match=rf"{version if type(version) is int else 'none'}, and this program knows 1 to 2"
    ):
        c.read(future, seal)


def test_every_older_version_has_a_migration() -> None:
    assert sorted(c.MIGRATIONS) == list(range(1, c.SCHEMA_VERSION))


def test_version_1_has_the_seeds_names_and_is_migrated() -> None:
    old = {
        "original_goal": "make prices whole cents",
        "ralph_mode": "strict",
        "serena_activated": True,
        "serena_project": "shop",
        "pal_continuation_id": "c-7",
    }
    read = c.read(sealed_in(1, old), seal)
    assert read.version == 1
    assert read.left_out == ()
    assert read.state["evidence_mode"] == "strict"
    assert read.state["original_goal"] == "make prices whole cents"
    pointers = read.state["external_pointers"]
    assert isinstance(pointers, list)
    assert [each["value"] for each in pointers if isinstance(each, dict)] == ["shop", "c-7"]
    off = c.read(sealed_in(1, {**old, "serena_activated": False, "ralph_mode": 7}), seal)
    assert [name for name, _ in off.left_out] == ["evidence_mode"]
    assert len(off.state["external_pointers"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("raw", [None, {}, {"schema_version": 2}, {"schema_version": 2, "header": {}, "fields": []}])
def test_a_checkpoint_that_is_cut_off_is_refused(raw: Any) -> None:
    with pytest.raises(c.UnusableCheckpoint):
        c.read(raw, seal)


def test_a_checkpoint_that_another_home_wrote_is_refused() -> None:
    with pytest.raises(c.UnusableCheckpoint, match="this home did not write it"):
        c.read(json.loads(json.dumps(c.written(HEADER, SAMPLES, foreign_seal))), seal)


@pytest.mark.parametrize("name", ["project_path", "branch", "session_id", "saved_at", "lineage", "redacted"])
def test_a_header_that_was_changed_is_refused(name: str) -> None:
    found = saved()
    found["header"][name] = "x"
    with pytest.raises(c.UnusableCheckpoint):
        c.read(found, seal)
    with pytest.raises(c.UnusableCheckpoint):
        c.read(sealed_in(2, {}, **{name: {"x": 1}}), seal)


@pytest.mark.parametrize("name", [field.name for field in SAVED])
@pytest.mark.parametrize("harm", ["truncated", "changed", "without a seal", "of another field"])
def test_one_damaged_field_loses_that_field_alone(name: str, harm: str) -> None:
    found = saved()
    entry = found["fields"][name]
    if harm == "truncated":
        found["fields"][name] = {"value": entry["value"]}
    elif harm == "changed":
        entry["value"] = "x"
    elif harm == "without a seal":
        found["fields"][name] = entry["value"]
    else:
        entry["seal"] = next(each["seal"] for other, each in found["fields"].items() if other != name)
    read = c.read(found, seal)
    assert [lost for lost, _ in read.left_out] == [name]
    assert set(read.state) == {field.name for field in SAVED} - {name}


def test_a_field_of_another_checkpoint_of_this_home_is_left_out() -> None:
    other = json.loads(json.dumps(c.written(replace(HEADER, session_id=TWO), SAMPLES, seal)))
    found = saved()
    found["fields"]["original_goal"] = other["fields"]["original_goal"]
    assert [name for name, _ in c.read(found, seal).left_out] == ["original_goal"]


def test_a_sealed_field_that_is_unknown_or_of_tier_3_or_has_a_wrong_value_is_left_out() -> None:
    read = c.read(sealed_in(2, {"shoe_size": 7, "edit_history": [{}], "confidence": 700, "turn_count": 2}), seal)
    assert read.state == {"turn_count": 2}
    assert dict(read.left_out) == {
        "shoe_size": "there is no such field",
        "edit_history": "it is never restored",
        "confidence": "it has a value that it cannot have",
    }


# -- what is restored ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [field.name for field in SAVED])
def test_what_is_too_old_is_taken_from_the_ledger_alone(name: str) -> None:
    field = FIELDS[name]
    old = restored({name: SAMPLES[name]}, {}, age=HOUR, is_complete=False)
    assert old.state == ({} if field.restore == WHILE_YOUNG else {name: SAMPLES[name]})
    assert old.rebuilt == ((name,) if field.restore == WHILE_YOUNG else ())


def test_what_the_ledger_says_counts_and_a_checkpoint_adds_what_it_does_not_reach() -> None:
    before = {"files_edited": ["old.py", "both.py"], "task_contract": CONTRACT, "confidence": 90}
    now = {"files_edited": ["new.py", "both.py"], "task_contract": None, "confidence": 40}
    assert restored(before, now, age=9, is_complete=True).state == {
        "files_edited": ["new.py", "both.py"],
        "confidence": 40,
    }
    added = restored(before, now, age=9, is_complete=False).state
    assert added == {"files_edited": ["new.py", "both.py", "old.py"], "confidence": 40}, (
        "a cleared contract stays cleared"
    )


def test_state_of_another_project_lineage_or_branch_is_not_restored() -> None:
    assert why_not(HEADER, HERE) == ""
    assert "another project" in why_not(replace(HEADER, project_id=TWO), HERE)
    assert "another project" in why_not(replace(HEADER, project_path="/q"), HERE)
    assert "another lineage" in why_not(HEADER, replace(HERE, lineage=(THREE,)))
    assert "another lineage" in why_not(replace(HEADER, lineage=(ONE, THREE)), HERE)
    assert "erased" in why_not(HEADER, replace(HERE, redacted=TWO))
    assert "branch main, and this is billing" in why_not(HEADER, replace(HERE, branch="billing"))
    assert is_of_other_branch(HEADER, replace(HERE, branch="billing"))
    assert not is_of_other_branch(HEADER, HERE)
    assert not is_of_other_branch(replace(HEADER, project_id=TWO), replace(HERE, branch="billing"))


def test_a_goal_is_doubtful_if_none_of_its_words_occurs_in_the_work() -> None:
    words = keywords_of("Please make the prices whole cents, and fix it")
    assert words == ["prices", "whole", "cents"]
    assert not is_doubtful(words, ["main", "src/price.py"])
    assert not is_doubtful(words, ["feature/cent-columns"])
    assert is_doubtful(words, ["billing", "src/login.py"])
    assert not is_doubtful(words, ["main", ""]), "there is nothing to compare it with"
    assert not is_doubtful(keywords_of("go on"), ["src/login.py"])
