"""Which versions of a file git has that may have come into the work tree, by whatever command: a pull, a merge that is
not committed yet, a picked commit, a checkout of one file from another branch.

    texts(root, "NOTES.md")      the newest versions, each text once
"""

from __future__ import annotations

from perdure.place import repository

_HEADS = ("HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "FETCH_HEAD", "ORIG_HEAD")
_INDEX = (":0", ":1", ":2", ":3")
"""What is staged, and the three sides of a conflict."""
_MOST_COMMITS, _MOST_BRANCHES, _MOST_TEXTS = 200, 100, 60
_SECONDS = 10


def texts(folder: str, name: str) -> list[str]:
    """`name`: from the folder, which may lie below the top of the repository."""
    places = "".join(f"{each}:./{name}\n" for each in [*_INDEX, *_commits(folder)])
    listed = repository.answer(folder, "cat-file", "--batch-check=%(objecttype) %(objectname)", given=places) or ""
    blobs = dict.fromkeys(words[1] for words in map(str.split, listed.splitlines()) if words[0] == "blob")
    found = (repository.answer(folder, "cat-file", "blob", each, seconds=_SECONDS) for each in [*blobs][:_MOST_TEXTS])
    return [text for text in found if text is not None]


def _commits(folder: str) -> list[str]:
    branches = repository.git(
        folder,
        "for-each-ref",
        "--sort=-committerdate",
        f"--count={_MOST_BRANCHES}",
        "--format=%(objectname)",
        "refs/heads",
        "refs/remotes",
        "refs/stash",
        seconds=_SECONDS,
    )
    before = repository.git(folder, "rev-list", f"--max-count={_MOST_COMMITS}", "HEAD", seconds=_SECONDS)
    return [*_HEADS, *dict.fromkeys([*branches.split(), *before.split()])]
