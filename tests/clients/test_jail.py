"""The jail in the real Claude Code, offline (SPEC 5.8): what its shells can do while no transaction is open."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import socket
import stat
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from perdure.jail.confine import running_kernel
from perdure.jail.plan import why_not
from perdure.rehearsal.messages import ScriptedCall, Turn, call

from ..effort import part, sampled
from .conftest import Stage
from .guarded import ALLOWED, POSTFLIGHT, PREFLIGHT, Guarded, bash, install_from_a_copy

pytestmark = pytest.mark.skipif(bool(why_not(running_kernel())), reason="the kernel has no jail")
TABLE = Path(__file__).with_name("writing_commands.txt")
ALL_ALLOWED = "--dangerously-skip-permissions"
"""The client itself then asks about very few commands. As root it wants to be told that it is in a sandbox."""
AT_ONCE = 20
"""Calls in one turn of the model's."""


def writing_commands() -> list[str]:
    return [each for each in TABLE.read_text().splitlines() if each and not each.startswith("#")]


class Bystanders:
    """A process that is not the client's, and a socket that listens on loopback."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._packets.bind(("127.0.0.1", self.port))

    def facts(self) -> tuple[object, ...]:
        """All that a command could do to the process, and whether anybody spoke to the socket."""
        pid = self.process.pid
        state = Path(f"/proc/{pid}/stat").read_text().split()[2]
        state = state if state in "TtZX" else "runs"
        nice, cpus = os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid)
        files = [Path(f"/proc/{pid}/{name}").read_text() for name in ("comm", "oom_score_adj", "limits")]
        spoken_to, _, _ = select.select([self._socket, self._packets], [], [], 0)
        return self.process.poll(), state, nice, cpus, *files, len(spoken_to)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._socket.close()
        self._packets.close()


@pytest.fixture
def bystanders() -> Iterator[Bystanders]:
    found = Bystanders()
    yield found
    found.close()


OWN = (".perdure/", ".claude.json", ".claude/", "claude-", ".cache/", "cc-socks", ".local/", ".npm/")
"""What the client and the hooks themselves write, in the project and in the home."""
NOT_OURS = (
    ".claude/settings",
    ".perdure/config",
    ".perdure/project",
    ".perdure/settings",
    ".perdure/shell/claude-code",
)
"""But none of them writes these."""


def seen(guarded: Guarded) -> dict[str, Any]:
    """The tree with its git folder, the person's home, and in Perdure's home its settings and programs."""
    found: dict[str, Any] = {}
    home = Path(guarded.environment["PERDURE_HOME"])
    for top in (guarded.project, Path(guarded.environment["HOME"]), home):
        for folder, folders, files in os.walk(top):
            for name in (*files, *folders):
                path = Path(folder, name)
                inside = f"{'.perdure/' if top == home else ''}{path.relative_to(top)}"
                if (inside + "/").startswith(OWN) and not inside.startswith(NOT_OURS):
                    continue
                facts = path.lstat()
                is_file = stat.S_ISREG(facts.st_mode)
                when, content = (facts.st_mtime_ns, path.read_bytes()) if is_file else (0, b"")
                found[f"{top}:{inside}"] = (facts.st_mode, facts.st_uid, facts.st_nlink, when, content)
    return found


@pytest.fixture
def guarded(claude: Stage, environment: dict[str, str]) -> Guarded:
    return Guarded(claude, environment)


def without_guard(guarded: Guarded) -> None:
    """The settings name only the program for shells: every command passes, as if the analysis called all of them
    readers."""
    path = guarded.project / ".claude" / "settings.local.json"
    path.write_text(json.dumps({"env": json.loads(path.read_text())["env"]}))


def play(guarded: Guarded, commands: Sequence[str]) -> dict[str, str]:
    """Runs all of them in one session of the client; returns what each gave the model."""
    calls = [ScriptedCall("Bash", {"command": each, "timeout": 5000}) for each in commands]
    turns = [Turn(calls=tuple(calls[start : start + AT_ONCE])) for start in range(0, len(calls), AT_ONCE)]
    model = guarded.stage.script(turns)
    with guarded.stage.start("go", ALL_ALLOWED, IS_SANDBOX="1") as running:
        assert running.finish(seconds=30 + 6 * len(commands)).code == 0
    results = model.turns[-1].results
    assert len(results) == len(commands)
    return dict(zip(commands, results.values(), strict=True))


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


@sampled
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("is_guarded", [True, False])
def test_no_writing_command_changes_anything(guarded: Guarded, bystanders: Bystanders, is_guarded: bool) -> None:
    if not is_guarded:
        without_guard(guarded)
    named = {"{pid}": str(bystanders.process.pid), "{port}": str(bystanders.port)}
    commands = []
    for command in part(writing_commands(), 16):
        for name, what in named.items():
            command = command.replace(name, what)
        commands.append(command)
    before, untouched = seen(guarded), bystanders.facts()
    results = play(guarded, [*commands, "echo still there"])
    stopped = [command for command, result in results.items() if "requires explicit approval" in result]
    assert len(stopped) <= len(commands) / 50, "the client itself did not run these"
    assert changes(before, seen(guarded)) == []
    assert bystanders.facts() == untouched
    assert "still there" in results["echo still there"]


def test_without_the_jail_such_commands_are_seen_to_write(guarded: Guarded, bystanders: Bystanders) -> None:
    """Otherwise the test above would prove nothing."""
    without_guard(guarded)
    before, untouched = seen(guarded), bystanders.facts()
    spoken = f"python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {bystanders.port}))'"
    writing = ["touch new", "rm .git/HEAD", "echo x >> ~/.bashrc", f"kill -STOP {bystanders.process.pid}", spoken]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(guarded.stage.client.variables, "PERDURE_GATE_CONTAIN", "false")
        play(guarded, writing)
    assert {path.rpartition(":")[2] for path in changes(before, seen(guarded))} == {".bashrc", ".git/HEAD", "new"}
    after = bystanders.facts()
    assert [after[1], after[-1]] == ["T", 1]
    assert after != untouched


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
    assert "something in it was refused" in read
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
    *(
        "kill -TERM $$",
        "kill -INT $$",
        "( exit 9 )",
        "nosuchcommand",
        "./readme.txt",
        "ls /nonexistent",
        "cd /nonexistent",
    ),
    *(
        "cd .git",
        "pwd",
        "cd ..; pwd",
        "(cd .git); pwd",
        "cd .git && false",
        "pwd",
        "cd ..",
        "trap 'echo bye' EXIT; exit 4",
    ),
    *(
        "head -c 200000 /dev/zero | tr '\\0' x",
        "printf 'a\\xffb'",
        "echo 'ünï ✓'",
        'read x; echo "[$x]"',
        "set -e; false; echo no",
    ),
    *(
        "timeout 0.2 sleep 5; echo $?",
        "sleep 0.2 & kill $!; wait $!; echo $?",
        "yes | head -3",
        "ulimit -c; umask",
        "bash -c 'exit 5'",
    ),
)
LATE = call("Bash", command="echo first; sleep 5; echo second", timeout=400)
"""The client does not wait for it."""
OF_A_SESSION = re.compile(r"(?<=ID: )\w+|/\S+/(tasks|tool-results)/\S+")
"""What the client names anew each time: a command that goes on, and the files with long outputs."""


def test_readers_give_what_they_give_without_us(claude: Stage, environment: dict[str, str]) -> None:
    """Their output, how they end, and what the client says about the folder."""

    def played() -> list[tuple[str, bool]]:
        model = claude.script([*(bash(each) for each in READERS), LATE])
        claude.run("go", *ALLOWED)
        last = model.turns[-1]
        return [(OF_A_SESSION.sub("…", text), id_ in last.failed) for id_, text in last.results.items()]

    named = [f"{number} {command}" for number, command in enumerate((*READERS, "late"))]
    without = played()
    Guarded(claude, environment)
    assert dict(zip(named, played(), strict=True)) == dict(zip(named, without, strict=True))


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
