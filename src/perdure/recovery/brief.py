"""Renders a brief within a budget of tokens (SPEC 12.2), in which every section gets its share.

The head is always printed, so the caller chooses one that is short enough. Then sections take turns: the one that has
used the smallest part of its share adds its next line, if the whole still fits. One line at the end says what did not
fit. The same input gives the same bytes.
"""

from __future__ import annotations

import re

from perdure.model.plural import counted_many
from perdure.model.value import replace, value
from perdure.recovery import paths, rank
from perdure.recovery.source_locations import SourceLocations
from perdure.recovery.summary import points
from perdure.recovery.tokens import count, fits
from perdure.recovery.words import first_words, forbids, words_of
from perdure.recovery.work_state import ANSWERED, ASKED_BACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from perdure.recovery.gather import Gathering, PickedAnswer, Utterance
    from perdure.recovery.rank import Ranked
    from perdure.recovery.work_state import Commit, GitState, LastCheck

LEAST = 40
"""Tokens. A brief with a smaller budget is refused."""
LITTLE = 600
"""Tokens. With a smaller budget, lines and titles are short."""
HARDLY_ANY = 60
"""Tokens. With a smaller budget, what is left out is not counted."""
MOST_MISSES = 5
"""How many lines of a section that do not fit are tried before the rest of it is given up."""

# Characters:
LONGEST_LINE = 300
LONGEST_NAMED = 120
"""For the name of a failed command."""
SHORT_LINE = 110
"""For a line where there is little room."""

# How many are shown at most:
FIRST_FILES = 40
MOST_FILES = 100
"""The files behind the first ones are shown if there is room left."""
MOST_NAMES = 80
MOST_COMMANDS = 24
FIRST_COMMANDS = 16
"""How many commands come first; the others are shown if there is room left."""
FIRST_RULES = 16
MOST_RULES = 40
"""The rules behind the first ones are shown if there is room left."""
URGENT_RULES = 3
"""How many rules that forbid something are shown before all else but the state."""
MOST_EARLIER = 24
"""Prompts before the last ones."""
MOST_ERRORS = 6
MOST_CHOICES = 5
SHORT_STEP = 70
"""Characters of the agent's last call where there is little room."""
MANY_STEPS = 2
"""How many calls after the agent's last words are told."""
FIRST_UNCOMMITTED = 4
"""How many of the files that are not committed are named."""

# Why a line was chosen, for `--why`:
PROMPT = "a prompt"
RULE = "a sentence that forbids or demands"
CHOICE = "picked of what the agent offered"
EARLIER = "an older prompt, for there was room"

_SENTENCE_BEGINS = re.compile(r"(?<=[.!?])\s+(?=\S)")
JOINERS = "\u200c\u200d"
"""Characters that are not printable themselves, but belong to words and emoji."""
_REPLACED = dict.fromkeys(map(chr, range(0xD800, 0xE000)), "\ufffd")
"""Lone surrogates → what is shown instead: they cannot be encoded."""


@value
class BriefLine:
    """One line of a brief. `why` it was chosen and `source`, the event that it comes from, are for `--why`. `short` is
    its text where there is little room."""

    text: str
    why: str = ""
    short: str = ""
    source: str = ""
    first: bool = False
    """Shown before all lines that are not."""
    spare: bool = False
    """Shown only if there is still room after all lines that are not spare."""
    always: bool = False
    """Shown even if another line has its words."""
    position: int = 0
    """Its position in its section. Lines with the same position stay together, even if they were added later."""


@value
class Section:
    """Lines under one title. `what` is the word for its lines where some did not fit. With `between`, the lines are put
    on one line, with this between them."""

    title: str
    what: str
    share: float
    lines: tuple[BriefLine, ...]
    between: str = ""
    by_folder: bool = False
    short: str = ""
    """Its title where there is little room."""
    always: bool = False
    """Its lines are shown even if another line has the same words: decisions, rules, open items (SPEC 12.2)."""


