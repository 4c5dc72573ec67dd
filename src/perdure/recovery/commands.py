"""Shell commands as an agent repeats them: how one is given back, which kinds of command it runs, what it does.

plain("cd /work && FOO=1 pytest -q a.py 2>&1 | tail -5") == "FOO=1 pytest -q a.py"
kind_of("cd src && FOO=1 uv run pytest -q tests/a.py 2>&1 | tail -5") == "pytest"
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.model.value import value

_FOLDER = r"""(?:"[^"]*"|'[^']*'|\S+)"""
_ELSEWHERE = re.compile(rf"^(?:cd\s+(?=[\"']?[/~$]|[\"']?[A-Za-z]:){_FOLDER}\s*(?:&&|;|\n)\s*)+")
"""The folder of the work, which every command of a session begins with; a folder within it is part of the command."""
_BEFORE = re.compile(
    rf"""^(?: cd\s+{_FOLDER}\s*(?:&&|;|\n|$)\s* | export\s+\S+\s*(?:&&|;|\n)\s* | set\s+-\S+\s*(?:;|&&|\n)\s*
       | [A-Za-z_]\w*={_FOLDER}\s+ | (?:time|command|sudo|env|nohup|exec)\s+ | timeout\s+(?:-\S+\s+)*\S+\s+ )+""",
    re.X,
)
_QUIET = re.compile(r"(?:(?<=\s)|^)(?:2>&1|2>/dev/null|&?>/dev/null)\Z")
"""What sends the output elsewhere, at a command's end."""
_CUTS = re.compile(r"\|\s*+(?:tail|head|grep|less|cat|tee|sed|wc|sort|awk)\b")
"""What only cuts the output of the command before it."""
_JOINT = re.compile(r""""[^"\\]*+(?:\\.[^"\\]*+)*"|'[^']*+'|\\.|\|[|&]?|[;&]""", re.S)
"""Where one command ends and another begins; and the quotes that these may stand in, which are passed over."""
_OPENS = re.compile(r"(?<!<)<<-?[ \t]*+(['\"]?)(\w++)\1(?!<)")
"""A document within a command, up to the line that is this word."""
_REMARK = re.compile(r"^[ \t]*#.*\n?", re.M)
_PART = re.compile(
    r""" (?: "[^"\\]*+(?:\\.[^"\\]*+)*" | '[^']*+' | \\. | [^&|;\n"'\\]++ | (?<=>)& | &(?=>) )+ """, re.X | re.S
)
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
_REPORT = re.compile(r";\s*+\S|(?:&&|;)\s*+echo\b")
_SCRIPT = re.compile(r"\A[\w./-]+\.\w+\Z")
_WORD = re.compile(r"""(?:"[^"]*+"|'[^']*+'|[^\s"']++|["'])+""")
_NARROWS = frozenset("-k -run --run --grep -g --tests --test --testNamePattern --test-name-pattern --filter".split())
"""Flags whose value picks some of the tests."""
_ONLY_TELLS = frozenset("--collect-only --co --help --version --list --listTests --list-tests --dry-run".split())
_WIDEST = 200
_LONGEST = 4000
_LONGEST_WITH_DOCUMENTS = 100_000
"""Characters of a command that are looked at."""


@value
class Scope:
    """What a check was run on. None named is everything."""

    places: frozenset[str] = frozenset()
    """Files, folders, packages."""
    picks: frozenset[str] = frozenset()
    """Tests among those."""


@lru_cache(maxsize=64)
def bare(command: str) -> str:
    """Without the documents and the remarks that stand in it."""
    command = command[:_LONGEST_WITH_DOCUMENTS]
    return _REMARK.sub("", _without_documents(command) if "<<" in command else command)


def _without_documents(command: str) -> str:
    """One that never ends takes the rest with it."""
    kept: list[str] = []
    opened: list[str] = []
    for line in command.split("\n"):
        if opened:
            opened = opened[1:] if line.strip(" \t") == opened[0] else opened
            continue
        last, opened = line, [found[2] for found in _OPENS.finditer(line)]
        kept.append(_OPENS.sub(r"<<\2", line))
    if opened:
        kept[-1] = last.partition("<<")[0] + "<<"
    return "\n".join(kept)


def plain(command: str) -> str:
    """The command without what only stands around it: the folder of the work, what cuts its output."""
    return _uncut(" ".join(_inner(command).split()))


def _inner(command: str) -> str:
    return _ELSEWHERE.sub("", bare(command).strip()[:_LONGEST]).strip()


def _uncut(command: str) -> str:
    """Without the pipes at its end that only cut its output."""
    joints = [found for found in _JOINT.finditer(command) if found[0][0] in "|;&"]
    command = _loud(command)
    while joints:
        joint = joints.pop()
        if joint.start() >= len(command):
            continue
        cut = command[joint.start() :]
        if joint[0] != "|" or not _CUTS.match(cut) or cut.count("(") != cut.count(")"):
            break
        command = _loud(command[: joint.start()])
    return command


