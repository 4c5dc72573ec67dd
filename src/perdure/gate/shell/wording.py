"""Words: text, quotes, `$…`, `${…}`, `$(…)`, backticks, `$((…))`. What shells read in different ways is refused."""

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


class WordReader(Cursor):
    if TYPE_CHECKING:

        def nested(self, closer: str) -> s.List:
            """A list of commands up to the bracket that closes it."""

        def inner(self, text: str) -> WordReader:
            """A reader of text within this one's."""

        def program(self) -> s.List:
            """All of the text."""

    # ---- words

    def word(self) -> Word:
        parts: list[Part] = []
        start = self.at
        while self.peek() and self.peek() not in META:
            parts += self.part("")
        if self.peek() in ("<", ">") and self.peek(1) == "(" and self.at == start:
            parts.append(self.process_substitution())
            if self.peek() and self.peek() not in META:
                raise self.wrong("a process substitution within a word")
        if self.at == start:
            raise self.wrong(f"unexpected `{self.peek()}`" if self.peek() else "an unfinished command")
        if self.text.startswith("~[", start):
            raise self.wrong("`~[…]` is zsh's own")
        return s.joined(parts)

    def part(self, stop: str) -> list[Part]:
        """One part of a word outside double quotes; `stop` ends a run of text besides the usual characters."""
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
        start = self.at
        while self.peek() and self.peek() not in META and self.peek() not in "'\"\\$`" and self.peek() not in stop:
            self.at += 1
        if self.at == start:
            raise self.wrong(f"unexpected `{self.peek()}`")
        return [s.Text(self.text[start : self.at])]

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
                start = self.at
                while self.at < self.end and self.text[self.at] not in special:
                    self.at += 1
                text = self.text[start : self.at]
                if "\n" in text:
                    self.newline_in_quotes()
                parts.append(s.Text(text, True))
        if closer and self.at >= self.end:
            raise self.wrong("a quote that is not closed")
        return s.joined(parts)

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
        """Parts up to `closer`, which is consumed: a subscript, an operand within `${…}`. Blanks belong to it."""
        self.deeper()
        parts: list[Part] = []
        while self.peek() != closer:
            self.budget.spend()
            parts += self.inner_part(closer, quoted)
        self.at += 1
        self.depth -= 1
        return s.joined(parts)

    def inner_part(self, closer: str, quoted: bool) -> list[Part]:
        character = self.peek()
        if not character:
            raise self.wrong(f"`{closer}` expected")
        if character == "\n":
            self.newline_in_quotes()
        if quoted and character == "'":
            raise self.wrong("a single quote within brackets within double quotes")
        if not quoted and character in "()":
            raise self.wrong("a bracket within `${…}`")
        if quoted and character == "\\":
            return self.escaped_in_quotes('"}')
        if quoted and character == "$":
            return self.dollar(True)
        if quoted and character == "`":
            return [self.backticks(True)]
        if character in META:
            self.at += 1
            return [s.Text(character, quoted)]
        return self.part(closer)

    # ---- expansions

    def dollar(self, quoted: bool) -> list[Part]:
        self.budget.spend()
        following = self.peek(1)
        if following == "(":
            return [self.calculation(quoted) if self.looks_at("$((") else self.substitution(quoted)]
        if following == "{":
            self.at += 2
            return [self.braced(quoted)]
        if following and following in NAME_START:
            self.at += 1
            start = self.at
            while self.peek() and self.peek() in NAME:
                self.at += 1
            if self.looks_at("\\\n") or self.peek() > "\x7f":
                raise self.wrong("what follows a variable's name may be read as a part of it")
            return [s.Var(self.text[start : self.at], quoted, loose=self.belonging())]
        if following and (following in DIGITS or following in SPECIAL):
            self.at += 2
            if following == "#" and self.peek() and self.peek() in NAME_START | {"{", "@", "*"}:
                raise self.wrong("`$#` before a name: bash and zsh differ")
            return [s.Var(following, quoted, loose=self.belonging())]
        return [self.bare_dollar(following, quoted)]

    def belonging(self) -> str:
        """What stands after `$name` and is read as a part of it by zsh: `:`, or `[` with what is in the brackets."""
        if self.peek() == ":":
            end = self.at
            while end < min(self.end, self.at + NEAR) and self.text[end] not in META and self.text[end] not in "'\"":
                end += 1
            return self.text[self.at : end]
        if self.peek() != "[":
            return ""
        closing = self.text.find("]", self.at, self.at + NEAR)
        return self.text[self.at : closing if closing >= 0 else self.at + NEAR]

    def bare_dollar(self, following: str, quoted: bool) -> Part:
        if following == "'" and not quoted:
            return self.ansi_c()
        if (following == '"' and not quoted) or following == "[":
            raise self.wrong(f"`${following}` is read in different ways")
        if following == "\\" and self.peek(2) == "\n":
            raise self.wrong("a line joined after `$`")
        if following and following in "=~^+" and self.flagged():
            raise self.wrong(f"`${following}` before a name is zsh's own")
        self.at += 1
        return s.Text("$", quoted)

    def flagged(self) -> bool:
        ahead = 1
        while self.peek(ahead) and self.peek(ahead) in "=~^+":
            ahead += 1
        return bool(self.peek(ahead)) and self.peek(ahead) in NAME | SPECIAL | {"{", "("}

    def substitution(self, quoted: bool) -> s.Substitution:
        self.at += 2
        return s.Substitution(self.nested(")"), quoted)

    def process_substitution(self) -> s.ProcessSubstitution:
        direction = self.peek()
        self.at += 2
        return s.ProcessSubstitution(self.nested(")"), direction)

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
        """After `${`."""
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
            offsets = [self.arithmetic(":}")]
            if self.text[self.at - 1] == ":":
                offsets.append(self.arithmetic("}"))
            return s.Var(name, quoted, ":", subscript=subscript, offsets=tuple(offsets))
        if operator == "@":
            transform = self.peek()
            if not transform or transform not in "QEAaKkUuL":
                raise self.wrong("`${…@P}` runs what stands in the variable" if transform == "P" else "`${…@`")
            self.at += 1
            self.expect("}")
            return s.Var(name, quoted, "@", subscript=subscript)
        return s.Var(name=name, quoted=quoted, operator=operator, operand=self.until("}", quoted), subscript=subscript)

    def parameter(self) -> str:
        start = self.at
        if self.peek() and self.peek() in NAME_START:
            while self.peek() and self.peek() in NAME:
                self.at += 1
        elif self.peek() and self.peek() in DIGITS:
            while self.peek() and self.peek() in DIGITS:
                self.at += 1
        elif self.peek() and self.peek() in SPECIAL:
            self.at += 1
        else:
            raise self.wrong("`${` that is not understood")
        return self.text[start : self.at]

    def read_subscript(self, quoted: bool) -> Word | None:
        if self.peek() != "[":
            return None
        self.at += 1
        return self.until("]", quoted)

    def measured(self, quoted: bool) -> s.Var:
        self.at += 1
        name = self.parameter()
        subscript = self.read_subscript(quoted)
        self.expect("}")
        return s.Var(name, quoted, "length", subscript=subscript)

    def keys(self, quoted: bool) -> s.Var:
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
        """Strict: operands and operators in turn. `closer` is `))`, `]`, `;`, `}` or `:}` (either) and is consumed."""
        self.deeper()
        names: list[str] = []
        assigned: list[str] = []
        parts: list[Part] = []
        subscripts: list[tuple[str, s.Arithmetic]] = []
        brackets, wants_operand, last_name = 0, True, ""
        while True:
            self.budget.spend()
            self.arithmetic_blanks()
            character = self.peek()
            if not character:
                raise self.wrong("arithmetic that does not end")
            if brackets == 0 and self.arithmetic_ends(closer):
                break
            if wants_operand and character == "(":
                brackets += 1
                self.at += 1
                continue
            if not wants_operand and character == ")":
                brackets -= 1
                if brackets < 0:
                    raise self.wrong("arithmetic that is not understood")
                self.at += 1
                continue
            if wants_operand and not self.arithmetic_prefix(assigned):
                last_name = self.operand(names, parts, subscripts)
                wants_operand = False
            elif not wants_operand:
                wants_operand = self.binary(last_name, assigned)
        self.depth -= 1
        return s.Arithmetic(
            names=tuple(names), assigned=tuple(assigned), parts=tuple(parts), subscripts=tuple(subscripts)
        )

    def arithmetic_blanks(self) -> None:
        while self.peek() and (self.peek() in " \t\n" or self.looks_at("\\\n")):
            if self.peek() == "\n":
                self.newline_in_quotes()
            self.at += 2 if self.peek() == "\\" else 1

    def arithmetic_ends(self, closer: str) -> bool:
        if closer == ":}":
            if self.peek() in (":", "}"):
                self.at += 1
                return True
            return False
        if self.looks_at(closer):
            self.at += len(closer)
            return True
        return False

    def arithmetic_prefix(self, assigned: list[str]) -> bool:
        for prefix in ("++", "--", "+", "-", "!", "~"):
            if self.looks_at(prefix):
                self.at += len(prefix)
                if len(prefix) == 2:
                    self.arithmetic_blanks()
                    start = self.at
                    while self.peek() and self.peek() in NAME:
                        self.at += 1
                    assigned.append(self.text[start : self.at])
                    self.at = start
                return True
        return False

    def operand(self, names: list[str], parts: list[Part], subscripts: list[tuple[str, s.Arithmetic]]) -> str:
        character = self.peek()
        if character in DIGITS:
            self.number(parts)
            return ""
        if character in NAME_START:
            start = self.at
            while self.peek() and self.peek() in NAME:
                self.at += 1
            name = self.text[start : self.at]
            names.append(name)
            if self.peek() == "[":
                self.at += 1
                subscripts.append((name, self.arithmetic("]")))
            return name
        if character == "$":
            parts += self.dollar(True)
            if isinstance(parts[-1], s.Text):
                raise self.wrong("arithmetic that is not understood")
            return ""
        if character == "`":
            parts.append(self.backticks(False))
            return ""
        if character == '"':
            self.at += 1
            parts += self.quoted_parts('"')
            self.expect('"')
            return ""
        raise self.wrong("arithmetic that is not understood")

    def number(self, parts: list[Part]) -> None:
        start = self.at
        while self.peek() and self.peek() in NAME:
            self.at += 1
        if self.peek() == "#":
            self.at += 1
            if self.peek() == "$":
                parts += self.dollar(True)
                return
            while self.peek() and self.peek() in NAME | {"@"}:
                self.at += 1
        elif self.peek() == ".":
            raise self.wrong("arithmetic with fractions is zsh's own")
        if self.at == start:
            raise self.wrong("arithmetic that is not understood")

    def binary(self, last_name: str, assigned: list[str]) -> bool:
        """Reads what follows an operand; True where another operand must follow."""
        operator = next((o for o in ARITHMETIC_OPERATORS if self.looks_at(o)), "")
        if not operator or operator in ("!", "~"):
            raise self.wrong("arithmetic that is not understood")
        self.at += len(operator)
        if operator in ASSIGNING:
            assigned.append(last_name)
        return operator not in ("++", "--")
