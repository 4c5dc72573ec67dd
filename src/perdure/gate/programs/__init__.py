"""What the gate knows about programs: one card per program, which a person can read, review and extend (SPEC 5.4).

A card is a few lines of text. The first line may describe the program; the others say which of its words only read,
which write, and which run something. **A card is closed**, unless it says `any`: an option that it does not list makes
the call praxic. So an option that is forgotten here causes a denial, and never lets a write through. The card of a
sub-command has the whole name (`git log`, `gh pr view`). A card in the `PROGRAMS` of its family's module is all that a
new program needs; a new family is one more line in `FAMILIES` of `effects/judge_by_card.py`. The families:

    text        print, search, compare, count and encode text; query JSON, YAML, XML and CSV
    files       list, read, make, copy and remove files; archives, binaries, media, documents, editors
    git         git, and what is often installed with it
    running     run other programs with words that they compose (env, xargs); Perdure itself
    languages   interpreters, compilers, shells
    packages    package managers, version managers, tools that publish packages
    building    build tools, linters, formatters, test runners, release and documentation tools
    system      processes, users, hardware, disks, services of the machine, terminals, keys; wrappers (sudo, timeout)
    network     use the network or inspect it
    forges      command lines of code forges (gh, glab); version control systems besides git
    services    containers, clusters, clouds, infrastructure as code, databases

The format:

    "sort": '''
        Sorts lines of text.
        flags: -b --ignore-leading-blanks -d --dictionary-order -n --numeric-sort -r --reverse -u --unique
        optional: --check
        values: -k --key -t --field-separator
        writes: -o --output | puts its result into the file that is named
        praxic: --compress-program | runs the program that is named
    '''

Lines of a card (`|` begins the reason, which an agent will read; keep it a short clause):

    any                     no option and no operand writes or runs anything: every word is allowed, unknown ones too
    praxic | why            it changes something, or may, whatever its words are (`--help` alone still only reads)
    weighty | why           praxic, and it destroys or publishes: it needs a CHECK that answered "proceed"
    flags: -x --long        options without a value
    values: -k --key        options whose value is the next word or is attached (`-k2`, `--key=2`); this must be right,
                            because the next word is then not judged
    optional: --color -C    options whose value, if any, is attached only (`--color=always`, `-C3`)
    writes: -o | why        takes a value; the value is a file that is written (in scratch that is allowed)
    praxic: --pre | why     options that make the call praxic, with or without a value
    weighty: --force | why  options that make the call praxic and weighty
    numbers                 `-20` (a dash and digits) is a harmless option
    long                    options are whole words after one dash, never clusters (find, go, openssl)
    stops                   options end at the first operand (env, timeout, awk); else they may be anywhere, as in GNU's
    old                     the first word may be a cluster of options without a dash (tar, ps, ar)
    operands: ROLE…         what the other words are; default `read...`. `read` is harmless, `written` is a file that is
                            written or removed, `command` is the rest, which is run, `plus` begins with `+`. `...`
                            after one role: any number of it. `operands: none`: there must be none
    needs: -l --list | why  praxic unless one of these options is there
    subcommands             the first operand chooses the card `program WORD`; without that card it is praxic
    alone                   with `subcommands`: without a sub-command the program only reads
    form: what it does      what follows is one form of several, each closed and complete; the first that accepts the
                            words decides. Lines before the first form belong to all forms
    configured              obeys configuration or code in its working folder: praxic where that folder is scratch
    obeys: FILE… | word     obeys these files in its folder or above, which come with a repository: praxic where one of
                            them has one of the words (in lower case, without blanks and quotes); without words: where
                            one of them exists
    overrides: -x           options with which it does not obey the files of `obeys`
    help: -h help           words which, alone, only read, besides `--help` and `--version`
    idle                    shows nothing of the work: it prints its own words, waits, or describes the machine
    negatable               `--no-x` is harmless where `--x` is listed as harmless
    revisions               takes revisions of git: `--end-of-options` ends the options; `--` behind it begins paths
    deaf                    does not stop at `--help`, so `--help` does not make the call a reading one
    dash                    `-` as the file that is written means standard output
    prints: integer         what it prints on standard output in this form: `integer`, `path` (one absolute path),
                            `hash` (hex digits), `scratch` (one new path in scratch)
    same as NAME            the card of another program
    code: NAME              code in `effects/judge_by_code/` judges what a card cannot express

A description may have several lines; the first line that is one of the above ends it. A form may be `praxic | why`: it
then says what the program changes where no other form accepts the words.

Options are matched as getopt does: clusters (`-rn`, `-ofile`), `--long=value`. Abbreviations of long options are not
accepted. `values:` and `writes:` may list an operand as `name=`, for programs that take words of the form `name=value`
(dd: `values: if= bs=`, `writes: of=`).
"""
