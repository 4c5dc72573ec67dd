"""What a person reads fits their terminal and is in their time (SPEC 17.7)."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
from pathlib import Path

import pytest

from perdure.surfaces.folding import folded
from perdure.surfaces.output import Style, table, width_of
from tests.conftest import Cli, new_repository

PLAIN = Style(False)
FLAGS = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read the cart and all of its tests, twice")


def in_columns(cli: Cli, columns: int, *words: str) -> str:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cli.cwd)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        variables = {"NO_COLOR": "1", "TERM": "dumb", "PAGER": "cat"}
        os.execve(sys.executable, cli.command(*words), {**cli.environment, **variables})
    seen = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.waitpid(pid, 0)
    os.close(terminal)
    return seen.decode().replace("\r\n", "\n")


def test_a_terminal_that_does_not_tell_its_width_is_not_taken_for_a_narrow_one(cli: Cli) -> None:
    """As in a container or a recorder: it says that it has 0 columns."""
    cli.ok("note", "question", "may the API of the cart change before the release?")
    assert in_columns(cli, 0, "note", "list") == cli("note", "list").out
    assert in_columns(cli, 0, "note", "--help") == cli("note", "--help").out


def assert_fits(text: str, columns: int) -> None:
    """A word that is longer than the terminal, such as a path, is left whole for whoever copies it."""
    for line in text.splitlines():
        assert width_of(line) <= columns or len(line.split()) == 1, line


@pytest.mark.parametrize("columns", [40, 80])
def test_every_page_fits_the_terminal(
    cli: Cli, environment: dict[str, str], tmp_path: Path, columns: int, subtests: pytest.Subtests
) -> None:
    opened = cli.ok("preflight", *FLAGS, "--goal", "prices in whole cents 価格 and no floats anywhere in the cart")
    cli.ok("decide", "keep prices as whole cents everywhere", "--because", "floats lose a cent in every third sum")
    cli.ok("note", "question", "may the API of the cart change before the release?")
    cli.ok("task", "create", "round only at the very end of the computation of a price")
    new_repository(tmp_path / "店 two", environment)
    cli.ok("init", cwd=tmp_path / "店 two")
    pages = [
        ["status"],
        ["log"],
        ["project", "list"],
        ["config", "show"],
        ["note", "list"],
        ["task", "list"],
        ["gate", "explain", "sort -o prices.csv prices.csv"],
        ["transaction", "show", opened["transaction_id"]],
        ["where", "--explain"],
        ["help"],
    ]
    for page in pages:
        with subtests.test(" ".join(page)):
            shown = in_columns(cli, columns, *page)
            assert shown.strip()
            assert_fits(shown, columns)


@pytest.mark.parametrize("page", ["task", "task create", "heal", "doctor", "recover"])
def test_help_fits_the_terminal(cli: Cli, page: str) -> None:
    above, _, examples = in_columns(cli, 40, "help", *page.split()).partition("\nexamples:\n")
    assert_fits(above, 40)
    assert f"perdure {page}" in examples


def test_columns_are_aligned_below_wide_and_combining_characters_and_emoji() -> None:
    names = ["shop", "価格", "cafe\u0301", "🛒 cart", "family\u200d", "heart\ufe0f"]
    lines = table([[name, "x"] for name in names], ["project", "id"], PLAIN, columns=0).splitlines()
    assert {width_of(line[: line.rindex("x")]) for line in lines[1:]} == {9}


def test_a_table_that_is_too_wide_becomes_a_list_that_leaves_nothing_out() -> None:
    rows = [["gate.mode", "enforce", "~/.perdure/config.toml"], ["gate.scratch", "", "default"]]
    assert table(rows, ["setting", "value", "from"], PLAIN, columns=30).splitlines() == [
        "gate.mode",
        "  value  enforce",
        "  from   ~/.perdure/config.toml",
        "gate.scratch",
        "  from   default",
    ]


def test_the_last_column_of_a_table_is_folded_if_there_is_room() -> None:
    rows = [["1", "not given"], ["2", "not needed, because a row above gave the project"]]
    assert table(rows, ["n", "outcome"], PLAIN, columns=33).splitlines() == [
        "n  outcome",
        "1  not given",
        "2  not needed, because a row",
        "   above gave the project",
    ]


def test_a_cell_without_a_header_stands_beside_the_first_in_a_list() -> None:
    rows = [["1", "PASS", "the grounding ratio of the lineage"]]
    shown = table(rows, ["n", "", "step"], PLAIN, columns=25).splitlines()
    assert shown == ["1  PASS", "  step  the grounding ratio of the lineage"]


def test_a_text_after_a_long_label_goes_on_below_itself_in_a_wide_terminal() -> None:
    line = "✓ sandboxed shell  a transaction opens and closes although the home cannot be written"
    assert folded(line, 80).split("\n")[1] == " " * 19 + "written"


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("short enough", ["short enough"]),
        ("goals        prices in whole cents", ["goals        prices in", "             whole cents"]),
        ("  perdure heal --project-path /a/long/path", ["  perdure heal --project-path /a/long/path"]),
        ("  words that are indented go on so", ["  words that are indented", "  go on so"]),
        ("\x1b[2mgoals        \x1b[0mprices in cents", ["\x1b[2mgoals        \x1b[0mprices in", " " * 13 + "cents"]),
        ("a/path/that/is/longer/than/the/line is whole", ["a/path/that/is/longer/than/the/line", "is whole"]),
        ("価格 価格 価格 価格 価格 価格", ["価格 価格 価格 価格 価格", "価格"]),
    ],
)
def test_a_line_is_folded_between_words(line: str, lines: list[str]) -> None:
    assert folded(line, 25).split("\n") == lines


def test_times_are_the_persons_and_utc_in_json(cli: Cli) -> None:
    made = cli.ok("note", "finding", "x")["note_id"]
    ts = next(note["ts"] for note in cli.ok("note", "list") if note["note_id"] == made)
    assert ts.endswith("Z")
    cli.is_forked = False  # a process reads its time zone when it starts
    here = cli("note", "list", TZ="UTC-9").out
    there = cli("note", "list", TZ="UTC").out
    assert ts[:16].replace("T", " ") in there
    assert ts[:16].replace("T", " ") not in here
    assert "UTC" not in here


def test_one_session_is_told_in_the_persons_time_and_words(cli: Cli) -> None:
    started = cli.ok("session", "start")
    cli.ok("note", "finding", "x")
    session = cli.ok("session", "show")
    cli.is_forked = False  # a process reads its time zone when it starts
    shown = cli("session", "show", session["session_id"], TZ="UTC-9").out
    assert f"session      {started['session_id']}" in shown
    assert session["started_at"] not in shown, "that is UTC"
    assert "_id" not in shown


@pytest.mark.parametrize("columns", [40, 80])
def test_a_refusal_and_its_way_out_fit_the_terminal(cli: Cli, columns: int) -> None:
    cli.ok("preflight", *FLAGS, "--goal", "prices in whole cents")
    assert_fits(in_columns(cli, columns, "check", "--know", "0.9", "--uncertainty", "0.1", "--instance", "q"), columns)
    assert_fits(in_columns(cli, columns, "status", "--alll"), columns)


def test_a_command_that_a_person_copies_is_not_cut_in_the_middle() -> None:
    said = "It belongs to another pane. To take it over anyway: perdure transaction adopt 865f836a. Or open one here."
    for columns in range(40, 100):
        assert "perdure transaction adopt 865f836a." in folded(said, columns), columns
