"""The `perdure` command: parses, dispatches, handles every error in one place, and sets the exit code (SPEC 17.3).

0 done or yes; 1 the answer is no, or refused; 2 bad usage or bad input; 3 Perdure failed; 130 interrupted.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from perdure.errors import BadInput, PerdureError, Trouble
from perdure.model.ids import shown
from perdure.place.client_variables import ignore_the_projects
from perdure.surfaces.cli import ALIASES, COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from perdure.surfaces.cli.command import Answer, Arguments, Command

_GARBAGE = 50_000
"""How many new objects before Python looks for cycles among them. With its own 700, it looks dozens of times while our
modules load, and finds nothing: that is a twentieth of `perdure status`."""
USAGE = """\
perdure records the work of an AI coding agent so that nothing is lost between sessions.

usage: perdure COMMAND [flags]      perdure COMMAND --help shows examples

{commands}

to start, cd into a repository and run perdure init
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit code. Both streams are flushed here: a failure to flush at exit would make
    Python print an error of its own."""
    gc.set_threshold(_GARBAGE)
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"] and words[1:] not in (["-h"], ["--help"]):
        _run_hook(words[1:])
    if words[:1] == ["__complete"]:
        return _complete(words[1:])
    _open_streams()
    try:
        code = _main(words)
    except OSError as error:  # not even the error could be printed
        code = 3
        _redirect_to_devnull(sys.stdout)
        _print_to_stderr_if_possible(
            f"perdure: The answer could not be written: {error.strerror}. The command itself was carried out."
        )
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _redirect_to_devnull(stream)
    return code


def _complete(words: list[str]) -> int:
    """For a key that a person pressed: they see a prompt, so a failure offers nothing and says nothing."""
    from perdure.surfaces.cli import complete

    try:
        complete.run(words)
    except Exception:  # noqa: BLE001 - the edge
        return 1
    return 0


def _run_hook(words: list[str]) -> None:
    """Ends the process with exit code 0 or 1. A client takes 2 for a verdict, so a hook does not use our other exit
    codes. A closed stream is not replaced: a verdict that nobody can read is a failure (SPEC 6.3)."""
    from argparse import Namespace

    _command("hook").run(Namespace(words=words))


def _print_to_stderr_if_possible(text: str) -> None:
    """If standard error is closed, only the exit code tells of the failure."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return


def _main(words: list[str]) -> int:
    as_json = "--json" in words or _are_fed_json(words)
    ignore_the_projects(os.environ)
    _tell_of_unknown_variables()
    try:
        code = _dispatch(words)
        _write_out("")
        return code
    except PerdureError as error:
        _report(error.code, error.message, _hint(error), details=error.details, as_json=as_json)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _redirect_to_devnull(sys.stdout)  # the reader has closed the pipe, which is not an error
        return 0
    except Exception as error:  # noqa: BLE001 - the edge: whatever was not foreseen becomes one sentence
        if os.environ.get("PERDURE_DEBUG") == "1":
            from traceback import print_exc

            print_exc()
            return 3
        what = f"{type(error).__name__}: {error}"
        hint = "This is a defect in Perdure. PERDURE_DEBUG=1 shows where; please report it."
        _report("internal", f"Perdure failed: {what}.", hint, details={}, as_json=as_json)
        return 3


def _tell_of_unknown_variables() -> None:
    """A mistyped one would have no effect, and nobody would know."""
    if not any(name.startswith("PERDURE_") for name in os.environ):
        return
    from perdure.settings import unknown_variables
    from perdure.surfaces.output import harmless

    for each in unknown_variables(os.environ):
        _print_to_stderr_if_possible(f"perdure: {harmless(each)}")


def _hint(error: PerdureError) -> str:
    """In the jail it is not the disk that refuses to be written (SPEC 5.8)."""
    if error.code not in ("read_only", "not_permitted") or not os.environ.get("PERDURE_READONLY"):
        return error.hint
    return (
        "It ran read-only, with the other programs in the same command line. Run this command of perdure alone: one "
        "that records something may only be joined with cd, cat, echo, head, grep, jq and other plain readers."
    )


def _are_fed_json(words: list[str]) -> bool:
    """Commands that read JSON answer with JSON (SPEC 17.2), except that `--transcript -` answers with text."""
    return any(word == "-" and before != "--transcript" for before, word in zip(["", *words], words, strict=False))


def _open_streams() -> None:
    """Replaces a stream that was closed before we started by an empty one. A character that standard output cannot
    encode is printed as an escape. In UTF-8 that can only be a lone surrogate, whose escape is also valid JSON."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - stays open until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _only_ascii() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def _redirect_to_devnull(stream: TextIO) -> None:
    """Directs the stream to /dev/null, because Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _dispatch(words: list[str]) -> int:
    words = _with_json_last(words) if words else ["help"]
    if words[0] in ("-h", "--help", "help"):
        return _help_about([word for word in words[1:] if not word.startswith("-")])
    if words[0] in ("-V", "--version", "version"):
        from perdure import __version__

        print(f"perdure {__version__}")
        return 0
    name, *rest = [*ALIASES.get(words[0], (words[0],)), *words[1:]]
    command = _command(name)
    try:
        given = _parsed(name, command, rest)
    except SystemExit as done:  # argparse raises this after --help
        return int(done.code or 0)
    answer = command.run(given)
    notices = list(dict.fromkeys(getattr(given, "notices", ())))
    _print(answer, notices, as_json=answer.as_json or bool(getattr(given, "json", False)))
    return answer.exit_code


