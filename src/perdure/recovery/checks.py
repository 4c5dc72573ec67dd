"""Which checks a command makes, on what, and what settles one that failed: something of its kind that succeeds
(SPEC 12.2).

Of its kind is the same program on the same or on more; a project's own task for the same purpose, `make test` after
`pytest tests/a.py`; and for a build that failed whatever must build first.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.model.value import replace, value
from perdure.recovery import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perdure.recovery.simple_commands import SimpleCommand

CONFLICT = "git conflict"
"""What is left of a merge that could not be made; git commits nothing while there is one."""
_ENDS_CONFLICTS = frozenset(
    f"git {verb}" for verb in "commit merge rebase cherry-pick revert reset pull am stash".split()
)
_NARROWS = frozenset(
    """-k -run --run --grep -g --tests --test --testNamePattern --test-name-pattern --filter
    --spec -Dtest""".split()
)
"""Flags whose value picks some of the tests."""
_LEAVES_OUT = frozenset("--ignore --deselect --exclude -skip --skip --testPathIgnorePatterns".split())
"""Flags whose value leaves some out."""
_NARROWS_OF = {"tox": "-e", "nox": "-s", "pytest": "-m", "jest": "-t", "vitest": "-t"}
_MODES = frozenset("-race --race -tags --tags --features --all-features --release --target".split())
_LIES_IN = frozenset(
    "-C -p -w --workspace --package --prefix --dir --cwd --project --manifest-path -chdir -f --file".split()
)
"""Flags whose value says where."""
_ONLY_TELLS = frozenset(
    """--collect-only --co --help --version --list --listTests --list-tests --dry-run --no-run --fixtures --markers
    -list --check -DskipTests --dry""".split()
)
_ONLY_TELLS_OF = {"make": "-n", "just": "-n"}
_FORMATS = re.compile(r"\b(?:fmt|format|prettier|black|isort|biome|ruff|cargo|gofmt)\b")
"""Of these `--check` is the check."""
_INSTALLS = re.compile(r" (?:install|add|i)\Z")
_FEW = 5
"""Tests that are run one by one; of more some may not have been told."""
_OTHERWISE = frozenset("--config --cov --cov-config --junitxml --junit-xml -o --output --reporter --rootdir".split())
"""Flags whose value says how, and not what."""
_SET = re.compile(r"\A\w+=")
_TASKS = frozenset("make just task mise npm pnpm yarn bun rake composer invoke poe nox tox".split())
"""Programs that run what a project has named."""
_SCRIPT_TOOLS = frozenset(
    "jest vitest mocha eslint tsc biome prettier cypress node ts-node tsx vite webpack next".split()
)
_PYTHON_TOOLS = frozenset("pytest unittest ruff mypy pyright flake8 black isort python python3".split())
_OF_ONE_LANGUAGE = {
    **dict.fromkeys("npm pnpm yarn bun".split(), _SCRIPT_TOOLS),
    **dict.fromkeys("tox nox".split(), _PYTHON_TOOLS),
    "rake": frozenset("rspec rubocop ruby".split()),
    "composer": frozenset("phpunit phpstan pest php".split()),
}
"""What the tasks of some programs are about."""
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
_EVERYTHING = re.compile(
    r"^(?:(?:make|just|task|mise|pnpm|yarn|bun|rake|nox|tox) (?:check|ci|verify)|npm (?:check|verify))(?!\w)"
)
"""Tasks that make every check."""
_PART = re.compile(r"[:_-](?!(?:ci|all|full)\b)\w")
"""Behind a task's name: a part of it, `test:unit`."""
_OR = re.compile(r"(?<!\s)\s++or\s++|\|")


@value
class CheckScope:
    """What a check was run on. None named is everything."""

    places: frozenset[str] = frozenset()
    """Files, folders, packages."""
    picks: frozenset[str] = frozenset()
    """Tests among those."""
    folder: str = ""
    """Where it was run, where that is known."""
    modes: frozenset[str] = frozenset()
    """What was asked for beyond the usual: `-race`."""


