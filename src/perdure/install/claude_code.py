"""The installer for Claude Code: what is registered, in which file, for which scope (SPEC 6.1, 6.2).

local     <project>/.claude/settings.local.json    this machine, not committed; real interpreter paths
project   <project>/.claude/settings.json          committed; a portable shim. The status line stays local
user      ~/.claude/settings.json                  every project of this person

The MCP server is registered in other files: see `claude_servers`.
"""

from __future__ import annotations

import json
import os

from perdure.clients import claude_code as client
from perdure.clients.claude_code import GUARD, NAME, TOOLS
from perdure.clients.port import ONLY_LOOKS
from perdure.files import missing_folders, read_json
from perdure.install import claude_servers as servers
from perdure.install import claude_settings as settings
from perdure.install import digest_line, exclude, person_files, program, settings_text, shell_program, shim, skill
from perdure.install.guard_registered import guard_file
from perdure.install.install_record import InstalledFile
from perdure.install.installer import LOCAL, PROJECT, SCOPES, USER, FileChange, Plan
from perdure.model.json import parse
from perdure.model.value import replace, value
from perdure.place.home import shell_program_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from perdure.install.guard_registered import GuardFile
    from perdure.install.installer import InstallContext, InstallOptions
    from perdure.install.program import Program
    from perdure.model.json import Json
    from perdure.model.json_text import Node

PROJECT_VARIABLE = settings.PROJECT_VARIABLE
SHIM_ARGUMENT = "${" + PROJECT_VARIABLE + "}/" + settings.SHIM
"""The client replaces the variable by its project's folder, also without a shell."""

_READERS = "|".join(sorted(name for name, tool in TOOLS.items() if tool.does in ONLY_LOOKS))
NOT_A_READER = f"^(?!(?:{_READERS})$)"
"""The guard runs before every tool except those that only read; so it runs before an unknown one, too (SPEC 5.3)."""
RECORDED_TOOLS = "Bash|Edit|Glob|Grep|MultiEdit|NotebookEdit|Read|WebFetch|WebSearch|Write"
"""The matcher of the tools whose calls are recorded after they ran."""
EVENTS: dict[str, tuple[str, dict[str, Json]]] = {
    "SessionStart": ("", {"timeout": 30}),
    "UserPromptSubmit": ("", {"timeout": 30}),
    GUARD: (NOT_A_READER, {"timeout": 10, "onFailure": "block"}),
    "PostToolUse": (RECORDED_TOOLS, {"timeout": 60, "async": True}),
    "PostToolUseFailure": (RECORDED_TOOLS, {"timeout": 60, "async": True}),
    "SubagentStart": ("", {"timeout": 60, "async": True}),
    "SubagentStop": ("", {"timeout": 60, "async": True}),
    "PreCompact": ("", {"timeout": 60}),
    "PostCompact": ("", {"timeout": 60, "async": True}),
    "Stop": ("", {"timeout": 30}),
    "SessionEnd": ("", {"timeout": 10}),
}
"""Event → (matcher, the handler's fields besides its command)."""

_MOVES = (
    *("preflight", "check", "postflight", "status", "where", "decide", "note", "finding", "goal"),
    *("transaction status", "transaction adopt"),
)
RULES = (*(f"Bash(perdure {words} *)" for words in _MOVES), f"mcp__{servers.NAME}")
"""What `--allow` lets the agent run without asking: what moves the work along, and what only reads."""


# -- where ---------------------------------------------------------------------------------------------------------


def person_folder(context: InstallContext) -> str:
    return context.environment.get("CLAUDE_CONFIG_DIR") or os.path.join(context.person, ".claude")


def settings_of(context: InstallContext, scope: str) -> str:
    if scope == USER:
        return os.path.join(person_folder(context), "settings.json")
    return os.path.join(context.folder, ".claude", "settings.local.json" if scope == LOCAL else "settings.json")


def is_found(context: InstallContext) -> bool:
    from shutil import which

    on_path = which("claude", path=context.environment.get("PATH", os.defpath))
    return on_path is not None or os.path.isdir(person_folder(context))


def _skill_of(context: InstallContext, scope: str) -> str:
    above = person_folder(context) if scope == USER else os.path.join(context.folder, ".claude")
    return os.path.join(above, "skills", skill.NAME)


def _shim_of(context: InstallContext) -> str:
    return os.path.join(context.folder, settings.SHIM)


