"""Our own table of shapes of secrets, for what the rule set misses in prose and commands.

Invariants: every shape has an id and a reason; a shape runs in time linear in the text (bounded or
possessive repeats, bounded lookbehinds); placeholders (`_names.is_placeholder`) are left alone. A
shape that finds short secrets must begin with a hint of `_screen`, or its findings are dropped.

Use: ``for begin, end, shape_id, start, stop in find(text, low): …``
"""

from __future__ import annotations

import re

from ._names import has_dense_run, is_mixed, is_placeholder
from ._ruleset import entropy
from ._screen import (
    chooses_password,
    gives_password_on_input,
    gives_password_to_command,
    is_dense,
    is_uuid_or_digest,
    names_password_in_another_language,
    takes_short_option,
    tells_password,
    tells_plain_password,
    tells_user_and_password,
)
from ._services import PREFIXED_KEYS, SERVICE_TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finder = Callable[[str], Iterator[tuple[int, int, int, int]]]
    Test = Callable[[re.Match[str]], bool]
    Needs = tuple[str, ...] | Callable[[str], bool]


class Shape:
    """One shape: its id, why we need it, what the lowered text must contain (one of some words, or whatever a test
    says), and how it is found."""

    __slots__ = ("finder", "id", "needs", "specific", "why")

    def __init__(self, id: str, why: str, needs: Needs, *, finder: Finder, specific: bool = False) -> None:
        self.id = id
        self.why = why
        self.needs = needs
        self.finder = finder
        self.specific = specific  # its id says whose secret it is, so it wins over a general one


