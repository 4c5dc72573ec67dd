"""Writers that are killed with SIGKILL, over and over, and what must hold each time (SPEC 4.1, 19).

Run as a process of its own, `python -m tests.faults.killing KIND ROOT …`: it imports everything once and
forks a writer for every round, so that hundreds of deaths take seconds. A writer says on a pipe what it is about to do
(`?`) and what it was told is done (`!`); what it said is set against the ledger it leaves behind. Nothing in the
program is replaced by something else: where a writer must die at a certain point, that point is wrapped.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perdure.actions import attribution, healing, notes, projects, sessions, transactions, transfer
from perdure.actions.request import Request
from perdure.actions.transactions import SelfAssessment
from perdure.actions.wiring import open_desk
from perdure.ledger.sqlite import SqliteLedger
from perdure.model.ids import derived_id
from perdure.model.state import Transaction
from perdure.place.resolve import Explicit
from perdure.views import transaction_file
from tests.faults.helpers import backup_lines, events_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.actions.wiring import Desk
    from perdure.model.event import Event

    Report = Callable[[str, str], object]
    Act = Callable[[Report], object]

LONGEST_LIFE = 0.080
RUN = os.urandom(2).hex()
OWN_KINDS = {
    "ledger.opened",
    "ledger.healed",
    "project.created",
    "instance.bound",
    "head.signed",
    "session.started",
    "session.working",
    "transaction.joined",
}
"""What is on record beside what the writers asked for."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Path(os.environ["PERDURE_HOME"])
        earlier = {word for event in events_of(root) if (word := word_of(event))}
        self.tried: set[str] = set(earlier)
        self.done: set[str] = set(earlier)
        self.number = 0

    def request(self, instance: str = "writer") -> Request:
        return Request(str(self.root), dict(os.environ), Explicit(instance=instance))

    def new(self) -> str:
        """A word that stands for one thing tried, and for no other."""
        self.number += 1
        return f"w{RUN}-{os.getpid()}-{self.number}"

    def fork(self, work: Act, wait: Callable[[int, int], None]) -> bool:
        """Runs `work` in a child; `wait` watches it, and may kill it. True where it was killed."""
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.close(read)
                work(lambda mark, what: os.write(write, f"{mark}{what}\n".encode()))
                status = 0
            finally:
                os._exit(status)
        os.close(write)
        wait(pid, read)
        _, status = os.waitpid(pid, 0)
        self._hear(read)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the writer failed by itself"
        return os.WIFSIGNALED(status)

    def _hear(self, read: int) -> None:
        with open(read, encoding="utf-8") as said:
            for line in said:
                assert line.endswith("\n")
                self.said(line[0], line[1:-1])

    def said(self, mark: str, what: str) -> None:
        {"?": self.tried, "!": self.done}[mark].add(what)

    # -- what must hold ------------------------------------------------------------------------------------------------

    def check(self) -> list[Event]:
        """Every acknowledged event is there, nothing else is, and no file opens a gate that the ledger does not."""
        events = events_of(self.root)
        by_chain: dict[str, int] = {}
        for event in events:
            assert event.seq == by_chain.get(event.ledger_id, 0) + 1
            by_chain[event.ledger_id] = event.seq
        words = [word for event in events if (word := word_of(event))]
        assert len(words) == len(set(words)), "something is on record twice"
        assert self.done <= set(words), f"acknowledged and lost: {self.done - set(words)}"
        assert set(words) <= self.tried, f"nobody asked for {set(words) - self.tried}"
        self._check_files()
        return events

    def _check_files(self) -> None:
        open_ones = {t.id: t for t in self.open_transactions()}
        for path in (self.root / ".perdure").glob("active_transaction*.json"):
            said = json.loads(path.read_text())
            if said["status"] == "open":
                assert said["transaction_id"] in open_ones, "a file says open and the ledger does not"
                held = open_ones[said["transaction_id"]]
                assert said["instance_id"] == held.instance_id
                assert path.name == transaction_file.name_for(held.suffix)

    def open_transactions(self) -> list[Transaction]:
        ledger = SqliteLedger(str(self.root / ".perdure" / "ledger.db"), writable=False)
        try:
            return [d.body for d in ledger.documents("transaction", live=True) if isinstance(d.body, Transaction)]
        finally:
            ledger.close()

    def holder(self) -> str | None:
        """Which of the two instances has a transaction open."""
        names = {derived_id("instance", name): name for name in ("writer", "heir")}
        found = [names[transaction.instance_id] for transaction in self.open_transactions()]
        assert len(found) <= 1
        return found[0] if found else None

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.root / ".perdure").glob("active_transaction*.json")}

    def heal(self, *, twice: bool = True) -> None:
        """Makes everything whole. `twice`: and the views of a second healing from nothing are the same bytes."""
        healed = healing.heal(self.request("healer"), lambda _: None)
        assert healed.is_whole, healed
        assert not healed.lost, healed
        files = self.files()
        open_ones = {t.id for t in self.open_transactions()}
        said = [json.loads(content) for content in files.values()]
        assert {one["transaction_id"] for one in said if one["status"] == "open"} == open_ones
        if twice:
            self._heal_from_nothing(files)
        left = [path.name for folder in (self.root / ".perdure", self.home) for path in folder.rglob("*.tmp*")]
        assert not left, left
        kept = [(line["ledger_id"], line["seq"], line["hash"]) for line in backup_lines(self.home)]
        assert sorted(kept) == sorted((event.ledger_id, event.seq, event.hash) for event in events_of(self.root))

    def _heal_from_nothing(self, files: dict[str, bytes]) -> None:
        for name in files:
            (self.root / ".perdure" / name).unlink()
        assert healing.heal(self.request("healer"), lambda _: None).is_whole
        assert self.files() == files, "the views are not the same bytes"
        assert healing.check(self.request("healer"), lambda _: None).is_whole


