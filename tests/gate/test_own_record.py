"""Perdure's own record is written by Perdure; what disarms the guard is for people, however it is asked (SPEC 5.5)."""

from __future__ import annotations

import pytest

from perdure.gate.effects.analysis import analyse
from perdure.gate.tools import analyse_call
from tests.effort import for_each

from .worlds import Table, world


@for_each(
    "command",
    [
        "rm -rf .perdure",
        "rm -rf ./.perdure/",
        'rm -rf "$PWD/.perdure"',
        "rm -rf .perdure/*",
        "cd .perdure && rm -rf *",
        "cd .perdure && sqlite3 ledger.db 'delete from events'",
        "git -C .perdure clean -fdx",
        "echo x > .perdure/config.toml",
        "echo x >> ~/.perdure/config.toml",
        'echo x > "$HOME/.perdure/config.toml"',
        "rm -rf $PERDURE_HOME",
        "d=.perdure; rm -rf $d",
        'for f in .perdure/*; do echo > "$f"; done',
        "find .perdure -delete",
        "find .perdure -type f -exec sed -i s/a/b/ {} +",
        "cp -r ../other/.perdure .",
        "mv .perdure /tmp/x",
        "tee .perdure/a < b.txt",
        "sed -i s/a/b/ .perdure/config.toml",
        "dd if=/dev/zero of=.perdure/ledger.db",
        "truncate -s 0 src/../.perdure/ledger.db",
        "python3 change.py .perdure/config.toml",
        "ln -sf /tmp/x .perdure/ledger.db",
        "perdure uninstall",
        "perdure config set gate.mode off",
        "perdure config --user set gate.mode off",
        "perdure redact abc --because x",
        "perdure pause 10m",
        "perdure --json pause 10m",
        "sh -c 'perdure pause 10m'",
        "env A=1 perdure pause 10m",
        "python3 -m perdure pause 10m",
        "perdure import x.jsonl",
        "perdure transaction close --orphaned",
        "perdure transaction override --because x",
        "env perdure config set gate.mode off",
        "bash -c 'perdure config set gate.mode off'",
        "NO_COLOR=1 perdure uninstall",
        "command perdure uninstall",
        "python3 -m perdure config set gate.mode off",
        "/usr/local/bin/perdure uninstall",
        "timeout 5 perdure import x",
    ],
)
def test_no_command_writes_the_record_or_disarms_the_guard(command: str) -> None:
    found = analyse(command, world())
    assert found.effect == "forbidden", found.reason


@for_each(
    "command",
    [
        "script -qc 'perdure pause 10m' /dev/null",
        "nohup perdure pause 10m",
        "setsid -f perdure pause 1h --because x",
        "xargs perdure pause < f",
        "p=pause; perdure $p 10m",
        'python3 -c \'import perdure.__main__ as m; m.main(["pause", "1h"])\'',
        "eval 'perdure pause 10m'",
        "echo perdure pause 10m | sh",
    ],
)
def test_no_disguise_makes_a_pause_of_the_gate_something_that_passes(command: str) -> None:
    """Inside a transaction such a command may run; the program then refuses the agent."""
    assert analyse(command, world()).effect in ("praxic", "forbidden")


@for_each(
    "command",
    [
        "echo '{}' > .claude/settings.json",
        "rm .claude/settings.local.json",
        "rm -f ./src/../.claude/Settings.json",
        "sed -i s/block/continue/ .claude/settings.local.json",
        "mv .claude/settings.local.json /tmp/x",
        "cp other.json .claude/settings.json",
        "jq . x.json | tee ~/.claude/settings.json",
        "rm .claude/*",
        "rm .claude/sett*",
        "cd .claude && rm *.json",
        "echo x > src/.claude/settings.local.json",
        "mv .claude .c2",
        "rm -rf .claude",
        "cp settings.local.json .claude",
        "rm .claude/hooks/perdure.sh",
        "echo '{}' > /etc/claude/settings.json",
    ],
)
def test_no_command_writes_what_arms_the_guard(command: str) -> None:
    found = analyse(command, world(disk=Table(names={"/repo/.claude": ("settings.json",)})))
    assert found.effect == "forbidden", found.reason
    assert "arms the guard" in found.reason


@pytest.mark.parametrize(
    "command",
    [
        "touch /proc/self/cwd/a",
        "cd src && touch /proc/self/cwd/a",
        "cp x /proc/thread-self/cwd/a",
        "echo x > /proc/self/task/../cwd/a",
        "touch /proc/4711/root/repo/a",
        "cd /proc/self/cwd && touch a",
    ],
)
def test_nothing_is_written_through_a_process_whose_folder_nobody_can_tell(command: str) -> None:
    assert analyse(command, world()).effect == "forbidden"


def test_what_arms_the_guard_may_be_read_and_committed() -> None:
    assert analyse("cat .claude/settings.json", world()).effect == "noetic"
    assert analyse("git add .claude/settings.json", world()).effect == "praxic"
    assert (
        analyse_call("claude-code", "Edit", {"file_path": "/repo/.claude/skills/x.md"}, world=world()).effect
        == "praxic"
    )
    assert (
        analyse_call("claude-code", "Write", {"file_path": ".claude/settings.json"}, world=world()).effect
        == "forbidden"
    )


