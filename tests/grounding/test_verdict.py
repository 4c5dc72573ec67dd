from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import BadInput
from perdure.grounding.citation import LineCitation, SymbolCitation
from perdure.grounding.file_kinds import NotText, text_of_bytes
from perdure.grounding.outcome import Outcome
from perdure.grounding.verdict import (
    SourceFile,
    StoredEvidence,
    Verdict,
    check_evidence,
    claim_quote,
    claim_symbol,
)
from tests.effort import for_each

CODE = """import os

LIMIT = 12


class Cart:
    def add(self, item):
        self.items.append(item)
        return len(self.items)

    def total(self):
        return sum(item.price for item in self.items)


def empty():
    return Cart()
"""
ADD = "        self.items.append(item)\n        return len(self.items)\n"
ADDING = "    def add(self, item):\n" + ADD
TOTAL = "    def total(self):\n        return sum(item.price for item in self.items)\n"


def claimed(line: int, quote: str, text: str = CODE) -> Verdict:
    return claim_quote(LineCitation("cart.py", line, line), quote, SourceFile("cart.py", text))


# -- when a claim is made ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "quote", "outcome", "at"),
    [
        pytest.param(8, "self.items.append(item)", "verified", 8, id="as it stands"),
        pytest.param(8, "self.items.append(item)\n\n  return len(self.items)", "verified", 8, id="other white space"),
        pytest.param(3, "LIMIT = 12", "verified", 3, id="a short whole line"),
        pytest.param(2, "self.items.append(item)", "moved", 8, id="at the wrong line"),
        pytest.param(999, "self.items.append(item)", "moved", 8, id="beyond the end"),
        pytest.param(8, "self.items.append(thing)", "fabricated", 0, id="one word changed"),
        pytest.param(8, "items.insert(0, item)", "fabricated", 0, id="invented"),
        pytest.param(3, "LIMIT = 13", "fabricated", 0, id="short and invented"),
        pytest.param(8, "lf.items.append(item)", "fabricated", 0, id="a part of a word"),
    ],
)
def test_a_quote_is_judged_when_it_is_claimed(line: int, quote: str, outcome: str, at: int) -> None:
    verdict = claimed(line, quote)
    assert (verdict.outcome, verdict.first) == (outcome, at)
    assert verdict.grounded is (outcome in ("verified", "moved"))
    assert verdict.reason


@pytest.mark.parametrize("quote", ["}", "item", "import", "return", "x" * 10_240, "", "::::::::::::::"])
def test_a_quote_that_is_too_little_or_too_long_is_refused(quote: str) -> None:
    with pytest.raises(BadInput) as caught:
        claimed(1, quote, CODE + "}\n")
    assert caught.value.code == "bad_quote"


def test_of_several_places_the_nearest_is_given_and_their_number() -> None:
    text = "the same line here\n" + "other\n" * 9 + "the same line here\n" + "other\n" * 9 + "the same line here\n"
    verdict = claimed(14, "the same line here", text)
    assert (verdict.outcome, verdict.first, verdict.places) == ("moved", 11, 3)
    assert "3 places" in verdict.reason


def test_a_claim_stores_the_symbol_around_the_quote() -> None:
    assert claimed(8, "self.items.append(item)").symbol == "Cart.add"
    assert claimed(3, "LIMIT = 12").symbol == "LIMIT"
    assert claimed(1, "import os\n").symbol == ""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "There is no such file."),
        (NotText("The file is binary."), "The file is binary."),
        ("", "The file is empty."),
        ("\ufeff\n \n", "The file is empty."),
    ],
)
def test_what_has_no_text_can_be_quoted_by_nobody(content: str | NotText | None, reason: str) -> None:
    file = None if content is None else SourceFile("cart.py", content)
    quote = claim_quote(LineCitation("cart.py", 1, 1), "self.items.append(item)", file)
    symbol = claim_symbol(SymbolCitation("cart.py", "Cart"), file)
    assert [quote.outcome, symbol.outcome] == ["fabricated", "fabricated"]
    assert [quote.reason, symbol.reason] == [reason, reason]


def test_a_symbol_is_judged_when_it_is_claimed() -> None:
    file = SourceFile("cart.py", CODE)
    found = claim_symbol(SymbolCitation("cart.py", "Cart.add"), file)
    assert (found.outcome, found.first, found.last, found.symbol) == ("verified", 7, 9, "Cart.add")
    assert claim_symbol(SymbolCitation("cart.py", "Cart.remove"), file).outcome == "fabricated"
    plain = claim_symbol(SymbolCitation("cart.kt", "Cart"), SourceFile("cart.kt", "class Cart {\n}\n"))
    assert "no grammar" in plain.reason


