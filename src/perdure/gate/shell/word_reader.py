"""Reads the words of a command: text, quotes, `$…`, `${…}`, `$(…)`, backticks, `$((…))`.

What bash and zsh read in different ways is refused.
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import (
    ANSI_C,
    ARITHMETIC_OPERATORS,
    ASSIGNING,
    DIGITS,
    META,
    NAME,
    NAME_START,
    NEAR,
    SPECIAL,
    Cursor,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell.syntax import Part, Word


DIGITS_OR_SPECIAL = DIGITS | SPECIAL
NOT_BARE = META | frozenset("'\"\\$`")
"""Characters that end a run of unquoted text."""
ZSH_FLAGS = frozenset("=~^+")
"""Between `$` and a name, these are flags of zsh."""
ARITHMETIC_BLANKS = frozenset(" \t\n")


class WordReader(Cursor):
    if TYPE_CHECKING:

        def nested(self, closer: str) -> s.List:
            """The list of commands up to the bracket that closes it."""

        def inner(self, text: str) -> WordReader:
            """A reader for text that is nested in this one's, such as the inside of backticks."""

        def program(self) -> s.List:
            """Parse the whole text."""

    # ---- words

    def word(self) -> Word:
        start = self.at
        parts: list[Part] = []
        while self.peek() and self.peek() not in META:
            parts += self.part("")
        if self.at == start:
            return self.process_substitution_word()
        if self.text.startswith("~[", start):
            raise self.wrong("`~[…]` is zsh's own")
        if self.peek() in ("<", ">") and "\\\n" in self.text[start : self.at]:
            raise self.wrong("a joined line before a redirection, whose descriptor it may be")
        return s.joined(parts)

    def process_substitution_word(self) -> Word:
        """`<(…)` or `>(…)`, which must be the whole word."""
        if not self.at_process_substitution():
            raise self.unexpected()
        part = self.process_substitution()
        if self.peek() and self.peek() not in META:
            raise self.wrong("a process substitution within a word")
        return (part,)

    def at_process_substitution(self) -> bool:
        return self.text.startswith(("<(", ">("), self.at)

    def part(self, stop: str) -> list[Part]:
        """One part of a word outside double quotes. A run of text also ends before the characters in `stop`."""
        character = self.peek()
        if character == "'":
            return [self.single_quoted()]
        if character == '"':
            self.at += 1
            parts = self.quoted_parts('"')
            self.expect('"')
            return [*parts] or [s.Text("", True)]
        if character == "\\":
            return self.escaped()
        if character == "$":
            return self.dollar(False)
        if character == "`":
            return [self.backticks(False)]
        return [self.bare_text(stop)]

    def bare_text(self, stop: str) -> s.Text:
        start = self.at
        while self.at < self.end:
            character = self.text[self.at]
            if character in NOT_BARE or character in stop:
                break
            self.at += 1
        if self.at == start:
            raise self.wrong(f"unexpected `{self.peek()}`")
        return s.Text(self.text[start : self.at])

    def escaped(self) -> list[Part]:
        following = self.peek(1)
        if not following:
            raise self.wrong("a backslash at the end")
        self.at += 2
        return [] if following == "\n" else [s.Text(following, True)]

    def single_quoted(self) -> s.Text:
        closing = self.text.find("'", self.at + 1)
        if closing < 0:
            raise self.wrong("a quote that is not closed")
        text = self.text[self.at + 1 : closing]
        if "\n" in text:
            self.newline_in_quotes()
        self.at = closing + 1
        return s.Text(text, True)

    def quoted_parts(self, closer: str) -> Word:
        """Parts within double quotes (`closer` is `"`) or of a heredoc's body (`closer` is empty)."""
        parts: list[Part] = []
        special = closer + "\\$`"
        while self.at < self.end and not (closer and self.peek() == closer):
            self.budget.spend()
            character = self.peek()
            if character == "\\":
                parts += self.escaped_in_quotes(closer)
            elif character == "$":
                parts += self.dollar(True)
            elif character == "`":
                parts.append(self.backticks(bool(closer)))
            else:
                parts.append(self.quoted_text(special))
        if closer and self.at >= self.end:
            raise self.wrong("a quote that is not closed")
        return s.joined(parts)

    def quoted_text(self, special: str) -> s.Text:
        """The text within double quotes up to one of the `special` characters."""
        start = self.at
        while self.at < self.end and self.text[self.at] not in special:
            self.at += 1
        text = self.text[start : self.at]
        if "\n" in text:
            self.newline_in_quotes()
        return s.Text(text, True)

    def escaped_in_quotes(self, closer: str) -> list[Part]:
        following = self.peek(1)
        if following == "\n":
            self.at += 2
            return []
        if following and following in "$`\\" + closer:
            self.at += 2
            return [s.Text(following, True)]
        self.at += 1
        return [s.Text("\\", True)]

    def until(self, closer: str, quoted: bool = False) -> Word:
        """The parts of a subscript or of an operand in `${…}`, blanks included, up to `closer`, which is consumed."""
        self.deeper()
        parts: list[Part] = []
        while self.peek() != closer:
            self.budget.spend()
            parts += self.inner_part(closer, quoted)
        self.at += 1
        self.depth -= 1
        return s.joined(parts)

    def inner_part(self, closer: str, quoted: bool) -> list[Part]:
        """One part of what stands within brackets; `quoted`: the brackets stand in double quotes."""
        character = self.peek()
        if not character:
            raise self.wrong(f"`{closer}` expected")
        if character == "\n":
            self.newline_in_quotes()
        if quoted and character in "'\\$`":
            return self.inner_special_part(character)
        if not quoted and character in "()":
            raise self.wrong("a bracket within `${…}`")
        if character in META:
            self.at += 1
            return [s.Text(character, quoted)]
        return self.part(closer)

    def inner_special_part(self, character: str) -> list[Part]:
        """Brackets in double quotes: there a backslash, `$` and a backtick mean what they mean in the quotes."""
        if character == "'":
            raise self.wrong("a single quote within brackets within double quotes")
        if character == "\\":
            return self.escaped_in_quotes('"}')
        if character == "$":
            return self.dollar(True)
        return [self.backticks(True)]

    # ---- expansions

    def dollar(self, quoted: bool) -> list[Part]:
        """What `$` begins."""
        self.budget.spend()
        following = self.peek(1)
        if following in NAME_START:
            return [self.named_variable(quoted)]
        if following == "(":
            return [self.calculation(quoted) if self.looks_at("$((") else self.substitution(quoted)]
        if following == "{":
            self.at += 2
            return [self.braced(quoted)]
        if following in DIGITS_OR_SPECIAL:
            return [self.special_variable(following, quoted)]
        return [self.bare_dollar(following, quoted)]

    def named_variable(self, quoted: bool) -> s.Var:
        """`$name`"""
        self.at += 1
        name = self.take_while(NAME)
        if self.looks_at("\\\n") or self.peek() > "\x7f":
            raise self.wrong("what follows a variable's name may be read as a part of it")
        return s.Var(name, quoted, loose=self.belonging())

    def special_variable(self, name: str, quoted: bool) -> s.Var:
        """`$1`, `$@`, `$?` and the like."""
        self.at += 2
        if name == "#" and self.peek() in NAME_START | {"{", "@", "*"}:
            raise self.wrong("`$#` before a name: bash and zsh differ")
        return s.Var(name, quoted, loose=self.belonging())

    def belonging(self) -> str:
        """What follows `$name` and zsh reads as a part of it: `:` and what follows, or `[` and what is in it."""
        if self.peek() == ":":
            end = self.at
            while end < min(self.end, self.at + NEAR) and self.text[end] not in META and self.text[end] not in "'\"":
                end += 1
            return self.text[self.at : end]
        if self.peek() != "[":
            return ""
        closing = self.text.find("]", self.at, self.at + NEAR)
        if closing < 0:
            closing = self.at + NEAR
        return self.text[self.at : closing]

    def bare_dollar(self, following: str, quoted: bool) -> Part:
        """A `$` without a name, number or bracket after it: `$'…'`, or the character itself."""
        if following == "'" and not quoted:
            return self.ansi_c()
        if (following == '"' and not quoted) or following == "[":
            raise self.wrong(f"`${following}` is read in different ways")
        if following == "\\" and self.peek(2) == "\n":
            raise self.wrong("a line joined after `$`")
        if following in ZSH_FLAGS and self.flagged():
            raise self.wrong(f"`${following}` before a name is zsh's own")
        self.at += 1
        return s.Text("$", quoted)

    def flagged(self) -> bool:
        """Whether a name or bracket follows the flags of zsh after this `$`."""
        ahead = 1
        while self.peek(ahead) in ZSH_FLAGS:
            ahead += 1
        return self.peek(ahead) in NAME | SPECIAL | {"{", "("}

    def substitution(self, quoted: bool) -> s.Substitution:
        self.at += 2
        return s.Substitution(self.nested(")"), quoted)

    def process_substitution(self) -> s.ProcessSubstitution:
        self.at += 2
        return s.ProcessSubstitution(self.nested(")"))

    def backticks(self, in_quotes: bool) -> s.Substitution:
        self.budget.spend()
        characters: list[str] = []
        self.at += 1
        while self.peek() != "`":
            if not self.peek():
                raise self.wrong("a backtick that is not closed")
            if self.peek() == "\n":
                self.newline_in_quotes()
            if self.peek() == "\\" and self.peek(1) and self.peek(1) in ('$`\\"' if in_quotes else "$`\\"):
                self.at += 1
            characters.append(self.peek())
            self.at += 1
        self.at += 1
        return s.Substitution(self.inner("".join(characters)).program(), in_quotes)

    def calculation(self, quoted: bool) -> s.Arithmetic:
        self.at += 3
        found = self.arithmetic("))")
        return s.Arithmetic(
            names=found.names, assigned=found.assigned, parts=found.parts, subscripts=found.subscripts, quoted=quoted
        )

    def braced(self, quoted: bool) -> s.Var:
        """`${…}`, after its first two characters."""
        if self.looks_at("#") and self.peek(1) != "}":
            return self.measured(quoted)
        if self.looks_at("!"):
            return self.keys(quoted)
        name = self.parameter()
        subscript = self.read_subscript(quoted)
        operator = self.operator()
        if operator == "}":
            return s.Var(name, quoted, subscript=subscript)
        if operator == ":":
            return s.Var(name, quoted, ":", subscript=subscript, offsets=self.offsets())
        if operator == "@":
            self.transformation()
            return s.Var(name, quoted, "@", subscript=subscript)
        return s.Var(name=name, quoted=quoted, operator=operator, operand=self.until("}", quoted), subscript=subscript)

    def offsets(self) -> tuple[s.Arithmetic, ...]:
        """The start, and perhaps the length, of `${name:start:length}`."""
        start = self.arithmetic(":}")
        if self.text[self.at - 1] == ":":
            return (start, self.arithmetic("}"))
        return (start,)

    def transformation(self) -> None:
        """The letter of `${name@Q}`, and the bracket."""
        letter = self.peek()
        if letter == "P":
            raise self.wrong("`${…@P}` runs what stands in the variable")
        if not letter or letter not in "QEAaKkUuL":
            raise self.wrong("`${…@`")
        self.at += 1
        self.expect("}")

    def parameter(self) -> str:
        """The name of a variable, the number of an argument, or a special character such as `@`."""
        first = self.peek()
        if first in NAME_START:
            return self.take_while(NAME)
        if first in DIGITS:
            return self.take_while(DIGITS)
        if first in SPECIAL:
            self.at += 1
            return first
        raise self.wrong("`${` that is not understood")

    def read_subscript(self, quoted: bool) -> Word | None:
        if self.peek() != "[":
            return None
        self.at += 1
        return self.until("]", quoted)

    def measured(self, quoted: bool) -> s.Var:
        """`${#name}`"""
        self.at += 1
        name = self.parameter()
        subscript = self.read_subscript(quoted)
        self.expect("}")
        return s.Var(name, quoted, "length", subscript=subscript)

    def keys(self, quoted: bool) -> s.Var:
        """`${!name[@]}` are the keys of an array, `${!name@}` the names that begin so."""
        self.at += 1
        name = self.parameter()
        if self.looks_at("[@]}") or self.looks_at("[*]}"):
            self.at += 4
            return s.Var(name, quoted, "keys")
        if self.looks_at("@}") or self.looks_at("*}"):
            self.at += 2
            return s.Var(name, quoted, "names")
        raise self.wrong("`${!…}` takes its variable's name from another")

    def operator(self) -> str:
        for operator in (":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,"):
            if self.looks_at(operator):
                self.at += 2
                return operator
        character = self.peek()
        if not character or character not in "}-=?+#%/^,:@":
            raise self.wrong("`${` that is not understood")
        self.at += 1
        return character

    def ansi_c(self) -> s.Text:
        self.at += 2
        characters: list[str] = []
        while self.peek() != "'":
            if not self.peek():
                raise self.wrong("a quote that is not closed")
            if self.peek() == "\n":
                self.newline_in_quotes()
            if self.peek() == "\\":
                self.at += 1
                characters.append(self.ansi_c_escape())
            else:
                characters.append(self.peek())
                self.at += 1
        self.at += 1
        return s.Text("".join(characters), True)

    def ansi_c_escape(self) -> str:
        kind = self.peek()
        self.at += 1
        if kind in ANSI_C:
            return ANSI_C[kind]
        if kind in ("x", "u", "U"):
            return self.code_point({"x": 2, "u": 4, "U": 8}[kind], "0123456789abcdefABCDEF", 16, wide=kind != "x")
        if kind and kind in "01234567":
            self.at -= 1
            return self.code_point(3, "01234567", 8, wide=False)
        raise self.wrong("an escape in `$'…'` that is not understood")

    def code_point(self, most: int, digits: str, base: int, *, wide: bool) -> str:
        start = self.at
        while self.at - start < most and self.peek() and self.peek() in digits:
            self.at += 1
        number = int(self.text[start : self.at] or "0", base)
        if not 0 < number < (0x110000 if wide else 0x80) or 0xD800 <= number < 0xE000:
            raise self.wrong("an escape in `$'…'` that is not understood")
        return chr(number)

    # ---- arithmetic

    def arithmetic(self, closer: str) -> s.Arithmetic:
        """Operands and operators must alternate. `closer` is `))`, `]`, `;`, `}` or `:}` (either) and is consumed."""
        self.deeper()
        names: list[str] = []
        assigned: list[str] = []
        parts: list[Part] = []
        subscripts: list[tuple[str, s.Arithmetic]] = []
        brackets, wants_operand, last_name = 0, True, ""
        while not self.arithmetic_ends(closer, brackets):
            if wants_operand and self.peek() == "(":
                brackets += 1
                self.at += 1
            elif wants_operand:
                if not self.arithmetic_prefix(assigned):
                    last_name = self.operand(names, parts, subscripts)
                    wants_operand = False
            elif self.peek() == ")" and brackets:
                brackets -= 1
                self.at += 1
            else:
                wants_operand = self.binary(last_name, assigned)
        self.depth -= 1
        return s.Arithmetic(
            names=tuple(names), assigned=tuple(assigned), parts=tuple(parts), subscripts=tuple(subscripts)
        )

    def arithmetic_blanks(self) -> None:
        while self.peek() in ARITHMETIC_BLANKS or self.looks_at("\\\n"):
            if self.peek() == "\n":
                self.newline_in_quotes()
            self.at += 2 if self.peek() == "\\" else 1

    def arithmetic_ends(self, closer: str, brackets: int) -> bool:
        """Skip blanks. Where `closer` follows outside all brackets, consume it and return True."""
        self.budget.spend()
        self.arithmetic_blanks()
        if not self.peek():
            raise self.wrong("arithmetic that does not end")
        if brackets:
            return False
        if closer == ":}":
            found = self.peek() if self.peek() in ":}" else ""
        else:
            found = closer if self.looks_at(closer) else ""
        self.at += len(found)
        return bool(found)

    def arithmetic_prefix(self, assigned: list[str]) -> bool:
        """Consume a sign before an operand; `++` and `--` set the variable that follows them."""
        for prefix in ("++", "--", "+", "-", "!", "~"):
            if self.looks_at(prefix):
                self.at += len(prefix)
                if len(prefix) == 2:
                    self.arithmetic_blanks()
                    start = self.at
                    assigned.append(self.take_while(NAME))
                    self.at = start
                return True
        return False

    def operand(self, names: list[str], parts: list[Part], subscripts: list[tuple[str, s.Arithmetic]]) -> str:
        """Read a number, a variable or an expansion; returns the name where it is a variable."""
        character = self.peek()
        if character in NAME_START:
            name = self.take_while(NAME)
            names.append(name)
            if self.peek() == "[":
                self.at += 1
                subscripts.append((name, self.arithmetic("]")))
            return name
        if character in DIGITS:
            self.number(parts)
        elif character == "$":
            parts += self.dollar(True)
            if isinstance(parts[-1], s.Text):
                raise self.wrong("arithmetic that is not understood")
        elif character == "`":
            parts.append(self.backticks(False))
        elif character == '"':
            self.at += 1
            parts += self.quoted_parts('"')
            self.expect('"')
        else:
            raise self.wrong("arithmetic that is not understood")
        return ""

    def number(self, parts: list[Part]) -> None:
        """`12`, `0x1f`, `16#ff` or `16#$digits`."""
        self.take_while(NAME)
        if self.peek() == "#":
            self.at += 1
            if self.peek() == "$":
                parts += self.dollar(True)
                return
            self.take_while(NAME | {"@"})
        elif self.peek() == ".":
            raise self.wrong("arithmetic with fractions is zsh's own")

    def binary(self, last_name: str, assigned: list[str]) -> bool:
        """Read the operator that follows an operand; returns whether another operand must follow."""
        operator = next((o for o in ARITHMETIC_OPERATORS if self.looks_at(o)), "")
        if not operator or operator in ("!", "~"):
            raise self.wrong("arithmetic that is not understood")
        self.at += len(operator)
        if operator in ASSIGNING:
            assigned.append(last_name)
        return operator not in ("++", "--")
