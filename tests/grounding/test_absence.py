from __future__ import annotations

import pytest

from perdure.grounding.absence import Hit, absence, overlap, too_similar
from perdure.grounding.file_kinds import NotText, is_document, text_of_bytes
from perdure.grounding.word_forms import forms_of
from tests.effort import for_each


@pytest.mark.parametrize(
    ("one", "other", "different"),
    [
        ("rate limiter", "throttle requests", True),
        ("rate limit", "rate throttle", True),
        ("rate limits", "limit the rate", False),
        ("rate limiting", "rate limits", False),
        ("rateLimiter", "rate_limiter", False),
        ("cache", "cache eviction policy store", False),
        ("cache", "CACHED", False),
        ("Größe", "grosse", False),
        ("the zebra", "a zebra is there", False),
        ("zebra", "ze\u200bbra", False),
        ("zebra", "z\u0435bra", False),
        ("\u043a\u044d\u0448", "cache", True),
        ("log in", "log out", True),
        ("\u200b", "cache", False),
        ("", "cache", False),
        ("...", "cache", False),
    ],
)
def test_queries_differ_if_at_most_half_of_the_shorter_ones_words_are_shared(
    one: str, other: str, different: bool
) -> None:
    assert (too_similar(one, other) == "") is different
    assert overlap(one, other) == overlap(other, one)
    assert 0 <= overlap(one, other) <= 1


CODE, README, GUIDE = Hit("src/a.py", 3), Hit("README.md", 1), Hit("docs/guide.rst", 7)


@pytest.mark.parametrize(
    ("hits", "outcome"),
    [
        ([], "confirmed_ghost"),
        ([README], "confirmed_ghost"),
        ([README, GUIDE], "confirmed_ghost"),
        ([README, GUIDE, README, GUIDE], "confirmed_ghost"),
        ([README, GUIDE, Hit("README.md", 2)], "high_ambiguity"),
        ([CODE], "not_ghost"),
        ([README, GUIDE, Hit("README.md", 2), CODE], "not_ghost"),
        ([Hit("config.yaml", 1)], "not_ghost"),
        ([Hit("package-lock.json", 3), Hit("web/yarn.lock", 9)], "confirmed_ghost"),
        ([Hit("Cargo.lock", 3), Hit("go.sum", 9), Hit("uv.lock", 1)], "high_ambiguity"),
        ([Hit("src/lock.py", 3)], "not_ghost"),
        ([Hit("src/lib.lock", 3)], "not_ghost"),
    ],
)
def test_hits_in_code_and_in_documents_decide(hits: list[Hit], outcome: str) -> None:
    found = absence(hits)
    assert found.outcome == outcome
    assert set(found.code) | set(found.documents) == set(hits)


@for_each(
    ("path", "document"),
    [
        ("README.md", True),
        ("README", True),
        ("docs/a.rst", True),
        ("docs/index.html", True),
        ("src/page.html", False),
        ("docs/conf.py", False),
        ("LICENSE", True),
        ("LICENSE-APACHE", True),
        ("license_check", False),
        ("Makefile", False),
        ("CMakeLists.txt", False),
        ("requirements-dev.txt", False),
        ("notes.txt", True),
        ("a.PY", False),
        ("A.MD", True),
        ("license.py", False),
        (".md", False),
        ("a.md/b.c", False),
        ("package.json", False),
        ("package-lock.json", False),
        ("", False),
    ],
)
def test_a_document_is_told_from_code_by_its_path(path: str, document: bool) -> None:
    assert is_document(path) is document


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),
        ("café".encode("utf-16"), "café"),
        (b"a\0b", None),
        (b"\xff\xfea", None),
        (b"\x89PNG\r\n\x1a\n\0", None),
    ],
)
def test_bytes_are_text_or_say_why_not(content: bytes, text: str | None) -> None:
    found = text_of_bytes(content)
    assert found == text if text is not None else isinstance(found, NotText)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        *((*pair.split(), True) for pair in (
            "retries retry", "retried retry", "caching cache", "caches cache", "cookies cookie", "aliases alias",
            "planning plan", "boxes box", "classes class", "databases database", "strings string", "keys key",
        )),
        *((*pair.split(), False) for pair in (
            "themes them", "notes not", "stats state", "pipe pip", "cors core", "modes mod", "bars bare", "plane plan",
        )),
    ],
)  # fmt: skip
def test_only_forms_of_one_word_are_the_same_word(one: str, other: str, *, same: bool) -> None:
    assert forms_of(one).isdisjoint(forms_of(other)) is not same
