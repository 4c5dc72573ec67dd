"""Claims as a person or an agent meets them: added, refused, listed, checked after the files changed (SPEC 8)."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli, git

ROOT = "${PROJECT_ROOT}/"
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
QUOTE = "total_cents = price * count"


@pytest.fixture
def shop(cli: Cli) -> Cli:
    (cli.cwd / "src").mkdir()
    (cli.cwd / "src" / "cart.py").write_text(CART)
    commit(cli)
    return cli


def commit(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "add", "-A")
    git(cli.cwd, cli.environment, "commit", "-qm", "c")


def cite(cli: Cli, quote: str = QUOTE, lines: str = "3") -> Any:
    return cli.ok("claim", "add", "it multiplies", "--cite", f"{ROOT}src/cart.py:{lines}", "--quote", quote)


def events(cli: Cli, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in cli("export").out.splitlines()]
    return [event["payload"] for event in found if event["kind"] == kind]


def checked(cli: Cli, code: int, *ids: str) -> Any:
    result = cli("claim", "check", *ids, "--json")
    assert result.code == code, result
    return result.json


# -- adding ----------------------------------------------------------------------------------------------------------


def test_a_citation_is_stored_with_what_the_file_said(shop: Cli) -> None:
    made = cite(shop)
    assert (made["class"], made["grounded"], made["path"], made["line"]) == ("verified", True, "src/cart.py", 3)
    (stored,) = events(shop, "claim.made")
    assert stored["quote"] == QUOTE
    assert stored["blob"] == git(shop.cwd, shop.environment, "rev-parse", "HEAD:src/cart.py").strip()
    assert stored["commit"] == git(shop.cwd, shop.environment, "rev-parse", "HEAD").strip()
    assert stored["symbol"] == "Cart.add"
    assert stored["symbol_hash"].startswith("syntax:")
    assert "$masked" not in stored


def test_a_quote_at_another_line_is_taken_with_its_true_place(shop: Cli) -> None:
    made = cite(shop, lines="9")
    assert (made["class"], made["line"]) == ("moved", 3)
    (found,) = checked(shop, 0)
    assert (found["class"], found["line"], found["new_line"]) == ("moved", 9, 3)


@pytest.mark.parametrize(
    ("quote", "path"),
    [
        ("total_euros = price * count", "src/cart.py"),
        (QUOTE, "src/none.py"),
        (QUOTE, "src"),
        ("total_cents = price * counts", "src/cart.py"),
    ],
)
def test_a_fabricated_quote_is_refused_and_the_refusal_is_recorded(shop: Cli, quote: str, path: str) -> None:
    refused = shop("claim", "add", "it multiplies", "--cite", f"{ROOT}{path}:3", "--quote", quote, "--json")
    assert (refused.code, refused.error["code"]) == (1, "fabricated_claim")
    (stored,) = events(shop, "claim.refused")
    assert (stored["claim"], stored["quote"]) == ("it multiplies", quote)
    assert events(shop, "claim.made") == []
    (listed,) = shop.ok("claim", "list")
    assert (listed["class"], listed["grounded"]) == ("fabricated", False)
    assert checked(shop, 0) == []


def test_another_way_to_write_a_path_is_refused_with_the_corrected_form(shop: Cli, subtests: pytest.Subtests) -> None:
    wanted = f"{ROOT}src/cart.py:3"
    for where, text in (
        (shop.cwd, "src/cart.py:3"),
        (shop.cwd, "./src/cart.py:3"),
        (shop.cwd / "src", "cart.py:3"),
        (shop.cwd / "src", "../src/cart.py:3"),
        (shop.cwd, f"{shop.cwd}/src/cart.py:3"),
        (shop.cwd, "$PROJECT_ROOT/src/cart.py:3"),
    ):
        for command in (("claim", "add"), ("decide",)):
            with subtests.test(text, command=command[0]):
                refused = shop(*command, "x", "--cite", text, "--quote", QUOTE, "--json", cwd=where)
                assert (refused.code, refused.error["code"]) == (2, "bad_citation")
                assert refused.error["details"]["corrected"] == wanted
                assert wanted in refused.error["hint"]
    assert [*events(shop, "claim.refused"), *events(shop, "decision.made")] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["x"], "usage"),
        (["--assume"], "usage"),
        (["x", "--cite", ROOT + "src/cart.py:3"], "usage"),
        (["x", "--quote", QUOTE], "usage"),
        (["x", "--assume", "--symbol", ROOT + "src/cart.py#Cart"], "usage"),
        (["x", "--stdin"], "usage"),
        (["  ", "--assume"], "empty_text"),
        (["x", "--cite", ROOT + "src/cart.py:3", "--quote", "}"], "bad_quote"),
        (["x", "--cite", ROOT + "src/cart.py:3", "--quote", "total"], "bad_quote"),
        (["x", "--cite", ROOT + "src/cart.py#Cart", "--quote", QUOTE], "bad_quote"),
        (["x", "--symbol", ROOT + "src/cart.py:3"], "bad_quote"),
        (["x", "--user-said", "..."], "bad_quote"),
        (["x", "--cite", ROOT + "out:1", "--quote", "the words of another file"], "cannot_cite"),
        (["x", "--cite", ROOT + "src/cart.py:3", "--quote", "password = 'hunter2-Wq8zL1pT'"], "looks_secret"),
    ],
)
def test_what_cannot_be_a_claim_is_refused_and_nothing_is_written(shop: Cli, words: list[str], code: str) -> None:
    (shop.cwd.parent / "secret").write_text("the words of another file\n")
    (shop.cwd / "out").symlink_to(shop.cwd.parent / "secret")
    refused = shop("claim", "add", *words, "--json")
    assert (refused.code, refused.error["code"]) == (2, code)
    assert [*events(shop, "claim.made"), *events(shop, "claim.refused")] == []


def test_what_perdure_wrote_from_the_record_is_not_evidence(shop: Cli, subtests: pytest.Subtests) -> None:
    """Otherwise an agent could cite its own note, and find what it calls absent in its own task."""
    said = "the cart is safe to share between threads"
    shop.ok("config", "set", "notes.tracked", "true")
    shop.ok("note", "finding", said)
    shop.ok("task", "create", f"{said}, so retry with exponential backoff")
    shop.ok("task", "export")
    shop.ok("notes", "write")
    private, segment = shop.cwd / ".perdure" / "NOTES.md", shop.cwd / ".perdure" / "export" / "1.jsonl"
    segment.parent.mkdir()
    segment.write_text(json.dumps({"queries": ["retry", "exponential backoff"]}))
    git(shop.cwd, shop.environment, "add", "-f", str(segment))
    private.write_text((shop.cwd / "NOTES.md").read_text())
    (shop.cwd / "copied.txt").write_text((shop.cwd / "NOTES.md").read_text())
    (shop.cwd / "linked").symlink_to(private)
    commit(shop)
    for path in ("NOTES.md", ".perdure/NOTES.md", ".beads/issues.jsonl", "copied.txt", "linked", ".git/config"):
        with subtests.test(path):
            refused = shop("claim", "add", said, "--cite", f"{ROOT}{path}:1", "--quote", said, "--json")
            assert (refused.code, refused.error["code"]) == (2, "cannot_cite")
            assert "what was said" in refused.error["message"] or path == ".git/config"
    decided = shop.ok("decide", "share it", "--cite", f"{ROOT}NOTES.md:1", "--quote", said)
    assert not decided["grounded"]
    ours = (shop.cwd / ".perdure" / "project.toml").read_text().splitlines()[0]
    assert shop.ok("claim", "add", "a name", "--cite", f"{ROOT}.perdure/project.toml:1", "--quote", ours)["grounded"]
    found = absent(shop)
    assert (found["class"], found["places"]) == ("confirmed_ghost", [])
    assert "confirmed_ghost" in [each["class"] for each in checked(shop, 0)]


def test_a_symbol_is_cited_by_its_name(shop: Cli) -> None:
    made = shop.ok("claim", "add", "it adds", "--symbol", f"{ROOT}src/cart.py#Cart.add")
    assert (made["grounding"], made["class"], made["line"], made["end_line"]) == ("code_reference", "verified", 2, 4)
    refused = shop("claim", "add", "it adds", "--symbol", f"{ROOT}src/cart.py#Cart.remove", "--json")
    assert (refused.code, refused.error["code"]) == (1, "fabricated_claim")


def test_lines_of_json_are_answered_one_a_line_and_a_bad_one_stops_no_other(shop: Cli) -> None:
    given = [
        {"claim": "a", "path": f"{ROOT}src/cart.py", "line": 3, "quote": QUOTE},
        {"claim": "b", "path": f"{ROOT}src/cart.py", "line": 3, "end_line": 4, "quote": QUOTE, "grounding": "citation"},
        {"claim": "c", "path": f"{ROOT}src/cart.py", "symbol": "Cart.add", "colour": "red"},
        {"claim": "whole", "symbol": f"{ROOT}src/cart.py#Cart.clear"},
        {"claim": "d", "grounding": "assumption"},
    ]
    bad: list[tuple[Any, str]] = [
        ("no json", "bad_input"),
        ("[]", "bad_input"),
        ({"claim": "e"}, "bad_field"),
        ({"claim": 7, "grounding": "assumption"}, "bad_field"),
        ({"claim": "e", "grounding": "guess"}, "bad_field"),
        ({"claim": "e", "path": f"{ROOT}src/cart.py", "line": "3", "quote": QUOTE}, "bad_field"),
        ({"claim": "e", "path": f"{ROOT}src/cart.py", "line": 3, "quote": "an invented quote"}, "fabricated_claim"),
        ({"claim": "e", "path": "src/cart.py", "line": 3, "quote": QUOTE}, "bad_citation"),
        ({"claim": "e", "path": f"{ROOT}src/cart.py", "line": 3, "quote": QUOTE, "grounding": "code_reference"},
         "bad_citation"),
        ({"claim": "e", "grounding": "assumption", "quote": QUOTE}, "bad_field"),
        ({"claim": "e", "symbol": "src/cart.py#Cart.add"}, "bad_field"),
        ({"claim": "e", "symbol": f"{ROOT}src/cart.py#Cart.add", "quote": QUOTE}, "bad_quote"),
        ('{"claim": "' + "x" * (1 << 20) + '"}', "bad_input"),
    ]  # fmt: skip
    lines = [each if isinstance(each, str) else json.dumps(each) for each in [*(each for each, _ in bad), *given]]
    result = shop("claim", "add", "--stdin", input="\n\n".join(lines))
    assert result.code == 1
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [each["error"]["code"] for each in answers[: len(bad)]] == [code for _, code in bad]
    assert [each["line_number"] for each in answers[: len(bad)]] == list(range(1, 2 * len(bad), 2))
    assert [each["class"] for each in answers[len(bad) :]] == ["verified"] * 4 + [None]
    assert answers[-3]["warnings"] == ["field 'colour' is not used here"]
    assert shop("claim", "add", "--stdin", input=lines[-1]).code == 0
    assert shop("claim", "add", "--stdin", input="").out == ""


def line_of(claim: str, quote: str = QUOTE, line: int = 3) -> bytes:
    given = {"claim": claim, "path": f"{ROOT}src/cart.py", "line": line, "quote": quote}
    return json.dumps(given).encode() + b"\n"


def start_asking(shop: Cli) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        shop.command("claim", "add", "--stdin"),
        cwd=shop.cwd,
        env=shop.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def test_each_line_is_answered_before_the_next_is_given_and_by_the_file_as_it_is_then(shop: Cli) -> None:
    with start_asking(shop) as process:
        assert process.stdin
        assert process.stdout

        def ask(line: bytes) -> Any:
            assert process.stdin
            assert process.stdout
            process.stdin.write(line)
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0], "no answer"
            return json.loads(process.stdout.readline())

        assert ask(line_of("a"))["class"] == "verified"
        assert ask(b"no json\n")["error"]["code"] == "bad_input"
        (shop.cwd / "src" / "cart.py").write_text(CART.replace("* count", "+ count"))
        assert ask(line_of("b"))["error"]["code"] == "fabricated_claim"
        assert ask(line_of("c", "total_cents = price + count"))["class"] == "verified"
        process.stdin.close()
        assert process.wait(60) == 1


def test_lines_are_recorded_if_nobody_reads_the_answers_or_only_at_the_end(shop: Cli) -> None:
    many = b"".join(b'{"claim": "%d%b", "grounding": "assumption"}\n' % (n, b"x" * 3000) for n in range(60))
    with start_asking(shop) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(many)
        process.stdin.close()
        assert len(process.stdout.readlines()) == 60
    with start_asking(shop) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(many.replace(b"xxx", b"xyx"))
        process.stdin.close()
        assert process.wait(60) == 0
    assert len(events(shop, "claim.made")) == 120


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("perdure claim add x --cite '${PROJECT_ROOT}/src/cart.py:3' --quote 'return total_cents'", "pass"),
        ("perdure claim add --stdin < claims.jsonl", "pass"),
        ("perdure claim absent x --query retry --query backoff --in src/", "pass"),
        ("perdure claim list", "pass"),
        ("perdure claim check --json", "pass"),
        ("perdure claim add x --assume > src/cart.py", "deny"),
        ("perdure claim add x --assume --instance right", "deny"),
        ("perdure claim check --instance right", "pass"),
    ],
)
def test_the_gate_never_blocks_a_claim(shop: Cli, command: str, verdict: str) -> None:
    assert shop("gate", "explain", "--json", command).json["verdict"] == verdict


# -- the person's words ----------------------------------------------------------------------------------------------


def prompt(cli: Cli, words: str, instance: str) -> None:
    given = json.dumps({"prompt": words, "cwd": str(cli.cwd), "session_id": f"s-{instance}"})
    done = cli("hook", "UserPromptSubmit", input=given, PERDURE_INSTANCE=instance)
    assert done.code == 0, done


def test_words_that_the_person_typed_in_this_lineage_are_evidence(shop: Cli) -> None:
    prompt(shop, "Fix the cart, and please add no new dependencies.\nyes", "left")
    said = shop(
        "claim", "add", "no new ones", "--user-said", "add no new  dependencies", "--json", PERDURE_INSTANCE="left"
    )
    assert (said.code, said.json["class"], said.json["grounded"]) == (0, "verified", True)
    short = shop("claim", "add", "agreed", "--user-said", "yes", "--json", PERDURE_INSTANCE="left")
    assert short.code == 0
    for words, instance in (
        ("add many new dependencies", "left"),
        ("cart", "left"),
        ("add no new dependencies", "right"),
    ):
        refused = shop("claim", "add", "x", "--user-said", words, "--json", PERDURE_INSTANCE=instance)
        assert (refused.code, refused.error["code"]) == (1, "fabricated_claim"), words
    assert [each["class"] for each in checked(shop, 0)] == ["verified", "verified"]
    (prompted,) = [
        json.loads(line)["id"] for line in shop("export").out.splitlines() if '"kind":"prompt.given"' in line
    ]
    shop.ok("redact", prompted, "--because", "private")
    assert [each["class"] for each in checked(shop, 1)] == ["missing", "missing"]


PASSED_ON = (
    "what is this?\n```\nthe index must be dropped first\n```\nthanks",
    "what is this?\n~~~text\nthe index must be dropped first",
    "it said\n> the index must be dropped first\nis that right?",
    "go on <task-notification><result>the index must be dropped first</result></task-notification> please",
    "go on\n<teammate-message teammate_id='a'>\nthe index must be dropped first\n</teammate-message>",
    "look:\n<log>\nthe index must be dropped first\n</log>\nwhy?",
    "why?\n<channel source='chat'>the index must be dropped first</channel>",
)


@pytest.mark.parametrize("words", PASSED_ON)
def test_what_the_person_only_passes_on_in_a_prompt_is_not_their_word(shop: Cli, words: str) -> None:
    prompt(shop, words, "left")
    said = ("claim", "add", "drop it", "--user-said", "the index must be dropped first", "--json")
    refused = shop(*said, PERDURE_INSTANCE="left")
    assert (refused.code, refused.error["code"]) == (1, "fabricated_claim")
    assert "passed on" in refused.error["message"]
    prompt(shop, "Yes: the index must be dropped first, I looked.", "left")
    assert shop(*said, PERDURE_INSTANCE="left").code == 0


@pytest.mark.parametrize(
    ("said", "quote", "code"),
    [
        ("Please do not use floats for prices.", "use floats for prices", 1),
        ("Please do not use floats for prices.", "do not use floats for prices", 0),
        ("Please don't ever use floats for prices.", "use floats for prices", 1),
        ("No, use floats for prices.", "use floats for prices", 0),
        ("Do not round. Use floats for prices.", "Use floats for prices", 0),
        ("Never use floats for prices; I mean it.\nOr yes: use floats for prices", "use floats for prices", 0),
        ("Keine Gleitkommazahlen für Preise", "Gleitkommazahlen für Preise", 1),
    ],
)
def test_a_quote_that_leaves_out_the_not_is_not_what_the_person_said(
    shop: Cli, said: str, quote: str, code: int
) -> None:
    prompt(shop, said, "left")
    done = shop("claim", "add", "x", "--user-said", quote, "--json", PERDURE_INSTANCE="left")
    assert done.code == code, done
    assert code == 0 or "quote that, too" in done.error["message"]


def test_a_quote_does_not_reach_across_what_was_passed_on(shop: Cli) -> None:
    prompt(shop, "You may delete\n```\nx\n```\nthe old tables never again", "left")
    said = ("claim", "add", "x", "--json", "--user-said")
    assert shop(*said, "You may delete the old tables", PERDURE_INSTANCE="left").code == 1
    assert shop(*said, "the old tables never again", PERDURE_INSTANCE="left").code == 0


def test_words_of_a_transaction_that_was_adopted_are_of_another_lineage(shop: Cli) -> None:
    prompt(shop, "hello there, first pane", "left")
    flags = ("--know", "0.8", "--uncertainty", "0.2", "--because", "read it", "--json")
    opened = shop("preflight", *flags, PERDURE_INSTANCE="left").json["transaction_id"]
    prompt(shop, "the left pane may drop the tables", "left")
    prompt(shop, "hello there, second pane", "right")
    assert shop("transaction", "adopt", opened, PERDURE_INSTANCE="right").code == 0
    said = ("claim", "add", "x", "--user-said", "the left pane may drop the tables", "--json")
    assert shop(*said, PERDURE_INSTANCE="right").code == 1


# -- checking --------------------------------------------------------------------------------------------------------


def write(text: str) -> Callable[[Cli], object]:
    return lambda cli: (cli.cwd / "src" / "cart.py").write_text(text)


def move(cli: Cli) -> None:
    git(cli.cwd, cli.environment, "mv", "src/cart.py", "basket.py")


CHANGES: list[tuple[str, Callable[[Cli], object], tuple[str, str], tuple[Any, ...]]] = [
    ("nothing", lambda _: None, ("verified", "verified"), (None, None)),
    ("lines above", write("# one\n\n" + CART), ("moved", "verified"), ("src/cart.py", 5)),
    ("white space", write(CART.replace("price * count", "price  *   count")), ("verified", "verified"), (None, None)),
    ("a comment in it", write(CART.replace("= price", "= price")), ("verified", "verified"), (None, None)),
    ("another symbol", write(CART.replace("return None", "return 1")), ("verified", "verified"), (None, None)),
    ("the quote", write(CART.replace("* count", "+ count")), ("changed", "changed"), (None, None)),
    (
        "beside the quote",
        write(CART.replace("return total", "return 2 * total")),
        ("verified", "changed"),
        (None, None),
    ),
    ("a rename", move, ("moved", "moved"), ("basket.py", 3)),
    ("deleted", lambda cli: os.unlink(cli.cwd / "src" / "cart.py"), ("missing", "missing"), (None, None)),
    ("CRLF", write(CART.replace("\n", "\r\n")), ("verified", "verified"), (None, None)),
]


LICENCE = "".join(f"// Licensed under the terms of the licence, clause {n}, as everybody agreed\n" for n in range(40))
GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("the answer is", 42)\n}\n'


def cite_go(cli: Cli) -> None:
    (cli.cwd / "main.go").write_text(GO)
    (cli.cwd / "other.go").write_text(GO.replace('"the answer is", 42', '"nothing like it"') + "// not this one\n")
    commit(cli)
    cli.ok("claim", "add", "q", "--cite", f"{ROOT}main.go:6", "--quote", 'fmt.Println("the answer is", 42)')
    cli.ok("claim", "add", "s", "--symbol", f"{ROOT}main.go#main")


def classes_of(cli: Cli, code: int = 0) -> set[tuple[str, str | None]]:
    return {(each["class"], each["new_path"]) for each in checked(cli, code)}


@pytest.mark.parametrize("how", ["committed", "committed twice", "staged", "not added"])
def test_a_file_that_is_renamed_under_a_new_licence_is_recognised(shop: Cli, how: str) -> None:
    """git finds no rename: hardly a line in ten of the new file is the old one's."""
    cite_go(shop)
    (shop.cwd / "cmd").mkdir()
    os.rename(shop.cwd / "main.go", shop.cwd / "cmd" / "server.go")
    (shop.cwd / "cmd" / "server.go").write_text(LICENCE + GO)
    now = "cmd/server.go"
    if how == "staged":
        git(shop.cwd, shop.environment, "add", "-A")
    elif how.startswith("committed"):
        commit(shop)
        assert "R" not in git(shop.cwd, shop.environment, "diff", "--name-status", "-M", "HEAD~", "HEAD")
    if how == "committed twice":
        git(shop.cwd, shop.environment, "mv", now, "last.go")
        now = "last.go"
        commit(shop)
    assert classes_of(shop) == {("moved", now)}


