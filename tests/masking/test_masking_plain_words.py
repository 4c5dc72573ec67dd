# ruff: noqa: E501 – samples read better unwrapped
"""Passwords that are plain words: masked where the form says that it is the password and nothing else."""

from __future__ import annotations

import pytest

from perdure.masking import mask_text

WORD, PHRASE = "swordfish", "correct horse battery staple"
FILLS_THE_LINE = [
    *("pw: {}", "Password: {}", "password: {}  # change later", "admin password: {}", "wifi password: {}"),
    *("the root password: {}", "Password for root: {}", "New password: {}", "Enter password: {}", "# password: {}"),
    *("**Password:** {}", "**Password**: {}", "* Password: {}", "> password: {}", "(password: {})", "`password: {}`"),
]
ENDS_THE_SENTENCE = [
    *("the password is {}", "my password is {}.", "The root password was {}, I think", "the password's {}"),
    *("the password for staging is {}", "the pw is {}", 'The password is "{}"', "the db password is `{}`"),
    *("the passphrase for the key is now {}", "login works; the Wi-Fi password is {}"),
]
IN_SETTINGS = [
    *("password = {}", "[db]\nuser = root\npassword = {}\n", "# local\nsmtp_password = {}", "pwd = {}"),
    *("Server=db;User Id=sa;Password={};", "Driver=x;Server=db;Database=shop;Uid=sa;Pwd={}", "requirepass {}"),
    *("username: admin, password: {}", "user=admin pass={}", '{{"user": "root", "pw": "{}"}}'),
]
PHRASES = [
    *("pw: {}", "passphrase: {}", "password: {}", "password = {}", "the passphrase is {}"),
    *("the passphrase is '{}'", "[db]\nhost = local\npassphrase = {}\n"),
]
HOW_IT_IS = (
    "wrong empty required optional invalid correct stored hashed masked expired rejected visible plaintext unknown weak"
    " missing fine public numeric alphanumeric sensitive verified leaked forgotten deterministic unique identical random"
    " hardcoded obsolete ignored salted permanent insecure compromised guessable trivial stronger shorter elsewhere"
).split()
NOT_TOLD = [
    *("password: minimum twelve characters", "passphrase: not stored anywhere", "password: hashing moved elsewhere"),
    *("pw: page object model", "pw: playwright", "pw: short for password", "password: reset flow works now"),
    *("passphrase is read from the environment", "the password is never logged or stored", "the password is text input"),
    *("password = attempt\nif password == stored:\n    ok()", "def f():\n    password = attempt\n    return password"),
    *("login({ username: name, password: word })", "{username: admin, password: word}", "f(username=name, password=word)"),
    *("user: User, password: Password", "requirepass is not set", "the password is whatever you like"),
    *("Server=db;User Id=sa;Password=$PW;", '{"user": "a", "pass": true}', "user: me\npassword: \n", "the token is opaque"),
    *("admin password: required", "forgotten password: mail", "wrong password: locked", "check password: later"),
]  # fmt: skip


@pytest.mark.parametrize("form", [*FILLS_THE_LINE, *ENDS_THE_SENTENCE, *IN_SETTINGS])
def test_a_plain_word_is_masked_where_it_is_surely_the_password(form: str) -> None:
    masked, count = mask_text(form.format(WORD))
    assert count == 1
    assert WORD not in masked
    assert mask_text(masked) == (masked, 0)


@pytest.mark.parametrize("form", PHRASES)
def test_a_phrase_of_plain_words_is_masked_whole(form: str) -> None:
    masked, count = mask_text(form.format(PHRASE))
    assert count == 1
    assert not any(word in masked for word in PHRASE.split())


@pytest.mark.parametrize(
    "form", ["the password is {}", "The password was {}.", "admin password: {}", "**Password:** {}"]
)
def test_what_is_said_about_a_password_is_left_alone(form: str) -> None:
    assert [word for word in HOW_IT_IS if mask_text(form.format(word))[1]] == []


@pytest.mark.parametrize("text", NOT_TOLD)
def test_a_word_that_may_be_anything_else_is_left_alone(text: str) -> None:
    assert mask_text(text) == (text, 0)


def test_a_password_behind_a_dash_a_change_or_on_the_next_line_is_masked() -> None:
    for text in (
        "pass - Tr0ub4dor&3",
        "Password:\nTr0ub4dor&3",
        "the password changed to Tr0ub4dor&3",
        "pass=Passw0rd!",
    ):
        assert mask_text(text)[1] == 1, text
