"""Runs in another classifier's own environment: which of the commands on standard input would it let run unasked?"""

from __future__ import annotations

import glob
import importlib.util
import json
import os
import sys
import sysconfig
import time
from collections.abc import Callable


def bash_classify() -> Callable[[str], bool]:
    import bash_classify as peer  # type: ignore[import-not-found]

    return lambda command: peer.classify_expression(command).classification == peer.Classification.READONLY


def saferead() -> Callable[[str], bool]:
    """Its hook, as the client would ask it."""
    import io

    from saferead import cli  # type: ignore[import-not-found]

    def asked(command: str) -> bool:
        sys.stdin = io.StringIO(
            json.dumps({"tool_name": "Bash", "tool_input": {"command": command}, "cwd": os.getcwd()})
        )
        kept, sys.stdout = sys.stdout, io.StringIO()
        try:
            cli.main()
        except SystemExit:
            pass
        finally:
            said, sys.stdout = sys.stdout.getvalue(), kept
        return '"allow"' in said

    return asked


def empirica() -> Callable[[str], bool]:
    """The function of its gate that says whether a shell command is safe to run outside a transaction."""
    packages = sysconfig.get_paths()["purelib"]
    (path,) = glob.glob(f"{packages}/empirica/plugins/claude-code-integration/hooks/sentinel-gate.py")
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("sentinel_gate", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda command: bool(module.is_safe_bash_command({"command": command}))


def main() -> None:
    asked = {"bash-classify": bash_classify, "saferead": saferead, "empirica": empirica}[sys.argv[1]]()
    commands = json.load(sys.stdin)
    passed, since = [], time.perf_counter()
    for command in commands:
        try:
            passed.append(asked(command))
        except Exception:  # noqa: BLE001 - a classifier that fails does not let it through
            passed.append(False)
    print(json.dumps({"passed": passed, "seconds": time.perf_counter() - since}))


if __name__ == "__main__":
    main()
