"""The first stage of masking: says in a few microseconds that a text cannot hold a secret.

Invariants: the answer "no" is final, whatever the rules are or become. The second stage (`_find`)
drops every finding that neither touches a *dense run* nor contains a *hint* itself, and a text has
every dense run and every hint that a part of it has:

* a dense run is a property of a whole run of characters;
* a hint is a property of some characters or whole words anywhere.

So a text without dense runs and hints has no finding.

A **dense run** is 14 or more of ``[A-Za-z0-9_.+/~-]`` that do not read as names and numbers
(``FIRST_STAGE_LIMIT``, ``appendEvent``, ``test_v2.py``). All bare keys are of this kind.
A **hint** is the beginning of one of our own shapes that find short secrets by what stands
before them: ``password =``, ``--token``, ``://…@``; or a word they cannot do without: ``sudo``.

Use: ``if not may_hold_secret(text): return text``
"""

from __future__ import annotations

from perdure.model.pattern import compiled_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_RUN_CHARS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/~-"
_AS_RUNS = bytes(ord("x") if byte in _RUN_CHARS else ord(" ") for byte in range(256))

_VARIABLES = ("_secret", "_token", "_pass", "_pwd", "_key", "_apikey")

SHORTEST_RUN = 14  # below are words, dates and numbers; the shortest bare keys have 18
_LONG = b"x" * SHORTEST_RUN
_RUN = compiled_later(rf"[A-Za-z0-9_.+/~-]{{{SHORTEST_RUN},}}+")

# A whole run that reads as names and numbers: every part between the signs must. A word in camel
# case needs three small letters in a row: random text changes case at every second letter, so
# hardly any key passes. Words have at most 24 letters and capitals at most 15; keys are longer.
# The shortest kinds of keys, which could still pass for names, are recognized by their first letters.
_NAMES = compiled_later(
    rb"""(?x) [a-z_.+/~-]++(?![A-Z0-9])
    | [_.+/~-]*+
    (?:(?!gl[a-z]{2,6}-\w|A3-[A-Z])
       (?: [a-z]{1,24}+ | [A-Z]{1,15}+(?!__) | [A-Z]?[a-z]{3,24}+(?:[A-Z][a-z]{3,24}+)*+[A-Z]?
         | [A-Z]?[a-z]{3,12}+(?:[A-Z][a-z]{3,12}+)*+\d{1,4} | [A-Za-z]{1,2}\d{1,3} | \d{1,4} )(?![A-Za-z0-9])
       [_.+/~-]*+
    )*+(?![A-Za-z0-9])"""
)
_OF_PLAIN_NAMES = b"abcdefghijklmnopqrstuvwxyz_.+/~-"
"""A whole run of nothing else reads as names: the first alternative above, without compiling it."""

# What stands between the name of a credential and its value, and the value's first characters:
# `="x"`, `=x`, `: x1`, ` is x1`.
_NAME_ENDS = r"[\w.-]{0,24}+[\"'\\\]) \t]{0,4}+"
_SAID = r"(?:is|was)[ \t:]{1,3}(?:[\"'`]|\S{0,40}\d|[a-z]{18})|value=|(?<=[ \t]['\"])[^\s\"')\]]"
_GIVEN = rf"{_NAME_ENDS}(?:[=:>]\s{{0,3}}\\{{0,3}}[\"'`]|=[^\s=]|[=:>]\s{{0,5}}\S{{0,40}}\d|{_SAID})"
# A plain word behind a verb or a colon: "password is x", "password for staging: x", "passphrase's x", "**pw**: x".
_SAID_PLAINLY = (
    r"(?:(?:for|of|on|at|to)[ \t][^\n]{1,70}?(?:[ \t](?:is|was)[ \t:]|:[ \t])"
    r"|(?:is|was)[ \t:]|(?<=')s\s|\xe2\x80\x99s\s|[*_`]{1,3}:)"
)
# Some words, then one with letters and a digit: "password for staging is x1", "login as admin / x1".
_GIVEN_PASSWORD = (
    rf"{_NAME_ENDS}(?:[=:>]|{_SAID}|{_SAID_PLAINLY}"
    r"|(?<=\s)(?:[^\s\d]{1,40}\s){0,4}[^\s\d]{0,40}[a-z][^\s\d]{0,40}\d)"
)
_PAIR = r"[^\n]{0,60}?[:/,][ \t]{0,2}[\"'`(]{0,2}[^\s\d]{0,40}[a-z][^\s\d]{0,40}\d"


