"""A project on disk: its root, its `.perdure` folder, and who it is (SPEC 1, 3.5).

`.perdure/project.toml` makes a folder a project. It holds the project's id, so that a moved repository keeps it.
"""

from __future__ import annotations

import os
from stat import S_ISLNK

from perdure.errors import BadInput, Refused
from perdure.files import read_text, write_whole
from perdure.model.ids import ProjectId, derived_id, is_uuid, new_id, shown
from perdure.model.value import value
from perdure.place import repository

FOLDER = ".perdure"
_LONGEST_PATH = 4096


@value
class Identity:
    id: ProjectId
    name: str


def folder_of(root: str) -> str:
    return os.path.join(root, FOLDER)


def toml_of(root: str) -> str:
    return os.path.join(root, FOLDER, "project.toml")


def is_project(root: str) -> bool:
    """A folder of another user is not a project of ours: it could name any ledger, and link to one of our files."""
    folder, ours = folder_of(root), (os.getuid(), 0)
    try:
        link = os.lstat(folder)
        is_ours = all(s.st_uid in ours for s in (os.stat(toml_of(root)), os.stat(folder), link))
    except OSError:
        return False
    return is_ours and not S_ISLNK(link.st_mode)


def _of_another_user(root: str) -> tuple[str, int] | None:
    """The folder or its `project.toml`, with its owner, if that is neither this user nor root."""
    for path in (folder_of(root), toml_of(root)):
        try:
            owner = os.lstat(path).st_uid
        except OSError:
            return None
        if owner not in (os.getuid(), 0):
            return path, owner
    return None


def refuse_unusable(root: str) -> None:
    """Refuses a `.perdure` that cannot hold this user's record: a link, a file, or what belongs to somebody else."""
    refuse_linked(root)
    refuse_another_users(root)
    folder = folder_of(root)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        from shlex import quote  # the guard does not need it

        raise Refused(
            "not_a_folder",
            f"{folder} is not a folder, and a project keeps its record in one. Nothing was written.",
            hint=f"A person moves it away (mv {quote(folder)} {quote(folder + '.moved')}), then perdure init.",
            details={"path": folder},
        )


def refuse_another_users(root: str | None) -> None:
    """Whoever is told that a record is gone would try to restore one that is there."""
    found = _of_another_user(root) if root else None
    if root and found:
        from shlex import quote  # the guard does not need it

        path, owner = found
        raise Refused(
            "other_owner",
            f"{path} belongs to another user (uid {owner}), so it does not count as a project of yours. Nothing was "
            "written.",
            hint=f"Run perdure as that user. If the record is yours, a person gives it to you: sudo chown -R "
            f"{os.getuid()} {quote(folder_of(root))}",
            details={"path": path, "owner": owner},
        )


def refuse_linked(root: str) -> None:
    """Refuses a `.perdure` that is a link. Git stores links, so a repository could bring one, and we would write our
    files, and a `.gitignore` that hides everything, into a folder of its author's choice; or two projects would share
    one record."""
    folder = folder_of(root)
    if os.path.islink(folder):
        target = os.path.realpath(folder)
        raise Refused(
            "folder_borrowed",
            f"{folder} is a link to {target}, and a project keeps its record in a folder of its own. Nothing was "
            "written.",
            hint="Remove the link (not what it leads to), then perdure init.",
            details={
                "path": folder,
                "other": os.path.dirname(target) if os.path.basename(target) == FOLDER else target,
            },
        )


def checked_path(text: str, what: str) -> str:
    """A path from outside, made absolute. Refused if it cannot be a path."""
    if not text or not _is_plain(text) or len(text) > _LONGEST_PATH:
        why = "Give an existing folder."
        if text and not _is_plain(text):
            why = "Its name has a control character, such as a line break: rename the folder."
        raise BadInput("bad_path", f"{what} {shown(text)} is not a usable path.", hint=why)
    return os.path.realpath(os.path.expanduser(text))