# -- what became of it: each case is the text now, the renamed files, and what is right for a quote and for a symbol --

OTHER = "import sys\n\nprint(sys.argv)\n"
GONE = None
Case = tuple[str | NotText | None, dict[str, str | NotText], str, str]
CASES: dict[str, Case] = {
    "nothing changed": (CODE, {}, "verified cart.py:8", "verified cart.py:7"),
    "lines added above": ("# one\n# two\n" + CODE, {}, "moved cart.py:10", "verified cart.py:9"),
    "lines removed above": (CODE.replace("LIMIT = 12\n", ""), {}, "moved cart.py:7", "verified cart.py:6"),
    "lines added below": (CODE + "\nx = 1\n", {}, "verified cart.py:8", "verified cart.py:7"),
    "the line changed": (CODE.replace("append(item)", "add(item)"), {}, "changed cart.py:0", "changed cart.py:7"),
    "another line of the symbol changed": (
        CODE.replace("return len(self.items)", "return 1"), {}, "verified cart.py:8", "changed cart.py:7",
    ),
    "a comment in the symbol": (
        CODE.replace("        return len", "        # count\n        return len"), {}, "verified cart.py:8",
        "verified cart.py:7",
    ),
    "another symbol changed": (CODE.replace("sum(", "max("), {}, "verified cart.py:8", "verified cart.py:7"),
    "CRLF": (CODE.replace("\n", "\r\n"), {}, "verified cart.py:8", "verified cart.py:7"),
    "tabs": (CODE.replace("    ", "\t"), {}, "verified cart.py:8", "verified cart.py:7"),
    "laid out anew": (
        CODE.replace("append(item)", "append(\n            item\n        )"), {}, "changed cart.py:0",
        "verified cart.py:7",
    ),
    "the symbol has another class": (
        CODE.replace("class Cart", "class Basket"), {}, "verified cart.py:8", "moved cart.py:7",
    ),
    "the symbol has another name": (CODE.replace("def add", "def put"), {}, "verified cart.py:8", "changed cart.py:0"),
    "the symbol is gone": (CODE.replace(ADDING, ""), {}, "changed cart.py:0", "changed cart.py:0"),
    "moved below": (
        CODE.replace(ADDING, "").replace(TOTAL, TOTAL + "\n" + ADDING), {}, "moved cart.py:12", "verified cart.py:11",
    ),
    "a second definition": (
        CODE.replace(TOTAL, "    def add(self, item):\n        pass\n"), {}, "verified cart.py:8", "changed cart.py:7",
    ),
    "it does not parse any more": (CODE + "\ndef broken(:\n", {}, "verified cart.py:8", "verified cart.py:7"),
    "deleted": (GONE, {}, "missing cart.py:0", "missing cart.py:0"),
    "renamed": (GONE, {"basket.py": CODE}, "moved basket.py:8", "moved basket.py:7"),
    "renamed with edits above": (GONE, {"basket.py": "#\n" + CODE}, "moved basket.py:9", "moved basket.py:8"),
    "renamed with the symbol changed": (
        GONE, {"basket.py": CODE.replace("append(item)", "add(item)")}, "changed basket.py:0", "changed basket.py:7",
    ),
    "renamed, and a new file in its place": (OTHER, {"basket.py": CODE}, "moved basket.py:8", "moved basket.py:7"),
    "two candidates, in their order": (GONE, {"no.py": OTHER, "yes.py": CODE}, "moved yes.py:8", "moved yes.py:7"),
    "another file in its place": (OTHER, {}, "changed cart.py:0", "changed cart.py:0"),
    "empty": ("", {}, "changed cart.py:0", "changed cart.py:0"),
    "binary": (NotText("The file is binary."), {}, "changed cart.py:0", "changed cart.py:0"),
    "renamed and binary": (GONE, {"b.py": NotText("The file is binary.")}, "changed b.py:0", "changed b.py:0"),
    "not UTF-8": (text_of_bytes(b"# caf\xe9\n" + CODE.encode()), {}, "moved cart.py:9", "verified cart.py:8"),
    "UTF-16": (text_of_bytes(CODE.encode("utf-16")), {}, "verified cart.py:8", "verified cart.py:7"),
    "a byte order mark": ("\ufeff" + CODE, {}, "verified cart.py:8", "verified cart.py:7"),
}  # fmt: skip


