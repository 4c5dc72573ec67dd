"""Finds credentials that are given by name: ``password = x``, ``"token": "x"``, ``--api-key x``.
`_commands` finds passwords that are given without a name.

Invariants: only a value is masked. A variable, a call, a type, a message or a placeholder is left
as it is, because a reader of the ledger needs it. The weaker the form (from a quoted string over
an environment variable to a colon in prose), the more the value must look like a secret.

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
_STRONG = re.compile(r"[!@#^&*]")
_SPEAKS = re.compile(
    r"(?-i:[A-Z][a-z]+ )|.*(?:pass|pwd|secret|token|\bkey\b|credential|[<>():,;\"'`])|.*[.!?]\Z",
    re.DOTALL | re.IGNORECASE,
)


class _Given:
    """A name, the sign behind it and the value that follows, with their positions in the text."""

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
        """Whether the name means a password. A password may be a plain word; a token or a key is not."""
        return self.noun in PASSWORDS

    @property
    def is_variable(self) -> bool:
        """Whether the name is that of an environment variable, of two words or more: JWT_SECRET."""
        return "_" in self.name and self.name == self.name.upper()

    @property
    def next(self) -> str:
        """The character behind the value."""
        return self.text[self.end : self.end + 1]


def named(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each credential that follows its name and a sign such as = : => or :=."""
    at = 0
    while match := _NAMED.search(text, at):
        at = match.end()
        given = _given_at(text, match)
        if given and _is_secret(given):
            yield match.start(), given.end, given.start, given.end
            at = given.end


def _given_at(text: str, match: re.Match[str]) -> _Given | None:
    """The name, sign and value around a match of _NAMED; None if the name is not a credential's or no value follows."""
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
    start, end, quoted = span
    if not quoted:
        end = unquoted_end(text, start, end, own_line=_has_own_line(text, begin, name, sign=sign))
    return _Given(text, begin, name, noun=noun, sign=sign, span=(start, end, quoted))


def _has_own_line(text: str, begin: int, name: str, *, sign: str) -> bool:
    """Whether it is a line of an environment file: NAME=x."""
    return sign == "=" and name == name.upper() and _begins_line(text, begin)


def _short_noun(name: str, sign: str) -> str:
    """The name, if it is a short one that means a password before this sign. "pass: x" is usually a test's result."""
    low = name.lower()
    return low if low in AMBIGUOUS and ("=" in sign or low != "pass") else ""


def _begins_line(text: str, begin: int) -> bool:
    line = text.rfind("\n", max(0, begin - 32), begin) + 1
    return text[line:begin].strip() in ("", "export", "-", "set", "ENV", "ARG")


def value_at(text: str, at: int) -> tuple[int, int, bool] | None:
    """The span of the value that begins here, without its quotes, and whether it had quotes."""
    opening = _OPENING.match(text, at)
    if not opening:
        rest = _REST.match(text, at)
        return (at, rest.end(), False) if rest else None
    end = _closing(text, opening.end(), opening.group("quote"))
    return (opening.end(), end, True) if end > opening.end() else None


def _closing(text: str, start: int, quote: str) -> int:
    """Where the closing quote is; where the word ends, if the text is cut off before that quote."""
    limit = min(len(text), start + _LONGEST_VALUE)
    escaped = quote[0] == "\\"
    if escaped or len(quote) == 1:  # only a triple-quoted string has several lines
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
    """Where an unquoted value ends: where a command, a query or a list goes on; on its own line, with the line."""
    cut = None if own_line else _GOES_ON.search(text, start, end)
    end = cut.start() if cut else end
    while end > start and text[end - 1] in ",;:.)}]":
        end -= 1
    return end


def _is_secret(given: _Given) -> bool:
    """Whether the value is the credential itself."""
    value = given.value
    if is_placeholder(value):
        return False
    if _has_doubtful_name(given) and not _looks_like_password(value):
        return False
    if given.is_variable and _is_value_of_variable(given):
        return True
    repeats_noun = _repeats_noun(given)
    if given.quoted:
        return _is_quoted_secret(given, repeats_noun)
    if repeats_noun or _is_code(given):
        return False
    if given.sign != "=":
        return _is_loose_secret(given)
    if given.name == given.name.upper():
        return _is_environment_secret(given)
    return _is_tight_secret(given)


def _repeats_noun(given: _Given) -> bool:
    """Whether the value has the noun in it, as names and messages do, and does not look like a key or a password."""
    value = given.value
    if given.noun not in value.lower() or has_dense_run(value):
        return False
    return not (is_mixed(value) and _STRONG.search(value))