def _is_plain(text: str) -> bool:
    """Without control characters and lone surrogates: a ledger, the registry and a terminal must all be able to hold
    it."""
    return not any(c < " " or "\ud800" <= c <= "\udfff" for c in text)


def root_from(text: str, what: str) -> str:
    """The root of the project that a person named: by its folder, its `.perdure` (SPEC 4.4), any folder inside it, or a
    linked work tree."""
    path = checked_path(text, what)
    if os.path.basename(path) == FOLDER:
        path = os.path.dirname(path)
    if not os.path.isdir(path):
        raise BadInput("bad_path", f"{what} {shown(text)} is not a folder.", hint="Give an existing folder.")
    found = repository.enclosing(path)
    if found and is_project(found.main):
        return found.main
    return above(path) or (found.main if found else path)


def above(folder: str) -> str | None:
    """The nearest project at or above a folder (SPEC 3.1, row 7)."""
    return next((here for here in repository.upward(folder) if is_project(here)), None)


def identity(root: str) -> Identity:
    path = toml_of(root)
    text = read_text(path) or ""
    as_written = _as_we_write_it(text)
    if as_written:
        return as_written
    import tomllib  # a person edited it, so the 7 ms of a TOML parser are acceptable

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            "bad_project_file", f"{path}: {error}.", hint="Correct the file, or delete it and run perdure init."
        ) from error
    found, name = table.get("id"), table.get("name")
    if not isinstance(found, str) or not is_uuid(found):
        raise BadInput(
            "bad_project_file", f"{path}: 'id' must be a UUID.", hint="Delete the file and run perdure init."
        )
    return Identity(ProjectId(found), name if isinstance(name, str) and name else _name_of(root))


def _as_we_write_it(text: str) -> Identity | None:
    """Reads what `write_identity` wrote, unchanged: the only form that needs no TOML parser."""
    lines = text.split("\n")
    if len(lines) != 4 or not lines[1].startswith('id = "') or not lines[2].startswith('name = "'):
        return None
    who = Identity(ProjectId(lines[1][6:-1]), lines[2][8:-1])
    return who if is_uuid(who.id) and _text_for(who) == text and "\\" not in text else None


def new_identity(root: str, name: str | None) -> Identity:
    """The id comes from the first commit, so that clones on two machines have the same id; without one it is random
    (SPEC 3.5)."""
    found = repository.enclosing(root)
    first = repository.first_commit(root) if found and found.main == root else None
    made = derived_id("project", first) if first else new_id()
    return Identity(ProjectId(made), checked_name(name) if name else _name_of(root))


def _name_of(root: str) -> str:
    """The folder's name as a project's name. It is written into a file of lines and shown, so not every name of a
    folder will do."""
    from perdure.masking import looks_secret

    printable = "".join(c if c.isprintable() else "?" for c in os.path.basename(root))[:100].strip()
    return printable if printable and not looks_secret(printable) else "project"


def checked_name(name: str) -> str:
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise BadInput("bad_name", f"The name {shown(name)} is not usable: it must have 1 to 100 printable characters.")
    from perdure.masking import looks_secret

    if looks_secret(name):
        raise BadInput(
            "looks_secret", "The name looks like a credential and is not stored.", hint="Choose another name."
        )
    return name.strip()


def write_identity(root: str, who: Identity) -> None:
    write_whole(toml_of(root), _text_for(who), mode=0o644)


def _text_for(who: Identity) -> str:
    quoted = who.name.replace("\\", "\\\\").replace('"', '\\"')
    return f'# Who this project is to Perdure. Clones agree on the id.\nid = "{who.id}"\nname = "{quoted}"\n'


def refuse_home(root: str, home: str) -> None:
    """Neither the folder that the home is in, nor the home or a folder in it."""
    kept = os.path.realpath(home)
    if os.path.realpath(folder_of(root)) == kept or os.path.join(root, "").startswith(os.path.join(kept, "")):
        raise Refused(
            "home_is_no_project",
            f"{root} cannot be a project: {home} is where Perdure keeps its own files.",
            hint="Run perdure init in a repository.",
        )
