"""Analyses a command's text: what effect would it have? Every command in the tree is judged, at any depth (SPEC 5.4).

The walk follows the order of the text where order matters: a function exists once it is defined, and the working folder
is a set of possible folders, since a `cd` may fail.

    analyse("cd src && grep -rn TODO . | head", world).effect == "noetic"
"""

from __future__ import annotations

import os

from perdure.gate.effects import builtins, judge_by_card, targets
from perdure.gate.effects.finding import FORBIDDEN, NOETIC, PRAXIC, PartEffect, add_up
from perdure.gate.effects.variables import (
    EVALUATED,
    UNMOVED,
    given_to_a_program,
    is_harmless_value,
    set_in_the_shell,
)
from perdure.gate.effects.working_folders import SharedFacts, WorkingFolders
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import DECLARERS, DIGITS, NAME, NotUnderstood
from perdure.gate.shell.plain import plain
from perdure.gate.shell.scope import Scope, State, commands_of, is_digits, is_integer, is_name, parts_of, words_of
from perdure.gate.shell.syntax import literal
from perdure.gate.shell.words import (
    EACH,
    ENVIRONMENT,
    INTEGER,
    INTEGERS,
    MOST_ALTERNATIVES,
    PATH,
    PROCESS,
    SCRATCH,
    UNKNOWN,
    Field,
    Hole,
    may_brace,
)
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.finding import Analysis
    from perdure.gate.shell.syntax import Command, Word
    from perdure.gate.shell.words import Alternative
    from perdure.gate.world import World

HOOKS = frozenset("chpwd precmd preexec periodic zshaddhistory zshexit zsh_directory_name".split())
"""Functions that zsh calls by itself."""
HELD = ("<<", "<<-", "<<<")
"""Redirections whose text is part of the command itself."""
MANY_WORDS = 64
"""A command with more words is judged by one list of them: each word that can become several counts as unknown."""
ROUNDS = 4
"""How often the walk goes through a loop until its state must no longer change."""
MOST_NESTED = 12
"""So deep commands may be nested in texts that other commands run (`bash -c`, `eval`)."""
MAY_ABORT = ("readonly", "failglob", "declare -", "typeset -", "((")
"""Text that may make bash give up a line and go on with the next."""


def parsed(text: str) -> s.List:
    from perdure.gate.shell.parse import parse  # loaded only where `plain` does not do

    return parse(text)


def analyse(text: str, world: World) -> Analysis:
    findings: list[PartEffect] = []
    try:
        tree = plain(text) or parsed(text)
        if not tree.steps:
            return add_up([PartEffect(NOETIC, "it does nothing", text.strip()[:80])])
        Walk(text, tree, world, findings=findings, shared=SharedFacts(), depth=0).everything()
    except NotUnderstood as trouble:
        findings.append(PartEffect(PRAXIC, f"not understood: {trouble}", _brief(text), is_sure=False))
    except RecursionError:
        why = "not understood: too complex: nested too deep"
        findings.append(PartEffect(PRAXIC, why, _brief(text), is_sure=False))
    return add_up(findings)


@value
class Context:
    """How a command is run: by which programs (`timeout`, `env`), and with which variables set for it alone."""

    wrappers: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