def _is_value_of_variable(given: _Given) -> bool:
    """Whether letters and digits are given to an environment variable, whatever the sign and however short: nobody
    writes the name of a file, a type or another variable like this."""
    value = given.value
    if len(value) < 6 or not is_mixed(value) or any(char.isspace() for char in value):
        return False
    return given.quoted or not (_is_code(given) or _NUMBER_LIKE.fullmatch(value))


def _has_doubtful_name(given: _Given) -> bool:
    """Whether the short name often means something else, and no sign of assignment says that it does not."""
    return given.name.lower() in AMBIGUOUS and "=" not in given.sign


def _is_code(given: _Given) -> bool:
    """Whether the unquoted value is a call, an index, a type, a dotted name or a constant."""
    if _CALL.match(given.text, given.start) or given.next in ("(", "["):
        return True
    value = given.value
    return bool(_TYPE_NAME.fullmatch(value) or _DOTTED.fullmatch(value) or _CONSTANT.fullmatch(value))


def _looks_like_password(value: str) -> bool:
    """Whether the value has letters with digits or signs, and is not a name of several parts."""
    if len(value) < 5 or _is_name_of_parts(value):
        return False
    return is_mixed(value) or bool(_SIGN.search(value))


def _is_name_of_parts(value: str) -> bool:
    """Words joined by - or _: a name, not a key."""
    return ("-" in value or "_" in value) and bool(_NAME_LIKE.fullmatch(value))


def _is_quoted_secret(given: _Given, repeats_noun: bool) -> bool:
    """name = "x": a string is a value for sure, but it may be a message or a name."""
    value = given.value
    if any(char.isspace() for char in value):
        return not _SPEAKS.match(value) and len(value) >= 8
    if repeats_noun:
        return False
    if given.is_password:
        return len(value) >= 3
    if has_dense_run(value):
        return True
    return is_mixed(value) and len(value) >= 6 and not _is_name_of_parts(value)


def _is_environment_secret(given: _Given) -> bool:
    """NAME=x: hardly anything but an environment variable looks like this."""
    if given.is_password:
        return len(given.value) >= 3
    return len(given.value) >= (10 if given.value.isdigit() else 6)


def _is_tight_secret(given: _Given) -> bool:
    """name=x: a data source, a query, or a keyword argument, behind which a comma or a bracket stands."""
    value = given.value
    if not given.is_password:
        return len(value) >= 8 and is_mixed(value) and (has_dense_run(value) or not _NAME_LIKE.fullmatch(value))
    if _WORD.fullmatch(value) and given.next not in ("", " ", "\n", "\r", "\t", '"', "'", "&", "\\"):
        return False
    return len(value) >= 4


def _is_loose_secret(given: _Given) -> bool:
    """name: x, name = x: prose and code look like this, too."""
    value = given.value
    if not given.is_password:
        return _is_loose_key(value)
    if _WORD.fullmatch(value):
        return len(value) >= 4 and value.islower() and "_" not in value and _is_line_of_yaml(given)
    if value.isdigit():
        return len(value) >= 6
    return len(value) >= 4 and (is_mixed(value) or bool(_SIGN.search(value)))


def _is_loose_key(value: str) -> bool:
    """Whether a token or a key has this form: long, mixed, and neither a name nor a number."""
    if len(value) < 12 or not is_mixed(value):
        return False
    return not _NAME_LIKE.fullmatch(value) and not _NUMBER_LIKE.fullmatch(value)


def _is_line_of_yaml(given: _Given) -> bool:
    """Whether name: x fills its line. In prose and in code, more follows."""
    return given.next in ("", "\n", "\r") and ":" in given.sign and _begins_line(given.text, given.begin)


# ---- options of commands ------------------------------------------------------------------------

_LONG_OPTION = re.compile(r"--(?P<name>[a-zA-Z][\w-]{2,40}+)(?P<sep>=|[ \t]{1,4})", re.ASCII)
# Words that follow an option in a sentence about it.
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
        if credential_noun(name) or name.lower() in AMBIGUOUS:
            span = _option_value(text, match)
            if span:
                yield match.start(), span[1], *span


def _option_value(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """The span of the option's value; None if none follows, or if it is not a secret."""
    span = value_at(text, match.end())
    if span is None:
        return None
    start, end, quoted = span
    if not quoted:
        end = unquoted_end(text, start, end, own_line=False)
    value = text[start:end]
    if len(value) < 3 or is_placeholder(value) or value.startswith(("-", *_MOUNT)):
        return None
    if not quoted and match.group("sep") != "=" and is_spoken_of(value):
        return None
    return start, end


def is_spoken_of(value: str) -> bool:
    """Whether the word behind an option belongs to a sentence about the option, or names its argument."""
    return f" {value} " in _TALK or (value.isupper() and value.replace("_", "").isalpha())
