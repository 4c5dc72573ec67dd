"""What a session was about, gathered event by event: files, names, words, errors, commands, open items (SPEC 12.3).

One pass, and what is kept does not grow with the transcript but with what is in play. `Gathering.take` is the fold;
ages are counted in events, so that a pause changes nothing. Nothing is made up: every text here stands in the source.
"""

from __future__ import annotations

import os
import re

from perdure.model.value import value
from perdure.recovery import commands, names
from perdure.transcript.events import Called, Prompt, Returned, Said, Stands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.transcript.events import Event

PATH_FIELDS = ("file_path", "notebook_path", "relative_path", "filePath", "path", "filename")
CHANGING = re.compile(r"edit|write|create|replace|insert|patch|rename", re.I)
"""A tool's name tells what it does, also one of a server nobody here knows."""
WRITTEN = re.compile(r"(?:>>?\s*|\btee\s+(?:-a\s+)?)(\S+)|\b(?:sed|perl)\s+-\S*i\S*\s+.*?(\S+)\s*(?:$|&&|;|\|)")
ANSWERED = re.compile(r'="([^"]{1,400})"')
READ, CHANGED, NAMED, BLAMED = 1.0, 3.0, 1.0, 2.0
"""What a use of a file weighs: looked at, changed, named in a command, named in an error."""
HALF_LIFE = 60.0
"""Events after which a use weighs half."""
MOST_PROMPTS = 400
MOST_SAID = 4000
MOST_CALLS = 200
MOST_FILES, MOST_NAMES, MOST_COMMANDS = 2000, 4000, 1000
LONGEST_LINE = 200
LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?:\[( |x|X|~)\]\s*)?(.{3,200})$")
TO_DO = re.compile(
    r"\b(?:to[ -]?do|remaining|still (?:to|need|open|left)|next|left to|outstanding|open items|plan|then)\b",
    re.I,
)
UNDONE = re.compile(r"^git (?:checkout|restore|stash|reset)\b")
PATH = re.compile(r"(?<![\w/.-])(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,6}(?![\w/])")


@value
class Heard:
    """A prompt, and when it came."""

    at: int
    text: str


class Use:
    """How much a file or a name is in use; it fades."""

    def __init__(self) -> None:
        self.score = 0.0
        self.at = 0
        self.changed = False

    def used(self, at: int, weight: float) -> None:
        self.score = self.faded(at) + weight
        self.at = at

    def faded(self, at: int) -> float:
        return float(self.score * 0.5 ** ((at - self.at) / HALF_LIFE))


class Ran:
    """A command in use."""

    def __init__(self) -> None:
        self.count = 0
        self.at = 0


@value
class Failure:
    """Something that went wrong, and since when; settled once something of its kind succeeds."""

    at: int
    kind: str
    what: str
    lines: tuple[str, ...]
    files: tuple[str, ...]


