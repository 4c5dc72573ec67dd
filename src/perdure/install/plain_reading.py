"""What still runs in a client where Perdure is registered but gone: commands that plainly only read (SPEC 5.1, 6.3).

Whatever is registered must decide alone then: the guard's few lines in the settings file, and the script through which
the client starts its shells. Both let a command pass that is one of a few programs with plain words, and nothing else.
So an agent can look around and say what is wrong, and changes nothing that nobody judged (docs/adr/0073).

    python_test(claude_code)     # an expression over `given`, which is what the client sent
    shell_patterns()             # "ls | ls\\\\ *| …", for a `case`
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.clients.port import HookClient

READERS = ("ls", "pwd", "cat", "head", "tail", "wc", "grep", "stat", "du")
"""None of them has an option that writes or runs something."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,@+- "
"""A shell reads a text of these signs as words and nothing else."""
_NOT_PLAIN = "*[!A-Za-z0-9_./=:,@+\\ -]*"


def python_test(client: HookClient) -> str:
    """Whether `given`, the client's JSON as Python read it, runs a command that plainly only reads."""
    where = _command_in_payload(client)
    if where is None:
        return "False"
    tool, name, fields, field = where
    line = f"given[{fields!r}][{field!r}]"
    return f"given[{tool!r}] == {name!r} and {line}.split(' ')[0] in {READERS!r} and set({line}) <= set({LETTERS!r})"


def what_runs(client: HookClient) -> str:
    """What an agent still can do then, for the denial."""
    if _command_in_payload(client) is None:
        return "every tool call that the guard is asked about is denied"
    return f"tools that only read still run, and so do plain commands that only read ({', '.join(READERS)})"


def shells_start_test(client: HookClient) -> str:
    """Whether the client can start its shells, for Python code that has `os`. Its settings may name our program for
    that, and whoever deleted Perdure's home deleted the program: then not even `ls` starts."""
    variable = shell_variable(client)
    return f"os.path.exists(os.environ.get({variable!r}) or '/')" if variable else "True"


def shell_variable(client: HookClient) -> str:
    """The variable that names the program for the client's shells; empty if the client has none."""
    return getattr(client, "SHELL_VARIABLE", "")


def _command_in_payload(client: HookClient) -> tuple[str, str, str, str] | None:
    """Not every adapter says where the command stands in what its client sends."""
    return getattr(client, "COMMAND_IN_PAYLOAD", None)


def not_plain_pattern() -> str:
    """For a `case`: a text with any other sign."""
    return _NOT_PLAIN


def shell_patterns() -> str:
    """For a `case`: a text of plain words that begins with a reader."""
    return " | ".join(f"{name} | {name}\\ *" for name in READERS)
