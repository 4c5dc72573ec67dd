"""Reads Python code that is given on a command line: can it do anything but compute, read files and print?

Invariant: code that `read` accepts can reach no value that writes, runs or connects. It is held as a language of
capabilities would hold it, by names. A name must be bound in the code itself, or be a builtin or an imported name that
is listed here; an attribute must be listed, on whatever object it is asked for. So there is no way to a function that
is not listed, and what is listed does no harm with any arguments, but for the few that `_CALLED` watches (`open`). A
module, and a class of paths, is never a value: `os` alone in `o = os` is refused, because another name would hide it.

What names mean can still be changed from outside, by a module of the same name in the working folder. Who asks must
look there (`imported`).

    read("import json; print(json.load(open('a.json'))['x'])").trouble == ""
    read("open('a', 'w')").trouble == "`open` with another mode than for reading"
"""

from __future__ import annotations

import _ast
import warnings
from collections.abc import Callable, Iterator

from perdure.gate.languages.python_names import BUILTIN_NAMES, is_surely_set, unsets
from perdure.model.value import value

__all__ = ["PythonReading", "read"]

MOST = 8000
"""Longer code is not read: its tree could be nested deeper than C's stack allows."""
ONLY_TREE = 0x400

_BUILTINS = frozenset(
    """print len sorted list dict set frozenset tuple str int float bool bytes bytearray complex sum min max abs round
    enumerate zip range reversed any all map filter isinstance issubclass repr ascii chr ord hex oct bin hash id next
    iter divmod pow slice format callable hasattr dir exit quit memoryview object Ellipsis NotImplemented __name__
    __file__ __doc__ BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileNotFoundError
    FileExistsError ImportError IndexError IOError IsADirectoryError KeyError KeyboardInterrupt LookupError NameError
    ModuleNotFoundError NotADirectoryError NotImplementedError OSError OverflowError PermissionError RecursionError
    RuntimeError StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError
    UnicodeError ValueError ZeroDivisionError open type getattr""".split()
)

_ATTRIBUTES = frozenset(
    """__name__ __version__ __doc__ __file__ __qualname__ __module__ __cause__ capitalize casefold center count encode
    decode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier
    islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix
    removesuffix rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
    translate upper zfill hex fromhex to_bytes from_bytes bit_length bit_count real imag is_integer as_integer_ratio
    conjugate numerator denominator append clear extend insert pop remove reverse sort add difference
    difference_update discard intersection intersection_update isdisjoint issubset issuperset symmetric_difference
    union update get items keys values setdefault popitem fromkeys move_to_end appendleft extendleft popleft rotate
    most_common elements total subtract new_child maps read readline readlines readable seek seekable tell close
    closed encoding errors newlines isatty fileno flush buffer reconfigure read_text read_bytes exists is_file is_dir
    is_symlink is_absolute iterdir glob rglob match full_match stat lstat name names stem suffix suffixes parent
    parents parts anchor drive root resolve absolute expanduser relative_to is_relative_to joinpath with_name
    with_stem with_suffix with_segments as_posix as_uri samefile readlink owner group walk path is_mount st_size
    st_mtime st_mode st_mtime_ns st_ctime st_atime st_uid st_gid st_ino st_nlink st_dev search fullmatch sub subn
    findall finditer groups groupdict start end span expand group lastgroup lastindex pattern flags string pos endpos
    groupindex year month day hour minute second microsecond days seconds microseconds total_seconds date time now
    today utcnow fromtimestamp fromisoformat isoformat strftime strptime timestamp weekday isoweekday isocalendar
    astimezone tzinfo utcoffset combine timetuple min max resolution utc toordinal fromordinal fieldnames line_num
    dialect writerow writerows writeheader getroot iter iterfind findtext itertext tag text tail attrib nsmap
    getchildren toprettyxml toxml getElementsByTagName getAttribute hasAttribute childNodes firstChild lastChild
    nodeValue nodeName nodeType documentElement attributes data sections options has_section has_option getint
    getfloat getboolean optionxform read_string read_dict read_file digest hexdigest block_size digest_size args msg
    errno strerror filename lineno offset end_lineno col_offset end_col_offset reason doc colno code namelist infolist
    getinfo file_size compress_size date_time is_encrypted testzip body func attr targets target elts ctx
    decorator_list returns annotation bases keywords orelse handlers finalbody test generators asname module level arg
    kwonlyargs posonlyargs vararg kwarg defaults scheme netloc hostname port params query fragment username password
    geturl version metadata requires files major minor micro releaselevel serial machine release quantize is_nan
    is_finite normalize exponent network_address broadcast_address netmask prefixlen hosts num_addresses is_private
    is_global get_opcodes ratio quick_ratio compare get_matching_blocks safe_substitute substitute sysname nodename
    used free columns lines bytes""".split()
)
"""Attributes that write and run nothing, on any object that accepted code can have. `replace`, `copy` and `open` are
not here, since paths have them too."""

