"""Finds passwords that are plain words, where only what stands around them shows what they are.

Invariants: a word counts as a password only in a form that says nothing else: it fills the line behind its label, ends
the sentence that tells the password, or stands in a file of settings, a connection string or beside its user. Words
that say how a password is or what happens with it are left alone, and so are words of code. Repeats are bounded, and
each line is read once: time is linear.

Use: ``for begin, end, start, stop in plain_words(text): …``
"""

from __future__ import annotations

import re

from ._names import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Finding = tuple[int, int, int, int]

# Words of a sentence about a password, and of what programs do with passwords.
_OF_SENTENCES = frozenset(
    (
        "the a an this that these those my our your their its his her is are was were be been has have had do does"
        " did not no never and or but nor for from with without within into onto via per than then when where why"
        " how what which who whom if unless until till because since so such too very more most less least much"
        " many few any all every each both either neither some none only also again still just yet already always"
        " often sometimes soon later now here there at by in of on to up down out off over under after before"
        " between through during against about across along behind below above beside near as can cannot could may"
        " might must shall should will would let see ask use using used get set got sets gets keep kept put read"
        " write wrote sent send show shows shown hide ok okay done fine works work fails fail breaks broke wrong"
        " right error errors bug bugs fix todo tbd wip required needs need missing same different minimum maximum"
        " min max length long short character characters chars char digit digits letter letters symbol symbols word"
        " words number numbers byte bytes text string field fields form forms input inputs box label page screen"
        " dialog modal prompt button link view flow step test tests check checks rule rules policy policies"
        " strength entropy hash hashes salt cipher key keys token tokens secret secrets value values default column"
        " table row type types option flag argument variable env file files vault store storage manager keyring"
        " keychain database user users username login logins account accounts admin root person people email mail"
        " name names reset resets change changes update updates rotation expiry auth oauth sso api url http https"
        " client server service session cookie header request response code docs doc readme config settings setup"
        " format encoding plaintext cleartext validation confirmation recovery hint hints grant access twice once"
        " first last next new old other another"
    ).split()
)
# What else a password is said to be.
_STATES = frozenset(
    (
        "correct incorrect valid invalid empty blank null unset unknown known secret public private weak strong"
        " safe unsafe secure insecure long short longer shorter stronger weaker better worse older newer safer"
        " easier harder simpler higher lower larger smaller good great bad worst best easy hard simple complex"
        " trivial plain clear opaque raw unique random fresh stale stuck gone back lost found dead alive live local"
        " remote global shared common generic basic trusted mixed fixed static dynamic upper case hidden visible"
        " masked broken stolen forgotten written given taken chosen spoken frozen proven enough sufficient equal"
        " similar fake dummy sample example placeholder nonsense garbage gibberish rubbish history mandatory"
        " obsolete needed moot void ready there elsewhere everywhere nowhere somewhere anywhere today tomorrow"
        " yesterday tonight monday tuesday wednesday thursday friday saturday sunday whatever something anything"
        " nothing everything someone anyone nobody everyone mine yours ours theirs true false binary ascii unicode"
        " base utf hex bcrypt argon scrypt sha optional constant literal useless harmless pointless overkill"
        " available unchanged built bound held left cut made paid sold told taught caught brought bought thought"
        " unclear odd weird strange silly awful terrible horrible perfect nice cool neat legacy manual automatic"
        " human readable numeric yes maybe perhaps probably certainly nearly almost quite rather really truly"
        " instead however though although otherwise anyway indeed else like alike alone apart aside away ahead"
        " later earlier sooner forever together outside inside upstream downstream offline online inline"
    ).split()
)
_SAYS_HOW = re.compile(
    r".*(?:ed|ing|ly|able|ible|ful|less|ous|ive|al|ic|ory|ary|ant|ent|tion|sion|ment|ness|ity|ance|ence|ised|ized|ware)"
)
_IN_PHRASE_SAYS_HOW = re.compile(r".*(?:ed|ing|ly|able|ible|tion|sion|ment|ness|ity)")


def _is_word(word: str, shortest: int = 4) -> bool:
    """Whether the single word can be a password, and says nothing about one."""
    if not shortest <= len(word) <= 32 or not word.isalpha() or not word.islower() or not word.isascii():
        return False
    if word in _OF_SENTENCES or word in _STATES or _SAYS_HOW.fullmatch(word) or is_placeholder(word):
        return False
    return "pass" not in word


