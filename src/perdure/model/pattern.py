"""A regular expression that is compiled when it is first used.

To compile one costs a process up to some milliseconds, and a hook that records one tool call uses hardly any of those
that stand in the modules it loads (docs/adr/0003).

    _NUMBER = compiled_later(r"(?a)[0-9]+")       # flags as letters, so that `re` is not loaded for them
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, AnyStr


class Later:
    """Answers for the pattern. What was asked for once is then an attribute of its own."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._uncompiled = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        import re

        pattern, flags = self._uncompiled
        found = getattr(re.compile(pattern, flags), name)
        self.__dict__[name] = found
        return found


def compiled_later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    return Later(pattern, flags)  # type: ignore[return-value]
