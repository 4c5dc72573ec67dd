"""Claude Code: what is registered with it, in which file, for which scope (SPEC 6.1, 6.2).

local     <project>/.claude/settings.local.json    this machine, not committed; real interpreter paths
project   <project>/.claude/settings.json          committed; a portable shim. The status line stays local
user      ~/.claude/settings.json                  every project of this person

The MCP server stands in other files: `claude_servers`.
"""

from __future__ import annotations

import json
import os

from perdure.clients.claude_code import NAME, TOOLS
from perdure.clients.port import ONLY_LOOKS
from perdure.install import claude_servers as servers
from perdure.install import claude_settings as settings
from perdure.install import exclude, person_files, program, record, shim, signed, skill
from perdure.install.base import LOCAL, PROJECT, SCOPES, USER, Change, Hook, Plan, Registered
from perdure.install.record import Entry
from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.install.base import Ground, Wish
    from perdure.install.json_text import Node
    from perdure.install.program import Program
    from perdure.model.json import Json

SHIM_ARGUMENT = "${CLAUDE_PROJECT_DIR}/" + shim.PATH
"""The client puts its project in, also where there is no shell."""

_READERS = "|".join(sorted(name for name, tool in TOOLS.items() if tool.does in ONLY_LOOKS))
NOT_A_READER = f"^(?!(?:{_READERS})$)"
"""The guard sees every tool but those that only look: an unknown one too (SPEC 5.3)."""
ACCUMULATED = "Bash|Edit|Glob|Grep|MultiEdit|NotebookEdit|Read|WebFetch|WebSearch|Write"
EVENTS: dict[str, tuple[str, dict[str, Json]]] = {
    "SessionStart": ("", {"timeout": 30}),
    "UserPromptSubmit": ("", {"timeout": 30}),
    program.GUARD: (NOT_A_READER, {"timeout": 10, "onFailure": "block"}),
    "PostToolUse": (ACCUMULATED, {"timeout": 60, "async": True}),
    "PostToolUseFailure": (ACCUMULATED, {"timeout": 60, "async": True}),
    "SubagentStart": ("", {"timeout": 60, "async": True}),
    "SubagentStop": ("", {"timeout": 60, "async": True}),
    "SessionEnd": ("", {"timeout": 10}),
}
"""Event → (matcher, what the handler says besides its command)."""

_MOVES = (
    *("preflight", "check", "postflight", "status", "where", "decide", "note", "finding", "goal"),
    *("transaction status", "transaction adopt"),
)
RULES = (*(f"Bash(perdure {words} *)" for words in _MOVES), f"mcp__{servers.NAME}")
"""What `--allow` lets the agent run without asking: transitions, and what only looks."""


# -- where ---------------------------------------------------------------------------------------------------------


def person_folder(ground: Ground) -> str:
    return ground.environment.get("CLAUDE_CONFIG_DIR") or os.path.join(ground.person, ".claude")


def settings_of(ground: Ground, scope: str) -> str:
    if scope == USER:
        return os.path.join(person_folder(ground), "settings.json")
    return os.path.join(ground.folder, ".claude", "settings.local.json" if scope == LOCAL else "settings.json")


def is_found(ground: Ground) -> bool:
    from shutil import which

    on_path = which("claude", path=ground.environment.get("PATH", os.defpath))
    return on_path is not None or os.path.isdir(person_folder(ground))


def _skill_of(ground: Ground, scope: str) -> str:
    above = person_folder(ground) if scope == USER else os.path.join(ground.folder, ".claude")
    return os.path.join(above, "skills", skill.NAME)


def _shim_of(ground: Ground) -> str:
    return os.path.join(ground.folder, shim.PATH)


def standing(ground: Ground) -> tuple[str, ...]:
    return tuple(scope for scope in SCOPES if _stands(ground, scope))


def _stands(ground: Ground, scope: str) -> bool:
    """A real interpreter is local or the person's, the shim is the project's; beside it a local status line stands."""
    if any((entry.client, entry.scope) == (NAME, scope) for entry in record.read(ground.record_of(scope))):
        return True
    found = settings.readable(person_files.read(settings_of(ground, scope)) or "")
    if found is None or _is_the_projects(ground, scope, found):
        return False
    line = settings.status_line(found)
    return bool(settings.ours_in(found)) or (scope != PROJECT and line is not None and line.is_ours)


def _is_the_projects(ground: Ground, scope: str, found: Node) -> bool:
    """Whether all that stands in the local file is the status line of an installation for the project."""
    if scope != LOCAL or not _stands(ground, PROJECT):
        return False
    return not settings.ours_in(found)


# -- what ----------------------------------------------------------------------------------------------------------


