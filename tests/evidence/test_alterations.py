from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.evidence.alterations import alteration, is_denied
from veridic.evidence.copies import near_copies

EVIDENCE = (
    "The tower was designed by Anna Berg in 1890. Napoleon defeated the army of Wellington near the old river. "
    "It is believed to be the oldest tower of the whole northern coast. All ships that pass the harbour pay a toll. "
    "About 40 people may visit the tower every day. Chad borders Niger and Sudan in the dry season. "
    "In 1950, the tower was not open to the public, which many regretted. "
    "Ada Lund of Wales met the Duke of Riga in Oslo. "
    "It carries people to Tynemouth, South Shields and South Hylton every morning."
)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Wellington defeated the army of Napoleon near the old river.", "roles"),
        ("Ada Lund of Riga met the Duke of Wales in Oslo.", "roles"),
        ("The tower designed Anna Berg in 1890.", "roles"),
        ("The tower was not designed by Anna Berg in 1890.", "negation"),
        ("In 1950, the tower was open to the public.", "negation"),
        ("It is the oldest tower of the whole northern coast.", "certainty"),
        ("40 people may visit the tower every day.", "certainty"),
        ("About 40 people will visit the tower every day.", "certainty"),
        ("Few ships that pass the harbour pay a toll.", "quantifier"),
        ("The tower never was designed by Anna Berg in 1890.", "negation"),
        ("It is believed to be the oldest tower of the whole southern coast.", "opposite"),
        ("In 1950, the tower was not open to the private.", "opposite"),
        ("The tower was designed by Anna Berg in 1950.", "value"),
        ("The tower was designed by Napoleon in 1890.", "value"),
        ("Ada Lund of Wales met the Duke of Riga in Tynemouth.", "value"),
        ("Tynemouth, South Shields and South Hylton carries people to it every morning.", None),
        ("The office was opened by Riga and Lund in Wales and Oslo.", None),
    ],
)
def test_what_was_changed_is_read_off(sentence: str, kind: str | None) -> None:
    assert alteration(sentence, EVIDENCE) == kind


def test_a_rough_number_told_as_exact_is_altered() -> None:
    assert alteration("In May 40 people came to the tower.", "In May about 40 people came to the tower.") == "certainty"


@pytest.mark.parametrize(
    "sentence",
    [
        "The tower was designed by Anna Berg.",
        "The tower was not open to the public in 1950.",
        "Chad borders Sudan and Niger in the dry season.",
        "Anna Berg designed the tower.",
        "It carries people to Tynemouth, South Hylton and South Shields every morning.",
        "The toll is high.",
        "Napoleon",
        "About 40 people can visit the tower every day.",
        "About 40 people might visit the tower every day.",
        "The stone tower was designed by Anna Berg in 1890.",
        "She was designed by Anna Berg in 1890.",
        "The tower was designed by Ánna Berg in 1890.",
        "",
    ],
)
def test_what_still_says_the_same_is_not_altered(sentence: str) -> None:
    assert alteration(sentence, EVIDENCE) is None


@given(st.lists(st.sampled_from("not may Ada the was Oslo by all of saw 3".split()), min_size=1, max_size=12))
def test_a_copy_is_not_altered(words: list[str]) -> None:
    sentence = f"{' '.join(words)}."
    assert alteration(sentence, sentence) is None
    assert alteration(sentence, f"Rain fell on the town. {sentence}") is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read_and_only_a_copy_is_altered(sentence: str, evidence: str) -> None:
    assert alteration(sentence, evidence) is None or near_copies(sentence, evidence)
    assert not is_denied(sentence, evidence) or alteration(sentence, evidence) is not None


OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        (OPENED, "The Alder Bridge was opened in 1955 by mayor Clara Voss."),
        (OPENED, "The Alder Bridge was opened in 1932 by mayor Emil Stark, who liked it."),
        (OPENED, "It is long. The Alder Bridge was not opened in 1932 by mayor Clara Voss."),
        ("Lyon is the capital of France.", "Paris is the capital of France."),
        ("The choir has twelve singers and two pianos.", "The choir has 13 singers and two pianos."),
    ],
)
def test_another_value_in_the_place_of_its_own_denies_a_sentence(sentence: str, evidence: str) -> None:
    assert is_denied(sentence, evidence)


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        (OPENED, OPENED),
        (OPENED, "The Alder Bridge was opened on 3 May 1932 by mayor Clara Voss."),
        (OPENED, "The Alder Bridge was opened by mayor Clara Voss."),
        (OPENED, "The Marsh Library was opened in 1955."),
        (OPENED, "The old Alder Bridge was solemnly opened in 1932 by mayor Clara Voss herself."),
        ("The United States joined the treaty in 1932.", "The US joined the treaty in 1932."),
        ("A bridge over the Alder was opened in 1932.", "The bridge over the Alder was opened in 1932."),
        ("Opened in 1932.", "Opened in 1955."),
        (
            "The parish bought the nine acres in 1994.",
            "In 1994 the parish bought the nine acres for 41,000 pounds, most of it raised by a sponsored walk.",
        ),
    ],
)
def test_what_says_less_more_or_something_else_denies_nothing(sentence: str, evidence: str) -> None:
    assert not is_denied(sentence, evidence)


def test_what_would_have_been_was_not() -> None:
    source = "Had the roof been repaired, the old maps would have been saved."
    assert alteration("The old maps were saved.", source) == "certainty"
    assert alteration("The old maps would have been saved.", source) is None
    assert alteration("The old maps were saved.", "The old maps have been saved.") is None
