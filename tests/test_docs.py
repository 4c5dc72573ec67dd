"""Docs cannot drift: what the code has is documented, what is documented the code has, and what is shown is true.

The documents are read as a reader would: sections by their headings, tables by their rows, commands in `sh` and
`console` blocks. README's tour is played, line by line, against the real program.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import rfc8785
from tools import pages, picture

from perdure import __version__, errors
from perdure.__main__ import usage
from perdure.lifecycle.state_fields import FIELDS
from perdure.model import confidence
from perdure.model.assessment import Thresholds, assess
from perdure.model.calibration import Error, Evidence, Track, errors_of, evidence_for
from perdure.model.jsonl import from_line
from perdure.model.payload import KINDS, NOTE_KINDS
from perdure.model.value import fields
from perdure.model.vectors import NAMES
from perdure.proof.chain import Fault, verified
from perdure.settings import HIGHER, SETTINGS, Setting
from perdure.surfaces.cli import ALIASES, COMMANDS
from perdure.surfaces.cli.parser import parser_for
from perdure.surfaces.cli.state import lives
from tests.conftest import Cli
from tests.effort import for_each

from .shape_figures import parsed
from .test_shape import LEVELS

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "perdure"
DOCS = ROOT / "docs"
PAPERS = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
LANGUAGES = ("sh", "console", "text", "json", "toml", "python")

PLACE = {"--project-path", "--instance", "--session-id"}
CLIENT = {"--client", "--client-session-id", "--client-pid"}
VECTORS = {f"--{name}" for name in NAMES}
SHARED = {"place flags": PLACE, "client flags": CLIENT, "vector flags": VECTORS}


# -- reading the documents -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fence:
    paper: Path
    line: int
    language: str
    body: str


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def fences(path: Path) -> list[Fence]:
    found: list[Fence] = []
    begun: tuple[int, str] | None = None
    body: list[str] = []
    for number, line in enumerate(read(path).splitlines(), 1):
        if not line.startswith("```"):
            body.append(line)
        elif begun is None:
            begun, body = (number, line[3:].strip()), []
        else:
            found.append(Fence(path, begun[0], begun[1], "\n".join(body)))
            begun = None
    assert begun is None, f"{path.name}: a block is not closed"
    return found


def prose(path: Path) -> str:
    """The text without its blocks."""
    kept, inside = [], False
    for line in read(path).splitlines():
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


@cache
def sections(path: Path) -> dict[str, str]:
    """Heading → what stands under it, up to the next heading of any level; blocks included."""
    found: dict[str, list[str]] = {}
    heading, inside = "", False
    for line in read(path).splitlines():
        inside = inside != line.startswith("```")
        if re.match(r"#{1,6} ", line) and not inside:
            heading = line.lstrip("#").strip()
            assert heading not in found, f"{path.name}: '{heading}' stands twice"
            found[heading] = []
        else:
            found.setdefault(heading, []).append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def rows(text: str) -> dict[str, list[str]]:
    """First cell, without its backticks → the other cells, of every table in the text."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            first, *others = [cell.strip() for cell in line.strip("|").split(" | ")]
            found[first.strip("` ")] = [cell.strip("| ") for cell in others]
    return found


# -- reading the program -------------------------------------------------------------------------------------------


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    """Every command, and every `command verb`."""
    found: dict[str, argparse.ArgumentParser] = {}
    for name, (module, _) in COMMANDS.items():
        command = import_module(f"perdure.surfaces.cli.{module}").COMMANDS[name]
        parser = parser_for(name, command)
        found[name] = parser
        found.update({f"{name} {verb}": below for verb, below in verbs(parser).items()})
    return found


def verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def arguments_of(parser: argparse.ArgumentParser) -> set[str]:
    """Flags and the names of positional arguments, but for --help and verbs."""
    found: set[str] = set()
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        found |= set(action.option_strings) or {str(action.metavar or action.dest)}
    return found


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if path.name != "__init__.py"]


def test_the_program_is_found() -> None:
    """What the tests below compare with is not empty."""
    assert {"init", "transaction status", "config set"} <= set(parsers())
    assert len(parsers()) > 30
    assert len(modules()) > 40
    assert len(PAPERS) > 20


# -- plain words ----------------------------------------------------------------------------------------------------

