"""Plays the sessions, asks everyone for a brief at every boundary, and makes tables of it."""

from __future__ import annotations

import json
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.measure import Row
from bench.recovery.needs import Needs, Step, needs_of, steps_of
from bench.recovery.others import OTHERS
from bench.recovery.score import BESIDE, SHARES, Scores, files_in, harmonic, invented, score
from bench.recovery.sessions import SESSIONS
from bench.recovery.truth import Truth
from bench.recovery.work import CLIENT, play
from perdure.actions.recovering import from_transcript
from perdure.recovery.tokens import count

BUDGETS = (300, 500, 1200, 2000)
OURS = "perdure"
BARS = {300: 0.50, 500: 0.75, 1200: 0.85}
"""What the harmonic mean is to reach on other people's sessions; here it is the least."""
LOOKED_AT = 1200


@dataclass
class Played:
    name: str
    truth: Truth
    lines: list[str]
    steps: list[Step]
    needs: list[Needs]

    def source(self, needs: Needs) -> str:
        """Every word before the boundary, as it was before JSON."""
        return "\n".join(text for line in self.lines[: needs.line] for text in _strings(json.loads(line)))


def _strings(of: object) -> list[str]:
    if isinstance(of, str):
        return [of]
    inside = of.values() if isinstance(of, dict) else of if isinstance(of, list) else ()
    return [text for one in inside for text in _strings(one)]


def played(name: str, folder: Path) -> Played:
    home = folder / "home"
    home.mkdir(parents=True)
    since = time.perf_counter()
    work = SESSIONS[name](folder / name)
    truth = play(work, home)
    lines = [line for line in truth.transcript.read_text(encoding="utf-8").split("\n") if line.strip()]
    needs = needs_of(name, truth, lines)
    calls = sum(step.kind == "call" for step in steps_of(lines))
    compactions = sum(each.boundary == "compaction" for each in needs)
    print(
        f"{name:10} {calls:3} calls, {len(truth.prompts)} prompts, {compactions} compactions, "
        f"{len(needs) - compactions} failures, {time.perf_counter() - since:.1f} s",
        flush=True,
    )
    return Played(name, truth, lines, steps_of(lines), needs)


Figures = dict[tuple[str, int], list[Scores]]


def figures(sessions: Sequence[Played]) -> Figures:
    """Everyone's scores at every boundary, by name and budget."""
    found: Figures = {}
    for session in sessions:
        for needs in session.needs:
            source = session.source(needs)
            for budget in BUDGETS:
                for name, text in texts(session, needs, budget).items():
                    found.setdefault((name, budget), []).append(score(text, needs, session.truth, source))
    return found


def texts(session: Played, needs: Needs, budget: int) -> dict[str, str]:
    ours = from_transcript(str(session.truth.transcript), needs.uuid, budget).text
    assert count(ours) <= budget, (session.name, needs.uuid, count(ours), budget)
    others = {name: make(session.truth, session.steps, needs, budget) for name, make in OTHERS.items()}
    return {OURS: ours, **{name: text for name, text in others.items() if text is not None}}


def means(scores: Sequence[Scores]) -> Scores:
    """The mean of each over the boundaries that have it; `together` is the harmonic mean of those means."""
    names = (*SHARES, "harmonic", *BESIDE)
    found = {name: statistics.fmean(having) for name in names if (having := [s[name] for s in scores if name in s])}
    return {**found, "together": harmonic([found[name] for name in SHARES if name in found])}


def tables(found: Figures) -> str:
    """`harmonic` is the mean over boundaries; `together`, the harmonic mean of the needs' means."""
    columns = (*SHARES, "harmonic", "together", *BESIDE)
    lines = []
    for budget in BUDGETS:
        lines += ["", f"{f'{budget:,} tokens':17}" + "".join(f"{name:>10}" for name in columns)]
        for name in (OURS, *OTHERS):
            if (name, budget) in found:
                mean = means(found[name, budget])
                lines.append(f"{name:17}" + "".join(f"{mean.get(column, float('nan')):10.2f}" for column in columns))
    return "\n".join(lines)


def examples(sessions: Sequence[Played], budget: int = LOOKED_AT) -> str:
    """What each brief lacks of what was needed, and gives of what was not."""
    lines = []
    for session in sessions:
        for needs in session.needs:
            text = texts(session, needs, budget)[OURS]
            lines += [f"\n{session.name} {needs.boundary} {needs.uuid}", *_missed(text, needs, session)]
    return "\n".join(lines)


def _missed(text: str, needs: Needs, session: Played) -> list[str]:
    given, plain = files_in(text, session.truth), " ".join(text.split())
    missing = {
        "files": [path for path in needs.files if path not in given],
        "order": [f"{path} ({given.index(path) + 1})" for path in needs.files[:3] if path in given[6:]],
        "names": [name for name in needs.names if name not in text],
        "prompts": [prompt for prompt in needs.prompts if prompt not in plain],
        "rules": [rule for rule in needs.rules if rule not in plain],
        "errors": [str(error) for error in needs.errors if error.name not in plain or error.message not in plain],
        "commands": [command for command in needs.commands if command not in plain],
        "items": [item for item in needs.items if item not in plain],
        "NOT settled": [error.message for error in needs.settled if error.message and error.message in plain],
        "NOT withdrawn": [rule for rule, back in needs.withdrawn if rule in plain and back not in plain],
        "NOT invented": invented(text, session.truth, session.source(needs)),
        "NOT needed files": [path for path in given if path not in needs.files],
    }
    return [f"  {what}: {found}" for what, found in missing.items() if found]


def keep(sessions: Sequence[Played], folder: Path) -> None:
    """Transcripts, and beside them for each boundary what was needed and what everyone gave."""
    for session in sessions:
        place = folder / session.name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        shutil.copy(session.truth.transcript, place / "transcript.jsonl")
        for number, needs in enumerate(session.needs):
            stem = f"{number:02}-{needs.boundary}-{needs.uuid[:8]}"
            (place / f"{stem}.needs.json").write_text(json.dumps(asdict(needs), indent=1, ensure_ascii=False))
            for budget in BUDGETS:
                for name, text in texts(session, needs, budget).items():
                    if name == OURS or budget == LOOKED_AT:
                        (place / f"{stem}.{name.replace(' ', '-')}.{budget}.txt").write_text(text)


def rows(folder: str) -> list[Row]:
    """For `make bench`: ours beside the best of the others, at each budget."""
    if not CLIENT.exists():
        print("Claude Code is not installed (tests/needs.sh does that): left out", flush=True)
        return []
    found = figures([played(name, Path(folder) / "recovery" / name) for name in SESSIONS])
    print(tables(found) + "\n", flush=True)
    return [_row(found, budget) for budget in BUDGETS]


def _row(found: Figures, budget: int) -> Row:
    ours = means(found[OURS, budget])["harmonic"]
    best = max((means(found[name, budget])["harmonic"], name) for name in OTHERS if (name, budget) in found)
    bar = BARS.get(budget)
    limit, passes = (f"≥ {bar:.2f}", ours >= bar) if bar else ("", None)
    beside = f"{best[1]} {best[0]:.2f}"
    return Row(
        what=f"brief in {budget:,} tokens, all needs",
        ours=f"{ours:.2f} of 1",
        baseline=beside,
        ratio=ours / (best[0] or 0.01),
        bar=limit,
        passes=passes,
    )
