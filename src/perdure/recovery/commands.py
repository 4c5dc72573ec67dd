"""Answers questions about a session's shell commands: what they are for, how a brief shows them, what their exit code
says.

`simple_commands` reads them with the gate's parser, and the gate decides which of them only look and which write.

    as_shown("cd /work && FOO=1 pytest -q a.py 2>&1 | tail -5") == "FOO=1 pytest -q a.py"
    kind(simple_commands("FOO=1 uv run pytest -q tests/a.py")[0]) == "pytest"
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from perdure.gate.effects import judge_by_card
from perdure.gate.effects.anywhere import NOWHERE, analyse_anywhere
from perdure.gate.effects.finding import NOETIC
from perdure.gate.shell import syntax as s
from perdure.gate.shell.scope import children_of, commands_of
from perdure.model.pattern import compiled_later
from perdure.recovery.simple_commands import in_one_line, read, without_documents, without_silencing
from perdure.recovery.starters import program_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

    from perdure.gate.shell.outline import Outline
    from perdure.recovery.simple_commands import SimpleCommand

_FILTERS = frozenset("tail head grep egrep rg less more cat tee sed wc sort uniq awk cut tr nl column".split())
"""Behind a pipe they only cut the output of the command before them, and hide its exit code."""
_SEARCHES = frozenset("grep egrep rg".split())
_CHORES = frozenset("ls dir pwd cd pushd popd rm rmdir del echo printf clear sleep true which whoami date tree".split())
"""Programs that list or tidy up."""
_ONCE = frozenset("mkdir cp mv chmod chown ln touch kill killall pkill unzip".split())
"""Programs that are run once, for one purpose."""
_OPTIONS_WITH_VALUES = frozenset(
    "-C -f -w -p --prefix --filter --cwd --project --manifest-path --dir --directory".split()
)
"""Options between a program and its sub-command that take the next word as their value."""
_HAVE_SUBCOMMANDS = frozenset(
    """git cargo go npm pnpm yarn bun deno docker podman make just task mise gh kubectl helm terraform dotnet
    bazel gradle
    gradlew mvn mvnw swift xcodebuild flutter dart mix rails rake composer php zig nix pip uv poetry perdure ruff
    alembic aws gcloud az brew apt apt-get dnf yum pacman apk systemctl service heroku vercel netlify firebase
    supabase prisma conda rustup asdf fly flyctl wrangler sam serverless pulumi pre-commit ng nx turbo lerna sbt
    lein dune meson stack cabal forge hardhat hatch pdm rye pixi devbox poe inv invoke""".split()
)
_HAVE_TWO_SUBCOMMANDS = frozenset("gh aws gcloud az php".split())
RUN_WORDS = frozenset("run run-many run-script run-parallel compose task exec x workspace".split())
"""Sub-commands that do not say what is run."""
_SUBCOMMAND = compiled_later(r"\A[a-z][\w:-]{1,30}\Z")
_OWN_SCRIPT = compiled_later(r"\A(?:\./|\.\./|bin/|scripts?/|tests?/)|\.(?:sh|py|js|ts|rb|pl|php)\Z")
"""A script of the project, which may do several things."""
_INTERPRETER = compiled_later(r"\A(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|php|deno|tsx|ts-node)\Z")
_SCRIPT_FILE = compiled_later(r"\A[\w./-]+\.\w+\Z")
_SEARCH_TEXTS = frozenset("grep egrep fgrep zgrep rg ag ack".split())
_SEARCH_NAMES = frozenset("find fd fdfind locate".split())
_CHECKS = compiled_later(
    r"""\b(?: tests? | pytest | unittest | jest | vitest | mocha | playwright | cypress | tox | nox
        | check | lint | ruff | mypy | pyright
        | eslint | tsc | build | compile | make
        | cargo(?![ ](?:add|remove|rm|update|search|init|new|tree|metadata|fetch|vendor|clean|login|publish)\b)
        | go[ ](?:test|build|vet) | gradlew? | mvnw? | dotnet | rspec
        | rake | phpunit | phpstan | pest | gotestsum | ctest | cmake | ninja | bazel | type-?check | flake8 | clippy
        | prettier | biome | black | isort | npm[ ]t
        | busted
        | golangci-lint | shellcheck | xcodebuild | swiftlint | gcc | g\+\+ | clang | javac | rustc | hadolint )\b""",
    re.X,
)
"""In a kind: it is a check."""
_NEVER_CHECKS = frozenset("test git gh perdure type which whereis man info help alias unalias echo".split())
"""Programs that do not check the work, although a kind of theirs may sound so: `test -f`, `git check-ignore`."""
_VERBOSE = {
    **dict.fromkeys("pytest py.test unittest tox nox mypy flake8 black isort prove".split(), "-v"),
    "ctest": "-V",
}
"""Program → the flag with which it prints more, and which most others answer with their version."""
_REFUSED = compiled_later(r"(?m)^perdure: ")
_RAN = compiled_later(r"\AExit code \d+\n?")
"""How a client begins the output of a failed command."""
_OPTIONS_OF_SSH = frozenset("-i -p -o -l -F -J -L -R -D -W -b -c -m -w".split())
"""Options of `ssh` that take the next word as their value."""
_ABSOLUTE_FOLDER = compiled_later(r"[\"']?(?:[/~$]|[A-Za-z]:)")
_LONGEST_SHOWN = 200
"""Characters of a command in a brief."""
_BEGINNING = 60
"""Characters that are shown of the beginning of a longer one."""
_LONGEST = 4000


def simple_commands(command: str) -> tuple[SimpleCommand, ...]:
    """The simple commands in their order. `cd` is not one of them; the commands behind it have its folder in
    `folders`."""
    return read(command).simple


# -- how a brief shows a command --------------------------------------------------------------------------------------


def as_shown(command: str) -> str:
    """The command on one line, without the `cd` to the project, filters of its output, and here-documents."""
    found = read(command)
    if found.outline is None:
        return " ".join(without_documents(found.text)[:_LONGEST].split())
    start, _ = _behind_leading_cd(found.text, found.outline)
    end, last = _before_trailing_filters(found.outline.tree, len(found.text))
    line = in_one_line(found.text, found.outline, start, end=end).lstrip("&; ").rstrip("| ")
    return without_silencing(line, last) if last else line


def _behind_leading_cd(text: str, found: Outline) -> tuple[int, int]:
    """Where the text continues behind `cd`s to absolute folders at its beginning, and how many steps they are.

    Agents often begin a command with a `cd` to the project. A `cd` to a relative folder stays: it is part of the
    command."""
    start = passed = 0
    for step, following in zip(found.tree.steps, found.tree.steps[1:], strict=False):
        command = step.pipeline.commands[0]
        if not _is_cd(step) or following.joined_by == "||" or not isinstance(command, s.Simple):
            break
        begin, end = found.words[command.start][1]
        if not _ABSOLUTE_FOLDER.match(text[begin:end]):
            break
        start, passed = command.end, passed + 1
    return start, passed


def _is_cd(step: s.JoinedPipeline) -> bool:
    command = step.pipeline.commands[0]
    return (
        len(step.pipeline.commands) == 1
        and not step.background
        and isinstance(command, s.Simple)
        and len(command.words) == 2
        and s.literal(command.words[0]) == "cd"
    )


def _before_trailing_filters(tree: s.List, end: int) -> tuple[int, s.Command | None]:
    """Where the text ends without the filters of its last pipeline, and the last command before those filters."""
    if not tree.steps or tree.steps[-1].background:
        return end, None
    several = tree.steps[-1].pipeline.commands
    while len(several) > 1 and _is_filter(several[-1]):
        end = several[-1].start
        several = several[:-1]
    return end, several[-1]


def _is_filter(command: s.Command) -> TypeGuard[s.Simple]:
    return isinstance(command, s.Simple) and bool(command.words) and s.literal(command.words[0]) in _FILTERS


def is_chore(command: str) -> bool:
    """Whether it only lists or tidies up: `ls`, `rm -f x && ls`. That is not work worth telling, nor is its failure."""
    simple = simple_commands(command)
    runs_others = "$(" in command or "`" in command
    return bool(simple) and not runs_others and all(each.program in _CHORES for each in simple)


def makes_room(command: str) -> bool:
    """Whether it only makes, moves or waits for something, once: `mkdir -p src/risk`."""
    simple = simple_commands(command)
    return bool(simple) and all(each.program in _ONCE or each.program in _CHORES for each in simple)


def repeatable(command: str) -> list[str]:
    """What could be run again unchanged: the whole command; or its checks, if it does several things or runs perdure
    among others.

    Nothing, if the command has a here-document: a document, a script or a message is made for one use. Nor a chore."""
    found = read(command)
    if is_chore(command) or ("<<" in found.text and (found.outline is None or _carries_text(found.outline))):
        return []
    if found.outline and not _is_report(found.text, found.outline) and not any(map(_runs_perdure, found.simple)):
        texts = [as_shown(command)]
    else:
        texts = [each.text for each in found.simple if makes_a_check(each)]
    return [text for text in texts if 0 < len(text) <= _LONGEST_SHOWN]


def _carries_text(found: Outline) -> bool:
    for node in commands_of(found.tree):
        if any(redirect.operator.startswith("<<") for redirect in getattr(node, "redirects", ())):
            return True
    return False


def _is_report(text: str, found: Outline) -> bool:
    """Whether it does several things one after another, or prints text between them."""
    _, passed = _behind_leading_cd(text, found)
    return _does_several_things(s.List(found.tree.steps[passed:]))


def _does_several_things(node: s.List | s.Command) -> bool:
    if isinstance(node, s.For | s.ArithmeticFor | s.While | s.If | s.Case | s.Function):
        return True
    if not isinstance(node, s.List):
        return any(_does_several_things(child) for child in children_of(node) if isinstance(child, s.List))
    later = node.steps[1:]
    if any(not step.joined_by or (step.joined_by == "&&" and _prints_words(step)) for step in later):
        return True
    return any(_does_several_things(command) for step in node.steps for command in step.pipeline.commands)


def _prints_words(step: s.JoinedPipeline) -> bool:
    command = step.pipeline.commands[0]
    return isinstance(command, s.Simple) and bool(command.words) and s.literal(command.words[0]) == "echo"


def failure_name(command: str) -> str:
    """The name of a failed command: as it is shown; if that is long, its beginning and the part that failed."""
    whole, found = as_shown(command), main_commands(command)
    if not found or ("<<" not in command and len(whole) <= _LONGEST_SHOWN):
        return whole
    begins, last = _beginning(command), found[-1].text
    return last if last.startswith(begins) else f"{begins} … {last}"


def _beginning(command: str) -> str:
    """Its first words, including those of a here-document."""
    found = read(command)
    start = _behind_leading_cd(found.text, found.outline)[0] if found.outline else 0
    text = " ".join(found.text[start : start + _LONGEST].lstrip("&;\n ").split())
    return text if len(text) <= _BEGINNING else text[:_BEGINNING].rpartition(" ")[0] or text[:_BEGINNING]


def main_commands(command: str) -> list[SimpleCommand]:
    """The commands that matter in it: its checks; without checks, those that do more than look; else all."""
    simple = list(simple_commands(command))
    checks = [each for each in simple if makes_a_check(each)]
    return checks or [each for each in simple if not only_looks(each.text)] or simple


# -- what a simple command is -----------------------------------------------------------------------------------------


def kind(simple: SimpleCommand) -> str:
    """The program, with the sub-command that says what it does: `git push`, `pytest`."""
    return _kind_of(simple.started)


@lru_cache(maxsize=512)
def _kind_of(started: tuple[str, ...]) -> str:
    words, program = _without_options(started), program_name(started[0])
    if program in _HAVE_SUBCOMMANDS:
        return " ".join([program, *_subcommands(program, words[1:])])
    if program == "ssh":
        return " ".join([program, *_run_on_a_host(words[1:])])
    if _INTERPRETER.match(program) and len(words) > 1 and _SCRIPT_FILE.match(words[1]):
        return _script(words[1], words[2:3])
    if _OWN_SCRIPT.search(words[0]) and not _CHECKS.search(program):
        return _script(words[0], words[1:2])
    return program


def _without_options(words: Sequence[str]) -> list[str]:
    kept = [*words[:1]]
    before = ""
    for word in words[1:]:
        if word[:1] not in ("-", "+") and before not in _OPTIONS_WITH_VALUES:
            kept.append(word)
        before = word
    return kept


def _subcommands(program: str, words: list[str]) -> list[str]:
    found = [word for word in words if word not in RUN_WORDS][: 2 if program in _HAVE_TWO_SUBCOMMANDS else 1]
    return [*found[:1], *(word for word in found[1:] if _SUBCOMMAND.match(word))]


def targets(simple: SimpleCommand) -> list[str]:
    """What a task program is to make: of `make -C web clean test`, `clean` and `test`. A word behind an option may be
    its value."""
    pairs = zip(simple.started, simple.started[1:], strict=False)
    return [word for before, word in pairs if word[:1] != "-" != before[:1] and "=" not in word]


def _run_on_a_host(words: list[str]) -> list[str]:
    """The first word of the command that `ssh` runs."""
    return words[1].split()[:1] if len(words) > 1 else []


def _script(path: str, given: list[str]) -> str:
    return " ".join([path.rsplit("/", 1)[-1], *(word for word in given if _SUBCOMMAND.match(word))])


def makes_a_check(simple: SimpleCommand) -> bool:
    """Whether it tests, builds or lints the work."""
    return not (_is_a_text(simple.started) or _tells_about_itself(simple.started)) and _is_check_of(simple.started)


def _is_a_text(started: tuple[str, ...]) -> bool:
    """Whether it only prints a quoted text: in PowerShell a text is a command of its own."""
    return " " in started[0] and "/" not in started[0] and "\\" not in started[0]


def _tells_about_itself(started: tuple[str, ...]) -> bool:
    """`pytest --version` runs no test."""
    given = started[1:]
    if not {"--version", "--help"}.isdisjoint(given):
        return True
    verbose = _VERBOSE.get(program_name(started[0]), "")
    return len(given) == 1 and given[0] in ("-h", "-V", "-v", "-VV") and given[0] != verbose


def found_nothing(command: str, error: str | None) -> bool:
    """Whether a command that printed nothing ended with a search without hits. `error` is what the client says about a
    failure. A search in texts then has exit code 1; for another program that is an error."""
    last = simple_commands(command)[-1:]
    program, verb = (last[0].program, "".join(last[0].started[1:2])) if last else ("", "")
    searches_texts = program in _SEARCH_TEXTS or (program, verb) == ("git", "grep")
    if error is None:
        return searches_texts or program in _SEARCH_NAMES
    return searches_texts and error.strip() == "Exit code 1"


@lru_cache(maxsize=512)
def _is_check_of(started: tuple[str, ...]) -> bool:
    """Whether its kind is that of a check. For an unknown program, its first words count, too."""
    if program_name(started[0]) in _NEVER_CHECKS:
        return False
    words, named = _without_options(started), [_kind_of(started)]
    if _OWN_SCRIPT.search(words[0]):
        named.append(words[0])
    if _CHECKS.search(" ".join(named)):
        return True
    return not judge_by_card.is_known(words[0]) and _says_check(words[0], started[1:])


def _says_check(program: str, given: tuple[str, ...]) -> bool:
    """Whether an unknown program is called a check, or is given the word for one: as a part of a name before the first
    option, else alone. What is quoted, an address and a value such as `fix-build` say nothing."""
    end = next((at for at, word in enumerate(given) if word[:1] == "-"), len(given))
    subcommands = [word for word in given[:end] if _SUBCOMMAND.match(word)]
    behind = [word for word in _without_options((program, *given[end:]))[1:4] if _CHECKS.fullmatch(word)]
    return bool(_CHECKS.search(" ".join([program, *subcommands[:3]])) or behind)


def is_check(command: str) -> bool:
    return any(map(makes_a_check, simple_commands(command)))


_judged = lru_cache(maxsize=4096)(analyse_anywhere)


def only_looks(command: str) -> bool:
    """Whether the gate says that it changes nothing. That may be true of a check, too: `ruff check`."""
    return _judged(command).effect == NOETIC


def only_looks_elsewhere(command: str) -> bool:
    """Whether it does nothing but look at another machine: `ssh host 'tail log | grep error'`."""
    simple = simple_commands(command)
    there = [_told_to_host(each) for each in simple if is_remote(each)]
    return bool(there) and all(there) and len(there) == len(simple) and all(map(only_looks, there))


def _told_to_host(simple: SimpleCommand) -> str:
    """What `ssh` runs on the host; empty if that is unknown."""
    words = [*simple.started[1:]]
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _OPTIONS_OF_SSH else words[1:]
    return " ".join(words[1:])


def _only_shows(simple: SimpleCommand) -> bool:
    return not makes_a_check(simple) and only_looks(simple.text)


def reads_its_files(simple: SimpleCommand) -> bool:
    """Whether it reads the files that it names."""
    return makes_a_check(simple) or only_looks(simple.text)


def written_by(simple: SimpleCommand) -> frozenset[str]:
    """The files that it writes or removes, as far as the gate knows, and those that its output goes to: absolute, or
    relative to the folder that it runs in. For `perl -i` the gate does not know which files it changes, so every word
    counts."""
    found = {path.removeprefix(NOWHERE + "/") for path in _judged(simple.text).written}
    found |= set(map(os.path.normpath, simple.outputs))
    if simple.program in ("perl", "ruby") and any(re.match(r"-[a-z]*i", word) for word in simple.words):
        found |= {os.path.normpath(word) for word in simple.words[1:]}
    return frozenset(found)


def new_work_tree(simple: SimpleCommand) -> str:
    """The folder that `git worktree add` makes; empty for another command."""
    if kind(simple) != "git worktree" or "add" not in simple.words:
        return ""
    given = simple.words[simple.words.index("add") + 1 :]
    before = ("", *given)
    folders = [word for word, last in zip(given, before, strict=False) if word[:1] != "-" and last not in ("-b", "-B")]
    return folders[0] if folders else ""


def is_remote(simple: SimpleCommand) -> bool:
    """Whether it does its work on another machine."""
    return simple.program == "ssh"


# -- perdure's own commands -------------------------------------------------------------------------------------------


def _runs_perdure(simple: SimpleCommand) -> bool:
    return simple.program == "perdure"


def only_runs_perdure(command: str) -> bool:
    """Whether it runs perdure, and otherwise only commands that show something. That is not part of the work."""
    simple = simple_commands(command)
    return any(map(_runs_perdure, simple)) and all(_runs_perdure(each) or _only_shows(each) for each in simple)


def was_refused_by_perdure(command: str, output: str) -> bool:
    """Whether it runs perdure among others, and ended because perdure refused. If a check ran before that, the check's
    result counts instead."""
    if not any(map(_runs_perdure, simple_commands(command))):
        return False
    found = _REFUSED.search(output)
    return found is not None and (not is_check(command) or not _RAN.sub("", output[: found.start()]).strip())


# -- what an exit code says -------------------------------------------------------------------------------------------


def hides_exit_code(command: str) -> bool:
    """Whether its exit code belongs to something else than its main command, or that is unknown."""
    found = read(command).outline
    return found is None or _hides(found.tree)


def _hides(tree: s.List) -> bool:
    """Whether the exit code of one of the commands is lost. A `cd` at the beginning does not count."""
    steps = tree.steps
    while len(steps) > 1 and _is_cd(steps[0]) and not steps[1].joined_by:
        steps = steps[1:]
    joined = [step.joined_by for step in steps[1:]]
    if "" in joined or "||" in joined or any(step.background for step in steps):
        return True
    return any(_hides_in_pipeline(step.pipeline) for step in steps)


def _hides_in_pipeline(pipeline: s.Pipeline) -> bool:
    if len(pipeline.commands) > 1 and any(map(_is_filter, pipeline.commands[1:])):
        return True
    return any(_hides_in_compound(command) for command in pipeline.commands)


def _hides_in_compound(command: s.Command) -> bool:
    if isinstance(command, s.Subshell | s.Group):
        return _hides(command.body)
    return isinstance(command, s.For | s.ArithmeticFor | s.While | s.If | s.Case)


def hides_outcome(command: str) -> bool:
    """Whether neither its exit code nor its output comes from its check: the check runs in the background, or prints
    into a file."""
    kept_away = any(each.outputs or each.in_background for each in simple_commands(command) if makes_a_check(each))
    return kept_away and hides_exit_code(command)


def failure_message(command: str) -> str:
    """What it prints if a check in it fails: `make || echo BROKEN`."""
    last: SimpleCommand | None = None
    """The last command that is not an `echo`."""
    for each in simple_commands(command):
        if each.words[0] != "echo":
            last = each
        elif each.after_failure and last and makes_a_check(last):
            return " ".join(each.words[1:])
    return ""


def final_search(command: str) -> SimpleCommand | None:
    """The search that filters its output at the end, if there is one: its exit code then only says whether that search
    found something."""
    found = read(command)
    if found.outline is None or not found.outline.tree.steps or not found.simple:
        return None
    piped = len(found.outline.tree.steps[-1].pipeline.commands) > 1
    return found.simple[-1] if piped and found.simple[-1].words[0] in _SEARCHES else None
