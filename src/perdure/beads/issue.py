"""What one line of a beads file says of a task.

`read_issue` takes the line's JSON object and returns the fields that Perdure knows, each in one form, so that a field
of the file and the same field of the ledger can be compared. It never trusts the object: what has another shape than
beads writes is left out and named in `warnings`, or, if the line has no usable id or title, is refused with `Unusable`.

    read_issue({"id": "bd-1", "title": "ship", "status": "deferred"}).fields["status"] == "blocked"
"""

from __future__ import annotations

import re

from perdure.model import payload as p
from perdure.model.ids import is_token, shown
from perdure.model.json import compact
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.model.json import Json

EXTENSIONS = ("next_steps", "blockers", "questions", "test_scenarios", "handoffs")
"""Fields that Perdure adds. A tool that does not know them leaves them out when it writes the line again, so a line
without one says nothing about it. For any other field, a line without it says that it is empty."""
FIELDS = ("title", "description", "status", "priority", "assignee", "labels", "blocked_by", *EXTENSIONS)
UNORDERED = ("labels", "blocked_by")
LISTS = ("labels", *EXTENSIONS)
"""Fields that are lists of texts or objects in the file, too."""
BLOCKS = "blocks"
"""The type of dependency that makes a task wait. All other types stay in the file."""

STATUSES = {
    "open": "open",
    "in_progress": "in_progress",
    "blocked": "blocked",
    "closed": "closed",
    "deferred": "blocked",
    "pinned": "blocked",
    "hooked": "in_progress",
    "tombstone": "closed",
}
"""What beads calls a status → what Perdure calls it."""
OTHER_STATUS = "blocked"
"""What a status counts as that a project has added. `bd ready` does not offer a task with such a status either."""
DELETED = "tombstone"
PRIORITY = 2
"""The priority of a task whose line gives none: beads calls it medium."""
SCENARIO_TYPES = ("happy_path", "edge_case", "error_handling")

LONGEST_TITLE = 500
LARGEST_FIELDS = 256 << 10
MOST_ENTRIES = 1000
_LONGEST_AUTHOR = 60
_LONGEST_REFERENCE = 500
_CITED = re.compile(r"(?P<path>\S+?):(?P<line>[0-9]{1,9})(?:-(?P<end>[0-9]{1,9}))?")
_HANDOFF_TEXTS = ("session_id", "ended", "notes_ref", "trajectory_ref")
_HANDOFF_LABELS = {
    "session": "session_id",
    "ended": "ended",
    "notes ref": "notes_ref",
    "trajectory": "trajectory_ref",
    "grounding ratio": "grounding_ratio",
}


class Unusable(ValueError):
    """Why a line cannot be read as a task."""


@value
class FoundDecision:
    """A decision that the file states: in a comment that begins `DECISION:`, or in the list `decisions`."""

    identity: str
    """The same text whenever the same decision is read again."""
    made: p.DecisionMade
    author: str
    stated_id: str | None = None
    """The id that the file gives it."""


@value
class FoundHandoff:
    """A comment that begins `HANDOFF:`."""

    identity: str
    handoff: dict[str, Json]


@value
class Issue:
    id: str
    fields: dict[str, Json]
    """By `FIELDS`. An extension that the line does not have is missing; every other field is there."""
    close_reason: str | None
    updated_at: str | None
    is_deleted: bool
    decisions: tuple[FoundDecision, ...]
    handoffs: tuple[FoundHandoff, ...]
    warnings: tuple[str, ...]


def read_issue(given: dict[str, Json]) -> Issue:
    reader = _Reader(given)
    issue_id, title = _id(given), _title(given)
    fields: dict[str, Json] = {
        "title": title,
        "description": reader.text("description"),
        "status": reader.status(),
        "priority": reader.priority(),
        "assignee": reader.text("assignee"),
        "labels": [*sorted(set(reader.lines("labels")))],
        "blocked_by": reader.blocked_by(issue_id),
        **reader.extensions(),
    }
    size = len(compact([fields, reader.text("close_reason")]))
    if size > LARGEST_FIELDS:
        raise Unusable(f"its fields have {size} characters; at most {LARGEST_FIELDS} are read")
    comments = list(reader.comments())
    decisions = tuple(reader.bounded([*reader.decisions(), *_decisions_in(comments)]))
    return Issue(
        id=issue_id,
        fields=fields,
        close_reason=reader.text("close_reason"),
        updated_at=reader.text("updated_at"),
        is_deleted=given.get("status") == DELETED,
        decisions=decisions,
        handoffs=tuple(_handoffs_in(comments)),
        warnings=tuple(reader.warnings),
    )