def test_a_deleted_file_is_missing_although_others_have_some_of_its_lines(shop: Cli) -> None:
    cite_go(shop)
    (shop.cwd / "copy.go").write_text(GO + "// a copy that was there before\n")
    commit(shop)
    shop.ok("claim", "add", "later", "--cite", f"{ROOT}main.go:6", "--quote", 'fmt.Println("the answer is", 42)')
    (shop.cwd / "new.go").write_text(LICENCE + GO.replace('"the answer is", 42', '"another"'))
    os.unlink(shop.cwd / "main.go")
    os.unlink(shop.cwd / "copy.go")
    commit(shop)
    assert classes_of(shop, 1) == {("missing", None)}


def test_a_rename_is_found_after_the_commit_of_the_claim_was_amended_and_pruned(shop: Cli) -> None:
    cite_go(shop)
    git(shop.cwd, shop.environment, "commit", "-q", "--amend", "-m", "in other words")
    git(shop.cwd, shop.environment, "reflog", "expire", "--expire=now", "--all")
    git(shop.cwd, shop.environment, "gc", "-q", "--prune=now")
    git(shop.cwd, shop.environment, "mv", "main.go", "app.go")
    commit(shop)
    assert classes_of(shop) == {("moved", "app.go")}


def test_a_rename_is_found_though_git_converts_line_ends(shop: Cli) -> None:
    cite(shop)
    git(shop.cwd, shop.environment, "config", "core.autocrlf", "true")
    os.unlink(shop.cwd / "src" / "cart.py")
    git(shop.cwd, shop.environment, "checkout", "-q", "--", "src/cart.py")
    assert b"\r\n" in (shop.cwd / "src" / "cart.py").read_bytes()
    assert classes_of(shop) == {("verified", None)}
    os.rename(shop.cwd / "src" / "cart.py", shop.cwd / "basket.py")
    assert classes_of(shop) == {("moved", "basket.py")}


