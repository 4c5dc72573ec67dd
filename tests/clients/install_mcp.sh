#!/usr/bin/env bash
# What tests/clients/test_mcp.py tries the MCP server with: the official conformance suite, its stable release and the
# one for protocol revision 2026-07-28, the MCP inspector, and a Node new enough for them. Pinned; from whatever
# registry npm is set to; in .clients/mcp. Two that run at once are no harm: the last step is one rename.
set -u
cd "$(dirname "$0")/../.." || exit 1
wanted="node@22.23.3
stable@npm:@modelcontextprotocol/conformance@0.1.16
next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12
@modelcontextprotocol/inspector@2.12.0"

[ "$(cat .clients/mcp/wanted 2>/dev/null)" = "$wanted" ] && exit 0
command -v npm >/dev/null 2>&1 && mkdir -p .clients && box=$(mktemp -d .clients/.mcp.XXXXXX) &&
  # shellcheck disable=SC2086  # one word each
  npm install --silent --no-audit --no-fund --prefix "$box" $wanted >/dev/null 2>&1 </dev/null &&
  printf '%s\n' "$wanted" >"$box/wanted" && rm -rf .clients/mcp && mv "$box" .clients/mcp && exit 0
rm -rf "${box:-.clients/.mcp.none}"
echo "the MCP conformance suite is not installed, and could not be: the tests that need it will be skipped, and say so" >&2
exit 0
