"""What switches the gate off or loosens it, here or in a client; and what a repository tried in vain (SPEC 17.4).

`status`, `init`, a session's start and `doctor` report it.
"""

from __future__ import annotations

import os

from perdure.actions.pausing import current
from perdure.errors import PerdureError
from perdure.model.moment import local_time
from perdure.model.value import value
from perdure.place.client_variables import in_settings_files
from perdure.place.home import VARIABLE as HOME
from perdure.settings import in_words, load, looser_than_default, remedy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.request import ResolvedRequest
    from perdure.place.client_variables import ClientVariable
    from perdure.settings import Chosen


@value
class GateWarning:
    """`path` is the client's settings file that sets the variable, or empty."""

    words: str
    remedy: str
    path: str = ""
    is_variable: bool = True
    switches_off: bool = False
    does_not_count: bool = False

    def __str__(self) -> str:
        return f"{self.words} {self.remedy}"


def warnings_for(resolved: ResolvedRequest) -> list[GateWarning]:
    """For this shell, and for a client that is started in this folder."""
    environment, cwd = resolved.request.environment, resolved.request.cwd
    root = resolved.place.project_path
    given = in_settings_files(environment, root if root and not os.path.isdir(cwd) else cwd)
    persons = {each.name: each for each in given if each.is_persons}
    found = [*_paused(resolved, root), *(_ignored(each) for each in given if not each.is_persons)]
    if HOME in persons and persons[HOME].content != resolved.home:
        found.append(_another_home(persons[HOME]))
    try:
        chosen = load(resolved.home, root, {**environment, **{name: each.content for name, each in persons.items()}})
    except PerdureError as error:  # of the person's variables; the shell's own would have stopped the command
        return [*found, GateWarning(f"{error.message} Everything that may write is denied.", error.hint)]
    for each in looser_than_default(chosen):
        variable = persons.get(each.setting.variable)
        path = variable.path if variable else ""
        way_back = _remove(variable) if variable else remedy(each, resolved.home, root)
        found.append(
            GateWarning(
                words=_loosened(each, path),
                remedy=way_back,
                path=path,
                is_variable=each.origin == each.setting.variable,
                switches_off=each.setting.key == "gate.mode",
            )
        )
    return found


def of_project(resolved: ResolvedRequest, root: str) -> list[GateWarning]:
    """For a project that need not be the one where the caller stands."""
    try:
        chosen = load(resolved.home, root, resolved.request.environment)
    except PerdureError as error:
        return [GateWarning(error.message, error.hint)]
    loosened = [
        GateWarning(_loosened(each, ""), remedy(each, resolved.home, root)) for each in looser_than_default(chosen)
    ]
    return [*_paused(resolved, root), *loosened]


def _paused(resolved: ResolvedRequest, root: str | None) -> list[GateWarning]:
    found = current(resolved, root) if root else None
    if found is None:
        return []
    why = f" ({found.because})" if found.because else ""
    return [
        GateWarning(
            f"The gate is paused until {local_time(found.until)}{why}: it denies nothing here.",
            "It ends by itself. A person ends it now with perdure pause --end.",
            is_variable=False,
            switches_off=True,
        )
    ]


def _loosened(each: Chosen, path: str) -> str:
    where = f"{each.origin} in the env of {path}" if path else each.origin
    if each.setting.key == "gate.mode":
        return f"The gate is switched to '{each.value}' by {where}: it denies nothing."
    what = f"{each.setting.key} is {in_words(each.value)}, by default {in_words(each.setting.default)}"
    return f"The gate is looser than by default: {what}, by {where}."


def _ignored(each: ClientVariable) -> GateWarning:
    """A repository's author may have written the value, and an agent reads this: the value is not shown."""
    why = "it does not count, because a project's settings may not decide how Perdure works."
    return GateWarning(
        f"{each.path} sets {each.name} for the client: {why}", _remove(each), each.path, does_not_count=True
    )


def _another_home(each: ClientVariable) -> GateWarning:
    if os.path.isabs(each.content):
        then = "in the client Perdure has another home than in this shell, with other settings and transactions."
    else:
        then = "it must be an absolute path. In the client everything that may write is denied."
    return GateWarning(f"{each.path} sets {each.name} to {each.content!r}: {then}", _remove(each), each.path)


def _remove(each: ClientVariable) -> str:
    return f"A person removes {each.name} from 'env' in {each.path}."
