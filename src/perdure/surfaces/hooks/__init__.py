"""Hooks: what a client runs on its events (SPEC 6.2). This is the hook path: it loads little and says so in a test.

`main` is the edge. A guard that fails denies, and says that it failed; any other hook that fails says so on standard
error and exits 1. It never exits 2, which a client would take for a verdict (SPEC 6.3).

    main(["PreToolUse"], "/usr/local/bin/perdure")      # the client's JSON on standard input
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from perdure.surfaces.hooks.claude_code import Said

GUARD = "PreToolUse"
BESIDE = ("PostToolUse", "PostToolUseFailure", "SubagentStart", "SubagentStop")
"""Events whose hooks run beside the client's work."""
LARGEST = 64 << 20
STATUS_LINE = "statusLine"


def run(words: list[str], program: str = "") -> NoReturn:
    """As `main`, and the process is over: a hook lives too briefly for what is collected and taken down at an end."""
    import gc

    gc.disable()
    code = 1
    try:
        code = main(words, program)
        if sys.stderr:
            sys.stderr.flush()
    finally:  # also where standard error is full: the exit code tells
        os._exit(code)


def main(words: list[str], program: str = "") -> int:
    event = words[0] if words else ""
    if event in BESIDE:
        _outlive_the_client()
    try:
        answer = _answer(event, words[1:], program)
    except BaseException as error:  # noqa: BLE001 - the edge: a guard's failure denies, whatever it was
        if event != GUARD:
            return _complain(event, error)
        answer = _denial(error)
    return _write(answer)


def _write(answer: str) -> int:
    """An answer that cannot be written is a failure: where a guard denies, nobody would know."""
    if not answer:
        return 0
    if sys.stdout is None:  # closed before we began
        return 1
    try:
        sys.stdout.buffer.write(answer.encode())
        sys.stdout.flush()
    except OSError:
        return 1
    return 0


def _outlive_the_client() -> None:
    """A client that ends sends SIGTERM to what runs beside it, and waits for what does not heed it: what was seen is
    written all the same. (`signal` would bring `enum`.)"""
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)


def is_switched_off() -> bool:
    """By the person, for the client's own process: the way out that every failure of the guard names."""
    return os.environ.get("PERDURE_GATE_MODE") == "off"


def _denial(error: BaseException) -> str:
    if is_switched_off():
        return ""
    from perdure.gate import policy
    from perdure.surfaces.hooks import claude_code

    return claude_code.deny(policy.words(policy.failed_by(error)))


def _answer(event: str, words: list[str], program: str) -> str:
    if event == STATUS_LINE:
        from perdure.surfaces.statusline import line

        return line(_read(), words[0] if words else "")
    from perdure.surfaces.hooks.claude_code import said

    return _handler(event)(said(_read()), program)


def _read() -> bytes:
    from perdure.surfaces.hooks.claude_code import unusable

    if sys.stdin is None:
        raise unusable("is closed")
    given = sys.stdin.buffer.read(LARGEST + 1)
    if len(given) > LARGEST:
        raise unusable("is larger than 64 MiB")
    return given


def _handler(event: str) -> Callable[[Said, str], str]:
    """Each is imported only when its event comes."""
    if event == GUARD:
        from perdure.surfaces.hooks.guard import before_tool

        return before_tool
    if event in BESIDE:
        from perdure.surfaces.hooks import seen

        return seen.HANDLERS[event]
    from perdure.surfaces.hooks import session

    if event not in session.HANDLERS:
        raise ValueError(f"there is no hook for {event!r}")
    return session.HANDLERS[event]


def _complain(event: str, error: BaseException) -> int:
    if sys.stderr is None:
        return 1
    if os.environ.get("PERDURE_DEBUG") == "1":
        from traceback import print_exc

        print_exc()
        return 1
    from perdure.errors import PerdureError

    what = f"{error.message} {error.hint}" if isinstance(error, PerdureError) else f"{type(error).__name__}: {error}"
    print(f"perdure: the {event} hook failed: {what}".strip(), file=sys.stderr)
    return 1
