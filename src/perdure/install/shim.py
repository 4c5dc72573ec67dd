"""The portable shim: a shell script that calls Perdure for a hook and may be committed. If Perdure is not installed,
the script says so when a session starts, and lets every call pass unless the project sets `gate.required` (SPEC 6.1).

It uses only the shell itself: a machine without `perdure` may lack other programs, too.
"""

from __future__ import annotations

import re

from perdure.clients import port
from perdure.install.digest_line import with_digest_line
from perdure.install.program import named, printable_denial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.clients.port import HookClient

HOW = "To install it: pipx install (or uv tool install) its package or a clone of it, as its README says."
_ABSENT = f"Perdure is not installed here, so its guard does not run in this project. {HOW}"
_REQUIRED = (
    "Perdure is not installed here, and this project does not let an agent change anything without it "
    f"(gate.required in .perdure/config.toml). {HOW} A person must do this."
)
_TEXT = """\
#!/bin/sh
# Calls Perdure for a hook of the client. If it is not installed, says so when a session starts and lets every call
# pass, unless .perdure/config.toml has `required = true` under [gate].
event=${1-}
if command -v perdure >/dev/null 2>&1; then
  exec perdure hook CLIENT"$@"
fi

required() {
  while IFS= read -r line || [ -n "$line" ]; do
    case ${line#"${line%%[! ]*}"} in
    '#'*) ;;
    *required*=*true*) return 0 ;;
    esac
  done <"$1"
  return 1
}

case $event in
START)
  printf '%s\\n' ABSENT
  ;;
GUARD)
  folder=FOLDER
  while [ -n "$folder" ] && [ ! -f "$folder/.perdure/config.toml" ]; do
    if [ -f "$folder/.git" ]; then
      IFS= read -r line <"$folder/.git"
      line=${line#gitdir: }
      case $line in
      */.git/worktrees/*) folder=${line%/.git/worktrees/*}/. ; continue ;;
      esac
    fi
    case $folder in
    */*) folder=${folder%/*} ;;
    *) folder= ;;
    esac
  done
  if [ -f "$folder/.perdure/config.toml" ] && required "$folder/.perdure/config.toml"; then
    printf '%s\\n' DENIED
  fi
  ;;
esac
exit 0
"""


def text(client: HookClient, show: Callable[[str], str], variable: str = "") -> str:
    """`show` makes the answer that shows the person a sentence when a session starts. `variable` is the environment
    variable in which the client names the project's folder; without one, the working directory counts."""
    parts = {
        "CLIENT": "".join(f"{word} " for word in named(client)),
        "START": port.event_name(client, port.SESSION_START) or "''",
        "GUARD": port.event_name(client, port.BEFORE_TOOL) or "''",
        "FOLDER": f"${{{variable}:-$PWD}}" if variable else "$PWD",
        "ABSENT": _quoted(show(_ABSENT).removesuffix("\n")),
        "DENIED": _quoted(printable_denial(client, _REQUIRED)),
    }
    filled = re.sub("|".join(parts), lambda found: parts[found[0]], _TEXT)
    return with_digest_line(filled, "# {}")


def _quoted(answer: str) -> str:
    return "'" + answer.replace("'", "'\\''") + "'"
