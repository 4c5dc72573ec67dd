"""What must be masked: real-looking secrets of the usual services, in the places they turn up in."""

from __future__ import annotations

from functools import cache

from perdure.masking import mask_json, mask_text
from tests.effort import for_each

from .masking_samples import SERVICES, Dice

SEEDS = 40  # a rule that misses one key in thirty is a rule that misses keys


@cache
def masked_samples(service: str) -> list[tuple[str, str, str, int]]:
    """For each seed: the text, the secret in it, the masked text, and how many marks were made."""
    samples = [SERVICES[service](Dice(f"{service} {seed}")) for seed in range(SEEDS)]
    return [(text, secret, *mask_text(text)) for text, secret in samples]


@for_each("service", SERVICES)
def test_a_secret_of_the_service_is_masked(service: str) -> None:
    for text, secret, masked, count in masked_samples(service):
        assert secret not in masked, (text, masked)
        assert count >= 1
        assert masked.count("[masked:") == count


@for_each("service", SERVICES)
def test_no_larger_piece_of_the_secret_is_left(service: str) -> None:
    for text, secret, masked, _ in masked_samples(service):
        pieces = {secret[at : at + 12] for at in range(0, len(secret) - 11, 4) if "/" not in secret[at : at + 12]}
        if service == "Slack webhook" or secret.startswith(("-----BEGIN", "AGE-SECRET-KEY-1")):
            pieces = {secret[-12:]} if "END" not in secret[-12:] else {secret[60:72]}
        assert not [piece for piece in pieces if piece in masked], (text, masked)


@for_each("service", SERVICES)
def test_masking_it_again_changes_nothing(service: str) -> None:
    text, _ = SERVICES[service](Dice(service))
    masked, _ = mask_text(text)
    assert mask_text(masked) == (masked, 0)


@for_each("service", SERVICES)
def test_it_is_masked_amid_prose_and_other_secrets(service: str) -> None:
    text, secret = SERVICES[service](Dice(service))
    other, other_secret = SERVICES["GitHub personal access token"](Dice("other"))
    masked, count = mask_text(f"I ran this:\n{text}\nand then\n{other}\nwhich — naïvely — worked.")
    assert secret not in masked
    assert other_secret not in masked
    assert count >= 2
    assert masked.startswith("I ran this:\n")
    assert masked.endswith("\nwhich — naïvely — worked.")


@for_each("service", SERVICES)
def test_it_is_masked_in_a_payload(service: str) -> None:
    text, secret = SERVICES[service](Dice(service))
    payload, count = mask_json({"kind": "note", "body": {"lines": ["before", text, "after"]}})
    assert secret not in str(payload)
    assert count >= 1


def test_a_github_token_in_a_command_is_masked_by_its_rule() -> None:
    text, secret = SERVICES["GitHub personal access token"](Dice(1))
    assert mask_text(text) == (text.replace(secret, "[masked:github-pat]"), 1)


def test_of_an_address_only_the_password_is_masked() -> None:
    text, secret = SERVICES["Postgres address"](Dice(1))
    assert mask_text(text) == (text.replace(secret, "[masked:url-password]"), 1)


def test_of_an_assignment_only_the_value_is_masked() -> None:
    text, secret = SERVICES["password in the environment"](Dice(1))
    assert mask_text(text) == (text.replace(secret, "[masked:assigned-credential]"), 1)
