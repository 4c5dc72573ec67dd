"""Decides what a command could prove if it succeeded: tests, a build, a linter; of all of the project or of a part; and
whether its exit status is that check's own (SPEC 10.6). Pure.

`checks.py` says which checks a command makes and on what. Here only that counts which leaves no doubt: a command that
could have succeeded although its check failed, or that ran only some tests, proves nothing.

    checks_in("cd web && npm test")     [ProvingCheck(purpose="test", program="npm", folders=("web",), part="")]
    status_is_own("pytest | tail -3")   False
    prints_else("pytest && cat log")    "cat"
"""

from __future__ import annotations

import re
import shlex

from perdure.gate.shell import syntax as s
from perdure.gate.shell.scope import commands_of
from perdure.lifecycle.reports import report_in
from perdure.model.pattern import compiled_later
from perdure.model.value import replace, value
from perdure.recovery import checks, commands, containers, weak_checks
from perdure.recovery.containers import HERE, Within
from perdure.recovery.simple_commands import read, script_run_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from perdure.recovery.checks import CheckScope
    from perdure.recovery.simple_commands import SimpleCommand

TEST, BUILD, LINT = "test", "build", "lint"
_WHOLE_FOLDERS = frozenset("tests test spec specs t __tests__".split())
"""A folder of this name at the top holds all tests."""
_CHANGES_THE_STATUS = frozenset("trap alias eval exec exit return shopt enable hash builtin pushd popd setsid".split())
"""After one of these, the exit status may not be the check's, or the folder is not known. All but the last, which may
not wait for the program, are of the shell itself."""
_STRICTER = compiled_later(r"-[eux]*(?:o)?|pipefail|errexit|nounset|xtrace")
"""What `set` may be given: with it, no failure is overlooked."""
_ACTIVATES = compiled_later(r"(?:\A|/)(?:bin|Scripts)/activate\Z")
"""A file of a virtual environment. Another file that is sourced may do anything."""
_VARIABLES = compiled_later(
    r"(?<![\w-])(?:PATH|LD_PRELOAD|DOCKER_HOST|DOCKER_CONTEXT|npm_config_\w+|PYTEST_ADDOPTS|PYTEST_PLUGINS|BASH_ENV|ENV|MAKEFLAGS|GOFLAGS|CARGO_BUILD_TARGET"
    r"|MAVEN_OPTS|MAVEN_ARGS|RUBYOPT|SPEC|SPEC_OPTS|TEST|TESTS|TESTOPTS|TOXENV|TOX_SKIP_ENV|NOXSESSION|GTEST_FILTER"
    r"|RUFF_SELECT|PERL5OPT|HARNESS_OPTIONS|PHP_INI_SCAN_DIR|GRADLE_OPTS|JAVA_TOOL_OPTIONS"
    r"|NODE_OPTIONS(?!=[\"']?--(?:experimental-vm-modules|no-warnings|max-old-space-size=\d+)[\"']?(?:\s|\Z)))\+?="
)
"""If a command sets one of these, another program may run, or only some tests. `env` and `export` set them too."""
_INSTALLED_IN = frozenset("bin .bin sbin Scripts shims".split())
"""Folders of installed programs."""
_WELL_KNOWN = compiled_later(
    r"py\.?test|python[\d.]*|unittest|tox|nox|jest|vitest|mocha|node|npm|npx|pnpm|yarn|bun|go|cargo|make|tap|prove|bats|ava"
)
"""Programs that nobody keeps beside the project's own files: one of this name that lies there is another program."""
_IGNORES_FAILURES = compiled_later(
    r"-[a-zA-Z]*[itqe][a-zA-Z]*|--(?:ignore-errors|touch|question|environment-overrides)"
)
"""Flags with which `make` runs nothing, goes on after a failure, or takes variables from outside."""
_GOES_ELSEWHERE = compiled_later(r"-[CD]|--(?:chdir|directory|cwd)\b")
"""Before the program that is started: an option of what starts it, with the folder that it is started in."""
_STARTS_ELSEWHERE = frozenset(("env", "sudo"))
_NOT_HERE = compiled_later(r"-[CDb]|--(?:chdir|background)\b")
"""With these it starts the program in another folder, or does not wait for it."""
_SETS_MORE_THAN_A_NUMBER = compiled_later(r"\A\w++[:+?]?=(?!\d++\Z)")
_PRINTERS = frozenset("cat tac head tail less more sed grep egrep rg awk jq nl bat strings".split())
_GIT_PRINTERS = frozenset("show diff log blame cat-file grep".split())
_SAYS = frozenset(("echo", "printf"))
_PICKS_BY_ITSELF = frozenset(
    """--lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip --testmon --changed
    --onlyChanged --only-changed --onlyFailures --findRelatedTests --changedSince --related --shard --lib --bins --bin
    --doc --example --examples --bench --benches --exclude -p --package --only --test-only --maxWorkers=0 --failed
    --incremental --ignore-glob -o --override-ini --pyargs -c --config-file -short --short --filter-tags
    --testPathPattern --testPathPatterns --selectProjects --ignoreProjects --config --rootDir --root --projects
    --test-skip-pattern --runTestsByPath""".split()
)
"""Flags that pick some of the tests without a pattern. After some of them all tests may run; that is not worth a
doubt."""
_SCRIPTS = ("npm", "pnpm", "yarn", "bun")
_ONE_PACKAGE = frozenset("--package --bin --lib --example --bench --exclude -pl --projects".split())
"""Flags with which a build or a linter takes some of the project's packages."""
_OF_ONE_PACKAGE = ("go test", "go build", "go vet")
_VALUED_OF_NODE = frozenset("--import -r --require --loader --experimental-loader".split())
_SEVERAL_TARGETS = frozenset("make mvn mvnw gradle gradlew sbt rake".split())
"""Programs that take several targets, and make one after the other."""
_OTHER_TESTERS = frozenset("tap prove bats ava".split())
_MANIFESTS = {
    **dict.fromkeys(
        ("pytest", "unittest", "tox", "nox", "ruff", "mypy", "pyright", "flake8", "python", "python3"),
        ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"),
    ),
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun", "jest", "vitest", "node", "eslint", "tsc", "tap"), ("package.json",)
    ),
    "go": ("go.mod", "go.work"),
    "cargo": ("Cargo.toml",),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    **dict.fromkeys(
        ("phpunit", "pest", "php", "composer", "phpstan"), ("composer.json", "phpunit.xml", "phpunit.xml.dist")
    ),
    **dict.fromkeys(("rspec", "rails", "rake"), ("Gemfile", "Rakefile")),
    **dict.fromkeys(("mvn", "mvnw"), ("pom.xml",)),
    **dict.fromkeys(
        ("gradle", "gradlew"), ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
    ),
    **dict.fromkeys(("ctest", "cmake"), ("CMakeLists.txt",)),
    "meson": ("meson.build",),
    "lein": ("project.clj",),
    **dict.fromkeys(("dart", "flutter"), ("pubspec.yaml",)),
    **dict.fromkeys(("mocha", "biome", "prettier"), ("package.json",)),
    "bun": ("package.json", "bunfig.toml"),
    "deno": ("deno.json", "deno.jsonc"),
    "bazel": ("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"),
    "mix": ("mix.exs",),
    "nextest": ("Cargo.toml",),
    "sbt": ("build.sbt",),
    "swift": ("Package.swift",),
}
_ANY_MANIFEST = tuple(dict.fromkeys(name for names in _MANIFESTS.values() for name in names))


