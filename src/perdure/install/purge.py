"""The record of a project is deleted, as a person wished: its `.perdure`, its place in the workspace, and what is bound
to it. The backup under Perdure's home stays."""

from __future__ import annotations

import os
import shutil

from perdure.files import remove, trouble
from perdure.place import bindings, project
from perdure.place.registry import Registry


def purge(root: str, home: str) -> str:
    """The folder that is gone. A link goes, what it points to stays."""
    folder = project.folder_of(root)
    try:
        if os.path.islink(folder):
            os.unlink(folder)
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise trouble(error, folder) from error
    Registry(home).forget(root)
    for key, binding in bindings.Bindings(home).every():
        if binding.project_path == root:
            remove(os.path.join(home, bindings.FOLDER, key))
    return folder
