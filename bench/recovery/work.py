"""One scripted session: a repository, the person's prompts, what the agent does, and what is true beside it.

A `Work` is written like a diary. It keeps the texts of the files it edits, so an edit that would not apply fails while
the script is made. Beside the calls it keeps what no transcript says outright: which rules hold, which items are open,
which commands are checks. `play` drives the client through it.

    work = Work(root)
    work.prompt("Fix the tests. Never touch setup.cfg.", rules=["Never touch setup.cfg."])
    work.check("pytest -q")
    work.look("src/a.py")
    work.edit("src/a.py", "return 1", "return 2")
    work.compact()
    work.check("pytest -q")
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from bench.recovery.truth import Check, Item, Rule, Truth
from perdure.rehearsal.claude_code import RehearsedClient
from perdure.rehearsal.messages import MAIN, ScriptedCall, ScriptedModel, Turn, say

CLIENT = Path(__file__).parents[2] / ".clients" / "2.1.325" / "claude"
TOOLS = "Bash Read Edit Write Agent TaskCreate TaskUpdate"
FULL = 190_000
"""Tokens that a turn claims to have read, so that the client compacts before the next one."""
WINDOW = "100000"
LONGEST_QUOTE = 1200


class Spoken:
    """A prompt, and what the agent does until the next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.turns: list[Turn] = []
        self.others: dict[str, list[Turn]] = {}
        self.summary = ""


class Work:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.spoken: list[Spoken] = []
        self.rules: list[Rule] = []
        self.items: list[Item] = []
        self.checks: dict[str, Check] = {}
        self._texts: dict[str, str] = {}
        self._touched: dict[str, str] = {}
        self._number = 0
        self._task = 0
        self._next_words = ""

    # -- the person --------------------------------------------------------------------------------------------------

    def prompt(self, text: str, *, rules: list[str] | None = None, back: list[str] | None = None) -> None:
        """`rules` are sentences of it that hold from here on; `back`, earlier ones that no longer do."""
        self.spoken.append(Spoken(text))
        now = len(self.spoken)
        for sentence in rules or ():
            assert sentence in text, f"not in the prompt: {sentence}"
            self.rules.append(Rule(sentence, given=now))
        for withdrawn in back or ():
            (rule,) = (each for each in self.rules if each.text == withdrawn)
            rule.back = now

    # -- the agent's words and plans ---------------------------------------------------------------------------------

    def words(self, text: str) -> None:
        """Said with the next call."""
        self._next_words = f"{self._next_words}\n{text}".strip()

    def plan(self, *items: str) -> None:
        """Open items, in the client's own tool."""
        for item in items:
            self._task += 1
            self._call("TaskCreate", subject=item, description=item, activeForm=item)
            self.items.append(Item(item, str(self._task), opened=self._number))

    def begin(self, item: str) -> None:
        self._call("TaskUpdate", taskId=self._item(item).key, status="in_progress")

    def done(self, item: str) -> None:
        found = self._item(item)
        if found.key:
            self._call("TaskUpdate", taskId=found.key, status="completed")
        found.closed = self._number

    def listed(self, *items: str, before: str = "Still to do:") -> None:
        """Open items, in the agent's words; they go with the next call."""
        self.words("\n".join([before, *(f"- [ ] {item}" for item in items)]))
        self.items += [Item(item, "", opened=self._number + 1) for item in items]

    def _item(self, text: str) -> Item:
        return next(item for item in self.items if item.text == text)

    # -- the agent's calls -------------------------------------------------------------------------------------------

    def look(self, path: str, first: int = 0, lines: int = 0) -> None:
        self._touched.setdefault(path, "read")
        part = {"offset": first, "limit": lines} if lines else {}
        self._call("Read", file_path=str(self.root / path), **part)

    def edit(self, path: str, old: str, new: str) -> None:
        text = self.text(path)
        assert text.count(old) == 1, f"{path}: {text.count(old)} times {old!r}"
        self._texts[path] = text.replace(old, new)
        self._touched[path] = new
        self._call("Edit", file_path=str(self.root / path), old_string=old, new_string=new)

    def wrong_edit(self, path: str, old: str, new: str) -> None:
        """One that the client refuses: the text is not there."""
        assert old not in self.text(path)
        self._call("Edit", file_path=str(self.root / path), old_string=old, new_string=new)

    def after(self, path: str, function: str, code: str) -> None:
        """An edit that puts code below a function of the module."""
        text = self.text(path)
        (node,) = (n for n in ast.parse(text).body if getattr(n, "name", "") == function)
        lines, end = text.splitlines(keepends=True), node.end_lineno or 0
        start = end - 1
        while text.count("".join(lines[start:end])) > 1:
            start -= 1
        old = "".join(lines[start:end])
        self.edit(path, old, f"{old}\n\n{code.strip()}\n")

    def write(self, path: str, content: str) -> None:
        self._texts[path] = content
        self._touched[path] = content
        self._call("Write", file_path=str(self.root / path), content=content)

    def run(self, command: str) -> None:
        self._call("Bash", command=command)

    def check(self, command: str, kind: str = "") -> None:
        """A command whose failure is an error that stays open until its kind succeeds."""
        self.run(command)
        self.checks[self._id] = Check(kind or command.split()[0], command)

    def delegate(self, prompt: str, *turns: Turn) -> None:
        self.spoken[-1].others[prompt] = list(turns)
        self._call("Agent", description=" ".join(prompt.split()[:4]), prompt=prompt, subagent_type="general-purpose")

    def compact(self) -> None:
        """The context is full after the last call; at most once between two prompts, for the summary's sake."""
        spoken = self.spoken[-1]
        assert not spoken.summary, "one a prompt"
        last = spoken.turns[-1]
        spoken.turns[-1] = Turn(last.text, last.calls, FULL)
        spoken.summary = self._summary(last.text)

    def text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text()
        return self._texts[path]

    @property
    def _id(self) -> str:
        return f"toolu_{self._number:04}"

    def _call(self, tool: str, **given: object) -> None:
        self._number += 1
        made = ScriptedCall(tool, given, self._id)  # type: ignore[arg-type]
        self.spoken[-1].turns.append(Turn(self._next_words, (made,)))
        self._next_words = ""

    # -- what the client would keep ----------------------------------------------------------------------------------

    def _summary(self, last: str) -> str:
        """In the nine parts that the client asks for, as far as a script can tell them."""
        files = [f"   - {self.root / path}\n{_quoted(what)}" for path, what in list(self._touched.items())[-8:]]
        asked = [f'   - "{spoken.text}"' for spoken in self.spoken]
        open_items = [f"   - {item.text}" for item in self.items if item.closed is None]
        parts = [
            f"1. Primary Request and Intent:\n   {self.spoken[0].text.split('. ')[0]}, and what followed from it.",
            "2. Key Technical Concepts:\n   - Python packages, pytest, ruff, git",
            "\n".join(["3. Files and Code Sections:", *files]),
            "4. Errors and fixes:\n   - Several tests failed on the way and were worked on.",
            "5. Problem Solving:\n   The work went step by step, with the tests run after each change.",
            "\n".join(["6. All user messages:", *asked]),
            "\n".join(["7. Pending Tasks:", *open_items]),
            f"8. Current Work:\n   {last or 'The last change was being checked.'}",
            "9. Optional Next Step:\n   Go on with the pending tasks.",
        ]
        return "<analysis>\nRead from the start.\n</analysis>\n<summary>\n" + "\n\n".join(parts) + "\n</summary>"


