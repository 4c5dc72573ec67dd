"""Owns: our own table of shapes, for what the rule set leaves out in prose and commands.

Invariants: every shape has an id and a reason; a shape runs in time linear in the text (bounded or
possessive repeats, bounded looks back); values that stand for a secret (`_names.is_placeholder`)
are left alone. A shape that finds short secrets must begin with a hint of `_screen`, or its
findings are dropped.

Use: ``for start, end, shape_id, secret_start, secret_end in find(text, low): …``
"""

from __future__ import annotations

import re

from ._names import PASSWORDS, credential_noun, is_placeholder
from ._ruleset import entropy
from ._screen import SHORTEST_RUN, is_dense, is_uuid_or_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finding = tuple[int, int, str, int, int]
    Finder = Callable[[str], Iterator[tuple[int, int, int, int]]]

_LONGEST_VALUE = 4096
_LONGEST_KEY_BLOCK = 65536


class Shape:
    """One shape: its id, why it is here, what must occur in lower case, and how to find it."""

    __slots__ = ("finder", "id", "needs", "specific", "why")

    def __init__(self, id: str, why: str, needs: tuple[str, ...], finder: Finder, specific: bool = False) -> None:
        self.id = id
        self.why = why
        self.needs = needs
        self.finder = finder
        self.specific = specific  # tells whose secret it is, so its id is the better one


def find(text: str, low: str) -> Iterator[Finding]:
    """Each finding: where it matched, the shape, where the secret is. ``low`` is the lowered text."""
    for shape in SHAPES:
        if any(need in low for need in shape.needs):
            for begin, end, start, stop in shape.finder(text):
                yield begin, end, shape.id, start, stop


# ---- helpers ------------------------------------------------------------------------------------


def _by(pattern: str, accepts: Callable[[re.Match[str]], bool] | None = None, flags: int = 0) -> Finder:
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


def _has_digit(value: str) -> bool:
    return any("0" <= char <= "9" for char in value)


def _has_letter(value: str) -> bool:
    return any("a" <= char <= "z" for char in value.lower())


def _mixed(value: str) -> bool:
    """Letters and digits: words have none of the one, numbers none of the other."""
    return _has_digit(value) and _has_letter(value)


_RUN = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST_RUN},}}+")


def _dense(value: str) -> bool:
    return any(is_dense(run) for run in _RUN.findall(value))


def _random(match: re.Match[str]) -> bool:
    """For tokens with a prefix of their own: digits, small and capital letters, well mixed."""
    value = match.group()
    return _has_digit(value) and value != value.lower() and value != value.upper() and entropy(value) > 3.8


def _secret(match: re.Match[str]) -> str:
    return match.group("secret")


# ---- credentials given by name: password = …, "token": …, API_KEY=… -------------------------------

