import pytest

from veridic.text.standing import stands_alone


@pytest.mark.parametrize(
    "question",
    [
        "who is organising the open day?",
        "When is the summer party?",
        "How many days of leave do we have?",
        "What is the fee for dogs that bite?",
        "And when was the Alder Bridge opened?",
        "When was the Alder Bridge opened, and how long is it?",
    ],
)
def test_what_names_its_thing_stands_alone(question: str) -> None:
    assert stands_alone(question, follows=False)
    assert stands_alone(question, follows=True)


@pytest.mark.parametrize(
    "question",
    ["Who is organising it?", "when did she start?", "How do they differ?", "Who's that?", "What else?"],
)
def test_a_pronoun_without_its_noun_does_not(question: str) -> None:
    assert not stands_alone(question, follows=False)
    assert not stands_alone(question, follows=True)


@pytest.mark.parametrize(
    "question", ["how many people came last time?", "what's the budget?", "and what's the budget", "What is parking?"]
)
def test_a_conversation_may_hold_what_a_question_leaves_out(question: str) -> None:
    assert stands_alone(question, follows=False)
    assert not stands_alone(question, follows=True)


@pytest.mark.parametrize(
    "question",
    [
        "What does the alarm do when it rings?",
        "How long does it take to open an account?",
        "How hot does it get in the sweat room?",
    ],
)
def test_a_pronoun_that_means_nothing_said_before_needs_no_conversation(question: str) -> None:
    assert stands_alone(question, follows=False)
    assert not stands_alone("How long does it take?", follows=False)
