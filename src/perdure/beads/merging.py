"""Compares what a beads file says of a task with what the ledger says, field by field.

Neither side's last state is kept as text: of each field, one digest says what the file said when the two were last
compared, and one what the ledger said. A side has changed a field if its digest differs now. Both are kept because
the two values may differ although neither side changed: Perdure has no status `deferred`, and masks credentials.

    outcome(Seen({"title": d}, {}), "title", theirs="ship", ours="ship it") == GIVE     only the ledger changed it
"""

from __future__ import annotations

import re
from datetime import datetime

from perdure.beads.issue import EXTENSIONS, FIELDS, UNORDERED
from perdure.model.digest import sha256
from perdure.model.json import compact_ascii
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from perdure.model.json import Json

SAME, TAKE, GIVE, FORK, OLD = "same", "take", "give", "fork", "old"
"""Nothing to do; the ledger takes the file's value; the file gets the ledger's; both changed it; the file has an old
copy of the line, for example of an earlier commit, and gets the ledger's value."""
_DIGITS = 16
_TIME = re.compile(
    r"(?P<seconds>[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.(?P<decimals>[0-9]{1,18}))?"
    r"(?P<offset>[Zz]|[-+][0-9]{2}:[0-9]{2})"
)


@value
class Seen:
    """What both sides said of a task when they were last compared: a digest for each field that was not empty."""

    file: Mapping[str, str]
    ledger: Mapping[str, str]
    """Only of fields for which the ledger said something else than the file."""

    def of_file(self, field: str) -> str:
        return self.file.get(field, "")

    def of_ledger(self, field: str) -> str:
        return self.ledger.get(field, self.of_file(field))


def digest(field: str, content: Json) -> str:
    """The same for the same content, however it was written; empty for what is empty."""
    if content in (None, "", []):
        return ""
    plain = _plain(content)
    if field in UNORDERED and isinstance(plain, list):
        plain = sorted(plain, key=str)
    return sha256(compact_ascii(plain).encode()).hexdigest()[:_DIGITS]


def _plain(content: Json) -> Json:
    """Keys in order, and 1.0 as 1: the ledger stores canonical JSON."""
    if isinstance(content, dict):
        return {name: _plain(content[name]) for name in sorted(content)}
    if isinstance(content, list):
        return [_plain(each) for each in content]
    if isinstance(content, float) and content.is_integer():
        return int(content)
    return content


def digests(fields: Mapping[str, Json]) -> dict[str, str]:
    found = {name: digest(name, content) for name, content in fields.items()}
    return {name: each for name, each in found.items() if each}


def outcome(seen: Seen | None, field: str, *, theirs: Json, ours: Json) -> str:
    """What to do with a field that the file states."""
    file, ledger = digest(field, theirs), digest(field, ours)
    if file == ledger:
        return SAME
    if seen is None:  # the two were never compared: what one of them lacks comes from the other
        return TAKE if not ledger else GIVE if not file else FORK
    theirs_changed, ours_changed = file != seen.of_file(field), ledger != seen.of_ledger(field)
    if theirs_changed and ours_changed:
        return FORK
    return TAKE if theirs_changed else GIVE if ours_changed else SAME


def outcomes(seen: Seen | None, theirs: Mapping[str, Json], ours: Mapping[str, Json]) -> dict[str, str]:
    """For every field that the file states. A field that it does not state is an extension that its last writer does
    not know: the ledger's value stays."""
    return {field: outcome(seen, field, theirs=theirs[field], ours=ours[field]) for field in FIELDS if field in theirs}


def to_give(seen: Seen, stated: Container[str], ours: Mapping[str, Json]) -> list[str]:
    """The fields that the file must get from the ledger, once the ledger has taken what the file changed. `stated`: the
    fields that the file states. An extension that the file once had and has no more was dropped by a tool that does not
    know it, and is written again."""
    given = []
    for field in FIELDS:
        ledger = digest(field, ours[field])
        is_dropped = field not in stated and bool(ledger) and bool(seen.of_file(field))
        if is_dropped or ledger not in (seen.of_ledger(field), seen.of_file(field)):
            given.append(field)
    return given


def seen_after(
    before: Seen | None, theirs: Mapping[str, Json], after: Mapping[str, Json], *, decided: Mapping[str, str]
) -> Seen:
    """What is kept after a comparison. `decided`: what was done with each field. If the file is still to get the
    ledger's value, the ledger is remembered as it was, so that its change is still one when the file is written."""
    file = digests(theirs)
    for field in EXTENSIONS:
        if field not in theirs and before and before.of_file(field):
            file[field] = before.of_file(field)
    ledger: dict[str, str] = {}
    for field in FIELDS:
        if decided.get(field) in (SAME, TAKE):
            now = digest(field, after[field])
        elif before is None or decided.get(field) in (FORK, OLD):
            now = file.get(field, "")
        else:
            now = before.of_ledger(field)
        if now != file.get(field, ""):
            ledger[field] = now
    return Seen(file, ledger)


def is_older(stated: str | None, than: str | None) -> bool:
    """Whether a time is before another. False if one of them is missing or is not a time."""
    first, second = nanoseconds(stated), nanoseconds(than)
    return first is not None and second is not None and first < second


def nanoseconds(text: str | None) -> int | None:
    """A time as beads writes it, with up to nine decimals and any offset from UTC, counted from 1970."""
    found = _TIME.fullmatch(text or "")
    if found is None:
        return None
    try:
        seconds = datetime.fromisoformat(found["seconds"] + found["offset"].upper().replace("Z", "+00:00"))
    except ValueError:
        return None
    return int(seconds.timestamp()) * 10**9 + int((found["decimals"] or "").ljust(9, "0")[:9])


def reachable_without(edges: Mapping[str, Iterable[str]], start: str, target: str) -> set[str] | None:
    """All tasks that `start` leads to, itself included; None if `target` is one of them."""
    looked_at: set[str] = set()
    to_visit = [start]
    while to_visit:
        here = to_visit.pop()
        if here == target:
            return None
        if here not in looked_at:
            looked_at.add(here)
            to_visit += edges.get(here, ())
    return looked_at
