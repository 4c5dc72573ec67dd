"""`~/.perdure` (or `PERDURE_HOME`): what Perdure keeps outside every project. The folder may be missing or not
writable: bindings are then kept in the project (SPEC 3.2), and the backup falls behind, which `status` reports."""

from __future__ import annotations

import os

from perdure.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "PERDURE_HOME"


def home_folder(environment: Mapping[str, str]) -> str:
    named = environment.get(VARIABLE)
    if named:
        if "\0" in named or not os.path.isabs(named):
            raise BadInput("bad_path", "PERDURE_HOME must be an absolute path.")
        return named
    person = environment.get("HOME") or os.path.expanduser("~")
    return os.path.join(person, ".perdure")


def give_back_path(home: str, client_session: str) -> str:
    """The file with what a compaction lost and is still to be given back to this session (`actions/give_back.py`).
    The guard looks for it, so it is named here: the guard imports this module anyway."""
    return os.path.join(home, "give_back", client_session)


def given_back_path(home: str, client_session: str) -> str:
    """The file with what was given back and is still to be looked up in the client's transcript."""
    return give_back_path(home, client_session) + ".given"


def paused_folder(home: str) -> str:
    """Where pauses of the gate are (`place/pauses.py`). The guard looks whether there is any."""
    return os.path.join(home, "paused")


def shell_program_path(home: str, client: str) -> str:
    """The program through which a client starts its shell commands (`install/shell_program.py` writes it)."""
    return os.path.join(home, "shell", client)


def machine_id(home: str) -> str:
    """The same on every run on one machine. It shows whether a store was copied to another machine (docs/adr/0005)."""
    from perdure.errors import Trouble
    from perdure.files import make_folder, read_text, write_whole
    from perdure.model.ids import new_id

    for known in ("/etc/machine-id", os.path.join(home, "machine")):
        found = (read_text(known) or "").strip()
        if found:
            return found
    made = new_id()
    try:
        make_folder(home)
        write_whole(os.path.join(home, "machine"), made + "\n")
    except Trouble:
        return ""  # nothing distinguishes the machines; `perdure where --explain` says so
    return made
