"""May this tool call run here and now? The gate's answer, from the place and the state of its transaction (SPEC 5).

It reads the transaction's file, never the ledger, so that a hook stays fast.

    judge_request(request, ToolCall("Bash", {"command": "touch a"})).verdict.denied

Two functions deny where they fail, instead of raising: `Gate.judge` for one call, and `judge_request` where finding the
place may fail too. `guard`, which the hook calls, adds a record of what passes in `observe` mode; if that cannot be
written, the call passes all the same.
"""

from __future__ import annotations

import os

from perdure.actions.request import resolve_request
from perdure.clients import DEFAULT
from perdure.errors import BadInput, PerdureError
from perdure.gate import policy
from perdure.gate.effects.finding import CONTAINED, FORBIDDEN, NOETIC, PRAXIC, PartEffect, add_up
from perdure.model.value import replace, value
from perdure.place import project
from perdure.place.home import paused_folder
from perdure.settings import SETTINGS, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.actions.request import Request, ResolvedRequest
    from perdure.gate.effects.finding import Analysis
    from perdure.gate.policy import GateVerdict, TransactionState
    from perdure.gate.world import World
    from perdure.model.ids import InstanceId
    from perdure.model.json import Json
    from perdure.settings import Settings
    from perdure.views.transaction_file import TransactionFile


@value
class ToolCall:
    tool: str
    given: Mapping[str, Json]
    client: str = DEFAULT
    subagent: bool = False


@value
class Judgement:
    analysis: Analysis
    verdict: GateVerdict
    mode: str
    """The mode of the place; if something is denied, the mode of the project it concerns."""
    project: str
    unrecorded: str = ""
    """Why a call that was denied, or in `observe` mode would have been, could not be recorded. The verdict stands all
    the same."""
    resolved: ResolvedRequest | None = None
    """From where it was asked; None if that could not be found out."""

    @property
    def denies(self) -> bool:
        return self.verdict.denied and self.mode == policy.ENFORCE


class Gate:
    """Judges one or many calls from one place."""

    def __init__(self, resolved: ResolvedRequest, *, strict: bool = False) -> None:
        """A variable with a wrong value is an error if `strict`. Otherwise calls that change things are denied and all
        others pass, so that it can be corrected; likewise if a settings file of the person's cannot be read. Any other
        key that is wrong in a file counts as not set."""
        self.resolved = resolved
        self.wrong_settings = ""
        root = resolved.place.project_path
        try:
            self.settings: Settings = load(resolved.home, root, resolved.request.environment)
        except PerdureError as error:
            if strict:
                raise
            self.wrong_settings = f"{error.message} {error.hint}".strip()
            self.settings = self._without_variables()
        if self.settings.unreadable:  # it may have made the gate stricter
            self.wrong_settings = self.settings.unreadable.words
        self.mode = self._mode_in(root, self.settings)
        self._world: World | None = None

    @property
    def world(self) -> World:
        """What the analysis of a command asks about this machine. To ask only whether the gate is open needs none."""
        if self._world is None:
            from perdure.actions.gate_world import world_of

            self._world = world_of(self.resolved, self.settings)
        return self._world

    def _without_variables(self) -> Settings:
        """The variable that switches the gate off still counts: it is the person's way out."""
        home, root = self.resolved.home, self.resolved.place.project_path
        name = SETTINGS["gate.mode"].variable
        given = self.resolved.request.environment
        try:
            return load(home, root, {name: given[name]} if name in given else {})
        except PerdureError:
            return load(home, root, {})

    def _mode_in(self, root: str | None, settings: Settings) -> str:
        """`off` while a person has paused the gate there."""
        if root and os.path.isdir(paused_folder(self.resolved.home)):
            from perdure.actions.pausing import current  # only if some project may be paused

            if current(self.resolved, root):
                return policy.OFF
        return str(settings["gate.mode"].value)

    def judge(self, call: ToolCall) -> Judgement:
        """The gate's answer. Whatever fails in it denies the call."""
        try:
            return self._judge_or_raise(call)
        except Exception as error:  # noqa: BLE001 - a guard's failure denies
            return replace(failure_judgement(error), resolved=self.resolved)

    def analysis_of(self, command: str) -> Analysis:
        """What a shell command would do here, regardless of the transaction's state."""
        from perdure.gate.effects.analysis import analyse

        try:
            return analyse(command, self.world)
        except Exception as error:  # noqa: BLE001 - what cannot be judged counts as a change
            return failure_judgement(error).analysis

    def _judge_or_raise(self, call: ToolCall) -> Judgement:
        from perdure.gate.tools import analyse_call

        analysis = analyse_call(call.client, call.tool, call.given, world=self.world)
        if analysis.effect == NOETIC:  # it passes in any state, so the state is not read
            return Judgement(
                analysis=analysis, verdict=policy.PASS, mode=self.mode, project=self.resolved.place.project_path or ""
            )
        transaction_states = self.transaction_states(analysis)
        mode_for_all = self._mode_for_all() if analysis.effect == FORBIDDEN else None
        verdict = policy.decide(
            analysis, transaction_states, mode=self.mode, mode_for_all=mode_for_all, subagent=call.subagent
        )
        if self.wrong_settings and analysis.effect == PRAXIC and transaction_states and self.mode != policy.OFF:
            verdict = policy.failure_verdict(self.wrong_settings, "")
        if verdict.denied and self._will_be_confined(call, analysis):
            analysis, verdict = replace(analysis, effect=CONTAINED), policy.GateVerdict(False, "", verdict.clears)
        return self._judgement(analysis, verdict)

    def _judgement(self, analysis: Analysis, verdict: GateVerdict) -> Judgement:
        mode = verdict.mode if verdict.denied else self.mode
        root = self.resolved.place.project_path or ""
        return Judgement(analysis=analysis, verdict=verdict, mode=mode, project=root, resolved=self.resolved)

    def _will_be_confined(self, call: ToolCall, analysis: Analysis) -> bool:
        """Whether it is not known what this command does, and the kernel keeps it from changing things (SPEC 5.8)."""
        if not analysis.is_uncertain:
            return False
        from perdure.actions.shell_command import will_be_confined  # only where something would be denied

        return will_be_confined(self, call.client, call.tool)

    def transaction_states(self, analysis: Analysis) -> list[TransactionState]:
        """The transaction's state in each project that would be changed: those of the written paths, or the place's."""
        here = self.resolved.place.project_path
        roots: list[str | None] = []
        for finding in analysis.findings:
            if finding.effect == PRAXIC:
                paths = finding.written or finding.folders
                roots += [self.world.disk.project_of(path) or here for path in paths]
                if not paths:
                    roots.append(here)
        changed = [root for root in dict.fromkeys(roots or [here]) if root]
        return [self.transaction_state(root) for root in changed]

    def _mode_for_all(self) -> str:
        """What the person set for every project, in their own file or in the client's environment."""
        return str(load(self.resolved.home, None, self.resolved.request.environment)["gate.mode"].value)

    def transaction_state(self, root: str) -> TransactionState:
        home, instance = self.resolved.home, self.resolved.place.instance_id
        if root == self.resolved.place.project_path:
            return state_from_file(home, root, instance, floor=floor_of(self.settings))
        settings = load(home, root, self.resolved.request.environment)
        state = state_from_file(home, root, instance, floor=floor_of(settings))
        return replace(state, elsewhere=True, mode=self._mode_in(root, settings))


