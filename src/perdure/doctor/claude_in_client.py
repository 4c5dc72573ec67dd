"""Tries the guard in Claude Code itself: the real client plays a script in a throw-away project, with copies of the
settings that count here. It gets nothing else of the person: no account, no history, no other configuration."""

from __future__ import annotations

import os
from pathlib import Path

from perdure.clients import claude_code as claude_client
from perdure.clients.claude_code import NAME, SHELL_VARIABLE
from perdure.doctor import claude_settings_copy
from perdure.doctor.claude_registered_guard import DENIED, LOOKS, MAY_WRITE, is_as_written
from perdure.doctor.finding import CheckResult, bad, inert, ok, warn
from perdure.doctor.trial import Trial, make_empty_repository
from perdure.files import make_folder, write_whole
from perdure.install import claude_code, person_files, shell_program
from perdure.install.claude_settings import ENV, HOOKS, OFF, SHIM
from perdure.install.installer import LOCAL, PROJECT, USER
from perdure.install.program import Program
from perdure.jail.confine import running_kernel
from perdure.jail.plan import why_not
from perdure.model.value import value
from perdure.place import repository
from perdure.place.home import shell_program_path
from perdure.rehearsal.claude_code import RehearsedClient
from perdure.rehearsal.messages import ScriptedModel, call
from perdure.settings import SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.install.installer import InstallContext
    from perdure.rehearsal.claude_code import Played
    from perdure.rehearsal.messages import ModelRequest

PART = f"{NAME}: in the client"
BRIEF = "Perdure: project"
SECONDS = 30.0
"""For one run of the client."""
FLAGS = ("--allowedTools", "Bash", "--permission-mode", "default", "--no-session-persistence", "--strict-mcp-config")
FIRST, SECOND = "toolu_1_0", "toolu_2_0"
MOST_TRIED = 20
"""How many of the registered guards are tried."""
INIT = "perdure init"
JAIL_PART = f"{NAME}: read-only"
PROBE, PROBE_FILE, PROBE_SAYS = "perdure-probe", "perdure-probe-wrote", "the probe ran"
PROBE_TEXT = f"#!/bin/sh\necho {PROBE_SAYS}\necho x > {PROBE_FILE}\n"


@value
class PlayResult:
    """The answers to both probes, and whether the session started with the brief. `ended` says how the client ended if
    it did not finish the script."""

    writing: str
    looking: str
    brief: bool
    ended: str = ""

    @property
    def is_guarded(self) -> bool:
        return DENIED in self.writing


