"""The one table of what survives the end of a context, and for how long (SPEC 10.2). Pure.

Saving, restoring, expiry, caps and `docs/state.md` come from `FIELDS`. The ledger is the source of every field; a state
checkpoint (`lifecycle/state_checkpoint.py`) is a snapshot of them.

    FIELDS["files_edited"].accepts(["src/cart.py"])
    capped(FIELDS["goal_keywords"], list_of_hundred)        the first twelve
"""

from __future__ import annotations

from perdure.model.ids import is_token, is_uuid
from perdure.model.payload import EVIDENCE_KINDS, EVIDENCE_MODES
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from perdure.model.json import Json

    Validator: TypeAlias = Callable[[Json], bool]
    State: TypeAlias = Mapping[str, Json]

ALWAYS, WHILE_YOUNG, CONSERVED, NEVER = "always", "while young", "conserved", "never"
"""How a field is restored. WHILE_YOUNG: from the checkpoint within its time to live, else from the ledger alone.
CONSERVED: of tier 2, but without an age limit (the conservation set)."""
TEXT, NUMBER, TEXTS, COUNTS, OBJECT, OBJECTS = "text", "number", "texts", "counts", "object", "objects"
LISTS = frozenset((TEXTS, OBJECTS))
HOUR = 3600
LONGEST_TEXT = 2000
"""Characters of one text, also in a list."""
_LARGEST_NUMBER = 10**9


@value
class StateField:
    name: str
    tier: int
    type: str
    cap: int
    """The most characters of a text, entries of a list or of counts; the greatest number."""
    time_to_live: int | None
    """Seconds; None: no limit. 0: it is never saved."""
    restore: str
    validator: Validator
    """What a value must be, beside its type and cap."""
    source: str
    """Where its value comes from, in words."""

    def accepts(self, found: Json) -> bool:
        """Whether this can be a value of the field. What a file says may be anything."""
        return _OF_TYPE[self.type](found, self.cap) and self.validator(found)


def _is_text(found: Json, cap: int) -> bool:
    return isinstance(found, str) and 0 < len(found) <= cap


def _is_number(found: Json, cap: int) -> bool:
    return type(found) is int and 0 <= found <= cap


def _is_texts(found: Json, cap: int) -> bool:
    return isinstance(found, list) and len(found) <= cap and all(_is_text(each, LONGEST_TEXT) for each in found)


def _is_counts(found: Json, cap: int) -> bool:
    if not isinstance(found, dict) or len(found) > cap:
        return False
    return all(_is_text(name, 100) and _is_number(count, _LARGEST_NUMBER) for name, count in found.items())


def _is_object(found: Json, cap: int) -> bool:
    return isinstance(found, dict) and len(found) <= cap


def _is_objects(found: Json, cap: int) -> bool:
    return isinstance(found, list) and len(found) <= cap and all(isinstance(each, dict) for each in found)


_OF_TYPE: dict[str, Callable[[Json, int], bool]] = {
    TEXT: _is_text,
    NUMBER: _is_number,
    TEXTS: _is_texts,
    COUNTS: _is_counts,
    OBJECT: _is_object,
    OBJECTS: _is_objects,
}


# -- validators --------------------------------------------------------------------------------------------------------


def any_value(found: Json) -> bool:
    return True


def session_id(found: Json) -> bool:
    return isinstance(found, str) and is_uuid(found)


def evidence_mode(found: Json) -> bool:
    return found in EVIDENCE_MODES


def contract(found: Json) -> bool:
    """As `perdure contract show` gives it: goal, criteria, evidence, mode, and what it belongs to."""
    if not isinstance(found, dict) or found.keys() != {"goal", "criteria", "evidence", "mode", "belongs_to"}:
        return False
    texts = (_is_text(found["goal"], LONGEST_TEXT), _is_text(found["belongs_to"], 100), evidence_mode(found["mode"]))
    evidence = found["evidence"]
    known = isinstance(evidence, list) and all(each in EVIDENCE_KINDS for each in evidence)
    return all(texts) and known and _is_texts(found["criteria"], 50)


def pointers(found: Json) -> bool:
    return isinstance(found, list) and all(map(pointer, found))


def pointer(found: Json) -> bool:
    """An external pointer: a name, what it points to, and the command that reactivates it."""
    if not isinstance(found, dict) or found.keys() != {"name", "value", "command"}:
        return False
    name = found["name"]
    words = (_is_text(found["value"], LONGEST_TEXT), _is_text(found["command"], LONGEST_TEXT))
    return isinstance(name, str) and is_token(name) and all(words)


