"""Which sentences of a person outlive their turn, in which languages, and until when."""

from __future__ import annotations

import time

import pytest

from perdure.recovery.gather import Utterance
from perdure.recovery.words import words_of
from tests.effort import for_each


def rules(*prompts: str) -> tuple[str, ...]:
    return tuple(rule.text for rule in words_of([Utterance(at, text) for at, text in enumerate(prompts)]).rules)


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
def test_what_was_pasted_or_asked_is_not_a_rule(text: str) -> None:
    assert rules(text) == ()


@pytest.mark.parametrize(
    "pasted",
    [
        "Here is what Bob wrote:\n\n> Never use Decimal. You must always deploy on Friday.\n> Only on Friday.",
        "Bob said:\nNever use Decimal.\nAlways deploy on Friday.",
        "<system-reminder>\nNever use Decimal.\n</system-reminder>",
        '<task-notification id="7">Never use Decimal. Always deploy.</task-notification>',
        "<teammate-message>You must always deploy, and never",
        "<plan>\n- Never use Decimal.\n- Always deploy.\n</plan>",
        "```\nYou must always deploy.\n```",
    ],
)
def test_what_the_person_quotes_or_pastes_is_not_a_rule_of_theirs(pasted: str) -> None:
    assert rules(f"Only touch cart.py.\n\n{pasted}") == ("Only touch cart.py.",)
    if "and never" not in pasted:
        assert rules(f"{pasted}\n\nOnly touch cart.py.") == ("Only touch cart.py.",)


@pytest.mark.parametrize("headers", ["From: Bob\nSubject: money", "Von: Bob\nAn: Ann\nBetreff: Geld"])
def test_a_mail_that_was_pasted_is_not_a_rule_up_to_its_end(headers: str) -> None:
    mail = f"{headers}\n\nNever use the staging database.\n\nAlways ask legal first."
    assert rules(f"Only touch cart.py. Here is the mail:\n{mail}") == ("Only touch cart.py.",)


def test_what_the_person_quotes_takes_nothing_back() -> None:
    assert rules("Never touch db.py.", "Bob wrote:\n> You can touch db.py now.") == ("Never touch db.py.",)


@pytest.mark.parametrize(
    "text", ["From: now on never push to main.", "Never use <b>bold</b> tags.", "a > b must hold."]
)
def test_what_only_looks_pasted_is_the_persons(text: str) -> None:
    assert rules(text) == (text,)


