#!/usr/bin/env bash
# What the tests use beside Python and git: tmux, for real panes. Installed where that can be done without asking.
set -u
command -v tmux >/dev/null 2>&1 && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends tmux; } >/dev/null 2>&1
elif command -v brew >/dev/null 2>&1; then
  brew install --quiet tmux >/dev/null 2>&1
fi
command -v tmux >/dev/null 2>&1 || echo "tmux is not installed and could not be: the tests with real panes will be skipped, and say so" >&2
exit 0