def _hint(pattern: str, *needs: str) -> Callable[[str], bool]:
    """Whether the pattern is in a lowered text. What it matches contains one of `needs`: for a short text without any
    of them it is not even compiled. A long one is searched at once, which is faster than to look for each of them."""
    compiled = compiled_later(f"(?a){pattern}")

    def is_in(low: str) -> bool:
        if len(low) > _SHORT:
            return bool(compiled.search(low))
        for needed in needs:
            if needed in low:
                return bool(compiled.search(low))
        return False

    return is_in


_SHORT = 300


# Each starts with letters that are rare in prose, so that the engine skips to them at full speed.
# One alternation of all the words would try every position.
_CREDENTIALS = _hint(rf"cred(?:{_GIVEN_PASSWORD}|{_PAIR})", "cred")
_LOGIN = _hint(rf"log(?:ged)?[ -]?in\b{_PAIR}", "login", "log in", "log-in", "logged")
_SIGN_IN = _hint(rf"sign(?:ed)?[ -]?in\b{_PAIR}", "signin", "sign in", "sign-in", "signed")
_PASSWORD = _hint(rf"p(?:ass|w|sk){_GIVEN_PASSWORD}", "pass", "pw", "psk")
_HINTS = (
    _CREDENTIALS,
    _LOGIN,
    _SIGN_IN,
    _PASSWORD,
    _hint(
        rf"k(?:(?:en(?<=token)|ey){_GIVEN}|ie(?<=cookie)[\"']?\s{{0,3}}:|ind[\"'\\]{{0,4}}\s{{0,3}}:\s{{0,3}}[\"'\\]{{0,4}}secret)",
        *("token", "key", "cookie", "kind"),
    ),
    _hint(rf"cret(?<=secret){_GIVEN}", "secret"),
    _hint(rf"auth(?:orization[\"'\\]{{0,4}}\s{{0,3}}[=:]|{_GIVEN})", "auth"),
    _hint(r"bearer[ \t]{1,4}[\w.~+/=-]{0,40}\d", "bearer"),
    _hint(r"login\s{1,8}\S{1,128}\s{1,8}password\s", "login"),  # .netrc
)
_NAMES_CREDENTIAL = ("pass", "pw", "psk", "secret", "token", "key", "authorization", "cookie", "credential")
_LONG_OPTION = r"-[a-z-]{0,30}(?:pass|pwd|token|secret|key|auth|cred|user)|----begin[ a-z0-9_-]{0,100}private"
_OPTION = compiled_later(rf"(?a)-(?:{_LONG_OPTION}|(?P<short>[a-z])(?<=\s-[a-z]))")
_LONG_OPTIONS = compiled_later(rf"(?a)-(?:{_LONG_OPTION})")
_IN_LONG_OPTIONS = ("pass", "pwd", "token", "secret", "key", "auth", "cred", "user", "----begin")
"""Every long option that the pattern matches has one of these."""
_BEFORE_OPTION = ("--", *(f"{space}-" for space in " \t\n\r\f\v"))
"""Every option has one of these."""
# A part of the name of each program that takes a password by a short option (`_commands`).
_TAKES_SHORT_OPTIONS = tuple(
    word.replace("_", " ")
    for word in (
        "mysql mariadb 7z rar_ redis- valkey- keydb- pass mongo mycli cqlsh cypher- beeline rdesktop ncftp winrm"
        " steghide rabbit smb nxc_ netexec psexec ldap openssl sqlcmd bcp_ osql tsql sqsh mosquitto ipmi zip_"
        " zipcloak plink pscp psftp putty kadmin snmp swaks pdfto pdfinfo pdfim pdffonts keytool jarsigner influx"
        " sqoop wsadmin sysadminctl db2cli login twine security_ crackmap curl wget http_ https_ xh_ xhs_"
        " rpcclient winexe wbinfo samba net_ lftp etcdctl"
    ).split(" ")
)
# What a password may follow without a sign or an option. A text with "pass:" in it has a hint already.
_BEFORE_ARGUMENT = (
    "wpa_pass", "wpa-psk", "sqlplus", "sqlldr", "rabbitmqctl", "htpasswd", "requirepass", "configure set", "config set",
    "net user", "rclone obscure", "expdp ", "impdp ", "rman ", "nmcli", "from-literal", "masterauth", "/p:",
    "/pass:", "/password:", " -pass", "setx ", "setenv ", "set -", "env ", "value", "secret set", "secrets set",
    "--secret-string", "securestring", "bw unlock", "vault login",
)  # fmt: skip
_READS_INPUT = ("sudo", "passwd", "kinit", "cryptsetup", "su ", "-stdin", "passphrase-fd", "with-token", "secret")

