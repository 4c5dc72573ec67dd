"""The results of the doctor's checks: one sentence each, and how to fix it."""

from __future__ import annotations

from perdure.model.value import value

OK, WARN, BAD = "ok", "warn", "bad"
IN_CLIENT, AS_REGISTERED, UNPROVED = "in the client", "as registered", ""


@value
class CheckResult:
    """`is_inert`: because of this the guard does not work."""

    part: str
    state: str
    detail: str
    fix: str = ""
    is_inert: bool = False


def ok(part: str, detail: str) -> CheckResult:
    return CheckResult(part, OK, detail)


def warn(part: str, detail: str, fix: str) -> CheckResult:
    return CheckResult(part=part, state=WARN, detail=detail, fix=fix)


def bad(part: str, detail: str, fix: str) -> CheckResult:
    return CheckResult(part=part, state=BAD, detail=detail, fix=fix)


def inert(part: str, detail: str, fix: str) -> CheckResult:
    return CheckResult(part=part, state=BAD, detail=detail, fix=fix, is_inert=True)


def wrong(part: str, detail: str, fix: str, *, is_inert: bool) -> CheckResult:
    """Something that stops the guard, unless another registered guard works."""
    return inert(part, detail, fix) if is_inert else warn(part, detail, fix)


@value
class Examined:
    """A client. `proved` says where its guard was seen to deny: in the client itself, as it is registered, or
    nowhere."""

    client: str
    title: str
    version: str
    binary: str
    proved: str
    findings: tuple[CheckResult, ...]


@value
class DoctorReport:
    project: str
    here: tuple[CheckResult, ...]
    clients: tuple[Examined, ...]

    @property
    def findings(self) -> tuple[CheckResult, ...]:
        return (*self.here, *(finding for client in self.clients for finding in client.findings))

    def cause(self, client: Examined) -> str:
        """Why this client's guard does not work; empty if it does."""
        found = next((f.detail for f in (*client.findings, *self.here) if f.is_inert), "")
        return found or ("" if client.proved else "it did not deny anything")

    @property
    def guards_live(self) -> bool:
        return bool(self.clients) and not any(self.cause(client) for client in self.clients)

    @property
    def is_well(self) -> bool:
        """A client that is not installed needs no guard."""
        return not any(f.state == BAD for f in self.findings) and (self.guards_live or not self.clients)
