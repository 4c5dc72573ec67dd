"""Finds what the person said that still holds (SPEC 12.2): the last prompts, and rules that hold beyond their prompt.

A rule is a sentence that forbids, demands or corrects something. A rule that the person took back is not shown.
"""

from __future__ import annotations

import re

from perdure.model.value import replace, value
from perdure.recovery import standing_rules
from perdure.recovery.standing_rules import BIE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perdure.recovery.gather import Utterance

FIRST_WORDS = 40
"""How many words of a long prompt are shown."""
LONGEST = 800
"""Characters; forty words of prose are about a third of that."""
# These patterns are given text in lower case: a pattern that ignores case is several times as slow.
_OPENING = r"""[\s*•-]{0,4}+
    (?:(?:ok(?:ay)?|yes|yeah|yep|sure|fine|al(?:l[ ])?right|well|actually|now|and|but|so|also|then
    |on[ ]second[ ]thought|please|oh|ah|hm{1,9}+|wait|sorry|no(?=[,.!])|good|great|thanks|i[ ]think|from[ ]now[ ]on
    |let['’]s|ja|nein|ach|jetzt|nun|ab[ ]jetzt|und|aber|gut|bitte|sí|vale|ahora|ay|bueno|y|pero|oui|maintenant|et|mais
    |bon|算了)[ ,.!…，]{1,4}+){0,5}+"""