class Walk:
    """Goes through a command's tree and adds what it finds to `findings`."""

    def __init__(
        self, text: str, tree: s.List, world: World, *, findings: list[PartEffect], shared: SharedFacts, depth: int
    ) -> None:
        self.text, self.tree, self.world, self.findings = text, tree, world, findings
        self.shared, self.depth = shared, depth
        given = (("TMPDIR", world.temporary), ("HOME", world.home), ("PERDURE_HOME", (*world.records, "")[0]))
        environment = {name: content for name, content in given if content}
        self.scope = Scope(tree, self.printed, environment)
        self.mind_blanks(world.cwd)
        self.functions: dict[str, list[s.Function]] = {}
        self.calling: list[str] = []
        self.recursive: set[str] = set()
        self.may_abort = "\n" in text and may_abort(tree, text)
        self.reopens = any(
            redirect.operator in ("<", "<>") and redirect.descriptor not in ("", "0")
            for node in commands_of(tree)
            for redirect in getattr(node, "redirects", ())
        )
        """A descriptor is opened to read a file. `/dev/stdout` may reopen that file, and then a write reaches it."""
        self.piped_words: list[Field] | None = None
        """The words that the next command, xargs, will read, where something is known about them."""
        self.piped = False
        """The next command reads what another part of the text prints or holds, so it shows nothing else."""
        self.held: str | None = None
        """The text that the next command reads on its standard input, where the whole of it stands in the command."""
        self.conditional = 0
        """How many conditions, loops and subshells surround this point."""

    def mind_blanks(self, folder: str) -> None:
        """In a folder whose name contains blanks, `$PWD` without quotes becomes several words."""
        if folder.split() != [folder]:
            self.scope.location = PATH

    def everything(self) -> None:
        self.steps(self.tree, WorkingFolders((self.world.cwd,), self.world))
        if self.shared.scratch:
            for reason, part in self.shared.assumed_harmless:
                self.found(PRAXIC, reason, part)
        if self.shared.linked is not None and self.followed(*self.shared.linked):
            self.found(PRAXIC, "a copy may bring links into scratch, and the same command writes there", self.text)

    def followed(self, count: int, target: str) -> bool:
        """Whether something was written after the copy, which a link in the copy could lead elsewhere."""
        later = self.shared.scratch[count:]
        harmless = all(removes and (target + "/").startswith(path + "/") for path, removes in later)
        return self.shared.loops or not harmless

    def found(
        self,
        effect: str,
        reason: str,
        part: str,
        *,
        written: tuple[str, ...] = (),
        weighty: str = "",
        opens: bool = False,
        here: WorkingFolders | None = None,
        looks: bool = False,
        sure: bool = False,
    ) -> None:
        """`sure`: if it is praxic, it surely changes something. So does what writes a known file, or is weighty."""
        folders = (here.folders or ()) if here else ()
        looks = looks and not self.piped
        self.findings.append(
            PartEffect(
                effect=effect,
                reason=reason,
                part=_brief(part),
                depth=self.depth,
                written=written,
                weighty=weighty,
                opens=opens,
                folders=folders,
                looks=looks,
                is_sure=sure or bool(written or weighty),
            )
        )

    # ---- lists and compound commands

    @property
    def state(self) -> State:
        return self.scope.state

    @state.setter
    def state(self, state: State) -> None:
        self.scope.state = state

    def steps(self, tree: s.List, here: WorkingFolders) -> None:
        """Walk the chains of `&&` and `||` one after another. Only the first step of a chain is certain to run."""
        for chain in chains_of(tree):
            if chain[0].background:
                self.background(chain, here)
            else:
                self.chain(chain, here)

    def background(self, chain: tuple[s.JoinedPipeline, ...], here: WorkingFolders) -> None:
        self.shared.loops = True
        self.in_subshell(lambda: self.chain(chain, here.copy()))

    def chain(self, chain: tuple[s.JoinedPipeline, ...], here: WorkingFolders) -> None:
        """After `&&` alone, a step follows the one before it. After a `||` it may follow any earlier step."""
        folders = here.folders
        states = [self.state.copy()]
        only_and = True
        for place, step in enumerate(chain):
            only_and = only_and and step.joined_by in ("", "&&")
            if not only_and:
                self.state = everything_joined(states[1:])
                here.may_also_be_in(folders)
            here.may_fail = False
            if place == 0:
                self.pipeline(step.pipeline, here)
            else:
                self.conditional += 1
                self.pipeline(step.pipeline, here)
                self.conditional -= 1
            folders = self.moved(chain, place, here, before=folders)
            states.append(self.state.copy())
        self.state = everything_joined(states[1:])
        here.may_also_be_in(folders)
        if self.may_abort:  # then nothing is certain on the next line
            self.state = states[0].joined(self.state)
            here.may_also_be_in((*here.trail, self.world.cwd))

    def moved(
        self, chain: tuple[s.JoinedPipeline, ...], place: int, here: WorkingFolders, *, before: tuple[str, ...] | None
    ) -> tuple[str, ...] | None:
        """Set the folders in which the next step runs; returns those in which the shell may be after the chain."""
        moved = here.pop_moved()
        if moved is None:
            return joined_folders(before, here.folders)
        here.folders = moved
        if not is_plain_cd(chain[place]):
            here.may_also_be_in(before)
        here.trail += moved
        if place == 0 and self.surely_moves(chain, here):
            return moved
        after = joined_folders(before, here.folders)
        if after is None:
            here.note_if_scratch(moved, before)
        return after

    def surely_moves(self, chain: tuple[s.JoinedPipeline, ...], here: WorkingFolders) -> bool:
        """Whether the chain begins with a `cd` that cannot fail, or after whose failure nothing else runs."""
        if not is_plain_cd(chain[0]):
            return False
        if not here.may_fail and not self.shared.scratch:
            return True
        return len(chain) == 2 and leaves(chain[1])

    def pipeline(self, pipeline: s.Pipeline, here: WorkingFolders) -> None:
        if len(pipeline.commands) == 1:
            self.command(pipeline.commands[0], here)
            return
        before, linked, written = self.state, self.shared.linked, len(self.shared.scratch)
        for place, command in enumerate(pipeline.commands):
            there = here.copy()
            self.state = before.copy()
            self.conditional += 1
            from perdure.gate.effects import output_shape  # only a pipe needs it

            self.piped_words = output_shape.piped_words(pipeline.commands[:place], command, self)
            self.piped = place > 0
            read = output_shape.read_by_loop(pipeline.commands[:place], command, self)
            self.scope.read_as = dict([read]) if read else {}
            self.command(command, there)
            self.scope.read_as = {}
            self.piped_words, self.piped = None, False
            self.conditional -= 1
            if there.folders != here.folders or there.moved is not None:
                here.set_unknown()
        self.state = before.joined(self.state)  # zsh runs the last one in the shell itself
        if self.shared.linked != linked and len(self.shared.scratch) > written + 1:
            self.shared.loops = True  # the commands of a pipe run at the same time

    def command(self, command: Command, here: WorkingFolders) -> None:
        self.shared.count_call()
        piped, self.piped = self.piped, False
        redirects: tuple[s.Redirect, ...] = getattr(command, "redirects", ())
        self.redirects(redirects, here)
        if isinstance(command, s.Simple):
            before = self.state.copy()
            self.piped = piped or any(redirect.operator in HELD for redirect in redirects)
            self.simple(command, here, held=None if piped else _held_by(redirects))
            self.state = before.joined(self.state) if redirects else self.state
        elif isinstance(command, s.Function):
            self.define(command)
        elif isinstance(command, s.Condition):
            self.condition(command, here)
        elif isinstance(command, s.ArithmeticCommand):
            self.arithmetic(command.expression, here, "((…))")
        else:
            before, folders = self.state.copy(), here.folders
            self.compound(command, here)
            if redirects:  # if a file cannot be opened, the whole command does not run
                self.state = before.joined(self.state)
                here.may_also_be_in(folders)

    def compound(self, command: Command, here: WorkingFolders) -> None:
        if isinstance(command, s.Subshell):
            self.subshell(command.body, here)
        elif isinstance(command, s.Group):
            self.steps(command.body, here)
        elif isinstance(command, s.For):
            self.for_loop(command, here)
        elif isinstance(command, s.ArithmeticFor):
            for expression in command.expressions:
                self.arithmetic(expression, here, "for ((…))")
            self.again_and_again((command.body,), here)
        elif isinstance(command, s.While):
            self.again_and_again((command.condition, command.body), here)
        elif isinstance(command, s.If):
            self.branches((*command.conditions, *command.bodies), here)
        elif isinstance(command, s.Case):
            self.words((command.word, *command.patterns), here)
            self.branches(command.bodies, here)

    def for_loop(self, loop: s.For, here: WorkingFolders) -> None:
        self.set_variable(loop.name, "for")
        self.words(loop.words or (), here)
        before = self.state.copy()
        self.state.surely_set(loop.name)
        self.again_and_again((loop.body,), here, lambda: self.state.surely_set(loop.name))
        self.state = before.joined(self.state)

    def in_subshell(self, work: Callable[[], None]) -> None:
        """Do the work as in a subshell, which leaves neither variables nor functions behind."""
        kept = self.state
        self.state = kept.copy()
        self.conditional += 1
        work()
        self.conditional -= 1
        self.state = kept

    def subshell(self, body: s.List, here: WorkingFolders) -> None:
        self.in_subshell(lambda: self.steps(body, here.copy()))

    def branches(self, bodies: tuple[s.List, ...], here: WorkingFolders) -> None:
        """Walk lists of which each may or may not run. Afterwards, what any of them leaves behind is possible."""
        self.conditional += 1
        for body in bodies:
            before, folders = self.state.copy(), here.folders
            self.steps(body, here)
            self.state = before.joined(self.state)
            here.may_also_be_in(folders)
        self.conditional -= 1

    def again_and_again(
        self, bodies: tuple[s.List, ...], here: WorkingFolders, at_each: Callable[[], None] = lambda: None
    ) -> None:
        """Walk the bodies of a loop until another round changes nothing; after ROUNDS nothing is known."""
        self.shared.loops = True
        for _ in range(ROUNDS):
            state, folders, mark = self.state.copy(), here.folders, len(here.trail)
            self.branches(bodies, here)
            here.may_also_be_in(tuple(here.trail[mark:]))  # `break` may leave the loop at any point
            at_each()
            if self.state == state and here.folders == folders:
                return
        self.lose_track(here)
        at_each()
        self.branches(bodies, here)

    # ---- simple commands

    def simple(self, command: s.Simple, here: WorkingFolders, *, held: str | None) -> None:
        part = self.text[command.start : command.end]
        given = tuple(assignment.name for assignment in command.assignments)
        words, self.piped_words = self.piped_words, None
        piped, self.piped = self.piped, False
        if command.assignments or command.declared:
            self.assignments(command, here, part)
        self.words(command.words, here)
        if not command.words:
            self.found(NOETIC, "sets variables of the shell" if given else "opens files to read", part)
            return
        before, after = self.state, None
        for argv in self.alternatives(command.words):
            self.state = before.copy()
            self.piped_words, self.piped, self.held = words, piped, held
            self.run(argv, here, Context(given=given), part=part)
            self.piped_words, self.piped, self.held = None, False, None
            after = self.state if after is None else after.joined(self.state)
        self.state = after or before

    def assignments(self, command: s.Simple, here: WorkingFolders, part: str) -> None:
        reads = bool(command.words) and literal(command.words[0]) == "read" and "read" not in self.functions
        for assignment in (*command.assignments, *command.declared):
            if reads and _sets_separators(assignment):
                self.word(assignment.content, here)  # `IFS=, read` only says where `read` splits its line
            else:
                for_program = bool(command.words) and assignment in command.assignments
                self.assignment(assignment, for_program, here, part=part)

    def alternatives(self, words: tuple[Word, ...]) -> list[list[Field]]:
        """Every list of words that the command can become."""
        found: list[list[Field]] = [[]]
        declares = bool(words) and literal(words[0], bare=True) in DECLARERS
        expand = self.expand_declared if declares else self.scope.expand
        most = MOST_ALTERNATIVES if len(words) <= MANY_WORDS else 1
        for word in words:
            each = in_each_number(expand(word))
            if len(found) * len(each) > most:
                each = [(UNKNOWN,)]
            if len(each) == 1:
                for argv in found:
                    argv += each[0]  # in place: a copy for each word would make this quadratic
            else:
                found = [[*argv, *more] for argv in found for more in each]
        return found

    def expand_declared(self, word: Word) -> list[Alternative]:
        """A word after `declare` and its like, which do not split what they assign."""
        each = self.scope.expand(word)
        if _assigns(word) and not may_brace(word):
            return [alternative[:1] for alternative in each]
        return each

    def run(self, argv: list[Field], here: WorkingFolders, context: Context, *, part: str) -> None:
        """Judge a command whose words are these."""
        self.shared.count_call()
        if not argv:
            self.found(NOETIC, "nothing is run", part)
            return
        name = argv[0].text
        if name is None:
            self.found(PRAXIC, f"the command's name `{argv[0].shown()}` is not known before it runs", part)
        elif name in self.functions and not context.wrappers:
            self.call(name, here, part)
        elif name in builtins.BUILTINS and not set(context.wrappers) - {"command", "builtin", "exec"}:
            builtins.BUILTINS[name](builtins.ProgramCall(self, name, argv[1:], here=here, context=context, part=part))
        else:
            call = builtins.ProgramCall(self, name, argv[1:], here=here, context=context, part=part)
            judge_by_card.judge_program(call)

    def nested(self, text: str, here: WorkingFolders, part: str, *, given: tuple[str, ...]) -> None:
        """Judge shell text inside the command, as `bash -c` runs it: in a shell with its own variables."""
        if self.depth >= MOST_NESTED:
            raise NotUnderstood("too complex: shells within shells")
        try:
            tree = plain(text) or parsed(text)
        except NotUnderstood as trouble:
            self.found(PRAXIC, f"not understood: {trouble}", part)
            return
        below = Walk(text, tree, self.world, findings=self.findings, shared=self.shared, depth=self.depth + 1)
        below.state.tainted = self.scope.names() | frozenset(given)
        below.reopens = below.reopens or self.reopens
        for folder in here.folders or (" ",):  # in a folder that is not known, `$PWD` may have blanks
            below.mind_blanks(folder)
        below.steps(tree, here.copy())

    # ---- functions

    def define(self, function: s.Function) -> None:
        """Remember a function. It is praxic to define one that could run in place of something else."""
        name = function.name
        why = ""
        if self.conditional:
            why = "may not be defined where it is called"
        elif name in HOOKS or name.startswith("TRAP") or name.endswith(("_functions", "_handle", "_handler")):
            why = "is run by the shell itself"
        elif name in builtins.BUILTINS or judge_by_card.is_known(name):
            why = "shadows a command"
        if why:
            self.found(PRAXIC, f"the function {name} {why}", f"{name}()")
        self.functions.setdefault(name, []).append(function)
        self.found(NOETIC, f"defines the function {name}, which is judged where it is called", f"{name}()")

    def lose_track(self, here: WorkingFolders) -> None:
        tainted = self.scope.names()
        self.state = State()
        self.state.tainted = tainted
        here.set_unknown()

    def call(self, name: str, here: WorkingFolders, part: str) -> None:
        if name in self.calling:
            self.found(NOETIC, f"calls {name} again", part)
            self.recursive.add(name)
            self.lose_track(here)
            return
        self.calling.append(name)
        self.conditional += 1
        before, folders, mark = self.state.copy(), here.folders, len(here.trail)
        for function in self.functions[name]:
            self.command(function.body, here)
        if name in self.recursive:  # once more, for the call from inside itself, where nothing is certain
            self.lose_track(here)
            for function in self.functions[name]:
                self.command(function.body, here)
        self.state = before.joined(self.state)
        here.may_also_be_in(folders)
        here.may_also_be_in(tuple(here.trail[mark:]))  # it may have returned at any point
        self.conditional -= 1
        self.calling.pop()

    # ---- words and what is evaluated in them

    def words(self, words: tuple[Word, ...], here: WorkingFolders) -> None:
        for word in words:
            self.word(word, here)

    def word(self, word: Word, here: WorkingFolders) -> None:
        for part in parts_of(word):
            if isinstance(part, s.Substitution | s.ProcessSubstitution):
                self.subshell(part.body, here)
            elif isinstance(part, s.Arithmetic):
                self.calculated(part, "$((…))")
            elif isinstance(part, s.Var):
                self.variable(part)

    def variable(self, part: s.Var) -> None:
        if part.loose.startswith("[") and not self.is_sum(names_in(part.loose)):
            self.found(PRAXIC, f"zsh evaluates the subscript after `${part.name}`", f"${part.name}[…")
        if part.subscript is not None:
            self.subscript(part.name, part.subscript)
        for offset in part.offsets:
            self.calculated(offset, "${…:…}")
        if part.operator in (":=", "="):
            self.set_variable(part.name, "${…:=…}")

    def arithmetic(self, expression: s.Arithmetic, here: WorkingFolders, part: str) -> None:
        self.calculated(expression, part)
        for inner in expression.parts:
            self.word((inner,), here)
        for _, subscript in expression.subscripts:
            self.arithmetic(subscript, here, part)

    def calculated(self, expression: s.Arithmetic, part: str) -> None:
        """Arithmetic evaluates what its variables hold, and `a[$(…)]` in there would run a command."""
        for name in expression.assigned:
            self.set_variable(name, part)
        for name in expression.names:
            if not self.scope.is_number(name):
                self.found(PRAXIC, f"arithmetic would evaluate what `{name}` holds, which is not known", part)
        for inner in expression.parts:
            if not self.is_number((inner,)):
                self.found(PRAXIC, "arithmetic would evaluate text that is not known", part)
        for _, subscript in expression.subscripts:
            self.calculated(subscript, part)

    def is_number(self, word: Word) -> bool:
        for alternative in self.scope.expand(word):
            for field in alternative:
                for segment in field.segments:
                    digits = isinstance(segment, str) and (segment == "" or is_integer(segment))
                    if not digits and segment not in (INTEGER, INTEGERS, ENVIRONMENT):
                        return False
        return True

    def subscript(self, name: str, word: Word) -> None:
        text = literal(word)
        if text in ("@", "*") or self.is_number(word):
            return
        if name in self.state.associative:
            return
        if text is not None and self.is_sum(text):
            return
        self.found(PRAXIC, f"the subscript of `{name}` is evaluated as arithmetic", f"{name}[…]")

    def is_sum(self, text: str) -> bool:
        """Whether it consists of numbers and of variables that hold numbers, as `i`, `i+1` and `n-1` do."""
        if not (NAME | frozenset(" +-*/%")).issuperset(text):
            return False
        for operator in "+-*/%":
            text = text.replace(operator, " ")
        return all(piece[0] in DIGITS or self.scope.is_number(piece) for piece in text.split())

    def condition(self, command: s.Condition, here: WorkingFolders) -> None:
        self.words(command.words, here)
        for word in command.calculated:
            if not self.is_number(word) and not self.names_number(word):
                self.found(PRAXIC, "`[[ … ]]` would evaluate text that is not known to be a number", "[[ … ]]")
        for word in command.named:
            if not self.is_plain_name(word):
                self.found(PRAXIC, "`[[ -v … ]]` evaluates the subscript in a name", "[[ -v … ]]")
        self.found(NOETIC, "tests a condition", "[[ … ]]")

    def names_number(self, word: Word) -> bool:
        """Whether the word is the name of a variable that holds a number."""
        text = literal(word)
        return bool(text) and NAME.issuperset(text or "") and self.scope.is_number(text or "")

    def is_plain_name(self, word: Word) -> bool:
        text = literal(word)
        if text is None:
            return False
        name, bracket, rest = text.partition("[")
        return NAME.issuperset(name) and (not bracket or is_digits(rest.rstrip("]")) or rest in ("@]", "*]"))

    def assignment(self, assignment: s.Assignment, for_program: bool, here: WorkingFolders, *, part: str) -> None:
        why = self.why_not_given(assignment.name) if for_program else set_in_the_shell(assignment.name)
        if is_harmless_value(assignment.name, literal(assignment.content)) or self.is_new_scratch(assignment):
            why = ""
        if why:
            self.found(PRAXIC, why, part)
        elif assignment.name in EVALUATED and (assignment.append or not self.is_number(assignment.content)):
            self.found(PRAXIC, f"what is put into {assignment.name} is evaluated as arithmetic", part)
        if assignment.subscript is not None:
            self.word(assignment.subscript, here)
            self.subscript(assignment.name, assignment.subscript)
        self.word(assignment.content, here)
        self.words(assignment.array or (), here)
        for key in assignment.keys:
            self.word(key, here)
            self.subscript(assignment.name, key)
        self.remember(assignment, for_program)

    def why_not_given(self, name: str) -> str:
        """Why giving this variable to programs may change what they do. A name that no list has is harmless where the
        command runs only programs that take nothing else from their environment."""
        return set_in_the_shell(name) or ("" if self.runs_unmoved() else given_to_a_program(name))

    def runs_unmoved(self) -> bool:
        for node in commands_of(self.tree):
            name = literal(node.words[0]) if isinstance(node, s.Simple) and node.words else ":"
            if name not in UNMOVED and name not in builtins.BUILTINS:
                return False
        return not self.functions

    def is_new_scratch(self, assignment: s.Assignment) -> bool:
        """Whether it names a new folder in scratch as the place for temporary files."""
        if assignment.name not in ("TMP", "TEMP", "TMPDIR") or assignment.append or assignment.array is not None:
            return False
        fields = [field for alternative in self.scope.expand(assignment.content) for field in alternative]
        return bool(fields) and all(field.segments == (SCRATCH,) for field in fields)

    def remember(self, assignment: s.Assignment, for_program: bool) -> None:
        """The variable is certainly set from here on, unless it is set for a program alone, or only a part of it is."""
        if not for_program and not assignment.append and assignment.subscript is None:
            self.state.surely_set(assignment.name)

    def set_variable(self, name: str, part: str) -> None:
        why = set_in_the_shell(name)
        if why or name in EVALUATED:
            self.found(PRAXIC, why or f"what is put into {name} is evaluated as arithmetic", part)

    # ---- redirections and writes

    def redirects(self, redirects: tuple[s.Redirect, ...], here: WorkingFolders) -> None:
        for redirect in redirects:
            self.word(redirect.content, here)
            if redirect.operator not in HELD:
                for alternative in self.scope.expand(redirect.target):
                    self.redirect(redirect.operator, alternative, here)

    def redirect(self, operator: str, alternative: Alternative, here: WorkingFolders) -> None:
        field = alternative[0] if len(alternative) == 1 else UNKNOWN
        text = field.text
        part = f"{operator} {field.shown()}"
        if _is_socket(text if text is not None else field.prefix):
            self.found(PRAXIC, f"`{field.shown()}` opens a connection", part)
        elif operator == "<" or (operator in ("<&", ">&") and _is_descriptor(text)):
            return
        elif operator == "<&":
            self.found(PRAXIC, "a descriptor that is not known before it runs", part)
        else:
            self.write(field, here, part, why="the output is redirected there")

    def write(
        self, field: Field, here: WorkingFolders, part: str, *, why: str, weighty: str = "", removes: bool = False
    ) -> bool:
        """A file that is written, or removed; True where that changes nothing that matters."""
        if field.segments == (PROCESS,):
            return True
        text = self.target_text(field)
        if text is None:
            self._write_unknown(field, here, part, why=why, weighty=weighty)
            return False
        if text == "":
            self.shared.scratch.append(("(new)", removes))
            self.found(NOETIC, f"writes to a new file in scratch ({why})", part)
            return True
        place, path = targets.place_of(text, here.folders, self.world)
        if place == targets.NOWHERE:
            return self._write_to_device(text, part, why)
        checkout = targets.checkout_of(path, self.world) if removes and place == targets.SCRATCH else ""
        if checkout:
            self.found(PRAXIC, f"removes work in {checkout}, which is a git checkout ({why})", part, weighty=weighty)
            return False
        if place == targets.SCRATCH:
            self.shared.scratch.append((path, removes))
            self.found(NOETIC, f"writes only to scratch, {path} ({why})", part)
            return True
        if place in targets.FORBIDDEN:
            self.found(FORBIDDEN, f"{targets.FORBIDDEN[place]}, {path} ({why})", part, written=(path,))
            return False
        written = self._path_and_link(path, text, here)
        self.found(PRAXIC, f"writes to {path} ({why})", part, written=written, weighty=weighty, here=here)
        return False

    def _write_to_device(self, text: str, part: str, why: str) -> bool:
        """`/dev/null` and its like: True where no file can be behind it."""
        if self.reopens or text.startswith("/dev/fd/"):
            self.found(PRAXIC, f"{text} may be a file that a descriptor was opened on ({why})", part)
            return False
        return True

    def _path_and_link(self, path: str, text: str, here: WorkingFolders) -> tuple[str, ...]:
        """The file, and the link to it where the command names one."""
        entry = targets.entry_of(os.path.join((here.folders or ("",))[0], text), self.world)
        return (path, entry) if os.path.isabs(entry) and entry != path else (path,)

    def _write_unknown(self, field: Field, here: WorkingFolders, part: str, *, why: str, weighty: str) -> None:
        """A write to a file that is not known before it runs. It may still be recognised as one of Perdure's own."""
        within = any(targets.is_record(folder, self.world) for folder in here.folders or ())
        named = any(isinstance(s, str) and targets.names_record(s) for s in field.segments)
        if within or named:
            self.found(FORBIDDEN, f"would write into Perdure's own record, {field.shown()} ({why})", part)
        elif targets.may_be_arming(field.prefix, here.folders):
            self.found(FORBIDDEN, f"{targets.FORBIDDEN[targets.ARMING]}, {field.shown()} ({why})", part)
        else:
            unknown = f"writes to `{field.shown()}`, which is not known before it runs ({why})"
            self.found(PRAXIC, unknown, part, written=(), weighty=weighty, here=here, sure=True)

    def target_text(self, field: Field) -> str | None:
        """The path; '' for a path below a new scratch folder; None where it is not known."""
        text = field.text
        if text is not None:
            return text or "."
        if field.splits or field.segments[0] != SCRATCH:
            return None
        below = ""
        for piece in field.segments[1:]:
            if not isinstance(piece, str) or ".." in piece:
                return None
            below += piece
        return "" if not below or below.startswith("/") else None

    # ---- what commands print

    def printed(self, body: s.List) -> Hole:
        from perdure.gate.effects import output_shape

        return output_shape.shape_of(body, self)

    def dashes(self, here: WorkingFolders) -> bool:
        """Whether a glob here may expand to a name that begins with `-`. The names that a variable keeps may come from
        any folder that the command was in."""
        folders: set[str | None] = set(here.folders or (None,))
        if self.scope.keeps_names:
            folders |= here.visited
        return any(folder is None or self.world.disk.has_dashed_name(folder) for folder in folders)