def with_submodule(cli: Cli, folder: Path) -> Path:
    folder.mkdir()
    git(folder, cli.environment, "init", "-q")
    (folder / "cart.py").write_text(CART)
    git(folder, cli.environment, "add", "-A")
    git(folder, cli.environment, "commit", "-qm", "c")
    git(cli.cwd, cli.environment, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(folder), "sub")
    commit(cli)
    return cli.cwd / "sub"


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_file_of_a_submodule_is_followed_in_the_submodule(shop: Cli, tmp_path: Path, *, is_committed: bool) -> None:
    sub = with_submodule(shop, tmp_path / "other")
    shop.ok("claim", "add", "q", "--cite", f"{ROOT}sub/cart.py:3", "--quote", QUOTE)
    git(sub, shop.environment, "mv", "cart.py", "basket.py")
    git(sub, shop.environment, "commit", "-qm", "renamed")
    if is_committed:
        commit(shop)
    assert classes_of(shop) == {("moved", "sub/basket.py")}


@pytest.mark.parametrize(("change", "classes", "place"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
@pytest.mark.parametrize("is_committed", [False, True])
def test_what_became_of_a_claim_is_seen(
    shop: Cli, change: Callable[[Cli], object], classes: tuple[str, str], place: tuple[Any, ...], is_committed: bool
) -> None:
    made = cite(shop)
    symbol = shop.ok("claim", "add", "it adds", "--symbol", f"{ROOT}src/cart.py#Cart.add")
    change(shop)
    if is_committed:
        git(shop.cwd, shop.environment, "add", "-A")
        git(shop.cwd, shop.environment, "commit", "-q", "--allow-empty", "-m", "c")
    lost = any(each in ("changed", "missing") for each in classes)
    found = {each["id"]: each for each in checked(shop, 1 if lost else 0)}
    quote = found[made["claim_id"]]
    assert (quote["class"], found[symbol["claim_id"]]["class"]) == classes
    assert (quote["path"], quote["line"], quote["class_when_made"]) == ("src/cart.py", 3, "verified")
    assert (quote["new_path"], quote["new_line"]) == place
    assert [
        each["class"] for each in checked(shop, int(classes[0] in ("changed", "missing")), made["claim_id"][:8])
    ] == [classes[0]]


def test_a_quote_within_more_cited_lines_is_verified_while_it_stands_in_them(shop: Cli) -> None:
    cite(shop, lines="2-6")
    symbol = shop.ok("claim", "add", "it clears", "--symbol", f"{ROOT}src/cart.py#Cart.clear")
    assert symbol["line"] == 6
    for above, outcome, new in ((0, "verified", None), (3, "verified", None), (4, "moved", 7)):
        write("# one\n" * above + CART)(shop)
        found = {each["claim"]: each for each in checked(shop, 0)}
        quote = found["it multiplies"]
        assert (quote["class"], quote["line"], quote["end_line"], quote["new_line"]) == (outcome, 2, 6, new)
        assert found["it clears"]["class"] == "verified"
        shown = shop("claim", "check").out
        assert f"src/cart.py:{3 + above} " in shown, "where it stands now"
        assert f"src/cart.py:{6 + above}-{7 + above} " in shown


def test_a_claim_that_no_longer_holds_is_settled_by_saying_it_again(shop: Cli) -> None:
    cite(shop)
    write(CART.replace("* count", "+ count"))(shop)
    assert shop("claim", "check").code == 1
    cite(shop, quote="total_cents = price + count")
    assert [each["class"] for each in checked(shop, 0)] == ["verified"]
    write("pass\n")(shop)
    assert shop("claim", "check").code == 1
    shop.ok("claim", "add", "it multiplies", "--assume")
    assert [(each["class"], each["grounded"]) for each in checked(shop, 0)] == [(None, False)]


def test_a_claim_id_that_is_not_there_is_refused(shop: Cli) -> None:
    refused = shop("claim", "check", "3f2a91c4", "--json")
    assert (refused.code, refused.error["code"]) == (1, "no_such_claim")


def test_an_erased_claim_is_left_out(shop: Cli) -> None:
    made = cite(shop)
    shop.ok("redact", made["claim_id"], "--because", "private")
    assert checked(shop, 0) == []
    assert [each["claim"] for each in shop.ok("claim", "list")] == ["(erased)"]
    assert shop("claim", "check", made["claim_id"][:8], "--json").error["code"] == "no_such_claim"


def test_in_a_linked_work_tree_its_own_files_count(shop: Cli, tmp_path: Path) -> None:
    cite(shop)
    git(shop.cwd, shop.environment, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / "src" / "cart.py").write_text(CART.replace("* count", "+ count"))
    there = shop("claim", "check", "--json", cwd=tmp_path / "tree")
    assert [each["class"] for each in there.json] == ["changed"]
    assert [each["class"] for each in checked(shop, 0)] == ["verified"]


def test_a_thousand_citations_are_checked_in_a_second(shop: Cli) -> None:
    texts = {
        f"m{number}.py": [f"value_{number}_{line} = compute({line})" for line in range(200)] for number in range(50)
    }
    for name, lines in texts.items():
        (shop.cwd / "src" / name).write_text("\n".join(lines) + "\n")
    commit(shop)
    given = [
        json.dumps({"claim": f"{name} {line}", "path": f"{ROOT}src/{name}", "line": line + 1, "quote": lines[line]})
        for name, lines in texts.items()
        for line in range(0, 200, 10)
    ]
    assert shop("claim", "add", "--stdin", input="\n".join(given), timeout=300).code == 0
    for number in range(10):
        git(shop.cwd, shop.environment, "mv", f"src/m{number}.py", f"src/n{number}.py")
    took = []
    for _ in range(3):
        began = time.monotonic()
        found = checked(shop, 0)
        took.append(time.monotonic() - began)
    assert min(took) < 3, "a second on a free machine"
    assert [len([each for each in found if each["class"] == name]) for name in ("verified", "moved")] == [800, 200]


# -- absence ---------------------------------------------------------------------------------------------------------


def absent(cli: Cli, *words: str, queries: tuple[str, ...] = ("retry", "exponential backoff")) -> Any:
    result = cli("claim", "absent", "retries", *(w for q in queries for w in ("--query", q)), *words, "--json")
    assert result.code == (0 if result.json.get("class") == "confirmed_ghost" else result.code)
    return {**result.json, "exit": result.code}


def test_what_no_tracked_file_has_is_a_confirmed_ghost_until_one_has_it(shop: Cli) -> None:
    found = absent(shop)
    assert (found["class"], found["exit"], found["places"]) == ("confirmed_ghost", 0, [])
    assert [each["class"] for each in checked(shop, 0)] == ["confirmed_ghost"]
    (shop.cwd / "src" / "net.py").write_text("\nfor retryCount in range(3): ...\n")
    commit(shop)
    (now,) = checked(shop, 1)
    assert (now["class"], now["places"]) == ("not_ghost", [{"path": "src/net.py", "line": 2}])


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ({"PLAN.md": "retry\n\nretries\n"}, "confirmed_ghost"),
        ({"PLAN.md": "retry\n\nretries\nexponential backoff"}, "high_ambiguity"),
        ({"a.py": "retrying = 1\n"}, "not_ghost"),
        ({"a.py": "x = exponentialBackoff()\n"}, "not_ghost"),
        ({"a.py": "x = EXPONENTIAL_BACKOFF\n"}, "not_ghost"),
        ({"a.py": "exponential = 1\nbackoff = 2\n"}, "confirmed_ghost"),
        ({"retry.py": "pass\n"}, "not_ghost"),
        ({"a.bin": "\0\x01\x02\x03\x04\x05\x06 retry\n"}, "confirmed_ghost"),
        ({"a.bin": "\0retry\n"}, "not_ghost"),
    ],
)
def test_hits_in_tracked_files_decide(shop: Cli, files: dict[str, str], outcome: str) -> None:
    for name, text in files.items():
        (shop.cwd / name).write_text(text)
    commit(shop)
    assert absent(shop)["class"] == outcome
    (stored,) = events(shop, "claim.absent")
    assert stored["outcome"] == outcome
    assert absent(shop, "--in", "src/")["class"] == "confirmed_ghost"


