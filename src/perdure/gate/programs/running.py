"""Cards of programs that run other programs with words they compose themselves, and of Perdure itself."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "env": """
        Runs a command with a changed environment; alone it prints the environment.
        stops
        flags: -i --ignore-environment -0 --null -v --debug
        values: -u --unset -C --chdir
        praxic: -S --split-string | makes a command of one text
        praxic: --block-signal --default-signal --ignore-signal --list-signal-handling | changes what signals do
        code: env
        """,
    "xargs": """
        Runs a command with words read from its standard input.
        stops
        flags: -0 --null -r --no-run-if-empty -t --verbose -x --exit
        values: -a --arg-file -d --delimiter -E -I -L -n --max-args -P --max-procs -s --max-chars
        optional: -e --eof -i --replace -l --max-lines
        praxic: -o --open-tty -p --interactive | asks at the terminal
        praxic: -J -R -S | are read in different ways by different systems
        code: xargs
        """,
    "perdure": """
        Keeps the work of an agent whole.
        any
        deaf
        code: perdure
        """,
}