_QUALIFIER = r"(?:[_-]?(?:\d{1,3}|[A-Za-z]{1,12})(?![A-Za-z0-9_]))?"
_NAMED = re.compile(
    rf"""
    (?:pass(?:w(?:or)?d|phrase|code|wort)?|pwd|secret|token|key|credential){_QUALIFIER}
    (?P<close>\\{{0,3}}["']?[\])]?)
    (?P<sep>[ \t]{{0,8}}
        (?::[ \t]{{0,3}}[A-Za-z_][\w.|\[\] ]{{0,40}}?[ \t]{{0,3}}=(?![=~>]) | => | [:?+]= | =(?![=~>]) | :(?![:/]))
    [ \t]{{0,8}})
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_OPENING = re.compile(r"(?:[bBrRfFuU]{1,2}(?=[\"']))?(?P<quote>\"{3}|'{3}|\\{0,3}[\"'`])")
_REST = re.compile(r"[^\s\"'`<>]{1,4096}")
_NAME_BEFORE = re.compile(r"[\w.$-]{0,64}+\Z", re.ASCII)
_CALL = re.compile(r"[A-Za-z_$][\w.]*(?:\(|\[|\.?\{|::|->)", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]+", re.ASCII)
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z0-9]+)+", re.ASCII)
_NAME_LIKE = re.compile(r"[A-Za-z]{2,}\d{0,4}(?:[_-][A-Za-z]{2,}\d{0,4}|[_-]\d{1,4})*", re.ASCII)
_NUMBER_LIKE = re.compile(r"[vV]?[\d.,:/%_+-]+[A-Za-z]{0,3}", re.ASCII)
_TYPE_NAME = re.compile(r"(?:u?int|float|bytes|str|string|varchar|char|text)\d{0,4}", re.ASCII | re.IGNORECASE)
_SYMBOL = re.compile(r"[!@#$%^&*?+~]")
_SPEAKS = re.compile(r"[A-Z][a-z]+ |.*(?:pass|pwd|secret|token|\bkey\b|credential)|.*[.!?:]\Z", re.DOTALL)


def _named(text: str) -> Iterator[tuple[int, int, int, int]]:
    at = 0
    while True:
        match = _NAMED.search(text, at)
        if not match:
            return
        at = match.end()
        before = _NAME_BEFORE.search(text, max(0, match.start() - 64), match.start())
        begin = before.start() if before else match.start()
        noun = _noun(text[begin : match.start("close")], match.group("sep"))
        value = _value_at(text, at) if noun else None
        if value is None:
            continue
        start, end, quoted = value
        if not quoted:
            end = _unquoted_end(text, begin, start, end, match.group("sep"))
        if _is_given(noun, text, begin, match, start, end, quoted):
            yield match.start(), end, start, end
            at = end


def _noun(name: str, separator: str) -> str:
    """The credential's word in the name; "PASS:" is a test's result, but PASS= may be given."""
    if name.lower() in ("pass", "pwd"):
        return name.lower() if "=" in separator else ""
    return credential_noun(name)


def _value_at(text: str, at: int) -> tuple[int, int, bool] | None:
    """The span of the value that begins here, without its quotes, and whether it had any."""
    opening = _OPENING.match(text, at)
    if not opening:
        rest = _REST.match(text, at)
        return (at, rest.end(), False) if rest else None
    start = opening.end()
    end = _closing(text, start, opening.group("quote"))
    return (start, end, True) if end > start else None


def _closing(text: str, start: int, quote: str) -> int:
    """Where the closing quote is; for a text cut off before it, where the word ends."""
    limit = min(len(text), start + _LONGEST_VALUE)
    line = text.find("\n", start, limit)
    limit = limit if line < 0 or (len(quote) == 3 and quote[0] != "\\") else line
    end = text.find(quote, start, limit)
    while end > start and quote[0] != "\\" and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1, limit)
    if end >= 0:
        return end
    rest = _REST.match(text, start)
    return rest.end() if rest else start


def _unquoted_end(text: str, begin: int, start: int, end: int, separator: str) -> int:
    """An unquoted value ends where the shell, a query or a list goes on; on a line of its own, with the line."""
    line = text.rfind("\n", max(0, begin - 32), begin) + 1
    own_line = text[line:begin].strip() in ("", "export", "-", "set", "ENV", "ARG") and separator == "="
    if not own_line:
        cut = re.search(r"[;|&,)}\]]", text[start:end])
        end = start + cut.start() if cut else end
    while end > start and text[end - 1] in ",;:.)}]":
        end -= 1
    return end


def _is_given(noun: str, text: str, begin: int, match: re.Match[str], start: int, end: int, quoted: bool) -> bool:
    """Whether what stands there is the credential, not a variable, a type, a message or a stand-in."""
    value = text[start:end]
    if not value or is_placeholder(value):
        return False
    password = noun in PASSWORDS
    if quoted:
        return _is_quoted_secret(value, noun, password)
    if _CALL.match(text, start) or _TYPE_NAME.fullmatch(value) or text[end : end + 1] in ("(", "["):
        return False
    if _DOTTED.fullmatch(value) or _CONSTANT.fullmatch(value) or (noun in value.lower() and not _dense(value)):
        return False
    name = text[begin : match.start("close")]
    if match.group("sep") == "=":
        if name.upper() == name:
            return _is_environment_secret(value, password)
        if password and _WORD.fullmatch(value):  # a keyword argument goes on with a comma or ends in a bracket
            return len(value) >= 4 and text[end : end + 1] in ("", " ", "\n", "\r", "\t", '"', "'", "&", "\\")
        return _is_tight_secret(value, password)
    return _is_loose_secret(value, password, text, begin, end, match.group("sep"))


def _is_quoted_secret(value: str, noun: str, password: bool) -> bool:
    if any(char.isspace() for char in value):
        return not _SPEAKS.match(value) and len(value) >= 8
    if noun in value.lower() and not _dense(value):
        return False
    if password:
        return len(value) >= 3
    if not _has_digit(value) or not _has_letter(value):
        return _dense(value)
    return len(value) >= 6 and (_dense(value) or not ("-" in value or "_" in value) or not _NAME_LIKE.fullmatch(value))


def _is_environment_secret(value: str, password: bool) -> bool:
    if password:
        return len(value) >= 3
    if not _has_letter(value):
        return len(value) >= 10
    return len(value) >= 6


def _is_tight_secret(value: str, password: bool) -> bool:
    if password:
        return len(value) >= 4
    return len(value) >= 8 and _mixed(value) and (_dense(value) or not _NAME_LIKE.fullmatch(value))


def _is_loose_secret(value: str, password: bool, text: str, begin: int, end: int, separator: str) -> bool:
    """After "name:" or "name = ", where prose and code stand, too."""
    if not password:
        return (
            len(value) >= 12 and _mixed(value) and not _NAME_LIKE.fullmatch(value) and not _NUMBER_LIKE.fullmatch(value)
        )
    if _WORD.fullmatch(value):
        line = text.rfind("\n", max(0, begin - 64), begin) + 1
        alone = text[line:begin].strip(" \t-") == "" and text[end : end + 1] in ("", "\n", "\r")
        return alone and ":" in separator and value.islower() and "_" not in value and len(value) >= 4
    if not _mixed(value):
        return (bool(_SYMBOL.search(value)) and _has_letter(value) and len(value) >= 4) or (
            value.isdigit() and len(value) >= 6
        )
    return len(value) >= 4


# ---- options of commands ------------------------------------------------------------------------

_LONG_OPTION = re.compile(r"--(?P<name>[a-zA-Z][\w-]{2,40}+)(?P<sep>=|[ \t]{1,4})", re.ASCII)
_OPTION_TALK = frozenset(
    [
        "to",
        "is",
        "are",
        "was",
        "for",
        "from",
        "and",
        "or",
        "not",
        "option",
        "options",
        "flag",
        "flags",
        "argument",
        "arguments",
        "arg",
        "value",
        "when",
        "if",
        "with",
        "without",
        "as",
        "in",
        "on",
        "of",
        "by",
        "must",
        "can",
        "cannot",
        "should",
        "may",
        "will",
        "has",
        "have",
        "which",
        "that",
        "this",
        "the",
        "an",
        "it",
        "instead",
        "because",
        "so",
        "then",
        "but",
        "does",
        "via",
        "prompt",
        "prompts",
        "takes",
        "needs",
        "wants",
        "given",
        "only",
        "too",
        "also",
        "at",
        "after",
        "before",
    ]
)


def _long_options(text: str) -> Iterator[tuple[int, int, int, int]]:
    for match in _LONG_OPTION.finditer(text):
        name = match.group("name")
        noun = name.lower() if name.lower() in ("pass", "pwd") else credential_noun(name)
        value = _value_at(text, match.end()) if noun else None
        if value is None:
            continue
        start, end, quoted = value
        if not quoted:
            end = _unquoted_end(text, match.start(), start, end, "")
        given = text[start:end]
        if len(given) < 3 or given[0] == "-" or is_placeholder(given) or given.startswith(("id=", "type=", "src=")):
            continue
        talk = match.group("sep") != "=" and not quoted
        if talk and (given.lower() in _OPTION_TALK or (given.isupper() and given.isalpha())):
            continue
        yield match.start(), end, start, end


_SHORT_OPTION = re.compile(
    r"""\s(?:
        (?:-u|--user|--proxy-user|-U)(?:=|[ \t]{0,4})["']?(?P<user>[^\s:"'$<{]{1,128}):(?P<pass>[^\s"']{1,128})
      | -p(?P<gap>=|[ \t]{0,4})["']?(?P<given>[^\s"'$<-][^\s"']{2,127})
    )""",
    re.VERBOSE | re.ASCII,
)
_BEFORE_USER = re.compile(r"\b(?:curl|wget)\b", re.ASCII)
_BEFORE_GIVEN = re.compile(r"\bsshpass\s{0,4}\Z|\b(?:docker|podman)\s{1,4}login\b[^\n;|]*+\Z", re.ASCII)
_BEFORE_ATTACHED = re.compile(r"\b(?:mysql|mariadb)(?:-?\w{1,8})?\b[^\n;|]*+\Z", re.ASCII)
_LOOK_BACK = 400


def _short_options(text: str) -> Iterator[tuple[int, int, int, int]]:
    for match in _SHORT_OPTION.finditer(text):
        group = "pass" if match.group("pass") else "given"
        value = match.group(group)
        command = _command_before(text, match)
        if (
            command < 0
            or is_placeholder(value)
            or (group == "pass" and value.isdigit() and match.group("user").isdigit())
        ):
            continue
        yield command, match.end(), match.start(group), match.end(group)


def _command_before(text: str, match: re.Match[str]) -> int:
    """Where the command begins that takes the option for a password; -1 if it is another's."""
    since = max(0, match.start() - _LOOK_BACK)
    if match.group("pass"):
        commands = [found.start() for found in _BEFORE_USER.finditer(text, since, match.start())]
        return commands[-1] if commands else -1
    pattern = _BEFORE_GIVEN if match.group("gap") else _BEFORE_ATTACHED
    found = pattern.search(text, since, match.start()) or _BEFORE_GIVEN.search(text, since, match.start())
    return found.start() if found else -1


