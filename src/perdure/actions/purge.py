"""Deletes the record of a project because a person asked for it: its `.perdure`, its entry in the registry, the
bindings to it, and what its recorders keep in the home. The backup in Perdure's home stays."""

from __future__ import annotations

import os
import shutil

from perdure.actions import call_notes
from perdure.files import trouble
from perdure.place import project
from perdure.place.bindings import Bindings
from perdure.place.registry import Registry


def purge(root: str, home: str) -> str:
    """Returns the folder that was deleted. A link is removed, but not what it points to."""
    folder = project.folder_of(root)
    try:
        if os.path.islink(folder):
            os.unlink(folder)
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise trouble(error, folder) from error
    Registry(home).forget(root)
    Bindings(home).remove_for_project(root)
    call_notes.forget_standings(home, root)
    return folder
