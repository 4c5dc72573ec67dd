"""Flags and verbs with which a check runs less than its name says, or cannot fail (SPEC 10.6). Pure.

picks("ctest", ("ctest", "-R", "cart"))                        True: it runs some of the tests
why_weak("ruff", ("ruff", "check", "--exit-zero"))         "it was told not to fail"
"""

from __future__ import annotations

from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _flags(**of_program: str) -> dict[str, frozenset[str]]:
    return {program: frozenset(flags.split()) for program, flags in of_program.items()}


_PHPUNIT = "--testsuite --exclude-testsuite --group --exclude-group --covers --uses --dirty --retry -c --configuration"
_DART = "-n --name -N --plain-name -t --tags -x --exclude-tags -p --platform --shard-index --total-shards"
_MAVEN = "-pl --projects -rf --resume-from -Dit.test -Dgroups -DexcludedGroups -DskipITs"
_PICKS = _flags(
    rspec="""-e --example -E --example-matches -t --tag -P --pattern --exclude-pattern --only-failures --next-failure
        --bisect --default-path -O --options""",
    phpunit=_PHPUNIT,
    pest=_PHPUNIT,
    php=_PHPUNIT,
    ctest="""-R -E -L -LE -I -U -T -S --tests-regex --exclude-regex --label-regex --label-exclude --tests-information
        --tests-from-file --exclude-from-file --rerun-failed --build-and-test""",
    bazel="""--test_filter --test_tag_filters --test_size_filters --test_lang_filters --test_timeout_filters
        --build_tag_filters --test_arg""",
    rails="-n --name -e --exclude -i --include",
    dart=_DART,
    flutter=_DART,
    mvn=_MAVEN,
    mvnw=_MAVEN,
    mix="--stale --partitions",
    cargo="-E --filter-expr --filterset --ignored --partition --run-ignored",
    deno="--changed",
    bun="-t --test-name-pattern --only --todo --changed",
    mocha="-f --fgrep -i --invert --ignore --spec",
    swift="--specifier",
    tox="-f --skip-env -m",
    nox="-t --tags -e --session --sessions -p",
)
"""Program → flags that pick some of its tests; those that every program may have are in `proving` and `checks`."""
_PICKS_BY_BEGINNING = ("-only-testing", "-skip-testing", "-testPlan", "-Dsurefire.")
_LISTS = _flags(
    ctest="-N --show-only --print-labels",
    dotnet="-t --list-tests",
    tox="-l --listenvs --listenvs-all -a -n --notest --showconfig",
    nox="-l --list --list-sessions",
    phpunit="--list-tests --list-groups --list-suites --list-tests-xml",
    ninja="-n -t",
    gradle="-m --dry-run",
    gradlew="-m --dry-run",
    bazel="--nobuild",
    go="-n",
    make="--just-print --recon --assume-new --what-if -W",
    mypy="-c --command",
    ruff="--diff --show-files --show-settings --watch --add-noqa",
    tsc="--init --showConfig --listFilesOnly",
    eslint="--print-config --init --env-info --inspect-config",
    phpstan="--generate-baseline -b",
    cmake="-E -P -L -LA -LH -LAH --find-package",
)
"""Program → flags with which it lists, explains or writes something, and checks nothing."""
_NOT_BUILT = _flags(
    dotnet="--no-build",
    swift="--skip-build",
    mix="--no-compile",
    xcodebuild="test-without-building",
)
"""Program → words with which it tests what was built before, of other files perhaps."""
_CANNOT_FAIL = frozenset(
    """--exit-zero --no-fail --lenient --if-present --issues-exit-code --fail-never -fn -Dmaven.test.failure.ignore
    -DtestFailureIgnore --noCheck --no-error-on-unmatched-pattern --pass-with-no-tests --allow-empty-input
    --no-errors-on-unmatched""".split()
)
_CANNOT_FAIL_OF = _flags(ruff="-e")
_CHECKS_ONLY_WITH = _flags(
    cmake="--build --workflow", biome="check lint ci", ruff="check --check", phpstan="analyse analyze"
)
"""Program → the words of which one must stand there: without, it does something else."""
_CHOOSES_RULES = _flags(
    ruff="--select --ignore --extend-ignore --isolated",
    eslint="--rule --no-eslintrc --no-config-lookup --ignore-pattern",
    mypy="--ignore-errors --disable-error-code",
    flake8="--select --ignore --extend-ignore --isolated",
    cargo="-A --allow --cap-lints",
)
"""Linter → flags that say which rules count."""
_SETS_A_PICK = compiled_later(r"\A(?:TEST|TESTS|TESTOPTS|SPEC|SPEC_OPTS|ARGS|ONLY)=")


def _given(started: Sequence[str]) -> set[str]:
    """The words behind the program; of `--flag=value` the flag."""
    return {word.partition("=")[0] if word.startswith("-") else word for word in started[1:]}


def picks(program: str, started: Sequence[str]) -> bool:
    """Whether it runs some of its tests, as far as its flags say."""
    if any(word.startswith(_PICKS_BY_BEGINNING) or _SETS_A_PICK.match(word) for word in started[1:]):
        return True
    if program in ("gradle", "gradlew") and any(":" in word for word in started[1:] if not word.startswith("-")):
        return True  # the task of one project
    return not _given(started).isdisjoint(_PICKS.get(program, ()))


def why_weak(program: str, started: Sequence[str]) -> str:
    """Why it may succeed although something is wrong; empty if nothing says so."""
    given = _given(started)
    if given & (_CANNOT_FAIL | _CANNOT_FAIL_OF.get(program, frozenset())):
        return "it was told not to fail"
    if given & _LISTS.get(program, frozenset()):
        return "one of its flags has it check nothing"
    if given & _NOT_BUILT.get(program, frozenset()):
        return "it tests what was built before"
    needed = _CHECKS_ONLY_WITH.get(program)
    if needed and not given & needed:
        return "it was not asked to check"
    return ""


def chooses_rules(program: str, started: Sequence[str]) -> bool:
    """Whether a linter is told which rules count."""
    return not _given(started).isdisjoint(_CHOOSES_RULES.get(program, ()))