# The word for "password", as developers write it.
PASSWORD_IN_OTHER_LANGUAGES = tuple(
    word.replace("_", " ")
    for word in (
        "contraseña contrasena contrasenya kennwort passwort senha palavra-passe wachtwoord"
        " пароль パスワード 密码 密碼 口令 비밀번호 암호 hasło haslo lösenord adgangskode kodeord passord"
        " salasana parola parolă şifre sifre jelszó heslo geslo lozinka zaporka парола лозинка"
        " κωδικός סיסמה סיסמא رمز_عبور كلمة_المرور كلمة_السر گذرواژه รหัสผ่าน mật_khẩu"
        " kata_sandi पासवर्ड slaptažodis parool mot_de_passe mdp"
    ).split(" ")
)
_ASCII_WORDS = tuple(word for word in PASSWORD_IN_OTHER_LANGUAGES if word.isascii())
# A word → texts, one of which must occur in addition. All words of a text are looked up at once.
_AS_WORDS = bytes(byte if chr(byte).isalnum() and byte < 128 else ord(" ") for byte in range(256))
_WITH_WORD = {
    **{word.replace("-", " ").split()[-1].encode(): (word,) for word in _ASCII_WORDS if "passe" not in word},
    b"passe": ("mot de passe", "palavra-passe"),
    b"wpa": ("wpa_pass", "wpa-psk"),
    b"configure": ("configure set",),
    b"config": ("config set",),
    b"net": ("net user",),
    b"rclone": ("rclone obscure",),
    b"setx": ("setx ",),
    b"setenv": ("setenv ",),
    b"env": ("\nenv ",),
    b"set": ("set -x", "set -gx", "set -ux", "set -lx", "set -xg", "set -xu"),
    b"value": ("name: ", 'name": ', 'name":"'),
    b"secret": ("secret put", "secret create", "secret set", "--secret"),
    b"secrets": ("secrets set", "secrets create", "secrets versions", "user-secrets"),
    b"securestring": ("put-parameter",),
    b"literal": ("from-literal",),
    b"bw": ("bw unlock",),
    b"vault": ("vault login",),
    **{word.encode(): (word,) for word in ("sqlplus", "sqlldr", "rabbitmqctl", "htpasswd", "requirepass", "nmcli")},
    **{word.encode(): (word,) for word in ("expdp", "impdp", "rman", "masterauth")},
    **{word.encode(): ("|", "<<") for word in ("sudo", "passwd", "smbpasswd", "chpasswd", "kinit", "cryptsetup", "su")},
}
_WORDS = frozenset(_WITH_WORD)


def _by_first_byte() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The words that are not ASCII, in small and capital letters, as `lowered` spells them, by their first such one."""
    found: dict[str, tuple[str, ...]] = {}
    for word in PASSWORD_IN_OTHER_LANGUAGES:
        for form in dict.fromkeys((word, word.capitalize(), word.upper())):
            low = form.encode().lower().decode("latin-1")
            first = next((char for char in low if char > "\x7f"), "")
            if first and low not in found.get(first, ()):
                found[first] = (*found.get(first, ()), low)
    return tuple(found.items())


_OTHER_WORDS = _by_first_byte()
_WORDS_IN_NAMES = (*_NAMES_CREDENTIAL, *_ASCII_WORDS)
_NAMING = compiled_later(f"(?i){'|'.join(_WORDS_IN_NAMES)}")


def may_name_credential(name: str) -> bool:
    """A quick test of a name. It says yes to every credential's name, and to some other names."""
    if not name.isascii():  # some other letters are capitals of ASCII ones, which only the pattern knows
        return bool(_NAMING.search(name)) or _names_password_beyond_ascii(lowered(name))
    low = name.lower()
    for word in _WORDS_IN_NAMES:  # noqa: SIM110 – any() takes twice as long
        if word in low:
            return True
    return False


def may_hold_secret(text: str) -> bool:
    """Whether the second stage has to look at the text. If not, the text holds no secret."""
    raw = text.encode("utf-8", "surrogatepass")
    runs = raw.translate(_AS_RUNS)
    start = runs.find(_LONG)
    while start >= 0:
        end = runs.find(b" ", start)
        run = raw[start:] if end < 0 else raw[start:end]
        if run.translate(None, _OF_PLAIN_NAMES):
            names = _NAMES.match(raw, start)
            if not names:
                return True
            end = names.end()
        if end < 0:
            break
        start = runs.find(_LONG, end)
    # Lower-casing bytes changes ASCII only; a text decoded as Latin-1 is searched fastest.
    return has_hint(raw.lower().decode("latin-1"))


def dense_runs(text: str) -> list[tuple[int, int]]:
    """The dense runs of the text, as spans in order."""
    return [found.span() for found in _RUN.finditer(text) if is_dense(found.group())]


