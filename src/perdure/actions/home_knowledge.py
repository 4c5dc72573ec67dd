"""What this home knows of a project's ledgers without reading them, for `audit verify` and `heal` (SPEC 14.7, 16.3).

    home_heads.py            signed heads, kept in the home and anchored in git, and acknowledgements
    heads_from_elsewhere.py  which heads that were signed in another folder bind here
    home_backups.py          the backups and their seals
    place_findings.py        whether this is the project that the home knows in this folder
    store_statements.py      what the store says about itself, which only tells where to look

Where to look is never left to the project alone: whoever altered it could have altered that too.
"""

from __future__ import annotations

from perdure.actions.examined_project import ExaminedProject
from perdure.actions.home_backups import HomeBackups
from perdure.actions.home_heads import HomeHeads
from perdure.actions.place_findings import misplaced, odd_files_and_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.anchors import Anchored
    from perdure.actions.request import ResolvedRequest
    from perdure.actions.store_statements import StoreStatements
    from perdure.proof.fsck import AuditFinding


class HomeKnowledge:
    """Everything is read when it is made. `statements` is None if the store cannot be read."""

    def __init__(
        self,
        resolved: ResolvedRequest,
        root: str,
        statements: StoreStatements | None,
        *,
        in_git: Anchored | None = None,
    ) -> None:
        self.resolved = resolved
        self.root = root
        self._examined = ExaminedProject(resolved, root, statements)
        self.heads = HomeHeads(self._examined, in_git)
        self.backups = HomeBackups(self._examined, self.heads)
        self.is_foreign = statements is not None and not statements.is_own
        self.is_replaced = statements is not None and statements.is_replaced
        self.misplaced = list(misplaced(self._examined))

    def findings(self) -> Iterator[AuditFinding]:
        """What is wrong with the home's side, or between the home and the project."""
        yield from odd_files_and_settings(self._examined)
        yield from self.backups.too_short
        yield from self.misplaced
        yield from self.heads.findings()
