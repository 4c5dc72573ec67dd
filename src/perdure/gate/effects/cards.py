"""Reads the cards of programs, and compares a command's words with them. `programs/__init__.py` explains the language.

Invariant: a card is closed. A word that no line of the card covers is trouble, so what a card forgets is denied.

    match(read_card(text).forms[0], fields)   →   Match(options, operands, writes, trouble, weighty)
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.shell.words import Field

FLAG, VALUE, OPTIONAL, WRITES, PRAXIC, WEIGHTY = "flags", "values", "optional", "writes", "praxic", "weighty"
HARMLESS = (FLAG, VALUE, OPTIONAL)
KINDS = (FLAG, VALUE, OPTIONAL, WRITES, PRAXIC, WEIGHTY)
WORDS = frozenset("numbers long stops old subcommands alone configured any dash deaf idle negatable revisions".split())
ENDS_OPTIONS = "--end-of-options"


@value
class Form:
    """One way of calling a program, with all words it allows. `options` maps an option to its kind and reason."""

    what: str
    options: dict[str, tuple[str, str]]
    operands: tuple[str, ...]
    needs: tuple[str, ...]
    needs_reason: str
    words: frozenset[str]
    prints: str = ""
    code: str = ""
    obeys: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Files of the repository that it obeys, and the words with which they matter; without words they always do."""
    overrides: tuple[str, ...] = ()
    """Options with which it does not obey those files."""
    verdict: tuple[str, str] = ("", "")
    """Like a card's: set for a form that changes something whatever its words are."""


@value
class Card:
    what: str
    forms: tuple[Form, ...]
    verdict: tuple[str, str]
    """`("praxic"|"weighty"|"", why)` for a program that changes something whatever its words are."""
    help: tuple[str, ...]
    same_as: str
    words: frozenset[str]
    name: str = ""
    """The name it is listed under. It differs from the name of the program where that has `same as` this one."""


class BadCard(ValueError):
    """A card that does not follow the language: a defect of our tables."""


def read_card(text: str) -> Card:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines:
        raise BadCard("an empty card")
    start = next((place for place, line in enumerate(lines) if _is_line(line)), len(lines))
    draft = _Draft(" ".join(lines[:start]))
    for line in lines[start:]:
        draft.line(line)
    return draft.card()


def _is_line(line: str) -> bool:
    body = line.partition(" | ")[0].strip()
    keyword, colon, _ = body.partition(":")
    return (
        (colon and (keyword in KINDS or keyword in KEYWORDS))
        or body in WORDS
        or body in (PRAXIC, WEIGHTY)
        or body.startswith("same as ")
    )


class _Draft:
    def __init__(self, what: str) -> None:
        self.what = what
        self.shared = _FormDraft("")
        self.forms: list[_FormDraft] = []
        self.verdict = ("", "")
        self.help: tuple[str, ...] = ()
        self.same_as = ""

    def line(self, line: str) -> None:
        body, _, reason = (piece.strip() for piece in line.partition(" | "))
        keyword, colon, rest = body.partition(":")
        if colon and keyword in KINDS:
            self.form.add_options(keyword, rest.split(), reason)
        elif colon and keyword in KEYWORDS:
            KEYWORDS[keyword](self, rest.strip(), reason)
        elif body in (PRAXIC, WEIGHTY):
            (self.form if self.forms else self).verdict = (body, reason)
        elif body.startswith("same as "):
            self.same_as = body.removeprefix("same as ").strip()
        elif body in WORDS:
            self.form.words.add(body)
        else:
            raise BadCard(f"not a line of a card: {line}")

    @property
    def form(self) -> _FormDraft:
        """The form that a line adds to: the last one, or the part that all forms share."""
        return self.forms[-1] if self.forms else self.shared

    def begin_form(self, what: str, _reason: str) -> None:
        self.forms.append(_FormDraft(what))

    def set_operands(self, text: str, _reason: str) -> None:
        self.form.operands = () if text == "none" else tuple(text.split())

    def set_needs(self, text: str, reason: str) -> None:
        if self.form.needs:
            raise BadCard("two lines of needs")
        self.form.needs, self.form.needs_reason = tuple(text.split()), reason

    def add_help(self, text: str, _reason: str) -> None:
        self.help += tuple(text.split())

    def set_code(self, name: str, _reason: str) -> None:
        self.form.code = name

    def set_prints(self, shape: str, _reason: str) -> None:
        self.form.prints = shape

    def add_obeyed(self, files: str, words: str) -> None:
        self.form.obeys += ((tuple(files.split()), tuple(words.split())),)

    def set_overrides(self, options: str, _reason: str) -> None:
        self.form.overrides = tuple(options.split())

    def card(self) -> Card:
        forms = tuple(form.made(self.shared) for form in self.forms) or (self.shared.made(None),)
        return Card(
            what=self.what,
            forms=forms,
            verdict=self.verdict,
            help=self.help,
            same_as=self.same_as,
            words=frozenset(self.shared.words),
        )


