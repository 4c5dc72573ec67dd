"""Examines Claude Code: is the guard registered, does it work as registered, does it work in the client?"""

from __future__ import annotations

import os
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from perdure.clients.claude_code import GUARD, NAME
from perdure.doctor import claude_in_client, claude_registered_guard, claude_server, claude_settings_copy
from perdure.doctor.finding import (
    AS_REGISTERED,
    IN_CLIENT,
    UNPROVED,
    CheckResult,
    Examined,
    bad,
    inert,
    ok,
    warn,
    wrong,
)
from perdure.doctor.trial import Trial
from perdure.errors import PerdureError
from perdure.gate.policy import ENFORCE
from perdure.install import claude_code, claude_plugin, person_files
from perdure.install.claude_settings import OFF
from perdure.install.installer import LOCAL, PROJECT, USER
from perdure.model.value import value
from perdure.place import repository
from perdure.place.client_variables import in_settings_files
from perdure.place.home import home_folder
from perdure.rehearsal.claude_code import RehearsedClient
from perdure.settings import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.doctor.examine import ExaminerContext
    from perdure.install.claude_code import Hook, RegisteredHooks
    from perdure.install.installer import InstallContext

TITLE = "Claude Code"
WAY_OUT = """\
  claude --settings '{"disableAllHooks":true}'   starts the client without any hook
  PERDURE_GATE_MODE=off claude                   without the gate, if Perdure loads and its settings can be read
  by hand: delete the entries that name perdure from "hooks" in .claude/settings.local.json, .claude/settings.json and \
~/.claude/settings.json."""
INIT = "perdure init"
HEAL = "perdure heal"
UPDATE = "claude update"
HONOURS_ON_FAILURE = (2, 1, 295)
"""Tried: 2.1.294 ignores it."""
SEES_LOCAL_FROM_BELOW = (2, 1, 212)
"""Tried: 2.1.210 does not see them."""
SIMPLE = "CLAUDE_CODE_SIMPLE"
MANAGED = ("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json")


def _part(name: str) -> str:
    return f"{NAME}: {name}"


@value
class ClientProgram:
    binary: str
    version: tuple[int, ...]

    @property
    def shown(self) -> str:
        return ".".join(map(str, self.version))

    def is_older_than(self, version: tuple[int, ...]) -> bool:
        """No, if its version is unknown."""
        return bool(self.version) and self.version < version


def examine(visit: ExaminerContext) -> Examined:
    program, found = _program(visit)
    visit.step()
    try:
        registered = claude_code.inspect(visit.context)
        found += _registration(visit, registered, program)
        works, said = _probe_registered(visit, registered)
        found += [*said, claude_server.examined(visit)]
        visit.step()
        played = _play(visit, registered, program)
    except PerdureError as error:
        return _examined(program, UNPROVED, [*found, inert(_part("hooks"), error.message, error.hint or INIT)])
    found += played
    proved = AS_REGISTERED if works else UNPROVED
    if any(finding.state == "ok" and finding.part == claude_in_client.PART for finding in played):
        proved = IN_CLIENT
    return _examined(program, proved, found)


def _examined(program: ClientProgram, proved: str, found: list[CheckResult]) -> Examined:
    return Examined(
        client=NAME, title=TITLE, version=program.shown, binary=program.binary, proved=proved, findings=tuple(found)
    )


# -- the program ---------------------------------------------------------------------------------------------------


def _program(visit: ExaminerContext) -> tuple[ClientProgram, list[CheckResult]]:
    binary = which("claude", path=visit.environment.get("PATH", os.defpath)) or ""
    part = _part("program")
    if not binary:
        what = "the client is not on the PATH, so what is registered cannot be proved in the client"
        return ClientProgram("", ()), [warn(part, what, "Put claude on the PATH.")]
    try:
        with TemporaryDirectory(prefix="perdure-doctor-") as home:
            version = RehearsedClient(Path(binary), home=Path(home), url="").version(seconds=10.0)
    except PerdureError as error:
        return ClientProgram("", ()), [bad(part, error.message, "Install the client again.")]
    program = ClientProgram(binary, version)
    return program, [ok(part, f"{binary}, {program.shown}"), *_switches(visit)]


