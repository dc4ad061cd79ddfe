"""Whom "he" or "she" means: the one person that the sentence before names, or nobody."""

import pytest

from veridic.text.referents import is_pronoun, person_before


@pytest.mark.parametrize(
    ("text", "pronoun", "person"),
    [
        ("- Director: Philippa Okonedo. She signs loan agreements.", "She", "Philippa Okonedo"),
        ("Head of conservation: Dr. Tamsin Verhoeven. She decides.", "She", "Dr. Tamsin Verhoeven"),
        ("The keys are with Emil Stark. On Mondays he is away.", "he", "Emil Stark"),
    ],
)
def test_the_one_person_of_the_sentence_before_is_meant(text: str, pronoun: str, person: str) -> None:
    found = person_before(text, text.rindex(f"{pronoun} "))
    assert found is not None
    assert text[found.start : found.end] == found.text == person


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Clara Voss met Emil Stark. She signs.", "She"),
        ("Emil Stark came. It rained. He left.", "He"),
        ("The bridge was opened. She signs.", "She"),
        ("She signs.", "She"),
        ("The Alder Bridge is closed. It is old.", "It"),
        ("The Museum of Modern Art is closed. She signs.", "She"),
    ],
)
def test_nobody_is_guessed(text: str, pronoun: str) -> None:
    assert person_before(text, text.rindex(f"{pronoun} ")) is None


@pytest.mark.parametrize(("said", "alone"), [("She", True), ("they.", True), ("She signs", False), ("Ida", False)])
def test_a_pronoun_and_nothing_else(said: str, alone: bool) -> None:
    assert is_pronoun(said) is alone
