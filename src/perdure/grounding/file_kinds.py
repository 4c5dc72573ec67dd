"""Is a file code or a document, and is its content text? By path and bytes alone (SPEC 8.2, 8.4).

    is_document("guide.md");  is_document("README");  not is_document("docs/conf.py")
    text_of_bytes(b"caf\\xe9") == "café"

Whatever is not known to be a document counts as code, also configuration and data: a hit there shows that something is
not absent. Bytes that are not UTF-8 are read as Latin-1, so that the lines in ASCII can still be quoted.
"""

from __future__ import annotations

from perdure.model.value import value

DOCUMENT_ENDINGS = frozenset(
    "adoc asciidoc creole doc docx epub ltx markdown md mdown mdx mkd odt org pdf pod rdoc rst rtf tex texi texinfo"
    " text textile txt wiki".split()
)
DOCUMENT_NAMES = frozenset(
    "authors changelog changes code_of_conduct contributing contributors copying credits faq history install licence"
    " license maintainers news notice readme release_notes roadmap security thanks todo".split()
)
DOCUMENT_FOLDERS = frozenset("doc docs documentation".split())
PAGE_ENDINGS = frozenset("htm html".split())
"""Documents only in a folder of documents; elsewhere they are templates, which are code."""
LICENCE_BEGINNINGS = ("license-", "licence-", "copying-")
"""LICENSE-APACHE, LICENSE-MIT."""
DRAWING_ENDINGS = frozenset("ai eps svg".split())
"""Text files of shapes, whose letters and numbers say nothing."""
CODE_WITH_DOCUMENT_ENDINGS = frozenset({"cmakelists.txt"})
LOCK_FILES = frozenset(
    "bun.lock cargo.lock composer.lock deno.lock flake.lock gemfile.lock go.sum gradle.lockfile mix.lock"
    " npm-shrinkwrap.json package-lock.json package.resolved packages.lock.json pdm.lock pipfile.lock pnpm-lock.yaml"
    " podfile.lock poetry.lock pubspec.lock pylock.toml uv.lock yarn.lock".split()
)
"""What package managers write, in small letters."""
_BYTES_LOOKED_AT = 8000
"""As many as git looks at for a NUL byte."""
_READABLE = bytes([*range(32, 127), 9, 10, 12, 13])
_MOST_UNREADABLE = 0.05
_MARKS = {b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@value
class NotText:
    reason: str


def is_document(path: str) -> bool:
    *folders, name = path.lower().split("/")
    stem, dot, ending = name.rpartition(".")
    if name in CODE_WITH_DOCUMENT_ENDINGS or (name.startswith("requirements") and ending == "txt"):
        return False
    if ending in DOCUMENT_ENDINGS and stem:
        return True
    if ending in PAGE_ENDINGS and dot:
        return not DOCUMENT_FOLDERS.isdisjoint(folders)
    return not dot and (name in DOCUMENT_NAMES or name.startswith(LICENCE_BEGINNINGS))


def is_drawing(path: str) -> bool:
    return path.lower().rpartition(".")[2] in DRAWING_ENDINGS


def is_lock_file(path: str) -> bool:
    """Whether a package manager wrote it. It names packages that others need, too, and shows no use of any."""
    return path.lower().rpartition("/")[2] in LOCK_FILES


def text_of_bytes(content: bytes) -> str | NotText:
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return _decoded(content, encoding)
    if b"\0" in content[:_BYTES_LOOKED_AT]:
        return NotText("The file is binary.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def text_within(content: bytes) -> str:
    """The text to search. A file that is text but for NUL bytes is searched without them: UTF-16 without a mark, or
    source code with a stray NUL. Empty for other binary files."""
    text = text_of_bytes(content)
    if isinstance(text, str):
        return text
    rest = content.replace(b"\0", b"")
    looked_at = rest[:_BYTES_LOOKED_AT]
    is_text = len(looked_at.translate(None, _READABLE)) <= _MOST_UNREADABLE * len(looked_at)
    return rest.decode("latin-1") if is_text else ""


def _decoded(content: bytes, encoding: str) -> str | NotText:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return NotText(f"The file says that it is {encoding.upper()}, and is not.")
