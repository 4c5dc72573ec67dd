"""Owns: the first stage – saying in a few microseconds that a text cannot hold a secret.

Invariants: the answer "no" is final. It is final by construction, not by luck: the second stage
(`_find`) drops every finding that neither touches a *dense run* nor shows a *hint* itself, and

* a dense run is a property of a whole run of characters, so it is one in the text, too;
* a hint is a property of some characters or whole words somewhere, so a text that contains them
  has it, too.

So a text without dense runs and hints has no finding, whatever the rules are or become.

A **dense run** is 14 or more of ``[A-Za-z0-9_.+/~-]`` that do not read as names and numbers
(``FIRST_STAGE_LIMIT``, ``appendEvent``, ``test_v2.py``). All bare keys are of this kind.
A **hint** is the beginning of one of our own shapes that find short secrets by what stands
before them: ``password =``, ``--token``, ``://…@``; or a word they cannot do without: ``sudo``.

Use: ``if not may_hold_secret(text): return text``
"""

from __future__ import annotations

import re

_RUN_CHARS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/~-"
_AS_RUNS = bytes(ord("x") if byte in _RUN_CHARS else ord(" ") for byte in range(256))

SHORTEST_RUN = 14  # below are words, dates and numbers; the shortest bare keys have 18
_LONG = b"x" * SHORTEST_RUN
_RUN = re.compile(rf"[A-Za-z0-9_.+/~-]{{{SHORTEST_RUN},}}+")

# A whole run that reads as names and numbers: every part between the signs must. Words in camel
# case have three small letters, since random ones change case at every second, so hardly any key
# passes; words end at 24 and capitals at 15, since keys do not; the shortest kinds of keys that
# might pass for names all the same are told by how they begin.
_NAMES = re.compile(
    rb"""[a-z_.+/~-]++(?![A-Z0-9])
    | [_.+/~-]*+
    (?:(?!gl[a-z]{2,6}-\w|A3-[A-Z])
       (?: [a-z]{1,24}+ | [A-Z]{1,15}+(?!__) | [A-Z]?[a-z]{3,24}+(?:[A-Z][a-z]{3,24}+)*+[A-Z]?
         | [A-Z]?[a-z]{3,12}+(?:[A-Z][a-z]{3,12}+)*+\d{1,4} | [A-Za-z]{1,2}\d{1,3} | \d{1,4} )(?![A-Za-z0-9])
       [_.+/~-]*+
    )*+(?![A-Za-z0-9])""",
    re.VERBOSE,
)

# What follows the name of a credential when its value does, too: `="x"`, `=x`, `: x1`, ` is x1`.
_NAME_ENDS = r"[\w.-]{0,24}+[\"'\\\]) \t]{0,4}+"
_SAID = r"(?:is|was)[ \t:]{1,3}(?:[\"'`]|\S{0,40}\d)|value=|(?<=[ \t]['\"])[^\s\"')\]]"
_GIVEN = rf"{_NAME_ENDS}(?:[=:>]\s{{0,3}}\\{{0,3}}[\"'`]|=[^\s=]|[=:>]\s{{0,5}}\S{{0,40}}\d|{_SAID})"
# Some words, then one with letters and a digit: "password for staging is x1", "login as admin / x1".
_GIVEN_PASSWORD = (
    rf"{_NAME_ENDS}(?:[=:>]|{_SAID}|(?<=\s)(?:[^\s\d]{{1,40}}\s){{0,4}}[^\s\d]{{0,40}}[a-z][^\s\d]{{0,40}}\d)"
)
_PAIR = r"[^\n]{0,60}?[:/,][ \t]{0,2}[\"'`(]{0,2}[^\s\d]{0,40}[a-z][^\s\d]{0,40}\d"