class Play:
    """The settings files' texts by scope, and a client to try them in, started where the person is."""

    def __init__(self, trial: Trial, binary: str, context: InstallContext, *, cwd: str) -> None:
        self._trial, self._binary, self.context = trial, binary, context
        self.texts = {
            scope: text
            for scope in (USER, PROJECT, LOCAL)
            if (text := person_files.read(claude_code.settings_of(context, scope))) is not None
        }
        self.below = _below(context, cwd)
        self._config = os.path.join(trial.person, "config")
        self._paths = {
            USER: os.path.join(self._config, "settings.json"),
            PROJECT: os.path.join(trial.project, ".claude", "settings.json"),
            LOCAL: os.path.join(trial.project, ".claude", "settings.local.json"),
        }
        if os.path.exists(os.path.join(context.folder, SHIM)):
            _put(os.path.join(trial.project, SHIM), claude_code.shim_text())  # another program is not run
        make_folder(os.path.join(trial.project, self.below))
        inner = _inner_repository(context, cwd)
        if inner:
            make_empty_repository(os.path.join(trial.project, inner))

    def run(self, texts: dict[str, str], below: str) -> PlayResult:
        """Starts in a folder below the project's root, or in the root itself."""
        played, turns = self._play(texts, below, (MAY_WRITE, LOOKS))
        results = {name: text for turn in turns for name, text in turn.results.items()}
        told = played.err.strip().splitlines() or [played.result]
        ended = "" if SECOND in results else f"exit code {played.code}: {told[-1][:300]}"
        return PlayResult(
            writing=results.get(FIRST, ""),
            looking=results.get(SECOND, ""),
            brief=bool(turns) and BRIEF in turns[0].text,
            ended=ended,
        )

    def run_probe(self, shell: str) -> str:
        """What the client told the model about a program that the gate is told to let run, and that writes a file; with
        the program for shells that is registered."""
        names = os.path.join(self._trial.person, "programs")
        _put(os.path.join(names, PROBE), PROBE_TEXT)
        os.chmod(os.path.join(names, PROBE), 0o755)
        path = os.pathsep.join((names, self._trial.environment()["PATH"]))
        variables = {"PATH": path, SETTINGS["gate.readers"].variable: PROBE}
        _, turns = self._play(self.texts, "", (PROBE,), shell=shell, more=variables)
        return next((text for turn in turns for text in turn.results.values()), "")

    def _play(
        self,
        texts: dict[str, str],
        below: str,
        commands: tuple[str, ...],
        *,
        shell: str = "",
        more: Mapping[str, str] | None = None,
    ) -> tuple[Played, list[ModelRequest]]:
        make_folder(self._config)
        kept = {SHELL_VARIABLE: shell} if shell else {}
        for scope, text in texts.items():
            copy = claude_settings_copy.harmless(text, self._runs, is_persons=scope == USER, variables=kept)
            _put(self._paths[scope], copy)
        variables = {**self._trial.environment(), "CLAUDE_CONFIG_DIR": self._config, **(more or {})}
        with ScriptedModel([call("Bash", command=command) for command in commands]) as model:
            client = RehearsedClient(
                Path(self._binary), home=Path(self._trial.person), url=model.url, variables=variables
            )
            played = client.run("go", *FLAGS, cwd=Path(self._trial.project, below), seconds=SECONDS)
            return played, list(model.turns)

    def _runs(self, words: list[str], event: str) -> bool:
        return is_as_written(words, event, self.context)


def _below(context: InstallContext, cwd: str) -> str:
    """The current folder relative to the one that holds the settings; empty in that folder and outside it."""
    folder, here = os.path.realpath(context.folder), os.path.realpath(cwd)
    found = repository.enclosing(here)
    is_linked = found is not None and found.main == folder != found.work_tree
    return "" if is_linked or not here.startswith(folder + os.sep) else os.path.relpath(here, folder)


def _inner_repository(context: InstallContext, cwd: str) -> str:
    """The client looks for settings only up to the root of the repository it is started in."""
    found, below = repository.enclosing(cwd), _below(context, cwd)
    return _below(context, found.work_tree) if found and below else ""


def _put(path: str, text: str) -> None:
    make_folder(os.path.dirname(path))
    write_whole(path, text)


def play(context: InstallContext, binary: str, cwd: str) -> list[CheckResult]:
    with Trial(context.environment) as trial:
        trial.begin()
        stage = Play(trial, binary, context, cwd=cwd)
        seen = stage.run(stage.texts, stage.below)
        if seen.is_guarded:
            return _other_findings(seen)
        return [_not_guarded(seen, _culprit(stage) if _was_not_asked(seen) else None)]


def play_jail(context: InstallContext, binary: str, cwd: str) -> list[CheckResult]:
    """Whether the kernel stops a write that the gate lets through: the probe is a program that the person's settings
    call a reader."""
    kernel = running_kernel()
    if why_not(kernel):
        what = f"commands do not run read-only here, the analysis alone decides: {why_not(kernel)}"
        return [ok(JAIL_PART, what)]
    shell = shell_program_path(context.home, NAME)
    with Trial(context.environment) as trial:
        trial.begin()
        stage = Play(trial, binary, context, cwd=cwd)
        if not any(_names(text, shell) for text in stage.texts.values()):
            what = f"commands do not run read-only in the client: no settings file sets {SHELL_VARIABLE}"
            return [warn(JAIL_PART, what, INIT)]
        if person_files.read(shell) != shell_program.text(Program.find(context.environment), claude_client):
            return [bad(JAIL_PART, f"{shell} is missing or not as this version writes it", INIT)]
        told = stage.run_probe(shell)
        return [_jail_finding(told, wrote=os.path.exists(os.path.join(trial.project, PROBE_FILE)))]


