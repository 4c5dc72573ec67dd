"""Renders level 1 of a brief (SPEC 12.1): the minimum that an agent needs to continue. Every part gets its line, cut so
short that all of them fit; if that is not enough, the least important ones are left out.

    at_a_glance(gathered(g, exists, lines), 100)
"""

from __future__ import annotations

from perdure.model.value import replace
from perdure.recovery import rank
from perdure.recovery.brief import JOINERS, BriefLine, Section, flat, is_done, truncated, whole
from perdure.recovery.place_marks import without_cut_place
from perdure.recovery.source_locations import SourceLocations
from perdure.recovery.tokens import count, fits
from perdure.recovery.words import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from perdure.recovery.gather import Gathering, Utterance

ASKED, ITEMS, STOPPED, ERRORS, FILES = "prompts", "items", "last sentences", "errors", "files"
REASONING = "reasoning notes"
MOST_ITEMS = 2
SHORTEST = 8
"""Tokens. A line that is cut shorter than this says nothing any more."""
LONGEST = 1200
"""Characters of a line that are read: more than fits into any budget of this level."""
LONGEST_COMMAND = 32
SHORT_PROMPT = 24
"""Characters. A prompt this short hardly says what it is about."""
LONGEST_ASSENT = 60
"""Characters. A longer prompt does more than agree."""
ASSENT = frozenset(
    """yes yep yeah yup y ok okay k sure go on ahead for it do that continue proceed please pls thanks thank you good
    great perfect nice cool fine right correct done next keep going looks lgtm and now then just resume both all of them
    ja jo genau gut weiter mach bitte danke los klar passt sí si vale sigue adelante claro gracias bien continúa
    oui d'accord vas-y continue merci parfait sì va bene avanti sim ok certo continua да ок давай продолжай хорошо
    好 好的 是 是的 继续 可以 对 行 嗯 はい 続けて お願いします 네 예 계속 좋아""".split()
)


# -- the parts -------------------------------------------------------------------------------------------------------


def gathered(
    g: Gathering, exists: Callable[[str], bool | None], lines: Callable[[str], Sequence[str] | None]
) -> list[Section]:
    """The sections, the most important first. `exists` and `lines` are those of `brief.sections_of`."""
    unverified = " (unverified)" if exists(".") is None else ""
    found = [
        Section(
            title="Asked last (answered):" if is_done(g) else "Asked last:",
            what=ASKED,
            share=1.0,
            lines=tuple(_asked(g)),
        ),
        Section(title="Next:", what=ITEMS, share=1.0, lines=tuple(_items(g))),
        Section(title="Where it stopped:", what=STOPPED, share=1.0, lines=tuple(_stopped(g))),
        Section(title="Open error:", what=ERRORS, share=1.0, lines=tuple(_error(g, SourceLocations(exists, lines)))),
        Section(title=f"File{unverified}:", what=FILES, share=1.0, lines=tuple(_file(g, exists))),
    ]
    return [section for section in found if section.lines]


def _asked(g: Gathering) -> Iterator[BriefLine]:
    """The last prompt; and if it says hardly more than "go on", the earlier prompt that it is about."""
    said = words_of(g.prompts)
    if not said.last:
        return
    last, *before = said.last
    yield _quoted(last, "the last prompt")
    if len(last.text) <= SHORT_PROMPT or assents(last.text):
        about = next((heard for heard in (*before, *said.earlier) if not assents(heard.text)), None)
        if about:
            yield _quoted(about, "the prompt before it, which the last one is about")


def _quoted(heard: Utterance, why: str) -> BriefLine:
    return BriefLine(f"> {_on_one_line(heard.text)}", why, source=heard.source)


def assents(text: str) -> bool:
    """Whether it only says that the agent may continue."""
    if len(text) > LONGEST_ASSENT:
        return False
    return all(word.strip(".!…。！、") in ASSENT for word in text.lower().replace(",", " ").split())


def _items(g: Gathering) -> Iterator[BriefLine]:
    for item in rank.open_items(g)[:MOST_ITEMS]:
        at_it = item.why == "in_progress"
        yield BriefLine(f"[{'~' if at_it else ' '}] {_on_one_line(item.text)}", item.why, source=item.source)


