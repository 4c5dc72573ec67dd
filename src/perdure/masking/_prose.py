"""Finds passwords in sentences: in English, and behind the word for "password" in other languages.

Invariants: a sentence does not show well what is a value, so the value must look like a password: letters and digits or
a sign, and not a file, a version, a measure or the name of an algorithm. Repeats are bounded: time is linear.

Use: ``for begin, end, start, stop in user_and_password(text): …``
"""

from __future__ import annotations

import re

from ._names import is_mixed, is_placeholder
from ._screen import PASSWORD_IN_OTHER_LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VALUE = r"[\"'`«“„「『(]{0,2}(?P<secret>[!-&*-~][!-~]{3,127})"
_NOUN = r"(?:pass(?:word|wd|phrase|code)?|pwd?|psk)"
_USER = r"(?:user(?:name)?|login|account|e-?mail|uid|id)"

_SIGN = re.compile(r"[!@#$%^&*?~]")
_STRONG_SIGN = re.compile(r"(?=.*\d)(?=.*[A-Za-z])(?:.*[!#$%^&*][A-Za-z0-9]|[A-Z][a-z]+\d+[!#$%^&*])", re.DOTALL)
_MEASURE = re.compile(
    r"\d+(?:[.,]\d+)?[-_]?[A-Za-z]{1,12}|v?\d+(?:[.:]\d+)+\S{0,12}|\d{4}-\d\d\S*|0x[0-9a-f]+", re.IGNORECASE
)
_TECHNICAL = re.compile(
    r"(?:sha|md|base|utf|oauth|aes|hs|rs|es|ed|http|ipv|v|argon|bcrypt|scrypt|pbkdf|python|py|node|java|varchar|char|u?int"
    r"|float|win|windows|amd|arm|x|ubuntu|debian|web|ec|s|k|h|mp|rfc|iso|cve|issue|pr|step|phase|part|page|line|tests?|user"
    r"|host|db|app|env|auth|item|version|build|job|run|task|gcm|cbc|rsa|tls|ssl|port|file|config|section|table|column"
    r"|field|chapter|figure|example|version|case|level|rule|option|module|class|type|mode|wpa|otp|totp|fido|pkcs|id)"
    r"[-_]?\d+(?:[-_.]?[a-z]{0,6}\d*)?",
    re.IGNORECASE,
)
_NAME_LIKE = re.compile(r"[A-Za-z]+\d{0,4}(?:[_-][A-Za-z]*\d{0,4})+", re.ASCII)
_FILE_OR_ADDRESS = re.compile(
    r"[\w.-]+\.[A-Za-z]{1,6}|[\w.+-]+@[\w-]+\.[\w.-]+|.*(?:://|[/\\(){}\[\]<>=|`\"']).*", re.DOTALL
)
_ONE_DIGIT_LAST = re.compile(r"[A-Za-z]+\d", re.ASCII)
_CLOSING = ".,;:)\"'`»”」』]"


def _span(match: re.Match[str], surely: bool) -> tuple[int, int, int, int] | None:
    """The finding, if the value looks like a password. If the sentence surely gives one, a single digit is enough."""
    start = match.start("secret")
    value = match["secret"].rstrip(_CLOSING)
    if not _is_password(value, surely):
        return None
    end = start + len(value)
    return match.start(), end, start, end


def _is_password(value: str, surely: bool) -> bool:
    if len(value) < 5 or is_placeholder(value) or _is_technical(value):
        return False
    bare = value.rstrip("!?")
    if bare != value and _is_word(bare):  # the end of a sentence
        return False
    if not is_mixed(value):
        return surely and bool(_SIGN.search(bare)) and not value.isdigit()
    return surely or not _ONE_DIGIT_LAST.fullmatch(value)


def _is_word(value: str) -> bool:
    return value.isalpha() or bool(_TECHNICAL.fullmatch(value))


def _is_technical(value: str) -> bool:
    """Whether the value is a file, an address, a measure, a version, the name of an algorithm or another name."""
    return any(pattern.fullmatch(value) for pattern in (_FILE_OR_ADDRESS, _MEASURE, _TECHNICAL, _NAME_LIKE))


def _found(pattern: re.Pattern[str], text: str, surely: bool) -> Iterator[tuple[int, int, int, int]]:
    for match in pattern.finditer(text):
        span = _span(match, surely)
        if span:
            yield span


