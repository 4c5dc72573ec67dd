"""What a session was about, gathered event by event: files, names, words, errors, commands, open items (SPEC 12.3).

One pass, and what is kept does not grow with the transcript but with what is in play. `Gathering.take` is the fold;
ages are counted in events, so that a pause changes nothing. Nothing is made up: every text here stands in the source.
"""

from __future__ import annotations

import os
import re

from perdure.model.value import replace, value
from perdure.recovery import commands, names, outcome, paths
from perdure.transcript.events import Called, Prompt, Returned, Said, Stands, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.transcript.events import Event

PATH_FIELDS = ("file_path", "notebook_path", "relative_path", "filePath", "path", "filename")
CHANGING = re.compile(r"edit|write|create|replace|insert|patch|rename", re.I)
"""A tool's name tells what it does, also one of a server nobody here knows."""
SHELL = re.compile(r"^(?:Bash|PowerShell)$|bash|shell|terminal|execute_command|run_command", re.I)
WRITTEN = re.compile(
    r"(?:>>?\s*|\btee\s+(?:-a\s+)?)([^\s;&|<>]+)|\b(?:sed|perl)\s+-\S*i\S*\s+.*?(\S+)\s*(?:$|&&|;|\||\n)"
)
ANSWERED = re.compile(r'"="((?:[^"]|"(?!(?:, "|\.? ?(?:You can now|user notes|selected)|$)))*)"')
READ, CHANGED, NAMED, BLAMED, TOLD = 1.0, 3.0, 1.0, 2.0, 0.3
"""What a use of a file weighs: looked at, changed, named in a command, in an error, in a client's summary."""
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
SEARCHES = re.compile(r"(?:grep|rg|ag|git grep)\b")
MOVED = re.compile(r"""\s*cd\s+("[^"]*"|'[^']*'|[^\s;&]+)\s*(?:&&|;|\n)""")
FOREIGN = re.compile(r"site-packages|node_modules|/vendor/|\.cargo/|go/pkg/mod")
SEARCHING = ("Grep", "Glob", "LS", "ToolSearch", "WebSearch", "WebFetch", "Read", "TaskOutput", "Skill", "ExitPlanMode")
"""Looked for and not found is no error; nor is a page that does not answer."""
MOST_CHOICES = 20
UNDONE = re.compile(r"^git (?:checkout|restore|stash|reset)\b")


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
        self.seen = False
        """By the session itself, and not only in a summary."""

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
    kinds: frozenset[str]
    """What must succeed before it is settled."""
    what: str
    lines: tuple[str, ...]
    files: tuple[str, ...]


