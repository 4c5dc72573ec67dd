"""Handles a client's hooks (SPEC 6.2). This is the hook path: it imports little, and a test lists what it imports.

`main` is the edge. A guard that fails denies, and says that it failed; any other hook that fails says so on standard
error and exits 1. It never exits 2, which a client would read as a verdict (SPEC 6.3). If the client is not registered,
the hook denies in the words of the default client, which several clients understand.

    main(["PreToolUse"], "/usr/local/bin/perdure")      # Claude Code's JSON on standard input
    main(["--client", "claude-code", "PreToolUse"], …)  # the same: it is the default
"""

from __future__ import annotations

import os
import sys

from perdure import clients
from perdure.clients import port
from perdure.place.client_variables import ignore_the_projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from perdure.clients.port import HookClient, Payload

    Handler = Callable[[HookClient, Payload, str], str]

if clients.with_hooks(clients.DEFAULT) is None:  # half an update: the registered command denies if this is not imported
    raise ImportError(f"the adapter of {clients.DEFAULT} cannot be used")

ASYNCHRONOUS = (port.AFTER_TOOL, port.AFTER_FAILURE, port.SUBAGENT_START, port.SUBAGENT_STOP, port.AFTER_COMPACTION)
"""Events for which the client does not wait."""
LARGEST = 64 << 20
"""Bytes that a client may send to a hook."""


def run(words: list[str], program: str = "") -> NoReturn:
    """Runs `main`, then ends the process at once: a hook is too short to spend time on Python's cleanup."""
    import gc

    gc.disable()
    code = 1
    try:
        code = main(words, program)
        if sys.stderr:
            sys.stderr.flush()
    finally:  # also if standard error is full: the exit code still shows the failure
        os._exit(code)


def main(words: list[str], program: str = "") -> int:
    name, words = _client_of(words)
    event = words[0] if words else ""
    client = clients.with_hooks(name)
    if client is None:
        return _refuse_unknown(name)
    meaning = client.EVENTS.get(event, "")
    if meaning in ASYNCHRONOUS:
        _outlive_the_client()
    try:
        answer = _answer(client, event, words[1:], program=program)
    except BaseException as error:  # noqa: BLE001 - the edge: a guard's failure denies, whatever it was
        if meaning != port.BEFORE_TOOL:
            return _complain(event, error)
        answer = _denial(client, error)
    return _write(answer)


def _client_of(words: list[str]) -> tuple[str, list[str]]:
    if words[:1] == ["--client"]:
        return (words[1] if len(words) > 1 else ""), words[2:]
    return clients.DEFAULT, words


def _refuse_unknown(name: str) -> int:
    known = ", ".join(each for each in clients.REGISTERED if clients.with_hooks(each))
    reason = f"{name[:60]!r} is not a client whose hooks Perdure answers. Name one of these with --client: {known}."
    if sys.stderr:
        sys.stderr.write(f"perdure hook: {reason}\n")
    default = clients.with_hooks(clients.DEFAULT)
    return _write(default.deny(reason)) if default else 1


def _write(answer: str) -> int:
    """An answer that cannot be written is a failure: otherwise a denial could be lost unnoticed."""
    if not answer:
        return 0
    if sys.stdout is None:  # closed before we started
        return 1
    try:
        sys.stdout.buffer.write(answer.encode())
        sys.stdout.flush()
    except OSError:
        return 1
    return 0


def _outlive_the_client() -> None:
    """A client that ends sends SIGTERM to its hooks and waits for those that ignore it. We ignore it, so that what was
    seen is still recorded. (The module `signal` would import `enum`.)"""
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)


def is_switched_off() -> bool:
    """Whether the person switched the gate off for the client's process. Every message about a failure of the guard
    names this way out."""
    return os.environ.get("PERDURE_GATE_MODE") == "off"


def _denial(client: HookClient, error: BaseException) -> str:
    if is_switched_off():
        return ""
    try:
        from perdure.gate import policy

        return client.deny(policy.words(policy.verdict_of_error(error)))
    except BaseException as also:  # noqa: BLE001 - what puts a denial into words may itself be broken
        return client.deny(
            f"Perdure's guard failed: {also!r}. This is not a judgement. A person installs Perdure again, or starts "
            "the client with PERDURE_GATE_MODE=off."
        )


def _answer(client: HookClient, event: str, words: list[str], *, program: str) -> str:
    ignore_the_projects(os.environ)
    if client.EVENTS.get(event) == port.STATUS_LINE:
        from perdure.surfaces.statusline import line

        return line(client, event, _read(), other_command=words[0] if words else "")
    handler = _handler(client, event)
    return handler(client, client.parse_payload(event, _read()), program)


def _read() -> bytes:
    if sys.stdin is None:
        raise port.unusable("is closed")
    given = sys.stdin.buffer.read(LARGEST + 1)
    if len(given) > LARGEST:
        raise port.unusable("is larger than 64 MiB")
    return given


def _handler(client: HookClient, event: str) -> Handler:
    """The function for an event. Its module is imported only for that event."""
    meaning = client.EVENTS.get(event)
    if meaning == port.BEFORE_TOOL:
        from perdure.surfaces.hooks.guard import before_tool

        return before_tool
    if meaning in ASYNCHRONOUS:
        from perdure.surfaces.hooks import observe

        return observe.HANDLERS[meaning]
    from perdure.surfaces.hooks import session

    if meaning not in session.HANDLERS:
        from perdure.errors import BadInput
        from perdure.model.ids import shown

        raise BadInput("usage", f"There is no hook for {shown(event)}.", hint="perdure hook --help lists the events.")
    return session.HANDLERS[meaning]


def _complain(event: str, error: BaseException) -> int:
    if sys.stderr is None:
        return 1
    if os.environ.get("PERDURE_DEBUG") == "1":
        from traceback import print_exc

        print_exc()
        return 1
    from perdure.errors import PerdureError

    what = f"{error.message} {error.hint}" if isinstance(error, PerdureError) else f"{type(error).__name__}: {error}"
    print(f"perdure: the {event or 'unnamed'} hook failed: {what}".strip(), file=sys.stderr)
    return 1
