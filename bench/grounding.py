"""What an agent waits for when its claims are checked again: a thousand of them, in a hundred files (SPEC 8.5)."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from functools import partial

from bench.measure import Row, process_seconds, seconds
from bench.projects import environment_for, new_project
from perdure.grounding.citation import LineCitation, SymbolCitation
from perdure.grounding.verdict import (
    SourceFile,
    StoredEvidence,
    Verdict,
    check_evidence,
    claim_quote,
    claim_symbol,
)

FILES = 100
CITATIONS = 1000
FUNCTIONS = 60
ROUNDS = 5


def citations() -> list[Row]:
    """Quotes alone, then a mixture in which every fifth citation is of a symbol. Half of the files were edited."""
    texts = [_file(number) for number in range(FILES)]
    now = [_edited(text) if number % 2 else text for number, text in enumerate(texts)]
    rows = []
    for what, share in (("quotes", 0), ("quotes and symbols", 5)):
        stored = _stored(texts, share)
        took = statistics.median(seconds(partial(_check, stored, now)) for _ in range(ROUNDS))
        name = f"{CITATIONS:,} citations in {FILES} files, {what}"
        rows.append(
            Row(what=name, ours=f"{took * 1000:.0f} ms", baseline="bar 1 s", ratio=took, bar="≤ 1", passes=took <= 1)
        )
    return rows


def whole_command(folder: str) -> list[Row]:
    """`perdure claim check` as it is typed: git, the ledger and the files. Since the claims were made, every other file
    was edited, every tenth renamed and every twentieth deleted."""
    folder = os.path.join(folder, "claims")
    root, environment = new_project(folder).cwd, environment_for(folder)
    environment |= {"HOME": os.path.join(folder, "person"), "PERDURE_INSTANCE": "bench"}
    environment["PERDURE_HOME"] = os.path.join(environment["HOME"], ".perdure")
    os.makedirs(os.path.join(root, "src"))
    texts = {_path(number): _file(number) for number in range(FILES)}
    _write(root, texts)
    _commit(root, environment)
    program = os.path.join(os.path.dirname(sys.executable), "perdure")
    given = "".join(f"{json.dumps(each)}\n" for each in _claims())
    add = [program, "claim", "add", "--stdin"]
    subprocess.run(add, cwd=root, env=environment, input=given.encode(), stdout=subprocess.DEVNULL, check=True)
    for number in range(0, FILES, 10):
        old, new = _path(number), f"src/renamed_{number}.py"
        texts[new] = texts.pop(old)
        os.unlink(os.path.join(root, old))
    for number in range(5, FILES, 20):
        del texts[_path(number)]
        os.unlink(os.path.join(root, _path(number)))
    _write(root, {path: _edited(text) if at % 2 else text for at, (path, text) in enumerate(texts.items())})
    _commit(root, environment)
    check = ["sh", "-c", f"{program} claim check --json || true"]
    took = statistics.median(process_seconds(check, root, environment) for _ in range(ROUNDS))
    start = statistics.median(process_seconds([program, "--version"], root, environment) for _ in range(ROUNDS))
    what = f"perdure claim check of {CITATIONS:,} citations"
    baseline = f"bar 1 s ({start * 1000:.0f} ms of it to start)"
    return [Row(what=what, ours=f"{took * 1000:.0f} ms", baseline=baseline, ratio=took, bar="≤ 1", passes=took <= 1)]


def _claims() -> list[dict[str, object]]:
    return [
        {
            "claim": f"{file} sums {function}",
            "path": "${PROJECT_ROOT}/" + _path(file),
            "line": function * 5 + 4,
            "quote": f"total_{function} = compute(first, {function})",
        }
        for file in range(FILES)
        for function in range(CITATIONS // FILES)
    ]


def _write(root: str, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def _commit(root: str, environment: dict[str, str]) -> None:
    author = {f"GIT_{who}_{what}": "bench@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for command in (["add", "-A"], ["commit", "-q", "-m", "c"]):
        subprocess.run(["git", "-C", root, *command], env={**environment, **author}, check=True)


def _check(stored: list[StoredEvidence], texts: list[str]) -> None:
    files = {_path(number): SourceFile(_path(number), text) for number, text in enumerate(texts)}
    for each in stored:
        assert check_evidence(each, files[each.path]).grounded


def _stored(texts: list[str], share: int) -> list[StoredEvidence]:
    dice = random.Random(1)
    files = [SourceFile(_path(number), text) for number, text in enumerate(texts)]
    found = []
    for number in range(CITATIONS):
        file, function = files[dice.randrange(FILES)], dice.randrange(FUNCTIONS)
        if share and number % share == 0:
            name = f"handle_{function}"
            found.append(_evidence(claim_symbol(SymbolCitation(file.path, name), file), ""))
        else:
            quote = f"total_{function} = compute(first, {function})"
            line = function * 5 + 4
            found.append(_evidence(claim_quote(LineCitation(file.path, line, line), quote, file), quote))
    return found


def _evidence(verdict: Verdict, quote: str) -> StoredEvidence:
    assert verdict.grounded
    return StoredEvidence(
        path=verdict.path,
        first=verdict.first,
        last=verdict.last,
        quote=quote,
        symbol=verdict.symbol,
        symbol_hash=verdict.symbol_hash,
    )


def _path(number: int) -> str:
    return f"src/part_{number}.py"


def _file(number: int) -> str:
    """Three hundred lines, as most source files have at most."""
    functions = (_function(n, number) for n in range(FUNCTIONS))
    return "import compute\n" + "".join(functions)


def _function(n: int, part: int) -> str:
    body = f"    # part {part}\n    total_{n} = compute(first, {n})\n    return total_{n}\n"
    return f"def handle_{n}(first, second):\n{body}\n"


def _edited(text: str) -> str:
    return "# a new line\n" + text
