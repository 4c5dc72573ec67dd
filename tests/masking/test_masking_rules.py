"""The rule set: that all of it is read, all of it compiles, and all of it finds."""

from __future__ import annotations

import random
import re
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest

from perdure.masking import RulesUnavailable, _ruleset, _shapes, _toml, mask_text
from perdure.masking._find import find
from perdure.masking._goregex import to_python
from tests import effort
from tests.effort import for_each

from .masking_samples import Dice
from .masking_sampling import sample

SOURCE = _ruleset.source()
DOCUMENT: dict[str, Any] = tomllib.loads(SOURCE)
WITH_REGEX = [entry for entry in DOCUMENT["rules"] if "regex" in entry]
USED = [rule for rule in _ruleset.ruleset().rules if rule.id not in _ruleset.REPLACED]


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not read the rules yet."""
    monkeypatch.setattr(_ruleset, "_loaded", [])


def test_the_quick_reader_reads_what_tomllib_reads() -> None:
    assert _toml.read_quickly(SOURCE) == DOCUMENT


@pytest.mark.parametrize(
    "text",
    [
        "a = 'x'\n",
        'a = "\\u0041"\n',
        "[a]\nb.c = 1\n",
        "a = '''x\ny'''\n",
        "a = [1, 2]\n",
        "a = true\n",
        "a = {b = 1}\n",
    ],
)
def test_what_the_quick_reader_does_not_know_tomllib_reads(text: str) -> None:
    with pytest.raises(_toml._Unfamiliar):
        _toml.read_quickly(text)
    assert _toml.read(text) == tomllib.loads(text)


def test_every_rule_with_a_regex_is_there() -> None:
    assert [rule.id for rule in _ruleset.ruleset().rules] == [entry["id"] for entry in WITH_REGEX]
    assert len(WITH_REGEX) > 200


@for_each("entry", WITH_REGEX, ids=lambda entry: entry["id"])
def test_every_rule_compiles(entry: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rule = _ruleset.Rule(entry)
        assert rule.regex.pattern
        re.compile(to_python(entry["regex"]), re.ASCII)
        for allowlist in rule.allowlists:
            allowlist.allows("secret", "match", "line")


def test_the_allowlist_for_all_rules_compiles() -> None:
    (everywhere,) = _ruleset.ruleset().allowlists
    assert not everywhere.allows("aB3dE6", "", "")
    assert everywhere.allows("${TOKEN}", "", "")
    assert len(everywhere._patterns or []) == len(DOCUMENT["allowlist"]["regexes"])


def test_rules_that_look_at_paths_only_are_left_out() -> None:
    only_paths = {entry["id"] for entry in DOCUMENT["rules"] if "regex" not in entry}
    assert only_paths == {"pkcs12-file"}


def test_every_replaced_rule_is_one_of_the_rule_set() -> None:
    assert set(_ruleset.REPLACED) <= {entry["id"] for entry in WITH_REGEX}


def test_every_id_fits_into_a_mark() -> None:
    ids = [entry["id"] for entry in WITH_REGEX] + [shape.id for shape in _shapes.SHAPES]
    assert all(re.fullmatch(r"[a-z0-9-]{1,64}", rule_id) for rule_id in ids)


def test_every_shape_has_a_reason() -> None:
    assert all(shape.why and shape.needs for shape in _shapes.SHAPES)


# What the sampler makes of these is too short or too even to be a key; real ones are longer.
UNREAL = {
    "generic-api-key",
    "slack-app-token",
    "slack-legacy-token",
    "slack-legacy-workspace-token",
    "freemius-secret-key",
}
# Their alphabets allow "=" anywhere, which no real key has but at its end.
UNREAL |= {"discord-client-secret", "fastly-api-token", "nytimes-access-token"}


SAMPLES = 60 if effort.is_full else 24


@effort.sampled
@for_each("rule", USED, ids=lambda rule: rule.id)
def test_what_a_rule_describes_is_masked(rule: _ruleset.Rule) -> None:
    dice = random.Random(rule.id)
    found = masked = 0
    for _ in range(SAMPLES):
        text = sample(rule.regex.pattern, dice)
        if not any(keyword in text.lower() for keyword in rule.keywords):
            text = f"{rule.keywords[0]} {text}"
        text = f" {text}\n"
        if any(True for _ in _ruleset._find_by(rule, _ruleset.ruleset().allowlists, text)):
            found += 1
            masked += mask_text(text)[1] > 0
    assert found >= SAMPLES / 3
    assert masked >= found * (0.7 if rule.id in UNREAL else 0.97)


# ---- the parts of a rule ------------------------------------------------------------------------


def rule_of(**entry: Any) -> _ruleset.Rule:
    return _ruleset.Rule({"id": "a-rule", "keywords": [], **entry})


def secrets_by(rule: _ruleset.Rule, text: str) -> list[str]:
    return [text[start:end] for _, _, _, start, end in _ruleset._find_by(rule, (), text)]


def test_a_rule_takes_its_first_group() -> None:
    assert secrets_by(rule_of(regex=r"id=(\d+|none)"), "id=42 id=7") == ["42", "7"]


def test_a_rule_takes_the_group_it_names() -> None:
    assert secrets_by(rule_of(regex=r"(a|b)=(\d+)", secretGroup=2), "a=42") == ["42"]


def test_a_rule_without_groups_takes_all() -> None:
    assert secrets_by(rule_of(regex=r"id=\d+"), "id=42") == ["id=42"]


def test_a_group_that_is_a_piece_of_the_secret_is_not_taken_for_all_of_it() -> None:
    assert secrets_by(rule_of(regex=r"ZX(?P<head>ab|cd)[a-z]{10}"), "ZXabcdefghijkl") == ["ZXabcdefghijkl"]


def test_a_rule_wants_its_entropy() -> None:
    rule = rule_of(regex=r"id=(\w+)", entropy=2)
    assert secrets_by(rule, "id=aaaabbbb id=abcdefgh") == ["abcdefgh"]


def test_a_rule_allows_by_secret_match_line_and_stopword() -> None:
    def left(**allowlist: Any) -> list[str]:
        return secrets_by(rule_of(regex=r"id=(\w+)", allowlists=[allowlist]), "x id=one\ny id=two")

    assert left(regexes=["^one$"]) == ["two"]
    assert left(regexes=["^id=one$"]) == ["one", "two"]
    assert left(regexes=["^id=one$"], regexTarget="match") == ["two"]
    assert left(regexes=["^x "], regexTarget="line") == ["two"]
    assert left(stopwords=["TW"]) == ["one"]
    assert left(regexes=["one"], paths=["x"], condition="AND") == ["one", "two"]
    assert left(regexes=["one|two"], stopwords=["tw"], condition="AND") == ["one"]
    assert left(regexes=["one"], stopwords=["tw"], condition="AND") == ["one", "two"]
    assert left(regexes=["one"], stopwords=["tw"]) == []


def test_the_lead_that_is_taken_off_counts_where_the_match_is_asked_about() -> None:
    rule = rule_of(
        regex=r"""[\w.-]{0,50}?key=(\w+)""", allowlists=[{"regexTarget": "match", "regexes": ["public_?key"]}]
    )
    assert secrets_by(rule, "public_key=one my_key=two") == ["two"]


def test_a_rule_is_not_compiled_before_its_keyword_occurs(unread: None) -> None:
    text = f"npm_{Dice(1).alnum(36)}"
    assert mask_text(text)[1] == 1
    compiled = {rule.id for rule in _ruleset.ruleset().rules if rule._regex is not None}
    assert "npm-access-token" in compiled
    assert "aws-access-token" not in compiled
    assert len(compiled) < 20


def test_the_example_of_the_aws_manual_is_not_masked() -> None:
    text = "AKIA" + "IOSFODNN7EXAMPLE"
    assert mask_text(text) == (text, 0)


# ---- failing closed -----------------------------------------------------------------------------

SUSPICIOUS = "commit 9fceb02d0ae598e95dc970b74767f19372d61af8"


def test_without_the_package_nothing_suspicious_passes(unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(RulesUnavailable):
        mask_text(SUSPICIOUS)


def test_without_the_file_nothing_suspicious_passes(
    unread: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "secretscreen"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RulesUnavailable):
        mask_text(SUSPICIOUS)
    (package / "gitleaks.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(RulesUnavailable):
        mask_text(SUSPICIOUS)


@pytest.mark.parametrize("source", ["", "rules = 1", "rules = [", "[[rules]]\nregex = '''a'''\n", "title = '''x'''\n"])
def test_with_a_broken_file_nothing_suspicious_passes(
    unread: None, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setattr(_ruleset, "source", lambda: source)
    with pytest.raises(RulesUnavailable):
        mask_text(SUSPICIOUS)


def test_with_a_rule_that_does_not_compile_nothing_suspicious_passes(
    unread: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ruleset, "source", lambda: "[[rules]]\nid = \"x\"\nregex = '''(?=x)'''\n")
    with pytest.raises(RulesUnavailable):
        mask_text(SUSPICIOUS)


def test_what_is_clean_passes_without_rules(unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_ruleset, "source", lambda: "")
    assert mask_text("the token bucket is empty") == ("the token bucket is empty", 0)


# ---- translation --------------------------------------------------------------------------------


@for_each(
    ("go", "python"),
    [
        ("(?i)a|b", "(?i:a)|(?i:b)"),
        ("a(?i)b|c", "a(?i:b)|(?i:c)"),
        ("(x(?i)b|c)d", "(x(?i:b)|(?i:c))d"),
        ("(?i)a(?-i)b", "(?i:a(?-i:b))"),
        ("(?i:a)b", "(?i:a)b"),
        ("(?s:.)x", "(?s:.)x"),
        (r"a$|\z", r"a\Z|\Z"),
        ("(?m)a$", "(?m:a$)"),
        ("(?m:a$)b$", r"(?m:a$)b\Z"),
        ("[[:alnum:]_]", "[0-9A-Za-z_]"),
        ("[^[:space:]]", r"[^\t\n\v\f\r ]"),
        ("[]a]", r"[\]a]"),
        ("[^]]", r"[^\]]"),
        ("[a|b&&c~~[]", r"[a\|b\&\&c\~\~\[]"),
        (r"[\w$]", r"[\w$]"),
        ("a{2,3}b{,4}c{", r"a{2,3}b\{,4}c\{"),
        ("(?P<n>a)(?<m>b)", "(?P<n>a)(?P<m>b)"),
        (r"\Qa.b\E+", r"a\.b+"),
        (r"\x{41}\x41", r"A\x41"),
    ],
)
def test_a_go_pattern_becomes_its_python_equal(go: str, python: str) -> None:
    assert to_python(go) == python
    re.compile(python)


@pytest.mark.parametrize("pattern", [r"\pL", "(?U)a", "(?=a)", "(a", "a)", "[a", "[[:nope:]]", "\\"])
def test_what_has_no_translation_is_an_error(pattern: str) -> None:
    with pytest.raises(ValueError):
        to_python(pattern)


def test_case_is_ignored_only_where_the_rule_says_so() -> None:
    pattern = re.compile(to_python(r"AB(?i)cd|ef"), re.ASCII)
    assert [bool(pattern.fullmatch(text)) for text in ("ABCD", "ABcd", "abcd", "EF", "ef")] == [
        True,
        True,
        False,
        True,
        True,
    ]


def test_overlapping_findings_become_one_under_the_better_id() -> None:
    text = f"export GITHUB_TOKEN={'ghp' + '_' + Dice(3).alnum(36)}"
    assert find(text) == [(20, len(text), "github-pat")]