@pytest.mark.parametrize(
    "content",
    ["void later() {}".encode("utf-16-le"), b"int later(void) { return 1; }\n/* \0 */\n"],
    ids=["UTF-16", "NUL"],
)
def test_source_code_that_git_takes_for_binary_is_searched(shop: Cli, content: bytes) -> None:
    (shop.cwd / "a.cs").write_bytes(content)
    commit(shop)
    found = shop("claim", "absent", "delays", "--query", "later", "--query", "postpone", "--json").json
    assert found["class"] == "not_ghost"


def test_an_absence_is_not_confirmed_while_a_submodule_was_not_searched(shop: Cli, tmp_path: Path) -> None:
    with_submodule(shop, tmp_path / "other")
    queries = ("--query", "later", "--query", "postpone")
    found = shop("claim", "absent", "delays", *queries, "--json").json
    assert (found["class"], found["unsearched"]) == ("high_ambiguity", ["sub"])
    assert shop.ok("claim", "absent", "delays", *queries, "--in", "src/")["class"] == "confirmed_ghost"


def test_queries_that_have_nothing_to_do_with_it_confirm_no_absence(shop: Cli) -> None:
    found = shop("claim", "absent", "unused", "--query", "xqztv", "--query", "wvbnm", "--json").json
    assert (found["class"], found["places"]) == ("not_ghost", [{"path": "src/cart.py", "line": 10}])


