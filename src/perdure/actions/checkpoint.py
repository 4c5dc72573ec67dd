"""The synthesis checkpoint: is everything written down that the next context needs? (SPEC 9.1)

    run(request, FULL).outcome == "passed"

1. The grounding ratio of the lineage is at least 0.95.     5. The session's handoff is on record (`session.handoff`).
2. No absence is ambiguous, or no longer true.              6. No tool output of more than 2,000 characters is kept.
3. The decisions of the lineage have evidence.              7. The active task has three test scenarios.
4. The active task has next steps, or there is none.        The compact form has steps 3, 4 and 7.

- Step 5 is judged by the ledger's own event, which a full checkpoint records itself; a trajectory file is a view of it.
- What keeps a step from being decided is an ERROR of that step, and never a pass: a ledger that cannot be read, git
  that does not answer, a file that cannot be opened.
- Everything is recorded in one append, or nothing is. A passed full checkpoint begins the next window of the ratio,
  after the last event that it looked at: what others record meanwhile belongs to the next one.
"""

from __future__ import annotations

import os
from shlex import quote

from perdure.actions import claims, context_window, decisions, derived_views, notes, tasks
from perdure.actions.advice import as_typed
from perdure.actions.attribution import current_attribution
from perdure.actions.compaction_hold import HELD, chosen_mode, how_to_lift
from perdure.actions.lineage_grounding import DECISION, Window, ratio_words
from perdure.actions.record import record
from perdure.actions.request import resolve_request
from perdure.actions.tasks import SCENARIO_TYPES
from perdure.actions.wiring import open_desk_at
from perdure.actions.work_folder import folder_of
from perdure.actions.work_tree import WorkTree
from perdure.actions.writers import OWN, Writers
from perdure.errors import Damaged, PerdureError, Trouble
from perdure.grounding.absence import Absent
from perdure.grounding.outcome import Outcome
from perdure.model import payload as p
from perdure.model.checkpoint import (
    COMPACT,
    ERROR,
    FAIL,
    FORMS,
    FULL,
    PASS,
    PASSED,
    STEPS,
    STRICT,
    Step,
    blocks,
    outcome,
)
from perdure.model.event import Ref, is_from_beads
from perdure.model.ids import LedgerId, short, short_task
from perdure.model.plural import counted
from perdure.model.state import Task, body_as
from perdure.model.value import replace, value
from perdure.place import repository
from perdure.place.refusals import required_project
from perdure.settings import in_doubt, persons_project_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from perdure.actions.attribution import Attribution
    from perdure.actions.claims import CheckedClaim
    from perdure.actions.decisions import DecisionView
    from perdure.actions.lineage_grounding import Grounding
    from perdure.actions.record import Fact
    from perdure.actions.request import Request, ResolvedRequest
    from perdure.actions.tasks import TaskView
    from perdure.actions.wiring import Desk
    from perdure.grounding.ratio import Ratio
    from perdure.model.event import Event

LARGEST_KEPT = 2200
"""Characters: 2,000, and what masking may add."""
OUTPUT_KINDS = ("command.run", "tool.failed")
GIT_PATIENCE = 5.0
"""Seconds until git must have said whether it works here."""
MOST_NOTES = 50
LONGEST_REPEATED = 100
"""Characters of a decision that an advised command repeats."""
NAMED = 3
"""How many are named in an advice."""


@value
class Checkpoint:
    form: str
    mode: str
    outcome: str
    steps: tuple[Step, ...]
    ratio: Ratio | None
    """None in the compact form, and if it could not be computed."""
    is_dry_run: bool
    event_id: str | None = None
    """The event that records it; None if nothing was recorded."""
    warning: str = ""

    @property
    def has_passed(self) -> bool:
        return self.outcome == PASSED


def run(request: Request, form: str, *, dry_run: bool = False) -> Checkpoint:
    return run_resolved(resolve_request(request), form, dry_run=dry_run)


