"""A write whose every target is known and lies in scratch is noetic; nothing else is (SPEC 5.4)."""

from __future__ import annotations

import pytest

from perdure.gate.effects.analysis import analyse
from tests.effort import for_each

from .worlds import Table, world


def effect(command: str, **options: object) -> str:
    return analyse(command, world(**options)).effect  # type: ignore[arg-type]


@for_each(
    "command",
    [
        "echo x > /tmp/a",
        "ls > /tmp/a 2> /var/tmp/b",
        "cd /tmp && echo x > a",
        "cd /tmp; echo x > a",
        "mkdir -p /tmp/d/e && touch /tmp/d/e/f",
        "t=$(mktemp -d); echo x > $t/a; cat $t/a; rm -rf $t",
        't=$(mktemp); sort a.txt > "$t"; wc -l < "$t"',
        "f=/tmp/x.txt; echo x > $f",
        "rm -f /tmp/a /var/tmp/b",
        "sort -o /tmp/a a.txt",
        "tee /tmp/a < a.txt",
        "cp a.txt /tmp/b",
        "cp a.txt /tmp",
        "curl -s -o /tmp/page.html https://example.com",
        "sed -n '1w /tmp/out' a.txt",
        "awk '{print > \"/tmp/out\"}' a.txt",
        "cd /tmp/nowhere && echo x > a",
        "(cd /tmp && echo x > a)",
    ],
)
def test_known_targets_in_scratch_matter_to_nobody(command: str) -> None:
    assert effect(command) == "noetic"


@for_each(
    "command",
    [
        "echo x > /tmp/../repo/a",
        "echo x > /tmp/$name",
        "echo x > $HOME/a",
        "echo x > /tmp",
        "rm -rf /tmp",
        "rm -rf /tmp/*",
        "cd /tmp/nowhere; echo x > a",
        "cd /tmp/nowhere || true; echo x > a",
        "false && cd /tmp; echo x > a",
        "cd $x && echo x > a",
        "cd /tmp && cd - && echo x > a",
        "if cd /tmp; then :; fi; echo x > a; cd /repo; echo y > b",
        "(cd /tmp); echo x > a",
        "cd /tmp | true; echo x > a",
        "mv a.txt /tmp/b",
        "ln -s /repo/a.txt /tmp/l; echo x > /tmp/l",
        "cp -a link /tmp/l; echo x > /tmp/l",
        "cp -s a.txt /tmp/l",
        "f=/tmp/x; f=/repo/y; echo x > $f",
        "sort -o /tmp/a -o b a.txt",
        "echo x > /tmpx/a",
        "mktemp -d /repo/x.XXXX",
        "t=$(mktemp -p .); echo x > $t",
        "t=$(mktemp); echo x > $t/../../repo/a",
    ],
)
def test_anything_else_does(command: str) -> None:
    assert effect(command) != "noetic"


def test_a_link_in_scratch_is_followed() -> None:
    disk = Table(links={"/tmp/l": "/repo/a.txt", "/tmp/d": "/repo/src"})
    assert effect("echo x > /tmp/l", disk=disk) == "praxic"
    assert effect("touch /tmp/d/new", disk=disk) == "praxic"


def test_a_project_in_scratch_is_not_scratch() -> None:
    disk = Table()
    disk.projects.append("/tmp/shop")
    assert effect("echo x > /tmp/shop/a", disk=disk) == "praxic"
    assert effect("echo x > /tmp/other", disk=disk) == "noetic"


def test_the_work_itself_is_not_scratch_though_it_lies_there() -> None:
    for cwd in ("/tmp/shop", "/tmp", "/"):
        assert effect("touch a", cwd=cwd, base=cwd) == "praxic", cwd
    assert effect("touch /tmp/shop/a", cwd="/tmp/shop", base="/tmp/shop") == "praxic"
    assert effect("touch /tmp/a", cwd="/tmp/shop", base="/tmp/shop") == "noetic"


def test_a_session_that_went_to_scratch_writes_there() -> None:
    assert effect("touch a", cwd="/tmp", base="/repo") == "noetic"


def test_tmpdir_is_known_where_it_is_set() -> None:
    assert effect("echo x > $TMPDIR/a", temporary="/var/tmp/me") == "noetic"
    assert effect("echo x > ${TMPDIR:-/tmp}/a", temporary="/var/tmp/me") == "noetic"
    assert effect("echo x > $TMPDIR/a") == "praxic"


@pytest.mark.parametrize(
    "command", ["git -C /tmp status", "cd /tmp && git status", "cd /tmp && git log -p", "cd /tmp && npm ls"]
)
def test_a_program_that_believes_its_folder_is_not_asked_in_scratch(command: str) -> None:
    assert effect(command) == "praxic"


