"""Bounds: large and hostile texts end in time, and importing costs next to nothing."""

from __future__ import annotations

import base64
import os
import random
import subprocess
import sys
import time

import pytest

from perdure.masking import _ruleset, mask_text
from tests import effort
from tests.effort import for_each

from .masking_samples import SERVICES, Dice

MIB = 1 << 20
USED = [rule for rule in _ruleset.ruleset().rules if rule.id not in _ruleset.REPLACED]
SECONDS = 8  # of the processor. Measured: the slowest mebibyte takes 8, the four named first at most 3; without
# bounds they take hours


def repeated(text: str, size: int = MIB) -> str:
    return (text * (size // len(text) + 1))[:size]


_DICE = random.Random(1)
_KEYWORDS = sorted({keyword for rule in _ruleset.ruleset().rules for keyword in rule.keywords})

HOSTILE = {
    **{
        unit: repeated(unit)
        for unit in [
            *(
                "a",
                "key=",
                "-----BEGIN",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\n",
            ),
            *("curl ", "curl \r", "curl -u a:b ", 'curl -H "Authorization: Bearer ', "eyJ-", "eyJhbGciOiJIUzI1NiIs."),
            *(
                "://",
                "://a:b",
                "://a:b@",
                'password="',
                "password='x",
                'password=\\"',
                "password: ",
                "password is ",
                "token:",
            ),
            *(
                "--password ",
                "--",
                " -u a",
                "=",
                ":",
                '<add key="password" value="',
                "cookie: a=bcdefghi; ",
                "authorization: bearer ",
            ),
            *(
                "glpat-",
                "ghp_",
                "sk-a1",
                "ATATT3",
                "AKIA",
                "xoxb-1234567890-",
                "yandex=t1.",
                "abc8Q~",
                "login a password ",
            ),
            *(
                "identified by 'a",
                "[masked:",
                "[masked:a]",
                "Abcd",
                "abc_12_",
                "aB1_",
                "1234567890",
                " ",
                "\n",
                "\0",
                "\ud800",
                "🎉",
                "İ",
            ),
            *("auth, 9fceb02d0ae598e95dc970b74767f19372d61af8 ",),
            *(
                "AKIAIJMIMWG5\nFWJCLJ6BXY\n",
                "ghp_abc1\n",
                "sk-a1b2c3d4e5\n",
                "eyJhbGciOi\n",
                "LS0tLS1CRUdJTi",
                "TG9yZW0gaXBzdW0g",
            ),
            *(
                "mysql -p",
                "mysql -px1y2 ",
                "echo x1y2 | sudo -S ",
                "sudo -S <<< ",
                "sudo ",
                "| ",
                "wpa_passphrase a ",
                "nmcli ",
            ),
            *("secrets set A= ", "gh secret set ", "pulumi config set --secret ", "name: a value: ", "setx a_pw x1y2 "),
            *("sqlplus a/", "net user ", "htpasswd -b ", "--from-literal=a=", "rabbitmqctl -a ", 'assword: send "'),
            *(
                "credentials a:b1 ",
                "login a / ",
                "user a password ",
                "password for a ",
                "password from ",
                "пароль: x1y2z ",
                "senha ",
            ),
            *("kind: Secret\\ndata:\\n a: b\\n", "-----END PRIVATE KEY-----", "MIIEvQIBADAN\n"),
        ]
    },
    "base64": base64.b64encode(_DICE.randbytes(MIB * 3 // 4)).decode(),
    "base64 in lines": "\n".join(base64.b64encode(_DICE.randbytes(57)).decode() for _ in range(MIB // 77)),
    "hex": _DICE.randbytes(MIB // 2).hex(),
    "a manifest": "kind: Secret\n" + repeated("data:\n a: b\n"),
    "a manifest in one line": "kind: secret " + repeated("data: a:bbbbbbbbbbbbb "),
    "a manifest with a long line": "kind: Secret\ndata:\n a: b" + " " * MIB + "c\n",
    "keys end to end": repeated("ghp" + "_" + Dice(1).alnum(36)),
    "many keys": repeated("ghp" + "_" + Dice(1).alnum(36) + " "),
    "all keywords": repeated(" ".join(_KEYWORDS) + "="),
    "all keywords assigned": repeated("".join(keyword + ' = "' for keyword in _KEYWORDS)),
    "all services": repeated("\n".join(make(Dice(name))[0] for name, make in SERVICES.items())),
}


def seconds_to_mask(text: str) -> float:
    started = time.process_time()
    mask_text(text)
    return time.process_time() - started


@pytest.mark.parametrize("name", ["a", "key=", "-----BEGIN", "base64"])
def test_a_mebibyte_of_it_ends_in_seconds(name: str) -> None:
    assert seconds_to_mask(HOSTILE[name]) < SECONDS


@for_each("name", HOSTILE)
def test_a_32nd_of_a_mebibyte_of_any_of_it_ends_in_a_second(name: str) -> None:
    """The slowest takes 0.2. What takes an hour for a mebibyte because it looks back at each character takes 3.5 here:
    time that grows with the square of the text is a 1024th for a 32nd of it."""
    assert seconds_to_mask(HOSTILE[name][: MIB // 32]) < SECONDS / 8


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_a_mebibyte_of_any_of_it_ends_in_seconds(name: str) -> None:
    assert seconds_to_mask(HOSTILE[name]) < 2 * SECONDS


@effort.sampled
@for_each("name", HOSTILE)
def test_masking_it_again_changes_nothing(name: str) -> None:
    masked, _ = mask_text(HOSTILE[name][: MIB // (32 if effort.is_full else 128)])
    assert mask_text(masked) == (masked, 0)


@for_each("rule", USED, ids=lambda rule: rule.id)
def test_no_rule_backtracks_without_bound(rule: _ruleset.Rule) -> None:
    """Twice the text takes about twice the time: what catches a new rule that does not."""
    for keyword in rule.keywords:
        for unit in (keyword, f"{keyword} ", f'{keyword}="', f"{keyword}=a1B2", f"{keyword.upper()}-", f"{keyword}\n"):
            text = repeated(unit, MIB // 32)
            started = time.process_time()
            for _ in rule.regex.finditer(text):
                pass
            assert time.process_time() - started < 1, unit


LIGHT = (
    "import sys, re; before = set(sys.modules); import perdure.masking as m; {}; "
    "print(*sorted(set(sys.modules) - before))"
)


def modules_after(statement: str) -> set[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(statement)], check=True, capture_output=True, text=True, env=environment
    )
    return set(done.stdout.split())


def test_importing_it_loads_only_the_first_stage() -> None:
    assert {name for name in modules_after("pass") if name != "__future__"} == {
        "perdure",
        "perdure.errors",
        "perdure.masking",
        "perdure.masking._screen",
        "perdure.model",
        "perdure.model.pattern",
    }


def test_a_clean_text_loads_no_more() -> None:
    assert modules_after("m.mask_json({'text': 'the token bucket is empty'})") == modules_after("pass")


def test_a_suspicious_text_loads_the_rules_but_neither_tomllib_nor_secretscreen() -> None:
    loaded = modules_after("m.mask_text('commit 9fceb02d0ae598e95dc970b74767f19372d61af8')")
    assert "perdure.masking._ruleset" in loaded
    assert not loaded & {"tomllib", "secretscreen", "typing", "dataclasses", "pathlib"}
