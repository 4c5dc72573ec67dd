"""JavaScript for node that only reads is told from what may do more (SPEC 5.4)."""

from __future__ import annotations

import pytest

from perdure.gate.effects.analysis import analyse
from perdure.gate.languages.javascript import read

from ..worlds import Table, world

READ = [
    "require('./package.json').version",
    "console.log(JSON.parse(require('fs').readFileSync('a.json','utf8')).x)",
    "Object.keys(require('./package.json').scripts || {}).sort().join('\\n')",
    "const p = require('./p.json'); for (const [k, v] of Object.entries(p.a ?? {})) { console.log(`${k}: ${v}`); }",
    "const fs = require('fs')\nconst d = JSON.parse(fs.readFileSync(process.argv[1], {encoding: 'utf8'}))\n"
    "console.log(d.items.filter(x => x.id > 1).map((x, i) => ({id: x.id, i, ...x})))",
    "process.version",
    "[...new Set(['a', 'b'])].length ? 'https://example.org' : -1.5",
    "console.log(require('./a.json')?.items?.[0]?.['name'] !== undefined)",
    "if (process.env.CI) { console.log(process.platform) } else { process.stdout.write('no') }",
]
CHANGE = [
    "require('fs').writeFileSync('x', 'y')",
    "const fs = require('fs'); fs.rmSync('x')",
    "const f = require('fs').readFileSync; f('x')",
    "require('fs').readFileSync('x', {flag: 'w+'})",
    "require('fs').readFileSync(...['x', {flag: 'w+'}])",
    "const o = {flag: 'w'}; require('fs').readFileSync('x', o)",
    "require('child_process').execSync('touch x')",
    "child_process.execSync('touch x')",
    "[1].map(child_process => 1); ['touch x'].map(child_process.execSync)",
    "{ const fs = 1 } fs.writeFileSync('x', 'y')",
    "['touch x'].map(child_process.execSync)",
    "[].map.constructor('touch')()",
    "''['sub']['constructor']('x')",
    "({})['const' + 'ructor']",
    "const k = 'constructor'; ''[k]",
    "({constructor: c}) => c",
    "`${child_process.execSync('touch x')}`",
    "`${'}'}${fs}`",
    "eval('1')",
    "import('fs')",
    "require('./evil')",
    "require('./evil.js')",
    "require('evil/package.json')",
    "require('./' + 'evil.json')",
    "require(`./evil.json`)",
    "require('./x\\n.json')",
    "require.resolve('x')",
    "const r = require; r('./x.json')",
    "process.exit()",
    "process.kill(1)",
    "const p = process; p.kill(1)",
    "process.mainModule.require('fs')",
    "module.require('fs')",
    "globalThis.process",
    "this.process",
    "x = 1",
    "let x = 1; x++",
    "const a = []; a.length = 3",
    "1 // \n; fs",
    "/a/.exec('x')",
    "String`x`",
    "const f = x => x\n`a`",
    "if (0) let\nfs = 1",
    "(x => x)(1)",
    "const f = () => 1; f()",
    "function f() {}",
    "[1].map(x => { return x })",
    "class A {}",
    "const {writeFileSync} = require('fs')",
    "const JSON = 1",
    "const console = require('fs')",
    "({__proto__: null})",
    "''.__proto__",
    "'\\u0063onstructor'",
    "'x'.apply",
    "a <!-- b",
    "010",
    "[" * 100,
    "1;" * 4000,
]


@pytest.mark.parametrize("code", READ)
def test_code_that_only_reads_is_accepted(code: str) -> None:
    assert read(code).trouble == ""


@pytest.mark.parametrize("code", CHANGE)
def test_code_that_may_do_more_is_refused(code: str) -> None:
    assert read(code).trouble


CODE = "node -p \"require('./a.json').x\""


def effect(command: str, disk: Table | None = None) -> str:
    return analyse(command, world(disk=disk or Table(names={"/repo": ("a.json",)}))).effect


def test_a_json_file_that_is_there_is_only_read() -> None:
    assert effect(CODE) == "noetic"
    assert effect(f"cd /repo && {CODE}") == "noetic"


@pytest.mark.parametrize(
    "disk",
    [
        Table(names={"/repo": ("b.json",)}),
        Table(names={"/repo": ("a.json",), "/repo/a.json": ("index.js",)}),
        Table(names={"/repo": ("a.json", "evil.js")}, links={"/repo/a.json": "/repo/evil.js"}),
    ],
)
def test_what_node_may_run_in_its_place_is_refused(disk: Table) -> None:
    assert effect(CODE, disk) == "praxic"


def test_a_json_file_that_anybody_can_make_is_refused() -> None:
    assert effect("node -p \"require('/tmp/a.json').x\"", Table(names={"/tmp": ("a.json",)})) == "praxic"
    assert effect(f"cd $X && {CODE}") == "praxic"


@pytest.mark.parametrize(
    "command",
    [
        "node -e 1 -r ./evil.js",
        "node -r ./evil.js -e 1",
        "node -e 1 $X",
        "node -p -r ./evil.js",
        'node -e "$X"',
        "node -e",
        "NODE_OPTIONS='-r ./evil.js' node -e 1",
        "NODE_PATH=. node -e 1",
        "node --import=./evil.js -p 1",
        "node < evil.js",
        "./node -e 1",
    ],
)
def test_what_else_node_is_told_is_refused(command: str) -> None:
    assert effect(command) == "praxic"
