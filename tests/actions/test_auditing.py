"""Signing, proving and verifying as a person does it: on the command line, with a home of keys and heads."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perdure.errors import BadInput
from perdure.model.event import Draft
from perdure.model.value import replace
from perdure.proof import bundle, merkle, signed_note
from perdure.proof.chain import empty_head, seal
from perdure.surfaces.output import Progress
from perdure.views import head_files, signing_keys
from tests.conftest import Cli, git

FLAGS = ("--know", "0.9", "--uncertainty", "0.1", "--because", "x")


@pytest.fixture
def home(environment: dict[str, str]) -> Path:
    return Path(environment["PERDURE_HOME"])


@pytest.fixture
def worked(cli: Cli) -> Cli:
    """One transaction, one decision in it, one signed head."""
    cli.environment["PERDURE_INSTANCE"] = "test"
    cli.ok("preflight", *FLAGS)
    cli.ok("decide", "use WAL", "--because", "readers never wait")
    cli.ok("postflight", *FLAGS)
    return cli


def decision(cli: Cli) -> str:
    return str(cli.ok("decide", "--list")[0]["decision_id"])


def rows(cli: Cli, kind: str) -> list[dict[str, Any]]:
    with sqlite3.connect(cli.cwd / ".perdure" / "ledger.db") as db:
        return [json.loads(text) for (text,) in db.execute("SELECT payload FROM events WHERE kind = ?", (kind,))]


# -- signing ---------------------------------------------------------------------------------------------------------


def test_postflight_signs_a_head_inside_and_outside(worked: Cli, home: Path) -> None:
    (inside,) = rows(worked, "head.signed")
    (outside,) = worked.ok("audit", "heads")
    assert inside["note"] == outside["note"]
    assert (inside["why"], inside["size"], inside["root"]) == ("postflight", outside["tree_size"], outside["root"])
    key = signing_keys.known(str(home))[-1].key
    assert signed_note.signer(signed_note.read(outside["note"]), [key]) == key


def test_the_end_of_a_session_signs_a_head(cli: Cli) -> None:
    cli.environment["PERDURE_INSTANCE"] = "test"
    cli.ok("session", "start")
    cli.ok("session", "end")
    assert [head["why"] for head in cli.ok("audit", "heads")] == ["session end"]


def test_what_is_signed_already_is_not_signed_again(worked: Cli) -> None:
    first = worked.ok("audit", "heads", "--sign")
    assert worked.ok("audit", "heads", "--sign") == first
    worked.ok("note", "finding", "something new")
    assert len(worked.ok("audit", "heads", "--sign")) == len(first) + 1


def test_the_key_and_the_heads_are_for_their_owner_only(worked: Cli, home: Path) -> None:
    for path in (home / "keys" / "signing.key", home / "keys" / "signers", *(home / "heads").rglob("*.jsonl")):
        assert path.stat().st_mode & 0o077 == 0, path
    assert not list(worked.cwd.rglob("signing.key"))


def test_where_the_home_cannot_be_written_the_transition_stands_and_says_so(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    unwritable = str(tmp_path / "a file" / "home")
    cli.environment["PERDURE_INSTANCE"] = "test"
    cli.ok("preflight", *FLAGS, PERDURE_HOME=unwritable)
    closed = cli.ok("postflight", *FLAGS, PERDURE_HOME=unwritable)
    assert closed["status"] == "closed"
    assert any("The tree head was not signed" in warning for warning in closed["warnings"])
    shown = cli("postflight", *FLAGS, PERDURE_HOME=unwritable)
    assert "No open transaction" in shown.err


def test_a_damaged_key_stops_the_signing_and_not_the_work(worked: Cli, home: Path) -> None:
    (home / "keys" / "signing.key").write_text("no key\n")
    worked.ok("preflight", *FLAGS)
    closed = worked.ok("postflight", *FLAGS)
    assert any("is not a signing key" in warning for warning in closed["warnings"])
    worked.ok("audit", "key", "rotate")
    worked.ok("audit", "heads", "--sign")
    assert worked.ok("audit", "verify")["whole"]


def test_after_a_rotation_heads_signed_before_still_hold(worked: Cli, home: Path) -> None:
    before = worked.ok("audit", "key", "show")
    proof = worked.ok("audit", "prove", decision(worked))
    assert proof["key"] == before[-1]["key"]
    after = worked.ok("audit", "key", "rotate")
    assert len(after) == 2
    assert after[0] == before[0]
    worked.ok("note", "finding", "something new")
    worked.ok("audit", "heads", "--sign")
    assert worked.ok("audit", "verify")["heads"]["kept"] == 2
    signers = {signed_note.signer(h.signed, [k.key for k in signing_keys.known(str(home))]) for h in heads_in(home)}
    assert len(signers) == 2
    assert None not in signers


def heads_in(home: Path) -> list[head_files.KeptHead]:
    folders = [str(folder) for folder in (home / "heads").iterdir()]
    return [head for f in folders for i in head_files.ledgers_in(f) for head in head_files.kept(f, i)]


def test_a_torn_line_of_heads_costs_no_other(worked: Cli, home: Path) -> None:
    (path,) = (home / "heads").rglob("*.jsonl")
    with path.open("a") as file:
        file.write('{"note": "perdure/torn')
    worked.ok("note", "finding", "something new")
    worked.ok("audit", "heads", "--sign")
    assert len(worked.ok("audit", "heads")) == 2
    assert worked.ok("audit", "verify")["whole"]


# -- proofs ----------------------------------------------------------------------------------------------------------


def test_a_proof_is_verified_with_no_ledger_and_no_project(worked: Cli, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    worked.ok("audit", "prove", decision(worked)[:8], "--output", str(file))
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Cli(tmp_path / "elsewhere", {**worked.environment, "PERDURE_HOME": str(tmp_path / "another home")})
    unknown = elsewhere("audit", "verify-proof", str(file), "--json")
    assert (unknown.code, unknown.json["signer_known"]) == (1, False)
    assert elsewhere("audit", "verify-proof", str(file), "--any-signer").code == 0
    vkey = worked.ok("audit", "key", "show")[-1]["key"]
    known = elsewhere.ok("audit", "verify-proof", str(file), "--key", vkey)
    assert known["signer_known"]
    assert known["event"]["payload"]["decision"] == "use WAL"
    (tmp_path / "key").write_text(vkey + "\n")
    assert elsewhere.ok("audit", "verify-proof", str(file), "--key", str(tmp_path / "key"))["signer_known"]
    assert not (tmp_path / "another home").exists()


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["text", "json"])
def test_a_proof_goes_through_a_pipe(worked: Cli, flags: tuple[str, ...]) -> None:
    proof = worked("audit", "prove", decision(worked), *flags).out
    assert worked("audit", "verify-proof", "-", input=proof).code == 0


def test_a_person_is_told_what_was_proved_and_by_which_key(worked: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "proof.json")
    worked("audit", "prove", decision(worked), "--output", file)
    told = worked("audit", "verify-proof", file)
    assert told.code == 0
    assert told.out.startswith(f"proved  decision.made {decision(worked)[:8]} of ")
    assert "signed by a key of this machine, perdure/" in told.out
    doubt = worked("audit", "verify-proof", file, PERDURE_HOME=str(tmp_path / "none"))
    assert doubt.code == 1
    assert "the signer is not known" in doubt.out


def test_another_key_than_the_one_that_signed_is_not_trusted(worked: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "proof.json")
    worked.ok("audit", "prove", decision(worked), "--output", file)
    other = Cli(worked.cwd, {**worked.environment, "PERDURE_HOME": str(tmp_path / "another")})
    vkey = other.ok("audit", "key", "rotate")[-1]["key"]
    assert worked("audit", "verify-proof", file, "--key", vkey).code == 1
    refused = worked("audit", "verify-proof", file, "--key", "no key", "--json")
    assert (refused.code, refused.error["code"]) == (2, "bad_key")


def test_a_key_that_is_not_a_file_and_a_signer_that_is_another_are_told_apart(worked: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "proof.json")
    worked.ok("audit", "prove", decision(worked), "--output", file)
    refused = worked("audit", "verify-proof", file, "--key", "/nowhere/key", "--json")
    assert (refused.code, refused.error["code"]) == (2, "bad_path")
    other = Cli(worked.cwd, {**worked.environment, "PERDURE_HOME": str(tmp_path / "another")})
    vkey = other.ok("audit", "key", "rotate")[-1]["key"]
    told = worked("audit", "verify-proof", file, "--key", vkey)
    assert (told.code, "the signer is not the key you gave" in told.out) == (1, True)


def test_what_was_proved_is_told_in_its_first_words(worked: Cli, tmp_path: Path) -> None:
    file, id_ = str(tmp_path / "proof.json"), decision(worked)
    worked.ok("audit", "prove", id_, "--output", file)
    assert "\n        it says: use WAL\n" in worked("audit", "verify-proof", file).out
    worked.ok("redact", id_, "--because", "held a name")
    erased = worked("audit", "prove", id_).out
    assert "this file does not show its payload" in worked("audit", "verify-proof", "-", input=erased).out


def test_a_proof_with_what_a_terminal_would_obey_in_it_is_shown_without(tmp_path: Path) -> None:
    """Whoever has a key of their own can sign any event, and any ledger id."""
    evil = "\x9b31m\u202e"
    signer = signing_keys.signer(str(tmp_path), "2026-01-01T00:00:00.000Z")
    first = Draft(
        kind=f"k{evil}",
        payload={"text": f"t{evil}"},
        ts=f"2026{evil}",
        project_id=f"p{evil}",
        session_id=f"s{evil}",
        actor=f"a{evil}",
    )
    event, _ = seal(replace(first, id=f"i{evil}"), empty_head(f"l{evil}"))
    leaf = merkle.leaf(bytes.fromhex(event.hash))
    head = signed_note.signed(
        signed_note.tree_head_of(event.ledger_id, 1, leaf, time=f"2{evil}", place=""), signer.key, signer.sign
    )
    proof = bundle.written(bundle.inclusion(event, 1, [], root=leaf, head=head, key=signer.key))
    shown = Cli(tmp_path, {**os.environ, "PERDURE_HOME": str(tmp_path)})("audit", "verify-proof", "-", input=proof)
    assert shown.code == 0, shown
    assert not {"\x9b", "\u202e"} & set(shown.out)


def test_a_changed_proof_is_refused(worked: Cli, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    worked.ok("audit", "prove", decision(worked), "--output", str(file))
    file.write_text(file.read_text().replace("use WAL", "use MAL"))
    refused = worked("audit", "verify-proof", str(file), "--json")
    assert (refused.code, refused.error["code"]) == (1, "proof_refused")
    assert "payload is not what was hashed" in refused.error["message"]


def test_redacting_leaves_every_proof_valid(worked: Cli, tmp_path: Path) -> None:
    before, after, id_ = str(tmp_path / "before"), str(tmp_path / "after"), decision(worked)
    worked.ok("audit", "prove", id_, "--output", before)
    worked.ok("redact", id_, "--because", "held a name")
    worked.ok("audit", "prove", id_, "--output", after)
    assert worked.ok("audit", "verify-proof", before)["signer_known"]
    assert "payload" not in worked.ok("audit", "verify-proof", after)["event"]
    verified = worked.ok("audit", "verify")
    assert (verified["whole"], verified["redacted"]) == (True, 1)


def test_that_the_ledger_only_grew_is_proved(worked: Cli, tmp_path: Path) -> None:
    size = worked.ok("audit", "heads")[-1]["tree_size"]
    worked.ok("note", "finding", "more")
    file = str(tmp_path / "grew.json")
    worked.ok("audit", "prove", "--since", str(size), "--output", file)
    proved = worked.ok("audit", "verify-proof", file)
    assert (proved["proved"], proved["since"]) == ("consistency", size)
    assert proved["tree_size"] == size + 2
    refused = worked("audit", "prove", "--since", "100000", "--json")
    assert (refused.code, refused.error["code"]) == (2, "bad_size")


def test_a_record_is_proved_in_its_sealed_session(worked: Cli, tmp_path: Path) -> None:
    thoughts = [
        worked.ok("audit", "think", *("--task", "t", "--type", "plan", "--agent", "a", "--content", text), *at)["id"]
        for text, at in (("one", ("--session", "s")), ("two", ("--session", "s")), ("three", ()))
    ]
    refused = worked("audit", "prove", thoughts[1], "--session", "s", "--json")
    assert (refused.code, refused.error["code"]) == (1, "ERR_NOT_FINALIZED")
    root = worked.ok("audit", "finalize", "s")["root"]
    file = str(tmp_path / "session.json")
    proof = worked.ok("audit", "prove", thoughts[1], "--session", "s", "--output", file)["proof"]
    assert (proof["root"], proof["leaf_index"], proof["tree_size"]) == (root, 1, 2)
    assert worked.ok("audit", "verify-proof", file)["session_id"] == "s"
    refused = worked("audit", "prove", thoughts[2], "--session", "s", "--json")
    assert (refused.code, refused.error["code"]) == (1, "not_in_session")


def test_a_file_that_is_there_is_not_written_over(worked: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    refused = worked("audit", "prove", decision(worked), "--output", str(file), "--json")
    assert (refused.code, refused.error["code"]) == (2, "file_exists")
    assert file.read_text() == "mine"


def test_an_event_of_a_restored_chain_is_proved(worked: Cli, tmp_path: Path) -> None:
    id_ = decision(worked)
    worked.ok("note", "finding", "after the head")
    for path in (worked.cwd / ".perdure").glob("ledger.db*"):
        path.unlink()
    worked.ok("heal")
    assert worked.ok("audit", "verify")["whole"]
    file = str(tmp_path / "proof.json")
    worked.ok("audit", "prove", id_, "--output", file)
    assert worked.ok("audit", "verify-proof", file)["signer_known"]


# -- verify ----------------------------------------------------------------------------------------------------------


def test_a_moved_project_and_a_copy_are_whole(worked: Cli, tmp_path: Path) -> None:
    subprocess.run(["cp", "-r", str(worked.cwd), str(tmp_path / "copy")], check=True)
    worked.ok("note", "finding", "the original goes on")
    worked.ok("audit", "heads", "--sign")
    copy = Cli(tmp_path / "copy", worked.environment)
    assert copy.ok("audit", "verify")["whole"]
    copy.ok("note", "finding", "so does the copy")
    copy.ok("audit", "heads", "--sign")
    assert copy.ok("audit", "verify")["whole"]
    worked.cwd.rename(tmp_path / "moved")
    moved = Cli(tmp_path / "moved", worked.environment)
    assert moved.ok("audit", "verify")["whole"]
    moved.ok("note", "finding", "and the moved one")
    assert moved.ok("audit", "verify")["whole"]


def test_without_a_head_it_says_what_cannot_be_told(cli: Cli) -> None:
    verified = cli.ok("audit", "verify")
    assert verified["whole"]
    assert verified["heads"] == {"kept": 0, "anchored": 0, "inside": 0}
    assert "no signed head is known" in verified["remarks"][0]


def test_heads_of_a_key_that_is_not_known_are_told(worked: Cli, tmp_path: Path) -> None:
    result = worked("audit", "verify", "--json", PERDURE_HOME=str(tmp_path / "another"))
    assert result.code == 1
    told = [each["what"] for each in result.json["findings"]]
    assert any("not signed by a key of this home" in each for each in told)
    assert any("was not written by this home" in each for each in told)
    assert result.json["heads"]["inside"] == 0, "what was not tested does not hold"


def test_verifying_changes_nothing(worked: Cli, home: Path) -> None:
    def everything() -> dict[str, bytes]:
        files = (path for folder in (worked.cwd, home) for path in folder.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files if path.name != "ledger.db-shm"}

    worked.ok("audit", "verify")
    before = everything()
    worked.ok("audit", "verify")
    assert everything() == before


WRITER = """
import sys
from perdure.actions import notes, signing
from perdure.actions.request import Request
from perdure.actions.wiring import open_desk
from perdure.place.resolve import Explicit
import os
import shutil
while not os.path.exists(sys.argv[2]):
    with open_desk(Request(sys.argv[1], dict(os.environ), Explicit(instance="writer"))) as desk:
        for _ in range(20):
            notes.add(desk, "question", "is this still whole?")
        signing.sign(desk, "test")
