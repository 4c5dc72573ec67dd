"""What the person said and what of it still holds (SPEC 12.2): the last words, and rules that outlive their turn.

A rule is a sentence that forbids, demands or corrects. What the person took back is not given back.
"""

from __future__ import annotations

import re

from perdure.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perdure.recovery.gather import Heard

FIRST_WORDS = 40
LONGEST = 800
"""Characters; forty words of prose are a third of that."""
# These see a text in lower case: a pattern that must ignore case is several times as slow.
_STRONG = re.compile(
    r"""\b(?: never | always | must(?:n't|[ ]not)? | only | don['’]?t | do[ ]not | from[ ]now[ ]on | make[ ]sure
        | not[ ]allowed
        | important | instead[ ]of | under[ ]no[ ]circumstances
        | nie(?:mals)? | immer | muss | müssen | darfst | dürfen | nur | keine?[nmrs]? | nicht | stattdessen
        | ab[ ]jetzt
        | jamais | toujours | doi(?:s|t|vent) | seulement | uniquement | (?:ne|n['’]\w*)[ ](?:\w+[ ])?pas | dorénavant
        | nunca | siempre | debes?n? | solo | sólo | solamente | no[ ](?:uses|hagas|toques|cambies|borres) | jamás
        | sempre | devi | deve | mai | soltanto | apenas | não | somente
        | никогда | всегда | должен | должны | нельзя | только | не[ ]надо
        | asla | her[ ]zaman | daima | sadece | yalnızca | nigdy | zawsze | tylko | musi )\b
      | 不要 | 必须 | 必須 | 永远 | 永遠 | 总是 | 總是 | 只能 | 只要 | 禁止 | 不能 | 不得 | 不准 | 务必 | 務必
      | 一定要 | 别再? | 不可以 | 千万
      | 必ず | 常に | いつも | 絶対 | ないで | しないこと | だけ(?:に|を|で|に?して) | のみ | てはいけ | てはなら
      | 항상 | 절대 | 반드시 | 하지[ ]?마 | 만[ ]사용 | 금지""",
    re.X,
)
_CORRECTS = re.compile(
    r"""^(?:(?:please|also|and|but|so|ok(?:ay)?|then|hm++|bitte|und|aber)[ ,]++)*
        (?: no[,.!][ ] | nope | wrong | that['’]?s[ ](?:not|wrong) | not[ ]like[ ]that | i[ ](?:said|meant|told)
        | stop[ ]
          | use[ ] | keep[ ] | avoid[ ] | prefer[ ] | ensure[ ] | stick[ ]to | remember[ ] | leave[ ]
          | without[ ] | let['’]?s[ ]not
          | nein[, ] | falsch | nimm[ ] | verwende[ ] | (?:be)?nutze[ ] | behalte[ ] | non[, ] | utilise[ ] | garde[ ]
          | évite[ ] | usa[ ] | evita[ ] | mantén[ ] )
      | ^(?: 不是 | 不对 | 不，| 用 | 保持 | 请用 | 違う | いや | 使って )""",
    re.X,
)
_DEMANDS = re.compile(
    r"""\b(?: should(?:n['’]t)? | cannot | can['’]t | make[ ]sure | ensure | prefer | without | no[ ]longer
        | avoid | needs?[ ]to
        | required? | rather[ ]than | sollte[nst]* | devrait | debería )\b | 应该 | 應該 | べき""",
    re.X,
)
_BACK = re.compile(
    r"""\b(?: never[ ]mind | nevermind
        | (?<!n't[ ])(?<!n’t[ ])(?<!dont[ ])(?<!not[ ])(?<!never[ ])
          (?: forget[ ](?:that|about|it|the) | scrap[ ](?:that|the) | ignore[ ](?:that|what|the) )
        | (?<!from[ ])scratch[ ](?:that|it)
        | no[ ]longer | changed[ ]my[ ]mind | actually,?[ ](?:do|use|let|you|go|keep) | on[ ]second[ ]thought
        | take[ ](?:that|it)[ ]back | vergiss | doch[ ](?:wieder|lieber) | nicht[ ]mehr
        | oublie | finalement | olvida(?:lo)? | olvídalo | ya[ ]no )\b | 算了 | 忘了 | 不用了 | やっぱり | 取り消""",
    re.X,
)
_WITHDRAWS = re.compile(
    r"""\b(?: never[ ]?mind | (?<!n't[ ])(?<!n’t[ ])(?<!dont[ ])(?<!not[ ])(?<!never[ ]) (?: forget | scrap | ignore )
        [ ](?:that|about|it|what|the) | (?<!from[ ])scratch[ ](?:that|it) | changed[ ]my[ ]mind
        | take[ ](?:that|it)[ ]back | vergiss | oublie | olvida(?:lo)? | olvídalo )\b
        | 算了 | 忘了 | 不用了 | 取り消""",
    re.X,
)
"""What says no more than that something else no longer holds."""
_AFRESH = re.compile(
    r"""^\W*+(?:(?:no|oh|ok(?:ay)?|hm++|ah|wait|sorry|actually|please|ach|nein|ay)[ ,.!…]++)*+
        (?: (?:scratch|scrap|forget)[ ](?:that|it) | never[ ]?mind | vergiss[ ](?:das|es) | olvídalo | olvida[ ]eso
          | oublie[ ](?:ça|cela) | 算了 )
        (?: \s*+(?:\Z|[,.;:!。，！–—-]) | \n | [ ](?:and|use|let['’]?s|do|go|keep|just|instead)\b )""",
    re.X,
)
"""How a prompt begins that is about the one before it, whatever that was about."""
_ALLOWS = re.compile(
    r"""\b(?: you[ ](?:can|may) | you(?:[ ]are|['’]?re)[ ](?:now[ ])?allowed[ ]to | feel[ ]free[ ]to
          | (?:it|that)(?:[ ]is|['’]?s)[ ](?:now[ ])?(?:fine|ok(?:ay)?|allowed|al(?:l[ ])?right)[ ](?:now[ ])?to )
        [ ](?:(?:now|also|again|then|just|still|of|course)[ ])*+(?!(?:not|never|only)\b)(\w++)""",
    re.X,
)
"""A permission takes back what speaks of the same doing."""
ANYTHING = "*"
_AFTER_ALL = re.compile(r"\b(?:after all|anyway|doch|nun doch|al final|después de todo|finalement|après tout)\b")
"""A permission that says so is about what was forbidden, in whatever words."""
_ALIKE = (
    frozenset("touch change edit modify update alter rewrite".split()),
    frozenset("remove delete drop".split()),
    frozenset("add create introduce".split()),
)
"""Words for the same doing."""
_DARF = re.compile(
    r"""\b(?: du[ ](?:darfst|kannst) | ihr[ ](?:dürft|könnt) | (?:darfst|kannst)[ ]du
          | es[ ]ist[ ](?:jetzt[ ]|nun[ ])?(?:in[ ]ordnung|ok(?:ay)?|erlaubt) )\b""",
    re.X,
)
"""Here the doing stands last."""
_PUEDES = re.compile(
    r"""(?<!no[ ])\b(?: puedes | podéis | podés | se[ ]puede | está[ ]bien | tu[ ]peux | vous[ ]pouvez )
        [ ](?:(?:ya|ahora|también|maintenant|aussi|de|à)[ ])*+(?!(?:no|nunca|solo|sólo|pas|jamais)\b)(\w++)""",
    re.X,
)
_UNLESS = re.compile(r"\b(?:if|unless|only|except|wenn|falls|nur|nicht|nie|niemals|keine?[nmrs]?|seulement|pas)\b")
"""What makes of a permission another rule."""
_INFINITIVE = re.compile(r"\b(?:an|auf|ab|aus|ein|mit|vor|um|weg|nach)?(?:zu)?([^\W\d_]{3,40}?)e?n\b")
_INFINITIVO = re.compile(r"(ar|er|ir|re)(?:l[aeo]s?|me|te|se)?\Z")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|anstatt|statt|anstelle von|en vez de|en lugar de|au lieu de)\b")
_DOES = re.compile(
    r"\b(use|prefer|pick|choose|take|write|run|call|keep|put|install|verwende|benutze|nutze|nimm|usa|utiliza|utilise)\b"
)
_REASON = re.compile(r"\b(?:because|since|so|weil|denn|porque|car)\b")
_FORBIDS = re.compile(
    r"""\b(?: never | not | no | don['’]?t | dont | avoid | without | stop | nie(?:mals)? | nicht | keine?[nmrs]?
        | jamais | pas | nunca )\b | n['’]t\b | 不 | 别 | 禁止 | ないで""",
    re.X,
)
_AND = re.compile(r"[ ](?:and|or|but|nor|und|oder|aber|y|et|ou)[ ]|;")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+")
_CODE = re.compile(
    r"""^(?: // | \S+\.\w+:\d+: | \d+\s*[-+|:] | \#\s*\w+\( | /\* | \*/ | \| | [❯$>%]\s | \+\s | @@ | error:
        | at\s\S+\( )
        | [;{}]$ | ^\s*[\w.]+\(.*\)$ | \):$""",
    re.X,
)
_WORD, _TERM = re.compile(r"\S+"), re.compile(r"[\w./-]{3,}")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.S)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
MOST_LAST, MOST_PROMPTS, MOST_RULES, MOST_WITHDRAWN = 8, 400, 200, 300
LONGEST_TEXT = 20_000
"""Characters of a prompt that are looked at."""
PASTED = 400
"""Words from which on a prompt is rather a document than what was said."""
_COMMON = frozenset(
    "the a an and or but to of in on for with it is are was be this that i you we please not do don't use have has "
    "as at from so if then now just can could would should must only always never all any "
    "der die das den dem des ein eine einen einem und oder aber nicht nie niemals immer nur jetzt bitte mit auf von "
    "für ist sind zu du ihr es darfst dürft kannst könnt ordnung benutze verwende nutze nimm el los las un una unos "
    "del que en con por para nunca siempre ahora puedes está bien usa utiliza le les une et ou ne pas jamais toujours "
    "maintenant tu vous peux pouvez utilise".split()
)
_FILLING = frozenset(
    "actually please okay here there everywhere again anymore instead let's lets also same now".split()
)


