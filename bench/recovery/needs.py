"""What is needed after a boundary, from what follows and what went before. Read from the lines themselves, without the
reader that is measured.

Boundaries are the compactions, and the first line after the result of a check that failed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.recovery.truth import Truth

HORIZON = 40
"""Calls after a boundary that count as what follows, at most; the next compaction ends it too."""
LAST_PROMPTS, FIRST_WORDS, MESSAGE, SHORTEST = 3, 40, 40, 30


@dataclass(frozen=True)
class Step:
    """One thing that happened: a prompt, words, a call, a result, a compaction, a summary."""

    kind: str
    uuid: str
    line: int
    text: str = ""
    tool: str = ""
    given: dict[str, Any] = field(default_factory=dict)
    id: str = ""
    failed: bool = False


@dataclass(frozen=True)
class Error:
    """A failure by what names it (a test; empty where nothing does) and by what it says."""

    name: str
    message: str


@dataclass(frozen=True)
class Needs:
    session: str
    boundary: str
    uuid: str
    line: int
    files: list[str]
    names: list[str]
    prompts: list[str]
    rules: list[str]
    withdrawn: list[tuple[str, str]]
    """Rules taken back, each with the words that took it back."""
    errors: list[Error]
    settled: list[Error]
    commands: list[str]
    items: list[str]


def steps_of(lines: Sequence[str]) -> list[Step]:
    return [step for number, line in enumerate(lines) for step in _of_line(number, json.loads(line))]


def _of_line(number: int, content: dict[str, Any]) -> Iterator[Step]:
    uuid, kind = str(content.get("uuid", "")), content.get("type")
    if content.get("subtype") == "compact_boundary":
        yield Step("compaction", uuid, number)
    if content.get("isSidechain") or kind not in ("user", "assistant"):
        return
    body = content["message"]["content"]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": body}] if isinstance(body, str) else body
    for block in blocks:
        if block["type"] == "tool_use":
            yield Step("call", uuid, number, tool=block["name"], given=block["input"], id=block["id"])
        elif block["type"] == "tool_result":
            failed = bool(block.get("is_error"))
            yield Step("result", uuid, number, _text(block["content"]), id=block["tool_use_id"], failed=failed)
        elif block["type"] == "text":
            said = "summary" if content.get("isCompactSummary") else "prompt" if kind == "user" else "said"
            yield Step(said, uuid, number, block["text"])


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)


def needs_of(session: str, truth: Truth, lines: Sequence[str]) -> list[Needs]:
    steps = steps_of(lines)
    return [_needs(session, truth, steps, *boundary) for boundary in _boundaries(truth, steps, lines)]


def _boundaries(truth: Truth, steps: list[Step], lines: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Their kind, uuid and line."""
    for step in steps:
        if step.kind == "compaction":
            yield "compaction", step.uuid, step.line
        elif step.kind == "result" and step.id in truth.checks and failures(truth.checks[step.id].kind, step):
            following = ((n, json.loads(lines[n]).get("uuid")) for n in range(step.line + 1, len(lines)))
            number, uuid = next((n, uuid) for n, uuid in following if uuid)
            if json.loads(lines[number]).get("subtype") != "compact_boundary":
                yield "failure", uuid, number


def _needs(session: str, truth: Truth, steps: list[Step], boundary: str, uuid: str, line: int) -> Needs:
    before = [step for step in steps if step.line < line]
    after = _following([s for s in steps if s.line > line or (s.line == line and s.kind != "compaction")])
    asked = [text for text in truth.prompts if any(s.kind == "prompt" and s.text == text for s in before)]
    calls = max((int(step.id.rpartition("_")[2]) for step in before if step.kind == "call"), default=0)
    open_errors, settled = errors_at(truth, before)
    in_force = [rule.text for rule in truth.rules if rule.given <= len(asked) < (rule.back or 1 << 30)]
    shown = [first_words(text) for text in asked[-LAST_PROMPTS:]]
    withdrawn = [(r.text, first_words(asked[r.back - 1])) for r in truth.rules if r.back and r.back <= len(asked)]
    return Needs(
        session,
        boundary,
        uuid,
        line,
        files=_files(truth, before, after),
        names=_both(names_in, before, after),
        prompts=shown,
        rules=in_force,
        withdrawn=withdrawn,
        errors=open_errors,
        settled=settled,
        commands=_both(commands_in, before, after),
        items=[i.text for i in truth.items if i.opened <= calls and (i.closed is None or i.closed > calls)],
    )


def _following(steps: list[Step]) -> list[Step]:
    kept: list[Step] = []
    for step in steps:
        calls = sum(each.kind == "call" for each in kept)
        if step.kind == "compaction" or calls >= HORIZON:
            break
        if step.kind != "summary":
            kept.append(step)
    return kept


def _both(found_in: Any, before: list[Step], after: list[Step]) -> list[str]:
    """What is in both, in the order of its first use afterwards."""
    known = set(found_in(before))
    return [one for one in dict.fromkeys(found_in(after)) if one in known]