_GAP = r"[ \t]{1,2}"
_ACCOUNT = r"(?:cred(?:ential)?s?|log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|l/p|user/pass)"
_PAIR = re.compile(  # credentials are admin:x, login: admin / x
    rf"\b{_ACCOUNT}\b(?:{_GAP}\(?user(?:name)?/pass(?:word)?\)?|/pass(?:word)?)?"
    rf"(?:[ \t]{{0,2}}:|{_GAP}(?:are|is|as|with|using|was))?(?:{_GAP}the)?{_GAP}[\"'`(]{{0,2}}"
    rf"[\w.+-]{{1,64}}(?:@[\w.-]{{1,64}})?(?::|[ \t]{{0,2}}/[ \t]{{0,2}}|,[ \t]){_VALUE}",
    re.IGNORECASE | re.ASCII,
)
_IS_OR_SIGN = r"[ \t]{0,2}[:= \t][ \t]{0,2}"
_NAMED_PAIR = re.compile(  # user admin, password x; me@acme.dev with password x
    rf"\b(?:{_USER}[\"']?{_IS_OR_SIGN}[\"'`]?[^\s,;\"'`]{{1,64}}|[\w.+-]{{1,64}}@[\w.-]{{1,64}})[\"'`]?"
    rf"[\s,;/|&]{{1,6}}(?:and{_GAP}|with{_GAP}|the{_GAP}){{0,2}}{_NOUN}[\"']?{_IS_OR_SIGN}{_VALUE}",
    re.IGNORECASE | re.ASCII,
)
_TOLD = re.compile(  # password for staging is x, set the password to x, changed the password from x
    rf"\b{_NOUN}"
    rf"(?:{_GAP}(?:for|of|on|at|in|to)(?:{_GAP}[\w.@-]{{1,32}}){{1,3}}?(?:{_GAP}(?:is|was)[ \t:]{{1,3}}|:{_GAP})"
    rf"|{_GAP}(?:(?:should|must|will|shall){_GAP}be|(?:(?:was|is){_GAP})?(?:changed|set|reset|updated|rotated){_GAP}to"
    rf"|to|from|is|was|è|es|ist|est|é|=|→|->)[ \t:]{{1,3}}|{_GAP}(?=\())"
    rf"{_VALUE}",
    re.IGNORECASE | re.ASCII,
)
_CHOSEN = re.compile(  # use x as the password, with x as the db password
    rf"\b(?:use|using|take|try|enter|type|choose|put|set|with){_GAP}{_VALUE}{_GAP}as{_GAP}"
    rf"(?:[\w.'-]{{1,32}}{_GAP}){{0,3}}?{_NOUN}\b",
    re.IGNORECASE | re.ASCII,
)
_VARIABLE = re.compile(  # the JWT_SECRET is x, API_TOKEN was set to x, JWT_SECRET must be x
    r"\b[A-Z][A-Z0-9]{0,31}(?:_[A-Z0-9]{1,32}){0,4}_(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PWD|(?:API|ACCESS|AUTH|SIGNING"
    r"|ENCRYPTION|SECRET|PRIVATE|MASTER|SESSION)_?KEY)[\"'`]?"
    rf"{_GAP}(?:(?:is|was|(?:should|must|will){_GAP}be){_GAP}(?:set{_GAP}to{_GAP}|now{_GAP})?|set{_GAP}to{_GAP}|to{_GAP}){_VALUE}",
    re.ASCII,
)
_CHANGED = re.compile(
    rf"\b{_NOUN}[ \t]{{1,2}}from[ \t]{{1,2}}\S{{4,64}}[ \t]{{1,2}}to[ \t]{{1,2}}{_VALUE}", re.IGNORECASE | re.ASCII
)
_BARE = re.compile(  # password x, pass - x, and on the next line
    rf"(?<![\w-]){_NOUN}(?:[ \t]{{1,3}}(?:→|->|[—–-](?=[ \t]))?[ \t]{{0,3}}|:?[ \t]{{0,3}}\r?\n[ \t]{{0,8}}){_VALUE}",
    re.IGNORECASE | re.ASCII,
)

