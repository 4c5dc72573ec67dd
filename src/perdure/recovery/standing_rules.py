"""Decides whether a sentence of a person is a standing rule, and how strong it is (SPEC 12.2).

A standing rule forbids something, demands it for every time, or says what is preferred, and it binds whoever goes on
with the work. A request for one thing is not one ("fix the test", "make sure you restore it"), nor is a wish about the
product ("the button should be blue"), a report ("the chart only goes back one day"), a question, or the line that
introduces a list.

Each language has its own forms: a prohibition is an imperative or has a modal verb, and a negation alone reports.

    force("never push to main.") == FORBIDS
    force("it never worked.") == 0
"""

from __future__ import annotations

import re

from perdure.clients import REGISTERED
from perdure.model.pattern import compiled_later
from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORBIDS, DEMANDS, PREFERS, WISHES = 4, 3, 2, 1
"""How strong a rule is: it forbids; it demands something for every time; it prefers something; it wishes something of
everything of a kind."""

# These patterns are given text in lower case: a pattern that ignores case is several times as slow.
BIE = r"(?<![区特个类分性级识辨])别(?![的人名])"
"""别 forbids something only where it is not part of another word."""
_BEFORE_IMPERATIVE = "please pls and but so also just then ok okay or yes no maybe again".split()
_BEFORE_ALWAYS = "and but please you must will also so then as want".split()
_BREAKS = r"""[,;:.!?()"“–—-]"""
"""Ends a clause."""


def _behind(words: list[str]) -> str:
    """It stands at the beginning, behind the end of a clause, or behind one of these words."""
    places = ["^", f"(?<={_BREAKS})", f"(?<={_BREAKS}[ ])", *(rf"(?<=\b{word}[ ])" for word in words)]
    return f"(?:{'|'.join(places)})"