def _assigns(word: Word) -> bool:
    """Whether the word has the form `name=…`."""
    first = word[0] if word else None
    if not isinstance(first, s.Text) or first.quoted:
        return False
    name, equals, _ = first.text.partition("=")
    return is_name(name) and bool(equals)


def _sets_separators(assignment: s.Assignment) -> bool:
    """A plain `IFS=…`."""
    return assignment.name == "IFS" and assignment.array is None and assignment.subscript is None


def _held_by(redirects: tuple[s.Redirect, ...]) -> str | None:
    """The text of the one heredoc or here-string that is the standard input; None where it is not known. In zsh a
    command reads all of several inputs, and a pipe is one."""
    inputs = [redirect for redirect in redirects if redirect.descriptor in ("", "0") and redirect.operator[0] == "<"]
    if len(inputs) != 1 or inputs[0].operator not in HELD:
        return None
    return literal(inputs[0].content)


def _is_descriptor(text: str | None) -> bool:
    """`1` or `1-` after `>&`, or the `-` that closes a descriptor."""
    return text == "-" or is_digits((text or "").rstrip("-"))


def chains_of(tree: s.List) -> list[tuple[s.JoinedPipeline, ...]]:
    """The steps of a list, in groups that `&&` and `||` join."""
    found: list[list[s.JoinedPipeline]] = []
    for step in tree.steps:
        if step.joined_by == "" or not found:
            found.append([step])
        else:
            found[-1].append(step)
    return [tuple(chain) for chain in found]


