"""Finds secrets that are a block of lines: private keys and the data of a Kubernetes Secret.

Invariants: each finder takes time linear in the text: repeats are possessive or bounded. It yields
the span of its evidence (the header, the kind) and the span of the secret.

Use: ``for begin, end, start, stop in private_keys(text): …``
"""

from __future__ import annotations

import re

from ._names import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_KEY = 65536
_KEY_HEADER = re.compile(r"-----BEGIN[ A-Z0-9_-]{0,100}?PRIVATE KEY(?: BLOCK)?-----", re.IGNORECASE)
_KEY_FOOTER = re.compile(r"-----END[ A-Z0-9_-]{0,100}?-----", re.IGNORECASE)
# Lines of base64, plain or escaped inside a string; the last may be short if nothing follows.
_KEY_BODY = re.compile(
    r"""(?: (?:\s|\\++[nrt]|["'+,>|])*+
          (?: [A-Za-z0-9+/=]{16,}+ | (?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]{0,200}+ ) )++
        (?: (?:\s|\\++[nrt]|["'+,>|])*+ [A-Za-z0-9+/=]{1,15}+ (?=\s*+(?:\Z|-|["'\\])) )?+""",
    re.VERBOSE,
)


def private_keys(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each PEM private key, from its header to its footer, or to where it is cut off."""
    at = 0
    while header := _KEY_HEADER.search(text, at):
        at = header.end()
        body = _KEY_BODY.match(text, at)
        if body:  # without one, the text only mentions the header
            at = _key_end(text, at, body.end())
            yield header.start(), header.end(), header.start(), at


def _key_end(text: str, start: int, body_end: int) -> int:
    footer = text.find("-----END", start, start + _LONGEST_KEY)
    if footer < 0 or text.find("-----BEGIN", start, footer) >= 0:  # no footer, or another key's
        return body_end
    found = _KEY_FOOTER.match(text, footer)
    return found.end() if found else body_end


_KIND_SECRET = re.compile(r"kind[\"'\\]{0,4}\s{0,3}:\s{0,3}[\"'\\]{0,4}secret\b(?!-)", re.IGNORECASE | re.ASCII)
_DOCUMENT_ENDS = re.compile(r"(?:\n|\\n)---")
# A line's end, plain or escaped inside a string; a character before it.
_NEWLINE = r"(?:\r?\n|\\{1,2}r\\{1,2}n|\\{1,2}n)"
_ON_LINE = r"(?:[^\n\r\\]|\\(?!\\?[nr]))"
_YAML_DATA = re.compile(
    rf"(?:\A|(?<=\n)|(?<=\\n)|(?<=[\"']))(?P<indent>[ \t]*+)(?:-[ \t])?(?:data|stringData):[ \t]*+"
    rf"(?:\{{(?P<flow>[^{{}}\n]{{1,65536}}+)\}}"
    rf"|{_NEWLINE}(?P<body>(?:(?P=indent)[ \t]++{_ON_LINE}++(?:{_NEWLINE}|\Z)?)++))"
)
_YAML_ENTRY = re.compile(
    rf"(?:\A|(?<=[\n\r])|(?<=\\n))[ \t]++(?:[\"']?[\w./-]++[\"']?:[ \t]++)?(?P<value>(?![ \t]){_ON_LINE}++)", re.ASCII
)
_FLOW_ENTRY = re.compile(r":[ \t]{0,8}[\"']?(?P<value>[^\s,\"'{}]++)")
_JSON_DATA = re.compile(r"\\{0,3}\"(?:data|stringData)\\{0,3}\"\s{0,8}:\s{0,8}\{(?P<body>[^{}]{0,65536}+)\}")
_JSON_ENTRY = re.compile(r":\s{0,8}\\{0,3}\"(?P<value>[^\"\n\\]++)\\{0,3}\"")
_YAML_SIGNS = frozenset(("|", ">", "|-", ">-", "|+", ">+", "{}"))


def kubernetes_secrets(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each entry under ``data`` in a YAML or JSON document of the kind Secret."""
    if not _KIND_SECRET.search(text):
        return
    begin = 0
    for end in (*(found.end() for found in _DOCUMENT_ENDS.finditer(text)), len(text)):
        kind = _KIND_SECRET.search(text, begin, end)
        if kind:
            for start, stop in _entries(text, begin, end):
                yield kind.start(), kind.end(), start, stop
        begin = end


def _entries(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for block in _YAML_DATA.finditer(text, begin, end):
        if block["flow"] is not None:
            yield from _values(_FLOW_ENTRY, text, block.span("flow"))
        else:
            yield from _values(_YAML_ENTRY, text, block.span("body"))
    for block in _JSON_DATA.finditer(text, begin, end):
        yield from _values(_JSON_ENTRY, text, block.span("body"))


def _values(entry: re.Pattern[str], text: str, body: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for found in entry.finditer(text, *body):
        value = found.group("value").rstrip()
        if value not in _YAML_SIGNS and not value.endswith(":") and not is_placeholder(value.strip("\"'")):
            yield found.start("value"), found.start("value") + len(value)
