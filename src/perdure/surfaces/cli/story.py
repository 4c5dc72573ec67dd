"""story: what happened, by goal, as a page of Markdown for a person who was not there (SPEC 21.5)."""

from __future__ import annotations

from perdure.actions import story
from perdure.actions.wiring import open_desk
from perdure.model.ids import short
from perdure.model.plural import counted
from perdure.surfaces.cli.command import Answer, Command, common, request
from perdure.surfaces.cli.log import nothing_recorded, query_from
from perdure.surfaces.output import harmless, local_time
from perdure.surfaces.since import EXAMPLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from perdure.actions.story import Chapter, StoryLine
    from perdure.model.json import Json
    from perdure.surfaces.cli.command import Arguments

_HEADINGS = {
    story.ASKED: "Asked for",
    story.DECIDED: "Decided",
    story.CHANGED: "Changed",
    story.CHECKED: "Checked",
    story.FAILED: "Tried and failed",
    story.DENIED: "Denied by the gate",
    story.LEARNED: "Learned",
    story.OPEN: "Still open",
}
_READERS = {
    "review": story.PARTS,
    "handover": (story.OPEN, story.DECIDED, story.FAILED, story.LEARNED, story.ASKED, story.CHANGED, story.CHECKED),
    "standup": (story.DECIDED, story.CHANGED, story.FAILED, story.OPEN),
}
"""Who reads it → the parts, in the order in which that reader wants them."""
_MOST_LINES = {"review": 40, "handover": 20, "standup": 5}
_LONGEST = 300

_MOST_WAYS = 3
"""More commands to look further than these are one: the log."""


def _flags(parser: argparse.ArgumentParser) -> None:
    examples = EXAMPLES.replace("%", "%%")
    parser.add_argument("--since", metavar="TIME", help=f"from when on: {examples} (default: yesterday)")
    parser.add_argument("--session", metavar="ID", help="only what happened in this session, from its beginning")
    parser.add_argument("--transaction", metavar="ID", help="only what belongs to this transaction")
    parser.add_argument(
        "--for", dest="reader", choices=tuple(_READERS), default="review", help="who reads it (default: review)"
    )
    parser.set_defaults(file=None, kind=None)
    common(parser)


def _run(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=False) as desk:
        asked = query_from(desk, arguments)
        chapters = story.story(desk, asked)
        name = desk.identity.name
    since = f" since {local_time(asked.since)}" if asked.since else ""
    if not chapters:
        nothing = nothing_recorded(asked, "perdure story")
        return Answer([], lambda _: nothing)
    page = "\n".join(_page(chapters, f"{name}: what happened{since}", arguments.reader))
    return Answer([_data(chapter) for chapter in chapters], lambda _: page)


def _data(chapter: Chapter) -> Json:
    return {
        "goal_id": chapter.goal_id,
        "title": chapter.title,
        "done": chapter.is_done,
        "started_at": chapter.began,
        "ended_at": chapter.ended,
        "transaction_ids": list(chapter.transactions),
        "session_ids": list(chapter.sessions),
        "parts": {
            part: [{"text": line.text, "event_id": line.event_id} for line in lines]
            for part, lines in chapter.parts.items()
        },
    }


def _page(chapters: list[Chapter], title: str, reader: str) -> Iterator[str]:
    yield f"# {_plain(title)}"
    for chapter in chapters:
        yield ""
        done = " (done)" if chapter.is_done else ""
        yield f"## {_plain(chapter.title)}{done}" if chapter.title else "## Under no goal"
        yield ""
        yield _summary(chapter)
        for part in _READERS[reader]:
            lines = chapter.parts[part]
            if lines:
                yield f"\n**{_HEADINGS[part]}**\n"
                yield from map(_item, lines[: _MOST_LINES[reader]])
                left = len(lines) - _MOST_LINES[reader]
                if left > 0:
                    yield f"- and {left} more"


def _summary(chapter: Chapter) -> str:
    began, ended = local_time(chapter.began), local_time(chapter.ended)
    when = began if began == ended else f"{began} to {ended}"
    ways = [f"`perdure transaction show {short(each)}`" for each in chapter.transactions]
    ways = ways or [f"`perdure session show {short(each)}`" for each in chapter.sessions]
    shown = ", ".join(ways) if 0 < len(ways) <= _MOST_WAYS else "`perdure log`"
    return f"{when}, {counted(len(chapter.sessions), 'session', 'sessions')}. In full: {shown}"


def _item(line: StoryLine) -> str:
    return f"- `{_code(line.text)}`" if line.is_code else f"- {_plain(line.text)}"


def _short(text: str) -> str:
    clean = harmless(" ".join(text.split()))
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"


def _plain(text: str) -> str:
    """Words from the record as one line that Markdown shows as they are, and takes for no link, image or HTML."""
    shown = _short(text)
    for mark in "\\`*_[]<>":
        shown = shown.replace(mark, "\\" + mark)
    return shown


def _code(text: str) -> str:
    return _short(text).replace("`", "ˋ")


COMMANDS: dict[str, Command] = {
    "story": Command(
        run=_run,
        flags=_flags,
        examples="perdure story\nperdure story --since monday --for standup\nperdure story --for handover > story.md",
        about="Tells what happened, by goal, as a page of Markdown: what was asked, decided, changed, checked, tried "
        "and failed, and what is open. It is made from the record alone.",
    )
}