@pytest.mark.parametrize(
    ("skill", "effect"),
    [
        ("deploys", "praxic"),
        (" deploys", "praxic"),
        ("/deploys", "praxic"),
        ("team:hooked", "praxic"),
        ("team:looks", "praxic"),
        ("../skills/reads", "praxic"),
        ("plugin:unheard-of", "praxic"),
        ("", "praxic"),
        (None, "praxic"),
        ("reads", "noetic"),
        ("looks", "noetic"),
        ("code-review", "noetic"),
    ],
)
def test_a_skill_is_judged_by_what_it_runs(skill: str | None, effect: str) -> None:
    assert analyse_call("claude-code", "Skill", {"skill": skill}, world=world()).effect == effect


def test_a_settings_file_behind_a_link_is_what_arms_the_guard() -> None:
    linked = Table(links={"/repo/.claude": "/home/dev/.claude"})
    found = analyse_call("claude-code", "Write", {"file_path": "/repo/.claude/settings.json"}, world=world(disk=linked))
    assert found.effect == "forbidden"


@pytest.mark.parametrize(
    "command",
    [
        "cat .perdure/config.toml",
        "ls -la .perdure ~/.perdure",
        "grep -rn x .perdure",
        "git log -- .perdure/config.toml",
        "git diff .perdure",
        "wc -l < .perdure/project.toml",
    ],
)
def test_reading_the_record_only_looks(command: str) -> None:
    assert analyse(command, world()).effect == "noetic"


@pytest.mark.parametrize(
    "command",
    [
        "perdure uninstall --help",
        "perdure config set --help",
        "perdure --help",
        "perdure help",
        "perdure help uninstall",
        "perdure help run touch a",
    ],
)
def test_asking_for_help_disarms_nothing(command: str) -> None:
    assert analyse(command, world()).effect == "transition"


@pytest.mark.parametrize(
    "command",
    [
        "perdure run -- touch a --help",
        "perdure run -- sh -c 'touch a' --help",
        'perdure run "$X" sh -c "touch a" --help',
        "perdure run -? sh -c 'touch a' --help",
    ],
)
def test_a_program_that_is_run_does_not_pass_because_its_last_word_asks_for_help(command: str) -> None:
    assert analyse(command, world()).effect == "praxic"


@for_each(
    "command",
    [
        "perdure status",
        "perdure preflight --know 0.8 --uncertainty 0.2 --because 'x y'",
        "echo '{}' | perdure preflight -",
        "perdure preflight - <<'E'\n{}\nE",
        "cd src && perdure postflight - < ../a.json",
        "timeout 10 perdure check --know 0.9",
        'perdure note finding "$(wc -l < a.txt) lines"',
        'perdure transaction adopt "$TX"',
        "perdure status --json | jq .transaction",
        "git status; perdure status",
        "perdure export -",
        "perdure export | head -3",
        "perdure task export",
        "perdure task export --project-path /repo",
        "perdure task import other.jsonl",
        "perdure task diff bd-a3f8",
        "perdure heal",
        "/opt/perdure/bin/perdure status",
    ],
)
def test_the_way_out_is_never_blocked(command: str) -> None:
    found = analyse(command, world())
    assert found.effect == "transition", found.reason


@for_each(
    "command",
    [
        "env perdure preflight -",
        "bash -c 'perdure preflight -'",
        "FOO_BAR=1 perdure preflight -",
        "xargs perdure note finding < a.txt",
        "./perdure status",
        "/tmp/perdure status",
        "perdure() { rm a; }; perdure status",
        "alias perdure=rm; perdure a",
        "PATH=/tmp:$PATH; perdure status",
        "PERDURE_HOME=/tmp/x; perdure status",
        "perdure $x",
        "perdure export out.jsonl",
        "perdure task export out.jsonl",
        "perdure task --project-path /repo export out.jsonl",
        "perdure task export -- -out.jsonl",
        "perdure task $verb out.jsonl",
        "perdure calibration --svg out.svg",
        "perdure frobnicate",
        "perdure status > out.txt",
        "perdure status; rm a.txt",
    ],
)
def test_only_the_real_perdure_called_plainly_is_a_way_out(command: str) -> None:
    assert analyse(command, world()).effect == "praxic"


def test_a_record_behind_a_link_is_the_record() -> None:
    linked = world(disk=Table(links={"/repo/innocent": "/home/dev/.perdure"}))
    assert analyse("echo x > innocent/config.toml", linked).effect == "forbidden"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "/repo/.perdure/config.toml"}),
        ("mcp__fs__write_file", {"path": "/repo/.perdure/config.toml"}),
        ("Unknown", {"file_path": ".perdure/x"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: .perdure/config.toml\n+x\n*** End Patch"}),
    ],
)
def test_no_tool_writes_the_record(tool: str, given: dict[str, str]) -> None:
    assert analyse_call("claude-code", tool, given, world=world()).effect == "forbidden"


def test_a_program_that_is_known_is_not_taught_otherwise() -> None:
    taught = world(readers=("rm", "perdure", "bash", "mytool"))
    assert analyse("rm a", taught).effect == "praxic"
    assert analyse("perdure uninstall", taught).effect == "forbidden"
    assert analyse("bash -c 'rm a'", taught).effect == "praxic"
    assert analyse("mytool x", taught).effect == "noetic"
    assert analyse("mytool x > f", taught).effect == "praxic"