def run_resolved(resolved: ResolvedRequest, form: str, *, dry_run: bool = False) -> Checkpoint:
    root = required_project(resolved.place)
    try:
        with open_desk_at(resolved, writable=not dry_run) as desk:
            return _run(desk, form, dry_run=dry_run)
    except (Trouble, Damaged) as error:  # the ledger cannot be read or written
        mode = str(chosen_mode(resolved.home, root, resolved.request.environment).value)
        return _nothing_decided(mode, form, error, dry_run=dry_run)


def why_held_back(resolved: ResolvedRequest) -> str:
    """Why a manual compaction must wait; empty if it need not. Only strict mode holds it back."""
    root = resolved.place.project_path
    mode = chosen_mode(resolved.home, root, resolved.request.environment)
    if mode.value != STRICT:
        return ""
    made = run_resolved(resolved, COMPACT)
    if made.has_passed:
        return ""
    lacking = [f"{each.name}: {each.figure}. {each.advice}".rstrip() for each in made.steps if each.status != PASS]
    lift = how_to_lift(mode, resolved.home, root, request=resolved.request)
    return f"{HELD} {' '.join(lacking)} Then compact again. {lift}"


def _nothing_decided(mode: str, form: str, error: PerdureError, *, dry_run: bool) -> Checkpoint:
    steps = tuple(_error(number, error) for number in FORMS[form])
    found = outcome(steps, strict=mode == STRICT)
    return Checkpoint(form=form, mode=mode, outcome=found, steps=steps, ratio=None, is_dry_run=dry_run)


def _run(desk: Desk, form: str, *, dry_run: bool) -> Checkpoint:
    with WorkTree(folder_of(desk)) as tree:
        look = _Look(desk, tree)
        steps = tuple(look.step(number) for number in FORMS[form])
    mode = str(desk.setting("checkpoint.mode"))
    doubt = _doubt_about_settings(desk, steps)
    found = outcome(steps, strict=mode == STRICT, is_in_doubt=bool(doubt))
    ratio = look.grounding.ratio if look.grounding else None
    made = Checkpoint(form=form, mode=mode, outcome=found, steps=steps, ratio=ratio, is_dry_run=dry_run, warning=doubt)
    return made if dry_run else _recorded(desk, made, look)


def _doubt_about_settings(desk: Desk, steps: Iterable[Step]) -> str:
    """Why it is not known whether a failed step refuses: a settings file that cannot be read may say so."""
    last_file = persons_project_file(desk.resolved.home, desk.root)
    for each in steps:
        if each.status == FAIL and not each.blocks:
            wrong = in_doubt(desk.settings, "tasks.scenarios" if each.number == 7 else "checkpoint.mode", last_file)
            if wrong:
                return f"Whether step {each.number} refuses could not be decided. {wrong.words}"
    return ""


# -- recording -------------------------------------------------------------------------------------------------------


def _recorded(desk: Desk, made: Checkpoint, look: _Look) -> Checkpoint:
    attribution = current_attribution(desk)
    facts = [*attribution.before, *look.changes(attribution)]
    if made.form == FULL:
        facts.append(_handoff(desk, look, attribution))
    kind = "checkpoint.passed" if made.has_passed else "checkpoint.refused"
    facts.append(attribution.fact(kind, _payload(desk, made, look)))
    event = record(desk, facts).events[-1]
    warning = _sign(desk) if made.form == FULL and made.has_passed else made.warning
    derived_views.write_all(desk, quickly=True)
    return replace(made, event_id=event.id, warning=warning)


def _payload(desk: Desk, made: Checkpoint, look: _Look) -> p.CheckpointRun:
    session = desk.resolved.request.stated_client.client_session_id or desk.seat.client_session_id
    use = context_window.read(desk.resolved.home, session) if session else None
    return p.CheckpointRun(
        form=made.form,
        mode=made.mode,
        outcome=made.outcome,
        steps=tuple(
            {"number": each.number, "name": each.name, "status": each.status, "figure": each.figure}
            for each in made.steps
        ),
        until=look.window.head.seq,
        grounded=made.ratio.grounded if made.ratio else None,
        total=made.ratio.total if made.ratio else None,
        context_tokens=use.tokens if use else None,
    )