_MODULES: dict[str, str] = {
    "array": "array",
    "ast": """parse walk dump literal_eval unparse get_docstring iter_child_nodes iter_fields get_source_segment AST
    Module FunctionDef AsyncFunctionDef ClassDef Import ImportFrom Call Name Attribute Constant Assign AnnAssign Expr
    Return If For While With Try Raise Assert Dict List Tuple Set Subscript Str Num Compare BinOp BoolOp Lambda alias
    arg keyword JoinedStr stmt expr Load Store""",
    "base64": """b64encode b64decode b32encode b32decode b16encode b16decode urlsafe_b64encode urlsafe_b64decode
    standard_b64decode standard_b64encode b85encode b85decode""",
    "binascii": "hexlify unhexlify crc32 a2b_hex b2a_hex Error",
    "bisect": "bisect bisect_left bisect_right insort",
    "bz2": "open! decompress",
    "calendar": "month monthrange isleap timegm day_name month_name monthcalendar calendar",
    "codecs": "open! decode encode BOM_UTF8 BOM_UTF16_LE BOM_UTF16_BE lookup",
    "collections": "Counter defaultdict OrderedDict deque namedtuple ChainMap abc/",
    "collections.abc": "Iterable Iterator Mapping Sequence Callable Set",
    "colorsys": "rgb_to_hsv hsv_to_rgb rgb_to_hls hls_to_rgb",
    "configparser": "ConfigParser RawConfigParser Error NoSectionError NoOptionError",
    "csv": """reader writer DictReader DictWriter Sniffer QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC
    field_size_limit Error""",
    "datetime": "datetime date time timedelta timezone UTC",
    "decimal": "Decimal getcontext ROUND_HALF_UP ROUND_DOWN ROUND_UP",
    "difflib": "unified_diff ndiff context_diff SequenceMatcher get_close_matches",
    "fnmatch": "fnmatch fnmatchcase filter translate",
    "fractions": "Fraction",
    "functools": "reduce partial cmp_to_key",
    "glob": "glob iglob escape",
    "gzip": "open! decompress",
    "hashlib": "md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s sha3_256 sha3_512 new algorithms_available",
    "heapq": "heappush heappop heapify nlargest nsmallest merge heappushpop",
    "html": "escape unescape",
    "importlib": "metadata/ util/",
    "importlib.metadata": "version metadata distribution distributions requires PackageNotFoundError",
    "importlib.util": "find_spec!",
    "io": "StringIO BytesIO open! SEEK_SET SEEK_END",
    "ipaddress": "ip_address ip_network IPv4Address IPv4Network IPv6Address ip_interface",
    "itertools": """chain count cycle repeat accumulate combinations permutations product groupby islice starmap
    takewhile dropwhile zip_longest tee pairwise batched compress filterfalse combinations_with_replacement""",
    "json": "load loads dump dumps JSONDecodeError JSONDecoder JSONEncoder decoder/",
    "json.decoder": "JSONDecodeError",
    "keyword": "kwlist iskeyword",
    "locale": "getpreferredencoding getlocale",
    "lzma": "open! decompress",
    "math": """acos acosh asin atan atan2 ceil comb copysign cos cosh degrees dist e erf exp fabs factorial floor fmod
    frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan
    perm pi pow prod radians sin sinh sqrt tan tanh tau trunc""",
    "mimetypes": "guess_type guess_extension",
    "numbers": "Number Integral Real",
    "operator": "itemgetter add mul sub truediv eq lt gt le ge",
    "os": """listdir walk getcwd scandir stat lstat getenv getpid getuid cpu_count access R_OK W_OK X_OK F_OK sep
    linesep pathsep name fspath readlink uname get_terminal_size getloadavg fsdecode fsencode environ? path/ curdir
    pardir error statvfs getlogin""",
    "os.path": """abspath basename commonpath commonprefix dirname exists expanduser expandvars getatime getctime
    getmtime getsize isabs isdir isfile islink ismount join lexists normcase normpath realpath relpath samefile split
    splitext splitdrive sep""",
    "pathlib": "Path! PurePath! PosixPath! PurePosixPath!",
    "platform": "python_version system machine platform release version python_implementation node architecture",
    "plistlib": "load loads dumps",
    "pprint": "pprint pformat pp",
    "random": "random randint choice choices sample shuffle seed uniform randrange gauss",
    "re": """compile findall finditer search match fullmatch sub subn split escape error I IGNORECASE M MULTILINE S
    DOTALL X VERBOSE A ASCII U UNICODE Pattern Match""",
    "secrets": "token_hex token_urlsafe token_bytes randbelow choice",
    "shlex": "split quote join",
    "shutil": "which disk_usage get_terminal_size",
    "stat": "S_ISDIR S_ISREG S_ISLNK filemode S_IMODE ST_SIZE",
    "statistics": "mean median mode stdev variance pstdev quantiles fmean median_low median_high multimode",
    "string": """ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace hexdigits printable
    Template""",
    "struct": "unpack unpack_from pack calcsize iter_unpack Struct error",
    "sys": """argv stdin stdout stderr version version_info executable platform exit maxsize byteorder getsizeof
    prefix base_prefix exec_prefix implementation hexversion maxunicode getdefaultencoding getfilesystemencoding flags
    float_info int_info path? getrecursionlimit setrecursionlimit builtin_module_names stdlib_module_names
    set_int_max_str_digits api_version""",
    "textwrap": "dedent fill indent shorten wrap",
    "time": "time sleep strftime gmtime localtime strptime mktime perf_counter monotonic ctime timezone tzname",
    "tomllib": "load loads TOMLDecodeError",
    "typing": "Any Optional Union List Dict Tuple Set Callable Iterable Iterator NamedTuple",
    "unicodedata": "name normalize category lookup numeric decimal combining east_asian_width",
    "urllib": "parse/",
    "urllib.parse": """urlparse urlsplit parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urljoin
    urlunparse""",
    "uuid": "UUID uuid4 uuid5 NAMESPACE_DNS NAMESPACE_URL",
    "xml": "etree/ dom/",
    "xml.dom": "minidom/",
    "xml.dom.minidom": "parse parseString",
    "xml.etree": "ElementTree/ cElementTree/",
    "xml.etree.ElementTree": "parse fromstring iterparse tostring ParseError XML fromstringlist",
    "yaml": "safe_load safe_load_all safe_dump YAMLError",
    "zipfile": "ZipFile! is_zipfile BadZipFile",
    "zlib": "decompress crc32 adler32",
    "__future__": "annotations print_function division unicode_literals absolute_import",
}
"""Modules → what code may take from them. `x/` is a module in it, `x!` may only be called and `_CALLED` says how, `x?`
may only be looked at (`_is_shown`)."""