def groups(words_for: dict[str, list[str]]) -> dict[str, Json]:
    """Event → the group that is registered for it, each running these words."""
    found: dict[str, Json] = {}
    for event, (matcher, options) in EVENTS.items():
        command, *arguments = words_for[event]
        handler: Json = {"type": "command", "command": command, "args": [*arguments], **options}
        found[event] = {"matcher": matcher, "hooks": [handler]} if matcher else {"hooks": [handler]}
    return found


def portable(script: str) -> dict[str, Json]:
    return groups({event: ["sh", script, event] for event in EVENTS})


def _hooks_for(ground: Ground, wish: Wish) -> dict[str, Json]:
    if wish.scope == PROJECT:
        return portable(SHIM_ARGUMENT)
    path = settings_of(ground, wish.scope)
    return groups({event: wish.program.words(event, path) for event in EVENTS})


# -- planning to install -------------------------------------------------------------------------------------------


def plan(ground: Ground, wish: Wish) -> Plan:
    """Settings come last: nothing is called before it is there."""
    own, notes = _own_files(ground, wish.scope)
    parts = [_settings(ground, wish), *([_local_status_line(ground, wish)] if wish.scope == PROJECT else [])]
    server = _server(ground, wish)
    hidden, said = _hidden(ground, wish.scope)
    changes = [*own, *hidden, *server.changes, *(change for part in parts for change in part.changes)]
    parts.append(server)
    first, *others = [part.entry for part in parts]
    notes += [*said, *(note for part in parts for note in part.notes)]
    return Plan(NAME, wish.scope, tuple(changes), (_with_new(ground, first, changes), *others), (), tuple(notes))


@value
class _Part:
    """A settings file: how it changes, what the record keeps of it, what the person is told."""

    changes: tuple[Change, ...]
    entry: Entry
    notes: tuple[str, ...] = ()


def _own_files(ground: Ground, scope: str) -> tuple[list[Change], list[str]]:
    files = [(_skill_of(ground, scope), skill.text(), 0o644)]
    if scope == PROJECT:
        files.append((_shim_of(ground), shim.text(), 0o755))
    changes, notes = [], []
    for path, text, mode in files:
        before = person_files.read(path)
        if before is not None and before != text and not signed.is_untouched(before):
            notes.append(f"{path} was edited by hand and is left as it is.")
        elif before != text:
            changes.append(Change(path, before, text, "", mode))
    return changes, notes


def _server(ground: Ground, wish: Wish) -> _Part:
    path, keys = servers.file_of(ground, wish.scope), servers.keys_to(ground, wish.scope)
    old = record.entry_for(ground.record_of(wish.scope), NAME, wish.scope, ground.kept(path))
    entry = Entry(NAME, wish.scope, ground.kept(path))
    before = person_files.read(path)
    text = "{}" if before is None else before
    why_not = servers.why_not(text, keys)
    if why_not:
        return _Part((), entry.merged(old), (f"{path} {why_not}; the MCP server is not registered in it.",))
    edited = servers.with_server(text, keys, servers.wanted(wish.scope, wish.program))
    mode = 0o644 if wish.scope == PROJECT else 0o600
    changes = tuple(replace(change, mode=mode) for change in _change(path, before, edited.text, "MCP server"))
    return _Part(changes, replace(entry, made=edited.made).merged(old))


def _settings(ground: Ground, wish: Wish) -> _Part:
    path = settings_of(ground, wish.scope)
    old, before, root = _opened(ground, wish.scope, path)
    settings.check_shape(root, path, tuple(EVENTS))
    edited = settings.with_hooks(root.source, _hooks_for(ground, wish))
    text, why = edited.text, "hooks"
    notes: list[str] = []
    made = edited.made if old else (*settings.made_in(root), *edited.made)
    entry = Entry(NAME, wish.scope, ground.kept(path), made=made)
    if wish.scope != PROJECT:
        text, status, notes = _with_status_line(ground, wish.program, text, path, old)
        entry, why = replace(entry, status=status), "hooks, status line"
    if wish.allow:
        ruled = settings.with_rules(text, RULES)
        entry, why = replace(entry, made=(*entry.made, *ruled.made), allowed=ruled.added), f"{why}, permission rules"
        text = ruled.text
    return _Part(_change(path, before, text, why), entry.merged(old), tuple(notes))


def _local_status_line(ground: Ground, wish: Wish) -> _Part:
    """A committed status line would take the place of everybody's own."""
    path = settings_of(ground, LOCAL)
    old, before, root = _opened(ground, PROJECT, path)
    text, status, notes = _with_status_line(ground, wish.program, root.source, path, old)
    entry = Entry(NAME, PROJECT, ground.kept(path), status=status)
    return _Part(_change(path, before, text, "status line"), entry.merged(old), tuple(notes))


