"""Compares a text with what the ledger says (SPEC 7.4). No model, no clock: the same text gives the same answer.

contradictions("journal = delete", Known(keys=(KnownKey("journal", "wal", id),)))
"""

from __future__ import annotations

from perdure.forks.about_decisions import Decisions
from perdure.forks.about_keys import Keys
from perdure.forks.about_tasks import Tasks
from perdure.forks.lines import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.forks.known import Contradiction, Known

MOST = 50
"""Contradictions of one text; a text with more is not about this ledger."""


def contradictions(text: str, known: Known) -> list[Contradiction]:
    """What the text states otherwise: each thing once, as it is stated first."""
    found: dict[tuple[str, str, str], Contradiction] = {}
    for each in _all(text, known):
        found.setdefault((each.about, each.subject, each.field), each)
        if len(found) >= MOST:
            break
    return _without_repetitions(list(found.values()))


def _all(text: str, known: Known) -> Iterator[Contradiction]:
    keys, decisions, tasks = Keys(known.keys), Decisions(known.decisions), Tasks(known.tasks)
    prose, data = lines_of(text)
    for number, content in data:
        yield from keys.in_json(number, content)
        yield from tasks.in_json(number, content)
    for line in prose:
        yield from keys.in_line(line)
        yield from decisions.in_line(line)
        yield from tasks.in_line(line)


def _without_repetitions(found: list[Contradiction]) -> list[Contradiction]:
    """A line that states another value of a key may also have the words of the superseded decision on it."""
    lines_with_values = {each.line for each in found if each.about == "key"}
    return sorted(
        (each for each in found if each.about != "decision" or each.line not in lines_with_values),
        key=lambda each: each.line,
    )
