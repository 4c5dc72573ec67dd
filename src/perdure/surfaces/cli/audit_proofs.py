"""audit prove, verify, verify-proof, heads, anchor, key, acknowledge: the proofs of SPEC 14.6 and 14.7. The verbs are
merged into `audit`'s by audit.py."""

from __future__ import annotations

import os
import sys

from perdure.actions import anchors, auditing, signing
from perdure.actions.home_heads import ANCHORED, INSIDE, KEPT
from perdure.actions.wiring import open_desk
from perdure.errors import BadInput
from perdure.files import NewFile, trouble
from perdure.model.ids import short, shown
from perdure.model.payload import TEXTS
from perdure.model.plural import counted
from perdure.place.home import home_folder
from perdure.proof import bundle
from perdure.proof.fsck import WHAT
from perdure.surfaces.cli.command import Answer, limit_flag, request
from perdure.surfaces.output import Progress, harmless, local_date, one_line, path_for_people, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import TypeAlias

    from perdure.actions.auditing import Verified
    from perdure.model.json import Json
    from perdure.proof.bundle import Object, Proved
    from perdure.proof.fsck import AuditFinding, Claim
    from perdure.proof.signed_note import TreeHead
    from perdure.surfaces.cli.command import Arguments
    from perdure.surfaces.output import Style
    from perdure.views.head_files import KeptHead

    Verb: TypeAlias = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[Arguments], Answer]]


# -- prove -----------------------------------------------------------------------------------------------------------


def _prove_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", nargs="?", help="the event, thought, decision, note or goal")
    parser.add_argument("--session", metavar="ID", help="prove that it is in this sealed audit session")
    parser.add_argument(
        "--since", metavar="SIZE", type=int, help="prove that the ledger only grew since it had SIZE events"
    )
    parser.add_argument("--output", metavar="FILE", help="the file to write (default: standard output)")


def _prove(arguments: Arguments) -> Answer:
    if (arguments.record is None) == (arguments.since is None) or (arguments.session and arguments.since is not None):
        raise BadInput("usage", "Give a record, or --since.", hint="perdure audit prove 3f2a91c4")
    with open_desk(request(arguments)) as desk:
        if arguments.record is None:
            proof = auditing.prove_growth(desk, arguments.since)
        else:
            proof = auditing.prove(desk, arguments.record, arguments.session)
    if arguments.output is None:
        exact = bundle.written(proof)
        return Answer(proof, lambda _: harmless(exact.rstrip("\n")), exact=exact)
    with NewFile(arguments.output) as file:
        file.write(bundle.written(proof).encode())
    said = f"written: {path_for_people(arguments.output)}; perdure audit verify-proof checks it"
    return Answer({"path": os.path.abspath(arguments.output), "proof": proof}, lambda _: said)


# -- verify-proof ----------------------------------------------------------------------------------------------------


def _verify_proof_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a proof that perdure audit prove wrote; - for standard input")
    parser.add_argument("--key", metavar="KEY", help="the public key you trust, or a file that holds it")
    parser.add_argument("--any-signer", action="store_true", help="do not fail if the signer is unknown")


def _verify_proof(arguments: Arguments) -> Answer:
    proved = auditing.verify_proof(_proof_text(arguments.file), home_folder(os.environ), arguments.key)
    is_enough = proved.trusted or arguments.any_signer
    return Answer(
        proved_data(proved), lambda style: _proved_text(proved, arguments.key, style), exit_code=0 if is_enough else 1
    )


