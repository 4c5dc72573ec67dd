"""Shell commands as an agent repeats them: what kind of command it is, and whether what it printed says that it failed.

kind_of("cd src && FOO=1 pytest -q tests/a.py 2>&1 | tail -5") == "pytest"
"""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"""^(?: cd\s+\S+\s*(?:&&|;)\s* | export\s+\S+\s*(?:&&|;)\s* | set\s+-\S+\s*;\s* | [A-Z_][A-Z0-9_]*=\S*\s+
       | time\s+ | timeout\s+\S+\s+ )+""",
    re.X,
)
_AFTER = re.compile(
    r"""\s*(?: 2>&1 | 2>/dev/null | &?>/dev/null )*\s*
        (?: \|\s*(?:tail|head|grep|less|cat|tee|sed|wc|sort|awk)\b.* )?$""",
    re.X | re.S,
)
_RUNNERS = (
    """npx | uv run | poetry run | pipenv run | bundle exec | python -m | python3 -m | yarn | pnpm | npm run""".split(
        " | "
    )
)
_WITH_VERB = frozenset("git cargo go npm docker make gh kubectl terraform dotnet bazel perdure".split())
_CHECKS = re.compile(
    r"""\b(?: tests? | pytest | unittest | jest | vitest | mocha | tox | nox | check | lint | ruff | mypy | pyright
        | eslint | tsc | build | compile | make | cargo | go[ ](?:test|build|vet) | gradle | mvn | dotnet | rspec
        | rake | phpunit | ctest | bazel | typecheck | flake8 | clippy | prettier )\b""",
    re.X,
)
_LOOKS = re.compile(
    r"""^(?: ls | cat | head | tail | grep | rg | find | fd | sed[ ]-n | wc | pwd | echo | which | tree | stat | file
        | git[ ](?:status|diff|log|show|branch|blame) )\b""",
    re.X,
)
_FAILED = re.compile(
    r"""(?m)^(?: FAILED\b | FAIL\b | ERROR\b | E[ ][ ][ ] | Traceback[ ]\(most[ ]recent | npm[ ]ERR!
             | error(?:\[E\d+\])?: | fatal: | panic: | thread[ ]'.*panicked | make:[ ]\*\*\* )
        | \b\d+[ ](?:failed|errors?|failures?)\b | \berror[ ]TS\d+ | \bAssertionError\b
        | \b[A-Z]\w*(?:Error|Exception):[ ]
        | [✗✕] | \bcommand[ ]not[ ]found\b | \bNo[ ]such[ ]file[ ]or[ ]directory\b | \bSegmentation[ ]fault\b
        | BUILD[ ]FAILED | Build[ ]failed""",
    re.X,
)
_NONE_FAILED = re.compile(r"\b0 (?:failed|errors?|failures?)\b")
_TELLING = re.compile(
    r"""^E[ ][ ][ ] | ^FAILED[ ] | ^ERROR[ ] | ^FAIL:?[ ] | \b[A-Z]\w*(?:Error|Exception)\b:?[ ]
        | \berror(?:\[E\d+\])?:[ ]
        | \berror[ ]TS\d+ | ^[A-Z]{1,5}\d{2,5}[ ] | :\d+:\d+:?[ ]+(?:error|[A-Z]\d+)\b | ^fatal:[ ] | ^panic:[ ]
        | panicked[ ]at | ^npm[ ]ERR![ ] | command[ ]not[ ]found | No[ ]such[ ]file[ ]or[ ]directory | ^\s*[✗✕][ ]
        | ^\s*-->[ ] | --[ ]FAIL:""",
    re.X,
)
_WEAK = re.compile(r"\b[1-9]\d* (?:failed|errors?|failures?)\b|^make: \*\*\* |BUILD FAILED|^FAIL\b|Exit code \d+")
_NO_WORDS = re.compile(r"^[\W_]*$")
_MOST_LINES = 400


def plain(command: str) -> str:
    """The command without what only stands around it: the folder, variables, what cuts its output."""
    first = " ".join(command.strip().split("\n")[0].split())
    return _AFTER.sub("", _BEFORE.sub("", first)).strip() or first


def kind_of(command: str) -> str:
    """Its program, and the sub-command that says what it is about."""
    words = plain(command).split()
    text = " ".join(words)
    for runner in _RUNNERS:
        if text.startswith(runner + " "):
            return " ".join(words[: len(runner.split()) + 1])
    if words and words[0] in _WITH_VERB:
        return " ".join(words[:2])
    return words[0].rsplit("/", 1)[-1] if words else ""


def is_check(command: str) -> bool:
    return bool(_CHECKS.search(plain(command)))


def only_looks(command: str) -> bool:
    return bool(_LOOKS.match(plain(command)))


def says_it_failed(output: str) -> bool:
    return bool(_FAILED.search(_NONE_FAILED.sub("", output)))


def telling_lines(output: str, most: int = 8) -> list[str]:
    """The lines that say what went wrong, in their order, each once; those that only count come where no others are."""
    lines = [" ".join(line.split()) for line in output.splitlines()[-_MOST_LINES:] if not _NO_WORDS.match(line)]
    raw = [line for line in output.splitlines()[-_MOST_LINES:] if not _NO_WORDS.match(line)]
    strong = [text for text, line in zip(lines, raw, strict=True) if _TELLING.search(line)]
    weak = [text for text, line in zip(lines, raw, strict=True) if _WEAK.search(line)]
    names = [text for text in strong if text.startswith(("FAILED ", "ERROR ", "FAIL"))]
    told = list(dict.fromkeys([*names, *(text for text in strong if text not in names)]))
    return told[:most] or list(dict.fromkeys(weak))[-2:] or lines[-2:]
