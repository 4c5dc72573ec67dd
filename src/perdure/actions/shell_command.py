"""How does a client's shell command run: as it is, or read-only (SPEC 5.8)?

It does not trust the guard's verdict: it asks the gate's own question about the transaction again. A command runs as it
is outside every project, where the gate is off or only observes or a person switched the jail off, while an open
transaction passes the gate, and if it only moves the work along (SPEC 5.5), alone or beside plain readers
(docs/adr/0074). So does one that changes only other projects, if the gate lets it pass there. Every other command runs
read-only. One that the analysis knows to read over the network gets the network.

    choose(Gate(resolve_request(request)), "touch a")  →  HowToRun(confined=True, …)
"""

from __future__ import annotations

import os

from perdure.clients import with_shell
from perdure.files import read_text
from perdure.gate import policy
from perdure.gate.effects.finding import NOETIC, PRAXIC, TRANSITION, PartEffect, add_up
from perdure.jail.confine import running_kernel
from perdure.jail.remembered import words_of
from perdure.model.ids import is_token
from perdure.model.value import value
from perdure.place import transaction_pointers
from perdure.place.home import shell_program_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.actions.gating import Gate
    from perdure.gate.effects.finding import Analysis
    from perdure.settings import Settings

OWN_NAME = "perdure"
MARK = "perdure.surfaces.shell_prefix"
"""In the program through which a client starts its shell commands."""
NETWORK_PROGRAMS = frozenset(
    """curl wget dig host nslookup ping ping6 traceroute tracepath mtr whois getent gh glab git npm pnpm yarn pip pip3
    uv cargo go docker kubectl helm aws gcloud az terraform brew apt apt-get apt-cache dnf""".split()
)
"""A command without any of these words is not analysed for the network."""


_LONGEST_LINE = 300


@value
class HowToRun:
    confined: bool
    network: bool = False


AS_IT_IS, READ_ONLY = HowToRun(confined=False), HowToRun(confined=True)


def choose(gate: Gate, command: str | None) -> HowToRun:
    """`command` is None if the model's command was not found in what the client starts."""
    if not is_contained_here(gate) or is_open(gate):
        return AS_IT_IS
    if _why_no_jail():
        return _without_jail(gate, command)
    return READ_ONLY if command is None else _by_analysis(gate, command)


def _without_jail(gate: Gate, command: str | None) -> HowToRun:
    """On a kernel that cannot: only what the guard lets pass there. It may have seen another kernel, as where the
    client has a sandbox around its shells."""
    if command is not None and gate.analysis_of(command).effect in (NOETIC, TRANSITION):
        return AS_IT_IS
    from perdure.jail.plan import plan_for

    plan_for(running_kernel())  # raises, and says why
    return READ_ONLY


def is_contained_here(gate: Gate) -> bool:
    """Whether the jail is wanted here, whatever transaction is open. If the settings cannot be read, it is."""
    if gate.resolved.place.project_path is None:
        return False
    if gate.wrong_settings:
        return gate.mode != policy.OFF
    return gate.mode == policy.ENFORCE and gate.settings["gate.contain"].value is True


def why_never_confined(settings: Settings) -> str:
    """A sentence about a kernel that cannot hold the jail, where the person wants one; else empty."""
    if settings["gate.contain"].value is not True or settings["gate.mode"].value != policy.ENFORCE:
        return ""
    reason = _why_no_jail()
    return f"Commands do not run read-only here, so the gate's analysis alone decides: {reason}." if reason else ""


def will_be_confined(gate: Gate, client: str, tool: str) -> bool:
    """Whether a shell command that this client is about to run will surely run read-only: it is started through our
    program, as the variable shows that the client gave this process too; the program is there; the kernel can; and
    nothing opens the gate. In any doubt it is not."""
    adapter = with_shell(client)
    if adapter is None or tool not in adapter.SHELL_TOOLS or not is_contained_here(gate) or is_open(gate):
        return False
    program = shell_program_path(gate.resolved.home, client)
    if gate.resolved.request.environment.get(adapter.SHELL_VARIABLE) != program or not os.access(program, os.X_OK):
        return False
    return MARK in (read_text(program) or "") and not _why_no_jail()


def _why_no_jail() -> str:
    from perdure.jail.plan import why_not  # a command that runs as it is needs no plan

    return why_not(running_kernel())