def test_nor_in_a_folder_that_the_command_itself_makes_there() -> None:
    assert effect("mkdir -p /tmp/new/.git; echo x > /tmp/new/.git/config; git -C /tmp/new status") == "praxic"


def test_a_glob_that_finds_an_option_is_praxic() -> None:
    disk = Table(names={"/repo": ("a.txt", "-o")})
    assert effect("sort *", disk=disk) == "praxic"
    assert effect("sort -- *", disk=disk) == "noetic"
    assert effect("sort ./*", disk=disk) == "noetic"
    assert effect("sort *") == "noetic"
    assert effect("cat *", disk=disk) == "noetic"


def test_a_glob_in_scratch_may_find_what_the_same_command_wrote() -> None:
    assert effect("cd /tmp && echo x > -o && sort *") == "praxic"


@pytest.mark.parametrize("command", ["rm tf", "mv /tmp/n tf", "sed -i s/x/y/ tf", "cp --remove-destination /tmp/n tf"])
def test_a_link_of_the_work_that_leads_to_scratch_is_the_works(command: str) -> None:
    assert effect(command, disk=Table(links={"/repo/tf": "/tmp/f"})) == "praxic"


@pytest.mark.parametrize(
    "command",
    [
        'cd "$(git rev-parse --show-toplevel)"; cd /tmp && git status',
        'cd /tmp; if true; then cd "$(pwd)"; fi; git status',
        "cd /tmp; cd */; git status",
        "cd /tmp && cd ./x* && git log",
        "for d in /tmp/*/; do cd $d; git status; done",
    ],
)
def test_a_folder_that_may_be_scratch_is_not_believed(command: str) -> None:
    assert effect(command) == "praxic"


@pytest.mark.parametrize(
    "command",
    [
        'cd "$(git rev-parse --show-toplevel)" && git status; git log -1',
        "for d in */; do (cd $d && git log -1); done",
        "cd src && git status",
    ],
)
def test_a_folder_of_the_work_is(command: str) -> None:
    assert effect(command) == "noetic"


DISK = {
    "links": {"/tmp/S/link": "/repo/src", "/tmp/S/f": "/repo/f", "/repo/src/link": "/home/dev"},
    "names": {"/tmp/S": ("-oPWNED", "link", "f"), "/tmp/S/t": (), "/tmp/checkout/.git": (), "/tmp/checkout/src": ()},
}
"""A folder in scratch with a name that is an option and with links, and a git checkout there."""


@pytest.mark.parametrize(
    "command",
    [
        'cd /tmp/S && for f in *; do cd /repo && sort "$f"; done',
        'cd /tmp/S && a=(*) && cd /repo && sort "${a[@]}"',
        'cd /tmp/S; for f in *; do (cd /repo; sort "$f"); done',
        'for f in /tmp/*; do cd /tmp/S; done; for g in *; do cd /repo && sort "$g"; done',
        "cd -P /tmp/S/link/.. && echo x > f",
        "cd /tmp/S && cp /repo/src/f .",
        "cd /tmp && cp /repo/src/f S",
        "cp src/f /tmp/S",
        "cp -rT src /tmp/S",
        "cp -r src/link /tmp/S/new",
        "cp -P src/link /tmp/new",
        "rm -rf /tmp/checkout",
        "rm -rf /tmp/checkout/.git",
        "rm /tmp/checkout/src/a.c",
        "mv /tmp/checkout /tmp/elsewhere",
        "cd /tmp && rm -rf checkout",
    ],
)
def test_what_stands_in_scratch_already_counts(command: str) -> None:
    assert effect(command, disk=Table(**DISK)) == "praxic"


@pytest.mark.parametrize(
    "command",
    [
        'for f in *; do sort "$f"; done',
        'a=(*.py); sort "${a[@]}"; cd docs && ls',
        "cd /tmp/S && cp /repo/src/g t",
        "cp -rT src /tmp/new",
        "cp -rL src/link /tmp/new",
        "rm -rf /tmp/S/t",
    ],
)
def test_what_does_not_reach_it_stays_allowed(command: str) -> None:
    assert effect(command, disk=Table(**DISK)) == "noetic"


