#!/usr/bin/env bash
# The real clients that tests/clients runs: the pinned version, and the oldest that is supported. Only the platform's
# package is fetched, by name, from whatever registry npm is set to; it holds one program that needs no Node to run.
# Each ends up as .clients/VERSION/claude. Two that run at once are no harm: the last step is one rename.
set -u
cd "$(dirname "$0")/../.." || exit 1
versions="2.1.325 2.1.197"

platform() {
  local system machine libc=""
  case "$(uname -s)" in Linux) system=linux ;; Darwin) system=darwin ;; *) return 1 ;; esac
  case "$(uname -m)" in x86_64 | amd64) machine=x64 ;; arm64 | aarch64) machine=arm64 ;; *) return 1 ;; esac
  if [ "$system" = linux ] && ldd --version 2>&1 | grep -qi musl; then libc=-musl; fi
  echo "$system-$machine$libc"
}

fetch() { # VERSION
  local version=$1 box
  box=$(mktemp -d ".clients/.$version.XXXXXX") || return 1
  (
    cd "$box" &&
      npm pack --silent --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 \
        "@anthropic-ai/claude-code-$(platform)@$version" >/dev/null 2>&1 </dev/null &&
      tar -xzf ./*.tgz package/claude && chmod 755 package/claude &&
      env -i PATH="$PATH" HOME="$PWD" ./package/claude --version | grep -q "^$version "
  ) && mkdir -p ".clients/$version" && mv "$box/package/claude" ".clients/$version/claude"
  local went=$?
  rm -rf "$box"
  return $went
}

for version in $versions; do
  [ -x ".clients/$version/claude" ] && continue
  mkdir -p .clients
  { platform >/dev/null && command -v npm >/dev/null 2>&1 && fetch "$version"; } ||
    echo "claude-code $version is not installed, and could not be: the tests that need it will be skipped, and say so" >&2
done
exit 0
