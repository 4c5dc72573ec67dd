"""Finds passwords that a command line gives without a name: as a short option, as an argument, on standard input.

Invariants: an option counts only in the command of a program that takes a password by it; so ``docker run -p 8080:80``
and ``grep -w word`` are left alone. The options come from each program's manual. The text searched for each program
has a bounded length and ends where the next program begins: time is linear in the text.

Use: ``for begin, end, start, stop in short_options(text): …``
"""

from __future__ import annotations

import re

from ._given import is_spoken_of, unquoted_end, value_at
from ._names import is_placeholder, names_credential

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Programs → options with a password as the next word ("p_"), attached ("p"), or as either ("p~").
_TAKES: dict[str, str] = {
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlsh mariadb mariadb-dump"
    " mariadb-admin mariadb-import mariadb-check mariadb-show mariadb-binlog 7z 7za 7zr 7zz": "p",
    "rar unrar": "p hp",
    "redis-cli valkey-cli keydb-cli redis-benchmark valkey-benchmark": "a_",
    "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles mycli cqlsh"
    " cypher-shell beeline rdesktop ncftp ncftpput ncftpget evil-winrm steghide rabbitmqadmin smbmap crackmapexec nxc"
    " netexec psexec": "p~",
    "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop": "w~",
    "ldappasswd": "w~ s~ a~",
    "slappasswd": "s~",
    "openssl": "k_ K_",
    "sqlcmd bcp osql tsql sqsh freebcp mosquitto_pub mosquitto_sub mosquitto_rr ipmitool": "P~",
    "zip unzip zipcloak": "P_",
    "plink pscp psftp putty": "pw_",
    "kadmin kadmin.local": "w~ pw_",
    "snmpwalk snmpget snmpset snmpgetnext snmpbulkwalk snmpbulkget snmptrap snmptable": "A~ X~",
    "swaks": "ap_",
    "pdftotext pdfinfo pdfimages pdftoppm pdftocairo pdftohtml pdffonts": "upw_ opw_",
    "keytool jarsigner": "storepass_ keypass_ srcstorepass_ deststorepass_ srckeypass_ destkeypass_ new_",
    "influx sqoop wsadmin sysadminctl db2cli": "password_",
}
# The same for programs of which only one verb takes a password.
_TAKES_WITH_VERB: dict[str, tuple[str, str]] = {
    "docker podman nerdctl buildah skopeo helm oras crane regctl oc az cf ibmcloud": ("login", "p~"),
    "twine": ("upload|register", "p~"),
    "security": ("add-generic-password|add-internet-password|unlock-keychain|create-keychain|import", "p_ w_ P_"),
}
# A user and a password in one word, with the sign between them.
_TAKES_PAIR: dict[str, str] = {
    "curl wget": r"(?:-u|-U|--user|--proxy-user)(?:=|[ \t]{0,4})[\"']?(?P<user>[^\s:\"'`$<{]{1,128}):",
    "http https xh xhs": r"(?:-a|--auth)(?:=|[ \t]{0,4})[\"']?(?P<user>[^\s:\"'`$<{]{1,128}):",
    "smbclient rpcclient smbget smbcacls smbcquotas winexe wbinfo samba-tool net":
        r"(?:-U|-a|--user)(?:=|[ \t]{0,4})[\"']?(?P<user>[^\s%\"'`$<{]{1,128})%",
    "etcdctl": r"--user(?:=|[ \t]{0,4})[\"']?(?P<user>[^\s:\"'`$<{]{1,128}):",
    "lftp": r"-u[ \t]{0,4}[\"']?(?P<user>[^\s,\"'`$<{]{1,128}),",
}  # fmt: skip
# A password as an argument: words, one of which must be in the text, and the pattern before the password.
_GAP = r"[ \t]{1,4}"
_FLAGS = rf"(?:-\S{{1,64}}{_GAP}){{0,4}}"
_ARGUMENTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("wpa_passphrase",), rf"\bwpa_passphrase{_GAP}(?:\"[^\"\n]{{1,64}}\"|'[^'\n]{{1,64}}'|[^\s\"'`]{{1,64}}){_GAP}"),
    (("rabbitmqctl",), rf"\brabbitmqctl{_GAP}{_FLAGS}(?:add_user|change_password){_GAP}\S{{1,64}}{_GAP}"),
    (
        ("htpasswd",),
        rf"\bhtpasswd{_GAP}{_FLAGS}-(?=[A-Za-z]{{0,6}}b)(?=[A-Za-z]{{0,6}}n)[A-Za-z]{{2,8}}{_GAP}\S{{1,64}}{_GAP}",
    ),
    (
        ("htpasswd",),
        rf"\bhtpasswd{_GAP}{_FLAGS}-(?=[A-Za-z]{{0,6}}b)(?![A-Za-z]{{0,6}}n)[A-Za-z]{{1,8}}{_GAP}(?!-)\S{{1,128}}{_GAP}\S{{1,64}}{_GAP}",
    ),
    (("user",), rf"\bnet{_GAP}user{_GAP}[\w.-]{{1,64}}{_GAP}(?=[^\s/]{{3,128}}{_GAP}/)"),
    (("obscure",), rf"\brclone{_GAP}obscure{_GAP}"),
    (
        ("sqlplus", "expdp", "impdp", "sqlldr", "rman"),
        rf"\b(?:sqlplus|expdp|impdp|sqlldr|rman)\b[^\n;|]{{0,60}}?{_GAP}[\"']?[\w.$#]{{1,64}}/(?=[^\s/@\"']{{3,64}}(?:[@\"'\s]|\Z))",
    ),
    (("nmcli",), rf"\bnmcli\b[^\n;|]{{0,200}}?[ \t](?:password|[\w.-]{{1,64}}\.psk){_GAP}"),
    (("configure",), rf"\baws{_GAP}configure{_GAP}set{_GAP}[\w.-]{{0,64}}(?:secret_access_key|session_token){_GAP}"),
    (
        ("config",),
        rf"\b(?:npm|yarn|pnpm){_GAP}config{_GAP}set{_GAP}\S{{0,200}}?(?:_authToken|_password|_auth)[ \t=]{{1,4}}",
    ),
    (("--from-literal",), rf"--from-literal(?:=|{_GAP})[\"']?[\w.-]{{1,128}}="),
    (("pass:",), rf"\s-pass(?:in|out|word)?{_GAP}[\"']?pass:"),
    (
        ("/p:", "/pass:", "/password:"),
        r"\b(?:[wx]?freerdp3?|cmdkey|wmic|mstsc|runas|net)\b[^\n;|]{0,200}?[ \t]/(?:p|pass|password):",
    ),
    (
        ("setx", "setenv", "set -", "ENV"),  # a variable of this name: ENV DB_PASSWORD x
        rf"(?:\b(?:setx|setenv|set{_GAP}-[a-zA-Z]{{0,3}}x[a-zA-Z]{{0,3}})|(?:\A|(?<=\n))ENV){_GAP}(?P<name>[A-Za-z_]\w{{1,64}}){_GAP}",
    ),
    (
        ("value",),  # a list of variables: name: DB_PASSWORD, value: x
        r"\bname[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?(?P<name>[A-Za-z_][\w.-]{1,64})[\"']?[ \t]{0,4},?"
        r"\s{0,40}[\"']?value[\"']?[ \t]{0,4}:[ \t]{0,4}",
    ),
    # What is given to a store of secrets, whatever its name is there.
    (("secret",), rf"\bgh{_GAP}secret{_GAP}set\b[^\n;|]{{0,200}}?[ \t](?:--body|-b)(?:=|{_GAP})"),
    (("keyvault",), rf"\bkeyvault{_GAP}secret{_GAP}set\b[^\n;|]{{0,200}}?[ \t]--value(?:=|{_GAP})"),
    (("--secret-string",), rf"[ \t]--secret-string(?:=|{_GAP})"),
    (
        ("SecureString",),
        rf"\bput-parameter\b(?=[^\n;|]{{0,300}}SecureString)[^\n;|]{{0,300}}?[ \t]--value(?:=|{_GAP})",
    ),
    (("doppler",), rf"\bdoppler{_GAP}secrets{_GAP}set{_GAP}(?!-)[\w.-]{{1,128}}{_GAP}(?!-)"),
    (("bw",), rf"\bbw{_GAP}unlock{_GAP}(?!-)"),
    (("vault",), rf"\bvault{_GAP}login{_GAP}{_FLAGS}(?:token=|(?!-|\w{{1,64}}=))"),
    (("user-secrets",), rf"\buser-secrets{_GAP}set{_GAP}\S{{1,128}}{_GAP}"),
    (
        ("pulumi",),
        rf"\bpulumi{_GAP}config{_GAP}set{_GAP}(?=[^\n;|]{{0,300}}--secret\b){_FLAGS}[\w:.-]{{1,128}}{_GAP}{_FLAGS}",
    ),
    (("requirepass", "masterauth", "wpa-psk"), r"\b(?:requirepass|masterauth|wpa-psk)[ \t]{1,8}(?=\S{0,127}\d)"),
)