def _handoff(desk: Desk, look: _Look, attribution: Attribution) -> Fact:
    writers = Writers(desk, look.window.session)
    left = [note.id for note in notes.open_by(desk, writers, MOST_NOTES) if note.writer in OWN]
    ratio, task = look.grounding.ratio if look.grounding else None, look.active
    handoff = p.SessionHandoff(
        decisions=tuple(each.id for each in look.decisions_of_session()),
        notes=tuple(left),
        grounded=ratio.grounded if ratio else None,
        total=ratio.total if ratio else None,
    )
    return attribution.fact("session.handoff", handoff, task_id=task.id if task else None)


def _sign(desk: Desk) -> str:
    from perdure.actions.signing import sign_or_warn  # imports Ed25519, which only a passed checkpoint needs

    return sign_or_warn(desk, "checkpoint").warning


# -- the steps -------------------------------------------------------------------------------------------------------


@value
class _Found:
    is_met: bool
    figure: str
    advice: str = ""


class _Look:
    """One look at the project, for all steps of a checkpoint."""

    def __init__(self, desk: Desk, tree: WorkTree) -> None:
        self.desk = desk
        self.tree = tree
        self.window = Window(desk)
        self.active = tasks.own_active(desk)
        self.grounding: Grounding | None = None
        self._checked: list[CheckedClaim] = []
        self._decided: list[Event] | None = None
        self._git_answers: bool | None = None
        self._unheard = repository.GitFailures.count
        self._steps: dict[int, Callable[[], _Found]] = {
            1: self._ratio,
            2: self._absences,
            3: self._decisions,
            4: self._task,
            5: self._handoff,
            6: self._raw_output,
            7: self._scenarios,
        }

    def step(self, number: int) -> Step:
        try:
            found = self._steps[number]()
        except Damaged:
            raise  # the ledger itself: then no step can be decided
        except (PerdureError, OSError) as error:
            return _error(number, error)
        strict = self.desk.setting("checkpoint.mode") == STRICT
        return Step(
            number=number,
            name=STEPS[number],
            status=PASS if found.is_met else FAIL,
            figure=found.figure,
            advice=found.advice,
            blocks=blocks(number, strict=strict, scenarios=str(self.desk.setting("tasks.scenarios"))),
        )

    def changes(self, attribution: Attribution) -> list[Fact]:
        """What this look found out about claims."""
        return claims.changes_as_facts(attribution, claims.changed(self.desk, self._checked))

    def _typed(self, command: str) -> str:
        return as_typed(self.desk, command)

    # -- 1 --

    def _ratio(self) -> _Found:
        self._require_git()
        found, self._checked = claims.check_lineage(self.desk, self.window, self.tree)
        self._require_readable(self._checked)
        if any(each.outcome == Outcome.MISSING for each in self._checked):
            self._require_renames()
        self.grounding = found
        return _Found(found.ratio.passes, ratio_words(found.ratio), self._how_to_ground(found))

    def _how_to_ground(self, found: Grounding) -> str:
        if found.ratio.passes:
            return ""
        open_ones = [each for each in found.ungrounded if not each.refused]
        bare = [each.id for each in open_ones if each.kind == DECISION]
        claimed = [each.id for each in open_ones if each.kind != DECISION]
        what, how = [], []
        if bare:
            what.append(f"give evidence for decision {_ids(bare)}")
            how.append(self._again_with_evidence(decisions.show(self.desk, bare[0])))
        if claimed:
            what.append(f"say claim {_ids(claimed)} again with evidence that holds")
            how.append(self._typed("perdure claim add 'the same words' --cite '${PROJECT_ROOT}/…:1' --quote '…'"))
        refused = len(found.ungrounded) - len(open_ones)
        return _how_to_ground_in_words(what, how, lacking=found.ratio.lacking, refused=refused)

    def _require_git(self) -> None:
        """Where there is a repository, git must answer: a git that is broken, gone or hangs finds no renames and lists
        no files."""
        if self._git_answers is None:
            is_there = any(os.path.lexists(os.path.join(each, ".git")) for each in repository.upward(self.tree.folder))
            asked = ("rev-parse", "--is-inside-work-tree")
            self._git_answers = not is_there or bool(repository.answer(self.tree.folder, *asked, seconds=GIT_PATIENCE))
        if not self._git_answers:
            raise Trouble(
                "git_failed",
                "git does not answer in this repository.",
                hint=f"Run git status in {self.tree.folder} and mend what it says.",
            )

    def _require_renames(self) -> None:
        """Before a file counts as gone, git must have been able to say what it was renamed to."""
        commit = self.tree.commit
        asked: list[tuple[str, ...]] = [("diff-tree", "-r", "--no-ext-diff", commit, commit)] if commit else []
        asked += [("ls-files", "-z", "--others", "--exclude-standard")] if commit else []
        heard = all(repository.answer(self.tree.folder, *each, seconds=GIT_PATIENCE) is not None for each in asked)
        if not heard or repository.GitFailures.count > self._unheard:
            raise Trouble(
                "git_failed",
                "git could not say what the missing files were renamed to.",
                hint=f"Run git diff --stat HEAD in {self.tree.folder} and mend what it says.",
            )

    def _require_readable(self, found: Sequence[CheckedClaim]) -> None:
        unread = [each.claim.path for each in found if each.claim.path in self.tree.refusals]
        if unread and unread[0]:
            raise Trouble(
                "cannot_read",
                f"{unread[0]}: {self.tree.refusals[unread[0]]}",
                hint="Make the file readable, or make the claim again about another place.",
            )

    # -- 2 --

    def _absences(self) -> _Found:
        events = claims.newest_of_each(self.window.events(["claim.absent"]))
        if not events:
            return _Found(True, "no absence claimed")
        self._require_git()
        if self.tree.tracked() is None:
            raise Trouble("git_failed", "git lists no files.", hint=f"Run git ls-files in {self.tree.folder}.")
        found = claims.check_events(self.desk, self.tree, events)
        doubtful = [each for each in found if each.outcome == Absent.AMBIGUOUS or each.is_lost]
        figure = f"{len(doubtful)} of {counted(len(found), 'absence')} in doubt"
        if not doubtful:
            return _Found(True, figure)
        again = self._typed("perdure claim absent 'the same words' --query … --query … --in FOLDER")
        return _Found(False, figure, f"Search again for {_ids(each.claim.id for each in doubtful)}: {again}")

    # -- 3 --

    def decisions(self) -> list[DecisionView]:
        """Those of this lineage since its last passed checkpoint that no other has superseded. A resumed session is a
        new one of ours, and its context still holds what was decided before."""
        return self._standing(self._made())

    def decisions_of_session(self) -> list[DecisionView]:
        session = self.window.session
        return self._standing(each for each in self._made() if session and each.session_id == session.id)

    def _made(self) -> list[Event]:
        if self._decided is None:
            self._decided = self.window.events(["decision.made"])
        return self._decided

    def _standing(self, made: Iterable[Event]) -> list[DecisionView]:
        views = (decisions.view(self.desk, each) for each in made if not is_from_beads(each.actor))
        return [each for each in views if each.superseded_by is None]

    def _decisions(self) -> _Found:
        made = self.decisions()
        bare = [each for each in made if not each.grounded]
        if not made:
            return _Found(True, "no decision since the last passed checkpoint")
        figure = f"{len(made) - len(bare)} of {counted(len(made), 'decision')} with evidence"
        if not bare:
            return _Found(True, figure)
        again = self._again_with_evidence(bare[0])
        ids = _ids(each.id for each in bare)
        return _Found(False, figure, f"Without evidence that was true: {ids}. Say each again with evidence: {again}")

    def _again_with_evidence(self, decision: DecisionView) -> str:
        """The command that says the decision again, with its key and value, and with evidence."""
        words, reason = _as_word(decision.decision), _as_word(decision.rationale)
        key = ""
        if decision.key is not None and _is_short(decision.key):
            key = f" --key {quote(decision.key)}"
            key += (
                f" --value {quote(decision.value)}" if decision.value is not None and _is_short(decision.value) else ""
            )
        return self._typed(
            f"perdure decide {words} --because {reason} --supersedes {short(decision.id)}{key} "
            "--cite '${PROJECT_ROOT}/path:line' --quote '…'"
        )

    # -- 4, 7 --

    def _task(self) -> _Found:
        task = self.active
        if task is None:
            return _Found(True, "no task in progress here")
        command = self._typed(f"perdure task update {short_task(task.id)} --next-step '…'")
        if not task.next_steps:
            return _Found(False, "no next step", f"{command}, or close it: {self._close(task)}")
        if not self._is_said_here(task):
            return _Found(False, "next steps of an earlier lineage", command)
        return _Found(True, counted(len(task.next_steps), "next step"))

    def _close(self, task: TaskView) -> str:
        return self._typed(f"perdure task close {short_task(task.id)} --because '…'")

    def _is_said_here(self, task: TaskView) -> bool:
        """Whether the next steps were stated by this lineage."""
        body = body_as(self.desk.ledger.document("task", task.id), Task)
        if body is None:
            return False
        ledger_id, seq = body.said_at.get("next_steps", (body.ledger_id, body.seq))
        event = self.desk.ledger.event(Ref(LedgerId(ledger_id), seq))
        return event is not None and self.window.has(event)

    def _scenarios(self) -> _Found:
        task = self.active
        if self.desk.setting("tasks.scenarios") == "off":
            return _Found(True, "not asked for: tasks.scenarios is off")
        if task is None:
            return _Found(True, "no task in progress here")
        there = {each.get("type") for each in task.test_scenarios}
        lacking = [each for each in SCENARIO_TYPES if each not in there]
        figure = f"{len(SCENARIO_TYPES) - len(lacking)} of {len(SCENARIO_TYPES)} types"
        if not lacking:
            return _Found(True, figure)
        command = self._typed(f"perdure task update {short_task(task.id)} --scenario {lacking[0]} NAME EXPECTED")
        return _Found(False, figure, command)

    # -- 5, 6 --

    def _handoff(self) -> _Found:
        """It is recorded with the checkpoint itself, in one append: if that fails, no step has passed."""
        return _Found(True, "a full checkpoint records it")

    def _raw_output(self) -> _Found:
        longest, held = 0, ""
        for event in self.window.events(OUTPUT_KINDS):
            texts = [content for content in (event.payload or {}).values() if isinstance(content, str)]
            length = max(map(len, texts), default=0)
            if length > longest:
                longest, held = length, event.id
        figure = f"the longest has {longest:,} characters" if longest else "no output of a tool is kept"
        if longest <= LARGEST_KEPT:
            return _Found(True, figure)
        command = self._typed(f"perdure redact {short(held)} --because 'raw output'")
        return _Found(False, figure, f"A person erases it: {command}")