def _switches(visit: ExaminerContext) -> list[CheckResult]:
    """What turns hooks off although no settings file of the person says so."""
    found = []
    if visit.environment.get(SIMPLE):
        found.append(inert(_part("hooks"), f"{SIMPLE} is set: the client runs no hooks", f"Unset {SIMPLE}."))
    for path in MANAGED:
        members = claude_settings_copy.loaded(person_files.read(path) or "") or {}
        names = [name for name in ("allowManagedHooksOnly", OFF) if members.get(name) is True]
        found += [inert(_part("hooks"), f"{name} in {path}", "Ask who manages this machine.") for name in names]
    return found


# -- what is registered --------------------------------------------------------------------------------------------


def _registration(
    visit: ExaminerContext, registered: tuple[RegisteredHooks, ...], program: ClientProgram
) -> list[CheckResult]:
    guards = _guards_in(registered)
    is_alone = not any(_is_sound(hook) for _, hook in guards)
    found = [*_unreadable(registered, is_alone), *_switched_off(visit.context)]
    if not guards and not any(each.problem for each in registered):
        found.append(_nothing_registered(visit.context, registered))
    for each, hook in guards:
        found += _guard(each, hook, program, is_alone=is_alone)
    for each in registered:
        found += _events(each)
    if guards and not found:
        found.append(ok(_part("hooks"), f"registered in {guards[0][0].path}"))
    return [*found, *_where_it_counts(registered, program, visit.cwd), *_registered_twice(guards)]


def _guards_in(registered: tuple[RegisteredHooks, ...]) -> list[tuple[RegisteredHooks, Hook]]:
    """Each guard, with the file that registers it."""
    return [(each, hook) for each in registered for hook in each.hooks if hook.event == GUARD]


def _registered_twice(guards: list[tuple[RegisteredHooks, Hook]]) -> list[CheckResult]:
    paths = [each.path for each, _ in guards]
    if len(set(paths)) < 2:
        return []
    what = f"every hook runs twice: it is registered in {' and in '.join(paths)}"
    return [warn(_part("hooks"), what, "perdure uninstall --scope SCOPE")]


def _is_sound(hook: Hook) -> bool:
    return not hook.missing and hook.matcher == claude_code.NOT_A_READER


def _nothing_registered(context: InstallContext, registered: tuple[RegisteredHooks, ...]) -> CheckResult:
    enabled = _enabled_as_plugin(context)
    if enabled:
        what = f"Perdure is enabled as a plugin in {enabled}; doctor does not prove a plugin's hooks"
        return bad(_part("hooks"), what, "perdure init, instead of the plugin")
    partly = next((each.path for each in registered if each.hooks), "")
    what = f"{partly} has no hook for {GUARD}" if partly else "no hook of Perdure is registered"
    return inert(_part("hooks"), what, INIT)


def _enabled_as_plugin(context: InstallContext) -> str:
    """The settings file that says so."""
    for scope in (LOCAL, PROJECT, USER):
        path = claude_code.settings_of(context, scope)
        enabled = _members(path).get("enabledPlugins")
        for name, is_on in enabled.items() if isinstance(enabled, dict) else ():
            if str(name).startswith(f"{claude_plugin.NAME}@") and is_on is True:
                return path
    return ""


def _unreadable(registered: tuple[RegisteredHooks, ...], is_alone: bool) -> list[CheckResult]:
    return [
        wrong(
            _part("hooks"),
            f"{each.problem.removesuffix(' Nothing was changed in it.')} The client ignores the whole file and says "
            "nothing.",
            f"Mend {each.path}.",
            is_inert=is_alone,
        )
        for each in registered
        if each.problem
    ]


