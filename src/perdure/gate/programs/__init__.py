"""What the gate knows about programs: one card a program, which a person can read, review and extend (SPEC 5.4).

A card is a few lines of text. Its first line says what the program is; the others say which of its words only look,
which write, which run something. **A card is closed**: an option that it does not list makes the call praxic, so an
option forgotten here denies and never lets a write through. Cards of sub-commands stand under the whole name
(`git log`, `gh pr view`). A card in the `PROGRAMS` of its family's module is all that a new program needs; a new family
is one more line in `FAMILIES` of `effects/programs.py`.

    "sort": '''
        Sorts lines of text.
        flags: -b --ignore-leading-blanks -d --dictionary-order -n --numeric-sort -r --reverse -u --unique
        optional: --check
        values: -k --key -t --field-separator
        writes: -o --output | puts its result into the file that is named
        praxic: --compress-program | runs the program that is named
    '''

Lines of a card (`|` begins the reason, which an agent will read; keep it a short clause):

    any                     no option and no operand writes or runs anything: every word is taken, dynamic ones too
    praxic | why            it changes something, or may, whatever its words are (`--help` alone still looks)
    weighty | why           praxic, and it destroys or publishes: needs a CHECK that said proceed
    flags: -x --long        options without a value
    values: -k --key        options whose value is the next word or is attached (`-k2`, `--key=2`); must be right, since
                            it hides a word
    optional: --color -C    options whose value, if any, is attached only (`--color=always`, `-C3`)
    writes: -o | why        takes a value; the value is a file that is written (into scratch it may be)
    praxic: --pre | why     options that make the call praxic, with or without a value
    weighty: --force | why  options that make the call praxic and weighty
    numbers                 `-20` (a dash and digits) is a harmless option
    long                    options are whole words after one dash, never clusters (find, go, openssl)
    stops                   options end at the first operand (env, timeout, awk); else they stand anywhere, as GNU's do
    old                     the first word may be a cluster of options without a dash (tar, ps, ar)
    operands: ROLE…         what the other words are; default `read...`. `read` is harmless, `written` a file that is
                            written or removed, `command` the rest that is run, `plus` begins with `+`. `...` after one
                            role: any number of it. `operands: none`: there must be none
    needs: -l --list | why  praxic unless one of these options is there
    subcommands             the first operand chooses the card `program WORD`; without that card it is praxic
    alone                   with `subcommands`: called without one it only reads
    form: what it does      what follows is one form of several, each closed and complete; the first that accepts the
                            words decides. Lines before the first form are shared by all
    configured              believes configuration or code in its working folder: praxic where that is scratch
    help: -h help           words which, alone, only look, besides `--help` and `--version`
    idle                    shows nothing of the work: it prints its own words, waits, or tells about the machine
    deaf                    does not stop at `--help`: that is no reason to take it for a reader
    dash                    `-` as the file that is written is standard output
    prints: integer         what it puts on standard output in this form: `integer`, `path` (one absolute path), `hash`
                            (hex digits), `scratch` (one new path in scratch)
    same as NAME            the card of another program
    judge: NAME             what a card cannot say is judged by code in `effects/judges/`

A description may take several lines; the first line that is one of the above ends it. A form may be `praxic | why`: it
then says what is changed where no other form accepts.

Options are matched as getopt does: clusters (`-rn`, `-ofile`), `--long=value`. Abbreviations of long options are not
taken. An operand may be spelled `name=` in `values:` and `writes:`
for programs that take `name=value` words (dd: `values: if= bs=`, `writes: of=`).
"""