def find(text: str, low: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Each finding: where its evidence is, the shape, where the secret is. ``low`` is the lowered text."""
    return _find_by(SHAPES, text, low)


def find_tokens(text: str, low: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Like ``find``, only for tokens whose own form shows their service."""
    return _find_by(TOKENS, text, low)


def _find_by(shapes: tuple[Shape, ...], text: str, low: str) -> Iterator[tuple[int, int, str, int, int]]:
    for shape in shapes:
        if _concerns(shape.needs, low):
            for begin, end, start, stop in shape.finder(text):
                yield begin, end, shape.id, start, stop


def _concerns(needs: Needs, low: str) -> bool:
    if not isinstance(needs, tuple):
        return needs(low)
    for need in needs:  # noqa: SIM110 – any() takes twice as long, for each of a hundred shapes
        if need in low:
            return True
    return False


def _always(low: str) -> bool:
    return True


def _by(pattern: str, accepts: Test | None = None, flags: int = 0) -> Finder:
    """A finder for one expression, compiled when first used. The secret is its group "secret", or the whole match."""
    compiled: list[re.Pattern[str]] = []

    def finder(text: str) -> Iterator[tuple[int, int, int, int]]:
        if not compiled:
            compiled.append(re.compile(pattern, flags | re.ASCII))
        group = "secret" if "secret" in compiled[0].groupindex else 0
        for match in compiled[0].finditer(text):
            if accepts is None or accepts(match):
                yield match.start(), match.end(), match.start(group), match.end(group)

    return finder


def _in(module: str, function: str) -> Finder:
    """A finder in another module, imported when first used: most texts need none of them."""

    def finder(text: str) -> Iterator[tuple[int, int, int, int]]:
        from importlib import import_module

        found: Finder = getattr(import_module(f"{__package__}.{module}"), function)
        return found(text)

    return finder


def _secret(match: re.Match[str]) -> str:
    return match.group("secret")


def _is_meant(match: re.Match[str]) -> bool:
    return not is_placeholder(_secret(match))


def _is_random(match: re.Match[str]) -> bool:
    """Whether the match has digits, small and capital letters, well mixed."""
    value = match.group()
    return is_mixed(value) and value not in (value.lower(), value.upper()) and entropy(value) > 3.8


def _is_key(match: re.Match[str]) -> bool:
    """Whether the match has letters and digits, and is random enough for a key."""
    value = match.group()
    return is_mixed(value) and entropy(value) > 3 and not is_placeholder(value)


def _is_registry_auth(match: re.Match[str]) -> bool:
    value = _secret(match)
    is_encoded = value.endswith("=") or "_auth" in match.group() or has_dense_run(value)
    return is_encoded and (is_mixed(value) or value not in (value.lower(), value.upper()))


_CODE = re.compile(r"[(\[{]")


def _authorizes(match: re.Match[str]) -> bool:
    value, scheme = _secret(match), (match.group("scheme") or "").lower()
    if is_placeholder(value):
        return False
    if not scheme:
        return has_dense_run(value) and not _CODE.search(value)
    return len(value) >= 16 or any(char.isdigit() for char in value) or (scheme == "basic" and len(value) >= 8)


_PORT_AND_QUERY = re.compile(r"\d{1,5}[?#]")


def _opens_address(match: re.Match[str]) -> bool:
    return _is_meant(match) and not _PORT_AND_QUERY.match(_secret(match))


_MEASURE = re.compile(  # "is 24h valid", "is sha256-hashed"
    r"\d+-?[A-Za-z]+\W?\Z|(?:sha|md|base|utf|oauth|aes|hs|rs|es|ed|http|ipv|v)-?\d", re.ASCII | re.IGNORECASE
)
_NAME_LIKE = re.compile(r"[A-Za-z]{2,}\d{0,4}(?:[_-][A-Za-z]{2,}\d{0,4}|[_-]\d{1,4})*", re.ASCII)


_LONG_WORD = re.compile(r"[a-z]{18,64}", re.ASCII)
"""Several words in one. No English word that says how a password is has as many letters."""


def _is_said(match: re.Match[str]) -> bool:
    value = _secret(match)
    if "pass" in match.group("noun").lower() and _LONG_WORD.fullmatch(value) and not is_placeholder(value):
        return True
    if is_placeholder(value) or not is_mixed(value) or _MEASURE.match(value):
        return False
    if "pass" in match.group("noun").lower():
        return len(value) >= 6
    return len(value) >= (8 if match.group("quote") else 12) and not _NAME_LIKE.fullmatch(value)


def _is_random_value(match: re.Match[str]) -> bool:
    value = _secret(match)
    return is_mixed(value) and has_dense_run(value) and not is_placeholder(value)


def _is_session(match: re.Match[str]) -> bool:
    """A UUID or a digest is a session's number in a log, unless the name is that of a cookie."""
    value = _secret(match)
    return _is_random_value(match) and bool(match.group("own") or not is_uuid_or_digest(value))


_TWO_GROUPS = re.compile(r"[^\d\s]{0,16}\d+[A-Za-z]+\d+", re.ASCII)
_LEAST_DIGITS = 5


def _is_bearers(match: re.Match[str]) -> bool:
    """A short one must not read as a name with a number."""
    value = _secret(match)
    if not is_mixed(value) or not _is_meant(match):
        return False
    return len(value) >= 16 or bool(_TWO_GROUPS.match(value) and sum(map(str.isdigit, value)) >= _LEAST_DIGITS)


_I = re.IGNORECASE
TOKENS: tuple[Shape, ...] = (
    *(Shape(id, why, needs, finder=_by(pattern), specific=True) for id, why, needs, pattern in SERVICE_TOKENS),
    *(Shape(id, "no rule", needs, finder=_by(pattern, _is_key), specific=True) for id, needs, pattern in PREFIXED_KEYS),
    Shape(
        "sk-key",
        "OpenAI's keys have changed length and lost their mark; others (OpenRouter, DeepSeek) took the prefix",
        ("sk-",),
        finder=_by(r"\bsk-[A-Za-z0-9_-]{20,}", lambda match: is_mixed(match.group()) and is_dense(match.group())),
        specific=True,
    ),
)

SHAPES: tuple[Shape, ...] = (
    *TOKENS,
    Shape(
        "prefixed-token",
        "new services give their keys a prefix (gsk_, r8_, nfp_, figd_, …) faster than rules are written",
        ("_",),
        finder=_by(
            r"(?<![\w-])(?<!sha\d\d\d[=:-])[a-z][a-z0-9]{1,9}(?:_[a-z]{2,8}){0,2}_[A-Za-z0-9]{28,}+(?!\w)", _is_random
        ),
    ),
    Shape(
        "aws-secret-access-key",
        "the rules know the key id only; the secret beside it has no form of its own",
        ("akia", "asia"),
        finder=_by(
            r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b[^\n]{0,60}?[\s\"',:=/|](?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
            lambda match: is_mixed(_secret(match)) and not is_uuid_or_digest(_secret(match)),
        ),
        specific=True,
    ),
    Shape(
        "private-key",
        "as a whole, in one line or many, and when cut off",
        ("-----begin",),
        finder=_in("_blocks", "private_keys"),
        specific=True,
    ),
    Shape(
        "putty-private-key",
        "no rule: it has no header of its own",
        ("private-lines:",),
        finder=_by(r"Private-Lines: \d{1,3}\s{1,4}(?P<secret>(?:[A-Za-z0-9+/=]{8,}+\s{0,4})++)", flags=_I),
        specific=True,
    ),
    Shape(
        "kubernetes-secret",
        "every entry of a Secret's data, as YAML or JSON",
        ("secret",),
        finder=_in("_blocks", "kubernetes_secrets"),
    ),
    Shape(
        "url-password",
        "the password in an address, with user and host kept",
        ("://",),
        finder=_by(r"://[^\s/:@\"'`<>?#]{0,128}:(?P<secret>[^\s/\"'`<>]{3,256})@(?=[\w\[$%{.-])", _opens_address),
    ),
    Shape(
        "url-token",
        "a token in the user's place of an address",
        ("://",),
        finder=_by(
            r"://(?P<secret>[A-Za-z0-9_-]{20,256})(?::[^\s/@\"'`<>]{0,128})?@(?=[\w\[])",
            lambda match: is_dense(_secret(match)),
        ),
    ),
    Shape(
        "signed-url",
        "whoever has the signature may use the address",
        ("sig",),
        finder=_by(r"[?&;](?:sig|x-(?:amz|goog)-signature)=(?P<secret>[\w%/+=-]{20,})", flags=_I),
    ),
    Shape(
        "signed-url",
        "shorter ones, and those under the whole word: only what is random",
        ("sig",),
        finder=_by(r"[?&;](?:sig|sign|signature)=(?P<secret>[\w%/+=.~-]{14,512})", _is_random_value, _I),
    ),
    Shape(
        "session-cookie",
        "a session's cookie without its header",
        ("sess",),
        finder=_by(
            r"\b(?:(?P<own>php_?sess(?:ion)?id|jsessionid|asp\.net_sessionid|laravel_session|_session)|session_?id|sess(?:ion)?)"
            r"=(?P<secret>[A-Za-z0-9%._~+/-]{16,512})",
            _is_session,
            _I,
        ),
    ),
    Shape(
        "authorization-header",
        "the rule wants a curl command around it",
        ("authorization",),
        finder=_by(
            r"authorization[\"'\\\]]{0,4}\s{0,3}[:=]\s{0,3}[\\\"'`]{0,4}"
            r"(?:(?P<scheme>bearer|basic|token|digest|apikey|bot|negotiate|ntlm|key)\s{1,4})?"
            r"(?P<secret>[^\s\"'`\\,;<>]{4,4096})",
            _authorizes,
            _I,
        ),
    ),
    Shape(
        "bearer-token",
        "quoted without its header",
        ("bearer",),
        finder=_by(
            r"\bbearer[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{10,4096})",
            _is_bearers,
            _I,
        ),
    ),
    Shape(
        "cookie-header",
        "a session's cookie is the session",
        ("cookie",),
        finder=_by(
            r"\b(?:set-)?cookie[\"']?\s{0,3}:\s{0,3}[\"']?"
            r"(?P<secret>[\w.-]{1,64}=[^\s;\"'<>$\\]{6,4096}(?:;[ \t]{0,4}[^\s;\"'\\]{1,4096}){0,64})",
            lambda match: is_mixed(_secret(match)),
            _I,
        ),
    ),
    Shape(
        "assigned-credential",
        "the generic rule wants entropy, ten characters and none of 1446 words; a password may have none of these",
        ("pass", "pw", "psk", "pswd", "secret", "token", "key", "credential"),
        finder=_in("_given", "named"),
    ),
    Shape("option-value", "as assigned-credential, for --password x", ("--",), finder=_in("_given", "long_options")),
    Shape(
        "command-password",
        "curl -u user:x, sshpass -p x, mysql -px, docker login -p x: without any name",
        takes_short_option,
        finder=_in("_commands", "short_options"),
    ),
    Shape(
        "command-password",
        "as an argument of its own: wpa_passphrase net x",
        gives_password_to_command,
        finder=_in("_commands", "arguments"),
    ),
    Shape(
        "piped-password",
        "printed into a program that reads a password: echo x | sudo -S, sudo -S <<< x",
        gives_password_on_input,
        finder=_in("_commands", "on_standard_input"),
    ),
    Shape(
        "encoded-secret",
        "base64 of a key, a token, a file of settings; pieces of a private key",
        _always,
        finder=_in("_base64", "encoded_secrets"),
    ),
    Shape(
        "wrapped-token",
        "a token broken over lines",
        ("\n", "\\n"),
        finder=_in("_wrapped", "wrapped_tokens"),
        specific=True,
    ),
    Shape(
        "netrc-password",
        "named, but without a sign of assignment",
        ("login",),
        finder=_by(
            r"\blogin\s{1,8}(?!and\s|or\s)\S{1,128}\s{1,8}password\s{1,8}(?P<secret>\S{1,256})",
            _is_meant,
        ),
    ),
    Shape(
        "sql-password",
        "named, but without a sign of assignment",
        ("password", "identified"),
        finder=_by(
            r"\b(?:password|identified\s{1,4}by(?:\s{1,4}password)?)\s{1,4}'(?P<secret>[^'\n]{1,128})'",
            lambda match: _is_meant(match) and (" " not in _secret(match) or is_mixed(_secret(match))),
            _I,
        ),
    ),
    Shape(
        "xml-password",
        "the value is the element's text, or an attribute of its own",
        ("</", "value="),
        finder=_by(
            r"(?:(?:password|passwd|passphrase|secret|token|api[_-]?key)>(?=[^<>\s]{3,256}</)"
            r"|key=\"[\w.:-]{0,64}password\"\s{1,4}value=\")(?P<secret>[^<>\s\"]{3,256})",
            lambda match: _is_meant(match) and (is_mixed(_secret(match)) or "pass" in match.group().lower()),
            _I,
        ),
    ),
    Shape(
        "said-password",
        "told in a sentence: the password is x",
        (" is", " was"),
        finder=_by(
            r"\b(?P<noun>password|passphrase|passwd|passcode|token|secret|api[ _-]?key|access[ _-]?key)"
            r"\s{1,3}(?:is|was)[ \t:]{1,3}(?P<quote>[\"'`]?)(?P<secret>[^\s\"'`]{3,256}[^\s\"'`.,;:!)])",
            _is_said,
            _I,
        ),
    ),
    Shape(
        "told-key",
        "told in a sentence with words between: the API key for staging is x",
        ("key", "token", "secret"),
        finder=_by(
            r"\b(?:(?:api|access|secret)[ _-]?key|token|secret)[ \t]{1,2}(?:for|of|on|in)"
            r"(?:[ \t]{1,2}[\w.-]{1,32}){1,3}?(?:[ \t]{1,2}(?:is|was)|:)[ \t]{1,3}[\"'`]?(?P<secret>[\w+/.~-]{16,256})",
            lambda match: (
                is_mixed(_secret(match)) and is_dense(_secret(match)) and not is_uuid_or_digest(_secret(match))
            ),
            _I,
        ),
    ),
    Shape(
        "told-password",
        "told in a sentence with words between: the password for staging is x",
        tells_password,
        finder=_in("_prose", "told"),
    ),
    Shape(
        "plain-password",
        "a plain word, where the form says that it is the password and nothing else",
        tells_plain_password,
        finder=_in("_plain", "plain_words"),
    ),
    Shape(
        "chosen-password",
        "told before the word: use x as the password",
        chooses_password,
        finder=_in("_prose", "chosen"),
    ),
    Shape(
        "told-variable",
        "told in a sentence with a variable's name: the JWT_SECRET is x",
        ("_secret", "_token", "_pass", "_pwd", "key"),
        finder=_in("_prose", "given_to_variable"),
    ),
    Shape(
        "user-and-password",
        "told beside the user's name: credentials admin:x, login admin / x",
        tells_user_and_password,
        finder=_in("_prose", "user_and_password"),
    ),
    Shape(
        "password-in-another-language",
        "contraseña: x, пароль: x, パスワード: x",
        names_password_in_another_language,
        finder=_in("_prose", "in_other_languages"),
    ),
    Shape(
        "registry-auth",
        'user and password in base64, under a name that is not a credential\'s: _auth=, "auth":',
        ("auth",),
        finder=_by(
            r"(?:[:\s]_auth|\\{0,2}\"auth\\{0,2}\")\s{0,3}[:=]\s{0,3}\\{0,2}\"?(?P<secret>[A-Za-z0-9+/]{12,}={0,2})",
            _is_registry_auth,
        ),
    ),
)

GENERAL = frozenset(shape.id for shape in SHAPES if not shape.specific)
