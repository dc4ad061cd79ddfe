"""What kind of answer a question asks for, and the two things a choice names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.kinds import (
    ANSWER_KINDS,
    AnswerKind,
    answer_kind,
    asks_yes_or_no,
    without_request,
)

KINDS: dict[AnswerKind, str] = {
    "who": """
        Who painted the Sistine Chapel?
        By whom was the treaty signed?
        Whose idea was the ferry?
        The bridge was opened by whom?
        Do you know who opened the bridge?
        Who has the power to approve or veto laws?
    """,
    "when": """
        When did the strike begin?
        In what year was Voss born?
        In which century was the abbey built?
        The bridge was opened in what year?
        Can you tell me when the bridge opened?
        I'd like to know when it opens
    """,
    "where": """
        Where is the Alder Bridge?
        In which city was Mozart born?
        Which countries border Chile?
        Which U.S. state has the most lakes?
        I want to know where it is.
    """,
    "how many": """
        How many books does the library hold?
        In how many games did he play?
        What is the population of Riga?
        By what percentage did it fall?
    """,
    "yes-no": """
        Is it tall?
        Didn’t Voss open it?
        And was she married?
        In 1932, was the bridge open?
        Amblyopia: is visual loss permanent?
        If it rains, will the match be cancelled?
        People who smoke, are they at risk?
        Tell me whether it is safe.
        Do you know if dogs are allowed?
        Is it true or not?
        May employees carry over five or more days?
        Can you give me a refund after 30 days?
    """,
    "which of two": """
        Which is larger, Mars or Venus?
        which is larger mars or venus
        Which came first: the chicken or the egg?
        Is it a lock or a weir?
        Is Mars larger or smaller than Venus?
        Does precipitation increase or decrease with height?
        Is the ruling legal or illegal?
        Did Bach or Handel die first?
        And is it red or blue?
    """,
    "what": """
        What is the capital of France?
        What is the city known for?
        What does the museum show when it rains?
        What was the place in which the games, a yearly event, was held?
        Can you name the river it crosses?
        Between 1929 and 1943, which club stood there?
    """,
    "why-how": """
        Why was the toll abolished?
        How does the lock work?
        Could you explain why it closed?
        Can you summarise the strike?
        What is the difference between a lock and a weir?
        What is a weir?
        what are tides
        What is the weir used for?
        What does the lock keeper do?
        Parking fees
        I would like to know more about the lock.
    """,
}
OPEN = ("Who ", "When ", "Where ", "How many ", "Which ")
ASKED = [(line.strip(), kind) for kind, lines in KINDS.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("question", "kind"), ASKED)
def test_the_form_tells_what_is_asked_for(question: str, kind: AnswerKind) -> None:
    assert answer_kind(question) == kind
    assert asks_yes_or_no(question) is (kind == "yes-no")


@pytest.mark.parametrize("lead", ["Can you tell me", "Do you know", "Could you please say", "Please tell us"])
def test_what_is_asked_politely_is_the_same_question(lead: str) -> None:
    for question, kind in ASKED:
        if question.startswith(OPEN) and kind != "which of two":
            assert answer_kind(f"{lead} {question[0].lower()}{question[1:]}") == kind


SAID = "is which who what or and , ? : Mars venus the a in of first more between can you tell me".split()
WORDS = st.lists(st.sampled_from(SAID), max_size=14).map(" ".join)


@given(st.one_of(st.text(), WORDS))
def test_every_text_has_a_kind(question: str) -> None:
    kind = answer_kind(question)
    assert kind in ANSWER_KINDS
    assert asks_yes_or_no(question) is (kind == "yes-no")


NAMES = st.lists(st.from_regex(r"[A-Z][a-z]{2,6}", fullmatch=True), min_size=1, max_size=3).map(" ".join)


@given(NAMES, NAMES)
def test_every_form_of_the_choice_between_two_names_is_one(one: str, other: str) -> None:
    for question in (
        f"Which is larger, {one} or {other}?",
        f"Which is larger: {one} or {other}?",
        f"Who was born first, {one} or {other}?",
    ):
        assert answer_kind(question) == "which of two", question


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("Please tell me: When was the bridge opened?", "When was the bridge opened?"),
        ("Could you tell me, in which year did it open?", "In which year did it open?"),
        ("I would like to know: is it open?", "Is it open?"),
        ("Tell me when the bridge was opened", "Tell me when the bridge was opened"),
        ("Tell me: the Alder Bridge", "Tell me: the Alder Bridge"),
        ("Amblyopia: is visual loss permanent?", "Amblyopia: is visual loss permanent?"),
        ("Who said: tell me, who are you?", "Who said: tell me, who are you?"),
        ("", ""),
    ],
)
def test_a_request_in_front_of_a_question_is_left_out(asked: str, plain: str) -> None:
    assert without_request(asked) == plain


@given(st.text())
def test_what_is_left_of_a_question_is_its_end(question: str) -> None:
    assert question.lower().endswith(without_request(question).lower()[1:])
