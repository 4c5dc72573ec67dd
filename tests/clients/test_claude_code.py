"""Perdure in the real Claude Code, offline (SPEC 5, 6). Each claim stands beside a control without Perdure that shows
the opposite."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from perdure.model.value import value
from perdure.rehearsal.claude_code import Played
from perdure.rehearsal.messages import MAIN, ScriptedCall, ScriptedModel, Turn, call, say

from ..conftest import Cli, git, new_repository
from .conftest import OLDEST, PINNED, WITHOUT_SERVERS, Stage, stage_for_several
from .guarded import ALLOWED, POSTFLIGHT, PREFLIGHT, Guarded, bash, install_from_a_copy

LOOKS_AND_CHANGES = [
    bash("touch here"),
    call("Write", file_path="PROJECT/written.txt", content="x"),
    call("Read", file_path="PROJECT/readme.txt"),
    bash("ls"),
    bash("echo id=$PERDURE_CLIENT_SESSION"),
    bash("perdure where --explain"),
    say("done"),
]


def placed(script: list[Turn], project: Path) -> list[Turn]:
    """The script with the project's own path in it."""
    return [
        Turn(
            text=turn.text,
            calls=tuple(
                type(made)(
                    made.name,
                    {
                        name: given.replace("PROJECT", str(project)) if isinstance(given, str) else given
                        for name, given in made.input.items()
                    },
                    made.id,
                )
                for made in turn.calls
            ),
            input_tokens=turn.input_tokens,
            held=turn.held,
        )
        for turn in script
    ]


@pytest.fixture
def guarded(claude: Stage, environment: dict[str, str]) -> Guarded:
    return Guarded(claude, environment)


@pytest.fixture
def any_guarded(any_claude: Stage, environment: dict[str, str]) -> Guarded:
    return Guarded(any_claude, environment)


# -- one session, in which the model looks and tries to change things ----------------------------------------------


@value
class Session:
    guarded: Guarded
    model: ScriptedModel
    played: Played