@value
class Test:
    """One that failed: the file or the package that it is in, and its name, as far as they were told."""

    place: str
    name: str


UNKNOWN = Test("?", "?")
"""Some that failed were not told."""


def needed_by(command: str, tests: Sequence[Test] = (), folder: str = "") -> dict[str, CheckScope]:
    """What must go well, each of them and on what, before a failure of the whole is settled."""
    needs = _scopes(_at_fault(command), folder)
    testing = {kind: scope for kind, scope in needs.items() if _is_for(kind, "test")}
    return testing if tests and testing else needs


def made_by(command: str, folder: str = "") -> dict[str, CheckScope]:
    """Everything that went well where the whole did. What only tells of a check does not make it, what stands behind
    `||` may not have been run, and what was tried without the changes says nothing of them."""
    simple: list[SimpleCommand] = []
    aside = False
    for each in commands.simple_commands(command):
        aside = (aside or puts_changes_aside(each)) and not takes_changes_back(each)
        simple += [] if aside or each.after_failure or _only_tells(each) else [each]
    made = _scopes(simple, folder)
    ends = [made[kind] for each in simple if (kind := commands.kind(each)) in _ENDS_CONFLICTS and _ends_one(each)]
    return {**made, CONFLICT: ends[0]} if ends else made


def _ends_one(simple: SimpleCommand) -> bool:
    """Of git: unless it only looks, changes only its plan, or leaves all but some files alone."""
    return not {"--", "--edit-todo"} & {*simple.words} and not commands.only_looks(simple.text)


def puts_changes_aside(simple: SimpleCommand) -> bool:
    """Whether it takes the changes out of the work tree for a while."""
    given = _given_to_stash(simple)
    return given is not None and (not given or given[0] in ("push", "save") or given[0][:1] == "-")


def takes_changes_back(simple: SimpleCommand) -> bool:
    given = _given_to_stash(simple)
    return given is not None and given[:1] in (("pop",), ("apply",))


def _given_to_stash(simple: SimpleCommand) -> tuple[str, ...] | None:
    if commands.kind(simple) != "git stash":
        return None
    return simple.words[simple.words.index("stash") + 1 :]


def _only_tells(simple: SimpleCommand) -> bool:
    words = {*simple.words}
    told = words & _ONLY_TELLS
    if told == {"--check"} and _FORMATS.search(simple.text):
        return False
    return bool(told) or _ONLY_TELLS_OF.get(commands.kind(simple).partition(" ")[0], " ") in words


def left_of(
    needs: Mapping[str, CheckScope], made: Mapping[str, CheckScope], tests: Sequence[Test] = ()
) -> dict[str, CheckScope]:
    """What still must go well."""
    return {kind: scope for kind, scope in needs.items() if not _is_settled(kind, scope, made, tests=tests)}


def passed(tests: Sequence[Test], made: Mapping[str, CheckScope]) -> bool:
    """Whether each of these tests was picked and went well: `go test -run TestA` after `make test`."""
    picked = [scope for kind, scope in made.items() if _is_for(kind, "test") and (scope.picks or scope.places)]
    return 0 < len(tests) <= _FEW and all(
        any(_reaches(scope, test) for scope in picked if (test.name if scope.picks else test.place)) for test in tests
    )


def _is_settled(kind: str, scope: CheckScope, made: Mapping[str, CheckScope], *, tests: Sequence[Test]) -> bool:
    same = [made[kind]] if kind in made and scope.modes <= made[kind].modes else []
    several = [*same, *(wide for other, wide in made.items() if _stands_for(other, kind))]
    return any(covers(wide, scope) and _is_enough(wide, scope, tests) for wide in several)


