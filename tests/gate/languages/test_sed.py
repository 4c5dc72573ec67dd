"""What a sed script writes or runs, by the manuals of GNU and BSD sed, by attack, and against the real programs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.gate.languages import ScriptEffects
from perdure.gate.languages.sed import read
from tests.effort import for_each, tries

from .running import created, programs

HARMLESS = r"""
1,20p
s/foo/bar/g
/start/,/end/p
$!N;P;D
/^$/d;s/^ *//
s|/a/b|c|
5q
$d
$ d
$=
1d;$d
10,20p;20q
1!G;h;$!d
0~3d
1~2{N;s/\n/ /}
2,~4p
/x/,+3d
0,/x/s//y/
/a/I,/b/Md
/a/,/b/{//!p}
/a/,/b/ !{ s/x/y/ ; p }
/x/{n;d}
/x/{n;d;};p
{p};p
{}
\,a/b,p
\|a\|b|d
s/[/]/x/
s/[^/]*$//
s/[]/]/x/
s/[^]/]//
s/[\/]/x/
s/[]\/$*.^[]/\\&/g
s/[.[\*^$]/\\&/g
s/[[:space:]]*$//
s/\[[0-9;]*m//g
s/a\/b/c/2gpI;p
s,a\,b,X,
s/a/b/ ; p # w out
s#a#b#;s;a;b;;p
s/w out/e/
s/a/w out/
/w out/p
y/abc/xyz/;p
y/a\/b/xyz/
:a;N;$!ba;s/\n/ /g
:a;s/^\(\s*\)x/\1y/;ta;p
/x/{:a;n;ba}
: loop
b;p
b end;p;: end
/x/b
/x/!{$!d}
a foo
a foo; w out
$a\
1i\  foo }
1i\foo
l 5;q5
l;L 3;Q
=;F;z;x
v 4.2
r a;w b
/x/r file.txt
R in
0r in
w /dev/stdout
s/a/b/w /dev/stderr
# w out
#n
p # w out
n;N;D;g;G;h;H;P;x
""".strip("\n")

CLEAN = HARMLESS.split("\n")
CLEAN += ["", "\n\n", " ; ;\n", "s/x/\\\nw out/", "a\\\nw out", "a\\\nfoo\\\nw out\np", "a foo\\\nw out"]
CLEAN += ["1i\\\n  w out\n$p", "/x/{\ni\\\ne\n}", ":a\nN\nba"]


@for_each("script", CLEAN)
def test_what_only_reads_is_clean(script: str) -> None:
    assert read(script) == ScriptEffects((), "")


WRITES = {
    "w out": ["out"],
    "wout": ["out"],
    "w  out.txt": ["out.txt"],
    "w out;p": ["out;p"],
    "w out }": ["out }"],
    "w out # no comment": ["out # no comment"],
    "/x/w out": ["out"],
    "1,3!w out": ["out"],
    "W out": ["out"],
    "s/a/b/w out": ["out"],
    "s/a/b/gpw out": ["out"],
    "s/a/b/2 g w out": ["out"],
    "s|a|b|w /tmp/x": ["/tmp/x"],
    "s/[/]/x/w out": ["out"],
    "w a\nw b": ["a", "b"],
    "{p;w out\n}": ["out"],
    "a foo\nw out": ["out"],
    "a\\\nfoo\nw out": ["out"],
    "a foo\\\\\nw out": ["out"],
    "r x\nw out": ["out"],
    "# c\nw out": ["out"],
    "s/a/b\\/;p/w out": ["out"],
    "b end;w out": ["out"],
    ":a;w out": ["out"],
    ":a b;w out": ["out"],
    ":a}w out": None,
    "b\nw out": ["out"],
    "y/[/]/;w out/\nw out": None,
    "$!{s/x/y/;w out\n}": ["out"],
    "w /dev/stdout\nw out": ["out"],
    "\\,x,w out": ["out"],
    "/[/]/w out": ["out"],
    "/[^]/]/w out": ["out"],
    "w /dev/stdout ": ["/dev/stdout "],
}


@for_each(("script", "names"), WRITES.items())
def test_what_is_written_is_named(script: str, names: list[str] | None) -> None:
    """`None`: no name, but trouble."""
    reading = read(script)
    if names is None:
        assert reading.trouble
    else:
        assert reading == ScriptEffects(tuple(names), "")


TROUBLE = [
    *("e", "e ls", "1e", "1,3!e ls", "{e\n}", "p;e", "s/a/b/e", "s/a/b/gpe", "s/a/b/ e", "s/a/b/Ie", "s/[/]/x/e"),
    *("a foo\ne ls", "r x\ne", "#\ne", "b;e", ":a;e ls", "s/a/\\/;p/e", "/x/,/y/e ls", "}", "{p", "{p}}", "p}"),
    *("k", "1", "1,", "1,p", ",1p", "p p", "pp", "{p}p", "1p2w out", "s/a/b", "s/a", "s/a/b/x", "s/a/b/}}", "y/a/b/p"),
    *("y/a", "w", "w ", "r", "/x", "/[/p", "s/[a/b/", "1!!p", "s\na\nb\n", "s\\a\\b\\", "sxaxbx", "s a b ", "1#", "1}"),
    *("a", "a\nw out", "a\\ \nw out", "a\\\\\nw out", "a\\\\\\\\\nw out", "p\r", "p\0", "/a\nb/p", "s/a/b\n/", "1~p"),
    *("r a\\\nw out", "# c \\\nw out", ":a\\\nw out", "w a\\\nw out", "b\\\nw out", "p \\\nw out", "\\", "\\\n", "+1p"),
    *(
        ":x;a\\\nw out",
        ":x;s/a/\\\nw out\n/",
        "b x;i\\\nw out",
        "s/[[:alpha:]/]/w/",
        "s/[[.a.]]/x/",
        "v\x0b;e",
        "w\x0bx",
    ),
    *("#" + "x" * 2047 + "w out", "s/" + "x" * 2045 + "/w out/", "é", "sébéaé"),
]


@for_each("script", TROUBLE, ids=lambda script: script[:20])
def test_what_runs_something_or_is_not_understood_is_trouble(script: str) -> None:
    assert read(script).trouble


def test_trouble_says_what_was_seen() -> None:
    assert read("1,3e ls").trouble == "sed's e command runs a program"
    assert read("s/a/b/ge").trouble == "sed's s///e runs a program"
    assert read("p;}").trouble == "not understood: unexpected `}`"
    assert read("w a\n}") == ScriptEffects(("a",), "not understood: unexpected `}`")


@pytest.mark.parametrize(
    "unit", ["{", "p;", "s/[/]/x/;", "/[", "\\", "a\\\n", ":a;p\n", "[", "1,", "#\n", "y/[/", "b\n"]
)
def test_time_grows_with_length_only(unit: str) -> None:
    started = time.process_time()
    read(unit * 100_000)
    read("s/" + unit * 100_000)
    assert time.process_time() - started < 5


ADDRESS = st.sampled_from(["", "1", "$", "/x/", "1,3", "/a/,/b/I", r"\,x/,", "1~2", "/[/]/,+2", "2!", "$ !", "/;w q/"])
ONE = st.sampled_from(["p", "d", "=", "n;N", "s/a/b/", "s|[|]|;|g", "y/ab/xy/", "l 3", "x", "s/w q/e/", r"s/\//}/I"])
TO_THE_LINE_END = st.sampled_from(["r x;w q", "a e }", "i\\\nw q", "c\\\nx\\\nw q", "# w q", "b", ":a", "ba", "bb;p"])
LINE_OF_COMMANDS = st.builds(
    lambda ones, last: ";".join([*ones, last]), st.lists(ONE, max_size=3), TO_THE_LINE_END | ONE
)
BLOCK = st.builds("{}{{\n{}\n}}".format, ADDRESS, LINE_OF_COMMANDS)
LINE = st.builds("{}{}".format, ADDRESS, ONE) | LINE_OF_COMMANDS | BLOCK
LINES = st.lists(LINE, max_size=4)
HIDDEN = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "p;", "s/[/]/;/;", "y/a/b/ ; ", ":x;", "b x;", "{}; "]),
    ADDRESS,
    st.sampled_from(["w out", "W out", "s/x/y/w out", "s,[,],x,gpw out", "s/a/b\\/;/w out"]),
)


@given(LINES)
def test_a_script_without_writes_is_clean(lines: list[str]) -> None:
    assert read("\n".join(lines)) == ScriptEffects((), "")


@given(LINES, HIDDEN, LINES)
def test_a_write_is_found_wherever_it_stands(before: list[str], hidden: str, after: list[str]) -> None:
    assert read("\n".join([*before, hidden, *after])) == ScriptEffects(("out",), "")


@given(LINES, ADDRESS, st.sampled_from(["e", "e ls", "s/a/b/e", "s/a/b/ge", "s|a|b|pe"]), LINES)
def test_a_program_that_is_run_is_found_wherever_it_stands(
    before: list[str], address: str, runs: str, after: list[str]
) -> None:
    assert "runs a program" in read("\n".join([*before, address + runs, *after])).trouble


@given(st.text(alphabet="spwdeayb:{}[]/\\;,\n #!1$~+.=^IM|\t", max_size=40) | st.text(max_size=40))
def test_no_text_raises(script: str) -> None:
    read(script)


ATOMS = r"""
p d s y / / , 1 $ 2 + ~ ! { } { } ; a a\ i\ b ba :a :a; t T w W r R x e s/a/b/ s/[/]/ s/[[:a:]/]/ [ [^ []
[^] [[:alpha:]] [: [. .] ] \ \\ \/ \n # n N q q5 l = g | s|a| s, \, I M v z F y/ab/ m 0~2 0,/x/ &
;:a; ;b; s/a/b/w
"""
SOUP = st.lists(
    st.sampled_from([*ATOMS.split(), "\n", "\n", " ", "\\\n", "a\\\n", "w out", "\nw out\n", ";w out\n", "W out"]),
    max_size=9,
).map("".join)


@pytest.mark.parametrize("command", programs("sed -e", "sed --posix -e", "sed -nE -e", "busybox sed -e"))
@tries(400, deadline=None)
@given(script=SOUP | st.builds(lambda lines, end: "\n".join([*lines, end]), LINES, SOUP))
def test_real_seds_write_nothing_that_was_not_named(command: list[str], script: str) -> None:
    reading = read(script)
    if not reading.trouble:
        assert created(command, script) <= set(reading.written)


@pytest.mark.parametrize("command", programs("sed -e", "busybox sed -e"))
def test_the_tables_are_what_seds_do(command: list[str]) -> None:
    for script in [*WRITES, *CLEAN]:
        if "/tmp/" not in script and not read(script).trouble:
            assert created(command, script) <= set(read(script).written), script
