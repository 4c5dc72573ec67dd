"""The first stage: that its "no" is final, and that it is fast."""

from __future__ import annotations

import inspect
import random
import string
import subprocess
import sys
import timeit
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.masking import _find, _ruleset, _screen, _shapes, mask_json, mask_text
from perdure.masking._screen import dense_runs, has_hint, is_dense, lowered, may_hold_secret
from tests.effort import for_each, tries

from .masking_samples import PLAIN, SERVICES, Dice

PIECES = [
    *(PLAIN[kind] for kind in PLAIN),
    *(
        "password",
        "token",
        "api_key",
        "API_KEY",
        "secret",
        "Authorization",
        "Bearer",
        "cookie",
        "key",
        "pwd",
        "--token",
    ),
    *(
        "=",
        ": ",
        '"',
        "'",
        "`",
        "\\",
        "://",
        "@",
        " is ",
        " -u ",
        " -p",
        "curl ",
        "mysql",
        "\n",
        "\0",
        "\ud800",
        "é",
        "İ",
        "K",
    ),
    *(
        "[masked:",
        "[masked:x]",
        "]",
        "-----BEGIN PRIVATE KEY-----",
        "kind: Secret",
        "data:\n  a: bcdefgh\n",
        "login ",
        " by '",
    ),
    *(
        "hunter2",
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "aB3dE6gH9jK2mN5p",
        "AKIA",
        "ghp_",
        "sk-",
        "eyJ",
        "xoxb-",
        "a" * 40,
    ),
]


@st.composite
def secrets(draw: st.DrawFn) -> str:
    """A text with a real-looking secret, or a part of it: a secret cut off must not confuse the stages."""
    text, secret = SERVICES[draw(st.sampled_from(sorted(SERVICES)))](Dice(draw(st.integers(0, 10_000))))
    whole = draw(st.sampled_from([text, secret]))
    start = draw(st.integers(0, len(whole) - 1))
    return draw(st.sampled_from([whole, whole[start:], whole[:start]]))


texts = (
    st.lists(
        st.one_of(secrets(), st.sampled_from(PIECES), st.text(max_size=20), st.text(string.printable, max_size=30)),
        max_size=8,
    ).map("".join)
    | st.text()
)


def everything_found(text: str) -> list[tuple[int, int, str]]:
    """What the second stage finds with the gate before it taken away."""
    return _find.find(text)


@tries(1500, deadline=None)
@given(texts)
@example("")
@example("İ" * 20 + "ghp_")
def test_when_the_first_stage_says_clean_the_second_finds_nothing(text: str) -> None:
    if not may_hold_secret(text):
        assert everything_found(text) == []


@tries(500, deadline=None)
@given(st.text(string.ascii_letters + string.digits + "_.+/~- =", max_size=80))
def test_both_stages_agree_on_dense_runs(text: str) -> None:
    assert may_hold_secret(text) == bool(dense_runs(text) or has_hint(lowered(text)))


@tries(500, deadline=None)
@given(texts, texts, texts)
def test_a_hint_stays_a_hint_in_any_text_around_it(before: str, text: str, after: str) -> None:
    if has_hint(lowered(text)):
        assert has_hint(lowered(f"{before}\n{text}\n{after}"))


@for_each("service", SERVICES)
def test_the_first_stage_lets_no_sample_pass(service: str) -> None:
    for seed in range(100):
        text, _ = SERVICES[service](Dice(f"{service} {seed}"))
        assert may_hold_secret(text)


