"""The words by which a text shows that it does not state what counts now, and the words that are not values.

They are in English, with the few German, French, Spanish and Chinese ones that short statements use.
"""

from __future__ import annotations

import re

_NOT_NOW = """was were had been used to previously formerly earlier before initially at first originally old older
    former considered consider considering alternative alternatives rejected reject rejects discarded dropped abandoned
    superseded supersedes replaced replaces replacing no longer anymore if unless when whenever could might would should
    may maybe perhaps proposal proposed propose suggest suggested whether example e.g. for instance todo try tried
    trying question open question reverted temporarily
    evaluated evaluating compared comparing explored investigated discussed benchmarked weighed
    war früher falls wenn könnte sollte était avant si quand era antes cuando""".split()
_JOINED = ("used to", "at first", "no longer", "for instance", "open question")
_SINGLE = sorted({*_NOT_NOW} - {word for phrase in _JOINED for word in phrase.split()} - {"e.g."})
NOT_NOW = re.compile(
    rf"(?<![\w.-])(?:{'|'.join(map(re.escape, [*_JOINED, *_SINGLE]))})(?![\w-])"
    r"|\be\.g\.|[?？][\s\"'”»)*_`]*$|以前|之前|如果|もし",
    re.I,
)
"""History, conditions, proposals and questions: such a clause states nothing that counts now."""

TURNED = (
    r"(?:changed|switched|migrated|raised|lowered|increased|decreased|reduced|bumped|extended|shortened|upgraded|"
    r"downgraded)"
)
CHANGED = re.compile(
    rf"\b(?:(?:has|have)\s+been\s+(?:set|moved|updated|{TURNED})|(?:was|were)\s+(?:moved|updated|{TURNED}))\s+"
    r"(?:from\s+[^.;,]{1,60}?\s+)?to\b",
    re.I,
)
"""History that says what counts now."""
FROM = re.compile(rf"\b({TURNED}\s+(?:the\s+|our\s+)?[^.;,]{{1,60}}?)\s+from\s+[^.;,]{{1,60}}?\s+(?=to\b)", re.I)
"""What somebody changed, and the old value: "changed the format from CSV" of "changed the format from CSV to JSON"."""
REASON = re.compile(r"(?<=[\w)`\"']),?\s+because\s.*", re.I | re.S)
"""Why something is so: this states nothing itself, and often names what was there before."""
NO_LONGER = re.compile(r"\b(?:is|are)\s+no\s+longer\b", re.I)
NOT_IN_SHORT = re.compile(r"\b(is|are)n['’]t\b", re.I)
NOT_ANY_MORE = re.compile(r"\b((?:is|are)\s+not\s+[^.;!?]{1,80}?)\s+any\s?more\b", re.I)

NOT_STATED = re.compile(
    r"\b(?:readme|docs?|documentation|comments?|errors?|messages?|logs?|output|traceback|changelog|spec)\s+(?:still\s+)?"
    r"(?:says?|said|shows?|showed|claims?|claimed|reads?|states?|mentions?|has|had)\b"
    r"|\b(?:out[ -]of[ -]date|outdated|stale|wrong|wrongly|incorrect|incorrectly|mistaken|mistakenly|by\s+mistake)\b"
    r"|\bit\s+(?:says|said)\b|\bfirst\s+(?:message|prompt|request)\b|\boption\s+[a-z0-9]\b|\bupstream\b"
    r"|\bgit\s+commit\b|\bcommit\s+[0-9a-f]{6,40}\b"
    r"|\bbug\s+where\b|\braises\b|\bmust\s+(?:be\s+refused|fail)\b|\bfrom\s+\S+\s+to\b"
    r"|\b(?:in|for|during|under)\s+(?:(?:the|our|all|local|unit|integration)\s+)*"
    r"(?:tests?|ci|dev|development|staging|fixtures?|examples?|mocks?)\b",
    re.I,
)
"""What others say, what is wrong, what a test does, and what holds only somewhere."""

CASE_BEFORE = re.compile(
    r"\A\W*(?:E\s{2,})?(?:(?:edge\s+case|error\s+case|test|scenario|example)s?(?:\s+\w+)?|"
    r"(?:[\w.]*(?:error|exception|warning)|fatal|panic|failure|got|seen)(?:\s*[\[(][^\])]*[\])])?)\s*:",
    re.I,
)
"""A clause that begins so describes a case, or is the message of an error."""

ASIDE = re.compile(
    r"\A\W*options\W*\Z|\b(?:we\s+tried|went\s+wrong|alternatives?|considered|rejected|discarded|dropped|abandoned|superseded|replaced|obsolete|outdated|proposals?|"
    r"proposed|ideas?|questions?|history|errors?|failed|failures|examples?|scenarios?|avoid|never|do\s+not|don['’]t|out\s+of\s+scope|"
    r"no\s+longer|other\s+options|user\s+messages|old\s+(?:values?|config\w*|settings?|approach|design|setup)|"
    r"alternativen|verworfen|rejetées?|rechazad[ao]s?)\b",
    re.I,
)
"""Titles of what does not count: what was thought of, went wrong, or is forbidden."""

NEGATION = re.compile(r"\b(?:not|never|avoid\w*|without|cannot|nicht|kein\w*|niemals|jamais|nunca)\b|n['’]t\b", re.I)

