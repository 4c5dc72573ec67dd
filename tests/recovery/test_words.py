"""Which sentences of a person outlive their turn, in which languages, and until when."""

from __future__ import annotations

import pytest

from perdure.recovery.gather import Heard
from perdure.recovery.words import words_of


def rules(*prompts: str) -> tuple[str, ...]:
    return words_of([Heard(at, text) for at, text in enumerate(prompts)]).rules


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