_OPTION = re.compile(r"[ \t\n](?P<dash>-{1,2})(?P<rest>[A-Za-z]\S{0,200})")
_STORED = re.compile(rf"\bsecrets{_GAP}set\b")  # fly secrets set A=x B=y
_VARIABLE = re.compile(r"[ \t\n][\"']?[A-Za-z_]\w{0,64}=")
_ENDS_COMMAND = re.compile(r"[;|`]|&&|(?<!\\)\n")
_LONGEST_COMMAND = 400


def _spelled(names: str) -> str:
    """One expression for the names, longest first, grouped by first letter: that letter alone rules out most words."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names.split(), key=len, reverse=True):
        by_letter.setdefault(name[0], []).append(re.escape(name[1:]))
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())


def _by_program() -> tuple[re.Pattern[str], dict[str, tuple[str, str]]]:
    takes = {name: ("", options) for names, options in _TAKES.items() for name in names.split()}
    takes.update({name: said for names, said in _TAKES_WITH_VERB.items() for name in names.split()})
    takes.update({name: ("", "") for names in _TAKES_PAIR for name in names.split()})
    return re.compile(rf"(?<![\w.-])(?:{_spelled(' '.join(takes))})(?:\.exe)?(?=[ \t]|\\\n)"), takes


_PROGRAM, _OPTIONS_OF = _by_program()
_PAIR_OF = {name: re.compile(rf"[ \t\n]{pair}") for names, pair in _TAKES_PAIR.items() for name in names.split()}
_ARGUMENT = tuple((words, re.compile(pattern)) for words, pattern in _ARGUMENTS)


def short_options(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password that an option of its program gives: mysql -px, redis-cli -a x, curl -u user:x."""
    programs = [match.span() for match in _PROGRAM.finditer(text)]
    for index, (begin, end) in enumerate(programs):
        following = programs[index + 1][0] if index + 1 < len(programs) else len(text)
        limit = min(following, end + _LONGEST_COMMAND)
        over = _ENDS_COMMAND.search(text, end, limit)
        limit = over.start() if over else limit
        name = text[begin:end].removesuffix(".exe")
        for start, stop in _given_in(text, name, end, limit=limit):
            yield begin, stop, start, stop


