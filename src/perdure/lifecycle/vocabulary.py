"""The words by which two sentences say the same or the opposite, in the languages that people mix with English."""

from __future__ import annotations

import re

from perdure.model.terms import terms_of

STOP = frozenset(
    """a an the and or of to in on at for from by with as into onto is are was were be been being am it its this that
    these those there here then than so such i you he she we they me us them my your our their his her who which what
    do does did done will would shall should can could may might has have had having if please also just very really
    now still already about via per each any some all both every other e.g i.e etc ok okay
    wants want wanted wish user users person persons said says say told tell explicitly
    specifically currently next step steps task tasks goal decision decided decide rule rules constraint constraints
    up out over under again once when while where how why because since until unless
    der die das den dem des ein eine einen einem einer und oder ist sind war zu zum zur im in auf mit von für aus bei
    es er sie wir ihr du ich bitte auch noch schon dann wenn als wie
    le la les un une des du de et ou est sont à au aux en dans sur pour par avec il elle nous vous je tu que qui ce ne
    el los las uno una unos y o es son a al del en con por para que se su tu yo""".split()
)
"""Words that say nothing about what a sentence is about."""


_ALIKE = """
    delete remove erase
    use uses used using adopt utilis utiliz employ choos chose chosen pick select prefer
    keep kept retain preserve maintain leave stay remain
    change modify modification alter edit touch
    create make write written wrote
    fix repair correct
    folder directory dir
    repository repo
    database db
    config configuration
    environment env
    auth authentication
    docs documentation doc
    must require need mandatory
    production prod
    development dev
    javascript js
    typescript ts
    postgr postgresql postgre pg
    kubernet k8
    parameter param argument arg
    function func
    application app
    dependency dep
    verify validate check
    below under beneath
    begin start
    show display
    request req
    message msg
    commit committ
    allow permit
    only sole solely exclusive exclusively
    test spec
    build built
    send sent
    run ran runn
    upgrade update
    implement
    library lib
    money monetary
    cent
    integer int
    second sec
    migration migrate
    deploy deployment
    push pushe
"""


_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def bare(stem: str) -> str:
    """The stem of `model/terms.py` once more, so that further forms of a word agree: policy and policies, running and
    run."""
    stem = _DOUBLED.sub(r"\1", stem)
    return stem[:-1] + "y" if stem.endswith("i") and len(stem) > 3 else stem


def _groups() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _ALIKE.strip().split("\n"):
        stems = [bare(stem) for word in line.split() for stem in terms_of(word)]
        for stem in stems:
            found[stem] = stems[0]
    return found


SAME = _groups()
"""Stem → the stem that stands for all words with that meaning."""


def term_of(word: str) -> str:
    """The term that stands for a single word and for all that mean the same."""
    stem = bare(terms_of(word)[0])
    return SAME.get(stem, stem)


WEAK = frozenset(
    map(
        term_of,
        "use make keep ensure always must need require work let get set go run add new good way thing current before "
        "after".split(),
    )
)
"""Terms that many sentences share: they weigh less."""

_OPPOSITES = """before after|enable disable|enabled disabled|increase decrease|raise lower|minimum maximum|min max
    |least most|true false|sync async|synchronous asynchronous|open close|internal external|public private|more less
    |more fewer|first last|allow deny|include exclude|add remove|start stop|on off|show hide|lock unlock|encrypt decrypt
    |upgrade downgrade|push pull|read write|input output|client server|local remote|ascending descending|keep remove
    |keep delete|keep drop|high low|horizontal vertical|horizontally vertically|early late|left right|up down|fast slow
    |old new|big small|large small|accept reject|create delete|manual automatic|manually automatically|online offline
    |pass fail|above below|inside outside|top bottom|single multiple|same different|short long|light dark|import export
    |upload download|encode decode|install uninstall|merge split|strict loose|required optional|visible hidden
    |major minor|primary secondary|width height|row column|success failure|always sometimes"""