def installed_scopes(context: InstallContext) -> tuple[str, ...]:
    return tuple(scope for scope in SCOPES if _is_installed(context, scope))


def _is_installed(context: InstallContext, scope: str) -> bool:
    """A real interpreter is for scopes local and user, the shim for scope project, which also has a local status
    line."""
    if context.recorded(NAME, scope):
        return True
    found = settings.readable(person_files.read(settings_of(context, scope)) or "")
    if found is None or _is_the_projects(context, scope, found):
        return False
    line = settings.status_line(found)
    return bool(settings.ours_in(found)) or (scope != PROJECT and line is not None and line.is_ours)


def _is_the_projects(context: InstallContext, scope: str, found: Node) -> bool:
    """Whether the local file has only the status line of an installation for the project."""
    if scope != LOCAL or not _is_installed(context, PROJECT):
        return False
    return not settings.ours_in(found)


def shim_text() -> str:
    return shim.text(client, client.show_person, PROJECT_VARIABLE)


# -- what ----------------------------------------------------------------------------------------------------------


def groups(words_for: dict[str, list[str]]) -> dict[str, Json]:
    """Event → the group that is registered for it; each runs this command."""
    found: dict[str, Json] = {}
    for event, (matcher, options) in EVENTS.items():
        command, *arguments = words_for[event]
        handler: Json = {"type": "command", "command": command, "args": [*arguments], **options}
        found[event] = {"matcher": matcher, "hooks": [handler]} if matcher else {"hooks": [handler]}
    return found


def portable(script: str) -> dict[str, Json]:
    return groups({event: ["sh", script, event] for event in EVENTS})


def _hooks_for(context: InstallContext, wish: InstallOptions) -> dict[str, Json]:
    if wish.scope == PROJECT:
        return portable(SHIM_ARGUMENT)
    path = settings_of(context, wish.scope)
    return groups({event: wish.program.words(client, event, path) for event in EVENTS})


# -- planning to install -------------------------------------------------------------------------------------------


def plan(context: InstallContext, wish: InstallOptions) -> Plan:
    """Settings come last, so that they never name a file that does not exist yet."""
    own, notes = _own_files(context, wish.scope, wish.program)
    parts = [_settings(context, wish), *([_local_status_line(context, wish)] if wish.scope == PROJECT else [])]
    server = _server(context, wish)
    hidden, said = _hidden(context, wish.scope)
    changes = [*own, *hidden, *server.changes, *(change for part in parts for change in part.changes)]
    parts.append(server)
    first, *others = [part.entry for part in parts]
    notes += [*said, *(note for part in parts for note in part.notes)]
    return Plan(
        client=NAME,
        scope=wish.scope,
        changes=tuple(changes),
        entries=(_with_new(context, first, changes), *others),
        folders=(),
        notes=tuple(notes),
    )


@value
class _Part:
    """A settings file: how it changes, what the record keeps about it, what the person is told."""

    changes: tuple[FileChange, ...]
    entry: InstalledFile
    notes: tuple[str, ...] = ()


def _own_files(context: InstallContext, scope: str, program: Program) -> tuple[list[FileChange], list[str]]:
    files = [(_skill_of(context, scope), skill.text(), 0o644)]
    if scope == PROJECT:
        files.append((_shim_of(context), shim_text(), 0o755))
    changes, notes = _shell_program(context, program), []
    for path, text, mode in files:
        before = person_files.read(path)
        if before is not None and before != text and not digest_line.is_untouched(before):
            notes.append(f"{path} was edited by hand and is left as it is.")
        elif before != text:
            changes.append(FileChange(path=path, before=before, after=text, why="", mode=mode))
    return changes, notes


def _shell_program(context: InstallContext, program: Program) -> list[FileChange]:
    """The program for the client's shells. It is in Perdure's own home, and always as this version writes it."""
    if not can_contain():
        return []
    path, text = shell_program_path(context.home, NAME), shell_program.text(program, client)
    before = person_files.read(path)
    if before == text:
        return []
    return [FileChange(path=path, before=before, after=text, why="runs commands read-only", mode=shell_program.MODE)]


def can_contain() -> bool:
    """Whether commands can run read-only here. On macOS the jail was never tried, so the client does without it."""
    from perdure.jail.confine import running_kernel
    from perdure.jail.plan import why_not

    return not why_not(running_kernel())


