"""A brief for whoever goes on (SPEC 12): from a client's transcript alone, with no project needed."""

from __future__ import annotations

import os

from perdure.errors import BadInput
from perdure.model.ids import shown
from perdure.model.value import value
from perdure.recovery.brief import LEAST, Section, brief, sections_of
from perdure.recovery.gather import Gathering
from perdure.transcript.claude_code import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BRIEF_TOKENS = 1200
MORE = "--max-tokens N shows more."


@value
class Recovered:
    text: str
    sections: tuple[Section, ...]
    skipped: int
    """Lines of the transcript that could not be read."""
    met_until: bool


def from_transcript(path: str, until: str | None, budget: int) -> Recovered:
    if budget < LEAST:
        raise BadInput("too_few_tokens", f"A brief needs {LEAST} tokens at least.", hint=f"--max-tokens {LEAST}")
    gathered, reading = Gathering(), Reading()
    try:
        with open(path, "rb") as lines:
            for event in reading.events(lines, until):
                gathered.take(event)
    except OSError as error:
        raise BadInput(
            "no_transcript", f"{shown(path)}: {error.strerror}.", hint="Give a transcript's path."
        ) from error
    sections = sections_of(gathered, _looker(gathered.root))
    return Recovered(brief(sections, budget, more=MORE), tuple(sections), reading.skipped, reading.met_until)


def _looker(root: str) -> Callable[[str], bool | None]:
    """Whether a path is there; nobody can tell where the work tree is not."""
    if not root or not os.path.isdir(root):
        return lambda _: None
    return lambda path: os.path.exists(os.path.join(root, path))