INSTALLED = frozenset(("yaml",))
"""Modules of `_MODULES` that do not come with Python."""
_VERSIONED = frozenset(
    """aiohttp anthropic attr black boto3 bs4 celery certifi click cryptography cv2 django docker dotenv fastapi flask
    grpc httpx jinja2 jsonschema jwt keras langchain lxml markdown matplotlib mypy nltk networkx numpy openai openpyxl
    pandas peft PIL pip plotly polars psycopg psycopg2 pyarrow pydantic pytest redis requests rich scipy seaborn
    setuptools six sklearn spacy sqlalchemy starlette sympy tensorflow tiktoken tokenizers torch torchvision tornado
    tqdm transformers typer ujson urllib3 uvicorn websockets werkzeug wheel xgboost""".split()
)
"""Libraries of which code may ask the version, and where they are. Importing them runs what was installed."""
_OF_A_LIBRARY = frozenset("__version__ __file__ __name__ __path__ VERSION __doc__".split())
_READ_MODES = frozenset(("r", "rb", "rt", "br", "rU", "U", "r:utf-8", "r:gz", "r:*"))
_SAYS_HOW = frozenset(("encoding", "errors", "newline", "mode", "file"))
_STREAMS = (("sys", "stdout"), ("sys", "stderr"))
_SHOWING = frozenset("print len sorted list tuple set enumerate any all repr str dict".split())

