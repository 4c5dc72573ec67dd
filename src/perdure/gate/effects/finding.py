"""The findings about the parts of a command, and how they add up to the effect of the whole.

worst([NOETIC, PRAXIC]) == PRAXIC
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NOETIC, TRANSITION, PRAXIC, FORBIDDEN = "noetic", "transition", "praxic", "forbidden"
CONTAINED = "contained"
"""What a praxic command is called that runs read-only, because it is not known what it does (SPEC 5.8)."""
ORDER = (NOETIC, TRANSITION, PRAXIC, FORBIDDEN)


@value
class PartEffect:
    """What one part would do. `part` is its text; `weighty` says why it needs a CHECK, or is ''; `written` lists the
    files that it is known to write."""

    effect: str
    reason: str
    part: str = ""
    depth: int = 0
    written: tuple[str, ...] = ()
    weighty: str = ""
    opens: bool = False
    """It opens or closes a transaction, which a subagent may not do."""
    folders: tuple[str, ...] = ()
    """The folders it may run in, where they are known."""
    looks: bool = False
    """It shows something of the work: a file, a search, the state of the repository. A part that only prints its own
    words, waits, describes the shell or the machine, or passes on its input does not (SPEC 4.3)."""
    is_sure: bool = True
    """If it is praxic: it surely changes things. Otherwise it is not known: an unknown program, code, an option that is
    not known before it runs."""


@value
class Analysis:
    """What a whole command would do. `effect` and `reason` are those of its worst part."""

    effect: str
    reason: str
    findings: tuple[PartEffect, ...]
    written: tuple[str, ...] = ()
    weighty: str = ""

    @property
    def looks(self) -> bool:
        """Whether any part of it shows something of the work."""
        return any(finding.looks for finding in self.findings)

    @property
    def is_uncertain(self) -> bool:
        """Whether it is praxic only because it is not known what it does. A command that also moves the work along is
        not: read-only, that part of it would fail."""
        if self.effect != PRAXIC or self.weighty:
            return False
        return not any(
            finding.effect == TRANSITION or finding.opens or (finding.effect == PRAXIC and finding.is_sure)
            for finding in self.findings
        )


def worst(effects: Iterable[str]) -> str:
    return max(effects, key=ORDER.index, default=NOETIC)


def add_up(findings: list[PartEffect]) -> Analysis:
    """Combine the findings. Equal findings, from several rounds through a loop, count once."""
    findings = list(dict.fromkeys(findings))
    effect = worst(finding.effect for finding in findings)
    deciding = next((finding for finding in findings if finding.effect == effect), None)
    weights = [finding.weighty for finding in findings if finding.weighty]
    return Analysis(
        effect=effect,
        reason=_reason(effect, deciding, findings),
        findings=tuple(findings),
        written=tuple(dict.fromkeys(path for finding in findings for path in finding.written)),
        weighty=weights[0] if weights else "",
    )


def _reason(effect: str, deciding: PartEffect | None, findings: list[PartEffect]) -> str:
    if deciding is None:
        return "it does nothing"
    if effect == NOETIC and len(findings) > 1:
        return "every part of it only reads, or writes to scratch"
    return deciding.reason
