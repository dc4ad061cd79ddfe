"""What the judges learn from texts that give several things a value each."""

from __future__ import annotations

import re
from collections import defaultdict

from veridic_lab.training.contrasted import SOURCE, contrasted_pairs
from veridic_lab.training.made import seeded
from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.reading.contrasts import frames

MADE = [contrasted_pairs(seeded(seed)) for seed in range(4)]
SAID, USEFUL = [pair for said, _ in MADE for pair in said], MADE[0][1]


def label(pair: Pair) -> str:
    return NLI_LABELS[pair.label]


def kept() -> list[tuple[dict[str, str], Pair]]:
    """What two things are kept for in the texts of one form, by thing, with the statements made of each."""
    form = re.compile(r"We keep (.+) for (.+) and (.+) for (.+)\.")
    found = ((form.fullmatch(pair.first), pair) for pair in SAID)
    return [({told[1]: told[2], told[3]: told[4]}, pair) for told, pair in found if told]


def test_a_text_supports_its_own_value_and_not_that_of_another_thing() -> None:
    labels = set()
    for values, pair in kept():
        own = next((value for thing, value in values.items() if thing in pair.second), "")
        assert (label(pair) == "entailment") == bool(own and own in pair.second)
        labels.add(label(pair))
    assert labels == {"entailment", "not_entailment"}


def test_of_what_a_text_does_not_speak_of_it_supports_nothing_though_the_value_stands_there() -> None:
    unsaid = [(values, pair) for values, pair in kept() if not any(thing in pair.second for thing in values)]
    assert unsaid
    for values, pair in unsaid:
        assert label(pair) == "not_entailment"
        assert any(value in pair.second for value in values.values())


def test_the_sentence_that_holds_the_value_is_useful_and_the_one_beside_it_is_not() -> None:
    by_question = defaultdict(set)
    for pair in USEFUL:
        by_question[pair.first].add((pair.second, pair.label))
    several = [found for found in by_question.values() if {label for _, label in found} == {0, 1}]
    assert several
    whole = {text for found in several for text, label in found if label}
    assert any(
        other in text and other != text for found in several for other, label in found if not label for text in whole
    )


def test_every_frame_teaches_both_and_is_split_as_a_whole() -> None:
    keys = {f"contrast:{number}" for number in range(len(frames()))}
    assert {pair.key for pair in SAID} <= keys
    assert {pair.key for pair in USEFUL} == keys
    assert {pair.source for pair in (*SAID, *USEFUL)} == {SOURCE}
    assert {pair.task for pair in SAID} == {"nli"}
    assert {pair.task for pair in USEFUL} == {"usefulness"}
