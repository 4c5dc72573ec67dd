"""The sessions: work over copies of real packages, with tests that really fail and are really mended.

`SESSIONS` names them. Each makes its repository in an empty folder and returns the script of work over it.
"""

# ruff: noqa: E501 - contents and commands stand as they are typed

from __future__ import annotations

import ast
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import cfgv
import filelock
import identify
import pathspec
import platformdirs

from bench.recovery.work import Work
from perdure.rehearsal.messages import call, say

CONFIGURATION = '[tool.pytest.ini_options]\npythonpath = ["src"]\n\n[tool.ruff]\nlint.select = ["F"]\n'
TEST = "pytest -q"
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
Bug = tuple[str, str, str]
"""Where, the right text, the wrong one."""


def repository(root: Path, modules: Sequence[ModuleType], files: Mapping[str, str], bugs: Sequence[Bug] = ()) -> Path:
    """Copies of packages under src/, with files beside them and bugs to be found in them."""
    (root / "src").mkdir(parents=True)
    for module in modules:
        source = Path(str(module.__file__))
        if source.name == "__init__.py":
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(source.parent, root / "src" / source.parent.name, ignore=ignored)
        else:
            shutil.copy(source, root / "src")
    for name, content in {"pyproject.toml": CONFIGURATION, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    for path, right, wrong in bugs:
        text = (root / path).read_text()
        assert text.count(right) == 1, f"{path}: {right!r}"
        (root / path).write_text(text.replace(right, wrong))
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "As it was"]):
        subprocess.run(["git", "-C", str(root), *IDENTITY, *command], check=True, capture_output=True)
    return root


# -- a feature over several files ------------------------------------------------------------------------------------


def feature(root: Path) -> Work:
    files = {
        "CHANGELOG.md": "# Changes\n\n## Unreleased\n",
        "docs/usage.md": "# Usage\n\n`user_data_dir` gives the folder for data.\n",
        "tests/test_unix.py": TEST_UNIX,
    }
    work = Work(repository(root, [platformdirs], files))
    core, cli, api = "src/platformdirs/describe.py", "src/platformdirs/__main__.py", "src/platformdirs/api.py"
    work.prompt(
        "Add a function `describe_dirs` that gives all folders of an application as one dictionary, and show it on the "
        "command line with --json. Never touch src/platformdirs/windows.py, somebody else is rewriting it. "
        "Always run ruff check before you commit.",
        rules=[
            "Never touch src/platformdirs/windows.py, somebody else is rewriting it.",
            "Always run ruff check before you commit.",
        ],
    )
    work.words("I'll look at how the package is laid out first.")
    work.run("git log --oneline | head -5 && ls src/platformdirs tests docs")
    work.run('grep -n "^class \\|^def " src/platformdirs/api.py src/platformdirs/unix.py')
    work.look(api, 1, 120)
    work.look(cli)
    work.look("src/platformdirs/unix.py", 30, 80)
    work.look("src/platformdirs/macos.py", 1, 60)
    work.plan(
        "Write describe_dirs in describe.py",
        "Add --json to the command line",
        "Test describe_dirs on an empty application name",
        "Document describe_dirs in docs/usage.md",
        "Enter it in the changelog",
    )
    work.begin("Write describe_dirs in describe.py")
    work.write(core, DESCRIBE)
    work.write("tests/test_describe.py", TEST_DESCRIBE)
    work.check(f"{TEST} tests/test_describe.py")
    work.words("`describe_dirs` leaves out folders of the site: the prefix test is too narrow.")
    work.look(core)
    work.edit(core, 'name.startswith("user_")', 'name.startswith(("user_", "site_"))')
    work.check(f"{TEST} tests/test_describe.py")
    work.done("Write describe_dirs in describe.py")
    work.begin("Add --json to the command line")
    work.words("Next the command line: `main` in __main__.py needs a --json switch.")
    work.compact()
    work.look(cli)
    work.edit(cli, "def main() -> None:", "def as_json(appname: str) -> str:\n" + AS_JSON + "\n\ndef main() -> None:")
    work.check("ruff check src/platformdirs/describe.py src/platformdirs/__main__.py", "ruff")
    work.edit(cli, "from typing import TYPE_CHECKING\n", "import json\nfrom typing import TYPE_CHECKING\n")
    version = "from platformdirs import PlatformDirs, __version__\n"
    work.edit(cli, version, version + "from platformdirs.describe import describe_dirs\n")
    work.check("ruff check src/platformdirs/describe.py src/platformdirs/__main__.py", "ruff")
    work.write("tests/test_command_line.py", TEST_COMMAND_LINE)
    work.check(f"{TEST} tests/test_command_line.py")
    work.done("Add --json to the command line")
    work.prompt("Good. Also give describe_dirs a parameter `only` that takes a prefix, and keep the old call working.")
    work.look(core)
    work.edit(core, "def describe_dirs(appname: str)", 'def describe_dirs(appname: str, only: str = "")')
    work.edit(core, "    return {", "    prefixes = (only,) if only else PREFIXES\n    return {")
    work.look("tests/test_describe.py")
    work.edit("tests/test_describe.py", "def test_site_dirs", TEST_ONLY + "\n\n\ndef test_site_dirs")
    work.check(f"{TEST} tests/test_describe.py")
    work.words("`PREFIXES` does not exist yet, and `test_only_user_dirs` shows it.")
    work.compact()
    work.look(core)
    work.edit(core, "def describe_dirs(", 'PREFIXES = ("user_", "site_")\n\n\ndef describe_dirs(')
    work.edit(core, 'name.startswith(("user_", "site_"))', "name.startswith(prefixes)")
    work.check(f"{TEST} tests/test_describe.py")
    work.look("docs/usage.md")
    work.edit("docs/usage.md", "folder for data.\n", "folder for data.\n\n`describe_dirs` gives all of them.\n")
    work.done("Document describe_dirs in docs/usage.md")
    work.look("CHANGELOG.md")
    work.edit("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- `describe_dirs`\n")
    work.done("Enter it in the changelog")
    work.check("ruff check src/platformdirs/describe.py src/platformdirs/__main__.py", "ruff")
    work.check(TEST)
    work.run('git add -A && git commit -q -m "Describe all folders" && git log --oneline | head -2')
    return work


