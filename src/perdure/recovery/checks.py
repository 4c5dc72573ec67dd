"""Decides which checks a command makes and on what, and whether a check that succeeded settles one that failed
(SPEC 12.2).

A failed check is settled by a successful check of its kind: the same program on the same or on more; the project's own
task for the same purpose, as `make test` after `pytest tests/a.py`; for a failed build, whatever has to build first.
"""

from __future__ import annotations

from functools import lru_cache

from perdure.model.pattern import compiled_later
from perdure.model.value import replace, value
from perdure.recovery import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perdure.recovery.simple_commands import SimpleCommand

CONFLICT = "git conflict"
"""The kind of an unfinished merge. git commits nothing while there is one."""
_ENDS_CONFLICTS = frozenset(
    f"git {verb}" for verb in "commit merge rebase cherry-pick revert reset pull am stash".split()
)
_FLAGS_THAT_PICK = frozenset(
    """-k -run --run --grep -g --tests --test --testNamePattern --test-name-pattern --filter
    --spec -Dtest""".split()
)
"""Flags whose value picks some of the tests."""
_FLAGS_THAT_LEAVE_OUT = frozenset("--ignore --deselect --exclude -skip --skip --testPathIgnorePatterns".split())
"""Flags whose value leaves some of the tests out."""
_FLAG_THAT_PICKS_OF = {"tox": "-e", "nox": "-s", "pytest": "-m", "jest": "-t", "vitest": "-t"}
"""Program → a further flag of that kind."""
_FLAGS_FOR_MODES = frozenset("-race --race -tags --tags --features --all-features --release --target".split())
"""Flags with which a check is stricter or another one."""
_FLAGS_ABOUT_WHERE = frozenset(
    """-C -p -w --workspace --package --prefix --dir --directory --cwd --project --manifest-path -chdir -f --file
    --makefile --justfile""".split()
)
"""Flags whose value is a place."""
_FLAGS_THAT_RUN_NOTHING = frozenset(
    """--collect-only --collectonly --co --fixtures-per-test
    --help --version --list --listTests --list-tests --dry-run --no-run --fixtures --markers
    -list --check -DskipTests -Dmaven.test.skip --dry --setup-plan --setup-only --cache-show""".split()
)
"""Flags with which a program only lists or explains."""
_FLAG_THAT_RUNS_NOTHING_OF = {"make": "-n", "just": "-n", "task": "-n", "go": "-c"}
"""Program → a further flag of that kind."""
_FORMATS = compiled_later(r"\b(?:fmt|format|prettier|black|isort|biome|ruff|cargo|gofmt)\b")
"""For these programs `--check` makes the check; for others it only shows what would be done."""
_INSTALLATION = compiled_later(r" (?:install|add|i)\Z")
"""A kind of command that installs packages."""
_MOST_TESTS_ONE_BY_ONE = 5
"""How many failed tests may be settled one by one. If more failed, the output may not have named all of them."""
_FLAGS_ABOUT_HOW = frozenset(
    """--config --cov --cov-config --junitxml --junit-xml -o --output --reporter --rootdir --test-dir --output-junit
    --log-junit""".split()
)
"""Flags whose value says how the check runs, not on what."""
_FLAGS_ABOUT_HOW_OF = {
    program: frozenset(flags.split())
    for program, flags in {
        "pytest": "-p -c -W",
        "mocha": "-r --require -R -t -s -u -j",
        "rspec": "-f --format -r --require -I --order --seed",
        "ctest": "-C --build-config -j --parallel --timeout --repeat",
        "tox": "-p --parallel",
        "meson": "-C -j --num-processes -t --timeout-multiplier --maxfail --wrapper --logbase",
        "dotnet": "-c --configuration -v --verbosity -l --logger --results-directory -o --output",
    }.items()
}
"""Program → its own flags of that kind."""
_ASSIGNMENT = compiled_later(r"\A\w+=")
"""`NAME=value` among the arguments."""
_TASKS = frozenset(
    """make just task mise npm pnpm yarn bun rake rails composer inv invoke poe hatch pdm rye pixi devbox nox
    tox""".split()
)
"""Programs that run a task of the project by its name."""
_SCRIPT_TOOLS = frozenset(
    "jest vitest mocha eslint tsc biome prettier cypress node ts-node tsx vite webpack next".split()
)
_PYTHON_TOOLS = frozenset("pytest unittest ruff mypy pyright flake8 black isort python python3".split())
_OF_ONE_LANGUAGE = {
    **dict.fromkeys("npm pnpm yarn bun".split(), _SCRIPT_TOOLS),
    **dict.fromkeys("tox nox hatch pdm rye poe".split(), _PYTHON_TOOLS),
    **dict.fromkeys(("rake", "rails"), frozenset("rspec rubocop ruby rails".split())),
    "composer": frozenset("phpunit phpstan pest php".split()),
}
"""The tools that the tasks of some programs may run."""
_COMPILE = frozenset("go cargo swift dotnet gradle gradlew mvn mvnw zig bazel".split())
"""Programs that build before they test."""
_PURPOSES = {
    "test": compiled_later(
        r"\b(?:tests?|nextest|pytest|unittest|gotestsum|jest|vitest|mocha|tox|nox|rspec|phpunit|pest|ctest|spec|busted)\b"
        r"|^(?:cargo|npm) t$|^rake$"
    ),
    "lint": compiled_later(
        r"\b(?:lint|ruff|eslint|flake8|clippy|golangci-lint|shellcheck|swiftlint|biome|hadolint|phpstan)\b"
    ),
    "types": compiled_later(r"\b(?:mypy|pyright|tsc|types?|type-?check)\b"),
    "build": compiled_later(r"\b(?:build|compile|cmake|ninja|gcc|g\+\+|clang|javac|rustc|xcodebuild)\b|^cargo check$"),
}
"""Purpose → how the name of a kind shows it. Tests in a browser are not included: a task `test` usually leaves them
out."""
_EVERYTHING = compiled_later(
    r"^(?:(?:make|just|task|mise|pnpm|yarn|bun|rake|nox|tox) (?:check|ci|verify)|npm (?:check|verify)"
    r"|mvnw? (?:verify|package|install)|gradlew? check)(?!\w)"
)
"""Tasks that make every check."""
_RUNS_A_PART = compiled_later(r"[.:_-](?!(?:ci|all|full)\b)\w")
"""In a task's name: it runs only a part of the checks, as `test:unit`."""
_OR = compiled_later(r"(?<!\s)\s++or\s++|\|")
"""Between the alternatives of a pattern: `cart or basket`, `TestCart|TestBasket`."""