def _is_phrase(words: list[str]) -> bool:
    """Whether the words are a passphrase, and no sentence."""
    return 2 <= len(words) <= 8 and all(
        3 <= len(word) <= 16
        and word.isalpha()
        and word.islower()
        and word.isascii()
        and word not in _OF_SENTENCES
        and not _IN_PHRASE_SAYS_HOW.fullmatch(word)
        for word in words
    )


# ---- the word fills the line behind its label --------------------------------------------------------------------

_NOUN = r"(?:password|passwd|passphrase|passcode)"
_LABEL = re.compile(
    rf"(?<![\w.-])(?P<noun>{_NOUN}|pw)[*_`]{{0,3}}"
    r"(?:[ \t]{1,2}(?:for|of|on|at)(?:[ \t]{1,2}[\w.@/-]{1,32}){1,3}?)?[ \t]{0,4}:[*_`]{0,3}[ \t]{1,4}[*_`]{0,3}"
    r"(?P<secret>[a-z]{3,32}(?: [a-z]{3,16}){0,7})[*_`]{0,3}[)]?[ \t]{0,8}(?:(?:#|//)[^\n]{0,200})?(?=\n|\r|\Z)",
    re.IGNORECASE | re.ASCII,
)
_MARKUP = re.compile(r"[ \t>*#|/+_`(;-]{0,16}")
# Whose password it is.
_WHOSE = frozenset(
    (
        "the my our your their this root admin administrator administrative db database user username login"
        " account sudo master system host server router wifi wlan vpn ssh ftp sftp smtp imap mail email guest"
        " service staging prod production dev development test qa ci demo postgres postgresql mysql mariadb mongo"
        " mongodb redis rabbitmq ldap oracle sql mssql wordpress jenkins grafana gitlab github docker registry npm"
        " keystore zip archive backup key gpg pgp bios disk luks cluster team shared new old current temp temporary"
        " initial default enter"
    ).split()
)
_LONGEST_BEFORE = 60
_FOR_PW = re.compile(r"p\w*w\w*", re.ASCII)
"""What "pw" may be short for."""


def _labelled(text: str) -> Iterator[Finding]:
    for match in _LABEL.finditer(text):
        words = match["secret"].split()
        if match["noun"].lower() == "pw" and _FOR_PW.fullmatch(words[0]):
            continue
        if _may_be_password(words) and _begins_line(text, match.start()):
            yield match.start(), match.end(), match.start("secret"), match.end("secret")


def _may_be_password(words: list[str]) -> bool:
    return _is_word(words[0]) if len(words) == 1 else _is_phrase(words)


def _begins_line(text: str, at: int) -> bool:
    """Whether nothing but signs, and words that say whose password it is, stands before this place in its line."""
    begin = text.rfind("\n", max(0, at - _LONGEST_BEFORE), at) + 1
    if at - begin > _LONGEST_BEFORE:
        return False
    marks = _MARKUP.match(text, begin, at)
    before = text[marks.end() if marks else begin : at].lower().replace("wi-fi", "wifi").split()
    return len(before) <= 4 and _WHOSE.issuperset(word.strip("*_`'’s") or word for word in before)


# ---- the word ends the sentence that tells the password -------------------------------------------------------------

_SAID = re.compile(
    rf"\b(?:{_NOUN}|pw)(?:[ \t]{{1,2}}(?:for|of|on|at|to)(?:[ \t]{{1,2}}[\w.@/-]{{1,32}}){{1,3}}?)?"
    r"(?:[ \t]{1,2}(?:is|was)|['’]s)(?:[ \t]{1,2}(?:now|still|currently|simply|just))?[ \t:]{1,3}"
    r"(?P<quote>[\"'`“‘]?)(?P<secret>[a-z]{3,32}(?: [a-z]{3,16}){0,7})(?P<closing>[\"'`”’]?)"
    r"(?=[ \t]{0,4}(?:\Z|[\r\n]|[.,;!)](?:\s|\Z)))",
    re.IGNORECASE | re.ASCII,
)
_FEWEST_WORDS = 4
"""A phrase of fewer words, without quotes, may be the end of any sentence."""


def _said(text: str) -> Iterator[Finding]:
    for match in _SAID.finditer(text):
        words, quoted = match["secret"].split(), bool(match["quote"] and match["closing"])
        if bool(match["quote"]) != bool(match["closing"]):
            continue
        if len(words) == 1:
            is_password = _is_word(words[0], 4 if quoted else 5)
        else:
            is_password = _is_phrase(words) and (quoted or len(words) >= _FEWEST_WORDS)
        if is_password:
            yield match.start(), match.end(), match.start("secret"), match.end("secret")