print("written", flush=True)
"""


def test_it_is_whole_while_others_write_and_sign(worked: Cli, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    command = [sys.executable, "-c", WRITER, str(worked.cwd), str(stop)]
    writer = subprocess.Popen(command, env=worked.environment, stdout=subprocess.PIPE, text=True)
    try:
        deadline, seen = time.monotonic() + 30, worked.ok("audit", "verify")["events"]
        rounds = 0
        while rounds < 4 and time.monotonic() < deadline:
            result = worked("audit", "verify", "--json")
            assert result.code == 0, result
            rounds += result.json["events"] > seen
            seen = result.json["events"]
        assert rounds == 4
    finally:
        stop.write_text("")
        assert writer.communicate(timeout=30)[0] == "written\n"


# -- anchors ---------------------------------------------------------------------------------------------------------


def test_a_trailer_is_read_back_from_a_commit(worked: Cli, environment: dict[str, str]) -> None:
    line = worked.ok("audit", "anchor", "--trailer")["trailer"]
    assert line.startswith("Perdure-Head: ")
    git(worked.cwd, environment, "commit", "-q", "--allow-empty", "-m", f"work\n\nwhy\n\nSigned-off-by: t\n{line}")
    assert worked.ok("audit", "verify")["heads"]["anchored"] == 1


def test_anchoring_pushes_nothing_and_moves_no_branch(worked: Cli, environment: dict[str, str], tmp_path: Path) -> None:
    git(tmp_path, environment, "init", "-q", "--bare", "remote")
    git(worked.cwd, environment, "remote", "add", "origin", str(tmp_path / "remote"))
    before = git(worked.cwd, environment, "for-each-ref")
    answer = worked.ok("audit", "anchor", "--git-note")
    after = git(worked.cwd, environment, "for-each-ref")
    assert [line.split()[-1] for line in after.splitlines() if line not in before] == ["refs/notes/perdure"]
    assert git(tmp_path / "remote", environment, "for-each-ref") == ""
    assert answer["push"] == "git push origin refs/notes/perdure"


def test_a_note_is_read_back_also_when_git_has_packed_its_references(worked: Cli, environment: dict[str, str]) -> None:
    worked.ok("audit", "anchor", "--git-note")
    git(worked.cwd, environment, "pack-refs", "--all")
    assert worked.ok("audit", "verify")["heads"]["anchored"] == 1


def test_a_repository_without_anchors_and_tracked_exports_is_asked_one_question(worked: Cli, tmp_path: Path) -> None:
    """Each question is a process, and `heal` asks all of them twice."""
    asked, program = tmp_path / "asked", tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho x >>{asked}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{worked.environment['PATH']}"
    worked.ok("audit", "verify", PATH=path)
    assert asked.read_text() == "x\n"


def test_without_a_commit_there_is_nothing_to_put_a_note_on(cli: Cli, environment: dict[str, str]) -> None:
    git(cli.cwd, environment, "update-ref", "-d", "HEAD")
    refused = cli("audit", "anchor", "--git-note", "--json")
    assert (refused.code, refused.error["code"]) == (1, "no_commit")


def test_a_note_that_git_does_not_take_is_told(worked: Cli, environment: dict[str, str]) -> None:
    lock = Path(git(worked.cwd, environment, "rev-parse", "--absolute-git-dir").strip()) / "refs" / "notes"
    lock.mkdir(parents=True)
    (lock / "perdure.lock").write_text("")
    refused = worked("audit", "anchor", "--git-note", "--json")
    assert (refused.code, refused.error["code"]) == (1, "anchor_failed")


def test_the_words_are_checked(worked: Cli) -> None:
    for words in (("prove",), ("prove", "3f2a91c4", "--since", "3"), ("anchor",), ("acknowledge",)):
        assert worked("audit", *words, "--json").code == 2
    assert worked("audit", "prove", "00000000", "--json").error["code"] == "no_such_event"
    for text in ("", "{}", '{"format": "perdure-proof-1", "kind": []}\n', '{"format": {}, "kind": {}}\n'):
        refused = worked("audit", "verify-proof", "-", "--json", input=text)
        assert refused.error["code"] == "bad_proof"
    assert worked("audit", "verify-proof", "nowhere.json", "--json").error["code"] == "bad_path"


def test_a_signers_file_with_nonsense_in_it_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    signer = signing_keys.signer(str(tmp_path), "2026-01-01T00:00:00.000Z")
    with open(tmp_path / "keys" / "signers", "a") as file:
        file.write("nonsense\n\n+++\n")
    assert [known.key for known in signing_keys.known(str(tmp_path))] == [signer.key]
    with pytest.raises(BadInput):
        signed_note.read_vkey("nonsense")


def test_one_key_is_made_however_many_ask_first(tmp_path: Path) -> None:
    code = (
        "import sys; from perdure.views.signing_keys import signer; "
        "print(signer(sys.argv[1], '2026-01-01T00:00:00.000Z').key.vkey)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    asked = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) for _ in range(4)]
    assert len({each.communicate(timeout=60)[0] for each in asked}) == 1
    assert len(signing_keys.known(str(tmp_path))) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_who_waits_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    seen = Terminal()
    progress = Progress("events verified", seen)
    progress(100, 400)
    assert seen.getvalue() == "", "nothing within the first second"
    progress._since -= 2
    progress(100, 400)
    assert seen.getvalue() == "\r[#######-----------------------] 25 %  events verified: 100…"


def test_a_dumb_terminal_that_cannot_take_a_bar_back_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    seen = Terminal()
    progress = Progress("events verified", seen)
    progress._since -= 2
    progress(100, 400)
    progress.done()
    assert seen.getvalue() == ""


@pytest.mark.parametrize(("words", "most"), [(("audit", "verify"), 5), (("heal", "--check"), 5), (("heal",), 14)])
def test_an_audit_asks_git_no_more_often_than_it_must(
    worked: Cli, tmp_path: Path, words: tuple[str, ...], most: int
) -> None:
    """Each question is a process: the trailers, the notes, what is tracked, whether it answers, what is deleted. `heal`
    makes two audits, looks for exports that it must write again, and records by which commits the repository is
    known."""
    real, asked = shutil.which("git", path=worked.environment["PATH"]), tmp_path / "asked"
    wrapper = tmp_path / "wrapper" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho asked >>{asked}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    assert worked(*words, PATH=f"{wrapper.parent}{os.pathsep}{worked.environment['PATH']}").code == 0
    assert 0 < asked.read_text().count("asked") <= most
