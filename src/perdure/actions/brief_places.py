"""Looks again at the places in the project that the lines of a brief name, before they are given (SPEC 12.2).

    marked(desk, sections)          # "see ${PROJECT_ROOT}/cart.py:12 (now cart.py:18)"

What is quoted word for word gets no marks: the person's prompts and rules, commands, and errors, which
`recovery/source_locations.py` looks at. A brief without such places opens no file and asks no git.
"""

from __future__ import annotations

from perdure.grounding.project_root import ROOT
from perdure.model import payload as p
from perdure.model.ids import is_uuid
from perdure.model.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from perdure.actions.identifiers import TextWithPlaces
    from perdure.actions.wiring import Desk
    from perdure.model.event import Event
    from perdure.model.json import Json
    from perdure.recovery.brief import BriefLine, Section

_VERBATIM = frozenset(("prompts", "rules", "choices", "commands", "names", "files", "errors"))
"""Sections whose lines stay as they are."""


def seen_in(desk: Desk, *texts: str | None, known: tuple[dict[str, Json], ...] = ()) -> tuple[dict[str, Json], ...]:
    """What stands now at the places that the words of an event name, to be recorded with it. `known`: of places that
    were looked at when the words were first said."""
    if not any(text and ROOT in text for text in texts):
        return ()
    from perdure.actions import identifiers  # opens files and asks git

    return identifiers.seen_in(desk, *texts, known=known)


def marked(desk: Desk, sections: Sequence[Section]) -> list[Section]:
    if not any(_names_places(section) for section in sections):
        return list(sections)
    from perdure.actions.work_folder import folder_of

    return _marked(sections, folder_of(desk), lambda text, source: _recorded(desk, text, source))


def marked_texts(desk: Desk, texts: Sequence[str], sources: Iterable[str]) -> list[str]:
    """Texts that were put together from the words of several events: `sources` are their ids."""
    if not any(ROOT in text for text in texts):
        return list(texts)
    from perdure.actions import identifiers  # opens files and asks git
    from perdure.actions.work_folder import folder_of

    kept = [each for source in sources for event in desk.ledger.find(source) for each in _kept(event)]
    said = [
        identifiers.TextWithPlaces(text, tuple(each for each in kept if str(each.get("at")) in text)) for text in texts
    ]
    return identifiers.marked(folder_of(desk), said)


def _kept(event: Event) -> tuple[dict[str, Json], ...]:
    held = p.read(event, p.Note) or p.read(event, p.DecisionMade)
    return held.identifiers if held else ()


def marked_without_ledger(folder: str, sections: Sequence[Section]) -> list[Section]:
    """For a transcript: all that can be said is whether the places exist, if there is a work tree."""
    if not any(_names_places(section) for section in sections):
        return list(sections)
    from perdure.actions.identifiers import TextWithPlaces

    return _marked(sections, folder, lambda text, _: TextWithPlaces(text))


def _names_places(section: Section) -> bool:
    return section.what not in _VERBATIM and any(ROOT in line.text for line in section.lines)


def _marked(
    sections: Sequence[Section], folder: str, said_by: Callable[[str, str], TextWithPlaces | None]
) -> list[Section]:
    from perdure.actions import identifiers

    lines = [line for section in sections if _names_places(section) for line in section.lines if ROOT in line.text]
    texts = [(text, line.source) for line in lines for text in (line.text, line.short)]
    said = {(text, source): found for text, source in texts if (found := said_by(text, source))}
    now = dict(zip(said, identifiers.marked(folder, list(said.values())), strict=True))

    def with_marks(line: BriefLine) -> BriefLine:
        return replace(
            line,
            text=now.get((line.text, line.source), line.text),
            short=now.get((line.short, line.source), line.short),
        )

    return [
        replace(section, lines=tuple(map(with_marks, section.lines))) if _names_places(section) else section
        for section in sections
    ]


def _recorded(desk: Desk, text: str, source: str) -> TextWithPlaces | None:
    """The text with what its event kept; None for a prompt, which is given word for word. An event of this ledger comes
    before another machine's with the same id. A goal that is in no event here was begun in another project."""
    from perdure.actions.identifiers import TextWithPlaces

    events = desk.ledger.find(source) if is_uuid(source) else []
    event = next(iter(sorted(events, key=lambda each: desk.other_ledger(each) is not None)), None)
    if event is None:
        return TextWithPlaces(text, is_about_here=desk.ledger.document("task", source) is not None)
    if event.kind == "prompt.given":
        return None
    return TextWithPlaces(text, _kept(event), is_own=desk.other_ledger(event) is None)