# Each starts with a letter or two that are rare in prose: the engine skips to them at full speed,
# where one alternation of all the words would try every position.
_CREDENTIALS = re.compile(rf"cred(?:{_GIVEN}|{_PAIR})", re.ASCII).search
_LOGIN = re.compile(rf"log(?:ged)?[ -]?in\b{_PAIR}", re.ASCII).search
_SIGN_IN = re.compile(rf"sign(?:ed)?[ -]?in\b{_PAIR}", re.ASCII).search
_PASSWORD = re.compile(rf"p(?:ass|w|sk){_GIVEN_PASSWORD}", re.ASCII).search
_HINTS = (
    _CREDENTIALS,
    _LOGIN,
    _SIGN_IN,
    _PASSWORD,
    re.compile(
        rf"k(?:(?:en(?<=token)|ey){_GIVEN}|ie(?<=cookie)[\"']?\s{{0,3}}:|ind[\"'\\]{{0,4}}\s{{0,3}}:\s{{0,3}}[\"'\\]{{0,4}}secret)",
        re.ASCII,
    ).search,
    re.compile(rf"cret(?<=secret){_GIVEN}", re.ASCII).search,
    re.compile(rf"auth(?:orization[\"'\\]{{0,4}}\s{{0,3}}[=:]|{_GIVEN})", re.ASCII).search,
    re.compile(r"login\s{1,8}\S{1,128}\s{1,8}password\s", re.ASCII).search,  # .netrc
)
_NAMES_CREDENTIAL = r"pass|pw|psk|secret|token|key|authorization|cookie|credential"
_LONG_OPTION = r"-[a-z-]{0,30}(?:pass|pwd|token|secret|key|auth|cred|user)|----begin[ a-z0-9_-]{0,100}private"
_OPTION = re.compile(rf"-(?:{_LONG_OPTION}|(?P<short>[a-z])(?<=\s-[a-z]))", re.ASCII).search
# A part of the name of each program that takes a password by a short option (`_commands`).
_TAKES_SHORT_OPTIONS = tuple(
    word.replace("_", " ")
    for word in (
        "mysql mariadb 7z rar_ redis- valkey- keydb- pass mongo mycli cqlsh cypher- beeline rdesktop ncftp winrm"
        " steghide rabbit smb nxc_ netexec psexec ldap openssl sqlcmd bcp_ osql tsql sqsh mosquitto ipmi zip_"
        " zipcloak plink pscp psftp putty kadmin snmp swaks pdfto pdfinfo pdfim pdffonts keytool jarsigner influx"
        " sqoop wsadmin sysadminctl db2cli login twine security_ crackmap curl wget http_ https_ xh_ xhs_"
        " rpcclient winexe wbinfo samba net_ lftp"
    ).split(" ")
)
# What a password may follow without a sign or an option; what has "pass:" in it is a hint without that.
_BEFORE_ARGUMENT = (
    "wpa_pass", "wpa-psk", "sqlplus", "sqlldr", "rabbitmqctl", "htpasswd", "requirepass", "configure set", "config set",
    "net user", "rclone obscure", "expdp ", "impdp ", "rman ", "nmcli", "from-literal", "masterauth", "/p:",
    "/pass:", "/password:", " -pass",
)  # fmt: skip
_READS_INPUT = ("sudo", "passwd", "kinit", "cryptsetup", "su ", "-stdin", "passphrase-fd", "with-token")

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
# A word that the text must have, and with it one of these: the words of a text are looked up all at once.
_AS_WORDS = bytes(byte if chr(byte).isalnum() and byte < 128 else ord(" ") for byte in range(256))
_WITH_WORD = {
    **{word.replace("-", " ").split()[-1].encode(): (word,) for word in _ASCII_WORDS if "passe" not in word},
    b"passe": ("mot de passe", "palavra-passe"),
    b"wpa": ("wpa_pass", "wpa-psk"),
    b"configure": ("configure set",),
    b"config": ("config set",),
    b"net": ("net user",),
    b"rclone": ("rclone obscure",),
    b"literal": ("from-literal",),
    **{word.encode(): (word,) for word in ("sqlplus", "sqlldr", "rabbitmqctl", "htpasswd", "requirepass", "nmcli")},
    **{word.encode(): (word,) for word in ("expdp", "impdp", "rman", "masterauth")},
    **{word.encode(): ("|", "<<") for word in ("sudo", "passwd", "smbpasswd", "chpasswd", "kinit", "cryptsetup", "su")},
}
_WORDS = frozenset(_WITH_WORD)


def _by_first_byte() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The other words in small and capital letters, as a lowered text has them, by their first byte beyond ASCII."""
    found: dict[str, tuple[str, ...]] = {}
    for word in PASSWORD_IN_OTHER_LANGUAGES:
        for form in dict.fromkeys((word, word.capitalize(), word.upper())):
            low = form.encode().lower().decode("latin-1")
            first = next((char for char in low if char > "\x7f"), "")
            if first and low not in found.get(first, ()):
                found[first] = (*found.get(first, ()), low)
    return tuple(found.items())


_OTHER_WORDS = _by_first_byte()
_may_name = re.compile("|".join((_NAMES_CREDENTIAL, *_ASCII_WORDS)), re.IGNORECASE).search


def may_name_credential(name: str) -> bool:
    """A first look at a name: every credential's passes."""
    return bool(_may_name(name)) or (not name.isascii() and _names_password_beyond_ascii(lowered(name)))


def may_hold_secret(text: str) -> bool:
    """Whether the second stage has to look at the text; no means there is nothing."""
    raw = text.encode("utf-8", "surrogatepass")
    runs = raw.translate(_AS_RUNS)
    start = runs.find(_LONG)
    while start >= 0:
        names = _NAMES.match(raw, start)
        if not names:
            return True
        start = runs.find(_LONG, names.end())
    # Lower-casing bytes leaves all but ASCII alone; as Latin-1 it is searched fastest.
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
    """The text as has_hint wants it: ASCII in lower case, the rest as UTF-8 bytes."""
    return text.encode("utf-8", "surrogatepass").lower().decode("latin-1")


def has_hint(low: str) -> bool:
    """Whether a lowered text holds the beginning of one of our own shapes."""
    if "@" in low and "://" in low:
        return True
    for hint in _HINTS:
        if hint(low):
            return True
    if "'" in low and " by '" in low:  # SQL: identified by '…'
        return True
    if _has_word(low) or "l/p" in low or "/p:" in low or "akia" in low or ("send" in low and "assword" in low):
        return True
    option = _OPTION(low)
    if option and option["short"]:
        if takes_short_option(low):
            return True
        option = re.compile(f"-(?:{_LONG_OPTION})", re.ASCII).search(low, option.end())
    return bool(option)


def _has_word(low: str) -> bool:
    for word in _WORDS.intersection(low.encode("latin-1").translate(_AS_WORDS).split()):
        if any(needed in low for needed in _WITH_WORD[word]):
            return True
    return not low.isascii() and _names_password_beyond_ascii(low)


def names_password_in_another_language(low: str) -> bool:
    """Whether a lowered text holds the word."""
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


def tells_user_and_password(low: str) -> bool:
    """Whether a lowered text tells a user and a password in a sentence."""
    return bool(_CREDENTIALS(low) or _LOGIN(low) or _SIGN_IN(low) or _PASSWORD(low)) or "l/p" in low


def tells_password(low: str) -> bool:
    """Whether a lowered text has the word and then what may be one."""
    return bool(_PASSWORD(low))