def first_words(text: str) -> str:
    return " ".join(text.split()[:FIRST_WORDS])


# -- files, names, commands ------------------------------------------------------------------------------------------


def _files(truth: Truth, before: list[Step], after: list[Step]) -> list[str]:
    """Used afterwards, in the order of their first use; only what was used, blamed or named by the person before."""
    told = "\n".join(s.text for s in before if s.kind == "prompt" or (s.kind == "result" and s.failed))
    known = {*used(truth, before), *(path for path in truth.files if path in told)}
    return [path for path in dict.fromkeys(used(truth, after)) if path in known]


def used(truth: Truth, steps: list[Step]) -> list[str]:
    """The files of the work tree that calls name, in their order."""
    root = str(truth.root) + os.sep
    found: list[str] = []
    for step in steps:
        if step.kind != "call":
            continue
        words = [step.given["file_path"]] if "file_path" in step.given else []
        if step.tool == "Bash":
            words = re.findall(r"[\w./+-]+", step.given["command"])
        found += [path for word in words if (path := word.removeprefix(root)) in truth.files]
    return found


_DEFINED = re.compile(r"\b(?:def|class)\s+(\w{3,})|^\w[\w *]*?[ *](\w{3,})\([^;{}]*\)\s*\{|^([A-Z][A-Z_]{3,}) = ", re.M)
_TESTED = re.compile(r"::(\w+)")
_TICKED = re.compile(r"`(\w{3,})(?:\(\))?`")
_SEARCHED = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b_[a-z_]{3,}\b")


def names_in(steps: list[Step]) -> Iterator[str]:
    """Functions, types and tests: defined in an edit, searched for, run, failed, or named in words."""
    for step in steps:
        if step.kind in ("said", "prompt"):
            yield from _TICKED.findall(step.text)
        elif step.kind == "result" and "FAILED " in step.text:
            yield from _TESTED.findall(step.text)
        elif step.tool in ("Edit", "Write"):
            edited = "\n".join(str(step.given.get(part, "")) for part in ("old_string", "new_string", "content"))
            yield from (next(filter(None, groups)) for groups in _DEFINED.findall(edited))
        elif step.tool == "Bash":
            yield from _TESTED.findall(step.given["command"])
            if step.given["command"].startswith(("grep", "rg")):
                yield from _SEARCHED.findall(step.given["command"])


def commands_in(steps: list[Step]) -> Iterator[str]:
    return (plain(step.given["command"]) for step in steps if step.tool == "Bash")


def plain(command: str) -> str:
    """Without what only cuts its output."""
    return re.sub(r"\s*(?:2>&1)?\s*\|\s*(?:tail|head)\b[^|&;]*$", "", " ".join(command.split()))


# -- errors ----------------------------------------------------------------------------------------------------------

_TEST_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:::(\S+))?(?: - (.*))?$", re.M)
_LINTED = re.compile(r"^([A-Z]+\d+) (?:\[\*\] )?(.+)$", re.M)
_BUILT = re.compile(r"(?:\berror: |^FAIL: )(.+)$", re.M)


def failures(kind: str, result: Step) -> list[Error]:
    """What a check's result says went wrong."""
    if kind == "pytest":
        if not re.search(r"\b\d+ (?:failed|errors?)\b", result.text):
            return []
        found = _TEST_FAILED.findall(result.text)
        return [Error((test or path).partition("[")[0], _message(said)) for path, test, said in found]
    pattern = _LINTED if kind == "ruff" else _BUILT
    said = [match[-1] if isinstance(match, tuple) else match for match in pattern.findall(result.text)]
    return [Error("", _message(text)) for text in said] if result.failed or said else []


def _message(said: str) -> str:
    """Its beginning; nothing where the width of a terminal left too little of it."""
    text = " ".join(said.removesuffix("...").split())[:MESSAGE]
    return text if len(text) >= SHORTEST or not said.endswith("...") else ""


def errors_at(truth: Truth, before: list[Step]) -> tuple[list[Error], list[Error]]:
    """Those open and those settled. A success settles its kind; so does the same command, for what it no longer says.

    Where a success was of a part only (one file of the tests), what failed elsewhere is neither."""
    open_by: dict[str, dict[Error, str]] = {}
    settled: list[Error] = []
    for step in before:
        check = truth.checks.get(step.id) if step.kind == "result" else None
        if check is None:
            continue
        were, now, command = open_by.get(check.kind, {}), failures(check.kind, step), plain(check.command)
        whole = [error for error, ran in were.items() if ran == command or ran.startswith(command)]
        settled += [error for error in whole if error not in now]
        left = {error: ran for error, ran in were.items() if error not in whole} if now else {}
        open_by[check.kind] = {**left, **dict.fromkeys(now, command)}
    still = [error for errors in open_by.values() for error in errors]
    messages = {error.message for error in still}
    return still, [error for error in dict.fromkeys(settled) if error.message not in messages]