TEST_UNIX = """from platformdirs.unix import Unix


def test_cache_dir_ends_in_the_name() -> None:
    assert Unix("acme").user_cache_dir.endswith("acme")
"""
DESCRIBE = '''"""All folders of an application at once."""

from __future__ import annotations

from platformdirs import PlatformDirs


def describe_dirs(appname: str) -> dict[str, str]:
    dirs = PlatformDirs(appname)
    names = sorted(name for name in dir(PlatformDirs) if name.endswith("_dir"))
    return {name: getattr(dirs, name) for name in names if name.startswith("user_")}
'''
TEST_DESCRIBE = """from platformdirs.describe import describe_dirs


def test_user_dirs_are_there() -> None:
    assert describe_dirs("acme")["user_data_dir"].endswith("acme")


def test_site_dirs_are_there() -> None:
    assert "site_data_dir" in describe_dirs("acme")
"""
TEST_ONLY = """def test_only_user_dirs() -> None:
    assert all(name.startswith("user_") for name in describe_dirs("acme", only="user_"))"""
AS_JSON = "    return json.dumps(describe_dirs(appname), indent=2)\n"
TEST_COMMAND_LINE = """import json

from platformdirs.__main__ import as_json


def test_json_can_be_read_back() -> None:
    assert json.loads(as_json("acme"))["user_cache_dir"].endswith("acme")
"""


# -- a bug hunt ------------------------------------------------------------------------------------------------------


def hunt(root: Path) -> Work:
    main = "src/identify/identify.py"
    bugs = [
        (main, "ext = ext[1:].lower()", "ext = ext[1:]"),
        (main, "interpreter, _, _ = interpreter.rpartition('.')", "_, _, interpreter = interpreter.partition('.')"),
        (main, "def file_is_text(path: str) -> bool:\n    if not", "def file_is_text(path: str) -> bool:\n    if"),
    ]
    tests = {"tests/test_identify.py": TEST_IDENTIFY, "tests/test_shebang.py": TEST_SHEBANG}
    repository(root, [identify], tests, bugs)
    work = Work(root)
    work.prompt(
        "The tests fail since the last merge. Find out why and mend the code, not the tests. "
        "Do not change anything under src/identify/vendor.",
        rules=["Do not change anything under src/identify/vendor."],
    )
    work.check(f"{TEST} 2>&1 | tail -15")
    work.words("Three failures. I'll begin with the extensions: `test_upper_case_extension`.")
    work.listed("mend tags_from_filename", "mend tags_from_interpreter", "mend file_is_text")
    work.run('grep -n "def " src/identify/identify.py')
    work.look(main, 80, 50)
    work.look("src/identify/extensions.py", 1, 60)
    work.run('grep -n "lower()" -r src/identify | head')
    work.wrong_edit(main, "ext = ext[1:].casefold()", "ext = ext[1:].lower()")
    work.edit(main, "ext = ext[1:]\n", "ext = ext[1:].lower()\n")
    work.check(f"{TEST} tests/test_identify.py::test_upper_case_extension")
    work.done("mend tags_from_filename")
    work.words("Now the interpreters: `tags_from_interpreter` should fall back from python3.11 to python3.")
    work.run('sed -n "100,125p" src/identify/identify.py')
    work.look("src/identify/interpreters.py")
    work.edit(main, "_, _, interpreter = interpreter.partition('.')", "interpreter, _ = interpreter.rpartition('.')")
    work.check(f"{TEST} 2>&1 | tail -15")
    work.words("`rpartition` gives three parts, so `tags_from_interpreter` raises now.")
    work.compact()
    work.look(main, 100, 30)
    work.edit(main, "interpreter, _ = interpreter.rpartition('.')", "interpreter, _, _ = interpreter.rpartition('.')")
    work.check(f"{TEST} tests/test_identify.py")
    work.check(f"{TEST} 2>&1 | tail -15")
    work.done("mend tags_from_interpreter")
    work.words("One is left: `test_text_file`, in `file_is_text`.")
    work.look("tests/test_shebang.py")
    work.prompt("How far are you? Please also say in one line what each bug was when you are done.")
    work.run("git diff --stat")
    work.look(main, 125, 30)
    work.words("`file_is_text` asks the wrong way round whether the file is there.")
    work.compact()
    work.look(main, 125, 30)
    work.edit(main, "    if os.path.lexists(path):", "    if not os.path.lexists(path):")
    work.check(f"{TEST} 2>&1 | tail -15")
    work.done("mend file_is_text")
    work.run("git diff --stat")
    work.run('git commit -qam "Extensions, interpreters and text files are told apart again"')
    return work


