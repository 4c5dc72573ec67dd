"""Runs the maintained rules of gitleaks, which the package secretscreen ships.

Invariants: every rule with a regex is used, except those in REPLACED, for which we have a shape of
our own. Rules that cannot be found, read or compiled raise RulesUnavailable: the caller must not
store a text that could not be searched. Nothing is read before the first call, no rule is compiled
before one of its keywords occurs, and secretscreen itself is never imported (that would compile all
rules, 100 ms).

Use: ``for start, end, rule_id, secret_start, secret_end in find(text, low): …``
"""

from __future__ import annotations

import re
from math import log2

from . import RulesUnavailable
from ._goregex import to_python
from ._screen import is_uuid_or_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Rules that a backtracking engine cannot run in bounded time, or that fit files but not prose and
# commands. For each, a shape in _shapes finds the same and more.
REPLACED = {
    "curl-auth-header": "scans from every 'curl' to every line end, over six lines: exponential here",
    "curl-auth-user": "as curl-auth-header",
    "kubernetes-secret-yaml": "three nested lazy repeats: minutes on a large manifest; and finds one entry only",
    "nuget-config-password": "from every '<add' to the line end and back: quadratic",
    "hashicorp-tf-password": "in a .tf file any quoted word is a password; in a text it need not be",
    "private-key": "wants an END line; a cut-off key is a key",
}
GENERIC = "generic-api-key"

# Every assignment rule begins with this lazy run of up to 50 characters. It does not change what is
# found, only where the match begins, and it costs 50 tries at each position. So we leave it out.
_LEAD = r"[\w.-]{0,50}?"
_LEAD_LENGTH = 50
_LEAD_CHARS = re.compile(r"[\w.-]*\Z", re.ASCII)

# What gitleaks requires behind a secret. It is made for source files, where strings end in quotes; in
# prose a comma or a bracket may follow a key, too. So rules that recognize a secret by its own form
# take any end. The generic rule keeps it: nothing else distinguishes its secrets from code.
_ENDS_IN_SOURCE = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
_ENDS_ANYWHERE = r"(?!\.?[\w=+/-])"
_END_MARK = "\ufdd0"  # stands for that lookahead, which Go does not have, until the rest is translated
_DELIMITER = 2  # the longest thing behind a secret in a match

# The generic rule's value. None of its characters may follow it, so backtracking into it never helps,
# and costs 140 tries at each "key=".
_GIVES_BACK = r"([\w.=-]{10,150}|"
_GIVES_NOTHING_BACK = r"([\w.=-]{10,150}+|"

# The generic rule accepts any word with "key", "auth" or "token" up to 20 characters before a colon
# or a comma. Without these it would find "the auth fix, <commit>" and the checksums of lock files.
_BEFORE_DIGEST = re.compile(r"(?:\bh1:|\b(?:sha|md)\d{1,3}[:=-][\s\"']{0,2}|\bintegrity\W{1,4})\Z", re.ASCII)
_DIGEST_VALUE = re.compile(r"(?:sha|md)\d{1,3}[:=-]", re.ASCII)


class Allowlist:
    """What a rule's author says is not a secret, by the secret, the match or the line."""

    __slots__ = ("_every", "_patterns", "_sources", "_stopwords", "target")

    def __init__(self, entry: dict[str, Any]) -> None:
        self._every = str(entry.get("condition", "OR")).upper() in ("AND", "&&")
        # A condition with AND and a path never holds: a text has no path.
        never = self._every and ("paths" in entry or "commits" in entry)
        self._sources: list[str] = [] if never else entry.get("regexes", [])
        self._stopwords = [] if never else [word.lower() for word in entry.get("stopwords", [])]
        self.target = entry.get("regexTarget", "secret") or "secret"
        self._patterns: list[re.Pattern[str]] | None = None

    def allows(self, secret: str, match: str, line: str) -> bool:
        """Whether the rule's author says that this finding is not a secret."""
        if self._patterns is None:
            self._patterns = [_compiled(source) for source in self._sources]
        target = {"match": match, "line": line}.get(self.target, secret)
        by_pattern = any(pattern.search(target) for pattern in self._patterns)
        if not self._stopwords:
            return by_pattern
        if not self._every:
            return by_pattern or self._has_stopword(secret)
        if self._patterns and not by_pattern:
            return False
        return self._has_stopword(secret)

    def _has_stopword(self, secret: str) -> bool:
        low = secret.lower()
        for word in self._stopwords:  # noqa: SIM110 – 1446 of them, and any() takes twice as long
            if word in low:
                return True
        return False