NAMES_OF_EFFECTS = re.compile(r"(?i)\b(?:praxic|noetic)\b")
"""The gate's names for "changes things" and "only reads", in JSON (SPEC 17.7)."""
WITH_THEM = {"gate.md", "contract.md", "CONTRIBUTING.md"}
CARDS = ("programs", "languages")


@for_each(
    "paper", [path for path in PAPERS if path.name not in WITH_THEM and "adr" not in path.parts], ids=lambda p: p.name
)
def test_a_page_names_effects_in_plain_words_but_for_fields_of_json(paper: Path) -> None:
    assert NAMES_OF_EFFECTS.findall(re.sub(r"`[^`]*`", "", prose(paper))) == []


def test_no_sentence_of_the_program_has_the_jsons_name_of_an_effect() -> None:
    """Help, errors, reasons of the gate, words for an agent. In the cards these names are part of the form."""
    found = [
        f"{path.relative_to(SOURCE)}:{text.lineno}: {text.value}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.parent.name not in CARDS
        for text in sentences_in(parsed(read(path)))
        if NAMES_OF_EFFECTS.search(str(text.value))
    ]
    assert found == []


def sentences_in(tree: ast.Module) -> Iterator[ast.Constant]:
    """Texts of several words that are no docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield from [node] if len(node.value.split()) > 1 else []


# -- commands ------------------------------------------------------------------------------------------------------


@for_each("name", sorted(parsers()))
def test_every_command_and_verb_has_a_section_with_its_flags_and_no_others(name: str) -> None:
    section = sections(DOCS / "commands.md").get(name)
    assert section is not None, f"docs/commands.md has no section '{name}'"
    documented = {first.split(" ")[0] for first in rows(section) if first not in NOTE_KINDS}
    taken = arguments_of(parsers()[name])
    for group, flags in SHARED.items():
        is_shared = bool(flags & taken) and name != "hook"  # its `--client` has a row of its own
        assert (f"[{group}](#{group.replace(' ', '-')})" in section) == is_shared, group
        if is_shared:
            taken -= flags
    assert ("Takes `--json`" in section) == ("--json" in taken)
    assert documented == taken - {"--json"}


@for_each("name", sorted(name for name, parser in parsers().items() if not verbs(parser)))
def test_every_command_and_verb_has_an_example(name: str) -> None:
    shown = [words for fence in examples_in(DOCS / "commands.md") for words in commands_in(fence)]
    assert any(words[1 : 1 + len(name.split())] == name.split() for words in shown)


def test_the_shared_flags_are_documented_with_their_meaning() -> None:
    for group, flags in SHARED.items():
        table = rows(sections(DOCS / "commands.md")[group.capitalize()])
        assert {first.split(" ")[0] for first in table} == flags
    table = rows(sections(DOCS / "commands.md")["Vector flags"])
    assert {first.split(" ")[0][2:]: meaning for first, (meaning,) in table.items()} == NAMES


def test_every_alias_is_documented_with_what_it_stands_for() -> None:
    table = rows(sections(DOCS / "commands.md")["Other names"])
    assert {name: cells[0].strip("`") for name, cells in table.items()} == {n: " ".join(w) for n, w in ALIASES.items()}


def test_every_kind_of_note_is_documented_with_its_meaning() -> None:
    table = rows(sections(DOCS / "commands.md")["note"])
    assert {kind: table[kind] for kind in NOTE_KINDS} == {kind: [meaning] for kind, meaning in NOTE_KINDS.items()}


def test_readme_shows_the_help_text_as_the_program_prints_it() -> None:
    shown = [fence.body for fence in fences(ROOT / "README.md") if fence.body.startswith("perdure records")]
    assert shown == [usage().rstrip("\n")]


# -- examples ------------------------------------------------------------------------------------------------------


def examples_in(path: Path) -> list[Fence]:
    return [fence for fence in fences(path) if fence.language in ("sh", "console")]


def command_lines(fence: Fence) -> Iterator[str]:
    """What a reader would type: every line of an `sh` block; of a `console` block what follows a prompt."""
    for line in fence.body.splitlines():
        if fence.language == "sh":
            yield line
        elif match := re.match(r"(?:other)?\$ (.*)", line):
            yield match.group(1)


def commands_in(fence: Fence) -> Iterator[list[str]]:
    """Each call of perdure as words, also in pipes, lists, substitutions and remote shells."""
    for line in command_lines(fence):
        for inner in re.findall(r"\$\(([^)]*)\)|'([^']*\bperdure [^']*)'", line):
            yield from simple_commands(inner[0] or inner[1])
        yield from simple_commands(re.sub(r"\"\$\([^)]*\)\"", "x", line))


def simple_commands(line: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word and set(word) <= set(";|&()<>"):
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words.pop(0)
            if words[:1] == ["perdure"]:
                yield words
            words = []
        else:
            words.append(word)


@for_each("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_use_commands_and_flags_that_exist(paper: Path) -> None:
    for fence in examples_in(paper):
        for words in commands_in(fence):
            where = f"{paper.name}:{fence.line}: {' '.join(words)}"
            name, *rest = [*ALIASES.get(words[1], (words[1],)), *words[2:]]
            if name in ("--help", "help", "--version", "version"):
                continue
            assert name in parsers(), where
            try:
                parsers()[name].parse_args(rest)
            except errors.BadInput as wrong:
                pytest.fail(f"{where}: {wrong.message}")


def test_the_reading_of_examples_finds_wrong_ones() -> None:
    """The reader above is not blind: it sees commands behind pipes, in substitutions and after assignments."""
    body = (
        "PERDURE_HOME=/x perdure one | perdure two && cd x\n"
        'eval "$(perdure three bash)"\n'
        "ssh host 'cd x && perdure four' | cat > perdure-file  # perdure five"
    )
    found = list(commands_in(Fence(Path("x"), 1, "sh", body)))
    assert sorted(words[1] for words in found) == ["four", "one", "three", "two"]


@for_each("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_says_what_it_is(paper: Path) -> None:
    """A block without a language would escape the tests above."""
    assert [fence for fence in fences(paper) if fence.language not in LANGUAGES] == []


def test_make_targets_that_are_named_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    named = {name for paper in PAPERS for name in re.findall(r"(?:^|`)make ([a-z-]+)", read(paper), re.MULTILINE)}
    assert {"demo", "test", "check"} <= named
    assert named <= targets


# -- events, settings, errors --------------------------------------------------------------------------------------


def test_every_event_kind_is_documented_and_none_that_is_not_there() -> None:
    documented = [kind for heading in sections(DOCS / "events.md") for kind in re.findall(r"`([a-z.]+)`", heading)]
    assert sorted(documented) == sorted(KINDS)


@for_each("kind", sorted(KINDS))
def test_every_field_of_an_event_is_documented_and_no_other(kind: str) -> None:
    section = next(text for name, text in sections(DOCS / "events.md").items() if f"`{kind}`" in name)
    assert set(rows(section)) == set(fields(KINDS[kind][0]))


def test_kinds_that_nothing_writes_yet_are_marked_and_no_others() -> None:
    written = {
        node.value
        for room in ("actions", "surfaces")
        for path in sorted((SOURCE / room).rglob("*.py"))
        for node in ast.walk(parsed(read(path)))
        if isinstance(node, ast.Constant) and node.value in KINDS
    } | {f"note.{kind}" for kind in NOTE_KINDS}
    marked = {
        kind
        for heading, text in sections(DOCS / "events.md").items()
        for kind in re.findall(r"`([a-z.]+)`", heading)
        if "*Nothing writes it yet.*" in text
    }
    assert marked == set(KINDS) - written


@for_each("setting", SETTINGS.values(), ids=lambda setting: setting.key)
def test_every_setting_is_documented_with_its_default_and_variable(setting: Setting) -> None:
    default, variable, stricter, meaning = rows(sections(DOCS / "configuration.md")["Configuration"])[setting.key]
    plain = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
    plain = str(list(setting.default)) if isinstance(setting.default, tuple) else plain
    assert default == f"`{plain}`"
    assert variable == f"`{setting.variable}`"
    expected = f"`{str(setting.stricter == HIGHER).lower()}`" if isinstance(setting.default, bool) else setting.stricter
    assert stricter.partition(":")[0] == expected
    assert [word.strip(" `") for word in stricter.partition(":")[2].split(",") if setting.choices] == [*setting.choices]
    assert all(f"`{choice}`" in meaning for choice in setting.choices)
    if setting.least is not None and setting.most is not None:
        assert f"{setting.least} to {setting.most}" in meaning


def test_no_setting_is_documented_that_is_not_there() -> None:
    assert set(rows(sections(DOCS / "configuration.md")["Configuration"])) == set(SETTINGS)


def test_every_variable_the_program_reads_is_documented() -> None:
    texts = (
        node.value
        for path in modules()
        for node in ast.walk(parsed(read(path)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    read_by_name = {text for text in texts if re.fullmatch(r"PERDURE_[A-Z_]*[A-Z]|NO_COLOR|FORCE_COLOR", text)}
    table = rows(sections(DOCS / "configuration.md")["Other variables"])
    assert "PERDURE_HOME" in read_by_name
    assert set(table) == read_by_name


@cache
def families() -> dict[str, int]:
    """Every class of error → its exit code."""
    tree = [errors.PerdureError]
    for family in tree:
        tree += family.__subclasses__()
    return {family.__name__: family.exit_code for family in tree if family.__module__ == errors.__name__}


@dataclass(frozen=True)
class Raised:
    code: str
    exit_code: int
    where: str


@cache
def raised() -> list[Raised]:
    """Every error the source raises: the first argument of every call of an error's class."""
    found = [Raised("internal", 3, "__main__.py")]
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(parsed(read(path))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) in families() for base in node.bases):
                found += [Raised(code, families()[ast.unparse(node.bases[0])], str(path)) for code in own_code(node)]
            if name in families():
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                assert node.args, f"{where}: an error without a code"
                found += [Raised(code, families()[name], where) for code in codes_of(node.args[0], where)]
    return found


