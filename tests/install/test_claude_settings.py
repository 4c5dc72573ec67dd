"""Claude Code's settings: ours goes in and comes out, whatever else stands there and however it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.clients import claude_code
from perdure.errors import Refused
from perdure.install import claude_settings, settings_text
from perdure.install.claude_code import EVENTS, NOT_A_READER, RECORDED_TOOLS, RULES, groups, portable
from perdure.install.program import Program
from perdure.model import json_text
from tests.model.test_json_text import SPACES, STRINGS, VALUES, spaced

PROGRAM = Program("/usr/bin/python3.11", ("/opt/perdure",), "/usr/bin/perdure")
OURS = groups({event: PROGRAM.words(claude_code, event, "/s.json") for event in EVENTS})
NEWER = groups(
    {event: Program("/usr/bin/python3.13", ("/x",), "").words(claude_code, event, "/s.json") for event in EVENTS}
)


@st.composite
def objects(draw: st.DrawFn, members: dict[str, st.SearchStrategy[str]]) -> str:
    """With some of these members, others, and any spaces."""
    names = draw(st.lists(st.sampled_from(sorted(members)), unique=True)) if members else []
    named = [f'{draw(SPACES)}"{name}"{draw(SPACES)}:{draw(spaced(members[name]))}' for name in names]
    others = [f'{draw(SPACES)}"x{n}":{draw(spaced(VALUES))}' for n in range(draw(st.integers(0, 2)))]
    parts = draw(st.permutations([*named, *others]))
    return f"{{{','.join(parts) or draw(SPACES)}}}"


def arrays(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    filled = st.lists(spaced(inner), min_size=1, max_size=2).map(lambda parts: f"[{','.join(parts)}]")
    return st.one_of(filled, SPACES.map(lambda space: f"[{space}]"))


HANDLERS = objects({"type": st.just('"command"'), "command": STRINGS, "args": arrays(STRINGS)})
GROUPS = st.one_of(VALUES, objects({"matcher": STRINGS, "hooks": arrays(HANDLERS)}))
FOREIGN = objects({event: arrays(GROUPS) for event in ("SessionStart", "PreToolUse", "Stop")})
PERMISSIONS = objects({"allow": arrays(STRINGS), "deny": arrays(STRINGS)})
SETTINGS = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    spaced(objects({"hooks": FOREIGN, "permissions": PERMISSIONS, "statusLine": VALUES})),
).map("".join)


@settings(max_examples=60, deadline=None)
@given(SETTINGS)
def test_hooks_and_rules_go_in_and_come_out_and_leave_every_byte(text: str) -> None:
    hooked = claude_settings.with_hooks(text, OURS)
    ruled = claude_settings.with_rules(hooked.text, RULES)
    assert claude_settings.with_hooks(ruled.text, OURS).text == ruled.text, "nothing to do the second time"
    assert claude_settings.with_rules(ruled.text, RULES).text == ruled.text
    newer = claude_settings.with_hooks(ruled.text, NEWER).text
    back = claude_settings.without_hooks(newer, hooked.made)
    assert claude_settings.without_rules(back, ruled.added, ruled.made) == text


@settings(max_examples=60, deadline=None)
@given(SETTINGS)
def test_what_the_client_then_reads_is_what_was_there_and_ours(text: str) -> None:
    before = json.loads(text.removeprefix("\ufeff"))
    after = json.loads(claude_settings.with_hooks(text, OURS).text.removeprefix("\ufeff"))
    theirs = before.get("hooks", {})
    wanted = {**before, "hooks": {**theirs, **{e: [*theirs.get(e, []), group] for e, group in OURS.items()}}}
    assert repr(_sorted(after)) == repr(_sorted(wanted))  # by its text: NaN never equals itself


def _sorted(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: _sorted(content[name]) for name in sorted(content)}
    return [_sorted(each) for each in content] if isinstance(content, list) else content


def test_the_guard_is_asked_for_every_tool_but_the_readers() -> None:
    import re

    for tool in ("Bash", "Edit", "Write", "NotebookEdit", "Monitor", "mcp__x__Read", "ReadMe", "Unknown", "Workflow"):
        assert re.search(NOT_A_READER, tool), tool
    for tool in ("Read", "Glob", "Grep", "WebFetch", "TodoWrite", "Task"):
        assert not re.search(NOT_A_READER, tool), tool


def test_what_is_registered_is_what_the_table_says() -> None:
    for event, (matcher, options) in EVENTS.items():
        group: Any = OURS[event]
        (handler,) = group["hooks"]
        assert (handler["type"], handler["command"]) == ("command", "/usr/bin/python3.11")
        assert handler["args"][:3] == ["-I", "-S", "-c"]
        assert handler["args"][-1] == event
        assert group.get("matcher", "") == matcher
        assert {**handler, **options} == handler
    assert [event for event, (_, options) in EVENTS.items() if options.get("onFailure") == "block"] == ["PreToolUse"]
    assert EVENTS["PostToolUse"] == EVENTS["PostToolUseFailure"] == (RECORDED_TOOLS, {"timeout": 60, "async": True})
    assert set(portable("x")) == set(EVENTS)


def test_a_handler_that_somebody_put_into_our_group_stays() -> None:
    text = claude_settings.with_hooks("{}", OURS).text
    group = json_text.parse(text).at("hooks", "PreToolUse", 0, "hooks")
    assert group is not None
    mixed = json_text.add(group, None, {"type": "command", "command": "theirs"})
    newer = json.loads(claude_settings.with_hooks(mixed, NEWER).text)["hooks"]["PreToolUse"]
    assert [handler["command"] for handler in newer[0]["hooks"]] == ["theirs"]
    assert newer[1] == NEWER["PreToolUse"]
    left = json.loads(claude_settings.without_hooks(mixed, ()))["hooks"]["PreToolUse"]
    assert [handler["command"] for each in left for handler in each["hooks"]] == ["theirs"]


def test_ours_that_stands_twice_or_is_no_longer_wanted_goes() -> None:
    text = json.dumps({"hooks": {"SessionStart": [OURS["SessionStart"]] * 3, "Old": [OURS["SessionStart"]]}})
    hooks = json.loads(claude_settings.with_hooks(text, OURS).text)["hooks"]
    assert hooks["SessionStart"] == [OURS["SessionStart"]]
    assert hooks["Old"] == []


def test_an_upgrade_replaces_ours_where_it_stands() -> None:
    theirs = {"hooks": [{"type": "command", "command": "theirs"}]}
    text = json.dumps({"hooks": {"SessionStart": [theirs, OURS["SessionStart"], theirs]}}, indent=4)
    hooks = json.loads(claude_settings.with_hooks(text, NEWER).text)["hooks"]
    assert hooks["SessionStart"] == [theirs, NEWER["SessionStart"], theirs]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "settings_not_json"),
        (" \n", "settings_not_json"),
        ("{'a': 1}", "settings_not_json"),
        ("[]", "settings_odd"),
        ("null", "settings_odd"),
        ('{"hooks": []}', "settings_odd"),
        ('{"hooks": null}', "settings_odd"),
        ('{"hooks": {"PreToolUse": {}}}', "settings_odd"),
        ('{"permissions": "all"}', "settings_odd"),
        ('{"permissions": {"allow": "all"}}', "settings_odd"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        claude_settings.check_shape(settings_text.parse_settings(text, "/s.json"), "/s.json", tuple(EVENTS))
    assert refused.value.code == code
    assert "/s.json" in refused.value.message
    assert "Nothing was changed" in refused.value.message


def test_an_event_that_is_not_ours_may_be_anything() -> None:
    text = '{"hooks": {"_comment": "mine", "SessionStart": [1, {"hooks": 2}, {"hooks": [3]}]}}'
    claude_settings.check_shape(settings_text.parse_settings(text, "/s.json"), "/s.json", tuple(EVENTS))
    hooked = claude_settings.with_hooks(text, OURS)
    assert claude_settings.without_hooks(hooked.text, hooked.made) == text
