"""Judges the words of git, hg and gh, and says which calls destroy or publish something."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Match
    from perdure.gate.shell.words import Field


def dashed_values(call: ProgramCall, found: Match) -> str:
    """For programs that parse their words in several places, which disagree about values and about `--`."""
    if found.dashed_value:
        return "a value that begins with a dash may be taken for an option"
    if any((field.text or "").startswith("-") and field.text != "-" for field in found.operands):
        return "a word after `--` that begins with a dash may be taken for an option"
    return ""


def git_blame(call: ProgramCall, found: Match) -> str:
    """With more than one word after `--`, git blame looks for options among them too."""
    dynamic = [field for field in found.operands if field.text is None and (field.splits or field.may_be_option)]
    return dashed_values(call, found) or ("a word that is not known may be taken for an option" if dynamic else "")


def hg_values(call: ProgramCall, found: Match) -> str:
    unknown = any(
        content is not None and content.may_be_option and content.text is None for _, content in found.options
    )
    return dashed_values(call, found) or ("a value that is not known may be taken for an option" if unknown else "")


GIT_SCHEMES = ("http", "https", "git", "ssh", "git+ssh", "ssh+git", "ftp", "ftps", "file")
PLAIN_REMOTE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@:~-+*%{}^")


def git_remote_word(call: ProgramCall, found: Match) -> str:
    """The operands must be plain names or addresses of remotes: `ext::…` and its like run programs."""
    for field in found.operands:
        text = field.text
        if text is None:
            return f"`{field.shown()}` is not known before it runs, and some addresses run programs"
        host = text.partition("://")[2] or text
        if "::" in text or host.startswith("-") or not PLAIN_REMOTE.issuperset(text):
            return f"`{text}` may be an address that runs a program"
        if "://" in text and text.partition("://")[0] not in GIT_SCHEMES:
            return f"`{text}` may be an address that runs a program"
    return ""


def git_config_name(call: ProgramCall, found: Match) -> str:
    texts = [field.text for field in found.operands]
    if len(texts) == 1 and texts[0] is not None and "." in texts[0] and "=" not in texts[0]:
        return ""
    return "sets an option, or which one is read is not known"


HARMLESS_HEADERS = ("accept", "accept-encoding", "if-none-match", "if-modified-since", "x-github-api-version")


def gh_api(call: ProgramCall, found: Match) -> str:
    """The request must be a GET, which depends both on what it is given and on what it is not."""
    methods = [(field.text or "").upper() for field in found.values_of("-X", "--method")]
    if not {"GET", "HEAD"}.issuperset(methods):
        return "the method changes something at the other end"
    if found.has("--input") or not _has_harmless_headers(found):
        return "what is sent along may change something at the other end"
    fields = found.values_of("-f", "--raw-field", "-F", "--field")
    if any(_names_graphql(field) for field in found.operands):
        return _graphql(fields)
    if fields and not methods:
        return "fields are sent by POST unless the method is GET"
    return ""


def _names_graphql(field: Field) -> bool:
    return field.text is not None and field.text.strip("/") == "graphql"


def _graphql(fields: list[Field]) -> str:
    queries = fields and all(_only_queries(field) for field in fields)
    return "" if queries else "a GraphQL request may change something"


def _has_harmless_headers(found: Match) -> bool:
    for field in found.values_of("-H", "--header"):
        name = (field.text or field.prefix).partition(":")[0]
        if name.lower() not in HARMLESS_HEADERS:
            return False
    return True


def _only_queries(field: Field) -> bool:
    """Whether it is a GraphQL query, or one of a query's plain values."""
    text = field.text
    if text is None:
        return False
    name, _, content = text.partition("=")
    if name != "query":
        return not content.startswith("@")
    words = "".join(c if c.isalnum() else " " for c in content).split()
    return content.lstrip().startswith(("query", "{")) and "mutation" not in words and "subscription" not in words


def git_push(found: Match) -> str:
    refs = [field.text for field in found.operands]
    if any(ref is None or ref.startswith("+") for ref in refs):
        return "overwrites history at the remote"
    return "deletes at the remote" if any((ref or "").startswith(":") for ref in refs) else ""


def git_checkout(found: Match) -> str:
    """With paths it overwrites files; a single name is read as a branch."""
    if found.has("-B"):
        return "moves a branch away from its commits"
    if _names_paths(found) and not found.has("-b", "--orphan"):
        return "overwrites changes that are not committed"
    return ""


def _names_paths(found: Match) -> bool:
    if found.ended or len(found.operands) > 1:
        return True
    return any(field.text is None or field.text == "." or field.text.endswith("/") for field in found.operands)


def git_restore(found: Match) -> str:
    only_index = found.has("-S", "--staged") and not found.has("-W", "--worktree")
    return "" if only_index else "overwrites changes that are not committed"


HARMLESS_SETTINGS = ("color.", "advice.", "column.", "status.", "blame.", "versionsort.")
HARMLESS_NAMES = frozenset(
    """core.quotepath core.abbrev core.precomposeunicode core.preloadindex log.date log.decorate log.abbrevcommit
    log.follow log.mailmap log.showroot diff.renames diff.renamelimit diff.context diff.algorithm diff.noprefix
    diff.mnemonicprefix diff.colormoved diff.interhunkcontext diff.statgraphwidth diff.wserrorhighlight
    diff.suppressblankempty diff.indentheuristic merge.renames grep.linenumber grep.column grep.patterntype
    grep.extendedregexp i18n.logoutputencoding format.pretty pager.log pager.diff pager.show pager.branch pager.status
    pager.tag pager.blame pager.grep""".split()
)
OFF = ("false", "0", "no", "off", "cat", "")


def git_settings(call: ProgramCall, found: Match) -> str:
    """`-c name=value` may name programs that git runs; these settings only change what is shown."""
    for field in found.values_of("-c"):
        name, _, content = (field.text or "").partition("=")
        low = name.lower()
        quiet = low == "core.pager" or low.startswith("pager.")
        if quiet and content in OFF:
            continue
        if quiet or not (low in HARMLESS_NAMES or low.startswith(HARMLESS_SETTINGS)):
            return f"`-c {field.shown()}` sets configuration, which can name programs that git runs"
    return ""
