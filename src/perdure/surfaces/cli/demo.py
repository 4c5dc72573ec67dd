"""demo: shows what Perdure does, in a temporary folder, in seconds, without a client (SPEC 17.5).

Every line that begins with $ is the real program, run as a process of its own; the two panes are two instances.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile

from perdure.errors import Trouble
from perdure.surfaces.cli.command import Answer, Command
from perdure.surfaces.folding import folded
from perdure.surfaces.output import columns_of_terminal, style_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments

_CART = "def total(prices):\n    return round(sum(prices), 2)\n"
_TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"  # looks real, but belongs to nobody
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class _Stage:
    """A throw-away home and repository, and a way to run commands in them."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.repository = os.path.join(folder, "shop")
        self.style = style_for(sys.stdout, os.environ)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TERM", "NO_COLOR") if name in os.environ}
        colour = {"FORCE_COLOR": "1"} if self.style("bold", "x") != "x" else {}
        self.environment = {
            **kept,
            **colour,
            "HOME": os.path.join(folder, "person"),
            "PERDURE_HOME": os.path.join(folder, "person", ".perdure"),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        os.makedirs(self.environment["HOME"])
        os.makedirs(self.repository)

    def say(self, text: str) -> None:
        print(f"\n{self.style('cyan', text)}", flush=True)

    def git(self, *arguments: str) -> None:
        who = {
            f"GIT_{role}_{part}": "demo@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
        }
        subprocess.run(
            ["git", "-C", self.repository, *arguments], env={**self.environment, **who}, check=True, capture_output=True
        )

    def play(self, line: str, *, pane: str = "left", expect: int = 0, where: str = "") -> str:
        """Shows a command and its answer; stops the demo if the program does not do what it should. `where` is another
        machine, which has only the files in that folder. Returns the answer without its colours."""
        elsewhere = {"HOME": where, "PERDURE_HOME": os.path.join(where, ".perdure")} if where else {}
        print(f"{self.style('dim', f'[{pane}]')} $ {line}", flush=True)
        words = shlex.split(line)
        done = subprocess.run(
            [sys.executable, "-m", "perdure", *words[1:]],
            cwd=where or self.repository,
            env={**self.environment, **elsewhere, "PERDURE_INSTANCE": f"{pane}-pane"},
            capture_output=True,
            text=True,
            check=False,
        )
        shown = (done.stdout + done.stderr).rstrip("\n")
        print("\n".join(f"    {part}" for part in self._fitting(shown).splitlines()), flush=True)
        if done.returncode != expect:
            raise Trouble("demo_failed", f"'{line}' ended with {done.returncode}, not {expect}.")
        return _ESCAPE.sub("", done.stdout)

    def _fitting(self, text: str) -> str:
        columns = columns_of_terminal()
        return folded(text, columns - 4) if columns else text


def _play(stage: _Stage) -> None:
    _make_repository(stage)
    _show_panes_and_gate(stage)
    _show_what_is_recorded(stage)
    _show_what_survives(stage)
    _show_a_proof(stage)
    _show_damage(stage)


def _make_repository(stage: _Stage) -> None:
    with open(os.path.join(stage.repository, "cart.py"), "w", encoding="utf-8") as file:
        file.write(_CART)
    stage.git("init", "-q")
    stage.git("add", "cart.py")
    stage.git("commit", "-q", "-m", "first")


def _show_panes_and_gate(stage: _Stage) -> None:
    stage.say("A repository becomes a project.")
    stage.play("perdure init --no-client")

    stage.say("Two panes side by side. The left one opens a transaction, which the right one cannot use.")
    stage.play(
        "perdure preflight --know 0.8 --uncertainty 0.2 --because 'read the cart and its tests' --goal 'fix rounding'"
    )
    stage.play("perdure check --know 0.9 --uncertainty 0.1", pane="right", expect=1)

    stage.say("The gate reads a command before it runs: the right pane may read files, but not change them.")
    stage.play("perdure gate explain 'grep -rn TODO . | head -3'", pane="right")
    stage.play("perdure gate explain 'sed -n 1p cart.py; sed s/round/floor/ -i cart.py'", pane="right")


def _show_what_is_recorded(stage: _Stage) -> None:
    stage.say("Decisions and next steps are recorded at once; credentials are masked.")
    stage.play("perdure decide 'round half to even' --because 'the bank does' --key rounding --value half-even")
    stage.play("perdure note next 'add the test for negative totals'")
    stage.play(f"perdure note finding 'the till logs in with {_TOKEN}'")

    stage.say("A claim about the code is checked in the file. An invented quote is refused.")
    stage.play(
        "perdure claim add 'rounded up' --cite '${PROJECT_ROOT}/cart.py:2' --quote 'return math.ceil(sum(prices))'",
        expect=1,
    )
    stage.play(
        "perdure claim add 'two digits' --cite '${PROJECT_ROOT}/cart.py:2' --quote 'return round(sum(prices), 2)'"
    )

    stage.say("The right pane decides the opposite. Both decisions stay on record, and the first counts until settled.")
    stage.play("perdure decide 'round half up' --because 'school does' --key rounding --value half-up", pane="right")


def _show_what_survives(stage: _Stage) -> None:
    stage.say("The context is compacted: a new session starts in the same place and continues the transaction.")
    stage.play("perdure session start --source compact")
    stage.play("perdure recover --max-tokens 400")

    stage.say("git clean -fdx deletes everything that is not tracked. One command brings it back.")
    stage.git("clean", "-fdx")
    stage.play("perdure heal")

    stage.say("An assessment closes the transaction, from anywhere. It can be closed only once.")
    stage.play("perdure postflight --know 0.9 --uncertainty 0.1 --completion 1 --because 'tests pass'")
    stage.play("perdure postflight --know 0.9 --uncertainty 0.1", expect=1)


def _show_a_proof(stage: _Stage) -> None:
    stage.say("Thoughts form a hash chain of their own, which is sealed with a Merkle root.")
    stage.play("perdure audit start --intent 'settle the rounding' --session rounding")
    thought = "--task rounding --type decision --agent demo --content 'half to even, as the bank does'"
    record = stage.play(f"perdure audit think {thought} --session rounding").split()[1]
    stage.play("perdure audit finalize rounding")

    stage.say("A proof is one file. A machine that has never seen the project checks it; one changed byte is refused.")
    auditor = os.path.join(stage.folder, "auditor")
    os.makedirs(auditor)
    proof = os.path.join(auditor, "proof.json")
    stage.play(f"perdure audit prove {record} --session rounding --output {proof}")
    key = stage.play("perdure audit key show").split()[0]
    stage.play(f"perdure audit verify-proof proof.json --key {key}", pane="auditor", where=auditor)
    _change_one_byte(proof, b"half to even")
    stage.play(f"perdure audit verify-proof proof.json --key {key}", pane="auditor", where=auditor, expect=1)


def _show_damage(stage: _Stage) -> None:
    stage.say(
        "Somebody changes one byte of the record. It is detected; what can be proved is recovered, the rest set aside."
    )
    _change_one_byte(os.path.join(stage.repository, ".perdure", "ledger.db"), b"round half to even")
    stage.play("perdure audit verify", expect=1)
    stage.play("perdure heal")


def _change_one_byte(path: str, words: bytes) -> None:
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(content.rindex(words))
        file.write(words[:1].upper())


def _flags(parser: argparse.ArgumentParser) -> None:
    """It has no flags."""


def _run(_arguments: Arguments) -> Answer:
    with tempfile.TemporaryDirectory(prefix="perdure-demo-") as folder:
        _play(_Stage(os.path.realpath(folder)))
    return Answer(
        None, lambda style: f"\n{style('green', 'That was the demo.')} Now run perdure init in a repository of yours."
    )


COMMANDS: dict[str, Command] = {
    "demo": Command(
        run=_run,
        flags=_flags,
        examples="perdure demo",
        about="Shows what Perdure does, in a temporary folder: two panes, a denied command, a transaction across a "
        "compaction, a lost ledger brought back, a proof made and checked, a changed byte detected.",
    )
}
