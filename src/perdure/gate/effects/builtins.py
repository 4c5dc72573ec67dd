"""Judges the shell's builtin commands, such as `cd` and `read`. Each has a function; `BUILTINS` lists them.

A builtin of bash or zsh that is not in the table is unknown, and therefore praxic.
"""

from __future__ import annotations

from perdure.gate.effects.cards import tail_of
from perdure.gate.effects.finding import NOETIC, PRAXIC
from perdure.gate.effects.variables import EVALUATED, is_harmless_value, set_in_the_shell
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import NotUnderstood
from perdure.gate.shell.scope import is_digits, is_name
from perdure.gate.shell.words import ANY, ENVIRONMENT, INTEGER, INTEGERS, ONE_WORD, OUTPUT, UNKNOWN, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.analysis import Context, Walk
    from perdure.gate.effects.working_folders import WorkingFolders
    from perdure.gate.shell.words import Field, Hole


HAND_ON_INPUT = frozenset(("timeout", "env", "nice", "command"))
"""Programs after which a command reads the same standard input."""


class ProgramCall:
    """A command to be judged: its name, its words, and where it would run. The code that judges it adds findings
    through it."""

    def __init__(
        self, walk: Walk, name: str, args: list[Field], *, here: WorkingFolders, context: Context, part: str
    ) -> None:
        self.walk, self.name, self.args, self.here, self.context, self.part = walk, name, args, here, context, part
        self.deaf = False
        """The program does more than print its help when `--help` is among its words."""

    def noetic(self, reason: str) -> None:
        self.walk.found(NOETIC, reason, self.part)

    def looked(self, reason: str) -> None:
        """Noetic, and it shows something of the work: an agent may have learned from it. `noetic` alone is for what
        shows nothing, such as `sleep`."""
        self.walk.found(NOETIC, reason, self.part, looks=True)

    def praxic(self, reason: str, weighty: str = "", *, sure: bool = False) -> None:
        """`sure`: it changes something, whatever it is given. Otherwise it is not known what it does."""
        self.walk.found(PRAXIC, reason, self.part, written=(), weighty=weighty, here=self.here, sure=sure)

    def found(self, effect: str, reason: str, *, opens: bool = False) -> None:
        self.walk.found(effect, reason, self.part, opens=opens, here=self.here, sure=True)

    def write(self, field: Field, why: str, weighty: str = "", *, removes: bool = False) -> bool:
        return self.walk.write(field, self.here, self.part, why=why, weighty=weighty, removes=removes)

    def run(self, argv: list[Field], given: tuple[str, ...] = ()) -> None:
        """Judge the command that this one runs."""
        context = type(self.context)((*self.context.wrappers, self.name), (*self.context.given, *given))
        self.walk.run(argv, self.here, context, part=self.part)

    @property
    def held(self) -> str | None:
        """What it reads on its standard input, where that stands in the command itself and nothing else reads it."""
        return self.walk.held if HAND_ON_INPUT.issuperset(self.context.wrappers) else None

    @property
    def texts(self) -> list[str | None]:
        return [field.text for field in self.args]


def _looks(reason: str) -> Callable[[ProgramCall], None]:
    return lambda call: call.noetic(reason)


def _changes(reason: str) -> Callable[[ProgramCall], None]:
    return lambda call: call.praxic(reason)


def cd(call: ProgramCall) -> None:
    if call.context.wrappers:
        _wrapped_cd(call)
        return
    words = [field for field in call.args if field.text not in ("-L", "-P", "-e", "--")]
    physical = "-P" in call.texts
    call.noetic("changes the working folder of this command alone")
    target = UNKNOWN
    if len(words) == 1:
        target = words[0]
    elif not words and call.walk.world.home:
        target = known(call.walk.world.home)
    _mind_blanks(call, target)
    call.here.go(target, physical=physical)


def _mind_blanks(call: ProgramCall, target: Field) -> None:
    """After a `cd` to a folder whose name has blanks, or may have some, `$PWD` without quotes is several words."""
    one_word = all(isinstance(piece, str) or piece in ONE_WORD for piece in target.segments)
    call.walk.mind_blanks(target.shown() if one_word else " ")