@value
class Words:
    """As they were said; newest first."""

    last: tuple[Heard, ...]
    rules: tuple[Heard, ...]
    earlier: tuple[Heard, ...]
    """What was said before the last, where it says something and was not taken back."""


def words_of(prompts: Sequence[Heard]) -> Words:
    latest = prompts[-MOST_PROMPTS:]
    withdrawn = _withdrawn([heard.text for heard in latest])
    rules = _each_once(_rules(latest, withdrawn))[:MOST_RULES]
    last = _each_once(replace(heard, text=first_words(heard.text)) for heard in reversed(latest))
    known = {heard.text for heard in last[:MOST_LAST]}
    held = _each_once(_that_hold(latest, withdrawn))
    return Words(last[:MOST_LAST], rules, tuple(heard for heard in held if heard.text not in known))


def _that_hold(prompts: Sequence[Heard], withdrawn: _Withdrawn) -> Iterator[Heard]:
    """Newest first; none of whose first words was taken back."""
    for number in reversed(range(len(prompts))):
        text = first_words(prompts[number].text)
        if _says_much(text) and not any(withdrawn.takes_back(each, number) for each in _sentences(text)):
            yield replace(prompts[number], text=text)


def _each_once(said: Iterable[Heard]) -> tuple[Heard, ...]:
    first: dict[str, Heard] = {}
    for heard in said:
        first.setdefault(heard.text, heard)
    return tuple(first.values())


