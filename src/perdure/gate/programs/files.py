"""Cards of programs for files: listing, reading, making, copying and removing them, archives and compressors, binaries,
media and documents, editors.

A program that changes files is judged by the files it is given: in scratch it may. Making links, unpacking an archive
and opening an editor are always praxic.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # --- listing and looking
    "ls": """
        Lists folders.
        any
    """,
    "gls": """
        Lists folders.
        any
    """,
    "dir": """
        Lists folders.
        any
    """,
    "vdir": """
        Lists folders.
        any
    """,
    "exa": """
        Lists folders.
        any
    """,
    "eza": """
        Lists folders.
        any
    """,
    "lsd": """
        Lists folders.
        any
    """,
    "tree": """
        Lists folders as a tree. In a cluster its options take the words that follow one after the other, which
        differs from other programs: only whole words are known here.
        long
        flags: -a -d -l -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -A -S -n -C -X -J
        flags: -L1 -L2 -L3 -L4 -L5 -L6 -L7 -L8 -L9
        flags: -ad -da -af -fa -ah -ha -aC -Ca -aF -Fa -fi -if -afi -fai -ifa -sh -hs -dh -dfi -Cd -dC -aJ -Ja -ai
        flags: -ia -hD -Dh -pu -ug -pug -puga -ahF -ash -apug -in -ni -fin -fn -Cah -aCh -ahC -CF -FC -Ch -hC -pugD
        flags: -pugh -pughD -aCF -aFC -CaF -CFa -dF -Fd -ad -Cf -fC -Cafi -hsD -shD -ahD -pah -pfi -lah
        flags: --gitignore --ignore-case --matchdirs --metafirst --prune --info --noreport --si --du --inodes --device
        flags: --dirsfirst --filesfirst --nolinks --fromfile --fromtabfile --fflinks --hyperlink
        values: -L -P -I -H -T -aL -dL -fL -hL -CL -aI -aP -adL -daL
        values: --gitfile --infofile --charset --filelimit --timefmt --sort --hintro --houtro
        writes: -o | puts the listing into the file that is named
        praxic: -R | writes a 00Tree.html into deeper folders
    """,
    "find": """
        Finds files; the judge reads its expression.
        any
        code: find
    """,
    "gfind": """
        same as find
    """,
    "fd": """
        Finds files by name.
        help: -h -V
        form: finds them
        flags: -H --hidden -I --no-ignore --no-ignore-vcs --no-ignore-parent --no-require-git --no-global-ignore-file
        flags: -u --unrestricted -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings --literal
        flags: -a --absolute-path --relative-path -l --list-details -L --follow --no-follow -p --full-path -0 --print0
        flags: --prune -1 -q --quiet --has-results --show-errors --one-file-system --mount --xdev --no-hidden --ignore
        flags: --ignore-vcs --require-git
        optional: --strip-cwd-prefix --hyperlink
        values: -d --max-depth --maxdepth --min-depth --exact-depth -E --exclude -t --type -e --extension -S --size
        values: --changed-within --changed-after --newer --changed-before --older -o --owner -c --color -j --threads
        values: --max-results --base-directory -C --path-separator --search-path --and --format --ignore-file
        values: --ignore-contain --batch-size --max-buffer-time
        praxic: -x --exec -X --exec-batch | runs a program on what it finds
        form: runs a program on what it finds
        any
        code: fd
    """,
    "fdfind": """
        same as fd
    """,
    "locate": """
        Finds files in an index.
        any
    """,
    "plocate": """
        Finds files in an index.
        any
    """,
    "mlocate": """
        Finds files in an index.
        any
    """,
    "updatedb": """
        praxic | rewrites the index of files
    """,
    "stat": """
        Shows what the system knows of files.
        any
    """,
    "file": """
        Tells the type of files.
        flags: -z --uncompress -Z --uncompress-noreport -b --brief -c --checking-printout -i -I --mime --apple
        flags: --extension --mime-type --mime-encoding -k --keep-going -l --list -L --dereference
        flags: -h --no-dereference -n --no-buffer -N --no-pad -0 --print0 -r --raw -s --special-files -d --debug
        values: -m --magic-file -e --exclude --exclude-quiet -f --files-from -F --separator -P --parameter
        praxic: -C --compile | writes a compiled magic file
        praxic: -p --preserve-date | sets the times of the files
        praxic: -S --no-sandbox | turns its sandbox off
        help: -v
    """,
    "du": """
        Shows how much space files take.
        any
    """,
    "df": """
        Shows how full file systems are.
        any
    """,
    "dust": """
        Shows how much space files take.
        any
    """,
    "duf": """
        Shows how full file systems are.
        any
    """,
    "ncdu": """
        praxic | is interactive, and can remove files
        help: -h -v -V
    """,
    "realpath": """
        Prints a path, resolved.
        form: one path
        flags: -e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet -s --strip
        flags: --no-symlinks
        operands: read
        prints: path
        form: everything else
        any
    """,
    "readlink": """
        Prints where a link points.
        form: one path, resolved
        needs: -f --canonicalize -e --canonicalize-existing -m --canonicalize-missing | prints the link as it is
        flags: -f --canonicalize -e --canonicalize-existing -m --canonicalize-missing -q --quiet -s --silent
        flags: -v --verbose
        operands: read
        prints: path
        form: everything else
        any
    """,
    "greadlink": """
        same as readlink
    """,
    "grealpath": """
        same as realpath
    """,
    "basename": """
        Prints the last part of a path.
        idle
        any
    """,
    "dirname": """
        Prints a path without its last part.
        idle
        any
    """,
    "pathchk": """
        Checks names of files.
        idle
        any
    """,
    "cloc": """
        Counts lines of code. The judge wants plain operands: it hands their names to a shell.
        flags: --autoconf --by-file --by-file-by-lang --docstring-as-code --follow-links
        flags: --ignore-whitespace --ignore-case --ignore-case-ext --no-recurse --original-dir --read-binary-files
        flags: --skip-uniqueness --stat --strip-str-comments --sum-one --unix --unicode --fullpath
        flags: --skip-win-hidden --print-filter-stages --show-os --csv --hide-rate --json --md --xml --yaml --quiet
        flags: --no-autogen --diff --count-and-diff --show-ext --show-lang
        values: --include-ext --include-lang --exclude-dir --exclude-ext --exclude-lang --exclude-list-file
        values: --exclude-content --match-d --not-match-d --match-f --not-match-f --skip-archive --list-file
        values: --diff-list-file --diff-timeout --timeout --force-lang --lang-no-ext --max-file-size --script-lang
        optional: --skip-leading
        values: --stdin-name --processes --csv-delimiter --file-encoding --progress-rate
        values: --summary-cutoff --by-percent --explain
        praxic: --out --report-file --sql --sql-append --sql-project --sql-style | writes its report into a file
        praxic: --counted --ignored --found --categorized --diff-alignment | writes a list into a file
        praxic: --write-lang-def --write-lang-def-incl-dup --strip-comments --strip-code | writes files
        praxic: --extract-with --vcs --use-sloccount | runs the program that is named
        praxic: --git --git-diff-rel --git-diff-all --git-diff-simindex | makes options of git of its words
        praxic: --config --read-lang-def --force-lang-def --sdir --xsl --sum-reports | changes how it runs
        code: plain
    """,
    "tokei": """
        Counts lines of code.
        any
    """,
    "scc": """
        Counts lines of code.
        flags: --by-file --ci --complexity -c --no-complexity -d --no-duplicates --debug
        flags: --gen --no-gen --no-cocomo --no-min --no-min-gen --no-size --no-gitignore --no-ignore --no-large -p
        flags: --percent --binary -l --languages -m --character -a --dryness -u --uloc -w --wide -v --verbose
        flags: -z --min-gen
        values: --exclude-dir -x --exclude-ext -i --include-ext -M --not-match -f --format -s --sort -n --exclude-file
        praxic: -o --output | writes its report into a file
        praxic: --format-multi | can write its reports into files
        praxic: --mcp --http --trace | changes how it runs
        help: -h
    """,
    # --- making, copying, removing
    "touch": """
        Makes empty files, or sets their times. BSD's ends its options at the first operand.
        stops
        flags: -a -c --no-create -f -h --no-dereference -m
        values: -d --date -r --reference -t --time
        operands: written...
    """,
    "mkdir": """
        Makes folders. BSD's ends its options at the first operand.
        stops
        flags: -p --parents -v --verbose
        values: -m --mode
        operands: written...
    """,
    "rmdir": """
        Removes empty folders.
        flags: -v --verbose --ignore-fail-on-non-empty
        praxic: -p --parents | removes the folders above too
        operands: written...
    """,
    "mktemp": """
        Makes a new file or folder, in scratch unless it is told another place. BSD's ends its options at the first
        operand, and makes a file of each.
        idle
        stops
        code: in_scratch
        form: where temporary files belong
        flags: -d --directory -q --quiet -u --dry-run
        values: --suffix
        operands: none
        prints: scratch
        form: in a folder that is named
        flags: -d --directory -q --quiet -u --dry-run
        values: --suffix
        writes: -p | makes it in the folder that is named
        operands: none
        form: by a template
        flags: -d --directory -q --quiet -u --dry-run
        values: --suffix
        operands: written
    """,
    "tempfile": """
        praxic | makes a file
    """,
    "mkfifo": """
        Makes named pipes.
        stops
        values: -m --mode
        operands: written...
    """,
    "mknod": """
        praxic | makes a device file
    """,
    "rm": """
        Removes files.
        flags: -f --force -i -I -r -R --recursive -d --dir -v --verbose --one-file-system
        optional: --interactive --preserve-root
        weighty: --no-preserve-root | may remove the whole system
        operands: written...
        code: remove
    """,
    "unlink": """
        Removes one file.
        operands: written
    """,
    "cp": """
        Copies files.
        flags: -a --archive --attributes-only -b --copy-contents -d -f --force -i --interactive -H -L --dereference
        flags: -n --no-clobber -P --no-dereference -p -r -R --recursive --remove-destination --strip-trailing-slashes
        flags: -T --no-target-directory -u -v --verbose -x --one-file-system --debug
        optional: --backup --preserve --reflink --update
        values: --no-preserve --sparse
        values: -t --target-directory
        praxic: -l --link -s --symbolic-link | makes links
        code: copy
    """,
    "mv": """
        Moves files.
        flags: -b -f --force -i --interactive -n --no-clobber --strip-trailing-slashes -T --no-target-directory
        flags: -u -v --verbose --debug
        optional: --backup --update
        values: -t --target-directory
        code: copy
    """,
    "install": """
        Copies files and sets their modes.
        flags: -b -c -C --compare -D -p --preserve-timestamps -T --no-target-directory -v --verbose
        optional: --backup
        values: -m --mode
        values: -t --target-directory
        praxic: -d --directory | makes folders
        praxic: -s --strip --strip-program | runs the program that strips
        praxic: -o --owner -g --group | changes the owner
        code: copy
    """,
    "gcp": """
        same as cp
    """,
    "gmv": """
        same as mv
    """,
    "grm": """
        same as rm
    """,
    "ginstall": """
        same as install
    """,
    "ditto": """
        praxic | copies folders
    """,
    "ln": """
        praxic | makes a link
    """,
    "gln": """
        same as ln
    """,
    "link": """
        praxic | makes a link
    """,
    "chmod": """
        Changes the modes of files.
        flags: -R --recursive -v --verbose -c --changes -f --silent --quiet --preserve-root
        praxic: --reference | takes the mode of another file
        operands: read written...
    """,
    "chown": """
        praxic | changes the owner of files
    """,
    "chgrp": """
        praxic | changes the group of files
    """,
    "chattr": """
        praxic | changes the attributes of files
    """,
    "chflags": """
        praxic | changes the flags of files
    """,
    "chcon": """
        praxic | changes the security context of files
    """,
    "setfacl": """
        praxic | changes who may use files
    """,
    "setfattr": """
        praxic | changes the attributes of files
    """,
    "getfacl": """
        Shows who may use files.
        any
    """,
    "getfattr": """
        Shows the attributes of files.
        any
    """,
    "lsattr": """
        Shows the attributes of files.
        any
    """,
    "xattr": """
        Shows the attributes of files.
        flags: -l -p -v -x -r -s
        praxic: -w -d -c | changes attributes
        help: -h
    """,
    "truncate": """
        Sets the size of files.
        stops
        flags: -c --no-create -o --io-blocks
        values: -s --size -r --reference
        operands: written...
    """,
    "fallocate": """
        praxic | changes the size of files
    """,
    "dd": """
        Copies blocks of bytes.
        values: if= bs= ibs= obs= cbs= count= skip= seek= iseek= oseek= conv= iflag= oflag= status=
        writes: of= | puts its result into the file that is named
        operands: none
    """,
    "shred": """
        weighty | overwrites files so that nothing can bring them back
    """,
    "srm": """
        weighty | overwrites files so that nothing can bring them back
    """,
    "trash": """
        praxic | moves files to the trash
    """,
    "trash-put": """
        praxic | moves files to the trash
    """,
    "trash-list": """
        Lists the trash.
        operands: none
    """,
    "trash-empty": """
        weighty | empties the trash
    """,
    "sync": """
        praxic | makes the system write its buffers to disk
    """,
    "rename": """
        praxic | renames files
    """,
    "prename": """
        praxic | renames files, by a Perl expression
    """,
    "file-rename": """
        praxic | renames files, by a Perl expression
    """,
    "vidir": """
        praxic | renames files in an editor
    """,
    "detox": """
        praxic | renames files
    """,
    "rsync": """
        Copies folders, here and between machines.
        needs: -n --dry-run --list-only | copies files
        flags: -n --dry-run --list-only -v --verbose -q --quiet --no-motd -c --checksum -a --archive -r --recursive
        flags: -R --relative -u --update -d --dirs -l --links -L --copy-links --copy-unsafe-links --safe-links
        flags: -k --copy-dirlinks -K --keep-dirlinks -H --hard-links -p --perms -E --executability -A --acls -X --xattrs
        flags: -o --owner -g --group --devices --specials -D -t --times -O --omit-dir-times -J --omit-link-times
        flags: -S --sparse -W --whole-file -x --one-file-system --existing --ignore-non-existing --ignore-existing
        flags: --del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --force
        flags: --partial -m --prune-empty-dirs --numeric-ids -I --ignore-times --size-only -z --compress
        flags: -C --cvs-exclude -F -0 --from0 --stats -8 --8-bit-output -h --human-readable --progress -P
        flags: -i --itemize-changes -4 --ipv4 -6 --ipv6 --inplace --no-perms --no-owner --no-group
        flags: --no-times --no-links --no-recursive
        values: --info --debug --max-delete --max-size --min-size --modify-window --timeout --contimeout
        values: --compress-level -f --filter --exclude --exclude-from --include --include-from --files-from --out-format
        values: --bwlimit --port --compare-dest
        praxic: -e --rsh --rsync-path | runs the program that is named
        praxic: --log-file --write-batch --only-write-batch --read-batch | writes a file
        praxic: -M --remote-option --daemon --config | changes how it, or the other side, runs
        praxic: --remove-source-files | removes files
        help: -h -V
        code: plain
    """,
    "scp": """
        praxic | copies files between machines
    """,
    # --- archives and compressors
    "tar": """
        Makes, lists and unpacks archives. The judge refuses an archive name that means another machine.
        old
        code: tar
        form: lists
        needs: -t --list | makes, changes or unpacks an archive
        flags: -t --list -v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --zstd --lzma -Z --lz4
        flags: --wildcards --no-wildcards --anchored --no-anchored --ignore-case --no-ignore-case --numeric-owner
        flags: --full-time --utc --no-recursion --force-local -a --auto-compress --totals -i --ignore-zeros
        flags: --wildcards-match-slash --show-transformed-names --block-number
        values: -f --file --exclude -X --exclude-from -C --directory --strip-components --quoting-style
        optional: --occurrence
        form: prints the contents of members
        needs: -O --to-stdout | writes the members into files
        flags: -x --extract --get -O --to-stdout -v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --zstd
        flags: --lzma -Z --lz4 --wildcards --no-wildcards --anchored --no-anchored --ignore-case --force-local
        flags: -a --auto-compress
        values: -f --file --exclude
        optional: --occurrence
        form: compares with the files
        needs: -d --diff --compare | makes, changes or unpacks an archive
        flags: -d --diff --compare -v --verbose -z --gzip -j --bzip2 -J --xz --zstd
        values: -f --file -C --directory --exclude
        form: makes an archive
        needs: -f --file | writes to a device
        dash
        flags: -c --create -v --verbose -z --gzip -j --bzip2 -J --xz --zstd -h --dereference --numeric-owner
        flags: --no-recursion --exclude-vcs
        values: -C --directory --exclude
        writes: -f --file | puts the archive there
    """,
    "gtar": """
        same as tar
    """,
    "bsdtar": """
        same as tar
    """,
    "cpio": """
        Lists archives it is fed.
        needs: -t --list | makes or unpacks an archive
        flags: -t --list -i --extract -v --verbose -n --numeric-uid-gid --quiet
    """,
    "pax": """
        praxic | makes or unpacks an archive
    """,
    "ar": """
        Lists libraries and prints their members.
        old
        needs: -t -p | makes, changes or unpacks a library
        flags: -t -p -v -O
        praxic: --plugin | loads code
        praxic: -M | runs a script
        help: -V
        code: plain
    """,
    "zip": """
        praxic | makes or changes an archive
        help: -h -h2 -v -L
    """,
    "zipinfo": """
        Lists archives.
        any
    """,
    "zipgrep": """
        praxic | unpacks an archive through the shell
    """,
    "unzip": """
        Lists and unpacks archives. A `--` negates the option that follows it: the judge refuses operands with a dash.
        Options end at the archive's name: what follows it are members, which are unpacked.
        stops
        help: -h -hh -v
        code: plain
        form: lists, tests, or prints members
        needs: -l -v -t -p -c -z | unpacks the archive
        flags: -l -v -t -p -c -z -q -C -a -j -L
        values: -P
        form: lists as zipinfo does
        needs: -Z | unpacks the archive
        flags: -Z -1 -2 -s -m -l -v -h -t -z -C
    """,
    "funzip": """
        Prints the first member of an archive.
        any
    """,
    "gzip": """
        Compresses files.
        help: -h -L -V
        form: prints, lists or tests
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        needs: -c --stdout --to-stdout -l --list -t --test | replaces the files that are named
        flags: -c --stdout --to-stdout -l --list -t --test -d --decompress --uncompress -f --force -k --keep
        flags: -n --no-name -N --name -q --quiet -r --recursive -v --verbose --fast --best --rsyncable
        values: -S --suffix
        form: filters its input
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        flags: -c --stdout --to-stdout -d --decompress --uncompress -f --force -k --keep -n --no-name -q --quiet
        flags: -v --verbose --fast --best --rsyncable
        operands: none
    """,
    "gunzip": """
        same as gzip
    """,
    "pigz": """
        Compresses files.
        help: -h -L -V
        form: prints, lists or tests
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        needs: -c --stdout -l --list -t --test | replaces the files that are named
        flags: -c --stdout -l --list -t --test -d --decompress -f --force -k --keep -n --no-name -q --quiet -v --verbose
        form: filters its input
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        flags: -c --stdout -d --decompress -k --keep -n --no-name -q --quiet -v --verbose
        operands: none
    """,
    "unpigz": """
        same as pigz
    """,
    "zcat": """
        Prints compressed files.
        any
    """,
    "gzcat": """
        Prints compressed files.
        any
    """,
    "uncompress": """
        Unpacks files. BSD's ends its options at the first operand.
        stops
        needs: -c | replaces the files that are named
        flags: -c -f -v
    """,
    "compress": """
        praxic | replaces files by compressed ones
    """,
    "bzip2": """
        Compresses files.
        help: -h -L -V
        form: prints
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        needs: -c --stdout | replaces the files that are named
        flags: -c --stdout -d --decompress -z --compress -k --keep -q --quiet -v --verbose -s --small --fast --best
        form: tests
        needs: -t --test | replaces the files that are named
        flags: -t --test -k --keep -q --quiet -v --verbose -s --small
        form: filters its input
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        flags: -d --decompress -z --compress -q --quiet -v --verbose -s --small --fast --best
        operands: none
    """,
    "bunzip2": """
        same as bzip2
    """,
    "bzcat": """
        Prints compressed files.
        flags: -s --small -q --quiet -v --verbose -k --keep
    """,
    "xz": """
        Compresses files.
        help: -h -H -V --long-help
        form: prints
        flags: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9
        needs: -c --stdout --to-stdout | replaces the files that are named
        flags: -c --stdout --to-stdout -d --decompress --uncompress -z --compress -k --keep -f --force -q --quiet
        flags: -v --verbose -Q --no-warn -e --extreme --single-stream --no-adjust --robot
        values: -T --threads -M --memlimit -F --format -C --check
        form: lists
        needs: -l --list | replaces the files that are named
        flags: -l --list -q --quiet -v --verbose -Q --no-warn --robot
        form: tests
        needs: -t --test | replaces the files that are named
        flags: -t --test -k --keep -q --quiet -v --verbose -Q --no-warn
        values: -T --threads
        form: filters its input
        flags: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9
        flags: -d --decompress --uncompress -z --compress -k --keep -q --quiet -v --verbose -Q --no-warn -e --extreme
        values: -T --threads -F --format
        operands: none
    """,
    "unxz": """
        same as xz
    """,
    "lzma": """
        same as xz
    """,
    "unlzma": """
        same as xz
    """,
    "xzcat": """
        Prints compressed files.
        flags: -d --decompress -k --keep -f --force -q --quiet -v --verbose -Q --no-warn
        values: -T --threads -M --memlimit -F --format
    """,
    "lzcat": """
        same as xzcat
    """,
    "zstd": """
        Compresses files.
        help: -h -H -V
        form: prints
        numbers
        needs: -c --stdout | writes a file beside each file that is named
        flags: -c --stdout -d --decompress --uncompress -z --compress -k --keep -f --force -q --quiet -v --verbose
        flags: --no-progress --progress --ultra --check --no-check
        optional: -T --fast --long -M --memory --format --threads
        form: lists
        needs: -l --list | writes a file beside each file that is named
        flags: -l --list -q --quiet -v --verbose
        form: tests
        needs: -t --test | writes a file beside each file that is named
        flags: -t --test -q --quiet -v --verbose --no-progress
        optional: --long -M --memory
        form: filters its input
        numbers
        flags: -d --decompress --uncompress -z --compress -q --quiet -v --verbose --no-progress --ultra
        optional: -T --fast --long --format
        operands: none
    """,
    "unzstd": """
        same as zstd
    """,
    "zstdmt": """
        same as zstd
    """,
    "zstdcat": """
        Prints compressed files.
        flags: -d --decompress -f --force -q --quiet -v --verbose --no-progress
        optional: -T --long -M --memory
    """,
    "lz4": """
        Compresses files; the second operand is the file it writes.
        help: -h -H -V
        form: prints
        flags: -1 -2 -3 -4 -5 -6 -7 -8 -9
        needs: -c --stdout | writes a file
        flags: -c --stdout -d --decompress -z --compress -k --keep -q --quiet -v --verbose
        operands: read
        form: tests
        needs: -t --test | writes a file
        flags: -t --test -q --quiet -v --verbose
        operands: read
    """,
    "unlz4": """
        same as lz4
    """,
    "lz4cat": """
        Prints compressed files.
        flags: -q --quiet -v --verbose
        operands: read
    """,
    "brotli": """
        Compresses files.
        needs: -c --stdout -t --test | writes a file beside each file that is named
        flags: -c --stdout -t --test -d --decompress -k --keep -v --verbose
        praxic: -o --output -j --rm | writes or removes a file
        help: -h -V
    """,
    "7z": """
        Packs and unpacks archives.
        subcommands
        long
        flags: -ba -bd -slt
    """,
    "7z l": """
        Lists an archive. `-o` makes the folder that it names, even where nothing is unpacked.
        flags: -a -b -d -l -n -r -s -u -y -0 -1 -2 -3
        optional: -c -i -p -t -x
    """,
    "7z t": """
        same as 7z l
    """,
    "7z i": """
        Lists the formats it knows.
        operands: none
    """,
    "7za": """
        Packs and unpacks archives.
        subcommands
        long
        flags: -ba -bd -slt
    """,
    "7za l": """
        same as 7z l
    """,
    "7za t": """
        same as 7z l
    """,
    "7zz": """
        Packs and unpacks archives.
        subcommands
        long
        flags: -ba -bd -slt
    """,
    "7zz l": """
        same as 7z l
    """,
    "7zz t": """
        same as 7z l
    """,
    "unrar": """
        Unpacks archives.
        subcommands
    """,
    "unrar l": """
        Lists an archive.
        operands: read...
    """,
    "unrar lb": """
        Lists an archive.
        operands: read...
    """,
    "unrar t": """
        Tests an archive.
        operands: read...
    """,
    "unar": """
        praxic | unpacks an archive
    """,
    "lsar": """
        Lists an archive.
        any
    """,
    # --- binaries
    "nm": """
        Lists the symbols of binaries. The judge refuses an operand with an `@` (a file of options).
        flags: -a --debug-syms -A --print-file-name -B --no-demangle --recurse-limit --no-recurse-limit -D --dynamic
        flags: -g --extern-only -j --just-symbols -l --line-numbers -m -n --numeric-sort -o -p --no-sort
        flags: -P --portability -r --reverse-sort -S --print-size -s --print-armap --quiet --size-sort --special-syms
        flags: --synthetic -u --undefined-only -U --defined-only -W --no-weak --with-symbol-versions
        optional: -C --demangle --unicode
        values: -f --format -t --radix --target
        praxic: --plugin | loads code
        help: -h -V
        code: plain
    """,
    "objdump": """
        Shows what is inside binaries. LLVM's writes files with `--offloading`.
        flags: -a --archive-headers -f --file-headers -p --private-headers -h --headers --section-headers -x
        flags: --all-headers -d -D --disassemble-all -S -s --full-contents -g --debugging -e
        flags: --debugging-tags -G --stabs -l --line-numbers -t --syms -T --dynamic-syms -r --reloc -R --dynamic-reloc
        flags: -z --disassemble-zeroes -w --wide -i --info -F --file-offsets --no-addresses --no-show-raw-insn
        flags: --show-raw-insn --prefix-addresses --special-syms --inlines --process-links
        flags: --print-imm-hex --no-leading-addr --no-leading-headers --symbolize-operands --unwind-info --macho
        flags: --exports-trie --bind --lazy-bind --weak-bind --rebase --dylibs-used --dylib-id --indirect-symbols
        flags: --function-starts --private-header --universal-headers --all --fault-map-section --raw-clang-ast
        optional: --disassemble --source --dwarf -W -C --demangle --source-comment --disassembler-color
        optional: --visualize-jumps --ctf --sframe -L --unicode
        values: -b --target -m --architecture -M --disassembler-options -j --section --start-address --stop-address
        values: --adjust-vma --insn-width --prefix --prefix-strip --dwarf-depth --dwarf-start -P --private -I
        values: --include --arch-name --triple --mcpu --mattr --disassemble-symbols --x86-asm-syntax
        help: -v -V -H
    """,
    "readelf": """
        Shows what is inside binaries.
        any
    """,
    "size": """
        Shows the sizes of the parts of binaries.
        any
    """,
    "addr2line": """
        Tells the source lines of addresses.
        any
    """,
    "c++filt": """
        Prints symbols in readable form.
        any
    """,
    "otool": """
        Shows what is inside binaries.
        any
    """,
    "dwarfdump": """
        Shows debugging information.
        code: plain
        flags: -a --all -v --verbose
        optional: --debug-info --debug-line
        praxic: -o --out-file | writes a file
    """,
    "lipo": """
        Shows the architectures of binaries.
        long
        needs: -info -archs -detailed_info | makes a binary
        flags: -info -archs -detailed_info
    """,
    "ldd": """
        Lists the libraries a program uses; it may run the program to find out.
        flags: -v --verbose -u --unused -d --data-relocs -r --function-relocs
        code: ldd
    """,
    "patchelf": """
        Shows and changes what is inside binaries.
        long
        needs: --print-rpath --print-needed --print-interpreter --print-soname | changes the binary
        flags: --print-rpath --print-needed --print-interpreter --print-soname
        operands: read
    """,
    # --- media and documents
    "exiftool": """
        Shows and changes the metadata of files. The names of tags are not listed: `-TAG=VALUE` writes.
        long
        flags: -s -S -G -G1 -a -u -n -T -t -q -b -s2 -s3 -g -g1 -e -l -j -json -csv -X -xmlFormat -r -ee -fast -fast2 -U
        flags: -all -All -Make -Model -DateTimeOriginal -CreateDate -ModifyDate -FileModifyDate -ImageSize -ImageWidth
        flags: -ImageHeight -Orientation -GPSPosition -GPSLatitude -GPSLongitude -FileType -MIMEType -FileSize
        flags: -Duration -Title -Author -Creator -Software -Comment -Copyright -LensModel -ISO -ColorSpace
        praxic: -w -W -o -if -p -config -@ -execute -stay_open -tagsFromFile | writes, or runs Perl
        praxic: -overwrite_original -delete_original -restore_original | changes files
        help: -ver
        code: plain
    """,
    "identify": """
        Shows the size and format of pictures. The judge wants plain names of pictures.
        long
        flags: -verbose -ping -quiet
        values: -format
        help: -version -help
        code: image
    """,
    "magick": """
        Changes pictures.
        subcommands
        help: -version -help
    """,
    "magick identify": """
        same as identify
    """,
    "convert": """
        praxic | writes a picture
        help: -version -help
    """,
    "mogrify": """
        praxic | changes pictures in place
        help: -version -help
    """,
    "montage": """
        praxic | writes a picture
    """,
    "composite": """
        praxic | writes a picture
    """,
    "compare": """
        praxic | writes a picture
    """,
    "sips": """
        praxic | can change pictures
    """,
    "ffprobe": """
        Shows what is inside media files.
        long
        flags: -hide_banner -show_format -show_streams -show_packets -show_frames -show_chapters -show_programs
        flags: -show_error -show_data -show_private_data -show_pixel_formats -count_frames -count_packets -pretty -unit
        flags: -prefix -byte_binary_prefix -sexagesimal -bitexact -private
        values: -v -loglevel -of -print_format -output_format -select_streams -show_entries -i -read_intervals
        values: -analyzeduration -probesize
        praxic: -o -report | writes a file
        praxic: -f | another format can be a graph of filters, which can write files
        help: -version -h -formats -codecs -decoders -encoders -protocols -filters
        code: plain
    """,
    "ffmpeg": """
        Converts media files; with no output named it only tells about its input.
        long
        flags: -hide_banner -formats -codecs -decoders -encoders -protocols -filters -muxers -demuxers -pix_fmts
        flags: -hwaccels -devices -bsfs -layouts -sample_fmts -buildconf
        values: -i
        operands: none
        help: -version -h -buildconf -formats -codecs -decoders -encoders -protocols -filters -muxers -demuxers
        help: -pix_fmts -hwaccels -devices -bsfs -layouts -colors -sample_fmts
    """,
    "ffplay": """
        praxic | plays media
        help: -version -h
    """,
    "mediainfo": """
        Shows what is inside media files.
        flags: -f --Full
        optional: --Output --Inform --Language
        praxic: --LogFile | writes a file
        help: -h --Help --Version
    """,
    "sox": """
        praxic | writes sound, and can run programs
        help: -h
    """,
    "soxi": """
        Shows what is inside sound files.
        flags: -t -r -c -s -d -D -b -B -p -e -a -T -V
        code: plain
    """,
    "play": """
        praxic | plays sound
    """,
    "rec": """
        praxic | records sound
    """,
    "pdfinfo": """
        Shows what is known of a PDF.
        any
    """,
    "pdffonts": """
        Lists the fonts of a PDF.
        any
    """,
    "pdftotext": """
        Prints the text of a PDF, if its second operand is `-`; else writes a file. The judge looks at the operands.
        long
        flags: -layout -raw -nodiag -htmlmeta -bbox -bbox-layout -tsv -cropbox -nopgbrk -q
        values: -fixed -f -l -r -x -y -W -H -enc -eol -opw -upw -colspacing
        help: -v -h -help -listenc
        code: pdftotext
    """,
    "pdfimages": """
        Lists the pictures of a PDF, or writes them into files.
        long
        needs: -list | writes the pictures into files
        flags: -list -q
        values: -f -l -opw -upw
        operands: read
        help: -v -h
    """,
    "pdftoppm": """
        Makes pictures of the pages of a PDF; the second operand is the root of the files it writes.
        long
        flags: -o -e -singlefile -cropbox -hide-annotations -mono -gray -png -jpeg -tiff -q -progress
        values: -f -l -r -rx -ry -scale-to -scale-to-x -scale-to-y -x -y -W -H -sz -opw -upw
        operands: read written
        help: -v -h
    """,
    "pdftocairo": """
        praxic | writes files
        help: -v -h
    """,
    "pdftohtml": """
        praxic | writes files
        help: -v -h
    """,
    "pdfseparate": """
        praxic | writes files
    """,
    "pdfunite": """
        praxic | writes a file
    """,
    "pdfdetach": """
        Lists the attachments of a PDF, or writes them into files.
        long
        needs: -list | writes the attachments into files
        flags: -list
        operands: read
    """,
    "pdfgrep": """
        Searches the text of PDF files.
        flags: -i --ignore-case -F --fixed-strings -P --perl-regexp -H --with-filename -h --no-filename -n --page-number
        flags: -c --count -p --page-count -l --files-with-matches -L --files-without-match -Z --null -o --only-matching
        flags: -q --quiet -r --recursive -R --dereference-recursive --unac --warn-empty
        optional: --color
        values: -e --regexp -f --file -A --after-context -B --before-context -C --context -m --max-count --page-range
        values: --exclude --include --match-prefix-separator --password
        help: -V
    """,
    "qpdf": """
        Shows and changes PDF files.
        long
        needs: --check --show-npages --show-encryption --json --is-encrypted | writes a PDF
        flags: --check --show-npages --show-encryption --json --is-encrypted
        operands: read
        code: plain
    """,
    "pandoc": """
        Converts documents. The judge wants plain names of formats (a Lua script as a format is run).
        flags: -s --standalone --toc --table-of-contents -N --number-sections --reference-links --strip-comments
        flags: --preserve-tabs --no-highlight --quiet --verbose --trace --sandbox
        optional: --list-extensions
        flags: --list-input-formats --list-output-formats --list-highlight-languages --list-highlight-styles
        values: -f -r --from --read -t -w --to --write --wrap --columns --shift-heading-level-by -M --metadata
        values: --tab-stop --track-changes --markdown-headings --toc-depth --eol
        writes: -o --output | puts its result into the file that is named
        praxic: -F --filter -L --lua-filter | runs a filter
        praxic: --pdf-engine --pdf-engine-opt | runs the program that is named
        praxic: --extract-media --log | writes files
        praxic: -d --defaults --data-dir --template | believes another configuration
        dash
        help: -h -v
        code: pandoc
    """,
    "textutil": """
        praxic | converts documents
    """,
    "ctags": """
        Writes a file of tags; with -x it prints them.
        form: prints them
        needs: -x | writes a file of tags; -x prints them
        flags: -x -R --recurse -u -V --verbose --sort=no
        optional: --c-kinds --c++-kinds --python-kinds --languages --language-force --kinds-all --fields --extras --sort
        optional: --exclude
        values: --options
        obeys: .ctags .ctags.d ctags.d
        overrides: --options=NONE
        code: ctags
        form: writes them
        praxic | writes a file of tags; -x prints them
    """,
    "etags": """
        praxic | writes a file of tags
    """,
    "readtags": """
        Looks into a file of tags.
        flags: -e --extension-fields -i --icase-match -p --prefix-match -n --line-number -l --list -D --list-pseudo-tags
        values: -t --tag-file
    """,
    "fdupes": """
        Finds files that are the same.
        flags: -r --recurse -s --symlinks -H --hardlinks -n --noempty -A --nohidden -f --omitfirst -1 --sameline
        flags: -S --size -t --time -m --summarize -q --quiet -p --permissions -i --reverse
        values: -G --minsize -o --order
        weighty: -d --delete -I --immediate -N --noprompt | removes files
        praxic: -l --log -c --cache -D --deferconfirmation | writes a file
        help: -h -v
    """,
    "jdupes": """
        Finds files that are the same.
        flags: -r --recurse -S --size -m --summarize -q --quiet -f --omitfirst -j --json
        weighty: -d --delete -N --noprompt -L --linkhard -l --linksoft -B --dedupe | removes or links files
        help: -h -v
    """,
    "rdfind": """
        praxic | writes its results into a file, and can remove files
    """,
    "patch": """
        Applies a patch.
        needs: --dry-run | changes files
        flags: --dry-run -N --forward -R --reverse -s --quiet --silent -l --ignore-whitespace -t --batch -f --force
        flags: -u --unified -c --context -E --remove-empty-files --verbose --binary
        values: -p --strip -i --input -F --fuzz -d --directory
        praxic: -o --output -r --reject-file -e --ed -g --get | writes a file or runs a program
        help: -v
    """,
    # --- watching
    "entr": """
        Runs a command when files change.
        stops
        flags: -a -c -d -n -p -r -z
        praxic: -s | runs its words through a shell
        operands: command
    """,
    "inotifywait": """
        Waits for changes of files.
        flags: -m --monitor -P --no-dereference -r --recursive -q --quiet -c --csv --no-newline -I --inotify
        values: --fromfile --exclude --excludei --include --includei -t --timeout -e --event --timefmt --format
        praxic: -d --daemon | goes on running
        praxic: -o --outfile -s --syslog | writes what it sees
        help: -h
    """,
    "inotifywatch": """
        Counts changes of files.
        flags: -v --verbose -r --recursive -P --no-dereference -z --zero
        values: --fromfile --exclude --excludei --include --includei -t --timeout -e --event
        help: -h
    """,
    "fswatch": """
        Waits for changes of files.
        flags: -1 --one-event -r --recursive -x --event-flags -0 --print0 -n --numeric -t --timestamp -E --extended
        values: -e --exclude -i --include -l --latency
        help: -h
    """,
    "fzf": """
        Filters lines; with no filter it is interactive.
        needs: -f --filter | is interactive
        long
        flags: -e --exact -i -x --extended --no-sort --tac --ansi --read0 --print0 --literal
        values: -f --filter -n --nth -d --delimiter --with-nth --tiebreak --scheme --algo
        praxic: --preview --bind --listen --become | runs the program that is named
        operands: none
    """,
    # --- editors and openers
    "vim": """
        praxic | is an editor
        help: -h
    """,
    "vi": """
        praxic | is an editor
    """,
    "view": """
        praxic | is an editor
    """,
    "vimdiff": """
        praxic | is an editor
    """,
    "nvim": """
        praxic | is an editor
        help: -h -v
    """,
    "gvim": """
        praxic | is an editor
    """,
    "nano": """
        praxic | is an editor
        help: -h -V
    """,
    "pico": """
        praxic | is an editor
    """,
    "micro": """
        praxic | is an editor
        help: -version
    """,
    "hx": """
        praxic | is an editor
        help: -h -V
    """,
    "helix": """
        praxic | is an editor
        help: -h -V
    """,
    "kak": """
        praxic | is an editor
        help: -version
    """,
    "emacs": """
        praxic | is an editor
    """,
    "emacsclient": """
        praxic | is an editor
    """,
    "ed": """
        praxic | is an editor
    """,
    "ex": """
        praxic | is an editor
    """,
    "joe": """
        praxic | is an editor
    """,
    "gedit": """
        praxic | is an editor
    """,
    "kate": """
        praxic | is an editor
    """,
    "subl": """
        praxic | is an editor
        help: -h -v
    """,
    "zed": """
        praxic | is an editor
        help: -h -v
    """,
    "code": """
        Opens an editor, and manages its extensions.
        needs: --list-extensions | opens an editor
        flags: --list-extensions --show-versions
        operands: none
        help: -h -v
    """,
    "code-insiders": """
        same as code
    """,
    "codium": """
        same as code
    """,
    "cursor": """
        same as code
    """,
    "windsurf": """
        same as code
    """,
    "idea": """
        praxic | opens an editor
    """,
    "pycharm": """
        praxic | opens an editor
    """,
    "vipe": """
        praxic | opens an editor
    """,
    "open": """
        praxic | opens a file in another program
    """,
    "xdg-open": """
        praxic | opens a file in another program
    """,
    "gio": """
        praxic | opens, moves or removes files
        help: version help
    """,
    "start": """
        praxic | opens a file in another program
    """,
    "see": """
        praxic | opens a file in another program
    """,
    "wslview": """
        praxic | opens a file in another program
    """,
    **{
        f"{machine}-{tool}": f"same as {tool}"
        for machine in (
            *("arm-none-eabi", "arm-linux-gnueabihf", "aarch64-linux-gnu", "aarch64-none-elf", "riscv64-unknown-elf"),
            *("riscv32-esp-elf", "xtensa-esp32-elf", "xtensa-esp32s3-elf", "x86_64-w64-mingw32", "avr"),
        )
        for tool in ("nm", "objdump", "readelf", "size", "addr2line", "strings")
    },
}