@pytest.fixture(scope="module", params=[PINNED, OLDEST])
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Played once for the tests below, which only look at how it went."""
    with stage_for_several(request.param, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        model = stage.script(placed(LOOKS_AND_CHANGES, stage.project))
        yield Session(guarded, model, stage.run("go", *ALLOWED))


def test_without_perdure_everything_happens(any_claude: Stage) -> None:
    """The control of the tests below."""
    model = any_claude.script(placed(LOOKS_AND_CHANGES, any_claude.project))
    any_claude.run("go", *ALLOWED)
    assert (any_claude.project / "here").exists()
    assert (any_claude.project / "written.txt").exists()
    assert "Perdure:" not in model.turns[0].text


def test_what_may_write_is_denied_with_a_reason_that_reaches_the_model_and_what_looks_passes(session: Session) -> None:
    assert session.played.code == 0
    assert not session.guarded.made("here")
    assert not session.guarded.made("written.txt")
    results = session.model.turns[-1].results
    for denied in ("toolu_1_0", "toolu_2_0"):
        assert "Perdure: denied. This changes things, or may" in results[denied]
        assert "To clear it: perdure preflight --know" in results[denied]
    assert "readme.txt" in results["toolu_4_0"]
    assert session.model.troubles == [], "nothing wanted to leave the machine"


def test_readers_are_not_hooked_at_all(session: Session) -> None:
    assert "shop" in session.model.turns[-1].results["toolu_3_0"], "it was read"
    asked = [run.name for run in session.played.hooks("PreToolUse")]
    assert asked == ["PreToolUse:Bash", "PreToolUse:Write", *["PreToolUse:Bash"] * 3]


def test_the_session_start_text_stands_in_the_request(session: Session) -> None:
    assert f"Perdure: project shop ({session.guarded.project}" in session.model.turns[0].text


def test_the_clients_shell_knows_its_place(session: Session) -> None:
    results = session.model.turns[-1].results
    assert f"id={session.played.session}" in results["toolu_5_0"]
    assert "exported by the client above" in results["toolu_6_0"]


# -- the gate ------------------------------------------------------------------------------------------------------


def test_a_transaction_opened_by_the_model_lets_it_work_and_closed_stops_it_again(any_guarded: Guarded) -> None:
    project = any_guarded.project
    assessment = '{"vectors": {"know": 0.8, "uncertainty": 0.2}, "reasoning": "read it"}'
    script = [
        bash(f"perdure preflight - <<'EOF'\n{assessment}\nEOF"),
        call("Read", file_path="PROJECT/readme.txt"),
        call("Edit", file_path="PROJECT/readme.txt", old_string="shop", new_string="SHOP"),
        bash("touch here"),
        bash(POSTFLIGHT),
        bash("touch there"),
        say("done"),
    ]
    model = any_guarded.stage.script(placed(script, project))
    any_guarded.stage.run("make it loud", *ALLOWED)
    assert (project / "readme.txt").read_text() == "SHOP\n", model.turns[-1].results
    assert any_guarded.made("here")
    assert not any_guarded.made("there")
    assert "You have no open transaction" in model.turns[-1].results["toolu_6_0"]
    kinds = [event["kind"] for event in any_guarded.events("transaction.opened", "edit.made", "transaction.closed")]
    assert kinds == ["transaction.opened", "edit.made", "transaction.closed"]
    ran = [event["payload"]["command"] for event in any_guarded.events("command.run")]
    assert "touch here" in ran
    assert "touch there" not in ran
    assert [event["payload"]["text"] for event in any_guarded.events("prompt.given")] == ["make it loud"]


def test_the_persons_own_rules_decide_with_a_transaction_open(guarded: Guarded) -> None:
    allowed = ["Bash(perdure *)", "Bash(touch denied)", "Bash(touch allowed)"]
    settings = guarded.stage.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"permissions": {"allow": allowed, "deny": ["Bash(touch denied)"]}}))
    commands = ("touch denied", "touch unnamed", "touch allowed")
    model = guarded.stage.script([bash(PREFLIGHT), *map(bash, commands), say("done")])
    guarded.stage.run("go")
    assert not guarded.made("denied"), "a deny rule of the person's still denies"
    assert not guarded.made("unnamed"), "a missing allow is still asked for"
    assert guarded.made("allowed"), ("the control: allowed by the person", model.turns[-1].results)


# -- broken --------------------------------------------------------------------------------------------------------


@contextmanager
def whole(package: Path, project: Path) -> Iterator[None]:
    """The control: nothing is broken."""
    yield


@contextmanager
def gone(package: Path, project: Path) -> Iterator[None]:
    away = package.rename(package.with_name("away"))  # at once: a hook may still be loading it
    yield
    away.rename(package)


@contextmanager
def script_gone(package: Path, project: Path) -> Iterator[None]:
    with _changed(_guard_of(package)) as guard:
        guard.unlink()
        yield


@contextmanager
def ledger_corrupt(package: Path, project: Path) -> Iterator[None]:
    with _changed(project / ".perdure" / "ledger.db") as ledger:
        ledger.write_bytes(b"garbage" * 4096)
        yield


@contextmanager
def interpreter_gone(package: Path, project: Path) -> Iterator[None]:
    with _changed_registration(project, command="/nowhere/python3"):
        yield


@contextmanager
def too_slow(package: Path, project: Path) -> Iterator[None]:
    with _changed(_guard_of(package)) as guard, _changed_registration(project, timeout=1):
        guard.write_text(guard.read_text() + "\nimport time\n\ntime.sleep(30)\n")
        yield


def _guard_of(package: Path) -> Path:
    return package / "surfaces" / "hooks" / "guard.py"


@contextmanager
def _changed(path: Path) -> Iterator[Path]:
    """A file that is as it was again afterwards."""
    before = path.read_bytes()
    yield path
    path.write_bytes(before)


@contextmanager
def _changed_registration(project: Path, **changed: str | int) -> Iterator[None]:
    """The guard in the client's settings, which it reads when it starts."""
    with _changed(project / ".claude" / "settings.local.json") as settings:
        content = json.loads(settings.read_text())
        content["hooks"]["PreToolUse"][0]["hooks"][0].update(changed)
        settings.write_text(json.dumps(content))
        yield


