"""The examiner of the made-up client: the model for a new one (CONTRIBUTING, "Add a client", step 4).

It is complete: `WAY_OUT` and `examine` are all that Perdure asks of an examiner. Each `CHANGE` says what is different
for a real client. It runs each registered guard, as the client would, in a throw-away project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perdure.clients import port
from perdure.doctor.examine import ExaminerContext
from perdure.doctor.finding import AS_REGISTERED, UNPROVED, CheckResult, Examined, inert, ok
from perdure.doctor.own_entries import is_as_written
from perdure.doctor.subprocesses import run
from perdure.doctor.trial import Trial
from perdure.errors import PerdureError
from perdure.install.installer import LOCAL, USER
from tests.surfaces import made_up_client as client  # CHANGE: your adapter
from tests.surfaces import made_up_installer as installer  # CHANGE: your installer

if TYPE_CHECKING:
    from perdure.clients.port import HookClient
    from perdure.install.installer import Installer

    _ADAPTER: HookClient = client  # mypy says here what the adapter lacks,
    _INSTALLER: Installer = installer  # and here what the installer lacks

WAY_OUT = "  made-up --no-hooks   starts the made-up client without any hook"
"""CHANGE: lines for `perdure doctor --help`: what a person can do if Perdure is broken and blocks this client."""
PART = f"{client.NAME}: guard"


def examine(visit: ExaminerContext) -> Examined:
    """`visit.context` is what the installer gets; `visit.environment` are the person's variables."""
    found = [_tried(visit, installer.settings_of(visit.context, scope)) for scope in (LOCAL, USER)]
    findings = tuple(each for each in found if each) or (inert(PART, "no guard is registered", "perdure init"),)
    works = any(each.state == "ok" for each in findings)
    return Examined(
        client=client.NAME,
        title="Made-up",  # CHANGE
        version="",  # CHANGE: what the client says with --version, and the path of its program
        binary="",
        proved=AS_REGISTERED if works else UNPROVED,  # IN_CLIENT if the client itself was run, and its guard denied
        findings=findings,
    )


def _tried(visit: ExaminerContext, path: str) -> CheckResult | None:
    """What the guard in one settings file does; None if there is none in it."""
    event = port.event_name(client, port.BEFORE_TOOL)
    try:
        words = installer.registered(path).get(event)
    except PerdureError as error:
        return inert(PART, error.message, error.hint)
    if words is None:
        return None
    if not is_as_written(client, words, event, context=visit.context):  # anybody can commit a settings file
        return inert(PART, f"in {path} it is not what perdure init writes, so it was not run", "perdure init")
    with Trial(visit.environment) as trial:
        trial.begin()
        # CHANGE: a payload of the client, for a command that changes things
        given = f"session=x\nfolder={trial.project}\ntool=do\nline=python3 -c exec\n".encode()
        ran = run(words, cwd=trial.project, environment=trial.environment(), given=given)
    if not ran.out.startswith(client.deny("Perdure: denied").rstrip()):
        return inert(PART, f"as registered in {path}, it does not deny: {ran.said}", "perdure init")
    return ok(PART, f"as registered in {path}, it denies what may write")