def _parsed(name: str, command: Command, words: list[str]) -> Arguments:
    if not words:
        from perdure.surfaces.cli.no_arguments import default_arguments

        given = default_arguments(command)
        if given is not None:
            return given
    from perdure.surfaces.cli.parser import parser_for

    return parser_for(name, command).parse_all(words)


def _help_about(words: list[str]) -> int:
    """`help`, `help task`, `help task create`. Nothing is run, whatever the words are."""
    if not words:
        _write_out(usage())
        return 0
    name, *rest = [*ALIASES.get(words[0], (words[0],)), *words[1:]]
    command = _command(name)
    from perdure.surfaces.cli.parser import help_text, parser_for

    _write_out(help_text(parser_for(name, command), rest))
    return 0


def _with_json_last(words: list[str]) -> list[str]:
    """The words with a `--json` that precedes the command put last; or, since nothing after `--` is a flag, right after
    the command."""
    while words[0] == "--json" and len(words) > 1:
        words = [*words[1:], words[0]] if "--" not in words else [words[1], words[0], *words[2:]]
    return words


def _command(name: str) -> Command:
    if name not in COMMANDS:
        raise BadInput("usage", f"There is no command {shown(name)}.", hint=_meant(name))
    from importlib import import_module

    module = import_module(f"perdure.surfaces.cli.{COMMANDS[name][0]}")
    command: Command = module.COMMANDS[name]
    return command


def _meant(typed: str) -> str:
    """The commands that have a verb of that name, else those that begin so, else the nearest one."""
    from perdure.surfaces.cli.usage_errors import nearest

    begun = [name for name in COMMANDS if len(typed) > 1 and name.startswith(typed)]
    near = ", perdure ".join(begun) or nearest(typed, [*COMMANDS, *ALIASES])
    having = [name for name, (_, about) in COMMANDS.items() if typed in about.partition(":")[0].split(", ")]
    if having:
        return f"Did you mean {', '.join(f'perdure {name} {typed}' for name in having)}?"
    return f"Did you mean perdure {near}?" if near else "perdure --help lists the commands."


def usage() -> str:
    """Every command, in lines that fit the terminal."""
    from perdure.surfaces.output import terminal_width, wrapped

    columns, width = terminal_width(), max(map(len, COMMANDS)) + 4
    lines = []
    for name, (_, about) in COMMANDS.items():
        first, *more = wrapped(about, columns, indent=" " * width)
        lines += [f"  {name}".ljust(width) + first.lstrip(), *more]
    above, below = ("\n".join(_fitting(part, columns)) for part in USAGE.split("{commands}"))
    return above + "\n".join(lines) + below


def _fitting(text: str, columns: int) -> list[str]:
    from perdure.surfaces.output import wrapped

    return [each for line in text.split("\n") for each in ([line] if len(line) <= columns else wrapped(line, columns))]


def _print(answer: Answer, notices: list[str], *, as_json: bool) -> None:
    """Prints an answer. Notices come first: as the first lines of a text, or the first member of a JSON object."""
    if answer.exact and not sys.stdout.isatty():
        _write_out(answer.exact, in_utf8=True)
        return
    text = _as_json(answer, notices) if as_json else _as_text(answer, notices)
    if text:
        _write_out(text + "\n")


def _as_json(answer: Answer, notices: list[str]) -> str:
    if answer.data is None:
        return ""  # the command wrote its answer itself, piece by piece
    import json

    from perdure.surfaces.output import harmless_json

    data = answer.data
    if notices and isinstance(data, dict):
        data = {"notice": " ".join(notices), **data}
    return harmless_json(json.dumps(data, ensure_ascii=_only_ascii(), indent=2 if sys.stdout.isatty() else None))


def _as_text(answer: Answer, notices: list[str]) -> str:
    from perdure.surfaces.output import columns_of_terminal, harmless, style_for, width_of

    style = style_for(sys.stdout, os.environ)
    lines = [style("yellow", harmless(notice)) for notice in notices]
    text = "\n".join([*lines, answer.text(style)])
    columns = columns_of_terminal()
    if not columns or answer.is_verbatim or all(width_of(line) <= columns for line in text.split("\n")):
        return text
    from perdure.surfaces.folding import folded

    return folded(text, columns)


def _write_out(text: str, *, in_utf8: bool = False) -> None:
    """`in_utf8`: in UTF-8 even if the terminal uses another encoding, because a program reads it."""
    try:
        if in_utf8:
            sys.stdout.buffer.write(text.encode())
        else:
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _redirect_to_devnull(sys.stdout)
        raise Trouble(
            "no_answer",
            f"The command was carried out, but its answer could not be written: {error.strerror}.",
            hint="Look at the state before you run it again: perdure status",
        ) from error


def _report(code: str, message: str, hint: str, *, details: object, as_json: bool) -> None:
    if as_json:
        import json

        from perdure.surfaces.output import harmless_json

        error = {"code": code, "message": message, "hint": hint or None, "details": details}
        print(harmless_json(json.dumps({"error": error}, ensure_ascii=_only_ascii(), default=str)), file=sys.stdout)
        return
    from perdure.surfaces.output import harmless, style_for

    style = style_for(sys.stderr, os.environ)
    print(_fitting_stderr(f"{style('red', 'perdure:')} {harmless(message)}"), file=sys.stderr)
    if hint:
        print(style("dim", _fitting_stderr(f"  {harmless(hint)}")), file=sys.stderr)


def _fitting_stderr(text: str) -> str:
    from perdure.surfaces.output import columns_of_terminal

    columns = columns_of_terminal(sys.stderr)
    if not columns:
        return text
    from perdure.surfaces.folding import folded

    return folded(text, columns)


if __name__ == "__main__":
    sys.exit(main())
