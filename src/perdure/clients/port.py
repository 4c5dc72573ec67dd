"""The port between Perdure and a client. An adapter is a module that has these names (`clients/claude_code.py`).

Every adapter has what `Client` lists. If Perdure answers the client's hooks, it also has what `HookClient` lists: how
to read what the client sends, and how to write the answer.
"""

from __future__ import annotations

from perdure.errors import BadInput
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from perdure.model.json import Json
    from perdure.model.shell_start import Markers

BEFORE_TOOL, AFTER_TOOL, AFTER_FAILURE = "before tool", "after tool", "after failure"
SESSION_START, SESSION_END, PROMPT = "session start", "session end", "prompt"
SUBAGENT_START, SUBAGENT_STOP, STATUS_LINE = "subagent start", "subagent stop", "status line"
BEFORE_COMPACTION, AFTER_COMPACTION, TURN_END = "before compaction", "after compaction", "turn end"
"""What a client's events mean. Each client has its own names for them (`HookClient.EVENTS`)."""

LOOKS, READS, SEARCHES, RUNS, CHANGES, EXPANDS = "looks", "reads", "searches", "runs", "changes", "expands"
"""What a tool does. LOOKS, READS, SEARCHES: it only looks (around, into the file that a field names, for the text in a
field). RUNS: it runs the shell text in a field. CHANGES: it writes the file that a field names. EXPANDS: it expands the
skill that a field names; a skill may hold shell text that the client runs without asking."""
ONLY_LOOKS = frozenset((LOOKS, READS, SEARCHES))


@value
class ClientTool:
    does: str
    field: str = ""
    """The field of the tool's input that says what is read, searched, run or changed."""
    folder_fields: tuple[str, ...] = ()
    """RUNS: the fields that may say in which folder the command runs."""
    own_skills: frozenset[str] = frozenset()
    """EXPANDS: the skills that came with the client and run nothing."""
    skill_files: tuple[str, ...] = ()
    """EXPANDS: where a skill's text may be, below the project or the person's home. `{name}` is the skill's name,
    `{path}` the same with `/` instead of `:`."""


@value
class Payload:
    """What a client sends with an event. Text that it does not send is empty."""

    event: str
    """What the event means, one of the constants above."""
    session_id: str
    cwd: str
    transcript_path: str
    agent_id: str
    agent_type: str
    tool: str
    tool_input: dict[str, Json]
    fields: dict[str, Json]
    """Everything the client sent, by its own names. Only the adapter reads it."""

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        return found if isinstance(found, str) else ""


def unusable(why: str) -> BadInput:
    """Perdure cannot fix what it is sent, so the hint names no command of Perdure."""
    hint = "Whoever runs the hook sends it: the client, or a wrapper around the hook in the client's settings."
    return BadInput("bad_input", f"The hook's input {why}.", hint=hint)


@value
class ShellStart:
    """What a client starts through the program for its shells."""

    shell: str
    """The program that reads the text."""
    is_clients_own: bool = False
    """It is not a command of the model's: a hook or a server that the person configured."""
    command: str | None = None
    """The model's command, without what the client puts around it; None if it is not found in the text."""
    own_file: str = ""
    """A file of the client's own that the text writes after the command."""


@value
class ShellText:
    """How a client writes a command of the model's into the text that it starts: `… EVALUATES'COMMAND'NO_INPUT
    TELLS_FOLDER FILE`, and how its variables tell that text from a hook or a server of the person's."""

    evaluates: str
    no_input: str
    tells_folder: str
    own_variable: str
    """Set for hooks and servers."""
    agent_variable: str
    """In the model's shells, its value ends with `models_ending`."""
    models_ending: str
    file_begins: str
    """How the name of the client's own file begins, which the shell tells its folder in."""
    file_ends: str

    @property
    def markers(self) -> Markers:
        return self.evaluates, self.no_input, self.tells_folder, self.file_begins, self.file_ends


@value
class ToolOutcome:
    """How a tool call went."""

    interrupted: bool = False
    printed: str | None = None
    """What it printed; None if the client does not say."""
    created: bool = False
    """The file did not exist before."""
    error: str = ""
    milliseconds: int | None = None
    goes_on: bool = False
    """A command that goes on in the background, or is only watched: how it ends is not known."""


