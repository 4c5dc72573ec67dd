"""config: settings, with where each value comes from (SPEC 17.4)."""

from __future__ import annotations

from perdure import settings
from perdure.actions import configuration
from perdure.actions.scene import look
from perdure.actions.wiring import announce
from perdure.place.resolve import required_project
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style


def _show_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", help="one setting (default: all)")


def _scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--user", action="store_true", help="for every project of this person (default: this project)")


def _set_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", help="such as gate.know")
    parser.add_argument("value", help="the new value")
    _scope(parser)


def _unset_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", help="such as gate.know")
    _scope(parser)


def _flags(parser: argparse.ArgumentParser) -> None:
    subcommands(
        parser,
        {
            "show": ("every setting, its value and where it comes from", _show_flags),
            "set": ("change a setting", _set_flags),
            "unset": ("take a setting back", _unset_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "set": _set, "unset": _unset}[arguments.verb](arguments)


def _show(arguments: Arguments) -> Answer:
    scene = look(request(arguments))
    chosen = settings.load(scene.home, scene.place.project_path, scene.request.environment)
    if arguments.key:
        chosen = {arguments.key: chosen[settings.known(arguments.key, "perdure config show").key]}
    data: Json = {
        key: {
            "value": _plain(c.value),
            "origin": c.origin,
            "default": _plain(c.setting.default),
            "meaning": c.setting.meaning,
        }
        for key, c in chosen.items()
    }

    def text(style: Style) -> str:
        rows = [[key, _words(c.value), path_for_people(c.origin), c.setting.variable] for key, c in chosen.items()]
        return table(rows, ["setting", "value", "from", "environment"], style)

    return Answer(data, text)


def _plain(given: settings.Scalar) -> Json:
    return list(given) if isinstance(given, tuple) else given


def _words(given: settings.Scalar) -> str:
    if isinstance(given, tuple):
        return ", ".join(given) or "—"
    return str(given).lower() if isinstance(given, bool) else str(given)


def _file(arguments: Arguments) -> str:
    scene = look(request(arguments))
    if arguments.user:
        return settings.user_file(scene.home)
    announce(scene)
    return settings.project_file(required_project(scene.place))


def _set(arguments: Arguments) -> Answer:
    path = _file(arguments)
    given = configuration.set_value(path, arguments.key, arguments.value)
    return Answer(
        {"key": arguments.key, "value": _plain(given), "file": path},
        lambda _: f"{arguments.key} = {_words(given)}  in {path_for_people(path)}",
    )


def _unset(arguments: Arguments) -> Answer:
    path = _file(arguments)
    was_set = configuration.unset(path, arguments.key)
    return Answer(
        {"key": arguments.key, "was_set": was_set, "file": path},
        lambda _: f"{arguments.key} {'taken out of' if was_set else 'was not set in'} {path_for_people(path)}",
        0 if was_set else 1,
    )


COMMANDS: dict[str, Command] = {
    "config": Command(
        _run,
        _flags,
        "perdure config show\nperdure config set gate.know 0.75\nperdure config set transaction.orphans ask --user\n"
        "PERDURE_GATE_KNOW=0.5 perdure config show gate.know",
        "Settings: the person's, the project's, the environment's, in rising order.",
    )
}
