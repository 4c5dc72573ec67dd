"""What an agent waits for when its claims are checked again: a thousand of them, in a hundred files (SPEC 8.5)."""

from __future__ import annotations

import random
import statistics
from functools import partial

from bench.measure import Row, seconds
from perdure.grounding.citation import LineCitation, SymbolCitation
from perdure.grounding.verdict import (
    SourceFile,
    StoredEvidence,
    Verdict,
    check_evidence,
    claim_quote,
    claim_symbol,
)

FILES = 100
CITATIONS = 1000
FUNCTIONS = 60
ROUNDS = 5


def citations() -> list[Row]:
    """Quotes alone, then a mixture in which every fifth citation is of a symbol. Half of the files were edited."""
    texts = [_file(number) for number in range(FILES)]
    now = [_edited(text) if number % 2 else text for number, text in enumerate(texts)]
    rows = []
    for what, share in (("quotes", 0), ("quotes and symbols", 5)):
        stored = _stored(texts, share)
        took = statistics.median(seconds(partial(_check, stored, now)) for _ in range(ROUNDS))
        name = f"{CITATIONS:,} citations in {FILES} files, {what}"
        rows.append(
            Row(what=name, ours=f"{took * 1000:.0f} ms", baseline="bar 1 s", ratio=took, bar="≤ 1", passes=took <= 1)
        )
    return rows


def _check(stored: list[StoredEvidence], texts: list[str]) -> None:
    files = {_path(number): SourceFile(_path(number), text) for number, text in enumerate(texts)}
    for each in stored:
        assert check_evidence(each, files[each.path]).grounded


def _stored(texts: list[str], share: int) -> list[StoredEvidence]:
    dice = random.Random(1)
    files = [SourceFile(_path(number), text) for number, text in enumerate(texts)]
    found = []
    for number in range(CITATIONS):
        file, function = files[dice.randrange(FILES)], dice.randrange(FUNCTIONS)
        if share and number % share == 0:
            name = f"handle_{function}"
            found.append(_evidence(claim_symbol(SymbolCitation(file.path, name), file), ""))
        else:
            quote = f"total_{function} = compute(first, {function})"
            line = function * 5 + 4
            found.append(_evidence(claim_quote(LineCitation(file.path, line, line), quote, file), quote))
    return found


def _evidence(verdict: Verdict, quote: str) -> StoredEvidence:
    assert verdict.grounded
    return StoredEvidence(
        path=verdict.path,
        first=verdict.first,
        last=verdict.last,
        quote=quote,
        symbol=verdict.symbol,
        symbol_hash=verdict.symbol_hash,
    )


def _path(number: int) -> str:
    return f"src/part_{number}.py"


def _file(number: int) -> str:
    """Three hundred lines, as most source files have at most."""
    functions = (_function(n, number) for n in range(FUNCTIONS))
    return "import compute\n" + "".join(functions)


def _function(n: int, part: int) -> str:
    body = f"    # part {part}\n    total_{n} = compute(first, {n})\n    return total_{n}\n"
    return f"def handle_{n}(first, second):\n{body}\n"


def _edited(text: str) -> str:
    return "# a new line\n" + text
