"""Reads from the source whether it keeps the rules of ARCHITECTURE.md and of "How we write" in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from perdure.clients import REGISTERED
from tests.effort import for_each

from .shape_figures import Function, branches, figures, functions, length, parsed, positional, source_files

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "perdure"
LEVELS = {
    "errors": 0,
    "model": 1,
    "beads": 2,
    "clients": 2,
    "files": 2,
    "forks": 2,
    "grounding": 2,
    "jail": 2,
    "lifecycle": 2,
    "proof": 2,
    "masking": 2,
    "transcript": 2,
    "gate": 3,
    "settings": 4,
    "recovery": 4,
    "ledger": 4,
    "views": 4,
    "place": 4,
    "rehearsal": 4,
    "actions": 5,
    "install": 5,
    "doctor": 6,
    "surfaces": 7,
    "__main__": 8,
}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")
CHANGING_VERBS = {"merge", "erase", "begin", "settle", "rebuild"}
"""Verbs of a ledger that change it. `append` is not among them, because lists have it too."""
WRITERS = {
    "actions/record.py",
    "actions/ledger_origin.py",
    "actions/transfer.py",
    "actions/healing.py",
    "actions/restoring.py",
}


@cache
def tree_of(path: Path) -> ast.Module:
    return parsed(path.read_text())


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def room_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(path: Path, *, everywhere: bool) -> Iterator[str]:
    """What a module imports at run time: at its top, or, with `everywhere`, inside its functions too."""
    todo: list[ast.AST] = [tree_of(path)]
    while todo:
        node = todo.pop()
        if is_type_checking(node):
            todo += node.orelse  # type: ignore[attr-defined]
            continue
        if not everywhere and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, path)
        todo += ast.iter_child_nodes(node)


def _from(node: ast.ImportFrom, path: Path) -> Iterator[str]:
    package = ["perdure", *path.relative_to(SOURCE).parts[:-1]]
    base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
    module = ".".join(part for part in (base, node.module or "") if part)
    for alias in node.names:
        inner = SOURCE.parent / Path(*module.split("."), alias.name)
        is_module = inner.with_suffix(".py").exists() or inner.is_dir()
        yield f"{module}.{alias.name}" if is_module else module


@for_each("path", MODULES, ids=name_of)
def test_imports_point_down_or_stay_in_the_room(path: Path) -> None:
    here = room_of(path)
    for imported in imports(path, everywhere=True):
        if not imported.startswith("perdure."):
            continue
        there = imported.split(".")[1]
        if there in LEVELS and there != here:
            assert LEVELS[there] < LEVELS[here], f"{name_of(path)} imports {imported}"


def test_every_room_has_a_level() -> None:
    assert {room_of(path) for path in MODULES} == set(LEVELS)


def test_no_module_imports_itself_through_others() -> None:
    dotted = {f"perdure.{name_of(p)[:-3].replace('/', '.')}".removesuffix(".__init__"): p for p in MODULES}
    graph = {name: {i for i in imports(p, everywhere=False) if i in dotted and i != name} for name, p in dotted.items()}
    done: set[str] = set()
    for start in graph:
        path: list[str] = []

        def visit(name: str, path: list[str] = path) -> None:
            assert name not in path, " → ".join([*path[path.index(name) :], name])
            if name in done:
                return
            path.append(name)
            for below in sorted(graph[name]):
                visit(below)
            path.pop()
            done.add(name)

        visit(start)


def test_no_two_classes_that_others_use_have_the_same_name() -> None:
    """Whoever searches for a name finds one thing."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name_of(path))
    assert {name: where for name, where in found.items() if len(where) > 1} == {}
    assert len(found) > 300, "it looked at the source"


@for_each("path", [p for p in MODULES if room_of(p) != "ledger"], ids=name_of)
def test_no_sql_and_no_driver_outside_the_ledger(path: Path) -> None:
    assert "sqlite3" not in set(imports(path, everywhere=True))
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            assert words[:2] not in (["INSERT", "INTO"], ["DELETE", "FROM"]), node.value
            assert not (words[:1] in (["SELECT"], ["UPDATE"], ["PRAGMA"]) and len(words) > 2), node.value