_NODES = frozenset(
    """Module Expr Assign AnnAssign AugAssign For While If With withitem Raise Try Assert Import ImportFrom Global
    Nonlocal Pass Break Continue Return Delete FunctionDef Lambda arguments arg Name Constant Attribute Subscript
    Starred Call keyword BoolOp NamedExpr BinOp UnaryOp IfExp Dict Set List Tuple ListComp SetComp DictComp
    GeneratorExp comprehension Compare FormattedValue JoinedStr Slice Yield YieldFrom ExceptHandler alias Index
    ExtSlice Load Store Del And Or Add Sub Mult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv MatMult Invert
    Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn""".split()
)


@value
class PythonReading:
    """`trouble`: why the code may do more than read, or ''. `imported`: the first names of the modules it loads."""

    trouble: str = ""
    imported: tuple[str, ...] = ()


class _Refused(Exception):
    """Reading stops, and the message becomes the `trouble`."""


def read(code: str) -> PythonReading:
    if len(code) > MOST:
        return PythonReading("runs code that is too long to be read")
    if any(ord(character) < 32 and character not in "\n\t" for character in code) or _has_cookie(code):
        return PythonReading("runs code whose bytes may mean something else")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(code, "<code>", "exec", flags=ONLY_TREE, dont_inherit=True)
        reader = _Reader(tree)
        reader.check()
    except _Refused as refused:
        return PythonReading(f"runs code: {refused}")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return PythonReading("runs code, and it is not understood")
    return PythonReading("", tuple(sorted(reader.loaded)))


def _has_cookie(code: str) -> bool:
    """Whether a comment may name an encoding, in which the rest could read otherwise."""
    return any("coding" in line for line in code.split("\n", 2)[:2])


def _nodes(tree: _ast.AST) -> Iterator[tuple[_ast.AST, _ast.AST | None]]:
    """Every node with the one that holds it, without recursion."""
    todo: list[tuple[_ast.AST, _ast.AST | None]] = [(tree, None)]
    while todo:
        node, above = todo.pop()
        yield node, above
        for field in node._fields:
            content = getattr(node, field, None)
            for each in content if isinstance(content, list) else (content,):
                if isinstance(each, _ast.AST):
                    todo.append((each, node))


