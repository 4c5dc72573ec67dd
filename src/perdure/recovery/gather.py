"""Gathers what a session was about, event by event: files, names, prompts, errors, commands, open items (SPEC 12.3).

One pass. What is kept grows with what is in use, not with the transcript. `Gathering.take` is the fold; ages are
counted in events, so that a pause changes nothing. Nothing is invented: every text here occurs in the transcript.
"""

from __future__ import annotations

import os
import re
from collections import Counter

from perdure.model.value import replace, value
from perdure.recovery import checks, command_failed, command_output, commands, names, paths
from perdure.recovery.checks import CheckScope
from perdure.recovery.failures import MOST_BLAMED, Failure, Failures
from perdure.recovery.work_state import WorkState
from perdure.transcript.events import (
    AgentSaid,
    Called,
    ContextSize,
    Prompt,
    PromptTakenBack,
    Returned,
    Summary,
    TeammateSaid,
    WorkingFolder,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json
    from perdure.recovery.simple_commands import SimpleCommand
    from perdure.transcript.events import Event

PATH_FIELDS = ("file_path", "notebook_path", "relative_path", "filePath", "path", "filename")
CHANGING = re.compile(r"edit|write|create|replace|insert|patch|rename", re.I)
"""In a tool's name: it changes files. This works for tools of unknown servers, too."""
SHELL = re.compile(r"^(?:Bash|PowerShell)$|bash|shell|terminal|execute_command|run_command", re.I)
ANSWERED = re.compile(r'"="((?:[^"]++|"(?!(?:, "|\.? ?(?:You can now|user notes|selected)|$)))*)"')
"""The answers in the result of a question to the person: `"question"="answer"`."""

# The weight of one use of a file:
READ = 1.0
CHANGED = 3.0
NAMED = 1.0
"""In a command."""
BLAMED = 2.0
"""In an error."""
SUMMARIZED = 0.3
"""In a client's summary."""
HALF_LIFE = 60.0
"""After so many events a use has half its weight."""

# How many are kept at most:
MOST_PROMPTS = 400
MOST_CHOICES = 20
MOST_TEAMMATES = 8
"""Latest messages of teammates."""
MOST_CALLS = 200
"""Calls without a result yet."""
MOST_FILES = 2000
MOST_NAMES = 4000
MOST_COMMANDS = 1000
MOST_WORK_TREES = 50
MOST_ITEMS = 200
"""Items of a plan."""
MOST_PATHS = 100
"""Paths that are looked up of one text, and files of the same name that are compared."""

# How many characters are read or kept at most:
LONGEST_SAID = 4000
"""A text of the agent."""
LONGEST_PROMPT = 20_000
LONGEST_EDIT = 20_000
LONGEST_QUESTION = 600
"""The end of a text, in which a question is looked for."""
LONGEST_ITEM = 500
"""An item of a plan."""
LONGEST_LINE = 200
"""A line of an error."""
LONGEST_NAME = 80
LONGEST_PATH = 1000

LIST_POINT = re.compile(r"\A\s*+(?:[-*•]|\d++[.)])\s++(?:\[( |x|X|~)\]\s*+)?(\S.{2,199})$")
"""A line of a list in prose: `- text`, `2. text`, or with a box, `- [ ] text`."""
TO_DO = re.compile(
    r"\b(?:to[ -]?do|remaining|still (?:to|need|open|left)|next|left to|outstanding|open items|plan|then)\b"
)
LEFT_TO_DO = re.compile(
    r"""^(?=\#|.*[:*][ ]*$)
        .*\b(?:to[ -]?do|remaining|still[ ](?:to|need|open|left)|left[ ]to|outstanding|open[ ]items)\b
      | \[[ ~]\][ ]""",
    re.X | re.M,
)
"""A heading above what is left, or a box: the list is not what the agent proposes."""
ACCEPTS = re.compile(
    r"""\A\W*(?:yes|yeah|yep|ok(?:ay)?|sure|go|do|proceed|continue|please|sounds|great|perfect|good|lgtm|start|ja|gut|oui|sí
        |si|vale|sim|да|хорошо|давай|はい|お願い|好|可以|是)""",
    re.X,
)
"""Begins a prompt that takes up what the agent proposed."""
POINTS_AT = re.compile(r"\b(?:steps?|items?|points?|options?|plan|list|all|both|first|last|number|schritt|punkt)\b|\d")
SEARCHES = frozenset(("grep", "rg", "ag", "egrep", "git grep"))
"""Kinds of command that search for their words."""
SPEAKS = SEARCHES | {"echo", "printf", "find", "fd"}
"""Kinds of command whose words may look like files without being files: a pattern, or printed text."""
ASKS_A_SERVER = frozenset(("gh", "glab"))
"""Programs whose words name something on a server: `gh run list --workflow release.yml`."""
FOREIGN_PATH = re.compile(r"site-packages|node_modules|/vendor/|\.cargo/|go/pkg/mod")
"""In a path: the file belongs to an installed package, not to the project."""
SEARCHING = ("Grep", "Glob", "LS", "ToolSearch", "WebSearch", "WebFetch", "Read", "TaskOutput", "Skill", "ExitPlanMode")
"""Tools that look for something. It is not an error if they find nothing, or if a page does not answer."""
OWN_TOOL = re.compile(r"mcp__(?:plugin_perdure_)?perdure__")
"""Tools of perdure's own server. What it refuses is not an error of the work."""
PLANNING = ("TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode")
"""Tools with which the agent changes its plan."""
SHORT_ANSWER = 6
"""Words. A prompt that is not longer may need the question that it answers."""
SHORT_IN_CHARACTERS = 8
WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
MOST_STEPS = 3
"""How many of the latest calls are kept."""
LONGEST_STEP = 90
"""Characters of a call in a few words."""
LISTED_STATUS = re.compile(r"^#(\d+) \[(\w+)\] ", re.M)
"""A line of a list of all tasks."""
TASK_NUMBER = re.compile(r"#(\d{1,5})\b")
LABEL = re.compile(r"\b[A-Z]\w+ (\d+(?:\.\d+)+)\b")
"""In an item of the plan: what it is about has a number of its own, `Story 4.2`."""
DOTTED = re.compile(r"(?<![\w.])\d+(?:\.\d+)+(?!\.?\w)")
REVIEW = re.compile(r"(?i)review|\bcheck|провер|prüf|レビュー|审查|리뷰")
REPORTS_DONE = re.compile(r"\b(?:done|completed?|finished|выполнен\w*|готово|fertig|erledigt|terminée?|完了|完成)\b")
NOT_DONE = re.compile(r"\b(?:blocked|unblock\w*|depends?|waiting|not|once|when|after|until|next)\b")
OPTION = re.compile(r"(?i)(?:option\s+)?(\d{1,2})[.)]?")
"""A prompt that only picks one of the options."""
OFFERED = re.compile(r"(?im)^[\s>#*-]{0,12}+(?:option\s+)?(\d{1,2})\s*[.):–—-]+\s*(\S.{2,200})$")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
LAST_SENTENCES = 3
"""A question stands among so many of the last sentences."""
CLOSES = re.compile(r"anything else|what would you like|how can i help|ready to")
"""A question that closes a turn and asks for nothing."""
DONE = ("completed", "deleted", "cancelled", "done")
"""Statuses of an item of a plan."""
UNDOES = frozenset(("git checkout", "git restore", "git stash", "git reset"))
"""Kinds of command that undo changes to files."""
REMOVES = frozenset(("rm", "git rm"))
"""Kinds of command that remove files."""
MOVES = frozenset(("mv", "git mv"))
"""Kinds of command that move a file."""
LEAVES_FILES = frozenset(("-b", "--staged", "--cached", "-n", "--dry-run"))
"""Options with which the three kinds above leave the files as they are."""


@value
class Utterance:
    """A text that the person or the agent wrote, its age, and the event that it comes from."""

    at: int
    text: str
    source: str = ""
    answers: str = ""
    """Only for a short prompt: the agent's question before it."""


@value
class PickedAnswer:
    """What the person picked, and the question that it answers."""

    at: int
    text: str
    question: str = ""
    source: str = ""


@value
class TeammateWords:
    """What another agent of a team told this one."""

    who: str
    text: str
    source: str = ""


@value
class Item:
    """Something the agent has to do."""

    status: str
    text: str
    source: str


@value
class DoneCall:
    """A call of the agent in a few words; `outcome` says if it failed or was not run."""

    id: str
    text: str
    outcome: str = ""


@value
class DeniedCall:
    """A call that a rule or classifier of the client denied, and in what words."""

    at: int
    what: str
    words: str
    kinds: frozenset[str]
    """The tool, or the kinds of its commands. It is over when one of them was run."""
    source: str = ""


@value
class WrittenPlan:
    """What the agent listed in prose as still to do, and how many prompts there were before."""

    items: tuple[str, ...] = ()
    is_offer: bool = False
    """Whether it is only what the agent proposes to do."""
    prompts_before: int = 0
    source: str = ""
    at: int = 0


class Use:
    """How much a file or a name is in use. The score fades with time."""

    __slots__ = ("at", "changed_by", "changes", "score", "source", "uses", "why")

    def __init__(self) -> None:
        self.score = 0.0
        self.at = 0
        self.source = ""
        self.why = ""
        """For a name: where it occurred last."""
        self.uses = 0
        """Uses by the session itself, without those in a client's summary."""
        self.changes = 0
        self.changed_by = ""
        """The event that changed the file last."""

    @property
    def changed(self) -> bool:
        return self.changes > 0

    @property
    def seen(self) -> bool:
        return self.uses > 0

    def used(self, at: int, weight: float, source: str) -> None:
        self.score = self.faded(at) + weight if self.score else weight
        self.at, self.source = at, source

    def taken_back(self, at: int, undone: PendingUse, source: str) -> None:
        """Undo one use, as if it had never happened. `source`: the event that it was counted in."""
        self.score = max(0.0, self.score - _half(self.at - at) * undone.weight)
        self.uses -= 1
        if undone.changed:
            self.changes -= 1
            if self.changed_by == source:
                self.changed_by = undone.changed_before_by

    def faded(self, at: int) -> float:
        return self.score * _half(at - self.at)


def _half(age: int) -> float:
    return float(0.5 ** (age / HALF_LIFE))


class CommandUse:
    """How often a command was run, and when last."""

    def __init__(self) -> None:
        self.count = 0
        self.at = 0
        self.source = ""
        self.folder = ""
        """Where it was run last, from the root; empty if there or outside."""


@value
class PendingUse:
    """A file or a name that a call used."""

    table: dict[str, Use]
    key: str
    weight: float
    changed: bool = False
    changed_before_by: str = ""


class PendingCall:
    """A call without a result yet, and everything that it changed here, so that it can be undone if the call turns out
    never to have been run."""

    def __init__(self, at: int, call: Called) -> None:
        self.at = at
        self.call = call
        self.used: list[PendingUse] = []
        self.commands: list[str] = []
        self.plan: tuple[dict[str, Item], WrittenPlan] | None = None
        """The items and the list before the call."""


class Gathering:
    """What a session was about, up to the latest event that was taken."""

    def __init__(self) -> None:
        self.now = 0
        """The number of events so far."""
        self.source = ""
        """The id of the current event."""
        self.root = ""
        self.folder = ""
        self.prompts: list[Utterance] = []
        self.choices: list[PickedAnswer] = []
        """What the person chose from the agent's suggestions."""
        self.teammates: list[TeammateWords] = []
        """The first words of a teammate, which gave this agent its work, and the latest ones."""
        self.summary = ""
        """The client's own summary, if the transcript begins with one."""
        self.files: dict[str, Use] = {}
        self._by_name: dict[str, list[str]] = {}
        """A file's name → the paths of all files with that name."""
        self._folders_in_use: Counter[str] = Counter()
        """The folders of the files, each with how many."""
        self._shell_folder = ""
        """Where the last command left the shell. Clients may say that they are elsewhere."""
        self._work_trees: list[str] = []
        """Further work trees that git made outside the root."""
        self.names: dict[str, Use] = {}
        self.commands: dict[str, CommandUse] = {}
        self.failures = Failures()
        self.state = WorkState()
        self.items: dict[str, Item] = {}
        """The agent's plan, by the ids of its items."""
        self.plan_begun_at = 0
        """When the plan was begun: none of its items was open before."""
        self.written_plan = WrittenPlan()
        """The newest list in prose."""
        self.denial: DeniedCall | None = None
        """The latest denial since the newest prompt, if it is not over."""
        self.prompt_count = 0
        """The number of all prompts."""
        self.last_said: list[Utterance] = []
        self.latest_steps: list[DoneCall] = []
        """The latest calls of the agent itself."""
        self.steps_since_words = 0
        """How many calls it made since its last words."""
        self._pending_calls: dict[str, PendingCall] = {}
        self._pending: PendingCall | None = None
        self._session = ""

    def take(self, event: Event) -> None:
        """Add one event."""
        self.now += 1
        self.source = "" if isinstance(event, (WorkingFolder, ContextSize)) else event.uuid
        if self.now % 1000 == 0:
            self._forget_the_faded()
        if isinstance(event, Called):
            self._on_call(event)
        elif isinstance(event, Returned):
            self._on_result(event)
        elif isinstance(event, Prompt):
            self._on_prompt(event)
        elif isinstance(event, PromptTakenBack):
            self._on_prompt_taken_back(event)
        elif isinstance(event, AgentSaid):
            self._on_agent_text(event)
        elif isinstance(event, WorkingFolder):
            self._on_working_folder(event)
        elif isinstance(event, TeammateSaid):
            self._on_teammate(event)
        elif isinstance(event, Summary):
            self._on_summary(event)
        # `Compacted` and `ContextSize` say nothing that a brief needs.

    def _on_teammate(self, said: TeammateSaid) -> None:
        """Keep what a teammate said. An agent that nobody else asked works for the team."""
        text = whole_words(said.text, LONGEST_SAID)
        self.teammates = [
            *self.teammates[:1],
            *self.teammates[1:][-MOST_TEAMMATES:],
            TeammateWords(said.who, text, self.source),
        ]
        self._take_reports(text)
        if not self.prompts:
            self.state.was_asked()

    def _on_summary(self, summary: Summary) -> None:
        """Keep a client's summary. It counts only before the first prompt: later, what it describes is in the
        transcript itself."""
        if self.prompts:
            return
        self.summary = summary.text
        for path in paths.in_text(summary.text[:50_000]):
            if "/" in path:
                self._file(self._absolute(path)).used(self.now, SUMMARIZED, self.source)

    def _on_working_folder(self, place: WorkingFolder) -> None:
        """Note the folder. The root is the folder in which the session began. Another session in the same file has its
        own root."""
        if not self.root or (place.session != self._session and not place.folder.startswith(self.root)):
            self.root = place.folder
        self.folder, self._session = place.folder, place.session
        if place.branch and place.branch != "HEAD":  # which means that no branch is checked out
            self.state.branch = place.branch

    def _forget_the_faded(self) -> None:
        """Drop what is least in use, so that memory does not grow with the transcript."""
        for kept, most in ((self.files, MOST_FILES), (self.names, MOST_NAMES)):
            if len(kept) > 2 * most:
                best = sorted(kept, key=lambda name: -kept[name].faded(self.now))
                for name in best[most:]:
                    self._drop(kept, name)
        if len(self.commands) > 2 * MOST_COMMANDS:
            latest = sorted(self.commands, key=lambda text: -self.commands[text].at)[:MOST_COMMANDS]
            self.commands = {text: self.commands[text] for text in latest}

    # -- words -------------------------------------------------------------------------------------------------------

    def _on_prompt(self, prompt: Prompt) -> None:
        """Keep a prompt, unless it repeats the one before; the files and names in it are in use."""
        if self.prompts and self.prompts[-1].text == prompt.text:
            return
        text = whole_words(prompt.text, LONGEST_PROMPT)
        self.denial = None
        if self.written_plan.is_offer and self.state.agent_is_done and not accepts(text):
            self.written_plan = WrittenPlan()
        self.prompts.append(Utterance(self.now, text, self.source, answers=self._question_before(text)))
        self.state.was_asked()
        self.prompt_count += 1
        if len(self.prompts) > 2 * MOST_PROMPTS:
            del self.prompts[:-MOST_PROMPTS]
        for path in self._known_paths(text):
            self._use(path, CHANGED)
        self._use_names_in(text, 2.0)

    def _question_before(self, prompt: str) -> str:
        """What the agent asked last, if the prompt is too short to be understood without it."""
        if (
            not _is_short(prompt)
            or prompt.rstrip().endswith(("?", "？"))
            or not self.state.agent_is_done
            or not self.last_said
        ):
            return ""
        said = self.last_said[-1].text
        return chosen_option(prompt, said) or last_question(said)

    def _on_prompt_taken_back(self, words: PromptTakenBack) -> None:
        """Remove the latest prompt with this text that was only queued: such a prompt has no event of its own."""
        text = whole_words(words.text, LONGEST_PROMPT)
        for place in reversed(range(len(self.prompts))):
            if self.prompts[place].text == text and not self.prompts[place].source:
                del self.prompts[place]
                self.prompt_count -= 1
                return

    def _use_names_in(self, text: str, weight: float) -> None:
        """Count names between backticks. A word that does not look like a name counts half."""
        if "`" not in text:
            return
        for name in names.quoted(text):
            self._use_name(name, weight if names.has_shape(name) else 0.5 * weight, "in words")

    def _on_agent_text(self, said: AgentSaid) -> None:
        """Keep the agent's latest texts and the plan in them; the names in them are in use."""
        if said.of_subagent:
            return
        text = whole_words(said.text, LONGEST_SAID)
        self.last_said = [*self.last_said[-5:], Utterance(self.now, text, self.source)]
        self.steps_since_words = 0
        self.state.agent_said(said.text, said.ends_turn)
        self._keep_plan(listed_items(text), is_offer=not LEFT_TO_DO.search(text.lower()))
        self._use_names_in(whole_words(said.text, LONGEST_PROMPT), 1.0)

    def _keep_plan(self, found: list[str], *, is_offer: bool = False) -> None:
        if found:
            self.written_plan = WrittenPlan(
                items=tuple(found),
                is_offer=is_offer,
                prompts_before=self.prompt_count,
                source=self.source,
                at=self.now,
            )

    # -- calls -------------------------------------------------------------------------------------------------------

    def _on_call(self, call: Called) -> None:
        weight = 0.4 if call.of_subagent else 1.0
        self.state.worked()
        if not call.of_subagent:
            self.steps_since_words += 1
            self.latest_steps = [*self.latest_steps[-MOST_STEPS + 1 :], DoneCall(call.id, self._step_of(call))]
        if len(self._pending_calls) > MOST_CALLS:
            self._pending_calls.pop(next(iter(self._pending_calls)))
        self._pending = PendingCall(self.now, call)
        if call.id:  # without an id no result can name it
            self._pending_calls[call.id] = self._pending
        self._dispatch_call(call, weight)
        self._pending = None

    def _step_of(self, call: Called) -> str:
        """What a call does, in a few words: the command, or the tool and its file."""
        if is_shell(call):
            return f"`{whole_words(commands.as_shown(_text(call.given, 'command')), LONGEST_STEP)}`"
        path = path_of(call)
        return f"{call.tool} {self.shown(self._absolute(path))}" if path else call.tool

    def _dispatch_call(self, call: Called, weight: float) -> None:
        """Count what the call uses, by its kind."""
        if is_shell(call):
            self._use_command(call, weight)
        elif call.tool in PLANNING:
            self._change_plan(call)
        elif call.tool in ("Grep", "Glob"):
            for name in names.name_like(_text(call.given, "pattern")):
                self._use_name(name, weight, "searched for")
        else:
            self._use_file_of(call, weight)

    def _undo(self, made: PendingCall) -> None:
        """Undo what the call changed here: it never happened."""
        for each in made.used:
            use = each.table.get(each.key)
            if use is not None:
                use.taken_back(made.at, each, made.call.uuid)
                if use.uses <= 0 and use.score < SUMMARIZED:
                    self._drop(each.table, each.key)
        for text in made.commands:
            self._undo_command(text)
        self.items.pop(made.call.id, None)
        if made.plan:
            self.items, self.written_plan = made.plan

    def _undo_command(self, text: str) -> None:
        use = self.commands.get(text)
        if use is not None:
            use.count -= 1
            if use.count <= 0:
                del self.commands[text]

    def _use_file_of(self, call: Called, weight: float) -> None:
        """Count the file that a tool reads or changes."""
        path, changed = path_of(call), changes(call)
        if path:
            self._use(self._absolute(path), weight * (CHANGED if changed else READ), changed)
        if changed:
            self._use_names_in_edit(call, weight)

    def _use_names_in_edit(self, call: Called, weight: float) -> None:
        """Count the names in an edit."""
        is_prose = paths.is_prose(path_of(call))
        for piece in _pieces(call.given):
            new = _text(piece, "new_string") or _text(piece, "content")
            if is_prose:
                self._use_names_in(new[:LONGEST_SAID], 0.5 * weight)
                continue
            old = _text(piece, "old_string")
            for name, much in _names_in_edit(new[:LONGEST_EDIT], old[:LONGEST_EDIT]).items():
                self._use_name(name, much * weight, "in the edits")

    def _use_command(self, call: Called, weight: float) -> None:
        """Count a command, and the files and names in it."""
        command = _text(call.given, "command")
        if call.of_subagent or commands.only_runs_perdure(command):
            return
        folder = self._shown_folder(self._folder_of_command(command))
        for text in commands.repeatable(command):
            use = self.commands.setdefault(text, CommandUse())
            use.count, use.at, use.source = use.count + 1, self.now, self.source
            use.folder = "" if text.startswith("cd ") or not commands.is_check(text) else folder
            if self._pending:
                self._pending.commands.append(text)
        self._use_files_in_command(command, weight)
        self._use_names_in_command(command, weight)

    def _shown_folder(self, folder: str) -> str:
        """The folder from the root; empty for the root itself, and outside it."""
        folder, root = (paths.absolute(each, each, self._windows) for each in (folder, self.root))
        return self.shown(folder) if folder != root and self._is_inside(folder) else ""

    def _use_names_in_command(self, command: str, weight: float) -> None:
        """Count the names that a command defines in a here-document, tests, or searches for."""
        if "<<" in command:
            for name in names.defined(command[:20_000], 40):
                self._use_name(name, 2.0 * weight, "in the edits")
        for name in names.tests(command[:20_000]):
            self._use_name(name, 2.0, "in a command")
        for each in commands.simple_commands(command):
            if commands.kind(each) in SEARCHES:
                for name in names.name_like(each.text):
                    self._use_name(name, weight, "searched for")

    def _use_files_in_command(self, command: str, weight: float) -> None:
        """Count the files that a command names, relative to the folders that it changes to."""
        for each in commands.simple_commands(command):
            named = [] if commands.is_remote(each) else paths.named_by(each)
            written = commands.written_by(each) if named else frozenset()
            kind = commands.kind(each)
            speaks = kind in SPEAKS or each.program in ASKS_A_SERVER
            for path in named:
                changed = kind in MOVES or os.path.normpath(path) in written
                if changed or "/" in path or not speaks:
                    self._use_file_in_command(each, path, weight, changed=changed)

    def _use_file_in_command(self, simple: SimpleCommand, path: str, weight: float, *, changed: bool) -> None:
        here = self._folder_after(simple.folders)
        if not here and not paths.is_absolute(path):
            return
        full = self._named_in(simple, path)
        if not changed:
            full = self._only_one_that_ends_so(path, full)
        # a file elsewhere that is only read would be shown by a path that nobody wrote
        is_shown_as_named = paths.is_absolute(path) or not self.root or self._is_inside(full)
        if changed:
            self._use(full, weight * CHANGED, changed=True)
        elif full in self.files or (is_shown_as_named and commands.reads_its_files(simple)):
            self._use(full, weight * NAMED)

    def _folder_of_command(self, command: str) -> str:
        """The folder that a command is run in; empty if that is unknown."""
        if not self.folder:
            return ""
        simple = commands.simple_commands(command)
        return self._folder_after(simple[0].folders if simple else ())

    def _folder_after(self, folders: tuple[str, ...] | None) -> str:
        """The folder behind these `cd`s; empty if that is unknown."""
        here = self.folder or "/"
        for folder in folders or ():
            ahead = paths.absolute(folder, here, self._windows)
            here = here if self._is_there_already(folder, ahead) else ahead
        return here if folders is not None else ""

    def _is_there_already(self, folder: str, ahead: str) -> bool:
        """Whether the client has already named the folder that a `cd` leads to: some write a call down only after it
        has run. `ahead`: where the `cd` would lead from there."""
        here = self.folder.replace("\\", "/") if self._windows else self.folder
        is_named = here != self.root and here.endswith("/" + folder.strip("./"))
        return is_named and ahead == f"{here}/{folder.strip('./')}" and not self._holds_files(ahead)

    def _named_in(self, simple: SimpleCommand, path: str) -> str:
        """The absolute path of what a command names. Without a `cd` of its own it may run where an earlier one left the
        shell; and agents repeat the way to the folder that they are in. The files in use decide."""
        here = self._folder_after(simple.folders)
        full = paths.absolute(path, here, self._windows)
        if full in self.files or paths.is_absolute(path) or self._holds_files(full):
            return full
        repeats = self._repeats_way_to(here, path)
        others = self._elsewhere(simple, path, repeats)
        known = [other for other in others if other in self.files]
        if not known and os.path.dirname(full) not in self._folders_in_use:
            known = [other for other in others if repeats or os.path.dirname(other) in self._folders_in_use]
        return known[0] if known else full

    def _elsewhere(self, simple: SimpleCommand, path: str, repeats: bool) -> list[str]:
        """The path from where an earlier command may have left the shell, and from the root."""
        folders = (self._shell_folder, self.root) if not simple.folders else (self.root,) if repeats else ()
        return [paths.absolute(path, folder, self._windows) for folder in folders if folder]

    def _only_one_that_ends_so(self, path: str, full: str) -> str:
        """The only file in use that ends with the path, if the folder of `full` is unknown: clients do not always say
        where the shell is. Else `full`."""
        ending = "/" + path.replace("\\", "/")
        if "/" not in ending[1:] or paths.is_absolute(path) or os.path.dirname(full) in self._folders_in_use:
            return full
        some = [each for each in self._by_name.get(os.path.basename(full), ()) if each.endswith(ending)]
        return some[0] if len(some) == 1 else full

    def _holds_files(self, folder: str) -> bool:
        """Whether files in use lie in the folder or below it."""
        below = folder + "/"
        return folder in self._folders_in_use or any(each.startswith(below) for each in self._folders_in_use)

    def _repeats_way_to(self, here: str, path: str) -> bool:
        """Whether the path begins as the way from the root to the folder does."""
        way = self.shown(paths.absolute(here, here, self._windows)).replace("\\", "/")
        first = way.partition("/")[0]
        return bool(first) and self._is_inside(here) and path.replace("\\", "/").startswith(first + "/")

    def _change_plan(self, call: Called) -> None:
        before = self._open_texts()
        listed = call.given.get("todos")
        if self._pending and call.tool in ("TodoWrite", "ExitPlanMode"):
            self._pending.plan = (self.items, self.written_plan)
        if call.tool == "ExitPlanMode":
            self._keep_plan(listed_items(_text(call.given, "plan")[:LONGEST_PROMPT], wanted=True))
        elif isinstance(listed, list):
            self._replace_items(_objects(listed))
        elif call.tool == "TaskCreate":
            self._set_item(call.id, "pending", _item(call.given, "subject") or _item(call.given, "description"))
        elif call.tool == "TaskUpdate":
            self._update_item(call)
        if not before & {item.text for item in self.items.values()}:
            self.plan_begun_at = self.now

    def _open_texts(self) -> set[str]:
        return {item.text for item in self.items.values() if item.status not in DONE}

    def _replace_items(self, listed: list[dict[str, Json]]) -> None:
        """Replace the plan by a new list. If it is too long, items that are done are left out first."""
        found = [(_text(item, "status") or "pending", _item(item, "content")) for item in listed]
        if len(found) > MOST_ITEMS:
            found = sorted(found, key=lambda one: one[0] in DONE)[:MOST_ITEMS]
        self.items = {str(number): Item(status, text, self.source) for number, (status, text) in enumerate(found)}

    def _update_item(self, call: Called) -> None:
        key = _text(call.given, "taskId")
        if key in self.items:
            old = self.items[key]
            self._set_item(key, _text(call.given, "status") or old.status, _item(call.given, "subject") or old.text)

    def _set_item(self, key: str, status: str, text: str) -> None:
        self.items = {**self.items, key: Item(status, text, self.source)}
        while len(self.items) > MOST_ITEMS:
            self.items.pop(
                next((old for old, item in self.items.items() if item.status in DONE), next(iter(self.items)))
            )

    # -- results -----------------------------------------------------------------------------------------------------

    def _on_result(self, result: Returned) -> None:
        made = self._pending_calls.pop(result.id, None)
        if made is None:
            return
        if not result.of_subagent:
            self.state.worked()
        not_run = result.refused or command_output.was_not_run(result.text)
        self._note_outcome(result, "not run" if not_run else "failed" if result.failed else "")
        if not result.of_subagent:
            self._note_denial(made.call, result, not_run=not_run)
        if not_run or changed_nothing(made.call, result):
            self._undo(made)
        if not not_run and not result.of_subagent:
            self._dispatch_result(made.call, result)

    def _note_denial(self, call: Called, result: Returned, *, not_run: bool) -> None:
        """Keep a denial until a call of its kind is run and succeeds."""
        words = command_output.denial(result.text) if not_run else ""
        if words:
            self.denial = DeniedCall(
                at=self.now, what=self._step_of(call), words=words, kinds=_kinds(call), source=self.source
            )
        elif self.denial and not (not_run or result.failed) and _kinds(call) & self.denial.kinds:
            self.denial = None

    def _note_outcome(self, result: Returned, outcome: str) -> None:
        if outcome:
            self.latest_steps = [
                replace(step, outcome=outcome) if step.id == result.id else step for step in self.latest_steps
            ]

    def _dispatch_result(self, call: Called, result: Returned) -> None:
        """Handle the result of a call that was run."""
        if is_shell(call):
            self._take_command_outcome(call, result)
        elif call.tool == "TaskCreate":
            self._number_item(call, result)
        elif call.tool == "TaskList":
            self._take_statuses(result)
        elif call.tool == "AskUserQuestion":
            self._take_answer(call, result)
        elif path_of(call):
            self._take_file_outcome(call, result)
        elif call.tool not in SEARCHING and not OWN_TOOL.match(call.tool):
            self._take_tool_outcome(call, result)

    def _take_answer(self, call: Called, result: Returned) -> None:
        """Keep the person's answers: one that they wrote is a prompt, one that they picked is a choice."""
        asked = call.given.get("questions")
        offered, questions = labels(asked), [_text(each, "question") for each in _objects(asked)]
        for found in ANSWERED.finditer(result.text):
            words, before = found[1], result.text[: found.start()]
            question = next((each for each in questions if each and before.endswith(f'"{each}')), "")
            if words in offered:
                self.choices = [
                    *self.choices[-MOST_CHOICES:],
                    PickedAnswer(at=self.now, text=words, question=question, source=self.source),
                ]
            else:
                self._on_prompt(Prompt(result.uuid, words))

    def _number_item(self, call: Called, result: Returned) -> None:
        """Give a new item the number that the client gave it in the result; drop it if it was not created."""
        found = re.search(r"#(\d+)", result.text)
        if found and call.id in self.items and not result.failed:
            self.items[found[1]] = self.items.pop(call.id)
        elif result.failed:
            self.items.pop(call.id, None)

    def _take_statuses(self, result: Returned) -> None:
        """Take over what a list of all tasks says of those in the plan: teammates change them, too."""
        for number, status in LISTED_STATUS.findall(result.text[:LONGEST_PROMPT]):
            if number in self.items:
                self._set_item(number, status, self.items[number].text)

    def _take_reports(self, said: str) -> None:
        """Tick off the tasks that a teammate reports as done."""
        for sentence in SENTENCE_END.split(said):
            is_report = not sentence.rstrip(" *_").endswith(("?", "？"))
            if is_report and REPORTS_DONE.search(sentence.lower()) and not NOT_DONE.search(sentence.lower()):
                for number in (*TASK_NUMBER.findall(sentence), *self._labelled_in(sentence)):
                    if number in self.items:
                        self._set_item(number, "completed", self.items[number].text)

    def _labelled_in(self, sentence: str) -> list[str]:
        """The items whose labels a report of something done names: of "Story 4.2", the number. What was reviewed is
        made; what was made may still have to be reviewed."""
        named = set(DOTTED.findall(sentence))
        if not named:
            return []
        is_review = bool(REVIEW.search(sentence))
        return [
            key
            for key, item in self.items.items()
            if (label := LABEL.search(item.text)) and label[1] in named and (is_review or not REVIEW.search(item.text))
        ]

    def _take_command_outcome(self, call: Called, result: Returned) -> None:
        """Note that a command failed or succeeded, unless that is unknown."""
        command = _text(call.given, "command")
        if commands.only_runs_perdure(command) or commands.was_refused_by_perdure(command, result.text):
            return
        wrong = command_failed.went_wrong(command, result.text, result.failed)
        if wrong and not commands.is_chore(command):
            self._command_failed(command, result)
        elif wrong is False:
            self._command_succeeded(command)
        if wrong is not None:
            passed = None if not wrong and not command_failed.is_known_to_pass(command, result.text) else not wrong
            self.state.checked(command, passed, self.source)
        if not command_output.got_nowhere(result.text):
            self._note_shell_folder(command)
        folder = self._folder_of_command(command)
        if self._is_in_a_work_tree(folder):
            folder = paths.absolute(folder, folder, self._windows)
            self.state.printed(command, result.text[:LONGEST_PROMPT], self.source, folder=folder, root=self.root)

    def _note_shell_folder(self, command: str) -> None:
        """Note where a command left the shell."""
        simple = commands.simple_commands(command)
        if simple and simple[-1].folders:
            self._shell_folder = self._folder_after(simple[-1].folders)

    def _command_succeeded(self, command: str) -> None:
        self.failures.went_well(command, self._folder_of_command(command))
        for each in commands.simple_commands(command):
            here = self._folder_after(each.folders)
            if not here or commands.is_remote(each) or commands.only_looks(each.text):
                continue
            named = {path: self._named_in(each, path) for path in paths.named_by(each)}
            if named:
                self._apply_file_effects(each, [*named.values()])
                self.failures.mended(commands.kind(each), named.values())
            if self._is_in_a_work_tree(here):
                self._note_state(each, named)

    def _note_state(self, simple: SimpleCommand, named: dict[str, str]) -> None:
        """Note which files a command wrote, and what it committed, pushed or took back. git's words may be folders."""
        outputs = commands.written_by(simple) if named else frozenset()
        written = [full for path, full in named.items() if os.path.normpath(path) in outputs and self._is_work(full)]
        words = [word for word in simple.words[2:] if simple.program == "git" and word[:1] != "-"]
        made = commands.new_work_tree(simple)
        if made and len(self._work_trees) < MOST_WORK_TREES:
            self._work_trees.append(self._named_in(simple, made))
        self.state.ran(simple, written, [self._named_in(simple, word) for word in words])

    def _is_inside(self, path: str) -> bool:
        root = self.root.replace("\\", "/") if self._windows else self.root
        path = path.replace("\\", "/") if self._windows else path
        return bool(root) and (path == root or path.startswith(root + "/"))

    def _is_in_a_work_tree(self, path: str) -> bool:
        return self._is_inside(path) or any(path == tree or path.startswith(tree + "/") for tree in self._work_trees)

    def _is_work(self, path: str) -> bool:
        is_the_persons = not (paths.is_scratch(path, self.root) or paths.is_gits_own(path) or paths.is_masked(path))
        return self._is_in_a_work_tree(path) and is_the_persons

    def _apply_file_effects(self, simple: SimpleCommand, named: list[str]) -> None:
        """Handle a command that succeeded and changed these files. A failed change of one of them is settled: it was
        made now, or is not needed any more. A file that was removed, reset or moved is no longer in use under its
        name."""
        for path in named:
            self.failures.closed(f"change {path}")
        kind = commands.kind(simple)
        if not LEAVES_FILES.isdisjoint(simple.words):
            return
        if kind in UNDOES or kind in REMOVES:
            for path in named:
                self._drop(self.files, path)
        elif kind in MOVES and len(named) == 2 and named[0] in self.files:
            use = self.files[named[0]]
            self._drop(self.files, named[0])
            self._drop(self.files, named[1])
            self._file(named[1])
            self.files[named[1]] = use
            use.changed_by = self.source if use.changed else ""

    def _command_failed(self, command: str, result: Returned) -> None:
        told = command_output.telling_lines(result.text)
        lines = tuple(map(_shortened, told))
        where = self._folder_of_command(command)
        inner = self._inner_paths("\n".join(told), where)
        files = tuple(dict.fromkeys((*self._known_paths(result.text), *inner)))[:MOST_BLAMED]
        tests = command_output.failed_tests(result.text)
        simple = commands.simple_commands(command)
        conflict = command_output.is_conflict(result.text) and any(each.program == "git" for each in simple)
        if conflict:
            needs = {checks.CONFLICT: CheckScope(folder=where)}
        else:
            needs = checks.needed_by(command, tests, where)
        self.failures.failed(
            Failure(
                at=self.now,
                needs=needs,
                what=commands.failure_name(command),
                lines=lines,
                files=files,
                source=self.source,
                tests=tests,
                ways=tuple(way for way in command_output.echoed(result.text) if commands.is_check(way)),
                looked=command_output.was_miswritten(result.text)
                or (_is_an_attempt(command, result.text) and not commands.is_check(command)),
            )
        )
        for path in files:
            self._use(path, BLAMED)
        for name in names.tests("\n".join(lines)):
            self._use_name(name, 3.0, "in an error")

    def _take_tool_outcome(self, call: Called, result: Returned) -> None:
        """Note that a tool failed, or that it works again, which settles its failure."""
        if not result.failed:
            self.failures.closed(call.tool)
        else:
            lines = tuple(map(_shortened, command_output.telling_lines(result.text, 3)))
            needs = {call.tool: CheckScope()}
            self.failures.opened(
                call.tool, Failure(at=self.now, needs=needs, what=call.tool, lines=lines, files=(), source=self.source)
            )

    def _take_file_outcome(self, call: Called, result: Returned) -> None:
        """Note that a change of a file failed, or that it was made. If it failed, the file is in use all the same."""
        if not changes(call):
            return
        path = self._absolute(path_of(call))
        kind = f"change {path}"
        if not result.failed:
            self.failures.closed(kind)
            if self._is_work(path):
                self.state.changed(path, is_new=command_output.made_a_file(result.text))
        elif command_output.wants_it_read_first(result.text):
            self._use(path, READ)
        else:
            first = " ".join(
                result.text[:LONGEST_SAID].replace("<tool_use_error>", "").replace("</tool_use_error>", "").split()
            )
            what = f"{call.tool} {self.shown(path)}"
            needs = {kind: CheckScope()}
            self.failures.opened(
                kind,
                Failure(
                    at=self.now,
                    needs=needs,
                    what=what,
                    lines=(_shortened(first),),
                    files=(path,),
                    source=self.source,
                ),
            )
            self._use(path, READ)

    # -- paths and names ---------------------------------------------------------------------------------------------

    @property
    def _windows(self) -> bool:
        return paths.is_windows(self.root)

    def _absolute(self, path: str) -> str:
        return paths.absolute(path, self.folder, self._windows)

    def _known_paths(self, text: str) -> list[str]:
        """Paths in a text that the session has used. An unknown one may be anything."""
        told = paths.in_text(text[:50_000])
        found = [self._known(path) for path in list(dict.fromkeys(told))[:MOST_PATHS]] if told else []
        return [path for path in found if path]

    def _known(self, named: str) -> str:
        """The known file that a path means: the one that shares the longest end with it; of several, the one used last.
        Empty if there is none."""
        full = self._absolute(named)
        if full in self.files:
            return full
        if FOREIGN_PATH.search(named):
            return ""
        some = self._by_name.get(os.path.basename(full), [])[-MOST_PATHS:]
        best = max(
            ((paths.shared(named, path, self.root), self.files[path].at, path) for path in some), default=(0, 0, "")
        )
        return best[2] if best[0] else ""

    def _inner_paths(self, text: str, where: str) -> list[str]:
        """Paths below the root, used or not, in what a command printed that ran in the folder `where`. A name that
        fits a file in use means that file."""
        named = [
            path for path in paths.in_text(text) if ("/" in path or "\\" in path) and not FOREIGN_PATH.search(path)
        ]
        found = [self._known(path) or self._placed(path, where or self.folder) for path in named]
        return [path for path in found if self._is_inside(path)]

    def _placed(self, path: str, where: str) -> str:
        """The absolute path of what a command in the folder `where` printed. Some programs print paths from where they
        run, others from the root: the folder that files in use lie in decides; else whether the path begins with the
        way from the root to that folder."""
        here, above = (paths.absolute(path, folder, self._windows) for folder in (where, self.root or where))
        for full in (here, above):
            if os.path.dirname(full) in self._folders_in_use:
                return full
        return above if self._repeats_way_to(where, path) else here

    def shown(self, path: str) -> str:
        return paths.shown(path, self.root)

    def _use(self, path: str, weight: float, changed: bool = False) -> None:
        if len(path) > LONGEST_PATH or paths.is_gits_own(path) or paths.is_masked(path):
            return
        file = self._file(path)
        file.used(self.now, weight, self.source)
        file.uses += 1
        before = file.changed_by
        if changed:
            file.changes += 1
            file.changed_by = self.source
        if self._pending:
            self._pending.used.append(PendingUse(self.files, path, weight, changed=changed, changed_before_by=before))

    def _file(self, path: str) -> Use:
        file = self.files.get(path)
        if file is None:
            file = self.files[path] = Use()
            self._by_name.setdefault(os.path.basename(path), []).append(path)
            self._folders_in_use[os.path.dirname(path)] += 1
        return file

    def _drop(self, table: dict[str, Use], key: str) -> None:
        if table.pop(key, None) is not None and table is self.files:
            name, folder = os.path.basename(key), os.path.dirname(key)
            self._by_name[name].remove(key)
            if not self._by_name[name]:
                del self._by_name[name]
            self._folders_in_use[folder] -= 1
            if not self._folders_in_use[folder]:
                del self._folders_in_use[folder]

    def _use_name(self, name: str, weight: float, why: str) -> None:
        if len(name) > LONGEST_NAME:
            return
        use = self.names.get(name)
        if use is None:
            use = self.names[name] = Use()
        use.used(self.now, weight, self.source)
        use.why = why
        use.uses += 1
        if self._pending:
            self._pending.used.append(PendingUse(self.names, name, weight))


def _text(given: dict[str, Json], name: str) -> str:
    found = given.get(name)
    return found if isinstance(found, str) else ""


def whole_words(text: str, most: int) -> str:
    """At most so many characters, not cut within a word if possible: half a credential would not be recognized."""
    if len(text) <= most or text[most].isspace():
        return text[:most]
    return text[:most].rsplit(None, 1)[0]


def _shortened(line: str) -> str:
    """The line; a long one up to a whole word, with a mark: without it, a path that was cut reads as another one."""
    return line if len(line) <= LONGEST_LINE else whole_words(line, LONGEST_LINE - 2) + " …"


def _item(of: dict[str, Json], name: str) -> str:
    """The text of an item of a plan; empty if it is a single word longer than any real one."""
    whole = _text(of, name)
    text = whole_words(whole, LONGEST_ITEM)
    if len(whole) > LONGEST_ITEM and text.isascii() and len(text.split(None, 1)) < 2:
        return ""
    return text


def _names_in_edit(new: str, old: str) -> dict[str, float]:
    """The names in an edit, with their weights: what it defines counts most, then its variables, then other names."""
    both = new + "\n" + old
    weights: dict[str, float] = {}
    for found, weight in (
        (names.defined(both, 30), 3.0),
        (names.declared(both, 30), 1.0),
        (names.name_like(new, 40), 0.5),
    ):
        for name in found:
            weights[name] = weights.get(name, 0.0) + weight
    return weights


def _pieces(given: dict[str, Json]) -> list[dict[str, Json]]:
    """The single edits of a call that makes several; otherwise the call itself."""
    several = given.get("edits")
    return _objects(several) if isinstance(several, list) else [given]


def is_shell(call: Called) -> bool:
    return bool(SHELL.search(call.tool)) and bool(_text(call.given, "command"))


def changes(call: Called) -> bool:
    return bool(CHANGING.search(call.tool))


def changed_nothing(call: Called, result: Returned) -> bool:
    """Whether a failed call changed nothing: an edit that was not made, or a command whose folder does not exist."""
    if not result.failed:
        return False
    return command_output.got_nowhere(result.text) if is_shell(call) else changes(call)


def labels(questions: Json) -> set[str]:
    """The labels of what an agent suggested to choose from."""
    found: set[str] = set()
    for question in _objects(questions):
        found.update(_text(option, "label") for option in _objects(question.get("options")))
    return found


def _objects(content: Json) -> list[dict[str, Json]]:
    """The objects in a list; nothing if it is not a list."""
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def accepts(prompt: str) -> bool:
    """Whether a prompt may take up what the agent proposed. A longer request of its own does not."""
    said = prompt.lower()
    return _is_short(said) or bool(ACCEPTS.match(said) or POINTS_AT.search(said))


def _is_short(prompt: str) -> bool:
    """Whether it has only a few words, or characters of a script without spaces."""
    is_brief = len(WITHOUT_SPACES.findall(prompt)) <= SHORT_IN_CHARACTERS
    return is_brief and len(prompt.split(None, SHORT_ANSWER)) <= SHORT_ANSWER


def _is_an_attempt(command: str, output: str) -> bool:
    """Whether it only looked at something, or was tried with a program that is not there."""
    return commands.only_looks(command) or command_output.lacks_a_program(output)


def _kinds(call: Called) -> frozenset[str]:
    """What a call is of: the kinds of its commands, or its tool and file."""
    if not is_shell(call):
        return frozenset([f"{call.tool} {path_of(call)}"])
    return frozenset(map(commands.kind, commands.main_commands(_text(call.given, "command"))))


def path_of(call: Called) -> str:
    return next((found for name in PATH_FIELDS if (found := _text(call.given, name))), "")


def chosen_option(prompt: str, said: str) -> str:
    """What a prompt means that is only a number; empty if it is not one, or the number means nothing."""
    number = OPTION.fullmatch(prompt.strip())
    if number is None:
        return ""
    offered = [found for found in OFFERED.finditer(said) if found[1] == number[1]]
    return " ".join(offered[-1][2].split()).strip(" *-_:") if offered else ""


def last_question(text: str) -> str:
    """The question with which a text ends; empty if it does not ask, or only whether there is anything else."""
    said = [each.strip(" *-_>#") for each in SENTENCE_END.split(text[-LONGEST_QUESTION:].strip())]
    asked = [each for each in said[-LAST_SENTENCES:] if each.endswith(("?", "？"))]
    return "" if not asked or CLOSES.search(asked[-1].lower()) else " ".join(asked[-1].split())


def _announces(line: str) -> bool:
    """Whether the line introduces a list of what is to be done, by its last sentence. A question introduces a list of
    choices instead."""
    line = SENTENCE_END.split(line.strip())[-1]
    is_question = line.endswith("?")
    is_heading = line.startswith("#") or line[-1:] in ":*"
    return is_heading and not is_question and bool(TO_DO.search(line.lower()))


def listed_items(text: str, wanted: bool = False) -> list[str]:
    """Boxes that are not ticked, and the points of a list under words such as "still to do". `wanted`: whether points
    count that have no such words above them."""
    found: list[str] = []
    above = ""  # the last line before the list
    for line in text.split("\n"):
        point = LIST_POINT.match(line)
        if point is None:
            above = line if line.strip() else above
            continue
        box, item = point[1], point[2].strip()
        if box is not None:
            is_open = box in (" ", "~")
        else:
            if above:
                wanted, above = _announces(above), ""
            is_open = wanted
        if is_open:
            found.append(item)
    return found[:MOST_ITEMS]
