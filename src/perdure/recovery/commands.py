"""Shell commands as an agent repeats them: how one is given back, which kinds of command it runs, what it does.

plain("cd /work && FOO=1 pytest -q a.py 2>&1 | tail -5") == "FOO=1 pytest -q a.py"
kind_of("cd src && FOO=1 uv run pytest -q tests/a.py 2>&1 | tail -5") == "pytest"
"""

from __future__ import annotations

import re
from functools import lru_cache

_FOLDER = r"""(?:"[^"]*"|'[^']*'|\S+)"""
_ELSEWHERE = re.compile(rf"^(?:cd\s+(?=[\"']?[/~$]|[\"']?[A-Za-z]:){_FOLDER}\s*(?:&&|;|\n)\s*)+")
"""The folder of the work, which every command of a session begins with; a folder within it is part of the command."""
_BEFORE = re.compile(
    rf"""^(?: cd\s+{_FOLDER}\s*(?:&&|;|\n|$)\s* | export\s+\S+\s*(?:&&|;|\n)\s* | set\s+-\S+\s*(?:;|&&|\n)\s*
       | [A-Za-z_]\w*={_FOLDER}\s+ | (?:time|command|sudo|env|nohup|exec)\s+ | timeout\s+(?:-\S+\s+)*\S+\s+ )+""",
    re.X,
)
_AFTER = re.compile(
    r"""\s*(?: 2>&1 | 2>/dev/null | &?>/dev/null )*\s*
        (?: \|\s*(?:tail|head|grep|less|cat|tee|sed|wc|sort|awk)\b[^;&]* )*$""",
    re.X | re.S,
)
_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1(.*?)\n(.*?)^[ \t]*\2[ \t]*$|<<-?\s*['\"]?\w+.*", re.S | re.M)
_REMARK = re.compile(r"^[ \t]*#.*\n?", re.M)
_PART = re.compile(r""" (?: "(?:\\.|[^"\\])*" | '[^']*' | \\. | [^&|;\n"'\\] | (?<=>)& | &(?=>) )+ """, re.X | re.S)
_THROUGH = re.compile(
    r"""^(?: (?: npx | bunx | uvx | pnpm\s+(?:exec|dlx) | yarn\s+dlx | (?:uv|poetry|pipenv|rye|hatch|pdm)\s+run
           | bundle\s+exec | python[\d.]*\s+-m | mise\s+(?:exec|x)(?:\s+\S+)?\s+-- | direnv\s+exec\s+\S+
           ) (?:\s+--?[\w-]+(?:=\S+)?)* \s+ )+""",
    re.X,
)
"""What only starts another program: the kind is that program's."""
_FLAG = re.compile(
    r"""\s(?: (?:-C|-f|-w|-p|--prefix|--filter|--cwd|--project|--manifest-path|--dir)[ =]\S+ | [-+]\S+ )""",
    re.X,
)
_VERBED = frozenset(
    """git cargo go npm pnpm yarn bun deno docker podman make just task mise gh kubectl helm terraform dotnet
    bazel gradle
    gradlew mvn mvnw swift xcodebuild flutter dart mix rails rake composer php zig nix pip uv poetry perdure""".split()
)
_RUNS = frozenset("run compose task exec x workspace".split())
_INTERPRETERS = re.compile(r"^(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|php|deno|tsx|ts-node)$")
_CHECKS = re.compile(
    r"""\b(?: tests? | pytest | unittest | jest | vitest | mocha | playwright | tox | nox | check | lint | ruff
        | mypy | pyright
        | eslint | tsc | build | compile | make | cargo | go[ ](?:test|build|vet) | gradlew? | mvnw? | dotnet | rspec
        | rake | phpunit | phpstan | pest | ctest | cmake | ninja | bazel | type-?check | flake8 | clippy
        | prettier | biome
        | golangci-lint | shellcheck | xcodebuild | swiftlint | gcc | g\+\+ | clang | javac | rustc | hadolint )\b""",
    re.X,
)
_LOOKS = re.compile(
    r"""^(?: ls | cat | head | tail | grep | rg | find | fd | sed[ ]-n | wc | pwd | echo | which | tree | stat
        | file | awk
        | less | sort | uniq | diff | jq | cut | test | printf | type | command | sleep | true | cd | date | env
        | git[ ](?:status|diff|log|show|branch|blame|ls-files|remote|rev-parse|fetch)
        | gh[ ]\w+[ ](?:view|list|diff|status|checks) )\b""",
    re.X,
)
_REPORT = re.compile(r";\s*\S|(?:&&|;)\s*echo\b")
_WIDEST = 200


def bare(command: str) -> str:
    """Without the documents and the remarks that stand in it."""
    return _REMARK.sub("", _DOCUMENT.sub(r"<<\2\3", command))


def plain(command: str) -> str:
    """The command without what only stands around it: the folder of the work, what cuts its output."""
    return _AFTER.sub("", " ".join(_inner(command).split())).strip()


def _inner(command: str) -> str:
    return _ELSEWHERE.sub("", bare(command).strip()).strip()


def told_again(command: str) -> list[str]:
    """What of it could be run again as it stands: the whole, or its checks where it is a report of several things.

    Nothing of one that carries a document, a script or a message: it was made for its moment."""
    if "<<" in command or "$(cat" in command:
        return []
    text, shown = _inner(command), plain(command)
    if "\n" not in text and len(shown) <= _WIDEST and not _REPORT.search(text):
        return [shown]
    return [part for part in parts(command) if _is_check(part) and len(part) <= _WIDEST and "\n" not in part]


@lru_cache(maxsize=2048)
def parts(command: str) -> tuple[str, ...]:
    """Its single commands, in their order, without folders and variables."""
    found = (_BEFORE.sub("", part.strip()) for part in _PART.findall(bare(command)[:5000]))
    return tuple(_AFTER.sub("", " ".join(part.split())) for part in found if part.strip())


def kind_of(command: str) -> str:
    """The program it is about and the sub-command that says what for: that of the last check in it, if one is."""
    telling = _telling(command)
    return _kind(telling[-1]) if telling else ""


def told(command: str) -> str:
    """How a command that failed is named: as it is given back, or by what in it is about the failure."""
    whole, telling = plain(command), _telling(command)
    return whole if not telling or ("<<" not in command and len(whole) <= _WIDEST) else telling[-1]


def checked(command: str) -> frozenset[str]:
    """What must go well, each of them, before a failure of the whole is settled."""
    return frozenset(_kind(part) for part in (_telling(command) if is_check(command) else _telling(command)[-1:]))


def kinds_of(command: str) -> frozenset[str]:
    """Everything that went well where the whole did."""
    return checked(command) | {_kind(part) for part in parts(command) if not _LOOKS.match(part)}


def _telling(command: str) -> list[str]:
    single = list(parts(command))
    return [part for part in single if _is_check(part)] or [part for part in single if not _LOOKS.match(part)] or single


def _kind(part: str) -> str:
    words = _FLAG.sub("", _THROUGH.sub("", _BEFORE.sub("", part))).split()
    if not words:
        return part.split()[0] if part.split() else ""
    program = words[0].replace("\\", "/").rsplit("/", 1)[-1]
    if program in _VERBED:
        verbs = [word for word in words[1:] if word not in _RUNS][:1]
        return " ".join([program, *verbs])
    if _INTERPRETERS.match(program) and len(words) > 1 and re.match(r"[\w./-]+\.\w+$", words[1]):
        return words[1].rsplit("/", 1)[-1]
    return program


def _is_check(part: str) -> bool:
    return bool(_CHECKS.search(" ".join(_FLAG.sub("", part).split()[:4]))) and not _LOOKS.match(part)


def sees(part: str) -> bool:
    """Whether a single command reads the files that it names."""
    return bool(_LOOKS.match(part)) or _is_check(part)


def is_check(command: str) -> bool:
    return any(_is_check(part) for part in parts(command))


def only_looks(command: str) -> bool:
    return all(_LOOKS.match(part) for part in parts(command))
