"""Reads and writes `installed.json`: what `perdure init` put where, so that `perdure uninstall` can restore everything.

The file is in the project's `.perdure` (scopes local and project) or in Perdure's home (scope user). If it is lost, our
entries are still recognized by their marks; only JSON objects and arrays that were empty before may then be left behind
or removed wrongly.
"""

from __future__ import annotations

import os

from perdure import __version__
from perdure.files import make_folder, read_json, remove, write_whole
from perdure.model.json import compact
from perdure.model.value import fields, replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.model.json import Json

NAME = "installed.json"


@value
class InstalledFile:
    """What was put into one settings file of a client."""

    client: str
    scope: str
    settings: str
    perdure: str = __version__
    files: tuple[str, ...] = ()
    """Files that did not exist before."""
    folders: tuple[str, ...] = ()
    """Folders that did not exist before."""
    made: tuple[str, ...] = ()
    """The JSON objects and arrays in the settings that were not there before."""
    status: str = ""
    """The person's own status line command, as it was written in the settings."""
    allowed: tuple[str, ...] = ()
    """The client's permission rules that we added."""

    def merged(self, older: InstalledFile | None) -> InstalledFile:
        """What was made earlier is still ours."""
        if older is None:
            return self
        return replace(
            self,
            files=_union(older.files, self.files),
            folders=_union(older.folders, self.folders),
            made=_union(older.made, self.made),
            allowed=_union(older.allowed, self.allowed),
        )


def read(path: str) -> list[InstalledFile]:
    found = (read_json(path) or {}).get("installed")
    entries = (_entry(raw) for raw in found) if isinstance(found, list) else ()
    return [entry for entry in entries if entry]


def entry_for(path: str, client: str, scope: str, *, settings: str) -> InstalledFile | None:
    wanted = (client, scope, settings)
    return next((entry for entry in read(path) if (entry.client, entry.scope, entry.settings) == wanted), None)


def write(path: str, client: str, scope: str, *, entries: tuple[InstalledFile, ...]) -> None:
    """Replaces what was recorded for this client and scope. If nothing is left, the record is removed."""
    old = read(path)
    kept = [entry for entry in old if (entry.client, entry.scope) != (client, scope)]
    if [*kept, *entries] == old:
        return
    if not kept and not entries:
        remove(path)
        return
    make_folder(os.path.dirname(path))
    plain = ({name: getattr(entry, name) for name in fields(InstalledFile)} for entry in (*kept, *entries))
    lines = ",\n".join(f"  {compact(raw)}" for raw in plain)
    write_whole(path, f'{{"installed": [\n{lines}\n]}}\n')


def _entry(raw: Json) -> InstalledFile | None:
    if not isinstance(raw, dict) or set(raw) != set(fields(InstalledFile)):
        return None
    texts = {name: content for name, content in raw.items() if isinstance(content, str)}
    lists = {
        name: tuple(content)
        for name, content in raw.items()
        if isinstance(content, list) and all(isinstance(word, str) for word in content)
    }
    has_every_text = set(texts) == {"client", "scope", "settings", "perdure", "status"}
    has_nothing_else = len(texts) + len(lists) == len(raw)
    return InstalledFile(**texts, **lists) if has_every_text and has_nothing_else else None  # type: ignore[arg-type]


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