def sections_of(
    g: Gathering,
    exists: Callable[[str], bool | None],
    lines: Callable[[str], Sequence[str] | None] | None = None,
    *,
    commits: Sequence[Collection[str]] = (),
) -> list[Section]:
    """The sections of a brief about a session. `exists` says whether a path from the root exists, or None if there is
    no work tree. `lines` gives a file's lines. `commits` has the paths that each of the latest commits changed."""
    said = words_of(g.prompts)
    chosen = [*{(heard.question, heard.text): heard for heard in g.choices}.values()][: -MOST_CHOICES - 1 : -1]
    unverified = " (unverified)" if exists(".") is None else ""
    files, stopped = _files(g, exists, commits), _stopped(g)
    quoted = (*_newest_first(said.last), *_lines(said.earlier[:MOST_EARLIER], EARLIER, spare=True))
    ruled, chose = _rules(said.rules[:MOST_RULES]), tuple(map(_choice, chosen))
    errors = tuple(_errors(g, SourceLocations(exists, lines)))
    items, ran = tuple(map(_item, rank.open_items(g))), tuple(_commands(rank.commands_in_use(g)[:MOST_COMMANDS]))
    named = _named(rank.names(g)[:MOST_NAMES])
    first = f"Files, needed first in front{unverified}:"
    return [
        Section(
            title=first, what="files", share=3.5, lines=files, by_folder=True, short=f"Files, best first{unverified}:"
        ),
        Section(
            title="The person's last words, newest first:", what="prompts", share=3.0, lines=quoted, short="Last words:"
        ),
        Section(title="Rules the person set:", what="rules", share=2.0, lines=ruled, short="Rules:", always=True),
        Section(title="Unresolved errors:", what="errors", share=2.0, lines=errors),
        Section(title="Open items:", what="items", share=1.5, lines=items, always=True),
        Section(title="Names in play:", what="names", share=1.6, lines=named, between=", ", short="Names:"),
        Section(title="Commands in use:", what="commands", share=1.2, lines=ran, short="Commands:"),
        Section(
            title="The person chose, newest first:", what="choices", share=0.6, lines=chose, short="Chose:", always=True
        ),
        Section(title="The agent said last:", what="last sentences", share=0.8, lines=stopped, short="Said last:"),
        Section(title="Teammates told this agent:", what="teammates' words", share=2.5, lines=_from_teammates(g)),
        *_from_summary(g),
    ]


def state_section(g: Gathering, git: GitState | None = None) -> Section:
    """What is the case, in one line (SPEC 12.2). `git`: what git says of the work tree, if there is one."""
    return Section(title="State:", what="facts", share=4.0, lines=tuple(_state(g, git)), between="; ", always=True)


def _state(g: Gathering, git: GitState | None) -> Iterator[BriefLine]:
    why = "git says so" if git else "seen in the session"
    now = g.state.with_git(git)
    if now.branch:
        yield BriefLine(f"branch {now.branch}", why, first=True)
    if now.commit:
        yield _commit(now.commit, why, g.state.commit_source)
    if now.uncommitted is not None and (now.branch or now.commit):
        yield _uncommitted([path if git else g.shown(path) for path in now.uncommitted], why)
    if g.state.check:
        yield _last_check(g.state.check)
    if g.state.request:
        yield _request(g)
    denied = rank.denial_in_force(g)
    if denied:
        yield BriefLine(
            f"denied: {denied.what}: {denied.words}", "nothing of its kind was run since", source=denied.source
        )


def _request(g: Gathering) -> BriefLine:
    done = " (committed since)" if g.state.committed_since_request else ""
    return BriefLine(
        text=f"newest request: {g.state.request}{done}",
        why="what followed the last prompt",
        short=f"request {g.state.request}",
        source=g.prompts[-1].source if g.prompts else "",
        first=True,
    )


def _last_check(ran: LastCheck) -> BriefLine:
    """The last check. Where there is little room, the errors tell what failed."""
    result = {True: "passed", False: "failed", None: "ran, its outcome was hidden"}[ran.passed]
    since = f", {counted_many(ran.changed_since, 'changes')} since" if ran.changed_since else ""
    return BriefLine(
        text=f"last check `{truncated(ran.command, SHORT_LINE)}` {result}{since}",
        why="the last check whose outcome was seen",
        short=f"last check {result}",
        source=ran.source,
        first=True,
    )


