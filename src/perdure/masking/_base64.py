"""Finds secrets in base64: pieces of a private key, a key without its header and footer, an encoded secret.

Invariants: the text is cut into blocks of base64 lines once, and each block is searched once: time is linear in the
text. Decoded text is searched with all rules, also when it was encoded twice; each round is a quarter shorter, so it
ends. Base64 that does not decode to text is left alone, unless its lines are as long as those of a key file.

Use: ``for begin, end, start, stop in encoded_secrets(text): …``
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from ._names import is_mixed
from ._screen import may_hold_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BETWEEN = r"(?:\s|\\++[nrt]|\\(?=\s)|[\"'+,>|])++"
_BLOCK = re.compile(
    rf"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{16,}}+(?<!-)={{0,2}}(?:{_BETWEEN}[A-Za-z0-9+/]{{16,}}+={{0,2}}(?![\w-]))*+"
)
_LINE = re.compile(r"(?:\\[nrt])?(?P<line>[A-Za-z0-9+/_-]{16,}+={0,2})")
# The last line, if it is shorter than the others: alone on its line, and not a word.
_SHORT_LINE = re.compile(
    rf"(?:{_BETWEEN}(?=[a-z]{{0,15}}[A-Z0-9+/=])[A-Za-z0-9+/]{{1,15}}+={{0,2}}(?=\s{{0,4}}(?:\Z|\n|-----|[\"'\\])))?+"
)
_ARMOUR_AFTER = re.compile(
    rf"(?:{_BETWEEN})?(?:=[A-Za-z0-9+/]{{4}}\s{{1,4}})?-----END(?P<label>[ A-Z0-9_-]{{0,100}}?)-----"
)
_PRIVATE = "PRIVATE KEY"
_LOOK_BACK = 200

_AS_STANDARD = str.maketrans("-_", "+/")
_TEXT = bytes(range(32, 127)) + b"\t\n\r"
_FIRST = 24  # so many characters show whether the rest is text
# PKCS#1, SEC 1, PKCS#8 and openssh-key-v1 without header and footer.
_BARE_KEY = re.compile(
    r"MII[A-Za-z0-9+/]{3}(?:IBADANBgkqhkiG9w0BAQEFAASC|IBAAKC|gIBAAKC)|MI[GI][A-Za-z0-9+/]AgEAMB[AM]GByqGSM49"
    r"|MHcCAQEEI|MIGkAgEBBD|MIHcAgEBBEI|M[CE][A-Za-z0-9+/]CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE"
)
_KEY_WIDTHS = (64, 70)
_MOST_KEY_LINES = 130  # of 16,384 bits
# How files begin that are not keys: images, fonts, archives, documents; a certificate, a public key.
_KNOWN_FILE = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF|wOF[F2]|\x00\x01\x00\x00\x00|OTTO|PK\x03\x04|\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|%PDF|BM"
    rb"|\x7fELF|MZ|ID3|OggS|fLaC|\x00\x00\x00.ftyp|\x00asm|\x30\x82..\x30|\x30\x81.\x30|\x00\x00\x00.(?:ssh-|ecdsa|sk-)",
    re.DOTALL,
)


def encoded_secrets(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each base64 text with a secret in it, and each private key without its header and footer."""
    for block in _BLOCK.finditer(text):
        start, end = block.span()
        lines = [line.span("line") for line in _LINE.finditer(text, start, end)]
        for first, last in _secret_spans(text, lines):
            yield first, last, first, last


def _secret_spans(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    if _hides_secret("".join(text[first:last] for first, last in lines)):
        yield lines[0][0], _end_of_last_line(text, lines)
        return
    if len(lines) > 1:
        yield from ((first, last) for first, last in lines if _hides_secret(text[first:last]))
        yield from _pieces_of_key(text, lines)


def _hides_secret(encoded: str) -> bool:
    if _BARE_KEY.match(encoded):
        return True
    if not _reads_as_text(encoded[:_FIRST]):
        return False
    decoded = _decoded(encoded)
    if decoded.translate(None, _TEXT):
        return False
    from ._find import find

    plain = decoded.decode("ascii")
    return may_hold_secret(plain) and bool(find(plain))


def _decoded(encoded: str) -> bytes:
    whole = encoded.rstrip("=").translate(_AS_STANDARD)
    if len(whole) % 4 == 1:  # six bits, which are not a byte
        whole = whole[:-1]
    try:
        return a2b_base64(whole + "=" * (-len(whole) % 4))
    except Error:  # not reached with these characters
        return b"\0"


def _reads_as_text(encoded: str) -> bool:
    return not _decoded(encoded).translate(None, _TEXT)


def _pieces_of_key(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The end of a key, recognized by its footer; or its middle, by lines that are all as long as in a key file."""
    start = lines[0][0]
    if _is_of_another_block(text, start):
        return
    whole = _end_of_last_line(text, lines)
    after = _ARMOUR_AFTER.match(text, whole)
    if after:
        if _PRIVATE in after["label"]:
            yield start, after.end()
        return
    for first, last in _runs_as_long_as_a_key_has(lines):
        begins, ends = lines[first][0], lines[last][1]
        joined = "".join(text[start:end] for start, end in lines[first : last + 1])
        if _is_random(joined) and not _KNOWN_FILE.match(_decoded(joined[:_FIRST])):
            yield begins, whole if last == len(lines) - 1 else ends


def _end_of_last_line(text: str, lines: list[tuple[int, int]]) -> int:
    end = lines[-1][1]
    short = _SHORT_LINE.match(text, end) if len(lines) > 1 else None
    return short.end() if short else end


def _is_of_another_block(text: str, start: int) -> bool:
    """Whether the lines follow the header of a certificate or a signature. `_blocks` handles a private key's."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return "BEGIN " in before and "END " not in before[before.rindex("BEGIN ") :]


def _runs_as_long_as_a_key_has(lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Runs of two or more lines of a key file's width, with the shorter line before (a cut one) and behind (the last).

    Each is given as the index of its first and of its last line.
    """
    first = 0
    while first < len(lines):
        width = _width(lines[first])
        last = first
        while last + 1 < len(lines) and _width(lines[last + 1]) == width:
            last += 1
        if width in _KEY_WIDTHS and 1 <= last - first < _MOST_KEY_LINES:
            cut_before = first > 0 and _width(lines[first - 1]) < width
            short_behind = last + 1 < len(lines) and _width(lines[last + 1]) < width
            yield (first - 1 if cut_before else first), (last + 1 if short_behind else last)
        first = last + 1


def _width(line: tuple[int, int]) -> int:
    start, end = line
    return end - start


def _is_random(joined: str) -> bool:
    return is_mixed(joined) and joined not in (joined.lower(), joined.upper()) and ("+" in joined or "/" in joined)