def test_a_word_that_stands_nowhere_confirms_no_absence_of_what_is_there(shop: Cli) -> None:
    """With such a word beside it, no query finds anything, whatever is there."""
    queries = ("--query", "unused xqztv", "--query", "idle wvbnm")
    found = shop("claim", "absent", "unused", *queries, "--json").json
    assert (found["class"], found["places"]) == ("not_ghost", [{"path": "src/cart.py", "line": 10}])


def test_a_word_that_only_looks_alike_refuses_no_absence(shop: Cli) -> None:
    (shop.cwd / "a.py").write_text("# tell them the state, and not the pipe\n")
    (shop.cwd / "logo.svg").write_text("<text>themes</text>\n")
    commit(shop)
    found = shop("claim", "absent", "themes", "--query", "stats", "--query", "pip", "--json").json
    assert (found["class"], found["places"]) == ("confirmed_ghost", [])


def test_it_is_said_that_only_the_words_of_what_is_absent_were_found(shop: Cli) -> None:
    found = shop("claim", "absent", "unused", "--query", "xqztv", "--query", "wvbnm", "--json").json
    assert "by no query: if the places show something else, give it a more exact name" in found["reason"]
    found = shop("claim", "absent", "x", "--query", "unused", "--query", "y", "--json").json
    assert "by no query" not in found["reason"]