# ---- headers ------------------------------------------------------------------------------------


def _authorizes(match: re.Match[str]) -> bool:
    value = _secret(match)
    if is_placeholder(value):
        return False
    if not match.group("scheme"):
        return len(value) >= 8 and _mixed(value)
    return _has_digit(value) or len(value) >= 16 or (match.group("scheme").lower() == "basic" and len(value) >= 8)


def _bears(match: re.Match[str]) -> bool:
    return _has_digit(_secret(match)) and not is_placeholder(_secret(match))


# ---- addresses ----------------------------------------------------------------------------------

_PORT_AND_QUERY = re.compile(r"\d{1,5}[?#]")


def _opens_address(match: re.Match[str]) -> bool:
    return not is_placeholder(_secret(match)) and not _PORT_AND_QUERY.match(_secret(match))


# ---- said in a sentence -------------------------------------------------------------------------

_MEASURE = re.compile(
    r"\d+-?[A-Za-z]+\W?|(?:sha|md|base|utf|oauth|aes|hs|rs|es|ed|http|ipv|v)-?\d", re.ASCII | re.IGNORECASE
)


def _is_said(match: re.Match[str]) -> bool:
    value = _secret(match).rstrip(".,;:!)")
    if is_placeholder(value) or not _mixed(value) or _MEASURE.match(value):
        return False
    if "pass" in match.group("noun").lower():
        return len(value) >= 6
    return (len(value) >= 12 and not _NAME_LIKE.fullmatch(value)) or (bool(match.group("quote")) and len(value) >= 8)


