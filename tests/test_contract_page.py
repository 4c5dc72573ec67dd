"""docs/contract.md is complete and true: every row that the repository cites is there, and what a row names exists.

A comment may cite rows as "SPEC 4.1", "SPEC 5", "SPEC 4.1, 4.2", "SPEC 14.1 to 14.5", "SPEC 3.4 and 4.4 to 4.6", and a
seed as "seed 000 §5.4" or "seed 003, I7". A citation may be broken over two lines.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.effort import for_each

from .test_shape import tracked

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = ROOT / "docs" / "contract.md"
READ = {".py", ".md", ".sh", ".mjs", ".toml", ".yaml", ""}

NUMBER = r"\d+(?:\.\d+)?"
CITATION = re.compile(rf"\bSPEC §?({NUMBER}(?:(?:, and|,| and| to) {NUMBER})*)")
SEED = re.compile(r"\bseed (\d{3})\b((?:(?!\. |\bseed \d{3}).){0,80})", re.IGNORECASE)
SEED_IN_A_NAME = re.compile(r"\btest_seed_(\d{3})_(\d+)_(\d+)_")
OUTSIDE = re.compile(r"(?<![\w.~])/work\b|shared/|\b(?:SPEC|HOUSE|CLIENTS|PEERS)\.md|\bseeds/")

Row = tuple[int, ...]


# -- reading the contract --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contract:
    kept: list[Row]
    """Chapters and rows in the order in which they stand."""
    texts: dict[Row, str]
    later: list[Row]
    seeds: dict[str, set[str]]
    """The seed's number → the sections, as "§5.4", and invariants, as "I7", that have a line."""


def row_of(number: str) -> Row:
    return tuple(map(int, number.split(".")))


def read_contract(text: str) -> Contract:
    promises, _, rest = text.partition("\n## Not built yet\n")
    later, _, seeds = rest.partition("\n## Seeds\n")
    parts = re.split(rf"^##+ ({NUMBER}) .*\n", promises, flags=re.MULTILINE)
    kept = [row_of(number) for number in parts[1::2]]
    sections = re.split(r"^### Seed (\d{3})\n", seeds, flags=re.MULTILINE)
    return Contract(
        kept,
        dict(zip(kept, parts[2::2], strict=True)),
        [row_of(number) for number in re.findall(rf"^- \*\*({NUMBER})\*\* \S", later, flags=re.MULTILINE)],
        {number: seed_lines(body) for number, body in zip(sections[1::2], sections[2::2], strict=True)},
    )


def seed_lines(body: str) -> set[str]:
    return set(re.findall(r"^- (§[\d.]+) ", body, flags=re.MULTILINE)) | set(re.findall(r"\b([IN]\d):", body))


@cache
def contract() -> Contract:
    return read_contract(CONTRACT.read_text(encoding="utf-8"))


def named_files(text: str) -> list[str]:
    """Every file that a row names, alone or before the name of a test."""
    return re.findall(r"`((?:src|tests|bench|docs|plugin)/[\w./-]+)(?:::\w+)*`", text)


def named_tests(text: str) -> list[tuple[str, str]]:
    return re.findall(r"`(tests/[\w./-]+)::([\w:]+)`", text)


@cache
def names_of_tests(path: Path) -> set[str]:
    """The names of a file's tests; those of a class as `TestClass::test_name`."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return {name for name in found if name.split("::")[-1].startswith("test_")}


# -- reading the citations -------------------------------------------------------------------------------------------


def on_one_line(text: str) -> str:
    """A comment or docstring that is broken over lines, read as one."""
    return re.sub(r"\s*\n\s*(?:#:? ?)?", " ", text)


def cited_rows(text: str) -> set[Row]:
    found: set[Row] = set()
    for match in CITATION.finditer(on_one_line(text)):
        for first, last in re.findall(rf"({NUMBER})(?: to ({NUMBER}))?", match[1]):
            found |= rows_from(row_of(first), row_of(last or first))
    return found


def rows_from(first: Row, last: Row) -> set[Row]:
    assert first[:-1] == last[:-1], f"a range lies within one chapter, unlike {first} to {last}"
    return {(*first[:-1], number) for number in range(first[-1], last[-1] + 1)}


def cited_seeds(text: str) -> set[tuple[str, str]]:
    """The seed's number with each section or invariant; with an empty one where the seed alone is cited."""
    found: set[tuple[str, str]] = set()
    for number, after in SEED.findall(on_one_line(text)):
        parts = re.findall(r"§\d+(?:\.\d+)*|\b[IN]\d\b", after)
        found |= {(number, part) for part in parts} or {(number, "")}
    return found | {(number, f"§{major}.{minor}") for number, major, minor in SEED_IN_A_NAME.findall(text)}


def papers() -> list[Path]:
    own = {CONTRACT, Path(__file__).resolve()}
    return [path for path in tracked() if path.suffix in READ and path.resolve() not in own]


# -- the contract is complete ----------------------------------------------------------------------------------------


def test_every_row_that_is_cited_is_kept() -> None:
    """A comment cites a row because the code beside it keeps that row: one that is not built yet cannot be cited."""
    kept = set(contract().kept)
    missing = {
        f"{path.relative_to(ROOT)}: SPEC {'.'.join(map(str, row))}"
        for path in papers()
        for row in cited_rows(path.read_text(encoding="utf-8"))
        if row not in kept
    }
    assert missing == set()


