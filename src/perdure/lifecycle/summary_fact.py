"""The facts that a compaction must not lose, and what became of each in the client's summary (SPEC 11.2)."""

from __future__ import annotations

from hashlib import sha256

from perdure.model.value import value

GOAL, CONTRACT, CONSTRAINT, REQUEST = "goal", "contract", "constraint", "request"
TRANSACTION, DECISION, TASK, NEXT_STEP = "transaction", "decision", "task", "next step"
BLOCKER, QUESTION, FAILED = "blocker", "question", "failed approach"
FILE, ERROR, COMMAND, POINTER = "file", "error", "command", "pointer"
TITLES = {
    TRANSACTION: "Open transaction",
    GOAL: "Goal",
    CONTRACT: "Contract",
    CONSTRAINT: "Rules the person set",
    REQUEST: "The person asked last",
    DECISION: "Decisions, newest first",
    NEXT_STEP: "Next",
    TASK: "Task",
    POINTER: "To reactivate",
    BLOCKER: "Blocked by",
    QUESTION: "Open questions",
    FAILED: "Did not work",
    ERROR: "Unresolved errors",
    COMMAND: "Commands that check the work",
    FILE: "Files that were edited",
}
KINDS = tuple(TITLES)
"""What a fact can be, the most important first: the order in which facts are named to the summariser and given back."""
OPEN_ITEMS = frozenset((NEXT_STEP, BLOCKER, QUESTION, TASK))
"""A summary that calls one of these done contradicts the ledger, in which it is open."""
RETOLD = frozenset((GOAL, REQUEST, ERROR))
"""What a summary may tell in its own words, spread over a paragraph. The others it must state in one place."""

KEPT, ALTERED, LOST = "kept", "altered", "lost"


@value
class SummaryFact:
    kind: str
    source: str
    """The id of the event that has the words; of a transaction, its own id."""
    text: str
    value: str = ""
    """Only for a decision on a key: the value, which a summary must have."""
    key: str = ""
    """Of a command: the program and what it is to do, of each check in it, with "; " between them."""
    more: str = ""
    """What is given back together with it, such as the reason of a decision."""
    origin: str = ""
    """What is given back before it: that its words came from another machine."""

    @property
    def digest(self) -> str:
        """Tells apart several facts of one source, such as two rules in one prompt. A record names a fact by kind,
        source and digest, so that its words stay where they can be erased."""
        return sha256(f"{self.kind}\0{self.text}\0{self.value}".encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def name(self) -> tuple[str, str, str]:
        return self.kind, self.source, self.digest

    @property
    def words(self) -> str:
        """The fact as it is given back."""
        valued = f" ({self.key or 'value'}: {self.value})" if self.value and self.value not in self.text else ""
        return f"{self.origin}{self.text}{valued}{self.more}"


@value
class Finding:
    """What became of a fact in a summary."""

    fact: SummaryFact
    outcome: str
    """KEPT, ALTERED or LOST."""
    passage: str = ""
    """What the summary says about it; empty if it says nothing."""
    line: int = 0
    why: str = ""
    """Only for an altered fact: what is different."""
