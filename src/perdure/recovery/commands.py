"""Shell commands as an agent repeats them: how one is given back, which kinds of command it runs, what it does.

plain("cd /work && FOO=1 pytest -q a.py 2>&1 | tail -5") == "FOO=1 pytest -q a.py"
kind("FOO=1 uv run pytest -q tests/a.py") == "pytest"
"""

from __future__ import annotations

import re
from functools import lru_cache

_FOLDER = r"""(?:"[^"]*"|'[^']*'|\S+)"""
_ELSEWHERE = re.compile(rf"^(?:cd\s+(?=[\"']?[/~$]|[\"']?[A-Za-z]:){_FOLDER}\s*(?:&&|;|\n)\s*)+")
"""The folder of the work, which every command of a session begins with; a folder within it is part of the command."""
_BEFORE = re.compile(
    rf"""^(?: cd\s+{_FOLDER}\s*(?:&&|;|\n|$)\s* | [({{!]\s* | (?:do|then|else|if|while|until)\s+
       | export\s+\S+\s*(?:&&|;|\n)\s* | set\s+-\S+\s*(?:;|&&|\n)\s*
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
           | (?:docker|podman)\s+(?:compose\s+)?(?:exec|run)(?:\s+-[\w-]+)*\s+[\w.-]+
           | kubectl\s+exec\s+[\w./-]+(?:\s+-\S+)*\s+--
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
    gradlew mvn mvnw swift xcodebuild flutter dart mix rails rake composer php zig nix pip uv poetry perdure ruff
    alembic aws gcloud az brew apt apt-get dnf yum pacman apk systemctl service heroku vercel netlify firebase
    supabase prisma conda rustup asdf fly flyctl wrangler sam serverless pulumi pre-commit""".split()
)
_TWO_VERBS = frozenset("gh aws gcloud az".split())
_VERB = re.compile(r"\A[a-z][\w:-]{1,30}\Z")
_OWN = re.compile(r"\A(?:\./|\.\./|bin/|scripts?/)|\.(?:sh|py|js|ts|rb|pl|php)\Z")
"""A script of the project, which may do several things."""
_SHELL = re.compile(r"""\A(?:ba|z|da)?sh\s+-l?e?c\s+(["'])(.*)\1\Z""", re.S)
_REMOTE = re.compile(r"""\Assh\s+(?:-\S+\s+)*[\w.@-]+\s+["']?(.*)""", re.S)
_LINES = re.compile(r""""[^"\\]*+(?:\\.[^"\\]*+)*"|'[^']*+'|\\.|\n\s*+""", re.S)
"""Ends of lines that end a command; and what they may stand in."""
_GOES_ON = re.compile(r"(?:[&|;({]|\b(?:do|then|else))[ \t]*\Z")
_HIDES = re.compile(
    r"""\n | (?<![&>|])&\s*\Z | \bif\s | \|\| | ;\s*+\S
        | \|\s*+(?:tail|head|grep|rg|less|cat|tee|sed|wc|sort|awk)\b""",
    re.X,
)
_INTO_A_FILE = re.compile(r"(?<![0-9&-])>{1,2}\s*+(?!&)\S|&>|(?<![&>|])&\s*\Z")
_OR_ELSE = re.compile(r"\|\|[^&;|\n]*+")
_SAYS_INSTEAD = re.compile(r"""\|\|\s*+echo\s++["']?([^"'|;&\n]{2,60})""")
_SEARCH_TEXTS = frozenset("grep egrep fgrep zgrep rg ag ack".split())
_SEARCH_NAMES = frozenset("find fd fdfind locate".split())
_SEARCHED = re.compile(r"\|\s*+(?:grep|rg|egrep)\b[^|]*+\Z")
_GOES = re.compile(r"""\Acd\s++("[^"]*+"|'[^']*+'|\S++)\Z""")
_RUNS = frozenset("run compose task exec x workspace".split())
_INTERPRETERS = re.compile(r"^(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|php|deno|tsx|ts-node)$")
_CHECKS = re.compile(
    r"""\b(?: tests? | pytest | unittest | jest | vitest | mocha | playwright | cypress | tox | nox
        | check | lint | ruff | mypy | pyright
        | eslint | tsc | build | compile | make | cargo | go[ ](?:test|build|vet) | gradlew? | mvnw? | dotnet | rspec
        | rake | phpunit | phpstan | pest | ctest | cmake | ninja | bazel | type-?check | flake8 | clippy
        | prettier | biome
        | golangci-lint | shellcheck | xcodebuild | swiftlint | gcc | g\+\+ | clang | javac | rustc | hadolint )\b""",
    re.X,
)
_LOOKS = re.compile(
    r"""^(?: ls | cat | head | tail | grep | rg | find | fd | sed[ ]-n | wc | pwd | echo | which | tree | stat
        | file | awk
        | for | do | done | then | fi | esac
        | less | sort | uniq | diff(?!-) | jq | cut | test | printf | type | command | sleep | true | cd | date | env
        | git[ ](?:status|diff(?![\w-])|log|show|branch|blame|ls-files|remote|rev-parse|fetch|stash[ ](?:list|show))
        | git[ ]rebase[ ]--(?:show|edit)
        | gh[ ]\w+[ ](?:view|list|diff|status|checks) )\b""",
    re.X,
)
_REPORT = re.compile(r";\s*+\S|(?:&&|;)\s*+echo\b")
_SCRIPT = re.compile(r"\A[\w./-]+\.\w+\Z")
_WORD = re.compile(r"""(?:"[^"]*+"|'[^']*+'|[^\s"']++|["'])+""")
_REFUSED = re.compile(r"(?m)^perdure: ")
_RAN = re.compile(r"\AExit code \d+\n?")
"""What a client begins the output of a command that failed with."""
_WIDEST, _BEGINNING = 200, 60
_LONGEST = 4000
_LONGEST_WITH_DOCUMENTS = 100_000
"""Characters of a command that are looked at."""


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
    return _uncut(" ".join(_in_one_line(_inner(command)).split()))


