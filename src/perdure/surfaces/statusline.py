"""Prints the client's status line: project, transaction, gate, phase, context and unverified claims, read anew each
time. It also stores the context figures that the client sends, so that hooks can read them (SPEC 6.2). It opens no
ledger.

If the person had a status line before, its command is run with the same input, and ours is printed beside it.

    line(client, "statusLine", b'{…}', other_command="")
        → "shop · transaction 1a2b3c4d 12m · gate open · SESSION_RUNNING · 43 % CONDENSED · 2 claims unverified"
"""

from __future__ import annotations

import os

from perdure.actions import context_window, gating, phase_file, unverified_claims
from perdure.actions.request import resolve_request
from perdure.errors import PerdureError, Trouble
from perdure.gate import policy
from perdure.lifecycle.context_use import ContextUse, budget_phase
from perdure.model.ids import is_token, short
from perdure.model.moment import local_time, now
from perdure.model.plural import counted
from perdure.place import project
from perdure.surfaces.hooks.request import request_of
from perdure.surfaces.output import duration, harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.clients.port import HookClient
    from perdure.gate.policy import TransactionState

PATIENCE = 5.0
"""Seconds for the person's own status line."""
LONGEST = 64 << 10
"""Bytes of it that are shown."""
GATES = {
    policy.CLOSED: "no transaction",
    policy.NONE: "no transaction",
    policy.GARBLED: "transaction file damaged: perdure heal",
    policy.OTHER_HOME: "another home wrote the record: a person runs perdure heal",
    policy.DAMAGED: "ledger damaged: perdure heal",
    policy.UNWRITABLE: "nothing can be recorded",
    policy.OTHER_ID: "project.toml has another id: perdure status",
    policy.PUT_BACK: "older transaction file put back: perdure heal",
    policy.UNCONFIRMED: "gate shut: CHECK first",
    policy.MOVED: "transaction of another folder: perdure heal",
    policy.VANISHED: "record gone: perdure heal",
    policy.UNNAMED: "project.toml gone: perdure heal",
    policy.GONE: "project folder gone: perdure project switch PATH",
}


def line(client: HookClient, event: str, raw: bytes, *, other_command: str) -> str:
    theirs = _theirs(other_command, raw) if other_command else ""
    ours = _ours(client, event, raw)
    if not theirs or not ours:
        return theirs or ours
    return f"{theirs}\n{ours}" if "\n" in theirs else f"{theirs} │ {ours}"


def _ours(client: HookClient, event: str, raw: bytes) -> str:
    try:
        payload = client.parse_payload(event, raw)
        resolved = resolve_request(request_of(client, payload, ""))
        figures = client.context_use(payload)
        use = ContextUse(*figures) if figures else None
        if use and is_token(payload.session_id):
            _store_if_possible(resolved.home, payload.session_id, use)
        return _line(resolved, use, phase_file.shown(resolved.home, payload.session_id))
    except PerdureError as error:
        return f"perdure: {harmless(error.message)}"


def _store_if_possible(home: str, session: str, use: ContextUse) -> None:
    try:
        context_window.store(home, session, use)
    except Trouble:
        return  # the home cannot be written: hooks then have no figures, which means VERBOSE (SPEC 10.5)


def _line(resolved: ResolvedRequest, use: ContextUse | None, phase: str) -> str:
    root = resolved.place.project_path
    if root is None:
        return ""
    gate = gating.Gate(resolved)
    identity = project.identity(root) if project.is_project(root) else None
    name = identity.name if identity else os.path.basename(root)
    parts = [harmless(name), *_transaction_words(gate.transaction_state(root))]
    if gate.mode != policy.ENFORCE:
        parts.append(_mode_words(gate, root))
    if phase:
        parts.append(phase)
    if use:
        parts.append(f"{use.percent} % {budget_phase(use)}")
    if identity:
        parts += _claim_words(resolved, identity)
    return " · ".join(parts)


def _mode_words(gate: gating.Gate, root: str) -> str:
    from perdure.actions.pausing import current  # only if the gate does not enforce

    paused = current(gate.resolved, root)
    return f"gate paused until {local_time(paused.until)}" if paused else f"gate {gate.mode}"


def _claim_words(resolved: ResolvedRequest, identity: project.Identity) -> list[str]:
    unverified = unverified_claims.shown(resolved.home, resolved.place.instance_id or "", identity.id)
    return [f"{counted(unverified, 'claim')} unverified"] if unverified else []


def _transaction_words(state: TransactionState) -> list[str]:
    if state.transaction != policy.OPEN:
        return [GATES[state.transaction] + (f": {state.unwritable}" if state.unwritable else "")]
    age = duration(max(0, now() / 1000 - state.opened_at))
    gate = "gate open" if state.passes else "gate shut: read more, then CHECK"
    return [f"transaction {short(state.transaction_id)} {age}", gate]


def _theirs(command: str, raw: bytes) -> str:
    """The person's own line, run as the client would run it. If it hangs, ours is shown alone and says so; programs
    that it left in the background are not waited for."""
    import signal
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(raw)
        given.seek(0)
        try:
            process = subprocess.Popen(
                ["/bin/sh", "-c", command], stdin=given, stdout=said, stderr=subprocess.DEVNULL, start_new_session=True
            )
        except OSError:
            return "(your status line could not be run)"
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "(your status line did not answer)"
        said.seek(0)
        return said.read(LONGEST).decode("utf-8", "replace").rstrip("\n")
