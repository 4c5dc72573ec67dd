"""The jail for macOS, as the text of a Seatbelt profile. Pure; `sandbox-exec -p TEXT COMMAND…` applies it.

It was written from Apple's profiles in /System/Library/Sandbox/Profiles and never run on macOS: only its text is
tested.

    profile(folders=("/private/tmp",), files=(), network=False)
"""

from __future__ import annotations

PROGRAM = "/usr/bin/sandbox-exec"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/dtracehelper")
_REFUSED = (
    "file-write*",
    "file-link",
    "network*",
    "system-socket",
    "signal",
    "appleevent-send",
    "lsopen",
    "job-creation",
    "mach-priv*",
    "process-info-setcontrol",
    "system-privilege",
    "ipc-posix*",
    "ipc-sysv*",
)
"""Starting a program by the services of the system (`open`, launchd, Apple events) would start it outside."""
_SERVICES = (
    "com.apple.coreservices.launchservicesd",
    "com.apple.coreservices.quarantine-resolver",
    "com.apple.pasteboard.1",
    "com.apple.xpc.smd",
)


def profile(*, folders: tuple[str, ...], files: tuple[str, ...], network: bool) -> str:
    lines = ["(version 1)", "(allow default)", *(f"(deny {each})" for each in _REFUSED)]
    lines += [f"(deny mach-lookup (global-name {_quoted(each)}))" for each in _SERVICES]
    lines += ["(allow signal (target same-sandbox))"]
    lines += [f"(allow file-write* (subpath {_quoted(each)}))" for each in folders]
    lines += [f"(allow file-write-data (literal {_quoted(each)}))" for each in (*files, *_DEVICES)]
    if network:
        lines += ["(allow network-outbound (remote ip))", "(allow system-socket)"]
        lines += ['(allow network-outbound (literal "/private/var/run/mDNSResponder"))']
    return "\n".join(lines) + "\n"


def _quoted(path: str) -> str:
    if "\n" in path or "\0" in path:
        raise ValueError(f"{path!r} cannot be named in a profile")
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
