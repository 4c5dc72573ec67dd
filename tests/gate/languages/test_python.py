"""What Python code on a command line does: attacks on the reader, and code as agents really write it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

from perdure.gate.languages import python
from perdure.gate.languages.python import read

HARMLESS = [
    "import json; print(json.load(open('a.json'))['x'])",
    "import sys, json\nd = json.load(sys.stdin)\nfor k, v in sorted(d.items()):\n    print(f\"{k}: {v['a']:>5}\")",
    "import re, pathlib\nprint(re.findall(r'def (\\w+)', pathlib.Path('a.py').read_text()))",
    "from pathlib import Path\nfor p in Path('.').rglob('*.py'):\n    print(p, len(p.read_text().splitlines()))",
    "import csv\nwith open('a.csv', newline='') as f:\n    print(sum(float(r['x'] or 0) for r in csv.DictReader(f)))",
    "import os\nprint(os.environ.get('HOME'), os.path.getsize('a'), [n for n in os.listdir('.') if n.endswith('.md')])",
    "import sys; print(sys.version); print('\\n'.join(sys.path)); print(sys.path); sys.stdout.write('x')",
    "import ast\nt = ast.parse(open('a.py').read())\nprint([n for n in ast.walk(t) if isinstance(n, ast.Call)])",
    "from collections import Counter\nprint(Counter(l.split()[0] for l in open('log') if l.strip()).most_common(5))",
    "import datetime; print(datetime.datetime.fromtimestamp(1700000000, datetime.timezone.utc).isoformat())",
    "print('a-b'.replace('-', '_'), [1, 2].copy(), type(3), type(3).__name__, f'{type(3)}')",
    "from datetime import datetime; print(datetime.now().replace(microsecond=0))",
    "import yaml; print(yaml.safe_load(open('a.yml')))",
    "import numpy as np; print(np.__version__, np.__file__, np.__path__)",
    "from importlib.metadata import version; print(version('pip'))",
    "import importlib.util; print(importlib.util.find_spec('numpy') is not None)",
    "def f(x):\n    try: return int(x)\n    except ValueError as e: raise SystemExit(str(e))\nprint(f('3'))",
    "import hashlib; print(hashlib.sha256(open('a', 'rb').read()).hexdigest())",
    "import xml.etree.ElementTree as ET\nprint([e.get('name') for e in ET.parse('a.xml').getroot().iter('testcase')])",
    "import sys, json; json.dump(json.load(sys.stdin), sys.stdout, indent=1)",
    "import zipfile; print(zipfile.ZipFile('a.zip').namelist())",
    "import sys; print(len(sys.stdin.buffer.read()))",
    "print(getattr(3, 'real', 0), hasattr(3, 'x'), (lambda x: x * 2)(4), [*map(str.strip, ['a '])])",
    "from pathlib import Path; print(Path.home(), Path.cwd(), open(Path('a')).read(), Path('b').open().read())",
    "import gzip; print(gzip.open('a.gz', 'rt').read()[:10])",
    "import glob\nfor file in glob.glob('*.py'):\n    print(file, len(open(file).read()))",
    "print([file.upper() for file in ['a'] if file], {input: vars for input, vars in {}.items()})",
    "with open('a') as file:\n    print(file.read())",
    "def f(file, *vars):\n    return [file for _ in vars]\nprint(f('a'), (lambda input: input)(1))",
    "input, rest = 'a b'.split()\nif rest:\n    print(input)",
    "id = 3; max = 4; print(id, max)",
]

WRITERS = [
    "open('x', 'w')",
    "open('x', mode='a')",
    "open('x', 'r+')",
    "open(mode='w', file='x')",
    "open('x', **{'mode': 'w'})",
    "open(*['x', 'w'])",
    "m = 'w'; open('x', m)",
    "open('x', 'r', opener=lambda p, f: 3)",
    "open('x', 'rb', 0)",
    "f = open; f('x', 'w')",
    "[f('x', 'w') for f in [open]]",
    "list(map(open, ['x'], ['w']))",
    "(lambda o=open: o('x', 'w'))()",
    "__import__('os').system('id')",
    "eval('1')",
    "exec('import os')",
    "import os; os.remove('x')",
    "import os; o = os; o.remove('x')",
    "import os; getattr(os, 'remove')('x')",
    "import os; [o.remove('x') for o in [os]]",
    "import os; (lambda o: o.remove('x'))(os)",
    "import os; vars(os)['remove']('x')",
    "import os.path as p; p.os.remove('x')",
    "from os import path; path.genericpath.os.remove('x')",
    "from os import remove; remove('x')",
    "from os import *; remove('x')",
    "import json; json.codecs.open('x', 'w')",
    "import subprocess; subprocess.run(['touch', 'x'])",
    "import os; os.environ['PATH'] = '.'; import platform; platform.platform()",
    "import os; e = os.environ; e['PATH'] = '.'",
    "import os; os.environ.update(PATH='.')",
    "import os; os.environ.setdefault('PATH', '.')",
    "import sys; sys.path.insert(0, 'lib'); import json",
    "import sys; p = sys.path; p.append('lib')",
    "import sys; sys.path += ['lib']",
    "import sys; sys.path[0] = 'lib'",
    "import sys; del sys.path[0]",
    "import sys; (sys.path or 0).append('lib')",
    "import sys; (lambda q: q.append('lib'))(sys.path)",
    "import sys\nfrom functools import reduce as print\nprint(lambda p, _: p.insert(0, '.'), [1], sys.path)",
    "import sys; sys.modules['os'].remove('x')",
    "import sys; sys.meta_path.clear()",
    "import sys; sys.stdout = open('x'); sys.stdout.write('y')",
    "from pathlib import Path; Path('x').write_text('y')",
    "from pathlib import Path; Path('x').replace('y')",
    "from pathlib import Path; Path('x').copy('y')",
    "from pathlib import Path; Path('x').open('w')",
    "from pathlib import Path; Path('x').open(mode='w')",
    "from pathlib import Path; f = Path('x').open; f('w')",
    "from pathlib import Path; r = Path('x').replace; r('y')",
    "from pathlib import Path; Path.replace('x', 'y')",
    "from pathlib import Path; P = Path; P.replace('x', 'y')",
    "from pathlib import Path; [Path][0].replace('x', 'y')",
    "from pathlib import Path; (lambda P: P.replace('x', 'y'))(Path)",
    "import pathlib; p = pathlib.Path('x'); type(p).replace('x', 'y')",
    "import pathlib; t = type(pathlib.Path('x')); t.replace('x', 'y')",
    "import pathlib; pathlib.Path('x').__class__.replace('x', 'y')",
    "from pathlib import Path; Path('x').touch()",
    "from pathlib import Path; Path('x').unlink()",
    "from pathlib import Path; getattr(Path('x'), 'unlink')()",
    "from pathlib import Path; getattr(Path('x'), 'replace')('y')",
    "from pathlib import Path; n = 'unlink'; getattr(Path('x'), n)()",
    "import operator, pathlib; operator.methodcaller('unlink')(pathlib.Path('x'))",
    "t = type(open('x', 'rb')); t('y', 'w')",
    "str = lambda t: t('y', 'w'); str(type(open('x')))",
    "print = lambda t: t; x = print(type(3))",
    "().__class__.__base__.__subclasses__()",
    "(lambda: 0).__globals__",
    "def f():\n    pass\nf.__code__ = 1",
    "import zipfile; zipfile.ZipFile('x', 'w')",
    "import zipfile; zipfile.ZipFile('x').extractall()",
    "import gzip; gzip.open('x', 'wb')",
    "import io; io.open('x', 'w')",
    "import io; io.FileIO('x', 'w')",
    "import logging; logging.FileHandler('x')",
    "import xml.etree.ElementTree as E; E.parse('x').write('y')",
    "import configparser; c = configparser.ConfigParser(); c.write(open('x'))",
    "import importlib; importlib.import_module('evil')",
    "import importlib.util; importlib.util.find_spec('evil.x')",
    "import importlib.metadata as m; m.entry_points()[0].load()",
    "import numpy; numpy.save('x', 1)",
    "import numpy; numpy.__path__.insert(0, 'lib')",
    "import yaml; yaml.load('!!python/object/apply:os.system [id]', Loader=yaml.UnsafeLoader)",
    "import pickle; pickle.load(open('x', 'rb'))",
    "import sqlite3; sqlite3.connect('x')",
    "import src.app",
    "from . import x",
    "from .x import y",
    "class A:\n    pass",
    "import functools\n@functools.lru_cache\ndef f(): pass",
    "async def f(): pass",
    "help('x')",
    "input()",
    "breakpoint()",
    "globals()['x']",
    "import os as print; print.remove('x')",
    "import json\nimport os as json\njson.remove('x')",
    "import json\nfor json in [1]:\n    pass",
    "# coding: unicode_escape\n# \\nimport os\nprint(1)",
    "print(1)\r\nopen('x', 'w')",
    "print(1)\x0copen('x')",
    "print(1",
    "x" * 9000,
    "(" * 3000 + ")" * 3000,
    "-" * 7000 + "1",
    "import sysconfig; sysconfig.get_config_vars()",
    "import zoneinfo; zoneinfo.ZoneInfo('x')",
    "import antigravity",
    "if 0: exec = 1\nexec('import os')",
    "lambda eval: 0\neval('1')",
    "for __import__ in []: pass\n__import__('os')",
    "def f(file): pass\nfile('x', 'w')",
    "def f(file):\n    def g():\n        global file\n        file('x', 'w')\n    g()\nf(1)",
    "def f():\n    file = 1\nfile('x', 'w')",
    "try:\n    file = int('a')\nexcept ValueError:\n    file('x', 'w')",
    "try: int('a')\nexcept ValueError as eval: pass\neval('1')",
    "for eval in [1]:\n    del eval\n    eval('1')",
    "for eval in []: pass\nelse: eval('1')",
    "for eval in eval('1'): pass",
    "with open(eval('1')) as eval: pass",
    "[eval for x in eval('1') for eval in x]",
    "lambda eval=eval('1'): 0",
    "if 0: from json import loads as eval\neval('1')",
    "if 0: import json as exec\nprint(exec)",
    "if 0: __builtins__ = 1\n__builtins__['eval']('1')",
    "while (eval := 0): pass\n(lambda: 0 or eval('1') if 0 else 0)",
    "0 and (exec := 1)\nexec('1')",
    "exec: int\nexec('1')",
    "import webbrowser; webbrowser.open('x')",
]


@pytest.mark.parametrize("code", HARMLESS)
def test_code_that_only_reads_is_read(code: str) -> None:
    assert read(code).trouble == ""


@pytest.mark.parametrize("code", WRITERS, ids=lambda code: code[:60])
def test_code_that_may_do_more_is_trouble(code: str) -> None:
    assert read(code).trouble


def test_every_listed_name_is_there() -> None:
    """A name that no Python has would be a slip of the pen, and might be another one tomorrow."""
    for module, names in python._MODULES.items():
        if module in python.INSTALLED or module == "urllib":
            continue
        there = importlib.import_module(module)
        missing = [n for n in names.split() if not n.endswith("/") and not hasattr(there, n.rstrip("!?"))]
        assert set(missing) <= {"UTC", "batched", "Num", "Str"}, module


def test_listed_modules_load_only_what_the_folder_is_searched_for() -> None:
    """A module of the folder that one of ours loads would be run: its name must be among those that are looked for."""
    from perdure.gate.effects.judge_by_code.python import BUILD_FACTS, OWN_MODULES

    watch = (
        "import sys, importlib, json\nseen = set()\n"
        "class Watch:\n    def find_spec(self, name, path=None, target=None):\n"
        "        path is None and seen.add(name)\n"
        f"sys.meta_path.insert(0, Watch())\nfor name in {sorted(set(python._MODULES) - python.INSTALLED)!r}:\n"
        "    importlib.import_module(name)\n"
        "import platform, locale, time, traceback, importlib.metadata as m\n"
        "platform.platform(), list(m.distributions()), time.strptime('2020', '%Y'), 'x'.encode('idna')\n"
        "print(json.dumps(sorted(seen - sys.stdlib_module_names)))"
    )
    foreign = json.loads(subprocess.run([sys.executable, "-c", watch], capture_output=True, check=True).stdout)
    assert [name for name in foreign if name not in OWN_MODULES and not name.startswith(BUILD_FACTS)] == []
