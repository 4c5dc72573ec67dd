"""Cards of programs that read and filter text: printing, searching, comparing, counting, encoding, and the query
languages for JSON, YAML, XML and CSV.

Most of them write nothing. The cards list the options and second operands with which some of them do (`sort -o`,
`uniq IN OUT`, `xxd IN OUT`). Languages that can run a program (awk, sed, dc, zsh's printf) have a judge or are praxic.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # --- printing files, or words
    "cat": """
        Prints files.
        any
    """,
    "tac": """
        Prints files, last line first.
        any
    """,
    "head": """
        Prints the beginning of files.
        any
    """,
    "tail": """
        Prints the end of files.
        any
    """,
    "nl": """
        Prints files with line numbers.
        any
    """,
    "rev": """
        Prints lines with their characters reversed.
        any
    """,
    "pr": """
        Lays text out in pages.
        any
    """,
    "echo": """
        Prints its words.
        idle
        any
    """,
    "printf": """
        Prints its words by a format. By its bare name it is the shell's own, which is judged elsewhere.
        idle
        any
    """,
    "yes": """
        Prints one line for ever.
        idle
        any
    """,
    "seq": """
        Prints a row of numbers.
        idle
        any
    """,
    "bat": """
        Prints files with colours.
        flags: -A --show-all -p --plain -d --diff -n --number -f --force-colorization -P -L --list-languages
        flags: --list-themes -s --squeeze-blank -u --unbuffered -S --chop-long-lines --no-paging --no-config
        flags: --config-file --config-dir --cache-dir --acknowledgements --no-custom-assets --no-lessopen
        flags: --set-terminal-title -E --quiet-empty
        values: -l --language -H --highlight-line --file-name --diff-context --tabs --wrap --terminal-width --color
        values: --italic-text --decorations --paging -m --map-syntax --ignored-suffix --theme --theme-light
        values: --theme-dark --style -r --line-range --nonprintable-notation --binary --squeeze-limit --strip-ansi
        values: --completion
        praxic: --pager | runs the program that is named
        praxic: --lessopen | runs the preprocessor of the environment
        praxic: --generate-config-file | writes a configuration file
        praxic: -b --build -c --clear --source --target --blank | `bat cache` rebuilds or clears its cache
        help: -h -V
    """,
    "batcat": """
        same as bat
    """,
    "less": """
        Pages through files. Its options with a value are left out: such a value may carry further options after
        a number or a `$`. The judge refuses an operand that begins with `+` (a command).
        flags: -a -A -B -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X
        flags: --quit-at-eof --QUIT-AT-EOF --quit-if-one-screen --ignore-case --IGNORE-CASE --status-column
        flags: --quit-on-intr --no-lessopen --long-prompt --LONG-PROMPT --line-numbers --LINE-NUMBERS --quiet
        flags: --QUIET --silent --SILENT --raw-control-chars --RAW-CONTROL-CHARS --squeeze-blank-lines
        flags: --chop-long-lines --no-init --no-keypad --use-color --mouse --follow-name --incsearch
        praxic: -o -O --log-file --LOG-FILE | copies its input into a file
        praxic: -k --lesskey-file --lesskey-src --lesskey-content | key bindings can run programs
        praxic: -p -P -D -t -T -b -h -j -x -y -z | the value of this option can carry further options
        help: -V
        code: plain
    """,
    "zless": """
        same as less
    """,
    "xzless": """
        same as less
    """,
    "bzless": """
        same as less
    """,
    "more": """
        Pages through files (on macOS it is less).
        flags: -d -f -c -s -u -e
        help: -V
        code: plain
    """,
    "zmore": """
        same as more
    """,
    "most": """
        Pages through files.
        flags: -b -s -v -w -z
        code: plain
    """,
    "col": """
        Filters reverse line feeds out of text.
        any
    """,
    "colrm": """
        Removes columns from text.
        any
    """,
    "colcrt": """
        Filters text for a terminal.
        any
    """,
    "ul": """
        Translates underlining for a terminal.
        any
    """,
    "glow": """
        Shows Markdown. Its sub-commands are words like the names of files, so they are asked for first.
        flags: -a --all -n --preserve-new-lines
        values: -s --style -w --width
        praxic: -p --pager -t --tui | opens a pager
        praxic: --config | believes another configuration
        help: -h -v
        form: a sub-command
        subcommands
        form: a file, a folder or an address
    """,
    "glow config": """
        praxic | opens its configuration in an editor
    """,
    "glow stash": """
        praxic | sends the file to a server
    """,
    # --- manuals
    "man": """
        Shows manual pages.
        flags: -a --all -k --apropos --global-apropos -f --whatis -w --where --path --location --where-cat
        flags: --location-cat -i --ignore-case --match-case --regex --wildcard --names-only -7 --ascii --nh --nj
        flags: --no-hyphenation --no-justification --no-subpages -l --local-file
        values: -s -S --sections -L --locale -M --manpath -E --encoding -e --extension
        praxic: -P --pager | runs the program that is named
        praxic: -H --html -B -X --gxditview -t --troff -T --troff-device -Z --ditroff | starts another viewer
        praxic: -C --config-file | believes another configuration, which can name programs
        praxic: -u --update -c --catman -F | writes a cache of pages
        praxic: -r --prompt | passes options on to the pager
    """,
    "apropos": """
        Searches the names and descriptions of manual pages.
        flags: -e --exact -r --regex -w --wildcard -a --and -l --long
        values: -s --sections --section -m --systems -M --manpath -L --locale
    """,
    "whatis": """
        Shows the one-line descriptions of manual pages.
        flags: -r --regex -w --wildcard -l --long
        values: -s --sections --section -m --systems -M --manpath -L --locale
    """,
    "manpath": """
        Shows where manual pages are sought.
        flags: -c --catpath -g --global -q --quiet
        operands: none
    """,
    "info": """
        Shows Info manuals.
        dash
        flags: -a --all -O --show-options --usage --subnodes -w --where --location --strict-node-location
        values: -k --apropos -d --directory -f --file -n --node --index-search
        writes: -o --output | puts the pages into the file that is named
        praxic: --dribble | records keystrokes in a file
        praxic: --restore | plays keystrokes from a file
        praxic: --init-file -v --variable -x --debug | changes how it runs
        help: -h
    """,
    "tldr": """
        Shows short examples of commands; keeps only its own cache of pages.
        flags: -l --list -a --list-all
        values: -p --platform -L --language
        praxic: -u --update -c --clear-cache -C | changes its cache
        help: -h -v
    """,
    # --- counting, sorting, cutting
    "wc": """
        Counts lines, words and bytes.
        any
    """,
    "sort": """
        Sorts lines of text.
        flags: -b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort
        flags: -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort
        flags: -r --reverse -V --version-sort -c -C -m --merge -s --stable -u --unique -z --zero-terminated --debug
        optional: --check
        values: -k --key -t --field-separator -S --buffer-size --sort --batch-size --files0-from --parallel
        values: --random-source
        writes: -o --output | puts its result into the file that is named
        values: -T --temporary-directory
        praxic: --compress-program | runs the program that is named
    """,
    "uniq": """
        Drops repeated lines; the second operand is the file it writes. BSD's ends its options at the first operand.
        stops
        numbers
        flags: -c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated
        optional: --all-repeated --group
        values: -f --skip-fields -s --skip-chars -w --check-chars
        operands: read written
    """,
    "cut": """
        Prints columns of lines.
        any
    """,
    "paste": """
        Joins lines of files side by side.
        any
    """,
    "join": """
        Joins lines of two files by a field.
        any
    """,
    "comm": """
        Compares two sorted files.
        any
    """,
    "tr": """
        Replaces characters.
        any
    """,
    "fold": """
        Wraps lines.
        any
    """,
    "fmt": """
        Fills paragraphs.
        any
    """,
    "column": """
        Lays lines out in columns.
        any
    """,
    "expand": """
        Turns tabs into spaces.
        any
    """,
    "unexpand": """
        Turns spaces into tabs.
        any
    """,
    "shuf": """
        Shuffles lines.
        flags: -e --echo -r --repeat -z --zero-terminated
        values: -i --input-range -n --head-count --random-source
        writes: -o --output | puts its result into the file that is named
    """,
    "tsort": """
        Sorts by dependence.
        any
    """,
    "ptx": """
        Prints an index of the words of files.
        flags: -A --auto-reference -f --ignore-case -r --references -R --right-side-refs
        values: -w --width -g --gap-size -i --ignore-file -o --only-file -b --break-file
        praxic: -G --traditional | its second operand is then a file that is written
    """,
    "look": """
        Prints lines of a word list that begin with a word.
        any
    """,
    "datamash": """
        Computes sums and groups over columns of text.
        any
    """,
    "split": """
        praxic | writes the pieces of its input into files
    """,
    "csplit": """
        praxic | writes the pieces of its input into files
    """,
    "tee": """
        Copies its input to its output and into files. BSD's ends its options at the first operand.
        stops
        flags: -a --append -i --ignore-interrupts -p
        optional: --output-error
        operands: written...
    """,
    "sponge": """
        Soaks up its input, then writes it into a file.
        flags: -a
        operands: written
    """,
    "ts": """
        Puts the time before every line. Another program of this name queues commands, so no word is taken.
        flags: -i -s
        operands: none
    """,
    "pv": """
        Copies its input to its output and shows how fast.
        flags: -p --progress -t --timer -e --eta -I --fineta -r --rate -a --average-rate -b --bytes -n --numeric
        flags: -q --quiet -W --wait -l --line-mode -0 --null -f --force -c --cursor
        values: -F --format -D --delay-start -s --size -i --interval -w --width -H --height -N --name
        values: -L --rate-limit
        praxic: -R --remote | changes another running pv
        praxic: -P --pidfile -o --output -U --store-and-forward | writes a file
        help: -h -V
    """,
    "envsubst": """
        Replaces variables in text.
        flags: -v --variables
        help: -h -V
    """,
    "numfmt": """
        Converts numbers to and from human-readable ones.
        any
    """,
    "dos2unix": """
        Changes the line ends of files.
        form: filters its input
        flags: -q --quiet -b --keep-bom -m --add-bom -r --remove-bom -l --newline -e --add-eol
        operands: none
        form: tells about the line ends of a file, or prints the converted text
        stops
        needs: -O --to-stdout -i --info | changes the files that are named
        flags: -O --to-stdout -q --quiet
        optional: -i --info
        operands: read
        form: changes the files that are named
        flags: -q --quiet -k --keepdate
        operands: written...
    """,
    "unix2dos": """
        same as dos2unix
    """,
    "sd": """
        Replaces text in files; with no file it filters its input.
        help: -h -V
        form: filters its input
        flags: -F -s --fixed-strings --string-mode
        values: -f --flags -n --max-replacements
        operands: read read
        form: shows what it would do
        needs: -p --preview | changes the files that are named
        flags: -p --preview -F -s --fixed-strings --string-mode
        values: -f --flags -n --max-replacements
    """,
    # --- the two stream languages
    "awk": """
        Runs a program over lines; the judge reads the program.
        stops
        flags: -b --characters-as-bytes -M --bignum -n --non-decimal-data -N --use-lc-numeric -O --optimize
        flags: -P --posix -r --re-interval -S --sandbox -k --csv -c --traditional
        values: -F --field-separator -v --assign
        praxic: -f --file -E --exec | its program is in a file
        praxic: -e --source -i --include -l --load | takes more program text or loads code
        praxic: -o --pretty-print -p --profile -d --dump-variables | writes a file
        praxic: -D --debug -W | changes how it runs
        help: -V -h
        code: awk
    """,
    "gawk": """
        same as awk
    """,
    "mawk": """
        same as awk
    """,
    "nawk": """
        same as awk
    """,
    "sed": """
        Edits a stream of lines; the judge reads the script.
        flags: -n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --posix
        flags: --debug --sandbox --follow-symlinks
        values: -e --expression --line-length
        optional: -i --in-place
        praxic: -I | changes the files themselves
        praxic: -f --file | its script is in a file
        code: sed
    """,
    "gsed": """
        same as sed
    """,
    # --- searching
    "grep": """
        Searches text.
        any
    """,
    "egrep": """
        Searches text.
        any
    """,
    "fgrep": """
        Searches text.
        any
    """,
    "ggrep": """
        Searches text.
        any
    """,
    "zgrep": """
        Searches compressed text. It is a script that puts its options into a text for `eval`, with quotes that an
        attached value (`-ex'`) can close: every option is a letter or a whole word here, and a value a word of its own.
        flags: -a -b -c -h -i -l -n -o -q -s -v -w -x -y -E -F -G -H -I -L -P -T -U -V -e -f -m -A -B -C
        flags: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9
        flags: --count --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --files-with-matches
        flags: --files-without-match --only-matching --quiet --silent --no-messages --byte-offset --with-filename
        flags: --no-filename --line-number --text --extended-regexp --fixed-strings --basic-regexp --perl-regexp
        flags: --color --colour --regexp --file --max-count --after-context --before-context --context
    """,
    "zegrep": """
        same as zgrep
    """,
    "zfgrep": """
        same as zgrep
    """,
    "bzgrep": """
        Searches compressed text.
        any
    """,
    "xzgrep": """
        same as zgrep
    """,
    "zstdgrep": """
        Searches compressed text.
        any
    """,
    "rg": """
        Searches text in folders.
        flags: --auto-hybrid-regex --binary --block-buffered -b --byte-offset -s --case-sensitive --column
        flags: -c --count --count-matches --crlf --debug --trace --files -l --files-with-matches
        flags: --files-without-match -F --fixed-strings -L --follow --glob-case-insensitive --heading -. --hidden
        flags: -i --ignore-case --ignore-file-case-insensitive --include-zero -v --invert-match --json
        flags: --line-buffered -n --line-number -x --line-regexp --max-columns-preview --mmap -U --multiline
        flags: --multiline-dotall --no-config -I --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot
        flags: --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
        flags: --no-ignore-vcs -N --no-line-number --no-messages --no-mmap --no-pcre2-unicode --no-require-git
        flags: --no-unicode -0 --null --null-data --one-file-system -o --only-matching --passthru --passthrough
        flags: -P --pcre2 --pcre2-version --pcre2-unicode -p --pretty -q --quiet -z --search-zip -S --smart-case
        flags: --sort-files --stats -a --text --trim --type-list -u --unrestricted --vimgrep -H --with-filename
        flags: -w --word-regexp --stop-on-nonmatch --no-pre --no-column --no-json --no-multiline --no-pcre2
        flags: --no-stats --no-text --no-trim --no-context-separator --no-follow --no-fixed-strings --no-binary
        flags: --no-search-zip --ignore --ignore-vcs --ignore-dot --ignore-parent --ignore-global --ignore-files
        flags: --messages --unicode --no-crlf --no-encoding --no-invert-match --require-git --no-include-zero
        values: -A --after-context -B --before-context --color --colors -C --context --context-separator
        values: --dfa-size-limit -E --encoding --engine --field-context-separator --field-match-separator
        values: -f --file -g --glob --iglob --ignore-file -M --max-columns -m --max-count -d --max-depth --maxdepth
        values: --max-filesize --path-separator --pre-glob --regex-size-limit -e --regexp -r --replace --sort
        values: --sortr -j --threads -t --type --type-add --type-clear -T --type-not --hyperlink-format --generate
        praxic: --pre | runs the program that is named
        praxic: --hostname-bin | runs the program that is named
        help: -h -V
    """,
    "ag": """
        Searches text in folders.
        flags: --ackmate --affinity --noaffinity -a --all-types --break --nobreak -c --count --color --nocolor
        flags: --column -D --debug --filename --nofilename -f --follow --nofollow -F --fixed-strings --group
        flags: --nogroup -H --heading --noheading --hidden -i --ignore-case -l --files-with-matches
        flags: -L --files-without-matches --list-file-types --mmap --nommap --multiline --nomultiline
        flags: -n --norecurse --numbers --nonumbers -o --only-matching --one-device --parallel --print-long-lines
        flags: --print-all-files --passthrough --passthru -Q --literal -r -R --recurse -s --case-sensitive
        flags: -S --smart-case --search-binary --silent --stats --stats-only -t --all-text -u --unrestricted
        flags: -U --skip-vcs-ignores -v --invert-match --vimgrep -w --word-regexp -z --search-zip
        flags: -0 --null --print0 --nopager -h
        flags: --cc --cpp --csharp --css --go --html --java --js --json --kotlin --lua --make --markdown --perl
        flags: --php --py --python --ruby --rust --scala --shell --sql --swift --ts --vim --xml --yaml
        optional: -A --after -B --before -C --context
        values: --color-line-number --color-match --color-path --depth -g --filename-pattern
        values: -G --file-search-regex --ignore --ignore-dir -m --max-count -p --path-to-ignore -W --width --workers
        praxic: --pager | runs the program that is named
        help: -V
    """,
    "ack": """
        Searches text in folders.
        flags: --break --nobreak -c --count --color --nocolor --colour --nocolour --column --nocolumn --dump --env
        flags: --noenv --flush -f --filter --nofilter --follow --nofollow --group --nogroup -H --with-filename
        flags: -h --no-filename --heading --noheading --help-types -i --ignore-case -I --no-ignore-case
        flags: --ignore-ack-defaults -k --known-types -l --files-with-matches -L --files-without-matches
        flags: -n --no-recurse -o --nopager --passthru --print0 -P -Q --literal -r -R --recurse -s -S --smart-case
        flags: --nosmart-case --no-smart-case --sort-files --show-types --underline --nounderline -v --invert-match
        flags: -w --word-regexp -x -1 --create-ackrc -g
        flags: --cc --cpp --csharp --css --go --html --java --js --json --kotlin --lua --make --markdown --perl
        flags: --php --py --python --ruby --rust --scala --shell --sql --swift --ts --vim --xml --yaml
        optional: -A --after-context -B --before-context -C --context -p --proximate
        values: --color-filename --color-match --color-colno --color-lineno
        values: --files-from --ignore-dir --ignore-directory --noignore-dir --noignore-directory --ignore-file
        values: --match -m --max-count --range-start --range-end -t --type -T --type-add --type-set --type-del
        praxic: --pager | runs the program that is named
        praxic: --output | older versions evaluate its value as Perl
        praxic: --ackrc | believes another configuration
    """,
    "ugrep": """
        Searches text in folders.
        flags: -c --count -E --extended-regexp -F --fixed-strings -G --basic-regexp -H --with-filename -h
        flags: --no-filename -i --ignore-case -I --ignore-binary -L --files-without-match -l --files-with-matches
        flags: -n --line-number -o --only-matching -P --perl-regexp -q --quiet -r --recursive -R -s --no-messages
        flags: -v --invert-match -w --word-regexp -x --line-regexp
        values: -A --after-context -B --before-context -C --context -e --regexp -f --file -m --max-count
        values: -g --glob -t --file-type
        praxic: --filter --filter-magic-label | runs the programs that are named
        praxic: --pager --view | runs the program that is named
        praxic: --save-config --config | writes or believes a configuration
        praxic: -Q --query | is interactive
    """,
    # --- comparing
    "diff": """
        Compares files.
        any
    """,
    "cmp": """
        Compares files byte by byte.
        any
    """,
    "zdiff": """
        Compares compressed files. It is a script that puts the word after some options into a text for `eval` without
        quoting it: with those the judge wants plain words.
        flags: -a -b -B -c -d -e -E -i -l -n -N -q -r -s -t -T -u -w -y -Z --brief --unified --side-by-side
        flags: --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --text --minimal
        flags: --suppress-common-lines --report-identical-files --recursive --new-file --strip-trailing-cr
        form: with options that have no value
        form: with options whose value is the next word, or is attached
        flags: -C -F -I -S -U -W -X -x -0 -1 -2 -3 -4 -5 -6 -7 -8 -9
        code: plain
    """,
    "zcmp": """
        same as zdiff
    """,
    "xzdiff": """
        Compares compressed files.
        any
    """,
    "bzdiff": """
        Compares compressed files.
        any
    """,
    "colordiff": """
        Compares files, in colours.
        any
    """,
    "diff3": """
        Compares three files; what it merges, it prints.
        flags: -A --show-all -e --ed -E --show-overlap -3 --easy-only -x --overlap-only -X -i -m --merge -a --text
        flags: --strip-trailing-cr -T --initial-tab
        values: -L --label
        praxic: --diff-program | runs the program that is named
    """,
    "sdiff": """
        Compares files side by side.
        flags: -i --ignore-case -E --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change
        flags: -W --ignore-all-space -B --ignore-blank-lines --strip-trailing-cr -a --text -l --left-column
        flags: -s --suppress-common-lines -t --expand-tabs -d --minimal -H --speed-large-files
        values: -I --ignore-matching-lines -w --width --tabsize
        praxic: -o --output | merges into the file that is named, with an editor
        praxic: --diff-program | runs the program that is named
    """,
    "wdiff": """
        Compares files word by word.
        flags: -1 --no-deleted -2 --no-inserted -3 --no-common -i --ignore-case -s --statistics -d --diff-input
        flags: -n --avoid-wraps -l --less-mode -p --printer -t --terminal
        values: -w --start-delete -x --end-delete -y --start-insert -z --end-insert
        praxic: -a --auto-pager | starts a pager
        help: -h -v
    """,
    "diffstat": """
        Counts the changes of the patch it is fed.
        flags: -s -l -u
        values: -p -w
        operands: none
        help: -V
    """,
    "delta": """
        Shows a diff with colours. With more than two words it runs them, if one is `git` or `rg`.
        flags: -n --line-numbers -s --side-by-side --color-only --dark --light --diff-highlight --diff-so-fancy
        flags: --hyperlinks --keep-plus-minus-markers --navigate --no-gitconfig --raw --relative-paths
        flags: --show-syntax-themes --list-languages --list-syntax-themes --parse-ansi --show-colors
        values: -w --width --tabs --syntax-theme --paging --file-style --hunk-header-style --minus-style
        values: --plus-style --max-line-length --true-color --wrap-max-lines --word-diff-regex
        praxic: --pager | runs the program that is named
        praxic: --config --features | believes another configuration
        operands: read read
        help: -h -V
    """,
    # --- JSON, YAML, TOML, XML
    "jq": """
        Queries JSON. Its language can read, but neither write a file nor run a program.
        any
    """,
    "gojq": """
        Queries JSON. Its language can read, but neither write a file nor run a program.
        any
    """,
    "jaq": """
        Queries JSON.
        flags: -n --null-input -R --raw-input -s --slurp -c --compact-output -r --raw-output -j --join-output
        flags: -S --sort-keys -C --color-output -M --monochrome-output --tab -e --exit-status
        optional: --indent
        praxic: -i --in-place | changes the files themselves
        help: -h -V
    """,
    "yq": """
        Queries YAML (two programs have this name). A value in a word of its own counts as an operand.
        flags: -n -e -C -M -P -N -r -j -c -y -Y -S -a -0 -v -R
        optional: --null-input --exit-status --colors --no-colors --prettyPrint --no-doc --unwrapScalar --tojson
        optional: -o --output-format -p --input-format -I --indent --header-preprocess --nul-output --verbose
        optional: --string-interpolation --xml-keep-namespace --xml-raw-token --xml-skip-directives
        optional: --xml-skip-proc-inst --xml-strict-mode --csv-auto-parse --tsv-auto-parse --raw-output
        optional: --compact-output --yaml-output --yaml-roundtrip --slurp --sort-keys --raw-input --join-output
        optional: --tab --arg --argjson --slurpfile --rawfile --args --jsonargs --color-output --monochrome-output
        optional: --explicit-start --explicit-end --width --indentless-lists --ascii-output
        praxic: -i --inplace --in-place | changes the files themselves
        praxic: -s --split-exp --split-exp-file | writes one file for each document
        praxic: --security-enable-system-operator | lets the expression run programs
        help: -h -V help
    """,
    "tomlq": """
        Queries TOML with jq.
        flags: -n -e -C -M -r -j -c -y -S -a -R -t
        optional: --null-input --exit-status --raw-output --compact-output --yaml-output --toml-output --slurp
        optional: --sort-keys --raw-input --join-output --tab --arg --argjson --indent --color-output
        optional: --monochrome-output
        praxic: -i --in-place | changes the files themselves
        help: -h
    """,
    "xq": """
        Queries XML (several programs have this name).
        flags: -n -C -M -r -j -c -S
        optional: --null-input --exit-status --raw-output --compact-output --slurp --sort-keys --join-output --tab
        optional: --indent --color-output --monochrome-output --xml-output --no-color
        praxic: -i --in-place | changes the files themselves
        praxic: -o --overwrite --output | writes a file
        help: -h
    """,
    "gron": """
        Prints JSON as lines one can grep.
        flags: -u --ungron -v --values -c --colorize -m --monochrome -s --stream -k --insecure -j --json --no-sort
    """,
    "fx": """
        praxic | evaluates its words as JavaScript
    """,
    "dasel": """
        praxic | can change the files it queries
    """,
    "xmllint": """
        Parses and prints XML.
        long
        flags: --auto --catalogs --copy --c14n --c14n11 --exc-c14n --debug --debugent --dropdtd --dtdattr --format
        flags: --html --htmlout --huge --insert --loaddtd --load-trace --memory --noblanks --nocatalogs --nocdata
        flags: --nodefdtd --noenc --noent --nofixup-base-uris --nonet --noout --nowarning --nowrap
        flags: --noxincludenode --nsclean --oldxml10 --postvalid --push --quiet --recover --repeat --sax --sax1
        flags: --stream --strict-namespace --timing --valid --walker --xinclude --xmlout --version
        flags: -format -html -noblanks -noent -nonet -noout -nowarning -recover -valid -xinclude -huge -quiet
        values: --dtdvalid --dtdvalidfpi --encode --maxmem --path --pattern --pretty --relaxng --schema --schematron
        values: --xpath -xpath -schema -relaxng -encode
        writes: --output -output -o | puts its result into the file that is named
        praxic: --shell -shell | its shell can write files
        praxic: --compress -compress | changes what is written
    """,
    "xmlstarlet": """
        Queries and edits XML.
        subcommands
    """,
    "xmlstarlet sel": """
        Prints what an XPath selects.
        flags: -Q --quiet -B --noblanks -C --comp -R --root -T --text -I --indent -D --xml-decl --net --no-doc-namespace
        flags: -t --template -n --nl -f --inp-name -b --break
        values: -E --encode -N -m --match -v --value-of -c --copy-of -o --output -i --if -s --sort -e --elem -a --attr
    """,
    "xmlstarlet el": """
        Prints the structure of an XML document.
        flags: -a -v -u
    """,
    "xmlstarlet val": """
        Validates XML.
        flags: -w --well-formed -q --quiet -e --err -b --list-bad -g --list-good -E --embed
        values: -d --dtd -s --xsd -r --relaxng
    """,
    "xmlstarlet fo": """
        Prints XML, formatted.
        flags: -n --noindent -t --indent-tab -o --omit-decl -R --recover -D --dropdtd -C --nocdata -N --nsclean
        flags: -H --html
        values: -s --indent-spaces -e --encode
    """,
    "xsltproc": """
        praxic | a stylesheet can write files
    """,
    "htmlq": """
        Prints what CSS selectors select.
        flags: -B --detect-base -w --ignore-whitespace -p --pretty -t --text
        values: -a --attribute -b --base -f --filename -r --remove-nodes
        writes: -o --output | puts its result into the file that is named
        help: -h -V
    """,
    "pup": """
        Prints what CSS selectors select.
        flags: -c --color -n --number -p --plain --pre
        values: -f --file -i --indent -l --limit --charset
        help: -h
    """,
    # --- CSV
    "csvcut": """
        Prints columns of CSV.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero -n --names -x --delete-empty-rows
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -c --columns -C --not-columns
        help: -h -V
    """,
    "csvlook": """
        Prints CSV as a table.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --blanks -I --no-inference --no-number-ellipsis
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -L --locale --date-format --datetime-format --max-rows --max-columns
        values: --max-column-width --max-precision --null-value -y --snifflimit
        help: -h -V
    """,
    "csvgrep": """
        Prints the rows of CSV that match.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero -n --names -i --invert-match -a --any-match
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -c --columns -m --match -r --regex -f --file
        help: -h -V
    """,
    "csvsort": """
        Sorts CSV.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --blanks -n --names -r --reverse -I --no-inference -i --ignore-case
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -L --locale --date-format --datetime-format -c --columns -y --snifflimit
        help: -h -V
    """,
    "csvjoin": """
        Joins CSV files.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --blanks --outer --left --right -I --no-inference
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -L --locale --date-format --datetime-format -c --columns -y --snifflimit
        help: -h -V
    """,
    "csvstack": """
        Prints CSV files one after the other.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --filenames
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -g --groups -n --group-name
        help: -h -V
    """,
    "csvstat": """
        Prints statistics of CSV.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --csv --json -n --names --type --nulls --non-nulls --unique --min --max --sum --mean --median
        flags: --stdev --len --freq --count -I --no-inference
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -c --columns --freq-count -y --snifflimit
        help: -h -V
    """,
    "csvformat": """
        Prints CSV in another dialect.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero -T --out-tabs -B --out-no-doublequote
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -D --out-delimiter -Q --out-quotechar -U --out-quoting -P --out-escapechar
        values: -M --out-lineterminator
        help: -h -V
    """,
    "csvjson": """
        Prints CSV as JSON.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --blanks --no-bbox --stream -I --no-inference
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -L --locale --date-format --datetime-format -i --indent -k --key --lat --lon --type
        values: --geometry --crs -y --snifflimit
        help: -h -V
    """,
    "in2csv": """
        Prints tables of other formats as CSV.
        flags: -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers
        flags: --zero --blanks -n --names -I --no-inference
        values: -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding
        values: -K --skip-lines -L --locale --date-format --datetime-format -f --format -s --schema -k --key --sheet
        values: --encoding-xls -y --snifflimit
        praxic: --write-sheets | writes one file for each sheet
        praxic: --use-sheet-names | names files that are written
        help: -h -V
    """,
    "csvclean": """
        praxic | writes the rows it repaired, and those it could not, into files
    """,
    "csvsql": """
        praxic | runs SQL, which can change a database
    """,
    "sql2csv": """
        praxic | runs SQL, which can change a database
    """,
    "csvpy": """
        praxic | opens a Python shell
    """,
    "mlr": """
        praxic | its verbs and its language can write files and run programs
        help: version help
    """,
    "xsv": """
        Reads CSV.
        subcommands
        help: -h --list
    """,
    "xsv headers": """
        Prints the names of the columns.
        flags: -j --just-names --intersect
        values: -d --delimiter
    """,
    "xsv count": """
        Counts rows.
        flags: -n --no-headers
        values: -d --delimiter
    """,
    "xsv select": """
        Prints columns.
        flags: -n --no-headers
        values: -d --delimiter
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv search": """
        Prints the rows that match.
        flags: -n --no-headers -i --ignore-case -v --invert-match
        values: -d --delimiter -s --select
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv slice": """
        Prints some of the rows.
        flags: -n --no-headers
        values: -d --delimiter -s --start -e --end -l --len -i --index
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv sort": """
        Sorts rows.
        flags: -n --no-headers -N --numeric -R --reverse
        values: -d --delimiter -s --select
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv frequency": """
        Counts values.
        flags: -n --no-headers -a --asc --no-nulls
        values: -d --delimiter -s --select -l --limit -j --jobs
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv stats": """
        Prints statistics.
        flags: -n --no-headers --everything --mode --cardinality --median --nulls
        values: -d --delimiter -s --select -j --jobs
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv table": """
        Prints rows as a table.
        values: -d --delimiter -w --width -p --pad -c --condense
        writes: -o --output | puts its result into the file that is named
    """,
    "xsv flatten": """
        Prints rows one field a line.
        flags: -n --no-headers
        values: -d --delimiter -c --condense -s --separator
    """,
    "qsv": """
        Reads CSV; some of its sub-commands keep caches beside the file, run code or send requests.
        subcommands
        help: -h --list
    """,
    "qsv headers": """
        Prints the names of the columns.
        flags: -j --just-names --just-count
        values: -d --delimiter
    """,
    "qsv table": """
        Prints rows as a table.
        values: -d --delimiter -w --width -p --pad -c --condense
        writes: -o --output | puts its result into the file that is named
    """,
    "qsv select": """
        Prints columns.
        flags: -n --no-headers
        values: -d --delimiter
        writes: -o --output | puts its result into the file that is named
    """,
    # --- bytes, encodings, checksums
    "iconv": """
        Converts text between encodings.
        flags: -c -l --list -s --silent --verbose
        values: -f --from-code -t --to-code
        writes: -o --output | puts its result into the file that is named
    """,
    "base64": """
        Encodes and decodes base64 (`-i` names the input on macOS, and has no value elsewhere).
        flags: -d -D --decode --ignore-garbage
        values: -i --input -w --wrap -b --break
        writes: -o --output | puts its result into the file that is named
        code: dashed_values
    """,
    "base32": """
        Encodes and decodes base32.
        any
    """,
    "basenc": """
        Encodes and decodes.
        any
    """,
    "uuencode": """
        Prints a file, encoded.
        flags: -m --base64 -e --encode-file-name
    """,
    "uudecode": """
        praxic | writes the file that its input names
    """,
    "xxd": """
        Prints a file in hexadecimal, or back; the second operand is the file it writes. It knows no clusters of
        options, and its options end at the first operand.
        stops
        help: -h -v
        form: its options one by one
        long
        flags: -a -autoskip -b -bits -C -capitalize -d -E -EBCDIC -e -i -include -p -ps -plain -postscript -r -revert -u
        values: -c -cols -g -groupsize -l -len -n -name -o -s -seek
        operands: read written
        form: numbers attached to their option
        flags: -a -b -C -d -E -e -i -p -r -u
        optional: -c -g -l -o -s
        operands: read
    """,
    "hexdump": """
        Prints a file in hexadecimal.
        any
    """,
    "hd": """
        Prints a file in hexadecimal.
        any
    """,
    "hexyl": """
        Prints a file in hexadecimal.
        any
    """,
    "od": """
        Prints a file in octal and other forms.
        any
    """,
    "strings": """
        Prints the text inside binary files.
        any
    """,
    "md5sum": """
        Prints or checks checksums.
        any
    """,
    "md5": """
        Prints checksums.
        any
    """,
    "sha1sum": """
        Prints or checks checksums.
        any
    """,
    "sha224sum": """
        Prints or checks checksums.
        any
    """,
    "sha256sum": """
        Prints or checks checksums.
        any
    """,
    "sha384sum": """
        Prints or checks checksums.
        any
    """,
    "sha512sum": """
        Prints or checks checksums.
        any
    """,
    "shasum": """
        Prints or checks checksums.
        any
    """,
    "sha256": """
        Prints checksums.
        any
    """,
    "b2sum": """
        Prints or checks checksums.
        any
    """,
    "b3sum": """
        Prints or checks checksums.
        any
    """,
    "xxhsum": """
        Prints or checks checksums.
        any
    """,
    "xxh64sum": """
        Prints or checks checksums.
        any
    """,
    "cksum": """
        Prints or checks checksums.
        any
    """,
    "sum": """
        Prints checksums.
        any
    """,
    "crc32": """
        Prints checksums.
        code: plain
    """,
    # --- arithmetic, words
    "bc": """
        Computes. Its language can neither write a file nor run a program.
        idle
        any
    """,
    "dc": """
        praxic | its `!` runs a program
    """,
    "expr": """
        Computes and compares its words.
        idle
        any
    """,
    "factor": """
        Prints prime factors.
        idle
        any
    """,
    "aspell": """
        Checks spelling.
        subcommands
        values: -l --lang -d --master --mode
        help: -v
    """,
    "aspell list": """
        Prints the words it does not know.
        values: -l --lang -d --master --mode
        operands: none
    """,
    "aspell dicts": """
        Prints the names of the dictionaries.
        operands: none
    """,
    "hunspell": """
        Checks spelling. It knows no clusters of options: it passes over them, and edits.
        long
        needs: -l -L | edits the files, or keeps words, as it is told
        flags: -l -L -G -1 -H -t -X -O -n -w
        values: -d -i
        help: -h -v
    """,
}
