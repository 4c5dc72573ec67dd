"""completion: scripts for bash, zsh and fish. For each press of the key they ask the program (`complete.py`), by its
name: never by the path that was typed, which may be anybody's program."""

from __future__ import annotations

from perdure.surfaces.cli.command import Answer, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.surfaces.cli.command import Arguments

_BASH = """\
# bash completion for perdure: eval "$(perdure completion bash)"
_perdure() {
  local word rest
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    case $word in
    :file) ;;
    :folder) compopt -o dirnames 2>/dev/null ;;
    *) COMPREPLY+=("$word") ;;
    esac
  done < <(command perdure __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _perdure perdure
"""
_ZSH = """\
# zsh completion for perdure: eval "$(perdure completion zsh)"
_perdure() {
  local word about
  local -a found
  while IFS=$'\\t' read -r word about; do
    case $word in
    :file) _files; return ;;
    :folder) _files -/ ;;
    *) found+=("${word//:/\\\\:}${about:+:$about}") ;;
    esac
  done < <(command perdure __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe perdure found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _perdure perdure
"""
_FISH = """\
# fish completion for perdure: perdure completion fish | source
function __perdure_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    test -n "$typed"; or set typed ''
    for line in (command perdure __complete $words[2..-1] "$typed" 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path "$typed"
            case ':folder'
                __fish_complete_directories "$typed"
            case '*'
                echo $line
        end
    end
end
complete -c perdure -f -k -a '(__perdure_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def _flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(SCRIPTS), help="your shell")


def _run(arguments: Arguments) -> Answer:
    made = SCRIPTS[arguments.shell]
    return Answer(made, lambda _: made.rstrip("\n"), is_verbatim=True)


COMMANDS: dict[str, Command] = {
    "completion": Command(
        run=_run,
        flags=_flags,
        examples='eval "$(perdure completion bash)"\n'
        'eval "$(perdure completion zsh)"\n'
        "perdure completion fish | source",
        about="Prints a completion script for your shell. It completes commands, flags, ids, settings and their "
        "values. Put the line of the examples into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.",
    )
}