class Gathering:
    def __init__(self) -> None:
        self.now = 0
        self.root = ""
        self.folder = ""
        self.prompts: list[Heard] = []
        self.files: dict[str, Use] = {}
        self.names: dict[str, Use] = {}
        self.commands: dict[str, Ran] = {}
        self.failures: dict[str, Failure] = {}
        self.items: dict[str, tuple[str, str]] = {}
        """Open items of the agent's: id → (status, text)."""
        self.listed: list[str] = []
        """Open items that it wrote down in words; a newer list takes the place of an older one."""
        self.said: list[Heard] = []
        self._calls: dict[str, Called] = {}
        self._session = ""

    def take(self, event: Event) -> None:
        self.now += 1
        if self.now % 1000 == 0:
            self._forget_the_faded()
        if isinstance(event, Called):
            self._called(event)
        elif isinstance(event, Returned):
            self._returned(event)
        elif isinstance(event, Prompt):
            self._heard(event)
        elif isinstance(event, Said):
            self._said(event)
        elif isinstance(event, Stands):
            self._stands(event)

    def _stands(self, place: Stands) -> None:
        """The root is where the session began. Another session in the same file has a root of its own."""
        if not self.root or (place.session != self._session and not place.folder.startswith(self.root)):
            self.root = place.folder
        self.folder, self._session = place.folder, place.session

    def _forget_the_faded(self) -> None:
        """What is kept does not grow with the transcript."""
        for kept, most in ((self.files, MOST_FILES), (self.names, MOST_NAMES)):
            if len(kept) > 2 * most:
                best = sorted(kept, key=lambda name: -kept[name].faded(self.now))[:most]
                for name in set(kept) - set(best):
                    del kept[name]
        if len(self.commands) > 2 * MOST_COMMANDS:
            latest = sorted(self.commands, key=lambda text: -self.commands[text].at)[:MOST_COMMANDS]
            self.commands = {text: self.commands[text] for text in latest}

    # -- words -------------------------------------------------------------------------------------------------------

    def _heard(self, prompt: Prompt) -> None:
        if self.prompts and self.prompts[-1].text == prompt.text:
            return
        self.prompts = [*self.prompts[-MOST_PROMPTS:], Heard(self.now, prompt.text)]
        for path in self._known_paths(prompt.text):
            self._use(path, CHANGED)
        for name in names.quoted(prompt.text):
            self._name(name, 2.0)

    def _said(self, said: Said) -> None:
        if said.aside:
            return
        self.said = [*self.said[-5:], Heard(self.now, said.text[:MOST_SAID])]
        listed = listed_items(said.text[:MOST_SAID])
        if listed:
            self.listed = listed
        for name in names.quoted(said.text):
            self._name(name, 1.0)

    # -- calls -------------------------------------------------------------------------------------------------------

    def _called(self, call: Called) -> None:
        weight = 0.4 if call.aside else 1.0
        if len(self._calls) > MOST_CALLS:
            self._calls.pop(next(iter(self._calls)))
        self._calls[call.id] = call
        if call.tool == "Bash":
            self._ran(call, weight)
        elif call.tool in ("TodoWrite", "TaskCreate", "TaskUpdate"):
            self._planned(call)
        elif call.tool == "ExitPlanMode":
            self.listed = listed_items(_text(call.given, "plan"), wanted=True) or self.listed
        elif call.tool in ("Grep", "Glob"):
            for name in names.spoken(_text(call.given, "pattern")):
                self._name(name, weight)
        else:
            self._opened(call, weight)

    def _opened(self, call: Called, weight: float) -> None:
        path, changes = path_of(call), bool(CHANGING.search(call.tool))
        if path:
            self._use(self._absolute(path), weight * (CHANGED if changes else READ), changes)
        if changes:
            self._edited(call, weight)

    def _edited(self, call: Called, weight: float) -> None:
        for piece in _pieces(call.given):
            new, old = _text(piece, "new_string") or _text(piece, "content"), _text(piece, "old_string")
            for name in names.defined(new + "\n" + old)[:40]:
                self._name(name, 3.0 * weight)
            for name in names.spoken(new)[:60]:
                self._name(name, 0.5 * weight)

    def _ran(self, call: Called, weight: float) -> None:
        command = _text(call.given, "command")
        text = commands.plain(command)
        if not text or call.aside:
            return
        if UNDONE.match(text):
            for path in PATH.findall(command):
                self.files.pop(self._absolute(path), None)
        ran = self.commands.setdefault(text, Ran())
        ran.count, ran.at = ran.count + 1, self.now
        written = {one or other for one, other in WRITTEN.findall(command[:5000])}
        for path in PATH.findall(command[:5000]):
            full = self._absolute(path)
            if path in written:
                self._use(full, weight * CHANGED, changed=True)
            elif full in self.files or commands.only_looks(command) or commands.is_check(command):
                self._use(full, weight * NAMED)
        if written:
            for name in names.defined(command[:20_000])[:40]:
                self._name(name, 2.0 * weight)
        for name in names.tests(command):
            self._name(name, 2.0)

    def _planned(self, call: Called) -> None:
        listed = call.given.get("todos")
        if isinstance(listed, list):
            self.items = {
                str(number): (_text(item, "status") or "pending", _text(item, "content"))
                for number, item in enumerate(listed)
                if isinstance(item, dict)
            }
        elif call.tool == "TaskCreate":
            self.items[call.id] = ("pending", _text(call.given, "subject") or _text(call.given, "description"))
        elif call.tool == "TaskUpdate":
            key = _text(call.given, "taskId")
            if key in self.items:
                status, text = self.items[key]
                self.items[key] = (_text(call.given, "status") or status, _text(call.given, "subject") or text)

    # -- results -----------------------------------------------------------------------------------------------------

    def _returned(self, result: Returned) -> None:
        call = self._calls.pop(result.id, None)
        if call is None or result.aside or result.refused:
            return
        if call.tool == "Bash":
            self._outcome(call, result)
        elif call.tool == "TaskCreate":
            self._numbered(call, result)
        elif call.tool == "AskUserQuestion":
            for words in ANSWERED.findall(result.text):
                self._heard(Prompt(result.uuid, words))
        elif path_of(call):
            self._file_outcome(call, result)

    def _numbered(self, call: Called, result: Returned) -> None:
        """The client gives a new item its number in the answer."""
        found = re.search(r"#(\d+)", result.text)
        if found and call.id in self.items and not result.failed:
            self.items[found[1]] = self.items.pop(call.id)
        elif result.failed:
            self.items.pop(call.id, None)

    def _outcome(self, call: Called, result: Returned) -> None:
        command = _text(call.given, "command")
        kind = commands.kind_of(command)
        is_check = commands.is_check(command)
        failed = result.failed or (is_check and commands.says_it_failed(result.text))
        if not failed:
            self.failures = {what: failure for what, failure in self.failures.items() if failure.kind != kind}
            return
        if commands.only_looks(command) and not is_check:
            return
        lines = tuple(line[:LONGEST_LINE] for line in commands.telling_lines(result.text))
        files = tuple(dict.fromkeys((*self._known_paths(result.text), *self._inner_paths("\n".join(lines)))))[:6]
        what = commands.plain(command)
        self.failures.pop(what, None)
        self.failures[what] = Failure(self.now, kind, what, lines, files)
        for path in files:
            self._use(path, BLAMED)
        for name in names.tests("\n".join(lines)):
            self._name(name, 3.0)

    def _file_outcome(self, call: Called, result: Returned) -> None:
        path = self._absolute(path_of(call))
        kind = f"{call.tool} {path}"
        if not result.failed:
            self.failures.pop(kind, None)
        elif CHANGING.search(call.tool):
            first = " ".join(result.text.replace("<tool_use_error>", "").replace("</tool_use_error>", "").split())
            what = f"{call.tool} {self.shown(path)}"
            self.failures[kind] = Failure(self.now, kind, what, (first[:LONGEST_LINE],), (path,))

    # -- paths and names ---------------------------------------------------------------------------------------------

    def _absolute(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.folder or "/", path))

    def _known_paths(self, text: str) -> list[str]:
        """Paths in a text that the session has used; an unknown one may be anything."""
        found = (self._absolute(path) for path in PATH.findall(text[:50_000]))
        by_name = {os.path.basename(path): path for path in self.files}
        return [
            path if path in self.files else by_name[os.path.basename(path)]
            for path in found
            if path in self.files or os.path.basename(path) in by_name
        ]

    def _inner_paths(self, text: str) -> list[str]:
        """Paths in a text that lie in the work, used or not."""
        found = [self._absolute(path) for path in PATH.findall(text) if "/" in path and "site-packages" not in path]
        return [path for path in found if self.root and path.startswith(self.root + "/")]

    def shown(self, path: str) -> str:
        inside = self.root and path.startswith(self.root + "/")
        return os.path.relpath(path, self.root) if inside else path

    def _use(self, path: str, weight: float, changed: bool = False) -> None:
        file = self.files.setdefault(path, Use())
        file.used(self.now, weight)
        file.changed = file.changed or changed

    def _name(self, name: str, weight: float) -> None:
        self.names.setdefault(name, Use()).used(self.now, weight)


def _text(given: dict[str, Json], name: str) -> str:
    found = given.get(name)
    return found if isinstance(found, str) else ""


def _pieces(given: dict[str, Json]) -> list[dict[str, Json]]:
    several = given.get("edits")
    return [piece for piece in several if isinstance(piece, dict)] if isinstance(several, list) else [given]


def path_of(call: Called) -> str:
    return next((found for name in PATH_FIELDS if (found := _text(call.given, name))), "")


def listed_items(text: str, wanted: bool = False) -> list[str]:
    """Boxes that are not ticked; and the points of a list that stands under words such as "still to do"."""
    found: list[str] = []
    for line in text.split("\n"):
        point = LISTED.match(line)
        if point is None:
            wanted = bool(TO_DO.search(line)) if line.strip() else wanted
        elif point[1] is not None:
            found += [point[2].strip()] if point[1] in " ~" else []
        elif wanted:
            found.append(point[2].strip())
    return found
