"""The clients that Perdure can be installed for, and the scope for each."""

from __future__ import annotations

from perdure import clients
from perdure.errors import Refused
from perdure.install.base import LOCAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.install.base import InstallContext, Installer


def installers() -> Mapping[str, Installer]:
    return clients.modules("installer")


def found(context: InstallContext) -> list[str]:
    return [name for name, client in installers().items() if client.is_found(context)]


def scope_for(name: str, context: InstallContext, asked: str | None) -> str:
    """The scope asked for; otherwise the installed one; otherwise local. With two scopes every hook would run twice,
    and everything would be recorded twice."""
    installed_scopes = installers()[name].installed_scopes(context)
    if asked is None:
        return installed_scopes[0] if installed_scopes else LOCAL
    others = [scope for scope in installed_scopes if scope != asked]
    if others:
        raise Refused(
            "installed_elsewhere",
            f"Perdure is installed for {name} with scope {others[0]}; in two scopes every hook would run twice.",
            hint=f"perdure uninstall --scope {others[0]}, then again.",
            details={"client": name, "scope": others[0]},
        )
    return asked