def test_padding_hides_nothing(shop: Cli) -> None:
    found = absent(shop, queries=("an unused", "the exponential back\u200boff"))
    assert (found["class"], found["places"]) == ("not_ghost", [{"path": "src/cart.py", "line": 10}])


def test_what_could_not_be_searched_confirms_nothing(shop: Cli) -> None:
    with open(shop.cwd / "huge.py", "wb") as file:
        file.truncate(17 << 20)
    git(shop.cwd, shop.environment, "add", "huge.py")
    found = absent(shop)
    assert (found["class"], found["unsearched"], found["exit"]) == ("high_ambiguity", ["huge.py"], 1)


@pytest.mark.parametrize(
    ("queries", "words", "code"),
    [
        (("retry",), (), "similar_queries"),
        (("retry", "retries"), (), "similar_queries"),
        (("retry now", "retry now please"), (), "similar_queries"),
        (("retry", "..."), (), "similar_queries"),
        (("retry", "backoff"), ("--in", "/etc"), "bad_folder"),
        (("retry", "backoff"), ("--in", "../x"), "bad_folder"),
    ],
)
def test_queries_that_do_not_search_in_two_ways_are_refused(
    shop: Cli, queries: tuple[str, ...], words: tuple[str, ...], code: str
) -> None:
    refused = absent(shop, *words, queries=queries)
    assert (refused["exit"], refused["error"]["code"]) == (2, code)
    assert events(shop, "claim.absent") == []