Breaks = Callable[[Path, Path], AbstractContextManager[None]]
BROKEN_AT_START: list[Breaks] = [interpreter_gone, too_slow]
BROKEN_WHILE_IT_RUNS: list[Breaks] = [whole, gone, script_gone, ledger_corrupt]


def touching(breaks: Breaks, held: threading.Event | None = None) -> Turn:
    name = breaks.__name__
    return Turn(calls=(ScriptedCall("Bash", {"command": f"touch {name}"}, f"toolu_{name}"),), held=held)


def let_through(
    stage: Stage, environment: dict[str, str], folder: Path, at_start: Sequence[Breaks] = BROKEN_AT_START
) -> set[str]:
    """With which guards a command still runs. One session tries it with all of them, one after the other, each whole
    again before the next breaks. Its transaction is open, so that only what is broken can stop it. The session is
    resumed for what the client has to be started anew to notice."""
    package = install_from_a_copy(stage, environment, folder)
    held = {breaks: threading.Event() for breaks in BROKEN_WHILE_IT_RUNS}
    opened = Turn(calls=(ScriptedCall("Bash", {"command": PREFLIGHT}, "toolu_opened"),))
    model = stage.script([opened, *(touching(*each) for each in held.items()), say("done")])
    with stage.start("go", *ALLOWED) as running:
        for number, (breaks, go_on) in enumerate(held.items(), 2):
            assert model.wait_until(lambda m, number=number: len(m.turns) == number), "it was not asked in time"
            with breaks(package, stage.project):
                go_on.set()
                assert model.wait_until(lambda m, number=number: len(m.turns) == number + 1), "no answer in time"
        played = running.finish()
        assert played.code == 0
    results = dict(model.turns[-1].results)
    for breaks in at_start:
        model = stage.script([touching(breaks), say("done")])
        with breaks(package, stage.project):
            assert stage.run("go on", "--resume", played.session, *ALLOWED).code == 0
        results |= model.turns[-1].results
    every = {breaks.__name__ for breaks in (*at_start, *BROKEN_WHILE_IT_RUNS)}
    happened = {name for name in every if (stage.project / name).exists()}
    for name in every - happened:
        result = results[f"toolu_{name}"]
        assert "Perdure" in result or "blocking because onFailure" in result, (name, result)
    return happened


