"""Recovery and the gate read one and the same command: they agree on what only looks and on what is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.gate.effects.analysis import analyse
from perdure.gate.effects.anywhere import NOWHERE, analyse_anywhere
from perdure.gate.effects.finding import NOETIC
from perdure.gate.shell import syntax as s
from perdure.gate.shell.cursor import NotUnderstood
from perdure.gate.shell.outline import outline
from perdure.gate.shell.parse import parse
from perdure.recovery import checks, commands
from perdure.recovery.simple_commands import read
from tests.effort import for_each

from ..gate.table import sessions
from ..gate.test_table import CASES
from ..gate.worlds import world

LOOKS = [
    "ls",
    "git status",
    "git log --oneline -5 | head -3",
    "git stash list",
    "git diff HEAD~1 -- src/a.py",
    "git rebase --show-current-patch",
    "gh pr checks 12",
    # quoting
    "grep -rn 'a|b; rm -rf c' src",
    'grep -n "it\'s > here" README.md',
    "grep -n it\\'s\\ here a.txt",
    "echo $'one\\ntwo'",
    "cat 'my file.txt' \"other file.txt\"",
    'cat "$(git rev-parse --show-toplevel)/README.md"',
    "cat `git ls-files | head -1`",
    # pipes, lists, conditions
    "cat a.log | grep -v DEBUG | sort | uniq -c | sort -rn | head",
    "grep -q x a.txt && echo yes || echo no",
    "! grep -q x a.txt",
    "ls; pwd; date",
    "ls\npwd # and no more\n",
    "ls &",
    "time ls",
    "if [ -f a.txt ]; then cat a.txt; else echo none; fi",
    "if [[ -d src && ! -e out ]]; then ls src; fi",
    'for f in src/*.py; do wc -l "$f"; done',
    'while read -r line; do echo "$line"; done < a.txt',
    "case $1 in a) ls ;; *) pwd ;; esac",
    "(cd src && ls -la)",
    "{ ls; pwd; }",
    "diff <(sort a.txt) <(sort b.txt)",
    # here-documents and here-strings
    "cat <<'EOF'\nrm -rf / > a.txt\nEOF",
    "cat <<-EOF\n\trm b\n\tEOF",
    "wc -w <<< 'rm a b'",
    # what stands before a program
    "LC_ALL=C sort a.txt",
    "env A=1 grep x a.txt",
    "command ls",
    "timeout 5 cat a.txt",
    "nice -n 5 grep -r x .",
    # shells within shells
    "bash -c 'ls | head'",
    "sh -c \"grep -n 'x' a.txt\"",
    "ssh host ls",
    # output that goes nowhere, or to scratch
    "ls > /dev/null 2>&1",
    "git diff > /tmp/a.patch",
    "grep -c x a.txt 2>/dev/null",
    # text tools that could write, and do not
    "sed -n '1,5p' a.txt",
    "sed 's/a/b/' a.txt",
    "awk '{ print $1 }' a.txt",
    "find . -name '*.py' -newer a.txt",
    "perl -v",
    "tee < a.txt",
    # other languages' tools and paths
    "go vet ./...",
    "ruff check .",
    "npx --version",
    "jq '.scripts' package.json",
    "cat src/main/java/org/shop/Cart.java crates/core/src/lib.rs web/src/[id]/page.tsx",
    "cat 'src/Größe/カート.py'",
    # Windows
    "cat C:/work/src/Cart.cs",
    "cat 'C:\\work\\src\\Cart.cs'",
    "type C:\\work\\src\\Cart.cs",
    "ls /c/work/src",
    # nothing
    "",
    "# only a remark",
    "true",
    "x=1",
]
CHANGES = [
    "rm a.txt",
    "git commit -m 'only looks'",
    "git stash",
    "git fetch",
    "git branch -D topic",
    "git rebase --edit-todo",
    "gh pr merge 12",
    "pytest -q",
    "npm test",
    "make",
    # quoting
    "r'm' a.txt",
    '"rm" a.txt',
    "\\rm a.txt",
    "ls 'a' > 'my file.txt'",
    'echo "$(rm a.txt)"',
    "echo `touch a.txt`",
    # pipes, lists, conditions
    "cat a.txt | tee b.txt",
    "ls | xargs rm",
    "ls; rm a.txt",
    "ls\nrm a.txt",
    "ls && rm a.txt",
    "ls || touch a.txt",
    "rm a.txt &",
    "if true; then rm a.txt; fi",
    'for f in *.py; do rm "$f"; done',
    "while true; do make; done",
    "case $1 in a) rm b ;; esac",
    "(cd src && touch a.txt)",
    "{ ls; rm a; }",
    "f() { rm a.txt; }; f",
    "diff <(sort a.txt) <(tee b.txt < c.txt)",
    # here-documents
    "cat > a.txt <<'EOF'\nls\nEOF",
    "cat >> a.txt <<EOF\nls\nEOF",
    "cat <<EOF\n$(rm a.txt)\nEOF",
    "python3 - <<'PY'\nopen('a.txt', 'w')\nPY",
    "bash <<'EOF'\nls\nEOF",
    # what stands before a program
    "FOO=1 make",
    "LD_PRELOAD=./x.so ls",
    "env A=1 rm a.txt",
    "timeout 5 make",
    "sudo ls",
    "nohup make &",
    # shells within shells
    "bash -c 'rm a.txt'",
    'bash -lc "cd web && npm test"',
    "ssh host rm a.txt",
    # output
    "ls > a.txt",
    "ls >> a.txt",
    "ls &> a.txt",
    "ls 2> a.txt",
    "ls >| a.txt",
    "echo x > ~/a.txt",
    # text tools that write
    "sed -i 's/a/b/' a.txt",
    "sed -n 'w b.txt' a.txt",
    "awk '{ print > \"b.txt\" }' a.txt",
    "find . -name '*.pyc' -delete",
    "find . -exec rm {} +",
    "perl -pi -e 's/a/b/' a.txt",
    "sort -o a.txt a.txt",
    # other languages
    "ruff check --fix .",
    "go generate ./...",
    "node -e 'process.exit()'",
    # Windows
    "del C:\\work\\src\\Cart.cs",
    "Remove-Item C:/work/src/Cart.cs",
    "echo x > C:/work/src/Cart.cs",
    # what nobody can read
    "echo 'a quote that is not closed",
    "cat <<EOF\na document without an end",
    "ls *(.)",
    "ls \x07",
    "$EDITOR a.txt",
]


@for_each("command", LOOKS)
def test_what_only_looks_does_so_for_both(command: str) -> None:
    assert analyse(command, world()).effect == NOETIC
    assert commands.only_looks(command)


@for_each("command", CHANGES)
def test_what_may_change_something_does_so_for_both(command: str) -> None:
    assert analyse(command, world()).effect != NOETIC
    assert not commands.only_looks(command)


def test_both_agree_on_every_command_of_the_gates_own_tables() -> None:
    """A disk that is not there changes nothing of what only looks. Only `sqlite3` is judged by what lies there: its
    database may hold views that write, and a brief, which only ranks, takes a plain query for a look."""
    several = [*(command for _, command, _ in CASES), *sessions.COMMANDS]
    several = [command for command in several if not command.startswith("sqlite3 ")]
    assert len(several) > 3000
    assert [each for each in several if commands.only_looks(each) != (analyse(each, world()).effect == NOETIC)] == []


@for_each(
    ("command", "written"),
    [
        ("echo x > a.py", {"a.py"}),
        ("echo x > 'my file.py'", {"my file.py"}),
        ("cat > src/a.py <<'EOF'\nopen('b.py')\nEOF", {"src/a.py"}),
        ("cat a.py | tee -a ./b.py", {"b.py"}),
        ("sed -i.bak -e s/a/b/ src/a.py b.py", {"src/a.py", "b.py"}),
        ("perl -pi -e 's/a/b/' a.py", {"a.py"}),
        ("cp a.py b.py", {"b.py"}),
        ("mv a.py b.py", {"a.py", "b.py"}),
        ("rm a.py", {"a.py"}),
        ("touch /work/shop/a.py", {"/work/shop/a.py"}),
        ("echo x > ~/a.py", {"~/a.py"}),
        ("sort -o a.txt b.txt", {"a.txt"}),
        ("grep '> a.py' b.py", set()),
        ("cat a.py 2>/dev/null", set()),
        ("git log --format='%h > %s' a.py", set()),
    ],
)
def test_a_file_is_written_where_the_gate_says_so(command: str, written: set[str]) -> None:
    found = {path for each in commands.simple_commands(command) for path in commands.written_by(each)}
    files = {path for path in found if path.endswith((".py", ".txt"))}
    assert files == written
    told = {path.removeprefix(NOWHERE + "/") for path in analyse_anywhere(command).written}
    assert told <= found


# -- one parser ------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "a.py",
        "-q",
        "'one two'",
        '"$x"',
        "it\\'s",
        "$(git log)",
        "'a; b'",
        '"a | b"',
        "--only=x",
        "src/*.ts",
        "C:/w/a.cs",
    ]
)
PROGRAMS = st.sampled_from(["make", "pytest", "git status", "ls", "npm test", "A=1 go test", "wc < a.txt", "grep x"])
SIMPLE = st.builds(lambda program, words: " ".join([program, *words]), PROGRAMS, st.lists(WORDS, max_size=3))
JOINTS = st.sampled_from([" && ", " || ", "; ", " | ", "\n", " & ", " \\\n && ", " # a remark\n", " |\n"])
AROUND = st.sampled_from(["{}", "({})", "{{ {}; }}", "if {}; then true; fi", "for f in a b; do {}; done"])


@st.composite
def several(draw: st.DrawFn) -> tuple[list[str], str]:
    parts = draw(st.lists(SIMPLE, min_size=1, max_size=5))
    text = parts[0]
    for part in parts[1:]:
        text += draw(JOINTS) + part
    return parts, text


@given(several())
def test_the_simple_commands_of_a_list_are_those_that_it_was_made_of(made: tuple[list[str], str]) -> None:
    parts, text = made
    alone = [read(part).simple[0].words for part in parts]
    assert [each.words for each in read(text).simple] == alone


@given(several(), AROUND)
def test_what_stands_around_a_command_does_not_hide_it(made: tuple[list[str], str], around: str) -> None:
    parts, text = made
    if " & " in text or "#" in text:  # these need a line of their own
        return
    found = [each.words for each in read(around.format(text)).simple]
    assert all(read(part).simple[0].words in found for part in parts)


@given(several())
def test_a_command_in_one_line_is_the_same_command(made: tuple[list[str], str]) -> None:
    """But for the filters at its end, which are left out."""
    _, text = made
    line = commands.as_shown(text)
    assert "\n" not in line
    whole, shown = ([each.words for each in read(each).simple] for each in (text, line))
    assert shown == whole[: len(shown)]
    assert all(words[0] in ("grep", "wc") for words in whole[len(shown) :])
    assert commands.as_shown(line) == line


def plain(node: object) -> object:
    """A tree as tuples, which can be compared: a here-document's body cannot."""
    if isinstance(node, tuple):
        return tuple(map(plain, node))
    if isinstance(node, s.Body):
        return plain(node.word)
    if isinstance(node, str | bool | int | None):
        return node
    return type(node).__name__, *(plain(held) for _, held in sorted(vars(node).items()))


