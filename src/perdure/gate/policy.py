"""Decides, from a command's effect and the state of the work, whether it passes or is denied (SPEC 5.1, 5.2).

Where a command passes, the gate tells the client nothing, and the client's own permission rules decide. A denial says
what the command would do, why that is not allowed now, and which one command clears the denial.

    decide(analysis, [TransactionState(...)], mode="enforce")
        → GateVerdict(denied=True, reason="…", clears="perdure preflight …")
"""

from __future__ import annotations

from perdure.errors import PerdureError
from perdure.gate.effects.finding import FORBIDDEN, PRAXIC
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.gate.effects.finding import Analysis

ENFORCE, OBSERVE, OFF = "enforce", "observe", "off"
NUMBERS = "--know K --uncertainty U"
"""The messages show letters, never numbers: a gate that suggested passing numbers would check nothing (SPEC 5.1)."""
YOUR_OWN = "K and U are your own numbers, from 0.0 to 1.0"
PREFLIGHT = f"perdure preflight {NUMBERS} --because '…'"
CHECK = f"perdure check {NUMBERS} --because '…'"
POSTFLIGHT = f"perdure postflight {NUMBERS} --because '…'"
HEAL = "perdure heal"
SWITCH = "perdure project switch PATH"

# The states of a transaction, as `TransactionState.transaction` has them.
OPEN = "open"
CLOSED = "closed"
NONE = "none"
GARBLED = "garbled"  # its file is not as Perdure wrote it
OTHER_HOME = "other home"  # the same, because another home wrote it: this one does not know the project
PUT_BACK = "put back"  # its file says that it is open, but the home has no entry for it, as after it was closed
UNCONFIRMED = "unconfirmed"  # its file lets changes pass, but the home says that a CHECK is needed first
MOVED = "moved"  # its file names another folder: the project was moved or copied, and no command has run there since
VANISHED = "vanished"  # the project's `.perdure` folder is gone
UNNAMED = "unnamed"  # only the `project.toml` in it is gone
GONE = "gone"  # the project's whole folder is gone
DAMAGED = "damaged"  # it is open, but its ledger is damaged
UNWRITABLE = "unwritable"  # it is open, but nothing more can be recorded in it
OTHER_ID = "other id"  # `project.toml` has another id than the home: nothing is recorded until a person settles that

# The kinds of denial, as `GateVerdict.kind` has them.
FORBIDS = "forbidden"  # no transaction allows it: only a person may do it
SUBAGENT = "subagent"  # a subagent tried to open or close a transaction
RECORD_GONE = "record gone"  # the state is VANISHED or UNNAMED
FOLDER_GONE = "folder gone"  # the state is GONE
ALTERED = "altered"  # the state is GARBLED
HOME_LOST = "home lost"  # the state is OTHER_HOME
OLDER_COPY = "older copy"  # the state is PUT_BACK
CHECK_FIRST = "check first"  # the state is UNCONFIRMED
PROJECT_MOVED = "project moved"  # the state is MOVED
LEDGER = "ledger"  # the state is DAMAGED
NO_RECORDING = "no recording"  # the state is UNWRITABLE
ID_CHANGED = "id changed"  # the state is OTHER_ID
NO_TRANSACTION = "no transaction"  # the state is CLOSED or NONE
MIXED = "mixed"  # one command changes things and opens or closes a transaction
INVESTIGATE = "investigate"  # the latest assessment does not pass the gate
LOW_CONFIDENCE = "low confidence"  # confidence fell below the floor, and no CHECK said proceed since
WEIGHTY = "weighty"  # it destroys or publishes, and no CHECK of this transaction said proceed
FAILED = "failed"  # the guard itself failed
DENIALS = (
    FORBIDS,
    SUBAGENT,
    RECORD_GONE,
    FOLDER_GONE,
    ALTERED,
    HOME_LOST,
    OLDER_COPY,
    CHECK_FIRST,
    PROJECT_MOVED,
    LEDGER,
    NO_TRANSACTION,
    MIXED,
    INVESTIGATE,
    LOW_CONFIDENCE,
    WEIGHTY,
    FAILED,
    NO_RECORDING,
    ID_CHANGED,
)
"""Every kind of denial. A test follows the remedy of each until the call passes."""


@value
class TransactionState:
    """Whether this instance has a transaction in one project, and what its latest assessment was."""

    project: str
    transaction: str
    """One of the states above."""
    passes: bool = False
    proceeds: bool = False
    """A CHECK of this transaction answered "proceed"."""
    transaction_id: str = ""
    elsewhere: bool = False
    """This is not the current project, so the command that clears a denial must name it."""
    opened_at: float = 0.0
    """Seconds since the epoch."""

    mode: str | None = None
    """This project's mode, if it differs from that of the current project."""
    unwritable: str = ""
    """Why nothing can be recorded."""
    known_as: str = ""
    """The project's id in the home, if `project.toml` has another one."""
    low_confidence: int | None = None
    """Confidence, if it is below the floor and no CHECK said proceed since it fell (SPEC 10.7)."""

    def way_out(self, command: str) -> str:
        return f"{command} --project-path {_quoted(self.project)}" if self.elsewhere else command


