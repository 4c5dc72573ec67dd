"""What the ledger says, for comparing a text with it, and what a text states otherwise."""

from __future__ import annotations

from perdure.model.value import value


@value
class KnownKey:
    """A key, and the decision on it that counts."""

    key: str
    value: str
    decision_id: str
    other_values: tuple[str, ...] = ()
    """What was decided on it too: superseded values, and those of the other sides of a fork."""


@value
class KnownDecision:
    id: str
    text: str
    words: str = ""
    """Everything it says: title, reason, key and value too."""
    successor: str = ""
    """The id of the decision that superseded it."""
    successor_text: str = ""


@value
class KnownTask:
    id: str
    fields: dict[str, str]
    """`status`, `priority` and `assignee`, as far as it has them."""


@value
class Known:
    keys: tuple[KnownKey, ...] = ()
    decisions: tuple[KnownDecision, ...] = ()
    tasks: tuple[KnownTask, ...] = ()


KEY, DECISION, TASK = "key", "decision", "task"
"""What a contradiction is about."""


@value
class Contradiction:
    about: str
    subject: str
    """The key, the id of the decision, or the id of the task."""
    field: str
    """The key, the decision's id, or the task's field."""
    stated: str
    """What the text says: a value, or the line itself."""
    ledger: str
    """What the ledger says."""
    decision_id: str
    """The ledger's decision; empty for a task."""
    line: int
    quote: str
    """The line."""