def test_a_folder_without_tracked_files_confirms_nothing(shop: Cli) -> None:
    assert absent(shop, "--in", "none/")["class"] == "high_ambiguity"


def test_without_git_an_absence_is_refused_and_no_check_of_others_fails(shop: Cli, tmp_path: Path) -> None:
    absent(shop)
    cite(shop)
    (tmp_path / "empty").mkdir()
    result = shop("claim", "check", "--json", PATH=str(tmp_path / "empty"))
    assert result.code == 1
    assert [each["class"] for each in result.json] == ["verified", "high_ambiguity"]
    words = ("claim", "absent", "x", "--query", "retry", "--query", "backoff", "--json")
    refused = shop(*words, PATH=str(tmp_path / "empty"))
    assert (refused.code, refused.error["code"]) == (1, "no_tracked_files")


# -- decisions -------------------------------------------------------------------------------------------------------


def test_a_decision_is_taken_and_its_evidence_has_its_class(shop: Cli) -> None:
    made = shop.ok("decide", "cents", "--cite", f"{ROOT}src/cart.py:9", "--quote", QUOTE)
    (evidence,) = made["evidence"]
    assert (evidence["class"], evidence["path"], evidence["line"]) == ("moved", f"{ROOT}src/cart.py", 3)
    assert (made["grounded"], made["warnings"]) == (True, [])
    invented = shop.ok("decide", "euros", "--cite", f"{ROOT}src/cart.py:3", "--quote", "total_euros = price")
    assert [each["class"] for each in invented["evidence"]] == ["fabricated"]
    assert invented["grounded"] is False
    assert "counts as ungrounded" in invented["warnings"][0]
    assert "warning" in shop("decide", "e", "--cite", f"{ROOT}src/cart.py:3", "--quote", "total_euros = price").out