def _loud(command: str) -> str:
    command = command.strip()
    while quiet := _QUIET.search(command, max(0, len(command) - 20)):
        command = command[: quiet.start()].rstrip()
    return command


def told_again(command: str) -> list[str]:
    """What of it could be run again as it stands: the whole, or its checks where it is a report of several things.

    Nothing of one that carries a document, a script or a message: it was made for its moment."""
    if "<<" in command or "$(cat" in command:
        return []
    text, shown = _inner(command), plain(command)
    if "\n" not in text and len(bare(command)) <= _LONGEST and len(shown) <= _WIDEST and not _REPORT.search(text):
        return [shown]
    return [part for part in parts(command) if _is_check(part) and len(part) <= _WIDEST and "\n" not in part]


@lru_cache(maxsize=512)
def parts(command: str) -> tuple[str, ...]:
    """Its single commands, in their order, without folders and variables."""
    text = bare(command)
    single = _PART.findall(text[:_LONGEST])
    if len(text) > _LONGEST:  # the last is not whole
        single = single[:-1]
    found = (_BEFORE.sub("", part.strip()) for part in single)
    return tuple(_uncut(" ".join(part.split())) for part in found if part.strip())


def kind_of(command: str) -> str:
    """The program it is about and the sub-command that says what for: that of the last check in it, if one is."""
    telling = _telling(command)
    return _kind(telling[-1]) if telling else ""


def told(command: str) -> str:
    """How a command that failed is named: as it is given back, or by what in it is about the failure."""
    whole, telling = plain(command), _telling(command)
    return whole if not telling or ("<<" not in command and len(whole) <= _WIDEST) else telling[-1]


def checked(command: str) -> dict[str, Scope]:
    """What must go well, each of them and on what, before a failure of the whole is settled."""
    return _scopes(_at_fault(command))


def went_well(command: str) -> dict[str, Scope]:
    """Everything that went well where the whole did. What only tells of a check does not make it."""
    done = [*_at_fault(command), *(part for part in parts(command) if not _LOOKS.match(part))]
    return _scopes([part for part in done if _ONLY_TELLS.isdisjoint(part.split())])


def _at_fault(command: str) -> list[str]:
    return _telling(command) if is_check(command) else _telling(command)[-1:]


def _scopes(single: list[str]) -> dict[str, Scope]:
    found: dict[str, Scope] = {}
    for part in dict.fromkeys(single):
        kind, scope = _kind(part), _scope(part)
        found[kind] = _both(found[kind], scope) if kind in found else scope
    return found


def _both(one: Scope, other: Scope) -> Scope:
    """What is about everything stays so."""
    return Scope(
        one.places | other.places if one.places and other.places else frozenset(),
        one.picks | other.picks if one.picks and other.picks else frozenset(),
    )


def _scope(part: str) -> Scope:
    """Of a check alone: what else a command is given may be a message, a name, anything."""
    if not _is_check(part):
        return Scope()
    kind = _kind(part).split()
    words = _WORD.findall(_THROUGH.sub("", _BEFORE.sub("", part)))[1:]
    places, picks = set(), set()
    before = ""
    for word in words:
        if word[0] in "<>" or word[:2] in ("2>", "&>"):
            break
        flag, before = before, word if word[0] in "-+" and word != "--" else ""
        if before or word == "--" or word in kind[1:] or word in _RUNS:
            continue
        place, _, picked = word.strip("\"'").partition("::")
        if flag in _NARROWS:
            picks.add(word.strip("\"'"))
        elif not flag or "/" in word or "." in word:
            places.add(_place(place))
            picks |= {picked} if picked else set()
    named = {place for place in places if not place.isdigit()}
    return Scope(frozenset() if "" in named else frozenset(named), frozenset(picks))


def _place(word: str) -> str:
    """Where it lies; nothing where it is everything."""
    word = word.partition("*")[0].removesuffix("...").removeprefix("./").rstrip("/")
    return "" if word == "." else word


def covers(wider: Scope, narrower: Scope) -> bool:
    """Unless both name what they are about, and the one leaves out what the other names."""
    return _holds(wider.places, narrower.places) and (
        not wider.picks or not narrower.picks or narrower.picks <= wider.picks
    )


def _holds(places: frozenset[str], named: frozenset[str]) -> bool:
    return (
        not places
        or not named
        or named <= places
        or all(any(_lies_in(each, place) for place in places) for each in named)
    )


def _lies_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder + "/")


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
    if _INTERPRETERS.match(program) and len(words) > 1 and _SCRIPT.match(words[1]):
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