DOCUMENT = st.sampled_from(["cat <<E\n$x\nE\nls", "cat <<-'E' > a; ls\n\tb\n\tE", "a <<A <<B\n1\nA\n2\nB\n"])


@given(DOCUMENT | several().map(lambda made: made[1]) | st.text(alphabet="ab '\"\\$`(){};&|<>#\n=-EOF", max_size=60))
def test_the_outline_has_the_parsers_own_tree(text: str) -> None:
    try:
        tree = parse(text)
    except NotUnderstood:
        with pytest.raises(NotUnderstood):
            outline(text)
    else:
        assert plain(outline(text).tree) == plain(tree)


@given(st.text(max_size=200) | st.text(alphabet="ab '\"\\$`(){};&|<>#\n\r=-EOF", max_size=80))
def test_any_text_is_read_and_every_simple_command_has_a_program(text: str) -> None:
    assert all(each.words and each.text for each in read(text).simple)
    assert "\n" not in commands.as_shown(text)
    for asked in (commands.repeatable, commands.failure_name, commands.hides_exit_code, commands.hides_outcome):
        asked(text)
    checks.left_of(checks.needed_by(text), checks.made_by(text))
    assert commands.only_looks(text) == (analyse_anywhere(text).effect == NOETIC)


# -- what only the fallback can read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ls *(.) && make test", [("ls", "*(."), ("make", "test")]),
        ("make test; echo 'not closed; rm a", [("make", "test"), ("echo",)]),
        ("cat > a <<EOF\nmake\nnever ended", [("cat",)]),
        ("cd web; select x in a; do npm test; done", [("npm", "test")]),
        ("make test\x07 && npm test", [("make", "test\x07"), ("npm", "test")]),
    ],
)
def test_what_the_parser_refuses_is_split_where_a_command_ends(command: str, words: list[tuple[str, ...]]) -> None:
    with pytest.raises(NotUnderstood):
        parse(command)
    assert [each.words for each in commands.simple_commands(command)] == words
    assert commands.hides_exit_code(command), "nobody knows whose exit code it is"
    assert not commands.only_looks(command)


def test_lines_that_end_as_on_windows_are_read() -> None:
    assert [each.words for each in read("cd web\r\nnpm test\r\n").simple] == [("npm", "test")]
    assert commands.as_shown("npm run lint\r\nnpm test\r\n") == "npm run lint; npm test"