OPPOSITES = {
    one: other
    for pair in _OPPOSITES.split("|")
    for one, other in (tuple(map(term_of, pair.split())), tuple(map(term_of, pair.split()[::-1])))
}
"""A term → the term that means the contrary."""
IS_GENERAL = re.compile(
    r"""\b(?:every|each|all|always|only|jede[rsnm]?|alle[rsnm]?|immer|nur|tous|toutes|chaque|toujours|todos|todas|cada
        |siempre|solo|sólo|все|каждый|всегда|только)\b""",
    re.I | re.X,
)
"""A rule for all cases."""
IS_RULE = re.compile(
    IS_GENERAL.pattern
    + r"""|\b(?:any|must|need(?:s|ed)?|required?|requires|should|shall|have[ ]to|never|not|no|without|limit(?:s|ed)?
        |restrict\w*|rules?|prefer\w*|constraints?|policy|mandatory|exclusively|ohne|muss|sollen?|kein\w*|doit|debe[n]?|нужно)\b""",
    re.I | re.X,
)
"""What tells of one case or of what was done has none of these."""
STILL_BLOCKS = re.compile(r"\b(?:block\w*|missing|lack\w*|wait\w*|still|need\w*)\b", re.I)
RELATIONS = frozenset(map(term_of, "before after above below more less fewer left right early late".split()))
"""What stands on the one side of them stands on the other side of their contrary."""

NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "zero null cero zéro",
            "one eins uno",
            "two zwei deux dos",
            "three drei trois tres",
            "four vier quatre cuatro",
            "five fünf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete",
            "eight acht huit ocho",
            "nine neun neuf nueve",
            "ten zehn dix diez",
            "eleven elf onze once_",
            "twelve zwölf douze doce",
            "thirteen",
            "fourteen",
            "fifteen fünfzehn quinze quince",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty zwanzig vingt veinte",
        )
    )
    for word in words.split()
} | {"thirty": 30, "dreißig": 30, "trente": 30, "treinta": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
NUMBERS |= {"hundred": 100, "thousand": 1000, "once": 1, "twice": 2, "thrice": 3, "dozen": 12}

UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys("ms msec millisecond milliseconds millisekunden".split(), ("time", 0.001)),
    **dict.fromkeys(
        "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos".split(), ("time", 1)
    ),
    **dict.fromkeys("min mins minute minutes minuten minuto minutos".split(), ("time", 60)),
    **dict.fromkeys("h hr hrs hour hours stunde stunden heure heures hora horas".split(), ("time", 3600)),
    **dict.fromkeys("d day days tag tage tagen jour jours día días dia dias".split(), ("time", 86_400)),
    **dict.fromkeys("week weeks woche wochen".split(), ("time", 604_800)),
    **dict.fromkeys("kb kib kilobyte kilobytes".split(), ("size", 1024)),
    **dict.fromkeys("mb mib megabyte megabytes".split(), ("size", 1024**2)),
    **dict.fromkeys("gb gib gigabyte gigabytes".split(), ("size", 1024**3)),
    **dict.fromkeys("% percent prozent pct".split(), ("share", 1)),
    "k": ("", 1000),
    "m": ("", 1_000_000),
}
"""A unit → what it measures and how much of that it is. Other words after a number are words."""