def _with_shell_variable(context: InstallContext, text: str, path: str) -> tuple[settings.Edited, list[str]]:
    """The text with the variable that names the program for shells, unless the person uses it themselves."""
    wanted = shell_program_path(context.home, NAME)
    others = [settings_of(context, scope) for scope in SCOPES if settings_of(context, scope) != path]
    given = [settings.variable(settings_text.parse_settings(text, path), client.SHELL_VARIABLE)]
    given += [_variable_in(each) for each in others]
    given.append(context.environment.get(client.SHELL_VARIABLE))
    foreign = next((each for each in given if each and not settings.is_our_shell(each)), None)
    if foreign is not None:
        note = f"{client.SHELL_VARIABLE} names another program, so commands do not run read-only in the client."
        return settings.Edited(text), [note]
    if not can_contain():
        return settings.Edited(text), []
    return settings.with_variable(text, client.SHELL_VARIABLE, wanted), []


def _variable_in(path: str) -> str | None:
    found = settings.readable(person_files.read(path) or "")
    return settings.variable(found, client.SHELL_VARIABLE) if found else None


def _without_shell_variable(text: str, path: str, made: tuple[str, ...] | None) -> str:
    found = settings.variable(settings_text.parse_settings(text, path), client.SHELL_VARIABLE)
    if found is None or not settings.is_our_shell(found):
        return text
    return settings.without_variable(text, client.SHELL_VARIABLE, made)


def _server(context: InstallContext, wish: InstallOptions) -> _Part:
    path, keys = servers.file_of(context, wish.scope), servers.keys_to(context, wish.scope)
    old = context.recorded_file(NAME, wish.scope, path)
    entry = InstalledFile(NAME, wish.scope, context.kept(path))
    before = person_files.read(path)
    text = "{}" if before is None else before
    if servers.other_server(text, keys, path):
        told = f"{path} has another server named {servers.NAME}, so Perdure's MCP server is not registered in it."
        return _Part((), entry.merged(old), (told,))
    text = _without_server_of_former_folder(context, text, scope=wish.scope, entry=old)
    edited = servers.with_server(text, keys, servers.wanted(wish.scope, wish.program))
    mode = 0o644 if wish.scope == PROJECT else 0o600
    changes = tuple(replace(change, mode=mode) for change in _change(path, before, edited.text, why="MCP server"))
    return _Part(changes, replace(entry, made=edited.made).merged(old))


def _settings(context: InstallContext, wish: InstallOptions) -> _Part:
    path = settings_of(context, wish.scope)
    old, before, root = _opened(context, wish.scope, path)
    settings.check_shape(root, path, tuple(EVENTS))
    edited = settings.with_hooks(root.source, _hooks_for(context, wish))
    text, why = edited.text, "hooks"
    notes: list[str] = []
    made = edited.made if old else (*settings.made_in(root), *edited.made)
    entry = InstalledFile(NAME, wish.scope, context.kept(path), made=made)
    if wish.scope != PROJECT:
        text, status, notes = _with_status_line(context, wish.program, text, path=path, old=old)
        shelled, said = _with_shell_variable(context, text, path)
        text, notes = shelled.text, [*notes, *said]
        entry, why = replace(entry, status=status, made=(*entry.made, *shelled.made)), "hooks, status line"
    if wish.allow:
        ruled = settings.with_rules(text, RULES)
        entry, why = replace(entry, made=(*entry.made, *ruled.made), allowed=ruled.added), f"{why}, permission rules"
        text = ruled.text
    return _Part(_change(path, before, text, why=why), entry.merged(old), tuple(notes))


def _local_status_line(context: InstallContext, wish: InstallOptions) -> _Part:
    """A committed status line would replace everybody's own."""
    path = settings_of(context, LOCAL)
    old, before, root = _opened(context, PROJECT, path)
    text, status, notes = _with_status_line(context, wish.program, root.source, path=path, old=old)
    shelled, said = _with_shell_variable(context, text, path)
    entry = InstalledFile(NAME, PROJECT, context.kept(path), status=status, made=shelled.made)
    return _Part(_change(path, before, shelled.text, why="status line"), entry.merged(old), (*notes, *said))