@value
class ProvingCheck:
    purpose: str
    """TEST, BUILD or LINT; checking types counts as LINT."""
    program: str
    """The program that is started, by which its report is read."""
    folders: tuple[str, ...] | None
    """The arguments of the `cd`s before it; None if the folder is unknown."""
    part: str
    """Why it is only a part of the checks; empty if nothing says so."""
    within: Within = HERE
    """The container that it ran in, if which files that has must be looked up."""


def checks_in(command: str) -> list[ProvingCheck]:
    """The checks that a command makes, if it runs to its end."""
    found: list[ProvingCheck] = []
    for simple in _one_target_each(checks.on_the_work(commands.simple_commands(command))):
        if simple.after_failure:
            continue
        if _is_other_tester(simple):
            part = _why_a_part_of_files(simple) or containers.why_elsewhere(simple.words)
            within = containers.within(simple.words)
            found.append(ProvingCheck(purpose=TEST, program="tap", folders=simple.folders, part=part, within=within))
        elif commands.makes_a_check(simple):
            made = checks.made_by(_undiscovered(simple.text))
            found += [each for kind, scope in made.items() for each in _of_kind(kind, scope, simple)]
    return list(dict.fromkeys(_of_build_folder(each, found[:at]) for at, each in enumerate(found)))