_DO_NOT = r"(?:don['’]?t|do[ ]not)"
_NOT_DOING = (
    r"(?![ ](?:forget|necessarily|worry|bother|see|think|know|like|understand|believe|remember|work|have|seem|appear"
    r"|need|want|wanna|get|care|mind|agree|exist)\b)"
)
"""What nobody is told not to do."""
_ACTS = (
    r"(?:ever|block|push|commit|touch|change|edit|run|use|create|add|delete|remove|write|modify|install|merge|deploy|ask"
    r"|stop|skip|ignore|include|log|guess|assume|rename|rebase|squash|amend|revert|overwrite|publish|release|send|break)"
)
"""What agents are told not to do."""
_POLISH = compiled_later(r"[ąćęłńśźż]|\b(?:jest|się|nie[ ]ma|to[ ]nie)\b")
"""There, `nie` is any negation."""
_AGENTS = "|".join(program for each in REGISTERED.values() for program in each.programs)
"""What people call the agent."""
_UNWANTED = (
    rf"(?:you|us|{_AGENTS}|to[ ](?:have|see|use|push|commit|merge)"
    r"|any(?:one|thing|body)?[ ](?:to|else|new|more|extra|other"
    r"|additional|further|unnecessary|third)|(?:any[ ]|new[ ]|more[ ]|extra[ ])*(?:changes|commits|comments|mocks?"
    r"|dependenc(?:y|ies)|emojis?|placeholders?|stubs?|fallbacks?|hacks?|workarounds?|shortcuts|todos|files|tests)\b)"
)
"""What people do not want of an agent, and not of its product: no new dependencies, but not no padding."""
_TOOL_VERB = (
    r"(?:use|run|do|commit|change|edit|touch|modify|push|write|work|focus|test|deploy|answer|respond|build|update"
    r"|install|add|merge|create|read|keep)"
)
_FORBIDS_IN_ENGLISH = compiled_later(
    rf"""\b(?=do) {_behind(_BEFORE_IMPERATIVE)} {_DO_NOT}\b {_NOT_DOING}
      | ^(?:when|if|for|in|on|while|during)\b.{{3,120}}[ ]{_DO_NOT}[ ]{_ACTS}\b
      | \byou[ ]{_DO_NOT}[ ]{_ACTS}\b
      | \b(?:i|we)[ ](?:really[ ]|also[ ]|still[ ])?{_DO_NOT}[ ]want[ ]{_UNWANTED}
      | \bwe[ ](?:really[ ]|also[ ])?{_DO_NOT}[ ](?:use|do|commit|push|touch|allow|merge|deploy|edit)\b
      | \bnever\b (?<!\bcan[ ]never)(?<!\bif[ ]we[ ]never)
        (?<!\bis[ ]never)(?<!\bare[ ]never)(?<!\bwas[ ]never)(?<!\bwere[ ]never)(?<!\bbeen[ ]never)
        (?<!\bhas[ ]never)(?<!\bhave[ ]never)(?<!\bhad[ ]never)(?<!\bi[ ]never)(?<!\bit[ ]never)(?<!\bthey[ ]never)
        (?![ ](?:works?|worked|mind|been|got|gets|happened|\w+(?<!e)ed|read(?=[ ]in\b|\W*$))\b)
      | \b(?: must(?:n['’]t|[ ]not) | (?:you|nobody)[ ]may[ ]not | shall[ ]not | off[ ]limits
          | not[ ](?:allowed|permitted)(?![ ]in\b)
          | under[ ]no[ ]circumstances | hands[ ]off | you[ ]should(?:n['’]?t|[ ]not)
          | without[ ](?:my|asking|explicit|checking[ ]with) )\b
      | \bshould(?:n['’]?t|[ ]not)\b.{{1,60}}\bever\b | \bnot\b.{{1,80}}\b(?:unless[ ]i|until[ ]i|before[ ]i)\b""",
    re.X,
)
_DEMANDS_IN_ENGLISH = compiled_later(
    rf"""\b(?=alw) {_behind(_BEFORE_ALWAYS)} always\b
        (?![ ](?:\w+(?<!s)s|\w+ed|\w+ing)\b(?<!preferred)(?<!required)(?<!welcome))
      | \balways[.!]*$ | \balways[ ](?:preferred|required)\b
      | \byou[ ]should[ ]always\b | \bmust\b(?!-)(?![ ](?:have|be[ ](?:a|an|the|some|because|wrong|something))\b)
      | ^(?:and[ ]|but[ ]|please[ ]|also[ ])?only[ ]
        (?!(?:some|one|two|three|when[ ]i|[\w’']+[ ](?:is|are|was|does)|thing|way|difference|problem|issue|me|you
          |others?|reason|place|part|question)\b|(?:this|that|those|these|the)(?:[ ]\w+){{1,2}}[.!]?$)
        \w+[ ]\w
      | (?<!\bit[ ])(?<!\bthis[ ])(?<!\bthat[ ])(?<!\bthey[ ])should[ ]only\b
      | \b(?:may|can|please|let['’]?s|we|you)[ ]only[ ]
        (?<!\bit[ ]can[ ]only[ ])(?<!\bthat[ ]can[ ]only[ ])(?<!\bthey[ ]can[ ]only[ ])(?<!\bthis[ ]can[ ]only[ ])
        (?!need|have|see|get|got)\w
      | \bonly[ ](?<!\bi[ ]only[ ])(?:uses|{_TOOL_VERB})\b
      | ^(?:please[ ]|also[ ]|then[ ]|and[ ])?{_TOOL_VERB}\b[^.,;]{{0,40}}[ ]only\b
      | \bin[ ](?:the[ ])?future(?:,|[.!]*$)(?<!needed[ ]in[ ]the[ ]future,)
      | \b(?: from[ ]now[ ]on | going[ ]forward | (?:every|each)[ ]time[ ]you | whenever[ ]you
          | (?:before|after)[ ](?:each|every|any|committing|pushing|merging
              |you[ ](?:commit|push|merge|deploy|edit|change|release)) )\b
      | ^important\s?[:!]""",
    re.X,
)
_FORBIDS_IN_FRENCH = compiled_later(
    r"""\b(?:il[ ]ne[ ]faut|tu[ ]ne[ ]dois|vous[ ]ne[ ]devez|on[ ]ne[ ]doit)[ ](?:pas|jamais|plus)\b | \binterdit\b
      | (?:^|[,;:.!]\s|\b(?:et|mais|puis|donc|alors|svp|merci[ ]de|de)[ ])(?:ne[ ]|n['’])(?:[\w’'-]+[ ]){0,2}
        (?:pas|jamais|plus|rien)\b""",
    re.X,
)
_DEMANDS_IN_FRENCH = compiled_later(
    r"""\btoujours\b(?<!\best[ ]toujours)(?<!\bai[ ]toujours)(?<!\ba[ ]toujours)(?![ ]pas\b)
      | \b(?: doi(?:s|t|vent) | dorénavant | désormais | à[ ]partir[ ]de[ ]maintenant )\b
      | ^(?:seulement|uniquement)\b""",
    re.X,
)
_FORBIDS_IN_SPANISH = compiled_later(
    r"""(?:^|[,;:.!¡]\s?|\b(?:y|pero|por[ ]favor|favor|así[ ]que)[ ])no[ ](?:(?:me|lo|la|los|las|le|se)[ ])?
        (?: (?:uses|hagas|toques|cambies|borres|añadas|agregues|modifiques|elimines|pongas|escribas|ejecutes|instales
              |subas|edites|renombres|inventes|asumas|quites|muevas|rompas|despliegues|publiques|mezcles|fusiones)\b
          | (?!(?:tienes|puedes|quieres|sabes|eres|estás|estas|haces|ves|crees|necesitas|entiendes|vas|has|debes)\b)
            (?:\w{2,}(?:es|as|ar|er|ir)|(?:use|cambie|toque|borre|haga|modifique|elimine|agregue|añada|cree)n?)[ ]
            (?:el|la|los|las|un|una|nada|ning[uú]n\w*|esto|eso|en|del|al|más|a|sin)\b )
      | \b(?:nunca|jamás)\b(?![ ](?:funciona|termina|carga|aparece|pasa|se|ha|he|vi|había)\b)""",
    re.X,
)
_DEMANDS_IN_SPANISH = compiled_later(
    r"""\bsiempre\b(?![ ](?:que|falla|sale|da|aparece|devuelve)\b) | \bdebes?n?\b | ^(?:s[oó]lo|solamente)\b
      | \b(?:usa|haz|modifica|cambia|toca|utiliza)\b.{0,30}\b(?:s[oó]lo|solamente)\b
      | \b(?:a[ ]partir[ ]de[ ]ahora|de[ ]ahora[ ]en[ ]adelante)""",
    re.X,
)
_FORBIDS_IN_PORTUGUESE_AND_ITALIAN = compiled_later(
    r"""(?:^|[,;:.!]\s|\b(?:e|mas|por[ ]favor)[ ])não[ ](?:use|mude|toque|faça|altere|apague|crie|adicione|modifique
          |remova|mexa|edite|escreva|instale|rode|\w{2,}(?:ar|er|ir))m?\b
      | (?:^|[,;:.!]\s|\b(?:e|ma|per[ ]favore)[ ])non[ ]\w{2,}(?:are|ere|ire)\b
      | ^mai[ ](?!\d) | (?:^|[,;:.!]\s)non[ ](?!ho|ha|è|sono|funziona)\w+[ ]mai\b""",
    re.X,
)
_DEMANDS_IN_PORTUGUESE_AND_ITALIAN = compiled_later(
    r"""\b(?:sempre|devi|deve)\b | ^(?:soltanto|apenas|somente)\b""",
    re.X,
)
_FORBIDS_IN_RUSSIAN = compiled_later(
    r"""\b(?:никогда|нельзя|запрещено|не[ ]надо|не[ ]нужно|не[ ]следует|ни[ ]в[ ]коем[ ]случае)\b
      | \bне[ ](?:\w{2,20}(?:[аяую]й(?:те)?|[вднжзм]ьте|(?<!л)ите) | (?:забудь|ставь|трожь|пиши|ломи|бери|веди))\b
        (?<!видите)(?<!хотите)(?<!говорите)
      | (?:^|[,;:.!]\s)не[ ](?!есть\b|очень\b)\w{2,20}ть(?:ся)?\b""",
    re.X,
)
_DEMANDS_IN_RUSSIAN = compiled_later(
    r"""\b(?: всегда | должен | должна | должно | должны | обязательно | впредь | отныне | с[ ]этого[ ]момента
          | каждый[ ]раз | перед[ ]каждым | после[ ]каждого )\b | ^только\b
      | \bтолько\b.{0,40}!\s*$""",
    re.X,
)
_FORBIDS_IN_TURKISH_AND_POLISH = compiled_later(
    r"""\basla\b | \bnigdy\b | \bnie[ ]\w{2,20}(?:aj|ij|uj|ób)(?:cie)?\b""",
    re.X,
)
_DEMANDS_IN_TURKISH_AND_POLISH = compiled_later(
    r"""\b(?:her[ ]zaman|daima)\b | ^(?:sadece|yalnızca)\b | \b(?:zawsze|musi)\b | ^tylko\b""",
    re.X,
)
_FORBIDS_IN_EAST_ASIAN = compiled_later(
    rf"""不要 | 禁止 | 不得 | 不准 | 不许 | 不允许 | {BIE} | 不可以 | 千万 | 切勿 | 请勿
      | 不能(?!运行|工作|用了|编译|访问|登录|启动|打开|显示|正常|连接|加载)
      | ないで(?=ください|下さい|ほしい|欲しい|くれ|ね|\W*\Z|[。！、,]) | ないこと | てはいけ | てはなら | 絶対
      | (?:[うくすつぬむるぐぶ])な(?=[。！]|\Z)
      | 절대 | 하지[ ]?마 | 금지""",
    re.X,
)
_DEMANDS_IN_EAST_ASIAN = compiled_later(
    r"""必须 | 必須 | 务必 | 務必 | 一定要 | 永远 | 永遠 | 始终 | 只能 | 从现在起 | 以后都 | 每次都要?
      | (?:总是|總是)(?!报错|失败|出错|显示|返回|提示)
      | 必ず | 常に | いつも(?!.{0,20}(?:失敗|エラー|落ち)) | 今後は? | これからは
      | (?:だけ(?![どで])|のみ)(?=.{0,20}(?:ください|して|すること|せよ|よう|[。！]|\Z))
      | 항상 | 반드시 | 만[ ]사용 | 앞으로""",
    re.X,
)
_FORBIDS_IN_GERMAN = compiled_later(r"\b(?:niemals|nie|nicht|keine?[nmrs]?)\b")
_DEMANDS_IN_GERMAN = compiled_later(
    r"""\b(?:immer(?![ ](?:noch|wieder|mehr)\b)|nur)\b
      | \b(?: ab[ ](?:jetzt|sofort) | von[ ]nun[ ]an | künftig | in[ ]zukunft | muss | müssen )\b""",
    re.X,
)
_GERMAN_MODAL = compiled_later(
    r"""\b(?:darf(?:st)?|dürfen|dürft|soll(?:st|en|te|ten)?|muss(?:t)?|müssen|müsst
        |ich[ ](?:will|möchte)[ ](?:nicht|keine?\w*))\b""",
    re.X,
)
_REPORTS_IN_GERMAN = compiled_later(
    r"""\b(?: ist | sind | war(?:en)? | ging | geht | gehen | funktionier\w+ | klappt\w* | läuft | lief | hat | haben
        | hatte\w* | habe | wird | werden | wurde\w* | kann | könnte | konnte | verstehe | weiß | sehe | sieht | glaube
        | denke | finde | findet | scheint | gibt | kommt | stimmt | passt | tut | macht | will | möchte | bin | bist
        | reicht | brauch\w* | erscheint | startet | lädt | fehlt | lässt | stürzt | zeigt | bleibt )\b""",
    re.X,
)
"""The sentence tells how something is: its negation forbids nothing."""
_REPORTS = compiled_later(
    r"""\b(?:it|this|that|there|they|these|those|which|he|she|you|we|i|the[ ][\w-]{1,30}(?:[ ][\w-]{1,30}){0,6}?)
          [ ](?:(?:still|did|just|page|yet)[ ])?(?:only|never|always)[ ](?!use[sd]?\b)\w{2,20}(?:ed|[^su\W]s)\b
      | \b(?:it|he|she|you|we|i)[ ]never[ ](?:saw|did|had|got|went|came|gave|made|told|ran|was|were)\b
      | \b(?:there[ ](?:are|is|were|was)|it['’]?s|they['’]?re)[ ](?:still[ ])?only\b
      | \bi[ ](?:still[ ]|really[ ]|just[ ])?(?:don['’]?t|do[ ]not)[ ]
          (?:see|get|understand|know|think|believe|agree|remember|recall|mind|care)\b
      | \b(?:they|these|those|which|that)[ ](?:still[ ])?(?:don['’]?t|do[ ]not)[ ]
      | \b(?:we|i|they|it)[ ]\w+\b[^.;:]{0,60}[ ](?:but|and)[ ](?:don['’]?t|do[ ]not)\b
      | \bdo(?:n['’]?t|[ ]not)[ ](?:seem|appear|look)\b | \bonly[ ](?:a[ ](?:few|couple)|some)\b
      | \bthe[ ]only\b | \bwill[ ](?:also[ ])?(?:never|always|only)[ ]be\b | \b(?:you|we|i)[ ]can[ ]always\b
      | \bbut[ ]never[ ]\w{2,20}ed\b | \bshould(?:n['’]?t)?[ ]have\b | :[ ]never\W*$""",
    re.X,
)
"""It tells how something is or was, and demands nothing: "the chart only goes back one day", "I don't see it"."""
_OBSERVES = compiled_later(
    r"""\b(?: (?:seem|appear)(?:s|ed)? | looks?[ ]like | ideally | i(?:['’]ll|[ ]will)[ ]need
        | there(?:['’]s|[ ](?:is|are|was|were|needs?)) | maybe | perhaps | theoretically
        | i[ ](?:really[ ]|just[ ]|still[ ])?(?:think|feel|believe|guess|noticed|wonder|see|figure)
        | i['’]m[ ]not[ ]sure
        | (?:кажется|возможно|наверное|vielleicht|scheint|peut-être|semble|quizás|parece) )\b
      | ^(?:just|no[ ](?:changes?|difference|luck))\b
      | ^(?:who|what|why|how|where|which)\b.{0,40}\b(?:do|does|is|are|can|should)\b
      | たぶん | ようです | みたい | 好像 | 似乎 | 也许""",
    re.X,
)
"""It tells what the person sees or supposes."""
_ASKS = compiled_later(
    r"""^(?:(?:and|but|so|also|now|ok(?:ay)?|then|please|or|hm++|yes|no)[ ,]++)*
        (?: (?:can|could|would|will)[ ]you[ ](?!(?:please[ ])?(?:always|never|not|only|stop|avoid)\b)
          | (?:can|could|would|should|shall)[ ](?:i|we|it|this|that|the|they)\b
          | do(?:es)?[ ](?:i|we|you|it|this|that|the)\b
          | (?:did|is|are|was|were|has|may[ ]i|what|why|where|who|which|how|when[ ](?:do|does|did|is|are|can))\b )""",
    re.X,
)
"""A question or a polite request without a question mark."""
_POLITE = r"^(?:(?:please|pls|also|and|but|so|ok(?:ay)?|then|now|yes|hm++|no(?=[,.])|bitte|und|aber)[ ,.]++)*+"
_PREFERS_IT = compiled_later(
    rf"""{_POLITE}
        (?: no[ ](?:[\w-]++[ ]){{0,2}}(?!worries|problems|errors|issues|thanks|yes|ideas?|changes)[\w-]{{2,40}}(?:ing|s)
              (?:[.!]?$|[ ](?:to|in|on|for|from)[ ])
          | no[ ](?!changes?|difference|luck|worries|problem|thanks|errors?|idea|way|one|need|clue|rush|not\b
              |reason|matter|longer|more\b)
              [\w-]{{3,40}}(?:[ ][\w-]{{2,40}})?[.!]?$
          | stop[ ]\w+ing\b | avoid[ ] | prefer[ ] | stick[ ]to[ ] | remember[ ](?:to|that)\b | always\b
          | i[ ](?:said|told[ ]you)[ ](?:not|no|never|always)\b
          | i[ ]prefer[ ]\w+[ ](?:over|to)\b
          | keep[ ](?!(?:it|this|that|them|in[ ]mind|as|on|up|a|an|your|\w+ing)\b)(?!.*[ ]but[ ])\w
          | leave[ ](?!(?:it|this|that|them|an?|me)\b)\w.*[ ](?:alone|untouched|unchanged|as[ ](?:is|they[ ]are))\b
          | let['’]?s[ ]not[ ](?:use|add|touch|commit|push|merge|deploy|mock|create|introduce)[ ]
          | nein[, ] | (?:vermeide|bevorzuge|behalte|lass)[ ] | non[, ] | (?:garde|évite|préfère)[ ]
          | (?:evita|mantén|prefiere)[ ] | избегай(?:те)?[ ] | предпочитай(?:те)?[ ] )
      | ^(?: 不是 | 不对 | 不，| 保持 | 避免 | 尽量 | 違う | いや | 避け )""",
    re.X,
)
"""It says what is to be kept, avoided or preferred."""
_CHOOSES = compiled_later(
    rf"""{_POLITE}(?: (?:please[ ])?use[ ]
          (?!(?:the[ ])?(?:this|that|it|these|those|first|second|third|last|latest|other|same|option|approach)\b|/)
        | (?:verwende|(?:be)?nutze|nimm|utilise|usa|utiliza|используй(?:те)?)[ ] ) | ^(?:用|请用|使って)""",
    re.X,
)
"""It chooses a tool or a form."""
_FOR_ONE_PURPOSE = compiled_later(r"[ ](?:to|um|para|pour|чтобы)[ ]\w|\b(?:you|it|them|here[ ]is)\b|https?://|\w\(")
_LONGEST_CHOICE = 9
"""Words. A longer sentence describes one piece of work: "use binary search instead of a sort after each push for …"."""
_ENSURES = compiled_later(
    rf"""^(?!then\b|after[ ]that){_POLITE}(?:make[ ]sure|ensure)[ ](?!(?:you|it|its|this|these|to|they|them|we|i)\b)
        (?!that[ ](?:you|it|this)\b)(?!(?:all|everything)[ ](?:of[ ]this|works|is)\b)""",
    re.X,
)
"""A condition that must hold. What refers to the one thing just asked for is not one: "make sure it restarts"."""
_OF_THE_WORK = (
    r"(?:commits?|tests?|functions?|methods?|class(?:es)?|files?|modules?|comments?|names?|variables?|constants|types?"
    r"|prs?|pull[ ]requests|branch(?:es)?|messages?|docs|documentation|docstrings?|changes?|code|errors?|logs?|scripts?"
    r"|migrations?|dependenc(?:y|ies)|imports?|endpoints?|components?|strings|texts?|answers|replies|issues|tasks|agents"
    r"|subagents|features?|action|command|commands)"
)
"""What the work is made of, not what the product shows."""
_OUGHT_OF_ALL = compiled_later(
    rf"""(?:^|[:;,.][ ]|\b(?:and|but|also|that|please|und|et|y|и)[ ])
        (?:(?:all|every|each|any|no)(?=[ ](?:[\w-]+[ ]){{0,2}}{_OF_THE_WORK}\b)
          |alle[nrs]?|jede[nrms]?|chaque|tous|toutes|todos|todas|cada|все|всех|кажд\w+)\b
        (?![,.]) .{{1,80}}?
        (?<!that)(?<!which)(?<!who)[ ](?:should|shall|needs?[ ]to|ha(?:s|ve)[ ]to|ought[ ]to|sollte[nst]*|soll(?:en)?
          |devrai(?:t|ent)|deberían?|нужно|надо)\b
      | ^(?:[a-z-]+[ ])?(?<!one[ ])(?=[a-z]+s[ ]){_OF_THE_WORK}[ ](?:should|ought[ ]to)\b
      | \bno\b(?:[ ][\w-]+){{1,4}}[ ]is[ ](?:needed|allowed|required)\b
      | (?:所有|每个).{{1,40}}(?:应该|應該) | (?:すべて|全て).{{1,40}}べき""",
    re.X,
)
"""A wish about everything of a kind."""