TEST_IDENTIFY = """import pytest

from identify import identify


def test_plain_extension() -> None:
    assert identify.tags_from_filename("a.py") == {"python", "text"}


def test_upper_case_extension() -> None:
    assert identify.tags_from_filename("a.PY") == {"python", "text"}


@pytest.mark.parametrize("name", ["python3.11.2", "python3.11"])
def test_interpreter_falls_back(name: str) -> None:
    assert identify.tags_from_interpreter(name) == {"python", "python3"}
"""
TEST_SHEBANG = """from identify import identify


def test_text_file(tmp_path) -> None:
    (tmp_path / "a").write_text("words")
    assert identify.file_is_text(str(tmp_path / "a"))
"""


# -- a detour, given up ----------------------------------------------------------------------------------------------


def detour(root: Path) -> Work:
    util, spec = "src/pathspec/util.py", "src/pathspec/pathspec.py"
    work = Work(repository(root, [pathspec], {"tests/test_normalize.py": TEST_NORMALIZE}))
    work.prompt(
        "Matching the same files again and again is slow. Make `normalize_file` cheaper for repeated calls. "
        "Only the standard library, no new dependencies. You must not change the public signatures.",
        rules=["Only the standard library, no new dependencies.", "You must not change the public signatures."],
    )
    work.run('grep -rn "normalize_file" src | head -20')
    work.look(util, 490, 60)
    work.look(spec, 1, 80)
    work.words("The back ends may be the better place, so I look there first.")
    backends = sorted(str(p.relative_to(root)) for p in (root / "src/pathspec/_backends").rglob("*.py"))
    for path in [*backends, "src/pathspec/backend.py"][:9]:
        work.look(path)
    work.run('grep -rn "_Backend" src/pathspec | head -20')
    agg = "src/pathspec/_backends/agg.py"
    work.run(f'grep -n "simple" {agg} | head')
    work.after(agg, "make_gitignore_backend", "CACHE: dict[str, str] = {}")
    work.check(f"{TEST} tests/test_normalize.py")
    work.run(f"git checkout {agg}")
    work.words(
        "The back ends are a dead end: they see files that are normalized already. I drop that and cache in `util.py`."
    )
    work.listed("cache normalize_file in util.py", "measure 100,000 calls", "say it in the docstring")
    work.look(util, 1, 40)
    work.run('sed -n "490,540p" src/pathspec/util.py')
    work.compact()
    work.look(util, 490, 60)
    work.after(util, "normalize_file", NORMALIZE_CACHED)
    work.check(f"{TEST} tests/test_normalize.py")
    work.words("`normalize_cached` lacks its import of `lru_cache`.")
    work.edit(util, "import posixpath\n", "import posixpath\nfrom functools import lru_cache\n")
    work.check(f"{TEST} tests/test_normalize.py")
    work.write("tests/test_cache.py", TEST_CACHE)
    work.check(f"{TEST} tests/test_cache.py")
    work.done("cache normalize_file in util.py")
    work.run("python -m timeit -s 'import sys; sys.path.insert(0, \"src\")' 'pass'")
    work.prompt("Does it hold when the separators differ? Write a test with backslashes, in tests/test_cache.py.")
    work.look("tests/test_cache.py")
    work.edit("tests/test_cache.py", "def test_the_second", TEST_BACKSLASH + "\n\n\ndef test_the_second")
    work.check(f"{TEST} tests/test_cache.py")
    work.compact()
    work.look(util, 490, 90)
    work.edit(
        util, "\treturn normalize_file(file, separators)\n", "\treturn normalize_file(file, tuple(separators or ()))\n"
    )
    work.edit("tests/test_cache.py", 'normalize_cached("a\\\\b") ==', 'normalize_cached("a\\\\b", ("\\\\",)) ==')
    work.check(f"{TEST} tests/test_cache.py")
    work.check(f"{TEST} tests/test_normalize.py")
    work.edit(util, "\tAs :func:`normalize_file`", "\tRemembers. As :func:`normalize_file`")
    work.done("say it in the docstring")
    work.run("git diff --stat")
    return work