@value
class CheckScope:
    """What a check was run on. An empty field means everything."""

    places: frozenset[str] = frozenset()
    """Files, folders, packages."""
    picks: frozenset[str] = frozenset()
    """Patterns for tests in those places, as they were given. `^name$`, from `-run '^name$'` or `file.py::name`, picks
    only the test of that name."""
    left_out: frozenset[str] = frozenset()
    """What was left out, as it was given: `--ignore tests/slow`."""
    folder: str = ""
    """The folder that it was run in; empty if unknown."""
    modes: frozenset[str] = frozenset()
    """Options that make the check stricter or different: `-race`."""

    @property
    def is_selective(self) -> bool:
        """Whether only some of the tests in its places were run."""
        return bool(self.picks or self.left_out)

    def is_narrower(self, other: CheckScope) -> bool:
        """Whether it names places or tests where the other one means everything."""
        return bool((self.places and not other.places) or (self.is_selective and not other.is_selective))


@value
class Test:
    """A test that failed: its file or package, and its name; each empty if the output does not say."""

    place: str
    name: str


UNKNOWN = Test("?", "?")
"""Stands for failed tests that the output did not name."""


def needed_by(command: str, tests: Sequence[Test] = (), folder: str = "") -> dict[str, CheckScope]:
    """The checks, and their scopes, that must all succeed before a failure of the command is settled."""
    needs = _scopes(_blamed_commands(command), folder)
    testing = {kind: scope for kind, scope in needs.items() if _is_for(kind, "test")}
    return testing if tests and testing else needs


def made_by(command: str, folder: str = "") -> dict[str, CheckScope]:
    """The checks that succeeded, given that the command did. A command that only lists or explains makes no check, a
    command behind `||` may not have run, and a check while the changes were stashed says nothing about them."""
    simple = [
        each
        for each in on_the_work(commands.simple_commands(command))
        if not (each.after_failure or runs_nothing(each))
    ]
    made = _scopes(simple, folder)
    ending = next((each for each in simple if _ends_conflict(each)), None)
    return {**made, CONFLICT: made[commands.kind(ending)]} if ending else made


def on_the_work(several: Iterable[SimpleCommand]) -> Iterator[SimpleCommand]:
    """All but the checks that ran while the changes were stashed."""
    stashed = False
    for each in several:
        stashed = (stashed or stashes_changes(each)) and not restores_stash(each)
        if not (stashed and commands.makes_a_check(each)):
            yield each


