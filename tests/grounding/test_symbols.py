from __future__ import annotations

import ast
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.grounding.languages import ENDINGS
from perdure.grounding.symbol import Symbol, content_hash, enclosing, named, same_content
from perdure.grounding.symbols import is_ordinary, symbols_of
from tests.effort import crossed, for_each, part, sampled

SOURCE = Path(__file__).parents[2] / "src" / "perdure"

# name of the file, its text, and the symbols as "name kind first-last"
SAMPLES = {
    "a.py": (
        "import x\nMAX = 3\n@dec\nclass A(B):\n    '''doc'''\n    x: int = 1\n    @property\n    def f(self):\n"
        "        y = 1\n        def g(): pass\n        return f'{y}'\n\nasync def h(): ...\n",
        "MAX variable 2-2, A class 3-11, A.x variable 6-6, A.f method 7-11, A.f.g function 10-10, h function 13-13",
    ),
    "a.js": (
        "export class A {\n  #p() {}\n  get x() { return 1 }\n}\nconst f = async (a) => {\n  const local = 1\n}\n"
        "function* g() {}\nconst api = {\n  get() {}\n}\n",
        "A class 1-4, A.#p method 2-2, A.x method 3-3, f function 5-7, g function 8-8, api variable 9-11, "
        "api.get method 10-10",
    ),
    "a.jsx": ("function App() {\n  return <b>hi there</b>\n}\n", "App function 1-3"),
    "a.ts": (
        "interface I {\n  m(): void\n  k: string\n}\ntype T = string\nenum E { A }\n"
        "namespace N {\n  function q() {}\n}\nabstract class B<T> {\n"
        "  private n = 1\n  abstract z(): void\n}\nexport const MAX: number = 3\n",
        "I interface 1-4, I.m method 2-2, I.k field 3-3, T type 5-5, E enum 6-6, E.A field 6-6, N module 7-9, "
        "N.q function 8-8, B class 10-13, B.n field 11-11, B.z method 12-12, MAX variable 14-14",
    ),
    "a.tsx": ("export function App(): X {\n  return <div className='a'>hi</div>;\n}\n", "App function 1-3"),
    "a.go": (
        "package a\n\nconst X = 1\n\ntype Cart struct{ n int }\n\n"
        "func (c *Cart) Add(x int) int {\n\ty := 1\n\treturn x\n}\n\nfunc main() {}\n\ntype I interface {\n\tM()\n}\n",
        "X variable 3-3, Cart type 5-5, Cart.n field 5-5, Cart.Add method 7-10, main function 12-12, "
        "I type 14-16, I.M method 15-15",
    ),
    "a.rs": (
        "mod m {\n    fn f() {}\n}\nstruct Cart<T> { n: T }\nimpl<T> Tr for Cart<T> {\n    fn add(&self) {}\n}\n"
        "trait Tr {\n    fn add(&self);\n}\nconst X: i32 = 1;\nmacro_rules! mm { () => {} }\n",
        "m module 1-3, m.f function 2-2, Cart struct 4-4, Cart.n field 4-4, Cart.add method 6-6, Tr trait 8-10, "
        "Tr.add method 9-9, X variable 11-11, mm macro 12-12",
    ),
    "A.java": (
        "package a;\npublic class Cart {\n  private int n = 1;\n  Cart() {}\n  @Override\n"
        "  int add(int x) { return x; }\n  int add(String x) { return 1; }\n  enum E { A }\n}\n",
        "Cart class 2-9, Cart.n field 3-3, Cart.Cart method 4-4, Cart.add method 5-6, Cart.add method 7-7, "
        "Cart.E enum 8-8, Cart.E.A field 8-8",
    ),
    "a.c": (
        "#define MAX 3\nstruct cart { int n; };\ntypedef struct { int a; } T;\n"
        "static int *add(struct cart *c, int x)\n{\n  int y = 1;\n  return 0;\n}\nint (*fp)(int);\n",
        "MAX macro 1-1, cart struct 2-2, cart.n field 2-2, T type 3-3, T.a field 3-3, add function 4-8, "
        "fp variable 9-9",
    ),
    "a.cpp": (
        "namespace shop {\ntemplate <class T> class Cart {\n public:\n  int add(int x) { return x; }\n  int n;\n};\n}\n"
        "int shop::Cart<int>::size() const { return 1; }\n",
        "shop namespace 1-7, shop.Cart class 2-6, shop.Cart.add method 4-4, shop.Cart.n field 5-5, "
        "shop.Cart.size function 8-8",
    ),
    "a.rb": (
        "module Shop\n  class Cart < Base\n    MAX = 3\n    def add(x)\n      y = 1\n      x\n    end\n"
        "    def self.build; end\n  end\nend\n",
        "Shop module 1-10, Shop.Cart class 2-9, Shop.Cart.MAX variable 3-3, Shop.Cart.add method 4-7, "
        "Shop.Cart.build method 8-8",
    ),
    "a.sh": (
        'X=1\nadd() {\n  local y=1\n  echo "$1 $2"\n}\nfunction sub { echo; }\n',
        "X variable 1-1, add function 2-5, sub function 6-6",
    ),
}


