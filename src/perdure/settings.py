"""All settings with their defaults, and the files and variables that a value comes from (SPEC 17.4).

A later source overrides an earlier one: default; `~/.perdure/config.toml` (the person, for every project);
`.perdure/config.toml` (the project); `~/.perdure/settings/<digest of the project's path>.toml` (the person, for this
project); environment (`PERDURE_GATE_KNOW`). The person decides on all of them except the project's file, which comes
with the repository.

Invariant: the project's file never makes a setting looser than the person's (`tightened`). What it asked for beyond
that is in `Chosen.refused`; `init`, session start, `status` and `config show` report it.

What is wrong in a file never stops a command: it is in `Settings.wrong`, and session start, `status`, `doctor`,
`heal --check`, `audit verify` and `config show` report it. A key that is wrong there counts as not set, or as its
default where that is stricter. In a variable, and for `config set`, an unknown key or a wrong value is an error. A test
compares docs/configuration.md with this table.

    load(home, root, environment)["gate.know"].value == 0.7
"""

from __future__ import annotations

import os

from perdure.errors import BadInput, Trouble
from perdure.files import name_for_path, read_text
from perdure.model.toml import plain_table
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Scalar: TypeAlias = bool | int | float | str | tuple[str, ...]


_PREFIX = "PERDURE_"
VARIABLES = tuple(_PREFIX + name for name in ("HOME", "PROJECT", "INSTANCE", "CLIENT_SESSION", "DEBUG", "READONLY"))
"""Those that are not settings."""

HIGHER, LOWER, FIRST, FEWER = "higher", "lower", "first", "fewer"
"""Which of two values is stricter: the greater (`true` is greater than `false`), the smaller, the one that comes first
in `choices`, the list with fewer entries."""


@value
class Setting:
    key: str
    default: Scalar
    meaning: str
    stricter: str
    """HIGHER, LOWER, FIRST or FEWER. A project's file may move a value only in this direction."""
    choices: tuple[str, ...] = ()
    """The strictest first."""
    least: float | None = None
    most: float | None = None

    @property
    def variable(self) -> str:
        return _PREFIX + self.key.upper().replace(".", "_")