def _ends_conflict(simple: SimpleCommand) -> bool:
    """Whether it is a git command that ends a merge: not if it only looks, only edits the plan, or names single
    files."""
    if commands.kind(simple) not in _ENDS_CONFLICTS or commands.only_looks(simple.text):
        return False
    return {"--", "--edit-todo"}.isdisjoint(simple.words)


def stashes_changes(simple: SimpleCommand) -> bool:
    """Whether it is a `git stash` that stashes the changes."""
    given = _given_to_stash(simple)
    if given is None:
        return False
    return not given or given[0] in ("push", "save") or given[0].startswith("-")


def restores_stash(simple: SimpleCommand) -> bool:
    """Whether it brings stashed changes back."""
    given = _given_to_stash(simple)
    return given is not None and given[:1] in (("pop",), ("apply",))


def _given_to_stash(simple: SimpleCommand) -> tuple[str, ...] | None:
    """The words after `git stash`; None if it is another command."""
    if commands.kind(simple) != "git stash":
        return None
    return simple.words[simple.words.index("stash") + 1 :]


def runs_nothing(simple: SimpleCommand) -> bool:
    """Whether the program is asked only to list or explain what it would do."""
    words = {word.partition("=")[0] for word in simple.words if not word.endswith("=false")}
    flags = words & _FLAGS_THAT_RUN_NOTHING
    if flags == {"--check"} and _FORMATS.search(simple.text):
        return False
    program = commands.kind(simple).partition(" ")[0]
    return bool(flags) or _FLAG_THAT_RUNS_NOTHING_OF.get(program, " ") in words


def left_of(
    needs: Mapping[str, CheckScope], made: Mapping[str, CheckScope], tests: Sequence[Test] = ()
) -> dict[str, CheckScope]:
    """The checks that still must succeed."""
    return {kind: scope for kind, scope in needs.items() if not _is_settled(kind, scope, made, tests=tests)}


def passed(tests: Sequence[Test], made: Mapping[str, CheckScope]) -> bool:
    """Whether each of these tests was run by name or place and passed: `go test -run TestA` after `make test`."""
    if not 0 < len(tests) <= _MOST_TESTS_ONE_BY_ONE:
        return False
    runs = [scope for kind, scope in made.items() if _is_for(kind, "test") and (scope.is_selective or scope.places)]
    return all(_is_surely_reached(test, runs) for test in tests)


def _is_surely_reached(test: Test, runs: Sequence[CheckScope]) -> bool:
    """Whether one of the checks runs the test. Unlike in `_reaches`, what the scope selects by must be known about the
    test."""
    for scope in runs:
        known = test.name if scope.is_selective else test.place
        if known and _reaches(scope, test):
            return True
    return False


def _is_settled(kind: str, scope: CheckScope, made: Mapping[str, CheckScope], *, tests: Sequence[Test]) -> bool:
    """Whether one of the checks that succeeded settles a failed one of this kind and scope."""
    candidates = [wide for other, wide in made.items() if _kind_settles(other, kind)]
    if kind in made and scope.modes <= made[kind].modes:
        candidates.append(made[kind])
    return any(covers(wide, scope) and _is_enough(wide, scope, tests) for wide in candidates)


def _is_enough(wide: CheckScope, scope: CheckScope, tests: Sequence[Test]) -> bool:
    """Whether the check that succeeded ran enough: a narrower one must have run all tests known to have failed."""
    return not wide.is_narrower(scope) or all(_reaches(wide, test) for test in tests)


def _reaches(scope: CheckScope, test: Test) -> bool:
    """Whether a check of this scope runs the test. A test whose place or name is unknown counts as run."""
    return (
        test is not UNKNOWN and _is_in_scope(scope, test) and not _is_left_out(scope, test) and _is_picked(scope, test)
    )


def _is_in_scope(scope: CheckScope, test: Test) -> bool:
    return not scope.places or not test.place or any(_is_in_place(test.place, place) for place in scope.places)


def _is_left_out(scope: CheckScope, test: Test) -> bool:
    return any(each in test.place or each in test.name for each in scope.left_out)


def _is_picked(scope: CheckScope, test: Test) -> bool:
    """Whether the scope picks the test by its name: the scope of `pytest -k cart` picks `test_cart_is_empty`."""
    return not scope.picks or not test.name or _one_picks(scope.picks, test.name)