# ---- private keys -------------------------------------------------------------------------------

_KEY_HEADER = re.compile(r"-----BEGIN[ A-Z0-9_-]{0,100}?PRIVATE KEY(?: BLOCK)?-----", re.IGNORECASE)
_KEY_END = re.compile(r"-----END[ A-Z0-9_-]{0,100}-----", re.IGNORECASE)
_KEY_BODY = re.compile(
    r"""(?: (?:\s|\\+[nrt]|["'+,>|])*+
          (?: [A-Za-z0-9+/=]{16,}+ | (?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]{0,200}+ ) )++
        (?: (?:\s|\\+[nrt]|["'+,>|])*+ [A-Za-z0-9+/=]{1,15}+ (?=\s*+(?:\Z|-|["'\\])) )?+""",
    re.VERBOSE,
)


def _private_keys(text: str) -> Iterator[tuple[int, int, int, int]]:
    at = 0
    while True:
        header = _KEY_HEADER.search(text, at)
        if not header:
            return
        at = header.end()
        body = _KEY_BODY.match(text, at)
        if not body:  # only spoken of
            continue
        stop = body.end()
        end = _KEY_END.search(text, at, at + _LONGEST_KEY_BLOCK)
        if end and not _KEY_HEADER.search(text, at, end.start()):
            stop = end.end()
        yield header.start(), header.end(), header.start(), stop
        at = stop


# ---- Kubernetes ---------------------------------------------------------------------------------

_KIND_SECRET = re.compile(r"\bkind[\"']?\s{0,3}:\s{0,3}[\"']?secret\b", re.IGNORECASE | re.ASCII)
_YAML_DATA = re.compile(
    r"^(?P<indent>[ \t]*+)(?:data|stringData):[ \t]*+\n(?P<body>(?:(?P=indent)[ \t]++\S[^\n]*+(?:\n|\Z))++)",
    re.MULTILINE,
)
_YAML_ENTRY = re.compile(
    r"^[ \t]++(?:[\"']?[\w./-]+[\"']?:[ \t]*+)?(?P<value>\S[^\n]*?)[ \t\r]*$", re.MULTILINE | re.ASCII
)
_JSON_DATA = re.compile(r"\"(?:data|stringData)\"\s{0,8}:\s{0,8}\{(?P<body>[^{}]{0,65536}+)\}")
_JSON_ENTRY = re.compile(r":\s{0,8}\"(?P<value>[^\"\n]++)\"")


