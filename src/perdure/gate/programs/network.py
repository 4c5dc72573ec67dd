"""Cards of programs that use the network or inspect it.

Fetching and printing only reads. Sending data, saving a file in the work, changing an interface, a route or a filter,
and running something elsewhere do not. The cards of curl and wget list all their options, because what these programs
do depends on nothing else.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---- fetching -----------------------------------------------------------------------------------------------
    "curl": """
        Transfers data; with these options it fetches and prints.
        flags: --anyauth --basic --digest --negotiate --ntlm --ca-native --proxy-ca-native --cert-status --compressed
        flags: --create-dirs --crlf -q --disable --disable-eprt --disable-epsv --disallow-username-in-url
        flags: --doh-cert-status --doh-insecure -f --fail --fail-early --fail-with-body --false-start --ftp-pasv
        flags: --ftp-pret
        flags: --ftp-skip-pasv-ip -g --globoff -I --head -h --help --http0.9 -0 --http1.0 --http1.1 --http2
        flags: --http2-prior-knowledge --http3 --http3-only --ignore-content-length -i --include -k --insecure -4 --ipv4
        flags: -6 --ipv6 -j --junk-session-cookies -l --list-only -L --location --location-trusted -M --manual -n
        flags: --netrc
        flags: --netrc-optional -: --next --no-alpn -N --no-buffer --no-clobber --no-keepalive --no-npn
        flags: --no-progress-meter --no-sessionid --no-compressed --no-location --no-fail --no-silent --no-insecure
        flags: --no-include --no-styled-output -Z --parallel --parallel-immediate --path-as-is -# --progress-bar
        flags: --proxy-anyauth --proxy-basic --proxy-digest --proxy-insecure --proxy-negotiate --proxy-ntlm
        flags: --proxy-tlsv1
        flags: -p --proxytunnel --raw -R --remote-time --remove-on-error --retry-all-errors --retry-connrefused -S
        flags: --show-error --show-headers -s --silent --skip-existing --socks5-basic --ssl --ssl-allow-beast
        flags: --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort -2 --sslv2 -3 --sslv3 --styled-output
        flags: --suppress-connect-headers --tcp-fastopen --tcp-nodelay -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2
        flags: --tlsv1.3
        flags: --tr-encoding --trace-time --trace-ids -B --use-ascii -v --verbose -V --version -G --get
        values: --aws-sigv4 --cacert --capath -E --cert --ciphers --connect-timeout --connect-to -C --continue-at -b
        values: --cookie --crlfile --curves --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url
        values: --etag-compare --expect100-timeout --ftp-account --ftp-method --happy-eyeballs-timeout-ms -H --header
        values: --interface --keepalive-time --key --limit-rate --local-port --max-filesize --max-redirs -m --max-time
        values: --netrc-file --noproxy --oauth2-bearer --parallel-max --pass --pinnedpubkey --preproxy --proto -x
        values: --proxy
        values: --proxy-cacert --proxy-capath --proxy-cert --proxy-ciphers --proxy-header --proxy-key --proxy-pass -U
        values: --proxy-user --proxy1.0 -r --range --rate -e --referer -X --request --request-target --resolve --retry
        values: --retry-delay --retry-max-time --service-name --socks4 --socks4a --socks5 --socks5-hostname -Y
        values: --speed-limit -y --speed-time -z --time-cond --tls-max --tls13-ciphers --url --url-query -u --user -A
        values: --user-agent -w --write-out
        writes: -o --output | saves what it fetches in the file that is named
        writes: -D --dump-header --etag-save | saves the headers in the file that is named
        writes: -c --cookie-jar | writes its cookies into the file that is named
        praxic: --hsts --alt-svc --ssl-sessions | writes its memory of servers into the file that is named
        writes: --trace --trace-ascii --stderr --libcurl | writes a record into the file that is named
        praxic: -O --remote-name --remote-name-all -J | saves files under names that the server or the address chooses
        praxic: --remote-header-name --output-dir | saves files under names that the server or the address chooses
        praxic: --xattr | saves files under names that the server or the address chooses
        praxic: -T --upload-file -a --append -F --form --form-string --form-escape --json | sends data
        praxic: --mail-from --mail-rcpt --mail-auth -Q --quote --ftp-create-dirs -P --ftp-port | sends mail or commands
        praxic: --unix-socket --abstract-unix-socket | talks to a local service, such as the one that runs containers
        praxic: -K --config --variable --engine | changes what it does in ways this command does not show
        praxic: --proto-default --proto-redir -t | changes what it does in ways this command does not show
        praxic: --telnet-option --ntlm-wb --metalink | changes what it does in ways this command does not show
        praxic: --post301 --post302 --post303 --haproxy-protocol | sends data
        dash
        code: curl
        help: -h -M -V
        form: fetches
        praxic: -d --data --data-ascii --data-binary --data-raw --data-urlencode | sends data
        form: fetches, with the data in the address
        values: -d --data --data-ascii --data-binary --data-raw --data-urlencode
        needs: -G --get | sends data
        praxic: -: --next | begins another request, for which -G must be said again
    """,
    "wget": """
        Fetches; it prints only with -O-, and saves nothing with --spider.
        flags: -d --debug -q --quiet -v --verbose --no-verbose -F --force-html --no-netrc --show-progress -S
        flags: --server-response --spider --random-wait --no-proxy --no-dns-cache -4 --inet4-only -6 --inet6-only
        flags: --retry-connrefused --no-iri --no-http-keep-alive --no-cache --no-cookies --ignore-length --save-headers
        flags: --content-on-error --auth-no-challenge --retry-on-host-error --https-only --no-check-certificate
        flags: --no-hsts
        flags: --no-glob --no-passive-ftp --ftps-implicit --ftps-fallback-to-ftp -c --continue --no-clobber
        values: -n --report-speed -i --input-file -B --base --bind-address --dns-servers -t --tries --start-pos
        values: --progress -T --timeout --dns-timeout --connect-timeout --read-timeout --limit-rate -w --wait
        values: --waitretry
        values: -Q --quota --prefer-family --user --password --local-encoding --remote-encoding --http-user
        values: --http-password --load-cookies --header --compression --max-redirect --proxy-user --proxy-password
        values: --referer -U --user-agent --retry-on-http-error --secure-protocol --ciphers --certificate
        values: --certificate-type --private-key --private-key-type --ca-certificate --ca-directory --crl-file
        values: --pinnedpubkey --ftp-user --ftp-password
        writes: -O --output-document | saves what it fetches in the file that is named
        writes: -o --output-file -a --append-output | writes its messages into the file that is named
        praxic: --save-cookies --hsts-file --rejected-log | writes its memory of servers into the file that is named
        needs: -O --output-document --spider | saves what it fetches in the working folder
        praxic: -e --execute --config --use-askpass | runs settings that are not shown here
        praxic: -b --background | goes on in the background and writes a log
        praxic: --post-data --post-file --method --body-data --body-file | sends data
        praxic: -r --recursive -m --mirror -p --page-requisites -k --convert-links -K | saves many files
        praxic: --backup-converted | saves many files
        praxic: -P --directory-prefix -x --force-directories -N --timestamping | saves or removes files
        praxic: --content-disposition --delete-after | saves or removes files
        praxic: --warc-file --warc-tempdir --warc-dedup --backups --unlink --xattr | saves or removes files
        praxic: --input-metalink | saves or removes files
        dash
        code: wget
        help: -h -V
    """,
    "http": """
        Asks a web server (httpie).
        subcommands
        flags: -v --verbose -h --headers -b --body -m --meta --follow -F -I --ignore-stdin -S --stream --check-status -q
        values: --pretty -s --style -p --print -a --auth -A --auth-type --timeout --verify --max-redirects --proxy
    """,
    "http GET": """
        Fetches.
        flags: -v --verbose -h --headers -b --body -m --meta --follow -F -I --ignore-stdin -S --stream --check-status -q
        values: --pretty -s --style -p --print -a --auth -A --auth-type --timeout --verify --max-redirects --proxy
        operands: read
        writes: -o --output | saves what it fetches in the file that is named
        praxic: -d --download --session --session-read-only | saves files or a session
    """,
    "http HEAD": "same as http GET",
    "http OPTIONS": "same as http GET",
    "https": "same as http",
    "https GET": "same as http GET",
    "https HEAD": "same as http GET",
    "https OPTIONS": "same as http GET",
    "httpie": """
        praxic | installs plugins and upgrades itself
    """,
    "xh": """
        Asks a web server.
        subcommands
        flags: -v --verbose -h --headers -b --body -F --follow -I --ignore-stdin -S --stream --check-status -q --quiet
        values: --pretty -s --style -p --print -a --auth -A --auth-type --timeout --verify --max-redirects --proxy
        help: -V
    """,
    "xh GET": """
        Fetches.
        flags: -v --verbose -h --headers -b --body -F --follow -I --ignore-stdin -S --stream --check-status -q --quiet
        values: --pretty -s --style -p --print -a --auth -A --auth-type --timeout --verify --max-redirects --proxy
        operands: read
        writes: -o --output | saves what it fetches in the file that is named
        praxic: -d --download --session --session-read-only | saves files or a session
    """,
    "xh HEAD": "same as xh GET",
    "xh OPTIONS": "same as xh GET",
    "xhs": "same as xh",
    "xhs GET": "same as xh GET",
    "xhs HEAD": "same as xh GET",
    "aria2c": """
        praxic | saves files
        help: -h -v
    """,
    "axel": """
        praxic | saves files
        help: -h -V
    """,
    "yt-dlp": """
        praxic | saves files
        help: -h
    """,
    "youtube-dl": """
        praxic | saves files
        help: -h
    """,
    "lynx": """
        praxic | a browser that runs what its configuration and the page say
        help: -help -version
    """,
    "w3m": """
        praxic | a browser that runs what its configuration and the page say
        help: -version
    """,
    "links": """
        praxic | a browser
    """,
    "elinks": """
        praxic | a browser
    """,
    "grpcurl": """
        praxic | calls remote procedures
        help: -help -version
    """,
    "websocat": """
        praxic | sends its input to a server, or opens one
        help: -h -V
    """,
    "wscat": """
        praxic | sends its input to a server, or opens one
        help: -h -V
    """,
    "ab": """
        praxic | loads a server with requests
        help: -h -V
    """,
    "wrk": """
        praxic | loads a server with requests
        help: -h -v
    """,
    "hey": """
        praxic | loads a server with requests
    """,
    # ---- names --------------------------------------------------------------------------------------------------
    "dig": """
        Asks name servers.
        any
        code: nothing_sent
    """,
    "host": """
        Asks name servers.
        any
        code: nothing_sent
    """,
    "nslookup": """
        Asks name servers.
        any
        code: nothing_sent
    """,
    "drill": """
        Asks name servers.
        flags: -D -T -S -4 -6 -a -h -s -t -u -x -v
        values: -V -k -o -p -r -b -c -d -y -z
        praxic: -i -w -q -f | reads or writes raw packets
    """,
    "doggo": """
        Asks name servers.
        flags: -J --json --short --time --color --debug -4 -6
        values: -t --type -n --nameserver -c --class -q --query --timeout
        help: -h -v
    """,
    "dog": """
        Asks name servers.
        flags: -J --json -1 --short --seconds --time -U --udp -T --tcp -S --tls -H --https -v
        values: -q --query -t --type -n --nameserver --class
        help: -V -?
    """,
    "whois": """
        Asks who owns a name or an address.
        any
        code: nothing_sent
    """,
    "nsupdate": """
        praxic | changes the records of a name server
        help: -V
    """,
    "resolvectl": """
        The resolver of systemd.
        subcommands
        alone
        flags: -4 -6 --no-pager -j
        values: -i --interface -p --protocol -t --type -c --class --service-address --service-txt --cname --validate
        values: --synthesize --cache --zone --trust-anchor --network --search --legend --json
        optional: --raw
        help: -h
    """,
    "resolvectl query": """
        Resolves a name.
        flags: -4 -6 --no-pager -j
        values: -i --interface -p --protocol -t --type -c --class --service-address --service-txt --cname --validate
        values: --synthesize --cache --zone --trust-anchor --network --search --legend --json
        optional: --raw
    """,
    "resolvectl service": "same as resolvectl query",
    "resolvectl openpgp": "same as resolvectl query",
    "resolvectl tlsa": "same as resolvectl query",
    "resolvectl status": "same as resolvectl query",
    "resolvectl statistics": """
        Prints counters.
        flags: --no-pager -j
        values: --json
        operands: none
    """,
    "resolvectl dns": """
        Prints the name servers; with servers named it sets them.
        flags: --no-pager
        operands: read
    """,
    "resolvectl domain": "same as resolvectl dns",
    "systemd-resolve": """
        The resolver of systemd, by its old name.
        flags: -4 -6 --status --statistics --no-pager
        values: -i --interface -t --type -c --class
        praxic: --flush-caches --reset-statistics --reset-server-features --set-dns --set-domain | changes the resolver
        praxic: --revert | changes the resolver
    """,
    "avahi-browse": """
        Lists services of the local network.
        flags: -a --all -d -D --browse-domains -l --ignore-local -r --resolve -t --terminate -c --cache -k -p --parsable
        flags: -v
        operands: read...
    """,
    # ---- reaching -----------------------------------------------------------------------------------------------
    "ping": """
        Asks whether a host answers.
        any
        code: nothing_sent
    """,
    "ping6": """
        Asks whether a host answers.
        any
        code: nothing_sent
    """,
    "fping": """
        Asks whether hosts answer.
        flags: -a -A -d -D -e -l -m -M -n -N -o -q -s -u -v -4 -6 --alive --addr --rdns --elapsed --name --quiet --stats
        flags: --unreach --all --ipv4 --ipv6
        optional: -f -g -i -p -r -t -c -C -b -B -H -I -O -Q -S -T -x -X
    """,
    "arping": """
        praxic | sends address announcements to the local network
    """,
    "traceroute": """
        Shows the way to a host.
        any
        code: nothing_sent
    """,
    "traceroute6": """
        Shows the way to a host.
        any
        code: nothing_sent
    """,
    "tracepath": """
        Shows the way to a host.
        any
    """,
    "mtr": """
        Shows the way to a host, again and again.
        any
    """,
    "nc": """
        Connections.
        flags: -z -v -n -u -4 -6
        values: -w -G
        needs: -z | sends its input to a host, or opens a server
        help: -h
    """,
    "netcat": "same as nc",
    "ncat": """
        Connections.
        flags: -z -v -n -u -4 -6
        values: -w --wait
        needs: -z | sends its input to a host, or opens a server
        help: -h
    """,
    "socat": """
        praxic | joins streams, files, programs and sockets
        help: -h -V
    """,
    "telnet": """
        praxic | sends its input to a host
    """,
    "nmap": """
        Asks which ports of hosts are open.
        long
        flags: -sL -sn -sP -Pn -PN -n -R --system-dns --traceroute -sS -sT -sA -sW -sM -sU -F -r -sV --version-light
        flags: --version-all --osscan-limit --osscan-guess -O -T0 -T1 -T2 -T3 -T4 -T5 -v -vv -vvv -d -dd --reason --open
        flags: --packet-trace --iflist -6 --privileged --unprivileged
        values: -iL --exclude --excludefile --dns-servers -p --exclude-ports --top-ports --port-ratio
        values: --version-intensity
        values: --max-retries --host-timeout --scan-delay --max-scan-delay --min-rate --max-rate -e -g --source-port
        values: --max-rtt-timeout --min-rtt-timeout --initial-rtt-timeout --stats-every
        writes: -oN -oX -oG -oS | writes its report into the file that is named
        praxic: -oA -A -sC --script --script-args --script-args-file | runs scripts or writes many files
        praxic: --script-updatedb --resume --datadir --servicedb | runs scripts or writes many files
        dash
        help: -h -V
    """,
    "masscan": """
        praxic | scans networks
    """,
    "iperf3": """
        praxic | loads the network
        help: -h -v
    """,
    "iperf": """
        praxic | loads the network
        help: -h -v
    """,
    "speedtest": """
        praxic | loads the network
        help: -h
    """,
    # ---- sockets, interfaces, routes, filters -------------------------------------------------------------------
    "ss": """
        Lists sockets.
        flags: -H --no-header -O --oneline -n --numeric -r --resolve -a --all -l --listening -B --bound-inactive -o
        flags: --options
        flags: -e --extended -m --memory -p --processes -T --threads -i --info --tos --cgroup --tipcinfo -s --summary -E
        flags: --events -Z --context -z --contexts -b --bpf -4 --ipv4 -6 --ipv6 -0 --packet -t --tcp -u --udp -d --dccp
        flags: -w --raw -x --unix -S --sctp --tipc --vsock --xdp -M --mptcp --inet-sockopt
        values: -f --family -A --query --socket -F --filter
        writes: -D --diag | writes what it finds into the file that is named
        praxic: -K --kill | closes sockets
        praxic: -N --net | enters another network namespace
        dash
        help: -h -V
    """,
    "netstat": """
        Lists sockets, routes and interfaces.
        any
    """,
    "sockstat": """
        Lists sockets.
        any
    """,
    "nstat": """
        praxic | keeps a history of counters in a file
    """,
    "ip": """
        Interfaces, addresses and routes.
        subcommands
        long
        flags: -4 -6 -B -M -0 -s -stats -statistics -d -details -o -oneline -r -resolve -h -human -human-readable -iec
        flags: -j
        flags: -json -p -pretty -br -brief -t -timestamp -ts -tshort -N -Numeric -c --json --brief --color --oneline
        optional: -color
        values: -f -family
        praxic: -b -batch -force -n -netns -a -all | runs a file of commands, or enters another network namespace
        help: -V help
    """,
    "ip address show": """
        Prints; the words that follow only choose.
        operands: read...
    """,
    "ip address": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip address list": "same as ip address show",
    "ip address ls": "same as ip address show",
    "ip address lst": "same as ip address show",
    "ip address sh": "same as ip address show",
    "ip address s": "same as ip address show",
    "ip addr": "same as ip address",
    "ip addr show": "same as ip address show",
    "ip addr list": "same as ip address show",
    "ip addr ls": "same as ip address show",
    "ip addr lst": "same as ip address show",
    "ip addr sh": "same as ip address show",
    "ip addr s": "same as ip address show",
    "ip a": "same as ip address",
    "ip a show": "same as ip address show",
    "ip a list": "same as ip address show",
    "ip a ls": "same as ip address show",
    "ip a lst": "same as ip address show",
    "ip a sh": "same as ip address show",
    "ip a s": "same as ip address show",
    "ip link": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip link show": "same as ip address show",
    "ip link list": "same as ip address show",
    "ip link ls": "same as ip address show",
    "ip link lst": "same as ip address show",
    "ip l": "same as ip link",
    "ip l show": "same as ip address show",
    "ip l list": "same as ip address show",
    "ip l ls": "same as ip address show",
    "ip l lst": "same as ip address show",
    "ip route": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip route show": "same as ip address show",
    "ip route list": "same as ip address show",
    "ip route ls": "same as ip address show",
    "ip route lst": "same as ip address show",
    "ip route get": "same as ip address show",
    "ip route s": "same as ip address show",
    "ip route sh": "same as ip address show",
    "ip r": "same as ip route",
    "ip r show": "same as ip address show",
    "ip r list": "same as ip address show",
    "ip r ls": "same as ip address show",
    "ip r lst": "same as ip address show",
    "ip r get": "same as ip address show",
    "ip r s": "same as ip address show",
    "ip r sh": "same as ip address show",
    "ip ro": "same as ip route",
    "ip ro show": "same as ip address show",
    "ip ro list": "same as ip address show",
    "ip ro ls": "same as ip address show",
    "ip ro lst": "same as ip address show",
    "ip ro get": "same as ip address show",
    "ip ro s": "same as ip address show",
    "ip ro sh": "same as ip address show",
    "ip neighbour": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip neighbour show": "same as ip address show",
    "ip neighbour list": "same as ip address show",
    "ip neighbour ls": "same as ip address show",
    "ip neighbour lst": "same as ip address show",
    "ip neighbor": "same as ip neighbour",
    "ip neighbor show": "same as ip address show",
    "ip neighbor list": "same as ip address show",
    "ip neighbor ls": "same as ip address show",
    "ip neighbor lst": "same as ip address show",
    "ip neigh": "same as ip neighbour",
    "ip neigh show": "same as ip address show",
    "ip neigh list": "same as ip address show",
    "ip neigh ls": "same as ip address show",
    "ip neigh lst": "same as ip address show",
    "ip n": "same as ip neighbour",
    "ip n show": "same as ip address show",
    "ip n list": "same as ip address show",
    "ip n ls": "same as ip address show",
    "ip n lst": "same as ip address show",
    "ip rule": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip rule show": "same as ip address show",
    "ip rule list": "same as ip address show",
    "ip rule ls": "same as ip address show",
    "ip rule lst": "same as ip address show",
    "ip ru": "same as ip rule",
    "ip ru show": "same as ip address show",
    "ip ru list": "same as ip address show",
    "ip ru ls": "same as ip address show",
    "ip ru lst": "same as ip address show",
    "ip netns": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip netns list": "same as ip address show",
    "ip netns ls": "same as ip address show",
    "ip netns show": "same as ip address show",
    "ip netns identify": "same as ip address show",
    "ip netns pids": "same as ip address show",
    "ip maddress": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip maddress show": "same as ip address show",
    "ip maddr": "same as ip maddress",
    "ip maddr show": "same as ip address show",
    "ip tunnel": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip tunnel show": "same as ip address show",
    "ip vrf": """
        Prints; with a word that changes it is praxic.
        subcommands
        alone
        help: help
    """,
    "ip vrf show": "same as ip address show",
    "ip monitor": "operands: read...",
    "ifconfig": """
        Interfaces; with more than a name it changes one.
        flags: -a -s -v -l -m -L -u -d -r -C
        operands: read
        help: -V
    """,
    "iwconfig": """
        Wireless interfaces; with more than a name it changes one.
        operands: read
        help: -h -v
    """,
    "iwgetid": """
        Prints the wireless network's name.
        any
    """,
    "iw": """
        praxic | reads and changes wireless interfaces
        help: help
    """,
    "ethtool": """
        Network cards.
        flags: -a --show-pause -c --show-coalesce -g --show-ring -i --driver -k --show-features --show-offload -P
        flags: --show-permaddr -S --statistics --phy-statistics -n -u --show-nfc --show-ntuple -T --show-time-stamping
        flags: -x
        flags: --show-rxfh-indir --show-rxfh -l --show-channels -m --module-info --show-priv-flags --show-eee --show-fec
        flags: --json -I --include-statistics
        operands: read
        help: -h
    """,
    "route": """
        Routes.
        subcommands
        alone
        flags: -n -e -v -F -C -4 -6 -N
        values: -A
        help: -V -h
    """,
    "route get": """
        Prints the route to a host (BSD).
        long
        flags: -inet -inet6 -n
        operands: read
    """,
    "arp": """
        Addresses of the local network.
        flags: -a -e -n --numeric -v --verbose -l -x
        values: -i --device -H --hw-type
        operands: read
        help: -V
    """,
    "ipconfig": """
        Interfaces, of macOS and of Windows.
        subcommands
        alone
    """,
    "ipconfig /all": "operands: none",
    "ipconfig getifaddr": "operands: read",
    "ipconfig getpacket": "operands: read",
    "ipconfig getsummary": "operands: read",
    "ipconfig getoption": "operands: read...",
    "ipconfig ifcount": "operands: none",
    "networksetup": """
        Network settings of macOS.
        long
        flags: -listallhardwareports -listallnetworkservices -listnetworkserviceorder -getinfo -getdnsservers
        flags: -getsearchdomains -getwebproxy -getsecurewebproxy -getsocksfirewallproxy -getairportnetwork
        flags: -getairportpower -getcurrentlocation -listlocations -getmacaddress -getMTU -getcomputername
        operands: read
        help: -help -version
    """,
    "networkctl": """
        Network links of systemd.
        subcommands
        alone
        flags: -a --all -s --stats -l --full --no-legend --no-pager
        values: -n --lines --json
        help: -h
    """,
    "networkctl list": """
        Lists links.
        flags: -a --all -s --stats -l --full --no-legend --no-pager
        values: -n --lines --json
    """,
    "networkctl status": "same as networkctl list",
    "networkctl lldp": "same as networkctl list",
    "nmcli": """
        The network manager.
        subcommands
        alone
        flags: -p --pretty -t --terse -o --overview
        values: -c --colors -e --escape -f --fields -g --get-values -m --mode -w --wait
        praxic: -a --ask | asks for what is missing
        praxic: -s --show-secrets | prints passwords
        help: -h -v help
    """,
    "nmcli general": """
        State of the network manager.
        subcommands
        alone
    """,
    "nmcli general status": "operands: none",
    "nmcli g": "same as nmcli general",
    "nmcli g status": "operands: none",
    "nmcli device": """
        Devices.
        subcommands
        alone
    """,
    "nmcli device status": "operands: none",
    "nmcli device show": "operands: read",
    "nmcli dev": "same as nmcli device",
    "nmcli dev status": "operands: none",
    "nmcli dev show": "operands: read",
    "nmcli d": "same as nmcli device",
    "nmcli d status": "operands: none",
    "nmcli d show": "operands: read",
    "nmcli connection": """
        Connections.
        subcommands
        alone
    """,
    "nmcli connection show": """
        Prints connections.
        flags: --active
    """,
    "nmcli con": "same as nmcli connection",
    "nmcli con show": "same as nmcli connection show",
    "nmcli c": "same as nmcli connection",
    "nmcli c show": "same as nmcli connection show",
    "nmtui": """
        praxic | changes network settings
    """,
    "iptables": """
        Packet filter.
        flags: -L --list -S --list-rules -n --numeric -v --verbose -x --exact --line-numbers -4 --ipv4 -6 --ipv6
        values: -t --table
        optional: -w --wait
        needs: -L --list -S --list-rules | changes the packet filter
        operands: read...
        help: -h -V
    """,
    "ip6tables": "same as iptables",
    "iptables-save": """
        Prints the packet filter.
        flags: -c --counters
        values: -t --table
        operands: none
        writes: -f --file | writes the rules into the file that is named
        praxic: -M --modprobe | runs the program that is named
        help: -h -V
    """,
    "ip6tables-save": "same as iptables-save",
    "iptables-restore": """
        praxic | replaces the packet filter
    """,
    "nft": """
        Packet filter.
        subcommands
        flags: -a --handle -s --stateless -n --numeric -j --json -y -N --reversedns -S --service -t --terse
        help: -h -v -V
    """,
    "nft list": "subcommands",
    "nft list ruleset": "operands: none",
    "nft list tables": "operands: none",
    "nft list chains": "operands: none",
    "nft list sets": "operands: none",
    "ufw": """
        Packet filter.
        subcommands
        help: version
    """,
    "ufw status": "operands: read",
    "firewall-cmd": """
        Packet filter.
        flags: --state --list-all --list-all-zones --list-ports --list-services --list-rich-rules --list-interfaces
        flags: --get-active-zones --get-zones --get-default-zone --get-services --get-log-denied --permanent
        values: --zone
        operands: none
        help: -h -V
    """,
    "pfctl": """
        praxic | reads and changes the packet filter
    """,
    "tc": """
        praxic | reads and changes traffic control
        help: -V
    """,
    "brctl": """
        praxic | changes bridges
    """,
    "wg": """
        Encrypted tunnels.
        subcommands
        alone
        help: help
    """,
    "wg show": "operands: read...",
    "wg-quick": """
        praxic | starts and stops tunnels and runs their hooks
    """,
    "tcpdump": """
        Prints packets.
        flags: -A -b -d -D --list-interfaces -e -f -h -H -I --monitor-mode --immediate-mode -J --list-time-stamp-types
        flags: --micro --nano -K --dont-verify-checksums -l -L --list-data-link-types -n -N -# --number -O --no-optimize
        flags: -p --no-promiscuous-mode --print -q -S --absolute-tcp-sequence-numbers -t -u -U --packet-buffered -v -x
        flags: -X
        flags: --count
        values: -B --buffer-size -c -F -i --interface -j --time-stamp-type --time-stamp-precision -Q --direction -r -s
        values: --snapshot-length -T -y --linktype
        writes: -w | writes the packets into the file that is named
        praxic: -z | runs the program that is named
        praxic: -C -G -W -V -m -M -E -Z --relinquish-privileges | rotates files, or does more than the card knows
        dash
        help: --version
    """,
    "tshark": """
        praxic | captures packets, runs scripts and writes files
        help: -h -v
    """,
    "ngrep": """
        praxic | captures packets and writes files
        help: -h -V
    """,
    "iftop": """
        praxic | an interactive display
        help: -h
    """,
    "nethogs": """
        praxic | an interactive display
        help: -h -V
    """,
    "bmon": """
        praxic | an interactive display that can run commands
        help: -h -V
    """,
    # ---- other machines -----------------------------------------------------------------------------------------
    "sftp": """
        praxic | copies files from and to other machines
    """,
    "ftp": """
        praxic | copies files from and to other machines
    """,
    "lftp": """
        praxic | copies files from and to other machines
        help: -v
    """,
    "rclone": """
        Files of cloud storage; the address of a storage can name a program to run, so that even listing is praxic.
        subcommands
        flags: -v --verbose -q --quiet
        help: -h
    """,
    "rclone version": "operands: none",
    "rclone listremotes": """
        Lists the configured storages.
        flags: --long
        operands: none
    """,
    "rclone sync": "weighty | makes the destination like the source, removing files",
    "rclone purge": "weighty | removes a folder of cloud storage",
    "rclone delete": "weighty | removes files of cloud storage",
    "sshfs": """
        praxic | mounts a folder of another machine
        help: -h -V
    """,
    "sshpass": """
        praxic | gives a password to a program it runs
        help: -h -V
    """,
    "mosh": """
        praxic | runs a shell on another machine
    """,
    "autossh": """
        praxic | keeps a connection to another machine
        help: -V
    """,
    "rsh": """
        praxic | runs a command on another machine
    """,
    "mail": """
        praxic | sends mail
    """,
    "sendmail": """
        praxic | sends mail
    """,
    "msmtp": """
        praxic | sends mail
    """,
    "tailscale": """
        A private network.
        subcommands
        help: -h version
    """,
    "tailscale status": """
        Prints who is in the network.
        flags: -json --json -active --active -self --self -peers --peers
        long
        operands: none
    """,
    "tailscale ip": """
        Prints addresses.
        long
        flags: -4 -6 -1
        operands: read
    """,
    "tailscale netcheck": "operands: none",
    "tailscale whois": "operands: read",
    "localtunnel": """
        praxic | opens a way from the internet to this machine
    """,
    "lt": """
        praxic | opens a way from the internet to this machine
    """,
    "caddy": """
        praxic | runs a web server
        help: version
    """,
    "nginx": """
        praxic | runs a web server; even testing its configuration opens its logs
        help: -v -V -h -?
    """,
    "apachectl": """
        praxic | controls a web server
        help: -v -V
    """,
    "httpd": """
        praxic | runs a web server
        help: -v -V
    """,
    # ---- shaping ------------------------------------------------------------------------------------------------
    "jc": """
        Turns the output of a program, given on its input, into JSON; with a command it runs that.
        flags: --airport --arp --blkid --cal --crontab --csv --csv-s --date --datetime-iso --df --dig --dmidecode --du
        flags: --env --file --find --findmnt --finger --free --fstab --group --hash --history --hosts --id --ifconfig
        flags: --ini
        flags: --iostat --iptables --iw-scan --jobs --kv --last --ls --lsblk --lsmod --lsof --lspci --lsusb --m3u
        flags: --mdadm
        flags: --mount --mpstat --netstat --nmcli --passwd --ping --pip-list --pip-show --plist --ps --route --rpm-qi
        flags: --semver --shadow --ss --stat --sysctl --systemctl --systemd --timestamp --toml --top --tracepath
        flags: --traceroute --ufw --uname --uptime --url --vmstat --w --wc --who --x509-cert --xml --yaml
        flags: -p --pretty -r --raw -q --quiet -y --yaml-out -m --monochrome -u --unbuffer -C --force-color
        operands: none
        help: -h -v -a
    """,
}