@value
class GateVerdict:
    """In mode `observe`, a call with `denied` passes: `denied` then says that it would have been denied."""

    denied: bool
    reason: str = ""
    clears: str = ""
    failure: bool = False
    mode: str = ENFORCE
    """The mode of the project that the verdict is about."""
    kind: str = ""
    """One of `DENIALS`."""


PASS = GateVerdict(False)


def decide(
    analysis: Analysis,
    transaction_states: Sequence[TransactionState],
    *,
    mode: str = ENFORCE,
    mode_for_all: str | None = None,
    subagent: bool = False,
) -> GateVerdict:
    """The verdict about a command. `transaction_states` has one state for each project that it concerns; without any,
    everything passes but what is forbidden. `mode` is that of the current project; another project that would be
    changed may have its own. `mode_for_all` is the mode that the person set for every project. It decides about what is
    forbidden, since that may concern any project, so no single project's mode can allow it."""
    strictest = _strictest(mode, transaction_states)
    if analysis.effect == FORBIDDEN:
        return _forbidden(analysis, mode_for_all or strictest)
    if strictest == OFF or not transaction_states:
        return PASS
    if subagent and _opens_or_closes(analysis):
        return GateVerdict(
            True,
            "A subagent works in its parent's transaction and neither opens nor closes one. "
            "Report what you found; the parent goes on.",
            mode=strictest,
            kind=SUBAGENT,
        )
    if analysis.effect != PRAXIC:
        return PASS
    verdict = _strictest_verdict(analysis, transaction_states, mode)
    if subagent and verdict.denied:
        return _for_a_subagent(verdict)
    return verdict


def _strictest(mode: str, transaction_states: Sequence[TransactionState]) -> str:
    """The strictest mode of the current project and of those that would be changed."""
    modes = [mode]
    for state in transaction_states:
        modes.append(state.mode or mode)
    for candidate in (ENFORCE, OBSERVE):
        if candidate in modes:
            return candidate
    return OFF


def _forbidden(analysis: Analysis, mode: str) -> GateVerdict:
    if mode == OFF:
        return PASS
    reason = f"It {analysis.reason}" if analysis.reason.startswith("would ") else analysis.reason
    why = f"{reason}. No transaction allows this: ask the person to do it."
    return GateVerdict(True, why, mode=mode, kind=FORBIDS)


def _opens_or_closes(analysis: Analysis) -> bool:
    """Whether a part of the command opens or closes a transaction."""
    return any(finding.opens for finding in analysis.findings)


def _strictest_verdict(analysis: Analysis, transaction_states: Sequence[TransactionState], mode: str) -> GateVerdict:
    """The first denial by a project that enforces, else the first by one that observes, else PASS."""
    observed = PASS
    for state in transaction_states:
        verdict = replace(_praxic(analysis, state), mode=state.mode or mode)
        if verdict.denied and verdict.mode == ENFORCE:
            return verdict
        if verdict.denied and verdict.mode != OFF and observed is PASS:
            observed = verdict
    return observed


def _for_a_subagent(verdict: GateVerdict) -> GateVerdict:
    """The same denial for a subagent, which may not run the command that clears it."""
    why = f"{verdict.reason} You are a subagent: report what you found, so that your parent can clear it"
    return replace(verdict, reason=f"{why} ({verdict.clears}).", clears="")


def _praxic(analysis: Analysis, state: TransactionState) -> GateVerdict:
    """Whether this project's state allows a command that changes things."""
    seen = f"This changes things, or may: {analysis.reason}."
    if state.transaction in _UNREADABLE:
        return _unreadable(seen, state)
    if state.transaction == UNWRITABLE:
        why = f"{seen} Nothing can be recorded in {state.project}: {state.unwritable}"
        why += ". Your open transaction stays as it is."
        return GateVerdict(True, why, "ask the person to fix that", failure=True, kind=NO_RECORDING)
    if state.transaction == OTHER_ID:
        return _id_changed(seen, state)
    if state.transaction == UNCONFIRMED:
        why = f"{seen} Your transaction in {state.project} came back from an older copy, or your home lost its entry "
        why += "for it. It counts again after a CHECK."
        return GateVerdict(True, why, state.way_out(CHECK), kind=CHECK_FIRST)
    if state.transaction != OPEN:
        why = f"{seen} You have no open transaction in {state.project}."
        return GateVerdict(True, why, state.way_out(PREFLIGHT), kind=NO_TRANSACTION)
    if _opens_or_closes(analysis):
        why = f"{seen} The same command opens or closes a transaction, so it is unclear to which the change belongs."
        return GateVerdict(True, why, "run the two as separate commands", kind=MIXED)
    if not state.passes:
        why = f"{seen} Your latest assessment does not pass the gate: read and search first, then ask again."
        return GateVerdict(True, why, state.way_out(CHECK), kind=INVESTIGATE)
    if state.low_confidence is not None:
        why = f"{seen} Confidence in this work fell to {state.low_confidence} of 100 by what went wrong in it. Look at "
        why += "that first; then a CHECK that says proceed opens the gate again."
        return GateVerdict(True, why, state.way_out(CHECK), kind=LOW_CONFIDENCE)
    if analysis.weighty and not state.proceeds:
        why = f"{seen} It {analysis.weighty}, so it needs a CHECK of this transaction that says proceed."
        return GateVerdict(True, why, state.way_out(CHECK), kind=WEIGHTY)
    return PASS