def _proof_text(path: str) -> str:
    try:
        raw = sys.stdin.buffer.read(bundle.LARGEST + 1) if path == "-" else _bytes_of(path)
        return raw.decode()
    except UnicodeDecodeError:
        raise BadInput("bad_proof", "That is not text.", hint="perdure audit prove writes a proof.") from None


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(bundle.LARGEST + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise BadInput("bad_path", f"There is no file {shown(path)}.") from None
    except OSError as error:
        raise trouble(error, path) from error


def _tree_head_data(said: TreeHead) -> dict[str, Json]:
    return {"ledger_id": said.ledger_id, "tree_size": said.size, "root": said.root.hex(), "signed_at": said.time}


def proved_data(proved: Proved) -> dict[str, Json]:
    return {
        "proved": proved.kind,
        **_tree_head_data(proved.head.tree_head),
        "event": proved.event,
        "leaf_index": proved.index if proved.event else None,
        "since": proved.since or None,
        "session_id": proved.session_id,
        "key": proved.key.vkey,
        "signer_known": proved.trusted,
    }


def _proved_text(proved: Proved, given: str | None, style: Style) -> str:
    said, event = proved.head.tree_head, proved.event
    ledger = f"ledger {one_line(short(said.ledger_id))}"
    signed = f"as signed {_when(said.time)} over {counted(said.size, 'event')}"
    if event is None:
        what = f"{ledger} with {counted(proved.since, 'event')} is the beginning of it {signed}"
    else:
        who = f" by {one_line(event['actor'], 40)}" if "actor" in event else ""
        thing = f"{one_line(event['kind'], 40)} {one_line(short(event['id']))} of {_when(event['ts'])}{who}"
        place = f"event {proved.index + 1} of {ledger}"
        if proved.session_id:
            place = f"record {proved.index + 1} of audit session {one_line(proved.session_id)}, sealed in {ledger}"
        what = f"{thing} is {place}, {signed}\n        {_told_by(event)}"
    if proved.trusted:
        known = "the key you gave" if given else "a key of this machine"
        return f"{style('green', 'proved')}  {what}\n        signed by {known}, {one_line(proved.key.name)}"
    doubt = style("yellow", "not the key you gave" if given else "not known")
    return (
        f"{style('yellow', 'consistent')}  {what}\n        but the signer is {doubt}: {harmless(proved.key.vkey)}\n"
        "        Get the signer's key in another way, and check again with it: --key KEY"
    )


def _told_by(event: Object) -> str:
    """The first words of the proved event. No hash covers why a payload is missing, so that is not said."""
    if "payload" not in event:
        return "this file does not show its payload"
    payload = event["payload"] if isinstance(event["payload"], dict) else {}
    names = (*TEXTS.get(event["kind"], ()), "text", "content", "decision", "title", "reasoning")
    words = next((payload[name] for name in names if isinstance(payload.get(name), str) and payload[name].strip()), "")
    first = next((line for line in words.splitlines() if line.strip()), "")
    return f"it says: {one_line(first)}" if first else "it holds no text"


# -- verify ----------------------------------------------------------------------------------------------------------


def _no_flags(parser: argparse.ArgumentParser) -> None:
    """No flags but those that every command has."""


def _verify(arguments: Arguments) -> Answer:
    progress = Progress("events verified")
    verified = auditing.verify(request(arguments), progress)
    progress.done()
    return Answer(
        verified_data(verified), lambda style: _verified_text(verified, style), exit_code=0 if verified.is_whole else 1
    )


def verified_data(verified: Verified) -> dict[str, Json]:
    report, last = verified.report, verified.last_head
    return {
        "whole": verified.is_whole,
        "project_path": verified.root,
        "ledger_id": verified.ledger_id,
        "last_head": {"size": last.size, "signed_at": last.time, "where": last.where} if last else None,
        "events": report.events,
        "ledger_count": report.ledgers,
        "redacted": report.redacted,
        "lost_payloads": verified.lost_payloads,
        "heads": {source: verified.held(source) for source in _SOURCES},
        "findings": [finding_data(finding) for finding in report.findings],
        "remarks": list(verified.remarks),
    }


def finding_data(finding: AuditFinding) -> dict[str, Json]:
    since = finding.since
    return {
        "check": WHAT[finding.check],
        "what": finding.what,
        "ledger_id": finding.ledger_id or None,
        "seq": finding.seq,
        "event_id": finding.event_id,
        "time": finding.time,
        "holds_up_to": {"size": since.size, "signed_at": since.time, "where": since.where} if since else None,
    }


def _verified_text(verified: Verified, style: Style) -> str:
    report = verified.report
    lines = [style("yellow", "note") + f"  {harmless(each)}" for each in verified.remarks]
    if verified.is_whole:
        number = counted(report.events, "event")
        ledgers = f" in {report.ledgers} ledgers" if report.ledgers > 1 else ""
        gone = f", {report.redacted:,} of them redacted" if report.redacted else ""
        gone += f", {counted(verified.lost_payloads, 'payload')} lost" if verified.lost_payloads else ""
        known = ", ".join(f"{verified.held(source):,} {where}" for source, where in _SOURCES.items())
        return "\n".join(
            [
                f"{style('green', 'whole')}  {number}{ledgers}{gone}: chain, tree, indexes and state",
                f"       signed heads that match: {known}",
                f"       {_looked_at(verified)}",
                *lines,
            ]
        )
    findings = (_finding_text(f, style) for f in report.findings)
    ways = (f"  Now: {harmless(each)}" for each in verified.ways_out)
    return "\n".join([style("red", "altered"), f"  {_looked_at(verified)}", *findings, *lines, *ways])


_SOURCES = {KEPT: "kept outside", ANCHORED: "in git", INSIDE: "in the ledger"}


def _looked_at(verified: Verified) -> str:
    ledger = f", ledger {harmless(short(verified.ledger_id))}" if verified.ledger_id else ""
    last = verified.last_head
    signed = f", last head over {counted(last.size, 'event')}, signed {_when(last.time)}" if last else ""
    number = counted(verified.report.events, "event")
    return f"checked {path_for_people(verified.root)}{ledger}: {number}{signed or ', no head that matches'}"


def _finding_text(finding: AuditFinding, style: Style) -> str:
    where = f"ledger {harmless(short(finding.ledger_id))}" if finding.ledger_id else ""
    if finding.seq is not None:
        where += f", event {finding.seq:,}"
    if finding.event_id:
        where += f" ({harmless(short(finding.event_id))}, {_when(finding.time or '')})"
    lines = [f"  {style('bold', WHAT[finding.check])}: {harmless(finding.what)}"]
    if where:
        lines.append(f"      where  {where}")
    if finding.since:
        lines.append(f"      since  {_since(finding.since)}")
    elif finding.lacks:
        lines.append(f"      since  {finding.lacks}")
    return "\n".join(lines)


def _since(last: Claim) -> str:
    return f"unchanged up to event {last.size:,}, as signed {_when(last.time)} ({last.where})"


def _when(time: str) -> str:
    return local_date(time)


# -- heads, anchor, key, acknowledge ---------------------------------------------------------------------------------


def _heads_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sign", action="store_true", help="first sign the ledger as it is now")
    limit_flag(parser, 10, "how many to show, newest last")


def _heads(arguments: Arguments) -> Answer:
    with open_desk(request(arguments), writable=arguments.sign) as desk:
        if arguments.sign:
            signing.sign(desk, "asked")
        found = auditing.heads(desk)[-arguments.limit :]

    def text(style: Style) -> str:
        if not found:
            return "no signed head yet; perdure audit heads --sign"
        rows = [_head_row(head) for head in found]
        return table(rows, ["signed", "ledger", "events", "root", "why"], style)

    return Answer([head_data(head) for head in found], text)


def _head_row(head: KeptHead) -> list[str]:
    said = head.signed.tree_head
    return [local_date(said.time), short(said.ledger_id), f"{said.size:,}", said.root.hex()[:16], head.why]


def head_data(head: KeptHead) -> dict[str, Json]:
    return {
        **_tree_head_data(head.signed.tree_head),
        "why": head.why,
        "note": head.note,
    }


def _anchor_flags(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--trailer", action="store_true", help="print a line for the end of a commit message")
    how.add_argument("--git-note", action="store_true", help=f"add a git note to HEAD, under {anchors.REF}")


def _anchor(arguments: Arguments) -> Answer:
    with open_desk(request(arguments)) as desk:
        head = signing.sign(desk, "anchor")
        commit = anchors.put_note(desk.root, head.note) if arguments.git_note else None
    line = anchors.trailer(head.signed)
    if commit is None:
        return Answer({"trailer": line, "note": head.note}, lambda _: line)
    push = f"git push origin {anchors.REF}"
    size = head.signed.tree_head.size
    said = f"noted on commit {commit[:8]}: {size:,} events\n  it helps once it is on another machine: {push}"
    return Answer({"commit": commit, "ref": anchors.REF, "note": head.note, "push": push}, lambda _: said)


def _key_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["show", "rotate"], help="show the public key, or make a new key")


def _key(arguments: Arguments) -> Answer:
    if arguments.what == "rotate":
        auditing.rotate_key(request(arguments))
    known = auditing.keys(home_folder(os.environ))
    data: list[Json] = [{"key": each.key.vkey, "key_id": each.key.id.hex(), "since": each.since} for each in known]

    def text(style: Style) -> str:
        if not known:
            return "no key yet; signing the first head makes one"
        before = [style("dim", f"before  {each.key.vkey}  since {_when(each.since)}") for each in known[:-1]]
        since = f" since {_when(known[-1].since)}" if known[-1].since else "; since when is not known"
        return "\n".join([f"{known[-1].key.vkey}\n  signs{since}", *before])

    return Answer(data, text)


def _acknowledge_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--because", required=True, metavar="TEXT", help="why; kept in the ledger")


def _acknowledge(arguments: Arguments) -> Answer:
    asked = request(arguments)
    with open_desk(asked, any_id=True) as desk:
        accepted = auditing.acknowledge(asked, desk, arguments.because)
    ledgers: list[Json] = [{"ledger_id": each.ledger_id, "holds_up_to": each.above} for each in accepted.ledgers]

    def text(_style: Style) -> str:
        lines = [
            f"ledger {harmless(short(e.ledger_id))}: {counted(len(e.heads), 'head')} that did not match accepted; the "
            f"last head that matches is over {counted(e.above, 'event')}"
            for e in accepted.ledgers
        ]
        lines += [f"accepted: {harmless(what)}" for what in accepted.places]
        return "\n".join([*lines, *(["The ledger continues in a new chain."] if accepted.new_chain else [])])

    return Answer({"because": accepted.because, "ledgers": ledgers, "new_chain": accepted.new_chain}, text)


VERBS: dict[str, Verb] = {
    "prove": ("write a proof that a record is in the ledger, or that the ledger only grew", _prove_flags, _prove),
    "verify-proof": ("check a proof; needs no ledger and no network", _verify_proof_flags, _verify_proof),
    "verify": ("check the whole ledger against itself and against every signed head", _no_flags, _verify),
    "heads": ("list the signed heads that are kept outside the project", _heads_flags, _heads),
    "anchor": ("write a signed head into git, to be pushed elsewhere", _anchor_flags, _anchor),
    "key": ("show the signing key, or make a new one (for people)", _key_flags, _key),
    "acknowledge": ("accept that signed heads no longer match (for people)", _acknowledge_flags, _acknowledge),
}
