"""`python -m bench.next_step FOLDER MOST TRANSCRIPT…`: sheets for a reader who says what an agent does next after a
compaction, from the client's summary alone, and from that with what Perdure gives back (SPEC 11.3).

For automatic compactions in Claude Code's transcripts after which the agent went on by itself, at most so many, chosen
by chance but always the same, FOLDER gets `N.summary`, `N.given` and `N.followed`. Read them in this order, and write
down what you expect before you open the next. What is before the compaction is taken into a project of its own, whose
work tree is empty, and the hooks of a compaction are run there.

It also prints how many of the files and commands that the agent used next are named in the summary, with the files that
the client attaches to it, and how many in that with what Perdure gives back (`next_calls.py`).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.next_calls import Named, calls_after, calls_before, counted, reattached

FEWEST_BEFORE = 100
"""Records before a compaction; with fewer, the log begins with a summary of what is not in it."""
SHOWN_AFTER = 10


@dataclass(frozen=True)
class Boundary:
    records: tuple[dict[str, Any], ...]
    at: int
    """Which of them is the summary."""

    @property
    def summary(self) -> str:
        return _text(self.records[self.at])

    @property
    def is_automatic(self) -> bool:
        before = self.records[max(0, self.at - 4) : self.at]
        return any(each.get("compactMetadata", {}).get("trigger") == "auto" for each in before)

    @property
    def followed(self) -> list[str]:
        """What the agent said and did, and what the person said, until the next compaction."""
        found: list[str] = []
        for record in self.records[self.at + 1 :]:
            if record.get("isCompactSummary") or len(found) >= SHOWN_AFTER:
                break
            if not record.get("isSidechain") and not record.get("isMeta"):
                found += _told(record)
        return found


def named(boundary: Boundary, *given: str) -> tuple[Named, Named] | None:
    """Of the files, and of the commands, that the agent used next. None if it did not go on."""
    needed, used = calls_after(boundary.records, boundary.at), calls_before(boundary.records, boundary.at)
    text = "\n".join([boundary.summary, *reattached(boundary.records, boundary.at), *given])
    return counted(needed.also_in(used), used, text) if needed else None


def _text(record: dict[str, Any]) -> str:
    content = record.get("message", {}).get("content", "")
    if isinstance(content, str):
        return content
    return "\n".join(str(each.get("text", "")) for each in content if each.get("type") == "text")


def _told(record: dict[str, Any]) -> list[str]:
    content = record.get("message", {}).get("content", "")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    who = "agent" if record.get("type") == "assistant" else "person"
    said = [f"{who}: {each['text'][:400]}" for each in blocks if each.get("type") == "text" and each["text"].strip()]
    return said + [
        f"{each['name']}: {json.dumps(each['input'])[:300]}" for each in blocks if each.get("type") == "tool_use"
    ]


def boundaries(paths: list[str]) -> list[Boundary]:
    found: dict[str, Boundary] = {}
    for path in sorted(paths):
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
        records = tuple(map(json.loads, filter(str.strip, lines)))
        for at, record in enumerate(records):
            if record.get("isCompactSummary") and at >= FEWEST_BEFORE:
                found.setdefault(str(record.get("uuid")), Boundary(records, at))
    return [each for each in found.values() if each.is_automatic and _goes_on_by_itself(each)]


def _goes_on_by_itself(boundary: Boundary) -> bool:
    return bool(boundary.followed) and not boundary.followed[0].startswith("person: ")


def given(boundary: Boundary, folder: Path) -> str:
    """What the agent is told at the session start after the compaction."""
    project, home = folder / "project", folder / "home"
    project.mkdir()
    environment = {**os.environ, "HOME": str(home), "PERDURE_HOME": str(folder / "perdure")}

    def run(*words: str, told: str = "") -> str:
        done = subprocess.run(
            words, cwd=project, env=environment, input=told, capture_output=True, text=True, check=True
        )
        return done.stdout

    places = Counter(each["cwd"] for each in boundary.records[: boundary.at] if each.get("cwd"))
    old = json.dumps(places.most_common(1)[0][0])[1:-1]
    lines = (json.dumps(each).replace(old, str(project)) for each in boundary.records[: boundary.at])
    session = next(str(each["sessionId"]) for each in boundary.records if each.get("sessionId"))
    transcript = home / ".claude" / "projects" / "p" / f"{session}.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("\n".join(lines) + "\n")
    perdure = (sys.executable, "-m", "perdure")
    run("git", "init", "-q")
    run(*perdure, "init", "--yes")
    run(*perdure, "transcript", "adopt", str(transcript))

    def hook(event: str, **more: str) -> str:
        told = {"session_id": session, "cwd": str(project), "transcript_path": str(transcript), **more}
        return run(*perdure, "hook", "--client", "claude-code", event, told=json.dumps(told))

    hook("SessionStart", source="resume")
    hook("PreCompact", trigger="auto")
    summary = f"<summary>\n{boundary.summary.replace(old, str(project))}\n</summary>"
    hook("SubagentStop", agent_id="a0000000000000001", agent_type="", last_assistant_message=summary)
    answered = json.loads(hook("SessionStart", source="compact"))
    return str(answered["hookSpecificOutput"]["additionalContext"])


def main(folder: str, most: str, *paths: str) -> int:
    found = boundaries(list(paths))
    random.Random(1).shuffle(found)
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    alone, completed = [], []
    for number, boundary in enumerate(found[: int(most)]):
        with tempfile.TemporaryDirectory(prefix="perdure-bench-") as scratch:
            back = given(boundary, Path(scratch))
        (into / f"{number}.summary").write_text(boundary.summary)
        (into / f"{number}.given").write_text(back)
        (into / f"{number}.followed").write_text("\n".join(boundary.followed))
        alone.append(named(boundary))
        completed.append(named(boundary, back))
    print(f"{len(found)} compactions; sheets of {min(len(found), int(most))} in {folder}")
    _print_named("summary alone", alone)
    _print_named("with what comes back", completed)
    return 0


def _print_named(what: str, each: list[tuple[Named, Named] | None]) -> None:
    of_those = [counts for counts in each if counts]
    files, commands = sum((one[0] for one in of_those), Named()), sum((one[1] for one in of_those), Named())
    print(f"{what} ({len(of_those)} after which the agent went on): files: {files}; commands: {commands}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