def word_of(event: Event) -> str | None:
    """The word that was recorded with it, or None for what the program itself adds."""
    assert event.payload is not None or event.absent == "redacted"
    payload = event.payload or {}
    for name in ("reasoning", "text", "because"):
        text = payload.get(name)
        if isinstance(text, str) and text.startswith("w"):
            return text
    if event.payload is not None:
        assert event.kind in OWN_KINDS or event.kind == "transaction.adopted", f"nobody asked for a {event.kind}"
    return None


def stated(word: str) -> SelfAssessment:
    return SelfAssessment({"know": 0.9, "uncertainty": 0.1}, word)


# -- killed at a random time -------------------------------------------------------------------------------------------


def live_on(project: Project, report: Report) -> None:
    """Transaction after transaction, from desk after desk, until somebody kills us."""
    while True:
        with open_desk(project.request()) as desk:
            if attribution.own_open_transaction(desk) is None:
                _told(report, project.new(), lambda word, desk=desk: transactions.preflight(desk, stated(word)))
            for _ in range(3):
                _told(report, project.new(), lambda word, desk=desk: notes.add(desk, "finding", word))
            _told(report, project.new(), lambda word, desk=desk: transactions.check(desk, stated(word)))
        _told(report, project.new(), lambda word: transactions.postflight(project.request(), stated(word), None))


def _told(report: Report, word: str, act: Callable[[str], object]) -> None:
    report("?", word)
    act(word)
    report("!", word)


def kill_at_random_times(project: Project, rounds: int, dice: random.Random, *, twice_every: int) -> int:
    """`twice_every`: in each so-manieth round the healing is made twice (`Project.heal`)."""
    killed = 0
    for number in range(rounds):

        def wait_and_kill(pid: int, read: int, after: float = dice.uniform(0, LONGEST_LIFE)) -> None:
            assert select.select([read], [], [], 20)[0], "the writer never began"
            time.sleep(after)
            os.kill(pid, signal.SIGKILL)

        killed += project.fork(lambda report: live_on(project, report), wait_and_kill)
        project.check()
        if number % 3 == 0:
            tear_backup(project, dice)
        project.heal(twice=number % twice_every == 0)
        project.check()
    return killed