def is_done(g: Gathering) -> bool:
    """Whether the agent answered the newest request, so that there is nothing left to do for it."""
    return g.state.request in (ANSWERED, ASKED_BACK)


def _commit(commit: Commit, why: str, source: str) -> BriefLine:
    pushed = {True: ", pushed", False: ", not pushed", None: ""}[commit.pushed]
    return BriefLine(
        text=f"last commit {commit.hash[:10]} “{truncated(commit.subject, LONGEST_NAMED)}”{pushed}",
        why=why,
        short=f"{commit.hash[:7]}{pushed}",
        source=source,
        first=True,
    )


def _uncommitted(changed: Sequence[str], why: str) -> BriefLine:
    if not changed:
        return BriefLine("nothing uncommitted", why, first=True)
    more = f" and {len(changed) - FIRST_UNCOMMITTED} more" if len(changed) > FIRST_UNCOMMITTED else ""
    named = ", ".join(changed[:FIRST_UNCOMMITTED])
    return BriefLine(f"uncommitted: {named}{more}", why, short=f"{len(changed)} uncommitted", first=True)


def _from_teammates(g: Gathering) -> tuple[BriefLine, ...]:
    """What other agents of a team told this one: the first words, which gave it its work, then the newest. They are
    not the person's."""
    asked = {heard.text: heard for heard in (*g.teammates[:1], *reversed(g.teammates[1:]))}
    return tuple(
        BriefLine(
            text=f"- {heard.who}: {first_words(' '.join(heard.text.split()))}",
            why="an agent of the team said so",
            source=heard.source,
            first=place == 0 and not g.prompts,
            spare=place > 2,
        )
        for place, heard in enumerate(asked.values())
    )


def _from_summary(g: Gathering) -> list[Section]:
    """What happened before the transcript begins is known only from the client's summary (SPEC 12.3)."""
    told = tuple(BriefLine(f"- {text}", "the client's own summary") for text in points(g.summary))
    if not told:
        return []
    return [Section(title="From the client's summary, not checked:", what="summary lines", share=1.0, lines=told)]


def _named(ranked: Sequence[Ranked]) -> tuple[BriefLine, ...]:
    return tuple(BriefLine(each.text, each.why, source=each.source, spare=each.score < rank.FAINT) for each in ranked)


def _files(
    g: Gathering, exists: Callable[[str], bool | None], commits: Sequence[Collection[str]]
) -> tuple[BriefLine, ...]:
    def is_aside(file: Ranked) -> bool:  # a temporary file, whose path is often the longest of all
        return file.why != "failing" and paths.is_scratch(file.text, g.root)

    ranked = rank.all_files(g, commits)[:MOST_FILES]
    return tuple(
        replace(
            _file(each, exists), spare=place >= FIRST_FILES or rank.is_faint(place, each, ranked[0]) or is_aside(each)
        )
        for place, each in enumerate(ranked)
    )


def _item(item: Ranked) -> BriefLine:
    return BriefLine(
        f"[{'~' if item.why == 'in_progress' else ' '}] {' '.join(item.text.split())}", item.why, source=item.source
    )


def _commands(ranked: Sequence[Ranked]) -> Iterator[BriefLine]:
    for place, ran in enumerate(ranked):
        where = f" (in {ran.folder})" if ran.folder else ""
        yield BriefLine(
            f"`{truncated(ran.text, LONGEST_LINE)}`{where}", ran.why, source=ran.source, spare=place >= FIRST_COMMANDS
        )


def _stopped(g: Gathering) -> tuple[BriefLine, ...]:
    """The end of the agent's last words, which says what it was about to do."""
    last = rank.stopped_at(g)
    if last is None:
        return ()
    words = " ".join(last.text.split())
    return (
        BriefLine(
            text=_end(words, LONGEST_LINE),
            why="the agent's last words",
            short=_end(words, SHORT_LINE),
            source=last.source,
        ),
        *_steps_since(g),
    )


