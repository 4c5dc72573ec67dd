"""Judges the words of curl, wget, tmux, sysctl and openssl."""

from __future__ import annotations

import re

from perdure.gate.shell.words import OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Match
    from perdure.gate.shell.words import Field


def _words(found: Match) -> list[Field]:
    """Every operand and every value."""
    return [*found.operands, *(content for _, content in found.options if content is not None)]


PLAIN_FORMAT = re.compile(r"#\{@?[a-z][a-z0-9_-]*\}|#[A-Z]|##")


def tmux_format(call: ProgramCall, found: Match) -> str:
    for field in _words(found):
        text = field.text
        if text is None:
            return f"`{field.shown()}` is not known before it runs and may hold a command"
        if "\n" in text or text.endswith(";"):
            return "a word that ends with `;` begins another command of tmux"
        if "#" in PLAIN_FORMAT.sub("", text):
            return "a format can run a program with `#(…)`"
    return ""


def no_equals(call: ProgramCall, found: Match) -> str:
    if any((field.text or field.prefix).startswith("@") for field in _words(found)):
        return "a word that begins with `@` may bring options along"
    for field in found.operands:
        text = field.text
        if text is None:
            return f"`{field.shown()}` is not known before it runs and may set something"
        if "=" in text or ":" in text:
            return "`name=value` sets the kernel's settings"
    return ""


def no_engine(call: ProgramCall, found: Match) -> str:
    for field in _words(found):
        text = field.text if field.text is not None else field.prefix
        if field.text is None and not field.prefix:
            # a name that is not known could be `org.openssl.engine:/path:x`, which loads code
            return f"`{field.shown()}` is not known before it runs and may name code to load"
        if "engine:" in text.lower():
            return "`org.openssl.engine:` loads code"
    return ""


METHODS = ("GET", "HEAD", "OPTIONS")
GUESSED = ("dict.", "ldap.", "imap.", "smtp.", "pop3.")


def _url(field: Field) -> str:
    """Why an address may use another protocol than http, https, ftp or file. Without one, curl takes http, unless the
    host's name makes it guess another."""
    text = (field.text if field.text is not None else field.prefix).strip()
    low = text.lower()
    if low.startswith(("http://", "https://", "ftp://", "ftps://", "file://")):
        return ""
    if text.startswith("@"):
        return "takes its addresses from a file"
    settled = field.text is not None or "/" in text or ":" in text
    if not settled:
        return f"which protocol `{field.shown()}` names is not known before it runs"
    if "://" in low.partition("?")[0] or low.startswith(GUESSED) or text[:1] in "{[":
        return f"`{text[:40]}` names a protocol other than http, https, ftp and file"
    return ""


def _is_here(address: str) -> bool:
    host = address.partition("://")[2] or address
    return host.startswith(("localhost:", "localhost/", "127.0.0.1:", "127.0.0.1/", "[::1]"))


def nothing_sent(call: ProgramCall, found: Match) -> str:
    """A name that is looked up reaches other machines, so it must not contain what a command printed."""
    if any((field.text or "").startswith("-f") for field in found.operands):
        return "takes its questions from a file"
    holes = (segment for field in _words(found) for segment in field.segments)
    return "sends what a command printed to another machine" if OUTPUT in holes else ""


def _header(field: Field) -> str:
    if field.text is None and not field.prefix:
        return "a header that is not known before it runs may ask for another method"
    text = (field.text if field.text is not None else field.prefix).strip().lower()
    if text.startswith("@"):
        return "takes its headers from a file"
    name = text.partition(":")[0]
    if "method" in name:
        return "a header asks the server for another method"
    return ""


def _sends_output(found: Match) -> bool:
    """Whether the request contains what a command printed, and goes to another machine."""
    hosts = [*found.operands, *found.values_of("--url")]
    here = all(_is_here((field.text if field.text is not None else field.prefix).lower()) for field in hosts)
    return not here and any(OUTPUT in field.segments for field in _words(found))


def curl(call: ProgramCall, found: Match) -> str:
    if _sends_output(found):
        return "sends what a command printed to another machine"
    for options, check in CURL_CHECKS:
        for field in found.values_of(*options):
            if why := check(field):
                return why
    for field in (*found.operands, *found.values_of("--url", "--doh-url")):
        if why := _url(field):
            return why
    return ""


def _method(field: Field) -> str:
    return "" if field.text in METHODS else f"the method {field.shown()} may change something"


def _write_out(field: Field) -> str:
    text = field.text
    writes = text is None or text.startswith("@") or "%output" in text.lower()
    return "its format may write a file" if writes else ""


def _output(field: Field) -> str:
    return "the file's name is made of the address" if field.text is None or "#" in field.text else ""


def _written_file(field: Field) -> str:
    return "which file it writes is not known before it runs" if field.text is None else ""


def _data(field: Field) -> str:
    text = field.text if field.text is not None else field.prefix
    is_unknown = field.text is None and not text
    is_file = "@" in text.partition("=")[0]
    return "sends a file, or what is not known before it runs" if is_unknown or is_file else ""


def _cookie(field: Field) -> str:
    is_unknown = field.text is None and not field.prefix
    return "which cookies it sends is not known before it runs" if is_unknown else ""


CURL_CHECKS: tuple[tuple[tuple[str, ...], Callable[[Field], str]], ...] = (
    (("-X", "--request"), _method),
    (("-H", "--header", "--proxy-header"), _header),
    (("-w", "--write-out"), _write_out),
    (("-o", "--output"), _output),
    (("-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii"), _written_file),
    (("-d", "--data", "--data-ascii", "--data-binary"), _data),
    (("--data-raw", "--data-urlencode", "--url-query"), _data),
    (("-b", "--cookie"), _cookie),
)
"""Options of curl that take a value → the check of that value."""


def wget(call: ProgramCall, found: Match) -> str:
    if _sends_output(found):
        return "sends what a command printed to another machine"
    for field in found.operands:
        if why := _url(field):
            return why
    for field in found.values_of("--header"):
        if why := _header(field):
            return why
    return ""