def _of_build_folder(check: ProvingCheck, before: Sequence[ProvingCheck]) -> ProvingCheck:
    """Some are run in the folder that was built into: `cmake --build build && cd build && ctest`. ctest builds
    nothing."""
    if check.program not in _FLAG_FOR_BUILD_FOLDER:
        return check
    folders = check.folders[:-1] if check.folders and _BUILT_INTO.search(check.folders[-1]) else check.folders
    if check.program != "ctest":
        return replace(check, folders=folders)
    is_built = any(each.purpose == BUILD and not each.part for each in before)
    part = check.part or ("" if is_built else "it tests what was built before: build in the same command")
    return replace(check, folders=folders, part=part)


_FLAG_FOR_BUILD_FOLDER = {"ctest": "--test-dir", "meson": "-C"}
"""Program → the flag with the folder that it is run in."""
_BUILT_INTO = compiled_later(r"\A(?:\./)?[\w.-]*(?:build|out)[\w.-]*(?:/[\w-][\w.-]*)*/?\Z", re.I)


def _folders_of(simple: SimpleCommand) -> tuple[str, ...] | None:
    """Those of the `cd`s before it, and the one that its own flag names."""
    flag = _FLAG_FOR_BUILD_FOLDER.get(simple.program)
    if not flag or simple.folders is None:
        return simple.folders
    following = (*simple.started[1:], "")
    named = [after for word, after in zip(simple.started, following, strict=True) if word == flag]
    named += [word.partition("=")[2] for word in simple.started if word.startswith(flag + "=")]
    return (*simple.folders, *named)


def _undiscovered(text: str) -> str:
    """`python -m unittest discover` is what `python -m unittest` does by itself."""
    return _DISCOVER.sub(r"\1", text)


_DISCOVER = compiled_later(r"(\bunittest) discover\b(?: -s(?= tests?/?(?: |$)| \.(?: |$)))?")


def is_check(command: str) -> bool:
    several = _one_target_each(commands.simple_commands(command))
    return any(commands.makes_a_check(each) or _is_other_tester(each) for each in several)


def _one_target_each(several: Iterable[SimpleCommand]) -> Iterator[SimpleCommand]:
    """`mvn clean verify` as `mvn clean` and `mvn verify`, each with all flags."""
    for simple in several:
        targets = commands.targets(simple) if simple.program in _SEVERAL_TARGETS else []
        if len(targets) < 2:
            yield simple
            continue
        for target in targets:
            started = tuple(word for word in simple.started if word == target or word not in targets)
            yield replace(simple, started=started, text=" ".join(map(shlex.quote, started)))


def _is_other_tester(simple: SimpleCommand) -> bool:
    return simple.program in _OTHER_TESTERS or (simple.program == "node" and "--test" in simple.started)


def _of_kind(kind: str, scope: CheckScope, simple: SimpleCommand) -> list[ProvingCheck]:
    named = checks.purposes_of(kind)
    purposes = [TEST] if TEST in named else [LINT] if LINT in named or "types" in named else []
    if "build" in named or kind == "make":
        purposes.append(BUILD)
    if kind == "go vet":
        purposes.append(LINT)
    program = _reporting_program(kind, simple)
    return [
        ProvingCheck(
            purpose=each,
            program=program,
            folders=_folders_of(simple),
            part=_why_a_part(kind, scope, simple, purpose=each),
            within=containers.within(simple.words),
        )
        for each in purposes
    ]


def _reporting_program(kind: str, simple: SimpleCommand) -> str:
    """`python -m unittest` reports as unittest."""
    if simple.program.startswith("python") and "unittest" in simple.started:
        return "unittest"
    if kind == "cargo nextest":
        return "nextest"
    return kind.partition(" ")[0]


def _why_a_part(kind: str, scope: CheckScope, simple: SimpleCommand, *, purpose: str) -> str:
    if scope.is_selective:
        return "it ran a selection of the tests"
    why = _why_a_part_of_tests(kind, simple) if purpose == TEST else ""
    if why := why or _why_not_as_it_seems(kind, simple):
        return why
    if checks.runs_a_part(kind):
        return "its name says that it runs a part of the checks"
    if purpose != TEST and not _ONE_PACKAGE.isdisjoint(word.partition("=")[0] for word in simple.started[1:]):
        return "it concerns only some packages"
    if purpose == LINT and weak_checks.chooses_rules(kind.partition(" ")[0], simple.started):
        return "it was told which rules count"
    return _why_narrow(kind, scope, simple, purpose=purpose)


