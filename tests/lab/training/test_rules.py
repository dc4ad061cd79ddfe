from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.made import cut, made_pairs, seeded
from veridic_lab.training.pairs import NLI_LABELS
from veridic_lab.training.paraphrases import (
    PARAPHRASES,
    dropped_clause,
    less_certain,
    moved_phrase,
    reordered_list,
    resolved_pronoun,
)
from veridic_lab.training.rules import (
    CONTRADICTING,
    NOT_ENTAILED,
    UNASSERTED,
    more_certain,
    negated,
    opposite_word,
    other_quantifier,
    swapped_roles,
    wrong_date,
    wrong_name,
    wrong_number,
)
from veridic_lab.training.veridicality import LEARNED, MEASURED, Frames
from veridic_lab.training.wording import Passive, names, passive

SENTENCE = "In 1843 Ada Lovelace, who was 27 years old, translated an article by Luigi Menabrea (a general)."
TEXT = (
    "Ada Lovelace was an English mathematician. In 1843 she translated an article by Luigi Menabrea, which described "
    "the Analytical Engine (a machine). She was born in London on 10 December 1815. Most of her notes may have been "
    "read by 12 people. Charles Babbage called Ada Lovelace an enchantress of numbers in 1843."
)


@pytest.mark.parametrize("seed", range(20))
def test_a_wrong_number_changes_a_number_and_no_year(seed: int) -> None:
    changed = wrong_number(SENTENCE, seeded(seed), ())
    assert changed
    assert "1843" in changed
    assert "27" not in re.findall(r"\d+", changed)
    assert re.sub(r"\d+", "", changed) == re.sub(r"\d+", "", SENTENCE)


@pytest.mark.parametrize("seed", range(20))
def test_a_wrong_date_changes_the_year_only(seed: int) -> None:
    changed = wrong_date(SENTENCE, seeded(seed), ())
    assert changed
    assert "1843" not in changed
    assert "27 years" in changed


def test_a_wrong_name_comes_from_the_others() -> None:
    changed = wrong_name("Ada Lovelace wrote it.", seeded(1), ["Alan Turing"])
    assert changed == "Alan Turing wrote it."
    assert wrong_name("Ada Lovelace wrote it.", seeded(1), ["Ada Lovelace"]) is None
    assert wrong_name("nobody wrote it.", seeded(1), ["Alan Turing"]) is None


def test_roles_change_places_but_lists_do_not() -> None:
    assert swapped_roles("Napoleon defeated Blücher there.", seeded(1), ()) == "Blücher defeated Napoleon there."
    assert swapped_roles("It was founded by Larry Page and Sergey Brin.", seeded(1), ()) is None


def test_not_comes_and_goes() -> None:
    changed = negated("The bridge is long.", seeded(1), ())
    assert changed in ("The bridge is not long.", "The bridge is never long.")
    assert negated("The bridge is not long.", seeded(1), ()) == "The bridge is long."
    assert negated("Rain fell.", seeded(1), ()) is None


def test_quantifiers_opposites_and_hedges() -> None:
    assert other_quantifier("All birds fly.", seeded(1), ()) in ("No birds fly.", "Few birds fly.")
    assert opposite_word("It is the largest lake.", seeded(1), ()) == "It is the smallest lake."
    assert more_certain("It may be toxic.", seeded(1), ()) == "It is toxic."
    assert more_certain("It was probably built there.", seeded(1), ()) == "It was built there."
    assert more_certain("It may cause fever.", seeded(1), ()) == "It will cause fever."
    assert more_certain("He is widely believed to be the author.", seeded(1), ()) == "He is the author."
    assert more_certain("It is toxic.", seeded(1), ()) is None


def test_a_passive_is_told_actively_rightly_and_wrongly() -> None:
    found = passive("The Tower of Riga was recently designed by Anna Berg in 1890.")
    assert found
    assert found.actively == "Anna Berg designed the Tower of Riga."
    assert found.exchanged == "The Tower of Riga designed Anna Berg."
    assert passive("King Lear was written by Shakespeare.") == Passive("King Lear", "wrote", "Shakespeare")
    assert passive("She was painted by Anna Berg.") is None
    assert passive("It was built by hand.") is None