def _in_one_line(text: str) -> str:
    """Lines that are commands of their own stay apart."""
    text = "\n".join(line.rstrip() for line in text.split("\n"))

    def joined(found: re.Match[str]) -> str:
        if found[0][0] != "\n":
            return " " if found[0] == "\\\n" else found[0]
        return " " if _GOES_ON.search(text[max(0, found.start() - 20) : found.start()]) else "; "

    return _LINES.sub(joined, text)


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
    """What of it could be run again as it stands: the whole, or its checks where it is a report of several things, or
    runs perdure among others.

    Nothing of one that carries a document, a script or a message: it was made for its moment."""
    if "<<" in command or "$(cat" in command:
        return []
    text, shown = _inner(command), plain(command)
    whole = not any(_runs_perdure(part) for part in parts(command))
    if (
        whole
        and "\n" not in text
        and len(bare(command)) <= _LONGEST
        and len(shown) <= _WIDEST
        and not _REPORT.search(text)
    ):
        return [shown]
    return [part for part in parts(command) if makes_a_check(part) and len(part) <= _WIDEST and "\n" not in part]


@lru_cache(maxsize=512)
def parts(command: str) -> tuple[str, ...]:
    """Its single commands, in their order, without folders and variables. What a shell is given to run counts."""
    found = (_BEFORE.sub("", part) for part in _single(command))
    single = [_uncut(" ".join(part.split())) for part in found if part.strip()]
    return tuple(each for part in single for each in _given_to_a_shell(part))


def _single(command: str) -> list[str]:
    text = bare(command)
    found = _PART.findall(text[:_LONGEST])
    return [part.strip() for part in (found[:-1] if len(text) > _LONGEST else found)]  # the last is not whole


def _given_to_a_shell(part: str) -> tuple[str, ...]:
    """What a shell within a shell is given is that shell's."""
    given = _SHELL.match(part)
    inner = [_uncut(" ".join(_BEFORE.sub("", each).split())) for each in _single(given[2])] if given else [part]
    return tuple(each for each in inner if each)


@lru_cache(maxsize=64)
def walked(command: str) -> tuple[tuple[tuple[str, ...] | None, str], ...]:
    """Its single commands, each with the folders that were gone to before it, one after another; None where nobody can
    tell which. What is run elsewhere is left out."""
    found: list[tuple[tuple[str, ...] | None, str]] = []
    here: tuple[str, ...] | None = ()
    outside: list[tuple[str, ...] | None] = []
    for part in _single(command):
        outside += [here] * (len(part) - len(part.lstrip("(")))
        goes = _GOES.match(part.strip("() "))
        if goes:
            folder = goes[1].strip("\"'")
            here = None if folder[:1] == "-" or "$" in folder or here is None else (*here, folder)
        elif not _REMOTE.match(part):
            closes = part.count(")") > part.count("(")
            found.append((here, _uncut(" ".join(_BEFORE.sub("", part.rstrip(") ") if closes else part).split()))))
        for _ in range(min(part.count(")") - part.count("("), len(outside))):
            here = outside.pop()
    return tuple(found)


def without_what_may_not_run(command: str) -> str:
    """What stands behind `||` is run where something went wrong."""
    return _OR_ELSE.sub("", bare(command))


def said_instead(command: str) -> str:
    """What it prints where something in it goes wrong."""
    found = _SAYS_INSTEAD.search(bare(command)[:_LONGEST])
    return found[1].strip() if found else ""


def hides_its_end(command: str) -> bool:
    """Whether its exit code is that of something else."""
    return bool(_HIDES.search(bare(command)[:_LONGEST]))


def tells_nothing(command: str) -> bool:
    """Whether neither its exit code nor its output is that of the check in it: it runs beside, or into a file."""
    return bool(_INTO_A_FILE.search(bare(command)[:_LONGEST])) and hides_its_end(command)