def own_code(error: ast.ClassDef) -> list[str]:
    """An error that knows its code itself gives it to `super().__init__`."""
    calls = [node for node in ast.walk(error) if isinstance(node, ast.Call) and node.args]
    return [
        str(c.args[0].value)
        for c in calls
        if ast.unparse(c.func) == "super().__init__" and isinstance(c.args[0], ast.Constant)
    ]


def codes_of(given: ast.expr, where: str) -> list[str]:
    if isinstance(given, ast.Constant):
        return [str(given.value)]
    if isinstance(given, ast.IfExp):
        return [*codes_of(given.body, where), *codes_of(given.orelse, where)]
    assert isinstance(given, ast.JoinedStr), f"{where}: a code must be a literal, so that it can be documented"
    assert ast.unparse(given) == "f'no_such_{what}'", f"{where}: say here what it may be"
    return [f"no_such_{what}" for what in looked_up()]


@cache
def looked_up() -> set[str]:
    """What `lookup` is asked for: the second argument of its calls."""
    calls = (node for path in modules() for node in ast.walk(parsed(read(path))) if isinstance(node, ast.Call))
    asked = (call for call in calls if ast.unparse(call.func) in ("lookup.document", "lookup.event"))
    return {call.args[1].value for call in asked if isinstance(call.args[1], ast.Constant)}