@for_each("case", CASES)
def test_evidence_that_is_checked_again_has_the_right_class_and_place(case: str) -> None:
    now, candidates, quote, symbol = CASES[case]
    quoted = claimed(8, "self.items.append(item)")
    cited = claim_symbol(SymbolCitation("cart.py", "Cart.add"), SourceFile("cart.py", CODE))
    file = None if now is None else SourceFile("cart.py", now)
    renamed = [SourceFile(path, text) for path, text in candidates.items()]
    for expected, evidence in (
        (quote, stored(quoted, "self.items.append(item)")),
        (symbol, stored(cited, "")),
    ):
        verdict = check_evidence(evidence, file, renamed)
        assert f"{verdict.outcome} {verdict.path}:{verdict.first}" == expected
        assert verdict.reason
        assert verdict.grounded is (verdict.outcome in ("verified", "moved"))


TWO = "class A:\n    def size(self): return 1\n\nclass B:\n    def size(self): return 2\n"


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (TWO, "verified"),
        ("# one\n" + TWO + "# two\n", "verified"),
        (TWO.replace("return 2", "return 3"), "changed"),
        (TWO.replace("size", "length"), "changed"),
        (TWO.replace("class B", "class C"), "verified"),
    ],
)
def test_a_bare_name_of_several_symbols_stands_for_all_of_them_later_too(now: str, outcome: str) -> None:
    cited = claim_symbol(SymbolCitation("cart.py", "size"), SourceFile("cart.py", TWO))
    assert (cited.symbol, cited.places) == ("size", 2)
    assert check_evidence(stored(cited, ""), SourceFile("cart.py", now)).outcome == outcome


def test_overloads_that_moved_together_are_found() -> None:
    text = "class A {\n  int f(int a) { return 1; }\n  int f(long a) { return 2; }\n}\n"
    cited = claim_symbol(SymbolCitation("A.java", "A.f"), SourceFile("A.java", text))
    found = check_evidence(stored(cited, ""), SourceFile("A.java", text.replace("class A", "class B")))
    assert (found.outcome, found.symbol, found.first) == ("moved", "B.f", 2)


def stored(verdict: Verdict, quote: str) -> StoredEvidence:
    return StoredEvidence(
        path=verdict.path,
        first=verdict.first,
        last=verdict.last,
        quote=quote,
        symbol=verdict.symbol,
        symbol_hash=verdict.symbol_hash,
    )


# -- a history of edits made as lists of lines, which knows where each line went ---------------------------------------

EDIT = st.tuples(
    st.sampled_from(["insert", "delete", "move", "change", "indent"]), st.integers(0, 99), st.integers(0, 99)
)


@given(st.integers(3, 20), st.integers(0, 19), st.lists(EDIT, max_size=12))
def test_a_quote_is_followed_through_a_history_of_edits(
    count: int, cited: int, edits: list[tuple[str, int, int]]
) -> None:
    """Each line has a number of its own, so it is known where the cited line is, or whether it is gone."""
    cited %= count
    lines = [(n, f"value_{n} = compute_number({n})") for n in range(count)]
    quote = lines[cited][1]
    verdict = claimed(cited + 1, quote, "\n".join(text for _, text in lines))
    assert verdict.outcome == "verified"
    for step, (what, at, to) in enumerate(edits):
        at %= len(lines)
        number, text = lines[at]
        if what == "insert":
            lines.insert(at, (1000 + step, f"inserted_{step} = compute_number({step})"))
        elif what == "delete" and len(lines) > 1:
            del lines[at]
        elif what == "move":
            lines.insert(to % len(lines), lines.pop(at))
        elif what == "change":
            lines[at] = (2000 + step, f"changed_{step} = compute_number({number})")
        elif what == "indent":
            lines[at] = (number, "    " + text.replace(" = ", "  =\t"))
    now = SourceFile("cart.py", "\n".join(text for _, text in lines))
    found = check_evidence(stored(verdict, quote), now)
    alive = [index + 1 for index, (number, _) in enumerate(lines) if number == cited]
    if not alive:
        assert found.outcome == Outcome.CHANGED
    else:
        assert (found.outcome, found.first) == ("verified" if alive == [cited + 1] else "moved", alive[0])
