"""Paths and identifiers in a fact and in a passage: is it the same one, shortened, or another one of its kind?"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.lifecycle.wording import Wording


def last_part(name: str) -> str:
    """The last part of a path, by which a shortened one is found."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def is_named(name: str, said: Wording) -> bool:
    if name in said.raw:
        return True
    return any(_is_shortened(name, other) or _is_shortened(other, name) for other in said.names)


def _is_shortened(path: str, short: str) -> bool:
    """Whether the second is the end of the first: `jwt.ts` of `src/auth/jwt.ts`, `total` of `Cart.total`."""
    return path.endswith(("/" + short, "\\" + short)) or (len(short) > 3 and path.endswith(("." + short, "::" + short)))


def is_alike(name: str, other: str) -> bool:
    """Whether two different names are of one kind, so that one may stand where the other should."""
    if ("/" in name) != ("/" in other):
        return last_part(name) == last_part(other)
    if "." in last_part(name):
        return last_part(name).rsplit(".", 1)[-1] == last_part(other).rsplit(".", 1)[-1]
    return name[:1] == other[:1] or ("_" in name) == ("_" in other)
