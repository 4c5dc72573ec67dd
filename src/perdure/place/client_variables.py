"""Variables that a client's settings files set, as far as they decide how Perdure works (SPEC 17.4, 19).

A client gives its hooks and shells the variables that its settings files name. The files of a project come with the
repository, and a repository may not loosen the gate. So a variable from such a file is taken out of the environment
before anything reads it: it could name another home, whose settings switch the gate off, or say so itself. What the
person's own settings file sets counts, like what their shell sets (docs/adr/0040).
"""

from __future__ import annotations

import os

from perdure import clients
from perdure.files import open_to_read
from perdure.model.json import parse
from perdure.model.value import value
from perdure.place import repository
from perdure.place.home import VARIABLE as HOME_VARIABLE
from perdure.place.process import ancestry, of_this_machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from perdure.clients import SettingsFiles
    from perdure.model.json import Json

OURS = "PERDURE_"
GATE = "PERDURE_GATE_"
"""How the variables begin that set the gate. They and the one that names Perdure's home decide most."""
SESSION_VARIABLE = "PERDURE_CLIENT_SESSION"
"""Set in the shells of a client, by the hook at a session's start."""
HOME, TEMPORARY = "HOME", "TMPDIR"
"""Perdure's home is in the first by default; what is in the second needs no transaction."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""How a file of this encoding begins, which a client may read."""


@value
class ClientVariable:
    """A variable that a settings file of a client sets."""

    name: str
    content: str
    path: str
    is_persons: bool
    """The file is the person's own. Otherwise it is in a project, and the variable does not count."""


def ignore_the_projects(environment: MutableMapping[str, str]) -> None:
    """Takes those variables out of the environment that a client has from a settings file in a project."""
    settled = _restore_what_the_client_started_with(environment)
    found = in_settings_files(environment, working_directory())
    persons = {(each.name, each.content) for each in found if each.is_persons}
    for each in found:
        if each.name in settled or (each.name, each.content) in persons or environment.get(each.name) != each.content:
            continue
        if each.name == HOME:
            environment[HOME] = _home_of_user()
        else:
            del environment[each.name]


def _restore_what_the_client_started_with(environment: MutableMapping[str, str]) -> set[str]:
    """A client keeps a variable of a settings file that was changed or deleted since. Where the system shows with which
    environment the client was started, a variable counts if it is in that or in the person's own settings file. Returns
    the names of those that are right now."""
    decisive = {name for name in environment if name == HOME_VARIABLE or name.startswith(GATE)}
    if not decisive and SESSION_VARIABLE not in environment:  # as for most people
        return set()
    started_with = _environment_of_client()
    if started_with is None:
        return set()
    persons = {each.name: each.content for each in in_settings_files(started_with, "") if each.is_persons}
    for name in {*decisive, HOME_VARIABLE}:
        given, started = environment.get(name), started_with.get(name)
        if given == started or (given is not None and persons.get(name) == given):
            continue
        if started is None:
            del environment[name]
        else:
            environment[name] = started
    return {*decisive, HOME_VARIABLE}


def _environment_of_client() -> dict[str, str] | None:
    """What the nearest client above this process was started with. None if there is none, or the system does not show
    it."""
    if not os.path.exists("/proc/self/environ"):
        return None
    client = next((each for each in ancestry(os.getpid(), of_this_machine()) if each.client), None)
    if client is None:
        return None
    try:
        with open(f"/proc/{client.pid}/environ", "rb") as file:
            pairs = [os.fsdecode(each).partition("=") for each in file.read().split(b"\0")]
    except OSError:
        return None
    return {name: content for name, is_set, content in pairs if is_set} or None


def in_settings_files(environment: Mapping[str, str], folder: str) -> list[ClientVariable]:
    """The variables that concern Perdure in the settings files that count for a client in this folder."""
    return [each for files in clients.settings_files() if files.env for each in _in_files(files, environment, folder)]


