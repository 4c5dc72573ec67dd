"""Which sentences of a person outlive their turn, in which languages, and until when."""

from __future__ import annotations

import time

import pytest

from perdure.recovery.gather import Heard
from perdure.recovery.words import words_of


def rules(*prompts: str) -> tuple[str, ...]:
    return tuple(rule.text for rule in words_of([Heard(at, text) for at, text in enumerate(prompts)]).rules)


@pytest.mark.parametrize(
    "rule",
    [
        "Never touch the generated files.",
        "Benutze niemals den Hauptzweig.",
        "Die Tests müssen vorher laufen.",
        "Ne modifie jamais ce dossier.",
        "Il ne faut pas toucher à la base.",
        "Usa siempre el formato decimal.",
        "No toques la carpeta generada.",
        "不要修改生成的文件。",
        "提交之前必须运行所有测试。",
        "生成されたファイルは変更しないでください。",
        "テストは必ず実行すること。",
        "Никогда не трогай эту папку.",
        "No, keep the old name.",
        "Use tabs in this repository.",
    ],
)
def test_a_rule_is_seen_in_the_language_it_is_given_in(rule: str) -> None:
    assert rule in rules(rule, "and now the next thing")


@pytest.mark.parametrize(
    "text",
    [
        "```\n// never called twice\n```",
        "src/a.go:12: must not be nil",
        "| only | a | table |",
        "❯ make only-this target",
        "Should it always be so?",
        "look at the cart",
        "写一个函数",
    ],
)
def test_what_was_pasted_or_asked_is_no_rule(text: str) -> None:
    assert rules(text) == ()


def test_what_forbids_comes_before_what_corrects_and_that_before_what_is_wished() -> None:
    assert rules("It should be fast.", "Keep the old name.", "Never push.") == (
        "Never push.",
        "Keep the old name.",
        "It should be fast.",
    )


def test_a_document_that_was_pasted_does_not_stand_before_what_was_said() -> None:
    document = "The parser must be pure. " + "and so on " * 400
    assert rules("Never push to main.", document)[0] == "Never push to main."


def test_a_rule_is_taken_back_by_a_sentence_about_it_and_not_by_one_that_stands_beside() -> None:
    rule = "Never edit the version file."
    assert rules(rule, "Forget that about the version file, edit it.") == ()
    assert rule in rules(rule, "You can merge it now. The version file looks good, I had a look at the edit.")
    assert rules("不要修改配置文件。", "算了，配置文件可以修改。") == ()


def test_a_rule_is_taken_back_however_the_sentences_end_and_what_takes_back_is_no_rule() -> None:
    assert rules("Never use tabs in yaml files.", "Never mind about tabs in yaml.") == ()
    assert rules("Never use tabs in yaml files.", "Forget about the tabs in yaml files") == ()
    assert rules("You must not touch the parser module. Forget it.") == ()
    assert rules("Never push to main.", "Forget about tabs, never use spaces.") == (
        "Forget about tabs, never use spaces.",
        "Never push to main.",
    )


def test_what_must_not_be_forgotten_takes_nothing_back() -> None:
    rule = "The version file must be tested."
    assert rule in rules(rule, "Don't forget the version file must be tested.")
    assert rule in rules(rule, "Never ignore the version file tests.")


def test_a_long_prompt_is_not_cut_within_a_word() -> None:
    last = words_of([Heard(1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa " * 40)]).last[0].text
    assert set(last.removesuffix(" …").split()) == {"a" * 46}


def test_a_sentence_of_one_word_again_and_again_is_read_in_no_time() -> None:
    began = time.process_time()
    rules("also " * 4000, "hm, " * 4000)
    assert time.process_time() - began < 2


def test_what_was_said_earlier_is_there_without_what_was_taken_back_or_says_nothing() -> None:
    earlier = ["the carts live in one table for now", "round the totals up in the till", "yes", "go on with it"]
    later = ["actually, forget about rounding the totals up in the till", *(f"step {n}" for n in range(8))]
    said = words_of([Heard(at, text, f"u{at}") for at, text in enumerate([*earlier, *later])])
    assert [heard.text for heard in said.last] == [f"step {n}" for n in reversed(range(8))]
    assert [(heard.text, heard.source) for heard in said.earlier] == [(later[0], "u4"), (earlier[0], "u0")]


def test_a_permission_takes_back_only_what_speaks_of_the_same_doing() -> None:
    rule = "We should only have one list view."
    assert rules(rule, "you can reference the other ticket (the one for the list view)") == (rule,)
    assert rules("Never push the list view.", "ok, you can now push the list view") == ()