def _wrapped_cd(call: ProgramCall) -> None:
    """Run by another program it changes nothing here; run by `command` or `builtin` it may."""
    call.noetic("changes the working folder at most")
    if call.context.wrappers[-1] in ("command", "builtin"):
        call.here.set_unknown()


def pushd(call: ProgramCall) -> None:
    """With a folder, pushd works like cd. Otherwise it goes to a remembered folder, and those are not tracked."""
    call.noetic("changes the working folder of this command alone")
    if call.name == "pushd" and len(call.args) == 1 and not call.context.wrappers and call.args[0].text:
        _mind_blanks(call, call.args[0])
        call.here.go(call.args[0])
        call.here.may_fail = True
    else:
        call.here.set_unknown()


def echo(call: ProgramCall) -> None:
    call.noetic("prints its words")


def printf(call: ProgramCall) -> None:
    first = call.args[0].text if call.args else ""
    if first is None and call.args[0].may_be_option:
        call.praxic("printf's first word is not known before it runs: it may be -v, which sets a variable")
    elif first is not None and first.startswith("-v"):
        _sets(call, first[2:] or _text_at(call.args, 1))
    elif any("%n" in text for text in call.texts if text):
        call.praxic("printf's %n sets a variable")
    else:
        why = _why_printed(call)
        if why:
            call.praxic(why)
        else:
            call.noetic("prints its words")


AS_TEXT = frozenset("sbqcQ")
"""Conversions of printf that print their word as it is. zsh evaluates the words of all others as arithmetic."""


def _why_printed(call: ProgramCall) -> str:
    """Why a word that printf converts to a number would be evaluated by zsh; '' where none would."""
    kinds = _conversions(call.args[0].text if call.args else "")
    if kinds is not None and AS_TEXT.issuperset(kinds):
        return ""
    words = call.args[1:]
    if any(field.text is None and (field.splits or field.vanishes) for field in words):
        kinds = None
    for place, field in enumerate(words):
        if not _prints_as_text(kinds, place) and not _is_evaluated_safely(call, field):
            return f"zsh would evaluate `{field.shown()}` in printf; `%s` prints it as it is"
    return ""


def _prints_as_text(kinds: str | None, place: int) -> bool:
    """Whether the conversion for the word at this place prints it as it is. The format is used again and again."""
    return bool(kinds) and (kinds or "")[place % len(kinds or "x")] in AS_TEXT


def _conversions(form: str | None) -> str | None:
    """The letter of each conversion in printf's format, in the order of the words that they take; None where that is
    not known. A width or precision of `*` takes a word too."""
    if form is None or "$" in form:
        return None
    found, rest = "", form.replace("%%", "")
    while "%" in rest:
        rest = rest.partition("%")[2]
        while rest and not rest[0].isalpha() and rest[0] != "(":
            found += "*" if rest[0] == "*" else ""
            rest = rest[1:]
        while rest[:1] in ("l", "h", "L", "j", "z"):
            rest = rest[1:]
        found += rest[:1]
    return found


def _is_evaluated_safely(call: ProgramCall, field: Field) -> bool:
    """Whether evaluating the word as arithmetic runs nothing: it is a number, a quoted character, or the person's."""
    text = field.text
    if text is None:
        return all(_is_number_piece(piece) for piece in field.segments)
    bare = text.lstrip("+-")
    if not bare or text[0] in "'\"" or (is_digits(bare[0]) and bare.replace(".", "").isalnum()):
        return True
    return call.walk.is_sum(text)


def _is_number_piece(piece: str | Hole) -> bool:
    if isinstance(piece, str):
        return is_digits(piece.lstrip("+-.") or "0")
    return piece in (INTEGER, INTEGERS, ENVIRONMENT)


def _text_at(args: list[Field], place: int) -> str | None:
    """The text of the word at this place; None where it is not known, or where there is none."""
    return args[place].text if place < len(args) else None