def test_a_guard_that_is_broken_lets_nothing_through(
    claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    assert let_through(claude, environment, tmp_path / "installed") == {"whole"}


def test_in_the_oldest_client_what_still_starts_still_denies(
    oldest_claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    assert let_through(oldest_claude, environment, tmp_path / "installed", ()) == {"whole"}


@pytest.mark.long
def test_in_the_oldest_client_what_does_not_start_or_is_too_slow_is_beyond_us(
    oldest_claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    """It ignores `onFailure`, which tests/clients/test_rehearsal.py shows without Perdure; `doctor` says so."""
    beyond = {"interpreter_gone", "too_slow"}
    assert let_through(oldest_claude, environment, tmp_path / "installed") == {"whole", *beyond}


# -- subagents -----------------------------------------------------------------------------------------------------


SUBAGENT = {"description": "look", "prompt": "count the files", "subagent_type": "general-purpose"}


@pytest.fixture(scope="module")
def with_subagents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Two subagents of one session: the first without a transaction of its parent's, the second with one."""
    scripts = {
        MAIN: [
            call("Agent", **{**SUBAGENT, "prompt": "count too early"}),
            bash(PREFLIGHT),
            call("Agent", **SUBAGENT),
            bash("touch after"),
            bash(POSTFLIGHT),
            say("done"),
        ],
        "count too early": [bash("touch too-early"), say("could not")],
        "count the files": [bash("touch by-subagent"), bash(POSTFLIGHT), bash(PREFLIGHT), say("counted")],
    }
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        model = stage.script(scripts)
        yield Session(guarded, model, stage.run("go", *ALLOWED))


def test_a_subagent_works_under_its_parents_transaction_and_cannot_close_it(with_subagents: Session) -> None:
    guarded, model = with_subagents.guarded, with_subagents.model
    assert guarded.made("by-subagent")
    assert guarded.made("after"), "the transaction was still open"
    refused = model.of("count the files")[-1].results
    assert sum("A subagent works in its parent's transaction" in text for text in refused.values()) == 2, refused
    assert len(guarded.events("transaction.closed")) == 1
    assert [event["kind"] for event in guarded.events("subagent.started", "subagent.stopped")] == [
        "subagent.started",
        "subagent.stopped",
    ] * 2
    by = {event["actor"] for event in guarded.events("command.run") if "by-subagent" in event["payload"]["command"]}
    assert len(by) == 1
    assert by.pop().startswith("claude-code:")


def test_without_a_transaction_of_its_parents_a_subagent_is_denied(with_subagents: Session) -> None:
    assert with_subagents.model.of("count too early"), "it was started"
    assert not with_subagents.guarded.made("too-early")


# -- side by side --------------------------------------------------------------------------------------------------


@value
class SideBySide:
    guarded: Guarded
    model: ScriptedModel
    other: Path
    made_meanwhile: frozenset[str]
    """While the first client's transaction was open."""


@pytest.fixture(scope="module")
def side_by_side(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SideBySide]:
    """A client with a transaction open, and beside it one in the same project and one in another."""
    held = threading.Event()
    scripts = {
        MAIN: [],
        "alpha-run": [
            bash(PREFLIGHT),
            Turn(calls=bash("touch by-first").calls, held=held),
            bash(POSTFLIGHT),
            say("done"),
        ],
        "beta-run": [bash("touch by-second"), bash(POSTFLIGHT), bash("perdure transaction status"), say("done")],
        "gamma-run": [bash("touch by-third"), bash("perdure status"), say("done")],
    }
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded, other = Guarded(stage, environment), new_repository(stage.project.parent / "till", environment)
        Cli(other, environment).ok("init", "--client", "claude-code", "--yes")
        model = stage.script(scripts)
        with stage.start("alpha-run", *ALLOWED) as first:
            assert model.wait_until(lambda m: len(m.of("alpha-run")) == 2)
            stage.run("beta-run", *ALLOWED)
            stage.run("gamma-run", *ALLOWED, cwd=other)
            made = frozenset(path.name for folder in (stage.project, other) for path in folder.glob("by-*"))
            held.set()
            assert first.finish().code == 0
        yield SideBySide(guarded, model, other, made)


def test_two_clients_in_one_project_do_not_see_each_others_transactions(side_by_side: SideBySide) -> None:
    guarded, model = side_by_side.guarded, side_by_side.model
    assert "by-second" not in side_by_side.made_meanwhile, "the first one's transaction is not the second's"
    assert "No open transaction" in model.of("beta-run")[-1].results["toolu_betarun_2_0"]
    assert guarded.made("by-first"), "and the second did not close it"
    assert len(guarded.events("transaction.closed")) == 1


def test_two_clients_in_two_projects_do_not_see_each_other(side_by_side: SideBySide) -> None:
    assert "by-third" not in side_by_side.made_meanwhile
    assert "till" in side_by_side.model.of("gamma-run")[-1].results["toolu_gammarun_2_0"]
    assert side_by_side.guarded.made("by-first")


# -- what the model is given ---------------------------------------------------------------------------------------


@value
class Prepared:
    """A session that opened a transaction and decided something, and what it opened."""

    guarded: Guarded
    session: str


@pytest.fixture(scope="module", params=[PINNED, pytest.param(OLDEST, marks=pytest.mark.long)])
def prepared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    with stage_for_several(request.param, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        stage.script([bash(PREFLIGHT), bash("perdure decide 'keep cents' --because 'floats lose one'"), say("ok")])
        yield Prepared(guarded, stage.run("make prices whole cents", *ALLOWED).session)


def assert_given_back(text: str) -> None:
    assert "Continuing transaction" in text
    assert "make prices whole cents" in text.split("Perdure: project")[-1]
    assert "keep cents — because floats lose one" in text


def test_goal_transaction_and_last_decision_come_back_with_resume(prepared: Prepared) -> None:
    guarded = prepared.guarded
    model = guarded.stage.script([bash("touch here"), say("done")])
    guarded.stage.run("go on", "--resume", prepared.session, *ALLOWED)
    given = model.turns[0].text
    assert_given_back(given[given.rindex("Perdure: project") :])
    assert guarded.made("here"), "the resumed session works in the transaction it had opened"


SQUEEZED = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}


def test_goal_transaction_and_last_decision_come_back_after_an_automatic_compaction(any_guarded: Guarded) -> None:
    full = Turn(calls=bash("perdure decide 'keep cents' --because 'floats lose one'").calls, input_tokens=190_000)
    model = any_guarded.stage.script([bash(PREFLIGHT), full, bash("touch here"), say("done")])
    any_guarded.stage.run("make prices whole cents", *ALLOWED, **SQUEEZED)
    assert len(model.summaries) == 1
    after = next(request for request in model.turns if "The context was compacted" in request.text)
    given = after.text[after.text.rindex("Perdure: project") :]
    assert_given_back(given)
    assert any_guarded.made("here")
    assert [event["payload"]["source"] for event in any_guarded.events("session.started")] == ["startup", "compact"]


def test_without_perdure_an_automatic_compaction_loses_them(claude: Stage) -> None:
    full = Turn(calls=bash("echo decided: keep cents").calls, input_tokens=190_000)
    model = claude.script([bash("true"), full, bash("touch here"), say("done")])
    claude.run("make prices whole cents", *ALLOWED, **SQUEEZED)
    assert len(model.summaries) == 1
    assert "make prices whole cents" not in model.turns[-1].text


def test_strict_mode_holds_back_a_compaction_that_the_person_asks_for(guarded: Guarded) -> None:
    start = "perdure task update $(perdure task create 'whole cents' --json | cut -d'\"' -f4) --status in_progress"
    guarded.stage.script([bash(PREFLIGHT), bash(start), say("done")])
    session = guarded.stage.run("make prices whole cents", *ALLOWED).session
    (updated,) = guarded.events("task.updated")
    assert updated["payload"]["status"] == "in_progress"
    for mode, summaries in (("strict", 0), ("warn", 1)):
        model = guarded.stage.script([say("done")])
        guarded.stage.run("/compact", "--resume", session, PERDURE_CHECKPOINT_MODE=mode)
        assert len(model.summaries) == summaries
        assert len(guarded.events("checkpoint.refused")) == 1, "only in strict mode"


# -- where the client's shell is -----------------------------------------------------------------------------------


def test_a_client_started_inside_a_client_does_not_believe_what_it_inherits(guarded: Guarded) -> None:
    inner = f"echo inner | {guarded.stage.client.binary} -p {shlex.join(WITHOUT_SERVERS)} --allowedTools Bash"
    scripts = {
        MAIN: [bash(PREFLIGHT), bash(inner), bash("touch by-outer"), say("done")],
        "inner": [bash("touch by-inner"), bash("perdure transaction status"), say("inner is done")],
    }
    model = guarded.stage.script(scripts)
    guarded.stage.run("outer", *ALLOWED)
    assert model.of("inner"), model.turns[-1].results
    assert not guarded.made("by-inner"), "the outer one's transaction is not the inner's"
    assert guarded.made("by-outer")
    assert "Perdure: denied" in model.of("inner")[-1].results["toolu_inner_1_0"]


# -- one id, two processes; forks ----------------------------------------------------------------------------------


def test_a_resume_while_the_first_still_runs_is_an_instance_of_its_own_and_both_are_told(guarded: Guarded) -> None:
    told = "another process"
    model = guarded.stage.script([bash(PREFLIGHT), say("opened"), say("heard")])
    with guarded.stage.terminal("--permission-mode", "default", *ALLOWED) as first:
        first.wait_until(lambda: guarded.events("session.started"))
        first.enter("open one")
        first.wait_for("opened")
        session = guarded.events("session.started")[0]["payload"]["client_session_id"]
        held = threading.Event()
        other = guarded.stage.script([bash("touch by-second"), say("done", held=held)])
        with guarded.stage.start("go", "--resume", session, *ALLOWED) as second:
            assert other.wait_until(lambda m: len(m.turns) == 2)
            assert not guarded.made("by-second"), "the first lives, and its transaction is its own"
            assert told in other.turns[0].text
            first.enter("go on")
            assert model.wait_until(lambda m: len(m.turns) == 3)
            assert told in model.turns[2].text
            held.set()
            second.finish()
    assert len({event["instance_id"] for event in guarded.events("session.doubled")}) == 2


def test_a_fork_is_an_instance_of_its_own_with_its_parents_lineage(prepared: Prepared) -> None:
    guarded = prepared.guarded
    model = guarded.stage.script([bash("touch by-fork"), say("done")])
    before = guarded.events("session.started")
    played = guarded.stage.run("go on", "--resume", prepared.session, "--fork-session", *ALLOWED)
    assert played.session != prepared.session
    assert not guarded.made("by-fork")
    parent, fork = guarded.events("session.started")[len(before) - 1 :]
    assert fork["payload"]["source"] == "fork"
    assert fork["payload"]["parent_id"] == parent["session_id"]
    assert fork["instance_id"] not in {each["instance_id"] for each in before}
    given = model.turns[0].text
    assert "make prices whole cents" in given[given.rindex("Perdure: project") :], "the lineage's goal came along"
    assert "perdure transaction adopt" in given, "the transaction that was left open is named"


# -- in a terminal -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_a_terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with stage_for_several(PINNED, tmp_path_factory) as (stage, environment):
        guarded = Guarded(stage, environment)
        model = stage.script(
            [say("zero", input_tokens=30_000), say("one", input_tokens=900_000), say("two"), say("three")]
        )
        with stage.terminal() as terminal:
            terminal.wait_for("shop · no transaction")
            terminal.enter("first words")
            terminal.wait_for("3 % VERBOSE")
            terminal.enter("second words")  # what the Stop hook could not count yet, this prompt's hook counts
            terminal.wait_for("90 % C")  # the client draws only what differs from "3 % VERBOSE"
            terminal.enter("third words")
            assert model.wait_until(lambda m: len(m.turns) == 3)
            terminal.wait_until(lambda: len(guarded.events("prompt.given")) == 3)
            terminal.wait_for("two")
            terminal.enter("/clear")
            terminal.wait_until(lambda: len(guarded.events("session.started")) == 2)
            terminal.enter("/exit")
            terminal.end()
        yield Session(guarded, model, Played(code=0, events=(), err=""))


def test_the_status_line_stands_in_the_terminal_and_a_hook_then_knows_the_context_use(in_a_terminal: Session) -> None:
    assert "90 % of the context is used" in in_a_terminal.model.turns[2].text
    percents = [event["payload"].get("context_percent") for event in in_a_terminal.guarded.events("prompt.given")]
    assert percents == [None, 3, 90]


def test_after_so_many_tokens_what_was_written_is_synced_and_the_model_reminded_once(in_a_terminal: Session) -> None:
    guarded, model = in_a_terminal.guarded, in_a_terminal.model
    synced = [event["payload"] for event in guarded.events("delta.synced")]
    assert [(each["tokens"], each["context_tokens"]) for each in synced[:2]] == [(30_000, 30_000), (870_000, 900_000)]
    assert "the context holds 30,000 tokens" in model.turns[1].text
    assert model.turns[2].text.count("Write down now what only you know") == 1, "only where it stood before"
    (reminded,) = guarded.events("synthesis.reminded")
    assert reminded["payload"]["tokens"] == 30_000


def test_clear_begins_a_session_of_the_same_lineage(in_a_terminal: Session) -> None:
    guarded = in_a_terminal.guarded
    first, second = guarded.events("session.started")
    assert (second["payload"]["source"], second["payload"]["parent_id"]) == ("clear", first["session_id"])
    assert second["instance_id"] == first["instance_id"]
    assert [event["payload"]["reason"] for event in guarded.events("session.ended")] == ["clear", "exit"]


# -- the other ways it is installed --------------------------------------------------------------------------------


def test_the_plugin_is_valid_and_guards(any_claude: Stage, environment: dict[str, str], tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    for folder in (root / "plugin", root):
        assert any_claude.client.plain("plugin", "validate", str(folder), cwd=any_claude.project).code == 0
    cli = Cli(any_claude.project, environment)
    cli.ok("init", "--no-client")
    folder = tmp_path / "plugin"
    cli.ok("init", "--plugin", str(folder))
    model = any_claude.script([bash("touch here"), bash("ls"), say("done")])
    any_claude.run("go", "--plugin-dir", str(folder), *ALLOWED)
    assert not (any_claude.project / "here").exists(), model.turns[-1].results
    assert "perdure preflight" in model.turns[-1].results["toolu_1_0"]
    assert "Perdure: project shop" in model.turns[0].text


def test_the_users_scope_guards_every_project(any_claude: Stage, environment: dict[str, str]) -> None:
    guarded = Guarded(any_claude, environment, "--scope", "user")
    below = guarded.project / "src"
    below.mkdir()
    guarded.stage.script([bash("touch here"), say("done")])
    guarded.stage.run("go", *ALLOWED, cwd=below)
    assert not (below / "here").exists()


def test_settings_with_odd_keys_and_hooks_of_others_go_on_and_come_back_byte_for_byte(
    claude: Stage, environment: dict[str, str]
) -> None:
    mark = claude.project.parent / "theirs"
    odd = '{ "unknownKey" : [1,\t2 ],\r\n "hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command",'
    odd += f'"command":"touch {mark}"}}]}}]}}  }}'
    settings = claude.project / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_bytes(odd.encode())
    guarded = Guarded(claude, environment)
    claude.script([bash("touch here"), say("done")])
    claude.run("go", *ALLOWED)
    assert not guarded.made("here")
    assert mark.exists(), "the other hook ran too"
    assert guarded.cli("uninstall", "--yes").code == 0
    assert settings.read_bytes() == odd.encode()
    claude.script([bash("touch here"), say("done")])
    claude.run("go", *ALLOWED)
    assert guarded.made("here")


def test_the_projects_scope_guards_in_a_linked_work_tree_and_a_folder_below_is_beyond_it(
    claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    """The client reads committed settings only from the folder it is started in; `doctor` says so there. The jail is in
    settings that are not committed, and holds there too: here it is off."""
    guarded = Guarded(claude, environment, "--scope", "project")
    git(guarded.project, environment, "add", ".")
    git(guarded.project, environment, "commit", "-q", "-m", "guarded")
    git(guarded.project, environment, "worktree", "add", "-q", str(tmp_path / "linked"))
    below = guarded.project / "src"
    below.mkdir()
    for folder, is_guarded in ((tmp_path / "linked", True), (below, False)):
        claude.script([bash("touch here"), say("done")])
        claude.run("go", *ALLOWED, cwd=folder, PERDURE_GATE_CONTAIN="false")
        assert (folder / "here").exists() != is_guarded


def test_the_local_scope_guards_in_a_folder_below_and_in_a_linked_work_tree(
    guarded: Guarded, environment: dict[str, str], tmp_path: Path
) -> None:
    git(guarded.project, environment, "worktree", "add", "-q", str(tmp_path / "linked"))
    below = guarded.project / "src"
    below.mkdir()
    for folder in (tmp_path / "linked", below):
        guarded.stage.script([bash("touch here"), say("done")])
        guarded.stage.run("go", *ALLOWED, cwd=folder)
        assert not (folder / "here").exists()