# ---- settings, connection strings, users ----------------------------------------------------------------------------

_SETTING = re.compile(
    r"(?m)^[ \t]{0,8}(?P<name>[\w.-]{0,40}(?:password|passwd|passphrase|pass|pwd|pw))[ \t]{1,8}=[ \t]{1,8}"
    r"(?P<secret>[^\s#;()\[\]{}\"'][^\n#;()\[\]{}\"']{2,64}?)[ \t]{0,8}(?:[#;][^\n]{0,200})?$",
    re.IGNORECASE | re.ASCII,
)
_LINE_OF_SETTINGS = re.compile(
    r"\s*(?:[#;].*|\[[\w .:\"/-]{1,80}\]|[\w.-]{1,64}[ \t]*=[ \t]*(?:[^\s(){}\[\],]+(?: [^\s(){}\[\],=]+)*)?[ \t]*)?",
    re.ASCII,
)
_MOST_LINES = 400


def _in_settings(text: str) -> Iterator[Finding]:
    """In a text that has nothing but lines such as ``name = value``, comments and headings of sections."""
    found = list(_SETTING.finditer(text))
    if not found:
        return
    lines = text.splitlines()
    if len(lines) > _MOST_LINES or not all(map(_LINE_OF_SETTINGS.fullmatch, lines)):
        return
    for match in found:
        if _may_be_password(match["secret"].split()):
            yield match.start(), match.end(), match.start("secret"), match.end("secret")


_CONNECTION = re.compile(  # Server=x;User Id=sa;Password=x;
    r"(?:\A|[;\"'\s])(?:server|data source|address|addr|host|driver|provider|dsn|database|initial catalog|port|uid"
    r"|user(?: ?id|name)?)[ ]?=[^;=\n\"']{1,80};(?:[^;=\n\"']{1,40}=[^;=\n\"']{0,80};){0,8}"
    r"[ ]?(?:password|pwd)[ ]?=[ ]?(?P<secret>[^;\s\"'${<]{3,128})(?=[;\"']|\s|\Z)",
    re.IGNORECASE | re.ASCII,
)
_PAIR = re.compile(  # username: admin, password: x
    r"\b(?:user(?:name)?|login)[ \t]{0,2}[:=][ \t]{0,2}[\w.@+-]{1,64}[ \t]{0,2}[,;/|]?[ \t\n]{1,3}(?:and[ \t]{1,2})?"
    r"(?:password|passwd|pw|pass)[ \t]{0,2}[:=][ \t]{0,2}(?P<secret>[a-z]{4,32})(?=[.;]?(?:[ \t]{0,4}[\r\n]|\Z|[ \t]))",
    re.ASCII | re.IGNORECASE,
)
_IN_JSON = re.compile(  # {"user": "admin", "pw": "x"}
    r"\"(?:user(?:name)?|login|email|uid)\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"[^\"\n]{1,80}\"\s{0,4},\s{0,20}\\{0,3}\"(?:pw|pwd|pass)"
    r"\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"(?P<secret>[^\"\\\s]{3,64})\\{0,3}\"",
    re.ASCII | re.IGNORECASE,
)
_IN_REDIS = re.compile(
    r"(?m)^[ \t]{0,8}(?:requirepass|masterauth)[ \t]{1,8}(?P<secret>[a-z]{4,64})[ \t]{0,8}$", re.ASCII
)
_MAY_BE_CODE = "({["


def _beside_user(text: str) -> Iterator[Finding]:
    for match in _PAIR.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if _is_word(match["secret"]) and not any(sign in line for sign in _MAY_BE_CODE):
            yield match.start(), match.end(), match.start("secret"), match.end("secret")
    for pattern in (_CONNECTION, _IN_JSON):
        for match in pattern.finditer(text):
            if not is_placeholder(match["secret"]):
                yield match.start(), match.end(), match.start("secret"), match.end("secret")
    for match in _IN_REDIS.finditer(text):
        if _is_word(match["secret"]):
            yield match.start(), match.end(), match.start("secret"), match.end("secret")


def plain_words(text: str) -> Iterator[Finding]:
    """Each password that is a plain word, or several."""
    yield from _labelled(text)
    yield from _said(text)
    yield from _in_settings(text)
    yield from _beside_user(text)