def _given_in(text: str, name: str, start: int, *, limit: int) -> Iterator[tuple[int, int]]:
    verb, options = _OPTIONS_OF[name]
    if name in _PAIR_OF:
        yield from _pairs(text, name, start, limit=limit)
    if not options or (verb and not re.search(rf"[ \t](?:{verb})\b", text[start:limit])):
        return
    for match in _OPTION.finditer(text, start, limit):
        at = _value_start(text, match, options)
        span = _word_at(text, at) if at else None
        if span:
            yield span


def _value_start(text: str, match: re.Match[str], options: str) -> int:
    """Where the option's value begins; 0 if the option takes no password."""
    if match["dash"] != "-":
        return 0
    for option in options.split():
        letters = option.rstrip("_~")
        if not match["rest"].startswith(letters):
            continue
        behind = match.start("rest") + len(letters)
        if text[behind : behind + 1] in (" ", "\t"):
            return behind + 1 if option != letters else 0
        if _may_be_attached(option, letters) and behind < len(text):
            return behind
    return 0


def _may_be_attached(option: str, letters: str) -> bool:
    """Whether the value may follow the option's letters without a blank: -px, and rar's -hpx."""
    return letters == "hp" or (len(letters) == 1 and not option.endswith("_"))


def _pairs(text: str, name: str, start: int, *, limit: int) -> Iterator[tuple[int, int]]:
    for match in _PAIR_OF[name].finditer(text, start, limit):
        span = _word_at(text, match.end())
        if span and not (text[slice(*span)].isdigit() and match["user"].isdigit()):  # a user's and a group's id
            yield span


def _word_at(text: str, at: int) -> tuple[int, int] | None:
    """The span of the word here, if it may be a password."""
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    if text[at : at + 1] == "=":
        at += 1
    found = value_at(text, at)
    if found is None:
        return None
    start, end, quoted = found
    if not quoted:
        end = unquoted_end(text, start, end, own_line=False)
    value = text[start:end]
    if len(value) < 3 or is_placeholder(value) or value[0] in "-$":
        return None
    if not quoted and is_spoken_of(value):
        return None
    return start, end