def moves_on(call: ProgramCall) -> None:
    """`exit`, `shift` and their like. zsh evaluates the number they are given: `a[$(command)]` runs the command."""
    for field in call.args:
        if not _is_evaluated_safely(call, field):
            call.praxic(f"zsh would evaluate `{field.shown()}` in {call.name}")
            return
    call.noetic("only decides which part of the command runs next")


def _sets(call: ProgramCall, name: str | None) -> None:
    """The command sets the variable whose name this word is; None where the word is not known."""
    if name is None:
        call.praxic("the name of the variable that is set is not known before it runs")
        return
    bare, bracket, rest = name.partition("[")
    if not is_name(bare) or (bracket and not is_digits(rest.removesuffix("]"))):
        call.praxic(f"`{name}` is evaluated before it is set")
        return
    why = set_in_the_shell(bare) or (f"{bare} is evaluated as arithmetic" if bare in EVALUATED else "")
    if why:
        call.praxic(why)
    else:
        call.walk.state.forget(bare)
        call.noetic(f"sets the variable {bare}")


READ_FLAGS, READ_VALUES, READ_NUMBERS = frozenset("ers"), frozenset("adinNptu"), frozenset("nNtu")


def read(call: ProgramCall) -> None:
    """`read [-ers] [-a array] [-d delim] [-n n] [-p prompt] [-t time] [-u fd] name…`; zsh's options differ."""
    names, why = _names_to_read(list(call.args))
    if why:
        call.praxic(why)
        return
    if not names:
        call.noetic("reads a line")
    for name in names:
        _sets(call, name)


def _names_to_read(rest: list[Field]) -> tuple[list[str | None], str]:
    """The variables that `read` sets; or why they are not known."""
    names: list[str | None] = []
    while rest:
        text = rest.pop(0).text
        if text is None:
            return [], "the name of the variable that is read is not known before it runs"
        if text == "--":
            continue
        if _is_word(text):
            names.append(text)
            continue
        option = _read_option(text)
        if option is None:
            return [], f"the option `{text}` of read is not one that is known"
        letter, attached = option
        content = attached or _next_value(letter, rest)
        if letter in READ_NUMBERS and not _is_number(content):
            return [], f"`read -{letter}` with what is not a number is read in another way by zsh"
        if letter == "a":
            names.append(content)
    return names, ""


def _next_value(letter: str, rest: list[Field]) -> str | None:
    """The next word, taken off the rest, if the option takes a value."""
    return rest.pop(0).text if letter and rest else None


def _is_number(text: str | None) -> bool:
    return is_digits((text or "x").replace(".", "", 1))


def _is_word(text: str) -> bool:
    return text == "-" or not text.startswith("-")


def _read_option(text: str) -> tuple[str, str | None] | None:
    """The letter that takes a value, or '', and the value attached to it; None for an option that is not known."""
    letters = text[1:]
    for place, letter in enumerate(letters):
        if letter in READ_VALUES:
            return letter, letters[place + 1 :]
        if letter not in READ_FLAGS:
            return None
    return "", None


def mapfile(call: ProgramCall) -> None:
    names: list[str | None] = []
    at = 0
    while at < len(call.args):
        text = call.args[at].text
        at += 1
        if text is not None and text.startswith("-"):
            if len(text) != 2 or text[1] not in "dnOstu":
                call.praxic(f"{call.name}: the option `{text}` is not known to only read")
                return
            at += text[1] in "dnOsu"
        else:
            names.append(text)
    if not names:
        call.noetic("reads lines")
    for name in names:
        _sets(call, name)


DECLARE_LETTERS = frozenset("-+aAprx")


def declare(call: ProgramCall) -> None:
    """`declare`, `local`, `typeset`, `readonly` and `export` set variables, for the shell or also for programs."""
    if _lists_functions(call):
        call.noetic("lists functions")
    else:
        _declare_variables(call)