def _quoted(what: str) -> str:
    return "      was read" if what == "read" else f"      ```\n{what[:LONGEST_QUOTE]}\n      ```"


def play(work: Work, home: Path) -> Truth:
    """Plays it to its end in a HOME of its own. The transcript is where the client left it."""
    session = ""
    for spoken in work.spoken:
        scripts = {MAIN: [*spoken.turns, say("That is where it stands.")], **spoken.others}
        with ScriptedModel(scripts, summary=spoken.summary or "<summary>\nNothing.\n</summary>") as model:
            client = RehearsedClient(CLIENT, home=home, url=model.url, variables=_variables())
            resumed = ("--resume", session) if session else ()
            played = client.run(spoken.text, *resumed, "--allowedTools", TOOLS, cwd=work.root, seconds=180)
            assert played.code == 0, (played.code, played.err, played.result)
            assert model.finished(), f"the client left the script: {played.result}"
        session = played.session
    (transcript,) = home.glob(f".claude/projects/*/{session}.jsonl")
    return Truth(
        transcript=transcript,
        root=work.root,
        prompts=[s.text for s in work.spoken],
        rules=work.rules,
        items=work.items,
        checks=work.checks,
        files=files_of(work.root),
    )


def _variables() -> dict[str, str]:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    author = {f"GIT_{who}_{what}": "bench@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {
        "PATH": path,
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW": WINDOW,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **author,
    }


def files_of(root: Path) -> list[str]:
    """What git knows or would take."""
    listing = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"]
    found = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(path for path in set(found) if (root / path).is_file())