NO_VALUE = frozenset(
    """tbd todo n/a na none unknown undecided pending open see as same unchanged default defaults how why what where
    which who when the a an this that these those it its we they you i our is are was were be been being not no
    to in on at for from by with of and or but then than so must should can could will would may might has have had
    decided up out some any more another ? - – — … siehe voir ver offen""".split()
)
"""How a text begins that tells about a key and states no value of it."""

NO_VALUE_ALONE = frozenset(
    """done fixed wip ok works working important critical required needed settled added updated removed implemented
    refactored created migrated improved verified tested configurable connected reconnecting running failing passing
    started stopped ready available unavailable unreachable initialised initialized stable flaky slow fast
    waiting blocked merged deployed reviewed idle busy empty full down up online offline dead alive healthy unhealthy
    locked unlocked stuck gone noisy overloaded exhausted green red""".split()
)
"""Single words that tell about a key and state no value of it."""

WORK = frozenset(
    """fix add added update updated remove removed implement implemented refactor refactored create created migrate
    migrated investigate improve improved check verify verified rename renamed extend extended drop run rerun""".split()
)
"""How a text begins, of several words, that tells what is done about a key."""
TELLS_ABOUT = re.compile(
    r"(?!(?:hour|dai|night|week|month|year)ly)(?:[\w-]+(?:ed|ing|able|ible|ful|ous|ant|ent|ly)|[\w-]*(?:written|hidden|broken|chosen|known|built|made|bound|split)|"
    r"[\w-]+-(?:safe|aware|free|friendly|specific|agnostic)|backwards?|right|good|bad|better|worse|hard|easy|simple|"
    r"complex|new|clear|unclear|obvious|final|crucial|vital|odd|weird|messy|fragile|brittle|robust|safe|unsafe|risky|"
    r"fine|great|poor|valid|invalid|unique|per|part|very|quite|too|more|most|less|least|also|yet|always|often|again|"
    r"there|here|about|key)\b",
    re.I,
)
"""How a text begins that tells what something is like, or what is done with it, and not what it is."""
ATTRIBUTES = frozenset(
    """format method mode type kind language framework provider engine library tool toolkit strategy policy license
    licence schedule region encoding protocol algorithm channel style scheme convention unit currency layout theme
    dialect backend driver runtime manager runner linter formatter compiler parser serializer architecture period
    frequency standard""".split()
)
"""Last words of keys that are asked "which?": what such a key is, is its value."""
NO_SUBJECT = re.compile(
    r"(?:next|last|first|left|same|another|one|done|here|there|most|only|nothing|everything|\w+(?:ing|ed|ance|ence|ness|ity|"
    r"tion|ment)|bottleneck|culprit|blocker|problem|issue|cause|reason|priority|focus|topic|goal|question|risk|exception|"
    r"step|phase|task|point)\b",
    re.I,
)
"""How a sentence begins that ends with a key and does not say what it is: "Next is the database"."""
OBJECT = frozenset("the a an all this that these those its our every each old some any it them".split())
"""What follows a word that is done to something: in "journal: delete the old file", `delete` is not a value."""
NOT_COUNTED = frozenset("is are was were has have had of out or more fewer less others other".split())
"""What follows a number that counts something else: "retries: 3 of them failed"."""
DONE_TO_IT = re.compile(r"\w+ed\s+(?:in|into|by|to|from|behind|at|out|the|a|an|this|our|its|all)\b", re.I)
"""How a text begins that tells what was done to a key's subject: "wrapped in a class", "fixed the test"."""
WORK_LEFT = frozenset("pending done missing failing passing complete completed broken unfinished".split())
"""How such a text ends."""

NEGATORS = frozenset("not never no don't dont without avoid nicht kein keine nie pas jamais nunca".split())

NEGATED_BEFORE = re.compile(
    r"(?:\bnot|\bnever|\binstead of|\brather than|\bover|\bno longer|\bstatt|\bnicht|\bplutôt que)\s+"
    r"(?:the\s+|to\s+|use\s+|using\s+)*[\"'`“*]*\Z",
    re.I,
)

YES = frozenset("true on yes enabled enable".split())
NO = frozenset("false off no disabled disable".split())
NONE = NO | {"none", "nothing", "null", "nil", "without"}

VALUE_COLUMNS = frozenset("value decision decided choice chosen setting current selected".split())
OTHER_COLUMNS = frozenset(
    """change changes file files status state description notes note purpose owner assignee reason why comment comments
    test tests line lines path location meaning type result progress step action date default options option""".split()
)
"""Titles of columns that have the value of a key, and of those that have something else."""
SUFFIXES = ("s", "es", "js", "db", "ql", "sql", "lang")
"""What a name may have or lack and be the same: Mongo and MongoDB, tab and tabs."""

STATUSES = {
    "open": "open",
    "in progress": "in_progress",
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "blocked": "blocked",
    "closed": "closed",
    "done": "closed",
    "completed": "closed",
    "complete": "closed",
    "finished": "closed",
    "resolved": "closed",
}
"""What texts call a task's status → what the ledger calls it."""

DATA_LANGUAGES = frozenset(
    ["", *"json jsonc json5 yaml yml toml ini env dotenv properties conf cfg text txt md markdown".split()]
)
"""Fenced blocks that may state something. Others are code: what they assign is not a decision."""