def shown(symbols: tuple[Symbol, ...]) -> str:
    return ", ".join(f"{s.name} {s.kind} {s.first}-{s.last}" for s in symbols)


@pytest.mark.parametrize("path", SAMPLES)
def test_each_language_has_its_symbols_by_syntax(path: str) -> None:
    text, expected = SAMPLES[path]
    symbols = symbols_of(text, path)
    assert shown(symbols) == expected
    assert {symbol.by for symbol in symbols} == {"syntax"}


@pytest.mark.parametrize("path", SAMPLES)
def test_line_ends_a_byte_order_mark_and_text_around_do_not_change_a_symbol(path: str) -> None:
    text = SAMPLES[path][0]
    before = {s.name: s.hash for s in symbols_of(text, path)}
    for changed in (text.replace("\n", "\r\n"), "\ufeff" + text, "\n\n\n" + text + "\n\n", text.rstrip("\n")):
        assert {s.name: s.hash for s in symbols_of(changed, path)} == before


@sampled
def test_python_symbols_are_those_that_pythons_own_parser_finds() -> None:
    """The oracle shares no code with the source: `ast`, over the modules of ours."""
    found = 0
    for path in part(sorted(SOURCE.rglob("*.py")), 4):
        text = path.read_text()
        lines = text.split("\n")
        ours = [(s.name, s.first, s.last) for s in symbols_of(text, "a.py") if s.kind != "variable"]
        theirs: list[tuple[str, int, int]] = []
        todo: list[tuple[ast.AST, str]] = [(ast.parse(text), "")]
        while todo:
            node, around = todo.pop()
            name = around
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{around}.{node.name}".strip(".")
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                theirs.append((name, first, node.end_lineno or 0))
            todo += [(child, name) for child in ast.iter_child_nodes(node)]
        assert len(ours) == len(theirs)
        for (name, first, last), (their_name, their_first, their_last) in zip(
            sorted(ours), sorted(theirs), strict=True
        ):
            assert (name, first) == (their_name, their_first), path
            assert all(line.strip()[:1] in ("", "#") for line in lines[their_last:last]), (
                "comments at its end belong to it"
            )
            assert last >= their_last
        found += len(ours)
    assert found > 1000


# the text, and names that it defines
DEFINED = {
    "functions that are assigned": (
        "a.js",
        "res.status = function status(code) {}\nexports.add = (a) => a\nmodule.exports = function createApp() {}\n"
        "Cart.prototype.total = function () {}\nfunction Shop() { this.open = () => 1 }\n",
        ["res.status", "status", "exports.add", "add", "createApp", "Cart.prototype.total", "Cart.total", "Shop.open"],
    ),
    "functions of an object": (
        "a.js",
        "const api = {\n  get: function () {},\n  deep: { put: () => 1 },\n  'a-b': () => 2,\n  port: 80\n}\n",
        ["api.get", "api.deep.put", "api.a-b"],
    ),
    "a default export": ("a.ts", "export default () => 3\n", ["default"]),
    "several names at once": ("a.js", "const {a, b: c, ...d} = x, [e, f = 1] = y\n", ["a", "c", "d", "e", "f"]),
    "several names at once in Python": ("a.py", "X, Y = 1, 2\n(a, [b, *c]) = z\n", ["X", "Y", "a", "b", "c"]),
    "type aliases of Python": ("a.py", "type Id = int\ntype Rows[T] = list[T]\n", ["Id", "Rows"]),
    "several names at once in Go": ("a.go", "package a\nvar v, w = 1, 2\ntype S struct{ B, C int }\n", ["w", "S.C"]),
    "several names at once in Java": ("A.java", "class G { int K = 1, L[] = {}; }\n", ["G.K", "G.L"]),
    "several names at once in C": ("a.c", "int x, *y = 0;\nstruct s { int a, (*cb)(int); };\n", ["y", "s.a", "s.cb"]),
    "members of enumerations": ("a.c", "enum e { A1, B1 = 2 };\n", ["e.A1", "B1"]),
    "members of enumerations in C++": ("a.cpp", "enum class Color { Red };\n", ["Color.Red"]),
    "members of enumerations in Rust": ("a.rs", "enum E { A, B(u8) }\ntrait T { type Out; }\n", ["E::B", "T::Out"]),
    "members of enumerations in TypeScript": ("a.ts", "enum C { Red, Green = 2 }\n", ["C.Red", "C.Green"]),
    "constants of Java": (
        "A.java",
        'enum E { A, B { void x() {} } }\n@interface N { String value() default ""; }\ninterface I { int MAX = 1; }\n',
        ["E.A", "E.B", "E.B.x", "N.value", "I.MAX"],
    ),
    "operators of Ruby": ("a.rb", "class V\n  def <=>(o) = 1\n  def [](i) = 2\nend\n", ["V.<=>", "V#[]"]),
}