def documented_errors() -> dict[str, int]:
    found: dict[str, int] = {}
    for heading, text in sections(DOCS / "errors.md").items():
        if match := re.match(r"Exit (\d+)", heading):
            found.update(dict.fromkeys(rows(text), int(match.group(1))))
    return found


def test_every_error_code_is_documented_under_its_exit_code() -> None:
    documented = documented_errors()
    wrong = {f"{r.code} (exit {r.exit_code}, {r.where})" for r in raised() if documented.get(r.code) != r.exit_code}
    assert wrong == set()


def test_no_error_code_is_documented_that_nothing_raises() -> None:
    assert set(documented_errors()) - {r.code for r in raised()} == set()


def test_the_error_codes_of_each_exit_code_are_in_alphabetical_order() -> None:
    for heading, text in sections(DOCS / "errors.md").items():
        if heading.startswith("Exit "):
            assert list(rows(text)) == sorted(rows(text), key=str.lower), heading


def test_the_error_codes_are_found_in_the_source() -> None:
    codes = {r.code for r in raised()}
    assert {"no_open_transaction", "conflict", "ledger_damaged", "disk_full", "no_such_session"} <= codes


# -- links, names, paths -------------------------------------------------------------------------------------------


def anchor(heading: str) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.lower())
    return plain.replace(" ", "-")