SETTINGS: dict[str, Setting] = {
    setting.key: setting
    for setting in (
        Setting(
            key="gate.know",
            default=0.70,
            meaning="The gate opens at this `know`, corrected, or more.",
            stricter=HIGHER,
            least=0.0,
            most=1.0,
        ),
        Setting(
            key="gate.uncertainty",
            default=0.35,
            meaning="The gate opens at this `uncertainty`, corrected, or less.",
            stricter=LOWER,
            least=0.0,
            most=1.0,
        ),
        Setting(
            key="gate.mode",
            default="enforce",
            meaning=(
                "What the gate does: denies (enforce), only records what it would have denied (observe), nothing (off)."
            ),
            stricter=FIRST,
            choices=("enforce", "observe", "off"),
        ),
        Setting(
            key="gate.scratch",
            default=(),
            meaning=(
                "Folders for temporary files, besides the system's temporary directories: writing there needs no "
                "transaction."
            ),
            stricter=FEWER,
        ),
        Setting(
            key="gate.readers",
            default=(),
            meaning=(
                "Programs (`mytool`), programs with a sub-command (`mytool list`) and MCP tools "
                "(`mcp__docs__search`) that "
                "only read, whatever their arguments are."
            ),
            stricter=FEWER,
        ),
        Setting(
            key="gate.required",
            default=False,
            meaning=(
                "For hooks that are committed with the project (scope project): a machine without Perdure denies "
                "what may "
                "write, instead of only saying that the guard does not run."
            ),
            stricter=HIGHER,
        ),
        Setting(
            key="gate.contain",
            default=True,
            meaning=(
                "Where the client and the kernel allow it, a shell command runs read-only unless an open transaction "
                "passes the gate. A command whose effect is unknown then runs too, read-only."
            ),
            stricter=HIGHER,
        ),
        Setting(
            key="gate.confidence_floor",
            default=30,
            meaning=(
                "Below this confidence (0 to 100, by what happened in the work), what changes things needs a CHECK "
                "that says proceed after it fell."
            ),
            stricter=HIGHER,
            least=0,
            most=100,
        ),
        Setting(
            key="evidence.mode",
            default="normal",
            meaning=(
                "What happens at the end of a turn if a contract lacks evidence for the files as they are: the agent "
                "has to go on, at most three times in a row (strict) or twice (normal); it is only told (loose); "
                "nothing (off). A contract may be stricter. Without a contract Perdure asks for no evidence."
            ),
            stricter=FIRST,
            choices=("strict", "normal", "loose", "off"),
        ),
        Setting(
            key="transaction.orphans",
            default="warn",
            meaning=(
                "What happens to a transaction whose holder is gone: session start and status name it (warn), session "
                "start closes it (close), or a new PREFLIGHT is refused until it is closed or adopted (ask)."
            ),
            stricter=FIRST,
            choices=("ask", "warn", "close"),
        ),
        Setting(
            key="transaction.orphan_hours",
            default=24,
            meaning="A transaction untouched for this many hours is an orphan, whoever holds it.",
            stricter=LOWER,
            least=1,
            most=24 * 365,
        ),
        Setting(
            key="tasks.scenarios",
            default="warn",
            meaning=(
                "What happens when a task is closed without test scenarios for the happy path, an edge case and error "
                "handling: a warning (warn), a refusal (block), nothing (off)."
            ),
            stricter=FIRST,
            choices=("block", "warn", "off"),
        ),
        Setting(
            key="checkpoint.mode",
            default="warn",
            meaning=(
                "What a checkpoint does about a failed step: only the grounding ratio refuses (warn), or every step "
                "does, and a manual compaction is held back until it passes (strict)."
            ),
            stricter=FIRST,
            choices=("strict", "warn"),
        ),
        Setting(
            key="checkpoint.yellow",
            default=5000,
            meaning=(
                "After so many tokens without a synthesis, what was written down is flushed and the agent is reminded."
            ),
            stricter=LOWER,
            least=1000,
            most=10_000_000,
        ),
        *(
            Setting(
                key=f"compaction.{part}",
                default=default,
                meaning=meaning,
                stricter=FIRST,
                choices=("preserved", "compacted"),
            )
            for part, default, meaning in (
                (
                    "session_continuity",
                    "preserved",
                    "Goal, rules, last request, open transaction, next steps, open questions, blockers and failed "
                    "approaches: named to the summariser, looked for in its summary, given back if they are lost.",
                ),
                ("decision_log", "preserved", "The same for the decisions that stand."),
                ("tasks", "preserved", "The same for the task in progress."),
                ("files", "preserved", "The same for edited files, unresolved errors and commands that check work."),
                (
                    "trajectory",
                    "preserved",
                    "Whether the summariser is told where the trajectory is. It is a file, so a compaction does not "
                    "touch it.",
                ),
                ("tool_results", "compacted", "What the summariser is told about the output of tools."),
                ("thinking", "compacted", "What the summariser is told about the agent's thinking."),
            )
        ),
        Setting(
            key="export.tracked",
            default=False,
            meaning=(
                "Write the ledger, without prompts, as unchanging files under .perdure/export/ for git to track, at "
                "POSTFLIGHT and session end."
            ),
            stricter=LOWER,
        ),
        Setting(
            key="notes.tracked",
            default=False,
            meaning=(
                "Write NOTES.md to the project's root, for git to track, instead of .perdure/NOTES.md. It holds "
                "decisions, notes and tasks, and no prompts."
            ),
            stricter=LOWER,
        ),
    )
}

_NOTHING_OPENS = {"gate.know": 1.0, "gate.uncertainty": 0.0}
MOST_WRONG_TOLD = 5
LARGEST_FILE, LONGEST_LINE = 1 << 16, 1000
"""The TOML parser needs seconds for a long dotted key. A repository brings its file, and a hook must not wait."""


@value
class WrongSetting:
    """What is wrong in one file: one key, or the whole file if `key` is empty."""

    path: str
    key: str
    error: BadInput | Trouble | None = None
    """None if there is no such key: the words for that need a search for the nearest one, which a hook does not
    need."""

    @property
    def words(self) -> str:
        """What is wrong and what to do. A repository's author may have written the key, and an agent reads this."""
        error = self.error or _unknown(self.key if _is_key(self.key) else "…", self.path, _edit(self.path))
        return f"{error.message} {error.hint}".strip()


@value
class Chosen:
    """A setting's value and where it came from."""

    setting: Setting
    value: Scalar
    origin: str
    refused: Scalar | None = None
    """What the project's file asked for and did not get, because it is looser than the person's own."""