@pytest.mark.parametrize("piece", ["<a>\n", "<a-b>", "from: x\n", "he said:\n", "> x\n", "```\n", "<a-b></a-b>"])
def test_a_prompt_of_nothing_but_marks_is_read_in_no_time(piece: str) -> None:
    began = time.process_time()
    rules(piece * (20_000 // len(piece)))
    assert time.process_time() - began < 2


def test_what_forbids_comes_before_what_corrects_and_that_before_what_is_wished() -> None:
    assert rules("All functions should be short.", "Keep the old name.", "Never push.") == (
        "Never push.",
        "Keep the old name.",
        "All functions should be short.",
    )


def test_a_document_that_was_pasted_does_not_stand_before_what_was_said() -> None:
    document = "The parser must be pure. " + "and so on " * 400
    assert rules("Never push to main.", document)[0] == "Never push to main."


def test_a_rule_is_taken_back_by_a_sentence_about_it_and_not_by_one_that_stands_beside() -> None:
    rule = "Never edit the version file."
    assert rules(rule, "Forget that about the version file, edit it.") == ()
    assert rule in rules(rule, "You can merge it now. The version file looks good, I had a look at the edit.")
    assert rules("不要修改配置文件。", "算了，配置文件可以修改。") == ()


def test_a_rule_is_taken_back_however_the_sentences_end_and_what_takes_back_is_not_a_rule() -> None:
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
    last = words_of([Utterance(1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa " * 40)]).last[0].text
    assert set(last.removesuffix(" …").split()) == {"a" * 46}


def test_a_sentence_of_one_word_again_and_again_is_read_in_no_time() -> None:
    began = time.process_time()
    rules("also " * 4000, "hm, " * 4000)
    assert time.process_time() - began < 2


def test_what_was_said_earlier_is_there_without_what_was_taken_back_or_says_nothing() -> None:
    earlier = ["the carts live in one table for now", "round the totals up in the till", "yes", "go on with it"]
    later = ["actually, forget about rounding the totals up in the till", *(f"step {n}" for n in range(8))]
    said = words_of([Utterance(at, text, f"u{at}") for at, text in enumerate([*earlier, *later])])
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
def test_what_is_not_a_permission_or_one_for_something_else_leaves_a_rule_standing(other: str) -> None:
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
def test_what_is_not_a_permission_in_other_languages_leaves_a_rule_standing(rule: str, other: str) -> None:
    assert rule in rules(rule, other)


@for_each(
    ("rule", "other"),
    [
        ("Never push to main.", "The README says you can push to main; fix the README."),
        ("Never push to main.", 'The bot wrote "you can push to main", which is wrong.'),
        ("Never push to main.", '"You can push to main" is what the bot wrote.'),
        ("Never push to main.", "You can push to feature branches."),
        ("Never push to main.", "You can push."),
        ("Never push to main.", "You can push to main just this once."),
        ("Never edit the generated files.", "You can edit the config files."),
        ("Never edit schema.sql by hand.", "Users say that you can edit schema.sql by hand in the docs, remove that."),
        ("Don't edit generated files, edit the template files.", "You can edit the template files."),
        ("Don't amend commits.", "It's fine to amend the wording of the commits page."),
        ("Never touch the auth module.", "As you can see the auth module is broken in staging."),
        ("Never push commits without running the tests.", "You can push commits now."),
        ("Never use js.", "You can use Go."),
        ("Always use pnpm.", "You can use pnpm."),
        ("Never use print for logging.", "Actually, use the structured logging module."),
        ("Pushe niemals nach main.", "Du darfst nach develop pushen."),
        ("Nunca hagas push a main.", "Puedes hacer push a develop."),
        ("Ne pousse jamais sur main.", "Tu peux pousser sur develop."),
        ("不要修改配置文件。", "不可以修改配置文件。"),
    ],
)
def test_a_permission_that_was_only_told_of_or_names_something_else_takes_nothing_back(rule: str, other: str) -> None:
    assert rule in rules(rule, other)


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Never edit vendor/.", "You may edit vendor/ now."),
        ("Never push to CI.", "Sure, you can push to CI now, the branch is free."),
        ("Do not touch the async modules.", "You can change the async modules after all, I asked the team."),
        ("Never use sudo.", "ok, you can use sudo"),
        ("Never use tabs in yaml files.", "Actually, use tabs in yaml files."),
        ("Don't install packages.", "It's okay to install packages now."),
        ("Pushe niemals nach main.", "Jetzt darfst du nach main pushen."),
        ("Nunca hagas push a main.", "Ahora puedes hacer push a main."),
        ("Ne pousse jamais sur main.", "Tu peux pousser sur main."),
        ("不要修改生成的文件。", "现在可以修改生成的文件了。"),
    ],
)
def test_a_permission_that_begins_its_sentence_and_names_the_same_takes_a_rule_back(rule: str, permission: str) -> None:
    assert rules(rule, permission) == ()


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("Never edit vendor files.", "Ignore the vendor files warnings."),
        ("Never edit vendor files.", "Ignore the vendor files."),
        ("Never force push.", "Ignore what the bot said about force push."),
        ("Only use Postgres.", "Forget about the Postgres error, it is unrelated."),
        ("Only use Postgres.", "The bot said: forget about Postgres."),
        ("Never use mocks in tests.", "Forget the tests for now, look at the docs."),
        ("Never use class components.", "I changed my mind about the button colour in the class components demo."),
        ("Never deploy on Friday.", "Take it back to the main branch and deploy the docs."),
        ("Never write to disk.", "Write a scratch file, scratch it later on disk."),
        ("Nunca uses npm.", "Olvida el error de npm por ahora."),
    ],
)
def test_what_is_to_be_forgotten_besides_takes_nothing_back(rule: str, other: str) -> None:
    assert rule in rules(rule, other)


@pytest.mark.parametrize(
    ("rule", "back"),
    [
        ("Always use tabs in cart.py files.", "Actually, use spaces: forget about tabs in cart.py files."),
        ("Only use Postgres.", "Forget about Postgres, it is too slow."),
        ("Only use Postgres.", "Ignore what I said about Postgres."),
        ("Never edit vendor files.", "Ignore the rule about vendor files."),
        ("Never use class components.", "I changed my mind about class components."),
        ("Nunca uses npm.", "Olvida lo de npm."),
    ],
)
def test_what_is_to_be_forgotten_is_taken_back(rule: str, back: str) -> None:
    assert rule in rules(rule, "go on")
    assert rule not in rules(rule, back)


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        ("Always use the v1 API.", "The v1 API is no longer slow."),
        ("Benutze niemals sudo.", "Der Server läuft nicht mehr mit sudo."),
        ("Nutze immer pnpm.", "Ich will npm nicht mehr sehen, nur pnpm."),
        ("No toques la base de datos.", "La base de datos ya no responde."),
        ("Utilise toujours pnpm.", "Finalement le build pnpm marche."),
        ("Never use pnpm.", "You don't need to use pnpm."),
        ("Always run make fmt.", "You no longer need to run make fmt on vendor/."),
        ("Always run make fmt.", "You don't have to run make fmt if CI did."),
    ],
)
def test_that_something_is_no_longer_so_takes_nothing_back(rule: str, fact: str) -> None:
    assert rule in rules(rule, fact)


