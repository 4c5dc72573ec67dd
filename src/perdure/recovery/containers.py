"""Whether a command runs on the files of the work tree, or on others: in a container, on another machine (SPEC 10.6).
Pure; the text of a compose file is given.

    why_elsewhere(("kubectl", "exec", "pod", "--", "pytest"))       "it ran on another machine, with files of its own"
    within(("docker", "compose", "run", "app", "pytest"))           Within(service="app")
    mounts_the_folder(compose_file, "app")                          whether that service has the project's folder
"""

from __future__ import annotations

from perdure.model.pattern import compiled_later
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

_ENGINES = frozenset("docker podman nerdctl".split())
_ELSEWHERE = frozenset(
    "kubectl oc ssh mosh vagrant heroku flyctl fly gcloud aws lxc multipass nomad limactl wsl".split()
)
_VOLUME = compiled_later(r"(?:-v|--volume)(?:=(?P<attached>.+))?|-v(?P<joined>[^=].*)|--mount(?:=(?P<mount>.+))?")
_SOURCE = compiled_later(r"(?:\A|,)(?:source|src)=([^,]+)")
_THE_FOLDER = compiled_later(r"""["']?(?:\.|\./|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)/?["']?""")
"""How a command or a compose file names the folder that it stands in."""
COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_OPTIONS_OF_A_RUN = frozenset(
    "-e --env -w --workdir -u --user -v --volume --name --network -p --publish --env-file --platform -l --label".split()
)


@value
class Within:
    """Where a check ran, if the command alone does not say whether the files there are those of the work tree."""

    service: str = ""
    """A service of the compose file."""
    mounted: str = ""
    """An absolute path that a container has: it must be the work tree's folder, or one above it."""


HERE = Within()


def why_elsewhere(words: Sequence[str]) -> str:
    """Empty if it runs here, or if `within` says what must be looked up."""
    if words[0] in _ELSEWHERE:
        return "it ran on another machine, with files of its own"
    if _is_in_container(words) and within(words) is HERE and not _has_the_folder(words):
        return "it ran in a container, with files of its own"
    return ""


def within(words: Sequence[str]) -> Within:
    if not _is_in_container(words) or _has_the_folder(words):
        return HERE
    absolute = next((each for each in _mounted(words) if each.startswith("/")), "")
    if absolute:
        return Within(mounted=absolute)
    service = _service(words)
    return Within(service=service) if service else HERE


def _is_in_container(words: Sequence[str]) -> bool:
    return words[0] in _ENGINES or words[0].endswith(("docker-compose", "podman-compose"))


def _has_the_folder(words: Sequence[str]) -> bool:
    return any(map(_THE_FOLDER.fullmatch, _mounted(words)))


def _mounted(words: Sequence[str]) -> Iterator[str]:
    """What of this machine a container is given. Of a named volume, its name."""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        given = _VOLUME.fullmatch(word)
        if not given:
            continue
        if word.startswith("--mount"):
            source = _SOURCE.search(given["mount"] or following)
            yield source[1] if source else ""
        else:
            yield (given["attached"] or given["joined"] or following).partition(":")[0]


def _service(words: Sequence[str]) -> str:
    """The service that `docker compose run` or `exec` names; empty if it is another command."""
    verb = next((at for at, word in enumerate(words) if word in ("run", "exec")), 0)
    if not verb or not any(word.endswith("compose") for word in words[:verb]):
        return ""
    at = verb + 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _OPTIONS_OF_A_RUN else 1
    return words[at] if at < len(words) else ""


_KEY = compiled_later(r"""\A *+(?:- )?["']?([\w.-]++)["']?:(?:\s++(.*+))?""")
_ITEM = compiled_later(r"""\A *+- ++["']?([^"']++)["']?\s*+""")


def mounts_the_folder(compose_file: str, service: str) -> bool:
    """Whether a service of a compose file has the file's own folder, as it is now. What is written in a way that is not
    read here, such as an anchor, does not count."""
    is_volumes, depth = False, 0
    for line in _lines_of(compose_file, service):
        key = _KEY.fullmatch(line)
        indent = len(line) - len(line.lstrip(" "))
        if key and key[1] == "volumes" and not (key[2] or "").strip():
            is_volumes, depth = True, indent
        elif is_volumes and (indent < depth or (indent == depth and not line.lstrip().startswith("-"))):
            is_volumes = False
        elif is_volumes and _is_the_folder(line, key):
            return True
    return False


def _is_the_folder(line: str, key: re.Match[str] | None) -> bool:
    """Whether an item of a list of volumes is the folder: `- .:/app`, or `source: .`."""
    if key and key[1] == "source":
        return bool(_THE_FOLDER.fullmatch((key[2] or "").strip()))
    item = _ITEM.fullmatch(line)
    return bool(item and ":" in item[1] and _THE_FOLDER.fullmatch(item[1].partition(":")[0]))


def _lines_of(compose_file: str, service: str) -> Iterator[str]:
    """The lines below `services:` and the name of the service."""
    path: list[tuple[int, str]] = []
    for line in compose_file.splitlines():
        text = line.partition(" #")[0].rstrip()
        if not text or text.lstrip().startswith("#"):
            continue
        indent = len(text) - len(text.lstrip(" "))
        if [name for _, name in path[:2]] == ["services", service] and indent > path[1][0]:
            yield text
            continue
        path = [each for each in path if each[0] < indent]
        key = _KEY.fullmatch(text)
        if key:
            path.append((indent, key[1]))