class Settings(dict[str, Chosen]):
    """Every setting by its key."""

    wrong: tuple[WrongSetting, ...] = ()
    """What is wrong in the files that the values come from."""
    unreadable: WrongSetting | None = None
    """A file of the person's that cannot be read."""


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """What to say of each variable that begins like ours and is not ours (SPEC 17.7)."""
    given = [name for name in environment if name.startswith(_PREFIX) and name not in VARIABLES]
    if not given:  # as nearly always
        return []
    from difflib import get_close_matches

    known = [*VARIABLES, *(setting.variable for setting in SETTINGS.values())]
    told = []
    for name in sorted(set(given) - set(known)):
        near = get_close_matches(name, known, n=1, cutoff=0.75)
        meant = f"did you mean {near[0]}?" if near else "docs/configuration.md lists those that have."
        told.append(f"The variable {name[:80]} has no meaning for Perdure; {meant}")
    return told


def load(home: str, root: str | None, environment: Mapping[str, str]) -> Settings:
    chosen = Settings({key: Chosen(setting, setting.default, "default") for key, setting in SETTINGS.items()})
    _override(chosen, user_file(home))
    if root:
        _tighten(chosen, project_file(root))
        _override(chosen, persons_project_file(home, root))
    for key, setting in SETTINGS.items():
        text = environment.get(setting.variable)
        if text is not None:
            given = from_text(setting, text, setting.variable)
            chosen[key] = Chosen(setting=setting, value=given, origin=setting.variable, refused=chosen[key].refused)
    return chosen


def in_doubt(chosen: Settings, key: str, last_file: str) -> WrongSetting | None:
    """What is wrong in a file that may have set this key; None if a source that counts more sets it. `last_file` is the
    file that counts most: `persons_project_file`."""
    found = [each for each in chosen.wrong if each.key in ("", key)]
    if chosen[key].origin == chosen[key].setting.variable:
        return None
    if chosen[key].origin == last_file:
        found = [each for each in found if each.path == last_file]
    return found[0] if found else None


def _override(chosen: Settings, path: str) -> None:
    """A file in the person's home: its values count as they are. If it cannot be read, it may have made the gate
    stricter than the default: until it can, no assessment opens the gate."""
    for key, given in _read_file(chosen, path).items():
        chosen[key] = Chosen(SETTINGS[key], given, path)
    chosen.unreadable = next((each for each in chosen.wrong if each.path == path and not each.key), chosen.unreadable)
    if chosen.unreadable:
        for key, strictest in _NOTHING_OPENS.items():
            chosen[key] = Chosen(SETTINGS[key], strictest, path)


def _tighten(chosen: Settings, path: str) -> None:
    """The project's file: its values count only if they are stricter (SPEC 17.4)."""
    for key, given in _read_file(chosen, path).items():
        before = chosen[key]
        kept = tightened(before.setting, before.value, given)
        origin = before.origin if kept == before.value else path
        chosen[key] = Chosen(setting=before.setting, value=kept, origin=origin, refused=_asked_beyond(given, kept))


def _asked_beyond(given: Scalar, kept: Scalar) -> Scalar | None:
    if given == kept:
        return None
    if isinstance(given, tuple) and isinstance(kept, tuple):
        return tuple(each for each in given if each not in kept) or None
    return given


def tightened(setting: Setting, persons: Scalar, projects: Scalar) -> Scalar:
    """The project's value if it is stricter than the person's, otherwise the person's. Pure."""
    if setting.stricter == FEWER:
        assert isinstance(persons, tuple)
        assert isinstance(projects, tuple)
        return tuple(each for each in persons if each in projects)
    return projects if _strictness(setting, projects) > _strictness(setting, persons) else persons


def _strictness(setting: Setting, given: Scalar) -> float:
    if setting.stricter == FIRST:
        return -setting.choices.index(str(given))
    assert isinstance(given, int | float)
    return given if setting.stricter == HIGHER else -given


def is_loosening(setting: Setting, persons: Scalar, wanted: Scalar) -> bool:
    """Whether a project's file cannot set this, because it is looser: the person must set it in their own home."""
    return _asked_beyond(wanted, tightened(setting, persons, wanted)) is not None


def refusals(chosen: Settings) -> list[str]:
    """What the project's file asked for and did not get. List entries are counted, not quoted: an agent reads these
    sentences, and the author of the repository chose the entries."""
    return [
        f".perdure/config.toml asks for {_asked(each.setting.key, each.refused)}, which is not granted: a repository "
        f"may only make a setting stricter. A person can grant it here with perdure config set."
        for each in chosen.values()
        if each.refused is not None
    ]