def that_move_the_home(environment: Mapping[str, str], *folders: str) -> list[ClientVariable]:
    """Variables of a project's settings files that would give the client another home of Perdure's. They do not count;
    but where the system does not show what the client was started with, neither does what the person's shell said in
    their place, so this home may not be the person's."""
    names = (HOME_VARIABLE,) if environment.get(HOME_VARIABLE) else (HOME_VARIABLE, HOME)
    found = (each for folder in folders for each in in_settings_files(environment, folder))
    return [each for each in dict.fromkeys(found) if each.name in names and not each.is_persons]


def _in_files(files: SettingsFiles, environment: Mapping[str, str], folder: str) -> list[ClientVariable]:
    paths = _paths(files, environment, folder)
    found = {path: given for path in paths if (given := _variables(path, files, environment))}
    moved = {name for given in found.values() for name, content in given.items() if environment.get(name) == content}
    person = os.path.join(_persons_folder(files, environment, moved), files.names[0])
    rows = {path: given for path, given in found.items() if os.path.realpath(path) != os.path.realpath(person)}
    return [
        ClientVariable(name=name, content=content, path=path, is_persons=path == person)
        for path, given in (*rows.items(), (person, _variables(person, files, environment)))
        for name, content in given.items()
    ]


def paths_of_settings(environment: Mapping[str, str], folder: str) -> list[str]:
    """The settings files that may count for a client in this folder, whether they are there or not."""
    found = []
    for files in clients.settings_files():
        if files.env:
            person = _persons_folder(files, environment, set())
            found += [*_paths(files, environment, folder), os.path.join(person, files.names[0])]
    return found


def _paths(files: SettingsFiles, environment: Mapping[str, str], folder: str) -> list[str]:
    starts = [start for start in (environment.get(files.project_variable, ""), folder) if os.path.isabs(start)]
    folders = list(dict.fromkeys(each for start in starts for each in _folders(start)))
    return [os.path.join(each, files.folder, name) for each in folders for name in files.names]


def _folders(start: str) -> list[str]:
    """The folders whose settings a client may read that was started here or below. For a linked work tree it also
    reads those of the main one."""
    found = repository.enclosing(start)
    return [*repository.upward(start), *([found.main] if found else [])]


def _persons_folder(files: SettingsFiles, environment: Mapping[str, str], moved: set[str]) -> str:
    """Where the person's own settings are. A project's file must not be able to say that it is there itself."""
    named = environment.get(files.variable, "") if files.variable not in moved else ""
    home = environment.get(HOME, "") if HOME not in moved else ""
    return named or os.path.join(home or _home_of_user(), files.folder)


def _variables(path: str, files: SettingsFiles, environment: Mapping[str, str]) -> dict[str, str]:
    """What is not text, the client turns into one in its own way; such a variable counts as the one we were given."""
    names = (HOME, TEMPORARY, files.variable)
    return {
        name: content if isinstance(content, str) else environment.get(name, str(content))
        for name, content in _all_variables(path, files).items()
        if name.startswith(OURS) or name in names
    }


def _all_variables(path: str, files: SettingsFiles) -> dict[str, Json]:
    try:
        with open_to_read(path) as file:
            content = file.read()
        if content[:2] in _UTF_16:
            content = content.decode("utf-16", "replace").encode()
        if f'"{files.env}"'.encode() not in content and b"\\u" not in content:
            return {}  # as in most files; an escape may hide the name
        found = parse(content.decode("utf-8-sig", "surrogateescape"))
    except (OSError, ValueError, RecursionError):  # the client cannot read it either
        return {}
    given = found.get(files.env) if isinstance(found, dict) else None
    return given if isinstance(given, dict) else {}


def _home_of_user() -> str:
    import pwd  # rarely needed

    return pwd.getpwuid(os.getuid()).pw_dir


def working_directory() -> str:
    """Empty if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""