@for_each("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_link_points_nowhere(paper: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(paper)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        there = (paper.parent / path).resolve() if path else paper
        assert there.exists(), f"{paper.name}: {target}"
        assert there.is_relative_to(ROOT), f"{paper.name}: {target}"
        if fragment:
            assert fragment in map(anchor, sections(there)), f"{paper.name}: {target}"


@for_each("paper", [*PAPERS, *DOCS.rglob("*.svg")], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_names_a_path_of_somebodys_machine(paper: Path) -> None:
    assert re.findall(r"(?<![\w.~<>-])/(?:root|work|home/\w+|Users/\w+)\b", read(paper)) == []


def test_architecture_draws_every_room_on_its_level() -> None:
    drawing = next(f.body for f in fences(ROOT / "ARCHITECTURE.md") if "__main__.py" in f.body)
    drawn, level = {}, ""
    for line in drawing.splitlines():
        if found := re.match(r"([0-9 ])  ([a-z_]+)(?:/|\.py) +\S", line):
            level = found.group(1).strip() or level
            drawn[found.group(2)] = int(level)
    assert drawn == LEVELS


def test_architecture_names_no_room_or_module_that_does_not_exist() -> None:
    drawing = next(f.body for f in fences(ROOT / "ARCHITECTURE.md") if "__main__.py" in f.body)
    text = read(ROOT / "ARCHITECTURE.md").replace(drawing, "") + read(DOCS / "owners.md")
    named = set(re.findall(r"(?<![\w/.<-])((?:[a-z_]+/)*(?:[a-z_]+\.py|[a-z_]+/))(?![\w.-])", text))
    assert {"place/resolve.py", "model/state.py", "masking/"} <= named
    assert {name for name in named if not (SOURCE / name).exists() and not (ROOT / name).exists()} == set()


def test_architecture_has_two_pages_at_most() -> None:
    assert len(read(ROOT / "ARCHITECTURE.md").splitlines()) <= 132


@pytest.mark.parametrize("paper", [ROOT / "ARCHITECTURE.md", DOCS / "owners.md"], ids=lambda paper: paper.name)
def test_a_question_and_its_owners_are_read_at_a_glance(paper: Path) -> None:
    """Links aside: a row that answers ten questions is not found by who has one of them."""
    rows = [re.sub(r"\]\([^)]*\)", "]", line) for line in read(paper).splitlines() if line.startswith("|")]
    assert [row for row in rows if len(row) > 330] == []


def test_decisions_are_numbered_listed_and_whole() -> None:
    files = sorted(path for path in (DOCS / "adr").glob("*.md") if path.name != "README.md")
    assert len({path.name[:4] for path in files}) == len(files), "no number is given twice"
    listed = re.findall(r"\[(\d{4})\]\(([^)]+)\)", read(DOCS / "adr" / "README.md"))
    assert [name for _, name in listed] == [path.name for path in files]
    for path in files:
        assert re.match(rf"# {path.name[:4]} ", read(path)), path.name
        for part in ("**Context.**", "**Decision.**", "**Consequences.**"):
            assert part in read(path), f"{path.name} has no {part}"


def test_decisions_and_documents_cited_in_the_source_exist() -> None:
    cited = {
        (path.relative_to(ROOT), name)
        for path in [*SOURCE.rglob("*.py"), ROOT / "pyproject.toml", *PAPERS]
        for name in re.findall(r"\bdocs/(adr/\d{4}|[a-z-]+\.md)", read(path))
    }
    assert len(cited) > 10
    for path, name in cited:
        assert list(DOCS.glob(f"{name}*")), f"{path} cites docs/{name}"


def test_the_changelog_has_this_version() -> None:
    assert f"## [{__version__}]" in read(ROOT / "CHANGELOG.md")


def test_ci_runs_the_two_commands_of_the_readme_in_a_clone() -> None:
    two = sections(ROOT / "README.md")["From the source"].partition("```sh\n")[2].partition("```")[0].split("\n")
    lines = read(ROOT / ".ci" / "run").splitlines()
    cloned = next(number for number, line in enumerate(lines) if line.startswith("git clone "))
    assert two[:-1] == ["make demo", "make test"]
    assert {"make demo", "make test", "make lint types"} <= set(lines[cloned:]), (
        "lint and types: the rest of make check"
    )


def test_what_the_documents_make_is_a_target() -> None:
    named = {name for path in PAPERS for name in re.findall(r"`make ([a-z-]+)`", read(path))}
    assert {"demo", "test", "test-quick", "check"} <= named
    targets = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    assert named <= targets


# -- what is worked through ----------------------------------------------------------------------------------------


def worked_lines() -> list[str]:
    section = sections(DOCS / "ledger-format.md")["A worked example"]
    return [line for line in section.splitlines() if line.startswith('{"ledger_id"')]


def test_the_worked_events_are_a_chain_that_verifies() -> None:
    events = [from_line(line, "worked") for line in worked_lines()]
    assert [event.seq for event in events] == [1, 2]
    assert not [fault for fault in verified(events, {}) if isinstance(fault, Fault)]


def test_every_step_of_the_worked_hashes_is_shown_and_right() -> None:
    """By hashlib and rfc8785 alone: what the document says is checked without our own code."""
    section = sections(DOCS / "ledger-format.md")["A worked example"].splitlines()
    for line in worked_lines():
        event = json.loads(line)
        payload, said = rfc8785.dumps(event.pop("payload")), event.pop("hash")
        covered = rfc8785.dumps(event)
        assert hashlib.sha256(payload).hexdigest() == event["payload_hash"]
        assert hashlib.sha256(covered).hexdigest() == said
        for shown in (payload.decode(), event["payload_hash"], covered.decode(), said):
            assert shown in section


def test_the_fields_of_an_event_are_all_in_the_table() -> None:
    from perdure.model.event import Event

    assert list(rows(sections(DOCS / "ledger-format.md")["Fields"])) == list(fields(Event))


def test_the_verifier_in_the_docs_verifies_an_export_and_sees_a_changed_word(cli: Cli) -> None:
    for number in range(3):
        cli.ok("note", "finding", f"finding {number}, größer")
    exported = cli("export").out
    script = next(fence.body for fence in fences(DOCS / "ledger-format.md") if fence.language == "python")

    def verify(text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-X", "utf8", "-c", script],
            input=text,
            encoding="utf-8",
            capture_output=True,
            check=False,
        )

    last = json.loads(exported.splitlines()[-1])
    whole = verify(exported)
    assert whole.returncode == 0, whole.stderr
    assert whole.stdout.split() == [last["ledger_id"], str(last["seq"]), last["hash"]]
    changed = verify(exported.replace("finding 1", "finding 9"))
    assert changed.returncode == 1
    assert "its payload is not what was hashed" in changed.stderr
    without = verify("".join(exported.splitlines(keepends=True)[:-2] + exported.splitlines(keepends=True)[-1:]))
    assert "does not link" in without.stderr


def test_the_table_of_confidence_is_that_of_the_program() -> None:
    rows = re.findall(
        r"(?m)^\| ([a-z ]+) \| (-?\d+) \|$", (DOCS / "evidence.md").read_text().partition("## Confidence")[2]
    )
    assert {row: int(points) for row, points in rows} == confidence.TABLE


def test_the_table_of_state_is_that_of_the_program() -> None:
    found = re.findall(r"(?m)^\| ([123]) \| `(\w+)` \| (.+) \|$", (DOCS / "state.md").read_text())
    rows = [
        (
            str(field.tier),
            field.name,
            f"{field.type} | {field.cap:,} | {lives(field)} | {field.restore} | {field.source}",
        )
        for field in FIELDS.values()
    ]
    assert found == rows


def test_the_worked_calibration_is_what_the_formula_gives() -> None:
    given = json.loads(next(fence.body for fence in fences(DOCS / "calibration.md") if fence.language == "json"))
    seen = Evidence(**given["seen"])
    found = errors_of(given["gate"], given["postflight"], seen)
    assert {name: round(number, 4) for name, number in evidence_for(seen).items()} == given["evidence"]
    assert {name: round(error.signed, 4) for name, error in found.items()} == given["error"]
    track = Track()
    for error in given["earlier_know_errors"]:
        track = track.with_error(Error(error, 0.0))
    track = track.with_error(found["know"])
    assert round(track.bias, 4) == given["bias"]
    assert round(track.correction, 4) == given["correction"]
    stated = {"know": given["next_know"], "uncertainty": 0.2}
    answer = assess(stated, {"know": track.correction}, Thresholds())
    assert answer.corrected["know"] == given["next_know_corrected"]
    assert answer.decision == given["decision"]


def test_every_equation_of_the_worked_calibration_holds_and_has_its_numbers() -> None:
    section = sections(DOCS / "calibration.md")["A worked example"]
    given = json.loads(section.split("```json")[1].split("```")[0])
    text = section.split("```json")[0].replace("−", "-").replace("×", "*")
    equations = re.findall(r"([(\d][\d.()+*/ -]*[\d)]) *= ([+-]?[\d.]*\d)", text)
    assert len(equations) == 11
    for left, right in equations:
        assert round(eval(left), 4) == float(right), f"{left} = {right}"
    results = {abs(float(right)) for _, right in equations}
    assert {abs(number) for number in [*given["evidence"].values(), *given["error"].values()]} <= results
    assert {given["bias"], given["correction"], given["next_know_corrected"]} <= results


# -- what is made from the help ------------------------------------------------------------------------------------


def test_a_question_in_a_manual_page_ends_with_its_own_mark() -> None:
    assert [page.name for page in (ROOT / "share" / "man").rglob("*.1") if "?.\n" in page.read_text()] == []


def test_each_command_has_a_manual_page_that_says_what_its_help_says() -> None:
    made = pages.pages()
    assert set(made) == {"perdure.1", *(f"perdure-{name}.1" for name in COMMANDS)}
    assert {path.name: path.read_text() for path in pages.PAGES.glob("*")} == made, "run: make pages"


def test_completion_knows_what_the_parsers_know() -> None:
    assert pages.TABLE.read_text() == pages.table(), "run: make pages"


# -- README's tour -------------------------------------------------------------------------------------------------


class Pane:
    """A shell that stays, in a session of its own: to Perdure, a place of its own."""

    _DONE = "--- done ---"

    def __init__(self, environment: dict[str, str], cwd: Path) -> None:
        self._shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env={**environment, "PYTHON": sys.executable},
            encoding="utf-8",
            start_new_session=True,
        )
        self.run('perdure() { "$PYTHON" -m perdure "$@"; }')

    def run(self, line: str) -> str:
        assert self._shell.stdin
        assert self._shell.stdout
        self._shell.stdin.write(f"{{ {line}\n}} < /dev/null\necho '{self._DONE}'\n")
        self._shell.stdin.flush()
        output = iter(self._shell.stdout.readline, f"{self._DONE}\n")
        return "".join(line or pytest.fail("the shell ended") for line in output)

    def close(self) -> None:
        self._shell.communicate(timeout=10)


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """Pane, command and what is shown below it."""
    pane, command, shown = "", "", ""
    for line in text.splitlines():
        prompt = re.match(r"(|other)\$ (.*)", line)
        if prompt is None:
            shown += line + "\n"
            continue
        if command:
            yield pane, command, shown
        (pane, command), shown = prompt.groups(), ""
    yield pane, command, shown


_ID = r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{12}|[0-9a-f]{8})\b"