def _declare_variables(call: ProgramCall) -> None:
    for field in call.args:
        why = _not_plainly_declared(call.name, field)
        if why:
            call.praxic(why)
            return
    given = _given_names(call.args)
    prints = "-p" in call.texts and not any("=" in (text or "=") for text in call.texts)
    if not prints:
        why = _why_not_declared(call, given)
        if why:
            call.praxic(why)
            return
        _declared(call, given)
    for name, content in given.items():
        if content is not None and _may_become_elements(call, name, content):
            call.praxic(f"`{call.name}` expands what is put into the array {name}, and that is not known")
            return
    call.noetic("sets variables of the shell" if given else "lists variables")


def _lists_functions(call: ProgramCall) -> bool:
    """`declare -f`, also with names, and `declare -F`. In zsh, -F with a name makes a variable of it."""
    if call.name not in ("declare", "typeset") or not call.texts:
        return False
    return call.texts == ["-F"] or (call.texts[0] == "-f" and all(is_name(text or "") for text in call.texts[1:]))


def _may_become_elements(call: ProgramCall, name: str, content: Field) -> bool:
    """Whether bash may read the content as `(…)`: it begins with what is not known, and the variable is an array."""
    if content.text is not None or content.prefix:
        return False
    if all(_is_number_piece(piece) for piece in content.segments):
        return False
    has_option = any(_is_declare_option(field) and not {"a", "A"}.isdisjoint(field.text or "") for field in call.args)
    return has_option or call.walk.scope.may_be_array(name)


def _is_declare_option(field: Field) -> bool:
    return field.text is not None and field.text.startswith(("-", "+"))


def _not_plainly_declared(program: str, field: Field) -> str:
    """Why a word is neither a known option nor a plain name or `name=content`; '' where it is one of these."""
    if _is_declare_option(field):
        known_letters = DECLARE_LETTERS.issuperset(field.text or "")
        return "" if known_letters else f"`{program} {field.text}` changes how names or values are read"
    name, content = _name_and_content(field)
    if not is_name(name) or (field.text is None and content is None):
        return f"`{field.shown()}` is not a plain name and value"
    if content is not None and (content.text or content.prefix).startswith("("):
        return f"`{program}` expands the elements of an array in `{field.shown()}`, though they are quoted"
    return ""


def _name_and_content(field: Field) -> tuple[str, Field | None]:
    """The two sides of `name=content` or `name+=content`; the content is None for a name alone."""
    text = field.text if field.text is not None else field.prefix
    name, equals, _ = text.partition("=")
    return name.removesuffix("+"), tail_of(field, text.index("=") + 1) if equals else None


def _given_names(args: list[Field]) -> dict[str, Field | None]:
    """Each name with its content. A second mention without content does not remove it."""
    given: dict[str, Field | None] = {}
    for field in args:
        if not _is_declare_option(field):
            name, content = _name_and_content(field)
            given[name] = content or given.get(name)
    return given


def _why_not_declared(call: ProgramCall, given: dict[str, Field | None]) -> str:
    """Why one of these variables must not be set, in the shell or for the programs it runs."""
    exports = _exports(call)
    for name, content in given.items():
        why = call.walk.why_not_given(name) if exports else set_in_the_shell(name)
        if content is not None and is_harmless_value(name, content.text):
            why = ""
        if not why and name in EVALUATED:
            why = f"{name} is evaluated as arithmetic"
        if why:
            return why
    return ""


def _exports(call: ProgramCall) -> bool:
    """Whether programs that the shell runs get the variables."""
    if call.name == "export":
        return True
    return any("x" in (field.text or "") for field in call.args if _is_declare_option(field))


SURE_OPTIONS = frozenset(("-x", "-r", "-a", "-A", "-rx", "-xr", "--"))


def _surely_declares(call: ProgramCall) -> bool:
    """Whether bash and zsh both set the variables: not by `local` outside a function, not through `command`, not with
    options that only print."""
    options = {text for text in call.texts if text and text.startswith(("-", "+"))}
    allowed = SURE_OPTIONS if call.name in ("declare", "typeset", "local") else frozenset(("--",))
    outside = call.name == "local" and not call.walk.calling
    return options <= allowed and not outside and "command" not in call.context.wrappers


