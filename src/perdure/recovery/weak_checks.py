"""Flags and verbs with which a check runs less than its name says, or cannot fail (SPEC 10.6). Pure.

picks("ctest", ("ctest", "-R", "cart"))                        True: it runs some of the tests
why_weak("ruff", ("ruff", "check", "--exit-zero"))         "it was told not to fail"
"""

from __future__ import annotations

from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def _flags(**of_program: str) -> dict[str, frozenset[str]]:
    return {program: frozenset(flags.split()) for program, flags in of_program.items()}


_PHPUNIT = """--testsuite --exclude-testsuite --group --exclude-group --covers --uses --dirty --retry -c
    --configuration --no-configuration --test-suffix --run-test-id"""
_DART = "-n --name -N --plain-name -t --tags -x --exclude-tags -p --platform --shard-index --total-shards"
_MAVEN = """-N --non-recursive -pl --projects -rf --resume-from -Dit.test -Dgroups -DexcludedGroups -DskipITs
    -Dmaven.main.skip"""
_PICKS = _flags(
    pytest="--inifile --noconftest --num-shards --shard-id",
    go="-exec -list -args -overlay -toolexec -C",
    jest="-f --runner --testRunner --lastCommit --roots",
    vitest="--mergeReports --merge-reports --typecheck.only --dir -r",
    prove="--state -D --dry",
    node="--test-shard",
    yarn="-t -g -f -k -o --script-shell",
    pnpm="-t -g -f -k -o --script-shell",
    npm="--script-shell",
    rspec="""-e --example -E --example-matches -t --tag -P --pattern --exclude-pattern --only-failures --next-failure
        --bisect --default-path -O --options""",
    phpunit=_PHPUNIT,
    pest=_PHPUNIT,
    php=_PHPUNIT,
    ctest="""-R -E -L -LE -I -U -T -S --tests-regex --exclude-regex --label-regex --label-exclude --tests-information
        --tests-from-file --exclude-from-file --rerun-failed --build-and-test --stop-time""",
    bazel="""--test_filter --test_tag_filters --test_size_filters --test_lang_filters --test_timeout_filters
        --build_tag_filters --test_arg --run_under --deleted_packages --target_pattern_file --check_up_to_date""",
    rails="-n --name -e --exclude -i --include",
    dart=_DART,
    flutter=_DART,
    mvn=_MAVEN,
    mvnw=_MAVEN,
    mix="--stale --partitions",
    cargo="--exact -E --filter-expr --filterset --ignored --partition --run-ignored",
    deno="--changed",
    bun="-t --test-name-pattern --only --todo --changed",
    mocha="-f --fgrep -i --invert --ignore --spec -w",
    swift="--specifier",
    tox="-f --skip-env -m",
    busted="-t -n -p -l -r --name --pattern --run --lpath",
    stack="--ta --test-arguments",
    cabal="--test-option --test-options",
    nx="-p --projects -c --configuration",
    nox="-t --tags -e --session --sessions -p",
)
"""Program → flags that pick some of its tests; those that every program may have are in `proving` and `checks`."""
_COLLECTS_NOTHING_OF = compiled_later(r"(?:-p)?no:(?:python|unittest|main|runner|doctest)")
"""A plug-in of pytest without which it finds fewer tests."""
_PICKS_BY_BEGINNING = ("-test.", "-//", "-only-testing", "-skip-testing", "-testPlan", "-Dsurefire.")
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
    jest="--showConfig --clearCache",
    ruff="--diff --show-files --show-settings --watch --add-noqa",
    tsc="--init --showConfig --listFilesOnly",
    eslint="--print-config --init --env-info --inspect-config",
    phpstan="--generate-baseline -b",
    cmake="-E -P -L -LA -LH -LAH --find-package",
    rake="-n --dry-run -T --tasks -P --prereqs -W --where -D --describe",
    bats="-c --count",
)
"""Program → flags with which it lists, explains or writes something, and checks nothing."""
_NOT_BUILT = _flags(
    dotnet="--no-build",
    mvn="surefire:test failsafe:integration-test",
    mvnw="surefire:test failsafe:integration-test",
    swift="--skip-build",
    mix="--no-compile",
    xcodebuild="test-without-building",
    meson="--no-rebuild",
)
"""Program → words with which it tests what was built before, of other files perhaps."""
_ALL_TARGETS = ("all", "ALL_BUILD", "install")
_CANNOT_FAIL = frozenset(
    """--exit-zero --no-fail --lenient --if-present --issues-exit-code --fail-never -fn -Dmaven.test.failure.ignore
    -DtestFailureIgnore --noCheck --no-error-on-unmatched-pattern --pass-with-no-tests --allow-empty-input
    --no-errors-on-unmatched""".split()
)
_CANNOT_FAIL_OF = _flags(ruff="-e")
_CHECKS_ONLY_WITH = _flags(
    cmake="--build --workflow",
    biome="check lint ci",
    ruff="check --check",
    phpstan="analyse analyze",
    **{"pre-commit": "-a --all-files"},
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
_ABOUT_HOW = _flags(
    pytest="-p",
    tox="-p",
    go="-p -tags",
    dotnet="-c -o --collect",
    mvn="-o",
    mvnw="-o",
    bazel="-c --build_tests_only",
    cargo="--include-ignored",
)
"""Program → flags that say how it runs, though another program picks tests with a flag of that name."""
_ONE_TASK = {"gradle": ":", "gradlew": ":", "sbt": "/", "nx": ":", "mix": "test."}
"""Program → what stands in the name of a task of one project, or of one that runs a part."""
_SELECTS = frozenset(
    """filter filters only shard shards group groups split splits select selected tag tags suite suites skip exclude
    excluded excludes include includes match regex grep picked changed affected since scope failed partition partitions
    watch todo todos marked smoke inc rerun""".split()
)
"""A flag with one of these words in its name runs some of the tests, or goes on running them."""
_ABOUT_REPORTS = frozenset("no fail forbid stop display allow show".split())
"""A flag that begins with one of these says what happens then."""
_NAME_WORD = compiled_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OFF = ("=false", "=0", "=no")
_SETS_A_PICK = compiled_later(r"\A(?:TEST|TESTS|TESTOPTS|SPEC|SPEC_OPTS|ARGS|ONLY)=")


def _given(started: Sequence[str]) -> set[str]:
    """The words behind the program; of `--flag=value` the flag."""
    return {word.partition("=")[0] if word.startswith("-") else word for word in started[1:]}


def picks_by_itself(program: str, flags: Iterable[str], picking: frozenset[str]) -> bool:
    """Whether one of the flags is in `picking`, and of this program does not mean something else."""
    return not (picking - _ABOUT_HOW.get(program, frozenset())).isdisjoint(flags)


def _selects(program: str, word: str) -> bool:
    """Whether a flag of a program that we may not know sounds as if it selected tests: `--only-marked=fast`,
    `-Dcucumber.filter.tags=@a`, `--test_env=TEST_ONLY=a`."""
    name = word.rpartition("=")[0] or word
    if name.partition("=")[0] in _ABOUT_HOW.get(program, ()) or word.lower().endswith(_OFF):
        return False
    words = [each.lower() for each in _NAME_WORD.findall(name.removeprefix("-D"))]
    return bool(words) and words[0] not in _ABOUT_REPORTS and not _SELECTS.isdisjoint(words)


def picks(program: str, started: Sequence[str]) -> bool:
    """Whether it runs some of its tests, as far as its flags say."""
    if "watch" in started[0].rpartition("/")[2]:
        return True  # it runs again what concerns a file that changed
    if any(_picks(program, word) for word in started[1:]):
        return True
    return not _given(started).isdisjoint(_PICKS.get(program, ()))


def _picks(program: str, word: str) -> bool:
    if word.startswith(_PICKS_BY_BEGINNING) or _SETS_A_PICK.match(word):
        return True
    if program in ("gradle", "gradlew") and word.startswith("-x"):
        return True  # `-xtest` is `-x test`
    if program == "pytest" and _COLLECTS_NOTHING_OF.fullmatch(word):
        return True
    if word.startswith(("-", "/p:")):
        return len(word) > 2 and _selects(program, word)
    return program in _ONE_TASK and _ONE_TASK[program] in word


def why_weak(program: str, started: Sequence[str]) -> str:
    """Why it may succeed although something is wrong; empty if nothing says so."""
    given = _given(started)
    if given & (_CANNOT_FAIL | _CANNOT_FAIL_OF.get(program, frozenset())):
        return "it was told not to fail"
    if given & _LISTS.get(program, frozenset()):
        return "one of its flags has it check nothing"
    if given & _NOT_BUILT.get(program, frozenset()):
        return "it tests what was built before"
    if program == "cmake" and any(_names_a_target(*pair) for pair in zip(started, (*started[1:], ""), strict=True)):
        return "it built only some targets"
    needed = _CHECKS_ONLY_WITH.get(program)
    if needed and not given & needed:
        return "it was not asked to check"
    return ""


def _names_a_target(word: str, following: str) -> bool:
    """Whether cmake is told to make one target: `--target shop`, `-t shop`."""
    flag, _, attached = word.partition("=")
    return flag in ("--target", "-t") and (attached or following) not in _ALL_TARGETS


def chooses_rules(program: str, started: Sequence[str]) -> bool:
    """Whether a linter is told which rules count."""
    return not _given(started).isdisjoint(_CHOOSES_RULES.get(program, ()))
