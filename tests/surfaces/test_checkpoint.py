"""The checkpoint, the ratio and delta synthesis, as an agent and a client meet them (SPEC 8.3, 9)."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from perdure.actions import checkpoint as actions_checkpoint
from perdure.actions import decisions
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.model import payload as p
from perdure.model.moment import Stamp, moment_of
from tests.conftest import Cli, git
from tests.surfaces.test_hooks import Hooks

ROOT = "${PROJECT_ROOT}/"
LINES = [f"value_number_{n} = compute_something({n})" for n in range(1, 60)]


@pytest.fixture
def shop(cli: Cli) -> Cli:
    (cli.cwd / "cart.py").write_text("\n".join(LINES) + "\n")
    git(cli.cwd, cli.environment, "add", "-A")
    git(cli.cwd, cli.environment, "commit", "-qm", "c")
    return cli


def claim(cli: Cli, words: str, line: int = 1, **env: str) -> Any:
    place = f"{ROOT}cart.py:{line}"
    done = cli("claim", "add", words, "--cite", place, "--quote", LINES[line - 1], "--json", **env)
    assert done.code == 0, done
    return done.json


def fabricate(cli: Cli, words: str) -> None:
    done = cli("claim", "add", words, "--cite", f"{ROOT}cart.py:1", "--quote", "nobody ever wrote this line")
    assert done.code == 1


def decide(cli: Cli, words: str, *flags: str) -> str:
    found: str = cli.ok("decide", words, "--because", "it is so", *flags)["decision_id"]
    return found


def evidence(line: int) -> tuple[str, ...]:
    return ("--cite", f"{ROOT}cart.py:{line}", "--quote", LINES[line - 1])


def checkpoint(cli: Cli, code: int, *flags: str, **env: str) -> Any:
    done = cli("checkpoint", *(flags or ("--full",)), "--json", **env)
    assert done.code == code, (done.code, done.out, done.err)
    return done.json


def ratio(cli: Cli, **env: str) -> tuple[int, int]:
    """By the checkpoint, which opens the files, and by `status`, which does not."""
    done = cli("checkpoint", "--full", "--dry-run", "--json", **env)
    found = done.json["grounding"]
    return found["grounded"], found["total"]


def step(found: Any, number: int) -> Any:
    (one,) = [each for each in found["steps"] if each["number"] == number]
    return one


def statuses(found: Any) -> dict[int, str]:
    return {each["number"]: each["status"] for each in found["steps"]}


def kinds(cli: Cli, *wanted: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in cli("export").out.splitlines()]
    return [event for event in found if event["kind"] in wanted]


# -- the ratio -------------------------------------------------------------------------------------------------------


def test_nothing_claimed_has_no_ratio_and_passes(shop: Cli) -> None:
    found = checkpoint(shop, 0)
    assert (found["grounding"]["ratio"], found["outcome"]) == (None, "passed")
    assert step(found, 1)["figure"] == "nothing claimed or decided"
    assert shop.ok("status")["grounding"] == {"ratio": None, "grounded": 0, "total": 0}


def test_a_lazy_agent_that_claims_nothing_and_decides_much_does_not_pass(shop: Cli) -> None:
    for number in range(5):
        decide(shop, f"decision {number}")
    found = checkpoint(shop, 1)
    assert found["grounding"] == {"ratio": 0.0, "grounded": 0, "total": 5}
    assert (found["outcome"], statuses(found)[1], step(found, 1)["blocking"]) == ("refused", "FAIL", True)


def test_decisions_with_the_same_words_and_other_reasons_are_not_one(shop: Cli) -> None:
    (shop.cwd / "many.py").write_text("".join(f"value_number_{n} = {n} * 2\n" for n in range(20)))
    for n in range(20):
        place = ("--cite", f"{ROOT}many.py:{n + 1}", "--quote", f"value_number_{n} = {n} * 2")
        shop.ok("claim", "add", f"value {n} is doubled", *place)
    for n in range(3):
        shop.ok("decide", "see the reason", "--because", f"what is decided in truth, number {n}")
        shop.ok("decide", "see the key", "--key", f"key_{n}", "--value", "on")
    step = shop("checkpoint", "--full", "--dry-run", "--json").json["steps"][0]
    assert (step["status"], "20 of 26" in step["figure"]) == ("FAIL", True), step


def test_one_line_under_many_names_counts_once(shop: Cli) -> None:
    """Links and copies of a file are not more evidence."""
    claim(shop, "the first is true")
    decide(shop, "without evidence")
    (shop.cwd / "link.py").symlink_to("cart.py")
    (shop.cwd / "folder").symlink_to(".")
    (shop.cwd / "copy.py").write_bytes((shop.cwd / "cart.py").read_bytes())
    for path in ("link.py", "folder/cart.py", "copy.py"):
        shop.ok("claim", "add", f"said of {path}", "--cite", f"{ROOT}{path}:1", "--quote", LINES[0])
    assert ratio(shop) == (1, 2)
    decided = ("--because", "r", "--cite", f"{ROOT}copy.py:1", "--quote", LINES[0])
    shop.ok("decide", "of the copy", *decided)
    assert ratio(shop) == (1, 2)


def test_a_line_in_a_changed_copy_of_its_file_counts_once(shop: Cli) -> None:
    for line in (1, 2, 4):
        claim(shop, f"line {line} is true", line)
    decide(shop, "without evidence")
    text = (shop.cwd / "cart.py").read_text()
    (shop.cwd / "copy.py").write_text(f"# another file\n{text}# its end\n")
    for first, last in ((1, 2), (2, 3), (4, 4)):
        quote = "\n".join(LINES[first - 1 : last])
        place = f"{ROOT}copy.py:{first + 1}-{last + 1}"
        shop.ok("claim", "add", f"line {first} of the copy is true", "--cite", place, "--quote", quote)
    assert ratio(shop) == (3, 4)
    shop.ok("claim", "add", "it ends", "--cite", f"{ROOT}copy.py:61", "--quote", "# its end")
    assert ratio(shop) == (4, 5), "what only the copy says counts"


def test_no_attack_lifts_the_ratio(shop: Cli, subtests: pytest.Subtests) -> None:
    claim(shop, "the first is true")
    decide(shop, "without evidence")
    assert ratio(shop) == (1, 2)
    with subtests.test("duplicates, also with white space, case or punctuation, or another quote of the same line"):
        for words in ("the first is true", "The  first is TRUE!", "the first\nis true"):
            claim(shop, words)
        shop.ok("claim", "add", "the first is true", "--cite", f"{ROOT}cart.py:1", "--quote", "compute_something(1)")
        assert ratio(shop) == (1, 2)
    with subtests.test("bulk claims about the same line"):
        lines = [
            json.dumps({"claim": f"fact {n}", "path": f"{ROOT}cart.py", "line": 1, "quote": LINES[0]})
            for n in range(40)
        ]
        assert shop("claim", "add", "--stdin", input="\n".join(lines)).code == 0
        assert ratio(shop) == (1, 2)
    with subtests.test("malformed lines"):
        bad = ["{", "[]", '{"claim": "x", "class": "verified", "grounded": true}', '{"claim": 7}']
        assert shop("claim", "add", "--stdin", input="\n".join(bad)).code == 1
        assert ratio(shop) == (1, 2)
    with subtests.test("absences that anybody can make up"):
        for word in ("zebra", "quagga", "okapi"):
            shop.ok("claim", "absent", word, "--query", word, "--query", f"striped {word[::-1]}")
        assert ratio(shop) == (1, 2)
    with subtests.test("claims of another lineage"):
        claim(shop, "of the other pane", 7, PERDURE_INSTANCE="other")
        assert ratio(shop) == (1, 2)
        assert ratio(shop, PERDURE_INSTANCE="other") == (1, 1)
    with subtests.test("user input that nobody typed, and a refused claim"):
        assert shop("claim", "add", "they agreed", "--user-said", "yes, do all of it at once").code == 1
        fabricate(shop, "it is fabricated")
        assert ratio(shop) == (1, 4)
    with subtests.test("a check adds nothing"):
        shop("claim", "check")
        shop("claim", "check")
        assert ratio(shop) == (1, 4)
    with subtests.test("an assumption"):
        shop.ok("claim", "add", "maybe", "--assume")
        assert ratio(shop) == (1, 5)
    shown = shop.ok("status")["grounding"]
    assert (shown["grounded"], shown["total"]) == (1, 5)
    assert "1 of 5 grounded" in shop("status").out
    assert "1 of 5 grounded" in shop("claim", "list").out
    assert "1 of 5 grounded" in shop("claim", "check").out


def test_a_decision_that_is_superseded_lifts_nothing(shop: Cli) -> None:
    true = decide(shop, "use cents", *evidence(1))
    assert ratio(shop) == (1, 1)
    decide(shop, "use euros", "--supersedes", true)
    assert ratio(shop) == (0, 1), "what was superseded is grounded no longer"
    shed = [decide(shop, "one")]
    for number in range(4):
        shed.append(decide(shop, f"next {number}", "--supersedes", shed[-1]))
    assert ratio(shop) == (0, 6), "a chain of decisions without evidence is not shed by superseding"
    decide(shop, "at last", *evidence(2), "--supersedes", shed[-1])
    assert ratio(shop) == (1, 6)
    for number, each in enumerate(shed[:-1], 3):
        decide(shop, f"settled {number}", *evidence(number), "--supersedes", each)
    euros = [each["decision_id"] for each in shop.ok("decide", "--list") if each["decision"] == "use euros"]
    decide(shop, "use cents after all", *evidence(20), "--supersedes", euros[0])
    assert ratio(shop) == (6, 6), "and the advice works"


def test_a_claim_that_no_longer_holds_lowers_the_ratio_until_it_is_said_again(shop: Cli) -> None:
    claim(shop, "the first is true")
    text = (shop.cwd / "cart.py").read_text()
    (shop.cwd / "cart.py").write_text(text.replace(LINES[0], "value_number_1 = None"))
    assert ratio(shop) == (0, 1)
    shop.ok("claim", "add", "the first is true", "--cite", f"{ROOT}cart.py:1", "--quote", "value_number_1 = None")
    assert ratio(shop) == (1, 1)


def test_neither_midnight_nor_a_clock_that_is_set_back_moves_the_window(shop: Cli) -> None:
    def at(when: str) -> Request:
        return Request(str(shop.cwd), shop.environment, now=lambda: moment_of(Stamp(when)))

    def decided(when: str, words: str) -> None:
        with open_desk(at(when)) as desk:
            decisions.decide(desk, p.DecisionMade(words))

    def looked(when: str) -> tuple[str, int]:
        made = actions_checkpoint.run(at(when), "full")
        return made.outcome, made.ratio.total if made.ratio else -1

    assert looked("2026-05-01T23:59:59.999Z") == ("passed", 0)
    decided("2026-05-02T00:00:00.000Z", "after midnight")
    assert looked("2026-05-02T00:00:00.000Z") == ("refused", 1)
    decided("2020-01-01T00:00:00.000Z", "with a clock that was set back")
    assert looked("2026-05-03T00:00:00.000Z") == ("refused", 2)
    assert looked("2019-01-01T00:00:00.000Z") == ("refused", 2)


def test_a_passed_full_checkpoint_begins_the_next_window_and_no_other_does(shop: Cli) -> None:
    claim(shop, "true")
    checkpoint(shop, 0, "--full", "--dry-run")
    checkpoint(shop, 0, "--compact")
    assert ratio(shop) == (1, 1)
    checkpoint(shop, 0, PERDURE_INSTANCE="other")
    assert ratio(shop) == (1, 1), "another lineage's is not ours"
    checkpoint(shop, 0)
    assert ratio(shop) == (0, 0)
    decide(shop, "bare")
    checkpoint(shop, 1)
    assert ratio(shop) == (0, 1), "a refused one begins nothing"
    shop.ok("session", "end")
    assert ratio(shop) == (0, 1), "nor does the end of the session"
    shop.ok("session", "start")
    assert ratio(shop) == (0, 1)


# -- the steps -------------------------------------------------------------------------------------------------------


def test_the_seven_steps_and_the_three_of_the_compact_form(shop: Cli) -> None:
    assert list(statuses(checkpoint(shop, 0))) == [1, 2, 3, 4, 5, 6, 7]
    assert list(statuses(checkpoint(shop, 0, "--compact"))) == [3, 4, 7]
    assert shop("checkpoint").code == 2
    assert shop("checkpoint", "--full", "--compact").code == 2
    out = shop("checkpoint", "--full").out
    assert "PASS" in out
    assert "The checkpoint has passed." in out


def test_what_a_checkpoint_found_is_recorded_and_a_dry_run_records_nothing(shop: Cli) -> None:
    before = len(shop("export").out.splitlines())
    assert checkpoint(shop, 0, "--full", "--dry-run")["checkpoint_id"] is None
    assert len(shop("export").out.splitlines()) == before
    made = decide(shop, "with evidence", *evidence(3))
    found = checkpoint(shop, 0)
    passed, handoff = kinds(shop, "checkpoint.passed")[0], kinds(shop, "session.handoff")[0]
    assert passed["id"] == found["checkpoint_id"]
    assert (passed["payload"]["form"], passed["payload"]["grounded"], passed["payload"]["total"]) == ("full", 1, 1)
    assert handoff["payload"]["decisions"] == [made]
    decide(shop, "without")
    checkpoint(shop, 1)
    assert kinds(shop, "checkpoint.refused")[0]["payload"]["outcome"] == "refused"
    assert [each["payload"]["why"] for each in kinds(shop, "head.signed")] == ["checkpoint"]
    assert shop.ok("audit", "verify")["whole"] is True


def test_every_failed_step_says_what_to_do_and_doing_it_helps(shop: Cli) -> None:
    strict = {"PERDURE_CHECKPOINT_MODE": "strict"}
    (shop.cwd / "README.md").write_text("retry\n" * 3)
    git(shop.cwd, shop.environment, "add", "-A")
    shop("claim", "absent", "retries", "--query", "retry", "--query", "exponential backoff")
    bare = decide(shop, "bare")
    task = shop.ok("task", "create", "make it faster")["id"]
    shop.ok("task", "update", task, "--status", "in_progress")
    found = checkpoint(shop, 1, "--full", **strict)
    assert statuses(found) == {1: "FAIL", 2: "FAIL", 3: "FAIL", 4: "FAIL", 5: "PASS", 6: "PASS", 7: "FAIL"}
    for number in (1, 2, 3, 4, 7):
        assert "perdure " in step(found, number)["advice"], number
    assert bare[:8] in step(found, 3)["advice"]
    decide(shop, "now with evidence", *evidence(2), "--supersedes", bare)
    shop.ok("claim", "absent", "retries", "--query", "retry", "--query", "exponential backoff", "--in", "cart.py")
    shop.ok("task", "update", task, "--next-step", "measure it")
    for kind in ("happy_path", "edge_case", "error_handling"):
        shop.ok("task", "update", task, "--scenario", kind, kind, "works")
    assert set(statuses(checkpoint(shop, 0, "--full", **strict)).values()) == {"PASS"}


def advised(found: Any, number: int) -> list[str]:
    """The words of the command that a step advises, without its citation."""
    command = step(found, number)["advice"].partition("perdure decide ")[2].partition(" --cite ")[0]
    return ["decide", *shlex.split(command)]


@pytest.mark.parametrize("number", [1, 3])
def test_the_advised_command_keeps_the_key_so_that_a_contradiction_is_still_a_fork(shop: Cli, number: int) -> None:
    made = decide(shop, "use 'WAL' & more", "--key", "journal mode", "--value", "wal; x")
    words = advised(checkpoint(shop, 1, "--full", "--dry-run"), number)
    assert words[words.index("--supersedes") + 1] == made[:8]
    assert words[1:4] == ["use 'WAL' & more", "--because", "it is so"]
    shop.ok(*words, *evidence(2))
    assert set(statuses(checkpoint(shop, 0, "--full", "--dry-run")).values()) == {"PASS"}
    assert shop.ok("decide", "use delete", "--key", "journal mode", "--value", "delete")["fork"] is not None


def test_what_refuses_depends_on_the_mode_and_on_the_setting_of_scenarios(shop: Cli) -> None:
    task = shop.ok("task", "create", "make it faster")["id"]
    shop.ok("task", "update", task, "--status", "in_progress")
    found = checkpoint(shop, 0, "--compact")
    assert statuses(found) == {3: "PASS", 4: "FAIL", 7: "FAIL"}
    checkpoint(shop, 1, "--compact", PERDURE_CHECKPOINT_MODE="strict")
    checkpoint(shop, 1, "--compact", PERDURE_TASKS_SCENARIOS="block")
    shop.ok("task", "update", task, "--next-step", "measure it")
    assert statuses(checkpoint(shop, 0, "--compact", PERDURE_CHECKPOINT_MODE="strict"))[7] == "FAIL"
    off = checkpoint(shop, 0, "--compact", PERDURE_TASKS_SCENARIOS="off")
    assert statuses(off)[7] == "PASS"


def test_next_steps_of_somebody_else_are_not_this_lineages(shop: Cli) -> None:
    env = {"PERDURE_INSTANCE": "other"}
    task = shop("task", "create", "t", "--next-step", "theirs", "--json", **env).json["id"]
    shop.ok("task", "update", task, "--status", "in_progress")
    assert step(checkpoint(shop, 0, "--compact"), 4)["status"] == "FAIL"
    assert step(checkpoint(shop, 0, "--compact", **env), 4)["figure"] == "no task in progress here"


def test_a_repository_may_make_the_checkpoint_strict_but_not_loosen_it(shop: Cli) -> None:
    settings = shop.cwd / ".perdure" / "config.toml"
    settings.write_text('[checkpoint]\nmode = "strict"\n')
    assert checkpoint(shop, 0)["mode"] == "strict"
    settings.write_text('[checkpoint]\nmode = "warn"\n')
    shop.ok("config", "set", "checkpoint.mode", "strict", "--user")
    assert checkpoint(shop, 0)["mode"] == "strict"


@pytest.mark.parametrize("text", ['[checkpoint\nmode = "strict"\n', '[checkpoint]\nmode = "strictt"\n', "\x00"])
@pytest.mark.parametrize("whose", ["project", "person"])
def test_a_settings_file_that_cannot_be_read_lets_no_failed_step_pass(shop: Cli, whose: str, text: str) -> None:
    """It may have said strict: a merge left its marks in it, for example."""
    home = Path(shop.environment["PERDURE_HOME"])
    settings = home / "config.toml" if whose == "person" else shop.cwd / ".perdure" / "config.toml"
    settings.write_text(text)
    checkpoint(shop, 0, "--compact")
    made = decide(shop, "bare")
    found = checkpoint(shop, 3, "--compact")
    assert (found["outcome"], step(found, 3)["status"]) == ("undecided", "FAIL")
    assert str(settings) in found["warnings"][0]
    checkpoint(shop, 1, "--compact", PERDURE_CHECKPOINT_MODE="strict")
    checkpoint(shop, 0, "--compact", PERDURE_CHECKPOINT_MODE="warn")
    decide(shop, "with evidence", *evidence(4), "--supersedes", made)
    assert checkpoint(shop, 0, "--compact")["warnings"] == []
    decide(shop, "bare again")
    settings.unlink()
    checkpoint(shop, 0, "--compact")


@pytest.mark.parametrize("command", ["perdure checkpoint --full", "perdure checkpoint --compact --dry-run --json"])
def test_the_gate_never_blocks_a_checkpoint(shop: Cli, command: str) -> None:
    assert shop("gate", "explain", "--json", command).json["verdict"] == "pass"


# -- faults: never a pass --------------------------------------------------------------------------------------------


def with_git(shop: Cli, tmp_path: Path, script: str) -> dict[str, str]:
    folder = tmp_path / "fake"
    folder.mkdir(exist_ok=True)
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{folder}{os.pathsep}{shop.environment['PATH']}"}


@pytest.mark.parametrize("script", ["exit 128", "exec sleep 30", "kill -9 $$"])
def test_git_that_fails_hangs_or_dies_is_an_error_and_no_pass(shop: Cli, tmp_path: Path, script: str) -> None:
    claim(shop, "true")
    shop.ok("claim", "absent", "zebra", "--query", "zebra", "--query", "striped horse")
    env = with_git(shop, tmp_path, script)
    begun = time.monotonic()
    found = checkpoint(shop, 3, **env)
    assert time.monotonic() - begun < 25
    assert (statuses(found)[1], statuses(found)[2], found["outcome"]) == ("ERROR", "ERROR", "undecided")
    assert "git status" in step(found, 1)["advice"]
    found = checkpoint(shop, 1, "--full", PERDURE_CHECKPOINT_MODE="strict", **env)
    assert (statuses(found)[1], found["outcome"]) == ("ERROR", "refused")
    assert ratio(shop) == (1, 1), "the window goes on"


@pytest.mark.parametrize("question", ["diff-tree", "ls-files"])
@pytest.mark.parametrize("script", ["exit 128", "kill -9 $$"])
def test_git_that_cannot_tell_renames_is_an_error_and_no_missing_file(
    shop: Cli, tmp_path: Path, question: str, script: str
) -> None:
    claim(shop, "true")
    os.unlink(shop.cwd / "cart.py")
    real = shutil.which("git", path=shop.environment["PATH"])
    env = with_git(shop, tmp_path, f'case " $* " in *" {question} "*) {script};; esac\nexec {real} "$@"')
    found = checkpoint(shop, 3, **env)
    assert (statuses(found)[1], found["outcome"]) == ("ERROR", "undecided")
    assert "renamed" in step(found, 1)["advice"]
    assert statuses(checkpoint(shop, 1))[1] == "FAIL", "with git: it is gone"


def test_a_broken_repository_is_an_error_and_no_pass(shop: Cli) -> None:
    claim(shop, "true")
    os.unlink(shop.cwd / ".git" / "HEAD")
    assert statuses(checkpoint(shop, 3))[1] == "ERROR"


def test_a_cited_file_that_cannot_be_opened_is_an_error_and_one_that_is_gone_fails(shop: Cli) -> None:
    claim(shop, "true")
    os.unlink(shop.cwd / "cart.py")
    assert statuses(checkpoint(shop, 1))[1] == "FAIL"
    os.symlink("/etc/hostname", shop.cwd / "cart.py")
    assert statuses(checkpoint(shop, 3))[1] == "ERROR"
    os.unlink(shop.cwd / "cart.py")
    with open(shop.cwd / "cart.py", "wb") as file:
        file.truncate(17 << 20)
    assert statuses(checkpoint(shop, 3))[1] == "ERROR"


@pytest.mark.parametrize("damage", ["garbled", "cut", "empty", "gone", "a folder"])
def test_a_ledger_that_cannot_be_read_is_an_error_of_every_step(shop: Cli, damage: str) -> None:
    claim(shop, "true")
    ledger = shop.cwd / ".perdure" / "ledger.db"
    for beside in ("-wal", "-shm"):
        Path(f"{ledger}{beside}").unlink(missing_ok=True)
    content = ledger.read_bytes()
    ledger.unlink()
    if damage == "a folder":
        ledger.mkdir()
    elif damage != "gone":
        ledger.write_bytes({"garbled": b"\0" * len(content), "cut": content[: len(content) // 2], "empty": b""}[damage])
    for flags in (("--full",), ("--compact",), ("--full", "--dry-run")):
        done = shop("checkpoint", *flags, "--json")
        assert done.code == 3, (damage, done)
        assert {each["status"] for each in done.json["steps"]} == {"ERROR"}
        assert "perdure heal" in done.json["steps"][0]["advice"]


def test_a_ledger_that_cannot_be_written_is_an_error(shop: Cli) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    claim(shop, "true")
    os.chmod(shop.cwd / ".perdure", 0o500)
    try:
        assert set(statuses(checkpoint(shop, 3)).values()) == {"ERROR"}
    finally:
        os.chmod(shop.cwd / ".perdure", 0o700)


# -- several at once, and killed -------------------------------------------------------------------------------------


def test_two_checkpoints_at_once_both_answer_and_lose_nothing(shop: Cli) -> None:
    for number in range(1, 6):
        claim(shop, f"fact {number}", number)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shop("checkpoint", "--full", "--json"), range(4)))
    assert {each.code for each in found} == {0}
    assert len(kinds(shop, "checkpoint.passed")) == 4
    assert ratio(shop) == (0, 0)
    assert shop.ok("audit", "verify")["whole"] is True


def test_a_decision_made_while_a_checkpoint_looks_belongs_to_the_next_window(shop: Cli) -> None:
    for number in range(1, 40):
        claim(shop, f"fact {number}", number)
    with ThreadPoolExecutor(4) as pool:
        looks = [pool.submit(shop, "checkpoint", "--full", "--json") for _ in range(3)]
        made = pool.submit(shop, "decide", "bare", "--because", "x", "--json")
        codes = [each.result().code for each in looks]
        assert made.result().code == 0
    passed = kinds(shop, "checkpoint.passed")
    (decision,) = kinds(shop, "decision.made")
    covered = any(each["payload"]["until"] >= decision["seq"] for each in passed)
    seen = covered or ratio(shop)[1] >= 1
    assert seen, "no checkpoint stepped over it"
    assert set(codes) <= {0, 1}


def test_a_checkpoint_that_is_killed_records_all_or_nothing(shop: Cli) -> None:
    for number in range(1, 20):
        claim(shop, f"fact {number}", number)
    text = (shop.cwd / "cart.py").read_text()
    (shop.cwd / "cart.py").write_text(text.replace(LINES[0], "gone"))
    command = [sys.executable, "-m", "perdure", "checkpoint", "--full", "--json"]
    env = {**shop.environment, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    for wait in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4):
        process = subprocess.Popen(command, cwd=shop.cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    handoffs, runs = kinds(shop, "session.handoff"), kinds(shop, "checkpoint.passed", "checkpoint.refused")
    assert len(handoffs) == len(runs)
    assert [each["seq"] + 1 for each in handoffs] == [each["seq"] for each in runs]
    assert len(kinds(shop, "claim.refuted")) <= 1, "a change is recorded once"
    assert shop.ok("audit", "verify")["whole"] is True
    checkpoint(shop, 1)


# -- claims that are checked: calibration and CHECK (SPEC 4.3, 4.7) --------------------------------------------------

SURE = ("--know", "0.9", "--uncertainty", "0.1", "--because", "read it")


def change_first_line(shop: Cli, to: str) -> None:
    lines = (shop.cwd / "cart.py").read_text().splitlines()
    (shop.cwd / "cart.py").write_text("\n".join([to, *lines[1:]]) + "\n")


def test_a_check_records_a_change_once_and_nothing_else(shop: Cli) -> None:
    made = claim(shop, "true")
    assert [each["payload"]["claim"] for each in kinds(shop, "claim.verified")] == [made["claim_id"]]
    shop("claim", "check")
    change_first_line(shop, "other")
    for _ in range(3):
        assert shop("claim", "check").code == 1
    assert [each["payload"]["outcome"] for each in kinds(shop, "claim.refuted")] == ["changed"]
    change_first_line(shop, LINES[0])
    for _ in range(3):
        assert shop("claim", "check").code == 0
    (shop.cwd / "cart.py").write_text("\n" + (shop.cwd / "cart.py").read_text())
    assert shop("claim", "check").code == 0
    found = [(each["kind"], each["payload"]["outcome"]) for each in kinds(shop, "claim.verified", "claim.refuted")]
    assert found == [("claim.verified", "verified"), ("claim.refuted", "changed"), ("claim.verified", "verified")]
    words = json.dumps(kinds(shop, "claim.verified", "claim.refuted"))
    assert "true" not in words, "the words stay in one event, which can be erased"


def test_calibration_takes_claims_as_evidence_and_each_line_once(shop: Cli) -> None:
    shop.ok("preflight", *SURE)
    for number in range(10):
        claim(shop, f"the same line {number}", 1)
    claim(shop, "another line", 2)
    fabricate(shop, "invented")
    fabricate(shop, "invented too")
    closed = shop.ok("postflight", *SURE)
    assert closed["calibration"]["know"]["evidence"] == 0.5
    assert "know" in shop("calibration").out


def test_a_verified_claim_is_something_learned(shop: Cli) -> None:
    low = ("--know", "0.3", "--uncertainty", "0.8", "--because", "new here")
    shop.ok("preflight", *low)
    assert shop("check", *SURE, "--json").json["decision"] == "investigate"
    fabricate(shop, "invented")
    assert shop("check", *SURE, "--json").json["decision"] == "investigate", "a refused one teaches nothing"
    claim(shop, "true")
    assert shop("check", *SURE, "--json").json["decision"] == "proceed"


def test_a_check_sees_claims_that_the_code_contradicts(shop: Cli) -> None:
    shop.ok("preflight", *SURE)
    made = claim(shop, "true")
    assert shop("check", *SURE, "--json").json["decision"] == "proceed"
    change_first_line(shop, "something_else_entirely = 1")
    found = shop("check", *SURE, "--json").json
    assert (found["decision"], [each["vector"] for each in found["failed"]]) == ("investigate", ["claims"])
    assert f"perdure claim check {made['claim_id'][:8]}" in found["failed"][0]["advice"]
    claim_again = ("--cite", f"{ROOT}cart.py:1", "--quote", "something_else_entirely = 1")
    shop.ok("claim", "add", "true", *claim_again)
    assert shop("check", *SURE, "--json").json["decision"] == "proceed"


def test_claims_of_another_pane_do_not_shut_this_ones_gate(shop: Cli) -> None:
    shop.ok("preflight", *SURE)
    claim(shop, "theirs", PERDURE_INSTANCE="other")
    change_first_line(shop, "other")
    assert shop("check", *SURE, "--json").json["decision"] == "proceed"


# -- clients: compaction, clear, delta synthesis (SPEC 9.2, 9.3) -----------------------------------------------------


@pytest.fixture
def hooks(shop: Cli) -> Hooks:
    return Hooks(shop)


def compacts(hooks: Hooks, trigger: str, **env: str) -> Any:
    done = hooks("PreCompact", trigger=trigger, custom_instructions="", env=env)
    assert done.code == 0, done
    return json.loads(done.out) if done.out.startswith("{") else {}  # else it is text for the summariser


def test_strict_holds_back_a_manual_compaction_and_never_an_automatic_one(hooks: Hooks) -> None:
    strict = {"PERDURE_CHECKPOINT_MODE": "strict"}
    hooks("SessionStart", source="startup")
    bare = decide(hooks.cli, "bare")
    assert compacts(hooks, "manual") == {}
    assert compacts(hooks, "auto", **strict) == {}
    held = compacts(hooks, "manual", **strict)
    assert held["decision"] == "block"
    assert bare[:8] in held["reason"]
    assert "Start the client without it, or with PERDURE_CHECKPOINT_MODE=warn" in held["reason"]
    assert "config set" not in held["reason"], "a variable outranks what config set writes"
    decide(hooks.cli, "with evidence", *evidence(3), "--supersedes", bare)
    assert compacts(hooks, "manual", **strict) == {}
    decide(hooks.cli, "bare again")
    home = Path(hooks.cli.environment["PERDURE_HOME"])
    (home / "config.toml").write_text('[checkpoint]\nmode = "strict"\n')
    assert compacts(hooks, "manual")["decision"] == "block"


def test_a_damaged_ledger_holds_a_manual_compaction_back_only_in_strict_mode(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    (hooks.cli.cwd / ".perdure" / "ledger.db").write_bytes(b"")
    assert compacts(hooks, "manual") == {}
    held = compacts(hooks, "manual", PERDURE_CHECKPOINT_MODE="strict")
    assert held["decision"] == "block"
    assert "perdure heal" in held["reason"]
    assert compacts(hooks, "auto", PERDURE_CHECKPOINT_MODE="strict") == {}


@pytest.mark.parametrize("scope", [(), ("--user",)])
def test_the_advice_lifts_strict_wherever_a_file_sets_it(hooks: Hooks, scope: tuple[str, ...]) -> None:
    hooks("SessionStart", source="startup")
    decide(hooks.cli, "bare")
    hooks.cli.of_a_person().ok("config", "set", "checkpoint.mode", "strict", *scope)
    reason = compacts(hooks, "manual")["reason"]
    hooks.cli.of_a_person().ok(*reason.partition("lift this: perdure ")[2].split())
    assert compacts(hooks, "manual") == {}


def test_the_advice_names_the_persons_client_settings_that_set_strict(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    decide(hooks.cli, "bare")
    path = Path(hooks.cli.environment["HOME"]) / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"env": {"PERDURE_CHECKPOINT_MODE": "strict"}}))
    reason = compacts(hooks, "manual", PERDURE_CHECKPOINT_MODE="strict")["reason"]
    assert f"PERDURE_CHECKPOINT_MODE is in the env of {path}; remove it there." in reason


@pytest.mark.parametrize("source", ["resume", "compact", "clear"])
def test_strict_still_holds_what_was_decided_before_the_session_was_resumed(hooks: Hooks, source: str) -> None:
    hooks("SessionStart", source="startup")
    bare = decide(hooks.cli, "bare")
    hooks("SessionEnd", reason="other")
    hooks("SessionStart", source=source)
    assert bare[:8] in compacts(hooks, "manual", PERDURE_CHECKPOINT_MODE="strict")["reason"]
    decide(hooks.cli, "bare", *evidence(3), "--supersedes", bare)
    assert compacts(hooks, "manual", PERDURE_CHECKPOINT_MODE="strict") == {}


def lose_home(hooks: Hooks) -> None:
    Path(hooks.cli.environment["PERDURE_HOME"]).rename(hooks.cli.cwd.parent / "old home")


def lose_record(hooks: Hooks) -> None:
    (hooks.cli.cwd / ".perdure").rename(hooks.cli.cwd.parent / "old record")


def change_project_id(hooks: Hooks) -> None:
    path = hooks.cli.cwd / ".perdure" / "project.toml"
    path.write_text(path.read_text().replace('id = "', 'id = "00000000-0000-5000-8000-000000000000"  # '))


@pytest.mark.parametrize("damage", [lose_home, change_project_id])
def test_whatever_fails_holds_a_manual_compaction_back_in_strict_mode_and_the_advice_lifts_it(
    hooks: Hooks, damage: Callable[[Hooks], None]
) -> None:
    hooks("SessionStart", source="startup")
    hooks.cli.of_a_person().ok("config", "set", "checkpoint.mode", "strict")
    damage(hooks)
    held = compacts(hooks, "manual")
    assert held["decision"] == "block"
    assert compacts(hooks, "auto") == {}
    assert hooks.cli.of_a_person()(*held["reason"].partition("lift this: perdure ")[2].split()).code == 0, held
    assert compacts(hooks, "manual") == {}


@pytest.mark.parametrize(
    "wrong",
    [{"PERDURE_GATE_KNOW": "much"}, {"PERDURE_CHECKPOINT_MODE": "strct"}, {"PERDURE_HOME": "no/path"}],
    ids=lambda each: next(iter(each)),
)
def test_a_wrong_variable_does_not_loosen_strict_and_holds_nothing_where_nobody_set_it(
    hooks: Hooks, wrong: dict[str, str]
) -> None:
    hooks("SessionStart", source="startup")
    decide(hooks.cli, "bare")
    done = hooks("PreCompact", trigger="manual", custom_instructions="", env=wrong)
    assert done.out == ""
    hooks.cli.of_a_person().ok("config", "set", "checkpoint.mode", "strict")
    held = compacts(hooks, "manual", **wrong)
    assert held["decision"] == "block"
    assert "perdure config set checkpoint.mode warn" in held["reason"]


def test_a_record_that_is_gone_holds_only_where_the_person_set_strict(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    lose_record(hooks)
    assert compacts(hooks, "manual") == {}
    held = compacts(hooks, "manual", PERDURE_CHECKPOINT_MODE="strict")
    assert held["decision"] == "block"


def test_after_a_clear_the_next_session_is_told_what_was_not_written_down(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    decide(hooks.cli, "bare")
    claim(hooks.cli, "true")
    task = hooks.cli.ok("task", "create", "make it faster")["id"]
    hooks.cli.ok("task", "update", task, "--status", "in_progress")
    told = hooks.told("SessionStart", source="clear")
    assert "cleared before this was written down: evidence for 1 of 2 claims and decisions; the next steps of" in told
    assert "perdure checkpoint --full --dry-run" in told
    hooks.cli.ok("task", "update", task, "--next-step", "measure")
    made = next(each["decision_id"] for each in hooks.cli.ok("decide", "--list"))
    decide(hooks.cli, "with evidence", *evidence(4), "--supersedes", made)
    checkpoint(hooks.cli, 0)
    assert "cleared before this" not in hooks.told("SessionStart", source="clear")
    assert "cleared before this" not in hooks.told("SessionStart", source="compact")


def window(tokens: int) -> dict[str, Any]:
    return {"context_window_size": 200_000, "used_percentage": 100 * tokens / 200_000}


def deltas(hooks: Hooks) -> list[tuple[int, int]]:
    return [
        (each["payload"]["tokens"], each["payload"]["decisions_persisted"]) for each in kinds(hooks.cli, "delta.synced")
    ]


def test_after_so_many_tokens_what_was_written_is_synced_and_the_agent_reminded_once(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("statusLine", context_window=window(4000))
    assert hooks.told("UserPromptSubmit", prompt="first") == ""
    assert deltas(hooks) == []
    decide(hooks.cli, "one")
    hooks.cli.ok("note", "next", "two")
    hooks("statusLine", context_window=window(6000))
    told = hooks.told("UserPromptSubmit", prompt="second")
    assert "6,000 tokens" in told
    assert "perdure decide" in told
    hooks("statusLine", context_window=window(10_000))
    assert hooks.told("UserPromptSubmit", prompt="third") == ""
    assert deltas(hooks) == [(6000, 1)], "not before as many tokens came again"
    hooks("statusLine", context_window=window(12_000))
    assert hooks.told("UserPromptSubmit", prompt="fourth") == "", "reminded once"
    assert deltas(hooks) == [(6000, 1), (6000, 0)]
    (first, _) = kinds(hooks.cli, "delta.synced")
    assert (first["payload"]["notes_updated"], first["payload"]["bead_updated"]) == (True, False)


def test_the_end_of_a_turn_syncs_too_and_the_reminder_comes_with_the_next_prompt(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("statusLine", context_window=window(7000))
    done = hooks("Stop", stop_hook_active=False)
    assert (done.code, done.out) == (0, "")
    assert deltas(hooks) == [(7000, 0)]
    hooks("Stop", stop_hook_active=False)
    assert len(deltas(hooks)) == 1
    assert "7,000 tokens" in hooks.told("UserPromptSubmit", prompt="go on")
    assert hooks.told("UserPromptSubmit", prompt="go on") == ""


def test_a_tool_call_syncs_nothing_and_a_checkpoint_counts_as_a_synthesis(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("statusLine", context_window=window(9000))
    hooks("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    hooks("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "x"})
    assert deltas(hooks) == []
    checkpoint(hooks.cli, 0)
    assert kinds(hooks.cli, "checkpoint.passed")[0]["payload"]["context_tokens"] == 9000
    hooks("Stop")
    assert deltas(hooks) == []
    hooks("statusLine", context_window=window(15_000))
    hooks("Stop", env={"PERDURE_CHECKPOINT_YELLOW": "50000"})
    assert deltas(hooks) == []
    hooks("Stop")
    assert deltas(hooks) == [(6000, 0)]


def test_after_a_compaction_tokens_are_counted_anew(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    hooks("statusLine", context_window=window(50_000))
    hooks("Stop")
    hooks("SessionStart", source="compact")
    hooks("Stop")
    hooks("statusLine", context_window=window(8000))
    hooks("Stop")
    assert [tokens for tokens, _ in deltas(hooks)] == [50_000, 8000]


def test_the_reminder_has_the_clients_own_count_and_says_where_it_is_rounded(hooks: Hooks) -> None:
    used = {"input_tokens": 10, "cache_creation_input_tokens": 990, "cache_read_input_tokens": 8123, "output_tokens": 5}
    figures = {"context_window_size": 200_000, "used_percentage": 4}
    hooks("SessionStart", source="startup")
    hooks("statusLine", context_window={**figures, "current_usage": used})
    assert "the context holds 9,123 tokens" in hooks.told("UserPromptSubmit", prompt="go")
    assert deltas(hooks) == [(9123, 0)]
    for usage in (None, {}, {"input_tokens": "many"}, {"input_tokens": -1}):
        hooks("SessionStart", source="startup")
        hooks("statusLine", context_window={**figures, "current_usage": usage})
        assert "the context holds about 8,000 tokens" in hooks.told("UserPromptSubmit", prompt="go"), usage


def test_without_figures_nothing_is_synced(hooks: Hooks) -> None:
    hooks("SessionStart", source="startup")
    assert hooks.told("UserPromptSubmit", prompt="go") == ""
    hooks("Stop")
    assert deltas(hooks) == []
