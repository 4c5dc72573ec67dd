"""Classes of secrets over many forms, and the ordinary text beside them that must stay as it is."""

from __future__ import annotations

from itertools import pairwise

import pytest

from perdure.masking import _commands, _screen, mask_json, mask_text
from tests.effort import for_each

from .masking_corpus import POSITIVE, VENDORS, filled, left_of, secrets_in, vendor_key
from .masking_negatives import NEGATIVE, PROSE

SEEDS = [str(seed) for seed in range(8)]

# What no rule can tell from ordinary words without masking those, too.
NOT_TOLD = {
    "password of the wifi: «{words}9»": "reads as a name with parts",
    "the passphrase for the key is '«{word} {word} {word}»'": "reads as a sentence",
}
TOLD = {name: [text for text in templates if text not in NOT_TOLD] for name, templates in POSITIVE.items()}


@pytest.mark.parametrize("name", TOLD)
def test_every_sample_of_the_class_is_masked(name: str) -> None:
    missed = []
    for template in TOLD[name]:
        for seed in SEEDS:
            text, secrets = secrets_in(filled(template, seed))
            masked, count = mask_text(text)
            if not count or any(left_of(secret, masked) for secret in secrets):
                missed.append((text, masked))
    assert not missed


@pytest.mark.parametrize("name", TOLD)
def test_every_sample_of_the_class_is_masked_amid_prose_and_once_for_all(name: str) -> None:
    for template in TOLD[name]:
        text, secrets = secrets_in(filled(template, "amid"))
        masked, _ = mask_text(f"I ran this:\n{text}\nand it worked, see src/app2/main.py for the rest.")
        assert not [secret for secret in secrets if left_of(secret, masked)], (text, masked)
        assert masked.startswith("I ran this:\n")
        assert masked.endswith("it worked, see src/app2/main.py for the rest.")
        assert mask_text(masked) == (masked, 0)


@pytest.mark.parametrize("name", TOLD)
def test_every_sample_of_the_class_is_masked_in_a_payload(name: str) -> None:
    for template in TOLD[name]:
        text, secrets = secrets_in(filled(template, "payload"))
        payload, count = mask_json({"kind": "note", "body": {"lines": ["before", text]}})
        assert count, text
        assert not [secret for secret in secrets if left_of(secret, str(payload["body"]["lines"][1]))]  # type: ignore[index,call-overload]


@for_each("vendor", VENDORS)
def test_the_key_of_the_vendor_is_masked(vendor: str) -> None:
    for seed in SEEDS:
        key = vendor_key(VENDORS[vendor], seed)
        masked, count = mask_text(f"see {key} here")
        assert count, key
        assert not left_of(key[-14:], masked), masked


@pytest.mark.parametrize("group", NEGATIVE)
def test_ordinary_text_is_left_alone(group: str) -> None:
    assert [text for text in NEGATIVE[group] if mask_text(text)[1]] == []


@pytest.mark.parametrize("group", NEGATIVE)
def test_ordinary_text_is_left_alone_in_a_payload(group: str) -> None:
    for text in NEGATIVE[group]:
        payload = {"text": f"I ran `{text}` twice", "list": [text]}
        masked, count = mask_json(payload)  # type: ignore[arg-type]
        assert count == 0, masked


def test_there_are_several_hundred_ordinary_texts() -> None:
    assert sum(map(len, NEGATIVE.values())) > 700


def test_two_ordinary_sentences_make_no_secret_together() -> None:
    for first, second in pairwise(PROSE):
        assert mask_text(f"{first}. {second}")[1] == 0, (first, second)


def test_the_first_stage_knows_every_program_that_takes_a_password() -> None:
    """A program added to the table and not to the first stage would be overlooked without a word."""
    for name, (verb, _) in _commands._OPTIONS_OF.items():
        assert _screen.takes_short_option(f"{name} {verb.split('|')[0]} ".lower()), name


def test_the_first_stage_knows_the_word_in_every_language_and_form() -> None:
    for word in _screen.PASSWORD_IN_OTHER_LANGUAGES:
        for form in (word, word.capitalize(), word.upper()):
            assert _screen.names_password_in_another_language(_screen.lowered(f"x {form}: y")), form
            assert mask_text(f"{form}: falcon12")[1] == 1, form


def test_of_a_command_only_the_password_is_masked() -> None:
    assert mask_text("mysql -u root -pfalcon12 shop") == ("mysql -u root -p[masked:command-password] shop", 1)
    assert mask_text("echo falcon12 | sudo -S id") == ("echo [masked:piped-password] | sudo -S id", 1)
    assert mask_text("echo 'root:falcon12' | chpasswd") == ("echo 'root:[masked:piped-password]' | chpasswd", 1)
    assert mask_text("smbclient -U me%falcon12 //s/x") == ("smbclient -U me%[masked:command-password] //s/x", 1)


def test_a_config_map_beside_a_secret_is_left_alone() -> None:
    text = "kind: ConfigMap\ndata:\n  url: web\n---\nkind: Secret\ndata:\n  a: aHVudGVyMg==\n"
    assert mask_text(text) == (text.replace("aHVudGVyMg==", "[masked:kubernetes-secret]"), 1)


def test_the_word_after_a_wrapped_token_is_left_alone() -> None:
    token = "sk-" + "ant-api03-" + "aB3dE6gH9jK2mN5p" * 6
    masked, _ = mask_text(f"export KEY={token[:60]}\n{token[60:]}\nexport OTHER=1\n")
    assert masked.endswith("\nexport OTHER=1\n")
    assert mask_text(f"export KEY={token}\nexport OTHER=1\n")[0].endswith("\nexport OTHER=1\n")