def test_every_section_of_a_seed_that_is_cited_has_a_line() -> None:
    seeds = contract().seeds
    missing = {
        f"{path.relative_to(ROOT)}: seed {number} {part}"
        for path in papers()
        for number, part in cited_seeds(path.read_text(encoding="utf-8"))
        if number not in seeds or (part and part not in seeds[number])
    }
    assert missing == set()


def test_every_row_is_there_once_and_in_order() -> None:
    kept, later = contract().kept, contract().later
    assert kept == sorted(set(kept))
    assert later == sorted(set(later))
    assert not set(kept) & set(later), "a row is built or not"


def test_no_number_is_left_out() -> None:
    everything = {*contract().kept, *contract().later}
    chapters = {row[0] for row in everything}
    assert chapters == set(range(1, max(chapters) + 1))
    for chapter in chapters:
        rows = {row[1] for row in everything if row[0] == chapter and len(row) > 1}
        assert rows == set(range(1, len(rows) + 1)), f"chapter {chapter}"


def keeps_itself(row: Row) -> bool:
    """A row; or a chapter that has no rows."""
    return len(row) > 1 or not any(other[0] == row[0] and len(other) > 1 for other in contract().kept)


ROWS = [row for row in contract().kept if keeps_itself(row)]


@for_each("row", ROWS, ids=lambda row: ".".join(map(str, row)))
def test_a_row_says_where_it_is_kept_and_by_which_test_it_is_held(row: Row) -> None:
    text = contract().texts[row]
    assert len(text.partition("\n- ")[0].split()) >= 8, "it says what is promised"
    assert re.search(r"^- Kept in: `", text, flags=re.MULTILINE)
    assert named_tests(text)


@for_each("row", ROWS, ids=lambda row: ".".join(map(str, row)))
def test_what_a_row_names_exists(row: Row) -> None:
    text = contract().texts[row]
    assert [name for name in named_files(text) if not (ROOT / name).exists()] == []
    assert [f"{file}::{name}" for file, name in named_tests(text) if name not in names_of_tests(ROOT / file)] == []


def test_the_contract_leads_nowhere_outside_the_repository() -> None:
    assert OUTSIDE.findall(CONTRACT.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("paper", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_a_reader_is_led_to_the_contract(paper: str) -> None:
    assert "](docs/contract.md)" in (ROOT / paper).read_text(encoding="utf-8")


# -- the checks above can fail ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("(SPEC 4.1)", "4.1"),
        ("what SPEC 5 says, and RFC 8785 §3", "5"),
        ("SPEC §4 in plain words", "4"),
        ("(SPEC 1, 3.2, 19)", "1 3.2 19"),
        ("(SPEC 3.1, 3.4,\n    4.4)", "3.1 3.4 4.4"),
        ("# as in SPEC\n# 2.3 and 2.4", "2.3 2.4"),
        ("SPEC 14.1 to 14.4. Each", "14.1 14.2 14.3 14.4"),
        ("what SPEC 3.4 and 4.4 to 4.6 say", "3.4 4.4 4.5 4.6"),
        ("SPEC 3.1, row 2", "3.1"),
        ("(SPEC 18: 64 at once)", "18"),
        ("SPECIAL 4.1, SPEC.md, INSPECTOR 2", ""),
    ],
)
def test_every_way_to_cite_a_row_is_read(text: str, rows: str) -> None:
    assert cited_rows(text) == {row_of(number) for number in rows.split()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(SPEC 3.4, seed 000 §5.4).", {("000", "§5.4")}),
        ("Seed 001's failure modes (§8) and known issues (§11)", {("001", "§8"), ("001", "§11")}),
        ("(seed\n003, I7)", {("003", "I7")}),
        ("(SPEC 4, seed 000). See RFC 9162 §2.1", {("000", "")}),
        ("def test_seed_000_5_4_a_session(", {("000", "§5.4")}),
    ],
)
def test_every_way_to_cite_a_seed_is_read(text: str, found: set[tuple[str, str]]) -> None:
    assert cited_seeds(text) == found


def test_a_contract_that_lacks_something_would_be_seen() -> None:
    text = CONTRACT.read_text(encoding="utf-8")
    whole = read_contract(text)
    assert (4, 1) in whole.kept
    assert (4, 1) not in read_contract(re.sub(r"### 4\.1 .*", "### Without a number", text)).kept
    twice = read_contract(text.replace("### 4.2 ", "### 4.1 ")).kept
    assert twice.count((4, 1)) == 2
    assert (21, 1) not in read_contract(text.replace("- **21.1** ", "- ")).later
    assert "§5.4" not in read_contract(text.replace("- §5.4 ", "- ")).seeds["000"]
    assert "I7" not in read_contract(text.replace("I7:", "")).seeds["003"]


def test_a_name_of_nothing_would_be_seen() -> None:
    text = "- Kept in: `src/perdure/nothing.py`\n- Checked by: `tests/test_contract_page.py::test_of_nothing`"
    assert named_files(text) == ["src/perdure/nothing.py", "tests/test_contract_page.py"]
    assert not (ROOT / "src/perdure/nothing.py").exists()
    [(file, name)] = named_tests(text)
    assert name not in names_of_tests(ROOT / file)
    assert "test_a_name_of_nothing_would_be_seen" in names_of_tests(ROOT / file)


@pytest.mark.parametrize("text", ["see /work/x", "beside/shared/SPEC.md", "`SPEC.md`", "seeds/000.txt"])
def test_a_way_out_of_the_repository_would_be_seen(text: str) -> None:
    assert OUTSIDE.search(text)
