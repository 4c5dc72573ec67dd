"""Does strict mode hold a manual compaction back although the checkpoint itself failed, and how does a person lift it?
(SPEC 9.2)

In strict mode what could not be decided is refused. So whatever the hook raises holds the compaction back, if strict
can be read from some source: another variable that is wrong does not matter, and if `PERDURE_CHECKPOINT_MODE` itself is
wrong, the files decide. If no source that can be read says strict, nothing is held back: nobody asked for it.

    chosen_mode(home, root, environment).value == "strict"
"""

from __future__ import annotations

import os
from shlex import quote

from perdure.errors import BadInput, PerdureError
from perdure.model.checkpoint import STRICT
from perdure.place import project, repository
from perdure.place.client_variables import in_settings_files
from perdure.place.home import VARIABLE as HOME
from perdure.place.home import home_folder
from perdure.settings import SETTINGS, load, persons_project_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.actions.request import Request
    from perdure.settings import Chosen

KEY = "checkpoint.mode"
HELD = "Perdure holds this compaction back (checkpoint.mode is strict)."


def chosen_mode(home: str, root: str | None, environment: Mapping[str, str]) -> Chosen:
    variable = SETTINGS[KEY].variable
    own = {variable: environment[variable]} if variable in environment else {}
    try:
        return load(home, root, own)[KEY]
    except BadInput:  # the variable is wrong
        return load(home, root, {})[KEY]


def project_above(folder: str) -> str | None:
    """The project of a folder, for a hook that could not find out more."""
    return next((each for each in repository.upward(folder) if project.is_project(each)), None)


def why_in_doubt(request: Request, root: str | None, error: BaseException) -> str:
    """Why the compaction must wait although nothing was decided; empty if strict is not set."""
    home = _home(request.environment)
    mode = chosen_mode(home, root, request.environment)
    if mode.value != STRICT:
        return ""
    what = f"{type(error).__name__}: {error}. perdure doctor says more."
    if isinstance(error, PerdureError):
        what = f"{error.message} {error.hint}".strip()
    undecided = "Whether everything is written down could not be decided."
    return f"{HELD} {undecided} {what} Then compact again. {how_to_lift(mode, home, root, request=request)}"


def _home(environment: Mapping[str, str]) -> str:
    try:
        return home_folder(environment)
    except BadInput:  # PERDURE_HOME is not a path
        return home_folder({name: content for name, content in environment.items() if name != HOME})


def how_to_lift(mode: Chosen, home: str, root: str | None, *, request: Request) -> str:
    """What a person does so that the compaction is not held back, depending on where strict comes from."""
    variable = mode.setting.variable
    if mode.origin == variable:
        return _unset(variable, request)
    if root and project.is_project(root):
        at = "" if project_above(request.cwd) == root else f" --project-path {quote(root)}"
        return f"A person can lift this: perdure config set {KEY} warn{at}"
    if root and mode.origin == persons_project_file(home, root):
        return f"A person can lift this: remove the mode from [checkpoint] in {mode.origin}."
    return f"A person can lift this: perdure config set {KEY} warn --user"


def _unset(variable: str, request: Request) -> str:
    """`config set` does not help: a variable outranks every file."""
    given = in_settings_files(request.environment, request.cwd)
    path = next((each.path for each in given if each.name == variable and each.is_persons), "")
    if path:
        return f"A person can lift this: {variable} is in the env of {os.path.abspath(path)}; remove it there."
    return (
        f"A person can lift this: the environment of the client has {variable}={STRICT}. Start the client without it, "
        f"or with {variable}=warn."
    )