def arguments(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password that is an argument: wpa_passphrase net x, rabbitmqctl add_user me x."""
    for words, pattern in _ARGUMENT:
        if any(word in text for word in words):
            yield from _arguments(pattern, text)
    yield from _stored(text)


def _stored(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each value that a store of secrets is given with its name; the next such command ends the search."""
    commands = [match.span() for match in _STORED.finditer(text)]
    for index, (begin, end) in enumerate(commands):
        following = commands[index + 1][0] if index + 1 < len(commands) else len(text)
        limit = min(following, end + _LONGEST_COMMAND)
        over = _ENDS_COMMAND.search(text, end, limit)
        for given in _VARIABLE.finditer(text, end, over.start() if over else limit):
            span = _word_at(text, given.end())
            if span:
                yield begin, span[1], *span


def _arguments(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, int, int]]:
    for match in pattern.finditer(text):
        span = _word_at(text, match.end())
        if not span or not names_credential(match.groupdict().get("name", "password")):
            continue
        start, end = span
        if match.group().endswith("/"):  # sqlplus user/x@db
            host = text.find("@", start, end)
            end = host if host > start else end
        yield match.start(), end, start, end


# ---- standard input -----------------------------------------------------------------------------

_READER = (
    r"(?:sudo\b(?:[ \t]{1,4}-{0,2}[\w=.'\"-]{1,40}){0,4}?[ \t]{1,4}-[A-Za-z]{0,4}S\b"
    r"|(?:sudo[ \t]{1,4})?(?:/usr/s?bin/)?\b(?:smbpasswd|chpasswd|passwd|kinit|cryptsetup|su)(?=[ \t\n'\")]|\Z)"
    r"|\b(?:wrangler|docker|podman|gh|gcloud)[ \t]{1,4}secrets?[ \t]{1,4}(?:put|create|set|versions[ \t]{1,4}add)\b)"
)
_FLAG = r"(?:--(?:password|passphrase|token|passwd-on)-stdin|--passphrase-fd[ =]0|--with-token)"
_PIPED = re.compile(rf"\|[ \t]{{0,4}}(?:{_READER}|[^\n|;]{{0,200}}?{_FLAG})")
_PRINTS = re.compile(
    r"(?<![\w-])(?:echo|printf)(?:[ \t]{1,4}-[neE]{1,3})*[ \t]{1,4}(?:[\"']?%s(?:\\n)?[\"']?[ \t]{1,4})?"
)
_HERE_DOCUMENT = r"<<-?[ \t]{0,2}[\"']?\w{1,32}[\"']?[^\n]{0,200}\n"
_HERE = re.compile(rf"(?:{_READER}|{_FLAG})[^\n;|]{{0,200}}?(?:<<<[ \t]{{0,4}}|{_HERE_DOCUMENT})")
_SENT = re.compile(
    r"assword[^\n]{0,60}?[\s;{}]{1,8}send[ \t]{1,4}(?:--[ \t]{1,4})?\\{0,2}[\"']"
    r"(?P<secret>[^\"'\n\\$]{3,128})\\{1,2}[rn]"
)


def on_standard_input(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each password that is printed into a program that reads one: echo x | sudo -S, sudo -S <<< x."""
    earlier = 0
    for match in _PIPED.finditer(text):
        since = max(earlier, match.start() - _LONGEST_COMMAND // 2)
        since = max(since, text.rfind("\n", since, match.start()) + 1)
        earlier = match.end()
        for printed in _PRINTS.finditer(text, since, match.start()):
            yield from _typed(text, printed.end(), (printed.start(), match.end() + 1))
    for match in _HERE.finditer(text):
        yield from _typed(text, match.end(), match.span())
    for match in _SENT.finditer(text):
        if not is_placeholder(match["secret"]):
            yield match.start(), match.end(), *match.span("secret")


def _typed(text: str, at: int, evidence: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    span = _word_at(text, at)
    if not span:
        return
    start, end = span
    printed = text[start:end]
    if " " in printed or "$" in printed:
        return
    if "chpasswd" in text[slice(*evidence)]:  # it reads user:password
        colon = printed.find(":")
        if colon < 0:
            return
        start += colon + 1
    yield evidence[0], max(end, evidence[1]), start, end
