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
    assert rules("Do not touch the async modules.", "You can change the async modules after all.") == ()
    assert rules("Do not touch the async modules.", "You may edit the async modules.") == ()
    assert rules("Do not touch the async modules.", "You can read the async modules.") != ()


BOTH = "Never edit legacy/ and never edit vendor/."


@pytest.mark.parametrize("rule", [BOTH, "Never edit legacy/ or vendor/.", "Do not edit legacy/; always lint vendor/."])
def test_a_rule_of_two_clauses_stands_while_one_of_them_does(rule: str) -> None:
    assert rule in rules(rule, "You may edit vendor/ now.")
    assert rule in rules(rule, "Forget the edit of legacy/.")


def test_a_rule_of_two_clauses_is_gone_when_both_are_taken_back() -> None:
    assert rules(BOTH, "You may edit vendor/ now.", "ok, you can edit legacy/ too") == ()
    assert rules(BOTH, "You may edit vendor/ and legacy/ now.") == ()
    assert rules("Never touch the parser and tell me when it is done.", "You can touch the parser now.") == ()


@pytest.mark.parametrize(
    "back",
    [
        "Scratch that, use npm.",
        "scratch that - use npm",
        "Oh wait, scrap that. Use npm.",
        "Forget it, use npm.",
        "Never mind!",
        "never mind",
        "forget that and use npm",
        "Vergiss es, nimm npm.",
        "Olvídalo, usa npm.",
    ],
)
def test_a_prompt_that_begins_by_taking_back_is_about_the_one_just_before_it(back: str) -> None:
    assert "Always use yarn." not in rules("Always use yarn.", back)
    assert "Never push." in rules("Never push.", "Always use yarn.", back), "not what was said earlier"


@pytest.mark.parametrize(
    "beside",
    [
        "Forget that the build is slow, go on.",
        "Never mind the warnings of the linter.",
        "Write it from scratch that way.",
        "Don't forget that one.",
        "Go on. Never mind.",
        "Never mind about the login bug, do the signup.",
        "Scrap that file in the attic.",
    ],
)
def test_what_only_begins_so_takes_back_nothing_else(beside: str) -> None:
    assert "Always use yarn." in rules("Always use yarn.", beside)


def test_what_takes_the_place_of_something_takes_back_the_rule_to_use_it() -> None:
    assert rules("Always use tabs.", "Use spaces instead of tabs.") == ("Use spaces instead of tabs.",)
    assert rules("Always use yarn here.", "please use npm rather than yarn from now on") == (
        "please use npm rather than yarn from now on",
    )
    assert rules("Benutze immer Tabs.", "Benutze Leerzeichen statt Tabs.") == ("Benutze Leerzeichen statt Tabs.",)


@pytest.mark.parametrize(
    ("rule", "instead"),
    [
        ("Never use tabs.", "Use spaces instead of tabs."),
        ("Don't use tabs, use spaces.", "Use spaces instead of tabs."),
        ("Always use tabs.", "In yaml files use spaces instead of tabs."),
        ("Always use tabs.", "Use spaces instead of tabs in yaml files."),
        ("Always use tabs.", "Never use spaces instead of tabs."),
        ("Always use tabs.", "Can we use spaces instead of tabs?"),
        ("Always run the tests.", "Use mocks instead of tests."),
        ("Always use tabs.", "Use cents instead of floats."),
        ("Always use tabs.", "It fails instead of tabs being shown."),
    ],
)
def test_what_takes_the_place_of_something_else_leaves_a_rule_standing(rule: str, instead: str) -> None:
    assert rule in rules(rule, instead)


SCHEMA = "Do not touch the database schema."


@pytest.mark.parametrize(
    "permission",
    [
        "It is fine to touch the database schema now.",
        "it's ok to touch the database schema",
        "It's now okay to touch the database schema.",
        "it is allowed to touch the database schema",
        "You are allowed to touch the database schema.",
        "Feel free to touch the database schema.",
        "You may now touch the database schema.",
    ],
)
def test_a_permission_takes_back_what_forbade_it(permission: str) -> None:
    assert rules(SCHEMA, permission) == ()


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Fass das Datenbankschema nicht an.", "Du darfst das Datenbankschema jetzt anfassen."),
        ("Ändere niemals das Schema.", "Es ist in Ordnung, das Schema jetzt zu ändern."),
        ("Niemals die Datei löschen.", "ok, du kannst die Datei löschen"),
        ("No toques la carpeta legacy.", "Puedes tocar la carpeta legacy."),
        ("Nunca modifiques el esquema.", "Está bien modificar el esquema ahora."),
        ("Ne modifie jamais le schéma.", "Tu peux maintenant modifier le schéma."),
        ("No pushing to main, never.", "You can push to main now."),
    ],
)
def test_a_permission_is_seen_in_other_languages_and_forms(rule: str, permission: str) -> None:
    assert rule in rules(rule, "go on")
    assert rules(rule, permission) == ()


@pytest.mark.parametrize(
    "other",
    [
        "It is not fine to touch the database schema.",
        "Is it fine to touch the database schema?",
        "so it is fine to touch the database schema?",
        "You can't touch the database schema yet.",
        "You cannot touch the database schema.",
        "You may not touch the database schema.",
        "You can only touch the database schema with me.",
        "It is fine to touch the database schema if I say so.",
        "It is fine to read the database schema.",
        "It is fine to touch the readme.",
        "Can you touch up the report on the database schema?",
    ],
)
def test_what_is_no_permission_or_one_for_something_else_leaves_a_rule_standing(other: str) -> None:
    assert SCHEMA in rules(SCHEMA, other)


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("Ändere niemals das Schema.", "Du darfst das Schema nicht ändern."),
        ("Ändere niemals das Schema.", "Du darfst das Schema nur lesen."),
        ("Ändere niemals das alte Schema.", "Du darfst das alte Login lesen."),
        ("No toques la carpeta legacy.", "No puedes tocar la carpeta legacy."),
        ("No toques la carpeta legacy.", "Puedes leer la carpeta legacy."),
        ("Never use mocks in the docs tests.", "You can use npm for the docs."),
        ("Never truncate the main table.", "You can run the main loop."),
    ],
)
def test_what_is_no_permission_in_other_languages_leaves_a_rule_standing(rule: str, other: str) -> None:
    assert rule in rules(rule, other)