KEYWORDS: dict[str, Callable[[_Draft, str, str], None]] = {
    "form": _Draft.begin_form,
    "operands": _Draft.set_operands,
    "needs": _Draft.set_needs,
    "help": _Draft.add_help,
    "code": _Draft.set_code,
    "prints": _Draft.set_prints,
    "obeys": _Draft.add_obeyed,
    "overrides": _Draft.set_overrides,
}
"""The keywords that begin a line of a card → what such a line sets. The kinds of options are in `KINDS`."""


class _FormDraft:
    def __init__(self, what: str) -> None:
        self.what = what
        self.options: dict[str, tuple[str, str]] = {}
        self.operands: tuple[str, ...] | None = None
        self.needs: tuple[str, ...] = ()
        self.needs_reason = ""
        self.words: set[str] = set()
        self.prints = self.code = ""
        self.obeys: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
        self.overrides: tuple[str, ...] = ()
        self.verdict = ("", "")

    def add_options(self, kind: str, names: list[str], reason: str) -> None:
        for name in names:
            if not (name.startswith("-") or name.endswith("=")):
                raise BadCard(f"not an option: {name}")
            if self.options.get(name, (kind, ""))[0] != kind:
                raise BadCard(f"{name} stands under two kinds")
            self.options[name] = (kind, reason)

    def made(self, shared: _FormDraft | None) -> Form:
        above = shared or _FormDraft("")
        operands = self.operands if self.operands is not None else above.operands
        return Form(
            what=self.what,
            options={**above.options, **self.options},
            operands=("read...",) if operands is None else operands,
            needs=self.needs or above.needs,
            needs_reason=self.needs_reason or above.needs_reason,
            words=frozenset(self.words | above.words),
            prints=self.prints or above.prints,
            code=self.code or above.code,
            obeys=above.obeys + self.obeys,
            overrides=above.overrides + self.overrides,
            verdict=self.verdict,
        )


# ---- comparing a command's words with a form


class Match:
    """How a form reads the words. `trouble` is '' where the form covers every word and none is praxic."""

    def __init__(self) -> None:
        self.options: list[tuple[str, Field | None]] = []
        self.operands: list[Field] = []
        self.writes: list[tuple[Field, str]] = []
        self.trouble = ""
        self.is_sure = False
        """Because of the trouble it surely changes something; otherwise it may."""
        self.weighty = ""
        self.leading_globs = False
        self.ended = False
        """`--` is among the words."""
        self.dashed_value = False
        """An option took the next word as its value, and that word begins, or may begin, with a dash."""

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def values_of(self, *names: str) -> list[Field]:
        return [content for name, content in self.options if name in names and content is not None]

    def troubled(self, why: str, *, sure: bool = False) -> None:
        self.is_sure = self.is_sure or sure
        self.trouble = self.trouble or why


MAY_RUN = "it changes or runs something"
_CANNOT_TELL = ("runs", "may", "loads", "evaluates", "imports", "not", "compiles", "builds", "a", "an", "is", "reads")
"""How the reason of a card begins if it does not say that something surely changes: `runs a script`, `may write`."""
_NOR_HERE = (
    *(
        "believes ",
        "uses another configuration",
        "chooses ",
        "changes how it",
        "changes what it does in ways",
        "gives options",
        "lets the expression",
    ),
    *("its program is", "its script is", "its `!`", "its shell can", "key bindings can", "names an ", "names programs"),
    *("older versions", "prints something else", "resolves anew", "sets configuration, which can", "starts a pager"),
    *("starts another viewer", "starts a shell", "opens a pager", "opens what it finds", "opens the database for"),
    *("takes commands from", "takes statements from", "takes its ", "takes more program", "takes options from"),
    *("takes packages from", "the value of this option can", "the interactive display can", "another format can"),
)
"""The same, where the first word alone does not tell."""


def surely_changes(reason: str) -> bool:
    """Whether a card's reason says that it changes something, and not only that it runs what may."""
    said = reason.removeprefix("it ")
    first = said.partition(" ")[0].rstrip(",")
    is_doubtful = first in _CANNOT_TELL or said.startswith(_NOR_HERE) or " and runs " in said
    return not is_doubtful and reason != MAY_RUN