def searched_for(command: str) -> str:
    """What its output is searched for at its end: that it was not found is then all that its exit code tells."""
    found = _SEARCHED.search(bare(command)[:_LONGEST])
    return found[0] if found else ""


def told(command: str) -> str:
    """How a command that failed is named: as it is given back; where that is long, by how it begins and by what in it
    is about the failure."""
    whole, found = plain(command), telling(command)
    if not found or ("<<" not in command and len(whole) <= _WIDEST):
        return whole
    begins = _beginning(command)
    return found[-1] if found[-1].startswith(begins) else f"{begins} … {found[-1]}"


def _beginning(command: str) -> str:
    """Its first words."""
    text = " ".join(_ELSEWHERE.sub("", _REMARK.sub("", command[:_LONGEST]).strip()).split())
    return text if len(text) <= _BEGINNING else text[:_BEGINNING].rpartition(" ")[0] or text[:_BEGINNING]


def telling(command: str) -> list[str]:
    """Those of its single commands that it is about."""
    single = list(parts(command))
    return [part for part in single if makes_a_check(part)] or [part for part in single if not looks(part)] or single


@lru_cache(maxsize=512)
def kind(part: str) -> str:
    """Of a single command: the program, and the sub-command that says what for."""
    given = _THROUGH.sub("", _BEFORE.sub("", part))
    words = _FLAG.sub("", given).split()
    if not words:
        return part.split()[0] if part.split() else ""
    program = words[0].replace("\\", "/").rsplit("/", 1)[-1]
    if program in _VERBED:
        verbs = [word for word in words[1:] if word not in _RUNS][: 2 if program in _TWO_VERBS else 1]
        verbs = [*verbs[:1], *(word for word in verbs[1:] if _VERB.match(word))]
        return " ".join([program, *verbs])
    if program == "ssh":
        remote = _REMOTE.match(given)
        told = remote[1].strip("\"'").split()[:1] if remote else []
        return " ".join([program, *told])
    if _INTERPRETERS.match(program) and len(words) > 1 and _SCRIPT.match(words[1]):
        return _script(words[1], words[2:3])
    return _script(words[0], words[1:2]) if _OWN.search(words[0]) and not _CHECKS.search(program) else program


def _script(path: str, given: list[str]) -> str:
    return " ".join([path.rsplit("/", 1)[-1], *(word for word in given if _VERB.match(word))])


def makes_a_check(part: str) -> bool:
    """Whether a single command is a check. `perdure check` asks about the agent, and not about the work."""
    if _runs_perdure(part) or looks(part) or _tells_about_itself(part):
        return False
    return bool(_CHECKS.search(" ".join(_FLAG.sub("", part).split()[:4])))


def _tells_about_itself(part: str) -> bool:
    """`pytest --version` runs no test."""
    given = words(part)[1:]
    return not {"--version", "--help"}.isdisjoint(given) or (len(given) == 1 and given[0] in ("-h", "-V", "-v"))


def found_nothing(command: str, error: str | None) -> bool:
    """Whether it ended with a search that ran to its end and had no hit, where it printed nothing: `error` is what the
    client says of a failure. A search of texts then ends with exit code 1; of another program that is an error."""
    program, verb, *_ = *words(parts(command)[-1] if parts(command) else ""), "", ""
    searches_texts = program in _SEARCH_TEXTS or (program, verb) == ("git", "grep")
    if error is None:
        return searches_texts or program in _SEARCH_NAMES
    return searches_texts and error.strip() == "Exit code 1"


@lru_cache(maxsize=512)
def _runs_perdure(part: str) -> bool:
    program = next(iter(words(part)), "")
    return program.strip("\"'").replace("\\", "/").rsplit("/", 1)[-1] == "perdure"


def is_perdure(command: str) -> bool:
    """Whether it only runs perdure, with what tells it something or shows what it said. That is no part of the work."""
    single = parts(command)
    return any(map(_runs_perdure, single)) and all(_runs_perdure(part) or looks(part) for part in single)


def was_refused_by_perdure(command: str, output: str) -> bool:
    """Whether it runs perdure among others, and ended because perdure said no. Where a check was run before that, the
    check's outcome counts."""
    if not any(map(_runs_perdure, parts(command))):
        return False
    found = _REFUSED.search(output)
    return found is not None and (not is_check(command) or not _RAN.sub("", output[: found.start()]).strip())


def looks(part: str) -> bool:
    """Whether a single command does nothing but look."""
    return bool(_LOOKS.match(part))


def words(part: str) -> list[str]:
    """Of a single command, from the program's name on."""
    return _WORD.findall(_THROUGH.sub("", _BEFORE.sub("", part)))


def only_runs(word: str) -> bool:
    """`run` and its like say nothing of what is run."""
    return word in _RUNS


def sees(part: str) -> bool:
    """Whether a single command reads the files that it names."""
    return looks(part) or makes_a_check(part)


def is_check(command: str) -> bool:
    return any(makes_a_check(part) for part in parts(command))


def only_looks(command: str) -> bool:
    return all(looks(part) for part in parts(command))
