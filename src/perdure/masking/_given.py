"""Owns: credentials that are given by name – ``password = x``, ``"token": "x"``, ``--api-key x``.
Passwords given without a name are in `_commands`.

Invariants: what stands there must be a value. A variable, a call, a type, a message or a stand-in
is not masked: whoever reads the ledger needs those. The less the form says (a quoted string, an
environment variable, a colon in prose), the more the value must look like a secret.

Use: ``for begin, end, start, stop in named(text): …``
"""

from __future__ import annotations

import re

from ._names import AMBIGUOUS, PASSWORDS, credential_noun, has_dense_run, is_mixed, is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_VALUE = 4096

_NAMED = re.compile(
    r"""
    (?:pass(?:w(?:or)?d|phrase|code|wort)?|pwd?|psk|pswd|pword|secret|token|key|credential)
    (?:[_-]?(?:\d{1,3}|[A-Za-z]{1,12})(?![A-Za-z0-9_]))?
    (?P<close>\\{0,3}["']?[\])]?)
    (?P<sep>[ \t]{0,8}
        (?: :[ \t]{0,3}[A-Za-z_][\w.|\[\] ]{0,40}?[ \t]{0,3}=(?![=~>]) | => | [:?+]= | =(?![=~>]) | :(?![:/]) )
    [ \t]{0,8})
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_NAME_BEFORE = re.compile(r"[\w.$-]{0,64}+\Z", re.ASCII)
_OPENING = re.compile(r"(?:[bBrRfFuU]{1,2}(?=[\"']))?(?P<quote>\"{3}|'{3}|\\{0,3}[\"'`])")
_REST = re.compile(r"[^\s\"'`<>]{1,4096}")
_GOES_ON = re.compile(r"[;|&,)}\]]")

_CALL = re.compile(r"[A-Za-z_$][\w.]{0,200}+(?:\(|\[|\{|::|->)", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]+", re.ASCII)
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z0-9]+)+", re.ASCII)
_NAME_LIKE = re.compile(r"[A-Za-z]{2,}\d{0,4}(?:[_-][A-Za-z]{2,}\d{0,4}|[_-]\d{1,4})*", re.ASCII)
_NUMBER_LIKE = re.compile(r"[vV]?[\d.,:/%_+-]+[A-Za-z]{0,3}|[vV]?\d+(?:\.\d+)+(?:[-+.][A-Za-z0-9]{1,8})*", re.ASCII)
_TYPE_NAME = re.compile(r"(?:u?int|float|bytes|str|string|varchar|char|text)\d{0,4}", re.ASCII | re.IGNORECASE)
_SIGN = re.compile(r"[!@#$%^&*?+~]")
_SPEAKS = re.compile(
    r"(?-i:[A-Z][a-z]+ )|.*(?:pass|pwd|secret|token|\bkey\b|credential|[<>():,;\"'`])|.*[.!?]\Z",
    re.DOTALL | re.IGNORECASE,
)


class _Given:
    """A name, the sign behind it and the value that follows, where they stand in the text."""

    __slots__ = ("begin", "end", "name", "noun", "quoted", "sign", "start", "text", "value")

    def __init__(self, text: str, begin: int, name: str, *, noun: str, sign: str, span: tuple[int, int, bool]) -> None:
        self.text = text
        self.begin = begin
        self.name = name
        self.noun = noun
        self.sign = sign
        self.start, self.end, self.quoted = span
        self.value = text[self.start : self.end]

    @property
    def is_password(self) -> bool:
        """Passwords may be words; tokens and keys are not."""
        return self.noun in PASSWORDS

    @property
    def next(self) -> str:
        """The character behind the value."""
        return self.text[self.end : self.end + 1]


def named(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each credential given by name and a sign: = : => := and their like."""
    at = 0
    while match := _NAMED.search(text, at):
        at = match.end()
        given = _given_at(text, match)
        if given and _is_secret(given):
            yield match.start(), given.end, given.start, given.end
            at = given.end


def _given_at(text: str, match: re.Match[str]) -> _Given | None:
    before = _NAME_BEFORE.search(text, max(0, match.start() - 64), match.start())
    begin = before.start() if before else match.start()
    name = text[begin : match.start("close")].lstrip("$-.")
    sign = match.group("sep")
    noun = credential_noun(name) or _short_noun(name, sign)
    if not noun or (sign == ":" and text.endswith(":", 0, begin)):  # arn:…:secret:name
        return None
    start = match.end()
    if text.endswith("${", 0, begin):  # ${PASSWORD:-x}: only the default is a value
        if text[start : start + 1] != "-":
            return None
        start, sign = start + 1, "="
    span = value_at(text, start)
    if span is None:
        return None
    if not span[2]:
        own_line = sign == "=" and name == name.upper() and _begins_line(text, begin)
        span = (span[0], unquoted_end(text, span[0], span[1], own_line=own_line), False)
    return _Given(text, begin, name, noun=noun, sign=sign, span=span)


def _short_noun(name: str, sign: str) -> str:
    """A short name alone. "pass: x" is a test's result more often than a password."""
    low = name.lower()
    return low if low in AMBIGUOUS and ("=" in sign or low != "pass") else ""


def _begins_line(text: str, begin: int) -> bool:
    line = text.rfind("\n", max(0, begin - 32), begin) + 1
    return text[line:begin].strip() in ("", "export", "-", "set", "ENV", "ARG")


def value_at(text: str, at: int) -> tuple[int, int, bool] | None:
    """The span of the value that begins here, without its quotes, and whether it had any."""
    opening = _OPENING.match(text, at)
    if not opening:
        rest = _REST.match(text, at)
        return (at, rest.end(), False) if rest else None
    end = _closing(text, opening.end(), opening.group("quote"))
    return (opening.end(), end, True) if end > opening.end() else None


def _closing(text: str, start: int, quote: str) -> int:
    """Where the closing quote is; for a text cut off before it, where the word ends."""
    limit = min(len(text), start + _LONGEST_VALUE)
    escaped = quote[0] == "\\"
    if escaped or len(quote) == 1:  # only a triple quote goes over lines
        line = text.find("\n", start, limit)
        limit = limit if line < 0 else line
    end = text.find(quote, start, limit)
    while end > start and not escaped and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1, limit)
    if end >= 0:
        return end
    rest = _REST.match(text, start)
    return rest.end() if rest else start


