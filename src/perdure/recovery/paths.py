"""Finds paths in a text or a command, makes them absolute, and shows them from the root. For POSIX and Windows.

Internally a path is absolute and has forward slashes; it is shown the way the session itself writes paths.
"""

from __future__ import annotations

import os
import re

from perdure.clients import REGISTERED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.recovery.simple_commands import SimpleCommand

_PATH = re.compile(
    r"""(?<![\w/.\\$%*}\])@+~-])(?<![a-z]{2}:)(?<!\\\s)(?:[A-Za-z]:[\\/]|~/|\.{0,2}[\\/])?(?:@?[\w.+-]++[\\/])*
        [\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?!\.?[\w/\\{*])
      | (?<![\w/.@+-])(?:[\w.@+-]++/)*(?:Makefile|Dockerfile|[Jj]ustfile|Gemfile|Rakefile|Procfile)\b""",
    re.X,
)
_KNOWN = frozenset(
    """py pyi ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro css scss less html htm go rs c h cc cpp cxx
    hpp hh m mm swift
    kt kts java scala clj cljs ex exs erl hs ml mli rb erb php pl pm lua r jl dart cs csproj sln fs vb zig nim
    sol sql prisma
    graphql gql proto sh bash zsh fish ps1 bat cmd md mdx rst txt adoc tex json jsonc json5 jsonl yaml yml toml
    ini cfg conf
    env lock xml csv tsv tf hcl nix gradle cmake mk mod sum plist po snap tpl tmpl j2 hbs ejs log svg
    dockerfile""".split()
)
_PROSE = frozenset("md mdx rst txt adoc tex json jsonl yaml yml toml csv html log po".split())
_RANGE = re.compile(r"[^/\\.]\.{2,3}[^/\\.]")
"""A range of commits: `main..topic`."""
_MEDIA_TYPE = re.compile(r"(?:application|audio|font|image|multipart|text|video)/[\w.+-]+\Z")
"""`application/vnd.example`."""
_SPACED = re.compile(
    r"\A(?:~?/|[A-Za-z]:[\\/])(?!.*(?: [-/&|<>]|\\ ))[^\n\"'`$*?<>|;&=(){}]+\.[A-Za-z][A-Za-z0-9]{0,9}\Z"
)
_WINDOWS = re.compile(r"^[A-Za-z]:[\\/]")
_MOUNTED = re.compile(r"^/([a-zA-Z])/(?=[^/])")
LONGEST_WORD = 5000
LONGEST = 1000
"""Characters; nobody uses a longer path."""
_HOME = re.compile(r"\A(/(?:home|Users)/[^/]+|/root)(?=/|\Z)")
_OUTPUT = re.compile(r"[/\\]tasks[/\\][\w-]+\.output\Z")
_CLIENTS = "|".join(re.escape(folder) for client in REGISTERED.values() for folder in client.own_folders)
_SCRATCH = re.compile(
    rf"""^(?:/private)?/(?:tmp|var/folders|dev)/ | /(?:{_CLIENTS})/ | /scratchpad/
        | \.(?:log|tmp|out|bak)$ | /(?:node_modules|site-packages|pkg/mod|\.cargo/registry)/""",
    re.X,
)


def is_windows(root: str) -> bool:
    return bool(_WINDOWS.match(root))


def in_text(text: str) -> list[str]:
    """The paths in a text as they are written, each once. A dotted name without a folder is a path only with a known
    ending: `os.path` is not one."""
    if "." not in text and "file" not in text:  # a path has an ending, or is a Makefile, a Dockerfile and so on
        return []
    return [path for path in dict.fromkeys(_PATH.findall(text)) if len(path) <= LONGEST and _is_one(path)]


def _is_one(path: str) -> bool:
    name, ending = os.path.basename(path), path.rpartition(".")[2].lower()
    if _RANGE.search(path) or ending == "test":  # a program that `go test` made
        return False
    if path.rfind("/") == 0:  # what a server offers: `/openapi.json`
        return False
    if _MEDIA_TYPE.match(path) and ending not in _KNOWN:
        return False
    is_type = not path.rpartition(".")[2].islower()  # `net/http.Request`
    return ending in _KNOWN or "." not in name or ("/" in path and not is_type)


def named_by(simple: SimpleCommand) -> list[str]:
    """The paths in its words and redirections; not those inside a here-document or a script that it is given."""
    return list(dict.fromkeys(path for word in simple.named for path in _in_word(word[:LONGEST_WORD])))


def _in_word(word: str) -> list[str]:
    """The paths in a word of a command; a quoted path may have spaces."""
    return [word] if " " in word and _SPACED.match(word) and len(word) <= LONGEST else in_text(word)


def is_absolute(path: str) -> bool:
    return path[:1] in ("/", "~") or bool(_WINDOWS.match(path))


def absolute(path: str, folder: str, windows: bool) -> str:
    if windows:
        path, folder = _MOUNTED.sub(r"\1:/", path).replace("\\", "/"), folder.replace("\\", "/")
        path = path[:1].upper() + path[1:] if path[1:2] == ":" else path
        return path if path[1:2] == ":" else os.path.normpath(os.path.join(folder, path))
    if path.startswith("~"):
        return _below_home(path, folder)
    return os.path.normpath(os.path.join(folder or "/", path))


def _below_home(path: str, folder: str) -> str:
    """`~/…` in full where the folder says which home is meant and holds the file."""
    home = _HOME.match(folder)
    full = os.path.normpath(home[1] + path[1:]) if home and path.startswith("~/") else path
    return full if full.startswith(folder.rstrip("/") + "/") else path


def shown(path: str, root: str) -> str:
    windows, root = is_windows(root), root.replace("\\", "/") if is_windows(root) else root
    inside = path[len(root) + 1 :] if root and path.lower().startswith(root.lower() + "/") else path
    return inside.replace("/", "\\") if windows and inside[:1] != "/" else inside  # `/tmp/x` of a shell such as git's


def shared(named: str, path: str, root: str) -> int:
    """How many components at their ends a named path and a known path share; 0 if they are different files.

    They fit if the named path is an end of the known one, or if it ends with the known path from the root, with
    something else before it, such as a folder of a container or the name of a module:
    shared("lib/utils.py", "/w/src/utils.py", "/w") == 0."""
    known, told = _parts(path), _parts(named)
    tail = 0
    for one, other in zip(reversed(known), reversed(told), strict=False):
        if one != other:
            break
        tail += 1
    way = len(_parts(shown(path, root).replace("\\", "/")))
    return tail if tail and (tail == len(told) or tail >= way > 1) else 0


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]


def is_prose(path: str) -> bool:
    """Whether the file holds prose or data, where words such as `type of` define nothing."""
    return path.rpartition(".")[2].lower() in _PROSE


def is_scratch(path: str, root: str) -> bool:
    """Whether the file is not part of the work: a temporary file, one of the client's, or one of a dependency. A
    project may lie in a temporary folder itself: below its root, only the way from there counts."""
    from_root = shown(path, root).replace("\\", "/")
    return bool(_SCRATCH.search(from_root if is_absolute(from_root) else f"./{from_root}"))


def is_gits_own(path: str) -> bool:
    """Whether git keeps it for itself: `.git/index.lock`."""
    return "/.git/" in path


def is_masked(path: str) -> bool:
    """Whether its name was masked before the transcript was stored: `REDACTED.md` names no file."""
    return os.path.basename(path.replace("\\", "/")).partition(".")[0] == "REDACTED"


def is_tasks_output(path: str) -> bool:
    """Whether a client wrote it: what a task in the background printed."""
    return bool(_OUTPUT.search(path))