class Gathering:
    def __init__(self) -> None:
        self.now = 0
        self.root = ""
        self.folder = ""
        self.prompts: list[Heard] = []
        self.choices: list[Heard] = []
        """What the person picked of what the agent offered."""
        self.summary = ""
        """The client's own, where the transcript begins with one."""
        self.files: dict[str, Use] = {}
        self.names: dict[str, Use] = {}
        self.commands: dict[str, Ran] = {}
        self.failures: dict[str, Failure] = {}
        self.items: dict[str, tuple[str, str]] = {}
        """Open items of the agent's: id → (status, text)."""
        self.listed: list[str] = []
        """Open items that it wrote down in words; a newer list takes the place of an older one."""
        self.listed_at = 0
        """After how many prompts."""
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
        elif isinstance(event, Summary) and not self.prompts:
            self._told(event)

    def _told(self, summary: Summary) -> None:
        """Only where it stands at the beginning: else what it tells is in the transcript itself."""
        self.summary = summary.text
        for path in paths.in_text(summary.text[:50_000]):
            if "/" in path:
                self.files.setdefault(self._absolute(path), Use()).used(self.now, TOLD)

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
        self._named(prompt.text, 2.0)

    def _named(self, text: str, weight: float) -> None:
        """A word between backticks may be anything; what looks like a name is one."""
        for name in names.quoted(text):
            self._name(name, weight if names.has_shape(name) else 0.5 * weight)

    def _said(self, said: Said) -> None:
        if said.aside:
            return
        self.said = [*self.said[-5:], Heard(self.now, said.text[:MOST_SAID])]
        listed = listed_items(said.text[:MOST_SAID])
        if listed:
            self.listed = listed
            self.listed_at = len(self.prompts)
        self._named(said.text, 1.0)

    # -- calls -------------------------------------------------------------------------------------------------------

    def _called(self, call: Called) -> None:
        weight = 0.4 if call.aside else 1.0
        if len(self._calls) > MOST_CALLS:
            self._calls.pop(next(iter(self._calls)))
        self._calls[call.id] = call
        if is_shell(call):
            self._ran(call, weight)
        elif call.tool in ("TodoWrite", "TaskCreate", "TaskUpdate"):
            self._planned(call)
        elif call.tool == "ExitPlanMode":
            self.listed = listed_items(_text(call.given, "plan"), wanted=True) or self.listed
            self.listed_at = len(self.prompts)
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
        if paths.is_prose(path_of(call)):
            for piece in _pieces(call.given):
                self._named(_text(piece, "new_string") or _text(piece, "content")[:MOST_SAID], 0.5 * weight)
            return
        for piece in _pieces(call.given):
            new, old = _text(piece, "new_string") or _text(piece, "content"), _text(piece, "old_string")
            for name in names.defined(new + "\n" + old)[:40]:
                self._name(name, 3.0 * weight)
            for name in names.kept(new + "\n" + old)[:40]:
                self._name(name, weight)
            for name in names.spoken(new)[:60]:
                self._name(name, 0.5 * weight)

    def _ran(self, call: Called, weight: float) -> None:
        command = _text(call.given, "command")
        text = commands.plain(command)
        if not text or call.aside:
            return
        if UNDONE.match(text):
            for path in paths.in_command(command):
                self.files.pop(self._absolute(path), None)
        for each in commands.told_again(command):
            ran = self.commands.setdefault(each, Ran())
            ran.count, ran.at = ran.count + 1, self.now
        self._touched(command, weight)
        if "<<" in command:
            for name in names.defined(command[:20_000])[:40]:
                self._name(name, 2.0 * weight)
        for name in names.tests(command):
            self._name(name, 2.0)
        for part in commands.parts(command):
            if SEARCHES.match(part):
                for name in names.spoken(part):
                    self._name(name, weight)

    def _touched(self, command: str, weight: float) -> None:
        """The files that a command names, from the folder that it goes to first."""
        moved = MOVED.match(command)
        folder = self._absolute(moved[1].strip("\"'")) if moved else self.folder
        written = {(one or other).strip("\"'") for one, other in WRITTEN.findall(commands.bare(command)[:5000])}
        single = commands.parts(command)
        seen = {path for part in single if commands.sees(part) for path in paths.in_command(part)}
        for path in paths.in_command(command):
            full = paths.absolute(path, folder, self._windows)
            if path in written:
                self._use(full, weight * CHANGED, changed=True)
            elif full in self.files or path in seen:
                self._use(full, weight * NAMED)

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
        if call is None or result.aside or result.refused or outcome.was_not_run(result.text):
            return
        if is_shell(call):
            self._outcome(call, result)
        elif call.tool == "TaskCreate":
            self._numbered(call, result)
        elif call.tool == "AskUserQuestion":
            self._answered(call, result)
        elif path_of(call):
            self._file_outcome(call, result)
        elif call.tool not in SEARCHING:
            self._tool_outcome(call, result)

    def _answered(self, call: Called, result: Returned) -> None:
        """What the person wrote is a prompt; what they picked is a choice."""
        offered = labels(call.given.get("questions"))
        for words in ANSWERED.findall(result.text):
            if words in offered:
                self.choices = [*self.choices[-MOST_CHOICES:], Heard(self.now, words)]
            else:
                self._heard(Prompt(result.uuid, words))

    def _numbered(self, call: Called, result: Returned) -> None:
        """The client gives a new item its number in the answer."""
        found = re.search(r"#(\d+)", result.text)
        if found and call.id in self.items and not result.failed:
            self.items[found[1]] = self.items.pop(call.id)
        elif result.failed:
            self.items.pop(call.id, None)

    def _outcome(self, call: Called, result: Returned) -> None:
        command = _text(call.given, "command")
        is_check = commands.is_check(command)
        if not (result.failed or (is_check and outcome.says_it_failed(result.text))):
            self._went_well(commands.kinds_of(command))
        elif is_check or not commands.only_looks(command) or outcome.says_it_failed(result.text):
            self._failed(command, result)

    def _went_well(self, kinds: frozenset[str]) -> None:
        left = {what: replace(f, kinds=f.kinds - kinds) for what, f in self.failures.items()}
        self.failures = {what: f for what, f in left.items() if f.kinds}

    def _failed(self, command: str, result: Returned) -> None:
        lines = tuple(line[:LONGEST_LINE] for line in outcome.telling_lines(result.text))
        files = tuple(dict.fromkeys((*self._known_paths(result.text), *self._inner_paths("\n".join(lines)))))[:6]
        failure = Failure(self.now, commands.checked(command), commands.told(command), lines, files)
        self.failures = {what: f for what, f in self.failures.items() if not takes_the_place_of(failure, f)}
        self.failures[failure.what] = failure
        for path in files:
            self._use(path, BLAMED)
        for name in names.tests("\n".join(lines)):
            self._name(name, 3.0)

    def _tool_outcome(self, call: Called, result: Returned) -> None:
        """A tool of any server: it is settled when it works again."""
        if not result.failed:
            self.failures.pop(call.tool, None)
        else:
            lines = tuple(line[:LONGEST_LINE] for line in outcome.telling_lines(result.text, 3))
            self.failures[call.tool] = Failure(self.now, frozenset((call.tool,)), call.tool, lines, ())

    def _file_outcome(self, call: Called, result: Returned) -> None:
        path = self._absolute(path_of(call))
        if not CHANGING.search(call.tool):
            return
        kind = f"change {path}"
        if not result.failed:
            self.failures.pop(kind, None)
        else:
            first = " ".join(result.text.replace("<tool_use_error>", "").replace("</tool_use_error>", "").split())
            what = f"{call.tool} {self.shown(path)}"
            self.failures[kind] = Failure(self.now, frozenset((kind,)), what, (first[:LONGEST_LINE],), (path,))

    # -- paths and names ---------------------------------------------------------------------------------------------

    @property
    def _windows(self) -> bool:
        return paths.is_windows(self.root)

    def _absolute(self, path: str) -> str:
        return paths.absolute(path, self.folder, self._windows)

    def _known_paths(self, text: str) -> list[str]:
        """Paths in a text that the session has used; an unknown one may be anything."""
        found = (self._absolute(path) for path in paths.in_text(text[:50_000]))
        by_name = {os.path.basename(path): path for path in self.files}
        return [
            path if path in self.files else by_name[os.path.basename(path)]
            for path in found
            if path in self.files or os.path.basename(path) in by_name
        ]

    def _inner_paths(self, text: str) -> list[str]:
        """Paths in a text that lie in the work, used or not."""
        found = [self._absolute(path) for path in paths.in_text(text) if "/" in path and not FOREIGN.search(path)]
        return [path for path in found if self.root and path.startswith(self.root + "/")]

    def shown(self, path: str) -> str:
        return paths.shown(path, self.root)

    def _use(self, path: str, weight: float, changed: bool = False) -> None:
        file = self.files.setdefault(path, Use())
        file.used(self.now, weight)
        file.changed, file.seen = file.changed or changed, True

    def _name(self, name: str, weight: float) -> None:
        self.names.setdefault(name, Use()).used(self.now, weight)


