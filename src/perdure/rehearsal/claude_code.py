"""How a Claude Code program is run against the scripted model: an environment built from nothing, a bounded time.

Nothing of the caller's environment reaches the client but PATH, and it has a HOME that the caller made for it. So it
finds no account, no settings and no history of the person's. What it wants to send elsewhere ends at the model too,
which is its proxy: `model.troubles` names it.

    client = RehearsedClient(binary, home=empty_folder, url=model.url)
    client.version()                                                    # (2, 1, 325)
    played = client.run("go", "--allowedTools", "Bash", cwd=project)    # `-p`, to its end
    played.code, played.session, played.result, played.hooks("PreToolUse")[0].outcome

    with client.start("go", cwd=project) as running:                    # while a turn is held back
        ...
        played = running.finish()

What a person sees (the status line) needs a terminal. `quiet_home` writes what the client would otherwise ask there
first; without it the interactive client asks the network before anything else.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

from perdure.errors import Trouble
from perdure.model.value import value

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

KEY = "sk-ant-rehearsal-00000000000000000000"
"""No credential: the client wants one to be there."""
SWITCHES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",  # tried in a terminal, whatever the others say
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
}
LEAN = {
    "BUN_JSC_useDFGJIT": "0",
    "BUN_JSC_useFTLJIT": "0",
    "BUN_JSC_useConcurrentJIT": "0",
    "BUN_JSC_useConcurrentGC": "0",
    "BUN_JSC_numberOfGCMarkers": "1",
}
"""For the engine that the client runs on. It lives for seconds here: to compile its code once more, and to look for
garbage beside it, costs more than it saves. A client on another engine ignores them."""
STREAM = ("--output-format", "stream-json", "--verbose", "--include-hook-events")
Version = tuple[int, ...]
Event = Mapping[str, Any]


@value
class HookRun:
    """One run of a hook, as the client tells of it."""

    event: str
    name: str
    outcome: str
    code: int | None
    out: str
    err: str


@value
class Played:
    """How a run went. `code` is negative when the client had to be ended, as for a signal."""

    code: int
    events: tuple[Event, ...]
    err: str
    unread: tuple[str, ...] = ()
    """Lines of its output that were not JSON objects."""

    def of(self, kind: str, subtype: str = "") -> list[Event]:
        return [e for e in self.events if e.get("type") == kind and (not subtype or e.get("subtype") == subtype)]

    @property
    def session(self) -> str:
        # Events before `init` may carry an id that is given up again, as with --continue.
        told = [*self.of("result"), *self.of("system", "init")]
        return next((str(event["session_id"]) for event in told if event.get("session_id")), "")

    @property
    def result(self) -> str:
        """The client's last word."""
        return next((str(event.get("result", "")) for event in self.of("result")), "")

    def hooks(self, event: str = "") -> list[HookRun]:
        runs = [_hook_run(told) for told in self.of("system", "hook_response")]
        return [run for run in runs if not event or run.event == event]


def _hook_run(told: Event) -> HookRun:
    code = told.get("exit_code")
    return HookRun(
        event=str(told.get("hook_event", "")),
        name=str(told.get("hook_name", "")),
        outcome=str(told.get("outcome", "")),
        code=code if isinstance(code, int) else None,
        out=str(told.get("stdout", "")),
        err=str(told.get("stderr", "")),
    )


class RehearsedClient:
    def __init__(self, binary: Path, *, home: Path, url: str, variables: Mapping[str, str] | None = None) -> None:
        self.binary = binary
        self.home = home
        self.url = url
        self.variables = dict(variables or {})

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "CLAUDE_CODE_TMPDIR": str(self.home),  # else it leaves files in the machine's own
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": KEY,
            **SWITCHES,
            **LEAN,
            # What is meant for elsewhere ends at the model, which refuses it and says so.
            "HTTP_PROXY": self.url,
            "HTTPS_PROXY": self.url,
            "NO_PROXY": "127.0.0.1,localhost",
            **self.variables,
        }

    def version(self, *, seconds: float = 20.0) -> Version:
        done = self.plain("--version", cwd=self.home, seconds=seconds)
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", done.out)
        if found is None:
            raise Trouble("client_unusable", f"{self.binary} does not say its version: {done.out[:200]!r}")
        return tuple(int(part) for part in found.groups())

    def run(self, prompt: str, *arguments: str, cwd: Path, seconds: float = 60.0) -> Played:
        with self.start(prompt, *arguments, cwd=cwd) as running:
            return running.finish(seconds=seconds)

    def start(self, prompt: str, *arguments: str, cwd: Path) -> Running:
        # The prompt goes in on stdin: options such as --allowedTools take every word that follows them.
        return self._started(["-p", *STREAM, *arguments], cwd, prompt)

    def plain(self, *arguments: str, cwd: Path, seconds: float = 60.0) -> Plain:
        """A command of the client's that asks no model: `plugin validate`, `mcp list`."""
        with self._started(arguments, cwd, "") as running:
            return running.end(seconds=seconds)

    def _started(self, arguments: Sequence[str], cwd: Path, given: str) -> Running:
        with ExitStack() as files:
            words, out, err = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            words.write(given.encode())
            words.seek(0)
            try:
                process = subprocess.Popen(
                    [str(self.binary), *arguments],
                    cwd=cwd,
                    env=self.environment,
                    stdin=words,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,  # so that what it started can be ended with it
                )
            except OSError as error:
                raise Trouble("client_unusable", f"{self.binary} cannot be run: {error.strerror}") from error
            return Running(process, out, err, files=files.pop_all())


@value
class Plain:
    code: int
    out: str
    err: str


class Running:
    """A client under way. It writes into files, so it never waits for a reader. Leaving `with` ends it."""

    def __init__(self, process: subprocess.Popen[bytes], out: IO[bytes], err: IO[bytes], *, files: ExitStack) -> None:
        self._process, self._out, self._err, self._files = process, out, err, files

    @property
    def pid(self) -> int:
        return self._process.pid

    def finish(self, *, seconds: float = 60.0) -> Played:
        ended = self.end(seconds=seconds)
        return played(ended.code, ended.out, ended.err)

    def end(self, *, seconds: float = 60.0) -> Plain:
        """Waits until it ends by itself, at most so long; then it is ended."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._kill()
        return Plain(self._process.returncode, _text_of(self._out), _text_of(self._err))

    def _kill(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()
        self._files.close()


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def played(code: int, out: str, err: str) -> Played:
    """A run, read from what the client wrote."""
    events: list[Event] = []
    unread: list[str] = []
    for line in filter(str.strip, out.split("\n")):
        event = _object(line)
        if event is None:
            unread.append(line)
        else:
            events.append(event)
    return Played(code=code, events=tuple(events), err=err, unread=tuple(unread))


def _object(line: str) -> Event | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def quiet_home(home: Path, *projects: Path) -> None:
    """Answers beforehand what the interactive client asks in a new HOME: its looks, its key, whether to trust these."""
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    answers = {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": "99.0.0",
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(project): trusted for project in projects},
    }
    (home / ".claude.json").write_text(json.dumps(answers))