def is_dense(run: str) -> bool:
    """Whether a run of SHORTEST_RUN or more run characters reads as a key rather than as names."""
    return not reads_as_names(run)


def reads_as_names(run: str) -> bool:
    """Whether a run of run characters, of any length, reads as names and numbers."""
    return bool(_NAMES.match(run.encode("ascii")))


def is_uuid_or_digest(text: str) -> bool:
    """Whether the text is nothing but a UUID, a commit or a checksum in hex."""
    if not 32 <= len(text) <= 128 or text.strip("0123456789abcdefABCDEF-"):
        return False
    return "-" not in text or (len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-")


def lowered(text: str) -> str:
    """The text as `has_hint` needs it: ASCII in lower case, the rest as UTF-8 bytes."""
    return text.encode("utf-8", "surrogatepass").lower().decode("latin-1")


def has_hint(low: str) -> bool:
    """Whether a lowered text holds the beginning of one of our own shapes."""
    if "@" in low and "://" in low:
        return True
    for hint in _HINTS:
        if hint(low):
            return True
    return _has_telling_characters(low) or _has_word(low) or _has_option(low)


def _has_telling_characters(low: str) -> bool:
    """Whether a few characters that stand in one of our shapes are in a lowered text."""
    if "'" in low and " by '" in low:  # SQL: identified by '…'
        return True
    if "send" in low and "assword" in low:  # expect scripts
        return True
    if chooses_password(low) or gives_to_variable(low):
        return True
    return "l/p" in low or "/p:" in low or "akia" in low


def _has_option(low: str) -> bool:
    """Whether a lowered text has an option that may give a password."""
    if len(low) <= _SHORT:  # most commands have options, and hardly any gives a password: nothing is compiled for them
        if not any(each in low for each in _BEFORE_OPTION):
            return False
        if not any(each in low for each in _IN_LONG_OPTIONS) and not takes_short_option(low):
            return False
    option = _OPTION.search(low)
    if option and option["short"]:
        if takes_short_option(low):
            return True
        option = _LONG_OPTIONS.search(low, option.end())
    return bool(option)


def _has_word(low: str) -> bool:
    """Whether a lowered text has a word of `_WITH_WORD` with what it needs, or "password" in another script."""
    for word in _WORDS.intersection(low.encode("latin-1").translate(_AS_WORDS).split()):
        if any(needed in low for needed in _WITH_WORD[word]):
            return True
    return not low.isascii() and _names_password_beyond_ascii(low)


def names_password_in_another_language(low: str) -> bool:
    """Whether a lowered text holds the word for "password" in another language."""
    if any(word in low for word in _ASCII_WORDS):
        return True
    return not low.isascii() and _names_password_beyond_ascii(low)


def _names_password_beyond_ascii(low: str) -> bool:
    return any(first in low and any(word in low for word in words) for first, words in _OTHER_WORDS)


def gives_password_to_command(low: str) -> bool:
    """Whether a lowered text has a command that takes a password as an argument."""
    return any(words in low for words in _BEFORE_ARGUMENT)


def gives_password_on_input(low: str) -> bool:
    """Whether a lowered text has a command that reads a password from its standard input."""
    if "|" in low or "<<" in low:
        return any(reader in low for reader in _READS_INPUT)
    return "send" in low and "assword" in low


def takes_short_option(low: str) -> bool:
    """Whether a lowered text has the name of a program that takes a password by a short option."""
    for program in _TAKES_SHORT_OPTIONS:  # noqa: SIM110 – any() takes twice as long
        if program in low:
            return True
    return False


def chooses_password(low: str) -> bool:
    """Whether a lowered text may have a password before the word: use x as the password."""
    return " as " in low and ("passw" in low or "passphrase" in low or "passcode" in low)


def gives_to_variable(low: str) -> bool:
    """Whether a lowered text may give a value to an environment variable: JWT_SECRET was set to x."""
    return (" to " in low or " be " in low) and any(name in low for name in _VARIABLES)


def tells_user_and_password(low: str) -> bool:
    """Whether a lowered text may have a sentence with a user and a password."""
    return bool(_CREDENTIALS(low) or _LOGIN(low) or _SIGN_IN(low) or _PASSWORD(low)) or "l/p" in low


def tells_plain_password(low: str) -> bool:
    """Whether a lowered text may have a plain word that its form shows to be a password."""
    return tells_password(low) or "requirepass" in low or "masterauth" in low


def tells_password(low: str) -> bool:
    """Whether a lowered text has the word "password" and then what may be one."""
    return bool(_PASSWORD(low))