STORE_MODULES = {f"perdure.ledger.{path.stem}" for path in (SOURCE / "ledger").glob("*.py")} - {
    "perdure.ledger.__init__",
    "perdure.ledger.port",
    "perdure.ledger.header",
    "perdure.ledger.merging",
}
"""What belongs to one kind of store. The port, the file's header and the rules of merging are the same for all."""
STORE_WORDS = re.compile(r"sqlite|-(?:wal|shm|journal)\b")


def store_names(path: Path, text: str) -> list[str]:
    """Where a module names one kind of store: by an import, also one for its types alone, or by a name of its files."""
    found = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported = _from(node, path) if isinstance(node, ast.ImportFrom) else (alias.name for alias in node.names)
            found += [f"line {node.lineno}: {name}" for name in imported if name in STORE_MODULES]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            said = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            found += [f"line {node.lineno}: {word}" for word in STORE_WORDS.findall(said.lower())]
    return found


@for_each("path", [p for p in MODULES if room_of(p) not in ("ledger", "gate")], ids=name_of)
def test_only_the_wiring_names_a_store(path: Path) -> None:
    """The gate names SQLite's own program, which agents run."""
    named = store_names(path, path.read_text())
    assert len(named) == (name_of(path) == "actions/wiring.py"), named


@pytest.mark.parametrize(
    "line",
    [
        "from perdure.ledger.sqlite import SqliteLedger",
        "from perdure.ledger import port, sqlite",
        "from ..ledger.rebuilding import rebuild",
        "import perdure.ledger.memory",
        "if TYPE_CHECKING:\n    from perdure.ledger.sqlite import SqliteLedger",
        "def f():\n    from perdure.ledger.schema import TABLES",
        "for ending in ('', '-wal'): pass",
        "MAGIC = b'SQLite format 3'",
    ],
)
def test_a_store_that_is_named_would_be_seen(line: str) -> None:
    assert store_names(SOURCE / "actions" / "never_written.py", line)


CLIENT_NAMES = sorted({name.split("-")[0] for name in REGISTERED})
CLIENT_WORDS = re.compile(
    rf"(?<![a-z])(?:{'|'.join(CLIENT_NAMES)})(?![a-z])"
    r"|pretooluse|posttooluse|sessionstart\b|permissiondecision|hookspecificoutput|systemmessage|disableallhooks",
    re.I,
)
"""Names of clients, and what only one of them says or understands."""
INSTALLERS_AND_EXAMINERS = [f"{room}/{name}*.py" for room in ("install", "doctor") for name in CLIENT_NAMES]
OF_ONE_CLIENT = {
    "clients/*.py": "the registry, and an adapter for each client",
    "rehearsal/*.py": "runs the real Claude Code against a scripted model",
    "actions/transcripts.py": "there is no port for transcripts yet",
    "actions/transcript_facts.py": "there is no port for transcripts yet",
    "actions/adoption_diff.py": "there is no port for transcripts yet",
    "actions/gathering.py": "there is no port for transcripts yet",
    "actions/recovering.py": "there is no port for transcripts yet",
    "actions/prompts.py": "there is no port for transcripts yet",
    "surfaces/cli/transcript.py": "there is no port for transcripts yet",
    "transcript/claude_code.py": "reads Claude Code's transcripts, with the phrases that it puts there",
    "gate/programs/*.py": "programs that an agent may run; some have a client's name",
    "surfaces/cli/init.py": "`--plugin` writes a plugin for Claude Code",
    "surfaces/cli/hook.py": "an example in the help, for the default client",
    "surfaces/cli/mcp.py": "an example in the help: how to add the MCP server by hand",
    "surfaces/cli/serve.py": "prints how to add the MCP server by hand",
    "surfaces/cli/audit.py": "an example in the help: the name of an agent",
}
"""The only other modules that may know one client, and why. Everything else asks `clients`."""