def relative_paths(found: Json) -> bool:
    """Paths as the record has them: no control characters."""
    return isinstance(found, list) and all(isinstance(each, str) and each.isprintable() for each in found)


# -- the table ---------------------------------------------------------------------------------------------------------


def _one(name: str, type: str, cap: int, *, source: str, validator: Validator = any_value) -> StateField:
    """A field of tier 1."""
    return StateField(
        name=name,
        tier=1,
        type=type,
        cap=cap,
        time_to_live=None,
        restore=ALWAYS,
        validator=validator,
        source=source,
    )


def _two(
    name: str, type: str, cap: int, *, source: str, validator: Validator = any_value, conserved: bool = False
) -> StateField:
    return StateField(
        name=name,
        tier=2,
        type=type,
        cap=cap,
        time_to_live=None if conserved else HOUR,
        restore=CONSERVED if conserved else WHILE_YOUNG,
        validator=validator,
        source=source,
    )


def _three(name: str, type: str, cap: int, *, source: str) -> StateField:
    return StateField(
        name=name,
        tier=3,
        type=type,
        cap=cap,
        time_to_live=0,
        restore=NEVER,
        validator=any_value,
        source=source,
    )


FIELDS: dict[str, StateField] = {
    each.name: each
    for each in (
        _one("session_id", TEXT, 36, source="the session", validator=session_id),
        _one(
            "original_goal",
            TEXT,
            LONGEST_TEXT,
            source="the goal of the lineage: its first prompt, or the goal set for it",
        ),
        _one("goal_keywords", TEXTS, 12, source="the words of that goal by which it is recognised in the work"),
        _one("confidence", NUMBER, 100, source="the open transaction, or the last one of the place"),
        _one("completion_confidence", NUMBER, 100, source="the last end of a turn under the contract"),
        _one("task_contract", OBJECT, 5, source="`perdure contract`", validator=contract),
        _one("evidence_mode", TEXT, 10, source="the contract, or the setting `evidence.mode`", validator=evidence_mode),
        _one(
            "constraints", TEXTS, 40, source="rules in the person's prompts, word for word; `perdure note constraint`"
        ),
        _one("external_pointers", OBJECTS, 20, source="`perdure pointer`", validator=pointers),
        _two("files_read", TEXTS, 200, source="hooks", validator=relative_paths),
        _two("files_edited", TEXTS, 200, source="hooks", validator=relative_paths, conserved=True),
        _two("files_created", TEXTS, 200, source="hooks", validator=relative_paths, conserved=True),
        _two("tool_counts", COUNTS, 20, source="hooks: how many reads, searches, edits, commands, failures"),
        _two("commands_succeeded", TEXTS, 50, source="hooks"),
        _two("errors_unresolved", TEXTS, 20, source="hooks: errors that nothing has settled since", conserved=True),
        _two("turn_count", NUMBER, _LARGEST_NUMBER, source="the person's prompts"),
        _two("nudge_history", TEXTS, 50, source="what the agent was told once, and ends of turns that were blocked"),
        _two("repair_debt", NUMBER, 100, source="by how much confidence is below where it begins"),
        _two("work_queue", TEXTS, 30, source="the task in progress, open next steps, tasks that are ready"),
        _three("edit_history", OBJECTS, 200, source="each edit is an event of its own"),
        _three("approach_history", TEXTS, 50, source="`perdure note failed`"),
        _three("progress_log", TEXTS, 200, source="the trajectory"),
        _three("framework_errors", TEXTS, 50, source="hooks report their failures to the client"),
        _three("evidence_ledger", OBJECTS, 200, source="runs of checks are events of their own"),
        _three("pending_files", TEXTS, 200, source="not kept"),
        _three("pending_searches", TEXTS, 200, source="not kept"),
        _three("pending_integration_greps", TEXTS, 200, source="not kept"),
        _three("consecutive_blocks", NUMBER, 10, source="counted anew in each turn"),
    )
}
SAVED = tuple(each for each in FIELDS.values() if each.restore != NEVER)


def capped(field: StateField, found: Json) -> Json:
    """The value within the field's cap: the first entries of a list, the beginning of a text."""
    if isinstance(found, list):
        return [each[:LONGEST_TEXT] if isinstance(each, str) else each for each in found[: field.cap]]
    if isinstance(found, dict) and field.type == COUNTS:
        return dict(sorted(found.items(), key=lambda each: -_count(each[1]))[: field.cap])
    if isinstance(found, str):
        return found[: field.cap]
    return min(found, field.cap) if type(found) is int else found


def _count(found: Json) -> int:
    return found if type(found) is int else 0