@pytest.mark.parametrize("service", SERVICES)
def test_the_evidence_asked_of_findings_drops_no_sample(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found without asking for evidence is found with it, too."""
    samples = [SERVICES[service](Dice(f"{service} {seed}"))[0] for seed in range(10)]
    asked = [_find.find(text) for text in samples]
    monkeypatch.setattr(_find, "has_hint", lambda low: True)
    assert [_find.find(text) for text in samples] == asked


def test_hardly_any_random_key_reads_as_names() -> None:
    dice = random.Random(1)
    alphabets = {
        "glpat-": (string.ascii_letters + string.digits + "_-", 20),
        "AKIA": (string.ascii_uppercase + "234567", 16),
        "hf_": (string.ascii_letters, 34),
        "sk_live_": (string.ascii_letters + string.digits, 24),
        "": (string.hexdigits.lower()[:16], 32),
    }
    for prefix, (alphabet, size) in alphabets.items():
        keys = [prefix + "".join(dice.choice(alphabet) for _ in range(size)) for _ in range(5000)]
        assert sum(not is_dense(key) for key in keys) == 0, prefix


RARE = ["cred", "log in", "signed in", "pass", "pw", "psk", "token", "key", "cookie:", "kind: secret", "secret", "auth"]
SPACES = [
    " -p",
    "\t-p",
    "\n-p",
    "\v-p",
    "\f-p",
    "\r-p",
    "\x1c-p",
    "\x85-p",
    "\u2028-p",
    "--token",
    "-----begin private",
]


@tries(1500, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, *RARE, *SPACES]) | st.text(string.printable, max_size=8), max_size=6))
@example(["mysql", "\v-p"])
def test_no_hint_is_missed_by_looking_first_for_what_it_needs(pieces: list[str]) -> None:
    """A pattern is only compiled and searched for if the text has what each of its matches contains."""
    low = lowered("".join(pieces))
    for hint in _screen._HINTS:
        compiled = inspect.getclosurevars(hint).nonlocals["compiled"]
        assert hint(low) == bool(compiled.search(low))
    option = _screen._OPTION.search(low)
    is_short = option and option["short"] and not _screen.takes_short_option(low)
    assert _screen._has_option(low) == bool(_screen._LONG_OPTIONS.search(low, option.end()) if is_short else option)


def test_nothing_is_compiled_for_ordinary_commands() -> None:
    texts = ["grep -n price src/f1.py", "git log --oneline -5 | head -3", "ls -la && sed -n 1,40p src/a.py", "wc -l *"]
    code = f"import sys; sys.path[:0] = {sys.path!r}; from perdure.masking import mask_text; "
    code += f"print([mask_text(each) for each in {texts!r}], 're' in sys.modules)"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"{[(each, 0) for each in texts]!r} False"


@tries(1500, deadline=None)
@given(st.text(string.ascii_letters + string.digits + "_.+/~- \né", max_size=60))
def test_what_needs_no_pattern_reads_as_names_by_the_pattern_too(text: str) -> None:
    for found in _screen._RUN.finditer(text):
        if not found.group().encode().translate(None, _screen._OF_PLAIN_NAMES):
            assert _screen.reads_as_names(found.group())


@tries(1500, deadline=None)
@given(
    st.sampled_from(_screen._WORDS_IN_NAMES) | st.text(max_size=12), st.text("aKſİpP_-é0", max_size=4), st.booleans()
)
@example("tokenſ", "", True)
@example("toKen", "", False)
def test_a_name_is_tested_as_the_pattern_does(word: str, around: str, upper: bool) -> None:
    name = around + (word.upper() if upper else word) + around
    assert not _screen._NAMING.search(name) or _screen.may_name_credential(name)
    assert not name.isascii() or bool(_screen._NAMING.search(name)) == _screen.may_name_credential(name)


@pytest.mark.parametrize(
    "name",
    [
        "FIRST_STAGE_LIMIT",
        "appendEventIntoLedger",
        "test_v2_login_flow",
        "src/perdure/masking/_screen.py",
        "python3.11-slim-image",
    ],
)
def test_names_are_not_dense(name: str) -> None:
    assert not is_dense(name)


@tries(800, deadline=None)
@given(texts)
@example("password=[masked:x] password=hunter2")
@example("curl -u a:hunter2 -u b:hunter2")
def test_masking_is_idempotent_and_deterministic(text: str) -> None:
    masked, count = mask_text(text)
    assert (masked, count) == mask_text(text)
    assert mask_text(masked) == (masked, 0)
    assert (masked == text) == (count == 0)


@tries(400, deadline=None)
@given(texts)
def test_a_payload_is_masked_as_its_texts_are(text: str) -> None:
    payload, count = mask_json({"text": text, "list": [text, 1, None]})
    masked, found = mask_text(text)
    assert payload == {"text": masked, "list": [masked, 1, None]}
    assert count == 2 * found


@tries(300, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=200))
def test_no_text_raises(text: str) -> None:
    mask_text(text)


def test_only_one_character_grows_when_lowered_and_the_stages_do_not_care() -> None:
    grown = [chr(code) for code in range(0x110000) if len(chr(code).lower()) != 1]
    assert grown == ["İ"]
    secret = "ghp" + "_" + Dice(5).alnum(36)
    assert mask_text(f"İİİ {secret} İ") == ("İİİ [masked:github-pat] İ", 1)


def test_masking_again_and_again_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a text yield new findings after each pass, it is masked as a whole in the end."""
    monkeypatch.setattr(_find, "find", lambda text: [(0, 1, "x")] if text else [])
    monkeypatch.setattr(_find, "may_hold_secret", lambda text: True)
    masked, _ = _find.mask("abcdefghijklmnop")
    assert masked == "[masked:x]" * _find.MOST_PASSES + "[masked:unsettled]"


PROSE = (
    "We decided to keep the chain of hashes in one table and to rebuild the views when they are missing, because a "
    "view that can be thrown away never needs a migration. When the token bucket is empty the worker sleeps for 250 "
    "ms; see src/perdure/ledger/append.py for the retry loop. def append(self, event): return "
    "self._store.write(event.to_bytes()) is all it does now, the key is the event id, and the password prompt is "
    "never stored. Tests run in 3.2 seconds on Python 3.11, which is fast enough for us."
)


def test_ordinary_prose_is_clean() -> None:
    assert len(PROSE) >= 500
    assert not may_hold_secret(PROSE)


def test_a_clean_payload_takes_microseconds() -> None:
    """Measured: 10 to 16 µs. The bound leaves room for a busy machine, not for a second look at the text."""
    payload: dict[str, Any] = {"text": PROSE}
    best = min(timeit.repeat(lambda: mask_json(payload), number=20, repeat=500)) / 20
    assert best < 40e-6


def test_nothing_of_a_text_is_kept() -> None:
    secret = "ghp" + "_" + Dice(6).alnum(36)
    mask_text(f"export TOKEN={secret}")
    for module in (_find, _ruleset, _shapes):
        assert secret not in repr(vars(module))


def test_a_plain_call_of_a_tool_is_masked_without_any_pattern() -> None:
    """To load `re` and compile the patterns of this stage is an eighth of what it costs a hook to record the call."""
    payload = {"path": "src/perdure/actions/observing.py", "command": "ls", "outcome": "succeeded", "effect": "noetic"}
    code = f"import sys; sys.path[:0] = {sys.path!r}; from perdure.masking import mask_json; "
    code += f"print(mask_json({payload!r})[1], 're' in sys.modules)"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "False"], ran.stderr