def _is_in_place(place: str, folder: str) -> bool:
    """Whether the place lies in the folder. Before a package there may be the name of its module."""
    return _is_below(place, folder) or f"/{place}/".find(f"/{folder}/") > 0


def _kind_settles(made: str, failed: str) -> bool:
    """Whether a check of the kind `made` that succeeded settles one of the kind `failed`."""
    by, of = made.partition(" ")[0], failed.partition(" ")[0]
    if of in _TASKS:
        return False
    if by in _TASKS:
        return of in _OF_ONE_LANGUAGE.get(by, (of,)) and _is_task_for(made, failed)
    return by == of and of in _COMPILE and _is_for(failed, "build") and _builds(made)


def may_be_one(one: str, other: str) -> bool:
    """Whether two programs may run the same tests: they are one, or one is a task of the project for the other."""
    return one == other or any(
        task in _TASKS and tool in _OF_ONE_LANGUAGE.get(task, (tool,)) for task, tool in ((one, other), (other, one))
    )


def _is_task_for(task: str, failed: str) -> bool:
    """Whether a task of the project has the purpose of the other kind. A task that tests must build first."""
    purposes = [purpose for purpose in _PURPOSES if _is_for(failed, purpose)]
    purposes += ["test"] if "build" in purposes else []
    return any(_is_complete_for(task, purpose) for purpose in purposes)


def _is_complete_for(task: str, purpose: str) -> bool:
    return bool(_EVERYTHING.search(task)) or (_is_for(task, purpose) and not _RUNS_A_PART.search(task))


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


def purposes_of(kind: str) -> tuple[str, ...]:
    """What a check of this kind is for: `test`, `lint`, `types`, `build`. Of a task that makes every check only its
    tests are sure: they report."""
    if _EVERYTHING.search(kind):
        return ("test",)
    return tuple(purpose for purpose in _PURPOSES if _is_for(kind, purpose))


def has_a_selecting_flag(simple: SimpleCommand) -> bool:
    """Whether one of its flags picks tests or leaves some out, whatever its value is."""
    own = _FLAG_THAT_PICKS_OF.get(commands.kind(simple).partition(" ")[0])
    selecting = _FLAGS_THAT_PICK | _FLAGS_THAT_LEAVE_OUT | ({own} if own else set())
    if simple.started[-1] == "--run" or simple.started[0].endswith("vitest"):
        selecting -= {"--run"}  # with it vitest does not go on to watch
    flags = [word.partition("=")[0] for word in simple.started[1:] if word.startswith("-")]
    return any(flag in selecting or (flag[:2] in ("-k", "-m") and flag[:2] in selecting) for flag in flags)


def runs_a_part(kind: str) -> bool:
    """Whether the name of a task says that it runs only a part of the checks, as `npm test:unit`."""
    return kind.partition(" ")[0] in _TASKS and bool(_RUNS_A_PART.search(kind.partition(" ")[2]))


def _blamed_commands(command: str) -> list[SimpleCommand]:
    found = commands.main_commands(command)
    return found if commands.is_check(command) else found[-1:]


def _scopes(simple: list[SimpleCommand], folder: str) -> dict[str, CheckScope]:
    found: dict[str, CheckScope] = {}
    for each in dict.fromkeys(simple):
        kind, scope = commands.kind(each), replace(_scope(each), folder=folder)
        found[kind] = _union(found[kind], scope) if kind in found else scope
    return found


def _union(one: CheckScope, other: CheckScope) -> CheckScope:
    """The scope of both together. An empty set means everything, so it wins."""
    are_selective = one.is_selective and other.is_selective
    return CheckScope(
        places=one.places | other.places if one.places and other.places else frozenset(),
        picks=one.picks | other.picks if are_selective else frozenset(),
        left_out=one.left_out | other.left_out if are_selective else frozenset(),
        folder=one.folder,
        modes=one.modes | other.modes,
    )


@lru_cache(maxsize=512)
def _scope(simple: SimpleCommand) -> CheckScope:
    """The scope of a check is what it names; of an installation, what it installs. The words of other commands may be
    messages or names, so they are not read as places."""
    kind = commands.kind(simple)
    program, *subcommands = kind.split() or [""]
    reading = _ScopeReading(program, commands.makes_a_check(simple) or bool(_INSTALLATION.search(kind)))
    words = simple.started[1:]
    for argument in _arguments(words):
        if argument.word not in commands.RUN_WORDS.union(subcommands, ("", program)):
            reading.take(argument)
    return CheckScope(
        places=reading.named_places(),
        picks=frozenset(filter(None, reading.picks)),
        left_out=frozenset(reading.left_out),
        modes=frozenset(word for word in words if word.partition("=")[0] in _FLAGS_FOR_MODES),
    )