@pytest.mark.parametrize("case", DEFINED)
def test_whatever_a_file_defines_by_name_is_a_symbol(case: str) -> None:
    """A reference to what is there must not be called fabricated."""
    path, text, names = DEFINED[case]
    symbols = symbols_of(text, path)
    assert [name for name in names if not named(symbols, name)] == []
    assert {symbol.by for symbol in symbols} == {"syntax"}


def test_plain_data_of_an_object_is_not_a_symbol() -> None:
    assert shown(symbols_of("const table = {a: 1, b: [2], c: 'x'}\n", "a.js")) == "table variable 1-1"


# -- what changes a hash, and what does not ----------------------------------------------------------------------------

SAME = {
    "indented deeper": (
        "a.py",
        "def f(a):\n    if a:\n        return 1\n",
        "class A:\n  def f(a):\n    if a:\n      return 1\n",
    ),
    "a docstring indented with it": (
        "a.py",
        'def f():\n    """A.\n\n    B.\n    """\n',
        'class A:\n    def f():\n        """A.\n\n        B.\n        """\n',
    ),
    "laid out anew": (
        "a.py",
        "def f(a, b): return g(a, b)\n",
        "def f(\n    a,\n    b):\n    return g( a,\n      b )\n",
    ),
    "a comment": ("a.py", "def f():\n    return 1\n", "def f():\n    # one\n    return 1  # two\n"),
    "JavaScript laid out anew": (
        "a.js",
        "function f(a) { if (a) { return 1 } }",
        "function f(a)\n{\n  // x\n  if (a)\n  { return 1 }\n}",
    ),
    "JSX indented": (
        "a.tsx",
        "function f() {\n  return <b>\n    hi you\n  </b>\n}",
        "{\n    function f() {\n      return <b>\n        hi you\n      </b>\n    }\n}",
    ),
    "Go laid out anew": (
        "a.go",
        "package a\nfunc f(a int) { g(a); h() }\n",
        "package a\n\nfunc  f( a  int )  {\n\t// x\n\tg(a) ; h()\n}\n",
    ),
    "C within an #ifdef": (
        "a.c",
        "int f(void) { return 1; }\n",
        "#ifdef X\n// c\nint f(void) {\n  return 1;\n}\n#endif\n",
    ),
    "C++ within extern C": ("a.h", "int f(int a);\n", 'extern "C" {\nint f( int a );\n}\n'),
    "Bash indented": ("a.sh", "f() {\necho a\n}\n", "f() {\n    echo   a\n}\n"),
}
OTHER = {
    "a number": ("a.py", "def f(): return 1\n", "def f(): return 2\n"),
    "a space in a string": ("a.py", "def f(): return 'a b'\n", "def f(): return 'a  b'\n"),
    "a space in a formatted string": ("a.py", "def f(x): return f'{x} b'\n", "def f(x): return f'{x}  b'\n"),
    "other quotes": ("a.py", "def f(): return 'a'\n", 'def f(): return "a"\n'),
    "a docstring's words": ("a.py", "def f():\n    'a'\n", "def f():\n    'b'\n"),
    "a hash sign in a string": ("a.py", "def f(): return '#a'\n", "def f(): return '#b'\n"),
    "a decorator": ("a.py", "@a\ndef f(): pass\n", "@b\ndef f(): pass\n"),
    "a statement leaves its block": (
        "a.py",
        "def f(a):\n  if a:\n    b()\n    c()\n",
        "def f(a):\n  if a:\n    b()\n  c()\n",
    ),
    "a template's parameter": (
        "a.cpp",
        "template <class T>\nvoid f(T t) {}\n",
        "template <class T, int N>\nvoid f(T t) {}\n",
    ),
    "a symbol in the symbol": ("a.py", "class f:\n  def g(): return 1\n", "class f:\n  def g(): return 2\n"),
    "an operator in two": ("a.c", "int f(int a, int b) { return a+ +b; }", "int f(int a, int b) { return a++ +b; }"),
    "two words in one": ("a.sh", "f() { echo a b; }\n", "f() { echo ab; }\n"),
    "a line end after return": ("a.js", "function f(x) { return x }", "function f(x) { return\nx }"),
    "a command becomes an argument": ("a.sh", "f() {\n  a\n  b\n}\n", "f() {\n  a b\n}\n"),
    "a shell string's space": ("a.sh", 'f() { echo "$a $b"; }\n', 'f() { echo "$a$b"; }\n'),
    "a template's space": ("a.ts", "function f() { return `${a} b` }", "function f() { return `${a}  b` }"),
    "a Ruby call's line end": ("a.rb", "def f\n  foo\n  -1\nend\n", "def f\n  foo -1\nend\n"),
    "a heredoc's line": ("a.sh", "f() {\n  cat <<A\nx\nA\n}\n", "f() {\n  cat <<A\n  x\nA\n}\n"),
    "a Go string": ("a.go", "package a\nfunc f() { g(`a\n b`) }\n", "package a\nfunc f() { g(`a\nb`) }\n"),
    "a macro's value": ("a.c", "#define f 1 + 2\n", "#define f 1 +  3\n"),
}


