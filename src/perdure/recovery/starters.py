"""Programs that only start another program, such as `timeout` and `uv run`. What counts is the program they start.

without_starters(["timeout", "60", "uv", "run", "pytest"]) == ["pytest"]
"""

from __future__ import annotations

import re

from perdure.model.value import value

_SETS_A_VARIABLE = re.compile(r"\A[A-Za-z_]\w*=")
_VERSIONED = re.compile(r"\A(python|pip)[\d.]+\Z")
_ALSO_CALLED = {"bazelisk": "bazel", "mvnd": "mvn", "gmake": "make"}
"""Another program of the same arguments, which starts the one named here or does the same."""
_PYTHON = re.compile(r"\Apython[\d.]*\Z")
_OF_PYTHON = re.compile(r"\A-(?:[bBdOqsSuv]+|[WX].*)\Z")
"""Options of Python that change how a module runs, not which."""
_ASKS_WHERE = re.compile(r"-p?[vV]p?")
"""`command -v pytest` says where pytest is, and does not run it."""
_RUN_TASKS = frozenset((("hatch", "run"), ("pdm", "run"), ("rye", "run"), ("pixi", "run"), ("devbox", "run")))
"""They start a task of the project if it has one of that name, else a program."""
_NAMES_OF_TASKS = frozenset("test tests check checks lint ci build types typecheck cov".split())
SHELLS = frozenset("sh bash zsh dash ksh".split())


@value
class Starter:
    """A program, with its sub-command, that starts another one."""

    words: tuple[str, ...]
    is_wrapper: bool
    """A wrapper changes how a program runs, not what it does, so a brief leaves it out. The other starters are
    launchers: they find the program, in an environment or in a container."""
    valued: frozenset[str] = frozenset()
    """Its options that take the next word as their value."""
    operands: int = 0
    """How many words of its own come before the program."""
    optional: int = 0
    """How many words of its own may come before `--`, if the program follows that."""


def _wrappers(*several: str, valued: str = "", operands: int = 0) -> list[Starter]:
    return [
        Starter(words=tuple(each.split()), is_wrapper=True, valued=frozenset(valued.split()), operands=operands)
        for each in several
    ]


def _launchers(*several: str, valued: str = "", operands: int = 0, optional: int = 0) -> list[Starter]:
    return [
        Starter(
            words=tuple(each.split()),
            is_wrapper=False,
            valued=frozenset(valued.split()),
            operands=operands,
            optional=optional,
        )
        for each in several
    ]


_CONTAINER = "-e --env -w --workdir -u --user -v --volume --name --network -p --publish --env-file --platform"
_STARTERS = [
    *_wrappers("time", "command", "exec", "nohup", "setsid", "stdbuf", "caffeinate", "unbuffer", "chronic"),
    *_wrappers("xvfb-run", valued="-n --server-num -s --server-args -e --error-file -f --auth-file -w --wait"),
    *_wrappers("sudo", valued="-u -g -h -p -C -D"),
    *_wrappers("env", valued="-u -C --unset --chdir"),
    *_wrappers("nice", valued="-n"),
    *_wrappers("timeout", valued="-k -s --kill-after --signal", operands=1),
    *_launchers("npx", "bunx", "pnpm exec", "pnpm dlx", "yarn dlx", "yarn exec", valued="-p --package"),
    *_launchers("uvx", "uv run", valued="--from --with --extra --group --python -p --project --directory --env-file"),
    *_launchers("poetry run", "pipenv run", "rye run", "hatch run", "pdm run", "bundle exec", "python -m"),
    *_launchers("nyc", "c8", "pixi run", "devbox run", "nix develop"),
    *_launchers("conda run", "micromamba run", "mamba run", valued="-n --name -p --prefix --cwd"),
    *_launchers("fvm"),
    *_launchers("coverage run", valued="--source --omit --include --rcfile --data-file --context --concurrency"),
    *_launchers("cross-env", "cross-env-shell", "dotenv run", "doppler run", "op run", "infisical run"),
    *_launchers("mise exec", "mise x", optional=1),
    *_launchers("direnv exec", operands=1),
    *_launchers("docker exec", "docker run", "podman exec", "podman run", valued=_CONTAINER, operands=1),
    *_launchers("docker compose exec", "docker compose run", valued=_CONTAINER, operands=1),
    *_launchers("podman compose exec", "podman compose run", valued=_CONTAINER, operands=1),
    *_launchers("docker-compose exec", "docker-compose run", valued=_CONTAINER, operands=1),
    *_launchers("kubectl exec", valued="-c --container -n --namespace", optional=1),
]
_BY_PROGRAM = {
    name: tuple(each for each in _STARTERS if each.words[0] == name) for name in {each.words[0] for each in _STARTERS}
}


def without_wrappers(words: list[str]) -> list[str]:
    """`timeout 60 uv run pytest` → `uv run pytest`."""
    return _without(words, only_wrappers=True)


def without_starters(words: list[str]) -> list[str]:
    """`timeout 60 uv run pytest` → `pytest`."""
    started = _without(words, only_wrappers=False)
    return [_ALSO_CALLED.get(started[0], started[0]), *started[1:]] if started else started


def _without(words: list[str], only_wrappers: bool) -> list[str]:
    while words:
        words = words if only_wrappers else _without_options_of_python(words)
        starter = _starter_of(words)
        if starter is None or (only_wrappers and not starter.is_wrapper):
            return words
        rest = _behind(starter, words[len(starter.words) :])
        if not rest:
            return words
        if starter.words in _RUN_TASKS and rest[0].partition(":")[0] in _NAMES_OF_TASKS:
            return [starter.words[0], *rest]
        words = rest
    return words


def _without_options_of_python(words: list[str]) -> list[str]:
    """`python -W error -m pytest` → `python -m pytest`. Other options change what runs, so they stay."""
    if not _PYTHON.match(program_name(words[0])) or "-m" not in words:
        return words
    options = words[1 : words.index("-m")]
    options_are_harmless = all(
        _OF_PYTHON.match(word) or before in ("-W", "-X") for before, word in zip(["", *options], options, strict=False)
    )
    return [words[0], *words[words.index("-m") :]] if options_are_harmless else words


def _starter_of(words: list[str]) -> Starter | None:
    program = program_name(words[0])
    if program == "command" and any(map(_ASKS_WHERE.fullmatch, words[1:2])):
        return None
    versioned = _VERSIONED.match(program)
    several = _BY_PROGRAM.get(versioned[1] if versioned else program, ())
    return next((each for each in several if tuple(words[1 : len(each.words)]) == each.words[1:]), None)


def program_name(word: str) -> str:
    """The program's name without its folder."""
    return word.replace("\\", "/").rsplit("/", 1)[-1]


def _behind(starter: Starter, words: list[str]) -> list[str]:
    """The words behind its options and its own words; empty if no program follows."""
    if starter.optional and "--" in words[: 8 + starter.optional]:
        return words[words.index("--") + 1 :]
    own = starter.operands + starter.optional
    place = 0
    while place < len(words):
        word = words[place]
        if word == "--":
            return words[place + 1 :]
        if word[:1] == "-":
            place += 2 if word in starter.valued else 1
        elif _SETS_A_VARIABLE.match(word):
            place += 1
        elif own:
            own -= 1
            place += 1
        else:
            return words[place:]
    return []