NEGATES = frozenset(
    """not never no don't dont doesn't didn't won't can't cannot mustn't shouldn't isn't aren't wasn't weren't neither
    nor none without avoid avoids avoiding refrain stop stops forbid forbids forbidding prohibit prohibits ban bans
    disallow disallows exclude excludes excluding except skip ohne sans sin sem senza без bez""".split()
)
"""They say the opposite of what follows them in their clause."""
NEGATES_CLAUSE = frozenset(
    """nicht kein keine keinen keinem keiner keines nie niemals ohne darf_nicht verboten pas jamais aucun aucune
    interdit nunca jamás prohibido ningún ninguna não нельзя не никогда запрещено nie nigdy forbidden prohibited avoided
    banned disallowed skipped excluded off-limits untouched unchanged unmodified alone intact as-is unacceptable
    impossible""".split()
)
"""They say the opposite of their whole clause, because they may stand behind what they negate."""
WITHOUT = frozenset("without unless until before ohne bevor sans sin sem senza без bez".split())
"""After a "not" they name the condition: "never commit without tests" demands the tests."""
ALLOWED = frozenset(
    """allowed permitted ok okay acceptable wanted welcome desired allow permit erlaubt gestattet erwünscht permis
    autorisé permitido разрешено""".split()
)
"""A "not" before one of these is a "not" of the whole clause."""
LEFT_ALONE = frozenset("untouched unchanged unmodified alone intact as-is".split())
"""Left like this means: not changed."""
NEGATES_WIDE = re.compile(
    r"不要|不得|不能|不可|不准|不许|勿|禁止|别|切勿|ないで|しない|ません|禁じ|てはいけ|하지|금지|않"
)
REJECTS = frozenset(
    """rejected rejecting reject discarded abandoned dropped reverted reverting undid undone superseded overruled
    withdrawn withdrew lifted waived cancelled canceled considered considering replaced replacing retired obsolete
    scrapped removed-from-scope verworfen abgelehnt zurückgenommen rejeté abandonné rechazado descartado""".split()
)
"""They say that something was thought of or held before, and does not hold."""
INSTEAD = re.compile(
    r"\b(?:instead of|rather than|as opposed to|in place of|no longer|anstatt|statt|plutôt que|en vez de)\b"
)
"""What follows in the clause does not hold."""
PREFERRED = re.compile(
    r"""\b((?:cho(?:ose|oses|osing|se|sen)|pick\w*|prefer\w*|favou?r\w*|select\w*|opt\w*[ ]for|went[ ]with)\b
        [^.,;()]{1,80}?)[ ]over\b""",
    re.I | re.X,
)
"""With one of these words, "over" means "instead of"."""
FROM_TO = re.compile(r"\b(?:from|von|de|с)\s+(\S+)\s+(?:to|auf|zu|à|a|на)\s+([^\s.,;)]+)", re.I)
IS_PASSIVE = frozenset("was were been is are being be got get has have wurde wurden été fue".split())
DONE = frozenset(
    """completed complete done finished implemented fixed resolved answered merged shipped closed solved erledigt fertig
    abgeschlossen terminé fait hecho terminado""".split()
)
_IRREGULAR_PAST = frozenset(
    """written wrote made built sent ran kept put shown drawn taken took found chosen chose given gave begun began
    rewritten rebuilt rerun undone redone split cut left got brought read""".split()
)
YET_TO_DO = re.compile(r"\b(?:to be|should|must|needs?|will|would|can|could|have to|has to|going to)\b", re.I)
ASKS = re.compile(
    r"[?？؟]|\b(?:whether|questions?|unclear|undecided|tbd|clarify|asks?|ob|frage|offen|unklar|si|pregunta|вопрос|ли)\b",
    re.I,
)
"""It asks, or says that it is not known."""
ANSWERED = re.compile(
    r"\b(?:decided|decision|agreed|settled|answer|confirmed|chose|entschieden|decidido|решено)\b", re.I
)
DONE_IN_BRACKETS = re.compile(
    r"[(\[](?:already )?(?:done|completed?|finished|merged|erledigt|fertig|完了|済)[)\]]", re.I
)
DONE_MARKS = re.compile(r"✅|✔|☑|\[[xX]\]")
NOT_DONE = re.compile(
    r"\b(?:not|n't|pending|next|todo|remaining|remains|open|still|yet|upcoming|in progress|unresolved|incomplete"
    r"|nicht|offen|noch|pas|falta|pendiente)\b|\[ \]",
    re.I,
)
BREAKS = frozenset(
    """but however because since so unless except until before after when if while whereas although though then aber
    weil sondern damit mais car sino pero porque""".split()
)
"""Words that end the clause that a negation reaches."""
REJECTED_HEADING = re.compile(
    r"\b(?:reject|abandon|discard|alternativ|not chosen|dropped|superseded|obsolete|reverted|verworfen|rejeté)", re.I
)
DONE_HEADING = re.compile(r"\b(?:completed|done|finished|resolved|erledigt|accomplish)", re.I)


def is_past(word: str) -> bool:
    """Whether an English verb is told as past: "added", "written"."""
    return word.endswith("ed") or word in _IRREGULAR_PAST
