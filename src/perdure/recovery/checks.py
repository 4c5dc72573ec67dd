"""Which checks a command makes, on what, and what settles one that failed: something of its kind that succeeds
(SPEC 12.2).

Of its kind is the same program on the same or on more; a project's own task for the same purpose, `make test` after
`pytest tests/a.py`; and for a build that failed whatever must build first.
"""

from __future__ import annotations

import re

from perdure.model.value import value
from perdure.recovery import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

CONFLICT = "git conflict"
"""What is left of a merge that could not be made; git commits nothing while there is one."""
_ENDS_CONFLICTS = frozenset(f"git {verb}" for verb in "commit merge rebase cherry-pick revert reset pull am".split())
_NARROWS = frozenset("-k -run --run --grep -g --tests --test --testNamePattern --test-name-pattern --filter".split())
"""Flags whose value picks some of the tests."""
_ONLY_TELLS = frozenset("--collect-only --co --help --version --list --listTests --list-tests --dry-run".split())
_SET = re.compile(r"\A\w+=")
_TASKS = frozenset("make just task mise npm pnpm yarn bun rake composer invoke poe nox tox".split())
"""Programs that run what a project has named."""
_COMPILE = frozenset("go cargo swift dotnet gradle gradlew mvn mvnw zig bazel".split())
"""Programs that build before they test."""
_PURPOSES = {
    "test": re.compile(r"\b(?:tests?|pytest|unittest|jest|vitest|mocha|tox|nox|rspec|phpunit|pest|ctest|spec)\b"),
    "lint": re.compile(
        r"\b(?:lint|ruff|eslint|flake8|clippy|golangci-lint|shellcheck|swiftlint|biome|hadolint|phpstan)\b"
    ),
    "types": re.compile(r"\b(?:mypy|pyright|tsc|types?|type-?check)\b"),
    "build": re.compile(r"\b(?:build|compile|cmake|ninja|gcc|g\+\+|clang|javac|rustc|xcodebuild)\b|^cargo check$"),
}
"""By a kind's name. Tests of the whole from outside, as in a browser, are no part of what `test` commonly runs."""
_EVERYTHING = re.compile(r"^(?:make|just|task|mise|pnpm|yarn|bun|rake|nox|tox|npm (?!ci$))\b.*\b(?:check|ci|verify)\b")
"""Tasks that make every check."""
_PART = re.compile(r"[:_-](?!(?:ci|all|full)\b)\w")
"""Behind a task's name: a part of it, `test:unit`."""
_OR = re.compile(r"(?<!\s)\s++or\s++|\|")


@value
class Scope:
    """What a check was run on. None named is everything."""

    places: frozenset[str] = frozenset()
    """Files, folders, packages."""
    picks: frozenset[str] = frozenset()
    """Tests among those."""


def needed_by(command: str) -> dict[str, Scope]:
    """What must go well, each of them and on what, before a failure of the whole is settled."""
    return _scopes(_at_fault(command))


def made_by(command: str) -> dict[str, Scope]:
    """Everything that went well where the whole did. What only tells of a check does not make it."""
    done = [*_at_fault(command), *(part for part in commands.parts(command) if not commands.looks(part))]
    made = _scopes([part for part in done if _ONLY_TELLS.isdisjoint(part.split())])
    return made if _ENDS_CONFLICTS.isdisjoint(made) else {**made, CONFLICT: Scope()}


def left_of(needs: Mapping[str, Scope], made: Mapping[str, Scope]) -> dict[str, Scope]:
    """What still must go well."""
    return {kind: scope for kind, scope in needs.items() if not _is_settled(kind, scope, made)}


def passed(tests: Collection[str], made: Mapping[str, Scope]) -> bool:
    """Whether each of these tests, by their names, was picked and went well: `go test -run TestA` after `make test`."""
    picks = {pick for kind, scope in made.items() if _is_for(kind, "test") for pick in scope.picks}
    return bool(tests) and bool(picks) and all(any(_picks(pick, test) for pick in picks) for test in tests)


def _is_settled(kind: str, scope: Scope, made: Mapping[str, Scope]) -> bool:
    return any(covers(wide, scope) for other, wide in made.items() if other == kind or _stands_for(other, kind))


def _stands_for(made: str, failed: str) -> bool:
    """Whether that one kind went well says so of another."""
    by, of = made.partition(" ")[0], failed.partition(" ")[0]
    if of in _TASKS:
        return False
    if by in _TASKS:
        purposes = [purpose for purpose in _PURPOSES if _is_for(failed, purpose)]
        return any(_is_whole(made, purpose) or (purpose == "build" and _is_whole(made, "test")) for purpose in purposes)
    return by == of and of in _COMPILE and _is_for(failed, "build") and _builds(made)


def _is_whole(task: str, purpose: str) -> bool:
    return bool(_EVERYTHING.search(task)) or (_is_for(task, purpose) and not _PART.search(task))


def _builds(kind: str) -> bool:
    return _is_for(kind, "test") or kind in ("go vet", "cargo clippy", "cargo run", "go run", "go install")


def _is_for(kind: str, purpose: str) -> bool:
    return bool(_PURPOSES[purpose].search(kind))


def _at_fault(command: str) -> list[str]:
    telling = commands.telling(command)
    return telling if commands.is_check(command) else telling[-1:]


def _scopes(single: list[str]) -> dict[str, Scope]:
    found: dict[str, Scope] = {}
    for part in dict.fromkeys(single):
        kind, scope = commands.kind(part), _scope(part)
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
    if not commands.makes_a_check(part):
        return Scope()
    kind = commands.kind(part).split()
    places, picks = set(), set()
    before = ""
    for word in commands.words(part)[1:]:
        if word[0] in "<>" or word[:2] in ("2>", "&>"):
            break
        flag, before = before, word if word[0] in "-+" and word != "--" else ""
        if before or word == "--" or word in kind[1:] or commands.only_runs(word) or _SET.match(word):
            continue
        place, _, picked = word.strip("\"'").partition("::")
        if flag in _NARROWS:
            picks.add(word.strip("\"'"))
        elif not flag or "/" in word or "." in word:
            places.add(_place(place))
            picks |= {picked} if picked else set()
    named = {place for place in places if not place.isdigit()}
    return Scope(frozenset() if "" in named else frozenset(named), frozenset(pick for pick in picks if pick))


def _place(word: str) -> str:
    """Where it lies; nothing where it is everything."""
    word = word.partition("*")[0].removesuffix("...").removeprefix("./").rstrip("/")
    return "" if word == "." else word


def covers(wider: Scope, narrower: Scope) -> bool:
    """Unless both name what they are about, and the one leaves out what the other names."""
    return _holds(wider.places, narrower.places) and (
        not wider.picks
        or not narrower.picks
        or all(any(_picks(pick, each) for pick in wider.picks) for each in narrower.picks)
    )


def _picks(pick: str, tests: str) -> bool:
    """Whether a pattern picks all that another does, as far as plain words tell: `TestCart` picks `TestCart_Empty`."""
    some = [word.strip("^$() ") for word in _OR.split(pick)]
    return all(any(word in each for word in some if word) for each in _OR.split(tests))


def _holds(places: frozenset[str], named: frozenset[str]) -> bool:
    return (
        not places
        or not named
        or named <= places
        or all(any(_lies_in(each, place) for place in places) for each in named)
    )


def _lies_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder + "/")
