"""config: settings, with where each value comes from (SPEC 17.4)."""

from __future__ import annotations

from perdure import settings
from perdure.actions import configuration
from perdure.actions.request import resolve_request
from perdure.surfaces.cli.command import Answer, Command, request, subcommands
from perdure.surfaces.output import harmless, path_for_people, table

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
            "show": ("show every setting, its value and where it comes from", _show_flags),
            "set": ("change a setting (for people)", _set_flags),
            "unset": ("remove a setting (for people)", _unset_flags),
        },
    )


def _run(arguments: Arguments) -> Answer:
    return {"show": _show, "set": _set, "unset": _unset}[arguments.verb](arguments)


def _show(arguments: Arguments) -> Answer:
    resolved = resolve_request(request(arguments))
    every = settings.load(resolved.home, resolved.place.project_path, resolved.request.environment)
    for words in settings.wrong_in_files(every):
        resolved.request.tell(words)
    chosen: dict[str, settings.Chosen] = every
    if arguments.key:
        chosen = {arguments.key: every[settings.known(arguments.key, "config show").key]}
    data: Json = {
        key: {
            "value": _plain(c.value),
            "origin": c.origin,
            "default": _plain(c.setting.default),
            "meaning": c.setting.meaning,
            **({} if c.refused is None else {"refused": _plain(c.refused)}),
        }
        for key, c in chosen.items()
    }

    def text(style: Style) -> str:
        rows = [
            [key, settings.in_words(c.value), path_for_people(c.origin), c.setting.variable]
            for key, c in chosen.items()
        ]
        shown = table(rows, ["setting", "value", "from", "environment"], style)
        return "\n".join([shown, *_refused(chosen, style)])

    return Answer(data, text)


def _refused(chosen: dict[str, settings.Chosen], style: Style) -> list[str]:
    asked = [(c.setting.key, settings.in_words(c.refused)) for c in chosen.values() if c.refused is not None]
    if not asked:
        return []
    head = style(
        "yellow",
        ".perdure/config.toml asks for these; not granted, because a repository may only make a setting stricter",
    )
    return ["", head, *(f"  {key}  {harmless(words)}" for key, words in asked)]


def _plain(given: settings.Scalar) -> Json:
    return list(given) if isinstance(given, tuple) else given


def _set(arguments: Arguments) -> Answer:
    change = configuration.set_for_person if arguments.user else configuration.set_for_project
    resolved = resolve_request(request(arguments))
    done = change(resolved, arguments.key, arguments.value)
    now = configuration.in_effect(resolved, arguments.key)

    def text(style: Style) -> str:
        lines = [f"{arguments.key} = {settings.in_words(done.value)}  in {path_for_people(done.path)}"]
        if done.loosens:
            lines.append(
                style("dim", "It is looser than your own setting, so it is kept in your home, for this project only.")
            )
        if now and now.value != done.value:
            lines.append(style("yellow", _outranked(now)))
        return "\n".join(lines)

    data: dict[str, Json] = {"key": arguments.key, "value": _plain(done.value), "path": done.path}
    return Answer({**data, "loosens": done.loosens, **_now_data(now)}, text)


def _now_data(now: settings.Chosen | None) -> dict[str, Json]:
    return {"in_effect": _plain(now.value) if now else None, "origin": now.origin if now else None}


def _outranked(now: settings.Chosen) -> str:
    """What counts here instead of what was changed, and how to change that."""
    key, words = now.setting.key, harmless(settings.in_words(now.value))
    if now.origin == now.setting.variable:
        return (
            f"It has no effect here: {now.origin}={words} in the environment outranks every file. Unset it, also where "
            "the client is started."
        )
    where = path_for_people(now.origin)
    return f"In this project {key} is still {words}, from {where}. Without --user it is set for this project."


def _unset(arguments: Arguments) -> Answer:
    change = configuration.unset_for_person if arguments.user else configuration.unset_for_project
    resolved = resolve_request(request(arguments))
    files = change(resolved, arguments.key)
    now = configuration.in_effect(resolved, arguments.key)
    still = ""
    if now and now.origin != "default":
        still = (
            f"\n{arguments.key} is still {harmless(settings.in_words(now.value))}, from {path_for_people(now.origin)}"
        )
    where = ", ".join(path_for_people(path) for path in files)
    return Answer(
        {"key": arguments.key, "was_set": bool(files), "paths": list(files), **_now_data(now)},
        lambda _: (f"{arguments.key} removed from {where}" if files else f"{arguments.key} was not set there") + still,
        0 if files else 1,
    )


COMMANDS: dict[str, Command] = {
    "config": Command(
        run=_run,
        flags=_flags,
        examples=(
            "perdure config show\nperdure config set gate.know 0.75\nperdure config set transaction.orphans ask "
            "--user\n"
            "PERDURE_GATE_KNOW=0.5 perdure config show gate.know"
        ),
        about=(
            "Settings come from five places, and the later one wins: the default, your file for every project, the "
            "project's file, your file for this project, the environment. The project's file may only make a setting "
            "stricter."
        ),
    )
}