def first_words(text: str) -> str:
    """Word for word, a long one up to its first 40 words."""
    pieces = list(_WORD.finditer(text[:LONGEST]))
    if len(text) > LONGEST and not text[LONGEST].isspace() and len(pieces) > 1:
        pieces.pop()  # half a word
    if len(pieces) <= FIRST_WORDS and len(text) <= LONGEST:
        return text.strip()
    return text[pieces[0].start() : pieces[min(FIRST_WORDS, len(pieces)) - 1].end()] + " …" if pieces else ""


def _rules(prompts: Sequence[Heard], withdrawn: _Withdrawn) -> Iterator[Heard]:
    """What forbids or commands first, then corrections, then what is asked for; newer before older."""
    found: list[tuple[int, int, str]] = []
    for number, text in enumerate(heard.text for heard in prompts):
        pasted = len(text) > PASTED and len(text.split()) > PASTED
        for clean, force in _forceful(text):
            found.append((0 if pasted else force, number, clean))
    found.sort(key=lambda rule: rule[:2], reverse=True)
    for _, number, clean in found:
        if not withdrawn.takes_back(clean, number):
            yield replace(prompts[number], text=first_words(clean))


def _forceful(text: str) -> list[tuple[str, int]]:
    """Its sentences that are a rule, and how much of one."""
    clean = _sentences(text)
    forces = [_force(sentence.lower()) for sentence in clean]
    bare = [_is_bare(sentence.lower()) for sentence in clean]
    return [(clean[at], forces[at]) for at in range(len(clean)) if forces[at] and not any(bare[at + 1 : at + 2])]