def _id(given: dict[str, Json]) -> str:
    found = given.get("id")
    if not isinstance(found, str) or not is_token(found):
        what = shown(found) if isinstance(found, str) else "what it has"
        raise Unusable(f"{what} is not an id: letters, digits, '.', '_' and '-' only, at most 128")
    return found


def _title(given: dict[str, Json]) -> str:
    found = given.get("title")
    if not isinstance(found, str) or not found.strip():
        raise Unusable("it has no title")
    if len(found) > LONGEST_TITLE:
        raise Unusable(f"its title has {len(found)} characters; at most {LONGEST_TITLE} are read")
    return found.strip()


@value
class _Comment:
    number: str
    author: str
    at: str
    text: str

    @property
    def identity(self) -> str:
        return "\0".join((self.author, self.at, self.text))


class _Reader:
    """Reads the fields of one object, and collects what it had to leave out."""

    def __init__(self, given: dict[str, Json]) -> None:
        self._given = given
        self.warnings: list[str] = []

    def text(self, name: str) -> str | None:
        found = self._given.get(name)
        if found is not None and not isinstance(found, str):
            self.warnings.append(f"{name} is not a text and was not read")
            return None
        return found or None

    def status(self) -> str:
        found = self._given.get("status", "open") or "open"
        if not isinstance(found, str):
            self.warnings.append(f"status is not a text; taken as {OTHER_STATUS}")
            return OTHER_STATUS
        if found not in STATUSES:
            self.warnings.append(f"status {shown(found)} is not one of Perdure's; taken as {OTHER_STATUS}")
        return STATUSES.get(found, OTHER_STATUS)

    def priority(self) -> int:
        found = self._given.get("priority", PRIORITY)
        if type(found) is int and 0 <= found <= 4:
            return found
        self.warnings.append(f"priority is not a whole number from 0 to 4; taken as {PRIORITY}")
        return PRIORITY

    def entries(self, name: str) -> list[Json]:
        found = self._given.get(name)
        if found is None:
            return []
        if not isinstance(found, list):
            self.warnings.append(f"{name} is not a list and was not read")
            return []
        if len(found) > MOST_ENTRIES:
            self.warnings.append(f"{name} has {len(found)} entries; the first {MOST_ENTRIES} were read")
        return found[:MOST_ENTRIES]

    def lines(self, name: str) -> list[str]:
        found = self.entries(name)
        usable = [each for each in found if isinstance(each, str) and read_entry(name, each)]
        if len(usable) < len(found):
            self.warnings.append(f"{name} has entries that are not texts; they were not read")
        return usable

    def objects(self, name: str) -> list[dict[str, Json]]:
        return [each for each in self.entries(name) if isinstance(each, dict)]

    def blocked_by(self, own: str) -> list[Json]:
        found: dict[str, None] = {}
        for each in self.objects("dependencies"):
            other = each.get("depends_on_id")
            if each.get("type") != BLOCKS or not isinstance(other, str) or other.startswith("external:"):
                continue
            if not is_token(other):
                self.warnings.append(f"it waits for {shown(other)}, which is not an id; the link was not read")
            elif other == own:
                self.warnings.append("it waits for itself; the link was not read")
            else:
                found[other] = None
        return [*sorted(found)]

    def extensions(self) -> dict[str, Json]:
        present = [name for name in EXTENSIONS if self._given.get(name) is not None]
        return {name: self._extension(name) for name in present}

    def _extension(self, name: str) -> Json:
        if name in ("test_scenarios", "handoffs"):
            return [found for each in self.entries(name) if (found := read_entry(name, each))]
        return [*self.lines(name)]

    def comments(self) -> Iterator[_Comment]:
        for each in self.objects("comments"):
            said = each.get("text")
            if isinstance(said, str):
                number = each.get("id")
                yield _Comment(
                    number=str(number)[:40] if isinstance(number, int | str) else "?",
                    author=_author(each.get("author")),
                    at=_short_text(each.get("created_at")),
                    text=said.strip(),
                )

    def decisions(self) -> Iterator[FoundDecision]:
        for each in self.objects("decisions"):
            said = each.get("decision")
            if not isinstance(said, str) or not said.strip():
                self.warnings.append("decisions has an entry without a decision; it was not read")
                continue
            stated = each.get("id")
            made = p.DecisionMade(
                decision=said.strip(),
                rationale=_short_or_none(each.get("rationale")),
                evidence=tuple(e for e in _list(each.get("evidence"))[:MOST_ENTRIES] if isinstance(e, dict)),
                title=_origin("the task's decisions", "", _short_text(each.get("ts"))),
            )
            yield FoundDecision(
                identity=compact([said, each.get("rationale"), each.get("ts")]),
                made=made,
                author="",
                stated_id=stated if isinstance(stated, str) else None,
            )

    def bounded(self, found: list[FoundDecision]) -> Iterator[FoundDecision]:
        for each in found:
            size = len(compact(p.write(each.made)))
            if size <= LARGEST_FIELDS:
                yield each
            else:
                self.warnings.append(f"a decision has {size} characters; at most {LARGEST_FIELDS} are read")


