"""Cards of the command lines of code forges (gh, glab, hub, tea) and of version control systems besides git (jj, hg,
svn).

Listing and showing is noetic, over the network too. `--web` opens a browser and is praxic everywhere. Mercurial looks
for --config among the values of other options, so the cards of its reading commands have `code: hg_values`.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---------------------------------------------------------------------------------------------- GitHub
    "gh": """
        GitHub's command line; its first word chooses what it does.
        subcommands
        alone
        help: -h
        """,
    "gh help": """
        Shows help about a command or a topic.
        any
        """,
    "gh version": """
        Prints the version.
        operands: none
        """,
    "gh reference": """
        Prints the manual of all commands.
        operands: none
        """,
    "gh actions": """
        Explains the commands about workflows.
        operands: none
        """,
    "gh completion": """
        Prints a completion script.
        values: -s --shell
        operands: none
        """,
    "gh status": """
        Lists issues, requests and notifications that concern the user.
        values: -o --org -e --exclude
        operands: none
        """,
    "gh api": """
        Makes a request to GitHub; whether it only reads depends on its method and its fields.
        flags: -i --include --paginate --silent --slurp --verbose
        values: -H --header --hostname -q --jq -t --template -p --preview --cache -X --method
        values: -f --raw-field -F --field --input
        code: gh_api
        """,
    "gh browse": """
        Opens GitHub in a browser; with -n it only prints the address.
        flags: -n --no-browser -p --projects -r --releases -s --settings -w --wiki -a --actions --blame
        optional: -c --commit
        values: -b --branch -R --repo
        needs: -n --no-browser | opens a browser
        """,
    "gh copilot": "praxic | runs an agent",
    "gh agent-task": "praxic | runs an agent",
    "gh preview": "praxic | runs what is being tried out",
    "gh alias": """
        Manages shortcuts.
        subcommands
        """,
    "gh alias list": """
        Lists shortcuts.
        operands: none
        """,
    "gh alias ls": "same as gh alias list",
    "gh alias set": "praxic | sets a shortcut, which can run anything",
    "gh alias import": "praxic | sets shortcuts, which can run anything",
    "gh alias delete": "praxic | deletes a shortcut",
    "gh attestation": """
        Works with attestations.
        subcommands
        """,
    "gh attestation verify": """
        Checks where a file was built.
        flags: --bundle-from-oci --no-public-good --deny-self-hosted-runners
        values: -b --bundle -o --owner -R --repo --predicate-type --custom-trusted-root -L --limit --cert-identity
        values: -i --cert-identity-regex --signer-repo --signer-workflow --cert-oidc-issuer --hostname -d --digest-alg
        values: --format -q --jq -t --template --signer-digest --source-ref --source-digest
        """,
    "gh attestation download": "praxic | writes what it downloads",
    "gh attestation trusted-root": "praxic | writes its cache of keys",
    "gh auth": """
        Manages credentials.
        subcommands
        """,
    "gh auth status": """
        Shows who is logged in.
        flags: -t --show-token -a --active
        values: -h --hostname --json -q --jq --template
        operands: none
        """,
    "gh auth token": """
        Prints the token in use.
        values: -h --hostname -u --user
        operands: none
        """,
    "gh auth login": "praxic | logs in and keeps a token",
    "gh auth logout": "praxic | logs out",
    "gh auth refresh": "praxic | changes the token",
    "gh auth setup-git": "praxic | changes git's configuration",
    "gh auth switch": "praxic | changes who is logged in",
    "gh auth git-credential": "praxic | hands a token to git",
    "gh cache": """
        Manages caches of workflows.
        subcommands
        values: -R --repo
        """,
    "gh cache list": """
        Lists caches.
        values: -R --repo -L --limit -k --key -r --ref -O --order -S --sort --json -q --jq -t --template
        operands: none
        """,
    "gh cache ls": "same as gh cache list",
    "gh cache delete": "weighty | deletes caches",
    "gh codespace": """
        Manages machines in the cloud.
        subcommands
        """,
    "gh codespace list": """
        Lists machines.
        values: -L --limit -R --repo -o --org -u --user --json -q --jq -t --template
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh codespace ls": "same as gh codespace list",
    "gh codespace view": """
        Shows a machine.
        values: -c --codespace -R --repo --repo-owner --json -q --jq -t --template
        operands: none
        """,
    "gh codespace code": "praxic | opens an editor",
    "gh codespace cp": "praxic | copies files",
    "gh codespace create": "praxic | starts a machine",
    "gh codespace delete": "weighty | deletes machines",
    "gh codespace edit": "praxic | changes a machine",
    "gh codespace jupyter": "praxic | starts a server",
    "gh codespace logs": "praxic | starts the machine to read its log",
    "gh codespace ports": "praxic | starts the machine, or changes its ports",
    "gh codespace rebuild": "weighty | builds a machine anew",
    "gh codespace ssh": "praxic | runs commands on a machine",
    "gh codespace stop": "praxic | stops a machine",
    "gh cs": """
        The same as gh codespace.
        subcommands
        """,
    "gh cs list": "same as gh codespace list",
    "gh cs ls": "same as gh codespace list",
    "gh cs view": "same as gh codespace view",
    "gh config": """
        Manages gh's configuration.
        subcommands
        """,
    "gh config get": """
        Prints an option.
        values: -h --host
        """,
    "gh config list": """
        Lists options.
        values: -h --host
        operands: none
        """,
    "gh config ls": "same as gh config list",
    "gh config set": "praxic | changes gh's configuration, which can name programs",
    "gh config clear-cache": "praxic | removes gh's cache",
    "gh extension": """
        Manages programs that add commands to gh.
        subcommands
        """,
    "gh extension list": """
        Lists extensions.
        operands: none
        """,
    "gh extension ls": "same as gh extension list",
    "gh extension search": """
        Searches for extensions.
        values: -L --limit --license --owner --order --sort --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh extension browse": "praxic | installs and removes extensions",
    "gh extension create": "praxic | writes a new extension",
    "gh extension exec": "praxic | runs an extension",
    "gh extension install": "praxic | installs an extension",
    "gh extension remove": "praxic | removes an extension",
    "gh extension upgrade": "praxic | installs extensions anew",
    "gh ext": """
        The same as gh extension.
        subcommands
        """,
    "gh ext list": "same as gh extension list",
    "gh ext ls": "same as gh extension list",
    "gh ext search": "same as gh extension search",
    "gh extensions": """
        The same as gh extension.
        subcommands
        """,
    "gh extensions list": "same as gh extension list",
    "gh gist": """
        Manages gists.
        subcommands
        """,
    "gh gist list": """
        Lists gists.
        flags: --public --secret --include-content
        values: -L --limit --filter
        operands: none
        """,
    "gh gist ls": "same as gh gist list",
    "gh gist view": """
        Shows a gist.
        flags: -r --raw --files
        values: -f --filename
        praxic: -w --web | opens a browser
        """,
    "gh gist clone": "praxic | copies a gist here",
    "gh gist create": "weighty | publishes text",
    "gh gist new": "weighty | publishes text",
    "gh gist delete": "weighty | deletes a gist",
    "gh gist edit": "praxic | changes a gist",
    "gh gist rename": "praxic | changes a gist",
    "gh gpg-key": """
        Manages keys.
        subcommands
        """,
    "gh gpg-key list": """
        Lists keys.
        operands: none
        """,
    "gh gpg-key ls": "same as gh gpg-key list",
    "gh gpg-key add": "praxic | adds a key to the account",
    "gh gpg-key delete": "weighty | deletes a key of the account",
    "gh issue": """
        Manages issues.
        subcommands
        values: -R --repo
        """,
    "gh issue list": """
        Lists issues.
        values: -R --repo --app -a --assignee -A --author -q --jq --json -l --label -L --limit --mention -m --milestone
        values: -S --search -s --state -t --template --type
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh issue ls": "same as gh issue list",
    "gh issue view": """
        Shows an issue.
        flags: -c --comments
        values: -R --repo -q --jq --json -t --template
        praxic: -w --web | opens a browser
        """,
    "gh issue status": """
        Lists issues that concern the user.
        values: -R --repo -q --jq --json -t --template
        operands: none
        """,
    "gh issue develop": """
        Makes a branch for an issue; with --list it lists them.
        flags: -l --list
        values: -R --repo
        needs: -l --list | makes a branch
        """,
    "gh issue close": "praxic | closes an issue",
    "gh issue comment": "praxic | comments on an issue",
    "gh issue create": "praxic | opens an issue",
    "gh issue new": "praxic | opens an issue",
    "gh issue delete": "weighty | deletes an issue",
    "gh issue edit": "praxic | changes an issue",
    "gh issue lock": "praxic | locks an issue",
    "gh issue unlock": "praxic | unlocks an issue",
    "gh issue pin": "praxic | pins an issue",
    "gh issue unpin": "praxic | unpins an issue",
    "gh issue reopen": "praxic | opens an issue again",
    "gh issue transfer": "weighty | moves an issue to another repository",
    "gh label": """
        Manages labels.
        subcommands
        values: -R --repo
        """,
    "gh label list": """
        Lists labels.
        values: -R --repo -L --limit -S --search --order --sort --json -q --jq -t --template
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh label ls": "same as gh label list",
    "gh label clone": "praxic | makes labels",
    "gh label create": "praxic | makes a label",
    "gh label edit": "praxic | changes a label",
    "gh label delete": "weighty | deletes a label",
    "gh licenses": """
        Prints the licenses of what gh is built from.
        operands: none
        """,
    "gh org": """
        Manages organizations.
        subcommands
        """,
    "gh org list": """
        Lists organizations.
        values: -L --limit
        operands: none
        """,
    "gh org ls": "same as gh org list",
    "gh pr": """
        Manages pull requests.
        subcommands
        values: -R --repo
        """,
    "gh pr list": """
        Lists pull requests.
        flags: -d
        optional: --draft
        values: -R --repo --app -a --assignee -A --author -B --base -H --head -q --jq --json -l --label -L --limit
        values: -S --search -s --state -t --template
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh pr ls": "same as gh pr list",
    "gh pr view": """
        Shows a pull request.
        flags: -c --comments
        values: -R --repo -q --jq --json -t --template
        praxic: -w --web | opens a browser
        """,
    "gh pr diff": """
        Shows the changes of a pull request.
        flags: --patch --name-only
        values: -R --repo --color -e --exclude
        praxic: -w --web | opens a browser
        """,
    "gh pr checks": """
        Shows the checks of a pull request.
        flags: --watch --fail-fast --required
        values: -R --repo -i --interval -q --jq --json -t --template
        praxic: -w --web | opens a browser
        """,
    "gh pr status": """
        Lists pull requests that concern the user.
        flags: -c --conflict-status
        values: -R --repo -q --jq --json -t --template
        operands: none
        """,
    "gh pr checkout": "praxic | fetches a branch and checks it out",
    "gh pr co": "praxic | fetches a branch and checks it out",
    "gh pr close": """
        Closes a pull request.
        praxic | closes a pull request
        values: -R --repo -c --comment
        weighty: -d --delete-branch | deletes the branch too
        """,
    "gh pr comment": "praxic | comments on a pull request",
    "gh pr create": "praxic | opens a pull request",
    "gh pr new": "praxic | opens a pull request",
    "gh pr edit": "praxic | changes a pull request",
    "gh pr lock": "praxic | locks a pull request",
    "gh pr unlock": "praxic | unlocks a pull request",
    "gh pr merge": "weighty | merges a pull request for all",
    "gh pr ready": "praxic | marks a pull request as ready",
    "gh pr reopen": "praxic | opens a pull request again",
    "gh pr revert": "praxic | opens a pull request",
    "gh pr review": "praxic | reviews a pull request",
    "gh pr update-branch": "praxic | changes the branch of a pull request",
    "gh project": """
        Manages projects.
        subcommands
        """,
    "gh project list": """
        Lists projects.
        flags: --closed
        values: --owner -L --limit --format -q --jq -t --template
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh project ls": "same as gh project list",
    "gh project view": """
        Shows a project.
        values: --owner --format -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh project field-list": """
        Lists the fields of a project.
        values: --owner -L --limit --format -q --jq -t --template
        """,
    "gh project item-list": """
        Lists the items of a project.
        values: --owner -L --limit --format -q --jq -t --template --query
        """,
    "gh project close": "praxic | closes a project",
    "gh project copy": "praxic | makes a project",
    "gh project create": "praxic | makes a project",
    "gh project delete": "weighty | deletes a project",
    "gh project edit": "praxic | changes a project",
    "gh project field-create": "praxic | changes a project",
    "gh project field-delete": "weighty | deletes a field of a project",
    "gh project item-add": "praxic | changes a project",
    "gh project item-archive": "praxic | changes a project",
    "gh project item-create": "praxic | changes a project",
    "gh project item-delete": "weighty | deletes an item of a project",
    "gh project item-edit": "praxic | changes a project",
    "gh project link": "praxic | changes a project",
    "gh project unlink": "praxic | changes a project",
    "gh project mark-template": "praxic | changes a project",
    "gh release": """
        Manages releases.
        subcommands
        values: -R --repo
        """,
    "gh release list": """
        Lists releases.
        flags: --exclude-drafts --exclude-pre-releases
        values: -R --repo -L --limit -O --order --json -q --jq -t --template
        operands: none
        """,
    "gh release ls": "same as gh release list",
    "gh release view": """
        Shows a release.
        values: -R --repo --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh release verify": """
        Checks the attestation of a release.
        values: -R --repo --format -q --jq -t --template
        """,
    "gh release verify-asset": """
        Checks the attestation of a file of a release.
        values: -R --repo --format -q --jq -t --template
        """,
    "gh release download": """
        Downloads files of a release.
        flags: --clobber --skip-existing
        values: -R --repo -p --pattern -A --archive
        writes: -O --output | writes what it downloads
        form: one file, or standard output
        needs: -O --output | writes into the working folder
        dash
        form: into a folder
        writes: -D --dir | writes what it downloads
        needs: -D --dir | writes into the working folder
        """,
    "gh release create": "weighty | publishes a release",
    "gh release new": "weighty | publishes a release",
    "gh release delete": "weighty | deletes a release",
    "gh release delete-asset": "weighty | deletes a file of a release",
    "gh release edit": "weighty | changes what is published",
    "gh release upload": "weighty | publishes files",
    "gh repo": """
        Manages repositories.
        subcommands
        """,
    "gh repo list": """
        Lists repositories.
        flags: --archived --no-archived --fork --source --private --public
        values: -L --limit -l --language --topic --visibility --json -q --jq -t --template
        """,
    "gh repo ls": "same as gh repo list",
    "gh repo view": """
        Shows a repository.
        values: -b --branch --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh repo credits": """
        Lists who contributed.
        flags: -s --static
        """,
    "gh repo set-default": """
        Sets which repository is meant here; with --view it prints it.
        flags: -v --view
        needs: -v --view | changes git's configuration
        operands: none
        """,
    "gh repo deploy-key": """
        Manages keys.
        subcommands
        values: -R --repo
        """,
    "gh repo deploy-key list": """
        Lists keys.
        values: -R --repo --json -q --jq -t --template
        operands: none
        """,
    "gh repo deploy-key ls": "same as gh repo deploy-key list",
    "gh repo deploy-key add": "weighty | gives a key access",
    "gh repo deploy-key delete": "weighty | deletes a key",
    "gh repo autolink": """
        Manages links that are made of references.
        subcommands
        values: -R --repo
        """,
    "gh repo autolink list": """
        Lists them.
        values: -R --repo --json -q --jq -t --template
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh repo autolink ls": "same as gh repo autolink list",
    "gh repo autolink view": """
        Shows one.
        values: -R --repo --json -q --jq -t --template
        """,
    "gh repo autolink create": "praxic | changes a repository",
    "gh repo autolink new": "praxic | changes a repository",
    "gh repo autolink delete": "weighty | changes a repository",
    "gh repo gitignore": """
        Shows templates.
        subcommands
        """,
    "gh repo gitignore list": """
        Lists templates.
        operands: none
        """,
    "gh repo gitignore ls": "same as gh repo gitignore list",
    "gh repo gitignore view": """
        Shows a template.
        operands: read
        """,
    "gh repo license": """
        Shows licenses.
        subcommands
        """,
    "gh repo license list": """
        Lists licenses.
        operands: none
        """,
    "gh repo license ls": "same as gh repo license list",
    "gh repo license view": """
        Shows a license.
        praxic: -w --web | opens a browser
        """,
    "gh repo garden": "praxic | draws on the screen until it is stopped",
    "gh repo clone": "praxic | copies a repository here",
    "gh repo create": """
        Makes a repository.
        praxic | makes a repository
        weighty: --public --push | publishes
        """,
    "gh repo new": "same as gh repo create",
    "gh repo edit": """
        Changes a repository.
        praxic | changes a repository
        weighty: --visibility --accept-visibility-change-consequences | publishes or hides it
        """,
    "gh repo fork": "praxic | makes a repository",
    "gh repo sync": """
        Brings a fork up to date.
        praxic | moves branches
        weighty: --force | overwrites a branch
        """,
    "gh repo rename": "weighty | renames a repository for all",
    "gh repo archive": "weighty | makes a repository read-only for all",
    "gh repo unarchive": "praxic | makes a repository writable",
    "gh repo delete": "weighty | deletes a repository",
    "gh ruleset": """
        Shows rules of a repository.
        subcommands
        values: -R --repo
        """,
    "gh ruleset list": """
        Lists rules.
        flags: -p
        optional: --parents
        values: -R --repo -L --limit -o --org
        praxic: -w --web | opens a browser
        operands: none
        """,
    "gh ruleset ls": "same as gh ruleset list",
    "gh ruleset view": """
        Shows rules.
        flags: -p
        optional: --parents
        values: -R --repo -o --org
        praxic: -w --web | opens a browser
        """,
    "gh ruleset check": """
        Shows the rules for a branch.
        flags: --default
        values: -R --repo
        praxic: -w --web | opens a browser
        """,
    "gh rs": """
        The same as gh ruleset.
        subcommands
        values: -R --repo
        """,
    "gh rs list": "same as gh ruleset list",
    "gh rs ls": "same as gh ruleset list",
    "gh rs view": "same as gh ruleset view",
    "gh rs check": "same as gh ruleset check",
    "gh run": """
        Shows and steers runs of workflows.
        subcommands
        values: -R --repo
        """,
    "gh run list": """
        Lists runs.
        flags: -a --all
        values: -R --repo -L --limit -w --workflow -b --branch -u --user -e --event --created -c --commit -s --status
        values: --json -q --jq -t --template
        operands: none
        """,
    "gh run ls": "same as gh run list",
    "gh run view": """
        Shows a run and its log.
        flags: -v --verbose --exit-status --log --log-failed
        values: -R --repo -j --job -a --attempt --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh run watch": """
        Waits for a run.
        flags: --exit-status --compact
        values: -R --repo -i --interval
        """,
    "gh run download": """
        Downloads what a run made.
        values: -R --repo -n --name -p --pattern
        writes: -D --dir | writes what it downloads
        needs: -D --dir | writes into the working folder
        """,
    "gh run cancel": "praxic | stops a run",
    "gh run delete": "weighty | deletes a run",
    "gh run rerun": "praxic | starts a run again",
    "gh search": """
        Searches GitHub.
        subcommands
        """,
    "gh search code": """
        Searches code.
        values: -L --limit --extension --filename --language -R --repo --size --owner --match --json -q --jq
        values: -t --template
        praxic: -w --web | opens a browser
        """,
    "gh search commits": """
        Searches commits.
        optional: --merge
        values: -L --limit --author --author-date --author-email --author-name --committer --committer-date
        values: --committer-email --committer-name --hash --parent -R --repo --tree --owner --order --sort --visibility
        values: --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh search issues": """
        Searches issues.
        flags: --include-prs --locked --no-assignee --no-label --no-milestone --no-project
        optional: --archived
        values: -L --limit --app --assignee --author --closed --commenter --comments --created --interactions
        values: --involves --label --language --mentions --milestone --project --reactions -R --repo --team-mentions
        values: --updated --owner --order --sort --match --visibility --state --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh search prs": """
        Searches pull requests.
        flags: --locked --no-assignee --no-label --no-milestone --no-project --merged
        optional: --archived --draft
        values: -L --limit --app --assignee --author --closed --commenter --comments --created --interactions
        values: --involves --label --language --mentions --milestone --project --reactions -R --repo --team-mentions
        values: --updated --owner --order --sort --match --visibility --state --json -q --jq -t --template
        values: -B --base -H --head --merged-at --review-requested --reviewed-by --review --checks
        praxic: -w --web | opens a browser
        """,
    "gh search repos": """
        Searches repositories.
        optional: --archived
        values: -L --limit --created --followers --forks --good-first-issues --help-wanted-issues --language --license
        values: --updated --size --stars --topic --number-topics --owner --order --sort --include-forks --match
        values: --visibility --json -q --jq -t --template
        praxic: -w --web | opens a browser
        """,
    "gh secret": """
        Manages secrets.
        subcommands
        values: -R --repo
        """,
    "gh secret list": """
        Lists the names of secrets.
        flags: -u --user
        values: -R --repo -o --org -e --env -a --app --json -q --jq -t --template
        operands: none
        """,
    "gh secret ls": "same as gh secret list",
    "gh secret set": "weighty | overwrites a secret",
    "gh secret delete": "weighty | deletes a secret",
    "gh secret remove": "weighty | deletes a secret",
    "gh ssh-key": """
        Manages keys.
        subcommands
        """,
    "gh ssh-key list": """
        Lists keys.
        operands: none
        """,
    "gh ssh-key ls": "same as gh ssh-key list",
    "gh ssh-key add": "weighty | gives a key access to the account",
    "gh ssh-key delete": "weighty | deletes a key of the account",
    "gh variable": """
        Manages variables.
        subcommands
        values: -R --repo
        """,
    "gh variable list": """
        Lists variables.
        values: -R --repo -o --org -e --env --json -q --jq -t --template
        operands: none
        """,
    "gh variable ls": "same as gh variable list",
    "gh variable get": """
        Prints a variable.
        values: -R --repo -o --org -e --env --json -q --jq -t --template
        """,
    "gh variable set": "praxic | overwrites a variable",
    "gh variable delete": "weighty | deletes a variable",
    "gh variable remove": "weighty | deletes a variable",
    "gh workflow": """
        Manages workflows.
        subcommands
        values: -R --repo
        """,
    "gh workflow list": """
        Lists workflows.
        flags: -a --all
        values: -R --repo -L --limit --json -q --jq -t --template
        operands: none
        """,
    "gh workflow ls": "same as gh workflow list",
    "gh workflow view": """
        Shows a workflow.
        flags: -y --yaml
        values: -R --repo -r --ref
        praxic: -w --web | opens a browser
        """,
    "gh workflow run": "weighty | starts a workflow, which may publish",
    "gh workflow enable": "praxic | switches a workflow on",
    "gh workflow disable": "praxic | switches a workflow off",
    # ---------------------------------------------------------------------------------------------- GitLab
    "glab": """
        GitLab's command line; its first word chooses what it does.
        subcommands
        alone
        help: -h
        """,
    "glab help": """
        Shows help.
        any
        """,
    "glab version": """
        Prints the version.
        operands: none
        """,
    "glab check-update": """
        Tells whether there is a newer version.
        operands: none
        """,
    "glab completion": """
        Prints a completion script.
        flags: --no-desc
        values: -s --shell
        operands: none
        """,
    "glab api": """
        Makes a request to GitLab; whether it only reads depends on its method and its fields.
        flags: -i --include --paginate --silent
        values: -H --header --hostname -X --method -f --raw-field -F --field --input --output
        code: gh_api
        """,
    "glab alias": """
        Manages shortcuts.
        subcommands
        """,
    "glab alias list": """
        Lists shortcuts.
        operands: none
        """,
    "glab alias ls": "same as glab alias list",
    "glab alias set": "praxic | sets a shortcut, which can run anything",
    "glab alias delete": "praxic | deletes a shortcut",
    "glab auth": """
        Manages credentials.
        subcommands
        """,
    "glab auth status": """
        Shows who is logged in.
        flags: -a --all -t --show-token
        values: --hostname
        operands: none
        """,
    "glab auth login": "praxic | logs in and keeps a token",
    "glab auth logout": "praxic | logs out",
    "glab ci": """
        Shows and steers pipelines.
        subcommands
        values: -R --repo
        """,
    "glab ci list": """
        Lists pipelines.
        flags: -y --yaml-errors
        values: -R --repo -n --name -o --orderBy -F --output -p --page -P --per-page -r --ref --scope --sha --sort
        values: --source -s --status -a --updated-after -b --updated-before -u --username
        operands: none
        """,
    "glab ci ls": "same as glab ci list",
    "glab ci get": """
        Shows a pipeline.
        flags: -d --with-job-details --with-variables
        values: -R --repo -b --branch -F --output -p --pipeline-id
        operands: none
        """,
    "glab ci status": """
        Shows the pipeline of a branch.
        flags: -c --compact -l --live
        values: -R --repo -b --branch
        operands: none
        """,
    "glab ci trace": """
        Shows the log of a job.
        values: -R --repo -b --branch -p --pipeline-id
        """,
    "glab ci view": "praxic | opens a screen, in which jobs are run and stopped",
    "glab ci lint": "praxic | sends the file to GitLab",
    "glab ci config": "praxic | sends the file to GitLab",
    "glab ci artifact": "praxic | writes what it downloads",
    "glab ci cancel": "praxic | stops jobs",
    "glab ci delete": "weighty | deletes pipelines",
    "glab ci retry": "praxic | starts a job again",
    "glab ci run": "weighty | starts a pipeline, which may publish",
    "glab ci run-trig": "weighty | starts a pipeline, which may publish",
    "glab ci trigger": "weighty | starts a job, which may publish",
    "glab pipeline": """
        The same as glab ci.
        subcommands
        values: -R --repo
        """,
    "glab pipeline list": "same as glab ci list",
    "glab pipeline ls": "same as glab ci list",
    "glab pipeline get": "same as glab ci get",
    "glab pipeline status": "same as glab ci status",
    "glab pipeline trace": "same as glab ci trace",
    "glab config": """
        Manages glab's configuration.
        subcommands
        """,
    "glab config get": """
        Prints an option.
        flags: -g --global
        values: --host
        """,
    "glab config set": "praxic | changes glab's configuration, which can name programs",
    "glab config edit": "praxic | opens an editor",
    "glab incident": """
        Manages incidents.
        subcommands
        values: -R --repo
        """,
    "glab incident list": """
        Lists incidents.
        flags: -A --all -c --closed -C --confidential
        values: -R --repo -a --assignee --author -e --epic -g --group --in -l --label -m --milestone --not-assignee
        values: --not-author --not-label --order -O --output -F --output-format -p --page -P --per-page --search --sort
        operands: none
        """,
    "glab incident view": "same as glab issue view",
    "glab issue": """
        Manages issues.
        subcommands
        values: -R --repo
        """,
    "glab issue list": """
        Lists issues.
        flags: -A --all -c --closed -C --confidential --opened
        values: -R --repo -a --assignee --author -e --epic -g --group --in -t --issue-type -i --iteration -l --label
        values: -m --milestone --not-assignee --not-author --not-label --order -O --output -F --output-format -p --page
        values: -P --per-page --search --sort
        operands: none
        """,
    "glab issue ls": "same as glab issue list",
    "glab issue view": """
        Shows an issue.
        flags: -c --comments -s --system-logs
        values: -R --repo -F --output -p --page -P --per-page
        praxic: -w --web | opens a browser
        """,
    "glab issue show": "same as glab issue view",
    "glab issue board": "praxic | makes boards or opens a screen",
    "glab issue close": "praxic | closes an issue",
    "glab issue create": "praxic | opens an issue",
    "glab issue new": "praxic | opens an issue",
    "glab issue delete": "weighty | deletes an issue",
    "glab issue note": "praxic | comments on an issue",
    "glab issue comment": "praxic | comments on an issue",
    "glab issue reopen": "praxic | opens an issue again",
    "glab issue subscribe": "praxic | subscribes to an issue",
    "glab issue unsubscribe": "praxic | changes a subscription",
    "glab issue update": "praxic | changes an issue",
    "glab iteration": """
        Shows iterations.
        subcommands
        values: -R --repo
        """,
    "glab iteration list": """
        Lists iterations.
        values: -R --repo -g --group -F --output -p --page -P --per-page
        operands: none
        """,
    "glab job": """
        Works with jobs.
        subcommands
        """,
    "glab job artifact": "praxic | writes what it downloads",
    "glab label": """
        Manages labels.
        subcommands
        values: -R --repo
        """,
    "glab label list": """
        Lists labels.
        values: -R --repo -g --group -F --output -p --page -P --per-page
        operands: none
        """,
    "glab label ls": "same as glab label list",
    "glab label get": """
        Shows a label.
        values: -R --repo
        """,
    "glab label create": "praxic | makes a label",
    "glab label edit": "praxic | changes a label",
    "glab label delete": "weighty | deletes a label",
    "glab milestone": """
        Manages milestones.
        subcommands
        values: -R --repo
        """,
    "glab milestone list": """
        Lists milestones.
        flags: --include-ancestors --show-id
        values: -R --repo --group -p --page -P --per-page --project --search --state --title
        operands: none
        """,
    "glab milestone create": "praxic | makes a milestone",
    "glab milestone edit": "praxic | changes a milestone",
    "glab milestone delete": "weighty | deletes a milestone",
    "glab mr": """
        Manages merge requests.
        subcommands
        values: -R --repo
        """,
    "glab mr list": """
        Lists merge requests.
        flags: -A --all -c --closed -d --draft -M --merged --not-draft
        values: -R --repo -a --assignee --author -g --group -l --label -m --milestone --not-label -o --order
        values: -F --output -p --page -P --per-page -r --reviewer --search -S --sort -s --source-branch
        values: -t --target-branch
        operands: none
        """,
    "glab mr ls": "same as glab mr list",
    "glab mr view": """
        Shows a merge request.
        flags: -c --comments -s --system-logs
        values: -R --repo -F --output -p --page -P --per-page
        praxic: -w --web | opens a browser
        """,
    "glab mr show": "same as glab mr view",
    "glab mr diff": """
        Shows the changes of a merge request.
        flags: --raw
        values: -R --repo --color
        """,
    "glab mr approvers": """
        Lists who may approve.
        values: -R --repo
        """,
    "glab mr issues": """
        Lists the issues of a merge request.
        values: -R --repo
        """,
    "glab mr approve": "praxic | approves a merge request",
    "glab mr checkout": "praxic | fetches a branch and checks it out",
    "glab mr close": "praxic | closes a merge request",
    "glab mr create": "praxic | opens a merge request",
    "glab mr new": "praxic | opens a merge request",
    "glab mr delete": "weighty | deletes a merge request",
    "glab mr merge": "weighty | merges a merge request for all",
    "glab mr accept": "weighty | merges a merge request for all",
    "glab mr note": "praxic | comments on a merge request",
    "glab mr comment": "praxic | comments on a merge request",
    "glab mr rebase": "weighty | rewrites the branch of a merge request",
    "glab mr reopen": "praxic | opens a merge request again",
    "glab mr revoke": "praxic | takes an approval back",
    "glab mr subscribe": "praxic | subscribes to a merge request",
    "glab mr unsubscribe": "praxic | changes a subscription",
    "glab mr todo": "praxic | adds a task",
    "glab mr update": "praxic | changes a merge request",
    "glab release": """
        Manages releases.
        subcommands
        values: -R --repo
        """,
    "glab release list": """
        Lists releases.
        values: -R --repo -p --page -P --per-page
        """,
    "glab release ls": "same as glab release list",
    "glab release view": """
        Shows a release.
        values: -R --repo
        praxic: -w --web | opens a browser
        """,
    "glab release create": "weighty | publishes a release",
    "glab release delete": "weighty | deletes a release",
    "glab release upload": "weighty | publishes files",
    "glab release download": "praxic | writes what it downloads",
    "glab repo": """
        Manages projects.
        subcommands
        """,
    "glab repo list": """
        Lists projects.
        flags: -a --all --archived -G --include-subgroups --member -m --mine --starred
        values: -g --group -o --order -F --output -p --page -P --per-page -s --sort -u --user
        operands: none
        """,
    "glab repo ls": "same as glab repo list",
    "glab repo view": """
        Shows a project.
        values: -b --branch -F --output
        praxic: -w --web | opens a browser
        """,
    "glab repo search": """
        Searches projects.
        values: -s --search -F --output -p --page -P --per-page
        """,
    "glab repo contributors": """
        Lists who contributed.
        values: -R --repo -o --order -p --page -P --per-page -s --sort
        operands: none
        """,
    "glab repo archive": "praxic | writes what it downloads",
    "glab repo clone": "praxic | copies a repository here",
    "glab repo create": "praxic | makes a project",
    "glab repo fork": "praxic | makes a project",
    "glab repo delete": "weighty | deletes a project",
    "glab repo mirror": "praxic | changes a project",
    "glab repo publish": "weighty | publishes",
    "glab repo transfer": "weighty | moves a project",
    "glab repo update": "praxic | changes a project",
    "glab schedule": """
        Manages schedules.
        subcommands
        values: -R --repo
        """,
    "glab schedule list": """
        Lists schedules.
        values: -R --repo -p --page -P --per-page
        operands: none
        """,
    "glab schedule create": "praxic | makes a schedule",
    "glab schedule update": "praxic | changes a schedule",
    "glab schedule delete": "weighty | deletes a schedule",
    "glab schedule run": "weighty | starts a pipeline, which may publish",
    "glab snippet": "praxic | publishes text",
    "glab stack": "praxic | makes commits and branches",
    "glab token": "praxic | manages tokens",
    "glab user": """
        Tells about the user.
        subcommands
        """,
    "glab user events": """
        Lists what the user did.
        flags: -a --all
        values: -F --output -p --page -P --per-page
        operands: none
        """,
    "glab variable": """
        Manages variables.
        subcommands
        values: -R --repo
        """,
    "glab variable list": """
        Lists variables.
        flags: -i --instance
        values: -R --repo -g --group -F --output -p --page -P --per-page
        operands: none
        """,
    "glab variable ls": "same as glab variable list",
    "glab variable get": """
        Prints a variable.
        values: -R --repo -g --group -F --output -s --scope
        """,
    "glab variable set": "praxic | sets a variable",
    "glab variable update": "weighty | overwrites a variable",
    "glab variable delete": "weighty | deletes a variable",
    # ---------------------------------------------------------------------------------------------- other forges
    "hub": """
        An older command line of GitHub, around git.
        subcommands
        alone
        configured
        """,
    "hub ci-status": """
        Shows the checks of a commit.
        configured
        flags: -v --verbose
        optional: --color
        values: -f --format
        """,
    "hub version": """
        Prints the version.
        operands: none
        """,
    "tea": """
        The command line of Gitea.
        subcommands
        help: -h
        """,
    "tea whoami": """
        Shows who is logged in.
        operands: none
        """,
    "tea issues": """
        Manages issues.
        subcommands
        """,
    "tea issues list": """
        Lists issues.
        values: --state -s --limit --lm --page -p --login -l --repo -r --remote -R --output -o --fields -f --keyword -k
        values: --labels -L --author -A --assignee -a --milestones -m
        operands: none
        """,
    "tea issues ls": "same as tea issues list",
    "tea pulls": """
        Manages pull requests.
        subcommands
        """,
    "tea pulls list": """
        Lists pull requests.
        values: --state --limit --lm --page -p --login -l --repo -r --remote -R --output -o --fields -f
        operands: none
        """,
    "tea pulls ls": "same as tea pulls list",
    "tea releases": """
        Manages releases.
        subcommands
        """,
    "tea releases list": """
        Lists releases.
        values: --limit --lm --page -p --login -l --repo -r --remote -R --output -o
        """,
    "tea releases ls": "same as tea releases list",
    "tea repos": """
        Manages repositories.
        subcommands
        """,
    "tea repos list": """
        Lists repositories.
        flags: --watched -w --starred -s
        values: --type -T --limit --lm --page -p --login -l --output -o --fields -f
        operands: none
        """,
    "tea repos ls": "same as tea repos list",
    "tea labels": """
        Manages labels.
        subcommands
        """,
    "tea labels list": """
        Lists labels.
        values: --limit --lm --page -p --login -l --repo -r --remote -R --output -o
        operands: none
        """,
    "tea labels ls": "same as tea labels list",
    # ---------------------------------------------------------------------------------------------- Jujutsu
    "jj": """
        A version control system over git's storage (what lists also records the state of the work tree, as git status).
        configured
        subcommands
        alone
        help: -h
        flags: --ignore-working-copy --debug --quiet --no-pager
        values: --color --at-operation --at-op
        praxic: -R --repository | believes another repository's configuration
        praxic: --config --config-file --config-toml | sets configuration, which can name programs
        """,
    "jj help": """
        Shows help.
        values: -k --keyword
        """,
    "jj version": """
        Prints the version.
        operands: none
        """,
    "jj log": """
        Shows changes.
        configured
        flags: --reversed -G --no-graph -p --patch --count -s --summary --stat --types --name-only --git --color-words
        flags: --ignore-all-space --ignore-space-change --ignore-working-copy --no-pager --quiet
        values: -r --revisions --revision -n --limit -T --template --context --color --at-operation --at-op
        praxic: --tool | runs a program to compare the files
        """,
    "jj evolog": "same as jj log",
    "jj evolution-log": "same as jj log",
    "jj obslog": "same as jj log",
    "jj diff": """
        Shows differences.
        configured
        flags: -s --summary --stat --types --name-only --git --color-words -w --ignore-all-space -b
        flags: --ignore-space-change --ignore-working-copy --no-pager --quiet
        values: -r --revisions --revision -f --from -t --to -T --template --context --color --at-operation --at-op
        praxic: --tool | runs a program to compare the files
        """,
    "jj interdiff": "same as jj diff",
    "jj show": """
        Shows a change.
        configured
        flags: --reversed -s --summary --stat --types --name-only --git --color-words --no-patch -w --ignore-all-space
        flags: -b --ignore-space-change --ignore-working-copy --no-pager --quiet
        values: -r -T --template --context --color --at-operation --at-op
        praxic: --tool | runs a program to compare the files
        """,
    "jj status": """
        Shows the state of the work tree.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        values: --color --at-operation --at-op
        """,
    "jj st": "same as jj status",
    "jj root": """
        Prints the top of the work tree.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        operands: none
        """,
    "jj bookmark": """
        Manages bookmarks.
        configured
        subcommands
        """,
    "jj bookmark list": """
        Lists bookmarks.
        configured
        flags: -a --all-remotes -t --tracked -c --conflicted --ignore-working-copy --no-pager --quiet
        values: --remote -r --revisions --revision -T --template --sort --color --at-operation --at-op
        """,
    "jj bookmark l": "same as jj bookmark list",
    "jj bookmark delete": "weighty | deletes a bookmark, also at the remote when it is pushed",
    "jj b": """
        The same as jj bookmark.
        configured
        subcommands
        """,
    "jj b list": "same as jj bookmark list",
    "jj b l": "same as jj bookmark list",
    "jj branch": """
        The older name of jj bookmark.
        configured
        subcommands
        """,
    "jj branch list": "same as jj bookmark list",
    "jj tag": """
        Manages tags.
        configured
        subcommands
        """,
    "jj tag list": "same as jj bookmark list",
    "jj tag l": "same as jj bookmark list",
    "jj operation": """
        Manages the record of operations.
        configured
        subcommands
        """,
    "jj operation log": """
        Shows operations.
        configured
        flags: --reversed -G --no-graph -d --op-diff -p --patch -s --summary --stat --types --name-only --git
        flags: --color-words --ignore-all-space --ignore-space-change --no-op-diff --ignore-working-copy --no-pager
        flags: --quiet
        values: -n --limit -T --template --context --show-changes-in --color --at-operation --at-op
        praxic: --tool | runs a program to compare the files
        """,
    "jj operation show": "same as jj operation log",
    "jj operation restore": "weighty | takes the repository back to an earlier state",
    "jj operation abandon": "weighty | forgets operations",
    "jj op": """
        The same as jj operation.
        configured
        subcommands
        """,
    "jj op log": "same as jj operation log",
    "jj op show": "same as jj operation log",
    "jj file": """
        Shows files of a change.
        configured
        subcommands
        """,
    "jj file list": """
        Lists files.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        values: -r --revision -T --template --color --at-operation --at-op
        """,
    "jj file show": "same as jj file list",
    "jj file annotate": "same as jj file list",
    "jj config": """
        Manages the configuration.
        configured
        subcommands
        """,
    "jj config get": """
        Prints an option.
        configured
        operands: read
        """,
    "jj config list": """
        Lists options.
        configured
        flags: --include-defaults --include-overridden --user --repo --workspace --no-pager
        values: -T --template
        """,
    "jj config path": """
        Prints where the configuration is.
        configured
        flags: --user --repo --workspace
        operands: none
        """,
    "jj workspace": """
        Manages work trees.
        configured
        subcommands
        """,
    "jj workspace list": """
        Lists work trees.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        values: -T --template --color
        operands: none
        """,
    "jj workspace root": """
        Prints the top of a work tree.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        values: --name
        operands: none
        """,
    "jj git": """
        Exchanges with git.
        configured
        subcommands
        """,
    "jj git remote": """
        Manages remotes.
        configured
        subcommands
        """,
    "jj git remote list": """
        Lists remotes.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        operands: none
        """,
    "jj git root": """
        Prints where git's repository is.
        configured
        flags: --ignore-working-copy --no-pager --quiet
        operands: none
        """,
    "jj git push": "weighty | moves, and may overwrite or delete, bookmarks at the remote",
    "jj git fetch": "praxic | fetches from a remote",
    "jj git clone": "praxic | copies a repository here",
    "jj git init": "praxic | makes a repository",
    "jj git import": "praxic | takes changes in from git",
    "jj git export": "praxic | writes changes to git",
    "jj abandon": "weighty | abandons changes",
    "jj absorb": "praxic | rewrites changes",
    "jj commit": "praxic | makes a change",
    "jj ci": "praxic | makes a change",
    "jj describe": "praxic | rewrites a description",
    "jj desc": "praxic | rewrites a description",
    "jj diffedit": "praxic | rewrites changes",
    "jj duplicate": "praxic | makes changes",
    "jj edit": "praxic | checks out a change",
    "jj fix": "praxic | runs programs over the files of changes",
    "jj metaedit": "praxic | rewrites a change",
    "jj new": "praxic | makes a change",
    "jj next": "praxic | checks out a change",
    "jj prev": "praxic | checks out a change",
    "jj parallelize": "praxic | rewrites changes",
    "jj rebase": "weighty | rewrites changes",
    "jj redo": "praxic | repeats an operation",
    "jj undo": "praxic | takes an operation back",
    "jj resolve": "praxic | resolves conflicts",
    "jj restore": "weighty | overwrites files of the work tree",
    "jj revert": "praxic | makes changes",
    "jj run": "praxic | runs a command",
    "jj sign": "praxic | rewrites changes",
    "jj unsign": "praxic | rewrites changes",
    "jj simplify-parents": "praxic | rewrites changes",
    "jj sparse": "praxic | changes which files are in the work tree",
    "jj split": "praxic | rewrites changes",
    "jj squash": "praxic | rewrites changes",
    "jj util": "praxic | runs commands and tidies the repository",
    # ---------------------------------------------------------------------------------------------- Mercurial
    "hg": """
        Mercurial; its first word chooses what it does.
        configured
        subcommands
        alone
        help: -h
        flags: -q --quiet -v --verbose -y --noninteractive --debug --traceback --hidden
        values: --color --pager --encoding
        praxic: --config --debugger | sets configuration, which can name programs
        praxic: -R --repository --cwd | believes another repository's configuration
        """,
    "hg help": """
        Shows help.
        configured
        flags: -e --extension -c --command -k --keyword -v --verbose -q --quiet
        values: -s --system
        """,
    "hg version": """
        Prints the version.
        configured
        flags: -v --verbose -q --quiet
        operands: none
        """,
    "hg log": """
        Shows changesets.
        configured
        code: hg_values
        flags: -f --follow -C --copies -m --only-merges -p --patch -g --git -M --no-merges -G --graph --stat --removed
        flags: -q --quiet -v --verbose --debug --hidden --follow-first
        values: -d --date -k --keyword -r --rev -L --line-range -u --user -b --branch -B --bookmark -P --prune
        values: -l --limit -T --template --style -I --include -X --exclude --color --pager
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg history": "same as hg log",
    "hg status": """
        Shows the state of the work tree.
        configured
        code: hg_values
        flags: -A --all -m --modified -a --added -r --removed -d --deleted -c --clean -u --unknown -i --ignored
        flags: -n --no-status -C --copies -0 --print0 -S --subrepos -q --quiet -v --verbose
        values: -t --terse --rev --change -I --include -X --exclude -T --template --color --pager
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg st": "same as hg status",
    "hg diff": """
        Shows differences.
        configured
        code: hg_values
        flags: -a --text -g --git --binary --nodates --noprefix -p --show-function --reverse -w --ignore-all-space
        flags: -b --ignore-space-change -B --ignore-blank-lines -Z --ignore-space-at-eol --stat -S --subrepos -q --quiet
        flags: -v --verbose --merge
        values: -r --rev -c --change --from --to -U --unified --root -I --include -X --exclude --color --pager
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg cat": """
        Prints files as they were.
        configured
        code: hg_values
        flags: --decode
        values: -r --rev -I --include -X --exclude -T --template --color --pager
        praxic: -o --output | writes files
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg annotate": """
        Shows who last changed each line.
        configured
        code: hg_values
        flags: -a --text -u --user -f --file -d --date -n --number -c --changeset -l --line-number -w --ignore-all-space
        flags: -b --ignore-space-change -B --ignore-blank-lines -Z --ignore-space-at-eol --follow --no-follow -q --quiet
        flags: -v --verbose
        values: -r --rev --skip -I --include -X --exclude -T --template --color --pager
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg blame": "same as hg annotate",
    "hg identify": """
        Names the state of the work tree.
        configured
        code: hg_values
        flags: -n --num -i --id -b --branch -t --tags -B --bookmarks -q --quiet -v --verbose
        values: -r --rev -T --template
        praxic: -e --ssh --remotecmd --config --debugger | runs a program
        operands: none
        """,
    "hg id": "same as hg identify",
    "hg heads": """
        Lists heads.
        configured
        code: hg_values
        flags: -t --topo -a --active -c --closed -q --quiet -v --verbose
        values: -r --rev -T --template --style
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg parents": "same as hg heads",
    "hg branches": """
        Lists branches.
        configured
        code: hg_values
        flags: -a --active -c --closed -q --quiet -v --verbose
        values: -r --rev -T --template
        praxic: --config --debugger | sets configuration, which can name programs
        operands: none
        """,
    "hg branch": """
        Prints the branch; with a name it sets it.
        configured
        form: prints
        flags: -q --quiet -v --verbose
        operands: none
        form: sets
        praxic | sets the branch
        """,
    "hg bookmarks": """
        Lists bookmarks; with a name it makes or moves one.
        configured
        form: lists
        flags: -l --list -q --quiet -v --verbose
        operands: none
        form: changes them
        praxic | makes, moves or deletes a bookmark
        """,
    "hg bookmark": "same as hg bookmarks",
    "hg tags": """
        Lists tags.
        configured
        code: hg_values
        flags: -q --quiet -v --verbose
        values: -T --template
        praxic: --config --debugger | sets configuration, which can name programs
        operands: none
        """,
    "hg tip": """
        Shows the newest changeset.
        configured
        code: hg_values
        flags: -p --patch -g --git -q --quiet -v --verbose
        values: -T --template --style
        praxic: --config --debugger | sets configuration, which can name programs
        operands: none
        """,
    "hg summary": """
        Sums up the state.
        configured
        flags: --remote -q --quiet -v --verbose
        operands: none
        """,
    "hg sum": "same as hg summary",
    "hg root": """
        Prints the top of the work tree.
        configured
        operands: none
        """,
    "hg paths": """
        Lists remotes.
        configured
        flags: -q --quiet -v --verbose
        """,
    "hg files": """
        Lists files.
        configured
        code: hg_values
        flags: -0 --print0 -S --subrepos -q --quiet -v --verbose
        values: -r --rev -I --include -X --exclude -T --template
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg manifest": """
        Lists files.
        configured
        code: hg_values
        flags: --all -q --quiet -v --verbose
        values: -r --rev -T --template
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg locate": """
        Lists files.
        configured
        code: hg_values
        flags: -0 --print0 -f --fullpath
        values: -r --rev -I --include -X --exclude
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg grep": """
        Searches files.
        configured
        code: hg_values
        flags: -0 --print0 --all --diff -a --text -f --follow -i --ignore-case -l --files-with-matches -n --line-number
        flags: -u --user -d --date -q --quiet -v --verbose
        values: -r --rev -I --include -X --exclude -T --template --color --pager
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg config": """
        Shows the configuration.
        configured
        code: hg_values
        flags: -u --untrusted -q --quiet -v --verbose --debug --source --exp-all-known
        values: -T --template
        praxic: -e --edit -l --local -S --shared -n --non-shared -g --global | opens an editor
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg showconfig": "same as hg config",
    "hg incoming": """
        Lists what would be pulled.
        configured
        code: hg_values
        flags: -f --force -n --newest-first -B --bookmarks -p --patch -g --git --stat -M --no-merges -G --graph
        flags: -q --quiet -v --verbose
        values: -r --rev -b --branch -l --limit -T --template --style
        praxic: --bundle | writes a file
        praxic: -e --ssh --remotecmd --config --debugger | runs a program
        operands: none
        """,
    "hg in": "same as hg incoming",
    "hg outgoing": "same as hg incoming",
    "hg out": "same as hg incoming",
    "hg phase": """
        Shows the phase of the current changeset.
        configured
        operands: none
        """,
    "hg verify": """
        Checks the repository.
        configured
        flags: --full -q --quiet -v --verbose
        operands: none
        """,
    "hg resolve": """
        Resolves conflicts; with --list it lists them.
        configured
        flags: -l --list -n --no-status -q --quiet -v --verbose
        needs: -l --list | merges files
        """,
    "hg export": """
        Prints changesets.
        configured
        code: hg_values
        flags: --switch-parent -a --text -g --git --binary --nodates -q --quiet -v --verbose
        values: -r --rev -B --bookmark -T --template --color --pager
        praxic: -o --output | writes files
        praxic: --config --debugger | sets configuration, which can name programs
        """,
    "hg add": "praxic | starts tracking files",
    "hg addremove": "praxic | starts and stops tracking files",
    "hg archive": "praxic | writes an archive",
    "hg backout": "praxic | undoes a changeset by a new one",
    "hg bisect": "praxic | checks out changesets and runs commands",
    "hg bundle": "praxic | writes a bundle",
    "hg clone": "praxic | copies a repository here",
    "hg commit": """
        Records changes.
        praxic | makes a changeset
        values: -m --message -l --logfile -d --date -u --user -I --include -X --exclude
        weighty: --amend | rewrites the last changeset
        """,
    "hg ci": "same as hg commit",
    "hg copy": "praxic | copies files",
    "hg forget": "praxic | stops tracking files",
    "hg graft": "praxic | makes changesets",
    "hg histedit": "weighty | rewrites history",
    "hg import": "praxic | applies patches",
    "hg init": "praxic | makes a repository",
    "hg merge": "praxic | merges",
    "hg pull": "praxic | fetches from a remote",
    "hg push": """
        Sends changesets to a remote.
        praxic | sends changesets to a remote
        values: -r --rev -B --bookmark -b --branch -e --ssh --remotecmd
        weighty: -f --force | adds heads at the remote
        """,
    "hg purge": "weighty | removes files that are not tracked",
    "hg rebase": "weighty | rewrites history",
    "hg recover": "praxic | rolls a transaction back",
    "hg remove": "praxic | removes files",
    "hg rename": "praxic | moves files",
    "hg revert": "weighty | throws away changes that are not committed",
    "hg rollback": "weighty | takes the last transaction back",
    "hg serve": "praxic | starts a server",
    "hg shelve": "praxic | takes changes out of the work tree",
    "hg strip": "weighty | removes changesets",
    "hg tag": "praxic | makes a tag",
    "hg unbundle": "praxic | takes changesets in",
    "hg unshelve": "praxic | puts changes into the work tree",
    "hg update": """
        Checks out a changeset.
        praxic | checks out a changeset
        values: -r --rev -d --date -t --tool
        weighty: -C --clean | throws away changes that are not committed
        """,
    "hg up": "same as hg update",
    # ---------------------------------------------------------------------------------------------- Subversion
    "svn": """
        Subversion; its first word chooses what it does.
        subcommands
        alone
        help: -h
        flags: --non-interactive --no-auth-cache
        praxic: --config-dir --config-option --editor-cmd --diff-cmd --diff3-cmd | names programs that are run
        """,
    "svn help": """
        Shows help.
        flags: -v --verbose -q --quiet
        """,
    "svn info": """
        Shows facts about files.
        flags: -R --recursive -H --human-readable --incremental --xml --include-externals --no-newline
        flags: --non-interactive --no-auth-cache
        values: -r --revision --depth --targets --changelist --cl --show-item
        """,
    "svn status": """
        Shows the state of the work tree.
        flags: -u --show-updates -v --verbose -N --non-recursive -q --quiet --no-ignore --incremental --xml
        flags: --ignore-externals --non-interactive --no-auth-cache
        values: --depth -r --revision --changelist --cl
        """,
    "svn st": "same as svn status",
    "svn stat": "same as svn status",
    "svn log": """
        Shows revisions.
        flags: -q --quiet -v --verbose -g --use-merge-history --stop-on-copy --incremental --xml --with-all-revprops
        flags: --with-no-revprops --diff --internal-diff --non-interactive --no-auth-cache
        values: -r --revision -c --change --targets -l --limit --with-revprop --depth -x --extensions --search
        values: --search-and
        praxic: --diff-cmd | runs a program to compare the files
        """,
    "svn diff": """
        Shows differences.
        flags: -N --non-recursive --internal-diff --no-diff-added --no-diff-deleted --ignore-properties
        flags: --properties-only --show-copies-as-adds --notice-ancestry --summarize --force --xml --git
        flags: --patch-compatible --non-interactive --no-auth-cache
        values: -r --revision -c --change --old --new --depth -x --extensions --changelist --cl
        praxic: --diff-cmd | runs a program to compare the files
        """,
    "svn di": "same as svn diff",
    "svn cat": """
        Prints files.
        flags: --ignore-keywords --non-interactive --no-auth-cache
        values: -r --revision
        """,
    "svn list": """
        Lists what is in the repository.
        flags: -v --verbose -R --recursive -H --human-readable --incremental --xml --include-externals
        flags: --non-interactive --no-auth-cache
        values: -r --revision --depth --search
        """,
    "svn ls": "same as svn list",
    "svn blame": """
        Shows who last changed each line.
        flags: -v --verbose -g --use-merge-history --incremental --xml --force --non-interactive --no-auth-cache
        values: -r --revision -x --extensions
        """,
    "svn annotate": "same as svn blame",
    "svn ann": "same as svn blame",
    "svn praise": "same as svn blame",
    "svn propget": """
        Prints a property.
        flags: -v --verbose -R --recursive --revprop --strict --no-newline --xml --show-inherited-props
        flags: --non-interactive --no-auth-cache
        values: --depth -r --revision --changelist --cl
        """,
    "svn pget": "same as svn propget",
    "svn pg": "same as svn propget",
    "svn proplist": """
        Lists properties.
        flags: -v --verbose -R --recursive -q --quiet --revprop --xml --show-inherited-props
        flags: --non-interactive --no-auth-cache
        values: --depth -r --revision --changelist --cl
        """,
    "svn plist": "same as svn proplist",
    "svn pl": "same as svn proplist",
    "svn mergeinfo": """
        Shows what was merged.
        flags: -R --recursive -q --quiet -v --verbose --log --incremental --non-interactive --no-auth-cache
        values: -r --revision --depth --show-revs
        """,
    "svn add": "praxic | starts tracking files",
    "svn auth": "praxic | shows and removes passwords",
    "svn changelist": "praxic | groups files",
    "svn checkout": "praxic | copies a repository here",
    "svn co": "praxic | copies a repository here",
    "svn cleanup": """
        Repairs the work tree.
        praxic | repairs the work tree
        weighty: --remove-unversioned --remove-ignored | removes files that are not tracked
        """,
    "svn commit": "weighty | publishes changes",
    "svn ci": "weighty | publishes changes",
    "svn copy": "praxic | copies files, or publishes a copy",
    "svn cp": "praxic | copies files, or publishes a copy",
    "svn delete": "weighty | removes files, here or in the repository",
    "svn del": "weighty | removes files, here or in the repository",
    "svn remove": "weighty | removes files, here or in the repository",
    "svn rm": "weighty | removes files, here or in the repository",
    "svn export": "praxic | writes files",
    "svn import": "weighty | publishes files",
    "svn lock": "praxic | locks a file for all",
    "svn unlock": "praxic | unlocks a file",
    "svn merge": "praxic | changes files",
    "svn mkdir": "praxic | makes a folder, here or in the repository",
    "svn move": "praxic | moves files, here or in the repository",
    "svn mv": "praxic | moves files, here or in the repository",
    "svn patch": "praxic | changes files",
    "svn propdel": "praxic | changes properties",
    "svn propedit": "praxic | changes properties",
    "svn propset": "praxic | changes properties",
    "svn relocate": "praxic | changes where the repository is",
    "svn resolve": "praxic | resolves conflicts",
    "svn resolved": "praxic | resolves conflicts",
    "svn revert": "weighty | throws away changes that are not committed",
    "svn switch": "praxic | changes files to another branch",
    "svn update": "praxic | brings files up to date",
    "svn up": "praxic | brings files up to date",
    "svn upgrade": "praxic | changes how the work tree is stored",
    "svnadmin": "praxic | changes a repository of Subversion",
    "svnversion": """
        Prints the revision of the work tree.
        flags: -n --no-newline -c --committed -q --quiet
        """,
    "svnlook": """
        Looks into a repository of Subversion.
        praxic | reads a repository, and may run a program to compare files
        """,
}