def looser_than_default(chosen: Settings) -> list[Chosen]:
    """What switches the gate off or makes it looser than by default. Readers and scratch folders are meant to be in the
    person's own files; they count only if a variable gives them."""
    return [
        each
        for key, each in chosen.items()
        if key.startswith("gate.")
        and tightened(each.setting, each.value, each.setting.default) != each.value
        and (each.setting.stricter != FEWER or each.origin == each.setting.variable)
    ]


def remedy(each: Chosen, home: str, root: str | None) -> str:
    """How a person takes this value back."""
    if each.origin == user_file(home):
        return f"perdure config unset {each.setting.key} --user"
    if root and each.origin == persons_project_file(home, root):
        return f"perdure config unset {each.setting.key}"
    return f"Unset {each.origin}."


def _asked(key: str, refused: Scalar) -> str:
    if isinstance(refused, tuple):
        from perdure.model.plural import counted  # the gate loads this module but never needs this

        return f"{counted(len(refused), 'more entry', 'more entries')} in {key}"
    return f"{key} = {in_words(refused)}"


def in_words(given: Scalar) -> str:
    if isinstance(given, tuple):
        return ", ".join(given) or "—"
    return str(given).lower() if isinstance(given, bool) else str(given)


def user_file(home: str) -> str:
    return os.path.join(home, "config.toml")


def project_file(root: str) -> str:
    return os.path.join(root, ".perdure", "config.toml")


def persons_project_file(home: str, root: str) -> str:
    """The file is named after the folder's path, not the project's id: a repository brings its id and could claim
    any."""
    return os.path.join(home, "settings", name_for_path(root) + ".toml")


def _read_file(chosen: Settings, path: str) -> dict[str, Scalar]:
    """What the file sets. What is wrong in it goes to `chosen.wrong`, and loosens nothing: the file may have been meant
    to make the setting stricter than it is without the file."""
    try:
        given, wrong = parse(_text_of(path), path)
    except (BadInput, Trouble) as error:
        given, wrong = {}, [WrongSetting(path, "", error)]
    chosen.wrong += tuple(wrong)
    for each in wrong:
        for key in (each.key,) if each.key else SETTINGS:
            before = chosen.get(key)
            kept = tightened(before.setting, before.value, before.setting.default) if before else None
            if before and kept is not None and kept != before.value:
                chosen[key] = Chosen(setting=before.setting, value=kept, origin="default", refused=before.refused)
    return given


def _text_of(path: str) -> str:
    """Empty if there is no file. Raises if something else is there, such as a folder, a pipe, or a link that leads
    nowhere: to read that as no settings could loosen what the person set."""
    text = read_text(path)
    if text is not None:
        return text
    folder = os.path.dirname(path)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise _not_readable(folder, "a folder")
    if os.path.lexists(path):
        raise _not_readable(path, "a file")
    return ""


def _not_readable(path: str, wanted: str) -> BadInput:
    return BadInput(
        "bad_config",
        f"{path} is not {wanted} that can be read, and Perdure keeps settings there.",
        hint="A person moves it away, and puts the settings back that were there. Where there is nothing, the defaults "
        "count.",
    )


def parse(text: str, path: str) -> tuple[dict[str, Scalar], list[WrongSetting]]:
    """What a settings file sets, and which of its keys are wrong. An error if it is not TOML."""
    given: dict[str, Scalar] = {}
    wrong: list[WrongSetting] = []
    for key, content in _all_keys(text, path).items():
        if key not in SETTINGS:
            wrong.append(WrongSetting(path, key))
            continue
        try:
            given[key] = checked(SETTINGS[key], content, path)
        except BadInput as error:
            wrong.append(WrongSetting(path, key, error))
    return given, wrong


def wrong_in_files(chosen: Settings) -> list[str]:
    """What is wrong in the settings files, as sentences; not more than a reader needs."""
    told = [f"{each.words} Until then it counts as not set." for each in chosen.wrong[:MOST_WRONG_TOLD]]
    left = len(chosen.wrong) - len(told)
    return [*told, f"{left} more keys in the settings files are wrong."] if left > 0 else told


def _all_keys(text: str, path: str) -> dict[str, Any]:
    found = plain_table(text)
    if found is not None:
        return found
    import tomllib  # its regular expressions cost a hook 7 ms

    if len(text) > LARGEST_FILE or any(len(line) > LONGEST_LINE for line in text.splitlines()):
        raise BadInput(
            "bad_config",
            f"{path}: it has more than {LARGEST_FILE} characters, or a line of more than {LONGEST_LINE}.",
            hint="Shorten the file, or break the line.",
        )
    try:
        return dict(_flat(tomllib.loads(text), ""))
    except (
        ValueError,
        RecursionError,
    ) as error:  # besides what is not TOML: numbers and nesting beyond Python's limits
        raise BadInput(
            "bad_config", f"{path}: {error}.", hint="Correct the file; it is TOML, such as gate.know = 0.7."
        ) from error