def tear_backup(project: Project, dice: random.Random) -> None:
    """A crash of the machine cuts what was not synced: anywhere, within a line or between two. Or it leaves zeros where
    a page was not written."""
    for path in project.home.glob("backups/*/*.jsonl"):
        size = path.stat().st_size
        if dice.random() < 0.3:
            with path.open("r+b") as file:
                file.seek(dice.randint(0, size // 2))
                file.write(bytes(300))
            continue
        os.truncate(path, dice.randint(max(0, size - 3000), size) if dice.random() < 0.8 else dice.randint(0, size))


# -- killed at a certain point -----------------------------------------------------------------------------------------


def at_call(number: int) -> None:
    """From now on, die at the n-th call of anything, be it ours, Python's or C's."""
    left = [number]

    def count(_frame: object, event: str, _what: object) -> None:
        if event in ("call", "c_call"):
            left[0] -= 1
            if left[0] <= 0:
                die()

    sys.setprofile(count)


def counted(project: Project, act: Act) -> int:
    """How many calls it takes when nobody dies."""
    calls = 0

    def work(report: Report) -> None:
        nonlocal calls
        calls = 0

        def count(_frame: object, event: str, _what: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        act(report)
        sys.setprofile(None)
        report("!", f"#{calls}")

    assert not project.fork(work, lambda _pid, _read: None)
    found = next(word for word in project.done if word.startswith("#"))
    project.done.discard(found)
    return int(found[1:])


def _open(project: Project) -> str:
    """Makes sure that the writer has a transaction open, and names it."""
    with open_desk(project.request()) as desk:
        held = attribution.own_open_transaction(desk)
        if held is None:
            word = project.new()
            project.tried.add(word)
            held = transactions.preflight(desk, stated(word)).transaction
            project.done.add(word)
        return held.id


def _none_open(project: Project) -> None:
    for instance in ("writer", "heir"):
        with open_desk(project.request(instance)) as desk:
            held = attribution.own_open_transaction(desk)
        if held:
            word = project.new()
            project.tried.add(word)
            transactions.postflight(project.request(instance), stated(word), None)
            project.done.add(word)


def _preflight(project: Project) -> Act:
    _none_open(project)
    word = project.new()
    return lambda report: _told(
        report, word, lambda w: _at_desk(project, lambda d: transactions.preflight(d, stated(w)))
    )


def _note(project: Project) -> Act:
    _open(project)
    word = project.new()
    return lambda report: _told(report, word, lambda w: _at_desk(project, lambda d: notes.add(d, "finding", w)))


def _check(project: Project) -> Act:
    _open(project)
    word = project.new()
    return lambda report: _told(report, word, lambda w: _at_desk(project, lambda d: transactions.check(d, stated(w))))


def _postflight(project: Project) -> Act:
    _open(project)
    word = project.new()
    return lambda report: _told(report, word, lambda w: transactions.postflight(project.request(), stated(w), None))


def _adopt(project: Project) -> Act:
    _none_open(project)
    named = _open(project)
    return lambda _: _at_desk(project, lambda d: transactions.adopt(d, named), "heir")


def _session(project: Project) -> Act:
    return lambda _: _at_desk(project, lambda d: sessions.start(d))


def _redact(project: Project) -> Act:
    word, because = project.new(), project.new()
    with open_desk(project.request()) as desk:
        project.tried.add(word)
        event = notes.add(desk, "finding", word).id

    def erase(report: Report) -> None:
        _told(report, because, lambda w: _at_desk(project, lambda d: transfer.redact(d, event, w)))

    return erase


def _heal(project: Project) -> Act:
    _open(project)
    for name in project.files():
        (project.root / ".perdure" / name).unlink()
    return lambda _: healing.heal(project.request("healer"), lambda _: None) and None


def _restore(project: Project) -> Act:
    """As after `git clean -fdx`: the ledger is not there."""
    for path in (project.root / ".perdure").glob("ledger.db*"):
        path.unlink()
    return lambda _: projects.init(project.request(), None, None) and None


def _recover(project: Project) -> Act:
    """A ledger that is no database any more."""
    for path in (project.root / ".perdure").glob("ledger.db*"):
        path.unlink()
    (project.root / ".perdure" / "ledger.db").write_bytes(b"\0" * 5000)
    return lambda _: healing.heal(project.request("healer"), lambda _: None) and None


ACTS: dict[str, Callable[[Project], Act]] = {
    "preflight": _preflight,
    "note": _note,
    "check": _check,
    "postflight": _postflight,
    "adopt": _adopt,
    "session": _session,
    "redact": _redact,
    "heal": _heal,
    "restore": _restore,
    "recover": _recover,
}
REBUILDING = ("restore", "recover")


def _at_desk(project: Project, act: Callable[[Desk], object], instance: str = "writer") -> None:
    with open_desk(project.request(instance)) as desk:
        act(desk)


def kill_at_random_calls(project: Project, rounds: int, dice: random.Random, *, twice_every: int) -> int:
    killed = 0
    for prepare in ACTS.values():  # once here, so that what is imported on the way is there in every child
        prepare(project)(project.said)
        project.heal(twice=False)
    lengths = {name: counted(project, prepare(project)) for name, prepare in ACTS.items()}
    project.heal()
    project.check()
    for number in range(rounds):
        name = list(ACTS)[number % len(ACTS)]
        act = ACTS[name](project)
        call = dice.randint(1, lengths[name])

        def work(report: Report, act: Act = act, call: int = call) -> None:
            at_call(call)
            act(report)
            sys.setprofile(None)

        killed += project.fork(work, lambda _pid, _read: None)
        if name not in REBUILDING:
            project.check()
        project.heal(twice=number % twice_every == 0)
        _forget_redacted(project, project.check(), f"{name} killed at call {call}")
        for aside in (project.root / ".perdure").glob("ledger.db.damaged-*"):
            aside.unlink()
    return killed


def _forget_redacted(project: Project, events: list[Event], after: str) -> None:
    """What was erased is gone from every file; its word cannot be looked for any more."""
    files = [*project.root.glob(".perdure/ledger.db*"), *project.home.glob("backups/*/*")]
    everything = {path.name: path.read_bytes() for path in files if not path.name.startswith("ledger.db.damaged-")}
    on_record = {word for event in events if (word := word_of(event))}
    if any(event.absent == "redacted" for event in events):
        for word in project.tried - on_record:
            stands = [name for name, content in everything.items() if f'"{word}"'.encode() in content]
            assert stands == [], f"{word} was erased and still stands in {stands}, after {after}"


# -- killed between ledger and view ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """Where a writer dies: before or after the n-th time that the ledger is told of a transition, that a transaction's
    file is put in place, or that one is taken away. And what it must leave behind: what the file says (None where there
    is none), and who holds the transaction by the ledger."""

    act: str
    step: str
    time: int
    when: str
    file: str | None
    holder: str | None


POINTS: dict[str, Point] = {
    "opening-before-the-ledger": Point("preflight", "ledger", 1, "before", None, None),
    "opening-after-the-ledger": Point("preflight", "ledger", 1, "after", None, "writer"),
    "opening-before-its-file-is-in-place": Point("preflight", "file", 1, "before", None, "writer"),
    "opening-after-its-file": Point("preflight", "file", 1, "after", "open", "writer"),
    "closing-before-its-file-is-in-place": Point("postflight", "file", 1, "before", "open", "writer"),
    "closing-between-file-and-ledger": Point("postflight", "file", 1, "after", "closed", "writer"),
    "closing-before-the-ledger": Point("postflight", "ledger", 1, "before", "closed", "writer"),
    "closing-after-the-ledger": Point("postflight", "ledger", 1, "after", "closed", None),
    "closing-before-its-last-file": Point("postflight", "file", 2, "before", "closed", None),
    "closing-after-its-last-file": Point("postflight", "file", 2, "after", "closed", None),
    "adopting-before-the-old-file-goes": Point("adopt", "gone", 1, "before", "open", "writer"),
    "adopting-after-the-old-file-went": Point("adopt", "gone", 1, "after", None, "writer"),
    "adopting-after-the-ledger": Point("adopt", "ledger", 1, "after", None, "heir"),
    "adopting-before-the-new-file": Point("adopt", "file", 1, "before", None, "heir"),
    "adopting-after-the-new-file": Point("adopt", "file", 1, "after", "open", "heir"),
}


def kill_at_point(project: Project, name: str) -> None:
    point = POINTS[name]
    _none_open(project)
    act = ACTS[point.act](project)
    for closed in (project.root / ".perdure").glob("active_transaction*.json"):
        if json.loads(closed.read_text())["status"] == "closed":
            closed.unlink()

    def work(report: Report) -> None:
        _die_at(point)
        act(report)

    assert project.fork(work, lambda _pid, _read: None), "the point was never reached"
    project.check()
    found = [json.loads(content)["status"] for content in project.files().values()]
    assert found == ([point.file] if point.file else []), found
    assert project.holder() == point.holder
    project.heal()
    project.check()
    assert project.holder() == point.holder, "healing moves nothing along"


def _die_at(point: Point) -> None:
    steps: dict[str, tuple[Any, str, Callable[..., bool]]] = {
        "ledger": (SqliteLedger, "append", lambda _, drafts, *rest: any("transaction." in d.kind for d in drafts)),
        "file": (os, "replace", lambda _, target: transaction_file.PREFIX in os.path.basename(target)),
        "gone": (os, "unlink", lambda target: os.path.basename(target).startswith(transaction_file.PREFIX)),
    }
    owner, name, counts = steps[point.step]
    whole = getattr(owner, name)
    left = [point.time]

    def dying(*arguments: Any) -> object:
        left[0] -= counts(*arguments)
        if left[0] == 0 and point.when == "before":
            die()
        answer = whole(*arguments)
        if left[0] == 0:
            die()
        return answer

    setattr(owner, name, dying)


def main() -> int:
    kind, root = sys.argv[1], Path(sys.argv[2])
    project = Project(root)
    if kind == "points":
        for name in POINTS:
            print(f"killed at: {name}", file=sys.stderr)
            kill_at_point(project, name)
        killed = len(POINTS)
    else:
        run = {"times": kill_at_random_times, "calls": kill_at_random_calls}[kind]
        rounds, seed, twice_every = map(int, sys.argv[3:6])
        killed = run(project, rounds, random.Random(seed), twice_every=twice_every)
    print(json.dumps({"killed": killed, "events": len(events_of(root))}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