def client_words(text: str) -> list[str]:
    """Where a module names a client: in a name or a text. Docstrings may, as examples do."""
    tree = parsed(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    said: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            said.append((node.lineno, node.value))
        elif isinstance(node, ast.Name):
            said.append((node.lineno, node.id))
        elif isinstance(node, ast.Attribute):
            said.append((node.lineno, node.attr))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            said += [(node.lineno, f"{getattr(node, 'module', '')} {alias.name}") for alias in node.names]
    return [f"line {line}: {word}" for line, text in said for word in CLIENT_WORDS.findall(text)]


def test_only_a_clients_own_modules_know_it() -> None:
    named = {name_of(path) for path in MODULES if client_words(path.read_text())}
    allowed = {
        name
        for name in named
        if any(Path(name).match(pattern) for pattern in [*OF_ONE_CLIENT, *INSTALLERS_AND_EXAMINERS])
    }
    assert {name: client_words((SOURCE / name).read_text()) for name in named - allowed} == {}
    unused = [pattern for pattern in OF_ONE_CLIENT if not any(Path(name).match(pattern) for name in named)]
    assert unused == [], "an exception that is no longer needed"


@pytest.mark.parametrize(
    "line",
    [
        "from perdure.clients import claude_code",
        "from perdure.clients.codex import TOOLS",
        "client = clients.CLAUDE_CODE",
        "path = os.path.join(home, '.claude', 'skills')",
        "answer = {'hookSpecificOutput': {'permissionDecision': 'deny'}}",
        "if event == 'PreToolUse': pass",
    ],
)
def test_a_client_that_is_named_would_be_seen(line: str) -> None:
    assert client_words(line)
    assert not client_words('"""As Claude Code does."""')


@for_each("path", [p for p in MODULES if room_of(p) in ("actions", "surfaces")], ids=name_of)
def test_only_few_write_to_a_ledger(path: Path) -> None:
    calls = {
        node.func.attr
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Attribute | ast.Name)
        and (getattr(node.func.value, "attr", "") == "ledger" or getattr(node.func.value, "id", "") == "ledger")
    }
    any_call = {
        node.func.attr
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and getattr(node.func.value, "id", "") != "event_files"
    }
    if name_of(path) not in WRITERS:
        assert not calls & {"append", *CHANGING_VERBS}, "only WRITERS change a ledger; others call actions/record.py"
        assert not any_call & CHANGING_VERBS, "these are verbs of a ledger: give a function of your own another name"


EDGES = (
    "__main__.py",
    "actions/gating.py",
    "surfaces/hooks/__init__.py",
    "surfaces/mcp/server.py",
    "surfaces/shell_prefix.py",
)
"""The program's edge, the guard's, the hooks', the MCP tools', the client's shells': a failure denies (SPEC 5.6)."""


@for_each("path", MODULES, ids=name_of)
def test_broad_handlers_stand_only_at_the_edge_and_nothing_is_swallowed(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"BaseException"}
        reraises = any(isinstance(n, ast.Raise) for n in ast.walk(node))
        if names & {"Exception", "BaseException"}:
            assert reraises or name_of(path) in EDGES, f"line {node.lineno}"
        assert not is_silent(node) or "FileExistsError" in names, f"line {node.lineno}: swallowed"


def is_silent(handler: ast.ExceptHandler) -> bool:
    return all(isinstance(statement, ast.Pass) for statement in handler.body)


def test_functions_are_short() -> None:
    trees = {path: tree_of(path) for path in MODULES}
    lengths = {f"{name_of(path)}:{f.name}": length(f) for path, tree in trees.items() for f in functions(tree)}
    long = {name: lines for name, lines in lengths.items() if lines > 60}
    assert len(long) <= 0.02 * len(lengths), long
    assert len(lengths) > 300, "it looked at the source"


# -- values by name, and functions that branch little ------------------------------------------------------------------