def match(form: Form, fields: list[Field]) -> Match:
    found = Match()
    if form.verdict[0]:
        _Matcher(form, fields, found).run()
        found.trouble = form.verdict[1]
        found.is_sure = surely_changes(form.verdict[1])
        if form.verdict[0] == WEIGHTY:
            found.weighty = form.verdict[1]
    elif "any" in form.words:
        found.operands = list(fields)
    else:
        _Matcher(form, fields, found).run()
        _check_operands(form, found)
        if form.needs and not found.has(*form.needs):
            found.troubled(form.needs_reason or f"it only reads with {' or '.join(form.needs[:3])}")
    return found


def _check_operands(form: Form, found: Match) -> None:
    """Trouble where there are more operands than the form allows, or where there may be."""
    if roles_of(form.operands, len(found.operands)) is None:
        found.troubled(f"what `{found.operands[-1].shown()}` would do there is not known")
    if _takes_many(form.operands):
        return
    for field in found.operands:
        if field.splits and field.text is None:
            found.troubled(f"`{field.shown()}` may become several words, and one of them what it writes")
            return


class _Matcher:
    def __init__(self, form: Form, fields: list[Field], found: Match) -> None:
        self.form, self.fields, self.found = form, fields, found
        self.at = 0
        self.over = False
        self.may_begin_paths = False
        """After `--end-of-options`, one `--` may still stand before the paths."""

    def run(self) -> None:
        if "old" in self.form.words:
            self.old_cluster()
        while self.at < len(self.fields):
            field = self.fields[self.at]
            self.at += 1
            text = field.text
            if self.over:
                self.behind_options(field)
            elif text is None:
                self.dynamic(field)
            elif text == "--" and "long" not in self.form.words:
                self.over = self.found.ended = True
            elif text == ENDS_OPTIONS and "revisions" in self.form.words:
                self.over = self.may_begin_paths = True
            elif text == "-" or not text.startswith("-"):
                self.operand(field)
            else:
                self.option(text)

    def behind_options(self, field: Field) -> None:
        if self.may_begin_paths and field.text == "--":
            self.may_begin_paths = False
        else:
            self.operand(field)

    def operand(self, field: Field) -> None:
        name, equals, _ = (field.text or field.prefix).partition("=")
        if equals and name + "=" in self.form.options:
            kind, reason = self.form.options[name + "="]
            self.taken(name + "=", kind, reason, content=tail_of(field, len(name) + 1))
            return
        if field.begins_with_glob and not self.over:
            self.found.leading_globs = True
        if "stops" in self.form.words or "subcommands" in self.form.words:
            self.over = True
        self.found.operands.append(field)

    def dynamic(self, field: Field) -> None:
        """A word that is not wholly known before the command runs."""
        prefix = field.prefix
        if not prefix.startswith("-"):
            if field.may_be_option:
                cure = "" if "long" in self.form.words else " after `--` or"
                cure = f" after `{ENDS_OPTIONS}`, nor a path" if "revisions" in self.form.words else cure
                self.found.troubled(
                    f"`{field.shown()}` is not known before it runs and may be an option; it cannot be one{cure} with "
                    "`./` before it"
                )
            self.operand(field)
            return
        name, equals, _ = prefix.partition("=")
        is_long = prefix.startswith("--") or "long" in self.form.words
        if is_long and equals:
            self.long(name, tail_of(field, len(name) + 1))
        elif is_long:
            self.found.troubled(f"the option `{field.shown()}` is not known before it runs")
        elif not self.is_dynamic_number(field):
            self.cluster(prefix[1:], field)

    def is_dynamic_number(self, field: Field) -> bool:
        """`-$n` for a program that takes a number as an option, where `$n` is a number."""
        hole = field.first_hole
        return field.prefix == "-" and "numbers" in self.form.words and hole is not None and hole.shape == "integer"

    def option(self, text: str) -> None:
        if text[1:].isascii() and text[1:].isdigit() and "numbers" in self.form.words:
            self.found.options.append((text, None))
        elif text.startswith("--") or "long" in self.form.words:
            name, equals, rest = text.partition("=")
            self.long(name, _known(rest) if equals else None)
        else:
            self.cluster(text[1:], None)

    def long(self, given: str, attached: Field | None) -> None:
        name = self.spelled_out(given)
        if name is None:
            return
        kind, reason = self.form.options[name]
        if kind in (VALUE, WRITES) and attached is None:
            attached = self.next_value(name)
        elif kind == FLAG and attached is not None:
            self.found.troubled(f"`{name}` takes no value")
        self.taken(name, kind, reason, content=attached)

    def spelled_out(self, given: str) -> str | None:
        """The option as the card lists it. Abbreviations are refused: they may mean an unlisted option."""
        options = self.form.options
        if given in options:
            return given
        if "long" in self.form.words:
            other = given[1:] if given.startswith("--") else "-" + given
            if other in options:
                return other
        negated = given.replace("--no-", "--", 1)
        if "negatable" in self.form.words and options.get(negated, ("",))[0] in HARMLESS:
            self.found.options.append((given, None))
            return None
        dangerous = next((o for o in options if o.startswith(given) and options[o][0] not in HARMLESS), None)
        if dangerous:
            self.found.troubled(f"`{given}` may stand for {dangerous}: {options[dangerous][1]}")
        else:
            self.found.troubled(f"the option `{given}` is not known to only read")
        return None

    def cluster(self, letters: str, field: Field | None) -> None:
        """`-rn`, `-ofile`, `-n5`. `field` is the whole word where a part of it is unknown."""
        for place, letter in enumerate(letters):
            name = "-" + letter
            if name not in self.form.options:
                self.found.troubled(f"the option `{name}` is not known to only read")
                return
            kind, reason = self.form.options[name]
            rest = _known(letters[place + 1 :]) if field is None else tail_of(field, place + 2)
            if kind in (VALUE, WRITES):
                empty = rest.text == ""
                self.taken(name, kind, reason, content=self.next_value(name) if empty else rest)
                return
            self.taken(name, kind, reason, content=rest if kind == OPTIONAL and rest.text != "" else None)
            if kind == OPTIONAL:
                return
        if field is not None:
            self.found.troubled(f"the option `{field.shown()}` is not known before it runs")

    def next_value(self, name: str) -> Field | None:
        if self.at >= len(self.fields):
            self.found.troubled(f"`{name}` lacks its value; in quotes a value is one word")
            return None
        field = self.fields[self.at]
        self.at += 1
        if field.may_be_option or (field.text or "").startswith("-"):
            self.found.dashed_value = True
        if field.text is None and (field.vanishes or (field.splits and (field.may_be_option or not field.prefix))):
            self.found.troubled(f"`{field.shown()}` may become none or several words, and another one the value")
        return field

    def taken(self, name: str, kind: str, reason: str, *, content: Field | None) -> None:
        self.found.options.append((name, content))
        if kind == WRITES and content is not None:
            self.found.writes.append((content, reason))
        elif kind in (PRAXIC, WEIGHTY):
            self.found.troubled(f"`{name}`: {reason or MAY_RUN}", sure=surely_changes(reason or MAY_RUN))
            if kind == WEIGHTY:
                self.found.weighty = self.found.weighty or reason

    def old_cluster(self) -> None:
        text = self.fields[0].text if self.fields else None
        if not text or text.startswith("-") or not text.isalpha():
            return
        self.at = 1
        for letter in text:
            kind, reason = self.form.options.get("-" + letter, ("", ""))
            if not kind:
                self.found.troubled(f"the option `{letter}` is not known to only read")
                return
            content = self.next_value(letter) if kind in (VALUE, WRITES) else None
            self.taken("-" + letter, kind, reason, content=content)