def general(output: str) -> str:
    """Without what differs from run to run: ids, durations, pids, and the columns they stretch."""
    text = re.sub(_ID, "<id>", output)
    text = re.sub(r"\b\d+[smhd](?: \d+[smh])?\b", "<time>", text)
    text = re.sub(r"\bprocess \d+", "process <pid>", text)
    return "\n".join(re.sub(r" {2,}", "  ", line).rstrip() for line in text.strip("\n").splitlines())


def tour(environment: dict[str, str], folder: Path) -> Iterator[tuple[str, str, str]]:
    """Each command of README's tour, what README shows, and what the program answered."""
    at_home = {"/tmp/perdure-tour": str(folder / "home"), "/tmp/shop": str(folder / "shop")}
    bare = {name: content for name, content in environment.items() if name != "PERDURE_HOME"}
    panes = {name: Pane(bare, folder) for name in ("", "other")}
    ids: dict[str, str] = {}
    try:
        for fence in fences(ROOT / "README.md"):
            if fence.language != "console":
                continue
            for pane, command, shown in steps(fence.body):
                line = re.sub(_ID, lambda found: ids.get(found.group(), found.group()), command)
                for theirs, ours in at_home.items():
                    line = line.replace(theirs, ours)
                answer = panes[pane].run(line)
                for theirs, ours in at_home.items():
                    answer = answer.replace(os.path.realpath(ours), theirs).replace(ours, theirs)
                ids.update(zip(re.findall(_ID, shown), re.findall(_ID, answer), strict=False))
                yield command, shown, answer
    finally:
        for shell in panes.values():
            shell.close()


