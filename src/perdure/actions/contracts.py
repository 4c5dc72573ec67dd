"""Contracts: what counts as done, and whether what was seen shows it (SPEC 10.6).

A contract belongs to the task of the open transaction, or else to the transaction; set before there is one, to the
instance, until it opens one. It ends with its task or transaction. An agent may set one or make it stricter; only a
person loosens or clears it.

    current(desk)                   the contract that counts here, or None
    standing(desk, contract)        what is shown for the files as they are, and what is missing
"""

from __future__ import annotations

from perdure.actions import lineage_grounding, observing
from perdure.actions.attribution import current_attribution, own_open_transaction
from perdure.actions.record import record
from perdure.errors import BadInput, Refused
from perdure.lifecycle import completion
from perdure.lifecycle.completion import Completion, SeenEvidence, judged
from perdure.model import payload as p
from perdure.model.event import USER, Ref
from perdure.model.ids import LedgerId
from perdure.model.state import Contract, body_as
from perdure.model.value import replace, value
from perdure.settings import SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.place.tree_hash import Tree

STRICT, NORMAL, LOOSE, OFF = MODES = SETTINGS["evidence.mode"].choices
MOST_BLOCKS = {STRICT: 3, NORMAL: 2, LOOSE: 0, OFF: 0}
"""How often in a row the end of a turn is blocked."""
_LONGEST = 2000
_MOST_CRITERIA = 50
_MOST_WHY = 3
_MOST_RUNS = 200
"""How many of the latest runs are looked at."""
_RUNS = ("test.run", "check.run", "scenario.met", "scenario.missed")


@value
class ContractView:
    owner: str
    """The task, transaction or instance that it belongs to."""
    goal: str
    criteria: tuple[str, ...]
    evidence: tuple[str, ...]
    mode: str
    """The mode that counts: that of the contract or of the setting, whichever is stricter."""
    state: Contract


@value
class Standing:
    """How a contract stands for the files as they are."""

    judged: Completion
    seen: SeenEvidence
    tree: str | None
    """None if the files cannot be read."""
    why: tuple[str, ...] = ()
    """Why the latest runs do not count."""


def current(desk: Desk) -> ContractView | None:
    for owner in _owners(desk):
        found = desk.ledger.document("contract", owner)
        contract = body_as(found, Contract) if found and found.live else None
        if contract:
            return _view(desk, owner, contract)
    return None


def _owners(desk: Desk) -> Iterator[str]:
    transaction = own_open_transaction(desk)
    if transaction and transaction.task_id:
        yield transaction.task_id
    if transaction:
        yield transaction.id
    yield desk.seat.instance_id


def _view(desk: Desk, owner: str, contract: Contract) -> ContractView:
    event = event_of(desk, contract)
    said = p.read(event, p.ContractSet) if event else None
    return ContractView(
        owner=owner,
        goal=said.goal if said else "(erased)",
        criteria=said.criteria if said else (),
        evidence=contract.evidence,
        mode=_mode(desk, contract.mode),
        state=contract,
    )


def event_of(desk: Desk, contract: Contract) -> Event | None:
    """The event that has its words."""
    return desk.ledger.event(Ref(LedgerId(contract.ledger_id), contract.seq))


def _mode(desk: Desk, own: str | None) -> str:
    """The contract's own, or the setting; if both were given, the stricter."""
    chosen = desk.settings["evidence.mode"]
    if own is None:
        return str(chosen.value)
    return own if chosen.origin == "default" else min(own, str(chosen.value), key=MODES.index)


# -- setting and clearing ----------------------------------------------------------------------------------------------


def set_contract(desk: Desk, wanted: p.ContractSet) -> ContractView:
    """A person in a terminal of their own changes the project's only contract, if there is one."""
    before = shown(desk)
    if before and desk.is_agent:
        wanted = _tightened(before, wanted)
    _check(wanted)
    tree = _tree(desk)
    attribution = current_attribution(desk)
    task = attribution.transaction.task_id if attribution.transaction else None
    elsewhere = before.owner if before and before.owner not in _owners(desk) else None
    wanted = replace(wanted, tree=tree.hash if tree else None, contract=elsewhere)
    record(desk, [*attribution.before, attribution.fact("contract.set", wanted, task_id=task)])
    found = shown(desk)
    assert found
    return found


def _check(wanted: p.ContractSet) -> None:
    if not wanted.goal.strip() or len(wanted.goal) > _LONGEST:
        raise BadInput("bad_contract", "A contract needs a goal.", hint="perdure contract set --goal 'ship the parser'")
    if len(wanted.criteria) > _MOST_CRITERIA or any(not 0 < len(each.strip()) <= _LONGEST for each in wanted.criteria):
        raise BadInput("bad_contract", "A criterion is empty or too long, or there are too many.")
    unknown = [each for each in wanted.evidence if each not in completion.KINDS]
    if unknown:
        known = ", ".join(completion.KINDS)
        raise BadInput(
            "bad_contract", f"{unknown[0][:40]!r} is not a kind of evidence.", hint=f"The kinds are: {known}."
        )
    if wanted.mode is not None and wanted.mode not in MODES:
        raise BadInput(
            "bad_contract", f"{wanted.mode[:40]!r} is not a mode.", hint=f"The modes are: {', '.join(MODES)}."
        )