def _sentences(text: str) -> list[str]:
    """Those that say something; not code, not a table, not a question."""
    pieces = (piece.strip(" -*•\t") for piece in _SENTENCE.split(_FENCED.sub("\n", text[:LONGEST_TEXT])))
    return [piece for piece in pieces if _says(piece) and piece[-1] not in "?？" and not _CODE.search(piece)]


def _says(piece: str) -> bool:
    return len(piece.split(None, 2)) >= 2 or len(_WIDE.findall(piece)) >= 5


def _says_much(prompt: str) -> bool:
    """More than that the agent may go on."""
    return len(prompt.split(None, 4)) > 4 or len(_WIDE.findall(prompt)) > 8


def _force(sentence: str) -> int:
    """Of one in lower case. That something no longer holds is no rule, but what else the sentence says may be."""
    sentence = _WITHDRAWS.sub(" ", sentence).lstrip(" ,;:.")
    if _DARF.search(sentence) and _allowed(sentence):
        sentence = _DARF.sub(" ", sentence)
    if _STRONG.search(sentence):
        return 3
    return 2 if _CORRECTS.search(sentence) else 1 if _DEMANDS.search(sentence) else 0


def _is_bare(sentence: str) -> bool:
    """ "Forget it." is about what was said just before."""
    return bool(_WITHDRAWS.search(sentence)) and not _content(_WITHDRAWS.sub(" ", sentence))


class _Withdrawn:
    """What the person took back: by a sentence that says so and is about the same; or by a prompt that begins so, as it
    was said just before; or by one that puts something else in its place."""

    def __init__(self) -> None:
        self._about: dict[str, list[int]] = {}
        """Word → the sentences that it stands in, by number, newest last."""
        self._said_in: list[int] = []
        """Which prompt each of them is of."""
        self._allowed: list[str] = []
        """What each of them allows to do, where it is a permission."""
        self._afresh: set[int] = set()
        """Prompts that take back what stands in the one before them."""
        self._replaced: list[tuple[int, str, set[str]]] = []
        """In which prompt, what is to be done, and with what no longer."""

    def hear(self, number: int, text: str) -> None:
        if _AFRESH.search(text):
            self._afresh.add(number)
        for sentence in _SENTENCE.split(text) if _INSTEAD.search(text) else ():
            doing, about = _replaced(sentence) if len(self._replaced) < MOST_WITHDRAWN else ("", set())
            if about:
                self._replaced.append((number, doing, about))

    def add(self, number: int, sentence: str) -> None:
        for word in _content(sentence):
            self._about.setdefault(word, []).append(len(self._said_in))
        self._said_in.append(number)
        self._allowed.append(_allowed(sentence))

    def takes_back(self, rule: str, number: int) -> bool:
        lower = rule.lower()
        if number + 1 in self._afresh or self._puts_else(lower, number):
            return True
        if not self._said_in:
            return False
        each = [_content(clause) for clause in _clauses(lower)]
        whole = self._speaks_of(_content(rule), lower, number)
        if len(each) < 2 or (not whole and max(map(len, each)) < 2):
            return whole
        return all(self._speaks_of(about, lower, number) for about in each)

    def _speaks_of(self, about: set[str], rule: str, number: int) -> bool:
        shared: dict[int, int] = {}
        for word in about:
            for sentence in self._about.get(word, ()):
                if self._said_in[sentence] > number and _is_about(self._allowed[sentence], rule):
                    shared[sentence] = shared.get(sentence, self._in_another_form(sentence, about, rule)) + 1
        return bool(shared) and max(shared.values()) >= min(2, len(about))

    def _in_another_form(self, sentence: int, about: set[str], rule: str) -> int:
        """ "Push" is what "no pushing" is about too; where a word is the same it is shared anyway."""
        doing = self._allowed[sentence].strip()
        is_same = doing in about and sentence in self._about.get(doing, ())
        return int(bool(doing) and doing not in _COMMON and not is_same and _is_about(f" {doing}", rule))

    def _puts_else(self, rule: str, number: int) -> bool:
        """Never in the place of what forbids: that something else is used now is no leave to use it."""
        if not self._replaced or _FORBIDS.search(rule):
            return False
        about = _content(rule)
        return any(said > number and doing in rule and words <= about for said, doing, words in self._replaced)