def everything_joined(states: list[State]) -> State:
    found = states[0]
    for state in states[1:]:
        found = found.joined(state)
    return found


def joined_folders(left: tuple[str, ...] | None, right: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if left is None or right is None else tuple(dict.fromkeys((*left, *right)))


def may_abort(tree: s.List, text: str) -> bool:
    """Whether bash may give up a line, for example on arithmetic that fails, and go on with the next."""
    if any(sign in text for sign in MAY_ABORT):
        return True
    for node in commands_of(tree):
        if isinstance(node, s.Simple) and any(a.subscript is not None for a in node.assignments):
            return True
        if any(_calculates(word) for word in words_of(node)):
            return True
    return False


def _calculates(word: Word) -> bool:
    return any(isinstance(part, s.Arithmetic) or getattr(part, "offsets", ()) for part in parts_of(word))


def is_plain_cd(step: s.JoinedPipeline) -> bool:
    """`cd FOLDER` alone, with nothing around it that could keep it from running."""
    command = step.pipeline.commands[0]
    if len(step.pipeline.commands) != 1 or not isinstance(command, s.Simple) or step.pipeline.negated:
        return False
    words = [literal(word) for word in command.words]
    return (
        words[:1] == ["cd"]
        and len(words) == 2
        and None not in words
        and not command.redirects
        and not command.assignments
    )


def _only_says(step: s.JoinedPipeline) -> bool:
    """`echo …` or `printf …`, after which the next step certainly runs."""
    command = step.pipeline.commands[0]
    if step.joined_by or step.background or len(step.pipeline.commands) != 1 or not isinstance(command, s.Simple):
        return False
    says = bool(command.words) and literal(command.words[0]) in ("echo", "printf") and not command.assignments
    return says and not any(_calculates(word) for word in command.words)


def _last_after_words(group: s.Group) -> Command | None:
    """The last command of a group, where the others only print; else None."""
    last = group.body.steps[-1]
    plain = not (group.redirects or last.joined_by or last.background) and len(last.pipeline.commands) == 1
    only_says = all(_only_says(inner) for inner in group.body.steps[:-1])
    return last.pipeline.commands[0] if plain and only_says else None


def leaves(step: s.JoinedPipeline | None) -> bool:
    """`|| exit 1` or `|| { echo …; exit 1; }`, which certainly ends the shell."""
    if step is None or step.joined_by != "||" or len(step.pipeline.commands) != 1 or step.pipeline.negated:
        return False
    command: Command | None = step.pipeline.commands[0]
    if isinstance(command, s.Group):
        command = _last_after_words(command)
    if not isinstance(command, s.Simple) or command.redirects or command.assignments:
        return False
    words = [literal(word) for word in command.words]
    return words in (["exit"], ["exit", "1"], ["exit", "2"], ["exit", "0"])


def in_each_number(alternatives: list[Alternative]) -> list[Alternative]:
    if not alternatives[0] or not alternatives[0][0].splits:
        return alternatives
    return [made for alternative in alternatives for made in as_several(alternative)]


def as_several(alternative: Alternative) -> tuple[Alternative, ...]:
    """Numbers or hashes without quotes are no word, one or several; with three, each role of an operand is tried."""
    field = alternative[0] if len(alternative) == 1 else UNKNOWN
    one = EACH.get(field.first_hole) if field.first_hole is not None and len(field.segments) == 1 else None
    if one is None or not field.splits:
        return (alternative,)
    return tuple((Field((one,)),) * count for count in range(4))


def names_in(text: str) -> str:
    """The text with a blank for every character that cannot be part of a name or number."""
    return "".join(character if character in NAME else " " for character in text)


def _is_socket(text: str) -> bool:
    normal = os.path.normpath(text) if text.startswith("/") else text
    return normal.startswith(("/dev/tcp/", "/dev/udp/"))


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"
