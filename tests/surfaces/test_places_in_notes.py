"""Places in the project that notes and decisions name are looked at again before a brief gives them (SPEC 12.2)."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, git
from tests.surfaces.test_hooks import Hooks

ROOT = "${PROJECT_ROOT}/"
LINE = f"{ROOT}src/cart.py:3"
SYMBOL = f"{ROOT}src/cart.py#Cart.clear"
CART = """\
class Cart:
    def add(self, price, count):
        total_cents = price * count
        return total_cents

    def clear(self):
        self.items = []


def unused():
    return None
"""


@pytest.fixture
def shop(cli: Cli) -> Cli:
    (cli.cwd / "src").mkdir()
    (cli.cwd / "src" / "cart.py").write_text(CART)
    commit(cli)
    return cli


def commit(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "add", "-A")
    git(cli.cwd, cli.environment, "commit", "-qm", "c")


def cart(cli: Cli) -> Path:
    return cli.cwd / "src" / "cart.py"


def lines_added_above(cli: Cli) -> None:
    cart(cli).write_text("import os\nimport sys\n\n" + CART)


def line_changed(cli: Cli) -> None:
    cart(cli).write_text(CART.replace("price * count", "price + count"))


def file_renamed(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "mv", "src/cart.py", "src/basket.py")
    commit(cli)


def renamed_and_edited(cli: Cli) -> None:
    file_renamed(cli)
    (cli.cwd / "src" / "basket.py").write_text("import os\n" + CART)
    commit(cli)


def file_deleted(cli: Cli) -> None:
    cart(cli).unlink()
    commit(cli)


def nothing_checked_out(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "rm", "-rqf", ".")


def nothing(cli: Cli) -> None:
    pass


def at_session_start(cli: Cli) -> str:
    return Hooks(cli).told("SessionStart", source="startup")


def recover(*flags: str) -> Callable[[Cli], str]:
    return lambda cli: cli("recover", *flags).out


GIVEN: list[tuple[str, Callable[[Cli], str]]] = [
    ("session start", at_session_start),
    ("brief", recover()),
    ("level 2", recover("--level", "2", "--query", "total")),
    ("level 3", recover("--level", "3")),
    ("level 1", recover("--level", "1", "--max-tokens", "300")),
]


@pytest.mark.parametrize("given", [pytest.param(each, id=name) for name, each in GIVEN])
@pytest.mark.parametrize(
    ("happened", "mark"),
    [
        (nothing, ""),
        (lines_added_above, " (now src/cart.py:6)"),
        (line_changed, " (changed)"),
        (file_renamed, " (now src/basket.py:3)"),
        (renamed_and_edited, " (now src/basket.py:4)"),
        (file_deleted, " (gone)"),
        (nothing_checked_out, " (unverified)"),
    ],
)
def test_a_line_that_a_note_or_a_decision_names_carries_its_new_place(
    shop: Cli, given: Callable[[Cli], str], happened: Callable[[Cli], None], mark: str
) -> None:
    shop.ok("note", "reasoning", f"the total at {LINE} is wrong")
    shop.ok("decide", f"keep the total of {LINE}, in cents", "--because", f"`{LINE}` has no floats in its total")
    happened(shop)
    said = given(shop)
    assert f"the total at {LINE}{mark} is wrong" in said
    assert f"keep the total of {LINE}{mark}, in cents — because `{LINE}{mark}` has no floats" in said


def test_where_git_cannot_say_what_a_file_was_renamed_to_its_place_is_unverified(shop: Cli, tmp_path: Path) -> None:
    shop.ok("note", "reasoning", f"the total at {LINE} is wrong")
    renamed_and_edited(shop)
    (tmp_path / "killed").mkdir()
    program = tmp_path / "killed" / "git"
    real = shutil.which("git", path=shop.environment["PATH"])
    program.write_text(f'#!/bin/sh\ncase " $* " in *" diff-"*|*" log "*) kill -9 $$;; esac\nexec {real} "$@"\n')
    program.chmod(0o755)
    said = shop("recover", PATH=f"{program.parent}{os.pathsep}{shop.environment['PATH']}").out
    assert f"the total at {LINE} (unverified) is wrong" in said


@pytest.mark.parametrize(
    ("happened", "mark"),
    [
        (nothing, ""),
        (lines_added_above, ""),
        (file_renamed, " (now src/basket.py#Cart.clear)"),
        (file_deleted, " (gone)"),
        (nothing_checked_out, " (unverified)"),
    ],
)
def test_a_symbol_is_looked_at_by_its_name(shop: Cli, happened: Callable[[Cli], None], mark: str) -> None:
    shop.ok("note", "next", f"call {SYMBOL} first")
    happened(shop)
    assert f"call {SYMBOL}{mark} first" in shop("recover").out


def test_a_symbol_that_has_another_name_or_another_content_now(shop: Cli) -> None:
    shop.ok("note", "next", f"call {SYMBOL} first")
    cart(shop).write_text(CART.replace("class Cart", "class Basket"))
    assert f"{SYMBOL} (now src/cart.py#Basket.clear) first" in shop("recover").out
    cart(shop).write_text(CART.replace("self.items = []", "self.items = {}"))
    assert f"{SYMBOL} (changed) first" in shop("recover").out


def test_a_handoff_is_given_with_the_places_as_they_are_now(shop: Cli) -> None:
    hooks = Hooks(shop)
    hooks("SessionStart", source="startup")
    shop.ok("note", "finding", f"the sum is at {LINE}")
    shop.ok("decide", "keep it", "--because", f"see {SYMBOL}")
    shop.ok("handoff", "write", "--tell", f"begin at {LINE}, then {ROOT}gone.py:1")
    before = {path.name: path.read_bytes() for path in (shop.cwd / ".perdure" / "handoffs").iterdir()}
    lines_added_above(shop)
    shown = shop("handoff", "show").out
    assert f"the sum is at {LINE} (now src/cart.py:6)" in shown
    assert f"begin at {LINE} (now src/cart.py:6), then {ROOT}gone.py:1 (no such file)" in shown
    file_renamed(shop)
    assert f"see {SYMBOL} (now src/basket.py#Cart.clear)" in shop("handoff", "show").out
    assert f"begin at {LINE} (now src/basket.py:6)" in hooks.told("SessionStart", source="clear")
    assert {name: (shop.cwd / ".perdure" / "handoffs" / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("kind", ["finding", "question", "blocker", "next", "constraint", "failed"])
def test_notes_of_every_kind(shop: Cli, kind: str) -> None:
    shop.ok("note", kind, f"look at {LINE}.")
    lines_added_above(shop)
    assert f"look at {LINE} (now src/cart.py:6)." in shop("recover", "--level", "3").out


def test_a_line_that_stands_in_several_places_is_told_by_its_neighbours(shop: Cli) -> None:
    cart(shop).write_text("def a():\n    x = 1\n    return None\n\n\ndef b():\n    y = 2\n    return None\n")
    shop.ok("note", "next", f"mend {ROOT}src/cart.py:8 soon")
    cart(shop).write_text("def b():\n    y = 2\n    return None\n\n\ndef a():\n    x = 1\n    return None\n")
    assert f"{ROOT}src/cart.py:8 (now src/cart.py:3) soon" in shop("recover").out


def test_several_lines_move_together_and_change_together(shop: Cli) -> None:
    shop.ok("note", "next", f"mend {ROOT}src/cart.py:2-7 soon")
    lines_added_above(shop)
    assert f"{ROOT}src/cart.py:2-7 (now src/cart.py:5-10) soon" in shop("recover").out
    cart(shop).write_text(CART.replace("def clear", "def empty"))
    assert f"{ROOT}src/cart.py:2-7 (changed) soon" in shop("recover").out


@pytest.mark.parametrize(
    ("place", "mark"),
    [
        ("src/nowhere.py:3", " (no such file)"),
        ("src/cart.py:400", " (no such line)"),
        ("src/cart.py#Nobody", " (no such symbol)"),
        ("src/cart.py:5", ""),  # a blank line
        ("src/cart.py:3:9", " (now src/cart.py:6)"),
        ("src/out.py:1", " (unverified)"),
        ("src/large.txt:1", " (unverified)"),
        ("src/picture:1", " (unverified)"),
        ("../passwd:1", ""),  # no citation
        ("src/cart.py", ""),
    ],
)
def test_places_that_cannot_be_looked_up(shop: Cli, place: str, mark: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside\n")
    os.symlink(tmp_path / "secret", shop.cwd / "src" / "out.py")
    (shop.cwd / "src" / "large.txt").write_text("x\n" * (1 << 20))
    (shop.cwd / "src" / "picture").write_bytes(b"\0\1" * 50)
    shop.ok("note", "next", f"mend {ROOT}{place} soon")
    lines_added_above(shop)
    assert f"mend {ROOT}{place}{mark} soon" in shop("recover").out


def test_no_words_of_the_file_get_into_the_record(shop: Cli) -> None:
    (shop.cwd / ".env").write_text("LAUNCH_WORD=open sesame and step inside\n")
    shop.ok("note", "next", f"mend {ROOT}.env:1 soon")
    assert "sesame" not in shop("export").out
    (shop.cwd / ".env").write_text("\n\nLAUNCH_WORD=open sesame and step inside\n")
    assert f"{ROOT}.env:1 (now .env:3) soon" in shop("recover").out


def test_what_the_person_said_stays_word_for_word(shop: Cli) -> None:
    Hooks(shop)("UserPromptSubmit", prompt=f"Please mend {LINE} and keep the total.")
    file_deleted(shop)
    assert f"Please mend {LINE} and keep" in shop("recover", "--level", "2", "--query", "total").out


def test_a_transcript_without_a_work_tree_marks_places_as_unverified(cli: Cli, tmp_path: Path) -> None:
    said = {
        "type": "assistant",
        "uuid": "a1",
        "cwd": str(tmp_path / "nowhere"),
        "message": {"role": "assistant", "content": [{"type": "text", "text": f"Now I will mend {LINE} first."}]},
    }
    (tmp_path / "t.jsonl").write_text(json.dumps(said) + "\n")
    out = cli("recover", "--transcript", str(tmp_path / "t.jsonl"), "--max-tokens", "300").out
    assert f"mend {LINE} (unverified) first" in out


def test_a_cut_never_parts_a_place_from_its_mark(shop: Cli) -> None:
    shop.ok("note", "next", f"mend the total of the cart, which is wrong since the last release, at {LINE} soon")
    file_deleted(shop)
    for most in range(40, 160):
        out = shop("recover", "--level", "1", "--max-tokens", str(most)).out
        assert out.count(LINE) == out.count(f"{LINE} (gone)"), out


def test_the_next_brief_is_the_same(shop: Cli) -> None:
    shop.ok("note", "next", f"mend {LINE} soon")
    lines_added_above(shop)
    assert shop("recover").out == shop("recover").out


def test_thousands_of_places_are_looked_at_in_bounded_time(shop: Cli) -> None:
    for at in range(60):
        (shop.cwd / "src" / f"m{at}.py").write_text("x = 1  # ${PROJECT_ROOT}/\n" * 30_000)
    commit(shop)
    words = " ".join(f"{ROOT}src/m{at % 60}.py:{at + 1}" for at in range(3000))
    begun = time.monotonic()
    shop.ok("note", "next", words)
    for at in range(60):
        (shop.cwd / "src" / f"m{at}.py").write_text("y = 1\n" + "x = 1  # ${PROJECT_ROOT}/\n" * 30_000)
    out = shop("recover", "--level", "3").out
    assert "(unverified)" in out
    assert time.monotonic() - begun < 30


def test_an_import_that_holds_nonsense_is_read_as_words(shop: Cli) -> None:
    from perdure.actions.identifiers import TextWithPlaces, marked

    kept: list[dict[str, Any]] = [
        {"at": LINE},
        {"at": LINE, "first": 3, "all": [], "count": "x"},
        {"at": LINE, "first": "a", "all": "b", "count": -5, "offset": 10**12, "above": {}, "below": [1]},
        {"at": LINE, "commit": "--output=/tmp/x", "blob": ["x"]},
    ]
    for each in kept:
        [text] = marked(str(shop.cwd), [TextWithPlaces(f"see {LINE}", (each,), is_own=False)])
        assert text in (f"see {LINE} (unverified)", f"see {LINE} (changed)")


def test_a_file_with_the_same_bytes_is_believed_only_of_this_ledger(shop: Cli) -> None:
    from perdure.actions.identifiers import TextWithPlaces, marked

    shop.ok("note", "next", f"mend {LINE} soon")
    [event] = [e for e in map(json.loads, shop("export").out.splitlines()) if e["kind"] == "note.next"]
    [kept] = event["payload"]["identifiers"]
    forged = {**kept, "first": "0" * 16, "all": "0" * 16}
    assert marked(str(shop.cwd), [TextWithPlaces(LINE, (forged,))]) == [LINE]
    assert marked(str(shop.cwd), [TextWithPlaces(LINE, (forged,), is_own=False)]) == [f"{LINE} (changed)"]