@value
class _Language:
    """The forms of one or several languages. They are looked for only in a sentence that has one of the words, or, for
    a script of its own, one of its characters."""

    words: frozenset[str]
    script: re.Pattern[str] | None
    forbids: re.Pattern[str]
    demands: re.Pattern[str]

    def is_spoken(self, sentence: str, words: set[str]) -> bool:
        return bool(self.script.search(sentence)) if self.script else not self.words.isdisjoint(words)


def _language(words: str, forbids: re.Pattern[str], demands: re.Pattern[str]) -> _Language:
    return _Language(words=frozenset(words.split()), script=None, forbids=forbids, demands=demands)


_GERMAN = _language(
    "nie niemals nicht kein keine keinen keinem keiner keines immer nur ab nun künftig zukunft muss müssen",
    _FORBIDS_IN_GERMAN,
    _DEMANDS_IN_GERMAN,
)
_LANGUAGES = (
    _GERMAN,
    _language(
        """never don dont not mustn must limits circumstances hands without shouldn always only now forward future time
        whenever before after important""",
        _FORBIDS_IN_ENGLISH,
        _DEMANDS_IN_ENGLISH,
    ),
    _language(
        """pas jamais plus rien interdit toujours dois doit doivent dorénavant désormais partir seulement uniquement""",
        _FORBIDS_IN_FRENCH,
        _DEMANDS_IN_FRENCH,
    ),
    _language(
        "no nunca jamás siempre debe debes deben solo sólo solamente partir ahora",
        _FORBIDS_IN_SPANISH,
        _DEMANDS_IN_SPANISH,
    ),
    _language(
        "não non mai sempre devi deve soltanto apenas somente",
        _FORBIDS_IN_PORTUGUESE_AND_ITALIAN,
        _DEMANDS_IN_PORTUGUESE_AND_ITALIAN,
    ),
    _language(
        "asla nigdy nie zaman daima sadece yalnızca zawsze musi tylko",
        _FORBIDS_IN_TURKISH_AND_POLISH,
        _DEMANDS_IN_TURKISH_AND_POLISH,
    ),
    _Language(
        words=frozenset(),
        script=compiled_later("[\u0400-\u04ff]"),
        forbids=_FORBIDS_IN_RUSSIAN,
        demands=_DEMANDS_IN_RUSSIAN,
    ),
    _Language(
        words=frozenset(),
        script=compiled_later("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"),
        forbids=_FORBIDS_IN_EAST_ASIAN,
        demands=_DEMANDS_IN_EAST_ASIAN,
    ),
)
_ABOUT_THIS = compiled_later(
    rf"""\byet\b | (?<!for[ ])\bnow[.!]*$
      | \b(?:noch[ ]nicht|pas[ ]encore|todavía[ ]no|aún[ ]no|ещё|пока[ ]не) | まだ | 先不要 | 还不要
      | (?:たい|けどね?|かな)[。！]*$
      | ^{_POLITE[1:]}(?:just[ ])?(?:do[ ]not|don['’]?t)[ ](?:\w+[ ]){{1,3}}?(?:it|this|that|them|these|those)
        (?:[ ](?:again|anymore|here|locally|manually|yet|in|on|at|to|for|from|when|if|with)\b|[.!,;]|$)
      | \bdon['’]?t[ ](?:we|i|they)\b
      | ^{_POLITE[1:]}(?:add|change|clean|delete|fix|make|merge|move|put|remove|rename|rewrite|show|split|update)[ ]
        (?!.*\b(?:any|ever|every|each|all|always)\b).*,[ ](?:but[ ]|and[ ])?(?:do[ ]not|don['’]?t)[ ]
      | ^{_POLITE[1:]}(?:note|mention|document|describe|explain|state|write)[ ](?!that\b).{{1,80}}?[ ]that\b
      | ^{_POLITE[1:]}(?:add|build|change|create|fix|implement|make|move|remove|rename|rewrite|show|update|write)[ ].*
        \b(?:so|which|where)\b.*\b(?:from[ ]now[ ]on|going[ ]forward|in[ ](?:the[ ])?future)\b
      | ^[请麻烦]{{0,2}}[帮给替]我(?!.*(?:每次|以后|总是|永远|所有))
      | \bin[ ]case\b.*\bin[ ]the[ ]future | ^\W*(?:error|warning|info)\b\W | \w\.\w{{1,4}}:\d | →""",
    re.X,
)
"""It is about the piece of work at hand (what is not yet to be done, what "it" is, how to make this one change), or it
is a line of a program or a review: "don't write code yet", "do not create them again"."""
_HOLDS_THE_WORK = compiled_later(
    rf"""\b{_DO_NOT}[ ](?:actually[ ]|really[ ])?
        (?: (?:implement|build|code|execute|do|start|change|edit|modify|touch|write)(?:[ ](?:anything|any[ ]code|code))?
          | make[ ](?:any[ ])?(?:code[ ]|file[ ])?changes? )
        (?:[ ](?:at[ ]all|for[ ]now|right[ ]now|here))?
        (?:[.!,;]|[ ]?[–—-][ ]|[ ](?:just|only|but|and[ ]just)[ ]|\W*$)""",
    re.X,
)
"""It forbids to begin at all: "don't implement anything", "no changes, just explain". That holds until the next
request."""
_WORD = compiled_later(r"\w+")
_MAY_REPORT = frozenset("only never always don dont not can should".split())


