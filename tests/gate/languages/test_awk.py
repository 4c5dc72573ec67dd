"""What an awk program writes or runs, by POSIX and the manuals, by attack, and against the real programs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.gate.languages import ScriptEffects
from perdure.gate.languages.awk import read
from tests.effort import for_each, tries

from .running import created, programs

HARMLESS = r"""
{print $1}
{print $2}
NR==1{print} NR>10 && NR<20
/re/{c++} END{print c}
!seen[$0]++
{a[$1]+=$2} END{for(k in a) printf "%s %d\n", k, a[k]}
{$1=$1};1
length($0)>80
/x/ && $2>3 {print FILENAME":"FNR": "$0}
BEGIN{RS="";FS="\n"}{print $1}
{gsub(/"/,"");print}
function f(x){return x*2}{print f($1)}
$3 > 5
{ if ($1 > 2) print $1 }
{print ($1 > 2)}
{print($1>2, 3)}
{print a[$1 > 2], $(1 > 0)}
{print ($1 > 2) ? "a" : "b"}
{print $1 >= 5 ? "y" : "n"}
{printf("%s\n", $1 > 5 ? "a" : "b")}
{print; x = $1 > 2}
{print } $1 > 2
/start/{flag=1;next}/end/{flag=0}flag
/a/,/b/
/a/&&!/b/||/c/
NR==FNR{a[$1];next} $1 in a
NR%2==0
{print $1/$2, $NF/2, (a+b)/2, a[1]/2, length($0)/2, 3/4}
{sum/=NR; x = a / b / c}
{print $3/1024/1024"M"}
$1 ~ /=/
{n=split($0,a,/[/:]/)}
{sub(/[^/]*$/,"")}
{gsub(/[][]/,""); gsub(/[\[\]]/,""); sub(/[[:space:]/]+/,"")}
/\//{print "/"}
{print "> \"f\" | system"}
{print "a" > "/dev/stderr"}
{print > "/dev/stdout"}
BEGIN { while ((getline line < "in") > 0) n++; print n }
BEGIN { getline; getline x; getline < "in"; getline y < ARGV[1]; close("in"); fflush() }
{ print length }
match($0, /x([0-9]+)/, m) { print m[1] }
BEGINFILE { nextfile } ENDFILE { delete a }
BEGIN { ARGV[1] = "x"; ENVIRON["A"] = 1; exit 1 }
{ print -$1, !$2, $1^2, $1**2, 1e3, .5, 0x1F, 5. }
{ x = y ? /a/ : /b/ }
{ return /x/ }
{ print a ~ b, "c" !~ /d/ }
{ $2 = ""; print substr($0, 2) }
{ printf "%5.2f%%\n", 100 * $1 / $2 }
{ switch ($1) { case 1: print; default: next } }
{ do i++; while (i < 3) }
"""
CLEAN = HARMLESS.strip("\n").split("\n")
CLEAN += ["", "\n", "{ a = 1 \\\n + 2 }", "{\nprint\n}\n", '{ print "x" # > "f"\n}', "# it's \"\n{print}"]
CLEAN += ["$1 ~ /a/ &&\n/b/", "{ if (x)\nprint\nelse\nprint 2 }", "{print}\n$1 > 2"]
CLEAN += ["function f(a,\n b) {\n return a / b }\n/x/ { f(1, 2) }"]
CLEAN += ['BEGIN { x = "\\\\"; y = "\\"|" }', "/[[]/", "/[^]]/ && /\\[/", "/a\\\\/", '{ print "é" } # é', "/é/"]


@for_each("program", CLEAN)
def test_what_only_reads_is_clean(program: str) -> None:
    assert read(program) == ScriptEffects((), "")


WRITES = {
    '{print > "out"}': ["out"],
    '{print>"out"}': ["out"],
    '{print $1, $2 >> "out"}': ["out"],
    '{printf "%s", $1 > "out"; print}': ["out"],
    '{printf("%s\\n", x) > "out"}': ["out"],
    '{print(1)(2) > "out"}': ["out"],
    '{print (1, 2) > "out"}': ["out"],
    '{print a, (b > c) > "out"}': ["out"],
    '{print a[b > c] > "out"}': ["out"],
    '{print "x" > "/dev/stderr"; print > "out" }': ["out"],
    '{print > "a"; print > "b"\nprint > "c" }': ["a", "b", "c"],
    '{print "x",\n"y" > "out"}': ["out"],
    '{print "x" &&\n1 > "out"}': ["out"],
    '{print 1 in\na > "out"}': ["out"],
    '{print 1 ?\n2 :\n3 > "out"}': ["out"],
    '{print \\\n > \\\n "out"}': ["out"],
    '{print > "out" # comment\n}': ["out"],
    '{if (x) print > "out"; else print}': ["out"],
    '{if (x > 1) print > "out"\nelse print}': ["out"],
    'BEGIN{for(print "x" > "out";0;);}': ["out"],
    'BEGIN{for(;i<1;print "x" > "out")i++}': ["out"],
    'BEGIN{do print > "out"; while(0)}': ["out"],
    'BEGIN{print getline < "in" > "out"}': ["out"],
    'BEGIN{print /"/ > "out" #"\n}': ["out"],
    '/"/{print > "out"} #"': ["out"],
    '/[/"]/{print > "out"} #"': ["out"],
    '/[[]/{print > "out"} #]/': ["out"],
    '/\\[/{print > "out"} #]/': ["out"],
    '{}/"/{print > "out"} #"': ["out"],
    '{x = a/2;print > "out" #/\n}': ["out"],
    '{x = (a)/2;print > "out" #/\n}': ["out"],
    'x\n/"/{print > "out"} #"': ["out"],
    'function f(x){print > "out"}{f(1)}': ["out"],
    'BEGIN{print "x" > "-"}': ["-"],  # gawk and the BSD awk make a file of this name
    'BEGIN{print "x" > "/dev/null"}': ["/dev/null"],
    'BEGIN{print "x" > "/dev/fd/3"}': ["/dev/fd/3"],
}


@for_each(("program", "names"), WRITES.items())
def test_what_is_written_is_named(program: str, names: list[str]) -> None:
    assert read(program) == ScriptEffects(tuple(names), "")


RUNS = {
    "{system($0)}": "awk's system runs a program",
    'BEGIN{system ("ls")}': "awk's system runs a program",
    'BEGIN{x=awk::system("ls")}': "awk's system runs a program",
    '{print | "cat"}': "awk pipes into or from a command",
    '{print|"cat"}': "awk pipes into or from a command",
    '{print |& "x"}': "awk pipes into or from a command",
    '"cmd" | getline': "awk pipes into or from a command",
    "{cmd | getline x}": "awk pipes into or from a command",
    '{print "/"; "date" | getline d; print "/"}': "awk pipes into or from a command",
    '@load "filefuncs"': "awk's @ loads or calls what is not seen here",
    '@include "x"': "awk's @ loads or calls what is not seen here",
    "{f = $1; @f()}": "awk's @ loads or calls what is not seen here",
    '@namespace "x"': "awk's @ loads or calls what is not seen here",
    'BEGIN{extension("./x.so", "f")}': "awk's extension loads a library",
    'BEGIN{getline < "/inet/tcp/0/x/80"}': "awk reaches the network",
    'BEGIN{print "x" > "/inet/tcp/0/x/80"}': "awk reaches the network",
    'BEGIN{print "x" > "/dev/tcp/x/80"}': "awk reaches the network",
}


@for_each(("program", "trouble"), RUNS.items())
def test_what_runs_or_reaches_something_is_trouble(program: str, trouble: str) -> None:
    assert read(program).trouble == trouble


NOT_LITERAL = [
    *(
        "{print > $1}",
        '{print > FILENAME ".out"}',
        "{print > f}",
        '{print > "a" "b"}',
        '{print > "a" x}',
        "{print > 5}",
    ),
    *(
        '{print > ("a")}',
        "{print a > b ? c : d}",
        '{print > "a" > "b"}',
        '{print > "\\x61"}',
        '{print > ""}',
        "{print >}",
    ),
    *('{print > "a", "b"}', '{print > "/dev/stdout" ".x"}', '{print > "a" / 2}', "{print > /x/}", '{print >\n"a"}'),
    *("{print $1 > 2}", '{print >> "a" $1}', "{print length > 5}", '{print >> a["x"]}', '{print > "a" == "b"}'),
]


@for_each("program", NOT_LITERAL)
def test_a_target_that_is_not_one_string_is_trouble(program: str) -> None:
    assert read(program) == ScriptEffects((), "a target that is not a literal")


AMBIGUOUS = [
    *('{if(1)/"/;print > "out" #"\n}', '{if\n(1)/"/;print > "out" #"\n}', '{if(1)\n/"/;print > "out" #"\n}'),
    *('{while(0)/"/;print > "out" #"\n}', '{for(k in a)/"/;print > "out" #"\n}', '{x++/"/;print > "out" #"\n}'),
    *('{x=length/"/;print > "out" #"\n}', '{x = a //"/;print > "out" #"\n}', '{$/"/;print > "out" #"\n}'),
    *('{getline/"/;print > "out" #"\n}', '{x=(1\n/"/);print > "out" #"\n}', '{/a//"/;print > "out" #"\n}'),
    *('{case /"/;print > "out" #"\n}', '{else/"/;print > "out" #"\n}', '{else\n/"/;print > "out" #"\n}'),
    *('{next /"/;print > "out" #"\n}', '{and /"/;print > "out" #"\n}', '/[\\]/{print > "out"} #]/'),
    *(
        '/[]/{print > "out"} #]/',
        '/[^]/{print > "out"} #]/',
        '/[[/]/{print > "out"} #]/',
        '/[[.]/{print > "out"} #.]]/',
    ),
    *('#\\\nBEGIN{print > "out"}', 'BEGIN{x="a\\\nb"}', 'BEGIN{x="a\nb"}', "/a\nb/", "/a", '{print "a}', "/[a/"),
    *("{", "}", "{print (1}", "{print 1)}", "(", "a]", "{[}", "`", "{a & b}", "{a \\ b}", "{print}\r\n", "\0", "{a.b}"),
    *(
        'é == "x"',
        "{x = 1system}",
        '{x = 1e; print > "out"}',
        "{x = 1..2}",
        "{print 'a'}",
        'a >> "b"',
        '{(print > "a"}',
    ),
]


@for_each("program", AMBIGUOUS)
def test_what_awks_read_differently_or_no_awk_reads_is_trouble(program: str) -> None:
    assert read(program).trouble


@pytest.mark.parametrize(
    "unit", ["{", "(", "/", "/[", '"', "\\", "a/", "1", "1.", "[[:a", "print\n", "x\n", "#\n", "\\\n"]
)
def test_time_grows_with_length_only(unit: str) -> None:
    started = time.process_time()
    read(unit * 100_000)
    read("/" + unit * 100_000)
    read('{print > "' + unit * 100_000)
    assert time.process_time() - started < 5


LEAVES = ["a", "$1", "NF", "1", "2.5", '"s"', '"/"', '"\\""', '"> \\"q\\""', '"#"', "c[1]", "f(1)", "length($0)"]
REGEXES = ["/r/", '/"/', "/#/", "/\\//", "/[/]/", "/[^/]/", "/[[]/", "/[\\/]/", "/=/", "/>/", "/{/", "/[[:alpha:]]/"]
LEAF = st.sampled_from(LEAVES)
REGEX = st.sampled_from(REGEXES)
OPERATOR = st.sampled_from(["/", " / ", "/", "+", "-", "*", " ", "==", "<=", "&&", "||", " ~ ", "&&\n", "/\\\n"])
EXPRESSION = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        st.builds("{}{}{}".format, inner, OPERATOR, inner),
        st.builds("({} > {})".format, inner, inner),
        st.builds("({})/{}".format, inner, inner),
        st.builds("({} ~ {})".format, inner, REGEX),
        st.builds("gsub({}, {})".format, REGEX, inner),
        st.builds("(!{})".format, REGEX),
        st.builds("({} ? {} : {})".format, inner, REGEX, inner),
        st.builds("c[{}]".format, inner),
    ),
    max_leaves=5,
)
SIMPLE = st.one_of(
    st.builds("x = {}".format, EXPRESSION),
    st.builds("print {}".format, EXPRESSION),
    st.builds("print {},\n{}".format, EXPRESSION, EXPRESSION),
    st.builds('printf("%s", {})'.format, EXPRESSION),
    st.builds("if ({}) x = {}".format, EXPRESSION, EXPRESSION),
    st.sampled_from(["print", "next", '# print > "q"\n', "# /\n", "delete c", 'getline y < "in"', "x += 1"]),
)
SEPARATOR = st.sampled_from([";", "\n", " ; "])
BODY = st.builds(lambda sep, statements: sep.join(statements), SEPARATOR, st.lists(SIMPLE, min_size=1, max_size=3))
PATTERN = st.sampled_from(["BEGIN", "END", "", "NR > 1"]) | REGEX | st.builds("{},{}".format, REGEX, REGEX)
RULES = st.lists(st.builds("{}{{{}}}".format, PATTERN, BODY), max_size=2).map("\n".join)
TARGET = st.sampled_from([' > "out"', '>"out"', ' >> "out"', '\\\n>\t"out"'])
PRINTED = st.sampled_from(["print", 'print "x"', 'printf("x")', "print (1)(2)"]) | st.builds(
    "print {}".format, EXPRESSION
)
DEFINITION = "\nfunction f(x) { return x }"


@given(RULES)
def test_a_program_without_writes_is_clean(rules: str) -> None:
    assert read(rules + DEFINITION) == ScriptEffects((), "")


@given(RULES, PATTERN, BODY, PRINTED, TARGET, BODY, RULES)
def test_a_write_is_found_wherever_it_stands(
    before: str, pattern: str, start: str, printed: str, target: str, end: str, after: str
) -> None:
    program = f"{before}\n{pattern}{{{start};{printed}{target}\n{end}}}\n{after}"
    assert read(program + DEFINITION) == ScriptEffects(("out",), "")


@given(RULES, BODY, st.sampled_from(['system("x")', '"x" | getline', 'print | "x"', "print |& x", "@f(1)"]), BODY)
def test_a_program_that_is_run_is_found_wherever_it_stands(before: str, start: str, runs: str, end: str) -> None:
    assert read(f"{before}\n{{{start};{runs}\n{end}}}").trouble


@given(st.text(alphabet='ab1/"\\[]{}()>|;,\n #!~$+-.=^:@?', max_size=40) | st.text(max_size=40))
def test_no_text_raises(program: str) -> None:
    read(program)


ATOMS = r"""
a b $1 "x" "\"" "\\" 1 / / / " \ ; ; { } ( ) ( ) [ ] /re/ /"/ /[/]/ /[[]/ /[]/]/
/[[:alpha:]/]/ /\//
/[\]/ /[\]]/ /\[/ # #/ print printf > >"out" >>"out" >= < in if if(1) while(0) else do
getline length ++ -- + - ! ~ , && || ? : = /=
BEGIN END BEGIN{ END{ function return case exit delete . e 0x [ ^ [: \/
"""
SOUP = st.lists(
    st.sampled_from(
        [*ATOMS.split(), "\n", "\n", "\\\n", " ", "print ", 'print > "out";', '{print > "out"}', '# "', "x "]
    ),
    max_size=7,
).map("".join)
MIXED = st.one_of(
    st.builds("BEGIN{{{}}}".format, SOUP),
    st.builds('{}{{{};print > "out"}}'.format, SOUP, SOUP),
    st.builds("BEGIN{{x = {}{}{};{}}}".format, EXPRESSION, SOUP, EXPRESSION, SOUP),
    st.builds("{}\n{{{};{}{}\n{}}}".format, RULES, BODY, PRINTED, SOUP, BODY),
    SOUP,
)


@pytest.mark.parametrize(
    "command",
    programs("gawk --", "gawk --posix --", "gawk --traditional --", "mawk --", "busybox awk --", "original-awk --"),
)
@tries(300, deadline=None)
@given(program=MIXED)
def test_real_awks_write_nothing_that_was_not_named(command: list[str], program: str) -> None:
    reading = read(program)
    if not reading.trouble:
        assert created(command, program) <= set(reading.written)


@pytest.mark.parametrize("command", programs("gawk --", "mawk --", "busybox awk --", "original-awk --"))
def test_the_tables_are_what_awks_do(command: list[str]) -> None:
    for program in [*WRITES, *CLEAN]:
        assert created(command, program) <= set(read(program).written), program