@pytest.mark.parametrize(
    ("rule", "release"),
    [
        ("Always run make fmt.", "You no longer need to run make fmt."),
        ("Always run make fmt.", "ok, you don't have to run make fmt any more"),
        ("Always run make fmt.", "You don't need to run make fmt, the hook does it."),
        ("Schreibe immer ein Changelog.", "Du musst das Changelog nicht mehr schreiben."),
        ("Immer die Tests starten.", "Du brauchst die Tests nicht mehr zu starten."),
        ("Usa siempre pnpm.", "Ya no hace falta usar pnpm."),
        ("Ejecuta siempre los tests.", "No necesitas ejecutar los tests."),
        ("Ejecuta siempre los tests.", "Ya no tienes que ejecutar los tests."),
        ("Lance toujours les tests.", "Tu n'as plus besoin de lancer les tests."),
    ],
)
def test_what_need_not_be_done_any_more_is_no_longer_demanded(rule: str, release: str) -> None:
    assert rule in rules(rule, "go on")
    assert rules(rule, release) == ()


def test_a_prompt_that_begins_by_taking_back_is_about_the_last_sentence_before_it_only() -> None:
    both = "Never touch prod. Use Redis for the cache."
    assert rules(both, "Scratch that, use memcached for the cache.") == (
        "Never touch prod.",
        "Scratch that, use memcached for the cache.",
    )
    asked = "From now on only use pnpm. And can you check why CI is red?"
    assert rules(asked, "never mind, CI is green again") == ("From now on only use pnpm.",)
    assert rules("不要修改配置。总是使用最新版本。", "算了") == ("不要修改配置。",)


@pytest.mark.parametrize(
    ("rule", "reminder"),
    [
        ("Always run make fmt.", "please don't ever forget the make fmt step"),
        ("Always run make fmt.", "Never forget to run make fmt."),
        ("Never log secrets.", "Do not forget that secrets are never logged."),
        ("Verwende immer Tabs in Go.", "Und vergiss bitte nicht, in Go Tabs zu verwenden."),
        ("Die Tests müssen immer grün sein.", "Vergiss die Tests nicht!"),
        ("Ändere nie die Migrationen.", "Vergiss nicht die Migrationen zu testen."),
        ("Ne modifie jamais le schéma.", "N'oublie pas le schéma de test."),
        ("Ne modifie jamais le schéma.", "Et oublie pas de relire le schéma."),
        ("Nunca borres los tests.", "No olvides los tests de integración."),
        ("不要修改配置文件。", "别忘了配置文件。"),
    ],
)
def test_a_reminder_takes_nothing_back(rule: str, reminder: str) -> None:
    assert rule in rules(rule, reminder)


def test_each_line_of_a_list_is_a_rule_of_its_own() -> None:
    lines = "Rules:\n- never push to main\n- no force pushes\n- always run make test"
    assert set(rules(lines)) == {"never push to main", "no force pushes", "always run make test"}
    assert set(rules(lines, "You can push to main now.")) == {"no force pushes", "always run make test"}


@pytest.mark.parametrize(
    "text",
    [
        "这两个函数的区别在文档里",
        "这个页面特别慢，看一下",
        "个别测试失败了，看一下",
        "把类别放到左边的列表",
        "分别测试这两个模块",
        "性别字段放到表单里",
        "看看别的文件有没有",
    ],
)
def test_a_character_that_forbids_is_not_a_rule_within_another_word(text: str) -> None:
    assert rules(text) == ()
    assert rules("别修改这个文件。") == ("别修改这个文件。",)


@pytest.mark.parametrize(
    "report",
    [
        "At the moment, the bar chart only goes back one day.",
        "And the list at the bottom of the page only shows three.",
        "You did make it to the first log once, but never jumped to the second log.",
        "It never saw the start screen.",
        "I don't see you log our conversation here.",
        "They do not show on the violations log.",
        "I shouldn't have had to tell you that.",
        "Last deep analysis: Never",
        "There are only six violations in the list.",
    ],
)
def test_a_sentence_that_tells_how_things_are_is_not_a_rule(report: str) -> None:
    assert words_of([Utterance(0, report, "a")]).rules == ()