# -- comments --------------------------------------------------------------------------------------------------------


def _decisions_in(comments: list[_Comment]) -> Iterator[FoundDecision]:
    for comment in comments:
        body = _after(comment.text, "DECISION:")
        if body:
            made = _decision(body, _origin(f"comment {comment.number}", comment.author, comment.at))
            yield FoundDecision(identity=comment.identity, made=made, author=comment.author)


def _handoffs_in(comments: list[_Comment]) -> Iterator[FoundHandoff]:
    for comment in comments:
        body = _after(comment.text, "HANDOFF:")
        if body:
            yield FoundHandoff(comment.identity, _handoff_said(body, comment))


def _after(text: str, marker: str) -> str:
    return text[len(marker) :].strip() if text.startswith(marker) else ""


def _decision(body: str, origin: str) -> p.DecisionMade:
    """The text, with its lines `Rationale: …` and `Evidence: PATH:LINE` taken apart, as beads' users write them."""
    decision: list[str] = []
    rationale: list[str] = []
    evidence: list[dict[str, Json]] = []
    for line in body.splitlines():
        label, _, rest = line.partition(":")
        if label.strip().lower() == "rationale" and rest.strip():
            rationale.append(rest.strip())
        elif label.strip().lower() == "evidence" and (cited := _CITED.fullmatch(rest.strip())):
            evidence.append({"path": cited["path"], "line": int(cited["line"])})
        else:
            decision.append(line)
    return p.DecisionMade(
        decision="\n".join(decision).strip() or body,
        rationale="\n".join(rationale) or None,
        evidence=tuple(evidence),
        title=origin,
    )


def _handoff_said(body: str, comment: _Comment) -> dict[str, Json]:
    said: dict[str, Json] = {}
    for line in body.splitlines():
        label, _, rest = line.partition(":")
        name = _HANDOFF_LABELS.get(label.strip().lower())
        if name and rest.strip():
            said[name] = _ratio(rest.strip()) if name == "grounding_ratio" else rest.strip()[:_LONGEST_REFERENCE]
    said.setdefault("session_id", f"comment {comment.number} of {comment.author or 'somebody'}")
    said.setdefault("ended", comment.at or None)
    if "notes_ref" not in said and "trajectory_ref" not in said:
        said["notes_ref"] = body[:_LONGEST_REFERENCE]
    return {name: each for name, each in said.items() if each is not None}


def _ratio(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None


def _origin(what: str, author: str, at: str) -> str:
    """Where a decision came from. It becomes the title, so that nobody takes the decision for the person's."""
    by = f" of {author}" if author else ""
    return f"from {what}{by} in the beads file{', ' + at if at else ''}"


# -- single values ---------------------------------------------------------------------------------------------------


def _author(given: Json) -> str:
    """Printable, on one line, short: it becomes part of the event's actor, which is never erased."""
    if not isinstance(given, str):
        return ""
    return "".join(c if c.isprintable() and c != "/" else "?" for c in given.strip())[:_LONGEST_AUTHOR]


def _short_text(given: Json) -> str:
    return given[:40] if isinstance(given, str) and given.isprintable() else ""


def _short_or_none(given: Json) -> str | None:
    return given.strip() or None if isinstance(given, str) else None


def _list(given: Json) -> list[Json]:
    return given if isinstance(given, list) else []


def read_entry(field: str, given: Json) -> Json:
    """An entry of a list as Perdure reads it; None if it cannot. Of an object it reads only the fields it knows."""
    if field in ("test_scenarios", "handoffs"):
        if not isinstance(given, dict):
            return None
        return _scenario(given) if field == "test_scenarios" else _handoff(given)
    return given if isinstance(given, str) and given.strip() else None


def _scenario(given: dict[str, Json]) -> dict[str, Json] | None:
    texts = [given.get(name) for name in ("name", "expected")]
    is_whole = all(isinstance(each, str) and each.strip() for each in texts)
    if not is_whole or given.get("type") not in SCENARIO_TYPES:
        return None
    return {name: given[name] for name in ("name", "type", "expected")}


def _handoff(given: dict[str, Json]) -> dict[str, Json] | None:
    if not isinstance(given.get("session_id"), str):
        return None
    found: dict[str, Json] = {name: given[name] for name in _HANDOFF_TEXTS if isinstance(given.get(name), str)}
    ratio = given.get("grounding_ratio")
    if isinstance(ratio, int | float) and not isinstance(ratio, bool) and 0 <= ratio <= 1:
        found["grounding_ratio"] = ratio
    return found
