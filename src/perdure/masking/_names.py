"""Decides whether a name is the name of a credential, and whether a value is only a placeholder.

Invariants: names are compared word by word, in snake, kebab or camel case: ``db_password``,
``x-api-key`` and ``clientSecret`` name credentials; ``token_count``, ``max_tokens`` and ``keyboard``
do not.

Use: ``if names_credential(key) and not is_placeholder(value): …``
"""

from __future__ import annotations

import re

from ._screen import PASSWORD_IN_OTHER_LANGUAGES, dense_runs, may_name_credential

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

PASSWORDS = frozenset(
    ("password", "passwd", "passphrase", "passcode", "passwort", "pass", "pwd", "pw", "psk", "pswd", "pword")
)
_NOUNS = PASSWORDS | frozenset(("secret", "token", "apikey", "authorization", "cookie", "credential"))
# A "key" is a credential only behind one of these words. Alone it is usually the key of a mapping.
_BEFORE_KEY = (
    " access account admin api app application auth client consumer crypto deploy deployment encryption hmac ingest"
    " ingestion integration jwt license master private role secret server service session shared signing ssh"
    " subscription webhook write "
)
# A name may end in a word that says which of several credentials it is: password_prod.
_WHICH = (
    " prod production dev development test testing stage staging live sandbox old new current previous primary"
    " secondary main default backup value plain plaintext raw base b "
)
# Before "token" these words say that it marks a position in a list or a piece of text, and is not a credential.
_PAGE_OR_TEXT = " next page continuation start starting end stop lock idempotency pad eos bos unk sep cls mask special "
# Names written as one word: PGPASSWORD, authtoken.
_ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "sshpass")
# Short names that mean something else when they stand alone: a test result, a directory, a writer.
AMBIGUOUS = frozenset(("pass", "pwd", "pw"))
_OTHER_LANGUAGES = tuple(word.lower() for word in PASSWORD_IN_OTHER_LANGUAGES)


def names_credential(name: str) -> bool:
    """Whether the name is the name of a credential."""
    return bool(credential_noun(name))


def credential_noun(name: str) -> str:
    """The word that makes the name a credential's name; empty when it is not one."""
    if not may_name_credential(name):
        return ""
    if name.lower().endswith(_OTHER_LANGUAGES):
        return "password"
    words = _words_of(name)
    if not words:
        return ""
    before = words[-2] if len(words) > 1 else ""
    return _noun_of(words[-1], before)


def _words_of(name: str) -> list[str]:
    """The words of a name in lower case, without those at its end that only say which one it is."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and f" {words[-1]} " in _WHICH:
        words.pop()
    return words


def _noun_of(last: str, before: str) -> str:
    """The credential that the last word of a name means behind the word before it; empty when it means none."""
    if last == "key":
        return "key" if f" {before} " in _BEFORE_KEY else ""
    if last == "token" and f" {before} " in _PAGE_OR_TEXT:
        return ""
    if last in AMBIGUOUS and not before:
        return ""
    if last in _NOUNS:
        return last
    return next((ending for ending in _ENDINGS if last.endswith(ending)), "")


# Values that are not secrets: they say where the secret is, or that there is none.
_REFERENCE = re.compile(
    r"""
    \$\w+ | \$[{(].* | \$\$?[@*\#?!0-9] | %[\w.]+% | (?:%[a-z][:@/-]?)+ | @\w+@ | \{\{.* | \{[\w.:!]*\}.*
    | !(?:vault|secret|env_var|ENV|Ref|Sub|GetAtt)\b.*
    | <[^>]*>?.{0,2} | `.* | \[[\w:\ .-]*\] | env[.:].* | fileb?://.* | op://.* | vault:.* | arn:aws:.*
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@/\\ -]*")
_BLANKED = re.compile(r"[*xX.:•…_#?●-]+|[\w-]{0,8}(?:x{4,}|X{4,}|[*•…●.]{3,})[\w-]{0,8}")
_STAND_INS = (
    " none null nil undefined true false yes no on off void empty unset todo tbd n/a na omitted hidden masked redacted"
    " removed censored required optional missing invalid expired unchanged default disabled enabled ignored"
    " prompt ask stdin file env environment keyring vault inherit auto"
    " str string text bytes int integer number bool boolean any object char varchar value type"
    " foo bar baz foobar dummy fake sample example placeholder something whatever"
    " changeme changeit changethis change-me change-it change-this change_me change_it change_this"
    " secret password passwd pass pwd token key apikey api-key api_key credential credentials bearer basic "
)
_STAND_IN = re.compile(
    r"(?:my|some|insert|enter|put|replace|change|add|use)[-_.].*|(?:your|insert|enter|replace)[-_. ].*"
    r"|your(?-i:[A-Z]).*|.*[-_ ]here|.*(?:placeholder|redacted|changeme|change-me|example).*",
    re.IGNORECASE,
)


_DIGIT = re.compile(r"\d")
_LONGEST_STAND_IN = 200


def has_dense_run(value: str) -> bool:
    """Whether a part of the value looks like a random key."""
    return bool(dense_runs(value))


def is_mixed(value: str) -> bool:
    """Whether the value has both letters and digits. Plain words have no digits, numbers no letters."""
    return any("0" <= char <= "9" for char in value) and any("a" <= char <= "z" for char in value.lower())


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one: ``$TOKEN``, ``<token>``, ``***``, ``changeme``."""
    value = value.strip()
    if not value or _REFERENCE.fullmatch(value) or _BLANKED.fullmatch(value):
        return True
    if _PATH.fullmatch(value):  # where the secret is; base64 may begin with a slash, too, but is a dense run
        return not has_dense_run(value)
    # With a digit in it, a value such as "my-cat-7" is more likely a password.
    if _DIGIT.search(value):
        return False
    if len(value) > _LONGEST_STAND_IN:
        return False
    low = value.lower()
    return f" {low} " in _STAND_INS or low in _OTHER_LANGUAGES or bool(_STAND_IN.fullmatch(value))