def _steps_since(g: Gathering) -> tuple[BriefLine, ...]:
    """What the agent did after its last words, if that was more than the one thing that they announced."""
    if g.steps_since_words < MANY_STEPS:
        return ()
    steps = [f"{step.text} ({step.outcome})" if step.outcome else step.text for step in g.latest_steps]
    earlier = g.steps_since_words - len(steps)
    text = f"{counted_many(earlier, 'calls')}, then " if earlier > 0 else ""
    line = "since then " + text + "; ".join(steps)
    short = f"since then {counted_many(g.steps_since_words, 'calls')}, last {steps[-1]}"
    return (BriefLine(line, "the agent's last calls", short=truncated(short, SHORT_STEP)),)


def _end(words: str, most: int) -> str:
    """The end of the words, from the beginning of a sentence if one is near."""
    if len(words) <= most:
        return words
    rest = words[-most:].partition(" ")[2]
    begun = _SENTENCE_BEGINS.search(rest, 0, most // 2)
    return "… " + (rest[begun.end() :] if begun else rest)


def _lines(said: Sequence[Utterance], why: str, spare: bool = False) -> tuple[BriefLine, ...]:
    return tuple(
        BriefLine(_quote(heard), why, short="> " + " ".join(heard.text.split()), source=heard.source, spare=spare)
        for heard in said
    )


def _newest_first(said: Sequence[Utterance]) -> tuple[BriefLine, ...]:
    """The last prompts. The newest one stands there even if it is a rule as well: else an older one seems newest."""
    return tuple(replace(line, always=place == 0) for place, line in enumerate(_lines(said, PROMPT)))


def _quote(heard: Utterance) -> str:
    """The person's words; behind a short answer, the question."""
    asked = f" (asked: {truncated(heard.answers, SHORT_LINE)})" if heard.answers else ""
    return "> " + " ".join(heard.text.split()) + asked


def _rules(said: Sequence[Utterance]) -> tuple[BriefLine, ...]:
    """The rules; the first that forbid something are shown even if there is hardly any room."""
    return tuple(
        replace(line, first=place < URGENT_RULES and forbids(heard.text), spare=place >= FIRST_RULES)
        for place, (line, heard) in enumerate(zip(_lines(said, RULE), said, strict=True))
    )


def _choice(chosen: PickedAnswer) -> BriefLine:
    """What was picked, behind the question that it answers."""
    question, answer = " ".join(chosen.question.split()), " ".join(chosen.text.split())
    return BriefLine(
        text=f"{truncated(question, LONGEST_LINE)} > {answer}" if question else f"> {answer}",
        why=CHOICE,
        short=f"{truncated(question, SHORT_LINE)} > {answer}" if question else "",
        source=chosen.source,
    )


def _errors(g: Gathering, locations: SourceLocations) -> Iterator[BriefLine]:
    """For each failure, the command and the first line of what it printed; behind all of those, the further lines."""
    why = "it failed, and nothing of its kind succeeded since"
    failures = rank.open_errors(g)[:MOST_ERRORS]
    for position, failure in enumerate(failures):
        first = locations.checked(failure.lines[0]) if failure.lines else "failed"
        short = f"- `{truncated(failure.what, SHORT_LINE)}`: {truncated(first, SHORT_LINE)}"
        yield BriefLine(
            text=f"- `{truncated(failure.what, LONGEST_NAMED)}`: {first}",
            why=why,
            short=short,
            source=failure.source,
            position=position,
        )
    for position, failure in enumerate(failures):
        for told in failure.lines[1:]:
            yield BriefLine(f"  {locations.checked(told)}", why, source=failure.source, position=position)


def truncated(text: str, most: int) -> str:
    """The text, cut with a mark if it is too long: without the mark, a cut name could be read as another one."""
    if len(text) <= most:
        return text
    whole = text[: most - 2].rpartition(" ")[0]
    return f"{whole} …" if len(whole) > most // 2 else f"{text[: most - 1]}…"


def _file(file: Ranked, exists: Callable[[str], bool | None]) -> BriefLine:
    if exists(file.text) is False:
        return BriefLine(f"{file.text} (gone)", file.why, source=file.source)
    mark = {"failing": " (failing)", "edited": " (edited)", "summary": " (client's summary)"}.get(file.why, "")
    short = "" if file.why == "summary" else file.text
    return BriefLine(text=file.text + mark, why=file.why, short=short, source=file.source)


# -- within the budget -----------------------------------------------------------------------------------------------


def flat(text: str) -> str:
    """The text on one line, without control characters: so a quoted text cannot look like a section of the brief."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in JOINERS else _REPLACED.get(c, " ") for c in text)


def whole(sections: Sequence[Section], head: str = "") -> str:
    """All lines of all sections, without a budget."""
    flattened = [_flattened(section) for section in sections]
    return _rendered(flattened, [section.lines for section in flattened], head)


def _flattened(section: Section) -> Section:
    lines = tuple(replace(line, text=flat(line.text), short=flat(line.short)) for line in section.lines)
    return replace(section, lines=lines)


def brief(sections: Sequence[Section], budget: int, head: str = "", *, more: str = "") -> str:
    """The brief as text. `more` names the command that shows what did not fit.

    It has one of three styles: short lines; short lines and a count of what is not shown; full lines and titles, and
    that count. Each takes more tokens for the same content than the one before, so at the budget where it begins it
    could say less. It is used only if it says at least as much as the one before says with its largest budget: so a
    larger budget never shows less. If everything fits in full, it is given in full, however small the budget is."""
    sections = [_flattened(section) for section in sections]
    in_short = [_in_short(section) for section in sections]
    best = _filled(in_short, min(budget, HARDLY_ANY - 1), head, more=more, counts=False)
    if budget >= HARDLY_ANY:
        short_and_counted = _filled(in_short, min(budget, LITTLE - 1), head, more=more, counts=True)
        best = _unless_less(short_and_counted, best)
    if budget >= LITTLE:
        full_and_counted = _filled(sections, budget, head, more=more, counts=True)
        best = _unless_less(full_and_counted, best)
    elif best.is_cut_short(sections):
        in_full = _filled(sections, budget, head, more=more, counts=False)
        best = in_full if in_full.has_all else best
    return best.text()


def _unless_less(page: _Page, other: _Page) -> _Page:
    """The page, or the other one if that shows more."""
    return page if page.characters_shown >= other.characters_shown else other


def _filled(sections: Sequence[Section], budget: int, head: str, *, more: str, counts: bool) -> _Page:
    page = _Page(sections, budget, head, more=more, counts=counts)
    page.fill(lambda line: line.first)
    page.fill(lambda line: not line.first and not line.spare)
    page.fill(lambda line: line.spare)
    return page


class _Page:
    """A brief while it is being filled, in one style."""

    def __init__(self, sections: Sequence[Section], budget: int, head: str, *, more: str, counts: bool) -> None:
        self._sections, self._budget, self._head, self._more, self._counts = sections, budget, head, more, counts
        self._shown: list[list[BriefLine]] = [[] for _ in sections]
        self._texts: list[set[str]] = [set() for _ in sections]
        self._used: list[float] = []
        self._body = head

    @property
    def has_all(self) -> bool:
        """Whether every line is shown."""
        return self._with_foot(self._body) == self._body

    def is_cut_short(self, full: Sequence[Section]) -> bool:
        """Whether the sections in full would say more, and this much is left for it."""
        longer = sum(len(line.text) for section in full for line in section.lines)
        return self.has_all and longer > self.characters_shown

    @property
    def characters_shown(self) -> int:
        """How many characters its lines have."""
        return sum(len(line.text) for lines in self._shown for line in lines)

    def fill(self, meant: Callable[[BriefLine], bool]) -> None:
        """Add the lines that are meant, until none fits any more."""
        left = [[line for line in section.lines if meant(line)] for section in self._sections]
        self._used, misses = [0.0] * len(left), [0] * len(left)
        while any(left):
            at = min(
                (i for i in range(len(left)) if left[i]), key=lambda i: (self._used[i] / self._sections[i].share, i)
            )
            if not self._try_to_add(at, left[at].pop(0)):
                misses[at] += 1  # a shorter line may still fit, but only a few are tried
                if misses[at] == MOST_MISSES:
                    left[at].clear()

    def _try_to_add(self, at: int, line: BriefLine) -> bool:
        """Add the line to the section with this index if it fits; returns whether it is on the page now."""
        if self._is_shown(at, line, self._body):
            return True
        self._shown[at].append(line)
        self._texts[at].add(line.text)
        wider = _rendered(self._sections, self._shown, self._head)
        if not fits(self._with_foot(wider), self._budget):
            self._shown[at].pop()
            self._texts[at].remove(line.text)
            return False
        self._used[at] += max(1, count(wider) - count(self._body))
        self._body = wider
        return True

    def _is_shown(self, at: int, line: BriefLine, body: str) -> bool:
        """Whether its section has the line already, or, where that is enough, another line has its words. A file that
        is named in a command must still be listed as a file."""
        section = self._sections[at]
        if line.text in self._texts[at]:
            return True
        return not (section.always or section.by_folder or line.always) and _is_contained(line.text, body)

    def text(self) -> str:
        footed = self._with_foot(self._body)
        return footed if fits(footed, self._budget) else self._body

    def _with_foot(self, body: str) -> str:
        """The body with a line about what did not fit; with very little room, only the command that shows it."""
        missing = [
            sum(not self._is_shown(at, line, body) for line in section.lines)
            for at, section in enumerate(self._sections)
        ]
        counts = ", ".join(
            counted_many(number, section.what)
            for number, section in zip(missing, self._sections, strict=True)
            if number
        )
        foot = f"Not shown: {counts}. {self._more}" if self._counts else self._more
        return f"{body}\n{foot}".strip() if counts else body


def _in_short(section: Section) -> Section:
    lines = tuple(replace(line, text=line.short or line.text) for line in section.lines)
    return replace(section, lines=lines, title=section.short or section.title)


def _is_contained(text: str, body: str) -> bool:
    """Whether the body has the text already, and not as part of a longer word. For a quote of the person, only another
    quote counts, not a path or a command with the same words."""
    bare = text.lstrip("> -").removesuffix(" …")
    at = body.find(bare)
    while at >= 0 and bare:
        around = body[at - 1 : at] + body[at + len(bare) : at + len(bare) + 1]
        before = body[body.rfind("\n", 0, at) + 1 : at]
        quoted = before.startswith("> ") or ": > " in before
        if not any(c.isalnum() or c == "_" for c in around) and (quoted or not text.startswith("> ")):
            return True
        at = body.find(bare, at + 1)
    return False


def _rendered(sections: Sequence[Section], shown: Sequence[Sequence[BriefLine]], head: str) -> str:
    parts = [_section(section, _in_place(lines)) for section, lines in zip(sections, shown, strict=True) if lines]
    return "\n".join([*([head] if head else []), *parts])


def _in_place(lines: Sequence[BriefLine]) -> list[str]:
    return [line.text for line in sorted(lines, key=lambda line: line.position)]


def _section(section: Section, lines: list[str]) -> str:
    if section.between:
        return f"{section.title} {section.between.join(lines)}"
    if section.by_folder:
        lines = _grouped(lines)
    if len(lines) == 1 and not (section.by_folder and ": " in lines[0]):  # a folder begins its line
        return f"{section.title} {lines[0]}"
    return "\n".join([section.title, *(line if line[:1] in "-> [" else f"- {line}" for line in lines)])


def _grouped(paths: list[str]) -> list[str]:
    """The paths in their order; neighbours in the same folder share a line, with the folder written once."""
    lines: list[tuple[str, list[str]]] = []
    for path in paths:
        cut = max(path.rfind("/"), path.rfind("\\")) + 1
        folder, name = path[:cut], path[cut:]
        if lines and lines[-1][0] == folder:
            lines[-1][1].append(name)
        else:
            lines.append((folder, [name]))
    return [_in_folder(folder, names) for folder, names in lines]


def _in_folder(folder: str, names: list[str]) -> str:
    if not folder or len(names) == 1:
        return ", ".join(folder + name for name in names)
    return f"{folder}: {', '.join(names)}"