OBEYED = [
    ("cargo --version", "/repo/rust-toolchain.toml", '[toolchain]\npath = "evil"', "channel = '1.80'"),
    ("cargo metadata --locked", "/repo/.cargo/config.toml", "[build]\nrustc-wrapper = 'x'", "[net]\noffline = true"),
    ("ruff check .", "/repo/pyproject.toml", "[tool.ruff]\nfix = true", "[tool.ruff]\nextend-select = ['I']"),
    ("ruff check .", "/repo/ruff.toml", 'extend = "other.toml"', "line-length = 100"),
    ("mvn -v", "/repo/.mvn/jvm.config", "-javaagent:x.jar", ""),
    ("yarn --version", "/repo/.yarnrc.yml", "yarnPath: .yarn/x.cjs", "nodeLinker: node-modules"),
    ("yarn list", "/repo/package.json", '{"packageManager": "yarn@https://x"}', '{"packageManager": "yarn@4.1.0"}'),
    ("pnpm list", "/repo/.pnpmfile.cjs", "module.exports = {}", ""),
    ("bundle list", "/repo/Gemfile", "system 'touch PWNED'", ""),
    ("composer show", "/repo/composer.json", '{"scripts": {"pre-command-run": "x"}}', '{"name": "a/b"}'),
    ("uv pip list", "/repo/uv.toml", "cache-dir = 'src'", ""),
    ("npm ls", "/repo/.npmrc", "git = ./evil", "save-exact=true"),
    ("tsc --noEmit", "/repo/tsconfig.json", '{"compilerOptions": {"incremental": true}}', '{"include": ["src"]}'),
    ("tsc --noEmit", "/repo/tsconfig.json", '{"extends": "./base.json"}', '{"include": ["src"]}'),
]
"""A reader, a file of the repository that it obeys, a text with which it runs or writes something, and another one."""


@pytest.mark.parametrize(("command", "file", "hostile", "harmless"), OBEYED)
def test_a_repositorys_configuration_is_not_the_persons(command: str, file: str, hostile: str, harmless: str) -> None:
    assert effect(command, disk=Table(texts={file: hostile})) == "praxic"
    assert effect(command, disk=Table(texts={file: harmless})) == "noetic"


def test_configuration_above_the_project_counts_where_anybody_can_write_it() -> None:
    places = {"cwd": "/tmp/a/repo", "base": "/tmp/a/repo"}
    disk = Table(texts={"/tmp/a/rust-toolchain": "path = 'x'"})
    disk.projects = ["/tmp/a/repo"]
    assert effect("cargo --version", disk=disk, **places) == "praxic"
    disk.texts = {"/home/dev/rust-toolchain": "path = 'x'"}
    assert effect("cargo --version", disk=disk, **places) == "noetic"


def test_supervisorctl_obeys_a_configuration_in_its_folder() -> None:
    for names in ({"/repo": ("supervisord.conf",)}, {"/repo": ("etc",), "/repo/etc": ("supervisord.conf",)}):
        assert effect("supervisorctl status", disk=Table(names=names)) == "praxic"
    assert effect("supervisorctl status", disk=Table(names={"/repo": ("a.txt",)})) == "noetic"
    assert effect("cd /tmp && supervisorctl status") == "praxic"


@pytest.mark.parametrize("names", [("json.py",), ("argparse.py",), ("pip.py",), ("re.abi3.so",)])
def test_python_would_load_what_stands_in_its_folder(names: tuple[str, ...]) -> None:
    disk = Table(names={"/repo": names})
    assert effect("python3 -m json.tool data.json", disk=disk) == "praxic"
    assert effect("python3 -P -m json.tool data.json", disk=disk) == "noetic"
    harmless = Table(names={"/repo": ("src", "email", "app.py"), "/repo/email": ("a.txt",)})
    assert effect("python3 -m json.tool data.json", disk=harmless) == "noetic"


@pytest.mark.parametrize(
    "names", [("json.py",), ("traceback.py",), ("_colorize.py",), ("_sysconfigdata__x86_64-linux-gnu.py",), ("org.py",)]
)
def test_code_would_load_what_stands_in_its_folder(names: tuple[str, ...]) -> None:
    disk = Table(names={"/repo": names})
    assert effect("python3 -c 'import json; print(1)'", disk=disk) == "praxic"
    assert effect("python3 -Pc 'import json; print(1)'", disk=disk) == "noetic"
    assert effect("python3 -m json.tool data.json", disk=disk) == "praxic"


def test_a_library_may_load_any_module_of_the_folder() -> None:
    disk = Table(names={"/repo": ("tests", "setup.py"), "/repo/tests": ("a.txt",)})
    asks = "python3 -c 'import requests; print(requests.__version__)'"
    assert effect(asks, disk=disk) == "praxic"
    assert effect(asks.replace("-c", "-P -c"), disk=disk) == "noetic"
    assert effect(asks, disk=Table(names={"/repo": ("src", "a.txt")})) == "noetic"
    package = Table(names={"/repo": ("charset_normalizer",), "/repo/charset_normalizer": ("__init__.py",)})
    assert effect(asks, disk=package) == "praxic"


def test_code_in_a_folder_that_is_not_known() -> None:
    assert effect("cd src && python3 -c 'print(1)'") == "noetic"
    assert effect('d=$(cat a); cd "$d" && python3 -c "print(1)"') == "praxic"