def _stopped(g: Gathering) -> Iterator[BriefLine]:
    last = rank.stopped_at(g)
    if last:
        yield BriefLine(_on_one_line(last.text), "the end of the agent's last words", source=last.source)


def _error(g: Gathering, locations: SourceLocations) -> Iterator[BriefLine]:
    for failure in rank.open_errors(g)[:1]:
        told = locations.checked(failure.lines[0]) if failure.lines else "failed"
        named = truncated(_on_one_line(failure.what), LONGEST_COMMAND)
        yield BriefLine(
            f"{told} (`{named}`)", "it failed, and nothing of its kind succeeded since", source=failure.source
        )


def _file(g: Gathering, exists: Callable[[str], bool | None]) -> Iterator[BriefLine]:
    """The first file that still exists."""
    for file in rank.files(g):
        if exists(file.text) is not False:
            yield BriefLine(file.text, f"{file.why}; most likely needed first", source=file.source)
            return


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


# -- within the budget -----------------------------------------------------------------------------------------------


def at_a_glance(sections: Sequence[Section], budget: int, head: str = "", *, more: str = "") -> str:
    """The sections within the budget. `more` names the command that shows what was left out."""
    some, foot = [section for section in sections if section.lines], ""
    while some and not fits(_said(some, SHORTEST, head, foot=foot), budget):
        some, foot = _without_the_last_line(some), more
    if not some:
        return _said(some, SHORTEST, head, foot=foot)
    longest = largest_that_fits(budget, lambda tokens: fits(_said(some, tokens, head, foot=foot), budget))
    return _said(some, max(longest, SHORTEST), head, foot=foot)


def _without_the_last_line(sections: list[Section]) -> list[Section]:
    *others, last = sections
    return [*others, replace(last, lines=last.lines[:-1])] if len(last.lines) > 1 else others


def _said(sections: Sequence[Section], tokens: int, head: str, *, foot: str) -> str:
    """The sections as text, each line cut to so many tokens."""
    cut = [
        replace(
            section, lines=tuple(replace(line, text=_cut(line.text, tokens, section.what)) for line in section.lines)
        )
        for section in sections
    ]
    return "\n".join(part for part in (whole(cut, head), foot) if part)


def _cut(text: str, tokens: int, what: str) -> str:
    """The text, cut to so many tokens. Of the agent's last words the end is kept, which says what it was about to do;
    of a note, both ends; a path is never cut."""
    text = flat(text)
    if what == FILES or (len(text) <= LONGEST and count(text) <= tokens):
        return text
    if what == STOPPED:
        return f"… {_last(text, tokens - 1)}"
    if what == REASONING:
        return f"{_first(text, tokens // 2)} … {_last(text, tokens - tokens // 2 - 1)}"
    return f"{_first(text, tokens - 1)}…"


def _first(text: str, tokens: int) -> str:
    """The first tokens of the text, up to the end of a word, unless that would drop half of them."""
    text = text[:LONGEST]
    part = text[: largest_that_fits(len(text), lambda size: count(text[:size]) <= tokens)]
    if text[len(part) :][:1].strip():  # within a word
        words = part.rpartition(" ")[0]
        part = words if 2 * len(words) > len(part) else part
    if len(part) < len(text):
        part = without_cut_place(part)
    return part.rstrip(" " + JOINERS)


def _last(text: str, tokens: int) -> str:
    text = text[-LONGEST:]
    part = text[len(text) - largest_that_fits(len(text), lambda size: count(text[len(text) - size :]) <= tokens) :]
    if text[: len(text) - len(part)][-1:].strip():
        words = part.partition(" ")[2]
        part = words if 2 * len(words) > len(part) else part
    return part.lstrip(" " + JOINERS)


def largest_that_fits(number: int, fit: Callable[[int], bool]) -> int:
    """The largest number that fits; if a number fits, so must all smaller ones."""
    least = 0
    while least < number:
        middle = (least + number + 1) // 2
        least, number = (middle, number) if fit(middle) else (least, middle - 1)
    return least
