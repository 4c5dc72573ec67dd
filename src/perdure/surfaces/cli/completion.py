"""completion: scripts for bash, zsh and fish, made from the parsers themselves."""

from __future__ import annotations

from importlib import import_module

from perdure.surfaces.cli import ALIASES
from perdure.surfaces.cli import COMMANDS as ALL
from perdure.surfaces.cli.command import Answer, Command
from perdure.surfaces.cli.parser import parser_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def words() -> dict[str, list[str]]:
    """For each command, and each `command verb`, what may follow."""
    found: dict[str, list[str]] = {}
    for name, (module, _) in ALL.items():
        command = import_module(f"perdure.surfaces.cli.{module}").COMMANDS[name]
        found.update(_words_of(name, parser_for(name, command)))
    return found


def _words_of(name: str, parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: []}
    for action in parser._actions:
        found[name] += [option for option in action.option_strings if option.startswith("--")]
        below = getattr(action, "_name_parser_map", None)
        if below:
            for verb, sub in below.items():
                found[name].append(verb)
                found.update(_words_of(f"{name} {verb}", sub))
        elif not action.option_strings and action.choices:
            found[name] += [str(choice) for choice in action.choices]
    return found


def script(shell: str) -> str:
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](words())


def _bash(found: dict[str, list[str]]) -> str:
    cases = "\n".join(f'    "{key}") words="{" ".join(options)}" ;;' for key, options in found.items())
    return f"""\
# bash completion for perdure: eval "$(perdure completion bash)"
_perdure() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" words="" key="${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join([*ALL, *ALIASES])}"; else
  case "$key" in
{cases}
    *) case "${{COMP_WORDS[1]}}" in
{cases}
    esac ;;
  esac; fi
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}}
complete -o default -F _perdure perdure
"""


def _zsh(found: dict[str, list[str]]) -> str:
    return "autoload -Uz bashcompinit && bashcompinit\n" + _bash(found)


def _fish(found: dict[str, list[str]]) -> str:
    lines = ["# fish completion for perdure: perdure completion fish | source"]
    for name, (_, about) in ALL.items():
        lines.append(f"complete -c perdure -n __fish_use_subcommand -a {name} -d '{about.replace(chr(39), '')}'")
    for key, options in found.items():
        seen = " ; and ".join(f"__fish_seen_subcommand_from {part}" for part in key.split())
        lines += [f"complete -c perdure -n '{seen}' -l {o[2:]}" for o in options if o.startswith("--")]
        lines += [f"complete -c perdure -n '{seen}' -a {o}" for o in options if not o.startswith("--")]
    return "\n".join(lines) + "\n"


def _run(arguments: Arguments) -> Answer:
    made = script(arguments.shell)
    return Answer(made, lambda _: made.rstrip("\n"))


COMMANDS: dict[str, Command] = {
    "completion": Command(
        run=_run,
        flags=_flags,
        examples='eval "$(perdure completion bash)"\nperdure completion fish | source',
        about="Prints a completion script for your shell.",
    )
}