def _id_changed(seen: str, state: TransactionState) -> GateVerdict:
    why = f"{seen} {state.project}/.perdure/project.toml has another id than the project has in your home, and nothing "
    why += "is recorded until that is settled. An open transaction stays as it is."
    accept = state.way_out("perdure audit acknowledge --because '…'")
    clears = (
        f'ask the person: they put back id = "{state.known_as}" in that file; or, if the change was intended, they '
    )
    clears += f"run {accept} in a terminal of their own. {state.way_out('perdure status')} says more"
    return GateVerdict(True, why, clears, failure=True, kind=ID_CHANGED)


_FAILURE = "this is a failure of the guard, not a judgement."
_UNREADABLE = {
    VANISHED: (RECORD_GONE, "The record of {} is gone."),
    UNNAMED: (RECORD_GONE, "The record of {} is there, but its .perdure/project.toml is gone."),
    GONE: (FOLDER_GONE, "The folder {} is gone. If it was moved, say where it is now."),
    GARBLED: (ALTERED, "The transaction file in {} is not as Perdure wrote it: " + _FAILURE),
    OTHER_HOME: (HOME_LOST, "Another home than this one wrote the record of {}, or the home was lost: " + _FAILURE),
    PUT_BACK: (
        OLDER_COPY,
        "A transaction file in {} says that your transaction is open, but your home has no entry for it: it was "
        "closed, and an older copy of the file or of .perdure was put back; or your home lost the entry.",
    ),
    MOVED: (PROJECT_MOVED, "Your transaction in {} was recorded when the project was in another folder: " + _FAILURE),
    DAMAGED: (LEDGER, "The ledger of {} is damaged or gone: " + _FAILURE),
}
"""States in which the guard cannot tell what is open → the kind of denial, and what it says about the project."""


def _unreadable(seen: str, state: TransactionState) -> GateVerdict:
    kind, words = _UNREADABLE[state.transaction]
    clears = SWITCH if state.transaction == GONE else state.way_out(HEAL)
    if state.transaction == OTHER_HOME:  # an agent is refused: it may be the client's home that is wrong
        clears = f"ask the person: they set PERDURE_HOME right, or run {state.way_out(HEAL)} in a terminal of their own"
    failure = state.transaction in (GARBLED, OTHER_HOME, MOVED, DAMAGED)
    return GateVerdict(True, f"{seen} {words.format(state.project)}", clears, failure=failure, kind=kind)


def verdict_of_error(error: BaseException) -> GateVerdict:
    """The verdict for an error of the guard. Our own errors say what to do; for others it suggests `perdure heal`."""
    if isinstance(error, PerdureError):
        return failure_verdict(f"{error.message} {error.hint}".strip(), "")
    return failure_verdict(f"{type(error).__name__}: {error}"[:200])


def failure_verdict(what: str, clears: str = HEAL) -> GateVerdict:
    """The verdict where the guard itself failed: deny, say so, and name the ways out (SPEC 5.6)."""
    return GateVerdict(
        True,
        f"Perdure's gate failed ({what}). This is a failure of the guard, not a judgement of the command. "
        f"A person can set PERDURE_GATE_MODE=off for the client until it is fixed.",
        clears,
        failure=True,
        kind=FAILED,
    )


DENIED = "Perdure: denied. "
"""A denial begins with it."""


def words(verdict: GateVerdict) -> str:
    """What the agent reads."""
    if not verdict.clears:
        return f"{DENIED}{verdict.reason}"
    numbers = f" ({YOUR_OWN})" if NUMBERS in verdict.clears else ""
    return f"{DENIED}{verdict.reason} To clear it: {verdict.clears}{numbers}"


def is_denial(error: str) -> bool:
    """Whether what a client says of a tool call that failed is our denial. The client may put a few words before it."""
    return DENIED in error[: len(DENIED) + 80].partition("\n")[0] + " "


def _quoted(path: str) -> str:
    """The path as a word that a shell reads as it is."""
    if path and all(c.isalnum() or c in "/._-+=:,@%" for c in path):
        return path
    return "'" + path.replace("'", "'\\''") + "'"
