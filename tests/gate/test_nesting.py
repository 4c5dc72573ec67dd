"""Wrapped in any syntax, a praxic command stays praxic; in benign syntax, a noetic one stays noetic (SPEC 5.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.gate.effects.analysis import analyse
from perdure.gate.shell.cursor import PLAIN
from perdure.gate.shell.parse import parse
from perdure.gate.shell.plain import plain
from tests.effort import tries

from .table import shell, text_and_files, tools
from .worlds import world

PRAXIC = [
    "touch p",
    "rm -f a.txt",
    "sed -i s/a/b/ a.txt",
    "git commit -qm x",
    "echo hi > p",
    "tee p < a.txt",
    "python3 -c exec",
]
NOETIC = ["ls -la", "git status", "grep -rn TODO src", "cat a.txt | head -3", "wc -l < a.txt", "sed -n 1,5p a.txt"]

ANYWHERE = [
    "{0}",
    "( {0} )",
    "{{ {0}; }}",
    "! {0}",
    "time {0}",
    "true && {0}",
    "false || {0}",
    "ls; {0}",
    "{0} &",
    "{0} 2>&1 | cat",
    "ls | {{ {0}; }}",
    "if {0}; then :; fi",
    "if true; then {0}; else :; fi",
    "if false; then :; elif {0}; then :; fi",
    "while {0}; do break; done",
    "until {0}; do :; done",
    "for i in 1 2; do {0}; done",
    "for ((i=0; i<2; i++)); do {0}; done",
    "case x in x) {0};; esac",
    "case x in y) ;; *) {0} ;; esac",
    "f() {{ {0}; }}; f",
    "function f {{ {0}; }}; f",
    "f() ( {0} ); f",
    "echo $( {0} )",
    'echo "$( {0} )"',
    "echo $(( $( {0} | wc -l ) + 1 ))",
    "x=$( {0} )",
    'x="a$( {0} )b"',
    "cat <({0} )",
    "cat < <({0} )",
    "diff <(ls) <({0} )",
    "echo ${{x:-$( {0} )}}",
    'echo "${{x:-$( {0} )}}"',
    "echo ${{x/a/$( {0} )}}",
    "a=(1 $( {0} ))",
    "[[ -n $( {0} ) ]]",
    '[ -n "$( {0} )" ]',
    "case $( {0} ) in *) :;; esac",
    "for i in $( {0} ); do :; done",
    "cat <<E\n$( {0} )\nE",
    "cat <<-E\n\t$( {0} )\nE",
    "cat <<< $( {0} )",
    "ls # a comment\n{0}",
    "ls \\\n-l\n{0}",
    "\n\n  {0}  \n\n",
    "cd src && {0}",
    "set -e; {0}",
    "timeout 5 {0}",
    "command {0}",
    "env LC_ALL=C {0}",
    "LC_ALL=C {0}",
    "xargs -0 {0} < /dev/null",
    "{0} > /dev/null 2>&1",
]
NEEDS_A_SIMPLE_COMMAND = {
    "timeout 5 {0}",
    "command {0}",
    "env LC_ALL=C {0}",
    "LC_ALL=C {0}",
    "xargs -0 {0} < /dev/null",
}
SIMPLE = ["touch p", "rm -f a.txt", "sed -i s/a/b/ a.txt", "git commit -qm x"]
QUIET = {"xargs -0 {0} < /dev/null"}
"""Readers with dangerous options are praxic there: xargs adds words that nobody knows."""


def wrapped(command: str, wrappers: list[str]) -> str:
    for wrapper in wrappers:
        command = wrapper.format(command)
    return command


COMPOUND = [w for w in ANYWHERE if w not in NEEDS_A_SIMPLE_COMMAND and "<<" not in w and not w.endswith(("&", "\n"))]


@pytest.mark.parametrize("wrapper", ANYWHERE)
def test_a_praxic_command_stays_praxic_in_any_wrapper(wrapper: str) -> None:
    taken = SIMPLE if wrapper in NEEDS_A_SIMPLE_COMMAND else PRAXIC
    effects = {command: analyse(wrapper.format(command), world()).effect for command in taken}
    assert effects == dict.fromkeys(taken, "praxic")


@pytest.mark.parametrize("wrapper", [wrapper for wrapper in ANYWHERE if wrapper not in QUIET])
def test_a_noetic_command_stays_noetic_in_any_wrapper(wrapper: str) -> None:
    is_taken = {each: wrapper not in NEEDS_A_SIMPLE_COMMAND or not {*each} & {*"|<"} for each in NOETIC}
    taken = [command for command in NOETIC if is_taken[command]]
    found = {command: analyse(wrapper.format(command), world()) for command in taken}
    assert {command: each.reason for command, each in found.items() if each.effect != "noetic"} == {}


@tries(600, deadline=None)
@given(st.sampled_from(PRAXIC), st.lists(st.sampled_from(COMPOUND), min_size=2, max_size=6))
def test_a_praxic_command_stays_praxic_however_deep(command: str, wrappers: list[str]) -> None:
    assert analyse(wrapped(command, wrappers), world()).effect == "praxic"


@tries(600, deadline=None)
@given(st.sampled_from(NOETIC), st.lists(st.sampled_from(COMPOUND), min_size=2, max_size=4))
def test_a_noetic_command_stays_noetic_however_deep(command: str, wrappers: list[str]) -> None:
    text = wrapped(command, wrappers)
    found = analyse(text, world())
    if "may not be defined" in found.reason or "arithmetic would evaluate" in found.reason:
        return  # a function defined under a condition is not taken for one; only what counts is known to be a number
    if "that folder is not known" in found.reason and wrapped("", wrappers).count("cd src"):
        return  # `cd src` gone through twice leads to src/src, where nobody knows what git would believe
    assert found.effect == "noetic", f"{text}\n{found.reason}"


def _quotings(word: str) -> st.SearchStrategy[str]:
    """Ways to write the same word."""

    def spelled(kinds: list[int]) -> str:
        made = []
        for character, kind in zip(word, kinds, strict=True):
            hexed = f"$'\\x{ord(character):02x}'"
            octal = f"$'\\{ord(character):03o}'"
            made.append(
                [character, f"'{character}'", f'"{character}"', f"\\{character}", hexed, octal, f"\\\n{character}"][
                    kind
                ]
            )
        return "".join(made)

    return st.lists(st.integers(0, 6), min_size=len(word), max_size=len(word)).map(spelled)


@tries(400, deadline=None)
@given(st.data())
def test_quoting_hides_neither_a_name_nor_an_option(data: st.DataObject) -> None:
    command = data.draw(
        st.sampled_from(["touch p", "rm -rf src", "sed -i s/a/b/ a.txt", "sort -o b.txt a.txt", "git push -f"])
    )
    text = " ".join(data.draw(_quotings(word)) for word in command.split())
    assert analyse(text, world()).effect == "praxic", text


@tries(400, deadline=None)
@given(st.data())
def test_quoting_does_not_make_a_reader_praxic(data: st.DataObject) -> None:
    command = data.draw(
        st.sampled_from(["ls -la src", "grep -n TODO a.txt", "git log --oneline -3", "sort -k 2 a.txt"])
    )
    text = " ".join(data.draw(_quotings(word)) for word in command.split())
    found = analyse(text, world())
    assert found.effect == "noetic", f"{text}: {found.reason}"


COMMANDS = [command for cases in (shell.CASES, text_and_files.CASES, tools.CASES) for _, command, _, _ in cases]


def test_the_shortcut_and_the_parser_read_the_same() -> None:
    taken = [command for command in COMMANDS if plain(command) is not None]
    assert len(taken) > 500
    assert [command for command in taken if plain(command) != parse(command)] == []


@tries(1500, deadline=None)
@given(st.text(alphabet="".join(sorted(PLAIN)) + " ", max_size=40))
def test_what_the_shortcut_takes_the_parser_reads_alike(text: str) -> None:
    quick = plain(text)
    if quick is not None:
        assert quick == parse(text)


WORDS = [
    "ls",
    "cat",
    "sort",
    "git",
    "log",
    "-o",
    "x",
    "a.txt",
    "--output=f",
    "=ls",
    "PATH=x",
    "if",
    "-",
    "time",
    "==",
    "+x",
]


@tries(800, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), st.sampled_from([" ", "  ", "   "]))
def test_the_shortcut_and_the_parser_agree_on_real_words(words: list[str], between: str) -> None:
    text = between.join(words)
    quick = plain(text)
    if quick is not None:
        assert quick == parse(text)
