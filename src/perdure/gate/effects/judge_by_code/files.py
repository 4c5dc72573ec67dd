"""Judges programs that copy, remove or unpack files, and those to which a file's name may mean more than a file."""

from __future__ import annotations

import os

from perdure.gate.effects.finding import FORBIDDEN
from perdure.gate.effects.judge_by_code import matched
from perdure.gate.effects.targets import entry_of, is_of_a_process
from perdure.gate.shell.words import FILES, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card, Match
    from perdure.gate.shell.words import Field


KEEPS_LINKS = ("-a", "--archive", "-d", "-P", "--no-dereference", "--preserve")
RECURSIVE = ("-r", "-R", "--recursive")
MAKES_LINKS = ("-l", "--link", "-s", "--symbolic-link")


def copy(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """cp, mv, install: where they write, and for mv what they take away."""
    found = matched(card, args)
    targets, sources = _targets_and_sources(name, found)
    if not targets or _is_vague(targets, found):
        call.praxic(f"{name}: where it writes is not known before it runs")
        return
    if found.has(*MAKES_LINKS) and name != "install":
        call.praxic(f"{name} makes links")
        return
    if any(_base_name(field) == ".perdure" for field in sources):
        call.found(FORBIDDEN, f"{name} would bring another record, or take this one away")
    if name == "cp" and _copies_a_link(call, found, sources):
        call.praxic("cp would copy a link, through which a later write leads elsewhere; -L copies the file itself")
        return
    for target in targets:
        _copy_to(call, name, target, sources=sources, found=found)
    if name == "mv":
        for field in sources:
            call.write(field, "mv takes it away", removes=True)


def _copies_a_link(call: ProgramCall, found: Match, sources: list[Field]) -> bool:
    return _keeps_links(found) and any(_may_be_link(call, field) for field in sources)


def _keeps_links(found: Match) -> bool:
    """Whether a link is copied as a link: with these options, or below a folder unless -L says otherwise."""
    return found.has(*KEEPS_LINKS) or (found.has(*RECURSIVE) and not found.has("-L", "--dereference"))


def _is_vague(targets: list[Field], found: Match) -> bool:
    """Whether it cannot be told which word is the target."""
    if len(found.operands) < 2 and not found.has("-t", "--target-directory"):
        return True
    return any(_may_be_several(field) for field in (*targets, *found.operands[-1:]))


def _targets_and_sources(name: str, found: Match) -> tuple[list[Field], list[Field]]:
    folders, operands = found.values_of("-t", "--target-directory"), list(found.operands)
    if name == "install" and found.has("-d", "--directory"):
        return operands, []
    if folders:
        return folders, operands
    return operands[-1:], operands[:-1]


def _base_name(field: Field) -> str:
    """The last part of a path; empty where the path is not known."""
    return os.path.basename((field.text or "").rstrip("/"))


def _may_be_several(field: Field) -> bool:
    """Whether the word is not known and may become none or several."""
    return field.text is None and (field.splits or field.vanishes)


def _copy_to(call: ProgramCall, name: str, target: Field, *, sources: list[Field], found: Match) -> None:
    """Copied into a folder, each source is written under its name there; else the target itself is written."""
    folders = _folders_named(call, target)
    replaces = found.has("-T", "--no-target-directory")
    if not folders or replaces:
        if _write_copy(call, name, target, found=found) and folders:
            call.praxic(f"{name}: what stands in {folders[0]} already may be links that it follows")
        return
    for path in folders:
        for source in sources:
            base = _base_name(source)
            if base in ("", ".", ".."):
                call.praxic(f"{name}: the name it writes in {path} is not known before it runs")
                return
            inside = os.path.join(path, base)
            if _write_copy(call, name, known(inside), found=found) and call.walk.world.disk.is_folder(inside):
                call.praxic(f"{name}: what stands in {inside} already may be links that it follows")


def _folders_named(call: ProgramCall, target: Field) -> list[str]:
    """The existing folders that the target may be, seen from the folders that the command may run in."""
    if target.text is None:
        return []
    paths = [os.path.join(folder, target.text) for folder in call.here.folders or ("/",)]
    return [path for path in dict.fromkeys(paths) if call.walk.world.disk.is_folder(path)]


def _may_be_link(call: ProgramCall, source: Field) -> bool:
    """Whether the file itself is a symbolic link. A file that is not known may be one, unless a glob finds it."""
    if source.text is None:
        return source.first_hole != FILES
    for folder in call.here.folders or ("/",):
        path = os.path.join(folder, source.text.rstrip("/"))
        if is_of_a_process(path) or call.walk.world.disk.real(path) != entry_of(path, call.walk.world):
            return True
    return False


def _write_copy(call: ProgramCall, name: str, target: Field, *, found: Match) -> bool:
    """Write one copy; True where it goes to scratch and may contain links."""
    if not call.write(target, f"{name} writes there") or not _keeps_links(found):
        return False
    written = call.walk.shared.scratch
    if written:
        call.walk.shared.linked = (len(written), written[-1][0])
    return True


def remove(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    found = matched(card, args)
    weighty = "removes whole folders" if found.has("-r", "-R", "--recursive", "-d", "--dir") else ""
    for field in found.operands:
        call.write(field, f"{name} removes it", weighty, removes=True)
    if not found.operands:
        call.noetic(f"{name} removes nothing")


def ldd(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    system = ("/usr/", "/bin/", "/lib/", "/lib64/", "/sbin/", "/opt/")
    operands = matched(card, args).operands
    if all((field.text or field.prefix).startswith(system) and ".." not in field.shown() for field in operands):
        call.looked("ldd lists what a program of the system loads")
    else:
        call.praxic("ldd may run the program that it is asked about")


HARMLESS_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,=~^%+ *?[]-")


def plain(call: ProgramCall, found: Match) -> str:
    """The operands must be nothing but file names to any program, and the values must not bring options along."""
    values = [content for _, content in found.options if content is not None]
    if any((field.text or field.prefix).startswith(("@", "-J")) for field in values):
        return "a value that begins with `@` or `-J` may bring options along"
    for field in found.operands:
        if not _is_plain_name(field):
            return f"`{field.shown()}` may be taken for more than a file's name"
    return ""


def _is_plain_name(field: Field) -> bool:
    if field.text == "-":
        return True
    text = field.text if field.text is not None else field.prefix
    return text[:1] not in ("", "+", "-") and HARMLESS_NAME.issuperset(text)


def plain_names(call: ProgramCall, found: Match) -> str:
    """The operands must be names of packages: a path may lead to code that is run."""
    wrong = [field for field in found.operands if field.text is None or "/" in field.text or field.text.endswith(".rb")]
    return f"`{wrong[0].shown()}` may be code that is run" if wrong else ""


INCREMENTAL = ("incremental", "composite", "tsbuildinfofile", "extends")


def _why_incremental(call: ProgramCall, found: Match) -> str:
    """Why it may write what it saw, by an option or by the project's configuration; '' where it does not."""
    kept = found.values_of("--incremental")
    if any(field.text != "false" for field in kept):
        return "--incremental writes what it saw"
    named = [field.text or "" for field in found.values_of("-p", "--project")]
    names = ("tsconfig.json", *named, *(f"{name.rstrip('/')}/tsconfig.json" for name in named))
    text = call.walk.world.disk.text_of(names, call.here.folders or (call.walk.world.cwd,)).lower()
    if not kept and not found.has("--ignoreConfig") and any(word in text for word in INCREMENTAL):
        return "tsconfig.json may make it write what it saw; with `--incremental false` it only checks"
    return ""


def tsc(call: ProgramCall, found: Match) -> str:
    """`--noEmit false` turns writing back on, `@file` brings options, and an incremental project writes what it saw."""
    why = _why_incremental(call, found)
    if why:
        return why
    for field in found.operands:
        word = field.text
        if word is None or word in ("false", "null", "undefined") or word.startswith("@"):
            return f"`{field.shown()}` may turn writing back on"
    return ""


def tar(call: ProgramCall, found: Match) -> str:
    for field in found.values_of("-f", "--file"):
        text = field.text if field.text is not None else field.prefix
        if ":" in field.shown() or (text.startswith("-") and text != "-") or not text:
            return "the archive's name may be a program or a machine to ask"
    return ""


IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico")


def image(call: ProgramCall, found: Match) -> str:
    trouble = plain(call, found)
    if trouble:
        return trouble
    for field in found.operands:
        name = (field.text or "").partition("[")[0].lower()
        if not name.endswith(IMAGES):
            return "a kind of image that may hold commands"
    return ""


def pdftotext(call: ProgramCall, found: Match) -> str:
    if len(found.operands) != 2:
        return "without `-` as its last word it writes a file beside the first"
    target = found.operands[1]
    if target.text != "-":
        call.write(target, "pdftotext writes it")
    return ""


def pandoc(call: ProgramCall, found: Match) -> str:
    names = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_+-")
    for field in found.values_of("-f", "-r", "--from", "--read", "-t", "-w", "--to", "--write"):
        if field.text is None or not names.issuperset(field.text):
            return "a format that is not one of its own may be a script"
    return ""


LOOKING_TOOLS = frozenset("list targets commands inputs graph compdb rules".split())


def ninja(call: ProgramCall, found: Match) -> str:
    """Tools of ninja that read the build file; others write its logs or remove what was built."""
    tools = [field.text for field in found.values_of("-t")]
    return "" if LOOKING_TOOLS.issuperset(tools) else "this tool may write logs or remove what was built"


def ctags(call: ProgramCall, found: Match) -> str:
    if any(field.text != "NONE" for field in found.values_of("--options")):
        return "takes its options from a file"
    return plain(call, found)


def in_scratch(call: ProgramCall, found: Match) -> str:
    """Elsewhere, in a container or on another machine, no folder is scratch."""
    return "" if call.walk.world.scratch else "makes a file there"