def _text(given: dict[str, Json], name: str) -> str:
    found = given.get(name)
    return found if isinstance(found, str) else ""


def _pieces(given: dict[str, Json]) -> list[dict[str, Json]]:
    several = given.get("edits")
    return [piece for piece in several if isinstance(piece, dict)] if isinstance(several, list) else [given]


def is_shell(call: Called) -> bool:
    return bool(SHELL.search(call.tool)) and bool(_text(call.given, "command"))


def labels(questions: Json) -> set[str]:
    """What an agent offered to choose from."""
    asked = [each for each in questions if isinstance(each, dict)] if isinstance(questions, list) else []
    offered = [each.get("options") for each in asked]
    picks = [pick for some in offered if isinstance(some, list) for pick in some if isinstance(pick, dict)]
    return {_text(pick, "label") for pick in picks}


def takes_the_place_of(newer: Failure, older: Failure) -> bool:
    """The same thing run again, perhaps in other words: about all that the older was about, or about everything."""
    if not newer.kinds >= older.kinds:
        return False
    now, before = _about(newer.what), _about(older.what)
    return newer.what == older.what or not now or (bool(before) and before <= now)


def _about(command: str) -> set[str]:
    """The files, folders and tests that it names; none where it is about everything."""
    words = {word for word in re.split(r"[\s|\"']+", command) if "/" in word or "." in word or names.tests(word)}
    return set() if "./..." in words else words


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