def holds_the_work(sentence: str) -> bool:
    """Whether it forbids to begin, and so holds only until the person asks for more. It is in lower case."""
    return bool(_HOLDS_THE_WORK.search(sentence))


def force(sentence: str) -> int:
    """How strong a rule the sentence is; 0 if it is not a rule. The sentence is in lower case."""
    if sentence.rstrip(" *_").endswith((":", "：")):
        return 0  # it introduces what stands below it
    if _ABOUT_THIS.search(sentence):
        return 0
    words = set(_WORD.findall(sentence))
    if not _MAY_REPORT.isdisjoint(words):
        sentence = _REPORTS.sub(" ", sentence).strip()
    spoken = list(_spoken_in(sentence, words))
    if any(each.forbids.search(sentence) for each in spoken):
        return FORBIDS
    if _OBSERVES.search(sentence) or _ASKS.search(sentence):
        return 0
    return DEMANDS if any(each.demands.search(sentence) for each in spoken) else _milder_force(sentence)


def _milder_force(sentence: str) -> int:
    if _PREFERS_IT.search(sentence) or _chooses(sentence) or _ENSURES.search(sentence):
        return PREFERS
    return WISHES if _OUGHT_OF_ALL.search(sentence) else 0


def _spoken_in(sentence: str, words: set[str]) -> Iterator[_Language]:
    for language in _LANGUAGES:
        if language.is_spoken(sentence, words) and (language is not _GERMAN or _is_meant_in_german(sentence)):
            yield language


def _is_meant_in_german(sentence: str) -> bool:
    """Whether German words of demanding are meant so: they stand with a modal verb, or in a sentence that reports
    nothing."""
    if _POLISH.search(sentence):
        return False
    return bool(_GERMAN_MODAL.search(sentence)) or not _REPORTS_IN_GERMAN.search(sentence)


def _chooses(sentence: str) -> bool:
    """Whether it chooses what is to be used from here on, and not for one purpose."""
    is_short = len(sentence.split(None, _LONGEST_CHOICE)) <= _LONGEST_CHOICE
    return is_short and bool(_CHOOSES.search(sentence)) and not _FOR_ONE_PURPOSE.search(sentence)
