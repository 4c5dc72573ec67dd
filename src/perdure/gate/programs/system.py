"""Cards of programs for processes, users, hardware, disks, services of the machine, terminals, keys and certificates,
and of wrappers that run another command.

Most of these programs either print the state of the system or change it (mount, kill, useradd, shutdown). Where one
program does both, its card lists the words that only read.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---- small things ---------------------------------------------------------------------------------------------
    "which": """
        Tells where programs are.
        idle
        any
    """,
    "whereis": """
        Tells where programs, their sources and manuals are.
        idle
        any
    """,
    "sleep": """
        Waits.
        idle
        any
    """,
    "true": """
        Does nothing, well.
        idle
        any
    """,
    "false": """
        Does nothing, badly.
        idle
        any
    """,
    "[": """
        same as test
    """,
    "pwd": """
        Prints the working folder.
        idle
        any
    """,
    "ldconfig": """
        Keeps the linker's cache.
        needs: -p --print-cache | rebuilds the linker's cache
        flags: -p --print-cache
        operands: none
    """,
    "test": """
        Tests a condition. By its bare name it is the shell's own, which is judged elsewhere.
        idle
        any
    """,
    # ---- processes ----------------------------------------------------------------------------------------------
    "ps": """
        Lists processes.
        any
    """,
    "pgrep": """
        Lists the numbers of processes by name; unlike pkill it signals none.
        any
    """,
    "pidof": """
        Lists the numbers of the processes of a program.
        flags: -s -c -n -q -x -z -h -V --single-shot --check-root --quiet --with-workers
        values: -o --omit-pid -S -d --separator
    """,
    "pstree": """
        Shows the tree of processes.
        any
    """,
    "pwdx": """
        Prints the working folder of processes.
        any
    """,
    "prtstat": """
        Prints the statistics of a process.
        any
    """,
    "pmap": """
        Prints the memory map of a process.
        flags: -x --extended -d --device -q --quiet -X -p --show-path
        values: -A --range
        praxic: -n --create-rc -N --create-rc-to | writes a configuration file
        praxic: -c --read-rc -C --read-rc-from | believes a configuration file
    """,
    "top": """
        Shows the running processes; only its batch mode, which takes no keys, is known to look.
        form: procps, batch mode
        flags: -b --batch -c --cmdline-toggle -H --threads-show -i --idle-toggle -S --accum-time-toggle
        flags: -s --secure-mode -O --list-fields -1 --single-cpu-toggle
        optional: -w --width
        values: -d --delay -E --scale-summary-mem -e --scale-task-mem -n --iterations -o --sort-override
        values: -p --pid -U --filter-any-user -u --filter-only-euser
        operands: read
        needs: -b --batch -O --list-fields | the interactive display can kill processes and write its configuration
        form: macOS, logging mode
        long
        flags: -a -d -e -F -f -R -r -S -u
        values: -l -n -o -O -s -i -c -pid -stats -user -U -ncols
        operands: none
        needs: -l | the interactive display can kill processes
    """,
    "htop": """
        praxic | an interactive display that can kill processes and writes its own configuration
        help: -h -V
    """,
    "btop": """
        praxic | an interactive display that can kill processes and writes its own configuration
        help: -h -v
    """,
    "atop": """
        praxic | an interactive display that can kill processes and write raw logs
        help: -h -V
    """,
    "glances": """
        praxic | an interactive display and server that runs the actions of its configuration
        help: -h -V
    """,
    "free": """
        Prints the memory in use.
        any
    """,
    "vmstat": """
        Prints memory, swap and processor statistics.
        any
    """,
    "vm_stat": """
        Prints the virtual memory statistics of macOS.
        any
    """,
    "iostat": """
        Prints disk and processor statistics.
        any
    """,
    "mpstat": """
        Prints processor statistics.
        any
    """,
    "pidstat": """
        Prints statistics of processes.
        flags: -d -H -h --human -I -l -R -r -s -t -u -V -v -w
        values: -C -G -p -T
        optional: --dec -U
        praxic: -e | runs the program that is named
    """,
    "sar": """
        Prints the system's recorded activity.
        flags: -A -B -b -C -D -d -H -h --human -p --pretty -S -t -V -v -W -w -y -z --sadc
        optional: -e -F -f -I -q -r -s -u --dec --dev --fs --iface --int
        values: -i -j -m -n -P
        praxic: -o | records what it sees in a file
    """,
    "slabtop": """
        Shows the kernel's slab caches.
        any
    """,
    "uptime": """
        Prints how long the system has run.
        idle
        any
    """,
    "numastat": """
        Prints memory statistics of NUMA nodes.
        any
    """,
    "lsof": """
        Lists open files and sockets.
        flags: -? -h -a -b -C -l -n -N -O -P -Q -R -t -U -v -V -w -X -E -M
        values: -c -d -e -p -u
        optional: -f -F -g -i -K -L -o -r -s -S -T -x -z -Z
        praxic: -D | may write the device cache file
    """,
    "fuser": """
        Lists the processes that use a file or a socket.
        flags: -a --all -c -f -I --inode -l --list-signals -m --mount -M --ismountpoint -s --silent -u --user -v
        flags: --verbose
        flags: -4 --ipv4 -6 --ipv6 -V
        values: -n --namespace
        praxic: -k --kill | kills the processes it finds
        praxic: -i --interactive -w | asks whether to kill
    """,
    "lsfd": """
        Lists file descriptors of processes.
        any
    """,
    "kill": """
        Signals processes.
        form: lists the names of signals
        flags: -l -L --list --table
        needs: -l -L --list --table | sends a signal to the processes named
        form: asks whether a process lives
        flags: -0
        needs: -0 | sends a signal to the processes named
    """,
    "pkill": """
        praxic | sends a signal to the processes it finds
        help: -h -V
    """,
    "killall": """
        praxic | sends a signal to the processes it finds
        help: -l -V
    """,
    "skill": """
        praxic | sends a signal to processes
    """,
    "xkill": """
        praxic | closes the window that is picked
    """,
    "renice": """
        praxic | changes the priority of running processes
        help: -h -V
    """,
    "pidwait": """
        Waits for processes to end.
        any
    """,
    "strace": """
        praxic | runs a program or attaches to one, and may write the trace to a file
        help: -h -V
    """,
    "ltrace": """
        praxic | runs a program or attaches to one
        help: -h -V
    """,
    "dtruss": """
        praxic | runs a program or attaches to one
    """,
    "dtrace": """
        praxic | runs a program and tracing actions
    """,
    "bpftrace": """
        praxic | runs a tracing program in the kernel
    """,
    "gdb": """
        praxic | a debugger runs and changes programs and executes commands
        help: -h -v
    """,
    "lldb": """
        praxic | a debugger runs and changes programs and executes commands
        help: -h -v
    """,
    "perf": """
        Measures programs: runs them, and writes what it records.
        subcommands
        help: -h -v
    """,
    "perf list": """
        Lists what can be measured.
        flags: -v --long-desc --no-desc --details -d --deprecated
    """,
    "valgrind": """
        praxic | runs the program that is named
        help: -h
    """,
    "prlimit": """
        Prints the limits of a process; with a value it sets them, with a command it runs it.
        flags: --noheadings --raw --verbose
        values: -p --pid -o --output
        operands: none
        help: -h -V
    """,
    "gcore": """
        praxic | writes a core file
    """,
    # ---- users and sessions -------------------------------------------------------------------------------------
    "w": """
        Shows who is logged in and what they do.
        idle
        any
    """,
    "who": """
        Shows who is logged in.
        idle
        any
    """,
    "whoami": """
        Prints the user's name.
        idle
        any
    """,
    "users": """
        Prints the names of those logged in.
        idle
        any
    """,
    "logname": """
        Prints the login name.
        idle
        any
    """,
    "id": """
        Prints user and group numbers.
        idle
        any
    """,
    "groups": """
        Prints the groups of users.
        idle
        any
    """,
    "last": """
        Lists the last logins.
        any
    """,
    "lastb": """
        Lists the last failed logins.
        any
    """,
    "lastlog": """
        Lists each user's last login.
        values: -b --before -t --time -u --user
        praxic: -C --clear -S --set | changes the record of a user's last login
        praxic: -R --root | works in another root
    """,
    "lslogins": """
        Lists what is known about users.
        any
    """,
    "finger": """
        Prints what is known about a user.
        flags: -s -l -m -p -g -h -o -M
    """,
    "chage": """
        Password ages.
        flags: -l --list -i --iso8601
        needs: -l --list | changes when a password expires
    """,
    "getent": """
        Looks names up in the system's databases.
        flags: -i --no-idn -A --no-addrconfig
        praxic: -s --service | loads the name-service library that is named
        help: -? --usage -V
    """,
    "loginctl": """
        Sessions, users and seats of systemd.
        subcommands
        alone
        flags: --no-pager --no-legend -a --all -l --full --value -j
        values: -p --property -P -n --lines -o --output --json
        help: -h
    """,
    "loginctl list-sessions": """
        Lists sessions.
        flags: --no-pager --no-legend -a --all -l --full --value -j
        values: -p --property -P -n --lines -o --output --json
    """,
    "loginctl list-users": "same as loginctl list-sessions",
    "loginctl list-seats": "same as loginctl list-sessions",
    "loginctl session-status": "same as loginctl list-sessions",
    "loginctl user-status": "same as loginctl list-sessions",
    "loginctl seat-status": "same as loginctl list-sessions",
    "loginctl show-session": "same as loginctl list-sessions",
    "loginctl show-user": "same as loginctl list-sessions",
    "loginctl show-seat": "same as loginctl list-sessions",
    "su": """
        praxic | runs a shell or a command as another user
        help: -h -V
    """,
    "sudo": """
        praxic | runs a command as another user
        help: -h -V
    """,
    "sudoedit": """
        praxic | edits files as another user
    """,
    "doas": """
        praxic | runs a command as another user
    """,
    "pkexec": """
        praxic | runs a command as another user
    """,
    "runuser": """
        praxic | runs a command as another user
    """,
    "newgrp": """
        praxic | starts a shell with another group
    """,
    "visudo": """
        praxic | edits who may become another user
    """,
    "useradd": """
        praxic | adds a user
    """,
    "adduser": """
        praxic | adds a user
    """,
    "usermod": """
        praxic | changes a user
    """,
    "userdel": """
        weighty | removes a user
    """,
    "deluser": """
        weighty | removes a user
    """,
    "groupadd": """
        praxic | adds a group
    """,
    "groupmod": """
        praxic | changes a group
    """,
    "groupdel": """
        praxic | removes a group
    """,
    "gpasswd": """
        praxic | changes a group
    """,
    "passwd": """
        praxic | changes a password
    """,
    "chpasswd": """
        praxic | changes passwords
    """,
    "chsh": """
        praxic | changes a login shell
    """,
    "chfn": """
        praxic | changes what is recorded about a user
    """,
    "dscl": """
        praxic | reads and changes the directory service
    """,
    "write": """
        praxic | sends a message to another terminal
    """,
    "wall": """
        praxic | sends a message to all terminals
    """,
    "mesg": """
        praxic | changes who may write to this terminal
    """,
    # ---- what the machine is ------------------------------------------------------------------------------------
    "hostname": """
        Prints the name of the machine.
        idle
        flags: -a --alias -A --all-fqdns -d --domain -f --fqdn --long -i --ip-address -I --all-ip-addresses -s --short
        flags: -y --yp --nis -v --verbose
        operands: none
        praxic: -b --boot -F --file | sets the machine's name
        help: -h -V -?
    """,
    "hostid": """
        Prints the machine's number.
        idle
        any
    """,
    "dnsdomainname": """
        Prints the machine's domain.
        flags: -v
        operands: none
    """,
    "hostnamectl": """
        The machine's name and kind.
        subcommands
        alone
        flags: --no-ask-password --static --transient --pretty -j
        values: --json
        help: -h
    """,
    "hostnamectl status": """
        Prints the machine's name and kind.
        flags: --no-ask-password --static --transient --pretty -j
        values: --json
        operands: none
    """,
    "hostnamectl hostname": "same as hostnamectl status",
    "hostnamectl icon-name": "same as hostnamectl status",
    "hostnamectl chassis": "same as hostnamectl status",
    "hostnamectl deployment": "same as hostnamectl status",
    "hostnamectl location": "same as hostnamectl status",
    "uname": """
        Prints what the system is.
        idle
        any
    """,
    "arch": """
        Prints the processor's kind; on macOS it runs a command for another.
        idle
        form: prints
        operands: none
        form: runs a command (macOS)
        long
        stops
        flags: -x86_64 -arm64 -arm64e -i386 -64 -32
        operands: command
    """,
    "machine": """
        Prints the processor's kind.
        operands: none
    """,
    "nproc": """
        Prints the number of processors.
        idle
        form: prints it
        flags: --all
        optional: --ignore
        operands: none
        prints: integer
        form: everything else
        any
    """,
    "lscpu": """
        Prints what the processors are.
        idle
        any
    """,
    "lsmem": """
        Prints the memory's ranges.
        idle
        any
    """,
    "lsirq": """
        Prints interrupt counters.
        any
    """,
    "lsblk": """
        Lists block devices.
        any
    """,
    "lsusb": """
        Lists USB devices.
        any
    """,
    "usb-devices": """
        Lists USB devices.
        any
    """,
    "lspci": """
        Lists PCI devices.
        flags: -m -t -v -k -x -b -D -P -n
        values: -s -d -i -p -F
        praxic: -q -Q -A -O -M -H -G | asks the network, keeps a cache or touches the hardware
    """,
    "lsmod": """
        Lists kernel modules.
        any
    """,
    "modinfo": """
        Prints what a kernel module is.
        any
    """,
    "modprobe": """
        praxic | loads and removes kernel modules
        help: -h -V
    """,
    "insmod": """
        praxic | loads a kernel module
    """,
    "rmmod": """
        praxic | removes a kernel module
    """,
    "depmod": """
        praxic | writes the list of module dependencies
    """,
    "lshw": """
        Lists the hardware.
        long
        flags: -html -xml -json -short -businfo -quiet -sanitize -numeric -notime
        values: -class -C -c -disable -enable
        writes: -dump | writes what it finds into a database file
        help: -help -version
    """,
    "dmidecode": """
        Prints the firmware's description of the hardware.
        flags: -q --quiet -u --dump --no-sysfs
        values: -s --string -t --type -H --handle --from-dump --oem-string
        writes: --dump-bin | writes the raw table into the file that is named
        help: -h -V
    """,
    "smartctl": """
        Health of disks.
        flags: -i --info -a --all -x --xall --scan --scan-open -H --health -c --capabilities -A --attributes
        optional: --identify -j --json
        values: -q --quietmode -d --device -T --tolerance -b --badsum -n --nocheck -f --format -g --get -P --presets
        praxic: -s --smart --set -o --offlineauto -S --saveauto -t --test -C | changes the disk's settings or tests it
        praxic: --captive -X --abort | changes the disk's settings or tests it
        praxic: -B --drivedb -l --log -F --firmwarebug -v --vendorattribute | reads or resets more than the card knows
        praxic: -r --report | reads or resets more than the card knows
        help: -h -V --usage --copyright --license
    """,
    "sensors": """
        Prints temperatures and voltages.
        flags: -A --no-adapter -u -j -f --fahrenheit
        values: -c --config-file
        praxic: -s --set --bus-list | sets limits of the hardware
        help: -h -v
    """,
    "acpi": """
        Prints battery and thermal state.
        any
    """,
    "nvidia-smi": """
        Graphics processors.
        subcommands
        alone
        long
        flags: -L --list-gpus -B --list-excluded-gpus -q --query -u --unit -x --xml-format --dtd
        values: -i --id -d --display -l --loop -lms --loop-ms
        values: --query-gpu --format --query-compute-apps --query-accounted-apps --query-supported-clocks
        values: --query-retired-pages --query-remapped-rows
        writes: -f --filename | writes its report into the file that is named
        code: dashed_values
        help: -h --help-query-gpu --help-query-compute-apps
    """,
    "nvidia-smi topo": """
        Prints how the processors are joined.
        long
        flags: -m --matrix -mp --matrix_pci
        operands: none
    """,
    "nvidia-smi dmon": """
        Prints device statistics.
        long
        values: -i --id -d --delay -c --count -s --select -o --options
        writes: -f --filename | writes a log
        operands: none
    """,
    "nvidia-smi pmon": "same as nvidia-smi dmon",
    "nvidia-smi nvlink": """
        Prints the state of links.
        long
        flags: -s --status -c --capabilities
        values: -i --id -l --link
        operands: none
        needs: -s --status -c --capabilities | may set or reset counters
    """,
    "nvtop": """
        praxic | an interactive display that can kill processes and write its configuration
        help: -h -v
    """,
    "rocm-smi": """
        Graphics processors of AMD.
        flags: -i --showid -t --showtemp -u --showuse -P --showpower -f --showfan -a --showallinfo --showmeminfo
        flags: --showproductname --showdriverversion --json --csv
        operands: none
        help: -h
    """,
    "uuidgen": """
        Prints a new random number in the form of a UUID. FreeBSD's `-o` writes it into a file.
        idle
        flags: -r --random -t --time -m --md5 -s --sha1 -x --hex -c -1 -6 -7 --time-v6 --time-v7 -h -d
        values: -n --namespace -N --name -C --count
        operands: none
        code: dashed_values
        help: -V
    """,
    "hwclock": """
        The hardware clock.
        flags: -r --show --get -v --verbose -D -u --utc -l --localtime
        operands: none
        needs: -r --show --get | sets a clock
    """,
    "sw_vers": """
        Prints the version of macOS.
        idle
        any
    """,
    "system_profiler": """
        Prints what the Mac is.
        any
    """,
    "getconf": """
        Prints system limits.
        idle
        flags: -a
        praxic: -v | runs the program of the specification named
    """,
    "printenv": """
        Prints variables of the environment.
        idle
        any
    """,
    "locale": """
        Prints the settings of language and country.
        idle
        any
    """,
    "localectl": """
        Language and keyboard of the system.
        subcommands
        alone
        flags: --no-pager --no-ask-password -l --full
        help: -h
    """,
    "localectl status": """
        Prints the settings.
        flags: --no-pager --no-ask-password -l --full
    """,
    "localectl list-locales": "same as localectl status",
    "localectl list-keymaps": "same as localectl status",
    "localectl list-x11-keymap-models": "same as localectl status",
    "localectl list-x11-keymap-layouts": "same as localectl status",
    "localectl list-x11-keymap-variants": "same as localectl status",
    "localectl list-x11-keymap-options": "same as localectl status",
    # ---- time ---------------------------------------------------------------------------------------------------
    "date": """
        Prints the date.
        idle
        form: prints
        flags: -u --utc --universal -R --rfc-email --rfc-2822 --debug --resolution
        optional: -I --iso-8601 --rfc-3339
        values: -d --date -r --reference -f --file -v
        operands: plus
        praxic: -s --set | sets the clock
        form: converts a date, never setting the clock (BSD)
        flags: -j -n -u -R
        optional: -I
        values: -f -r -v -z
        needs: -j | sets the clock
    """,
    "gdate": "same as date",
    "cal": """
        Prints a calendar.
        idle
        any
    """,
    "ncal": """
        Prints a calendar.
        idle
        any
    """,
    "zdump": """
        Prints time zones.
        any
    """,
    "timedatectl": """
        Clock and time zone of the system.
        subcommands
        alone
        flags: --no-pager --no-ask-password -a --all --value
        values: -p --property -P
        help: -h
    """,
    "timedatectl status": """
        Prints the settings.
        flags: --no-pager --no-ask-password -a --all --value
        values: -p --property -P
        operands: none
    """,
    "timedatectl show": "same as timedatectl status",
    "timedatectl list-timezones": "same as timedatectl status",
    "timedatectl timesync-status": "same as timedatectl status",
    "timedatectl show-timesync": "same as timedatectl status",
    "tzselect": """
        praxic | asks questions
    """,
    "ntpdate": """
        praxic | sets the clock
    """,
    "chronyc": """
        The time server.
        subcommands
        flags: -n -N -c
        help: -h -v
    """,
    "chronyc tracking": """
        Prints how well the clock is kept.
        operands: none
    """,
    "chronyc sources": """
        Prints the sources of time.
        flags: -v -a
        operands: none
    """,
    # ---- kernel, journal, services ------------------------------------------------------------------------------
    "dmesg": """
        Prints the kernel's messages.
        flags: -d --show-delta -e --reltime -H --human -J --json -k --kernel --noescape -P --nopager -p --force-prefix
        flags: -r --raw -S --syslog -T --ctime -t --notime -u --userspace -w --follow -W --follow-new -x --decode -a
        optional: -L --color
        values: -F --file -f --facility -l --level -s --buffer-size --since --until --time-format
        operands: none
        praxic: -C --clear -c --read-clear | clears the kernel's messages
        praxic: -D --console-off -E --console-on -n --console-level | changes what reaches the console
        help: -h -V
    """,
    "journalctl": """
        Reads the system's journal.
        numbers
        flags: --system --user -m --merge -k --dmesg -r --reverse --show-cursor --utc -x --catalog --no-hostname
        flags: --no-full
        flags: --full -l -a --all -f --follow --no-tail --no-pager -q --quiet -e --pager-end -N --fields --list-boots
        flags: --disk-usage --header --verify --list-catalog --dump-catalog --list-namespaces --truncate-newline
        optional: -b --boot -n --lines --case-sensitive
        values: -S --since -U --until -c --cursor --after-cursor -u --unit --user-unit -t --identifier -T
        values: --exclude-identifier -p --priority --facility -g --grep -o --output --output-fields -D --directory
        values: --file --namespace -F --field --invocation
        writes: --cursor-file | writes the place it read up to
        weighty: --vacuum-size --vacuum-time --vacuum-files | removes old journal files
        praxic: --rotate --flush --sync --relinquish-var --smart-relinquish-var | changes the journal's files
        praxic: --setup-keys --update-catalog --interval --force --verify-key | writes keys or the catalogue
        praxic: -M --machine -H --host --root --image | opens another system
        help: -h
    """,
    "systemctl": """
        The system's services.
        subcommands
        alone
        flags: -a --all -r --recursive --reverse --after --before --with-dependencies -l --full --no-legend --no-pager
        flags: --plain -q --quiet --failed --user --system --global --value --no-ask-password --no-warn --show-types
        flags: --wait
        optional: --legend
        values: -t --type --state -p --property -P -n --lines -o --output --timestamp
        praxic: -H --host -M --machine --root --image | works on another system
        help: -h
    """,
    "systemctl status": """
        Prints the state of units.
        flags: -a --all -r --recursive --reverse --after --before --with-dependencies -l --full --no-legend --no-pager
        flags: --plain -q --quiet --failed --user --system --global --value --no-ask-password --no-warn --show-types
        flags: --wait
        optional: --legend
        values: -t --type --state -p --property -P -n --lines -o --output --timestamp
        praxic: -H --host -M --machine --root --image | works on another system
    """,
    "systemctl show": "same as systemctl status",
    "systemctl cat": "same as systemctl status",
    "systemctl list-units": "same as systemctl status",
    "systemctl list-unit-files": "same as systemctl status",
    "systemctl list-timers": "same as systemctl status",
    "systemctl list-sockets": "same as systemctl status",
    "systemctl list-paths": "same as systemctl status",
    "systemctl list-automounts": "same as systemctl status",
    "systemctl list-dependencies": "same as systemctl status",
    "systemctl list-jobs": "same as systemctl status",
    "systemctl list-machines": "same as systemctl status",
    "systemctl is-active": "same as systemctl status",
    "systemctl is-enabled": "same as systemctl status",
    "systemctl is-failed": "same as systemctl status",
    "systemctl is-system-running": "same as systemctl status",
    "systemctl show-environment": "same as systemctl status",
    "systemctl whoami": "same as systemctl status",
    "systemctl get-default": """
        Prints the target the system starts into.
        flags: --no-pager -q --quiet --user --system
        operands: none
    """,
    "systemd-analyze": """
        How the system started, and what systemd makes of an expression.
        subcommands
        alone
        flags: --no-pager --user --system --global -q --quiet
        help: -h
    """,
    "systemd-analyze time": """
        Prints.
        flags: --no-pager --user --system --global -q --quiet --order --require --no-legend
        optional: --man
        values: --from-pattern --to-pattern --fuzz --json --iterations --base-time --threshold
    """,
    "systemd-analyze blame": "same as systemd-analyze time",
    "systemd-analyze critical-chain": "same as systemd-analyze time",
    "systemd-analyze dump": "same as systemd-analyze time",
    "systemd-analyze plot": "same as systemd-analyze time",
    "systemd-analyze dot": "same as systemd-analyze time",
    "systemd-analyze unit-files": "same as systemd-analyze time",
    "systemd-analyze unit-paths": "same as systemd-analyze time",
    "systemd-analyze exit-status": "same as systemd-analyze time",
    "systemd-analyze capability": "same as systemd-analyze time",
    "systemd-analyze syscall-filter": "same as systemd-analyze time",
    "systemd-analyze calendar": "same as systemd-analyze time",
    "systemd-analyze timestamp": "same as systemd-analyze time",
    "systemd-analyze timespan": "same as systemd-analyze time",
    "systemd-analyze cat-config": "same as systemd-analyze time",
    "systemd-analyze security": "same as systemd-analyze time",
    "systemd-cgls": """
        Lists control groups.
        flags: --no-pager -l --full -a --all -k
        values: -u --unit --user-unit
    """,
    "systemd-detect-virt": """
        Prints what the system runs in.
        any
    """,
    "systemd-path": """
        Prints well-known folders.
        any
    """,
    "systemd-run": """
        praxic | starts a command as a service
    """,
    "systemd-tmpfiles": """
        praxic | creates and removes files
    """,
    "coredumpctl": """
        Core dumps.
        subcommands
        alone
        flags: --no-pager --no-legend -q --quiet -r --reverse -1
        values: -n -S --since -U --until -F --field --json
    """,
    "coredumpctl list": """
        Lists core dumps.
        flags: --no-pager --no-legend -q --quiet -r --reverse -1
        values: -n -S --since -U --until -F --field --json
    """,
    "coredumpctl info": "same as coredumpctl list",
    "busctl": """
        praxic | may call methods of other programs
        help: list
    """,
    "udevadm": """
        Devices.
        subcommands
    """,
    "udevadm info": """
        Prints what is known about a device.
        flags: -r --root -a --attribute-walk -t --tree -x --export -e --export-db --value --no-pager
        values: -q --query --property -p --path -n --name -P --export-prefix -d --device-id-of-file
        praxic: -c --cleanup-db | empties the database
    """,
    "service": """
        Old-style services.
        flags: --status-all
        operands: none
        needs: --status-all | runs the script of the service that is named
    """,
    "rc-service": """
        praxic | runs a service's script
    """,
    "rc-status": """
        Prints the state of services.
        flags: -a --all -l --list -r --runlevel -s --servicelist -u --unused -C --nocolor
    """,
    "sv": """
        praxic | controls services
    """,
    "supervisorctl": """
        Services of supervisord.
        subcommands
        values: -s --serverurl -u --username -p --password
        help: -h
    """,
    "supervisorctl status": "operands: read...\ncode: own_configuration",
    "supervisorctl avail": "operands: none\ncode: own_configuration",
    "supervisorctl pid": "operands: read...\ncode: own_configuration",
    "supervisorctl tail": "numbers\nflags: -f\ncode: own_configuration",
    "supervisorctl version": "operands: none\ncode: own_configuration",
    "launchctl": """
        Services of macOS.
        subcommands
        help: help
    """,
    "launchctl list": """
        Lists services.
        flags: -x
    """,
    "launchctl print": "operands: read",
    "launchctl print-disabled": "operands: read",
    "launchctl print-cache": "operands: none",
    "launchctl blame": "operands: read",
    "launchctl getenv": "operands: read",
    "launchctl managername": "operands: none",
    "launchctl manageruid": "operands: none",
    "launchctl managerpid": "operands: none",
    "launchctl hostinfo": "operands: none",
    "launchctl error": "operands: read...",
    "launchctl version": "operands: none",
    "sysctl": """
        Settings of the kernel.
        flags: -a --all -A -X -n --values -e --ignore -N --names -q --quiet -b --binary --deprecated -d -o -x -i -l -t
        flags: -W -T -h
        values: -r --pattern
        praxic: -w --write | sets the kernel's settings
        praxic: -p --load -f --system | sets the kernel's settings from files
        code: no_equals
        help: -V
    """,
    "shutdown": """
        praxic | stops the machine
    """,
    "reboot": """
        praxic | restarts the machine
    """,
    "halt": """
        praxic | stops the machine
    """,
    "poweroff": """
        praxic | stops the machine
    """,
    "init": """
        praxic | changes the run level
    """,
    "telinit": """
        praxic | changes the run level
    """,
    "runlevel": """
        Prints the run level.
        any
    """,
    "crontab": """
        Jobs that start by the clock.
        flags: -l
        values: -u
        operands: none
        needs: -l | replaces, edits or removes the list of jobs
    """,
    "at": """
        Jobs that start later. BSD's ends its options at the first operand.
        stops
        form: lists jobs
        flags: -l -v
        values: -q -o
        needs: -l | plans a job
        form: prints jobs
        flags: -c
        needs: -c | plans a job
        help: -V
    """,
    "atq": """
        Lists jobs that start later.
        flags: -v
        values: -q -o
        help: -V
    """,
    "atrm": """
        praxic | removes jobs
    """,
    "batch": """
        praxic | plans a job
    """,
    "anacron": """
        praxic | runs jobs
    """,
    # ---- disks --------------------------------------------------------------------------------------------------
    "mount": """
        Lists what is mounted; with a device or a folder it mounts.
        flags: -l --show-labels -v --verbose
        values: -t --types
        operands: none
        help: -h -V
    """,
    "umount": """
        praxic | unmounts a file system
        help: -h -V
    """,
    "findmnt": """
        Lists what is mounted.
        any
    """,
    "mountpoint": """
        Says whether a folder is a mount point.
        any
    """,
    "blkid": """
        Prints what block devices hold.
        flags: -d --no-encoding -D --no-part-details -i --info -k --list-filesystems -l --list-one -p --probe
        values: -H --hint -L --label -n --match-types -o --output -O --offset -s --match-tag -S --size -t --match-token
        values: -u --usages -U --uuid
        writes: -c --cache-file | writes its cache there
        praxic: -g --garbage-collect | rewrites its cache
        help: -h -V
    """,
    "losetup": """
        Loop devices.
        form: lists
        flags: -a --all -l --list -n --noheadings --raw -J --json --output-all
        values: -j --associated -O --output
        operands: read
        form: prints the first free one
        flags: -f --find
        operands: none
        help: -h -V
    """,
    "swapon": """
        Swap space.
        flags: -s --summary --output-all --noheadings --raw --bytes
        optional: --show
        operands: none
        needs: -s --summary --show | takes swap space into use
        help: -h -V
    """,
    "swapoff": """
        praxic | takes swap space out of use
    """,
    "mkswap": """
        weighty | overwrites a device with swap space
    """,
    "zramctl": """
        Compressed memory devices.
        flags: -n --noheadings --output-all --raw
        values: -o --output
        operands: none
    """,
    "fdisk": """
        Partition tables.
        flags: -l --list -x --list-details --bytes
        optional: -L --color
        values: -o --output -b --sector-size -t --type
        needs: -l --list -x --list-details | changes a partition table
        help: -h -V
    """,
    "sfdisk": """
        Partition tables.
        flags: -l --list -d --dump -J --json -F --list-free -g --show-geometry -T --list-types -q --quiet
        values: -o --output
        needs: -l --list -d --dump -J --json -F --list-free -T --list-types | changes a partition table
        help: -h -v
    """,
    "parted": """
        Partition tables.
        flags: -l --list -m --machine -s --script -j --json
        operands: none
        needs: -l --list | changes a partition table
        help: -h -v
    """,
    "gdisk": """
        Partition tables.
        flags: -l
        operands: read
        needs: -l | changes a partition table
    """,
    "cfdisk": """
        weighty | changes a partition table
    """,
    "sgdisk": """
        weighty | changes a partition table
    """,
    "wipefs": """
        weighty | removes the signatures of file systems
    """,
    "mkfs": """
        weighty | overwrites a device with a new file system
    """,
    "mkfs.ext4": """
        weighty | overwrites a device with a new file system
    """,
    "mkfs.xfs": """
        weighty | overwrites a device with a new file system
    """,
    "mkfs.vfat": """
        weighty | overwrites a device with a new file system
    """,
    "mke2fs": """
        weighty | overwrites a device with a new file system
    """,
    "fsck": """
        praxic | repairs a file system
    """,
    "e2fsck": """
        praxic | repairs a file system
    """,
    "tune2fs": """
        praxic | changes a file system's parameters
    """,
    "resize2fs": """
        praxic | changes a file system's size
    """,
    "hdparm": """
        praxic | may change a disk's parameters
    """,
    "blkdiscard": """
        weighty | discards what a device holds
    """,
    "fstrim": """
        praxic | discards unused blocks
    """,
    "cryptsetup": """
        praxic | opens, closes and formats encrypted devices
    """,
    "lvs": """
        Lists logical volumes.
        flags: -a --all -v --verbose --noheadings --segments --nosuffix
        values: -o --options --units -O --sort --separator --reportformat
    """,
    "vgs": "same as lvs",
    "pvs": "same as lvs",
    "lvremove": """
        weighty | removes a logical volume
    """,
    "lvcreate": """
        praxic | creates a logical volume
    """,
    "mdadm": """
        praxic | manages disk arrays
    """,
    "zfs": """
        File systems of ZFS.
        subcommands
        help: -?
    """,
    "zfs list": """
        Lists.
        flags: -r -H -p -j
        values: -d -o -s -S -t
    """,
    "zfs get": """
        Prints properties.
        flags: -r -H -p -j
        values: -d -o -s -t
    """,
    "zpool": """
        Pools of ZFS.
        subcommands
        help: -?
    """,
    "zpool list": """
        Lists pools.
        flags: -g -H -L -P -p -v -j
        values: -o -T
    """,
    "zpool status": """
        Prints the state of pools.
        flags: -D -e -g -i -j -L -p -P -s -t -v -x
        values: -T
    """,
    "btrfs": """
        praxic | manages file systems
    """,
    "diskutil": """
        Disks of macOS.
        subcommands
    """,
    "diskutil list": """
        Lists disks.
        flags: -plist
        long
    """,
    "diskutil info": """
        Prints what a disk is.
        flags: -plist -all
        long
    """,
    "diskutil listFilesystems": "same as diskutil list",
    "diskutil apfs": "subcommands",
    "diskutil apfs list": "same as diskutil list",
    "diskutil apfs listUsers": "same as diskutil list",
    "diskutil apfs listSnapshots": "same as diskutil list",
    "hdiutil": """
        Disk images of macOS.
        subcommands
        help: help
    """,
    "hdiutil info": """
        Lists the images that are mounted.
        long
        flags: -plist
        operands: none
    """,
    "tmutil": """
        Backups of macOS.
        subcommands
        help: help version
    """,
    "tmutil listbackups": "flags: -m -t\noperands: none",
    "tmutil latestbackup": "flags: -m -t\noperands: none",
    "tmutil listlocalsnapshots": "operands: read",
    "tmutil status": "operands: none",
    "tmutil destinationinfo": "flags: -X\noperands: none",
    "tmutil isexcluded": "flags: -X",
    # ---- inter-process state, locks, namespaces -----------------------------------------------------------------
    "ipcs": """
        Lists shared memory, queues and semaphores.
        any
    """,
    "ipcrm": """
        praxic | removes shared memory, queues and semaphores
    """,
    "ipcmk": """
        praxic | creates shared memory, queues and semaphores
    """,
    "lsipc": """
        Lists shared memory, queues and semaphores.
        any
    """,
    "lslocks": """
        Lists file locks.
        any
    """,
    "lsns": """
        Lists namespaces.
        any
    """,
    "namei": """
        Follows a path step by step.
        any
    """,
    "nsenter": """
        praxic | runs a program in other namespaces
        help: -h -V
    """,
    "unshare": """
        praxic | runs a program in new namespaces
        help: -h -V
    """,
    "chroot": """
        praxic | runs a program in another root
    """,
    "bwrap": """
        praxic | runs a program in a sandbox
    """,
    "firejail": """
        praxic | runs a program in a sandbox
    """,
    # ---- settings, clipboard and automation of desktops ---------------------------------------------------------
    "mdfind": """
        Finds files by the index of macOS.
        any
    """,
    "mdls": """
        Prints the metadata of files.
        long
        dash
        flags: -raw
        values: -name -nullMarker
        writes: -plist | writes its answer into the file that is named
    """,
    "mdutil": """
        The index of macOS.
        flags: -s -a -v
        needs: -s | changes the index
    """,
    "defaults": """
        Preferences of macOS.
        subcommands
        long
        flags: -currentHost
        values: -host
        help: help
    """,
    "defaults read": """
        Prints preferences.
        long
        flags: -g -globalDomain
        values: -app
    """,
    "defaults read-type": "same as defaults read",
    "defaults find": "operands: read",
    "defaults domains": "operands: none",
    "plutil": """
        Property lists.
        long
        form: prints or checks
        flags: -p -lint -s
        needs: -p -lint | converts the file where it is
        form: converts into another file
        flags: -s -r
        values: -convert -extract
        writes: -o | puts the converted list there
        needs: -o | converts the file where it is
        dash
        help: -help
    """,
    "PlistBuddy": """
        praxic | reads and changes property lists
    """,
    "scutil": """
        The system configuration of macOS.
        long
        flags: --dns --proxy --nwi
        values: --get
        operands: none
        needs: --dns --proxy --nwi --get | takes commands that change the configuration
    """,
    "ioreg": """
        Prints the device tree of macOS.
        flags: -a -b -f -i -l -r -t -x -S
        values: -c -d -k -n -p -w
        operands: none
    """,
    "pmset": """
        Power settings of macOS.
        flags: -g
        needs: -g | changes power settings
        operands: read
    """,
    "csrutil": """
        Integrity protection of macOS.
        subcommands
    """,
    "csrutil status": "operands: none",
    "spctl": """
        Which programs may run on macOS.
        flags: --status
        operands: none
        needs: --status | changes which programs may run
    """,
    "codesign": """
        Signatures of programs of macOS.
        flags: -d --display -v --verify --deep --strict
        optional: --verbose
        needs: -d --display -v --verify | signs a program
    """,
    "pkgutil": """
        Packages of macOS.
        long
        optional: --pkgs
        flags: --pkgs-plist
        values: --pkg-info --pkg-info-plist --files --file-info --check-signature
        operands: none
        needs: --pkgs --pkgs-plist --pkg-info --pkg-info-plist --files --file-info --check-signature | changes packages
    """,
    "kextstat": """
        Lists kernel extensions of macOS.
        flags: -a -k -l
        values: -b
        operands: none
    """,
    "security": """
        Keys and trust of macOS.
        subcommands
    """,
    "security find-identity": """
        Lists identities.
        flags: -v
        values: -p -s
    """,
    "security find-certificate": """
        Prints certificates.
        flags: -a -m -p -Z
        values: -c -e
    """,
    "security list-keychains": """
        Lists keychains.
        values: -d
        operands: none
    """,
    "nvram": """
        The firmware's variables.
        flags: -p -x
        operands: none
        needs: -p | changes the firmware's variables
    """,
    "osascript": """
        praxic | runs a script that can drive other programs
    """,
    "say": """
        praxic | speaks aloud or writes a sound file
    """,
    "screencapture": """
        praxic | writes a picture of the screen
    """,
    "notify-send": """
        praxic | shows a message on the desktop
    """,
    "gsettings": """
        Settings of the desktop.
        subcommands
        help: help
    """,
    "gsettings get": "operands: read...",
    "gsettings list-keys": "operands: read...",
    "gsettings list-schemas": "operands: none",
    "gsettings list-recursively": "operands: read...",
    "gsettings describe": "operands: read...",
    "gsettings range": "operands: read...",
    "dconf": """
        Settings of the desktop.
        subcommands
        help: help
    """,
    "dconf read": "operands: read",
    "dconf list": "operands: read",
    "dconf dump": "operands: read",
    "pbpaste": """
        Prints the clipboard.
        any
    """,
    "pbcopy": """
        praxic | changes the clipboard
    """,
    "xclip": """
        The clipboard.
        long
        flags: -o -out -r -rmlastnl -silent -quiet -verbose -noutf8
        values: -selection -sel -t -target -d -display
        operands: none
        needs: -o -out | changes the clipboard
        help: -h -help -version
    """,
    "xsel": """
        The clipboard.
        flags: -o --output -p --primary -s --secondary -b --clipboard
        operands: none
        needs: -o --output | may change the clipboard
        help: -h
    """,
    "wl-paste": """
        Prints the clipboard.
        flags: -n --no-newline -l --list-types -p --primary
        values: -t --type -s --seat
        operands: none
        praxic: -w --watch | runs a command
        help: -h -v
    """,
    "wl-copy": """
        praxic | changes the clipboard
    """,
    "xdotool": """
        praxic | types and clicks for the user
    """,
    "xrandr": """
        praxic | changes the screens
    """,
    # ---- terminals ----------------------------------------------------------------------------------------------
    "tty": """
        Prints the terminal's name.
        idle
        any
    """,
    "clear": """
        Clears the screen.
        idle
        any
    """,
    "reset": """
        praxic | sets the terminal up anew
    """,
    "tset": """
        praxic | sets the terminal up anew
    """,
    "tput": """
        Prints what the terminal can do.
        idle
        flags: -x -S
        values: -T
        help: -V
    """,
    "infocmp": """
        Prints descriptions of terminals.
        flags: -0 -1 -C -I -L -U -V -x -d -c -n -r -t -T
        values: -A -B -w -s
    """,
    "stty": """
        Settings of the terminal.
        idle
        subcommands
        alone
        flags: -a --all -g --save
        values: -F --file -f
    """,
    "stty size": "operands: none",
    "stty speed": "operands: none",
    "tmux": """
        Terminal sessions.
        subcommands
        flags: -2 -u -N
        values: -L -S -T
        praxic: -c -C -f -v -D -l | starts a shell, takes commands or writes logs
        help: -V -h
    """,
    "tmux list-keys": "flags: -1 -a -N\nvalues: -T\noperands: read\ncode: tmux_format",
    "tmux lsk": "same as tmux list-keys",
    "tmux list-sessions": """
        Lists sessions.
        flags: -r
        values: -F -f -O
        operands: none
        code: tmux_format
    """,
    "tmux ls": "same as tmux list-sessions",
    "tmux list-windows": """
        Lists windows.
        flags: -a -r
        values: -F -f -t -O
        operands: none
        code: tmux_format
    """,
    "tmux lsw": "same as tmux list-windows",
    "tmux list-panes": """
        Lists panes.
        flags: -a -s -r
        values: -F -f -t -O
        operands: none
        code: tmux_format
    """,
    "tmux lsp": "same as tmux list-panes",
    "tmux list-clients": """
        Lists clients.
        flags: -r
        values: -F -f -t -O
        operands: none
        code: tmux_format
    """,
    "tmux lsc": "same as tmux list-clients",
    "tmux list-buffers": """
        Lists paste buffers.
        flags: -r
        values: -F -f -O
        operands: none
        code: tmux_format
    """,
    "tmux lsb": "same as tmux list-buffers",
    "tmux has-session": """
        Says whether a session is there.
        values: -t
        operands: none
        code: tmux_format
    """,
    "tmux has": "same as tmux has-session",
    "tmux display-message": """
        Prints a format.
        flags: -p -a -v -l -N
        values: -t -c -F -d
        operands: read
        needs: -p | shows a message in the terminal
        praxic: -I | sends its input to the pane
        code: tmux_format
    """,
    "tmux display": "same as tmux display-message",
    "tmux capture-pane": """
        Prints what a pane shows.
        flags: -p -a -e -P -q -C -J -N -T -M
        values: -S -E -t
        operands: none
        needs: -p | puts what the pane shows into a buffer
        praxic: -b | names a buffer to write
        code: tmux_format
    """,
    "tmux capturep": "same as tmux capture-pane",
    "tmux show-options": """
        Prints options.
        flags: -A -g -H -p -q -s -v -w
        values: -t
        operands: read
        code: tmux_format
    """,
    "tmux show": "same as tmux show-options",
    "tmux show-window-options": """
        Prints options of windows.
        flags: -g -v
        values: -t
        operands: read
        code: tmux_format
    """,
    "tmux showw": "same as tmux show-window-options",
    "tmux show-environment": """
        Prints the environment of sessions.
        flags: -h -g -s
        values: -t
        operands: read
        code: tmux_format
    """,
    "tmux showenv": "same as tmux show-environment",
    "tmux show-hooks": """
        Prints hooks.
        flags: -g -p -w
        values: -t
        operands: read
        code: tmux_format
    """,
    "tmux show-buffer": """
        Prints a paste buffer.
        values: -b
        operands: none
        code: tmux_format
    """,
    "tmux showb": "same as tmux show-buffer",
    "tmux show-messages": """
        Prints the server's messages.
        flags: -J -T
        values: -t
        operands: none
        code: tmux_format
    """,
    "tmux showmsgs": "same as tmux show-messages",
    "tmux info": "same as tmux show-messages",
    "screen": """
        Terminal sessions.
        long
        flags: -ls -list
        operands: read
        needs: -ls -list | starts or drives a terminal session
        help: -v -version
    """,
    "zellij": """
        Terminal sessions.
        subcommands
        help: -h -V
    """,
    "zellij list-sessions": """
        Lists sessions.
        flags: -n --no-formatting -s --short -r --reverse
        operands: none
    """,
    "zellij ls": "same as zellij list-sessions",
    "script": """
        praxic | runs a shell and writes what it shows into a file
        help: -h -V
    """,
    "scriptreplay": """
        praxic | plays a recorded session
    """,
    "asciinema": """
        praxic | records and publishes terminal sessions
        help: -h
    """,
    # ---- wrappers: what they run decides ------------------------------------------------------------------------
    "timeout": """
        Runs a command with a limit of time.
        stops
        flags: --preserve-status --foreground -f -p -v --verbose
        values: -k --kill-after -s --signal
        operands: read command
    """,
    "gtimeout": "same as timeout",
    "nice": """
        Runs a command with another priority.
        stops
        numbers
        values: -n --adjustment
        operands: command
    """,
    "ionice": """
        Runs a command with another disk priority.
        stops
        form: runs a command
        flags: -t --ignore
        values: -c --class -n --classdata
        operands: command
        form: prints a process's
        values: -p --pid -P --pgid -u --uid
        operands: read...
        needs: -p --pid -P --pgid -u --uid | changes a process's priority
        help: -h -V
    """,
    "chrt": """
        Real-time priorities.
        form: prints a process's
        flags: -p --pid -a --all-tasks -v --verbose
        operands: read
        needs: -p --pid | runs a command with real-time priority
        form: prints the limits
        flags: -m --max
        operands: none
        needs: -m --max | runs a command with real-time priority
        help: -h -V
    """,
    "taskset": """
        Runs a command on some processors.
        stops
        form: runs a command
        flags: -c --cpu-list
        operands: read command
        form: prints a process's
        flags: -p --pid -c --cpu-list -a --all-tasks
        operands: read
        needs: -p --pid | runs a command
        help: -h -V
    """,
    "stdbuf": """
        Runs a command with other buffering.
        stops
        values: -i --input -o --output -e --error
        operands: command
    """,
    "setsid": """
        Runs a command in its own session.
        stops
        flags: -c --ctty -f --fork -w --wait
        operands: command
        help: -h -V
    """,
    "nohup": """
        praxic | runs a command that outlives the shell and may write nohup.out
    """,
    "time": """
        Runs a command and prints the time it took.
        stops
        flags: -a --append -p --portability -v --verbose -q --quiet -l -h
        values: -f --format
        writes: -o --output | writes the times into the file that is named
        operands: command
        help: -V
    """,
    "gtime": "same as time",
    "caffeinate": """
        Runs a command and keeps the Mac awake meanwhile.
        stops
        flags: -d -i -m -s -u
        values: -t -w
        operands: command
    """,
    "unbuffer": """
        Runs a command with a terminal as its output.
        stops
        operands: command
    """,
    "chronic": """
        Runs a command and prints what it said only if it failed.
        stops
        flags: -v -e
        operands: command
    """,
    "busybox": """
        Runs one of its many programs.
        stops
        form: lists its programs
        flags: --list --list-full
        operands: none
        needs: --list --list-full | runs one of its programs
        form: runs one
        operands: command
        praxic: --install | installs its programs
    """,
    "toybox": """
        Runs one of its many programs.
        stops
        operands: command
    """,
    "numactl": """
        Memory policy.
        flags: -s --show -H --hardware
        operands: none
        needs: -s --show -H --hardware | runs a command
    """,
    "flock": """
        praxic | creates a lock file and runs a command
        help: -h -V
    """,
    "watch": """
        praxic | runs a command again and again
        help: -h -v
    """,
    "parallel": """
        praxic | runs many commands
        help: -h -V
    """,
    "daemonize": """
        praxic | starts a program that outlives the shell
    """,
    "start-stop-daemon": """
        praxic | starts and stops programs
    """,
    "setpriv": """
        praxic | runs a program with other privileges
    """,
    "proxychains": """
        praxic | loads code into the program it runs
    """,
    "proxychains4": """
        praxic | loads code into the program it runs
    """,
    "fakeroot": """
        praxic | loads code into the program it runs
    """,
    "linux32": """
        praxic | runs a program
    """,
    "setarch": """
        praxic | runs a program
    """,
    # ---- keys, certificates, ciphers ----------------------------------------------------------------------------
    "openssl": """
        Certificates, keys and ciphers.
        subcommands
    """,
    "openssl version": """
        Prints the version.
        long
        flags: -a -b -d -e -m -f -o -p -r -v -c
        operands: none
    """,
    "openssl help": "operands: read",
    "openssl list": """
        Lists what it can do.
        long
        flags: -1 -verbose -commands -standard-commands -digest-commands -digest-algorithms -kdf-algorithms
        flags: -mac-algorithms -cipher-commands -cipher-algorithms -encoders -decoders -key-managers
        flags: -key-exchange-algorithms -kem-algorithms -signature-algorithms -asymcipher-algorithms
        flags: -public-key-algorithms -public-key-methods -store-loaders -providers -disabled -objects
        values: -select -options
        operands: none
    """,
    "openssl ciphers": """
        Lists ciphers.
        long
        flags: -v -V -stdname -s -tls1 -tls1_1 -tls1_2 -tls1_3 -psk -srp
        values: -convert -ciphersuites
        operands: read
    """,
    "openssl x509": """
        Prints a certificate.
        long
        flags: -nocert -noout -text -fingerprint -alias -serial -startdate -enddate -dates -subject -issuer -email -hash
        flags: -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old -ocspid -ocsp_uri -purpose -pubkey -modulus
        flags: -sha1 -sha256 -sha384 -sha512 -md5
        values: -in -passin -inform -outform -dateopt -certopt -nameopt -ext -checkend -checkhost -checkemail -checkip
        operands: none
        writes: -out -writerand | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl req": """
        Prints a certificate request.
        long
        flags: -noout -text -verify -subject -pubkey -modulus -utf8
        values: -in -inform -outform -nameopt -reqopt
        operands: none
        needs: -in | makes a new request and key
        writes: -out | writes the file that is named
        praxic: -new -newkey -x509 -keyout -writerand -key -config | makes a request, a key or a certificate
        praxic: -engine -keygen_engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl crl": """
        Prints a revocation list.
        long
        flags: -verify -text -hash -hash_old -issuer -lastupdate -nextupdate -noout -fingerprint -crlnumber
        flags: -no-CAfile -no-CApath -no-CAstore -sha1 -sha256
        values: -in -inform -outform -dateopt -nameopt -CApath -CAfile
        operands: none
        writes: -out | writes the file that is named
        praxic: -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl verify": """
        Checks certificates.
        long
        flags: -verbose -no-CAfile -no-CApath -no-CAstore -show_chain -ignore_critical -issuer_checks -crl_check
        flags: -crl_check_all -policy_check -explicit_policy -inhibit_any -inhibit_map -x509_strict -extended_crl
        flags: -use_deltas -policy_print -check_ss_sig -trusted_first -partial_chain -no_alt_chains -no_check_time
        flags: -allow_proxy_certs
        values: -nameopt -trusted -CAfile -CApath -untrusted -CRLfile -policy -purpose -verify_name -verify_depth
        values: -auth_level -attime -verify_hostname -verify_email -verify_ip
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl dgst": """
        Prints digests.
        long
        flags: -list -c -r -hex -binary -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -blake2b512
        flags: -blake2s256
        values: -xoflen -hmac -verify -signature
        writes: -out -writerand | writes the file that is named
        praxic: -sign -engine -provider -provider-path | signs, or loads code
        code: no_engine
    """,
    "openssl md5": "same as openssl dgst",
    "openssl sha1": "same as openssl dgst",
    "openssl sha256": "same as openssl dgst",
    "openssl sha384": "same as openssl dgst",
    "openssl sha512": "same as openssl dgst",
    "openssl pkey": """
        Prints a key.
        long
        flags: -check -pubcheck -pubin -pubout -noout -text -text_pub -traditional
        values: -in -inform -passin -outform
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl rsa": """
        Prints an RSA key.
        long
        flags: -check -pubin -RSAPublicKey_in -pubout -RSAPublicKey_out -noout -text -modulus -traditional
        values: -in -inform -passin -outform
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl ec": """
        Prints an elliptic-curve key.
        long
        flags: -check -pubin -pubout -noout -text -param_out -no_public
        values: -in -inform -passin -outform -conv_form -param_enc
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl asn1parse": """
        Prints the structure of a file.
        long
        flags: -noout -strictpem -i -dump
        values: -inform -in -offset -length -strparse -dlimit -item
        operands: none
        writes: -out | writes the file that is named
        praxic: -genconf -genstr -oid | reads definitions
    """,
    "openssl pkcs12": """
        Prints what a key store holds.
        long
        flags: -nokeys -nocerts -noout -legacy -info -nomacver -clcerts -cacerts -noenc -nodes
        values: -in -passin -passout -password
        operands: none
        writes: -out -writerand | writes the file that is named
        praxic: -export -engine -provider -provider-path | makes a key store, or loads code
        code: no_engine
    """,
    "openssl pkcs7": """
        Prints certificates of a bundle.
        long
        flags: -print -print_certs -text -noout -quiet
        values: -in -inform -outform
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl rand": """
        Prints random bytes.
        long
        flags: -base64 -hex
        operands: read
        writes: -out -writerand | writes the file that is named
        praxic: -engine -provider -provider-path -rand | loads code
    """,
    "openssl base64": """
        Encodes and decodes.
        long
        flags: -e -d -a -A -base64
        values: -in
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
    """,
    "openssl enc": """
        Encodes and decodes base64. With a cipher it is another thing, which is not listed.
        long
        flags: -e -d -a -A -base64
        values: -in
        operands: none
        writes: -out | writes the file that is named
        praxic: -engine -provider -provider-path | loads code
    """,
    "openssl ecparam": """
        Prints elliptic curves.
        long
        flags: -list_curves -noout -text -check -no_seed
        values: -in -inform -outform -name -conv_form -param_enc
        operands: none
        writes: -out | writes the file that is named
        praxic: -genkey -writerand -rand | makes a key
        praxic: -engine -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl crl2pkcs7": """
        Prints a bundle of certificates.
        long
        flags: -nocrl
        values: -in -inform -outform -certfile
        operands: none
        writes: -out | writes the file that is named
        praxic: -provider -provider-path | loads code
        code: no_engine
    """,
    "openssl errstr": "operands: read...",
    "openssl s_client": """
        praxic | sends its input to a server
    """,
    "openssl s_server": """
        praxic | opens a server
    """,
    "gpg": """
        praxic | may sign, encrypt or change keys; even listing writes its trust database
    """,
    "gpg2": """
        praxic | may sign, encrypt or change keys; even listing writes its trust database
    """,
    "gpgconf": """
        praxic | changes settings and restarts agents
    """,
    "gpg-connect-agent": """
        praxic | commands the key agent
    """,
    "age": """
        praxic | encrypts and decrypts files
    """,
    "sops": """
        praxic | edits, encrypts and decrypts files
    """,
    "pass": """
        praxic | reads and changes passwords
    """,
    "op": """
        praxic | reads and changes passwords
    """,
    "ssh": """
        Other machines; known to look are commands there that only read.
        stops
        flags: -q -v -vv -vvv -n -T -t -tt -4 -6 -C -x -a -k
        values: -p -l -i -J -c -m -b -B -o -Q
        operands: read...
        code: ssh
        help: -V
    """,
    "ssh-keygen": """
        Keys of SSH.
        form: prints a fingerprint
        flags: -l -v -B
        values: -f -E
        operands: none
        needs: -l -B | makes or changes keys
        form: looks a host up
        flags: -l -v
        values: -F -f -E
        operands: none
        needs: -F | makes or changes keys
        form: prints a certificate
        flags: -L
        values: -f
        operands: none
        needs: -L | makes or changes keys
        form: prints the public half of a key
        flags: -y
        values: -f -P
        operands: none
        needs: -y | makes or changes keys
    """,
    "ssh-add": """
        Keys that the agent holds.
        flags: -l -L -v -q
        values: -E
        operands: none
        needs: -l -L | changes which keys the agent holds
    """,
    "ssh-keyscan": """
        Prints the public keys of hosts.
        any
    """,
    "ssh-agent": """
        praxic | starts or stops the key agent
    """,
    "ssh-copy-id": """
        praxic | adds a key to another machine
    """,
    "log": """
        The log of macOS.
        subcommands
    """,
    "log show": """
        Prints what was logged.
        flags: --info --debug --signpost --no-signpost --source --backtrace --loss --no-pager --mach-continuous-time
        values: --last --start --end --predicate --style --process --archive --timezone --color --type
    """,
    "log stream": "same as log show",
    "log stats": "flags: --overview --per-book --per-file\nvalues: --archive --count --process --sender --sort --style",
    **dict.fromkeys(
        ("where", "where.exe", "tasklist", "tasklist.exe", "findstr", "findstr.exe", "systeminfo", "getmac"),
        """
        A reader of Windows.
        any
        """,
    ),
    "ver": "operands: none",
    "reg": "subcommands",
    "reg query": "any",
    "wsl": """
        Linux within Windows.
        flags: -l --list -v --verbose -q --quiet --running --online -o --status --all
        operands: none
        needs: -l --list --status | runs a command
        help: --version
    """,
    "getcap": "any",
    "adb": """
        Devices that run Android.
        subcommands
        flags: -d -e
        values: -s -t
        help: version help
    """,
    "adb devices": "flags: -l\noperands: none",
    "adb get-state": "operands: none",
    "adb get-serialno": "operands: none",
    "adb logcat": """
        Prints what the device logged.
        flags: -d -D --last -L -g -S
        values: -t -T -v -b -s -e -m --pid --regex --max-count --format --buffer --tail --uid
        praxic: -c --clear -f --file -r -n -G -P -p -B | clears the log, or writes files on the device
    """,
    "adb shell": """
        Runs a command on the device; known to look are those that only read.
        stops
        flags: -T -n -x
        operands: read...
        code: remote_shell
    """,
    "getprop": """
        A property of Android.
        flags: -T -Z
        operands: read...
    """,
}