def _declared(call: ProgramCall, given: dict[str, Field | None]) -> None:
    """Update what is known about the variables. A word that is put together, as in `declare "$n=x"`, sets a value that
    the scope did not foresee, so nothing is known about that variable any more."""
    state = call.walk.state
    associative = _is_associative(call)
    for name, content in given.items():
        if _surely_declares(call):
            state.surely_set(name)
        else:
            state.forget(name)
        if content is not None and content.segments not in call.walk.scope.values(name):
            state.forget(name)
        if associative and not call.walk.scope.is_plain_array(name):
            state.associative |= {name}


def _is_associative(call: ProgramCall) -> bool:
    """Whether the option `-A` stands among the words, and nothing in the command takes variables away again."""
    has_option = any("A" in text and text.startswith("-") for text in call.texts if text)
    return has_option and "unset" not in call.walk.text


def unset(call: ProgramCall) -> None:
    for text in call.texts:
        if text == "-v":
            continue
        if text is None or not is_name(text):
            call.praxic("unset removes a function, or evaluates a subscript, or its name is not known")
            return
        why = set_in_the_shell(text)
        if why:
            call.praxic(why)
            return
        call.walk.state.certain.pop(text, None)
    call.noetic("removes variables of the shell")


SET_LETTERS = frozenset("eufxvhCnE")
SET_NAMES = frozenset(["", *"errexit nounset noglob xtrace verbose pipefail noclobber errtrace noexec".split()])
"""What may follow `set -o`; without a name it lists the options."""


def set_(call: ProgramCall) -> None:
    why = _why_set_is_praxic(call.texts)
    if why:
        call.praxic(why)
    else:
        call.noetic("sets how this shell continues after errors")


def _why_set_is_praxic(texts: list[str | None]) -> str:
    """Why an option of `set` is not known to be harmless; '' where all are."""
    rest = list(texts)
    while rest:
        text = rest.pop(0)
        if text is None:
            return "an option of set that is not known before it runs"
        if text in ("--", "-") or not text.startswith(("-", "+")):
            return ""
        letters = text[1:]
        if letters.endswith("o"):
            letters = letters[:-1]
            name = rest.pop(0) if rest else ""
            if name not in SET_NAMES:
                return f"`set -o {name or '…'}` changes how the shell reads what follows"
        if not SET_LETTERS.issuperset(letters):
            return f"`set {text}` changes how the shell reads what follows"
    return ""


SHOPT_NAMES = frozenset(
    "nullglob globstar dotglob nocaseglob nocasematch failglob lastpipe inherit_errexit huponexit".split()
)


def shopt(call: ProgramCall) -> None:
    if all(text in SHOPT_NAMES or text in ("-s", "-u", "-q", "-p") for text in call.texts):
        call.noetic("sets how this shell expands names")
    else:
        call.praxic("shopt may change how the shell reads what follows")


def let(call: ProgramCall) -> None:
    for field in call.args:
        text = field.text
        if text is None:
            call.praxic("let evaluates text that is not known before it runs")
            return
        try:
            from perdure.gate.shell.parse import parse

            tree = parse(f"(({text}))")
        except NotUnderstood:
            call.praxic("let evaluates text that is not understood")
            return
        command = tree.steps[0].pipeline.commands[0]
        if not isinstance(command, s.ArithmeticCommand) or len(tree.steps) != 1:
            call.praxic("let evaluates text that is not understood")
            return
        call.walk.arithmetic(command.expression, call.here, call.part)
    call.noetic("calculates")


CALCULATING = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
NAMING = frozenset(["-v", "-R"])
TERMINAL = "-t"


def test(call: ProgramCall) -> None:
    """`-v` and `-R` evaluate subscripts. zsh evaluates the word after `-t`, and those that `-eq` compares."""
    fields = [field for field in call.args if field.text != "]"]
    if _may_be_an_operator(fields):
        call.praxic(f"what `{call.name}` tests is not known before it runs, and may be -v with a subscript")
        return
    for place in range(len(fields)):
        why = _why_evaluated(call, fields, place)
        if why:
            call.praxic(why)
            return
    call.noetic("tests a condition")