@pytest.mark.parametrize("frames", [LEARNED, MEASURED])
def test_a_sentence_is_told_in_a_frame_that_vouches_for_it_or_does_not(frames: Frames) -> None:
    told = {vouched: frames.told("The tower fell in 1843.", seeded(1), vouched=vouched) for vouched in (True, False)}
    assert all(text and "the tower fell in 1843" in text for text in told.values())
    assert told[True] != told[False]
    assert frames.told("Did the tower fall?", seeded(1), vouched=True) is None


def test_the_frames_that_measure_are_none_that_were_learned() -> None:
    assert not set(LEARNED.vouching + LEARNED.open) & set(MEASURED.vouching + MEASURED.open)
    parts = [pair.part for pair in made_pairs([cut("a", "Ada", TEXT)] * 20, seeded(1), 1, frozenset({UNASSERTED}))]
    assert {"asserted", UNASSERTED} <= set(parts)
    none = made_pairs([cut("a", "Ada", TEXT)] * 20, seeded(1), 1, frozenset())
    assert not {"asserted", UNASSERTED} & {pair.part for pair in none}


def test_what_is_said_stays_when_its_parts_move() -> None:
    assert moved_phrase("In 1843, she moved to Turin.", seeded(1)) == "She moved to Turin in 1843."
    assert reordered_list("It borders Chad and Niger.", seeded(1)) == "It borders Niger and Chad."
    assert less_certain("It is toxic.", seeded(1)) == "It may be toxic."
    assert less_certain("It is not toxic.", seeded(1)) is None


def test_a_dropped_clause_leaves_a_shorter_sentence() -> None:
    changed = dropped_clause(SENTENCE, seeded(2))
    assert changed
    assert len(changed) < len(SENTENCE)


def test_a_pronoun_becomes_the_title() -> None:
    assert resolved_pronoun("She was born in London.", "Ada Lovelace (1815)") == "Ada Lovelace was born in London."
    assert resolved_pronoun("London was hers.", "Ada Lovelace") is None


def test_names_are_not_words_that_start_a_sentence() -> None:
    assert [m.group() for m in names("The river Thames flows through London.")] == ["Thames", "London"]


@given(st.text(max_size=200), st.integers(0, 99))
def test_a_rule_changes_its_sentence_or_says_nothing(sentence: str, seed: int) -> None:
    passive(sentence)
    for rule in (*CONTRADICTING.values(), *NOT_ENTAILED.values()):
        assert rule(sentence, seeded(seed), ["Alan Turing"]) != sentence
    for paraphrase in (*PARAPHRASES.values(), less_certain):
        assert paraphrase(sentence, seeded(seed)) != sentence


def test_made_pairs_carry_the_label_of_their_rule() -> None:
    passages = [
        cut("a", "Ada Lovelace", TEXT),
        cut("b", "Tomatoes", "Tomatoes are red. Italy grows many of them today."),
    ]
    pairs = made_pairs(passages, seeded(3), 200)
    labels: dict[str, set[str]] = {}
    for pair in pairs:
        labels.setdefault(pair.part, set()).add(NLI_LABELS[pair.label])
    for name in CONTRADICTING:
        assert labels.get(name, {"contradiction"}) == {"contradiction"}
    for name in (*NOT_ENTAILED, "half"):
        assert labels.get(name, {"not_entailment"}) == {"not_entailment"}
    assert {"copy", "clause", "fusion", "negation", "date", "foreign"} <= set(labels)


def test_a_copied_sentence_stands_in_its_premise() -> None:
    pairs = made_pairs(
        [cut("a", "Ada Lovelace", TEXT), cut("b", "T", "Tomatoes are red fruits of summer.")], seeded(4), 100
    )
    copies = [p for p in pairs if p.part == "copy"]
    assert copies
    assert all(p.second.rstrip(".") in p.first for p in copies)


def test_families_can_be_left_out() -> None:
    pairs = made_pairs([cut("a", "Ada", TEXT), cut("b", "T", TEXT)], seeded(5), 200, frozenset({"date"}))
    assert {p.part for p in pairs if p.part in (*CONTRADICTING, *NOT_ENTAILED)} == {"date"}


def test_the_same_seed_makes_the_same_pairs() -> None:
    passages = [cut("a", "Ada", TEXT), cut("b", "T", TEXT)]
    assert made_pairs(passages, seeded(6), 30) == made_pairs(passages, seeded(6), 30)
