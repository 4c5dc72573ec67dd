"""Every error Perdure raises on purpose, in one tree, grouped by who must act.

    PerdureError
    ├── BadInput      exit 2   the caller: what was typed or piped in is not usable
    ├── Refused       exit 1   the caller: understood, and the answer is no
    │   └── Conflict           somebody else changed what this write stated it expected
    │       └── Moved          the ledger has grown since what this write was based on; look again, then write
    ├── Trouble       exit 3   the machine: disk full, read-only, locked, not permitted
    │   └── NotConfined exit 126  the kernel: a command that was to run read-only was not run
    └── Damaged       exit 3   the ledger: its bytes or its chain are not what was written
        └── Doubted   exit 1   it can be read, but is not what this home knows or signed: refused until that is settled

Invariant: `code` is stable and documented in docs/errors.md (a test holds that); `message` says what and
where; `hint` says what to do. Anything else that escapes is our own defect and is reported as code `internal`.

    raise Refused("no_open_transaction", "No open transaction. Run PREFLIGHT first.", hint="perdure preflight -")
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from perdure.model.json import Json


class PerdureError(Exception):
    exit_code = 3

    def __init__(self, code: str, message: str, *, hint: str = "", details: Mapping[str, Json] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.details: dict[str, Json] = dict(details or {})


class BadInput(PerdureError):
    exit_code = 2


class Refused(PerdureError):
    exit_code = 1


class Conflict(Refused):
    """A conditional append found a document in another state than it expected (SPEC 2.3)."""


class Moved(Conflict):
    """An append that was based on one head found another one (SPEC 2.3). It never reaches a person: the caller reads
    the ledger again and retries."""


class Trouble(PerdureError):
    exit_code = 3


class NotConfined(Trouble):
    """The jail could not be set up, so the command was not run (SPEC 5.8). Shells use 126 for what cannot be run."""

    exit_code = 126


class Damaged(PerdureError):
    exit_code = 3


class Doubted(Damaged):
    """Nothing failed: Perdure refuses to go on with a record that contradicts what this home knows (SPEC 17.3)."""

    exit_code = 1
