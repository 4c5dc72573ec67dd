"""What the person said and what of it still holds (SPEC 12.2): the last words, and rules that outlive their turn.

A rule is a sentence that forbids, demands or corrects. What the person took back is not given back.
"""

from __future__ import annotations

import re

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from perdure.recovery.gather import Heard

FIRST_WORDS = 40
LONGEST = 800
"""Characters; forty words of prose are a third of that."""
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
    re.I | re.X,
)
_CORRECTS = re.compile(
    r"""^(?:(?:please|also|and|but|so|ok(?:ay)?|then|hm+|bitte|also|und|aber)[ ,]+)*
        (?: no[,.!][ ] | nope | wrong | that['’]?s[ ](?:not|wrong) | not[ ]like[ ]that | i[ ](?:said|meant|told)
        | stop[ ]
          | use[ ] | keep[ ] | avoid[ ] | prefer[ ] | ensure[ ] | stick[ ]to | remember[ ] | leave[ ]
          | without[ ] | let['’]?s[ ]not
          | nein[, ] | falsch | nimm[ ] | verwende[ ] | behalte[ ] | non[, ] | utilise[ ] | garde[ ] | évite[ ]
          | usa[ ] | evita[ ]
          | mantén[ ] )
      | ^(?: 不是 | 不对 | 不，| 用 | 保持 | 请用 | 違う | いや | 使って )""",
    re.I | re.X,
)
_DEMANDS = re.compile(
    r"""\b(?: should(?:n['’]t)? | cannot | can['’]t | make[ ]sure | ensure | prefer | without | no[ ]longer
        | avoid | needs?[ ]to
        | required? | rather[ ]than | sollte[nst]* | devrait | debería )\b | 应该 | 應該 | べき""",
    re.I | re.X,
)
_BACK = re.compile(
    r"""\b(?: never[ ]mind | nevermind | forget[ ](?:that|about|it|the) | scrap[ ](?:that|the)
        | ignore[ ](?:that|what|the)
        | no[ ]longer | changed[ ]my[ ]mind | actually,?[ ](?:do|use|let|you|go|keep) | on[ ]second[ ]thought
        | take[ ](?:that|it)[ ]back | you[ ](?:can|may) | vergiss | doch[ ](?:wieder|lieber) | nicht[ ]mehr
        | oublie | finalement | olvida(?:lo)? | ya[ ]no )\b | 算了 | 忘了 | 不用了 | やっぱり | 取り消""",
    re.I | re.X,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+")
_CODE = re.compile(
    r"""^(?: // | \S+\.\w+:\d+: | \d+\s*[-+|:] | \#\s*\w+\( | /\* | \*/ | \| | [❯$>%]\s | \+\s | @@ | error:
        | at\s\S+\( )
        | [;{}]$ | ^\s*[\w.]+\(.*\)$ | \):$""",
    re.X,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.S)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
PASTED = 400
"""Words from which on a prompt is rather a document than what was said."""
_COMMON = frozenset(
    "the a an and or but to of in on for with it is are was be this that i you we please not do don't use have has "
    "as at from so if then now just can could would should must only always never all any".split()
)


@value
class Words:
    """As they were said; newest first."""

    last: tuple[str, ...]
    rules: tuple[str, ...]


def words_of(prompts: Sequence[Heard]) -> Words:
    texts = [heard.text for heard in prompts]
    last = tuple(dict.fromkeys(first_words(text) for text in reversed(texts)))
    return Words(last, tuple(_rules(texts)))


def first_words(text: str) -> str:
    """Word for word, a long one up to its first 40 words."""
    pieces = list(re.finditer(r"\S+", text[:LONGEST]))
    if len(pieces) <= FIRST_WORDS and len(text) <= LONGEST:
        return text.strip()
    return text[pieces[0].start() : pieces[min(FIRST_WORDS, len(pieces)) - 1].end()] + " …" if pieces else ""


def _rules(texts: list[str]) -> list[str]:
    """What forbids or commands first, then corrections, then what is asked for; newer before older."""
    found: list[tuple[int, int, str]] = []
    for number, text in enumerate(texts):
        for clean in _sentences(text):
            force = _force(clean)
            if force and not _is_taken_back(clean, texts[number + 1 :]):
                found.append((force if len(text.split()) <= PASTED else 0, number, first_words(clean)))
    found.sort(key=lambda rule: rule[:2], reverse=True)
    return list(dict.fromkeys(text for _, _, text in found))


def _sentences(text: str) -> list[str]:
    """Those that say something; not code, not a table, not a question."""
    pieces = (piece.strip(" -*•\t") for piece in _SENTENCE.split(_FENCED.sub("\n", text[:20_000])))
    return [piece for piece in pieces if _says(piece) and not _CODE.search(piece) and piece[-1] not in "?？"]


def _says(piece: str) -> bool:
    return len(piece.split()) >= 2 or len(_WIDE.findall(piece)) >= 5


def _force(sentence: str) -> int:
    if _STRONG.search(sentence):
        return 3
    return 2 if _CORRECTS.search(sentence) else 1 if _DEMANDS.search(sentence) else 0


def _is_taken_back(rule: str, later: list[str]) -> bool:
    """By a sentence that says so and is about the same, or by that sentence and the next."""
    about = _content(rule)
    return any(len(about & _content(said)) >= min(2, len(about)) for text in later for said in _takings_back(text))


def _takings_back(text: str) -> list[str]:
    if not _BACK.search(text):
        return []
    pieces = _SENTENCE.split(text[:20_000])
    return [" ".join(pieces[at : at + 2]) for at, piece in enumerate(pieces) if _BACK.search(piece)]


def _content(text: str) -> set[str]:
    """Words that say what a sentence is about; where a script has no spaces, its pairs of characters."""
    spaced = re.findall(r"[\w./-]{3,}", _WIDE.sub(" ", text.lower()))
    pairs = {run[at : at + 2] for run in _WIDE_RUN.findall(text) for at in range(len(run) - 1)}
    return pairs | {word for word in spaced if word not in _COMMON}