def _opened(context: InstallContext, scope: str, path: str) -> tuple[InstalledFile | None, str | None, Node]:
    """What the record has of a settings file, its text, and its parsed tree."""
    old = context.recorded_file(NAME, scope, path)
    before = person_files.read(path)
    return old, before, settings_text.parse_settings("{}" if before is None else before, path)


def _change(path: str, before: str | None, text: str, *, why: str) -> tuple[FileChange, ...]:
    """A file that we create ends with a newline; one without content is not created."""
    if text == before or (before is None and text == "{}"):
        return ()
    after = text + "\n" if before is None else text
    return (FileChange(path=path, before=before, after=after, why=why),)


def _with_status_line(
    context: InstallContext, words: Program, text: str, *, path: str, old: InstalledFile | None
) -> tuple[str, str, list[str]]:
    """The text with our status line beside the person's own, wherever that is; what was in this file; and what to
    say."""
    here, below = settings.status_line(settings_text.parse_settings(text, path)), _status_below(context, path)
    counts = here or below
    if counts and counts.odd:
        return text, "", [f"The status line in {path} or below it is not a command, so Perdure's was not added."]
    if here and not here.is_ours:
        return settings.with_status_command(text, words.status_line(client, path, here.command)), here.written, []
    if here and _is_replaced(here, below, old):
        stood = old.status if old else json.dumps(here.original)
        return settings.with_status_command(text, words.status_line(client, path, here.original)), stood, []
    beside, others = (below.command, below.others) if below else (None, {})
    return settings.with_status_line(text, words.status_line(client, path, beside), others), "", []


def _is_replaced(here: settings.StatusLine, below: settings.StatusLine | None, old: InstalledFile | None) -> bool:
    """Whether the person's own status line was in this file. Without a record: unless it is in another one."""
    if old is not None:
        return bool(old.status)
    return here.original is not None and (below is None or below.command != here.original)


def _status_below(context: InstallContext, path: str) -> settings.StatusLine | None:
    """The status line that would count without this file: the project's, otherwise the person's. Like the client, we
    ignore a file that cannot be read."""
    order = [settings_of(context, scope) for scope in (LOCAL, PROJECT, USER)]
    for lower in order[order.index(path) + 1 :] if path in order else ():
        text = person_files.read(lower)
        found = None if text is None else settings.status_line_of(text)
        if found and not found.is_ours:
            return found
    return None


# -- git -----------------------------------------------------------------------------------------------------------


def _hidden(context: InstallContext, scope: str) -> tuple[list[FileChange], list[str]]:
    """Keeps files of this machine out of `git status`. Files that git tracks already stay visible."""
    if scope == USER or not context.common or context.common == context.folder:
        return [], []
    paths = [settings_of(context, LOCAL)]
    if scope == LOCAL:
        paths.append(_skill_of(context, LOCAL))
    names = [os.path.relpath(path, context.folder) for path in paths]
    tracked = [name for name in names if exclude.is_tracked(context.folder, name)]
    notes = [f"{name} is tracked by git, so the change shows in git status." for name in tracked]
    new = [name for name in exclude.not_ignored(context.folder, names) if name not in tracked]
    change = _excluded(exclude.path_in(context.common), new)
    return ([change] if new else []), notes


def _excluded(path: str, names: list[str]) -> FileChange:
    """The names added to what git ignores in this clone."""
    before = person_files.read(path)
    old = before or ""
    after = exclude.with_lines(old, [*exclude.lines_in(old), *names])
    return FileChange(path=path, before=before, after=after, why="local files stay out of git status")


def _with_new(context: InstallContext, entry: InstalledFile, changes: list[FileChange]) -> InstalledFile:
    new = [change.path for change in changes if change.before is None]
    folders = [context.kept(folder) for path in new for folder in missing_folders(os.path.dirname(path))]
    return replace(
        entry,
        files=tuple(dict.fromkeys((*entry.files, *map(context.kept, new)))),
        folders=tuple(dict.fromkeys((*entry.folders, *folders))),
    )


# -- planning to remove --------------------------------------------------------------------------------------------


