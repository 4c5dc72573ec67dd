"""A pattern that is compiled when it is first used."""

from __future__ import annotations

import copy
import re
import subprocess
import sys

import pytest

from perdure.model.pattern import compiled_later
from perdure.proof import chain
from tests.effort import for_each

SAMPLES = [(r"(?P<n>\d+) passed", 0), (r"^ E \s+ error", re.X | re.M), (r"(?x) [a-z]+ \d", 0)]


@for_each("pattern", SAMPLES)
def test_it_answers_as_the_compiled_one_does(pattern: tuple[str, int]) -> None:
    text, flags = pattern
    later, now = compiled_later(text, flags), re.compile(text, flags)
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(later, name) == getattr(now, name)
    given = "x\nE   error 12 passed\n3 passed abc1"
    assert later.findall(given) == now.findall(given)
    assert later.sub("-", given) == now.sub("-", given)
    assert str(later.search(given, 3)) == str(now.search(given, 3))


def test_it_can_be_copied_and_has_no_other_names() -> None:
    later = compiled_later("a+")
    assert copy.copy(later).findall("aab") == ["aa"]
    with pytest.raises(AttributeError):
        later.serach("a")  # type: ignore[attr-defined]


def test_a_wrong_pattern_is_told_when_it_is_used() -> None:
    with pytest.raises(re.error):
        compiled_later("(").search("x")


def test_making_one_loads_nothing() -> None:
    code = "import sys; from perdure.model.pattern import compiled_later as c; p = c('a'); x = 're' in sys.modules; "
    code += "p.search('a'); print(x, 're' in sys.modules)"
    path = f"import sys; sys.path[:0] = {sys.path!r}; "
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", path + code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"], ran.stderr


def test_an_event_has_the_same_hash_before_and_after_openssl_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    from hashlib import sha256

    from perdure.model import digest

    monkeypatch.setattr(chain, "_sha", digest.sha256)
    monkeypatch.setattr(chain, "_before_openssl", 1000)
    hashes = [chain.payload_hash(b"x" * size) for size in (0, 600, 400, 1, 600)]
    assert hashes == [sha256(b"x" * size).hexdigest() for size in (0, 600, 400, 1, 600)]
    assert chain._sha is sha256
