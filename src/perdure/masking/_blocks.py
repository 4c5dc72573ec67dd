"""Owns: secrets that are a block of lines – private keys and the data of a Kubernetes Secret.

Invariants: each finder takes time linear in the text: repeats are possessive or bounded. It yields
where its evidence stands (the header, the kind) and where the secret does.

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
# Lines of base64, as they are or as a string has them; the last may be short if nothing follows.
_KEY_BODY = re.compile(
    r"""(?: (?:\s|\\++[nrt]|["'+,>|])*+
          (?: [A-Za-z0-9+/=]{16,}+ | (?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]{0,200}+ ) )++
        (?: (?:\s|\\++[nrt]|["'+,>|])*+ [A-Za-z0-9+/=]{1,15}+ (?=\s*+(?:\Z|-|["'\\])) )?+""",
    re.VERBOSE,
)


def private_keys(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each PEM private key, from its header to its end, or as far as a cut-off one goes."""
    at = 0
    while header := _KEY_HEADER.search(text, at):
        at = header.end()
        body = _KEY_BODY.match(text, at)
        if body:  # else it is only spoken of
            at = _key_end(text, at, body.end())
            yield header.start(), header.end(), header.start(), at


def _key_end(text: str, start: int, body_end: int) -> int:
    footer = text.find("-----END", start, start + _LONGEST_KEY)
    if footer < 0 or text.find("-----BEGIN", start, footer) >= 0:  # another key's
        return body_end
    found = _KEY_FOOTER.match(text, footer)
    return found.end() if found else body_end


_KIND_SECRET = re.compile(r"kind[\"']?\s{0,3}:\s{0,3}[\"']?secret\b", re.IGNORECASE | re.ASCII)
_YAML_DATA = re.compile(
    r"^(?P<indent>[ \t]*+)(?:data|stringData):[ \t]*+\n(?P<body>(?:(?P=indent)[ \t]++\S[^\n]*+(?:\n|\Z))++)",
    re.MULTILINE,
)
_YAML_ENTRY = re.compile(r"^[ \t]++(?:[\"']?[\w./-]++[\"']?:[ \t]++)?(?P<value>\S[^\n]*+)$", re.MULTILINE | re.ASCII)
_JSON_DATA = re.compile(r"\"(?:data|stringData)\"\s{0,8}:\s{0,8}\{(?P<body>[^{}]{0,65536}+)\}")
_JSON_ENTRY = re.compile(r":\s{0,8}\"(?P<value>[^\"\n]++)\"")
_YAML_SIGNS = frozenset(("|", ">", "|-", ">-", "|+", ">+", "{}"))


def kubernetes_secrets(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each entry under ``data`` where the text is of the kind Secret."""
    kind = _KIND_SECRET.search(text)
    if not kind:
        return
    for data, entry in ((_YAML_DATA, _YAML_ENTRY), (_JSON_DATA, _JSON_ENTRY)):
        for block in data.finditer(text):
            for found in entry.finditer(text, *block.span("body")):
                value = found.group("value").rstrip()
                if value not in _YAML_SIGNS and not value.endswith(":") and not is_placeholder(value.strip("\"'")):
                    yield kind.start(), kind.end(), found.start("value"), found.start("value") + len(value)
