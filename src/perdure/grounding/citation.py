"""Reads and writes where a claim's evidence is (SPEC 8.1): lines of a file, or a symbol in it.

    read_citation("${PROJECT_ROOT}/src/cart.py:12-14") == LineCitation("src/cart.py", 12, 14)
    read_citation("${PROJECT_ROOT}/src/cart.py#Cart.add") == SymbolCitation("src/cart.py", "Cart.add")

Every other way to write a path is refused with `bad_citation`. Where the meaning is plain, the error's details have the
`corrected` form. What is decided here:

- The last `:12` or `:12-14` of the text are the lines, so a file's name may contain a colon or `#`. A name may not end
  in a colon and digits: `a.py:12:5` is refused, because compilers write line and column like that.
- In a citation of a symbol, the first `#` ends the path. A `#` in the file's name is written as `%23`, and a `%` before
  `23` or `25` as `%25`. A symbol may contain `#`, as private members in JavaScript do.
- A path is kept character by character: no Unicode normalisation, no change of case.
- A backslash is refused: Windows uses it between folders, and git does not. A file whose name contains one cannot be
  cited. Neither can a name with control characters or one that is not UTF-8, because the ledger would change it.
- Symbolic links are not looked at: whoever opens the file checks where it leads.
"""

from __future__ import annotations

import re

from perdure.errors import BadInput
from perdure.grounding.project_root import ROOT
from perdure.model.value import value