def event_name(client: HookClient, meaning: str) -> str:
    """The client's name for the event with this meaning; empty if it has none."""
    return next((name for name, each in client.EVENTS.items() if each == meaning), "")


if TYPE_CHECKING:

    class Client(Protocol):
        NAME: str
        """Its name in `REGISTERED` and in the ledger."""
        TOOLS: Mapping[str, ClientTool]
        """The client's tools. A tool that is not listed counts as one that changes things."""

    class ShellClient(Client, Protocol):
        """A client that starts its shell commands through a program that its settings name."""

        SHELL_VARIABLE: str
        """The environment variable that names the program."""
        SHELL_TOOLS: tuple[str, ...]
        """The tools whose commands are surely started through it."""
        SHELL_TEXT: ShellText

        def session_from_environment(self, environment: Mapping[str, str]) -> str | None:
            """The client's own id of its session, as whatever it starts finds it."""

        def pid_from_environment(self, environment: Mapping[str, str]) -> int | None: ...

        def read_shell_start(self, text: str, environment: Mapping[str, str]) -> ShellStart: ...

    class HookClient(Client, Protocol):
        EVENTS: Mapping[str, str]
        """The client's name of an event → what it means.

        An adapter may also have COMMAND_IN_PAYLOAD: the payload's field for the tool's name, the name of the tool that
        runs shell text, the field for its input, and the field of that input with the text. Where Perdure cannot be
        loaded, the registered command lets that tool read (`install/plain_reading.py`); without it, it denies all."""

        def parse_payload(self, event: str, raw: bytes) -> Payload:
            """`event` is the client's name for the event."""

        def pid_from_environment(self, environment: Mapping[str, str]) -> int | None:
            """The id of the client's process, as the client says itself."""

        def environment_file(self, environment: Mapping[str, str]) -> str:
            """A file whose lines the client's shells run first; empty if there is none."""

        def session_source(self, payload: Payload) -> str:
            """How the session began: startup, resume, clear, compact or fork."""

        def end_reason(self, payload: Payload) -> str: ...

        def persons_prompt(self, payload: Payload) -> str:
            """What the person typed; empty if a schedule, another agent or the client itself wrote the prompt."""

        def forked_from(self, payload: Payload, arguments: tuple[str, ...]) -> str | None:
            """The session this one is a fork of. `arguments`: the client's command line."""

        def summary_made(self, payload: Payload) -> str:
            """The summary of the context that the client's summariser ended with, or that a compaction left in the
            context; empty if it is not one."""

        def guide_summary(self, text: str) -> str:
            """The answer that tells the client's summariser this text; empty if the client cannot be told."""

        def context_use(self, payload: Payload) -> tuple[int, int, bool] | None:
            """Tokens in the context window, its size (0: not known), and whether the tokens were counted and not only
            estimated from a rounded figure; None if the client does not say."""

        def is_compaction_manual(self, payload: Payload) -> bool:
            """Whether the person asked for the compaction; False if the client began it by itself."""

        def tool_outcome(self, payload: Payload) -> ToolOutcome: ...

        def is_attended(self, environment: Mapping[str, str]) -> bool:
            """Whether a person sits before the client, as the client says itself to its hooks."""

        def hold_turn(self, reason: str) -> str:
            """The answer that keeps the turn from ending, and tells the agent why."""

        def deny(self, reason: str) -> str:
            """The answer that keeps the tool call from running. ASCII, because it also stands in the registered
            command and in scripts, for the case that Perdure cannot be loaded there (`install/program.py`)."""

        def hold_back(self, reason: str) -> str:
            """The answer that keeps a compaction from happening; empty if the client cannot be asked for that."""

        def tell(self, event: str, text: str) -> str:
            """The answer that adds this text to the model's context."""

        def show_person(self, text: str) -> str:
            """The answer that only the person sees."""

        def warn(self, event: str, text: str) -> str:
            """Like `tell`, and the person sees it, too."""