def _known(text: str) -> Field:
    from perdure.gate.shell.words import known

    return known(text)


def tail_of(field: Field, length: int) -> Field:
    """The field without its first `length` characters, which are known."""
    from perdure.gate.shell.words import Field as Made

    text = field.text
    if text is not None:
        return Made((text[length:],))
    prefix = field.prefix
    rest = tuple(segment for segment in field.segments[1:])
    return Made((prefix[length:], *rest) if len(prefix) > length else rest, field.splits)


def _takes_many(pattern: tuple[str, ...]) -> bool:
    """Whether every operand has the same role, however many there are."""
    return pattern[-1:] == ("command",) or (len(pattern) == 1 and pattern[0].endswith("..."))


def roles_of(pattern: tuple[str, ...], count: int) -> list[str] | None:
    """The role of each of `count` operands; None where so many are not allowed. `x...` stands for any number of x."""
    if pattern and pattern[-1] == "command":
        fixed = list(pattern[:-1])
        return [*fixed[:count], *["command"] * max(count - len(fixed), 0)]
    many = _place_of_repeated(pattern)
    if many is None:
        return list(pattern[:count]) if count <= len(pattern) else None
    before, after = list(pattern[:many]), list(pattern[many + 1 :])
    repeated = count - len(before) - len(after)
    if repeated >= 0:
        return [*before, *[pattern[many].removesuffix("...")] * repeated, *after]
    if not after:
        return before[:count]
    return after[-count:] if count else []


def _place_of_repeated(pattern: tuple[str, ...]) -> int | None:
    for place, role in enumerate(pattern):
        if role.endswith("..."):
            return place
    return None