def test_readmes_tour_does_what_it_shows(environment: dict[str, str]) -> None:
    played = 0
    with TemporaryDirectory(dir="/tmp") as folder:  # about as short as README's: long cells of a table are cut
        for command, shown, answer in tour(environment, Path(folder)):
            assert general(answer) == general(shown), command
            played += 1
    assert played > 10


def test_readmes_picture_shows_what_the_program_answers() -> None:
    """But for ids and durations."""
    drawn = re.findall(r"<text [^>]*>(.*?)</text>", picture.DRAWN.read_text())
    played = re.findall(r"<text [^>]*>(.*?)</text>", picture.svg(picture.play()))
    assert [general(line) for line in played] == [general(line) for line in drawn], "run: make pages"


# -- walks through the code -------------------------------------------------------------------------------------------


def walks() -> dict[str, list[tuple[str, str]]]:
    """The file and function of each row, by the walk's heading."""
    found = {}
    for part in read(DOCS / "walkthroughs.md").split("\n## ")[1:]:
        found[part.splitlines()[0]] = re.findall(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \| ", part, re.M)
    return found


def defined_in(path: Path) -> set[str]:
    """Functions, and methods as Class.method."""
    body = ast.parse(read(path)).body
    return {each.name for each in body if isinstance(each, ast.FunctionDef)} | {
        f"{each.name}.{method.name}"
        for each in body
        if isinstance(each, ast.ClassDef)
        for method in each.body
        if isinstance(method, ast.FunctionDef)
    }


def test_the_private_names_in_the_texts_of_the_walks_exist() -> None:
    """Those in backticks that begin with an underscore, or end in brackets: other names may be values or words."""
    parts = {part for path in SOURCE.rglob("*.py") for name in defined_in(path) for part in name.split(".")}
    defined = parts | {"__main__"}
    named = set(re.findall(r"`(?:[\w.]+\.)?(_\w+|\w+(?=\(\)))(?:\(\))?`", read(DOCS / "walkthroughs.md")))
    assert named
    assert named - defined == set()


@pytest.mark.parametrize("walk", walks())
def test_each_step_of_a_walk_exists_and_is_called_from_its_file_or_one_above(walk: str) -> None:
    steps = walks()[walk]
    assert len(steps) >= 5, "the table was not read"
    files: list[Path] = []
    for file, function in steps:
        files.append(SOURCE / file)
        assert function in defined_in(SOURCE / file), f"{file} has no {function}"
        name = function.rsplit(".", 1)[-1]
        used = [path for path in files if re.search(rf"(?<!def )\b{name}\b", read(path))]
        assert used or len(files) == 1, f"{function} is called neither from {file} nor from a file above it"


# -- how many files a question needs -----------------------------------------------------------------------------------

MOST_OPENED = 4
"""Besides the page itself, and the one that led there: six in all."""


def invitations() -> dict[str, str]:
    """By heading: the paragraph that names the files to open, of every walk and every recipe that has one."""
    pages = [*sections(DOCS / "walkthroughs.md").items(), *sections(ROOT / "CONTRIBUTING.md").items()]
    return {name: text.partition("**Open:**")[2].partition("\n\n")[0] for name, text in pages if "**Open:**" in text}


def test_each_walk_and_the_four_recipes_say_what_to_open() -> None:
    recipes = {"Add an event kind", "Add a store", "Add a client", "Add a program to the gate"}
    assert set(invitations()) == {*walks(), *recipes}


@pytest.mark.parametrize("name", invitations())
def test_a_walk_or_recipe_needs_at_most_four_files_and_they_exist(name: str) -> None:
    named = re.findall(r"`([\w/]+(?:\.py|/))`", invitations()[name])
    assert 1 < len(named) <= MOST_OPENED
    for path in named:
        assert (ROOT / path if path.startswith("tests/") else SOURCE / path).exists(), path