LOGIC = [path for path in source_files(SOURCE.parents[1]) if path in MODULES]
BY_POSITION = {
    "os.path.join": "takes any number of parts",
    "statement.group": "re.Match.group takes any number of groups",
    "group.start_soon": "anyio hands the arguments on to the task",
    "make_encoder": "the C encoder of the standard library has no names for its arguments",
    "call": "the kernel's calls have numbers and arguments, and no names",
    "make": "an audit makes an Event of each row of a table, in the order of the columns",
}
"""What is called with more than three arguments by position, and why."""


def takes_many_words(function: Function) -> bool:
    """`git(folder, *words)`: the arguments are of one kind and need no names."""
    return function.args.vararg is not None


def by_position(function: Function) -> list[str]:
    """The parameters that can be given by position, `self` aside."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


@cache
def variadic() -> set[str]:
    return {f.name for path in LOGIC for f in functions(tree_of(path)) if takes_many_words(f)}


def calls_by_position(tree: ast.AST) -> list[str]:
    """Calls that give more than three arguments by position, where nothing above allows it."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and positional(node) > 3]
    named = [(call.lineno, ast.unparse(call.func)) for call in calls]
    return [
        f"line {line}: {name}"
        for line, name in named
        if name not in BY_POSITION and name.rpartition(".")[2] not in variadic()
    ]


def test_beyond_three_arguments_a_call_says_which_is_which() -> None:
    found = {name_of(path): calls_by_position(tree_of(path)) for path in LOGIC}
    assert {name: calls for name, calls in found.items() if calls} == {}


def test_beyond_three_parameters_a_function_takes_the_rest_by_name() -> None:
    every = [(name_of(path), f) for path in LOGIC for f in functions(tree_of(path))]
    assert [f"{name}:{f.name}" for name, f in every if len(by_position(f)) > 3] == []


MOST_BRANCHES = 12
BRANCHED: dict[str, str] = {
    "model/value.py:value": "it holds the four methods of a value, each of which branches little",
}
"""Functions with more branches than that, and why."""


def test_no_function_has_more_than_twelve_branches() -> None:
    """Counted as tests/shape_figures.py says: 1, and one for each `if`, loop, handler, conditional expression and `for`
    of a comprehension, and for each operand of `and` or `or` after the first."""
    every = [(name_of(path), f) for path in LOGIC for f in functions(tree_of(path))]
    counted = {f"{name}:{f.name}": branches(f) for name, f in every if branches(f) > MOST_BRANCHES}
    assert {name: count for name, count in counted.items() if name not in BRANCHED} == {}


def test_every_exception_is_still_needed() -> None:
    sources = {name_of(path): tree_of(path) for path in LOGIC}
    over = {f"{n}:{f.name}" for n, tree in sources.items() for f in functions(tree) if branches(f) > MOST_BRANCHES}
    assert set(BRANCHED) <= over
    calls = {ast.unparse(c.func) for t in sources.values() for c in ast.walk(t) if isinstance(c, ast.Call)}
    assert set(BY_POSITION) <= calls


def test_a_call_or_a_function_that_breaks_these_rules_would_be_seen() -> None:
    assert calls_by_position(ast.parse("Event(1, 2, 3, 4)")) == ["line 1: Event"]
    assert calls_by_position(ast.parse("Event(1, 2, 3, four=4)")) == []
    method, plain, named = functions(
        ast.parse("def a(self, b, c, d, e): ...\ndef b(c, d, e, f): ...\ndef c(d, e, f, *, g): ...")
    )
    assert [len(by_position(f)) for f in (method, plain, named)] == [4, 4, 3]
    (branched,) = functions(
        ast.parse("def a(b):\n  if b and b.c or b.d:\n    return [e for e in b if e]\n  return 1 if b else 2")
    )
    assert branches(branched) == 1 + 1 + 2 + 1 + 1


MODELS = [ROOT / "tests" / "contract" / "jsonl_store.py", *sorted((ROOT / "tests" / "surfaces").glob("made_up_*.py"))]
"""What CONTRIBUTING says to copy into the source."""