def judge_request(request: Request, call: ToolCall) -> Judgement:
    """The gate's answer to one request. Whatever fails in it denies the call and says so, finding the place included
    (SPEC 5.6)."""
    try:
        return Gate(resolve_request(request)).judge(call)
    except Exception as error:  # noqa: BLE001 - a guard's failure denies
        return failure_judgement(error)


def guard(request: Request, call: ToolCall) -> Judgement:
    """What the hook calls: `judge_request`, which in `observe` mode also records a call that would have been denied."""
    judged = judge_request(request, call)
    if judged.mode == policy.OBSERVE and judged.verdict.denied:
        return replace(judged, unrecorded=_record_observation(request, call, judged))
    return judged


def note_denial(call: ToolCall, judged: Judgement) -> str:
    """Leaves a note of a denial for whoever next opens the ledger to write (docs/adr/0079). Returns why that failed, or
    nothing: the denial stands all the same."""
    try:
        from perdure.actions.denials import leave_note  # only where something is denied

        leave_note(call, judged)
    except Exception as error:  # noqa: BLE001 - the hook would take it for a failure of the guard
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def _record_observation(request: Request, call: ToolCall, judged: Judgement) -> str:
    """Records a call that would have been denied. Returns why that failed, or nothing: `observe` denies no call, even
    if the record cannot be written."""
    try:
        from perdure.actions.attribution import record_event
        from perdure.actions.wiring import open_desk
        from perdure.model.payload import GateObserved

        part = next((f.part for f in judged.analysis.findings if f.effect == judged.analysis.effect), "")
        with open_desk(request) as desk:
            record_event(desk, "gate.observed", GateObserved(call.tool, part, judged.verdict.reason))
    except PerdureError as error:
        return error.message
    except Exception as error:  # noqa: BLE001 - the hook would take it for a failure of the guard, and deny
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def floor_of(settings: Settings) -> float:
    """Below this confidence, what changes things needs a fresh CHECK (SPEC 10.7)."""
    given = settings["gate.confidence_floor"].value
    return float(given) if isinstance(given, int | float) else 0.0