def _is_enough(wide: CheckScope, scope: CheckScope, tests: Sequence[Test]) -> bool:
    """A part that went well is enough where it is the part that had failed, or nobody knows which that was."""
    narrower = (wide.places and not scope.places) or (wide.picks and not scope.picks)
    return not narrower or all(_reaches(wide, test) for test in tests)


def _reaches(scope: CheckScope, test: Test) -> bool:
    """Whether a check of this scope runs the test. What is not told of a test speaks for it."""
    return test is not UNKNOWN and _is_placed(scope, test) and not _is_left_out(scope, test) and _is_picked(scope, test)


def _is_placed(scope: CheckScope, test: Test) -> bool:
    return not scope.places or not test.place or any(_is_in(test.place, place) for place in scope.places)


def _is_left_out(scope: CheckScope, test: Test) -> bool:
    left_out = [pick[1:] for pick in scope.picks if pick[0] == "!"]
    return any(each in test.place or each in test.name for each in left_out)


def _is_picked(scope: CheckScope, test: Test) -> bool:
    picks = [pick for pick in scope.picks if pick[0] != "!"]
    return not picks or not test.name or any(_picks(pick, test.name) for pick in picks)


def _is_in(place: str, folder: str) -> bool:
    """A package is told with its module's name before it."""
    return _lies_in(place, folder) or f"/{place}/".find(f"/{folder}/") > 0


def _stands_for(made: str, failed: str) -> bool:
    """Whether that one kind went well says so of another."""
    by, of = made.partition(" ")[0], failed.partition(" ")[0]
    if of in _TASKS:
        return False
    if by in _TASKS:
        return of in _OF_ONE_LANGUAGE.get(by, (of,)) and _is_task_for(made, failed)
    return by == of and of in _COMPILE and _is_for(failed, "build") and _builds(made)


def _is_task_for(task: str, failed: str) -> bool:
    """Whether a task of the project serves what the other kind is for; whatever tests must build first."""
    purposes = [purpose for purpose in _PURPOSES if _is_for(failed, purpose)]
    purposes += ["test"] if "build" in purposes else []
    return any(_is_whole(task, purpose) for purpose in purposes)


def _is_whole(task: str, purpose: str) -> bool:
    return bool(_EVERYTHING.search(task)) or (_is_for(task, purpose) and not _PART.search(task))


def _builds(kind: str) -> bool:
    return _is_for(kind, "test") or kind in (
        "go vet",
        "go run",
        "go install",
        "cargo check",
        "cargo clippy",
        "cargo run",
    )


def _is_for(kind: str, purpose: str) -> bool:
    return bool(_PURPOSES[purpose].search(kind))


def _at_fault(command: str) -> list[SimpleCommand]:
    found = commands.main_commands(command)
    return found if commands.is_check(command) else found[-1:]


def _scopes(simple: list[SimpleCommand], folder: str) -> dict[str, CheckScope]:
    found: dict[str, CheckScope] = {}
    for each in dict.fromkeys(simple):
        kind, scope = commands.kind(each), replace(_scope(each), folder=folder)
        found[kind] = _both(found[kind], scope) if kind in found else scope
    return found


def _both(one: CheckScope, other: CheckScope) -> CheckScope:
    """What is about everything stays so."""
    return CheckScope(
        places=one.places | other.places if one.places and other.places else frozenset(),
        picks=one.picks | other.picks if one.picks and other.picks else frozenset(),
        folder=one.folder,
        modes=one.modes | other.modes,
    )


@lru_cache(maxsize=512)
def _scope(simple: SimpleCommand) -> CheckScope:
    """Of a check all that it names; of what installs what it installs. What else a command is given may be a message, a
    name, anything but where it is to be done."""
    kind = commands.kind(simple)
    program, *subcommands = kind.split() or [""]
    reading = _ScopeReading(program, commands.makes_a_check(simple) or bool(_INSTALLS.search(kind)))
    words = simple.started[1:]
    for argument in _arguments(words):
        if argument.word not in commands.RUN_WORDS.union(subcommands, ("",)):
            reading.take(argument)
    return CheckScope(
        reading.named_places(),
        frozenset(filter(None, reading.picks)),
        modes=frozenset(word for word in words if word.partition("=")[0] in _MODES),
    )


