"""What strips say spelt out, as premises for a claim."""

from tests.fakes.knowledge import passage
from veridic.evidence.spelt_out import premises_of, sentence_premises
from veridic.ports.shapes import Strip

SHED = "Diesel is stored in the green shed, and petrol may not be stored on club ground at all."
COURSE = "The Level 1 course begins on 9 May 2026. It is taught by Jenna Fairlie and is limited to 16 pupils."
ALLOWANCE = "The meal allowance is 24 euros in Portugal and 38 euros in Germany."


def strip(text: str, part: str = "") -> Strip:
    held = passage("d", text)
    at = text.index(part)
    said = part or text
    start = held["start"] + at
    return Strip(passage=held, text=said, start=start, end=start + len(said), score=None, kept=True)


def test_a_clause_near_to_the_claim_is_a_premise_that_may_support() -> None:
    found = {one.text: one.supports for one in premises_of("Diesel is stored in the green shed.", [strip(SHED)])}
    assert found["Diesel is stored in the green shed."]
    assert found[SHED]
    assert "Petrol may not be stored on club ground at all." not in found


def test_a_clause_that_is_only_alike_may_contradict_and_not_support() -> None:
    found = {one.text: one.supports for one in premises_of("Diesel is kept in the red shed.", [strip(SHED)])}
    assert not found["Diesel is stored in the green shed."]


def test_a_claim_of_one_is_not_held_against_the_values_of_all() -> None:
    kept = "Receipts are kept for two years."
    claim = "In Portugal the meal allowance is 38 euros."
    found = [one.text for one in premises_of(claim, [strip(f"{ALLOWANCE} {kept}")])]
    assert not any(ALLOWANCE in text for text in found)
    assert "The meal allowance is 24 euros in Portugal." in found
    assert any(kept in text for text in found)


def test_a_claim_that_compares_is_held_against_all_values() -> None:
    claim = "The meal allowance is higher in Germany than in Portugal."
    assert any(ALLOWANCE in one.text for one in premises_of(claim, [strip(ALLOWANCE)]))


def test_what_a_pronoun_means_may_stand_before_the_strip_and_is_cited_with_it() -> None:
    claim = "The Level 1 course is limited to 16 pupils."
    cut = strip(COURSE, "It is taught by Jenna Fairlie and is limited to 16 pupils.")
    told = next(one for one in premises_of(claim, [cut]) if one.text == claim)
    [reaching] = told.strips
    assert reaching["text"] == COURSE
    assert COURSE[reaching["start"] - reaching["passage"]["start"] :] == COURSE


def test_of_sentences_those_that_point_back_are_left_out_unless_it_is_known_to_what() -> None:
    [premise, *_] = premises_of("The Level 1 course is limited to 24 pupils.", [strip(COURSE)])
    assert "The Level 1 course is limited to 16 pupils." in " ".join(
        [text for text, _ in sentence_premises(premise, "The Level 1 course is limited to 24 pupils.")]
    )
    assert not any("16" in one for one, _ in sentence_premises(premise, "The Level 2 course is limited to 24 pupils."))
