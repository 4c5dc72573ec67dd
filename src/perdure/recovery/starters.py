"""Programs that only start another program: what a command is about is the program that they start.

without_starters(["timeout", "60", "uv", "run", "pytest"], WRAPPERS + LAUNCHERS) == ["pytest"]
"""

from __future__ import annotations

import re

from perdure.model.value import value

_SETS_A_VARIABLE = re.compile(r"\A[A-Za-z_]\w*=")
_VERSIONED = re.compile(r"\A(python|pip)[\d.]+\Z")
SHELLS = frozenset("sh bash zsh dash ksh".split())


@value
class Starter:
    """A program, with its sub-command, that starts another one."""

    words: tuple[str, ...]
    valued: frozenset[str] = frozenset()
    """Its options that take the next word."""
    operands: int = 0
    """Words of its own before the program."""
    optional: int = 0
    """Words of its own that may stand before `--`, behind which the program stands."""


def _starters(*several: str, valued: str = "", operands: int = 0, optional: int = 0) -> tuple[Starter, ...]:
    options = frozenset(valued.split())
    return tuple(Starter(tuple(each.split()), options, operands, optional) for each in several)


WRAPPERS = (
    *_starters("time", "command", "exec", "nohup", "setsid", "stdbuf", "caffeinate"),
    *_starters("sudo", valued="-u -g -h -p -C -D"),
    *_starters("env", valued="-u -C --unset --chdir"),
    *_starters("nice", valued="-n"),
    *_starters("timeout", valued="-k -s --kill-after --signal", operands=1),
)
"""They change how a program runs, and nothing of what it does: a brief leaves them out."""

_CONTAINER = "-e --env -w --workdir -u --user -v --volume --name --network -p --publish --env-file --platform"
LAUNCHERS = (
    *_starters("npx", "bunx", "pnpm exec", "pnpm dlx", "yarn dlx", "yarn exec", valued="-p --package"),
    *_starters("uvx", "uv run", valued="--from --with --extra --group --python -p --project --directory --env-file"),
    *_starters("poetry run", "pipenv run", "rye run", "hatch run", "pdm run", "bundle exec", "python -m"),
    *_starters("mise exec", "mise x", optional=1),
    *_starters("direnv exec", operands=1),
    *_starters("docker exec", "docker run", "podman exec", "podman run", valued=_CONTAINER, operands=1),
    *_starters("docker compose exec", "docker compose run", "podman compose exec", "docker-compose exec",
               "docker-compose run", "podman compose run", valued=_CONTAINER, operands=1),
    *_starters("kubectl exec", valued="-c --container -n --namespace", optional=1),
)  # fmt: skip
"""They find a program, in an environment or in a container."""


def without_starters(words: list[str], starters: tuple[Starter, ...]) -> list[str]:
    """The words from the program on that is started in the end."""
    while words:
        starter = next((each for each in starters if _names(words[: len(each.words)]) == each.words), None)
        rest = _behind(starter, words[len(starter.words) :]) if starter else []
        if not rest:
            return words
        words = rest
    return words


def _names(words: list[str]) -> tuple[str, ...]:
    program = words[0].rsplit("/", 1)[-1]
    versioned = _VERSIONED.match(program)
    return (versioned[1] if versioned else program, *words[1:])


def _behind(starter: Starter, words: list[str]) -> list[str]:
    """What stands behind its options and its own words; nothing where no program does."""
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