def _may_be_an_operator(fields: list[Field]) -> bool:
    """Whether a word that is not known may become several words; or may be an operator before a word that is not known
    either: `[ ! "$a" "$b" ]` is `[ ! -v 'x[$(command)]' ]`."""
    if any(field.splits and field.first_hole in (ANY, OUTPUT) for field in fields):
        return True
    foreign = [_is_foreign(field) for field in fields]
    return any(foreign[place] and foreign[place + 1] for place in range(len(fields) - 1))


def _is_foreign(field: Field) -> bool:
    """Whether it is not known, may begin with a dash or a name, and is not known to be the person's."""
    return field.text is None and not field.prefix and field.first_hole in FOREIGN


FOREIGN = (ANY, OUTPUT)


def _why_evaluated(call: ProgramCall, fields: list[Field], place: int) -> str:
    """Why this word makes the test evaluate something; '' where it does not."""
    name, text = call.name, fields[place].text
    before, after = fields[max(place - 1, 0) : place], fields[place + 1 : place + 2]
    if text is None:
        return ""
    if _runs_in_a_subscript(text):
        return f"`{text}` may be evaluated by {name}"
    if text in NAMING and any(not is_name(field.text or "") for field in after):
        return f"`{name} {text}` evaluates the subscript in a name"
    if text == TERMINAL and not all(_is_evaluated_safely(call, field) or _is_operator(field) for field in after):
        return f"zsh evaluates what `{name} -t` is given"
    if text in CALCULATING:
        return _why_compared(before + after)
    return ""


def _is_operator(field: Field) -> bool:
    return field.text is not None and (field.text.startswith("-") or field.text in ("=", "==", "!="))


def _why_compared(fields: list[Field]) -> str:
    """Why comparing these words as numbers evaluates one of them."""
    for field in fields:
        if "[" in (field.text or ""):
            return f"`{field.text}` would be evaluated as arithmetic by zsh"
    return ""


def _runs_in_a_subscript(text: str) -> bool:
    """Whether evaluating the text would run a command, as with `a[$(command)]`."""
    return "[" in text and ("$(" in text or "`" in text)


def command(call: ProgramCall) -> None:
    """`command NAME …` runs the program even if there is a function of that name; `command -v NAME` only prints."""
    rest = list(call.args)
    while rest and (text := rest[0].text or "").startswith("-"):
        if text in ("-v", "-V", "-pv", "-pV"):
            call.noetic("tells what a name stands for")
            return
        if text not in ("-p", "--"):
            call.praxic(f"{call.name}: the option `{text}` is not known to only read")
            return
        del rest[0]
    if not rest:
        call.noetic("runs nothing")
    elif rest[0].text is None and rest[0].may_be_option:
        call.praxic("the command's name is not known before it runs")
    else:
        call.run(rest)


def builtin(call: ProgramCall) -> None:
    if call.args and call.args[0].text in BUILTINS:
        call.run(call.args)
    else:
        call.praxic("a builtin that is not known to only read")


def exec_(call: ProgramCall) -> None:
    """Without a command, exec only redirects, and the redirections are judged elsewhere."""
    if not call.args:
        call.noetic("redirects the shell's own descriptors")
    elif (call.args[0].text or "-").startswith("-"):
        call.praxic("exec with options")
    else:
        call.run(call.args)


def type_(call: ProgramCall) -> None:
    call.noetic("tells what a name stands for")


def hash_(call: ProgramCall) -> None:
    if all(text is not None and (text in ("-r", "-l", "-t") or is_name(text)) for text in call.texts):
        call.noetic("looks up where programs are")
    else:
        call.praxic("hash may decide which program a name runs")


def alias(call: ProgramCall) -> None:
    if all(text is not None and (text == "-p" or is_name(text)) for text in call.texts):
        call.noetic("lists aliases")
    else:
        call.praxic("an alias changes what a name runs")