TEST_NORMALIZE = """from pathspec import util


def test_leading_dot_slash_goes() -> None:
    assert util.normalize_file("./a/b") == "a/b"


def test_cached_is_the_same() -> None:
    cached = getattr(util, "normalize_cached", util.normalize_file)
    assert cached("./a/b") == util.normalize_file("./a/b")
"""
NORMALIZE_CACHED = '''@lru_cache(maxsize=4096)
def normalize_cached(file: str, separators: "tuple[str, ...] | None" = None) -> str:
\t"""
\tAs :func:`normalize_file`, for names that come again.
\t"""
\treturn normalize_file(file, separators)
'''
TEST_CACHE = """from pathspec.util import normalize_cached


def test_the_second_call_is_remembered() -> None:
    normalize_cached("./x/y")
    before = normalize_cached.cache_info().hits
    normalize_cached("./x/y")
    assert normalize_cached.cache_info().hits == before + 1
"""
TEST_BACKSLASH = '''def test_backslashes_are_separators() -> None:
    assert normalize_cached("a\\\\b") == "a/b"'''


# -- the person changes their mind -----------------------------------------------------------------------------------


def mind(root: Path) -> Work:
    main, tests = "src/cfgv.py", "tests/test_ranges.py"
    work = Work(repository(root, [cfgv], {"README.md": "# cfgv\n\nValidates configuration.\n"}))
    public = "Do not add any public names to cfgv, prefix everything with an underscore."
    work.prompt(
        f"cfgv needs a check that a number lies in a range. {public} "
        "Always write the test first. Keep lines under 79 characters.",
        rules=[public, "Always write the test first.", "Keep lines under 79 characters."],
    )
    work.run('grep -n "^def check_\\|^check_" src/cfgv.py')
    work.look(main, 220, 120)
    work.write(tests, TEST_RANGES)
    work.check(f"{TEST} {tests}")
    work.words("The test fails as it should: `_check_range` is not there yet.")
    work.after(main, "check_and", CHECK_RANGE)
    work.check(f"{TEST} {tests}")
    work.plan("Check ranges of floats too", "Show the range in the error text")
    work.prompt(
        "Use `ValidationError` for it, not ValueError. And no abbreviations in names from now on.",
        rules=["And no abbreviations in names from now on."],
    )
    work.look(main, 1, 30)
    work.run('grep -n "ValidationError" src/cfgv.py | head')
    work.edit(main, "raise ValueError(f'out of range", "raise ValidationError(f'out of range")
    work.edit(tests, "pytest.raises(ValueError)", "pytest.raises(cfgv.ValidationError)")
    work.check(f"{TEST} {tests}")
    work.begin("Check ranges of floats too")
    work.words("Next: floats. `test_float_in_range` comes first.")
    work.edit(tests, "import cfgv\n", "import cfgv\n\n\n" + TEST_FLOAT)
    work.check(f"{TEST} {tests}")
    work.compact()
    work.look(tests)
    work.look(main, 260, 60)
    work.edit(main, "isinstance(v, int)", "isinstance(v, (int, float))")
    work.check(f"{TEST} {tests}")
    work.done("Check ranges of floats too")
    work.prompt(
        "I changed my mind about the underscore: you can add public names to cfgv now, call it `check_range`. "
        "Mention it in README.md.",
        back=[public],
    )
    work.look(main, 260, 60)
    work.edit(main, "def _check_range(", "def check_range(")
    work.check(f"{TEST} {tests}")
    work.run(f"sed -i 's/_check_range/check_range/' {tests}")
    work.check(f"{TEST} {tests}")
    work.begin("Show the range in the error text")
    work.words("`check_range` is public. Then the error text, then README.md.")
    work.look(tests)
    work.compact()
    work.look(tests)
    work.run(f"printf '\\n\\n%s\\n' \"{TEST_MESSAGE}\" >> {tests}")
    work.check(f"{TEST} {tests}")
    work.look(main, 260, 60)
    work.edit(main, "out of range: {v}", "out of range {low}..{high}: {v}")
    work.check(f"{TEST} {tests}")
    work.done("Show the range in the error text")
    work.look("README.md")
    work.edit("README.md", "Validates configuration.\n", "Validates configuration. `check_range(1, 5)` is new.\n")
    work.run("git add -A && git commit -q -m 'Ranges' && git status --short")
    return work