def the_f(path: str, text: str) -> Symbol:
    (found,) = named(symbols_of(text, path), "f")
    assert found.by == "syntax"
    return found


@pytest.mark.parametrize("case", SAME)
def test_layout_and_comments_do_not_change_a_symbol(case: str) -> None:
    path, one, other = SAME[case]
    assert same_content(the_f(path, one).hash, the_f(path, other).hash)


@for_each("case", OTHER)
def test_any_change_of_the_tokens_changes_a_symbol(case: str) -> None:
    path, one, other = OTHER[case]
    assert not same_content(the_f(path, one).hash, the_f(path, other).hash)


TOKENS = ["a", "b", "1", "+", "*", "(a)", "'s t'", "f(a)", "[1]"]


@given(
    st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6), st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6)
)
def test_two_functions_of_different_tokens_have_different_hashes(one: list[str], other: list[str]) -> None:
    def written(tokens: list[str], space: str) -> str:
        return "def f(a, b):\n    return g(" + f",{space}".join(tokens) + ")\n"

    first, second = (symbols_of(written(t, " "), "a.py") for t in (one, other))
    wide = symbols_of(written(one, "\n      "), "a.py")
    if first and first[0].by == "syntax" and wide[0].by == "syntax":
        assert same_content(first[0].hash, wide[0].hash)
        if second and second[0].by == "syntax":
            assert same_content(first[0].hash, second[0].hash) == (one == other)


# -- finding -----------------------------------------------------------------------------------------------------------


def test_the_innermost_symbol_encloses_lines() -> None:
    symbols = symbols_of(SAMPLES["a.py"][0], "a.py")
    found = [enclosing(symbols, *lines) for lines in ((9, 9), (10, 10), (6, 11), (3, 11), (1, 1), (11, 13))]
    assert [s.name if s else "" for s in found] == ["A.f", "A.f.g", "A", "A", "", ""]
    one_line = symbols_of("class A { m() { return 1 } }\n", "a.js")
    assert enclosing(one_line, 1, 1) == named(one_line, "A.m")[0]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Cart.add", [5, 7]),
        ("add", [5, 7]),
        ("Cart::add", [5, 7]),
        ("Cart#add", [5, 7]),
        ("Cart", [2]),
        ("Cart.n", [3]),
        ("dd", []),
        ("cart", []),
        ("", []),
        (".", []),
        ("Cart.", [2]),
    ],
)
def test_a_name_finds_every_symbol_that_has_it(name: str, lines: list[int]) -> None:
    assert [symbol.first for symbol in named(symbols_of(SAMPLES["A.java"][0], "A.java"), name)] == lines


