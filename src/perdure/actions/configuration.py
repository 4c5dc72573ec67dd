"""Changes a setting: edits one line of a TOML file, which a person may have written, and nothing else in it (SPEC
17.4).

A value for one project that is stricter than the person's own goes into the project's file, which may be committed. A
looser one goes into a file in the person's home, because a repository may not loosen anything (docs/adr/0027).
"""

from __future__ import annotations

from perdure import settings
from perdure.actions.other_repository import required_root
from perdure.actions.wiring import announce
from perdure.errors import BadInput, Refused
from perdure.files import make_folder, read_text, write_whole
from perdure.model.value import value
from perdure.place.own_instance import refuse_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.settings import Chosen, Scalar, Setting


@value
class SettingChange:
    value: Scalar
    path: str
    loosens: bool = False
    """The value weakens a protection in this project; that is why it is in the person's home."""


def in_effect(resolved: ResolvedRequest, key: str) -> Chosen | None:
    """What the setting is here after a change, and where that comes from: another file or a variable may outrank the
    one that was changed. None if a variable is wrong; then commands and hooks say so."""
    try:
        return settings.load(resolved.home, resolved.place.project_path, resolved.request.environment)[key]
    except BadInput:
        return None


def set_for_person(resolved: ResolvedRequest, key: str, text: str) -> SettingChange:
    setting, given = _parsed(resolved, key, text)
    path = settings.user_file(resolved.home)
    _set_in(path, setting, given)
    return SettingChange(given, path)


def set_for_project(resolved: ResolvedRequest, key: str, text: str) -> SettingChange:
    setting, given = _parsed(resolved, key, text)
    announce(resolved)
    root = required_root(resolved)
    shared, own = settings.project_file(root), settings.persons_project_file(resolved.home, root)
    if settings.is_loosening(setting, settings.load(resolved.home, None, {})[key].value, given):
        _set_in(own, setting, given, heading=f"# The person's own settings for {root}\n")
        return SettingChange(given, own, loosens=True)
    _set_in(shared, setting, given)
    _unset_in(own, setting)  # otherwise it would override the project's
    return SettingChange(given, shared)


def unset_for_person(resolved: ResolvedRequest, key: str) -> list[str]:
    """Returns the files from which it was removed."""
    setting = settings.known(key, "config unset")
    _refuse_agent(resolved)
    return _unset_in_all([settings.user_file(resolved.home)], setting)


def unset_for_project(resolved: ResolvedRequest, key: str) -> list[str]:
    setting = settings.known(key, "config unset")
    _refuse_agent(resolved)
    announce(resolved)
    root = required_root(resolved)
    return _unset_in_all([settings.persons_project_file(resolved.home, root), settings.project_file(root)], setting)


def _parsed(resolved: ResolvedRequest, key: str, text: str) -> tuple[Setting, Scalar]:
    from perdure.actions.record import refuse_credential

    setting = settings.known(key, "config set")
    _refuse_agent(resolved)
    return setting, settings.from_text(setting, refuse_credential(text, f"The value of {key}"), key)


def _refuse_agent(resolved: ResolvedRequest) -> None:
    """The gate denies an agent this command (SPEC 5.5); a script that an agent runs must not get around that."""
    refuse_agent(
        resolved.place,
        resolved.around,
        "Only a person may change settings, and an agent's client started this command.",
    )


def _set_in(path: str, setting: Setting, given: Scalar, *, heading: str = "") -> None:
    before = read_text(path) or heading
    settings.parse(before, path)  # an error if it is not TOML
    _write(path, _with(before, setting, _toml(given)), setting.key, expected=given)


def _unset_in_all(paths: list[str], setting: Setting) -> list[str]:
    return [path for path in paths if _unset_in(path, setting)]


def _unset_in(path: str, setting: Setting) -> bool:
    """Returns whether it was set there."""
    before = read_text(path) or ""
    given, wrong = settings.parse(before, path)
    if setting.key not in given and all(each.key != setting.key for each in wrong):
        return False
    _write(path, _with(before, setting, None), setting.key, expected=None)
    return True


def _toml(given: Scalar) -> str:
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, tuple):
        return "[" + ", ".join(f'"{each}"' for each in given) + "]"
    return f'"{given}"' if isinstance(given, str) else repr(given)


def _with(text: str, setting: Setting, content: str | None) -> str:
    """The file's lines with this key's line replaced, removed, or added at the end of its table."""
    section, _, name = setting.key.rpartition(".")
    lines = text.splitlines()
    number, end_of_table = _find(setting, lines)
    if number is not None and content is None:
        del lines[number]
    elif number is not None:
        code, comment = _split(lines[number])
        lines[number] = f"{_key_in(code)} = {content}{comment}"
    elif end_of_table is not None:
        lines.insert(end_of_table, f"{name} = {content}")
    else:
        if lines:
            lines.append("")
        lines += [f"[{section}]", f"{name} = {content}"]
    return "\n".join(lines) + "\n" if lines else ""


def _find(setting: Setting, lines: list[str]) -> tuple[int | None, int | None]:
    """The number of the key's line, if it has one; and the number of the line after the last of its table."""
    section, _, name = setting.key.rpartition(".")
    table, end_of_table = "", None
    for number, line in enumerate(lines):
        code, _ = _split(line)
        if code.startswith("["):
            table = code.strip("[] ")
        if (table, _key_in(code)) in ((section, name), ("", setting.key)):
            return number, end_of_table
        if table == section and code:
            end_of_table = number + 1
    return None, end_of_table


def _key_in(code: str) -> str:
    return code.partition("=")[0].strip()


def _split(line: str) -> tuple[str, str]:
    """The code of a line, and the comment after it with the space before that. None of our values contains a #."""
    code = line.partition("#")[0].rstrip()
    comment = line[len(code) :] if "#" in line else ""
    return code.strip(), comment


def _write(path: str, text: str, key: str, *, expected: Scalar | None) -> None:
    """Writes the file only if it then has the intended value: TOML has more ways to write a key than we can edit."""
    try:
        given, wrong = settings.parse(text, path)
        is_meant = given.get(key) == expected and all(each.key != key for each in wrong)
    except BadInput:
        is_meant = False
    if not is_meant:
        raise Refused(
            "config_by_hand", f"{path} is written in a way that this command cannot edit.", hint=f"Set {key} by hand."
        )
    make_folder(path.rpartition("/")[0])
    write_whole(path, text, mode=0o644)
