"""Changing a setting: one line of a TOML file a person may have written by hand, and nothing else in it (SPEC 17.4)."""

from __future__ import annotations

from perdure import settings
from perdure.errors import BadInput, Refused
from perdure.files import make_folder, read_text, write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.settings import Scalar, Setting


def set_value(path: str, key: str, text: str) -> Scalar:
    from perdure.actions.record import in_the_clear

    setting = settings.known(key, "perdure config set")
    given = settings.from_text(setting, in_the_clear(text, f"The value of {key}"), key)
    before = read_text(path) or ""
    settings.parse(before, path)
    _write(path, _with(before, setting, _toml(given)), key, given)
    return given


def unset(path: str, key: str) -> bool:
    """True where it was set there."""
    setting = settings.known(key, "perdure config unset")
    before = read_text(path) or ""
    if key not in settings.parse(before, path):
        return False
    _write(path, _with(before, setting, None), key, None)
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
    table, end = "", None
    for number, line in enumerate(lines):
        code, comment = _split(line)
        if code.startswith("["):
            table = code.strip("[] ")
        written = code.partition("=")[0].strip()
        if (table == section and written == name) or (table == "" and written == setting.key):
            lines[number : number + 1] = [] if content is None else [f"{written} = {content}{comment}"]
            return "\n".join(lines) + "\n" if lines else ""
        if table == section and code:
            end = number + 1
    if end is not None:
        lines.insert(end, f"{name} = {content}")
    else:
        lines += [*([""] if lines else []), f"[{section}]", f"{name} = {content}"]
    return "\n".join(lines) + "\n"


def _split(line: str) -> tuple[str, str]:
    """A line and the comment behind it, with the space before that. None of our values has a # in it."""
    code = line.partition("#")[0].rstrip()
    return code.strip(), line[len(code) :] if "#" in line else ""


def _write(path: str, text: str, key: str, expected: Scalar | None) -> None:
    """Written only where the file then says what was meant: TOML has more ways to write a key than we edit."""
    try:
        is_meant = settings.parse(text, path).get(key) == expected
    except BadInput:
        is_meant = False
    if not is_meant:
        raise Refused(
            "config_by_hand", f"{path} is written in a way this command does not edit.", hint=f"Set {key} by hand."
        )
    make_folder(path.rpartition("/")[0])
    write_whole(path, text, mode=0o644)
