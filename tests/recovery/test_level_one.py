"""Level 1: every part in a line, within a hundred tokens, whatever the texts are (SPEC 12.1, 12.2)."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest

from perdure.actions.recovering import from_transcript
from perdure.recovery.brief import BriefLine, Section
from perdure.recovery.level_one import FILES, REASONING, STOPPED, at_a_glance
from perdure.recovery.tokens import count

from ..transcript.test_claude_code import agent, result, user
from .test_brief import bash, call

DICE = random.Random(12)
TEXTS = {
    "english": "the rounding of the price in the cart is not what the till expects of it " * 12,
    "chinese": "购物车里的价格四舍五入与收银台所期望的不一致请修复" * 12,
    "emoji": "👨\u200d👩\u200d👧🏳️\u200d🌈👍🏽 " * 40,
    "base64": base64.b64encode(DICE.randbytes(600)).decode(),
    "rare": "".join(chr(DICE.randrange(0x10000, 0x110000)) for _ in range(400)),
}


def glance(tmp_path: Path, *lines: bytes, tokens: int | None = None) -> str:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(lines))
    text = from_transcript(str(path), None, tokens, level="1").text
    assert count(text + "\n") <= (tokens or 100), text
    return text


def work(root: Path, long: str = "") -> list[bytes]:
    (root / "src").mkdir(parents=True)
    (root / "src/cart.py").touch()
    todos = [
        {"content": f"round the total {long}", "status": "in_progress"},
        {"content": f"tell the till {long}", "status": "pending"},
        {"content": "write it down", "status": "pending"},
    ]
    return [
        user(f"prices as whole cents {long}", cwd=str(root)),
        call("t1", "Edit", file_path=str(root / "src/cart.py"), old_string="a", new_string="b"),
        result("t1", "updated"),
        call("t2", "TodoWrite", todos=todos),
        result("t2", "ok"),
        *bash("t3", "pytest -q tests/test_cart.py", f"E   AssertionError: 3 != 4 {long}\n1 failed", failed=True),
        agent({"type": "text", "text": f"I looked at the cart. {long} Next I run the till's tests."}),
    ]


def test_a_glance_at_a_transcript_says_what_was_asked_what_is_next_and_where_it_stopped(tmp_path: Path) -> None:
    assert glance(tmp_path, *work(tmp_path / "shop")).splitlines() == [
        "Asked last: > prices as whole cents",
        "Next:",
        "[~] round the total",
        "[ ] tell the till",
        "Where it stopped: I looked at the cart. Next I run the till's tests.",
        "Open error: E AssertionError: 3 != 4 (`pytest -q tests/test_cart.py`)",
        "File: src/cart.py",
    ]


@pytest.mark.parametrize("kind", TEXTS)
def test_every_part_has_its_line_however_long_and_strange_the_texts_are(tmp_path: Path, kind: str) -> None:
    text = glance(tmp_path, *work(tmp_path / "shop", TEXTS[kind]))
    for part in (
        "Asked last: > prices as",
        "[~] round",
        "Where it stopped: … ",
        "Open error: ",
        "File: src/cart.py",
    ):
        assert part in text, text
    stopped = next(line for line in text.splitlines() if line.startswith("Where"))
    assert stopped.endswith("run the till's tests."), text


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("tokens", [40, 47, 60, 80, 100, 300])
def test_a_smaller_budget_keeps_what_matters_most(tmp_path: Path, kind: str, tokens: int) -> None:
    text = glance(tmp_path, *work(tmp_path / "shop", TEXTS[kind]), tokens=tokens)
    assert text.startswith("Asked last: > prices as"), text
    assert ("File:" in text) is not ("More: perdure recover" in text), "what was left out is named"


def test_a_bare_assent_comes_with_what_it_is_about(tmp_path: Path) -> None:
    asked = user("make the cart faster")
    for last in ("yes", "Yes, go on.", "yes for both of them, please go ahead!", "继续", "nur zu"):
        text = glance(tmp_path, user("tell me a story"), asked, user("yes for all, go ahead"), user(last))
        assert text.splitlines()[:3] == ["Asked last:", f"> {last}", "> make the cart faster"]
    assert glance(tmp_path, user("yes")).splitlines() == ["Asked last: > yes"]
    alone = glance(tmp_path, asked, user("now the same for everything in the till"))
    assert alone == "Asked last: > now the same for everything in the till"


def test_of_last_words_the_end_is_kept_of_a_note_both_and_of_a_path_all_or_nothing() -> None:
    words = " ".join(f"word{number}" for number in range(200))

    def said(what: str, text: str = words) -> str:
        return at_a_glance([Section(title="It:", what=what, share=1.0, lines=(BriefLine(text),))], 40)

    assert said(STOPPED).startswith("It: … word")
    assert said(STOPPED).endswith(" word198 word199")
    assert said(REASONING).startswith("It: word0 word1")
    assert said(REASONING).endswith(" word199")
    assert said("goals").startswith("It: word0 word1")
    assert said("goals").endswith("…")
    assert said(FILES, "src/cart.py") == "It: src/cart.py"
    assert said(FILES, "a/" * 200 + "b.py") == ""


def test_a_file_that_is_gone_is_not_the_one_needed_first(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    lines = work(root)
    (root / "src/till.py").touch()
    lines += [call("t8", "Read", file_path=str(root / "src/till.py")), result("t8", "x")]
    (root / "src/cart.py").unlink()
    assert "File: src/till.py" in glance(tmp_path, *lines)
    (root / "src/till.py").unlink()
    assert "File" not in glance(tmp_path, *lines)


def test_a_credential_is_masked_before_it_is_cut(tmp_path: Path) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    for before in range(60):
        text = glance(
            tmp_path,
            user("a " * (before % 40) + f"push with {token} {TEXTS['english']}"),
            agent({"type": "text", "text": f"{TEXTS['english']} with {token} " + "a " * before}),
        )
        assert not any(token[at : at + 8] in text for at in range(len(token) - 8)), text