@value
class _Argument:
    """A word that is not an option, with the option before it, whose value it may be."""

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
    """What the arguments of one program say about its scope, read one by one."""

    def __init__(self, program: str, names_places: bool) -> None:
        self.program = program
        self.names_places = names_places
        """Whether a word without an option is a place."""
        self.narrowing = {*_FLAGS_THAT_PICK, _FLAG_THAT_PICKS_OF.get(program, "-k")}
        self.flags_about_how = _FLAGS_ABOUT_HOW | _FLAGS_ABOUT_HOW_OF.get(program, frozenset())
        self.places: set[str] = set()
        self.picks: set[str] = set()
        self.left_out: set[str] = set()

    def take(self, argument: _Argument) -> None:
        """Add what one argument says."""
        option, word = argument.option, argument.word
        if option in self.flags_about_how or (not option and _ASSIGNMENT.match(word)):
            return
        if option in _FLAGS_THAT_LEAVE_OUT:
            self.left_out.add(word)
        elif self._picks_tests(option):
            self.picks.add(word)
        elif self._is_place(argument) and not word.startswith("/p:"):
            place, _, picked = word.partition("::")
            self.places.add(place_of(place))
            if picked:
                self.picks.add(f"^{picked}$")

    def named_places(self) -> frozenset[str]:
        """Empty if one of the places is everything. A number is a number of workers, not a place."""
        named = {place for place in self.places if not place.isdigit()}
        return frozenset() if "" in named else frozenset(named)

    def _picks_tests(self, option: str) -> bool:
        """Whether a word behind this option, or without one, is a pattern for tests."""
        return option in self.narrowing or (self.program == "cargo" and not option)

    def _is_place(self, argument: _Argument) -> bool:
        """Behind an option that we do not know, only a path counts as a place."""
        if argument.option in _FLAGS_ABOUT_WHERE:
            return True
        if not self.names_places or argument.attached:
            return False
        return not argument.option or "/" in argument.word or "." in argument.word


def place_of(word: str) -> str:
    """The place that a word names; empty if it is everything."""
    word = word.partition("*")[0].removesuffix("...").removeprefix("./").rstrip("/")
    return "" if word == "." else word


def covers(wider: CheckScope, narrower: CheckScope) -> bool:
    """True if every check in `narrower` is also made by `wider`. An empty field means everything. An empty field of
    `narrower` counts as covered, too: what only one of them names does not count against it."""
    if not _folders_overlap(wider.folder, narrower.folder) or not _places_cover(wider.places, narrower.places):
        return False
    return not wider.is_selective or not narrower.is_selective or _selection_covers(wider, narrower)


def _selection_covers(wider: CheckScope, narrower: CheckScope) -> bool:
    """True if `wider` picks and leaves out by all that `narrower` does."""
    return narrower.left_out <= wider.left_out and all(_one_picks(wider.picks, each) for each in narrower.picks)


def _folders_overlap(one: str, other: str) -> bool:
    """True if either folder is unknown, or one contains the other."""
    return not one or not other or _is_below(one, other) or _is_below(other, one)


def _one_picks(picks: frozenset[str], tests: str) -> bool:
    return any(_picks(pick, tests) for pick in picks)


def _picks(pick: str, tests: str) -> bool:
    """Whether a pattern picks all tests that another one does, compared as plain words: `TestCart` picks
    `TestCart_Empty`; `cart or basket` picks `basket`, but `cart` does not pick `cart or basket`."""
    alternatives = [word for part in _OR.split(pick) if (word := part.strip("() "))]
    names = [part.strip("^$() ") for part in _OR.split(tests)]
    return all(any(_matches(word, name) for word in alternatives) for name in names)


def _matches(word: str, name: str) -> bool:
    """Whether one alternative of a pattern picks the test: `^TestCart$` only the test of that name and its variants
    (`TestCart[2]`, `TestCart/empty`), `Cart` every test with that in its name."""
    bare = word.strip("^$")
    if word[0] == "^" and word[-1] == "$":
        return name.partition("[")[0].partition("/")[0] == bare or name == bare
    return bool(bare) and bare in name


def _places_cover(places: frozenset[str], named: frozenset[str]) -> bool:
    """True if each named place is one of the places or lies in one of them. An empty set means everything."""
    if not places or not named:
        return True
    return all(any(_is_below(each, place) for place in places) for each in named)


def _is_below(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder + "/")