class _Reader:
    def __init__(self, tree: _ast.AST) -> None:
        found = list(_nodes(tree))
        self.nodes = [node for node, _ in found]
        self.above = {id(node): above for node, above in found}
        self.modules: dict[str, str] = {}
        """A name → the module that it stands for."""
        self.taken: dict[str, str] = {}
        """A name that `from … import` binds → how it may be used: '', `!` or `?`, as in `_MODULES`."""
        self.bound: set[str] = set()
        self.unset: set[str] = set()
        """Names that the code may take away again, or takes from another scope."""
        self.loaded: set[str] = set()

    def check(self) -> None:
        for node in self.nodes:
            kind = type(node).__name__
            if kind not in _NODES:
                raise _Refused(f"`{kind.lower()}` is not read")
            if isinstance(node, (_ast.Import, _ast.ImportFrom)):
                self.imports(node)
            else:
                self.binds(node)
                self.unset.update(unsets(node))
        imported = set(self.modules) | set(self.taken)
        taken = (self.bound & (imported | _WATCHED)) | (imported & BUILTIN_NAMES)
        taken |= {name for name in self.bound if name.startswith("__")}
        taken |= self.unset & (BUILTIN_NAMES - _BUILTINS)
        if taken:
            raise _Refused(f"`{min(taken)}` is given another meaning")
        for node in self.nodes:
            check = _CHECKS.get(type(node))
            if check is not None:
                check(self, node)

    # ---- what names stand for

    def imports(self, node: _ast.Import | _ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, _ast.Import):
                self.imports_module(alias.name, alias.asname or "")
            elif node.level or not node.module:
                raise _Refused("it imports the project's modules")
            else:
                self.imports_from(node.module, alias.name, alias.asname or alias.name)

    def imports_module(self, module: str, called: str) -> None:
        first = module.partition(".")[0]
        if module not in _MODULES and module not in _VERSIONED:
            raise _Refused(f"it imports {module}")
        self.loaded.add(first)
        self.stands_for(called or first, module if called else first)

    def imports_from(self, module: str, name: str, called: str) -> None:
        self.loaded.add(module.partition(".")[0])
        if f"{module}.{name}" in _MODULES:
            self.stands_for(called, f"{module}.{name}")
            return
        mark = _mark(module, name)
        if mark is None or mark == "/":
            raise _Refused(f"it imports {name} from {module}")
        if called in self.taken or called in self.modules:
            raise _Refused(f"`{called}` is given another meaning")
        self.taken[called] = mark and mark + _special(module, name)

    def stands_for(self, name: str, module: str) -> None:
        if self.modules.get(name, module) != module or name in self.taken:
            raise _Refused(f"`{name}` is given another meaning")
        self.modules[name] = module

    def binds(self, node: _ast.AST) -> None:
        if isinstance(node, _ast.Name) and not isinstance(node.ctx, _ast.Load):
            self.bound.add(node.id)
        elif isinstance(node, _ast.FunctionDef):
            if node.decorator_list:
                raise _Refused("it decorates a function")
            self.bound.add(node.name)
        elif isinstance(node, _ast.arg):
            self.bound.add(node.arg)
        elif isinstance(node, _ast.ExceptHandler) and node.name:
            self.bound.add(node.name)

    # ---- what the code takes

    def name(self, node: _ast.AST) -> None:
        assert isinstance(node, _ast.Name)
        if not isinstance(node.ctx, _ast.Load):
            return
        if node.id in self.bound:
            if node.id in BUILTIN_NAMES - _BUILTINS and not is_surely_set(node, self.above, node.id):
                raise _Refused(f"`{node.id}` may not be set before it is used")
        elif node.id in self.modules:
            above = self.above[id(node)]
            if not isinstance(above, _ast.Attribute):
                raise _Refused(f"it takes the module {node.id} for a value")
        elif node.id in self.taken:
            self.marked(node, self.taken[node.id], node.id)
        elif node.id not in _BUILTINS:
            raise _Refused(f"`{node.id}` is not known to only read")
        elif node.id in _CALLED:
            self.marked(node, "!" + node.id, node.id)

    def attribute(self, node: _ast.AST) -> None:
        assert isinstance(node, _ast.Attribute)
        if not isinstance(node.ctx, _ast.Load):
            raise _Refused(f"it sets `.{node.attr}`")
        module = self.module_of(node.value)
        if module is not None:
            self.of_a_module(node, module)
        elif node.attr in _CALLED_ON_OBJECTS:
            self.marked(node, "!." + node.attr, "." + node.attr)
        elif node.attr == "write":
            self.write(node)
        elif node.attr not in _ATTRIBUTES and not self.is_of_a_class(node):
            raise _Refused(f"`.{node.attr}` is not known to only read")

    def module_of(self, node: _ast.AST) -> str | None:
        """The module that a name or a chain of attributes stands for; None for everything else."""
        if isinstance(node, _ast.Name):
            return self.modules.get(node.id) if node.id not in self.bound else None
        if isinstance(node, _ast.Attribute):
            above = self.module_of(node.value)
            if above is not None and _mark(above, node.attr) == "/":
                return f"{above}.{node.attr}"
        return None

    def of_a_module(self, node: _ast.Attribute, module: str) -> None:
        mark = _mark(module, node.attr)
        if mark is None:
            raise _Refused(f"`{module}.{node.attr}` is not known to only read")
        if mark == "/":
            if not isinstance(self.above[id(node)], _ast.Attribute):
                raise _Refused(f"it takes the module {node.attr} for a value")
        elif mark:
            self.marked(node, mark + _special(module, node.attr), f"{module}.{node.attr}")

    def marked(self, node: _ast.expr, mark: str, shown: str) -> None:
        """A name that may only be looked at, or only be called, and then with arguments that its check accepts."""
        above = self.above[id(node)]
        if not mark:
            return
        if mark.startswith("?"):
            if not self.is_shown(node):
                raise _Refused(f"`{shown}` is used for more than looking at it")
        elif isinstance(above, _ast.Call) and above.func is node:
            _CALLED.get(mark[1:], _any_arguments)(self, above)
        elif not (mark[1:] == "Path" and isinstance(above, _ast.Attribute) and above.attr in ("home", "cwd")):
            raise _Refused(f"`{shown}` is not called where it stands")

    def is_of_a_class(self, node: _ast.Attribute) -> bool:
        """`Path.home` and `Path.cwd`."""
        return node.attr in ("home", "cwd") and isinstance(node.value, (_ast.Name, _ast.Attribute))

    def write(self, node: _ast.Attribute) -> None:
        """`sys.stdout.write`, and `sys.stdout.buffer.write`."""
        stream = node.value
        if isinstance(stream, _ast.Attribute) and stream.attr == "buffer":
            stream = stream.value
        if not isinstance(stream, _ast.Attribute) or (self.module_of(stream.value), stream.attr) not in _STREAMS:
            raise _Refused("it writes to a file, or to what may be one")

    def is_shown(self, node: _ast.AST) -> bool:
        """Whether the value is printed, counted, searched or walked through where it stands, and nothing keeps it."""
        above = self.above[id(node)]
        if isinstance(above, _ast.Attribute):
            return above.attr in ("get", "items", "keys", "values")
        if isinstance(above, _ast.Subscript):
            return above.value is node and isinstance(above.ctx, _ast.Load)
        if isinstance(above, (_ast.For, _ast.comprehension)):
            return above.iter is node
        if isinstance(above, _ast.Call):
            return node in above.args and _shows(above.func)
        return isinstance(above, (_ast.FormattedValue, _ast.Compare))