"""Words that may stand before the actual statement. The repeats are bounded, because it is tried at each comma."""
_FORGET = re.compile(
    rf"""(?:^|(?<=[,;:–—-][ ])(?<!sa(?:ys|id):[ ])(?<!wrote:[ ])|(?<=[ ]and[ ])) {_OPENING} (?:(?:you|we)[ ]can[ ])?
        (?: never[ ]?mind | (?:forget|scrap)(?:[ ](?:that|it))? | scratch[ ](?:that|it|the)
          | i[ ]take[ ](?:that|it)[ ]back | ignore[ ](?:that|what[ ]i|the[ ](?=(?:\w+[ ])?rules?\b))
          | (?:i(?:['’]ve|[ ]have)?[ ])?changed[ ]my[ ]mind | vergiss | oublie | olvida(?:te)? | olvídalo )\b
      | ^{_OPENING} (?: 忘了 | 不用了 | (?=[^、。]{{1,40}}取り消) ) | ^\s*+算了""",
    re.X,
)
"""Takes back what is named behind it."""
_AFRESH = re.compile(
    r"""^\W*+(?:(?:no|oh|ok(?:ay)?|hm++|ah|wait|sorry|actually|please|ach|nein|ay)[ ,.!…]++)*+
        (?: (?:scratch|scrap|forget)[ ](?:that|it) | i[ ]take[ ](?:that|it)[ ]back | never[ ]?mind
          | vergiss[ ](?:das|es) | olvídalo | olvida[ ]eso | oublie[ ](?:ça|cela) | 算了 )
        (?: \s*+(?:\Z|[,.;:!。，！–—-]) | \n | [ ](?:and|use|let['’]?s|do|go|keep|just|instead)\b )""",
    re.X,
)
"""The beginning of a prompt that takes back the last sentence of the prompt before it, whatever that was about."""
_MAY = re.compile(
    rf"""^{_OPENING}
        (?: you[ ](?:can|may)(?![\w'’]) | you(?:[ ]are|['’]?re)[ ](?:now[ ])?allowed[ ]to | feel[ ]free[ ]to
          | (?:it|that)(?:[ ]is|['’]?s)[ ](?:now[ ])?(?:fine|ok(?:ay)?|allowed|al(?:l[ ])?right)[ ](?:now[ ])?to
          | (?:(?<=actually[ ])|(?<=actually,[ ])|(?<=thought,[ ])) (?: do\b | go[ ]ahead[ ]and | (?=(?:use|keep)[ ]) )
          | puedes | podéis | podés | se[ ]puede | está[ ]bien | tu[ ]peux | vous[ ]pouvez
          | (?P<last> du[ ](?:darfst|kannst) | ihr[ ](?:dürft|könnt)
            | (?:(?<=jetzt[ ])|(?<=nun[ ]))(?:darfst|kannst)[ ]du
            | es[ ]ist[ ](?:jetzt[ ]|nun[ ])?(?:in[ ]ordnung|ok(?:ay)?|erlaubt),? )
          | (?=[^，。]{{1,40}}可以) )""",
    re.X,
)
"""A permission: it takes back a rule that forbids what it names. In the group `last`, the verb comes last."""
_NEED_NOT = re.compile(
    rf"""^{_OPENING}
        (?: (?:you|we)[ ](?:no[ ]longer|don['’]?t|do[ ]not)[ ](?:need|have)[ ]to | you[ ]needn['’]t
          | (?:there(?:[ ]is|['’]s)[ ])?no(?:[ ]more)?[ ]need[ ]to
          | (?:ya[ ])?no[ ](?:hace[ ]falta|necesitas|tienes[ ]que)
          | (?:tu[ ]n['’]as|vous[ ]n['’]avez)[ ]plus[ ]besoin[ ]de
          | (?P<last> (?:du[ ](?:brauchst|musst)|(?:brauchst|musst)[ ]du)\b(?=[^,;]{{0,80}}[ ]nicht[ ]mehr\b) ) )""",
    re.X,
)
"""It takes back a rule that demands what it names."""
_ALIKE = (
    frozenset("touch chang edit modify updat alter rewrit".split()),
    frozenset("remov delet drop".split()),
    frozenset("ad creat introduc".split()),
)
"""Verbs with the same meaning, without their endings."""
_UNLESS = re.compile(
    r"""\b(?:if|unless|only|once|except|when|until|without|wenn|falls|nur|außer|ohne|bis|si|solo|sólo|salvo|sin|cuando
        |sauf|seulement|sans)\b""",
    re.X,
)
"""Conditions. A permission with a condition is a new rule; a rule with one is taken back only if all of it is named."""
_BEFORE = re.compile(r"\b(?:an|auf|ab|aus|ein|mit|vor|um|weg|nach)?(?:zu)?(?=\w{4})")
_INFINITIVE = re.compile(r"(?:ar|er|ir)(?:l[aeo]s?|me|te|se)?\Z")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|en|es|as|e|s|(?<=[rl])n)\Z")
_TWICE = re.compile(r"(\w)\1\Z")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|anstatt|statt|anstelle von|en vez de|en lugar de|au lieu de)\b")
_DOES = re.compile(
    r"\b(use|prefer|pick|choose|take|write|run|call|keep|put|install|verwende|benutze|nutze|nimm|usa|utiliza|utilise)\b"
)
_REASON = re.compile(r"\b(?:because|since|so|weil|denn|porque|car)\b")
_FORBIDS = re.compile(
    rf"""\b(?: never | not | cannot | no(?![,.!]) | don['’]?t | avoid | without | stop | nie(?:mals)? | nicht
        | keine?[nmrs]? | jamais | pas | nunca | jamás )\b | n['’]t\b | 不 | {BIE} | 禁止 | ないで""",
    re.X,
)
_AND = re.compile(r"[ ](?:and|or|but|nor|und|oder|aber|y|et|ou)[ ]|;|,[ ]")
_BREAK = re.compile(r"[,;:][ ]|[,;:]\Z|[;，；：]|[ ][–—-]+[ ]|[–—(]")
"""Where a clause ends."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+|(?<=[a-z]{2})[ ]?\.{2,4}(?=[a-z])")
"""Some people write two dots and no space between their sentences."""
_CODE = re.compile(
    r"""^(?: // | \S+\.\w+:\d+: | \d+\s*[-+|:] | \#\s*\w+\( | /\* | \*/ | \| | [❯$>%]\s | \+\s | @@ | error:
        | at\s\S+\( )
        | [;{}]$ | ^\s*[\w.]+\(.*\)$ | \):$""",
    re.X,
)
_WORD, _TERM = re.compile(r"\S+"), re.compile(r"[\w./+#'’-]+")
_NOT_THE_PERSONS = re.compile(
    r"""\AImplement[ ]the[ ]following[ ]plan:.*                   # the agent's plan, which the client gives back to it
      | ```.*?(?:```|\Z)                                          # a fenced block
      | ^[ \t]*+>[^\n]*+                                          # a quoted line
      | (?<![\w=(\[{:,])["“„][^"“”„\n]{60,2000}["”“]                # a sentence or more between quotation marks
      | <([a-z]\w*+(?:-\w++)++)(?:[ ][^<>]*+)?+>.*?(?:</\1>|\Z)    # a block that a client or another agent put in
      | ^<([a-z]\w*+)(?:[ ][^<>]*+)?+>\n(?:[^\n]*+\n){0,200}?[ \t]*+</\2>  # a tagged block of lines
      | ^(?:(?:from|to|cc|date|sent|subject|von|an|betreff|gesendet|de|para|asunto|objet|envoyé)
        [ ]?:[ ][^\n]*+\n){2,}+.*                                  # a mail, up to the end
      | ^[^\n]*?\b(?<!\bi[ ])(?:wrote|writes|said|says|schrieb|schreibt|sagte|escribió|dice|dijo|écrit|dit)
        [ ]?:[ \t]*+\n\s*+(?:[^\n]++(?:\n|\Z))++                                    # the paragraph after "Bob wrote:"
      """,
    re.X | re.S | re.M | re.I,
)
"""Parts of a prompt that are not the person's own words: quotes, pasted text, and what a client or agent inserted."""
_FOR_THIS = re.compile(r"(?i)\A(?:please )?use [\w.-]+\W*\Z")
_POINTS = re.compile(r"https?://|[?？]")
"""In a prompt that asks something or points somewhere, "use the-tool" says how to look that up."""
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_COMMON = re.compile("取り消[ぁ-ん]*+|可以|不要|必须|现在|[的了吧就也都还把在请のをはがにでと]")
_WIDE_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
MOST_LAST = 8
"""Prompts that count as the last ones."""
MOST_PROMPTS = 400
"""Prompts that are read."""
MOST_RULES = 200
MOST_WITHDRAWN = 300
"""Sentences that take something back."""
LONGEST_TEXT = 20_000
"""Characters of a prompt that are read."""
LONG = 120
"""A prompt with more words than this and with headings or tables has a pasted document in it."""
_STRUCTURE = re.compile(r"^(?:#{1,6}[ ]|\||\*\*[^*\n]+\*\*:?$|---+$)", re.M)
"""A line of a document: a heading, a table, a rule."""
PASTED = 400
"""A prompt with more words than this is treated as a pasted document."""
_COMMON = frozenset(
    "the a an and or but to of in on for with it is are was be this that i you we please not no do don't dont use "
    "using have has as at from into by so if then now just can could would should must only always never all any my "
    "me us about what said rule rules actually ok okay here there everywhere again anymore more longer instead let's "
    "lets also same after anyway too still course thanks yet will am der die das den dem des ein eine einen einem und "
    "oder aber nicht nie niemals immer nur jetzt bitte mit auf von für ist sind zu du ihr es darfst dürft kannst "
    "könnt ordnung benutze verwende nutze nimm nach im zum zur mehr doch wieder auch nun el la lo los las un una unos "
    "al de del que en con por para y o se nunca siempre ahora puedes está bien usa utiliza ya hacer también final le "
    "les une au aux et ou ne pas jamais toujours maintenant tu vous peux pouvez utilise à sur dans faire plus aussi "
    "finalement".split()
)
_EMPTY = _COMMON - {"use"}
"""Words that name nothing. "use" is kept: it may be what a person takes back, although no rule is about that word."""


@value
class Words:
    """The person's words, unchanged, newest first."""

    last: tuple[Utterance, ...]
    rules: tuple[Utterance, ...]
    earlier: tuple[Utterance, ...]
    """Prompts before the last ones that say something and were not taken back."""


def words_of(prompts: Sequence[Utterance]) -> Words:
    latest = prompts[-MOST_PROMPTS:]
    own = [replace(heard, text=_own_words(heard.text)) for heard in latest]
    withdrawn = _withdrawn([heard.text for heard in own])
    rules = _each_once(_rules(own, withdrawn))[:MOST_RULES]
    last = _each_once(replace(heard, text=first_words(heard.text)) for heard in reversed(latest))
    known = {heard.text for heard in last[:MOST_LAST]}
    held = _each_once(_that_hold(latest, withdrawn))
    return Words(last[:MOST_LAST], rules, tuple(heard for heard in held if heard.text not in known))


def _own_words(text: str) -> str:
    return _NOT_THE_PERSONS.sub("\n", text[:LONGEST_TEXT])


def _that_hold(prompts: Sequence[Utterance], withdrawn: _Withdrawn) -> Iterator[Utterance]:
    """The prompts, newest first, of whose first words nothing was taken back."""
    for number in reversed(range(len(prompts))):
        text = first_words(prompts[number].text)
        if _says_much(text) and not any(withdrawn.takes_back(each, number) for each in _sentences(text)):
            yield replace(prompts[number], text=text)


def _each_once(said: Iterable[Utterance]) -> tuple[Utterance, ...]:
    first: dict[tuple[str, str], Utterance] = {}
    for heard in said:
        first.setdefault((heard.text, heard.answers), heard)
    return tuple(first.values())


def first_words(text: str) -> str:
    """The text, unchanged; of a long one, its first 40 words."""
    pieces = list(_WORD.finditer(text[:LONGEST]))
    if len(text) > LONGEST and not text[LONGEST].isspace() and len(pieces) > 1:
        pieces.pop()  # half a word
    if len(pieces) <= FIRST_WORDS and len(text) <= LONGEST:
        return text.strip()
    return text[pieces[0].start() : pieces[min(FIRST_WORDS, len(pieces)) - 1].end()] + " …" if pieces else ""


def _rules(prompts: Sequence[Utterance], withdrawn: _Withdrawn) -> Iterator[Utterance]:
    """Rules that forbid something first, then other strong ones (always, must), then corrections, then wishes; newer
    ones before older ones."""
    found: list[tuple[int, int, str]] = []
    for number, text in enumerate(heard.text for heard in prompts):
        for clean, force in _forceful(_typed(text)):
            is_answer = bool(prompts[number].answers)  # "only me" is an answer and no rule
            is_how = _FOR_THIS.search(clean) and _POINTS.search(text)
            is_past = number + 1 < len(prompts) and standing_rules.holds_the_work(clean.lower())
            if not is_past and (force == standing_rules.FORBIDS or not (is_answer or is_how)):
                found.append((force, number, clean))
    found.sort(key=lambda rule: rule[:2], reverse=True)
    for _, number, clean in found:
        if not withdrawn.takes_back(clean, number):
            yield replace(prompts[number], text=first_words(clean), answers="")


def _typed(text: str) -> str:
    """What the person typed themselves: of a long prompt with headings or tables, what stands before the first of
    them; nothing of a text that is too long to be typed."""
    if len(text) > LONG and len(text.split()) > LONG and len(_STRUCTURE.findall(text)) > 1:
        text = _STRUCTURE.split(text, maxsplit=1)[0]
    return "" if len(text) > PASTED and len(text.split()) > PASTED else text


def _forceful(text: str) -> list[tuple[str, int]]:
    """The sentences that are rules, each with its force (see `_force`)."""
    clean = _sentences(text)
    forces = [_force(sentence.lower()) for sentence in clean]
    bare = [_is_bare(sentence.lower()) for sentence in clean]
    return [(clean[at], forces[at]) for at in range(len(clean)) if forces[at] and not any(bare[at + 1 : at + 2])]


def _sentences(text: str) -> list[str]:
    """The sentences that say something: no code, no table, no question."""
    return [piece for piece in _pieces(text) if _says(piece) and piece[-1] not in "?？" and not _CODE.search(piece)]


def _pieces(text: str) -> list[str]:
    pieces = (piece.strip(" -*•\t") for piece in _SENTENCE.split(_own_words(text)))
    return [piece for piece in pieces if piece]


def _says(piece: str) -> bool:
    return len(piece.split(None, 2)) >= 2 or len(_WIDE.findall(piece)) >= 5


def _says_much(prompt: str) -> bool:
    """Whether it says more than that the agent may continue."""
    return len(prompt.split(None, 4)) > 4 or len(_WIDE.findall(prompt)) > 8


def _force(sentence: str) -> int:
    """How strong a rule the sentence is; 0 if it is not a rule. It is in lower case.

    The part of it that takes a rule back does not count, but the rest may be a rule."""
    for found, _ in _taking_back(sentence):
        if found.re is not _FORGET:
            sentence = "may " + sentence[found.end() :].replace("nicht mehr", "")
    return standing_rules.force(_FORGET.sub(" ", sentence).lstrip(" ,;:."))


def forbids(rule: str) -> bool:
    """Whether the rule says what must not be done."""
    return _force(rule.lower()) == standing_rules.FORBIDS


def _is_bare(sentence: str) -> bool:
    """Whether it says only "Forget it.", which is about the sentence before it."""
    return bool(_FORGET.search(sentence)) and not _content(_FORGET.sub(" ", sentence))


@value
class _Taking:
    """A statement that something no longer holds."""

    prompt: int
    named: tuple[frozenset[str], ...]
    """Each word that it names, in its forms. A rule that it takes back has one form of each."""
    forbidden: bool | None
    """True if it takes back rules that forbid, False if rules that demand, None if both."""


class _Withdrawn:
    """What the person took back, in one of three ways: a sentence names what no longer holds; a prompt begins with
    "forget that", which means the prompt just before it; or a sentence says to use something else instead."""

    def __init__(self) -> None:
        self._takings: dict[str, list[_Taking]] = {}
        """By each form of the first word that they name."""
        self._afresh: dict[int, list[str]] = {}
        """Number of a prompt → its last sentence, if the next prompt takes that back."""
        self._replaced: list[tuple[int, str, set[str]]] = []
        """Number of the prompt, the verb, and the words for what it is no longer to be done with."""

    def hear(self, number: int, text: str, before: str) -> None:
        if _AFRESH.search(text):
            self._afresh[number - 1] = _pieces(before)[-1:]
        for sentence in _SENTENCE.split(text) if _INSTEAD.search(text) else ():
            doing, about = _replaced(sentence) if len(self._replaced) < MOST_WITHDRAWN else ("", set())
            if about:
                self._replaced.append((number, doing, about))

    def add(self, taking: _Taking) -> None:
        for form in taking.named[0]:
            self._takings.setdefault(form, []).append(taking)

    def takes_back(self, rule: str, number: int) -> bool:
        """Whether a later prompt took back this rule, which the prompt with this number set."""
        lower = rule.lower()
        if rule in self._afresh.get(number, ()) or self._is_replaced(lower, number):
            return True
        if not self._takings:
            return False
        clauses = _clauses(lower)
        words = {_stem(word) for clause in clauses for word in _words(clause)}
        takings = self._takings_of(words, number, forbids=bool(_FORBIDS.search(lower)))
        if not takings:
            return False
        return all(any(_speaks_of(clause, taking) for taking in takings) for clause in clauses)

    def _takings_of(self, words: set[str], number: int, *, forbids: bool) -> list[_Taking]:
        """What later prompts took back of a rule with these words, which forbids something or demands it."""
        found = []
        for word in words:
            for taking in self._takings.get(word, ()):
                is_meant = taking.prompt > number and taking.forbidden in (None, forbids)
                if is_meant and not any(forms.isdisjoint(words) for forms in taking.named):
                    found.append(taking)
        return found

    def _is_replaced(self, rule: str, number: int) -> bool:
        """Whether a later prompt says to use something else instead. A rule that forbids is never replaced this way:
        that something else is used now does not permit what was forbidden."""
        if not self._replaced or _FORBIDS.search(rule):
            return False
        about = _content(rule)
        return any(said > number and doing in rule and words <= about for said, doing, words in self._replaced)


def _speaks_of(clause: str, taking: _Taking) -> bool:
    """Whether what is taken back names two words of the clause; of a clause with a condition, all of them."""
    about = _content(clause)
    shared = sum(any(word in forms for forms in taking.named) for word in about)
    return shared >= (len(about) if _UNLESS.search(clause) else min(2, len(about)))


def _withdrawn(texts: list[str]) -> _Withdrawn:
    """What the prompts take back. Only the newest statements count: a person does not take back hundreds of things."""
    said = [taking for number, text in enumerate(texts) for taking in _takings(number, text)]
    withdrawn = _Withdrawn()
    for taking in said[-MOST_WITHDRAWN:]:
        withdrawn.add(taking)
    for number in reversed(range(len(texts))):
        withdrawn.hear(number, texts[number][:LONGEST_TEXT].lower(), texts[number - 1] if number else "")
    return withdrawn


def _takings(number: int, text: str) -> Iterator[_Taking]:
    for sentence in _pieces(text.lower()):
        for found, forbidden in _taking_back(sentence):
            named = _named(_rest_of_clause(sentence, found), found)
            if named:
                yield _Taking(number, named, forbidden)


def _taking_back(sentence: str) -> Iterator[tuple[re.Match[str], bool | None]]:
    """Where the sentence takes something back, and whether that is a rule that forbids (True), one that demands (False)
    or either (None). A question takes nothing back, nor does a sentence with a condition."""
    if sentence.endswith(("?", "？")) or _UNLESS.search(sentence):
        return
    may, need_not = _MAY.search(sentence), _NEED_NOT.search(sentence)
    if may and not _FORBIDS.search(sentence, may.end()):
        yield may, True
    if need_not:
        yield need_not, False
    for found in _FORGET.finditer(sentence):
        if not _FORBIDS.search(_rest_of_clause(sentence, found)):  # a reminder: "vergiss nicht"
            yield found, None


def _rest_of_clause(sentence: str, found: re.Match[str]) -> str:
    end = _BREAK.search(sentence, found.end())
    return sentence[found.end() : end.start() if end else len(sentence)]


def _named(text: str, found: re.Match[str]) -> tuple[frozenset[str], ...]:
    """The words that say what is taken back; the verb, which is the first or the last of them, in all its forms."""
    words = [word for word in _words(text) if word not in _EMPTY]
    if not words:
        return ()
    doing = words[-1] if found.groupdict().get("last") else words[0]
    return tuple(_forms(word) if word == doing else frozenset({_stem(word)}) for word in words)


def _forms(doing: str) -> frozenset[str]:
    """The forms that a verb may have in a rule: of "tocar" also "toques" and "toca", of "anfassen" also "fass an"; and
    verbs with the same meaning."""
    bare = _INFINITIVE.sub("", doing)
    stems = {_stem(doing), _stem(bare), f"{bare}a", _stem(_BEFORE.sub("", doing, count=1))}
    return frozenset(stems.union(*(alike for alike in _ALIKE if not alike.isdisjoint(stems))))


def _stem(word: str) -> str:
    """The word without its ending, so that its forms agree: "pushing" and "push", "toques" and "tocar"."""
    return _TWICE.sub(r"\1", _ENDING.sub("", word.replace("qu", "c").replace("gu", "g")))


def _replaced(sentence: str) -> tuple[str, set[str]]:
    """The verb and the replaced words: of "use spaces instead of tabs", "use" and {"tabs"}. Words before the verb (in
    which files) are in the set, too: a rule must have them as well."""
    found = _INSTEAD.search(sentence)
    before = sentence[: found.start()] if found else ""
    doing = list(_DOES.finditer(before)) if found and not _FORBIDS.search(before) else []
    if not found or not doing or sentence.rstrip().endswith(("?", "？")):
        return "", set()
    after = _REASON.split(sentence[found.end() :], maxsplit=1)[0]
    return doing[-1][1], _content(before[: doing[-1].start()]) | _content(after)


def _clauses(rule: str) -> list[str]:
    """The clauses of a rule that are rules themselves, and the short ones behind such a clause, which list further
    things."""
    found: list[str] = []
    for piece in _AND.split(rule):
        if _content(piece) and (_force(piece.strip()) or (found and len(piece.split(None, 2)) <= 2)):
            found.append(piece)
    return found or [rule]


def _words(text: str) -> list[str]:
    """The words of a text; in scripts without spaces, its pairs of characters."""
    spaced = (word.strip("./-'’").replace("’", "'") for word in _TERM.findall(_WIDE.sub(" ", text.lower())))
    runs = _WIDE_RUN.findall(_WIDE_COMMON.sub(" ", text))
    return [word for word in spaced if word] + [run[at : at + 2] for run in runs for at in range(len(run) - 1)]


def _content(text: str) -> set[str]:
    """The words that say what a sentence is about."""
    return {_stem(word) for word in _words(text) if word not in _COMMON} - _COMMON