def _opened(ground: Ground, scope: str, path: str) -> tuple[Entry | None, str | None, Node]:
    """What the record has of a settings file, its text, and the tree of it."""
    old = record.entry_for(ground.record_of(scope), NAME, scope, ground.kept(path))
    before = person_files.read(path)
    return old, before, settings.parse("{}" if before is None else before, path)


def _change(path: str, before: str | None, text: str, why: str) -> tuple[Change, ...]:
    """A file that we make ends with a line's end, as any other; one with nothing in it is not made."""
    after = text + "\n" if before is None else text
    return () if after == before or (before is None and text == "{}") else (Change(path, before, after, why),)


def _with_status_line(
    ground: Ground, words: Program, text: str, path: str, old: Entry | None
) -> tuple[str, str, list[str]]:
    """The text with ours beside the person's own, wherever that stands; what stood in this file; and what to say."""
    here, below = settings.status_line(settings.parse(text, path)), _status_below(ground, path)
    counts = here or below
    if counts and counts.odd:
        return text, "", [f"The status line in {path} or below it is not a command; ours is not put beside it."]
    if here and not here.is_ours:
        return settings.with_status_command(text, words.status_line(path, here.command)), here.written, []
    if here and _is_replaced(here, below, old):
        stood = old.status if old else json.dumps(here.original)
        return settings.with_status_command(text, words.status_line(path, here.original)), stood, []
    beside, others = (below.command, below.others) if below else (None, {})
    return settings.with_status_line(text, words.status_line(path, beside), others), "", []


def _is_replaced(here: settings.StatusLine, below: settings.StatusLine | None, old: Entry | None) -> bool:
    """Whether the person's own status line stood in this very file. Without a record: unless it stands in another."""
    if old is not None:
        return bool(old.status)
    return here.original is not None and (below is None or below.command != here.original)


def _status_below(ground: Ground, path: str) -> settings.StatusLine | None:
    """The status line that would count without this file: the project's, else the person's. The client passes over a
    file that it cannot read, and so do we."""
    order = [settings_of(ground, scope) for scope in (LOCAL, PROJECT, USER)]
    for lower in order[order.index(path) + 1 :] if path in order else ():
        text = person_files.read(lower)
        found = None if text is None else settings.status_line_of(text)
        if found and not found.is_ours:
            return found
    return None


# -- git -----------------------------------------------------------------------------------------------------------


def _hidden(ground: Ground, scope: str) -> tuple[list[Change], list[str]]:
    """Files of this machine stay out of `git status`. What git tracks already it goes on showing."""
    if scope == USER or not ground.common or ground.common == ground.folder:
        return [], []
    paths = [settings_of(ground, LOCAL), *([_skill_of(ground, LOCAL)] if scope == LOCAL else [])]
    names = [os.path.relpath(path, ground.folder) for path in paths]
    tracked = [name for name in names if exclude.is_tracked(ground.folder, name)]
    new = [name for name in exclude.not_ignored(ground.folder, names) if name not in tracked]
    path = exclude.path_in(ground.common)
    before = person_files.read(path)
    after = exclude.with_lines(before or "", [*exclude.lines_in(before or ""), *new])
    notes = [f"{name} is tracked by git: what changes in it shows in git status." for name in tracked]
    return ([Change(path, before, after, "local files stay out of git status")] if new else []), notes


def _with_new(ground: Ground, entry: Entry, changes: list[Change]) -> Entry:
    new = [change.path for change in changes if change.before is None]
    folders = [ground.kept(folder) for path in new for folder in person_files.missing_folders(path)]
    return replace(
        entry,
        files=tuple(dict.fromkeys((*entry.files, *map(ground.kept, new)))),
        folders=tuple(dict.fromkeys((*entry.folders, *folders))),
    )


# -- planning to remove --------------------------------------------------------------------------------------------


def plan_removal(ground: Ground, scope: str) -> Plan:
    kept = [entry for entry in record.read(ground.record_of(scope)) if (entry.client, entry.scope) == (NAME, scope)]
    by_path = {ground.real(entry.settings): entry for entry in kept}
    new = {ground.real(path) for entry in kept for path in entry.files}
    usual = [settings_of(ground, scope), *([settings_of(ground, LOCAL)] if scope == PROJECT else [])]
    listing = servers.file_of(ground, scope)
    paths = [path for path in dict.fromkeys((*usual, *by_path)) if path != listing]
    changes = [change for path in paths for change in _restored(ground, scope, path, by_path.get(path), new)]
    changes += _server_removed(ground, scope, by_path.get(listing), listing in new)
    own, notes = _own_removed(ground, scope)
    folders = [ground.real(folder) for entry in kept for folder in entry.folders]
    folders += [os.path.dirname(change.path) for change in own if change.path.endswith(skill.NAME)]
    notes += [_rules_left(change) for change in changes if change.path not in by_path and _rules_left(change)]
    changes += [*own, *_shown(ground, scope, new)]
    return Plan(NAME, scope, tuple(changes), (), tuple(dict.fromkeys(folders)), tuple(notes))


