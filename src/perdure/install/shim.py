"""The portable shim: a shell script that calls Perdure for a hook and may be committed. If Perdure is not installed,
the script says so when a session starts, and lets every call pass unless the project sets `gate.required` (SPEC 6.1).

It uses only the shell itself: a machine without `perdure` may lack other programs, too.
"""

from __future__ import annotations

import json

from perdure.install.digest_line import signed
from perdure.install.guard_registered import SHIM
from perdure.install.program import GUARD, denial

PATH = SHIM
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
  exec perdure hook "$@"
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
SessionStart)
  printf '%s\\n' 'ABSENT'
  ;;
GUARD)
  folder=${CLAUDE_PROJECT_DIR:-$PWD}
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
    printf '%s\\n' 'DENIED'
  fi
  ;;
esac
exit 0
"""


def text() -> str:
    filled = _TEXT.replace("GUARD", GUARD)
    filled = filled.replace("ABSENT", _quotable({"systemMessage": _ABSENT}))
    return signed(filled.replace("DENIED", _quotable(denial(_REQUIRED))), "# {}")


def _quotable(answer: object) -> str:
    found = json.dumps(answer)
    assert "'" not in found, "it stands in single quotes"
    return found
