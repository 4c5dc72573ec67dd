"""Payloads: keys that name credentials, structure kept, sameness kept."""

from __future__ import annotations

from typing import Any

import pytest

from perdure.masking import mask_json
from perdure.masking._names import is_placeholder, names_credential
from tests.effort import for_each

from .masking_samples import Dice

FIELD = "[masked:credential-field]"
SECRET = "ghp" + "_" + Dice("json").alnum(36)


@for_each(
    "key",
    [
        *("password", "Password", "db_password", "dbPassword", "user-password", "passwd", "passphrase", "PGPASSWORD"),
        *(
            "secret",
            "client_secret",
            "clientSecret",
            "SESSION_SECRET",
            "token",
            "access_token",
            "accessToken",
            "refreshToken",
        ),
        *(
            "x-auth-token",
            "X-Api-Key",
            "api_key",
            "apiKey",
            "apikey",
            "APIKey",
            "OPENAI_API_KEY",
            "access_key",
            "private_key",
        ),
        *(
            "aws_secret_access_key",
            "encryptionKey",
            "AccountKey",
            "authorization",
            "Proxy-Authorization",
            "cookie",
            "Set-Cookie",
        ),
        *("smtp_pass", "dbPwd", "credential", "password2", "TOKEN_PROD", "token_1", "service_role_key"),
    ],
)
def test_a_string_under_a_credentials_name_is_masked(key: str) -> None:
    assert names_credential(key)
    assert mask_json({key: "hunter"}) == ({key: FIELD}, 1)


@for_each(
    "key",
    [
        *(
            "token_count",
            "max_tokens",
            "tokens",
            "tokenizer",
            "secret_group",
            "keyboard",
            "key",
            "keys",
            "primary_key",
            "monkey",
        ),
        *(
            "foreign_key",
            "public_key",
            "cache_key",
            "sort_key",
            "passed",
            "passenger",
            "compass",
            "token_type",
            "tokenUrl",
            "author",
        ),
        *(
            "password_file",
            "secret_name",
            "private_key_id",
            "api_key_name",
            "author_name",
            "cookies_enabled",
            "next_page_token",
        ),
        *("pad_token", "secretary", "keyframe", "passport", "authored", "text", "", "session_id", "keyword"),
    ],
)
def test_a_string_under_another_name_is_not(key: str) -> None:
    assert not names_credential(key)
    payload: dict[str, Any] = {key: "hunter"}
    assert mask_json(payload)[0] is payload


@for_each(
    "value",
    [
        *(
            "",
            "$TOKEN",
            "${TOKEN}",
            "$(cmd)",
            "{{ token }}",
            "<token>",
            "***",
            "xxxxxxxx",
            "changeme",
            "null",
            "None",
            "true",
        ),
        *(
            "%TOKEN%",
            "[REDACTED]",
            "[masked:jwt]",
            "your-token-here",
            "…",
            "env:TOKEN",
            "/run/secrets/token",
            "~/.ssh/id_rsa",
        ),
        *("${{ secrets.TOKEN }}", "sk-xxxxxxxx", "REDACTED", "YOUR_API_KEY", "{token}", "op://vault/item/token"),
    ],
)
def test_what_stands_for_a_secret_is_left(value: str) -> None:
    assert is_placeholder(value)
    payload: dict[str, Any] = {"token": value}
    assert mask_json(payload)[0] is payload


@pytest.mark.parametrize(
    "value", ["hunter2", "correct horse", "$ecret!1", "x1", "my-cat-7", "/9j/4AAQSkZJRgABAQEAYABgAAD"]
)
def test_what_does_not_is_masked(value: str) -> None:
    assert mask_json({"password": value}) == ({"password": FIELD}, 1)


@pytest.mark.parametrize("value", [123, 1.5, None, True, ["a"], {"a": "b"}])
def test_only_strings_are_masked_for_their_key(value: Any) -> None:
    payload: dict[str, Any] = {"password": value}
    assert mask_json(payload)[0] is payload


def test_a_short_pass_is_masked_when_it_looks_like_one() -> None:
    assert mask_json({"user": "me", "pass": "hunter2"}) == ({"user": "me", "pass": FIELD}, 1)
    assert mask_json({"pass": "12", "fail": "0"})[1] == 0
    assert mask_json({"pwd": "/home/me"})[1] == 0


def test_all_strings_at_any_depth_are_masked() -> None:
    payload: dict[str, Any] = {"a": [{"b": [[f"x {SECRET}"]]}, SECRET], "c": f"{SECRET} {SECRET}"}
    mark = "[masked:github-pat]"
    assert mask_json(payload) == ({"a": [{"b": [[f"x {mark}"]]}, mark], "c": f"{mark} {mark}"}, 4)
    assert payload["c"] == f"{SECRET} {SECRET}"


def test_keys_are_masked_too_and_stay_apart() -> None:
    other = "ghp" + "_" + Dice("other").alnum(36)
    masked, count = mask_json({SECRET: 1, other: 2, "z": 3})
    assert masked == {"[masked:github-pat]": 1, "[masked:github-pat]#2": 2, "z": 3}
    assert count == 2
    assert mask_json(masked) == (masked, 0)


def test_bare_values_are_masked() -> None:
    assert mask_json(SECRET) == ("[masked:github-pat]", 1)
    assert mask_json([SECRET, 1]) == (["[masked:github-pat]", 1], 1)
    for value in (None, True, 1, 1.5, "x"):
        assert mask_json(value) == (value, 0)


def test_what_has_not_changed_is_shared() -> None:
    untouched: Any = {"deep": ["text"]}
    masked, _ = mask_json({"a": untouched, "b": SECRET})
    assert isinstance(masked, dict)
    assert masked["a"] is untouched


def test_the_order_of_keys_is_kept() -> None:
    masked, _ = mask_json({"z": 1, SECRET: 2, "a": 3})
    assert isinstance(masked, dict)
    assert list(masked) == ["z", "[masked:github-pat]", "a"]


def test_depth_has_no_limit() -> None:
    value: Any = SECRET
    for _ in range(50_000):
        value = [value]
    masked, count = mask_json(value)
    assert count == 1
    while isinstance(masked, list):
        (masked,) = masked
    assert masked == "[masked:github-pat]"


def test_the_names_of_fields_and_values_of_others_make_no_secret_together() -> None:
    payload: dict[str, Any] = {"kind": "token", "value": "hunter2", "list": ["password", "=", "hunter2"]}
    assert mask_json(payload)[0] is payload