def broken_rules(tree: ast.AST) -> list[str]:
    """Where a file of the source would break the rules above."""
    handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    return [
        *calls_by_position(tree),
        *(f"{f.name}: more than three parameters by position" for f in functions(tree) if len(by_position(f)) > 3),
        *(f"{f.name}: more than {MOST_BRANCHES} branches" for f in functions(tree) if branches(f) > MOST_BRANCHES),
        *(f"line {handler.lineno}: swallowed" for handler in handlers if is_silent(handler)),
    ]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_a_model_that_is_copied_into_the_source_keeps_its_rules(path: Path) -> None:
    assert broken_rules(ast.parse(path.read_text())) == []


def test_a_model_that_breaks_a_rule_would_be_seen() -> None:
    assert len(MODELS) == 4
    code = "def f(a, b, c, d):\n    try:\n        Event(1, 2, 3, 4)\n    except ValueError:\n        pass\n"
    assert len(broken_rules(ast.parse(code))) == 3


def test_the_figures_of_make_shape_are_taken_from_the_source() -> None:
    found = figures(ROOT)
    assert found["top-level import cycles"] == "0"
    assert int(found["lines of source, blank ones aside"]) > 30_000
    assert all(figure.strip() for figure in found.values())


def _is_os(node: ast.Attribute) -> bool:
    """`os.x` or `os.path.x`."""
    below = node.value
    if isinstance(below, ast.Attribute) and below.attr == "path":
        below = below.value
    return isinstance(below, ast.Name) and below.id == "os"


PURE = ("model", "proof", "gate", "grounding", "recovery", "transcript", "beads", "forks", "masking")
OUTSIDE = {"os", "io", "socket", "subprocess", "sqlite3", "pathlib", "shutil", "tempfile", "fcntl", "threading"}


@for_each("path", [p for p in MODULES if room_of(p) in PURE], ids=name_of)
def test_decisions_are_pure(path: Path) -> None:
    """`os` for random bytes in `ids` is the one thing the model takes from outside, `time` in `moment` the other. The
    gate joins paths with `os.path`, and asks nothing of the disk but through its port."""
    allowed = {"model/ids.py": {"os"}}.get(name_of(path), set())
    if room_of(path) in ("gate", "recovery"):
        allowed = {"os"}
        asked = {n.attr for n in ast.walk(tree_of(path)) if isinstance(n, ast.Attribute) and _is_os(n)}
        joining = {"path", "join", "normpath", "isabs", "basename", "dirname", "split", "splitext", "relpath"}
        assert asked <= joining, asked
    assert not (set(imports(path, everywhere=True)) & OUTSIDE) - allowed
    opened = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    if name_of(path) != "masking/_ruleset.py":  # it reads the rules, which a package brings as a file
        assert not [node for node in opened if isinstance(node.func, ast.Name) and node.func.id in ("open", "print")]


@for_each("path", [p for p in MODULES if room_of(p) not in ("place", "actions")], ids=name_of)
def test_only_the_place_asks_who_is_above_us(path: Path) -> None:
    """One owner per question (SPEC 2.5): processes, terminals and tmux are looked at in one room."""
    text = path.read_text().replace("/proc/self/mountinfo", "").replace("/proc/self/fd/", "")
    assert "/proc/" not in text, name_of(path)
    assert "TMUX" not in text, name_of(path)


def test_the_checks_above_can_fail(tmp_path: Path) -> None:
    """Each is put before a module that breaks it."""
    bad = SOURCE / "model" / "never_written.py"
    tree = ast.parse("from perdure.actions import record\nif TYPE_CHECKING:\n    import sqlite3\n")
    assert [node for node in tree.body if is_type_checking(node)]
    assert list(_from(tree.body[0], bad)) == ["perdure.actions.record"]  # type: ignore[arg-type]
    relative = ast.parse("from ..place import resolve").body[0]
    assert list(_from(relative, bad)) == ["perdure.place.resolve"]  # type: ignore[arg-type]