def state_from_file(home: str, root: str, instance: InstanceId | None, *, floor: float) -> TransactionState:
    """What the gate sees of this instance's transaction in this project. `status` asks the same. A file that says that
    the transaction is open counts only if the home has an entry for it (docs/adr/0051)."""
    from perdure.views import transaction_file
    from perdure.views.key import existing_key

    if not project.is_project(root):
        return policy.TransactionState(root, _what_is_gone(root))
    known_as = _other_id(home, root)
    if known_as:
        return policy.TransactionState(root, policy.OTHER_ID, known_as=known_as)
    folder = project.folder_of(root)
    key = existing_key(home, folder)
    state = policy.NONE
    for suffix in transaction_file.suffixes_on_disk(folder):
        shown = transaction_file.read(folder, suffix, key)
        if shown is None:
            state = _state_of_foreign_file(home, root)
        elif instance is None or shown.instance_id != instance:
            continue
        elif not shown.is_open:
            state = policy.CLOSED if state == policy.NONE else state
        elif os.path.realpath(shown.project_path) != os.path.realpath(root):
            state = policy.MOVED
        else:
            found = _open_state(home, root, shown, key=key)
            if found:
                return _with_confidence(found, shown, floor)
            state = policy.PUT_BACK
    return policy.TransactionState(root, state)


def _with_confidence(state: TransactionState, shown: TransactionFile, floor: float) -> TransactionState:
    is_low = shown.confidence < floor and not shown.freshly_checked
    return replace(state, low_confidence=shown.confidence) if is_low else state


def _other_id(home: str, root: str) -> str:
    """The id that the home has for the ledger in this project, if `project.toml` has another one; commands then write
    nothing (`project_ids.other_id`). If that file cannot be read, every command says so."""
    from perdure.place.registry import Registry

    known = Registry(home).at(root)
    try:
        if known is None or project.identity(root).id == known.project_id:
            return ""
    except BadInput:
        return ""
    from perdure.views import own_ledgers

    is_that_ledger = any(own_ledgers.is_marked(project.folder_of(root), each) for each in known.ledgers)
    return known.project_id if is_that_ledger else ""


def _state_of_foreign_file(home: str, root: str) -> str:
    """The state for a transaction file that this home did not write: somebody altered it, or another home wrote it. If
    the ledger was written in this folder, but this home did not begin it, then the home was lost, or is not the one
    that was used before."""
    from perdure.views import own_ledgers

    folder = project.folder_of(root)
    if not os.path.isfile(os.path.join(folder, own_ledgers.MARK)):
        return policy.GARBLED
    is_own = any(own_ledgers.is_marked(folder, each) for each in own_ledgers.started_here(home))
    return policy.GARBLED if is_own else policy.OTHER_HOME


def _open_state(home: str, root: str, shown: TransactionFile, *, key: bytes | None) -> TransactionState | None:
    """For a file that says that the transaction is open; None if the home has no entry for it."""
    from perdure.place import transaction_pointers

    said = transaction_pointers.says_to_gate(
        home, root, shown.instance_id, transaction_id=shown.transaction_id, key=key
    )
    if said is None:
        return None
    state, why = state_of_ledger(project.folder_of(root))
    if state == policy.OPEN and said == transaction_pointers.SHUT and shown.passes:
        state = policy.UNCONFIRMED
    return policy.TransactionState(
        project=root,
        transaction=state,
        passes=shown.passes,
        proceeds=shown.proceeds,
        transaction_id=shown.transaction_id,
        opened_at=shown.opened_at,
        unwritable=why,
    )


def _what_is_gone(root: str) -> str:
    """The state for a folder that is not a project, or no longer one."""
    from perdure.ledger.header import FILE

    if not os.path.isdir(root):
        return policy.GONE
    is_there = os.path.isfile(os.path.join(project.folder_of(root), FILE))
    return policy.UNNAMED if is_there and not os.path.lexists(project.toml_of(root)) else policy.VANISHED


def state_of_ledger(folder: str) -> tuple[str, str]:
    """The state of an open transaction, as far as its ledger decides: without a ledger it counts for nothing. Returns
    also why nothing can be recorded, if so."""
    from perdure.ledger.header import FILE, is_store, why_unwritable
    from perdure.views import damage

    path = os.path.join(folder, FILE)
    if damage.marked(folder) or not is_store(path):
        return policy.DAMAGED, ""
    why = why_unwritable(path)
    return (policy.UNWRITABLE if why else policy.OPEN), why


def failure_judgement(error: BaseException) -> Judgement:
    """The answer to a call that could not be judged, because of this error: it is denied in every mode."""
    what = f"{type(error).__name__}: {error}"[:200]
    verdict = policy.verdict_of_error(error)
    analysis = add_up([PartEffect(PRAXIC, f"the gate failed, which is not a judgement of the command: {what}")])
    return Judgement(analysis=analysis, verdict=verdict, mode=policy.ENFORCE, project="")
