"""Was the record changed by anything else than Perdure? For `perdure status`, which must say so and may cost nothing.

If the files are as the last command left them, what the last look found is still so (`views/file_marks.py`). If not,
the record is verified as by `perdure audit verify`, once.

    found_wrong(desk)      # a sentence with the way out; none if all is whole
"""

from __future__ import annotations

from perdure.actions.advice import about, as_typed
from perdure.views import file_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.auditing import Verified
    from perdure.actions.wiring import Desk

MOST_EVENTS = 100_000
"""`status` does not check a longer ledger: that takes a second or more."""


def found_wrong(desk: Desk) -> tuple[str, ...]:
    if desk.writable:  # a hook: it was looked at before this desk wrote, and nobody waits here for more
        return desk.known_wrong or ()
    known = desk.look_at_files()
    if known is not None:
        return known
    if sum(head.seq for head in desk.ledger.heads()) > MOST_EVENTS:
        verify = as_typed(desk, "perdure audit verify")
        return (
            "something other than Perdure changed the files of the record, or a command was cut off, and they were not "
            f"verified since: {verify}",
        )
    from perdure.actions.auditing import verify_at

    before = desk.file_states()
    verified = verify_at(desk.resolved, desk.root, lambda *_: None, with_files=False)
    wrong = in_words(desk, verified)
    if desk.file_states() == before:
        file_marks.keep(desk.resolved.home, desk.root, before, key=desk.key, wrong=wrong)
    return wrong


def in_words(desk: Desk, verified: Verified) -> tuple[str, ...]:
    """One sentence for all that is wrong: what it is first, and the way out."""
    from perdure.actions.auditing import ways_out
    from perdure.actions.place_findings import GIT_WAY_OUT

    # That git tracks the ledger is not an alteration, and whoever opens the project is told of it anyway.
    findings = [each for each in verified.report.findings if each.way_out != GIT_WAY_OUT]
    if not findings:
        return ()
    first = about(desk.resolved, desk.root, findings[0].what)
    where = f" (event {findings[0].seq})" if findings[0].seq else ""
    more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
    verify = as_typed(desk, "perdure audit verify")
    ways = [each for each in ways_out(verified) if each != GIT_WAY_OUT]
    way = about(desk.resolved, desk.root, ways[0])
    return (f"the record was altered: {first}{where}{more}; {verify} names it all. {way}",)
