#!/usr/bin/env bash
# What the tests use beside Python and git: tmux for real panes; bubblewrap and the programs whose commands the gate judges,
# for running those commands where they harm nothing; zsh and fish, whose completion is tried; groff. Installed where that can be done without asking.
set -u
"$(dirname "$0")/clients/install.sh"
"$(dirname "$0")/clients/install_mcp.sh"
wanted() { for program in tmux bwrap zsh fish groff jq gawk rg fdfind tree zip unzip bc xxd file xz; do
  command -v "$program" >/dev/null 2>&1 || echo "$program"
done; }
[ -z "$(wanted)" ] && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    tmux bubblewrap zsh fish groff jq gawk ripgrep fd-find tree zip unzip bc xxd file xz-utils; } >/dev/null 2>&1
elif command -v brew >/dev/null 2>&1; then
  brew install --quiet tmux fish groff jq gawk ripgrep fd tree >/dev/null 2>&1
fi
missing=$(wanted | tr '\n' ' ')
[ -z "$missing" ] || echo "not installed, and could not be: $missing— the tests that need them will be skipped, and say so" >&2
exit 0