TEST_RANGES = """import pytest

import cfgv


def test_inside_the_range() -> None:
    cfgv._check_range(1, 5)(3)


def test_outside_the_range() -> None:
    with pytest.raises(ValueError):
        cfgv._check_range(1, 5)(7)
"""
TEST_FLOAT = """def test_float_in_range() -> None:
    cfgv._check_range(1, 5)(3.5)
"""
CHECK_RANGE = """def _check_range(low, high):
    def check(v):
        if not isinstance(v, int) or not low <= v <= high:
            raise ValueError(f'out of range: {v}')
    return check
"""
TEST_MESSAGE = (
    "def test_the_range_is_shown() -> None:\n"
    "    with pytest.raises(cfgv.ValidationError, match='1..5'):\n        cfgv.check_range(1, 5)(9)"
)


# -- many prompts, several compactions -------------------------------------------------------------------------------


def several(root: Path) -> Work:
    """The same kind of step over one module after another: what is needed next is not what was touched last."""
    package, tests = "src/filelock", "tests"
    work = Work(repository(root, [filelock], {"docs/locks.md": "# Locks\n", "CHANGELOG.md": "# Changes\n"}))
    helpers = {
        "_error.py": ("is_timeout", "_error", "Timeout", "isinstance(error, Timeout)"),
        "_util.py": ("is_missing", "_util", "", "isinstance(error, FileNotFoundError)"),
        "_unix.py": ("is_busy", "_unix", "", "isinstance(error, BlockingIOError)"),
        "_soft.py": ("is_stale", "_soft", "", "isinstance(error, FileExistsError)"),
    }
    work.prompt(
        "filelock should tell its errors apart with small predicates: is_timeout, is_missing, is_busy, is_stale, each "
        "in the module it belongs to, each with its own test file. Never edit src/filelock/version.py. "
        "You must run the whole test suite after each module.",
        rules=["Never edit src/filelock/version.py.", "You must run the whole test suite after each module."],
    )
    work.run("ls src/filelock && wc -l src/filelock/*.py | tail -1")
    work.plan(
        *(f"{name} in {file}" for file, (name, *_) in helpers.items()), "Write docs/locks.md", "Update the changelog"
    )
    later = [
        "Go on with the next one. Tests should read like sentences, please.",
        "Wait: is_busy must also be true for PermissionError, but only in _unix.py.",
        "Fine. When the predicates are done, write docs/locks.md with one example each.",
    ]
    rules = [
        ["Tests should read like sentences, please."],
        ["Wait: is_busy must also be true for PermissionError, but only in _unix.py."],
        [],
    ]
    for number, (file, (name, module, _, test)) in enumerate(helpers.items()):
        if number:
            work.prompt(later[number - 1], rules=rules[number - 1])
        path, test_file = f"{package}/{file}", f"{tests}/test{module}.py"
        work.begin(f"{name} in {file}")
        work.run(f'grep -n "^def \\|^class " {path} | head -20')
        work.look(path, 1, 60)
        work.run(f'grep -rn "except " {path} | head')
        work.write(test_file, _predicate_test(name, module, test))
        work.check(f"{TEST} {test_file}")
        work.words(f"As expected, `{name}` cannot be imported yet. Now the code in {file}.")
        if number % 2:
            work.compact()
            work.look(path, 1, 60)
        wrong = test.replace("isinstance", "not isinstance") if number in (1, 3) else test
        work.run(f"printf '\\n\\ndef {name}(error: object) -> bool:\\n    return {wrong}\\n' >> {path}")
        work.check(f"{TEST} {test_file}")
        if wrong != test:
            work.words(f"The sense of `{name}` is turned round.")
            work.run(f"sed -i 's/return not isinstance/return isinstance/' {path}")
            work.check(f"{TEST} {test_file}")
        work.check(TEST)
        work.done(f"{name} in {file}")
        if not number % 2:
            work.words(f"`{name}` is done; {list(helpers)[number + 1]} comes next.")
            work.run("git add -A && git commit -q -m 'One more predicate' && git log --oneline | head -3")
            work.compact()
    work.prompt("Now the docs, and remember the changelog.")
    work.look("docs/locks.md")
    work.write("docs/locks.md", "# Locks\n\n" + "".join(f"- `{name}(error)`\n" for name, *_ in helpers.values()))
    work.done("Write docs/locks.md")
    work.look("src/filelock/_unix.py", 1, 40)
    work.words("Only CHANGELOG.md is left, then the suite and a commit.")
    work.compact()
    work.look("CHANGELOG.md")
    work.edit("CHANGELOG.md", "# Changes\n", "# Changes\n\n- predicates for errors\n")
    work.done("Update the changelog")
    work.check(TEST)
    work.look("docs/locks.md")
    work.run("git add -A && git commit -q -m 'Docs' && git log --oneline | head -3")
    return work