def _withdrawn(texts: list[str]) -> _Withdrawn:
    """The newest: a person does not take back hundreds of things."""
    said = [(number, each) for number, text in enumerate(texts) for each in _takings_back(text)]
    withdrawn = _Withdrawn()
    for number, sentence in said[-MOST_WITHDRAWN:]:
        withdrawn.add(number, sentence)
    for number in reversed(range(len(texts))):
        withdrawn.hear(number, texts[number][:LONGEST_TEXT].lower())
    return withdrawn


def _takings_back(text: str) -> list[str]:
    text = text[:LONGEST_TEXT].lower()
    if not (_BACK.search(text) or _allows(text)):
        return []
    pieces = _SENTENCE.split(text)
    return [_reach(pieces, at) for at, piece in enumerate(pieces) if _BACK.search(piece) or _allowed(piece)]


def _allows(text: str) -> bool:
    return bool(_ALLOWS.search(text) or _DARF.search(text) or _PUEDES.search(text))


def _allowed(sentence: str) -> str:
    """What it allows to do: so stands the word in a rule, or so it begins. A question and a condition allow nothing."""
    if sentence.rstrip().endswith(("?", "？")) or _UNLESS.search(sentence):
        return ""
    if _AFTER_ALL.search(sentence) and _allows(sentence):
        return ANYTHING
    found = _ALLOWS.search(sentence)
    if found:
        return found[1]
    found = _PUEDES.search(sentence)
    if found:
        return f" {_as_spoken(_stem(found[1]))}"
    found = _DARF.search(sentence)
    verbs = [each for each in _INFINITIVE.findall(sentence, found.end()) if each not in _COMMON] if found else []
    return verbs[-1] if verbs else ""


def _is_about(doing: str, rule: str) -> bool:
    if doing == ANYTHING or any(doing in alike and not alike.isdisjoint(rule.split()) for alike in _ALIKE):
        return True
    return doing in (f" {_as_spoken(rule)}" if doing.startswith(" ") else rule)


def _stem(verb: str) -> str:
    """ "Toc" of "tocarla"; of a short one (`leer`) with its vowel, or it would begin any word."""
    stem = _INFINITIVO.sub("", verb)
    return stem if len(stem) > 2 else _INFINITIVO.sub(lambda end: end[1][0], verb)


def _as_spoken(text: str) -> str:
    """ "Toques" is of "tocar"."""
    return text.replace("qu", "c").replace("gu", "g")


def _replaced(sentence: str) -> tuple[str, set[str]]:
    """Of "use spaces instead of tabs": use, and tabs. Where it says more (in which files), a rule must say that too."""
    found = _INSTEAD.search(sentence)
    before = sentence[: found.start()] if found else ""
    doing = list(_DOES.finditer(before)) if found and not _FORBIDS.search(before) else []
    if not found or not doing or sentence.rstrip().endswith(("?", "？")):
        return "", set()
    after = _REASON.split(sentence[found.end() :], maxsplit=1)[0]
    return doing[-1][1], (_content(before[: doing[-1].start()]) | _content(after)) - _FILLING


def _clauses(rule: str) -> list[str]:
    """Those that are a rule of their own, and the last of several things that one is about."""
    pieces = _AND.split(rule)
    return [each for each in pieces if _content(each) and (_force(each.strip()) or len(each.split(None, 2)) <= 2)]


def _reach(pieces: list[str], at: int) -> str:
    """What does no more than take back may say of what in the next sentence; a permission is about itself."""
    return " ".join(pieces[at : at + 2]) if _WITHDRAWS.search(pieces[at]) else pieces[at]


def _content(text: str) -> set[str]:
    """Words that say what a sentence is about; where a script has no spaces, its pairs of characters."""
    spaced = (word.strip("./-") for word in _TERM.findall(_WIDE.sub(" ", text.lower())))
    pairs = {run[at : at + 2] for run in _WIDE_RUN.findall(text) for at in range(len(run) - 1)}
    return pairs | {word for word in spaced if len(word) > 2 and word not in _COMMON}
