"""Writes what is made from the program's own help: the manual pages (share/man/man1), and the table that completion
reads (src/perdure/surfaces/cli/completion_table.py). A test compares both with what is in the repository.

    .venv/bin/python -m tools.pages
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from perdure import __version__
from perdure.surfaces.cli import ALIASES, COMMANDS
from perdure.surfaces.cli.command import EXAMPLES
from perdure.surfaces.cli.parser import parser_for

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "share" / "man" / "man1"
TABLE = ROOT / "src" / "perdure" / "surfaces" / "cli" / "completion_table.py"

# -- the parsers -----------------------------------------------------------------------------------------------------


def parsers() -> dict[str, argparse.ArgumentParser]:
    found = {}
    for name, (module, _) in COMMANDS.items():
        found[name] = parser_for(name, import_module(f"perdure.surfaces.cli.{module}").COMMANDS[name])
    return found


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Verb → what it does, and its parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {each.dest: str(each.help) for each in action._choices_actions}
            return {verb: (about.get(verb, ""), below) for verb, below in action.choices.items()}
    return {}


# -- the table for completion ----------------------------------------------------------------------------------------

_FLAGS = {
    "--task": "task",
    "--task-id": "task",
    "--blocked-by": "task",
    "--session": "session",
    "--session-id": "session",
    "--parent": "session",
    "--transaction": "transaction",
    "--transaction-id": "transaction",
    "--supersedes": "decision",
    "--project-path": "folder",
    "--cwd": "folder",
    "--in": "folder",
    "--plugin": "folder",
    "--file": "file",
    "--restore": "project",
    "--to": "project",
}
_ARGUMENTS = {
    ("goal done", "id"): "goal",
    ("task dep", "other"): "task",
    ("handoff show", "session"): "session",
    ("handoff verify", "session"): "session",
    ("state show", "session"): "session",
    ("fork resolve", "id"): "fork",
    ("claim check", "id"): "claim",
    ("redact", "id"): "decision",
    ("undo", "id"): "change",
    ("note", "text"): "note",
    ("config set", "value"): "value",
}
_OF_COMMAND = {"task": "task", "session": "session", "transaction": "transaction"}


def source_of(command: str, action: argparse.Action) -> str:
    """What stands for the action in the table (`_offers` in complete.py)."""
    if action.choices and not action.option_strings and command == "hook":
        return "text"
    if "--client" in action.option_strings:
        return "client"
    if action.choices:
        return "=" + "|".join(map(str, action.choices))
    if action.option_strings:
        if command.startswith("audit "):
            return "file" if action.metavar == "FILE" else "text"
        return "file" if action.metavar == "FILE" else _FLAGS.get(action.option_strings[-1], "text")
    return _argument_of(command, action)


def _argument_of(command: str, action: argparse.Action) -> str:
    found = _ARGUMENTS.get((command, action.dest))
    if found is None:
        named = {"key": "setting", "project": "project", "file": "file", "folder": "folder", "words": "file"}
        named["id"] = _OF_COMMAND.get(command.partition(" ")[0], "text")
        found = named.get(action.dest, "text")
    if command in ("search", "preflight", "check", "postflight"):
        found = "text"
    return found + ("*" if action.nargs in ("*", "+", argparse.REMAINDER) else "")


def place_of(command: str, parser: argparse.ArgumentParser) -> tuple[dict[str, str], tuple[str, ...]]:
    flags, arguments = {}, []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        if not action.option_strings:
            arguments.append(source_of(command, action))
            continue
        takes = "" if action.nargs == 0 else source_of(command, action)
        flags.update({flag: takes for flag in action.option_strings if flag.startswith("--")})
    return flags, tuple(arguments)


def table() -> str:
    verbs: dict[str, dict[str, str]] = {}
    places: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {}
    for name, parser in parsers().items():
        below = verbs_of(parser)
        if below:
            verbs[name] = {verb: about for verb, (about, _) in below.items()}
        else:
            places[name] = place_of(name, parser)
        places.update({f"{name} {verb}": place_of(f"{name} {verb}", each) for verb, (_, each) in below.items()})
    lines = [
        '"""What may follow each command, for shell completion. Written by tools/pages.py: do not edit."""',
        "",
        "# fmt: off",
        "# ruff: noqa: E501",
        "from __future__ import annotations",
        "",
        "VERBS: dict[str, dict[str, str]] = {",
        *(f"    {_literal(name)}: {_literal(each)}," for name, each in verbs.items()),
        "}",
        '"""Of each command that has verbs: verb → what it does."""',
        "PLACES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {",
        *(f"    {_literal(name)}: {_literal(each)}," for name, each in places.items()),
        "}",
        '"""Of each command and verb: flag → what it takes (nothing for a switch), and what each argument is."""',
    ]
    return "\n".join(lines) + "\n"


def _literal(given: object) -> str:
    if isinstance(given, str):
        return '"' + given.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(given, dict):
        return "{" + ", ".join(f"{_literal(name)}: {_literal(each)}" for name, each in given.items()) + "}"
    assert isinstance(given, tuple)
    return "(" + ", ".join(map(_literal, given)) + ("," if len(given) == 1 else "") + ")"


# -- the manual pages ------------------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """File name → text, in the language of man(7)."""
    made = {"perdure.1": _main_page()}
    for name, parser in parsers().items():
        made[f"perdure-{name}.1"] = _page(name, parser)
    return made


def _main_page() -> str:
    from perdure.__main__ import USAGE

    about = USAGE.splitlines()[0]
    lines = [_title("perdure"), ".SH NAME", "perdure \\- keep the work of an AI coding agent whole"]
    lines += [".SH SYNOPSIS", ".B perdure", ".I COMMAND", "[flags]"]
    lines += [".SH DESCRIPTION", _plain(about[:1].upper() + about[1:])]
    lines += [".PP", "To start, change into a repository and run", '.BR "perdure init" .']
    lines += [".SH COMMANDS"]
    for name, (_, told) in COMMANDS.items():
        lines += [".TP", f".BR perdure\\-{_plain(name)} (1)", _plain(_sentence(told))]
    lines += [".SH OTHER NAMES", "Names that earlier tools gave these commands work too:"]
    for name, words in ALIASES.items():
        lines += [".TP", f".B {_plain(name)}", f"perdure {_plain(' '.join(words))}"]
    return "\n".join([*lines, *_closing()]) + "\n"


def _page(name: str, parser: argparse.ArgumentParser) -> str:
    about, below = COMMANDS[name][1], verbs_of(parser)
    lines = [_title(f"perdure-{name}"), ".SH NAME", f"perdure\\-{_plain(name)} \\- {_plain(about)}"]
    lines += [".SH SYNOPSIS", *_synopsis(parser, below), ".SH DESCRIPTION", *_paragraphs(parser.description or "")]
    if below:
        lines += [".SH VERBS"]
        for verb, (_, each) in below.items():
            lines += [
                f".SS perdure {_plain(name)} {_plain(verb)}",
                *_paragraphs(each.description or ""),
                *_options(each),
            ]
    else:
        lines += [".SH OPTIONS", *_options(parser)]
    lines += [".SH EXAMPLES", *_examples(parser)]
    return "\n".join([*lines, *_closing()]) + "\n"


def _title(name: str) -> str:
    head = '.\\" Written by tools/pages.py from the help of the program: do not edit.'
    return f'{head}\n.TH {name.upper()} 1 "" "perdure {__version__}" "Perdure"'


def _closing() -> Iterator[str]:
    yield from (
        ".SH EXIT STATUS",
        "0 done, or yes; 1 the answer is no, or refused; 2 bad usage or bad input; 3 Perdure failed; 130 interrupted.",
        ".SH SEE ALSO",
        ".BR perdure (1),",
        ".BR perdure\\-status (1),",
        ".BR perdure\\-doctor (1)",
    )


def _synopsis(parser: argparse.ArgumentParser, below: dict[str, tuple[str, argparse.ArgumentParser]]) -> Iterator[str]:
    yield f".B {_plain(parser.prog)}"
    if below:
        yield ".I VERB"
    for action in parser._actions:
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction):
            name = _plain(str(action.metavar or action.dest))
            yield f"[\\fI{name}\\fR]" if action.nargs in ("?", "*") else f".I {name}"
    yield "[flags]"


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        takes = _takes(action)
        names = ", ".join(f"\\fB{_plain(each)}\\fR" for each in action.option_strings)
        yield ".TP"
        yield f"{names} {takes}".strip() if names else takes
        yield _plain(_sentence((action.help or "") % {"default": action.default, "prog": parser.prog}))


def _takes(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    given = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest)
    names = given if isinstance(given, tuple) else (given,)
    if action.option_strings and not action.metavar and not action.choices:
        names = tuple(each.upper() for each in names)
    return " ".join(f"\\fI{_plain(each)}\\fR" for each in names)


def _examples(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from (".nf", ".RS")
    yield from (_plain(line.strip()) for line in (parser.epilog or "").removeprefix(EXAMPLES).strip().splitlines())
    yield from (".RE", ".fi")


def _paragraphs(text: str) -> Iterator[str]:
    for number, line in enumerate(line for line in text.splitlines() if line.strip()):
        if number:
            yield ".PP"
        yield _plain(line.strip())


def _sentence(text: str) -> str:
    """As a manual has it: a capital at the beginning and a full stop."""
    text = " ".join(text.split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…", "?", "!")) else ".") if text else ""


def _plain(text: str) -> str:
    """Text that the formatter neither obeys nor changes."""
    text = (
        text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")
    )
    text = text.replace("…", "...")  # groff takes no other character beyond Latin-1 without its preprocessor
    return re.sub(r"^([.'])", r"\\&\1", text.replace("'", "\\(aq"))


def write() -> None:
    PAGES.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in PAGES.glob("*.1"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    TABLE.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    write()
