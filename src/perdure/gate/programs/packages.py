"""Cards of package managers, version managers and tools that publish packages.

Commands such as `npm ls`, `pip show`, `cargo metadata` and `apt list` only read. Nearly everything else downloads code
and runs it, so it is praxic; publishing a package is weighty. Most options with a value are listed under `optional:`
here, so that the word after them is judged as well. That does no harm where operands are harmless, and some parsers
(nopt, yargs) do not accept a word that begins with a dash as a value.
Where `-v` alone prints the version but means something else after a command, the commands are in a form of their own.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---------------------------------------------------------------- JavaScript
    "npm": """
        Manages packages of Node.js.
        help: -h -v -l
        configured
        obeys: .npmrc | git= node-options
        flags: -s --silent -q --quiet -d --verbose --json -p --parseable -g --global --offline
        flags: --no-color --no-audit --no-fund --no-progress --no-update-notifier
        praxic: --prefix -C --userconfig --globalconfig --script-shell --git | takes its configuration from elsewhere
        form: one of its commands
        subcommands
    """,
    "npm ls": """
        Lists installed packages, or asks the registry.
        configured
        flags: -s --silent -q --quiet -d --verbose --json --no-json -l --long --no-long -p --parseable -a --all -g
        flags: --global
        flags: --offline --prefer-offline --prefer-online --progress --no-progress --unicode --no-unicode --no-color
        flags: --no-audit --no-fund --no-update-notifier --workspaces --no-workspaces --include-workspace-root --link
        flags: --package-lock-only --no-package-lock --production --prod --dev --install-links --no-install-links
        flags: --description --no-description --expect-results --no-expect-results
        optional: --color --depth --omit --include --only --registry --loglevel -w --workspace --before --tag
        optional: --searchlimit --searchopts --searchexclude --search-limit --expect-result-count --access
        praxic: --prefix -C --userconfig --globalconfig --script-shell --git | takes its configuration from elsewhere
        praxic: --cache --logs-dir --timing --viewer --browser --node-options --location | writes, or starts a program
    """,
    "npm list": "same as npm ls",
    "npm ll": "same as npm ls",
    "npm la": "same as npm ls",
    "npm view": "same as npm ls",
    "npm info": "same as npm ls",
    "npm show": "same as npm ls",
    "npm v": "same as npm ls",
    "npm outdated": "same as npm ls",
    "npm explain": "same as npm ls",
    "npm why": "same as npm ls",
    "npm root": "same as npm ls",
    "npm prefix": "same as npm ls",
    "npm bin": "same as npm ls",
    "npm search": "same as npm ls",
    "npm find": "same as npm ls",
    "npm query": "same as npm ls",
    "npm whoami": "same as npm ls",
    "npm ping": "same as npm ls",
    "npm stars": "same as npm ls",
    "npm get": "same as npm ls",
    "npm help": "same as npm ls",
    "npm help-search": "same as npm ls",
    "npm find-dupes": "same as npm ls",
    "npm sbom": """
        Prints a bill of materials.
        configured
        flags: --package-lock-only --workspaces -g --global --json -s --silent
        optional: --omit --sbom-format --sbom-type -w --workspace
    """,
    "npm config": "subcommands\nconfigured",
    "npm config get": "same as npm ls",
    "npm config list": "same as npm ls",
    "npm config ls": "same as npm ls",
    "npm config set": "praxic | changes npm's configuration",
    "npm config delete": "praxic | changes npm's configuration",
    "npm config edit": "praxic | opens an editor on npm's configuration",
    "npm config fix": "praxic | changes npm's configuration",
    "npm c": "same as npm config",
    "npm pkg": "subcommands\nconfigured",
    "npm pkg get": "same as npm ls",
    "npm pkg set": "praxic | changes package.json",
    "npm pkg delete": "praxic | changes package.json",
    "npm pkg fix": "praxic | changes package.json",
    "npm audit": """
        Asks the registry for known weaknesses of the dependencies.
        configured
        operands: none
        flags: --json -s --silent -q --quiet --production --prod --package-lock-only --no-package-lock --workspaces
        flags: --include-workspace-root --no-color --no-fund --no-update-notifier -g --global --offline
        optional: --audit-level --omit --include --only --color --loglevel -w --workspace
        praxic: -f --force --fix --registry | changes dependencies, or sends their list elsewhere
    """,
    "npm fund": """
        Lists who asks for funding; with a name it opens a browser.
        configured
        operands: none
        flags: --json --unicode --no-unicode --no-color --workspaces -s --silent
        optional: --color -w --workspace --which
        praxic: --browser | opens a browser
    """,
    "npm run": """
        Runs a script of package.json; with no name it lists them.
        configured
        operands: none
        flags: --json -s --silent --no-color
    """,
    "npm run-script": "same as npm run",
    "npm version": """
        Prints versions; with a word it changes the package's version and tags it.
        configured
        operands: none
        flags: --json -s --silent --no-color
    """,
    "npm doctor": "configured\nflags: --json --no-color -s --silent",
    "npm completion": "Prints shell completion.\nconfigured\noperands: none",
    "npm cache": "subcommands",
    "npm cache ls": "same as npm ls",
    "npm cache clean": "praxic | empties npm's cache",
    "npm cache verify": "praxic | clears npm's cache of what is not used",
    "npm dist-tag": "subcommands\nconfigured",
    "npm dist-tag ls": "same as npm ls",
    "npm dist-tag list": "same as npm ls",
    "npm dist-tag add": "weighty | changes what the public installs by that tag",
    "npm dist-tag rm": "weighty | changes what the public installs by that tag",
    "npm owner": "subcommands\nconfigured",
    "npm owner ls": "same as npm ls",
    "npm owner list": "same as npm ls",
    "npm owner add": "weighty | changes who may publish the package",
    "npm owner rm": "weighty | changes who may publish the package",
    "npm access": "subcommands\nconfigured",
    "npm access list": "same as npm ls",
    "npm access get": "same as npm ls",
    "npm access set": "weighty | changes who may see or publish the package",
    "npm access grant": "weighty | changes who may see or publish the package",
    "npm access revoke": "weighty | changes who may see or publish the package",
    "npm team": "subcommands\nconfigured",
    "npm team ls": "same as npm ls",
    "npm org": "subcommands\nconfigured",
    "npm org ls": "same as npm ls",
    "npm token": "subcommands\nconfigured",
    "npm token list": "same as npm ls",
    "npm token ls": "same as npm ls",
    "npm token create": "weighty | creates a credential of the registry",
    "npm token revoke": "weighty | revokes a credential of the registry",
    "npm profile": "subcommands\nconfigured",
    "npm profile get": "same as npm ls",
    "npm publish": "weighty | publishes a package",
    "npm unpublish": "weighty | removes a published package",
    "npm deprecate": "weighty | marks a published package as deprecated",
    "npm undeprecate": "weighty | changes a published package",
    "npm stage": "weighty | publishes a package",
    "npm trust": "weighty | changes who may publish a package",
    "npm install": "praxic | installs packages and runs their install scripts",
    "npm i": "same as npm install",
    "npm add": "same as npm install",
    "npm ci": "praxic | replaces node_modules and runs install scripts",
    "npm clean-install": "same as npm ci",
    "npm install-test": "same as npm install",
    "npm update": "praxic | updates packages and runs their install scripts",
    "npm up": "same as npm update",
    "npm upgrade": "same as npm update",
    "npm uninstall": "praxic | removes packages",
    "npm remove": "same as npm uninstall",
    "npm rm": "same as npm uninstall",
    "npm un": "same as npm uninstall",
    "npm dedupe": "praxic | changes node_modules and the lock file",
    "npm prune": "praxic | removes packages",
    "npm rebuild": "praxic | runs install scripts of packages",
    "npm link": "praxic | links a package into place",
    "npm init": "praxic | writes package.json, or runs a package's initialiser",
    "npm create": "same as npm init",
    "npm pack": "praxic | writes an archive and runs the package's scripts",
    "npm shrinkwrap": "praxic | writes a lock file",
    "npm set": "praxic | changes npm's configuration",
    "npm exec": "praxic | downloads and runs a package",
    "npm x": "same as npm exec",
    "npm explore": "praxic | runs a shell in a package",
    "npm edit": "praxic | opens an editor on a package",
    "npm diff": "praxic | packs local folders, which runs the package's scripts",
    "npm docs": "praxic | opens a browser",
    "npm home": "praxic | opens a browser",
    "npm repo": "praxic | opens a browser",
    "npm bugs": "praxic | opens a browser",
    "npm login": "praxic | stores a credential",
    "npm adduser": "same as npm login",
    "npm logout": "praxic | removes a credential",
    "npm star": "praxic | changes a mark at the registry",
    "npm unstar": "praxic | changes a mark at the registry",
    "npm test": "praxic | runs a script of package.json",
    "npm t": "same as npm test",
    "npm start": "praxic | runs a script of package.json",
    "npm stop": "praxic | runs a script of package.json",
    "npm restart": "praxic | runs a script of package.json",
    "npx": "praxic | downloads a package, or takes the project's, and runs it\nhelp: -v -h",
    "corepack": "praxic | installs package managers\nhelp: -h -v",
    "yarn": """
        Manages packages of Node.js; alone it installs.
        help: -h -v
        configured
        obeys: .yarnrc.yml .yarnrc | yarnpath yarn-path plugins
        obeys: package.json | packagemanager:yarn@http
        flags: --json -s --silent --offline --no-progress
        praxic: --cwd --use-yarnrc --script-shell | takes its configuration from elsewhere
        form: one of its commands
        subcommands
    """,
    "yarn list": """
        Lists packages of the project, or asks the registry.
        configured
        flags: --json -s --silent --verbose --offline --no-progress --non-interactive --no-emoji --prod --production
        flags: -A --all -R --recursive --virtuals --dependents --manifest --name-only --no-dedupe --explain
        flags: -v --no-private --no-defaults --integrity --verify-tree --peers
        optional: --depth --pattern --level --groups -X --extra --since --fields
        praxic: --cwd --use-yarnrc --script-shell --modules-folder | takes its configuration from elsewhere
        praxic: --cache-folder | takes its configuration from elsewhere
    """,
    "yarn info": "same as yarn list",
    "yarn why": "same as yarn list",
    "yarn outdated": "same as yarn list",
    "yarn audit": "same as yarn list",
    "yarn bin": "same as yarn list",
    "yarn explain": "same as yarn list",
    "yarn help": "same as yarn list",
    "yarn licenses": "subcommands\nconfigured",
    "yarn licenses list": "same as yarn list",
    "yarn licenses ls": "same as yarn list",
    "yarn licenses generate-disclaimer": "same as yarn list",
    "yarn config": "subcommands\nalone\nconfigured\nflags: --json -v --why",
    "yarn config get": "same as yarn list",
    "yarn config list": "same as yarn list",
    "yarn config set": "praxic | changes yarn's configuration",
    "yarn config unset": "praxic | changes yarn's configuration",
    "yarn config delete": "praxic | changes yarn's configuration",
    "yarn workspaces": "subcommands\nconfigured",
    "yarn workspaces info": "same as yarn list",
    "yarn workspaces list": "same as yarn list",
    "yarn cache": "subcommands\nconfigured",
    "yarn cache list": "same as yarn list",
    "yarn cache dir": "same as yarn list",
    "yarn global": "subcommands\nconfigured",
    "yarn global list": "same as yarn list",
    "yarn global bin": "same as yarn list",
    "yarn global dir": "same as yarn list",
    "yarn npm": "subcommands\nconfigured",
    "yarn npm info": "same as yarn list",
    "yarn npm audit": """
        Asks the registry for known weaknesses of the dependencies.
        configured
        flags: -A --all -R --recursive --json --no-deprecations
        optional: --environment --severity --exclude --ignore
    """,
    "yarn npm whoami": "same as yarn list",
    "yarn npm tag": "subcommands\nconfigured",
    "yarn npm tag list": "same as yarn list",
    "yarn npm tag add": "weighty | changes what the public installs by that tag",
    "yarn npm tag remove": "weighty | changes what the public installs by that tag",
    "yarn npm publish": "weighty | publishes a package",
    "yarn publish": "weighty | publishes a package",
    "yarn tag": "weighty | changes what the public installs by a tag",
    "yarn owner": "weighty | changes who may publish a package",
    "yarn install": "praxic | installs packages and runs their install scripts",
    "yarn add": "praxic | installs packages and runs their install scripts",
    "yarn remove": "praxic | removes packages",
    "yarn upgrade": "praxic | updates packages",
    "yarn up": "praxic | updates packages",
    "yarn dedupe": "praxic | changes the lock file",
    "yarn set": "praxic | changes yarn's configuration or version",
    "yarn plugin": "praxic | installs or removes plugins",
    "yarn patch": "praxic | prepares a package for patching",
    "yarn pack": "praxic | writes an archive",
    "yarn init": "praxic | writes package.json",
    "yarn link": "praxic | links a package into place",
    "yarn unlink": "praxic | removes a link",
    "pnpm": """
        Manages packages of Node.js.
        help: -h -v
        configured
        obeys: .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js
        obeys: pnpm-workspace.yaml .npmrc | configdependencies pnpmfile
        obeys: package.json | packagemanager:pnpm@http
        flags: -r --recursive -s --silent --no-color -w --workspace-root
        optional: -F --filter
        praxic: -C --dir --config | takes its configuration from elsewhere
        form: one of its commands
        subcommands
    """,
    "pnpm list": """
        Lists packages of the project, or asks the registry.
        configured
        numbers
        flags: -r --recursive -s --silent --no-color --color -w --workspace-root -g --global -P --prod --production
        flags: -D --dev --no-optional --json --no-json --long --parseable --lockfile-only --only-projects
        flags: --exclude-peers
        flags: --compatible --no-table --sort-by --latest --offline --prefer-offline --no-ignore
        optional: --depth -F --filter --filter-prod --format --loglevel --registry --reporter --audit-level --all
        praxic: --fix --ignore-unfixable --ignore | changes package.json
        praxic: -C --dir --config --find-by --global-dir --store-dir --pnpmfile | loads code, or writes elsewhere
        praxic: --global-pnpmfile | loads code, or writes elsewhere
    """,
    "pnpm ls": "same as pnpm list",
    "pnpm la": "same as pnpm list",
    "pnpm ll": "same as pnpm list",
    "pnpm why": "same as pnpm list",
    "pnpm outdated": "same as pnpm list",
    "pnpm root": "same as pnpm list",
    "pnpm bin": "same as pnpm list",
    "pnpm audit": "same as pnpm list",
    "pnpm view": "same as pnpm list",
    "pnpm info": "same as pnpm list",
    "pnpm show": "same as pnpm list",
    "pnpm search": "same as pnpm list",
    "pnpm whoami": "same as pnpm list",
    "pnpm help": "same as pnpm list",
    "pnpm licenses": "subcommands\nconfigured",
    "pnpm licenses list": "same as pnpm list",
    "pnpm licenses ls": "same as pnpm list",
    "pnpm config": "subcommands\nconfigured",
    "pnpm config get": "same as pnpm list",
    "pnpm config list": "same as pnpm list",
    "pnpm config set": "praxic | changes pnpm's configuration",
    "pnpm config delete": "praxic | changes pnpm's configuration",
    "pnpm store": "subcommands\nconfigured",
    "pnpm store path": "same as pnpm list",
    "pnpm store status": "same as pnpm list",
    "pnpm store prune": "praxic | removes packages from the store",
    "pnpm env": "subcommands\nconfigured",
    "pnpm env list": "same as pnpm list",
    "pnpm exec": "Runs a program of the project; listed are those that only look.\nsubcommands\nconfigured",
    "pnpm exec tsc": "same as tsc",
    "pnpm exec biome": "same as biome",
    "pnpm publish": "weighty | publishes a package",
    "pnpm unpublish": "weighty | removes a published package",
    "pnpm deprecate": "weighty | marks a published package as deprecated",
    "pnpm install": "praxic | installs packages and runs their install scripts",
    "pnpm i": "same as pnpm install",
    "pnpm add": "same as pnpm install",
    "pnpm update": "praxic | updates packages",
    "pnpm up": "same as pnpm update",
    "pnpm remove": "praxic | removes packages",
    "pnpm rm": "same as pnpm remove",
    "pnpm prune": "praxic | removes packages",
    "pnpm dedupe": "praxic | changes the lock file",
    "pnpm link": "praxic | links a package into place",
    "pnpm import": "praxic | writes a lock file",
    "pnpm rebuild": "praxic | runs install scripts of packages",
    "pnpm patch": "praxic | prepares a package for patching",
    "pnpm init": "praxic | writes package.json",
    "pnpm pack": "praxic | writes an archive",
    "pnpm deploy": "praxic | copies a package and its dependencies",
    "pnpx": "praxic | downloads and runs a package",
    "bun": """
        Runs JavaScript and manages its packages.
        help: -h -v --revision
        configured
        form: one of its commands
        subcommands
    """,
    "bun pm": "subcommands\nalone\nconfigured",
    "bun pm ls": "configured\nflags: --all -a\noperands: none",
    "bun pm list": "same as bun pm ls",
    "bun pm bin": "configured\nflags: -g\noperands: none",
    "bun pm hash": "configured\noperands: none",
    "bun pm hash-string": "configured\noperands: none",
    "bun pm hash-print": "configured\noperands: none",
    "bun pm whoami": "configured\noperands: none",
    "bun pm cache": "configured\noperands: none",
    "bun pm untrusted": "configured\noperands: none",
    "bun pm view": "configured\nflags: --json",
    "bun pm why": "configured\nflags: --top\noptional: --depth",
    "bun info": "configured\nflags: --json",
    "bun why": "configured\nflags: --top\noptional: --depth",
    "bun outdated": "configured\nflags: -r --recursive\noptional: -F --filter",
    "bun audit": "configured\nflags: --json --prod\noptional: --audit-level --ignore\noperands: none",
    "bun publish": "weighty | publishes a package",
    "bunx": "praxic | downloads and runs a package",
    "deno": """
        Runs JavaScript and TypeScript; alone it is a prompt.
        subcommands
        configured
        help: -h -V
    """,
    "deno fmt": """
        Formats source files in place.
        configured
        needs: --check | rewrites the files
        flags: --check -q --quiet --single-quote --use-tabs --no-semicolons
        optional: --ext --ignore --indent-width --line-width --prose-wrap
    """,
    "deno info": "Prints where deno keeps its cache.\nconfigured\nflags: --json -q --quiet\noperands: none",
    "deno types": "operands: none",
    "deno completions": "flags: -q --quiet",
    "deno publish": "weighty | publishes a package",
    "deno run": "praxic | runs code",
    "deno test": "praxic | runs code",
    "deno task": "praxic | runs a task of the project",
    "deno install": "praxic | installs packages",
    "deno add": "praxic | installs packages",
    "deno lint": "praxic | may run lint plugins of the project",
    "deno check": "praxic | may write the lock file",
    "deno cache": "praxic | downloads code",
    "deno eval": "praxic | runs code",
    "deno compile": "praxic | writes a program",
    "deno upgrade": "praxic | replaces deno itself",
    "lerna": "subcommands\nconfigured\nhelp: -h",
    "lerna list": """
        Lists packages of the repository.
        configured
        flags: --json --ndjson -a --all -l --long -p --parseable --toposort --graph --no-private
        optional: --since --scope --ignore --loglevel
    """,
    "lerna ls": "same as lerna list",
    "lerna la": "same as lerna list",
    "lerna ll": "same as lerna list",
    "lerna changed": "same as lerna list",
    "lerna publish": "weighty | publishes packages",
    "lerna version": "praxic | changes versions, commits, tags and pushes",
    "lerna run": "praxic | runs scripts of the packages",
    "lerna exec": "praxic | runs a command in each package",
    "lerna bootstrap": "praxic | installs packages",
    "vsce": "subcommands\nconfigured\nhelp: -h -V",
    "vsce publish": "weighty | publishes an extension",
    "vsce unpublish": "weighty | removes a published extension",
    "vsce package": "praxic | runs the extension's scripts and writes an archive",
    "vsce show": "flags: --json",
    "vsce search": "flags: --json --stats",
    "ovsx": "subcommands\nconfigured\nhelp: -h -V",
    "ovsx publish": "weighty | publishes an extension",
    "ncu": "praxic | may rewrite package.json, and runs its configuration file\nhelp: -h -V",
    "npm-check-updates": "same as ncu",
    "nvm": """
        Chooses versions of Node.js (a function of the shell).
        help: -h -v
        form: one of its commands
        subcommands
    """,
    "nvm ls": "flags: --no-colors --no-alias\noptional: --lts",
    "nvm list": "same as nvm ls",
    "nvm ls-remote": "same as nvm ls",
    "nvm list-remote": "same as nvm ls",
    "nvm current": "operands: none",
    "nvm version": "same as nvm ls",
    "nvm version-remote": "same as nvm ls",
    "nvm which": "flags: --silent",
    "nvm alias": "Lists aliases; with two words it sets one.\nflags: --no-colors\noperands: none",
    "nvm help": "flags: --no-colors",
    "nvm install": "praxic | installs a version of Node.js",
    "nvm uninstall": "praxic | removes a version of Node.js",
    "nvm use": "praxic | changes which Node.js the shell runs",
    "nvm exec": "praxic | runs a command",
    "nvm run": "praxic | runs a script",
    "fnm": "subcommands\nalone\nhelp: -h -V",
    "fnm list": "optional: --log-level",
    "fnm ls": "same as fnm list",
    "fnm list-remote": "flags: --lts --latest\noptional: --filter --sort --log-level",
    "fnm ls-remote": "same as fnm list-remote",
    "fnm current": "operands: none",
    "volta": "subcommands\nalone\nhelp: -h",
    "volta list": "flags: -c --current -d --default --quiet --verbose\noptional: --format",
    "volta ls": "same as volta list",
    "volta which": "flags: --quiet --verbose",
    "n": "praxic | installs a version of Node.js\nhelp: -h -V",
    # ---------------------------------------------------------------- Python
    "pip": """
        Manages packages of Python.
        help: -h -V
        flags: --isolated --require-virtualenv -v --verbose -q --quiet --no-input --no-cache-dir --no-color
        flags: --disable-pip-version-check --no-python-version-warning --debug
        praxic: --python --log --cache-dir | runs the interpreter that is named, or writes a file
        form: one of its commands
        subcommands
    """,
    "pip list": """
        Lists packages, or asks the index.
        flags: -o --outdated -u --uptodate -e --editable -l --local --user --pre --not-required --exclude-editable
        flags: --include-editable --no-index -f --files --all --json --ignore-requires-python
        flags: --isolated --require-virtualenv -v --verbose -q --quiet --no-input --no-cache-dir --no-color
        flags: --disable-pip-version-check --no-python-version-warning --debug
        optional: --path --format --exclude -i --index-url --extra-index-url --find-links --proxy --retries --timeout
        optional: --trusted-host --cert --client-cert --use-feature --use-deprecated --keyring-provider --platform
        optional: --python-version --implementation --abi --no-binary --only-binary -r --requirement
        praxic: --python --log --cache-dir --exists-action | runs the interpreter that is named, or writes a file
    """,
    "pip show": "same as pip list",
    "pip freeze": "same as pip list",
    "pip check": "same as pip list",
    "pip inspect": "same as pip list",
    "pip debug": "same as pip list",
    "pip search": "same as pip list",
    "pip help": "same as pip list",
    "pip index": "subcommands",
    "pip index versions": "same as pip list",
    "pip hash": "optional: -a --algorithm\nflags: -v --verbose -q --quiet",
    "pip completion": "flags: -b --bash -z --zsh -f --fish -p --powershell\noperands: none",
    "pip config": "subcommands\nflags: --global --user --site\npraxic: --editor | names an editor to run",
    "pip config list": "flags: --global --user --site -v --verbose -q --quiet\noperands: none",
    "pip config get": "flags: --global --user --site -v --verbose -q --quiet",
    "pip config debug": "flags: --global --user --site -v --verbose -q --quiet\noperands: none",
    "pip config set": "praxic | changes pip's configuration",
    "pip config unset": "praxic | changes pip's configuration",
    "pip cache": "subcommands",
    "pip cache dir": "operands: none",
    "pip cache info": "operands: none",
    "pip cache list": "optional: --format\nflags: -v --verbose -q --quiet",
    "pip install": "praxic | installs packages and runs their build scripts",
    "pip uninstall": "praxic | removes packages",
    "pip download": "praxic | downloads packages and may run their build scripts",
    "pip wheel": "praxic | builds packages, which runs their scripts",
    "pip lock": "praxic | writes a lock file and may run build scripts",
    "pip3": "same as pip",
    "pip3.8": "same as pip",
    "pip3.9": "same as pip",
    "pip3.10": "same as pip",
    "pip3.11": "same as pip",
    "pip3.12": "same as pip",
    "pip3.13": "same as pip",
    "pip3.14": "same as pip",
    "pipdeptree": """
        Prints the installed packages as a tree.
        flags: -a --all -l --local-only -u --user-only -r --reverse -f --freeze -j --json --json-tree --mermaid
        optional: -w --warn -p --packages -e --exclude -d --depth --encoding -o --output --path
        praxic: --python --graph-output | runs the interpreter that is named, or draws
    """,
    "pipx": "subcommands\nalone\nhelp: -h",
    "pipx list": """
        Lists installed applications.
        flags: --include-injected --json --short --pinned --skip-maintenance --global -q --quiet -v --verbose
        operands: none
    """,
    "pipx environment": "flags: -q --quiet --verbose\noptional: -V --value",
    "pipx run": "praxic | downloads and runs a package",
    "pipx install": "praxic | installs an application",
    "pipx inject": "praxic | installs packages",
    "pipx upgrade": "praxic | updates an application",
    "pipx upgrade-all": "praxic | updates applications",
    "pipx uninstall": "praxic | removes an application",
    "pipx ensurepath": "praxic | changes the shell's start files",
    "pipenv": "subcommands\nconfigured\nhelp: -h --venv --where --py",
    "pipenv graph": "configured\nflags: --bare --json --json-tree --reverse\noperands: none",
    "pip-compile": "praxic | writes a requirements file and may run build scripts\nhelp: -h",
    "pip-sync": "praxic | installs and removes packages\nhelp: -h",
    "pip-audit": "praxic | may build packages, which runs their scripts\nhelp: -h -V",
    "virtualenv": "praxic | creates an environment\nhelp: -h",
    "uv": """
        Manages Python, its packages and projects.
        subcommands
        alone
        configured
        obeys: uv.toml pyproject.toml | cache-dir install-mirror
        help: -h -V
        flags: -q --quiet -v --verbose --offline --no-progress --no-config -n --no-cache --no-python-downloads
        praxic: --directory --project --config-file | takes its configuration from elsewhere
    """,
    "uv pip": """
        subcommands
        alone
        flags: -q --quiet -v --verbose --offline --no-progress --no-config -n --no-cache
    """,
    "uv pip list": """
        Lists packages of the environment.
        flags: -e --editable --exclude-editable --outdated --strict --system --no-system -f --files --no-dedupe
        flags: --invert
        flags: --show-version-specifiers --show-sizes --no-index -q --quiet -v --verbose --offline --no-progress
        flags: --no-config -n --no-cache --no-python-downloads --managed-python --no-managed-python --system-certs
        optional: --exclude --format --index --default-index -i --index-url --extra-index-url --find-links -d --depth
        optional: --prune --package --index-strategy --keyring-provider --exclude-newer --color -t --target --path
        optional: --prefix
        praxic: -p --python --cache-dir | runs the interpreter that is named, or takes its configuration from elsewhere
        praxic: --directory --project | runs the interpreter that is named, or takes its configuration from elsewhere
        praxic: --config-file | runs the interpreter that is named, or takes its configuration from elsewhere
    """,
    "uv pip show": "same as uv pip list",
    "uv pip freeze": "same as uv pip list",
    "uv pip tree": "same as uv pip list",
    "uv pip check": "same as uv pip list",
    "uv pip install": "praxic | installs packages and runs their build scripts",
    "uv pip uninstall": "praxic | removes packages",
    "uv pip sync": "praxic | installs and removes packages",
    "uv pip compile": "praxic | may run build scripts, and writes its cache of them",
    "uv tree": """
        Prints the project's dependencies.
        configured
        needs: --frozen | may resolve and write the lock file; with --frozen it only reads it
        flags: --frozen --universal --no-dedupe --invert --show-sizes --no-dev --only-dev --no-default-groups
        flags: --all-groups -q --quiet -v --verbose --offline --no-progress -n --no-cache --no-python-downloads
        optional: --format -d --depth --prune --package --group --no-group --only-group --python-version
        optional: --python-platform --color
        praxic: -p --python --cache-dir --directory --project | resolves anew, or runs another interpreter
        praxic: --config-file --script --locked -U --upgrade --outdated | resolves anew, or runs another interpreter
        operands: none
    """,
    "uv export": """
        Prints the lock file in another format.
        configured
        needs: --frozen | may resolve and write the lock file; with --frozen it only reads it
        flags: --frozen --all-packages --all-extras --no-dev --only-dev --no-default-groups --all-groups --no-annotate
        flags: --no-header --no-editable --no-hashes --no-emit-project --no-emit-workspace --no-emit-local -q --quiet
        flags: -v --verbose --offline --no-progress -n --no-cache --no-python-downloads
        optional: --format --package --prune --extra --no-extra --group --no-group --only-group --no-emit-package
        writes: -o --output-file | puts its result into the file that is named
        praxic: -p --python --cache-dir --directory --project | resolves anew, or runs another interpreter
        praxic: --config-file --script --locked -U --upgrade | resolves anew, or runs another interpreter
    """,
    "uv version": """
        Prints the project's version; with a word it changes it.
        configured
        flags: --short -q --quiet -v --verbose --offline --no-progress
        optional: --output-format
        operands: none
        praxic: --bump | changes the version
    """,
    "uv python": "subcommands\nalone",
    "uv python list": """
        Lists Python versions.
        flags: --all-versions --all-platforms --all-arches --only-installed --only-downloads --show-urls -n --no-cache
        flags: --managed-python --no-managed-python --no-python-downloads -q --quiet -v --verbose --offline
        flags: --no-progress
        optional: --output-format --color
        praxic: --cache-dir --directory --project --config-file | takes its configuration from elsewhere
    """,
    "uv python find": """
        configured
        flags: --system --no-project --show-version --managed-python -q --quiet
        operands: none
    """,
    "uv python dir": "flags: --bin\noperands: none",
    "uv python install": "praxic | installs Python",
    "uv python uninstall": "praxic | removes Python",
    "uv python pin": "praxic | writes .python-version",
    "uv python upgrade": "praxic | installs Python",
    "uv tool": "subcommands\nalone",
    "uv tool list": """
        Lists installed tools.
        flags: --show-paths --show-version-specifiers --show-with --show-extras --show-python --outdated -q --quiet
        flags: -v --verbose --offline --no-progress -n --no-cache
        optional: --color
        operands: none
    """,
    "uv tool dir": "flags: --bin\noperands: none",
    "uv tool install": "praxic | installs a tool",
    "uv tool upgrade": "praxic | updates a tool",
    "uv tool uninstall": "praxic | removes a tool",
    "uv tool update-shell": "praxic | changes the shell's start files",
    "uv tool run": "same as uvx",
    "uv cache": "subcommands\nalone",
    "uv cache dir": "operands: none",
    "uv cache size": "flags: -H --human\noperands: none",
    "uv cache clean": "praxic | empties uv's cache",
    "uv cache prune": "praxic | removes packages from uv's cache",
    "uv self": "subcommands\nalone",
    "uv self version": "flags: --short\noptional: --output-format\noperands: none",
    "uv self update": "praxic | replaces uv itself",
    "uv help": "flags: --no-pager",
    "uv publish": "weighty | publishes packages",
    "uv run": "praxic | brings the environment up to date and runs a command in it",
    "uv sync": "praxic | installs packages into the environment",
    "uv lock": "praxic | writes the lock file and may run build scripts",
    "uv add": "praxic | changes pyproject.toml and installs packages",
    "uv remove": "praxic | changes pyproject.toml and removes packages",
    "uv init": "praxic | creates a project",
    "uv build": "praxic | builds packages, which runs their scripts",
    "uv venv": "praxic | creates an environment",
    "uv format": "praxic | rewrites the files",
    "uv auth": "praxic | stores or removes credentials",
    "uvx": "praxic | downloads a package and runs it\nhelp: -V -h",
    "poetry": """
        Manages a Python project and its packages.
        subcommands
        alone
        configured
        help: -h -V
        flags: -q --quiet -n --no-interaction -v --verbose --ansi --no-ansi --no-plugins --no-cache
        praxic: -C --directory -P --project | takes its configuration from elsewhere
    """,
    "poetry show": """
        Lists packages of the project, or asks the index.
        configured
        flags: -t --tree --why -l --latest -o --outdated -a --all -T --top-level --no-truncate --no-dev --lock --strict
        flags: --full-path -e --executable -q --quiet -n --no-interaction -v --verbose --ansi --no-ansi --no-plugins
        flags: --no-cache
        optional: --without --with --only -f --format
        praxic: -C --directory -P --project | takes its configuration from elsewhere
    """,
    "poetry check": "same as poetry show",
    "poetry search": "same as poetry show",
    "poetry about": "same as poetry show",
    "poetry list": "same as poetry show",
    "poetry help": "same as poetry show",
    "poetry env": "subcommands\nconfigured",
    "poetry env info": """
        configured
        flags: -p --path -e --executable --full-path -q --quiet -n --no-interaction --ansi --no-ansi --no-plugins
        operands: none
    """,
    "poetry env list": "same as poetry env info",
    "poetry env activate": "same as poetry env info",
    "poetry env use": "praxic | creates or chooses an environment",
    "poetry env remove": "praxic | removes an environment",
    "poetry source": "subcommands\nconfigured",
    "poetry source show": "same as poetry show",
    "poetry self": "subcommands\nconfigured",
    "poetry self show": "same as poetry show",
    "poetry cache": "subcommands",
    "poetry cache list": "operands: none",
    "poetry cache clear": "praxic | empties a cache",
    "poetry version": """
        Prints the project's version; with a word it changes it.
        configured
        flags: -s --short -q --quiet -n --no-interaction --ansi --no-ansi --no-plugins
        operands: none
    """,
    "poetry config": """
        Shows or changes Poetry's configuration.
        configured
        flags: --local -n --no-interaction --ansi --no-ansi --no-plugins
        form: lists all
        flags: --list
        operands: none
        needs: --list | changes the configuration
        form: prints one
        operands: read
    """,
    "poetry publish": "weighty | publishes a package",
    "poetry install": "praxic | installs packages",
    "poetry add": "praxic | changes pyproject.toml and installs packages",
    "poetry remove": "praxic | changes pyproject.toml and removes packages",
    "poetry update": "praxic | updates packages and the lock file",
    "poetry lock": "praxic | writes the lock file",
    "poetry build": "praxic | builds the package, which runs its scripts",
    "poetry run": "praxic | runs a command in the environment",
    "poetry shell": "praxic | starts a shell in the environment",
    "poetry sync": "praxic | installs and removes packages",
    "poetry init": "praxic | writes pyproject.toml",
    "poetry new": "praxic | creates a project",
    "poetry export": "praxic | may write the lock file",
    "pdm": "subcommands\nconfigured\nhelp: -h -V\nflags: -q --quiet\npraxic: -c --config | loads another configuration",
    "pdm list": """
        Lists packages of the environment.
        praxic | makes a virtual environment in the project where there is none
        flags: --freeze --tree --graph -r --reverse --resolve --json --csv --markdown -v --verbose -q --quiet
        optional: --fields --sort --include --exclude
        praxic: -p --project -g --global --venv -c --config | takes its configuration from elsewhere
    """,
    "pdm show": "configured\nflags: --name --version --summary --license --platform --keywords -v --verbose -q --quiet",
    "pdm search": "configured\nflags: -v --verbose -q --quiet",
    "pdm info": "praxic | makes a virtual environment in the project where there is none",
    "pdm outdated": "praxic | makes a virtual environment in the project where there is none",
    "pdm config": "Prints the configuration; with two words it changes it.\nconfigured\noperands: read",
    "pdm venv": "subcommands\nconfigured",
    "pdm venv list": "configured\noperands: none",
    "pdm publish": "weighty | publishes a package",
    "pdm install": "praxic | installs packages",
    "pdm add": "praxic | changes pyproject.toml and installs packages",
    "pdm remove": "praxic | removes packages",
    "pdm update": "praxic | updates packages",
    "pdm lock": "praxic | writes the lock file",
    "pdm sync": "praxic | installs and removes packages",
    "pdm build": "praxic | builds the package, which runs its scripts",
    "pdm run": "praxic | runs a command",
    "hatch": "subcommands\nalone\nconfigured\nhelp: -h",
    "hatch config": "subcommands",
    "hatch config find": "operands: none",
    "hatch config show": "operands: none",
    "hatch status": "configured\noperands: none",
    "hatch python": "subcommands",
    "hatch python show": "flags: --ascii\noptional: -d --dir",
    "hatch publish": "weighty | publishes a package",
    "hatch run": "praxic | runs a command in an environment",
    "hatch test": "praxic | runs the project's tests",
    "hatch build": "praxic | builds the package, which runs its scripts",
    "hatch version": "praxic | may run code of the project, or change its version",
    "hatch env": "praxic | loads code of the project, or changes environments",
    "hatch shell": "praxic | starts a shell",
    "hatch fmt": "praxic | rewrites the files",
    "flit": "subcommands\nconfigured\nhelp: -h",
    "flit publish": "weighty | publishes a package",
    "flit install": "praxic | installs the package",
    "flit build": "praxic | writes packages",
    "twine": "subcommands\nhelp: -h",
    "twine upload": "weighty | publishes a package",
    "twine register": "weighty | registers a package",
    "twine check": "Checks built packages.\nflags: --strict",
    "pyproject-build": "praxic | builds the package, which runs its scripts\nhelp: -h -V",
    "conda": """
        Manages packages and environments.
        subcommands
        alone
        help: -h -V
        flags: -v --verbose --no-plugins
    """,
    "conda list": """
        Lists packages of an environment.
        flags: --json -v --verbose -q --quiet --show-channel-urls --fields --reverse -c --canonical -f --full-name
        flags: --explicit --md5 --sha256 --auth -e --export -r --revisions --no-pip --size
        optional: -n --name -p --prefix
    """,
    "conda info": """
        Prints facts about the installation.
        flags: -a --all --base -e --envs -s --system --unsafe-channels -l --license --json -v --verbose -q --quiet
        flags: --size
    """,
    "conda search": """
        Searches for packages.
        flags: --envs -i --info --skip-flexible-search -C --use-index-cache -k --insecure --offline --json -v --verbose
        flags: -q --quiet --override-channels
        optional: --subdir --platform -c --channel --use-local --repodata-fn
    """,
    "conda env": "subcommands",
    "conda env list": "flags: --json -v --verbose -q --quiet --size\noperands: none",
    "conda env export": """
        Prints an environment's description.
        flags: --no-builds --ignore-channels --from-history --override-channels --json -v --verbose -q --quiet
        optional: -n --name -p --prefix -c --channel --format
        writes: -f --file | puts its result into the file that is named
    """,
    "conda env create": "praxic | creates an environment",
    "conda env update": "praxic | changes an environment",
    "conda env remove": "praxic | removes an environment",
    "conda config": """
        Shows or changes the configuration.
        needs: --show --show-sources --get --describe --validate | changes the configuration
        flags: --show-sources --validate --json -v --verbose -q --quiet --system --env
        optional: --show --get --describe
        praxic: --add --append --prepend --set --remove --remove-key --stdin | changes the configuration
        praxic: --write-default --file --name -n --prefix -p | changes the configuration
    """,
    "conda doctor": "flags: -v --verbose\noptional: -n --name -p --prefix\npraxic: --fix | repairs an environment",
    "conda install": "praxic | installs packages",
    "conda create": "praxic | creates an environment",
    "conda update": "praxic | updates packages",
    "conda upgrade": "praxic | updates packages",
    "conda remove": "praxic | removes packages",
    "conda uninstall": "praxic | removes packages",
    "conda clean": "praxic | empties caches",
    "conda run": "praxic | runs a command in an environment",
    "conda init": "praxic | changes the shell's start files",
    "conda activate": "praxic | changes which programs the shell runs",
    "mamba": "same as conda",
    "micromamba": "same as conda",
    "pixi": "subcommands\nalone\nconfigured\nhelp: -h -V",
    "pixi info": "configured\nflags: --json --extended\noperands: none",
    "pixi search": "configured\noptional: -l --limit -c --channel -p --platform",
    "pixi task": "subcommands\nconfigured",
    "pixi task list": "configured\nflags: -s --summary --machine-readable --json\noperands: none",
    "pyenv": """
        help: -h -v
        form: one of its commands
        subcommands
    """,
    "pyenv versions": "flags: --bare --skip-aliases --skip-envs\noperands: none",
    "pyenv version": "operands: none",
    "pyenv version-name": "operands: none",
    "pyenv version-origin": "operands: none",
    "pyenv version-file": "operands: none",
    "pyenv which": "flags: --nosystem --skip-advice",
    "pyenv whence": "flags: --path",
    "pyenv root": "operands: none",
    "pyenv prefix": "operands: read...",
    "pyenv shims": "flags: --short\noperands: none",
    "pyenv commands": "flags: --sh --no-sh\noperands: none",
    "pyenv help": "flags: --usage",
    "pyenv latest": "flags: -k --known -q --quiet -b --bypass -f --force",
    "pyenv virtualenvs": "flags: --bare --skip-aliases\noperands: none",
    "pyenv global": "Prints the global version; with a word it changes it.\noperands: none",
    "pyenv local": "Prints the local version; with a word it changes it.\noperands: none",
    "pyenv install": """
        Installs a version of Python.
        needs: -l --list | installs a version
        flags: -l --list
        operands: none
    """,
    "pyenv uninstall": "praxic | removes a version",
    "pyenv exec": "praxic | runs a command",
    # ---------------------------------------------------------------- Ruby
    "rbenv": """
        help: -h -v
        form: one of its commands
        subcommands
    """,
    "rbenv versions": "flags: --bare --skip-aliases\noperands: none",
    "rbenv version": "operands: none",
    "rbenv version-name": "operands: none",
    "rbenv version-origin": "operands: none",
    "rbenv version-file": "operands: none",
    "rbenv which": "operands: read...",
    "rbenv whence": "flags: --path",
    "rbenv root": "operands: none",
    "rbenv prefix": "operands: read...",
    "rbenv shims": "flags: --short\noperands: none",
    "rbenv commands": "flags: --sh --no-sh\noperands: none",
    "rbenv help": "flags: --usage",
    "rbenv global": "Prints the global version; with a word it changes it.\noperands: none",
    "rbenv local": "Prints the local version; with a word it changes it.\noperands: none",
    "rbenv install": """
        needs: -l --list -L --list-all | installs a version
        flags: -l --list -L --list-all
        operands: none
    """,
    "rbenv uninstall": "praxic | removes a version",
    "rbenv exec": "praxic | runs a command",
    "nodenv": "same as rbenv",
    "gem": """
        help: -h -v
        form: one of its commands
        subcommands
    """,
    "gem list": """
        Lists gems, or asks the index.
        flags: -l --local -r --remote -b --both -a --all -d --details --no-details -e --exact -i --installed -I
        flags: --no-installed --prerelease --no-prerelease --versions --no-versions --update-sources --no-update-sources
        flags: --ruby --yaml --marshal -R --reverse-dependencies --pipe --lib-only --no-lib-only --prefix --no-prefix
        flags: --gems-first --no-gems-first --show-install-dir --no-show-install-dir -q --quiet -V --verbose --silent
        flags: --norc
        optional: -v --version -s --source -p --http-proxy --platform
        praxic: --config-file -C | loads another configuration
    """,
    "gem info": "same as gem list",
    "gem search": "same as gem list",
    "gem query": "same as gem list",
    "gem which": "same as gem list",
    "gem specification": "same as gem list",
    "gem spec": "same as gem list",
    "gem contents": "same as gem list",
    "gem dependency": "same as gem list",
    "gem outdated": "same as gem list",
    "gem stale": "same as gem list",
    "gem environment": "same as gem list",
    "gem env": "same as gem list",
    "gem help": "same as gem list",
    "gem sources": """
        Lists where gems come from.
        flags: -l --list -q --quiet -V --verbose --norc
        operands: none
        praxic: -a --add -r --remove -c --clear-all -u --update -p --prepend --append | changes the sources
    """,
    "gem push": "weighty | publishes a gem",
    "gem yank": "weighty | removes a published gem",
    "gem owner": "weighty | may change who may publish a gem",
    "gem install": "praxic | installs gems and builds their extensions",
    "gem uninstall": "praxic | removes gems",
    "gem update": "praxic | updates gems",
    "gem cleanup": "praxic | removes gems",
    "gem build": "praxic | runs the gem's specification and writes an archive",
    "gem fetch": "praxic | downloads a gem",
    "gem unpack": "praxic | unpacks a gem",
    "gem open": "praxic | opens an editor",
    "gem exec": "praxic | downloads and runs a gem",
    "gem server": "praxic | starts a server",
    "bundle": """
        Manages a Ruby project's gems; alone it installs. The Gemfile is a program.
        help: -h -v
        configured
        obeys: Gemfile gems.rb .bundle/config
        flags: --no-color -V --verbose
        praxic: --gemfile | runs another Gemfile
        form: one of its commands
        subcommands
    """,
    "bundle list": """
        Shows the project's gems.
        configured
        flags: --name-only --paths --outdated --path --ruby --dry-run --no-color -V --verbose --local --pre --strict
        flags: --filter-strict --parseable --porcelain --only-explicit --groups --major --minor --patch --update-strict
        optional: --only-group --without-group --group --source --format
        praxic: --gemfile | runs another Gemfile
    """,
    "bundle show": "same as bundle list",
    "bundle info": """
        configured
        flags: --path --version --no-color -V --verbose
        praxic: --gemfile | runs another Gemfile
    """,
    "bundle outdated": "same as bundle list",
    "bundle platform": "same as bundle list",
    "bundle licenses": "configured\noperands: none",
    "bundle check": "configured\nflags: --dry-run --no-color -V --verbose\noperands: none",
    "bundle version": "configured\noperands: none",
    "bundle env": "configured\noperands: none",
    "bundle config": "subcommands\nalone\nconfigured",
    "bundle config list": "configured\nflags: --parseable",
    "bundle config get": "configured\nflags: --parseable",
    "bundle config set": "praxic | changes the configuration",
    "bundle config unset": "praxic | changes the configuration",
    "bundle install": "praxic | installs gems",
    "bundle update": "praxic | updates gems",
    "bundle add": "praxic | changes the Gemfile and installs gems",
    "bundle remove": "praxic | changes the Gemfile",
    "bundle lock": "praxic | writes the lock file",
    "bundle clean": "praxic | removes gems",
    "bundle cache": "praxic | copies gems into the project",
    "bundle open": "praxic | opens an editor",
    "bundle init": "praxic | writes a Gemfile",
    "bundler": "same as bundle",
    "pod": "subcommands\nalone\nconfigured",
    "pod search": "flags: --simple --stats --no-pager --verbose --silent --no-ansi",
    "pod list": "flags: --stats --verbose --silent --no-ansi\noperands: none",
    "pod env": "configured\noperands: none",
    "pod spec": "subcommands",
    "pod spec cat": "flags: --regex --show-all --verbose --silent --no-ansi",
    "pod spec which": "flags: --regex --show-all --verbose --silent --no-ansi",
    "pod repo": "subcommands",
    "pod repo list": "flags: --count-only --verbose --silent --no-ansi\noperands: none",
    "pod repo push": "weighty | publishes a pod",
    "pod trunk": "subcommands",
    "pod trunk push": "weighty | publishes a pod",
    "pod trunk delete": "weighty | removes a published pod",
    "pod trunk deprecate": "weighty | marks a published pod as deprecated",
    "pod trunk info": "flags: --verbose --silent --no-ansi",
    "pod trunk me": "operands: none",
    "pod install": "praxic | installs pods and changes the project",
    "pod update": "praxic | updates pods",
    "pod deintegrate": "praxic | changes the project",
    # ---------------------------------------------------------------- Rust
    "cargo": """
        Builds Rust projects and manages their packages.
        subcommands
        alone
        configured
        help: -h -V --list
        flags: -v --verbose -q --quiet --locked --offline --frozen
        praxic: --config -C -Z | changes cargo's configuration
        obeys: rust-toolchain rust-toolchain.toml | path
        obeys: .cargo/config .cargo/config.toml | rustc credential include [env
    """,
    "cargo metadata": """
        Prints facts about the project and its packages, or asks the registry.
        configured
        flags: --no-deps --all-features --no-default-features --locked --offline --frozen -v --verbose -q --quiet
        flags: --no-dedupe -d --duplicates --workspace --all -a --no-indent
        optional: --format-version --filter-platform -F --features --manifest-path --color -e --edges -i --invert
        optional: --prune
        optional: --depth --prefix --charset -f --format -p --package --exclude --target --message-format --limit
        optional: --index
        optional: --registry
        praxic: --config -C -Z --lockfile-path | changes cargo's configuration
        needs: --no-deps --locked --frozen | may write Cargo.lock; with --locked it only reads it
    """,
    "cargo search": """
        Prints facts about the project and its packages, or asks the registry.
        configured
        flags: --no-deps --all-features --no-default-features --locked --offline --frozen -v --verbose -q --quiet
        flags: --no-dedupe -d --duplicates --workspace --all -a --no-indent
        optional: --format-version --filter-platform -F --features --manifest-path --color -e --edges -i --invert
        optional: --prune
        optional: --depth --prefix --charset -f --format -p --package --exclude --target --message-format --limit
        optional: --index
        optional: --registry
        praxic: --config -C -Z --lockfile-path | changes cargo's configuration
    """,
    "cargo tree": "same as cargo metadata",
    "cargo pkgid": "same as cargo search",
    "cargo locate-project": "same as cargo search",
    "cargo read-manifest": "same as cargo search",
    "cargo verify-project": "same as cargo search",
    "cargo info": "same as cargo search",
    "cargo version": "configured\nflags: -v --verbose\noperands: none",
    "cargo help": "configured\noperands: read",
    "cargo config": "subcommands\nconfigured",
    "cargo config get": "same as cargo search",
    "cargo install": """
        Builds and installs programs.
        needs: --list | builds and installs a program
        flags: --list -q --quiet -v --verbose
        operands: none
    """,
    "cargo package": """
        Packs the crate.
        configured
        needs: -l --list | builds the package and writes an archive
        flags: -l --list --allow-dirty -q --quiet -v --verbose --offline --locked --frozen
        optional: -p --package --manifest-path --color
        operands: none
    """,
    "cargo owner": """
        Shows or changes who may publish a crate.
        needs: -l --list | changes who may publish
        flags: -l --list -q --quiet -v --verbose
        optional: --registry --index
        weighty: -a --add -r --remove | changes who may publish
    """,
    "cargo audit": """
        Looks for known weaknesses of the dependencies.
        configured
        operands: none
        flags: --json -q --quiet -v --verbose -n --no-fetch --stale --no-local-crates
        optional: -D --deny --ignore --color -c --target-arch --target-os
    """,
    "cargo outdated": """
        Lists dependencies that have newer versions.
        configured
        operands: none
        flags: -R --root-deps-only -a --aggressive -w --workspace -q --quiet -v --verbose --locked --offline
        optional: -d --depth --exit-code --format
    """,
    "cargo fmt": """
        Formats the project's files; what stands after -- goes to rustfmt.
        configured
        flags: --all -q --quiet -v --verbose
        values: -p --package --manifest-path
        form: checks
        needs: --check | rewrites the files
        flags: --check
        operands: none
        form: has rustfmt check
        subcommands
    """,
    "cargo fmt --check": """
        What stands after `cargo fmt --`.
        configured
        flags: -l --files-with-diff -v --verbose -q --quiet
        optional: --edition --style-edition --color
        praxic: --config --emit --backup --print-config --config-path | may make it rewrite the files
    """,
    "cargo publish": "weighty | publishes a crate",
    "cargo yank": "weighty | withdraws a published crate",
    "cargo login": "praxic | stores a credential",
    "cargo logout": "praxic | removes a credential",
    "cargo build": "praxic | builds, which runs build scripts and macros",
    "cargo b": "same as cargo build",
    "cargo check": "praxic | runs build scripts and macros",
    "cargo c": "same as cargo check",
    "cargo clippy": "praxic | runs build scripts and macros",
    "cargo doc": "praxic | builds, which runs build scripts and macros",
    "cargo test": "praxic | builds and runs the tests",
    "cargo t": "same as cargo test",
    "cargo bench": "praxic | builds and runs the benchmarks",
    "cargo run": "praxic | builds and runs the program",
    "cargo r": "same as cargo run",
    "cargo rustc": "praxic | builds, which runs build scripts and macros",
    "cargo fix": "praxic | rewrites source files",
    "cargo add": "praxic | changes Cargo.toml",
    "cargo remove": "praxic | changes Cargo.toml",
    "cargo update": "praxic | changes Cargo.lock",
    "cargo generate-lockfile": "praxic | writes Cargo.lock",
    "cargo fetch": "praxic | downloads crates and may write Cargo.lock",
    "cargo vendor": "praxic | copies dependencies into the project",
    "cargo clean": "praxic | removes what was built",
    "cargo new": "praxic | creates a project",
    "cargo init": "praxic | creates a project",
    "cargo uninstall": "praxic | removes a program",
    "rustup": """
        subcommands
        alone
        configured
        help: -h -V
        flags: -v --verbose -q --quiet
        obeys: rust-toolchain rust-toolchain.toml | path
    """,
    "rustup show": "configured\nflags: -v --verbose",
    "rustup check": "flags: -v --verbose --no-self-update\noperands: none",
    "rustup which": "configured\noptional: --toolchain",
    "rustup toolchain": "subcommands",
    "rustup toolchain list": "configured\nflags: -v --verbose -q --quiet\noperands: none",
    "rustup toolchain install": "praxic | installs a toolchain",
    "rustup toolchain uninstall": "praxic | removes a toolchain",
    "rustup toolchain link": "praxic | makes another folder a toolchain",
    "rustup target": "subcommands",
    "rustup target list": "configured\nflags: --installed -q --quiet\noptional: --toolchain\noperands: read...",
    "rustup target add": "praxic | installs a target",
    "rustup target remove": "praxic | removes a target",
    "rustup component": "subcommands",
    "rustup component list": "same as rustup target list",
    "rustup component add": "praxic | installs a component",
    "rustup component remove": "praxic | removes a component",
    "rustup override": "subcommands",
    "rustup override list": "operands: none",
    "rustup override set": "praxic | changes which toolchain is used",
    "rustup override unset": "praxic | changes which toolchain is used",
    "rustup doc": """
        configured
        needs: --path | opens a browser
        flags: --path --book --std --cargo --reference
        optional: --toolchain
    """,
    "rustup completions": "operands: read...",
    "rustup update": "praxic | updates toolchains",
    "rustup install": "praxic | installs a toolchain",
    "rustup default": "praxic | may change the default toolchain",
    "rustup run": "praxic | runs a command",
    "rustup self": "praxic | changes rustup itself",
    "rustup set": "praxic | changes rustup's settings",
    "wasm-pack": "praxic | builds, or publishes, a package\nhelp: -h -V",
    # ---------------------------------------------------------------- Go
    "go": "subcommands\nalone\nconfigured",
    "go list": """
        Lists packages or modules.
        long
        configured
        flags: -e -m -u -versions -retracted -deps -test -find -x -v -n -linkshared
        optional: -f -json -tags -reuse -buildvcs -compiler -p --json
        praxic: -export -compiled | builds packages
        praxic: -toolexec -mod -modfile -modcacherw -overlay -C -exec -o | runs a program, or may change go.mod
    """,
    "go env": """
        Prints go's settings.
        long
        configured
        flags: -json -changed
        praxic: -w -u -C | changes go's settings
    """,
    "go version": "long\nconfigured\nflags: -m -v -json",
    "go doc": """
        Prints documentation.
        long
        configured
        flags: -all -c -cmd -short -src -u -ex
        praxic: -http -C | starts a server
    """,
    "go help": "configured",
    "go vet": """
        Looks for mistakes in packages.
        long
        configured
        flags: -v -n -x -json -race -e
        optional: -tags -c -p -appends -asmdecl -assign -atomic -atomicalign -bools -buildtag -cgocall -composites
        optional: -copylocks
        optional: -defers -directive -errorsas -framepointer -httpresponse -ifaceassert -loopclosure -lostcancel
        optional: -nilfunc
        optional: -printf -shift -sigchanyzer -slog -stdmethods -stdversion -stringintconv -structtag -testinggoroutine
        optional: -tests -timeformat -unmarshal -unreachable -unsafeptr -unusedresult -waitgroup -hostport
        praxic: -vettool -toolexec -fix -mod -modfile -modcacherw -overlay -C -exec | runs a program, or changes files
        praxic: -o | runs a program, or changes files
    """,
    "go mod": "subcommands\nconfigured",
    "go mod graph": "long\nconfigured\nflags: -x\noptional: -go",
    "go mod why": "long\nconfigured\nflags: -m -vendor -x",
    "go mod verify": "long\nconfigured\noperands: none",
    "go mod edit": """
        Changes go.mod; with -json or -print it only prints it.
        long
        configured
        needs: -json -print | changes go.mod
        flags: -json -print
        operands: read
    """,
    "go mod tidy": "praxic | changes go.mod and go.sum",
    "go mod download": "praxic | downloads modules and may change go.sum",
    "go mod vendor": "praxic | copies dependencies into the project",
    "go mod init": "praxic | writes go.mod",
    "go work": "subcommands\nconfigured",
    "go work edit": "long\nconfigured\nneeds: -json -print | changes go.work\nflags: -json -print\noperands: read",
    "go tool": "subcommands\nalone\nconfigured",
    "go tool cover": """
        Prints coverage by function.
        long
        configured
        needs: -func | writes a file, or opens a browser
        optional: -func
        praxic: -html -mode -var -o -pkgcfg | writes a file, or opens a browser
    """,
    "go tool nm": "long\nconfigured\nflags: -n -size -type\noptional: -sort",
    "go tool objdump": "long\nconfigured\nflags: -S -gnu\noptional: -s",
    "go tool dist": "subcommands\nconfigured",
    "go tool dist list": "long\nconfigured\nflags: -json -broken -v\noperands: none",
    "go build": "praxic | builds, and writes what it built",
    "go test": "praxic | builds and runs the tests",
    "go run": "praxic | builds and runs the program",
    "go install": "praxic | builds and installs a program",
    "go get": "praxic | changes go.mod and downloads modules",
    "go generate": "praxic | runs commands named in source files",
    "go fmt": "praxic | rewrites the files",
    "go fix": "praxic | rewrites the files",
    "go clean": "praxic | removes what was built",
    "go bug": "praxic | opens a browser",
    # ---------------------------------------------------------------- PHP
    "composer": """
        Manages packages of PHP.
        subcommands
        alone
        configured
        help: -h -V
        flags: -q --quiet -n --no-interaction --ansi --no-ansi --no-plugins --no-scripts --no-cache -v --verbose
        flags: --profile
        praxic: -d --working-dir | takes its configuration from elsewhere
        obeys: composer.json | pre-command-run
        obeys: vendor/composer/installed.json | composer-plugin
    """,
    "composer show": """
        Shows packages of the project, or asks the registry.
        configured
        flags: --all --locked -i --installed -p --platform -a --available -s --self -N --name-only -P --path -t --tree
        flags: -l --latest -o --outdated -M --major-only -m --minor-only --patch-only -A --sort-by-age -D --direct
        flags: --strict --no-dev --ignore-platform-reqs -r --recursive --no-check-all --no-check-lock --check-lock
        flags: --no-check-publish --with-dependencies --lock --abandoned --only-name --only-vendor
        flags: -q --quiet -n --no-interaction --ansi --no-ansi --no-plugins --no-scripts --no-cache -v --verbose
        flags: --profile
        optional: -f --format --ignore --ignore-platform-req --type
        praxic: -d --working-dir | takes its configuration from elsewhere
    """,
    "composer info": "same as composer show",
    "composer outdated": "same as composer show",
    "composer why": "same as composer show",
    "composer depends": "same as composer show",
    "composer why-not": "same as composer show",
    "composer prohibits": "same as composer show",
    "composer licenses": "same as composer show",
    "composer validate": "same as composer show",
    "composer search": "same as composer show",
    "composer fund": "same as composer show",
    "composer audit": "same as composer show",
    "composer about": "same as composer show",
    "composer check-platform-reqs": "same as composer show",
    "composer status": "same as composer show",
    "composer suggests": "same as composer show",
    "composer diagnose": "same as composer show",
    "composer list": "same as composer show",
    "composer help": "same as composer show",
    "composer config": """
        Shows or changes the configuration.
        configured
        needs: -l --list | may change the configuration
        flags: -l --list -g --global --source -n --no-interaction --no-ansi
        operands: none
    """,
    "composer install": "praxic | installs packages and runs scripts",
    "composer update": "praxic | updates packages and runs scripts",
    "composer require": "praxic | changes composer.json and installs packages",
    "composer remove": "praxic | changes composer.json and removes packages",
    "composer dump-autoload": "praxic | writes the autoloader",
    "composer create-project": "praxic | creates a project",
    "composer run-script": "praxic | runs a script of composer.json",
    "composer exec": "praxic | runs a program of a package",
    "composer global": "praxic | changes packages of the person",
    "composer self-update": "praxic | replaces composer itself",
    "composer clear-cache": "praxic | empties the cache",
    "pecl": "praxic | installs extensions of PHP",
    # ---------------------------------------------------------------- Java and its relatives
    "mvn": """
        Builds Java projects.
        long
        subcommands
        configured
        obeys: .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml
        help: -h -v -version
        flags: -q -B -o -e -N -ntp --quiet --batch-mode --offline --no-transfer-progress
    """,
    "mvn dependency:tree": "praxic | loads the project's extensions and plugins",
    "mvn dependency:list": "same as mvn dependency:tree",
    "mvn dependency:analyze": "praxic | compiles the project",
    "mvn help:effective-pom": "same as mvn dependency:tree",
    "mvn help:effective-settings": "same as mvn dependency:tree",
    "mvn help:evaluate": "same as mvn dependency:tree",
    "mvn help:describe": "same as mvn dependency:tree",
    "mvn help:active-profiles": "same as mvn dependency:tree",
    "mvn help:all-profiles": "same as mvn dependency:tree",
    "mvn deploy": "weighty | publishes what was built",
    "mvn deploy:deploy-file": "weighty | publishes a file",
    "mvn release:perform": "weighty | publishes a release",
    "mvn release:prepare": "praxic | changes versions, commits and tags",
    "mvn clean": "praxic | removes what was built",
    "mvn compile": "praxic | builds the project",
    "mvn test": "praxic | builds and runs the tests",
    "mvn package": "praxic | builds the project",
    "mvn verify": "praxic | builds and runs the tests",
    "mvn install": "praxic | builds the project and installs it",
    "mvnw": "praxic | runs the project's own build script",
    "mvnd": "praxic | builds the project",
    "maven": "praxic | builds the project",
    "gradle": "configured\npraxic | runs the project's build scripts, whatever the task\nhelp: -h -? -v",
    "gradlew": "configured\npraxic | runs the project's own build script",
    "sbt": "configured\npraxic | runs the project's build definition",
    "mill": "configured\npraxic | runs the project's build definition",
    "lein": "subcommands\nconfigured\ndeaf",
    "lein deploy": "weighty | publishes a package",
    "sdk": "praxic | installs or chooses software development kits",
    "jenv": "praxic | may change which Java is used",
    # ---------------------------------------------------------------- Erlang, Elixir, Haskell, OCaml, Lua, others
    "mix": "subcommands\nconfigured\ndeaf",
    "mix hex.publish": "weighty | publishes a package",
    "mix hex.retire": "weighty | withdraws a published package",
    "rebar3": "configured\npraxic | runs the project's build definition\nhelp: -h -v",
    "cabal": "subcommands\nhelp: -h -V\nconfigured",
    "cabal list": """
        configured
        flags: -I --installed --simple-output -i --ignore-case -s --strict-case
        optional: -v --verbose
    """,
    "cabal info": "configured\noptional: -v --verbose",
    "cabal upload": "weighty | publishes a package",
    "cabal build": "praxic | builds the project, which runs its code",
    "cabal test": "praxic | builds and runs the tests",
    "cabal run": "praxic | builds and runs the program",
    "cabal install": "praxic | builds and installs packages",
    "cabal update": "praxic | renews the list of packages",
    "stack": "subcommands\nconfigured\nhelp: -h",
    "stack upload": "weighty | publishes a package",
    "stack build": "praxic | builds the project, which runs its code",
    "stack test": "praxic | builds and runs the tests",
    "stack install": "praxic | builds and installs packages",
    "stack exec": "praxic | runs a command",
    "ghcup": "subcommands\nhelp: -h",
    "ghcup list": "optional: -t --tool -c --show-criteria\nflags: -r --raw-format -o --old",
    "ghcup whereis": "flags: -d --directory",
    "opam": "subcommands\nalone\nhelp: -h",
    "opam list": """
        Lists packages.
        flags: -a --all -A --available -i --installed --roots --installable --pinned --rec --all-versions --short -s
        flags: --no-switch -q --quiet -v --verbose --normalise --nobuild --raw --sort
        optional: --columns --depends-on --required-by --resolve --search --separator --color -f --field --switch
        writes: --json | puts a record into the file that is named
    """,
    "opam show": "same as opam list",
    "opam info": "same as opam list",
    "opam search": "same as opam list",
    "opam var": "Prints a variable; `name=value` sets it.\noperands: read\noptional: --switch\ncode: no_equals",
    "opam env": "flags: --shell\noptional: --switch\noperands: none",
    "opam switch": "subcommands\nalone",
    "opam switch list": "flags: -s --short\noperands: none",
    "opam switch list-available": "flags: -s --short -a --all",
    "opam switch show": "flags: -s --short\noperands: none",
    "opam repository": "subcommands",
    "opam repository list": "flags: -a --all -s --short\noperands: none",
    "opam repo": "same as opam repository",
    "opam publish": "weighty | publishes a package",
    "opam install": "praxic | builds and installs packages",
    "opam update": "praxic | renews the list of packages",
    "opam upgrade": "praxic | updates packages",
    "opam exec": "praxic | runs a command",
    "luarocks": "subcommands\nalone\nconfigured\nhelp: -h",
    "luarocks list": "configured\nflags: --outdated --porcelain",
    "luarocks show": """
        configured
        flags: --home --modules --deps --rockspec --mversion --rock-tree --rock-dir --porcelain
    """,
    "luarocks search": "configured\nflags: --source --binary --all --porcelain",
    "luarocks which": "configured",
    "luarocks path": "configured\nflags: --no-bin --bin --append --lr-path --lr-cpath --lr-bin\noperands: none",
    "luarocks upload": "weighty | publishes a package",
    "luarocks install": "praxic | builds and installs packages",
    "luarocks remove": "praxic | removes packages",
    "luarocks make": "praxic | builds and installs a package",
    "cpan": "praxic | installs modules of Perl\nhelp: -h -v",
    "cpanm": "praxic | installs modules of Perl\nhelp: -h -V",
    "carton": "praxic | installs modules of Perl",
    "dart": "subcommands\nalone\nconfigured\nhelp: -h",
    "dart pub": "subcommands\nconfigured",
    "dart pub publish": "weighty | publishes a package",
    "dart pub get": "praxic | installs packages",
    "dart pub add": "praxic | changes pubspec.yaml and installs packages",
    "dart run": "praxic | runs code",
    "dart test": "praxic | runs the tests",
    "dart format": "praxic | rewrites the files",
    "dart fix": "praxic | rewrites the files",
    "dart analyze": "praxic | may run analysis plugins of the project",
    "dart info": "operands: none",
    "flutter": "subcommands\nalone\nconfigured\nhelp: -h",
    "flutter doctor": "flags: -v --verbose\noperands: none\npraxic: --android-licenses | accepts licences",
    "flutter devices": "flags: --machine\noptional: --device-timeout\noperands: none",
    "flutter channel": "Lists channels; with a word it changes it.\nflags: -a --all\noperands: none",
    "flutter pub": "subcommands\nconfigured",
    "flutter pub publish": "weighty | publishes a package",
    "flutter build": "praxic | builds the app",
    "flutter run": "praxic | builds and runs the app",
    "flutter test": "praxic | runs the tests",
    "flutter analyze": "praxic | may install packages and run analysis plugins",
    "flutter clean": "praxic | removes what was built",
    "flutter upgrade": "praxic | replaces flutter itself",
    "pub": "praxic | installs or publishes packages of Dart\nhelp: -h",
    "swiftpm": "praxic | runs the package's manifest",
    "carthage": "praxic | downloads and builds frameworks",
    "dotnet": """
        help: -h --info --list-sdks --list-runtimes
        configured
        form: one of its commands
        subcommands
    """,
    "dotnet help": "operands: none",
    "dotnet sdk": "subcommands",
    "dotnet sdk check": "operands: none",
    "dotnet tool": "subcommands\nconfigured",
    "dotnet tool list": "configured\nflags: -g --global --local\noptional: --format",
    "dotnet tool search": "flags: --detail --prerelease\noptional: --author --type --skip --take",
    "dotnet workload": "subcommands\nconfigured",
    "dotnet workload list": "configured\noperands: none",
    "dotnet new": "subcommands\nconfigured",
    "dotnet new list": "configured\nflags: --columns-all\noptional: --author -lang --language --tag --type --columns",
    "dotnet new search": """
        configured
        flags: --columns-all
        optional: --author --language --tag --type --columns --package
    """,
    "dotnet nuget": "subcommands\nconfigured",
    "dotnet nuget list": "subcommands\nconfigured",
    "dotnet nuget list source": "configured\noptional: --format\noperands: none",
    "dotnet nuget locals": """
        Shows or clears local caches.
        needs: -l --list | clears a cache
        flags: -l --list
        praxic: -c --clear | clears a cache
    """,
    "dotnet nuget push": "weighty | publishes a package",
    "dotnet nuget delete": "weighty | removes a published package",
    "dotnet sln": "praxic | changes a solution, or loads the project",
    "dotnet list": "praxic | loads the project and may restore it, which runs its targets",
    "dotnet build": "praxic | builds the project, which runs its targets",
    "dotnet test": "praxic | builds and runs the tests",
    "dotnet restore": "praxic | downloads packages and runs the project's targets",
    "dotnet publish": "praxic | builds the project for deployment",
    "dotnet pack": "praxic | builds a package",
    "dotnet clean": "praxic | removes what was built",
    "dotnet add": "praxic | changes the project",
    "dotnet remove": "praxic | changes the project",
    "dotnet format": "praxic | rewrites the files",
    "nuget": "subcommands\nalone\nconfigured",
    "nuget push": "weighty | publishes a package",
    "nuget delete": "weighty | removes a published package",
    "nuget install": "praxic | installs packages",
    "nuget restore": "praxic | installs packages",
    "nuget help": "operands: read...",
    "vcpkg": "subcommands\nconfigured",
    "vcpkg list": "configured\noperands: read...",
    "vcpkg search": "configured\noperands: read...",
    "vcpkg version": "operands: none",
    "vcpkg install": "praxic | builds and installs packages",
    "conan": "configured\npraxic | runs recipes of packages\nhelp: -h -v",
    "asdf": "subcommands\nalone",
    "asdf list": "operands: read...",
    "asdf current": "operands: read...\nflags: --no-header",
    "asdf where": "operands: read...",
    "asdf which": "operands: read...",
    "asdf latest": "operands: read...\nflags: --all",
    "asdf info": "operands: none",
    "asdf version": "operands: none",
    "asdf help": "operands: read...",
    "asdf shim-versions": "operands: read...",
    "asdf plugin": "subcommands",
    "asdf plugin list": "flags: --urls --refs\noperands: read...",
    "asdf plugin add": "praxic | installs a plugin",
    "asdf plugin remove": "praxic | removes a plugin",
    "asdf plugin update": "praxic | updates plugins",
    "asdf install": "praxic | installs a version",
    "asdf uninstall": "praxic | removes a version",
    "asdf set": "praxic | changes which version is used",
    "asdf global": "praxic | changes which version is used",
    "asdf local": "praxic | changes which version is used",
    "asdf exec": "praxic | runs a command",
    "mise": "subcommands\nalone\nconfigured\nhelp: -h -V\nflags: -q --quiet -v --verbose",
    "mise ls": """
        Lists tools and their versions.
        configured
        flags: -c --current -g --global -l --local -i --installed -m --missing -J --json --no-header --prunable
        flags: --outdated
        flags: -q --quiet -v --verbose --extended --hidden --all --plugin -b --bump --no-config
        optional: --prefix
        praxic: -C --cd | takes its configuration from elsewhere
    """,
    "mise list": "same as mise ls",
    "mise current": "same as mise ls",
    "mise where": "same as mise ls",
    "mise which": "configured\nflags: --plugin --version\noptional: -t --tool",
    "mise ls-remote": "same as mise ls",
    "mise latest": "same as mise ls",
    "mise outdated": "same as mise ls",
    "mise version": "flags: -J --json\noperands: none",
    "mise doctor": "configured\nflags: -J --json\noperands: none",
    "mise bin-paths": "configured\noperands: read...",
    "mise registry": "flags: --hide-aliased -J --json\noptional: -b --backend",
    "mise tasks": "subcommands\nalone\nconfigured",
    "mise tasks ls": """
        configured
        flags: -x --extended -g --global -l --local --hidden -J --json --no-header
        operands: none
    """,
    "mise config": "subcommands\nalone\nconfigured",
    "mise config ls": "configured\nflags: -J --json --no-header --tracked-configs\noperands: none",
    "mise config get": "configured\noperands: read",
    "mise plugins": "subcommands\nalone\nconfigured",
    "mise plugins ls": "configured\nflags: -a --all -c --core -u --urls --user --refs\noperands: none",
    "mise install": "praxic | installs tools",
    "mise use": "praxic | changes which tools are used, and installs them",
    "mise run": "praxic | runs a task of the project",
    "mise exec": "praxic | runs a command",
    "mise trust": "praxic | lets a folder's configuration run code",
    # ---------------------------------------------------------------- Systems
    "brew": """
        Manages software.
        code: plain_names
        help: -h -v --config
        form: one of its commands
        subcommands
        form: prints where things are
        needs: --prefix --cellar --cache --repository --repo --caskroom | changes something
        flags: --prefix --cellar --cache --repository --repo --caskroom --installed --formula --cask
    """,
    "brew list": """
        Looks at formulae and what is installed.
        code: plain_names
        flags: --formula --formulae --cask --casks --full-name --versions --multiple --pinned -1 -l -r -t -v --verbose
        flags: -q --quiet -d --debug --installed --installed-on-request --installed-as-dependency --poured-from-bottle
        flags: --built-from-source --analytics --fetch-manifest --variations --all --eval-all --sizes --topological -n
        flags: --union --direct --declared --include-implicit --include-build --include-optional --include-test
        flags: --skip-recommended --include-requirements --tree --prune --annotate --missing --recursive --desc
        flags: -s --search --name --description -g --greedy --greedy-latest --greedy-auto-updates --fetch-HEAD --compact
        optional: --json --days --category --hide --os --arch
        praxic: --github --pull-request --open --closed --alpine --repology --macports --fink | opens a browser
        praxic: --opensuse | opens a browser
        praxic: --fedora --archlinux --debian --ubuntu --graph --dot | opens a browser
    """,
    "brew ls": "same as brew list",
    "brew info": "same as brew list",
    "brew abv": "same as brew list",
    "brew search": "same as brew list",
    "brew deps": "same as brew list",
    "brew uses": "same as brew list",
    "brew outdated": "same as brew list",
    "brew leaves": "same as brew list",
    "brew desc": "same as brew list",
    "brew cat": "same as brew list",
    "brew missing": "same as brew list",
    "brew options": "same as brew list",
    "brew formulae": "operands: none",
    "brew casks": "operands: none",
    "brew commands": "flags: -q --quiet --include-aliases\noperands: none",
    "brew config": "flags: -v --verbose -q --quiet\noperands: none",
    "brew doctor": "flags: --list-checks -D --audit-debug -v --verbose -q --quiet\ncode: plain_names",
    "brew tap": "Lists taps; with a word it adds one.\noperands: none",
    "brew tap-info": "flags: --installed -v --verbose\noptional: --json",
    "brew shellenv": "operands: read",
    "brew help": "operands: read...",
    "brew services": "subcommands\nalone",
    "brew services list": "flags: --json --debug\noperands: none",
    "brew services info": "flags: --all --json\ncode: plain_names",
    "brew install": "praxic | installs software",
    "brew reinstall": "praxic | installs software",
    "brew uninstall": "praxic | removes software",
    "brew remove": "praxic | removes software",
    "brew rm": "praxic | removes software",
    "brew upgrade": "praxic | updates software",
    "brew update": "praxic | renews brew and its formulae",
    "brew cleanup": "praxic | removes old versions",
    "brew autoremove": "praxic | removes software",
    "brew link": "praxic | links software into place",
    "brew unlink": "praxic | removes links",
    "brew pin": "praxic | holds a version",
    "brew untap": "praxic | removes a tap",
    "brew bundle": "praxic | runs a Brewfile",
    "brew edit": "praxic | opens an editor",
    "brew create": "praxic | writes a formula and opens an editor",
    "brew home": "praxic | opens a browser",
    "brew fetch": "praxic | downloads software",
    "brew test": "praxic | runs a formula's test",
    "apt": """
        help: -h -v
        flags: -q --quiet
        praxic: -o --option -c --config-file | changes apt's configuration, which can run commands
        form: one of its commands
        subcommands
    """,
    "apt list": """
        Looks at packages.
        flags: -a --all-versions -i --installed --upgradable --upgradeable --manual-installed -q --quiet -v --verbose
        flags: -n --names-only -f --full --recurse --important --no-pre-depends --no-depends --no-recommends
        flags: --no-suggests
        flags: --no-conflicts --no-breaks --no-replaces --no-enhances --implicit --no-pager --no-all-versions
        optional: --color -t --target-release --default-release
        praxic: -o --option -c --config-file | changes apt's configuration, which can run commands
    """,
    "apt show": "same as apt list",
    "apt search": "same as apt list",
    "apt policy": "same as apt list",
    "apt depends": "same as apt list",
    "apt rdepends": "same as apt list",
    "apt showsrc": "same as apt list",
    "apt showpkg": "same as apt list",
    "apt madison": "same as apt list",
    "apt changelog": "same as apt list",
    "apt help": "operands: none",
    "apt install": """
        Installs packages.
        needs: -s --simulate --dry-run --just-print --no-act | installs packages
        flags: -s --simulate --dry-run --just-print --no-act -y --yes --assume-yes -q --quiet -V --verbose-versions
        flags: --no-install-recommends --install-recommends --only-upgrade --reinstall -f --fix-broken --purge
        praxic: -o --option -c --config-file | changes apt's configuration, which can run commands
    """,
    "apt upgrade": "same as apt install",
    "apt full-upgrade": "same as apt install",
    "apt remove": "same as apt install",
    "apt purge": "same as apt install",
    "apt autoremove": "same as apt install",
    "apt update": "praxic | renews the lists of packages",
    "apt edit-sources": "praxic | opens an editor",
    "apt source": "praxic | downloads sources",
    "apt download": "praxic | downloads packages",
    "apt build-dep": "praxic | installs packages",
    "apt clean": "praxic | empties apt's cache",
    "apt autoclean": "praxic | empties apt's cache",
    "apt-cache": """
        subcommands
        alone
        help: -h -v
        flags: -q --quiet
        praxic: -o --option -c --config-file | changes apt's configuration
    """,
    "apt-cache show": """
        Looks at apt's cache of packages.
        flags: -q --quiet -i --important --no-pre-depends --no-depends --no-recommends --no-suggests --no-conflicts
        flags: --no-breaks --no-replaces --no-enhances -f --full -a --all-versions --no-all-versions -g --generate
        flags: --no-generate -n --names-only --all-names --recurse --installed --with-source
        praxic: -o --option -c --config-file -p --pkg-cache -s --src-cache | changes apt's configuration
    """,
    "apt-cache search": "same as apt-cache show",
    "apt-cache policy": "same as apt-cache show",
    "apt-cache depends": "same as apt-cache show",
    "apt-cache rdepends": "same as apt-cache show",
    "apt-cache madison": "same as apt-cache show",
    "apt-cache showpkg": "same as apt-cache show",
    "apt-cache showsrc": "same as apt-cache show",
    "apt-cache stats": "same as apt-cache show",
    "apt-cache dump": "same as apt-cache show",
    "apt-cache dumpavail": "same as apt-cache show",
    "apt-cache unmet": "same as apt-cache show",
    "apt-cache pkgnames": "same as apt-cache show",
    "apt-cache dotty": "same as apt-cache show",
    "apt-get": """
        help: -h -v
        praxic: -o --option -c --config-file | changes apt's configuration, which can run commands
        form: one of its commands
        subcommands
    """,
    "apt-get install": "same as apt install",
    "apt-get upgrade": "same as apt install",
    "apt-get dist-upgrade": "same as apt install",
    "apt-get remove": "same as apt install",
    "apt-get purge": "same as apt install",
    "apt-get autoremove": "same as apt install",
    "apt-get update": "praxic | renews the lists of packages",
    "apt-get indextargets": "praxic | loads apt's configuration in full",
    "apt-get source": "praxic | downloads sources",
    "apt-get download": "praxic | downloads packages",
    "apt-get build-dep": "praxic | installs packages",
    "apt-get clean": "praxic | empties apt's cache",
    "apt-get autoclean": "praxic | empties apt's cache",
    "apt-file": "subcommands\nhelp: -h",
    "apt-file search": """
        Finds packages by the files in them.
        flags: -F --fixed-string -i --ignore-case -l --package-only -x --regexp -v --verbose -D --from-deb
        optional: -a --architecture
    """,
    "apt-file find": "same as apt-file search",
    "apt-file list": "same as apt-file search",
    "apt-file show": "same as apt-file search",
    "apt-file update": "praxic | renews the lists of files",
    "apt-mark": "subcommands\nhelp: -h -v",
    "apt-mark showhold": "operands: read...",
    "apt-mark showauto": "operands: read...",
    "apt-mark showmanual": "operands: read...",
    "apt-mark showinstall": "operands: read...",
    "apt-mark hold": "praxic | holds a package back",
    "apt-mark unhold": "praxic | lets a package be updated",
    "apt-config": "subcommands\nhelp: -h -v",
    "apt-config dump": "operands: read...",
    "apt-config shell": "operands: read...",
    "apt-key": "subcommands",
    "apt-key list": "operands: none",
    "apt-key add": "praxic | trusts a key",
    "add-apt-repository": "praxic | changes where packages come from\nhelp: -h",
    "aptitude": "subcommands\nhelp: -h",
    "aptitude search": "flags: -q --quiet -v --verbose\noptional: -F --display-format -w --width -O --sort",
    "aptitude show": "flags: -q --quiet -v --verbose",
    "aptitude why": "flags: -q --quiet -v --verbose",
    "aptitude why-not": "flags: -q --quiet -v --verbose",
    "aptitude versions": "flags: -q --quiet -v --verbose",
    "aptitude install": "praxic | installs packages",
    "dpkg": """
        Manages Debian packages.
        long
        help: -h --print-architecture --print-foreign-architectures --get-selections --audit -C
        form: asks about packages
        needs: -l --list -L --listfiles -s --status -S --search -p --print-avail -V --verify | changes packages
        flags: -l --list -L --listfiles -s --status -S --search -p --print-avail -V --verify --no-pager
        form: lists chosen packages, or compares two versions
        needs: --get-selections --compare-versions | changes packages
        flags: --get-selections --compare-versions
        form: looks into an archive
        needs: -c --contents -I --info -f --field | changes packages
        flags: -c --contents -I --info -f --field
    """,
    "dpkg-query": """
        Asks the database of Debian packages.
        long
        flags: -l --list -W --show -s --status -L --listfiles -S --search -p --print-avail -c --control-list
        flags: --control-show --control-path --no-pager --load-avail
        optional: -f --showformat
        praxic: --admindir --root | takes its database from elsewhere
    """,
    "dpkg-deb": """
        Looks into packages, or builds and unpacks them.
        long
        needs: -c --contents -I --info -W --show -f --field | builds or unpacks a package
        flags: -c --contents -I --info -W --show -f --field
        optional: --showformat
        praxic: -b --build -x --extract -X --vextract -e --control -R --raw-extract | builds or unpacks a package
    """,
    "dpkg-reconfigure": "praxic | changes a package's settings",
    "dpkg-divert": "praxic | may change where files are installed",
    "update-alternatives": """
        Shows or changes which program a name stands for.
        long
        needs: --list --display --query --get-selections | changes which program a name stands for
        flags: --list --display --query --get-selections --quiet --verbose
    """,
    "rpm": """
        Manages RPM packages.
        needs: -q --query | installs, removes or checks packages, or runs macros
        flags: -q --query -a --all -i --info -l --list -f --file -p --package -c --configfiles -d --docfiles -s --state
        flags: -R --requires --provides --whatprovides --whatrequires --changelog --changes --scripts --triggers
        flags: --filetriggers --filesbypkg --conflicts --obsoletes --recommends --suggests --supplements --enhances
        flags: --last --dump --whatconflicts --whatobsoletes --whatrecommends --group --nosignature --nodigest -v
        flags: --verbose
        flags: --quiet --fileclass --filecolor --fileprovide --filerequire --querytags
        values: --queryformat --qf
        praxic: --pipe -E --eval -D --define --undefine --load --macros | runs a program or macros, or changes packages
        praxic: --rcfile --root --dbpath --specfile --specrpms -e -U -F | runs a program or macros, or changes packages
        praxic: -V --verify --import | runs a program or macros, or changes packages
    """,
    "dnf": """
        Manages RPM packages.
        subcommands
        alone
        help: -h
        flags: -q --quiet -v --verbose -C --cacheonly
        praxic: --setopt --installroot -c --config --plugin | changes dnf's configuration
    """,
    "dnf list": """
        Looks at packages.
        flags: -q --quiet -v --verbose -C --cacheonly --installed --available --updates --upgrades --extras --obsoletes
        flags: --recent --autoremove --showduplicates --all --enabled --disabled --security --bugfix --enhancement
        flags: --list --info --summary -l --requires --provides --depends --whatdepends --recommends --suggests
        flags: --conflicts
        flags: --changelogs --location --source --recursive --tree --latest-limit --userinstalled --duplicates
        flags: --unneeded
        flags: -y --assumeno --refresh --alldeps --exactdeps --deplist --nevra --hidden -a --changelog
        optional: --repo --repoid --enablerepo --disablerepo --releasever --forcearch --arch --archlist --exclude
        optional: --color
        optional: --qf --queryformat --file -f --whatprovides --whatrequires --whatrecommends --whatconflicts --advisory
        praxic: --setopt --installroot -c --config --plugin | changes dnf's configuration
    """,
    "dnf info": "same as dnf list",
    "dnf search": "same as dnf list",
    "dnf repoquery": "same as dnf list",
    "dnf provides": "same as dnf list",
    "dnf whatprovides": "same as dnf list",
    "dnf repolist": "same as dnf list",
    "dnf repoinfo": "same as dnf list",
    "dnf check-update": "same as dnf list",
    "dnf check-upgrade": "same as dnf list",
    "dnf deplist": "same as dnf list",
    "dnf updateinfo": "same as dnf list",
    "dnf help": "same as dnf list",
    "dnf history": "subcommands\nalone",
    "dnf history list": "same as dnf list",
    "dnf history info": "same as dnf list",
    "dnf group": "subcommands",
    "dnf group list": "same as dnf list",
    "dnf group info": "same as dnf list",
    "dnf grouplist": "same as dnf list",
    "dnf groupinfo": "same as dnf list",
    "dnf module": "subcommands",
    "dnf module list": "same as dnf list",
    "dnf module info": "same as dnf list",
    "dnf install": "praxic | installs packages",
    "dnf remove": "praxic | removes packages",
    "dnf erase": "praxic | removes packages",
    "dnf update": "praxic | updates packages",
    "dnf upgrade": "praxic | updates packages",
    "dnf autoremove": "praxic | removes packages",
    "dnf clean": "praxic | empties caches",
    "dnf makecache": "praxic | renews the lists of packages",
    "dnf config-manager": "praxic | changes where packages come from",
    "dnf5": "same as dnf",
    "yum": "same as dnf",
    "microdnf": "same as dnf",
    "zypper": """
        Manages RPM packages.
        subcommands
        alone
        help: -h
        flags: -q --quiet -v --verbose -n --non-interactive --no-refresh -x --xmlout -A --no-abbrev -t --terse -i
    """,
    "zypper search": """
        Looks at packages.
        flags: -s --details -v --verbose -i --installed-only -u --not-installed-only -n --name -f --file-list -d
        flags: --search-descriptions -C --case-sensitive -x --match-exact --match-substrings --match-words
        flags: --provides --requires --recommends --suggests --conflicts --obsoletes --enhances --supplements
        optional: -t --type -r --repo --sort-by-name --sort-by-repo
        praxic: -e --export | writes a file
    """,
    "zypper se": "same as zypper search",
    "zypper info": "same as zypper search",
    "zypper if": "same as zypper search",
    "zypper list-updates": "flags: -a --all --best-effort\noptional: -t --type -r --repo",
    "zypper lu": "same as zypper list-updates",
    "zypper list-patches": "flags: -a --all\noptional: -g --category --severity --cve -b --bugzilla -r --repo",
    "zypper lp": "same as zypper list-patches",
    "zypper repos": """
        Lists repositories.
        flags: -a --alias -n --name -u --uri -p --priority -r --refresh -d --details -s --service -E --show-enabled-only
        flags: -U -P -A -N --sort-by-uri --sort-by-priority --sort-by-alias --sort-by-name
        praxic: -e --export | writes a file
    """,
    "zypper lr": "same as zypper repos",
    "zypper packages": "flags: -i --installed-only -u --not-installed-only --orphaned --unneeded\noptional: -r --repo",
    "zypper pa": "same as zypper packages",
    "zypper what-provides": "operands: read...",
    "zypper wp": "same as zypper what-provides",
    "zypper install": "praxic | installs packages",
    "zypper in": "praxic | installs packages",
    "zypper remove": "praxic | removes packages",
    "zypper rm": "praxic | removes packages",
    "zypper update": "praxic | updates packages",
    "zypper up": "praxic | updates packages",
    "zypper refresh": "praxic | renews the lists of packages",
    "zypper ref": "praxic | renews the lists of packages",
    "pacman": """
        Manages packages of Arch Linux.
        help: -h -V
        form: asks what is installed
        needs: -Q --query | installs, removes or updates packages
        flags: -Q --query -c --changelog -d --deps -e --explicit -g --groups -i --info -k --check -l --list -m --foreign
        flags: -n --native -o --owns -p --file -q --quiet -s --search -t --unrequired -u --upgrades -v --verbose
        optional: --color
        form: searches the repositories
        needs: -s --search -i --info -g --groups -l --list | installs, removes or updates packages
        flags: -S --sync -s --search -i --info -g --groups -l --list -q --quiet -v --verbose
        optional: --color
        form: searches for files in packages
        needs: -F --files | installs, removes or updates packages
        flags: -F --files -l --list -x --regex -q --quiet -v --verbose --machinereadable
        optional: --color
    """,
    "yay": "same as pacman",
    "paru": "same as pacman",
    "makepkg": "praxic | builds a package, which runs its build script\nhelp: -h -V",
    "apk": """
        Manages packages of Alpine Linux.
        subcommands
        alone
        help: -h
        flags: -q --quiet -v --verbose --no-cache --no-network
        praxic: -p --root -X --repository --repositories-file --keys-dir | takes packages from elsewhere
        praxic: --allow-untrusted | takes packages from elsewhere
    """,
    "apk info": """
        Looks at packages.
        flags: -a --all -d --description -e --installed -L --contents -P --provides -r --rdepends -R --depends -s --size
        flags: -w --webpage -W --who-owns --install-if --license --replaces --rinstall-if -t --triggers -q --quiet
        flags: -v --verbose -I -A --available -u --upgradable --upgradeable -O --orphaned --providers -x --exact
        flags: -o --origin --has-origin -l --limit --no-cache --no-network
    """,
    "apk list": """
        flags: -I --installed -O --orphaned -a --available -u --upgradable --upgradeable -o --origin -d --depends -P
        flags: --providers -q --quiet -v --verbose
    """,
    "apk search": """
        flags: -a --all -d --description -e --exact -o --origin -r --rdepends --has-origin -x -q --quiet -v --verbose
    """,
    "apk policy": "flags: -q --quiet -v --verbose",
    "apk version": "flags: -a --all -c --check -q --quiet -v --verbose -I --indexes -t --test\noptional: -l --limit",
    "apk stats": "operands: none",
    "apk add": "praxic | installs packages",
    "apk del": "praxic | removes packages",
    "apk update": "praxic | renews the lists of packages",
    "apk upgrade": "praxic | updates packages",
    "apk fetch": "praxic | downloads packages",
    "apk fix": "praxic | repairs packages",
    "snap": "subcommands\nalone\nhelp: -h",
    "snap list": "flags: --all\noptional: --unicode --color",
    "snap info": "flags: --verbose --abs-time\noptional: --unicode --color",
    "snap find": "flags: --private --narrow\noptional: --section --unicode --color",
    "snap search": "same as snap find",
    "snap connections": "flags: --all",
    "snap interfaces": "optional: -i",
    "snap services": "flags: -g --global -u --user",
    "snap changes": "flags: --abs-time",
    "snap tasks": "flags: --abs-time\noptional: --last",
    "snap version": "flags: --verbose\noperands: none",
    "snap model": "flags: --serial --verbose --assertion --abs-time\noperands: none",
    "snap install": "praxic | installs a snap",
    "snap remove": "praxic | removes a snap",
    "snap refresh": "praxic | updates snaps",
    "snap run": "praxic | runs a program",
    "snapcraft": "praxic | builds, or publishes, a snap\nhelp: -h",
    "flatpak": "subcommands\nalone\nhelp: -h",
    "flatpak list": """
        Looks at applications.
        flags: -d --show-details --app --runtime -a --all -u --user --system -v --verbose --updates --cached
        flags: -r --show-ref -o --show-origin -c --show-commit -s --show-size -m --show-metadata -l --show-location
        flags: --file-access --log --show-permissions -M -j --json --reverse --show-disabled -S --show-sdk
        flags: --show-extensions -e
        optional: --arch --columns --app-runtime --commit --installation --since --until
    """,
    "flatpak info": "same as flatpak list",
    "flatpak search": "same as flatpak list",
    "flatpak remotes": "same as flatpak list",
    "flatpak remote-ls": "same as flatpak list",
    "flatpak remote-info": "same as flatpak list",
    "flatpak history": "same as flatpak list",
    "flatpak ps": "optional: --columns\nflags: -v --verbose\noperands: none",
    "flatpak install": "praxic | installs an application",
    "flatpak uninstall": "praxic | removes an application",
    "flatpak update": "praxic | updates applications",
    "flatpak run": "praxic | runs an application",
    "nix": "subcommands\nalone\nconfigured\nhelp: -h",
    "nix profile": "subcommands",
    "nix profile list": "flags: --json --no-pretty\noperands: none",
    "nix registry": "subcommands",
    "nix registry list": "operands: none",
    "nix path-info": "praxic | evaluates code and may write the lock file",
    "nix build": "praxic | builds packages",
    "nix run": "praxic | builds and runs a program",
    "nix develop": "praxic | builds an environment and starts a shell",
    "nix shell": "praxic | builds packages and starts a shell",
    "nix eval": "praxic | evaluates code, which may build",
    "nix flake": "praxic | evaluates code and may write the lock file",
    "nix-env": """
        Changes or lists the person's packages.
        needs: -q --query | changes the person's packages
        flags: -q --query -a --available -P --attr-path --installed -s --status --description --json --no-name
        flags: --out-path
        flags: -c --compare-versions --meta
    """,
    "nix-channel": "needs: --list | changes channels\nflags: --list\noperands: none",
    "nix-store": """
        Works on the store of packages.
        needs: -q --query | changes the store
        flags: -q --query --references --requisites -R --referrers --referrers-closure --tree --size --hash --deriver -d
        flags: --outputs --roots --graph --graphml
        praxic: -f --force-realise -u --use-output -r --realise --delete --gc --add | builds, or changes the store
    """,
    "nix-shell": "praxic | builds an environment and starts a shell",
    "nix-build": "praxic | builds packages",
    "nix-collect-garbage": "weighty | removes packages and old generations",
    "nixos-rebuild": "praxic | changes the system",
    "home-manager": "praxic | changes the person's environment",
    "devbox": "praxic | installs packages, or runs a shell\nhelp: -h",
    "guix": "subcommands\nhelp: -h",
    "guix search": "operands: read...",
    "guix show": "operands: read...",
    "guix describe": "optional: -f --format\noperands: none",
    "guix package": """
        Changes or lists the person's packages.
        needs: -I --list-installed -A --list-available --list-generations --search-paths | changes the person's packages
        optional: -I --list-installed -A --list-available --list-generations --search-paths
    """,
    "guix install": "praxic | installs packages",
    "guix remove": "praxic | removes packages",
    "guix pull": "praxic | updates guix",
    "guix gc": "weighty | removes packages and old generations",
    "port": "subcommands\nflags: -q -v",
    "port installed": "flags: -q -v\ncode: plain",
    "port outdated": "flags: -q -v\ncode: plain",
    "port search": """
        code: plain
        flags: -q -v --name --description --long_description --line --exact --glob --regex --case-sensitive
    """,
    "port contents": "flags: -q -v --size --units\ncode: plain",
    "port provides": "flags: -q -v\ncode: plain",
    "port version": "operands: none",
    "choco": "subcommands\nalone\nhelp: -h",
    "choco list": "flags: -l --local-only -r --limit-output --id-only --exact -e -a --all-versions --pre --prerelease",
    "choco search": "same as choco list",
    "choco find": "same as choco list",
    "choco info": "same as choco list",
    "choco outdated": "flags: -r --limit-output --ignore-pinned --ignore-unfound",
    "choco push": "weighty | publishes a package",
    "choco install": "praxic | installs software",
    "choco upgrade": "praxic | updates software",
    "choco uninstall": "praxic | removes software",
    "winget": "subcommands\nalone",
    "winget list": "optional: --id --name --source -s -n -q --query\nflags: --upgrade-available -e --exact",
    "winget search": "same as winget list",
    "winget show": "same as winget list",
    "winget install": "praxic | installs software",
    "winget uninstall": "praxic | removes software",
    "winget upgrade": "praxic | may update software",
    "scoop": "subcommands\nalone",
    "scoop list": "operands: read...",
    "scoop search": "operands: read...",
    "scoop info": "operands: read...\nflags: -v --verbose",
    "scoop status": "operands: none\nflags: -l --local",
    "emerge": "praxic | builds and installs packages\nhelp: -h -V",
    "equery": "praxic | not known well enough",
    "xbps-query": """
        Asks about packages of Void Linux.
        flags: -l --list-pkgs -L --list-repos -H --list-hold-pkgs -m --list-manual-pkgs -O --list-orphans -o --ownedby
        flags: -S --show -s --search -f --files -x --deps -X --revdeps -R --repository -v --verbose -i --regex
        flags: --fulldeptree
        optional: -p --property
    """,
    "xbps-install": "praxic | installs packages",
    "pkg": "subcommands",
    "pkg info": """
        flags: -a --all -A -f --full -l --list-files -d --dependencies -r --required-by -q --quiet -s --size -o
        flags: --origin -x -g -i -e
    """,
    "pkg search": "flags: -q --quiet -o --origins -x -g -i -f --full -e",
    "pkg query": "flags: -a --all -g -x -i",
    "pkg list-installed": "operands: read...",
    "pkg list-all": "operands: read...",
    "pkg show": "operands: read...",
    "pkg install": "praxic | installs packages",
    "pkg delete": "praxic | removes packages",
    "pkg upgrade": "praxic | updates packages",
    "softwareupdate": "praxic | may install updates\nhelp: -h -l --list --history",
    "mas": "subcommands\nhelp: -h",
    "mas list": "operands: none",
    "mas search": "flags: --price",
    "mas outdated": "operands: none",
    "mas install": "praxic | installs software",
}