def _why_narrow(kind: str, scope: CheckScope, simple: SimpleCommand, *, purpose: str) -> str:
    glob = next((word for word in simple.started[1:] if _names_some(word)), "")
    if glob:
        return f"it concerns only {glob}"
    if purpose == TEST and any(_is_wide(place, purpose) for place in scope.places):
        return ""  # whatever else it names comes on top of that
    if kind in _OF_ONE_PACKAGE and not any(word.endswith("...") for word in simple.started):
        return "without ./... it concerns one package"
    narrow = sorted(place for place in scope.places if not _is_wide(place, purpose))
    return f"it concerns only {narrow[0]}" if narrow else ""


def _names_some(word: str) -> bool:
    """Whether a pattern of file names says more than that they are tests: `t/*_cart.py`, not `t/**/test_*.py`."""
    _, star, behind = word.partition("*")
    return bool(star) and not word.startswith("-") and _ANY_TEST.fullmatch(behind) is None


_ANY_TEST = compiled_later(r"\A(?:[*/._-]|tests?|specs?)*(?:\.(?:\w+|\{[\w,]+\}))?", re.I)


def _why_a_part_of_tests(kind: str, simple: SimpleCommand) -> str:
    if checks.has_a_selecting_flag(simple):
        return "it ran a selection of the tests"
    if simple.outputs:
        return "its report went to a file"
    picks = _picks_by_itself(kind, simple) or weak_checks.picks(kind.partition(" ")[0], simple.started)
    return "one of its flags picks some of the tests" if picks else ""


def _why_not_as_it_seems(kind: str, simple: SimpleCommand) -> str:
    """Why a command may run something other than it says, or elsewhere; empty if it does not."""
    if _is_somebody_elses(simple):
        return "it is not sure which program that is"
    before = simple.text.partition(simple.started[0])[0].split()
    if any(map(_GOES_ELSEWHERE.match, before)):
        return "it ran in another folder"
    if kind.startswith("make") and any(map(_loosens_make, simple.started[1:])):
        return "make was told to set a variable, or not to stop at a failure"
    return containers.why_elsewhere(simple.words) or weak_checks.why_weak(kind.partition(" ")[0], simple.started)


def _is_somebody_elses(simple: SimpleCommand) -> bool:
    """Whether a well-known program is named by a path that no installation has."""
    folder, _, name = simple.started[0].rpartition("/")
    return bool(folder or simple.started[0].startswith("/")) and (
        _WELL_KNOWN.fullmatch(name) is not None and folder.rpartition("/")[2] not in _INSTALLED_IN
    )


def _loosens_make(word: str) -> bool:
    return bool(_IGNORES_FAILURES.fullmatch(word) or _SETS_MORE_THAN_A_NUMBER.match(word))


def _why_a_part_of_files(simple: SimpleCommand) -> str:
    """For a program that takes files of tests, and runs all tests if it is given none."""
    if _is_somebody_elses(simple):
        return "it is not sure which program that is"
    if simple.outputs:
        return "its report went to a file"
    simple = replace(simple, started=tuple(word for word in simple.started if word != "--test"))  # node's own verb
    is_selection = checks.has_a_selecting_flag(simple) or _picks_by_itself("tap", simple)
    if is_selection or weak_checks.picks(simple.program, simple.started):
        return "it ran a selection of the tests"
    if why := weak_checks.why_weak(simple.program, simple.started):
        return why
    return "it names files" if any(map(_names_files, simple.started, simple.started[1:])) else ""


def _names_files(before: str, word: str) -> bool:
    """Whether a word names some of the tests: not a flag, the value of one of node's, or the folder of all tests."""
    return not word.startswith("-") and before not in _VALUED_OF_NODE and not _is_wide(checks.place_of(word), TEST)


def _picks_by_itself(kind: str, simple: SimpleCommand) -> bool:
    flags = {word.partition("=")[0] for word in simple.started[1:] if word.startswith("-")}
    if kind.startswith(_SCRIPTS) and "--" in simple.started:
        handed_on = simple.started[simple.started.index("--") + 1 :]
        if any(not word.startswith("--") for word in handed_on):
            return True  # `-t`, or the path or the name of a test
    return weak_checks.picks_by_itself(kind.partition(" ")[0], flags, _PICKS_BY_ITSELF)


