"""Owns: whether a name is the name of a credential, and whether a value stands for none.

Invariants: a name counts by whole words, in snake, kebab or camel case: ``db_password``,
``x-api-key`` and ``clientSecret`` do, ``token_count``, ``max_tokens`` and ``keyboard`` do not.

Use: ``if names_credential(key) and not is_placeholder(value): …``
"""

from __future__ import annotations

import re

from ._screen import SHORTEST_RUN, is_dense

# For a first look: every credential's name holds one of these.
_MAYBE = re.compile(r"pass|pwd|secret|token|key|auth|cookie|credential", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

PASSWORDS = frozenset(("password", "passwd", "passphrase", "passcode", "passwort", "pass", "pwd"))
_NOUNS = PASSWORDS | frozenset(("secret", "token", "apikey", "authorization", "cookie", "credential"))
# What a "key" must be one of: alone it is the key of a mapping far more often than one to a door.
_OPENS = re.compile(
    r"access|account|admin|api|app|application|auth|client|consumer|crypto|deploy|deployment|encryption|hmac|ingest"
    r"|ingestion|integration|jwt|license|master|private|role|secret|server|service|session|shared|signing|ssh"
    r"|subscription|webhook|write"
)
# A name may end in which one of several it is.
_WHICH = re.compile(
    r"prod|production|dev|development|test|testing|stage|staging|live|sandbox|old|new|current|previous|primary|secondary"
    r"|main|default|backup|value|plain|plaintext|raw|base|b"
)
# Tokens that are a place in a list or a piece of text.
_PAGE_OR_TEXT = re.compile(r"next|page|continuation|start|end|stop|pad|eos|bos|unk|sep|cls|mask|special")
# Names written as one word: PGPASSWORD, authtoken.
_ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey")
# Short names that have another meaning when they stand alone: a test result, a directory.
_AMBIGUOUS_ALONE = frozenset(("pass", "pwd"))


def names_credential(name: str) -> bool:
    """Whether the name is one of a credential."""
    return bool(credential_noun(name))


def credential_noun(name: str) -> str:
    """The word that makes the name a credential's; empty when none does."""
    if not _MAYBE.search(name):
        return ""
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and _WHICH.fullmatch(words[-1]):
        words.pop()
    if not words:
        return ""
    last = words[-1]
    if last == "token" and len(words) > 1 and _PAGE_OR_TEXT.fullmatch(words[-2]):
        return ""
    if last in _NOUNS:
        return "" if len(words) == 1 and last in _AMBIGUOUS_ALONE else last
    if last == "key":
        return "key" if len(words) > 1 and _OPENS.fullmatch(words[-2]) else ""
    return next((ending for ending in _ENDINGS if last.endswith(ending)), "")


# A value that says where the secret is, or that there is none, rather than being it.
_REFERENCE = re.compile(
    r"""
    \$\w+ | \$[{(].* | \$\$?[@*\#?!0-9] | %[\w.]+% | %[a-z] | @\w+@ | \{\{.* | \{[\w.:!]*\}.* | <[^>]*>?.{0,2} | `.*
    | \[[\w:\ .-]*\] | env[.:].* | op://.* | vault:.* | arn:aws:.*
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@/\\ -]*")
_BLANKED = re.compile(r"[*xX.•…_#?●-]+|[\w-]{0,8}(?:x{4,}|X{4,}|[*•…●.]{3,})[\w-]{0,8}")
_STAND_IN = re.compile(
    r"""
    (?:none|null|nil|undefined|true|false|yes|no|on|off|void|empty|unset|todo|tbd|n/?a|omitted|hidden|masked|redacted
      |removed|censored|required|optional|missing|invalid|expired|unchanged|default|disabled|enabled|ignored
      |prompt|ask|stdin|file|env|environment|keyring|vault|inherit|auto
      |str|string|text|bytes|int|integer|number|bool|boolean|any|object|char|varchar|value|type
      |foo|bar|baz|foobar|dummy|fake|sample|example|placeholder|something|whatever|change[-_]?(?:me|it|this)
      |secret|password|passwd|pass|pwd|token|key|api[-_]?key|credentials?|bearer|basic
      |(?:my|some|insert|enter|put|replace|change|add|use)[-_.].*
      |(?:your|insert|enter|replace)[-_. ].*|your(?-i:[A-Z]).*
      |.*[-_ ]here|.*(?:placeholder|redacted|changeme|change-me|example).*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RUN = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST_RUN},}}+")


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one: ``$TOKEN``, ``<token>``, ``***``, ``changeme``."""
    value = value.strip()
    if not value or _REFERENCE.fullmatch(value) or _BLANKED.fullmatch(value):
        return True
    if _PATH.fullmatch(value):  # says where it is; base64 may begin with a slash, too, but is dense
        return not any(is_dense(run) for run in _RUN.findall(value))
    # With a digit in it, "my-cat-7" is rather a password.
    return not any(char.isdigit() for char in value) and bool(_STAND_IN.fullmatch(value))
