"""A test that does not trust us: commands of the table are really run, and what they did is held against their label.

Those that only look change nothing; those that change something do. The effect that the gate gives them is held against
the same label by test_table, so a wrong label would show in one of the two.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.effort import part, sampled

from . import sandbox
from .table import attacks, shell, text_and_files, tools

CASES = [case for cases in (shell.CASES, text_and_files.CASES, tools.CASES, attacks.CASES) for case in cases if case[3]]
LOOKING = [command for effect, command, _, _ in CASES if effect == "noetic"]
CHANGING = [command for effect, command, _, _ in CASES if effect == "praxic"]
FIRST_OF_A_PROGRAM = {command.split()[0]: command for command in reversed(CHANGING)}.values()
CHANGING = [command for command in CHANGING if command in {*part(CHANGING, 5), *FIRST_OF_A_PROGRAM}]
"""One of each program, and each fifth. `make test-long` runs all."""
TOGETHER = 25
MARK = "#--next--#"

pytestmark = pytest.mark.skipif(bool(sandbox.missing()), reason=sandbox.missing())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sandbox.build(tmp_path_factory.mktemp("sandbox") / "template")


def one_after_the_other(commands: list[str]) -> str:
    """Each in a shell of its own, in the work tree."""
    lines = []
    for number, command in enumerate(commands):
        lines.append(f"c{number}=$(cat <<'PERDURE_SANDBOX_END'\n{command}\nPERDURE_SANDBOX_END\n)")
        lines.append(f'timeout 20 bash -c "$c{number}" </dev/null >/dev/null 2>&1')
    return "\n".join(lines)


@pytest.mark.parametrize("start", range(0, len(LOOKING), TOGETHER))
def test_what_only_looks_changes_nothing(start: int, template: Path, tmp_path: Path) -> None:
    some = LOOKING[start : start + TOGETHER]
    box = sandbox.copied(template, tmp_path / "box")
    before = sandbox.snapshot(box, index=False)
    sandbox.run(box, one_after_the_other(some), 200)
    if sandbox.changed(before, sandbox.snapshot(box, index=False)):
        for number, command in enumerate(some):
            alone = sandbox.copied(template, tmp_path / f"alone{number}")
            before = sandbox.snapshot(alone, index=False)
            sandbox.run(alone, command, 30)
            assert sandbox.changed(before, sandbox.snapshot(alone, index=False)) == [], command


@sampled
@pytest.mark.parametrize("start", range(0, len(CHANGING), TOGETHER))
def test_what_changes_something_does(start: int, template: Path, tmp_path: Path) -> None:
    some = CHANGING[start : start + TOGETHER]
    boxes = [sandbox.copied(template, tmp_path / f"box{number}") for number in range(len(some))]
    before, made, idle = sandbox.snapshot(template), sandbox.moment(tmp_path), []
    for command, box in zip(some, boxes, strict=True):
        done = sandbox.run(box, command, 30)
        if not sandbox.changed(before, sandbox.snapshot(box, of=before, since=made)):
            idle.append((command, done.stderr.decode(errors="replace")[-200:]))
    assert idle == []


def test_the_sandbox_itself_would_show_a_change(template: Path, tmp_path: Path) -> None:
    box = sandbox.copied(template, tmp_path / "box")
    before = sandbox.snapshot(box, index=False)
    sandbox.run(box, "true", 10)
    assert sandbox.changed(before, sandbox.snapshot(box, index=False)) == []
    sandbox.run(box, "touch -m README.md; touch /etc/perdure-was-here", 10)
    assert [Path(path).name for path in sandbox.changed(before, sandbox.snapshot(box))][-1:] == ["README.md"]
    assert not Path("/etc/perdure-was-here").exists()