@value
class _Argument:
    """A word that is no option, with the option before it, whose value it may be."""

    word: str
    option: str = ""
    attached: bool = False
    """`--option=word`."""


def _arguments(words: Sequence[str]) -> list[_Argument]:
    found: list[_Argument] = []
    option = ""
    for word in words:
        is_option = word[:1] in ("-", "+") and word != "--"
        name, equals, given = word.partition("=")
        if is_option and equals:
            found.append(_Argument(given, name, attached=True))
        elif not is_option and word != "--":
            found.append(_Argument(word, option))
        option = word if is_option and not equals else ""
    return found


class _ScopeReading:
    """What the arguments of one program say of its scope, taken one by one."""

    def __init__(self, program: str, names_places: bool) -> None:
        self.program = program
        self.names_places = names_places
        """Whether a word without an option is a place."""
        self.narrowing = {*_NARROWS, _NARROWS_OF.get(program, "-k")}
        self.otherwise = _OTHERWISE | {"-p", "-c"} if program == "pytest" else _OTHERWISE
        self.places: set[str] = set()
        self.picks: set[str] = set()

    def take(self, argument: _Argument) -> None:
        option, word = argument.option, argument.word
        if option in self.otherwise or (not option and _SET.match(word)):
            return
        if option in _LEAVES_OUT:
            self.picks.add("!" + word)
        elif option in self.narrowing or (self.program == "cargo" and not option):
            self.picks.add(word)
        elif option in _LIES_IN or self._is_place(argument):
            place, _, picked = word.partition("::")
            self.places.add(_place(place))
            self.picks |= {f"^{picked}$"} if picked else set()

    def named_places(self) -> frozenset[str]:
        """None where one of them is everything. A number is a number of workers, and no place."""
        named = {place for place in self.places if not place.isdigit()}
        return frozenset() if "" in named else frozenset(named)

    def _is_place(self, argument: _Argument) -> bool:
        """Behind an option that nobody knows, only a path is taken for a place."""
        if not self.names_places or argument.attached:
            return False
        return not argument.option or "/" in argument.word or "." in argument.word


def _place(word: str) -> str:
    """Where it lies; nothing where it is everything."""
    word = word.partition("*")[0].removesuffix("...").removeprefix("./").rstrip("/")
    return "" if word == "." else word


def covers(wider: CheckScope, narrower: CheckScope) -> bool:
    """Unless both name what they are about, and the one leaves out what the other names."""
    return (
        _is_there(wider.folder, narrower.folder)
        and _holds(wider.places, narrower.places)
        and (
            not wider.picks
            or not narrower.picks
            or all(any(_picks(pick, each) for pick in wider.picks) for each in narrower.picks)
        )
    )


def _is_there(one: str, other: str) -> bool:
    """Unless the two are told, and neither lies in the other."""
    return not one or not other or _lies_in(one, other) or _lies_in(other, one)


def _picks(pick: str, tests: str) -> bool:
    """Whether a pattern picks all that another does, as far as plain words tell: `TestCart` picks `TestCart_Empty`."""
    some = [word.strip("() ") for word in _OR.split(pick)]
    return all(any(_matches(word, each.strip("^$() ")) for word in some if word) for each in _OR.split(tests))


def _matches(word: str, name: str) -> bool:
    bare = word.strip("^$")
    if word[0] == "^" and word[-1] == "$":
        return name.partition("[")[0].partition("/")[0] == bare or name == bare
    return bool(bare) and bare in name


def _holds(places: frozenset[str], named: frozenset[str]) -> bool:
    return (
        not places
        or not named
        or named <= places
        or all(any(_lies_in(each, place) for place in places) for each in named)
    )


def _lies_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder + "/")
