"""Cards of build tools, linters, formatters, test runners, release and documentation tools.

A checker that only parses (ruff, shellcheck, tsc --noEmit, gofmt -l) only reads. One that loads plugins or a
configuration written in a programming language (eslint, pytest, mypy, flake8) runs code of the project and is praxic,
as is every build. Publishing is weighty. Most options with a value are listed under `optional:`, so that the word after
them is judged as well.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---------------------------------------------------------------- Build tools
    "make": "praxic | runs the commands of a makefile (-n too: $(shell) and lines with +)\nhelp: -v -h",
    "gmake": "same as make",
    "bmake": "praxic | runs the commands of a makefile",
    "ninja": """
        Builds; some of its tools only look.
        help: -h
        form: looks
        stops
        values: -t -C -f
        flags: -v --verbose --quiet
        needs: -t | runs the commands of a build file
        code: ninja
        form: builds
        praxic | runs the commands of a build file
    """,
    "samu": "praxic | runs the commands of a build file",
    "cmake": """
        Configures builds, and runs scripts and tools of its own.
        praxic | configures or builds a project, or runs a script
        help: -h -V --help-full --help-manual-list --help-command-list --help-module-list --help-policy-list
        help: --help-property-list --help-variable-list --help-commands --help-modules --help-variables
        help: --help-properties
    """,
    "ccmake": "praxic | configures a project",
    "ctest": "praxic | runs the project's tests\nhelp: -h -V",
    "cpack": "praxic | writes packages",
    "meson": "subcommands\nconfigured\nhelp: -h",
    "meson introspect": "praxic | may load data of the build folder that is code",
    "meson setup": "praxic | configures a build",
    "meson compile": "praxic | builds the project",
    "meson test": "praxic | builds and runs the tests",
    "meson install": "praxic | installs the project",
    "autoconf": "praxic | writes a configure script",
    "automake": "praxic | writes makefiles",
    "autoreconf": "praxic | writes a configure script",
    "aclocal": "praxic | writes a file",
    "libtool": "praxic | builds libraries",
    "bazel": "configured\npraxic | runs the workspace's wrapper and its build files",
    "bazelisk": "same as bazel",
    "buck": "configured\npraxic | runs the project's build files",
    "buck2": "configured\npraxic | runs the project's build files\nhelp: -h -V",
    "pants": "configured\npraxic | runs the project's build files",
    "please": "configured\npraxic | runs the project's build files",
    "scons": "configured\npraxic | runs the project's build files\nhelp: -v -h",
    "waf": "configured\npraxic | runs the project's build files",
    "ant": "configured\npraxic | runs the project's build file\nhelp: -version -h -help",
    "xmake": "configured\npraxic | runs the project's build file",
    "premake5": "configured\npraxic | runs the project's build file",
    "gn": "configured\npraxic | runs the project's build files",
    "qmake": "configured\npraxic | writes makefiles",
    "msbuild": "configured\npraxic | runs the project's targets\nhelp: -version -h",
    "earthly": "configured\npraxic | runs the project's build file",
    "just": """
        Runs recipes of a justfile.
        configured
        stops
        help: -h -V
        needs: -l --list --summary -s --show | runs recipes
        flags: -l --list --summary -s --show -u --unsorted --no-aliases --no-deps -q --quiet --list-submodules --groups
        values: --color --list-heading --list-prefix
    """,
    "task": """
        Runs tasks of a Taskfile.
        configured
        operands: none
        help: -h
        needs: -l --list -a --list-all | runs tasks
        flags: -l --list -a --list-all
        values: --sort
    """,
    "go-task": "same as task",
    "rake": "configured\npraxic | runs the project's Rakefile (-T too)\nhelp: -V -h -H",
    "thor": "configured\npraxic | runs code of the project",
    "invoke": "configured\npraxic | runs code of the project\nhelp: -V -h",
    "inv": "same as invoke",
    "fab": "configured\npraxic | runs code of the project\nhelp: -V -h",
    "doit": "configured\npraxic | runs code of the project",
    "mage": "configured\npraxic | builds and runs code of the project\nhelp: -h -version",
    "gulp": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "grunt": "configured\npraxic | runs code of the project\nhelp: -V -h",
    "webpack": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -v -h",
    "webpack-cli": "same as webpack",
    "vite": "configured\npraxic | runs the project's configuration\nhelp: -v -h",
    "rollup": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -v -h",
    "rspack": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -v -h",
    "rolldown": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -v -h",
    "parcel": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -V -h",
    "esbuild": "praxic | writes a bundle",
    "tsup": "configured\npraxic | runs the project's configuration, and writes a bundle\nhelp: -v -h",
    "next": "configured\npraxic | runs the project's code\nhelp: -v -h",
    "nuxt": "configured\npraxic | runs the project's code\nhelp: -h",
    "astro": "configured\npraxic | runs the project's code\nhelp: -h",
    "gatsby": "configured\npraxic | runs the project's code\nhelp: -v -h",
    "remix": "configured\npraxic | runs the project's code\nhelp: -v -h",
    "ng": "configured\npraxic | builds, or changes, the project",
    "vue": "configured\npraxic | creates or changes a project\nhelp: -V -h",
    "expo": "configured\npraxic | builds or runs the project\nhelp: -v -h",
    "react-native": "configured\npraxic | builds or runs the project\nhelp: -v -h",
    "electron": "praxic | runs code\nhelp: -v -h",
    "turbo": "configured\npraxic | runs scripts of the packages\nhelp: -h",
    "nx": "configured\npraxic | runs code of the project",
    "rush-lib": "configured\npraxic | runs scripts of the packages",
    "moon": "configured\npraxic | runs tasks of the project\nhelp: -h -V",
    "wireit": "configured\npraxic | runs scripts of the project",
    "concurrently": "praxic | runs commands\nhelp: -v -h",
    "cross-env": "praxic | runs a command",
    "dotenv": "praxic | runs a command, or changes a file",
    "npm-run-all": "configured\npraxic | runs scripts of the project\nhelp: -v -h",
    "run-s": "configured\npraxic | runs scripts of the project",
    "run-p": "configured\npraxic | runs scripts of the project",
    "wait-on": "praxic | may load a configuration that is code\nhelp: -v -h",
    "rimraf": "praxic | removes files\nhelp: -h",
    "tailwindcss": "configured\npraxic | runs the project's configuration, and writes a file\nhelp: -h",
    "postcss": "configured\npraxic | runs the project's configuration, and writes files\nhelp: -h",
    "sass": "praxic | writes style sheets\nhelp: -h",
    "lessc": "praxic | runs code of style sheets, and writes files\nhelp: -v -h",
    "babel": "configured\npraxic | runs the project's configuration, and writes files\nhelp: -V -h",
    "swc": "configured\npraxic | may load plugins, and writes files\nhelp: -V -h",
    "terser": "praxic | may write files\nhelp: -V -h",
    # ---------------------------------------------------------------- Checkers of JavaScript and TypeScript
    "tsc": """
        Compiles TypeScript, which writes files; with --noEmit it only checks.
        configured
        help: -v -h --all
        code: tsc
        needs: --noEmit --showConfig --listFilesOnly | writes what it compiled
        flags: --noEmit --showConfig --listFilesOnly --skipLibCheck --skipDefaultLibCheck --strict --pretty
        flags: --noErrorTruncation
        flags: --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --noImplicitAny
        flags: --noImplicitThis
        flags: --noImplicitReturns --noImplicitOverride --noUnusedLocals --noUnusedParameters
        flags: --noFallthroughCasesInSwitch
        flags: --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature --exactOptionalPropertyTypes
        flags: --strictNullChecks
        flags: --strictFunctionTypes --strictBindCallApply --strictPropertyInitialization --strictBuiltinIteratorReturn
        flags: --useUnknownInCatchVariables --alwaysStrict --allowSyntheticDefaultImports --experimentalDecorators
        flags: --emitDecoratorMetadata --downlevelIteration --forceConsistentCasingInFileNames
        flags: --allowImportingTsExtensions
        flags: --allowArbitraryExtensions --allowUnreachableCode --allowUnusedLabels --verbatimModuleSyntax
        flags: --erasableSyntaxOnly --preserveSymlinks --noLib --noResolve --listFiles --explainFiles --diagnostics
        flags: --extendedDiagnostics --traceResolution --useDefineForClassFields --ignoreConfig --quiet -q
        optional: --lib --types --typeRoots --customConditions --paths
        values: -p --project -t --target -m --module --moduleResolution --jsx --jsxImportSource --jsxFactory --baseUrl
        values: --rootDir --locale --moduleDetection --ignoreDeprecations --maxNodeModuleJsDepth
        values: --incremental
        praxic: -b --build --init -w --watch -i --composite --tsBuildInfoFile | writes files
        praxic: --generateTrace | writes files
        praxic: --generateCpuProfile --pprofDir --outDir --outFile --declaration -d --declarationDir | writes files
        praxic: --emitDeclarationOnly --plugins | writes files
    """,
    "vue-tsc": "configured\npraxic | loads plugins that the project's configuration names\nhelp: -v -h",
    "tsgo": "same as tsc",
    "eslint": "configured\npraxic | runs the project's configuration and plugins\nhelp: -v -h",
    "eslint_d": "configured\npraxic | runs the project's configuration and plugins\nhelp: -v -h",
    "prettier": "configured\npraxic | runs the project's configuration and plugins\nhelp: -v -h",
    "oxlint": "configured\npraxic | may load plugins of the project\nhelp: -V -h",
    "stylelint": "configured\npraxic | runs the project's configuration and plugins\nhelp: -v -h",
    "standard": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "xo": "configured\npraxic | runs the project's configuration and plugins",
    "tslint": "configured\npraxic | runs the project's rules\nhelp: -v -h",
    "jshint": "configured\npraxic | may load a reporter of the project\nhelp: -v -h",
    "knip": "configured\npraxic | runs configurations of the project\nhelp: -V -h",
    "depcheck": "configured\npraxic | runs configurations of the project",
    "madge": "configured\npraxic | runs configurations of the project\nhelp: -V -h",
    "cspell": "configured\npraxic | runs the project's configuration\nhelp: -V -h",
    "commitlint": "configured\npraxic | runs the project's configuration\nhelp: -v -h",
    "lint-staged": "configured\npraxic | runs commands on staged files\nhelp: -V -h",
    "husky": "praxic | installs hooks",
    "lefthook": "configured\npraxic | installs or runs hooks\nhelp: -h",
    "markdownlint": "configured\npraxic | runs rules of the project\nhelp: -V -h",
    "markdownlint-cli2": "configured\npraxic | runs rules of the project",
    "biome": "subcommands\nconfigured\nhelp: -h -V",
    "biome check": """
        Checks source files.
        configured
        flags: --staged --changed --verbose --skip-parse-errors --no-errors-on-unmatched --error-on-warnings
        flags: --profile-rules
        flags: --json --json-pretty
        optional: --since --colors --config-path --max-diagnostics --reporter --diagnostic-level --stdin-file-path
        optional: --only
        optional: --skip --linter-enabled --formatter-enabled --assist-enabled --organize-imports-enabled
        optional: --enforce-assist
        optional: --indent-style --indent-width --line-width --line-ending --files-max-size --files-ignore-unknown
        optional: --vcs-enabled --vcs-client-kind --vcs-use-ignore-file --vcs-root --vcs-default-branch --log-level
        optional: --log-kind
        optional: --format-with-errors
        praxic: --write --fix --apply --apply-unsafe --unsafe --suppress --fix-only --watch | changes the files
        praxic: --log-file --log-path --reporter-file | writes a file
    """,
    "biome lint": "same as biome check",
    "biome format": "same as biome check",
    "biome ci": "same as biome check",
    "biome explain": "operands: read...",
    "biome rage": "configured\nflags: --daemon-logs --formatter --linter\noperands: none",
    "biome version": "operands: none",
    "biome init": "praxic | writes a configuration",
    "biome migrate": "praxic | changes the configuration",
    # ---------------------------------------------------------------- Checkers of Python
    "ruff": "subcommands\nalone\nconfigured\nhelp: -h -V\nflags: -q --quiet -v --verbose -s --silent --isolated",
    "ruff check": """
        Looks for mistakes in Python files.
        configured
        code: plain
        obeys: pyproject.toml ruff.toml .ruff.toml | fix=true fix-only=true extend= \\u
        overrides: --no-fix --isolated --diff
        flags: --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff --ignore-noqa --preview
        flags: --no-preview --statistics --show-files --show-settings --show-source --no-show-source --respect-gitignore
        flags: --no-respect-gitignore --force-exclude --no-force-exclude -n --no-cache -e --exit-zero
        flags: --exit-non-zero-on-fix -v --verbose -q --quiet -s --silent --isolated
        optional: --output-format --target-version --extension --select --ignore --extend-select --extend-ignore
        optional: --per-file-ignores --extend-per-file-ignores --fixable --unfixable --extend-fixable --extend-unfixable
        optional: --exclude --extend-exclude --stdin-filename --color --line-length
        writes: -o --output-file | puts its result into the file that is named
        praxic: --fix --fix-only --add-noqa --add-ignore | changes the files
        praxic: --config --cache-dir -w --watch | may turn fixes on, or writes its cache elsewhere
    """,
    "ruff format": """
        Formats Python files.
        configured
        code: plain
        needs: --check --diff | rewrites the files
        flags: --check --diff --preview --no-preview --respect-gitignore --no-respect-gitignore --force-exclude
        flags: --no-force-exclude -n --no-cache --exit-non-zero-on-format -v --verbose -q --quiet -s --silent --isolated
        optional: --extension --target-version --output-format --stdin-filename --exclude --extend-exclude --line-length
        optional: --range --color
        praxic: --config --cache-dir | changes the configuration
    """,
    "ruff rule": "flags: --all\noptional: --output-format --format\ncode: plain",
    "ruff linter": "optional: --output-format --format\noperands: none",
    "ruff config": "optional: --output-format\ncode: plain",
    "ruff version": "optional: --output-format\noperands: none",
    "ruff help": "operands: read",
    "ruff analyze": "subcommands\nconfigured",
    "ruff analyze graph": """
        Prints which files import which.
        configured
        code: plain
        flags: --detect-string-imports --preview --no-preview -v --verbose -q --quiet -s --silent --isolated
        optional: --direction --min-dots --target-version
        praxic: --python --config | names an interpreter, or changes the configuration
    """,
    "ruff clean": "praxic | empties ruff's cache",
    "ruff server": "praxic | starts a server",
    "black": """
        Formats Python files.
        configured
        help: -h
        needs: --check --diff | rewrites the files
        flags: --check --diff --pyi --ipynb -x --skip-source-first-line -S --skip-string-normalization -C
        flags: --skip-magic-trailing-comma --preview --unstable --color --no-color --fast --safe -q --quiet -v --verbose
        flags: --no-cache
        values: -l --line-length -t --target-version --line-ranges --required-version --exclude --extend-exclude
        values: --force-exclude --include --stdin-filename -W --workers --config --enable-unstable-feature
        praxic: --cache-dir | writes its cache elsewhere
    """,
    "isort": """
        Sorts imports of Python files.
        configured
        help: -h -V --vn --version-number
        needs: -c --check-only --check --df --diff --show-files --show-config | rewrites the files
        flags: -c --check-only --check --df --diff -d --stdout --show-files --show-config -v --verbose -q --quiet
        flags: --color
        flags: --ws --ignore-whitespace --filter-files --gitignore --skip-gitignore --resolve-all-configs --om
        flags: --only-modified --tc --trailing-comma --up --use-parentheses --ca --combine-as --sl --ff --from-first
        flags: --force-single-line-imports --fss --force-sort-within-sections --float-to-top --dont-follow-links
        optional: --profile -j --jobs -l -w --line-length --line-width -s --skip --extend-skip --sg --skip-glob
        optional: --extend-skip-glob --sp --settings-path --settings-file --settings -m --multi-line -p --project --src
        optional: --src-path --py --python-version --filename -o --thirdparty
        praxic: --interactive --overwrite-in-place --formatter --ac --atomic --apply -y | rewrites the files
    """,
    "pyright": """
        Checks types of Python files.
        configured
        help: -h
        flags: --dependencies --ignoreexternal --outputjson --skipunannotated --stats --verbose --warnings
        optional: --level -p --project --pythonplatform --pythonversion -t --typeshedpath --threads -v --venvpath
        optional: --verifytypes
        praxic: --createstub --writebaseline --baselinefile | writes files
        praxic: --pythonpath -w --watch | runs the interpreter that is named
    """,
    "basedpyright": "same as pyright",
    "ty": "subcommands\nconfigured\nhelp: -h -V",
    "ty check": """
        Checks types of Python files.
        configured
        code: plain
        flags: -v --verbose -q --quiet --error-on-warning --exit-zero --exit-zero-on-warning --respect-ignore-files
        flags: --no-respect-ignore-files --force-exclude --exclude-scripts --no-progress
        optional: --typeshed --extra-search-path --python-version --python-platform --output-format --error --warn
        optional: --ignore
        optional: --exclude --color --baseline
        praxic: --fix --add-ignore --update-baseline -W --watch | changes files
        praxic: --python --project -c --config --config-file | names an interpreter, or changes the configuration
    """,
    "ty version": "operands: none",
    "mypy": "configured\npraxic | runs plugins that the project's configuration names\nhelp: -V -h",
    "dmypy": "configured\npraxic | starts a server that runs plugins of the project\nhelp: -h",
    "stubgen": "praxic | writes stubs\nhelp: -h",
    "stubtest": "praxic | imports the modules\nhelp: -h",
    "pyre": "configured\npraxic | starts a server\nhelp: -h",
    "pytype": "configured\npraxic | writes inferred types\nhelp: -h",
    "flake8": "configured\npraxic | may run plugins of the project\nhelp: -h",
    "pylint": "configured\npraxic | runs plugins and code that the project's configuration names\nhelp: -h",
    "pyflakes": "Looks for mistakes in Python files.\nhelp: -h\nflags: --verbose",
    "pycodestyle": """
        Checks the style of Python files.
        help: -h
        flags: -v --verbose -q --quiet -r --repeat --first --show-source --show-pep8 --statistics --count --hang-closing
        flags: --diff --benchmark
        optional: --exclude --filename --select --ignore --max-line-length --max-doc-length --indent-size --format
        optional: --config
    """,
    "pydocstyle": """
        Checks docstrings.
        help: -h
        flags: -e --explain -s --source -d --debug -v --verbose --count --ignore-self-only-init
        optional: --config --match --match-dir --ignore-decorators --property-decorators --select --ignore --convention
        optional: --add-select --add-ignore
    """,
    "vulture": """
        Looks for code that is not used.
        help: -h
        flags: --make-whitelist --sort-by-size -v --verbose
        optional: --exclude --ignore-decorators --ignore-names --min-confidence --config
    """,
    "radon": "subcommands\nconfigured\nhelp: -h -v",
    "radon cc": """
        Measures code.
        configured
        flags: -s --show-complexity --show -a --average -j --json --no-assert --show-closures --total-average --xml --md
        flags: --codeclimate --include-ipynb --ipynb-cells -m --multi --summary -f --functions
        optional: -n --min -x --max -e --exclude -i --ignore -o --order --sort
        writes: -O --output-file | puts its result into the file that is named
    """,
    "radon mi": "same as radon cc",
    "radon raw": "same as radon cc",
    "radon hal": "same as radon cc",
    "bandit": "configured\npraxic | a .bandit file among the sources can name a file to write\nhelp: -h",
    "autopep8": "configured\npraxic | may rewrite files\nhelp: -h",
    "yapf": "configured\npraxic | may rewrite files\nhelp: -h -v",
    "autoflake": "configured\npraxic | may rewrite files\nhelp: -h",
    "pyupgrade": "praxic | rewrites files\nhelp: -h",
    "docformatter": "configured\npraxic | may rewrite files\nhelp: -h",
    "codespell": """
        Looks for misspelled words.
        configured
        help: -h
        flags: -d --disable-colors -c --enable-colors -s --summary --count -e --hard-encoding-detection -f
        flags: --check-filenames -H --check-hidden --ignore-sic --stdin-single-line
        optional: -D --dictionary --builtin --ignore-regex --ignore-multiline-regex -I --ignore-words -L
        optional: --ignore-words-list
        optional: --uri-ignore-words-list -r --regex --uri-regex -S --skip -x --exclude-file -q --quiet-level
        optional: -A --after-context -B --before-context -C --context
        praxic: -w --write-changes -i --interactive --config --toml | changes the files
    """,
    "typos": """
        Looks for misspelled words.
        configured
        help: -h -V
        flags: --diff --files --hidden --no-ignore --no-check-filenames --no-check-files --no-unicode -q --quiet -v
        flags: --verbose
        flags: --sort --binary --force-exclude --locale
        optional: --format --color -j --threads --exclude --type
        praxic: -w --write-changes --config -c --write --dump-config | changes the files
    """,
    # ---------------------------------------------------------------- Checkers of other languages
    "shellcheck": "any",
    "shfmt": """
        Formats shell scripts.
        long
        help: -h -version
        flags: -l --list -d --diff -f --find -s --simplify -mn --minify -bn --binary-next-line -ci --case-indent
        flags: -sr --space-redirects -kp --keep-padding -fn --func-next-line --apply-ignore
        optional: -i --indent -ln --language-dialect -filename --filename
        praxic: -w --write | rewrites the files
    """,
    "hadolint": """
        Checks Dockerfiles.
        help: -h -v
        flags: --no-fail --no-color -V --verbose --disable-ignore-pragma --strict-labels
        optional: -c --config -f --format --error --warning --info --style --ignore --trusted-registry --require-label
        optional: -t --failure-threshold --file-path-in-report
    """,
    "yamllint": """
        Checks YAML files.
        help: -h -v
        flags: --list-files -s --strict --no-warnings
        optional: -c --config-file -d --config-data -f --format
    """,
    "actionlint": """
        Checks workflows of GitHub Actions.
        long
        configured
        help: -h -version
        flags: -color -no-color -oneline -verbose -debug --color --no-color --oneline --verbose --debug
        optional: -format -ignore -config-file -stdin-filename --format --ignore --config-file --stdin-filename
        praxic: -shellcheck -pyflakes -init-config --shellcheck --pyflakes | runs a program, or writes a file
        praxic: --init-config | runs a program, or writes a file
    """,
    "zizmor": "praxic | may change files\nhelp: -h -V",
    "checkmake": "praxic | not known well enough",
    "jsonlint": "praxic | may rewrite files\nhelp: -h -v",
    "taplo": "subcommands\nconfigured\nhelp: -h -V",
    "taplo lint": """
        configured
        flags: --no-auto-config --no-schema --default-schema-catalogs --verbose
        optional: --colors
    """,
    "taplo check": "same as taplo lint",
    "taplo format": """
        Formats TOML files.
        configured
        needs: --check | rewrites the files
        flags: --check --diff --no-auto-config --verbose
        optional: --colors
    """,
    "taplo fmt": "same as taplo format",
    "sqlfluff": "configured\npraxic | may load code that the project's configuration names\nhelp: -h",
    "vale": "configured\npraxic | may run scripts of its styles\nhelp: -h -v",
    "proselint": "praxic | not known well enough\nhelp: -h",
    "gofmt": """
        Formats Go files.
        long
        help: -h
        flags: -l -d -e -s
        optional: -r
        praxic: -w -cpuprofile | rewrites the files
    """,
    "gofumpt": "same as gofmt",
    "goimports": """
        Formats Go files and their imports.
        long
        configured
        flags: -l -d -e -v -format-only
        optional: -local -srcdir
        praxic: -w -cpuprofile -memprofile -memrate -trace | rewrites the files, or writes a profile
    """,
    "golint": "long\nflags: -set_exit_status\noptional: -min_confidence",
    "staticcheck": """
        Looks for mistakes in Go packages.
        long
        configured
        help: -h -version
        flags: -show-ignored -matrix -merge -list-checks
        optional: -checks -explain -f -fail -go -tags -tests
    """,
    "govulncheck": """
        Looks for known weaknesses of a Go program.
        long
        configured
        help: -h
        flags: -json -test
        optional: -mode -tags -show -scan -format
        praxic: -C -db | takes its configuration from elsewhere
    """,
    "golangci-lint": "subcommands\nconfigured\nhelp: -h",
    "golangci-lint linters": "configured\nflags: --json\noperands: none",
    "golangci-lint version": "flags: --short --debug --json\noperands: none",
    "golangci-lint run": "praxic | may load plugins, and may change files",
    "golangci-lint fmt": "praxic | rewrites the files",
    "revive": "praxic | not known well enough",
    "gopls": "praxic | starts a server, or changes files",
    "goreleaser": "weighty | builds and publishes a release\nhelp: -h -v",
    "rustfmt": """
        Formats Rust files.
        configured
        help: -V -h
        needs: --check | rewrites the files
        flags: --check -l --files-with-diff -v --verbose -q --quiet
        values: --edition --style-edition --color --config-path
        praxic: --config --emit --backup --print-config | may make it rewrite the files
    """,
    "clang-format": """
        Formats C and its relatives; prints the result.
        long
        code: plain
        help: -version -help --help-list --help-hidden
        flags: --Werror --dry-run -n --dump-config -dump-config --fail-on-incomplete-format --output-replacements-xml
        flags: -output-replacements-xml --sort-includes -sort-includes --verbose -verbose
        optional: --Wno-error --assume-filename -assume-filename --cursor -cursor --fallback-style -fallback-style
        optional: --ferror-limit --files -files --length -length --lines -lines --offset -offset --qualifier-alignment
        optional: --style -style
        praxic: -i --i | rewrites the files
    """,
    "clang-tidy": "configured\npraxic | may load plugins that compiler options name\nhelp: -h",
    "clang-check": "configured\npraxic | may load plugins that compiler options name",
    "cppcheck": """
        Looks for mistakes in C and C++.
        help: -h --errorlist --doc
        flags: --check-config --check-library -E -f --force --fsigned-char --funsigned-char --inconclusive
        flags: --inline-suppr
        flags: -q --quiet --report-progress -v --verbose --xml --no-check-headers
        optional: --check-level --config-exclude --disable --enable --error-exitcode --exitcode-suppress --file-filter
        optional: --file-list --includes-file --include --language -x --max-configs --max-ctu-depth --output-format
        optional: --platform
        optional: --showtime --std --suppress --suppressions-list --suppress-xml --template --template-location
        optional: --xml-version
        optional: -I -i -j -l -D -U --library --relative-paths --report-type --check-headers
        praxic: --addon --addon-python --clang --clang-tidy --project | runs a program, or writes files
        praxic: --project-configuration --cppcheck-build-dir --dump | runs a program, or writes files
        praxic: --output-file --plist-output --checkers-report --rule-file --executor --safety | writes a file
    """,
    "cpplint": "configured\npraxic | not known well enough",
    "swiftlint": "configured\npraxic | may change files\nhelp: -h",
    "swiftformat": "configured\npraxic | rewrites files\nhelp: -h",
    "swift-format": "configured\npraxic | may rewrite files\nhelp: -h -v",
    "ktlint": "configured\npraxic | may load rule sets, or rewrite files\nhelp: -h -v",
    "detekt": "configured\npraxic | may load plugins, and writes reports",
    "checkstyle": "configured\npraxic | loads checks that the configuration names\nhelp: -h -V",
    "scalafmt": "configured\npraxic | rewrites files\nhelp: -h -v",
    "google-java-format": """
        Formats Java files; prints the result.
        code: plain
        help: -h
        flags: -n --dry-run --set-exit-if-changed -a --aosp --fix-imports-only --skip-sorting-imports
        flags: --skip-removing-unused-imports --skip-reflowing-long-strings --skip-javadoc-formatting
        optional: --assume-filename --lines --offset --length
        praxic: -i --replace | rewrites the files
    """,
    "rubocop": "configured\npraxic | loads code that the project's configuration names\nhelp: -v -V -h",
    "standardrb": "configured\npraxic | loads code that the project's configuration names\nhelp: -v -h",
    "reek": "configured\npraxic | not known well enough\nhelp: -v -h",
    "brakeman": "configured\npraxic | may write a report\nhelp: -v -h",
    "sorbet": "configured\npraxic | may change files",
    "srb": "configured\npraxic | may change files",
    "phpcs": "configured\npraxic | loads code that the project's configuration names\nhelp: -h",
    "phpcbf": "configured\npraxic | rewrites files\nhelp: -h",
    "php-cs-fixer": "configured\npraxic | runs the project's configuration, and rewrites files\nhelp: -h -V",
    "phpstan": "configured\npraxic | runs code that the project's configuration names\nhelp: -h -V",
    "psalm": "configured\npraxic | runs plugins of the project\nhelp: -h -v",
    "rector": "configured\npraxic | runs the project's configuration, and rewrites files\nhelp: -h -V",
    "pint": "configured\npraxic | rewrites files\nhelp: -h -V",
    "perlcritic": "configured\npraxic | may load policies of the project\nhelp: -h -V",
    "perltidy": "configured\npraxic | writes files\nhelp: -h -v",
    "luacheck": "configured\npraxic | runs the project's configuration\nhelp: -h -v",
    "stylua": """
        Formats Lua files.
        configured
        help: -h -V
        needs: -c --check | rewrites the files
        flags: -c --check -a --allow-hidden -v --verbose --respect-ignores --verify
        optional: --color -g --glob --output-format --num-threads
    """,
    "credo": "configured\npraxic | runs checks of the project",
    "hlint": "configured\npraxic | may change files\nhelp: -h -V",
    "ormolu": """
        Formats Haskell files; prints the result.
        help: -h -v
        flags: --check-idempotence -u --unsafe -p --no-cabal
        praxic: -i --mode -m | may rewrite the files
    """,
    "ast-grep": """
        Searches code by its syntax.
        configured
        help: -h -V
        needs: -p --pattern --rule --inline-rules | may change files, or start a server
        flags: --follow --stdin --files-with-matches --include-metadata
        optional: -p --pattern --selector --strictness -k --kind -r --rewrite --rule -l --lang --debug-query
        optional: --no-ignore --globs
        optional: -j --threads --json --color --inspect -A --after -B --before -C --context --heading --inline-rules
        optional: --format
        optional: --report-style --filter --min-severity --error --warning --info --hint --off --max-results
        praxic: -i --interactive -U --update-all -c --config --custom-languages | changes the files, or loads a library
        praxic: -y --yes | changes the files, or loads a library
    """,
    "sg": "praxic | runs a command under another group (or is ast-grep: call it by that name)",
    "comby": "praxic | may rewrite files\nhelp: -h -version",
    "gritql": "praxic | may rewrite files",
    "jscodeshift": "configured\npraxic | runs code on files and rewrites them\nhelp: -h",
    "difft": """
        Compares files by their syntax.
        help: -h -V
        flags: --check-only --ignore-comments --skip-unchanged --missing-as-empty --strip-cr --exit-code
        flags: --list-languages
        flags: --syntax-highlight --print-flags
        optional: --context --width --tab-width --display --color --background --override --override-binary --byte-limit
        optional: --graph-limit --parse-error-limit --sort-paths --dump-syntax --dump-ts
    """,
    "difftastic": "same as difft",
    "hyperfine": "praxic | runs commands\nhelp: -h -V",
    # ---------------------------------------------------------------- Compilers and what belongs to them
    "gcc": """
        Compiles C and its relatives.
        form: preprocesses
        long
        needs: -E | writes what it built
        flags: -E -dM -dD -dN -dI -P -C -CC -w -Wall -Wextra -nostdinc -undef -ansi -xc -xc++ -pthread -m32 -m64
        optional: -std -march -mtune
        values: -x -D -U -I -include -isystem
        writes: -o | puts its result into the file that is named
        code: plain
        form: builds
        praxic | writes what it built
        help: -v -dumpversion -dumpfullversion -dumpmachine -dumpspecs -print-search-dirs -print-multi-lib
        help: -print-multiarch
        help: -print-sysroot -print-libgcc-file-name --print-search-dirs -print-multi-directory -print-resource-dir
        help: -print-targets --print-targets -print-target-triple -print-effective-triple
    """,
    "g++": "same as gcc",
    "cc": "same as gcc",
    "c++": "same as gcc",
    "clang": "same as gcc",
    "clang++": "same as gcc",
    "cpp": "praxic | may write files",
    "tcc": "praxic | builds or runs code\nhelp: -v",
    "nvcc": "praxic | writes what it built\nhelp: -V -h",
    "emcc": "praxic | writes what it built\nhelp: -v",
    "ccache": "praxic | runs a compiler\nhelp: -V -h -s --show-stats -p --show-config",
    "sccache": "praxic | runs a compiler\nhelp: -V -h",
    "distcc": "praxic | runs a compiler\nhelp: -h",
    "ld": "praxic | writes what it linked\nhelp: -v -V --verbose",
    "lld": "praxic | writes what it linked",
    "ld.lld": "praxic | writes what it linked\nhelp: -v",
    "mold": "praxic | writes what it linked\nhelp: -v",
    "as": "praxic | writes what it assembled",
    "ranlib": "praxic | changes an archive\nhelp: -h -v",
    "strip": "praxic | changes programs in place\nhelp: -h -V",
    "objcopy": "praxic | changes object files\nhelp: -h -V",
    "install_name_tool": "praxic | changes programs in place",
    "gcov": "praxic | writes reports\nhelp: -h -v",
    "lcov": "praxic | writes reports\nhelp: -h -v",
    "genhtml": "praxic | writes reports\nhelp: -h -v",
    "gcovr": "configured\npraxic | runs gcov, and writes files\nhelp: -h",
    "bison": "praxic | writes generated code\nhelp: -h -V",
    "yacc": "praxic | writes generated code\nhelp: -V",
    "flex": "praxic | writes generated code\nhelp: -h -V",
    "swig": "praxic | writes generated code\nhelp: -help -version",
    "pkg-config": """
        Prints how to build with a library.
        help: -h
        flags: --modversion --cflags --libs --libs-only-l --libs-only-L --libs-only-other --cflags-only-I
        flags: --cflags-only-other --list-all --list-package-names --exists --print-errors --silence-errors
        flags: --short-errors
        flags: --errors-to-stdout --static --shared --print-variables --print-provides --print-requires
        flags: --print-requires-private --uninstalled --keep-system-cflags --keep-system-libs --validate --digraph
        flags: --no-cache --path --simulate --debug
        optional: --variable --define-variable --atleast-version --exact-version --max-version
        optional: --atleast-pkgconfig-version --prefix-variable
        praxic: --log-file --with-path --personality --fragment-tree | writes a file, or takes its data from elsewhere
        praxic: --env --source | writes a file, or takes its data from elsewhere
    """,
    "pkgconf": "same as pkg-config",
    "llvm-config": """
        Prints how LLVM was built.
        flags: --prefix --bindir --includedir --libdir --cmakedir --src-root --obj-root --cppflags --cflags --cxxflags
        flags: --ldflags --system-libs --libs --libnames --libfiles --components --targets-built --host-target
        flags: --build-mode --assertion-mode --build-system --has-rtti --shared-mode --link-shared --link-static
        flags: --ignore-libllvm --quote-paths
    """,
    "llvm-cxxfilt": """
        long
        code: plain
        flags: -n -p -t -s -_ --no-strip-underscore --strip-underscore --types --no-params
    """,
    "llvm-size": """
        code: plain
        flags: -A -B -d -o -x -t --totals -m -l --common
        optional: --format --radix --arch
    """,
    "llvm-cov": "praxic | may write reports",
    "llvm-profdata": "praxic | may write files",
    # ---------------------------------------------------------------- Tests
    "pytest": "configured\npraxic | runs code of the project (--collect-only too)\nhelp: -V -h",
    "py.test": "same as pytest",
    "unittest": "configured\npraxic | runs code of the project",
    "nosetests": "configured\npraxic | runs code of the project",
    "tox": "configured\npraxic | creates environments and runs commands\nhelp: -h",
    "nox": "configured\npraxic | runs code of the project\nhelp: -h",
    "behave": "configured\npraxic | runs code of the project\nhelp: -h",
    "locust": "configured\npraxic | runs code of the project\nhelp: -h -V",
    "hypothesis": "configured\npraxic | may write code\nhelp: -h",
    "mutmut": "configured\npraxic | changes and runs code of the project",
    "coverage": "subcommands\nconfigured\nhelp: -h",
    "coverage debug": "subcommands\nconfigured",
    "coverage debug config": "configured\noperands: none",
    "coverage debug data": "configured\noperands: none",
    "coverage debug premain": "configured\noperands: none",
    "coverage debug pybehave": "configured\noperands: none",
    "coverage debug sys": "praxic | loads plugins that the project's configuration names",
    "coverage help": "operands: read...",
    "coverage report": "praxic | merges parallel data files and removes them",
    "coverage run": "praxic | runs code of the project",
    "coverage html": "praxic | writes a report",
    "coverage xml": "praxic | writes a report",
    "coverage json": "praxic | writes a report",
    "coverage lcov": "praxic | writes a report",
    "coverage annotate": "praxic | writes files",
    "coverage combine": "praxic | merges data files and removes them",
    "coverage erase": "praxic | removes data files",
    "jest": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "vitest": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "mocha": "configured\npraxic | runs code of the project\nhelp: -V -h",
    "ava": "configured\npraxic | runs code of the project",
    "tap": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "tape": "configured\npraxic | runs code of the project",
    "jasmine": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "karma": "configured\npraxic | runs code of the project",
    "cypress": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "playwright": "configured\npraxic | runs code of the project, or installs browsers\nhelp: -V -h",
    "wdio": "configured\npraxic | runs code of the project\nhelp: -h",
    "testcafe": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "nyc": "configured\npraxic | runs a command\nhelp: -h",
    "c8": "configured\npraxic | runs a command\nhelp: -v -h",
    "stryker": "configured\npraxic | changes and runs code of the project\nhelp: -h",
    "storybook": "configured\npraxic | runs code of the project\nhelp: -h",
    "start-storybook": "configured\npraxic | runs code of the project",
    "lighthouse": "praxic | starts a browser, and writes a report",
    "phpunit": "configured\npraxic | runs code of the project\nhelp: -h",
    "pest": "configured\npraxic | runs code of the project\nhelp: -h",
    "codecept": "configured\npraxic | runs code of the project\nhelp: -h -V",
    "rspec": "configured\npraxic | runs code of the project\nhelp: -v -h",
    "minitest": "configured\npraxic | runs code of the project",
    "cucumber": "configured\npraxic | runs code of the project\nhelp: -h",
    "guard": "configured\npraxic | runs code of the project",
    "prove": "configured\npraxic | runs tests\nhelp: -V -h",
    "bats": "praxic | runs tests\nhelp: -v -h",
    "shellspec": "praxic | runs tests\nhelp: -v -h",
    "busted": "configured\npraxic | runs tests\nhelp: -h",
    "gotestsum": "configured\npraxic | runs tests\nhelp: -h",
    "ginkgo": "configured\npraxic | builds and runs tests",
    "dlv": "praxic | runs a program in a debugger\nhelp: -h",
    "cargo-nextest": "configured\npraxic | builds and runs tests",
    "k6": "praxic | runs a script\nhelp: -h",
    "newman": "praxic | sends requests, and may run scripts\nhelp: -v -h",
    "act": "configured\npraxic | runs workflows in containers\nhelp: -h",
    "watchexec": "praxic | runs a command\nhelp: -h -V",
    # ---------------------------------------------------------------- Security
    "semgrep": "configured\npraxic | may change files, and sends data to its maker\nhelp: -h",
    "opengrep": "configured\npraxic | may change files\nhelp: -h",
    "snyk": "configured\npraxic | builds the project, and sends its dependencies to its maker\nhelp: -v -h",
    "codeql": "praxic | builds databases and runs queries",
    "sonar-scanner": "configured\npraxic | sends the code's analysis to a server\nhelp: -v -h",
    "safety": "praxic | sends dependencies to its maker\nhelp: -h",
    "gitleaks": "subcommands\nconfigured\nhelp: -h -v",
    "gitleaks detect": """
        Looks for secrets.
        configured
        flags: --no-git -v --verbose --no-banner --no-color --follow-symlinks --pipe --staged --pre-commit
        optional: --redact -l --log-level --exit-code --max-target-megabytes -f --report-format --enable-rule
        optional: --max-decode-depth
        writes: -r --report-path | puts its result into the file that is named
        praxic: --log-opts -s --source -c --config -b --baseline-path | gives options to git, or looks elsewhere
    """,
    "gitleaks protect": "same as gitleaks detect",
    "gitleaks git": "same as gitleaks detect",
    "gitleaks dir": "same as gitleaks detect",
    "gitleaks stdin": "same as gitleaks detect",
    "gitleaks version": "operands: none",
    "trufflehog": "praxic | tries the secrets that it finds\nhelp: -h",
    "detect-secrets": "configured\npraxic | may load plugins, or write a baseline\nhelp: -h",
    "trivy": "configured\npraxic | downloads data, and its configuration can name files to write\nhelp: -h -v",
    "grype": "configured\npraxic | downloads data, and its configuration can name files to write\nhelp: -h",
    "syft": "configured\npraxic | its configuration can name files to write\nhelp: -h",
    "osv-scanner": "configured\npraxic | may change files\nhelp: -h -v",
    "checkov": "configured\npraxic | may run checks of the project\nhelp: -h -v",
    "tfsec": "configured\npraxic | may run checks of the project\nhelp: -h -v",
    "dependabot": "praxic | updates dependencies",
    "renovate": "configured\npraxic | updates dependencies",
    # ---------------------------------------------------------------- Releases
    "semantic-release": "configured\nweighty | publishes a release\nhelp: -v -h",
    "changeset": "subcommands\nconfigured",
    "changeset publish": "weighty | publishes packages",
    "changesets": "same as changeset",
    "release-it": "configured\nweighty | publishes a release\nhelp: -v -h",
    "np": "configured\nweighty | publishes a package",
    "auto": "configured\nweighty | publishes a release",
    "standard-version": "configured\npraxic | changes versions, commits and tags\nhelp: -h",
    "conventional-changelog": "configured\npraxic | may write the change log",
    "bump2version": "configured\npraxic | changes versions, commits and tags\nhelp: -h",
    "bumpversion": "same as bump2version",
    "bump-my-version": "configured\npraxic | changes versions, commits and tags\nhelp: -h",
    "cz": "configured\npraxic | commits, or changes versions\nhelp: -h",
    "towncrier": "configured\npraxic | writes the change log",
    "git-cliff": "configured\npraxic | may run commands of its configuration, or write a file\nhelp: -h -V",
    "cargo-release": "configured\nweighty | publishes a release\nhelp: -h -V",
    "release-please": "configured\nweighty | changes releases and pull requests",
    "fastlane": "configured\nweighty | builds and publishes an app",
    # ---------------------------------------------------------------- Documentation
    "mkdocs": "configured\npraxic | runs plugins of the project, and writes or publishes a site\nhelp: -h -V",
    "sphinx-build": "configured\npraxic | runs the project's configuration, and writes documents\nhelp: -h",
    "sphinx-quickstart": "praxic | writes a configuration\nhelp: -h",
    "sphinx-apidoc": "praxic | writes documents\nhelp: -h",
    "pdoc": "praxic | imports the modules, and starts a server\nhelp: -h",
    "doxygen": "configured\npraxic | writes documents, and may run filters\nhelp: -v -h",
    "typedoc": "configured\npraxic | runs the project's configuration, and writes documents\nhelp: -v -h",
    "jsdoc": "configured\npraxic | runs plugins, and writes documents\nhelp: -v -h",
    "jekyll": "configured\npraxic | runs plugins of the project, and writes a site\nhelp: -v -h",
    "hugo": "configured\npraxic | writes a site\nhelp: -h",
    "mdbook": "configured\npraxic | runs preprocessors, and writes a book\nhelp: -h -V",
    "docusaurus": "configured\npraxic | runs the project's configuration, and writes a site\nhelp: -V -h",
    "vitepress": "configured\npraxic | runs the project's configuration, and writes a site",
    "eleventy": "configured\npraxic | runs the project's configuration, and writes a site",
    "zola": "configured\npraxic | writes a site\nhelp: -h -V",
    "quarto": "configured\npraxic | runs code, and writes or publishes documents\nhelp: -h -V",
    "yard": "configured\npraxic | writes documents",
    "rdoc": "configured\npraxic | writes documents\nhelp: -v -h",
    "latexmk": "configured\npraxic | runs its configuration, and writes documents\nhelp: -v -h",
    "pdflatex": "praxic | writes documents",
    "xelatex": "praxic | writes documents",
    "lualatex": "praxic | runs code, and writes documents",
    "bibtex": "praxic | writes files",
    "typst": "praxic | writes documents\nhelp: -h -V",
    "asciidoctor": "praxic | writes documents\nhelp: -v -V -h",
    # ---------------------------------------------------------------- Generated code
    "protoc": "praxic | runs plugins, and writes code\nhelp: -h",
    "buf": "configured\npraxic | may run plugins, write code or publish\nhelp: -h",
    "grpc_tools": "praxic | writes code",
    "thrift": "praxic | writes code\nhelp: -version -help",
    "flatc": "praxic | writes code\nhelp: -h",
    "openapi-generator": "praxic | writes code",
    "openapi-generator-cli": "praxic | writes code",
    "swagger-cli": "praxic | may write files\nhelp: -V -h",
    "swagger-codegen": "praxic | writes code",
    "spectral": "configured\npraxic | runs rules of the project\nhelp: -h",
    "redocly": "configured\npraxic | runs plugins of the project\nhelp: -h",
    "graphql-codegen": "configured\npraxic | runs the project's configuration, and writes code\nhelp: -h",
    "sqlc": "configured\npraxic | writes code\nhelp: -h",
    "mockgen": "praxic | builds and runs code, and writes code\nhelp: -version",
    "wire": "configured\npraxic | writes code",
    "stringer": "praxic | writes code",
    "cookiecutter": "praxic | runs hooks of a template, and writes a project\nhelp: -h -V",
    "copier": "praxic | runs tasks of a template, and writes a project\nhelp: -h -v",
    "yo": "praxic | runs a generator\nhelp: -h",
    "plop": "configured\npraxic | runs a generator\nhelp: -v -h",
    "hygen": "configured\npraxic | runs a generator",
    "create-react-app": "praxic | creates a project\nhelp: -V -h",
    "create-next-app": "praxic | creates a project\nhelp: -v -h",
    "create-vite": "praxic | creates a project",
    "degit": "praxic | downloads a project",
    # ---------------------------------------------------------------- Servers, notebooks, frameworks, databases' tools
    "http-server": "praxic | starts a server\nhelp: -v -h",
    "serve": "praxic | starts a server\nhelp: -v -h",
    "live-server": "praxic | starts a server\nhelp: -v -h",
    "json-server": "praxic | starts a server that changes its file\nhelp: -v -h",
    "browser-sync": "praxic | starts a server\nhelp: -h",
    "ngrok": "praxic | opens the machine to the outside\nhelp: -h -v",
    "cloudflared": "praxic | opens the machine to the outside\nhelp: -h -v",
    "jupyter": """
        Starts notebooks, or converts and runs them.
        praxic | starts a server, or runs notebooks
        help: -h --paths --config-dir --data-dir --runtime-dir
    """,
    "jupyter-lab": "praxic | starts a server\nhelp: -h",
    "jupyter-notebook": "praxic | starts a server\nhelp: -h",
    "jupyter-nbconvert": "praxic | writes files, and may run notebooks\nhelp: -h",
    "nbstripout": "praxic | rewrites notebooks\nhelp: -h",
    "jupytext": "praxic | writes files\nhelp: -h",
    "papermill": "praxic | runs notebooks\nhelp: -h",
    "streamlit": "configured\npraxic | runs an application",
    "gradio": "configured\npraxic | runs an application",
    "gunicorn": "configured\npraxic | runs an application\nhelp: -v -h",
    "uvicorn": "configured\npraxic | runs an application",
    "hypercorn": "configured\npraxic | runs an application\nhelp: -h",
    "daphne": "configured\npraxic | runs an application\nhelp: -h",
    "fastapi": "configured\npraxic | runs an application\nhelp: -v",
    "flask": "configured\npraxic | runs an application",
    "django-admin": "configured\npraxic | runs the project's code, or writes files",
    "manage.py": "configured\npraxic | runs the project's code",
    "celery": "configured\npraxic | runs an application\nhelp: -h",
    "scrapy": "configured\npraxic | runs code of the project",
    "puma": "configured\npraxic | runs an application\nhelp: -V -h",
    "unicorn": "configured\npraxic | runs an application\nhelp: -v -h",
    "foreman": "configured\npraxic | runs the commands of a Procfile",
    "overmind": "configured\npraxic | runs the commands of a Procfile\nhelp: -h -v",
    "honcho": "configured\npraxic | runs the commands of a Procfile\nhelp: -h",
    "alembic": "configured\npraxic | runs the project's code, and may change a database\nhelp: -h",
    "prisma": "subcommands\nconfigured\nhelp: -h",
    "prisma migrate": "subcommands\nconfigured",
    "prisma migrate dev": "praxic | changes a database, and writes migrations",
    "prisma migrate deploy": "praxic | changes a database",
    "prisma migrate resolve": "praxic | changes a database",
    "prisma migrate reset": "weighty | drops the database",
    "prisma db": "subcommands\nconfigured",
    "prisma db push": "praxic | changes a database\nweighty: --force-reset --accept-data-loss | destroys data",
    "prisma db pull": "praxic | rewrites the schema",
    "prisma db seed": "praxic | runs code on a database",
    "prisma db execute": "praxic | changes a database",
    "sequelize": "configured\npraxic | runs the project's code, and changes a database",
    "sequelize-cli": "same as sequelize",
    "knex": "configured\npraxic | runs the project's code, and changes a database\nhelp: -h -V",
    "typeorm": "configured\npraxic | runs the project's code, and changes a database\nhelp: -h",
    "drizzle-kit": "configured\npraxic | runs the project's configuration, and may change a database\nhelp: -h",
    "flyway": "configured\npraxic | changes a database\nhelp: -v",
    "liquibase": "configured\npraxic | changes a database",
    "dbmate": "configured\npraxic | changes a database\nhelp: -h -v",
    "goose": "configured\npraxic | changes a database\nhelp: -h",
    "migrate": "configured\npraxic | changes a database",
    "diesel": "configured\npraxic | changes a database\nhelp: -h -V",
    "sqlx": "configured\npraxic | changes a database\nhelp: -h -V",
    "sea-orm-cli": "configured\npraxic | changes a database\nhelp: -h -V",
    "atlas": "configured\npraxic | may change a database\nhelp: -h",
    "dbt": "configured\npraxic | runs the project's models on a database\nhelp: -h",
    "ollama": """
        Models on this machine.
        subcommands
        help: -h -v
    """,
    "ollama list": "operands: read...",
    "ollama ls": "operands: read...",
    "ollama ps": "operands: none",
    "ollama show": """
        Describes a model.
        flags: --license --modelfile --parameters --system --template -v --verbose
    """,
    "huggingface-cli": "subcommands",
    "huggingface-cli scan-cache": "flags: -v -vv -vvv --verbose\nvalues: --dir\noperands: none",
    "huggingface-cli whoami": "operands: none",
    "huggingface-cli env": "operands: none",
    "pio": "subcommands\nhelp: -h",
    "pio device": "subcommands",
    "pio device list": "flags: --serial --logical --mdns --json-output\noperands: none",
    "pio boards": "flags: --installed --json-output",
    "pio system": "subcommands",
    "pio system info": "flags: --json-output\noperands: none",
    "arduino-cli": "subcommands\nflags: --json --no-color\nvalues: --format",
    "arduino-cli board": "subcommands",
    "arduino-cli board list": "flags: --json -w --watch\nvalues: --discovery-timeout --format\noperands: none",
    "arduino-cli core": "subcommands",
    "arduino-cli core list": "flags: --json --updatable --all\noperands: none",
    "arduino-cli lib": "subcommands",
    "arduino-cli lib list": "flags: --json --updatable --all\nvalues: -b --fqbn",
    "arduino-cli version": "flags: --json\noperands: none",
    **dict.fromkeys(
        ("claude", "codex", "gemini", "opencode", "aider", "cursor-agent", "goose", "amp"),
        "praxic | runs an agent\nhelp: -v -V -h version help",
    ),
    **dict.fromkeys(
        ("bear", "esptool.py", "esptool", "idf.py", "west", "platformio", "certbot", "rye", "sccache", "linkerd"),
        "praxic | builds or changes something\nhelp: -h version",
    ),
}