def test_a_decisions_evidence_is_looked_at_again_by_its_id(shop: Cli) -> None:
    bare, symbol = shop.ok("decide", "no reason"), {"path": f"{ROOT}src/cart.py", "symbol": "Cart.clear"}
    lines = {"path": f"{ROOT}src/cart.py", "line": 3, "quote": QUOTE}
    made = shop.ok("decide", "-", input=json.dumps({"decision": "cents", "evidence": [lines, symbol]}))
    git(shop.cwd, shop.environment, "mv", "src/cart.py", "src/basket.py")
    (shop.cwd / "src" / "basket.py").write_text("\n" + CART.replace("self.items = []", "self.items.clear()"))
    moved, changed = checked(shop, 1, made["decision_id"])
    assert (moved["id"], moved["claim"], moved["class"]) == (made["decision_id"], "cents", "moved")
    assert (moved["new_path"], moved["new_line"]) == ("src/basket.py", 4)
    assert (changed["class"], changed["symbol"]) == ("changed", "Cart.clear")
    (nothing,) = checked(shop, 0, bare["decision_id"])
    assert (nothing["class"], nothing["grounded"]) == (None, False)
    told = shop("claim", "check", made["decision_id"]).out
    assert "1 of 2 pieces of evidence grounded, 1 no longer" in told
    assert f"--supersedes {made['decision_id'][:8]}" in told
    assert checked(shop, 0) == []
    assert events(shop, "claim.refuted") == []


@pytest.mark.parametrize(
    ("evidence", "grounded"),
    [
        ([], False),
        ([{"path": ROOT + "src/cart.py", "line": 3, "quote": QUOTE}], True),
        ([{"path": ROOT + "src/cart.py", "symbol": "Cart.add"}], True),
        ([{"path": ROOT + "src/cart.py", "line": 3, "quote": QUOTE}, {"path": ROOT + "x.py", "line": 1}], False),
        ([{"path": ROOT + "src/cart.py", "line": 3, "quote": "}"}], False),
        ([{"path": ROOT + "src/cart.py", "line": 3, "quote": "an invented one", "class": "verified"}], False),
        ([{"path": ROOT + "src/cart.py", "class": "verified"}], False),
        ([{"said": "Ana", "class": "verified"}], False),
    ],
)
def test_only_evidence_that_perdure_saw_grounds_a_decision(
    shop: Cli, evidence: list[dict[str, Any]], grounded: bool
) -> None:
    made = shop.ok("decide", "-", input=json.dumps({"decision": "d", "evidence": evidence}))
    assert made["grounded"] is grounded
    assert bool(made["warnings"]) is (bool(evidence) and not grounded)
    again = shop.ok("decide", "-", input=json.dumps({"decision": "d", "evidence": made["evidence"]}))
    assert again["grounded"] is grounded
