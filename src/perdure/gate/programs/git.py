"""Cards of git: its global options, its porcelain and plumbing, their sub-commands, and what is often installed with it
(lfs, filter-repo).

Git's reading commands obey the configuration of the repository, so each is `configured`. The commands of the log and
diff families parse their words several times, and the parsers disagree about which word is a value (`git log -pn
--output=f` writes f). So `code: dashed_values` refuses a value that is a separate word and begins with a dash.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---------------------------------------------------------------------------------------------- git itself
    "git": """
        The version control system; its first word chooses what it does.
        subcommands
        alone
        help: -h
        flags: -v -p --paginate -P --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice
        flags: --literal-pathspecs --no-literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
        flags: --html-path --man-path --info-path
        optional: --list-cmds
        values: -C --attr-source -c
        code: git_settings
        praxic: --config-env | sets configuration, which can name programs that git runs
        praxic: --exec-path | chooses where git's own programs come from
        praxic: --git-dir --work-tree --namespace --bare | makes git believe another repository's configuration
        praxic: --super-prefix --shallow-file | is internal to git
        """,
    "git help": """
        Shows a manual page or lists commands and guides.
        configured
        flags: -a --all -g --guides -c --config --verbose --no-verbose -m --man -i --info
        flags: --external-commands --no-external-commands --aliases --no-aliases
        flags: --user-interfaces --developer-interfaces
        praxic: -w --web | opens a browser
        """,
    "git version": """
        Prints the version of git.
        any
        """,
    # ---------------------------------------------------------------------------------------------- history and diffs
    "git log": """
        Shows commits; `show`, `whatchanged` and `reflog show` take the same words.
        configured
        revisions
        numbers
        negatable
        code: dashed_values
        flags: -p -u --patch -s --no-patch -m -c --cc --dd --remerge-diff --no-diff-merges --combined-all-paths
        flags: --raw --patch-with-raw -t -r --indent-heuristic --no-indent-heuristic --minimal --patience --histogram
        flags: --compact-summary --no-compact-summary --numstat --shortstat --cumulative --summary --patch-with-stat
        flags: -z --name-only --name-status --no-color --no-color-moved --no-color-moved-ws --no-renames
        flags: --rename-empty --no-rename-empty --check --full-index --no-full-index --binary --find-copies-harder
        flags: -D --irreversible-delete --pickaxe-all --pickaxe-regex -R --no-relative -a --text
        flags: --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
        flags: --ignore-blank-lines -W --function-context --no-function-context --exit-code -q --quiet
        flags: --no-ext-diff --textconv --no-textconv --no-prefix --default-prefix
        flags: --ita-invisible-in-index --ita-visible-in-index --follow --no-follow --full-diff --log-size --source
        flags: --no-decorate --clear-decorations --mailmap --no-mailmap --use-mailmap --no-use-mailmap
        flags: --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp
        flags: -F --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges --no-min-parents
        flags: --no-max-parents --first-parent --exclude-first-parent-only --maximal-only --not --all --reflog
        flags: --alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick
        flags: --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration
        flags: --show-pulls --full-history --dense --sparse --simplify-merges --date-order --author-date-order
        flags: --topo-order --reverse --do-walk --relative-date --parents --children --left-right
        flags: --graph --no-graph --graph-indent --no-graph-indent --count --root --always
        flags: --abbrev-commit --no-abbrev-commit --no-abbrev --oneline --no-expand-tabs --no-notes
        flags: --show-notes-by-default --standard-notes --no-standard-notes --show-signature --no-show-signature
        flags: --i-still-use-this --include-untracked --only-untracked --no-include-untracked --recursive --show-trees
        flags: -v --end-of-options
        optional: -U --unified --stat -X --dirstat --dirstat-by-file --submodule --color --color-moved --word-diff
        optional: --color-words --abbrev -B --break-rewrites -M --find-renames -C --find-copies --relative
        optional: --ignore-submodules --decorate --min-parents --max-parents --branches --tags --remotes
        optional: --ancestry-path --no-walk --show-linear-break --graph-lane-limit --pretty --format --expand-tabs
        optional: --notes --show-notes --max-count-oldest
        values: --diff-merges --output-indicator-new --output-indicator-old --output-indicator-context --anchored
        values: --stat-width --stat-name-width --stat-graph-width --stat-count --color-moved-ws --word-diff-regex
        values: --ws-error-highlight -l --diff-filter --diff-algorithm -S -G --find-object -O --skip-to --rotate-to
        values: -I --ignore-matching-lines --inter-hunk-context --src-prefix --dst-prefix --line-prefix --max-depth
        values: -L --decorate-refs --decorate-refs-exclude -n --max-count --skip --since --after --since-as-filter
        values: --until --before --max-age --min-age --author --committer --grep-reflog --grep --glob --exclude
        values: --exclude-hidden --date --encoding
        writes: --output | puts the output into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git show": "same as git log",
    "git whatchanged": "same as git log",
    "git last-modified": "same as git log",
    "git diff": """
        Shows differences; `diff-tree`, `diff-index`, `diff-files`, `diff-pairs` and `stash show` take the same words.
        configured
        revisions
        numbers
        negatable
        code: dashed_values
        flags: --cached --staged --merge-base --no-index --base --ours --theirs -q
        flags: -p -u --patch -s --no-patch -m -c --cc --dd --remerge-diff --no-diff-merges --combined-all-paths
        flags: --raw --patch-with-raw -t -r --indent-heuristic --no-indent-heuristic --minimal --patience --histogram
        flags: --compact-summary --no-compact-summary --numstat --shortstat --cumulative --summary --patch-with-stat
        flags: -z --name-only --name-status --no-color --no-color-moved --no-color-moved-ws --no-renames
        flags: --rename-empty --no-rename-empty --check --full-index --no-full-index --binary --find-copies-harder
        flags: -D --irreversible-delete --pickaxe-all --pickaxe-regex -R --no-relative -a --text
        flags: --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space
        flags: --ignore-blank-lines -W --function-context --no-function-context --exit-code --quiet
        flags: --no-ext-diff --textconv --no-textconv --no-prefix --default-prefix
        flags: --ita-invisible-in-index --ita-visible-in-index --no-abbrev --follow
        flags: --root --stdin -v --no-commit-id --always --abbrev-commit --oneline
        flags: --include-untracked --only-untracked --no-include-untracked --end-of-options
        optional: -U --unified --stat -X --dirstat --dirstat-by-file --submodule --color --color-moved --word-diff
        optional: --color-words --abbrev -B --break-rewrites -M --find-renames -C --find-copies --relative
        optional: --ignore-submodules --pretty --format
        values: --diff-merges --output-indicator-new --output-indicator-old --output-indicator-context --anchored
        values: --stat-width --stat-name-width --stat-graph-width --stat-count --color-moved-ws --word-diff-regex
        values: --ws-error-highlight -l --diff-filter --diff-algorithm -S -G --find-object -O --skip-to --rotate-to
        values: -I --ignore-matching-lines --inter-hunk-context --src-prefix --dst-prefix --line-prefix --max-depth
        writes: --output | puts the differences into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git diff-tree": "same as git diff",
    "git diff-index": "same as git diff",
    "git diff-files": "same as git diff",
    "git diff-pairs": "same as git diff",
    "git range-diff": """
        Compares two ranges of commits.
        configured
        numbers
        code: dashed_values
        flags: --no-dual-color --dual-color --left-only --right-only --no-notes --no-color -p -u --patch -s --no-patch
        flags: --raw --numstat --shortstat --summary --name-only --name-status -w -b --ignore-all-space
        flags: --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --minimal --patience --histogram
        flags: -W --function-context --no-renames --full-index --binary -a --text --no-prefix --no-ext-diff
        flags: --textconv --no-textconv --remerge-diff --no-abbrev
        optional: -U --unified --stat --color --color-moved --color-words --word-diff --abbrev -M --find-renames
        optional: -C --find-copies --notes --submodule --ignore-submodules
        values: --creation-factor --diff-algorithm --inter-hunk-context --src-prefix --dst-prefix --diff-filter
        writes: --output | puts the differences into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git rev-list": """
        Lists commits, newest first.
        configured
        revisions
        numbers
        code: dashed_values
        writes: --output | puts the output into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        form: counts them
        prints: integer
        flags: --count --all --merges --no-merges --first-parent --full-history --remove-empty --not --no-walk
        flags: --ignore-missing --invert-grep --all-match -i --regexp-ignore-case -E --extended-regexp -F
        flags: --fixed-strings --simplify-merges --end-of-options
        optional: --branches --tags --remotes --min-parents --max-parents --ancestry-path
        values: -n --max-count --skip --since --after --until --before --author --committer --grep --glob --exclude
        needs: --count | lists
        form: lists them
        flags: --count --all --merges --no-merges --first-parent --full-history --remove-empty --not
        flags: --ignore-missing --invert-grep --all-match -i --regexp-ignore-case -E --extended-regexp -F
        flags: --fixed-strings --basic-regexp -P --perl-regexp --simplify-merges --no-min-parents --no-max-parents
        flags: --exclude-first-parent-only --maximal-only --reflog --alternate-refs --single-worktree --bisect --stdin
        flags: -q --quiet --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge
        flags: --boundary --use-bitmap-index -z --simplify-by-decoration --show-pulls --dense --sparse --bisect-vars
        flags: --bisect-all --date-order --author-date-order --topo-order --reverse --objects --in-commit-order
        flags: --objects-edge --objects-edge-aggressive --indexed-objects --unpacked --object-names --no-object-names
        flags: --no-filter --filter-provided-objects --filter-print-omitted --exclude-promisor-objects --do-walk
        flags: --relative-date --header --no-commit-header --commit-header --parents --children --timestamp
        flags: --left-right --graph --no-graph --abbrev-commit --no-abbrev-commit --no-abbrev --oneline
        flags: --no-expand-tabs --no-notes --standard-notes --no-standard-notes --show-signature --end-of-options
        optional: --branches --tags --remotes --min-parents --max-parents --ancestry-path --no-walk --disk-usage
        optional: --progress --filter --missing --show-linear-break --pretty --format --abbrev --expand-tabs --notes
        optional: --show-notes --max-count-oldest
        values: -n --max-count --skip --since --after --since-as-filter --until --before --max-age --min-age --author
        values: --committer --grep-reflog --grep --glob --exclude --exclude-hidden --date --encoding
        """,
    "git shortlog": """
        Sums up commits by their authors.
        configured
        revisions
        numbers
        code: dashed_values
        flags: -n --numbered -s --summary -e --email -c --committer --all --merges --no-merges --first-parent --not
        flags: --reverse --full-history --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F
        flags: --fixed-strings --no-mailmap --mailmap --use-mailmap --no-use-mailmap
        optional: -w --format --pretty --branches --tags --remotes --abbrev --min-parents --max-parents
        values: --group --since --after --until --before --author --grep --max-count --skip --date --glob --exclude
        writes: --output | puts the output into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git blame": """
        Shows who last changed each line.
        configured
        code: git_blame
        flags: -b --root --show-stats -l -t -p --porcelain --line-porcelain --incremental --progress --no-progress
        flags: -c --score-debug -f --show-name -n --show-number -s -e --show-email -w --color-lines --color-by-age
        flags: --first-parent --reverse --minimal --no-merges --textconv --no-textconv --no-abbrev --end-of-options
        flags: --ignore-all-space --ignore-space-change --ignore-space-at-eol --patience --histogram --no-ext-diff
        optional: -M -C --abbrev
        values: -L -S --contents --date --encoding --ignore-rev --ignore-revs-file --since --after --until --before
        values: --diff-algorithm
        writes: --output | puts differences into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git annotate": "same as git blame",
    "git pickaxe": "same as git blame",
    "git cherry": """
        Lists commits that are not upstream yet.
        any
        configured
        """,
    "git show-branch": """
        Shows branches and their commits.
        any
        configured
        """,
    "git merge-base": """
        Finds common ancestors.
        configured
        form: one ancestor
        prints: hash
        flags: --fork-point --is-ancestor
        form: several
        any
        """,
    "git describe": """
        Names a commit after the nearest tag.
        any
        configured
        """,
    "git name-rev": """
        Finds names for commits.
        any
        configured
        """,
    "git grep": """
        Searches tracked files.
        configured
        numbers
        flags: --cached --no-cached --untracked --no-untracked --no-index --index --exclude-standard
        flags: --no-exclude-standard --recurse-submodules --no-recurse-submodules -a --text --textconv --no-textconv
        flags: -i --ignore-case -I -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H --full-name
        flags: -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column
        flags: --no-column --no-line-number -l --files-with-matches --name-only -L --files-without-match -z --null
        flags: -o --only-matching -c --count --no-color --break --heading --no-break --no-heading -p --show-function
        flags: -W --function-context --and --or --not --all-match -q --quiet
        optional: --color
        values: -e -f -A --after-context -B --before-context -C --context -m --max-count --max-depth --threads
        praxic: -O --open-files-in-pager | opens what it finds in a program
        """,
    "git reflog": """
        Shows where a branch pointed; its own words can prune that record.
        configured
        form: one of its own words
        subcommands
        form: shows where a ref pointed
        numbers
        code: dashed_values
        flags: --all --no-abbrev --no-abbrev-commit --abbrev-commit --oneline -p --patch --name-only --name-status
        flags: --shortstat --numstat --no-decorate --relative-date --no-color --merges --no-merges -i --single-worktree
        flags: -s --no-patch --reverse
        optional: --decorate --format --pretty --stat --color --abbrev --branches --tags --remotes
        values: -n --max-count --skip --date --since --after --until --before --grep-reflog --grep --author --committer
        writes: --output | puts the output into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git reflog show": "same as git log",
    "git reflog HEAD": "same as git log",
    "git reflog main": "same as git log",
    "git reflog master": "same as git log",
    "git reflog stash": "same as git log",
    "git reflog list": """
        Lists the refs that have a reflog.
        any
        configured
        """,
    "git reflog exists": """
        Tells whether a ref has a reflog.
        any
        configured
        """,
    "git reflog expire": "weighty | prunes the record by which lost commits are found",
    "git reflog delete": "weighty | removes entries of the record by which lost commits are found",
    "git reflog drop": "weighty | removes the record by which lost commits are found",
    "git reflog write": "praxic | adds an entry to a reflog",
    # ---------------------------------------------------------------------------------------------- the work tree
    "git status": """
        Shows the state of the work tree (it may refresh the index).
        any
        configured
        """,
    "git ls-files": """
        Lists files of the index and the work tree.
        any
        configured
        """,
    "git ls-tree": """
        Lists what a tree holds.
        any
        configured
        """,
    "git check-ignore": """
        Tells which files are ignored.
        any
        configured
        """,
    "git check-attr": """
        Shows the attributes of files.
        any
        configured
        """,
    "git check-mailmap": """
        Shows the canonical name of a contact.
        any
        configured
        """,
    "git check-ref-format": """
        Tells whether a name is a good name for a ref.
        any
        configured
        """,
    "git add": """
        Puts changes into the index.
        configured
        form: a rehearsal
        flags: -n --dry-run -v --verbose -A --all --no-all -u --update -f --force --ignore-errors --ignore-missing
        flags: --sparse --no-ignore-removal --ignore-removal
        needs: -n --dry-run | puts changes into the index
        form: really
        praxic | puts changes into the index
        """,
    "git stage": "same as git add",
    "git rm": """
        Removes files from the work tree and the index.
        configured
        form: a rehearsal
        flags: -n --dry-run -r -f --force --cached -q --quiet --ignore-unmatch --sparse
        needs: -n --dry-run | removes files
        form: really
        praxic | removes files from the work tree or the index
        weighty: -f --force | removes files although their changes are nowhere else
        """,
    "git mv": """
        Moves files.
        configured
        form: a rehearsal
        flags: -n --dry-run -v --verbose -k -f --force --sparse
        needs: -n --dry-run | moves files
        form: really
        praxic | moves files
        """,
    "git clean": """
        Removes files that are not tracked.
        configured
        form: a rehearsal
        flags: -n --dry-run -d -x -X -q --quiet -f --force
        values: -e --exclude
        needs: -n --dry-run | removes files
        form: really
        weighty | removes files that git cannot bring back
        """,
    "git restore": """
        Brings files back, over what is in the work tree; with --staged alone it only takes them out of the index.
        praxic | puts older contents into the index or the work tree
        flags: -S --staged -W --worktree -p --patch -q --quiet --progress --no-progress --ours --theirs -m --merge
        flags: --ignore-unmerged --ignore-skip-worktree-bits --overlay --no-overlay --recurse-submodules
        flags: --no-recurse-submodules --pathspec-file-nul
        values: -s --source --conflict --pathspec-from-file -U --unified --inter-hunk-context
        code: git_restore
        """,
    "git checkout": """
        Switches branches, or brings files back over what is in the work tree.
        praxic | switches branches or overwrites files
        weighty: -f --force | throws away changes that are not committed
        weighty: --ours --theirs --pathspec-from-file | overwrites files of the work tree
        flags: -q --quiet --progress --no-progress -d --detach -l -m --merge -p --patch --guess --no-guess
        flags: --ignore-skip-worktree-bits --overlay --no-overlay --ignore-other-worktrees --overwrite-ignore
        flags: --no-overwrite-ignore --recurse-submodules --no-recurse-submodules --pathspec-file-nul --no-track
        flags: -2 -3
        optional: -t --track
        values: -b -B --orphan --conflict
        code: git_checkout
        """,
    "git switch": """
        Switches branches.
        praxic | switches branches
        weighty: -f --force --discard-changes | throws away changes that are not committed
        weighty: -C --force-create | moves a branch away from its commits
        values: -c --create --orphan --conflict
        """,
    "git reset": """
        Moves the branch, the index and, with --hard, the work tree.
        praxic | moves the branch or the index
        weighty: --hard --merge --keep | throws away changes that are not committed
        """,
    "git checkout-index": "praxic | writes files from the index over the work tree",
    "git update-index": "praxic | changes the index",
    "git read-tree": "praxic | changes the index",
    "git sparse-checkout": """
        Chooses which files are in the work tree.
        configured
        subcommands
        """,
    "git sparse-checkout list": """
        Lists what is in the work tree.
        any
        configured
        """,
    "git sparse-checkout check-rules": """
        Tells which paths match the rules.
        any
        configured
        """,
    "git sparse-checkout init": "praxic | changes which files are in the work tree",
    "git sparse-checkout set": "praxic | changes which files are in the work tree",
    "git sparse-checkout add": "praxic | changes which files are in the work tree",
    "git sparse-checkout reapply": "praxic | changes which files are in the work tree",
    "git sparse-checkout disable": "praxic | changes which files are in the work tree",
    "git sparse-checkout clean": "weighty | removes files outside the sparse part of the work tree",
    "git apply": """
        Applies a patch; with --check, --stat, --numstat or --summary it only tells about it.
        configured
        form: tells about it
        flags: --check --stat --numstat --summary -v --verbose -q --quiet -R --reverse --index --cached --recount
        flags: --ignore-whitespace --ignore-space-change --unidiff-zero -z --no-add --binary
        flags: --allow-binary-replacement --inaccurate-eof --allow-empty
        values: -p -C --whitespace --directory --include --exclude
        needs: --check --stat --numstat --summary | applies the patch
        form: applies it
        praxic | changes files by a patch
        """,
    "git am": """
        Applies patches from mails as commits.
        configured
        form: shows the one that failed
        optional: --show-current-patch
        needs: --show-current-patch | applies patches
        operands: none
        form: applies them
        praxic | applies patches and makes commits of them
        """,
    # ---------------------------------------------------------------------------------------------- branches and tags
    "git branch": """
        Lists, makes, moves and deletes branches.
        configured
        form: lists all
        flags: -a --all -r --remotes -v --verbose -q --quiet -i --ignore-case --omit-empty --no-color --no-column
        flags: --no-abbrev --show-current -l --list
        optional: --color --column --abbrev
        values: --sort --format
        operands: none
        form: lists some
        flags: -a --all -r --remotes -v --verbose -q --quiet -i --ignore-case --omit-empty --no-color --no-column
        flags: --no-abbrev -l --list
        optional: --color --column --abbrev --contains --no-contains --merged --no-merged
        values: --sort --format --points-at
        needs: -l --list --contains --no-contains --merged --no-merged --points-at | makes a branch
        form: changes them
        praxic | makes or changes a branch
        flags: -v --verbose -q --quiet -a --all -r --remotes -m --move -c --copy --unset-upstream --edit-description
        flags: --create-reflog --no-track -l --list --recurse-submodules
        optional: -t --track
        values: -u --set-upstream-to
        weighty: -d -D --delete --delete-merged | deletes a branch
        weighty: -f --force -M -C | moves a branch away from its commits
        """,
    "git tag": """
        Lists, makes, checks and deletes tags.
        configured
        form: lists all
        flags: -l --list -i --ignore-case --omit-empty --no-color --no-column
        optional: -n --color --column
        values: --sort --format
        operands: none
        form: lists some
        flags: -l --list -i --ignore-case --omit-empty --no-color --no-column
        optional: -n --color --column --contains --no-contains --merged --no-merged --points-at
        values: --sort --format
        needs: -l --list -n --contains --no-contains --merged --no-merged --points-at | makes a tag
        form: checks signatures
        flags: -v --verify
        values: --format
        needs: -v --verify | makes a tag
        form: changes them
        praxic | makes a tag
        flags: -a --annotate -s --sign --no-sign -e --edit --create-reflog
        values: -m --message -F --file -u --local-user --cleanup --trailer
        weighty: -d --delete | deletes a tag
        weighty: -f --force | moves a tag
        """,
    "git symbolic-ref": """
        Reads or sets what HEAD points to.
        configured
        form: reads
        flags: -q --quiet --short --recurse --no-recurse
        operands: read
        form: sets
        praxic | sets or deletes a symbolic ref
        """,
    "git rev-parse": """
        Resolves names of commits, and tells about the repository.
        configured
        form: the top of the work tree
        prints: path
        flags: --show-toplevel
        needs: --show-toplevel | prints something else
        operands: none
        form: the repository's own folder
        prints: path
        flags: --absolute-git-dir
        needs: --absolute-git-dir | prints something else
        operands: none
        form: one commit, or nothing
        prints: hash
        flags: --verify -q --quiet
        optional: --short
        needs: --verify --short | prints something else
        operands: read
        form: everything else
        any
        """,
    "git show-ref": """
        Lists refs.
        any
        configured
        """,
    "git for-each-ref": """
        Lists refs in a format.
        any
        configured
        """,
    "git refs": """
        Works on refs as a whole.
        configured
        subcommands
        """,
    "git refs list": """
        Lists refs in a format.
        any
        configured
        """,
    "git refs exists": """
        Tells whether a ref is there.
        any
        configured
        """,
    "git refs verify": """
        Checks the refs.
        any
        configured
        """,
    "git refs migrate": "praxic | changes how refs are stored",
    "git refs optimize": "praxic | repacks refs",
    "git refs create": "praxic | makes a ref",
    "git refs update": "weighty | moves a ref away from its commits",
    "git refs rename": "praxic | renames a ref",
    "git refs delete": "weighty | deletes a ref",
    "git update-ref": """
        Sets refs.
        praxic | sets a ref
        weighty: -d --stdin | deletes refs, or does whatever its input says
        values: -m
        """,
    "git pack-refs": "praxic | repacks refs",
    "git worktree": """
        Manages further work trees.
        configured
        subcommands
        """,
    "git worktree list": """
        Lists work trees.
        any
        configured
        """,
    "git worktree prune": """
        Forgets work trees that are gone.
        configured
        form: a rehearsal
        flags: -n --dry-run -v --verbose
        values: --expire
        needs: -n --dry-run | forgets work trees
        operands: none
        form: really
        praxic | forgets work trees that are gone
        """,
    "git worktree add": """
        Makes a work tree.
        praxic | makes a work tree
        weighty: -B | moves a branch away from its commits
        values: -b --reason
        """,
    "git worktree remove": """
        Removes a work tree.
        praxic | removes a work tree
        weighty: -f --force | removes a work tree with changes that are not committed
        """,
    "git worktree lock": "praxic | locks a work tree",
    "git worktree unlock": "praxic | unlocks a work tree",
    "git worktree move": "praxic | moves a work tree",
    "git worktree repair": "praxic | rewrites where work trees are",
    # ---------------------------------------------------------------------------------------------- configuration
    "git config": """
        Reads and sets options.
        configured
        stops
        form: by one of its own words
        subcommands
        form: reads, by an option
        flags: --global --system --local --worktree -l --list --get --get-all --get-regexp --get-urlmatch --get-color
        flags: --get-colorbool -z --null --name-only --show-names --no-show-names --show-origin --show-scope --includes
        flags: --no-includes --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --fixed-value
        flags: --show-stored
        values: -f --file --blob --type --default
        needs: -l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool | sets an option
        form: reads the one option that is named
        flags: --global --system --local --worktree -z --null --show-origin --show-scope --includes --no-includes
        flags: --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type
        values: -f --file --blob --type --default
        operands: read
        code: git_config_name
        form: changes them
        praxic | changes git's configuration, which can name programs that git runs
        """,
    "git config get": """
        Prints the value of an option.
        any
        configured
        """,
    "git config list": """
        Lists options.
        any
        configured
        """,
    "git config set": "praxic | changes git's configuration, which can name programs that git runs",
    "git config unset": "praxic | changes git's configuration",
    "git config rename-section": "praxic | changes git's configuration",
    "git config remove-section": "praxic | changes git's configuration",
    "git config edit": "praxic | opens git's configuration in an editor",
    "git var": """
        Prints one of git's variables.
        any
        configured
        """,
    "git hook": """
        Runs or lists hooks.
        configured
        subcommands
        """,
    "git hook list": """
        Lists hooks.
        any
        configured
        """,
    "git hook run": "praxic | runs a hook",
    "git repo": """
        Tells about the repository.
        configured
        subcommands
        """,
    "git repo info": """
        Prints facts about the repository.
        any
        configured
        """,
    "git repo structure": """
        Prints what the repository is made of.
        any
        configured
        """,
    # ---------------------------------------------------------------------------------------------- remotes
    "git remote": """
        Lists and changes remotes.
        configured
        subcommands
        alone
        flags: -v --verbose
        """,
    "git remote show": """
        Tells about a remote, asking it.
        configured
        flags: -n -v --verbose
        code: git_remote_word
        """,
    "git remote get-url": """
        Prints the address of a remote.
        any
        configured
        """,
    "git remote prune": """
        Forgets branches that are gone at the remote.
        configured
        form: a rehearsal
        flags: -n --dry-run
        needs: -n --dry-run | forgets branches
        code: git_remote_word
        form: really
        praxic | forgets branches that are gone at the remote
        """,
    "git remote add": "praxic | adds a remote",
    "git remote rename": "praxic | renames a remote",
    "git remote remove": "praxic | removes a remote and what was fetched from it",
    "git remote rm": "praxic | removes a remote and what was fetched from it",
    "git remote set-head": "praxic | changes a remote",
    "git remote set-branches": "praxic | changes a remote",
    "git remote set-url": "praxic | changes the address of a remote",
    "git remote update": "praxic | fetches from remotes",
    "git ls-remote": """
        Lists the refs of a remote.
        configured
        flags: -b --branches -h --heads -t --tags --refs -q --quiet --exit-code --get-url --symref
        values: --sort -o --server-option
        praxic: --upload-pack --exec | chooses the program that is run at the other end
        code: git_remote_word
        """,
    "git push": """
        Sends commits to a remote.
        praxic | sends commits to a remote
        flags: -v --verbose -q --quiet --all --branches --tags --follow-tags --no-follow-tags -n --dry-run --porcelain
        flags: -u --set-upstream --thin --no-thin --progress --no-progress --no-verify --verify --atomic --no-atomic
        flags: -4 --ipv4 -6 --ipv6 --no-signed --no-force-with-lease --force-if-includes --no-force-if-includes
        optional: --signed
        values: --repo --receive-pack --exec -o --push-option --recurse-submodules
        weighty: -f --force --force-with-lease | overwrites history at the remote
        weighty: --mirror --prune | deletes what is only at the remote
        weighty: -d --delete | deletes at the remote
        code: git_push
        """,
    "git fetch": """
        Fetches from a remote.
        praxic | fetches from a remote, and moves what is known of it
        weighty: -f --force | moves branches away from their commits
        """,
    "git pull": """
        Fetches and merges.
        praxic | fetches from a remote and merges
        weighty: -r --rebase | rewrites commits
        weighty: -f --force | moves branches away from their commits
        """,
    "git clone": "praxic | copies a repository here",
    "git init": "praxic | makes a repository",
    "git init-db": "same as git init",
    "git request-pull": """
        Prints a summary for somebody who is asked to pull.
        configured
        flags: -p
        code: git_remote_word
        """,
    "git submodule": """
        Manages repositories within the repository.
        configured
        subcommands
        alone
        flags: -q --quiet --cached
        """,
    "git submodule status": """
        Shows which commits the submodules are at.
        configured
        flags: -q --quiet --cached --recursive
        """,
    "git submodule summary": """
        Lists what changed in submodules.
        configured
        flags: --cached --files --for-status
        values: -n --summary-limit
        """,
    "git submodule add": "praxic | adds a submodule",
    "git submodule init": "praxic | changes git's configuration",
    "git submodule deinit": """
        Removes the work tree of a submodule.
        praxic | removes the work tree of a submodule
        weighty: -f --force | removes work trees with changes that are not committed
        """,
    "git submodule update": """
        Brings submodules to their commits.
        praxic | fetches and checks out submodules
        weighty: -f --force | throws away changes that are not committed
        """,
    "git submodule set-branch": "praxic | changes the list of submodules",
    "git submodule set-url": "praxic | changes the list of submodules",
    "git submodule foreach": "praxic | runs a command in each submodule",
    "git submodule sync": "praxic | changes git's configuration",
    "git submodule absorbgitdirs": "praxic | moves the repositories of submodules",
    "git subtree": """
        Merges repositories into folders.
        praxic | makes commits, fetches or pushes
        """,
    # ---------------------------------------------------------------------------------------------- making commits
    "git commit": """
        Records changes.
        praxic | makes a commit
        flags: -a --all -p --patch -s --signoff -q --quiet -v --verbose -e --edit --no-edit -n --no-verify
        flags: --allow-empty --allow-empty-message --dry-run --short --branch --porcelain --long -z --null -i --include
        flags: -o --only --reset-author --status --no-status --no-post-rewrite --no-gpg-sign --no-signoff --verify
        flags: --pathspec-file-nul
        optional: -S --gpg-sign -u --untracked-files
        values: -m --message -F --file -C --reuse-message -c --reedit-message --fixup --squash --author --date
        values: -t --template --cleanup --trailer --pathspec-from-file
        weighty: --amend | rewrites the last commit
        """,
    "git commit-tree": "praxic | makes a commit",
    "git merge": "praxic | merges, and makes a commit",
    "git cherry-pick": "praxic | applies commits again",
    "git revert": "praxic | undoes commits by new ones",
    "git rebase": """
        Moves commits onto another base.
        configured
        form: shows the one that failed
        flags: --show-current-patch
        needs: --show-current-patch | rewrites commits
        operands: none
        form: moves them
        weighty | rewrites commits
        """,
    "git replay": "weighty | rewrites commits and moves branches",
    "git history": "weighty | rewrites commits",
    "git filter-branch": "weighty | rewrites history",
    "git filter-repo": "weighty | rewrites history",
    "git absorb": "weighty | rewrites commits",
    "git revise": "weighty | rewrites commits",
    "git stash": """
        Puts changes aside.
        configured
        subcommands
        """,
    "git stash list": """
        Lists what was put aside.
        configured
        numbers
        code: dashed_values
        flags: --no-abbrev --no-abbrev-commit --abbrev-commit --oneline -p -u --patch --name-only --name-status --raw
        flags: --shortstat --numstat --summary --no-decorate --relative-date --no-color --reverse -s --no-patch -m -c
        flags: --cc --first-parent -i --no-renames -w
        optional: --decorate --format --pretty --stat --color --abbrev -U --unified
        values: -n --max-count --skip --date --since --after --until --before --grep-reflog --grep --author
        writes: --output | puts the output into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        operands: none
        """,
    "git stash show": "same as git diff",
    "git stash push": "praxic | takes changes out of the work tree",
    "git stash save": "praxic | takes changes out of the work tree",
    "git stash apply": "praxic | puts changes into the work tree",
    "git stash pop": "praxic | puts changes into the work tree",
    "git stash branch": "praxic | makes a branch from what was put aside",
    "git stash store": "praxic | keeps a commit as changes put aside",
    "git stash export": "praxic | writes what was put aside",
    "git stash import": "praxic | keeps commits as changes put aside",
    "git stash drop": "weighty | throws away what was put aside",
    "git stash clear": "weighty | throws away all that was put aside",
    "git notes": """
        Reads and writes notes on commits.
        configured
        subcommands
        alone
        values: --ref
        """,
    "git notes list": """
        Lists notes.
        any
        configured
        """,
    "git notes show": """
        Shows a note.
        any
        configured
        """,
    "git notes get-ref": """
        Prints where notes are kept.
        any
        configured
        """,
    "git notes add": "praxic | writes a note",
    "git notes copy": "praxic | writes a note",
    "git notes append": "praxic | writes a note",
    "git notes edit": "praxic | writes a note",
    "git notes merge": "praxic | merges notes",
    "git notes remove": "praxic | removes a note",
    "git notes prune": """
        Removes notes on commits that are gone.
        configured
        form: a rehearsal
        flags: -n --dry-run -v --verbose
        needs: -n --dry-run | removes notes
        operands: none
        form: really
        praxic | removes notes
        """,
    "git replace": """
        Lists and makes replacements of objects.
        configured
        form: lists all
        flags: -l --list
        values: --format
        operands: none
        form: lists some
        flags: -l --list
        values: --format
        needs: -l --list | replaces an object
        form: changes them
        praxic | replaces objects
        """,
    "git bisect": """
        Searches for the commit that brought a fault.
        configured
        subcommands
        """,
    "git bisect log": """
        Shows what was found so far.
        any
        configured
        """,
    "git bisect terms": """
        Prints the words in use.
        flags: --term-good --term-old --term-bad --term-new
        operands: none
        configured
        """,
    "git bisect help": """
        Prints a summary.
        configured
        operands: none
        """,
    "git bisect start": "praxic | begins a search and checks out commits",
    "git bisect good": "praxic | checks out the next commit",
    "git bisect bad": "praxic | checks out the next commit",
    "git bisect old": "praxic | checks out the next commit",
    "git bisect new": "praxic | checks out the next commit",
    "git bisect skip": "praxic | checks out the next commit",
    "git bisect next": "praxic | checks out the next commit",
    "git bisect reset": "praxic | ends the search and checks out a commit",
    "git bisect replay": "praxic | repeats a search and checks out commits",
    "git bisect view": "praxic | starts a viewer",
    "git bisect visualize": "praxic | starts a viewer",
    "git rerere": """
        Keeps how conflicts were resolved.
        configured
        subcommands
        """,
    "git rerere status": """
        Lists files with conflicts it will record.
        configured
        operands: none
        """,
    "git rerere diff": """
        Shows how a conflict is resolved so far.
        configured
        operands: none
        """,
    "git rerere remaining": """
        Lists files with conflicts that are left.
        configured
        operands: none
        """,
    "git rerere clear": "praxic | forgets the conflicts of this merge",
    "git rerere forget": "praxic | forgets how a conflict was resolved",
    "git rerere gc": "praxic | forgets old resolutions",
    # ---------------------------------------------------------------------------------------------- objects
    "git cat-file": """
        Shows objects.
        any
        configured
        """,
    "git hash-object": """
        Computes the name of an object.
        configured
        flags: --stdin --stdin-paths --no-filters --filters --literally
        values: -t --path
        praxic: -w | writes the object
        """,
    "git count-objects": """
        Counts objects.
        any
        configured
        """,
    "git fsck": """
        Checks the repository.
        configured
        flags: --unreachable --no-unreachable --dangling --no-dangling --root --tags --cache --reflogs --no-reflogs
        flags: --full --no-full --connectivity-only --strict -v --verbose --name-objects --progress --no-progress
        flags: --references --no-references
        praxic: --lost-found | writes what it finds
        """,
    "git fsck-objects": "same as git fsck",
    "git verify-commit": """
        Checks signatures.
        any
        configured
        """,
    "git verify-tag": """
        Checks signatures.
        any
        configured
        """,
    "git verify-pack": """
        Checks a pack.
        any
        configured
        """,
    "git show-index": """
        Shows the index of a pack.
        any
        configured
        """,
    "git get-tar-commit-id": """
        Prints which commit an archive is of.
        any
        configured
        """,
    "git bundle": """
        Packs commits into a file.
        configured
        subcommands
        """,
    "git bundle verify": """
        Checks a bundle.
        configured
        flags: -q --quiet
        """,
    "git bundle list-heads": """
        Lists the refs of a bundle.
        any
        configured
        """,
    "git bundle create": "praxic | writes a bundle",
    "git bundle unbundle": "praxic | takes the objects of a bundle in",
    "git archive": """
        Prints an archive of a tree.
        configured
        numbers
        code: dashed_values
        flags: -l --list -v --verbose --worktree-attributes
        values: --format --prefix --add-file --add-virtual-file --mtime
        writes: -o --output | puts the archive into the file that is named
        praxic: --remote | asks another machine for it
        praxic: --exec | chooses the program that is run at the other end
        """,
    "git fast-export": "praxic | prints history, but takes options that write even after --",
    "git format-patch": """
        Makes mails of commits, one file each unless --stdout is there.
        configured
        numbers
        code: dashed_values
        flags: --stdout -k --keep-subject -s --signoff -n --numbered -N --no-numbered -p --no-stat --root
        flags: --zero-commit --no-signature --no-binary --binary --full-index --minimal --histogram --patience -w -b
        flags: --no-renames --no-attach --no-thread --always --ignore-if-in-upstream --no-notes --summary --no-prefix
        flags: --function-context -W -q --quiet --text -a --no-cover-letter --no-color
        optional: -U --unified --stat -M --find-renames -C --find-copies --abbrev --notes --rfc
        values: --base
        needs: --stdout | writes a file for each commit
        praxic: -o --output-directory | writes files
        writes: --output | puts the patches into the file that is named
        praxic: --ext-diff | runs a program to compare the files
        """,
    "git patch-id": """
        Computes ids of patches.
        any
        configured
        """,
    "git stripspace": """
        Tidies text.
        any
        configured
        """,
    "git column": """
        Prints text in columns.
        any
        configured
        """,
    "git interpret-trailers": """
        Reads and adds trailers of a message, and prints the result.
        configured
        code: dashed_values
        flags: --trim-empty --no-trim-empty --only-trailers --no-only-trailers --only-input --no-only-input --unfold
        flags: --no-unfold --parse --divider --no-divider --no-in-place --no-trailer
        values: --trailer --where --if-exists --if-missing
        praxic: --in-place | changes the file
        """,
    "git fmt-merge-msg": """
        Prints the message for a merge.
        any
        configured
        """,
    "git format-rev": """
        Prints commits in a format.
        any
        configured
        """,
    "git url-parse": """
        Prints parts of an address.
        any
        configured
        """,
    "git merge-file": """
        Merges three files; it changes the first, unless -p is there.
        configured
        code: dashed_values
        flags: -p --stdout --diff3 --zdiff3 --ours --theirs --union -q --quiet
        values: -L --marker-size --diff-algorithm
        needs: -p --stdout | writes the result into the first file
        """,
    "git merge-tree": "praxic | writes objects",
    "git mktree": "praxic | writes objects",
    "git mktag": "praxic | writes objects",
    "git write-tree": "praxic | writes objects",
    "git unpack-file": "praxic | writes a file",
    "git unpack-objects": "praxic | writes objects",
    "git index-pack": "praxic | writes the index of a pack",
    "git pack-objects": "praxic | writes packs",
    "git pack-redundant": "praxic | is for removing packs",
    "git fast-import": "weighty | writes history, whatever its input says",
    "git mailinfo": "praxic | writes the files that are named",
    "git mailsplit": "praxic | writes a file for each mail",
    # ---------------------------------------------------------------------------------------------- keeping house
    "git gc": """
        Tidies the repository.
        praxic | repacks the repository
        weighty: --prune | removes objects that could still be brought back
        """,
    "git prune": """
        Removes objects that nothing refers to.
        configured
        form: a rehearsal
        flags: -n --dry-run -v --verbose --progress --no-progress
        values: --expire
        needs: -n --dry-run | removes objects
        form: really
        weighty | removes objects that could still be brought back
        """,
    "git prune-packed": """
        Removes objects that are in a pack too.
        configured
        form: a rehearsal
        flags: -n --dry-run -q --quiet
        needs: -n --dry-run | removes objects
        operands: none
        form: really
        praxic | removes loose objects
        """,
    "git repack": "praxic | repacks the repository",
    "git backfill": "praxic | fetches objects",
    "git maintenance": """
        Keeps the repository tidy.
        configured
        subcommands
        """,
    "git maintenance is-needed": """
        Tells whether there is something to do.
        configured
        flags: --auto
        optional: --task
        """,
    "git maintenance run": "praxic | repacks and fetches",
    "git maintenance start": "praxic | sets up a schedule on this machine",
    "git maintenance stop": "praxic | changes the schedule on this machine",
    "git maintenance register": "praxic | changes git's configuration",
    "git maintenance unregister": "praxic | changes git's configuration",
    "git commit-graph": """
        Keeps an index of commits.
        configured
        subcommands
        """,
    "git commit-graph verify": """
        Checks the index of commits.
        configured
        flags: --shallow --progress --no-progress
        values: --object-dir
        operands: none
        """,
    "git commit-graph write": "praxic | writes the index of commits",
    "git multi-pack-index": """
        Keeps an index of packs.
        configured
        subcommands
        """,
    "git multi-pack-index verify": """
        Checks the index of packs.
        configured
        flags: --progress --no-progress
        operands: none
        """,
    "git multi-pack-index write": "praxic | writes the index of packs",
    "git multi-pack-index compact": "praxic | writes the index of packs",
    "git multi-pack-index expire": "praxic | removes packs",
    "git multi-pack-index repack": "praxic | repacks",
    "git bugreport": "praxic | writes a report",
    "git diagnose": "praxic | writes a report",
    "git update-server-info": "praxic | writes files for a web server",
    # ---------------------------------------------------------------------------------------------- what runs others
    "git difftool": """
        Shows differences in another program.
        praxic | starts another program
        help: --tool-help
        """,
    "git mergetool": """
        Resolves conflicts in another program.
        praxic | starts another program, which changes files
        help: --tool-help
        """,
    "git for-each-repo": "praxic | runs git in other repositories",
    "git credential": "praxic | asks for, keeps and forgets passwords",
    "git credential-cache": "praxic | keeps and forgets passwords",
    "git credential-store": "praxic | keeps and forgets passwords",
    "git credential-osxkeychain": "praxic | keeps and forgets passwords",
    "git credential-manager": "praxic | keeps and forgets passwords",
    "git daemon": "praxic | starts a server",
    "git instaweb": "praxic | starts a server and a browser",
    "git gui": "praxic | opens a window, in which anything can be done",
    "git citool": "praxic | opens a window, in which commits are made",
    "git shell": "praxic | runs commands for somebody who logs in",
    "git send-email": "weighty | sends mails",
    "git imap-send": "weighty | sends mails",
    "git svn": "praxic | exchanges commits with Subversion",
    "git p4": "praxic | exchanges commits with Perforce",
    "git cvsimport": "praxic | takes commits in from CVS",
    "git cvsexportcommit": "praxic | sends commits to CVS",
    "git cvsserver": "praxic | starts a server",
    "git archimport": "praxic | takes commits in from Arch",
    "git quiltimport": "praxic | takes patches in",
    "git fetch-pack": "praxic | fetches objects",
    "git send-pack": "weighty | sends objects and moves refs at the remote",
    "git receive-pack": "praxic | takes in what is pushed",
    "git upload-pack": "praxic | serves a repository",
    "git upload-archive": "praxic | serves an archive",
    "git http-backend": "praxic | serves repositories",
    "git http-fetch": "praxic | fetches objects",
    "git http-push": "weighty | sends objects and moves refs at the remote",
    "git remote-ext": "praxic | runs a command that is named in its words",
    "git remote-fd": "praxic | speaks to a remote",
    "git remote-ftp": "praxic | speaks to a remote",
    "git remote-ftps": "praxic | speaks to a remote",
    "git remote-http": "praxic | speaks to a remote",
    "git remote-https": "praxic | speaks to a remote",
    "git merge-index": "praxic | runs a merge program",
    "git merge-octopus": "praxic | merges",
    "git merge-one-file": "praxic | merges a file",
    "git merge-ours": "praxic | merges",
    "git merge-recursive": "praxic | merges",
    "git merge-recursive-ours": "praxic | merges",
    "git merge-recursive-theirs": "praxic | merges",
    "git merge-resolve": "praxic | merges",
    "git merge-subtree": "praxic | merges",
    # ---------------------------------------------------------------------------------------------- extensions
    "git lfs": """
        Large files beside the repository.
        configured
        subcommands
        """,
    "git lfs ls-files": """
        Lists large files.
        configured
        flags: -l --long -s --size -d --debug -a --all --deleted -n --name-only --json
        values: -I --include -X --exclude
        """,
    "git lfs status": """
        Shows the state of large files.
        configured
        flags: -p --porcelain -j --json
        operands: none
        """,
    "git lfs env": """
        Shows the environment.
        configured
        operands: none
        """,
    "git lfs version": """
        Prints the version.
        operands: none
        """,
    "git lfs help": """
        Shows a manual page.
        configured
        """,
    "git lfs track": "praxic | changes .gitattributes, and installs hooks even when it only lists",
    "git lfs locks": """
        Lists locks.
        configured
        flags: --local --cached --verify --json
        values: -r --remote -i --id -p --path -l --limit --refspec
        operands: none
        """,
    "git lfs pointer": """
        Computes and checks pointers.
        configured
        flags: --stdin --check --strict --no-strict
        optional: --file --pointer
        """,
    "git lfs ext": """
        Lists extensions.
        configured
        """,
    "git lfs untrack": "praxic | changes .gitattributes",
    "git lfs install": "praxic | changes git's configuration and hooks",
    "git lfs uninstall": "praxic | changes git's configuration and hooks",
    "git lfs update": "praxic | changes hooks",
    "git lfs fetch": "praxic | fetches files",
    "git lfs pull": "praxic | fetches files and checks them out",
    "git lfs push": "praxic | sends files",
    "git lfs checkout": "praxic | overwrites files of the work tree",
    "git lfs clone": "praxic | copies a repository here",
    "git lfs fsck": "praxic | moves files that are broken",
    "git lfs dedup": "praxic | replaces files",
    "git lfs lock": "praxic | locks a file for all",
    "git lfs unlock": """
        Unlocks a file.
        praxic | unlocks a file
        weighty: -f --force | takes another person's lock away
        """,
    "git lfs logs": "praxic | shows or removes logs",
    "git lfs migrate": "weighty | rewrites history",
    "git lfs prune": "weighty | removes files that may be nowhere else",
    "git lfs smudge": "praxic | fetches files",
    "git lfs clean": "praxic | keeps a file as an object",
    "git lfs filter-process": "praxic | fetches and keeps files",
    "git lfs merge-driver": "praxic | merges files",
    "git flow": "praxic | makes and merges branches",
    "git town": "praxic | makes and merges branches",
    "git machete": "praxic | makes and merges branches",
    "git branchless": "praxic | changes commits",
    "git crypt": "praxic | changes files and hooks",
    "git annex": "praxic | changes files and remotes",
    "git secret": "praxic | changes files",
    "git extras": "praxic | installs itself anew",
    "git review": "weighty | sends commits for review",
    # ---------------------------------------------------------------------------------------------- programs beside git
    "git-filter-repo": "weighty | rewrites history",
    "bfg": "weighty | rewrites history",
    "gitk": "praxic | opens a window, in which anything can be done",
    "tig": "praxic | opens a screen, in which anything can be done",
    "lazygit": "praxic | opens a screen, in which anything can be done",
    "gitui": "praxic | opens a screen, in which anything can be done",
    "scalar": """
        Git for large repositories.
        configured
        subcommands
        """,
    "scalar list": """
        Lists the repositories it looks after.
        operands: none
        """,
    "scalar version": """
        Prints the version.
        flags: -v --verbose --build-options
        operands: none
        """,
    "scalar clone": "praxic | copies a repository here",
    "scalar register": "praxic | changes git's configuration",
    "scalar unregister": "praxic | changes git's configuration",
    "scalar run": "praxic | repacks and fetches",
    "scalar reconfigure": "praxic | changes git's configuration",
    "scalar diagnose": "praxic | writes a report",
    "scalar delete": "weighty | deletes a repository with its work tree",
    "pre-commit": """
        Runs checks before a commit.
        praxic | installs and runs the checks of the project, which may change files
        help: -h
        """,
}
