"""The text of a beads file: split into lines, each read as a task, and edited so that every other byte stays.

A line that is not changed is written byte for byte as it was. A changed line keeps its unknown fields, their order and
their spelling; a new line goes to the end. What cannot be read (a broken line, a record that is not a task, a line that
is too long or too deep) stays where it is, and its `problem` says why.

    file = parse_file(content)
    joined(file, {2: with_values(file.lines[1].text, {"status": "closed"})}, [])
"""

from __future__ import annotations

import json
import re

from perdure.beads.issue import BLOCKS, EXTENSIONS, MOST_ENTRIES, UNORDERED, Issue, Unusable, read_issue
from perdure.errors import BadInput, Refused
from perdure.model import json_text
from perdure.model.json import compact
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from perdure.model.json import Json

LARGEST_FILE = 64 << 20
MOST_LINES = 100_000
LONGEST_LINE = 1 << 20
DEEPEST = 64
_BOM = b"\xef\xbb\xbf"
_MARKERS = (b"<<<<<<< ", b"=======", b">>>>>>> ", b"||||||| ")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"|[][{}]', re.S)
_KIND = "_type"
"""bd writes memories into the same file, with this field."""
DEFAULT_PREFIX = "bd"


@value
class BeadsLine:
    number: int
    raw: bytes
    """Without the line's end."""
    end: bytes
    issue: Issue | None = None
    problem: str | None = None

    @property
    def text(self) -> str:
        return self.raw.decode()


@value
class BeadsFile:
    bom: bytes
    lines: tuple[BeadsLine, ...]

    def by_id(self) -> dict[str, BeadsLine]:
        """The tasks. If an id occurs twice, the last line counts, as when beads imports the file."""
        return {line.issue.id: line for line in self.lines if line.issue}

    def warnings(self) -> list[str]:
        found = [f"line {line.number}: {line.problem}; it stays as it is" for line in self.lines if line.problem]
        last = self.by_id()
        for line in self.lines:
            if line.issue and last[line.issue.id] is not line:
                found.append(
                    f"line {line.number}: {line.issue.id} is also in line {last[line.issue.id].number}, which counts"
                )
            elif line.issue:
                found += [f"line {line.number}: {each}" for each in line.issue.warnings]
        return found

    def unreadable(self) -> list[BeadsLine]:
        return [line for line in self.lines if line.problem]

    def prefix(self) -> str:
        """What the ids of this file begin with, before the last `-`: beads refuses an id that begins otherwise."""
        counts: dict[str, int] = {}
        for issue_id in self.by_id():
            begin = issue_id.partition(".")[0].rpartition("-")[0]
            if begin:
                counts[begin] = counts.get(begin, 0) + 1
        return max(counts, key=lambda each: counts[each]) if counts else DEFAULT_PREFIX


# -- reading ---------------------------------------------------------------------------------------------------------


def parse_file(content: bytes) -> BeadsFile:
    if len(content) > LARGEST_FILE:
        raise _too_large(f"{len(content)} bytes; at most {LARGEST_FILE} are read")
    bom = _BOM if content.startswith(_BOM) else b""
    parts = content[len(bom) :].split(b"\n")
    if len(parts) > MOST_LINES:
        raise _too_large(f"{len(parts)} lines; at most {MOST_LINES} are read")
    ends = [b"\n"] * (len(parts) - 1) + [b""]
    if parts[-1] == b"":
        parts, ends = parts[:-1], ends[:-1]
    pairs = zip(parts, ends, strict=True)
    return BeadsFile(bom, tuple(_line(number, raw, end) for number, (raw, end) in enumerate(pairs, 1)))


def _too_large(how: str) -> BadInput:
    return BadInput("tasks_too_large", f"The task file has {how}. Nothing was changed.", hint="Split the file.")


def _line(number: int, raw: bytes, end: bytes) -> BeadsLine:
    if raw.endswith(b"\r"):
        raw, end = raw[:-1], b"\r" + end
    if raw.startswith(_MARKERS):
        raise Refused(
            "tasks_in_conflict",
            f"Line {number} of the task file is a conflict marker of a merge. Nothing was changed.",
            hint="Resolve the merge in the file, then try again.",
            details={"line": number},
        )
    if not raw.strip():
        return BeadsLine(number=number, raw=raw, end=end)
    try:
        return BeadsLine(number=number, raw=raw, end=end, issue=_issue(raw))
    except Unusable as error:
        return BeadsLine(number=number, raw=raw, end=end, problem=str(error))


def _issue(raw: bytes) -> Issue | None:
    given = _object(raw)
    if given.get(_KIND, "issue") != "issue":
        return None
    return read_issue(given)


def _object(raw: bytes) -> dict[str, Json]:
    if len(raw) > LONGEST_LINE:
        raise Unusable(f"it has {len(raw)} bytes; at most {LONGEST_LINE} are read")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise Unusable("it is not UTF-8") from None
    if _depth(text) > DEEPEST:
        raise Unusable(f"it is nested deeper than {DEEPEST} levels")
    try:
        found = json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except ValueError:
        raise Unusable("it is not JSON") from None
    if not isinstance(found, dict):
        raise Unusable("it is not a JSON object")
    return found