def _mark(module: str, name: str) -> str | None:
    """How a name of a module may be used: '' in any way, `/`, `!` or `?`; None where it may not be used."""
    if module in _VERSIONED:
        return ("?" if name == "__path__" else "") if name in _OF_A_LIBRARY else None
    for word in _MODULES.get(module, "").split():
        if word.rstrip("/!?") == name:
            return word[len(name) :]
    return None


def _special(module: str, name: str) -> str:
    return "Path" if module == "pathlib" else {"open": "open", "find_spec": "find_spec"}.get(name, name)


def _shows(func: _ast.AST) -> bool:
    if isinstance(func, _ast.Name):
        return func.id in _SHOWING
    return isinstance(func, _ast.Attribute) and func.attr == "join" and isinstance(func.value, _ast.Constant)


def _literal(node: _ast.AST | None) -> object:
    return node.value if isinstance(node, _ast.Constant) else None


def _any_arguments(_reader: _Reader, _call: _ast.Call) -> None:
    """For classes of paths: making one does nothing."""


def _opens(_reader: _Reader, call: _ast.Call) -> None:
    """`open(file, mode)`: the mode is a literal and only reads, and nothing else could open it in another way."""
    if any(isinstance(argument, _ast.Starred) for argument in call.args) or len(call.args) > 2:
        raise _Refused("`open` with arguments that are not read")
    modes = call.args[1:] + [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    if any(_literal(mode) not in _READ_MODES for mode in modes):
        raise _Refused("`open` with another mode than for reading")
    if any(keyword.arg not in _SAYS_HOW for keyword in call.keywords):
        raise _Refused("`open` with arguments that are not read")


def _opens_path(reader: _Reader, call: _ast.Call) -> None:
    """`Path(…).open(mode)`."""
    if len(call.args) > 1 or any(_literal(mode) not in _READ_MODES for mode in call.args):
        raise _Refused("`.open` with another mode than for reading")
    made = _ast.Call(func=call.func, args=[call.func], keywords=call.keywords)
    _opens(reader, made)


def _replaces(_reader: _Reader, call: _ast.Call) -> None:
    """`text.replace(old, new)`; with one argument it may rename a path. `date.replace(year=…)` has only keywords."""
    starred = any(isinstance(argument, _ast.Starred) for argument in call.args)
    named = all(keyword.arg not in (None, "target") for keyword in call.keywords)
    if starred or len(call.args) == 1 or not named:
        raise _Refused("`.replace` with one argument may rename a file")


def _copies(_reader: _Reader, call: _ast.Call) -> None:
    """`list.copy()`; with a target it may copy a file."""
    if call.args or call.keywords:
        raise _Refused("`.copy` with a target may copy a file")


def _asks_type(reader: _Reader, call: _ast.Call) -> None:
    """`type(x)` is only looked at: a class that is kept could be called, and one of them opens files."""
    above = reader.above[id(call)]
    named = isinstance(above, _ast.Attribute) and above.attr in ("__name__", "__qualname__", "__module__")
    if len(call.args) != 1 or call.keywords or not (named or _is_looked_at(above, call)):
        raise _Refused("`type` is used for more than looking at it")


def _is_looked_at(above: _ast.AST | None, node: _ast.AST) -> bool:
    if isinstance(above, _ast.Call):
        return isinstance(above.func, _ast.Name) and above.func.id in ("print", "repr", "str") and node in above.args
    return isinstance(above, (_ast.FormattedValue, _ast.Compare))


def _gets(_reader: _Reader, call: _ast.Call) -> None:
    names = [_literal(argument) for argument in call.args[1:2]]
    if call.keywords or len(call.args) > 3 or not _ATTRIBUTES.issuperset(names) or not names:
        raise _Refused("`getattr` with a name that is not known to only read")


def _finds_module(_reader: _Reader, call: _ast.Call) -> None:
    """The search for a module in a package imports the package."""
    name = _literal(call.args[0]) if len(call.args) == 1 and not call.keywords else None
    if not isinstance(name, str) or not name.isidentifier():
        raise _Refused("`find_spec` imports the package that the module is in")


_CALLED: dict[str, Callable[[_Reader, _ast.Call], None]] = {
    "open": _opens,
    ".open": _opens_path,
    ".replace": _replaces,
    ".copy": _copies,
    "type": _asks_type,
    "getattr": _gets,
    "find_spec": _finds_module,
    "ZipFile": _opens,
    "Path": _any_arguments,
}
_CALLED_ON_OBJECTS = ("open", "replace", "copy")
_WATCHED = _SHOWING | (_BUILTINS & _CALLED.keys())
"""Builtins that the checks here know by their names."""
_CHECKS: dict[type, Callable[[_Reader, _ast.AST], None]] = {
    _ast.Name: _Reader.name,
    _ast.Attribute: _Reader.attribute,
}
