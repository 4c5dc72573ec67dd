"""Whatever is piped or typed in: refused with a sentence that helps, exit 2 or 1, and nothing written (SPEC 17.3)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.conftest import Cli, Result, assessment, new_repository
from tests.surfaces.looking import (
    CONTROLS,
    assert_error,
    assert_quiet_terminal,
    assert_said_to_a_person,
    nothing_written,
)

GOOD = {"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read the code"}
TRANSITIONS = ("preflight", "check", "postflight")


@pytest.fixture(params=TRANSITIONS)
def transition(request: pytest.FixtureRequest) -> str:
    """Each of the three, in a state where a good assessment would be taken."""
    return str(request.param)


@pytest.fixture
def ready(cli: Cli, transition: str) -> Cli:
    cli.environment["PERDURE_INSTANCE"] = "pane"
    if transition != "preflight":
        cli.ok("preflight", "-", input=assessment())
    return cli


def _text(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def _vectors(raw: str) -> bytes:
    return f'{{"vectors": {raw}, "reasoning": "r"}}'.encode()


VECTORS = {
    "know-7": ('{"know": 7, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-below-0": ('{"know": -0.1, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-just-above-1": ('{"know": 1.0000001, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-nan": ('{"know": NaN, "uncertainty": 0.2}', "vectors.know", "NaN"),
    "know-infinity": ('{"know": Infinity, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-minus-infinity": ('{"know": -Infinity, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-too-big-for-a-float": ('{"know": 1e999, "uncertainty": 0.2}', "vectors.know", "between 0.0 and 1.0"),
    "know-a-string": ('{"know": "0.8", "uncertainty": 0.2}', "vectors.know", "a string"),
    "know-true": ('{"know": true, "uncertainty": 0.2}', "vectors.know", "true"),
    "know-null": ('{"know": null, "uncertainty": 0.2}', "vectors.know", "null"),
    "know-a-list": ('{"know": [0.8], "uncertainty": 0.2}', "vectors.know", "a list"),
    "know-an-object": ('{"know": {}, "uncertainty": 0.2}', "vectors.know", "an object"),
    "know-missing": ('{"uncertainty": 0.2}', "vectors.know", "required"),
    "uncertainty-missing": ('{"know": 0.8}', "vectors.uncertainty", "required"),
    "uncertainty-false": ('{"know": 0.8, "uncertainty": false}', "vectors.uncertainty", "false"),
    "optional-one-a-string": ('{"know": 0.8, "uncertainty": 0.2, "do": "well"}', "vectors.do", "a string"),
    "unknown": ('{"know": 0.8, "uncertainty": 0.2, "confidence": 0.5}', "vectors.confidence", "not a vector"),
    "unknown-and-hostile": ('{"know": 0.8, "uncertainty": 0.2, "\\u001b[2J": 0.5}', "vectors.", "not a vector"),
    "another-case": ('{"Know": 0.8, "uncertainty": 0.2}', "vectors.Know", "not a vector"),
    "empty": ("{}", "vectors.know", "required"),
    "a-list": ('[["know", 0.8]]', "vectors", "a list"),
    "a-string": ('"know"', "vectors", "a string"),
    "a-number": ("0.8", "vectors", "object"),
    "null": ("null", "vectors", "missing"),
}


def test_a_vector_that_is_none_is_refused_naming_it(ready: Cli, transition: str, subtests: pytest.Subtests) -> None:
    for case, (raw, field, why) in VECTORS.items():
        with subtests.test(case):
            with nothing_written(ready):
                result = ready(transition, "-", input=_vectors(raw))
            error = assert_error(result, 2, field, why, kind="bad_vector")
            assert error["details"]["field"].startswith(field)
            assert error["hint"]


INPUTS: dict[str, tuple[bytes, str]] = {
    "ten-megabytes": (_text(reasoning="x" * (10 << 20)), "larger than 1 MiB"),
    "ten-megabytes-of-spaces": (b" " * (10 << 20), "larger than 1 MiB"),
    "not-json": (b"know is about 0.8, I would say", "is not JSON (line 1, column 1"),
    "json-cut-short": (_text()[:-2], "is not JSON (line 1"),
    "two-values": (_text() + _text(), "is not JSON"),
    "a-trailing-comma": (b'{"vectors": {"know": 0.8, "uncertainty": 0.2,}}', "is not JSON"),
    "utf-16-le-with-mark": (b"\xff\xfe" + _text().decode().encode("utf-16-le"), "UTF-16"),
    "utf-16-be-with-mark": (b"\xfe\xff" + _text().decode().encode("utf-16-be"), "UTF-16"),
    "utf-16-le-without-mark": (_text().decode().encode("utf-16-le"), "UTF-16"),
    "utf-16-be-without-mark": (_text().decode().encode("utf-16-be"), "UTF-16"),
    "utf-32": (_text().decode().encode("utf-32"), "not UTF-8"),
    "latin-1": ('{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "für"}'.encode("latin-1"), "not UTF-8"),
    "binary": (bytes(range(256)) * 8, "not UTF-8"),
    "empty": (b"", "is empty"),
    "only-spaces": (b" \n\t \r\n", "is empty"),
    "a-list": (b"[1, 2]", "not a JSON object"),
    "a-string": (b'"vectors"', "not a JSON object"),
    "null": (b"null", "not a JSON object"),
    "a-key-twice": (b'{"vectors": {"know": 0.8, "uncertainty": 0.2}, "vectors": {}}', "'vectors' occurs twice"),
    "a-vector-twice": (b'{"vectors": {"know": 0.8, "know": 0.9, "uncertainty": 0.2}}', "'know' occurs twice"),
    "the-last-of-many-keys-twice": (
        ("{" + ",".join(f'"k{n}":0' for n in range(60_000)) + ',"k59999":1}').encode(),
        "'k59999' occurs twice",
    ),
    "a-hundred-thousand-brackets": (b"[" * 100_000 + b"]" * 100_000, "is not JSON"),
    "a-hundred-thousand-braces": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "is not JSON"),
    "nested-deeper-than-anybody-needs": (b'{"vectors":' + b"[" * 300 + b"]" * 300 + b"}", "64 levels"),
    "nul-bytes-between": (_text().replace(b" ", b"\0"), "UTF-16 or binary"),
    "only-nul-bytes": (b"\0" * 500, "UTF-16 or binary"),
    "nul-far-inside": (_text(reasoning="x" * 200 + "@").replace(b"@", b"\0"), "is not JSON"),
    "a-number-of-five-thousand-digits": (
        b'{"vectors": {"know": ' + b"9" * 5000 + b', "uncertainty": 0}}',
        "is not JSON",
    ),
    "reasoning-a-number": (_text(reasoning=7), "reasoning: must be a string"),
    "reasoning-a-list": (_text(reasoning=["a"]), "reasoning: must be a string"),
    "session-a-number": (_text(session_id=7), "session_id: must be a string"),
    "task-hostile": (_text(task_id="../../x"), "task id"),
    "session-hostile": (_text(session_id="../../etc/passwd"), "session id"),
    "session-with-nul": (_text(session_id="a\0b"), "session id"),
}


def test_input_that_is_not_an_assessment_is_refused_with_a_sentence_that_helps(
    ready: Cli, transition: str, subtests: pytest.Subtests
) -> None:
    for case, (raw, why) in INPUTS.items():
        with subtests.test(case):
            with nothing_written(ready):
                result = ready(transition, "-", input=raw)
            assert_error(result, 2, why)


FLAGS = {
    "know-7": (["--know", "7", "--uncertainty", "0.2"], "vectors.know"),
    "know-below-0": (["--know", "-0.1", "--uncertainty", "0.2"], "vectors.know"),
    "know-nan": (["--know", "nan", "--uncertainty", "0.2"], "vectors.know"),
    "know-infinite": (["--know", "inf", "--uncertainty", "0.2"], "vectors.know"),
    "know-a-word": (["--know", "abc", "--uncertainty", "0.2"], "--know"),
    "know-empty": (["--know", "", "--uncertainty", "0.2"], "--know"),
    "know-true": (["--know", "true", "--uncertainty", "0.2"], "--know"),
    "know-without-a-number": (["--know"], "--know"),
    "uncertainty-missing": (["--know", "0.8"], "--uncertainty"),
    "know-missing": (["--uncertainty", "0.2"], "--know"),
    "an-unknown-vector": (["--know", "0.8", "--uncertainty", "0.2", "--confidence", "0.4"], "--confidence"),
    "a-vector-cut-short": (["--kno", "0.8", "--uncertainty", "0.2"], "--kno"),
    "nothing": ([], "No assessment"),
    "json-and-flags": (["-", "--know", "0.8"], "not both"),
    "something-else-than-a-dash": (["assessment.json"], "assessment.json"),
    "an-empty-project-path": (["--know", "0.8", "--uncertainty", "0.2", "--project-path", ""], "--project-path"),
    "an-empty-session": (["--know", "0.8", "--uncertainty", "0.2", "--session-id", ""], "--session-id"),
    "an-empty-instance": (["--know", "0.8", "--uncertainty", "0.2", "--instance", ""], "--instance"),
}


def test_flags_that_are_not_an_assessment_are_refused_naming_the_flag(
    ready: Cli, transition: str, subtests: pytest.Subtests
) -> None:
    for case, (flags, word) in FLAGS.items():
        with subtests.test(case):
            with nothing_written(ready):
                as_json = ready(transition, *flags, "--json")
                to_a_person = ready(transition, *flags)
            assert_error(as_json, 2, word)
            if "-" not in flags:
                assert_said_to_a_person(to_a_person, 2, word)


def test_a_required_number_has_the_same_error_by_flags_and_in_json(ready: Cli, transition: str) -> None:
    by_flags = assert_error(ready(transition, "--know", "0.8", "--json"), 2, kind="bad_vector")
    in_json = assert_error(ready(transition, "-", "--json", input='{"vectors": {"know": 0.8}}'), 2, kind="bad_vector")
    assert by_flags["details"] == in_json["details"] == {"field": "vectors.uncertainty"}


def test_a_good_assessment_is_taken_each_way(cli: Cli) -> None:
    """So that the refusals above say something."""
    byte_order_mark = b"\xef\xbb\xbf"
    cli.environment["PERDURE_INSTANCE"] = "pane"
    assert cli("preflight", "-", input=byte_order_mark + _text()).code == 0
    assert cli("check", "--know", "0.8", "--uncertainty", "0.2", "--because", "read it").code == 0
    assert cli("postflight", "-", input=_vectors('{"know": 1, "uncertainty": 0, "completion": 1.0}')).code == 0


# -- transitions that are not due --------------------------------------------------------------------------------------


def test_postflight_with_nothing_open_is_refused_in_the_words_of_the_seed(cli: Cli) -> None:
    with nothing_written(cli):
        result = cli("postflight", "-", input=assessment())
        by_flags = cli("postflight", "--know", "0.8", "--uncertainty", "0.2")
    error = assert_error(result, 1, kind="no_open_transaction")
    assert error["message"] == "No open transaction. Run PREFLIGHT first."
    assert "perdure preflight" in error["hint"]
    assert_said_to_a_person(by_flags, 1, "No open transaction. Run PREFLIGHT first.")


def test_postflight_twice_closes_once(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    closed = cli.ok("postflight", "-", input=assessment())
    assert closed["transaction_id"] == opened["transaction_id"]
    with nothing_written(cli):
        again = cli("postflight", "-", input=assessment())
        by_name = cli("postflight", "--transaction-id", opened["transaction_id"], "-", input=assessment())
    assert assert_error(again, 1)["message"] == "No open transaction. Run PREFLIGHT first."
    assert_error(by_name, 1, "No open transaction. Run PREFLIGHT first.", "closed already")


def test_check_with_nothing_open_is_refused(cli: Cli) -> None:
    with nothing_written(cli):
        result = cli("check", "-", input=assessment())
    assert assert_error(result, 1)["message"] == "No open transaction. Run PREFLIGHT first."


def test_preflight_twice_is_refused_with_the_first_ones_id_and_both_ways_out(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=assessment())
    with nothing_written(cli):
        result = cli("preflight", "-", input=assessment())
    error = assert_error(result, 1, opened["transaction_id"][:8], kind="transaction_open")
    assert "perdure check --know K --uncertainty U" in error["hint"], "a form that can be typed"
    assert error["details"]["transaction_id"] == opened["transaction_id"]
    assert "perdure check" in error["hint"]
    assert "perdure postflight" in error["hint"]


def test_a_decision_of_the_callers_own_is_not_taken(cli: Cli) -> None:
    opened = cli.ok("preflight", "-", input=json.dumps({**GOOD, "vectors": {"know": 0.1, "uncertainty": 0.9}}))
    assert opened["gate"]["decision"] == "investigate"
    result = cli("check", "-", input=json.dumps({**GOOD, "decision": "proceed"}))
    assert result.code == 1
    assert result.json["decision"] == "investigate"
    assert any("computed" in warning for warning in result.json["warnings"])


def test_an_id_that_is_not_the_one_found_closes_nothing(cli: Cli) -> None:
    cli.ok("preflight", "-", input=assessment())
    for named in ("00000000", "ffffffff-ffff-4fff-8fff-ffffffffffff"):
        with nothing_written(cli):
            elsewhere = cli("postflight", "--transaction-id", named, "-", input=assessment())
            here = cli("postflight", "--transaction-id", named, "--project-path", str(cli.cwd), "-", input=assessment())
        assert_error(elsewhere, 1, named[:8], kind="no_such_transaction")
        assert_error(here, 1, named[:8], kind="no_such_transaction")
    assert cli.ok("transaction", "status")["status"] == "open"


def test_an_id_that_is_none_closes_nothing(cli: Cli, subtests: pytest.Subtests) -> None:
    cli.ok("preflight", "-", input=assessment())
    for named in ["", " ", "3f2", "zzzzzzzz", "../../..", "3f2a91c4; rm -rf x", "\n", "a" * 4000]:
        with subtests.test(named):
            with nothing_written(cli):
                by_flag = cli("postflight", "--transaction-id", named, "-", input=assessment())
                by_field = cli("postflight", "-", input=json.dumps({**GOOD, "transaction_id": named}))
            assert_error(by_flag, 2, "transaction id", kind="bad_id")
            assert_error(by_field, 2, "transaction id", kind="bad_id")


# -- what JSON can carry and the ledger cannot -------------------------------------------------------------------------


def test_lone_surrogates_are_stored_as_replacement_characters_and_counted(cli: Cli) -> None:
    raw = b'{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "a\\ud800b\\udfff", "goal": "g\\udc00"}'
    assert cli("preflight", "-", input=raw).code == 0
    lines = [json.loads(line) for line in cli("export").out.splitlines()]
    opened = next(line["payload"] for line in lines if line["kind"] == "transaction.opened")
    assert opened["reasoning"] == "a\ufffdb\ufffd"
    assert opened["$replaced"] == 2
    goal = next(line["payload"] for line in lines if line["kind"] == "goal.created")
    assert goal == {"title": "g\ufffd", "origin": "preflight", "$replaced": 1}
    assert cli("heal", "--check").code == 0


def test_a_surrogate_pair_is_one_character_and_not_replaced(cli: Cli) -> None:
    raw = b'{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "\\ud83d\\ude00"}'
    assert cli("preflight", "-", input=raw).code == 0
    opened = json.loads(cli("export").out.splitlines()[-1])["payload"]
    assert opened["reasoning"] == "\U0001f600"
    assert "$replaced" not in opened


def test_a_field_whose_name_is_not_text_is_answered_in_json_all_the_same(cli: Cli) -> None:
    result = cli("preflight", "-", input=_text()[:-1] + b', "\\ud800\\u001b": 1}')
    assert result.code == 0, result
    assert len(result.json["warnings"]) == 1


def test_integers_beyond_what_json_keeps_exact_are_stored_as_strings(cli: Cli) -> None:
    evidence = {"said": "Ana", "big": 2**53, "below": 2**53 - 1, "deep": [-(2**70)]}
    made = cli.ok("decide", "-", input=json.dumps({"decision": "count", "evidence": [evidence]}))
    stored = json.loads(cli("export").out.splitlines()[-1])["payload"]["evidence"][0]
    assert stored["big"] == "9007199254740992"
    assert stored["below"] == 9007199254740991
    assert stored["deep"] == ["-1180591620717411303424"]
    assert made["evidence"] == [stored]
    assert cli("heal", "--check").code == 0


def test_a_decision_of_the_wrong_shape_is_refused_naming_the_field(cli: Cli, subtests: pytest.Subtests) -> None:
    shapes = [
        ("decision", '{"rationale": "no decision"}'),
        ("decision", '{"decision": 7}'),
        ("evidence", '{"decision": "d", "evidence": {"path": "a"}}'),
        ("evidence", '{"decision": "d", "evidence": ["a.py:3"]}'),
        ("scenarios", '{"decision": "d", "scenarios": "all"}'),
        ("key", '{"decision": "d", "key": ["a"]}'),
        *[
            ("evidence", f'{{"decision": "d", "evidence": [{{"a": [{number}]}}]}}')
            for number in ("NaN", "Infinity", "-Infinity", "1e999")
        ],
    ]
    for field, raw in shapes:
        with subtests.test(raw):
            with nothing_written(cli):
                result = cli("decide", "-", input=raw)
            assert_error(result, 2, field, kind="bad_field")


def test_a_note_too_large_for_one_event_is_refused_and_one_just_below_is_kept(cli: Cli) -> None:
    with nothing_written(cli):
        result = cli("decide", "-", input=json.dumps({"decision": "x" * (1 << 20)}))
    assert_error(result, 2, "1 MiB")
    assert cli.ok("decide", "-", input=json.dumps({"decision": "x" * 1_000_000}))["decision_id"]


@pytest.mark.parametrize("words", ["", "\n\t "])
def test_words_that_are_none_are_refused(cli: Cli, words: str) -> None:
    commands = (("note", "finding", words), ("finding", words), ("decide", words), ("goal", "create", words))
    with nothing_written(cli):
        results = [cli(*command, "--json") for command in commands]
        redacted = cli("redact", "00000000", "--because", words, "--json")
        overridden = cli("transaction", "override", "--because", words, "--json")
    for result, needs in zip(results, ("needs a text", "needs a text", "needs a text", "needs a title"), strict=True):
        assert_error(result, 2, needs, kind="empty_text")
    assert_error(redacted, 2, "reason", kind="no_reason")
    assert_error(overridden, 2, "reason", kind="no_reason")


def test_a_limit_that_is_not_a_count_is_refused(cli: Cli) -> None:
    commands = [("note", "list"), ("decide", "--list"), ("session", "list"), ("transaction", "list")]
    for number, limit in enumerate(["0", "-1", "x", "1.5", "", "99999999999999999999", "٣", "1_0"]):
        assert_error(cli(*commands[number % 4], "--limit", limit, "--json"), 2, "--limit")


# -- hostile values ----------------------------------------------------------------------------------------------------

HOSTILE = {
    "up-and-out": "../../../../outside",
    "absolute": "/tmp/outside",
    "newline": "a\nb\r\nc",
    "long": "x" * 4000,
    "long-with-separators": "/".join(["x" * 100] * 39),
    "a-command": "; rm -rf x",
    "a-substitution": "$(touch pwned) `touch pwned`",
    "an-escape": "\x1b[91;5mred\x1b[2J\x1b]0;title\x07",
    "an-escape-first-and-alone": "\x1b[2K",
    "c1-controls": "\x9b31m\x85\x8d",
    "reordering": "abc\u202edef\u2066",
    "a-flag": "--json=1",
    "dots": "..",
    "a-tilde": "~",
    "not-utf-8": os.fsdecode(b"\xff\xfe\x80"),
    "carriage": "safe\rPERDURE",
}


def _everything(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*")}


def test_hostile_ids_reach_neither_a_path_nor_a_shell(cli: Cli, tmp_path: Path, subtests: pytest.Subtests) -> None:
    """Session, instance, client, task and transaction ids are refused outright; so is what comes by environment."""
    before = _everything(tmp_path)
    flags = {
        "--session-id": "session id",
        "--instance": "--instance",
        "--client": "client's name",
        "--client-session-id": "client's session id",
    }
    for case, hostile in HOSTILE.items():
        with subtests.test(case), nothing_written(cli):
            for flag, word in flags.items():
                given = ["--know", "0.8", "--uncertainty", "0.2", f"{flag}={hostile}"]
                assert_error(cli("preflight", *given, "--json"), 2, word, kind="bad_id")
            assert_said_to_a_person(cli("preflight", *given), 2, word)
            assert_error(cli("note", "finding", "x", f"--task={hostile}", "--json"), 2, "task id", kind="bad_id")
            by_variable = cli("preflight", "-", input=assessment(), PERDURE_INSTANCE=hostile)
            assert_error(by_variable, 2, "PERDURE_INSTANCE", kind="bad_id")
            for command in (("transaction", "adopt"), ("session", "show"), ("redact", "--because", "b")):
                assert_error(cli(*command, "--json", "--", hostile), 2, kind="bad_id")
    _assert_nothing_outside(tmp_path, before)


def test_a_hostile_project_path_is_refused_and_never_made(cli: Cli, tmp_path: Path, subtests: pytest.Subtests) -> None:
    before = _everything(tmp_path)
    for case, hostile in HOSTILE.items():
        with subtests.test(case), nothing_written(cli):
            given = ["--know", "0.8", "--uncertainty", "0.2", f"--project-path={hostile}", "--json"]
            results = [
                cli("preflight", *given),
                cli("heal", f"--project-path={hostile}", "--json"),
                cli("postflight", "-", input=json.dumps({**GOOD, "project_path": hostile})),
                cli("project", "switch", "--json", "--", hostile),
                cli("status", "--json", PERDURE_PROJECT=hostile),
            ]
            for result in results:
                assert_error(result, 1 if case in ("dots", "a-tilde") else 2)
    _assert_nothing_outside(tmp_path, before)


def test_nul_in_json_is_refused_where_it_names_something_and_kept_where_it_is_text(cli: Cli) -> None:
    with nothing_written(cli):
        for field in ("project_path", "transaction_id", "session_id", "task_id"):
            raw = json.dumps({**GOOD, field: "abcd\0efgh"})
            result = cli("postflight", "-", input=raw)
            assert_error(result, 2)
    assert cli("preflight", "-", input=json.dumps({**GOOD, "reasoning": "a\0b", "goal": "g\0oal"})).code == 0
    assert cli.ok("goal", "list")[0]["title"] == "g\0oal"
    assert_quiet_terminal(cli("goal", "list"))
    assert cli("heal", "--check").code == 0


def test_hostile_words_are_kept_as_they_are_and_shown_harmless(
    cli: Cli, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    before = _everything(tmp_path)
    for case, hostile in HOSTILE.items():
        with subtests.test(case):
            _keep_and_show(cli, hostile)
    opened = cli("preflight", "--know", "0.8", "--uncertainty", "0.2", f"--because={HOSTILE['an-escape']}")
    assert opened.code == 0, opened
    for command in (
        ("note", "list", "--limit", "100"),
        ("note", "list", "question"),
        ("goal", "list", "--all"),
        ("decide", "--list", "--limit", "100"),
        ("transaction", "list"),
        ("transaction", "show"),
        ("session", "list"),
        ("session", "show"),
        ("project", "list"),
        ("project", "show"),
        ("where", "--explain"),
        ("heal",),
    ):
        with subtests.test(" ".join(command)):
            shown = cli(*command)
            assert shown.code == 0, shown
            assert_quiet_terminal(shown)
            coloured = cli(*command, FORCE_COLOR="1").out
            assert not CONTROLS.search(_without_our_colours(coloured)), coloured
    _assert_nothing_outside(tmp_path, before)


def _keep_and_show(cli: Cli, hostile: str) -> None:
    stored = hostile.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    said = [cli("note", kind, "--", hostile) for kind in ("finding", "question", "reasoning")]
    said.append(cli("goal", "create", "--", hostile))
    flags = [f"--{name}={hostile}" for name in ("because", "key", "value", "title")]
    said.append(cli("decide", *flags, "--", hostile))
    said.append(cli("status"))
    for result in said:
        assert result.code == 0, result
        assert_quiet_terminal(result)
    assert cli.ok("note", "list", "finding", "--limit", "1")[0]["text"] == stored
    decision = cli.ok("decide", "--list", "--limit", "1")[0]
    assert [decision[name] for name in ("decision", "rationale", "key", "value", "title")] == [stored] * 5
    coloured = cli("status", FORCE_COLOR="1").out
    assert "\x1b[" in coloured
    assert not CONTROLS.search(_without_our_colours(coloured)), coloured


def _without_our_colours(text: str) -> str:
    return re.sub("\x1b\\[[0-9]{1,2}m", "", text)


def _assert_nothing_outside(tmp_path: Path, before: set[str], *allowed: Path) -> None:
    inside = tuple(map(str, (tmp_path / "shop" / ".perdure", tmp_path / "home", *allowed)))
    new = {path for path in _everything(tmp_path) - before if not path.startswith(inside)}
    assert not new, new
    assert not list(tmp_path.rglob("pwned"))
    assert not os.path.exists("/tmp/outside")


def test_a_hostile_project_name_is_refused_or_kept_as_it_is(
    environment: dict[str, str], tmp_path: Path, subtests: pytest.Subtests
) -> None:
    folders = {case: tmp_path / case for case in HOSTILE}
    for folder in folders.values():
        folder.mkdir()
    before = _everything(tmp_path)
    for case, hostile in HOSTILE.items():
        with subtests.test(case):
            folder = folders[case]
            cli = Cli(folder, environment)
            result = cli("init", f"--name={hostile}", "--json")
            if hostile.isprintable() and len(hostile) <= 100:
                assert result.code == 0, result
                assert cli.ok("status")["project"] == hostile
                assert cli.ok("project", "show")["project"] == hostile
            else:
                assert_error(result, 2, "name", kind="bad_name")
                assert not (folder / ".perdure" / "ledger.db").exists()
                assert not (folder / ".perdure" / "project.toml").exists()
    _assert_nothing_outside(tmp_path, before, *(folder / ".perdure" for folder in folders.values()))


def test_a_name_that_a_repository_brings_along_is_shown_harmless(cli: Cli) -> None:
    """`project.toml` is tracked in git: whoever writes it need not be the person who looks."""
    toml = cli.cwd / ".perdure" / "project.toml"
    text = toml.read_text().splitlines()
    toml.write_text("\n".join([*text[:2], 'name = "shop\\u001b[2J\\u202e\\nevil"', ""]))
    for command in (("status",), ("project", "show"), ("project", "list"), ("init",), ("transaction", "status")):
        result = cli(*command)
        assert result.code in (0, 1), result
        assert_quiet_terminal(result)
        assert "\nevil" not in result.out


def test_a_folder_whose_name_reorders_text_is_shown_harmless(tmp_path: Path, environment: dict[str, str]) -> None:
    cli = Cli(new_repository(tmp_path / "sh\u202eop\x85", environment), {**environment, "PERDURE_INSTANCE": "pane"})
    said: list[Result] = [cli("init"), cli("status"), cli("where", "--explain"), cli("heal"), cli("project", "list")]
    said += [cli("preflight", "--know", "0.8", "--uncertainty", "0.2"), cli("transaction", "status")]
    said += [cli("session", "list"), cli("session", "show"), cli("project", "show"), cli("config", "show")]
    said += [cli("config", "set", "gate.know", "0.6"), cli("export", "out.jsonl")]
    refused = [cli("export", "out.jsonl"), cli("import", "gone\x1b[2J.jsonl")]
    for result in said + refused:
        assert_quiet_terminal(result)
    assert [result.code for result in said] == [0] * len(said)
    assert [result.code for result in refused] == [2, 2]


@pytest.mark.parametrize("name", ["sh\x1b[2Jop", "sh\nop", os.fsdecode(b"sh\xffop")])
def test_a_folder_whose_name_no_terminal_and_no_ledger_can_carry_is_not_a_project(
    tmp_path: Path, environment: dict[str, str], name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    before = _everything(folder)
    for cli, command in ((Cli(folder, environment), ("init",)), (Cli(tmp_path, environment), ("init", name))):
        assert_said_to_a_person(cli(*command), 2, "not a usable path")
        assert_error(cli(*command, "--json"), 2, kind="bad_path")
    assert _everything(folder) == before


@pytest.mark.parametrize("word", ["sta\x1b[2Jtus", "\u202eheal", "x" * 4000, "../status\n"])
def test_a_command_that_is_none_is_named_without_its_control_characters(cli: Cli, word: str) -> None:
    for arguments in ([word], ["status", word], ["goal", word], ["note", word, "x"], ["config", "show", word]):
        assert_said_to_a_person(cli(*arguments), 2)
        assert_error(cli(*arguments, "--json"), 2)


# -- flags at any place --------------------------------------------------------------------------------------------

ANYWHERE = [
    ("note", "finding", "--json", "hello"),
    ("note", "--json", "finding", "hello"),
    ("--json", "note", "finding", "hello"),
    ("note", "finding", "hello", "--json"),
    ("note", "finding", "--project-path", ".", "hello", "--json"),
    ("note", "--project-path=.", "finding", "--json", "--", "--hello"),
    ("goal", "--json", "create", "ship it"),
    ("goal", "--project-path", ".", "create", "--json", "ship it"),
    ("decide", "--because", "it is fast", "--json", "use WAL"),
    ("config", "--json", "show", "gate.know"),
    ("config", "show", "--json", "gate.know"),
    ("project", "--json", "list"),
    ("gate", "explain", "--json", "ls -l"),
    ("transaction", "list", "--json"),
]


@pytest.mark.parametrize("words", ANYWHERE, ids=" ".join)
def test_a_flag_may_stand_anywhere(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli(*words)
    assert (done.code, done.err) == (0, ""), done
    assert done.json is not None


def test_an_unknown_flag_is_named_wherever_it_stands(cli: Cli) -> None:
    for words in (("note", "--jsno", "finding", "hello"), ("note", "finding", "--jsno", "hello")):
        done = cli(*words)
        assert (done.code, "--jsno" in done.err) == (2, True), done
