"""The jail in the real Claude Code, offline (SPEC 5.8): what its shells can do while no transaction is open."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from perdure.jail.confine import running_kernel
from perdure.jail.plan import why_not

from .conftest import Stage
from .guarded import ALLOWED, POSTFLIGHT, PREFLIGHT, Guarded, bash, install_from_a_copy

pytestmark = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")
WRITES = r"""
touch new; echo x > new; : > readme.txt; echo x >> readme.txt; mkdir new; rm -f readme.txt; mv readme.txt new
cp readme.txt new; ln readme.txt new; ln -s readme.txt new; truncate -s 0 readme.txt; tee new </dev/null
chmod 777 readme.txt; chown 1:1 readme.txt; touch -d 2001-01-01 readme.txt; setfattr -n user.x -v 1 readme.txt
sed -i s/s/x/ readme.txt; sed -n 'w new' readme.txt; sort -o readme.txt readme.txt; awk 'BEGIN { print > "new" }'
find . -name readme.txt -delete; install /dev/null new; mktemp -p .; mkfifo new; split readme.txt; dd of=new count=0
git commit --allow-empty -m x; git add -A; git config x.y z; git branch new; git tag new; git stash; git gc
git rm -q readme.txt; git reset --hard; git update-ref refs/heads/new HEAD; git init new; git worktree add new
python3 -c 'open("new", "w")'; perl -e 'open F, ">new"'; bash -c 'echo x > new'; eval 'echo x > new'; sh -c ': > new'
jobs -xl touch new; declare -a 'x=($(touch new))'; bash -c '((BASH_ARGV0))' 'a[$(touch new)]'; env touch new
echo touch new | sh; xargs touch <<< new; (touch new &) ; setsid touch new; timeout 5 touch new; exec touch new
nohup touch new; trap 'touch new' EXIT; git checkout -b new; rm -rf .git; rm -rf .perdure; rm -rf .claude
echo x > "$HOME/new"; echo x > "$PERDURE_HOME/new"; echo x > .perdure/new; echo x > .claude/settings.local.json
unshare -rm true && touch new; kill -9 $CLAUDE_PID; exec 3<>/dev/tcp/127.0.0.1/9
"""


def commands() -> list[str]:
    return [each.strip() for each in WRITES.replace("\n", "; ").split("; ") if each.strip()]


def seen(guarded: Guarded) -> dict[str, Any]:
    """The tree with its git folder, and the person's home, without what the client and the hooks themselves write."""
    own = (".perdure/", ".claude.json", ".claude/", "claude-", ".cache/", "cc-socks", ".local/", ".npm")
    found: dict[str, Any] = {}
    for top in (guarded.project, Path(guarded.environment["HOME"])):
        for folder, _, files in os.walk(top):
            for name in files:
                path = Path(folder, name)
                inside = str(path.relative_to(top))
                if inside.startswith(own) and inside != ".claude/settings.local.json":
                    continue
                facts = path.lstat()
                found[f"{top}:{inside}"] = (facts.st_mode, facts.st_uid, facts.st_mtime_ns, path.read_bytes())
    return found


@pytest.fixture
def guarded(claude: Stage, environment: dict[str, str]) -> Guarded:
    return Guarded(claude, environment)


def without_guard(guarded: Guarded) -> None:
    """The settings name only the program for shells: every command passes, as if the analysis called all of them
    readers."""
    path = guarded.project / ".claude" / "settings.local.json"
    path.write_text(json.dumps({"env": json.loads(path.read_text())["env"]}))


@pytest.mark.parametrize("is_guarded", [True, False])
def test_no_writing_command_changes_anything(guarded: Guarded, is_guarded: bool) -> None:
    if not is_guarded:
        without_guard(guarded)
    listed = commands()
    assert len(listed) > 60
    before = seen(guarded)
    together = "\n".join(f"( {each} ) </dev/null >/dev/null 2>&1" for each in listed)
    turns = [bash(each) for each in listed[::8]] if is_guarded else [bash(together), bash("echo still there")]
    model = guarded.stage.script(turns)
    guarded.stage.run("go", *ALLOWED)
    after = seen(guarded)
    assert {path: what for path, what in after.items() if before.get(path) != what} == {}
    assert before.keys() == after.keys()
    if not is_guarded:
        assert "still there" in str(model.turns[-1].results)


def test_what_nobody_can_tell_runs_and_changes_nothing(guarded: Guarded) -> None:
    code = 'python3 -c \'print(6 * 7); open("new", "w")\''
    model = guarded.stage.script(
        [bash(code), bash("cd .git && pwd"), bash("perdure note finding kept"), bash("touch new")]
    )
    guarded.stage.run("go", *ALLOWED)
    results = [*model.turns[-1].results.values()]
    assert "42" in results[0]
    assert "Permission denied" in results[0]
    assert results[1].endswith("/.git")
    assert "Perdure: denied" in results[3]
    assert "runs read-only" in model.turns[1].text, "the agent was told"
    assert [event["payload"]["text"] for event in guarded.events("note.finding")] == ["kept"]
    assert not guarded.made("new")


def test_after_a_refusal_the_model_reads_what_was_refused(guarded: Guarded) -> None:
    code = 'python3 -c \'open("new", "w")\''
    model = guarded.stage.script([bash(code), bash("sleep 2"), bash("sleep 1"), bash("pwd")])
    guarded.stage.run("go", *ALLOWED)
    read = "".join(turn.text for turn in model.turns)
    assert "it was refused something" in read
    assert not guarded.made("new")


def test_a_transaction_opens_the_jail_and_its_end_shuts_it(guarded: Guarded) -> None:
    writes = 'python3 -c \'open("{}", "w")\''
    script = [bash(PREFLIGHT), bash(writes.format("one")), bash(POSTFLIGHT), bash(writes.format("two"))]
    guarded.stage.script(script)
    guarded.stage.run("go", *ALLOWED)
    assert guarded.made("one")
    assert not guarded.made("two")


READERS = (
    *("pwd", "ls", "false", "exit 7", "cd / && pwd", "cat <<< hi", "diff <(echo a) <(echo b)", "sort < readme.txt"),
    *("echo out; echo err >&2; exit 3", "seq 1 30000 | tail -1", "(sleep 0.1; echo late) & wait", "kill -9 $$"),
)


def test_readers_give_what_they_give_without_us(claude: Stage, environment: dict[str, str]) -> None:
    """Their output, how they end, and what the client says about the folder."""

    def played() -> list[tuple[str, bool]]:
        model = claude.script([bash(each) for each in READERS])
        claude.run("go", *ALLOWED)
        last = model.turns[-1]
        return [(text, call in last.failed) for call, text in last.results.items()]

    without = played()
    Guarded(claude, environment)
    assert dict(zip(READERS, played(), strict=True)) == dict(zip(READERS, without, strict=True))


def test_where_perdure_was_removed_an_agent_can_look_and_changes_nothing(
    claude: Stage, environment: dict[str, str], tmp_path: Path
) -> None:
    shutil.rmtree(install_from_a_copy(claude, environment, tmp_path / "installed"))
    model = claude.script([bash("ls -a"), bash("touch new"), bash("cat readme.txt"), bash("ls; touch new")])
    claude.run("go", *ALLOWED)
    looked, wrote, read, joined = model.turns[-1].results.values()
    assert ".perdure" in looked
    assert read.strip() == (claude.project / "readme.txt").read_text().strip()
    for denied in (wrote, joined):
        assert "cannot be loaded" in denied
        assert "perdure init" in denied
    assert not (claude.project / "new").exists()