def unquoted_end(text: str, start: int, end: int, *, own_line: bool) -> int:
    """An unquoted value ends where the shell, a query or a list goes on; on a line of its own, with the line."""
    cut = None if own_line else _GOES_ON.search(text, start, end)
    end = cut.start() if cut else end
    while end > start and text[end - 1] in ",;:.)}]":
        end -= 1
    return end


def _is_secret(given: _Given) -> bool:
    """Whether what stands there is the credential itself."""
    value = given.value
    if not value or is_placeholder(value):
        return False
    if given.name.lower() in AMBIGUOUS and "=" not in given.sign and not _looks_like_password(value):
        return False
    speaks_of_itself = given.noun in value.lower() and not has_dense_run(value)
    if given.quoted:
        return _is_quoted_secret(given, speaks_of_itself)
    if speaks_of_itself or _CALL.match(given.text, given.start) or given.next in ("(", "["):
        return False
    if _TYPE_NAME.fullmatch(value) or _DOTTED.fullmatch(value) or _CONSTANT.fullmatch(value):
        return False
    if given.sign != "=":
        return _is_loose_secret(given)
    return _is_environment_secret(given) if given.name == given.name.upper() else _is_tight_secret(given)


def _looks_like_password(value: str) -> bool:
    """Letters with digits or signs, and no name with parts."""
    is_name = _NAME_LIKE.fullmatch(value) and ("-" in value or "_" in value)
    return len(value) >= 5 and not is_name and (is_mixed(value) or bool(_SIGN.search(value)))


def _is_quoted_secret(given: _Given, speaks_of_itself: bool) -> bool:
    value = given.value
    if any(char.isspace() for char in value):
        return not _SPEAKS.match(value) and len(value) >= 8
    if speaks_of_itself:
        return False
    if given.is_password:
        return len(value) >= 3
    if has_dense_run(value):
        return True
    if not is_mixed(value) or len(value) < 6:
        return False
    return not _NAME_LIKE.fullmatch(value) or not ("-" in value or "_" in value)


def _is_environment_secret(given: _Given) -> bool:
    """NAME=x: hardly anything else is written so."""
    if given.is_password:
        return len(given.value) >= 3
    return len(given.value) >= (10 if given.value.isdigit() else 6)


def _is_tight_secret(given: _Given) -> bool:
    """name=x: a data source, a query – or a keyword argument, which goes on with a comma or a bracket."""
    value = given.value
    if not given.is_password:
        return len(value) >= 8 and is_mixed(value) and (has_dense_run(value) or not _NAME_LIKE.fullmatch(value))
    if _WORD.fullmatch(value) and given.next not in ("", " ", "\n", "\r", "\t", '"', "'", "&", "\\"):
        return False
    return len(value) >= 4


def _is_loose_secret(given: _Given) -> bool:
    """name: x, name = x: where prose and code stand, too."""
    value = given.value
    if not given.is_password:
        plain = _NAME_LIKE.fullmatch(value) or _NUMBER_LIKE.fullmatch(value)
        return len(value) >= 12 and is_mixed(value) and not plain
    if _WORD.fullmatch(value):  # a line of YAML; in prose and in code it goes on
        alone = given.next in ("", "\n", "\r") and ":" in given.sign and _begins_line(given.text, given.begin)
        return alone and value.islower() and "_" not in value and len(value) >= 4
    if value.isdigit():
        return len(value) >= 6
    return len(value) >= 4 and (is_mixed(value) or bool(_SIGN.search(value)))


# ---- options of commands ------------------------------------------------------------------------

_LONG_OPTION = re.compile(r"--(?P<name>[a-zA-Z][\w-]{2,40}+)(?P<sep>=|[ \t]{1,4})", re.ASCII)
# What follows an option that is only spoken of.
_TALK = (
    " to is are was for from and or not option options flag flags arg args argument arguments value values when if with"
    " without as in on of by must can cannot should may will has have which that this the an it instead because so then"
    " but does via prompt prompts takes needs wants given only too also at after before asks reads switch requires"
    " parameter works expects leaks exposes shows prints sets here there no "
)
_MOUNT = ("id=", "type=", "src=")  # docker build --secret


def long_options(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each value of an option that names a credential: --password x, --api-key=x."""
    for match in _LONG_OPTION.finditer(text):
        name = match.group("name")
        if not credential_noun(name) and name.lower() not in AMBIGUOUS:
            continue
        span = value_at(text, match.end())
        if span is None:
            continue
        start, end, quoted = span
        if not quoted:
            end = unquoted_end(text, start, end, own_line=False)
        value = text[start:end]
        if len(value) < 3 or is_placeholder(value) or value.startswith(("-", *_MOUNT)):
            continue
        if quoted or match.group("sep") == "=" or not is_spoken_of(value):
            yield match.start(), end, start, end


def is_spoken_of(value: str) -> bool:
    """Whether the word behind an option rather belongs to a sentence about the option, or names its argument."""
    return f" {value} " in _TALK or (value.isupper() and value.replace("_", "").isalpha())