def _tightened(before: ContractView, wanted: p.ContractSet) -> p.ContractSet:
    """What an agent asks for, if it takes nothing back. Criteria that it does not repeat stay."""
    loosened = ""
    if wanted.goal.strip() and wanted.goal != before.goal:
        loosened = "has another goal"
    elif not completion.is_tighter(wanted.evidence, before.evidence):
        loosened = "asks for less evidence"
    elif wanted.mode in MODES and MODES.index(wanted.mode) > MODES.index(before.state.mode or NORMAL):
        loosened = "has a looser mode"
    if loosened:
        raise Refused(
            "contract_loosened",
            f"The new contract {loosened} than the one that counts here. An agent may only make it stricter.",
            hint="perdure contract show prints it. Ask the person if it is wrong: they change or clear it.",
        )
    criteria = (*before.criteria, *(each for each in wanted.criteria if each not in before.criteria))
    return replace(wanted, goal=before.goal, criteria=criteria, mode=wanted.mode or before.state.mode)


def clear(desk: Desk, because: str | None) -> ContractView:
    desk.refuse_agent("Only a person may clear a contract.")
    found = current(desk) or _only_one(desk)
    if found is None:
        raise Refused("no_contract", "There is no contract here.", hint="perdure contract set --goal '…' makes one.")
    attribution = current_attribution(desk)
    record(desk, [*attribution.before, attribution.fact("contract.cleared", p.ContractCleared(found.owner, because))])
    return found


def _only_one(desk: Desk) -> ContractView | None:
    """A person in a terminal of their own means the project's only contract, whoever works under it."""
    living = desk.ledger.documents("contract", live=True, limit=2)
    if len(living) != 1 or not isinstance(living[0].body, Contract):
        return None
    return _view(desk, living[0].id, living[0].body)


def shown(desk: Desk) -> ContractView | None:
    return current(desk) or (None if desk.is_agent else _only_one(desk))


def waive(desk: Desk) -> str:
    """Called for a prompt of the person's own, in a session that a person attends. Returns what the agent is told."""
    found = current(desk)
    if found is None:
        return ""
    attribution = current_attribution(desk)
    waived = replace(attribution.fact("contract.waived", p.ContractWaived(found.owner)), actor=USER)
    record(desk, [*attribution.before, waived])
    return "Perdure: the person waived the evidence for this turn."


# -- how it stands -----------------------------------------------------------------------------------------------------


def standing(desk: Desk, contract: ContractView) -> Standing:
    observing.taken_in(desk)
    tree = _tree(desk)
    if tree is None:
        return Standing(judged(SeenEvidence(), contract.evidence), SeenEvidence(), None)
    runs = _Runs(desk, tree.hash)
    seen = SeenEvidence(
        tests=runs.hold(completion.TESTS),
        build=runs.hold(completion.BUILD),
        lint=runs.hold(completion.LINT),
        scenarios=len(runs.scenarios),
        claims=_claims_hold(desk),
    )
    return Standing(judged=judged(seen, contract.evidence), seen=seen, tree=tree.hash, why=tuple(runs.why))


def _tree(desk: Desk) -> Tree | None:
    from perdure.actions import check_runs  # not light, and most turns and prompts need no tree

    return check_runs.current_tree(desk)


def _claims_hold(desk: Desk) -> bool | None:
    ratio = lineage_grounding.as_recorded(desk).ratio
    return None if not ratio.total else ratio.grounded / ratio.total >= completion.LEAST_GROUNDED


class _Runs:
    """The latest runs of this machine, set against one work tree. The newest comes first: of two runs on this tree it
    decides. Runs on other trees say which suites there are."""

    def __init__(self, desk: Desk, tree: str) -> None:
        self.tree = tree
        self.suites: dict[str, dict[str, bool | None]] = {}
        """For tests, `build` and `lint`: each suite that is known, and whether it holds for this tree."""
        self.scenarios: set[str] = set()
        self.why: list[str] = []
        self._decided: set[str] = set()
        for event in desk.latest_here(_RUNS, _MOST_RUNS):
            self._take(event)

    def _take(self, event: Event) -> None:
        tests, check = p.read(event, p.TestRun), p.read(event, p.CheckRun)
        if tests:
            self._run(completion.TESTS, tests, is_good=tests.is_good, is_bad=tests.is_bad)
        elif check:
            self._run(check.purpose, check, is_good=check.passed, is_bad=not check.passed)
        scenario = p.read(event, p.ScenarioMet) or p.read(event, p.ScenarioMissed)
        if scenario and scenario.tree == self.tree and scenario.name not in self._decided:
            self._decided.add(scenario.name)
            self.scenarios.update([scenario.name] if isinstance(scenario, p.ScenarioMet) else [])

    def _run(self, kind: str, run: p.TestRun | p.CheckRun, *, is_good: bool, is_bad: bool) -> None:
        suites = self.suites.setdefault(kind, {})
        if run.why and not suites and len(self.why) < _MOST_WHY:
            self.why.append(f"{run.command[:80]}: {run.why}")
        if run.suite is None or not (run.whole or is_bad):
            return
        if run.tree == self.tree and suites.get(run.suite) is None:
            suites[run.suite] = bool(is_good and run.whole)
        elif run.whole:
            suites.setdefault(run.suite, None)

    def hold(self, kind: str) -> bool:
        """A run in the root covers every suite; otherwise each suite that is known must hold."""
        suites = self.suites.get(kind, {})
        return bool(suites) and (suites.get("") is True or all(suites.values()))


def missing_words(contract: ContractView, stands: Standing) -> str:
    """What is missing, in the agent's words."""
    what = ", ".join(_WORDS[kind] for kind in stands.judged.missing)
    if contract.evidence:
        return f"not seen for the files as they are now: {what}"
    return (
        f"completion confidence is {stands.judged.confidence} of {completion.THRESHOLD} for the files as they are now; "
        f"not seen: {what}"
    )


_WORDS = {
    completion.TESTS: "all tests passing",
    completion.BUILD: "a build that succeeds",
    completion.LINT: "a linter or type checker that succeeds",
    completion.SCENARIOS: "a scenario that was verified",
    completion.CLAIMS: "enough claims that hold",
}