def is_open(gate: Gate) -> bool:
    """Whether the gate would let something pass at this moment that changes things in this project."""
    root = gate.resolved.place.project_path
    if root is None or gate.wrong_settings:
        return False
    change = add_up([PartEffect(PRAXIC, "a change")])
    return not policy.decide(change, [gate.transaction_state(root)], mode=gate.mode).denied


def _by_analysis(gate: Gate, command: str) -> HowToRun:
    """Most commands name neither perdure nor a program for the network, nor concern another project: they are not
    analysed, which costs time."""
    may_move = OWN_NAME in command
    may_connect = not NETWORK_PROGRAMS.isdisjoint(words_of(command))
    may_pass = _may_change_another_project(gate, command)
    if not may_move and not may_connect and not may_pass:
        return READ_ONLY
    analysis = gate.analysis_of(command)
    if analysis.effect == TRANSITION:
        return AS_IT_IS if _is_plain(command) else READ_ONLY
    if may_pass and _passes_in_other_projects(gate, analysis):
        return AS_IT_IS
    return HowToRun(confined=True, network=may_connect and analysis.effect == NOETIC)


def _may_change_another_project(gate: Gate, command: str) -> bool:
    """Whether the command is run in another project than the instance works on, names one, or may concern one in which
    the instance has a transaction."""
    return concerns_other_projects(gate) or any(name in command for name in names_of_other_projects(gate))


def concerns_other_projects(gate: Gate) -> bool:
    """Whether any command may change another project, whatever it names."""
    place = gate.resolved.place
    return place.cwd_project not in (None, place.project_path) or _has_pointers(gate)


def names_of_other_projects(gate: Gate) -> tuple[str, ...]:
    here = gate.resolved.place.project_path
    return tuple(os.path.basename(each.path) for each in gate.resolved.registry.entries() if each.path != here)


def _has_pointers(gate: Gate) -> bool:
    instance_id = gate.resolved.place.instance_id
    return instance_id is not None and bool(transaction_pointers.pointers_of(gate.resolved.home, instance_id, []))


def _passes_in_other_projects(gate: Gate, analysis: Analysis) -> bool:
    """Whether the gate lets pass what this command changes, although it is shut in the project of the place: SPEC 5.2
    asks the projects of the paths that are written."""
    if analysis.effect != PRAXIC or gate.wrong_settings:
        return False
    verdict = policy.decide(analysis, gate.transaction_states(analysis), mode=gate.mode)
    return not verdict.denied or verdict.mode != policy.ENFORCE


def _is_plain(command: str) -> bool:
    from perdure.gate.effects.beside_perdure import is_plain  # the analysis has loaded what it needs

    return is_plain(command)


def first_words(home: str, session: str, clears: str) -> str:
    """What to tell an agent about the jail, once in a session; empty if it was told."""
    return _words_about_the_jail(clears) if _is_first_time(home, "told_of_jail", session) else ""


def words_after_refusal(gate: Gate, *, client: str, tool: str, printed: str) -> str:
    """What to tell an agent after a command that ran read-only and was refused something, once in a session; empty if
    it was told, was refused nothing, or did not run read-only."""
    from perdure.jail.refusals import is_refusal

    root = gate.resolved.place.project_path
    line = next((each for each in printed.splitlines() if is_refusal(each)), "").strip()
    if not line or root is None or not will_be_confined(gate, client, tool):
        return ""
    session = gate.resolved.request.stated_client.client_session_id or ""
    if not _is_first_time(gate.resolved.home, "told_of_refusal", session):
        return ""
    change = add_up([PartEffect(PRAXIC, "a change")])
    clears = policy.decide(change, [gate.transaction_state(root)], mode=gate.mode).clears
    return (
        f"Perdure: this command ran read-only, and something in it was refused: {line[:_LONGEST_LINE]}. If that was "
        "a change outside the temporary folders or a connection, the kernel refused it, because no open transaction "
        f"passes the gate. To change things: {clears}{_numbers(clears)}. This is said once."
    )


def _is_first_time(home: str, what: str, session: str) -> bool:
    """If that cannot be kept, it is always the first time."""
    if not is_token(session):
        return True
    path = os.path.join(home, what, session)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _numbers(clears: str) -> str:
    return f" ({policy.YOUR_OWN})" if policy.NUMBERS in clears else ""


def _words_about_the_jail(clears: str) -> str:
    return (
        "Perdure: it is not known what this command does, so it runs read-only. The kernel refuses any connection, and "
        "any change outside the temporary folders (Permission denied, Operation not permitted). "
        f"To change things: {clears}{_numbers(clears)}. This is said once."
    )
