"""The portable script, in every shell there is: calls perdure, or says that it is not there (SPEC 6.1)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from perdure.install.claude_code import EVENTS, shim_text

SHELLS = [
    words
    for words in (["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"], ["sh"], ["zsh", "--emulate", "sh"])
    if shutil.which(words[0])
]


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request: pytest.FixtureRequest) -> list[str]:
    name, *rest = request.param
    return [str(shutil.which(name)), *rest]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "shop" / ".claude" / "hooks" / "perdure.sh"
    path.parent.mkdir(parents=True)
    path.write_text(shim_text())
    return path


def run(shell: list[str], script: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """With nothing on the path: not even what any system has."""
    return subprocess.run(
        [*shell, str(script), *words],
        input='{"tool_name": "Bash"}',
        env={"PATH": "/nowhere", "CLAUDE_PROJECT_DIR": str(script.parents[2]), **variables},
        cwd=script.parents[2],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_perdure_is_called_with_the_event_and_the_input(shell: list[str], script: Path, tmp_path: Path) -> None:
    fake = tmp_path / "bin" / "perdure"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\necho "$@"\ncat\nexit 1\n')
    fake.chmod(0o755)
    done = run(shell, script, "PreToolUse", PATH=f"{fake.parent}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout) == (1, 'hook PreToolUse\n{"tool_name": "Bash"}')


@pytest.mark.parametrize("event", EVENTS)
def test_without_perdure_only_the_start_of_a_session_says_so(shell: list[str], script: Path, event: str) -> None:
    done = run(shell, script, event)
    assert (done.returncode, done.stderr) == (0, "")
    if event == "SessionStart":
        assert "not installed" in json.loads(done.stdout)["systemMessage"]
    else:
        assert done.stdout == ""


REQUIRED = [
    "[gate]\nrequired = true\n",
    "[gate]\nrequired=true",
    "[gate]\r\nknow = 0.8\r\nrequired = true\r\n",
    "# a comment\n[export]\ntracked = true\n\n[gate] # ours\n\t required\t=  true # yes\n",
    '[ gate ]\n"required" = true\n',
    "gate.required = true\n",
    "gate = { know = 0.8, required = true }\n",
    'x = "*"\n[gate]\nreaders = [\n  "a b",\n]\nrequired = true\n',
]
NOT_REQUIRED = [
    "",
    "[gate]\nrequired = false\n",
    "[gate]\n# required = true\n",
    "[gate]\nknow = 0.5\n",
]
IN_DOUBT = [
    "['gate']\n'required' = true\n",
    '"gate".required = true\n',
    'gate = { mode = "#", required = true }\n',
    "[other]\nrequired = true\n",
]
"""Ways to write it that a script does not read; where it may be meant, it is."""


def config(script: Path, text: str) -> None:
    path = script.parents[2] / ".perdure" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())


@pytest.mark.parametrize("text", [*REQUIRED, *IN_DOUBT])
def test_a_project_that_requires_perdure_is_not_worked_in_without_it(shell: list[str], script: Path, text: str) -> None:
    config(script, text)
    done = run(shell, script, "PreToolUse")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "gate.required" in said["permissionDecisionReason"]
    assert run(shell, script, "PostToolUse").stdout == ""


@pytest.mark.parametrize("text", NOT_REQUIRED)
def test_any_other_project_is(shell: list[str], script: Path, text: str) -> None:
    config(script, text)
    done = run(shell, script, "PreToolUse")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_project_is_looked_for_above_and_a_strange_folder_ends_the_search(shell: list[str], script: Path) -> None:
    config(script, REQUIRED[0])
    below = script.parents[2] / "a" / "b"
    assert "deny" in run(shell, script, "PreToolUse", CLAUDE_PROJECT_DIR=str(below)).stdout
    assert run(shell, script, "PreToolUse", CLAUDE_PROJECT_DIR="nowhere").stdout == ""
    assert "deny" in run(shell, script, "PreToolUse", CLAUDE_PROJECT_DIR="").stdout, "the working directory"


def test_both_common_shells_were_tried() -> None:
    assert {words[0] for words in SHELLS} >= {"dash", "bash"}