_MOST_DIGITS = 9
_IN_TEXT = re.compile(
    r"""(\$\{PROJECT_ROOT\}/[^\s:\#`'"<>|]{1,500}+      # a path; in a sentence, it has no spaces
    (?: :[0-9]{1,9}+(?:-[0-9]{1,9}+)?(?!\w) | \#[\w$](?:[\w$.\#]{0,300}[\w$])?+ ))
    (?::[0-9]{1,9}+(?!\w))?+                            # a column""",
    re.X,
)
_LONGEST = 4096
_LINES = re.compile(r":([0-9]+)(?:-([0-9]+))?\Z")
_LINE_AND_COLUMN = re.compile(r"(.*[^:]):([0-9]+):[0-9]+\Z", re.S)
_UNUSABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_OTHER_ROOTS = re.compile(r"\$PROJECT_ROOT/|\$\{PROJECT_ROOT\}(?!/)/*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_ESCAPED = re.compile("%(23|25)")
_TO_ESCAPE = re.compile("#|%(?=23|25)")
_FORM = "Write ${PROJECT_ROOT}/path:line, ${PROJECT_ROOT}/path:line-line or ${PROJECT_ROOT}/path#symbol."


@value
class LineCitation:
    path: str
    """From the project's root, with `/` between folders."""
    first: int
    last: int


@value
class SymbolCitation:
    path: str
    symbol: str


def write_citation(citation: LineCitation | SymbolCitation) -> str:
    if isinstance(citation, SymbolCitation):
        escaped = _TO_ESCAPE.sub(lambda found: "%23" if found[0] == "#" else "%25", citation.path)
        return f"{ROOT}{escaped}#{citation.symbol}"
    lines = f"{citation.first}" if citation.first == citation.last else f"{citation.first}-{citation.last}"
    return f"{ROOT}{citation.path}:{lines}"


@value
class CitedInText:
    citation: LineCitation | SymbolCitation
    end: int
    """Where in the text it ends."""


def citations_in(text: str) -> list[CitedInText]:
    """The citations in the words of a note or a decision, in their order. Those that `read_citation` refuses are left
    out, and so are paths with spaces, quotes or a colon: nobody can say where they end."""
    if ROOT not in text:
        return []
    found = []
    for match in _IN_TEXT.finditer(text):
        try:
            found.append(CitedInText(read_citation(match[1]), match.end()))
        except BadInput:
            continue
    return found


def read_citation(text: str, *, root: str = "", folder: str = "") -> LineCitation | SymbolCitation:
    """`root` is the project's root on this machine and `folder` the caller's folder from there. They serve only to
    write the corrected form of an absolute or relative path."""
    if len(text) > _LONGEST or _UNUSABLE.search(text):
        raise _refusal(text, "is too long, or has characters that no citation can have")
    place, suffix = _split(text)
    path = place.removeprefix(ROOT)
    if path == place:
        raise _refusal(
            text, "does not begin with ${PROJECT_ROOT}/", _corrected(_from_elsewhere(place, root, folder), suffix)
        )
    if _normal(path) != path:
        raise _refusal(text, _what_is_wrong(path), _corrected(_normal(path), suffix))
    return _citation(text, path, suffix)


def _split(text: str) -> tuple[str, str]:
    """The place, and the lines or the symbol with the sign before them."""
    column = _LINE_AND_COLUMN.match(text)
    if column:
        raise _column_refusal(text, column[1], column[2])
    lines = _LINES.search(text)
    if lines:
        return text[: lines.start()], lines[0]
    place, sign, symbol = text.partition("#")
    if not symbol.strip():
        raise _refusal(text, "names neither a line nor a symbol")
    return _ESCAPED.sub(lambda found: "#" if found[1] == "23" else "%", place), sign + symbol


def _citation(text: str, path: str, suffix: str) -> LineCitation | SymbolCitation:
    lines = _LINES.fullmatch(suffix)
    if lines is None:
        return _symbol_citation(text, path, suffix[1:])
    if max(len(number or "") for number in lines.groups()) > _MOST_DIGITS:
        raise _refusal(text, "has a line number that no file has")
    first = int(lines[1])
    last = int(lines[2] or first)
    if first == 0:
        raise _refusal(text, "has line 0; the first line is 1")
    if last < first:
        raise _refusal(text, "has its last line before its first", _corrected(path, f":{last}-{first}" if last else ""))
    return LineCitation(path, first, last)


def _symbol_citation(text: str, path: str, symbol: str) -> SymbolCitation:
    if symbol != symbol.strip():
        raise _refusal(text, "has white space around the symbol", _corrected(path, f"#{symbol.strip()}"))
    return SymbolCitation(path, symbol)


def _normal(path: str) -> str | None:
    """The path with `/` between folders and without empty parts, `.` and `..`; None if it leaves the project or names
    no file."""
    kept: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and not kept:
            return None
        if part == "..":
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    ends_in_a_folder = path.endswith(("/", "\\", "/.", "/..")) or path in ("", ".", "..")
    return None if ends_in_a_folder or not kept else "/".join(kept)


def _what_is_wrong(path: str) -> str:
    if "\\" in path:
        return "has a backslash; git writes / between folders"
    if _normal(path) is None:
        return "leaves the project or names no file"
    return "has an empty part, `.` or `..` in its path"


def _from_elsewhere(place: str, root: str, folder: str) -> str | None:
    """The path from the root that an absolute or relative path means; None if it is outside the project or unknown."""
    other = _OTHER_ROOTS.match(place)
    if other:
        return _normal(place[other.end() :])
    if place.startswith("~"):
        return None
    if not place.startswith(("/", "\\")) and not _DRIVE.match(place):
        return _normal(f"{folder}/{place}")
    base = root.replace("\\", "/").rstrip("/") + "/"
    plain = place.replace("\\", "/")
    return _normal(plain[len(base) :]) if root and plain.startswith(base) else None


def _column_refusal(text: str, place: str, line: str) -> BadInput:
    path = place.removeprefix(ROOT)
    plain = _normal(path) if place.startswith(ROOT) else None
    return _refusal(text, "has a column after the line", _corrected(plain, f":{line}"))


def _refusal(text: str, problem: str, corrected: str = "") -> BadInput:
    return BadInput(
        "bad_citation",
        f"The citation {text[:200]!r} {problem}.",
        hint=f"Write {corrected}" if corrected else _FORM,
        details={"corrected": corrected} if corrected else {},
    )


def _corrected(path: str | None, suffix: str) -> str:
    """The right form, or nothing where it cannot be said or would be refused as well."""
    if path is None or not suffix:
        return ""
    try:
        return write_citation(_citation("", path, suffix))
    except BadInput:
        return ""