def _restored(ground: Ground, scope: str, path: str, entry: Entry | None, new: set[str]) -> list[Change]:
    before = person_files.read(path)
    if before is None:
        return []
    settings.parse(before, path)
    made = entry.made if entry else None
    is_status_only = scope == PROJECT and path == settings_of(ground, LOCAL)
    text = before if is_status_only else settings.without_hooks(before, made)
    text = settings.without_rules(text, entry.allowed if entry else (), made)
    text = _without_status_line(ground, text, path, entry)
    if text == before:
        return []
    return [Change(path, before, None if path in new and settings.is_empty(text) else text)]


def _server_removed(ground: Ground, scope: str, entry: Entry | None, is_new: bool) -> list[Change]:
    path, keys = servers.file_of(ground, scope), servers.keys_to(ground, scope)
    before = person_files.read(path)
    if before is None or servers.why_not(before, keys):
        return []
    text = servers.without_server(before, keys, entry.made if entry else ())
    return [] if text == before else [Change(path, before, None if is_new and settings.is_empty(text) else text)]


def _rules_left(change: Change) -> str:
    """Without a record, nobody knows whose the rules are."""
    if not any(json.dumps(rule) in (change.after or "") for rule in RULES):
        return ""
    return f"Permission rules for perdure in {change.path} are left: the record of who added them is lost."


def _without_status_line(ground: Ground, text: str, path: str, entry: Entry | None) -> str:
    here = settings.status_line(settings.parse(text, path))
    if here is None or not here.is_ours:
        return text
    if not _is_replaced(here, _status_below(ground, path), entry):
        return settings.without_status_line(text)
    return settings.with_status_text(text, entry.status if entry else json.dumps(here.original))


def _own_removed(ground: Ground, scope: str) -> tuple[list[Change], list[str]]:
    changes, notes = [], []
    for path in [_skill_of(ground, scope), *([_shim_of(ground)] if scope == PROJECT else [])]:
        before = person_files.read(path)
        if before is not None and signed.is_untouched(before):
            changes.append(Change(path, before, None))
        elif before is not None:
            notes.append(f"{path} was edited by hand and is left where it is.")
    return changes, notes


def _shown(ground: Ground, scope: str, new: set[str]) -> list[Change]:
    path = exclude.path_in(ground.common)
    before = person_files.read(path) if ground.common and scope != USER else None
    after = exclude.without_lines(before or "")
    if before is None or after == before:
        return []
    return [Change(path, before, None if path in new and not after else after)]


# -- looking -------------------------------------------------------------------------------------------------------


def inspect(ground: Ground) -> tuple[Registered, ...]:
    scopes = SCOPES if ground.folder else (USER,)
    found = []
    for scope in scopes:
        path = settings_of(ground, scope)
        text = person_files.read(path)
        if text is not None:
            found.append(_registered(scope, path, text))
    return tuple(found)


def _registered(scope: str, path: str, text: str) -> Registered:
    from perdure.errors import Refused

    try:
        root = settings.parse(text, path)
    except Refused as refused:
        return Registered(NAME, scope, path, problem=refused.message)
    hooks = tuple(_hook(root, spot) for spot in settings.ours_in(root))
    there = {hook.event for hook in hooks}
    line, off = settings.status_line(root), root.get("disableAllHooks")
    return Registered(
        NAME,
        scope,
        path,
        hooks,
        tuple(event for event in EVENTS if event not in there),
        line is not None and line.is_ours,
        off is not None and off.text == "true",
    )


def _hook(root: Node, spot: settings.Spot) -> Hook:
    matcher = root.at("hooks", spot.event, spot.group, "matcher")
    handler = root.at("hooks", spot.event, spot.group, "hooks", spot.handler)
    assert handler is not None
    on_failure, command, arguments = (handler.get(name) for name in ("onFailure", "command", "args"))
    interpreter = (command.string if command else None) or ""

    texts = [each.string or "" for each in (arguments.inside if arguments else ())]
    needed = [interpreter, *(path for code in texts for path in program.paths_of(code))]
    missing = tuple(path for path in needed if os.path.isabs(path) and not os.path.exists(path))
    is_blocking = on_failure is not None and on_failure.string == "block"
    return Hook(spot.event, (matcher.string if matcher else None) or "", is_blocking, interpreter, missing)