def _as_word(text: str | None) -> str:
    """As it is typed in a shell; '…' for what is too long to repeat."""
    return quote(text) if text and _is_short(text) else "'…'"


def _how_to_ground_in_words(what: list[str], how: list[str], *, lacking: int, refused: int) -> str:
    """The commands come last, so that nothing stands behind them on the line."""
    outweigh = f"add {counted(lacking, 'grounded claim')}, which outweigh the others"
    sentence = f"{', and '.join(what)}; or {outweigh}" if what else outweigh
    stays = f" ({counted(refused, 'refused claim')} {'stays' if refused == 1 else 'stay'} counted)" if refused else ""
    begin = f" Begin with: {'; '.join(how)}" if how else ""
    return f"{sentence[0].upper()}{sentence[1:]}{stays}.{begin}"


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST_REPEATED and text.isprintable() and not text.startswith("-")


def _ids(ids: Iterable[str]) -> str:
    found = list(ids)
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(map(short, found[:NAMED])) + more


def _error(number: int, error: PerdureError | OSError) -> Step:
    if isinstance(error, PerdureError):
        figure, advice = f"could not be decided: {error.code}", f"{error.message} {error.hint}".strip()
    else:
        figure, advice = "could not be decided: system error", f"{error.strerror or error}."
    return Step(number=number, name=STEPS[number], status=ERROR, figure=figure, advice=advice)