def _names(text: str, shell: str) -> bool:
    given = (claude_settings_copy.loaded(text) or {}).get(ENV)
    return isinstance(given, dict) and given.get(SHELL_VARIABLE) == shell


def _jail_finding(told: str, *, wrote: bool) -> CheckResult:
    if wrote:
        return bad(JAIL_PART, "a command that the gate let run could write: the kernel did not stop it", INIT)
    if PROBE_SAYS not in told:
        return bad(JAIL_PART, f"a command that only reads did not run there: {_said(told)}", INIT)
    return ok(JAIL_PART, "the kernel stopped a write that the gate let through")


def _other_findings(seen: PlayResult) -> list[CheckResult]:
    found = []
    if DENIED in seen.looking or seen.ended:
        what = f"the guard denies a command that only reads: {_said(seen.looking or seen.ended)}"
        found.append(bad(PART, what, "perdure gate explain 'ls' says why."))
    if not seen.brief:
        what = "a session there does not start with Perdure's text: the SessionStart hook does not run, or fails"
        found.append(bad(PART, what, INIT))
    done = f"it denied a command that may write, let {LOOKS!r} run, and told the session where the work stands"
    return found or [ok(PART, done)]


def _said(result: str) -> str:
    """What the client tells the model, in one line, without the hook's own words."""
    return " ".join(result.rpartition("]: ")[2].split())[:300]


def _was_not_asked(seen: PlayResult) -> bool:
    return bool(seen.writing) and "hook error" not in seen.writing


def _not_guarded(seen: PlayResult, culprit: CheckResult | None) -> CheckResult:
    if culprit:
        return culprit
    if not seen.writing:
        return inert(PART, f"the client did not run the trial ({seen.ended})", "Start the client once by hand.")
    if not _was_not_asked(seen):
        return inert(PART, f"the guard fails there, so every call is blocked: {_said(seen.writing)}", INIT)
    what = f"the client ran a command that may write without asking the guard ({_said(seen.writing)})"
    return inert(PART, what, f"The findings above may say why; otherwise {INIT}")


def _culprit(stage: Play) -> CheckResult | None:
    if stage.below and stage.run(stage.texts, "").is_guarded:
        folder = stage.context.folder
        what = f"a client that is started in {os.path.join(folder, stage.below)} does not see the hooks of {folder}"
        return inert(PART, what, f"Start the client in {folder}; or perdure uninstall, then perdure init --scope user")
    return _culprit_in_settings(stage)


def _culprit_in_settings(stage: Play) -> CheckResult | None:
    """The field of a settings file because of which the client ignores the hooks: without it, the client runs them.
    Often its type is wrong, and the client does not report that."""
    names = [
        (scope, name)
        for scope, text in stage.texts.items()
        for name in claude_settings_copy.loaded(text) or {}
        if name != HOOKS
    ]
    for scope, name in names[:MOST_TRIED]:
        texts = {**stage.texts, scope: claude_settings_copy.without(stage.texts[scope], name)}
        if stage.run(texts, stage.below).is_guarded:
            path = claude_code.settings_of(stage.context, scope)
            what = f"the client ignores the hooks because of '{name}' in {path}"
            is_switch = name == OFF and (claude_settings_copy.loaded(stage.texts[scope]) or {})[name] is True
            return inert(PART, what, _switched_off(name) if is_switch else _wrong_type(name))
    return None


def _switched_off(name: str) -> str:
    return f"Remove '{name}' there, or set it to false: it switches all hooks off, and the guard is one of them."


def _wrong_type(name: str) -> str:
    return f"Correct '{name}' there: because its type is wrong, the client ignores the file."
