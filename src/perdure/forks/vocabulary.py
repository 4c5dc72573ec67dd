"""The words by which a text shows that it does not state what counts now, and the words that are no value.

They are in English, with the few German, French, Spanish and Chinese ones that short statements use.
"""

from __future__ import annotations

import re

_NOT_NOW = """was were had been used to previously formerly earlier before initially at first originally old older
    former considered consider considering alternative alternatives rejected reject rejects discarded dropped abandoned
    superseded supersedes replaced replaces replacing no longer anymore if unless when whenever could might would should
    may maybe perhaps proposal proposed propose suggest suggested whether example e.g. for instance todo try tried
    trying question open question war früher falls wenn könnte sollte était avant si quand era antes cuando""".split()
_JOINED = ("used to", "at first", "no longer", "for instance", "open question")
_SINGLE = sorted({*_NOT_NOW} - {word for phrase in _JOINED for word in phrase.split()} - {"e.g."})
NOT_NOW = re.compile(
    rf"(?<![\w.-])(?:{'|'.join(map(re.escape, [*_JOINED, *_SINGLE]))})(?![\w-])"
    r"|\be\.g\.|[?？]\s*$|以前|之前|如果|もし",
    re.I,
)
"""History, conditions, proposals and questions: such a clause states nothing that counts now."""

NO_VALUE = frozenset(
    """tbd todo n/a na none unknown undecided pending open see as same unchanged default defaults how why what where
    which who when the a an this that these those it its we they you i our is are was were be been being not no
    to in on at for from by with of and or but then than so must should can could will would may might has have had
    decided ? - – — … siehe voir ver offen""".split()
)
"""How a text begins that tells about a key and states no value of it."""

NO_VALUE_ALONE = frozenset("done fixed wip ok works working important critical required needed settled".split())
"""Single words that tell about a key and state no value of it."""

NEGATORS = frozenset("not never no don't dont without avoid nicht kein keine nie pas jamais nunca".split())

NEGATED_BEFORE = re.compile(
    r"(?:\bnot|\bnever|\binstead of|\brather than|\bover|\bno longer|\bstatt|\bnicht|\bplutôt que)\s+"
    r"(?:the\s+|to\s+|use\s+|using\s+)*[\"'`“*]*\Z",
    re.I,
)

YES = frozenset("true on yes enabled enable".split())
NO = frozenset("false off no disabled disable".split())

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
"""Fenced blocks that may state something. Others are code: what they assign is no decision."""