def _predicate_test(name: str, module: str, test: str) -> str:
    kind = test.partition(", ")[2].rstrip(")")
    made = "Timeout('x.lock')" if kind == "Timeout" else f"{kind}()"
    extra = "from filelock import Timeout\n" if kind == "Timeout" else ""
    return (
        f"{extra}from filelock.{module} import {name}\n\n\ndef test_{name}_knows_its_own() -> None:\n    assert {name}({made})\n\n\n"
        f"def test_{name}_leaves_others_alone() -> None:\n    assert not {name}(KeyError('x'))\n"
    )


# -- a subagent ------------------------------------------------------------------------------------------------------


def delegated(root: Path) -> Work:
    path = "src/identify/identify.py"
    work = Work(repository(root, [identify, cfgv], {"tests/test_cli.py": TEST_CLI}))
    work.prompt(
        "identify's command line should take several files at once. Don't rename `main`, other tools import it. "
        "Make sure that the exit code is 1 if any file is missing.",
        rules=[
            "Don't rename `main`, other tools import it.",
            "Make sure that the exit code is 1 if any file is missing.",
        ],
    )
    work.delegate(
        "List the places that print tags, and read them",
        call("Bash", command='grep -rn "print(" src | head -20'),
        call("Read", file_path=str(root / "src/cfgv.py"), limit=60),
        call("Read", file_path=str(root / "src/identify/extensions.py"), limit=60),
        call("Bash", command="ls src/identify/vendor"),
        say("Only src/identify/cli.py prints tags."),
    )
    work.look("src/identify/cli.py")
    work.run('grep -n "def tags_from" src/identify/identify.py')
    work.look(path, 36, 50)
    work.look("tests/test_cli.py")
    work.listed("take several paths in cli.py", "exit code 1 for a missing file", "a line per file in the output")
    work.check(f"{TEST} tests/test_cli.py")
    work.words("`test_two_files` fails, as cli.py takes a single path.")
    work.compact()
    work.look("src/identify/cli.py")
    work.write("src/identify/cli.py", CLI)
    work.check(f"{TEST} tests/test_cli.py")
    work.words("`main` prints, but returns 0 for a missing file: `test_missing_file` fails.")
    work.run(
        "python -c \"import sys; sys.path.insert(0, 'src'); from identify.cli import main; print(main(['nowhere']))\""
    )
    work.edit(
        "src/identify/cli.py",
        "            print(error)\n",
        "            print(error, file=sys.stderr)\n            code = 1\n",
    )
    work.check(f"{TEST} tests/test_cli.py")
    work.done("take several paths in cli.py")
    work.prompt(
        "Also ruff please, it is what CI runs: ruff check src. Leave vendor alone.", rules=["Leave vendor alone."]
    )
    work.check("ruff check src/identify", "ruff")
    work.words("F401 and F821: `sys` is used in cli.py and was never imported.")
    work.compact()
    work.look("src/identify/cli.py")
    work.edit("src/identify/cli.py", "import os\n", "import sys\n")
    work.check("ruff check src/identify", "ruff")
    work.check(f"{TEST} tests/test_cli.py")
    work.done("exit code 1 for a missing file")
    work.run("git diff --stat")
    return work


TEST_CLI = """from identify.cli import main


def test_two_files(tmp_path, capsys) -> None:
    for name in ("a.py", "b.md"):
        (tmp_path / name).write_text("x")
    assert not main([str(tmp_path / "a.py"), str(tmp_path / "b.md")])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_missing_file() -> None:
    assert main(["nowhere"]) == 1
"""
CLI = """from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence

from identify import identify


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="+")
    code = 0
    for path in parser.parse_args(argv).paths:
        try:
            print(json.dumps(sorted(identify.tags_from_path(path))))
        except ValueError as error:
            print(error)
    return code
"""


# -- long: many files, long prompts, a rule that was taken back long ago ---------------------------------------------