def _kubernetes(text: str) -> Iterator[tuple[int, int, int, int]]:
    kind = _KIND_SECRET.search(text)
    if not kind:
        return
    for data, entry in ((_YAML_DATA, _YAML_ENTRY), (_JSON_DATA, _JSON_ENTRY)):
        for block in data.finditer(text):
            for found in entry.finditer(text, *block.span("body")):
                value = found.group("value").strip("\"'")
                if value not in ("|", ">", "|-", ">-", "|+", ">+", "{}") and not is_placeholder(value):
                    yield kind.start(), kind.end(), found.start("value"), found.end("value")


# ---- the table ----------------------------------------------------------------------------------

_I = re.IGNORECASE
_SERVICE_TOKENS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("docker-token", "no rule of gitleaks", ("dckr_",), r"\bdckr_(?:pat|oat)_[\w-]{20,}"),
    ("huggingface-access-token", "the rule takes letters only", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    ("anthropic-api-key", "the rules know two of the kinds, of one length", ("sk-ant-",), r"\bsk-ant-[a-z0-9]{2,12}-[\w-]{20,}"),
    ("supabase-key", "no rule", ("sbp_", "sb_secret_"), r"\bsb(?:p|_secret)_[\w-]{20,}"),
    ("stripe-webhook-secret", "no rule", ("whsec_",), r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("stripe-access-token", "the rule stops at 99 characters", ("k_live_", "k_test_"), r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{100,}"),
    ("mailgun-private-api-token", "the rule wants the word mailgun before it", ("key-",), r"\bkey-[0-9a-f]{32}\b"),
    ("new-relic-key", "the rules want the name before it", ("nrak-", "nrii-", "nrra-", "nraa-"), r"\bNR(?:AK|II|RA|AA)-[\w-]{20,}"),
    ("new-relic-license-key", "no rule", ("nral",), r"\b[0-9a-fA-F]{36}NRAL\b"),
    ("notion-api-token", "the rule knows the new form only", ("secret_",), r"\bsecret_[A-Za-z0-9]{43}\b"),
    ("square-secret", "no rule", ("sq0csp-",), r"\bsq0csp-[\w-]{22,}"),
    ("doppler-api-token", "the rule knows personal tokens only", ("dp.",), r"\bdp\.(?:st|ct|sa|scim|audit)\.[\w.-]{30,}"),
    ("vault-service-token", "the rule knows long ones only", ("hvs.", "hvb.", "hvr."), r"\bhv[sbr]\.[\w-]{20,}"),
    ("google-oauth-token", "no rule", ("ya29.", "gocspx-", "1//0"), r"\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,})"),
    ("discord-bot-token", "the rule wants the word discord and hex", (".",), r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    ("discord-webhook", "no rule", ("/webhooks/",), r"discord(?:app)?\.com/api/webhooks/\d{15,22}/(?P<secret>[\w-]{30,})"),
    ("telegram-bot-api-token", "the rule wants the word telegram before it", (":a",), r"\b\d{8,10}:A[\w-]{34}\b"),
    ("jwt", "the rule wants a quote or a blank behind it", ("eyj",), r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    ("gitlab-session-cookie", "the rule wants it in lower case", ("_gitlab_session",), r"_gitlab_session=[0-9A-Za-z]{20,}"),
    ("xai-api-key", "no rule", ("xai-",), r"\bxai-[A-Za-z0-9]{40,}"),
    ("tailscale-key", "no rule", ("tskey-",), r"\btskey-[a-z]{2,12}-[\w-]{16,}"),
    ("atlassian-api-token", "the rule knows one length", ("atatt3", "atbb"), r"\b(?:ATATT3[\w=-]{100,}|ATBB[\w=-]{24,})"),
    ("circleci-token", "no rule", ("ccipat_",), r"\bCCIPAT_[\w-]{20,}"),
    ("contentful-token", "no rule", ("cfpat-",), r"\bCFPAT-[\w-]{30,}"),
    ("airtable-personal-access-token", "the rule wants the word airtable", ("pat",), r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
)  # fmt: skip

SHAPES: tuple[Shape, ...] = (
    *(Shape(id, why, needs, _by(pattern), True) for id, why, needs, pattern in _SERVICE_TOKENS),
    Shape(
        "sk-key",
        "OpenAI's keys have changed length and lost their mark; others (OpenRouter, DeepSeek) took the prefix",
        ("sk-",),
        _by(r"\bsk-[A-Za-z0-9_-]{20,}", lambda match: _has_digit(match.group()) and is_dense(match.group())),
        True,
    ),
    Shape(
        "prefixed-token",
        "new services give their keys a prefix (gsk_, r8_, nfp_, figd_, …) faster than rules are written",
        ("_",),
        _by(r"(?<![A-Za-z0-9_])[a-z][a-z0-9]{1,9}(?:_[a-z]{2,8}){0,2}_[A-Za-z0-9]{28,}(?![\w])", _random),
    ),
    Shape(
        "aws-secret-access-key",
        "the rules know the key id only; the secret beside it has no form of its own",
        ("akia", "asia"),
        _by(
            r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b[^\n]{0,60}?[\s\"',:=/|](?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
            lambda match: _mixed(_secret(match)) and not is_uuid_or_digest(_secret(match)),
        ),
        True,
    ),
    Shape("private-key", "as a whole, in one line or many, and when cut off", ("-----begin",), _private_keys, True),
    Shape("kubernetes-secret", "every entry of a Secret's data, as YAML or JSON", ("secret",), _kubernetes),
    Shape(
        "url-password",
        "the password in an address, with user and host kept",
        ("://",),
        _by(r"://[^\s/:@\"'`<>?#]{0,128}:(?P<secret>[^\s/\"'`<>]{1,256})@(?=[\w\[$%{.-])", _opens_address),
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
        _by(r"\bbearer[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,4096})", _bears, _I),
    ),
    Shape(
        "cookie-header",
        "a session's cookie is the session",
        ("cookie",),
        _by(
            r"\b(?:set-)?cookie[\"']?\s{0,3}:\s{0,3}[\"']?"
            r"(?P<secret>[\w.-]{1,64}=[^\s;\"'<>$]{6,4096}(?:;[ \t]{0,4}[^\s;\"']{1,4096}){0,64})",
            flags=_I,
        ),
    ),
    Shape(
        "assigned-credential",
        "the generic rule wants entropy, ten characters and none of 1446 words; a password may have none of these",
        ("pass", "pwd", "secret", "token", "key", "credential"),
        _named,
    ),
    Shape("option-value", "as assigned-credential, for --password x", ("--",), _long_options),
    Shape(
        "command-password",
        "curl -u user:x, sshpass -p x, mysql -px, docker login -p x: without any name",
        (" -", "\t-", "\n-"),
        _short_options,
    ),
    Shape(
        "netrc-password",
        "named, but without a sign of assignment",
        ("login",),
        _by(
            r"\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?P<secret>\S{1,256})",
            lambda match: not is_placeholder(_secret(match)),
        ),
    ),
    Shape(
        "sql-password",
        "named, but without a sign of assignment",
        ("password", "identified"),
        _by(
            r"\b(?:password|identified\s{1,4}by(?:\s{1,4}password)?)\s{1,4}'(?P<secret>[^'\n]{1,128})'",
            lambda match: not is_placeholder(_secret(match)) and not _SPEAKS.match(_secret(match)),
            _I,
        ),
    ),
    Shape(
        "xml-password",
        "the value is the element's text, or an attribute of its own",
        ("</", "value="),
        _by(
            r"(?:(?P<name>[\w.-]{0,32}(?:password|passwd|passphrase|secret|token|api[_-]?key))>(?=[^<>\s]{3,256}</)"
            r"|key=\"[\w.:-]{0,64}password\"\s{1,4}value=\")(?P<secret>[^<>\s\"]{3,256})",
            lambda match: (
                not is_placeholder(_secret(match)) and (_has_digit(_secret(match)) or "pass" in match.group().lower())
            ),
            _I,
        ),
    ),
    Shape(
        "said-password",
        "told in a sentence: the password is x",
        (" is", " was"),
        _by(
            r"\b(?P<noun>password|passphrase|passwd|passcode|token|secret|api[ _-]?key|access[ _-]?key)\s{1,3}(?:is|was)"
            r"[ \t:]{1,3}(?P<quote>[\"'`]?)(?P<secret>[^\s\"'`]{4,256})",
            _is_said,
            _I,
        ),
    ),
)

SPECIFIC = frozenset(shape.id for shape in SHAPES if shape.specific)
GENERAL = frozenset(shape.id for shape in SHAPES if not shape.specific)
