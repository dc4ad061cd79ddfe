import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.facts import entities, numbers
from veridic.text.kinds import answer_kind
from veridic.text.questions import keeps_entities
from veridic.text.same_question import asks_the_same
from veridic_lab.evaluation.rewording import reworded

QUESTIONS = [
    "When was the Alder Bridge founded?",
    "When did Clara Voss open the Alder Bridge?",
    "Where was Clara Voss born?",
    "Where does the Alder come from?",
    "Who opened the Alder Bridge in 1932?",
    "Who is the mayor of Marsh?",
    "What instrument is used to examine steam engine performance?",
    "What helped the Lama determine to be reborn?",
    "Which two compounds did Al-Muwaffaq differentiate between?",
    "How many people live in Marsh?",
    "What is the capital of the county that was founded in 1932?",
    "Why did the toll of the Alder Bridge end?",
    "How did the ferrymen strike?",
    "Is the Alder Bridge longer than 400 metres?",
    "what year was the marsh library restored",
    "In which year was the Marsh Library restored?",
]
SEEDS = range(12)


def ways(question: str) -> set[str]:
    return {way for seed in SEEDS if (way := reworded(question, seed))}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_way_is_the_same_question_in_other_words(question: str) -> None:
    assert ways(question)
    for way in ways(question):
        assert way != question
        assert keeps_entities(question, way)
        assert entities(way) <= entities(question)
        assert numbers(way) == numbers(question)
        assert answer_kind(way) == answer_kind(question)
        assert asks_the_same(question, way)


def test_the_ways_are_those_of_people() -> None:
    assert "In which year was the Alder Bridge founded?" in ways(QUESTIONS[0])
    assert "Tell me when the Alder Bridge was founded." in ways(QUESTIONS[0])
    assert "In 1932, who opened the Alder Bridge" in ways(QUESTIONS[4])
    assert "What number of people live in Marsh?" in ways("How many people live in Marsh?")


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("Where does the Alder come from?", "In which place"),  # "In which place does it come from" is no English
        ("When did Clara Voss open the Alder Bridge?", "In which year"),  # the day may be asked for
        ("What helped the Lama determine to be reborn?", "hich helped"),
        ("Which two compounds did Al-Muwaffaq differentiate between?", "me which two"),  # a request turns the words
        ("What is the capital of the county that was founded in 1932?", "In 1932"),  # the year is the county's
    ],
)
def test_where_a_rule_would_change_the_question_it_is_not_used(question: str, never: str) -> None:
    assert all(never not in way for way in ways(question))


@pytest.mark.parametrize("question", ["", "the marsh library", "It was red. Who painted it?", "Alder: is it long?"])
def test_what_asks_in_no_known_form_is_left(question: str) -> None:
    assert reworded(question, 1) is None


@given(st.sampled_from(QUESTIONS), st.integers())
def test_the_same_seed_says_it_in_the_same_words(question: str, seed: int) -> None:
    assert reworded(question, seed) == reworded(question, seed)


@given(st.text(max_size=80), st.integers(0, 3))
def test_any_text_is_left_or_asks_the_same(text: str, seed: int) -> None:
    way = reworded(text, seed)
    assert way is None or answer_kind(way) == answer_kind(text)
