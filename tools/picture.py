"""Draws README's picture of a terminal (docs/terminal.svg) from a real run. What stands below a command or tool call is
what the program answered, in a temporary home and repository. A test plays it again and compares.

    .venv/bin/python -m tools.picture
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

DRAWN = Path(__file__).resolve().parent.parent / "docs" / "terminal.svg"
COLUMNS = 98
_MOST = 12
"""Lines of an answer; a longer one is cut, and says so."""
_SESSION = "5e551017-0000-4000-8000-000000000001"
_CART = "def total(prices):\n    return sum(prices)\n"


@dataclass(frozen=True)
class Line:
    kind: str
    """`said`: the heading of a scene; `typed`: a command or tool call; `answer`: what the program said."""
    text: str


class Run:
    """A throw-away home and repository, and a client's place in them."""

    def __init__(self, folder: str) -> None:
        self.folder, self.shop = folder, os.path.join(folder, "shop")
        person = os.path.join(folder, "person")
        os.makedirs(person)
        os.makedirs(self.shop)
        kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
        self.environment = {
            **kept,
            "HOME": person,
            "PERDURE_HOME": os.path.join(person, ".perdure"),
            "PERDURE_INSTANCE": "claude",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "LANG": "C.UTF-8",
        }
        self.lines: list[Line] = []
        with open(os.path.join(self.shop, "cart.py"), "w", encoding="utf-8") as file:
            file.write(_CART)
        subprocess.run(["git", "init", "-q", "-b", "main", self.shop], env=self.environment, check=True)
        self._run("init", "--no-client")

    def say(self, text: str) -> None:
        self.lines.append(Line("said", text))

    def command(self, *words: str) -> None:
        shown = " ".join(word if word.replace("-", "").replace(".", "").isalnum() else f"'{word}'" for word in words)
        self.lines.append(Line("typed", f"$ perdure {shown}"))
        self._answer(self._run(*words))

    def call(self, tool: str, given: dict[str, str], shown: str) -> None:
        """A tool call of the agent, as the client asks about it."""
        self.lines.append(Line("typed", f"● {tool}  {shown}"))
        answer = self._hook("PreToolUse", tool_name=tool, tool_input=given)
        self._answer(answer.get("permissionDecisionReason", "") or "allowed")

    def begin(self, source: str, most: int) -> None:
        """A context begins: what the client gives the agent to read."""
        self._answer(self._hook("SessionStart", source=source).get("additionalContext", ""), most)

    def hook(self, event: str, **given: object) -> None:
        self._hook(event, **given)

    def _hook(self, event: str, **given: object) -> dict[str, str]:
        content = {"session_id": _SESSION, "cwd": self.shop, "hook_event_name": event, **given}
        said = self._run("hook", event, input=json.dumps(content))
        found: dict[str, str] = json.loads(said)["hookSpecificOutput"] if said.strip() else {}
        return found

    def _run(self, *words: str, input: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "perdure", *words],
            cwd=self.shop,
            env=self.environment,
            input=input,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"perdure {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def _answer(self, text: str, most: int = _MOST) -> None:
        text = text.replace(os.path.realpath(self.folder), "~").replace(self.folder, "~")
        lines = [part for line in text.strip("\n").splitlines() for part in textwrap.wrap(line, COLUMNS - 2) or [""]]
        if len(lines) > most:
            lines = [*lines[: most - 1], f"… and {len(lines) - most + 1} more lines"]
        self.lines += [Line("answer", line) for line in lines]


def play() -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="perdure-picture-", dir="/tmp") as folder:
        run = Run(folder)
        edit = {"command": "sed -i 's/sum(/round(sum(/' cart.py"}
        run.hook("SessionStart", source="startup")
        run.hook("UserPromptSubmit", prompt="Keep prices as whole cents. Never push.")
        run.say("The agent wants to change a file, and has not said what it knows. The denial says what clears it.")
        run.call("Bash", edit, edit["command"])
        run.command(
            "preflight",
            "--know",
            "0.8",
            "--uncertainty",
            "0.2",
            "--because",
            "read the cart",
            "--goal",
            "whole cents",
        )
        run.call("Bash", edit, edit["command"])
        run.say("It works, and decides. Then the client compacts its context, and everything that was said is gone.")
        run.command("decide", "keep prices as whole cents", "--because", "floats lose a cent")
        run.command("note", "next", "add the rounding test")
        run.say("The next thing that the agent reads, put there by Perdure:")
        run.begin("compact", 22)
        return run.lines


# -- drawing ---------------------------------------------------------------------------------------------------------

_SIZE, _STEP, _WIDE = 14, 20, 8.43
_LEFT, _TOP = 24, 58
_COLOURS = {"said": "#7aa2f7", "typed": "#e6e9ef", "answer": "#a6adc8"}


def svg(lines: list[Line]) -> str:
    rows: list[tuple[str, str]] = []
    for line in lines:
        if line.kind != "answer" and rows:
            rows.append(("answer", ""))
        rows += [(line.kind, part) for part in textwrap.wrap(line.text, COLUMNS)] or [(line.kind, "")]
    width, height = round(2 * _LEFT + (COLUMNS + 2) * _WIDE), _TOP + len(rows) * _STEP + 12
    drawn = "\n".join(_row(kind, text, _TOP + number * _STEP) for number, (kind, text) in enumerate(rows))
    dots = "".join(f'<circle cx="{24 + 20 * n}" cy="22" r="6" fill="{c}"/>' for n, c in enumerate(_DOTS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{_SIZE}" role="img">\n'
        f"<title>A denial that is cleared, and a compaction that is survived</title>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="#1e1e2e"/>{dots}\n{drawn}\n</svg>\n'
    )


_DOTS = ("#f38ba8", "#f9e2af", "#a6e3a1")


def _row(kind: str, text: str, y: int) -> str:
    if not text:
        return ""
    colour, weight = _COLOURS[kind], ' font-weight="bold"' if kind == "typed" else ""
    if kind == "answer":
        text = "  " + text
        colour = next((c for start, c in _MARKED.items() if text.strip().startswith(start)), colour)
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<text x="{_LEFT}" y="{y}" fill="{colour}"{weight} xml:space="preserve">{safe}</text>'


_MARKED = {"allowed": "#a6e3a1", "This changes things": "#f38ba8", "gate  proceed": "#a6e3a1", "#": "#f9e2af"}


def write() -> None:
    """Nothing, if only ids and durations would change."""
    drawn = svg(play())
    if not DRAWN.exists() or _general(DRAWN.read_text(encoding="utf-8")) != _general(drawn):
        DRAWN.write_text(drawn, encoding="utf-8")


def _general(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{8}\b|\b\d+ (?:s|min)\b", "", text)


if __name__ == "__main__":
    write()
