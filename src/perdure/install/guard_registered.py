"""Checks quickly whether the guard is still registered where `perdure init` put it. `doctor` proves more.

An agent inside a transaction may change anything, and may lose a settings file with that (`git stash -a`). The client
drops hooks at once when they are gone from its settings, so no hook can report it: transitions and `status` do.

Each client's installer knows its own files (`Installer.guard_in`). An entry of a client that has no installer is passed
over: no version of Perdure that runs here has written it.
"""

from __future__ import annotations

import os

from perdure.files import read_text
from perdure.install import install_record
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


@value
class GuardFile:
    """A settings file in which the guard was registered; `why` says why it does not run, if so."""

    client: str
    scope: str
    path: str
    is_missing: bool
    why: str


def missing_guards(root: str, home: str) -> list[str]:
    """A sentence for each settings file that no longer registers the guard. One that a person removed with `perdure
    uninstall` in this project is not missed; one that was removed in another project, and was this one's too, is."""
    found = guards(root, home)
    removed = "" if found else install_record.removed_from(home, root)
    if removed:
        why = (
            f"the guard was removed from {removed} by perdure uninstall in another project, and nothing guards this one"
        )
        return [f"{why}: perdure init restores it."]
    return [guard.why for guard in found if guard.why]


def guards(root: str, home: str) -> list[GuardFile]:
    """The settings files in which something was installed for the project or for the person, as the home recorded
    it."""
    found = [*install_record.read(home, root), *install_record.read(home, "")]
    files = sorted({(entry.scope, os.path.join(root, entry.settings), entry.client) for entry in found})
    if not files:
        return []
    from perdure.install.installer import installers  # not light, and `status` asks in every project

    known = installers()
    looked = [known[client].guard_in(scope, path) for scope, path, client in files if client in known]
    return [guard for guard in looked if guard]


def guard_file(
    client: str, scope: str, path: str, *, needs: tuple[str, ...], why_off: Callable[[str], str] | None = None
) -> GuardFile:
    """Looks into a settings file. The guard is registered if its text has all that it `needs`; it runs, unless
    `why_off` says of the text why it does not."""
    text = read_text(path) or ""
    if all(each in text for each in needs):
        return GuardFile(client=client, scope=scope, path=path, is_missing=False, why=why_off(text) if why_off else "")
    from perdure.install.installer import USER

    command = "init" if scope == USER else "heal"
    why = f"the guard is no longer registered in {path}: perdure {command} restores it."
    return GuardFile(client=client, scope=scope, path=path, is_missing=True, why=why)