HEAVY = (
    "dataclasses",
    "typing",
    "pathlib",
    "inspect",
    "argparse",
    "sqlite3",
    "subprocess",
    "tomllib",
    "uuid",
    "logging",
    "hashlib",
    "contextlib",
    "tempfile",
    "datetime",
)
HOOKS_WILL_LOAD = (
    "perdure.errors",
    "perdure.files",
    "perdure.model.ids",
    "perdure.model.json",
    "perdure.model.moment",
    "perdure.model.value",
    *sorted(f"perdure.place.{path.stem}" for path in (SOURCE / "place").glob("*.py") if path.stem != "__init__"),
    "perdure.settings",
    "perdure.views.key",
    "perdure.views.transaction_file",
    "perdure.gate.policy",
    "perdure.gate.tools",
    "perdure.gate.effects.analysis",
    "perdure.gate.effects.judge_by_card",
    "perdure.gate.programs.text",
)


def test_what_a_hook_will_load_is_light() -> None:
    program = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n"
    program += "".join(f"import {name}\n" for name in HOOKS_WILL_LOAD)
    program += f"print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@for_each("name", HOOKS_WILL_LOAD)
def test_what_a_hook_will_load_asks_for_nothing_heavy_itself(name: str) -> None:
    """`json` brings `re`, and that `enum`; none of ours may bring it by name."""
    path = SOURCE.parent / Path(*name.split(".")).with_suffix(".py")
    assert not set(imports(path, everywhere=False)) & {*HEAVY, "enum", "re", "asyncio", "socket", "urllib"}


# -- the repository stands by itself ---------------------------------------------------------------------------------

ABOVE_THE_ROOT = ROOT / "tests" / "never_written.py"


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    return [path for name in filter(None, listed.split("\0")) if (path := ROOT / name).is_file()]


def climbs(node: ast.AST) -> int:
    """How many folders `Path(__file__).parents[2]` and its like go up; none for what does not begin with __file__."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
        index = node.slice
        assert isinstance(index, ast.Constant), "a number can be checked, a variable cannot"
        return (int(index.value) + 1) * bool(begins_with_file(node.value.value))
    if isinstance(node, ast.Attribute) and node.attr == "parent" and begins_with_file(node.value):
        return 1 + climbs(node.value)
    return 0


def begins_with_file(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "__file__" for each in ast.walk(node))


def reads_outside(path: Path, text: str) -> list[str]:
    """What in a file of ours leads out of the repository, so that a clone alone would not have it."""
    depth = len(path.relative_to(ROOT).parts)
    found = [word for word in ("../shared", "shared/testdata") if word in text]
    if path.suffix == ".py":
        nodes = ast.walk(parsed(text)) if "__file__" in text else ()
        found += [f"line {n.lineno}" for n in nodes if isinstance(n, ast.expr) and climbs(n) > depth]
    return found


def test_nothing_reads_what_lies_beside_the_repository() -> None:
    """A clone has nothing beside it. `.ci/run` proves it by running there; this names the line at once."""
    looked_at = [path for path in tracked() if path.suffix in (".py", ".sh", ".mjs", ".toml", ".md", "")]
    outside = {str(p): found for p in looked_at if p != Path(__file__) and (found := reads_outside(p, p.read_text()))}
    assert outside == {}
    assert {"src", "tests", "bench", ".ci", "Makefile"} <= {path.relative_to(ROOT).parts[0] for path in looked_at}


@pytest.mark.parametrize(
    "line",
    [
        "X = Path(__file__).parents[2]",
        "X = Path(__file__).resolve().parents[2] / 'other'",
        "X = Path(__file__).parent.parent.parent",
        "X = open('../shared/SPEC.md')",
    ],
)
def test_what_reads_beside_the_repository_would_be_seen(line: str) -> None:
    assert reads_outside(ABOVE_THE_ROOT, line)
    assert not reads_outside(ABOVE_THE_ROOT, "X = Path(__file__).parents[1], Path(__file__).parent.parent")