def sweep(root: Path) -> Work:
    """One small change in module after module, and in the middle of it something else that is urgent."""
    work = Work(repository(root, [platformdirs, filelock, pathspec], {"tests/test_exports.py": TEST_EXPORTS}))
    modules = _without_exports(work, "platformdirs", "filelock", "pathspec")[:18]
    assert len(modules) > 10
    frozen = "Please do not touch the async modules at all."
    work.prompt(
        "I want every module to say what it exports: an `__all__` with its public functions and classes, sorted, right "
        f"below the future import. {frozen} Always run ruff check on the file you changed. The background is that our "
        "documentation tool takes everything that is not underscored, which gives far too many pages, and the people who "
        "write the guides have asked for this for a long time.",
        rules=[frozen, "Always run ruff check on the file you changed."],
    )
    work.run('grep -rLn "__all__" src --include=*.py | sort | head -60')
    work.run("git log --oneline | head -5")
    work.look("tests/test_exports.py")
    work.check(f"{TEST} tests/test_exports.py 2>&1 | tail -8")
    work.plan("Exports in platformdirs", "Exports in filelock", "Exports in pathspec", "Make the export test strict")
    work.begin("Exports in platformdirs")
    prompts = [
        (2, "You can change the async modules after all, I asked the team. Sort case-sensitively.", [], [frozen]),
        (4, "What is left in filelock? Take the modules with the most public names first. Never export names of modules "
            "that were only imported, that went wrong the last time somebody tried this and it took us a week to notice "
            "since nothing failed until the guides were built.",
            ["Never export names of modules that were only imported, that went wrong the last time somebody tried this and "
             "it took us a week to notice since nothing failed until the guides were built."], []),
        (6, "Stop for a moment: `normalize_file` must strip a trailing slash, a user is waiting for it. Add a test in "
            "tests/test_slash.py. Then go on with the exports.", [], []),
        (8, "Thanks, that is what they needed. Go on.", [], []),
        (10, "Are the tests in CI order? Whatever, finish the rest and make the export test strict.", [], []),
    ]  # fmt: skip
    said = {at: (text, rules, back) for at, text, rules, back in prompts}
    for number, path in enumerate(modules):
        if number in said:
            text, rules, back = said[number]
            work.prompt(text, rules=rules, back=back)
        if number == 6:
            _urgent(work)
        _export(work, path, wrong=number in (3, 5, 9))
        if number in (3, 5, 9):
            work.words(f"{len(modules) - number - 1} modules are left; {modules[number + 1]} is next.")
            work.check(f"{TEST} tests/test_exports.py 2>&1 | tail -8")
            work.compact()
        if number == 2:
            work.done("Exports in platformdirs")
            work.begin("Exports in filelock")
    work.begin("Make the export test strict")
    work.look("tests/test_exports.py")
    work.edit("tests/test_exports.py", "# every name exists", "# every name exists, in order")
    work.check(f"{TEST} 2>&1 | tail -8")
    work.run("git add -A && git commit -q -m 'Say what is exported' && git log --oneline | head -5")
    return work


def _without_exports(work: Work, *packages: str) -> list[str]:
    found = [path for name in packages for path in sorted((work.root / "src" / name).rglob("*.py"))]
    paths = [str(path.relative_to(work.root)) for path in found]
    return [p for p in paths if work.text(p).count(FUTURE) == 1 and "__all__" not in work.text(p) and _public(work, p)]


def _public(work: Work, path: str) -> list[str]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    nodes = ast.parse(work.text(path)).body
    return sorted(node.name for node in nodes if isinstance(node, kinds) and not node.name.startswith("_"))


def _export(work: Work, path: str, *, wrong: bool) -> None:
    names = _public(work, path)
    line = f"__all__ = {names}\n".replace("'", '"')
    work.run(f'grep -n "^def \\|^class " {path}')
    work.look(path, 1, 40)
    typed = line.replace(names[0], names[0] + "s", 1) if wrong else line
    work.edit(path, FUTURE, f"{FUTURE}\n{typed}")
    work.check(f"ruff check {path}", "ruff")
    if wrong:
        work.words(f"A slip of the pen in {path}: it is `{names[0]}`.")
        work.edit(path, typed, line)
        work.check(f"ruff check {path}", "ruff")


def _urgent(work: Work) -> None:
    util, tests = "src/pathspec/util.py", "tests/test_slash.py"
    work.write(tests, TEST_SLASH)
    work.check(f"{TEST} {tests}")
    work.run('grep -n "def normalize_file" -A 45 src/pathspec/util.py | tail -15')
    work.look(util, 494, 45)
    work.words("`normalize_file` ends in `return norm_file`; the slash goes there.")
    work.edit(util, "\treturn norm_file\n", "\treturn norm_file.rstrip('/')\n")
    work.check(f"{TEST} {tests}")
    work.words("`test_trailing_slash_goes` passes, but `test_root_stays` shows that the root is lost.")
    work.listed("keep the root in normalize_file", "tell the user in the changelog")
    work.look(tests)
    work.compact()
    work.look(util, 494, 45)
    work.edit(util, "\treturn norm_file.rstrip('/')\n", "\treturn norm_file.rstrip('/') or '.'\n")
    work.check(f"{TEST} {tests}")
    work.done("keep the root in normalize_file")


FUTURE = "from __future__ import annotations\n"
TEST_SLASH = """from pathspec.util import normalize_file


def test_trailing_slash_goes() -> None:
    assert normalize_file("a/b/") == "a/b"


def test_root_stays() -> None:
    assert normalize_file("/") == "."
"""
TEST_EXPORTS = """import ast
import importlib
from pathlib import Path

import pytest

SOURCES = sorted(path for path in Path("src").rglob("*.py") if "__all__" in path.read_text())


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_every_export_exists(path: Path) -> None:
    tree = ast.parse(path.read_text())  # every name exists
    names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    (exports,) = (n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    if path.name != "__init__.py":
        assert set(ast.literal_eval(exports)) <= names
"""


