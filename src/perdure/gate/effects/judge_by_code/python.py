"""Judges Python that is given on the command line (`python -c`, a heredoc), and what `-m` finds in its folder."""

from __future__ import annotations

import sys

from perdure.gate.effects import targets
from perdure.gate.effects.cards import match
from perdure.gate.effects.judge_by_code.languages import script_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Card, Match
    from perdure.gate.shell.words import Field

OWN_MODULES = frozenset(
    """pip ruff setuptools pkg_resources distutils keyring org _colorize _suggestions _sysconfig _pyrepl _pylong
    _ast_unparse _pydatetime _opcode_metadata _py_warnings _types _tokenize _typing _zstd _hmac _sha2 _wmi
    _interpreters _interpqueues _interpchannels _remote_debugging _android_support _apple_support _ios_support
    annotationlib compression imp parser asynchat asyncore smtpd binhex formatter symbol macpath dummy_threading
    _dummy_thread _bootlocale macurl2path sre_compile sre_parse sre_constants nturl2path copy_reg UserDict StringIO
    cStringIO _abcoll repr exceptions""".split()
)
"""Modules that those of Python's library and pip load, if they are there, and the library's of other versions."""
BUILD_FACTS = "_sysconfigdata"
"""How the name of a module begins that `sysconfig` loads."""
ISOLATED = ("-I", "-P", "-Im")
LETTERS = frozenset("IPEsSBuOqb")
"""Options before `-c` that only change how code is run. `-I` and `-P` keep modules of the folder from being loaded."""
CODE = (".py", ".pyc", ".so", ".pyd", ".pyw")
UNKNOWN_CODE = "its code is not known before it runs; what is not known can follow it as a word, for sys.argv"
CURE = "; -P before -{} keeps it from that"


def module_in_folder(call: ProgramCall, found: Match) -> None:
    """`python -m` looks for modules in its folder first: one that is named like a module of Python's is run instead."""
    if found.has(*ISOLATED):
        return
    module = (found.operands[0].text or "").partition(".")[0]
    known = _of_python()
    if module not in known:
        call.praxic(f"python -m {module} loads modules from its folder{CURE.format('m')}")
        return
    shadow = _shadow(call, known, call.here.folders or (call.walk.world.cwd, call.walk.world.base))
    if shadow:
        call.praxic(f"python -m would load {shadow}{CURE.format('m')}")


def is_isolated(call: ProgramCall) -> bool:
    """Whether `-I` or `-P` before `-m` keeps it from loading modules of its folder."""
    options = [field.text for field in call.args]
    return "-m" in options and any(option in ISOLATED for option in options[: options.index("-m")])


def _of_python() -> frozenset[str]:
    return (sys.stdlib_module_names | OWN_MODULES) - frozenset(sys.builtin_module_names)


def _shadow(call: ProgramCall, known: Collection[str], folders: tuple[str, ...]) -> str:
    """A module in one of the folders that is loaded instead of Python's own; '' where there is none."""
    disk = call.walk.world.disk
    for folder in folders:
        for name in disk.names_in(folder):
            stem, dot, _ = name.partition(".")
            if stem not in known and not stem.startswith(BUILD_FACTS):
                continue
            if dot or any(inner.startswith("__init__") for inner in disk.names_in(f"{folder}/{name}")):
                return f"{name} from {folder}"
    return ""


def python(call: ProgramCall, name: str, card: Card, *, args: list[Field]) -> None:
    """`python -c CODE`, and `python - <<EOF`: judged by the code. Any other call is refused as the card says."""
    from perdure.gate.effects.judge_by_card import record_in_reach, refuse  # it loads this module

    given = _Given()
    given.read(args)
    if not given.has_code:
        refuse(call, name, card, matches=[(form, match(form, args)) for form in card.forms[:1]], args=args)
        return
    why = _why_not_read(call, given)
    if why:
        record_in_reach(call, args)
        call.praxic(f"{name}: {why}")
    else:
        call.looked(f"{name}: its code only reads")


def _why_not_read(call: ProgramCall, given: _Given) -> str:
    code = script_text(given.code) if given.code else call.held
    if code is None:
        return UNKNOWN_CODE if given.code else "runs what stands on its standard input"
    from perdure.gate.languages import python as language

    reading = language.read(code)
    return reading.trouble or _foreign(call, reading.imported, given.letters)


class _Given:
    """The words of a call: the letters of its options, and its code, which is on the standard input if there is
    none."""

    def __init__(self) -> None:
        self.letters = ""
        self.code: Field | None = None
        self.has_code = True

    def read(self, args: list[Field]) -> None:
        """What follows the code, or a `-`, is for the code to read."""
        for place, field in enumerate(args):
            text = field.text
            if text == "-":
                return
            letters, is_code, attached = (text or "")[1:].partition("c")
            self.letters += letters
            if not (text or "").startswith("-") or not LETTERS.issuperset(letters) or attached:
                self.has_code = False
            elif is_code:
                self.code = next(iter(args[place + 1 :]), None)
                self.has_code = self.code is not None
            else:
                continue
            return


def _foreign(call: ProgramCall, imported: tuple[str, ...], letters: str) -> str:
    """Why what is loaded may be the repository's; '' where it is Python's, or what the person installed."""
    if not {"I", "P"}.isdisjoint(letters):
        return ""
    folders = call.here.folders
    if folders is None:
        return f"loads modules from its folder, which is not known{CURE.format('c')}"
    disk = call.walk.world.disk
    if any(targets.is_scratch(disk.real(folder).rstrip("/") + "/.", call.walk.world) for folder in folders):
        return f"loads modules from its folder, where anybody can write{CURE.format('c')}"
    shadow = _shadow(call, _of_python() | frozenset(imported), folders)
    if not shadow and any(module not in sys.stdlib_module_names for module in imported):
        shadow = next((seen for folder in folders if (seen := _any_module(call, folder))), "")
    return f"would load {shadow}{CURE.format('c')}" if shadow else ""


def _any_module(call: ProgramCall, folder: str) -> str:
    """A module in the folder, which a library could load that asks for one of that name."""
    disk = call.walk.world.disk
    for name in sorted(disk.names_in(folder)):
        if name.endswith(CODE) or any(inner.startswith("__init__") for inner in disk.names_in(f"{folder}/{name}")):
            return f"{name} from {folder}"
    return ""