def _flat(table: dict[str, Any], prefix: str) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, content in table.items():
        rows += _flat(content, f"{prefix}{name}.") if isinstance(content, dict) else [(prefix + name, content)]
    return rows


def _is_key(text: str) -> bool:
    """Whether the text can be shown to an agent: a name, and no sentence."""
    return len(text) <= 40 and text.isascii() and all(c.isalnum() or c in "._-" for c in text)


def _edit(path: str) -> str:
    return f"Edit {path}: correct the key or remove its line. docs/configuration.md lists them all."


def known(key: str, where: str) -> Setting:
    """The setting with this key."""
    if key not in SETTINGS:
        raise _unknown(key, where, "perdure config show lists them all.")
    return SETTINGS[key]


def _unknown(key: str, where: str, way_out: str) -> BadInput:
    from difflib import get_close_matches

    nearest = get_close_matches(key, SETTINGS, n=1, cutoff=0.0)[0]
    return BadInput(
        "unknown_setting",
        f"{where}: there is no setting '{key[:60]}'.",
        hint=f"Did you mean {nearest}? {way_out}",
        details={"key": key[:60], "nearest": nearest},
    )


def checked(setting: Setting, given: Any, where: str) -> Scalar:
    """The value, if this setting may have it. `where`: the file, variable or key that gives it."""
    if isinstance(setting.default, bool):
        is_allowed, wanted = isinstance(given, bool), "true or false"
    elif isinstance(setting.default, tuple):
        is_allowed, wanted = _are_entries(given), "a list of words, without commas, quotes or backslashes"
    elif isinstance(setting.default, str):
        is_allowed, wanted = given in setting.choices, f"one of {', '.join(setting.choices)}"
    elif not _is_number(given):
        is_allowed, wanted = False, "a number"
    else:
        is_allowed, wanted = _is_within_bounds(given, setting), f"from {setting.least} to {setting.most}"
    if not is_allowed:
        raise _bad_setting(setting, f"must be {wanted}", where)
    allowed: Scalar = tuple(given) if isinstance(given, list) else given
    return allowed


def _bad_setting(setting: Setting, why: str, where: str) -> BadInput:
    what = f"{where}: {setting.key} {why}."
    hint = f"Correct it there, or remove it: then {setting.key} is {in_words(setting.default)}."
    if where == setting.key:  # it was given to `perdure config set`, so there is no file or variable to correct
        what = f"{setting.key} {why}."
        hint = f"perdure config set {setting.key} VALUE; {_allowed(setting)}."
    return BadInput("bad_setting", what, hint=hint, details={"key": setting.key})


def _is_number(given: object) -> bool:
    """Neither `true` nor NaN counts; NaN is the only number that differs from itself."""
    return isinstance(given, int | float) and not isinstance(given, bool) and given == given


def _is_within_bounds(given: float, setting: Setting) -> bool:
    if setting.least is not None and given < setting.least:
        return False
    return setting.most is None or given <= setting.most


def _allowed(setting: Setting) -> str:
    """What values are allowed, and the default."""
    if isinstance(setting.default, bool):
        may = "true or false"
    elif setting.choices:
        may = f"one of {', '.join(setting.choices)}"
    elif isinstance(setting.default, tuple):
        may = "words separated by commas"
    else:
        may = f"a number from {setting.least} to {setting.most}"
    return f"VALUE is {may}, by default {in_words(setting.default)}"


def _are_entries(given: object) -> bool:
    return isinstance(given, list | tuple) and all(_is_entry(each) for each in given)


def _is_entry(each: object) -> bool:
    return isinstance(each, str) and bool(each.strip()) and each.isprintable() and not set(each) & set(",\"'\\#")


def from_text(setting: Setting, text: str, where: str) -> Scalar:
    """A value given as text: in the environment, or to `perdure config set`."""
    given: object = text
    if isinstance(setting.default, bool):
        given = {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)
    elif isinstance(setting.default, tuple):
        given = [each.strip() for each in text.split(",") if each.strip()]
    elif not isinstance(setting.default, str):
        try:
            given = float(text) if "." in text or "e" in text.lower() else int(text)
        except ValueError:
            given = text
    return checked(setting, given, where)