def plan_removal(context: InstallContext, scope: str) -> Plan:
    kept = context.recorded(NAME, scope)
    by_path = {context.real(entry.settings): entry for entry in kept}
    new = {context.real(path) for entry in kept for path in entry.files}
    listing = servers.file_of(context, scope)
    changes: list[FileChange] = []
    for path in _settings_files(context, scope, by_path):
        if path != listing:
            changes += _restored(context, scope, path, entry=by_path.get(path), new=new)
    changes += _server_removed(context, scope, by_path.get(listing), is_new=listing in new)
    own, notes = _own_removed(context, scope)
    for change in changes:
        notes += _not_known(change) if change.path not in by_path else []
    changes += [*own, *_shown(context, scope, new)]
    return Plan(
        client=NAME,
        scope=scope,
        changes=tuple(changes),
        entries=(),
        folders=_folders_to_remove(context, kept, own),
        notes=tuple(notes),
    )


def _settings_files(context: InstallContext, scope: str, recorded: Iterable[str]) -> list[str]:
    """The settings files of this scope, each once. Those of the person may have been elsewhere when Perdure was
    installed (CLAUDE_CONFIG_DIR): then the record names them. Those of a project are where they always are."""
    usual = [settings_of(context, scope)]
    if scope == PROJECT:
        usual.append(settings_of(context, LOCAL))
    return list(dict.fromkeys((*usual, *(recorded if scope == USER else ()))))


def _folders_to_remove(context: InstallContext, kept: list[InstalledFile], own: list[FileChange]) -> tuple[str, ...]:
    """Folders that we created, and the one that our skill was in."""
    folders = [context.real(folder) for entry in kept for folder in entry.folders]
    folders += [os.path.dirname(change.path) for change in own if change.path.endswith(skill.NAME)]
    return tuple(dict.fromkeys(folders))


def _restored(
    context: InstallContext, scope: str, path: str, *, entry: InstalledFile | None, new: set[str]
) -> list[FileChange]:
    before = person_files.read(path)
    if before is None:
        return []
    settings_text.parse_settings(before, path)
    made = entry.made if entry else None
    is_status_only = scope == PROJECT and path == settings_of(context, LOCAL)
    text = before if is_status_only else settings.without_hooks(before, made)
    text = settings.without_rules(text, entry.allowed if entry else (), made)
    text = _without_status_line(context, text, path, entry=entry)
    text = _without_shell_variable(text, path, made)
    if text == before:
        return []
    return [FileChange(path, before, None if path in new and settings.is_empty(text) else text)]


def _server_removed(
    context: InstallContext, scope: str, entry: InstalledFile | None, *, is_new: bool
) -> list[FileChange]:
    path, keys = servers.file_of(context, scope), servers.keys_to(context, scope)
    before = person_files.read(path)
    if before is None or (entry is None and not servers.is_registered(before, keys)):
        return []
    if servers.other_server(before, keys, path):
        return []
    text = servers.without_server(before, keys, entry.made if entry else ())
    text = _without_server_of_former_folder(context, text, scope=scope, entry=entry)
    if text == before:
        return []
    return [FileChange(path, before, None if is_new and settings.is_empty(text) else text)]


def _without_server_of_former_folder(
    context: InstallContext, text: str, *, scope: str, entry: InstalledFile | None
) -> str:
    """The list names the folder of each project; if the project was moved, our entry is under the folder it was in."""
    former = context.moved_from(scope) if scope == LOCAL else ""
    keys = servers.keys_of_folder(former)
    if not former or not servers.is_registered(text, keys):
        return text
    return servers.without_server(text, keys, entry.made if entry else ())


def _not_known(change: FileChange) -> list[str]:
    """What we do not know about a file without a record of it."""
    said = f"It is not recorded what {change.path} was before Perdure was installed: only what is ours was removed."
    if any(json.dumps(rule) in (change.after or "") for rule in RULES):
        said += " Permission rules for perdure are left there, because it is not recorded who added them."
    return [said]


def _without_status_line(context: InstallContext, text: str, path: str, *, entry: InstalledFile | None) -> str:
    here = settings.status_line(settings_text.parse_settings(text, path))
    if here is None or not here.is_ours:
        return text
    if not _is_replaced(here, _status_below(context, path), entry):
        return settings.without_status_line(text)
    return settings.with_status_text(text, entry.status if entry else json.dumps(here.original))


def _own_removed(context: InstallContext, scope: str) -> tuple[list[FileChange], list[str]]:
    changes, notes = [], []
    for path in [_skill_of(context, scope), *([_shim_of(context)] if scope == PROJECT else [])]:
        before = person_files.read(path)
        if before is not None and digest_line.is_untouched(before):
            changes.append(FileChange(path, before, None))
        elif before is not None:
            notes.append(f"{path} was edited by hand and is left where it is.")
    return changes, notes