def _guard(each: RegisteredHooks, hook: Hook, program: ClientProgram, *, is_alone: bool) -> list[CheckResult]:
    part, found = _part("hooks"), []
    if hook.missing:
        found.append(wrong(part, _missing(each, hook, program), INIT, is_inert=is_alone))
    elif hook.matcher != claude_code.NOT_A_READER:
        what = f"in {each.path} the guard's matcher is not ours: {hook.matcher or 'none'}"
        found.append(wrong(part, what, INIT, is_inert=is_alone))
    if not hook.blocks_on_failure:
        what = f"in {each.path} the guard has no onFailure: if it cannot start, everything passes"
        found.append(warn(part, what, INIT))
    return found


def _missing(each: RegisteredHooks, hook: Hook, program: ClientProgram) -> str:
    """What happens then depends on what is missing, and on the version."""
    gone = ", ".join(hook.missing)
    if hook.interpreter not in hook.missing:
        return f"{each.path} names {gone}, which is gone: the guard cannot load, and every call is denied"
    if hook.blocks_on_failure and program.version >= HONOURS_ON_FAILURE:
        then = "every call is blocked"
    elif program.version:
        then = "every call passes"
    else:
        then = "the guard cannot start"
    return f"the interpreter that {each.path} names is gone ({gone}): {then}"


def _events(each: RegisteredHooks) -> list[CheckResult]:
    """A file with only our status line is not a registration; a missing guard is reported elsewhere."""
    missing = [event for event in each.missing if event != GUARD] if each.hooks else []
    if not missing:
        return []
    return [warn(_part("hooks"), f"{each.path} lacks {', '.join(missing)}", INIT)]


def _switched_off(context: InstallContext) -> list[CheckResult]:
    """The first file that sets it decides: local, then project, then user. Tried with the client."""
    for scope in (LOCAL, PROJECT, USER):
        path = claude_code.settings_of(context, scope)
        said = _members(path).get(OFF)
        if isinstance(said, bool):
            off = inert(_part("hooks"), f"{OFF} in {path} switches every hook off", f"Remove {OFF}.")
            return [off] if said else []
    return []


def _members(path: str) -> dict[str, object]:
    text = person_files.read(path)
    try:
        return dict(claude_settings_copy.loaded(text) or {}) if text else {}
    except claude_settings_copy.CannotCopy:
        return {}


def hook_environment(visit: ExaminerContext) -> dict[str, str]:
    """The variables of a hook in the client. What a project's settings file sets does not count."""
    given = in_settings_files(visit.environment, visit.cwd)
    return {**visit.environment, **{each.name: each.content for each in given if each.is_persons}}


def _mode(visit: ExaminerContext) -> str:
    """The gate's mode for a hook of this client; empty if the settings cannot be read."""
    environment = hook_environment(visit)
    try:
        return str(load(home_folder(environment), visit.project or None, environment)["gate.mode"].value)
    except PerdureError:  # the check of the settings reports this
        return ""


def _where_it_counts(registered: tuple[RegisteredHooks, ...], program: ClientProgram, cwd: str) -> list[CheckResult]:
    """What this version of the client ignores, and where."""
    found = []
    if program.is_older_than(HONOURS_ON_FAILURE):
        what = f"{program.shown} ignores onFailure: a guard that cannot start or is too slow blocks nothing"
        found.append(warn(_part("program"), what, UPDATE))
    scopes = {each.scope: each.path for each in registered if each.hooks}
    if LOCAL in scopes and program.is_older_than(SEES_LOCAL_FROM_BELOW):
        is_missed = USER not in scopes and _is_linked(cwd, _folder_of(scopes[LOCAL]))
        found.append(_counts_in_its_folder(scopes[LOCAL], UPDATE, is_missed=is_missed))
    elif PROJECT in scopes:
        fix = "Start the client there; or perdure uninstall, then perdure init"
        found.append(_counts_in_its_folder(scopes[PROJECT], fix, is_missed=False))
    return found