def test_the_exact_name_goes_before_one_that_ends_with_it() -> None:
    symbols = symbols_of("def add(): pass\nclass A:\n    def add(self): pass\n", "a.py")
    assert [symbol.first for symbol in named(symbols, "add")] == [1]


def test_a_field_is_found_by_its_name_only_if_nothing_else_has_it() -> None:
    symbols = symbols_of("struct A { n: u8, m: u8 }\nimpl A {\n    fn n(&self) {}\n}\n", "a.rs")
    assert [(name, [s.kind for s in named(symbols, name)]) for name in ("n", "m", "A.m", "A.n")] == [
        ("n", ["method"]), ("m", ["field"]), ("A.m", ["field"]), ("A.n", ["method"])
    ]  # fmt: skip


def test_a_change_of_one_overload_changes_what_the_name_stands_for() -> None:
    text = SAMPLES["A.java"][0]
    both = content_hash(named(symbols_of(text, "A.java"), "Cart.add"))
    changed = content_hash(named(symbols_of(text.replace("return 1", "return 2"), "A.java"), "Cart.add"))
    assert not same_content(both, changed)
    assert same_content(both, content_hash(named(symbols_of("// x\n" + text, "A.java"), "Cart.add")))


def test_the_same_lines_are_the_same_content_however_they_were_read() -> None:
    assert same_content("syntax:a text:b", "syntax:c text:b")
    assert same_content("syntax:a text:b", "syntax:a text:c")
    assert not same_content("syntax:a text:b", "syntax:c text:d")


def test_hashes_without_a_common_part_are_different() -> None:
    assert not same_content("syntax:a", "text:a")
    assert not same_content("", "")
    assert not same_content("text:a", content_hash([]))


# -- where no grammar helps --------------------------------------------------------------------------------------------

PLAIN = {
    "a.kt": (
        "class Cart {\n  fun add(x: Int) {\n    y()\n  }\n}\nfun main() {\n}\n",
        "Cart 1-5, Cart.add 2-4, main 6-7",
    ),
    "a.cs": (
        "namespace Shop\n{\n  public class Cart\n  {\n    public Cart(int a)\n    {\n    }\n"
        "    private static Map<int, Set<T>> Add<T>(T a) {\n      if (a) {\n      }\n    }\n  }\n}\n",
        "Shop 1-13, Shop.Cart 3-12, Shop.Cart.Cart 5-7, Shop.Cart.Add 8-11",
    ),
    "a.lua": ("local function add(a)\n  return a\nend\n\nfunction M.sub(a)\nend\n", "add 1-3, M.sub 5-6"),
    "a.php": ("<?php\nclass A\n{\n  public function f()\n  {\n    g();\n  }\n}\n", "A 2-8, A.f 4-7"),
    "a.ex": ("defmodule X do\n  def f(a) do\n    a\n  end\nend\n", "f 2-4"),
    "a.c": (
        "int f(int a) {\n#ifdef X\n  if (a) {\n#else\n  if (!a) {\n#endif\n  }\n}\n}\n}\n)\n\n"
        "static char *g(int b,\n  int c)\n{\n}\n\nvoid h(void) {\n  f(1);\n}\n#define K(x) ((x)\n",
        "h 18-20, K 21-21",
    ),
    "noending": ("add() {\n  echo\n}\n", "add 1-3"),
    "a.py": ("@dec\ndef f(:\n    pass\n\nclass A\n    def g(self):\n        return 1\n", "f 1-3, A 5-7, A.g 6-7"),
}


@pytest.mark.parametrize("path", PLAIN)
def test_without_a_grammar_the_lines_tell_and_say_so(path: str) -> None:
    text, expected = PLAIN[path]
    symbols = symbols_of(text, path)
    found = {f"{s.name} {s.first}-{s.last}" for s in symbols}
    assert set(expected.split(", ")) <= found
    assert "text" in {s.by for s in symbols}


def test_an_error_elsewhere_in_the_file_does_not_change_a_symbol() -> None:
    good = "def f(a):\n    return a + 1\n\n\ndef g(b):\n    return b\n"
    bad = good.replace("return b", "return (b")
    assert same_content(named(symbols_of(good, "a.py"), "f")[0].hash, named(symbols_of(bad, "a.py"), "f")[0].hash)