def _shown(context: InstallContext, scope: str, new: set[str]) -> list[FileChange]:
    path = exclude.path_in(context.common)
    before = person_files.read(path) if context.common and scope != USER else None
    after = exclude.without_lines(before or "")
    if before is None or after == before:
        return []
    return [FileChange(path, before, None if path in new and not after else after)]


# -- the guard, at a glance ----------------------------------------------------------------------------------------


def guard_in(scope: str, path: str) -> GuardFile | None:
    """No guard is ever in the local file of a project's scope, which has the status line, nor in a list of servers."""
    is_status_only = scope == PROJECT and path.endswith("settings.local.json")
    if is_status_only or "settings" not in os.path.basename(path):
        return None
    mark = settings.SHIM if scope == PROJECT else program.MARK
    return guard_file(NAME, scope, path, needs=(mark, f'"{GUARD}"'), why_off=lambda text: _why_off(path, text))


def _why_off(path: str, text: str) -> str:
    try:
        content = parse(text.removeprefix("\ufeff"))
    except ValueError:
        return f"{path} is no longer JSON, so the client ignores it: the guard does not run. Fix that file."
    off_in = _switched_off_in(path, content)
    if off_in:
        return f"hooks are switched off in {off_in} ({settings.OFF}): the guard does not run until that is taken out."
    return ""


def _switched_off_in(path: str, content: Json) -> str:
    """The file that switches all hooks off, if one does. Of the two files of a project, the local one counts more."""
    folder, name = os.path.split(path)
    names = settings.PROJECT_FILES if name in settings.PROJECT_FILES else (name,)
    for each in names:
        found = content if each == name else read_json(os.path.join(folder, each))
        if isinstance(found, dict) and isinstance(found.get(settings.OFF), bool):
            return os.path.join(folder, each) if found[settings.OFF] else ""
    return ""


# -- looking -------------------------------------------------------------------------------------------------------


@value
class Hook:
    """One of our hooks in a settings file."""

    event: str
    matcher: str
    blocks_on_failure: bool
    interpreter: str
    missing: tuple[str, ...]


@value
class RegisteredHooks:
    """What a settings file has of ours. `missing` are events without a hook; `problem` says why it could not be
    read."""

    scope: str
    path: str
    hooks: tuple[Hook, ...] = ()
    missing: tuple[str, ...] = ()
    status_line: bool = False
    problem: str = ""


def inspect(context: InstallContext) -> tuple[RegisteredHooks, ...]:
    """One for every settings file that exists and counts here."""
    scopes = SCOPES if context.folder else (USER,)
    found = []
    for scope in scopes:
        path = settings_of(context, scope)
        text = person_files.read(path)
        if text is not None:
            found.append(_registered(scope, path, text))
    return tuple(found)


def _registered(scope: str, path: str, text: str) -> RegisteredHooks:
    from perdure.errors import Refused

    try:
        root = settings_text.parse_settings(text, path)
    except Refused as refused:
        return RegisteredHooks(scope, path, problem=refused.message)
    hooks = tuple(_hook(root, spot) for spot in settings.ours_in(root))
    there = {hook.event for hook in hooks}
    line = settings.status_line(root)
    return RegisteredHooks(
        scope=scope,
        path=path,
        hooks=hooks,
        missing=tuple(event for event in EVENTS if event not in there),
        status_line=line is not None and line.is_ours,
    )


def _hook(root: Node, spot: settings.Spot) -> Hook:
    matcher = root.at("hooks", spot.event, spot.group, "matcher")
    handler = root.at("hooks", spot.event, spot.group, "hooks", spot.handler)
    assert handler is not None
    interpreter = _string(handler.get("command"))
    needed = [interpreter]
    arguments = handler.get("args")
    if arguments:
        for argument in arguments.inside:
            needed += program.paths_of(_string(argument))
    return Hook(
        event=spot.event,
        matcher=_string(matcher),
        blocks_on_failure=_string(handler.get("onFailure")) == "block",
        interpreter=interpreter,
        missing=tuple(path for path in needed if os.path.isabs(path) and not os.path.exists(path)),
    )


def _string(node: Node | None) -> str:
    """Empty if it is missing or not a string."""
    return (node.string if node else None) or ""
