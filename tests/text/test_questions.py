import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridic.text.facts import entities
from veridic.text.questions import is_time_sensitive, keeps_entities, keywords


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Who is the current president?", True), ("What is the latest version?", True), ("Who opened it in 1932?", False)],
)
def test_time_sensitive_questions_are_told_by_their_words(text: str, expected: bool) -> None:
    assert is_time_sensitive(text) is expected


def test_a_rewrite_must_keep_names_and_numbers() -> None:
    question = "When was the Warsaw chamber founded after 1918?"
    assert entities(question) == {"warsaw", "1918"}
    assert keeps_entities(question, "warsaw chamber founded 1918")
    assert not keeps_entities(question, "chamber founded 1918")
    assert not keeps_entities(question, "warsaw chamber founded")


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("When did the flight AS-278 leave?", "flight as 278 leave"),
        ("Who governs Île-de-France now?", "ile de france governs"),
        ("Where did Eugene O'Neill live?", "eugene o'neill live"),
        ("When was the Alder Bridge's toll raised?", "alder bridge toll raised"),
        ("What is the toll in Stratford-on-Avon?", "stratford avon toll"),
        ("How large is the U.S. debt?", "debt u.s."),
        ("What does Figure A.1 show?", "figure a.1"),
    ],
)
def test_names_with_marks_are_kept_however_they_are_cut(question: str, rewrite: str) -> None:
    assert keeps_entities(question, rewrite)


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("When did the flight AS-278 leave?", "flight as 279 leave"),
        ("Who governs Île-de-France now?", "ile governs"),
        ("Where did Eugene O'Neill live?", "eugene o'hara live"),
        ("Who leads the 3Com company?", "leads company com"),
    ],
)
def test_a_part_of_a_name_does_not_stand_for_it(question: str, rewrite: str) -> None:
    assert not keeps_entities(question, rewrite)


@given(st.one_of(st.text(), st.text("aAsSÎîİıßẞŉΣςǅ'’-.,_12½² \u0302\u0307?")))
@example("Who owns 3Com?")
@example("the A.1 and A,2 of İzmir’s O'Neill, U.S.")
def test_a_question_keeps_its_own_entities_in_either_case(question: str) -> None:
    assert keeps_entities(question, question)
    assert keeps_entities(question, question.lower())


def test_keywords_carry_the_question() -> None:
    assert keywords("When was the Alder Bridge opened?") == ["alder", "bridge", "opened"]