def history(call: ProgramCall) -> None:
    if all(is_digits(text or "x") for text in call.texts):
        call.noetic("lists earlier commands")
    else:
        call.praxic("history with options changes the list or its file")


def ulimit(call: ProgramCall) -> None:
    call.noetic("tells or sets the limits of this command alone")


def getopts(call: ProgramCall) -> None:
    _sets(call, call.args[1].text if len(call.args) > 1 else None)


def jobs(call: ProgramCall) -> None:
    if all(
        text is not None and (text[:1] == "%" or is_digits(text) or _has_letters(text, "lnprs")) for text in call.texts
    ):
        call.noetic("lists jobs")
    else:
        call.praxic("jobs -x runs a command, and only the options of `jobs -lnprs` are known to list")


def _has_letters(text: str, letters: str) -> bool:
    """Whether it is a cluster of options that has only these letters."""
    return text[:1] == "-" and len(text) > 1 and set(letters).issuperset(text[1:])


def wait(call: ProgramCall) -> None:
    if any(_may_be_option(field) and field.text not in ("-n", "-f") for field in call.args):
        call.praxic("wait -p sets the variable that is named")
    else:
        call.noetic("waits for what runs in the background")


def _may_be_option(field: Field) -> bool:
    """Whether the word begins with a dash, or may. What the person set before the command does not."""
    if field.text is not None:
        return field.text.startswith("-")
    return field.may_be_option and field.first_hole != ENVIRONMENT


def _is_process(field: Field) -> bool:
    """Whether the word is a number, or an expansion that cannot be an option."""
    return is_digits(field.text or "x") or (
        not field.splits and field.first_hole is not None and not field.may_be_option
    )


def kill(call: ProgramCall) -> None:
    texts = call.texts
    asks = texts[:1] in (["-l"], ["-L"], ["-0"]) and all(is_digits(text or "x") for text in texts[1:])
    if asks or (texts[:1] == ["-0"] and all(_is_process(field) for field in call.args[1:])):
        call.noetic("lists signals, or asks whether a process lives")
    else:
        call.praxic("sends a signal to a process")


COMPGEN = frozenset("abcdefgjksuv")


def compgen(call: ProgramCall) -> None:
    """compgen lists names of a kind. With -F, -C and -W it runs or expands what it is given."""
    if all(t is not None and (not t.startswith("-") or COMPGEN.issuperset(t[1:])) for t in call.texts):
        call.noetic("lists names")
    else:
        call.praxic("compgen may run what it is given")


def trap(call: ProgramCall) -> None:
    if call.texts in ([], ["-l"], ["-p"]):
        call.noetic("lists traps")
    else:
        call.praxic("a trap runs its command later, whatever happens then")


BUILTINS: dict[str, Callable[[ProgramCall], None]] = {
    **dict.fromkeys((":", "true", "false"), _looks("does nothing")),
    **dict.fromkeys(("exit", "return", "break", "continue", "shift", "logout"), moves_on),
    "wait": wait,
    **dict.fromkeys(("pwd", "dirs", "times", "caller", "help"), _looks("tells about the shell")),
    "cd": cd,
    "chdir": cd,
    "pushd": pushd,
    "popd": pushd,
    "echo": echo,
    "printf": printf,
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "unset": unset,
    "set": set_,
    "shopt": shopt,
    "let": let,
    **dict.fromkeys(("declare", "typeset", "local", "readonly", "export"), declare),
    "test": test,
    "[": test,
    "command": command,
    "builtin": builtin,
    "exec": exec_,
    "type": type_,
    "hash": hash_,
    "alias": alias,
    "history": history,
    "ulimit": ulimit,
    "umask": ulimit,
    "getopts": getopts,
    "jobs": jobs,
    "trap": trap,
    "compgen": compgen,
    **dict.fromkeys(("eval", "source", "."), _changes("runs text or a file as commands")),
    "kill": kill,
    **dict.fromkeys(("disown", "fg", "bg", "suspend"), _changes("acts on running processes")),
    **dict.fromkeys(("enable", "bind", "complete", "compopt", "fc", "unalias"), _changes("changes the shell")),
}