def _integer(digits: str) -> Any:
    """A number that no field of ours can have is not converted: Python refuses those of thousands of digits."""
    return int(digits) if len(digits) < 18 else digits


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _depth(text: str) -> int:
    """How deep the brackets are nested. Strings may hold brackets, too."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return 0
    depth = deepest = 0
    for token in _STRING_OR_BRACKET.findall(text):
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
    return deepest


# -- writing ---------------------------------------------------------------------------------------------------------


def joined(file: BeadsFile, changed: Mapping[int, str], added: Sequence[str]) -> bytes:
    """The file's bytes with some lines changed, by number, and others added at its end."""
    newline = b"\r\n" if any(line.end == b"\r\n" for line in file.lines) else b"\n"
    pieces = [file.bom]
    for line in file.lines:
        pieces += [changed[line.number].encode() if line.number in changed else line.raw, line.end]
    if added and file.lines and not file.lines[-1].end.endswith(b"\n"):
        pieces.append(newline)
    for text in added:
        pieces += [text.encode(), newline]
    return b"".join(pieces)


def with_values(text: str, values: Mapping[str, Json]) -> str:
    """The line with these fields changed or added. None removes a field."""
    for key, content in values.items():
        text = _without(text, key) if content is None else _with(text, key, content)
    return text


def _with(text: str, key: str, content: Json) -> str:
    root = json_text.parse(text)
    found = root.get(key)
    return json_text.add(root, key, content) if found is None else json_text.replace(found, content)


def _without(text: str, key: str) -> str:
    """The line without the key, even if it has the key several times: otherwise an earlier one would count now."""
    root = json_text.parse(text)
    while (index := root.index(key)) is not None:
        text = json_text.remove(root, index)
        root = json_text.parse(text)
    return text


def with_blockers(text: str, issue_id: str, blockers: Iterable[str], *, removed: Container[str], at: str) -> str:
    """The line with these blocking dependencies, and without the removed ones. All others stay: the ledger did not
    read them, so it cannot have removed them."""
    text = _array(text, "dependencies")
    entries = _entries(text, "dependencies")
    for index in reversed(range(len(entries))):
        if _blocks(entries[index]) and entries[index].get("depends_on_id") in removed:
            text = json_text.remove(_at(text, "dependencies"), index)
    present = {each.get("depends_on_id") for each in entries if _blocks(each)}
    for other in dict.fromkeys(blockers):
        if other not in present:
            text = json_text.add(_at(text, "dependencies"), None, dependency(issue_id, other, at=at))
    return text


def with_list(text: str, field: str, wanted: Sequence[Json], *, read: Callable[[Json], Json]) -> str:
    """The line with this list. `read` returns an entry as the ledger has it, or None. An entry that the file has
    already keeps its text, because it may say more than the ledger read; so does one that cannot be read."""
    text = _array(text, field)
    known = [read(each) for each in _entries(text, field)[:MOST_ENTRIES]]
    kept = [form for form in known if form is not None and form in wanted]
    if field not in UNORDERED and kept != wanted[: len(kept)]:
        return _reordered(_at(text, field), known, wanted)
    for index in reversed(range(len(known))):
        if known[index] is not None and known[index] not in wanted:
            text = json_text.remove(_at(text, field), index)
    text = _extended(text, field, _not_in(kept, wanted))
    is_unsaid = field not in EXTENSIONS and not _at(text, field).inside
    return _without(text, field) if is_unsaid else text


def _not_in(kept: Iterable[Json], wanted: Iterable[Json]) -> Iterator[Json]:
    """What is wanted more often than it is there."""
    left = list(kept)
    for each in wanted:
        if each in left:
            left.remove(each)
        else:
            yield each


def _extended(text: str, key: str, added: Iterable[Json]) -> str:
    for each in added:
        text = json_text.add(_at(text, key), None, each)
    return text


def _reordered(array: json_text.Node, known: Sequence[Json], wanted: Sequence[Json]) -> str:
    """The line with the entries in the wanted order, and after them those that were not read."""
    texts = [each.text for each in array.inside]
    left = list(range(len(texts)))
    pieces = []
    for each in wanted:
        at = next((index for index in left if index < len(known) and known[index] == each), None)
        pieces.append(compact(each) if at is None else texts[at])
        left = [index for index in left if index != at]
    unread = [index for index in left if index >= len(known) or known[index] is None]
    return json_text.replace_text(array, f"[{','.join([*pieces, *(texts[index] for index in unread)])}]")


def _entries(text: str, key: str) -> list[Any]:
    found: list[Any] = json.loads(_at(text, key).text, parse_int=_integer)
    return found


def dependency(issue_id: str, other: str, *, at: str) -> dict[str, Json]:
    return {
        "issue_id": issue_id,
        "depends_on_id": other,
        "type": BLOCKS,
        "created_at": at,
        "created_by": "perdure",
    }


def _blocks(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("type") == BLOCKS


def with_decisions(text: str, made: Iterable[dict[str, Json]]) -> str:
    return _extended(_array(text, "decisions"), "decisions", made)


def _array(text: str, key: str) -> str:
    found = json_text.parse(text).get(key)
    return text if found is not None and found.kind == json_text.ARRAY else _with(text, key, [])


def _at(text: str, key: str) -> json_text.Node:
    found = json_text.parse(text).get(key)
    assert found is not None
    return found


def new_line(values: Mapping[str, Json]) -> str:
    return compact({name: content for name, content in values.items() if content not in (None, [])})
