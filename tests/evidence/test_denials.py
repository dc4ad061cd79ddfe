"""What a sentence says only under a negation supports no claim that negates nothing."""

import pytest

from veridic.evidence.denials import denies

VAULT = "Vault C may only be entered by two people together, and never with a phone or any other battery."
DOGS = "Dogs are allowed in the bar but not in the dining room."


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (VAULT, "Vault C may be entered with a phone."),
        (f"Safety\nNitrate is kept apart. {VAULT}", "Vault C may be entered with a battery."),
        ("We do not lend nitrate prints.", "We lend nitrate prints."),
        (DOGS, "Dogs are allowed in the dining room."),
        ("The bar isn't open on Sundays.", "The bar is open on Sundays."),
        ("No dogs are allowed.", "Dogs are allowed."),
    ],
)
def test_what_is_negated_is_denied(premise: str, claim: str) -> None:
    assert denies(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (VAULT, "Vault C may only be entered by two people together."),
        (VAULT, "Vault C may never be entered with a phone."),
        (DOGS, "Dogs are allowed in the bar."),
        ("The vaults are never open at night.", "The vaults are closed at night."),
        ("He not only wrote the book but illustrated it.", "He wrote the book."),
        ("The bar does not open on Sundays. The bar opens on Fridays.", "The bar opens on Fridays."),
        ("Do not pull the plug: the fan must run on.", "The fan must run on."),
        ("The bar is open on Sundays. It was not open on Sundays before.", "The bar is open on Sundays."),
    ],
)
def test_what_stands_outside_its_scope_or_in_other_words_is_not(premise: str, claim: str) -> None:
    assert not denies(premise, claim)