def _folder_of(path: str) -> str:
    """The folder whose `.claude` holds this settings file."""
    return os.path.dirname(os.path.dirname(path))


def _counts_in_its_folder(path: str, fix: str, *, is_missed: bool) -> CheckResult:
    what = f"{path} counts only if the client is started in {_folder_of(path)} itself"
    if is_missed:
        return inert(_part("program"), what, fix)
    return warn(_part("program"), what, fix)


def _is_linked(cwd: str, folder: str) -> bool:
    """In another work tree of the same repository; folders below this one are tried in the client."""
    found = repository.enclosing(cwd)
    return found is not None and found.main == os.path.realpath(folder) != found.work_tree


# -- as the client would run it ------------------------------------------------------------------------------------


def _probe_registered(
    visit: ExaminerContext, registered: tuple[RegisteredHooks, ...]
) -> tuple[bool, list[CheckResult]]:
    """Whether one of the registered guards works, and what there is to report."""
    paths = [each.path for each in registered for hook in each.hooks if hook.event == GUARD and not hook.missing]
    if not paths:
        return False, []
    with Trial(visit.environment) as trial:
        stage = _stage(visit, trial)
        probed = [
            claude_registered_guard.probe(path, words, stage)
            for path in dict.fromkeys(paths)
            for words in claude_registered_guard.guards_in(path)
        ]
    good = any(not each.why for each in probed)
    return good, [_probe_result(each, is_alone=not good) for each in probed]


def _stage(visit: ExaminerContext, trial: Trial) -> claude_registered_guard.Stage:
    """Uses the project itself. If there is none, the gate would pass everything, and in mode `observe` it would write:
    then a throw-away project is used."""
    if visit.project and _mode(visit) == ENFORCE:
        return claude_registered_guard.Stage(visit.project, hook_environment(visit), visit.context)
    trial.begin()
    return claude_registered_guard.Stage(trial.project, trial.environment(), visit.context)


def _probe_result(each: claude_registered_guard.ProbeResult, *, is_alone: bool) -> CheckResult:
    part = _part("guard")
    if each.why:
        return wrong(part, f"as registered in {each.path}: {each.why}", INIT, is_inert=is_alone)
    if each.record:
        what = f"it works, and denies every change until the record is repaired: {each.record}"
        return bad(part, what, each.repaired_by or HEAL)
    took = f"{each.takes * 1000:.0f} ms per call; Python alone takes {each.bare * 1000:.0f} ms"
    if each.takes > claude_registered_guard.SLOW:
        return warn(part, f"it works as registered, but takes {took}", "perdure init, with a Python that starts fast")
    return ok(part, f"as registered, it denies what may write and passes what only reads; {took}")


# -- in the client -------------------------------------------------------------------------------------------------


def _play(visit: ExaminerContext, registered: tuple[RegisteredHooks, ...], program: ClientProgram) -> list[CheckResult]:
    if not program.binary or not any(each.hooks or each.problem for each in registered):
        return []
    if not visit.in_client:
        return [warn(claude_in_client.PART, "not tried: --no-client", "perdure doctor")]
    managed = [path for path in MANAGED if os.path.exists(path)]
    if managed:
        what = f"not tried: {managed[0]} would also take effect in the trial"
        return [warn(claude_in_client.PART, what, "Ask who manages this machine.")]
    try:
        played = claude_in_client.play(visit.context, program.binary, visit.cwd)
        if any(each.is_inert for each in played):
            what = "not tried: the guard does not work in the client"
            return [*played, warn(claude_in_client.JAIL_PART, what, "First mend that.")]
        return [*played, *claude_in_client.play_jail(visit.context, program.binary, visit.cwd)]
    except claude_settings_copy.CannotCopy as error:
        what = f"not tried: the settings could not be copied ({error})"
        return [warn(claude_in_client.PART, what, "Look at what they contain.")]
