"""Checks 9 and 11 of docs/audit.md: whether a project is the one that this home knows in its folder, and whether the
files of project and home are what they should be.

    [*misplaced(examined), *odd_files_and_settings(examined)]
"""

from __future__ import annotations

import os

from perdure.actions import odd_files
from perdure.actions.home_heads import ACKNOWLEDGE
from perdure.actions.ledger_origin import foreign_ledger, home_moved_by_project, replaced_ledger
from perdure.actions.other_repository import claimed
from perdure.errors import BadInput
from perdure.model.ids import short, told_apart
from perdure.model.value import replace
from perdure.place import git_ignore, git_index, project, repository
from perdure.proof.fsck import AuditFinding, Check
from perdure.settings import MOST_WRONG_TOLD, load, project_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from perdure.actions.examined_project import ExaminedProject
    from perdure.model.ids import LedgerId, ProjectId
    from perdure.place.registry import Entry

_NAMED_EXPLICITLY = 1
_FOUND_BY_FOLDER = (6, 7)
"""Rows of SPEC 3.1: by which the project was found."""
_ID_WAY_OUT = (
    "perdure heal mends the home where the record proves the id in project.toml; else put the known id back, or, if "
    f"the change was intended, a person runs {ACKNOWLEDGE}"
)
_ID_AFTER_HEAL = f"put the known id back, or, if the change was intended, a person runs {ACKNOWLEDGE}"
_SETTINGS_WAY_OUT = "a person corrects the settings; until then perdure heal stops at them too"
GIT_WAY_OUT = "a person takes the files out of git, as the finding says"
_HOME_WAY_OUT = "a person puts the home's folder back, as the finding says"
_WITHOUT_HOME = (
    ": nothing can be kept or checked there. A person moves it away and puts the folder back; where that is lost for "
    "good, perdure heal then begins a new ledger and says how to take the old one in"
)


def misplaced(examined: ExaminedProject) -> Iterator[AuditFinding]:
    """Check 9: where this home and the project contradict each other."""
    statements = examined.statements
    if examined.id_in_toml:
        yield from _other_ids(examined, examined.id_in_toml)
    if statements and not statements.is_own:
        yield _foreign(examined, statements.chains[0])
    elif statements and statements.is_replaced:
        message = replaced_ledger(examined.root, examined.home).message
        yield AuditFinding(Check.PLACE, message, statements.chains[0])
    if statements and statements.misstated_origin:
        yield AuditFinding(Check.PLACE, statements.misstated_origin, statements.chains[0])
    yield from _tracked_by_git(examined.root)
    known = {entry.path: entry for entry in (examined.entry, _registered_around(examined)) if entry}
    for entry in known.values():
        if entry.ledgers and not set(entry.ledgers) & set(examined.chains):
            yield AuditFinding(
                Check.PLACE, f"{entry.path} is known to hold ledger {short(entry.ledgers[0])}; it is not here"
            )


def _foreign(examined: ExaminedProject, chain: LedgerId) -> AuditFinding:
    """Names the settings file of the project because of which the home may be the wrong one: `heal` refuses then."""
    moved = home_moved_by_project(examined.resolved, examined.root)
    found = AuditFinding(Check.PLACE, foreign_ledger(examined.resolved, examined.root, chain).message, chain)
    return replace(found, way_out=moved) if moved else found


def _other_ids(examined: ExaminedProject, id_in_toml: ProjectId) -> Iterator[AuditFinding]:
    """Where the registry, or the ledger's last event, has another id than `project.toml`."""
    is_claimed = claimed(examined.resolved, examined.root) is not None
    if examined.entry and examined.entry.project_id != id_in_toml:
        yield _other_id(id_in_toml, "it is known as", examined.entry.project_id, is_claimed=is_claimed)
    last = examined.statements.last_project if examined.statements else None
    if last and last != id_in_toml:
        yield _other_id(id_in_toml, "its last event", last, is_claimed=is_claimed)


def _other_id(id_in_toml: str, says: str, known: str, *, is_claimed: bool) -> AuditFinding:
    """`is_claimed`: the id in `project.toml` is that of another repository, so nobody can accept it here."""
    here, other = told_apart(id_in_toml, known)
    what = f"project.toml says that this is project {here}; {says} {other}"
    put_back = f'put back id = "{known}": the id in project.toml is that of another repository'
    way_out, after_heal = (put_back, put_back) if is_claimed else (_ID_WAY_OUT, _ID_AFTER_HEAL)
    return AuditFinding(Check.PLACE, what, way_out=way_out, after_heal=after_heal)


def _tracked_by_git(root: str) -> Iterator[AuditFinding]:
    untracking = git_index.untracking(root)
    if untracking:
        what = f"git tracks what only this home may write: whoever can push can replace it. {untracking}"
        yield AuditFinding(Check.PLACE, what, way_out=GIT_WAY_OUT)
    not_ignored = git_ignore.warning(root)
    if not_ignored:
        yield AuditFinding(Check.PLACE, not_ignored)


def _registered_around(examined: ExaminedProject) -> Entry | None:
    """The registered project that contains the folder by which the examined one was found: the folder that the caller
    named, or the working folder. None if the examined project lies inside that one, or was found in another way."""
    folder = _folder_found_by(examined)
    if not folder:
        return None
    above = map(examined.resolved.registry.at, repository.upward(os.path.realpath(folder)))
    entry = next((entry for entry in above if entry), None)
    return entry if entry and not examined.root.startswith(entry.path + os.sep) else None


def _folder_found_by(examined: ExaminedProject) -> str:
    request, place = examined.resolved.request, examined.resolved.place
    row = place.project_row
    if place.project_path not in (None, examined.root):  # looked at from another project: nothing led to this one
        return ""
    if row == _NAMED_EXPLICITLY:
        return request.explicit.project_path or request.environment.get("PERDURE_PROJECT") or ""
    return request.cwd if row in _FOUND_BY_FOLDER else ""


def odd_files_and_settings(examined: ExaminedProject) -> Iterator[AuditFinding]:
    """Checks 9 and 11: what is not a file or folder although it should be, and settings that cannot be read."""
    root, home = examined.root, examined.home
    in_project = odd_files.in_project(root)
    yield from (AuditFinding(Check.PLACE, str(odd)) for odd in in_project)
    if examined.why_no_id and not any(odd.path == project.toml_of(root) for odd in in_project):
        yield AuditFinding(Check.PLACE, examined.why_no_id.rstrip("."))
    for odd in odd_files.in_home(home, examined.ids):
        if odd.path == home:
            yield AuditFinding(Check.HOME, f"{odd}{_WITHOUT_HOME}", way_out=_HOME_WAY_OUT)
        else:
            yield AuditFinding(Check.HOME, str(odd))
    if not any(odd.path == project_file(root) for odd in in_project):
        yield from _bad_settings(examined)


def _bad_settings(examined: ExaminedProject) -> Iterator[AuditFinding]:
    """Only a person can correct wrong settings. A wrong variable stops every command."""
    try:
        chosen = load(examined.home, examined.root, examined.resolved.request.environment)
    except BadInput as error:
        yield AuditFinding(Check.PLACE, f"{error.message} {error.hint}".rstrip(". "), way_out=_SETTINGS_WAY_OUT)
        return
    for each in chosen.wrong[:MOST_WRONG_TOLD]:
        check = Check.HOME if each.path.startswith(examined.home + os.sep) else Check.PLACE
        yield AuditFinding(check, each.words.rstrip(". "), way_out=_SETTINGS_WAY_OUT)
