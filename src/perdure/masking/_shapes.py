"""Owns: our own table of shapes, for what the rule set leaves out in prose and commands.

Invariants: every shape has an id and a reason; a shape runs in time linear in the text (bounded or
possessive repeats, bounded looks back); values that stand for a secret (`_names.is_placeholder`)
are left alone. A shape that finds short secrets must begin with a hint of `_screen`, or its
findings are dropped.

Use: ``for begin, end, shape_id, start, stop in find(text, low): …``
"""

from __future__ import annotations

import re

from ._names import has_dense_run, is_mixed, is_placeholder
from ._ruleset import entropy
from ._screen import is_dense, is_uuid_or_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finder = Callable[[str], Iterator[tuple[int, int, int, int]]]
    Test = Callable[[re.Match[str]], bool]


class Shape:
    """One shape: its id, why it is here, what must occur in lower case, and how it is found."""

    __slots__ = ("finder", "id", "needs", "specific", "why")

    def __init__(self, id: str, why: str, needs: tuple[str, ...], finder: Finder, specific: bool = False) -> None:
        self.id = id
        self.why = why
        self.needs = needs
        self.finder = finder
        self.specific = specific  # it tells whose secret it is, so its id is the better one


def find(text: str, low: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Each finding: where its evidence is, the shape, where the secret is. ``low`` is the lowered text."""
    for shape in SHAPES:
        for need in shape.needs:
            if need in low:
                for begin, end, start, stop in shape.finder(text):
                    yield begin, end, shape.id, start, stop
                break


def _by(pattern: str, accepts: Test | None = None, flags: int = 0) -> Finder:
    """A finder by one expression, compiled when first used; the secret is its group "secret", or all."""
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
    """A finder of a module of its own, imported when first used: most texts need none of them."""

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
    """Digits, small and capital letters, well mixed."""
    value = match.group()
    return is_mixed(value) and value not in (value.lower(), value.upper()) and entropy(value) > 3.8


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


def _is_said(match: re.Match[str]) -> bool:
    value = _secret(match)
    if is_placeholder(value) or not is_mixed(value) or _MEASURE.match(value):
        return False
    if "pass" in match.group("noun").lower():
        return len(value) >= 6
    return len(value) >= (8 if match.group("quote") else 12) and not _NAME_LIKE.fullmatch(value)


_I = re.IGNORECASE
_SERVICE_TOKENS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("docker-token", "no rule of gitleaks", ("dckr_",), r"\bdckr_(?:pat|oat)_[\w-]{20,}"),
    ("huggingface-access-token", "the rule takes letters only", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    (
        "anthropic-api-key",
        "the rules know two of the kinds, of one length",
        ("sk-ant-",),
        r"\bsk-ant-[a-z0-9]{2,12}-[\w-]{20,}",
    ),
    ("supabase-key", "no rule", ("sbp_", "sb_secret_"), r"\bsb(?:p|_secret)_[\w-]{20,}"),
    ("stripe-webhook-secret", "no rule", ("whsec_",), r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    (
        "stripe-access-token",
        "the rule stops at 99 characters",
        ("k_live_", "k_test_"),
        r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{100,}",
    ),
    ("mailgun-private-api-token", "the rule wants the word mailgun before it", ("key-",), r"\bkey-[0-9a-f]{32}\b"),
    (
        "new-relic-key",
        "the rules want the name before it",
        ("nrak-", "nrii-", "nrra-", "nraa-"),
        r"\bNR(?:AK|II|RA|AA)-[\w-]{20,}",
    ),
    ("new-relic-license-key", "no rule", ("nral",), r"\b[0-9a-fA-F]{36}NRAL\b"),
    ("notion-api-token", "the rule knows the new form only", ("secret_",), r"\bsecret_[A-Za-z0-9]{43}\b"),
    ("square-secret", "no rule", ("sq0csp-",), r"\bsq0csp-[\w-]{22,}"),
    (
        "doppler-api-token",
        "the rule knows personal tokens only",
        ("dp.",),
        r"\bdp\.(?:st|ct|sa|scim|audit)\.[\w.-]{30,}",
    ),
    ("vault-service-token", "the rule knows long ones only", ("hvs.", "hvb.", "hvr."), r"\bhv[sbr]\.[\w-]{20,}"),
    (
        "google-oauth-token",
        "no rule",
        ("ya29.", "gocspx-", "1//0"),
        r"\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,})",
    ),
    (
        "discord-bot-token",
        "the rule wants the word discord and hex",
        (".",),
        r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}",
    ),
    (
        "discord-webhook",
        "no rule",
        ("/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/\d{15,22}/(?P<secret>[\w-]{30,})",
    ),
    ("telegram-bot-api-token", "the rule wants the word telegram before it", (":a",), r"(?<!\d)\d{8,10}:A[\w-]{34}\b"),
    (
        "jwt",
        "the rule wants a quote or a blank behind it",
        ("eyj",),
        r"(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    ),
    (
        "gitlab-session-cookie",
        "the rule wants it in lower case",
        ("_gitlab_session",),
        r"_gitlab_session=[0-9A-Za-z]{20,}",
    ),
    ("xai-api-key", "no rule", ("xai-",), r"\bxai-[A-Za-z0-9]{40,}"),
    ("tailscale-key", "no rule", ("tskey-",), r"\btskey-[a-z]{2,12}-[\w-]{16,}"),
    (
        "atlassian-api-token",
        "the rule knows one length",
        ("atatt3", "atbb"),
        r"\b(?:ATATT3[\w=-]{100,}|ATBB[\w=-]{24,})",
    ),
    ("circleci-token", "no rule", ("ccipat_",), r"\bCCIPAT_[\w-]{20,}"),
    ("contentful-token", "no rule", ("cfpat-",), r"\bCFPAT-[\w-]{30,}"),
    (
        "airtable-personal-access-token",
        "the rule wants the word airtable",
        ("pat",),
        r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b",
    ),
)

SHAPES: tuple[Shape, ...] = (
    *(Shape(id, why, needs, _by(pattern), True) for id, why, needs, pattern in _SERVICE_TOKENS),
    Shape(
        "sk-key",
        "OpenAI's keys have changed length and lost their mark; others (OpenRouter, DeepSeek) took the prefix",
        ("sk-",),
        _by(r"\bsk-[A-Za-z0-9_-]{20,}", lambda match: is_mixed(match.group()) and is_dense(match.group())),
        True,
    ),
    Shape(
        "prefixed-token",
        "new services give their keys a prefix (gsk_, r8_, nfp_, figd_, …) faster than rules are written",
        ("_",),
        _by(r"(?<![\w-])(?<!sha\d\d\d[=:-])[a-z][a-z0-9]{1,9}(?:_[a-z]{2,8}){0,2}_[A-Za-z0-9]{28,}+(?!\w)", _is_random),
    ),
    Shape(
        "aws-secret-access-key",
        "the rules know the key id only; the secret beside it has no form of its own",
        ("akia", "asia"),
        _by(
            r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b[^\n]{0,60}?[\s\"',:=/|](?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
            lambda match: is_mixed(_secret(match)) and not is_uuid_or_digest(_secret(match)),
        ),
        True,
    ),
    Shape(
        "private-key",
        "as a whole, in one line or many, and when cut off",
        ("-----begin",),
        _in("_blocks", "private_keys"),
        True,
    ),
    Shape(
        "putty-private-key",
        "no rule: it has no header of its own",
        ("private-lines:",),
        _by(r"Private-Lines: \d{1,3}\s{1,4}(?P<secret>(?:[A-Za-z0-9+/=]{8,}+\s{0,4})++)", flags=_I),
        True,
    ),
    Shape(
        "kubernetes-secret",
        "every entry of a Secret's data, as YAML or JSON",
        ("secret",),
        _in("_blocks", "kubernetes_secrets"),
    ),
    Shape(
        "url-password",
        "the password in an address, with user and host kept",
        ("://",),
        _by(r"://[^\s/:@\"'`<>?#]{0,128}:(?P<secret>[^\s/\"'`<>]{3,256})@(?=[\w\[$%{.-])", _opens_address),
    ),
    Shape(
        "url-token",
        "a token in the user's place of an address",
        ("://",),
        _by(
            r"://(?P<secret>[A-Za-z0-9_-]{20,256})(?::[^\s/@\"'`<>]{0,128})?@(?=[\w\[])",
            lambda match: is_dense(_secret(match)),
        ),
    ),
    Shape(
        "signed-url",
        "whoever has the signature may use the address",
        ("sig",),
        _by(r"[?&;](?:sig|x-(?:amz|goog)-signature)=(?P<secret>[\w%/+=-]{20,})", flags=_I),
    ),
    Shape(
        "authorization-header",
        "the rule wants a curl command around it",
        ("authorization",),
        _by(
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
        _by(
            r"\bbearer[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,4096})",
            lambda match: is_mixed(_secret(match)) and _is_meant(match),
            _I,
        ),
    ),
    Shape(
        "cookie-header",
        "a session's cookie is the session",
        ("cookie",),
        _by(
            r"\b(?:set-)?cookie[\"']?\s{0,3}:\s{0,3}[\"']?"
            r"(?P<secret>[\w.-]{1,64}=[^\s;\"'<>$\\]{6,4096}(?:;[ \t]{0,4}[^\s;\"'\\]{1,4096}){0,64})",
            lambda match: is_mixed(_secret(match)),
            _I,
        ),
    ),
    Shape(
        "assigned-credential",
        "the generic rule wants entropy, ten characters and none of 1446 words; a password may have none of these",
        ("pass", "pwd", "secret", "token", "key", "credential"),
        _in("_given", "named"),
    ),
    Shape("option-value", "as assigned-credential, for --password x", ("--",), _in("_given", "long_options")),
    Shape(
        "command-password",
        "curl -u user:x, sshpass -p x, mysql -px, docker login -p x: without any name",
        (" -", "\t-", "\n-"),
        _in("_given", "short_options"),
    ),
    Shape(
        "netrc-password",
        "named, but without a sign of assignment",
        ("login",),
        _by(
            r"\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?P<secret>\S{1,256})",
            _is_meant,
        ),
    ),
    Shape(
        "sql-password",
        "named, but without a sign of assignment",
        ("password", "identified"),
        _by(
            r"\b(?:password|identified\s{1,4}by(?:\s{1,4}password)?)\s{1,4}'(?P<secret>[^'\n]{1,128})'",
            lambda match: _is_meant(match) and (" " not in _secret(match) or is_mixed(_secret(match))),
            _I,
        ),
    ),
    Shape(
        "xml-password",
        "the value is the element's text, or an attribute of its own",
        ("</", "value="),
        _by(
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
        _by(
            r"\b(?P<noun>password|passphrase|passwd|passcode|token|secret|api[ _-]?key|access[ _-]?key)"
            r"\s{1,3}(?:is|was)[ \t:]{1,3}(?P<quote>[\"'`]?)(?P<secret>[^\s\"'`]{3,256}[^\s\"'`.,;:!)])",
            _is_said,
            _I,
        ),
    ),
)

GENERAL = frozenset(shape.id for shape in SHAPES if not shape.specific)
