"""Parses shell text into a syntax tree. It refuses text that it does not fully understand, and the gate then denies
(SPEC 5.4, 5.6).

It accepts the part of the language that bash and zsh read alike. Everything else raises `NotUnderstood` with the
reason: extended globs and zsh's glob qualifiers, `$[…]`, `${!x}`, `coproc`, `select`, a heredoc without its end,
control characters. A budget of characters, nodes and depth limits the work, not a clock. The work is linear in the
text: each character is read once, except inside backticks, where each level of nesting reads it once more.

Why we have our own parser: see docs/adr/0013. The tests compare it with bash itself and with tree-sitter-bash.

    parse("cd src && grep -rn TODO . | head").steps[1].joined_by == "&&"
"""

from __future__ import annotations

from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import (
    BLANK,
    CALCULATING_TESTS,
    DECLARERS,
    DIGITS,
    META,
    MOST_CHARACTERS,
    NAME,
    NAME_START,
    NEAR,
    RESERVED,
    ZSH_RESERVED,
    Budget,
    Heredoc,
    NotUnderstood,
)
from perdure.gate.shell.word_reader import WordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.shell.syntax import Command, Part, Word


NOT_COMMANDS = RESERVED | ZSH_RESERVED
"""Words that cannot be a command's name."""
FUNCTION_NAME = NAME | {"-"}
REDIRECTIONS = ("<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">", "&>>", "&>")
"""The operators, each before those that it begins with."""
NO_ARRAY_SIGNS = ("\\<", "\\>", "\\(", "\\)", "\\&", "\\|", "\\;")


def parse(text: str) -> s.List:
    refuse_unreadable(text)
    return Parser(text, Budget(), 0).program()


def refuse_unreadable(text: str) -> None:
    """Refuse text that is too long, or has characters that no command should have."""
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstood(f"too complex: more than {MOST_CHARACTERS} characters")
    for character in text:
        if (character < " " and character not in "\t\n") or character == "\x7f":
            raise NotUnderstood(f"a control character (U+{ord(character):04X}) in the command")
        if "\ud800" <= character <= "\udfff":
            raise NotUnderstood("a lone surrogate in the command")


class Parser(WordReader):
    # ---- lists

    def program(self) -> s.List:
        found = self.list_until("")
        if self.at < self.end:
            raise self.wrong(f"unexpected `{self.peek()}`")
        if self.pending[-1]:
            raise NotUnderstood("a heredoc without its end")
        return found

    def nested(self, closer: str) -> s.List:
        """A list within brackets; `closer` is consumed."""
        if self.looks_at("\\\n"):
            raise self.wrong("a joined line after a bracket")
        self.deeper()
        self.pending.append([])
        found = self.list_until(closer)
        if self.pending.pop():
            raise self.wrong("a heredoc begins in a substitution and does not end there")
        self.expect(closer)
        self.depth -= 1
        return found

    def list_until(self, closer: str, words: frozenset[str] = frozenset()) -> s.List:
        """Stops before `closer` (`)`, `;;`), before one of the reserved `words`, or at the end of the text."""
        steps: list[s.JoinedPipeline] = []
        joined = ""
        self.newlines()
        while not self.at_stop(closer, words):
            pipeline = self.pipeline()
            sign = self.end_of_pipeline(closer, words)
            steps.append(s.JoinedPipeline(joined, pipeline, sign == "&"))
            if sign == "&":
                self.whole_chain_in_background(steps)
            joined = sign if sign in ("&&", "||") else ""
        if joined:
            raise self.wrong(f"nothing after `{joined}`")
        if not steps and closer != ";;" and (closer or words):
            raise self.wrong("an empty list")
        return s.List(tuple(steps))

    def at_stop(self, closer: str, words: frozenset[str]) -> bool:
        if self.at >= self.end:
            return True
        if closer == ")" and self.peek() == ")":
            return True
        if closer == ";;" and (self.at_case_terminator(closer) or self.reserved() == "esac"):
            return True
        return bool(words) and self.reserved() in words

    def at_case_terminator(self, closer: str) -> bool:
        """Whether `;;` or `;&` stands here and ends an item of a `case`."""
        return closer == ";;" and self.text.startswith((";;", ";&"), self.at)

    def end_of_pipeline(self, closer: str, words: frozenset[str]) -> str:
        """Consume what ends a pipeline and return it: `&&`, `||`, `&`, `;`, or '' for a line end or the list's end."""
        self.blanks()
        if self.looks_at("&&") or self.looks_at("||"):
            sign = self.text[self.at : self.at + 2]
        elif self.peek() == "&":
            if self.peek(1) in ("|", "!"):
                raise self.wrong("`&|` and `&!` are zsh's own")
            sign = "&"
        elif self.peek() == ";" and not self.at_case_terminator(closer):
            sign = ";"
        elif self.peek() == "\n":
            sign = ""
        elif words or not self.at_stop(closer, words):
            raise self.unexpected()
        else:
            return ""
        self.at += len(sign)
        self.newlines()
        return sign

    def whole_chain_in_background(self, steps: list[s.JoinedPipeline]) -> None:
        """`a && b &` runs both in the background."""
        place = len(steps) - 1
        while steps[place].joined_by and place:
            place -= 1
            steps[place] = s.JoinedPipeline(steps[place].joined_by, steps[place].pipeline, True)

    def pipeline(self) -> s.Pipeline:
        self.blanks()
        negated = False
        while self.reserved() in ("!", "time"):
            word = self.reserved()
            negated = negated or word == "!"
            self.at += len(word)
            self.blanks()
            if word == "time" and self.looks_at("-p") and self.peek(2) in BLANK:
                self.at += 2
                self.blanks()
        commands = [self.command()]
        self.blanks()
        while self.peek() == "|" and self.peek(1) != "|":
            self.at += 2 if self.peek(1) == "&" else 1
            self.newlines()
            commands.append(self.command())
            self.blanks()
        return s.Pipeline(tuple(commands), negated)

    def reserved(self) -> str:
        """The reserved word that stands here as a whole unquoted word; '' where none does."""
        place = self.at
        while place < self.end and self.text[place] not in META and place - self.at < 10:
            place += 1
        word = self.text[self.at : place]
        return word if word in RESERVED else ""

    # ---- commands

    def command(self) -> Command:
        self.budget.spend()
        if self.looks_at("(("):
            return self.arithmetic_command()
        if self.peek() == "(":
            self.at += 1
            return s.Subshell(self.nested(")"), self.redirects())
        word = self.reserved()
        reader = {
            "{": self.group,
            "for": self.for_loop,
            "while": self.while_loop,
            "until": self.while_loop,
            "if": self.if_clause,
            "case": self.case_clause,
            "function": self.function,
            "[[": self.condition,
        }.get(word)
        if reader is None:
            if word:
                raise self.wrong(f"`{word}` stands where no command can begin")
            return self.simple()
        self.at += len(word)
        self.deeper()
        found: Command = reader()
        self.depth -= 1
        return found

    def keyword(self, word: str) -> None:
        if self.reserved() != word:
            raise self.wrong(f"`{word}` expected")
        self.at += len(word)

    def group(self) -> s.Group:
        body = self.list_until("", frozenset(("}",)))
        self.keyword("}")
        return s.Group(body, self.redirects())

    def do_group(self) -> s.List:
        self.keyword("do")
        body = self.list_until("", frozenset(("done",)))
        self.keyword("done")
        return body

    def separator(self) -> None:
        self.blanks()
        if self.peek() == ";" and self.peek(1) != ";":
            self.at += 1
        self.newlines()

    def for_loop(self) -> Command:
        self.blanks()
        if self.looks_at("(("):
            return self.arithmetic_for()
        name = self.name()
        self.newlines()
        words: list[Word] | None = None
        if self.looks_at("in") and self.peek(2) in BLANK | {"\n", ";"}:
            self.at += 2
            words = []
            self.blanks()
            while self.peek() not in ("", "\n", ";"):
                words.append(self.word())
                self.blanks()
        self.separator()
        body = self.do_group()
        return s.For(name=name, words=None if words is None else tuple(words), body=body, redirects=self.redirects())

    def arithmetic_for(self) -> Command:
        self.at += 2
        expressions = []
        for closer in (";", ";", "))"):
            expressions.append(self.arithmetic(closer))
        self.separator()
        body = self.do_group()
        return s.ArithmeticFor(tuple(expressions), body, self.redirects())

    def while_loop(self) -> Command:
        condition = self.list_until("", frozenset(("do",)))
        body = self.do_group()
        return s.While(condition, body, self.redirects())

    def if_clause(self) -> Command:
        conditions, bodies = [], []
        while True:
            conditions.append(self.list_until("", frozenset(("then",))))
            self.keyword("then")
            bodies.append(self.list_until("", frozenset(("elif", "else", "fi"))))
            word = self.reserved()
            self.at += len(word)
            if word == "else":
                bodies.append(self.list_until("", frozenset(("fi",))))
                self.keyword("fi")
            if word in ("else", "fi"):
                return s.If(tuple(conditions), tuple(bodies), self.redirects())
            if word != "elif":
                raise self.wrong("`fi` expected")

    def case_clause(self) -> Command:
        self.blanks()
        word = self.word()
        self.newlines()
        if not (self.looks_at("in") and self.peek(2) in META):
            raise self.wrong("`in` expected")
        self.at += 2
        patterns: list[Word] = []
        bodies: list[s.List] = []
        self.newlines()
        while self.reserved() != "esac":
            self.case_item(patterns, bodies)
            self.newlines()
        self.at += 4
        return s.Case(word=word, patterns=tuple(patterns), bodies=tuple(bodies), redirects=self.redirects())

    def case_item(self, patterns: list[Word], bodies: list[s.List]) -> None:
        if self.peek() == "(":
            self.at += 1
            self.blanks()
        while True:
            patterns.append(self.word())
            self.blanks()
            if self.peek() == ")":
                self.at += 1
                break
            self.expect("|")
            self.blanks()
        bodies.append(self.list_until(";;"))
        for terminator in (";;&", ";;", ";&"):
            if self.looks_at(terminator):
                self.at += len(terminator)
                return
        if self.reserved() != "esac":
            raise self.wrong("`;;` or `esac` expected")

    def function(self) -> Command:
        self.blanks()
        name = self.function_name()
        self.blanks()
        if self.peek() == "(":
            self.at += 1
            self.blanks()
            self.expect(")")
        return self.function_body(name)

    def function_name(self) -> str:
        name = self.take_while(FUNCTION_NAME)
        if not name or name in RESERVED:
            raise self.wrong("a function without a plain name")
        return name

    def function_body(self, name: str) -> s.Function:
        if any(self.pending):
            raise self.wrong("a function while a heredoc waits")
        self.newlines()
        if self.peek() != "(" and self.reserved() != "{":
            raise self.wrong("a function whose body is not in brackets")
        return s.Function(name, self.command())

    def condition(self) -> Command:
        words: list[Word] = []
        calculated: list[Word] = []
        named: list[Word] = []
        previous = ""
        while True:
            self.newlines()
            if self.reserved() == "]]":
                self.at += 2
                break
            previous = self.condition_token(words, calculated, named, previous=previous)
        return s.Condition(
            words=tuple(words), calculated=tuple(calculated), named=tuple(named), redirects=self.redirects()
        )

    def condition_token(self, words: list[Word], calculated: list[Word], named: list[Word], *, previous: str) -> str:
        """Read one token. Returns it where it is an operator, which decides how the next word is read; else ''."""
        operator = self.condition_operator()
        if operator:
            return operator
        word = self.regular_expression() if previous == "=~" else self.word()
        text = s.literal(word)
        if text in CALCULATING_TESTS:
            calculated += words[-1:]
            return text
        if text in ("=~", "==", "=", "!=", "!") or (text in ("-v", "-R", "-t") and not _is_operand(previous)):
            return text
        words.append(word)
        if previous in CALCULATING_TESTS or previous == "-t":  # zsh calculates which descriptor that is
            calculated.append(word)
        if previous in ("-v", "-R"):
            named.append(word)
        return ""

    def condition_operator(self) -> str:
        """Consume an operator that needs no blanks around it; '' where none stands here."""
        if self.at_process_substitution():
            return ""
        for operator in ("&&", "||", "(", ")", "<", ">"):
            if self.looks_at(operator):
                self.at += len(operator)
                return operator
        return ""

    def regular_expression(self) -> Word:
        """The word after `=~`, of which brackets and bars are a part."""
        parts: list[Part] = []
        depth = 0
        while self.peek() and not (depth == 0 and self.peek() in " \t\n"):
            character = self.peek()
            if self.at_process_substitution():
                raise self.wrong("a process substitution in a regular expression")
            if character in "()|<> \t&;":
                if character == "(":
                    depth += 1
                elif character == ")":
                    depth -= 1
                parts.append(s.Text(character))
                self.at += 1
            elif character == "\n":
                raise self.wrong("a line end in a regular expression")
            else:
                parts += self.part("")
        return tuple(parts)

    def arithmetic_command(self) -> Command:
        self.at += 2
        return s.ArithmeticCommand(self.arithmetic("))"), self.redirects())

    # ---- simple commands

    def simple(self) -> Command:
        """A simple command: assignments, words and redirections. `name()` turns out to define a function."""
        start = end = self.at
        assignments: list[s.Assignment] = []
        declared: list[s.Assignment] = []
        words: list[Word] = []
        redirects: list[s.Redirect] = []
        while not self.simple_ends():
            self.budget.spend()
            if not self.redirect(redirects):
                if self.peek() == "(":
                    return self.function_or_nothing(words, assignments, redirects)
                assignment = self.assignment_after(words)
                if assignment is None:
                    words.append(self.word())
                    self.refuse_braces(words[-1])
                elif words:
                    declared.append(assignment)
                else:
                    assignments.append(assignment)
            end = self.at
        if not (words or assignments or redirects):
            raise self.unexpected()
        self.refuse_reserved(words)
        return s.Simple(
            assignments=tuple(assignments),
            words=tuple(words),
            redirects=tuple(redirects),
            declared=tuple(declared),
            start=start,
            end=end,
        )

    def refuse_reserved(self, words: list[Word]) -> None:
        """Refuse a reserved word as the command's name."""
        if words and s.literal(words[0], bare=True) in NOT_COMMANDS:
            raise self.wrong(f"`{s.literal(words[0])}` stands where no command can begin")

    def simple_ends(self) -> bool:
        """Skip blanks; whether the simple command ends here."""
        self.blanks()
        character = self.peek()
        if character == "&":
            return self.peek(1) != ">"  # `&>` is a redirection
        return character in ("", "\n", ";", "|", ")")

    def assignment_after(self, words: list[Word]) -> s.Assignment | None:
        """An assignment that stands here after these words: after a command's name, only `declare` and its like have
        some, and only arrays are read as such."""
        if not words:
            return self.assignment(False)
        if self.declares(words):
            return self.assignment(True)
        return None

    def refuse_braces(self, word: Word) -> None:
        """Refuse braces that bash and zsh read in different ways."""
        text = s.literal(word, bare=True) or ""
        if text == "}":
            raise self.wrong("`}` as a word: zsh ends a group there")
        if text.startswith("{") and text.endswith("}") and self.peek() in ("<", ">"):
            raise self.wrong("`{name}` before a redirection sets a variable")

    def declares(self, words: list[Word]) -> bool:
        return s.literal(words[0]) in DECLARERS

    def function_or_nothing(
        self, words: list[Word], assignments: list[s.Assignment], redirects: list[s.Redirect]
    ) -> Command:
        """`(` after a single word must begin `name()`; anywhere else in a simple command it is refused."""
        name = s.literal(words[0], bare=True) if len(words) == 1 and not assignments and not redirects else None
        self.at += 1
        self.blanks()
        if not name or self.peek() != ")" or not FUNCTION_NAME.issuperset(name) or name in RESERVED:
            raise self.wrong("a bracket where none can stand")
        self.at += 1
        return self.function_body(name)

    def name(self) -> str:
        name = self.take_while(NAME) if self.peek() in NAME_START else ""
        if not name or (self.peek() and self.peek() not in META):
            raise self.wrong("a plain name expected")
        return name

    def assignment(self, only_arrays: bool) -> s.Assignment | None:
        """An assignment that stands here; None, with nothing consumed, where there is none."""
        start = self.at
        if self.peek() not in NAME_START:
            return None
        name = self.take_while(NAME)
        subscript = self.assigned_subscript() if self.peek() == "[" else None
        append = self.looks_at("+=")
        if subscript == () or not (append or self.peek() == "="):
            self.at = start
            return None
        self.at += 2 if append else 1
        if self.peek() == "(":
            items, keys = self.assigned_array()
            return s.Assignment(name=name, content=(), append=append, subscript=subscript, array=items, keys=keys)
        if only_arrays:
            self.at = start
            return None
        return s.Assignment(name=name, content=self.assigned_content(), append=append, subscript=subscript)

    def assigned_content(self) -> Word:
        """The word after `=`, which may be empty."""
        if self.at_process_substitution():
            return self.word()
        if not self.peek() or self.peek() in META:
            return ()
        return self.word()

    def assigned_array(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        start = self.at
        items, keys = self.array()
        text = self.text[start : self.at]
        if any(sign in text for sign in NO_ARRAY_SIGNS):
            raise self.wrong("an escaped sign in an array, which bash reads in two ways")
        return items, keys

    def assigned_subscript(self) -> Word:
        """`[…]` of an assignment. Returns (), with nothing consumed, where the bracket begins no subscript."""
        closing = self.text.find("]", self.at, self.at + NEAR)
        if closing < 0:
            return ()
        inside = self.text[self.at + 1 : closing]
        assigns = self.text.startswith(("=", "+="), closing + 1)
        if not assigns and (NAME.issuperset(inside) or " " in inside):
            return ()
        self.at += 1
        return self.until("]")

    def array(self) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
        """The elements of `(…)`, and the keys of those that have one."""
        self.at += 1
        self.deeper()
        items: list[Word] = []
        keys: list[Word] = []
        self.newlines()
        while self.peek() != ")":
            self.budget.spend()
            if self.peek() == "[":
                self.at += 1
                key = self.until("]")
                if self.peek() != "=":
                    raise self.wrong("an array element that is not understood")
                self.at += 1
                keys.append(key)
                items.append(() if self.peek() in META else self.word())
            else:
                items.append(self.word())
            self.newlines()
        self.at += 1
        self.depth -= 1
        return tuple(items), tuple(keys)

    # ---- redirections

    def redirects(self) -> tuple[s.Redirect, ...]:
        found: list[s.Redirect] = []
        self.blanks()
        while self.redirect(found):
            self.blanks()
        return tuple(found)

    def redirect(self, into: list[s.Redirect]) -> bool:
        """Read a redirection into `into`; returns False, with nothing consumed, where none stands here."""
        place = self.after_digits(self.at)
        descriptor = self.text[self.at : place]
        if not self.redirects_at(place, descriptor):
            return False
        if self.is_numeric_glob(place):
            raise self.wrong("a range of numbers that only zsh reads")
        self.at = place
        operator = self.redirection_operator()
        if operator in ("<<", "<<-"):
            self.heredoc(operator, descriptor, into)
            return True
        self.blanks()
        if self.peek() in ("", "\n", ";", "|", ")", "&"):
            raise self.wrong("a redirection without its target")
        into.append(s.Redirect(operator, self.word(), descriptor))
        return True

    def redirects_at(self, place: int, descriptor: str) -> bool:
        """Whether a redirection's operator stands at `place`, after the number of a descriptor or none."""
        if self.text[place : place + 1] not in ("<", ">"):
            return not descriptor and self.looks_at("&>")
        is_process_substitution = not descriptor and self.text[place + 1 : place + 2] == "("
        return not is_process_substitution

    def redirection_operator(self) -> str:
        operator = next(operator for operator in REDIRECTIONS if self.looks_at(operator))
        self.at += len(operator)
        if self.peek() == "!" or (operator in (">>", "&>>", ">&", "&>") and self.peek() in ("|", "&")):
            raise self.wrong("a redirection that only zsh reads")
        return operator

    def is_numeric_glob(self, place: int) -> bool:
        """Whether `<1-9>` or `<->` stands at `place`."""
        if self.text[place] != "<":
            return False
        place = self.after_digits(place + 1)
        if self.text[place : place + 1] != "-":
            return False
        place = self.after_digits(place + 1)
        return self.text[place : place + 1] == ">"

    def after_digits(self, place: int) -> int:
        """The first place from `place` on where no digit stands."""
        while place < self.end and self.text[place] in DIGITS:
            place += 1
        return place

    def heredoc(self, operator: str, descriptor: str, into: list[s.Redirect]) -> None:
        if self.looks_at("\\\n"):
            raise self.wrong("a joined line after `<<`")
        self.blanks()
        word = self.word()
        quoted = any(not isinstance(part, s.Text) or part.quoted for part in word)
        delimiter = s.literal(word)
        if delimiter is None or not delimiter or "\n" in delimiter or not self.text[self.at - 1].strip():
            raise self.wrong("a heredoc whose end is not a plain word")
        body = s.Body()
        into.append(s.Redirect(operator=operator, target=(), descriptor=descriptor, body=body))
        self.pending[-1].append(Heredoc(delimiter, quoted, operator == "<<-", body=body))

    def read_heredoc(self, heredoc: Heredoc) -> None:
        """Read the body up to the line that ends it, and fill it in."""
        lines: list[str] = []
        line = self.heredoc_line(heredoc)
        while line != heredoc.delimiter:
            self.refuse_ambiguous_line(line, heredoc)
            lines.append(line)
            line = self.heredoc_line(heredoc)
        body = "\n".join(lines) + "\n" if lines else ""
        heredoc.body.word = (s.Text(body, True),) if heredoc.quoted else self.inner(body).heredoc_body()

    def heredoc_line(self, heredoc: Heredoc) -> str:
        """Consume a line; `<<-` takes the tabs off its start."""
        if self.at >= self.end:
            raise NotUnderstood("a heredoc without its end")
        newline = self.text.find("\n", self.at)
        stop = self.end if newline < 0 else newline
        line = self.text[self.at : stop]
        self.at = min(stop + 1, self.end)
        return line.lstrip("\t") if heredoc.strip else line

    def refuse_ambiguous_line(self, line: str, heredoc: Heredoc) -> None:
        """Refuse lines after which shells disagree on where the heredoc ends."""
        if not heredoc.quoted and (len(line) - len(line.rstrip("\\"))) % 2:
            raise NotUnderstood("a joined line in a heredoc")
        if len(self.pending) > 1 and line.startswith(heredoc.delimiter):
            raise NotUnderstood("a heredoc in a substitution that bash may end early")

    def inner(self, text: str) -> Parser:
        parser = Parser(text, self.budget, self.depth)
        parser.deeper()
        return parser

    def heredoc_body(self) -> Word:
        return self.quoted_parts("")


def _is_operand(previous: str) -> bool:
    return previous in ("==", "=", "!=", "=~", "<", ">") or previous in CALCULATING_TESTS