_HARDLY_A_WORD = re.compile(r"[A-Za-z]*(?:\d{1,3}[A-Za-z]+){2,}\d*|[A-Z][a-z]{3,15}\d{2,8}", re.ASCII)
_NAMES_ITSELF = re.compile(r"pass|pwd|secret|token|key|cred|user", re.IGNORECASE)
_NEW = re.compile(  # new password x, pw x, pass: x: no verb, so the value itself must be telling
    rf"(?<![\w-])(?:(?:new|old|temp|temporary|initial|default|current|previous|my|our){_GAP}(?:password|passphrase|passcode)"
    rf"|pw|pass:){_GAP}{_VALUE}",
    re.IGNORECASE | re.ASCII,
)
_USER_BEFORE = re.compile(  # credentials admin x, creds for staging: admin x
    rf"\bcred(?:ential)?s?:?(?:{_GAP}(?:for|of|on){_GAP}[\w.-]{{1,32}}:?)?{_GAP}[\w.+-]{{1,64}}(?:@[\w.-]{{1,64}})?"
    rf"{_GAP}{_VALUE}",
    re.IGNORECASE | re.ASCII,
)


_QUOTED = re.compile(  # {"pass": "x"}: a name that alone may mean a test that passed
    r"[\"'](?:pass|pwd?)[\"'][ \t]{0,4}(?:=>|[:=])[ \t]{0,4}[\"'](?P<secret>[!-~]{5,128}?)[\"']", re.IGNORECASE
)


def user_and_password(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password that stands beside its user: credentials admin:x, user admin and password x."""
    yield from _found(_PAIR, text, False)
    yield from _found(_NAMED_PAIR, text, False)
    yield from _telling(_USER_BEFORE, text)


def told(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password in an English sentence, and each one right behind the word, if it has signs that no word has."""
    yield from _found(_TOLD, text, False)
    yield from _found(_CHANGED, text, False)
    yield from _found(_QUOTED, text, False)
    yield from _bare(_BARE, text)
    yield from _telling(_NEW, text)


def chosen(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password before the word: use x as the password."""
    for match in _CHOSEN.finditer(text):
        span = _span(match, False)
        if span:
            yield match.start(), match.end(), span[2], span[3]


def given_to_variable(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each value that a sentence gives to an environment variable: the JWT_SECRET is x."""
    yield from _found(_VARIABLE, text, False)


def _bare(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each value right behind the word, with no sign or verb between: only values that cannot be words."""
    for match in pattern.finditer(text):
        span = _span(match, True)
        if span and _STRONG_SIGN.match(text[span[2] : span[3]]):
            yield span


def _telling(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password right behind a phrase that mostly precedes another word, and that cannot be one."""
    for match in pattern.finditer(text):
        span = _span(match, True)
        value = text[span[2] : span[3]] if span else ""
        is_telling = len(value) >= 8 and _HARDLY_A_WORD.fullmatch(value) and not _NAMES_ITSELF.search(value)
        if span and (is_telling or _STRONG_SIGN.match(value)):
            yield span


_IS = (
    r"(?:\s{0,2}[\"'»”]?\s{0,2}(?:=>|[:=：＝→—–])|(?:は|是|为|為|이|가|는|은)"
    r"|[ \t]{1,3}(?:es|ist|lautet|est|é|è|e|is|jest|to|är|er|on|este|это|је|je|van|là|adalah|:|=))"
)
_IN_OTHER_LANGUAGES = rf"(?:et|en|n|a|s)?(?P<is>{_IS})\s{{0,3}}(?P<quote>[\"'`]?)[«“„「『(]?(?P<secret>[!-~]{{4,128}})"
_compiled: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {}


def _patterns_for(word: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Two patterns, compiled when a text first has the word: with a sign or verb before the value, and without."""
    if word not in _compiled:
        said = re.compile(word + _IN_OTHER_LANGUAGES, re.IGNORECASE)
        _compiled[word] = said, re.compile(rf"{word}[ \t]{{1,3}}{_VALUE}", re.IGNORECASE)
    return _compiled[word]


def in_other_languages(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password behind the word for "password" in another language."""
    small = text.lower()
    for word in PASSWORD_IN_OTHER_LANGUAGES:
        if word.lower() in small:
            said, bare = _patterns_for(word)
            yield from _said_in_other_language(said, text)
            yield from _bare(bare, text)


def _said_in_other_language(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, int, int]]:
    for match in pattern.finditer(text):
        start, value = match.start("secret"), match["secret"]
        quote = match["quote"]
        closed = value.find(quote) if quote else -1
        value = value[:closed] if closed > 0 else value.rstrip(_CLOSING)
        quoted = closed > 0 and value.isalnum() and len(value) >= 4 and not is_placeholder(value)
        if quoted or _is_password(value, True):
            yield match.start(), start + len(value), start, start + len(value)