def _is_wide(place: str, purpose: str) -> bool:
    """Whether a place that is named leaves nothing out, as far as its name says: of tests, the folder of all tests; of
    the rest, any folder at the top."""
    if purpose == TEST:
        return place in _WHOLE_FOLDERS or ("/" not in place and place.endswith((".sln", ".slnx")))
    return not _NOT_A_FOLDER_AT_THE_TOP.search(place.lstrip("."))


_NOT_A_FOLDER_AT_THE_TOP = compiled_later(r"[/.$`<]")


def status_is_own(command: str) -> bool:
    """Whether the command surely fails if one of its checks does: behind a check only `&&`, and nothing around it that
    takes the status away."""
    found = read(command)
    if found.outline is None:
        return False
    for node in commands_of(found.outline.tree):
        if isinstance(node, s.Function) or (isinstance(node, s.Simple) and _meddles(node, found.text)):
            return False
    return _is_own(found.outline.tree, found.text)


def _meddles(node: s.Simple, text: str) -> bool:
    first = s.literal(node.words[0]) if node.words else ""
    given = [s.literal(word) or "" for word in node.words[1:]]
    if first == "set":
        return not all(map(_STRICTER.fullmatch, given))
    if not _STARTS_ELSEWHERE.isdisjoint((first, *given)) and any(map(_NOT_HERE.match, given)):
        return True
    if first in ("source", "."):
        return len(given) != 1 or not _ACTIVATES.search(given[0])
    return first is None or first in _CHANGES_THE_STATUS or bool(_VARIABLES.search(text[node.start : node.end]))


def _is_own(tree: s.List, text: str) -> bool:
    seen = False
    for step in tree.steps:
        if step.joined_by == "||" or (seen and (step.joined_by != "&&" or step.background)):
            return False
        if any(_has_check(command, text) for command in step.pipeline.commands):
            if not _step_is_own(step, text):
                return False
            seen = True
    return True


def _step_is_own(step: s.JoinedPipeline, text: str) -> bool:
    several = step.pipeline.commands
    if step.background or step.pipeline.negated or len(several) > 1:
        return False
    return _command_is_own(several[0], text)


def _command_is_own(command: s.Command, text: str) -> bool:
    if isinstance(command, s.Subshell | s.Group):
        return _is_own(command.body, text)
    if not isinstance(command, s.Simple):
        return False
    script = script_run_by([s.literal(word) or "" for word in command.words])
    if script is not None:
        return status_is_own(script)
    return len(commands.simple_commands(text[command.start : command.end])) == 1


def _has_check(command: s.Command, text: str) -> bool:
    if isinstance(command, s.Simple):
        return is_check(text[command.start : command.end])
    inside = commands_of(s.List((s.JoinedPipeline("", s.Pipeline((command,))),)))
    return any(_has_check(each, text) for each in inside if isinstance(each, s.Simple))


def prints_else(command: str) -> str:
    """The program in a command with checks that prints what may look like their report: a file's text, or the words of
    one; empty if there is none."""
    said: list[str] = []
    testers: dict[str, None] = {}
    for simple in commands.simple_commands(command):
        if simple.program in _PRINTERS or (simple.program == "git" and not _GIT_PRINTERS.isdisjoint(simple.started)):
            return simple.program
        if simple.program in _SAYS:
            said.append(" ".join(simple.started[1:]).replace("\\n", "\n"))
        testers |= dict.fromkeys(each.program for each in checks_in(simple.text) if each.purpose == TEST)
    spoken = "\n".join(said)
    return "echo" if said and any(report_in(program, spoken) for program in testers) else ""


def is_suite(folder: str, program: str, exists: Callable[[str], bool]) -> bool:
    """Whether a folder, from the root (empty: the root itself), has tests or checks of its own that no folder above it
    has: it has a manifest of the program's kind, and none above it does. `exists` is asked about paths from the
    root."""
    if not folder:
        return True
    names = _MANIFESTS.get(program, _ANY_MANIFEST)
    parts = folder.split("/")
    above = ["/".join(parts[:count]) for count in range(len(parts))]
    return _has(folder, names, exists) and not any(_has(each, names, exists) for each in above)


def _has(folder: str, names: tuple[str, ...], exists: Callable[[str], bool]) -> bool:
    return any(exists(f"{folder}/{name}" if folder else name) for name in names)
