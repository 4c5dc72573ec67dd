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
  printf '%s\n' '{"systemMessage": "Perdure is not installed here, so its guard does not run in this project. To install it: pipx install (or uv tool install) its package or a clone of it, as its README says."}'
  ;;
PreToolUse)
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
    printf '%s\n' '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Perdure is not installed here, and this project does not let an agent change anything without it (gate.required in .perdure/config.toml). To install it: pipx install (or uv tool install) its package or a clone of it, as its README says. A person must do this."}}'
  fi
  ;;
esac
exit 0
# written by perdure init, 457b56ac1e0a3147; once you edit it, it is yours
