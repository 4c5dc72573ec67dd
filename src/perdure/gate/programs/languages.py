"""Cards of interpreters, compilers and shells. They run what they are given, so they are praxic.

These only read: words which alone print a version; checks of the syntax that run nothing (`node --check`, `php -l`,
`bash -n`, but neither `perl -c`, which runs BEGIN blocks, nor `ruby -c`, which loads what the script's first line
names); and a few modules of Python. A shell with a literal command line is judged by that line.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---------------------------------------------------------------- Python
    "python": """
        Runs Python; alone it is a prompt.
        help: -V -VV -h -? --help-all --help-env --help-xoptions
        form: runs a module; listed are those that only look
        configured
        stops
        long
        subcommands
        needs: -m -Im -Em -Bm -sm -um | runs code
        flags: -m -B -E -I -P -s -S -u -O -b -Im -Em -Bm -sm -um
        praxic: -c -i -x -X -W -q -v -R -d | runs code
        form: runs code that is given with -c or in a heredoc
        any
        code: python
    """,
    "python json.tool": """
        Prints JSON; a second file is written.
        configured
        flags: --sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact
        values: --indent
        operands: read
    """,
    "python json": "same as python json.tool",
    "python tokenize": "configured\nflags: -e --exact",
    "python ast": "configured\nflags: --no-type-comments -a --include-attributes\noptional: -m --mode -i --indent",
    "python dis": "configured\nflags: -C --show-caches -O --show-offsets -P --show-positions -S --specialized",
    "python tabnanny": "configured\nflags: -v -q",
    "python calendar": "configured\noptional: -w --width -l --lines -s --spacing -m --months -t --type",
    "python platform": "configured\noperands: none",
    "python site": "configured\nflags: --user-base --user-site\noperands: none",
    "python sysconfig": "configured\noperands: none",
    "python base64": "configured\nflags: -d -e -u -t",
    "python zipfile": "configured\nneeds: -l --list -t --test | writes files\nflags: -l --list -t --test",
    "python tarfile": "configured\nneeds: -l --list -t --test | writes files\nflags: -l --list -t --test -v --verbose",
    "python pip": "same as pip",
    "python pipx": "same as pipx",
    "python poetry": "same as poetry",
    "python uv": "same as uv",
    "python pdm": "same as pdm",
    "python twine": "same as twine",
    "python ruff": "same as ruff",
    "python black": "same as black",
    "python isort": "same as isort",
    "python pyright": "same as pyright",
    "python mypy": "same as mypy",
    "python flake8": "same as flake8",
    "python pylint": "same as pylint",
    "python pyflakes": "same as pyflakes",
    "python pycodestyle": "same as pycodestyle",
    "python pydocstyle": "same as pydocstyle",
    "python vulture": "same as vulture",
    "python radon": "same as radon",
    "python yamllint": "same as yamllint",
    "python codespell": "same as codespell",
    "python bandit": "same as bandit",
    "python coverage": "same as coverage",
    "python pytest": "same as pytest",
    "python tox": "same as tox",
    "python nox": "same as nox",
    "python build": "same as pyproject-build",
    "python pipdeptree": "same as pipdeptree",
    "python venv": "praxic | creates an environment\nhelp: -h",
    "python unittest": "praxic | runs code of the project",
    "python http.server": "praxic | starts a server\nhelp: -h",
    "python py_compile": "praxic | writes compiled files",
    "python compileall": "praxic | writes compiled files\nhelp: -h",
    "python timeit": "praxic | runs code\nhelp: -h",
    "python ensurepip": "praxic | installs pip\nhelp: -h",
    "python perdure": "any\ncode: perdure",
    "python2": "praxic | runs code\nhelp: -V -h",
    "python2.7": "same as python2",
    "python3": "same as python",
    "python3.7": "same as python",
    "python3.8": "same as python",
    "python3.9": "same as python",
    "python3.10": "same as python",
    "python3.11": "same as python",
    "python3.12": "same as python",
    "python3.13": "same as python",
    "python3.14": "same as python",
    "python3.15": "same as python",
    "python3-config": """
        Prints how Python was built.
        flags: --prefix --exec-prefix --includes --libs --cflags --ldflags --extension-suffix --abiflags --configdir
        flags: --embed
        operands: none
    """,
    "python-config": "same as python3-config",
    "pypy": "praxic | runs code\nhelp: -V -h",
    "pypy3": "praxic | runs code\nhelp: -V -h",
    "py": "praxic | runs code\nhelp: -V -h -0 -0p --list --list-paths",
    "ipython": "praxic | runs code\nhelp: -h",
    "bpython": "praxic | runs code\nhelp: -h -V",
    "pydoc": "praxic | imports the module that is named",
    "pydoc3": "praxic | imports the module that is named",
    "cython": "praxic | writes generated code\nhelp: -h -V",
    "2to3": "praxic | may rewrite files\nhelp: -h",
    "micropython": "praxic | runs code\nhelp: -h",
    # ---------------------------------------------------------------- JavaScript
    "node": """
        Runs JavaScript; alone it is a prompt.
        stops
        help: -v -h --v8-options --completion-bash
        form: checks the syntax of a script
        needs: -c --check | runs code
        flags: -c --check --no-warnings
        form: runs code that is given with -e or -p
        any
        code: node
    """,
    "nodejs": "same as node",
    "tsx": "configured\npraxic | runs code\nhelp: -v -h",
    "ts-node": "configured\npraxic | runs code\nhelp: -v -h",
    "ts-node-dev": "configured\npraxic | runs code",
    "vite-node": "configured\npraxic | runs code\nhelp: -v -h",
    "nodemon": "configured\npraxic | runs code\nhelp: -v -h",
    "pm2": "praxic | starts and stops programs\nhelp: -v -h",
    "coffee": "praxic | runs or compiles code\nhelp: -v -h",
    "qjs": "praxic | runs code\nhelp: -h",
    # ---------------------------------------------------------------- Ruby, Perl, PHP, Lua, Tcl
    "ruby": "praxic | runs code\nhelp: -v -h",
    "irb": "praxic | runs code\nhelp: -v -h",
    "pry": "configured\npraxic | runs code\nhelp: -v -h",
    "erb": "praxic | runs code\nhelp: -v -h",
    "jruby": "praxic | runs code\nhelp: -v -h",
    "rails": "configured\npraxic | runs the application's code",
    "rackup": "configured\npraxic | runs the application's code",
    "perl": "praxic | runs code (-c too: BEGIN blocks)\nhelp: -v -V -h -?",
    "raku": "praxic | runs code\nhelp: -v -h",
    "php": """
        Runs PHP.
        stops
        help: -v -h -? -m -i --modules --info --ini
        form: checks the syntax of scripts
        needs: -l --syntax-check | runs code
        flags: -l --syntax-check -n --no-php-ini
    """,
    "artisan": "configured\npraxic | runs the application's code",
    "lua": "praxic | runs code\nhelp: -v",
    "luajit": "praxic | runs code\nhelp: -v",
    "luac": """
        Compiles Lua.
        stops
        help: -v
        needs: -p | writes luac.out
        flags: -p -l -v
        writes: -o | puts its result into the file that is named
    """,
    "tclsh": "praxic | runs code",
    "wish": "praxic | runs code",
    "expect": "praxic | runs code and other programs\nhelp: -v",
    # ---------------------------------------------------------------- Java and its relatives
    "java": "praxic | runs code\nhelp: -version --version -showversion -h -help -? -X --help-extra --list-modules",
    "javac": "praxic | writes classes, and may run annotation processors\nhelp: -version -help -X --help-extra",
    "jshell": "praxic | runs code\nhelp: -h",
    "javadoc": "praxic | writes documentation, and may run doclets",
    "javap": """
        Prints what is in class files.
        long
        code: plain
        help: -version -h -help -?
        flags: -c -p -private -v -verbose -s -l -public -protected -package -constants -sysinfo
        optional: -cp -classpath --class-path -m --module --module-path
        praxic: -J | gives options to the virtual machine
    """,
    "jar": """
        Lists, writes or unpacks archives of Java.
        old
        code: plain
        needs: -t --list -d --describe-module | writes or unpacks an archive
        flags: -t --list -d --describe-module -v --verbose
        values: -f --file
        praxic: -J -c --create -x --extract -u --update -i --generate-index -C -M -m -e | writes or unpacks an archive
        praxic: -0 | writes or unpacks an archive
    """,
    "jps": "flags: -q -m -l -v -V -lv -vl -lm -ml -mlv -lvm -lmv -mlvV\nlong\noperands: none\nhelp: -h -help -?",
    "jdeps": "praxic | may write files\nhelp: -h -version",
    "jlink": "praxic | writes a run-time image",
    "jpackage": "praxic | writes an application",
    "jcmd": "praxic | sends commands to a running virtual machine\nhelp: -l -h",
    "jstack": "praxic | attaches to a running virtual machine\nhelp: -h -help",
    "jmap": "praxic | attaches to a running virtual machine\nhelp: -h -help",
    "keytool": "praxic | changes key stores",
    "kotlin": "praxic | runs code\nhelp: -version -h -help",
    "kotlinc": "praxic | writes classes\nhelp: -version -h -help",
    "kscript": "praxic | runs code",
    "scala": "praxic | runs code\nhelp: -version -h -help",
    "scalac": "praxic | writes classes\nhelp: -version -h -help",
    "scala-cli": "configured\npraxic | runs code\nhelp: -h",
    "groovy": "praxic | runs code\nhelp: -v -h",
    "clojure": "configured\npraxic | runs code\nhelp: -h",
    "clj": "configured\npraxic | runs code\nhelp: -h",
    "bb": "configured\npraxic | runs code",
    "jbang": "praxic | downloads and runs code",
    # ---------------------------------------------------------------- Compiled languages
    "rustc": """
        Compiles Rust.
        configured
        code: no_equals
        help: -V -vV -h --print=sysroot --print=cfg --print=target-list --print=target-libdir --print=host-tuple
        form: prints what it knows
        needs: --print | compiles, and writes what it built
        flags: --print -v --verbose
        operands: read
        form: prints its version
        needs: -V --version | compiles, and writes what it built
        flags: -V --version -v --verbose
        operands: none
        form: explains an error
        needs: --explain | compiles, and writes what it built
        values: --explain
        operands: none
    """,
    "rustdoc": "praxic | writes documentation\nhelp: -V -h",
    "miri": "praxic | runs code",
    "swift": "configured\npraxic | builds or runs code\nhelp: -h -version",
    "swiftc": "praxic | writes what it built\nhelp: -h -version",
    "xcrun": """
        Runs a tool of Xcode.
        help: -h --show-sdk-path --show-sdk-version --show-sdk-platform-path
        long
        stops
        subcommands
        values: -sdk --sdk -f -find --find
    """,
    "xcrun simctl": "subcommands",
    "xcrun simctl list": """
        Lists simulators.
        flags: -j --json -v
        operands: read...
    """,
    "xcrun simctl getenv": "operands: read...",
    "xcrun simctl get_app_container": "operands: read...",
    "xcrun simctl listapps": "operands: read...",
    "xcodebuild": "configured\npraxic | builds the project\nhelp: -version -showsdks -usage",
    "xcode-select": "praxic | may change which tools are used\nhelp: -p --print-path -v -h",
    "ghc": """
        Compiles Haskell.
        praxic | writes what it built
        help: -V -? --numeric-version --info --print-libdir --supported-extensions --supported-languages
    """,
    "ghci": "configured\npraxic | runs code\nhelp: -V -?",
    "runghc": "praxic | runs code\nhelp: --numeric-version",
    "runhaskell": "praxic | runs code\nhelp: --numeric-version",
    "ghc-pkg": "subcommands\nhelp: -V -?",
    "ghc-pkg list": "flags: --user --global --simple-output --names-only -v",
    "ghc-pkg describe": "flags: --user --global",
    "ghc-pkg field": "flags: --user --global --simple-output",
    "ocaml": "configured\npraxic | runs code\nhelp: -version -vnum -help",
    "ocamlc": "praxic | writes what it built\nhelp: -version -vnum -help -where -config -v",
    "ocamlopt": "praxic | writes what it built\nhelp: -version -vnum -help -where -config -v",
    "ocamlfind": "subcommands",
    "ocamlfind list": "long\nflags: -describe",
    "ocamlfind query": """
        long
        flags: -r -recursive -i-format -l-format -o-format -d-format -p-format -long-format -qe -qo
    """,
    "utop": "configured\npraxic | runs code\nhelp: -version -vnum",
    "dune": "configured\npraxic | builds the project, which runs its rules",
    "racket": "praxic | runs code\nhelp: -h",
    "raco": "praxic | builds code, or installs packages",
    "guile": "praxic | runs code\nhelp: -v -h",
    "sbcl": "praxic | runs code",
    "clisp": "praxic | runs code",
    "erl": "praxic | runs code",
    "erlc": "praxic | writes what it built",
    "escript": "praxic | runs code",
    "elixir": "praxic | runs code\nhelp: -v -h",
    "elixirc": "praxic | runs and writes code\nhelp: -v -h",
    "iex": "praxic | runs code\nhelp: -v -h",
    "gleam": "praxic | builds or runs code\nhelp: -h -V",
    "zig": "subcommands\nconfigured",
    "zig version": "operands: none",
    "zig env": "operands: none",
    "zig targets": "operands: none",
    "zig zen": "operands: none",
    "zig ast-check": "Checks the syntax of a file.\nflags: -t\noptional: --color\noperands: read...",
    "zig fmt": """
        Formats files.
        needs: --check --stdin | rewrites the files
        flags: --check --stdin --ast-check --zon
        values: --color --exclude
    """,
    "nim": "configured\npraxic | compiles or runs code\nhelp: -v -h",
    "nimble": "configured\npraxic | installs packages, or runs tasks\nhelp: -v -h",
    "crystal": "subcommands\nhelp: -h",
    "crystal version": "operands: none",
    "crystal env": "operands: read...",
    "crystal build": "praxic | compiles code, which runs its macros",
    "dmd": "praxic | writes what it built\nhelp: -h",
    "ldc2": "praxic | writes what it built\nhelp: -h",
    "dub": "configured\npraxic | builds, or installs packages",
    "v": "praxic | compiles or runs code",
    "gfortran": "praxic | writes what it built\nhelp: -v -dumpversion -dumpmachine -print-search-dirs",
    "nasm": "praxic | writes what it built\nhelp: -v -h",
    "solc": "praxic | may write what it built\nhelp: -h",
    "forge": "configured\npraxic | builds, or runs code\nhelp: -h -V",
    "cast": "praxic | may send transactions\nhelp: -h -V",
    "hardhat": "configured\npraxic | runs code of the project",
    "truffle": "configured\npraxic | runs code of the project",
    # ---------------------------------------------------------------- Numbers and data
    "R": "configured\npraxic | runs code\nhelp: -h RHOME",
    "Rscript": "configured\npraxic | runs code",
    "julia": "praxic | runs code\nhelp: -v -h",
    "octave": "configured\npraxic | runs code\nhelp: -v -h",
    "matlab": "praxic | runs code",
    "maxima": "praxic | runs code",
    "gp": "praxic | runs code",
    "sage": "praxic | runs code",
    "swipl": "praxic | runs code",
    "gnuplot": "praxic | runs code, and writes pictures\nhelp: -V -h",
    # ---------------------------------------------------------------- Shells
    "bash": """
        A shell.
        stops
        code: shell
        flags: -c -e -u -x -l -v -n -f --login --norc --noprofile --posix --no-rcs
        values: -o
    """,
    "sh": "same as bash",
    "zsh": "same as bash",
    "dash": "same as bash",
    "ksh": """
        A shell.
        stops
        form: checks the syntax of a script, and runs nothing
        code: plain
        needs: -n | runs commands
        flags: -n
    """,
    "ksh93": "same as ksh",
    "mksh": "same as ksh",
    "ash": "same as ksh",
    "rbash": "praxic | runs commands",
    "fish": """
        A shell.
        help: -v -h
        stops
        form: checks the syntax of a script, and runs nothing
        needs: -n --no-execute | runs commands
        flags: -n --no-execute -N --no-config
    """,
    "csh": "praxic | runs commands",
    "tcsh": "praxic | runs commands",
    "elvish": "praxic | runs commands",
    "nu": "praxic | runs commands\nhelp: -v -h",
    "xonsh": "praxic | runs commands",
    "pwsh": "praxic | runs commands\nhelp: -v -h",
    "powershell": "praxic | runs commands",
    "rush": "praxic | runs commands",
}