# -- another language, a build ---------------------------------------------------------------------------------------


def build(root: Path) -> Work:
    sources = {"src/stack.h": STACK_H, "src/stack.c": STACK_C, "src/calc.c": CALC_C}
    work = Work(repository(root, [], {"Makefile": MAKEFILE, ".gitignore": "calc\n", "tests/run.sh": RUN_SH, **sources}))
    work.prompt(
        "The calculator must handle division, and must not crash on an empty stack. Compile with -Wall -Werror, always. "
        "No malloc.",
        rules=["Compile with -Wall -Werror, always.", "No malloc."],
    )
    work.run("ls -R . | head -20 && cat Makefile")
    work.check("make", "make")
    work.check("make test", "make test")
    work.look("src/calc.c")
    work.look("src/stack.h")
    work.look("src/stack.c")
    work.look("tests/run.sh")
    work.listed("division in calc.c", "an error for an empty stack in stack_pop", "exit code 2 for nonsense")
    work.edit(
        "src/calc.c",
        "        case '*':",
        "        case '/':\n            b = stack_pop(&s);\n            push(&s, stack_pop(&s) / b);\n            break;\n        case '*':",
    )
    work.check("make 2>&1 | tail -20", "make")
    work.words("`push` is called `stack_push` here.")
    work.compact()
    work.look("src/calc.c")
    work.edit(
        "src/calc.c", "            push(&s, stack_pop(&s) / b);", "            stack_push(&s, stack_pop(&s) / b);"
    )
    work.check("make 2>&1 | tail -20", "make")
    work.check("make test", "make test")
    work.done("division in calc.c")
    work.prompt("What about `1 0 /`? Print 'division by zero' and exit with 3.")
    work.look("tests/run.sh")
    work.run("printf '%s\\n' 'check \"1 0 /\" \"division by zero\"' >> tests/run.sh")
    work.check("make test", "make test")
    work.words("`main` in calc.c has to look at the divisor before it divides.")
    work.compact()
    work.look("src/calc.c")
    work.edit(
        "src/calc.c",
        "            b = stack_pop(&s);\n            stack_push(&s, stack_pop(&s) / b);",
        '            b = stack_pop(&s);\n            if (b == 0) { puts("division by zero"); return 3; }\n            stack_push(&s, stack_pop(&s) / b);',
    )
    work.check("make 2>&1 | tail -20", "make")
    work.check("make test", "make test")
    work.look("src/stack.c")
    work.edit("src/stack.c", "    return s->items[--s->size];", "    return s->size ? s->items[--s->size] : 0;")
    work.check("make 2>&1 | tail -20", "make")
    work.check("make test", "make test")
    work.run("git diff --stat")
    return work


MAKEFILE = """CFLAGS = -Wall -Werror
calc: src/calc.c src/stack.c src/stack.h
\t$(CC) $(CFLAGS) -o calc src/calc.c src/stack.c
test: calc
\tsh tests/run.sh
"""
STACK_H = "struct stack { long items[64]; int size; };\nvoid stack_push(struct stack *s, long item);\nlong stack_pop(struct stack *s);\n"
STACK_C = """#include "stack.h"

void stack_push(struct stack *s, long item) {
    s->items[s->size++] = item;
}

long stack_pop(struct stack *s) {
    return s->items[--s->size];
}
"""
CALC_C = """#include <stdio.h>
#include <stdlib.h>
#include "stack.h"

int main(int argc, char **argv) {
    struct stack s = {{0}, 0};
    long b;
    for (int i = 1; i < argc; i++) {
        switch (argv[i][0]) {
        case '+':
            b = stack_pop(&s);
            stack_push(&s, stack_pop(&s) + b);
            break;
        case '*':
            b = stack_pop(&s);
            stack_push(&s, stack_pop(&s) * b);
            break;
        default:
            stack_push(&s, atol(argv[i]));
        }
    }
    printf("%ld\\n", stack_pop(&s));
    return 0;
}
"""
RUN_SH = """failed=0
check() {
    got=$(./calc $1)
    [ "$got" = "$2" ] && return
    echo "FAIL: $1: got $got, wanted $2"
    failed=1
}
trap 'exit $failed' EXIT
check "1 2 +" 3
check "8 2 /" 4
"""

SESSIONS: dict[str, Callable[[Path], Work]] = {
    "feature": feature,
    "hunt": hunt,
    "detour": detour,
    "mind": mind,
    "several": several,
    "delegated": delegated,
    "sweep": sweep,
    "build": build,
}