@pytest.mark.parametrize(
    "rule",
    [
        "Never push to main.",
        "The parser must only use the standard library.",
        "I don't want you to touch the API.",
        "We only use tabs here.",
        "It only goes back one day, but it must show five days.",
        "The module only uses the standard library.",
        "You never push without asking me.",
        "Only tests may write there.",
        "They must not be rounded.",
        "Always process the queue first.",
    ],
)
def test_a_sentence_that_demands_something_is_a_rule(rule: str) -> None:
    assert [each.text for each in words_of([Utterance(0, rule, "a")]).rules] == [rule]


def test_a_plan_that_the_client_gives_back_sets_no_rules() -> None:
    plan = "Implement the following plan:\n\n# Totals\n\n- Never round twice.\n- Both types must stay in sync."
    assert rules(plan, "Never push without asking me.") == ("Never push without asking me.",)
    assert words_of([Utterance(0, plan)]).last[0].text.startswith("Implement the following plan:")


def test_a_prohibition_in_russian_is_a_rule() -> None:
    assert [each.text for each in words_of([Utterance(1, "Миграции не трогай, их делает Олег.")]).rules] == [
        "Миграции не трогай, их делает Олег."
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Only the map seems to be very slow to display data.",
        "There is a bug at the start, and the prompt's colors do not seem to be correct.",
        "Maybe we should make a sub domain for it and only keep the map.",
        "just restarted, there are two instances of the panel, one without an icon",
        "We already have a lot but only a few topics.",
        "No changes.",
        'Can you hide this? "IMPORTANT: When reporting values, always state counts per minute, never per second."',
        "The list shows cached timestamps that don't match the measurements.",
    ],
)
def test_what_the_person_sees_or_supposes_is_not_a_rule(said: str) -> None:
    assert rules(said) == ()


@pytest.mark.parametrize(
    "said", ["I think you should never push.", "Maybe don't touch prices.py.", "Only use the cart."]
)
def test_a_rule_stays_one_however_it_is_put(said: str) -> None:
    assert rules(said) == (said,)


@pytest.mark.parametrize(
    "said",
    [
        "This is the plugin grid, which was the only real filter found.",
        "For the renderer, you can always use the configuration at my home.",
        "It will also never be set when rendering on another machine.",
        "If you start the program without specifying a config, that is the one that is shown",
        "who do we ensure no dirtyware in the boot part",
    ],
)
def test_what_tells_how_something_is_demands_nothing(said: str) -> None:
    assert rules(said) == ()


@pytest.mark.parametrize(
    "said",
    [
        "it looks like we're only showing the checkpoints since the merge",
        "ok lets do this, but lets come up with a way to avoid this.",
        "I will need to configure that on the other side",
        "can you review the change where we use add rather than commit",
    ],
)
def test_a_request_or_a_remark_is_not_a_rule(said: str) -> None:
    assert rules(said) == ()


def test_an_answer_to_the_agents_question_is_no_rule_unless_it_forbids() -> None:
    def ruled(text: str) -> list[str]:
        return [rule.text for rule in words_of([Utterance(1, text, answers="Who may read it?")]).rules]

    assert ruled("only me and Ann") == []
    assert ruled("never show it to Bob") == ["never show it to Bob"]


def test_which_tool_looks_up_what_a_prompt_points_to_is_no_rule() -> None:
    assert rules("https://example.org/cart\nuse lookup\nwhat is a basket?") == ()
    assert rules("use pnpm") == ("use pnpm",)


def test_what_holds_the_work_back_holds_until_the_next_request() -> None:
    assert rules("dont implement anything, tell me how it works") == ("dont implement anything, tell me how it works",)
    assert rules("Explain the lock. Do not make any changes.", "ok build it") == ()
    assert rules("what would you do..dont implement", "go ahead with the second one") == ()
    kept = "Do not make any changes to the lock file."
    assert rules(kept, "ok build it") == (kept,)


def test_two_dots_without_a_space_end_a_sentence() -> None:
    assert rules("the list is too long..never sort it by hand..i like the rest", "next") == ("never sort it by hand",)


@pytest.mark.parametrize(
    "said",
    [
        "it should only have to load once when I come back",
        "Use make_queue(size) with a documented size.",
        "also mention in the guide that the app always asks once going forward",
        "add a column so the totals include tax from now on",
        "帮我建一个空文件，里面不要写内容",
    ],
)
def test_what_is_to_be_made_once_is_no_rule(said: str) -> None:
    assert rules(said, "next") == ()