BROKEN = (
    "int add(int a);\n\nint add(int a) {\n  UNLESS (a) return 1;\n  while a) {}\n  return 2;\n}\n\nint sub(void);\n"
)


def test_a_definition_with_an_error_in_it_is_known_by_its_lines() -> None:
    found = named(symbols_of(BROKEN, "a.c"), "add")
    assert [(symbol.first, symbol.by) for symbol in found] == [(1, "syntax"), (3, "text")]
    assert found[1].last == 7
    elsewhere, within = (
        named(symbols_of(text, "a.c"), "add")
        for text in ("// x\n" + BROKEN.replace("sub", "mul"), BROKEN.replace("return 2", "return 3"))
    )
    assert same_content(content_hash(found), content_hash(elsewhere))
    assert not same_content(content_hash(found), content_hash(within)), "a declaration alone does not stand for it"


def test_a_symbol_that_a_grammar_read_is_known_by_its_text_where_none_can_read_it() -> None:
    text = "class A {\n  m() {\n    return 1\n  }\n}\n"
    parsed, plain = symbols_of(text, "a.js"), symbols_of(text, "a.js", parse=lambda _text, _language: None)
    assert same_content(named(parsed, "A")[0].hash, named(plain, "A")[0].hash)


def test_a_document_has_no_symbols() -> None:
    assert symbols_of("class Cart:\n    def add(self): ...\n", "docs/guide.md") == ()


# -- hostile text ------------------------------------------------------------------------------------------------------

HOSTILE = {
    "a line of 10 MB": "x" * 10_000_000,
    "a line of 10 MB of braces": "{" * 10_000_000,
    "10 MB of definitions": "def f():\n" * 1_100_000,
    "deep brackets": "(\n" * 20_000,
    "deep functions": "".join(f"function f{n}() {{\n" for n in range(3000)),
    "deep classes by indentation": "".join(" " * n + f"class A{n}:\n" for n in range(1500)),
    "type arguments that do not end": f"public {'<a, ' * 240}(\n" * 5000 + f"public {'<' * 900}(\n" * 5000,
    "nothing": "",
    "NUL": "\0" * 1000 + "\n",
    "lone surrogates": "def f(): return '\udce9'\n",
    "carriage returns": "def f():\r    return 1\r" * 100,
}


@crossed("ending", ["py", "js", "cpp", "sh", "kt"], "case", HOSTILE)
def test_hostile_text_takes_seconds_at_most_and_raises_nothing(case: str, ending: str) -> None:
    began = time.process_time()
    for symbol in symbols_of(HOSTILE[case], f"a.{ending}"):
        assert 1 <= symbol.first <= symbol.last
    assert time.process_time() - began < 15


@pytest.mark.parametrize(
    ("path", "line"), [("a.py", "/*\n"), ("a.java", "a<\n"), ("a.ts", "{a:\n"), ("a.ts", "f(a,\n"), ("a.rb", "x+\n")]
)
def test_text_on_which_a_parser_would_hang_or_crash_is_not_given_to_it(path: str, line: str) -> None:
    def parse(_text: str, _language: object) -> None:
        pytest.fail("the parser was called")

    assert [symbol.by for symbol in symbols_of("def f():\n    pass\n" + line * 50_000, path, parse)] == ["text"]


def test_ordinary_source_is_given_to_the_parser() -> None:
    assert all(is_ordinary(path.read_text()) for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("text", ["[[<a::{[-a>}/*>-]:~}^+][*/", "<a {{b:>c:d(e f)\n"])
def test_a_parser_that_loops_for_ever_is_stopped_and_works_again(text: str) -> None:
    """The grammar for TSX does, also on text that an editor may hold for a moment (docs/adr/0045)."""
    began = time.process_time()
    assert symbols_of(text + "\nfunction f() {\n}\n", "a.tsx")[0].by == "text"
    assert time.process_time() - began < 15
    assert symbols_of("function f() {}\n", "a.tsx")[0].by == "syntax"


@for_each("ending", sorted(set(ENDINGS) - {"tsx"}))
def test_any_bytes_have_symbols_or_none(ending: str) -> None:
    """Not for TSX, for which the test would wait for the limit of time again and again."""
    dice = random.Random(ending)
    for _ in range(5):
        symbols_of(dice.randbytes(2000).decode("latin-1"), f"a.{ending}")
        symbols_of("".join(dice.choices("(){}[]<>\"'`#/*=+-;:,.ab \n$@!~^&|?\\", k=2000)), f"a.{ending}")