class Rule:
    """One rule, compiled when first used."""

    __slots__ = ("_entropy", "_group", "_regex", "_source", "allowlists", "id", "keywords", "led", "reads_lines")

    def __init__(self, entry: dict[str, Any]) -> None:
        self.id: str = entry["id"]
        self.keywords = tuple(keyword.lower() for keyword in entry.get("keywords", ()))
        self.allowlists = [Allowlist(allowlist) for allowlist in entry.get("allowlists", ())]
        self._source: str = entry["regex"]
        self._entropy: float = entry.get("entropy", 0)
        self._group: int = entry.get("secretGroup", 0)
        self._regex: re.Pattern[str] | None = None
        self.led = _LEAD in self._source
        self.reads_lines = any(allowlist.target == "line" for allowlist in self.allowlists)

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled expression, without its lead, and with an end that fits prose."""
        if self._regex is None:
            source = self._source.replace(_LEAD, "")
            if self.id != GENERIC:
                source = source.replace(_ENDS_IN_SOURCE, _END_MARK)
            self._regex = _compiled(source)
        return self._regex

    def secret_span(self, match: re.Match[str]) -> tuple[int, int]:
        """Where the secret is: the group the rule names, or the first group that matched, or the whole match."""
        if self._group:
            return match.span(self._group)
        for group in range(1, (match.re.groups or 0) + 1):
            start, end = match.span(group)
            if end > start:
                # A group with more than a delimiter behind it is a piece of the secret, not all of it.
                return (start, end) if match.end() - end <= _DELIMITER else match.span()
        return match.span()

    def is_secret(self, secret: str) -> bool:
        """Whether the secret is random enough for this rule."""
        return not self._entropy or entropy(secret) > self._entropy


def _compiled(source: str) -> re.Pattern[str]:
    try:
        return re.compile(
            to_python(source).replace(_END_MARK, _ENDS_ANYWHERE).replace(_GIVES_BACK, _GIVES_NOTHING_BACK), re.ASCII
        )
    except (ValueError, re.error) as error:
        raise RulesUnavailable(f"rule cannot be compiled: {error}") from error


class RuleSet:
    """All rules, and the allowlists that hold for all of them."""

    __slots__ = ("_always", "_by_keyword", "allowlists", "rules")

    def __init__(self, rules: tuple[Rule, ...], allowlists: tuple[Allowlist, ...]) -> None:
        self.rules = rules
        self.allowlists = allowlists
        self._always: list[int] = []
        self._by_keyword: dict[str, list[int]] = {}
        for index, rule in enumerate(rules):
            if rule.id not in REPLACED:
                if not rule.keywords:
                    self._always.append(index)
                for keyword in rule.keywords:
                    self._by_keyword.setdefault(keyword, []).append(index)

    def concerning(self, low: str) -> list[Rule]:
        """The rules with a keyword in the lowered text, and those without keywords, in order."""
        indices = set(self._always)
        for keyword, having in self._by_keyword.items():
            if keyword in low:
                indices.update(having)
        return [self.rules[index] for index in sorted(indices)]


_loaded: list[RuleSet] = []  # the only cache: it holds no part of any text


def ruleset() -> RuleSet:
    """The rules, read at the first call."""
    if not _loaded:
        _loaded.append(_read())
    return _loaded[0]


def source() -> str:
    """The text of the rule file, wherever secretscreen is installed."""
    from importlib.util import find_spec

    try:
        spec = find_spec("secretscreen")
        places = spec.submodule_search_locations if spec else None
        if not places:
            raise RulesUnavailable("the package secretscreen, which carries the rules, is not installed")
        with open(f"{next(iter(places))}/gitleaks.toml", encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError, ImportError) as error:
        raise RulesUnavailable(f"the rule file of secretscreen cannot be read: {error}") from error


def _read() -> RuleSet:
    from ._toml import read

    try:
        document = read(source())
        entries = [entry for entry in document["rules"] if "regex" in entry]  # the others look at paths
        allowed = [document["allowlist"]] if "allowlist" in document else []
        allowed += document.get("allowlists", [])
        rules = tuple(Rule(entry) for entry in entries)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RulesUnavailable(f"the rule file of secretscreen is not as expected: {error!r}") from error
    if not rules:
        raise RulesUnavailable("the rule file of secretscreen holds no rules")
    return RuleSet(rules, tuple(Allowlist(entry) for entry in allowed))


def find(text: str, low: str) -> Iterator[tuple[int, int, str, int, int]]:
    """Each finding: where it matched, the rule, where the secret is. ``low`` is the lowered text."""
    found = ruleset()
    for rule in found.concerning(low):
        yield from _find_by(rule, found.allowlists, text)


def _find_by(rule: Rule, everywhere: tuple[Allowlist, ...], text: str) -> Iterator[tuple[int, int, str, int, int]]:
    earlier = 0
    for match in rule.regex.finditer(text):
        start, end = rule.secret_span(match)
        secret = text[start:end]
        if rule.is_secret(secret) and not (rule.id == GENERIC and _is_checksum(text, start, secret)):
            begins = _lead_start(text, match.start(), earlier) if rule.led else match.start()
            whole = text[begins : match.end()]
            line = _lines_around(text, match) if rule.reads_lines else whole
            if not any(allowlist.allows(secret, whole, line) for allowlist in (*rule.allowlists, *everywhere)):
                yield match.start(), match.end(), rule.id, start, end
        earlier = match.end()


def _lead_start(text: str, start: int, earlier: int) -> int:
    """Where the match would begin with its lead."""
    lead = _LEAD_CHARS.search(text, max(earlier, start - _LEAD_LENGTH), start)
    return lead.start() if lead else start


def _lines_around(text: str, match: re.Match[str]) -> str:
    """The line or lines of a match, at most 500 characters to each side: some texts are one long line."""
    begin = text.rfind("\n", max(0, match.start() - 500), match.start()) + 1
    end = text.find("\n", match.end(), match.end() + 500)
    return text[begin or max(0, match.start() - 500) : end if end >= 0 else match.end() + 500]


def _is_checksum(text: str, start: int, secret: str) -> bool:
    if is_uuid_or_digest(secret.rstrip(".")) or _DIGEST_VALUE.match(secret):
        return True
    return bool(_BEFORE_DIGEST.search(text, max(0, start - 16), start))


def entropy(text: str) -> float:
    """Shannon's entropy, in bits per character."""
    size = len(text)
    return -sum(count / size * log2(count / size) for count in map(text.count, set(text))) if size else 0.0
